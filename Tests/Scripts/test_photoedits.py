# SPDX-License-Identifier: MIT
"""`apus edit` on photos: exiftool sees what was asked for and no other difference, and coded data stay as they were."""

import json
import re
import shutil

import numpy
import pytest
from PIL import Image

from editing import changed, edit, facts, scan
from exiftool import exiftool
from programs import APUS, FIXTURES, completed

PHOTOS = ["exif-xmp.heic", "photo.heic", "gain-map-tmap.heic", "portrait.heic", "grid-in-idat.heic", "orientation-6.heic",
          "420.jpg", "motion.jpg", "samsung.jpg", "progressive.jpg"]  # fmt: skip
SIGHT = ["-GPSLatitude=48.85837", "-GPSLatitudeRef=N", "-GPSLongitude=2.29448", "-GPSLongitudeRef=W", "-GPSAltitude=35",
         "-GPSImgDirection=12.5", "-XMP-exif:GPSLatitude=48.85837", "-XMP-exif:GPSLongitude=-2.29448",
         "-XMP-photoshop:City=Paris", "-XMP-dc:Subject=tower"]  # fmt: skip


@pytest.fixture(params=PHOTOS)
def photo(request, folder):
    return shutil.copy(FIXTURES / request.param, folder / request.param)


@pytest.fixture(params=PHOTOS)
def placed(request, folder):
    """A photo that tells where it was taken, in Exif and XMP."""
    path = shutil.copy(FIXTURES / request.param, folder / request.param)
    done = exiftool("-q", "-q", "-m", "-overwrite_original", *SIGHT, path, status=None)
    if done.returncode or "GPS:GPSLatitude" not in facts(path):
        pytest.skip("exiftool cannot write this one")
    return path


def test_a_location_goes_and_nothing_else(folder, placed):
    before = facts(placed)
    out = edit(folder, placed, "--strip", "gps")
    after = facts(out)
    gone = {k for k in before if re.search(r"GPS|City", k)}
    assert changed(before, after) - {"XMP-x:XMPToolkit"} == gone, "other values"
    data = out.read_bytes()
    for spelling in (b"48.858", b"48,51", b"Paris", b"2.29448"):
        assert spelling not in data, f"{spelling} is left"
    assert scan(out) == scan(placed)
    # Again: nothing is left to do, and the file stays as it is.
    report = json.loads(completed(APUS, "edit", out, "--strip", "gps", "--in-place", "--json", status=3).stdout)
    assert report["status"] == "unchanged" and out.read_bytes() == data


SETS = [
    (["title=Dünen & <Meer>"], {"XMP-dc:Title": "Dünen & <Meer>"}),
    (["caption=A \"quote\""], {"XMP-dc:Description": 'A "quote"'}),
    (["creator=Ada"], {"XMP-dc:Creator": "Ada"}),
    (["copyright=© 2026"], {"XMP-dc:Rights": "© 2026"}),
    (["keywords=sea, sand"], {"XMP-dc:Subject": ["sea", "sand"]}),
    (["rating=4"], {"XMP-xmp:Rating": 4}),
    (["date=2024-01-31T12:00:00.25+01:00"], {
        "ExifIFD:DateTimeOriginal": "2024:01:31 12:00:00", "ExifIFD:OffsetTimeOriginal": "+01:00",
        "ExifIFD:SubSecTimeOriginal": 25, "ExifIFD:CreateDate": "2024:01:31 12:00:00"}),
    (["gps=-33.8568,151.2153,4.5"], {
        "GPS:GPSLatitude": 33.8568, "GPS:GPSLatitudeRef": "S", "GPS:GPSLongitude": 151.2153, "GPS:GPSLongitudeRef": "E",
        "GPS:GPSAltitude": 4.5}),
]  # fmt: skip


