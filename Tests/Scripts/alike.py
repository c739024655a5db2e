#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fifty photos become the same JPEGs from Swift, C, Python, the command and over HTTP, and what one of them refuses the
others refuse. They are fixtures, and those of the corpus beside the checkout where that is there."""

import http.client
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, Failure, run  # noqa: E402
from sample import consume  # noqa: E402

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
    consume(ROOT / "Fixtures", folder, *photos)


def by_c(folder, photos):
    program = folder / "convert"
    run("cc", f"-I{ROOT}/Sources/CApus", ROOT / "Tests/Library/convert.c", LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}", "-o", program)
    run(program, folder, *photos, seconds=300)
    program.unlink()


def by_python(folder, photos):
    subprocess.run([sys.executable, "-c", PYTHON, folder, *photos], check=True, stdin=subprocess.DEVNULL,
                   env={**os.environ, "APUS_LIBRARY": str(LIBRARY), "PYTHONPATH": str(ROOT / "Sources/Python")})


def by_command(folder, photos):
    for number, path in enumerate(photos):
        done = subprocess.run([APUS, "convert", path, "-o", "-"], stdin=subprocess.DEVNULL, capture_output=True)
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


def compare(name, photos):
    """Says how many photos were converted."""
    made = {}
    with tempfile.TemporaryDirectory() as work:
        for way in (by_command, by_swift, by_c, by_python, by_http):
            folder = pathlib.Path(work, way.__name__)
            folder.mkdir()
            way(folder, photos)
            made[way] = {path.name: path.read_bytes() for path in folder.iterdir()}
    wanted = made.pop(by_command)
    for way, found in made.items():
        for number, path in enumerate(photos):
            jpeg = f"{number}.jpg"
            if wanted.get(jpeg) != found.get(jpeg):
                kind = "other bytes than" if jpeg in wanted and jpeg in found else "another outcome than"
                raise Failure(f"{path.name}: {kind} the command's {way.__name__.replace('_', ' ')}")
    if len(wanted) < len(photos) / 2:
        raise Failure(f"only {len(wanted)} of {len(photos)} {name} were converted")
    print(f"{len(wanted)} of {len(photos)} {name} are converted, alike from Swift, C, Python, the command and over HTTP")


run("bash", "-c", '. "$1"/Scripts/setup; build_release apus-c', "bash", ROOT, seconds=1800)
compare("fixtures", sorted((ROOT / "Fixtures").glob("*.heic"))[:COUNT])
corpus = ROOT.parent / "shared/corpus/heic-real"
if corpus.exists():
    real = (path for path in corpus.iterdir() if path.suffix.lower() in (".heic", ".heif"))
    compare("real photos", sorted(real, key=lambda path: (path.stat().st_size, path))[-COUNT - 12:-12])
else:
    print("the corpus is not beside the checkout: its photos were not compared")
