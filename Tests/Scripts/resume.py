#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Whatever ends `apus transcode`, what it left can be recovered or gone on with, and comes out as if nothing had been."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = str(ROOT / "Scripts/apus")
# Killed itself, not the script that starts it.
APUS = str(ROOT / ".build/release/apus")
FAST = ["--speed", "ultrafast"]
failures = []

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


def run(*command, code=0):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if code is not None and done.returncode != code:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode} {done.stderr.decode()}")
    return done


def check(truth, words):
    if not truth:
        failures.append(words)
        print(f"failed: {words}", file=sys.stderr)


def make(work):
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=9", "-f", "lavfi", "-i", "sine=d=9:r=44100"]
    run("ffmpeg", "-v", "error", *pictures, "-c:v", "libx264", "-bf", "2", "-g", "50", "-c:a", "aac", work / "h264.mp4")
    run("ffmpeg", "-v", "error", "-i", work / "h264.mp4", "-c:v", "copy", "-c:a", "libvorbis", work / "vorbis.mkv")
    run("ffmpeg", "-v", "error", "-i", work / "h264.mp4", "-c:v", "copy", "-c:a", "pcm_s16le", work / "pcm.mov")
    run("ffmpeg", "-v", "error", "-i", work / "h264.mp4", "-vf", "select=not(mod(n\\,7))+not(mod(n\\,3))+lt(mod(n\\,50)\\,20)",
        "-vsync", "vfr", "-c:v", "libx264", "-c:a", "copy", work / "uneven.mkv")


def times(path):
    """When each picture is shown, as a player finds it; nothing in them may be damaged."""
    done = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time",
               "-of", "csv=p=0", path)
    check(not done.stderr, f"{path.name}: {done.stderr.decode()}")
    return [line.rstrip(",") for line in done.stdout.decode().split()]


