#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`apus pair`: exiftool and ffprobe find one identifier in picture and video, and everything else is as it was."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Peers"))

import jsonschema  # noqa: E402
from expecting import APUS, FIXTURES, ROOT, ended, expect  # noqa: E402

CORPUS = ROOT.parent / "shared/corpus/heic-real"
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "Sources/ApusCommand/Schemas/pair.schema.json").read_text()))
# What says where something lies, or how large the file is, may change; so may what exiftool names after the identifier.
MOVED = ["File", "System", "ExifTool", "MediaGroupUUID", "ContentIdentifier", "MediaData", "ThumbnailOffset",
         "MPImage1:MPImageLength", "MPImageStart", "ExifByteOrder"]
PICTURES = ["photo.heic", "gain-map-tmap.heic", "still-64x48.heic", "portrait.heic", "motion.jpg", "422.jpg",
            "progressive.jpg"]
REAL = ["androidx_sample_still_photo.heic", "androidx_sample_MP.heic", "pyheif_iPhoneXR.heic", "metaext_IMG_2927.HEIC",
        "pyheif_live-image.heic", "libheif_example.heic", "pillow_arrow.heic"]
# Its Exif says that it begins elsewhere than it does, so that exiftool finds it only afterwards.
MENDED = "androidx_sample_MP.heic"


