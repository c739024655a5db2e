# SPDX-License-Identifier: MIT
"""What apus receive presents over HTTP while it comes is what was published: to apus hls check and FFmpeg meanwhile, to
FFmpeg and Chromium afterwards; also after the publisher was killed and came again."""

import json
import re

import pytest

import browser
import captions
import media
from once import once
from programs import APUS, FFMPEG, completed, events, finished, run, running, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
SOURCES = {
    "hevc": ["-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
             "log-level=none:pools=1:frame-threads=1:keyint=25:min-keyint=25:bframes=2:open-gop=0"],
    "avc": ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-sc_threshold", "0"],
}


def make(folder):
    for name, codec in SOURCES.items():
        run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i",
            "sine=frequency=440:sample_rate=48000", "-t", "12", *codec, "-pix_fmt", "yuv420p", "-c:a", "aac", "-y",
            folder / f"{name}.mp4")


@pytest.fixture(scope="session")
def movies(shared):
    """The folder of the movies that are published."""
    return shared("livehls", make)


hashes = once(media.hashes)


class Receiver:
    def __init__(self, work, *words):
        self.work, self.words, self.log = work, words, work / "receive.log"

    def __enter__(self):
        self.work.mkdir(exist_ok=True)
        command = [APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{self.work}/out/", "--hls", self.work / "web",
                   "--hls-time", "2", *self.words, "--json"]
        self.context = running(*command, log=self.log)
        self.process = self.context.__enter__()
        until(lambda: self.events("listening"), "it listens")
        self.url = f"rtmp://127.0.0.1:{self.events('listening')[0]['port']}/live/cam"
        self.index = self.work / "web/cam/index.m3u8"
        return self

    def __exit__(self, *failure):
        self.context.__exit__(*failure)

    def events(self, name):
        return events(self.log, name)

    def playlist(self, name="video-1"):
        path = self.work / f"web/cam/{name}/index.m3u8"
        return path.read_text() if path.exists() else ""

    def segments(self, name="video-1"):
        return re.findall(r"^\d+\.m4s$", self.playlist(name), re.M)

    def end(self):
        self.process.terminate()
        assert finished(self.process) == 0 and not self.events("unpresented"), \
            f"it ends with {self.process.returncode}: {self.log.read_text()[-400:]}"


def check(index):
    """Expects that `apus hls check` finds nothing."""
    done = completed(APUS, "hls", "check", index, "--json", status=None, text=True)
    assert done.returncode in (0, 1), f"the check says {done.stderr}"
    found = json.loads(done.stdout)
    assert not found, f"the check finds {found}"


def sound_and_pictures(index, source, start=0):
    """What a presentation decodes to is what the source does."""
    expected = hashes(source)
    found = media.hashes(index)
    for what, one, other in zip(("pictures", "packets of sound"), found, expected):
        assert one in (other[start:], other), \
            f"{len(one)} {what} of {len(other)}, {len(set(one) & set(other))} of them the same"


@pytest.mark.parametrize("name", ["hevc", "avc"])
def test_all_of_a_stream_is_in_its_presentation_which_is_checked_and_played_meanwhile(folder, movies, name):
    """HEVC from apus, and H.264 from FFmpeg 5.1."""
    source = movies / f"{name}.mp4"
    with Receiver(folder) as job:
        publish = ([APUS, "stream", source, job.url, "--dialect", "enhanced"] if name == "hevc" else
                   [*OLD_FFMPEG, "-re", "-i", source, "-c", "copy", "-f", "flv", job.url])
        with running(*publish) as publisher:
            until(lambda: len(job.segments()) >= 2, "two segments are there")
            check(job.index)
            played = run(FFMPEG, "-xerror", "-live_start_index", "0", "-i", job.index, "-t", "2", "-f", "null", "-")
            assert not played.strip(), f"FFmpeg says while it comes: {played}"
            assert "ENDLIST" not in job.playlist() and "EXT-X-PROGRAM-DATE-TIME" in job.playlist(), \
                f"while it comes the playlist is {job.playlist()}"
            finished(publisher)
        until(lambda: job.events("written"), "the recording is finished")
        job.end()
        assert "ENDLIST" in job.playlist() and "ENDLIST" in job.playlist("audio-1"), "the presentation has no end"
        check(job.index)
        sound_and_pictures(job.index, source)
        # Both tracks in Chromium, segment by segment (HEVC needs hardware there).
        if name == "avc":
            tracks = []
            text = job.index.read_text()
            codecs = re.search(r'CODECS="([^"]+)"', text)[1].split(",")
            for folder, kind, codec in (("video-1", "video", codecs[0]), ("audio-1", "audio", codecs[1])):
                names = re.findall(r'URI="([^"]+)"', job.playlist(folder))[:1] + job.segments(folder)
                tracks.append({"type": f'{kind}/mp4; codecs="{codec}"',
                               "parts": [[f"{folder}/{part}", 0, 0] for part in names]})
            report = browser.play(job.index.parent, tracks)
            assert not report["corrupted"] and abs(report["duration"] - 12) <= 0.3, report
            assert all(len(ranges) == 1 for ranges in report["buffered"]), report


