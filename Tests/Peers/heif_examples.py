# SPDX-License-Identifier: MIT
"""heif_examples.py MODULE FIXTURES FOLDER: does what the documentation of pillow_heif shows, with that or with what stands in
for it, and prints what came of each example as JSON."""

import copy
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


def names():
    return sorted(heif.__all__), heif.libheif_info()["AVIF"]


def plugin():
    importlib.import_module(sys.argv[1] + ".HeifImagePlugin")
    return Image.open(photo).size


def saved(image, **options):
    """A file with a picture of Pillow, opened."""
    buffer = io.BytesIO()
    image.save(buffer, format="HEIF", **options)
    return heif.open_heif(buffer.getvalue())


KEYS = ("primary", "bit_depth", "metadata", "thumbnails", "depth_images", "chroma", "icc_profile_type", "tiling",
        "original_orientation")


def known(info):
    return {name: repr(info[name]) for name in KEYS if name in info}, len(info["aux"])


def infos():
    return [known(image.info) for path in (photo, pair, small, clear, deep) for image in heif.open_heif(path)]


def plugin_infos():
    heif.register_heif_opener()
    found = []
    for path in (photo, pair, clear):
        with Image.open(path) as image:
            found += [(known(frame.info), frame.custom_mimetype) for frame in ImageSequence.Iterator(image)]
    return found


def modes():
    choices = [{}, {"bgr_mode": True}, {"convert_hdr_to_8bit": False}, {"convert_hdr_to_8bit": False, "hdr_to_16bit": False},
               {"convert_hdr_to_8bit": False, "bgr_mode": True, "hdr_to_16bit": False}]
    return [(file.mode, numpy.asarray(file).dtype.str, file.stride)
            for path in (photo, clear, deep) for choice in choices for file in [heif.open_heif(path, **choice)]]


def tiles():
    heif.register_heif_opener()
    image = Image.fromarray(numpy.tile(flat((10, 200, 90)), (4, 4, 1)))
    files = [saved(image, tile_size=128), saved(image.convert("L"), tile_size=64), saved(image.convert("RGBA"), tile_size=64)]
    files.append(saved(Image.open(io.BytesIO(written(files[0])))))
    return [file.info.get("tiling") for file in files]


def written(file, **options):
    buffer = io.BytesIO()
    file.save(buffer, **options)
    return buffer.getvalue()


def small_ones():
    file = heif.from_pillow(Image.fromarray(numpy.tile(flat((10, 200, 90)), (4, 4, 1))))
    made = heif.open_heif(written(file, thumbnails=[0, 128, 64, 300]))
    return made.info["thumbnails"], [made[0].get_thumbnail(number).size for number in range(2)]


def code_points():
    heif.register_heif_opener()
    image = Image.fromarray(flat((10, 200, 90)))
    choices = [{}, {"save_nclx_profile": False}, {"matrix_coefficients": 1},
               {"color_primaries": 9, "transfer_characteristics": 16, "matrix_coefficients": 9, "full_range_flag": 0}]
    return [saved(image, **choice).info.get("nclx_profile") for choice in choices]


def further():
    """Boxes and items beside the picture."""
    file = heif.from_pillow(Image.fromarray(flat((10, 200, 90))))
    given = {
        "pixel_aspect_ratio": (4, 3), "nominal_diffuse_white_luminance": 0,
        "content_light_level": {"max_content_light_level": 1000, "max_pic_average_light_level": 400},
        "ambient_viewing_environment": {"ambient_illumination": 100_000, "ambient_light_x": 15_635, "ambient_light_y": 16_450},
        "mastering_display_colour_volume": {
            "display_primaries_x": (35_400, 8_500, 6_550), "display_primaries_y": (14_600, 39_850, 2_300), "white_point_x": 15_635,
            "white_point_y": 16_450, "max_display_mastering_luminance": 10_000_000, "min_display_mastering_luminance": 50}}
    file.info.update(given)
    file.info["metadata"] = [{"type": "iptc", "data": b"\x1c\x02Z\x00\x08Budapest", "content_type": ""}]
    made = heif.open_heif(written(file)).info
    return [made[name] for name in given], [(one["type"], one["data"].hex(), one["content_type"]) for one in made["metadata"]]


def odd_metadata():
    file = heif.from_pillow(Image.fromarray(flat((10, 200, 90))))
    exif = Image.Exif().tobytes()
    return [heif.open_heif(written(file, exif=given)).info["exif"].hex() for given in (b"no Exif at all", b"before it " + exif)]


def twelve_bits():
    file = heif.from_bytes(mode="RGB;16", size=(64, 48), data=flat((10_000, 20_000, 40_000), numpy.uint16).tobytes())
    depths = []
    for heif.options.SAVE_HDR_TO_12_BIT in (True, False):
        depths.append(heif.open_heif(written(file, quality=90)).info["bit_depth"])
    exact = heif.from_bytes(mode="RGB;12", size=(64, 48), data=flat((1000, 2000, 4000), numpy.uint16).tobytes())
    made = heif.open_heif(written(exact, quality=-1, chroma=444), convert_hdr_to_8bit=False, hdr_to_16bit=False)
    return depths, made.mode, near(numpy.asarray(made), flat((1000, 2000, 4000), numpy.uint16), 3)


