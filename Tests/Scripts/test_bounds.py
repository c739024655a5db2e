# SPDX-License-Identifier: MIT
"""Small files that announce much: each verb ends in time, with little memory, and says why."""

import struct
import zlib

import pytest

import heif
from boxes import box, full, u8, u16, u32
from programs import APUS, FIXTURES, measured, run

pytestmark = pytest.mark.alone
SECONDS = 30
MEBIBYTES = 100


def bounded(*words, status=0, says="", seconds=1.0):
    code, output, error, used, memory = measured(APUS, *words)
    shown = " ".join(map(str, words))
    assert code == status, f"{shown}: status {code}, {error}"
    assert says in error.decode(), f"{shown}: {error}"
    assert memory < MEBIBYTES, f"{shown}: {memory} MiB"
    assert used < seconds, f"{shown}: {used} s"
    return output


def overlay(path, width, height):
    """A canvas with one small picture in its corner."""
    coded = heif.Coded(FIXTURES / "hvc1.mp4")
    photo = heif.Photo("heic", "mif1", "heic")
    extents = full("ispe", 0, 0, u32(coded.width), u32(coded.height))
    tile = photo.item("hvc1", coded.samples[0], coded.configuration, extents, coded.pixi, hidden=True)
    data = u8(0) + u8(1) + u16(0) * 3 + u16(65535) + u32(width) + u32(height) + u32(0) + u32(0)
    extents = full("ispe", 0, 0, u32(width), u32(height))
    canvas = photo.item("iovl", data, extents, coded.pixi, place=heif.IDAT)
    photo.refer("dimg", canvas, tile)
    photo.write(path, canvas)


@pytest.mark.parametrize("width, height", ((500_000_000, 1), (1, 500_000_000), (131_073, 16)))
def test_a_side_that_is_too_long_is_refused(folder, width, height):
    """A side that is too long is refused; panoramas are converted."""
    photo = folder / f"{width}x{height}.heic"
    overlay(photo, width, height)
    for name in ("a.png", "a.jpg", "a.ppm", "a.heic", "a.yuv"):
        # A HEIC would be copied without a quality.
        words = {"a.yuv": ["--format", "yuv"], "a.heic": ["-q", "60"]}.get(name, [])
        bounded("convert", photo, "-o", folder / name, *words, status=1, says="limit side is 131072")
        assert not (folder / name).exists()
    bounded("thumbnail", photo, "-o", folder / "a.jpg", status=1, says="limit side is 131072")
    bounded("export", photo, "-o", f"{folder}/out/", status=1, says="limit side is 131072")
    bounded("info", photo)


@pytest.mark.parametrize("width, height", ((20_000, 100), (16_384, 256), (60_000, 64), (131_072, 16)))
def test_panoramas_are_converted(folder, width, height):
    photo = folder / f"{width}x{height}.heic"
    overlay(photo, width, height)
    names = ["b.png", "b.heic"] + (["b.jpg"] if width < 65_536 else [])
    for name in names:
        bounded("convert", photo, "-o", folder / name, "--on-exists", "replace", seconds=SECONDS)


def test_a_limit_can_be_raised(folder):
    photo = folder / "131073x16.heic"
    overlay(photo, 131_073, 16)
    bounded("convert", photo, "-o", folder / "raised.png", "--limit", "side=200000", seconds=SECONDS)


def test_a_photo_that_is_too_large_costs_the_others_nothing(folder):
    overlay(folder / "500000000x1.heic", 500_000_000, 1)
    words = [folder / "500000000x1.heic", FIXTURES / "photo.heic", FIXTURES / "still-96x72.heic"]
    bounded("convert", *words, "-o", f"{folder}/many/", "--format", "png", status=1, says="2 converted, 1 failed")


def chunk(kind, data):
    return u32(len(data)) + kind + data + u32(zlib.crc32(kind + data))


def png(path, *extra, side=8):
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes(3 * side)) * side)
    chunks = chunk(b"IHDR", header) + b"".join(extra) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


def zeros(mebibytes, value=b"\0"):
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(value * (1 << 20)) for _ in range(mebibytes)) + packer.flush()