def is_even(job):
    """Whether both playlists name the same segments, which are counted on from the sequence that they say."""
    texts = [job.playlist(name) for name in ("video-1", "audio-1")]
    names = [re.findall(r"^(\d+)\.m4s$", text, re.M) for text in texts]
    heads = [re.findall(r"-SEQUENCE:(\d+)", text) for text in texts]
    if [len(head) for head in heads] != [2, 2]:
        return False
    wanted = [str(int(heads[0][0]) + place) for place in range(len(names[0]))]
    return heads[0] == heads[1] and heads[0][1] == "1" and names == [wanted, wanted] and "EXT-X-DISCONTINUITY\n" not in texts[0]


def test_a_publisher_that_returns_with_another_codec_goes_on_after_a_discontinuity(folder, movies):
    """Old segments leave the playlist, and later the disk."""
    source = movies / "hevc.mp4"
    with Receiver(folder, "--hls-window", "10") as job:
        def codecs():
            return sorted(codec[:4] for codec in re.search(r'CODECS="([^"]+)"', job.index.read_text())[1].split(","))

        publish = [APUS, "stream", source, job.url, "--dialect", "enhanced", "--loop"]
        other = [*OLD_FFMPEG, "-re", "-stream_loop", "-1", "-i", source.with_name("avc.mp4"), "-c", "copy", "-f", "flv", job.url]
        with running(*other) as first:
            until(lambda: len(job.segments()) >= 3, "three segments are there")
            first.kill()
            first.wait()
        until(lambda: job.events("ended"), "the stream is over")
        before = job.segments()
        assert "ENDLIST" not in job.playlist(), "a stream that may come again has an end"
        with running(*publish):
            until(lambda: "EXT-X-DISCONTINUITY\n" in job.playlist(), "it goes on after a discontinuity")
            until(lambda: codecs() == ["avc1", "hvc1", "mp4a"], "the codecs of both streams are named")
            check(job.index)
            until(lambda: "EXT-X-DISCONTINUITY-SEQUENCE:1" in job.playlist(), "the discontinuity leaves the playlist")
            until(lambda: is_even(job), "the playlists say the same")
            until(lambda: codecs() == ["hvc1", "mp4a"], "the codec that has left is not named any more")
            check(job.index)
            track = job.work / "web/cam/video-1"
            until(lambda: not (track / before[0]).exists(), "what has left the playlist leaves the disk")
            assert all((track / name).exists() for name in job.segments()), "a segment is missing"
            # A playlist is hidden while it is written.
            until(lambda: not list(track.glob(".*")), "nothing hidden stays")
        job.end()
        run(FFMPEG, "-xerror", "-i", job.index, "-f", "null", "-")


def test_the_captions_of_a_stream_are_declared_once_they_have_come(folder):
    movie = captions.make(folder, "hevc", ["LIVE WORDS"])
    with Receiver(folder / "receiver") as receiver:
        run(APUS, "stream", "--quiet", movie, receiver.url)
        until(lambda: receiver.index.exists() and 'INSTREAM-ID="CC1"' in receiver.index.read_text(), "captions are declared")
        receiver.end()
        check(receiver.index)
