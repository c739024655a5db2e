# SPDX-License-Identifier: MIT
"""Every photo that current libheif decodes converts, and looks the same."""

import types

import PIL.ImageOps

import exceptions
import picture
from job import Failure, run

LEAST = 40
MOST_MEMORY = 150


def check(apus, path, work):
    """What is to be said of the photo: a line, or nothing."""
    reference = picture.by_libheif(path)
    jpeg, png = work / "out.jpg", work / "out.png"
    done = run(apus, "convert", path, "-o", jpeg, "-q", "95", "--json")
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
    expected, turned = upright(expected, made.size, info, report)
    if expected.size != made.size:
        raise Failure(f"is {made.size}, libheif says {expected.size}")
    facts = types.SimpleNamespace(
        info=info, report=report, transfer=(info.get("nclx_profile") or {}).get("transfer_characteristics")
    )
    flat = picture.on_white(expected)
    likeness = picture.psnr(made.convert("RGB"), flat)
    done = run(apus, "convert", path, "-o", png)
    if done.status:
        raise Failure(f"becomes no PNG: {done.message}")
    exact = picture.psnr(picture.eight_bits(picture.decoded(png)), flat)
    numbers = f"{likeness:.1f} dB as JPEG, {exact:.1f} dB as PNG"
    if likeness >= LEAST and exact >= LEAST:
        return f"agrees: {numbers}{turned}"
    why = exceptions.reason(facts)
    if why is None:
        raise Failure(f"looks otherwise: {numbers}{turned}")
    return f"exception, {numbers}: {why}"


def upright(image, size, info, report):
    """libheif lays a photo as the container says; where that says nothing apus believes Exif, and says so."""
    turns = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}
    orientation = info.get("original_orientation") or 1
    if orientation == 1 or not any("Exif" in warning for warning in report["warnings"]):
        return image, ""
    return image.transpose(turns[orientation]), ", laid as Exif says"
