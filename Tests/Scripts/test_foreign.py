# SPDX-License-Identifier: MIT
"""What `apus remux` takes out of containers of others is what FFmpeg finds in them, sample by sample."""

import json
import random
import re
import tempfile
import pathlib

import pytest

from once import once
from programs import APUS, FFMPEG, completed, ffmpeg, printed, run, same

PICTURES = ["-f", "lavfi", "-i", "testsrc2=s=320x184:r={rate}:d=3"]
SOUND = ["-f", "lavfi", "-i", "sine=d=3:r={sound}"]


def hevc(parameters="keyint=25:bframes=4:b-pyramid=1", *more):
    return ["-c:v", "libx265", "-preset", "fast", "-x265-params", f"log-level=error:{parameters}", *more]


def avc(*more):
    return ["-c:v", "libx264", "-preset", "fast", "-g", "30", "-bf", "3", "-pix_fmt", "yuv420p", *more]


AAC = ["-c:a", "aac"]

# What each file is made with; the rate of its pictures and of its sound.
SOURCES = {
    "hevc.mkv": (hevc() + AAC, "25", "44100"),
    "hevc10.mkv": (hevc("keyint=30:bframes=3", "-pix_fmt", "yuv420p10le") + AAC, "30000/1001", "48000"),
    "hevc.ts": (hevc() + AAC, "25", "44100"),
    "hevc10.ts": (hevc("keyint=30:bframes=3", "-pix_fmt", "yuv420p10le") + AAC, "30000/1001", "48000"),
    "hevc.m2ts": (hevc() + ["-c:a", "ac3"], "25", "48000"),
    "open-gop.ts": (hevc("keyint=20:min-keyint=20:open-gop=1:bframes=5:b-adapt=0") + AAC, "25", "44100"),
    "no-b.ts": (hevc("keyint=25:bframes=0") + ["-c:a", "mp2"], "50", "48000"),
    "latm.ts": (avc() + AAC + ["-mpegts_flags", "latm"], "25", "44100"),
    "avc.mkv": (avc() + ["-c:a", "libopus"], "25", "48000"),
    "avc-flac.mkv": (avc() + ["-c:a", "flac"], "25", "44100"),
    "avc.ts": (avc() + AAC, "25", "44100"),
    "avc-interlaced.ts": (avc("-flags", "+ildct+ilme", "-x264-params", "tff=1") + AAC, "25", "48000"),
    "avc-eac3.ts": (avc() + ["-c:a", "eac3"], "25", "48000"),
    "avc.mpg": (avc() + ["-c:a", "ac3", "-f", "vob"], "25", "48000"),
    # In it, libavformat says the times of one picture twice.
    "avc-repeats.mpg": (avc("-qp", "23", "-threads", "1") + ["-c:a", "ac3", "-b:a", "192k", "-f", "vob"], "25",
                        "48000"),
    "avc.avi": (avc() + ["-bsf:v", "h264_mp4toannexb", "-c:a", "libmp3lame"], "25", "44100"),
    "avc-no-b.avi": (avc("-bf", "0") + ["-bsf:v", "h264_mp4toannexb"] + AAC, "25", "44100"),
    "hevc.avi": (hevc() + ["-tag:v", "H265", "-bsf:v", "hevc_mp4toannexb", "-c:a", "libmp3lame"], "25", "44100"),
    "vp9.webm": (["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"], "25", "48000"),
    "avc.nut": (avc() + AAC, "25", "44100"),
}
# Sound that the targets do not hold is left out.
SILENT = {"no-b.ts"}
SETS = {"hevc": "32-34", "h264": "7|8"}


def make(folder, name):
    options, rate, sound = SOURCES[name]
    inputs = [part.format(rate=rate, sound=sound) for part in PICTURES + SOUND]
    ffmpeg(*inputs, "-shortest", *options, "-metadata:s:a", "language=deu", folder / name)
    return folder / name


class Sources:
    """The files by their names, each made when the first case asks for it."""

    def __init__(self, folder):
        self.folder = folder

    def __truediv__(self, name):
        path = self.folder / name
        return path if path.exists() else make(self.folder, name)


@pytest.fixture(scope="module")
def made(work):
    return Sources(work)


def remux(source, target, *options):
    run(APUS, "remux", "--quiet", "--on-exists", "replace", source, "-o", target, *options)
    return target


