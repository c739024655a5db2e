#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The disk of apus receive is full for a while: the stream goes on to another server without a break, what was recorded and
presented stays, and both go on when there is room again. A stream that is nothing but recorded ends."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import media  # noqa: E402
from programs import APUS, FFMPEG, Failure, events, finished, run, running, until  # noqa: E402

MEBIBYTES = 4


def port(log):
    until(lambda: events(log, "listening"), "it listens")
    return events(log, "listening")[0]["port"]


def fill(disk):
    """Takes all room of the disk, also that which is given back meanwhile, until the file is removed."""
    filler = disk / "filler"
    with open(filler, "ab", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return filler


def decodes(path):
    run(FFMPEG, "-v", "error", "-xerror", "-i", path, "-f", "null", "-")


def wanted(work, disk, source):
    """A stream that others get goes on."""
    second, first = work / "second.log", work / "first.log"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{work}/passed/", "--json", log=second) as other, \
            running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{disk}/{{key}}-{{n}}.mp4", "--segment-time", "3",
                    "--hls", disk / "web", "--hls-time", "2", "--forward",
                    f"rtmp://127.0.0.1:{port(second)}/live/{{key}} dialect=enhanced", "--json", log=first) as receiver:
        with running(APUS, "stream", source, f"rtmp://127.0.0.1:{port(first)}/live/cam", "--dialect", "enhanced") as publisher:
            playlist = disk / "web/cam/video-1/index.m3u8"
            until(lambda: events(first, "written") and playlist.exists(), "a part and a presentation are there")
            before = re.findall(r"^\d+\.m4s$", playlist.read_text(), re.M)
            filler = fill(disk)
            until(lambda: (fill(disk), events(first, "failed") and events(first, "unpresented"))[1], "the disk is full")
            filler.unlink()
            until(lambda: events(first, "presented"), "it is presented again")
            until(lambda: events(first, "part")[-1]["at"] > events(first, "failed")[-1]["at"], "it is recorded again")
            finished(publisher)
        until(lambda: events(second, "written"), "the other server is done")
        receiver.terminate()
        if finished(receiver) != 1:
            raise Failure(f"it ends with {receiver.returncode}, though something was not recorded")
        other.terminate()
        finished(other)
    if len(events(first, "ended")) != 1 or len(events(second, "ended")) != 1:
        raise Failure(f"the stream was interrupted: {events(first, 'ended')}")
    if media.hashes(work / "passed/cam.flv") != media.hashes(source):
        raise Failure("the other server did not get everything")
    files = sorted(disk.glob("cam-*.mp4"))
    if not files or any(file.stat().st_size == 0 for file in files):
        raise Failure(f"recordings without anything are left: {files}")
    for event in events(first, "written"):
        decodes(event["path"])
    text = playlist.read_text()
    if not re.findall(r"^\d+\.m4s$", text, re.M)[: len(before)] == before or text.count("#EXT-X-DISCONTINUITY\n") != 1:
        raise Failure(f"the presentation does not go on: {text}")
    found = subprocess.run([str(APUS), "hls", "check", str(disk / "web/cam/index.m3u8")], capture_output=True, text=True,
                           stdin=subprocess.DEVNULL)
    if found.returncode:
        raise Failure(f"the presentation is not right: {found.stdout}{found.stderr}")


def alone(work, disk, source):
    """A stream that is nothing but recorded ends, so that its publisher notices."""
    log = work / "alone.log"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{disk}/alone/", "--json", log=log):
        with running(APUS, "stream", source, f"rtmp://127.0.0.1:{port(log)}/live/cam", "--dialect", "enhanced", "--retry", "0"):
            until(lambda: list(disk.glob("alone/*")), "it is recorded")
            until(lambda: (fill(disk), events(log, "ended"))[1], "the stream is ended")
        if "No space left" not in events(log, "ended")[0]["error"]:
            raise Failure(f"it ended otherwise: {events(log, 'ended')}")
    (disk / "filler").unlink()


def main():
    if sys.argv[1:] != ["inside"]:
        # The disk is gone with the process.
        done = subprocess.run(["unshare", "--mount", sys.executable, __file__, "inside"])
        sys.exit(done.returncode)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        work = pathlib.Path(folder)
        source = work / "source.mp4"
        run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000",
            "-t", "45", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
            "log-level=none:pools=1:frame-threads=1:keyint=25:min-keyint=25:bframes=2:open-gop=0", "-c:a", "aac", "-y", source,
            seconds=600)
        for check in (wanted, alone):
            disk = work / check.__name__
            disk.mkdir()
            run("mount", "-t", "tmpfs", "-o", f"size={MEBIBYTES}m", "tmpfs", disk)
            check(work, disk, source)
            run("umount", disk)
    print("what a disk that is full for a while does to a stream: as it should be")


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main()
