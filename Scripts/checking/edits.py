# SPDX-License-Identifier: MIT
"""edits.py APUS FOLDER...: apus edit must change what it is asked for in every photo, and nothing else: coded items stay
byte for byte, exiftool sees no other difference, libheif decodes the same pixels, and nothing of a removed location is
left."""

import collections
import hashlib
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import numpy
import pillow_heif
from PIL import Image, ImageOps

PHOTOS = {".heic", ".heif", ".hif", ".avif", ".jpg", ".jpeg"}
METADATA = {b"Exif", b"mime", b"iptc"}
EDITS = {
    "gps": ["--strip", "gps"],
    "date": ["--set", "date=2001-02-03T04:05:06+07:00"],
    "rotate": ["--rotate", "90"],
    "thumbnail": ["--remove", "thumbnail"],
}
# What exiftool says that follows from where the data lie, or from other values.
DERIVED = re.compile(
    r"(System|ExifTool|File|Composite):|QuickTime:(MediaData|MetaImageSize|Movie|.*Offset)|:.*(Offset|Start|PreviewImage)"
    r"|MPF|Unknown_|ExifByteOrder|:CurrentIPTCDigest|:IPTCDigest|MPImage|XMPToolkit"
)
# What an edit may change.
ASKED = {
    "gps": re.compile(r"GPS|Location|City|State|Country|Lat|Lon|Altitude|ApplicationNotes|IPTC-NAA|Photoshop|XMP-.*Place|Padding", re.I),
    "date": re.compile(r"DateTimeOriginal|CreateDate|DateTimeDigitized|OffsetTime|SubSecTime|DateCreated|TimeCreated|IFD0:ExifOffset|ExifIFD:ExifVersion|IPTC"),
    "rotate": re.compile(r"Rotation|Mirroring|Orientation|ImageRotation|QuickTime:"),
    "thumbnail": re.compile(r"IFD1:|QuickTime:|Meta:|Thumbnail|PreviewIFD|Preview|ICC.*2:"),
}


def boxes(data, start, end):
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        head = 8
        if size == 1:
            size, head = struct.unpack_from(">Q", data, start + 8)[0], 16
        size = size or end - start
        if size < head or start + size > end:
            return
        yield kind, start + head, start + size
        start += size


def number(data, at, size):
    return int.from_bytes(data[at : at + size], "big")


def items(data):
    """The type and the bytes of each item, by ID."""
    meta = next(((s, e) for kind, s, e in boxes(data, 0, len(data)) if kind == b"meta"), None)
    if not meta:
        return {}
    parts = {kind: (s, e) for kind, s, e in boxes(data, meta[0] + 4, meta[1])}
    kinds = {}
    if not {b"iinf", b"iloc"} <= parts.keys():
        return {}
    start, end = parts[b"iinf"]
    for kind, s, e in boxes(data, start + (6 if data[start] == 0 else 8), end):
        if kind == b"infe" and data[s] >= 2:
            width = 4 if data[s] == 3 else 2
            kinds[number(data, s + 4, width)] = data[s + 6 + width : s + 10 + width]
    idat = parts.get(b"idat", (0, 0))[0]
    found = {}
    at = parts[b"iloc"][0]
    version = data[at]
    offsets, lengths, bases, indexes = data[at + 4] >> 4, data[at + 4] & 15, data[at + 5] >> 4, data[at + 5] & 15
    at += 6
    count = number(data, at, 2 if version < 2 else 4)
    at += 2 if version < 2 else 4
    for _ in range(count):
        width = 2 if version < 2 else 4
        item, at = number(data, at, width), at + width
        method = 0
        if version:
            method, at = data[at + 1] & 15, at + 2
        base, at = number(data, at + 2, bases), at + 2 + bases
        extents, at = number(data, at, 2), at + 2
        digest = hashlib.sha256()
        for _ in range(extents):
            at += indexes if version else 0
            offset, length = number(data, at, offsets), number(data, at + offsets, lengths)
            at += offsets + lengths
            begin = base + offset + (idat if method == 1 else 0)
            digest.update(data[begin : begin + length])
        if method < 2:
            found[item] = (kinds.get(item), digest.hexdigest())
    return found


def coded(data):
    """What must stay byte for byte: the items that are no metadata, or a JPEG from its first scan."""
    if data[:2] == b"\xff\xd8":
        at = 2
        while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
            at += 2 + number(data, at + 2, 2)
        return {0: (b"JPEG", hashlib.sha256(data[at:]).hexdigest())}
    return {key: value for key, value in items(data).items() if value[0] not in METADATA}


def facts(folder):
    done = subprocess.run(
        ["exiftool", "-j", "-G1", "-a", "-u", "-n", "-b", "-q", "-q", "--ThumbnailImage", "--MediaData", "-fast", str(folder)],
        capture_output=True, check=False)  # fmt: skip
    return {pathlib.Path(entry["SourceFile"]).name: entry for entry in json.loads(done.stdout or b"[]")}


