#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gainmap.py KIND OUT [HEADROOM]: what files say beside a tmap item of how a gain map is applied.

apple-xmp, adobe-xmp: XMP of the map. apple-exif: Exif with a maker note like an iPhone's.
"""

import struct
import sys

PACKET = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" %s</rdf:Description></rdf:RDF></x:xmpmeta>"""
APPLE = """xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/">
<HDRGainMap:HDRGainMapVersion>131072</HDRGainMap:HDRGainMapVersion>
<HDRGainMap:HDRGainMapHeadroom>%s</HDRGainMap:HDRGainMapHeadroom>"""
ADOBE = """xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMin="0.000000"
hdrgm:GainMapMax="%s" hdrgm:Gamma="1.000000" hdrgm:OffsetSDR="0.000000" hdrgm:OffsetHDR="0.000000"
hdrgm:HDRCapacityMin="0.000000" hdrgm:HDRCapacityMax="%s" hdrgm:BaseRenditionIsHDR="False">"""


def entry(tag, kind, count, value):
    return struct.pack(">HHII", tag, kind, count, value)


def maker_note(first, second):
    """Two SRATIONAL, whose offsets count from the note and are not aligned."""
    head = b"Apple iOS\0\0\1MM" + struct.pack(">H", 2)
    data = len(head) + 24 + 4 + 1
    note = head + entry(0x21, 10, 1, data) + entry(0x30, 10, 1, data + 8) + bytes(5)
    return note + struct.pack(">4i", *first, *second)


def exif(note):
    """IFD 0 with Make, the Exif directory with the note."""
    head = b"MM\0*" + struct.pack(">I", 8)
    make = b"Apple\0"
    directory = 8 + 2 + 24 + 4
    sub = directory + len(make)
    first = struct.pack(">H", 2) + entry(0x10F, 2, len(make), directory) + entry(0x8769, 4, 1, sub) + bytes(4)
    second = struct.pack(">H", 1) + entry(0x927C, 7, len(note), sub + 18) + bytes(4)
    return head + first + make + second + note


kind, target, *value = sys.argv[1:]
made = {
    "apple-xmp": lambda: (PACKET % (APPLE % value[0])).encode(),
    "adobe-xmp": lambda: (PACKET % (ADOBE % (value[0], value[0]))).encode(),
    # 1.00999999 and 0.00304119, as an iPhone 16 wrote them.
    "apple-exif": lambda: exif(maker_note((0x1028AA, 0x0FFFB5), (0x3CB, 0x4DF33))),
}[kind]()
with open(target, "wb") as file:
    file.write(made)
