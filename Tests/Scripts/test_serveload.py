# SPDX-License-Identifier: MIT
"""`apus serve` under good, broken, hostile, oversized, slow and abandoned requests at once: each gets its own answer, none
hangs, memory stays bounded, and a disk that is full is an error that clients understand.

REQUESTS is how many there are, 400 unless told, and HOSTILE a folder of more hostile files."""

import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import socket
import struct
import threading
import time

import pytest

import heif
from programs import APUS, DEADLINE, FIXTURES, completed, until
from service import ask, body, connect, numbers, processor, proportional, resident, server

pytestmark = [pytest.mark.waits, pytest.mark.apart]

# What a file may come to, whatever is wrong with it; a process that ends by a signal is never among it.
ANSWERS = {200, 400, 413, 415, 422, 504}
ROUTES = ["/v1/convert", "/v1/thumbnail?size=64", "/v1/thumbnail?size=32&size=80", "/v1/info", "/v1/inspect",
          "/v1/hvcc/check", "/fit?width=64&height=64&stripmeta=true", "/info", "/v1/convert?format=png&salvage"]  # fmt: skip
MOST_BODY = 1


def command(words, name):
    return completed(APUS, *words, "-", "-o", "-", input=body(name)).stdout


class Clients:
    """Every kind of client, each with the answer that it must get."""

    def __init__(self, address, hostile):
        self.address, self.hostile = address, hostile
        self.photo = body("photo.heic")
        self.expected = {
            "/v1/convert": command(["convert"], "photo.heic"),
            "/v1/thumbnail?size=32": command(["thumbnail", "-s", "32"], "photo.heic"),
        }
        self.counts = collections.Counter()
        self.lock = threading.Lock()
        self.random = random.Random(7)

    def count(self, name, status):
        with self.lock:
            self.counts[name, status] += 1

    def good(self):
        path, expected = self.random.choice(list(self.expected.items()))
        status, _, said = ask(self.address, "POST", path, self.photo)
        assert status == 200 and said == expected, (path, status, said[:200])
        self.count("good", status)

    def broken(self):
        path, content, expected = self.random.choice([
            ("/v1/convert", self.photo[:4000], 422), ("/v1/convert", b"x" * 500, 415), ("/nowhere", self.photo, 404),
            ("/v1/convert?format=tiff", self.photo, 400), ("/v1/convert", b"", 400), ("/fit?width=0", self.photo, 400),
        ])  # fmt: skip
        status, headers, said = ask(self.address, "POST", path, content)
        assert status == expected == json.loads(said)["status"], (path, status, said)
        assert headers["Content-Type"] == "application/problem+json", headers
        self.count("broken", status)

    def attack(self):
        file, path = self.random.choice(self.hostile), self.random.choice(ROUTES)
        content = file.read_bytes()
        status, headers, said = ask(self.address, "POST", path, content)
        problem = json.loads(said) if status != 200 else {}
        assert status in ANSWERS and problem.get("kind") != "crash", (file, path, status, said[:500])
        assert status == 200 or problem["status"] == status, (file, path, problem)
        self.count("hostile", status)

    def oversized(self):
        large = bytes((MOST_BODY << 20) + 5000)
        kind = self.random.choice(["length", "expect", "chunked"])
        with connect(self.address) as link:
            head = "POST /v1/convert HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            if kind == "chunked":
                head += "Transfer-Encoding: chunked\r\n\r\n"
                sent = head.encode() + b"%x\r\n" % len(large) + large + b"\r\n0\r\n\r\n"
            else:
                head += f"Content-Length: {len(large)}\r\n" + ("Expect: 100-continue\r\n" if kind == "expect" else "")
                sent = head.encode() + b"\r\n" + (b"" if kind == "expect" else large)
            with contextlib.suppress(ConnectionError):
                link.sendall(sent)
            line = b""
            with contextlib.suppress(ConnectionError):
                line = link.makefile("rb").readline()
        # Of a body that nobody wants the rest may meet a closed door, and the answer with it.
        assert line.startswith(b"HTTP/1.1 413") or not line and kind == "length", (kind, line)
        self.count("oversized", 413 if line else 0)

    def abandoned(self):
        with connect(self.address) as link:
            if self.random.random() < 0.5:
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            whole = self.random.random() < 0.5
            head = f"POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Length: {len(self.photo)}\r\n\r\n".encode()
            link.sendall(head + (self.photo if whole else self.photo[: self.random.randrange(len(self.photo))]))
        self.count("abandoned", 0)

    def kept(self):
        """Several requests on one connection, their bodies in small pieces."""
        with connect(self.address) as link:
            answers = link.makefile("rb")
            for _ in range(3):
                head = f"POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Length: {len(self.photo)}\r\n\r\n".encode()
                for start in range(0, len(head + self.photo), 700):
                    link.sendall((head + self.photo)[start : start + 700])
                line, length = answers.readline(), 0
                assert b" 200 " in line, line
                while (header := answers.readline()) != b"\r\n":
                    if header.lower().startswith(b"content-length:"):
                        length = int(header.split(b":")[1])
                assert answers.read(length) == self.expected["/v1/convert"]
                self.count("kept", 200)

    def slow(self, part):
        """A byte at a time, of the head or of the body: the server ends it, and stays well."""
        head = f"POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Length: {len(self.photo)}\r\n"
        sent = head.encode() + (b"\r\n" if part == "body" else b"X-Slow: ")
        start = time.monotonic()
        with connect(self.address) as link, contextlib.suppress(ConnectionError):
            link.sendall(sent)
            link.settimeout(0.5)
            while True:
                assert time.monotonic() - start < 30, f"a slow {part} was let go on"
                link.sendall(b"x")
                with contextlib.suppress(TimeoutError):
                    if not link.recv(100):
                        break
        self.count(f"slow {part}", 0)


