# SPDX-License-Identifier: MIT
"""What strangers send to `apus receive` costs it little: before a stream is granted, and all of them together."""

import contextlib
import json
import pathlib
import select
import signal
import socket
import subprocess
import time

import pytest

from programs import APUS, finished
from rtmp import Client

pytestmark = [pytest.mark.waits, pytest.mark.apart]


class Server:
    def __init__(self, folder, *options):
        self.process = subprocess.Popen(
            [APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{folder}/", "--json", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = json.loads(self.process.stdout.readline())["port"]

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def end(self, status=0):
        self.process.send_signal(signal.SIGTERM)
        code = finished(self.process)
        assert code == status, f"a server that was asked to end: {code}, not {status}"


@pytest.fixture
def start(folder):
    """Starts servers with these options; they end with the case."""
    servers = []

    def started(*options):
        servers.append(Server(folder, *options))
        return servers[-1]

    yield started
    for server in servers:
        server.process.kill()
        server.process.wait()


def test_pictures_and_commands_that_nobody_was_granted_are_not_held(start):
    """Pictures that nobody was granted are held nowhere, and commands hold little."""
    server = start()
    before = server.memory()
    parked = [Client(server.port) for _ in range(40)]
    for client in parked[:20]:
        client.large(9, 15 << 20, stream=6)
    for client in parked[20:]:
        client.large(20, 1_000_000)
    assert all(client.is_closed() for client in parked[20:]), "commands of 1 MB that nobody was granted are held"
    assert b"Publish.Start" in Client(server.port).publish("ordinary"), "an ordinary publisher is turned away"
    assert server.memory() - before <= 60, f"40 strangers cost {server.memory() - before:.0f} MiB"
    server.end()


def ends(connected):
    """Returns whether the other side of a readable socket has closed it."""
    try:
        return not connected.recv(65536)
    except OSError:
        return True


def test_publishers_share_one_budget_of_memory(start):
    """Publishers share one budget; beyond it connections are closed."""
    server = start("--max-memory", "40")
    clients = []
    for number in range(8):
        client = Client(server.port)
        assert b"Publish.Start" in client.publish(f"park{number}"), "a publisher is turned away"
        with contextlib.suppress(OSError):
            client.large(9, 10 << 20, stream=6, number=1)
        clients.append(client)
    # Four of eight fit at most; which of them do depends on the order in which the server hears them.
    still_open, deadline = {client.socket for client in clients}, time.monotonic() + 60
    while len(still_open) > 4:
        left = deadline - time.monotonic()
        assert left > 0, f"{len(still_open)} × 10 MiB are held with a budget of 40"
        heard, _, _ = select.select(still_open, [], [], left)
        still_open -= {connected for connected in heard if ends(connected)}
    assert server.memory() <= 160, f"a budget of 40 MiB costs {server.memory():.0f}"
    server.end()


def test_idle_connections_give_way_to_publishers(start):
    """Clients that ask for nothing give way to those that do."""
    server = start("--max-connections", "20")
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    publisher = Client(server.port)
    assert b"Publish.Start" in publisher.publish("ordinary"), "idle connections keep a publisher out"
    more = [Client(server.port) for _ in range(30)]
    publisher.message(8, b"\xaf\x01" + bytes(10), 4, 1)
    publisher.socket.settimeout(0.5)
    try:
        assert publisher.socket.recv(1) != b"", "idle connections drive a publisher out"
    except TimeoutError:
        pass
    del idle, more
    server.end()


def test_media_that_arrive_after_the_end_of_a_stream_do_not_end_the_connection(start):
    """What is still under way when a stream ends costs nobody the connection."""
    server = start()
    client = Client(server.port)
    client.publish("one")
    client.message(8, b"\xaf\x01" + bytes(100), 4, 1)
    client.command("deleteStream", 4, None, 1)
    client.message(8, b"\xaf\x01" + bytes(100), 4, 1)
    client.message(9, b"\x27\x01" + bytes(200_000), 6, 1)
    client.command("createStream", 5, None)
    client.command("publish", 6, None, "two", "live", stream=8, number=2)
    assert b"Publish.Start" in client.answer(b"NetStream.Publish.Start"), "a second stream of a connection is refused"
    server.end()
