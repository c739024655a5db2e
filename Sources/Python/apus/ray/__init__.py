# SPDX-License-Identifier: MIT
"""Photos by the million on a cluster of Ray, and any storage that fsspec knows. Needs `pip install "apus[ray]"`.

    summary = apus.ray.convert("s3://photos/2026/", "s3://jpegs/2026/", quality=85)
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

try:
    from .job import Job, Summary
    from .manifest import Manifest
    from .photos import converted, facts
    from .places import Location
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f'{error}; pip install "apus[ray]" installs it', name=error.name) from None

__all__ = ["Job", "Manifest", "Summary", "convert", "facts"]


def convert(source: Any, target: Optional[Location] = None, *, sizes: Sequence[int] = (), facts: Sequence[str] = (),
            retry_failed: bool = False, on_exists: str = "skip", manifest: Optional[Location] = None,
            endpoint: Optional[str] = None, storage: Optional[Mapping[str, Any]] = None, **options: Any) -> Any:
    """Converts photos with the options of `apus convert`.

    source is a folder or prefix as a URL, or a list of files below one folder, and target a folder or prefix. Returns a
    Summary; the manifest has the result for each photo. Running again converts what is missing or has changed, and with
    retry_failed= what has failed. An existing file that this did not write is kept, unless on_exists="replace".

    source may be a Dataset of Ray instead, with the columns path and bytes, and without a target. Returns a Dataset with
    the additional columns files (name, ending and bytes of each), warnings, error and those that facts= names.

    sizes= makes pictures of several sizes from one decoding; facts= adds what `info` or `hvcc check` report about each photo.
    """
    if target is None:
        return converted(source, options, sizes, facts)
    return Job(source, target, options, sizes=sizes, facts=facts, retry_failed=retry_failed, on_exists=on_exists,
               manifest=manifest, endpoint=endpoint, storage=storage).run()
