# SPDX-License-Identifier: MIT
"""Finds the functions that everyday jobs run, in the order in which the jobs need them first.

usage: order.py PROGRAM LIST
"""

import gzip
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import finished, free_port, run, running  # noqa: E402

PHOTOS = ["grid-odd", "exif-xmp", "still-10bit", "orientation-6", "gain-map-tmap", "alpha-straight", "still-p3"]
# The functions that a job adds are placed after those of the jobs before it, so the most frequent jobs come first. Each of
# them has one photo, since of several each is converted in a process of its own, which valgrind does not start.
JOBS = [
    "version",
    "convert {fixtures}/photo.heic -o {work}/photo.jpg",
    *(f"convert {{fixtures}}/{photo}.heic -o {{work}}/{photo}.jpg" for photo in PHOTOS),
    "thumbnail {fixtures}/thumbnail.heic -o {work}/thumbnail.jpg",
    "thumbnail {fixtures}/grid.heic -o {work}/small.jpg",
    "convert {fixtures}/photo.heic -o {work}/photo.png",
    "convert {fixtures}/photo.heic -o {work}/photo.webp",
    "info {fixtures}/photo.heic {fixtures}/hvc1.mp4",
    "info --json {fixtures}/movie.mov",
    "hvcc show {fixtures}/hvc1.mp4",
    "hvcc check {fixtures}/hvc1.mp4",
    "inspect {fixtures}/photo.heic",
    "remux {fixtures}/hvc1.mp4 -o {work}/plain.mp4",
    "remux {fixtures}/movie.mov -o {work}/movie.flv",
    "remux {fixtures}/enhanced.flv -o {work}/enhanced.mp4",
    "remux {fixtures}/fragmented.mp4 -o {work}/hls/index.m3u8",
    "extract --list {fixtures}/depth.heic",
    "export --for legacy {fixtures}/still-p3.heic -o {work}/export/",
    "convert {fixtures}/420.jpg -o {work}/written.heic",
    "flv show {fixtures}/enhanced.flv",
]


class Traced:
    """The program under callgrind, and the functions that were seen so far."""

    def __init__(self, program, work):
        # Without what debuggers read, of which callgrind does not understand all.
        self.program, self.work, self.functions = work / "apus", work, {}
        run("strip", "--strip-debug", "-o", self.program, program)

    def words(self, number, *words):
        return ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={self.work}/{number}.%p", "--quiet",
                self.program, *words]

    def read(self, number):
        """Notes what a job ran that no job before it did."""
        for path in sorted(self.work.glob(f"{number}.*")):
            objects, names, ours = {}, {}, False
            for line in path.read_text(errors="replace").splitlines():
                found = re.fullmatch(r"(c?)(ob|fn)=\((\d+)\)(?: (.+))?", line)
                if not found:
                    continue
                called, kind, key, name = found.groups()
                known = objects if kind == "ob" else names
                if name:
                    known[key] = name
                if called:
                    continue
                if kind == "ob":
                    ours = known[key] == str(self.program)
                elif ours:
                    self.functions.setdefault(known[key], number)

    def ordered(self):
        """The functions by job, and those of one job as they lie in the program."""
        places = {}
        for line in run("nm", "--defined-only", "--numeric-sort", self.program).splitlines():
            place, kind, name = line.split(maxsplit=2)
            if kind in "tTwW":
                places.setdefault(name, int(place, 16))
        return sorted((name for name in self.functions if name in places),
                      key=lambda name: (self.functions[name], places[name], name))


def publish(traced, number, work):
    """A stream from the program to itself, of which each end is followed."""
    port, recording = free_port(), work / "received.flv"
    url = f"rtmp://127.0.0.1:{port}/live/key"
    with running(*traced.words(number, "receive", url, "-o", recording, "--once"), port=port) as server:
        run(*traced.words(number, "stream", FIXTURES / "hvc1.mp4", url))
        finished(server)


def main():
    program, kept = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        traced = Traced(program, work)
        for number, job in enumerate(JOBS):
            words = [word.format(fixtures=FIXTURES, work=work) for word in job.split()]
            before = len(traced.functions)
            run(*traced.words(number, *words))
            traced.read(number)
            print(f"{len(traced.functions) - before:6} functions more: apus {' '.join(words[:2])}", flush=True)
        publish(traced, len(JOBS), work)
        traced.read(len(JOBS))
        names = traced.ordered()
    kept.write_bytes(gzip.compress("".join(f"{name}\n" for name in names).encode(), 9, mtime=0))
    print(f"{len(names)} functions in {kept.stat().st_size} bytes")


main()
