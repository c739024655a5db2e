# SPDX-License-Identifier: MIT
"""HEIC and HEIF in Pillow: Image.open("photo.heic"), image.save("photo.heic", quality=60)."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import re
import struct
import warnings
from typing import IO, Any, Container, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Type, Union

from PIL import Image, ImageFile, ImageSequence, UnidentifiedImageError

import apus
from . import _library as c
from ._pictures import Picture, pictures
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
#: The MIME types of brands.
MIMES = {b"heic": "image/heic", b"heix": "image/heic", b"heim": "image/heic", b"heis": "image/heic",
         b"hevc": "image/heic-sequence", b"hevx": "image/heic-sequence", b"mif1": "image/heif",
         b"msf1": "image/heif-sequence", b"avif": "image/avif", b"avis": "image/avif-sequence"}
EXTENSIONS = [".heic", ".heif", ".hif", ".heics", ".heifs", ".avci"]
#: Of what is saved without one; None is that of the encoder.
quality: Optional[int] = None


class Error(apus.Error, UnidentifiedImageError, ValueError):
    """The reason why Pillow cannot open or load a photo: an apus.Error with its kind and place, an OSError, which programs
    expect of Pillow, and a ValueError, which they expect of pillow_heif."""


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
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


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
        except (AttributeError, MemoryError, ValueError):
            # One piece of memory is of 2 GB at most.
            raise _Hidden from None
        array = _Array.from_address(_capsule_pointer(capsule, b"arrow_array"))
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


def _facts(photo: apus.Photo) -> Dict[str, Any]:
    found = {"exif": photo.exif, "xmp": photo.xmp, "icc_profile": photo.icc}
    facts: Dict[str, Any] = {name: value for name, value in found.items() if value is not None}
    if "exif" in facts:
        # Pillow reads Exif with this in front, as it stands in a JPEG.
        facts["exif"] = b"Exif\0\0" + facts["exif"]
    make_upright(facts)
    return facts


#: An orientation in XMP, as an attribute or as an element.
_XMP_ORIENTATION = re.compile(rb"""(tiff:Orientation(?:\s*=\s*["']|>))\s*([1-8])""")


def make_upright(info: Dict[str, Any]) -> Optional[int]:
    """Changes the orientation in Exif and XMP to that of pixels that are upright; all else stays as it is, however broken.
    Returns the orientation that they had, or None if it was upright already."""
    found: Optional[int] = None
    if info.get("exif"):
        info["exif"], found = _upright(info["exif"])
    xmp = info.get("xmp")
    if xmp:
        stated = _XMP_ORIENTATION.search(_bytes(xmp))
        if stated is not None and stated[2] != b"1":
            found = found or int(stated[2])
            upright = _XMP_ORIENTATION.sub(rb"\g<1>1", _bytes(xmp))
            info["xmp"] = upright.decode() if isinstance(xmp, str) else upright
    return found


def _upright(exif: bytes) -> Tuple[bytes, Optional[int]]:
    """Returns Exif by which the pixels are upright, and the orientation that it had if that was another one."""
    order = {b"II": "<", b"MM": ">"}.get(exif[6:8])
    if order is None:
        return exif, None
    upright, found = bytearray(exif), None
    tiff = memoryview(upright)[6:]
    with contextlib.suppress(struct.error):
        first, = struct.unpack_from(order + "I", tiff, 4)
        count, = struct.unpack_from(order + "H", tiff, first)
        for place in range(first + 2, first + 2 + 12 * count, 12):
            tag, kind, values = struct.unpack_from(order + "HHI", tiff, place)
            if tag == 0x0112 and values == 1 and kind in _INTEGERS:
                stated, = struct.unpack_from(order + _INTEGERS[kind], tiff, place + 8)
                struct.pack_into(order + _INTEGERS[kind], tiff, place + 8, 1)
                found = stated if 2 <= stated <= 8 else None
    return bytes(upright), found


class HeifFile(ImageFile.ImageFile):
    """A photo that is decoded when its pixels are asked for. seek() goes to another of its pictures."""

    format = FORMAT
    format_description = "HEIF image"
    n_frames = 1
    is_animated = False
    # Those of the file; none once a single one is decoded, or the file is closed.
    _pictures: List[Picture] = []
    # What is known about each picture, once it was asked for.
    _infos: Dict[int, Dict[str, Any]] = {}
    _frame = 0
    # Of the longer side, where a draft was asked for.
    _bound: Optional[int] = None

    def _open(self) -> None:
        assert self.fp is not None
        try:
            data = self.fp.read()
            # A program may write the next file there.
            self.fp.seek(0)
            self._pictures, self._frame = pictures(apus.open(data), **_tolerance())
            self._infos, self.n_frames = {}, len(self._pictures)
            self.is_animated = self.n_frames > 1
            self.custom_mimetype = MIMES.get(data[8:12])
            self._select(self._frame)
        except apus.Error as error:
            if error.kind == "unsupported":
                # Another plugin may know it.
                raise SyntaxError(error.message) from error
            raise _error(error) from None

    @property
    def _heif_file(self) -> Optional[List[Picture]]:
        """The pictures, as long as one may still be decoded."""
        return self._pictures or None

    def _select(self, frame: int) -> None:
        """Makes a picture the current one, which is not decoded yet."""
        picture = self._pictures[frame]
        width, height, mode, bits = picture.layout(**_tolerance())
        if frame not in self._infos:
            self._infos[frame] = self._info(picture)
        # The same dictionary each time, so that changes last.
        setattr(self, "info", self._infos[frame])
        self._mode, self._size = self._mode_of(mode, bits), (width, height)
        self._frame, self._bound = frame, None
        self.tile = [ImageFile._Tile("apus", (0, 0, width, height), 0, self._mode)]

    def _mode_of(self, mode: str, bits: int) -> str:
        # Pillow has 16 bits for gray alone.
        return "I;16" if (mode, bits) == ("L", 16) else mode

    def _info(self, picture: Picture) -> Dict[str, Any]:
        info = picture.info()
        info["original_orientation"] = make_upright(info)
        if info["exif"] is None:
            del info["exif"]
        return info

    def tell(self) -> int:
        """Returns the index of the current picture."""
        return self._frame

    def seek(self, frame: int) -> None:
        """Goes to another picture of the file."""
        if not 0 <= frame < self.n_frames:
            raise EOFError(f"the file has no picture {frame}")
        if frame != self._frame:
            try:
                self._select(frame)
            except apus.Error as error:
                raise _error(error) from None

    def draft(self, mode: Optional[str], size: Optional[Tuple[int, int]]) -> Optional[Tuple[str, Tuple[int, int, float, float]]]:
        """Has a smaller picture decoded, whose sides are at least those of size."""
        if not self._pictures or self._bound is not None or not self.tile or size is None:
            return None
        width, height = self._size
        scale = min(width / max(size[0], 1), height / max(size[1], 1))
        if scale < 2:
            return None
        bound = -(-max(width, height) // int(scale))
        width, height, _, _ = self._pictures[self._frame].layout(max_size=bound, **_tolerance())
        self._size, self._bound = (width, height), bound
        return self._mode, (0, 0, width, height)

    def thumbnail(self, size: Tuple[float, float], resample: Image.Resampling = Image.Resampling.BICUBIC,
                  reducing_gap: Optional[float] = 2.0) -> None:
        """As Image.thumbnail; the small picture in the photo is used if it is large enough."""
        wanted = (int(size[0]), int(size[1]))
        if self._pictures and self._pictures[self._frame].is_primary and self.tile and self._bound is None \
                and self._mode == "RGB" and min(wanted) > 0 and (
                    wanted[0] * 2 <= self._size[0] or wanted[1] * 2 <= self._size[1]):
            self._load_rows(thumbnail=wanted)
        super().thumbnail(size, resample, reducing_gap)

    def load(self) -> Any:
        if self.tile and self._pictures:
            self._load_rows(size=self._bound)
        return super().load()

    def load_seek(self, pos: int) -> None:
        """Does nothing, but tells ImageFile.Parser that a photo cannot be decoded piece by piece."""

    def _load_rows(self, size: Optional[Size] = None, thumbnail: Optional[Size] = None) -> None:
        picture = self._pictures[self._frame]
        # A thumbnail is one of the primary picture.
        options = {**_tolerance(), **({} if thumbnail else picture.options)}
        try:
            self.im = _decoded(picture.photo, self._mode, size, None, thumbnail, None, None, options)
        except apus.Error as error:
            raise _error(error) from None
        self._loaded()

    def _loaded(self) -> None:
        """Lets go of what is no longer needed once pixels are decoded."""
        self._size, self.tile = self.im.size, []
        if self.n_frames == 1:
            self._pictures = []
        if self._exclusive_fp and self.fp is not None:
            self.fp.close()
        self.fp = None

    def close(self) -> None:
        super().close()
        self._pictures, self.tile = [], []


def _tolerance() -> Dict[str, Any]:
    """What can be read of a damaged photo is enough where Pillow was told so."""
    return {"salvage": True} if ImageFile.LOAD_TRUNCATED_IMAGES else {}


def _error(error: apus.Error) -> Error:
    return Error(error.kind, error.message, error.place, error.offset)


def _accept(prefix: bytes) -> bool:
    return prefix[4:8] == b"ftyp" and prefix[8:12] in BRANDS


def _save(image: Image.Image, file: IO[bytes], name: Union[str, bytes]) -> None:
    file.write(_file(image, image.encoderinfo))


def _save_all(image: Image.Image, file: IO[bytes], name: Union[str, bytes]) -> None:
    options = dict(image.encoderinfo)
    images = [image, *(options.pop("append_images", None) or [])]
    primary = primary_index([bool(frame.info.get("primary")) for frame in _frames(images[:1])]
                            + [False] * sum(getattr(other, "n_frames", 1) for other in images[1:]), options.get("primary_index"))
    others = {name: value for name, value in options.items() if name not in ("exif", "xmp")}
    files = [_file(frame, options if number == primary else others) for number, frame in enumerate(_frames(images))]
    file.write(files[0] if len(files) == 1 else apus.join(files, primary))


def primary_index(marks: List[bool], wanted: Optional[int]) -> int:
    """Returns the index of the picture that is shown first: the wanted one, the last if there are fewer or it is negative; without
    one, the first that is marked."""
    if wanted is None:
        return marks.index(True) if True in marks else 0
    return wanted if 0 <= wanted < len(marks) else len(marks) - 1


def _frames(images: Iterable[Image.Image]) -> Iterator[Image.Image]:
    """The pictures of all images, each of which is then where it was."""
    for image in images:
        place = image.tell()
        try:
            for frame in ImageSequence.Iterator(image):
                yield frame
        finally:
            image.seek(place)


def _file(image: Image.Image, given: Mapping[str, Any]) -> bytes:
    """An image as a HEIC."""
    options = {**metadata(image, given), **given}
    for name in ("save_all", "append_images", "primary_index"):
        options.pop(name, None)
    image = coded(image)
    deep = image.mode == "I;16"
    channels = 1 if deep else len(image.getbands())
    layout = c.Layout(width=image.width, height=image.height, channels=channels, bits=16 if deep else 8,
                      stride=image.width * (2 if deep else channels))
    data = _packed(image, layout.stride)
    return encoded(ctypes.addressof(ctypes.c_char.from_buffer(data)), layout, options)


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
    register_as(HeifFile, _save, _save_all)


def register_as(opener: Type[HeifFile], save: Any, save_all: Any) -> None:
    """Registers a class that opens the format and functions that save it."""
    Image.register_open(FORMAT, opener, _accept)
    Image.register_save(FORMAT, save)
    Image.register_save_all(FORMAT, save_all)
    Image.register_extensions(FORMAT, EXTENSIONS)
    Image.register_mime(FORMAT, "image/heif")


__all__: List[str] = ["Error", "HeifFile", "image", "register"]
