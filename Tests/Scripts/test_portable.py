# SPDX-License-Identifier: MIT
"""The kernels of CApusPixel give the same bits by the instructions of this machine, plainly (APUS_PORTABLE) and on ARM, and the
C headers compile for ARM and RISC-V, too. The rooms that do no input or output compile where there is no C library to be
imported: what they need of one comes from CApusMath."""

import importlib.machinery
import importlib.util
import os
import pathlib
import shutil

import pytest

import typecheck
from programs import ROOT, completed, run

SOURCES = ROOT / "Sources"
# The clang that Swift reads the headers with.
CLANG = str(pathlib.Path(os.path.realpath(shutil.which("swift"))).parent / "clang")
ARM = pathlib.Path("/usr/aarch64-linux-gnu")
RISC_V = pathlib.Path("/usr/riscv64-linux-gnu")
ARM_FLAGS = ["--target=aarch64-linux-gnu", "-isystem", ARM / "include"]
# The exit status of the program of the kernels where the machine has no wide ones.
NO_WIDE_KERNELS = 2
WARNINGS = ["-std=gnu11", "-Wall", "-Werror", "-Wno-psabi", "-Wno-unused-function"]
# Headers that need those of no other library; the others are what Debian has for ARM.
HEADERS = [*(f"CApusPixel/{name}.h" for name in ("pixel", "encode", "decode", "light", "colours", "zeros")),
           "CApusMath", "CApusFiles", "CApusPages", "CApusSandbox", "CApusSockets"]

# Modules of headers that need no C library.
BARE = {"CApusMath", "CApusPixel"}
# Rooms that stay portable, whatever else does.
PORTABLE = {"AVC", "ApusBytes", "ApusColour", "FLV", "ApusFacts", "HEIF", "HEVC", "HLS", "ISOBMFF",
            "ApusMedia", "ApusMetadata", "RTMP", "ApusRecords"}
SWIFT = ["swiftc", "-package-name", "apus", "-parse-as-library", "-wmo", "-Xcc", "-nostdlibinc", "-Xcc", "-ffreestanding"]


def headers():
    for name in HEADERS:
        path = SOURCES / name
        yield from [path] if path.suffix else sorted(path.glob("*.h"))


def compiled(folder, name, source, *flags):
    """The program of kernels or light, or that of JPEG with the code that it tests."""
    program = folder / name
    sources = [ROOT / f"Tests/Headers/{source}.c"] + [SOURCES / "CApusJPEG/baseline.c"] * (source == "jpeg")
    places = [word for name in ("CApusPixel", "CApusJPEG", "CApusJPEG/include") for word in ("-I", SOURCES / name)]
    run(CLANG, *WARNINGS, "-O2", *places, *sources, *flags, "-lm", "-o", program)
    return program


def compiled_for_arm(folder, source, *flags):
    libraries = ARM / "lib"
    start = [libraries / name for name in ("crt1.o", "crti.o", "crtn.o")]
    return compiled(folder, "arm", source, *ARM_FLAGS, *flags, "-fuse-ld=lld", "-nostdlib", *start, "-L", libraries, "-lc")


