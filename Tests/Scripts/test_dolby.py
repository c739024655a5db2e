# SPDX-License-Identifier: MIT
"""Dolby Vision goes through every container that has a place for it, its configuration and its RPUs, bit for bit; and these go,
like HDR10+, with their pictures into another encoding."""

import json
import random
import re
import struct

import pytest

from programs import APUS, ffmpeg, printed, run, same

PICTURES = 25
# The primaries, transfer and matrix that x265 writes.
PQ, HLG, SDR = ("bt2020", "smpte2084", "bt2020nc"), ("bt2020", "arib-std-b67", "bt2020nc"), ("bt709",) * 3
# Name, colours, profile, compatibility, box, sample entry, and what the header of the RPUs says: profile, range and
# whether there is no residual.
CASES = [
    ("5", None, 5, 0, "dvcC", "dvh1", (0, 1, 1)),
    ("7", PQ, 7, 6, "dvcC", "hvc1", (1, 0, 0)),
    ("8.1", PQ, 8, 1, "dvvC", "hvc1", (1, 0, 1)),
    ("8.2", SDR, 8, 2, "dvvC", "hvc1", (1, 0, 1)),
    ("8.4", HLG, 8, 4, "dvvC", "hvc1", (1, 0, 1)),
]


# Bits


class Bits:
    """Writes the fields of a syntax table."""

    def __init__(self):
        self.text = ""

    def u(self, count, value):
        self.text += f"{value:0{count}b}"

    def ue(self, value):
        code = f"{value + 1:b}"
        self.text += "0" * (len(code) - 1) + code

    def bytes(self):
        text = self.text + "0" * (-len(self.text) % 8)
        return int(text, 2).to_bytes(len(text) // 8, "big")


def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value


def escaped(data):
    out, zeros = bytearray(), 0
    for byte in data:
        if zeros == 2 and byte <= 3:
            out.append(3)
            zeros = 0
        out.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(out)


def rpu(header, fractions=(0,) * 18, broken=False, margins=None, residual=(0, 0, 0)):
    """A NAL unit of type 62: one that maps each component by a line, with the fractions of its coefficients; with margins also
    blocks in both lists, of which level 5 has them."""
    profile, full, bare = header
    bits = Bits()
    for count, value in [(6, 2), (11, 18), (4, profile), (4, 0), (1, 1), (1, 0), (2, 0)]:
        bits.u(count, value)
    bits.ue(23)
    bits.u(2, 1)
    bits.u(1, full)
    for depth in [2, 2, 4]:
        bits.ue(depth)
    for count, value in [(1, 0), (3, 0), (1, 1 - bare), (1, bare), (1, 1), (1, 0)]:
        bits.u(count, value)
    for _ in range(3):
        bits.ue(0)
    for _ in range(3):
        bits.ue(0)
        bits.u(10, 0)
        bits.u(10, 1023)
    if not bare:
        bits.u(3, 0)
        bits.u(10, 0)
        bits.u(10, 1023)
    bits.ue(0)
    bits.ue(0)
    fractions = iter(fractions)
    for _ in range(3):
        bits.ue(0)
        bits.ue(0)
        bits.u(1, 0)
        for integer in [0, 1]:
            bits.ue(integer)
            bits.u(23, next(fractions))
    for _ in range(0 if bare else 3):
        bits.u(10, 0)
        for whole in residual:
            bits.ue(whole)
            bits.u(23, next(fractions))
    for _ in range(3):
        bits.ue(0)
    # What a display needs to know: matrices and offsets, the transfer, depth and colours, and the light of the scene.
    display = [(16, 8192)] * 9 + [(32, 0)] * 3 + [(16, 8192)] * 9
    display += [(16, 65535), (16, 0), (16, 0), (32, 0), (5, 12), (2, 0), (2, 0), (2, 1), (12, 7), (12, 3079), (10, 42)]
    for count, value in display:
        bits.u(count, value)
    if margins is None:
        bits.ue(0)
    else:
        levels = [(5, 1, [(12, 7), (12, 2048), (12, 700), (4, 0)]), (7, 5, [(13, side) for side in margins] + [(4, 0)])]
        for blocks in (levels, [(2, 254, [(8, 1), (8, 2)])]):
            bits.ue(len(blocks))
            bits.text += "0" * (-len(bits.text) % 8)
            for length, level, fields in blocks:
                bits.ue(length)
                bits.u(8, level)
                for count, value in fields:
                    bits.u(count, value)
    data = bits.bytes()
    check = crc(data) ^ (1 if broken else 0)
    return b"\x7c\x01" + escaped(b"\x19" + data + struct.pack(">I", check) + b"\x80")


# Byte streams


def units(data):
    """The NAL units of a byte stream."""
    starts = [found.end() for found in re.finditer(b"\0\0\1", data)]
    ends = [start - 3 for start in starts[1:]] + [len(data)]
    return [data[start:end].rstrip(b"\0") for start, end in zip(starts, ends)]


def kind(unit):
    return unit[0] >> 1 & 63


def pictures(data):
    """NAL units by access unit."""
    whole, seen = [[]], False
    for unit in units(data):
        is_slice = kind(unit) < 32
        begins = is_slice and unit[2] & 0x80 or kind(unit) in [32, 33, 34, 35, 39]
        if seen and begins:
            whole.append([])
            seen = False
        whole[-1].append(unit)
        seen = seen or is_slice
    return whole


def stream(whole):
    return b"".join(b"\0\0\1" + unit for picture in whole for unit in picture)


def encoded(folder, colours, size):
    params = "log-level=error:keyint=10:bframes=2:aud=1"
    if colours:
        params += ":colorprim={}:transfer={}:colormatrix={}".format(*colours)
    path = folder / "plain.hevc"
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={size}:r=25:d={PICTURES / 25}", "-pix_fmt", "yuv420p10le", "-c:v",
           "libx265", "-preset", "ultrafast", "-x265-params", params, "-f", "hevc", path)
    return pictures(path.read_bytes())


