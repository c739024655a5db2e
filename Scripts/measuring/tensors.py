# SPDX-License-Identifier: MIT
"""Tensors of PyTorch from photos: an array of Apus by DLPack, and torchcodec's decoder, in one process."""

import json
import os
import pathlib
import statistics
import subprocess

import grids

RUNS = 9

CHILD = """
import json, sys, time
import apus, torch
from torchcodec.decoders import decode_image
path, runs = sys.argv[1], int(sys.argv[2])

def own():
    pixels = apus.open(path).to_numpy("RGB")
    tensor = torch.from_dlpack(pixels)
    assert tensor.data_ptr() == pixels.ctypes.data, "the samples were copied"
    return tensor.permute(2, 0, 1)

def peer():
    return decode_image(path)

jobs = {"Apus": own, "torchcodec": peer}
one, other = own(), peer()
assert one.shape == other.shape and one.dtype == other.dtype
difference = (one.int() - other.int()).abs().float().mean().item()
del one, other
times = {name: [] for name in jobs}
for _ in range(runs):
    for name, job in jobs.items():
        start = time.perf_counter(), time.process_time()
        job()
        times[name].append((time.perf_counter() - start[0], time.process_time() - start[1]))
print(json.dumps({"times": times, "difference": difference}))
"""


def installed(place):
    """Returns a Python with torch and torchcodec, which are too large for the environment of the other benchmarks."""
    python = place / "bin/python3"
    if not python.exists():
        subprocess.run(["/usr/bin/python3", "-m", "venv", place], check=True, stdin=subprocess.DEVNULL)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "numpy", "torch", "torchcodec"],
                   check=True, stdin=subprocess.DEVNULL)
    return python


def measure(root, photos):
    python = installed(root / ".build/tensors")
    photos = [pathlib.Path(photo) for photo in photos] or [
        grids.grid(root / ".build/bench/12-megapixels-thumbnail.heic", 4032, 3024, thumbnail=320)]
    available = sorted(os.sched_getaffinity(0))
    environment = {**os.environ, "PYTHONPATH": str(root / "Sources/Python"),
                   "APUS_LIBRARY": str(root / ".build/release/libapus-c.so")}
    print("| photo | processors | torchcodec | Apus | ratio | ratio of processor time | mean difference of samples |")
    print("|---|---|---|---|---|---|---|")
    for number, photo in enumerate(photos, 1):
        for processors in (available[:2], available[:1]):
            done = subprocess.run(["taskset", "--cpu-list", ",".join(map(str, processors)), python, "-c", CHILD, photo, str(RUNS)],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment, check=True)
            found = json.loads(done.stdout)
            own, peer = found["times"]["Apus"], found["times"]["torchcodec"]
            wall, busy = (statistics.median(one[part] / other[part] for one, other in zip(own, peer)) for part in (0, 1))
            print(f"| {number} | {len(processors)} | {statistics.median(time for time, _ in peer) * 1000:.0f} ms "
                  f"| {statistics.median(time for time, _ in own) * 1000:.0f} ms | {wall:.2f} | {busy:.2f} "
                  f"| {found['difference']:.2f} |", flush=True)
