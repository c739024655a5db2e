#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`apus serve` with more requests than workers: what needs no worker, or little of one, does not wait for what takes long,
and equal requests are worked on once where answers are kept."""

import concurrent.futures
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))
sys.path.insert(0, str(ROOT / "Scripts/making"))

import heif  # noqa: E402
from programs import APUS  # noqa: E402
from service import FIXTURES, ask, body, connect, numbers, server, until, workers  # noqa: E402

# A box that says nothing, which makes another file.
FREE = b"\0\0\0\x08free"
# A request that takes seconds.
LONG = "/v1/convert?format=heic&encoder=own"


def command(*words):
    return subprocess.run(
        [APUS, *words, "-", "-o", "-"], input=body("photo.heic"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        check=True,
    ).stdout  # fmt: skip


def busy(pool, address, heavy):
    """A request that has the worker, when this returns."""
    asked = pool.submit(ask, address, "POST", LONG, heavy)
    until(lambda: numbers(address)["apus_running"] == 1, "the long request is worked on")
    return asked


@contextlib.contextmanager
def held(run):
    """The only process that works for a server does not go on meanwhile, so that its request takes as long as it is to."""
    [worker] = workers(run.pid)
    os.kill(worker, signal.SIGSTOP)
    try:
        yield worker
    finally:
        # A request whose client has gone may have ended it.
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGCONT)


def passing(heavy, folder):
    """What is known, wrong or short is answered while a long request has the only worker."""
    service = server("--jobs", 1, "--max-wait", 600, "--cache", folder / "kept")
    with service as (run, address), concurrent.futures.ThreadPoolExecutor(4) as pool:
        path, photo = "/v1/thumbnail?size=64", body("photo.heic")
        _, headers, made = ask(address, "POST", path, photo)
        # How long the one takes, and how long the other, is what makes them short and long.
        assert ask(address, "POST", "/v1/info", photo)[0] == 200
        assert ask(address, "POST", LONG, heavy + FREE)[0] == 200
        # Clients have their answers before those are kept.
        until(lambda: numbers(address)["apus_running"] == 0, "answers are kept")
        assert numbers(address)["apus_cache_answers"] == 3
        asked = busy(pool, address, heavy)
        with held(run) as worker:
            assert ask(address, "POST", path, photo)[2] == made == command("thumbnail", "-s", "64")
            assert ask(address, "POST", path, photo, {"If-None-Match": headers["ETag"]})[0] == 304
            assert ask(address, "POST", "/v1/convert?format=heic&max-size=1x1&quality=0", photo)[0] == 400
            assert workers(run.pid) == [worker] and numbers(address)["apus_running"] == 1
            # Others of a kind that takes little time, in a process beside the worker.
            for name in ("grid-odd.heic", "portrait.heic"):
                assert ask(address, "POST", "/v1/info", body(name))[0] == 200
            until(lambda: numbers(address)["apus_running"] == 1, "the short ones are done")
            assert len(workers(run.pid)) == 2 and not asked.done()
            # A long one waits, as there is no other worker.
            other = pool.submit(ask, address, "POST", "/v1/convert?format=png", heavy)
            until(lambda: numbers(address)["apus_queue_length"] == 1, "the other one waits")
        assert asked.result()[0] == 200 and other.result()[0] == 200


def shared(heavy, folder):
    """Equal requests wait for the first of them, whose client may go; without a cache each is worked on."""
    service = server("--jobs", 1, "--max-wait", 600, "--cache", folder / "shared")
    with service as (run, address), concurrent.futures.ThreadPoolExecutor(8) as pool:
        first = busy(pool, address, heavy)
        with held(run):
            alike = [pool.submit(ask, address, "POST", LONG, heavy) for _ in range(3)]
            until(lambda: numbers(address)["apus_cache_shared_total"] == 3, "equal requests wait for the first")
            assert numbers(address)["apus_queue_length"] == 0
        answers = [each.result() for each in [first, *alike]]
        assert {status for status, _, _ in answers} == {200} and len({said for _, _, said in answers}) == 1
        assert len({headers["X-Request-Id"] for _, headers, _ in answers}) == 4
        until(lambda: numbers(address)["apus_running"] == 0, "the answer is kept")
        assert numbers(address)["apus_cache_answers"] == 1
        assert numbers(address)["apus_cache_hits_total"] == 0

        # The client of one that waits goes, and then that of one that is worked on.
        first = busy(pool, address, heavy + FREE)
        for count in (1, 2):
            again = heavy + FREE * (1 + count)
            with held(run), connect(address) as gone:
                head = f"POST {LONG} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(again)}\r\n\r\n"
                gone.sendall(head.encode() + again)
                if count == 1:
                    until(lambda: numbers(address)["apus_queue_length"] == 1, "it waits")
                    assert not first.done()
                else:
                    until(lambda: numbers(address)["apus_running"] == 1, "it has the worker")
                other = pool.submit(ask, address, "POST", LONG, again)
                until(lambda: numbers(address)["apus_cache_shared_total"] == 3 + count, "an equal one waits")
            status, _, said = other.result()
            assert status == 200 and said == answers[0][2]
            until(lambda: numbers(address)["apus_abandoned_total"] == count, "the one that went is counted")
    with server("--jobs", 1, "--max-wait", 600) as (run, address), concurrent.futures.ThreadPoolExecutor(8) as pool:
        first = busy(pool, address, heavy)
        with held(run):
            alike = pool.submit(ask, address, "POST", LONG, heavy)
            until(lambda: numbers(address)["apus_queue_length"] == 1, "an equal request waits")
        assert first.result()[2] == alike.result()[2]


def main():
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        for check, tiles in ((passing, 30), (shared, 20)):
            heif.many_tiles(FIXTURES / "hvc1.mp4", folder / "heavy.heic", tiles)
            check((folder / "heavy.heic").read_bytes(), folder)
            print(f"{check.__name__} ({time.monotonic() - start:.0f} s)")
    print("all is well")


if __name__ == "__main__":
    main()