def run(*command, status=0):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True)
    expect(done.returncode == status,
           f"{' '.join(map(str, command[1:]))}: status {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def pair(*words, status=0):
    found = [json.loads(line) for line in run(APUS, "pair", "--json", *words, status=status).splitlines()]
    for line in found:
        for error in SCHEMA.iter_errors(line):
            expect(False, f"{line}: {error.message}")
    return found


def tags(path):
    """What exiftool says of a picture, but for what must change."""
    found = json.loads(run("exiftool", "-j", "-G0:1", "-a", "-u", "-ee", path))[0]
    return {name: value for name, value in found.items() if not any(word in name for word in MOVED)}


def identifier(path):
    found = run("exiftool", "-s3", "-MediaGroupUUID", "-ContentIdentifier", path).decode().split()
    return found[0] if found else None


def pixels(path, folder):
    """The picture as another program decodes it; of a JPEG its scans."""
    data = path.read_bytes()
    if path.suffix == ".jpg":
        return data[data.index(b"\xff\xda"):]
    shown = folder / "shown.png"
    run("heif-convert", path, shown)
    return run("ffmpeg", "-v", "error", "-i", shown, "-f", "md5", "-")


def clip(path, *options, seconds=3):
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc=s=64x48:r=10:d={seconds}", "-f", "lavfi", "-i",
        f"sine=d={seconds}", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", *options, path)
    return path


def samples(path):
    return run("ffmpeg", "-v", "error", "-i", path, "-map", "0:v", "-map", "0:a?", "-c", "copy", "-f", "framehash", "-")


def check_video(name, path, wanted, still, source):
    probe = json.loads(run("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format", path))
    expect(probe["format"]["tags"].get("com.apple.quicktime.content.identifier") == wanted, f"{name}: {probe['format']}")
    expect(probe["format"]["tags"]["major_brand"] == "qt  ", f"{name}: is no QuickTime file")
    marks = [stream for stream in probe["streams"] if stream["codec_tag_string"] == "mebx"]
    expect(len(marks) == 1, f"{name}: {len(marks)} tracks of metadata")
    expect(abs(float(marks[0]["start_time"]) - still) < 0.02, f"{name}: {marks[0]['start_time']}, not {still}")
    told = run("exiftool", "-ee", "-s3", "-n", "-StillImageTime", path).decode().strip()
    expect(told == "-1", f"{name}: the sample holds {told!r}")
    expect(samples(path) == samples(source), f"{name}: other samples")


def check_pictures(folder, video):
    real = [CORPUS / name for name in REAL if CORPUS.exists()]
    for source in [FIXTURES / name for name in PICTURES] + real:
        found = pair(source, "--video", video, "-o", f"{folder / 'out'}/", "--at", "1.2")
        if not found:
            continue
        picture, movie = (pathlib.Path(found[0][name]) for name in ["output_picture", "output_video"])
        wanted = found[0]["content_identifier"]
        known = identifier(source)
        expect(known in (None, wanted), f"{source.name}: {known} became {wanted}")
        expect(identifier(picture) == wanted, f"{source.name}: exiftool finds {identifier(picture)}, not {wanted}")
        before, after = tags(source), tags(picture)
        lost = {name: value for name, value in before.items() if after.get(name) != value}
        expect(not lost, f"{source.name}: changed is {lost}")
        more = [name for name in after if name not in before and "Apple" not in name and "MediaData" not in name]
        expect(not more or source.name == MENDED, f"{source.name}: new is {more}")
        expect(pixels(source, folder) == pixels(picture, folder), f"{source.name}: other pixels")
        check_video(source.name, movie, wanted, 1.2, video)
        for half in (picture, movie):
            told = json.loads(run(APUS, "info", "--json", half))
            expect(told.get("content_identifier") == wanted and told["traits"]["live"] == "yes", f"info of {half.name}")
            expect(told.get("still_image_time") == (1.2 if half == movie else None), f"info of {half.name}: {told}")
        # Twice is the same; what is there stays.
        again = pair(source, "--video", video, "-o", f"{folder / 'again'}/", "--at", "1.2")[0]
        for name in ["output_picture", "output_video"]:
            same = pathlib.Path(found[0][name]).read_bytes() == pathlib.Path(again[name]).read_bytes()
            expect(same, f"{source.name}: the second time {name} is another")
        stamp = movie.read_bytes()
        pair(source, "--video", video, "-o", f"{folder / 'out'}/", status=3)
        expect(movie.read_bytes() == stamp, f"{source.name}: the video was replaced")
        # The pair is found as one.
        once_more = pair(picture, "-o", f"{folder / 'third'}/")[0]
        if not source.name.startswith(("motion", "portrait", "androidx_sample_MP")):
            expect(pathlib.Path(once_more["video"]) == movie, f"{source.name}: found is {once_more['video']}")
            for one, other in [(picture, "output_picture"), (movie, "output_video")]:
                same = pathlib.Path(once_more[other]).read_bytes() == one.read_bytes()
                expect(same, f"{source.name}: a pair of a pair is another {other}")


def check_motion(folder):
    """The video of a motion photo, at the time that it says."""
    clips = folder / "clips"
    clips.mkdir()
    for name, times in [("motion.jpg", [None]), ("portrait.heic", [None])]:
        source = FIXTURES / name
        found = pair(source, "-o", f"{folder / 'motion'}/")[0]
        run(APUS, "extract", source, "--role", "motion-video", "-o", f"{clips}/")
        taken = sorted(clips.glob(f"{source.stem}.motion-video*"))[0]
        said = run("exiftool", "-s3", "-n", "-MotionPhotoPresentationTimestampUs", "-MicroVideoPresentationTimestampUs",
                   source).decode().split()
        time = int(said[0]) / 1e6 if said and int(said[0]) >= 0 else None
        expect(found["still_time_assumed"] == (time is None), f"{name}: {found}, exiftool says {time}")
        still = found["still_time_us"] / 1e6 if time is None else time
        check_video(name, pathlib.Path(found["output_video"]), found["content_identifier"], still, taken)
        # It is a motion photo still.
        run(APUS, "extract", found["output_picture"], "--role", "motion-video", "-o", f"{clips / 'again'}/")
        kept = sorted((clips / "again").glob(f"{source.stem}.motion-video*"))[0]
        expect(kept.read_bytes() == taken.read_bytes(), f"{name}: its own video is another")
    run(APUS, "convert", FIXTURES / "gain-map-tmap.heic", "-o", folder / "hdr.jpg", "--live", "drop")
    shutil.copy(clip(folder / "hdr.mov", seconds=2), folder / "plain.mov")
    run(APUS, "convert", folder / "hdr.jpg", "-o", folder / "moving.jpg", "--live", "motion-photo")
    found = pair(folder / "moving.jpg", "-o", f"{folder / 'motion'}/")[0]
    map_of = [run("exiftool", "-b", "-MPImage2", path) for path in (folder / "hdr.jpg", found["output_picture"])]
    expect(len(map_of[0]) > 100 and map_of[0] == map_of[1], "the gain map is not where the index says")
    # The sound is some frames longer than the pictures.
    expect(abs(found["still_time_us"] - 1_000_000) < 20_000, f"the middle of two seconds is {found['still_time_us']}")
    expect(pathlib.Path(found["output_picture"]).read_bytes().endswith((folder / "hdr.mov").read_bytes()), "no video")


def without_type(movie):
    """A QuickTime movie of ffmpeg's without its ftyp, as some phones write them."""
    data = bytearray(movie.read_bytes())
    size = int.from_bytes(data[:4], "big")
    expect(data[4:8] == b"ftyp" and data[size + 4:size + 8] == b"wide", "ffmpeg writes movies another way")
    at = data.index(b"moov")
    while (at := data.find(b"stco", at + 1)) > 0:
        count = int.from_bytes(data[at + 8:at + 12], "big")
        for place in range(at + 12, at + 12 + 4 * count, 4):
            data[place:place + 4] = (int.from_bytes(data[place:place + 4], "big") - size).to_bytes(4, "big")
    return bytes(data[size:]), size


def check_untyped(folder):
    """A movie without ftyp gets one in a motion photo; one that is in a motion photo without it is found."""
    untyped, size = without_type(clip(folder / "typed.mov"))
    (folder / "x.mov").write_bytes(untyped)
    expect(samples(folder / "x.mov") == samples(folder / "typed.mov"), "the movie is broken without its type")
    shutil.copy(FIXTURES / "photo.heic", folder / "x.heic")
    made = folder / "moving.jpg"
    run(APUS, "convert", folder / "x.heic", "-o", made, "--live", "motion-photo")
    old = folder / "old.jpg"
    data = made.read_bytes()
    expect(data[-len(untyped) - size:][4:12] == b"ftypqt  ", "the video has no type")
    old.write_bytes(data[:-len(untyped) - size] + untyped + size.to_bytes(4, "big") + b"free" + bytes(size - 8))
    for photo in (made, old):
        out = folder / photo.stem
        run(APUS, "extract", photo, "--role", "motion-video", "-o", f"{out}/")
        (video,) = out.glob("*.mov")
        expect(samples(video) == samples(folder / "x.mov"), f"{photo.name}: other samples")
        pair(photo, "-o", f"{out / 'pair'}/")
        for form in ("heic", "png"):
            run(APUS, "convert", photo, "-o", out / f"beside.{form}", "--live", "keep", "--on-exists", "replace")
            expect((out / "beside.mov").read_bytes() == video.read_bytes(), f"{photo.name}: the video is not beside the {form}")
            (out / "beside.mov").unlink()


def check_videos(folder):
    """MP4 and MOV, with an identifier and a time of their own, and what keeps one from being written."""
    picture = FIXTURES / "420.jpg"
    key = "com.apple.quicktime.content.identifier"
    ones = {}
    for name, options in [("plain.mp4", []), ("plain.mov", []), ("tags.mp4", ["-metadata", "title=Name"]),
                          ("own.mov", ["-movflags", "use_metadata_tags", "-metadata", f"{key}={'A' * 36}"])]:
        video = clip(folder / name, *options)
        found = pair(picture, "--video", video, "-o", f"{folder / ('of-' + name)}/")[0]
        check_video(name, found["output_video"], found["content_identifier"], 1.5, video)
        expect(identifier(found["output_picture"]) == found["content_identifier"], f"{name}: the picture has another")
        ones[name] = found
    expect(ones["own.mov"]["content_identifier"] == "A" * 36, f"{ones['own.mov']}")
    expect(ones["plain.mp4"]["content_identifier"] != ones["tags.mp4"]["content_identifier"], "two pairs are one")
    title = run("ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", "format_tags=title", ones["tags.mp4"]["output_video"])
    expect(title.strip() == b"Name", f"the title is {title}")
    # A pair in which both carry an identifier that is not the other's.
    one, other = (ones[name]["output_picture"] for name in ["own.mov", "plain.mov"])
    pair(one, "--video", ones["plain.mov"]["output_video"], "-o", f"{folder / 'no'}/", status=1)
    pair(other, "-o", "-", status=2)
    pair(picture, "--video", folder / "plain.mp4", "--at", "9", "-o", f"{folder / 'no'}/", status=1)
    pair(picture, "--video", FIXTURES / "photo.heic", "-o", f"{folder / 'no'}/", status=1)
    pair(FIXTURES / "avc1.mp4", "--video", folder / "plain.mp4", "-o", f"{folder / 'no'}/", status=1)
    shutil.copy(picture, folder / "alone.jpg")
    pair(folder / "alone.jpg", "-o", f"{folder / 'no'}/", status=1)
    # Another maker's note.
    shutil.copy(picture, folder / "noted.jpg")
    run("exiftool", "-q", "-overwrite_original", "-Make=Maker", "-MakerNoteUnknownText=Notes of Maker", folder / "noted.jpg")
    pair(folder / "noted.jpg", "--video", folder / "plain.mp4", "-o", f"{folder / 'no'}/", status=1)
    expect(not (folder / "no").exists() or not list((folder / "no").iterdir()), "something was written all the same")
    found = pair(folder / "noted.jpg", "--video", folder / "plain.mp4", "-o", f"{folder / 'noted'}/", "--replace-maker-note")[0]
    expect(identifier(found["output_picture"]) == found["content_identifier"], "the note was not replaced")
    expect(b"Notes of Maker" not in pathlib.Path(found["output_picture"]).read_bytes(), "the old note is there still")
    would = pair(picture, "--video", folder / "plain.mp4", "-o", f"{folder / 'dry'}/", "--dry-run")[0]
    expect(would["content_identifier"] == ones["plain.mp4"]["content_identifier"], f"--dry-run: {would}")
    expect(not (folder / "dry").exists(), "--dry-run wrote something")


def check_library(folder):
    library = folder / "library"
    (library / "deep").mkdir(parents=True)
    shutil.copy(FIXTURES / "motion.jpg", library / "deep/moving.jpg")
    shutil.copy(FIXTURES / "photo.heic", library / "IMG_1.HEIC")
    clip(library / "IMG_1.MOV")
    shutil.copy(FIXTURES / "420.jpg", library / "alone.jpg")
    (library / "notes.txt").write_text("words")
    found = pair("-r", library, "-o", f"{folder / 'apple'}/")
    written = sorted(str(path.relative_to(folder / "apple")) for path in (folder / "apple").rglob("*.*"))
    expect(written == ["IMG_1.HEIC", "IMG_1.MOV", "deep/moving.jpg", "deep/moving.mov"], f"written is {written}")
    expect(len(found) == 2, f"{found}")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_pictures(folder, clip(folder / "clip.mp4"))
        for check in [check_motion, check_untyped, check_videos, check_library]:
            (folder / check.__name__).mkdir()
            check(folder / check.__name__)
    ended(f"{len(PICTURES)} pictures and their videos are Live Photos")


main()
