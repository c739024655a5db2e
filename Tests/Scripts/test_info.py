# SPDX-License-Identifier: MIT
"""`apus info --json` says of files of other programs what ffprobe says, fact by fact, and it fits its schema."""

import json
import pathlib

import jsonschema
import pytest

import formats
from formats import HDR10, hevc
from exiftool import exiftool
from programs import APUS, FFMPEG, FIXTURES, ROOT, SCHEMAS, completed, ffmpeg, printed, run, same

VALIDATOR = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "info.schema.json").read_text()))
# The names that ffprobe has for what codec strings begin with.
CODECS = {
    "hevc": ("hvc1.", "hev1."), "h264": ("avc1.",), "aac": ("mp4a.40.2",), "ac3": ("ac-3",), "vp9": ("vp09.",),
    "av1": ("av01.",), "opus": ("opus",), "flac": ("flac",), "mp3": ("mp3",), "vorbis": ("vorbis",),
    "mp2": ("mp2",), "mpeg2video": ("mpeg2video",), "pcm_s16le": ("pcm_s16le", "sowt"),
}  # fmt: skip
# Code points of H.273 by ffprobe's names.
PRIMARIES = {"bt709": 1, "bt2020": 9}
TRANSFERS = {"bt709": 1, "smpte2084": 16}
MATRICES = {"bt709": 1, "bt2020nc": 9}
FIELDS = {"progressive": "progressive", "tt": "topFirst", "bb": "bottomFirst", "tb": "topFirst", "bt": "bottomFirst"}


def probe(file, *more):
    text = printed("ffprobe", "-v", "error", "-show_streams", "-show_format", "-count_packets", *more, "-of", "json", file)
    return json.loads(text)


def info(file, *options):
    """What info says, which fits the schema."""
    answer = json.loads(printed(APUS, "info", "--json", *options, file))
    errors = [f"{error.json_path}: {error.message[:200]}" for error in VALIDATOR.iter_errors(answer)]
    assert not errors, f"{answer['file']}: {errors[0]}"
    return answer


def fraction(text):
    over, under = map(int, text.split("/"))
    return over / under if under else 0


def near(place, fact, expected, found, tolerance):
    assert found is not None and abs(expected - found) <= tolerance, \
        f"{place}: {fact}: ffprobe says {expected}, info {found}, more than {tolerance} apart"


def packets(file, index):
    text = printed("ffprobe", "-v", "error", "-select_streams", index, "-show_entries",
               "packet=pts_time,dts_time,duration_time,size,flags", "-of", "json", file)
    return json.loads(text)["packets"]


def level(stream):
    number = stream["level"]
    return f"{number // 30}.{number % 30 // 3}" if stream["codec_name"] == "hevc" else f"{number // 10}.{number % 10}"


def compare_video(place, stream, track):
    same(place, "kind", "vide", track["handler"])
    aspect = stream.get("sample_aspect_ratio", "1:1").replace("0:1", "1:1")
    across, down = map(int, aspect.split(":"))
    same(place, "coded size", (stream["width"], stream["height"]), (track["coded_width"], track["coded_height"]))
    same(place, "shown size", (round(stream["width"] * across / down), stream["height"]),
         (track["display_width"], track["display_height"]))
    same(place, "sample aspect", aspect, track.get("sample_aspect", "1:1"))
    if stream["codec_name"] in ("hevc", "h264"):
        same(place, "profile", stream["profile"], track["profile"])
        same(place, "level", level(stream), track["level"])
    pixels = stream.get("pix_fmt", "")
    if "chroma" in track:
        same(place, "chroma", "4:2:0" if pixels.startswith("yuv420p") else pixels, track["chroma"])
        same(place, "bit depth", 10 if pixels.endswith("10le") else 8, track["bit_depth"])
    colour = track["colour"]
    for fact, name, numbers in [("primaries", "color_primaries", PRIMARIES), ("transfer", "color_transfer", TRANSFERS),
                                ("matrix", "color_space", MATRICES)]:
        if stream.get(name, "unknown") != "unknown":
            same(place, fact, numbers[stream[name]], colour.get(fact))
    if stream.get("color_transfer") == "smpte2084":
        same(place, "dynamic range", "HDR10", colour["dynamic_range"])
    if stream.get("field_order", "unknown") != "unknown" and "field_order" in track:
        same(place, "field order", FIELDS[stream["field_order"]], track["field_order"])
    near(place, "frame rate", fraction(stream["avg_frame_rate"]), track.get("frame_rate"), 0.01)


