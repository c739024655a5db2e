# SPDX-License-Identifier: MIT
"""`apus pair`: exiftool and ffprobe find one identifier in picture and video, and everything else is as it was."""

import json
import pathlib
import shutil
import tempfile

import pytest

import jsonschema

from exiftool import exiftool
from programs import APUS, FFMPEG, FIXTURES, ROOT, SCHEMAS, Failure, completed, ffmpeg

CORPUS = ROOT.parent / "shared/corpus/heic-real"
SCHEMA = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "pair.schema.json").read_text()))
# What says where something lies, or how large the file is, may change; so may what exiftool names after the identifier.
MOVED = ["File", "System", "ExifTool", "MediaGroupUUID", "ContentIdentifier", "MediaData", "ThumbnailOffset",
         "MPImage1:MPImageLength", "MPImageStart", "ExifByteOrder"]
PICTURES = ["photo.heic", "gain-map-tmap.heic", "still-64x48.heic", "portrait.heic", "motion.jpg", "422.jpg",
            "progressive.jpg"]
REAL = ["androidx_sample_still_photo.heic", "androidx_sample_MP.heic", "pyheif_iPhoneXR.heic", "metaext_IMG_2927.HEIC",
        "pyheif_live-image.heic", "libheif_example.heic", "pillow_arrow.heic"]
# Its Exif says that it begins elsewhere than it does, so that exiftool finds it only afterwards.
MENDED = "androidx_sample_MP.heic"


def output(*command, status=0):
    return completed(*command, status=status).stdout


def pair(*words, status=0):
    found = [json.loads(line) for line in output(APUS, "pair", "--json", *words, status=status).splitlines()]
    for line in found:
        for error in SCHEMA.iter_errors(line):
            raise Failure(f"{line}: {error.message}")
    return found


def tags(path):
    """What exiftool says of a picture, but for what must change."""
    found = json.loads(exiftool("-j", "-G0:1", "-a", "-u", "-ee", path).stdout)[0]
    return {name: value for name, value in found.items() if not any(word in name for word in MOVED)}


def identifier(path):
    found = exiftool("-s3", "-MediaGroupUUID", "-ContentIdentifier", path).stdout.decode().split()
    return found[0] if found else None


def pixels(path, folder):
    """The pictures as another program decodes them; of a JPEG its scans."""
    data = path.read_bytes()
    if path.suffix == ".jpg":
        return data[data.index(b"\xff\xda"):]
    with tempfile.TemporaryDirectory(dir=folder) as place:
        output("heif-convert", path, f"{place}/shown.y4m")
        # There are several files if the photo holds several pictures.
        shown = sorted(pathlib.Path(place).iterdir())
        assert shown, f"heif-convert writes no picture of {path.name}"
        return [each.read_bytes() for each in shown]


