# SPDX-License-Identifier: MIT
"""`apus serve` as a running server, and its clients: those that ask in order, and those that do not."""

import contextlib
import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading

from programs import APUS, DEADLINE, FIXTURES


@contextlib.contextmanager
def server(*words, status=0, listen="127.0.0.1:0", stop=signal.SIGTERM, before=(), **how):
    """A running server, whose attribute `said` has the lines that it says, and where it listens.

    before: a program that takes the words of the server and becomes it."""
    run = subprocess.Popen(
        [*before, APUS, "serve", "--listen", listen, *map(str, words)], stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, **how,
    )  # fmt: skip
    try:
        run.said = [run.stderr.readline()]
        found = re.search(r"listening at (?:http://)?(\S+)", run.said[0])
        assert found, run.said
        # It says a line of each request, and waits when nobody reads them.
        reader = threading.Thread(target=lambda: [run.said.append(line) for line in run.stderr], daemon=True)
        reader.start()
        yield run, found[1]
        run.send_signal(stop)
        run.wait(DEADLINE)
        reader.join(DEADLINE)
        assert run.returncode == status, (run.returncode, run.said)
    finally:
        run.kill()
        run.wait()


def body(named):
    if named is None or isinstance(named, bytes):
        return named
    if isinstance(named, tuple):
        return (FIXTURES / named[0]).read_bytes()[: named[1]]
    return (FIXTURES / named).read_bytes()


def ask(address, method, path, content=None, headers=None, seconds=DEADLINE):
    connection = http.client.HTTPConnection(address, timeout=seconds)
    try:
        connection.request(method, path, content, headers or {})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def connect(address):
    host, port = address.rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=DEADLINE)


def numbers(address):
    """What the server counts, by name; those with labels are added up."""
    found = {}
    for line in ask(address, "GET", "/metrics")[2].decode().splitlines():
        if line and not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            name = name.partition("{")[0]
            found[name] = found.get(name, 0) + float(value)
    return found


def state(process):
    """The letter by which the system names what a process does: R, S, T, Z."""
    return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]


def workers(process):
    """The processes that work for a server."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError):
            fields = entry.read_text().rpartition(")")[2].split()
            if int(fields[1]) == process and fields[0] != "Z":
                found.append(int(entry.parent.name))
    return found


def resident(process):
    """KiB of a process in memory, and how many files it has open."""
    text = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]), len(os.listdir(f"/proc/{process}/fd"))


def proportional(process):
    """KiB of a server and of all that works for it, pages that several share divided among them."""
    total = 0
    for each in [process, *workers(process)]:
        with contextlib.suppress(OSError, TypeError):
            text = pathlib.Path(f"/proc/{each}/smaps_rollup").read_text()
            total += int(re.search(r"^Pss:\s+(\d+)", text, re.M)[1])
    return total


def processor(process):
    """Seconds of processor time that all that works for a server has used."""
    ticks = 0
    for each in workers(process):
        with contextlib.suppress(OSError):
            fields = pathlib.Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