@pytest.mark.parametrize(("sets", "expected"), SETS, ids=[s[0][0].split("=")[0] for s in SETS])
def test_a_value_is_set_and_read_by_exiftool(folder, photo, sets, expected):
    before = facts(photo, "-n")
    words = [word for text in sets for word in ("--set", text)]
    out = edit(folder, photo, *words)
    after = facts(out, "-n")
    for name, value in expected.items():
        got = after.get(name)
        assert got == (pytest.approx(value, abs=1e-6) if isinstance(value, float) else value), f"{name}: {got}"
    others = {k for k in changed(before, after) if k not in expected}
    allowed = r"IFD0:(ImageDescription|Artist|Copyright|ExifByteOrder)|:Exif|OffsetTime|SubSecTime|GPSVersionID|GPSAltitudeRef" \
              r"|XMP-(photoshop|exif|xmp):.*Date|GPSHPosition"  # fmt: skip
    assert not {k for k in others if not re.search(allowed, k)}, "other values"
    assert scan(out) == scan(photo)
    if sets[0].startswith("date"):
        later = edit(folder, shutil.copy(out, folder / f"copy{out.suffix}"), "--set", "date=+25h30m")
        assert facts(later)["ExifIFD:DateTimeOriginal"] == "2024:02:01 13:30:00"
    # The same again changes nothing.
    report = json.loads(completed(APUS, "edit", edit(folder, photo, *words), *words, "--dry-run", "--json", status=3).stdout)
    assert report["status"] == "unchanged", report


def test_an_empty_text_removes_what_was_set(folder, photo):
    before = facts(photo)
    out = edit(folder, photo, "--set", "title=Gone", "--set", "keywords=a,b", "--set", "creator=Me")
    back = edit(folder, shutil.copy(out, folder / f"again{out.suffix}"), "--set", "title=", "--set", "keywords=", "--set", "creator=")
    # What the photo had of these is gone as well.
    gone = {"XMP-dc:Title", "XMP-dc:Subject", "XMP-dc:Creator", "IFD0:Artist"}
    assert changed(before, facts(back)) <= gone and not gone & facts(back).keys()
    assert b"Gone" not in back.read_bytes()


@pytest.mark.parametrize("words", [["--rotate", "90"], ["--rotate", "180", "--flip", "horizontal"], ["--flip", "vertical"]])
@pytest.mark.parametrize(
    # Where colours are subsampled, the order of turning and filling them in shows.
    "name", ["444.jpg", "rgb.jpg", "gray.jpg", "motion.jpg", "samsung.jpg", "still-444.heic", "still-400.heic",
             "orientation-6.heic", "gain-map-tmap.heic", "portrait.heic", "grid-in-idat.heic", "alpha.heic",
             "still-exif-turned.heic"])
