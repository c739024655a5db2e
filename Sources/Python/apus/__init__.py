# SPDX-License-Identifier: MIT
"""Apus: HEIC photos of phones and cameras, read, converted and written.

    import apus

    photo = apus.open("IMG_0001.HEIC")
    photo.size                        # (4032, 3024)
    pixels = photo.to_numpy("RGB")    # numpy, height × width × 3
    jpeg = photo.convert(quality=85)  # the bytes that `apus convert` writes
    apus.register_heif_opener()       # Pillow opens HEIC from now on
"""

import os
import secrets
from ctypes import byref, c_void_p

from . import _engine, _options
from . import _library as _c
from ._engine import Engine
from ._errors import Error
from ._photo import Frame, Part, Photo

__all__ = ["Engine", "Error", "Frame", "Part", "Photo", "convert", "encode", "hvcc_check", "hvcc_show", "info", "inspect", "open",
           "register_heif_opener"]
__version__ = _c.library.apus_version().decode()


def open(source, engine=None):
    """Opens a photo: a path, bytes, or an object with read and seek."""
    return Photo(source, engine)


def convert(source, target=None, *, on_exists="fail", progress=None, engine=None, **options):
    """Converts a photo with the options of `apus convert`.

    Without a target the bytes are returned. A target is a path, whose ending names the format unless format= does; it
    appears whole or not at all, and replaces a file only with on_exists="replace".
    """
    if on_exists not in ("fail", "replace"):
        raise ValueError(f"on_exists is {on_exists!r}, neither fail nor replace")
    if target is not None and "format" not in options:
        ending = os.path.splitext(os.fsdecode(target))[1].lower()
        formats = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".ppm": "ppm", ".heic": "heic", ".heif": "heic"}
        if ending not in formats:
            raise ValueError(f"the ending of {target} names no format: use format=")
        options["format"] = formats[ending]
    if target is not None and on_exists == "fail" and os.path.lexists(target):
        raise FileExistsError(f"{target} is there already")
    with Photo(source, engine) as photo:
        data = photo.convert(progress=progress, **options)
    if target is None:
        return data
    _write(target, data, replaces=on_exists == "replace")
    return None


def _write(target, data, replaces):
    target = os.fsdecode(target)
    path = os.path.join(os.path.dirname(target), f".apus-{secrets.token_hex(8)}")
    # Created with the mode that the process gives its files, which mkstemp does not.
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if replaces:
            os.replace(path, target)
        else:
            # Fails where another has made the file meanwhile.
            os.link(path, target)
    finally:
        if os.path.exists(path):
            os.unlink(path)


def encode(array, *, exif=None, xmp=None, icc=None, format="heic", progress=None, engine=None, **options):
    """Encodes an array of height × width or height × width × 1 to 4 (gray, gray and alpha, RGB, RGBA), of uint8 or
    uint16, as the bytes of a file."""
    import numpy
    array = numpy.asarray(array)
    if array.dtype not in (numpy.uint8, numpy.uint16):
        raise TypeError(f"the array has {array.dtype}, neither uint8 nor uint16")
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3 or not 1 <= array.shape[2] <= 4:
        raise ValueError(f"the array has the shape {array.shape}, no picture of 1 to 4 channels")
    array = numpy.ascontiguousarray(array)
    layout = _c.Layout(width=array.shape[1], height=array.shape[0], channels=array.shape[2], bits=array.itemsize * 8,
                       stride=array.strides[0])
    return _encode(array.ctypes.data, layout, exif, xmp, icc, format, progress, engine, options)


def _encode(address, layout, exif, xmp, icc, format, progress, engine, options):
    metadata = _c.Metadata(exif=exif, exif_count=len(exif or b""), xmp=xmp, xmp_count=len(xmp or b""), icc=icc,
                           icc_count=len(icc or b""))
    call, file = _options.call({"format": format, **options}, progress), c_void_p()
    _c.done(_c.library.apus_encode, (engine or _engine.usual())._handle, address, byref(layout), byref(metadata),
            byref(call), byref(file), None)
    return _c.taken(file)


def info(source, **options):
    """What a file is, as `apus info --json` says it."""
    with Photo(source) as photo:
        return photo.facts("info", **options)


def inspect(source, **options):
    """The boxes and fields of a file, as `apus inspect --json` shows them."""
    with Photo(source) as photo:
        return photo.facts("inspect", **options)


def hvcc_show(source, **options):
    """The decoder configuration records of a file, as `apus hvcc show --json` shows them."""
    with Photo(source) as photo:
        return photo.facts("hvcc show", **options)


def hvcc_check(source, **options):
    """What is wrong with the decoder configuration records of a file: an empty list where nothing is."""
    with Photo(source) as photo:
        return photo.facts("hvcc check", **options)


def register_heif_opener():
    """Has Pillow open and save HEIC and HEIF."""
    from . import pillow
    pillow.register()
