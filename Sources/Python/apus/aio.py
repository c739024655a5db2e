# SPDX-License-Identifier: MIT
"""The same for asyncio: what takes long runs in threads, and cancelling a task ends the work.

    from apus import aio

    jpeg = await aio.convert("IMG_0001.HEIC", quality=85)
    pixels = await aio.to_numpy("IMG_0001.HEIC", "RGB", size=1024)
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Sequence, TypeVar, Union, overload

import apus
from ._types import ConvertOptions, EditOptions, EncodeOptions, Facts, Progress, Region, SampleOptions, Size, Source, \
    ThumbnailOptions

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

Result = TypeVar("Result")


@overload
async def convert(source: Source, target: None = None, *, on_exists: str = "fail", progress: Progress = None,
                  engine: Optional[apus.Engine] = None, **options: Unpack[ConvertOptions]) -> bytes: ...


@overload
async def convert(source: Source, target: Union[str, os.PathLike[str], os.PathLike[bytes]], *, on_exists: str = "fail",
                  progress: Progress = None, engine: Optional[apus.Engine] = None, **options: Unpack[ConvertOptions]) -> Facts: ...


async def convert(source: Source, target: Any = None, *, on_exists: str = "fail", progress: Progress = None,
                  engine: Optional[apus.Engine] = None, **options: Unpack[ConvertOptions]) -> Union[bytes, Facts]:
    """As apus.convert. A file that was written before the task was cancelled stays."""
    return await _run(lambda report: apus.convert(
        source, target, on_exists=on_exists, progress=report, engine=engine, **options), progress)


async def encode(array: ArrayLike, *, exif: Optional[bytes] = None, xmp: Optional[bytes] = None, icc: Optional[bytes] = None,
                 format: str = "heic", progress: Progress = None, engine: Optional[apus.Engine] = None,
                 **options: Unpack[EncodeOptions]) -> bytes:
    """As apus.encode."""
    return await _run(lambda report: apus.encode(
        array, exif=exif, xmp=xmp, icc=icc, format=format, progress=report, engine=engine, **options), progress)


async def to_numpy(source: Union[Source, apus.Photo], mode: Optional[str] = None, *, size: Optional[Size] = None,
                   region: Optional[Region] = None, progress: Progress = None, engine: Optional[apus.Engine] = None,
                   **options: Unpack[SampleOptions]) -> NDArray[Any]:
    """The picture of a path, bytes, a file or a Photo as an array, as Photo.to_numpy gives it."""
    return await _run(lambda report: _photo(source).to_numpy(
        mode, size=size, region=region, progress=report, engine=engine, **options), progress)


async def thumbnail(source: Union[Source, apus.Photo], size: Size = 320, *, progress: Progress = None,
                    engine: Optional[apus.Engine] = None, **options: Unpack[ThumbnailOptions]) -> bytes:
    """A small picture as the bytes of a file, as Photo.thumbnail makes it."""
    return await _run(lambda report: _photo(source).thumbnail(size, progress=report, engine=engine, **options), progress)


async def edit(source: Union[Source, apus.Photo], properties: Optional[Mapping[str, Any]] = None, *,
               engine: Optional[apus.Engine] = None, **options: Unpack[EditOptions]) -> bytes:
    """The photo with other metadata, rotation or parts, as Photo.edit makes it."""
    return await _run(lambda report: _photo(source).edit(properties, engine=engine, **options), None)


async def sizes(source: Union[Source, apus.Photo], sides: Sequence[int], *, progress: Progress = None,
                engine: Optional[apus.Engine] = None, **options: Unpack[ConvertOptions]) -> Dict[int, bytes]:
    """The picture in several sizes, as Photo.sizes makes them."""
    return await _run(lambda report: _photo(source).sizes(sides, progress=report, engine=engine, **options), progress)


async def info(source: Source, **options: Any) -> Facts:
    """As apus.info."""
    return await asyncio.to_thread(apus.info, source, **options)


async def hvcc_check(source: Source, **options: Any) -> Any:
    """As apus.hvcc_check."""
    return await asyncio.to_thread(apus.hvcc_check, source, **options)


def _photo(source: Union[Source, apus.Photo]) -> apus.Photo:
    return source if isinstance(source, apus.Photo) else apus.Photo(source)


async def _run(job: Callable[[Progress], Result], progress: Progress) -> Result:
    is_over = threading.Event()

    def goes_on(fraction: float) -> Any:
        return False if is_over.is_set() else progress(fraction) if progress else None
    future = asyncio.get_running_loop().run_in_executor(None, functools.partial(job, goes_on))
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        is_over.set()
        # When the task has ended, so has its work.
        with contextlib.suppress(apus.Error):
            await future
        raise


__all__ = ["convert", "edit", "encode", "hvcc_check", "info", "sizes", "thumbnail", "to_numpy"]
