# SPDX-License-Identifier: MIT
"""Script tests that are still programs of their own: each ends with 0 if everything holds."""

import pathlib

import pytest

from programs import completed

pytestmark = pytest.mark.apart


@pytest.mark.parametrize("path", [
    pytest.param(path, id=path.name) for path in sorted(pathlib.Path(__file__).parent.glob("*.*"), key=lambda path: -path.stat().st_size)
    if path.suffix in (".py", ".sh") and not path.name.startswith(("test_", "conftest"))])
def test_a_program_ends_with_0(path):
    done = completed(path, status=None, seconds=3600)
    print(done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), sep="\n")
    assert done.returncode == 0
