#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readme.py [--write]: what README.md shows of a command is what the command prints, and the example of the
library is the one that the tests compile.

With --write the page is corrected.
"""

import pathlib
import re
import shlex
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "README.md"
EXAMPLE = ROOT / "Tests/StillsTests/ReadmeExample.swift"
CODE = re.compile(r"(```swift\nimport Stills\n\n)(.*?)(?=```)", re.S)
SHOWN = re.compile(r"(```console\n\$ Scripts/apus ([^\n]+)\n)(.*?)(?=```)", re.S)


def rerun(block):
    command = [str(ROOT / "Scripts/apus"), *shlex.split(block[2])]
    done = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True
    )
    return block[1] + done.stdout


def compiled():
    lines = EXAMPLE.read_text().split("// begin\n")[1].split("  // end")[0]
    return textwrap.dedent(lines)


text = PAGE.read_text()
fresh, count = SHOWN.subn(rerun, text)
assert count, "README.md shows no command"
fresh, examples = CODE.subn(lambda block: block[1] + compiled(), fresh)
assert examples == 1, "README.md shows no example of the library Stills"
if "--write" in sys.argv:
    PAGE.write_text(fresh)
elif fresh != text:
    sys.exit("README.md shows something else than apus prints and the tests compile; "
             "Tests/Scripts/readme.py --write mends it")
print(f"{count} commands are shown as they run")
