# SPDX-License-Identifier: MIT
"""heif_examples.py MODULE FIXTURES FOLDER: does what the documentation of pillow_heif shows, with that or with what stands in
for it, and prints what came of each example as JSON."""

import importlib
import io
import json
import pathlib
import sys

import numpy
from PIL import Image, ImageSequence

heif = importlib.import_module(sys.argv[1])
fixtures, folder = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
photo, pair, small, clear, deep = (
    str(fixtures / name) for name in ("photo.heic", "two-images.heic", "thumbnail.heic", "alpha.heic", "still-10bit.heic"))
pixels = numpy.random.default_rng(11).integers(0, 256, (48, 64, 4), dtype=numpy.uint8)


def near(image, wanted, limit=12):
    """Whether a picture that was coded with loss is another one still."""
    return bool(numpy.abs(numpy.asarray(image).astype(int) - wanted.astype(int)).mean() < limit)


def flat(colour, kind=numpy.uint8):
    return numpy.full((48, 64, len(colour)), colour, kind)


def opener():
    heif.register_heif_opener()
    image = Image.open(photo)
    image.load()
    return image.size, image.mode, image.format


def opener_quality():
    heif.register_heif_opener(quality=90)
    flat_image = Image.fromarray(flat((200, 100, 50)))
    flat_image.save(folder / "quality.heic")
    return near(Image.open(folder / "quality.heic"), flat((200, 100, 50)), 4)


def rotated():
    heif.register_heif_opener()
    with Image.open(photo) as image:
        image.rotate(45).save(folder / "rotated.heic")
    with Image.open(folder / "rotated.heic") as image:
        return image.size


def reader():
    if not heif.is_supported(photo):
        return None
    found = []
    for image in heif.read_heif(photo):
        made = Image.frombytes(image.mode, image.size, image.data, "raw", image.mode, image.stride)
        found.append((made.size, made.mode))
    return found


def lazily():
    file = heif.open_heif(photo)
    return file.size, file.mode, file.has_alpha, len(file.data) >= 320 * 240 * 3, file.info["primary"], file.info["bit_depth"]


def enumerated():
    return [(image.size, image.mode, image.info["primary"]) for image in heif.open_heif(pair)]


def index():
    file = heif.open_heif(pair)
    return len(file[1].data) >= 64 * 48 * 3, numpy.asarray(file[1]).shape, numpy.asarray(file).shape


def removed():
    file = heif.open_heif(pair)
    del file[0]
    return len(file), file[0].size


def added():
    file = heif.from_pillow(Image.open(fixtures / "rgb.jpg"))
    file.add_from_heif(heif.open_heif(photo)[0])
    file.add_from_pillow(Image.open(fixtures / "gray.jpg"))
    return [image.size for image in file]


def from_samples():
    file = heif.from_bytes(mode="BGRA", size=(64, 48), data=flat((10, 200, 90, 255)).tobytes())
    file.save(folder / "samples.heic", quality=90)
    image = numpy.asarray(heif.open_heif(folder / "samples.heic"))
    return file.mode, near(image[:, :, :3], flat((90, 200, 10)), 4)


def deep_samples():
    data = flat((10_000, 20_000, 40_000), numpy.uint16)
    heif.encode(mode="BGR;16", size=(64, 48), data=data.tobytes(), fp=str(folder / "deep.heic"), quality=90)
    file = heif.open_heif(folder / "deep.heic", convert_hdr_to_8bit=False)
    return file.info["bit_depth"], near(numpy.asarray(file), flat((40_000, 20_000, 10_000), numpy.uint16), 600)


def ten_bits():
    file = heif.open_heif(deep, convert_hdr_to_8bit=False, bgr_mode=True)
    return file.mode, numpy.asarray(file).dtype.str


def to_memory():
    heif.register_heif_opener()
    buffer = io.BytesIO()
    with Image.open(photo) as image:
        image.save(buffer, format="HEIF")
    return heif.get_file_mimetype(buffer.getvalue()), Image.open(buffer).size


def without_metadata():
    heif.register_heif_opener()
    image = Image.open(photo)
    image.save(folder / "bare.heic", exif=None, xmp=None)
    return Image.open(folder / "bare.heic").info.get("exif") is None


def without_metadata_in_place():
    heif.register_heif_opener()
    image = Image.open(photo)
    del image.info["exif"]
    image.info["xmp"] = None
    image.save(folder / "bare.heic")
    return Image.open(folder / "bare.heic").info.get("exif") is None


def thumbnails():
    file = heif.open_heif(small)
    found = file[0].get_thumbnail(0)
    return file.info["thumbnails"], found.size, found.mode


def alpha():
    file = heif.open_heif(clear)
    return file.mode, file.has_alpha, file.to_pillow().mode


def frames():
    heif.register_heif_opener()
    return [frame.size for frame in ImageSequence.Iterator(Image.open(pair))]


def several():
    heif.register_heif_opener()
    first, second = (Image.fromarray(flat(colour)) for colour in ((1, 2, 3), (200, 100, 50)))
    first.save(folder / "several.heic", append_images=[second], save_all=True, primary_index=1)
    return len(heif.open_heif(folder / "several.heic"))


def lossless():
    heif.register_heif_opener()
    wanted = pixels[:, :, :3]
    buffer = io.BytesIO()
    Image.fromarray(wanted).save(buffer, format="HEIF", quality=-1, chroma=444, matrix_coefficients=0)
    return near(Image.open(buffer), wanted, 2)


examples = [opener, opener_quality, rotated, reader, lazily, enumerated, index, removed, added, from_samples, deep_samples, ten_bits,
            to_memory, without_metadata, without_metadata_in_place, thumbnails, alpha, frames, several, lossless]
results = {}
for example in examples:
    try:
        results[example.__name__] = example()
    except Exception as error:
        results[example.__name__] = f"{type(error).__name__}: {error}"
print(json.dumps(results))
