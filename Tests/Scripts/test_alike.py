# SPDX-License-Identifier: MIT
"""Fifty photos become the same JPEGs from Swift, C, Python, the command and over HTTP, and what one of them refuses the
others refuse. They are fixtures, and those of the corpus beside the checkout where that is there."""

import http.client
import os
import re
import subprocess
import sys

import pytest

from programs import APUS, FIXTURES, ROOT, completed, run
from sample import consume

LIBRARY = ROOT / ".build/release/libapus-c.so"
COUNT = 50
PYTHON = """
import pathlib, sys, apus
for number, path in enumerate(sys.argv[2:]):
    try:
        pathlib.Path(sys.argv[1], f"{number}.jpg").write_bytes(apus.open(path).convert())
    except apus.Error:
        pass
"""


def by_swift(folder, photos):
    consume(FIXTURES, folder, *photos)


def by_c(folder, photos):
    program = folder / "convert"
    run("cc", f"-I{ROOT}/Sources/CApus", ROOT / "Tests/Library/convert.c", LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}", "-o", program)
    run(program, folder, *photos, seconds=300)
    program.unlink()


def by_python(folder, photos):
    run(sys.executable, "-c", PYTHON, folder, *photos,
        env={**os.environ, "APUS_LIBRARY": str(LIBRARY), "PYTHONPATH": str(ROOT / "Sources/Python")})


def by_command(folder, photos):
    for number, path in enumerate(photos):
        done = completed(APUS, "convert", path, "-o", "-", status=None)
        if done.returncode == 0:
            (folder / f"{number}.jpg").write_bytes(done.stdout)


def by_http(folder, photos):
    server = subprocess.Popen([APUS, "serve", "--listen", "127.0.0.1:0"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True)
    try:
        address = re.search(r"listening at (?:http://)?(\S+)", server.stderr.readline())[1]
        connection = http.client.HTTPConnection(address, timeout=120)
        for number, path in enumerate(photos):
            connection.request("POST", "/v1/convert", path.read_bytes())
            answer = connection.getresponse()
            said = answer.read()
            if answer.status == 200:
                (folder / f"{number}.jpg").write_bytes(said)
    finally:
        server.terminate()
        server.communicate(timeout=120)


def real():
    """Photos of others, where there are some."""
    folder = ROOT.parent / "shared/corpus/heic-real"
    found = [path for path in folder.glob("*") if path.suffix.lower() in (".heic", ".heif")]
    return sorted(found, key=lambda path: (path.stat().st_size, path))[-COUNT - 12:-12]


KINDS = {"fixtures": sorted(FIXTURES.glob("*.heic"))[:COUNT], **({"real photos": real()} if real() else {})}


@pytest.fixture(scope="module")
def library():
    """The library as it is released."""
    run("bash", "-c", '. "$1"/Scripts/setup; build_release apus-c', "bash", ROOT, seconds=1800)


@pytest.mark.released
@pytest.mark.parametrize("kind", KINDS)
def test_photos_become_the_same_jpegs_in_every_way(library, folder, kind):
    photos, made = KINDS[kind], {}
    for way in (by_command, by_swift, by_c, by_python, by_http):
        place = folder / way.__name__
        place.mkdir()
        way(place, photos)
        made[way] = {path.name: path.read_bytes() for path in place.iterdir()}
    wanted = made.pop(by_command)
    for way, found in made.items():
        for number, path in enumerate(photos):
            jpeg = f"{number}.jpg"
            outcome = "other bytes" if jpeg in wanted and jpeg in found else "another outcome"
            assert wanted.get(jpeg) == found.get(jpeg), f"{path.name}: {outcome} {way.__name__.replace('_', ' ')}"
    assert len(wanted) >= len(photos) / 2, f"only {len(wanted)} of {len(photos)} were converted"
