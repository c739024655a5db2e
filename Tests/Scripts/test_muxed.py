# SPDX-License-Identifier: MIT
"""Matroska and transport streams that `apus remux` writes hold what FFmpeg finds in what they were made of: every
track, every packet, its times, and what is said of them."""

import collections
import fractions
import json
import re
import resource
import signal
import subprocess

import pytest

from once import once
from programs import APUS, FFMPEG, completed, ffmpeg, printed, remux, run, same, until

Packet = collections.namedtuple("Packet", "pts digest")


# Making


def pictures(codec, *more, size="322x182", rate="25", seconds=3):
    source = ["-f", "lavfi", "-i", f"testsrc2=s={size}:r={rate}:d={seconds}"]
    if codec == "libx265":
        return source, ["-c:v", codec, "-preset", "ultrafast", "-tag:v", "hvc1", *more]
    return source, ["-c:v", codec, *more]


def sounds(*codecs, seconds=3, rate=48000):
    inputs, options = [], []
    for index, codec in enumerate(codecs):
        inputs += ["-f", "lavfi", "-i", f"sine=f={440 * (index + 1)}:d={seconds}:r={rate}"]
        options += [f"-c:a:{index}", *codec.split()]
    return inputs, options


def x265(text):
    return ["-x265-params", f"log-level=error:{text}"]


