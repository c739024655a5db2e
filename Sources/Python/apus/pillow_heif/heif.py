# SPDX-License-Identifier: MIT
"""Files and their pictures, read and written."""

from __future__ import annotations

import contextlib
import copy
import os
import threading
from typing import IO, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from PIL import Image

import apus
from . import _modes, _writing, misc, options
from .. import _pictures, pillow
from .._items import Item
from .._types import Source

# What the functions that open files take, of which nothing depends on.
_IGNORED = {"remove_stride", "reload_size", "allow_incorrect_headers", "disable_security_limits", "preferred_decoder"}


class Error(apus.Error, ValueError):
    """What is wrong with a file or a call: an apus.Error with its kind and place, and a ValueError, which is what programs
    expect of pillow_heif."""


class TruncatedError(Error, EOFError):
    """The same of a file that ends too soon, which programs expect to be an EOFError."""


@contextlib.contextmanager
def value_errors() -> Iterator[None]:
    """Raises what goes wrong as a ValueError."""
    try:
        yield
    except apus.Error as error:
        if isinstance(error, ValueError):
            raise
        kind = TruncatedError if error.kind in ("truncated", "incomplete") else Error
        is_input = error.is_damage or error.kind == "unsupported"
        message = f"Invalid input: {error.message}" if is_input else error.message
        raise kind(error.kind, message, error.place, error.offset) from None


class _CodedImage:
    """The picture of a file that an image is decoded from."""

    def __init__(self, picture: _pictures.Picture, converts: bool, bgr_mode: bool, shifts: bool) -> None:
        self._picture = picture
        self._converts, self._is_reversed, self._shifts = converts, bgr_mode, shifts
        width, height, channels, bits = picture.layout(**pillow._tolerance())
        self.size, self._bits = (width, height), bits
        # Gray with alpha is what libheif has no mode for.
        self._channels = "RGBA" if channels == "LA" else channels

    @property
    def mode(self) -> str:
        """The mode of the samples."""
        channels, depth = self._channels, self._picture.bit_depth
        if self._bits == 8 or (self._converts and channels != "L"):
            return channels.replace("RGB", "BGR") if self._is_reversed else channels
        if self._is_reversed:
            channels = channels.replace("RGB", "BGR")
        if not self._shifts and depth < 16:
            return f"{channels};{depth}"
        return "I;16" if channels == "L" else f"{channels};16"

    @property
    def is_premultiplied(self) -> bool:
        """Whether colours are multiplied with the alpha."""
        return self._picture.item is not None and self._picture.items.is_premultiplied(self._picture.item)

    @property
    def transformations(self) -> Tuple[Tuple[Any, ...], ...]:
        """The cropping, rotating and mirroring of the coded picture."""
        return self._picture.items.transformations(self._picture.item) if self._picture.item is not None else ()

    def samples(self) -> bytes:
        """Decodes the samples."""
        mode = _modes.parsed(self.mode)
        wanted = self._channels + (";16" if mode.bits > 8 else "")
        rows: Union[bytes, bytearray] = self._picture.photo.to_bytes(
            wanted, **self._picture.options, **pillow._tolerance())[0]
        if self.is_premultiplied and mode.has_alpha:
            rows = _modes.premultiplied(rows, _modes.Mode(self._channels, 16 if mode.bits > 8 else 8), self.size)
        if mode.channels.startswith("BGR"):
            rows = _modes.reversed_colours(rows, mode)
        return bytes(rows) if mode.bits in (8, 16) else _modes.lowered(rows, mode.bits)


