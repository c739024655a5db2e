# SPDX-License-Identifier: MIT
"""Programs under test and beside it: started on loopback, waited for, and stopped by the process that started them."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
APUS = pathlib.Path(os.environ.get("APUS", ROOT / "Scripts/apus"))
FFMPEG = ROOT / "Scripts/making/ffmpeg9"
# What is waited for comes at once on a quiet machine; one that is very busy may take long, and no test is slower for it.
DEADLINE = 300


class Failure(Exception):
    """Something that must hold does not."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    """Whether someone does, without asking them: some take one connection and no more."""
    wanted = f"0100007F:{port:04X}"
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1] == wanted and fields[3] == "0A":
            return True
    return False


def until(condition, what, seconds=DEADLINE):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(0.01)


def lines(log):
    """The lines of a file that a program may be writing: of the last one a part may be there."""
    text = log.read_text(errors="replace")
    return text[:text.rfind("\n") + 1].splitlines()


def events(log, name=None, /, **fields):
    """The events that a program has written into a file: those of a name, and with these values."""
    found = [json.loads(line) for line in lines(log) if line[:1] == "{"]
    return [event for event in found
            if name in (None, event["event"]) and all(event.get(key) == value for key, value in fields.items())]


def settled(path, seconds=0.5):
    """Waits until a file is there and has not grown for a while."""
    was, since = -1, time.monotonic()
    end = since + DEADLINE
    while was <= 0 or time.monotonic() - since < seconds:
        if time.monotonic() > end:
            raise Failure(f"{path} does not come to rest within {DEADLINE} s")
        size = path.stat().st_size if path.exists() else -1
        if size != was:
            was, since = size, time.monotonic()
        time.sleep(0.01)


@contextlib.contextmanager
def stopped(process):
    """A program that does nothing meanwhile, so that what it was about to do comes later."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def running(*command, port=None, log=None, family=False):
    """A program that runs meanwhile; with a port, one that listens there. With `family` the processes that it has started
    end with it."""
    out = open(log, "wb") if log else subprocess.DEVNULL
    process = subprocess.Popen(
        list(map(str, command)), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
        start_new_session=family)
    try:
        if port:
            ended = lambda: process.poll() is not None
            until(lambda: listens(port) or ended(), f"{command[0]} listens on {port}")
            if ended():
                raise Failure(f"{command[0]} ended with {process.returncode} before it listened")
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if family:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def finished(process, seconds=DEADLINE):
    """Waits until a program ends by itself."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"{process.args[0]} does not end within {seconds} s") from None


def run(*command, seconds=DEADLINE, status=0):
    """What a program prints, which must end with this status."""
    done = subprocess.run(
        list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=seconds)
    if done.returncode != status:
        raise Failure(f"{' '.join(map(str, command))}: ends with {done.returncode}, not {status}: "
                      f"{(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout + done.stderr


def trials(functions, folder, *arguments):
    """Runs each function, or those that the command line names, with a folder of its own; says whether one has failed."""
    failed = False
    for trial in functions:
        if sys.argv[1:] and trial.__name__ not in sys.argv[1:]:
            continue
        work = folder / trial.__name__
        work.mkdir()
        began = time.monotonic()
        try:
            trial(work, *arguments)
            print(f"{trial.__name__}: as it should be, {time.monotonic() - began:.1f} s", flush=True)
        except Failure as failure:
            failed = True
            print(f"{trial.__name__}: {failure}", file=sys.stderr, flush=True)
    return failed
