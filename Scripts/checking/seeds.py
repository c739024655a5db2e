# SPDX-License-Identifier: MIT
"""seeds.py TARGET OUT FOLDER...: inputs from which a fuzz target starts: those that are kept for it, and what is cut from
the files in the folders."""

import hashlib
import pathlib
import re
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import rtmp  # noqa: E402

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


# No fixture is one.
PLAYLISTS = [
    """#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:4
#EXT-X-MEDIA-SEQUENCE:3
#EXT-X-MAP:URI="init.mp4",BYTERANGE="800@0"
#EXTINF:4,first
#EXT-X-BYTERANGE:1000@800
video.m4s
#EXT-X-DISCONTINUITY
#EXT-X-KEY:METHOD=NONE
#EXTINF:2.5,
video-2.m4s
#EXT-X-ENDLIST
""",
    """#EXTM3U
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="audio.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="hvc1.1.6.L93.90,mp4a.40.2",RESOLUTION=640x360,AUDIO="a",VIDEO-RANGE=SDR
video.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,URI="keys.m3u8"
""",
]


def playlists(data):
    if data[:7] == b"#EXTM3U" and len(data) <= LARGEST:
        yield data


def small(data):
    """Photos that take no time to decode."""
    if len(data) <= 1 << 16 and data[:3] != b"FLV":
        yield data


def jpegs(data):
    if data[:3] == b"\xff\xd8\xff" and len(data) <= 1 << 16:
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


def units(kind):
    """The NAL units of one type in configuration records."""

    def cut(data):
        for record in bodies(b"hvcC")(data):
            at = 23
            for _ in range(record[22] if len(record) > 22 else 0):
                count = int.from_bytes(record[at + 1 : at + 3], "big")
                is_kind = at < len(record) and record[at] & 63 == kind
                at += 3
                for _ in range(count):
                    size = int.from_bytes(record[at : at + 2], "big")
                    if is_kind and 0 < size <= len(record) - at - 2:
                        yield record[at + 2 : at + 2 + size]
                    at += 2 + size

    return cut


def tags_of(data):
    """The kind, time and data of each tag of an FLV file, few of them, and small."""
    at = 13
    for _ in range(6):
        if data[:3] != b"FLV" or at + 11 > len(data):
            return
        size = int.from_bytes(data[at + 1 : at + 4], "big")
        yield data[at], data[at + 11 : at + 11 + size][:1500]
        at += size + 15


class Recorder:
    """A connection that keeps what is said, where nobody listens."""

    def __init__(self):
        self.said = b""

    def sendall(self, data):
        self.said += data


def conversation(*speakers):
    """What is said over a connection after the handshake, behind a byte that says how it is cut."""

    def cut(data):
        if data[:3] == b"FLV":
            for speak in speakers:
                link = rtmp.Link(Recorder())
                speak(link, data)
                for first in (0, 1):
                    yield bytes([first]) + link.socket.said

    return cut


def publisher(link, data):
    link.command("connect", 1, {"app": "live", "tcUrl": "rtmp://localhost/live", "fourCcList": ["hvc1"]})
    link.command("createStream", 2, None)
    link.command("publish", 3, None, "key", "live", stream=8, number=1)
    for kind, body in tags_of(data):
        link.message(kind, body, stream=4, number=1)
    link.command("deleteStream", 4, None, 1)


def server(link, data):
    for kind, number in ((5, 1 << 20), (1, 4096)):
        link.message(kind, number.to_bytes(4, "big"), stream=2)
    link.chunk = 4096
    link.command("_result", 1, {"fmsVer": "FMS/3,0"}, {"level": "status", "code": "NetConnection.Connect.Success"})
    link.command("_result", 2, None, 1)
    link.command("_result", 3, None, 1)
    link.command("onStatus", 0, None, {"level": "status", "code": "NetStream.Publish.Start"}, stream=5, number=1)
    link.command("onStatus", 0, None, {"level": "status", "code": "NetStream.Play.Start"}, stream=5, number=1)
    for kind, body in tags_of(data):
        link.message(kind, body, stream=4, number=1)
    link.command("onStatus", 0, None, {"level": "error", "code": "NetConnection.Connect.Rejected"}, number=1)


