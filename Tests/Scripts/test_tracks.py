# SPDX-License-Identifier: MIT
"""From movie to movie goes everything: subtitles, timecodes, chapters, metadata, edit lists, sample groups."""

import hashlib
import json
import struct

import pytest

from once import once
from programs import APUS, FFMPEG, completed, ffmpeg, printed, run, same

VIDEO = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3"]
SOUND = ["-f", "lavfi", "-i", "sine=d=3:r=48000"]
HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params"]
X265 = "log-level=error:keyint=25:bframes=3"
LIGHT = ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400"
# x265 writes the sets of such a stream into its pictures, too; hvc1 leaves them out.
BARE = ["-bsf:v", "filter_units=remove_types=32-34"]
TIMECODE = ["-timecode", "01:02:03:04"]
TITLES = """1
00:00:00,500 --> 00:00:01,500
One

2
00:00:02,000 --> 00:00:02,500
Two
"""
CHAPTERS = """;FFMETADATA1
title=A title
artist=Somebody
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1000
title=First
[CHAPTER]
TIMEBASE=1/1000
START=1000
END=3000
title=Zweites, mit Überschrift
"""
PACKET = ["stream_index", "pts_time", "dts_time", "duration_time", "size", "flags", "data_hash"]
STREAM = "index,codec_type,codec_name,codec_tag_string,width,height,sample_aspect_ratio,start_time,nb_frames"
COLOUR = "color_range,color_space,color_transfer,color_primaries,field_order"
TAGS = "language,handler_name,timecode"
# Boxes that are the same, byte for byte, wherever they stand.
VERBATIM = [b"sgpd", b"sbgp", b"gmhd", b"chap", b"colr", b"pasp", b"btrt", b"mdcv", b"clli", b"fiel", b"clap"]
PARENTS = [b"moov", b"trak", b"mdia", b"minf", b"stbl", b"tref", b"udta", b"edts"]


def probe(file, *options):
    return json.loads(printed("ffprobe", "-v", "error", "-of", "json", *options, file))


@once
def packets(file):
    found = probe(file, "-show_data_hash", "md5", "-show_packets")["packets"]
    return sorted(([packet.get(key) for key in PACKET] for packet in found), key=lambda packet: packet[0])


@once
def streams(file):
    fields = f"stream={STREAM},{COLOUR}:stream_tags={TAGS}:stream_disposition=default,forced"
    return probe(file, "-show_entries", fields)["streams"]


@once
def chapters(file):
    found = probe(file, "-show_chapters")["chapters"]
    return [[chapter["start_time"], chapter["end_time"], chapter["tags"]["title"]] for chapter in found]


@once
def tags(file):
    found = probe(file, "-show_format")["format"]["tags"]
    return {name: found.get(name) for name in ["title", "artist"]}


