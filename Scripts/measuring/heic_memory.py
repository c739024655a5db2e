# SPDX-License-Identifier: MIT
"""What a long run of small photos takes in memory, beside a short one."""

import os
import pathlib
import shutil
import statistics
import sys
import tempfile

import turns

SHORT, LONG = 2_000, 20_000
RUNS = 3
MOST = 0.10
PHOTOS = ["still-96x72.heic", "still-64x48.heic", "alpha.heic", "grid.heic"]


def fill(folder, fixtures, count):
    """So many names of photos, of which there are a few."""
    folder.mkdir()
    for index in range(count):
        place = folder / f"photo-{index:05}.heic"
        if index < len(PHOTOS):
            shutil.copy(fixtures / PHOTOS[index], place)
        else:
            os.link(folder / f"photo-{index % len(PHOTOS):05}.heic", place)


def measure(root, apus):
    print("### Memory of long runs\n\n`Scripts/bench heic-memory`\n")
    print(f"Small photos of {len(PHOTOS)} kinds in one folder, each written; the most that any of {RUNS} runs took.\n")
    print(f"| options | {SHORT:,} photos, MiB | {LONG:,} photos, MiB | more | median wall of the long run, s |")
    print("|---|---|---|---|---|")
    missed = []
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        work = pathlib.Path(name)
        for count in (SHORT, LONG):
            fill(work / str(count), root / "Fixtures", count)
        for options in ([], ["--journal", work / "journal"], ["--isolate"]):
            costs = {SHORT: [], LONG: []}
            for _ in range(RUNS):
                for count, runs in costs.items():
                    command = [apus, "convert", "--quiet", "-r", work / str(count), "-o", f"{work}/out/", *options]
                    runs.append(turns.run(command))
                    made = len(os.listdir(work / "out"))
                    if made != count:
                        sys.exit(f"{made} of {count} photos were converted")
                    shutil.rmtree(work / "out")
                    (work / "journal").unlink(missing_ok=True)
            # Which buffers are there at once is chance: of a run that is ten times as long, more is seen.
            short, long = (max(cost.memory for cost in costs[count]) for count in (SHORT, LONG))
            wall = statistics.median(cost.wall for cost in costs[LONG])
            more = long / short - 1
            words = options[0] if options else "none"
            print(f"| {words} | {short:.1f} | {long:.1f} | {more:.1%} | {wall:.0f} |")
            sys.stdout.flush()
            if more >= MOST:
                missed.append(f"{words}: {more:.1%} more")
    if missed:
        sys.exit(f"\nMissed: {'; '.join(missed)}; at most {MOST:.0%}")
