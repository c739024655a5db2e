# SPDX-License-Identifier: MIT
"""The same for asyncio: what takes long runs in threads, and cancelling a task ends the work.

    from apus import aio

    jpeg = await aio.convert("IMG_0001.HEIC", quality=85)
    pixels = await aio.to_numpy("IMG_0001.HEIC", "RGB", size=1024)
"""

import asyncio
import contextlib
import functools
import threading

import apus


async def convert(source, target=None, **options):
    """As apus.convert. A file that was written before the task was cancelled stays."""
    return await _run(apus.convert, source, target, **options)


async def encode(array, **options):
    """As apus.encode."""
    return await _run(apus.encode, array, **options)


async def to_numpy(source, mode=None, **options):
    """The picture of a path, bytes, a file or a Photo as an array, as Photo.to_numpy gives it."""
    return await _run(_opened(source, "to_numpy"), mode, **options)


async def thumbnail(source, size=320, **options):
    """A small picture as the bytes of a file, as Photo.thumbnail makes it."""
    return await _run(_opened(source, "thumbnail"), size, **options)


async def sizes(source, sides, **options):
    """The picture in several sizes, as Photo.sizes makes them."""
    return await _run(_opened(source, "sizes"), sides, **options)


async def info(source, **options):
    """As apus.info."""
    return await asyncio.to_thread(apus.info, source, **options)


async def hvcc_check(source, **options):
    """As apus.hvcc_check."""
    return await asyncio.to_thread(apus.hvcc_check, source, **options)


def _opened(source, method):
    def call(*arguments, **options):
        photo = source if isinstance(source, apus.Photo) else apus.Photo(source)
        return getattr(photo, method)(*arguments, **options)
    return call


async def _run(function, *arguments, progress=None, **options):
    is_over = threading.Event()

    def goes_on(fraction):
        return False if is_over.is_set() else progress(fraction) if progress else None
    job = functools.partial(function, *arguments, progress=goes_on, **options)
    future = asyncio.get_running_loop().run_in_executor(None, job)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        is_over.set()
        # Nothing goes on behind the back of the one who cancelled it.
        with contextlib.suppress(apus.Error):
            await future
        raise


__all__ = ["convert", "encode", "hvcc_check", "info", "sizes", "thumbnail", "to_numpy"]
