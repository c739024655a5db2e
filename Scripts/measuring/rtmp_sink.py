# SPDX-License-Identifier: MIT
"""The least RTMP server that a publisher is content with: it says yes to everything and looks for marks in what comes."""

import os
import socket
import struct
import threading
import time


def text(value):
    return b"\2" + struct.pack(">H", len(value)) + value.encode()


def number(value):
    return b"\0" + struct.pack(">d", value)


def status(code):
    return b"\3" + b"".join(name + value for name, value in (
        (struct.pack(">H", 5) + b"level", text("status")),
        (struct.pack(">H", 4) + b"code", text(code)))) + b"\0\0\x09"


def command(stream, *values):
    body = b"".join(values)
    return b"\3\0\0\0" + len(body).to_bytes(3, "big") + b"\x14" + struct.pack("<I", stream) + body


class Sink:
    """Listens at `port`; `arrivals` tells for each mark when its last byte came."""

    # A mark is these bytes and four more, which tell which it is.
    MARK = b"\xf1APUSMARK\xf2"

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.arrivals = {}
        self.bytes = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        connection, _ = self.listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        greeting = b""
        while len(greeting) < 1537:
            greeting += connection.recv(65536)
        connection.sendall(b"\3" + struct.pack(">II", 0, 0) + os.urandom(1528) + greeting[1:1537])
        answers = [
            (b"connect", command(0, text("_result"), number(1), b"\5", status("NetConnection.Connect.Success"))),
            (b"createStream", None),
            (b"publish", command(1, text("onStatus"), number(0), b"\5", status("NetStream.Publish.Start"))),
        ]
        held = b""
        while True:
            came = connection.recv(1 << 18)
            now = time.monotonic()
            if not came:
                return
            self.bytes += len(came)
            held += came
            while answers and answers[0][0] + (b"\0" if answers[0][0] != b"publish" else b"") in held:
                name, answer = answers.pop(0)
                if answer is None:
                    at = held.index(name) + len(name)
                    answer = command(0, text("_result"), held[at:at + 9], b"\5", number(1))
                connection.sendall(answer)
            at = held.find(self.MARK)
            while at >= 0 and at + len(self.MARK) + 4 <= len(held):
                end = at + len(self.MARK) + 4
                self.arrivals[held[end - 4:end]] = now
                held = held[end:]
                at = held.find(self.MARK)
            if not answers and at < 0:
                held = held[-len(self.MARK) - 4:]
