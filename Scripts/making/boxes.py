# SPDX-License-Identifier: MIT
"""Boxes by hand (ISO/IEC 14496-12, 4.2): written, and found again in a file."""

import struct

# Boxes that hold boxes, and how many bytes stand before the first.
PARENTS = dict.fromkeys(
    "moov trak mdia minf stbl dinf edts udta mvex moof traf mfra iprp ipco".split(), 0
) | {"meta": 4, "stsd": 8, "hvc1": 78, "hev1": 78, "avc1": 78, "iinf": 6, "iref": 4}


def u8(value):
    return struct.pack(">B", value)


def u16(value):
    return struct.pack(">H", value)


def u32(value):
    return struct.pack(">I", value)


def u64(value):
    return struct.pack(">Q", value)


def box(kind, *parts):
    body = b"".join(parts)
    return u32(8 + len(body)) + kind.encode("latin-1") + body


def full(kind, version, flags, *parts):
    return box(kind, u32(version << 24 | flags), *parts)


def walk(data, start=0, end=None, path=""):
    """Every box as (path, start, body start, end), outer before inner."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        body = start + 8
        if size == 1:
            size = struct.unpack_from(">Q", data, body)[0]
            body += 8
        stop = start + size if size else end
        if size and size < body - start or stop > end:
            return
        kind = kind.decode("latin-1")
        here = f"{path}/{kind}" if path else kind
        yield here, start, body, stop
        if kind in PARENTS:
            skip = 0 if kind == "meta" and data[body + 4 : body + 8] == b"hdlr" else PARENTS[kind]
            yield from walk(data, body + skip, stop, here)
        start = stop


def find(data, path):
    """The first box at `path`, as (start, body start, end); a bare type is found anywhere."""
    for here, start, body, stop in walk(data):
        if here == path or "/" not in path and here.rsplit("/", 1)[-1] == path:
            return start, body, stop
    raise LookupError(f"there is no {path}")


def splice(data, at, removed, inserted):
    """Replaces bytes; enclosing sizes grow, and chunk offsets behind the place follow."""
    data = bytearray(data)
    change = len(inserted) - removed
    for path, _, body, _ in list(walk(data)):
        if path.endswith("/stco"):
            for index in range(struct.unpack_from(">I", data, body + 4)[0]):
                place = body + 8 + 4 * index
                offset = struct.unpack_from(">I", data, place)[0]
                if offset >= at + removed:
                    struct.pack_into(">I", data, place, offset + change)
    for _, start, body, stop in list(walk(data)):
        if body <= at and at + removed <= stop and (at < stop or removed == 0):
            if at == stop and removed == 0:
                continue
            grow(data, start, body, change)
    data[at : at + removed] = inserted
    return bytes(data)


def grow(data, start, body, change):
    """Changes the size field of the box at `start`."""
    if body - start == 16:
        struct.pack_into(">Q", data, start + 8, struct.unpack_from(">Q", data, start + 8)[0] + change)
    elif struct.unpack_from(">I", data, start)[0]:
        struct.pack_into(">I", data, start, struct.unpack_from(">I", data, start)[0] + change)
