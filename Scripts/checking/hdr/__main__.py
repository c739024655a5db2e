# SPDX-License-Identifier: MIT
"""hdr APUS [FOLDER...]: whether other programs see the HDR that `apus convert` wrote, in files made for it and in every
photo with a gain map in the folders.

Judges: chromium, which shows linear light for displays of any headroom; libultrahdr and libvips, which are other readers;
exiftool for the structure; and the formulas of ISO 21496-1 as they stand there.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
from PIL import Image

import chromium
import formula
import photos

FFMPEG9 = pathlib.Path(__file__).resolve().parents[2] / "making/ffmpeg9"
HEADROOMS = [0, 0.5, 1, 2, 3]
failures = []


def check(holds, text):
    print(f"{'ok   ' if holds else 'FAILS'} {text}", flush=True)
    if not holds:
        failures.append(text)


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, stdin=subprocess.DEVNULL).stdout


def convert(apus, photo, target, *options):
    report = json.loads(
        run(apus, "convert", photo, "-o", target, "--on-exists", "replace", "--json", *options).splitlines()[0]
    )
    return report


def without(jpeg, word):
    """A JPEG without the segments that begin with a word."""
    result, last = jpeg[:2], 2
    for _, body, at in formula.segments(jpeg):
        if not body.startswith(word):
            result += jpeg[at : at + 4 + len(body)]
        last = at + 4 + len(body)
    return result + jpeg[last:]


def variant(data, kept):
    """The same file with one of the two descriptions alone."""
    gone = b"http://ns.adobe.com/xap" if kept == "iso" else formula.ISO
    first, second = (without(jpeg, gone) for jpeg in formula.pictures(data))
    at, body = next((at, body) for _, body, at in formula.segments(first) if body.startswith(b"MPF\0"))
    index = bytearray(body)
    for place, value in ((54, len(first)), (70, len(second)), (74, len(first) - at - 8)):
        index[4 + place : 8 + place] = value.to_bytes(4, "big")
    return first[: at + 4] + bytes(index) + first[at + 4 + len(index) :] + second


def expected(path, headroom):
    first, second = formula.pictures(path.read_bytes())
    light = formula.linear(formula.samples(first))
    if light.ndim == 2:
        light = light[:, :, None].repeat(3, 2)
    parameters = formula.Parameters(formula.payload(second))
    codes = formula.scaled(formula.samples(second), *light.shape[:2])
    return parameters.apply(light, codes, headroom), codes


def differences(shown, path, headroom, isFlat):
    """Relative to light, of the middles of blocks where pictures are made of them."""
    wanted, codes = expected(path, headroom)
    assert shown.shape == wanted.shape, (shown.shape, wanted.shape)
    if isFlat:
        middle = (slice(16, None, 32), slice(16, None, 32))
        shown, wanted = shown[middle], wanted[middle]
    return numpy.abs(shown - wanted) / numpy.maximum(numpy.abs(wanted), 0.02)


def structure(path, report):
    found = json.loads(run("exiftool", "-json", "-a", "-G1", "-n", path))[0]
    second = {key.split(":")[1]: value for key, value in found.items() if key.startswith("MPImage2:")}
    first = {key.split(":")[1]: value for key, value in found.items() if key.startswith("MPImage1:")}
    size = path.stat().st_size
    lengths = found.get("XMP-Container:DirectoryItemLength", second["MPImageLength"])
    holds = (
        second["MPImageStart"] == first["MPImageLength"]
        and second["MPImageStart"] + second["MPImageLength"] == size
        and second["MPImageLength"] == report["gain_map"]["bytes"] == int(lengths)
        and not any(key.endswith("Warning") for key in found)
    )
    check(holds, f"{path.name}: exiftool finds both pictures where the index says")


def readers(path):
    import imagecodecs
    import pyvips

    _, second = formula.pictures(path.read_bytes())
    parameters = formula.Parameters(formula.payload(second))
    image = pyvips.Image.uhdrload(str(path))
    boost = max(image.get("gainmap-max-content-boost"))
    holds = abs(boost / 2 ** max(parameters.high) - 1) < 1e-4
    check(holds, f"{path.name}: libvips reads the same maximum, {boost:.6g}")
    hdr = imagecodecs.ultrahdr_decode(path.read_bytes(), dtype="float16")[..., :3].astype(float)
    wanted, _ = expected(path, 16)
    ratio = numpy.median(hdr[wanted > 0.05] / wanted[wanted > 0.05])
    # It makes colours of its own between the samples of 4:2:0.
    check(abs(ratio - 1) < 0.01, f"{path.name}: libultrahdr shows {ratio:.4f} times the light")


def through_heic(apus, name, path, work, isFlat):
    """Ultra HDR into HEIC and back: the same numbers, and nearly the same light."""
    heic, again = work / f"{name}.heic", work / f"{name}-again.jpg"
    report = convert(apus, path, heic, "-q", "95")
    check(not report["warnings"] and "gain_map" in report, f"{heic.name}: {report['warnings']}")
    convert(apus, heic, again, "-q", "95")
    first, second = (formula.payload(formula.pictures(file.read_bytes())[1]) for file in (path, again))
    check(first == second, f"{again.name}: the parameters came back byte for byte")
    for headroom in (0, 1, 3):
        far = differences(expected(again, headroom)[0], path, headroom, isFlat)
        # Blocks in colour have edges that 4:2:0 softens, and their middles do not.
        check(numpy.median(far) < 0.02, f"{again.name}: {numpy.median(far):.4f} median at headroom {headroom}")
    return again


def same_for_sdr(apus, photo, path, work, *options):
    import imagecodecs
    import pyvips

    # libvips remembers what it has read by its name.
    plain = work / f"{path.stem}-plain.jpg"
    convert(apus, photo, plain, "--hdr", "drop", *options)
    data = plain.read_bytes()
    holds = not any(word in data for word in (b"hdrgm", b"GainMap", b"21496", b"MPF\0"))
    check(holds, f"{path.name}: nothing of a map is left with --hdr drop")
    programs = {
        "Pillow": lambda file: Image.open(file).convert("RGB").tobytes(),
        "djpeg": lambda file: run("djpeg", "-pnm", file),
        "libvips": lambda file: pyvips.Image.jpegload(str(file)).write_to_memory(),
        "imagecodecs": lambda file: imagecodecs.jpeg8_decode(file.read_bytes()).tobytes(),
    }
    words = ["-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv444p", "-"]
    for name, program in (("ffmpeg", "ffmpeg"), ("FFmpeg 9", FFMPEG9)):
        programs[name] = lambda file, program=program: run(program, "-i", file, *words)
    for name, decode in programs.items():
        check(decode(path) == decode(plain), f"{path.name}: {name} sees the same picture as without the map")


def end_to_end(photo, path, headroom, work):
    """The light that Apple's formula makes of the photo as libheif decodes it, and that of our JPEG, by 8 × 8 samples."""
    base = work / "source.png"
    run("heif-convert", "--with-aux", "--no-colons", photo, base)
    maps = list(work.glob("source-urn_com_apple_photo_2020_aux_hdrgainmap*"))
    if not maps:
        return
    light = formula.linear(numpy.asarray(Image.open(base).convert("RGB")).astype(float))
    codes = numpy.asarray(Image.open(maps[0]).convert("L")).astype(float)
    gain = formula.bt709(formula.scaled(codes, *light.shape[:2]) / 255)
    wanted, shown = (
        blocks(picture) for picture in (light * (1 + (headroom - 1) * gain), expected(path, numpy.log2(headroom))[0])
    )
    far = numpy.log2(numpy.maximum(shown, 1e-6) / numpy.maximum(wanted, 1e-6))[wanted > 0.002]
    numbers = abs(far.mean()), numpy.median(abs(far)), numpy.percentile(abs(far), 99)
    text = "{:.4f} stops too bright or dark, {:.4f} median, {:.4f} p99".format(*numbers)
    check(all(a <= b for a, b in zip(numbers, (0.005, 0.01, 0.03))), f"{path.name}, from the photo itself: {text}")


