# SPDX-License-Identifier: MIT
"""What `apus extract` takes out of a photo is what libheif and exiftool find there; its small pictures look like it."""

import re
import subprocess

import numpy
import PIL.Image
import pillow_heif

import picture
from job import Failure, run

SIDE = 256
LEAST = 33


def by_libheif(path):
    """(URN or depth, picture) of everything auxiliary, as libheif decodes it."""
    try:
        photo = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
    # It calls a file that it does not know a syntax error.
    except (OSError, ValueError, RuntimeError, SyntaxError):
        return None
    for urn, items in photo.info.get("aux", {}).items():
        for item in items:
            try:
                yield urn, photo.get_aux_image(item).to_pillow()
            except (OSError, ValueError, RuntimeError):
                continue
    for depth in photo.info.get("depth_images", []):
        yield "depth", depth.to_pillow()


def samples(path):
    image = PIL.Image.open(path)
    return numpy.asarray(image).astype(int), image.mode


def auxiliary(path, made):
    """Every auxiliary picture that libheif shows is among the PNGs, sample by sample."""
    pngs = [samples(file) for file in made if file.suffix == ".png"]
    count = 0
    for urn, shown in by_libheif(path) or []:
        if "hdrgainmap" in urn or shown.mode != "L":
            continue
        wanted = numpy.asarray(shown).astype(int)
        # Where it says nothing of it itself it is laid as its photo, which libheif does not do.
        turns = [wanted, *(numpy.rot90(wanted, count) for count in (1, 2, 3))]
        if not any((mode == "L") and any(numpy.array_equal(found, turn) for turn in turns) for found, mode in pngs):
            raise Failure(f"libheif shows {urn}, {shown.size}, which is among none of {len(pngs)} PNGs")
        count += 1
    return count


def metadata(path, made):
    """Exif, XMP and ICC are those that exiftool takes out."""
    count = 0
    for suffix, tag in (("exif", "Exif"), ("xmp", "XMP"), ("icc", "ICC_Profile")):
        files = [file for file in made if file.name == f"{path.stem}.{suffix}"]
        if not files:
            continue
        wanted = subprocess.run(["exiftool", "-b", f"-{tag}", path], capture_output=True).stdout
        found = files[0].read_bytes()
        # An identifier stands before some Exif; a second profile or packet may be of another picture.
        if wanted and found not in (wanted, wanted.removeprefix(b"Exif\0\0")):
            raise Failure(f"its {suffix} has {len(found)} bytes and is not what exiftool takes out, {len(wanted)}")
        count += 1
    return count


def small(apus, path, work):
    """A small picture is the photo made smaller."""
    done = run(apus, "thumbnail", path, "-s", SIDE, "--policy", "always", "--format", "png", "-o", work / "small.png")
    whole = run(apus, "convert", path, "--hdr", "drop", "-o", work / "whole.png")
    if path.read_bytes().startswith(b"\xff\xd8"):
        return ""
    if bool(done.status) != bool(whole.status):
        raise Failure(f"has a small picture ({done.status}), but no whole one ({whole.status}), or the other way round")
    if done.status:
        return ""
    made, photo = picture.decoded(work / "small.png"), picture.decoded(work / "whole.png")
    if max(made.size) > max(SIDE, 1) or max(made.size) > max(photo.size):
        raise Failure(f"its small picture is {made.size}, of {photo.size}")
    wanted = picture.eight_bits(photo).resize(made.size, PIL.Image.Resampling.BOX)
    likeness = picture.psnr(picture.eight_bits(made), wanted)
    # Tone mapping measures what is brightest, of which less is left in a small picture.
    if likeness < LEAST and "tone mapped" not in whole.error:
        raise Failure(f"its small picture looks otherwise: {likeness:.1f} dB")
    return f", small {likeness:.1f} dB"


def check(apus, path, work):
    folder = work / "parts"
    folder.mkdir()
    done = run(apus, "extract", path, "--role", "all", "-o", f"{folder}/", "--json")
    made = sorted(folder.iterdir())
    pictures, texts = auxiliary(path, made), metadata(path, made)
    said = f"{pictures} of libheif, {texts} of exiftool" + small(apus, path, work)
    if done.status == 1:
        if re.search("is broken|cannot|not decoded|outside", done.message) is None and not done.message:
            raise Failure("fails without a reason")
        return f"partly: {len(made)} files, {done.message}"
    return f"agrees: {len(made)} files, {said}"
