#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SECURITY.md names every limit with its default."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

source = (ROOT / "Sources/Bytes/Limits.swift").read_text()
declared = {
    name: eval(value.replace("_", ""), {})  # noqa: S307: an arithmetic expression of our own
    for name, value in re.findall(r"public var (\w+) = ([0-9_ <]+)", source)
}
page = (ROOT / "SECURITY.md").read_text()
named = {name: int(value) for name, value in re.findall(r"^\| `(\w+)` \| (\d+) \|", page, re.M)}
assert declared and declared == named, sorted(set(declared.items()) ^ set(named.items()))
print(f"{len(named)} limits are documented")
