#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rewrite.py CHANGE IN OUT: valid files in forms that no tool at hand writes."""

import sys

from boxes import box, find, splice, u32, u64


def large_mdat(data):
    start, body, stop = find(data, "mdat")
    data = splice(data, body, 0, u64(stop - start))
    return data[:start] + u32(1) + data[start + 4 : start + 8] + u64(stop - start + 8) + data[body + 8 :]


def size_zero(data):
    start, _, stop = find(data, "mdat")
    assert stop == len(data)
    return data[:start] + u32(0) + data[start + 4 :]


def udta_terminator(data):
    """Puts the zeros behind the last child, inside `udta`."""
    start, body, stop = find(data, "udta")
    last = data[body:stop] + bytes(4)
    return splice(data, start, stop - start, box("udta", last))


def trailing_junk(data):
    return data + b"\x00\x00\x00\x05junk"


def uuid_and_unknown(data):
    stop = find(data, "ftyp")[2]
    made = box("uuid", bytes(range(16)), b"user data") + box("Apus", b"unknown")
    made += box("\x01\x02\x03\x04", b"no text") + box("free", b"\0" * 5) + box("skip")
    return splice(data, stop, 0, made)


def image_sequence(data):
    """A movie with one track of pictures: ISO/IEC 23008-12, 7."""
    data = data.replace(b"vide", b"pict", 1)
    brands = box("ftyp", b"hevc", u32(0), b"msf1", b"hevc", b"iso8")
    return splice(data, 0, find(data, "ftyp")[2], brands)


change, source, target = sys.argv[1:]
changes = {
    "large-mdat": large_mdat,
    "size-zero": size_zero,
    "udta-terminator": udta_terminator,
    "trailing-junk": trailing_junk,
    "uuid-and-unknown": uuid_and_unknown,
    "image-sequence": image_sequence,
}
with open(source, "rb") as file:
    data = file.read()
with open(target, "wb") as file:
    file.write(changes[change](data))
