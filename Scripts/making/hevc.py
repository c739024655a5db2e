# SPDX-License-Identifier: MIT
"""What a container needs of an HEVC stream, by hand."""

from boxes import box, u8, u16


def nal_units(stream):
    """The NAL units of an Annex B stream (ISO/IEC 23008-2, annex B)."""
    parts = stream.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1")
    return [part.rstrip(b"\0") for part in parts if part]


def kind(unit):
    return unit[0] >> 1 & 0x3F


def configuration(units):
    """`hvcC`: ISO/IEC 14496-15, 8.3.2.1, for Main profile, 4:2:0, 8 bits."""
    sps = next(unit for unit in units if kind(unit) == 33)
    # profile_tier_level stands after two header bytes and one byte of identifiers; the two zero bytes
    # in its constraint flags are followed by an emulation prevention byte.
    profile = sps[3:].replace(b"\0\0\3", b"\0\0")[:12]
    arrays = b"".join(
        u8(0x80 | wanted) + u16(1) + u16(len(unit)) + unit
        for wanted in (32, 33, 34)
        for unit in [next(unit for unit in units if kind(unit) == wanted)]
    )
    return box(
        "hvcC", u8(1), profile, u16(0xF000), u8(0xFC), u8(0xFC | 1), u8(0xF8), u8(0xF8), u16(0),
        u8(1 << 3 | 1 << 2 | 3), u8(3), arrays,
    )  # fmt: skip
