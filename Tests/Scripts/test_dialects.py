# SPDX-License-Identifier: MIT
"""A current FFmpeg finds the same packets, times and pictures in both HEVC dialects that `apus flv convert` writes."""

import pytest

from programs import APUS, FFMPEG, FIXTURES, completed, printed, same


def hashes(path):
    """The hashes of every packet with its times, then of every decoded picture and sound."""
    found = []
    for codec in (["-c", "copy"], []):
        text = printed(FFMPEG, "-i", path, "-map", "0:v?", "-map", "0:a?", *codec, "-f", "framehash", "-")
        found += [line for line in text.splitlines() if not line.startswith("#")]
    return found


@pytest.mark.parametrize("dialect", ["enhanced", "legacy"])
@pytest.mark.parametrize("name", ["enhanced", "legacy", "enhanced-hdr10", "nanoseconds"])
def test_a_dialect_holds_the_same_packets_and_pictures(folder, name, dialect):
    source, target = FIXTURES / f"{name}.flv", folder / "converted.flv"
    completed(APUS, "flv", "convert", "--quiet", source, "-o", target, "--dialect", dialect)
    same("packets and pictures", hashes(source), hashes(target))
