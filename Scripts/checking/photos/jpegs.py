# SPDX-License-Identifier: MIT
"""jpegs.py APUS COUNT PHOTO...: so many JPEGs (always the same ones) with one damage of 1 to 40 bytes in the coded data,
for apus, djpeg and ffmpeg. What one of the two reports as damaged is not converted without a warning.

The photos are encoded by cjpeg first: baseline in 4:2:0 and 4:4:4, with restart markers, progressive, gray. Copies that fail
are kept in the folder FOUND, where that is set in the environment.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

KINDS = {
    "4:2:0": ["-sample", "2x2"],
    "4:4:4": ["-sample", "1x1", "-quality", "95"],
    "restart": ["-sample", "2x2", "-restart", "1"],
    "progressive": ["-progressive", "-sample", "2x2"],
    "gray": ["-grayscale", "-optimize"],
}
AT_ONCE = 200


def encoded(photo, words):
    pixels = subprocess.run(["djpeg", photo], capture_output=True, check=True).stdout
    return subprocess.run(["cjpeg", *words], input=pixels, capture_output=True, check=True).stdout


def scan_start(data):
    """Where the coded data of the first scan begin."""
    at = 2
    while data[at + 1] != 0xDA:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")


def damaged(data, chance):
    """A copy in which 1 to 40 bytes are others, missing, 0, added, or differ in one bit."""
    count = chance.randint(1, 40)
    place = chance.randrange(scan_start(data), len(data) - 2 - count)
    end = place + count
    how = chance.randrange(5)
    if how == 0:
        return data[:place] + chance.randbytes(count) + data[end:]
    if how == 1:
        return data[:place] + data[end:]
    if how == 2:
        return data[:place] + bytes(count) + data[end:]
    if how == 3:
        return data[:place] + chance.randbytes(count) + data[place:]
    return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]


def converted(apus, folder):
    """The warnings of the photos in a folder that apus converted, by their names."""
    # Of a folder only photos that are no JPEGs would become PNGs.
    words = [apus, "convert", *sorted(pathlib.Path(folder).iterdir()), "--format", "png", "--json"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"apus ends with {done.returncode}: {done.stderr[-500:]}")
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    return {
        os.path.basename(report["input"]): report.get("warnings", [])
        for report in reports
        if report.get("status") == "converted"
    }


def reported(path):
    """What djpeg and ffmpeg say of a JPEG."""
    djpeg = subprocess.run(["djpeg", "-outfile", os.devnull, path], capture_output=True, text=True, errors="replace")
    words = ["ffmpeg", "-v", "error", "-i", path, "-f", "null", "-"]
    ffmpeg = subprocess.run(words, capture_output=True, text=True, errors="replace")
    return djpeg.stderr.strip() or ffmpeg.stderr.strip()


def check(apus, copies, counts, failures):
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for index, (kind, copy) in enumerate(copies):
            path = pathlib.Path(folder, f"{index}.jpg")
            path.write_bytes(copy)
            paths[path] = kind
        warnings = converted(apus, folder)
        silent = [path for path in paths if warnings.get(path.name) == []]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            said = dict(zip(silent, pool.map(reported, silent)))
        for path, kind in paths.items():
            verdict = "refused" if path.name not in warnings else "warned of" if warnings[path.name] else "silent"
            counts[kind, verdict] += 1
            if said.get(path):
                failures.append(kind)
                print(f"{kind}: {said[path].splitlines()[0]}")
                if "FOUND" in os.environ:
                    pathlib.Path(os.environ["FOUND"], f"jpeg-{len(failures)}.jpg").write_bytes(path.read_bytes())


def main():
    apus, count, *photos = sys.argv[1:]
    start, chance = time.monotonic(), random.Random(1)
    counts, failures = collections.Counter(), []
    whole = {(kind, photo): encoded(photo, words) for photo in photos for kind, words in KINDS.items()}
    with tempfile.TemporaryDirectory() as folder:
        for index, data in enumerate(whole.values()):
            pathlib.Path(folder, f"{index}.jpg").write_bytes(data)
        warnings = converted(apus, folder)
        if any(warnings.get(f"{index}.jpg") != [] for index in range(len(whole))):
            raise SystemExit("a JPEG that is whole is not converted, or warned of")
    names = list(whole)
    chosen = [names[index % len(names)] for index in range(int(count))]
    copies = [(name[0], damaged(whole[name], chance)) for name in chosen]
    for first in range(0, len(copies), AT_ONCE):
        check(apus, copies[first : first + AT_ONCE], counts, failures)
    for key, number in sorted(counts.items()):
        print(f"{number:6} {', '.join(key)}")
    print(f"{len(copies)} damaged JPEGs in {time.monotonic() - start:.0f} s, {len(failures)} silent that others report")
    sys.exit(1 if failures or not copies else 0)


main()
