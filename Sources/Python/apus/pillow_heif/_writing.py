# SPDX-License-Identifier: MIT
"""Pictures as the bytes of a file."""

from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from PIL import Image

import apus
from . import _modes, options
from .. import _items, _reports, pillow
from .. import _library as c

if TYPE_CHECKING:
    from .heif import HeifImage

_CODE_POINTS = ("color_primaries", "transfer_characteristics", "matrix_coefficients", "full_range_flag")
# Parameters that describe the picture, which the encoder does not take.
_OF_THE_PICTURE = {"exif", "xmp", "icc_profile", "thumbnails", "tile_size", "pixel_aspect_ratio", "content_light_level",
                   "mastering_display_colour_volume", "ambient_viewing_environment", "nominal_diffuse_white_luminance", "metadata",
                   *_CODE_POINTS, "transfer_characteristic"}
# What changes nothing.
_IGNORED = {"depth_images", "aux_images", "decode_threads", "preferred_encoder", "preferred_decoder", "bit_depth", "save_all",
            "primary_index", "save_nclx_profile", "format"}
#: The smallest thumbnail that is coded.
_SMALLEST_THUMBNAIL = 16
#: How many items readers with libheif accept, and rows and columns a grid can have.
_ITEMS, _TILES = 1000, 256


def file(own: Sequence[HeifImage], further: Sequence[HeifImage], given: Mapping[str, Any]) -> bytes:
    """Returns a file of pictures."""
    form = given.get("format")
    if form is not None and form.upper() not in ("HEIF", "HEIC"):
        raise RuntimeError(f"{form} is not written here, HEIF is")
    images = [*own, *further]
    if not images:
        raise ValueError("there are no images to save")
    marks = [bool(image.info.get("primary")) for image in own] + [False] * len(further)
    primary = pillow.primary_index(marks, given.get("primary_index"))
    if not given.get("save_all", True):
        images, primary = [images[primary]], 0
    pictures = [_Coding(image, given if number == primary else _without(given)) for number, image in enumerate(images)]
    _check_items(pictures)
    made = [picture.made() for picture in pictures]
    if len(made) == 1 and not made[0][1]:
        return made[0][0]
    return apus._join([data for data, _ in made], primary, [additions for _, additions in made])


def _without(given: Mapping[str, Any]) -> Dict[str, Any]:
    """What is given, except what describes the primary picture."""
    return {name: value for name, value in given.items() if name not in ("exif", "xmp")}


def _check_items(pictures: Sequence[_Coding]) -> None:
    if any(picture.tiles > 1 for picture in pictures) and sum(picture.items for picture in pictures) > _ITEMS:
        raise ValueError(f"the file would have more than {_ITEMS} items, which readers refuse; use larger tiles")


