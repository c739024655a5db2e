# SPDX-License-Identifier: MIT
"""seeds.py TARGET OUT FOLDER...: inputs from which a fuzz target starts, cut from the files in the folders."""

import hashlib
import pathlib
import re
import sys

LARGEST = 1 << 20


def bodies(kind):
    """The bodies of all boxes of one type, wherever its four characters stand."""

    def cut(data):
        at = data.find(kind)
        while at >= 4:
            size = int.from_bytes(data[at - 4 : at], "big")
            if 8 < size <= LARGEST:
                yield data[at + 4 : at - 4 + size]
            at = data.find(kind, at + 1)

    return cut


def scripts(data):
    """The data of the script tags of an FLV file."""
    at = 13
    while data[:3] == b"FLV" and at + 11 < len(data):
        size = int.from_bytes(data[at + 1 : at + 4], "big")
        if data[at] == 18:
            yield data[at + 11 : at + 11 + size]
        at += size + 15


def flash(data):
    if data[:3] == b"FLV" and len(data) <= LARGEST:
        yield data


def profiles(data):
    """The ICC profiles of pictures and of files that are one."""
    for body in bodies(b"colr")(data):
        if body[:4] in (b"prof", b"rICC"):
            yield body[4:]
    if data[36:40] == b"acsp":
        yield data


def playlists(data):
    if data[:7] == b"#EXTM3U" and len(data) <= LARGEST:
        yield data


def small(data):
    """Photos that take no time to decode."""
    if len(data) <= 1 << 16 and data[:3] != b"FLV":
        yield data


def pictures(data):
    """Each configuration record behind its size, with the first picture of the media data and with the two smallest
    units anywhere that look like a whole picture, as tiles of photos lie there."""
    found = []
    for media in bodies(b"mdat")(data):
        end, begun = 0, False
        while end + 7 <= len(media):
            size = int.from_bytes(media[end : end + 4], "big")
            is_slice = media[end + 4] >> 1 & 63 < 32
            if end + 4 + size > len(media) or is_slice and begun and media[end + 6] & 0x80:
                break
            begun = begun or is_slice
            end += 4 + size
        if 0 < end <= 1 << 15:
            found.append(media[:end])
        # The length, the header of an IDR or CRA picture of the base layer, and the first slice of it.
        units = (
            media[match.start() : match.start() + 4 + size]
            for match in re.finditer(rb"(?=\0[\0-\1](..)[\x26\x28\x2a]\x01[\x80-\xff])", media, re.DOTALL)
            if 16 < (size := int.from_bytes(media[match.start() : match.start() + 4], "big")) <= 1 << 15
        )
        found += sorted(units, key=len)[:2]
    for picture in found:
        for record in bodies(b"hvcC")(data):
            yield len(record).to_bytes(2, "big") + record + picture


def tags(data):
    """Flash Video of a few tags."""
    if len(data) <= 1 << 15:
        yield from flash(data)


def media(data):
    """Video and sound that take no time to carry, and no photos."""
    if len(data) <= 1 << 14 and data[8:12] not in (b"heic", b"mif1", b"msf1", b"avci"):
        yield data


def nothing(data):
    """No file holds a conversation."""
    return ()


def whole(data):
    if len(data) <= LARGEST:
        yield data


# What a target reads where that is not a whole file.
CUTS = {
    "record": bodies(b"hvcC"),
    "amf": scripts,
    "flv": flash,
    "icc": profiles,
    "playlist": playlists,
    "convert": small,
    "intra": pictures,
    "remux": media,
    "receive": tags,
    "chunks": nothing,
    "rtmp-client": nothing,
    "rtmp-server": nothing,
}

target, out, *folders = sys.argv[1:]
cut = CUTS.get(target, whole)
for folder in folders:
    for file in pathlib.Path(folder).rglob("*"):
        if file.is_file():
            # What once broke a target is what it reads.
            is_kept = file.parent.name == "crashes" and file.name.startswith(f"{target}-")
            for seed in [file.read_bytes()] if is_kept else cut(file.read_bytes()):
                pathlib.Path(out, hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
