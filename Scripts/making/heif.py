# SPDX-License-Identifier: MIT
"""A HEIF file by hand: items, their properties, references and places (ISO/IEC 14496-12, 8.11; 23008-12)."""

import struct

from boxes import box, find, full, u8, u16, u32

# Properties that a reader must understand: ISO/IEC 23008-12, 6.5, and 14496-15 for the configurations.
ESSENTIAL = {b"hvcC", b"avcC", b"clap", b"irot", b"imir"}
FILE, IDAT, ITEM = 0, 1, 2


class Coded:
    """Pictures as ffmpeg wrote them into an MP4 of one track."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        start, body, _ = find(data, "hvc1") if b"hvc1" in data else find(data, "avc1")
        self.kind = data[start + 4 : start + 8].decode()
        self.width, self.height = struct.unpack_from(">HH", data, body + 24)
        start, body, stop = find(data, "hvcC" if self.kind == "hvc1" else "avcC")
        self.configuration = data[start:stop]
        self.chroma = data[body + 16] & 3 if self.kind == "hvc1" else 1
        self.depth = 8 + (data[body + 17] & 7) if self.kind == "hvc1" else 8
        place = find(data, "mdat")[1]
        table = find(data, "stsz")[1]
        size, count = struct.unpack_from(">II", data, table + 4)
        # A size for all, or one for each.
        sizes = [size] * count if size else struct.unpack_from(f">{count}I", data, table + 12)
        self.samples = []
        for size in sizes:
            self.samples.append(self.without_sets(data[place : place + size]))
            place += size

    def without_sets(self, sample):
        """The parameter sets stand in the configuration alone: ISO/IEC 14496-15, 8.3.3.1."""
        kept, place = b"", 0
        while place < len(sample):
            stop = place + 4 + struct.unpack_from(">I", sample, place)[0]
            first = sample[place + 4]
            if (first >> 1 & 63 not in (32, 33, 34)) if self.kind == "hvc1" else (first & 31 not in (7, 8)):
                kept += sample[place:stop]
            place = stop
        return kept

    @property
    def pixi(self):
        channels = 3 if self.chroma else 1
        return full("pixi", 0, 0, u8(channels), u8(self.depth) * channels)


class Photo:
    def __init__(self, *brands):
        self.brands = brands
        self.items = []
        self.properties = []
        self.references = []
        self.groups = []
        # What stands behind the last box.
        self.trailing = b""

    def item(self, kind, data, *properties, place=FILE, extents=1, hidden=False, mime=b""):
        """Adds an item and returns its number."""
        cuts = [len(data) * index // extents for index in range(extents + 1)]
        indices = [self.index(made) for made in properties]
        entry = kind, data, place, list(zip(cuts, cuts[1:])), hidden, mime, indices
        self.items.append(entry)
        return len(self.items)

    def index(self, made):
        if made not in self.properties:
            self.properties.append(made)
        return self.properties.index(made) + 1

    def refer(self, kind, item, *others):
        self.references.append(box(kind, u16(item), u16(len(others)), *map(u16, others)))

    def group(self, kind, *items):
        number = 1000 + len(self.groups)
        self.groups.append(full(kind, 0, 0, u32(number), u32(len(items)), *map(u32, items)))

    def write(self, path, primary):
        ftyp = box("ftyp", self.brands[0].encode(), u32(0), *(name.encode() for name in self.brands))
        start = len(ftyp) + len(self.meta(0, primary)) + 8
        # Pieces of other items lie between the pieces of an item that has several.
        pieces = sorted(self.pieces(FILE), key=lambda piece: piece[1])
        with open(path, "wb") as file:
            file.write(ftyp + self.meta(start, primary) + box("mdat", *(data for *_, data in pieces)) + self.trailing)

    def pieces(self, place):
        """(item, which of its extents, bytes) for what lies in one place."""
        for number, (_, data, where, cuts, *_) in enumerate(self.items, 1):
            if where == place:
                for which, (begin, end) in enumerate(cuts):
                    yield number, which, data[begin:end]

    def locations(self, start):
        offsets = {}
        for place, order in ((FILE, lambda piece: piece[1]), (IDAT, lambda _: 0)):
            at = start if place == FILE else 0
            for number, which, data in sorted(self.pieces(place), key=order):
                offsets[number, which] = at
                at += len(data)
        rows = []
        # Some readers do not know the index.
        indexed = any(place == ITEM for _, _, place, *_ in self.items)
        for number, (_, _, place, cuts, *_) in enumerate(self.items, 1):
            extents = b""
            for which, (begin, end) in enumerate(cuts):
                at = begin if place == ITEM else offsets[number, which]
                extents += (u32(1) if indexed else b"") + u32(at) + u32(end - begin)
            rows.append(u16(number) + u16(place) + u16(0) + u16(len(cuts)) + extents)
        # offset_size and length_size 4, no base offset, index_size 4 where it says something
        return full("iloc", 1, 0, u8(0x44), u8(0x04 if indexed else 0), u16(len(rows)), *rows)

    def meta(self, start, primary):
        entries, associations = [], []
        for number, (kind, _, _, _, hidden, mime, indices) in enumerate(self.items, 1):
            name = b"\0" + mime + (b"\0" if mime else b"")
            body = u16(number) + u16(0) + kind.encode() + name
            entries.append(full("infe", 2, 1 if hidden else 0, body))
            listed = [
                u8(index | (0x80 if self.properties[index - 1][4:8] in ESSENTIAL else 0))
                for index in indices
            ]
            if listed:
                associations.append(u16(number) + u8(len(listed)) + b"".join(listed))
        idat = b"".join(data for *_, data in self.pieces(IDAT))
        return full(
            "meta", 0, 0,
            full("hdlr", 0, 0, u32(0), b"pict", bytes(12), b"\0"),
            full("pitm", 0, 0, u16(primary)),
            self.locations(start),
            full("iinf", 0, 0, u16(len(entries)), *entries),
            *([full("iref", 0, 0, *self.references)] if self.references else []),
            box(
                "iprp",
                box("ipco", *self.properties),
                full("ipma", 0, 0, u32(len(associations)), *associations),
            ),
            *([box("grpl", *self.groups)] if self.groups else []),
            *([box("idat", idat)] if idat else []),
        )  # fmt: skip


def many_tiles(movie, path, side):
    """Writes a grid in which one tile, a picture of a movie, stands so often in a row and in a column."""
    coded = Coded(movie)
    photo = Photo("heic", "mif1", "heic")
    width, height = coded.width * side, coded.height * side
    extents = full("ispe", 0, 0, u32(coded.width), u32(coded.height))
    tile = photo.item("hvc1", coded.samples[0], coded.configuration, extents, coded.pixi, hidden=True)
    layout = u8(0) + u8(1) + u8(side - 1) + u8(side - 1) + u32(width) + u32(height)
    extents = full("ispe", 0, 0, u32(width), u32(height))
    grid = photo.item("grid", layout, extents, coded.pixi, place=IDAT)
    photo.references.append(box("dimg", u16(grid), u16(side**2), u16(tile) * side**2))
    photo.write(path, grid)
