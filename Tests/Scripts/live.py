#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Live Photos and exports: pairs are found, videos and pictures that are copied stay byte for byte, and exiftool and
ffprobe find in motion photos what was put there."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
APUS = os.environ.get("APUS", str(ROOT / "Scripts/apus"))
ONE = "11111111-2222-3333-4444-555555555555"
OTHER = "99999999-2222-3333-4444-555555555555"
failures = 0

sys.path.insert(0, str(ROOT / "Scripts/making"))
from boxes import box, full, find, u8, u16, u32, u64  # noqa: E402


def expect(holds, text):
    global failures
    if not holds:
        failures += 1
        print(text)


def run(*command, status=0):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True)
    expect(done.returncode == status, f"{' '.join(map(str, command[1:]))}: status {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def validator(name):
    schema = json.loads((ROOT / f"Sources/ApusCommand/Schemas/{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def lines(schema, *words, status=0):
    """The lines that a run prints, each of which fits the schema; by the name of the photo, the last under None."""
    found = {}
    for line in run(APUS, *words, "--json", status=status).splitlines():
        line = json.loads(line)
        for error in validator(schema).iter_errors(line):
            expect(False, f"{' '.join(map(str, words))}: {error.message}")
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
    run("exiftool", "-q", "-overwrite_original", f"-Exif<={block}", path)
    block.unlink()
    found = run("exiftool", "-s3", "-MediaGroupUUID", "-ContentIdentifier", path).split()
    expect(found[:1] == [identifier.encode()], f"exiftool finds no identifier in {path}")


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
    run(
        "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc=s=64x48:r=10:d={seconds}", "-c:v", codec,
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
    tags = json.loads(run("exiftool", "-j", "-struct", "-XMP-GCamera:all", "-XMP-Container:all", "-XMP-GContainer:all",
                          path))[0]
    items = [item["Item"] if "Item" in item else item for item in tags.get("ContainerDirectory", tags.get("Directory", []))]
    return [(item["Semantic"], item.get("Length", 0)) for item in items], tags


def motion_photo(path, video, stamp, gain_map):
    """A motion photo holds the video at its end, the gain map before that where the index says, and a whole picture."""
    data, clip = path.read_bytes(), video.read_bytes()
    expect(data.endswith(clip), f"{path.name} does not end with its video")
    items, tags = announced(path)
    wanted = ["Primary", *(["GainMap"] if gain_map else []), "MotionPhoto"]
    expect([item[0] for item in items] == wanted, f"{path.name} lists {items}")
    expect(dict(items).get("MotionPhoto") == len(clip), f"{path.name} says its video has other bytes: {items}")
    expect(tags.get("MotionPhoto") == 1 and tags.get("MotionPhotoPresentationTimestampUs") == stamp, f"{path.name}: {tags}")
    end = len(data) - len(clip)
    if gain_map:
        second = run("exiftool", "-b", "-MPImage2", path)
        expect(second[:3] == b"\xff\xd8\xff" and data[:end].endswith(second), f"the gain map of {path.name} is not before its video")
        if "GainMap" in dict(items):
            expect(len(second) == dict(items)["GainMap"], f"{path.name}: {items}, and the index says {len(second)}")
        end -= len(second)
    expect(data[end - 2 : end] == b"\xff\xd9", f"the picture of {path.name} does not end where it should")
    piece = path.with_suffix(".cut.mov")
    piece.write_bytes(data[len(data) - len(clip) :])
    facts = ["ffprobe", "-v", "error", "-show_entries", "stream=width,nb_frames", "-of", "csv=p=0"]
    expect(run(*facts, piece) == run(*facts, video) != b"", f"no video in {path.name}")
    piece.unlink()
    run("ffmpeg", "-v", "error", "-xerror", "-i", path, "-f", "null", "-")


def pairs(folder):
    source = folder / "in"
    (source / "deep").mkdir(parents=True)
    # By identifier under the same name, with a gain map; by identifier under another name; not at all, although called
    # alike; by name as a guess; too long for a guess; alone.
    photo("gain-map-tmap.heic", source / "IMG_1.HEIC", ONE)
    movie(source / "IMG_1.MOV", ONE, still=0.4)
    photo("photo.heic", source / "IMG_2.HEIC", OTHER)
    movie(source / "other.mov", OTHER)
    movie(source / "IMG_2.mov", ONE)
    photo("still-64x48.heic", source / "deep" / "IMG_3.heic")
    movie(source / "deep" / "img_3.mp4", name="mp4")
    photo("still-64x48.heic", source / "deep" / "IMG_4.heic")
    movie(source / "deep" / "IMG_4.mov", seconds=11)
    photo("still-64x48.heic", source / "IMG_5.heic")
    wanted = {
        "IMG_1.HEIC": ("IMG_1.MOV", "content-identifier"),
        "IMG_2.HEIC": ("other.mov", "content-identifier"),
        "IMG_3.heic": ("img_3.mp4", "name"),
        "IMG_4.heic": None,
        "IMG_5.heic": None,
    }
    for choice, outcome in [("keep", "kept"), ("motion-photo", "appended"), ("drop", "dropped")]:
        out = folder / choice
        words = ["convert", "-r", source, "-o", f"{out}/", "--live", choice]
        plans = [json.loads(line) for line in run(APUS, *words, "--dry-run", "-v", "--json").splitlines()]
        planned = {pathlib.Path(plan["input"]).name: plan.get("live") for plan in plans}
        found = lines("convert", *words)
        expect(planned == {name: found[name].get("live") for name in wanted}, f"{choice}: planned is {planned}")
        expect(found[None]["summary"]["converted"] == 5, f"{choice}: {found[None]}")
        expect(found[None]["summary"]["failed"] + found[None]["summary"]["skipped"] == 0, f"{choice}: {found[None]}")
        for name, pair in wanted.items():
            live = found[name].get("live")
            told = live and (pathlib.Path(live["video"]).name, live["paired_by"])
            expect(told == pair, f"{choice}: {name} goes with {told}, not {pair}")
            expect(not live or live["outcome"] == outcome, f"{choice}: {name}: {live}")
            guess = any("because of its name only" in warning for warning in found[name]["warnings"])
            expect(guess == bool(pair and pair[1] == "name"), f"{choice}: {name}: {found[name]['warnings']}")
            if choice == "keep" and live:
                expect(
                    pathlib.Path(live["output"]).read_bytes() == pathlib.Path(live["video"]).read_bytes(),
                    f"{name}: {live['output']} is not the video",
                )
        movies = sorted(path.name for path in out.rglob("*") if path.is_file() and path.suffix != ".jpg")
        kept = ["IMG_1.MOV", "IMG_2.mov", "IMG_3.mp4"] if choice == "keep" else []
        expect(movies == kept, f"{choice}: {movies}")
        again = lines("convert", "convert", "-r", source, "-o", f"{out}/", "--live", choice, status=3)
        expect(again[None]["summary"]["skipped"] == 5, f"{choice} again: {again[None]}")
    motion_photo(folder / "motion-photo/IMG_1.jpg", source / "IMG_1.MOV", 400_000, True)
    motion_photo(folder / "motion-photo/IMG_2.jpg", source / "other.mov", -1, False)
    motion_photo(folder / "motion-photo/deep/IMG_3.jpg", source / "deep/img_3.mp4", -1, False)
    # A video that is missing beside an output that is there is copied later.
    (folder / "keep/IMG_1.MOV").unlink()
    later = lines("convert", "convert", "-r", source, "-o", f"{folder / 'keep'}/", "--live", "keep")
    expect((folder / "keep/IMG_1.MOV").read_bytes() == (source / "IMG_1.MOV").read_bytes(), f"not copied later: {later}")
    # Processes of their own come to the same.
    lines("convert", "convert", "-r", source, "-o", f"{folder / 'apart'}/", "--live", "motion-photo", "--isolate")
    for path in sorted((folder / "motion-photo").rglob("*.jpg")):
        same = folder / "apart" / path.relative_to(folder / "motion-photo")
        expect(same.read_bytes() == path.read_bytes(), f"{path.name} is another with --isolate")
    # Beside the photo the video is where it belongs.
    beside = lines("convert", "convert", source / "IMG_1.HEIC", source / "IMG_1.MOV", "--live", "keep")
    expect(beside["IMG_1.HEIC"]["live"]["output"] == str(source / "IMG_1.MOV"), f"beside: {beside}")
    expect(beside[None]["summary"]["converted"] == 1 and beside[None]["summary"]["failed"] == 0, f"beside: {beside[None]}")
    # Coordinates that are to be left out may stand in the video.
    run(APUS, "convert", "-r", source, "-o", f"{folder / 'stripped'}/", "--live", "keep", "--strip", "gps", status=2)


def embedded(folder):
    """The video in a HEIC comes out beside the JPEG, or after it."""
    wanted = run("exiftool", "-b", "-MotionPhotoVideo", FIXTURES / "portrait.heic")
    for choice in ["keep", "motion-photo", "drop"]:
        out = folder / choice
        found = lines("convert", "convert", FIXTURES / "portrait.heic", "-o", f"{out}/", "--live", choice)
        expect(found["portrait.heic"]["live"]["paired_by"] == "embedded", f"{found['portrait.heic']}")
        if choice == "keep":
            expect((out / "portrait.mp4").read_bytes() == wanted, "the video beside the JPEG is another")
        expect(files(out) == (["portrait.jpg", "portrait.mp4"] if choice == "keep" else ["portrait.jpg"]), f"{files(out)}")
    (folder / "video.mp4").write_bytes(wanted)
    motion_photo(folder / "motion-photo/portrait.jpg", folder / "video.mp4", -1, False)


def jpegs(folder):
    """JPEGs get their video without being coded again."""
    source = folder / "in"
    source.mkdir()
    run(APUS, "convert", FIXTURES / "gain-map-tmap.heic", "-o", source / "hdr.jpg", "-q", "80")
    shutil.copy(FIXTURES / "422.jpg", source / "plain.jpg")
    photo("444.jpg", source / "apple.jpg", ONE)
    photo("motion.jpg", source / "motion.jpg")
    for name in ["hdr", "plain", "apple", "motion"]:
        movie(source / f"{name}.mov", ONE if name == "apple" else None)
    names = [source / f"{name}.jpg" for name in ["hdr", "plain", "apple", "motion"]]
    found = lines("convert", "convert", *names, "-o", f"{folder / 'out'}/", "--live", "motion-photo")
    expect(found[None]["summary"]["converted"] == 4, f"JPEGs: {found[None]}")
    motion_photo(folder / "out/hdr.jpg", source / "hdr.mov", -1, True)
    motion_photo(folder / "out/plain.jpg", source / "plain.mov", -1, False)
    motion_photo(folder / "out/apple.jpg", source / "apple.mov", -1, False)
    expect(found["apple.jpg"]["live"]["paired_by"] == "content-identifier", f"apple.jpg: {found['apple.jpg']}")
    for name in ["hdr", "plain", "apple"]:
        scans = [path.read_bytes() for path in (source / f"{name}.jpg", folder / f"out/{name}.jpg")]
        scans = [data[data.index(b"\xff\xda") :] for data in scans]
        clip = (source / f"{name}.mov").read_bytes()
        expect(scans[1] == scans[0] + clip, f"the scans of {name}.jpg changed")
    # One that is a motion photo already stays as it is.
    expect((folder / "out/motion.jpg").read_bytes() == (source / "motion.jpg").read_bytes(), "motion.jpg changed")
    expect(found["motion.jpg"]["live"]["outcome"] == "dropped", f"motion.jpg: {found['motion.jpg']}")
    kept = lines("convert", "convert", source / "hdr.jpg", "-o", f"{folder / 'kept'}/", "--live", "keep")
    expect((folder / "kept/hdr.jpg").read_bytes() == (source / "hdr.jpg").read_bytes(), f"kept: {kept}")
    expect((folder / "kept/hdr.mov").read_bytes() == (source / "hdr.mov").read_bytes(), f"kept: {kept}")


def library(folder):
    """Files of every sort. Returns the folder."""
    place = folder / "in"
    (place / "deep").mkdir(parents=True)
    photo("photo.heic", place / "IMG_1.HEIC")
    movie(place / "IMG_1.MOV", ONE, codec="libx265")
    shutil.copy(FIXTURES / "progressive.jpg", place / "a.JPG")
    for name in ["hdr10.mp4", "hev1.mp4", "avc1.mp4", "avc.flv", "sequence.heics"]:
        shutil.copy(FIXTURES / name, place)
    shutil.copy(FIXTURES / "hevc.mkv", place / "deep")
    (place / "deep/README").write_text("no media")
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48", "-frames:v", "1", place / "one.webp")
    movie(place / "prores.mov", codec="prores_ks")
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=1", place / "sound.ogg")
    return place


def copied(source, out, names):
    for name in names:
        path = out / name
        expect(path.exists() and path.read_bytes() == (source / name).read_bytes(), f"{out.name}/{name} is not a copy")


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def streams(path):
    words = "stream=codec_type,codec_name,codec_tag_string,pix_fmt,color_transfer,width"
    return json.loads(run("ffprobe", "-v", "error", "-of", "json", "-show_entries", words, path))["streams"]


def videos(path):
    return [stream for stream in streams(path) if stream["codec_type"] == "video"]


def exports(folder):
    source = library(folder)
    names = files(source)
    heif = {"IMG_1.HEIC": "IMG_1.jpg", "sequence.heics": "sequence.jpg"}
    # Current: all bytes. Compatible: all bytes but for HEIF.
    lines("export", "export", "-r", source, "-o", folder / "current", "--images", "current")
    expect(files(folder / "current") == names, f"current: {files(folder / 'current')}")
    copied(source, folder / "current", names)
    found = lines("export", "export", "-r", source, "-o", folder / "compatible")
    expect(files(folder / "compatible") == sorted(heif.get(name, name) for name in names), "compatible: other files")
    copied(source, folder / "compatible", [name for name in names if name not in heif])
    expect(run("ffprobe", "-v", "error", "-show_entries", "stream=codec_name", folder / "compatible/IMG_1.jpg").count(b"mjpeg") == 1, "no JPEG")
    expect(any("animation" in text for text in found["sequence.heics"]["warnings"]), f"{found['sequence.heics']}")
    for name in names:
        expect(found[pathlib.Path(name).name]["copied"] == (name not in heif), f"{name}: {found[pathlib.Path(name).name]}")
        times = [path.stat().st_mtime_ns for path in (source / name, folder / "compatible" / heif.get(name, name))]
        expect(times[0] == times[1], f"{name} has another time")
    again = lines("export", "export", "-r", source, "-o", folder / "compatible", status=3)
    expect(again[None]["summary"]["skipped"] == len(names), f"again: {again[None]}")
    isolated(folder, source)
    plans(folder, source, names)
    presets(folder, source)


def isolated(folder, source):
    """Pictures that are decoded in processes of their own become the same, and no video is coded."""
    lines("export", "export", "-r", source, "-o", folder / "isolated", "--isolate")
    expect(files(folder / "isolated") == files(folder / "compatible"), f"isolated: {files(folder / 'isolated')}")
    for name in files(folder / "compatible"):
        one, other = ((folder / way / name).read_bytes() for way in ("isolated", "compatible"))
        expect(one == other, f"{name} becomes something else when it is isolated")
    words = ["export", source / "hev1.mp4", "-o", folder / "none", "--isolate"]
    found = lines("export", *words, "--for", "legacy", status=1)
    expect("--isolate" in found["hev1.mp4"]["error"]["message"], f"isolated: {found['hev1.mp4']}")
    run(APUS, *words, "--video-preset", "h264-1080p", status=2)


def plans(folder, source, names):
    """What a plan says is what is done."""
    wanted = {
        "legacy": dict.fromkeys(["IMG_1.MOV", "hdr10.mp4", "hev1.mp4", "hevc.mkv", "prores.mov"], "transcode")
        | {"IMG_1.HEIC": "convert", "sequence.heics": "convert", "avc.flv": "remux", "one.webp": "refuse", "sound.ogg": "refuse"},
        "apple": {"hev1.mp4": "remux", "hevc.mkv": "remux", "avc.flv": "remux", "sound.ogg": "refuse"},
        "any": {},
    }
    other = folder / "frame.json"
    other.write_text(json.dumps({"images": ["jpeg"], "video": ["h264", "hevc"], "size": "32x32"}))
    wanted[str(other)] = dict.fromkeys(
        ["IMG_1.MOV", "hdr10.mp4", "hev1.mp4", "hevc.mkv", "prores.mov", "avc.flv", "avc1.mp4"], "transcode"
    ) | {"IMG_1.HEIC": "convert", "sequence.heics": "convert", "one.webp": "refuse"}
    for receiver, actions in wanted.items():
        out = folder / pathlib.Path(receiver).stem
        plan = lines("export", "export", "-r", source, "-o", out, "--for", receiver, "--dry-run")
        expect(not out.exists(), f"{receiver}: a plan wrote something")
        for name in map(lambda name: pathlib.Path(name).name, names):
            action = actions.get(name, "copy")
            expect(plan[name]["action"] == action, f"{receiver}: {plan[name]}")
            expect((action == "copy") == (not plan[name]["reasons"]), f"{receiver}: {plan[name]}")
        refused = [name for name in actions if actions[name] == "refuse"]
        found = lines("export", "export", "-r", source, "-o", out, "--for", receiver, status=1 if refused else 0)
        for name, line in plan.items():
            made = found[name]
            expect(made["output"] == line["output"], f"{receiver}: {line} became {made}")
            expect((made["status"] == "failed") == (line["action"] == "refuse"), f"{receiver}: {made}")
            if line["action"] == "copy":
                expect(pathlib.Path(made["output"]).read_bytes() == pathlib.Path(line["input"]).read_bytes(), f"{receiver}: {made}")
        expect(not [name for name in files(out) if name.endswith(".part")], f"{receiver}: {files(out)}")
        if receiver in ("any", "apple"):
            continue
        for path in out.rglob("*.mp4"):
            for video in videos(path):
                fits = receiver == "legacy" or video["width"] <= 32
                codecs = ["h264"] if receiver == "legacy" else ["h264", "hevc"]
                expect(video["codec_name"] in codecs and fits, f"{path}: {video}")
                if receiver == "legacy":
                    expect(video["pix_fmt"] == "yuv420p" and video.get("color_transfer") != "smpte2084", f"{path}: {video}")
    expect(videos(folder / "apple/hev1.mp4")[0]["codec_tag_string"] == "hvc1", "hev1.mp4 is not hvc1")
    for text in ["[]", "{", '{"images": ["jpg"]}', '{"depth": 8}', '{"bit_depth": 7}', '{"hdr": 1}']:
        other.write_text(text)
        run(APUS, "export", source / "a.JPG", "-o", folder / "no", "--for", other, status=2)
    run(APUS, "export", source / "a.JPG", "-o", folder / "no", "--for", "apple", "--images", "current", status=2)
    expect(not (folder / "no").exists(), "something was written all the same")


def orphans(folder):
    """Halves of Live Photos whose other halves are not there, and no others."""
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
    run(APUS, "convert", source / "whole.HEIC", "-o", source / "motion.jpg", "--live", "motion-photo")
    wanted = {"lone.jpg": ("video", "C" * 36), "lonely.heic": ("video", "D" * 36), "lonely.mov": ("picture", "E" * 36)}
    words = ["-r", source, "-o", folder / "halves-out", "--for", "legacy"]
    found = {}
    for name, line in lines("export", "export", *words, "--dry-run").items():
        orphan = line.get("orphan")
        if orphan:
            found[name] = (orphan["missing"], orphan["content_identifier"])
    expect(found == wanted, f"orphans: {found}")
    text = run(APUS, "export", *words, "--dry-run").decode()
    told = [line for line in text.splitlines() if "is missing: no other file" in line]
    expect(len(told) == 3, f"orphans in words: {text}")
    done = lines("export", "export", *words)
    told = {name for name, line in done.items() if name and any("is missing: no other file" in text for text in line["warnings"])}
    expect(told == set(wanted), f"orphans of a run: {told}")


def presets(folder, source):
    out = folder / "small"
    words = ["export", "-r", source, "-o", out, "--video-preset", "h264-1080p", "--journal", folder / "journal"]
    found = lines("export", *words)
    expect(found[None]["summary"]["failed"] == 0, f"presets: {found[None]}")
    for name in ["IMG_1", "hdr10", "hev1", "avc1", "avc", "deep/hevc", "prores"]:
        expect([video["codec_name"] for video in videos(out / f"{name}.mp4")] == ["h264"], f"{name}.mp4")
    copied(source, out, ["a.JPG", "one.webp", "sound.ogg", "deep/README"])
    identifier = run("exiftool", "-s3", "-ContentIdentifier", out / "IMG_1.mp4").strip()
    expect(identifier == ONE.encode(), f"the identifier of the video is {identifier}")
    again = lines("export", *words, status=3)
    expect(again[None]["summary"]["finished_before"] == found[None]["summary"]["converted"], f"journal: {again[None]}")


for check in [pairs, embedded, jpegs, exports, orphans]:
    with tempfile.TemporaryDirectory() as place:
        check(pathlib.Path(place))
sys.exit(1 if failures else 0)
