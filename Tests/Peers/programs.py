# SPDX-License-Identifier: MIT
"""Programs under test and those next to them: run, compared, started on loopback, waited for, and stopped."""

import contextlib
import functools
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
SCHEMAS = ROOT / "Sources/ApusCommand/Schemas"
APUS = pathlib.Path(os.environ.get("APUS", ROOT / ".build/release/apus"))
# The Python that has the packages of Scripts/packages with pip: before their names.
PYTHON = pathlib.Path(os.environ.get("APUS_PYTHON", ROOT / ".build/python/bin/python3"))
# A current FFmpeg, for what Debian's does not read or write.
FFMPEG = ROOT / "Scripts/making/ffmpeg9"
# The limit of every wait: a result comes at once on a quiet machine, and late on one that is very busy.
DEADLINE = 300


class Failure(AssertionError):
    """Something that must hold does not."""


def shorter(value, most=400):
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def same(*arguments):
    """Compares a value with what is expected: any number of words about it, the expected value, and the value."""
    *words, expected, found = arguments
    if expected == found:
        return
    name = ": ".join(map(str, words))
    if isinstance(expected, (list, tuple)) and isinstance(found, (list, tuple)):
        for index, (left, right) in enumerate(zip(expected, found)):
            if left != right:
                raise Failure(f"{name}: item {index} is {shorter(right)}, expected {shorter(left)}; in all "
                              f"{shorter(found)}, expected {shorter(expected)}")
        raise Failure(f"{name}: {len(found)} items, expected {len(expected)}: {shorter(found)}, expected {shorter(expected)}")
    raise Failure(f"{name}: {shorter(found)}, expected {shorter(expected)}")


# Running


def completed(*command, status=0, seconds=DEADLINE, **options):
    """Runs a program, which must end with this status (`None`: any), and returns its status and its outputs as bytes, or as
    text with `text=True`."""
    command = list(map(str, command))
    source = {} if "input" in options or "stdin" in options else {"stdin": subprocess.DEVNULL}
    sinks = {name: subprocess.PIPE for name in ("stdout", "stderr") if name not in options}
    done = subprocess.run(command, timeout=seconds, **source, **sinks, **options)
    if status is not None and done.returncode != status:
        said = done.stderr or done.stdout or b""
        said = said if isinstance(said, str) else said.decode(errors="replace")
        raise Failure(f"{' '.join(command)}: ends with {done.returncode}, expected {status}: {said.strip()[-600:]}")
    return done


def run(*command, status=0, seconds=DEADLINE, **options):
    """Everything that a program prints, standard error last."""
    done = completed(*command, status=status, seconds=seconds, **options)
    return (done.stdout + (done.stderr or b"")).decode(errors="replace")


def printed(*command, status=0, seconds=DEADLINE, **options):
    """The standard output of a program."""
    return completed(*command, status=status, seconds=seconds, **options).stdout.decode(errors="replace")


@functools.cache
def built(product, name=None):
    """The path of a product of the package, in a developer's build, unless `Scripts/test` has made that already."""
    if "APUS_BUILT" not in os.environ:
        run("swift", "build", "--package-path", ROOT, "--scratch-path", ROOT / ".build/developers", "--product", product,
            seconds=3600, env={**os.environ, "APUS_DEVELOPERS_BUILD": "yes"})
    return ROOT / ".build/developers/debug" / (name or product)


# Waits for a program next to which this process is small: Linux counts what the parent had at the fork as the child's.
MEASURE = """
import os, sys
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(process, 0)
with open(sys.argv[1], "w") as file:
    print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10, file=file)
"""


def measured(*command, seconds=DEADLINE):
    """Runs a program and returns its status, its outputs as bytes, its seconds of processor time, and its mebibytes of memory."""
    with tempfile.NamedTemporaryFile("r") as file:
        done = completed("/usr/bin/python3", "-I", "-S", "-c", MEASURE, file.name, *command, seconds=seconds)
        status, used, memory = file.read().split()
    return int(status), done.stdout, done.stderr, float(used), int(memory)


def ffmpeg(*options, seconds=DEADLINE):
    """Runs FFmpeg, which prints nothing unless something is wrong, and replaces files."""
    return run(FFMPEG, "-y", *options, seconds=seconds)


def remux(*words, status=0, seconds=DEADLINE):
    """Runs `apus remux`, which prints nothing unless something is wrong, and replaces files."""
    return completed(APUS, "remux", "--quiet", "--on-exists", "replace", *words, status=status, seconds=seconds)


# Waiting


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    """Returns whether a program listens on a port, without connecting: some servers take one connection and no more."""
    wanted = f"0100007F:{port:04X}"
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1] == wanted and fields[3] == "0A":
            return True
    return False


def until(condition, what, seconds=DEADLINE):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(0.01)
    return found


def lines(log):
    """The whole lines of a file that a program may be writing."""
    text = log.read_text(errors="replace")
    return text[:text.rfind("\n") + 1].splitlines()


def events(log, name=None, /, **fields):
    """The events that a program has written into a file: those of a name, and with these values."""
    found = [json.loads(line) for line in lines(log) if line[:1] == "{"]
    return [event for event in found
            if name in (None, event["event"]) and all(event.get(key) == value for key, value in fields.items())]


def settled(path, seconds=0.5):
    """Waits until a file exists and has not grown for a while."""
    was, since = -1, time.monotonic()
    end = since + DEADLINE
    while was <= 0 or time.monotonic() - since < seconds:
        if time.monotonic() > end:
            raise Failure(f"{path} still grows after {DEADLINE} s")
        size = path.stat().st_size if path.exists() else -1
        if size != was:
            was, since = size, time.monotonic()
        time.sleep(0.01)


@contextlib.contextmanager
def stopped(process):
    """A program that is stopped meanwhile, so that what it was about to do comes later."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def running(*command, port=None, log=None, family=False):
    """A program that runs meanwhile; with a port, one that listens on it. With `family` the processes that it has started
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
