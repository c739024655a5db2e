#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus inspect --json`, `apus flv show --json` and `apus hvcc … --json` print for every fixture fits their schemas."""

import copy
import json
import pathlib
import subprocess
import sys

import jsonschema
import os

ROOT = pathlib.Path(__file__).resolve().parents[2]
APUS = os.environ.get("APUS", str(ROOT / "Scripts/apus"))
SCHEMAS = ROOT / "Sources/ApusCommand/Schemas"


def listing(verb, file, *options):
    command = [APUS, *verb, "--json", *options, str(file)]
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


def broken_tags(good):
    """The same for the tags of a file."""

    def change(fault):
        listing = copy.deepcopy(good)
        fault(listing["elements"][1])
        return listing

    yield "a tag without an offset", change(lambda tag: tag.pop("offset"))
    yield "a time that is text", change(lambda tag: tag.update(time="0"))
    yield "an unknown member", change(lambda tag: tag.update(keyframe=True))
    yield "a form that is none", change(lambda tag: tag["packets"][0].update(form="adobe"))
    yield "half of a wrong size", change(lambda tag: tag.update(previous_tag_size=1))


def failures(name, verb, files, options, sample, faults):
    """How many listings do not fit the schema, or broken ones do."""
    schema = json.loads((SCHEMAS / name).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    found = 0
    for file in files:
        for option in options:
            for error in validator.iter_errors(listing(verb, file, *option)):
                found += 1
                print(f"{file.name} {' '.join(option)}: {error.json_path}: {error.message[:200]}")
    for fault, text in faults(listing(verb, sample)):
        if validator.is_valid(text):
            found += 1
            print(f"{name} takes {fault}")
    return found


def records(files):
    """The same for the verbs of `apus hvcc`, of which each has a form of its own."""
    schema = json.loads((SCHEMAS / "hvcc.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    whole = jsonschema.Draft202012Validator(schema)
    found = 0
    forms = {}

    def hold(form, *words):
        nonlocal found
        command = [APUS, "hvcc", *words[:1], "--json", *map(str, words[1:])]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        # What holds no record is an error, and nothing is printed.
        answer = json.loads(done.stdout or "[]")
        if answer in ([], None):
            return
        forms.setdefault(form, answer)
        wanted = {"$ref": "#/$defs/comparison"} if form == "comparison" else {"items": {"$ref": f"#/$defs/{form}"}}
        validator = jsonschema.Draft202012Validator({"$defs": schema["$defs"], **wanted})
        for error in [*validator.iter_errors(answer), *whole.iter_errors(answer)]:
            found += 1
            print(f"hvcc {' '.join(map(str, words))}: {error.json_path}: {error.message[:200]}")

    hold("rule", "check", "--rules")
    hold("comparison", "diff", ROOT / "Fixtures/hvc1.mp4", ROOT / "Fixtures/hvc1-10bit.mp4")
    for file in files:
        hold("record", "show", file)
        hold("finding", "check", file)
    for form in ("rule", "comparison", "record", "finding"):
        good = forms.get(form)
        if good is None:
            found += 1
            print(f"nothing was printed that is a {form}")
            continue
        one = good if form == "comparison" else good[0]
        faults = [{**one, "colour": 1}, *({key: value for key, value in one.items() if key != gone}
                                          for gone in schema["$defs"][form]["required"])]
        for fault in faults:
            if whole.is_valid(fault if form == "comparison" else [fault]):
                found += 1
                print(f"hvcc.schema.json takes a broken {form}: {sorted(fault)}")
    return found


def fixtures(suffixes):
    return [
        file
        for file in sorted((ROOT / "Fixtures").rglob("*"))
        if file.suffix in suffixes and file.parent.name != "misnamed"
    ]


def main():
    boxes = fixtures(SUFFIXES)
    found = failures(
        "inspect.schema.json", ["inspect"], boxes, ([], ["--full"]),
        ROOT / "Fixtures/still-64x48.heic", broken,
    )  # fmt: skip
    tags = fixtures({".flv"})
    found += failures(
        "flv.schema.json", ["flv", "show"], tags, ([], ["--first", "3"]),
        ROOT / "Fixtures/enhanced.flv", broken_tags,
    )  # fmt: skip
    found += records([*boxes, *tags, *fixtures({".hevc"})])
    print(f"{len(boxes) + len(tags)} fixtures listed, {found} failures")
    sys.exit(1 if found or not boxes or not tags else 0)


main()
