# SPDX-License-Identifier: MIT
"""Two runs over one folder at the same time: every photo is converted once, and what the other run has made is skipped.
A source that the other run has removed since the folder was listed is the only thing that may fail."""

import json
import subprocess

import pytest

from programs import APUS, DEADLINE, FIXTURES

pytestmark = pytest.mark.apart

PHOTO = (FIXTURES / "photo.heic").read_bytes()
COUNT = 60
RUNS = 2


def together(folder, *words):
    """What the runs report of each photo, by its name."""
    runs = [
        subprocess.Popen([APUS, "convert", "-r", "in", "-o", "out/", "--json", *words], cwd=folder,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(RUNS)
    ]  # fmt: skip
    told = {}
    for run in runs:
        output, errors = run.communicate(timeout=DEADLINE)
        lines = [line for line in map(json.loads, output.splitlines()) if "status" in line]
        failed = [line["error"]["message"] for line in lines if line["status"] == "failed"]
        may_fail = "--remove-source" in words and all("No such file" in message for message in failed)
        assert run.returncode in ((0, 1, 3) if may_fail else (0, 3)), f"{words}: status {run.returncode}: {errors[-500:]}"
        assert may_fail or not failed, f"{words}: {failed}"
        for line in lines:
            if line["status"] != "failed":
                told.setdefault(line["input"], []).append(line)
    return told


@pytest.mark.parametrize("words", [[], ["-j", "1"], ["--isolate"], ["--remove-source", "--verify"]])
def test_two_runs_over_one_folder_convert_every_photo_once(folder, words):
    source, out = folder / "in", folder / "out"
    source.mkdir()
    for number in range(COUNT):
        (source / f"{number}.heic").write_bytes(PHOTO)
    told = together(folder, *words)
    made = {path.stem for path in out.iterdir()}
    assert made == {str(number) for number in range(COUNT)}, f"{words}: {COUNT - len(made)} outputs are missing"
    for name, lines in told.items():
        converted = [line for line in lines if line["status"] == "converted"]
        assert len(converted) == 1, f"{words}: {name} was converted {len(converted)} times"
    assert len({path.read_bytes() for path in out.iterdir()}) == 1, f"{words}: outputs differ"
    assert not [path for path in out.iterdir() if path.name.startswith(".")], f"{words}: something is left over"
    left = len(list(source.iterdir()))
    assert left == (0 if "--remove-source" in words else COUNT), f"{words}: {left} sources are there"
