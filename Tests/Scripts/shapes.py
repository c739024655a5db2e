#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--crop`, `--rotate`, `--flip` and `--max-size` give the samples that these operations make of the whole picture."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, run  # noqa: E402

FIXTURES = ROOT / "Fixtures"
# A grid of tiles, one picture alone with odd sides, one that is turned by its container, one with alpha.
PHOTOS = ["photo.heic", "grid-odd.heic", "still-96x72.heic", "alpha-straight.heic"]
SIZES = [
    # The bounds, the sides of the picture, and what comes of them.
    ("100", (320, 240), (100, 75)), ("100x20", (320, 240), (27, 20)), ("64x64", (320, 240), (64, 48)),
    ("400", (320, 240), (320, 240)), ("300x100", (320, 240), (133, 100)), ("1", (320, 240), (1, 1)),
]  # fmt: skip


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
    """Whether luma agrees, where it was not cut off, and the means of colours do."""
    pairs = [pair for lines in zip(found, expected) for pair in zip(*lines)]
    luma = [abs(sum(w * (a - b) for w, a, b in zip((0.299, 0.587, 0.114), one, other))) for one, other in pairs
            if 0 < min(*one, *other) and max(*one, *other) < 255]
    means = [abs(sum(one[place] - other[place] for one, other in pairs)) / len(pairs) for place in range(3)]
    sides = [(len(picture), len(picture[0])) for picture in (found, expected)]
    return sides[0] == sides[1] and luma and max(luma) < 2 and max(means) < 2


def check(photo):
    whole = rows(photo)
    height, width = len(whole), len(whole[0])
    x, y = width // 3 | 1, height // 3 | 1
    right = width - x
    square = min(width, height)
    expected = {
        ("--crop", f"{right}x5+{x}+{y}"): cropped(whole, x, y, right, 5),
        ("--crop", "8x8+2+2"): cropped(whole, 2, 2, 8, 8),
        ("--crop", f"{width}x{height}+0+0"): whole,
        ("--crop", "1:1"): cropped(whole, (width - square) // 2, (height - square) // 2, square, square),
        ("--rotate", "90"): turned(whole),
        ("--rotate", "180"): turned(turned(whole)),
        ("--rotate", "270"): turned(turned(turned(whole))),
        ("--flip", "horizontal"): [row[::-1] for row in whole],
        ("--flip", "vertical"): whole[::-1],
        ("--rotate", "90", "--flip", "vertical"): turned(whole)[::-1],
        ("--crop", f"{right}x5+{x}+{y}", "--rotate", "90"): turned(cropped(whole, x, y, right, 5)),
    }
    for words, picture in expected.items():
        found = rows(photo, *words)
        # Colours of a picture of odd sides that is turned whole are repeated, and not interpolated as those of the picture.
        odd = (width % 2 or height % 2) and "--crop" not in words
        assert alike(found, picture) if odd else found == picture, (photo.name, words)
    for words in [["--crop", f"8x8+{width - 7}+0"], ["--crop", f"8x8+0+{height - 7}"]]:
        done = subprocess.run(
            [APUS, "convert", photo, "-o", "-", "--format", "jpeg", *words], capture_output=True
        )
        assert done.returncode == 1 and not done.stdout and b"is not inside it" in done.stderr, words


def main():
    for name in PHOTOS:
        check(FIXTURES / name)
    for bounds, (width, height), expected in SIZES:
        whole = rows(FIXTURES / "photo.heic")
        assert (len(whole[0]), len(whole)) == (width, height)
        small = rows(FIXTURES / "photo.heic", "--max-size", bounds)
        assert (len(small[0]), len(small)) == expected, (bounds, len(small[0]), len(small))
    print("parts, turns and sizes of pictures: all as they should be")


main()
