# SPDX-License-Identifier: MIT
"""`--crop`, `--rotate`, `--flip` and `--max-size` give the samples that these operations make of the whole picture."""

import functools
import pathlib
import tempfile

import pytest

from programs import APUS, FIXTURES, completed, run

pytestmark = pytest.mark.apart
# A grid of tiles, one picture alone with odd sides, one that is turned by its container, one with alpha.
PHOTOS = ["photo.heic", "grid-odd.heic", "still-96x72.heic", "alpha-straight.heic"]
SIZES = [
    # The bounds, the sides of the picture, and what comes of them.
    ("100", (320, 240), (100, 75)), ("100x20", (320, 240), (27, 20)), ("64x64", (320, 240), (64, 48)),
    ("400", (320, 240), (320, 240)), ("300x100", (320, 240), (133, 100)), ("1", (320, 240), (1, 1)),
]  # fmt: skip


@functools.cache
def rows(photo, *words):
    """A picture as rows of samples of three bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "picture.ppm"
        run(APUS, "convert", photo, "-o", path, *words)
        data = path.read_bytes()
    kind, sides, most, samples = data.split(b"\n", 3)
    assert (kind, most) == (b"P6", b"255"), (kind, most)
    width, height = map(int, sides.split())
    assert len(samples) == 3 * width * height
    line = [samples[start : start + 3 * width] for start in range(0, len(samples), 3 * width)]
    return [[row[at : at + 3] for at in range(0, 3 * width, 3)] for row in line]


def cropped(picture, x, y, width, height):
    return [row[x : x + width] for row in picture[y : y + height]]


def turned(picture):
    return [list(row) for row in zip(*picture[::-1])]


def alike(found, expected):
    """Returns whether luma, where it was not clipped, and the means of the colors agree."""
    pairs = [pair for lines in zip(found, expected) for pair in zip(*lines)]
    luma = [abs(sum(w * (a - b) for w, a, b in zip((0.299, 0.587, 0.114), one, other))) for one, other in pairs
            if 0 < min(*one, *other) and max(*one, *other) < 255]
    means = [abs(sum(one[place] - other[place] for one, other in pairs)) / len(pairs) for place in range(3)]
    sides = [(len(picture), len(picture[0])) for picture in (found, expected)]
    return sides[0] == sides[1] and luma and max(luma) < 2 and max(means) < 2


# Operations, each of which gets the whole picture, its sides, and a place in it.
SHAPES = {
    "--crop {right}x5+{x}+{y}": lambda whole, at: cropped(whole, at["x"], at["y"], at["right"], 5),
    "--crop 8x8+2+2": lambda whole, at: cropped(whole, 2, 2, 8, 8),
    "--crop {width}x{height}+0+0": lambda whole, at: whole,
    "--crop 1:1": lambda whole, at: cropped(whole, (at["width"] - at["square"]) // 2, (at["height"] - at["square"]) // 2,
                                            at["square"], at["square"]),
    "--rotate 90": lambda whole, at: turned(whole),
    "--rotate 180": lambda whole, at: turned(turned(whole)),
    "--rotate 270": lambda whole, at: turned(turned(turned(whole))),
    "--flip horizontal": lambda whole, at: [row[::-1] for row in whole],
    "--flip vertical": lambda whole, at: whole[::-1],
    "--rotate 90 --flip vertical": lambda whole, at: turned(whole)[::-1],
    "--crop {right}x5+{x}+{y} --rotate 90": lambda whole, at: turned(cropped(whole, at["x"], at["y"], at["right"], 5)),
}


def measures(whole):
    """The sides of a picture, of the largest square in it, and a place in it with what is to its right."""
    width, height = len(whole[0]), len(whole)
    x, y = width // 3 | 1, height // 3 | 1
    return {"width": width, "height": height, "x": x, "y": y, "right": width - x, "square": min(width, height)}


@pytest.mark.parametrize("options", SHAPES)
@pytest.mark.parametrize("name", PHOTOS)
def test_a_shape_has_the_samples_that_the_operation_makes_of_the_whole_picture(name, options):
    whole = rows(FIXTURES / name)
    at = measures(whole)
    found, expected = rows(FIXTURES / name, *options.format(**at).split()), SHAPES[options](whole, at)
    # Colors of a picture of odd sides that is turned whole are repeated, not interpolated as those of the picture are.
    odd = (at["width"] % 2 or at["height"] % 2) and "--crop" not in options
    assert alike(found, expected) if odd else found == expected


@pytest.mark.parametrize("place", ["8x8+{x}+0", "8x8+0+{y}"])
@pytest.mark.parametrize("name", PHOTOS)
def test_a_crop_that_is_not_inside_the_picture_is_refused(name, place):
    at = measures(rows(FIXTURES / name))
    words = place.format(x=at["width"] - 7, y=at["height"] - 7)
    done = completed(APUS, "convert", FIXTURES / name, "-o", "-", "--format", "jpeg", "--crop", words, status=1)
    assert not done.stdout and b"is not inside it" in done.stderr


@pytest.mark.parametrize("bounds, sides, expected", SIZES)
def test_bounds_of_the_size_keep_the_shape(bounds, sides, expected):
    whole = rows(FIXTURES / "photo.heic")
    assert (len(whole[0]), len(whole)) == sides
    small = rows(FIXTURES / "photo.heic", "--max-size", bounds)
    assert (len(small[0]), len(small)) == expected
