#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus convert --json` prints for photos that convert, fail, stay and are many fits its schema."""

import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import jsonschema
import os

ROOT = pathlib.Path(__file__).resolve().parents[2]
APUS = os.environ.get("APUS", str(ROOT / "Scripts/apus"))
SCHEMA = ROOT / "Sources/ApusCommand/Schemas/convert.schema.json"


def reports(folder, *words):
    command = [APUS, "convert", "--json", "-o", f"{folder}/", *map(str, words)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    counts = lines[-1]["summary"]
    broken = counts["failed"] + counts["salvaged"]
    expected = 1 if broken else 0 if counts["converted"] else 3
    if done.returncode != expected:
        print(f"{' '.join(map(str, words))}: status {done.returncode}, not {expected}")
        return lines, 1
    for status in ("converted", "skipped", "failed", "salvaged"):
        if counts[status] != sum(line.get("status") == status for line in lines):
            print(f"{' '.join(map(str, words))}: not {counts[status]} were {status}")
            return lines, 1
    return lines, 0


def plans(folder, *photos):
    command = [APUS, "convert", "--json", "--dry-run", "--remove-source", "-o", f"{folder}/"]
    done = subprocess.run([*command, *map(str, photos)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.splitlines()]


def faults(lines):
    """A line with one fault each: the schema must refuse all of them."""

    def change(line, **values):
        line = copy.deepcopy(line)
        line.update(values)
        return line

    converted = next(line for line in lines if line.get("status") == "converted")
    failed = next(line for line in lines if line.get("status") == "failed")
    yield "a status of its own", change(converted, status="done")
    yield "a failure without a reason", change(failed, error=None)
    yield "a reason without a failure", change(converted, error=failed["error"])
    yield "a width that is text", change(converted, width="96")
    yield "an unknown member", change(converted, quality=90)
    removed = next(line for line in lines if line.get("source", {}).get("removed"))
    yield "a source without reasons", change(removed, source={"removed": True})
    yield "a reason of its own", change(removed, source={"removed": False, "reasons": [{"kind": "x", "message": "x"}]})
    yield "a summary with a status", change(lines[-1], status="converted")


def main():
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = 0
    photos = sorted((ROOT / "Fixtures").glob("*.heic"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        whole = (ROOT / "Fixtures/still-96x72.heic").read_bytes()
        (folder / "cut.heic").write_bytes(whole[:-100])
        (folder / "head.heic").write_bytes(whole[:40])
        shutil.copy(ROOT / "Fixtures/hvc1.mp4", folder / "movie.heic")
        (folder / "text.heic").write_text("no photo\n")
        odd = sorted(folder.glob("*.heic"))
        copies = [pathlib.Path(shutil.copy(photo, folder / f"copy-{photo.name}")) for photo in photos]
        every = []
        for words in (
            [*photos, *odd, folder / "gone.heic"],
            photos,
            ["--on-exists", "replace", "--images", "all", "--salvage", *photos, *odd],
            ["--on-exists", "replace", "--isolate", *photos[:4], *odd],
            ["--on-exists", "replace", "--remove-source", *copies],
        ):
            lines, wrong = reports(folder / "out", *words)
            failures += wrong
            every += lines
        sources = [line["source"] for line in every if "source" in line]
        if {source["removed"] for source in sources} != {True, False} or len(sources) != len(copies):
            failures += 1
            print("not every photo that was to be removed has a source, or all were removed, or none")
        every = plans(folder / "out", *photos, *odd) + every
        for line in every:
            for error in validator.iter_errors(line):
                failures += 1
                print(f"{line.get('input')}: {error.json_path}: {error.message[:200]}")
        for fault, line in faults(every):
            if validator.is_valid(line):
                failures += 1
                print(f"the schema takes {fault}")
    print(f"{len(every)} reports, {failures} failures")
    sys.exit(1 if failures or not every else 0)


main()