@once
def pictures(file):
    text = printed(FFMPEG, "-i", file, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-")
    return [line.split(",")[5].strip() for line in text.splitlines() if not line.startswith("#")]


@once
def sound(file):
    return printed(FFMPEG, "-i", file, "-map", "0:a", "-f", "md5", "-")


def boxes(data, start=0, end=None, path=b""):
    """Every box below those that hold nothing but boxes, with its path and its body."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        head = 16 if size == 1 else 8
        size = struct.unpack(">Q", data[start + 8:start + 16])[0] if size == 1 else size
        yield path + b"/" + kind, data[start + head:start + size], start
        if kind in PARENTS:
            yield from boxes(data, start + head, start + size, path + b"/" + kind)
        elif kind == b"stsd":
            for name, body, place in boxes(data, start + 16, start + size, path + b"/stsd"):
                yield name, body, place
                # Visual entries have 78 bytes before their boxes.
                if name.endswith((b"hvc1", b"hev1", b"avc1")):
                    yield from boxes(data, place + 86, place + 8 + len(body), name)
        start += size


def verbatim(file, kind):
    """QuickTime's form of colour has a longer one elsewhere, which says the range."""
    found = [box for box in boxes(file.read_bytes()) if box[0][-4:] in VERBATIM]
    if kind == "mp4":
        found = [(path, b"nclx" + body[4:] + b"\0" if body[:4] == b"nclc" else body, 0) for path, body, _ in found]
    return sorted((path, body) for path, body, _ in found)


def replaced(data, kind, number, body):
    """The file with another body of the box of a kind; what stands before it must not be media data."""
    path, old, start = [box for box in boxes(data) if box[0].endswith(b"/" + kind)][number]
    more = len(body) - len(old)
    result = bytearray(data[:start + 8] + body + data[start + 8 + len(old):])
    for name, inner, place in boxes(data):
        if place <= start < place + 8 + len(inner):
            size = struct.unpack(">I", result[place:place + 4])[0]
            result[place:place + 4] = struct.pack(">I", size + more)
    return bytes(result)


def remux(source, target, *options):
    """Runs `apus remux`, and returns its messages."""
    return completed(APUS, "remux", "--on-exists", "replace", source, "-o", target, *options, text=True).stderr


# Options of FFmpeg, by the names of the movies.
MOVIES = {
    "movie.mp4": [*HEVC, X265, "-c:a", "aac", "-c:s", "mov_text", "-disposition:s:0", "forced", *TIMECODE, "-vf", "setsar=4/3"],
    "movie.mov": [*HEVC, X265 + LIGHT, "-pix_fmt", "yuv420p10le",
                  "-vf", "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc", *BARE, "-c:a", "aac",
                  "-c:s", "mov_text", *TIMECODE],
    "sound.mov": [*HEVC, X265, "-c:a", "pcm_s24le", "-c:s", "mov_text", *TIMECODE],
}


@pytest.fixture(scope="module")
def movies(work):
    """The folder of movies with everything."""
    (work / "titles.srt").write_text(TITLES)
    (work / "chapters.txt").write_text(CHAPTERS)
    inputs = [*VIDEO, *SOUND, "-i", work / "titles.srt", "-i", work / "chapters.txt", "-map", "0", "-map", "1",
              "-map", "2", "-map_metadata", "3", "-map_chapters", "3", "-metadata:s:s", "language=deu"]
    for name, options in MOVIES.items():
        ffmpeg(*inputs, *options, "-movie_timescale", "192000", work / name)
    return work


# Uncompressed sound has another entry outside of QuickTime, which the forms of lossless sound below cover.
@pytest.mark.parametrize("name, kind", [
    ("movie.mp4", "mov"), ("movie.mp4", "mp4"), ("movie.mov", "mov"), ("movie.mov", "mp4"), ("sound.mov", "mov"),
])
def test_a_movie_with_everything_is_the_same_in_another(movies, folder, name, kind):
    source, written = movies / name, folder / f"out.{kind}"
    remux(source, written)
    name = f"{name} in {kind}"
    # Of sound without compression a packet is what lies together.
    kept = [index for index, codec in enumerate(printed(
        "ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", source).split()) if "pcm" not in codec]
    same(name, "packets", *([packet for packet in packets(file) if packet[0] in kept] for file in (source, written)))
    same(name, "sound", sound(source), sound(written))
    expected, found = streams(source), streams(written)
    for left, right in zip(expected, found):
        # QuickTime's numbers of languages have no place elsewhere, and FFmpeg says 'und' for no language.
        left["tags"].setdefault("language", "und")
        right["tags"].setdefault("language", "und")
        if left["codec_type"] == "data":
            del left["tags"]["language"], right["tags"]["language"]
    same(name, "streams", expected, found)
    same(name, "chapters", chapters(source), chapters(written))
    same(name, "tags", tags(source), tags(written))
    same(name, "boxes", verbatim(source, kind), verbatim(written, kind))
    same(name, "pictures", pictures(source), pictures(written))
    run(APUS, "hvcc", "check", written)


@pytest.mark.parametrize("words", ["tx3g subtitles cannot be stored in FLV", "tmcd timecode cannot be stored in FLV"])
def test_flv_names_what_it_cannot_hold(movies, folder, words):
    assert words in remux(movies / "movie.mp4", folder / "refused.flv")


def test_a_movie_that_begins_later_has_the_timecode_of_its_first_picture_and_the_title_that_still_holds(movies, folder):
    source, later = movies / "movie.mp4", folder / "later.mp4"
    remux(source, later, "--start", "2.2")
    titles = next(stream for stream in streams(later) if stream["codec_type"] == "subtitle")
    same("timecode", "01:02:05:04", next(stream["tags"]["timecode"] for stream in streams(later)
                                         if stream["codec_tag_string"] == "tmcd"))
    same("pictures", pictures(source)[50:], pictures(later))
    same("titles", ["0.000000", "0.500000"],
         [packet[1] for packet in packets(later) if packet[0] == titles["index"]])


@once
def raw(file, form, start=0):
    """The number of bytes of sound from one on, and their digest."""
    done = completed(FFMPEG, "-i", file, "-map", "0:a", "-c:a", f"pcm_{form}", "-f", form, "-")
    rest = done.stdout[start:]
    return len(rest), hashlib.sha256(rest).hexdigest()


def test_uncompressed_sound_begins_at_the_moment_of_the_start(movies, folder):
    """Among many moments."""
    source, later = movies / "sound.mov", folder / "later.mov"
    remux(source, later, "--start", "2.2")
    same("moments", raw(source, "s24le", 2 * 48000 * 3), raw(later, "s24le"))


def make_sound(path, *options):
    ffmpeg(*VIDEO, *SOUND, "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", *options, path)
    return path


WIDE, NARROW = ["-c:a", "pcm_s16le", "-ac", "2"], ["-ar", "8000", "-ac", "1", "-c:a"]
# Name, options, and the kinds of movies that hold it.
UNCOMPRESSED = [
    ("wide.avi", WIDE, ["mov", "mp4"]), ("wide.mov", WIDE, ["mov", "mp4"]),
    ("big.mkv", ["-c:a", "pcm_s16be", "-ac", "2"], ["mov", "mp4"]), ("law.flv", [*NARROW, "pcm_alaw"], ["mov"]),
    ("law.mkv", [*NARROW, "pcm_mulaw"], ["mov"]), ("fragments.mov", [*WIDE, "-movflags", "+frag_keyframe+empty_moov"], ["mov"]),
]


@pytest.mark.parametrize("name, options, kind", [
    (name, options, kind) for name, options, kinds in UNCOMPRESSED for kind in kinds])
def test_every_moment_of_uncompressed_sound_is_a_sample(folder, name, options, kind):
    """However it lay in other containers."""
    source, written = make_sound(folder / name, *options), folder / f"written.{kind}"
    remux(source, written)
    same(name, "moments", raw(source, "s16le"), raw(written, "s16le"))
    stream = next(stream for stream in probe(written, "-show_streams")["streams"] if stream["codec_type"] == "audio")
    same(name, "number of samples", 3 * int(stream["sample_rate"]), int(stream["nb_frames"]))
    same(name, "beginning", 0.0, float(stream["start_time"]))
    # What was written is read, into fragments that state the size of a moment once.
    again, back = folder / "again.mp4", folder / "back.mov"
    remux(written, again if kind == "mp4" else back, *(["--format", "fmp4"] if kind == "mp4" else []))
    if kind == "mp4":
        assert again.stat().st_size < written.stat().st_size * 1.02 + 4096, "size of fragments"
        remux(again, back)
    same(name, "moments there and back", raw(source, "s16le"), raw(back, "s16le"))


def test_a_law_is_reported_as_left_out_of_mp4(folder):
    source = make_sound(folder / "law.flv", *NARROW, "pcm_alaw")
    assert "only QuickTime files (mov) support" in remux(source, folder / "law.mp4")


def test_an_old_file_that_says_one_byte_for_four_is_read(folder):
    """Older files of QuickTime say so."""
    source = make_sound(folder / "wide.mov", *WIDE)
    data = bytearray(source.read_bytes())
    body = next(start + 8 for path, inner, start in boxes(data) if path.endswith(b"stsz") and inner[4:8] == b"\0\0\0\4")
    data[body + 4:body + 8] = struct.pack(">I", 1)
    old, written = folder / "old.mov", folder / "old.out.mov"
    old.write_bytes(data)
    remux(old, written)
    same("moments", raw(source, "s16le"), raw(written, "s16le"))


# QuickTime's forms of lossless sound have others in MP4, which a current FFmpeg reads.
FORMS = [("pcm_s24be", "s24le"), ("pcm_s24le", "s24le"), ("pcm_s32le", "s32le"), ("pcm_s32be", "s32le"),
         ("pcm_f32le", "f32le"), ("pcm_f32be", "f32le"), ("pcm_f64le", "f64le"), ("alac", "s16le")]


@pytest.mark.parametrize("channels", ["2", "6"])
@pytest.mark.parametrize("codec, form", FORMS)
def test_lossless_sound_is_the_same_in_every_movie_and_aac_or_alac_in_a_transcode(folder, codec, form, channels):
    source = folder / "source.mov"
    # Not long, since a current FFmpeg takes each moment for a packet.
    ffmpeg(*VIDEO, *SOUND, *HEVC, X265, "-c:a", codec, "-ac", channels, "-t", "0.6", source)
    for kind, *options in (["mov"], ["mp4"], ["mp4", "--format", "fmp4"]):
        written = folder / f"written.{kind}"
        report = remux(source, written, *options)
        assert "left out" not in report, f"left out of {kind}"
        same(kind, raw(source, form), raw(written, form))
    coded = folder / "coded.mp4"
    run(APUS, "transcode", "--quiet", source, "-o", coded, "--codec", "copy")
    kept = "alac" if codec == "alac" else "aac"
    same("of a transcode", [kept], [stream["codec_name"] for stream in streams(coded) if stream["codec_type"] == "audio"])


@pytest.mark.parametrize("kind", ["mov", "mp4"])
def test_lossless_sound_of_another_container_is_the_same(folder, kind):
    source, written = folder / "lossless.mkv", folder / f"lossless.{kind}"
    ffmpeg(*VIDEO, *SOUND, *HEVC, X265, "-c:a", "alac", source)
    remux(source, written)
    same(kind, raw(source, "s16le"), raw(written, "s16le"))


# A byte for each number has no form in MP4, and more than 65535 numbers a second none that is written.
@pytest.mark.parametrize("options, words", [
    (["pcm_s8"], "only QuickTime files (mov) support"), (["pcm_s24be", "-ar", "96000"], "96000"),
])
def test_sound_that_mp4_cannot_hold_is_reported_with_the_reason(folder, options, words):
    source = folder / "source.mov"
    ffmpeg(*VIDEO, *SOUND, *HEVC, X265, "-c:a", *options, source)
    report = remux(source, folder / "out.mp4")
    assert "left out" in report and words in report


EDITS = [(400, 1024, 1), (200, -1, 1), (1000, 1024 + 512 * 25, 1)]


@pytest.fixture(scope="module")
def edited(work):
    """A movie whose edit list has a hole and a speed."""
    plain, path = work / "plain.mp4", work / "edited.mp4"
    ffmpeg(*VIDEO, *HEVC, X265, plain)
    body = struct.pack(">II", 0, len(EDITS)) + b"".join(struct.pack(">IiHH", *edit, 0) for edit in EDITS)
    path.write_bytes(replaced(plain.read_bytes(), b"elst", 0, body))
    return path


def test_an_edit_list_stays_with_the_pictures_that_it_shows(edited, folder):
    written = folder / "edited.out.mp4"
    assert "edit list has" not in remux(edited, written)
    found = [body for path, body, _ in boxes(written.read_bytes()) if path.endswith(b"elst")][0]
    units = [struct.unpack(">I", body[12:16])[0] for path, body, _ in boxes(written.read_bytes())
             if path.endswith(b"mvhd")][0]
    told = [struct.unpack(">IiHH", found[8 + 12 * index:20 + 12 * index]) for index in range(len(EDITS))]
    same("list", EDITS, [(length * 1000 // units, time, rate) for length, time, rate, _ in told])
    same("pictures", pictures(edited), pictures(written))


def test_flv_reports_the_parts_of_an_edit_list(edited, folder):
    assert "edit list has 3 parts" in remux(edited, folder / "edited.flv")
