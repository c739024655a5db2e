#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus convert` lets go along with a picture into a HEIC, gain map, depth, mattes, is what libheif and exiftool find
there, and comes back as it was."""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Peers"))

from expecting import APUS, FIXTURES, ended, expect  # noqa: E402


def run(*command, **others):
    return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, check=True, capture_output=True, **others)


def convert(photo, target, *words):
    told = run(APUS, "convert", photo, "-o", target, "--json", "--on-exists", "replace", *words).stdout
    return json.loads(told.splitlines()[0])


def info(path):
    return json.loads(run(APUS, "info", "--json", path).stdout.splitlines()[0])


def hdr(path):
    """What `info` tells of the gain map."""
    told = info(path)
    return told.get("hdr") or told["picture"]["hdr"]


def luma(path):
    """Sides and luma of a picture that ffmpeg reads."""
    words = ["-show_entries", "stream=width,height", "-of", "csv=p=0"]
    sides = tuple(map(int, run("ffprobe", "-v", "error", *words, path).stdout.decode().split(",")[:2]))
    words = ["-vf", "format=gray", "-frames:v", 1, "-f", "rawvideo", "-"]
    return sides, run("ffmpeg", "-v", "error", "-i", path, *words).stdout


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
    checked = subprocess.run([APUS, "hvcc", "check", heic], capture_output=True)
    expect(checked.returncode == 0, f"{heic.name}: {checked.stdout.decode()}")
    expect(not info(heic)["findings"], f"{heic.name}: {info(heic)['findings']}")
    told = json.loads(run("exiftool", "-json", "-a", "-G1", heic).stdout)[0]
    expect(not any("Warning" in key or "Error" in key for key in told), f"{heic.name}: {told}")
    target = heic.with_suffix(".read.png")
    run("heif-convert", "--with-aux", "--no-colons", heic, target)
    return target


def map_of(path, folder):
    """The gain map as extract takes it out."""
    target = folder / "maps"
    run(APUS, "extract", path, "--role", "gainmap", "-o", f"{target}/", "--on-exists", "replace")
    return next(target.glob(f"{path.stem}.gainmap.*"))


def gain_maps(folder):
    """From HEIC to HEIC and from JPEG to HEIC, in both forms."""
    rows = [("gain-map-tmap", 6.902452, 2.787109), ("gain-map-samsung", 4.924578, 2.3), ("gain-map-colour", 6.902452, 2.787109)]
    for name, headroom, stops in rows:
        photo = FIXTURES / f"{name}.heic"
        first, heic, second = (folder / f"{name}{end}" for end in ("-1.jpg", ".heic", "-2.jpg"))
        convert(photo, first, "-q", 95)
        said = hdr(first)
        expect(said["origin"] == "iso" and abs(said["headroom"] - headroom) < 1e-5, f"{first.name}: {said}")
        report = convert(first, heic)
        expect(not report["warnings"], f"{heic.name}: {report['warnings']}")
        expect(abs(report["gain_map"]["headroom"] - headroom) < 1e-5, f"{heic.name}: {report['gain_map']}")
        expect(abs(hdr(heic)["alternate_hdr_headroom"] - stops) < 1e-5, f"{heic.name}: {hdr(heic)}")
        whole(heic)
        expect(b"tmap" in run("exiftool", "-b", "-CompatibleBrands", heic).stdout, f"{heic.name} has no brand tmap")
        convert(heic, second, "-q", 95)
        kept = [run("exiftool", "-json", "-n", "-XMP-hdrgm:all", path).stdout.split(b",\n", 1)[1] for path in (first, second)]
        expect(kept[0] == kept[1], f"{name}: numbers of the map were {kept[0]} and are {kept[1]}")
        # Colours of a map have a quarter of the samples in a HEIC.
        near = (2, 16) if "colour" in name else (1, 4)
        for path in (heic, second):
            found = difference(map_of(first, folder), map_of(path, folder))
            expect(is_near(found, *near), f"{path.name}: the map differs by {found}")
        direct = folder / f"{name}-direct.heic"
        expect(not convert(photo, direct)["warnings"], f"{direct.name}: warnings")
        whole(direct)
        thumbnail = folder / "small.jpg"
        run(APUS, "thumbnail", heic, "-s", 40, "-o", thumbnail, "--on-exists", "replace")
        expect(max(luma(thumbnail)[0]) == 40, f"{heic.name}: its thumbnail has {luma(thumbnail)[0]} samples")


def apple_form(folder):
    """An auxiliary picture that libheif finds by its URN, as the same light."""
    jpeg, heic, back = folder / "source.jpg", folder / "apple.heic", folder / "back.jpg"
    convert(FIXTURES / "gain-map-samsung.heic", jpeg, "-q", 95)
    report = convert(jpeg, heic, "--gain-map", "apple", "-q", 95)
    expect(not report["warnings"], f"{heic.name}: {report['warnings']}")
    read = whole(heic)
    planes = list(folder.glob("apple*hdrgainmap*"))
    expect(len(planes) == 1, f"libheif finds {planes} beside {read.name}")
    xmp = run(APUS, "extract", heic, "--role", "xmp", "-o", f"{folder}/", "--list").stdout.decode()
    expect("xmp" in xmp, f"{heic.name}: {xmp}")
    said = hdr(heic)
    expect(said["origin"] == "apple-xmp" and abs(said["headroom"] - 4.924578) < 1e-6, f"{heic.name}: {said}")
    # 2^(2.3·code/255) = 1 + (4.924578 − 1)·f(Apple's code), f BT.709 backwards.
    if planes:
        (sides, codes), (_, logarithms) = luma(planes[0]), luma(map_of(jpeg, folder))
        for code, logarithm in zip(codes, logarithms):
            value = code / 255
            light = value / 4.5 if value < 0.081 else ((value + 0.099) / 1.099) ** (1 / 0.45)
            gain = 2 ** (2.3 * logarithm / 255)
            if abs((1 + 3.924578 * light) / gain - 1) > 0.06:
                return expect(False, f"Apple's code {code} stands for {logarithm}, sides {sides}")
    convert(heic, back, "-q", 95)
    found = difference(map_of(jpeg, folder), map_of(back, folder))
    expect(is_near(found, 2, 8), f"the map came back from Apple's form {found} away")


def layings(folder):
    """The map lies as its picture does, whatever says how that lies."""
    for orientation in range(1, 9):
        jpeg, heic, upright = (folder / f"{orientation}{end}" for end in (".jpg", ".heic", "-upright.jpg"))
        convert(FIXTURES / "gain-map-tmap.heic", jpeg, "-q", 95, "--keep-orientation-tag")
        data = bytearray(jpeg.read_bytes())
        # Orientation, SHORT, one value: TIFF 6.0.
        entry = b"\x01\x12\x00\x03\x00\x00\x00\x01\x00"
        at = data.find(entry)
        if at < 0:
            return expect(False, "Exif says no orientation")
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
            run("ffmpeg", "-v", "error", "-y", "-noautorotate", "-i", stored, "-vf", filters, "-frames:v", 1, wanted)
            found = difference(wanted, laid)
            expect(is_near(found, 2.5, 40), f"orientation {orientation}: {laid.name} differs by {found}")


def auxiliaries(folder):
    """Depth and mattes, by libheif and by extract."""
    for name, count in (("portrait", 2), ("depth", 0)):
        photo, heic = FIXTURES / f"{name}.heic", folder / f"{name}.heic"
        convert(photo, heic)
        whole(heic)
        mattes = list(folder.glob(f"{name}.read-urn*"))
        expect(len(mattes) == count, f"{name}: libheif finds {mattes}")
        depth = list(folder.glob(f"{name}.read-depth*"))
        expect(len(depth) == 1, f"{name}: libheif finds the depth maps {depth}")
        before, after = folder / "before", folder / "after"
        for path, target in ((photo, before), (heic, after)):
            run(APUS, "extract", path, "--role", "depth", "--role", "matte", "-o", f"{target}/", "--on-exists", "replace")
        for path in before.glob(f"{name}.*"):
            other = after / path.name
            if path.suffix == ".json":
                expect(other.read_bytes() == path.read_bytes(), f"{path.name} says something else")
            else:
                found = difference(path, other)
                expect(is_near(found, 1, 6), f"{path.name} differs by {found}")


for test in (gain_maps, apple_form, layings, auxiliaries):
    with tempfile.TemporaryDirectory() as name:
        try:
            test(pathlib.Path(name))
        except subprocess.CalledProcessError as error:
            expect(False, f"{test.__name__}: {' '.join(error.cmd)}: {error.stderr.decode()[-400:]}")
ended("companions")
