#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The shims of libraries compile against what their versions declare, and apus is linked with none that it opens."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
SHIMS = ["shim.h", "filter.h", "format.h", "codecs.h"]
# FFmpeg: its version, and those of libavcodec, libavutil, libavformat and libavfilter.
FFMPEG = [
    ("5.1", 59037, 57028, 59027, 8044),
    ("6.0", 60003, 58002, 60003, 9003),
    ("6.1", 60031, 58029, 60016, 9012),
    ("7.0", 61003, 59008, 61001, 10001),
    ("7.1", 61019, 59039, 61007, 10004),
    ("8.0", 62011, 60008, 62003, 11004),
    ("9.0", 63001, 61001, 63001, 12001),
]
# x265: its version and its build.
X265 = [("3.5", 199), ("3.6", 209), ("4.0", 212), ("4.1", 215)]
ON_DEMAND = re.compile(r"\[(lib(?:av|sw)\w+|libx265|libde265|libheif|libssl|libcrypto)\.so")


def compile_with(name, text, *options):
    """Whether a C program of headers compiles without a word."""
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-const-variable"]
    command = ["clang", "-std=gnu11", "-fsyntax-only", *warnings, *options, "-x", "c", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode or done.stderr:
        print(f"{name}:\n{done.stderr}")
        return False
    return True


def includes(folder, names):
    return "".join(f'#include "{SOURCES / folder / name}"\n' for name in names)


def declared(folder):
    """Headers with the names that the shims include, and the functions that they only look up."""
    texts = [(SOURCES / "CApusFFmpeg" / name).read_text() for name in [*SHIMS, "versions.h"]]
    known = (ROOT / "Tests/Headers/ffmpeg.h").read_text()
    functions = set(re.findall(r"\bF\((av\w+)\)", "".join(texts)))
    words = ["#pragma once", f'#include "{ROOT / "Tests/Headers/ffmpeg.h"}"']
    words += [f"int {name}(void);" for name in sorted(functions) if f"{name}(" not in known]
    (folder / "all.h").write_text("\n".join(words) + "\n")
    for header in set(re.findall(r"#include <(lib\w+/\w+\.h)>", "".join(texts))):
        path = folder / header
        path.parent.mkdir(exist_ok=True)
        path.write_text('#include "../all.h"\n')


def main():
    good = True
    for folder, names in [("CApusFFmpeg", SHIMS), ("CApusX265", ["shim.h"]), ("CApusHEIF", ["shim.h"]), ("CApusDe265", ["shim.h"])]:
        good &= compile_with(f"{folder} of this system", includes(folder, names))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        declared(folder)
        for version, codec, util, form, filters in FFMPEG:
            versions = [f"-DCODEC={codec}", f"-DUTIL={util}", f"-DFORMAT={form}", f"-DFILTER={filters}"]
            good &= compile_with(f"FFmpeg {version}", includes("CApusFFmpeg", SHIMS), "-I", name, *versions)
        (folder / "x265.h").write_text((ROOT / "Tests/Headers/x265.h").read_text())
        for version, build in X265:
            good &= compile_with(f"x265 {version}", includes("CApusX265", ["shim.h"]), "-I", name, f"-DX265_BUILD={build}")

    binary = ROOT / ".build/release/apus"
    dump = subprocess.run(["readelf", "--dynamic", binary], check=True, capture_output=True, text=True).stdout
    assert "(NEEDED)" in dump, dump
    for library in ON_DEMAND.findall(dump):
        print(f"apus is linked with {library}, which it opens when it needs it")
        good = False
    sys.exit(not good)


if __name__ == "__main__":
    main()
