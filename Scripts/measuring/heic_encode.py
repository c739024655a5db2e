# SPDX-License-Identifier: MIT
"""Encoders of stills beside each other: rate at equal likeness and processor time, in tiles of 512 on one thread, and whole
photos by the programs around them."""

import collections
import json
import math
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile

import turns

QUALITIES = (40, 60, 80)
# Of what is made: its sizes and errors leap from one quality to the next.
FINELY = tuple(range(40, 81, 5))
ANCHOR = "x265-slow"
ENCODERS = ("own-fast", "own-medium", "own-slow", "x265-ultrafast", "x265-medium", ANCHOR)
SCREENS = ("own-fast+tskip", "own-medium+tskip", "own-slow+tskip", "x265-medium+tskip")
# What our own encoder is held against on photos: how many times the anchor's speed, and how much more rate at equal PSNR of
# luma and at equal SSIM.
AIMS = {"own-fast": (8, 0.08), "own-medium": (3.5, 0.015), "own-slow": (1.3, -0.005)}
# Against heif-enc as it is, by quality: how far luma and bytes may be off.
DECIBELS, BYTES = 0.1, 0.02
# The same on what is made, at equal PSNR.
LARGER = 0.02
MEMORY = 60
# Sides of what is made where no picture is given.
SIDE = 1024
MADE = ("gradient.y4m", "linear.y4m", "colours.y4m", "noisy.y4m", "letters.y4m")
PILLOW = """
import sys, pillow_heif
from PIL import Image
pillow_heif.register_heif_opener()
Image.open(sys.argv[1]).save(sys.argv[2], quality=60)
"""
JUDGE = """
import json, sys, ssimulacra2
print(json.dumps([ssimulacra2.compute_ssimulacra2(sys.argv[1], other) for other in sys.argv[2:]]))
"""


def y4m(path, width, height, planes):
    head = b"YUV4MPEG2 W%d H%d F1:1 Ip A1:1 C420jpeg\nFRAME\n" % (width, height)
    path.write_bytes(head + b"".join(map(bytes, planes)))
    return path


