#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""icc.py OUT.icc: a profile of Display P3, written field by field after ICC.1:2010 (version 4.3)."""

import struct
import sys

# Colorants under D50, and what took them there from D65.
COLORANTS = [(0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)]
ADAPTATION = [1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00923, 0.01508, 0.75168]
WHITE = (0.9642, 1.0, 0.8249)
# The curve of sRGB: gamma, a, b, c, d of function type 3.
CURVE = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)


def numbers(*values):
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def text(words):
    return b"mluc" + struct.pack(">3I4sII", 0, 1, 12, b"enUS", 2 * len(words), 28) + words.encode("utf-16-be")


tags = {b"desc": text("Display P3"), b"cprt": text("none"), b"wtpt": b"XYZ \0\0\0\0" + numbers(*WHITE)}
for name, colorant in zip((b"rXYZ", b"gXYZ", b"bXYZ"), COLORANTS):
    tags[name] = b"XYZ \0\0\0\0" + numbers(*colorant)
for name in (b"rTRC", b"gTRC", b"bTRC"):
    tags[name] = b"para\0\0\0\0" + struct.pack(">HH", 3, 0) + numbers(*CURVE)
tags[b"chad"] = b"sf32\0\0\0\0" + numbers(*ADAPTATION)

table, data = struct.pack(">I", len(tags)), b""
places = {}
for name, body in tags.items():
    if body not in places:
        places[body] = 132 + 12 * len(tags) + len(data)
        data += body + bytes(-len(body) % 4)
    table += name + struct.pack(">II", places[body], len(body))
# Size, version, class, colour space, connection space, date, signature; no flags, perceptual, D50.
head = struct.pack(
    ">I4xI4s4s4s6H4s28x", 128 + len(table) + len(data), 0x04300000, b"mntr", b"RGB ", b"XYZ ",
    2024, 1, 2, 3, 4, 5, b"acsp",
) + numbers(*WHITE)  # fmt: skip
with open(sys.argv[1], "wb") as file:
    file.write(head + bytes(128 - len(head)) + table + data)