def compare_light(place, file, track):
    """Mastering and light values as ffprobe finds them in the first frame."""
    text = printed("ffprobe", "-v", "error", "-select_streams", "v:0", "-read_intervals", "%+#1", "-show_frames", "-of",
               "json", file)
    said = {data["side_data_type"]: data for data in json.loads(text)["frames"][0].get("side_data_list", [])}
    display = said.get("Mastering display metadata")
    light = said.get("Content light level metadata")
    same(place, "mastering display", display is not None, "mastering_max" in track["colour"])
    if display:
        near(place, "brightest", fraction(display["max_luminance"]), track["colour"]["mastering_max"], 0.001)
        near(place, "darkest", fraction(display["min_luminance"]), track["colour"]["mastering_min"], 0.0001)
    if light:
        same(place, "light", (light["max_content"], light["max_average"]),
             (track["colour"].get("max_cll"), track["colour"].get("max_fall")))


@pytest.fixture(scope="module")
def made(shared):
    """A folder of files of many formats."""
    return shared("formats", formats.make)


@pytest.mark.parametrize("name", formats.FILES)
def test_info_says_what_ffprobe_says(made, folder, name):
    file = made / name
    found = info(file)
    same(name, "size", file.stat().st_size, found["size"])
    if name in ("hevc.flv", "opus.flv", "flac.flv", "ac3.flv"):
        # Debian's ffprobe knows no enhanced Flash Video; it is asked of a copy that a current FFmpeg made.
        run(FFMPEG, "-y", "-v", "error", "-i", file, "-c", "copy", folder / "copy.mkv")
        file = folder / "copy.mkv"
    said = probe(file)
    tracks = found["tracks"]
    streams = said["streams"]
    same(name, "number of tracks", len(streams), len(tracks))
    # Flash Video has tracks in the order of their first tags; ffprobe puts pictures first there.
    order = {"video": "vide", "audio": "soun"}
    for index, stream in enumerate(streams):
        wanted = order[stream["codec_type"]]
        track = next((track for track in tracks if track["handler"] == wanted), None)
        place = f"{name} {stream['codec_type']}"
        assert track is not None, f"{place}: there is no such track"
        codec = track["codec"]
        assert codec.startswith(CODECS[stream["codec_name"]]), f"{place}: ffprobe says {stream['codec_name']}, info {codec}"
        if stream["codec_type"] == "video":
            compare_video(place, stream, track)
            if stream["codec_name"] == "hevc":
                compare_light(place, file, track)
        else:
            same(place, "channels", stream["channels"], track["channels"])
            same(place, "sampling rate", float(stream["sample_rate"]), track["sample_rate"])
        language = stream.get("tags", {}).get("language", "und")
        if language != "und":
            same(place, "language", language, track["language"])
        compare_packets(place, name, file, index, stream, track)


# What one sample of ours is; ffprobe's packets are others there.
OTHER_PACKETS = {"sound.wav"}


def compare_packets(place, name, file, index, stream, track):
    listed = packets(file, index)
    if name not in OTHER_PACKETS:
        same(place, "samples", len(listed), track["samples"])
    times = sorted(float(packet["pts_time"]) for packet in listed if "pts_time" in packet)
    if len(times) == len(listed) > 1:
        # Clocks of milliseconds round, and the last sample is as long as the one before where none says it.
        last = listed[-1].get("duration_time") or times[-1] - times[-2]
        near(place, "duration", times[-1] + float(last) - times[0], track["duration"], 0.03)
    if stream["codec_type"] == "video":
        keys = sum(packet["flags"].startswith("K") for packet in listed)
        same(place, "key frames", keys, track["key_frames"])
    # Byte streams repeat start codes, delimiters and sets, and AAC in them has headers.
    size = sum(int(packet["size"]) for packet in listed)
    slack = 0.15 if name.endswith((".ts", ".avi", ".h264", ".mpg")) else 0.001
    near(place, "bytes", size, track["bytes"], size * slack + 64)
    near(place, "bit rate", track["bytes"] * 8 / track["duration"], track["bit_rate"], 1)


