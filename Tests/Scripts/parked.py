#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What strangers send to `apus receive` costs it little: before a stream is granted, and all of them together."""

import json
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import Failure, finished  # noqa: E402
from rtmp import Client  # noqa: E402

BINARY = ROOT / ".build/release/apus"


class Server:
    def __init__(self, work, *options):
        self.process = subprocess.Popen(
            [BINARY, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{work}/", "--json", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = json.loads(self.process.stdout.readline())["port"]

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def end(self, status=0):
        self.process.send_signal(signal.SIGTERM)
        code = finished(self.process)
        if code != status:
            raise Failure(f"a server that was asked to end: {code}, not {status}")


def check_ungranted(work):
    """Pictures that nobody was granted are held nowhere, and commands hold little."""
    server = Server(work)
    before = server.memory()
    parked = [Client(server.port) for _ in range(40)]
    for client in parked[:20]:
        client.large(9, 15 << 20, stream=6)
    for client in parked[20:]:
        client.large(20, 1_000_000)
    if not all(client.is_closed() for client in parked[20:]):
        raise Failure("commands of 1 MB that nobody was granted are held")
    if b"Publish.Start" not in Client(server.port).publish("ordinary"):
        raise Failure("an ordinary publisher is turned away")
    if server.memory() - before > 60:
        raise Failure(f"40 strangers cost {server.memory() - before:.0f} MiB")
    server.end()


def ends(connected):
    """Whether what a readable socket has to say is that the other side has closed."""
    try:
        return not connected.recv(65536)
    except OSError:
        return True


def check_budget(work):
    """Publishers share one budget; beyond it connections are closed."""
    server = Server(work, "--max-memory", "40")
    clients = []
    for number in range(8):
        client = Client(server.port)
        if b"Publish.Start" not in client.publish(f"park{number}"):
            raise Failure("a publisher is turned away")
        try:
            client.large(9, 10 << 20, stream=6, number=1)
        except OSError:
            pass
        clients.append(client)
    # Four of eight fit at most; which of them do depends on the order in which the server hears them.
    still_open, deadline = {client.socket for client in clients}, time.monotonic() + 60
    while len(still_open) > 4:
        left = deadline - time.monotonic()
        if left <= 0:
            raise Failure(f"{len(still_open)} × 10 MiB are held with a budget of 40")
        heard, _, _ = select.select(still_open, [], [], left)
        still_open -= {connected for connected in heard if ends(connected)}
    if server.memory() > 160:
        raise Failure(f"a budget of 40 MiB costs {server.memory():.0f}")
    server.end()


def check_idle(work):
    """Clients that ask for nothing give way to those that do."""
    server = Server(work, "--max-connections", "20")
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    publisher = Client(server.port)
    if b"Publish.Start" not in publisher.publish("ordinary"):
        raise Failure("idle connections keep a publisher out")
    more = [Client(server.port) for _ in range(30)]
    publisher.message(8, b"\xaf\x01" + bytes(10), 4, 1)
    publisher.socket.settimeout(0.5)
    try:
        if publisher.socket.recv(1) == b"":
            raise Failure("idle connections drive a publisher out")
    except TimeoutError:
        pass
    del idle, more
    server.end()


def check_late_media(work):
    """What is still under way when a stream ends costs nobody the connection."""
    server = Server(work)
    client = Client(server.port)
    client.publish("one")
    client.message(8, b"\xaf\x01" + bytes(100), 4, 1)
    client.command("deleteStream", 4, None, 1)
    client.message(8, b"\xaf\x01" + bytes(100), 4, 1)
    client.message(9, b"\x27\x01" + bytes(200_000), 6, 1)
    client.command("createStream", 5, None)
    client.command("publish", 6, None, "two", "live", stream=8, number=2)
    if b"Publish.Start" not in client.answer(b"NetStream.Publish.Start"):
        raise Failure("a second stream of a connection is refused")
    server.end()


checks = [check_ungranted, check_budget, check_idle, check_late_media]
for check in checks:
    with tempfile.TemporaryDirectory() as place:
        check(pathlib.Path(place))
print("strangers cost a server little")
