#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus inspect --json` prints for every fixture fits its schema."""

import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "Sources/apus/Schemas/inspect.schema.json"


def listing(file, *options):
    command = [str(ROOT / "Scripts/apus"), "inspect", "--json", *options, str(file)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def broken(good):
    """The listing with one fault each: the schema must refuse all of them."""

    def change(fault):
        listing = copy.deepcopy(good)
        fault(listing)
        return listing

    first = lambda listing: listing["boxes"][0]  # noqa: E731
    yield "a box without an offset", change(lambda listing: first(listing).pop("offset"))
    yield "a size that is text", change(lambda listing: first(listing).update(size="28"))
    yield "an unknown member", change(lambda listing: first(listing).update(kind="ftyp"))
    yield "a version without flags", change(lambda listing: first(listing).update(version=0))
    yield "null without a count", change(lambda listing: first(listing)["fields"][0].update(value=None))
    yield "no findings", change(lambda listing: listing.pop("findings"))


# Not everything in `misnamed` is ISO-BMFF.
SUFFIXES = {".heic", ".heics", ".avci", ".mp4", ".mov", ".m4v", ".ismv"}


def main():
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = 0
    files = [
        file
        for file in sorted((ROOT / "Fixtures").rglob("*"))
        if file.suffix in SUFFIXES and file.parent.name != "misnamed"
    ]
    for file in files:
        for options in ([], ["--full"]):
            for error in validator.iter_errors(listing(file, *options)):
                failures += 1
                print(f"{file.name} {' '.join(options)}: {error.json_path}: {error.message[:200]}")
    for fault, text in broken(listing(ROOT / "Fixtures/still-64x48.heic")):
        if validator.is_valid(text):
            failures += 1
            print(f"the schema takes {fault}")
    print(f"{len(files)} fixtures listed, {failures} failures")
    sys.exit(1 if failures or not files else 0)


main()
