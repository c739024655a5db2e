# SPDX-License-Identifier: MIT
"""Every fuzz target begins with something, and the inputs that are kept for targets are small."""

import hashlib
import sys
import zipfile

import pytest

from programs import FIXTURES, ROOT, run

FUZZ = ROOT / "Tests/Fuzz"
TARGETS = sorted({file.stem for file in [*FUZZ.glob("*.swift"), *FUZZ.glob("*.c")]} - {"Entry", "Ledger"})
ARCHIVES = sorted((FUZZ / "Seeds").glob("*"))

pytestmark = pytest.mark.apart


def test_archives_are_of_targets_and_small():
    assert {archive.stem for archive in ARCHIVES} <= set(TARGETS)
    assert sum(archive.stat().st_size for archive in ARCHIVES) < 600_000


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: path.stem)
def test_kept_seeds_are_small_and_named_by_their_digest(archive):
    with zipfile.ZipFile(archive) as seeds:
        assert seeds.testzip() is None and seeds.namelist()
        for name in seeds.namelist():
            data = seeds.read(name)
            assert hashlib.sha256(data).hexdigest().startswith(name) and 0 < len(data) <= 4096, name


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_begins_with_something(folder, target):
    run(sys.executable, ROOT / "Scripts/checking/seeds.py", target, folder, FIXTURES)
    assert any(folder.iterdir())
