# SPDX-License-Identifier: MIT
"""The work on photos in the processes of a cluster: tasks of a job, and columns of a dataset."""

from __future__ import annotations

import functools
import hashlib
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

import pyarrow

import apus

from .manifest import TEXT, TEXTS, Row
from .places import Place

FACTS = ("info", "inspect", "hvcc show", "hvcc check")
# The number of photos that a task works on at once, and of those that it decodes at once, which bounds its memory.
BEGUN, DECODED = 4, 2
# The columns that a dataset gets.
FILE = pyarrow.struct({"name": TEXT, "ending": TEXT, "bytes": pyarrow.binary()})
ERROR = pyarrow.struct({"kind": TEXT, "message": TEXT, "place": TEXT})
COLUMNS = {"files": pyarrow.list_(FILE), "warnings": TEXTS, "error": ERROR}


class Recipe(NamedTuple):
    """The places and options of a job."""

    source: Place
    target: Place
    options: Mapping[str, Any]
    sizes: Sequence[int]
    facts: Sequence[str]
    replaces: bool

    def convert(self, photos: List[Row]) -> List[Row]:
        """Converts photos, and returns their rows with the results."""
        turns = threading.Semaphore(DECODED)
        with ThreadPoolExecutor(BEGUN) as threads:
            return list(threads.map(lambda photo: self._outcome(photo, turns), photos))

    def _outcome(self, photo: Row, turns: threading.Semaphore) -> Row:
        """Converts a photo, and returns its row with the result. No error ends the task."""
        start = time.monotonic()
        try:
            result = self._converted(photo, turns)
        except apus.Error as error:
            result = {"status": "failed", "error_kind": error.kind, "error": error.message, "error_place": error.place}
        except Exception as error:
            result = {"status": "failed", "error_kind": "io", "error": f"{type(error).__name__}: {error}"}
        return {**photo, "targets": [], "digests": [], "version": apus.__version__, **result, "seconds": time.monotonic() - start}

    def _converted(self, photo: Row, turns: threading.Semaphore) -> Row:
        """Reads, converts and writes a photo, and returns the columns of the result."""
        data = self.source.read(photo["source"])
        if len(data) != photo["size"]:
            raise apus.Error("io", f"has changed from {photo['size']} bytes to {len(data)} while the job ran")
        result: Row = {"status": "converted"}
        files: apus._types.Files = []
        with turns:
            if self.facts:
                result["facts"] = json.dumps({verb: facts_of(data, verb) for verb in self.facts})
            if photo["targets"]:
                with apus.Photo(data, engine()) as opened:
                    files, report = opened.make_files(sides=self.sizes, **self.options)
                result.update(status=report["status"], warnings=report["warnings"],
                              decoder="+".join(decoder["name"] for decoder in report["decoders"]) or None)
        if len(files) != len(photo["targets"]):
            raise apus.Error("incomplete", f"became {len(files)} files, not {len(photo['targets'])}")
        digests = []
        for target, ours, (_, _, content) in zip(photo["targets"], photo["digests"], files):
            digests.append(hashlib.sha256(content).hexdigest())
            if refusal := self._write(target, content, digests[-1], ours):
                return {**result, "status": "skipped", "warnings": [refusal]}
        return {**result, "targets": photo["targets"], "digests": digests, "bytes": sum(len(content) for _, _, content in files)}

    def _write(self, target: str, content: bytes, digest: str, ours: Optional[str]) -> Optional[str]:
        """Writes a file, or returns the reason why an existing one is kept."""
        try:
            self.target.write(target, content, self.replaces)
            return None
        except FileExistsError:
            there = hashlib.sha256(self.target.read(target)).hexdigest()
        # If the digest is the same, it was written by a task or a run that was killed before it could record that.
        if there not in (digest, ours):
            return f"{target} is no longer what was written for this photo" if ours else f"{target} already exists"
        if there != digest:
            self.target.write(target, content, replaces=True)
        return None


@functools.lru_cache(maxsize=None)
def engine() -> apus.Engine:
    """Returns the engine of this process, in which Ray runs one task after another on one processor."""
    return apus.Engine(1)


def check(options: Mapping[str, Any], sizes: Sequence[int], facts: Sequence[str]) -> None:
    """Raises ValueError if options are wrong."""
    if unknown := set(facts) - set(FACTS):
        raise ValueError(f"facts are {', '.join(FACTS)}, not {', '.join(sorted(unknown))}")
    if options.get("format") in ("ppm", "yuv"):
        raise ValueError("format is jpeg, png or heic")
    if options.get("images") == "all":
        raise ValueError("images=all makes a number of files that is not known beforehand; a job makes one picture of each photo")
    try:
        with apus.Photo(b"") as nothing:
            nothing.make_files(sides=sizes, **options)
    except apus.Error as error:
        if error.kind == "misuse":
            raise ValueError(error.message) from None


def facts_of(data: bytes, verb: str) -> Any:
    """Returns the facts that a verb gives about a photo, or the error if it cannot be read."""
    try:
        with apus.Photo(data) as photo:
            return photo.facts(verb)
    except apus.Error as error:
        return {"error": {"kind": error.kind, "message": error.message}}


def converted(dataset: Any, options: Optional[Mapping[str, Any]], sizes: Sequence[int], verbs: Sequence[str]) -> Any:
    """Adds the columns files, warnings and error, unless options is None, and the facts of verbs."""
    if not hasattr(dataset, "map_batches"):
        raise TypeError("a target is missing")
    check(options or {}, sizes, verbs)
    given = {"options": options, "sizes": sizes, "verbs": verbs}
    return dataset.map_batches(extended, batch_size=16, batch_format="pyarrow", fn_kwargs=given)


def facts(dataset: Any, verbs: Sequence[str] = ("info",)) -> Any:
    """Adds columns with the facts that verbs give about each photo, as JSON: info, inspect, hvcc_show, hvcc_check."""
    return converted(dataset, None, (), verbs)


def extended(table: Any, options: Optional[Mapping[str, Any]], sizes: Sequence[int], verbs: Sequence[str]) -> Any:
    """Returns a batch with the additional columns."""
    photos = table["bytes"].to_pylist()
    if options is not None:
        rows = [columns(data, options, sizes) for data in photos]
        for name, kind in COLUMNS.items():
            table = table.append_column(name, pyarrow.array([row.get(name) for row in rows], kind))
    for verb in verbs:
        found = [json.dumps(facts_of(data, verb)) for data in photos]
        table = table.append_column(verb.replace(" ", "_"), pyarrow.array(found, TEXT))
    return table


def columns(data: bytes, options: Mapping[str, Any], sizes: Sequence[int]) -> Dict[str, Any]:
    """Converts a photo, and returns its columns."""
    try:
        with apus.Photo(data, engine()) as photo:
            files, report = photo.make_files(sides=sizes, **options)
        return {"files": files, "warnings": report["warnings"]}
    except apus.Error as error:
        return {"error": (error.kind, error.message, error.place)}
