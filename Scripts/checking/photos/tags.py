# SPDX-License-Identifier: MIT
"""exiftool shows the same tags before and after, but for what a conversion has to change."""

import json

from job import Failure, run

# Of the file, the container and the coding rather than of the photo; what exiftool works out of others.
GROUPS = {"ExifTool", "System", "File", "Composite", "QuickTime", "Meta", "JFIF", "HEIC"}
# The picture is upright now and has the sides that it has; places of what is inside the Exif data move.
TAGS = {
    "Orientation", "ExifImageWidth", "ExifImageHeight", "ImageWidth", "ImageHeight", "PixelXDimension",
    "PixelYDimension", "XMPToolkit", "MPImageStart",
}  # fmt: skip


def tags(path):
    done = run("exiftool", "-j", "-a", "-G1", "-n", "-api", "largefilesupport=1", path)
    (listing,) = json.loads(done.out or b"[{}]")
    kept = {}
    for name, value in listing.items():
        group, _, tag = name.rpartition(":")
        group = group.rstrip("0123456789-")
        if group and group not in GROUPS and not group.startswith("Track") and tag not in TAGS:
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
