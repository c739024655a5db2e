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
    ("let words = CommandLine.arguments", [], True),
    ("let words = commandLineWords()", [], False),
]

# (a line below an import of the C library, whether it hands a path to the system)
CALLS = [
    ("let file = unsafe open(path, O_RDONLY)", True),
    ("guard unsafe stat(path, &status) == 0 else { return }", True),
    ("guard ok, unsafe name != x && access(name, F_OK) == 0 else { return }", True),
    ("_ = unsafe Glibc.unlink(path)", True),
    ("// let file = unsafe open(path, O_RDONLY)", False),
    ("let file = FileSystem.open(path, O_RDONLY)", False),
    ("let image = try unsafe decoder.open(bytes)", False),
    ("let name = unsafe spng_open(bytes)", False),
    ("unsafe fstat(descriptor, &status)", False),
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

for line, is_problem in CALLS:
    for text, counts in ((f"import Glibc\n{line}\n", True), (f"{line}\n", False)):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "File.swift"
            path.write_text(text)
            found = list(imports.path_problems(path, path))
            assert bool(found) == (is_problem and counts), (text, found)

# (files of a target, the folders that form a circle)
FOLDERS = [
    ({"A/One.swift": "struct One { let two: Two }", "B/Two.swift": "struct Two {}"}, []),
    ({"A/One.swift": "struct One { let two: Two }", "B/Two.swift": "struct Two { var one: [One] }"}, ["A", "B"]),
    ({"A/One.swift": "struct One { let two: Two }", "B/Two.swift": "import One\n// One\nstruct Two {}"}, []),
    ({"A/In/One.swift": "struct One { let two: Two }", "A/Two.swift": "struct Two { var one: [One] }"}, []),
    ({"A/One.swift": "enum One {}\nlet two = Two()", "B/Two.swift": "package struct Two {}\nfunc f(_: Three) {}",
      "C/Three.swift": "public final class Three: Four {}\nlet one = One.self", "D/Four.swift": "protocol Four {}"},
     ["A", "B", "C"]),
]

for files, circle in FOLDERS:
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder)
        for name, text in files.items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_text(text + "\n")
        found = imports.folder_circles(target)
        assert found == circle, (files, found)

with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "Sources/Stray").mkdir(parents=True)
    assert len(list(imports.problems(allowed, root, {}))) == 4

# (what a file of a product says, whether it mentions what is no product)
MENTIONS = [
    ("public import Low", False),
    ("public import Hidden", True),
    ("@preconcurrency public import struct Hidden.Thing", True),
    ("internal import Hidden", False),
    ("public import Synchronization", False),
]
for text, is_problem in MENTIONS:
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "Sources/High").mkdir(parents=True)
        (root / "Sources/High/File.swift").write_text(text + "\n")
        found = list(imports.product_problems(root, {"Low", "High"}))
        assert bool(found) == is_problem, (text, found)
