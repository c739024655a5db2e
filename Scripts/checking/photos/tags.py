# SPDX-License-Identifier: MIT
"""exiftool shows the same tags before and after, but for what a conversion has to change."""

import json

from job import Failure, run

# Where exiftool finds what belongs to the photo itself. ICC profiles are compared as bytes.
GROUPS = {"EXIF", "MakerNotes", "XMP", "IPTC", "Photoshop"}
# The picture is upright now and has the sides that it has.
TAGS = {
    "Orientation", "ExifImageWidth", "ExifImageHeight", "ImageWidth", "ImageHeight", "PixelXDimension",
    "PixelYDimension", "XMPToolkit",
}  # fmt: skip
# What announces files that are not in a JPEG of the primary picture: a video, a gain map; and what is said of depth.
ANNOUNCEMENTS = (
    "XMP:XMP-Container:", "XMP:XMP-GCamera:", "XMP:XMP-hdrgm:", "XMP:XMP-HDRGainMap:", "XMP:XMP-apdi:",
    "XMP:XMP-depthBlurEffect:", "XMP:XMP-depthData:",
)  # fmt: skip
# Samsung puts these behind the picture, in a box of its own, which exiftool counts to its maker notes.
TRAILER = {"MakerNotes:Samsung:TimeStamp", "MakerNotes:Samsung:MCCData"}


def tags(path):
    done = run("exiftool", "-j", "-a", "-G0:1", "-n", path)
    (listing,) = json.loads(done.out or b"[{}]")
    kept = {}
    for name, value in listing.items():
        group, tag = name.partition(":")[0], name.rpartition(":")[2]
        announces = name.startswith(ANNOUNCEMENTS) or name in TRAILER
        if group in GROUPS and tag not in TAGS and not announces:
            kept[name] = value
    return kept


def check(apus, path, work):
    before = tags(path)
    if not before:
        return "has no metadata"
    done = run(apus, "convert", path, "-o", work / "out.jpg", "--json")
    if done.status:
        return f"refused: {done.message}"
    after = tags(work / "out.jpg")
    lost = {name for name, value in before.items() if after.get(name) != value}
    if lost:
        shown = ", ".join(f"{name} {before[name]!r:.40} → {after.get(name)!r:.40}" for name in sorted(lost)[:6])
        said = "; ".join(done.reports[0]["warnings"])
        raise Failure(f"loses {len(lost)} of {len(before)} tags: {shown} (warnings: {said or 'none'})")
    return f"keeps {len(before)} tags"
