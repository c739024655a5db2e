#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions that everyday jobs run lie next to each other in the program, as Scripts/packaging/order.gz lists them."""

import gzip
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "Scripts/packaging/order.gz"
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, run  # noqa: E402

# How many of the listed functions the program has at least; fewer, and it is time for Scripts/order.
KNOWN = 0.7
# In which part of its code all of them lie at most.
PART = 0.5


def main():
    # Scripts/apus, for which APUS may stand, builds the program that is read.
    run(APUS, "version")
    program = ROOT / ".build/release/apus"
    places, last = {}, 0
    for line in run("nm", "--defined-only", "--numeric-sort", program).splitlines():
        place, kind, name = line.split(maxsplit=2)
        if kind in "tTwW":
            places.setdefault(name, int(place, 16))
            last = int(place, 16)
    names = gzip.decompress(LIST.read_bytes()).decode().split()
    found = [places[name] for name in names if name in places]
    print(f"{len(found)} of {len(names)} functions are in the program")
    if len(found) < KNOWN * len(names):
        sys.exit("the list is out of date; run Scripts/order")
    first = min(places.values())
    part = (max(found) - first) / (last - first)
    print(f"they lie in {part:.0%} of its code")
    if part > PART:
        sys.exit("the linker has not placed them next to each other")


main()