def made(folder):
    """Gradients and letters of a kind, the same in every run."""
    half = SIDE // 2
    grey = [bytearray([128] * half * half)] * 2
    places = [(x, y) for y in range(SIDE) for x in range(SIDE)]
    gradient = bytearray(int(230 - math.hypot(x - half, y - half) / 4) for x, y in places)
    yield y4m(folder / "gradient.y4m", SIDE, SIDE, [gradient, *grey])
    yield y4m(folder / "linear.y4m", SIDE, SIDE, [bytearray((x + y) // 8 for x, y in places), *grey])
    small = [(x, y) for y in range(half) for x in range(half)]
    tints = [bytearray(int(90 + math.hypot(x - a, y - b) / 8) for x, y in small) for a, b in ((100, 300), (400, 50))]
    yield y4m(folder / "colours.y4m", SIDE, SIDE, [gradient, *tints])
    state, noisy = 1, bytearray()
    for value in gradient:
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        # The sum of four dice.
        noisy.append(value + (state >> 8 & 1) + (state >> 12 & 1) - (state >> 16 & 1) - (state >> 20 & 1))
    yield y4m(folder / "noisy.y4m", SIDE, SIDE, [noisy, *grey])
    letters = bytearray()
    for x, y in places:
        cell, line = x // 9 * 31 ^ y // 14 * 17, y % 14
        stroke = line < 10 and cell % 5 > 0 and (x % 9 < 2 or (line // 2 + cell) % 4 == 0 and x % 9 < 7)
        letters.append(20 if stroke else 250)
    yield y4m(folder / "letters.y4m", SIDE, SIDE, [letters, *grey])


def planes(ffmpeg, picture, target, *words):
    """A picture that FFmpeg reads, as 4:2:0 in full range."""
    words = ["-i", picture, *words, "-frames:v", "1", "-pix_fmt", "yuvj420p", "-strict", "-1", target]
    subprocess.run([ffmpeg, "-nostdin", "-v", "error", "-y", *map(str, words)], check=True)
    return target


def decibels(error):
    """80 at most, for a gradient that comes back whole would count more than all others."""
    return min(10 * math.log10(255 * 255 / max(error, 1e-6)), 80)


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


def coded_bytes(path):
    """The bytes of what a HEIC holds, without the boxes that describe it."""
    data, place, total = path.read_bytes(), 0, 0
    while place + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[place : place + 8])
        total += size - 8 if kind == b"mdat" else 0
        place += size or len(data)
    return total


class Programs:
    """Encoders that are programs; their start is in their times."""

    def __init__(self, bench, ffmpeg, folder):
        self.bench, self.ffmpeg, self.folder = bench, ffmpeg, folder
        told = subprocess.run([ffmpeg, "-hide_banner", "-encoders"], stdout=subprocess.PIPE, text=True).stdout
        self.names = ["heif-enc"]
        if "libkvazaar" in told:
            self.names += ["kvazaar-veryfast", "kvazaar-medium"]

    def encode(self, name, picture, quality):
        """Bytes, processor seconds, decibels of luma and of SSIM."""
        heic, stream, decoded = (self.folder / f"program.{end}" for end in ("heic", "hevc", "y4m"))
        if name == "heif-enc":
            seconds = turns.timed(["taskset", "-c", "0", "heif-enc", "-q", quality, picture, "-o", heic])[1]
            subprocess.run(["heif-convert", heic, decoded], check=True, stdout=subprocess.DEVNULL)
            size = coded_bytes(heic)
        else:
            # The quantizer that x265 makes of the rate factor.
            words = f"preset={name.partition('-')[2]},qp={round((100 - quality) / 2 - 2.9)},signhide=1,threads=0"
            seconds = turns.timed([self.ffmpeg, "-nostdin", "-y", "-threads", 1, "-i", picture, "-c:v", "libkvazaar",
                                   "-kvazaar-params", words, "-f", "hevc", stream])[1]
            # The stream does not say that its range is full.
            planes(self.ffmpeg, stream, decoded, "-vf", "setparams=range=pc")
            size = stream.stat().st_size
        told = subprocess.run([self.bench, "likeness", picture, decoded], check=True, stdout=subprocess.PIPE, text=True)
        luma, _, similarity = map(float, told.stdout.split("\t"))
        return size, seconds, decibels(luma), -10 * math.log10(max(1 - similarity, 1e-9))


class Judge:
    """SSIMULACRA2 of what encoders made, where Python has it."""

    def __init__(self, python, ffmpeg, folder):
        self.python, self.ffmpeg, self.folder = python, ffmpeg, folder
        self.is_there = subprocess.run([python, "-c", "import ssimulacra2"], stderr=subprocess.DEVNULL).returncode == 0

    def png(self, picture, name):
        path = self.folder / name
        # Nothing in these files says that their range is full.
        words = ["-i", picture, "-frames:v", "1", "-vf", "setparams=range=pc", "-pix_fmt", "rgb24", path]
        subprocess.run([self.ffmpeg, "-nostdin", "-v", "error", "-y", *map(str, words)], check=True)
        return str(path)

    def scores(self, picture, pictures):
        """Of each picture against the first one."""
        names = [self.png(path, f"{number}.png") for number, path in enumerate([picture, *pictures])]
        told = subprocess.run([self.python, "-c", JUDGE, *names], check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(told.stdout)


def within(bench, folder, encoders, paths, qualities, points):
    """Encoders in one process, in turns."""
    words = [",".join(map(str, qualities)), ",".join(encoders), *map(str, paths), f"{folder}/"]
    done = subprocess.run([bench, "encode", *words], check=True, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        name, picture, quality, size, seconds, luma, _, similarity = line.split("\t")
        ssim = -10 * math.log10(max(1 - float(similarity), 1e-9))
        points[name, picture][int(quality)] = int(size), float(seconds), decibels(float(luma)), ssim


def report(points, scores):
    print("\n| picture | encoder | rate, PSNR | rate, SSIM | times its speed | rate against heif-enc, PSNR | |")
    print("|---|---|---|---|---|---|---|")
    rows = collections.defaultdict(list)
    for (name, picture), found in sorted(points.items(), key=lambda item: (item[0][1], item[0][0])):
        anchor = points[ANCHOR, picture]
        speed = sum(point[1] for point in anchor.values()) / sum(point[1] for point in found.values())
        rates = [difference(anchor, found, place) for place in (2, 3)]
        beside = difference(points["heif-enc", picture], found, 2)
        told = ["–" if rate is None else f"{rate:+.1%}" for rate in (*rates, beside)]
        default = "own-medium+tskip" if picture == "letters.y4m" else "own-medium"
        missed = picture in MADE and name == default and beside is not None and beside > LARGER
        missed = "missed" if missed else ""
        print(f"| {picture.removesuffix('.y4m')} | {name} | {told[0]} | {told[1]} | {speed:.2f} | {told[2]} | {missed} |")
        if picture not in MADE and None not in rates:
            opinion = None
            if (name, picture) in scores:
                opinion = difference(scores[ANCHOR, picture], scores[name, picture], 1)
            rows[name].append((speed, *rates, opinion))
    if rows:
        print("\nMeans of the photos:\n\n| encoder | rate, PSNR | rate, SSIM | rate, SSIMULACRA2 | times its speed | missed |")
        print("|---|---|---|---|---|---|")
    for name, found in rows.items():
        speed, rate, other = (statistics.fmean(row[place] for row in found) for place in range(3))
        opinions = [row[3] for row in found if row[3] is not None]
        missed = []
        if name in AIMS:
            faster, larger = AIMS[name]
            missed += [f"not {faster} times the speed"] if speed < faster else []
            missed += [f"not {larger:+.1%}"] if max(rate, other) > larger else []
        opinion = f"{statistics.fmean(opinions):+.1%}" if opinions else "–"
        print(f"| {name} | {rate:+.1%} | {other:+.1%} | {opinion} | {speed:.1f} | {', '.join(missed)} |")


def meaning(points):
    """Whether a quality means what heif-enc means by it, on photos."""
    print("\nBeside heif-enc at the same quality, means of the photos:\n\n| encoder | quality | luma, dB | bytes | |")
    print("|---|---|---|---|---|")
    for name in [name for name in ENCODERS if name.startswith("own")]:
        for quality in QUALITIES:
            pairs = [(points[name, picture][quality], points["heif-enc", picture][quality])
                     for kind, picture in points if kind == name and picture not in MADE]
            if not pairs:
                return
            luma = statistics.fmean(own[2] - other[2] for own, other in pairs)
            size = statistics.fmean(own[0] / other[0] - 1 for own, other in pairs)
            missed = abs(luma) > DECIBELS or abs(size) > BYTES
            print(f"| {name} | {quality} | {luma:+.2f} | {size:+.1%} | {'missed' if missed else ''} |")


def photos(apus, python, ffmpeg, folder, pictures):
    """Whole photos, from JPEG to HEIC on all cores."""
    print("\nWhole photos, JPEG to HEIC at quality 60, means of two runs on all cores:\n")
    print("| photo | program | wall, s | processor, s | MiB | bytes |\n|---|---|---|---|---|---|")
    for number, picture in enumerate(pictures):
        jpeg = folder / f"whole-{number}.jpg"
        subprocess.run([ffmpeg, "-nostdin", "-v", "error", "-y", "-i", picture, "-frames:v", "1", "-q:v", "2", "-pix_fmt",
                        "yuvj420p", jpeg], check=True)
        if jpeg.stat().st_size < 1 << 20:
            continue
        target = folder / "whole.heic"
        ours = [apus, "convert", jpeg, "-o", target, "-q", 60, "--on-exists", "replace", "--quiet"]
        commands = {f"own, {speed}": [*ours, "--encoder", "own", "--speed", speed] for speed in ("fast", "medium", "slow")}
        commands["x265, medium"] = [*ours, "--encoder", "x265", "--speed", "medium"]
        commands["x265, slow"] = [*ours, "--encoder", "x265", "--speed", "slow"]
        commands["heif-enc"] = ["heif-enc", "-q", 60, jpeg, "-o", target]
        commands["pillow-heif"] = [python, "-c", PILLOW, jpeg, target]
        runs = collections.defaultdict(list)
        sizes = {}
        for _ in range(2):
            for name, command in commands.items():
                runs[name].append(turns.run(command))
                sizes[name] = target.stat().st_size
        for name, found in runs.items():
            wall, processor, memory = (
                statistics.fmean(getattr(cost, kind) for cost in found) for kind in ("wall", "processor", "memory")
            )
            missed = " (missed)" if name.startswith("own") and memory > MEMORY else ""
            print(f"| {number + 1} | {name} | {wall:.2f} | {processor:.2f} | {memory:.0f}{missed} | {sizes[name]:,} |")


def measure(bench, apus, python, ffmpeg, pictures):
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        # The middle of each, which is as much as all encoders need to differ.
        words = ["-vf", f"crop=min(iw\\,{SIDE}):min(ih\\,{SIDE})"]
        crops = [planes(ffmpeg, picture, folder / f"{number}-{pathlib.Path(picture).stem}.y4m", *words)
                 for number, picture in enumerate(pictures)]
        drawn = list(made(folder))
        programs, judge = Programs(bench, ffmpeg, folder), Judge(python, ffmpeg, folder)
        decoded = folder / "decoded"
        decoded.mkdir()
        points, scores = collections.defaultdict(dict), collections.defaultdict(dict)
        kinds = ((ENCODERS, crops, QUALITIES), ((*ENCODERS, *SCREENS), drawn, FINELY))
        for encoders, paths, qualities in kinds:
            if paths:
                within(bench, decoded, encoders, paths, qualities, points)
        for path in [*crops, *drawn]:
            for name in programs.names:
                for quality in FINELY if path in drawn else QUALITIES:
                    points[name, path.name][quality] = programs.encode(name, path, quality)
        for path in crops if judge.is_there else []:
            kinds = [(name, quality) for name in ENCODERS for quality in QUALITIES]
            found = judge.scores(path, [decoded / f"{name}-{quality}-{path.name}" for name, quality in kinds])
            for (name, quality), score in zip(kinds, found):
                scores[name, path.name][quality] = points[name, path.name][quality][0], score
        print("## Encoders of stills\n\n`Scripts/bench heic-encode`\n")
        print(f"Qualities {', '.join(map(str, QUALITIES))}, of what is made every fifth from 40 to 80; tiles of 512, one")
        print(f"thread. Rate at equal PSNR of luma and at equal SSIM, and processor time, against {ANCHOR} (rd=1, as")
        print("`convert --speed slow` runs it). Programs encode whole pictures, their start is in their times, and kvazaar")
        print("has one quantizer for all blocks.")
        report(points, scores)
        meaning(points)
        photos(apus, python, ffmpeg, folder, pictures)
    sys.stdout.flush()