def test_a_presentation_has_the_facts_of_its_movie(made, folder):
    """A presentation, its segments with --init, and the movie that it was made of have the same facts."""
    movie = info(made / "avc.mp4")
    ffmpeg("-i", made / "avc.mp4", "-c", "copy", "-f", "hls", "-hls_time", "1",
        "-hls_segment_type", "fmp4", "-hls_list_size", "0", folder / "list.m3u8")
    listed = info(folder / "list.m3u8")
    same("list.m3u8", "kind", "m3u8", listed["kind"])
    segment = info(folder / "list0.m4s", "--init", folder / "init.mp4")
    for place, found in [("list.m3u8", listed), ("list0.m4s", segment)]:
        same(place, "codecs", [track["codec"] for track in movie["tracks"]], [track["codec"] for track in found["tracks"]])
        for fact in ("coded_width", "display_height", "profile", "level", "frame_rate_fraction"):
            same(place, fact, movie["tracks"][0].get(fact), found["tracks"][0].get(fact))
    for fact in ("samples", "bytes"):
        same("list.m3u8", fact, movie["tracks"][0][fact], listed["tracks"][0][fact])
    same("list0.m4s", "size", (folder / "list0.m4s").stat().st_size, segment["size"])
    same("list0.m4s", "samples", len(packets_of_segment(folder)), segment["tracks"][0]["samples"])


def packets_of_segment(folder):
    both = folder / "both.mp4"
    both.write_bytes((folder / "init.mp4").read_bytes() + (folder / "list0.m4s").read_bytes())
    return packets(both, "v:0")


STILLS = [
    ("a.png", [], "rgb24"), ("b.png", ["-pix_fmt", "gray16be"], "gray16be"), ("a.jpg", ["-pix_fmt", "yuvj420p"], "4:2:0"),
    ("b.jpg", ["-pix_fmt", "yuvj444p"], "4:4:4"),
]  # fmt: skip


@pytest.mark.parametrize("name, options, pixels", STILLS)
def test_a_still_has_the_facts_that_ffprobe_finds(folder, name, options, pixels):
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=94x62", "-frames:v", "1", *options,
        folder / name)
    stream = probe(folder / name)["streams"][0]
    primary = info(folder / name)["picture"]["primary"]
    same(name, "size", (stream["width"], stream["height"]), (primary["coded_width"], primary["coded_height"]))
    same(name, "codec", {"png": "png", "mjpeg": "jpeg"}[stream["codec_name"]], primary["codec"])
    if name.endswith(".jpg"):
        same(name, "profile", stream["profile"], primary["profile"])
        same(name, "chroma", pixels, primary["chroma"])
    same(name, "bit depth", 16 if pixels == "gray16be" else 8, primary["bit_depth"])


DETAILS = ["details.mp4", "details.mkv", "details.flv"]


