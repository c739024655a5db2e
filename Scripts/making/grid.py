#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""grid.py [--item-offsets | --old-iloc] TILES.hevc OUT.heic: a 2x2 grid of four coded pictures.

Written field by field after ISO/IEC 23008-12 (6.6.2.3 grid) and ISO/IEC 14496-12 (8.11 items).
"""

import argparse

from boxes import box, full, u8, u16, u32, u64
from hevc import configuration, kind, nal_units

TILE = 64
WIDTH, HEIGHT = 120, 112
GRID, FIRST = 1, 2
PRIMARY_NAME = b"grid\0"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--item-offsets", action="store_true")
    parser.add_argument("--old-iloc", action="store_true")
    parser.add_argument("tiles")
    parser.add_argument("target")
    options = parser.parse_args()
    wide = options.item_offsets

    with open(options.tiles, "rb") as file:
        units = nal_units(file.read())
    tiles = [u32(len(unit)) + unit for unit in units if kind(unit) < 32]
    assert len(tiles) == 4

    # version, flags, rows_minus_one, columns_minus_one, output_width, output_height
    grid = u8(0) + u8(0) + u8(1) + u8(1) + u16(WIDTH) + u16(HEIGHT)
    tile_items = range(FIRST, FIRST + 4)
    # With construction method 2 the tiles are stretches of one item that holds all their bytes.
    holder = FIRST + 4
    item = u32 if wide else u16

    def entry(number, form, hidden, name=b"\0"):
        parts = item(number) + u16(0) + form.encode() + name
        return full("infe", 3 if wide else 2, 1 if hidden else 0, parts)

    entries = [entry(GRID, "grid", False, PRIMARY_NAME)]
    entries += [entry(number, "hvc1", True) for number in tile_items]
    if wide:
        entries.append(entry(holder, "mime", True, b"\0application/octet-stream\0"))
    iinf = full("iinf", 1, 0, u32(len(entries)), *entries) if wide else full(
        "iinf", 0, 0, u16(len(entries)), *entries
    )

    dimg = box("dimg", item(GRID), u16(4), *(item(number) for number in tile_items))
    iref = full("iref", 1 if wide else 0, 0, dimg)
    if wide:
        iloc_reference = box("iloc", item(FIRST), u16(1), item(holder))
        others = [box("iloc", item(n), u16(1), item(holder)) for n in list(tile_items)[1:]]
        iref = full("iref", 1, 0, dimg, iloc_reference, *others)

    properties = [
        configuration(units),
        full("ispe", 0, 0, u32(TILE), u32(TILE)),
        full("ispe", 0, 0, u32(WIDTH), u32(HEIGHT)),
        box("colr", b"nclx", u16(1), u16(13), u16(6), u8(0x80)),
        full("pixi", 0, 0, u8(3), u8(8), u8(8), u8(8)),
        # clean aperture 100x100, its centre 2 right of and 3 above the middle
        box("clap", u32(100), u32(1), u32(100), u32(1), u32(2), u32(1), u32(2**32 - 3), u32(1)),
        box("irot", u8(1)),
        box("imir", u8(0)),
    ]

    def association(number, *indices):
        essential = {1, 6, 7, 8}
        if wide:
            listed = [u16((0x8000 if i in essential else 0) | i) for i in indices]
        else:
            listed = [u8((0x80 if i in essential else 0) | i) for i in indices]
        return item(number) + u8(len(listed)) + b"".join(listed)

    associations = [association(GRID, 3, 4, 5, 6, 7, 8)]
    associations += [association(number, 1, 2, 4, 5) for number in tile_items]
    version, flags = (1, 1) if wide else (0, 0)
    ipma = full("ipma", version, flags, u32(len(associations)), *associations)
    iprp = box("iprp", box("ipco", *properties), ipma)

    def locations(start):
        """`iloc` for media data that begins at byte `start`."""
        begins = [start + sum(map(len, tiles[:index])) for index in range(4)]
        sizes = [len(tile) for tile in tiles]
        if options.old_iloc:
            # offset_size 8, length_size 4, base_offset_size 8; the grid too lies in the media data.
            grid_start = begins[3] + sizes[3]
            rows = [(GRID, grid_start, len(grid))] + list(zip(tile_items, begins, sizes))
            items = [
                u16(number) + u16(0) + u64(begin - 1) + u16(1) + u64(1) + u32(size)
                for number, begin, size in rows
            ]
            return full("iloc", 0, 0, u8(0x84), u8(0x80), u16(len(items)), *items)
        if not wide:
            # offset_size 4, length_size 4, no base offset
            items = [u16(GRID) + u16(1) + u16(0) + u16(1) + u32(0) + u32(len(grid))]
            items += [
                u16(number) + u16(0) + u16(0) + u16(1) + u32(begin) + u32(size)
                for number, begin, size in zip(tile_items, begins, sizes)
            ]
            return full("iloc", 1, 0, u8(0x44), u8(0), u16(len(items)), *items)
        # offset_size, length_size, base_offset_size and index_size 4
        items = [u32(GRID) + u16(1) + u16(0) + u32(0) + u16(1) + u32(0) + u32(0) + u32(len(grid))]
        place = 0
        for index, number in enumerate(tile_items):
            size = sizes[index]
            cuts = [(place, size)] if index else [(place, 10), (place + 10, size - 10)]
            extents = [u32(1) + u32(offset) + u32(length) for offset, length in cuts]
            items.append(u32(number) + u16(2) + u16(0) + u32(0) + u16(len(cuts)) + b"".join(extents))
            place += size
        items.append(
            u32(holder) + u16(0) + u16(0) + u32(start) + u16(1) + u32(0) + u32(0) + u32(place)
        )
        return full("iloc", 2, 0, u8(0x44), u8(0x44), u32(len(items)), *items)

    def meta(start):
        return full(
            "meta", 0, 0,
            full("hdlr", 0, 0, u32(0), b"pict", bytes(12), b"\0"),
            full("pitm", 1, 0, u32(GRID)) if wide else full("pitm", 0, 0, u16(GRID)),
            locations(start),
            iinf,
            iref,
            iprp,
            *([] if options.old_iloc else [box("idat", grid)]),
        )  # fmt: skip

    ftyp = box("ftyp", b"heic", u32(0), b"mif1", b"heic")
    media = b"".join(tiles) + (grid if options.old_iloc else b"")
    start = len(ftyp) + len(meta(1)) + 8
    with open(options.target, "wb") as file:
        file.write(ftyp + meta(start) + box("mdat", media))


main()
