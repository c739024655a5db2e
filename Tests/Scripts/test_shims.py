# SPDX-License-Identifier: MIT
"""The shims of libraries compile against what their versions declare, and apus is linked with none that it opens."""

import re

import pytest

from programs import APUS, ROOT, completed, printed

pytestmark = pytest.mark.apart

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


def compile_with(text, *options):
    """Compiles a C program of headers, which must give no warning."""
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-const-variable"]
    done = completed("clang", "-std=gnu11", "-fsyntax-only", *warnings, *options, "-x", "c", "-", status=None, input=text,
                     text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


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


@pytest.mark.parametrize("folder, names", [
    ("CApusFFmpeg", SHIMS), ("CApusX265", ["shim.h"]), ("CApusHEIF", ["shim.h"]), ("CApusDe265", ["shim.h"]),
])
def test_a_shim_compiles_with_the_headers_of_this_system(folder, names):
    compile_with(includes(folder, names))


@pytest.mark.parametrize("version, codec, util, form, filters", FFMPEG)
def test_the_shim_of_ffmpeg_compiles_against_a_version(folder, version, codec, util, form, filters):
    declared(folder)
    versions = [f"-DCODEC={codec}", f"-DUTIL={util}", f"-DFORMAT={form}", f"-DFILTER={filters}"]
    compile_with(includes("CApusFFmpeg", SHIMS), "-I", folder, *versions)


@pytest.mark.parametrize("version, build", X265)
def test_the_shim_of_x265_compiles_against_a_version(folder, version, build):
    (folder / "x265.h").write_text((ROOT / "Tests/Headers/x265.h").read_text())
    compile_with(includes("CApusX265", ["shim.h"]), "-I", folder, f"-DX265_BUILD={build}")


@pytest.mark.released
def test_apus_is_not_linked_with_libraries_that_it_opens_on_demand():
    dump = printed("readelf", "--dynamic", APUS)
    assert "(NEEDED)" in dump
    assert not ON_DEMAND.findall(dump)
