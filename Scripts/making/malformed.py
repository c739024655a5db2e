#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""malformed.py FAULT IN OUT: breaks a good file in one place (`deep` needs none and takes `-`)."""

import sys

from boxes import find, splice, u8, u16, u32, u64

MOST = u32(0xFFFF_FFFF)


def put(data, at, value):
    return data[:at] + value + data[at + len(value) :]


def at(kind, offset, value):
    """A fault: `value` at `offset` behind the header of the first box `kind`."""
    return lambda data: put(data, find(data, kind)[1] + offset, value)


def header(kind, offset, value):
    """A fault: `value` at `offset` from the start of the first box `kind`."""
    return lambda data: put(data, find(data, kind)[0] + offset, value)


def truncated_moov(data):
    start, _, stop = find(data, "moov")
    return data[: (start + stop) // 2]


def truncated_header(data):
    return data[: find(data, "moov")[0] + 5]


def child_overruns_parent(data):
    start, _, stop = find(data, "stts")
    return put(data, start, u32(stop - start + 0x10_0000))


def unknown_versions(data):
    for kind in ("tkhd", "stsd", "elst"):
        data = put(data, find(data, kind)[1], u8(255))
    return data


def leftover(data):
    return splice(data, find(data, "vmhd")[2] - 1, 1, data[find(data, "vmhd")[2] - 1 :][:1] + b"abc")


def zeros(data):
    stop = find(data, "ftyp")[2]
    return data[:stop] + bytes(512)


def deep(_):
    count = 10_000
    return b"".join(u32(8 * (count - index)) + b"moov" for index in range(count))


def cycle(data):
    """The item that the others lie in becomes its own holder."""
    _, body, _ = find(data, "iloc")
    count = int.from_bytes(data[body + 6 : body + 10], "big")
    place = body + 10
    for index in range(count):
        extents = int.from_bytes(data[place + 12 : place + 14], "big")
        if index == count - 1:
            return put(data, place + 4, u16(2))
        place += 14 + 12 * extents
    raise LookupError("iloc has no items")


def locations(data):
    """Where `iloc` (version 1, offsets and lengths of 4 bytes) names each item, as (item number, place)."""
    _, body, _ = find(data, "iloc")
    place = body + 8
    for _ in range(int.from_bytes(data[body + 6 : body + 8], "big")):
        yield int.from_bytes(data[place : place + 2], "big"), place
        place += 8 + 8 * int.from_bytes(data[place + 6 : place + 8], "big")


def extent(data, item):
    """The place of the offset and of the length of the only extent of an item."""
    place = dict(locations(data))[item] + 8
    return place, place + 4


def number(data, place):
    return int.from_bytes(data[place : place + 4], "big")


def last_tile_cut(data):
    """Everything behind the tile goes too."""
    offset, length = extent(data, 6)
    return data[: number(data, offset) + number(data, length) - 40]


def tile_missing(data):
    return put(data, dict(locations(data))[4], u16(4000))


def tile_flipped(data):
    """Behind the length and the header of its NAL unit."""
    place = number(data, extent(data, 2)[0]) + 6
    return put(data, place, bytes(byte ^ 0xFF for byte in data[place : place + 12]))


def tile_empty(data):
    return put(data, extent(data, 3)[1], u32(0))


FAULTS = {
    "truncated-moov": truncated_moov,
    "truncated-header": truncated_header,
    "child-overruns-parent": child_overruns_parent,
    "size-below-header": header("stsz", 0, u32(7)),
    "large-size-below-header": header("mdat", 8, u64(15)),
    "large-size-huge": header("mdat", 8, u64(2**64 - 1)),
    "size-zero-inside": header("mdia", 0, u32(0)),
    "stts-count": at("stts", 4, MOST),
    "stsz-count": at("stsz", 8, MOST),
    "stsd-count": at("stsd", 4, MOST),
    "sgpd-count": at("sgpd", 12, MOST),
    "hvcC-arrays": at("hvcC", 22, u8(255)),
    "hvcC-nalus": at("hvcC", 24, u16(65535)),
    "trun-count": at("trun", 4, MOST),
    "iloc-count": at("iloc", 6, MOST),
    "iloc-sizes": at("iloc", 4, u16(0xFFFF)),
    "ipma-count": at("ipma", 4, MOST),
    "unknown-versions": unknown_versions,
    "leftover": leftover,
    "zeros": zeros,
    "deep": deep,
    "last-tile-cut": last_tile_cut,
    "tile-missing": tile_missing,
    "tile-flipped": tile_flipped,
    "tile-empty": tile_empty,
    "cycle": cycle,
}

fault, source, target = sys.argv[1:]
data = b""
if source != "-":
    with open(source, "rb") as file:
        data = file.read()
with open(target, "wb") as file:
    file.write(FAULTS[fault](data))
