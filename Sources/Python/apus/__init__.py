# SPDX-License-Identifier: MIT
"""Apus: HEIC photos from phones and cameras, read, converted and written.

    import apus

    photo = apus.open("IMG_0001.HEIC")
    photo.size                        # (4032, 3024)
    pixels = photo.to_numpy("RGB")    # numpy, height × width × 3
    jpeg = photo.convert(quality=85)  # the bytes that `apus convert` writes
    apus.register_heif_opener()       # Pillow opens HEIC from now on

Options are those of the command with underscores: `apus convert --max-size 1024` is convert(max_size=1024). What goes wrong
raises apus.Error, or the exception that Python itself raises of files, such as FileNotFoundError. What was lost although a
job succeeded is an apus.ApusWarning.
"""

from __future__ import annotations

import json
import os
import pathlib
import struct
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union, overload

from . import _engine, _files, _options, _photo
from . import _library as _c
from ._engine import Engine
from ._errors import Error
from ._photo import Frame, Part, Photo
from ._reports import ApusWarning
from ._reports import Report as _Report
from ._types import ConvertOptions as _ConvertOptions
from ._types import EncodeOptions as _EncodeOptions
from ._types import Facts as _Facts
from ._types import Progress as _Progress
from ._types import Source as _Source

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

__all__ = ["ApusWarning", "Engine", "Error", "Frame", "Part", "Photo", "convert", "encode", "hvcc_check", "hvcc_show", "info",
           "inspect", "join", "open", "register_heif_opener"]
# A wheel has the version of its metadata, which names the commit where that is no release.
_VERSION = pathlib.Path(__file__).with_name("VERSION")
__version__: str = _VERSION.read_text() if _VERSION.exists() else _c.library.apus_version().decode()
_FORMATS = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".ppm": "ppm", ".heic": "heic", ".heif": "heic"}


def open(source: _Source, engine: Optional[Engine] = None) -> Photo:
    """Opens a photo: a path, bytes, or an object with read, seek and tell.

    Raises apus.Error where it is none, or OSError where a path cannot be opened.
    """
    return _photo.opened(source, engine)


@overload
def convert(source: _Source, target: None = None, *, on_exists: str = "fail", progress: _Progress = None,
            engine: Optional[Engine] = None, **options: Unpack[_ConvertOptions]) -> bytes: ...


@overload
def convert(source: _Source, target: Union[str, os.PathLike[str], os.PathLike[bytes]], *, on_exists: str = "fail",
            progress: _Progress = None, engine: Optional[Engine] = None, **options: Unpack[_ConvertOptions]) -> _Facts: ...


def convert(source: _Source, target: Union[str, os.PathLike[str], os.PathLike[bytes], None] = None, *, on_exists: str = "fail",
            progress: _Progress = None, engine: Optional[Engine] = None,
            **options: Unpack[_ConvertOptions]) -> Union[bytes, _Facts]:
    """Converts a photo with the options of `apus convert`.

    Without a target the bytes are returned. A target is a path, whose ending names the format unless format= does; it
    appears whole or not at all, and replaces a file only with on_exists="replace". Then the report is returned that
    `apus convert --json` prints.
    """
    if on_exists not in ("fail", "replace"):
        raise ValueError(f"on_exists is {on_exists!r}, neither fail nor replace")
    if target is None:
        with Photo(source, engine) as photo:
            return photo.convert(progress=progress, **options)
    path = os.fsdecode(target)
    if options.get("format") is None:
        ending = os.path.splitext(path)[1].lower()
        if ending not in _FORMATS:
            raise ValueError(f"the ending of {path} names no format: use format=")
        options["format"] = _FORMATS[ending]
    if on_exists == "fail" and os.path.lexists(path):
        raise FileExistsError(f"{path} already exists")
    with Photo(source, engine) as photo:
        data = photo.convert(progress=progress, **options)
    _files.write(path, data, replaces=on_exists == "replace")
    return photo.last_report


