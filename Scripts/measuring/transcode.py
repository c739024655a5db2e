# SPDX-License-Identifier: MIT
"""Video coded anew by `apus transcode` and by Debian's ffmpeg with the same settings."""

import pathlib
import subprocess
import sys
import tempfile

import turns

RUNS = 3
LENGTH = 12
LEAST = 1.0
X265 = ["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=error"]
X264 = ["-c:v", "libx264"]


def make(path, codec):
    """Moving pictures with grain and sound."""
    pictures = f"testsrc2=s=1280x720:r=30:d={LENGTH},noise=alls=6:allf=t"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", pictures, "-f", "lavfi", "-i", f"sine=d={LENGTH}:r=48000",
         *codec, "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-c:a", "aac", path], check=True)
    return path


def rows(work):
    hevc, avc = make(work / "hevc.mp4", X265), make(work / "avc.mp4", X264)
    for name, source, codec, options in (
            ("HEVC into HEVC", hevc, "hevc", X265), ("H.264 into HEVC", avc, "hevc", X265),
            ("HEVC into H.264", hevc, "h264", X264)):
        for speed in ("ultrafast", "medium"):
            own = ["--codec", codec, "--speed", speed, "--crf", "26"]
            theirs = [*options, "-preset", speed, "-crf", "26", "-c:a", "copy"]
            yield f"{name}, {speed}", source, own, theirs


def measure(apus):
    missed = []
    print(f"### Transcoding {LENGTH} s of 1280x720 at 30 pictures a second\n\n`Scripts/bench transcode`\n")
    print("| what | apus, s | ffmpeg, s | speed | apus, MiB | ffmpeg, MiB | memory | size |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        for what, source, own, theirs in rows(work):
            outs = work / "own.mp4", work / "theirs.mp4"
            costs = turns.compare({
                "apus": [apus, "transcode", "-q", "--on-exists", "replace", source, "-o", outs[0], *own],
                "ffmpeg": ["ffmpeg", "-nostdin", "-v", "error", "-i", source, *theirs, "-y", outs[1]],
            }, RUNS)
            ours, their = costs["apus"], costs["ffmpeg"]
            speed, memory = their.wall / ours.wall, ours.memory / their.memory
            size = outs[0].stat().st_size / outs[1].stat().st_size
            print(f"| {what} | {ours.wall:.2f} | {their.wall:.2f} | {speed:.2f} | {ours.memory:.0f} |"
                  f" {their.memory:.0f} | {memory:.2f} | {size:.4f} |")
            sys.stdout.flush()
            if speed < LEAST - 0.02:
                missed.append(f"{what}: {speed:.2f} times as fast")
            if memory > 1:
                missed.append(f"{what}: {memory:.2f} times the memory")
    if missed:
        sys.exit("; ".join(missed))
