#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readme.py: writes what the commands in README.md print, and the samples of Swift in it and on the pages of the libraries.

The program is apus, or $APUS. Tests/Scripts/test_readme.py fails if a page is not as this would write it."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "README.md"
PAGES = [PAGE, *sorted(ROOT.glob("Sources/*/*.docc/*.md"))]
SAMPLES = ROOT / "Tests/Consumer/Sources/Consumer"
# A comment names the file of the sample.
CODE = re.compile(r"(<!-- (\w+) -->\n```swift\n)(.*?)(?=```)", re.S)
SHOWN = re.compile(r"(?<=```console\n)(.*?)(?=```)", re.S)


def prepare(work, apus):
    """Makes a folder with a copy of the fixtures, and one with the program; returns the former."""
    folder = work / "Fixtures"
    shutil.copytree(ROOT / "Fixtures", folder)
    (work / "bin").mkdir()
    (work / "bin/apus").symlink_to(pathlib.Path(apus).resolve())
    return folder


def run(command, folder):
    """Returns the standard output of a command, which must succeed; messages such as the duration are not shown."""
    path = f"{folder.parent / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env={**os.environ, "PATH": path})
    if done.returncode:
        raise SystemExit(f"{command}: {done.returncode} {done.stdout}{done.stderr}")
    return done.stdout


def fresh(page, folder):
    """Returns a page with the output of its commands, run in turn among the fixtures, and with its samples."""
    def rerun(block):
        lines = [line for line in block[0].splitlines(keepends=True) if line.startswith(("$ ", "# "))]
        return "".join(line + run(line[2:], folder) if line[0] == "$" else line for line in lines)

    text = page.read_text()
    if page == PAGE:
        text = SHOWN.sub(rerun, text)
    return CODE.sub(sample, text)


def sample(block):
    return block[1] + (SAMPLES / f"{block[2]}.swift").read_text().split("// begin\n")[1].split("// end")[0]


def main():
    apus = os.environ.get("APUS", ROOT / ".build/release/apus")
    with tempfile.TemporaryDirectory() as work:
        folder = prepare(pathlib.Path(work), apus)
        for page in PAGES:
            page.write_text(fresh(page, folder))


if __name__ == "__main__":
    main()
