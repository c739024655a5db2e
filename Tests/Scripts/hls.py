#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Presentations of `apus remux -o OUT.m3u8` are what their sources are to FFmpeg, a parser of playlists and Chromium."""

import fractions
import json
import math
import os
import pathlib
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
from programs import APUS, FFMPEG, Failure, run  # noqa: E402

SCHEMA = json.loads((ROOT / "Sources/apus/Schemas/remux.schema.json").read_text())
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
    "hlg.mp4": [*PICTURES, *HEVC, KEYS + "open-gop=0", *HLG],
    "odd-rate.mp4": [*PICTURES, *HEVC, KEYS + "open-gop=0", "-r", "30000/1001", "-video_track_timescale", "30000"],
    "other-keys.mp4": [*PICTURES, *AVC[:6], "-g", "35", "-pix_fmt", "yuv420p"],
    "every-key.mp4": [*PICTURES, *AVC[:4], "-g", "1", "-pix_fmt", "yuv420p"],
    "sound.m4a": [*SOUND, "-c:a", "aac", "-ac", "2", "-metadata:s:a:0", "language=fra"],
    "dolby.mp4": [*PICTURES, *SOUND, *AVC, "-c:a", "ac3", "-ac", "6"],
}


def parser():
    """The package m3u8, from the Python that has it."""
    script = '. "$1"/Scripts/setup; need_packages run test; need_python test; echo "$python"'
    done = subprocess.run(["bash", "-c", script, "hls", ROOT], stdout=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=True)
    code = """
import json, m3u8, sys
text = m3u8.load(sys.argv[1])
print(json.dumps(text.data, default=str))
"""
    return lambda file: json.loads(run(done.stdout.strip(), "-c", code, file))


def same(what, expected, found):
    if expected == found:
        return
    if isinstance(expected, list) and isinstance(found, list):
        for index, (left, right) in enumerate(zip(expected, found)):
            if left != right:
                raise Failure(f"{what} differ at {index}: {left} was expected, {right} found")
        raise Failure(f"{what}: {len(expected)} were expected, {len(found)} found")
    raise Failure(f"{what}: {expected} was expected, {found} found")


def hashes(file, kind, program="ffmpeg", *options):
    """The digest of every decoded picture, or of all sound."""
    text = run(program, "-v", "error", *options, "-i", file, "-map", f"0:{kind}:0", "-fps_mode", "passthrough", "-f",
               "framemd5", "-")
    # FFmpeg's parsers complain of formats that change, its decoders do not.
    return [line.split(",")[5].strip() for line in text.splitlines() if line.startswith("0,")]


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
    text = run(APUS, "remux", "-q", "--json", "--on-exists", "replace", *inputs, "-o", output, *options, status=status,
               seconds=60)
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
    run(APUS, "remux", "-q", "--on-exists", "replace", master, "-o", back)
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
    same("fragments of 0.4 seconds", 15, [box[0] for box in boxes(first)].count("moof"))
    report, _, _ = check(work, parse, "apart", [source["avc.mp4"], source["other-keys.mp4"]], "--segment-duration", "2")
    if not any("not aligned" in text for text in report["warnings"]):
        raise Failure("nobody is told of key frames at different times")
    _, master, _ = check(work, parse, "sound", [source["sound.m4a"]], "--segment-duration", "4")
    same("codecs of sound alone", ["mp4a.40.2"], [item["stream_info"]["codecs"] for item in master["playlists"]])
    _, master, _ = check(work, parse, "codecs", [source["hevc.mp4"], source["dolby.mp4"]])
    _, master, renditions = check(work, parse, "dolby", [source["dolby.mp4"]])
    same("codecs of Dolby sound", "ac-3", master["playlists"][0]["stream_info"]["codecs"].split(",")[1])


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
            run(APUS, "remux", "-q", "--format", kind, folder / f"{name}.m3u8", "-o", out)
            same(f"FFmpeg's {name} as {kind}", hashes(work / "avc.mp4", "v"), hashes(out, "v", FFMPEG))
    # The lists of edits that FFmpeg writes have an empty edit, then one without an end.
    run("ffmpeg", "-y", "-v", "error", "-i", work / "hevc.mp4", "-c", "copy", "-f", "hls", "-hls_time", "2",
        "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", folder / "both.m3u8")
    done = subprocess.run([APUS, "remux", folder / "both.m3u8", "-o", folder / "both.mp4"], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, check=True)
    same("warnings of FFmpeg's playlist", False, "edit list ends" in done.stderr)
    bare = folder / "out.hevc"
    run(APUS, "remux", "-q", work / "two-files/index.m3u8", "-o", bare)
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
    text = run(APUS, "remux", "-q", two, "-o", out, status=1)
    if out.exists():
        raise Failure("a playlist leads out of its folder")
    run(APUS, "remux", "-q", "--outside", two, "-o", out)
    same("pictures over a discontinuity", hashes(work / "every-key.mp4", "v") + hashes(work / "avc.mp4", "v"),
         hashes(out, "v"))
    steps = {right[0] - left[0] for left, right in zip(*(lambda found: (found, found[1:]))(sorted(packets(out, "v"))))}
    same("times over a discontinuity", {fractions.Fraction(1, 25)}, steps)

    run("ffmpeg", "-y", "-v", "error", "-i", work / "avc.mp4", "-c", "copy", "-f", "hls", folder / "ts.m3u8")
    run(APUS, "remux", "-q", folder / "ts.m3u8", "-o", folder / "ts.mp4")
    same("pictures of transport streams", hashes(work / "avc.mp4", "v"), hashes(folder / "ts.mp4", "v"))
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
    command = [APUS, "remux", "-q", work / "avc.mp4", "-o", folder / "a b.m3u8"]
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
        process = subprocess.Popen([ROOT / ".build/release/apus", "remux", "-q", work / "hevc.mp4", "-o", target / "k.m3u8",
                                    "--segment-duration", "1"], stdin=subprocess.DEVNULL)
        time.sleep(step * 0.004)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (target / "k.m3u8").exists():
            same(f"pictures after a kill ({step})", hashes(work / "hevc.mp4", "v"), hashes(target / "k.m3u8", "v"))
            (target / "k.m3u8").unlink()
    # One that is replaced can be played whenever its writer dies.
    command = [ROOT / ".build/release/apus", "remux", "-q", "--on-exists", "replace", work / "hevc.mp4", "-o",
               target / "k.m3u8", "--segment-duration", "1"]
    run(*command)
    for step in range(6):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        time.sleep(step * 0.008)
        process.send_signal(signal.SIGKILL)
        process.wait()
        same(f"pictures after a kill while replacing ({step})", hashes(work / "hevc.mp4", "v"),
             hashes(target / "k.m3u8", "v"))
    blocked = subprocess.run(["bash", "-c", 'ulimit -f 40; trap "" XFSZ; exec "$@"', "bash", APUS, "remux", "-q",
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
            run("ffmpeg", "-y", "-v", "error", *options, "-movie_timescale", "48000", work / name, seconds=60)
        check_playlists(work, PARSE)
        check_reading(work)
        check_places(work)
        check_browser(work)
    print("presentations are to FFmpeg, m3u8 and Chromium what their sources were")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"hls.py: {failure}")
