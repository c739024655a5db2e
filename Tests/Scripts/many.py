#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of a million tiny boxes come back byte for byte, in time; beyond the limit a finding says so."""

import filecmp
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
APUS = os.environ.get("APUS", str(ROOT / "Scripts/apus"))
SECONDS = 300
EMPTY = b"\0\0\0\x08free"


def run(*arguments):
    return subprocess.run(
        [APUS, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        check=True, timeout=SECONDS,
    ).stdout  # fmt: skip


def parent(body):
    return (8 + len(body)).to_bytes(4, "big") + b"moov" + body


# (what it is, its bytes, how many boxes are allowed where that is not the default, whether that is too few)
ROWS = [
    ("side by side", EMPTY * 999_000, None, False),
    ("each in a parent of its own", parent(EMPTY) * 499_000, None, False),
    ("beyond the limit in one parent", parent(EMPTY * 1_000_001), None, True),
    ("within a limit that was raised", EMPTY * 1_000_001, 1_100_000, False),
    ("beyond a limit that was lowered", EMPTY * 1_000, 999, True),
]

with tempfile.TemporaryDirectory() as work:
    source, target = pathlib.Path(work, "in.mp4"), pathlib.Path(work, "out.mp4")
    for name, data, limit, is_limited in ROWS:
        source.write_bytes(data)
        options = [] if limit is None else ["--limit", f"boxes={limit}"]
        run("edit", str(source), "-o", str(target), "--on-exists", "replace", *options)
        assert filecmp.cmp(source, target, shallow=False), f"{name}: other bytes"
        # The findings follow the tree.
        listing = run("inspect", "--depth", "1", *options, str(source))
        assert (b"limit" in listing[-1000:]) == is_limited, f"{name}: {listing[-1000:]}"
print(f"{len(ROWS)} files of many boxes")
