#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Whatever ends a run that writes a movie, `apus remux --recover` makes a movie of what it left."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = str(ROOT / "Scripts/apus")
# Killed itself, not the script that starts it.
APUS = str(ROOT / ".build/release/apus")

MOMENTS = 10
SECONDS = 40


def run(*command, code=0):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if code is not None and done.returncode != code:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode} {done.stderr.decode()}")
    return done


def packets(file):
    """The sums of the packets of each stream."""
    text = run("ffprobe", "-v", "error", "-show_data_hash", "md5", "-show_packets", "-of", "json", file).stdout
    found = {}
    for packet in json.loads(text)["packets"]:
        found.setdefault(packet["stream_index"], []).append(packet["data_hash"])
    return found


def decodes(file):
    """Whether FFmpeg finds nothing wrong."""
    text = run("ffmpeg", "-v", "error", "-xerror", "-i", file, "-f", "null", "-").stderr.decode()
    if text.strip():
        sys.exit(f"{file}: {text}")


def check_prefix(name, whole, found):
    """How many packets there are, all of which must be the first of their stream."""
    for stream, sums in found.items():
        if whole[stream][:len(sums)] != sums:
            sys.exit(f"{name}: the packets of stream {stream} are not the first ones")
    return sum(map(len, found.values()))


def killed(work, stream, whole, moment, generator):
    """Kills a run while it is fed, or while it finishes; says how many packets came back."""
    folder = work / f"killed-{moment}"
    folder.mkdir()
    out = folder / "out.mp4"
    data = stream.read_bytes()
    process = subprocess.Popen([APUS, "remux", "--quiet", "-", "-o", str(out)], stdin=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    ends = moment % 3 == 2
    fed = len(data) if ends else generator.randrange(1000, len(data))
    process.stdin.write(data[:fed])
    process.stdin.flush()
    if ends:
        process.stdin.close()
        # A moment of the few milliseconds that finishing takes, not a wait for anything.
        time.sleep(generator.random() * 0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    if not ends:
        process.stdin.close()
    left = sorted(os.listdir(folder))
    if "out.mp4" in left:
        if check_prefix("the final name", whole, packets(out)) != sum(map(len, whole.values())):
            sys.exit("what stands under the final name is not whole")
        return sum(map(len, whole.values()))
    if not left:
        return 0
    if left != ["out.mp4.part"]:
        sys.exit(f"{left} is left")
    done = run(APUS, "remux", "--recover", folder / "out.mp4.part", "-o", out, code=None)
    if done.returncode:
        if out.exists():
            sys.exit("what cannot be recovered has a file")
        return 0
    decodes(out)
    return check_prefix("what was recovered", whole, packets(out))


def check_cut(work, source, whole, ending):
    """What is cut anywhere gives back all packets that are there, and says that something is lost."""
    data = source.read_bytes()
    counts = []
    for tenth in (3, 6, 9):
        cut = work / f"cut.{ending}"
        cut.write_bytes(data[:len(data) * tenth // 10])
        out = work / "cut.out.mp4"
        done = run(APUS, "remux", "--recover", "--on-exists", "replace", cut, "-o", out)
        if not any(word in done.stderr.decode() for word in ("lost", "left out")):
            sys.exit(f"{source.name}: nothing is said of what is lost: {done.stderr.decode()}")
        decodes(out)
        counts.append(check_prefix(f"{source.name} cut", whole, packets(out)))
    total = sum(map(len, whole.values()))
    # Streams are cut where their bytes are, so about as many packets as bytes come back.
    if counts != sorted(counts) or not 0 < counts[0] or not counts[-1] > total / 2 or counts[-1] > total:
        sys.exit(f"{source.name}: {counts} of {total} packets came back")


def main():
    run(SCRIPT, "--version")
    seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        movie = work / "movie.mp4"
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s=320x180:r=25:d={SECONDS}", "-f", "lavfi", "-i",
            f"sine=d={SECONDS}:r=48000", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
            "log-level=error:keyint=25:bframes=3", "-c:a", "aac", movie)
        stream = work / "stream.flv"
        run(APUS, "remux", "--quiet", movie, "-o", stream)
        plain = work / "plain.mp4"
        run(APUS, "remux", "--quiet", stream, "-o", plain)
        whole = packets(plain)
        counts = [killed(work, stream, whole, moment, generator) for moment in range(MOMENTS)]
        if sum(count > 0 for count in counts) < MOMENTS // 2:
            sys.exit(f"{counts} packets came back (SEED={seed})")

        fragments = work / "fragments.mp4"
        run("ffmpeg", "-v", "error", "-i", movie, "-c", "copy", "-movflags", "frag_keyframe+empty_moov", fragments)
        check_cut(work, fragments, packets(fragments), "mp4")
        first = work / "first.mp4"
        run("ffmpeg", "-v", "error", "-i", movie, "-c", "copy", "-movflags", "faststart", first)
        check_cut(work, first, packets(first), "mp4")
        check_cut(work, stream, whole, "flv")
        bare = work / "bare.hevc"
        run(APUS, "remux", "--quiet", movie, "-o", bare)
        timed = work / "timed.mp4"
        run(APUS, "remux", "--quiet", bare, "-o", timed)
        check_cut(work, bare, packets(timed), "hevc")
    print(f"after {MOMENTS} kills {counts} packets of {sum(map(len, whole.values()))} came back, whole")


main()
