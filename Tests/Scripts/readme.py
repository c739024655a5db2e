#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readme.py [--write]: what README.md shows of a command is what the command prints, and its samples of Swift are those
that Tests/Consumer compiles and runs.

With --write the page is corrected.
"""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "README.md"
SAMPLES = ROOT / "Tests/Consumer/Sources/Consumer"
# A comment names the file of the sample.
CODE = re.compile(r"(<!-- (\w+) -->\n```swift\n)(.*?)(?=```)", re.S)
SHOWN = re.compile(r"(```console\n\$ Scripts/apus ([^\n]+)\n)(.*?)(?=```)", re.S)


def rerun(block):
    command = [str(ROOT / "Scripts/apus"), *shlex.split(block[2])]
    done = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True
    )
    return block[1] + done.stdout


def compiled(block):
    return block[1] + sample(block[2])


def sample(name):
    return (SAMPLES / f"{name}.swift").read_text().split("// begin\n")[1].split("// end")[0]


text = PAGE.read_text()
fresh, count = SHOWN.subn(rerun, text)
assert count, "README.md shows no command"
fresh, examples = CODE.subn(compiled, fresh)
hidden = [path.stem for path in SAMPLES.glob("*.swift") if "// begin" in path.read_text() and f"<!-- {path.stem} -->" not in text]
assert examples and not hidden, f"README.md does not show {hidden}"
if "--write" in sys.argv:
    PAGE.write_text(fresh)
elif fresh != text:
    sys.exit("README.md shows something else than apus prints and the tests compile; "
             "Tests/Scripts/readme.py --write mends it")
print(f"{count} commands are shown as they run")
