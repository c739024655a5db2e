# SPDX-License-Identifier: MIT
"""A job: the photos that it converts, and the record of their results."""

from __future__ import annotations

import json
import logging
import math
import os
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import ray
from ray.exceptions import NodeDiedError, ObjectLostError, OutOfMemoryError, WorkerCrashedError

import apus

from .manifest import FOLDER, KNOWN, Manifest, Row
from .photos import Recipe, check
from .places import Entry, Location, Place

# The photos that `apus convert -r` looks for, and the pictures that it looks for with --format heic.
PHOTOS = (".heic", ".heif", ".hif", ".avci", ".heics")
PICTURES = (".jpg", ".jpeg", ".png", ".ppm", ".pgm", ".y4m")
# Seconds after which rows are recorded.
PATIENCE = 5
# The maximum number of photos in a task, and the number of tasks that are left for each processor before tasks get smaller, so
# that all processors finish at about the same time.
MOST, LEFT = 64, 8
# The number of submitted tasks for each processor, so that Ray always has one to start.
SUBMITTED = 2
# The maximum number of failures that are named.
NAMED = 100
# The errors of a task whose process or machine is gone.
LOST = (WorkerCrashedError, OutOfMemoryError, NodeDiedError, ObjectLostError)


@dataclass
class Summary:
    """The result of a job."""

    converted: int = 0
    salvaged: int = 0
    skipped: int = 0
    failed: int = 0
    finished_before: int = 0
    failed_before: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    seconds: float = 0.0
    workers_lost: int = 0
    failures: List[str] = field(default_factory=list)
    failures_before: List[str] = field(default_factory=list)

    def count(self, row: Row) -> None:
        """Adds the result of a photo."""
        setattr(self, row["status"], getattr(self, row["status"]) + 1)
        self.bytes_in += row["size"] if row["status"] in ("converted", "salvaged") else 0
        self.bytes_out += row["bytes"]
        if row["status"] == "failed" and len(self.failures) < NAMED:
            self.failures.append(f"{row['source']}: {row['error']}")

    def count_before(self, row: Mapping[str, Any]) -> None:
        """Adds a photo that failed in an earlier run."""
        self.failed_before += 1
        if len(self.failures_before) < NAMED:
            self.failures_before.append(f"{row['source']}: {row['error']}")

    @property
    def done(self) -> int:
        """The number of photos whose result is known."""
        return self.converted + self.salvaged + self.skipped + self.failed


