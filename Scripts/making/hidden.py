#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hidden.py WHAT OUT IN...: photos with other pictures, videos and numbers beside their picture, as phones write them.

portrait OUT PICTURE DEPTH MATTE THUMBNAIL EXIF VIDEO, depth OUT PICTURE DEPTH, pair OUT PICTURE OTHER,
burst OUT PICTURE OTHER, motion OUT JPEG MAP VIDEO, samsung OUT JPEG VIDEO, small OUT JPEG THUMBNAIL
"""

import struct
import sys

from boxes import box, full, u8, u16, u32
from heif import Coded, Photo

APPLE = "urn:com:apple:photo:"
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'

DEPTH = """<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 6.0.0">
 <rdf:RDF %s>
  <rdf:Description rdf:about=""
    xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"
    xmlns:depthData="http://ns.apple.com/depthData/1.0/">
   <apdi:IntMaxValue>255</apdi:IntMaxValue>
   <apdi:StoredFormat>1278226488</apdi:StoredFormat>
   <apdi:NativeFormat>1751411059</apdi:NativeFormat>
   <apdi:IntMinValue>0</apdi:IntMinValue>
   <apdi:FloatMaxValue>2.5</apdi:FloatMaxValue>
   <apdi:FloatMinValue>0.5</apdi:FloatMinValue>
   <apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType>
   <depthData:DepthDataVersion>65541</depthData:DepthDataVersion>
   <depthData:Quality>high</depthData:Quality>
   <depthData:Accuracy>relative</depthData:Accuracy>
   <depthData:Filtered>True</depthData:Filtered>
   <depthData:PixelSize>0.001</depthData:PixelSize>
   <depthData:IntrinsicMatrixReferenceWidth>4032</depthData:IntrinsicMatrixReferenceWidth>
   <depthData:IntrinsicMatrixReferenceHeight>3024</depthData:IntrinsicMatrixReferenceHeight>
   <depthData:IntrinsicMatrix>
    <rdf:Seq>
%s
    </rdf:Seq>
   </depthData:IntrinsicMatrix>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>""" % (RDF, "\n".join(f"     <rdf:li>{v}</rdf:li>" for v in (2856.5, 0, 0, 0, 2856.5, 0, 2016, 1512, 1)))

CONTAINER = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF %s>
 <rdf:Description rdf:about="" xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"
   xmlns:Container="http://ns.google.com/photos/1.0/container/"
   xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
   GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" GCamera:MotionPhotoPresentationTimestampUs="100000">
  <Container:Directory><rdf:Seq>
   <rdf:li rdf:parseType="Resource">
    <Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Length="0" Item:Padding="0"/></rdf:li>
   <rdf:li rdf:parseType="Resource">
    <Container:Item Item:Mime="image/jpeg" Item:Semantic="GainMap" Item:Length="{map}"/></rdf:li>
   <rdf:li rdf:parseType="Resource">
    <Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="{video}" Item:Padding="0"/></rdf:li>
  </rdf:Seq></Container:Directory>
 </rdf:Description></rdf:RDF></x:xmpmeta>""" % RDF


def read(path):
    with open(path, "rb") as file:
        return file.read()


def auxiliary(urn, subtype=b""):
    return full("auxC", 0, 0, urn.encode() + b"\0" + subtype)


class Phone:
    """A photo whose pictures are those of MP4 files."""

    def __init__(self):
        self.photo = Photo("heic", "mif1", "heic", "miaf")

    def add(self, path, *more, hidden=True, turned=False, sample=0):
        coded = Coded(path)
        size = full("ispe", 0, 0, u32(coded.width), u32(coded.height))
        colour = [box("colr", b"nclx", u16(1), u16(13), u16(6), b"\x80")]
        place = [box("irot", u8(3))] if turned else []
        made = [coded.configuration, size, coded.pixi, *colour, *more, *place]
        return self.photo.item(coded.kind, coded.samples[sample], *made, hidden=hidden)

    def describe(self, item, kind, data, mime=b""):
        self.photo.refer("cdsc", self.photo.item(kind, data, hidden=True, mime=mime), item)


def portrait(out, picture, depth, matte, thumbnail, exif, video):
    phone = Phone()
    primary = phone.add(picture, hidden=False, turned=True)
    beside = [
        (depth, auxiliary("urn:mpeg:hevc:2015:auxid:2"), True),
        (matte, auxiliary(APPLE + "2018:aux:portraiteffectsmatte"), True),
        # Does not say how it lies.
        (matte, auxiliary(APPLE + "2019:aux:semantichairmatte"), False),
        (matte, auxiliary(APPLE + "2020:aux:hdrgainmap"), True),
        (matte, auxiliary(APPLE + "2099:aux:unheardof"), True),
    ]
    for path, kind, turned in beside:
        item = phone.add(path, kind, turned=turned)
        phone.photo.refer("auxl", item, primary)
        if path == depth:
            phone.describe(item, "mime", DEPTH.encode(), b"application/rdf+xml")
    phone.photo.refer("thmb", phone.add(thumbnail, turned=True), primary)
    phone.describe(primary, "Exif", u32(0) + read(exif))
    phone.photo.trailing = box("mpvd", read(video))
    phone.photo.write(out, primary)


