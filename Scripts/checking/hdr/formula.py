# SPDX-License-Identifier: MIT
"""A JPEG with a gain map by the words of its standards, written without a look at the program that is tested."""

import io
import re
import struct

import numpy
from PIL import Image

ISO = b"urn:iso:std:iso:ts:21496:-1\0"


def segments(data):
    """(marker, body, offset of the marker) up to the first scan."""
    at = 2
    while data[at + 1] != 0xDA:
        length = struct.unpack_from(">H", data, at + 2)[0]
        yield data[at + 1], data[at + 4 : at + 2 + length], at
        at += 2 + length


def pictures(data):
    """The two JPEGs, by the index (CIPA DC-007)."""
    for marker, body, at in segments(data):
        if marker == 0xE2 and body.startswith(b"MPF\0"):
            first, second, offset = (struct.unpack_from(">I", body, 4 + place)[0] for place in (54, 70, 74))
            start = offset + at + 8
            assert start == first and start + second == len(data), (first, second, offset, len(data))
            return data[:first], data[start:]
    raise AssertionError("there is no MPF segment")


def payload(jpeg):
    """ISO 21496-1, C.2, without its identifier."""
    found = [body for marker, body, _ in segments(jpeg) if marker == 0xE2 and body.startswith(ISO)]
    assert len(found) == 1, found
    return found[0][len(ISO) :]


class Parameters:
    def __init__(self, stored):
        self.channels = 3 if stored[4] & 0x80 else 1
        numbers = struct.unpack(f">{4 + 10 * self.channels}I", stored[5:])
        signed = lambda value: value - 2**32 if value >= 2**31 else value
        values = [signed(a) / b for a, b in zip(numbers[::2], numbers[1::2])]
        self.base, self.alternate = values[:2]
        table = numpy.array(values[2:]).reshape(self.channels, 5)
        self.low, self.high, self.gamma, self.base_offset, self.alternate_offset = table.T

    def apply(self, light, codes, headroom):
        """ISO 21496-1, 6.3; `codes` as large as `light`. Where nothing of the map is applied the base is shown."""
        weight = min(max((headroom - self.base) / (self.alternate - self.base), 0), 1)
        if weight == 0:
            return light
        gain = self.low + (self.high - self.low) * (codes / 255) ** (1 / self.gamma)
        return (light + self.base_offset) * 2 ** (weight * gain) - self.alternate_offset


def xmp(jpeg):
    """The numbers of `hdrgm`, by name."""
    text = b"".join(
        body for marker, body, _ in segments(jpeg) if marker == 0xE1 and body.startswith(b"http://ns.adobe.com/xap")
    ).decode()
    single = {name: [value] for name, value in re.findall(r'hdrgm:(\w+)="([^"]*)"', text)}
    lists = {
        name: re.findall(r"<rdf:li>([^<]*)</rdf:li>", body)
        for name, body in re.findall(r"<hdrgm:(\w+)><rdf:Seq>(.*?)</rdf:Seq>", text)
    }
    return single | lists


def samples(jpeg):
    return numpy.asarray(Image.open(io.BytesIO(jpeg))).astype(float)


def linear(codes):
    """The curve of sRGB."""
    value = codes / 255
    return numpy.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def bt709(value):
    """The light of a code of Apple's maps."""
    return numpy.where(value < 0.081, value / 4.5, ((value + 0.099) / 1.099) ** (1 / 0.45))


def scaled(codes, height, width):
    """As large as the picture, straight between the centres of samples."""
    if codes.ndim == 2:
        codes = codes[:, :, None]
    for axis, wanted in ((0, height), (1, width)):
        count = codes.shape[axis]
        place = numpy.clip((numpy.arange(wanted) + 0.5) * count / wanted - 0.5, 0, count - 1)
        low = place.astype(int)
        part = (place - low).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        codes = codes.take(low, axis) * (1 - part) + codes.take(numpy.minimum(low + 1, count - 1), axis) * part
    return codes
