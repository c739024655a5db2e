# SPDX-License-Identifier: MIT
"""What `apus inspect --json`, `apus flv show --json` and `apus hvcc … --json` print for every fixture fits their schemas."""

import copy
import functools
import json
import pathlib

import pytest

import jsonschema

from programs import APUS, FIXTURES, SCHEMAS, completed, printed

# Not everything in `misnamed` is ISO-BMFF.
SUFFIXES = {".heic", ".heics", ".avci", ".mp4", ".mov", ".m4v", ".ismv"}


def fixtures(suffixes):
    return [file for file in sorted(FIXTURES.rglob("*")) if file.suffix in suffixes and file.parent.name != "misnamed"]


BOXES, TAGS = fixtures(SUFFIXES), fixtures({".flv"})
NAMED = lambda value: str(value.relative_to(FIXTURES)) if isinstance(value, pathlib.Path) else None  # noqa: E731


def listing(verb, file, *options):
    return json.loads(printed(APUS, *verb, "--json", *options, file))


@functools.cache
def validator_of(name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def problems(validator, answer):
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(answer)]


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


def test_there_are_fixtures():
    assert BOXES and TAGS


@pytest.mark.parametrize("options", [[], ["--full"]], ids=["brief", "full"])
@pytest.mark.parametrize("file", BOXES, ids=NAMED)
def test_a_listing_of_boxes_fits_its_schema(file, options):
    assert not problems(validator_of("inspect"), listing(["inspect"], file, *options))


@pytest.mark.parametrize("options", [[], ["--first", "3"]], ids=["all", "first"])
@pytest.mark.parametrize("file", TAGS, ids=NAMED)
def test_a_listing_of_tags_fits_its_schema(file, options):
    assert not problems(validator_of("flv"), listing(["flv", "show"], file, *options))


@pytest.mark.parametrize("name, verb, sample, faults", [
    ("inspect", ["inspect"], "still-64x48.heic", broken), ("flv", ["flv", "show"], "enhanced.flv", broken_tags),
])
def test_a_schema_refuses_a_listing_with_one_fault(name, verb, sample, faults):
    accepted = [fault for fault, text in faults(listing(verb, FIXTURES / sample)) if validator_of(name).is_valid(text)]
    assert not accepted


def answers(form, *words):
    """What a verb of `apus hvcc` prints: nothing if a file holds no record, which is an error."""
    done = completed(APUS, "hvcc", *words[:1], "--json", *words[1:], status=None)
    answer = json.loads(done.stdout or "[]")
    return [] if answer in ([], None) else [(form, answer)]


@pytest.fixture(scope="module")
def records():
    """The answers of the verbs of `apus hvcc`, with the names of their forms."""
    found = answers("rule", "check", "--rules")
    found += answers("comparison", "diff", FIXTURES / "hvc1.mp4", FIXTURES / "hvc1-10bit.mp4")
    for file in [*BOXES, *TAGS, *fixtures({".hevc"})]:
        found += answers("record", "show", file) + answers("finding", "check", file)
    return found


FORMS = ("rule", "comparison", "record", "finding")


@pytest.mark.parametrize("form", FORMS)
def test_every_answer_about_records_fits_its_schema(records, form):
    whole = validator_of("hvcc")
    wanted = {"$ref": "#/$defs/comparison"} if form == "comparison" else {"items": {"$ref": f"#/$defs/{form}"}}
    own = jsonschema.Draft202012Validator({"$defs": whole.schema["$defs"], **wanted})
    printed = [answer for kind, answer in records if kind == form]
    assert printed, f"nothing was printed that is a {form}"
    wrong = [problem for answer in printed for problem in problems(own, answer) + problems(whole, answer)]
    assert not wrong


@pytest.mark.parametrize("form", FORMS)
def test_the_schema_of_records_refuses_a_broken_answer(records, form):
    whole = validator_of("hvcc")
    good = next(answer for kind, answer in records if kind == form)
    one = good if form == "comparison" else good[0]
    faults = [{**one, "colour": 1}, *({key: value for key, value in one.items() if key != gone}
                                      for gone in whole.schema["$defs"][form]["required"])]
    accepted = [sorted(fault) for fault in faults if whole.is_valid(fault if form == "comparison" else [fault])]
    assert not accepted
