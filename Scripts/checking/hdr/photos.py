# SPDX-License-Identifier: MIT
"""Photos with gain maps: made of flat blocks, which no coder changes, and those of folders."""

import pathlib
import struct
import subprocess
import zlib

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
MAKING = ROOT / "Scripts/making"
WIDTH, HEIGHT = 256, 128
P3_TO_2020 = [
    [0.7538331, 0.1985974, 0.0475696],
    [0.0457439, 0.9417772, 0.0124789],
    [-0.0012103, 0.0176017, 0.9836086],
]


def fraction(value):
    return struct.pack(">iI", round(value * 1_000_000), 1_000_000)


def tone_map(base, alternate, channels):
    flags = 0xC0 if len(channels) == 3 else 0x40
    numbers = [base, alternate, *(number for channel in channels for number in channel)]
    return (b"\0\0\0\0\0" + bytes([flags]) + b"".join(map(fraction, numbers))).hex()


# Minimum, maximum, gamma, offsets of base and alternate.
FORMS = {
    "below-zero": (0, 2.5, [(-0.5, 2.5, 1, 1 / 64, 1 / 64)]),
    "like-apple": (0, 2.787109, [(-0.007381, 2.787109, 0.896973, 0.00001, 0.00001)]),
    "three-channels": (0.25, 2.25, [(-0.5, 2.5, 1, 1 / 64, 1 / 64), (0, 2, 0.8, 0, 0), (-1, 1.5, 1.3, 1 / 64, 0)]),
}


def coded(work, name, planes, form="gray", tags="range=full"):
    """Planes in an MP4, without loss."""
    raw = work / f"{name}.raw"
    raw.write_bytes(planes.tobytes())
    height, width = planes.shape[-2:]
    target = work / f"{name}.mp4"
    subprocess.run(
        [
            "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", form, "-s",
            f"{width}x{height}", "-i", raw, "-frames:v", "1", "-c:v", "libx265", "-x265-params",
            f"log-level=none:lossless=1:{tags}", "-tag:v", "hvc1", target,
        ],
        check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return target


def blocks(seed, width, height, side, low, high, count=1):
    """Flat squares, never two the same way round."""
    values = numpy.random.default_rng(seed).integers(low, high, (count, height // side, width // side), dtype=numpy.uint8)
    return values.repeat(side, 1).repeat(side, 2)


def photo(work, name, picture, *options):
    target = work / f"{name}.heic"
    subprocess.run(
        ["python3", MAKING / "photo.py", picture, target, *options], check=True, stdin=subprocess.DEVNULL,
        env={"PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    return target


# How samples lie that these transformations lay upright.
TURNS = {
    1: [], 2: ["imir=1"], 3: ["irot=2"], 4: ["imir=0"], 5: ["irot=3", "imir=1"], 6: ["irot=3"],
    7: ["imir=1", "irot=3"], 8: ["irot=1"],
}  # fmt: skip


def made(work):
    """(name, photo, whether it is made of blocks)."""
    base = coded(work, "base", numpy.stack([blocks(1, WIDTH, HEIGHT, 32, 30, 230)[0]] + [flat(128)] * 2), "yuv444p")
    for name, (low, high, channels) in FORMS.items():
        form = "yuv444p" if len(channels) == 3 else "gray"
        # Whole blocks of the map, so that nothing between its samples plays a part.
        planes = blocks(2, WIDTH, HEIGHT, 32, 20, 236, 3 if form == "yuv444p" else 1)
        if form == "yuv444p":
            planes[1:] = 96 + planes[1:] // 4
        gain_map = coded(work, f"map-{name}", planes, form)
        options = ["--nclx", "1,13,6,1", "--map", gain_map, "--tone-map", tone_map(low, high, channels)]
        yield name, photo(work, name, base, *options), True
    grey = coded(work, "map-half", blocks(3, WIDTH // 2, HEIGHT // 2, 32, 20, 236))
    low, high, channels = FORMS["below-zero"]
    for number, places in TURNS.items():
        options = ["--nclx", "1,13,6,1", "--map", grey, "--tone-map", tone_map(low, high, channels)]
        placed = ["--place", *places] if places else []
        yield f"turned-{number}", photo(work, f"turned-{number}", base, *options, *placed), True


def flat(value):
    return numpy.full((HEIGHT, WIDTH), value, numpy.uint8)


def sideways(work):
    """A map that says of itself that it is turned, of a picture that is not."""
    low, high, channels = FORMS["below-zero"]
    options = ["--map", work / "map-half.mp4", "--tone-map", tone_map(low, high, channels)]
    return photo(work, "sideways", work / "base.mp4", "--nclx", "1,13,6,1", *options, "--map-place", "irot=1")


def patches(work, peak, luminances):
    """Grey patches in PQ, side by side."""
    power = (numpy.array(luminances) / 10000) ** (2610 / 16384)
    value = ((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)
    codes = (value * 1023).round().astype("<u2").repeat(64)[None].repeat(64, 0)
    planes = numpy.stack([codes, numpy.full_like(codes, 512), numpy.full_like(codes, 512)])
    source = coded(work, f"patches-{peak}", planes, "yuv444p10le")
    return photo(work, f"patches-{peak}", source, "--nclx", "9,16,9,1")


def found(apus, folders):
    """The photos of folders that have a gain map."""
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix.lower() not in (".heic", ".heif", ".hif") or "malformed" in str(path):
                continue
            said = subprocess.run([apus, "info", "--json", path], capture_output=True, stdin=subprocess.DEVNULL)
            if said.returncode == 0 and '"alternate_hdr_headroom"' in said.stdout.decode():
                yield path


def space(path):
    """In which linear light can be compared with the codes of a picture."""
    data = path.read_bytes()[:200_000]
    return "display-p3-linear" if b"D\0i\0s\0p\0l\0a\0y" in data or b"Display P3" in data else "srgb-linear"


def pq(value):
    power = value ** (32 / 2523)
    return 10000 * (numpy.maximum(power - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * power)) ** (16384 / 2610)


def png16(path):
    """Red, green and blue of a PNG of 16 bits, which must say that they are PQ of BT.2020."""
    data, at, rows = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        at += 12 + size
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            assert (depth, colour) == (16, 2)
        elif kind == b"cICP":
            assert body == bytes([9, 16, 0, 1]), body
        elif kind == b"IDAT":
            rows += body
    lines = numpy.frombuffer(zlib.decompress(rows), numpy.uint8).reshape(height, 1 + 6 * width).astype(int)
    result, above = [], numpy.zeros(6 * width, int)
    for line in lines:
        kind, line = line[0], line[1:].copy()
        if kind == 2:
            line = (line + above) % 256
        elif kind:
            for index in range(6 * width):
                left = line[index - 6] if index >= 6 else 0
                corner = above[index - 6] if index >= 6 else 0
                if kind == 1:
                    guess = left
                elif kind == 3:
                    guess = (left + above[index]) // 2
                else:
                    p = left + above[index] - corner
                    distances = abs(p - left), abs(p - above[index]), abs(p - corner)
                    guess = (left, above[index], corner)[distances.index(min(distances))]
                line[index] = (line[index] + guess) % 256
        result.append(line)
        above = line
    lines = numpy.array(result).reshape(height, width, 3, 2)
    return lines[..., 0] * 256 + lines[..., 1]
