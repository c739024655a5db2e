# SPDX-License-Identifier: MIT
"""contents.py APUS FOLDER...: of each photo, everything that `apus extract --list` and `apus info` name is in the output that
takes its place, or is a reason to keep it."""

import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SECONDS = 600
ENDINGS = {".heic", ".heif", ".hif", ".heics", ".avci", ".avif", ".jpg", ".jpeg", ".png"}
FORMATS = ("jpeg", "png", "heic")
# What a part of a photo is called among the reasons; a thumbnail is made from the picture, and is none.
REASONS = {
    "alpha": {"alpha"}, "depth": {"depth"}, "matte": {"mattes"}, "gainmap": {"gain-map"}, "exif": {"exif"},
    "xmp": {"xmp"}, "icc": {"colour-profile"}, "iptc": {"iptc"}, "motion-video": {"motion-video"},
    "picture": {"pictures", "hidden-pictures"}, "tracks": {"tracks"}, "auxiliary": {"auxiliaries"},
    "samsung-trailer": {"samsung-trailer"},
}
# Reasons that have nothing to do with what was found.
GENERAL = {"failed", "skipped", "salvaged"}


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)


def documents(apus, *words):
    done = run(apus, *words)
    return [json.loads(line) for line in done.stdout.decode().splitlines() if line.startswith("{")]


def named(apus, path):
    """The parts of a file: how many of each."""
    parts = collections.Counter()
    for listing in documents(apus, "extract", "--list", "--json", path):
        if listing["tracks"]:
            parts["tracks"] = len(listing["tracks"])
        for part in listing["parts"]:
            parts[kind(part)] += 1
    for facts in documents(apus, "info", "--json", path):
        picture = facts.get("picture") or {}
        for entry in picture.get("metadata", []):
            role = {"Exif": "exif", "application/rdf+xml": "xmp", "IPTC": "iptc"}.get(entry["kind"])
            if role and not parts[role] and entry.get("id") is None:
                parts[role] = 1
        if (picture.get("primary") or {}).get("colour", {}).get("icc_profile"):
            parts["icc"] = 1
    if has_alpha(path):
        parts["alpha"] = 1
    return +parts


def kind(part):
    role = part["role"]
    if role in ("exif", "xmp") and part.get("name"):
        return "metadata of another picture"
    if role == "other":
        return {"auxiliary": "auxiliary", "iptc": "iptc", "samsung": "samsung-trailer"}.get(
            part["name"].partition("-")[0] or ("iptc" if part["type"] == "Photoshop resources" else ""), "other"
        )
    return role


def has_alpha(path):
    """Whether a PNG has alpha."""
    with open(path, "rb") as file:
        head = file.read(1 << 20)
    return head[:4] == b"\x89PNG" and (bool(head[25] & 4) or b"tRNS" in head.partition(b"IDAT")[0])


def is_opaque(path):
    """Whether pillow finds, to eight bits, that nothing of a picture with alpha is transparent."""
    import pillow_heif
    from PIL import Image

    pillow_heif.register_heif_opener()
    Image.MAX_IMAGE_PIXELS = None
    with Image.open(path) as picture:
        return picture.convert("RGBA").getchannel("A").getextrema() == (255, 255)


def check(apus, path, form, work):
    """The status, whether the source was removed, the reasons against that, and what is neither in the output nor a reason."""
    source = os.path.join(work, "source" + path.suffix)
    output = os.path.join(work, f"output.{form}")
    shutil.copyfile(path, source)
    reports = documents(apus, "convert", source, "-o", output, "--remove-source", "--json")
    if not reports or "source" not in reports[0]:
        return "failed", False, set(), []
    report = reports[0]
    reasons = {reason["kind"] for reason in report["source"]["reasons"]}
    removed = report["source"]["removed"]
    if os.path.exists(source) == removed:
        return report["status"], removed, reasons, ["the report says otherwise than the folder"]
    if reasons & GENERAL or report["status"] != "converted":
        return report["status"], removed, reasons, []
    held, found = named(apus, str(path)), named(apus, output)
    lost = [
        part for part, count in held.items()
        if part in REASONS and not found[part] and not reasons & REASONS[part]
    ]
    if "alpha" in lost and is_opaque(path):
        lost.remove("alpha")
    # What was warned of keeps the source, and the warning says of what.
    return report["status"], removed, reasons, lost if removed or "warned" not in reasons else []


def main():
    apus, *folders = sys.argv[1:]
    files = [
        file for folder in folders for file in sorted(pathlib.Path(folder).rglob("*"))
        if file.is_file() and file.suffix.lower() in ENDINGS
    ]
    if not files:
        sys.exit(f"contents: there is no photo in {' '.join(folders)}")
    counts = collections.defaultdict(collections.Counter)
    kept = collections.defaultdict(collections.Counter)
    failures = []

    def job(file, form):
        with tempfile.TemporaryDirectory() as work:
            try:
                return check(apus, file, form, work)
            except (subprocess.TimeoutExpired, ValueError, KeyError) as error:
                return "failed", False, set(), [f"{type(error).__name__}: {error}"]

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        jobs = [(file, form, pool.submit(job, file, form)) for form in FORMATS for file in files]
        for file, form, result in jobs:
            status, removed, reasons, lost = result.result()
            kept[form].update(reasons)
            counts[form][status] += 1
            counts[form]["removed"] += removed
            if lost:
                failures.append(f"{file}: {', '.join(lost)} neither in the {form} nor a reason to keep it")
    for failure in failures:
        print(failure)
    for form in FORMATS:
        count = counts[form]
        print(f"{form}: {count['converted']} of {len(files)} photos converted, {count['removed']} removed;"
              f" kept for {', '.join(f'{reason} ({number})' for reason, number in kept[form].most_common())}")
    sys.exit(1 if failures or not counts["jpeg"]["removed"] else 0)


main()
