# SPDX-License-Identifier: MIT
"""The results of all photos, as Parquet next to the outputs."""

from __future__ import annotations

import contextlib
import io
import secrets
from typing import Any, Dict, List

import pyarrow
import pyarrow.parquet

from .places import Place

# A row, or some of its columns.
Row = Dict[str, Any]
TEXT, TEXTS, SECONDS, COUNT = pyarrow.string(), pyarrow.list_(pyarrow.string()), pyarrow.float64(), pyarrow.int64()
SCHEMA = pyarrow.schema({
    "source": TEXT, "etag": TEXT, "mtime": SECONDS, "size": COUNT,
    # begun, converted, salvaged, skipped or failed
    "status": TEXT,
    # with the SHA-256 of each, and the size of all
    "targets": TEXTS, "digests": TEXTS, "bytes": COUNT,
    "warnings": TEXTS, "error_kind": TEXT, "error_place": TEXT, "error": TEXT,
    "seconds": SECONDS, "decoder": TEXT, "version": TEXT, "options": TEXT,
    # JSON by verb
    "facts": TEXT,
    "run": COUNT,
})
# The columns that are needed to plan a run.
KNOWN = ["source", "etag", "mtime", "size", "status", "targets", "digests", "error_kind", "error", "options", "run"]
FOLDER = "_apus"
# Rows of a file at most, and attempts to read all files while other runs merge them.
ROWS, ATTEMPTS = 1_000_000, 10


class Manifest:
    """The rows of all runs into one target. For each photo, the last one counts."""

    def __init__(self, place: Place) -> None:
        self.place, self._count = place, 0
        for _ in range(ATTEMPTS):
            self._parts = sorted(name for name in place.entries() if name.endswith(".parquet"))
            with contextlib.suppress(FileNotFoundError):
                parts = [pyarrow.parquet.read_table(io.BytesIO(place.read(name)), schema=SCHEMA) for name in self._parts]
                break
        else:
            raise FileNotFoundError(f"{place.url} lists files that are not there")
        self._tables = [SCHEMA.empty_table(), *parts]
        self.run = max([0, *(int(name.split("-")[0]) for name in self._parts)]) + 1

    def table(self) -> Any:
        """Returns the rows that count, sorted by source."""
        whole = pyarrow.concat_tables(self._tables)
        sources, statuses, runs = (whole[name].to_pylist() for name in ("source", "status", "run"))
        # If two runs convert a photo at the same time, one of them skips it.
        ranks = [(status != "begun", run, status != "skipped") for status, run in zip(statuses, runs)]
        last: Dict[str, int] = {}
        for number, source in enumerate(sources):
            if ranks[number] >= ranks[last.setdefault(source, number)]:
                last[source] = number
        return whole.take(pyarrow.array([last[source] for source in sorted(last)], COUNT))

    def append(self, rows: List[Row]) -> None:
        """Adds rows, as a file that appears whole."""
        if rows:
            self._write(pyarrow.Table.from_pylist(rows, SCHEMA))

    def compact(self) -> None:
        """Merges the files, and then removes them."""
        if len(self._parts) > 1:
            before, table = self._parts, self.table()
            self._parts, self._tables = [], [SCHEMA.empty_table()]
            for start in range(0, len(table), ROWS):
                self._write(table.slice(start, ROWS))
            for name in before:
                self.place.remove(name)

    def _write(self, table: Any) -> None:
        self._count += 1
        # Two runs at the same time may have the same number.
        name = f"{self.run:08d}-{self._count:08d}-{secrets.token_hex(4)}.parquet"
        buffer = io.BytesIO()
        pyarrow.parquet.write_table(table, buffer, compression="zstd")
        self.place.write(name, buffer.getvalue())
        self._parts.append(name)
        self._tables.append(table)