def made(folder, case):
    """A bare stream with an RPU in every picture and, of profile 7, an enhancement layer in NAL units of type 63."""
    name, colours, profile, _, _, _, header = case
    whole = encoded(folder, colours, "320x180")
    layer = encoded(folder, colours, "160x96") if profile == 7 else []
    source = random.Random(name)
    for index, picture in enumerate(whole):
        if layer:
            picture += [b"\x7e\x01" + unit for unit in layer[index] if kind(unit) != 35]
        # Zeros in a row have to be escaped.
        picture.append(rpu(header, [source.choice([0, 3, source.randrange(1 << 23)]) for _ in range(18)]))
    path = folder / f"{name}.hevc"
    path.write_bytes(stream(whole))
    return path


def carried(path):
    """The NAL units of Dolby Vision of a file, in decoding order, as FFmpeg takes them out."""
    target = path.parent / "carried.hevc"
    ffmpeg("-i", path, "-map", "0:v", "-c", "copy", "-f", "hevc", target)
    return [unit for unit in units(target.read_bytes()) if kind(unit) >= 62]


# Movies

PARENTS = {b"moov": 0, b"trak": 0, b"mdia": 0, b"minf": 0, b"stbl": 0, b"stsd": 8}
ENTRIES = [b"hvc1", b"hev1", b"dvh1", b"dvhe", b"avc1", b"av01", b"dav1"]


def boxes(data, start=0, end=None):
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, name = struct.unpack(">I4s", data[start:start + 8])
        size = size or end - start
        yield start, size, name
        start += size


def entry(data, start=0, end=None):
    """Where the first sample entry of video lies."""
    for place, size, name in boxes(data, start, end):
        if name in ENTRIES:
            return place, size, name
        if name in PARENTS:
            found = entry(data, place + 8 + PARENTS[name], place + size)
            if found:
                return found
    return None


def configuration(data):
    """The type of the sample entry, and that and the body of the box of Dolby Vision in it."""
    place, size, name = entry(data)
    found = [(box.decode(), data[start + 8:start + length])
             for start, length, box in boxes(data, place + 86, place + size) if box[:2] == b"dv"]
    return name.decode(), found


def configured(path, box, body, tag=None):
    """Puts a box into the sample entry of a movie whose media data precede its tables."""
    data = bytearray(path.read_bytes())
    place, size, _ = entry(data)
    if tag:
        data[place + 4:place + 8] = tag
    addition = struct.pack(">I4s", 8 + len(body), box.encode()) + body
    at = place + size

    def grow(start, end):
        for start, size, name in boxes(data, start, end):
            if start < at <= start + size:
                struct.pack_into(">I", data, start, size + len(addition))
                if name in PARENTS:
                    grow(start + 8 + PARENTS[name], start + size)
                return

    grow(0, len(data))
    data[at:at] = addition
    path.write_bytes(data)


