# SPDX-License-Identifier: MIT
"""Pillow with Apus beside Pillow with pillow-heif, in one process: opening and loading a photo, a small picture of it, saving
a HEIC."""

import json
import os
import pathlib
import statistics
import subprocess
import sys

import grids

RUNS = 9
# At most so much of the peer's time with two processors and with one, and of its memory.
LIMITS = {"load": (0.40, 0.70), "thumbnail": (0.1, 0.1), "save": (0.25, 0.25)}
MEMORY = {"load": 0.5}

# Measures either of them, or both in turns. A picture is dropped before the next one is made, as a program would; memory is
# asked for with one of them alone, once for a process.
CHILD = """
import io, json, resource, sys, time
from PIL import Image
job, path, runs, names = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
openers = {}
if "Apus" in names:
    import apus
    openers["Apus"] = apus.register_heif_opener
if "pillow-heif" in names:
    import pillow_heif
    openers["pillow-heif"] = pillow_heif.register_heif_opener

def load():
    with Image.open(path) as picture:
        assert picture.mode == "RGB"
        picture.load()

def thumbnail():
    with Image.open(path) as picture:
        picture.thumbnail((320, 320))
        picture.load()

def save():
    source.save(io.BytesIO(), "HEIF", quality=60)

source = None
if job == "save":
    openers[names[0]]()
    source = Image.open(path).copy()
times = {name: [] for name in names}
for turn in range(runs + 1):
    for name in names:
        openers[name]()
        start = time.perf_counter(), time.process_time()
        globals()[job]()
        if turn or not runs:
            times[name].append((time.perf_counter() - start[0], time.process_time() - start[1]))
peak = [line.split() for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(json.dumps({"times": times, "memory": int(peak[0][1]) / 1024}))
"""


def child(python, root, job, photo, processors, runs, *names):
    """Times and processor times of several runs in one process, and its peak memory in MiB."""
    environment = {**os.environ, "PYTHONPATH": str(root / "Sources/Python"),
                   "APUS_LIBRARY": str(root / ".build/release/libapus-c.so")}
    command = ["taskset", "--cpu-list", ",".join(map(str, processors)), python, "-c", CHILD, job, photo, runs, *names]
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment, check=True)
    return json.loads(done.stdout)


def measure(root, photos):
    python = root / ".build/python/bin/python3"
    photos = [pathlib.Path(photo) for photo in photos] or [
        grids.grid(root / ".build/bench/12-megapixels-thumbnail.heic", 4032, 3024, thumbnail=320)]
    available = sorted(os.sched_getaffinity(0))
    print("| photo | job | processors | pillow-heif | Apus | ratio | at most | processor time | ratio | memory | ratio | at most |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    missed = False
    for number, photo in enumerate(photos, 1):
        for job, limits in LIMITS.items():
            for limit, processors in zip(limits, (available[:2], available[:1])):
                runs = RUNS if job != "save" else 3
                times = child(python, root, job, photo, processors, runs, "pillow-heif", "Apus")["times"]
                (peer, spent), (own, busy) = (map(statistics.median, zip(*times[name])) for name in ("pillow-heif", "Apus"))
                needed, used = (child(python, root, job, photo, processors, 0, name)["memory"] for name in ("pillow-heif", "Apus"))
                most = MEMORY.get(job)
                missed |= own / peer > limit or bool(most and used / needed > most)
                print(f"| {number} | {job} | {len(processors)} | {peer * 1000:.0f} ms | {own * 1000:.0f} ms | {own / peer:.2f} "
                      f"| {limit:.2f} | {busy * 1000:.0f} of {spent * 1000:.0f} ms | {busy / spent:.2f} | {used:.0f} of {needed:.0f} MiB | {used / needed:.2f} | {most or ''} |", flush=True)
    if missed:
        print("an aim was missed", file=sys.stderr)
