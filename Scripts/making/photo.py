#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""photo.py PICTURES.mp4 OUT.heic [OPTIONS]: a photo whose coded pictures ffmpeg wrote into an MP4.

Without options the first picture is an item alone.
"""

import argparse

from boxes import box, full, u8, u16, u32
from heif import FILE, IDAT, ITEM, Coded, Photo

GREEN = (0x1000, 0xB000, 0x4000, 0xFFFF)


def sides(text):
    return tuple(int(side) for side in text.split("x"))


def spatial_extents(width, height):
    return full("ispe", 0, 0, u32(width), u32(height))


def placing(texts, width, height):
    """`irot=1`, `imir=0`, `clap=WxH+X+Y`, one after the other, in a picture of these sides."""
    for text in texts:
        kind, _, value = text.partition("=")
        if kind == "clap":
            size, left, top = value.split("+")
            wide, high = sides(size)
            # Offsets of its centre from that of the picture, in halves.
            across = 2 * int(left) + wide - width
            down = 2 * int(top) + high - height
            yield box("clap", *map(u32, (wide, 1, high, 1, across % 2**32, 2, down % 2**32, 2)))
            width, height = wide, high
        else:
            yield box(kind, u8(int(value)))
            if kind == "irot" and int(value) % 2:
                width, height = height, width


parser = argparse.ArgumentParser()
parser.add_argument("pictures")
parser.add_argument("target")
parser.add_argument("--grid", type=sides, help="columns and rows of tiles, 2x2")
parser.add_argument("--size", type=sides, help="of the grid or overlay")
parser.add_argument("--place", nargs="*", default=[], help="in this order: irot=1 imir=0 clap=40x30+2+0")
parser.add_argument("--nclx", help="primaries, transfer, matrix, full range: 1,13,6,1")
parser.add_argument("--icc")
parser.add_argument("--exif")
parser.add_argument("--xmp")
parser.add_argument("--alpha", help="an MP4 with the alpha plane")
parser.add_argument("--thumbnail", help="an MP4 with a small picture of the same")
parser.add_argument("--premultiplied", action="store_true")
parser.add_argument("--map", help="an MP4 with a gain map")
parser.add_argument("--map-place", nargs="*", help="as --place; without it as the picture")
parser.add_argument("--map-urn", help="makes it an auxiliary picture of this type")
parser.add_argument("--map-xmp", help="XMP of the gain map")
parser.add_argument("--tone-map", help="the parameters of a tmap item in hexadecimal digits")
parser.add_argument("--overlay", help="where each picture lies: -20,-8 40,30")
parser.add_argument("--identity", action="store_true", help="derived from the picture, and placed")
parser.add_argument("--predicted", action="store_true", help="the last picture, predicted from the others")
parser.add_argument("--in", dest="place_of_data", choices=["mdat", "idat", "item"], default="mdat")
parser.add_argument("--extents", type=int, default=1, help="for each coded picture")
options = parser.parse_args()

coded = Coded(options.pictures)
photo = Photo("heic", "mif1", "heic") if coded.kind == "hvc1" else Photo("avci", "mif1", "avci")
colour = []
if options.nclx:
    primaries, transfer, matrix, full_range = map(int, options.nclx.split(","))
    codes = u16(primaries) + u16(transfer) + u16(matrix) + u8(full_range << 7)
    colour.append(box("colr", b"nclx", codes))
if options.icc:
    with open(options.icc, "rb") as file:
        colour.append(box("colr", b"prof", file.read()))
size = options.size or (coded.width, coded.height)
placed = list(placing(options.place, *size))


def add(sample, hidden, *more, of=coded):
    place = {"mdat": FILE, "idat": IDAT, "item": ITEM}[options.place_of_data]
    return photo.item(
        of.kind, sample, of.configuration, spatial_extents(of.width, of.height), of.pixi, *more,
        place=place, extents=options.extents, hidden=hidden,
    )  # fmt: skip


def derived(kind, data, items, *more):
    item = photo.item(kind, data, spatial_extents(*size), coded.pixi, *colour, *more, place=IDAT)
    photo.refer("dimg", item, *items)
    return item


if options.grid:
    columns, rows = options.grid
    tiles = [add(sample, True, *colour) for sample in coded.samples[: columns * rows]]
    # version, flags, rows_minus_one, columns_minus_one, output_width, output_height
    layout = u8(0) + u8(0) + u8(rows - 1) + u8(columns - 1) + u16(size[0]) + u16(size[1])
    primary = derived("grid", layout, tiles, *placed)
elif options.overlay:
    corners = [tuple(map(int, corner.split(","))) for corner in options.overlay.split()]
    layers = [add(sample, True, *colour) for sample, _ in zip(coded.samples, corners)]
    # version, flags, canvas_fill_value, output_width, output_height, offsets
    layout = u8(0) + u8(0) + b"".join(map(u16, GREEN)) + u16(size[0]) + u16(size[1])
    layout += b"".join(u16(x % 2**16) + u16(y % 2**16) for x, y in corners)
    primary = derived("iovl", layout, layers, *placed)
elif options.identity:
    primary = derived("iden", b"", [add(coded.samples[0], True, *colour)], *placed)
elif options.predicted:
    bases = [add(sample, True, *colour) for sample in coded.samples[:-1]]
    primary = add(coded.samples[-1], False, *colour, *placed)
    photo.refer("pred", primary, *bases)
else:
    primary = add(coded.samples[0], False, *colour, *placed)

if options.alpha:
    plane = Coded(options.alpha)
    kind = full("auxC", 0, 0, b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")
    alpha = add(plane.samples[0], True, kind, *placed, of=plane)
    photo.refer("auxl", alpha, primary)
    if options.premultiplied:
        photo.refer("prem", primary, alpha)
if options.thumbnail:
    tiny = Coded(options.thumbnail)
    photo.refer("thmb", add(tiny.samples[0], True, *colour, *placing(options.place, *size), of=tiny), primary)
if options.map:
    plane = Coded(options.map)
    kind = full("auxC", 0, 0, options.map_urn.encode() + b"\0") if options.map_urn else b""
    lying = placing(options.map_place, plane.width, plane.height) if options.map_place is not None else placed
    gain_map = add(plane.samples[0], True, *([kind] if kind else []), *lying, of=plane)
    if kind:
        photo.refer("auxl", gain_map, primary)
    if options.tone_map:
        # Turned and cropped as what it is made of, so it is not turned again.
        data = bytes.fromhex(options.tone_map)
        tone_map = photo.item("tmap", data, spatial_extents(*size), coded.pixi, place=IDAT)
        photo.refer("dimg", tone_map, primary, gain_map)
    if options.map_xmp:
        with open(options.map_xmp, "rb") as file:
            item = photo.item("mime", file.read(), mime=b"application/rdf+xml", hidden=True)
            photo.refer("cdsc", item, gain_map)
if options.exif:
    with open(options.exif, "rb") as file:
        # The offset of the TIFF header behind this field: ISO/IEC 23008-12, annex A.
        photo.refer("cdsc", photo.item("Exif", u32(6) + b"Exif\0\0" + file.read()), primary)
if options.xmp:
    with open(options.xmp, "rb") as file:
        item = photo.item("mime", file.read(), mime=b"application/rdf+xml")
        photo.refer("cdsc", item, primary)
if options.place_of_data == "item":
    # Extents of construction method 2 count from the start of one item that holds all the bytes.
    held = [number for number, entry in enumerate(photo.items, 1) if entry[2] == ITEM]
    whole = b""
    for number in held:
        kind, data, place, cuts, *rest = photo.items[number - 1]
        moved = [(begin + len(whole), end + len(whole)) for begin, end in cuts]
        photo.items[number - 1] = (kind, data, place, moved, *rest)
        whole += data
    holder = photo.item("mime", whole, hidden=True, mime=b"application/octet-stream")
    for number in held:
        photo.refer("iloc", number, holder)
photo.write(options.target, primary)
