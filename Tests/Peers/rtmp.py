# SPDX-License-Identifier: MIT
"""The words of RTMP, put on the wire byte by byte: what no ordinary client or server says can be said, too."""

import contextlib
import os
import socket
import struct
import threading


class Pairs(dict):
    """An ECMA array, where a dictionary is an object."""


def amf(value):
    """AMF 0; text may be bytes that are no UTF-8."""
    if isinstance(value, bool):
        return b"\1" + bytes([value])
    if isinstance(value, (int, float)):
        return b"\0" + struct.pack(">d", value)
    if isinstance(value, (str, bytes)):
        return b"\2" + text(value)
    if value is None:
        return b"\5"
    if isinstance(value, list):
        return b"\x0a" + struct.pack(">I", len(value)) + b"".join(map(amf, value))
    pairs = b"".join(text(key) + amf(item) for key, item in value.items()) + b"\0\0\x09"
    return b"\x08" + struct.pack(">I", len(value)) + pairs if isinstance(value, Pairs) else b"\3" + pairs


def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack(">H", len(data)) + data


class Link:
    """A connection whose handshake is done."""

    def __init__(self, connected):
        self.chunk = 128
        self.socket = connected

    def take(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def message(self, kind, body, stream=3, number=0, announced=None, time=0):
        head = bytes([stream]) + struct.pack(">I", time)[1:] + struct.pack(">I", announced or len(body))[1:] + bytes([kind])
        data = head + struct.pack("<I", number)
        for place in range(0, max(len(body), 1), self.chunk):
            data += (bytes([0xc0 | stream]) if place else b"") + body[place:place + self.chunk]
        self.socket.sendall(data)

    def large(self, kind, size, stream=3, number=0):
        """A message that is never whole, in one chunk."""
        self.message(1, struct.pack(">I", 16 << 20), 2)
        self.chunk = 16 << 20
        self.message(kind, bytes(size), stream, number, announced=size + 1000)

    def command(self, *values, stream=3, number=0):
        self.message(20, b"".join(map(amf, values)), stream, number)

    def answer(self, *words):
        """What comes until one of some words does."""
        data = b""
        while not any(word in data for word in words):
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError
            data += piece
        return data

    def end(self):
        """Says no more, and waits until the other side has heard all."""
        self.socket.shutdown(socket.SHUT_WR)
        while self.socket.recv(65536):
            pass

    def cut(self):
        """Ends a connection that may have ended."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def is_closed(self):
        """Whether the other side has closed, waiting for that for a while."""
        self.socket.settimeout(60)
        try:
            while self.socket.recv(65536):
                pass
        except TimeoutError:
            return False
        except OSError:
            return True
        return True


class Client(Link):
    def __init__(self, port):
        super().__init__(socket.create_connection(("127.0.0.1", port), timeout=60))
        self.socket.sendall(b"\3" + bytes(8) + os.urandom(1528))
        self.socket.sendall(self.take(1 + 2 * 1536)[1:1537])

    def publish(self, key, app="live", **words):
        self.command("connect", 1, {"app": app, "tcUrl": f"rtmp://127.0.0.1/{app}", **words})
        self.answer(b"Connect.Success")
        self.command("createStream", 2, None)
        self.command("publish", 3, None, key, "live", stream=8, number=1)
        return self.answer(b"NetStream.Publish.")


class Server:
    """Takes connections on a port of loopback, one after the other, and says to each what it is told to say.

    `answers` is called with a link and the name of each command that comes, until it returns `False`.
    """

    def __init__(self, answers):
        self.answers = answers
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # A thread that waits in accept wakes up.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def serve(self):
        while True:
            try:
                connected, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connected,), daemon=True).start()

    def talk(self, connected):
        connected.settimeout(60)
        link = Link(connected)
        try:
            hello = link.take(1537)
            connected.sendall(b"\3" + bytes(8) + os.urandom(1528) + hello[1:])
            link.take(1536)
            for name in commands(link):
                if self.answers(link, name) is False:
                    return
        except (OSError, EOFError):
            pass
        finally:
            connected.close()


def commands(link):
    """The names of the commands that come, whatever comes in between."""
    size, known = 128, {}
    while True:
        byte = link.take(1)[0]
        form, number = byte >> 6, byte & 63
        length, kind, data = known.get(number, (0, 0, b""))
        if form < 3:
            header = link.take((11, 7, 3)[form])
            if form < 2:
                length, kind = int.from_bytes(header[3:6], "big"), header[6]
        data += link.take(min(size, length - len(data)))
        if len(data) < length:
            known[number] = (length, kind, data)
            continue
        known[number] = (length, kind, b"")
        if kind == 1:
            (size,) = struct.unpack(">I", data)
        elif kind == 20:
            (count,) = struct.unpack_from(">H", data, 1)
            yield data[3:3 + count].decode()