@once
def probe(file):
    """All that ffprobe says of a file, which takes it no longer than to say a part."""
    return json.loads(printed("ffprobe", "-v", "error", "-show_streams", "-show_entries",
                          "packet=stream_index,pts_time,dts_time", "-of", "json", file))


def streams(file):
    return probe(file)["streams"]


def times(file, kind):
    """Decoding and presentation of each packet in seconds."""
    index = next(s["index"] for s in streams(file) if s["codec_type"] == {"v": "video", "a": "audio"}[kind])
    return [(packet.get("dts_time"), packet.get("pts_time")) for packet in probe(file)["packets"]
            if packet["stream_index"] == index]


def column(text):
    return [line.split(",")[5].strip() for line in text.splitlines() if not line.startswith("#")]


def packets(kind, codec):
    """What writes the digest of each packet, parameter sets of byte streams left out, headers of AAC too."""
    filters = []
    if codec in SETS:
        # Records and byte streams become one form.
        filters = ["-bsf:v", f"{codec}_mp4toannexb,filter_units=remove_types={SETS[codec]}"]
    elif codec == "aac":
        filters = ["-bsf:a", "aac_adtstoasc"]
    return ["-map", f"0:{kind}:0", "-c", "copy", *filters, "-f", "framemd5"]


def digests(file, *wanted):
    """Of the packets of these kinds and codecs; FFmpeg takes longer to start than to read."""
    with tempfile.TemporaryDirectory() as folder:
        outputs = [f"{folder}/{number}" for number in range(len(wanted))]
        words = [word for (kind, codec), output in zip(wanted, outputs) for word in [*packets(kind, codec), output]]
        ffmpeg("-copyts", "-i", file, *words)
        return [column(pathlib.Path(output).read_text()) for output in outputs]


@once
def pictures(file):
    return column(run(FFMPEG, "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"))


def shown(found):
    """Times of presentation in their order, from the first on."""
    values = sorted(float(time) for _, time in found)
    return [value - values[0] for value in values]


def near(name, what, expected, found, tolerance):
    same(name, f"number of {what}", len(expected), len(found))
    for index, (left, right) in enumerate(zip(expected, found)):
        assert abs(left - right) <= tolerance, f"{name}: {what} differ at {index}: {left} was expected, {right} found"


@pytest.mark.parametrize("name", SOURCES)
def test_a_foreign_file_gives_its_samples_times_and_pictures(made, folder, name):
    source, work = made / name, folder
    video, audio = (next((s for s in streams(source) if s["codec_type"] == kind), None) for kind in ["video", "audio"])
    codec = video["codec_name"]
    expected = pictures(source)
    # Pictures without times of presentation are shown where they are decoded, one in the place of another.
    said = times(source, "v")
    has_times = all(shown for _, shown in said)
    if has_times:
        wanted = shown(said)
    elif all(decoded for decoded, _ in said):
        wanted = shown([(None, decoded) for decoded, _ in said])
    else:
        wanted = [index / 25 for index in range(len(said))]
    # FFmpeg cannot take frames out of LATM without decoding them.
    latm = audio["codec_name"] == "aac_latm"
    wanted_digests = [("v", codec)]
    if name not in SILENT and not latm:
        wanted_digests.append(("a", audio["codec_name"]))
    samples = digests(source, *wanted_digests)
    heard = sound(source) if latm else None
    for form, ending in [("mp4", "mp4"), ("mov", "mov"), ("fmp4", "mp4")]:
        if form == "mov" and codec == "vp9":
            continue
        movie = remux(source, work / f"{name}.{form}.{ending}", "--format", form)
        same(name, f"pictures in {form}", expected, pictures(movie))
        for (kind, _), left, right in zip(wanted_digests, samples, digests(movie, *wanted_digests)):
            same(name, f"{'samples' if kind == 'v' else 'sound'} in {form}", left, right)
        found = times(movie, "v")
        near(name, f"presentation times in {form}", wanted, shown(found), 0.0006)
        decoded = [float(time) for time, _ in found]
        same(name, f"rising decoding times in {form}", sorted(set(decoded)), decoded)
        late = [pair for pair in found if float(pair[0]) > float(pair[1])]
        same(name, f"pictures decoded after they are shown in {form}", [], late)
        if name in SILENT:
            continue
        if latm:
            same(name, f"sound in {form}", heard, sound(movie))
        if "language" in audio.get("tags", {}):
            tracks = [s for s in streams(movie) if s["codec_type"] == "audio"]
            same(name, f"language in {form}", audio["tags"]["language"], tracks[0]["tags"].get("language"))
        check_sync(name, source, movie, form, has_times)
    if codec in SETS:
        bare = remux(source, work / f"{name}.{codec}", "--format", "hevc")
        same(name, "pictures in the bare stream", expected, pictures(bare))
        flv = remux(source, work / f"{name}.flv")
        same(name, "pictures in FLV", expected, pictures(flv))


