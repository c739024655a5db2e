#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A WebP holds the picture, its profile and its metadata, as another program reads them."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS  # noqa: E402
from service import FIXTURES, python  # noqa: E402

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
    done = subprocess.run([APUS, "convert", *words, "-", "-o", "-"], input=(FIXTURES / name).read_bytes(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr.decode()


def main():
    judge = python()
    with tempfile.TemporaryDirectory() as folder:
        for name, words, has_alpha, most in ROWS:
            paths = []
            for kind, more in (("webp", ["-q", "90"]), ("png", [])):
                paths.append(pathlib.Path(folder) / f"made.{kind}")
                paths[-1].write_bytes(made(name, "--format", kind, *more, *words))
            subprocess.run([judge, "-c", JUDGE, *paths, str(has_alpha), str(most)], check=True)
        # The name says so, too, and less quality is smaller.
        out = pathlib.Path(folder) / "photo.webp"
        subprocess.run([APUS, "convert", FIXTURES / "photo.heic", "-q", "30", "-o", out], check=True, stderr=subprocess.DEVNULL)
        assert out.read_bytes()[8:12] == b"WEBP"
        assert len(out.read_bytes()) < len(made("photo.heic", "--format", "webp", "-q", "95"))
        assert made("photo.heic", "--format", "webp") == made("photo.heic", "--format", "webp", "-j", "1")
    assert "sides of at most 16383" in made(
        "photo.heic", "--format", "webp", "--max-size", "16384", "--enlarge", "--crop", "300x3+0+0", status=1)
    assert "--enlarge needs --max-size" in made("photo.heic", "--enlarge", status=2)
    assert "can check JPEG, PNG and HEIC" in made("photo.heic", "--format", "webp", "--verify", status=2)
    print("WebP holds what the photo has")


if __name__ == "__main__":
    main()
