# SPDX-License-Identifier: MIT
"""What `apus convert` lets go along with a picture into a HEIC, gain map, depth, mattes, is what libheif and exiftool find
there, and comes back as it was."""

import json
import shutil

import numpy
import pytest

from editing import edit
from exiftool import exiftool
from programs import APUS, FFMPEG, FIXTURES, completed, printed, run


def convert(photo, target, *words):
    told = printed(APUS, "convert", photo, "-o", target, "--json", "--on-exists", "replace", *words)
    return json.loads(told.splitlines()[0])


def info(path):
    return json.loads(printed(APUS, "info", "--json", path).splitlines()[0])


def hdr(path):
    """What `info` tells of the gain map."""
    told = info(path)
    return told.get("hdr") or told["picture"]["hdr"]


def luma(path):
    """Sides and luma of a picture that ffmpeg reads."""
    words = ["-show_entries", "stream=width,height", "-of", "csv=p=0"]
    sides = tuple(map(int, printed("ffprobe", "-v", "error", *words, path).split(",")[:2]))
    words = ["-vf", "format=gray", "-frames:v", 1, "-f", "rawvideo", "-"]
    return sides, completed(FFMPEG, "-noautorotate", "-i", path, *words).stdout


def difference(one, other):
    """The mean and the greatest, of two pictures with the same sides."""
    (sides, first), (others, second) = luma(one), luma(other)
    if sides != others:
        return None
    found = [abs(a - b) for a, b in zip(first, second)]
    return sum(found) / len(found), max(found)


def is_near(found, mean, greatest):
    return found is not None and found[0] <= mean and found[1] <= greatest


def whole(heic):
    """The file is right by its own records and boxes, and both readers take it."""
    run(APUS, "hvcc", "check", heic)
    assert not info(heic)["findings"], f"{heic.name}: {info(heic)['findings']}"
    told = json.loads(exiftool("-json", "-a", "-G1", heic).stdout)[0]
    assert not any("Warning" in key or "Error" in key for key in told), f"{heic.name}: {told}"
    target = heic.with_suffix(".read.png")
    run("heif-convert", "--with-aux", "--no-colons", heic, target)
    return target


def map_of(path, folder):
    """The gain map as extract takes it out."""
    target = folder / "maps"
    run(APUS, "extract", path, "--role", "gainmap", "-o", f"{target}/", "--on-exists", "replace")
    return next(target.glob(f"{path.stem}.gainmap.*"))


GAIN_MAPS = [("gain-map-tmap", 6.902452, 2.787109), ("gain-map-samsung", 4.924578, 2.3), ("gain-map-colour", 6.902452, 2.787109)]


@pytest.mark.parametrize("name, headroom, stops", GAIN_MAPS)
def test_gain_maps_go_from_heic_to_heic_and_from_jpeg_to_heic(folder, name, headroom, stops):
    """From HEIC to HEIC and from JPEG to HEIC, in both forms."""
    photo = FIXTURES / f"{name}.heic"
    first, heic, second = (folder / f"{name}{end}" for end in ("-1.jpg", ".heic", "-2.jpg"))
    convert(photo, first, "-q", 95)
    said = hdr(first)
    assert said["origin"] == "iso" and abs(said["headroom"] - headroom) < 1e-5, f"{first.name}: {said}"
    report = convert(first, heic)
    assert not report["warnings"], f"{heic.name}: {report['warnings']}"
    assert abs(report["gain_map"]["headroom"] - headroom) < 1e-5, f"{heic.name}: {report['gain_map']}"
    assert abs(hdr(heic)["alternate_hdr_headroom"] - stops) < 1e-5, f"{heic.name}: {hdr(heic)}"
    whole(heic)
    assert b"tmap" in exiftool("-b", "-CompatibleBrands", heic).stdout, f"{heic.name} has no brand tmap"
    convert(heic, second, "-q", 95)
    kept = [exiftool("-json", "-n", "-XMP-hdrgm:all", path).stdout.decode().split(",\n", 1)[1] for path in (first, second)]
    assert kept[0] == kept[1], f"{name}: numbers of the map were {kept[0]} and are {kept[1]}"
    # Colours of a map have a quarter of the samples in a HEIC.
    near = (2, 16) if "colour" in name else (1, 4)
    for path in (heic, second):
        found = difference(map_of(first, folder), map_of(path, folder))
        assert is_near(found, *near), f"{path.name}: the map differs by {found}"
    direct = folder / f"{name}-direct.heic"
    assert not convert(photo, direct, "-q", 60)["warnings"], f"{direct.name}: warnings"
    whole(direct)
    thumbnail = folder / "small.jpg"
    run(APUS, "thumbnail", heic, "-s", 40, "-o", thumbnail, "--on-exists", "replace")
    assert max(luma(thumbnail)[0]) == 40, f"{heic.name}: its thumbnail has {luma(thumbnail)[0]} samples"