def body(profile, compatibility, level=1, rpus=1, layer=0):
    return struct.pack(">BBHB", 1, 0, profile << 9 | level << 3 | rpus << 2 | layer << 1 | 1,
                       compatibility << 4) + bytes(19)


def probed(path):
    """What FFmpeg reads of the configuration."""
    report = json.loads(printed("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-select_streams", "v", path))
    sides = report["streams"][0].get("side_data_list", [])
    found = [side for side in sides if "dv_profile" in side]
    names = ["dv_profile", "dv_level", "rpu_present_flag", "el_present_flag", "bl_present_flag",
             "dv_bl_signal_compatibility_id"]
    return [tuple(side[name] for name in names) for side in found]


def remuxed(source, target, *options):
    """Puts one file into another container, and returns the warnings."""
    target.parent.mkdir(exist_ok=True)
    report = json.loads(printed(APUS, "remux", source, *options, "-o", target, "--json"))
    inputs = report.get("inputs", [])
    return report.get("warnings", []) + [text for each in inputs for text in each.get("warnings", [])]


def told(path):
    """What info says: dynamic range, profile, level and compatibility."""
    report = json.loads(printed(APUS, "info", "--json", path))
    video = report["stream"] if "stream" in report else report["tracks"][0]
    colour = video.get("video", video)["colour"]
    names = ["dolby_vision_profile", "dolby_vision_level", "dolby_vision_compatibility"]
    return tuple(colour.get(name) for name in names)


def findings(path):
    text = printed(APUS, "hvcc", "check", path)
    return sorted(set(re.findall(r"^ +(dolby-vision[a-z-]*) \(", text, re.M)))


# Checks


def check_sections(name, transport):
    """Every program map is whole, and its checksum that of its bytes."""
    data = transport.read_bytes()
    same(name, "bytes beyond packets", 0, len(data) % 188)
    maps = [data[start:start + 188] for start in range(0, len(data), 188)
            if struct.unpack(">H", data[start + 1:start + 3])[0] & 0x1FFF == 0x1000]
    same(name, "program maps", True, bool(maps))
    for packet in maps:
        length = struct.unpack(">H", packet[6:8])[0] & 0xFFF
        same(name, "checksum", 0, crc(packet[5:8 + length]))
        same(name, "padding", {0xFF}, set(packet[8 + length:]))


@pytest.fixture(scope="module")
def rounds(work):
    """Returns the bare stream, the movie and the Matroska file of a case, whose way through all containers is checked."""
    made = {}

    def round_of(name):
        if name not in made:
            folder = work / name
            folder.mkdir()
            made[name] = check_round(folder, next(case for case in CASES if case[0] == name))
        return made[name]

    return round_of


@pytest.mark.parametrize("name", [case[0] for case in CASES])
def test_a_profile_goes_through_every_container_bit_for_bit(rounds, name):
    rounds(name)


