# SPDX-License-Identifier: MIT
"""The disk of apus receive is full for a while: the stream goes on to another server without a break, what was recorded and
presented stays, and both go on when there is room again. A stream that is nothing but recorded ends."""

import re

import pytest

import media
from programs import APUS, FFMPEG, events, finished, run, running, until

pytestmark = pytest.mark.waits
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
    run(FFMPEG, "-xerror", "-i", path, "-f", "null", "-")


@pytest.fixture(scope="module")
def source(work):
    """A movie of 45 seconds."""
    path = work / "source.mp4"
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000",
        "-t", "45", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
        "log-level=none:pools=1:frame-threads=1:keyint=25:min-keyint=25:bframes=2:open-gop=0", "-c:a", "aac", "-y", path,
        seconds=600)
    return path


def test_a_stream_that_others_get_goes_on(folder, disk, source):
    work, disk = folder, disk(MEBIBYTES)
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
        assert finished(receiver) == 1, f"it ends with {receiver.returncode}, though something was not recorded"
        other.terminate()
        finished(other)
    assert len(events(first, "ended")) == 1 and len(events(second, "ended")) == 1, \
        f"the stream was interrupted: {events(first, 'ended')}"
    assert media.hashes(work / "passed/cam.flv") == media.hashes(source), "the other server did not get everything"
    files = sorted(disk.glob("cam-*.mp4"))
    assert files and not any(file.stat().st_size == 0 for file in files), f"recordings without anything are left: {files}"
    for event in events(first, "written"):
        decodes(event["path"])
    text = playlist.read_text()
    assert re.findall(r"^\d+\.m4s$", text, re.M)[: len(before)] == before and text.count("#EXT-X-DISCONTINUITY\n") == 1, \
        f"the presentation does not go on: {text}"
    run(APUS, "hls", "check", disk / "web/cam/index.m3u8")


def test_a_stream_that_is_only_recorded_ends_so_that_its_publisher_notices(folder, disk, source):
    work, disk = folder, disk(MEBIBYTES)
    log = work / "alone.log"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{disk}/alone/", "--json", log=log):
        with running(APUS, "stream", source, f"rtmp://127.0.0.1:{port(log)}/live/cam", "--dialect", "enhanced", "--retry", "0"):
            until(lambda: list(disk.glob("alone/*")), "it is recorded")
            until(lambda: (fill(disk), events(log, "ended"))[1], "the stream is ended")
        assert "No space left" in events(log, "ended")[0]["error"], f"it ended otherwise: {events(log, 'ended')}"
    (disk / "filler").unlink()
