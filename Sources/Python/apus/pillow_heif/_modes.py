# SPDX-License-Identifier: MIT
"""Modes of samples: L, LA, RGB, RGBA and their reversals BGR and BGRA, with ;10, ;12 or ;16 for more bits; I;16 is gray."""

from __future__ import annotations

from array import array
from typing import NamedTuple, Tuple, Union

from PIL import Image

Samples = Union[bytes, bytearray]


class Mode(NamedTuple):
    """A mode in its parts."""

    #: The names of the channels, as L, RGBA or BGR.
    channels: str
    #: The bits of a sample that are used: 8, 10, 12 or 16.
    bits: int

    @property
    def channel_count(self) -> int:
        """The number of channels."""
        return 3 if self.channels == "YCbCr" else len(self.channels)

    @property
    def bytes_per_pixel(self) -> int:
        """Bytes of a pixel."""
        return self.channel_count * (1 if self.bits == 8 else 2)

    @property
    def has_alpha(self) -> bool:
        """Whether there is alpha."""
        return self.channels in ("LA", "RGBA", "BGRA")


def parsed(name: str) -> Mode:
    """Returns the parts of a mode; raises NotImplementedError if it is unknown."""
    channels, _, bits = name.partition(";")
    if name in ("I;16", "I;16L"):
        return Mode("L", 16)
    if channels not in ("L", "LA", "RGB", "RGBA", "BGR", "BGRA", "YCbCr") or bits not in ("", "10", "12", "16"):
        raise NotImplementedError(f"the mode {name} has no counterpart")
    return Mode(channels, int(bits or 8))


def packed(data: Samples, stride: int, row: int, height: int) -> bytearray:
    """Returns rows with nothing between them."""
    if stride == row:
        return bytearray(memoryview(data)[:row * height])
    rows = memoryview(data)
    return bytearray(b"".join(rows[line * stride:line * stride + row] for line in range(height)))


def reversed_colours(rows: Samples, mode: Mode) -> bytearray:
    """Returns samples with red and blue exchanged."""
    size, count = (1 if mode.bits == 8 else 2), mode.channel_count
    result = bytearray(rows)
    for byte in range(size):
        result[byte::size * count] = rows[2 * size + byte::size * count]
        result[2 * size + byte::size * count] = rows[byte::size * count]
    return result


def lowered(rows: Samples, bits: int) -> bytes:
    """Returns samples of 16 bits as such of fewer."""
    number = int.from_bytes(rows, "little") >> (16 - bits) & _each((1 << bits) - 1, rows)
    return number.to_bytes(len(rows), "little")


def raised(rows: Samples, bits: int) -> bytearray:
    """Returns samples of fewer bits as such of 16, of which the brightest has all bits set."""
    number = int.from_bytes(rows, "little") & _each((1 << bits) - 1, rows)
    # The upper bits of a sample fill the lower ones.
    low = number >> (2 * bits - 16) & _each((1 << (16 - bits)) - 1, rows)
    return bytearray((number << (16 - bits) | low).to_bytes(len(rows), "little"))


def _each(sample: int, rows: Samples) -> int:
    """Returns the same number in every sample of 16 bits."""
    return int.from_bytes(sample.to_bytes(2, "little") * (len(rows) // 2), "little")


def halved(rows: Samples) -> bytes:
    """Returns the upper 8 of 16 bits."""
    return bytes(rows[1::2])


def premultiplied(rows: Samples, mode: Mode, size: Tuple[int, int]) -> bytes:
    """Returns samples whose colours are multiplied with their alpha."""
    if mode.bits == 8 and mode.channels in ("RGBA", "BGRA"):
        return Image.frombytes("RGBA", size, bytes(rows)).convert("RGBa").tobytes()
    samples = array("H" if mode.bits > 8 else "B", bytes(rows))
    largest = (1 << mode.bits) - 1
    for place in range(mode.channel_count - 1, len(samples), mode.channel_count):
        for colour in range(place - mode.channel_count + 1, place):
            samples[colour] = (samples[colour] * samples[place] + largest // 2) // largest
    return samples.tobytes()
