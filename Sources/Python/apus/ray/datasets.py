# SPDX-License-Identifier: MIT
"""Datasets of Ray with photos in them."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, List, Mapping, Optional, Sequence

import pyarrow
from ray.data import ActorPoolStrategy, DataContext

import apus

from .worker import facts_of

FILES = pyarrow.list_(pyarrow.struct([("name", pyarrow.string()), ("ending", pyarrow.string()), ("bytes", pyarrow.binary())]))
ERROR = pyarrow.struct([("kind", pyarrow.string()), ("message", pyarrow.string()), ("place", pyarrow.string())])


class Columns:
    """Adds columns to batches that have one called bytes."""

    def __init__(self, converts: bool, options: Mapping[str, Any], sizes: List[int], facts: List[str], workers: int) -> None:
        self.converts, self.options, self.sizes, self.facts = converts, options, sizes, facts
        self.engine = apus.Engine(workers)
        self.threads = ThreadPoolExecutor(workers + 1)

    def __call__(self, table: Any) -> Any:
        rows = list(self.threads.map(self.row, table["bytes"].to_pylist()))
        if self.converts:
            for name, kind in (("files", FILES), ("warnings", pyarrow.list_(pyarrow.string())), ("error", ERROR)):
                table = table.append_column(name, pyarrow.array([row.get(name) for row in rows], kind))
        for verb in self.facts:
            column = pyarrow.array([json.dumps(row["facts"][verb]) for row in rows], pyarrow.string())
            table = table.append_column(verb.replace(" ", "_"), column)
        return table

    def row(self, data: bytes) -> Dict[str, Any]:
        """The columns of a photo."""
        row: Dict[str, Any] = {"facts": facts_of(data, self.facts)}
        if not self.converts:
            return row
        try:
            with apus.Photo(data, self.engine) as photo:
                files, report = photo.make_files(sides=self.sizes, **self.options)
            row["files"] = [{"name": name, "ending": ending, "bytes": content} for name, ending, content in files]
            row["warnings"] = report["warnings"]
        except apus.Error as error:
            row["error"] = {"kind": error.kind, "message": error.message, "place": error.place}
        return row


def convert_dataset(dataset: Any, *, sizes: Sequence[int] = (), facts: Sequence[str] = (), workers: Optional[int] = None,
                    actors: Optional[int] = None, **options: Any) -> Any:
    """The dataset with what is made of each photo: see apus.ray.convert."""
    from .job import check
    check(options, list(sizes))
    return _columns(dataset, True, options, list(sizes), list(facts), workers, actors)


def facts(dataset: Any, verbs: Sequence[str] = ("info",), *, workers: Optional[int] = None,
          actors: Optional[int] = None) -> Any:
    """The dataset with columns of JSON that verbs say of each photo: info, inspect, hvcc_show, hvcc_check."""
    return _columns(dataset, False, {}, [], list(verbs), workers, actors)


def _columns(dataset: Any, converts: bool, options: Mapping[str, Any], sizes: List[int], verbs: List[str],
             workers: Optional[int], actors: Optional[int]) -> Any:
    from .job import begin, processors
    begin()
    context = DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    workers, actors = processors(workers, actors)
    return dataset.map_batches(
        Columns, batch_size=16, batch_format="pyarrow", num_cpus=workers,
        compute=ActorPoolStrategy(min_size=1, max_size=actors), fn_constructor_args=(converts, options, sizes, verbs, workers))
