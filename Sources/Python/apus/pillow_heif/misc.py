# SPDX-License-Identifier: MIT
"""Facts about files, and orientations."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional

from PIL import Image

from .. import pillow
from .._types import Source

_TURNS = {2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
          5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_270, 7: Image.Transpose.TRANSVERSE,
          8: Image.Transpose.ROTATE_90}


def _head(fp: Source) -> bytes:
    if isinstance(fp, (str, os.PathLike)):
        with open(fp, "rb") as file:
            return file.read(16)
    if isinstance(fp, (bytes, bytearray, memoryview)):
        return bytes(fp[:16])
    place = fp.tell()
    fp.seek(0)
    head = fp.read(16)
    fp.seek(place)
    return head


def get_file_mimetype(fp: Source) -> str:
    """Returns the MIME type of the brand of a file; empty for a file of another kind."""
    head = _head(fp)
    return pillow.MIMES.get(head[8:12], "") if head[4:8] == b"ftyp" else ""


def is_supported(fp: Source) -> bool:
    """Returns whether a file begins as one that can be opened."""
    return get_file_mimetype(fp) not in ("", "image/avif", "image/avif-sequence")


def set_orientation(info: Dict[str, Any]) -> Optional[int]:
    """Changes the orientation in Exif and XMP to that of pixels that are upright. Returns the one that was there, or None if
    there was no other."""
    return pillow.make_upright(info)


def _rotate_pil(image: Image.Image, orientation: Optional[int]) -> Image.Image:
    """Returns an image whose pixels are upright."""
    return image.transpose(_TURNS[orientation]) if orientation in _TURNS else image
