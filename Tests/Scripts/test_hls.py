# SPDX-License-Identifier: MIT
"""Presentations of `apus remux -o OUT.m3u8` are what their sources are to FFmpeg, a parser of playlists and Chromium."""

import fractions
import functools
import http.server
import json
import math
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import threading
import time

import jsonschema
import pytest

import browser
from once import once
from programs import APUS, FFMPEG, SCHEMAS, completed, ffmpeg, run, same

SCHEMA, FINDINGS = (json.loads((SCHEMAS / f"{name}.schema.json").read_text()) for name in ("remux", "hls"))
PICTURES = ["-f", "lavfi", "-i", "testsrc2=s=322x182:r=25:d=9"]
SOUND = ["-f", "lavfi", "-i", "sine=d=9:r=48000"]
HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params"]
KEYS = "log-level=error:keyint=50:min-keyint=50:bframes=3:"
# By a filter: from 7.0 on the pictures count, and not what is said for the output.
COLOUR = "setparams=color_primaries=bt2020:colorspace=bt2020nc:color_trc="
PQ = ["-pix_fmt", "yuv420p10le", "-vf", COLOUR + "smpte2084"]
HLG = [*PQ[:3], COLOUR + "arib-std-b67"]
AVC = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "50", "-pix_fmt", "yuv420p"]
SOURCES = {
    "hevc.mp4": [*PICTURES, *SOUND, *HEVC, KEYS + "open-gop=0", "-c:a", "aac", "-metadata:s:a:0", "language=ger"],
    "avc.mp4": [*PICTURES, *SOUND, *AVC, "-c:a", "aac"],
    "open-gop.mp4": [*PICTURES, *HEVC, KEYS + "open-gop=1", *PQ],
    "pq-closed.mp4": [*PICTURES, *HEVC, KEYS + "open-gop=0", *PQ],
    "hlg.mp4": [*PICTURES, *HEVC, KEYS + "open-gop=0", *HLG],
    "odd-rate.mp4": [*PICTURES, *HEVC, KEYS + "open-gop=0", "-r", "30000/1001", "-video_track_timescale", "30000"],
    "other-keys.mp4": [*PICTURES, *AVC[:6], "-g", "35", "-pix_fmt", "yuv420p"],
    "every-key.mp4": [*PICTURES, *AVC[:4], "-g", "1", "-pix_fmt", "yuv420p"],
    "sound.m4a": [*SOUND, "-c:a", "aac", "-ac", "2", "-metadata:s:a:0", "language=fra"],
    "vui.mp4": [*PICTURES, *HEVC, KEYS + "open-gop=0:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
                "-pix_fmt", "yuv420p10le"],
    "fast.mp4": ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=90:d=13", *AVC],
    "dolby.mp4": [*PICTURES, *SOUND, *AVC, "-c:a", "ac3", "-ac", "6"],
}


