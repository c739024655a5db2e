# SPDX-License-Identifier: MIT
"""Encoders of stills beside each other: rate at equal likeness and processor time, in tiles of 512 on one thread."""

import collections
import math
import pathlib
import subprocess
import sys
import tempfile

QUALITIES = (40, 60, 80)
ANCHOR = "x265-slow"
ENCODERS = ("own-fast", "own-medium", "own-slow", "x265-ultrafast", "x265-medium", ANCHOR)
SCREENS = ("own-fast+tskip", "own-medium+tskip", "x265-medium+tskip")
# What our own encoder is held against on photos: how many times the anchor's speed, and how much more rate at equal PSNR of
# luma and at equal SSIM.
AIMS = {"own-fast": (8, 0.08), "own-medium": (3.5, 0.015), "own-slow": (1.3, -0.005)}
# Sides of what is made where no picture is given.
SIDE = 1024


def y4m(path, width, height, planes):
    head = b"YUV4MPEG2 W%d H%d F1:1 Ip A1:1 C420jpeg\nFRAME\n" % (width, height)
    path.write_bytes(head + b"".join(map(bytes, planes)))
    return path


def made(folder):
    """A gradient and letters of a kind, the same in every run."""
    half = SIDE // 2
    grey = [bytearray([128] * half * half)] * 2
    gradient = bytearray(int(230 - math.hypot(x - half, y - half) / 4) for y in range(SIDE) for x in range(SIDE))
    letters = bytearray()
    for y in range(SIDE):
        for x in range(SIDE):
            cell, line = x // 9 * 31 ^ y // 14 * 17, y % 14
            stroke = line < 10 and cell % 5 > 0 and (x % 9 < 2 or (line // 2 + cell) % 4 == 0 and x % 9 < 7)
            letters.append(20 if stroke else 250)
    yield y4m(folder / "gradient.y4m", SIDE, SIDE, [gradient, *grey])
    yield y4m(folder / "letters.y4m", SIDE, SIDE, [letters, *grey])


def planes(picture, folder, number):
    """A picture that FFmpeg reads, as 4:2:0 in full range."""
    target = folder / f"{number}-{pathlib.Path(picture).stem}.y4m"
    words = ["-i", picture, "-frames:v", "1", "-pix_fmt", "yuvj420p", "-strict", "-1", target]
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, words)], check=True)
    return target


def decibels(error):
    return 10 * math.log10(255 * 255 / max(error, 1e-6))


def difference(anchor, tested, place):
    """How much more rate at equal likeness; lines between points of its logarithm."""
    curves = [sorted((point[place], math.log(point[0])) for point in points.values()) for points in (anchor, tested)]
    low, high = max(curve[0][0] for curve in curves), min(curve[-1][0] for curve in curves)
    if high <= low:
        return None

    def at(curve, x):
        for (a, one), (b, other) in zip(curve, curve[1:]):
            if x <= b:
                return one + (other - one) * (x - a) / max(b - a, 1e-9)
        return curve[-1][1]

    steps = [low + (high - low) * (index + 0.5) / 100 for index in range(100)]
    return math.exp(sum(at(curves[1], x) - at(curves[0], x) for x in steps) / 100) - 1


def measure(bench, pictures):
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        files = [planes(picture, folder, number) for number, picture in enumerate(pictures)]
        drawn = list(made(folder))
        points = collections.defaultdict(dict)
        for encoders, paths in ((ENCODERS, files), ((*ENCODERS, *SCREENS), drawn)):
            if not paths:
                continue
            words = [",".join(map(str, QUALITIES)), ",".join(encoders), *map(str, paths)]
            done = subprocess.run([bench, "encode", *words], check=True, stdout=subprocess.PIPE, text=True)
            for line in done.stdout.splitlines():
                name, picture, quality, size, seconds, luma, _, similarity = line.split("\t")
                ssim = -10 * math.log10(max(1 - float(similarity), 1e-9))
                points[name, picture][int(quality)] = int(size), float(seconds), decibels(float(luma)), ssim
    print("## Encoders of stills\n\n`Scripts/bench heic-encode`\n")
    print(f"Qualities {', '.join(map(str, QUALITIES))}, tiles of 512, one thread; rate at equal PSNR of luma and at equal")
    print(f"SSIM, and processor time, against {ANCHOR} (rd=1, as `convert --speed slow` runs it).")
    print("\n| picture | encoder | rate, PSNR | rate, SSIM | times its speed |\n|---|---|---|---|---|")
    speeds, rates = collections.defaultdict(list), collections.defaultdict(list)
    for (name, picture), found in sorted(points.items(), key=lambda item: (item[0][1], item[0][0])):
        anchor = points[ANCHOR, picture]
        speed = sum(point[1] for point in anchor.values()) / sum(point[1] for point in found.values())
        rate, other = (difference(anchor, found, place) for place in (2, 3))
        told = ["–" if value is None else f"{value:+.1%}" for value in (rate, other)]
        print(f"| {picture.removesuffix('.y4m')} | {name} | {told[0]} | {told[1]} | {speed:.2f} |")
        if picture not in ("gradient.y4m", "letters.y4m") and None not in (rate, other):
            speeds[name].append(speed)
            rates[name].append((rate, other))
    if rates:
        print("\nMeans of the photos:\n")
    for name, found in rates.items():
        speed = sum(speeds[name]) / len(speeds[name])
        rate, other = (sum(pair[place] for pair in found) / len(found) for place in (0, 1))
        missed = []
        if name in AIMS:
            faster, larger = AIMS[name]
            missed += [f"not {faster} times the speed"] if speed < faster else []
            missed += [f"not {larger:+.1%}"] if max(rate, other) > larger else []
        print(f"- {name}: {speed:.1f} times the speed at {rate:+.1%} by PSNR and {other:+.1%} by SSIM"
              + (f" (missed: {', '.join(missed)})" if missed else ""))
    sys.stdout.flush()
