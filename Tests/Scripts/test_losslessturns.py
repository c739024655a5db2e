# SPDX-License-Identifier: MIT
"""`apus edit --lossless`: JPEGs are turned as jpegtran turns them, and everything else in the file follows or stays."""

import io
import json
import re
import shutil
import struct

import numpy
import pytest
from PIL import Image

from editing import edit, facts, samsung
from exiftool import exiftool
from programs import APUS, FIXTURES, completed

# Options of cjpeg, and those by which jpegtran keeps the form.
FORMS = {
    "4:4:4": (["-sample", "1x1"], []),
    "4:2:0": (["-sample", "2x2"], []),
    "4:2:2": (["-sample", "2x1"], []),
    "4:4:0": (["-sample", "1x2"], []),
    "4:1:1": (["-sample", "4x1"], []),
    "gray": (["-grayscale"], []),
    "rgb": (["-rgb"], []),
    "progressive": (["-sample", "2x2", "-progressive"], ["-progressive"]),
    "progressive-gray": (["-grayscale", "-progressive"], ["-progressive"]),
    "rows": (["-sample", "2x1", "-restart", "1"], ["-restart", "1"]),
    "blocks": (["-sample", "2x2", "-restart", "5B"], ["-restart", "5B"]),
    "progressive-rows": (["-sample", "2x2", "-progressive", "-restart", "2"], ["-progressive", "-restart", "2"]),
    "arithmetic": (["-sample", "2x2", "-arithmetic"], ["-arithmetic"]),
    "large": (["-quality", "2", "-sample", "2x2"], []),
    "cmyk": (None, []),
}  # fmt: skip
# What jpegtran does to a picture of each orientation.
TURNS = {2: ["-flip", "horizontal"], 3: ["-rotate", "180"], 4: ["-flip", "vertical"], 5: ["-transpose"],
         6: ["-rotate", "90"], 7: ["-transverse"], 8: ["-rotate", "270"]}  # fmt: skip
# The options of `apus edit` for the same.
WORDS = {2: ["--flip", "horizontal"], 3: ["--rotate", "180"], 4: ["--flip", "vertical"],
         5: ["--rotate", "90", "--flip", "horizontal"], 6: ["--rotate", "90"],
         7: ["--rotate", "90", "--flip", "vertical"], 8: ["--rotate", "270"]}  # fmt: skip


def picture(width, height):
    """A picture of which every part differs."""
    down, across = numpy.mgrid[0:height, 0:width]
    waves = [numpy.sin(across / 5 + down / 11), numpy.cos(across / 17 - down / 3), numpy.sin(across * down / 400)]
    return Image.fromarray((128 + 100 * numpy.stack(waves, -1)).astype(numpy.uint8))


def jpeg(folder, form, width=64, height=96):
    path = folder / f"{form.replace(':', '')}.jpg"
    if FORMS[form][0] is None:
        picture(width, height).convert("CMYK").save(path, quality=90)
        return path
    picture(width, height).save(folder / "picture.ppm")
    completed("cjpeg", "-quality", "90", *FORMS[form][0], "-outfile", path, folder / "picture.ppm")
    return path


def coded(path):
    """A JPEG without application segments and comments."""
    data = path.read_bytes()
    kept, at = b"", 2
    while data[at + 1] != 0xDA:
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        kept += b"" if data[at + 1] >= 0xE0 else data[at:end]
        at = end
    return kept + data[at:]


def pixels(path):
    with Image.open(path) as image:
        return numpy.asarray(image).astype(int)


def turned(samples, orientation):
    samples = samples.swapaxes(0, 1) if orientation >= 5 else samples
    samples = samples[:, ::-1] if orientation in (2, 3, 6, 7) else samples
    return samples[::-1] if orientation in (3, 4, 7, 8) else samples


