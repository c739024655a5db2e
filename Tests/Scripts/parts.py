#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus extract` and `apus thumbnail` write is what exiftool and ffmpeg find, and what they print fits its schemas."""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Peers"))

from expecting import APUS, FIXTURES, ROOT, ended, expect  # noqa: E402


def output(*command):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout


def validator(name):
    schema = json.loads((ROOT / f"Sources/ApusCommand/Schemas/{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def lines(name, *words, status=0):
    """The lines that a run prints, each of which fits the schema."""
    command = [APUS, *map(str, words), "--json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    expect(done.returncode == status, f"{' '.join(map(str, words))}: status {done.returncode}, not {status}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for line in found:
        for error in validator(name).iter_errors(line):
            expect(False, f"{' '.join(map(str, words))}: {error.message}")
    return found


def as_exiftool_has_them(folder):
    """Bytes that exiftool takes out of the same photo."""
    rows = [
        ("portrait.heic", "Exif", "portrait.exif"),
        ("portrait.heic", "MotionPhotoVideo", "portrait.motion-video.mp4"),
        ("photo.heic", "Exif", "photo.exif"),
        ("photo.heic", "XMP", "photo.xmp"),
        ("grid-icc.heic", "ICC_Profile", "grid-icc.icc"),
        ("motion.jpg", "MPImage2", "motion.gainmap.jpg"),
        ("motion.jpg", "XMP", "motion.xmp"),
        ("samsung.jpg", "EmbeddedVideoFile", "samsung.motion-video.mp4"),
        ("thumbnail.jpg", "ThumbnailImage", "thumbnail.thumbnail.jpg"),
        ("thumbnail.jpg", "Exif", "thumbnail.exif"),
    ]
    for photo in sorted({row[0] for row in rows}):
        lines("extract", "extract", FIXTURES / photo, "--role", "all", "-o", f"{folder}/")
    for photo, tag, name in rows:
        wanted = output("exiftool", "-b", f"-{tag}", FIXTURES / photo).removeprefix(b"Exif\0\0")
        made = (folder / name).read_bytes() if (folder / name).exists() else None
        expect(wanted and made == wanted, f"{name} is not the {tag} of {photo}")
    # Of the same video in a directory of Google's.
    expect(
        (folder / "motion.motion-video.mp4").read_bytes() == (folder / "samsung.motion-video.mp4").read_bytes(),
        "the video of motion.jpg is another",
    )


def numbers(folder):
    depth = validator("depth")
    for name in ("portrait.depth.json",):
        for error in depth.iter_errors(json.loads((folder / name).read_text())):
            expect(False, f"{name}: {error.message}")
    made = folder / "distance.png"
    lines("extract", "extract", FIXTURES / "portrait.heic", "--role", "depth", "--depth-as", "depth", "-o", made)
    told = json.loads((folder / "distance.json").read_text())
    depth.validate(told)
    expect((told["form"], told["minimum"], told["maximum"]) == ("depth", 0.4, 2.0), f"the distances are {told}")
    expect(b"16-bit grayscale" in output("pngcheck", made), "distances do not have 16 bits")
    # The map, which lies on its side, is 4 X + Y; X and Y of the upright one are 35 - Y and X.
    filters = f"movie={made},format=gray16le"
    samples = output(
        "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", filters, "-f", "rawvideo", "-frames:v", "1", "-"
    )
    expect(len(samples) == 2 * 36 * 52, f"{len(samples)} bytes of distances")
    for x, y in ((0, 0), (35, 0), (0, 51), (20, 30)):
        code = 4 * y + (35 - x)
        wanted = 1 / (0.5 + 2 * code / 255)
        found = 0.4 + 1.6 * int.from_bytes(samples[2 * (y * 36 + x) :][:2], "little") / 65535
        expect(abs(found - wanted) < 1e-4, f"at {x}, {y} lie {found} m, not {wanted}")


def coded(folder):
    """A coded item decodes alone, a track of its own holds the same samples."""
    lines("extract", "extract", FIXTURES / "portrait.heic", "--item", 2, "--raw", "-o", f"{folder}/")
    stream = folder / "portrait.item-2.hevc"
    facts = output("ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", stream)
    expect(facts.split() == [b"hevc,52,36"], f"ffprobe says {facts} of a coded item")
    decoded = output("ffmpeg", "-loglevel", "error", "-i", stream, "-f", "rawvideo", "-pix_fmt", "gray", "-")
    wanted = bytes(4 * x + y for y in range(36) for x in range(52))
    expect(decoded == wanted, "a coded item does not decode to what was encoded")
    record = subprocess.run([APUS, "hvcc", "check", folder / "portrait.item-2.hvcc"], stdout=subprocess.PIPE)
    expect(record.returncode == 0, "the record of a coded item is not right")
    movie = FIXTURES / "hvc1.mp4"
    for track, kind in ((1, "v"), (2, "a")):
        (line,) = lines("extract", "extract", movie, "--track", track, "-o", f"{folder}/")
        hashes = [
            output("ffmpeg", "-loglevel", "error", "-i", file, "-map", f"0:{kind}", "-c", "copy", "-f", "streamhash", "-")
            for file in (movie, line["output"])
        ]
        hashes = [text.partition(b",")[2] for text in hashes]
        expect(hashes[0] and hashes[0] == hashes[1], f"track {track} holds other samples")


def google_depth(folder):
    """Depth in the XMP of a JPEG, put there by exiftool: a PNG comes out as it is, a JPEG as the numbers near to far."""
    grey, coded, big = folder / "map.png", folder / "map.jpg", folder / "big.jpg"
    ffmpeg = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i"]
    output(*ffmpeg, "testsrc=s=64x48,format=gray", "-frames:v", "1", grey)
    output(*ffmpeg, "testsrc=s=64x48", "-pix_fmt", "yuvj444p", "-frames:v", "1", coded)
    # More than a segment holds.
    output(*ffmpeg, "nullsrc=s=400x300,geq=random(1)*255:128:128", "-frames:v", "1", "-q:v", "2", big)
    for form, media, map_, ends in [
        ("RangeInverse", "image/png", grey, (2, 0.125)),
        ("RangeLinear", "image/png", grey, (0.5, 8)),
        ("RangeInverse", "image/jpeg", coded, (0.125, 2)),
        ("RangeLinear", "image/jpeg", coded, (0.5, 8)),
    ]:
        name = f"{form}-{media[6:]}"
        photo = folder / f"{name}.jpg"
        photo.write_bytes((FIXTURES / "444.jpg").read_bytes())
        tags = {"Format": form, "Near": 0.5, "Far": 8, "Mime": media}
        output(
            "exiftool", "-q", "-overwrite_original", *[f"-XMP-GDepth:{tag}={value}" for tag, value in tags.items()],
            f"-XMP-GDepth:DepthImage<={map_}", f"-XMP-GImage:ImageData<={big}", photo,
        )
        lines("extract", "extract", photo, "--role", "depth", "--role", "picture", "-o", f"{folder}/out/")
        out = folder / "out"
        numbers = json.loads((out / f"{name}.depth.json").read_text())
        for error in validator("depth").iter_errors(numbers):
            expect(False, f"{name}: {error.message}")
        form_of = "disparity" if form == "RangeInverse" else "depth"
        told = (numbers["form"], numbers["minimum"], numbers["maximum"], numbers["width"], numbers["height"])
        expect(told == (form_of, *ends, 64, 48), f"{name}: {numbers}")
        expect((out / f"{name}.original.jpg").read_bytes() == big.read_bytes(), f"{name}: another original")
        made = out / f"{name}.depth.png"
        if media == "image/png":
            expect(made.read_bytes() == grey.read_bytes(), f"{name} is not the map")
            continue
        raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-"]
        luma = output("ffmpeg", "-v", "error", "-i", coded, "-vf", "extractplanes=y", *raw)
        if form == "RangeInverse":
            luma = bytes(255 - sample for sample in luma)
        samples = output("ffmpeg", "-v", "error", "-i", made, *raw)
        # Two decoders of JPEG round as they like.
        far = max(abs(one - other) for one, other in zip(samples, luma, strict=True))
        expect(far <= 1, f"{name}: samples differ by {far}")


def apart(folder):
    """Processes of their own come to the same."""
    photos = [FIXTURES / name for name in ("portrait.heic", "depth.heic", "burst.heic", "motion.jpg")]
    sets = []
    for words in ([], ["--isolate"]):
        out = folder / f"apart{len(words)}"
        found = lines("extract", "extract", *photos, "--role", "all", "-o", f"{out}/", *words)
        names = {(line["input"], part["name"]) for line in found[:-1] for part in line["parts"]}
        sets.append((names, {path.name: path.read_bytes() for path in out.iterdir()}))
    expect(sets[0] == sets[1], "--isolate takes out something else")


def small(folder):
    photos = [FIXTURES / name for name in ("portrait.heic", "photo.heic", "thumbnail.jpg", "420.jpg", "sequence.heics")]
    found = lines("thumbnail", "thumbnail", *photos, "-s", 40, "-o", f"{folder}/")
    expect([line.get("embedded") for line in found[:-1]].count(True) == 2, "two photos hold thumbnails")
    lines("thumbnail", "thumbnail", FIXTURES / "photo.heic", "--policy", "embedded", "-o", f"{folder}/none/", status=1)
    for line in found[:-1]:
        facts = output(
            "ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", line["output"]
        )
        expect(facts.split() == [b"%d,%d" % (line["width"], line["height"])], f"{line['output']} is {facts}")
        expect(max(line["width"], line["height"]) <= 40, f"{line['output']} is too large")


def facts(folder):
    """A PNG says of which file it is where that is asked for, as the standard for thumbnails has it."""
    photo = folder / "a b\u00e9#%.heic"
    photo.write_bytes((FIXTURES / "photo.heic").read_bytes())
    lines("thumbnail", "thumbnail", photo, "-s", 64, "--thumb-facts", "-o", folder / "small.png")
    said = output("identify", "-format", "%[Thumb::URI]\n%[Thumb::MTime]\n%[Thumb::Size]", folder / "small.png")
    state = photo.stat()
    wanted = [photo.resolve().as_uri(), str(int(state.st_mtime)), str(state.st_size)]
    expect(said.decode().split("\n") == wanted, f"{said}, not {wanted}")


def main():
    for file in sorted(FIXTURES.glob("*.*")):
        if file.suffix in (".heic", ".heics", ".avci", ".mp4", ".mov") or file.name in ("motion.jpg", "samsung.jpg"):
            lines("extract", "extract", "--list", file)
    lines("extract", "extract", "--role", "all", FIXTURES / "still-p3.heic", status=3)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for test in (as_exiftool_has_them, numbers, coded, google_depth, apart, facts):
            test(folder)
        small(folder / "small")
    ended("parts")


main()
