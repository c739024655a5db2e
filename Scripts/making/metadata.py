#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""metadata.py IN.jpg OUT.jpg: puts an Exif and an XMP segment behind the first marker."""

import struct
import sys

# TIFF, little-endian: IFD 0 with Orientation (6: turn right) and Make.
MAKE = b"Apus\0"
EXIF = (
    b"Exif\0\0II*\0\x08\0\0\0"
    + struct.pack("<H", 2)
    + struct.pack("<HHII", 0x010F, 2, len(MAKE), 38)
    + struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0)
    + struct.pack("<I", 0)
    + MAKE
)
XMP = b"""http://ns.adobe.com/xap/1.0/\0<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/heic"/>
</rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def segment(body):
    return b"\xff\xe1" + struct.pack(">H", 2 + len(body)) + body


source, target = sys.argv[1:]
with open(source, "rb") as file:
    jpeg = file.read()
with open(target, "wb") as file:
    file.write(jpeg[:2] + segment(EXIF) + segment(XMP) + jpeg[2:])