@pytest.mark.parametrize("name", DETAILS)
def test_writer_time_place_camera_and_chapters_are_what_ffprobe_finds(made, folder, name):
    """What wrote a file, when, where, with which camera; its chapters; what an edit list shows."""
    chapters = folder / "chapters.txt"
    chapters.write_text(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n"
                        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=3000\ntitle=Two\n")
    tags = {"creation_time": "2026-01-02T03:04:05Z", "location": "+52.5200+013.4050/", "make": "Maker", "model": "Model"}
    words = [word for name, value in tags.items() for word in ("-metadata", f"{name}={value}")]
    ffmpeg("-i", made / "avc.mp4", "-i", chapters, "-map", "0", "-map_chapters", "1",
        "-c", "copy", *words, folder / name)
    said = probe(folder / name, "-show_chapters")
    found = info(folder / name)
    told = {key.lower(): value for key, value in said["format"]["tags"].items()}
    same(name, "writer", told.get("encoder"), found.get("writer"))
    same(name, "created", told["creation_time"][:19], found.get("created", "")[:19])
    if "location" in told:
        same(name, "location", told["location"], found.get("location"))
    if "make" in told:
        same(name, "camera", (told["make"], told["model"]), (found.get("camera_make"), found.get("camera_model")))
    same(name, "chapters", [(float(c["start_time"]), c["tags"]["title"]) for c in said["chapters"]],
         [(c["start"], c["title"]) for c in found.get("chapters", [])])


def test_what_precedes_an_edit_list_is_kept_and_not_shown(made, folder):
    # Decoding needs it.
    ffmpeg("-ss", "0.5", "-i", made / "avc.mp4", "-c", "copy", folder / "cut.mp4")
    track = info(folder / "cut.mp4")["tracks"][0]
    shown = track["presentation_duration"]
    near("cut.mp4", "duration shown", float(probe(folder / "cut.mp4")["format"]["duration"]), shown, 0.05)
    assert shown < track["duration"] - 0.4, f"cut.mp4: {shown} s are shown of {track['duration']} s"


def test_camera_time_and_place_of_a_photo_are_what_exiftool_finds(folder):
    """With which camera, when and where photos were taken, beside what exiftool reads."""
    photo = FIXTURES / "photo.heic"
    for name in ("taken.webp", "taken.png"):
        run(APUS, "convert", photo, "-o", folder / name)
    stamped = []
    for order in ("MM", "II"):
        stamped.append(folder / f"stamped-{order}.jpg")
        run(APUS, "convert", photo, "-o", stamped[-1])
        exiftool("-q", "-overwrite_original", "-EXIF:all=", stamped[-1])
        exiftool("-q", "-overwrite_original", f"-ExifByteOrder={order}", "-Make=Maker", "-Model=Model",
            "-Software=Program 1", "-DateTimeOriginal=2026:01:02 03:04:05", "-OffsetTimeOriginal=-03:30",
            "-GPSLatitude=33.85679", "-GPSLatitudeRef=S", "-GPSLongitude=151.21530", "-GPSLongitudeRef=E",
            "-GPSAltitude=4.5", "-GPSAltitudeRef#=1", stamped[-1])
    photos = [file for file in sorted(FIXTURES.iterdir()) if file.suffix in {".heic", ".jpg", ".png"}]
    photos += [*stamped, folder / "taken.webp", folder / "taken.png"]
    corpus = ROOT.parent / "shared/corpus/heic-real"
    photos += sorted(file for file in corpus.glob("*") if file.suffix.lower() in {".heic", ".heif", ".hif"})
    tags = ["-EXIF:Make", "-EXIF:Model", "-EXIF:DateTimeOriginal", "-EXIF:OffsetTimeOriginal", "-GPSLatitude#", "-GPSLongitude#"]
    done = exiftool("-j", "-q", *tags, *photos, status=None)
    seen = {"Make": 0, "DateTimeOriginal": 0, "GPSLatitude": 0}
    for said in json.loads(done.stdout):
        file = pathlib.Path(said["SourceFile"])
        answer = completed(APUS, "info", "--json", file, status=None)
        if answer.returncode != 0:
            continue
        found = json.loads(answer.stdout)
        for tag, fact in (("Make", "camera_make"), ("Model", "camera_model")):
            same(file.name, fact, str(said.get(tag, "")).strip(), found.get(fact, "").strip())
        time = said.get("DateTimeOriginal", "")
        if time.strip() and not time.startswith("0000"):
            date, clock = time.split(" ")
            same(file.name, "created", f"{date.replace(':', '-')}T{clock}{said.get('OffsetTimeOriginal', '')}",
                 found.get("created"))
        # Where a phone knew no place, the fields are there and blank.
        if said.get("GPSLatitude", "") == "" or said.get("GPSLongitude", "") == "":
            same(file.name, "location", None, found.get("location"))
        else:
            place = found.get("location", "+99.9999+999.9999/")
            near(file.name, "latitude", float(said["GPSLatitude"]), float(place[:8]), 0.00006)
            near(file.name, "longitude", float(said["GPSLongitude"]), float(place[8:17]), 0.00006)
        for tag in seen:
            seen[tag] += said.get(tag, "") != ""
    for file in stamped:
        same(file.name, "location", "-33.8568+151.2153-4.5000/", info(file).get("location"))
        same(file.name, "software", "Program 1", info(file).get("camera_software"))
    assert all(seen.values()), f"of the photos too few say with which camera, when and where they were taken: {seen}"


def test_hdr10_plus_is_found_in_every_container_and_nowhere_else(made, folder):
    """HDR10+, which x265 puts into the pictures alone, is found in every container, and nowhere else."""
    light = {"AverageRGB": 1000, "MaxScl": [1000, 2000, 3000], "LuminanceDistributions": {
        "DistributionIndex": [1, 5, 10, 25, 50, 75, 90, 95, 99], "DistributionValues": [1, 2, 3, 4, 5, 6, 7, 8, 9]}}
    curve = {"Anchors": list(range(100, 1000, 100)), "KneePointX": 10, "KneePointY": 20}
    scenes = [{"BezierCurveData": curve, "LuminanceParameters": light, "NumberOfWindows": 1, "SceneFrameIndex": index,
               "TargetedSystemDisplayMaximumLuminance": 400, "SceneId": 0, "SequenceFrameIndex": index} for index in range(5)]
    (folder / "scenes.json").write_text(json.dumps({
        "JSONInfo": {"HDRProfile": "B", "Version": "1.0"}, "SceneInfo": scenes, "ToolInfo": {"Tool": "t", "Version": "1"},
        "SceneInfoSummary": {"SceneFirstFrameIndex": [0], "SceneFrameNumbers": [5]}}))
    run(FFMPEG, "-y", "-f", "lavfi", "-i", "testsrc2=s=320x184:r=25", "-frames:v", "5", "-pix_fmt", "yuv420p10le",
        *hevc(f"{HDR10}:dhdr10-info={folder / 'scenes.json'}"), folder / "scenes.mp4")
    for name in ["scenes.mp4", "scenes.mkv", "scenes.ts", "hdr10.mp4"]:
        place = made if name == "hdr10.mp4" else folder
        if name in ("scenes.mkv", "scenes.ts"):
            run(FFMPEG, "-y", "-i", folder / "scenes.mp4", "-c", "copy", folder / name)
        shown = run(FFMPEG, "-loglevel", "info", "-i", place / name, "-map", "0:v", "-frames:v", "1", "-vf", "showinfo", "-f",
                    "null", "-")
        video = next(track for track in info(place / name)["tracks"] if track["handler"] == "vide")
        same(name, "HDR10+", "SMPTE2094-40" in shown, video["colour"].get("hdr10_plus", False))
        same(name, "HDR10+ where it was put", name != "hdr10.mp4", "SMPTE2094-40" in shown)


@pytest.mark.parametrize("content", [b"no media at all\n" * 100, b""])
def test_what_is_no_media_file_is_refused(folder, content):
    file = folder / "words.mp4"
    file.write_bytes(content)
    done = completed(APUS, "info", "--json", file, status=1, text=True)
    assert not done.stdout
    assert "neither Apus nor libavformat knows" in done.stderr or "empty" in done.stderr


@pytest.mark.parametrize("file", [
    file for file in sorted(FIXTURES.iterdir()) if file.suffix in {".heic", ".heics", ".mp4", ".mov", ".flv", ".hevc"}
], ids=lambda file: file.name)
def test_an_answer_fits_its_schema(file):
    info(file)


@pytest.mark.parametrize("change", [{"tracks": None}, {"colours": 1}, {"kind": "movie"}, {"duration": "3"}])
def test_the_schema_takes_no_other_answer(change):
    answer = info(FIXTURES / "hvc1.mp4")
    VALIDATOR.check_schema(VALIDATOR.schema)
    assert not VALIDATOR.is_valid({**answer, **change})
