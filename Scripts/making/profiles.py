#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""profiles.py > Tests/ColourTests/ProfileRows.swift: profiles that littleCMS writes, and what it makes of
pictures that have them. Needs liblcms2.so.2."""

import ctypes
import struct
import textwrap

LCMS = ctypes.CDLL("liblcms2.so.2")
REAL, POINTER = ctypes.c_double, ctypes.c_void_p
D65 = (REAL * 3)(0.3127, 0.3290, 1)
SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
P3 = ((0.68, 0.32), (0.265, 0.69), (0.15, 0.06))
ADOBE = ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
CURVE = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
COLOURS = [200, 100, 50, 128, 128, 128, 250, 240, 230, 255, 255, 255, 0, 0, 0, 90, 90, 140, 120, 150, 130]
GREYS = [0, 10, 60, 100, 128, 180, 220, 255]
RGB_8, GREY_8 = 4 << 16 | 3 << 3 | 1, 3 << 16 | 1 << 3 | 1


def call(name, result, *arguments):
    function = getattr(LCMS, name)
    function.restype = result
    return function(*arguments)


def parametric(kind, *values):
    array = (REAL * 10)(*values)
    return call("cmsBuildParametricToneCurve", POINTER, None, kind, array)


def table(count):
    values = [i / (count - 1) for i in range(count)]
    light = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    array = (ctypes.c_uint16 * count)(*(round(v * 65535) for v in light))
    return call("cmsBuildTabulatedToneCurve16", POINTER, None, count, array)


def rgb(primaries, curve):
    flat = [value for x, y in primaries for value in (x, y, 1)]
    curves = (POINTER * 3)(curve, curve, curve)
    return call("cmsCreateRGBProfile", POINTER, D65, (REAL * 9)(*flat), curves)


def grey(curve):
    return call("cmsCreateGrayProfile", POINTER, D65, POINTER(curve))


def written(profile, version):
    """The bytes of a profile, with a date that stays."""
    call("cmsSetProfileVersion", None, POINTER(profile), REAL(version))
    size = ctypes.c_uint32(0)
    call("cmsSaveProfileToMem", ctypes.c_int, POINTER(profile), None, ctypes.byref(size))
    memory = ctypes.create_string_buffer(size.value)
    call("cmsSaveProfileToMem", ctypes.c_int, POINTER(profile), memory, ctypes.byref(size))
    return memory.raw[:24] + struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + memory.raw[36:]


def in_srgb(data, values, form):
    """What samples become, relative to white."""
    source = call("cmsOpenProfileFromMem", POINTER, data, len(data))
    target = call("cmsCreate_sRGBProfile", POINTER)
    count = len(values) // (3 if form == RGB_8 else 1)
    turn = call(
        "cmsCreateTransform", POINTER, POINTER(source), form, POINTER(target), RGB_8, 1, 0x0100
    )
    output = ctypes.create_string_buffer(3 * count)
    call("cmsDoTransform", None, POINTER(turn), bytes(values), output, count)
    return list(output.raw)


PROFILES = [
    ("version 2, sRGB by 64 samples", 2.1, rgb(SRGB, table(64)), "isSRGB"),
    ("version 2, Adobe RGB (1998), a curve of one number", 2.1, rgb(ADOBE, parametric(1, 2.19921875)), ""),
    ("version 4, Display P3", 4.3, rgb(P3, parametric(4, *CURVE)), "isDisplayP3"),
    ("parametric curve of type 1", 4.3, rgb(P3, parametric(2, 2.2, 0.95, 0.05)), ""),
    ("parametric curve of type 2", 4.3, rgb(P3, parametric(3, 2, 0.9, 0.05, 0.0975)), ""),
    ("parametric curve of type 4", 4.3, rgb(P3, parametric(5, *CURVE, 0, 0)), "isDisplayP3"),
    ("version 4, grey", 4.3, grey(parametric(1, 1.8)), ""),
    ("version 2, grey by 32 samples", 2.1, grey(table(32)), "isSRGB"),
]


def main():
    version = call("cmsGetEncodedCMMversion", ctypes.c_int)
    print("// SPDX-License-Identifier: MIT\n")
    print(f"// Made by Scripts/making/profiles.py with littleCMS {version / 1000}.\n")
    print("import TestSupport\n\nextension ProfileRow {\n  static let all: [ProfileRow] = [")
    for name, number, profile, means in PROFILES:
        data = written(profile, number)
        form = GREY_8 if "grey" in name else RGB_8
        values = GREYS if form == GREY_8 else COLOURS
        print(f'    ProfileRow(\n      "{name}", means: "{means}",')
        print(f"      {values},")
        print(f"      {in_srgb(data, values, form)},")
        print('      """')
        for line in textwrap.wrap(data.hex(), 88):
            print(f"      {line}")
        print('      """),')
    print("  ]\n}")


main()
