# SPDX-License-Identifier: MIT
"""photos APUS FOLDER...: what `apus convert`, `extract` and `thumbnail` make of every photo in the folders.

Photos below a folder with `malformed` or `hostile` in its name are broken, below one with `other-codec` they are of other
codecs, all others are good.
"""

import collections
import concurrent.futures
import os
import pathlib
import sys
import tempfile
import time

import broken
import foreign
import hidden
import likeness
import planes
import tags
from job import Failure

SUFFIXES = {".heic", ".heif", ".hif", ".heics", ".heifs", ".avci", ".avif"}
GOOD = [likeness, planes, tags, hidden]


def checks(path):
    folders = " ".join(part.name for part in path.resolve().parents)
    if "malformed" in folders or "hostile" in folders:
        return [broken]
    if "other-codec" in folders:
        return [foreign]
    return GOOD if path.suffix.lower() in SUFFIXES else []


def one(apus, path):
    """(check, whether it holds, what it says) for each check of a photo."""
    results = []
    for check in checks(path):
        with tempfile.TemporaryDirectory() as work:
            try:
                said = check.check(apus, path, pathlib.Path(work))
                results.append((check.__name__, True, said))
            except Failure as failure:
                results.append((check.__name__, False, str(failure)))
    return path, results


def main():
    apus, *folders = sys.argv[1:]
    files = [
        file
        for folder in folders
        for file in sorted(pathlib.Path(folder).rglob("*"))
        if file.is_file() and file.stat().st_size and checks(file)
    ]
    start = time.monotonic()
    failures, counts = [], collections.Counter()
    workers = min(2, len(os.sched_getaffinity(0)))
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        # The largest first, so that nobody waits for one of them in the end.
        files.sort(key=lambda file: -file.stat().st_size)
        for path, results in pool.map(one, [apus] * len(files), files):
            for check, holds, said in results:
                counts[check, said.partition(":")[0].partition(",")[0] if holds else "FAILS"] += 1
                if not holds:
                    failures.append(f"{path}: {check}: {said}")
                elif os.environ.get("VERBOSE"):
                    print(f"{path}: {check}: {said}")
    for failure in sorted(failures):
        print(failure)
    for (check, said), count in sorted(counts.items()):
        print(f"{check:9} {count:4} {said}")
    print(f"{len(files)} photos in {time.monotonic() - start:.0f} s, {len(failures)} failures")
    sys.exit(1 if failures or not files else 0)


main()