def check_round(folder, case):
    """MKV, MP4, HLS, MP4, MOV, fragments."""
    name, _, profile, compatibility, box, tag, _ = case
    bare = made(folder, case)
    expected = carried(bare)
    count = sum(kind(unit) == 62 for unit in expected)
    same(name, "RPUs", PICTURES, count)
    layer = 1 if profile == 7 else 0
    content = body(profile, compatibility, layer=layer)
    facts = (profile, 1, compatibility)

    # FFmpeg writes what Matroska and MP4 have for it, but needs a movie that says it.
    peer = folder / f"{name}-peer.mp4"
    ffmpeg("-i", bare, "-c", "copy", "-tag:v", "hvc1", peer)
    configured(peer, box, content)
    matroska = folder / f"{name}.mkv"
    ffmpeg("-i", peer, "-c", "copy", "-strict", "unofficial", matroska)
    same(name, "Matroska of FFmpeg", [(profile, 1, 1, layer, 1, compatibility)], probed(matroska))
    same(name, "facts of Matroska", facts, told(matroska))

    first, playlist, last = folder / f"{name}.mp4", folder / f"{name}-hls/index.m3u8", folder / f"{name}-back.mp4"
    quick, parts, direct = folder / f"{name}.mov", folder / f"{name}-f.mp4", folder / f"{name}-bare.mp4"
    same(name, "warnings", [], remuxed(matroska, first))
    same(name, "warnings of HLS", [], [text for text in remuxed(first, playlist) if "Dolby" in text])
    same(name, "warnings of the way back", [], remuxed(playlist, last))
    remuxed(matroska, quick)
    # What remux writes into Matroska is what FFmpeg writes, and comes back; so does what a transport stream says.
    own, returned, transport = folder / f"{name}-own.mkv", folder / f"{name}-own.mp4", folder / f"{name}-own.ts"
    same(name, "warnings of Matroska", [], remuxed(last, own))
    same(name, "Matroska", [(profile, 1, 1, layer, 1, compatibility)], probed(own))
    same(name, "warnings of the way back from Matroska", [], remuxed(own, returned))
    same(name, "warnings of MPEG-TS", [], [text for text in remuxed(last, transport) if "Dolby Vision" in text])
    same(name, "MPEG-TS", [(profile, 1, 1, layer, 1, compatibility)], probed(transport))
    same(name, "facts of MPEG-TS", facts, told(transport))
    check_sections(name, transport)
    described = folder / f"{name}-ts.mp4"
    same(name, "warnings of the way back from MPEG-TS", [], remuxed(transport, described))
    same(name, "RPUs of Matroska and MPEG-TS", (True, True), (carried(own) == expected, carried(transport) == expected))
    remuxed(matroska, parts, "--format", "fmp4")
    same(name, "warnings of the bare stream", [], remuxed(bare, direct))
    headers = list(playlist.parent.rglob("*.mp4")) + list(playlist.parent.rglob("*init*"))
    same(name, "headers of HLS", True, bool(headers))
    for path in [first, last, quick, parts, direct, returned, described] + headers:
        same(f"{name}: {path.name}", "configuration", (tag, [(box, content)]), configuration(path.read_bytes()))
    for path in [first, playlist, last, quick, parts, direct, described]:
        same(f"{name}: {path.name}", "NAL units 62 and 63 are the same", True, carried(path) == expected)
        if path != playlist:
            same(f"{name}: {path.name}", "facts", facts, told(path))
            same(f"{name}: {path.name}", "findings", [], findings(path))
    same(name, "facts of the bare stream", facts, told(bare))
    same(name, "facts of the playlist", facts, told(playlist))
    return bare, first, matroska


CODECS = [("libx264", 9, 2, "avc1"), ("libaom-av1", 10, 0, "dav1"), ("libaom-av1", 10, 1, "av01")]


@pytest.mark.parametrize("codec, profile, compatibility, tag", CODECS)
def test_h264_and_av1_have_profiles_of_their_own(folder, codec, profile, compatibility, tag):
    """H.264 and AV1 have profiles of their own."""
    name = f"{profile}.{compatibility}"
    peer, matroska, back = folder / f"{name}-peer.mp4", folder / f"{name}.mkv", folder / f"{name}-back.mp4"
    options = ["-cpu-used", "8"] if codec == "libaom-av1" else []
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:d=0.4", "-c:v", codec, *options, "-pix_fmt", "yuv420p", peer)
    configured(peer, "dvvC", body(profile, compatibility))
    ffmpeg("-i", peer, "-c", "copy", "-strict", "unofficial", matroska)
    playlist = folder / f"{name}-hls/index.m3u8"
    same(name, "facts of Matroska", (profile, 1, compatibility), told(matroska))
    first, own = folder / f"{name}.mp4", folder / f"{name}-own.mkv"
    for source, target in [(matroska, first), (first, own), (own, first.with_suffix(".own.mp4")), (first, playlist),
                           (playlist, back)]:
        same(name, "warnings", [], remuxed(source, target))
    for path in [first, first.with_suffix(".own.mp4"), back]:
        same(path.name, "configuration", (tag, [("dvvC", body(profile, compatibility))]),
             configuration(path.read_bytes()))
        same(path.name, "facts", (profile, 1, compatibility), told(path))
    flash = folder / f"{name}.flv"
    same(name, "warnings of FLV", 1, len([text for text in remuxed(back, flash) if "Dolby" in text]))


