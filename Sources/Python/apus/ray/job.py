# SPDX-License-Identifier: MIT
"""A job: its plan, its pool of workers, and what it writes down."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import secrets
import time
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple, Union

import pyarrow
import pyarrow.parquet
import ray

import apus

from . import plan as _plan
from .manifest import FOLDER, Manifest
from .places import Entry, Place
from .pool import Pool
from .prices import Prices
from .work import Row, Work

# Rows are written down when there are so many, or after so many seconds.
ROWS, SECONDS = 4096, 5
Location = Union[str, "PathLike[str]"]
FACTS = ("info", "inspect", "hvcc show", "hvcc check")


@dataclass
class Summary:
    """What a job came to."""

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

    def count(self, row: Mapping[str, Any]) -> None:
        """Counts what has become of a photo."""
        setattr(self, row["status"], getattr(self, row["status"]) + 1)
        self.bytes_in += row["size"] if row["status"] in ("converted", "salvaged") else 0
        self.bytes_out += row["bytes"]
        if row["status"] == "failed" and len(self.failures) < 100:
            self.failures.append(f"{row['source']}: {row['error']}")


class Job:
    """The photos of a folder or prefix, as files of another."""

    def __init__(self, source: Union[Location, Iterable[Location]], target: Location, options: Mapping[str, Any], *,
                 sizes: Sequence[int] = (), facts: Sequence[str] = (), workers: Optional[int] = None,
                 actors: Optional[int] = None, retry_failed: bool = False, on_exists: str = "skip",
                 manifest: Optional[Location] = None, endpoint: Optional[str] = None,
                 storage: Optional[Mapping[str, Any]] = None, converts: bool = True, prices: Optional[Prices] = None) -> None:
        if on_exists not in ("skip", "replace"):
            raise ValueError(f"on_exists is {on_exists!r}, neither skip nor replace")
        if unknown := set(facts) - set(FACTS):
            raise ValueError(f"facts are {', '.join(FACTS)}, not {', '.join(sorted(unknown))}")
        self.sizes, self.facts, self.options = list(sizes), list(facts), dict(options)
        self.format = self.options.get("format") or "jpeg"
        self.workers, self.actors, self.retry_failed = workers, actors, retry_failed
        self.replaces, self.converts, self.version = on_exists == "replace", converts, apus.__version__
        self.text = _plan.options_text(self.options, self.sizes, self.facts)
        self.prices = prices or Prices()
        check(self.options, self.sizes)
        self._names: Optional[List[str]] = None
        if isinstance(source, (str, PathLike)):
            folder = source
        else:
            folder, self._names = common_folder(list(source))
        self.source = Place(folder, endpoint, storage)
        self.target = Place(target, endpoint, storage)
        self.records = Place(manifest or f"{str(target).rstrip('/')}/{FOLDER}", endpoint, storage)
        for place in (self.source, self.target, self.records):
            if place.protocol == "memory":
                raise ValueError(f"{place.url} is in the memory of one process, which the actors of a cluster do not share")
        if not self.converts and not self.facts:
            raise ValueError("nothing is asked for: neither files nor facts")

    # What there is to do.

    def entries(self) -> Dict[str, Entry]:
        """The photos of the source, but not those in the folder that is written to."""
        if self.source.is_local and not os.path.isdir(self.source.root):
            raise NotADirectoryError(f"{self.source.url} is not a folder")
        found = self.source.entries()
        if self._names is not None:
            missing = [name for name in self._names if name not in found]
            if missing:
                raise FileNotFoundError(f"{self.source.path(missing[0])} is not there")
            return {name: found[name] for name in self._names}
        inside = None
        if self.source.holds(self.target) and self.source.root != self.target.root:
            inside = self.target.root[len(self.source.root) + 1:] + "/"
        return {name: entry for name, entry in found.items()
                if _plan.looked_for(name, self.format) and not name.startswith(f"{FOLDER}/")
                and not (inside and name.startswith(inside))}

    def sources_in_target(self, entries: Iterable[str]) -> Set[str]:
        """The files that the job reads, by the names that they have in the target; none may be written over."""
        if not self.target.holds(self.source):
            inside = self.target.root[len(self.source.root) + 1:]
            if not self.source.holds(self.target):
                return set()
            return {name[len(inside) + 1:] for name in entries if name.startswith(inside + "/")}
        before = self.source.root[len(self.target.root) + 1:]
        return {f"{before}/{name}" if before else name for name in entries}

    def marks(self) -> Dict[str, Set[str]]:
        """What runs that have not ended may have written, by the names of their marks."""
        marks: Dict[str, Set[str]] = {}
        for name in self.records.entries():
            if name.endswith(".begun"):
                # A run that ends removes its own.
                with contextlib.suppress(FileNotFoundError):
                    table = pyarrow.parquet.read_table(io.BytesIO(self.records.read(name)))
                    marks[name] = set(table["target"].to_pylist())
        return marks

    def begun(self) -> Set[str]:
        """What runs that have not ended may have written."""
        return set().union(*self.marks().values())

    def plan(self) -> Tuple[_plan.Plan, Dict[str, Entry]]:
        """What there is to do, and what is in the target."""
        self.kept = Manifest(self.records)
        entries = self.entries()
        there = self.target.entries() if self.converts else {}
        return _plan.make(entries, there, self.kept, self), there

    # What is done.

    def run(self) -> Summary:
        """Converts what is to be converted, and writes down what became of it."""
        start = time.monotonic()
        plan, there = self.plan()
        summary = Summary(finished_before=plan.finished, failed_before=plan.failed_before)
        for row in plan.settled:
            summary.count(row)
        self.kept.append(plan.settled)
        marks = self.marks()
        if plan.todo:
            written = {target for work in plan.todo for target in work.targets} - set(there)
            marks[self._mark(written)] = written
            begin()
            self._convert(plan.todo, summary)
        self.kept.compact()
        # A photo that failed may have been written all the same, before its worker ended or beside another size.
        failed = {target for source, row in self.kept.known.items() if row.status == "failed"
                  for target in _plan.names(source, self.format, self.sizes)}
        if still := failed & self.begun():
            self._mark(still)
        for name, targets in marks.items():
            # Of the files of other photos there are no rows yet.
            if targets <= plan.targets.keys():
                self.records.remove(name)
        summary.seconds = time.monotonic() - start
        return summary

    def _mark(self, targets: Iterable[str]) -> str:
        """Writes down which files this may have written, without a row that says so."""
        # A run that ended before it had a row has the same number as this one.
        name = f"{self.kept.run:08d}-{secrets.token_hex(4)}.begun"
        buffer = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.table({"target": pyarrow.array(sorted(targets), pyarrow.string())}), buffer)
        self.records.write(name, buffer.getvalue())
        return name

    def _convert(self, todo: List[Work], summary: Summary) -> None:
        """Converts photos, and writes down rows as they come."""
        workers, actors = processors(self.workers, self.actors)
        asked = {"options": self.options, "sizes": self.sizes, "facts": self.facts, "replaces": self.replaces,
                 "converts": self.converts, "text": self.text}
        pool = Pool((self.source, self.target, asked, workers), workers, actors)
        rows: List[Row] = []
        last = time.monotonic()
        try:
            with contextlib.closing(pool.convert(todo, SECONDS)) as answers:
                for answer in answers:
                    rows += answer
                    if len(rows) >= ROWS or time.monotonic() - last > SECONDS:
                        self._keep(rows, summary)
                        rows, last = [], time.monotonic()
        finally:
            self._keep(rows, summary)
            summary.workers_lost = pool.deaths

    def _keep(self, rows: List[Row], summary: Summary) -> None:
        self.kept.append(rows)
        for row in rows:
            summary.count(row)


def begin(**cluster: Any) -> None:
    """A cluster, where none was begun yet, that prints nothing."""
    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level=logging.WARNING, **cluster)


def processors(workers: Optional[int], actors: Optional[int]) -> Tuple[int, int]:
    """How many threads an actor has, and how many actors there are at most."""
    known: Any = ray.nodes()  # type: ignore[no-untyped-call]
    nodes = [int(node["Resources"].get("CPU", 0)) for node in known if node["Alive"]]
    most = max(nodes, default=1)
    workers = workers or max(1, min(4, most // 2))
    return workers, actors or max(1, sum(node // workers for node in nodes))


def check(options: Mapping[str, Any], sizes: Sequence[int]) -> None:
    """Throws what is wrong with options before anything begins."""
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


def common_folder(files: Sequence[Location]) -> Tuple[str, List[str]]:
    """The folder of files, and their names below it."""
    paths = [str(path) for path in files]
    if not paths:
        raise ValueError("no photos are named")
    folder = paths[0].rpartition("/")[0]
    while not all(path.startswith(folder + "/") for path in paths):
        folder, slash, _ = folder.rpartition("/")
        if not slash or folder.endswith(":/"):
            raise ValueError("the photos have no folder in common")
    return folder, [path[len(folder) + 1:] for path in paths]


__all__ = ["Entry", "Job", "Summary"]