def test_the_map_in_apples_form_is_found_by_libheif_as_the_same_light(folder):
    """An auxiliary picture that libheif finds by its URN, as the same light."""
    jpeg, heic, back = folder / "source.jpg", folder / "apple.heic", folder / "back.jpg"
    convert(FIXTURES / "gain-map-samsung.heic", jpeg, "-q", 95)
    report = convert(jpeg, heic, "--gain-map", "apple", "-q", 95)
    assert not report["warnings"], f"{heic.name}: {report['warnings']}"
    read = whole(heic)
    planes = list(folder.glob("apple*hdrgainmap*"))
    assert len(planes) == 1, f"libheif finds {planes} beside {read.name}"
    xmp = printed(APUS, "extract", heic, "--role", "xmp", "-o", f"{folder}/", "--list")
    assert "xmp" in xmp, f"{heic.name}: {xmp}"
    said = hdr(heic)
    assert said["origin"] == "apple-xmp" and abs(said["headroom"] - 4.924578) < 1e-6, f"{heic.name}: {said}"
    # 2^(2.3·code/255) = 1 + (4.924578 − 1)·f(Apple's code), f BT.709 backwards.
    (sides, codes), (_, logarithms) = luma(planes[0]), luma(map_of(jpeg, folder))
    for code, logarithm in zip(codes, logarithms):
        value = code / 255
        light = value / 4.5 if value < 0.081 else ((value + 0.099) / 1.099) ** (1 / 0.45)
        gain = 2 ** (2.3 * logarithm / 255)
        assert abs((1 + 3.924578 * light) / gain - 1) <= 0.06, f"Apple's code {code} means {logarithm}, sides {sides}"
    convert(heic, back, "-q", 95)
    found = difference(map_of(jpeg, folder), map_of(back, folder))
    assert is_near(found, 2, 8), f"the map came back from Apple's form {found} away"


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_map_lies_as_its_picture_does(folder, orientation):
    """The map lies as its picture does, whatever says how that lies."""
    jpeg, heic, upright = (folder / f"{orientation}{end}" for end in (".jpg", ".heic", "-upright.jpg"))
    convert(FIXTURES / "gain-map-tmap.heic", jpeg, "-q", 95, "--keep-orientation-tag")
    data = bytearray(jpeg.read_bytes())
    # Orientation, SHORT, one value: TIFF 6.0.
    entry = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00"
    at = data.find(entry)
    assert at >= 0, "Exif says no orientation"
    data[at + len(entry)] = orientation
    jpeg.write_bytes(data)
    convert(jpeg, heic, "-q", 95)
    whole(heic)
    convert(heic, upright, "-q", 95)
    words = {
        1: [], 2: ["hflip"], 3: ["hflip", "vflip"], 4: ["vflip"], 5: ["transpose=0"],
        6: ["transpose=1"], 7: ["transpose=3"], 8: ["transpose=2"],
    }[orientation]  # fmt: skip
    for stored, laid in ((jpeg, upright), (map_of(jpeg, folder), map_of(upright, folder))):
        wanted = folder / "wanted.png"
        filters = ",".join([*words, "format=gray"])
        run(FFMPEG, "-y", "-noautorotate", "-i", stored, "-vf", filters, "-frames:v", 1, wanted)
        found = difference(wanted, laid)
        assert is_near(found, 2.5, 40), f"orientation {orientation}: {laid.name} differs by {found}"


@pytest.mark.parametrize("name, count", (("portrait", 2), ("depth", 0)))
def test_depth_and_mattes_are_found_by_libheif_and_extracted(folder, name, count):
    """Depth and mattes, by libheif and by extract."""
    photo, heic = FIXTURES / f"{name}.heic", folder / f"{name}.heic"
    convert(photo, heic, "-q", 60)
    whole(heic)
    mattes = list(folder.glob(f"{name}.read-urn*"))
    assert len(mattes) == count, f"{name}: libheif finds {mattes}"
    depth = list(folder.glob(f"{name}.read-depth*"))
    assert len(depth) == 1, f"{name}: libheif finds the depth maps {depth}"
    before, after = folder / "before", folder / "after"
    for path, target in ((photo, before), (heic, after)):
        run(APUS, "extract", path, "--role", "depth", "--role", "matte", "-o", f"{target}/", "--on-exists", "replace")
    for path in before.glob(f"{name}.*"):
        other = after / path.name
        if path.suffix == ".json":
            assert other.read_bytes() == path.read_bytes(), f"{path.name} says something else"
        else:
            found = difference(path, other)
            assert is_near(found, 1, 6), f"{path.name} differs by {found}"


def items(path):
    """The coded pictures of a file, by the IDs of their items."""
    tree = json.loads(printed(APUS, "inspect", path, "--path", "meta/iinf", "--json"))
    entries = [{field["name"]: field["value"] for field in box["fields"]} for box in tree["boxes"][0]["boxes"]]
    ids = [entry["item_ID"] for entry in entries if entry["item_type"] == "hvc1"]
    return {i: completed(APUS, "extract", path, "--item", i, "--raw", "-o", "-").stdout for i in ids}