@once
def sound(file):
    text = run(FFMPEG, "-i", file, "-map", "0:a:0", "-f", "md5", "-")
    return text


def check_sync(name, source, movie, form, has_times):
    """Sound is as far from the pictures as it was, and its frames are as long as each other."""
    if not has_times:
        return
    apart = []
    for file in [source, movie]:
        first = min(float(time) for _, time in times(file, "v"))
        apart.append(float(times(file, "a")[0][1]) - first)
    near(name, f"beginning of sound in {form}", apart[:1], apart[1:], 0.0015)
    near(name, f"times of sound in {form}", shown(times(source, "a")), shown(times(movie, "a")), 0.0015)


def test_chapters_titles_languages_and_dispositions_go_along(made, folder):
    """Chapters, titles, languages and dispositions go along."""
    chapters = folder / "chapters.txt"
    chapters.write_text(";FFMETADATA1\ntitle=A day out\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n"
                        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=3000\ntitle=Two\n")
    source = folder / "details.mkv"
    ffmpeg("-i", made / "hevc.mkv", "-i", chapters, "-map", "0:v", "-map", "0:a",
        "-map", "0:a", "-map_metadata", "1", "-map_chapters", "1", "-c", "copy", "-metadata:s:a:1", "language=fra",
        source)
    movie = remux(source, folder / "details.mp4")
    said = json.loads(printed("ffprobe", "-v", "error", "-show_chapters", "-show_format", "-show_streams", "-of", "json",
                          movie))
    same("details.mkv", "chapters", [("0.000000", "One"), ("1.000000", "Two")],
         [(c["start_time"], c["tags"]["title"]) for c in said["chapters"]])
    same("details.mkv", "title", "A day out", said["format"]["tags"].get("title"))
    languages = [s["tags"]["language"] for s in said["streams"] if s["codec_type"] == "audio"]
    same("details.mkv", "languages", ["deu", "fra"], languages)


def test_mp3_that_begins_inside_of_a_frame_begins_with_the_first_whole_one(made, folder):
    """MP3 that begins inside of a frame begins with the first whole one."""
    data = bytearray((made / "avc.avi").read_bytes())
    start = data.index(b"01wb", data.index(b"movi")) + 8
    data[start : start + 100] = bytes(100)
    source = folder / "begun.avi"
    source.write_bytes(data)
    [said] = digests(source, ("a", "mp3"))
    for ending in ["mp4", "flv", "ts", "mkv"]:
        movie = remux(source, folder / f"begun.{ending}")
        [found] = digests(movie, ("a", "mp3"))
        missing = len(said) - len(found)
        same(f"begun.{ending}", "sound", said[missing:], found)
        same(f"begun.{ending}", "few frames missing", True, 0 < missing < 4)
        again = remux(movie, folder / f"again-{ending}.mp4")
        for file in [movie, again]:
            noise = run(FFMPEG, "-v", "warning", "-i", file, "-map", "0:a", "-f", "null", "-", status=None)
            same(file.name, "complaints of FFmpeg", [], re.findall("Header missing|invalid", noise))


def test_a_bare_stream_of_av1_becomes_what_ffmpeg_writes(folder):
    """A bare stream of AV1 has no configuration; its sequence header says what FFmpeg writes."""
    source = folder / "av1.ivf"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-c:v", "libaom-av1", "-cpu-used",
        "8", "-row-mt", "1", source)
    for ending in ["mp4", "mkv"]:
        wanted, found = folder / f"wanted-av1.{ending}", remux(source, folder / f"av1.{ending}")
        ffmpeg("-i", source, "-c", "copy", wanted)
        for what in [["-show_entries", "stream=codec_name,profile,level,width,height,pix_fmt,extradata_hash"],
                     ["-show_entries", "packet=flags,data_hash"]]:
            said = [printed("ffprobe", "-v", "error", "-show_data_hash", "md5", *what, "-of", "compact", file).splitlines()
                    for file in [wanted, found]]
            same(f"av1.{ending}", " ".join(what), *said)
    found = remux(source, folder / "av1.flv")
    same("av1.flv", "pictures", pictures(source), pictures(found))
    run(APUS, "flv", "check", found)
    back = remux(folder / "av1.flv", folder / "back.mp4")
    same("av1.flv", "pictures in the movie made of it", pictures(source), pictures(back))


