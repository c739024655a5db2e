# SPDX-License-Identifier: MIT
"""What runs on the machines of a cluster: an engine that converts photos, and writes what it has made."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterable, List, Mapping, Optional

import apus

from .places import Place
from .work import Row, Work, failed

# How many photos are read or written while others are converted, for each thread of the engine.
AHEAD = 3


class Converter:
    """An actor of the pool, with an engine of its own."""

    def __init__(self, source: Place, target: Place, asked: Mapping[str, Any], workers: int) -> None:
        self.source, self.target, self.asked = source, target, asked
        self.engine = apus.Engine(workers)
        self.threads = ThreadPoolExecutor(workers * (1 + AHEAD))
        # Reading and writing go beyond this; decoding does not, so that memory has a bound.
        self.turns = threading.Semaphore(workers + 1)

    def ready(self) -> None:
        """Returns once the actor has begun."""

    def convert(self, photos: List[Work]) -> List[Row]:
        """What became of the photos."""
        return list(self.threads.map(self.row, photos))

    def row(self, photo: Work) -> Row:
        """What has become of a photo; nothing that goes wrong with it ends the batch."""
        start = time.monotonic()
        try:
            row = self.converted(photo)
        except apus.Error as error:
            row = self.refused(photo, error.kind, error.message, error.place)
        except Exception as error:
            row = self.refused(photo, "io", f"{type(error).__name__}: {error}")
        row["seconds"] = time.monotonic() - start
        return row

    def converted(self, photo: Work) -> Row:
        """Reads, converts and writes a photo."""
        data = self.source.read(photo.source)
        if len(data) != photo.size:
            return self.refused(photo, "io", f"has changed from {photo.size} bytes to {len(data)} while the job ran")
        with self.turns:
            found = facts_of(data, self.asked["facts"])
            if not self.asked["converts"]:
                return self.made(photo, [], found=found)
            with apus.Photo(data, self.engine) as opened:
                files, report = opened.make_files(sides=self.asked["sizes"], **self.asked["options"])
        if len(files) != len(photo.targets):
            return self.refused(photo, "incomplete", f"became {len(files)} files, not {len(photo.targets)}")
        digests = []
        for target, (_, _, content) in zip(photo.targets, files):
            digests.append(hashlib.sha256(content).hexdigest())
            refusal = self.write(photo, target, content, digests[-1])
            if refusal:
                row = self.made(photo, [], report, found)
                row.update(status="skipped", targets=[], warnings=[refusal])
                return row
        row = self.made(photo, digests, report, found)
        row["bytes"] = sum(len(content) for _, _, content in files)
        return row

    def write(self, photo: Work, target: str, content: bytes, digest: str) -> Optional[str]:
        """Writes a file. Returns why it was not, where another is there."""
        ours = photo.ours.get(target)
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

    def made(self, photo: Work, digests: List[str], report: Optional[Mapping[str, Any]] = None,
             found: Optional[Mapping[str, Any]] = None) -> Row:
        """The row of a photo that was converted."""
        row = self.base(photo)
        report = report or {}
        decoders = "+".join(decoder["name"] for decoder in report.get("decoders", []))
        row.update(status=report.get("status", "converted"), targets=photo.targets if digests else [], digests=digests,
                   warnings=report.get("warnings", []), decoder=decoders or None,
                   facts=json.dumps(found) if found else None)
        return row

    def refused(self, photo: Work, kind: str, reason: str, place: Optional[str] = None) -> Row:
        """The row of a photo that was not."""
        return failed(self.base(photo), kind, reason, place)

    def base(self, photo: Work) -> Row:
        """The row of a photo, without what became of it."""
        return photo.row(apus.__version__, self.asked["text"])


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