def coordinates(data, entry):
    """The spellings of a photo's location that would be found in its bytes."""
    spellings = set()
    for key in ("GPS:GPSLatitude", "GPS:GPSLongitude"):
        value = entry.get(key)
        if isinstance(value, (int, float)) and value:
            spellings.add(f"{abs(value):.5f}".encode())
    # The rationals as they lie in Exif.
    for key in ("GPS:GPSLatitude", "GPS:GPSLongitude"):
        value = entry.get(key)
        if not isinstance(value, (int, float)) or not value:
            continue
        degrees, minutes = int(abs(value)), int(abs(value) * 60 % 60)
        for order in "<>":
            head = struct.pack(order + "4I", degrees, 1, minutes, 1)
            at = data.find(head)
            if at >= 0 and degrees and minutes:
                spellings.add(data[at : at + 24])
    return spellings


def pixels(path):
    if path.suffix.lower() in {".jpg", ".jpeg"}:
        return None
    try:
        if path.suffix.lower() == ".avif":
            with Image.open(path) as picture:
                return numpy.asarray(ImageOps.exif_transpose(picture).convert("RGBA"))
        return numpy.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False))
    except Exception:  # What libheif does not read becomes exceptions of many types, SyntaxError among them.
        return None


def alike(one, other):
    """Whether pixels are the same, but for how libheif fills in the colours that subsampling left out."""
    if one is None or other is None or one.shape != other.shape:
        return one is other
    scale = numpy.iinfo(one.dtype).max
    return numpy.abs(one.astype(float) - other).mean() < 0.004 * scale


def differences(before, after, asked):
    if not any(key.startswith("IFD0:") for key in before):
        # Exif that exiftool cannot find where its item says it is, is found when the item is written anew.
        after = {key: value for key, value in after.items() if not re.match("IFD|ExifIFD|Interop|MakerNote", key)}
    for key in before.keys() | after.keys():
        if key == "SourceFile" or before.get(key) == after.get(key) or DERIVED.search(key) or asked.search(key):
            continue
        yield f"{key} {str(before.get(key))[:60]!r} → {str(after.get(key))[:60]!r}"


def main():
    apus, *folders = sys.argv[1:]
    counts = collections.Counter()
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        source = scratch / "source"
        source.mkdir()
        names = (p for f in folders for p in sorted(pathlib.Path(f).rglob("*")))
        for index, path in enumerate(p for p in names if p.suffix.lower() in PHOTOS and p.stat().st_size):
            (source / f"{index:04}{path.suffix.lower()}").write_bytes(path.read_bytes())
            (source / f"{index:04}{path.suffix.lower()}.name").write_text(str(path))
        originals = facts(source)
        decoded = {}
        for name, words in EDITS.items():
            out = scratch / name
            photos = [p for p in sorted(source.iterdir()) if p.suffix in PHOTOS]
            done = subprocess.run([apus, "edit", *photos, *words, "-o", f"{out}/", "--json"], capture_output=True)
            reports = {pathlib.Path(r["file"]).name: r for r in map(json.loads, done.stdout.splitlines())}
            edited = facts(out)
            for photo in photos:
                report = reports.get(photo.name, {"status": "other kind"})
                counts[name, report["status"]] += 1
                result = out / photo.name
                if not result.exists():
                    if report["status"] not in {"failed", "other kind"}:
                        problems.append(f"{photo.name} {name}: no output, but {report['status']}")
                    continue
                old, new = photo.read_bytes(), result.read_bytes()
                if photo.suffix not in {".jpg", ".jpeg"}:
                    if photo not in decoded:
                        decoded[photo] = pixels(photo)
                    # Of a damaged file other programs say too little to compare.
                    if decoded[photo] is None:
                        counts[name, "not decoded by libheif"] += 1
                        continue
                before, after = coded(old), coded(new)
                wrong = [k for k, v in after.items() if before.get(k) != v]
                wrong += [] if name == "thumbnail" else [k for k in before if k not in after]
                if wrong:
                    problems.append(f"{photo.name} {name}: items {wrong} differ")
                for difference in differences(originals.get(photo.name, {}), edited.get(photo.name, {}), ASKED[name]):
                    problems.append(f"{photo.name} {name}: {difference}")
                if name == "gps":
                    left = [k for k in edited.get(photo.name, {}) if re.search(r"GPS(Lat|Long|Alt|Coord|Pos)", k)]
                    spelled = [s for s in coordinates(old, originals.get(photo.name, {})) if s in new]
                    counts["gps", "with a location"] += bool(coordinates(old, originals.get(photo.name, {})))
                    if left or spelled:
                        problems.append(f"{photo.name} gps: left {left} {spelled}")
                # libheif ignores Exif where the container says nothing; Apus turns what Exif says.
                entry = originals.get(photo.name, {})
                by_exif = entry.get("IFD0:Orientation", 1) != 1 and "QuickTime:Rotation" not in entry
                if name == "thumbnail" or name == "rotate" and not by_exif:
                    one, other = decoded.get(photo), pixels(result)
                    counts[name, "decoded"] += one is not None
                    if one is not None and name == "rotate":
                        one = numpy.rot90(one, -1)
                    if not alike(one, other):
                        problems.append(f"{photo.name} {name}: other pixels")
        for problem in problems:
            name = problem.split()[0]
            print(f"{problem} ({(source / f'{name}.name').read_text()})")
    print("; ".join(f"{a} {b} {count}" for (a, b), count in sorted(counts.items())))
    print(f"{len(problems)} problems")
    sys.exit(bool(problems))


Image.MAX_IMAGE_PIXELS = None
main()