def light(path, folder):
    """The light of a photo with its gain map applied, in cd/m²: SMPTE ST 2084."""
    png = folder / f"{path.stem}.light.png"
    run(APUS, "convert", path, "--hdr", "apply", "-o", png, "--on-exists", "replace")
    sides = luma(png)[0]
    pixels = completed(FFMPEG, "-i", png, "-pix_fmt", "rgb48le", "-f", "rawvideo", "-").stdout
    code = (numpy.frombuffer(pixels, "<u2").reshape(sides[1], sides[0], 3) / 65535) ** (32 / 2523)
    return 10000 * (numpy.maximum(code - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * code)) ** (16384 / 2610)


def stops(one, other):
    """The largest difference of light, of what is not nearly black."""
    return numpy.abs(numpy.log2((one + 1) / (other + 1))).max()


@pytest.fixture(params=["fixture", "turned", "grid"])
def apples(request, folder):
    """A photo with Apple's form alone, and what the fit of its headroom of 3.5 may differ."""
    photo, path = FIXTURES / "gain-map-tmap.heic", folder / "apple.heic"
    words = ["--max-size", 100, "--tile-size", 64] if request.param == "grid" else []
    convert(photo, path, "--gain-map", "apple", *words)
    if request.param == "turned":
        run(APUS, "edit", path, "--rotate", "180", "--flip", "vertical", "--in-place")
    return path


def test_apples_map_is_described_by_iso_as_well_without_other_samples(folder, apples):
    before = whole(apples).read_bytes()
    out = edit(folder, apples, "--gain-map", "both")
    assert whole(out).read_bytes() == before, "libheif decodes another picture"
    assert items(out) == items(apples)
    assert (hdr(apples)["origin"], hdr(out)["origin"]) == ("apple-xmp", "tmap")
    assert abs(hdr(out)["headroom"] - 3.5) < 1e-5
    assert b"tmap" in exiftool("-b", "-CompatibleBrands", out).stdout
    assert list(folder.glob("out.read*hdrgainmap*")), "libheif finds no auxiliary picture"
    # 0.033 stops for a headroom of 3.5, and what the eight bits of a code round.
    assert 0 < stops(light(apples, folder), light(out, folder)) < 0.05
    both = out.rename(folder / "both.heic")
    turned = edit(folder, both, "--rotate", "90").rename(folder / "turned.heic")
    assert items(turned) == items(apples)
    assert stops(numpy.rot90(light(both, folder), -1), light(turned, folder)) < 0.001
    # In one run, the sides of the new item are those after the turn.
    once = edit(folder, apples, "--gain-map", "both", "--rotate", "90")
    whole(once)
    assert stops(light(turned, folder), light(once, folder)) < 0.001
    told = json.loads(printed(APUS, "edit", once, "--gain-map", "both", "--dry-run", "--json", status=3))
    assert told["status"] == "unchanged"


def test_a_map_with_both_descriptions_is_written_and_read_as_either(folder):
    """Every reader finds its form, and both mean the same light."""
    both, apple, iso = folder / "both.heic", folder / "apple.heic", folder / "iso.heic"
    photo = FIXTURES / "gain-map-samsung.heic"
    for path in (both, apple, iso):
        assert not convert(photo, path, "--gain-map", path.stem, "-q", 80)["warnings"]
    whole(both)
    assert hdr(both)["origin"] == "tmap" and abs(hdr(both)["headroom"] - 4.924578) < 1e-5
    assert items(both) == items(apple) and list(folder.glob("both.read*hdrgainmap*"))
    # 0.053 stops for a headroom of 4.9.
    assert stops(light(both, folder), light(apple, folder)) < 0.07
    assert stops(light(both, folder), light(iso, folder)) < 0.15
    # Without its tone map, the same codes are Apple's.
    data = both.read_bytes()
    older = folder / "older.heic"
    older.write_bytes(data.replace(b"tmap", b"xmap"))
    assert hdr(older)["origin"] == "apple-xmp"
    assert stops(light(older, folder), light(apple, folder)) == 0
    convert(both, folder / "ultra.jpg")
    assert hdr(folder / "ultra.jpg")["channels"] == hdr(both)["channels"]


@pytest.mark.parametrize(("name", "message"), [
    ("gain-map-colour.heic", "colours"), ("gain-map-samsung.heic", "convert --gain-map both"),
    ("photo.heic", "no gain map"), ("444.jpg", "is a JPEG")])  # fmt: skip
def test_both_descriptions_are_refused_where_the_codes_would_have_to_change(folder, name, message):
    photo = shutil.copy(FIXTURES / name, folder / name)
    assert message in edit(folder, photo, "--gain-map", "both", status=1)
