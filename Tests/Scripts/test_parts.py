# SPDX-License-Identifier: MIT
"""What `apus extract` and `apus thumbnail` write is what exiftool and ffmpeg find, and what they print fits its schemas."""

import json

import pytest

import jsonschema

from exiftool import exiftool
from programs import APUS, FFMPEG, FIXTURES, SCHEMAS, Failure, completed, ffmpeg


def output(*command):
    return completed(*command).stdout


def validator(name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def lines(name, *words, status=0):
    """The lines that a run prints, each of which fits the schema."""
    found = [json.loads(line) for line in completed(APUS, *words, "--json", status=status).stdout.splitlines()]
    for line in found:
        for error in validator(name).iter_errors(line):
            raise Failure(f"{' '.join(map(str, words))}: {error.message}")
    return found


# Photos, tags of exiftool, and the files that are extracted.
EXTRACTED = [
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


@pytest.fixture(scope="module")
def extracted(work):
    """The folder of everything that these photos hold."""
    for photo in sorted({row[0] for row in EXTRACTED}):
        lines("extract", "extract", FIXTURES / photo, "--role", "all", "-o", f"{work}/")
    return work


@pytest.mark.parametrize("photo, tag, name", EXTRACTED)
def test_extracted_bytes_are_those_that_exiftool_extracts(extracted, photo, tag, name):
    wanted = exiftool("-b", f"-{tag}", FIXTURES / photo).stdout.removeprefix(b"Exif\0\0")
    made = (extracted / name).read_bytes() if (extracted / name).exists() else None
    assert wanted and made == wanted, f"{name} is not the {tag} of {photo}"


def test_the_same_video_in_a_directory_of_googles_is_extracted(extracted):
    assert (extracted / "motion.motion-video.mp4").read_bytes() == (extracted / "samsung.motion-video.mp4").read_bytes()


def test_distances_are_those_of_the_map_turned_upright(extracted, folder):
    depth = validator("depth")
    depth.validate(json.loads((extracted / "portrait.depth.json").read_text()))
    made = folder / "distance.png"
    lines("extract", "extract", FIXTURES / "portrait.heic", "--role", "depth", "--depth-as", "depth", "-o", made)
    told = json.loads((folder / "distance.json").read_text())
    depth.validate(told)
    assert (told["form"], told["minimum"], told["maximum"]) == ("depth", 0.4, 2.0), f"the distances are {told}"
    assert b"16-bit grayscale" in output("pngcheck", made), "distances do not have 16 bits"
    # The map, which lies on its side, is 4 X + Y; X and Y of the upright one are 35 - Y and X.
    filters = f"movie={made},format=gray16le"
    samples = output(
        FFMPEG, "-f", "lavfi", "-i", filters, "-f", "rawvideo", "-frames:v", "1", "-"
    )
    assert len(samples) == 2 * 36 * 52, f"{len(samples)} bytes of distances"
    for x, y in ((0, 0), (35, 0), (0, 51), (20, 30)):
        code = 4 * y + (35 - x)
        wanted = 1 / (0.5 + 2 * code / 255)
        found = 0.4 + 1.6 * int.from_bytes(samples[2 * (y * 36 + x) :][:2], "little") / 65535
        assert abs(found - wanted) < 1e-4, f"at {x}, {y} lie {found} m, not {wanted}"


def test_a_coded_item_decodes_alone(folder):
    lines("extract", "extract", FIXTURES / "portrait.heic", "--item", 2, "--raw", "-o", f"{folder}/")
    stream = folder / "portrait.item-2.hevc"
    facts = output("ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", stream)
    assert facts.split() == [b"hevc,52,36"], f"ffprobe says {facts} of a coded item"
    decoded = output(FFMPEG, "-i", stream, "-f", "rawvideo", "-pix_fmt", "gray", "-")
    wanted = bytes(4 * x + y for y in range(36) for x in range(52))
    assert decoded == wanted, "a coded item does not decode to what was encoded"
    completed(APUS, "hvcc", "check", folder / "portrait.item-2.hvcc")


@pytest.mark.parametrize("track, kind", [(1, "v"), (2, "a")])
def test_an_extracted_track_holds_the_same_samples(folder, track, kind):
    movie = FIXTURES / "hvc1.mp4"
    (line,) = lines("extract", "extract", movie, "--track", track, "-o", f"{folder}/")
    hashes = [
        output(FFMPEG, "-i", file, "-map", f"0:{kind}", "-c", "copy", "-f", "streamhash", "-")
        for file in (movie, line["output"])
    ]
    hashes = [text.partition(b",")[2] for text in hashes]
    assert hashes[0] and hashes[0] == hashes[1], f"track {track} holds other samples"


@pytest.mark.parametrize("form, kind, ends", [
    ("RangeInverse", "png", (2, 0.125)),
    ("RangeLinear", "png", (0.5, 8)),
    ("RangeInverse", "jpeg", (0.125, 2)),
    ("RangeLinear", "jpeg", (0.5, 8)),
])
def test_depth_in_the_xmp_of_a_jpeg_is_extracted(folder, form, kind, ends):
    """exiftool puts it there. A PNG comes out unchanged, a JPEG as the numbers near to far."""
    map_, big = folder / f"map.{kind}", folder / "big.jpg"
    if kind == "png":
        ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48,format=gray", "-frames:v", "1", map_)
    else:
        ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48", "-pix_fmt", "yuvj444p", "-frames:v", "1", map_)
    # More than a segment holds.
    ffmpeg("-f", "lavfi", "-i", "nullsrc=s=400x300,geq=random(1)*255:128:128", "-frames:v", "1", "-q:v", "2", big)
    name = f"{form}-{kind}"
    photo = folder / f"{name}.jpg"
    photo.write_bytes((FIXTURES / "444.jpg").read_bytes())
    tags = {"Format": form, "Near": 0.5, "Far": 8, "Mime": f"image/{kind}"}
    exiftool(
        "-q", "-overwrite_original", *[f"-XMP-GDepth:{tag}={value}" for tag, value in tags.items()],
        f"-XMP-GDepth:DepthImage<={map_}", f"-XMP-GImage:ImageData<={big}", photo,
    )
    lines("extract", "extract", photo, "--role", "depth", "--role", "picture", "-o", f"{folder}/out/")
    out = folder / "out"
    numbers = json.loads((out / f"{name}.depth.json").read_text())
    validator("depth").validate(numbers)
    form_of = "disparity" if form == "RangeInverse" else "depth"
    told = (numbers["form"], numbers["minimum"], numbers["maximum"], numbers["width"], numbers["height"])
    assert told == (form_of, *ends, 64, 48), f"{name}: {numbers}"
    assert (out / f"{name}.original.jpg").read_bytes() == big.read_bytes(), f"{name}: another original"
    made = out / f"{name}.depth.png"
    if kind == "png":
        assert made.read_bytes() == map_.read_bytes(), f"{name} is not the map"
        return
    raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-"]
    luma = output(FFMPEG, "-i", map_, "-vf", "extractplanes=y", *raw)
    if form == "RangeInverse":
        luma = bytes(255 - sample for sample in luma)
    samples = output(FFMPEG, "-i", made, *raw)
    # Two decoders of JPEG round as they like.
    far = max(abs(one - other) for one, other in zip(samples, luma, strict=True))
    assert far <= 1, f"{name}: samples differ by {far}"


def test_isolated_processes_extract_the_same(folder):
    photos = [FIXTURES / name for name in ("portrait.heic", "depth.heic", "burst.heic", "motion.jpg")]
    sets = []
    for words in ([], ["--isolate"]):
        out = folder / f"apart{len(words)}"
        found = lines("extract", "extract", *photos, "--role", "all", "-o", f"{out}/", *words)
        names = {(line["input"], part["name"]) for line in found[:-1] for part in line["parts"]}
        sets.append((names, {path.name: path.read_bytes() for path in out.iterdir()}))
    assert sets[0] == sets[1], "--isolate takes out something else"


def test_thumbnails_have_the_size_that_is_printed(folder):
    photos = [FIXTURES / name for name in ("portrait.heic", "photo.heic", "thumbnail.jpg", "420.jpg", "sequence.heics")]
    found = lines("thumbnail", "thumbnail", *photos, "-s", 40, "-o", f"{folder}/")
    assert [line.get("embedded") for line in found[:-1]].count(True) == 2, "two photos hold thumbnails"
    lines("thumbnail", "thumbnail", FIXTURES / "photo.heic", "--policy", "embedded", "-o", f"{folder}/none/", status=1)
    for line in found[:-1]:
        facts = output(
            "ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", line["output"]
        )
        assert facts.split() == [b"%d,%d" % (line["width"], line["height"])], f"{line['output']} is {facts}"
        assert max(line["width"], line["height"]) <= 40, f"{line['output']} is too large"


def test_a_png_names_its_file_as_the_standard_for_thumbnails_has_it(folder):
    photo = folder / "a b\u00e9#%.heic"
    photo.write_bytes((FIXTURES / "photo.heic").read_bytes())
    lines("thumbnail", "thumbnail", photo, "-s", 64, "--thumb-facts", "-o", folder / "small.png")
    said = output("identify", "-format", "%[Thumb::URI]\n%[Thumb::MTime]\n%[Thumb::Size]", folder / "small.png")
    state = photo.stat()
    wanted = [photo.resolve().as_uri(), str(int(state.st_mtime)), str(state.st_size)]
    assert said.decode().split("\n") == wanted, f"{said}, not {wanted}"


@pytest.mark.parametrize("name", [
    file.name for file in sorted(FIXTURES.glob("*.*"))
    if file.suffix in (".heic", ".heics", ".avci", ".mp4", ".mov") or file.name in ("motion.jpg", "samsung.jpg")])
def test_a_list_of_parts_fits_the_schema(name):
    lines("extract", "extract", "--list", FIXTURES / name)


def test_a_photo_without_parts_ends_with_3():
    lines("extract", "extract", "--role", "all", FIXTURES / "still-p3.heic", status=3)