def table():
    """What each target may import, by the table in ARCHITECTURE.md."""
    loader = importlib.machinery.SourceFileLoader("imports", str(ROOT / "Scripts/imports"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("imports", loader))
    loader.exec_module(module)
    return module.allowed_imports((ROOT / "ARCHITECTURE.md").read_text())


def rooms():
    """Rooms that import nothing but one another and BARE, each after those that it imports."""
    imports = {name: wanted - BARE for name, wanted in table().items() if any((SOURCES / name).rglob("*.swift"))}
    found = []
    while more := sorted(name for name in imports if name not in found and imports[name] <= set(found)):
        found += more
    missing = PORTABLE - set(found)
    assert not missing, f"{', '.join(sorted(missing))} import what only some systems have"
    return found


def test_rooms_that_do_no_input_or_output_compile_without_a_c_library(folder):
    words = [*SWIFT, "-I", folder, "-module-cache-path", folder / "cache", "-Xcc", "-isystem", "-Xcc", ROOT / "Tests/Portable/include"]
    for name in sorted(BARE):
        words += ["-Xcc", f"-fmodule-map-file={SOURCES / name / 'module.modulemap'}"]
    targets = typecheck.targets()
    words += typecheck.flags(targets["ApusBytes"])
    listed = {"Synchronization": ROOT / "Tests/Portable", **{name: SOURCES / name for name in rooms()}}
    for name, place in listed.items():
        run(*words, "-module-name", name, "-emit-module", "-emit-module-path", folder / f"{name}.swiftmodule",
            *sorted(place.rglob("*.swift")), *typecheck.resources(targets[name], folder) if name in targets else [])
    hidden = folder / "hidden.swift"
    hidden.write_text("import Glibc\n")
    assert completed(*words, "-typecheck", hidden, status=None).returncode != 0, "the C library is not hidden"


@pytest.fixture
def arm():
    assert ARM.exists(), f"{ARM} is missing; Debian has it as libc6-dev-arm64-cross"


@pytest.mark.parametrize("flags", [[], ["-DAPUS_PORTABLE"]], ids=["with instructions", "plain"])
@pytest.mark.parametrize("header", headers(), ids=lambda path: str(path.relative_to(SOURCES)))
def test_a_header_compiles_for_arm(arm, header, flags):
    run(CLANG, *WARNINGS, *ARM_FLAGS, *flags, "-fsyntax-only", "-include", header, "-x", "c", "/dev/null")


@pytest.mark.parametrize("header", headers(), ids=lambda path: str(path.relative_to(SOURCES)))
def test_a_header_compiles_for_risc_v(header):
    assert RISC_V.exists(), f"{RISC_V} is missing; Debian has it as libc6-dev-riscv64-cross"
    run(CLANG, *WARNINGS, "--target=riscv64-linux-gnu", "-isystem", RISC_V / "include", "-fsyntax-only", "-include", header,
        "-x", "c", "/dev/null")


@pytest.fixture(scope="module", params=["kernels", "light"])
def source(request):
    return request.param


@pytest.fixture(scope="module")
def native(work, source):
    """The program for this machine."""
    return compiled(work, f"native {source}", source)


def test_plain_code_gives_the_same_bits(native, source, folder):
    assert run(compiled(folder, "plain", source, "-DAPUS_PORTABLE")) == run(native)


def test_wide_kernels_give_the_same_bits(native):
    wide = completed(native, "wide", status=None, text=True)
    if wide.returncode == NO_WIDE_KERNELS:
        pytest.skip("this machine has no wide kernels")
    assert (wide.returncode, wide.stdout) == (0, run(native))


@pytest.mark.parametrize("flags", [[], ["-DAPUS_PORTABLE"]], ids=["with instructions", "plain"])
def test_arm_gives_the_same_bits(native, source, arm, folder, flags):
    program, expected = compiled_for_arm(folder, source, *flags), run(native)
    assert run("qemu-aarch64", "-L", ARM, program) == expected
    if flags:
        run("qemu-aarch64", "-L", ARM, program, "wide", status=NO_WIDE_KERNELS)
    else:
        assert run("qemu-aarch64", "-L", ARM, program, "wide") == expected, "NEON"


@pytest.fixture(scope="module")
def native_jpeg(work):
    """What the program prints that compares with libjpeg."""
    return run(compiled(work, "native JPEG", "jpeg", "-DLIBJPEG", "-ljpeg"))


def test_avx2_writes_the_bytes_of_libjpeg(native_jpeg, folder):
    assert "other bytes" not in native_jpeg
    assert run(compiled(folder, "plain", "jpeg", "-DLIBJPEG", "-DAPUS_PORTABLE", "-ljpeg")) == native_jpeg


def test_neon_writes_the_bytes_of_libjpeg(native_jpeg, arm, folder):
    # The headers of libjpeg for this machine do for ARM, because nothing is linked that they describe.
    for name in ("jpeglib.h", "jmorecfg.h", "jconfig.h"):
        place = next(pathlib.Path("/usr/include").rglob(name), None)
        assert place, f"{name} is missing; Debian has it in libjpeg62-turbo-dev"
        shutil.copy(place, folder)
    program = compiled_for_arm(folder, "jpeg", "-I", folder)
    assert run("qemu-aarch64", "-L", ARM, program) == native_jpeg
