#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exiftool reads the same metadata before and after, but for what had to change."""

import json
import pathlib
import subprocess
import struct
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What speaks of the file or is made up from other tags, and where in it things lie.
OTHERS = [
    "ExifTool:", "SourceFile", "File:", "System:", "Composite:", "JFIF:",
    "IFD1:ThumbnailOffset", "XMP-xmpNote:", "XMP-x:", "Photoshop:IPTCDigest",
]  # fmt: skip


def run(*command, **options):
    return subprocess.run(
        [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True,
        **({"stderr": subprocess.DEVNULL} | options),
    ).stdout  # fmt: skip


run("swift", "build", "--package-path", ROOT, "--product", "Segments", stderr=sys.stderr)
SEGMENTS = pathlib.Path(
    run("swift", "build", "--package-path", ROOT, "--show-bin-path").decode().strip(), "Segments"
)
WORK = tempfile.TemporaryDirectory()


def work(name):
    return pathlib.Path(WORK.name, name)


def file(name, data):
    work(name).write_bytes(data)
    return work(name)


PICTURE = work("picture.jpg")
run(
    "ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "color=red:size=16x16",
    "-frames:v", "1", PICTURE,
)  # fmt: skip


def segments(*arguments):
    """A JPEG with our segments, and what was said about them."""
    command = [SEGMENTS, *[str(argument) for argument in arguments]]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    jpeg = PICTURE.read_bytes()
    made = file("made.jpg", jpeg[:2] + result.stdout + jpeg[2:])
    return made, result.stderr.decode()


def written(name, *arguments):
    """The picture with metadata that exiftool wrote."""
    work(name).unlink(missing_ok=True)
    run("exiftool", "-q", *arguments, PICTURE, "-o", work(name))
    return work(name)


def block(jpeg, kind):
    """The metadata in it as one piece, in a file."""
    name = jpeg.with_suffix("." + kind.lower())
    name.write_bytes(run("exiftool", "-b", f"-{kind}", jpeg))
    return name


def tags(jpeg):
    listing = run("exiftool", "-j", "-G1", "-a", "-u", "-struct", "-b", jpeg)
    return {
        name: value
        for name, value in json.loads(listing)[0].items()
        if not name.startswith(tuple(OTHERS))
    }


def warning(jpeg):
    return json.loads(run("exiftool", "-j", "-Warning", jpeg))[0].get("Warning", "")


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


def orientation_and_size():
    for order in ("II", "MM"):
        source = written(
            "camera.jpg", f"-ExifByteOrder={order}", "-Make=Apus", "-Orientation#=6",
            "-ExifImageWidth=96", "-ExifImageHeight=72", "-UserComment=swift", f"-ThumbnailImage<={PICTURE}",
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


def maker_notes():
    for order in ("II", "MM"):
        exif = file("maker.exif", maker_note_exif(order))
        before = tags(exif)
        assert before["Canon:CanonImageType"] == "Swift Model XX1", before
        size = ["ExifIFD:ExifImageWidth", "ExifIFD:ExifImageHeight"]
        coordinates = [tag for tag in before if tag.startswith("GPS:")]
        assert len(coordinates) == 2
        made, _ = segments("--exif", exif)
        expect("maker note", before, made, changed=size)
        made, _ = segments("--exif", exif, "--strip", "gps")
        expect("maker note without place", before, made, changed=size, gone=coordinates)
        made, _ = segments("--exif", exif, "--orientation", "6", "--thumbnail", PICTURE)
        after = tags(made)
        assert after["IFD0:Orientation"] == "Rotate 90 CW"
        assert after["Canon:CanonImageType"] == "Swift Model XX1"
        assert run("exiftool", "-b", "-ThumbnailImage", made) == PICTURE.read_bytes()


def large_exif():
    source = file("comment", b"ASCII\0\0\0" + b"swift " * 32_000)
    source = written("large.jpg", "-ExifByteOrder=MM", "-Make=Apus", f"-UserComment<={source}", "-Artist=me")
    exif = block(source, "Exif")
    assert exif.stat().st_size > 192_000
    made, said = segments("--exif", exif)
    expect("192 KB of Exif", tags(source), made)
    assert "3 JPEG segments" in said and "multi-segment" in warning(made), said
    # exiftool, as a writer, divides it alike.
    assert block(made, "Exif").read_bytes() == exif.read_bytes()
    assert run(SEGMENTS, "--exif", exif) in source.read_bytes(), "exiftool divides it otherwise"


def large_thumbnail():
    big = file("big.jpg", PICTURE.read_bytes()[:-2] + bytes(40_000) + b"\xff\xd9")
    comment = file("comment", b"ASCII\0\0\0" + b"swift " * 5_000)
    work("thumb.exif").unlink(missing_ok=True)
    run("exiftool", "-q", "-Make=Apus", f"-UserComment<={comment}", f"-ThumbnailImage<={big}", "-o",
        work("thumb.exif"))  # fmt: skip
    before = tags(work("thumb.exif"))
    assert "IFD1:ThumbnailImage" in before and work("thumb.exif").stat().st_size > 66_000
    made, said = segments("--exif", work("thumb.exif"))
    expect("large thumbnail", before, made, gone=[tag for tag in before if tag.startswith("IFD1:")])
    assert "left out" in said and not warning(made), (said, warning(made))


def large_xmp():
    text = file("text", b"swift &amp; swallow, " * 15_000)
    source = written("xmp.jpg", f"-XMP-dc:Description<={text}", "-XMP-dc:Title=Swift", "-XMP-dc:Subject=a",
                     f"-XMP-photoshop:History<={text}", "-XMP-tiff:Orientation#=6")  # fmt: skip
    before = tags(source)
    packet = work("packet.xmp")
    packet.unlink(missing_ok=True)
    run("exiftool", "-q", "-tagsFromFile", source, "-XMP:all", "-o", packet)
    assert packet.stat().st_size > 300_000
    made, said = segments("--xmp", packet)
    expect("300 KB of XMP", before, made, changed=["XMP-tiff:Orientation"])
    assert "extended XMP" in said and not warning(made), (said, warning(made))


def large_profile():
    body = bytes(range(256)) * 700
    profile = file("profile.icc", (len(body) + 128).to_bytes(4, "big") + bytes(32) + b"acsp" + bytes(88) + body)
    made, said = segments("--icc", profile)
    assert run("exiftool", "-b", "-ICC_Profile", made) == profile.read_bytes() and not said


def large_iptc():
    records = b"".join(
        b"\x1c\x02\x19" + len(word).to_bytes(2, "big") + word for word in (b"bird%06d" % n for n in range(9000))
    )
    made, said = segments("--iptc", file("large.iptc", records))
    assert len(tags(made)["IPTC:Keywords"]) == 9000 and not said and not warning(made)


def places():
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


ROWS = [
    orientation_and_size, maker_notes, large_exif, large_thumbnail, large_xmp, large_profile, large_iptc,
    places,
]  # fmt: skip
for row in ROWS:
    row()
print(f"{len(ROWS)} kinds of metadata as exiftool reads them")
