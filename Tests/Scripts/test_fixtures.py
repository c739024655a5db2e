# SPDX-License-Identifier: MIT
"""Fixtures/README.md names every fixture with the digest that it has, and no other."""

import hashlib
import re

from programs import FIXTURES


def test_the_page_names_every_fixture_with_its_digest():
    page = (FIXTURES / "README.md").read_text()
    named = dict(re.findall(r"^### (\S+)\n\n.*?sha256 `([0-9a-f]{64})`", page, re.M | re.S))
    files = [file for file in FIXTURES.rglob("*") if file.is_file() and file.suffix != ".md" and file.parent.name != "crashes"]
    assert named == {str(file.relative_to(FIXTURES)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    assert sum(file.stat().st_size for file in files) < 600_000


def test_the_page_of_crashes_names_every_file():
    page = (FIXTURES / "crashes/README.md").read_text()
    names = {file.name for file in (FIXTURES / "crashes").iterdir()} - {"README.md"}
    assert not [name for name in names if f"`{name}`" not in page]
