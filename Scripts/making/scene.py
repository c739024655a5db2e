#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scene.py [--pq | --hlg] WIDTH HEIGHT OUT.ppm: a picture that looks like a photo and like no other way round.

Evening sky, a sun low on the right, three ranges of hills, and swifts. With --pq or --hlg the numbers have 16
bits and the meaning of ITU-R BT.2100: white is 203 nits, and the sun ten times as bright.
"""

import math
import sys

TOP, GLOW = (38, 74, 140), (255, 196, 128)
SUN = (0.76, 0.50)
# Each range: how far down it lies, how high it rises, its waves, its colour.
HILLS = [
    (0.62, 0.10, (1.3, 3.1, 0.4), (112, 104, 140)),
    (0.74, 0.08, (1.9, 4.3, 2.1), (66, 82, 92)),
    (0.88, 0.07, (2.7, 5.9, 4.0), (30, 52, 38)),
]
SWIFTS = [(0.22, 0.20, 0.10, 0.3), (0.38, 0.34, 0.06, -0.2), (0.12, 0.42, 0.04, 0.1)]


# From the primaries of BT.709 to those of BT.2020: ITU-R BT.2087, 2.
WIDE = [(0.6274, 0.3293, 0.0433), (0.0691, 0.9195, 0.0114), (0.0164, 0.0880, 0.8956)]


def mix(one, other, part):
    return tuple(a + (b - a) * part for a, b in zip(one, other))


def sky(x, y):
    colour = mix(TOP, GLOW, min(1.0, (y / 0.62) ** 1.6))
    distance = math.hypot((x - SUN[0]) * 1.33, y - SUN[1])
    if distance < 0.05:
        return (255, 244, 214)
    return mix(colour, (255, 236, 190), math.exp(-distance * 7) * 0.8)


def is_swift(x, y):
    """Two sickle wings and a short body."""
    for left, top, span, turn in SWIFTS:
        dx, dy = (x - left) * 1.33, y - top
        along = (dx * math.cos(turn) + dy * math.sin(turn)) / span
        across = (dy * math.cos(turn) - dx * math.sin(turn)) / span
        wing = 0.55 * along * along
        if abs(along) < 1 and wing - 0.02 < across < wing + 0.16 * (1 - abs(along)):
            return True
        if abs(along) < 0.07 and -0.12 < across < 0.42:
            return True
    return False


def pixel(x, y):
    colour = sky(x, y)
    if is_swift(x, y):
        return (24, 22, 30)
    for base, height, (slow, fast, phase), tint in HILLS:
        ridge = base - height * math.sin(math.tau * slow * x + phase)
        ridge -= height * 0.3 * math.sin(math.tau * fast * x + 2 * phase)
        if y > ridge:
            depth = (y - ridge) / (1 - base + height)
            grain = 6 * math.sin(x * 310 + 40 * y) * math.sin(y * 270 - 30 * x)
            colour = tuple(part * (1 - 0.35 * depth) + grain for part in tint)
    return colour


def linear(part):
    """Of sRGB: IEC 61966-2-1."""
    part = min(255, max(0, part)) / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def pq(light):
    """`light` is a part of 10,000 nits: ITU-R BT.2100, table 4."""
    power = light ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)


def hlg(light):
    """`light` is a part of the scene's peak: ITU-R BT.2100, table 5."""
    if light <= 1 / 12:
        return math.sqrt(3 * light)
    return 0.17883277 * math.log(12 * light - 0.28466892) + 0.55991073


def wide(colour, curve):
    """Samples of 16 bits; reference white is 203 nits of PQ and 75 % of HLG."""
    white, encode = {"--pq": (0.0203, pq), "--hlg": (0.265, hlg)}[curve]
    gain = 10 if min(colour) > 210 else 1
    light = [linear(part) * white * gain for part in colour]
    for row in WIDE:
        value = encode(min(1, sum(a * b for a, b in zip(row, light))))
        yield from round(value * 65535).to_bytes(2, "big")


*curve, width, height, target = sys.argv[1:]
width, height = int(width), int(height)
samples = bytearray()
for row in range(height):
    for column in range(width):
        colour = pixel((column + 0.5) / width, (row + 0.5) / height)
        if curve:
            samples += bytes(wide(colour, curve[0]))
        else:
            samples += bytes(min(255, max(0, round(part))) for part in colour)
with open(target, "wb") as file:
    file.write(b"P6\n%d %d\n%d\n" % (width, height, 65535 if curve else 255) + samples)
