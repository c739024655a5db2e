# SPDX-License-Identifier: MIT
"""The plugin of Pillow as pillow_heif has it."""

from __future__ import annotations

import contextlib
import warnings
from typing import IO, Any, Dict, Optional, Tuple, Union

from PIL import Image

from . import _writing, heif, options
from .heif import HeifImage, HeifThumbnail
from .. import pillow
from .._pictures import Picture

_SETTINGS = {"thumbnails": "THUMBNAILS", "depth_images": "DEPTH_IMAGES", "aux_images": "AUX_IMAGES", "quality": "QUALITY",
             "save_to_12bit": "SAVE_HDR_TO_12_BIT", "save_hdr_to_12_bit": "SAVE_HDR_TO_12_BIT", "decode_threads": "DECODE_THREADS",
             "save_nclx_profile": "SAVE_NCLX_PROFILE", "preferred_encoder": "PREFERRED_ENCODER",
             "preferred_decoder": "PREFERRED_DECODER", "grid_tile_size": "GRID_TILE_SIZE",
             "disable_security_limits": "DISABLE_SECURITY_LIMITS", "allow_incorrect_headers": ""}


class HeifImageFile(pillow.HeifFile):
    """A photo as pillow_heif opens it: info has everything, and a draft is a thumbnail of the file."""

    # Whether a draft may be decoded in another size.
    _is_scaled = False

    def _mode_of(self, mode: str, bits: int) -> str:
        return "RGBA" if mode == "LA" else super()._mode_of(mode, bits)

    def _info(self, picture: Picture) -> Dict[str, Any]:
        info = heif.full_info(picture)
        heif.add_groups([info], self._pictures)
        info["original_orientation"] = pillow.make_upright(info)
        return info

    def getxmp(self, **kwargs: Any) -> Dict[str, Any]:
        """Returns the XMP as a dictionary. What is not UTF-8 is read as Latin-1."""
        xmp: bytes = self.info.get("xmp") or b""
        try:
            xmp.decode()
        except UnicodeDecodeError:
            read = Image.new("1", (1, 1))
            read.info["xmp"] = xmp.decode("latin-1").encode()
            return read.getxmp(**kwargs)
        return super().getxmp(**kwargs)

    def draft(self, mode: Optional[str], size: Optional[Tuple[int, int]]) -> Optional[Tuple[str, Tuple[int, int, float, float]]]:
        """Has a thumbnail of the file decoded whose sides are at least those of size."""
        if not self._pictures or self._bound is not None or not self.tile or size is None:
            return None
        found = self._thumbnail(size) if options.THUMBNAILS else None
        if found is None:
            return super().draft(mode, size) if self._is_scaled else None
        try:
            self.im = found.to_pillow().im
        except ValueError:
            return None
        self._bound = max(found.size)
        self._loaded()
        return self._mode, (0, 0, *found.size)

    def _thumbnail(self, size: Tuple[int, int]) -> Optional[HeifThumbnail]:
        with heif.value_errors():
            image = heif.opened(self._pictures[self._frame], True, False, True)
        return _thumbnail_for_size(image, size) if image.mode == self._mode else None

    def thumbnail(self, size: Tuple[float, float], resample: Image.Resampling = Image.Resampling.BICUBIC,
                  reducing_gap: Optional[float] = 2.0) -> None:
        """As Image.thumbnail; where the file has no thumbnail that is large enough, the picture is decoded in a smaller size."""
        self._is_scaled = True
        try:
            Image.Image.thumbnail(self, size, resample, reducing_gap)
        finally:
            self._is_scaled = False


def _thumbnail_for_size(image: HeifImage, size: Tuple[int, int]) -> Optional[HeifThumbnail]:
    """Returns the smallest thumbnail that shows the same as the picture, whose sides are at least those of size, and that can be
    decoded."""
    found = [image.get_thumbnail(index) for index in range(len(image.info["thumbnails"]))]
    for small in sorted(found, key=lambda one: one.size):
        if small.size[0] >= size[0] and small.size[1] >= size[1] and _shows_the_same(image, small):
            with contextlib.suppress(ValueError):
                small.load()
                return small
    return None


def _shows_the_same(image: HeifImage, small: HeifThumbnail) -> bool:
    if small.mode != image.mode or small.size[0] >= image.size[0] or small.size[1] >= image.size[1]:
        return False
    # Sides are rounded.
    width, height = image.size
    if abs(small.size[0] * height - small.size[1] * width) > max(width, height):
        return False
    colours = small.info.get("nclx_profile")
    if colours and colours != image.info.get("nclx_profile", colours):
        return False
    one, other = (coded.transformations if coded is not None else () for coded in (small._c_image, image._c_image))
    return _orientation(one) == _orientation(other) and _same_crop(one, other)


def _orientation(transformations: Tuple[Tuple[Any, ...], ...]) -> Tuple[Tuple[Any, ...], ...]:
    """Returns the rotation and the mirroring."""
    return tuple(one for one in transformations if one[0] != "clap")


def _same_crop(t_transformations: Tuple[Tuple[Any, ...], ...], transformations: Tuple[Tuple[Any, ...], ...]) -> bool:
    """Returns whether a thumbnail shows the part of a picture that its crop leaves."""
    small, whole = _crop(t_transformations), _crop(transformations)
    width, height = next((one[5:] for one in t_transformations if one[0] == "clap"), (32, 32))
    # Sides are rounded.
    tolerance = (1.5 / width, 1.5 / height) * 2
    return all(abs(one - other) <= most for one, other, most in zip(small, whole, tolerance))


def _crop(transformations: Tuple[Tuple[Any, ...], ...]) -> Tuple[float, ...]:
    """Returns how much is cut off on the left, on top, on the right and below, as fractions of the sides."""
    clap = next((one for one in transformations if one[0] == "clap"), None)
    if clap is None:
        return (0.0,) * 4
    left, top, right, bottom, width, height = clap[1:]
    if not left and not top and right < 64 and bottom < 64:
        # Encoders fill blocks on the right and below.
        return (0.0,) * 4
    return left / width, top / height, right / width, bottom / height


def _save(image: Image.Image, file: IO[bytes], name: Union[str, bytes]) -> None:
    _save_images([heif.from_image(image, is_turned=False)], [], dict(image.encoderinfo), file)


def _save_all(image: Image.Image, file: IO[bytes], name: Union[str, bytes]) -> None:
    given = dict(image.encoderinfo)
    further = given.pop("append_images", None) or []
    own = [heif.from_image(frame, is_turned=False) for frame in pillow._frames([image])]
    others = [heif.from_image(frame, is_turned=False) for frame in pillow._frames(further)]
    _save_images(own, others, given, file)


def _save_images(own: Any, further: Any, given: Dict[str, Any], file: IO[bytes]) -> None:
    with heif.value_errors():
        file.write(_writing.file(own, further, {**given, "save_all": True, "format": None}))


def register_heif_opener(**kwargs: Any) -> None:
    """Has Pillow open and save HEIC and HEIF, from then on by these settings."""
    for name, value in kwargs.items():
        if name not in _SETTINGS:
            warnings.warn(f"Unknown option: {name}", stacklevel=2)
        elif _SETTINGS[name]:
            setattr(options, _SETTINGS[name], value)
    pillow.register_as(HeifImageFile, _save, _save_all)
