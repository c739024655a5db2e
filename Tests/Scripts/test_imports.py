# SPDX-License-Identifier: MIT
"""The import check finds what it is there to find."""

import importlib.machinery
import importlib.util

import pytest

from programs import ROOT

loader = importlib.machinery.SourceFileLoader("imports", str(ROOT / "Scripts/imports"))
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

# A line of a file of Low, what the manifest says of Low, and whether that is a problem.
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

# A line below an import of the C library, and whether it hands a path to the system.
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

ALLOWED = imports.allowed_imports(TABLE)


def test_the_table_is_read():
    assert ALLOWED == {"Low": set(), "Other": set(), "High": {"Low", "Glibc"}}


@pytest.mark.parametrize("text, dependencies, is_problem", ROWS)
def test_an_import_or_a_dependency_that_the_table_does_not_allow_is_found(folder, text, dependencies, is_problem):
    for name in ALLOWED:
        (folder / "Sources" / name).mkdir(parents=True)
    (folder / "Sources/Low/File.swift").write_text(text + "\n")
    found = list(imports.problems(ALLOWED, folder, {"Low": set(dependencies)}))
    assert bool(found) == is_problem, found


@pytest.mark.parametrize("line, is_problem", CALLS)
@pytest.mark.parametrize("head, counts", [("import Glibc\n", True), ("", False)])
def test_a_path_that_is_handed_to_the_system_is_found(folder, line, is_problem, head, counts):
    path = folder / "File.swift"
    path.write_text(f"{head}{line}\n")
    found = list(imports.path_problems(path, path))
    assert bool(found) == (is_problem and counts), found


# Files of a target, and the folders that form a circle.
FOLDERS = [
    ({"A/One.swift": "struct One { let two: Two }", "B/Two.swift": "struct Two {}"}, []),
    ({"A/One.swift": "struct One { let two: Two }", "B/Two.swift": "struct Two { var one: [One] }"}, ["A", "B"]),
    ({"A/One.swift": "struct One { let two: Two }", "B/Two.swift": "import One\n// One\nstruct Two {}"}, []),
    ({"A/In/One.swift": "struct One { let two: Two }", "A/Two.swift": "struct Two { var one: [One] }"}, []),
    ({"A/One.swift": "enum One {}\nlet two = Two()", "B/Two.swift": "package struct Two {}\nfunc f(_: Three) {}",
      "C/Three.swift": "public final class Three: Four {}\nlet one = One.self", "D/Four.swift": "protocol Four {}"},
     ["A", "B", "C"]),
]


@pytest.mark.parametrize("files, circle", FOLDERS)
def test_a_circle_of_folders_is_found(folder, files, circle):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + "\n")
    assert imports.folder_circles(folder) == circle


def test_targets_that_the_table_does_not_have_or_that_are_missing_are_found(folder):
    (folder / "Sources/Stray").mkdir(parents=True)
    assert len(list(imports.problems(ALLOWED, folder, {}))) == 4


# A line of a file of a product, and whether it mentions what is no product.
MENTIONS = [
    ("public import Low", False),
    ("public import Hidden", True),
    ("@preconcurrency public import struct Hidden.Thing", True),
    ("internal import Hidden", False),
    ("public import Synchronization", False),
]


@pytest.mark.parametrize("text, is_problem", MENTIONS)
def test_a_module_that_is_no_product_is_found_in_public_declarations(folder, text, is_problem):
    (folder / "Sources/High").mkdir(parents=True)
    (folder / "Sources/High/File.swift").write_text(text + "\n")
    assert bool(list(imports.product_problems(folder, {"Low", "High"}))) == is_problem