class BaseImage:
    """A picture with its samples, which are decoded when they are asked for."""

    def __init__(self, mode: str, size: Tuple[int, int], info: Dict[str, Any], data: Optional[bytes] = None,
                 stride: Optional[int] = None, coded: Optional[_CodedImage] = None) -> None:
        self.mode, self.size, self.info = mode, size, info
        self._data, self._stride, self._c_image = data, stride, coded
        self._lock = threading.Lock()

    def load(self) -> BaseImage:
        """Decodes the picture."""
        self.data
        return self

    @property
    def data(self) -> bytes:
        """The samples row by row."""
        with self._lock:
            if self._data is None:
                assert self._c_image is not None
                with value_errors():
                    self._data = self._c_image.samples()
            return self._data

    @property
    def stride(self) -> int:
        """Bytes from a row to the next one."""
        return self._stride or self.size[0] * _modes.parsed(self.mode).bytes_per_pixel

    @property
    def has_alpha(self) -> bool:
        """Whether there is alpha."""
        return _modes.parsed(self.mode).has_alpha

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        mode = _modes.parsed(self.mode)
        shape = (self.size[1], self.stride // mode.bytes_per_pixel) + ((mode.channel_count,) if mode.channel_count > 1 else ())
        return {"shape": shape, "typestr": "|u1" if mode.bits == 8 else "<u2", "version": 3, "data": memoryview(self.data)}

    def to_pillow(self) -> Image.Image:
        """Returns an Image of Pillow. Colours of more than 8 bits are reduced to 8."""
        mode = _modes.parsed(self.mode)
        rows: _modes.Samples = _modes.packed(self.data, self.stride, self.size[0] * mode.bytes_per_pixel, self.size[1])
        if mode.bits in (10, 12):
            rows = _modes.raised(rows, mode.bits)
        name = "I;16" if mode.channels == "L" and mode.bits > 8 else mode.channels.replace("BGR", "RGB")
        if mode.bits > 8 and name != "I;16":
            rows = _modes.halved(rows)
        image = Image.frombytes(name, self.size, bytes(rows), "raw", name if name == "I;16" else mode.channels)
        image.info.update(self.info)
        return image

    def _described(self) -> str:
        return f"{type(self).__name__} {self.size[0]}x{self.size[1]} {self.mode}"

    def __repr__(self) -> str:
        return f"<{self._described()}>"

    def __getstate__(self) -> Dict[str, Any]:
        self.data
        return {**self.__dict__, "_lock": None, "_c_image": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state, _lock=threading.Lock())


class HeifAuxImage(BaseImage):
    """An auxiliary picture, such as a gain map."""


class HeifDepthImage(BaseImage):
    """A depth map. info["metadata"] has what its samples stand for, or is None."""


class HeifThumbnail(BaseImage):
    """A small version of a picture."""


class HeifImage(BaseImage):
    """A picture of a file, or one to be written."""

    def __init__(self, mode: str, size: Tuple[int, int], info: Dict[str, Any], data: Optional[bytes] = None,
                 stride: Optional[int] = None, coded: Optional[_CodedImage] = None,
                 source: Optional[_pictures.Picture] = None) -> None:
        super().__init__(mode, size, info, data, stride, coded)
        self._source = source
        #: Whether the colours of data are multiplied with the alpha.
        self.premultiplied_alpha = coded is not None and coded.is_premultiplied and self.has_alpha

    def get_thumbnail(self, index: int) -> HeifThumbnail:
        """Returns a thumbnail of the file, by its place in info["thumbnails"]."""
        if not isinstance(index, int):
            raise TypeError(f"the index of a thumbnail is a number, not {type(index).__name__}")
        found = self._source.thumbnails() if self._source is not None else []
        if not 0 <= index < len(found):
            raise IndexError(f"there is no thumbnail {index}")
        picture = self._beside(found[index][0])
        coded = _CodedImage(picture, True, False, True)
        return HeifThumbnail(coded.mode, coded.size, picture.info(), coded=coded)

    def get_aux_image(self, aux_id: int) -> HeifAuxImage:
        """Returns an auxiliary picture of the file, by its ID in info["aux"]."""
        item = self._source.items.items.get(aux_id) if self._source is not None else None
        if item is None:
            raise KeyError(f"there is no auxiliary picture {aux_id}")
        with value_errors():
            coded = _CodedImage(self._beside(item), True, False, True)
        return HeifAuxImage(coded.mode, coded.size, {}, coded=coded)

    def _beside(self, item: Item) -> _pictures.Picture:
        assert self._source is not None
        return _pictures.Picture(self._source.photo, self._source.items, item, {"item": item.id})

    def to_pillow(self) -> Image.Image:
        """Returns an Image of Pillow. Colours of more than 8 bits are reduced to 8."""
        image = super().to_pillow()
        info = copy.copy(self.info)
        info["original_orientation"] = misc.set_orientation(info)
        image.info.update(info)
        return image

    def __repr__(self) -> str:
        kept = f"{len(self._data)} bytes" if self._data is not None else "no"
        return f"<{self._described()} with {kept} image data and {len(self.info.get('thumbnails', []))} thumbnails>"

    def __getstate__(self) -> Dict[str, Any]:
        return {**super().__getstate__(), "_source": None}


class HeifFile:
    """The pictures of a file, or those that become one."""

    def __init__(self, fp: Optional[Source] = None, convert_hdr_to_8bit: bool = True, bgr_mode: bool = False,
                 **kwargs: Any) -> None:
        self._images: List[HeifImage] = []
        self.primary_index = 0
        #: The MIME type of the file, or of what is written.
        self.mimetype = "image/heic"
        if fp is not None:
            self._read(fp, convert_hdr_to_8bit, bgr_mode, kwargs)

    def _read(self, fp: Source, converts: bool, bgr_mode: bool, kwargs: Dict[str, Any]) -> None:
        shifts = kwargs.pop("hdr_to_16bit", True)
        for name in kwargs:
            if name not in _IGNORED:
                raise NotImplementedError(f"{name} has no counterpart")
        self.mimetype = misc.get_file_mimetype(fp)
        if not isinstance(fp, (str, os.PathLike, bytes, bytearray, memoryview)):
            file = fp
            file.seek(0)
            fp = file.read()
            # A program may write the next file there.
            file.seek(0)
        with value_errors():
            found, self.primary_index = _pictures.pictures(apus.open(fp), **pillow._tolerance())
            self._images = [opened(picture, converts, bgr_mode, shifts) for picture in found]
        add_groups([image.info for image in self._images], found)

    @property
    def _primary(self) -> HeifImage:
        if not self._images:
            raise AttributeError("there are no images")
        return self._images[min(self.primary_index, len(self._images) - 1)]

    @property
    def size(self) -> Tuple[int, int]:
        """Width and height of the primary picture."""
        return self._primary.size

    @property
    def mode(self) -> str:
        """The mode of the primary picture."""
        return self._primary.mode

    @property
    def data(self) -> bytes:
        """The samples of the primary picture."""
        return self._primary.data

    @property
    def stride(self) -> int:
        """Bytes from a row of the primary picture to the next one."""
        return self._primary.stride

    @property
    def info(self) -> Dict[str, Any]:
        """Facts and metadata of the primary picture."""
        return self._primary.info

    @info.setter
    def info(self, info: Dict[str, Any]) -> None:
        self._primary.info = info

    @property
    def has_alpha(self) -> bool:
        """Whether the primary picture has alpha."""
        return self._primary.has_alpha

    @property
    def premultiplied_alpha(self) -> bool:
        """Whether the colours of the primary picture are multiplied with its alpha."""
        return self._primary.premultiplied_alpha

    @premultiplied_alpha.setter
    def premultiplied_alpha(self, value: bool) -> None:
        self._primary.premultiplied_alpha = value

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        return self._primary.__array_interface__

    def to_pillow(self) -> Image.Image:
        """Returns the primary picture as an Image of Pillow."""
        return self._primary.to_pillow()

    def get_aux_image(self, aux_id: int) -> HeifAuxImage:
        """Returns an auxiliary picture of the primary picture, by its ID in info["aux"]."""
        return self._primary.get_aux_image(aux_id)

    def __len__(self) -> int:
        return len(self._images)

    def __iter__(self) -> Iterator[HeifImage]:
        return iter(self._images)

    def __getitem__(self, index: int) -> HeifImage:
        return self._images[self._checked(index)]

    def __delitem__(self, index: int) -> None:
        del self._images[self._checked(index)]
        if index < self.primary_index or self.primary_index == len(self._images):
            self.primary_index = max(self.primary_index - 1, 0)

    def _checked(self, index: int) -> int:
        if not 0 <= index < len(self._images):
            raise IndexError(f"there is no image {index}")
        return index

    def add_from_pillow(self, image: Image.Image) -> HeifImage:
        """Adds an Image of Pillow, upright."""
        self._images.append(from_image(image, is_turned=True))
        return self._images[-1]

    def add_frombytes(self, mode: str, size: Tuple[int, int], data: Any, **kwargs: Any) -> HeifImage:
        """Adds samples, row by row."""
        _modes.parsed(mode)
        info: Dict[str, Any] = {"bit_depth": _modes.parsed(mode).bits, "thumbnails": [], "metadata": [], "exif": None}
        stride = kwargs.pop("stride", None)
        if kwargs:
            raise NotImplementedError(f"{next(iter(kwargs))} has no counterpart")
        self._images.append(HeifImage(mode, (size[0], size[1]), info, bytes(data), stride))
        return self._images[-1]

    def add_from_heif(self, image: Union[HeifFile, HeifImage]) -> Union[HeifFile, HeifImage]:
        """Adds a picture, or all of a file."""
        if isinstance(image, HeifFile):
            for one in image:
                self.add_from_heif(one)
            return self
        image.load()
        copied = copy.copy(image)
        copied.info = copy.deepcopy({**image.info, "primary": False})
        copied.info.pop("entity_groups", None)
        self._images.append(copied)
        return copied

    def save(self, fp: Union[str, os.PathLike[str], IO[bytes]], **kwargs: Any) -> None:
        """Writes the pictures, or with save_all=False the primary one.

        Options: quality, chroma or subsampling, thumbnails, tile_size, exif and xmp of the primary picture, primary_index,
        append_images, save_nclx_profile, color_primaries, transfer_characteristics, matrix_coefficients, full_range_flag.
        """
        further = [image for image in kwargs.pop("append_images", None) or []]
        with value_errors():
            data = _writing.file(self._images, _flat(further), kwargs)
        if isinstance(fp, (str, os.PathLike)):
            with open(fp, "wb") as file:
                file.write(data)
        elif hasattr(fp, "write"):
            fp.write(data)
        else:
            raise TypeError(f"a file is a path or has write, unlike {type(fp).__name__}")

    def __repr__(self) -> str:
        return f"<HeifFile with {len(self)} images: {[str(image) for image in self]}>"

    def __copy__(self) -> HeifFile:
        made = HeifFile()
        made.__dict__.update(self.__dict__, _images=list(self._images))
        return made


def _flat(images: Sequence[Union[HeifFile, HeifImage]]) -> List[HeifImage]:
    return [one for image in images for one in (image if isinstance(image, HeifFile) else [image])]


def opened(picture: _pictures.Picture, converts: bool, bgr_mode: bool, shifts: bool) -> HeifImage:
    """Returns a picture of a file."""
    coded = _CodedImage(picture, converts, bgr_mode, shifts)
    info = full_info(picture)
    return HeifImage(coded.mode, coded.size, info, coded=coded, source=picture)


def full_info(picture: _pictures.Picture) -> Dict[str, Any]:
    """Returns what is known about a picture, with its depth maps and other auxiliary pictures."""
    info = picture.info()
    info["depth_images"], info["aux"] = [], {}
    if not options.THUMBNAILS:
        info["thumbnails"] = []
    if picture.item is None:
        return info
    if options.DEPTH_IMAGES:
        info["depth_images"] = [depth for item in picture.items.depth_maps(picture.item)
                                for depth in _depth_image(picture, item)]
    if options.AUX_IMAGES:
        info["aux"] = picture.items.others(picture.item)
    return info


def _depth_image(picture: _pictures.Picture, item: Item) -> Iterator[HeifDepthImage]:
    """Returns a depth map; nothing if it cannot be decoded."""
    with contextlib.suppress(apus.Error):
        coded = _CodedImage(_pictures.Picture(picture.photo, picture.items, item, {"item": item.id}), True, False, True)
        yield HeifDepthImage(coded.mode, coded.size, {"metadata": picture.items.depth_numbers(item)}, coded=coded)


def add_groups(infos: Sequence[Dict[str, Any]], found: Sequence[_pictures.Picture]) -> None:
    """Adds the groups of a file to what is known about its pictures."""
    places = {picture.item.id: index for index, picture in enumerate(found) if picture.item is not None}
    groups = found[0].items.groups if found else []
    for info in infos if groups else []:
        info["entity_groups"] = [{**group, "images": [places.get(item) for item in group["entities"]]} for group in groups]


def from_image(image: Image.Image, is_turned: bool) -> HeifImage:
    """Returns an Image of Pillow as a picture to be written.

    is_turned says whether its pixels become upright; otherwise its metadata keep their orientation.
    """
    if min(image.size) < 1:
        raise ValueError(f"an image of {image.size[0]} × {image.size[1]} pixels cannot be written")
    info = {name: copy.copy(value) for name, value in image.info.items() if isinstance(name, str)}
    info.update(pillow.metadata(image, ("exif",) if _has_exif(image) else ()))
    if isinstance(info.get("xmp"), str):
        info["xmp"] = info["xmp"].encode()
    coded = pillow.coded(image)
    if is_turned:
        orientation = misc.set_orientation(info)
        info["original_orientation"] = orientation
        coded = misc._rotate_pil(coded, orientation)
    deep = coded.mode == "I;16"
    info = {"bit_depth": 16 if deep else 8, "exif": None, "metadata": [], "thumbnails": [], **info}
    return HeifImage(coded.mode, coded.size, info, coded.tobytes())


def _has_exif(image: Image.Image) -> bool:
    """Returns whether the info of an image has Exif, which is then kept however broken it is, or says that it has none."""
    return "exif" in image.info


def open_heif(fp: Source, convert_hdr_to_8bit: bool = True, bgr_mode: bool = False, **kwargs: Any) -> HeifFile:
    """Opens a file; samples are decoded when they are asked for."""
    return HeifFile(fp, convert_hdr_to_8bit, bgr_mode, **kwargs)


def read_heif(fp: Source, convert_hdr_to_8bit: bool = True, bgr_mode: bool = False, **kwargs: Any) -> HeifFile:
    """Opens a file, and decodes its pictures at once."""
    opened_file = open_heif(fp, convert_hdr_to_8bit, bgr_mode, **kwargs)
    for image in opened_file:
        image.load()
    return opened_file


def from_pillow(pil_image: Image.Image) -> HeifFile:
    """Returns a file of one picture of Pillow."""
    made = HeifFile()
    made.add_from_pillow(pil_image)
    return made


def from_bytes(mode: str, size: Tuple[int, int], data: Any, **kwargs: Any) -> HeifFile:
    """Returns a file of one picture whose samples are given."""
    made = HeifFile()
    made.add_frombytes(mode, size, data, **kwargs)
    return made


def encode(mode: str, size: Tuple[int, int], data: Any, fp: Union[str, os.PathLike[str], IO[bytes]], **kwargs: Any) -> None:
    """Writes samples as a file."""
    from_bytes(mode, size, data, stride=kwargs.pop("stride", None)).save(fp, **kwargs)
