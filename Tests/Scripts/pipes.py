#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is no regular file: devices are refused, pipes are bounded, and one signal ends a wait for them."""

import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, Failure, finished, run, until  # noqa: E402

FIXTURES = ROOT / "Fixtures"
BINARY = ROOT / ".build/release/apus"
READERS = [["inspect"], ["info"], ["hvcc", "check"], ["hvcc", "show"], ["flv", "show"], ["flv", "check"],
           ["convert", "-o", "OUT.jpg"], ["thumbnail", "-o", "OUT.jpg"], ["extract", "--list"],
           ["extract", "--track", "1", "-o", "OUT.mp4"], ["remux", "-o", "OUT.mp4"], ["transcode", "-o", "OUT.mp4"],
           ["edit", "-o", "OUT.mp4"], ["hvcc", "fix", "-o", "OUT.mp4"], ["flv", "convert", "-o", "OUT.flv"]]


def refused(work, words, name, reason, **options):
    done = subprocess.run([APUS, *words, name], cwd=work, capture_output=True, text=True, timeout=240, check=False,
                          **{"stdin": subprocess.DEVNULL, **options})
    if done.returncode != 1 or reason not in done.stderr:
        raise Failure(f"{' '.join(words)} {name}: status {done.returncode}, {done.stderr.strip()}")


def check_devices(work):
    for words in READERS:
        refused(work, words, "/dev/zero", "character device")
        refused(work, words, ".", "")
    with open("/dev/zero", "rb") as zero:
        refused(work, ["inspect"], "-", "character device", stdin=zero)
    if os.listdir(work):
        raise Failure(f"outputs of devices: {os.listdir(work)}")


def check_descriptors(work):
    """Names of descriptors are what these lead to."""
    photo = (FIXTURES / "photo.heic").read_bytes()
    for name in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-"):
        for source in ("pipe", "file"):
            with open(FIXTURES / "photo.heic", "rb") as file:
                given = {"input": photo} if source == "pipe" else {"stdin": file}
                done = subprocess.run([APUS, "info", name], capture_output=True, timeout=240, check=False, **given)
            if done.returncode or b"kind" not in done.stdout:
                raise Failure(f"info {name} from a {source}: {done.returncode}, {done.stderr}")
    run(APUS, "remux", FIXTURES / "hvc1.mp4", "-o", "/dev/null", "--format", "fmp4")


def check_streams(work):
    """A file that is read through standard input, or that standard output adds to, is never written over."""
    movie, flv = FIXTURES / "hvc1.mp4", FIXTURES / "legacy.flv"
    jobs = [
        (movie, ["remux", "-", "-o", "own.mp4"]), (movie, ["remux", "-", "-o", "own.flv"]),
        (movie, ["edit", "-", "-o", "own.mp4", "--remove", "moov/udta"]),
        (movie, ["hvcc", "fix", "-", "-o", "own.mp4", "--entry", "hev1"]), (movie, ["transcode", "-", "-o", "own.mp4"]),
        (flv, ["flv", "convert", "-", "-o", "own.flv", "--dialect", "enhanced"]),
        (FIXTURES / "photo.heic", ["convert", "-", "-o", "own.jpg"]),
    ]
    for source, words in jobs:
        own = work / words[words.index("-o") + 1]
        shutil.copy(source, own)
        with open(own, "rb") as file:
            refused(work, [*words, "--on-exists"], "replace", "never overwritten", stdin=file)
        if own.read_bytes() != source.read_bytes():
            raise Failure(f"{' '.join(words)} wrote over what it read")
        own.unlink()
    for source, words in [(movie, ["remux", "--format", "fmp4", "-o", "-"]), (flv, ["flv", "convert", "--dialect", "enhanced", "-o", "-"]),
                          (movie, ["edit", "--remove", "moov/udta", "-o", "-"]), (FIXTURES / "photo.heic", ["convert", "-o", "-"])]:
        own = work / "own"
        shutil.copy(source, own)
        with open(own, "ab") as file:
            done = subprocess.run([APUS, *words, own], stdout=file, stderr=subprocess.PIPE, text=True, timeout=240, check=False)
        if done.returncode != 1 or "never overwritten" not in done.stderr or own.read_bytes() != source.read_bytes():
            raise Failure(f"{' '.join(words)} >> its input: status {done.returncode}, {done.stderr.strip()}")
        own.unlink()