@pytest.mark.parametrize("orientation", TURNS)
@pytest.mark.parametrize("form", FORMS)
def test_a_picture_is_turned_as_jpegtran_turns_it(folder, form, orientation):
    photo = jpeg(folder, form)
    wanted = folder / "wanted.jpg"
    way = [] if form == "arithmetic" else ["-optimize"]
    completed("jpegtran", "-perfect", "-copy", "all", *way, *FORMS[form][1], *TURNS[orientation], "-outfile", wanted, photo)
    out = edit(folder, photo, "--lossless", *WORDS[orientation])
    assert coded(out) == coded(wanted)
    assert numpy.array_equal(pixels(out), pixels(wanted))
    # The transform of a turned block rounds otherwise, and so does the filter that fills in colours.
    difference = abs(pixels(out) - turned(pixels(photo), orientation)).max()
    assert difference <= {"large": 8, "4:2:0": 4}.get(form, 3), f"samples differ by {difference}"
    # The same by the tag, which is then baked in.
    exiftool("-q", "-n", "-overwrite_original", f"-Orientation={orientation}", f"-XMP-tiff:Orientation={orientation}", photo)
    baked = edit(folder, photo, "--lossless")
    assert coded(baked) == coded(wanted)
    found = facts(baked, "-n")
    assert found["IFD0:Orientation"] == 1 and found["XMP-tiff:Orientation"] == 1


@pytest.mark.parametrize("form", FORMS)
def test_two_half_turns_give_the_same_bytes(folder, form):
    optimized = folder / "optimized.jpg"
    way = [] if form == "arithmetic" else ["-optimize"]
    completed("jpegtran", "-copy", "all", *way, *FORMS[form][1], "-outfile", optimized, jpeg(folder, form))
    once = edit(folder, optimized, "--rotate", "180", "--lossless").rename(folder / "once.jpg")
    assert coded(once) != coded(optimized)
    assert edit(folder, once, "--rotate", "180", "--lossless").read_bytes() == optimized.read_bytes()


def test_the_present_orientation_is_part_of_the_turn(folder):
    photo = jpeg(folder, "4:2:0")
    exiftool("-q", "-n", "-overwrite_original", "-Orientation=6", photo)
    # Three quarters more make it upright: only the tag changes.
    out = edit(folder, photo, "--rotate", "270", "--lossless")
    assert coded(out) == coded(photo) and facts(out, "-n")["IFD0:Orientation"] == 1
    # Nothing is left to do.
    report = json.loads(completed(APUS, "edit", out, "--lossless", "--dry-run", "--json", status=3).stdout)
    assert report["status"] == "unchanged"


@pytest.mark.parametrize(
    ("form", "size", "orientation", "words"),
    [
        ("4:2:0", (66, 96), 2, "66 columns of pixels, 2 more than a multiple of 16"),
        ("4:2:0", (64, 95), 6, "95 rows of pixels, 15 more than a multiple of 16"),
        ("4:2:2", (64, 97), 4, "97 rows of pixels, 1 more than a multiple of 8"),
        ("gray", (65, 96), 3, "65 columns"),
        ("4:2:0", (66, 95), 7, "66 columns"),
        ("4:2:0", (66, 95), 5, None),
        ("4:2:0", (66, 96), 6, None),
        ("gray", (65, 96), 4, None),
    ],
)
def test_an_edge_that_cannot_be_turned_is_refused(folder, form, size, orientation, words):
    photo = jpeg(folder, form, *size)
    wanted = folder / "wanted.jpg"
    done = completed("jpegtran", "-perfect", "-optimize", *TURNS[orientation], "-outfile", wanted, photo, status=None)
    assert (done.returncode != 0) == (words is not None), "jpegtran says otherwise"
    if words:
        assert words in edit(folder, photo, "--lossless", *WORDS[orientation], status=1)
    else:
        assert coded(edit(folder, photo, "--lossless", *WORDS[orientation])) == coded(wanted)


def segment(marker, body):
    return struct.pack(">BBH", 0xFF, marker, 2 + len(body)) + body


