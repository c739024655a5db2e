# SPDX-License-Identifier: MIT
"""A WebP holds the picture, its profile and its metadata, as another program reads them."""

import pytest

from programs import APUS, FIXTURES, completed

pytestmark = pytest.mark.apart

# A fixture, further options, whether there is alpha, and by how much samples may differ in the mean.
ROWS = [
    ("photo.heic", [], False, 4), ("portrait.heic", [], False, 4), ("grid-odd.heic", [], False, 6),
    ("alpha-straight.heic", [], True, 6), ("photo.heic", ["--crop", "31x17+20+10"], False, 6),
    ("photo.heic", ["--max-size", "500", "--enlarge"], False, 4), ("photo.heic", ["--srgb", "--strip", "all"], False, 4),
    ("photo.heic", ["--rotate", "90", "--flip", "vertical"], False, 4),
]  # fmt: skip
JUDGE = """
import io, sys
import numpy
from PIL import Image
made, whole = (Image.open(path) for path in sys.argv[1:3])
made.load(), whole.load()
assert made.format == "WEBP" and made.size == whole.size and made.mode == whole.mode, (made, whole)
assert made.info.get("icc_profile") == whole.info.get("icc_profile")
assert (made.info.get("exif") or b"").removeprefix(b"Exif\\0\\0") == (whole.info.get("exif") or b"").removeprefix(b"Exif\\0\\0")
assert (made.info.get("xmp") or b"") == (whole.info.get("xmp") or whole.info.get("XML:com.adobe.xmp", "").encode() or b"")
assert made.mode == ("RGBA" if sys.argv[3] == "True" else "RGB"), made.mode
first, second = (numpy.asarray(each, dtype=float) for each in (made, whole))
if made.mode == "RGBA":
    assert (first[..., 3] == second[..., 3]).all()
    shows = second[..., 3] > 128
    first, second = first[shows], second[shows]
assert abs(first - second).mean() < float(sys.argv[4]), abs(first - second).mean()
"""


def made(name, *words, status=0):
    """The output of a conversion, or its message if it fails."""
    done = completed(APUS, "convert", *words, "-", "-o", "-", status=status, input=(FIXTURES / name).read_bytes())
    return done.stdout if status == 0 else done.stderr.decode()


@pytest.mark.parametrize("name, words, has_alpha, most", ROWS)
def test_a_webp_holds_the_picture_the_profile_and_the_metadata_of_the_photo(folder, python, name, words, has_alpha, most):
    paths = []
    for kind, more in (("webp", ["-q", "90"]), ("png", [])):
        paths.append(folder / f"made.{kind}")
        paths[-1].write_bytes(made(name, "--format", kind, *more, *words))
    completed(python, "-c", JUDGE, *paths, has_alpha, most)


def test_a_name_that_ends_in_webp_is_enough_and_less_quality_is_smaller(folder):
    out = folder / "photo.webp"
    completed(APUS, "convert", FIXTURES / "photo.heic", "-q", "30", "-o", out)
    assert out.read_bytes()[8:12] == b"WEBP"
    assert len(out.read_bytes()) < len(made("photo.heic", "--format", "webp", "-q", "95"))


def test_a_webp_is_the_same_for_any_number_of_workers():
    assert made("photo.heic", "--format", "webp") == made("photo.heic", "--format", "webp", "-j", "1")


@pytest.mark.parametrize("words, status, reason", [
    (["--format", "webp", "--max-size", "16384", "--enlarge", "--crop", "300x3+0+0"], 1, "sides of at most 16383"),
    (["--enlarge"], 2, "--enlarge needs --max-size"),
    (["--format", "webp", "--verify"], 2, "can check JPEG, PNG and HEIC"),
])
def test_what_a_webp_cannot_be_is_refused(words, status, reason):
    assert reason in made("photo.heic", *words, status=status)