@pytest.mark.parametrize("suffix", ["flv", "hevc"])
def test_flv_and_bare_streams_have_a_configuration_by_their_rpus_and_a_warning(folder, rounds, suffix):
    bare, movie, _ = rounds("8.1")
    expected = carried(bare)
    path = folder / f"loss.{suffix}"
    warnings = [text for text in remuxed(movie, path) if "Dolby Vision 8.1" in text and "RPUs" in text]
    same(suffix, "warnings", 1, len(warnings))
    again = folder / f"loss-{suffix}.mp4"
    remuxed(path, again)
    same(suffix, "RPUs", True, carried(again) == expected)
    same(suffix, "configuration", ("hvc1", [("dvvC", body(8, 1))]), configuration(again.read_bytes()))


def shown(path, wanted=lambda unit: kind(unit) == 62):
    """The first such NAL unit of each picture without its header, in the order in which pictures are shown; `None` where there is
    none."""
    bare = path.parent / "shown.hevc"
    ffmpeg("-i", path, "-map", "0:v", "-c", "copy", "-f", "hevc", bare)
    found = [next((unit[2:] for unit in picture if wanted(unit)), None) for picture in pictures(bare.read_bytes())]
    told = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts", "-of", "csv=p=0", path)
    times = [int(line.strip(",")) for line in told.split()]
    same(path.name, "pictures", len(times), len(found))
    return [unit for _, unit in sorted(zip(times, found), key=lambda pair: pair[0])]


def transcoded(source, out, *options):
    """Codes pictures again, and returns the warnings."""
    said = printed(APUS, "transcode", source, "-o", out, "--json", "--on-exists", "replace", *options)
    return json.loads(said.splitlines()[-1])["warnings"]


@pytest.mark.parametrize("name, tag, box", [("5", "dvh1", "dvcC"), ("8.1", "hvc1", "dvvC"), ("8.4", "hvc1", "dvvC")])
def test_rpus_go_with_their_pictures_into_another_encoding(folder, rounds, name, tag, box):
    movie = folder / "source.mp4"
    remuxed(rounds(name)[0], movie)
    before = shown(movie)
    assert None not in before and len(set(before)) > PICTURES / 2
    out = folder / "coded.mp4"
    for options, expected in [
        ([], before), (["--gop", "7", "--x265-params", "bframes=4"], before), (["--from", "0.4"], before[10:]),
        (["--fps", "50"], [unit for unit in before for _ in range(2)]), (["--size", "1920x1080"], before),
    ]:
        same(name, options, "warnings", [], transcoded(movie, out, *options))
        same(name, options, "RPUs", True, shown(out)[:len(expected)] == expected[:len(shown(out))])
        assert len(shown(out)) >= len(expected) - 1
        found = configuration(out.read_bytes())
        same(name, options, "configuration", (tag, [box]), (found[0], [kind for kind, _ in found[1]]))
    same(name, "profile", [(int(name[0]), 2 if "--fps" in options else 1)], [side[:2] for side in probed(out)])


@pytest.mark.parametrize("options", [["--codec", "h264"], ["--tonemap"], ["--filter", "hflip"], ["--depth", "8"]], ids=" ".join)
def test_dolby_vision_that_would_be_wrong_is_left_out_with_a_warning(folder, rounds, options):
    _, movie, _ = rounds("8.1")
    out = folder / "coded.mp4"
    text = " ".join(transcoded(movie, out, *options))
    assert "Dolby Vision 8.1" in text and "re-encoding" in text, text
    same(options, "configuration", [], probed(out))
    if "h264" not in options:
        same(options, "RPUs", {None}, set(shown(out)))


def moved(folder, name, old, new):
    """A movie whose RPUs are made by one function, and what another makes of each in its place."""
    case = next(case for case in CASES if case[0] == name)
    whole, table = encoded(folder, case[1], "320x180"), {}
    layer = encoded(folder, case[1], "160x96") if case[2] == 7 else []
    source = random.Random(name)
    for index, picture in enumerate(whole):
        if layer:
            picture += [b"\x7e\x01" + unit for unit in layer[index] if kind(unit) != 35]
        fractions = [source.choice([0, 3, source.randrange(1 << 23)]) for _ in range(18)]
        picture.append(old(case[6], fractions))
        table[picture[-1][2:]] = new(case[6], fractions)[2:]
    bare, movie = folder / "moved.hevc", folder / "moved.mp4"
    bare.write_bytes(stream(whole))
    remuxed(bare, movie)
    return movie, [table[unit] for unit in shown(movie)]


