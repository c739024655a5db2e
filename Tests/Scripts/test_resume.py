# SPDX-License-Identifier: MIT
"""Whatever ends `apus transcode`, what it left can be recovered or gone on with, and comes out as if nothing had been."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import pytest

import media
from programs import APUS, FFMPEG, completed, ffmpeg

pytestmark = [pytest.mark.waits, pytest.mark.apart]

FAST = ["--speed", "ultrafast"]

# Name, input, ending, options, and at which share of the whole the runs are killed.
RUNS = [
    ("every two seconds", "h264.mp4", "mp4", ["--gop", "2s"], [0.4, 0.6]),
    ("open groups", "h264.mp4", "mp4", ["--x265-params", "keyint=40:bframes=4:b-adapt=2"], [0.5]),
    ("uneven times", "uneven.mkv", "mp4", ["--gop", "40"], [0.5]),
    ("sound coded anew", "vorbis.mkv", "mp4", ["--gop", "2s"], [0.5]),
    ("filters that remember", "h264.mp4", "mp4", ["--fps", "24", "--filter", "hqdn3d", "--gop", "1s"], [0.4]),
    ("a part of it", "h264.mp4", "mp4", ["--from", "0.7", "--to", "7.9", "--gop", "1s"], [0.4]),
    ("H.264", "h264.mp4", "mp4", ["--codec", "h264", "--gop", "50"], [0.5]),
    ("moments of sound", "pcm.mov", "mov", ["--gop", "1s"], [0.5]),
    ("segments", "h264.mp4", "m3u8", ["--segment-duration", "1"], [0.3, 0.6]),
    ("before anything is there", "h264.mp4", "mp4", ["--gop", "2s"], [0]),
]


def make(folder):
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=9", "-f", "lavfi", "-i", "sine=d=9:r=44100"]
    ffmpeg(*pictures, "-c:v", "libx264", "-bf", "2", "-g", "50", "-c:a", "aac", folder / "h264.mp4")
    ffmpeg("-i", folder / "h264.mp4", "-c:v", "copy", "-c:a", "libvorbis", folder / "vorbis.mkv")
    ffmpeg("-i", folder / "h264.mp4", "-c:v", "copy", "-c:a", "pcm_s16le", folder / "pcm.mov")
    ffmpeg("-i", folder / "h264.mp4", "-vf", "select=not(mod(n\\,7))+not(mod(n\\,3))+lt(mod(n\\,50)\\,20)",
           "-fps_mode", "vfr", "-c:v", "libx264", "-c:a", "copy", folder / "uneven.mkv")


@pytest.fixture(scope="session")
def movies(shared):
    """The folder of the movies."""
    return shared("resume", make)


@pytest.fixture
def movie(movies):
    return movies / "h264.mp4"


def times(path):
    """When each picture is shown, as a player finds it; nothing in them may be damaged."""
    done = completed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time",
               "-of", "csv=p=0", path)
    assert not done.stderr, f"{path.name}: {done.stderr.decode()}"
    return [line.rstrip(",") for line in done.stdout.decode().split()]


def sound(path):
    return completed(FFMPEG, "-i", path, "-map", "0:a", "-f", "md5", "-").stdout


def psnr(path, other):
    # From their own beginnings: of two inputs that begin before 0, FFmpeg 7.1 shifts one against the other.
    return media.psnr(path, other, "[0:v]setpts=PTS-STARTPTS[one];[1:v]setpts=PTS-STARTPTS[other];[one][other]psnr")


def killed(source, out, options, size):
    """Starts a run and kills it once its part has so many bytes; starts over if the run was finished before that."""
    part, before = out.with_name(out.name + ".part"), out.parent.with_name(out.parent.name + "-before")
    shutil.copytree(out.parent, before)
    for _ in range(20):
        process = subprocess.Popen([APUS, "transcode", "--quiet", source, "-o", out, *FAST, *options], stdin=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None and not (part.exists() and part.stat().st_size >= size):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            break
        shutil.rmtree(out.parent)
        shutil.copytree(before, out.parent)
    shutil.rmtree(before)
    assert process.returncode == -signal.SIGKILL, f"{out}: the run is over before it is killed"
    assert not out.exists(), f"{out}: stands under its name before it is whole"


def left(folder):
    return sorted(name for name in os.listdir(folder) if "part" in name)


@pytest.mark.parametrize("name, source, ending, options, moments", RUNS, ids=[row[0] for row in RUNS])
def test_a_killed_job_is_resumed_as_if_nothing_had_happened(movies, folder, name, source, ending, options, moments):
    source, folder = movies / source, folder / "job"
    folder.mkdir()
    whole, out = folder / f"whole.{ending}", folder / f"out.{ending}"
    completed(APUS, "transcode", "--quiet", source, "-o", whole, *FAST, *options)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    for index, moment in enumerate(moments):
        killed(source, out, [*options, *(["--resume"] if index else [])], moment * size)
    done = completed(APUS, "transcode", "--json", "--resume", source, "-o", out, *FAST, *options)
    event = json.loads(done.stdout.decode().splitlines()[-1])
    kept = event.get("kept_frames", 0)
    coded = event["coded"][0]["frames"]
    assert left(folder) == [], f"{name}: {left(folder)} is left"
    expected, found = times(whole), times(out)
    assert found == expected, f"{name}: {len(found)} pictures of {len(expected)}, or at other times"
    assert kept + coded == len(expected), f"{name}: {kept} kept and {coded} coded of {len(expected)}"
    assert kept > 0 or moments == [0], f"{name}: nothing was kept"
    assert sound(out) == sound(whole), f"{name}: the sound is another"
    assert psnr(out, whole) > 32, f"{name}: the pictures are others"
    if ending == "mp4" and "h264" not in options:
        completed(APUS, "hvcc", "check", out)


def test_what_was_left_makes_a_movie_without_being_resumed(movie, folder):
    folder = folder / "job"
    folder.mkdir()
    out = folder / "out.mp4"
    size = random.Random(int(os.environ.get("SEED", random.randrange(1 << 32)))).randrange(100_000, 200_000)
    killed(movie, out, ["--gop", "1s"], size)
    completed(APUS, "remux", "--quiet", "--recover", folder / "out.mp4.part", "-o", out)
    every, found = times(movie), times(out)
    # A picture is coded before up to three that are shown before it; those may not have been written yet.
    whole = every.index(found[-1]) - 3
    assert whole >= 30 and found[:whole] == every[:whole], f"{len(found)} pictures, killed after {size} bytes"
    assert found == [time for time in every if time in found], f"other times, killed after {size} bytes"


def test_another_job_is_not_resumed(movies, folder):
    source = folder / "h264.mp4"
    shutil.copy2(movies / "h264.mp4", source)
    folder = folder / "job"
    folder.mkdir()
    out = folder / "out.mp4"
    killed(source, out, ["--gop", "1s"], 100_000)
    for other, options, words in ((source, ["--gop", "1s", "--crf", "20"], "settings.video.crf"),
                                  (movies / "vorbis.mkv", ["--gop", "1s"], "input.bytes"),
                                  (source, ["--gop", "1s", "--format", "mov"], "format")):
        done = completed(APUS, "transcode", "--resume", other, "-o", out, *FAST, *options, status=1)
        assert words in done.stderr.decode(), f"{options} are refused with: {done.stderr.decode()}"
    os.utime(source, (1, 1))
    done = completed(APUS, "transcode", "--resume", source, "-o", out, *FAST, "--gop", "1s", status=1)
    assert "modified" in done.stderr.decode(), f"a changed input is refused with: {done.stderr.decode()}"
    assert left(folder) == ["out.mp4.part", "out.mp4.part.job"], f"what is refused stays: {left(folder)}"


@pytest.mark.parametrize("options, words", [
    (["--passes", "2", "--bitrate", "1M"], "--passes"), (["--format", "flv"], "is only for mp4"),
])
def test_a_job_that_cannot_be_resumed_is_refused(movie, folder, options, words):
    done = completed(APUS, "transcode", "--resume", movie, "-o", folder / "no.mp4", *options, status=2)
    assert words in done.stderr.decode()


def given_away(path):
    # Only the superuser can give a file away.
    os.chown(path, 65533, 65533) if os.geteuid() == 0 else os.link(path, f"{path}-2")


def linked(path):
    path.rename(f"{path}-2")
    path.symlink_to(f"{path}-2")


def named_twice(path):
    os.link(path, f"{path}-2")


@pytest.mark.parametrize("name", ["out.mp4.part", "out.mp4.part.job"])
@pytest.mark.parametrize("plant", [given_away, linked, named_twice])
def test_what_another_user_may_have_left_is_not_used(movie, folder, plant, name):
    """A file of another user, of several names, or behind a link."""
    folder = folder / "job"
    folder.mkdir()
    out = folder / "out.mp4"
    killed(movie, out, ["--gop", "1s"], 100_000)
    before = (folder / name).read_bytes()
    plant(folder / name)
    done = completed(APUS, "transcode", "--resume", movie, "-o", out, *FAST, "--gop", "1s", status=1)
    assert f"{name}: it is not a plain file of this user" in done.stderr.decode()
    assert (folder / name).read_bytes() == before and not out.exists(), f"{name} was used"


def test_a_job_that_damage_ended_is_resumed_with_salvage(movie, folder):
    broken, out = folder / "broken.mp4", folder / "out.mp4"
    data = bytearray(movie.read_bytes())
    start = data.index(b"mdat") + (len(data) - data.index(b"mdat")) * 3 // 4
    data[start:start + 3000] = bytes(3000)
    broken.write_bytes(data)
    completed(APUS, "transcode", broken, "-o", out, *FAST, "--gop", "1s", status=1)
    assert left(folder) == ["out.mp4.part", "out.mp4.part.job"], f"damage leaves {left(folder)}"
    done = completed(APUS, "transcode", "--json", "--resume", "--salvage", broken, "-o", out, *FAST, "--gop", "1s")
    event = json.loads(done.stdout.decode().splitlines()[-1])
    assert event["kept_frames"] > 60 and event["coded"][0]["damaged"] > 0, f"damage is passed over: {event}"
    assert len(times(out)) > 200, "after damage there are pictures"
