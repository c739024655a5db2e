#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""odd.py PICTURE.hevc OUT.heic: a picture of 67x45, coded as 68x46 and cropped by `clap`.

Written field by field after ISO/IEC 23008-12 and ISO/IEC 14496-12 (8.11 items, 12.1.4 clean aperture).
"""

import sys

from boxes import box, full, u8, u16, u32
from hevc import configuration, kind, nal_units

source, target = sys.argv[1:]
with open(source, "rb") as file:
    units = nal_units(file.read())
picture = b"".join(u32(len(unit)) + unit for unit in units if kind(unit) < 32)


def meta(start):
    # Half a column and half a row left of and above the middle: the last column and row fall away.
    clap = (u32(67), u32(1), u32(45), u32(1), u32(2**32 - 1), u32(2), u32(2**32 - 1), u32(2))
    properties = box(
        "ipco",
        configuration(units),
        full("ispe", 0, 0, u32(68), u32(46)),
        full("pixi", 0, 0, u8(3), u8(8), u8(8), u8(8)),
        box("clap", *clap),
    )
    association = u32(1) + u16(1) + u8(4) + bytes([0x81, 2, 3, 0x84])
    # offset_size 4, length_size 4, no base offset
    location = u8(0x44) + u8(0) + u16(1) + u16(1) + u16(0) + u16(1) + u32(start) + u32(len(picture))
    return full(
        "meta", 0, 0,
        full("hdlr", 0, 0, u32(0), b"pict", bytes(12), b"\0"),
        full("pitm", 0, 0, u16(1)),
        full("iloc", 0, 0, location),
        full("iinf", 0, 0, u16(1), full("infe", 2, 0, u16(1), u16(0), b"hvc1", b"\0")),
        box("iprp", properties, full("ipma", 0, 0, association)),
    )  # fmt: skip


ftyp = box("ftyp", b"heic", u32(0), b"mif1", b"heic")
start = len(ftyp) + len(meta(0)) + 8
with open(target, "wb") as file:
    file.write(ftyp + meta(start) + box("mdat", picture))
