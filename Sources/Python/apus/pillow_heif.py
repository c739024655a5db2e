# SPDX-License-Identifier: MIT
"""The names and the behaviour of pillow_heif's interface, for programs that switch: `import apus.pillow_heif as pillow_heif`.

A file that is written has one image. What has no counterpart raises NotImplementedError by its name.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import warnings
from typing import IO, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from PIL import Image

import apus
from . import _library as c
from . import pillow
from ._types import Source

__version__ = apus.__version__
_MIMES = {b"heic": "image/heic", b"heix": "image/heic", b"heim": "image/heic", b"heis": "image/heic",
          b"hevc": "image/heic-sequence", b"hevx": "image/heic-sequence", b"mif1": "image/heif",
          b"msf1": "image/heif-sequence", b"avif": "image/avif", b"avis": "image/avif-sequence"}
# What pillow_heif takes and what does nothing here: the answer is the same for every value.
_IGNORED = {"thumbnails", "depth_images", "aux_images", "decode_threads", "save_nclx_profile", "preferred_encoder",
            "preferred_decoder", "disable_security_limits", "allow_incorrect_headers", "remove_stride", "reload_size"}


class Error(apus.Error, ValueError):
    """What is wrong with a file or a call: an apus.Error with its kind and place, and a ValueError, which is what programs
    expect of pillow_heif."""


@contextlib.contextmanager
def _value_errors() -> Iterator[None]:
    try:
        yield
    except apus.Error as error:
        if isinstance(error, ValueError):
            raise
        raise Error(error.kind, error.message, error.place, error.offset) from None


class _Options:
    """What pillow_heif keeps for all calls, by its names there. QUALITY is that of what is saved without one; the others
    change nothing here, and only what they are by themselves can be asked of those that would change an answer."""

    _FIXED = {"SAVE_HDR_TO_12_BIT": False}
    _FREE = {"DECODE_THREADS": 4, "THUMBNAILS": True, "DEPTH_IMAGES": True, "AUX_IMAGES": True, "SAVE_NCLX_PROFILE": True,
             "ALLOW_INCORRECT_HEADERS": False, "DISABLE_SECURITY_LIMITS": False,
             "PREFERRED_ENCODER": {"AVIF": "", "HEIF": ""}, "PREFERRED_DECODER": {"AVIF": "", "HEIF": ""}}

    def __init__(self) -> None:
        vars(self).update(self._FREE, **self._FIXED)

    @property
    def QUALITY(self) -> Optional[int]:
        """Of what is saved without one; None is that of the encoder."""
        return pillow.quality

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "QUALITY":
            pillow.quality = value
        elif name in self._FREE or name in self._FIXED and self._FIXED[name] == value:
            vars(self)[name] = value
        else:
            raise NotImplementedError(f"options.{name} has no counterpart")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"options has no {name}")


options = _Options()


def register_heif_opener(**kwargs: Any) -> None:
    """Has Pillow open and save HEIC and HEIF, from then on by this quality and these options."""
    for name, value in kwargs.items():
        if name == "quality" or name.upper() in vars(options):
            setattr(options, name.upper(), value)
        else:
            _known({name: value})
    pillow.register()


def libheif_version() -> str:
    """The version of Apus, for libheif is not in it."""
    return __version__


def libheif_info() -> Dict[str, Any]:
    """Who decodes and encodes."""
    return {"libheif": __version__, "HEIF": "apus", "decoders": {"apus": "Apus"}, "encoders": {"apus": "Apus"}}


def _known(kwargs: Mapping[str, Any]) -> None:
    for name, value in kwargs.items():
        if name not in _IGNORED and (name, value) != ("hdr_to_16bit", True):
            raise NotImplementedError(f"{name} has no counterpart")


def _head(fp: Source) -> bytes:
    if isinstance(fp, (str, os.PathLike)):
        with open(fp, "rb") as file:
            return file.read(16)
    if isinstance(fp, (bytes, bytearray, memoryview)):
        return bytes(fp[:16])
    place = fp.tell()
    head = fp.read(16)
    fp.seek(place)
    return head


def get_file_mimetype(fp: Source) -> str:
    """The MIME type that the brand of a file stands for; empty for a file of another kind."""
    head = _head(fp)
    return _MIMES.get(head[8:12], "") if head[4:8] == b"ftyp" else ""


def is_supported(fp: Source) -> bool:
    """Whether a file begins as one that can be opened."""
    return get_file_mimetype(fp) not in ("", "image/avif", "image/avif-sequence")


class HeifImage:
    """A picture with its samples, which are decoded when they are asked for."""

    def __init__(self, mode: str, size: Tuple[int, int], info: Dict[str, Any], load: Callable[[], Any],
                 thumbnails: Sequence[apus.Part] = ()) -> None:
        self.mode, self.size, self.info = mode, size, info
        self._load, self._thumbnails = load, list(thumbnails)
        self._data: Optional[bytes] = None

    def load(self) -> HeifImage:
        """Decodes the picture."""
        self.data
        return self

    def get_thumbnail(self, index: int) -> HeifImage:
        """A thumbnail of the file, by its place in info["thumbnails"]."""
        part = self._thumbnails[index]
        rows, shape = apus.Photo(part.convert(format="png")).to_bytes()
        return HeifImage(shape[2], shape[:2], {}, lambda: rows)

    @property
    def data(self) -> bytes:
        """The samples row by row."""
        if self._data is None:
            with _value_errors():
                self._data = bytes(self._load())
        return self._data

    @property
    def stride(self) -> int:
        """Bytes from a row to the next one."""
        channels = len(self.mode.split(";")[0])
        return self.size[0] * channels * (2 if self.mode.endswith("16") else 1)

    @property
    def has_alpha(self) -> bool:
        """Whether there is alpha."""
        return self.mode.split(";")[0] in ("LA", "RGBA", "BGRA")

    @property
    def premultiplied_alpha(self) -> bool:
        """Never: colours are as they are without alpha."""
        return False

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        channels = len(self.mode.split(";")[0])
        shape = (self.size[1], self.size[0]) + ((channels,) if channels > 1 else ())
        return {"shape": shape, "typestr": "<u2" if self.mode.endswith("16") else "|u1", "version": 3, "data": self.data}

    def to_pillow(self) -> Image.Image:
        """An Image of Pillow."""
        if self.mode == "L;16":
            image = Image.frombytes("I;16", self.size, self.data)
            image.info.update(self.info)
            return image
        if self.mode.endswith("16"):
            raise NotImplementedError("Pillow has no colour of 16 bits; open with convert_hdr_to_8bit")
        order = {"BGR": ("RGB", "BGR"), "BGRA": ("RGBA", "BGRA")}.get(self.mode, (self.mode, self.mode))
        image = Image.frombytes(order[0], self.size, self.data, "raw", order[1])
        image.info.update(self.info)
        return image

    def __repr__(self) -> str:
        return f"<HeifImage {self.size[0]}x{self.size[1]} {self.mode}>"


class HeifFile:
    """The pictures of a file, or those that become one."""

    def __init__(self, images: Iterable[HeifImage] = ()) -> None:
        self._images = list(images)
        self.primary_index = 0

    def __len__(self) -> int:
        return len(self._images)

    def __iter__(self) -> Iterator[HeifImage]:
        return iter(self._images)

    def __getitem__(self, index: int) -> HeifImage:
        return self._images[index]

    def __delitem__(self, index: int) -> None:
        del self._images[index]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") and name != "__array_interface__" or not self.__dict__.get("_images"):
            raise AttributeError(name)
        return getattr(self._images[self.primary_index], name)

    @property
    def mimetype(self) -> str:
        """Of what is written."""
        return "image/heic"

    def add_from_pillow(self, image: Image.Image) -> HeifImage:
        """Adds a picture of Pillow."""
        original, image = image, pillow.coded(image)
        info = pillow.metadata(original)
        mode = "L;16" if image.mode == "I;16" else image.mode
        self._images.append(HeifImage(mode, image.size, info, image.tobytes))
        return self._images[-1]

    def add_frombytes(self, mode: str, size: Tuple[int, int], data: Any, **kwargs: Any) -> HeifImage:
        """Adds samples, row by row."""
        stride = kwargs.pop("stride", None)
        _known(kwargs)
        image = HeifImage(mode, (size[0], size[1]), {}, lambda: data)
        if mode.split(";")[0] not in ("L", "LA", "RGB", "RGBA", "BGR", "BGRA") or mode.partition(";")[2] not in ("", "16"):
            raise NotImplementedError(f"{mode} has no counterpart")
        if min(image.size) < 1:
            raise ValueError(f"the size is {size[0]} × {size[1]}")
        if stride and stride < image.stride:
            raise ValueError(f"the stride is {stride}, less than the {image.stride} bytes of a row")
        if stride and stride != image.stride:
            rows = memoryview(bytes(data))
            packed = b"".join(rows[row * stride:row * stride + image.stride] for row in range(image.size[1]))
            image = HeifImage(mode, (size[0], size[1]), {}, lambda: packed)
        if len(image.data) < image.stride * image.size[1]:
            raise ValueError(f"the data have {len(image.data)} bytes, {image.stride * image.size[1]} are needed")
        self._images.append(image)
        return self._images[-1]

    def add_from_heif(self, image: Union[HeifFile, HeifImage]) -> Union[HeifFile, HeifImage]:
        """Adds a picture, or all of a file."""
        self._images += list(image) if isinstance(image, HeifFile) else [image]
        return image

    def save(self, fp: Union[str, os.PathLike[str], IO[bytes]], **kwargs: Any) -> None:
        """Writes the picture, which has to be one: with save_all=False it is the primary one."""
        if not self._images:
            raise ValueError("there are no images to save")
        if len(self._images) != 1 and kwargs.pop("save_all", True):
            raise NotImplementedError(f"a file of {len(self._images)} pictures; apus convert --group writes one")
        image = self._images[self.primary_index if len(self._images) > 1 else 0]
        kwargs = {"exif": image.info.get("exif"), "xmp": image.info.get("xmp"), "icc_profile": image.info.get("icc_profile"),
                  **kwargs}
        options = {name: value for name, value in kwargs.items() if name not in _IGNORED | {"save_all"}}
        mode, _, bits = image.mode.partition(";")
        data = bytearray(image.data)
        if mode in ("BGR", "BGRA"):
            data = bytearray(_reversed(data, mode, bits == "16"))
        layout = c.Layout(width=image.size[0], height=image.size[1], channels=len(mode), bits=int(bits or 8),
                          stride=image.stride)
        with _value_errors():
            saved = pillow.encoded(ctypes.addressof(ctypes.c_char.from_buffer(data)), layout, options)
        if isinstance(fp, (str, os.PathLike)):
            with open(fp, "wb") as file:
                file.write(saved)
        else:
            fp.write(saved)


def open_heif(fp: Source, convert_hdr_to_8bit: bool = True, bgr_mode: bool = False, **kwargs: Any) -> HeifFile:
    """Opens a file; samples are decoded when they are asked for."""
    _known(kwargs)
    with _value_errors():
        photo = apus.open(fp)
        primary = photo.info.get("picture", {}).get("primary", {}).get("id", 0)
        small = _thumbnails(photo)
        images = [(primary, _image(lambda: photo, True, small.get(None, []), convert_hdr_to_8bit, bgr_mode))]
    for part in photo.parts:
        if part.role == "picture" and part.item is not None:
            try:
                images.append((part.item, _image(_loaded(part), False, small.get(part.item, []), convert_hdr_to_8bit, bgr_mode)))
            except apus.Error as error:
                warnings.warn(f"a picture beside the primary one is left out: {error}", stacklevel=2)
    first = images[0][1]
    images.sort(key=lambda image: image[0])
    opened = HeifFile(image for _, image in images)
    opened.primary_index = [image is first for _, image in images].index(True)
    return opened


def _thumbnails(photo: apus.Photo) -> Dict[Optional[int], List[apus.Part]]:
    """The thumbnails of each picture by its item; of None those of the primary one."""
    found: Dict[Optional[int], List[apus.Part]] = {}
    for part in photo.thumbnails:
        _, of, item = part.detail.partition("of item ")
        found.setdefault(int(item) if of and item.isdigit() else None, []).append(part)
    return found


def _loaded(part: apus.Part) -> Callable[[], apus.Photo]:
    """A picture beside the primary one, which is decoded when it is first needed."""
    found: List[apus.Photo] = []

    def load() -> apus.Photo:
        if not found:
            found.append(apus.Photo(part.convert(format="png")))
        return found[0]
    return load


def _image(load: Callable[[], apus.Photo], is_primary: bool, thumbnails: Sequence[apus.Part], converts: bool,
           bgr_mode: bool) -> HeifImage:
    picture = load()
    width, height, mode, bits = picture.layout()
    deep = bits == 16 and not converts
    wanted = mode + (";16" if deep else "")

    def samples() -> bytearray:
        rows, _ = load().to_bytes(wanted)
        return _reversed(rows, mode, deep) if bgr_mode and mode in ("RGB", "RGBA") else rows
    coded = picture.info.get("picture", {}).get("primary", {})
    info: Dict[str, Any] = {"exif": None, "metadata": [], "thumbnails": [max(part.size) for part in thumbnails if part.size], "primary": is_primary,
            "bit_depth": coded.get("bit_depth", bits), **pillow._facts(picture)}
    shown = wanted.replace("RGB", "BGR") if bgr_mode else wanted
    return HeifImage(shown, (width, height), info, samples, thumbnails)


def _reversed(rows: Union[bytes, bytearray], mode: str, deep: bool) -> bytearray:
    size, count = (2 if deep else 1), len(mode)
    result = bytearray(rows)
    for byte in range(size):
        result[byte::size * count] = rows[2 * size + byte::size * count]
        result[2 * size + byte::size * count] = rows[byte::size * count]
    return result


def read_heif(fp: Source, convert_hdr_to_8bit: bool = True, bgr_mode: bool = False, **kwargs: Any) -> HeifFile:
    """Opens a file, and decodes its picture at once."""
    opened = open_heif(fp, convert_hdr_to_8bit, bgr_mode, **kwargs)
    for image in opened:
        image.data
    return opened


def from_pillow(image: Image.Image) -> HeifFile:
    """A file of one picture of Pillow."""
    made = HeifFile()
    made.add_from_pillow(image)
    return made


def from_bytes(mode: str, size: Tuple[int, int], data: Any, **kwargs: Any) -> HeifFile:
    """A file of one picture whose samples are given."""
    made = HeifFile()
    made.add_frombytes(mode, size, data, **kwargs)
    return made


def encode(mode: str, size: Tuple[int, int], data: Any, fp: Union[str, os.PathLike[str], IO[bytes]], **kwargs: Any) -> None:
    """Writes samples as a file."""
    from_bytes(mode, size, data).save(fp, **kwargs)


HeifImageFile = pillow.HeifFile

__all__ = ["HeifFile", "HeifImage", "HeifImageFile", "encode", "from_bytes", "from_pillow", "get_file_mimetype",
           "is_supported", "libheif_info", "libheif_version", "open_heif", "options", "read_heif", "register_heif_opener"]