# Names, pictures, sound, further options.
SOURCES = {
    "eight.mp4": (pictures("libx265", *x265("keyint=25:bframes=4:b-pyramid=1")), sounds("aac", "aac"),
                  ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-metadata", "title=A title"]),
    "ten.mp4": (pictures("libx265", *x265("keyint=30:bframes=3:open-gop=1"), "-pix_fmt", "yuv420p10le",
                         rate="30000/1001"), sounds("ac3"), []),
    "in-band.mp4": (pictures("libx265", *x265("keyint=25:repeat-headers=1"), "-tag:v", "hev1"), sounds("eac3"), []),
    "avc.mov": (pictures("libx264", "-preset", "fast", "-bf", "3", "-g", "30", "-pix_fmt", "yuv420p"),
                sounds("libmp3lame", rate=44100), []),
    "fragments.mp4": (pictures("libx265", *x265("keyint=25:bframes=3")), sounds("aac"),
                      ["-movflags", "frag_keyframe+empty_moov"]),
    "rate.mp4": (pictures("libx265", *x265("keyint=25:bframes=3"), "-vf",
                          "setpts=if(lt(N\\,20)\\,N/25\\,N/11+0.3)/TB", "-fps_mode", "vfr",
                          # Else FFmpeg 7.1 gives the last picture no time, and the edit list ends before it.
                          "-bsf:v", "setts=pts=PTS:dts=DTS:duration=1"), sounds("aac"), []),
    "silent.mp4": (pictures("libx265", *x265("keyint=25:bframes=2")), ([], []), []),
    "sound.m4a": (([], []), sounds("aac"), []),
    "opus.mp4": (pictures("libx264", "-preset", "fast", "-pix_fmt", "yuv420p"), sounds("libopus"), ["-strict", "-2"]),
    "plain.mov": (pictures("libx264", "-preset", "fast", "-pix_fmt", "yuv420p"), sounds("pcm_s24be"), []),
    "flash.flv": (pictures("libx264", "-preset", "fast", "-pix_fmt", "yuv420p"), sounds("aac", rate=44100), []),
    "transport.ts": (pictures("libx265", *x265("keyint=25:bframes=3")), sounds("aac"), []),
    "matroska.mkv": (pictures("libx265", *x265("keyint=25:bframes=3")), sounds("flac"), []),
    "bare.hevc": (pictures("libx265", *x265("keyint=25:bframes=3")), ([], []), []),
}
# How FFmpeg calls the form of bare streams.
CODEC = collections.defaultdict(
    lambda: "hevc", {name: "h264" for name in ["avc.mov", "opus.mp4", "plain.mov", "flash.flv"]})
# What a transport stream has no place for.
NO_TRANSPORT = {"plain.mov": "audio", "matroska.mkv": "audio"}


@pytest.fixture(scope="module")
def movies(work):
    """The folder of the movies."""
    for name, ((video, coded), (sound, spoken), more) in SOURCES.items():
        inputs = video + sound
        maps = [option for index in range(inputs.count("-i")) for option in ("-map", str(index))]
        ffmpeg(*inputs, *maps, *coded, *spoken, *more, work / name)
    # A cut without coding anew begins inside a group of pictures, and an edit list hides what is decoded first.
    ffmpeg("-ss", "1.08", "-i", work / "eight.mp4", "-map", "0", "-c", "copy", work / "cut.mp4")
    return work


NAMES = [*SOURCES, "cut.mp4"]


# Reading


@once
def packets(path, raw=False):
    """The packets of each stream in the order of their times, which are seconds; if asked, AAC without headers."""
    report = probed(path, "-show_packets", "-show_data_hash", "md5", "-show_entries",
                    "stream=index,codec_type,time_base:packet=stream_index,pts,data_hash")
    kept = [stream for stream in report["streams"] if stream.get("codec_type") in ["video", "audio"]]
    found = {}
    for kind in ["video", "audio"]:
        for stream in kept:
            if stream["codec_type"] != kind:
                continue
            unit = fractions.Fraction(stream["time_base"])
            found[len(found)] = [Packet(packet["pts"] * unit, packet["data_hash"]) for packet in report["packets"]
                                 if packet["stream_index"] == stream["index"]]
    if raw and any(stream["codec_type"] == "audio" for stream in kept):
        text = printed(FFMPEG, "-i", path, "-map", "0:a", "-c", "copy", "-bsf:a", "aac_adtstoasc", "-f", "framemd5", "-")
        first = sum(stream["codec_type"] == "video" for stream in kept)
        lines = [[part.strip() for part in line.split(",")] for line in text.splitlines() if not line.startswith("#")]
        for stream in range(first, len(found)):
            bare = ["MD5:" + line[5] for line in lines if int(line[0]) == stream - first]
            found[stream] = [Packet(packet.pts, digest) for packet, digest in zip(found[stream], bare)]
    return {stream: sorted(each) for stream, each in found.items()}


@once
def units(path, codec):
    """The NAL units of the video but for what begins access units."""
    data = completed(FFMPEG, "-i", path, "-map", "0:v:0", "-c", "copy", "-f", codec, "-").stdout
    found = [unit.rstrip(b"\0") for unit in data.split(b"\0\0\1")[1:]]
    if codec == "hevc":
        return [unit for unit in found if unit[0] >> 1 & 63 < 32]
    return [unit for unit in found if unit[0] & 31 in (1, 5)]


@once
def decoded(path, stream):
    text = printed(FFMPEG, "-i", path, "-map", stream, "-fps_mode", "passthrough", "-f", "framemd5", "-")
    return [line.split(",")[5].strip() for line in text.splitlines() if not line.startswith("#")]


@once
def probed(path, *shown):
    return json.loads(printed("ffprobe", "-v", "error", "-of", "json",
                              *(shown or ["-show_streams", "-show_format", "-show_chapters"]), path))


def moved(name, expected, found, tolerance):
    """Holds the times of all streams to be moved alike; returns by how much."""
    shifts = []
    for stream, each in expected.items():
        same(name, f"packets of stream {stream}", len(each), len(found.get(stream, [])))
        shifts += [later.pts - earlier.pts for earlier, later in zip(each, found[stream])]
    assert max(shifts) - min(shifts) <= tolerance, f"{name}: times are moved by {float(min(shifts))} s to {float(max(shifts))} s"
    return min(shifts)


def digests(found, streams=None):
    return {stream: [packet.digest for packet in each] for stream, each in found.items()
            if streams is None or stream in streams}


# Checks


def shown(name, source, target):
    """The same pictures; those that an edit list hides are seen where there is none."""
    expected, found = decoded(source, "0:v:0"), decoded(target, "0:v:0")
    if name == "cut.mp4":
        assert len(found) > len(expected), f"{name}: more pictures"
        found = found[-len(expected):]
    same(name, "pictures", expected, found)


@pytest.mark.parametrize("name", NAMES)
def test_a_matroska_file_holds_what_its_source_held(movies, folder, name):
    source, target, back = movies / name, folder / f"{name}.mkv", folder / f"{name}.mkv.mp4"
    remux(source, "-o", target)
    if name == "bare.hevc":
        same(name, "slices", units(source, "hevc"), units(target, "hevc"))
        return
    expected, found = packets(source), packets(target)
    if name == "transport.ts":
        same(name, "slices", units(source, "hevc"), units(target, "hevc"))
        same(name, "sound", digests(packets(source, raw=True), [1]), digests(found, [1]))
    else:
        same(name, "packets", digests(expected), digests(found))
    # FLV counts milliseconds itself.
    moved(name, expected, found, fractions.Fraction(2, 1000))
    if name != "sound.m4a":
        shown(name, source, target)
    remux(target, "-o", back)
    again = packets(back)
    # A movie has parameter sets once.
    # Numbers of 24 bits have no place there on the way from Matroska.
    sound = [stream for stream in found if name != "plain.mov" and (stream > 0 or name == "sound.m4a")]
    same(name, "sound on the way back", digests(found, sound), digests(again, sound))
    if name == "plain.mov":
        same(name, "sound as it is heard", decoded(source, "0:a:0"), decoded(target, "0:a:0"))
        found, again = {0: found[0]}, {0: again[0]}
    if name != "sound.m4a":
        same(name, "slices on the way back", units(target, CODEC[name]), units(back, CODEC[name]))
    moved(f"{name} on the way back", found, again, fractions.Fraction(2, 1000))
    # The same bytes again, and through a pipe.
    remux(source, "-o", folder / "again.mkv")
    assert target.read_bytes() == (folder / "again.mkv").read_bytes(), f"{name}: the same bytes again"
    assert target.read_bytes() == remux(source, "--format", "mkv", "-o", "-").stdout, f"{name}: the same bytes through a pipe"
    format = probed(target)["format"]
    assert 1.5 < float(format["duration"]) < 8, f"{name}: a duration"
    assert b"\x1c\x53\xbb\x6b" in target.read_bytes(), f"{name}: an index"
    assert not re.search(rb"Lav[fc]\d", target.read_bytes()) or re.search(rb"Lav[fc]\d", source.read_bytes()), \
        f"{name}: no version of a library"


@pytest.mark.parametrize("name", NAMES)
def test_a_transport_stream_holds_what_its_source_held(movies, folder, name):
    source, target, back = movies / name, folder / f"{name}.ts", folder / f"{name}.ts.mp4"
    report = json.loads(remux(source, "-o", target, "--json").stdout)
    left = [track["name"] for track in report["left_out"]]
    if name in NO_TRANSPORT:
        same(name, "left out", 1, len(left))
        assert NO_TRANSPORT[name] in left[0] and "MPEG-TS" in report["left_out"][0]["reason"], f"{name}: its name"
    else:
        same(name, "left out", [], left)
    codec = CODEC[name]
    if name != "sound.m4a":
        same(name, "slices", units(source, codec), units(target, codec))
        check_units(name, target, codec)
    if name != "bare.hevc":
        expected = packets(source, raw=name == "transport.ts")
        found = packets(target, raw=name not in ["avc.mov", "ten.mp4", "in-band.mp4", "opus.mp4"])
        if name in NO_TRANSPORT:
            expected = {0: expected[0]}
        sound = [stream for stream in expected if stream > 0 or name == "sound.m4a"]
        same(name, "sound", digests(expected, sound), digests(found, sound))
        # Sound that lies together in one packet has one time, and counts from there.
        moved(name, expected, found, fractions.Fraction(2 if name in ["flash.flv", "matroska.mkv"] else 1, 1000))
        if name != "sound.m4a":
            shown(name, source, target)
    remux(target, "-o", back)
    if name != "sound.m4a":
        same(name, "slices on the way back", units(source, codec), units(back, codec))
    remux(source, "-o", folder / "again.ts")
    assert target.read_bytes() == (folder / "again.ts").read_bytes(), f"{name}: the same bytes again"
    assert target.read_bytes() == remux(source, "--format", "ts", "-o", "-").stdout, f"{name}: the same bytes through a pipe"


def check_units(name, path, codec):
    """Each access unit begins with a delimiter, each key frame with parameter sets."""
    for packet in probed(path, "-select_streams", "v", "-show_packets", "-show_data")["packets"]:
        digits = "".join(line.split(": ")[1][:40].replace(" ", "") for line in packet["data"].strip().splitlines())
        data = bytes.fromhex(digits)
        found = [unit for unit in data.split(b"\0\0\1")[1:]]
        kinds = [unit[0] >> 1 & 63 if codec == "hevc" else unit[0] & 31 for unit in found]
        same(name, "a delimiter", 35 if codec == "hevc" else 9, kinds[0])
        same(name, "delimiters", 1, kinds.count(35 if codec == "hevc" else 9))
        if "K" in packet["flags"]:
            needed = [32, 33, 34] if codec == "hevc" else [7, 8]
            assert set(needed) <= set(kinds), f"{name}: parameter sets"


@pytest.fixture(scope="module")
def full(work):
    """The folder of `full.mkv` and `full.mp4`, which have all that can be said of tracks."""
    (work / "titles.srt").write_text("1\n00:00:00,500 --> 00:00:01,500\nHello <i>world</i>\n\n"
                                     "2\n00:00:01,800 --> 00:00:02,500\nTwo\nlines\n")
    (work / "chapters.txt").write_text(
        ";FFMETADATA1\ntitle=The title\nartist=Somebody\ncomment=A word\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\n"
        "title=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=3000\ntitle=Two\n")
    light = ("keyint=25:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
             "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400")
    (video, coded), (sound, spoken) = pictures("libx265", *x265(light), "-pix_fmt", "yuv420p10le"), sounds("aac", "aac")
    ffmpeg(*video, *sound, "-i", work / "titles.srt", "-i", work / "chapters.txt", "-map", "0", "-map", "1", "-map", "2",
           "-map", "3", "-map_metadata", "4", "-map_chapters", "4", *coded, *spoken, "-c:s", "srt",
           "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-metadata:s:a:1", "title=Kommentar",
           "-metadata:s:s:0", "language=fre", "-metadata:s:a:1", "MOOD=calm",
           "-disposition:a:0", "default", "-disposition:a:1", "comment", "-disposition:s:0", "forced", work / "full.mkv")
    run(FFMPEG, "-y", "-i", work / "full.mkv", "-map", "0", "-c", "copy", "-c:s", "mov_text", work / "full.mp4")
    return work


@pytest.mark.parametrize("name", ["full.mkv", "full.mp4"])
def test_languages_chapters_titles_colours_and_light_arrive(full, name):
    work = full
    peer = probed(work / "full.mkv")
    target = work / f"facts-{name}.mkv"
    report = json.loads(remux(work / name, "-o", target, "--json").stdout)
    same(name, "left out", [], report["left_out"])
    same(name, "warnings", [], report["warnings"])
    found = probed(target)
    same(name, "codecs", [stream["codec_name"] for stream in peer["streams"]],
         [stream["codec_name"] for stream in found["streams"]])
    for index, language in [(1, "eng"), (2, "deu"), (3, "fre")]:
        same(name, "language", language, found["streams"][index]["tags"]["language"])
    for key in ["color_primaries", "color_transfer", "color_space", "color_range", "width", "height", "pix_fmt",
                "sample_aspect_ratio"]:
        same(name, key, peer["streams"][0].get(key), found["streams"][0].get(key))
    same(name, "tags", {"title": "The title", "ARTIST": "Somebody", "COMMENT": "A word"},
         {key: value for key, value in found["format"]["tags"].items() if key in ["title", "ARTIST", "COMMENT"]})
    same(name, "chapters", ["One", "Two"], [chapter["tags"]["title"] for chapter in found["chapters"]])
    # All times are moved by what decoding of the sound begins earlier with.
    same(name, "times of chapters", [0, 1], [int(float(chapter["start_time"]) + 0.5) for chapter in found["chapters"]])
    sides = probed(target, "-select_streams", "v", "-show_frames", "-read_intervals", "%+#1")["frames"][0]["side_data_list"]
    assert any(side["side_data_type"].startswith("Mastering") for side in sides), f"{name}: mastering display"
    data = target.read_bytes()
    # LuminanceMax as a float, and MaxCLL.
    assert b"\x55\xd9" in data and b"\x55\xbc" in data, f"{name}: mastering display in the container"
    if name == "full.mkv":
        same(name, "name", "Kommentar", found["streams"][2]["tags"]["title"])
        same(name, "tag of a track", "calm", found["streams"][2]["tags"]["MOOD"])
        for index, key in [(1, "default"), (2, "comment"), (3, "forced")]:
            same(name, key, 1, found["streams"][index]["disposition"][key])
    text = printed(FFMPEG, "-i", target, "-map", "0:s", "-f", "srt", "-")
    same(name, "subtitles", ["Hello <i>world</i>", "Two", "lines"],
         [line for line in text.splitlines() if line and not re.match(r"\d+$|.*-->", line)])
    stamps = re.findall(r"\d\d:\d\d:(\d\d,\d{3}) --> \d\d:\d\d:(\d\d,\d{3})", text)
    lengths = [round(float(end.replace(",", ".")) - float(start.replace(",", ".")), 3) for start, end in stamps]
    same(name, "lengths of subtitles", [1.0, 0.7], lengths)


def test_a_transport_stream_has_titles_and_languages_and_names_what_it_lacks(full):
    work = full
    report = json.loads(remux(work / "full.mp4", "-o", work / "facts.ts", "--json").stdout)
    same("ts", "left out", ["tx3g subtitles"], [track["name"] for track in report["left_out"]])
    assert "chapters" in report["warnings"][0] and "artist" in report["warnings"][0] and "title" not in report["warnings"][0], \
        "ts: chapters and tags"
    found = probed(work / "facts.ts", "-show_programs", "-show_streams")
    same("ts", "title", "The title", found["programs"][0]["tags"]["service_name"])
    same("ts", "languages", ["eng", "deu"], [stream["tags"]["language"] for stream in found["programs"][0]["streams"][1:]])


OPTIONS = ["--title", "Neu & gut", "--metadata", "artist=", "--metadata", "Genre=Jazz", "--metadata", "MOOD=calm=ish"]


@pytest.mark.parametrize("source", ["full.mkv", "full.mp4"])
@pytest.mark.parametrize("name, more", [("t.mp4", []), ("t.mov", []), ("f.mp4", ["--format", "fmp4"]), ("t.mkv", [])])
def test_tags_are_set_and_removed_and_the_others_stay(full, folder, source, name, more):
    expected = {"title": "Neu & gut", "comment": "A word", "genre": "Jazz", "mood": "calm=ish"}
    target = folder / name
    remux(full / source, "-o", target, *more, *OPTIONS)
    found = {key.lower(): value for key, value in probed(target)["format"]["tags"].items()}
    for key in [*expected, "artist"]:
        same(key, expected.get(key), found.get(key))
    told = json.loads(printed(APUS, "info", "--json", target))
    same("info", expected, {tag["name"].lower(): tag["value"] for tag in told["tags"]})
    same("chapters", ["One", "Two"], [chapter["title"] for chapter in told["chapters"]])
    # Once more, in what a movie has already.
    again = folder / f"again-{name}"
    remux(target, "-o", again, *more, "--title", "", "--metadata", "genre=Blues")
    found = {key.lower(): value for key, value in probed(again)["format"]["tags"].items()}
    for key, value in [("title", None), ("genre", "Blues"), ("comment", "A word"), ("mood", "calm=ish")]:
        same("again", key, value, found.get(key))


def test_the_number_of_a_genre_becomes_its_name(movies, folder):
    work = folder
    # iTunes has a number for a genre: an item of another type, whose value is not text.
    numbered = work / "numbered.mp4"
    run(FFMPEG, "-y", "-i", movies / "eight.mp4", "-map", "0:v", "-c", "copy", "-metadata", "genre=XX", numbered)
    data = numbered.read_bytes()
    old, new = b"\xa9gen\0\0\0\x12data\0\0\0\x01\0\0\0\0XX", b"gnre\0\0\0\x12data\0\0\0\0\0\0\0\0\0\x03"
    same("gnre", "places", 1, data.count(old))
    numbered.write_bytes(data.replace(old, new))
    remux(numbered, "-o", work / "numbered.mkv")
    found = {key.lower(): value for key, value in probed(work / "numbered.mkv")["format"]["tags"].items()}
    same("gnre", "genre in Matroska", "Country", found.get("genre"))
    told = json.loads(completed(APUS, "info", "--json", numbered).stdout)
    same("gnre", "info", ["Country"], [tag["value"] for tag in told["tags"] if tag["name"] == "genre"])
    remux(numbered, "-o", work / "renamed.mp4", "--metadata", "genre=Jazz")
    same("gnre", "genre that is set", "Jazz", probed(work / "renamed.mp4")["format"]["tags"].get("genre"))
    same("gnre", "the number", False, b"gnre" in (work / "renamed.mp4").read_bytes())


def test_names_of_apple_in_a_list_of_keys_are_set(movies, folder):
    work = folder
    run(FFMPEG, "-y", "-i", movies / "eight.mp4", "-map", "0:v", "-c", "copy", "-movflags", "use_metadata_tags",
        "-metadata", "com.apple.quicktime.title=Old", "-metadata", "com.apple.quicktime.make=Maker", work / "keys.mov")
    remux(work / "keys.mov", "-o", work / "keyed.mov", "--title", "New")
    found = probed(work / "keyed.mov")["format"]["tags"]
    same("keys", "titles", ["New"], [value for key, value in found.items() if "title" in key])
    same("keys", "maker", "Maker", found["com.apple.quicktime.make"])


def test_a_transport_stream_gets_a_title(full, folder):
    work = folder
    remux(full / "full.mkv", "-o", work / "titled.ts", "--title", "Neu & gut")
    same("ts", "title", "Neu & gut", probed(work / "titled.ts", "-show_programs")["programs"][0]["tags"]["service_name"])
    told = json.loads(completed(APUS, "info", "--json", work / "titled.ts").stdout)
    same("ts", "info", [{"name": "title", "value": "Neu & gut"}], told["tags"])


@pytest.mark.parametrize("format", ["mkv", "ts"])
def test_what_comes_through_a_pipe_leaves_through_a_pipe(movies, folder, format):
    data, target = (movies / "flash.flv").read_bytes(), folder / f"piped.{format}"
    with target.open("wb") as output:
        completed(APUS, "remux", "--quiet", "-", "--format", format, "-o", "-", input=data, stdout=output)
    same("pictures", decoded(movies / "flash.flv", "0:v"), decoded(target, "0:v"))


def test_a_pipe_gives_the_same_bytes_as_a_file(movies, folder):
    remux(movies / "flash.flv", "-o", folder / "file.mkv")
    completed(APUS, "remux", "--quiet", "-", "-o", folder / "pipe.mkv", input=(movies / "flash.flv").read_bytes())
    assert (folder / "pipe.mkv").read_bytes() == (folder / "file.mkv").read_bytes()


def test_webm_takes_its_codecs_and_refuses_others_by_name(movies, folder):
    done = remux(movies / "eight.mp4", "-o", folder / "no.webm", status=1)
    assert b"HEVC video cannot be stored in WebM" in done.stderr
    assert not (folder / "no.webm").exists()
    (video, coded), (sound, spoken) = pictures("libvpx-vp9", "-deadline", "realtime", seconds=1), sounds("libopus", seconds=1)
    ffmpeg(*video, *sound, *coded, *spoken, "-strict", "-2", folder / "web.mp4")
    remux(folder / "web.mp4", "-o", folder / "web.webm")
    same("packets", digests(packets(folder / "web.mp4")), digests(packets(folder / "web.webm")))
    assert b"webm" in (folder / "web.webm").read_bytes()[:64]


def test_a_file_that_exists_stays(movies, folder):
    remux(movies / "eight.mp4", "-o", folder / "eight.mkv")
    old = (folder / "eight.mkv").read_bytes()
    run(APUS, "remux", "--quiet", movies / "ten.mp4", "-o", folder / "eight.mkv", status=3)
    remux(folder / "eight.mkv", "-o", folder / "eight.mkv", status=1)
    assert old == (folder / "eight.mkv").read_bytes()


def test_a_file_that_ends_early_gives_its_beginning_or_nothing(movies, folder):
    whole = (movies / "matroska.mkv").read_bytes()
    (folder / "short.mkv").write_bytes(whole[:len(whole) // 2])
    remux(folder / "short.mkv", "-o", folder / "short-out.mkv")
    found, expected = packets(folder / "short-out.mkv"), packets(movies / "matroska.mkv")
    assert 10 < len(found[0]) < len(expected[0])
    (folder / "short.mp4").write_bytes((movies / "eight.mp4").read_bytes()[:-20000])
    remux(folder / "short.mp4", "-o", folder / "short-mp4.mkv", status=1)
    assert not (folder / "short-mp4.mkv").exists()


@pytest.fixture(scope="module")
def long(work):
    """Fifteen minutes of sound, 170 MB."""
    (sound, spoken) = sounds("pcm_s16le", seconds=900)
    ffmpeg(*sound, *spoken, "-ac", "2", work / "long.mov")
    yield work / "long.mov"
    (work / "long.mov").unlink()


def test_nothing_is_left_of_a_run_without_room(long, folder):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    completed(APUS, "remux", "--quiet", long, "-o", folder / "full.mkv", preexec_fn=limit, status=1)
    same("what is left", [], list(folder.iterdir()))


def test_nothing_is_left_of_a_run_that_was_killed(long, folder):
    process = subprocess.Popen([APUS, "remux", "--quiet", long, "-o", folder / "killed.mkv"])
    until(lambda: process.poll() is not None or list(folder.iterdir()), "the run begins to write")
    process.kill()
    if process.wait() == -signal.SIGKILL:
        assert not (folder / "killed.mkv").exists()
    remux(long, "-o", folder / "killed.mkv")
    same("files after another run", ["killed.mkv"], [path.name for path in folder.iterdir()])


def attachments(path):
    """Every file inside of a container, as FFmpeg takes it out: by its name, type and bytes."""
    text = completed("ffprobe", "-v", "error", "-of", "json", "-show_streams", path).stdout
    found = []
    for stream in json.loads(text)["streams"]:
        is_cover = stream["disposition"].get("attached_pic") == 1
        if stream["codec_type"] != "attachment" and not is_cover:
            continue
        target = path.parent / "taken"
        target.unlink(missing_ok=True)
        if is_cover:
            ffmpeg("-i", path, "-map", f"0:{stream['index']}", "-c", "copy", "-f", "image2", target)
        else:
            # It ends with an error for want of an output, which is no harm.
            subprocess.run(["ffmpeg", "-v", "quiet", "-y", f"-dump_attachment:{stream['index']}", str(target), "-i", str(path)],
                           stdin=subprocess.DEVNULL)
        tags = stream.get("tags", {})
        found.append((tags.get("filename", "cover.jpg"), tags.get("mimetype", "image/jpeg"), target.read_bytes()))
    return found


def test_fonts_and_covers_stay_in_matroska_and_are_named_where_they_have_no_place(folder):
    """Fonts and covers stay in Matroska, and are named where a container has no place for them."""
    font, cover = folder / "letters.ttf", folder / "cover.jpg"
    font.write_bytes(bytes(range(256)) * 9)
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", cover)
    plain, both, movie = folder / "plain.mkv", folder / "attached.mkv", folder / "covered.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p", plain)
    ffmpeg("-i", plain, "-c", "copy", "-attach", font, "-metadata:s:t:0", "mimetype=application/x-truetype-font",
           "-attach", cover, "-metadata:s:t:1", "mimetype=image/jpeg", both)
    ffmpeg("-i", plain, "-i", cover, "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:1", "attached_pic", movie)
    expected = attachments(both)
    same("attachments", "FFmpeg's", [font.read_bytes(), cover.read_bytes()], [data for _, _, data in expected])
    picture = [("cover.jpg", "image/jpeg", cover.read_bytes())]
    for source, kind, kept, left in [
        (both, "mkv", expected, []), (both, "mp4", [], ["letters.ttf", "cover.jpg"]),
        (both, "ts", [], ["letters.ttf", "cover.jpg"]),
        (both, "flv", [], ["letters.ttf", "cover.jpg"]), (movie, "mkv", picture, []), (movie, "mp4", picture, []),
        (movie, "flv", [], ["cover.jpg"]),
    ]:  # fmt: skip
        name, target = f"{source.name} in {kind}", folder / f"{source.stem}-out.{kind}"
        report = json.loads(remux(source, "-o", target, "--json").stdout)
        same(name, "left out", [f"attachment {word}" for word in left], [row["name"] for row in report["left_out"]])
        same(name, "warnings", [], [text for text in report["warnings"] if "left out" in text])
        same(name, "attachments", kept, attachments(target))
    again = folder / "again.mkv"
    remux(both, "-o", again)
    same("attachments", "the same bytes twice", True, again.read_bytes() == (folder / "attached-out.mkv").read_bytes())


def test_tags_languages_and_titles_are_in_flash_video(folder):
    """Tags, languages and titles in Flash Video: FFmpeg reads the tags, and all comes back."""
    source, flash, back = folder / "words.mkv", folder / "words.flv", folder / "words-back.mkv"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:d=1", "-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "sine=f=880:d=1",
           "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
           "-metadata", "title=Tag der Tür", "-metadata", "artist=Ann", "-metadata:s:v", "title=Angle",
           "-metadata:s:a:0", "language=eng", "-metadata:s:a:0", "title=Main",
           "-metadata:s:a:1", "language=deu", "-metadata:s:a:1", "title=Kommentar", source)

    def words(path, *names):
        found = json.loads(completed("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format", path).stdout)
        tags = {name.lower(): value for name, value in found["format"].get("tags", {}).items()}
        return ([tags.get(name) for name in ["title", "artist"]],
                [(stream.get("tags", {}).get("language"), stream.get("tags", {}).get("title")) for stream in found["streams"]])

    report = json.loads(remux(source, "-o", flash, "--json").stdout)
    same("FLV", "warnings", [], report["warnings"])
    same("FLV", "tags", words(source)[0], words(flash)[0])
    remux(flash, "-o", back)
    same("FLV", "the way back", words(source), words(back))
    told = json.loads(completed(APUS, "info", "--json", flash).stdout)
    same("FLV", "info", [(None, "Angle"), ("eng", "Main"), ("deu", "Kommentar")],
         [(None if track["language"] == "und" else track["language"], track.get("title")) for track in told["tracks"]])
    same("FLV", "tags of info", ["Tag der Tür", "Ann"], [tag["value"] for tag in told["tags"]])
    # From FLV to FLV, with another title.
    other = folder / "words-other.flv"
    remux(flash, "-o", other, "--title", "Other", "--metadata", "artist=")
    same("FLV", "changed tags", ["Other", None], words(other)[0])
    remux(flash, "-o", other, "--metadata", "width=3", status=2)
