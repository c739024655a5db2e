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
    one, other = (numpy.asarray(image.convert("RGB")).astype(float) for image in (one, other))
    inside = ((one > 0) & (one < 255) & (other > 0) & (other < 255)).all(axis=2)

    def decibels(error):
        return 10 * math.log10(255**2 / error) if error else math.inf
    # Which of them the picture has need not be known: with another, luma does not agree.
    luma = max(decibels(numpy.square((one - other) @ numpy.array(weights))[inside].mean() if inside.any() else 0)
               for weights in ((0.299, 0.587, 0.114), (0.2126, 0.7152, 0.0722), (0.2627, 0.678, 0.0593)))
    height, width = one.shape[0] // 8 * 8, one.shape[1] // 8 * 8
    means = [image[:height, :width].reshape(height // 8, 8, width // 8, 8, 3).mean(axis=(1, 3)) for image in (one, other)]
    return luma, decibels(numpy.square(means[0] - means[1]).mean() if height and width else 0)


def psnr(one, other):
    """In decibels; `inf` for pictures that are the same."""
    difference = numpy.asarray(one).astype(numpy.int32) - numpy.asarray(other)
    error = numpy.square(difference).mean()
    return 10 * math.log10(255**2 / error) if error else math.inf
