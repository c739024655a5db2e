# SPDX-License-Identifier: MIT
"""libapus by its C interface: apus.h as ctypes sees it."""

from __future__ import annotations

import ctypes
import os
import re
import pathlib
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint32, \
    c_uint64, c_void_p
from typing import Any, Optional

from ._errors import Error
from ._types import Files

Progress = CFUNCTYPE(c_int, c_void_p, c_double)
Read = CFUNCTYPE(c_int, c_void_p, c_uint64, c_void_p, c_size_t)
Release = CFUNCTYPE(None, c_void_p)


class Sized(Structure):
    """A structure whose first field says how large the caller knows it."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(size=ctypes.sizeof(type(self)), **fields)


class Reader(Sized):
    _fields_ = [("size", c_size_t), ("context", c_void_p), ("count", c_uint64), ("read", Read), ("release", Release)]


class Call(Sized):
    _fields_ = [("size", c_size_t), ("verb", c_char_p), ("options", c_char_p), ("progress", Progress), ("context", c_void_p)]


class Layout(Sized):
    _fields_ = [("size", c_size_t), ("width", c_uint32), ("height", c_uint32), ("channels", c_uint32), ("bits", c_uint32),
                ("stride", c_size_t)]


class Metadata(Sized):
    _fields_ = [("size", c_size_t), ("exif", c_char_p), ("exif_count", c_size_t), ("xmp", c_char_p),
                ("xmp_count", c_size_t), ("icc", c_char_p), ("icc_count", c_size_t)]


Begin = CFUNCTYPE(c_int, c_void_p, POINTER(Layout))
TakeRows = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)


class Rows(Sized):
    _fields_ = [("size", c_size_t), ("context", c_void_p), ("begin", Begin), ("rows", TakeRows)]


Allocate = CFUNCTYPE(c_void_p, c_void_p, POINTER(Layout))
Place = POINTER(c_void_p)
# Of no particular length: an array type for each would be garbage that only the cycle collector frees.
_Memory = ctypes.c_char * sys.maxsize


def memory(address: int, count: int) -> memoryview:
    """Memory of the library, as long as that keeps it."""
    return memoryview(_Memory.from_address(address)).cast("B")[:count]



# What each function returns and takes; the last place of those that can fail is the error's.
FUNCTIONS = {
    "apus_version": (c_char_p, []),
    "apus_error_kind": (c_int, [c_void_p]),
    "apus_error_name": (c_char_p, [c_void_p]),
    "apus_error_message": (c_char_p, [c_void_p]),
    "apus_error_place": (c_char_p, [c_void_p]),
    "apus_error_offset": (c_int64, [c_void_p]),
    "apus_error_free": (None, [c_void_p]),
    "apus_bytes_data": (c_void_p, [c_void_p]),
    "apus_bytes_count": (c_size_t, [c_void_p]),
    "apus_bytes_free": (None, [c_void_p]),
    "apus_photo_open_memory": (c_void_p, [c_char_p, c_size_t, Place]),
    "apus_photo_open_file": (c_void_p, [c_char_p, Place]),
    "apus_photo_open_reader": (c_void_p, [POINTER(Reader), Place]),
    "apus_photo_free": (None, [c_void_p]),
    "apus_engine_new": (c_void_p, [c_uint, Place]),
    "apus_engine_release_memory": (None, [c_void_p]),
    "apus_engine_free": (None, [c_void_p]),
    "apus_photo_layout": (c_int, [c_void_p, c_int, POINTER(Call), POINTER(Layout), Place]),
    "apus_decode": (c_int, [c_void_p, c_void_p, c_int, POINTER(Call), Allocate, c_void_p, POINTER(Layout), Place,
                            Place]),
    "apus_convert": (c_int, [c_void_p, c_void_p, POINTER(Call), Place, Place, Place]),
    "apus_decode_rows": (c_int, [c_void_p, c_void_p, c_int, POINTER(Call), POINTER(Rows), POINTER(Layout), Place, Place]),
    "apus_make_files": (c_int, [c_void_p, c_void_p, POINTER(Call), c_char_p, c_size_t, Place, Place, Place]),
    "apus_files_count": (c_size_t, [c_void_p]),
    "apus_files_name": (c_char_p, [c_void_p, c_size_t]),
    "apus_files_extension": (c_char_p, [c_void_p, c_size_t]),
    "apus_files_data": (c_void_p, [c_void_p, c_size_t, POINTER(c_size_t)]),
    "apus_files_free": (None, [c_void_p]),
    "apus_encode": (c_int, [c_void_p, c_void_p, POINTER(Layout), POINTER(Metadata), POINTER(Call), Place, Place, Place]),
    "apus_join": (c_void_p, [c_char_p, c_size_t, c_char_p, Place]),
    "apus_photo_exif": (c_void_p, [c_void_p, Place]),
    "apus_photo_xmp": (c_void_p, [c_void_p, Place]),
    "apus_photo_icc": (c_void_p, [c_void_p, Place]),
    "apus_photo_facts": (c_void_p, [c_void_p, c_char_p, c_char_p, POINTER(c_int), Place, Place]),
}


def load() -> ctypes.CDLL:
    """The library that APUS_LIBRARY names, the one in this package, or that of the system."""
    named = os.environ.get("APUS_LIBRARY")
    inside = pathlib.Path(__file__).with_name("libapus.so.0")
    found = ctypes.CDLL(named or (str(inside) if inside.exists() else "libapus.so.0"))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    return found


library = load()


class Handle:
    """An object of the library, which is freed with the last reference to this: so never while a function uses it."""

    def __init__(self, pointer: Optional[int], free: Any) -> None:
        self._as_parameter_ = c_void_p(pointer)
        self._free = free

    def __del__(self) -> None:
        self._free(self._as_parameter_)


def check(error: c_void_p) -> None:
    """Raises what a function stored as the reason why it failed."""
    if not error:
        return
    try:
        offset = library.apus_error_offset(error)
        kind = library.apus_error_name(error).decode()
        place = library.apus_error_place(error).decode("utf-8", "surrogateescape")
        message = library.apus_error_message(error).decode("utf-8", "surrogateescape")
        if kind == "misuse":
            # Options have the names of the command's there.
            message = re.sub(r"(?<![\w-])--([a-z][a-z-]*)", lambda option: option[1].replace("-", "_"), message)
        raise Error(kind, message, place or None, None if offset < 0 else offset)
    finally:
        library.apus_error_free(error)


def taken(handle: Any) -> bytes:
    """The bytes that a function made, which are freed; none where it made nothing."""
    if not handle:
        return b""
    try:
        return ctypes.string_at(library.apus_bytes_data(handle), library.apus_bytes_count(handle))
    finally:
        library.apus_bytes_free(handle)


def taken_files(handle: c_void_p) -> Files:
    """The files that a function made, as name, ending and bytes of each; they are freed."""
    try:
        files: Files = []
        for index in range(library.apus_files_count(handle)):
            count = c_size_t()
            start = library.apus_files_data(handle, index, byref(count))
            files.append((library.apus_files_name(handle, index).decode(),
                          library.apus_files_extension(handle, index).decode(), ctypes.string_at(start, count.value)))
        return files
    finally:
        library.apus_files_free(handle)


def made(function: Any, *arguments: Any) -> Optional[int]:
    """The object that a function makes; raises why it did not."""
    error = c_void_p()
    handle = function(*arguments, byref(error))
    check(error)
    return handle if handle is None else int(handle)


def done(function: Any, *arguments: Any) -> None:
    """Calls a function that returns whether it failed."""
    error = c_void_p()
    function(*arguments, byref(error))
    check(error)
