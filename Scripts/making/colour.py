#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""colour.py > Tests/ColourTests/ConversionRows.swift: what conversions of samples must give.

The formulas are those of ITU-T H.273, ITU-R BT.2100, BT.2390 and IEC 61966-2-1, in double precision and
without a table. Needs numpy.
"""

import textwrap
import typing

import numpy

WIDTH, HEIGHT = 19, 3
SHIFT = {"monochrome": (0, 0), "yuv420": (1, 1), "yuv422": (1, 0), "yuv444": (0, 0)}
WEIGHTS = {1: (0.2126, 0.0722), 4: (0.30, 0.11), 5: (0.299, 0.114), 6: (0.299, 0.114)}
WEIGHTS |= {2: (0.299, 0.114), 7: (0.212, 0.087), 9: (0.2627, 0.0593)}
PRIMARIES = {
    1: ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06)),
    9: ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    12: ((0.68, 0.32), (0.265, 0.69), (0.15, 0.06)),
}


def planes(chroma, depth, count=3):
    """Samples that the test makes in the same way."""
    state, result = 1, []
    for plane in range(1 if chroma == "monochrome" else count):
        right, down = SHIFT[chroma] if plane else (0, 0)
        width, height = (WIDTH + (1 << right) - 1) >> right, (HEIGHT + (1 << down) - 1) >> down
        samples = numpy.zeros((height, width))
        for y in range(height):
            for x in range(width):
                state = (state * 1664525 + 1013904223) % 2**32
                samples[y, x] = state >> (32 - depth)
        result.append(samples)
    return result


def luminance(code):
    return xyz(code)[1]


def xyz(code):
    columns = numpy.array([[x / y, 1, (1 - x - y) / y] for x, y in PRIMARIES[code]]).T
    white = numpy.array([0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
    return columns * numpy.linalg.solve(columns, white)


def interpolated(samples, places, axis, shift, count):
    """Straight lines between colour samples, which lie so many halves of a luma sample after the first of theirs."""
    if not shift:
        return samples
    known = 2 * numpy.arange(samples.shape[axis]) + places / 2
    return numpy.apply_along_axis(lambda line: numpy.interp(numpy.arange(count), known, line), axis, samples)


def upsampled(samples, chroma, makes_rgb, target, site):
    """As many samples as luma has: interpolated where the output has more of them than the source, and no means are made."""
    right, down = SHIFT[chroma]
    less_right, less_down = (a > b for a, b in zip(SHIFT[chroma], SHIFT[target]))
    if makes_rgb and less_down:
        samples, down = interpolated(samples, site[1], 0, down, HEIGHT), 0
    if makes_rgb and less_right:
        samples, right = interpolated(samples, site[0], 1, right, WIDTH), 0
    return samples.repeat(1 << right, 1).repeat(1 << down, 0)[:HEIGHT, :WIDTH]


def narrowed(samples, chroma):
    """Means of 1×2 or 2×2; what lies beyond an odd side counts like the last."""
    right, down = SHIFT[chroma]
    if right:
        samples = numpy.pad(samples, ((0, 0), (0, 1)), mode="edge")
        samples = (samples[:, : WIDTH // 2 * 2 + 1 : 2] + samples[:, 1 : WIDTH // 2 * 2 + 2 : 2]) / 2
    if down:
        samples = numpy.pad(samples, ((0, 1), (0, 0)), mode="edge")
        samples = (samples[: HEIGHT // 2 * 2 + 1 : 2] + samples[1 : HEIGHT // 2 * 2 + 2 : 2]) / 2
    return samples


def to_rgb(colour, chroma, depth, *upsampling):
    """R′G′B′ of a picture, not clipped."""
    primaries, _, matrix, full = colour
    samples = planes(chroma, depth)
    unit, top = 2 ** (depth - 8), 2**depth - 1
    luma = (lambda v: v / top) if full else (lambda v: (v - 16 * unit) / (219 * unit))
    difference = lambda v: (v - 128 * unit) / (top if full else 224 * unit)
    y = luma(samples[0])
    if chroma == "monochrome":
        return numpy.stack([y, y, y])
    if matrix == 0:
        return numpy.stack([luma(samples[2]), y, luma(samples[1])])
    cb, cr = (upsampled(difference(plane), chroma, *upsampling) for plane in samples[1:])
    if matrix == 8:
        return numpy.stack([y - cb + cr, y + cb, y - cb - cr])
    if matrix == 12:
        kr, _, kb = luminance(primaries)
    else:
        kr, kb = WEIGHTS[matrix]
    red, blue = y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb
    return numpy.stack([red, (y - kr * red - kb * blue) / (1 - kr - kb), blue])


def srgb_light(v):
    return numpy.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def srgb_value(v):
    return numpy.where(v <= 0.0031308, v * 12.92, 1.055 * numpy.maximum(v, 1e-9) ** (1 / 2.4) - 0.055)


def pq_light(v):
    power = v ** (32 / 2523)
    return 10000 * (numpy.maximum(power - 107 / 128, 0) / (2413 / 128 - 2392 / 128 * power)) ** (
        16384 / 2610
    )


def pq_value(light):
    power = (numpy.maximum(light, 0) / 10000) ** (2610 / 16384)
    return ((107 / 128 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)


def hlg_light(rgb):
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    scene = numpy.where(rgb <= 0.5, rgb**2 / 3, (numpy.exp((rgb - c) / a) + b) / 12)
    return 1000 * numpy.tensordot([0.2627, 0.6780, 0.0593], scene, 1) ** 0.2 * scene


def tone_mapped(light, peak):
    """BT.2390 on the greatest of three, to 203 cd/m²; what is no brighter stays."""
    if peak <= 203:
        return light / 203
    top, white = pq_value(peak), pq_value(203) / pq_value(peak)
    knee = 1.5 * white - 0.5
    greatest = numpy.maximum(light.max(0), 1e-12)
    e = pq_value(numpy.minimum(greatest, peak)) / top
    t = (e - knee) / (1 - knee)
    spline = (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee)
    spline += (-2 * t**3 + 3 * t**2) * white
    mapped = pq_light(numpy.where(e <= knee, e, spline) * top)
    return light * mapped / greatest / 203


def into(target, source, light):
    """From linear light to another space, with what lies outside drawn towards grey."""
    light = numpy.tensordot(numpy.linalg.solve(xyz(target), xyz(source)), light, 1)
    grey = numpy.tensordot(luminance(target), light, 1)
    low, high = light.min(0), light.max(0)
    part = numpy.ones_like(grey)
    part = numpy.where(low < 0, numpy.minimum(part, grey / numpy.maximum(grey - low, 1e-12)), part)
    over = (1 - grey) / numpy.maximum(high - grey, 1e-12)
    part = numpy.where(high > 1, numpy.minimum(part, over), part)
    mapped = grey + numpy.maximum(part, 0) * (light - grey)
    return srgb_value(numpy.clip(mapped, 0, 1))


def shown(rgb, colour, srgb, peak):
    """What becomes of R′G′B′ where light is changed."""
    source, transfer = colour[0], colour[1]
    values = numpy.clip(rgb, 0, 1)
    if transfer in (16, 18):
        light = pq_light(values) if transfer == 16 else hlg_light(values)
        return into(1 if srgb else 12, source, tone_mapped(light, peak))
    if not srgb:
        return rgb
    gammas = {4: 2.2, 5: 2.8, 8: 1, 14: 2.4}
    light = values ** gammas[transfer] if transfer in gammas else srgb_light(values)
    return into(1, source, light)


def to_ycc(rgb):
    y = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
    return [255 * y, 255 * (rgb[2] - y) / 1.772 + 128, 255 * (rgb[0] - y) / 1.402 + 128]


def converted(colour, chroma, depth, target, srgb, peak, alpha, site):
    """Planes of the output as real numbers."""
    kind, detail = target
    makes_rgb = kind != "jpeg" or srgb or colour[1] in (16, 18)
    rgb = to_rgb(colour, chroma, depth, makes_rgb, detail if kind == "jpeg" else "yuv444", site)
    rgb = shown(rgb, colour, srgb, peak)
    cover = None
    if alpha:
        cover = planes("monochrome", alpha[0])[0] / (2 ** alpha[0] - 1)
        multiplied, background = alpha[1], numpy.array(alpha[2]).reshape(3, 1, 1) / 255
        if kind == "jpeg" or detail == "rgb":
            if multiplied:
                rgb = rgb + (1 - cover) * background
            else:
                rgb = background + cover * (rgb - background)
        elif multiplied:
            rgb = numpy.where(cover > 0, rgb / numpy.where(cover > 0, cover, 1), 0)
    if kind == "jpeg":
        y, cb, cr = to_ycc(rgb)
        if detail == "monochrome":
            return [numpy.clip(y, 0, 255)]
        return [numpy.clip(v, 0, 255) for v in (y, narrowed(cb, detail), narrowed(cr, detail))]
    top = 65535 if kind == "pixels16" else 255
    if detail.startswith("grey"):
        channels = [to_ycc(rgb)[0] / 255]
    else:
        channels = list(rgb)
    if detail in ("rgba", "greyAlpha"):
        channels.append(numpy.ones((HEIGHT, WIDTH)) if cover is None else cover)
    pixels = numpy.stack(channels, 2).reshape(HEIGHT, -1)
    return [numpy.clip(pixels * top, 0, top)]


class Site(typing.NamedTuple):
    """Where colour samples lie, in halves of luma samples."""

    across: int
    down: int


FULL, LIMITED = 1, 0
CASES = [
    # What; primaries, transfer, matrix, full range; chroma, bits; target; sRGB, peak; alpha; tolerance; site.
    ("limited range", (2, 2, 6, LIMITED), "yuv420", 8, ("jpeg", "yuv420")),
    ("limited range, 4:4:4 to 4:2:0", (2, 2, 2, LIMITED), "yuv444", 8, ("jpeg", "yuv420"), 1.8),
    ("limited grey", (2, 2, 1, LIMITED), "monochrome", 8, ("jpeg", "monochrome")),
    ("full range, 4:4:4 to 4:2:2", (1, 13, 5, FULL), "yuv444", 8, ("jpeg", "yuv422"), 1.01),
    ("full range, 4:2:2 to 4:2:0", (1, 13, 5, FULL), "yuv422", 8, ("jpeg", "yuv420"), 1.01),
    ("full range, 4:2:0 to 4:4:4", (1, 13, 5, FULL), "yuv420", 8, ("jpeg", "yuv444")),
    ("full range, luma alone", (1, 13, 5, FULL), "yuv420", 8, ("jpeg", "monochrome")),
    ("10 bits", (12, 13, 6, FULL), "yuv420", 10, ("jpeg", "yuv420"), 1.01),
    ("12 bits, limited", (12, 13, 6, LIMITED), "yuv422", 12, ("jpeg", "yuv422"), 1.01),
    ("16 bits", (1, 13, 6, FULL), "yuv444", 16, ("jpeg", "yuv444"), 1.01),
    ("BT.709", (1, 1, 1, LIMITED), "yuv420", 8, ("jpeg", "yuv420")),
    ("BT.709, 4:2:2", (1, 1, 1, FULL), "yuv422", 8, ("jpeg", "yuv422")),
    ("BT.709, 4:4:4 to 4:2:0", (1, 1, 1, FULL), "yuv444", 8, ("jpeg", "yuv420")),
    ("FCC", (4, 4, 4, FULL), "yuv420", 8, ("jpeg", "yuv420")),
    ("SMPTE 240M", (7, 7, 7, LIMITED), "yuv420", 8, ("jpeg", "yuv420")),
    ("YCgCo", (1, 13, 8, FULL), "yuv420", 8, ("jpeg", "yuv420")),
    ("BT.2020, 10 bits", (9, 1, 9, LIMITED), "yuv420", 10, ("jpeg", "yuv420"), 1.01),
    ("derived from primaries", (12, 13, 12, FULL), "yuv444", 8, ("jpeg", "yuv444")),
    ("GBR", (1, 13, 0, FULL), "yuv444", 8, ("jpeg", "yuv420")),
    ("GBR to pixels", (1, 13, 0, FULL), "yuv444", 8, ("pixels8", "rgb")),
    ("limited GBR to pixels", (1, 13, 0, LIMITED), "yuv444", 10, ("pixels16", "rgb")),
    ("pixels", (12, 13, 6, FULL), "yuv420", 8, ("pixels8", "rgb")),
    ("pixels of 10 bits", (12, 13, 6, FULL), "yuv422", 10, ("pixels8", "rgb"), 1.01),
    ("deep pixels of 10 bits", (12, 13, 6, FULL), "yuv420", 10, ("pixels16", "rgb")),
    ("opaque pixels", (1, 1, 1, LIMITED), "yuv420", 8, ("pixels8", "rgba")),
    ("grey pixels", (1, 13, 6, FULL), "monochrome", 8, ("pixels8", "grey")),
    ("deep grey pixels", (1, 13, 6, LIMITED), "monochrome", 12, ("pixels16", "grey")),
    ("alpha kept", (1, 13, 6, FULL), "yuv420", 8, ("pixels8", "rgba"), (8, False, (0, 0, 0))),
    ("deep alpha", (1, 13, 6, FULL), "yuv444", 12, ("pixels16", "rgba"), (10, False, (0, 0, 0)), 0.6),
    ("multiplied alpha", (1, 13, 6, FULL), "yuv444", 8, ("pixels8", "rgba"), (8, True, (0, 0, 0))),
    ("grey alpha", (1, 13, 6, FULL), "monochrome", 8, ("pixels8", "greyAlpha"), (8, False, (0, 0, 0))),
    ("alpha onto white", (1, 13, 6, FULL), "yuv420", 8, ("jpeg", "yuv420"), (8, False, (255, 255, 255))),
    ("alpha onto colour", (1, 1, 1, LIMITED), "yuv444", 8, ("pixels8", "rgb"), (10, False, (10, 200, 90))),
    ("multiplied onto colour", (1, 1, 1, FULL), "yuv444", 8, ("jpeg", "yuv444"), (8, True, (10, 200, 90))),
    ("Display P3 to sRGB", (12, 13, 6, FULL), "yuv420", 8, ("pixels8", "rgb"), "srgb"),
    ("Display P3 to sRGB, planes", (12, 13, 6, FULL), "yuv420", 8, ("jpeg", "yuv420"), "srgb"),
    ("BT.2020 to sRGB", (9, 14, 9, LIMITED), "yuv444", 10, ("pixels16", "rgb"), "srgb", 4),
    ("gamma 2.8 to sRGB", (1, 5, 1, FULL), "yuv444", 8, ("pixels16", "rgb"), "srgb", 4),
    ("PQ", (9, 16, 9, FULL), "yuv444", 10, ("pixels8", "rgb"), 1000),
    ("PQ, planes", (9, 16, 9, LIMITED), "yuv420", 10, ("jpeg", "yuv420"), 4000),
    ("PQ to sRGB", (12, 16, 6, FULL), "yuv420", 12, ("pixels8", "rgb"), "srgb", 4000),
    ("HLG", (9, 18, 9, LIMITED), "yuv444", 10, ("pixels8", "rgb"), 1000),
    ("pixels, colours in the middle", (1, 13, 6, FULL), "yuv420", 8, ("pixels8", "rgb"), Site(1, 1)),
    ("pixels, colours in the corner", (1, 13, 6, LIMITED), "yuv420", 8, ("pixels8", "rgb"), Site(0, 0)),
    ("pixels, colours in the last corner", (1, 13, 1, FULL), "yuv420", 12, ("pixels16", "rgb"), Site(2, 2)),
    ("pixels, colours below", (1, 13, 1, LIMITED), "yuv420", 16, ("pixels16", "rgb"), Site(1, 2)),
    ("4:2:2, colours in the middle", (1, 13, 6, FULL), "yuv422", 8, ("pixels8", "rgba"), Site(1, 1)),
    ("4:2:2, colours at the right", (1, 13, 6, FULL), "yuv422", 10, ("pixels16", "rgb"), Site(2, 1)),
    ("Display P3 to sRGB, 4:4:4", (12, 13, 6, FULL), "yuv420", 8, ("jpeg", "yuv444"), "srgb", Site(1, 1)),
    ("Display P3 to sRGB, 4:2:2", (12, 13, 6, FULL), "yuv420", 8, ("jpeg", "yuv422"), "srgb", Site(1, 1)),
    ("alpha onto colour, interpolated", (1, 1, 1, LIMITED), "yuv420", 8, ("pixels8", "rgb"), (10, False, (10, 200, 90))),
    ("PQ below white", (9, 16, 9, FULL), "yuv444", 10, ("pixels8", "rgb"), 203),
]


def rows():
    for name, colour, chroma, depth, target, *rest in CASES:
        site = next((item for item in rest if isinstance(item, Site)), None)
        alpha = next((item for item in rest if isinstance(item, tuple) and item is not site), None)
        srgb = "srgb" in rest
        numbers = [item for item in rest if isinstance(item, (int, float))]
        peak = next((item for item in numbers if item > 100), 0)
        tolerance = next((item for item in numbers if item < 100), 0.51)
        yield name, colour, chroma, depth, target, srgb, peak, alpha, tolerance, site


def main():
    print("// SPDX-License-Identifier: MIT\n")
    print("// Made by Scripts/making/colour.py from the formulas of the standards.\n")
    print("import ApusColour\nimport ApusMedia\n")
    print("extension ConversionRow {")
    print("  static let all: [ConversionRow] = [")
    for name, colour, chroma, depth, target, srgb, peak, alpha, tolerance, site in rows():
        kind, detail = target
        sample = f".jpeg(.{detail})" if kind == "jpeg" else f".pixels(.{detail}, bitDepth: {kind[6:]})"
        values = converted(colour, chroma, depth, target, srgb, peak, alpha, site or Site(0, 1))
        text = " ".join(f"{value:.2f}".rstrip("0").rstrip(".") for plane in values for value in plane.flat)
        print("    ConversionRow(")
        print(f'      "{name}",')
        print(f"      ({', '.join(str(item) for item in colour)}), .{chroma}, {depth}, {sample},")
        options = [f"tolerance: {tolerance}"]
        if srgb:
            options.append("srgb: true")
        if peak:
            options.append(f"peak: {peak}")
        print(f"      {', '.join(options)},")
        if alpha:
            print(f"      alpha: ({alpha[0]}, {str(alpha[1]).lower()}, {list(alpha[2])}),")
        if site:
            print(f"      site: ChromaSite(across: {site.across}, down: {site.down}),")
        print('      """')
        for line in textwrap.wrap(text, 90):
            print(f"      {line}")
        print('      """),')
    print("  ]\n}")


main()