def samples(data):
    """Some numbers of every file, behind what says how to encode them."""
    for start in range(0, 3):
        yield data[start * 1031 : start * 1031 + 1500]


def whole(data):
    if len(data) <= LARGEST:
        yield data


def rpus(data):
    """NAL units of type 62 in streams and in samples of four-byte lengths, each whole."""
    for unit in re.split(b"\0\0\0?\1", data):
        if unit[:2] == b"\x7c\1" and len(unit) < 4096:
            yield unit
    at = data.find(b"\x7c\1\x19")
    while at >= 4:
        size = int.from_bytes(data[at - 4 : at], "big")
        if 8 < size < 4096:
            yield data[at : at + size]
        at = data.find(b"\x7c\1\x19", at + 1)


# No fixture holds one. These are of profile 5 and of profile 7, and two of their kinds of mapping differ.
RPUS = [
    "7c01190809004061b6506f003ff801ffc00fffd00000a800002e8000054000017400002a00000bc800080008000800080008000800080008"
    "000003000003000003000003000003000003000800080008000800080008000800080008003fffc000000300000300000300180803e03855"
    "f3983f8880",
    "7c011908090840613650af003ff801ffc00ffc001fffa000001000003d00000300800001e800000400000c00800000800003800000030020"
    "0000e00000200000c00800000800003800000e40004000400040004000400040004000400000030000030000030000030000030000030040"
    "0040004000400040004000400040004001fffe0000030000030000030000c0401f01c2a8a9b5fdc080",
]
TITLES = [
    "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n1\n00:01.000 --> 00:02.500 align:start\n<i>one</i>\n",
    "12,0,Default,,0,0,0,,{\\b1\\c&H0000FF&}bold{\\p1}m 0 0{\\p0}\\Nline",
    "<b>bold <font color=\"#ff8000\">coloured</font></b>{\\an8}\n",
]
FORMS = [
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.heic"\r\nContent-Type: image/heic\r\n\r\nbytes\r\n--x--\r\n',
    '--x\r\nContent-Disposition: form-data; name="size"\r\n\r\n320\r\n--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n\r\n--x--',
]
DOCUMENTS = [
    '[{"operation": "fit", "params": {"width": 320, "height": 2.5e2, "stripmeta": true}}, null, "\\ud83d\\ude00\\u00e9"]',
]


# Texts from which a target starts, where no fixture is one.
TEXTS = {"playlist": PLAYLISTS, "text": TITLES, "form": FORMS, "json": DOCUMENTS}
# The same for those that read bytes, in hexadecimal.
BYTES = {"rpu": RPUS}
# What a target reads where that is not a whole file.
CUTS = {
    "avc": bodies(b"avcC"),
    "record": bodies(b"hvcC"),
    "amf": scripts,
    "flv": flash,
    "icc": profiles,
    "jpeg": jpegs,
    "structures": small,
    "playlist": playlists,
    "c": small,
    "convert": small,
    "intra": pictures,
    "recover": media,
    "remux": media,
    "rpu": rpus,
    "text": lambda data: [],
    "form": lambda data: [],
    "receive": tags,
    "chunks": conversation(publisher, server),
    "encode": samples,
    "rtmp-client": conversation(server),
    "rtmp-server": conversation(publisher),
    "vps": units(32),
    "sps": units(33),
    "pps": units(34),
}

target, out, *folders = sys.argv[1:]
cut = CUTS.get(target, whole)
kept = ROOT / f"Tests/Fuzz/Seeds/{target}.zip"
if kept.exists():
    zipfile.ZipFile(kept).extractall(out)
for text in TEXTS.get(target, []):
    pathlib.Path(out, hashlib.sha256(text.encode()).hexdigest()[:16]).write_text(text)
for seed in map(bytes.fromhex, BYTES.get(target, [])):
    pathlib.Path(out, hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
for folder in folders:
    for file in pathlib.Path(folder).rglob("*"):
        if file.is_file():
            # What once broke a target is what it reads.
            is_kept = file.parent.name == "crashes" and file.name.startswith(f"{target}-")
            for seed in [file.read_bytes()] if is_kept else cut(file.read_bytes()):
                pathlib.Path(out, hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
