# SPDX-License-Identifier: MIT
"""GStreamer on the other side: it publishes to apus receive and plays from it over RTMP, and gets HEVC from apus stream over
SRT."""

import pathlib

import pytest

import media
from programs import APUS, FFMPEG, events, finished, free_port, run, running, settled, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]
GSTREAMER = ("gst-launch-1.0", "-q", "-e")
# How many of the last pictures it may lose.
MISSING = 5


def test_gstreamer_publishes_and_plays_over_rtmp(folder):
    """What it publishes is recorded; what it plays is that from a key frame on."""
    # Without B-frames, of which its muxer leaves the first ones out.
    source = folder / "avc.mp4"
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=sample_rate=44100", "-t", "8",
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "0", "-g", "25", "-c:a", "aac", "-y", source)
    log, played = folder / "log", folder / "played.flv"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{folder}/", "--json", log=log) as server:
        until(lambda: events(log, "listening"), "it listens")
        url = f"rtmp://127.0.0.1:{events(log, 'listening')[0]['port']}/live/cam"
        publish = [*GSTREAMER, "filesrc", f"location={source}", "!", "qtdemux", "name=d", "d.video_0", "!", "queue", "!",
                   "h264parse", "!", "identity", "sync=true", "!", "flvmux", "streamable=true", "name=m", "!", "rtmp2sink",
                   f"location={url}", "d.audio_0", "!", "queue", "!", "aacparse", "!", "m."]
        with running(*publish) as publisher:
            until(lambda: '"publishing"' in log.read_text(), "GStreamer publishes")
            with running(*GSTREAMER, "rtmp2src", f"location={url}", "!", "filesink", f"location={played}") as player:
                assert not finished(publisher), "GStreamer does not publish to its end"
                finished(player)
        until(lambda: '"written"' in log.read_text(), "the recording is finished")
        server.terminate()
        finished(server)
    wanted = media.hashes(source)[0]
    for path, least in ((folder / "cam.flv", len(wanted) - MISSING), (played, 25)):
        # Where its muxer is late, pictures get the time of the sound.
        found = media.hashes(path, "passthrough")[0]
        # On a machine that is busy GStreamer ends before its last pictures are sent, or read.
        ends = [len(wanted) - missing for missing in range(MISSING + 1)]
        assert len(found) >= least and any(found == wanted[max(end - len(found), 0):end] for end in ends), \
            f"{path.name}: {len(found)} pictures are not the last ones of {len(wanted)}"


def test_gstreamer_gets_hevc_over_srt(folder, sources):
    """HEVC in a transport stream arrives whole."""
    port, arrived = free_port(), folder / "arrived.ts"
    receive = [*GSTREAMER, "srtsrc", f"uri=srt://127.0.0.1:{port}?mode=listener&latency=300", "!", "filesink",
               f"location={arrived}"]
    with running(*receive) as receiver:
        until(lambda: f":{port:04X} " in pathlib.Path("/proc/net/udp").read_text(), "GStreamer listens")
        run(APUS, "stream", sources["8 bit"], f"srt://127.0.0.1:{port}?latency=300", "--quiet")
        settled(arrived)
        receiver.terminate()
        finished(receiver)
    assert media.hashes(arrived)[0] == media.hashes(sources["8 bit"])[0], "other pictures arrive than were sent"
