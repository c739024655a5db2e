#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""From movie to movie goes everything: subtitles, timecodes, chapters, metadata, edit lists, sample groups."""

import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from once import once  # noqa: E402

APUS = os.environ.get("APUS", str(ROOT / "Scripts/apus"))
# A current FFmpeg, which reads `ipcm` and `fpcm`.
FFMPEG = str(ROOT / "Scripts/making/ffmpeg9")

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


def run(*command, code=0):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode} {done.stderr.decode()}")
    return done.stdout.decode(), done.stderr.decode()


def same(name, what, expected, found):
    if expected == found:
        return
    if isinstance(expected, list) and isinstance(found, list):
        for left, right in zip(expected, found):
            if left != right:
                sys.exit(f"{name}: {what}:\n{left} was expected,\n{right} found")
        sys.exit(f"{name}: {len(expected)} {what} were expected, {len(found)} found")
    sys.exit(f"{name}: {what}: {expected} was expected, {found} found")


def probe(file, *options):
    return json.loads(run("ffprobe", "-v", "error", "-of", "json", *options, file)[0])


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
    text = run("ffmpeg", "-v", "error", "-i", file, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-")[0]
    return [line.split(",")[5].strip() for line in text.splitlines() if not line.startswith("#")]


@once
def sound(file):
    return run("ffmpeg", "-v", "error", "-i", file, "-map", "0:a", "-f", "md5", "-")[0]


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
    return run(APUS, "remux", "--on-exists", "replace", source, "-o", target, *options)


def check(work, source, kind):
    written = work / f"{source.stem}.out.{kind}"
    remux(source, written)
    name = f"{source.name} in {kind}"
    # Of sound without compression a packet is what lies together.
    kept = [index for index, name in enumerate(run("ffprobe", "-v", "error", "-show_entries", "stream=codec_name",
                                                   "-of", "csv=p=0", source)[0].split()) if "pcm" not in name]
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


def check_refusals(work, source):
    """Every other target names what it cannot hold."""
    report = remux(source, work / "refused.flv")[1]
    for words in ["tx3g subtitles cannot be stored in FLV", "tmcd timecode cannot be stored in FLV"]:
        same("FLV", words, True, words in report)


def check_start(work, source):
    """What begins in the middle has the timecode of its first picture, and the title that still holds."""
    later = work / "later.mp4"
    remux(source, later, "--start", "2.2")
    titles = next(stream for stream in streams(later) if stream["codec_type"] == "subtitle")
    same("--start", "timecode", "01:02:05:04", next(stream["tags"]["timecode"] for stream in streams(later)
                                                    if stream["codec_tag_string"] == "tmcd"))
    same("--start", "pictures", pictures(source)[50:], pictures(later))
    same("--start", "titles", ["0.000000", "0.500000"],
         [packet[1] for packet in packets(later) if packet[0] == titles["index"]])


@once
def raw(file, form, start=0, program="ffmpeg"):
    """How many bytes of sound are there from one on, and their digest."""
    done = subprocess.run([program, "-v", "error", "-i", file, "-map", "0:a", "-c:a", f"pcm_{form}", "-f", form, "-"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    rest = done.stdout[start:]
    return len(rest), hashlib.sha256(rest).hexdigest()


def check_sound(work):
    """Of sound without compression every moment is a sample, however it lay in other containers."""
    # A beginning among many moments, to the moment.
    source, later = work / "sound.mov", work / "later.mov"
    remux(source, later, "--start", "2.2")
    same("--start", "moments", raw(source, "s24le", 2 * 48000 * 3), raw(later, "s24le"))

    def made(name, *options):
        run("ffmpeg", "-y", "-v", "error", *VIDEO, *SOUND, "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", *options,
            work / name)
        return work / name

    wide = ["-c:a", "pcm_s16le", "-ac", "2"]
    narrow = ["-ar", "8000", "-ac", "1", "-c:a"]
    for source, kinds in [
        (made("wide.avi", *wide), ["mov", "mp4"]),
        (made("wide.mov", *wide), ["mov", "mp4"]),
        (made("big.mkv", "-c:a", "pcm_s16be", "-ac", "2"), ["mov", "mp4"]),
        (made("law.flv", *narrow, "pcm_alaw"), ["mov"]),
        (made("law.mkv", *narrow, "pcm_mulaw"), ["mov"]),
        (made("fragments.mov", *wide, "-movflags", "+frag_keyframe+empty_moov"), ["mov"]),
    ]:
        for kind in kinds:
            written = work / f"{source.name}.{kind}"
            remux(source, written)
            same(written.name, "moments", raw(source, "s16le"), raw(written, "s16le"))
            stream = next(stream for stream in probe(written, "-show_streams")["streams"] if stream["codec_type"] == "audio")
            rate = int(stream["sample_rate"])
            same(written.name, "number of samples", 3 * rate, int(stream["nb_frames"]))
            same(written.name, "beginning", 0.0, float(stream["start_time"]))
            # What was written is read, into fragments that tell the size of a moment once.
            again, back = work / "again.mp4", work / "back.mov"
            remux(written, again if kind == "mp4" else back, *(["--format", "fmp4"] if kind == "mp4" else []))
            if kind == "mp4":
                same(written.name, "size of fragments", True, again.stat().st_size < written.stat().st_size * 1.02 + 4096)
                remux(again, back)
            same(written.name, "moments there and back", raw(source, "s16le"), raw(back, "s16le"))
    report = remux(work / "law.flv", work / "law.mp4")[1]
    same("A-law", "reports", True, "only QuickTime files (mov) support" in report)

    # Older files of QuickTime say one byte for what is four.
    data = bytearray((work / "wide.mov").read_bytes())
    body = next(start + 8 for path, inner, start in boxes(data) if path.endswith(b"stsz") and inner[4:8] == b"\0\0\0\4")
    data[body + 4:body + 8] = struct.pack(">I", 1)
    old = work / "old.mov"
    old.write_bytes(data)
    remux(old, work / "old.out.mov")
    same("an old file", "moments", raw(work / "wide.mov", "s16le"), raw(work / "old.out.mov", "s16le"))


def check_forms(work):
    """QuickTime's forms of sound without loss have others in MP4, which a current FFmpeg reads."""
    for codec, form in [("pcm_s24be", "s24le"), ("pcm_s24le", "s24le"), ("pcm_s32le", "s32le"), ("pcm_s32be", "s32le"),
                        ("pcm_f32le", "f32le"), ("pcm_f32be", "f32le"), ("pcm_f64le", "f64le"), ("alac", "s16le")]:
        for channels in "2", "6":
            source = work / f"{codec}-{channels}.mov"
            # Not long, since a current FFmpeg takes each moment for a packet.
            run("ffmpeg", "-y", "-v", "error", *VIDEO, *SOUND, *HEVC, X265, "-c:a", codec, "-ac", channels, "-t", "0.6", source)
            for kind, *options in (["mov"], ["mp4"], ["mp4", "--format", "fmp4"]):
                written = work / f"{source.name}.{kind}"
                report = remux(source, written, *options)[1]
                same(source.name, f"nothing left out of {kind}", False, "left out" in report)
                same(source.name, kind, raw(source, form), raw(written, form, program=FFMPEG))
            coded = work / "coded.mp4"
            run(APUS, "transcode", "--quiet", "--on-exists", "replace", source, "-o", coded, "--codec", "copy")
            kept = "alac" if codec == "alac" else "aac"
            found = [stream["codec_name"] for stream in streams(coded) if stream["codec_type"] == "audio"]
            same(source.name, "of a transcode", [kept], found)
    # Lossless sound of another container.
    source = work / "lossless.mkv"
    run("ffmpeg", "-y", "-v", "error", *VIDEO, *SOUND, *HEVC, X265, "-c:a", "alac", source)
    for kind in "mov", "mp4":
        remux(source, work / f"lossless.{kind}")
        same(source.name, kind, raw(source, "s16le"), raw(work / f"lossless.{kind}", "s16le"))
    # A byte for each number has no form there, and more than 65535 numbers a second none that is written here.
    for name, options, words in [("bytes", ["pcm_s8"], "only QuickTime files (mov) support"), ("fast", ["pcm_s24be", "-ar", "96000"], "96000")]:
        source = work / f"{name}.mov"
        run("ffmpeg", "-y", "-v", "error", *VIDEO, *SOUND, *HEVC, X265, "-c:a", *options, source)
        report = remux(source, work / f"{name}.mp4")[1]
        same(source.name, "says why", True, "left out" in report and words in report)


def check_edits(work, source):
    """An edit list with a hole and a speed stays, and what is shown by it."""
    data = source.read_bytes()
    edits = [(400, 1024, 1), (200, -1, 1), (1000, 1024 + 512 * 25, 1)]
    body = struct.pack(">II", 0, len(edits)) + b"".join(struct.pack(">IiHH", *edit, 0) for edit in edits)
    edited = work / "edited.mp4"
    edited.write_bytes(replaced(data, b"elst", 0, body))
    written = work / "edited.out.mp4"
    report = remux(edited, written)[1]
    same("edits", "warnings", False, "edit list has" in report)
    found = [body for path, body, _ in boxes(written.read_bytes()) if path.endswith(b"elst")][0]
    units = [struct.unpack(">I", body[12:16])[0] for path, body, _ in boxes(written.read_bytes())
             if path.endswith(b"mvhd")][0]
    told = [struct.unpack(">IiHH", found[8 + 12 * index:20 + 12 * index]) for index in range(len(edits))]
    same("edits", "list", edits, [(length * 1000 // units, time, rate) for length, time, rate, _ in told])
    same("edits", "pictures", pictures(edited), pictures(written))
    report = remux(edited, work / "edited.flv")[1]
    same("edits", "warnings for FLV", True, "edit list has 3 parts" in report)


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "titles.srt").write_text(TITLES)
        (work / "chapters.txt").write_text(CHAPTERS)
        inputs = [*VIDEO, *SOUND, "-i", work / "titles.srt", "-i", work / "chapters.txt", "-map", "0", "-map", "1",
                  "-map", "2", "-map_metadata", "3", "-map_chapters", "3", "-metadata:s:s", "language=deu"]
        bright = ["-pix_fmt", "yuv420p10le",
                  "-vf", "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"]
        sources = {
            "movie.mp4": [*HEVC, X265, "-c:a", "aac", "-c:s", "mov_text", "-disposition:s:0", "forced", *TIMECODE,
                          "-vf", "setsar=4/3"],
            "movie.mov": [*HEVC, X265 + LIGHT, *bright, *BARE, "-c:a", "aac", "-c:s", "mov_text", *TIMECODE],
            "sound.mov": [*HEVC, X265, "-c:a", "pcm_s24le", "-c:s", "mov_text", *TIMECODE],
        }
        for name, options in sources.items():
            source = work / name
            run("ffmpeg", "-y", "-v", "error", *inputs, *options, "-movie_timescale", "192000", source)
            check(work, source, "mov")
            # Uncompressed sound has another entry outside of QuickTime, which `check_forms` looks at.
            if name != "sound.mov":
                check(work, source, "mp4")
        check_refusals(work, work / "movie.mp4")
        check_start(work, work / "movie.mp4")
        check_sound(work)
        check_forms(work)
        run("ffmpeg", "-y", "-v", "error", *VIDEO, *HEVC, X265, work / "plain.mp4")
        check_edits(work, work / "plain.mp4")
    print(f"{len(sources)} movies with everything are the same in another")


main()
