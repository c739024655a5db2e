# SPDX-License-Identifier: MIT
"""The command of the Python package finds its library wherever pip puts the two, and no library of another version."""

import os
import shutil

import pytest

from programs import FIXTURES, ROOT, built, completed, run, same

LIBRARY = ROOT / ".build/developers/debug/libapus-c.so"
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
    # What Swift never frees is no finding here.
    done = completed(program, *words, status=None, seconds=60, text=True, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def commands(work):
    """The command, plain and under the address sanitizer."""
    assert built("apus-c", "libapus-c.so") == LIBRARY
    found = []
    for name, sanitizer in (("plain", "undefined"), ("checked", "address,undefined")):
        found.append(work / name)
        run("cc", "-Wall", "-Wextra", "-Werror", f"-fsanitize={sanitizer}", "-fno-sanitize-recover", f'-DVERSION="{VERSION}"',
            ROOT / "Sources/Python/command.c", "-o", found[-1])
    return found


@pytest.fixture(scope="module")
def version(commands):
    found = says(built("apus"), "--version")
    same("the command that is built", 0, found[0])
    return found


@pytest.mark.parametrize("name", PLACES)
def test_the_command_finds_its_library(folder, commands, version, name):
    # A folder may have a name that is a pattern.
    place, prefix = PLACES[name], folder / "0 *[a]?\\"
    installed(prefix, place, VERSION)
    program = command(prefix, place, commands[1])
    same("the version", version, says(program, "--version"))
    link = prefix / "apus"
    if not link.exists():
        link.symlink_to(program)
        same("through a link", version, says(link, "--version"))


@pytest.fixture
def whole(folder, commands):
    """The folder of an installed package, and its command."""
    prefix = folder / "whole"
    installed(prefix, "lib/python3.12/site-packages", VERSION)
    return prefix, command(prefix, "", commands[0])


def test_it_is_the_command_whatever_it_is_called_and_in_each_process_that_it_starts(whole, folder):
    prefix, program = whole
    (prefix / "bin/heif-dec").symlink_to("apus")
    photo = FIXTURES / "photo.heic"
    jpegs = [folder / f"{name}.jpg" for name in ("wanted", "alone", "isolated")]
    run(built("apus"), "convert", "--quiet", photo, "-o", jpegs[0])
    run(program, "convert", "--quiet", photo, "-o", jpegs[1])
    run(program, "convert", "--quiet", "--isolate", photo, "-o", jpegs[2])
    same("the photo", 1, len({path.read_bytes() for path in jpegs}))
    assert "Written to" in run(prefix / "bin/heif-dec", photo, folder / "named.jpg")
    status, _, reason = says(program, "convert", prefix / "none.heic")
    assert status == 1 and "No such file" in reason


def test_the_python_of_its_version_has_its_library(whole, version):
    prefix, program = whole
    installed(prefix, "lib/python3.9/site-packages", "1.1.0", "/nonexistent")
    same("next to another version", version, says(program, "--version"))


def test_without_its_library_it_ends_with_the_reason(whole):
    prefix, program = whole
    installed(prefix, "lib/python3.9/site-packages", "1.1.0", "/nonexistent")
    shutil.rmtree(prefix / "lib/python3.12")
    status, printed, reason = says(program, "--version")
    assert (status, printed) == (1, "") and f"apus {VERSION} is not where pip put it" in reason
    installed(prefix, "lib/python3.12/site-packages", VERSION, "/nonexistent")
    status, printed, reason = says(program, "--version")
    assert (status, printed) == (1, "") and ("/nonexistent" in reason or "cannot open" in reason)
