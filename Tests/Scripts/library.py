#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library for other languages does what its header says, in C and in C++, under the address sanitizer, makes the bytes
and the samples of the command, and has the functions and the structures that programs are compiled with already.

library.py valgrind: the same test of the release build under valgrind."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, Failure, run  # noqa: E402

PHOTO = ROOT / "Fixtures/photo.heic"
HEADER = ROOT / "Sources/CApus/apus.h"
# What programs may be linked to, for good: nothing goes from there.
SYMBOLS = ROOT / "Scripts/packaging/debian/libapus0.symbols"
# What programs may be compiled with, for good.
LAYOUT = ROOT / "Tests/Library/layout.c"
LIBRARY = ROOT / ".build/debug/libapus-c.so"
SANITIZED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def build(source, target, *flags):
    run("cc" if source.suffix == ".c" else "c++", *flags, *WARNINGS, f"-I{HEADER.parent}", source, LIBRARY,
        f"-Wl,-rpath,{LIBRARY.parent}", "-lpthread", "-o", target)


def exported():
    """The names that programs are linked to are those of the header."""
    declared = set(re.findall(r"^\w[^;()]*?\b(apus_\w+)\(", HEADER.read_text(), re.M))
    promised = set(re.findall(r"^ (apus_\w+)@APUS_0 ", SYMBOLS.read_text(), re.M))
    if declared != promised:
        raise Failure(f"{SYMBOLS.name} lacks {sorted(declared - promised)}; the header lacks {sorted(promised - declared)}, "
                      "which programs may call")
    listed = run("nm", "-D", "--defined-only", LIBRARY)
    found = set(re.findall(r" T (apus_\w+)$", listed, re.M))
    # The rest of what the debugging build exports is Swift's.
    missing = declared - found
    if missing or len(declared) < 20:
        raise Failure(f"the library lacks {sorted(missing)} of {len(declared)} functions")


# Changes of the header that programs which were compiled with it before would not survive.
BREAKING = {
    "a function that is gone": ("apus_bytes *apus_photo_xmp(apus_photo *photo, apus_error **error);", ""),
    "a function of another type": ("int apus_error_kind(", "long apus_error_kind("),
    "fields in another order": ("uint32_t width, height;", "uint32_t height, width;"),
    "a smaller structure": ("  const void *icc;\n  size_t icc_count;\n", "  const void *icc;\n"),
    "a field of another type": ("const char *options;", "char *options;"),
    "a callback of another type": ("int (*progress)(void *context, double fraction);",
                                   "int (*progress)(void *context, float fraction);"),
    "another number": ("APUS_NATIVE = 0,", "APUS_NATIVE = 1,"),
}


def lasting(work):
    """What layout.c holds is all of the header, and it does not compile with what would break programs."""
    header, layout = HEADER.read_text(), LAYOUT.read_text()
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    functions = set(re.findall(r"^\w[^;()]*?\b(apus_\w+)\(", code, re.M))
    held = set(re.findall(r"=\s*(apus_\w+);", layout))
    if functions != held:
        raise Failure(f"{LAYOUT.name} lacks the functions {sorted(functions ^ held)}")
    structures = re.findall(r"typedef struct apus_\w+ \{(.*?)\} (apus_\w+);", code, re.S)
    fields = {(name, field) for body, name in structures for field in re.findall(r"(\w+)(?:\)\([^;]*)?(?=[,;])", body)}
    held = set(re.findall(r"^FIELD\((\w+), (\w+), ", layout, re.M))
    if fields != held or len(structures) < 5:
        raise Failure(f"{LAYOUT.name} lacks the fields {sorted(fields ^ held)}")
    numbers = re.findall(r"\b(APUS_(?!H\b)\w+)", code)
    if missing := set(numbers) - set(re.findall(r"(APUS_\w+) ==", layout)):
        raise Failure(f"{LAYOUT.name} lacks the numbers {sorted(missing)}")
    for what, (now, then) in BREAKING.items():
        if header.count(now) != 1:
            raise Failure(f"{what}: the header does not have {now!r} once")
        (work / "apus.h").write_text(header.replace(now, then))
        if subprocess.run(["cc", "-std=c11", "-fsyntax-only", *WARNINGS, f"-I{work}", LAYOUT], capture_output=True).returncode == 0:
            raise Failure(f"{LAYOUT.name} compiles with {what}")
    (work / "apus.h").unlink()


def shown(work):
    """What the sample of C in README.md writes."""
    (sample,) = re.findall(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    (work / "shown.c").write_text(f'#include "apus.h"\n#include <stdio.h>\nint main(void) {{\n{sample}return 0;\n}}\n')
    build(work / "shown.c", work / "shown", "-std=c99")
    return subprocess.run([work / "shown"], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout


def by_valgrind(work):
    """The test reads nothing that is not its own, and leaves nothing behind."""
    run("bash", "-c", '. "$1"/Scripts/setup; build_release apus-c', "bash", ROOT, seconds=1800)
    # Its tables of lines are more than valgrind reads.
    stripped = work / "libapus.so.0"
    run("strip", "--strip-debug", "-o", stripped, ROOT / ".build/release/libapus-c.so")
    run("cc", "-std=c99", "-g", f"-I{HEADER.parent}", ROOT / "Tests/Library/library.c", stripped, f"-Wl,-rpath,{work}",
        "-lpthread", "-o", work / "library")
    run("valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite",
        "--errors-for-leak-kinds=definite", f"--suppressions={ROOT}/Tests/Library/valgrind.supp", work / "library", PHOTO,
        work / "library.jpg", work / "library.raw", work / "library.yuv",
        seconds=900)
    print("valgrind finds nothing")


with tempfile.TemporaryDirectory() as place:
    if "valgrind" in sys.argv:
        by_valgrind(pathlib.Path(place))
        sys.exit()
    work = pathlib.Path(place)
    if not LIBRARY.exists():
        run("swift", "build", "--package-path", ROOT, "--product", "apus-c")
    exported()
    build(ROOT / "Tests/Library/header.cpp", work / "header", "-std=c++11")
    run(work / "header")
    lasting(work)
    build(LAYOUT, work / "layout", "-std=c11")
    build(ROOT / "Tests/Library/library.c", work / "library", "-std=c99", *SANITIZED)
    # What Swift keeps for the whole process is no leak, and is not told from one.
    done = subprocess.run([work / "library", PHOTO, work / "library.jpg", work / "library.raw", work / "library.yuv"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    if done.returncode or done.stdout or done.stderr:
        raise Failure(f"library: {done.returncode} {done.stdout} {done.stderr}")
    run(APUS, "convert", PHOTO, "-q", "85", "-o", work / "command.jpg")
    if (work / "library.jpg").read_bytes() != (work / "command.jpg").read_bytes():
        raise Failure("the library writes another JPEG than the command")
    if shown(work) != (work / "command.jpg").read_bytes():
        raise Failure("what README.md shows of C writes another JPEG than the command")
    run(APUS, "convert", PHOTO, "-o", work / "command.ppm")
    pixels = (work / "command.ppm").read_bytes().split(b"\n255\n", 1)[1]
    if (work / "library.raw").read_bytes() != pixels:
        raise Failure("the library decodes other samples than the command")
    run(ROOT / "Scripts/making/ffmpeg9", "-i", PHOTO, "-f", "rawvideo", "-pix_fmt", "yuv420p", work / "ffmpeg.yuv")
    if (work / "library.yuv").read_bytes() != (work / "ffmpeg.yuv").read_bytes():
        raise Failure("the library decodes other planes than FFmpeg")
print("the library for C does what its header says")