def check_bound(work):
    """More than the limit is refused, and little of what a pipe holds is in memory."""
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    for size, limit, status in ((1 << 20, 1 << 30, 1), (3 << 20, 2 << 20, 1)):
        done = subprocess.run([APUS, "inspect", "-", "--limit", f"pipe={limit}"], input=bytes(size),
                              capture_output=True, timeout=240, check=False)
        said = b"the limit pipe" in done.stderr
        if done.returncode != status or said != (size > limit):
            raise Failure(f"{size} bytes with a limit of {limit}: {done.returncode}, {done.stderr}")
    photo = (FIXTURES / "photo.heic").read_bytes()
    for words in (["convert", "-o", "OUT.jpg"], ["convert", "-o", "OUT.heic"], ["convert", "--dry-run", "-v"], ["convert", "--dry-run"],
                  ["convert", "-o", "OUT.jpg", "--isolate"], ["thumbnail", "-o", "OUT.jpg"],
                  ["thumbnail", "-o", "OUT.jpg", "--dry-run"], ["extract", "--list"],
                  ["extract", "--role", "exif", "-o", "OUT.exif"], ["edit", "-o", "OUT.heic"]):
        for name in ("-", "/dev/stdin"):
            refused(work, [*words, "--limit", "pipe=1000"], name, "the limit pipe", stdin=None, input=photo.decode("latin-1"),
                    encoding="latin-1")
    shutil.copy(FIXTURES / "hvc1.mp4", work / "movie.mp4")
    refused(work, ["edit", "--insert", "moov=-", "-o", "OUT.mp4", "--limit", "pipe=1000"], "movie.mp4", "the limit pipe",
            stdin=None, input="x" * 2000)
    if os.listdir(work) != ["movie.mp4"]:
        raise Failure(f"outputs of more than the limit: {os.listdir(work)}")
    # A movie whose media data are large, in a process that may not hold them twice.
    movie = (FIXTURES / "hvc1.mp4").read_bytes()
    with subprocess.Popen([BINARY, "info", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          preexec_fn=limited) as process:
        process.stdin.write(movie + (1_500_000_008).to_bytes(4, "big") + b"free")
        for _ in range(1500):
            process.stdin.write(bytes(1_000_000))
        process.stdin.close()
        output = process.stdout.read()
        if process.wait() or b'"tracks"' not in output:
            raise Failure(f"1.5 GB through a pipe: {process.returncode}")


def check_signals(work):
    """One signal ends a verb that waits for a pipe: 143 and 130, as shells say of programs that a signal ended."""
    # Who starts this in the background may have it ignored, and what ignores it is not ended by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.mkfifo(work / "fifo")
    shutil.copy(FIXTURES / "photo.heic", work / "x.heic")
    verbs = [["convert", "fifo", "-o", "o.jpg"], ["convert", "-", "-o", "o.jpg"], ["transcode", "fifo", "-o", "o.mp4"],
             ["transcode", "-", "-o", "o.mp4"], ["thumbnail", "fifo", "-o", "o.jpg"], ["info", "fifo"],
             ["remux", "fifo", "-o", "o.mp4"], ["inspect", "-"], ["convert", "x.heic", "-o", "fifo"],
             ["convert", "--files-from", "-", "-o", "out/"]]
    for words in verbs:
        for kind, status in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            process = subprocess.Popen([BINARY, *words], cwd=work, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            sleeping = lambda: pathlib.Path(f"/proc/{process.pid}/stat").read_text().split()[2] == "S"
            # Asleep at several looks one after the other: it waits.
            looks = [0]

            def idle():
                looks[0] = looks[0] + 1 if sleeping() else 0
                return looks[0] > 20
            until(idle, f"{' '.join(words)} waits")
            process.send_signal(kind)
            try:
                code = finished(process, 10)
            except Failure as failure:
                raise Failure(f"{' '.join(words)} after {kind.name}: {failure}") from None
            process.stdin.close()
            if code not in (status, -kind):
                raise Failure(f"{' '.join(words)} ended by {kind.name}: {code}")
    if sorted(os.listdir(work)) not in (["fifo", "x.heic"], ["fifo", "out", "x.heic"]):
        raise Failure(f"outputs of what was ended: {os.listdir(work)}")


def check_playlists(work):
    """A pipe that a playlist names is no segment."""
    run(APUS, "remux", FIXTURES / "hvc1.mp4", "-o", work / "p.m3u8")
    segment = work / "p/video-1/1.m4s"
    segment.unlink()
    os.mkfifo(segment)
    refused(work, ["remux", "-o", "o.mp4"], "p.m3u8", "no regular file")


def check_neighbours(work):
    """A pipe that nobody named is waited for by nobody, and one that would have to be read twice is refused."""
    shutil.copy(FIXTURES / "photo.heic", work / "x.heic")
    os.mkfifo(work / "x.mov")
    run(APUS, "convert", work / "x.heic", "--live", "keep", "-o", work / "o.jpg")
    run(APUS, "convert", "-r", work, "--live", "keep", "-o", f"{work}/out/")
    refused(work, ["export", "-o", "exported"], "x.mov", "not a regular file")
    said = run(APUS, "export", "--dry-run", work / "x.mov", "-o", work / "exported")
    if not said.startswith("refuse ") or (work / "exported").exists():
        raise Failure("a pipe was exported")


checks = [check_devices, check_descriptors, check_streams, check_bound, check_signals, check_playlists, check_neighbours]
for check in checks:
    with tempfile.TemporaryDirectory() as place:
        check(pathlib.Path(place))
print("devices are refused, pipes are bounded, signals end waits")