@pytest.fixture(scope="module")
def parse(python):
    """The package m3u8, in one process of the Python that has it, which takes longer to start than to parse."""
    code = """
import json, m3u8, sys
for line in sys.stdin:
    print(json.dumps(m3u8.load(json.loads(line)).data, default=str), flush=True)
"""
    process = subprocess.Popen([python, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def data(file):
        process.stdin.write(json.dumps(str(file)) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        assert line, f"m3u8 cannot read {file}"
        return json.loads(line)

    yield data
    process.stdin.close()
    process.wait()


@once
def hashes(file, kind, program=FFMPEG, *options):
    """The digest of every decoded picture, or of all sound."""
    text = run(program, "-v", "error", *options, "-i", file, "-map", f"0:{kind}:0", "-fps_mode", "passthrough", "-f",
               "framemd5", "-")
    # FFmpeg's parsers complain of formats that change, its decoders do not.
    return [line.split(",")[5].strip() for line in text.splitlines() if line.startswith("0,")]


@once
def packets(file, kind):
    """When every packet is shown, how long after the first it is decoded, and its digest. How long decoding begins
    before the presentation does is no time of segments."""
    text = run("ffprobe", "-v", "error", "-select_streams", f"{kind}:0", "-show_data_hash", "md5", "-show_entries",
               "packet=pts,dts,flags,data_hash:stream=time_base", "-of", "json", file)
    found, _ = json.JSONDecoder().raw_decode(text)
    unit = fractions.Fraction(found["streams"][0]["time_base"])
    first = found["packets"][0]["dts"]
    return [(packet["pts"] * unit, (packet["dts"] - first) * unit, packet["flags"][0], packet["data_hash"])
            for packet in found["packets"]]


def boxes(data, start=0, end=None):
    """Type, beginning and end of each box."""
    end = len(data) if end is None else end
    while start < end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        yield kind.decode(), start, start + size
        start += size


def child(data, box, *path):
    for name in path:
        box = next(found for found in boxes(data, box[1] + 8, box[2]) if found[0] == name)
    return box


def remux(inputs, output, *options, status=0):
    text = run(APUS, "remux", "--quiet", "--json", "--on-exists", "replace", *inputs, "-o", output, *options, status=status,
               seconds=240)
    report = json.loads(text.splitlines()[0])
    jsonschema.validate(report, SCHEMA)
    return report


class Rendition:
    """A media playlist as m3u8 reads it, with the bytes it leads to."""

    def __init__(self, parse, path):
        self.path, self.data = path, parse(path)
        self.segments, self.parts = [], []
        header = self.data["segments"][0]["init_section"]
        self.header = self.part(header["uri"], header.get("byterange"))
        for segment in self.data["segments"]:
            self.segments.append(self.part(segment["uri"], segment.get("byterange")))
        self.durations = [segment["duration"] for segment in self.data["segments"]]

    def part(self, name, ranged):
        data = (self.path.parent / name).read_bytes()
        start, end = 0, 0
        if ranged:
            size, start = map(int, ranged.split("@"))
            end = start + size
            data = data[start:end]
        self.parts.append([str(self.path.parent / name), start, end])
        return data

    def peak(self, target):
        """By RFC 8216, 4.1: the highest rate of runs between half and one and a half target durations."""
        best = sum(map(len, self.segments)) / sum(self.durations)
        for first in range(len(self.segments)):
            for last in range(first + 1, len(self.segments) + 1):
                length = sum(self.durations[first:last])
                if target / 2 <= length <= target * 1.5:
                    best = max(best, sum(map(len, self.segments[first:last])) / length)
        return best * 8

    def check(self, work, target, form):
        name = self.path
        same(f"{name}: version", 7, self.data["version"])
        same(f"{name}: type", ["vod", True], [self.data["playlist_type"], self.data["is_endlist"]])
        same(f"{name}: target duration", target, self.data["targetduration"])
        assert max(math.floor(length + 0.5) for length in self.durations) <= target, \
            f"{name}: a segment is longer than {target} s"
        assert not any(bool(segment.get("byterange")) != (form == "ranges") for segment in self.data["segments"]), \
            f"{name}: has no segments as {form}"
        kinds = [box[0] for box in boxes(self.header)]
        same(f"{name}: boxes of the header", ["ftyp", "moov"], kinds)
        moov = list(boxes(self.header))[1]
        same(f"{name}: tracks", 1, [box[0] for box in boxes(self.header, moov[1] + 8, moov[2])].count("trak"))
        assert b"cmfc" in self.header[:40], f"{name}: the header is no CMAF header"
        time, scale = 0, None
        for number, segment in enumerate(self.segments):
            found = list(boxes(segment))
            lead = [box[0] for box in found if box[0] in ("styp", "sidx")]
            fragments = [box for box in found if box[0] == "moof"]
            expected = [] if form == "ranges" else ["styp"] if len(fragments) == 1 else ["styp", "sidx"]
            same(f"{name}: what segment {number + 1} begins with", expected, lead)
            same(f"{name}: boxes of segment {number + 1}", ["moof", "mdat"] * len(fragments),
                 [box[0] for box in found[len(lead):]])
            for fragment in fragments:
                header = child(segment, fragment, "traf", "tfhd")
                flags = int.from_bytes(segment[header[1] + 8:header[1] + 12], "big")
                assert flags & 0x20000 and not flags & 1, f"{name}: offsets do not count from the moof"
                clock = child(segment, fragment, "traf", "tfdt")
                decoded = int.from_bytes(segment[clock[1] + 12:clock[2]], "big")
                assert decoded >= time and (number != 0 or fragment is not fragments[0] or not decoded), \
                    f"{name}: decoding times begin at {decoded} and {time}"
                time = decoded

    def check_alone(self, work, kind, expected):
        """Each segment after the header gives its part of the pictures."""
        found = []
        for segment in self.segments:
            file = work / "alone.mp4"
            file.write_bytes(self.header + segment)
            found.append(hashes(file, kind))
        same(f"{self.path}: samples of segments by themselves", expected, sum(found, []))


class Material:
    """Movies and presentations by their names, each made when the first case asks for it."""

    def __init__(self, work, parse):
        self.work, self.parse, self.known = work, parse, {}

    def __truediv__(self, name):
        """A file of the material; what it belongs to is made."""
        first = name.partition("/")[0]
        if first in SOURCES and not (self.work / first).exists():
            ffmpeg(*SOURCES[first], "-movie_timescale", "48000", self.work / first)
        elif first in ("full.mkv", "full.mp4") and not (self.work / "full.mp4").exists():
            subtitled(self)
        elif first in PRESENTATIONS:
            self.presentation(first)
        elif first in OTHERS and first not in self.known:
            inputs, options = OTHERS[first]
            self.known[first] = remux([self / each for each in inputs], self.work / first / "index.m3u8", *options)
        return self.work / name

    def presentation(self, name):
        """The report, the playlist of variants, and the renditions of a presentation, which are checked when it is made."""
        if name not in self.known:
            self.known[name] = self.checked(name, *PRESENTATIONS[name])
        return self.known[name]

    def checked(self, name, inputs, *options, form="files", independent=True):
        folder = self.work / name
        if options and isinstance(options[-1], dict):
            *options, more = options
            return self.checked(name, inputs, *options, **more)
        report = remux([self / each for each in inputs], folder / "index.m3u8", "--segments", form, *options)
        master = self.parse(folder / "index.m3u8")
        target = report["target_duration"]
        same(f"{name}: independent segments", independent, bool(master.get("is_independent_segments")))
        renditions = {}
        for rendition in report["renditions"]:
            path = folder / "index" / rendition["playlist"]
            renditions[f"index/{rendition['playlist']}"] = (rendition, Rendition(self.parse, path))
            renditions[f"index/{rendition['playlist']}"][1].check(self.work, target, form)
        sounds = {media["group_id"]: renditions[media["uri"]] for media in master["media"] if media["type"] == "AUDIO"}
        for variant in master["playlists"]:
            told, (video, playlist) = variant["stream_info"], renditions[variant["uri"]]
            sound = sounds.get(told.get("audio", "").strip('"'))
            peak = playlist.peak(target) + (sound[1].peak(target) if sound else 0)
            assert peak <= told["bandwidth"] <= peak * 1.001 + 2 and told["average_bandwidth"] <= told["bandwidth"], \
                f"{name}: BANDWIDTH is {told['bandwidth']}, segments say {peak}"
            codecs = ([video["codec"]] + ([sound[0]["codec"]] if sound else []))
            same(f"{name}: CODECS", ",".join(codecs), told["codecs"])
        return report, master, renditions


@pytest.fixture(scope="module")
def material(work, parse):
    return Material(work, parse)


TWO = ["hevc.mp4", "avc.mp4", "sound.m4a"]
# Names of presentations, the movies that they are made of, and options of `apus remux`; last those of `Material.checked`.
PRESENTATIONS = {
    "two-files": (TWO, "--segment-duration", "4"),
    "two-ranges": (TWO, "--segment-duration", "4", {"form": "ranges"}),
    "open": (["open-gop.mp4"], {"independent": False}),
    "hlg": (["hlg.mp4"],),
    "rate": (["odd-rate.mp4"], "--segment-duration", "2"),
    "keys": (["every-key.mp4"], "--segment-duration", "1"),
    "pieces": (["avc.mp4"], "--fragment-duration", "0.4"),
    "apart": (["avc.mp4", "other-keys.mp4"], "--segment-duration", "2"),
    "sound": (["sound.m4a"], "--segment-duration", "4"),
    "codecs": (["hevc.mp4", "dolby.mp4"],),
    "dolby": (["dolby.mp4"],),
}
# Those that only what is said of them is looked at.
OTHERS = {
    "apple-full.mkv": (["full.mkv"], ["--segment-duration", "4"]),
    "apple-full.mp4": (["full.mp4"], ["--segment-duration", "4"]),
    "winding-files": (["avc.mp4"], ["--segment-duration", "4", "--segments", "files"]),
    "winding-ranges": (["avc.mp4"], ["--segment-duration", "4", "--segments", "ranges"]),
    "vui": (["vui.mp4"], []),
    "range": (["open-gop.mp4"], []),
    "lengths": (["avc.mp4", "fast.mp4"], ["--segment-duration", "2"]),
}


def check_against(material, name, source, alone=True):
    """The pictures, sound, packets and times of a source."""
    _, _, renditions = material.presentation(name)
    work, master, source = material.work, material / f"{name}/index.m3u8", material / source
    video = next(playlist for told, playlist in renditions.values() if "width" in told)
    pictures = hashes(source, "v")
    for program in ("ffmpeg", FFMPEG):
        same(f"{name}: pictures in {program}", pictures, hashes(video.path, "v", program))
    if alone:
        video.check_alone(work, "v", pictures)
    back = work / f"{name}.mp4"
    run(APUS, "remux", "--quiet", "--on-exists", "replace", master, "-o", back)
    kinds = "va" if any("width" not in told for told, _ in renditions.values()) else "v"
    for kind in kinds:
        same(f"{name}: packets read back ({kind})", packets(source, kind), packets(back, kind))
    if "a" in kinds:
        same(f"{name}: sound", hashes(source, "a"), hashes(back, "a"))
    back.unlink()


@pytest.mark.parametrize("name, source", [
    ("two-files", "hevc.mp4"), ("two-ranges", "hevc.mp4"), ("open", "open-gop.mp4"), ("rate", "odd-rate.mp4"),
    ("keys", "every-key.mp4"), ("pieces", "avc.mp4"),
])  # fmt: skip
def test_a_presentation_holds_the_packets_of_its_source(material, name, source):
    # Segments of open groups cannot be decoded alone.
    check_against(material, name, source, alone=name != "open")


@pytest.mark.parametrize("form", ["files", "ranges"])
def test_two_videos_and_two_languages_are_variants_and_groups(material, form):
    report, master, renditions = material.presentation(f"two-{form}")
    told = [variant["stream_info"] for variant in master["playlists"]]
    same("sizes", ["322x182"] * 2, [info["resolution"] for info in told])
    same("rates", [25.0] * 2, [info["frame_rate"] for info in told])
    same("kinds of codec", ["hvc1", "avc1"], [info["codecs"][:4] for info in told])
    same("ranges", ["SDR"] * 2, [info["video_range"] for info in told])
    same("sound", [("de", "YES", "1"), ("fr", "NO", "2")],
         [(media["language"], media["default"], media["channels"]) for media in master["media"]])
    same("left out", ["AAC audio"], [track["name"] for track in report["left_out"]])
    videos = [playlist for told, playlist in renditions.values() if "width" in told]
    same("segments of both videos", videos[0].durations, videos[1].durations)
    same("segments", [4.0, 4.0, 1.0], videos[0].durations)


@pytest.mark.parametrize("name, expected", [("open", "PQ"), ("hlg", "HLG")])
def test_the_range_of_a_variant_is_that_of_its_video(material, name, expected):
    same("range", expected, material.presentation(name)[1]["playlists"][0]["stream_info"]["video_range"])


def test_an_odd_frame_rate_is_stated_and_kept(material):
    _, master, renditions = material.presentation("rate")
    same("odd rate", 29.97, master["playlists"][0]["stream_info"]["frame_rate"])
    lengths = next(iter(renditions.values()))[1].durations
    assert abs(sum(lengths) - len(packets(material / "odd-rate.mp4", "v")) * 1001 / 30000) < 1e-5


def test_segments_begin_where_they_should_when_every_picture_is_a_key_frame(material):
    same("segments", [1.0] * 9, next(iter(material.presentation("keys")[2].values()))[1].durations)


def test_fragments_are_as_long_as_asked(material):
    first = list(material.presentation("pieces")[2].values())[0][1].segments[0]
    # Three of them begin with a key frame, which has a fragment of its own.
    same("fragments of 0.4 seconds", 18, [box[0] for box in boxes(first)].count("moof"))


def test_key_frames_at_different_times_are_reported(material):
    report = material.presentation("apart")[0]
    assert any("not aligned" in text for text in report["warnings"]), report["warnings"]


def test_the_codec_of_sound_alone_is_stated(material):
    _, master, _ = material.presentation("sound")
    same("codecs of sound alone", ["mp4a.40.2"], [item["stream_info"]["codecs"] for item in master["playlists"]])


def test_the_codec_of_dolby_sound_is_stated(material):
    same("codecs", "ac-3", material.presentation("dolby")[1]["playlists"][0]["stream_info"]["codecs"].split(",")[1])


def test_videos_with_and_without_sound_make_a_presentation(material):
    material.presentation("codecs")


TITLES = {
    "eng": [(1.0, 2.5, "Hello <b>bold</b> & <i>slanted</i>"), (3.5, 5.2, "Two\nlines, 1 < 2")],
    "ger": [(0.5, 8.75, "Ein langer Untertitel")],
}


def subtitled(material):
    """A Matroska file with subtitles and sound in two languages, and the same as MP4."""
    work = material.work
    inputs, maps = [], []
    for number, (language, titles) in enumerate(TITLES.items()):
        def stamp(time):
            return f"00:00:{int(time):02},{round(time % 1 * 1000):03}"
        text = "".join(f"{index + 1}\n{stamp(start)} --> {stamp(end)}\n{words}\n\n"
                       for index, (start, end, words) in enumerate(titles))
        (work / f"{language}.srt").write_text(text)
        inputs += ["-i", work / f"{language}.srt"]
        maps += ["-map", str(number + 2), f"-metadata:s:s:{number}", f"language={language}",
                 f"-metadata:s:a:{number}", f"language={language}"]
    ffmpeg("-i", material / "avc.mp4", "-i", material / "dolby.mp4", *inputs, "-map", "0:v", "-map", "0:a", "-map", "0:a",
           "-map", "1:a", *maps, "-metadata:s:a:2", "language=eng", "-c", "copy", "-c:s", "srt", work / "full.mkv")
    ffmpeg("-i", work / "full.mkv", "-map", "0", "-c", "copy", "-c:s", "mov_text", work / "full.mp4")


def dolby_vision(source, target, entry, profile, compatibility, kind):
    """A movie whose video says that it is Dolby Vision of level 4, which FFmpeg 5.1 cannot write."""
    data = bytearray(source.read_bytes())
    box = bytes([1, 0]) + struct.pack(">H", profile << 9 | 4 << 3 | 5) + bytes([compatibility << 4]) + bytes(19)
    box = struct.pack(">I4s", 8 + len(box), kind) + box
    place = next(found for found in boxes(data) if found[0] == "moov")
    parents = [place[1]]
    for name in ("trak", "mdia", "minf", "stbl", "stsd"):
        place = child(data, place, name)
        parents.append(place[1])
    start = place[1] + 16
    size = int.from_bytes(data[start:start + 4], "big")
    data[start + 4:start + 8] = entry
    # The media data stand before the `moov`, so that no offset changes.
    data[start + size:start + size] = box
    for parent in [*parents, start]:
        data[parent:parent + 4] = (int.from_bytes(data[parent:parent + 4], "big") + len(box)).to_bytes(4, "big")
    target.write_bytes(data)


@pytest.mark.parametrize("name, source, entry, profile, compatibility, kind, codec, above, wanted", [
    ("5", "vui.mp4", b"dvh1", 5, 0, b"dvcC", "dvh1.05.04", None, "PQ"),
    ("8.1", "pq-closed.mp4", b"hvc1", 8, 1, b"dvvC", "hvc1.2.4.L60.90", "dvh1.08.04/db1p", "PQ"),
    ("8.2", "hevc.mp4", b"hvc1", 8, 2, b"dvvC", "hvc1.1.6.L60.90", "dvh1.08.04/db2g", "SDR"),
    ("8.4", "hevc.mp4", b"hvc1", 8, 4, b"dvvC", "hvc1.1.6.L60.90", "dvh1.08.04/db4h", "HLG"),
])  # fmt: skip
def test_dolby_vision_is_stated(material, folder, name, source, entry, profile, compatibility, kind, codec, above, wanted):
    dolby_vision(material / source, folder / "vision.mp4", entry, profile, compatibility, kind)
    file = folder / "vision/index.m3u8"
    remux([folder / "vision.mp4"], file)
    told = [attributes(line) for line in file.read_text().splitlines() if "STREAM-INF" in line]
    assert told
    for each in told:
        same(f"Dolby Vision {name}", (codec, above, wanted),
             (each["CODECS"].strip('"').split(",")[0], each.get("SUPPLEMENTAL-CODECS", "").strip('"') or None,
              each["VIDEO-RANGE"]))
    same("findings", set(), findings(file)[0])
    if name == "8.4":
        file.write_text(file.read_text().replace('SUPPLEMENTAL-CODECS="dvh1.08.04/db4h",', ""))
        same("findings about what is not stated", {("dolby-vision", "warning")}, findings(file)[0])


def test_profile_5_gets_the_sample_entry_that_it_needs(material, folder):
    dolby_vision(material / "vui.mp4", folder / "wrong.mp4", b"hvc1", 5, 0, b"dvcC")
    remux([folder / "wrong.mp4"], folder / "wrong/index.m3u8")
    same("findings about profile 5 that came in hvc1", set(), findings(folder / "wrong/index.m3u8")[0])
    for file in (folder / "wrong").rglob("*"):
        if file.is_file():
            data = file.read_bytes().replace(b"dvh1.05.04", b"hvc1.2.4.L60.90").replace(b"dvh1", b"hvc1")
            file.write_bytes(data)
    same("findings about profile 5 in hvc1", {("entry", "error")}, findings(folder / "wrong/index.m3u8", 1)[0])


def attributes(line):
    """The attributes of a tag, quotation marks kept."""
    found, rest = {}, line.partition(":")[2]
    while rest:
        name, _, rest = rest.partition("=")
        end = rest.index('"', 1) + 1 if rest[0] == '"' else (rest + ",").index(",")
        found[name], rest = rest[:end], rest[end + 1:]
    return found


def cues(file):
    """The cues of a segment of WebVTT."""
    blocks = file.read_text().rstrip("\n").split("\n\n")
    same(f"what {file.name} begins with", "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000", blocks[0])
    def seconds(text):
        hours, minutes, rest = text.split(":")
        return int(hours) * 3600 + int(minutes) * 60 + float(rest)
    found = []
    for block in blocks[1:]:
        times, _, words = block.partition("\n")
        start, _, end = times.split(" ")
        found.append((seconds(start), seconds(end), words))
    return found


@pytest.mark.parametrize("name", ["full.mkv", "full.mp4"])
def test_subtitles_sound_and_variants_are_as_apple_asks(material, folder, name):
    """What Apple's authoring specification asks for in addition to the standard."""
    lines = (material / f"apple-{name}/index.m3u8").read_text().splitlines()
    media = [attributes(line) for line in lines if line.startswith("#EXT-X-MEDIA:")]
    texts = [found for found in media if found["TYPE"] == "SUBTITLES"]
    same("subtitles", [('"English"', '"en"'), ('"Deutsch"', '"de"')], [(t["NAME"], t["LANGUAGE"]) for t in texts])
    sounds = [(t["GROUP-ID"], t["NAME"], t["LANGUAGE"], t["DEFAULT"], t["CHANNELS"], t["URI"].split("/")[1])
              for t in media if t["TYPE"] == "AUDIO"]
    same("sound", [('"audio-1"', '"English"', '"en"', "YES", '"1"', "audio-1"),
                   ('"audio-1"', '"Deutsch"', '"de"', "NO", '"1"', "audio-2"),
                   ('"audio-2"', '"English"', '"en"', "YES", '"6"', "audio-3"),
                   ('"audio-2"', '"Deutsch"', '"de"', "NO", '"1"', "audio-2")], sounds)
    variants = [attributes(line) for line in lines if line.startswith("#EXT-X-STREAM-INF:")]
    same("groups of variants", [("\"audio-1\"", '"subtitles"', "NONE"), ("\"audio-2\"", '"subtitles"', "NONE")],
         [(v["AUDIO"], v["SUBTITLES"], v["CLOSED-CAPTIONS"]) for v in variants])
    same("codecs of sound", ["mp4a.40.2", "ac-3,mp4a.40.2"],
         [v["CODECS"].strip('"').split(",", 1)[1] for v in variants])
    shift = None
    for place, titles in enumerate(TITLES.values()):
        parts = [cues(material.work / f"apple-{name}" / f"index/text-{place + 1}/{number}.vtt") for number in (1, 2, 3)]
        for number, found in enumerate(parts):
            same("cues of a segment", [cue for cue in sorted(set(sum(parts, [])))
                                       if cue[0] < number * 4 + 4 and cue[1] > number * 4], found)
        found = sorted(set(sum(parts, [])))
        # The presentation begins with the priming of the sound, which Matroska has below 0.
        shift = round(found[0][0] - titles[0][0], 3) if shift is None else shift
        for cue, (start, end, words) in zip(found, titles):
            words = words.replace(" & ", " &amp; ").replace("1 < 2", "1 &lt; 2")
            same("a cue", (round(start + shift, 3), round(end + shift, 3), words), cue)
        same("cues", len(titles), len(found))
    assert 0 <= shift < 0.05, f"subtitles are moved by {shift} s"
    same("what is left out", [], material.known[f"apple-{name}"]["left_out"])
    winding = [attributes(line) for line in lines if line.startswith("#EXT-X-I-FRAME-STREAM-INF:")]
    same("playlists of key frames", ['"index/video-1/iframes.m3u8"'], [found["URI"] for found in winding])
    back = folder / "back.mp4"
    run(APUS, "remux", "--quiet", "--on-exists", "replace", material / f"apple-{name}/index.m3u8", "-o", back)
    for place, titles in enumerate(TITLES.values()):
        text = run(FFMPEG, "-i", back, "-map", f"0:s:{place}", "-f", "webvtt", "-")
        same("cues that were read back", len(titles), text.count("-->"))


@pytest.mark.parametrize("form", ["files", "ranges"])
def test_key_frames_have_playlists(material, form):
    keys = run(FFMPEG, "-i", material / "avc.mp4", "-vf", "select=eq(pict_type\\,I)", "-fps_mode",
               "passthrough", "-f", "framemd5", "-")
    keys = [line.split(",")[5].strip() for line in keys.splitlines() if line.startswith("0,")]
    file = material / f"winding-{form}/index/video-1/iframes.m3u8"
    for program in ("ffmpeg", FFMPEG):
        same(f"key frames in {program}", keys, hashes(file, "v", program))
    lines = file.read_text().splitlines()
    same("durations of key frames", ["2.000000", "2.000000", "2.000000", "2.000000", "1.000000"],
         [line[8:-1] for line in lines if line.startswith("#EXTINF")])
    same("tags of key frames", [True, True, True],
         [tag in lines for tag in ("#EXT-X-I-FRAMES-ONLY", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-ENDLIST")])
    for place, line in enumerate(lines):
        if line.startswith("#EXT-X-BYTERANGE:"):
            size, start = map(int, line.partition(":")[2].split("@"))
            data = (file.parent / lines[place + 1]).read_bytes()[start:start + size]
            same("boxes of a key frame", ["moof", "mdat"], [box[0] for box in boxes(data)])


def test_colours_that_only_the_vui_has_are_stated(material):
    same("ranges", 2, (material / "vui/index.m3u8").read_text().count("VIDEO-RANGE=PQ"))


def test_open_groups_are_reported(material):
    material / "range"
    assert any("open groups" in text for text in material.known["range"]["warnings"])


def test_renditions_of_different_lengths_are_reported(material):
    lines = (material / "lengths/index.m3u8").read_text()
    assert any("must have the same duration" in text for text in material.known["lengths"]["warnings"])
    same("rates", ["25.000", "90.000"], [part.split(",")[0] for part in lines.split("FRAME-RATE=")[1:]])
    lines = (material / "lengths/index/video-2/index.m3u8").read_text().splitlines()
    assert max(float(line[8:-1]) for line in lines if line.startswith("#EXTINF")) <= 4, \
        f"what is longer than the first video has long segments: {lines}"


def findings(playlist, status=0):
    """What `apus hls check` finds: rules with their severities, and the whole."""
    text = run(APUS, "hls", "check", "--json", playlist, status=status)
    found = json.loads(text)
    jsonschema.validate(found, FINDINGS)
    for item in found:
        assert item["severity"] in severities()[item["rule"]], \
            f"{item['rule']} does not state that it may be of severity {item['severity']}"
    return {(item["rule"], item["severity"]) for item in found}, found


@functools.cache
def severities():
    """Those that each rule states."""
    rules = json.loads(run(APUS, "hls", "check", "--rules", "--json"))
    return {rule["id"]: [rule["severity"], *rule.get("milder", [])] for rule in rules}


@pytest.mark.parametrize("name, expected", [
    *((name, set()) for name in (
        "two-files", "two-ranges", "hlg", "rate", "keys", "pieces", "sound", "codecs", "dolby", "apple-full.mkv",
        "apple-full.mp4", "winding-files", "winding-ranges")),
    ("range", {("independent-said", "note")}), ("open", {("independent-said", "note")}),
    # The keys of the second video are at other times.
    ("apart", {("alignment", "warning")}),
    ("lengths", {("alignment", "warning"), ("length", "warning")}),
])  # fmt: skip
def test_the_check_finds_in_our_presentations_what_is_true(material, name, expected):
    same("findings", expected, findings(material / f"{name}/index.m3u8")[0])


ONE = ("multivariant", "note")


@pytest.mark.parametrize("name", ["video-1/index", "video-1/iframes", "audio-1/index", "text-1/index"])
def test_a_playlist_of_segments_can_be_checked_alone(material, name):
    same("findings", {ONE}, findings(material / f"apple-full.mkv/index/{name}.m3u8")[0])


@pytest.mark.parametrize("source, options, expected", [
    ("hevc.mp4", ["-tag:v", "hvc1", "-hls_segment_type", "fmp4"], {ONE}),
    ("hevc.mp4", ["-tag:v", "hev1", "-hls_segment_type", "fmp4"], {ONE, ("entry", "error")}),
    ("avc.mp4", [], {ONE}),
    ("hevc.mp4", [], {ONE, ("hevc-container", "error")}),
], ids=["fmp4", "hev1", "ts", "hevc-ts"])
def test_the_check_finds_what_is_true_of_presentations_of_ffmpeg(material, folder, source, options, expected):
    ffmpeg("-i", material / source, "-c", "copy", *options, "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod",
           "-hls_segment_filename", folder / "%d.seg", folder / "a.m3u8")
    same("findings", expected, findings(folder / "a.m3u8", int(len(expected) > 1))[0])


SEGMENTS, SOUND = "index/video-1/index.m3u8", "index/audio-1/index.m3u8"
# A rule, the severity of what it finds, the file that is changed (the playlist of variants), and what in it becomes what.
BROKEN = [
    ("playlist-readable", "error", None, "audio-2/index.m3u8", "audio-9/index.m3u8"),
    ("version", "error", SEGMENTS, "VERSION:7", "VERSION:4"),
    ("target-duration", "error", SEGMENTS, "TARGETDURATION:4", "TARGETDURATION:3"),
    ("target-duration", "error", SEGMENTS, "#EXT-X-TARGETDURATION:4\n", ""),
    ("same-target", "error", SEGMENTS, "TARGETDURATION:4", "TARGETDURATION:5"),
    ("vod", "warning", SEGMENTS, "#EXT-X-PLAYLIST-TYPE:VOD\n", ""),
    ("vod", "warning", SEGMENTS, "#EXT-X-ENDLIST\n", ""),
    ("independent-said", "warning", None, "#EXT-X-INDEPENDENT-SEGMENTS\n", ""),
    ("segment-readable", "error", SEGMENTS, "2.m4s", "9.m4s"),
    ("segment-duration", "error", SEGMENTS, "EXTINF:4.000000", "EXTINF:3.000000"),
    ("segment-duration", "warning", SEGMENTS, "EXTINF:4.000000", "EXTINF:3.800000"),
    ("continuity", "error", SEGMENTS, "#EXTINF:4.000000,\n2.m4s\n", ""),
    ("codecs", "error", None, "{codec},mp4a", "mp4a"),
    ("codecs", "error", None, "{codec},mp4a.40.2", "{codec},mp4a.40.2,ec-3"),
    ("codecs-exact", "warning", None, "{codec},", "{other},"),
    ("resolution", "warning", None, "RESOLUTION=322x182", "RESOLUTION=640x360"),
    ("frame-rate", "warning", None, "FRAME-RATE=25.000", "FRAME-RATE=30"),
    ("frame-rate", "warning", None, "FRAME-RATE=25.000,", ""),
    ("video-range", "error", None, "VIDEO-RANGE=SDR", "VIDEO-RANGE=PQ"),
    ("bandwidth", "error", None, "BANDWIDTH={band}", "BANDWIDTH={less}"),
    ("bandwidth", "warning", None, "BANDWIDTH={band}", "BANDWIDTH={more}"),
    ("average-bandwidth", "warning", None, "AVERAGE-BANDWIDTH={average},", ""),
    ("key-frame-playlists", "warning", None, "{winding}", ""),
    ("key-frames-only", "error", "index/video-1/iframes.m3u8", "#EXT-X-I-FRAMES-ONLY\n", ""),
    ("groups", "error", None, 'SUBTITLES="subtitles"', 'SUBTITLES="others"'),
    ("group-members", "warning", None, 'GROUP-ID="audio-2",NAME="Deutsch"', 'GROUP-ID="audio-2",NAME="German"'),
    ("names", "error", None, 'NAME="Deutsch"', 'NAME="English"'),
    ("names", "error", None, "DEFAULT=YES,AUTOSELECT=YES", "DEFAULT=YES,AUTOSELECT=NO"),
    ("language", "note", None, ',LANGUAGE="de"', ""),
    ("channels", "warning", None, ',CHANNELS="6"', ',CHANNELS="2"'),
    ("closed-captions", "error", None, ",CLOSED-CAPTIONS=NONE", ""),
    ("instream", "error", None, ',CHANNELS="6"', ',INSTREAM-ID="CC1",CHANNELS="6"'),
    ("instream", "error", None, "#EXT-X-INDEPENDENT-SEGMENTS\n",
     '#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="CC5",INSTREAM-ID="CC5"\n'),
    ("webvtt", "error", "index/text-1/1.vtt", "WEBVTT", "TEXT"),
    ("webvtt", "warning", "index/text-1/1.vtt", "X-TIMESTAMP-MAP", "X"),
    ("length", "warning", SEGMENTS, "#EXTINF:4.000000,\n2.m4s\n", ""),
    ("header", "error", SOUND, '#EXT-X-MAP:URI="init.mp4"\n', ""),
]


def test_every_rule_has_a_row():
    rules = set(severities())
    known = {"multivariant", "entry", "hevc-container", "alignment", "independent", "segment-key-frame", "dolby-vision"}
    # test_lowlatency.py has a live presentation for these.
    known |= {rule for rule in rules if rule.startswith("part-")}
    known |= {"block-reload", "preload-hint", "rendition-reports", "skip-boundary"}
    # test_captions.py has one with captions.
    known.add("captions")
    same("rules without a row", known, rules - {row[0] for row in BROKEN})


@pytest.fixture
def whole(material, folder):
    """A copy of a presentation with everything."""
    material / "apple-full.mkv"
    shutil.copytree(material.work / "apple-full.mkv", folder / "whole")
    return folder / "whole"


@pytest.mark.parametrize("rule, severity, name, old, new", BROKEN)
def test_the_check_finds_what_is_broken(whole, rule, severity, name, old, new):
    text = (whole / "index.m3u8").read_text()
    first = next(attributes(line) for line in text.splitlines() if line.startswith("#EXT-X-STREAM-INF:"))
    band, codec = int(first["BANDWIDTH"]), first["CODECS"].strip('"').split(",")[0]
    facts = {
        "band": band, "less": band * 8 // 10, "more": band * 12 // 10, "average": first["AVERAGE-BANDWIDTH"], "codec": codec,
        "other": f"{codec[:-2]}34", "winding": next(line for line in text.splitlines() if line.startswith("#EXT-X-I-FRAME")),
    }  # fmt: skip
    file = whole / (name or "index.m3u8")
    kept, old, new = file.read_text(), old.format(**facts), new.format(**facts)
    assert old in kept
    file.write_text(kept.replace(old, new, 1))
    done = completed(APUS, "hls", "check", "--json", whole / "index.m3u8", status=None)
    found = json.loads(done.stdout)
    assert (rule, severity) in {(item["rule"], item["severity"]) for item in found}, f"not found: {found}"
    same("severities", [], [item for item in found if item["severity"] not in severities()[item["rule"]]])
    same("status", int(any(item["severity"] == "error" for item in found)), done.returncode)


def test_a_presentation_begins_with_the_pictures_that_an_edit_list_hides(material, folder):
    """No player of segments follows the list: the pictures are shown, and the sound comes as much later."""
    cut, index = folder / "cut.mp4", folder / "cut/index.m3u8"
    run(APUS, "transcode", "--quiet", material / "hevc.mp4", "-o", cut, "--preset", "copy", "--from", "2.5", "--to", "7.5")
    told = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", cut)
    hidden = -min(float(line.strip(",")) for line in told.split())
    assert hidden > 0.2, hidden
    run(APUS, "remux", "--quiet", cut, "-o", index)
    same("findings", {("length", "warning")} & findings(index)[0], findings(index)[0])
    seconds = [float(number) for number in re.findall(r"EXTINF:([\d.]+)", (index.parent / "index/video-1/index.m3u8").read_text())]
    assert abs(sum(seconds) - 5 - hidden) < 0.2, (seconds, hidden)


def test_the_check_finds_a_segment_that_begins_too_early(whole):
    """By 0.2 s, by the time that its fragment states."""
    folder = (whole / SEGMENTS).parent
    init, piece = (folder / "init.mp4").read_bytes(), folder / "2.m4s"
    units, = struct.unpack_from(">I", init, init.index(b"mdhd") + 16)
    moved = bytearray(piece.read_bytes())
    place = moved.index(b"tfdt") + 8
    struct.pack_into(">Q", moved, place, struct.unpack_from(">Q", moved, place)[0] - units // 5)
    piece.write_bytes(moved)
    assert ("continuity", "warning") in findings(whole / "index.m3u8")[0]


def test_the_check_finds_a_false_claim_of_independence(material, folder):
    material / "open"
    shutil.copytree(material.work / "open", folder / "open")
    file = folder / "open/index.m3u8"
    file.write_text(file.read_text().replace("#EXT-X-VERSION:7", "#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS"))
    same("findings", {("independent", "error")}, findings(file, 1)[0])


def test_the_check_finds_segments_that_begin_without_a_key_frame(material, folder):
    ffmpeg("-i", material / "avc.mp4", "-an", "-c", "copy", "-f", "hls", "-hls_time", "1.4", "-hls_flags", "split_by_time",
           "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", folder / "a.m3u8")
    assert ("segment-key-frame", "error") in findings(folder / "a.m3u8", 1)[0]


def test_the_check_refuses_what_is_no_playlist(material):
    run(APUS, "hls", "check", material / "avc.mp4", status=1)


@pytest.mark.parametrize("name", ["../avc.mp4", "https://example.com/a.m3u8", "itself.m3u8", "gone.m3u8"])
def test_the_check_finds_playlists_that_cannot_be_read(material, folder, name):
    shutil.copyfile(material / "avc.mp4", folder / "avc.mp4")
    file = folder / "inside/itself.m3u8"
    file.parent.mkdir()
    file.write_text(f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{name}\n")
    same("findings", {("playlist-readable", "error")}, findings(file, 1)[0])


def made(kind, *parts):
    """A box of numbers of 32 bits and of bytes."""
    data = b"".join(part if isinstance(part, bytes) else struct.pack(">I", part) for part in parts)
    return struct.pack(">I4s", len(data) + 8, kind) + data


def imsc_header():
    """The header of fragments of IMSC1 (ISO/IEC 14496-30, 5; 14496-12, 12.6), in milliseconds."""
    matrix = struct.pack(">9I", 1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30)
    names = b"http://www.w3.org/ns/ttml http://www.w3.org/ns/ttml/profile/imsc1/text\0\0\0"
    tables = made(b"stbl", made(b"stsd", 0, 1, made(b"stpp", 0, 1, names)), made(b"stts", 0, 0), made(b"stsc", 0, 0),
                  made(b"stsz", 0, 0, 0), made(b"stco", 0, 0))
    place = made(b"dinf", made(b"dref", 0, 1, made(b"url ", 1)))
    media = made(b"mdia", made(b"mdhd", 0, 0, 0, 1000, 0, 0x15C70000), made(b"hdlr", 0, 0, b"subt", bytes(13)),
                 made(b"minf", made(b"sthd", 0), place, tables))
    track = made(b"trak", made(b"tkhd", 7, 0, 0, 1, 0, 0, bytes(16), matrix, 0, 0), media)
    movie = made(b"mvhd", 0, 0, 0, 1000, 0, 1 << 16, 1 << 24, bytes(8), matrix, bytes(24), 2)
    return made(b"ftyp", b"iso6", 0, b"iso6") + made(b"moov", movie, track, made(b"mvex", made(b"trex", 0, 1, 1, 0, 0, 0)))


def imsc_segment(number, start, length):
    text = b'<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div/></body></tt>'

    def fragment(place):
        return made(b"moof", made(b"mfhd", 0, number), made(
            b"traf", made(b"tfhd", 0x20000, 1), made(b"tfdt", 0, start), made(b"trun", 0x301, 1, place, length, len(text))))

    return fragment(len(fragment(0)) + 8) + made(b"mdat", text)


def test_subtitles_in_imsc1_are_as_good_as_those_in_webvtt(whole):
    """RFC 8216bis, 3.1.5."""
    folder = whole
    for name in ("text-1", "text-2"):
        playlist = folder / "index" / name / "index.m3u8"
        (playlist.parent / "init.mp4").write_bytes(imsc_header())
        text, start = playlist.read_text(), 0
        for number, seconds in enumerate([line[8:].split(",")[0] for line in text.splitlines() if line.startswith("#EXTINF")]):
            length = round(float(seconds) * 1000)
            (playlist.parent / f"{number + 1}.m4s").write_bytes(imsc_segment(number + 1, start, length))
            start += length
        playlist.write_text(text.replace("#EXTINF", '#EXT-X-MAP:URI="init.mp4"\n#EXTINF', 1).replace(".vtt", ".m4s"))
    main = folder / "index.m3u8"
    main.write_text(main.read_text().replace('CODECS="', 'CODECS="stpp.ttml.im1t,'))
    same("findings about IMSC1", set(), findings(main)[0])
    same("codec of IMSC1", "stpp.ttml.im1t",
         json.loads(run(APUS, "info", "--json", folder / "index/text-1/init.mp4"))["tracks"][0]["codec"])


@pytest.fixture(scope="module")
def foreign(material):
    """A folder with presentations that FFmpeg wrote; the sound of its own begins where its priming does, so there is none."""
    folder = material.work / "foreign"
    folder.mkdir()
    for name, flags in (("files", "independent_segments"), ("ranges", "single_file")):
        ffmpeg("-i", material / "avc.mp4", "-an", "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod",
               "-hls_segment_type", "fmp4", "-hls_flags", flags, "-hls_fmp4_init_filename", f"{name}.init.mp4",
               "-hls_segment_filename", folder / (f"{name}.mp4" if name == "ranges" else f"{name}%d.m4s"),
               folder / f"{name}.m3u8")
    ffmpeg("-i", material / "avc.mp4", "-frames:v", "1", folder / "picture.png")
    (folder / "link.m4s").symlink_to(material / "avc.mp4")
    return folder


@pytest.mark.parametrize("name", ["files", "ranges"])
@pytest.mark.parametrize("kind", ["mp4", "flv", "fmp4"])
def test_presentations_of_ffmpeg_are_read(material, foreign, folder, name, kind):
    out = folder / f"out.{kind}"
    run(APUS, "remux", "--quiet", "--format", kind, foreign / f"{name}.m3u8", "-o", out)
    same("pictures", hashes(material / "avc.mp4", "v"), hashes(out, "v"))


def test_the_edits_that_ffmpeg_writes_are_no_reason_for_a_warning(material, folder):
    """Its lists have an empty edit, then one without an end."""
    ffmpeg("-i", material / "hevc.mp4", "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod",
           "-hls_segment_type", "fmp4", folder / "both.m3u8")
    done = completed(APUS, "remux", folder / "both.m3u8", "-o", folder / "both.mp4", text=True)
    assert "edit list ends" not in done.stderr


def test_a_presentation_becomes_a_bare_stream(material, folder):
    run(APUS, "remux", "--quiet", material / "two-files/index.m3u8", "-o", folder / "out.hevc")
    same("pictures", hashes(material / "hevc.mp4", "v"), hashes(folder / "out.hevc", "v"))


def test_a_playlist_leads_over_a_discontinuity_and_out_of_its_folder_only_if_asked(material, folder):
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2"]
    for number, name in enumerate(("keys", "apart")):
        place = (material / f"{name}/index/video-1/index.m3u8").parent
        shutil.copytree(place, folder / name)
        lines += ["#EXT-X-DISCONTINUITY"] if number else []
        for line in (place / "index.m3u8").read_text().splitlines():
            if line.startswith(("#EXTINF", "#EXT-X-MAP")):
                lines.append(line.replace('URI="', f'URI="../{name}/'))
            elif line[:1] != "#":
                lines.append(f"../{name}/{line}")
    two = folder / "inside/two.m3u8"
    two.parent.mkdir()
    two.write_text("\n".join(lines + ["#EXT-X-ENDLIST"]) + "\n")
    out = folder / "two.mp4"
    run(APUS, "remux", "--quiet", two, "-o", out, status=1)
    assert not out.exists(), "a playlist leads out of its folder"
    run(APUS, "remux", "--quiet", "--outside", two, "-o", out)
    same("pictures", hashes(material / "every-key.mp4", "v") + hashes(material / "avc.mp4", "v"), hashes(out, "v"))
    found = sorted(packets(out, "v"))
    same("times", {fractions.Fraction(1, 25)}, {right[0] - left[0] for left, right in zip(found, found[1:])})


def test_transport_streams_are_read_and_damage_to_them_is_reported(material, folder):
    ffmpeg("-i", material / "avc.mp4", "-c", "copy", "-f", "hls", folder / "ts.m3u8")
    run(APUS, "remux", "--quiet", folder / "ts.m3u8", "-o", folder / "ts.mp4")
    same("pictures", hashes(material / "avc.mp4", "v"), hashes(folder / "ts.mp4", "v"))
    whole = (folder / "ts1.ts").read_bytes()
    for kept, words in ((b"", "ts1.ts is empty"), (b"", "in the count of transport packets"),
                        (whole[:len(whole) // 376 * 188], "in the count of transport packets")):
        (folder / "ts1.ts").write_bytes(kept)
        text = run(APUS, "remux", folder / "ts.m3u8", "-o", folder / "damaged.mp4", "--on-exists", "replace")
        assert words in text, f"a segment of {len(kept)} bytes where {len(whole)} were"


@pytest.mark.parametrize("name, text, reason", [
    ("picture", "#EXTM3U\n#EXTINF:1,\npicture.png\n", "PNG"),
    ("network", "#EXTM3U\n#EXTINF:1,\nhttps://example.com/1.m4s\n", "network"),
    ("key", '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:1,\nfiles0.m4s\n', "encrypted"),
    ("link", "#EXTM3U\n#EXTINF:1,\nlink.m4s\n", "outside"),
    ("gone", "#EXTM3U\n#EXTINF:1,\ngone.m4s\n", "No such file"),
    ("range", "#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:99999999@0\nranges.mp4\n", "ends at byte"),
    ("itself", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nitself.m3u8\n", "variants instead of segments"),
    ("dots", "#EXTM3U\n#EXTINF:1,\n%2e%2e/avc.mp4\n", "outside"),
])  # fmt: skip
def test_a_playlist_that_must_not_be_read_is_refused(foreign, name, text, reason):
    (foreign / f"{name}.m3u8").write_text(text)
    out = foreign / "no.mp4"
    done = completed(APUS, "remux", foreign / f"{name}.m3u8", "-o", out, status=1, text=True)
    assert reason in done.stderr and not out.exists()


def test_playlists_are_checked_alone(folder):
    lines = ["#EXTM3U", "#EXT-X-VERSION:3", "#EXT-X-TARGETDURATION:4", "#EXTINF:4,", "https://cdn.example/1.ts",
             "#EXTINF:9,", "https://cdn.example/2.ts", "#EXT-X-ENDLIST"]
    (folder / "media.m3u8").write_text("\n".join(lines) + "\n")
    (folder / "index.m3u8").write_text(
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,AVERAGE-BANDWIDTH=900000,CODECS=\"avc1.64001f\",RESOLUTION=64x48,"
        "FRAME-RATE=25\nmedia.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS=\"avc1.64001f\"\nhttps://cdn.example/m.m3u8\n")

    def rules(name, *options):
        answer = json.loads(completed(APUS, "hls", "check", "--json", *options, folder / name, status=1).stdout)
        return [finding["rule"] for finding in answer]
    for name in ("media.m3u8", "index.m3u8"):
        assert {"segment-readable", "target-duration"} <= set(rules(name))
        alone = rules(name, "--playlists-only")
        assert "target-duration" in alone and not {"segment-readable", "playlist-readable"} & set(alone)


class Moving(http.server.SimpleHTTPRequestHandler):
    """The files of a folder, and below /moved/ redirections to them."""

    def do_GET(self):
        if self.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/moved"))
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *words):
        pass


def test_a_presentation_is_checked_where_a_server_offers_it(whole):
    ((whole / SEGMENTS).parent / "2.m4s").unlink()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Moving, directory=whole)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            root = f"http://127.0.0.1:{server.server_port}"
            expected = findings(whole / "index.m3u8", 1)[1]
            assert any(item["rule"] == "segment-readable" for item in expected)
            for address in (root, root + "/moved"):
                found = findings(f"{address}/index.m3u8?token=a/b", 1)[1]
                same("rules", [(item["rule"], item.get("segment")) for item in expected],
                     [(item["rule"], item.get("segment")) for item in found])
                assert any("404" in item["message"] for item in found)
            # What a server offers leads to no file of this machine.
            (whole / "bad.m3u8").write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile://{whole}/index.m3u8\n")
            assert any("no address in the web" in item["message"] for item in findings(root + "/bad.m3u8", 1)[1])
            assert "404" in completed(APUS, "hls", "check", root + "/gone.m3u8", status=1, text=True).stderr
        finally:
            server.shutdown()


def test_a_presentation_that_exists_is_skipped_renamed_or_replaced_and_what_others_made_stays(material, folder):
    source, outside = material / "avc.mp4", folder / "outside.m4s"
    folder = folder / "places"
    command = [APUS, "remux", "--quiet", source, "-o", folder / "a b.m3u8"]
    run(*command)
    before = sorted(folder.rglob("*"))
    run(*command, status=3)
    same("files after a skip", before, sorted(folder.rglob("*")))
    run(*command, "--on-exists", "rename")
    same("playlists after a rename", ["a b-1.m3u8", "a b.m3u8"], sorted(path.name for path in folder.glob("*.m3u8")))
    old = (folder / "a b.m3u8").read_text()
    run(*command, "--on-exists", "replace")
    assert (folder / "a b.m3u8").read_text() != old, "--on-exists replace writes nothing"
    for file in folder.glob("*.m3u8"):
        same(f"pictures of {file.name}", hashes(source, "v"), hashes(file, "v"))
    same("folders", ["a-b-1", "a-b-2"], sorted(path.name for path in folder.iterdir() if path.is_dir()))
    # What a person put into the folder stays; what the replaced playlists named goes, and empty folders with it.
    (folder / "a-b-2/notes.txt").write_text("kept")
    (folder / "a-b-1/video-1/link").symlink_to(source)
    run(*command, "--on-exists", "replace")
    found = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    same("what stays of a folder", ["a-b-2/notes.txt"], sorted(name for name in found if name.startswith("a-b-2/")))
    # Names that lead elsewhere, or to what others made, are left alone.
    others = [folder / "other/1.m4s", folder / "a-bc/1.m4s", outside, folder / "1.m4s"]
    for file in others:
        file.parent.mkdir(exist_ok=True)
        file.write_text("kept")
    lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1"]
    for name in ("other/1.m4s", "a-bc/1.m4s", "../outside.m4s", "1.m4s", "a-b/../1.m4s", "a-b-1/video-1/link"):
        lines += ["#EXTINF:1,", name]
    (folder / "a b.m3u8").write_text("\n".join(lines) + "\n")
    run(*command, "--on-exists", "replace")
    same("files of others", [True] * 5, [file.exists() for file in [*others, folder / "a-b-1/video-1/link"]])
    same("pictures", hashes(source, "v"), hashes(folder / "a b.m3u8", "v"))


def killed(command, seconds):
    process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_a_writer_that_is_killed_leaves_a_whole_presentation_or_none(material, folder):
    source, target = material / "hevc.mp4", folder / "k.m3u8"
    command = [APUS, "remux", "--quiet", source, "-o", target, "--segment-duration", "1"]
    for step in range(10):
        killed(command, step * 0.004)
        if target.exists():
            same(f"pictures after a kill ({step})", hashes(source, "v"), hashes(target, "v"))
            target.unlink()
    # One that is replaced can be played whenever its writer dies.
    command += ["--on-exists", "replace"]
    run(*command)
    for step in range(6):
        killed(command, step * 0.008)
        same(f"pictures after a kill while replacing ({step})", hashes(source, "v"), hashes(target, "v"))


def test_a_full_disk_leaves_nothing(material, folder):
    run("bash", "-c", 'ulimit -f 40; trap "" XFSZ; exec "$@"', "bash", APUS, "remux", "--quiet", material / "hevc.mp4", "-o",
        folder / "full/index.m3u8", "--segments", "ranges", status=1)
    same("files after a full disk", [], os.listdir(folder / "full"))


@pytest.mark.parametrize("form", ["files", "ranges"])
def test_chromium_plays_a_presentation(material, parse, form):
    folder = (material / f"two-{form}/index.m3u8").parent / "index"
    tracks = []
    for name, kind in (("video-2", 'video/mp4; codecs="avc1.42C00D"'), ("audio-1", 'audio/mp4; codecs="mp4a.40.2"')):
        playlist = Rendition(parse, folder / name / "index.m3u8")
        parts = [[f"/{name}/{pathlib.Path(part[0]).name}", *part[1:]] for part in playlist.parts]
        tracks.append({"type": kind, "parts": parts})
    report = browser.play(folder, tracks)
    count = len(packets(material / "avc.mp4", "v"))
    same("size", [322, 182], [report["width"], report["height"]])
    same("stretches", [1, 1], [len(ranges) for ranges in report["buffered"]])
    start, end = report["buffered"][0][0]
    assert start == 0 and abs(end - 9) <= 0.001 and abs(report["time"] - report["duration"]) <= 0.1, report
    assert not report["corrupted"] and count * 0.9 <= report["total"] <= count, \
        f"Chromium decodes {report['total']} of {count} pictures, {report['corrupted']} of them broken"
