#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus remux` writes holds the packets, times and pictures that FFmpeg finds in what it was made of."""

import collections
import fractions
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema
import os

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "Sources/ApusCommand/Schemas/remux.schema.json"
APUS = os.environ.get("APUS", str(ROOT / "Scripts/apus"))
# A current FFmpeg, which reads HEVC in FLV.
FFMPEG = str(ROOT / "Scripts/making/ffmpeg9")

PICTURES = ["-f", "lavfi", "-i"]
SOUND = ["-f", "lavfi", "-i", "sine=d=3:r=44100", "-c:a", "aac"]


def x265(parameters, *more, size="322x182", rate="25", tag="hvc1"):
    """Options of ffmpeg: three seconds of HEVC with these parameters."""
    pictures = [*PICTURES, f"testsrc2=s={size}:r={rate}:d=3"]
    codec = ["-c:v", "libx265", "-preset", "fast", "-tag:v", tag]
    return pictures, [*codec, "-x265-params", f"log-level=error:{parameters}", *more]


# What each file is made of, and what is special of it.
SOURCES = {
    "pyramid.mp4": x265("keyint=40:bframes=4:b-pyramid=1"),
    "ten-bit.mp4": x265("keyint=30:bframes=3", "-pix_fmt", "yuv420p10le", rate="30000/1001"),
    "open-gop.mp4": x265("keyint=20:min-keyint=20:open-gop=1:bframes=5:b-adapt=0"),
    "no-b.mp4": x265("keyint=25:bframes=0", rate="50"),
    "odd.mp4": x265("keyint=25:bframes=2", "-pix_fmt", "yuv444p", size="321x181"),
    "in-band.mp4": x265("keyint=25:repeat-headers=1:bframes=2", tag="hev1"),
    "fragmented.mp4": x265("keyint=25:bframes=3", "-movflags", "frag_keyframe+empty_moov"),
    "negative.mp4": x265("keyint=25:bframes=3", "-movflags", "negative_cts_offsets"),
    "quicktime.mov": x265("keyint=25:bframes=3"),
    "avc.mp4": (
        [*PICTURES, "testsrc2=s=322x182:r=25:d=3"],
        ["-c:v", "libx264", "-preset", "fast", "-g", "30", "-bf", "3", "-pix_fmt", "yuv420p"],
    ),
}

Packet = collections.namedtuple("Packet", "stream dts pts digest")


def run(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.decode()}")
    return done.stdout.decode()


def remux(source, target, *options):
    run(APUS, "remux", "--quiet", "--on-exists", "replace", str(source), "-o", str(target), *options)
    return target


def packets(file, hashed=True):
    """Every packet as it is stored, with its times in seconds."""
    text = run(FFMPEG, "-v", "error", "-copyts", "-i", str(file), "-map", "0:v?", "-map", "0:a?",
               "-c", "copy", "-f", "framemd5", "-")
    units, found = {}, []
    for line in text.splitlines():
        if line.startswith("#tb "):
            stream, unit = line[4:].split(": ")
            units[int(stream)] = fractions.Fraction(unit)
        if line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(",")]
        stream, dts, pts = map(int, parts[:3])
        digest = parts[5] if hashed else ""
        found.append(Packet(stream, dts * units[stream], pts * units[stream], digest))
    return sorted(found, key=lambda packet: packet.stream)


def pictures(file, *options):
    """The digest of every decoded picture and piece of sound."""
    text = run(FFMPEG, "-v", "error", *options, "-i", str(file), "-map", "0:v", "-fps_mode", "passthrough",
               "-f", "framemd5", "-")
    return [line.split(",")[5].strip() for line in text.splitlines() if not line.startswith("#")]


def milliseconds(time):
    return (2 * time.numerator * 1000 + time.denominator) // (2 * time.denominator)


def moved(found):
    """Times in milliseconds, each rounded by itself, from the first of the video on."""
    start = milliseconds(next(packet.dts for packet in found if packet.stream == 0))
    return [
        (packet.stream, milliseconds(packet.dts) - start, milliseconds(packet.pts) - start, packet.digest)
        for packet in found
    ]


def last(found, numbers):
    """So many packets of each stream from the end."""
    kept = [[packet for packet in found if packet.stream == stream][-count:] for stream, count in numbers.items()]
    return sum(kept, [])


