# SPDX-License-Identifier: MIT
"""What receive, serve and stream report to systemd: that they are ready, that they live, and that they stop. One that is
stopped in its tracks reports nothing."""

import contextlib
import os
import signal
import socket
import subprocess
import threading
import time

import pytest

from programs import APUS, FIXTURES, finished, free_port, running, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]
MOVIE = FIXTURES / "hvc1.mp4"


class Notices:
    """The socket of a supervisor, and what came through it, with the time of each."""

    def __init__(self, folder):
        self.path = folder / "notices"
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.door.bind(str(self.path))
        self.all = []
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        with contextlib.suppress(OSError):
            while True:
                self.all.append((time.monotonic(), self.door.recv(4096).decode()))

    def drain(self):
        """Waits until everything is read that is in the socket now."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
            mark = f"mark {len(self.all)}"
            own.sendto(mark.encode(), str(self.path))
        until(lambda: self.count(mark), "the notices are read")

    def count(self, text, since=0.0):
        return sum(1 for at, said in list(self.all) if said == text and at >= since)


def check(folder, words, says_stop, watches=True):
    notices = Notices(folder)
    environment = {**os.environ, "NOTIFY_SOCKET": str(notices.path)}
    environment.pop("WATCHDOG_USEC", None)
    if watches:
        environment["WATCHDOG_USEC"] = "4000000"
    process = subprocess.Popen([str(word) for word in (APUS, *words)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=environment)
    try:
        until(lambda: notices.count("READY=1") == 1, "it is ready")
        if not watches:
            time.sleep(2.5)
            assert not notices.count("WATCHDOG=1"), "it reports to a watchdog that is not there"
        else:
            # Twice in the time after which systemd would end it.
            until(lambda: notices.count("WATCHDOG=1") >= 3, "it lives")
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            notices.drain()
            stopped = time.monotonic()
            time.sleep(4)
            assert not notices.count("WATCHDOG=1", stopped), "it is said to live while it does nothing"
            process.send_signal(signal.SIGCONT)
            resumed = time.monotonic()
            until(lambda: notices.count("WATCHDOG=1", resumed) >= 2, "it lives again")
            at = [time for time, said in notices.all if said == "WATCHDOG=1" and time < stopped]
            # A machine that is busy may hold up one of them.
            assert min(after - before for before, after in zip(at, at[1:])) <= 3, f"it reports too rarely: {at}"
        process.terminate()
        finished(process)
        if says_stop:
            # What it said last may still wait in the socket when it has ended.
            until(lambda: notices.count("STOPPING=1"), "it says that it stops")
            assert notices.count("STOPPING=1") == 1 and process.returncode == 0, \
                f"it ends with {process.returncode}, and says {[said for _, said in notices.all]}"
    finally:
        process.kill()
        process.wait()
        notices.door.close()


@pytest.mark.parametrize("watches", [True, False], ids=["watched", "unwatched"])
def test_receive_reports_that_it_is_ready_lives_and_stops(folder, watches):
    check(folder, ["receive", "rtmp://127.0.0.1:0/live/key", "-o", folder / "out.flv"], True, watches)


def test_serve_reports_that_it_is_ready_lives_and_stops(folder):
    check(folder, ["serve", "--listen", "127.0.0.1:0"], True)


def test_stream_reports_that_it_is_ready_and_lives(folder):
    port = free_port()
    url = f"rtmp://127.0.0.1:{port}/live/key"
    with running(APUS, "receive", url, "-o", folder / "sink.flv", port=port):
        check(folder, ["stream", MOVIE, url, "--loop", "--dialect", "enhanced"], False)
