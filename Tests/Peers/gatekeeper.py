#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""gatekeeper.py adobe|llnw PORT USER PASSWORD: an RTMP server that lets nobody publish before they sign in.

It ends with 0 when somebody did, and with 1 after an answer that is wrong. The schemes were never published; that
FFmpeg's client gets in shows that they are understood here as elsewhere.
"""

import base64
import hashlib
import os
import re
import socket
import struct
import sys
from urllib.parse import unquote

SALT, CHALLENGE, OPAQUE, NONCE = "SA1t", "ch4llenge", "0paque", "n0nce"


class Gate:
    """One connection, up to its `connect`."""

    def __init__(self, connection):
        self.stream = connection.makefile("rwb")
        hello = self.stream.read(1537)
        self.send(b"\3" + bytes(8) + os.urandom(1528) + hello[1:])
        self.stream.read(1536)

    def send(self, data):
        self.stream.write(data)
        self.stream.flush()

    def connect(self):
        """The app that is asked for."""
        size, whole = 128, {}
        while True:
            byte = self.stream.read(1)[0]
            form, number = byte >> 6, byte & 63
            if form == 0:
                header = self.stream.read(11)
                length, kind = int.from_bytes(header[3:6], "big"), header[6]
                whole[number] = (kind, length, b"")
            kind, length, data = whole[number]
            data += self.stream.read(min(size, length - len(data)))
            whole[number] = (kind, length, data)
            if len(data) < length:
                continue
            if kind == 1:
                (size,) = struct.unpack(">I", data)
            elif kind == 20 and data.startswith(b"\2\0\7connect"):
                place = data.index(b"\0\3app\2") + 6
                (count,) = struct.unpack_from(">H", data, place)
                return data[place + 2 : place + 2 + count].decode()

    def say(self, name, level, code, words):
        text = lambda value: struct.pack(">H", len(value)) + value.encode()
        members = (("level", level), ("code", code), ("description", words))
        body = b"\2" + text(name) + b"\0" + struct.pack(">d", 1) + b"\5\3"
        body += b"".join(text(key) + b"\2" + text(value) for key, value in members) + b"\0\0\x09"
        pieces = [body[start : start + 128] for start in range(0, len(body), 128)]
        self.send(b"\3\0\0\0" + len(body).to_bytes(3, "big") + b"\x14\0\0\0\0" + b"\xc3".join(pieces))

    def refuse(self, words):
        self.say("_error", "error", "NetConnection.Connect.Rejected", "[ AccessManager.Reject ] : " + words)


def digest(text):
    return hashlib.md5(text.encode())


def base64_digest(text):
    return base64.b64encode(digest(text).digest()).decode()


def adobe(fields, user, password):
    salted = base64_digest(user + SALT + password)
    return base64_digest(salted + OPAQUE + fields["challenge"])


def llnw(fields, user, password):
    name = digest(f"{user}:live:{password}").hexdigest()
    target = digest("publish:/live/_definst_").hexdigest()
    return digest(f"{name}:{NONCE}:{fields['nc']}:{fields['cnonce']}:auth:{target}").hexdigest()


def main():
    scheme, port, user, password = sys.argv[1:]
    challenges = {"adobe": f"salt={SALT}&challenge={CHALLENGE}&opaque={OPAQUE}", "llnw": f"nonce={NONCE}"}
    listener = socket.create_server(("127.0.0.1", int(port)))
    listener.settimeout(120)
    while True:
        connection, _ = listener.accept()
        connection.settimeout(120)
        gate = Gate(connection)
        fields = dict(re.findall(r"[?&](\w+)=([^&]*)", gate.connect()))
        if fields.get("authmod") != scheme:
            gate.refuse(f"[ code=403 need auth; authmod={scheme} ] : ")
        elif "response" not in fields:
            gate.refuse(f"[ authmod={scheme} ] : ?reason=needauth&user={user}&{challenges[scheme]}")
        elif fields["user"] == user and unquote(fields["response"]) == globals()[scheme](fields, user, password):
            gate.say("_result", "status", "NetConnection.Connect.Success", "")
            return 0
        else:
            gate.refuse(f"[ authmod={scheme} ] : ?reason=authfailed&opaque={OPAQUE}")
            gate.stream.read()
            return 1
        gate.stream.read()
        connection.close()


sys.exit(main())
