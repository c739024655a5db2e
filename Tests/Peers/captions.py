# SPDX-License-Identifier: MIT
"""Movies with closed captions of line 21 (ANSI/CTA-608) in their pictures, and what FFmpeg reads of captions."""

import re

from programs import FFMPEG, ffmpeg, printed

RATE = 25
# Codes for the first and the second channel of a field: pop-on, a row, to the screen, clear the screen.
STYLE, ROW, SHOW, CLEAR = (0x14, 0x20), (0x14, 0x70), (0x14, 0x2f), (0x14, 0x2c)
# How a codec's encoder makes pictures in the order in which they are shown, and FFmpeg's names for writing and reading its bare
# stream.
CODECS = {
    "h264": (["-c:v", "libx264", "-x264-params", "bframes=0:slices=1"], "h264", "h264"),
    "hevc": (["-c:v", "libx265", "-x265-params", "bframes=0:slices=1:log-level=none"], "hevc", "hevc"),
    "mpeg2": (["-c:v", "mpeg2video", "-bf", "0"], "mpeg2video", "mpegvideo"),
}


def odd(byte):
    """A byte of line 21 has seven bits and odd parity."""
    return byte if bin(byte).count("1") % 2 else byte | 0x80


def pairs(text, channel=1):
    """A caption that appears when all of it has come, and goes away; control codes come twice."""
    def code(pair):
        return [(pair[0] + 8 * (channel - 1), pair[1])] * 2

    text += " " * (len(text) % 2)
    characters = [(ord(a), ord(b)) for a, b in zip(text[::2], text[1::2])]
    return code(STYLE) + code(ROW) + characters + code(SHOW) + [(0, 0)] * 20 + code(CLEAR)


def message(field_1, field_2=(0, 0)):
    """User data with two packets: ATSC A/53, part 4, 6.2.3."""
    lines = [(0xfc, field_1), (0xfd, field_2)]
    packets = b"".join(bytes([head, odd(a), odd(b)]) for head, (a, b) in lines)
    return b"GA94\x03" + bytes([0xc0 | len(lines), 0xff]) + packets + b"\xff"


def escaped(data):
    """With emulation prevention: ITU-T H.265, 7.3.1.1."""
    return re.sub(rb"\x00\x00(?=[\x00-\x03])", b"\0\0\3", data)


def unit(codec, data):
    """What a picture of this codec has before its slices."""
    if codec == "mpeg2":
        return b"\0\0\1\xb2" + data
    data = b"\xb5\x00\x31" + data
    head = b"\x06" if codec == "h264" else b"\x4e\x01"
    return b"\0\0\0\1" + head + escaped(bytes([4, len(data)]) + data) + b"\x80"


def is_slice(codec, unit):
    if codec == "mpeg2":
        return unit[0] == 1
    return unit[0] & 31 in (1, 5) if codec == "h264" else unit[0] >> 1 < 32


def make(folder, codec, texts, channel=1, field=1, seconds=4):
    """A movie whose pictures say these texts."""
    options, written_as, read_as = CODECS[codec]
    bare, said, out = folder / f"{codec}.bare", folder / f"{codec}.said", folder / f"{codec}.ts"
    ffmpeg("-f", "lavfi", "-i", f"testsrc=s=128x96:r={RATE}:d={seconds}", "-pix_fmt", "yuv420p", *options, "-f", written_as, bare)
    waiting = [pair for text in texts for pair in pairs(text, channel)]
    stream = b""
    for found in re.split(rb"(?=\x00\x00\x01)", bare.read_bytes()):
        body = found[3:]
        if body and is_slice(codec, body):
            pair = waiting.pop(0) if waiting else (0, 0)
            stream += unit(codec, message(*([pair] if field == 1 else [(0, 0), pair])))
        stream += found
    assert not waiting, "the movie is too short for its captions"
    said.write_bytes(stream)
    ffmpeg("-fflags", "+genpts", "-f", read_as, "-r", RATE, "-i", said, "-c", "copy", out)
    return out


def read(path, start=0):
    """The captions of the first channel as FFmpeg's text of subtitles: times in milliseconds, and the words."""
    text = printed(FFMPEG, "-v", "error", "-f", "lavfi", "-i", f"movie={path}[out+subcc]", "-map", "0:1", "-f", "srt", "-")
    found = re.findall(r"(\d+):(\d+):(\d+),(\d+) --> .*\n(.*)", text)
    return [((int(h) * 60 + int(m)) * 60_000 + int(s) * 1000 + int(ms) - start, re.sub(r"<.*?>|\{.*?\}", "", words).strip())
            for h, m, s, ms, words in found]