def test_each_of_mixed_clients_gets_its_answer_and_memory_stays_bounded():
    requests = int(os.environ.get("REQUESTS", 400))
    hostile = [path for path in (FIXTURES / "crashes").rglob("*") if path.is_file()]
    if "HOSTILE" in os.environ:
        hostile += [path for path in pathlib.Path(os.environ["HOSTILE"]).rglob("*") if path.is_file()]
    hostile = [path for path in hostile if 0 < path.stat().st_size <= MOST_BODY << 20]
    words = ["--queue", 1000, "--log", "none", "--max-body", MOST_BODY, "--head-seconds", 8, "--body-seconds", 8,
             "--limit", "cpu-seconds=20", "--limit", "wall-seconds=60"]  # fmt: skip
    with server(*words) as (run, address), concurrent.futures.ThreadPoolExecutor(16) as pool:
        clients = Clients(address, hostile)
        kinds = (
            [clients.good] * 30 + [clients.attack] * 40 + [clients.broken] * 12 + [clients.oversized] * 5
            + [clients.abandoned] * 8 + [clients.kept] * 5
        )  # fmt: skip
        order = [clients.random.choice(kinds) for _ in range(requests)]

        def carry_out(order):
            for done in concurrent.futures.as_completed([pool.submit(kind) for kind in order]):
                done.result()

        carry_out(order[: requests // 4])
        before = resident(run.pid)
        slow = [pool.submit(clients.slow, part) for part in ["head", "body"] * 2]
        carry_out(order[requests // 4 :])
        for done in slow:
            done.result()
        until(lambda: numbers(address)["apus_running"] == numbers(address)["apus_queue_length"] == 0, "all is done")
        after = resident(run.pid)
        whole = proportional(run.pid)
        assert after[0] < before[0] + 8192 and after[1] < before[1] + 20, (before, after)
        assert whole < 300 << 10, whole
        clients.good()
    text = ", ".join(f"{name} {status or 'without'}: {count}" for (name, status), count in sorted(clients.counts.items()))
    print(f"{requests} clients: {text}; {after[0] >> 10} MiB resident, {whole >> 10} MiB with all that works for it")


def test_many_large_requests_at_once_wait_on_the_disk_not_in_memory(folder):
    heavy = folder / "heavy.heic"
    heif.many_tiles(FIXTURES / "hvc1.mp4", heavy, 8)
    # Bytes that belong to no item, as much as a photo has.
    content = heavy.read_bytes() + struct.pack(">I4s", 4 << 20, b"free") + bytes((4 << 20) - 8)
    with server("--queue", 1000, "--log", "none") as (run, address):
        with concurrent.futures.ThreadPoolExecutor(100) as pool:
            path = "/v1/thumbnail?size=1024"
            asked = [pool.submit(ask, address, "POST", path, content, seconds=5 * DEADLINE) for _ in range(100)]
            most = 0
            while not all(done.done() for done in asked):
                most = max(most, proportional(run.pid))
                time.sleep(0.1)
        assert {done.result()[0] for done in asked} == {200}
        assert most < 300 << 10, most
        print(f"100 requests of {len(content) >> 20} MiB at once: at most {most >> 10} MiB")


def test_work_stops_and_is_counted_when_fifty_clients_leave_in_the_middle(folder):
    count, jobs = 50, 2
    heavy = folder / "long.heic"
    heif.many_tiles(FIXTURES / "hvc1.mp4", heavy, 200)
    content = heavy.read_bytes()
    head = f"POST /v1/convert?format=heic&encoder=own HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n"
    with server("--jobs", jobs, "--log", "none") as (run, address):
        clients = [connect(address) for _ in range(count)]
        # The first ones are worked on before the others come, so that it is known which of them wait.
        for some in (clients[:jobs], clients[jobs:]):
            for client in some:
                client.sendall(head.encode() + content)
            until(lambda: numbers(address)["apus_running"] == jobs, "two are worked on")
        until(lambda: numbers(address)["apus_queue_length"] == count - jobs, "the others wait")
        started = numbers(address)["apus_process_starts_total"]
        # Those that wait go first: whether a client is there is asked when its turn comes.
        left = time.monotonic()
        for client in clients[jobs:] + clients[:jobs]:
            client.close()
        until(lambda: numbers(address)["apus_running"] == numbers(address)["apus_queue_length"] == 0, "the work stops")
        stopped = time.monotonic() - left
        until(lambda: numbers(address)["apus_abandoned_total"] == count, "all are counted")
        # Only what was under way had to be ended.
        assert numbers(address)["apus_process_starts_total"] <= started + jobs
        before = processor(run.pid)
        time.sleep(0.5)
        assert processor(run.pid) - before < 0.3, "something goes on with the work"
        text = ask(address, "GET", "/metrics")[2].decode()
        assert f'apus_requests_total{{route="/v1/convert",status="499"}} {count}\n' in text, text
        assert ask(address, "POST", "/v1/convert", body("photo.heic"))[0] == 200
    print(f"{count} clients left in the middle: the work stopped after {stopped:.2f} s")


def test_a_full_disk_is_an_error_that_clients_understand(folder):
    """There is no room for a body or for an answer."""
    photo = body("photo.heic")
    place = folder / "small"
    place.mkdir()
    before = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    before += ["sh", "-c", 'mount -t tmpfs -o size=200k none "$0" && TMPDIR="$0" exec "$@"', str(place)]
    with server("--log", "none", before=before) as (run, address):
        status, _, said = ask(address, "POST", "/v1/convert", photo + bytes(400_000))
        assert status == 507 and json.loads(said)["kind"] == "io", (status, said)
        status, _, said = ask(address, "POST", "/v1/convert?format=ppm", photo)
        assert status in (500, 507) and json.loads(said)["kind"] == "io", (status, said)
        assert "No space left" in json.loads(said)["detail"], said
        assert ask(address, "GET", "/health")[0] == 200


def test_a_client_that_sends_slowly_does_not_hold_a_connection_for_ever():
    with server("--connections", 4, "--head-seconds", 2) as (_, address):
        held = [connect(address) for _ in range(4)]
        for client in held:
            client.sendall(b"GET /hea")
        start = time.monotonic()
        for client in held:
            client.settimeout(20)
            with contextlib.suppress(ConnectionError):
                while time.monotonic() - start < 15:
                    client.sendall(b"l")
                    time.sleep(0.2)
                raise AssertionError("it was let go on for 15 s")
            client.close()
        assert ask(address, "GET", "/health")[0] == 200
