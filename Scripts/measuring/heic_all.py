# SPDX-License-Identifier: MIT
"""Every photo of a folder into a JPEG of quality 90, beside other programs: one row a photo."""

import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import heic_jpeg
import turns

RUNS = 5
# Smaller files measure how programs start.
SMALLEST = 600_000
PEERS = ("heif-convert", "ffmpeg", "pillow-heif")
# At most this part of the peer's wall time: the median of the photos, and the worst of them.
AIMS = {"heif-convert": (0.22, 0.30), "ffmpeg": (0.32, 0.40), "pillow-heif": (0.25, 0.32)}


def works(command):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode == 0


def pixels(path):
    """The megapixels of a JPEG, by its start of frame."""
    data = path.read_bytes()
    place = 2
    while data[place + 1] not in (0xC0, 0xC1, 0xC2):
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    height, width = (int.from_bytes(data[place + at : place + at + 2], "big") for at in (5, 7))
    return width * height / 1e6


def measure(root, apus, folders):
    peers = heic_jpeg.Peers(apus, root / ".build/python/bin/python3")
    photos = sorted(
        path
        for folder in folders
        for path in pathlib.Path(folder).rglob("*")
        if path.suffix.lower() in (".heic", ".heif", ".hif") and path.stat().st_size >= SMALLEST
    )
    if not photos:
        sys.exit(f"no photo of {SMALLEST} bytes or more is in {', '.join(map(str, folders))}")
    print("## Every photo of a folder into a JPEG\n\n`Scripts/bench heic-all FOLDER`\n")
    print(f"Peers: {'; '.join(peers.versions())}. Quality 90, medians of {RUNS} runs; wall time of apus as a part of theirs.\n")
    print("| photo | MP | apus, wall ms | processor ms | memory, MiB |", " | ".join(PEERS), "|")
    print("|---|---|---|---|---|" + "---|" * len(PEERS))
    ratios = {name: [] for name in PEERS}
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work, "out")

        def clear():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

        for photo in photos:
            commands = {}
            for name, command in peers.commands([photo], folder).items():
                clear()
                if name in ("apus", *PEERS) and works(command):
                    commands[name] = command
                    if name == "apus":
                        size = pixels(folder / "0.jpg")
            if "apus" not in commands:
                print(f"| {photo.stem} | refused |")
                continue
            results = turns.compare(commands, RUNS, clear)
            own = results["apus"]
            cells = []
            for name in PEERS:
                if name not in results:
                    cells.append("fails")
                    continue
                ratio = own.wall / results[name].wall
                ratios[name].append((ratio, photo.stem))
                cells.append(f"{ratio:.2f}")
            print(
                f"| {photo.stem} | {size:.1f} | {own.wall * 1e3:.0f} | {own.processor * 1e3:.0f} | {own.memory:.0f} |",
                " | ".join(cells), "|",
            )  # fmt: skip
            sys.stdout.flush()
    print()
    for name, found in ratios.items():
        median, (worst, photo) = statistics.median(ratio for ratio, _ in found), max(found)
        most = AIMS[name]
        print(
            f"- {name}, {len(found)} photos: median {median:.2f} (aim {most[0]}),"
            f" worst {worst:.2f} (aim {most[1]}), {photo}."
        )
