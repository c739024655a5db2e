# SPDX-License-Identifier: MIT
"""Pictures as arrays: those of apus as Pillow reads them, those of libheif, and how far they are apart."""

import math
import warnings

import numpy
import PIL.Image
import pillow_heif

PIL.Image.MAX_IMAGE_PIXELS = None
warnings.simplefilter("ignore", PIL.Image.DecompressionBombWarning)
pillow_heif.register_heif_opener(thumbnails=False)


def decoded(path):
    """A picture, read to its last byte."""
    with PIL.Image.open(path) as image:
        image.load()
        return image.copy()


def by_libheif(path):
    """What current libheif makes of the primary picture, with what it knows of the file; `None` if nothing."""
    try:
        image = pillow_heif.open_heif(path, convert_hdr_to_8bit=True)
        picture = image.to_pillow()
    except Exception:
        return None
    return picture, image.info


def on_white(image):
    """As a JPEG shows it."""
    if image.mode in ("RGBa", "La"):
        # Already multiplied: what is missing to white is added.
        samples = numpy.asarray(image).astype(int)
        flat = samples[..., :-1] + 255 - samples[..., -1:]
        flat = numpy.clip(flat, 0, 255).astype(numpy.uint8)
        return PIL.Image.fromarray(flat.squeeze()).convert("RGB")
    if image.mode in ("RGBA", "LA"):
        image = image.convert("RGBA")
        white = PIL.Image.new("RGBA", image.size, "white")
        return PIL.Image.alpha_composite(white, image).convert("RGB")
    return image.convert("RGB")


def eight_bits(image):
    """RGB of 8 bits, alpha on white. Pillow has grey of 16 bits, of libheif in the upper bits too."""
    if image.mode.startswith("I"):
        return PIL.Image.fromarray((numpy.asarray(image) >> 8).astype(numpy.uint8)).convert("RGB")
    return on_white(image)


def seen(one, other):
    """How much the luma of two pictures agrees, and the means of colours of 8 × 8 samples, in decibels: for programs that
    find the colours between colour samples in different ways. Samples that are as dark or bright as can be are left out
    of luma, for what was cut off of them differs."""
    one, other = (numpy.asarray(image.convert("RGB")) for image in (one, other))
    # Sums of the products of differences, of which those of any luma are made.
    products, count, squares, blocks = numpy.zeros((3, 3)), 0, 0, 0
    for left, right in strips(one, other):
        difference = left.astype(float) - right
        inside = difference[((left > 0) & (left < 255) & (right > 0) & (right < 255)).all(axis=2)]
        products += inside.T @ inside
        count += len(inside)
        height, width = difference.shape[0] // 8 * 8, difference.shape[1] // 8 * 8
        means = difference[:height, :width].reshape(height // 8, 8, width // 8, 8, 3).mean(axis=(1, 3))
        squares += numpy.square(means).sum()
        blocks += means.size
    # Which of them the picture has need not be known: with another, luma does not agree.
    luma = max(decibels(numpy.dot(weights, products @ weights) / count if count else 0)
               for weights in ((0.299, 0.587, 0.114), (0.2126, 0.7152, 0.0722), (0.2627, 0.678, 0.0593)))
    return luma, decibels(squares / blocks if blocks else 0)


def psnr(one, other):
    """In decibels; `inf` for pictures that are the same."""
    one, other = numpy.asarray(one), numpy.asarray(other)
    total = 0
    for left, right in strips(one, other):
        total += int(numpy.square(left.astype(numpy.int32) - right).sum(dtype=numpy.int64))
    return decibels(total / one.size)


def strips(one, other):
    """The same rows of both, some at a time, which stay near to the processor."""
    if one.shape != other.shape:
        raise ValueError(f"pictures of {one.shape} and {other.shape}")
    for row in range(0, one.shape[0], 16):
        yield one[row : row + 16], other[row : row + 16]


def decibels(error):
    return 10 * math.log10(255**2 / error) if error else math.inf
