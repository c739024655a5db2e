# SPDX-License-Identifier: MIT
"""Photos before and after `apus edit`, as exiftool sees them."""

import json
import re
import struct

from exiftool import exiftool
from programs import APUS, completed

# What follows from where data lie, and from other values.
DERIVED = re.compile(r"(System|ExifTool|File|Composite):|MediaData|MetaImageSize|Offset$|Start$|XMPToolkit|MPImage")


def facts(path, *words):
    told = exiftool("-j", "-G1", "-a", "-u", *words, path).stdout
    return {k: v for k, v in json.loads(told)[0].items() if not DERIVED.search(k) and k != "SourceFile"}


def edit(folder, photo, *words, status=0):
    out = folder / f"out{photo.suffix}"
    done = completed(APUS, "edit", photo, *words, "-o", out, "--on-exists", "replace", text=True, status=status)
    return out if status == 0 else done.stderr


def changed(before, after):
    return {k for k in before.keys() | after.keys() if before.get(k) != after.get(k)}


def scan(path):
    """A JPEG from its first scan on, or nothing."""
    data = path.read_bytes()
    at = 2
    while data[:2] == b"\xff\xd8" and data[at + 1] != 0xDA:
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return data[at:] if data[:2] == b"\xff\xd8" else b""


def samsung(blocks):
    """Samsung's trailer."""
    data, entries = b"", b""
    for name, body in blocks:
        data += struct.pack("<HHI", 0, 0xA30, len(name)) + name + body
    at = 0
    for name, body in blocks:
        size = 8 + len(name) + len(body)
        entries += struct.pack("<HHII", 0, 0xA30, len(data) - at, size)
        at += size
    directory = b"SEFH" + struct.pack("<II", 107, len(blocks)) + entries
    return data + directory + struct.pack("<I", len(directory)) + b"SEFT"
