#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fixtures/README.md names every fixture with the digest that it has, and no other."""

import hashlib
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"

page = (FOLDER / "README.md").read_text()
named = dict(re.findall(r"^### (\S+)\n\n.*?sha256 `([0-9a-f]{64})`", page, re.M | re.S))
there = {
    str(file.relative_to(FOLDER)): hashlib.sha256(file.read_bytes()).hexdigest()
    for file in FOLDER.rglob("*")
    if file.is_file() and file.suffix != ".md" and file.parent.name != "crashes"
}
assert named == there, sorted(set(named.items()) ^ set(there.items()))

crashes = (FOLDER / "crashes/README.md").read_text()
for file in (FOLDER / "crashes").iterdir():
    named = file.name == "README.md" or f"`{file.name}`" in crashes
    assert named, f"crashes/README.md says nothing about {file.name}"

size = sum((FOLDER / name).stat().st_size for name in there)
assert size < 600_000, f"the folder has {size} bytes"
print(f"{len(there)} fixtures, {size} bytes")
