# SPDX-License-Identifier: MIT
"""Types of what the package is given and gives."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Optional, Protocol, Sequence, Tuple, TypedDict, Union

__all__ = ["ConvertOptions", "EditOptions", "EncodeOptions", "ExtractOptions", "Facts", "Files", "Progress", "ReadableFile", "Region",
           "SampleOptions", "Shape", "Size", "Source", "ThumbnailOptions"]


class ReadableFile(Protocol):
    """A file that was opened for reading bytes, or what acts like one."""

    def read(self, size: int = ..., /) -> bytes: ...

    def seek(self, offset: int, whence: int = ..., /) -> int: ...

    def tell(self) -> int: ...


#: A path, bytes, or a file.
Source = Union[str, "os.PathLike[str]", "os.PathLike[bytes]", bytes, bytearray, memoryview, ReadableFile]
#: Called with 0 to 1; a job ends when it returns False.
Progress = Optional[Callable[[float], Any]]
#: One bound for both sides, or width and height.
Size = Union[int, str, Tuple[int, int]]
#: Left, top, width and height.
Region = Tuple[int, int, int, int]
#: Width, height, mode and bits of samples.
Shape = Tuple[int, int, str, int]
#: Files by name, ending and bytes.
Files = List[Tuple[str, str, bytes]]
#: An object of JSON.
Facts = Dict[str, Any]


class SampleOptions(TypedDict, total=False):
    """Options of `apus convert` that samples depend on."""

    max_size: Optional[Size]
    enlarge: bool
    crop: Optional[str]
    rotate: Optional[int]
    flip: Optional[str]
    background: Optional[str]
    srgb: bool
    hdr: Optional[str]
    headroom: Optional[float]
    strict_hdr: bool
    orientation: Optional[str]
    keep_orientation_tag: bool
    frame: Optional[int]
    item: Optional[int]
    decoder: Optional[str]
    salvage: bool


class EncodeOptions(SampleOptions, total=False):
    """Options of `apus convert`, except the format."""

    quality: Optional[int]
    chroma: Union[str, int, None]
    progressive: bool
    optimize: bool
    strip: Optional[str]
    thumbnail: bool
    bit_depth: Optional[int]
    lossless: bool
    encoder: Optional[str]
    speed: Optional[str]
    single: bool
    tile_size: Optional[int]
    nclx: Optional[str]
    thumbnail_size: Union[int, Sequence[int], None]
    gain_map: Optional[str]
    images: Optional[str]


class ConvertOptions(EncodeOptions, total=False):
    """Options of `apus convert`."""

    format: Optional[str]


class ThumbnailOptions(TypedDict, total=False):
    """Options of `apus thumbnail`, except its size."""

    crop: Optional[str]
    policy: Optional[str]
    thumb_facts: bool
    format: Optional[str]
    quality: Optional[int]
    background: Optional[str]
    srgb: bool
    decoder: Optional[str]


class EditOptions(TypedDict, total=False):
    """Options of `apus edit` for photos, except its properties."""

    strip: Union[str, Sequence[str], None]
    remove: Union[str, Sequence[str], None]
    crop: Optional[str]
    rotate: Union[int, str, None]
    flip: Optional[str]
    lossless: bool
    gain_map: Optional[str]
    add_thumbnail: Union[bool, int, None]


class ExtractOptions(TypedDict, total=False):
    """Options of `apus extract`."""

    role: Union[str, Sequence[str], None]
    item: Union[int, Sequence[int], None]
    track: Union[int, str, Sequence[int], None]
    frames: bool
    raw: bool
    depth_as: Optional[str]
    format: Optional[str]
    quality: Optional[int]
    srgb: bool
    decoder: Optional[str]