def element(value):
    """depth_rep_info_element(): ITU-T H.265, G.14.2.3; a number above 0 with 16 bits of mantissa."""
    exponent = 31
    while value >= 2:
        value, exponent = value / 2, exponent + 1
    while value < 1:
        value, exponent = value * 2, exponent - 1
    return f"0{exponent:07b}{15:05b}{round((value - 1) * 65536):016b}"


def depth(out, picture, depth):
    """Distances between half a metre and 8 metres, as their inverses, said by an SEI message."""
    # z_near and z_far, no d_min and d_max, depth_representation_type 0
    bits = "1100" + "1" + element(0.5) + element(8)
    bits += "1" + "0" * (-(len(bits) + 1) % 8)
    payload = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    # As phones write it: the length of all, that of the message, and no bits that end it.
    message = bytes([39 << 1, 1, 177, len(payload)]) + payload
    message = u32(len(message)) + message
    phone = Phone()
    primary = phone.add(picture, hidden=False)
    kind = auxiliary("urn:mpeg:hevc:2015:auxid:2", u32(len(message)) + message)
    phone.photo.refer("auxl", phone.add(depth, kind), primary)
    phone.photo.write(out, primary)


def pair(out, picture, other):
    phone = Phone()
    left, right = phone.add(picture, hidden=False), phone.add(other, hidden=True)
    phone.photo.group("ster", left, right)
    phone.photo.write(out, left)


def burst(out, picture, other):
    phone = Phone()
    items = [phone.add(picture, hidden=False), phone.add(other, hidden=False), phone.add(picture, hidden=False)]
    phone.photo.group("brst", *items)
    phone.photo.write(out, items[1])


def segment(marker, body):
    return bytes([0xFF, marker]) + u16(len(body) + 2) + body


def index(size, at, other):
    """MPF with two pictures, 90 bytes; offsets count from the TIFF header."""
    entries = struct.pack(">IIIHH", 0x030000, size, 0, 0, 0) + struct.pack(">IIIHH", 0, other, size - (at + 8), 0, 0)
    directory = struct.pack(">HHI4s", 0xB000, 7, 4, b"0100") + struct.pack(">HHII", 0xB001, 4, 1, 2)
    directory += struct.pack(">HHII", 0xB002, 7, 32, 50)
    return segment(0xE2, b"MPF\0MM\0*" + u32(8) + u16(3) + directory + u32(0) + entries)


def motion(out, jpeg, gain_map, video):
    """A gain map and a video behind a JPEG, listed by MPF and by Google's directory."""
    picture, gain_map, video = read(jpeg), read(gain_map), read(video)
    gain = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF {RDF}><rdf:Description rdf:about=""' \
        ' xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="2"/>' \
        "</rdf:RDF></x:xmpmeta>"
    gain_map = gain_map[:2] + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + gain.encode()) + gain_map[2:]
    xmp = CONTAINER.replace("{map}", str(len(gain_map))).replace("{video}", str(len(video)))
    said = segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + xmp.encode())
    # SOI and JFIF come first.
    start = 2 + 2 + struct.unpack_from(">H", picture, 4)[0]
    size = len(picture) + len(said) + 90
    whole = picture[:start] + said + index(size, start + len(said), len(gain_map)) + picture[start:]
    with open(out, "wb") as file:
        file.write(whole + gain_map + video)


def samsung(out, jpeg, video):
    blocks = [(0x0A01, b"Image_UTC_Data", b"1750533060000"), (0x0A30, b"MotionPhoto_Data", read(video))]
    made = [struct.pack("<HHI", 0, kind, len(name)) + name + data for kind, name, data in blocks]
    directory = b"SEFH" + struct.pack("<II", 106, len(made))
    for place, ((kind, _, _), block) in enumerate(zip(blocks, made)):
        directory += struct.pack("<HHII", 0, kind, sum(map(len, made[place:])), len(block))
    with open(out, "wb") as file:
        file.write(read(jpeg) + b"".join(made) + directory + struct.pack("<I", len(directory)) + b"SEFT")


def small(out, jpeg, thumbnail):
    """Exif with a thumbnail in IFD 1 and an orientation of 6."""
    small = read(thumbnail)
    tiff = b"MM\0*" + u32(8) + u16(1) + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + u32(26)
    tiff += u16(3) + struct.pack(">HHIHH", 0x0103, 3, 1, 6, 0)
    tiff += struct.pack(">HHII", 0x0201, 4, 1, 68) + struct.pack(">HHII", 0x0202, 4, 1, len(small)) + u32(0)
    picture = read(jpeg)
    with open(out, "wb") as file:
        file.write(picture[:2] + segment(0xE1, b"Exif\0\0" + tiff + small) + picture[2:])


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