def test_subtitles_that_nobody_chose_stay_so(made, folder):
    """Subtitles that nobody chose stay so, there and back; a language of two letters is that of three."""
    titles = folder / "titles.srt"
    titles.write_text("1\n00:00:00,500 --> 00:00:01,500\nOne\n")
    source = folder / "titles.mkv"
    ffmpeg("-i", made / "hevc.mkv", "-i", titles, "-i", titles, "-map", "0", "-map", "1",
        "-map", "2", "-c", "copy", "-c:s", "srt", "-disposition:v", "default", "-disposition:a", "default",
        "-disposition:s:0", "0", "-disposition:s:1", "0", "-metadata:s:s:0", "language=en", "-metadata:s:s:1", "language=pt-BR", source)
    movie = remux(source, folder / "titles.mp4")
    for file in [source, movie, remux(movie, folder / "titles-back.mkv"), remux(source, folder / "titles-again.mkv"),
                 remux(source, folder / "titles.mov")]:
        same(file.name, "tracks that are played unasked", [1, 1, 0, 0], [s["disposition"]["default"] for s in streams(file)])
    languages = [s["tags"].get("language") for s in streams(movie)[2:]]
    same("titles.mp4", "languages", ["eng", "por"], languages)
    same("titles.mp4", "extended language", ["pt-BR"], re.findall(r'extended_language="?([^"\s]+)', run(APUS, "inspect", movie)))
    again = [s["tags"].get("language") for s in streams(folder / "titles-again.mkv")[2:]]
    same("titles-again.mkv", "languages", ["en", "pt-BR"], again)
    back = [s["tags"].get("language") for s in streams(folder / "titles-back.mkv")[2:]]
    same("titles-back.mkv", "languages", ["eng", "pt-BR"], back)


NUMBERS = [("mov", 0, "eng"), ("mov", 11, "jpn"), ("mp4", 0, None), ("mp4", 2, "deu")]


@pytest.mark.parametrize("ending, number, language", NUMBERS)
def test_languages_that_quicktime_numbers_are_named(made, folder, ending, number, language):
    """QuickTime numbers languages; 0 is English in its own files, and nothing in those of others."""
    source = folder / f"numbered.{ending}"
    ffmpeg("-i", made / "hevc.mkv", "-map", "0:a", "-c", "copy", source)
    data = bytearray(source.read_bytes())
    place = data.index(b"mdhd") + 4 + 20
    data[place:place + 2] = number.to_bytes(2, "big")
    source.write_bytes(data)
    for target in ["mp4", "mkv"]:
        found = streams(remux(source, folder / f"of-{ending}-{number}.{target}"))[0].get("tags", {}).get("language", "und")
        same(source.name, f"language {number} in {target}", language or "und", found)


def test_a_clock_that_wraps_goes_on(made, folder):
    """After 2^33 ticks."""
    plain = made / "avc.ts"
    wanted = shown(times(plain, "v"))
    wrapping = folder / "wrapping.ts"
    # 2^33 / 90000 s less one second and a half.
    ffmpeg("-i", plain, "-c", "copy", "-copyts", "-output_ts_offset", "95441.1", "-muxdelay", "0", wrapping)
    movie = remux(wrapping, folder / "wrapping.mp4")
    near("wrapping.ts", "presentation times", wanted, shown(times(movie, "v")), 0.0006)


def test_a_clock_that_jumps_goes_on(made, folder):
    plain, work = made / "avc.ts", folder
    wanted = shown(times(plain, "v"))
    twice = work / "twice.ts"
    twice.write_bytes(plain.read_bytes() * 2)
    done = completed(APUS, "remux", "--json", "--on-exists", "replace", twice, "-o", work / "twice.mp4", status=None)
    report = json.loads(done.stdout)
    same("twice.ts", "mention of the second beginning", True, any("timestamps restarted" in w for w in report["warnings"]))
    found = shown(times(work / "twice.mp4", "v"))
    near("twice.ts", "presentation times", wanted + [wanted[-1] + 0.04 + time for time in wanted], found, 0.05)