def test_what_inflates_to_hundreds_of_megabytes_is_left_out(folder):
    """What inflates to hundreds of megabytes is left out, and no profile that is none goes into the output."""
    profile, text = folder / "profile.png", folder / "text.png"
    png(profile, chunk(b"iCCP", b"x\0\0" + zeros(300)))
    packed = zeros(300, b" ")
    png(
        text, chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + packed), chunk(b"zTXt", b"Comment\0\0" + packed),
        chunk(b"iTXt", b"Comment\0\1\0\0\0" + packed),
    )  # fmt: skip
    small = folder / "small.png"
    png(small, chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(5000))))
    inks = folder / "inks.png"
    header = struct.pack(">I", 5000) + bytes(12) + b"Lab XYZ " + bytes(12) + b"acsp"
    png(inks, chunk(b"iCCP", b"x\0\0" + zlib.compress(header + bytes(5000 - len(header)))))
    for photo, words in (
        (profile, "the ICC profile is left out because it has more bytes than the limit profile-bytes"),
        (text, "because it is compressed (iTXt)"),
        (small, "the ICC profile is left out because its 5000 bytes are not a profile"),
        (inks, "the ICC profile is left out because it is for Lab, not RGB"),
    ):
        made = photo.with_suffix(".heic")
        bounded("convert", photo, "-o", made, says=words)
        assert made.stat().st_size < 2000, made


def test_memory_for_a_png_does_not_grow_with_its_rows(folder):
    """Memory for a PNG does not grow with its rows; one that is interlaced is held whole, under a limit."""
    width, height = 22_000, 2_000
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    packed = zlib.compress(bytes((1 + width // 8) * height), 9)
    end = chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    photo, made = folder / "rows.png", folder / "rows.heic"
    photo.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + end)
    bounded("convert", photo, "-o", made, seconds=SECONDS)
    facts = bounded("info", made)
    assert b"22000x2000" in facts, facts
    photo, made = folder / "cut.png", folder / "cut.heic"
    packed = packed[: len(packed) // 2]
    photo.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b""))
    bounded("convert", photo, "-o", made, status=1, says="the PNG, bytes 0 to", seconds=SECONDS)
    assert not made.exists()
    # 50 megapixels of three bytes are nearly 144 MiB; the rest of the picture takes a few bands.
    photo, made = folder / "interlaced.png", folder / "interlaced.heic"
    header = struct.pack(">IIBBBBB", 8_192, 6_144, 8, 2, 0, 0, 1)
    photo.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + end)
    words = ["--limit", "mebibytes=144"]
    bounded("convert", photo, "-o", made, *words, status=1, says="the limit mebibytes is 144")
    assert not made.exists()


def test_fill_bytes_and_many_segments_of_a_jpeg_are_read_fast(folder):
    """Fill bytes are read as fast as any others, and segments of one kind are not copied over and over."""
    fill = folder / "fill.jpg"
    fill.write_bytes(b"\xff\xd8" + b"\xff" * (8 << 20))
    bounded("info", fill)
    segments = folder / "segments.jpg"
    part = b"\xff\xe1" + u16(65_535) + b"Exif\0\0" + bytes(65_527)
    segments.write_bytes(b"\xff\xd8" + part * 400)
    bounded("info", segments, seconds=5)


def test_rows_of_an_edit_list_stay_in_the_file(folder):
    """Rows of an edit list stay in the file, and a list of groups ends."""
    movie = (FIXTURES / "edit-list.mp4").read_bytes()
    start = movie.index(b"edts") - 4
    size = int.from_bytes(movie[start : start + 4], "big")
    rows = 500_000
    edits = box("edts", full("elst", 0, 0, u32(rows), (u32(1) + u32(0) + u16(1) + u16(0)) * rows))
    # Sizes of the boxes around it, all of which begin before it and end after it; media data moves.
    data = bytearray(movie)
    for kind in (b"moov", b"trak"):
        at = data.rindex(kind, 0, start + 8) - 4
        grown = int.from_bytes(data[at : at + 4], "big") + len(edits) - size
        data[at : at + 4] = u32(grown)
    data[start : start + size] = edits
    long = folder / "edits.mp4"
    long.write_bytes(data)
    for words in (["info"], ["inspect"], ["edit", "-o", folder / "edited.mp4"]):
        bounded(*words[:1], long, *words[1:], seconds=2)
    run(APUS, "inspect", "--full", long)
    listed = bounded("inspect", "--full", long, seconds=SECONDS)
    assert listed.count(b"segment_duration=1 ") == rows, listed.count(b"segment_duration=1 ")


def test_a_list_of_groups_ends(folder):
    coded = heif.Coded(FIXTURES / "hvc1.mp4")
    photo = heif.Photo("heic", "mif1", "heic")
    extents = full("ispe", 0, 0, u32(coded.width), u32(coded.height))
    item = photo.item("hvc1", coded.samples[0], coded.configuration, extents, coded.pixi)
    photo.groups = [full("altr", 0, 0, u32(index), u32(1), u32(item)) for index in range(100_000)]
    many = folder / "groups.heic"
    photo.write(many, item)
    listed = bounded("info", "--json", many, seconds=5)
    assert len(listed) < 1 << 17 and b'"group_count":100000' in listed, len(listed)
