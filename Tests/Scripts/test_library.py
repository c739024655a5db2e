# SPDX-License-Identifier: MIT
"""The library for other languages does what its header says, in C and in C++, under the address sanitizer, makes the bytes
and the samples of the command, and has the functions and the structures that programs are compiled with already."""

import os
import re

import pillow_heif
import pytest

from programs import APUS, FFMPEG, FIXTURES, ROOT, built, completed, run, same

PHOTO = FIXTURES / "photo.heic"
OTHER = FIXTURES / "grid.heic"
HEADER = ROOT / "Sources/CApus/apus.h"
# What programs may be linked to, for good: nothing goes from there.
SYMBOLS = ROOT / "Scripts/packaging/debian/libapus0.symbols"
# What programs may be compiled with, for good.
LAYOUT = ROOT / "Tests/Library/layout.c"
LIBRARY = ROOT / ".build/developers/debug/libapus-c.so"
SANITIZED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def build(source, target, *flags):
    run("cc" if source.suffix == ".c" else "c++", *flags, *WARNINGS, f"-I{HEADER.parent}", source, LIBRARY,
        f"-Wl,-rpath,{LIBRARY.parent}", "-lpthread", "-o", target)


@pytest.fixture(scope="module", autouse=True)
def library():
    assert built("apus-c", "libapus-c.so") == LIBRARY


def test_the_names_that_programs_are_linked_to_are_those_of_the_header():
    """The names that programs are linked to are those of the header."""
    declared = set(re.findall(r"^\w[^;()]*?\b(apus_\w+)\(", HEADER.read_text(), re.M))
    promised = set(re.findall(r"^ (apus_\w+)@APUS_0 ", SYMBOLS.read_text(), re.M))
    assert declared == promised, \
        f"{SYMBOLS.name} lacks {sorted(declared - promised)}; the header lacks {sorted(promised - declared)}"
    listed = run("nm", "-D", "--defined-only", LIBRARY)
    found = set(re.findall(r" T (apus_\w+)$", listed, re.M))
    # The rest of what the debugging build exports is Swift's.
    missing = declared - found
    assert not missing and len(declared) >= 20, f"the library lacks {sorted(missing)} of {len(declared)} functions"


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


def test_the_layout_holds_all_of_the_header():
    """What layout.c holds is all of the header, and it does not compile with what would break programs."""
    header, layout = HEADER.read_text(), LAYOUT.read_text()
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    functions = set(re.findall(r"^\w[^;()]*?\b(apus_\w+)\(", code, re.M))
    held = set(re.findall(r"=\s*(apus_\w+);", layout))
    assert functions == held, f"{LAYOUT.name} lacks the functions {sorted(functions ^ held)}"
    structures = re.findall(r"typedef struct apus_\w+ \{(.*?)\} (apus_\w+);", code, re.S)
    fields = {(name, field) for body, name in structures for field in re.findall(r"(\w+)(?:\)\([^;]*)?(?=[,;])", body)}
    held = set(re.findall(r"^FIELD\((\w+), (\w+), ", layout, re.M))
    assert fields == held and len(structures) >= 5, f"{LAYOUT.name} lacks the fields {sorted(fields ^ held)}"
    numbers = re.findall(r"\b(APUS_(?!H\b)\w+)", code)
    assert not (missing := set(numbers) - set(re.findall(r"(APUS_\w+) ==", layout))), \
        f"{LAYOUT.name} lacks the numbers {sorted(missing)}"


@pytest.mark.parametrize("what", BREAKING)
def test_a_change_that_would_break_programs_does_not_compile(folder, what):
    (now, then), header = BREAKING[what], HEADER.read_text()
    same("places", 1, header.count(now))
    (folder / "apus.h").write_text(header.replace(now, then))
    done = completed("cc", "-std=c11", "-fsyntax-only", *WARNINGS, f"-I{folder}", LAYOUT, status=None)
    assert done.returncode != 0, f"{LAYOUT.name} compiles"


def shown(work):
    """What the sample of C in README.md writes."""
    (sample,) = re.findall(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    (work / "shown.c").write_text(f'#include "apus.h"\n#include <stdio.h>\nint main(void) {{\n{sample}return 0;\n}}\n')
    build(work / "shown.c", work / "shown", "-std=c99")
    return completed(work / "shown", cwd=ROOT).stdout


def test_the_header_compiles_as_cpp(folder):
    build(ROOT / "Tests/Library/header.cpp", folder / "header", "-std=c++11")
    run(folder / "header")


def test_the_layout_compiles(folder):
    build(LAYOUT, folder / "layout", "-std=c11")


@pytest.fixture(scope="module")
def made(work):
    """The folder of what the test in C writes under the address sanitizer, and what the command makes of the same photo."""
    build(ROOT / "Tests/Library/library.c", work / "library", "-std=c99", *SANITIZED)
    # What Swift keeps for the whole process is no leak, and is not told from one.
    said = run(work / "library", PHOTO, work / "library.jpg", work / "library.raw", work / "library.yuv", OTHER, work / "joined.heic",
               env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    assert said == ""
    run(APUS, "convert", "--quiet", PHOTO, "-q", "85", "-o", work / "command.jpg")
    return work


def test_the_library_writes_the_jpeg_of_the_command(made):
    assert (made / "library.jpg").read_bytes() == (made / "command.jpg").read_bytes()


def test_the_readme_shows_what_writes_the_jpeg_of_the_command(made, folder):
    assert shown(folder) == (made / "command.jpg").read_bytes()


def test_the_library_decodes_the_samples_of_the_command(made, folder):
    run(APUS, "convert", PHOTO, "-o", folder / "command.ppm")
    assert (made / "library.raw").read_bytes() == (folder / "command.ppm").read_bytes().split(b"\n255\n", 1)[1]


def test_the_library_decodes_the_planes_of_ffmpeg(made, folder):
    run(FFMPEG, "-i", PHOTO, "-f", "rawvideo", "-pix_fmt", "yuv420p", folder / "ffmpeg.yuv")
    assert (made / "library.yuv").read_bytes() == (folder / "ffmpeg.yuv").read_bytes()


def test_libheif_reads_the_pictures_that_the_library_joins(made):
    joined = pillow_heif.open_heif(made / "joined.heic")
    same("the number of pictures and the primary one", (2, 1), (len(joined), joined.primary_index))
    for found, path in zip(joined, (PHOTO, OTHER)):
        wanted = pillow_heif.open_heif(path)
        same(f"the size of {path.name}", wanted.size, found.size)
        assert found.to_pillow().tobytes() == wanted.to_pillow().tobytes(), f"{path.name} has other samples"
        for name in ("exif", "nclx_profile", "tiling"):
            same(f"{name} of {path.name}", wanted.info.get(name), found.info.get(name))
    same("the shape of a pixel", [(4, 3), None], [picture.info.get("pixel_aspect_ratio") for picture in joined])
    same("further items", [[], [("iptc", b"\x1c\x02")]],
         [[(item["type"], item["data"]) for item in picture.info["metadata"]] for picture in joined])
