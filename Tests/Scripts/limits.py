#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SECURITY.md names every limit with its default."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def declared(path):
    """The limits of a file by the names of their options."""
    source = (ROOT / path).read_text()
    defaults = {
        name: eval(value.replace("_", ""), {})  # noqa: S307: an arithmetic expression of our own
        for name, value in re.findall(r"public var (\w+) = ([0-9_ <]+)", source)
    }
    named = {prop: name for name, prop in re.findall(r'\bbody\("([\w-]+)", &(\w+)\)', source)}
    assert defaults and set(defaults) == set(named), (path, sorted(set(defaults) ^ set(named)))
    return {named[prop]: value for prop, value in defaults.items()}


limits = declared("Sources/ApusBytes/Values/Limits.swift") | declared("Sources/HEIF/PlanLimits.swift")
page = (ROOT / "SECURITY.md").read_text()
named = {name: int(value) for name, value in re.findall(r"^\| `([\w-]+)` \| (\d+) \|", page, re.M)}
assert limits == named, sorted(set(limits.items()) ^ set(named.items()))
print(f"{len(named)} limits are documented")
