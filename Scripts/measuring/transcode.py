# SPDX-License-Identifier: MIT
"""Video coded anew by `apus transcode` and by Debian's ffmpeg with the same settings."""

import pathlib
import re
import subprocess
import sys
import tempfile

import turns

RUNS = 3
LENGTH = 12
LEAST = 1.0
# In dB, and as a share of the video's bytes.
MOST_QUALITY, MOST_SIZE = 0.05, 0.01
X265 = ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=error"]
X264 = ["-c:v", "libx264"]


def make(path, codec, length):
    """Moving pictures with grain and sound."""
    pictures = f"testsrc2=s=1280x720:r=30:d={length},noise=alls=6:allf=t"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", pictures, "-f", "lavfi", "-i", f"sine=d={length}:r=48000",
         *codec, "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-c:a", "aac", path], check=True)
    return path


def quality(path, source):
    """Mean PSNR in dB, and the bytes of the pictures."""
    done = subprocess.run(
        ["ffmpeg", "-nostdin", "-i", path, "-i", source, "-lavfi", "[0:v][1:v]psnr", "-f", "null", "-"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    sizes = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0", path],
        stdout=subprocess.PIPE, check=True).stdout.split()
    return float(re.search(rb"average:([0-9.]+)", done.stderr).group(1)), sum(int(size.rstrip(b",")) for size in sizes)


def rows(work, length):
    hevc, avc = make(work / "hevc.mp4", X265, length), make(work / "avc.mp4", X264, length)
    for name, source, codec, options in (
            ("HEVC into HEVC", hevc, "hevc", X265), ("H.264 into HEVC", avc, "hevc", X265),
            ("HEVC into H.264", hevc, "h264", X264)):
        for speed in ("ultrafast", "medium"):
            own = ["--codec", codec, "--speed", speed, "--crf", "26"]
            theirs = [*options, "-preset", speed, "-crf", "26", "-c:a", "copy"]
            yield f"{name}, {speed}", source, own, theirs


def measure(apus, length=LENGTH, runs=RUNS):
    missed = []
    print(f"### Transcoding {length} s of 1280x720 at 30 pictures a second\n\n`Scripts/bench transcode`\n")
    print("| what | apus, s | ffmpeg, s | speed | apus, MiB | ffmpeg, MiB | memory | PSNR, dB | size |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        for what, source, own, theirs in rows(work, length):
            outs = work / "own.mp4", work / "theirs.mp4"
            costs = turns.compare({
                "apus": [apus, "transcode", "--quiet", "--on-exists", "replace", source, "-o", outs[0], *own],
                "ffmpeg": ["ffmpeg", "-nostdin", "-v", "error", "-i", source, *theirs, "-y", outs[1]],
            }, runs)
            ours, their = costs["apus"], costs["ffmpeg"]
            speed, memory = their.wall / ours.wall, ours.memory / their.memory
            (own_quality, own_size), (their_quality, their_size) = (quality(out, source) for out in outs)
            decibels, size = own_quality - their_quality, own_size / their_size
            print(f"| {what} | {ours.wall:.2f} | {their.wall:.2f} | {speed:.2f} | {ours.memory:.0f} |"
                  f" {their.memory:.0f} | {memory:.2f} | {decibels:+.3f} | {size:.4f} |")
            sys.stdout.flush()
            if speed < LEAST - 0.02:
                missed.append(f"{what}: {speed:.2f} times as fast")
            if memory > 1:
                missed.append(f"{what}: {memory:.2f} times the memory")
            if abs(decibels) > MOST_QUALITY or abs(size - 1) > MOST_SIZE:
                missed.append(f"{what}: {decibels:+.3f} dB with {size:.4f} of the size")
    if missed:
        sys.exit("; ".join(missed))
