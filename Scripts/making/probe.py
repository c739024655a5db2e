#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""probe.py: prints Sources/ApusLive/Doctor/ProbeMedia.swift, the stream that apus doctor publishes, made by x265 and FFmpeg."""

import subprocess

from hevc import kind, nal_units


def ffmpeg(*words):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", *words, "-"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def rows(data):
    for at in range(0, len(data), 16):
        yield "    " + "".join(f"0x{byte:02x}, " for byte in data[at : at + 16]).rstrip()


def constant(words, name, data):
    return [f"  /// {words}", f"  static let {name}: [UInt8] = [", *rows(data), "  ]", ""]


units = nal_units(
    ffmpeg("smptebars=size=64x64:rate=25", "-frames:v", "1", "-c:v", "libx265", "-pix_fmt", "yuv420p",
           "-x265-params", "log-level=none:pools=1:frame-threads=1:keyint=25:no-info=1:crf=30",
           "-f", "hevc"))  # fmt: skip
sound = ffmpeg("anullsrc=r=44100:cl=mono", "-frames:a", "4", "-c:a", "aac", "-f", "adts")
# The last frame, behind its header of seven bytes.
frame = sound[sound.rindex(b"\xff\xf1") + 7 :]

by_kind = {kind(unit): unit for unit in units}
print("\n".join([
    "// SPDX-License-Identifier: MIT",
    "// Printed by Scripts/making/probe.py.",
    "",
    "/// One HEVC picture of 64 by 64 samples, bars of colours, and one frame of silence in AAC.",
    "enum ProbeMedia {",
    *constant("VPS_NUT.", "video", by_kind[32]),
    *constant("SPS_NUT.", "sequence", by_kind[33]),
    *constant("PPS_NUT.", "picture", by_kind[34]),
    *constant("An IDR picture.", "slice", next(unit for unit in units if kind(unit) < 32)),
    *constant("`AudioSpecificConfig`: AAC-LC, 44100 Hz, mono.", "soundConfiguration", b"\x12\x08"),
    *constant("1024 samples.", "sound", frame)[:-1],
    "}",
]))  # fmt: skip
