#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""readme.py [--write]: what README.md shows of commands is what they print, it has a row for every verb, and the samples of
Swift in it and on the pages of the libraries are those that Tests/Consumer compiles and runs.

With --write the commands and samples are corrected.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
APUS = pathlib.Path(os.environ.get("APUS", ROOT / ".build/release/apus")).resolve()
PAGE = ROOT / "README.md"
SAMPLES = ROOT / "Tests/Consumer/Sources/Consumer"
# A comment names the file of the sample.
CODE = re.compile(r"(<!-- (\w+) -->\n```swift\n)(.*?)(?=```)", re.S)
SHOWN = re.compile(r"(?<=```console\n)(.*?)(?=```)", re.S)
VERBS = re.compile(r"^\| verb \| job \|\n(.*?)\n\n", re.M | re.S)
# No row says more.
MOST_WORDS = 12


def run(command, folder):
    """What a command prints as its result. Each has to succeed; messages such as how long it took are not shown."""
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        env={**os.environ, "PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}"})
    if done.returncode:
        sys.exit(f"{command}: {done.returncode} {done.stdout}{done.stderr}")
    return done.stdout


def shown(page, folder):
    """The page with what its commands print, one after the other among the fixtures."""
    def rerun(block):
        lines = [line for line in block[0].splitlines(keepends=True) if line.startswith(("$ ", "# "))]
        return "".join(line + run(line[2:], folder) if line[0] == "$" else line for line in lines)

    return SHOWN.subn(rerun, page)


def sample(block):
    return block[1] + (SAMPLES / f"{block[2]}.swift").read_text().split("// begin\n")[1].split("// end")[0]


def check_verbs(page, folder):
    named = set()
    for row in VERBS.search(page)[1].splitlines()[1:]:
        verbs, job = (cell.strip() for cell in row.strip("|").split("|"))
        assert len(job.split()) <= MOST_WORDS, f"more than {MOST_WORDS} words: {job}"
        first, *others = re.findall(r"`([^`]+)`", verbs)
        group = first.split()[:-1]
        named |= {first, *(verb if " " in verb else " ".join([*group, verb]) for verb in others)}
    listed = set(run("apus man --list", folder).splitlines())
    # A group of verbs has a manual page, too.
    listed -= {verb.split()[0] for verb in listed if " " in verb}
    assert named == listed, f"the rows of README.md and the verbs differ in {sorted(named ^ listed)}"


def main():
    wrong, samples = [], set()
    pages = [PAGE, *sorted(ROOT.glob("Sources/*/*.docc/*.md"))]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work, "Fixtures")
        shutil.copytree(ROOT / "Fixtures", folder)
        (folder.parent / "bin").mkdir()
        (folder.parent / "bin/apus").symlink_to(APUS)
        check_verbs(PAGE.read_text(), folder)
        for page in pages:
            text = page.read_text()
            fresh, count = shown(text, folder) if page == PAGE else (text, 0)
            assert page != PAGE or count and "\n$ apus " in text, "README.md shows no command"
            samples |= {name for _, name, _ in CODE.findall(fresh)}
            fresh = CODE.sub(sample, fresh)
            if "--write" in sys.argv:
                page.write_text(fresh)
            elif fresh != text:
                wrong.append(str(page.relative_to(ROOT)))
    hidden = {path.stem for path in SAMPLES.glob("*.swift") if "// begin" in path.read_text()} - samples
    assert samples and not hidden, f"no page shows {sorted(hidden)}"
    if wrong:
        sys.exit(f"{', '.join(wrong)}: not what apus prints and the tests compile; Tests/Scripts/readme.py --write corrects it")
    print(f"README.md shows commands as they run, and {len(samples)} samples are those that are compiled")


main()