def encode(array: ArrayLike, *, exif: Optional[bytes] = None, xmp: Optional[bytes] = None, icc: Optional[bytes] = None,
           format: str = "heic", progress: _Progress = None, engine: Optional[Engine] = None,
           **options: Unpack[_EncodeOptions]) -> bytes:
    """Encodes an array of height × width or height × width × 1 to 4 (gray, gray and alpha, RGB, RGBA), of uint8 or
    uint16, as the bytes of a file. Options are those of `apus convert`."""
    import numpy
    samples = numpy.asarray(array)
    if samples.dtype not in (numpy.uint8, numpy.uint16):
        raise TypeError(f"the array has {samples.dtype}, neither uint8 nor uint16")
    if samples.ndim == 2:
        samples = samples[:, :, None]
    if samples.ndim != 3 or not 1 <= samples.shape[2] <= 4:
        raise ValueError(f"the array has the shape {samples.shape}, no picture of 1 to 4 channels")
    samples = numpy.ascontiguousarray(samples)
    layout = _c.Layout(width=samples.shape[1], height=samples.shape[0], channels=samples.shape[2], bits=samples.itemsize * 8,
                       stride=samples.strides[0])
    return _encode(samples.ctypes.data, layout, exif, xmp, icc, {"format": format, **options}, progress, engine)


def _encode(address: int, layout: _c.Layout, exif: Optional[bytes], xmp: Optional[bytes], icc: Optional[bytes],
            options: Mapping[str, Any], progress: _Progress = None, engine: Optional[Engine] = None) -> bytes:
    metadata = _c.Metadata(exif=exif, exif_count=len(exif or b""), xmp=xmp, xmp_count=len(xmp or b""), icc=icc,
                           icc_count=len(icc or b""))
    job, file, report = _options.Job(options, progress), c_void_p(), _Report()
    job.run(_c.library.apus_encode, (engine or _engine.usual())._handle, address, byref(layout), byref(metadata),
            byref(job.call), byref(file), byref(report.place))
    data = _c.taken(file)
    report.read()
    report.warn()
    return data


def join(sources: Sequence[_Source], primary: int = 0) -> bytes:
    """Returns a HEIC with the pictures of several HEIC files, which are not encoded again. primary is the index of the one that a
    viewer shows first."""
    return _join(sources, primary, [])


def _join(sources: Sequence[_Source], primary: int, additions: Sequence[Mapping[str, Any]]) -> bytes:
    """Joins files, each with what apus_join adds to its picture."""
    photos = [Photo(source) for source in sources]
    handles = struct.pack(f"{len(photos)}P", *[photo._open._as_parameter_.value or 0 for photo in photos])
    options = json.dumps({"primary": primary, "pictures": list(additions)}).encode()
    return _c.taken(_c.made(_c.library.apus_join, handles, len(photos), options))


def info(source: _Source, **options: Any) -> _Facts:
    """What a file is, as `apus info --json` says it."""
    with Photo(source) as photo:
        facts: _Facts = photo.facts("info", **options)
        return facts


def inspect(source: _Source, **options: Any) -> _Facts:
    """The boxes and fields of a file, as `apus inspect --json` shows them."""
    with Photo(source) as photo:
        facts: _Facts = photo.facts("inspect", **options)
        return facts


def hvcc_show(source: _Source, **options: Any) -> Any:
    """The decoder configuration records of a file, as `apus hvcc show --json` shows them."""
    with Photo(source) as photo:
        return photo.facts("hvcc show", **options)


def hvcc_check(source: _Source, **options: Any) -> Any:
    """What is wrong with the decoder configuration records of a file: an empty list where nothing is."""
    with Photo(source) as photo:
        return photo.facts("hvcc check", **options)


def register_heif_opener() -> None:
    """Has Pillow open and save HEIC and HEIF."""
    from . import pillow
    pillow.register()
