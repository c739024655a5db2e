#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every fuzz target begins with something, and the inputs that are kept for targets are small."""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUZZ = ROOT / "Tests/Fuzz"

targets = {file.stem for file in [*FUZZ.glob("*.swift"), *FUZZ.glob("*.c")]} - {"Entry", "Ledger"}
archives = {file.stem: file for file in (FUZZ / "Seeds").glob("*")}
assert set(archives) <= targets, sorted(set(archives) - targets)
count = 0
for archive in archives.values():
    with zipfile.ZipFile(archive) as seeds:
        assert seeds.testzip() is None and seeds.namelist(), archive
        for name in seeds.namelist():
            data = seeds.read(name)
            assert hashlib.sha256(data).hexdigest().startswith(name) and 0 < len(data) <= 4096, (archive, name)
            count += 1
size = sum(file.stat().st_size for file in archives.values())
assert size < 600_000, f"the archives have {size} bytes"

for target in sorted(targets):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ROOT / "Scripts/checking/seeds.py", target, folder, ROOT / "Fixtures"], check=True)
        assert any(pathlib.Path(folder).iterdir()), f"{target} begins with nothing"
print(f"{count} seeds are kept for {len(archives)} of {len(targets)} targets, {size} bytes")
