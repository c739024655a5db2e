#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""flv.py FORM IN OUT: an FLV file with enhanced HEVC packets, in a form that FFmpeg does not write."""

import struct
import sys


def tags(data):
    at = 13
    while at + 11 <= len(data):
        size = int.from_bytes(data[at + 1 : at + 4], "big")
        time = int.from_bytes(data[at + 4 : at + 7], "big") | data[at + 7] << 24
        yield data[at], time, data[at + 11 : at + 11 + size]
        at += size + 15


def tag(kind, time, body):
    low, high = (time & 0xFFFFFF).to_bytes(3, "big"), bytes([time >> 24 & 255])
    head = bytes([kind]) + len(body).to_bytes(3, "big") + low + high + bytes(3)
    return head + body + (len(head) + len(body)).to_bytes(4, "big")


def is_hevc(kind, body):
    return kind == 9 and body[0] & 0x80 and body[1:5] == b"hvc1"


def legacy(kind, body):
    """Codec id 12, as Chinese networks have it."""
    if kind == 18:
        return body.replace(struct.pack(">d", 0x68766331), struct.pack(">d", 12))
    if not is_hevc(kind, body):
        return body
    packet, frame = body[0] & 15, body[0] >> 4 & 7
    forms = {
        0: (0x1C, 0, bytes(3) + body[5:]),
        1: (frame << 4 | 12, 1, body[5:]),
        2: (0x1C, 2, bytes(3)),
        3: (frame << 4 | 12, 1, bytes(3) + body[5:]),
    }
    if packet not in forms:
        return None
    first, second, rest = forms[packet]
    return bytes([first, second]) + rest


def many_tracks(kind, body):
    """Every HEVC packet twice, as the tracks 0 and 1 of one packet."""
    if not is_hevc(kind, body) or body[0] & 15 not in (0, 1, 3):
        return None if is_hevc(kind, body) else body
    head = bytes([body[0] & 0xF0 | 6, 0x10 | body[0] & 15]) + body[1:5]
    size = (len(body) - 5).to_bytes(3, "big")
    return head + b"\0" + size + body[5:] + b"\1" + size + body[5:]


def nanoseconds(kind, body):
    """Half a millisecond more for every HEVC frame."""
    if is_hevc(kind, body) and body[0] & 15 in (1, 3):
        return bytes([body[0] & 0xF0 | 7, 2, 0x07, 0xA1, 0x20, body[0] & 15]) + body[1:]
    return body


if __name__ == "__main__":
    form, source, target = sys.argv[1:]
    change = {"legacy": legacy, "many-tracks": many_tracks, "nanoseconds": nanoseconds}[form]
    with open(source, "rb") as file:
        data = file.read()
    with open(target, "wb") as file:
        file.write(data[:13])
        for kind, time, body in tags(data):
            changed = change(kind, body)
            if changed is not None:
                file.write(tag(kind, time, changed))