def test_other_segments_stay_wherever_they_are(folder):
    photo = jpeg(folder, "4:2:0")
    exiftool("-q", "-overwrite_original", "-Artist=Ada", photo)
    data = photo.read_bytes()
    extra = [segment(0xE2, b"ICC_PROFILE\0\x01\x01" + b"p" * 200), segment(0xFE, b"a comment"), segment(0xEB, b"JP\0\1" + b"x" * 40)]
    scan = data.index(b"\xff\xda")
    photo.write_bytes(data[:2] + extra[0] + data[2:scan] + b"\xff" + extra[1] + extra[2] + data[scan:] + b"behind")
    out = edit(folder, photo, "--lossless", "--rotate", "90").read_bytes()
    assert [out.count(one) for one in extra] == [1, 1, 1] and out.endswith(b"\xff\xd9behind")
    assert out.count(b"Exif\0\0") == out.count(b"JFIF\0") == 1
    assert pixels(folder / "out.jpg").shape == (64, 96, 3)


def test_exif_tells_the_size_and_keeps_a_turned_thumbnail(folder):
    photo, small = jpeg(folder, "4:2:0"), folder / "small.jpg"
    picture(32, 48).save(small, subsampling="4:2:2")
    exiftool("-q", "-n", "-overwrite_original", "-ExifImageWidth=64", "-ExifImageHeight=96", "-Orientation=8",
             "-XMP-tiff:ImageWidth=64", "-XMP-tiff:ImageHeight=96", f"-ThumbnailImage<={small}", photo)  # fmt: skip
    out = edit(folder, photo, "--lossless")
    found = facts(out, "-n")
    assert (found["ExifIFD:ExifImageWidth"], found["ExifIFD:ExifImageHeight"]) == (96, 64)
    assert (found["XMP-tiff:ImageWidth"], found["XMP-tiff:ImageHeight"]) == (96, 64)
    thumbnail, wanted = folder / "thumbnail.jpg", folder / "wanted.jpg"
    thumbnail.write_bytes(exiftool("-b", "-ThumbnailImage", out).stdout)
    completed("jpegtran", "-perfect", "-optimize", *TURNS[8], "-outfile", wanted, small)
    assert coded(thumbnail) == coded(wanted)
    assert "Warning" not in exiftool("-validate", "-warning", "-a", out).stdout.decode()
    # One that cannot be turned goes.
    picture(160, 100).save(small)
    exiftool("-q", "-overwrite_original", f"-ThumbnailImage<={small}", photo)
    done = completed(APUS, "edit", photo, "--lossless", "--rotate", "180", "-o", out, "--on-exists", "replace", text=True)
    assert "thumbnail was removed: cannot be turned without loss: it has 100 rows" in done.stderr
    assert not exiftool("-b", "-ThumbnailImage", out).stdout


@pytest.mark.parametrize("maker", ["google", "samsung"])
def test_the_video_of_a_motion_photo_stays(folder, maker):
    photo, movie = jpeg(folder, "4:2:0"), (FIXTURES / "hvc1.mp4").read_bytes()
    if maker == "google":
        exiftool("-q", "-overwrite_original", "-XMP-GCamera:MicroVideo=1",
                 f"-XMP-GCamera:MicroVideoOffset={len(movie)}", photo)  # fmt: skip
    else:
        movie = samsung([(b"Image_UTC_Data", b"1"), (b"MotionPhoto_Data", movie)])
    photo.write_bytes(photo.read_bytes() + movie)
    out = edit(folder, photo, "--lossless", "--rotate", "90")
    assert out.read_bytes().endswith(b"\xff\xd9" + movie)
    videos = [completed(APUS, "extract", path, "--role", "motion-video", "-o", "-").stdout for path in (photo, out)]
    assert videos[0] and videos[0] == videos[1]


def test_a_gain_map_would_not_be_turned(folder):
    hdr = folder / "hdr.jpg"
    completed(APUS, "convert", FIXTURES / "gain-map-tmap.heic", "-o", hdr)
    assert "a gain map" in edit(folder, hdr, "--lossless", "--rotate", "180", status=1)
    # Upright as it is, it does not have to be.
    completed(APUS, "edit", hdr, "--lossless", "--dry-run", status=3)