def strides():
    file = heif.from_bytes("RGB", (40, 48), flat((10, 200, 90)).tobytes(), stride=64 * 3)
    return numpy.asarray(file).shape, file.to_pillow().size, heif.open_heif(written(file)).size, file.stride


def refused():
    """The kinds of what is raised, by the base class that programs catch."""
    def kind(job):
        try:
            job()
        except (ValueError, IndexError, TypeError, EOFError, NotImplementedError, RuntimeError) as error:
            return [base.__name__.removesuffix("Error") for base in (ValueError, IndexError, TypeError, RuntimeError)
                    if isinstance(error, base)]
    file, data = heif.open_heif(photo), pathlib.Path(photo).read_bytes()
    jobs = [
        lambda: heif.open_heif(b"no photo"), lambda: heif.open_heif(data[:-100]).data, lambda: file[1],
        lambda: file[0].get_thumbnail(9),
        lambda: file[0].get_thumbnail("0"), lambda: file.save(b"bytes"), lambda: heif.HeifFile().save(io.BytesIO()),
        lambda: heif.encode("RGB", (100, 100), b"few", io.BytesIO()),
        lambda: heif.from_pillow(Image.new("L", (1, 0))), lambda: written(heif.from_bytes("L", (0, 1), b""))]
    return [kind(job) for job in jobs]


def sought():
    heif.register_heif_opener()
    image = Image.open(pair)
    found = [image.n_frames, image.is_animated, image.tell()]
    for place in range(image.n_frames):
        image.seek(place)
        found.append((image.tell(), image.size, image.info["primary"], len(image.tobytes()) > 1000))
    try:
        image.seek(image.n_frames)
    except EOFError:
        return found


def several_of_one():
    heif.register_heif_opener()
    images = [Image.fromarray(flat(colour)) for colour in ((1, 2, 3), (200, 100, 50), (50, 100, 200))]
    for image, xmp in zip(images, (b"<a/>", b"<b/>", b"<c/>")):
        image.info["xmp"] = xmp
    buffer = io.BytesIO()
    images[0].save(buffer, format="HEIF", append_images=images[1:], save_all=True, primary_index=-1)
    file = heif.open_heif(buffer.getvalue())
    again = heif.open_heif(written(file, primary_index=1, xmp=None))
    return [[(image.info["primary"], image.info.get("xmp", b"").decode(), image.size) for image in one] for one in (file, again)]


def multiplied():
    file = heif.from_pillow(Image.fromarray(numpy.tile(flat((10, 200, 90, 128)), (2, 2, 1))))
    file.premultiplied_alpha = True
    made = heif.open_heif(written(file, quality=-1))
    return made.has_alpha, made.premultiplied_alpha


def turned():
    heif.register_heif_opener()
    exif = Image.Exif()
    exif[0x0112] = 6
    image = Image.fromarray(numpy.concatenate([flat((200, 0, 0)), flat((0, 0, 200))]))
    found = []
    for options in ({"exif": exif.tobytes()}, {"xmp": b'<x tiff:Orientation="8"/>'}):
        buffer = io.BytesIO()
        image.save(buffer, format="HEIF", quality=90, **options)
        with Image.open(buffer) as made:
            corner = made.getpixel((4, 4))
            found.append((made.size, made.info["original_orientation"], made.getexif().get(0x0112, 1), corner[0] > corner[2]))
    return found


def drafts():
    heif.register_heif_opener()
    buffer = io.BytesIO()
    Image.fromarray(numpy.tile(flat((10, 200, 90)), (8, 8, 1))).save(buffer, format="HEIF", thumbnails=[128])
    image, other = Image.open(buffer), Image.open(photo)
    return image.draft(None, (64, 48)), image.size, image.draft(None, (10, 10)), other.draft(None, (10, 10)), other.size


def described():
    file = heif.open_heif(photo)
    texts = [str(file), str(file[0])]
    file.load() if hasattr(file, "load") else file.data
    return texts, str(file[0]), str(heif.open_heif(small)[0].get_thumbnail(0))


def copied():
    file = heif.open_heif(pair)
    one, other = copy.copy(file), copy.deepcopy(file)
    del file[0]
    other[0].info["bit_depth"] = 17
    return len(one), len(other), one[0].info["bit_depth"], numpy.asarray(other[0]).shape


examples = [opener, opener_quality, rotated, reader, lazily, enumerated, index, removed, added, from_samples, deep_samples, ten_bits,
            to_memory, without_metadata, without_metadata_in_place, thumbnails, alpha, frames, several, lossless, names, plugin, infos,
            plugin_infos, modes, tiles, small_ones, code_points, further, odd_metadata, twelve_bits, strides, refused, sought,
            several_of_one, multiplied, turned, drafts, described, copied]
results = {}
for example in examples:
    try:
        results[example.__name__] = example()
    except Exception as error:
        results[example.__name__] = f"{type(error).__name__}: {error}"
print(json.dumps(results))
