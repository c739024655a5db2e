#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Presentations of `apus remux -o OUT.m3u8` are what their sources are to FFmpeg, a parser of playlists and Chromium."""

import fractions
import functools
import json
import math
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import browser  # noqa: E402
from once import once  # noqa: E402
from programs import APUS, FFMPEG, Failure, run  # noqa: E402

SCHEMA = json.loads((ROOT / "Sources/ApusCommand/Schemas/remux.schema.json").read_text())
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


def parser():
    """The package m3u8, in one process of the Python that has it, which takes longer to start than to parse."""
    script = '. "$1"/Scripts/setup; need_packages run test; need_python test; echo "$python"'
    done = subprocess.run(["bash", "-c", script, "hls", ROOT], stdout=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=True)
    code = """
import json, m3u8, sys
for line in sys.stdin:
    print(json.dumps(m3u8.load(json.loads(line)).data, default=str), flush=True)
"""
    # It ends when this program does.
    process = subprocess.Popen([done.stdout.strip(), "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def parse(file):
        process.stdin.write(json.dumps(str(file)) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise Failure(f"m3u8 cannot read {file}")
        return json.loads(line)

    return parse


def same(what, expected, found):
    if expected == found:
        return
    if isinstance(expected, list) and isinstance(found, list):
        for index, (left, right) in enumerate(zip(expected, found)):
            if left != right:
                raise Failure(f"{what} differ at {index}: {left} was expected, {right} found")
        raise Failure(f"{what}: {len(expected)} were expected, {len(found)} found")
    raise Failure(f"{what}: {expected} was expected, {found} found")


@once
def hashes(file, kind, program="ffmpeg", *options):
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
        if max(math.floor(length + 0.5) for length in self.durations) > target:
            raise Failure(f"{name}: a segment is longer than {target} s")
        if any(bool(segment.get("byterange")) != (form == "ranges") for segment in self.data["segments"]):
            raise Failure(f"{name}: has no segments as {form}")
        kinds = [box[0] for box in boxes(self.header)]
        same(f"{name}: boxes of the header", ["ftyp", "moov"], kinds)
        moov = list(boxes(self.header))[1]
        same(f"{name}: tracks", 1, [box[0] for box in boxes(self.header, moov[1] + 8, moov[2])].count("trak"))
        if b"cmfc" not in self.header[:40]:
            raise Failure(f"{name}: the header is no CMAF header")
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
                if not flags & 0x20000 or flags & 1:
                    raise Failure(f"{name}: offsets do not count from the moof")
                clock = child(segment, fragment, "traf", "tfdt")
                decoded = int.from_bytes(segment[clock[1] + 12:clock[2]], "big")
                if decoded < time or (number == 0 and fragment is fragments[0] and decoded):
                    raise Failure(f"{name}: decoding times begin at {decoded} and {time}")
                time = decoded

    def check_alone(self, work, kind, expected):
        """Each segment after the header gives its part of the pictures."""
        found = []
        for segment in self.segments:
            file = work / "alone.mp4"
            file.write_bytes(self.header + segment)
            found.append(hashes(file, kind))
        same(f"{self.path}: samples of segments by themselves", expected, sum(found, []))


def check(work, parse, name, inputs, *options, form="files", independent=True):
    """One presentation of the first input and what stands beside it."""
    folder = work / name
    report = remux(inputs, folder / "index.m3u8", "--segments", form, *options)
    master = parse(folder / "index.m3u8")
    target = report["target_duration"]
    same(f"{name}: independent segments", independent, bool(master.get("is_independent_segments")))
    renditions = {}
    for rendition in report["renditions"]:
        path = folder / "index" / rendition["playlist"]
        renditions[f"index/{rendition['playlist']}"] = (rendition, Rendition(parse, path))
        renditions[f"index/{rendition['playlist']}"][1].check(work, target, form)
    sounds = {media["group_id"]: renditions[media["uri"]] for media in master["media"] if media["type"] == "AUDIO"}
    for variant in master["playlists"]:
        told, (video, playlist) = variant["stream_info"], renditions[variant["uri"]]
        sound = sounds.get(told.get("audio", "").strip('"'))
        peak = playlist.peak(target) + (sound[1].peak(target) if sound else 0)
        if not peak <= told["bandwidth"] <= peak * 1.001 + 2 or told["average_bandwidth"] > told["bandwidth"]:
            raise Failure(f"{name}: BANDWIDTH is {told['bandwidth']}, segments say {peak}")
        codecs = ([video["codec"]] + ([sound[0]["codec"]] if sound else []))
        same(f"{name}: CODECS", ",".join(codecs), told["codecs"])
    return report, master, renditions


def check_against(work, name, source, renditions, alone=True):
    """The pictures, sound, packets and times of a source."""
    master = work / name / "index.m3u8"
    video = next(playlist for told, playlist in renditions.values() if "width" in told)
    pictures = hashes(source, "v")
    for program in ("ffmpeg", FFMPEG):
        same(f"{name}: pictures in {program}", pictures, hashes(video.path, "v", program))
    if alone:
        video.check_alone(work, "v", pictures)
    back = work / f"{name}.mp4"
    run(APUS, "remux", "--quiet", "--on-exists", "replace", master, "-o", back)
    for kind in "va" if any("width" not in told for told, _ in renditions.values()) else "v":
        same(f"{name}: packets read back ({kind})", packets(source, kind), packets(back, kind))
    if "a" in kind:
        same(f"{name}: sound", hashes(source, "a"), hashes(back, "a"))
    back.unlink()


def check_playlists(work, parse):
    source = {name: work / name for name in SOURCES}
    for form in ("files", "ranges"):
        name = f"two-{form}"
        report, master, renditions = check(
            work, parse, name, [source["hevc.mp4"], source["avc.mp4"], source["sound.m4a"]], "--segment-duration", "4",
            form=form)
        check_against(work, name, source["hevc.mp4"], renditions)
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
    _, master, renditions = check(work, parse, "open", [source["open-gop.mp4"]], independent=False)
    check_against(work, "open", source["open-gop.mp4"], renditions, alone=False)
    same("range of PQ", "PQ", master["playlists"][0]["stream_info"]["video_range"])
    _, master, renditions = check(work, parse, "hlg", [source["hlg.mp4"]])
    same("range of HLG", "HLG", master["playlists"][0]["stream_info"]["video_range"])
    _, master, renditions = check(work, parse, "rate", [source["odd-rate.mp4"]], "--segment-duration", "2")
    check_against(work, "rate", source["odd-rate.mp4"], renditions)
    same("odd rate", 29.97, master["playlists"][0]["stream_info"]["frame_rate"])
    lengths = next(iter(renditions.values()))[1].durations
    if not abs(sum(lengths) - len(packets(source["odd-rate.mp4"], "v")) * 1001 / 30000) < 1e-5:
        raise Failure(f"the segments last {sum(lengths)} s together")
    _, _, renditions = check(work, parse, "keys", [source["every-key.mp4"]], "--segment-duration", "1")
    check_against(work, "keys", source["every-key.mp4"], renditions)
    same("segments of key frames", [1.0] * 9, next(iter(renditions.values()))[1].durations)
    _, _, renditions = check(work, parse, "pieces", [source["avc.mp4"]], "--fragment-duration", "0.4")
    check_against(work, "pieces", source["avc.mp4"], renditions)
    first = list(renditions.values())[0][1].segments[0]
    # Three of them begin with a key frame, which has a fragment of its own.
    same("fragments of 0.4 seconds", 18, [box[0] for box in boxes(first)].count("moof"))
    report, _, _ = check(work, parse, "apart", [source["avc.mp4"], source["other-keys.mp4"]], "--segment-duration", "2")
    if not any("not aligned" in text for text in report["warnings"]):
        raise Failure("nobody is told of key frames at different times")
    _, master, _ = check(work, parse, "sound", [source["sound.m4a"]], "--segment-duration", "4")
    same("codecs of sound alone", ["mp4a.40.2"], [item["stream_info"]["codecs"] for item in master["playlists"]])
    _, master, _ = check(work, parse, "codecs", [source["hevc.mp4"], source["dolby.mp4"]])
    _, master, renditions = check(work, parse, "dolby", [source["dolby.mp4"]])
    same("codecs of Dolby sound", "ac-3", master["playlists"][0]["stream_info"]["codecs"].split(",")[1])


TITLES = {
    "eng": [(1.0, 2.5, "Hello <b>bold</b> & <i>slanted</i>"), (3.5, 5.2, "Two\nlines, 1 < 2")],
    "ger": [(0.5, 8.75, "Ein langer Untertitel")],
}


def subtitled(work):
    """A Matroska file with subtitles and sound in two languages."""
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
    run("ffmpeg", "-y", "-v", "error", "-i", work / "avc.mp4", "-i", work / "dolby.mp4", *inputs, "-map", "0:v", "-map",
        "0:a", "-map", "0:a", "-map", "1:a", *maps, "-metadata:s:a:2", "language=eng", "-c", "copy", "-c:s", "srt",
        work / "full.mkv")
    run("ffmpeg", "-y", "-v", "error", "-i", work / "full.mkv", "-map", "0", "-c", "copy", "-c:s", "mov_text",
        work / "full.mp4")


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


def check_dolby_vision(work):
    for name, source, entry, profile, compatibility, kind, codec, above, wanted in (
            ("5", "vui.mp4", b"dvh1", 5, 0, b"dvcC", "dvh1.05.04", None, "PQ"),
            ("8.1", "pq-closed.mp4", b"hvc1", 8, 1, b"dvvC", "hvc1.2.4.L60.90", "dvh1.08.04/db1p", "PQ"),
            ("8.2", "hevc.mp4", b"hvc1", 8, 2, b"dvvC", "hvc1.1.6.L60.90", "dvh1.08.04/db2g", "SDR"),
            ("8.4", "hevc.mp4", b"hvc1", 8, 4, b"dvvC", "hvc1.1.6.L60.90", "dvh1.08.04/db4h", "HLG")):
        file = work / f"vision-{name}.mp4"
        dolby_vision(work / source, file, entry, profile, compatibility, kind)
        remux([file], work / f"vision-{name}/index.m3u8")
        text = (work / f"vision-{name}/index.m3u8").read_text()
        for line in text.splitlines():
            if "STREAM-INF" not in line:
                continue
            told = attributes(line)
            same(f"Dolby Vision {name}", (codec, above, wanted),
                 (told["CODECS"].strip('"').split(",")[0], told.get("SUPPLEMENTAL-CODECS", "").strip('"') or None,
                  told["VIDEO-RANGE"]))
        same(f"findings about Dolby Vision {name}", set(), findings(work / f"vision-{name}/index.m3u8")[0])
    file = work / "vision-8.4/index.m3u8"
    file.write_text(file.read_text().replace('SUPPLEMENTAL-CODECS="dvh1.08.04/db4h",', ""))
    same("findings about what is kept silent", {("dolby-vision", "warning")}, findings(file)[0])
    dolby_vision(work / "vui.mp4", work / "wrong.mp4", b"hvc1", 5, 0, b"dvcC")
    remux([work / "wrong.mp4"], work / "wrong/index.m3u8")
    # Written anew it has the sample entry that it needs.
    same("findings about profile 5 that came in hvc1", set(), findings(work / "wrong/index.m3u8")[0])
    for file in (work / "wrong").rglob("*"):
        if file.is_file():
            data = file.read_bytes().replace(b"dvh1.05.04", b"hvc1.2.4.L60.90").replace(b"dvh1", b"hvc1")
            file.write_bytes(data)
    same("findings about profile 5 in hvc1", {("entry", "error")}, findings(work / "wrong/index.m3u8", 1)[0])


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


def check_apple(work):
    """What Apple's authoring specification asks for beyond the standard."""
    subtitled(work)
    for name in ("full.mkv", "full.mp4"):
        folder = work / f"apple-{name}"
        report = remux([work / name], folder / "index.m3u8", "--segment-duration", "4")
        lines = (folder / "index.m3u8").read_text().splitlines()
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
            parts = [cues(folder / f"index/text-{place + 1}/{number}.vtt") for number in (1, 2, 3)]
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
        if not 0 <= shift < 0.05:
            raise Failure(f"subtitles are moved by {shift} s")
        same("what is left out", [], report["left_out"])
        winding = [attributes(line) for line in lines if line.startswith("#EXT-X-I-FRAME-STREAM-INF:")]
        same("playlists of key frames", ['"index/video-1/iframes.m3u8"'], [found["URI"] for found in winding])
        back = work / "apple.mp4"
        run(APUS, "remux", "--quiet", "--on-exists", "replace", folder / "index.m3u8", "-o", back)
        for place, titles in enumerate(TITLES.values()):
            text = run("ffmpeg", "-v", "error", "-i", back, "-map", f"0:s:{place}", "-f", "webvtt", "-")
            same("cues that were read back", len(titles), text.count("-->"))
    keys = run("ffmpeg", "-v", "error", "-i", work / "avc.mp4", "-vf", "select=eq(pict_type\\,I)", "-fps_mode",
               "passthrough", "-f", "framemd5", "-")
    keys = [line.split(",")[5].strip() for line in keys.splitlines() if line.startswith("0,")]
    for form in ("files", "ranges"):
        folder = work / f"winding-{form}"
        remux([work / "avc.mp4"], folder / "index.m3u8", "--segment-duration", "4", "--segments", form)
        file = folder / "index/video-1/iframes.m3u8"
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
    remux([work / "vui.mp4"], work / "range/index.m3u8")
    same("colours that the VUI alone has", 2, (work / "range/index.m3u8").read_text().count("VIDEO-RANGE=PQ"))
    report = remux([work / "open-gop.mp4"], work / "range/index.m3u8")
    if not any("open groups" in text for text in report["warnings"]):
        raise Failure("open groups of pictures are not reported")
    report = remux([work / "avc.mp4", work / "fast.mp4"], work / "lengths/index.m3u8", "--segment-duration", "2")
    if not any("must have the same duration" in text for text in report["warnings"]):
        raise Failure("renditions of different lengths are not reported")
    lines = (work / "lengths/index.m3u8").read_text()
    same("rates", ["25.000", "90.000"], [part.split(",")[0] for part in lines.split("FRAME-RATE=")[1:]])
    lines = (work / "lengths/index/video-2/index.m3u8").read_text().splitlines()
    if max(float(line[8:-1]) for line in lines if line.startswith("#EXTINF")) > 4:
        raise Failure(f"what is longer than the first video has long segments: {lines}")


def findings(playlist, status=0):
    """What `apus hls check` finds: rules with their severities, and the whole."""
    text = run(APUS, "hls", "check", "--json", playlist, status=status)
    found = json.loads(text)
    jsonschema.validate(found, json.loads((ROOT / "Sources/ApusCommand/Schemas/hls.schema.json").read_text()))
    for item in found:
        if item["severity"] not in severities()[item["rule"]]:
            raise Failure(f"{item['rule']} does not state that it may be of severity {item['severity']}")
    return {(item["rule"], item["severity"]) for item in found}, found


@functools.cache
def severities():
    """Those that each rule states."""
    rules = json.loads(run(APUS, "hls", "check", "--rules", "--json"))
    return {rule["id"]: [rule["severity"], *rule.get("milder", [])] for rule in rules}


def check_rules(work):
    """`apus hls check` on what Apus and FFmpeg write, and on what is broken on purpose."""
    rules = set(severities())
    for name in ("two-files", "two-ranges", "hlg", "rate", "keys", "pieces", "sound", "codecs", "dolby",
                 "apple-full.mkv", "apple-full.mp4", "winding-files", "winding-ranges", "range"):
        expected = {("independent-said", "note")} if name == "range" else set()
        same(f"findings about {name}", expected, findings(work / name / "index.m3u8")[0])
    same("findings about open groups", {("independent-said", "note")}, findings(work / "open/index.m3u8")[0])
    # The keys of the second video stand at other times.
    same("findings about others' key frames", {("alignment", "warning")}, findings(work / "apart/index.m3u8")[0])
    same("findings about lengths", {("alignment", "warning"), ("length", "warning")},
         findings(work / "lengths/index.m3u8")[0])

    folder = work / "checked"
    folder.mkdir()
    for name, source, options in (("fmp4", "hevc.mp4", ["-tag:v", "hvc1", "-hls_segment_type", "fmp4"]),
                                  ("hev1", "hevc.mp4", ["-tag:v", "hev1", "-hls_segment_type", "fmp4"]),
                                  ("ts", "avc.mp4", []), ("hevc-ts", "hevc.mp4", [])):
        (folder / name).mkdir()
        run("ffmpeg", "-y", "-v", "error", "-i", work / source, "-c", "copy", *options, "-f", "hls", "-hls_time", "2",
            "-hls_playlist_type", "vod", "-hls_segment_filename", folder / name / "%d.seg", folder / name / "a.m3u8")
    one = ("multivariant", "note")
    for name in ("video-1/index", "video-1/iframes", "audio-1/index", "text-1/index"):
        same(f"findings about {name}", {one}, findings(work / f"apple-full.mkv/index/{name}.m3u8")[0])
    same("findings about FFmpeg's HEVC in MP4", {one}, findings(folder / "fmp4/a.m3u8")[0])
    same("findings about FFmpeg's H.264", {one}, findings(folder / "ts/a.m3u8")[0])
    same("findings about hev1", {one, ("entry", "error")}, findings(folder / "hev1/a.m3u8", 1)[0])
    same("findings about HEVC in transport streams", {one, ("hevc-container", "error")},
         findings(folder / "hevc-ts/a.m3u8", 1)[0])

    text = (work / "apple-full.mkv/index.m3u8").read_text()
    variants = [attributes(line) for line in text.splitlines() if line.startswith("#EXT-X-STREAM-INF:")]
    band, average = variants[0]["BANDWIDTH"], variants[0]["AVERAGE-BANDWIDTH"]
    codec = variants[0]["CODECS"].strip('"').split(",")[0]
    winding = next(line for line in text.splitlines() if line.startswith("#EXT-X-I-FRAME"))
    segments = "index/video-1/index.m3u8"
    sound = "index/audio-1/index.m3u8"
    broken = [
        ("playlist-readable", "error", None, "audio-2/index.m3u8", "audio-9/index.m3u8"),
        ("version", "error", segments, "VERSION:7", "VERSION:4"),
        ("target-duration", "error", segments, "TARGETDURATION:4", "TARGETDURATION:3"),
        ("target-duration", "error", segments, "#EXT-X-TARGETDURATION:4\n", ""),
        ("same-target", "error", segments, "TARGETDURATION:4", "TARGETDURATION:5"),
        ("vod", "warning", segments, "#EXT-X-PLAYLIST-TYPE:VOD\n", ""),
        ("vod", "warning", segments, "#EXT-X-ENDLIST\n", ""),
        ("independent-said", "warning", None, "#EXT-X-INDEPENDENT-SEGMENTS\n", ""),
        ("segment-readable", "error", segments, "2.m4s", "9.m4s"),
        ("segment-duration", "error", segments, "EXTINF:4.000000", "EXTINF:3.000000"),
        ("segment-duration", "warning", segments, "EXTINF:4.000000", "EXTINF:3.800000"),
        ("continuity", "error", segments, "#EXTINF:4.000000,\n2.m4s\n", ""),
        ("codecs", "error", None, f"{codec},mp4a", "mp4a"),
        ("codecs", "error", None, f"{codec},mp4a.40.2", f"{codec},mp4a.40.2,ec-3"),
        ("codecs-exact", "warning", None, f"{codec},", f"{codec[:-2]}34,"),
        ("resolution", "warning", None, "RESOLUTION=322x182", "RESOLUTION=640x360"),
        ("frame-rate", "warning", None, "FRAME-RATE=25.000", "FRAME-RATE=30"),
        ("frame-rate", "warning", None, "FRAME-RATE=25.000,", ""),
        ("video-range", "error", None, "VIDEO-RANGE=SDR", "VIDEO-RANGE=PQ"),
        ("bandwidth", "error", None, f"BANDWIDTH={band}", f"BANDWIDTH={int(band) * 8 // 10}"),
        ("bandwidth", "warning", None, f"BANDWIDTH={band}", f"BANDWIDTH={int(band) * 12 // 10}"),
        ("average-bandwidth", "warning", None, f"AVERAGE-BANDWIDTH={average},", ""),
        ("key-frame-playlists", "warning", None, winding, ""),
        ("key-frames-only", "error", "index/video-1/iframes.m3u8", "#EXT-X-I-FRAMES-ONLY\n", ""),
        ("groups", "error", None, 'SUBTITLES="subtitles"', 'SUBTITLES="others"'),
        ("group-members", "warning", None, 'GROUP-ID="audio-2",NAME="Deutsch"', 'GROUP-ID="audio-2",NAME="German"'),
        ("names", "error", None, 'NAME="Deutsch"', 'NAME="English"'),
        ("names", "error", None, "DEFAULT=YES,AUTOSELECT=YES", "DEFAULT=YES,AUTOSELECT=NO"),
        ("language", "note", None, ',LANGUAGE="de"', ""),
        ("channels", "warning", None, ',CHANNELS="6"', ',CHANNELS="2"'),
        ("closed-captions", "error", None, ",CLOSED-CAPTIONS=NONE", ""),
        ("webvtt", "error", "index/text-1/1.vtt", "WEBVTT", "TEXT"),
        ("webvtt", "warning", "index/text-1/1.vtt", "X-TIMESTAMP-MAP", "X"),
        ("length", "warning", segments, "#EXTINF:4.000000,\n2.m4s\n", ""),
        ("header", "error", sound, '#EXT-X-MAP:URI="init.mp4"\n', ""),
    ]
    known = {"multivariant", "entry", "hevc-container", "alignment", "independent", "segment-key-frame", "dolby-vision"}
    # `lowlatency.py` has a live presentation for these.
    known |= {rule for rule in rules if rule.startswith("part-")} | {"block-reload", "preload-hint", "rendition-reports",
                                                                                "skip-boundary"}
    same("rules without a row", known, rules - {row[0] for row in broken})
    for rule, severity, name, old, new in broken:
        file = work / "apple-full.mkv" / (name or "index.m3u8")
        kept = file.read_text()
        if old not in kept:
            raise Failure(f"{rule}: {file} has no {old}")
        file.write_text(kept.replace(old, new, 1))
        done = subprocess.run([APUS, "hls", "check", "--json", work / "apple-full.mkv/index.m3u8"], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False)
        found = json.loads(done.stdout)
        file.write_text(kept)
        if (rule, severity) not in {(item["rule"], item["severity"]) for item in found}:
            raise Failure(f"{rule} ({severity}) is not found: {found}")
        same(f"severities for {rule}", [], [item for item in found if item["severity"] not in severities()[item["rule"]]])
        same(f"status for {rule}", int(any(item["severity"] == "error" for item in found)), done.returncode)
    # A segment that begins 0.2 s too early, by the time that its fragment states.
    folder = (work / "apple-full.mkv" / segments).parent
    init, piece = (folder / "init.mp4").read_bytes(), folder / "2.m4s"
    units, = struct.unpack_from(">I", init, init.index(b"mdhd") + 16)
    kept = piece.read_bytes()
    moved = bytearray(kept)
    place = moved.index(b"tfdt") + 8
    struct.pack_into(">Q", moved, place, struct.unpack_from(">Q", moved, place)[0] - units // 5)
    piece.write_bytes(moved)
    found = findings(work / "apple-full.mkv/index.m3u8")[0]
    piece.write_bytes(kept)
    if ("continuity", "warning") not in found:
        raise Failure(f"a segment that begins too early is not found: {found}")
    # Segments that begin anywhere, and a claim that is not true.
    file = work / "open/index.m3u8"
    file.write_text(file.read_text().replace("#EXT-X-VERSION:7", "#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS"))
    same("findings about a false claim", {("independent", "error")}, findings(file, 1)[0])
    (folder / "parts").mkdir()
    run("ffmpeg", "-y", "-v", "error", "-i", work / "avc.mp4", "-an", "-c", "copy", "-f", "hls", "-hls_time", "1.4",
        "-hls_flags", "split_by_time", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", folder / "parts/a.m3u8")
    if ("segment-key-frame", "error") not in findings(folder / "parts/a.m3u8", 1)[0]:
        raise Failure("segments that begin without a key frame are not found")
    run(APUS, "hls", "check", work / "avc.mp4", status=1)
    for name in ("../avc.mp4", "https://example.com/a.m3u8", "itself.m3u8", "gone.m3u8"):
        (folder / "itself.m3u8").write_text(f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{name}\n")
        same(f"findings about {name}", {("playlist-readable", "error")}, findings(folder / "itself.m3u8", 1)[0])


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


def check_imsc(work):
    """Subtitles in IMSC1 are as good as those in WebVTT: RFC 8216bis, 3.1.5."""
    folder = work / "imsc"
    shutil.copytree(work / "apple-full.mkv", folder)
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


def check_reading(work):
    """What FFmpeg writes is read; what others must not make us read is refused."""
    folder = work / "foreign"
    folder.mkdir()
    for name, flags in (("files", "independent_segments"), ("ranges", "single_file")):
        # The sound of FFmpeg's own presentations begins where its priming does.
        run("ffmpeg", "-y", "-v", "error", "-i", work / "avc.mp4", "-an", "-c", "copy", "-f", "hls", "-hls_time", "2",
            "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", "-hls_flags", flags,
            "-hls_fmp4_init_filename", f"{name}.init.mp4", "-hls_segment_filename",
            folder / (f"{name}.mp4" if name == "ranges" else f"{name}%d.m4s"), folder / f"{name}.m3u8")
        for kind in ("mp4", "flv", "fmp4"):
            out = folder / f"{name}.{kind}.out"
            run(APUS, "remux", "--quiet", "--format", kind, folder / f"{name}.m3u8", "-o", out)
            same(f"FFmpeg's {name} as {kind}", hashes(work / "avc.mp4", "v"), hashes(out, "v", FFMPEG))
    # The lists of edits that FFmpeg writes have an empty edit, then one without an end.
    run("ffmpeg", "-y", "-v", "error", "-i", work / "hevc.mp4", "-c", "copy", "-f", "hls", "-hls_time", "2",
        "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", folder / "both.m3u8")
    done = subprocess.run([APUS, "remux", folder / "both.m3u8", "-o", folder / "both.mp4"], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, check=True)
    same("warnings of FFmpeg's playlist", False, "edit list ends" in done.stderr)
    bare = folder / "out.hevc"
    run(APUS, "remux", "--quiet", work / "two-files/index.m3u8", "-o", bare)
    same("a bare stream", hashes(work / "hevc.mp4", "v"), hashes(bare, "v"))

    two = folder / "two.m3u8"
    lists = [(work / name / "index/video-1/index.m3u8").read_text().splitlines() for name in ("keys", "apart")]
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2"]
    for number, (name, text) in enumerate(zip(("keys", "apart"), lists)):
        lines += ["#EXT-X-DISCONTINUITY"] if number else []
        for line in text:
            if line.startswith(("#EXTINF", "#EXT-X-MAP")):
                lines.append(line.replace('URI="', f'URI="../{name}/index/video-1/'))
            elif line[:1] != "#":
                lines.append(f"../{name}/index/video-1/{line}")
    two.write_text("\n".join(lines + ["#EXT-X-ENDLIST"]) + "\n")
    out = folder / "two.mp4"
    text = run(APUS, "remux", "--quiet", two, "-o", out, status=1)
    if out.exists():
        raise Failure("a playlist leads out of its folder")
    run(APUS, "remux", "--quiet", "--outside", two, "-o", out)
    same("pictures over a discontinuity", hashes(work / "every-key.mp4", "v") + hashes(work / "avc.mp4", "v"),
         hashes(out, "v"))
    steps = {right[0] - left[0] for left, right in zip(*(lambda found: (found, found[1:]))(sorted(packets(out, "v"))))}
    same("times over a discontinuity", {fractions.Fraction(1, 25)}, steps)

    run("ffmpeg", "-y", "-v", "error", "-i", work / "avc.mp4", "-c", "copy", "-f", "hls", folder / "ts.m3u8")
    run(APUS, "remux", "--quiet", folder / "ts.m3u8", "-o", folder / "ts.mp4")
    same("pictures of transport streams", hashes(work / "avc.mp4", "v"), hashes(folder / "ts.mp4", "v"))
    whole = (folder / "ts1.ts").read_bytes()
    for kept, words in ((b"", "ts1.ts is empty"), (b"", "in the count of transport packets"),
                        (whole[:len(whole) // 376 * 188], "in the count of transport packets")):
        (folder / "ts1.ts").write_bytes(kept)
        done = subprocess.run([APUS, "remux", folder / "ts.m3u8", "-o", folder / "damaged.mp4", "--on-exists", "replace"],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True)
        if words not in done.stderr:
            raise Failure(f"a segment of {len(kept)} bytes where {len(whole)} were: {done.stderr}")
    (folder / "ts1.ts").write_bytes(whole)
    run("ffmpeg", "-y", "-v", "error", "-i", work / "avc.mp4", "-frames:v", "1", folder / "picture.png")
    bad = {
        "picture": ("#EXTM3U\n#EXTINF:1,\npicture.png\n", "PNG"),
        "network": ("#EXTM3U\n#EXTINF:1,\nhttps://example.com/1.m4s\n", "network"),
        "key": ('#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:1,\nfiles0.m4s\n', "encrypted"),
        "link": ("#EXTM3U\n#EXTINF:1,\nlink.m4s\n", "outside"),
        "gone": ("#EXTM3U\n#EXTINF:1,\ngone.m4s\n", "No such file"),
        "range": ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:99999999@0\nranges.mp4\n", "ends at byte"),
        "itself": ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nitself.m3u8\n", "variants instead of segments"),
        "dots": ("#EXTM3U\n#EXTINF:1,\n%2e%2e/avc.mp4\n", "outside"),
    }
    (folder / "link.m4s").symlink_to(work / "avc.mp4")
    for name, (text, reason) in bad.items():
        (folder / f"{name}.m3u8").write_text(text)
        done = subprocess.run([APUS, "remux", folder / f"{name}.m3u8", "-o", folder / "no.mp4"], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 1 or reason not in done.stderr or (folder / "no.mp4").exists():
            raise Failure(f"{name}.m3u8: {done.returncode}, {done.stderr}")


def check_places(work):
    """What is there already, and what a writer leaves that is killed."""
    folder = work / "places"
    command = [APUS, "remux", "--quiet", work / "avc.mp4", "-o", folder / "a b.m3u8"]
    run(*command)
    before = sorted(folder.rglob("*"))
    run(*command, status=3)
    same("files after a skip", before, sorted(folder.rglob("*")))
    run(*command, "--on-exists", "rename")
    same("playlists after a rename", ["a b-1.m3u8", "a b.m3u8"], sorted(path.name for path in folder.glob("*.m3u8")))
    old = (folder / "a b.m3u8").read_text()
    run(*command, "--on-exists", "replace")
    if (folder / "a b.m3u8").read_text() == old:
        raise Failure("--on-exists replace writes nothing")
    for file in folder.glob("*.m3u8"):
        same(f"pictures of {file.name}", hashes(work / "avc.mp4", "v"), hashes(file, "v"))
    same("folders", ["a-b-1", "a-b-2"], sorted(path.name for path in folder.iterdir() if path.is_dir()))
    # What a person put into the folder stays; what the replaced playlists named goes, and empty folders with it.
    (folder / "a-b-2/notes.txt").write_text("kept")
    (folder / "a-b-1/video-1/link").symlink_to(work / "avc.mp4")
    run(*command, "--on-exists", "replace")
    found = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    same("what stays of a folder", ["a-b-2/notes.txt"], sorted(name for name in found if name.startswith("a-b-2/")))
    # Names that lead elsewhere, or to what others made, are left alone.
    others = [folder / "other/1.m4s", folder / "a-bc/1.m4s", work / "outside.m4s", folder / "1.m4s"]
    for file in others:
        file.parent.mkdir(exist_ok=True)
        file.write_text("kept")
    lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1"]
    for name in ("other/1.m4s", "a-bc/1.m4s", "../outside.m4s", "1.m4s", "a-b/../1.m4s", "a-b-1/video-1/link"):
        lines += ["#EXTINF:1,", name]
    (folder / "a b.m3u8").write_text("\n".join(lines) + "\n")
    run(*command, "--on-exists", "replace")
    same("files of others", [True] * 5, [file.exists() for file in [*others, folder / "a-b-1/video-1/link"]])
    same("pictures", hashes(work / "avc.mp4", "v"), hashes(folder / "a b.m3u8", "v"))

    target = work / "killed"
    target.mkdir()
    for step in range(10):
        process = subprocess.Popen([ROOT / ".build/release/apus", "remux", "--quiet", work / "hevc.mp4", "-o", target / "k.m3u8",
                                    "--segment-duration", "1"], stdin=subprocess.DEVNULL)
        time.sleep(step * 0.004)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (target / "k.m3u8").exists():
            same(f"pictures after a kill ({step})", hashes(work / "hevc.mp4", "v"), hashes(target / "k.m3u8", "v"))
            (target / "k.m3u8").unlink()
    # One that is replaced can be played whenever its writer dies.
    command = [ROOT / ".build/release/apus", "remux", "--quiet", "--on-exists", "replace", work / "hevc.mp4", "-o",
               target / "k.m3u8", "--segment-duration", "1"]
    run(*command)
    for step in range(6):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        time.sleep(step * 0.008)
        process.send_signal(signal.SIGKILL)
        process.wait()
        same(f"pictures after a kill while replacing ({step})", hashes(work / "hevc.mp4", "v"),
             hashes(target / "k.m3u8", "v"))
    blocked = subprocess.run(["bash", "-c", 'ulimit -f 40; trap "" XFSZ; exec "$@"', "bash", APUS, "remux", "--quiet",
                              work / "hevc.mp4", "-o", work / "full/index.m3u8", "--segments", "ranges"],
                             stdin=subprocess.DEVNULL, capture_output=True, check=False)
    same("status of a full disk", 1, blocked.returncode)
    same("files after a full disk", [], os.listdir(work / "full"))


def check_browser(work):
    for form in ("files", "ranges"):
        folder = work / f"two-{form}/index"
        tracks = []
        for name, kind in (("video-2", 'video/mp4; codecs="avc1.42C00D"'), ("audio-1", 'audio/mp4; codecs="mp4a.40.2"')):
            playlist = Rendition(PARSE, folder / name / "index.m3u8")
            parts = [[f"/{name}/{pathlib.Path(part[0]).name}", *part[1:]] for part in playlist.parts]
            tracks.append({"type": kind, "parts": parts})
        report = browser.play(folder, tracks)
        count = len(packets(work / "avc.mp4", "v"))
        same(f"size in Chromium ({form})", [322, 182], [report["width"], report["height"]])
        same(f"stretches in Chromium ({form})", [1, 1], [len(ranges) for ranges in report["buffered"]])
        start, end = report["buffered"][0][0]
        if start != 0 or abs(end - 9) > 0.001 or abs(report["time"] - report["duration"]) > 0.1:
            raise Failure(f"Chromium plays from {start} to {end}, and ends at {report['time']}")
        if report["corrupted"] or not count * 0.9 <= report["total"] <= count:
            raise Failure(f"Chromium decodes {report['total']} of {count} pictures, {report['corrupted']} of them broken")


PARSE = parser()


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name, options in SOURCES.items():
            run("ffmpeg", "-y", "-v", "error", *options, "-movie_timescale", "48000", work / name, seconds=240)
        check_playlists(work, PARSE)
        check_apple(work)
        check_rules(work)
        check_imsc(work)
        check_dolby_vision(work)
        check_reading(work)
        check_places(work)
        check_browser(work)
    print("presentations are to FFmpeg, m3u8 and Chromium what their sources were")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"hls.py: {failure}")
