# SPDX-License-Identifier: MIT
"""What `apus convert --json` prints for photos that convert, fail, stay and are many fits its schema."""

import copy
import json
import pathlib
import shutil

import pytest

import jsonschema

from programs import APUS, FIXTURES, SCHEMAS, completed

# Members of summaries that count lines.
STATUSES = ("converted", "skipped", "failed", "salvaged")


def reports(out, *words):
    """The lines of a run, whose summary and status are those of its lines."""
    done = completed(APUS, "convert", "--json", "-o", f"{out}/", *words, status=None)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    counts = lines[-1]["summary"]
    broken = counts["failed"] + counts["salvaged"]
    assert done.returncode == (1 if broken else 0 if counts["converted"] else 3), words
    assert {status: counts[status] for status in STATUSES} == {
        status: sum(line.get("status") == status for line in lines) for status in STATUSES}, words
    return lines


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


@pytest.fixture(scope="module")
def validator():
    schema = json.loads((SCHEMAS / "convert.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def lines(work):
    """The lines of several runs, and of one that is only planned."""
    photos, whole = sorted(FIXTURES.glob("*.heic")), (FIXTURES / "still-96x72.heic").read_bytes()
    (work / "cut.heic").write_bytes(whole[:-100])
    (work / "head.heic").write_bytes(whole[:40])
    shutil.copy(FIXTURES / "hvc1.mp4", work / "movie.heic")
    (work / "text.heic").write_text("no photo\n")
    odd = sorted(work.glob("*.heic"))
    copies = [pathlib.Path(shutil.copy(photo, work / f"copy-{photo.name}")) for photo in photos]
    out, found = work / "out", []
    for words in (
        [*photos, *odd, work / "gone.heic"],
        photos,
        ["--on-exists", "replace", "--images", "all", "--salvage", *photos, *odd],
        ["--on-exists", "replace", "--isolate", *photos[:4], *odd],
        ["--on-exists", "replace", "--remove-source", *copies],
    ):
        found += reports(out, *words)
    sources = [line["source"] for line in found if "source" in line]
    assert {source["removed"] for source in sources} == {True, False} and len(sources) == len(copies), \
        "not every photo that was to be removed has a source, or all were removed, or none"
    planned = completed(APUS, "convert", "--json", "--dry-run", "--remove-source", "-o", f"{out}/", *photos, *odd, status=None)
    return [json.loads(line) for line in planned.stdout.splitlines()] + found


def test_every_line_fits_the_schema(lines, validator):
    wrong = [f"{line.get('input')}: {error.json_path}: {error.message[:200]}"
             for line in lines for error in validator.iter_errors(line)]
    assert lines and not wrong


def test_the_schema_refuses_every_fault(lines, validator):
    assert not [fault for fault, line in faults(lines) if validator.is_valid(line)]
