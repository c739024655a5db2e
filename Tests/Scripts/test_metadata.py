# SPDX-License-Identifier: MIT
"""exiftool reads the same metadata before and after, but for what had to change."""

import json
import struct

import pytest

from exiftool import exiftool
from programs import ROOT, built, completed, ffmpeg

SEGMENTS = ROOT / ".build/developers/debug/Segments"
# What speaks of the file or is made up from other tags, and where in it things lie.
OTHERS = [
    "ExifTool:", "SourceFile", "File:", "System:", "Composite:", "JFIF:",
    "IFD1:ThumbnailOffset", "XMP-xmpNote:", "XMP-x:", "Photoshop:IPTCDigest",
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def program():
    """Builds the program that writes segments, if it is not built."""
    assert built("Segments") == SEGMENTS


def make_picture(folder):
    ffmpeg("-f", "lavfi", "-i", "color=red:size=16x16", "-frames:v", "1", folder / "picture.jpg")


@pytest.fixture(scope="session")
def picture(shared):
    """A JPEG without metadata."""
    return shared("metadata", make_picture) / "picture.jpg"


def output(*command):
    return completed(*command).stdout


def file(path, data):
    path.write_bytes(data)
    return path


@pytest.fixture
def segments(folder, picture):
    """Returns a JPEG with the segments that the program writes, and its messages."""
    def made(*arguments):
        result = completed(SEGMENTS, *arguments)
        jpeg = picture.read_bytes()
        return file(folder / "made.jpg", jpeg[:2] + result.stdout + jpeg[2:]), result.stderr.decode()

    return made


@pytest.fixture
def written(folder, picture):
    """Returns the picture with metadata that exiftool writes."""
    def made(name, *arguments):
        exiftool("-q", *arguments, picture, "-o", folder / name)
        return folder / name

    return made


def block(jpeg, kind):
    """The metadata of a kind as one piece, in a file."""
    return file(jpeg.with_suffix("." + kind.lower()), exiftool("-b", f"-{kind}", jpeg).stdout)


def tags(jpeg):
    listing = exiftool("-j", "-G1", "-a", "-u", "-struct", "-b", jpeg).stdout
    return {
        name: value
        for name, value in json.loads(listing)[0].items()
        if not name.startswith(tuple(OTHERS))
    }


def warning(jpeg):
    return json.loads(exiftool("-j", "-Warning", jpeg).stdout)[0].get("Warning", "")


def expect(name, before, made, changed=(), gone=()):
    """`changed` and `gone` are the tags that may differ or be missing."""
    after = tags(made)
    for tag, value in before.items():
        if tag in changed:
            assert tag in after and after[tag] != value, f"{name}: {tag} is still {value}"
        elif tag in gone:
            assert tag not in after, f"{name}: {tag} is still there"
        else:
            assert after.get(tag) == value, f"{name}: {tag} was {value!r:.80}, is {after.get(tag)!r:.80}"
    assert not after.keys() - before.keys(), f"{name}: {after.keys() - before.keys()} came from nowhere"


def maker_note_exif(order):
    """Exif with a maker note whose own directory points to its values from the start of the stream."""
    end = "<" if order == "II" else ">"

    def directory(at, entries):
        """The table and, after it, the values that do not fit."""
        table, rest = struct.pack(end + "H", len(entries)), b""
        place = at + 2 + 12 * len(entries) + 4
        for tag, kind, count, value in entries:
            if isinstance(value, bytes) and len(value) > 4:
                value, rest = struct.pack(end + "I", place + len(rest)), rest + value
            elif isinstance(value, int):
                value = struct.pack(end + ("H2x" if kind == 3 else "I"), value)
            table += struct.pack(end + "HHI", tag, kind, count) + value.ljust(4, b"\0")
        return table + bytes(4) + rest

    first = [(0x010F, 2, 6, b"Canon\0"), (0x8769, 4, 1, 64), (0x8825, 4, 1, 200)]
    note = directory(64 + 2 + 12 * 3 + 4, [(0x0006, 2, 16, b"Swift Model XX1\0")])
    picture = [(0x927C, 7, len(note), note), (0xA002, 3, 1, 99), (0xA003, 3, 1, 98)]
    degrees = struct.pack(end + "6I", 52, 1, 30, 1, 0, 1)
    gps = [(1, 2, 2, b"N\0"), (2, 5, 3, degrees)]
    head = order.encode() + struct.pack(end + "HI", 42, 8)
    stream = (head + directory(8, first)).ljust(64, b"\0") + directory(64, picture)
    return stream.ljust(200, b"\0") + directory(200, gps)


ORDERS = pytest.mark.parametrize("order", ["II", "MM"])


@ORDERS
def test_orientation_and_size_change_and_a_thumbnail_is_reported(written, segments, picture, order):
    source = written(
        "camera.jpg", f"-ExifByteOrder={order}", "-Make=Apus", "-Orientation#=6",
        "-ExifImageWidth=96", "-ExifImageHeight=72", "-UserComment=swift", f"-ThumbnailImage<={picture}",
        "-XMP-tiff:Orientation#=6", "-XMP-dc:Title=Swift", "-IPTC:Keywords=bird",
    )  # fmt: skip
    made, said = segments(
        "--exif", block(source, "Exif"), "--xmp", block(source, "XMP"), "--iptc", block(source, "IPTC")
    )
    expect(
        order, tags(source), made,
        changed=["IFD0:Orientation", "XMP-tiff:Orientation", "ExifIFD:ExifImageWidth",
                 "ExifIFD:ExifImageHeight"],
    )  # fmt: skip
    assert tags(made)["IFD0:Orientation"] == "Horizontal (normal)"
    assert "thumbnail" in said and not warning(made), said


@ORDERS
def test_maker_notes_keep_what_they_point_to(folder, segments, picture, order):
    exif = file(folder / "maker.exif", maker_note_exif(order))
    before = tags(exif)
    assert before["Canon:CanonImageType"] == "Swift Model XX1", before
    size = ["ExifIFD:ExifImageWidth", "ExifIFD:ExifImageHeight"]
    coordinates = [tag for tag in before if tag.startswith("GPS:")]
    assert len(coordinates) == 2
    made, _ = segments("--exif", exif)
    expect("maker note", before, made, changed=size)
    made, _ = segments("--exif", exif, "--strip", "gps")
    expect("maker note without place", before, made, changed=size, gone=coordinates)
    made, _ = segments("--exif", exif, "--orientation", "6", "--thumbnail", picture)
    after = tags(made)
    assert after["IFD0:Orientation"] == "Rotate 90 CW"
    assert after["Canon:CanonImageType"] == "Swift Model XX1"
    assert exiftool("-b", "-ThumbnailImage", made).stdout == picture.read_bytes()


def test_large_exif_is_divided_as_exiftool_does_it(folder, written, segments):
    source = file(folder / "comment", b"ASCII\0\0\0" + b"swift " * 32_000)
    source = written("large.jpg", "-ExifByteOrder=MM", "-Make=Apus", f"-UserComment<={source}", "-Artist=me")
    exif = block(source, "Exif")
    assert exif.stat().st_size > 192_000
    made, said = segments("--exif", exif)
    expect("192 KB of Exif", tags(source), made)
    assert "3 JPEG segments" in said and "multi-segment" in warning(made), said
    # exiftool, as a writer, divides it alike.
    assert block(made, "Exif").read_bytes() == exif.read_bytes()
    assert output(SEGMENTS, "--exif", exif) in source.read_bytes(), "exiftool divides it otherwise"


def test_a_large_thumbnail_is_left_out(folder, segments, picture):
    big = file(folder / "big.jpg", picture.read_bytes()[:-2] + bytes(40_000) + b"\xff\xd9")
    comment = file(folder / "comment", b"ASCII\0\0\0" + b"swift " * 5_000)
    thumb = folder / "thumb.exif"
    exiftool("-q", "-Make=Apus", f"-UserComment<={comment}", f"-ThumbnailImage<={big}", "-o", thumb)
    before = tags(thumb)
    assert "IFD1:ThumbnailImage" in before and thumb.stat().st_size > 66_000
    made, said = segments("--exif", thumb)
    expect("large thumbnail", before, made, gone=[tag for tag in before if tag.startswith("IFD1:")])
    assert "left out" in said and not warning(made), (said, warning(made))


def test_large_xmp_becomes_extended_xmp(folder, written, segments):
    text = file(folder / "text", b"swift &amp; swallow, " * 15_000)
    source = written("xmp.jpg", f"-XMP-dc:Description<={text}", "-XMP-dc:Title=Swift", "-XMP-dc:Subject=a",
                     f"-XMP-photoshop:History<={text}", "-XMP-tiff:Orientation#=6")  # fmt: skip
    before = tags(source)
    packet = folder / "packet.xmp"
    exiftool("-q", "-tagsFromFile", source, "-XMP:all", "-o", packet)
    assert packet.stat().st_size > 300_000
    made, said = segments("--xmp", packet)
    expect("300 KB of XMP", before, made, changed=["XMP-tiff:Orientation"])
    assert "extended XMP" in said and not warning(made), (said, warning(made))


def test_a_large_profile_stays(folder, segments):
    body = bytes(range(256)) * 700
    profile = file(folder / "profile.icc", (len(body) + 128).to_bytes(4, "big") + bytes(32) + b"acsp" + bytes(88) + body)
    made, said = segments("--icc", profile)
    assert exiftool("-b", "-ICC_Profile", made).stdout == profile.read_bytes() and not said


def test_large_iptc_stays(folder, segments):
    records = b"".join(
        b"\x1c\x02\x19" + len(word).to_bytes(2, "big") + word for word in (b"bird%06d" % n for n in range(9000))
    )
    made, said = segments("--iptc", file(folder / "large.iptc", records))
    assert len(tags(made)["IPTC:Keywords"]) == 9000 and not said and not warning(made)


def test_places_are_stripped_and_everything_if_that_is_asked_for(written, segments):
    source = written(
        "places.jpg", "-GPSLatitude=52.51234", "-GPSLatitudeRef=N", "-GPSLongitude=13.4", "-Make=Apus",
        "-XMP-exif:GPSLatitude=52.51234", "-XMP-photoshop:City=Berlin", "-XMP-dc:Title=Swift",
        "-XMP-iptcCore:Location=Mitte", "-XMP-iptcExt:LocationCreated={City=Berlin,CountryName=Germany}",
        "-IPTC:City=Berlin", "-IPTC:Keywords=bird",
    )  # fmt: skip
    blocks = ["--exif", block(source, "Exif"), "--xmp", block(source, "XMP"), "--iptc", block(source, "IPTC")]
    before = tags(source)
    named = ("GPS:", "XMP-exif:GPS", "XMP-photoshop:City", "XMP-iptcCore:Loc", "XMP-iptcExt:Loc", "IPTC:City")
    gone = [tag for tag in before if tag.startswith(named)]
    assert len(gone) >= 8, gone
    made, _ = segments(*blocks, "--strip", "gps")
    expect("places", before, made, gone=gone)
    assert b"Berlin" not in made.read_bytes()
    made, _ = segments(*blocks, "--strip", "all")
    assert tags(made) == {}
