#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""valgrind.py: runs the test of the library in C (Tests/Library/library.c) on the release build under valgrind, which must find no
read of foreign memory and no leak. Needs valgrind, which no test does."""

import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import FIXTURES, run  # noqa: E402

with tempfile.TemporaryDirectory() as place:
    work = pathlib.Path(place)
    run("bash", "-c", '. "$1"/Scripts/setup; build_release apus-c', "bash", ROOT, seconds=1800)
    # Its tables of lines are more than valgrind reads.
    stripped = work / "libapus.so.0"
    run("strip", "--strip-debug", "-o", stripped, ROOT / ".build/release/libapus-c.so")
    run("cc", "-std=c99", "-g", f"-I{ROOT}/Sources/CApus", ROOT / "Tests/Library/library.c", stripped, f"-Wl,-rpath,{work}",
        "-lpthread", "-o", work / "library")
    run("valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite",
        "--errors-for-leak-kinds=definite", f"--suppressions={ROOT}/Tests/Library/valgrind.supp", work / "library",
        FIXTURES / "photo.heic", work / "library.jpg", work / "library.raw", work / "library.yuv",
        FIXTURES / "grid.heic", work / "joined.heic", seconds=900)
print("valgrind finds nothing")
