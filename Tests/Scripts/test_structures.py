# SPDX-License-Identifier: MIT
"""`apus inspect` shows of PNG, JPEG, WebP and ICC files what Pillow wrote into them and ffprobe reads, and its JSON fits the
schema."""

import json

import jsonschema
import pytest

from programs import APUS, FIXTURES, PYTHON, SCHEMAS, completed, printed, run

VALIDATOR = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "inspect.schema.json").read_text()))
WRITE = """
import sys
from PIL import Image, ImageCms
profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
open("srgb.icc", "wb").write(profile)
exif = Image.Exif()
exif[0x0112] = 6
picture = Image.linear_gradient("L").resize((300, 20)).convert("RGB")
for name, more in (("a.png", {"dpi": (300, 300)}), ("a.jpg", {"comment": b"hi", "dpi": (300, 300)}), ("a.webp", {})):
    picture.save(name, icc_profile=profile, exif=exif, **more)
"""


@pytest.fixture(scope="module")
def pictures(work):
    run(PYTHON, "-c", WRITE, cwd=work)
    return work


def listing(file, *options):
    answer = json.loads(printed(APUS, "inspect", "--json", *options, file))
    problems = [error.message for error in VALIDATOR.iter_errors(answer)]
    assert not problems, problems[0]
    return answer


def fields(answer, path):
    """The fields of the first structure at a path."""
    boxes, found = answer["boxes"], None
    for name in path.split("/"):
        found = next(box for box in boxes if box["type"] == name)
        boxes = found.get("boxes", [])
    return {field["name"]: field["value"] for field in found["fields"]}


def sides(file):
    text = printed("ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "json", file)
    stream = json.loads(text)["streams"][0]
    return stream["width"], stream["height"]


@pytest.mark.parametrize("name, path, width, height", [
    ("a.png", "IHDR", lambda it: it["width"], lambda it: it["height"]),
    ("a.jpg", "SOF0", lambda it: it["X"], lambda it: it["Y"]),
    ("a.webp", "RIFF/VP8X", lambda it: it["Canvas Width Minus One"] + 1, lambda it: it["Canvas Height Minus One"] + 1),
])
def test_it_shows_the_sides_that_ffprobe_reads(pictures, name, path, width, height):
    found = fields(listing(pictures / name), path)
    assert (width(found), height(found)) == sides(pictures / name) == (300, 20)


@pytest.mark.parametrize("name, path, expected", [
    ("a.png", "pHYs", {"pixels_per_unit_x": 11811, "unit_specifier": 1}),
    ("a.png", "eXIf/TIFF/IFD0", {"number_of_entries": 1}),
    ("a.jpg", "APP0", {"identifier": "JFIF", "x_density": 300, "units": 1}),
    ("a.jpg", "APP1/TIFF/IFD0", {"number_of_entries": 1}),
    ("a.jpg", "APP2/ICC", {"profile_file_signature": "acsp", "data_colour_space": "RGB "}),
    ("a.jpg", "COM", {"Cm": "hi"}),
    ("a.webp", "RIFF/ICCP/ICC/rTRC", {"type": "para", "function_type": 3}),
    ("srgb.icc", "ICC", {"profile_class": "mntr", "pcs": "XYZ "}),
])
def test_it_shows_what_pillow_wrote(pictures, name, path, expected):
    answer = listing(pictures / name)
    assert not answer["findings"]
    found = fields(answer, path)
    assert {name: found[name] for name in expected} == expected


def test_it_answers_for_paths_and_offsets(pictures):
    assert printed(APUS, "inspect", "--path", "IHDR", pictures / "a.png").startswith("IHDR @8 +25  width=300")
    answer = json.loads(printed(APUS, "inspect", "--json", "--at", "19", pictures / "a.png"))
    assert (answer["path"], answer["fields"][0]["name"]) == ("IHDR", "width")
    answer = json.loads(printed(APUS, "inspect", "--json", "--at", "36", pictures / "srgb.icc"))
    assert (answer["path"], answer["fields"][0]["value"]) == ("ICC", "acsp")


def test_it_shows_the_profile_in_a_color_box():
    found = json.dumps(listing(FIXTURES / "grid-icc.heic"))
    assert "colr/ICC/desc" in found


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp"])
def test_it_says_where_a_cut_file_ends(pictures, folder, name):
    data = (pictures / name).read_bytes()
    cut = folder / name
    cut.write_bytes(data[: len(data) // 2])
    answer = listing(cut)
    assert answer["findings"] and sum(box["size"] for box in answer["boxes"]) == len(data) // 2
    assert completed(APUS, "inspect", "--hex", "--full", cut).stdout
