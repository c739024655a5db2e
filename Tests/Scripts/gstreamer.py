#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""GStreamer on the other side: it publishes to apus receive and plays from it over RTMP, and gets HEVC from apus stream over
SRT."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import media  # noqa: E402
from programs import (  # noqa: E402
    APUS, FFMPEG, Failure, events, finished, free_port, run, running, settled, trials, until,
)

GSTREAMER = ("gst-launch-1.0", "-q", "-e")
# How many of the last pictures it may lose.
MISSING = 5


def over_rtmp(work, sources):
    """What it publishes is recorded; what it plays is that from a key frame on."""
    log, played = work / "log", work / "played.flv"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{work}/", "--json", log=log) as server:
        until(lambda: events(log, "listening"), "it listens")
        url = f"rtmp://127.0.0.1:{events(log, 'listening')[0]['port']}/live/cam"
        publish = [*GSTREAMER, "filesrc", f"location={sources['avc']}", "!", "qtdemux", "name=d", "d.video_0", "!", "queue", "!",
                   "h264parse", "!", "identity", "sync=true", "!", "flvmux", "streamable=true", "name=m", "!", "rtmp2sink",
                   f"location={url}", "d.audio_0", "!", "queue", "!", "aacparse", "!", "m."]
        with running(*publish) as publisher:
            until(lambda: '"publishing"' in log.read_text(), "GStreamer publishes")
            with running(*GSTREAMER, "rtmp2src", f"location={url}", "!", "filesink", f"location={played}") as player:
                if finished(publisher):
                    raise Failure("GStreamer does not publish to its end")
                finished(player)
        until(lambda: '"written"' in log.read_text(), "the recording is finished")
        server.terminate()
        finished(server)
    wanted = media.hashes(sources["avc"])[0]
    for path, least in ((work / "cam.flv", len(wanted) - MISSING), (played, 25)):
        found = media.hashes(path)[0]
        # On a machine that is busy GStreamer ends before its last pictures are sent, or read.
        ends = [len(wanted) - missing for missing in range(MISSING + 1)]
        if len(found) < least or not any(found == wanted[max(end - len(found), 0):end] for end in ends):
            raise Failure(f"{path.name}: {len(found)} pictures are not the last ones of {len(wanted)}")


def over_srt(work, sources):
    """HEVC in a transport stream arrives whole."""
    port, arrived = free_port(), work / "arrived.ts"
    receive = [*GSTREAMER, "srtsrc", f"uri=srt://127.0.0.1:{port}?mode=listener&latency=300", "!", "filesink",
               f"location={arrived}"]
    with running(*receive) as receiver:
        until(lambda: f":{port:04X} " in pathlib.Path("/proc/net/udp").read_text(), "GStreamer listens")
        run(APUS, "stream", sources["hevc"], f"srt://127.0.0.1:{port}?latency=300", "--quiet")
        settled(arrived)
        receiver.terminate()
        finished(receiver)
    if media.hashes(arrived)[0] != media.hashes(sources["hevc"])[0]:
        raise Failure("other pictures arrive than were sent")


def main():
    script = '. "$1"/Scripts/setup; need_packages run test'
    subprocess.run(["bash", "-c", script, "gstreamer", ROOT], stdin=subprocess.DEVNULL, check=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sources = {"avc": folder / "avc.mp4", "hevc": media.make(folder)["8 bit"]}
        # Without B-frames, of which its muxer leaves the first ones out.
        run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=sample_rate=44100", "-t", "8",
            "-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "0", "-g", "25", "-c:a", "aac", "-y", sources["avc"])
        return trials((over_rtmp, over_srt), folder, sources)


sys.exit(main())