def same(name, what, expected, found):
    if expected == found:
        return
    for index, (left, right) in enumerate(zip(expected, found)):
        if left != right:
            sys.exit(f"{name}: {what} differ at {index}: {left} was expected, {right} found")
    sys.exit(f"{name}: {len(expected)} {what} were expected, {len(found)} found")


def steps(found):
    """Decoding and presentation of the video in frames of its rate, from the first presentation on."""
    video = [packet for packet in found if packet.stream == 0]
    first = min(packet.pts for packet in video)
    unit = (video[-1].dts - video[0].dts) / (len(video) - 1)
    return [(round((p.dts - first) / unit), round((p.pts - first) / unit)) for p in video]


def make(work):
    for name, (inputs, options) in SOURCES.items():
        run("ffmpeg", "-y", "-v", "error", *inputs, *SOUND[:4], *options, *SOUND[4:], str(work / name))
    plain = work / "pyramid.mp4"
    # Sound that begins later has an empty edit; a cut without coding anew begins inside a group of pictures.
    run("ffmpeg", "-y", "-v", "error", "-i", str(plain), "-itsoffset", "0.7", "-i", str(plain), "-map", "0:v",
        "-map", "1:a", "-c", "copy", str(work / "late-sound.mp4"))
    run("ffmpeg", "-y", "-v", "error", "-ss", "2.08", "-i", str(plain), "-c", "copy", str(work / "cut.mp4"))
    return [*SOURCES, "late-sound.mp4", "cut.mp4"]


def check(work, name):
    source = work / name
    expected = packets(source)
    # Pictures before the beginning of an edit list are not shown, and FLV has no such list.
    shown = pictures(source, *["-ignore_editlist", "1"] if name == "cut.mp4" else [])
    numbers = collections.Counter(packet.stream for packet in expected)
    for dialect in ["enhanced", "legacy"]:
        flv = remux(source, work / f"{name}.{dialect}.flv", "--dialect", dialect)
        found = packets(flv)
        same(name, "first times in FLV", 0, min(packet.dts for packet in found))
        # FFmpeg passes over sound before the edit as well.
        if name == "cut.mp4":
            found = last(found, numbers)
        same(name, f"packets in {dialect} FLV", moved(expected), moved(found))
        same(name, f"pictures in {dialect} FLV", shown, pictures(flv))
    if name == "avc.mp4":
        bare = remux(source, work / f"{name}.h264")
        same(name, "pictures in the bare stream", shown, pictures(bare))
        return
    bare = remux(source, work / f"{name}.hevc")
    same(name, "pictures in the bare stream", shown, pictures(bare))
    again = remux(flv, work / f"{name}.flv.hevc")
    same(name, "pictures in the bare stream out of FLV", shown, pictures(again))
    timed = remux(bare, work / f"{name}.bare.flv")
    same(name, "places in time of the bare stream", steps(expected), steps(packets(timed)))
    same(name, "pictures with times of their own", shown, pictures(timed))
    piped = work / f"{name}.piped.flv"
    with open(bare, "rb") as pipe, open(piped, "wb") as result:
        feeder = subprocess.Popen(["cat"], stdin=pipe, stdout=subprocess.PIPE)
        subprocess.run([APUS, "remux", "--quiet", "-", "-o", "-", "--format", "flv"], stdin=feeder.stdout,
                       stdout=result, check=True)
        feeder.wait()
    same(name, "places in time through a pipe", steps(expected), steps(packets(piped)))


def check_movies(work, name):
    """Through movies of every kind, and back out of FLV."""
    source = work / name
    # Of parameter sets in the samples hvc1 leaves those out that its record holds.
    hashed = name != "in-band.mp4"
    expected = packets(source, hashed=hashed)
    shown = pictures(source)
    for form, ending in [("mp4", "mp4"), ("mov", "mov"), ("fmp4", "mp4")]:
        movie = remux(source, work / f"{name}.{form}.{ending}", "--format", form)
        found = packets(movie, hashed=hashed)
        same(name, f"packets in {form}", movie_steps(expected), movie_steps(found))
        same(name, f"pictures in {form}", shown, pictures(movie))
        back = remux(work / f"{name}.enhanced.flv", work / f"{name}.flv.{form}.{ending}", "--format", form)
        same(name, f"packets out of FLV in {form}", moved(expected), moved(packets(back, hashed=hashed)))
        same(name, f"pictures out of FLV in {form}", shown, pictures(back))
    if name == "avc.mp4":
        return
    timed = remux(work / f"{name}.hevc", work / f"{name}.bare.mp4")
    same(name, "times of the bare stream in MP4", steps(expected), steps(packets(timed)))
    same(name, "pictures of the bare stream in MP4", shown, pictures(timed))