@pytest.mark.parametrize("options, margins", [
    (["--crop", "300x160+10+8"], (10, 0, 22, 4)), (["--size", "160x90"], (10, 5, 15, 8)),
    (["--crop", "300x160+10+8", "--size", "150x80"], (5, 0, 11, 2)), ([], (20, 10, 30, 16)),
], ids=lambda value: " ".join(map(str, value)))
def test_areas_follow_crops_and_sizes(folder, options, margins):
    movie, expected = moved(
        folder, "8.4", lambda header, fractions: rpu(header, fractions, margins=(20, 10, 30, 16)),
        lambda header, fractions: rpu(header, fractions, margins=margins))
    out = folder / "coded.mp4"
    same(options, "warnings", [], transcoded(movie, out, *options))
    assert shown(out) == expected
    same(options, "profile", [(8, 1, 1, 0, 1, 4)], probed(out))


# A residual of a full enhancement layer is missing, so the curves that expect it are replaced.
@pytest.mark.parametrize("residual, keeps", [((1, 0, 0), True), ((1, 2, 0), False)], ids=["minimal", "full"])
def test_profile_7_becomes_8_1_in_another_encoding(folder, residual, keeps):
    def old(header, fractions):
        return rpu(header, [*fractions[:6], *[0] * 12], margins=(0, 0, 20, 20), residual=residual)

    def new(header, fractions):
        return rpu((1, 0, 1), [*fractions[:6], *[0] * 12] if keeps else [0] * 18, margins=(0, 0, 10, 10))

    movie, expected = moved(folder, "7", old, new)
    out = folder / "coded.mp4"
    same("warnings", [], transcoded(movie, out, "--size", "160x90"))
    assert shown(out) == expected
    same("profile", [(8, 1, 1, 0, 1, 1)], probed(out))


def test_a_configuration_is_kept_where_pictures_are_copied(folder, rounds):
    _, _, matroska = rounds("8.1")
    same("copy", "warnings", [], transcoded(matroska, folder / "kept.mp4", "--preset", "copy"))
    same("copy", "configuration", [(8, 1, 1, 0, 1, 1)], probed(folder / "kept.mp4"))


def dynamic(index):
    """A message of HDR10+ that is another for each picture: SMPTE ST 2094-40 in ANSI/CTA-861-H, Annex S."""
    bits = Bits()
    for count, value in [(8, 0xb5), (16, 0x3c), (16, 1), (8, 4), (8, 1), (2, 1), (27, 400), (1, 0)]:
        bits.u(count, value)
    for value in [1000 + index, 2000 + index, 3000 + index, 500 + index]:
        bits.u(17, value)
    bits.u(4, 2)
    for count, value in [(7, 1), (17, 10 + index), (7, 99), (17, 900 + index), (10, 5), (1, 0), (1, 1), (12, index), (12, 300),
                         (4, 1), (10, 64), (1, 0)]:
        bits.u(count, value)
    data = bits.bytes()
    return b"\x4e\x01" + escaped(bytes([4, len(data)]) + data) + b"\x80"


@pytest.fixture(scope="module")
def lights(work):
    """A movie with HDR10+ in every picture, next to other messages."""
    place = work / "light"
    place.mkdir()
    whole = encoded(place, PQ, "320x180")
    for index, picture in enumerate(whole):
        first = next(number for number, unit in enumerate(picture) if kind(unit) < 32)
        picture.insert(first, dynamic(index))
    (place / "light.hevc").write_bytes(stream(whole))
    remuxed(place / "light.hevc", place / "light.mp4")
    return place / "light.mp4"


def is_dynamic(unit):
    return kind(unit) == 39 and b"\xb5\x00\x3c\x00\x01\x04" in unit


def test_hdr10_plus_goes_with_its_pictures_into_another_encoding(lights, folder):
    before = shown(lights, is_dynamic)
    same("messages", PICTURES, len(set(before)))
    out = folder / "coded.mp4"
    for options in [], ["--size", "160x90"], ["--x265-params", "bframes=0"]:
        same(options, "warnings", [], transcoded(lights, out, *options))
        same(options, "messages", True, shown(out, is_dynamic) == before)
    told = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_frames", "-of", "json", out)
    found = [side for frame in json.loads(told)["frames"] for side in frame["side_data_list"] if "2094-40" in side["side_data_type"]]
    same("FFmpeg", [f"{3000 + index}/100000" for index in range(PICTURES)], sorted(side["maxscl"] for side in found))