def test_a_heic_is_turned_by_its_properties_as_ever(folder):
    photo = FIXTURES / "photo.heic"
    out = edit(folder, photo, "--rotate", "90").read_bytes()
    assert edit(folder, photo, "--rotate", "90", "--lossless").read_bytes() == out
    completed(APUS, "edit", photo, "--lossless", "--dry-run", status=3)


def test_damaged_data_and_late_metadata_are_refused(folder):
    data = jpeg(folder, "progressive").read_bytes()
    photo = folder / "damaged.jpg"
    photo.write_bytes(data[:-200])
    edit(folder, photo, "--lossless", "--rotate", "90", status=1)
    photo.write_bytes(data[: len(data) // 2] + bytes(50) + data[len(data) // 2 + 50 :])
    edit(folder, photo, "--lossless", "--rotate", "90", status=1)
    scan = data.rindex(b"\xff\xda")
    photo.write_bytes(data[:scan] + segment(0xFE, b"late") + data[scan:])
    assert "after its first scan" in edit(folder, photo, "--lossless", "--rotate", "90", status=1)


def test_limits_bound_the_memory(folder):
    photo = jpeg(folder, "4:2:0", 1600, 1200)
    assert "limit mebibytes is 1" in edit(folder, photo, "--lossless", "--rotate", "180", "--limit", "mebibytes=1", status=1)
    assert "limit megapixels is 1" in edit(folder, photo, "--lossless", "--rotate", "180", "--limit", "megapixels=1", status=1)


# Previews


def bytes_of(image, **options):
    data = io.BytesIO()
    image.save(data, "jpeg", **options)
    return data.getvalue()


def indexed(order, head, others):
    """A JPEG with an index of pictures: types and data of those after the first, which depends on all of them."""
    pack = lambda form, *values: struct.pack(order + form, *values)  # noqa: E731
    count = 1 + len(others)
    table = pack("HHI4s", 0xB000, 7, 4, b"0100") + pack("HHII", 0xB001, 4, 1, count) + pack("HHII", 0xB002, 7, 16 * count, 50)
    # Offsets count from the end of SOI, marker, length and identifier.
    base, first = 2 + 4 + 4, len(head) + 4 + 4 + 50 + 16 * count
    entries = pack("IIIHH", 0xA003_0000, first, 0, *([2, 3, 0, 0][: len(others)] + [0, 0])[:2])
    at = first
    for kind, data in others:
        entries += pack("IIIHH", 0x4000_0000 | kind, len(data), at - base, 0, 0)
        at += len(data)
    tiff = (b"MM\0*" if order == ">" else b"II*\0") + pack("I", 8) + pack("H", 3) + table + pack("I", 0)
    body = b"MPF\0" + tiff.ljust(50, b"\0") + entries
    return head[:2] + segment(0xE2, body) + head[2:] + b"".join(data for _, data in others)


def listed(path):
    """The number of pictures in the index, and those after the first as exiftool finds them."""
    count = exiftool("-s3", "-NumberOfImages", path).stdout.decode().strip()
    # The name of the first preview is that of previews in general.
    names = [["-MPImage2", "-PreviewImage"], ["-MPImage3"], ["-MPImage4"]]
    return count, [exiftool("-b", *name, path).stdout for name in names]


@pytest.mark.parametrize("order", "<>")
def test_previews_after_a_jpeg_go(folder, order):
    head = jpeg(folder, "4:2:0").read_bytes()
    large, larger, other = bytes_of(picture(32, 48)), bytes_of(picture(48, 64)), bytes_of(picture(64, 64))
    photo = folder / "a.jpg"
    photo.write_bytes(indexed(order, head, [(0x010001, large), (0x010002, larger)]) + b"trailer")
    assert listed(photo)[1] == [large, larger, b""]
    assert edit(folder, photo, "--strip", "preview").read_bytes() == head + b"trailer"
    assert edit(folder, photo, "--remove", "preview").read_bytes() == head + b"trailer"
    # A photo is not turned with a preview, but without it.
    assert "preview" in edit(folder, photo, "--lossless", "--rotate", "90", status=1)
    plain = edit(folder, jpeg(folder, "4:2:0"), "--lossless", "--rotate", "90").read_bytes()
    assert edit(folder, photo, "--lossless", "--rotate", "90", "--strip", "preview").read_bytes() == plain + b"trailer"
    # Another picture stays, with its index.
    photo.write_bytes(indexed(order, head, [(0x010001, large), (0x020002, other), (0x010002, larger)]) + b"trailer")
    assert listed(photo)[1] == [large, other, larger]
    out = edit(folder, photo, "--strip", "preview", "--set", "creator=A name of another length")
    found, pictures = listed(out)
    assert pictures == [other, b"", b""] and found == "2"
    data = out.read_bytes()
    assert data.endswith(other + b"trailer") and large not in data and larger not in data
    # The index is that which the remaining pictures need.
    assert listed(edit(folder, out.rename(folder / "again.jpg"), "--strip", "preview"))[1] == pictures
    assert "another picture" in edit(folder, photo, "--lossless", "--strip", "preview", "--rotate", "90", status=1)


def test_a_turned_photo_without_previews_keeps_its_index_right(folder):
    """Samsung's index has the first picture only."""
    head = jpeg(folder, "4:2:0").read_bytes()
    photo = folder / "a.jpg"
    photo.write_bytes(indexed("<", head, []) + b"trailer")
    out = edit(folder, photo, "--lossless", "--rotate", "90")
    length = exiftool("-n", "-s3", "-MPImageLength", out).stdout.decode()
    assert int(length) == out.stat().st_size - len("trailer")


def exif_with_previews(preview, thumbnail):
    """Exif with a JPEG in IFD 1 and another one to which a directory of its own points."""
    long = lambda tag, value: struct.pack("<HHII", tag, 4, 1, value)  # noqa: E731
    size = lambda count: 2 + 12 * count + 4  # noqa: E731
    first, sub = 8, 8 + size(2)
    second = sub + size(3)
    data = second + size(3)
    short = struct.pack("<HHIHH", 0x103, 3, 1, 6, 0)
    table = lambda entries, following: struct.pack("<H", len(entries)) + b"".join(entries) + struct.pack("<I", following)  # noqa: E731
    return (b"II*\0" + struct.pack("<I", first)
            + table([struct.pack("<HHI4s", 0x10F, 2, 4, b"Ada\0"), long(0x14A, sub)], second)
            + table([short, long(0x201, data + len(thumbnail)), long(0x202, len(preview))], 0)
            + table([short, long(0x201, data), long(0x202, len(thumbnail))], 0) + thumbnail + preview)  # fmt: skip


@pytest.mark.parametrize("name", ["420.jpg", "photo.heic"])
def test_previews_in_exif_go_and_the_thumbnail_stays(folder, name):
    preview, thumbnail = bytes_of(picture(64, 96), quality=95), bytes_of(picture(16, 24))
    tiff = folder / "exif.tif"
    tiff.write_bytes(exif_with_previews(preview, thumbnail))
    photo = edit(folder, FIXTURES / name, "--exif", tiff)
    photo = photo.rename(folder / f"with{photo.suffix}")
    assert preview in photo.read_bytes()
    out = edit(folder, photo, "--strip", "preview")
    assert preview not in out.read_bytes() and preview[-300:-100] not in out.read_bytes()
    assert exiftool("-b", "-ThumbnailImage", out).stdout == thumbnail
    names = exiftool("-a", "-G1", "-s", out).stdout.decode()
    assert not re.search("SubIFD.*(JpgFromRaw|OtherImage|PreviewImage)", names), names
    assert facts(out)["IFD0:Make"] == "Ada"
    assert out.stat().st_size <= photo.stat().st_size - len(preview)
    completed(APUS, "edit", shutil.copy(out, folder / f"again{out.suffix}"), "--strip", "preview", "--in-place", status=3)