def clip(path, *options, seconds=3):
    ffmpeg("-f", "lavfi", "-i", f"testsrc=s=64x48:r=10:d={seconds}", "-f", "lavfi", "-i",
           f"sine=d={seconds}", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", *options, path)
    return path


def samples(path):
    return output(FFMPEG, "-i", path, "-map", "0:v", "-map", "0:a?", "-c", "copy", "-f", "framehash", "-")


def check_video(name, path, wanted, still, source):
    probe = json.loads(output("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format", path))
    assert probe["format"]["tags"].get("com.apple.quicktime.content.identifier") == wanted, f"{name}: {probe['format']}"
    assert probe["format"]["tags"]["major_brand"] == "qt  ", f"{name}: is no QuickTime file"
    marks = [stream for stream in probe["streams"] if stream["codec_tag_string"] == "mebx"]
    assert len(marks) == 1, f"{name}: {len(marks)} tracks of metadata"
    assert abs(float(marks[0]["start_time"]) - still) < 0.02, f"{name}: {marks[0]['start_time']}, not {still}"
    told = exiftool("-ee", "-s3", "-n", "-StillImageTime", path).stdout.decode().strip()
    assert told == "-1", f"{name}: the sample holds {told!r}"
    assert samples(path) == samples(source), f"{name}: other samples"


@pytest.fixture(scope="module")
def video(work):
    return clip(work / "clip.mp4")


@pytest.mark.parametrize("source", [
    pytest.param(path, id=path.name)
    for path in [*(FIXTURES / name for name in PICTURES), *(CORPUS / name for name in REAL if CORPUS.exists())]])
def test_a_picture_and_a_video_become_a_pair_that_is_otherwise_unchanged(folder, video, source):
    found = pair(source, "--video", video, "-o", f"{folder / 'out'}/", "--at", "1.2")
    picture, movie = (pathlib.Path(found[0][name]) for name in ["output_picture", "output_video"])
    wanted = found[0]["content_identifier"]
    known = identifier(source)
    assert known in (None, wanted), f"{source.name}: {known} became {wanted}"
    assert identifier(picture) == wanted, f"{source.name}: exiftool finds {identifier(picture)}, not {wanted}"
    before, after = tags(source), tags(picture)
    lost = {name: value for name, value in before.items() if after.get(name) != value}
    assert not lost, f"{source.name}: changed is {lost}"
    more = [name for name in after if name not in before and "Apple" not in name and "MediaData" not in name]
    assert not more or source.name == MENDED, f"{source.name}: new is {more}"
    assert pixels(source, folder) == pixels(picture, folder), f"{source.name}: other pixels"
    check_video(source.name, movie, wanted, 1.2, video)
    for half in (picture, movie):
        told = json.loads(output(APUS, "info", "--json", half))
        assert told.get("content_identifier") == wanted and told["traits"]["live"] == "yes", f"info of {half.name}"
        assert told.get("still_image_time") == (1.2 if half == movie else None), f"info of {half.name}: {told}"
    # Twice is the same; what is there stays.
    again = pair(source, "--video", video, "-o", f"{folder / 'again'}/", "--at", "1.2")[0]
    for name in ["output_picture", "output_video"]:
        same = pathlib.Path(found[0][name]).read_bytes() == pathlib.Path(again[name]).read_bytes()
        assert same, f"{source.name}: the second time {name} is another"
    stamp = movie.read_bytes()
    pair(source, "--video", video, "-o", f"{folder / 'out'}/", status=3)
    assert movie.read_bytes() == stamp, f"{source.name}: the video was replaced"
    # The pair is found as one.
    once_more = pair(picture, "-o", f"{folder / 'third'}/")[0]
    if not source.name.startswith(("motion", "portrait", "androidx_sample_MP")):
        assert pathlib.Path(once_more["video"]) == movie, f"{source.name}: found is {once_more['video']}"
        for one, other in [(picture, "output_picture"), (movie, "output_video")]:
            same = pathlib.Path(once_more[other]).read_bytes() == one.read_bytes()
            assert same, f"{source.name}: a pair of a pair is another {other}"


@pytest.mark.parametrize("name", ["motion.jpg", "portrait.heic"])
def test_the_video_of_a_motion_photo_is_paired_at_the_time_that_the_photo_names(folder, name):
    clips = folder / "clips"
    clips.mkdir()
    source = FIXTURES / name
    found = pair(source, "-o", f"{folder / 'motion'}/")[0]
    output(APUS, "extract", source, "--role", "motion-video", "-o", f"{clips}/")
    taken = sorted(clips.glob(f"{source.stem}.motion-video*"))[0]
    said = exiftool("-s3", "-n", "-MotionPhotoPresentationTimestampUs", "-MicroVideoPresentationTimestampUs",
                    source).stdout.decode().split()
    time = int(said[0]) / 1e6 if said and int(said[0]) >= 0 else None
    assert found["still_time_assumed"] == (time is None), f"{name}: {found}, exiftool says {time}"
    still = found["still_time_us"] / 1e6 if time is None else time
    check_video(name, pathlib.Path(found["output_video"]), found["content_identifier"], still, taken)
    # It is still a motion photo.
    output(APUS, "extract", found["output_picture"], "--role", "motion-video", "-o", f"{clips / 'again'}/")
    kept = sorted((clips / "again").glob(f"{source.stem}.motion-video*"))[0]
    assert kept.read_bytes() == taken.read_bytes(), f"{name}: its own video is another"


def test_the_gain_map_and_the_video_of_a_motion_photo_stay(folder):
    output(APUS, "convert", FIXTURES / "gain-map-tmap.heic", "-o", folder / "hdr.jpg", "--live", "drop")
    shutil.copy(clip(folder / "hdr.mov", seconds=2), folder / "plain.mov")
    output(APUS, "convert", folder / "hdr.jpg", "-o", folder / "moving.jpg", "--live", "motion-photo")
    found = pair(folder / "moving.jpg", "-o", f"{folder / 'motion'}/")[0]
    map_of = [exiftool("-b", "-MPImage2", path).stdout for path in (folder / "hdr.jpg", found["output_picture"])]
    assert len(map_of[0]) > 100 and map_of[0] == map_of[1], "the gain map is not where the index says"
    # The sound is some frames longer than the pictures.
    assert abs(found["still_time_us"] - 1_000_000) < 20_000, f"the middle of two seconds is {found['still_time_us']}"
    assert pathlib.Path(found["output_picture"]).read_bytes().endswith((folder / "hdr.mov").read_bytes()), "no video"


def without_type(movie):
    """A QuickTime movie of ffmpeg's without its ftyp, as some phones write them."""
    data = bytearray(movie.read_bytes())
    size = int.from_bytes(data[:4], "big")
    assert data[4:8] == b"ftyp" and data[size + 4:size + 8] == b"wide", "ffmpeg writes movies another way"
    at = data.index(b"moov")
    while (at := data.find(b"stco", at + 1)) > 0:
        count = int.from_bytes(data[at + 8:at + 12], "big")
        for place in range(at + 12, at + 12 + 4 * count, 4):
            data[place:place + 4] = (int.from_bytes(data[place:place + 4], "big") - size).to_bytes(4, "big")
    return bytes(data[size:]), size


def test_a_movie_without_ftyp_gets_one_in_a_motion_photo_and_is_found_in_one_without(folder):
    untyped, size = without_type(clip(folder / "typed.mov"))
    (folder / "x.mov").write_bytes(untyped)
    assert samples(folder / "x.mov") == samples(folder / "typed.mov"), "the movie is broken without its type"
    shutil.copy(FIXTURES / "photo.heic", folder / "x.heic")
    made = folder / "moving.jpg"
    output(APUS, "convert", folder / "x.heic", "-o", made, "--live", "motion-photo")
    old = folder / "old.jpg"
    data = made.read_bytes()
    assert data[-len(untyped) - size:][4:12] == b"ftypqt  ", "the video has no type"
    old.write_bytes(data[:-len(untyped) - size] + untyped + size.to_bytes(4, "big") + b"free" + bytes(size - 8))
    for photo in (made, old):
        out = folder / photo.stem
        output(APUS, "extract", photo, "--role", "motion-video", "-o", f"{out}/")
        (video,) = out.glob("*.mov")
        assert samples(video) == samples(folder / "x.mov"), f"{photo.name}: other samples"
        pair(photo, "-o", f"{out / 'pair'}/")
        for form in ("heic", "png"):
            output(APUS, "convert", photo, "-o", out / f"beside.{form}", "--live", "keep", "--on-exists", "replace")
            assert (out / "beside.mov").read_bytes() == video.read_bytes(), f"{photo.name}: the video is not beside the {form}"
            (out / "beside.mov").unlink()


PICTURE = FIXTURES / "420.jpg"
KEY = "com.apple.quicktime.content.identifier"
# Options of FFmpeg, by the names of the videos.
VIDEOS = {"plain.mp4": [], "plain.mov": [], "tags.mp4": ["-metadata", "title=Name"],
          "own.mov": ["-movflags", "use_metadata_tags", "-metadata", f"{KEY}={'A' * 36}"]}


@pytest.fixture(scope="module")
def pairs(work):
    """Videos, and what is printed of their pairs with one picture, by their names."""
    found = {}
    for name, options in VIDEOS.items():
        video = clip(work / name, *options)
        found[name] = pair(PICTURE, "--video", video, "-o", f"{work / ('of-' + name)}/")[0]
    return found


@pytest.mark.parametrize("name", VIDEOS)
def test_mp4_and_mov_become_videos_of_pairs(work, pairs, name):
    found = pairs[name]
    check_video(name, found["output_video"], found["content_identifier"], 1.5, work / name)
    assert identifier(found["output_picture"]) == found["content_identifier"], f"{name}: the picture has another"


def test_an_identifier_and_a_title_that_a_video_has_stay_and_pairs_differ(pairs):
    assert pairs["own.mov"]["content_identifier"] == "A" * 36, pairs["own.mov"]
    assert pairs["plain.mp4"]["content_identifier"] != pairs["tags.mp4"]["content_identifier"], "two pairs are one"
    title = output("ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", "format_tags=title",
                   pairs["tags.mp4"]["output_video"])
    assert title.strip() == b"Name", f"the title is {title}"


def test_what_cannot_become_a_pair_is_refused_and_nothing_is_written(work, pairs, folder):
    plain, no = work / "plain.mp4", f"{folder / 'no'}/"
    # A pair in which both carry an identifier that is not the other's.
    one, other = (pairs[name]["output_picture"] for name in ["own.mov", "plain.mov"])
    pair(one, "--video", pairs["plain.mov"]["output_video"], "-o", no, status=1)
    pair(other, "-o", "-", status=2)
    pair(PICTURE, "--video", plain, "--at", "9", "-o", no, status=1)
    pair(PICTURE, "--video", FIXTURES / "photo.heic", "-o", no, status=1)
    pair(FIXTURES / "avc1.mp4", "--video", plain, "-o", no, status=1)
    shutil.copy(PICTURE, folder / "alone.jpg")
    pair(folder / "alone.jpg", "-o", no, status=1)
    pair(noted(folder), "--video", plain, "-o", no, status=1)
    assert not (folder / "no").exists() or not list((folder / "no").iterdir()), "something was written all the same"


def noted(folder):
    """A picture with the maker's note of another maker."""
    path = folder / "noted.jpg"
    shutil.copy(PICTURE, path)
    exiftool("-q", "-overwrite_original", "-Make=Maker", "-MakerNoteUnknownText=Notes of Maker", path)
    return path


def test_another_makers_note_is_replaced_if_that_is_asked_for(work, pairs, folder):
    found = pair(noted(folder), "--video", work / "plain.mp4", "-o", f"{folder / 'noted'}/", "--replace-maker-note")[0]
    assert identifier(found["output_picture"]) == found["content_identifier"], "the note was not replaced"
    assert b"Notes of Maker" not in pathlib.Path(found["output_picture"]).read_bytes(), "the old note is there still"


def test_a_dry_run_names_the_identifier_and_writes_nothing(work, pairs, folder):
    would = pair(PICTURE, "--video", work / "plain.mp4", "-o", f"{folder / 'dry'}/", "--dry-run")[0]
    assert would["content_identifier"] == pairs["plain.mp4"]["content_identifier"], f"--dry-run: {would}"
    assert not (folder / "dry").exists(), "--dry-run wrote something"


def test_pairs_and_motion_photos_of_a_library_are_found(folder):
    library = folder / "library"
    (library / "deep").mkdir(parents=True)
    shutil.copy(FIXTURES / "motion.jpg", library / "deep/moving.jpg")
    shutil.copy(FIXTURES / "photo.heic", library / "IMG_1.HEIC")
    clip(library / "IMG_1.MOV")
    shutil.copy(FIXTURES / "420.jpg", library / "alone.jpg")
    (library / "notes.txt").write_text("words")
    found = pair("-r", library, "-o", f"{folder / 'apple'}/")
    written = sorted(str(path.relative_to(folder / "apple")) for path in (folder / "apple").rglob("*.*"))
    assert written == ["IMG_1.HEIC", "IMG_1.MOV", "deep/moving.jpg", "deep/moving.mov"], f"written is {written}"
    assert len(found) == 2, f"{found}"
