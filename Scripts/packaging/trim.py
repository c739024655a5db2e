# SPDX-License-Identifier: MIT
"""The libraries of Swift as a linker may take them apart: it leaves out what nothing in the program asks for."""

import os
import pathlib
import shutil
import struct

# What is public in them is marked to be kept, for programs that look names up while they run. This one is linked once.
NAMES = ["libswiftCore.a", "libswift_Concurrency.a", "libswiftSynchronization.a", "libswiftGlibc.a"]
# The runtime finds these by walking through them, so that nothing refers to them.
WALKED = b"swift5_"
# SHF_GNU_RETAIN
KEPT = 0x200000


def released(work):
    """A folder with copies in which only what the runtime walks through is marked."""
    swift = pathlib.Path(os.path.realpath(shutil.which("swift"))).parents[1] / "lib/swift_static/linux"
    folder = work / "swift"
    folder.mkdir(exist_ok=True)
    for name in NAMES:
        data = bytearray((swift / name).read_bytes())
        for start in members(data):
            release(data, start)
        (folder / name).write_bytes(data)
    return folder


def members(data):
    """Where the objects of an archive begin."""
    if data[:8] != b"!<arch>\n":
        raise SystemExit("a library of Swift is no archive")
    place = 8
    while place + 60 <= len(data):
        size = int(data[place + 48 : place + 58])
        if data[place + 60 : place + 64] == b"\x7fELF":
            yield place + 60
        place += 60 + size + size % 2


def release(data, start):
    """Takes the mark from the sections of an object."""
    table, = struct.unpack_from("<Q", data, start + 0x28)
    count, names = struct.unpack_from("<HH", data, start + 0x3C)
    # Numbers too large for the header stand in the first section.
    first = start + table
    if count == 0:
        count, = struct.unpack_from("<Q", data, first + 32)
    if names == 0xFFFF:
        names, = struct.unpack_from("<I", data, first + 40)
    text, = struct.unpack_from("<Q", data, first + 64 * names + 24)
    for place in range(first, first + 64 * count, 64):
        name, _, flags = struct.unpack_from("<IIQ", data, place)
        if flags & KEPT and not data.startswith(WALKED, start + text + name):
            struct.pack_into("<Q", data, place + 8, flags & ~KEPT)