def sound(path):
    return run("ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "md5", "-").stdout


def psnr(path, other):
    # From their own beginnings: of two inputs that begin before 0, ffmpeg 7.1 shifts one against the other.
    aligned = "[0:v]setpts=PTS-STARTPTS[one];[1:v]setpts=PTS-STARTPTS[other];[one][other]psnr"
    done = run("ffmpeg", "-nostdin", "-i", path, "-i", other, "-lavfi", aligned, "-f", "null", "-")
    text = done.stderr.decode()
    value = text[text.index("average:") + len("average:"):].split()[0]
    return float(value)


def killed(source, out, options, size):
    """Starts a run and kills it once its part has so many bytes; anew from what was there where it was over before that."""
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
    check(process.returncode == -signal.SIGKILL, f"{out}: the run is over before it is killed")
    check(not out.exists(), f"{out}: stands under its name before it is whole")


def left(folder):
    return sorted(name for name in os.listdir(folder) if "part" in name)


def resumed(work, name, source, ending, options, moments):
    folder = work / name.replace(" ", "-")
    folder.mkdir()
    whole, out = folder / f"whole.{ending}", folder / f"out.{ending}"
    run(APUS, "transcode", "--quiet", source, "-o", whole, *FAST, *options)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    for index, moment in enumerate(moments):
        killed(source, out, [*options, *(["--resume"] if index else [])], moment * size)
    done = run(APUS, "transcode", "--json", "--resume", source, "-o", out, *FAST, *options)
    event = json.loads(done.stdout.decode().splitlines()[-1])
    kept = event.get("kept_frames", 0)
    coded = event["coded"][0]["frames"]
    check(left(folder) == [], f"{name}: {left(folder)} is left")
    expected, found = times(whole), times(out)
    check(found == expected, f"{name}: {len(found)} pictures of {len(expected)}, or at other times")
    check(kept + coded == len(expected), f"{name}: {kept} kept and {coded} coded of {len(expected)}")
    check(kept > 0 or moments == [0], f"{name}: nothing was kept")
    check(sound(out) == sound(whole), f"{name}: the sound is another")
    check(psnr(out, whole) > 32, f"{name}: the pictures are others")
    if ending == "mp4" and "h264" not in options:
        run(APUS, "hvcc", "check", out)


def recovered(work, generator):
    """What was left makes a movie without going on, too."""
    folder = work / "recovered"
    folder.mkdir()
    out = folder / "out.mp4"
    killed(work / "h264.mp4", out, ["--gop", "1s"], generator.randrange(100_000, 200_000))
    run(APUS, "remux", "--quiet", "--recover", folder / "out.mp4.part", "-o", out)
    every = times(work / "h264.mp4")
    found = times(out)
    check(30 <= len(found) <= len(every) and found == every[:len(found)], f"recovered: {len(found)} pictures")


def refused(work):
    """Nobody goes on with another job."""
    folder = work / "refused"
    folder.mkdir()
    out = folder / "out.mp4"
    killed(work / "h264.mp4", out, ["--gop", "1s"], 100_000)
    for source, options, words in (("h264.mp4", ["--gop", "1s", "--crf", "20"], "settings.video.crf"),
                                   ("vorbis.mkv", ["--gop", "1s"], "input.bytes"),
                                   ("h264.mp4", ["--gop", "1s", "--format", "mov"], "format")):
        done = run(APUS, "transcode", "--resume", work / source, "-o", out, *FAST, *options, code=1)
        check(words in done.stderr.decode(), f"{options} are refused with: {done.stderr.decode()}")
    os.utime(work / "h264.mp4", (1, 1))
    done = run(APUS, "transcode", "--resume", work / "h264.mp4", "-o", out, *FAST, "--gop", "1s", code=1)
    check("modified" in done.stderr.decode(), f"a changed input is refused with: {done.stderr.decode()}")
    check(left(folder) == ["out.mp4.part", "out.mp4.part.job"], f"what is refused stays: {left(folder)}")
    for options, words in ((["--passes", "2", "--bitrate", "1M"], "--passes"), (["--format", "flv"], "is only for mp4")):
        done = run(APUS, "transcode", "--resume", work / "h264.mp4", "-o", folder / "no.mp4", *options, code=2)
        check(words in done.stderr.decode(), f"{options} cannot go on: {done.stderr.decode()}")


def planted(work):
    """Nobody goes on with what another user may have left: a file of another user, of several names, or behind a link."""
    def given_away(path):
        # Only the superuser can give a file away.
        os.chown(path, 65533, 65533) if os.geteuid() == 0 else os.link(path, f"{path}-2")

    def linked(path):
        path.rename(f"{path}-2")
        path.symlink_to(f"{path}-2")

    for plant in (given_away, linked, lambda path: os.link(path, f"{path}-2")):
        for name in ("out.mp4.part", "out.mp4.part.job"):
            folder = work / "planted"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            out = folder / "out.mp4"
            killed(work / "h264.mp4", out, ["--gop", "1s"], 100_000)
            before = (folder / name).read_bytes()
            plant(folder / name)
            done = run(APUS, "transcode", "--resume", work / "h264.mp4", "-o", out, *FAST, "--gop", "1s", code=1)
            check(f"{name}: it is not a plain file of this user" in done.stderr.decode(), f"{name}: {done.stderr.decode()}")
            check((folder / name).read_bytes() == before and not out.exists(), f"{name} was used")


def salvaged(work):
    """A job that damage ended goes on with --salvage."""
    folder = work / "salvaged"
    folder.mkdir()
    broken, out = folder / "broken.mp4", folder / "out.mp4"
    data = bytearray((work / "h264.mp4").read_bytes())
    start = data.index(b"mdat") + (len(data) - data.index(b"mdat")) * 3 // 4
    data[start:start + 3000] = bytes(3000)
    broken.write_bytes(data)
    run(APUS, "transcode", broken, "-o", out, *FAST, "--gop", "1s", code=1)
    check(left(folder) == ["out.mp4.part", "out.mp4.part.job"], f"damage leaves {left(folder)}")
    done = run(APUS, "transcode", "--json", "--resume", "--salvage", broken, "-o", out, *FAST, "--gop", "1s")
    event = json.loads(done.stdout.decode().splitlines()[-1])
    check(event["kept_frames"] > 60 and event["coded"][0]["damaged"] > 0, f"damage is passed over: {event}")
    check(len(times(out)) > 200, "after damage there are pictures")


def main():
    run(SCRIPT, "--version")
    seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        make(work)
        for name, source, ending, options, moments in RUNS:
            resumed(work, name, work / source, ending, options, moments)
        salvaged(work)
        recovered(work, random.Random(seed))
        refused(work)
        planted(work)
    if failures:
        sys.exit(f"{len(failures)} failures (SEED={seed})")
    print(f"{len(RUNS)} jobs that were killed came out whole")


main()