@pytest.mark.parametrize("options", [["--codec", "h264"], ["--tonemap"]], ids=" ".join)
def test_hdr10_plus_that_would_be_wrong_is_left_out_with_a_warning(lights, folder, options):
    out = folder / "coded.mp4"
    assert "HDR10+" in " ".join(transcoded(lights, out, *options))
    assert b"\xb5\x00\x3c\x00\x01\x04" not in out.read_bytes()


def test_a_transport_stream_says_it_in_a_descriptor_of_its_program_map(folder, rounds):
    """A transport stream says it in a descriptor (tag 0xB0) of its program map."""
    bare, _, matroska = rounds("8.4")
    expected, path = carried(bare), folder / "dolby.ts"
    ffmpeg("-i", matroska, "-c", "copy", "-f", "mpegts", path)
    plain = folder / "plain.mp4"
    remuxed(path, plain)
    same("ts", "configuration from the RPUs", ("hvc1", [("dvvC", body(8, 4))]), configuration(plain.read_bytes()))
    data = bytearray(path.read_bytes())
    # A level that nothing but the descriptor can say.
    descriptor = bytes([0xB0, 5]) + body(8, 4, level=6)[:5]
    for start in range(0, len(data), 188):
        packet = data[start:start + 188]
        if struct.unpack(">H", packet[1:3])[0] & 0x1FFF != 0x1000 or packet[5:6] == b"" or packet[4] != 0:
            continue
        length = struct.unpack(">H", packet[6:8])[0] & 0xFFF
        section = bytearray(packet[5:8 + length - 4])
        at = 12 + (struct.unpack(">H", section[10:12])[0] & 0xFFF)
        info = struct.unpack(">H", section[at + 3:at + 5])[0] & 0xFFF
        section[at + 5 + info:at + 5 + info] = descriptor
        struct.pack_into(">H", section, at + 3, 0xF000 | info + len(descriptor))
        struct.pack_into(">H", section, 1, 0xB000 | length + len(descriptor))
        section += struct.pack(">I", crc(section))
        data[start + 5:start + 188] = section + b"\xff" * (183 - len(section))
    path.write_bytes(data)
    target = folder / "described.mp4"
    same("ts", "warnings", [], remuxed(path, target))
    same("ts", "configuration", ("hvc1", [("dvvC", body(8, 4, level=6))]), configuration(target.read_bytes()))
    same("ts", "facts", (8, 6, 4), told(path))
    same("ts", "RPUs", True, carried(target) == expected)


@pytest.fixture
def layer(folder, rounds):
    """A movie with an enhancement layer alone, and its configuration."""
    path, content = folder / "layer.mp4", body(7, 6, layer=1)[:3] + bytes([body(7, 6, layer=1)[3] & 0xFE]) + body(7, 6)[4:]
    ffmpeg("-i", rounds("8.1")[0], "-c", "copy", "-tag:v", "hvc1", path)
    configured(path, "dvcC", content)
    return path, content


@pytest.mark.parametrize("target", ["mp4", "mov", "flv"])
def test_an_enhancement_layer_whose_base_is_unknown_is_left_out(folder, rounds, layer, target):
    """Of Matroska nobody knows whose it is."""
    (layer, _), alone = layer, folder / "layer.mkv"
    movie = rounds("8.1")[1]
    ffmpeg("-i", movie, "-i", layer, "-map", "0:v", "-map", "1:v", "-c", "copy", "-strict", "unofficial", alone)
    path = folder / f"layer-out.{target}"
    report = json.loads(printed(APUS, "remux", alone, "-o", path, "--json"))
    same(target, "tracks", 1, len(report["tracks"]))
    same(target, "left out", [True], ["enhancement layer of Dolby Vision 7.6" in each["reason"]
                                      for each in report["left_out"]])


