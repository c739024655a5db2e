# SPDX-License-Identifier: MIT
"""Processor time for one coded picture of photos, on one thread, by each decoder of HEVC."""

import pathlib
import re
import statistics
import subprocess
import tempfile

TURNS = 5


def by_ffmpeg(ffmpeg, stream, *options):
    """Seconds of processor time of FFmpeg's command."""
    made = subprocess.run(
        [ffmpeg, "-loglevel", "info", "-benchmark", "-threads", "1", "-f", "hevc", "-i", stream, *options, "-f", "null",
         "-"],
        check=True, capture_output=True, text=True,
    )
    found = re.search(r"bench: utime=([\d.]+)s stime=([\d.]+)s", made.stderr)
    return float(found[1]) + float(found[2])


def by_bench(bench, photo, *stream):
    """What the program measured, by name; of a decoder milliseconds of processor time for a picture."""
    made = subprocess.run([bench, "decode", photo, *stream], check=True, capture_output=True, text=True)
    return {name: float(value) for name, value, _ in (line.split("\t") for line in made.stdout.splitlines())}


def measure(root, bench, photos):
    photos = [pathlib.Path(photo) for photo in photos] or [root / "Fixtures/photo.heic"]
    ffmpeg = root / "Scripts/making/ffmpeg9"
    print("### HEVC pictures of photos, one thread\n\n`Scripts/bench decode`\n")
    print("Milliseconds of processor time for a picture, median of turns (best). FFmpeg 9 is its command, less what it")
    print("takes to split the stream.\n")
    print("| photo | pictures | intra | libavcodec (Debian) | FFmpeg 9 | libde265 | intra / FFmpeg 9 |")
    print("|---|---|---|---|---|---|---|")
    ratios = []
    for number, photo in enumerate(photos, 1):
        with tempfile.TemporaryDirectory() as folder:
            stream = pathlib.Path(folder, "stream.265")
            count = by_bench(bench, photo, stream)["pictures"]
            # Many copies, for FFmpeg's clock counts in milliseconds and its start costs some.
            coded = stream.read_bytes()
            copies = max(1, 16_000_000 // len(coded))
            stream.write_bytes(coded * copies)
            rounds, runs = [], []
            # In turns, so that a noisy machine is noisy for all.
            for _ in range(TURNS):
                rounds.append(by_bench(bench, photo))
                split = by_ffmpeg(ffmpeg, stream, "-c", "copy")
                runs.append((by_ffmpeg(ffmpeg, stream) - split) * 1000 / (count * copies))
            times = {name: statistics.median(times[name] for times in rounds) for name in rounds[0]}
            times |= {name: min(times[name] for times in rounds) for name in times if name.endswith(", best")}
            times.pop("pictures")
        names = [name for name in times if not name.endswith(", best")]
        cells = [f"{times[name]:.3f} ({times[name + ', best']:.3f})" for name in names]
        nine = statistics.median(runs)
        cells.insert(2, f"{nine:.3f} ({min(runs):.3f})")
        ratios.append(times["intra, best"] / min(runs))
        print(f"| {number} | {count:.0f} | {' | '.join(cells)} | {ratios[-1]:.2f} |")
    print(f"\nThe median of the last column is {statistics.median(ratios):.2f}.")