def movie_steps(found):
    """Exact times from the first presentation of the video on."""
    start = min(packet.pts for packet in found if packet.stream == 0)
    return [(packet.stream, packet.dts - start, packet.pts - start, packet.digest) for packet in found]


def check_start(work):
    """--start begins at the key frame before the time, with what follows."""
    source = work / "pyramid.mp4"
    flv = remux(source, work / "start.flv", "--start", "2")
    whole = [p for p in packets(source) if p.stream == 0]
    found = [p for p in packets(flv) if p.stream == 0]
    text = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of",
               "csv=p=0", str(source))
    keys = [
        index for index, line in enumerate(text.splitlines()) if "K" in line and float(line.split(",")[0]) <= 2
    ]
    same("--start", "packets", [p.digest for p in whole[keys[-1]:]], [p.digest for p in found])
    same("--start", "key frames before it", True, keys[-1] > 0)


def check_report(work):
    """What --json prints fits its schema, which takes no fault."""
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    plain = str(work / "pyramid.mp4")
    reports = []
    for source, target, options in [
        (plain, "report.hevc", []), (plain, "report.flv", []), (plain, "report.flv", ["--dry-run"]),
        (str(work / "report.flv"), "again.flv", ["--dialect", "legacy"]),
    ]:
        text = run(APUS, "remux", "--quiet", "--json", "--on-exists", "replace", source, "-o", str(work / target), *options)
        reports.append(json.loads(text))
        validator.validate(reports[-1])
    same("--json", "tracks left out", ["AAC audio"], [track["name"] for track in reports[0]["left_out"]])
    same("--json", "samples", 75, reports[0]["tracks"][0]["samples"])
    same("--json", "sizes", (work / "report.flv").stat().st_size, reports[1]["bytes"])
    for name in ["file", "format", "warnings", "tracks"]:
        broken = {key: value for key, value in reports[1].items() if key != name}
        same("--json", f"reports without {name}", False, validator.is_valid(broken))


def dates(file):
    """The creation times of the movie, its tracks and their media, in the order of the file."""
    data = file.read_bytes()
    found = []
    for kind in re.finditer(rb"(mvhd|tkhd|mdhd)([\0\1])", data):
        width = 8 if kind[2] == b"\1" else 4
        found.append((kind[1], int.from_bytes(data[kind.end() + 3:kind.end() + 3 + width], "big")))
    return found


def check_dates(work):
    """Movie, tracks and media keep the times at which they were made, even where these differ."""
    dated = work / "dated.mp4"
    run("ffmpeg", "-y", "-v", "error", "-i", str(work / "pyramid.mp4"), "-c", "copy", "-metadata",
        "creation_time=2024-01-02T03:04:05Z", str(dated))
    data = bytearray(dated.read_bytes())
    media = data.rindex(b"mdhd")
    data[media + 11] += 1
    dated.write_bytes(data)
    expected = dates(dated)
    same("dates", "kinds of time", 3, len({time for _, time in expected}) + 1)
    for target, options in [("dates.mp4", []), ("dates.mov", []), ("dates-fragments.mp4", ["--format", "fmp4"])]:
        same(target, "creation times", expected, dates(remux(dated, work / target, *options)))


