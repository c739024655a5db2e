# SPDX-License-Identifier: MIT
"""The Python package gives the bytes and the samples of the command, stands in for pillow_heif, and fails with reasons."""

import re

import pytest

from programs import ROOT

# Not imported when cases are collected: it loads the library.
CASES = re.findall(r"^def check_(\w+)\(work\):", (ROOT / "Tests/Peers/pythoncases.py").read_text(), re.M)


@pytest.fixture(scope="module")
def cases(bindings):
    import pythoncases
    return pythoncases


@pytest.mark.parametrize("name", CASES)
def test_the_package_is_right(cases, folder, name):
    getattr(cases, f"check_{name}")(folder)
