# SPDX-License-Identifier: MIT
"""How large the program is, and how long the shortest jobs take, which are starting and little more, beside other programs."""

import pathlib
import statistics
import subprocess
import sys
import tempfile

import grids
import turns

RUNS = 100
GLIBC = (2, 36)


def programs(root):
    """The program as packages for Debian have it, and as the archive and the image do."""
    sys.path.insert(0, str(root / "Scripts/packaging"))
    import link
    work = root / ".build/packaging"
    work.mkdir(exist_ok=True)
    debian = work / "apus.debian"
    subprocess.run(["strip", "--strip-all", "-o", debian, link.shared(work)], check=True)
    return {"apus, as in the archive": link.static(work, GLIBC), "apus, as in the package": debian}


def jobs(root, found, folder):
    """Commands by what they do and whose they are."""
    small, large = root / "Fixtures/photo.heic", grids.grid(
        root / ".build/bench/12-megapixels-thumbnail.heic", 4032, 3024, thumbnail=320)
    jpeg, png = folder / "small.jpg", folder / "small.png"
    words = ["--quiet", "--on-exists", "replace", "-o", jpeg]
    version = {name: [path, "--version"] for name, path in found.items()}
    convert = {name: [path, "convert", small, *words] for name, path in found.items()}
    thumbnail = {name: [path, "thumbnail", large, "-s", 320, *words] for name, path in found.items()}
    return {
        "`--version`": {**version, "heif-convert": ["heif-convert", "--version"], "vips": ["vips", "--version"]},
        "320 × 240 samples to JPEG": {
            **convert, "heif-convert": ["heif-convert", "-q", 90, small, jpeg], "vips": ["vips", "copy", small, f"{jpeg}[Q=90]"]},
        "a thumbnail that the photo has": {
            **thumbnail, "heif-thumbnailer": ["heif-thumbnailer", "-s", 320, large, png],
            "vipsthumbnail": ["vipsthumbnail", large, "-s", "320x320", "-o", f"{jpeg}[Q=90]"]},
    }


def measure(root):
    found = programs(root)
    print("## Size and start\n\n`Scripts/bench start`\n")
    for name, path in found.items():
        print(f"- {name}: {pathlib.Path(path).stat().st_size:,} bytes, stripped")
    with tempfile.TemporaryDirectory() as work:
        for title, commands in jobs(root, found, pathlib.Path(work)).items():
            costs = {name: [] for name in commands}
            for turn in range(RUNS + 1):
                for name, command in commands.items():
                    cost = turns.timed(command)
                    if turn:
                        costs[name].append(cost)
            base = min(cost[1] for cost in costs[next(iter(commands))])
            print(f"\n### {title.capitalize()}\n")
            print("| program | wall, least | median | processor, least | median | it / apus: least processor |")
            print("|---|---|---|---|---|---|")
            for name, times in costs.items():
                walls, processors = (sorted(1e3 * time for time in column) for column in zip(*times))
                cells = [walls[0], statistics.median(walls), processors[0], statistics.median(processors)]
                numbers = " | ".join(f"{cell:.1f}" for cell in cells)
                print(f"| {name} | {numbers} | {processors[0] / base / 1e3:.1f} |")
    print(f"\nMilliseconds, of {RUNS} runs in turns.")
    sys.stdout.flush()
