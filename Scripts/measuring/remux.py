# SPDX-License-Identifier: MIT
"""A large movie put into another, beside FFmpeg's copy and the disk's."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import turns

RUNS = 5
SMALL, LARGE = 200 << 20, 2 << 30
MOST = 1.10
FLOOR = 1.5


def make(work, size):
    """HEVC of about 100 Mbit/s with sound, the same seconds over and over."""
    clip = work / "clip.mp4"
    if not clip.exists():
        noise = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "1280x720", "-r", "50", "-t", "1", "-i", "/dev/urandom"]
        subprocess.run(
            ["ffmpeg", "-v", "error", *noise, "-f", "lavfi", "-i", "sine=d=1:r=48000", "-c:v",
             "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-b:v", "100M", "-x265-params",
             "log-level=error:keyint=50:bframes=2", "-c:a", "aac", clip], check=True)
    movie = work / f"{size >> 20}.mp4"
    loops = max(1, size // clip.stat().st_size)
    subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", str(loops), "-i", clip, "-c", "copy", movie], check=True)
    return movie


def make_sound(work):
    """An hour of small pictures with sound that is not compressed, of which each sample is four bytes."""
    clip, movie = work / "small.mp4", work / "sound.mov"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=10", "-c:v", "libx265", "-preset",
         "ultrafast", "-tag:v", "hvc1", "-x265-params", "log-level=error:keyint=50", clip], check=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-stream_loop", "359", "-i", clip, "-f", "s16le", "-ar", "48000", "-ac", "2", "-t",
         "3600", "-i", "/dev/zero", "-c:v", "copy", "-c:a", "pcm_s16le", "-t", "3600", movie], check=True)
    return movie


def commands(apus, ffmpeg9, movie, out):
    copy = ["-i", movie, "-map", "0", "-c", "copy", "-y", out]
    return {
        "apus remux": [apus, "remux", "--quiet", "--on-exists", "replace", movie, "-o", out],
        "ffmpeg -c copy, Debian's": ["ffmpeg", "-nostdin", "-v", "error", *copy],
        "ffmpeg -c copy, FFmpeg 9": [ffmpeg9, *copy],
        "ffmpeg -c copy -movflags faststart": [
            "ffmpeg", "-nostdin", "-v", "error", *copy[:-2], "-movflags", "faststart", "-y", out],
        "cp": ["cp", movie, out],
    }


def make_small(work):
    """Five hours of two tracks whose samples have some hundred bytes to two thousand, in turns."""
    clip, movie = work / "clip.mp4", work / "small.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=10", "-f", "lavfi", "-i",
         "sine=d=10:r=48000", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
         "log-level=error:keyint=50", "-c:a", "aac", clip], check=True)
    subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", "1799", "-i", clip, "-c", "copy", movie], check=True)
    return movie


def measure_small(apus, ffmpeg9):
    """Files whose samples are many rather than large, in memory where that can be."""
    for title, make, kind in (("An hour of sound without compression, MOV into MOV", make_sound, "mov"),
                              ("Five hours of small samples of two tracks, MP4 into MP4", make_small, "mp4")):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as name:
            work = pathlib.Path(name)
            movie, out = make(work), work / f"out.{kind}"
            chosen = commands(apus, ffmpeg9, movie, out)
            chosen = {program: chosen[program] for program in list(chosen)[:3]}
            costs = turns.compare(chosen, RUNS, before=lambda: out.unlink(missing_ok=True))
            print(f"### {title}, {movie.stat().st_size / 1e6:.0f} MB\n\n`Scripts/bench remux`\n")
            print("| program | wall, s | ratio to apus | processor, s | peak memory, MiB |\n|---|---|---|---|---|")
            own = costs["apus remux"]
            for program, cost in costs.items():
                print(f"| {program} | {cost.wall:.2f} | {cost.wall / own.wall:.2f} | {cost.processor:.2f} |"
                      f" {cost.memory:.1f} |")
            print()


def measure(root, apus):
    missed = []
    ffmpeg9 = root / "Scripts/making/ffmpeg9"
    subprocess.run([ffmpeg9, "-version"], check=True, stdout=subprocess.DEVNULL)
    places = {"a disk, and until it has everything": None}
    if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 3 * LARGE:
        places = {"memory": "/dev/shm", **places}
    for place, folder in places.items():
        with tempfile.TemporaryDirectory(dir=folder) as name:
            work = pathlib.Path(name)
            movie = make(work, LARGE)
            out = work / "out.mp4"
            chosen = commands(apus, ffmpeg9, movie, out)
            if folder is None:
                # `apus` says that it is done when the disk has the file; the others are asked to.
                chosen |= {
                    name: ["sh", "-c", '"$@" && sync "$0"', out, *command]
                    for name, command in chosen.items() if name != "apus remux"
                }
            costs = turns.compare(chosen, RUNS, before=lambda: out.unlink(missing_ok=True))
            size = movie.stat().st_size
            print(f"### MP4 into MP4, {size / 1e9:.2f} GB, on {place}\n\n`Scripts/bench remux`\n")
            print("| program | wall, s | ratio to apus | GB/s | processor, s | peak memory, MiB |")
            print("|---|---|---|---|---|---|")
            own = costs["apus remux"]
            for program, cost in costs.items():
                print(f"| {program} | {cost.wall:.2f} | {cost.wall / own.wall:.2f} | {size / cost.wall / 1e9:.2f} |"
                      f" {cost.processor:.2f} | {cost.memory:.1f} |")
            least = min(cost.wall for program, cost in costs.items() if program.startswith("ffmpeg"))
            if least / own.wall < FLOOR and own.wall > 1.1 * costs["cp"].wall:
                missed.append(f"on {place} {least / own.wall:.2f} times as fast, below {FLOOR} and the disk's limit")
            small = make(work, SMALL)
            little = turns.run(commands(apus, ffmpeg9, small, out)["apus remux"])
            more = own.memory / little.memory
            print(f"\nPeak memory with {small.stat().st_size / 1e9:.2f} GB is {little.memory:.1f} MiB.\n")
            if more > MOST:
                missed.append(f"memory grows {more:.2f} times with the file")
            sys.stdout.flush()
    measure_small(apus, ffmpeg9)
    if missed:
        sys.exit("; ".join(missed))
