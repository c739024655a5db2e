#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The import check finds what it is there to find."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
SCRIPT = str(pathlib.Path(__file__).resolve().parents[2] / "Scripts/imports")
loader = importlib.machinery.SourceFileLoader("imports", SCRIPT)
imports = importlib.util.module_from_spec(importlib.util.spec_from_loader("imports", loader))
loader.exec_module(imports)

TABLE = """
| target | what lives there | imports |
|---|---|---|
| `Low` `Other` | words | nothing |
| `High` | more words | Low Glibc |

| another | table | imports |
|---|---|---|
| `None` | at all | High |
"""

# (what a file of Low says, what the manifest says of Low, whether that is a problem)
ROWS = [
    ("struct Plain {}", [], False),
    ("import Synchronization", [], False),
    ("// import High", [], False),
    ("import High", [], True),
    ("public import High", [], True),
    ("@testable internal import struct High.Thing", [], True),
    ("  import Glibc", [], True),
    ("internal import Foundation", [], True),
    ("struct Plain {}", ["High"], True),
]

allowed = imports.allowed_imports(TABLE)
assert allowed == {"Low": set(), "Other": set(), "High": {"Low", "Glibc"}}, allowed
for text, dependencies, is_problem in ROWS:
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in allowed:
            (root / "Sources" / name).mkdir(parents=True)
        (root / "Sources/Low/File.swift").write_text(text + "\n")
        found = list(imports.problems(allowed, root, {"Low": set(dependencies)}))
        assert bool(found) == is_problem, (text, dependencies, found)

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "Sources/Stray").mkdir(parents=True)
    assert len(list(imports.problems(allowed, root, {}))) == 4
