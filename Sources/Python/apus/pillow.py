# SPDX-License-Identifier: MIT
"""HEIC and HEIF in Pillow: Image.open("photo.heic"), image.save("photo.heic", quality=60)."""

import ctypes

from PIL import Image, ImageFile

import apus
from . import _library as c

BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avci")
EXTENSIONS = [".heic", ".heif", ".hif", ".heics", ".heifs", ".avci"]
# Of what is saved without one; None is that of the encoder.
quality = None


def image(photo, **options):
    """An Image of an opened photo."""
    rows = _Rows()
    photo.rows(rows.begin, rows.take, photo.mode, **options)
    made = Image.new(rows.mode, (0, 0))._new(rows.core)
    made.info.update(_facts(photo))
    return made


class _Rows:
    """Puts rows into the memory of Pillow as they come."""

    def begin(self, shape):
        width, height, self.mode, _ = shape
        self.size = (width, height)
        self.core = Image.core.new(self.mode, self.size)
        self._decoder = Image._getdecoder(self.mode, "raw", (self.mode, 0, 1))
        self._decoder.setimage(self.core, (0, 0, width, height))

    def take(self, data):
        self._decoder.decode(data)


def _facts(photo):
    facts = {"exif": photo.exif, "xmp": photo.xmp, "icc_profile": photo.icc}
    facts = {name: value for name, value in facts.items() if value is not None}
    if "exif" in facts:
        # Pillow reads Exif with this in front, as it stands in a JPEG; pixels are upright already.
        facts["exif"] = _upright(b"Exif\0\0" + facts["exif"])
    return facts


def _upright(exif):
    read = Image.Exif()
    read.load(exif)
    if read.get(0x0112, 1) == 1:
        return exif
    read[0x0112] = 1
    return read.tobytes()


class HeifFile(ImageFile.ImageFile):
    """A photo that is decoded when its pixels are asked for."""

    format = "HEIF"
    format_description = "HEIF image"

    def _open(self):
        self._photo = apus.open(self.fp.read() if not hasattr(self.fp, "name") else self._whole())
        width, height, self._mode, _ = self._photo.layout()
        self._size = (width, height)
        self._bounds = None
        self.info.update(_facts(self._photo))
        self.tile = [ImageFile._Tile("apus", (0, 0, width, height), 0, self._mode)] if hasattr(ImageFile, "_Tile") else [
            ("apus", (0, 0, width, height), 0, self._mode)]

    def _whole(self):
        self.fp.seek(0)
        return self.fp.read()

    def draft(self, mode, size):
        """Has a smaller picture decoded, whose sides are at least those of size."""
        if self._photo is None or self._bounds is not None or not self.tile:
            return None
        width, height = self._size
        scale = min(width / max(size[0], 1), height / max(size[1], 1))
        if scale < 2:
            return None
        longer = -(-max(width, height) // int(scale))
        width, height, _, _ = self._photo.layout(max_size=longer)
        self._size, self._bounds = (width, height), longer
        return self._mode, (0, 0, width, height)

    def thumbnail(self, size, *arguments, **options):
        """As Image.thumbnail; the small picture in the photo is taken where it is large enough."""
        wanted = (int(size[0]), int(size[1]))
        if self._photo is not None and self._bounds is None and self._mode == "RGB" and min(wanted) > 0 and (
                wanted[0] * 2 <= self._size[0] or wanted[1] * 2 <= self._size[1]):
            self._load_rows(thumbnail=wanted)
        return super().thumbnail(size, *arguments, **options)

    def load(self):
        if self.tile and self._photo is not None:
            self._load_rows(size=self._bounds)
        return super().load()

    def _load_rows(self, **choice):
        rows = _Rows()
        self._photo.rows(rows.begin, rows.take, self._mode, **choice)
        self._size, self.im, self.tile = rows.size, rows.core, []
        self._photo.close()
        self._photo = None
        if self._exclusive_fp and self.fp is not None:
            self.fp.close()
        self.fp = None


def _accept(prefix):
    return prefix[4:8] == b"ftyp" and prefix[8:12] in BRANDS


def _save(image, file, name):
    options = {name: image.info.get(name) for name in ("exif", "xmp", "icc_profile")}
    options.update(image.encoderinfo)
    options.pop("save_all", None)
    if options.pop("append_images", None):
        raise NotImplementedError("a file of several pictures; apus convert --group writes one")
    if image.mode == "I;16":
        layout = c.Layout(width=image.width, height=image.height, channels=1, bits=16, stride=image.width * 2)
    else:
        if image.mode not in ("L", "LA", "RGB", "RGBA"):
            image = image.convert("RGBA" if image.has_transparency_data else "RGB")
        channels = len(image.getbands())
        layout = c.Layout(width=image.width, height=image.height, channels=channels, bits=8, stride=image.width * channels)
    data = image.tobytes()
    file.write(encoded(ctypes.cast(data, ctypes.c_void_p), layout, options))


def encoded(address, layout, options):
    """Samples as a HEIC, by the options that Pillow gives its encoders."""
    options = dict(options)
    exif = options.pop("exif", None)
    if isinstance(exif, Image.Exif):
        exif = exif.tobytes()
    if exif and exif[:6] == b"Exif\0\0":
        exif = exif[6:]
    xmp, icc = options.pop("xmp", None), options.pop("icc_profile", None)
    if isinstance(xmp, str):
        xmp = xmp.encode()
    if quality is not None:
        options.setdefault("quality", quality)
    if options.get("quality") == -1:
        options["lossless"] = True
        options.pop("quality")
    if options.get("lossless") and options.get("matrix_coefficients") == 0:
        # What is coded without loss is coded as what it is anyway.
        options.pop("matrix_coefficients")
    return apus._encode(address, layout, exif or None, xmp or None, icc or None, "heic", None, None, options)


def register():
    """Registers the format with Pillow, in front of what was registered before."""
    Image.register_open(HeifFile.format, HeifFile, _accept)
    Image.register_save(HeifFile.format, _save)
    Image.register_save_all(HeifFile.format, _save)
    Image.register_extensions(HeifFile.format, EXTENSIONS)
    Image.register_mime(HeifFile.format, "image/heif")


__all__ = ["HeifFile", "image", "register"]
