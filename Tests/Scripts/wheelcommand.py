#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command of the Python package finds its library wherever pip puts the two, and no library of another version."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import Failure, run  # noqa: E402

LIBRARY = ROOT / ".build/debug/libapus-c.so"
VERSION = "1.2.0.dev20260101+0a1b2c3d"
# Where pip puts the modules, seen from the folder in which `bin` is.
PLACES = {
    "an environment": "lib/python3.11/site-packages",
    "one of 64 bits": "lib64/python3.13/site-packages",
    "another Python": "lib/pypy3.11/site-packages",
    "Debian": "local/lib/python3.11/dist-packages",
    "--home": "lib/python",
    "--target": "",
}


def installed(prefix, place, version, library=LIBRARY):
    """The folders of a package of some version, with some library."""
    modules = prefix / place
    (modules / f"apus-{version}.dist-info").mkdir(parents=True)
    (modules / "apus").mkdir(exist_ok=True)
    (modules / "apus/libapus.so.0").symlink_to(library)


def command(prefix, place, built):
    """The command beside the modules."""
    folder = prefix / "local/bin" if place.startswith("local/") else prefix / "bin"
    folder.mkdir(parents=True)
    shutil.copy(built, folder / "apus")
    return folder / "apus"


def says(program, *words):
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def same(what, wanted, found):
    if wanted != found:
        raise Failure(f"{what}: {found!r}, expected {wanted!r}")


if not LIBRARY.exists():
    run("swift", "build", "--package-path", ROOT, "--product", "apus-c", seconds=1800)
with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    plain, checked = work / "apus", work / "checked"
    for built, sanitizer in ((plain, "undefined"), (checked, "address,undefined")):
        run("cc", "-Wall", "-Wextra", "-Werror", f"-fsanitize={sanitizer}", "-fno-sanitize-recover", f'-DVERSION="{VERSION}"',
            ROOT / "Sources/Python/command.c", "-o", built)
    # What Swift never frees is no finding here.
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
    version = says(ROOT / ".build/debug/apus", "--version")
    same("the command that is built", 0, version[0])

    for number, (name, place) in enumerate(PLACES.items()):
        # A folder may have a name that is a pattern.
        prefix = work / f"{number} *[a]?\\"
        installed(prefix, place, VERSION)
        program = command(prefix, place, checked)
        same(f"the version in {name}", version, says(program, "--version"))
        link = prefix / "apus"
        if not link.exists():
            link.symlink_to(program)
            same(f"through a link into {name}", version, says(link, "--version"))

    # It is the command, whatever it is called, and in each process that it starts.
    prefix = work / "whole"
    installed(prefix, "lib/python3.12/site-packages", VERSION)
    program = command(prefix, "", plain)
    (prefix / "bin/heif-dec").symlink_to("apus")
    photo = ROOT / "Fixtures/photo.heic"
    jpegs = [work / f"{name}.jpg" for name in ("wanted", "alone", "isolated")]
    run(ROOT / ".build/debug/apus", "convert", "--quiet", photo, "-o", jpegs[0])
    run(program, "convert", "--quiet", photo, "-o", jpegs[1])
    run(program, "convert", "--quiet", "--isolate", photo, "-o", jpegs[2])
    same("the photo", 1, len({path.read_bytes() for path in jpegs}))
    if "Written to" not in run(prefix / "bin/heif-dec", photo, work / "named.jpg"):
        raise Failure("heif-dec is not what it does by that name")
    status, _, reason = says(program, "convert", prefix / "none.heic")
    if status != 1 or "No such file" not in reason:
        raise Failure(f"what fails ends with {status}: {reason}")

    # Of several Pythons, the one of this version has it.
    installed(prefix, "lib/python3.9/site-packages", "1.1.0", "/nonexistent")
    same("beside another version", version, says(program, "--version"))
    shutil.rmtree(prefix / "lib/python3.12")
    status, printed, reason = says(program, "--version")
    if (status, printed) != (1, "") or f"apus {VERSION} is not where pip put it" not in reason:
        raise Failure(f"without its library it ends with {status}: {printed}{reason}")
    installed(prefix, "lib/python3.12/site-packages", VERSION, "/nonexistent")
    status, printed, reason = says(program, "--version")
    if (status, printed) != (1, "") or "/nonexistent" not in reason and "cannot open" not in reason:
        raise Failure(f"with a library that cannot be opened it ends with {status}: {printed}{reason}")
print(f"the command finds its library in {len(PLACES)} places")