class _Coding:
    """A picture with the options by which it is coded."""

    def __init__(self, image: HeifImage, given: Mapping[str, Any]) -> None:
        self._image, self._given = image, given
        self._mode = _modes.parsed(image.mode)
        self._info = {**image.info, **{name: value for name, value in given.items() if name in _OF_THE_PICTURE}}
        quality = given.get("quality", options.QUALITY)
        self._is_lossless = quality == -1 or bool(given.get("lossless"))
        self._side = self._tile_side()

    @property
    def tiles(self) -> int:
        """The number of tiles."""
        if not self._side:
            return 1
        columns, rows = (-(-length // self._side) for length in self._image.size)
        if max(columns, rows) > _TILES:
            raise ValueError(f"the grid would have more than {_TILES} rows or columns; use larger tiles")
        return columns * rows

    @property
    def items(self) -> int:
        """The number of items in the file."""
        described = sum(bool(self._info.get(name)) for name in ("exif", "xmp"))
        pictures = (self.tiles + 1 if self.tiles > 1 else 1) + len(self._thumbnails())
        return pictures + described + len(self._info.get("metadata") or [])

    def made(self) -> Tuple[bytes, Dict[str, Any]]:
        """Returns the picture as a file, and what is to be added to it."""
        data = self._samples()
        height = self._image.size[1]
        exif, xmp, additions = self._metadata()
        channels = 3 if self._mode.channels == "YCbCr" else self._mode.channel_count
        layout = c.Layout(width=self._image.size[0], height=height, channels=channels, bits=8 if self._mode.bits == 8 else 16,
                          stride=len(data) // height)
        coding = {**self._options(), "exif": exif, "xmp": xmp, "icc_profile": self._info.get("icc_profile")}
        coded = pillow.encoded(ctypes.addressof(ctypes.c_char.from_buffer(data)), layout, coding)
        return coded, additions

    def _samples(self) -> bytearray:
        """Returns red, green and blue of 8 or 16 bits, with nothing between rows."""
        image, mode = self._image, self._mode
        width, height = image.size
        if min(width, height) < 1:
            raise ValueError(f"an image of {width} × {height} pixels cannot be written")
        row = width * mode.bytes_per_pixel
        if image.stride < row or len(image.data) < image.stride * (height - 1) + row:
            raise ValueError(f"the image does not contain enough data: {len(image.data)} bytes in rows of {image.stride}, "
                             f"but {height} rows of {row} are needed")
        rows = _modes.packed(image.data, image.stride, row, height)
        if mode.channels == "YCbCr":
            return bytearray(Image.frombytes("YCbCr", image.size, bytes(rows)).convert("RGB").tobytes())
        if mode.channels.startswith("BGR"):
            rows = _modes.reversed_colours(rows, mode)
        return rows if mode.bits in (8, 16) else _modes.raised(rows, mode.bits)

    def _options(self) -> Dict[str, Any]:
        coding = {name: value for name, value in self._given.items() if name not in _OF_THE_PICTURE | _IGNORED}
        if "quality" not in coding and options.QUALITY is not None:
            coding["quality"] = options.QUALITY
        if self._mode.bits > 8:
            coding["bit_depth"] = self._bit_depth()
        if self._side:
            coding["tile_size"] = self._side
        elif self._given.get("tile_size") == 0 and "tile_size" in self._given:
            coding["single"] = True
        if sides := self._thumbnails():
            coding["thumbnail_size"] = sides
        if colour := self._colour():
            coding["nclx"] = colour
        return coding

    def _bit_depth(self) -> int:
        if self._mode.bits < 16:
            return self._mode.bits
        depth = self._image.info.get("bit_depth")
        return depth if depth in (10, 12) else 12 if options.SAVE_HDR_TO_12_BIT else 10

    def _tile_side(self) -> int:
        """Returns the side of tiles; 0 for what the encoder does by itself."""
        tiling = self._image.info.get("tiling") or {}
        side = self._given.get("tile_size")
        if "tile_size" not in self._given:
            known = tiling.get("tile_width") if tiling.get("tile_width") == tiling.get("tile_height") else None
            side = known or options.GRID_TILE_SIZE
        if not side or self._mode.has_alpha or max(self._image.size) <= side:
            # Apple's viewers ignore the alpha of tiles.
            return 0
        whole = -(-int(side) // 64) * 64
        if whole != side:
            _reports.warn(f"tiles of {side} samples are not allowed, {whole} are used")
        return whole

    def _thumbnails(self) -> List[int]:
        longer = max(self._image.size)
        wanted = [side for side in self._info.get("thumbnails") or [] if 1 < side < longer]
        if any(side < _SMALLEST_THUMBNAIL for side in wanted):
            _reports.warn(f"thumbnails smaller than {_SMALLEST_THUMBNAIL} pixels are left out")
        return [side for side in wanted if side >= _SMALLEST_THUMBNAIL]

    def _colour(self) -> Optional[str]:
        """Returns the code points that are asked for, or that the image has; None leaves them to the encoder."""
        given = {name: int(self._given[name]) for name in _CODE_POINTS if self._given.get(name) is not None}
        if "transfer_characteristic" in self._given:
            given.setdefault("transfer_characteristics", int(self._given["transfer_characteristic"]))
        known = self._image.info.get("nclx_profile")
        if not given and (not known or self._is_lossless):
            # What is coded without loss is coded as what it is.
            return None
        points = {"color_primaries": 1, "transfer_characteristics": 13, "matrix_coefficients": 6, "full_range_flag": 1,
                  **{name: int(known[name]) for name in _CODE_POINTS if known and name in known}, **given}
        primaries, transfer, matrix, full = (points[name] for name in _CODE_POINTS)
        return f"{primaries}/{transfer}/{matrix}/{'full' if full else 'limited'}"

    def _metadata(self) -> Tuple[Optional[bytes], Optional[bytes], Dict[str, Any]]:
        """Returns Exif and XMP for the encoder, and what is added to the file otherwise."""
        exif, xmp = _bytes_of(self._info.get("exif")), _bytes_of(self._info.get("xmp"))
        additions: Dict[str, Any] = {}
        items = [(_type_of(block["type"]), block.get("content_type") or "", block["data"])
                 for block in self._info.get("metadata") or []]
        if exif and not _is_plain(exif):
            start = exif.find(b"Exif\0\0") + 6
            additions["exif"] = (struct.pack(">I", start if start >= 6 else 0) + exif).hex()
            exif = None
        if xmp:
            exif = _oriented(exif, xmp)
        if xmp and b"\0" in xmp:
            items.append((b"mime", "application/rdf+xml", xmp))
            xmp = None
        if items:
            additions["metadata"] = [{"type": kind.hex(), "content-type": content, "data": bytes(data).hex()}
                                     for kind, content, data in items]
        if boxes := _items.properties(self._info):
            additions["properties"] = boxes
        if not self._given.get("save_nclx_profile", options.SAVE_NCLX_PROFILE):
            additions["nclx"] = False
        if self._image.premultiplied_alpha:
            additions["premultiplied"] = True
        return exif, xmp, additions


def _bytes_of(value: Union[bytes, str, Image.Exif, None]) -> Optional[bytes]:
    if isinstance(value, Image.Exif):
        return value.tobytes()
    return value.encode() if isinstance(value, str) else value


def _type_of(text: str) -> bytes:
    return text.encode("latin-1").ljust(4)[:4]


def _is_plain(exif: bytes) -> bool:
    """Returns whether Exif begins as the encoder takes it."""
    return exif.removeprefix(b"Exif\0\0")[:4] in (b"II*\0", b"MM\0*")


def _oriented(exif: Optional[bytes], xmp: bytes) -> Optional[bytes]:
    """Returns Exif with the orientation that XMP has, where it has none itself: the encoder follows Exif."""
    orientation = pillow.make_upright({"xmp": xmp})
    if orientation is None:
        return exif
    read = Image.Exif()
    if exif:
        read.load(exif)
    if read.get(0x0112, 1) != 1:
        return exif
    read[0x0112] = orientation
    return read.tobytes()
