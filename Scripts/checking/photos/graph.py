# SPDX-License-Identifier: MIT
"""graph.py APUS COUNT PHOTO...: so many mutations of the item graphs of photos (always the same ones), each for apus
and for libheif. What libheif refuses and apus converts has to be the picture of the whole file, or be warned of.

Boxes are renamed, their sizes and fields changed, siblings swapped, bits flipped, files cut; one mutation in twenty
is a bit of the coded data. Of those a few decode to another picture in silence, because nobody can notice: each is
confirmed by libde265, which has to see the same. Everything else that differs in silence is a failure, and is kept
in the folder FOUND, where that is set in the environment.
"""

import collections
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import numpy
import picture

PARENTS = {"meta": 4, "iprp": 0, "ipco": 0, "iref": 4, "iinf": None, "grpl": 0, "dinf": 0}
AT_ONCE = 500


class Box:
    def __init__(self, start, size, name, parent):
        self.start, self.size, self.name, self.parent = start, size, name, parent
        self.end = start + size


def boxes(data, start=0, end=None, parent=None):
    """Every box of a file with 32-bit sizes, outermost first."""
    end = len(data) if end is None else end
    found = []
    while start + 8 <= end:
        size = int.from_bytes(data[start : start + 4], "big") or end - start
        if size < 8 or start + size > end:
            break
        box = Box(start, size, data[start + 4 : start + 8].decode("latin-1"), parent)
        found.append(box)
        if box.name in PARENTS:
            skipped = PARENTS[box.name]
            if skipped is None:
                skipped = 6 if data[start + 8] == 0 else 8
            found += boxes(data, start + 8 + skipped, box.end, box)
        start += size
    return found


