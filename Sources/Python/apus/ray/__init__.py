# SPDX-License-Identifier: MIT
"""Photos by the million on a cluster of Ray, and any storage that fsspec knows. Needs `pip install "apus[ray]"`.

    python -m apus.ray s3://photos/2026/ s3://jpegs/2026/ --quality 85

    import apus.ray
    summary = apus.ray.convert("s3://photos/2026/", "s3://jpegs/2026/", quality=85)

    dataset = ray.data.read_binary_files("s3://photos/2026/", include_paths=True)
    dataset = apus.ray.convert(dataset, max_size=1024)   # has the columns files and error beside path and bytes
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

if TYPE_CHECKING:
    from .datasets import facts as facts
    from .job import Job, Location, Summary
    from .manifest import Manifest

__all__ = ["Job", "Manifest", "Summary", "convert", "facts"]
# What is imported when it is asked for: an actor needs none of it, and begins the faster.
_ROOMS = {"Job": "job", "Summary": "job", "Manifest": "manifest", "facts": "datasets"}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ROOMS[name]}", __name__), name)


def convert(source: Any, target: Optional[Location] = None, *, sizes: Sequence[int] = (), facts: Sequence[str] = (),
            workers: Optional[int] = None, actors: Optional[int] = None, retry_failed: bool = False, on_exists: str = "skip",
            manifest: Optional[Location] = None, endpoint: Optional[str] = None,
            storage: Optional[Mapping[str, Any]] = None, **options: Any) -> Any:
    """Converts photos with the options of `apus convert`.

    source is a folder or prefix as a URL, or a list of files below one folder, and target a folder or prefix; returned is a
    Summary, and what became of each photo stands in the manifest. Running again does what is missing or changed, and with
    retry_failed= what failed. Nothing is written over that this has not written itself, unless on_exists="replace".

    source may be a Dataset of Ray instead, with the columns path and bytes, and without a target: returned is a Dataset that
    has the columns files (name, ending and bytes of each), warnings, error and what facts= names.

    sizes= makes pictures of several sizes of one decoding, facts= adds what `info` or `hvcc check` say of each photo as a
    column. workers is how many threads an actor has, actors how many of them there are at most.
    """
    if target is None and hasattr(source, "map_batches"):
        from .datasets import convert_dataset
        return convert_dataset(source, sizes=sizes, facts=facts, workers=workers, actors=actors, **options)
    if target is None:
        raise TypeError("a target is missing")
    from .job import Job
    job = Job(source, target, options, sizes=sizes, facts=facts, workers=workers, actors=actors,
              retry_failed=retry_failed, on_exists=on_exists, manifest=manifest, endpoint=endpoint, storage=storage)
    return job.run()
