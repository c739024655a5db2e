# SPDX-License-Identifier: MIT
"""What `apus remux` writes holds the packets, times and pictures that FFmpeg finds in what it was made of."""

import collections
import fractions
import json
import re
import shutil
import subprocess

import pytest

import jsonschema

from once import once
from programs import APUS, FFMPEG, SCHEMAS, completed, ffmpeg, printed, run, same
from programs import remux as remuxed

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


def remux(source, target, *options):
    remuxed(source, "-o", target, *options)
    return target


@once
def packets(file, hashed=True):
    """Every packet as it is stored, with its times in seconds."""
    text = printed(FFMPEG, "-copyts", "-i", file, "-map", "0:v?", "-map", "0:a?",
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


@once
def pictures(file, *options):
    """The digest of every decoded picture and piece of sound."""
    text = printed(FFMPEG, *options, "-i", file, "-map", "0:v", "-fps_mode", "passthrough",
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


def steps(found):
    """Decoding and presentation of the video in frames of its rate, from the first presentation on."""
    video = [packet for packet in found if packet.stream == 0]
    first = min(packet.pts for packet in video)
    unit = (video[-1].dts - video[0].dts) / (len(video) - 1)
    return [(round((p.dts - first) / unit), round((p.pts - first) / unit)) for p in video]


def movie_steps(found):
    """Exact times from the first presentation of the video on."""
    start = min(packet.pts for packet in found if packet.stream == 0)
    return [(packet.stream, packet.dts - start, packet.pts - start, packet.digest) for packet in found]


@pytest.fixture(scope="module")
def movies(work):
    """The folder of the movies."""
    for name, (inputs, options) in SOURCES.items():
        ffmpeg(*inputs, *SOUND[:4], *options, *SOUND[4:], work / name)
    plain = work / "pyramid.mp4"
    # Sound that begins later has an empty edit; a cut without encoding begins inside a group of pictures.
    ffmpeg("-i", plain, "-itsoffset", "0.7", "-i", plain, "-map", "0:v", "-map", "1:a", "-c", "copy", work / "late-sound.mp4")
    ffmpeg("-ss", "2.08", "-i", plain, "-c", "copy", work / "cut.mp4")
    return work


NAMES = [*SOURCES, "late-sound.mp4", "cut.mp4"]
WITH_HEVC = [name for name in NAMES if name != "avc.mp4"]


def shown(source):
    """The pictures of a movie. Those before the beginning of an edit list are not shown, and FLV has no such list."""
    return pictures(source, *["-ignore_editlist", "1"] if source.name == "cut.mp4" else [])


@pytest.mark.parametrize("dialect", ["enhanced", "legacy"])
@pytest.mark.parametrize("name", NAMES)
def test_flv_holds_the_packets_times_and_pictures_of_its_source(movies, folder, name, dialect):
    source = movies / name
    expected = packets(source)
    flv = remux(source, folder / "out.flv", "--dialect", dialect)
    found = packets(flv)
    same(name, "first times in FLV", 0, min(packet.dts for packet in found))
    # FFmpeg passes over sound before the edit as well.
    if name == "cut.mp4":
        found = last(found, collections.Counter(packet.stream for packet in expected))
    same(name, f"packets in {dialect} FLV", moved(expected), moved(found))
    same(name, f"pictures in {dialect} FLV", shown(source), pictures(flv))


@pytest.mark.parametrize("name", NAMES)
def test_a_bare_stream_holds_the_pictures_of_its_source(movies, folder, name):
    bare = remux(movies / name, folder / ("out.h264" if name == "avc.mp4" else "out.hevc"))
    same(name, "pictures in the bare stream", shown(movies / name), pictures(bare))


@pytest.mark.parametrize("name", WITH_HEVC)
def test_a_bare_stream_of_flv_holds_the_pictures_of_the_source(movies, folder, name):
    flv = remux(movies / name, folder / "out.flv", "--dialect", "legacy")
    same(name, "pictures", shown(movies / name), pictures(remux(flv, folder / "out.hevc")))


@pytest.mark.parametrize("name", WITH_HEVC)
def test_a_bare_stream_gets_times_of_its_own_in_flv(movies, folder, name):
    expected = steps(packets(movies / name))
    bare = remux(movies / name, folder / "out.hevc")
    timed = remux(bare, folder / "out.flv")
    same(name, "places in time of the bare stream", expected, steps(packets(timed)))
    same(name, "pictures with times of their own", shown(movies / name), pictures(timed))
    piped = folder / "piped.flv"
    with open(piped, "wb") as result, subprocess.Popen(["cat", bare], stdout=subprocess.PIPE) as feeder:
        completed(APUS, "remux", "--quiet", "-", "-o", "-", "--format", "flv", stdin=feeder.stdout, stdout=result)
    same(name, "places in time through a pipe", expected, steps(packets(piped)))


FORMS = [("mp4", "mp4"), ("mov", "mov"), ("fmp4", "mp4")]
# The cut hides pictures by an edit list, so it is compared in FLV and as a bare stream only.
UNCUT = [name for name in NAMES if name != "cut.mp4"]


def is_hashed(name):
    """Whether the packets of a source stay the same in movies: hvc1 leaves out the parameter sets that its record holds."""
    return name != "in-band.mp4"


@pytest.mark.parametrize("form, ending", FORMS)
@pytest.mark.parametrize("name", UNCUT)
def test_a_movie_holds_the_packets_times_and_pictures_of_its_source(movies, folder, name, form, ending):
    source, hashed = movies / name, is_hashed(name)
    movie = remux(source, folder / f"out.{ending}", "--format", form)
    same(name, f"packets in {form}", movie_steps(packets(source, hashed=hashed)), movie_steps(packets(movie, hashed=hashed)))
    same(name, f"pictures in {form}", pictures(source), pictures(movie))


@pytest.mark.parametrize("form, ending", FORMS)
@pytest.mark.parametrize("name", UNCUT)
def test_a_movie_of_flv_holds_the_packets_times_and_pictures_of_the_source(movies, folder, name, form, ending):
    source, hashed = movies / name, is_hashed(name)
    flv = remux(source, folder / "out.flv", "--dialect", "enhanced")
    back = remux(flv, folder / f"out.{ending}", "--format", form)
    same(name, f"packets out of FLV in {form}", moved(packets(source, hashed=hashed)), moved(packets(back, hashed=hashed)))
    same(name, f"pictures out of FLV in {form}", pictures(source), pictures(back))


@pytest.mark.parametrize("name", [name for name in UNCUT if name != "avc.mp4"])
def test_a_bare_stream_gets_times_of_its_own_in_mp4(movies, folder, name):
    timed = remux(remux(movies / name, folder / "out.hevc"), folder / "out.mp4")
    same(name, "times of the bare stream in MP4", steps(packets(movies / name, hashed=is_hashed(name))), steps(packets(timed)))
    same(name, "pictures of the bare stream in MP4", pictures(movies / name), pictures(timed))


def test_a_start_is_the_key_frame_before_the_time(movies, folder):
    source = movies / "pyramid.mp4"
    flv = remux(source, folder / "start.flv", "--start", "2")
    whole = [p for p in packets(source) if p.stream == 0]
    found = [p for p in packets(flv) if p.stream == 0]
    text = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0",
                   source)
    keys = [index for index, line in enumerate(text.splitlines()) if "K" in line and float(line.split(",")[0]) <= 2]
    same("--start", "packets", [p.digest for p in whole[keys[-1]:]], [p.digest for p in found])
    assert keys[-1] > 0, "there is no key frame before the start but the first"


def test_a_report_fits_its_schema_which_accepts_no_fault(movies, folder):
    schema = json.loads((SCHEMAS / "remux.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    plain, reports = movies / "pyramid.mp4", []
    for source, target, options in [
        (plain, "report.hevc", []), (plain, "report.flv", []), (plain, "report.flv", ["--dry-run"]),
        (folder / "report.flv", "again.flv", ["--dialect", "legacy"]),
    ]:
        reports.append(json.loads(remuxed("--json", source, "-o", folder / target, *options).stdout))
        validator.validate(reports[-1])
    same("tracks left out", ["AAC audio"], [track["name"] for track in reports[0]["left_out"]])
    assert reports[0]["tracks"][0]["samples"] == 75
    assert reports[1]["bytes"] == (folder / "report.flv").stat().st_size
    for name in ["file", "format", "warnings", "tracks"]:
        broken = {key: value for key, value in reports[1].items() if key != name}
        assert not validator.is_valid(broken), f"reports without {name}"


def dates(file):
    """The creation times of the movie, its tracks and their media, in the order of the file."""
    data = file.read_bytes()
    found = []
    for kind in re.finditer(rb"(mvhd|tkhd|mdhd)([\0\1])", data):
        width = 8 if kind[2] == b"\1" else 4
        found.append((kind[1], int.from_bytes(data[kind.end() + 3:kind.end() + 3 + width], "big")))
    return found


@pytest.mark.parametrize("target, options", [("dates.mp4", []), ("dates.mov", []), ("dates-fragments.mp4", ["--format", "fmp4"])])
def test_movie_tracks_and_media_keep_their_creation_times(movies, folder, target, options):
    """Even where these differ."""
    dated = folder / "dated.mp4"
    ffmpeg("-i", movies / "pyramid.mp4", "-c", "copy", "-metadata", "creation_time=2024-01-02T03:04:05Z", dated)
    data = bytearray(dated.read_bytes())
    media = data.rindex(b"mdhd")
    data[media + 11] += 1
    dated.write_bytes(data)
    expected = dates(dated)
    assert len({time for _, time in expected}) == 2, "kinds of time"
    same(target, "creation times", expected, dates(remux(dated, folder / target, *options)))


def make_tracks(path, *sounds, size="160x120", seconds=2, more=()):
    """A movie with as many tracks of sound as there are frequencies, the first in English, the second in German."""
    inputs = [f"testsrc2=s={size}:r=25:d={seconds}", *(f"sine={sound}:r=48000:d={seconds}" for sound in sounds)]
    run(FFMPEG, *(word for source in inputs for word in ("-f", "lavfi", "-i", source)),
        *(word for index in range(len(inputs)) for word in ("-map", str(index))), "-c:v", "libx265", "-pix_fmt", "yuv420p",
        "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=25:bframes=3", "-tag:v", "hvc1", "-c:a", "aac",
        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", *more, "-y", path)
    return path


@pytest.fixture(scope="module")
def tracks(work):
    """A movie with sound in English and in German."""
    return make_tracks(work / "tracks.mp4", 440, 880)


def refused(*command):
    done = completed(APUS, "remux", "--quiet", *command, status=None, text=True)
    assert done.returncode in (1, 2), command
    return done.stderr


@pytest.mark.parametrize("ending", ["mp4", "flv"])
@pytest.mark.parametrize("options, places", [
    (["--tracks", "v:0,a:1"], [0, 2]), (["--tracks", "v,a:1,a:0"], [0, 2, 1]), (["--tracks", "a"], [1, 2]),
    (["--language", "deu"], [0, 2]),
])
def test_tracks_are_kept_in_the_order_in_which_they_are_named(tracks, folder, options, places, ending):
    digests = lambda found, stream: [packet.digest for packet in found if packet.stream == stream]
    expected, found = packets(tracks), packets(remux(tracks, folder / f"out.{ending}", *options))
    same(options, "tracks", [digests(expected, place) for place in places],
         [digests(found, index) for index in range(len(places))])


def test_a_report_names_the_tracks_that_are_left_out(tracks, folder):
    report = json.loads(remuxed("--json", "--tracks", "a:1", tracks, "-o", folder / "one.mp4").stdout)
    same("what is left out", ["HEVC video", "AAC audio (a:0, eng)"], [track["name"] for track in report["left_out"]])


@pytest.mark.parametrize("options, words", [
    (["--tracks", "a:2"], "has no track a:2, but v:0, a:0, a:1"), (["--language", "fra"], "but in deu, eng"),
    (["--tracks", "x:1"], "tracks such as v:0,a:1"),
])
def test_tracks_that_do_not_exist_are_refused(tracks, folder, options, words):
    assert words in refused(tracks, "-o", folder / "none.mp4", *options)
    assert not (folder / "none.mp4").exists()


@pytest.fixture(scope="module")
def parts(work):
    """Movies whose tracks are alike."""
    return [make_tracks(work / "one-part.mp4", 440, seconds=3.1), make_tracks(work / "two-part.mp4", 880),
            make_tracks(work / "other-part.mp4", 300, more=["-x265-params", "log-level=error:ref=2:keyint=10"])]


@pytest.mark.parametrize("ending", ["mp4", "mov", "flv", "hevc"])
def test_joined_inputs_hold_all_packets_of_each_in_turn(parts, folder, ending):
    whole = folder / f"whole.{ending}"
    run(APUS, "remux", "--quiet", *parts, "-o", whole)
    same(whole.name, "pictures", sum((pictures(part) for part in parts), []), pictures(whole))
    if ending == "hevc":
        return
    found = packets(whole)
    for stream in [0, 1]:
        expected = [packet.digest for part in parts for packet in packets(part) if packet.stream == stream]
        same(whole.name, f"packets of track {stream}", expected, [p.digest for p in found if p.stream == stream])
        times = [packet.dts for packet in found if packet.stream == stream]
        assert all(b > a for a, b in zip(times, times[1:])), "decoding times fall"
    length = max(packet.pts for packet in found) - min(packet.pts for packet in found)
    assert abs(length - fractions.Fraction("7.1")) < 0.1


def test_inputs_whose_tracks_differ_are_not_joined(parts, tracks, folder):
    large = make_tracks(folder / "large.mp4", 440, size="320x240")
    for bad, words in [(large, "a size of 320x240, not 160x120"),
                       (tracks, "it has HEVC video, AAC audio (a:0, eng), AAC audio (a:1, deu)")]:
        assert words in refused(parts[0], bad, "-o", folder / "none.mp4")
        assert not (folder / "none.mp4").exists(), bad.name


def test_an_input_that_is_the_output_is_refused_and_unchanged(parts, folder):
    one = folder / "one.mp4"
    shutil.copy(parts[0], one)
    before = one.read_bytes()
    refused(one, parts[1], "-o", one, "--on-exists", "replace")
    assert one.read_bytes() == before


@pytest.mark.parametrize("ending", ["mp4", "mov"])
def test_all_tags_of_matroska_are_in_the_movie_that_is_made_of_it(tracks, folder, ending):
    tags = {"title": "A title", "ARTIST": "Somebody", "COMMENT": "a word", "MOOD": "blue", "track": "3/12"}
    source = folder / "tags.mkv"
    run(FFMPEG, "-i", tracks, "-c", "copy",
        *(word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")), "-y", source)
    text = printed("ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "json",
                   remux(source, folder / f"tags.{ending}"))
    found = {name.lower(): value for name, value in json.loads(text)["format"]["tags"].items()}
    same(ending, "tags", {name.lower(): value for name, value in tags.items()},
         {name.lower(): found.get(name.lower()) for name in tags})


@pytest.mark.parametrize("encoder, form", [
    *(("aac", form) for form in ("flv", "ts", "mkv", "m3u8")), *(("ac3", form) for form in ("flv", "ts", "mkv", "m3u8")),
    ("alac", "mkv"), ("flac", "mkv"), ("flac", "m3u8"),
])  # fmt: skip
def test_sound_that_an_edit_list_hides_stays_hidden_where_there_are_no_edit_lists(folder, encoder, form):
    """But for two frames of codecs whose frames overlap, as encoders hide of their own."""
    whole, cut, out = folder / "whole.m4a", folder / "cut.m4a", folder / f"out.{form}"
    ffmpeg("-f", "lavfi", "-i", "sine=r=48000:d=3", "-c:a", encoder, "-f", "mp4", whole)
    edits = "moov/trak[0]/edts/elst/entries[0]"
    run(APUS, "edit", whole, "--set", f"{edits}.media_time=48000", "--set", f"{edits}.segment_duration=2000", "-o", cut)
    remux(cut, out)
    seconds = float(printed("ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", out))
    assert 1.95 <= seconds <= 2.15, seconds
