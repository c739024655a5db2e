# SPDX-License-Identifier: MIT
"""The names and the behaviour of pillow_heif's interface, for programs that switch: `import apus.pillow_heif as pillow_heif`.

A file has one image here, its primary picture. What has no counterpart raises NotImplementedError by its name.
"""

import io
import os

from PIL import Image

import apus
from . import pillow

__version__ = apus.__version__
_MIMES = {b"heic": "image/heic", b"heix": "image/heic", b"heim": "image/heic", b"heis": "image/heic",
          b"hevc": "image/heic-sequence", b"hevx": "image/heic-sequence", b"mif1": "image/heif",
          b"msf1": "image/heif-sequence", b"avif": "image/avif", b"avis": "image/avif-sequence"}
# What pillow_heif takes and what does nothing here: the answer is the same for every value.
_IGNORED = {"thumbnails", "depth_images", "aux_images", "decode_threads", "save_nclx_profile", "preferred_encoder",
            "preferred_decoder", "disable_security_limits", "allow_incorrect_headers", "remove_stride"}


def register_heif_opener(**kwargs):
    """Has Pillow open and save HEIC and HEIF."""
    _known(kwargs)
    pillow.register()


def _known(kwargs):
    for name in kwargs:
        if name not in _IGNORED:
            raise NotImplementedError(f"{name} has no counterpart")


def _head(fp):
    if isinstance(fp, (str, os.PathLike)):
        with open(fp, "rb") as file:
            return file.read(16)
    if isinstance(fp, (bytes, bytearray, memoryview)):
        return bytes(fp[:16])
    place = fp.tell()
    head = fp.read(16)
    fp.seek(place)
    return head


def get_file_mimetype(fp):
    """The MIME type that the brand of a file stands for; empty for a file of another kind."""
    head = _head(fp)
    return _MIMES.get(head[8:12], "") if head[4:8] == b"ftyp" else ""


def is_supported(fp):
    """Whether a file begins as one that can be opened."""
    return get_file_mimetype(fp) not in ("", "image/avif", "image/avif-sequence")


class HeifImage:
    """A picture with its samples, which are decoded when they are asked for."""

    def __init__(self, mode, size, info, load):
        self.mode, self.size, self.info = mode, size, info
        self._load, self._data = load, None

    @property
    def data(self):
        if self._data is None:
            self._data = bytes(self._load())
        return self._data

    @property
    def stride(self):
        channels = len(self.mode.split(";")[0])
        return self.size[0] * channels * (2 if self.mode.endswith("16") else 1)

    @property
    def has_alpha(self):
        return self.mode.split(";")[0] in ("LA", "RGBA", "BGRA")

    @property
    def premultiplied_alpha(self):
        return False

    @property
    def __array_interface__(self):
        channels = len(self.mode.split(";")[0])
        shape = (self.size[1], self.size[0]) + ((channels,) if channels > 1 else ())
        return {"shape": shape, "typestr": "<u2" if self.mode.endswith("16") else "|u1", "version": 3, "data": self.data}

    def to_pillow(self):
        if self.mode.endswith("16"):
            raise NotImplementedError("Pillow has no colour of 16 bits; open with convert_hdr_to_8bit")
        order = {"BGR": ("RGB", "BGR"), "BGRA": ("RGBA", "BGRA")}.get(self.mode, (self.mode, self.mode))
        image = Image.frombytes(order[0], self.size, self.data, "raw", order[1])
        image.info.update(self.info)
        return image

    def __repr__(self):
        return f"<HeifImage {self.size[0]}x{self.size[1]} {self.mode}>"


class HeifFile:
    """The pictures of a file, or those that become one."""

    def __init__(self, images=()):
        self._images = list(images)
        self.primary_index = 0

    def __len__(self):
        return len(self._images)

    def __iter__(self):
        return iter(self._images)

    def __getitem__(self, index):
        return self._images[index]

    def __delitem__(self, index):
        del self._images[index]

    def __getattr__(self, name):
        if name.startswith("_") and name != "__array_interface__" or not self.__dict__.get("_images"):
            raise AttributeError(name)
        return getattr(self._images[self.primary_index], name)

    @property
    def mimetype(self):
        return "image/heic"

    def add_from_pillow(self, image):
        if image.mode not in ("L", "LA", "RGB", "RGBA"):
            image = image.convert("RGBA" if image.has_transparency_data else "RGB")
        info = {name: image.info[name] for name in ("exif", "xmp", "icc_profile") if name in image.info}
        self._images.append(HeifImage(image.mode, image.size, info, image.tobytes))
        return self._images[-1]

    def add_frombytes(self, mode, size, data, **kwargs):
        _known(kwargs)
        self._images.append(HeifImage(mode, tuple(size), {}, lambda: data))
        return self._images[-1]

    def add_from_heif(self, image):
        self._images.append(image)
        return image

    def save(self, fp, **kwargs):
        """Writes the primary picture."""
        if len(self._images) != 1:
            raise NotImplementedError(f"a file of {len(self._images)} pictures; apus convert --group writes one")
        image = self._images[0].to_pillow()
        options = {name: value for name, value in kwargs.items() if name not in _IGNORED}
        saved = io.BytesIO()
        pillow.register()
        image.save(saved, "HEIF", **options)
        if isinstance(fp, (str, os.PathLike)):
            with open(fp, "wb") as file:
                file.write(saved.getvalue())
        else:
            fp.write(saved.getvalue())


def open_heif(fp, convert_hdr_to_8bit=True, bgr_mode=False, **kwargs):
    """Opens a file; samples are decoded when they are asked for."""
    _known(kwargs)
    photo = apus.open(fp)
    width, height, mode, bits = photo.layout()
    deep = bits == 16 and not convert_hdr_to_8bit
    wanted = mode + (";16" if deep else "")

    def load():
        rows, _ = photo.to_bytes(wanted)
        return _reversed(rows, mode, deep) if bgr_mode and mode in ("RGB", "RGBA") else rows
    shown = wanted.replace("RGB", "BGR") if bgr_mode else wanted
    return HeifFile([HeifImage(shown, (width, height), dict(pillow._facts(photo)), load)])


def _reversed(rows, mode, deep):
    size, count = (2 if deep else 1), len(mode)
    result = bytearray(rows)
    for byte in range(size):
        result[byte::size * count] = rows[2 * size + byte::size * count]
        result[2 * size + byte::size * count] = rows[byte::size * count]
    return result


def read_heif(fp, convert_hdr_to_8bit=True, bgr_mode=False, **kwargs):
    """Opens a file, and decodes its picture at once."""
    opened = open_heif(fp, convert_hdr_to_8bit, bgr_mode, **kwargs)
    for image in opened:
        image.data
    return opened


def from_pillow(image):
    """A file of one picture of Pillow."""
    made = HeifFile()
    made.add_from_pillow(image)
    return made


def from_bytes(mode, size, data, **kwargs):
    """A file of one picture whose samples are given."""
    made = HeifFile()
    made.add_frombytes(mode, size, data, **kwargs)
    return made


def encode(mode, size, data, fp, **kwargs):
    """Writes samples as a file."""
    from_bytes(mode, size, data).save(fp, **kwargs)


__all__ = ["HeifFile", "HeifImage", "encode", "from_bytes", "from_pillow", "get_file_mimetype", "is_supported",
           "open_heif", "read_heif", "register_heif_opener"]