def test_a_stream_that_begins_inside_a_group_of_pictures_begins_at_the_next_one(made, folder):
    plain, work = made / "avc.ts", folder
    cut = work / "cut.ts"
    packets = plain.read_bytes()
    middle = len(packets) // 188 // 4 * 188
    cut.write_bytes(packets[:188 * 3] + packets[middle:])
    movie = remux(cut, work / "cut.mp4")
    tail = pictures(plain)
    found = pictures(movie)
    same("cut.ts", "pictures from the next key frame on", tail[len(tail) - len(found):], found)
    same("cut.ts", "number of them", True, 0 < len(found) < len(tail))


CHANGES = [("ts", hevc("keyint=25:bframes=2"), "hvc1"), ("ts", avc(), "avc1"), ("264", avc("-bf", "0"), "avc1")]


@pytest.mark.parametrize("ending, coding, entry", CHANGES)
def test_other_parameter_sets_become_another_sample_entry(folder, ending, coding, entry):
    """Other parameter sets in the middle of a stream become another sample entry, however early they come."""
    parts = []
    for size, start in [("160x96", "0"), ("320x192", "3")]:
        parts.append(folder / f"{size}.{ending}")
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={size}:r=25:d=2", *coding, "-output_ts_offset", start,
               "-muxdelay", "0", parts[-1])
    both, movie = folder / f"both-{entry}.{ending}", folder / f"both-{entry}-{ending}.mp4"
    both.write_bytes(b"".join(part.read_bytes() for part in parts))
    done = completed(APUS, "remux", "--json", "--on-exists", "replace", both, "-o", movie, status=None)
    report = json.loads(done.stdout)
    same(both.name, "changes of format", 1, report["tracks"][0]["format_changes"])
    same(both.name, "pictures", 100, report["tracks"][0]["samples"])
    entries = re.findall(rf"{entry} @.* width=(\d+)", run(APUS, "inspect", movie))
    same(both.name, "widths of sample entries", ["160", "320"], entries)
    same(both.name, "pictures", pictures(both), pictures(movie))


def test_what_has_no_place_in_a_movie_is_refused_in_so_many_words(folder):
    """What has no place in a movie is refused in so many words."""
    old = folder / "old.wmv"
    ffmpeg(*[p.format(rate=25, sound=44100) for p in PICTURES + SOUND], "-c:v", "wmv2", "-c:a", "wmav2",
           old)
    done = completed(APUS, "remux", old, "-o", folder / "old.mp4", status=None)
    same("old.wmv", "exit status", 1, done.returncode)
    same("old.wmv", "reason", True, "no known sample entry" in done.stderr.decode())


def test_a_file_that_names_others_is_refused(made, folder):
    work = folder
    concat = work / "list.unknown"
    concat.write_text(f"ffconcat version 1.0\nfile '{made / 'avc.ts'}'\n")
    done = completed(APUS, "remux", concat, "-o", work / "list.mp4", status=None)
    same("list.unknown", "exit status", 1, done.returncode)
    same("list.unknown", "file made of others", False, (work / "list.mp4").exists())


def test_whatever_is_broken_nothing_crashes_and_nothing_half_made_gets_the_name(made, folder):
    """Whatever is broken in a container, nothing crashes, and nothing half-made takes the name of the target."""
    chance = random.Random(6)
    target = folder / "damaged.mp4"
    written = 0
    for name in ["hevc.ts", "avc.ts", "hevc.mkv", "avc.avi", "latm.ts"]:
        whole = (made / name).read_bytes()
        for turn in range(12):
            broken = bytearray(whole)
            if turn % 3 == 0:
                broken = broken[: chance.randrange(len(broken))]
            for _ in range(0 if turn % 3 == 0 else 2 ** (turn % 8)):
                broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
            file = folder / f"damaged-{name}"
            file.write_bytes(broken)
            target.unlink(missing_ok=True)
            done = completed(APUS, "remux", file, "-o", target, status=None)
            assert done.returncode in (0, 1, 3), f"{name}, turn {turn}: {done.returncode}: {done.stderr.decode()[-500:]}"
            same(name, "target where remuxing failed", done.returncode == 0, target.exists())
            written += target.exists()
    same("damage", "files that could be used", True, written > 10)
