# SPDX-License-Identifier: MIT
"""Pillow with Apus beside Pillow with pillow-heif: opening and loading a photo, a small picture of it, saving a HEIC."""

import json
import os
import pathlib
import statistics
import subprocess
import sys

import grids

RUNS = 7
TURNS = 3
# At most so much of the peer's time with two processors and with one, and of its memory.
LIMITS = {"load": (0.40, 0.70, 0.5), "thumbnail": (0.1, 0.1, None), "save": (0.25, 0.25, None)}

CHILD = """
import io, json, resource, sys, time
from PIL import Image
name, job, path, runs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
if name == "apus":
    import apus
    apus.register_heif_opener()
else:
    import pillow_heif
    pillow_heif.register_heif_opener()

def load():
    return Image.open(path).convert("RGB")

def thumbnail():
    picture = Image.open(path)
    picture.thumbnail((320, 320))
    picture.load()

def save():
    source.save(io.BytesIO(), "HEIF", quality=60)

source = load() if job == "save" else None
times = []
for _ in range(runs + 1):
    start = time.perf_counter()
    globals()[job]()
    times.append(time.perf_counter() - start)
print(json.dumps({"times": times[1:], "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def child(python, root, name, job, photo, processors):
    """Times of several runs in one process, and its peak memory in MiB."""
    environment = {**os.environ, "PYTHONPATH": str(root / "Sources/Python"),
                   "APUS_LIBRARY": str(root / ".build/release/libapus-c.so")}
    command = ["taskset", "--cpu-list", ",".join(map(str, processors)), python, "-c", CHILD, name, job, photo, RUNS]
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment, check=True)
    return json.loads(done.stdout)


def measure(root, photos):
    python = root / ".build/python/bin/python3"
    photos = [pathlib.Path(photo) for photo in photos] or [
        grids.grid(root / ".build/bench/12-megapixels-thumbnail.heic", 4032, 3024, thumbnail=320)]
    available = sorted(os.sched_getaffinity(0))
    print("| photo | job | processors | pillow-heif | Apus | ratio | aim | memory |")
    print("|---|---|---|---|---|---|---|---|")
    missed = False
    for photo in photos:
        for job, limits in LIMITS.items():
            for limit, processors in zip(limits, (available[:2], available[:1])):
                results = {"apus": [], "pillow-heif": []}
                memory = dict.fromkeys(results, 0)
                for _ in range(TURNS):
                    for name in results:
                        found = child(python, root, name, job, photo, processors)
                        results[name] += found["times"]
                        memory[name] = max(memory[name], found["memory"])
                peer, own = (statistics.median(results[name]) for name in ("pillow-heif", "apus"))
                missed |= own / peer > limit
                print(f"| {photo.name} | {job} | {len(processors)} | {peer * 1000:.0f} ms | {own * 1000:.0f} ms | {own / peer:.2f} "
                      f"| {limit:.2f} | {memory['apus']:.0f} of {memory['pillow-heif']:.0f} MiB |", flush=True)
    if missed:
        print("an aim was missed", file=sys.stderr)