class Mutator:
    """Makes copies of a photo with something wrong in them."""

    def __init__(self, data, seed):
        self.data, self.random = data, random.Random(seed)
        self.all = boxes(data)
        self.graph = [box for box in self.all if box.name not in ("mdat", "free")]
        self.bodies = [box for box in self.graph if box.name not in PARENTS or box.name in ("iinf", "iref")]
        self.meta = next(box for box in self.all if box.name == "meta")
        self.coded = [box for box in self.all if box.name in ("mdat", "idat") and box.size > 8]

    def mutation(self):
        """What was done, whether to the coded data alone, and the copy."""
        copy = bytearray(self.data)
        if self.coded and self.random.random() < 0.05:
            return self.bit_of_coded(copy), True, bytes(copy)
        kinds = [self.renamed, self.resized, self.field, self.field, self.bits, self.byte, self.swapped, self.zeros, self.cut]
        said = self.random.choice(kinds)(copy)
        return said, False, bytes(copy)

    def renamed(self, copy):
        box = self.random.choice(self.graph)
        place, bit = box.start + 4 + self.random.randrange(4), self.random.randrange(8)
        copy[place] ^= 1 << bit
        return f"{box.name} at {box.start} is called {bytes(copy[box.start + 4 : box.start + 8])}"

    def resized(self, copy):
        box = self.random.choice(self.graph)
        if self.random.random() < 0.5:
            size = box.size + self.random.choice([-16, -8, -4, -2, -1, 1, 2, 4, 8, 12, 16, 20, 28, 32])
        else:
            size = box.size ^ 1 << self.random.randrange(32)
        copy[box.start : box.start + 4] = (size % 2**32).to_bytes(4, "big")
        return f"{box.name} at {box.start} has the size {size}"

    def field(self, copy):
        """A byte of a body becomes another small number: a version, a count, an ID, an index."""
        box = self.random.choice(self.bodies)
        least, most = box.start + 8, min(box.end, box.start + 40)
        if least >= most:
            return self.bits(copy)
        place = self.random.randrange(least, most)
        value = self.random.choice([copy[place] + 1, copy[place] - 1, copy[place] ^ 0x80, self.random.randrange(16)]) % 256
        said = f"byte {place} of {box.name} at {box.start} is {value}, not {copy[place]}"
        copy[place] = value
        return said

    def bits(self, copy):
        places = [self.random.randrange(self.meta.end) for _ in range(self.random.randint(1, 3))]
        for place in places:
            copy[place] ^= 1 << self.random.randrange(8)
        return f"bits of the bytes {places} are flipped"

    def byte(self, copy):
        place = self.random.randrange(self.meta.end)
        copy[place] = self.random.randrange(256)
        return f"byte {place} is {copy[place]}"

    def swapped(self, copy):
        """Two neighbours change places, or names."""
        pairs = [
            (one, other)
            for one, other in zip(self.graph, self.graph[1:])
            if one.parent is other.parent and one.end == other.start and one.parent is not None
        ]
        if not pairs:
            return self.bits(copy)
        one, other = self.random.choice(pairs)
        if self.random.random() < 0.5:
            copy[one.start : other.end] = self.data[other.start : other.end] + self.data[one.start : one.end]
            return f"{one.name} at {one.start} and {other.name} behind it are swapped"
        copy[one.start + 4 : one.start + 8], copy[other.start + 4 : other.start + 8] = (
            self.data[other.start + 4 : other.start + 8],
            self.data[one.start + 4 : one.start + 8],
        )
        return f"{one.name} at {one.start} and {other.name} behind it have each other's names"

    def zeros(self, copy):
        place, count = self.random.randrange(self.meta.end), self.random.choice([1, 2, 4, 8])
        copy[place : place + count] = bytes(min(count, len(copy) - place))
        return f"{count} bytes from {place} are 0"

    def cut(self, copy):
        length = self.random.randrange(len(copy) // 2, len(copy))
        del copy[length:]
        return f"cut to {length} bytes"

    def bit_of_coded(self, copy):
        box = self.random.choice(self.coded)
        place = self.random.randrange(box.start + 8, box.end)
        copy[place] ^= 1 << self.random.randrange(8)
        return f"a bit of byte {place} in {box.name} is flipped"


def converted(apus, folder, *options):
    """What apus made of the photos in a folder, by their names: its reports."""
    done = subprocess.run(
        [apus, "convert", "-r", folder, "--format", "png", "--json", "--on-exists", "replace", *options],
        capture_output=True, text=True, timeout=1800,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"apus ends with {done.returncode}: {done.stderr[-500:]}")
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    return {pathlib.Path(report["input"]).name: report for report in reports if "input" in report}


def samples(path):
    image = picture.decoded(path)
    return image.mode, numpy.asarray(image)


def same(one, other):
    return one[0] == other[0] and one[1].shape == other[1].shape and bool((one[1] == other[1]).all())


def is_confirmed(apus, path):
    """Whether another decoder makes the same picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        one = pathlib.Path(folder, "a.png")
        done = subprocess.run([apus, "convert", path, "-o", one, "--decoder", "libde265"], capture_output=True)
        return done.returncode == 0 and same(samples(one), samples(path.with_suffix(".png")))


def judge(apus, path, report, whole, is_coded):
    """What became of a mutated photo, in a word."""
    if report["status"] != "converted":
        return "refused"
    is_warned = bool(set(report["warnings"]) - whole.warnings)
    is_same = same(samples(path.with_suffix(".png")), whole.samples)
    by_libheif = picture.by_libheif(path)
    if is_same:
        return "same" + (", warned" if is_warned else "")
    if is_warned:
        return "another picture, warned"
    if by_libheif is not None:
        return "another picture, libheif takes it"
    if is_coded and is_confirmed(apus, path):
        return "another picture, confirmed by libde265"
    return "SILENT DIFFERENCE"


class Whole:
    def __init__(self, apus, photo):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, photo.name)
            path.write_bytes(photo.read_bytes())
            report = converted(apus, folder)[photo.name]
            if report["status"] != "converted":
                raise SystemExit(f"{photo} is not converted")
            self.warnings = set(report["warnings"])
            self.samples = samples(path.with_suffix(".png"))
            if picture.by_libheif(path) is None:
                raise SystemExit(f"{photo} is refused by libheif, whose word on its mutations means nothing")


def check(apus, photo, count, counts, failures):
    whole = Whole(apus, photo)
    mutator = Mutator(photo.read_bytes(), photo.name)
    left = count
    while left > 0:
        with tempfile.TemporaryDirectory() as folder:
            made = {}
            for number in range(min(left, AT_ONCE)):
                said, is_coded, copy = mutator.mutation()
                path = pathlib.Path(folder, f"{number}{photo.suffix}")
                path.write_bytes(copy)
                made[path.name] = path, said, is_coded
            left -= len(made)
            reports = converted(apus, folder)
            for name, (path, said, is_coded) in made.items():
                # What no longer looks like a photo at all is passed over by -r.
                verdict = judge(apus, path, reports[name], whole, is_coded) if name in reports else "refused"
                counts[verdict] += 1
                if verdict != "SILENT DIFFERENCE":
                    continue
                failures.append(said)
                print(f"{photo.name}: {said}: {verdict}")
                if "FOUND" in os.environ:
                    kept = pathlib.Path(os.environ["FOUND"], f"{photo.stem}-{len(failures)}{photo.suffix}")
                    kept.write_bytes(path.read_bytes())


def main():
    apus, count, *photos = sys.argv[1:]
    start = time.monotonic()
    counts, failures = collections.Counter(), []
    for index, photo in enumerate(map(pathlib.Path, photos)):
        share = int(count) * (index + 1) // len(photos) - int(count) * index // len(photos)
        check(apus, photo, share, counts, failures)
    for verdict, number in counts.most_common():
        print(f"{number:6} {verdict}")
    total = sum(counts.values())
    print(f"{total} mutations in {time.monotonic() - start:.0f} s, {len(failures)} silent differences")
    sys.exit(1 if failures or not total else 0)


main()