def test_a_photo_is_turned_without_other_samples(folder, name, words):
    photo = FIXTURES / name
    out = edit(folder, photo, *words)
    seen = []
    for path in (photo, out):
        png = folder / f"{path.stem}.png"
        completed(APUS, "convert", path, "-o", png, "--on-exists", "replace")
        with Image.open(png) as picture:
            seen.append(numpy.asarray(picture.convert("RGBA")))
    expected = seen[0]
    if "--rotate" in words:
        expected = numpy.rot90(expected, -int(words[1]) // 90)
    if "horizontal" in words:
        expected = expected[:, ::-1]
    if "vertical" in words:
        expected = expected[::-1]
    assert numpy.array_equal(seen[1], expected)
    assert scan(out) == scan(photo)


CROPS = ["20x10+6+4", "21x11+7+5", "1:1"]


@pytest.mark.parametrize("crop", CROPS)
@pytest.mark.parametrize("name", ["orientation-1.heic", "orientation-2.heic", "orientation-5.heic", "orientation-6.heic", "orientation-8.heic",
                                  "still-400.heic", "still-67x45.heic", "aperture-1.heic", "still-exif-turned.heic", "thumbnail.heic"])
def test_a_picture_is_cropped_by_its_aperture(folder, name, crop):
    photo = FIXTURES / name
    out = edit(folder, photo, "--crop", crop)
    width, height, left, top = kept(photo, crop)
    if crop != "1:1":
        asked = [int(number) for number in re.split("[x+]", crop)]
        # Pairs of columns and rows of the coded picture stay together.
        assert 0 <= asked[2] - left <= 1 and 0 <= asked[3] - top <= 1
        assert left + width - asked[2] - asked[0] in (0, 1) and top + height - asked[3] - asked[1] in (0, 1)
    whole = seen(folder, photo)
    assert numpy.array_equal(seen(folder, out), whole[top:top + height, left:left + width])
    # libheif, which is not ours, shows the same part.
    if name != "still-exif-turned.heic":
        completed("heif-convert", "-q", "100", out, folder / "theirs.png")
        with Image.open(folder / "theirs.png") as picture:
            assert picture.size == (width, height)
    # The coded pictures are the same; small ones, which show the whole, are gone.
    assert set(scan(out)) <= set(scan(photo))
    assert not facts(out).get("QuickTime:ThumbnailImage")
    # A crop of the crop counts from the part that is shown.
    part = out.rename(folder / f"part{out.suffix}")
    columns, rows, x, y = kept(part, "8x6+2+2")
    again = seen(folder, edit(folder, part, "--crop", "8x6+2+2"))
    assert numpy.array_equal(again, whole[top + y:top + y + rows, left + x:left + x + columns])


@pytest.mark.parametrize("name", ["still-67x45.heic", "orientation-6.heic", "aperture-1.heic"])
def test_a_crop_in_the_same_run_as_a_turn_comes_first(folder, name):
    part = seen(folder, edit(folder, FIXTURES / name, "--crop", "20x10+6+4"))
    out = edit(folder, FIXTURES / name, "--crop", "20x10+6+4", "--rotate", "270")
    assert numpy.array_equal(seen(folder, out), numpy.rot90(part))


def kept(photo, crop):
    """The size and the place of the part of a photo that is shown."""
    said = completed(APUS, "edit", photo, "--crop", crop, "--dry-run", text=True).stdout
    return map(int, re.search(r"cropped to (\d+) × (\d+) at (\d+), (\d+)", said).groups())


def seen(folder, path):
    png = folder / f"{path.stem}.png"
    completed(APUS, "convert", path, "-o", png, "--on-exists", "replace")
    with Image.open(png) as picture:
        return numpy.asarray(picture.convert("RGB"))


@pytest.mark.parametrize(("name", "message"), [
    ("gain-map-tmap.heic", "would not fit"), ("depth.heic", "would not fit"), ("alpha.heic", "would not fit"),
    ("444.jpg", "convert --crop"), ("hvc1.mp4", "movie"), ("still-64x48.heic", "not inside")])  # fmt: skip
def test_a_crop_that_would_not_fit_is_refused(folder, name, message):
    assert message in edit(folder, FIXTURES / name, "--crop", "1x20+63+29" if "inside" in message else "8x8+0+0", status=1)


def test_a_gain_map_is_removed_and_the_picture_cropped_in_one_run(folder):
    photo = FIXTURES / "gain-map-tmap.heic"
    whole = seen(folder, photo)
    part = seen(folder, edit(folder, photo, "--crop", "2:1", "--remove", "gain-map"))
    assert part.shape[1] == 2 * part.shape[0] and part.shape[1] == whole.shape[1]


def test_a_movie_loses_its_location_where_it_stands(folder):
    movie = shutil.copy(FIXTURES / "movie-keys.mov", folder / "movie.mov")
    exiftool("-q", "-overwrite_original", "-UserData:GPSCoordinates=48.85837, 2.29448, 35",
             "-Keys:GPSCoordinates=48.85837, 2.29448, 35", movie)  # fmt: skip
    size = movie.stat().st_size
    before = facts(movie)
    assert [k for k in before if "GPS" in k]
    completed(APUS, "edit", movie, "--strip", "gps", "--in-place")
    after = facts(movie)
    assert not [k for k in after if "GPS" in k]
    assert movie.stat().st_size == size and b"48.85" not in movie.read_bytes()
    assert {k for k in changed(before, after) if "GPS" not in k and "free" not in k} == set()
    completed("ffprobe", "-v", "error", movie)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "rating=9"], "rating=-1 to 5"),
        (["--set", "date=yesterday"], "2024-01-31T12:00:00"),
        (["--set", "gps=91,0"], "gps="),
        (["--set", "title=A", "--remove", "meta"], "cannot be changed in one run"),
        (["--remove", "everything"], "thumbnail"),
    ],
)
def test_a_wrong_value_is_told(folder, words, message):
    assert message in edit(folder, FIXTURES / "photo.heic", *words, status=2)


@pytest.mark.parametrize("words", [["--strip", "all"], ["--strip", "xmp"], ["--copy-from", FIXTURES / "exif-xmp.heic"]])
def test_what_only_xmp_announces_is_not_lost(folder, words):
    assert "announces" in edit(folder, FIXTURES / "motion.jpg", *words, status=1)
    # From such a photo, the announcement is not taken along.
    out = edit(folder, FIXTURES / "photo.heic", "--copy-from", FIXTURES / "motion.jpg")
    assert b"MotionPhoto" not in out.read_bytes()


