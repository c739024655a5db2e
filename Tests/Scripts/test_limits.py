# SPDX-License-Identifier: MIT
"""SECURITY.md names every limit with its default."""

import re

from programs import ROOT


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


def test_the_page_about_security_names_every_limit_with_its_default():
    limits = declared("Sources/ApusBytes/Values/Limits.swift") | declared("Sources/HEIF/PlanLimits.swift")
    page = (ROOT / "SECURITY.md").read_text()
    named = {name: int(value) for name, value in re.findall(r"^\| `([\w-]+)` \| (\d+) \|", page, re.M)}
    assert limits == named
