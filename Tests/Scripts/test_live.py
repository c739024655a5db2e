# SPDX-License-Identifier: MIT
"""Live Photos and exports: pairs are found, videos and pictures that are copied stay byte for byte, and exiftool and
ffprobe find in motion photos what was put there."""

import functools
import json
import pathlib
import shutil
import struct

import pytest

import jsonschema

from boxes import box, full, find, u16, u32
from exiftool import exiftool
from programs import APUS, FIXTURES, SCHEMAS, completed, ffmpeg

pytestmark = pytest.mark.apart
ONE = "11111111-2222-3333-4444-555555555555"
OTHER = "99999999-2222-3333-4444-555555555555"


def output(*command, status=0):
    return completed(*command, status=status).stdout


@functools.cache
def validator(name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def lines(*words, status=0):
    """The lines that a verb prints, each of which fits its schema; by the name of the photo, the last under None."""
    found = {}
    for line in output(APUS, *words, "--json", status=status).splitlines():
        line = json.loads(line)
        validator(words[0]).validate(line)
        found[pathlib.Path(line["input"]).name if "input" in line else None] = line
    return found


# Making


def entry(tag, kind, count, value):
    return struct.pack(">HHII", tag, kind, count, value)


def exif(identifier):
    """Exif as an iPhone writes it: Make, and a maker note with the identifier (0x11) and a headroom (0x21, 0x30)."""
    text = identifier.encode() + b"\0"
    head = b"Apple iOS\0\0\1MM" + u16(3)
    data = len(head) + 36 + 4
    numbers = entry(0x21, 10, 1, data + len(text)) + entry(0x30, 10, 1, data + len(text) + 8)
    note = head + entry(0x11, 2, len(text), data) + numbers + bytes(4) + text
    note += struct.pack(">4i", 0x1028AA, 0x0FFFB5, 0x3CB, 0x4DF33)
    make = b"Apple\0"
    place = 8 + 2 + 24 + 4
    first = u16(2) + entry(0x10F, 2, len(make), place) + entry(0x8769, 4, 1, place + len(make)) + bytes(4)
    second = u16(1) + entry(0x927C, 7, len(note), place + len(make) + 18) + bytes(4)
    return b"MM\0*" + u32(8) + first + make + second + note


def photo(fixture, path, identifier=None):
    """A fixture with the Exif above, put into it by exiftool."""
    shutil.copy(FIXTURES / fixture, path)
    if identifier is None:
        return
    block = path.parent / "block.exif"
    block.write_bytes(exif(identifier))
    exiftool("-q", "-overwrite_original", f"-Exif<={block}", path)
    block.unlink()
    found = exiftool("-s3", "-MediaGroupUUID", "-ContentIdentifier", path).stdout.split()
    assert found[:1] == [identifier.encode()], f"exiftool finds no identifier in {path}"


def still_track(seconds):
    """A track whose only sample says when the picture was taken (`com.apple.quicktime.still-image-time`)."""
    key = box("keyd", b"mdta", b"com.apple.quicktime.still-image-time")
    keys = box("keys", box("\0\0\0\1", key, box("dtyp", u32(0), u32(65))))
    entry_ = box("mebx", bytes(6), u16(1), keys)
    table = box(
        "stbl",
        full("stsd", 0, 0, u32(1), entry_),
        full("stts", 0, 0, u32(1), u32(1), u32(1)),
        full("stsc", 0, 0, u32(1), u32(1), u32(1), u32(1)),
        full("stsz", 0, 0, u32(9), u32(1)),
        full("stco", 0, 0, u32(1), u32(36)),
    )
    unity = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    header = full("tkhd", 0, 1, u32(0), u32(0), u32(9), u32(0), u32(round(seconds * 1000) + 100), bytes(16), unity, bytes(8))
    edits = u32(2) + u32(round(seconds * 1000)) + b"\xff" * 4 + u32(0x10000) + u32(100) + u32(0) + u32(0x10000)
    media = box(
        "mdia",
        full("mdhd", 0, 0, u32(0), u32(0), u32(600), u32(60), u16(0x55C4), u16(0)),
        full("hdlr", 0, 0, b"mhlr", b"meta", bytes(12), b"\0"),
        box("minf", box("gmhd", full("gmin", 0, 0, bytes(12))), table),
    )
    return box("trak", header, box("edts", full("elst", 0, 0, edits)), media)


def movie(path, identifier=None, seconds=1, codec="libx264", still=None, name="mov"):
    words = ["-movflags", "use_metadata_tags", "-metadata", f"com.apple.quicktime.content.identifier={identifier}"]
    ffmpeg(
        "-f", "lavfi", "-i", f"testsrc=s=64x48:r=10:d={seconds}", "-c:v", codec,
        *(["-x265-params", "log-level=none", "-tag:v", "hvc1"] if codec == "libx265" else []),
        "-pix_fmt", "yuv420p", *(words if identifier else []), "-f", name, path,
    )
    if still is None:
        return
    data = path.read_bytes()
    start, _, stop = find(data, "moov")
    track = still_track(still)
    path.write_bytes(data[:start] + u32(stop - start + len(track)) + data[start + 4 : stop] + track + data[stop:])


# Judging


def announced(path):
    """What exiftool finds of the files after a JPEG: the order, the lengths, and when the picture was taken."""
    tags = json.loads(exiftool("-j", "-struct", "-XMP-GCamera:all", "-XMP-Container:all", "-XMP-GContainer:all",
                               path).stdout)[0]
    items = [item["Item"] if "Item" in item else item for item in tags.get("ContainerDirectory", tags.get("Directory", []))]
    return [(item["Semantic"], item.get("Length", 0)) for item in items], tags


def motion_photo(path, video, stamp, gain_map):
    """Expects a motion photo that holds the video at its end, the gain map before that where the index says, and a picture."""
    data, clip = path.read_bytes(), video.read_bytes()
    assert data.endswith(clip), f"{path.name} does not end with its video"
    items, tags = announced(path)
    wanted = ["Primary", *(["GainMap"] if gain_map else []), "MotionPhoto"]
    assert [item[0] for item in items] == wanted, f"{path.name} lists {items}"
    assert dict(items).get("MotionPhoto") == len(clip), f"{path.name} says its video has other bytes: {items}"
    assert tags.get("MotionPhoto") == 1 and tags.get("MotionPhotoPresentationTimestampUs") == stamp, f"{path.name}: {tags}"
    end = len(data) - len(clip)
    if gain_map:
        second = exiftool("-b", "-MPImage2", path).stdout
        assert second[:3] == b"\xff\xd8\xff" and data[:end].endswith(second), \
            f"the gain map of {path.name} is not before its video"
        if "GainMap" in dict(items):
            assert len(second) == dict(items)["GainMap"], f"{path.name}: {items}, and the index says {len(second)}"
        end -= len(second)
    assert data[end - 2 : end] == b"\xff\xd9", f"the picture of {path.name} does not end where it should"
    piece = path.with_suffix(".cut.mov")
    piece.write_bytes(data[len(data) - len(clip) :])
    facts = ["ffprobe", "-v", "error", "-show_entries", "stream=width,nb_frames", "-of", "csv=p=0"]
    assert output(*facts, piece) == output(*facts, video) and output(*facts, video), f"no video in {path.name}"
    piece.unlink()
    ffmpeg("-xerror", "-i", path, "-f", "null", "-")


def make_album(folder):
    (folder / "deep").mkdir()
    # By identifier under the same name, with a gain map; by identifier under another name; not at all, although called
    # alike; by name as a guess; too long for a guess; alone.
    photo("gain-map-tmap.heic", folder / "IMG_1.HEIC", ONE)
    movie(folder / "IMG_1.MOV", ONE, still=0.4)
    photo("photo.heic", folder / "IMG_2.HEIC", OTHER)
    movie(folder / "other.mov", OTHER)
    movie(folder / "IMG_2.mov", ONE)
    photo("still-64x48.heic", folder / "deep" / "IMG_3.heic")
    movie(folder / "deep" / "img_3.mp4", name="mp4")
    photo("still-64x48.heic", folder / "deep" / "IMG_4.heic")
    movie(folder / "deep" / "IMG_4.mov", seconds=11)
    photo("still-64x48.heic", folder / "IMG_5.heic")


@pytest.fixture
def album(shared, folder):
    """A copy of a folder with halves of Live Photos."""
    shutil.copytree(shared("live", make_album), folder / "in")
    return folder / "in"


# The video that belongs to each photo, and the reason.
PAIRS = {
    "IMG_1.HEIC": ("IMG_1.MOV", "content-identifier"),
    "IMG_2.HEIC": ("other.mov", "content-identifier"),
    "IMG_3.heic": ("img_3.mp4", "name"),
    "IMG_4.heic": None,
    "IMG_5.heic": None,
}


@pytest.mark.parametrize("choice, outcome", [("keep", "kept"), ("motion-photo", "appended"), ("drop", "dropped")])
def test_videos_that_belong_to_photos_are_kept_appended_or_dropped(album, folder, choice, outcome):
    source = album
    out = folder / choice
    words = ["convert", "-r", source, "-o", f"{out}/", "--live", choice]
    plans = [json.loads(line) for line in output(APUS, *words, "--dry-run", "-v", "--json").splitlines()]
    planned = {pathlib.Path(plan["input"]).name: plan.get("live") for plan in plans}
    found = lines(*words)
    assert planned == {name: found[name].get("live") for name in PAIRS}, f"{choice}: planned is {planned}"
    assert found[None]["summary"]["converted"] == 5, f"{choice}: {found[None]}"
    assert found[None]["summary"]["failed"] + found[None]["summary"]["skipped"] == 0, f"{choice}: {found[None]}"
    for name, pair in PAIRS.items():
        live = found[name].get("live")
        told = live and (pathlib.Path(live["video"]).name, live["paired_by"])
        assert told == pair, f"{choice}: {name} goes with {told}, not {pair}"
        assert not live or live["outcome"] == outcome, f"{choice}: {name}: {live}"
        guess = any("because of its name only" in warning for warning in found[name]["warnings"])
        assert guess == bool(pair and pair[1] == "name"), f"{choice}: {name}: {found[name]['warnings']}"
        if choice == "keep" and live:
            assert pathlib.Path(live["output"]).read_bytes() == pathlib.Path(live["video"]).read_bytes(), \
                f"{name}: {live['output']} is not the video"
    movies = sorted(path.name for path in out.rglob("*") if path.is_file() and path.suffix != ".jpg")
    kept = ["IMG_1.MOV", "IMG_2.mov", "IMG_3.mp4"] if choice == "keep" else []
    assert movies == kept, f"{choice}: {movies}"
    again = lines("convert", "-r", source, "-o", f"{out}/", "--live", choice, status=3)
    assert again[None]["summary"]["skipped"] == 5, f"{choice} again: {again[None]}"
    if choice == "motion-photo":
        motion_photo(out / "IMG_1.jpg", source / "IMG_1.MOV", 400_000, True)
        motion_photo(out / "IMG_2.jpg", source / "other.mov", -1, False)
        motion_photo(out / "deep/IMG_3.jpg", source / "deep/img_3.mp4", -1, False)


def test_a_video_that_is_missing_next_to_an_output_is_copied_later(album, folder):
    words = ["convert", "-r", album, "-o", f"{folder / 'keep'}/", "--live", "keep"]
    lines(*words)
    (folder / "keep/IMG_1.MOV").unlink()
    lines(*words)
    assert (folder / "keep/IMG_1.MOV").read_bytes() == (album / "IMG_1.MOV").read_bytes()


def test_isolated_processes_make_the_same_motion_photos(album, folder):
    for place, words in [("together", []), ("apart", ["--isolate"])]:
        lines("convert", "-r", album, "-o", f"{folder / place}/", "--live", "motion-photo", *words)
    for path in sorted((folder / "together").rglob("*.jpg")):
        same = folder / "apart" / path.relative_to(folder / "together")
        assert same.read_bytes() == path.read_bytes(), f"{path.name} is another with --isolate"


def test_a_video_stays_in_its_place_if_the_output_is_next_to_the_photo(album):
    beside = lines("convert", album / "IMG_1.HEIC", album / "IMG_1.MOV", "--live", "keep")
    assert beside["IMG_1.HEIC"]["live"]["output"] == str(album / "IMG_1.MOV"), beside
    assert beside[None]["summary"]["converted"] == 1 and beside[None]["summary"]["failed"] == 0, beside[None]


def test_a_video_that_may_hold_coordinates_is_not_kept_if_they_are_stripped(album, folder):
    output(APUS, "convert", "-r", album, "-o", f"{folder / 'stripped'}/", "--live", "keep", "--strip", "gps", status=2)


@pytest.mark.parametrize("choice", ["keep", "motion-photo", "drop"])
def test_the_video_in_a_heic_comes_out_next_to_the_jpeg_or_after_it(folder, choice):
    wanted, out = exiftool("-b", "-MotionPhotoVideo", FIXTURES / "portrait.heic").stdout, folder / choice
    found = lines("convert", FIXTURES / "portrait.heic", "-o", f"{out}/", "--live", choice)
    assert found["portrait.heic"]["live"]["paired_by"] == "embedded", f"{found['portrait.heic']}"
    if choice == "keep":
        assert (out / "portrait.mp4").read_bytes() == wanted, "the video beside the JPEG is another"
    assert files(out) == (["portrait.jpg", "portrait.mp4"] if choice == "keep" else ["portrait.jpg"]), f"{files(out)}"
    if choice == "motion-photo":
        (folder / "video.mp4").write_bytes(wanted)
        motion_photo(out / "portrait.jpg", folder / "video.mp4", -1, False)


def test_jpegs_get_their_videos_without_being_encoded_again(folder):
    source = folder / "in"
    source.mkdir()
    output(APUS, "convert", FIXTURES / "gain-map-tmap.heic", "-o", source / "hdr.jpg", "-q", "80")
    shutil.copy(FIXTURES / "422.jpg", source / "plain.jpg")
    photo("444.jpg", source / "apple.jpg", ONE)
    photo("motion.jpg", source / "motion.jpg")
    for name in ["hdr", "plain", "apple", "motion"]:
        movie(source / f"{name}.mov", ONE if name == "apple" else None)
    names = [source / f"{name}.jpg" for name in ["hdr", "plain", "apple", "motion"]]
    found = lines("convert", *names, "-o", f"{folder / 'out'}/", "--live", "motion-photo")
    assert found[None]["summary"]["converted"] == 4, f"JPEGs: {found[None]}"
    motion_photo(folder / "out/hdr.jpg", source / "hdr.mov", -1, True)
    motion_photo(folder / "out/plain.jpg", source / "plain.mov", -1, False)
    motion_photo(folder / "out/apple.jpg", source / "apple.mov", -1, False)
    assert found["apple.jpg"]["live"]["paired_by"] == "content-identifier", f"apple.jpg: {found['apple.jpg']}"
    for name in ["hdr", "plain", "apple"]:
        scans = [path.read_bytes() for path in (source / f"{name}.jpg", folder / f"out/{name}.jpg")]
        scans = [data[data.index(b"\xff\xda") :] for data in scans]
        clip = (source / f"{name}.mov").read_bytes()
        assert scans[1] == scans[0] + clip, f"the scans of {name}.jpg changed"
    # An existing motion photo stays unchanged.
    assert (folder / "out/motion.jpg").read_bytes() == (source / "motion.jpg").read_bytes(), "motion.jpg changed"
    assert found["motion.jpg"]["live"]["outcome"] == "dropped", f"motion.jpg: {found['motion.jpg']}"
    kept = lines("convert", source / "hdr.jpg", "-o", f"{folder / 'kept'}/", "--live", "keep")
    assert (folder / "kept/hdr.jpg").read_bytes() == (source / "hdr.jpg").read_bytes(), f"kept: {kept}"
    assert (folder / "kept/hdr.mov").read_bytes() == (source / "hdr.mov").read_bytes(), f"kept: {kept}"


def make_library(place):
    """Makes files of every sort."""
    (place / "deep").mkdir()
    photo("photo.heic", place / "IMG_1.HEIC")
    movie(place / "IMG_1.MOV", ONE, codec="libx265")
    shutil.copy(FIXTURES / "progressive.jpg", place / "a.JPG")
    for name in ["hdr10.mp4", "hev1.mp4", "avc1.mp4", "avc.flv", "sequence.heics"]:
        shutil.copy(FIXTURES / name, place)
    shutil.copy(FIXTURES / "hevc.mkv", place / "deep")
    (place / "deep/README").write_text("no media")
    ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", place / "one.webp")
    movie(place / "prores.mov", codec="prores_ks")
    ffmpeg("-f", "lavfi", "-i", "sine=d=1", place / "sound.ogg")


@pytest.fixture
def library(shared):
    """A folder with files of every sort."""
    return shared("library", make_library)


def copied(source, out, names):
    for name in names:
        path = out / name
        assert path.exists() and path.read_bytes() == (source / name).read_bytes(), f"{out.name}/{name} is not a copy"


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def streams(path):
    words = "stream=codec_type,codec_name,codec_tag_string,pix_fmt,color_transfer,width"
    return json.loads(output("ffprobe", "-v", "error", "-of", "json", "-show_entries", words, path))["streams"]


def videos(path):
    return [stream for stream in streams(path) if stream["codec_type"] == "video"]


HEIF = {"IMG_1.HEIC": "IMG_1.jpg", "sequence.heics": "sequence.jpg"}


def test_an_export_of_current_images_copies_all_bytes(library, folder):
    lines("export", "-r", library, "-o", folder / "current", "--images", "current")
    assert files(folder / "current") == files(library)
    copied(library, folder / "current", files(library))


def test_a_compatible_export_copies_all_bytes_but_heif(library, folder):
    names, out = files(library), folder / "compatible"
    found = lines("export", "-r", library, "-o", out)
    assert files(out) == sorted(HEIF.get(name, name) for name in names)
    copied(library, out, [name for name in names if name not in HEIF])
    assert output("ffprobe", "-v", "error", "-show_entries", "stream=codec_name", out / "IMG_1.jpg").count(b"mjpeg") == 1
    assert any("animation" in text for text in found["sequence.heics"]["warnings"]), f"{found['sequence.heics']}"
    for name in names:
        assert found[pathlib.Path(name).name]["copied"] == (name not in HEIF), f"{name}: {found[pathlib.Path(name).name]}"
        times = [path.stat().st_mtime_ns for path in (library / name, out / HEIF.get(name, name))]
        assert times[0] == times[1], f"{name} has another time"
    again = lines("export", "-r", library, "-o", out, status=3)
    assert again[None]["summary"]["skipped"] == len(names), again[None]


def test_isolated_processes_export_the_same(library, folder):
    for place, words in [("compatible", []), ("isolated", ["--isolate"])]:
        lines("export", "-r", library, "-o", folder / place, *words)
    assert files(folder / "isolated") == files(folder / "compatible")
    for name in files(folder / "compatible"):
        one, other = ((folder / way / name).read_bytes() for way in ("isolated", "compatible"))
        assert one == other, f"{name} becomes something else when it is isolated"


def test_no_video_is_encoded_in_an_isolated_process(library, folder):
    words = ["export", library / "hev1.mp4", "-o", folder / "none", "--isolate"]
    found = lines(*words, "--for", "legacy", status=1)
    assert "--isolate" in found["hev1.mp4"]["error"]["message"], found["hev1.mp4"]
    output(APUS, *words, "--video-preset", "h264-1080p", status=2)


# What becomes of the files that a receiver does not take as they are.
RECEIVERS = {
    "legacy": dict.fromkeys(["IMG_1.MOV", "hdr10.mp4", "hev1.mp4", "hevc.mkv", "prores.mov"], "transcode")
    | {"IMG_1.HEIC": "convert", "sequence.heics": "convert", "avc.flv": "remux", "one.webp": "refuse", "sound.ogg": "refuse"},
    "apple": {"hev1.mp4": "remux", "hevc.mkv": "remux", "avc.flv": "remux", "sound.ogg": "refuse"},
    "any": {},
    "frame.json": dict.fromkeys(
        ["IMG_1.MOV", "hdr10.mp4", "hev1.mp4", "hevc.mkv", "prores.mov", "avc.flv", "avc1.mp4"], "transcode"
    ) | {"IMG_1.HEIC": "convert", "sequence.heics": "convert", "one.webp": "refuse"},
}


@pytest.mark.parametrize("receiver", RECEIVERS)
def test_an_export_does_what_its_plan_says(library, folder, receiver):
    actions = RECEIVERS[receiver]
    if receiver == "frame.json":
        (folder / receiver).write_text(json.dumps({"images": ["jpeg"], "video": ["h264", "hevc"], "size": "32x32"}))
        receiver = folder / receiver
    out = folder / "out"
    plan = lines("export", "-r", library, "-o", out, "--for", receiver, "--dry-run")
    assert not out.exists(), f"{receiver}: a plan wrote something"
    for name in map(lambda name: pathlib.Path(name).name, files(library)):
        action = actions.get(name, "copy")
        assert plan[name]["action"] == action, f"{receiver}: {plan[name]}"
        assert (action == "copy") == (not plan[name]["reasons"]), f"{receiver}: {plan[name]}"
    refused = [name for name in actions if actions[name] == "refuse"]
    found = lines("export", "-r", library, "-o", out, "--for", receiver, status=1 if refused else 0)
    for name, line in plan.items():
        made = found[name]
        assert made["output"] == line["output"], f"{receiver}: {line} became {made}"
        assert (made["status"] == "failed") == (line["action"] == "refuse"), f"{receiver}: {made}"
        if line["action"] == "copy":
            assert pathlib.Path(made["output"]).read_bytes() == pathlib.Path(line["input"]).read_bytes(), \
                f"{receiver}: {made}"
    assert not [name for name in files(out) if name.endswith(".part")], f"{receiver}: {files(out)}"
    if receiver in ("any", "apple"):
        if receiver == "apple":
            assert videos(out / "hev1.mp4")[0]["codec_tag_string"] == "hvc1"
        return
    for path in out.rglob("*.mp4"):
        for video in videos(path):
            fits = receiver == "legacy" or video["width"] <= 32
            codecs = ["h264"] if receiver == "legacy" else ["h264", "hevc"]
            assert video["codec_name"] in codecs and fits, f"{path}: {video}"
            if receiver == "legacy":
                assert video["pix_fmt"] == "yuv420p" and video.get("color_transfer") != "smpte2084", f"{path}: {video}"


@pytest.mark.parametrize("text", ["[]", "{", '{"images": ["jpg"]}', '{"depth": 8}', '{"bit_depth": 7}', '{"hdr": 1}'])
def test_a_wrong_description_of_a_receiver_is_refused(library, folder, text):
    other = folder / "frame.json"
    other.write_text(text)
    output(APUS, "export", library / "a.JPG", "-o", folder / "no", "--for", other, status=2)
    assert not (folder / "no").exists()


def test_a_receiver_and_current_images_cannot_be_combined(library, folder):
    output(APUS, "export", library / "a.JPG", "-o", folder / "no", "--for", "apple", "--images", "current", status=2)
    assert not (folder / "no").exists()


def test_halves_of_live_photos_whose_other_halves_are_missing_are_reported(folder):
    source = folder / "halves"
    source.mkdir()
    photo("photo.heic", source / "whole.HEIC", ONE)
    movie(source / "whole.MOV", ONE)
    # By identifier under another name; by name where the video carries none.
    photo("420.jpg", source / "named.jpg", "A" * 36)
    movie(source / "otherwise.mov", "A" * 36)
    photo("420.jpg", source / "guessed.jpg", "B" * 36)
    movie(source / "guessed.mp4")
    photo("420.jpg", source / "lone.jpg", "C" * 36)
    photo("photo.heic", source / "lonely.heic", "D" * 36)
    # One of the same name is another's.
    movie(source / "lonely.mov", "E" * 36)
    movie(source / "clip.mov")
    shutil.copy(FIXTURES / "420.jpg", source / "plain.jpg")
    # The video lies in the file itself.
    output(APUS, "convert", source / "whole.HEIC", "-o", source / "motion.jpg", "--live", "motion-photo")
    wanted = {"lone.jpg": ("video", "C" * 36), "lonely.heic": ("video", "D" * 36), "lonely.mov": ("picture", "E" * 36)}
    words = ["-r", source, "-o", folder / "halves-out", "--for", "legacy"]
    found = {}
    for name, line in lines("export", *words, "--dry-run").items():
        orphan = line.get("orphan")
        if orphan:
            found[name] = (orphan["missing"], orphan["content_identifier"])
    assert found == wanted, f"orphans: {found}"
    text = output(APUS, "export", *words, "--dry-run").decode()
    told = [line for line in text.splitlines() if "is missing: no other file" in line]
    assert len(told) == 3, f"orphans in words: {text}"
    done = lines("export", *words)
    told = {name for name, line in done.items() if name and any("is missing: no other file" in text for text in line["warnings"])}
    assert told == set(wanted), f"orphans of a run: {told}"


def test_a_preset_transcodes_every_video_and_a_journal_knows_it(library, folder):
    source = library
    out = folder / "small"
    words = ["export", "-r", source, "-o", out, "--video-preset", "h264-1080p", "--journal", folder / "journal"]
    found = lines(*words)
    assert found[None]["summary"]["failed"] == 0, f"presets: {found[None]}"
    for name in ["IMG_1", "hdr10", "hev1", "avc1", "avc", "deep/hevc", "prores"]:
        assert [video["codec_name"] for video in videos(out / f"{name}.mp4")] == ["h264"], f"{name}.mp4"
    copied(source, out, ["a.JPG", "one.webp", "sound.ogg", "deep/README"])
    identifier = exiftool("-s3", "-ContentIdentifier", out / "IMG_1.mp4").stdout.strip()
    assert identifier == ONE.encode(), f"the identifier of the video is {identifier}"
    again = lines(*words, status=3)
    assert again[None]["summary"]["finished_before"] == found[None]["summary"]["converted"], f"journal: {again[None]}"