def test_a_file_that_is_no_photo_is_refused(folder):
    (folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    assert "without re-encoding" in edit(folder, folder / "a.png", "--strip", "gps", status=1)
    assert "movie" in edit(folder, FIXTURES / "hvc1.mp4", "--rotate", "90", status=1)


@pytest.mark.parametrize("target", ["photo.heic", "orientation-6.heic", "420.jpg", "exif-xmp.heic"])
def test_metadata_come_from_another_photo_and_the_picture_stays_as_it_is_placed(folder, target):
    other = shutil.copy(FIXTURES / "exif-xmp.heic", folder / "other.heic")
    exiftool("-q", "-overwrite_original", "-n", "-Orientation=3", "-GPSLatitude=48.85837", "-GPSLatitudeRef=N",
             "-XMP-dc:Title=Other", other)  # fmt: skip
    photo = shutil.copy(FIXTURES / target, folder / target)
    out = edit(folder, photo, "--copy-from", other)
    before, wanted, after = facts(photo, "-n"), facts(other, "-n"), facts(out, "-n")
    kinds = ("IFD0:", "ExifIFD:", "GPS:", "XMP-")
    own = re.compile("Orientation|PixelXDimension|ExifImage|ImageWidth|ImageHeight|ImageLength|ThumbnailImage|About")
    for name, value in wanted.items():
        if name.startswith(kinds) and not own.search(name):
            assert after.get(name) == value, f"{name}: {after.get(name)}"
    assert not [k for k in after if k.startswith(kinds) and k not in wanted and not own.search(k)]
    assert after.get("IFD0:Orientation", 1) == before.get("IFD0:Orientation", after.get("IFD0:Orientation", 1))
    assert {k: v for k, v in after.items() if "Rotation" in k} == {k: v for k, v in before.items() if "Rotation" in k}
    assert scan(out) == scan(photo)


def test_another_picture_becomes_the_primary_one(folder):
    photo = FIXTURES / "two-images.heic"
    said = edit(folder, photo, "--primary", "77", status=1)
    other = [int(number) for number in re.findall(r"\d+", said.rpartition("those are")[2])]
    assert len(other) == 2
    out = edit(folder, photo, "--primary", other[-1])
    assert out.stat().st_size == photo.stat().st_size
    import pillow_heif
    first, second = pillow_heif.open_heif(photo), pillow_heif.open_heif(out)
    assert (first.primary_index, second.primary_index) == (0, 1)
    assert edit(folder, photo, "--primary", other[-1], "--rotate", "90", status=2)


def test_metadata_that_cannot_be_read_stay_unless_they_might_tell_a_place(folder):
    photo = folder / "encoded.heic"
    tree = json.loads(completed(APUS, "inspect", FIXTURES / "exif-xmp.heic", "--path", "meta/iinf", "--json").stdout)
    path = next(box["path"] for box in tree["boxes"][0]["boxes"] if "mime" in json.dumps(box))
    completed(APUS, "edit", FIXTURES / "exif-xmp.heic", "--set", f"{path}/content_encoding=deflate", "-o", photo)
    packet = completed(APUS, "extract", FIXTURES / "exif-xmp.heic", "--role", "xmp", "-o", "-").stdout
    assert packet in photo.read_bytes()
    for words in (["--strip", "thumbnail"], ["--rotate", "90"], ["--strip", "iptc"], ["--set", "date=2024-01-31"]):
        assert packet in edit(folder, photo, *words).read_bytes(), f"{words} takes XMP away"
    assert "encoded" in edit(folder, photo, "--set", "title=A", status=1)
    assert packet not in edit(folder, photo, "--strip", "gps").read_bytes()


def test_a_second_exif_with_a_location_goes_as_well(folder):
    placed = shutil.copy(FIXTURES / "420.jpg", folder / "placed.jpg")
    exiftool("-q", "-overwrite_original", "-GPSLatitude=48.85837", "-GPSLatitudeRef=N", placed)
    data = placed.read_bytes()
    at = data.index(b"Exif\0\0") - 4
    second = data[at : at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")]
    photo = shutil.copy(FIXTURES / "444.jpg", folder / "twice.jpg")
    exiftool("-q", "-overwrite_original", "-Artist=Ada", photo)
    data = photo.read_bytes()
    at = data.index(b"Exif\0\0") - 4
    end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    photo.write_bytes(data[:end] + second + data[end:])
    out = edit(folder, photo, "--strip", "gps")
    assert b"Exif\0\0" in out.read_bytes() and out.read_bytes().count(b"Exif\0\0") == 1
    assert facts(out)["IFD0:Artist"] == "Ada" and scan(out) == scan(photo)
