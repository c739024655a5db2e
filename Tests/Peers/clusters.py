# SPDX-License-Identifier: MIT
"""Photos for a cluster, a server of S3 for them, and what one machine makes of them."""

import json
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile

import apus.ray
from apus.ray import job as jobs
from apus.ray.places import Place
from programs import APUS, FIXTURES, Failure, completed, free_port, running, same


def photos(folder, count):
    """A folder of photos: in folders, with broken ones, with two that would have one name."""
    kinds = sorted(FIXTURES.glob("*.heic"))
    moment = b"2024:06:21"
    with_time = [path.read_bytes() for path in kinds if moment in path.read_bytes()]
    chance = random.Random(5)
    for number in range(count):
        data = with_time[number % len(with_time)] if number % 2 else kinds[number // 2 % len(kinds)].read_bytes()
        data = data.replace(moment, b"%04d:%02d:%02d" % (1990 + number // 336, 1 + number // 28 % 12, 1 + number % 28))
        if number % 10 == 3:
            data = data[:chance.randrange(200, len(data))]
        if number % 10 == 7:
            place = chance.randrange(len(data))
            data = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1:]
        path = folder / f"{number % 7}" / f"IMG_{number:05d}.{'HEIC' if number % 3 else 'heic'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    shutil.copyfile(FIXTURES / "photo.heic", folder / "0/IMG_00000.heif")


def one_machine(folder, *words):
    """What the command makes of a folder: the files by their names, and what it says of each photo."""
    with tempfile.TemporaryDirectory() as place:
        said = completed(APUS, "convert", "-r", folder, "-o", f"{place}/", "--json", *words, status=None).stdout
        files = {str(path.relative_to(place)): path.read_bytes() for path in pathlib.Path(place).rglob("*") if path.is_file()}
    lines = [json.loads(line) for line in said.splitlines()]
    return files, {os.path.relpath(line["input"], folder): line for line in lines if "input" in line}


def stored(place):
    return {name: place.read(name) for name in place.entries() if not name.startswith("_apus/")}


def rows_of(place):
    """The manifest of a job, by its sources."""
    return {row["source"]: row for row in apus.ray.Manifest(place).table().to_pylist()}


def compare(files, said, target, fate=None):
    """What a cluster has made and written down is what one machine makes and says."""
    made = stored(target)
    same("the names of the outputs", sorted(files), sorted(made))
    for name, content in files.items():
        if made[name] != content:
            raise Failure(f"{name}: other bytes than on one machine")
    rows = rows_of(Place(target.url.rstrip("/") + "/_apus", storage=target.storage))
    same("the photos in the manifest", sorted(said), sorted(rows))
    for name, line in said.items():
        row, error = rows[name], line["error"] or {}
        if name == fate:
            same("what became of the photo that ends its worker", ("failed", "crash"), (row["status"], row["error_kind"]))
            continue
        same(f"what became of {name}", (line["status"], error.get("kind"), line["bytes_out"]),
             (row["status"], row["error_kind"], row["bytes"]))
        if error.get("path"):
            same(f"where {name} is broken", f"{error['path']} at byte {error['offset']}", row["error_place"])
        if not error:
            same(f"what is warned of {name}", line["warnings"], row["warnings"])
        same(f"who decodes {name}", "+".join(decoder["name"] for decoder in line["decoders"] if not error) or None, row["decoder"])
    return rows


class Deadly(Place):
    """A place with photos that end whoever reads them."""

    fates = ()

    def read(self, name):
        if name in self.fates:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().read(name)


class Broken(Place):
    """A place that no task can reach."""

    def __setstate__(self, state):
        raise OSError("cannot be reached")


class Together(jobs.Job):
    """A job that begins when others have planned the same."""

    barrier = None

    def plan(self):
        planned = super().plan()
        self.barrier.wait(60)
        return planned


class Store:
    """A server of S3 on loopback, with a bucket."""

    def __init__(self, work):
        self.port = free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self._process = running(sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", self.port, port=self.port,
                                log=work / "moto.log")

    def __enter__(self):
        self._process.__enter__()
        self.place("s3://photos").fs.mkdir("photos")
        self.place("s3://jpegs").fs.mkdir("jpegs")
        return self

    def __exit__(self, *reason):
        self._process.__exit__(*reason)

    def place(self, url):
        return Place(url, self.endpoint)

    def fill(self, url, folder):
        place = self.place(url)
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                place.write(str(path.relative_to(folder)), path.read_bytes(), replaces=True)
