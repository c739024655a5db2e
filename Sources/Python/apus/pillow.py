# SPDX-License-Identifier: MIT
"""HEIC and HEIF in Pillow: Image.open("photo.heic"), image.save("photo.heic", quality=60)."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import re
import struct
import warnings
from typing import IO, Any, Container, Dict, List, Mapping, Optional, Tuple, Union

from PIL import Image, ImageFile, UnidentifiedImageError

import apus
from . import _library as c
from ._types import Progress, Region, Shape, Size

# The part of Pillow in C, which has no declaration.
_core: Any = getattr(Image, "core")
BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"mif3", b"msf1", b"avci")
FORMAT = "HEIF"
# The types of Exif for numbers without a sign.
_INTEGERS = {1: "B", 3: "H", 4: "I"}
_X_RESOLUTION, _Y_RESOLUTION, _RESOLUTION_UNIT = 0x011A, 0x011B, 0x0128
#: As Pillow gives it for JPEGs; None leaves the choice to the encoder.
_SUBSAMPLING = {"4:4:4": 444, "4:2:2": 422, "4:2:0": 420, 0: 444, 1: 422, 2: 420, "keep": None, -1: None}
#: What programs say of other formats when they save in any; it changes nothing here.
_OF_OTHERS = {"optimize", "progressive", "compress_level", "method"}
EXTENSIONS = [".heic", ".heif", ".hif", ".heics", ".heifs", ".avci"]
#: Of what is saved without one; None is that of the encoder.
quality: Optional[int] = None


class Error(apus.Error, UnidentifiedImageError):
    """What is wrong with a photo that Pillow opens or loads: an apus.Error with its kind and place, and an OSError, which is
    what programs expect of Pillow."""


def image(photo: apus.Photo, *, size: Optional[Size] = None, region: Optional[Region] = None, progress: Progress = None,
          engine: Optional[apus.Engine] = None, **options: Any) -> Image.Image:
    """An Image of an opened photo."""
    made = _around(_decoded(photo, photo.mode, size, region, None, progress, engine, options))
    made.info.update(_facts(photo))
    return made


def _decoded(photo: apus.Photo, mode: str, size: Optional[Size], region: Optional[Region], thumbnail: Optional[Size],
             progress: Progress, engine: Optional[apus.Engine], options: Mapping[str, Any]) -> Any:
    """What an Image has inside, with the samples of a photo: put there by the library itself where Pillow shows its memory."""
    if mode in ("RGB", "RGBA") and thumbnail is None and hasattr(_core, "new_block"):
        block = _Block(mode)
        with contextlib.suppress(_Hidden):
            photo._decode("RGBA", block.allocate, size, region, progress, engine, options)
            return block.core
    rows = _Rows()
    photo._rows(rows.begin, rows.take, "L;16" if mode == "I;16" else mode, size, region, thumbnail, progress, engine, options)
    return rows.core


def _around(core: Any) -> Image.Image:
    """An Image that has this inside."""
    return Image.new(core.mode, (0, 0))._new(core)


class _Hidden(Exception):
    """Pillow does not show where its samples are."""


# A large page.
_PAGE = 2 << 20
_madvise = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)(("madvise", ctypes.CDLL(None)))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)


class _Array(ctypes.Structure):
    """An array of the C data interface of Arrow, by which Pillow shows its memory to others."""


_Array._fields_ = [(name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")] + [
    ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class _Block:
    """An Image whose samples lie in one piece of memory, four to a pixel, as Pillow has them for RGB and RGBA."""

    def __init__(self, mode: str) -> None:
        self.mode = mode

    def allocate(self, layout: c.Layout) -> int:
        try:
            self.core: Any = _core.new_block(self.mode, (layout.width, layout.height))
            _, capsule = _around(self.core).__arrow_c_array__()
            pointer = _capsule_pointer(("PyCapsule_GetPointer", ctypes.pythonapi))
        except (AttributeError, MemoryError, ValueError):
            # One piece of memory is of 2 GB at most.
            raise _Hidden from None
        array = _Array.from_address(pointer(capsule, b"arrow_array"))
        samples = array.children[0].contents if array.n_children == 1 else array
        if samples.n_buffers != 2 or samples.offset or samples.length != 4 * layout.width * layout.height:
            raise _Hidden
        address: int = samples.buffers[1]
        _use_large_pages(address, samples.length)
        return address


def _use_large_pages(address: int, count: int) -> None:
    """Asks for what numpy asks for its arrays: the first touch of so many small pages takes as long as a tenth of the photo."""
    start, end = (address + _PAGE - 1) // _PAGE * _PAGE, (address + count) // _PAGE * _PAGE
    advise = getattr(mmap, "MADV_HUGEPAGE", None)
    if advise is not None and end > start:
        _madvise(start, end - start, advise)


class _Rows:
    """Puts rows into the memory of Pillow as they come."""

    def begin(self, shape: Shape) -> None:
        width, height, mode, bits = shape
        mode = "I;16" if bits == 16 else mode
        self.core: Any = _core.new(mode, (width, height))
        self._decoder: Any = Image._getdecoder(mode, "raw", (mode, 0, 1))
        self._decoder.setimage(self.core, (0, 0, width, height))

    def take(self, samples: Any) -> None:
        self._decoder.decode(samples)


def _facts(photo: apus.Photo) -> Dict[str, bytes]:
    found = {"exif": photo.exif, "xmp": photo.xmp, "icc_profile": photo.icc}
    facts = {name: value for name, value in found.items() if value is not None}
    if "exif" in facts:
        # Pillow reads Exif with this in front, as it stands in a JPEG; pixels are upright already.
        facts["exif"] = _upright(b"Exif\0\0" + facts["exif"])
    if "xmp" in facts:
        # Pillow reads an orientation in it, too.
        facts["xmp"] = re.sub(rb"""(tiff:Orientation(?:=["']|>))[2-8]""", rb"\g<1>1", facts["xmp"])
    return facts


def _upright(exif: bytes) -> bytes:
    """Exif by which the pixels are upright; all else stays as it is, however broken."""
    order = {b"II": "<", b"MM": ">"}.get(exif[6:8])
    if order is None:
        return exif
    upright = bytearray(exif)
    tiff = memoryview(upright)[6:]
    with contextlib.suppress(struct.error):
        first, = struct.unpack_from(order + "I", tiff, 4)
        count, = struct.unpack_from(order + "H", tiff, first)
        for place in range(first + 2, first + 2 + 12 * count, 12):
            tag, kind, values = struct.unpack_from(order + "HHI", tiff, place)
            if tag == 0x0112 and values == 1 and kind in _INTEGERS:
                struct.pack_into(order + _INTEGERS[kind], tiff, place + 8, 1)
    return bytes(upright)


class HeifFile(ImageFile.ImageFile):
    """A photo that is decoded when its pixels are asked for."""

    format = FORMAT
    format_description = "HEIF image"
    # None once the picture is decoded or closed.
    _photo: Optional[apus.Photo] = None
    # Of the longer side, where a draft was asked for.
    _bound: Optional[int] = None

    def _open(self) -> None:
        assert self.fp is not None
        try:
            self._photo = apus.open(self.fp.read())
            width, height, self._mode, bits = self._photo.layout(**_tolerance())
            # Pillow has 16 bits for gray alone.
            if (self._mode, bits) == ("L", 16):
                self._mode = "I;16"
            self.info.update(_facts(self._photo))
        except apus.Error as error:
            if error.kind == "unsupported":
                # Another plugin may know it.
                raise SyntaxError(error.message) from error
            raise _error(error) from None
        self._size = (width, height)
        self.tile = [ImageFile._Tile("apus", (0, 0, width, height), 0, self._mode)]

    def draft(self, mode: Optional[str], size: Optional[Tuple[int, int]]) -> Optional[Tuple[str, Tuple[int, int, float, float]]]:
        """Has a smaller picture decoded, whose sides are at least those of size."""
        if self._photo is None or self._bound is not None or not self.tile or size is None:
            return None
        width, height = self._size
        scale = min(width / max(size[0], 1), height / max(size[1], 1))
        if scale < 2:
            return None
        bound = -(-max(width, height) // int(scale))
        width, height, _, _ = self._photo.layout(max_size=bound, **_tolerance())
        self._size, self._bound = (width, height), bound
        return self._mode, (0, 0, width, height)

    def thumbnail(self, size: Tuple[float, float], resample: Image.Resampling = Image.Resampling.BICUBIC,
                  reducing_gap: Optional[float] = 2.0) -> None:
        """As Image.thumbnail; the small picture in the photo is taken where it is large enough."""
        wanted = (int(size[0]), int(size[1]))
        if self._photo is not None and self._bound is None and self._mode == "RGB" and min(wanted) > 0 and (
                wanted[0] * 2 <= self._size[0] or wanted[1] * 2 <= self._size[1]):
            self._load_rows(thumbnail=wanted)
        super().thumbnail(size, resample, reducing_gap)

    def load(self) -> Any:
        if self.tile and self._photo is not None:
            self._load_rows(size=self._bound)
        return super().load()

    def _load_rows(self, size: Optional[Size] = None, thumbnail: Optional[Size] = None) -> None:
        assert self._photo is not None
        try:
            self.im = _decoded(self._photo, self._mode, size, None, thumbnail, None, None, _tolerance())
        except apus.Error as error:
            raise _error(error) from None
        self._size, self.tile = self.im.size, []
        self._photo = None
        if self._exclusive_fp and self.fp is not None:
            self.fp.close()
        self.fp = None

    def close(self) -> None:
        super().close()
        self._photo, self.tile = None, []


def _tolerance() -> Dict[str, Any]:
    """What can be read of a damaged photo is enough where Pillow was told so."""
    return {"salvage": True} if ImageFile.LOAD_TRUNCATED_IMAGES else {}


def _error(error: apus.Error) -> Error:
    return Error(error.kind, error.message, error.place, error.offset)


def _accept(prefix: bytes) -> bool:
    return prefix[4:8] == b"ftyp" and prefix[8:12] in BRANDS


def _save(image: Image.Image, file: IO[bytes], name: Union[str, bytes]) -> None:
    options = {**metadata(image, image.encoderinfo), **image.encoderinfo}
    options.pop("save_all", None)
    if options.pop("append_images", None):
        raise NotImplementedError("a file of several pictures; apus convert --group writes one")
    image = coded(image)
    deep = image.mode == "I;16"
    channels = 1 if deep else len(image.getbands())
    layout = c.Layout(width=image.width, height=image.height, channels=channels, bits=16 if deep else 8,
                      stride=image.width * (2 if deep else channels))
    data = _packed(image, layout.stride)
    file.write(encoded(ctypes.addressof(ctypes.c_char.from_buffer(data)), layout, options))


def metadata(image: Image.Image, given: Container[str] = ()) -> Dict[str, Any]:
    """What an image says beside its samples, but for what is given otherwise: in its info, and in what getexif() has of it,
    where a program has set that or the format keeps it elsewhere."""
    wanted = [name for name in ("exif", "xmp", "icc_profile") if name not in given]
    found: Dict[str, Any] = {name: image.info[name] for name in wanted if image.info.get(name)}
    if "xmp" in wanted and "xmp" not in found and image.info.get("XML:com.adobe.xmp"):
        found["xmp"] = image.info["XML:com.adobe.xmp"]
    if "exif" in wanted and "exif" not in found and len(exif := image.getexif()):
        found["exif"] = exif.tobytes()
    # What is wrong with it must not cost the picture, whose file Pillow has emptied by now.
    if "exif" in found and not _is_exif(found["exif"]):
        warnings.warn("the Exif of the image is left out, it does not begin as a TIFF file does", stacklevel=3)
        del found["exif"]
    if "xmp" in found and b"\0" in _bytes(found["xmp"]).rstrip(b"\0"):
        warnings.warn("the XMP of the image is left out, it has a zero byte inside", stacklevel=3)
        del found["xmp"]
    return found


def _is_exif(exif: Union[bytes, Image.Exif]) -> bool:
    return isinstance(exif, Image.Exif) or exif.removeprefix(b"Exif\0\0")[:4] in (b"II*\0", b"MM\0*")


def _bytes(text: Union[str, bytes]) -> bytes:
    return text.encode() if isinstance(text, str) else text


def coded(image: Image.Image) -> Image.Image:
    """An image in a mode of which files are made, with all that it shows: L, LA, RGB, RGBA or I;16."""
    if image.mode in ("L", "LA", "RGB", "RGBA", "I;16"):
        return image
    if image.mode == "F":
        raise OSError("cannot write mode F as HEIF")
    if image.mode.startswith("I"):
        # Numbers of 32 bits are those of 16 bits, as for Pillow's PNG.
        return image.convert("I").convert("I;16")
    if image.mode in ("1", "La"):
        return image.convert("L" if image.mode == "1" else "LA")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def _packed(image: Image.Image, stride: int) -> bytearray:
    """The samples of an image row by row, as Image.tobytes gives them, but that they are in memory only once."""
    image.load()
    data, place, failed = bytearray(stride * image.height), 0, 0
    encoder: Any = Image._getencoder(image.mode, "raw", (image.mode, 0, 1))
    encoder.setimage(image.im, (0, 0, *image.size))
    while not failed:
        _, failed, rows = encoder.encode(max(65_536, stride))
        data[place:place + len(rows)] = rows
        place += len(rows)
    if failed < 0:
        raise RuntimeError(f"Pillow's encoder failed with {failed}")
    return data


def encoded(address: int, layout: c.Layout, options: Dict[str, Any]) -> bytes:
    """Samples as a HEIC, by the options that Pillow gives its encoders."""
    options = dict(options)
    exif = options.pop("exif", None)
    if isinstance(exif, Image.Exif):
        exif = exif.tobytes()
    xmp, icc = options.pop("xmp", None), options.pop("icc_profile", None)
    if xmp:
        xmp = _bytes(xmp)
    exif = _with_density(exif, options.pop("dpi", None))
    if quality is not None:
        options.setdefault("quality", quality)
    if options.get("quality") == 0:
        # Others count from 0.
        options["quality"] = 1
    if options.get("enc_params"):
        raise NotImplementedError("enc_params are of another encoder")
    subsampling = options.pop("subsampling", None)
    if subsampling is not None and subsampling not in _SUBSAMPLING:
        raise ValueError(f"subsampling {subsampling!r} is none of {', '.join(map(repr, _SUBSAMPLING))}")
    if _SUBSAMPLING.get(subsampling):
        options.setdefault("chroma", _SUBSAMPLING[subsampling])
    options = {name: value for name, value in options.items() if name not in _OF_OTHERS}
    if options.get("quality") == -1:
        options["lossless"] = True
        options.pop("quality")
    if options.get("lossless") and options.get("matrix_coefficients") == 0:
        # What is coded without loss is coded as what it is anyway.
        options.pop("matrix_coefficients")
    try:
        return apus._encode(address, layout, exif or None, xmp or None, icc or None, {"format": "heic", **options})
    except apus.Error as error:
        if error.kind == "misuse" and "has no parameter" in error.message:
            raise NotImplementedError(error.message) from error
        raise


def _with_density(exif: Optional[bytes], dpi: Optional[Tuple[float, float]]) -> Optional[bytes]:
    """Exif that says how many dots an inch has, where there is none that says anything."""
    if exif or dpi is None:
        return exif
    made = Image.Exif()
    made[_X_RESOLUTION], made[_Y_RESOLUTION], made[_RESOLUTION_UNIT] = dpi[0], dpi[1], 2
    return made.tobytes()[6:]


def register() -> None:
    """Registers the format with Pillow, in front of what was registered before."""
    Image.register_open(FORMAT, HeifFile, _accept)
    Image.register_save(FORMAT, _save)
    Image.register_save_all(FORMAT, _save)
    Image.register_extensions(FORMAT, EXTENSIONS)
    Image.register_mime(FORMAT, "image/heif")


__all__: List[str] = ["Error", "HeifFile", "image", "register"]