def test_an_enhancement_layer_goes_with_the_track_that_a_movie_says_it_belongs_to(folder, rounds, layer):
    """The reference of the second track to the first says it (`vdep`)."""
    (layer, content), movie = layer, rounds("8.1")[1]
    both = folder / "both.mp4"
    ffmpeg("-i", movie, "-i", layer, "-map", "0:v", "-map", "1:v", "-c", "copy", "-strict", "unofficial", both)
    data = bytearray(both.read_bytes())
    moov = [place for place, _, name in boxes(data) if name == b"moov"][0]
    track = [(place, size) for place, size, name in boxes(data, moov + 8) if name == b"trak"][1]
    addition = struct.pack(">I4sI4sI", 20, b"tref", 12, b"vdep", 1)
    for place in [moov, track[0]]:
        struct.pack_into(">I", data, place, struct.unpack(">I", data[place:place + 4])[0] + len(addition))
    data[sum(track):sum(track)] = addition
    both.write_bytes(data)
    for target in ["mp4", "mov"]:
        path = folder / f"both-out.{target}"
        same(target, "warnings", [], [text for text in remuxed(both, path) if "Dolby" in text])
        data = path.read_bytes()
        same(target, "tracks with a reference", (2, 1), (data.count(b"trak"), data.count(addition[8:])))
        same(target, "configuration of the layer", True, b"dvcC" + content in data)


@pytest.mark.parametrize("colours, unit, reason", [
    (PQ, rpu((1, 0, 1), broken=True), "checksum"),
    (PQ, rpu((1, 0, 0)), "enhancement layer"),
    (PQ, rpu((0, 0, 1)), "no profile"),
    (None, rpu((1, 0, 1)), "colours"),
    (PQ, rpu((1, 0, 1))[:6], "cannot be read"),
], ids=["broken", "no-layer", "no-profile", "no-colours", "cut"])
def test_no_configuration_is_made_up_and_the_reason_is_given(folder, colours, unit, reason):
    path, target = folder / "doubt.hevc", folder / "doubt.mp4"
    path.write_bytes(stream([picture + [unit] for picture in encoded(folder, colours, "320x180")]))
    warnings = remuxed(path, target)
    same("warnings", (1, True), (len(warnings), reason in warnings[0]))
    same("configuration", ("hvc1", []), configuration(target.read_bytes()))
    same("RPUs", PICTURES, len(carried(target)))


def test_the_check_finds_a_configuration_that_is_missing_or_misleads(folder, rounds):
    """hvcc check finds a configuration without RPUs, RPUs without a configuration, and a sample entry that misleads."""
    rows = [
        # Without RPUs, box, body, sample entry, findings.
        ("missing", False, None, None, None, ["dolby-vision-missing"]),
        ("right", False, "dvvC", body(8, 1), None, []),
        ("empty", True, "dvvC", body(8, 1), None, ["dolby-vision-rpus"]),
        ("silent", False, "dvvC", body(8, 1, rpus=0), None, ["dolby-vision-rpus"]),
        ("layer", False, "dvvC", body(8, 1, layer=1), None, ["dolby-vision-rpus"]),
        ("other", False, "dvcC", body(7, 6), None, ["dolby-vision-rpus"]),
        ("five", False, "dvcC", body(5, 0), None, ["dolby-vision", "dolby-vision-rpus"]),
        ("five-hev1", False, "dvcC", body(5, 0), b"hev1", ["dolby-vision", "dolby-vision-rpus"]),
    ]
    whole = pictures(rounds("8.1")[0].read_bytes())
    for name, is_empty, box, content, tag, expected in rows:
        path = folder / f"check-{name}.mp4"
        kept = [[unit for unit in picture if not is_empty or kind(unit) < 62] for picture in whole]
        plain = folder / "check.hevc"
        plain.write_bytes(stream(kept))
        ffmpeg("-i", plain, "-c", "copy", "-tag:v", "hev1" if tag else "hvc1", path)
        if box:
            configured(path, box, content)
        same(name, "findings", expected, findings(path))
    # Its RPUs stay those of another profile.
    for name in ["five", "five-hev1"]:
        fixed = folder / f"{name}-fixed.mp4"
        run(APUS, "hvcc", "fix", folder / f"check-{name}.mp4", "--sets", "record", "--entry", "hvc1", "-o", fixed)
        same(name, "sample entry", ("dvh1", [("dvcC", body(5, 0))]), configuration(fixed.read_bytes()))
        same(name, "findings", ["dolby-vision-rpus"], findings(fixed))
    # Some pictures without one.
    path = folder / "check-some.mp4"
    (folder / "check.hevc").write_bytes(stream(
        [picture if index < 20 else picture[:-1] for index, picture in enumerate(whole)]))
    ffmpeg("-i", folder / "check.hevc", "-c", "copy", "-tag:v", "hvc1", path)
    configured(path, "dvvC", body(8, 1))
    same("some", "findings", ["dolby-vision-rpus"], findings(path))