class Job:
    """A conversion of the photos in one folder or prefix into another."""

    def __init__(self, source: Union[Location, Iterable[Location]], target: Location, options: Mapping[str, Any], *,
                 sizes: Sequence[int] = (), facts: Sequence[str] = (), retry_failed: bool = False, on_exists: str = "skip",
                 manifest: Optional[Location] = None, endpoint: Optional[str] = None,
                 storage: Optional[Mapping[str, Any]] = None, converts: bool = True) -> None:
        if on_exists not in ("skip", "replace"):
            raise ValueError(f"on_exists is {on_exists!r}, neither skip nor replace")
        if not converts and not facts:
            raise ValueError("nothing is asked for: neither files nor facts")
        sizes = [int(size) for size in sizes]
        check(options, sizes, facts)
        asked = {name.replace("_", "-"): value for name, value in options.items() if value not in (None, False)}
        asked.update({name: sorted(values) for name, values in (("sizes", sizes), ("facts", facts)) if values})
        self.text = json.dumps(asked, sort_keys=True)
        self.format = options.get("format") or "jpeg"
        self.retry_failed, self.converts = retry_failed, converts
        folder, self._names = common_folder(source)
        self.source, self.target = Place(folder, endpoint, storage), Place(target, endpoint, storage)
        self.records = Place(manifest or f"{str(target).rstrip('/')}/{FOLDER}", endpoint, storage)
        self.recipe = Recipe(self.source, self.target, options, sizes, facts, on_exists == "replace")
        for place in (self.source, self.target, self.records):
            if place.protocol == "memory":
                raise ValueError(f"{place.url} is in the memory of one process, which the workers of a cluster do not share")

    def entries(self) -> Dict[str, Entry]:
        """Returns the photos of the source, except those in the target if that is inside."""
        if self.source.is_local and not os.path.isdir(self.source.root):
            raise NotADirectoryError(f"{self.source.url} is not a folder")
        found = self.source.entries()
        if self._names is not None:
            if missing := [name for name in self._names if name not in found]:
                raise FileNotFoundError(f"{self.source.path(missing[0])} is not there")
            return {name: found[name] for name in self._names}
        is_inside = self.source.fs == self.target.fs and self.source.root != self.target.root
        endings = PICTURES if self.format == "heic" else PHOTOS
        return {name: entry for name, entry in found.items() if os.path.splitext(name)[1].lower() in endings
                and not (is_inside and self.source.path(name).startswith(self.target.path("")))}

    def targets(self, name: str) -> List[str]:
        """Returns the files that are made from a photo, as `apus convert` names them."""
        stem, ending = os.path.splitext(name)[0], {"jpeg": "jpg"}.get(self.format, self.format)
        names = [f"{stem}.{size}.{ending}" for size in self.recipe.sizes] or [f"{stem}.{ending}"]
        return names if self.converts else []

    def plan(self) -> Tuple[List[Row], List[Row], Summary]:
        """Returns rows for the photos to convert, rows for those that cannot be, and the numbers of those that are finished."""
        todo, settled, summary = [], [], Summary()
        self.kept = Manifest(self.records)
        before = {row["source"]: row for row in self.kept.table().select(KNOWN).to_pylist()}
        entries, there = self.entries(), self.target.entries() if self.converts else {}
        sources = {self.source.path(name) for name in entries} if self.source.fs == self.target.fs else set()
        claimed: Dict[str, str] = {}
        for name, entry in sorted(entries.items(), key=lambda item: item[0].encode()):
            row = {**entry._asdict(), "targets": [], "digests": [], "bytes": 0, "warnings": [], "seconds": 0.0,
                   "version": apus.__version__, "options": self.text, "run": self.kept.run}
            targets = self.targets(name)
            taken = next((target for target in targets if target in claimed), None)
            own = next((target for target in targets if self.target.path(target) in sources), None)
            if taken or own:
                reason = f"the output of {claimed[taken]}, another file of this run" if taken else "a file that the job reads"
                settled.append({**row, "status": "failed", "error_kind": "misuse", "error": f"{taken or own} is {reason}"})
                continue
            claimed.update(dict.fromkeys(targets, name))
            known = before.get(name, {"status": None, "targets": [], "digests": [], "options": None})
            status = known["status"]
            is_same = known["options"] == self.text and Entry(*(known[key] for key in Entry._fields)).identity == entry.identity
            ours = dict(zip(known["targets"], known["digests"]))
            foreign = next((target for target in targets if target in there and target not in ours), None)
            if is_same and status in ("converted", "salvaged") and all(target in there for target in targets):
                summary.finished_before += 1
            elif is_same and status == "failed" and known["error_kind"] != "misuse" and not self.retry_failed:
                summary.count_before(known)
            # A photo that failed, or whose run was killed, may have left files: they are compared once it is converted.
            elif foreign and not self.recipe.replaces and status not in ("begun", "failed"):
                settled.append({**row, "status": "skipped", "warnings": [f"{foreign} already exists"]})
            else:
                todo.append({**row, "status": "begun", "targets": targets, "digests": list(map(ours.get, targets))})
        return todo, settled, summary

    def run(self, progress: Optional[Callable[[int, int], Any]] = None) -> Summary:
        """Converts what is missing or has changed, and records the results. progress is called every few seconds with the
        number of photos that are done, and of all."""
        start = time.monotonic()
        todo, settled, summary = self.plan()
        count = len(todo) + len(settled)
        self._progress = lambda: progress(summary.done, count) if progress else None
        self._record(settled, summary)
        if todo:
            self.kept.append(todo)
            if not ray.is_initialized():
                ray.init(log_to_driver=False, logging_level=logging.WARNING)
            self._convert(todo, summary)
        self.kept.compact()
        summary.seconds = time.monotonic() - start
        return summary

    def _record(self, rows: List[Row], summary: Summary) -> None:
        self.kept.append(rows)
        for row in rows:
            summary.count(row)

    def _convert(self, todo: List[Row], summary: Summary) -> None:
        """Converts photos in tasks, which Ray places, and for which it starts processes.

        Ray must not retry a task: the photo that ended its process would end the next one too. Instead, each photo of a lost
        task becomes a task, and one whose task is lost again has failed. A process runs one task at a time, and its answer
        arrives before it gets another, so no other photo can be the cause.
        """
        task, recipe = ray.remote(max_retries=0)(Recipe.convert), ray.put(self.recipe)
        calls: Dict[Any, Tuple[List[Row], bool]] = {}
        alone: List[Row] = []
        rows: List[Row] = []
        recorded = time.monotonic()
        try:
            while todo or alone or calls:
                resources: Any = ray.cluster_resources()  # type: ignore[no-untyped-call]
                processors = max(1, int(resources.get("CPU", 1)))
                while (queue := alone or todo) and len(calls) < SUBMITTED * processors:
                    count = 1 if queue is alone else min(MOST, math.ceil(len(queue) / (processors * LEFT)))
                    photos = queue[-count:]
                    del queue[-count:]
                    calls[task.remote(recipe, photos)] = photos, queue is alone
                if ready := ray.wait(list(calls), timeout=PATIENCE)[0]:
                    ready = ray.wait(list(calls), num_returns=len(calls), timeout=0)[0]
                for call in ready:
                    photos, is_alone = calls.pop(call)
                    try:
                        rows += ray.get(call)
                    except LOST:
                        summary.workers_lost += 1
                        if is_alone:
                            rows.append({**photos[0], "targets": [], "digests": [], "status": "failed", "error_kind": "crash",
                                         "error": "ended its worker twice, the second time alone"})
                        else:
                            alone.extend(photos)
                if time.monotonic() - recorded > PATIENCE:
                    self._record(rows, summary)
                    rows, recorded = [], time.monotonic()
                    self._progress()
        finally:
            self._record(rows, summary)
            for call in calls:
                ray.cancel(call, force=True)


def common_folder(source: Union[Location, Iterable[Location]]) -> Tuple[str, Optional[List[str]]]:
    """Returns the folder of the photos, and their names in it if not all of them are meant."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source), None
    paths = [str(path) for path in source]
    folder = os.path.commonprefix(paths).rpartition("/")[0]
    if not folder or folder.endswith(":/"):
        raise ValueError("the photos have no folder in common")
    return folder, [path[len(folder) + 1:] for path in paths]
