#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of CPixel give the same bits by the instructions of this machine, plainly (APUS_PORTABLE) and on ARM, and the
C headers are those of an ARM machine, too."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
# The clang that Swift reads the headers with.
CLANG = str(pathlib.Path(os.path.realpath(shutil.which("swift"))).parent / "clang")
ARM = pathlib.Path("/usr/aarch64-linux-gnu")
ARM_FLAGS = ["--target=aarch64-linux-gnu", "-isystem", ARM / "include"]
WARNINGS = ["-std=gnu11", "-Wall", "-Werror", "-Wno-psabi", "-Wno-unused-function"]
# Headers that need those of no other library; the others are what Debian has for ARM.
HEADERS = ["CPixel/pixel.h", "CPixel/encode.h", "CFiles", "CPages", "CSandbox", "CSockets"]


def run(*command):
    done = subprocess.run(
        [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def headers():
    for name in HEADERS:
        path = SOURCES / name
        yield from [path] if path.suffix else sorted(path.glob("*.h"))


def compiled(folder, name, *flags):
    program = folder / name
    run(CLANG, *WARNINGS, "-O2", "-I", SOURCES / "CPixel", *flags, ROOT / "Tests/Headers/kernels.c", "-o", program)
    return program


def main():
    if not ARM.exists():
        sys.exit(f"portable: {ARM} is missing; Debian has it as libc6-dev-arm64-cross")
    count = 0
    for header in headers():
        for flags in ([], ["-DAPUS_PORTABLE"]):
            run(CLANG, *WARNINGS, *ARM_FLAGS, *flags, "-fsyntax-only", "-include", header, "-x", "c", "/dev/null")
        count += 1
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        native = compiled(folder, "native")
        expected = run(native)
        ways = {
            "AVX2": [native, "wide"],
            "plain": [compiled(folder, "plain", "-DAPUS_PORTABLE")],
        }
        libraries = ARM / "lib"
        start = [libraries / name for name in ("crt1.o", "crti.o", "crtn.o")]
        for name, flags in {"ARM": [], "ARM, plain": ["-DAPUS_PORTABLE"]}.items():
            program = compiled(
                folder, name, *ARM_FLAGS, *flags, "-fuse-ld=lld", "-nostdlib", *start, "-L", libraries, "-lc")
            ways[name] = ["qemu-aarch64", "-L", ARM, program]
        for name, command in ways.items():
            found = run(*command)
            if found != expected:
                sys.exit(f"portable: {name} gives\n{found}and not\n{expected}")
    print(f"{count} headers compile for ARM; {len(ways) + 1} ways give the same bits")


main()
