# SPDX-License-Identifier: MIT
"""What runs on the machines of a cluster: an engine that converts photos, and writes what it has made."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterable, List, Mapping, Optional

import pyarrow
import ray

import apus

from . import manifest
from .places import Place

# What is to be done with a photo, and what became of it: a row of the manifest.
Photo = Mapping[str, Any]
Row = Dict[str, Any]

# How many photos are read or written while others are converted, for each thread of the engine.
AHEAD = 3


class Ledger:
    """Which batches have begun and not ended: so it is known which photos were under way where a worker died."""

    def __init__(self) -> None:
        self._begun: Dict[str, int] = {}
        self._alone: Dict[str, int] = {}
        self.deaths = 0

    def begin(self, batch: str) -> int:
        """How often the batch has begun before."""
        before = self._begun.get(batch, 0)
        self._begun[batch] = before + 1
        self.deaths += before > 0
        return before

    def begin_alone(self, source: str) -> int:
        """How often a photo has begun alone before, without an end."""
        before = self._alone.get(source, 0)
        self._alone[source] = before + 1
        return before

    def end_alone(self, source: str) -> None:
        """A photo has ended alone."""
        self._alone.pop(source, None)

    def end(self, batch: str) -> None:
        """A batch has ended."""
        self._begun.pop(batch, None)

    def count_deaths(self) -> int:
        """How many batches have lost their worker."""
        return self.deaths


class Converter:
    """An actor of the pool, with an engine of its own."""

    def __init__(self, source: Place, target: Place, asked: Mapping[str, Any], workers: int, ledger: Any) -> None:
        self.source, self.target, self.asked, self.ledger = source, target, asked, ledger
        self.engine = apus.Engine(workers)
        self.threads = ThreadPoolExecutor(workers * (1 + AHEAD))
        # Reading and writing go beyond this; decoding does not, so that memory has a bound.
        self.turns = threading.Semaphore(workers + 1)

    def __call__(self, table: Any) -> Any:
        batch = table["batch"][0].as_py()
        work = json.loads(table["work"][0].as_py())
        if ray.get(self.ledger.begin.remote(batch)) == 0:
            rows = list(self.threads.map(self.row, work))
        else:
            # This batch has ended a worker, or was lost with one: each of its photos has its turn alone.
            rows = [self.alone(photo) for photo in work]
        self.ledger.end.remote(batch)
        return pyarrow.Table.from_pylist(rows, manifest.SCHEMA)

    def alone(self, photo: Photo) -> Row:
        """What has become of a photo that may be one that ends workers."""
        before: Any = ray.get(self.ledger.begin_alone.remote(photo["source"]))
        if before > 0:
            return self.refused(photo, "crash", "ended its worker twice, the second time alone")
        row = self.row(photo)
        ray.get(self.ledger.end_alone.remote(photo["source"]))
        return row

    def row(self, photo: Photo) -> Row:
        """What has become of a photo; nothing that goes wrong with it ends the batch."""
        start = time.monotonic()
        try:
            row = self.convert(photo)
        except apus.Error as error:
            row = self.refused(photo, error.kind, error.message, error.place)
        except Exception as error:
            row = self.refused(photo, "io", f"{type(error).__name__}: {error}")
        row["seconds"] = time.monotonic() - start
        return row

    def convert(self, photo: Photo) -> Row:
        """Reads, converts and writes a photo."""
        data = self.source.read(photo["source"])
        if len(data) != photo["size"]:
            return self.refused(photo, "io", f"has changed from {photo['size']} bytes to {len(data)} while the job ran")
        with self.turns:
            found = facts_of(data, self.asked["facts"])
            if not self.asked["converts"]:
                return self.made(photo, [], found=found)
            with apus.Photo(data, self.engine) as opened:
                files, report = opened.make_files(sides=self.asked["sizes"], **self.asked["options"])
        if len(files) != len(photo["targets"]):
            return self.refused(photo, "incomplete", f"became {len(files)} files, not {len(photo['targets'])}")
        digests = []
        for target, (_, _, content) in zip(photo["targets"], files):
            digests.append(hashlib.sha256(content).hexdigest())
            refusal = self.write(photo, target, content, digests[-1])
            if refusal:
                row = self.made(photo, [], report, found)
                row.update(status="skipped", targets=[], warnings=[refusal])
                return row
        row = self.made(photo, digests, report, found)
        row["bytes"] = sum(len(content) for _, _, content in files)
        return row

    def write(self, photo: Photo, target: str, content: bytes, digest: str) -> Optional[str]:
        """Writes a file. Returns why it was not, where another is there."""
        ours = photo["ours"].get(target)
        try:
            self.target.write(target, content, replaces=self.asked["replaces"])
            return None
        except FileExistsError:
            pass
        there = self.target.digest(target)
        if there == digest:
            # Written by a worker, or a run, that did not live to say so.
            return None
        if ours is None:
            return f"{target} is there already"
        if there != ours:
            return f"{target} is no longer what was written for this photo"
        self.target.write(target, content, replaces=True)
        return None

    def made(self, photo: Photo, digests: List[str], report: Optional[Mapping[str, Any]] = None,
             found: Optional[Mapping[str, Any]] = None) -> Row:
        """The row of a photo that was converted."""
        row = self.base(photo)
        report = report or {}
        decoders = "+".join(decoder["name"] for decoder in report.get("decoders", []))
        row.update(status=report.get("status", "converted"), targets=photo["targets"] if digests else [], digests=digests,
                   warnings=report.get("warnings", []), decoder=decoders or None,
                   facts=json.dumps(found) if found else None)
        return row

    def refused(self, photo: Photo, kind: str, reason: str, place: Optional[str] = None) -> Row:
        """The row of a photo that was not."""
        row = self.base(photo)
        row.update(status="failed", error_kind=kind, error=reason, error_place=place)
        return row

    def base(self, photo: Photo) -> Row:
        """The row of a photo, without what has become of it."""
        row: Row = dict.fromkeys(manifest.SCHEMA.names)
        row.update(source=photo["source"], etag=photo["etag"], mtime=photo["mtime"], size=photo["size"], targets=[],
                   digests=[], bytes=0, warnings=[], version=apus.__version__, options=self.asked["text"], seconds=0.0)
        return row


def facts_of(data: bytes, verbs: Iterable[str]) -> Dict[str, Any]:
    """What verbs say of a photo; of one that cannot be read, why."""
    found: Dict[str, Any] = {}
    for verb in verbs:
        try:
            with apus.Photo(data) as photo:
                found[verb] = photo.facts(verb)
        except apus.Error as error:
            found[verb] = {"error": {"kind": error.kind, "message": error.message}}
    return found