def blocks(light):
    height, width = (side // 8 * 8 for side in light.shape[:2])
    return light[:height, :width].reshape(height // 8, 8, width // 8, 8, 3).mean((1, 3, 4))


def main():
    apus, *folders = sys.argv[1:]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        jobs = []
        for name, photo, isFlat in photos.made(work):
            target = work / f"{name}.jpg"
            report = convert(apus, photo, target, "-q", "95")
            check(not report["warnings"] and "gain_map" in report, f"{name}: {report['warnings']}")
            structure(target, report)
            if name == "like-apple":
                same_for_sdr(apus, photo, target, work, "-q", "95")
            variants = {"": target, ", through HEIC": through_heic(apus, name, target, work, isFlat)}
            for kept in ("iso", "xmp"):
                path = work / f"{name}-{kept}.jpg"
                path.write_bytes(variant(target.read_bytes(), kept))
                variants[f", {kept} only"] = path
            for text, path in variants.items():
                whole = path if "HEIC" in text else target
                jobs += [(name + text, path, whole, headroom, isFlat) for headroom in HEADROOMS]
        for photo in photos.found(apus, folders):
            target = work / (photo.stem + ".jpg")
            report = convert(apus, photo, target)
            check("gain_map" in report, f"{photo.name}: {report['warnings']}")
            structure(target, report)
            if report["width"] * report["height"] < 30e6:
                same_for_sdr(apus, photo, target, work)
                readers(target)
                end_to_end(photo, target, report["gain_map"]["headroom"], work)
                through_heic(apus, photo.stem, target, work, False)
                jobs += [(photo.name, target, target, headroom, False) for headroom in (0, 1, 3)]
        shown = chromium.rendered([(path, headroom, photos.space(path)) for _, path, _, headroom, _ in jobs], 240)
        worst = {}
        for (name, _, whole, headroom, isFlat), light in zip(jobs, shown):
            difference = differences(light, whole, headroom, isFlat)
            numbers = difference.max(), numpy.median(difference), numpy.percentile(difference, 99)
            worst[name, isFlat] = tuple(map(max, worst.get((name, isFlat), numbers), numbers))
        for (name, isFlat), (most, median, high) in worst.items():
            holds = most <= 0.002 if isFlat else median <= 0.001 and high <= 0.005
            check(holds, f"{name}: chromium differs by {most:.4f} at most, {median:.4f} median, {high:.4f} p99")
        rest(apus, work)
    print(f"{time.monotonic() - start:.0f} s, {len(failures)} failures")
    sys.exit(1 if failures else 0)


def rest(apus, work):
    """What turning the map otherwise than the picture would show, tone mapping, and rendering."""
    sideways = photos.sideways(work)
    report = convert(apus, sideways, work / "sideways.jpg")
    check("gain_map" not in report, f"a map that lies otherwise than its picture is left out: {report['warnings']}")
    rendered(apus, work)
    tone_mapped(apus, work)


def rendered(apus, work):
    """--hdr apply against the formula, and against chromium's opinion of the JPEG."""
    photo = photos.ROOT / "Fixtures/gain-map-tmap.heic"
    jpeg, png = work / "kept.jpg", work / "applied.png"
    convert(apus, photo, jpeg, "-q", "100")
    convert(apus, photo, png, "--hdr", "apply", "--headroom", "2")
    codes = photos.png16(png) / 65535
    light = photos.pq(codes) / 203
    wanted, _ = expected(jpeg, 2)
    wanted = wanted @ numpy.array(photos.P3_TO_2020).T
    difference = numpy.abs(light - wanted) / numpy.maximum(wanted, 0.05)
    check(numpy.median(difference) < 0.02, f"--hdr apply: {numpy.median(difference):.4f} median from the JPEG's formula")


def tone_mapped(apus, work):
    """The grey codes of BT.2390, for pictures of which one patch is the peak."""
    table = {
        400: {1: 15, 10: 63, 50: 136, 100: 186, 203: 244, 400: 255},
        1000: {1: 15, 10: 63, 50: 136, 100: 186, 203: 229, 400: 250, 1000: 255},
        4000: {1: 15, 10: 63, 50: 135, 100: 174, 203: 208, 400: 232, 1000: 250, 4000: 255},
    }
    for peak, patches in table.items():
        photo = photos.patches(work, peak, list(patches))
        for choice in ("drop", "keep"):
            target = work / f"patches-{peak}-{choice}.jpg"
            convert(apus, photo, target, "-q", "100", "--hdr", choice)
            data = target.read_bytes()
            base = formula.samples(formula.pictures(data)[0] if choice == "keep" else data)
            middles = base[base.shape[0] // 2, 32 :: 64]
            codes = [int(round(middle.mean())) for middle in middles]
            off = max(abs(code - wanted) for code, wanted in zip(codes, patches.values()))
            check(off <= 1, f"PQ with a peak of {peak}, --hdr {choice}: {codes}")
            if choice == "keep":
                hdr, _ = expected(target, 16)
                middles = hdr[hdr.shape[0] // 2, 32 :: 64].mean(1) * 203
                stops = numpy.abs(numpy.log2(middles / numpy.array(list(patches))))[2:].max()
                check(stops < 0.06, f"PQ with a peak of {peak} comes back within {stops:.3f} stops: {middles.round()}")


main()