def make_tracks(work, name, *sounds, size="160x120", seconds=2, more=()):
    """A movie with as many tracks of sound as there are frequencies, the first in English, the second in German."""
    inputs = [f"testsrc2=s={size}:r=25:d={seconds}", *(f"sine={sound}:r=48000:d={seconds}" for sound in sounds)]
    run(FFMPEG, *(word for source in inputs for word in ("-f", "lavfi", "-i", source)),
        *(word for index in range(len(inputs)) for word in ("-map", str(index))), "-c:v", "libx265", "-pix_fmt", "yuv420p",
        "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=25:bframes=3", "-tag:v", "hvc1", "-c:a", "aac",
        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", *more, "-y", str(work / name))
    return work / name


def refused(*command):
    done = subprocess.run([APUS, "remux", "--quiet", *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    same(command, "status", True, done.returncode in (1, 2))
    return done.stderr


def check_tracks(work):
    """--tracks takes tracks in the order in which they are named, --language those in a language."""
    source = make_tracks(work, "tracks.mp4", 440, 880)
    expected = packets(source)
    digests = lambda stream: [packet.digest for packet in expected if packet.stream == stream]
    for number, (options, places) in enumerate([
        (["--tracks", "v:0,a:1"], [0, 2]), (["--tracks", "v,a:1,a:0"], [0, 2, 1]), (["--tracks", "a"], [1, 2]),
        (["--language", "deu"], [0, 2]),
    ]):
        for ending in ["mp4", "flv"]:
            found = packets(remux(source, work / f"tracks-{number}.{ending}", *options))
            same(options, "tracks", [digests(place) for place in places],
                 [[packet.digest for packet in found if packet.stream == index] for index in range(len(places))])
    report = json.loads(run(APUS, "remux", "--quiet", "--json", "--tracks", "a:1", str(source), "-o", str(work / "one.mp4")))
    same("--tracks", "what is left out", ["HEVC video", "AAC audio (a:0, eng)"],
         [track["name"] for track in report["left_out"]])
    for options, words in [(["--tracks", "a:2"], "has no track a:2, but v:0, a:0, a:1"),
                           (["--language", "fra"], "but in deu, eng"), (["--tracks", "x:1"], "tracks such as v:0,a:1")]:
        same(options, "message", True, words in refused(source, "-o", work / "none.mp4", *options))
        same(options, "output", False, (work / "none.mp4").exists())


def check_joined(work):
    """Several inputs and one output: all packets of each, one after the other; tracks that are not alike are refused."""
    one, two = make_tracks(work, "one-part.mp4", 440, seconds=3.1), make_tracks(work, "two-part.mp4", 880)
    other = make_tracks(work, "other-part.mp4", 300, more=["-x265-params", "log-level=error:ref=2:keyint=10"])
    parts = [one, two, other]
    for ending in ["mp4", "mov", "flv", "hevc"]:
        whole = work / f"whole.{ending}"
        run(APUS, "remux", "--quiet", *map(str, parts), "-o", str(whole))
        same(whole.name, "pictures", sum((pictures(part) for part in parts), []), pictures(whole))
        if ending == "hevc":
            continue
        found = packets(whole)
        for stream in [0, 1]:
            expected = [packet.digest for part in parts for packet in packets(part) if packet.stream == stream]
            same(whole.name, f"packets of track {stream}", expected, [p.digest for p in found if p.stream == stream])
            times = [packet.dts for packet in found if packet.stream == stream]
            same(whole.name, "decoding times that fall", 0, sum(b <= a for a, b in zip(times, times[1:])))
        length = max(packet.pts for packet in found) - min(packet.pts for packet in found)
        same(whole.name, "length within 0.1 s of 7.1 s", True, abs(length - fractions.Fraction("7.1")) < 0.1)
    for bad, words in [(make_tracks(work, "large.mp4", 440, size="320x240"), "a size of 320x240, not 160x120"),
                       (work / "tracks.mp4", "it has HEVC video, AAC audio (a:0, eng), AAC audio (a:1, deu)")]:
        same(bad.name, "message", True, words in refused(one, bad, "-o", work / "none.mp4"))
        same(bad.name, "output", False, (work / "none.mp4").exists())
    before = one.read_bytes()
    refused(one, two, "-o", one, "--on-exists", "replace")
    same("an input as output", "bytes", before, one.read_bytes())


def check_tags(work):
    """All tags of Matroska are in the movie that is made of it."""
    tags = {"title": "A title", "ARTIST": "Somebody", "COMMENT": "a word", "MOOD": "blue", "track": "3/12"}
    source = work / "tags.mkv"
    run(FFMPEG, "-i", str(work / "tracks.mp4"), "-c", "copy",
        *(word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")), "-y", str(source))
    for ending in ["mp4", "mov"]:
        text = run("ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json",
                   str(remux(source, work / f"tags.{ending}")))
        found = {name.lower(): value for name, value in json.loads(text)["format"]["tags"].items()}
        same(ending, "tags", {name.lower(): value for name, value in tags.items()},
             {name.lower(): found.get(name.lower()) for name in tags})


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        names = make(work)
        for name in names:
            check(work, name)
            if name != "cut.mp4":
                check_movies(work, name)
        check_start(work)
        check_report(work)
        check_dates(work)
        check_tracks(work)
        check_joined(work)
        check_tags(work)
    print(f"{len(names)} files hold the same packets, times and pictures in every container")


main()
