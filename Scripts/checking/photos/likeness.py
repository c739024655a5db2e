# SPDX-License-Identifier: MIT
"""Every photo that current libheif decodes converts, and looks the same."""

import io
import json
import re

import PIL.Image

import exceptions
import picture
from job import Failure, run

LEAST = 40
QUALITY = 95
# What is lost to the JPEG that libjpeg makes of libheif's picture may be lost here, and this much more.
MARGIN = 1
MOST_MEMORY = 150
# Where colour samples are fewer than those of luma, libheif repeats them, and apus interpolates: then luma and the means
# of colours have to agree.
LEAST_LUMA = 50
LEAST_MEANS = 30
# By the values of Exif: how Pillow turns a picture upright.
UPRIGHT = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}


def check(apus, path, work):
    """What is to be said of the photo."""
    reference = picture.by_libheif(path)
    jpeg, png = work / "out.jpg", work / "out.png"
    done = run(apus, "convert", path, "-o", jpeg, "-q", str(QUALITY), "--json")
    if done.status:
        if reference is None:
            return f"refused, by libheif too: {done.message}"
        raise Failure(f"is refused, but libheif decodes it: {done.message}")
    if done.mebibytes > MOST_MEMORY:
        raise Failure(f"takes {done.mebibytes:.0f} MiB")
    made = picture.decoded(jpeg)
    (report,) = done.reports
    if made.size != (report["width"], report["height"]):
        raise Failure(f"is {made.size}, but the report says {report['width']} x {report['height']}")
    if reference is None:
        return f"converted, which libheif does not: {made.width} x {made.height}"
    expected, info = reference
    plan = json.loads(run(apus, "convert", "--dry-run", "-v", "--json", path).out)["pictures"][0]
    why = exceptions.reason(info, report, plan)
    if why:
        return f"exception: {why}"
    expected = upright(picture.eight_bits(expected), report)
    if expected.size != made.size:
        raise Failure(f"is {made.size}, libheif says {expected.size}")
    profile = info.get("icc_profile")
    if profile and made.info.get("icc_profile") != profile:
        raise Failure("has another ICC profile")
    likeness = picture.psnr(made.convert("RGB"), expected)
    done = run(apus, "convert", path, "-o", png)
    if done.status:
        raise Failure(f"becomes no PNG: {done.message}")
    found = picture.eight_bits(picture.decoded(png))
    exact = picture.psnr(found, expected)
    numbers = f"{likeness:.1f} dB as JPEG, {exact:.1f} dB as PNG"
    if exact < LEAST:
        luma, means = picture.seen(found, expected)
        numbers += f", of luma {luma:.1f} dB, of means of colours {means:.1f} dB"
        interpolates = any(source.get("chroma") in ("420", "422") for source in plan["sources"])
        if not interpolates or luma < LEAST_LUMA or means < LEAST_MEANS:
            raise Failure(f"looks otherwise: {numbers}")
    if likeness >= LEAST:
        return f"agrees: {numbers}"
    best = by_libjpeg(expected)
    numbers += f", where libjpeg leaves {best:.1f} dB of libheif's"
    if likeness < best - MARGIN:
        raise Failure(f"looks otherwise: {numbers}")
    return f"agrees as far as JPEG lets it: {numbers}"


def upright(image, report):
    """libheif lays a photo as the container says; where that says nothing apus believes Exif, and says so."""
    found = re.search(r"rotated by Exif orientation (\d)", "; ".join(report["warnings"]))
    return image.transpose(UPRIGHT[int(found[1])]) if found else image


def by_libjpeg(image):
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=QUALITY, subsampling="4:2:0")
    return picture.psnr(PIL.Image.open(stream).convert("RGB"), image)
