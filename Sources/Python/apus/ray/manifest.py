# SPDX-License-Identifier: MIT
"""What became of each photo, as Parquet beside the outputs."""

from __future__ import annotations

import io
import secrets
import sys
from typing import Any, Dict, List, Mapping, Optional

import pyarrow
import pyarrow.parquet

from .places import Place

TEXTS = pyarrow.list_(pyarrow.string())
SCHEMA = pyarrow.schema([
    ("source", pyarrow.string()),
    ("etag", pyarrow.string()),
    ("mtime", pyarrow.float64()),
    ("size", pyarrow.int64()),
    ("status", pyarrow.string()),  # converted, salvaged, skipped, failed
    ("targets", TEXTS),
    ("digests", TEXTS),  # SHA-256 of each target
    ("bytes", pyarrow.int64()),  # of all targets
    ("warnings", TEXTS),
    ("error_kind", pyarrow.string()),
    ("error_place", pyarrow.string()),
    ("error", pyarrow.string()),
    ("seconds", pyarrow.float64()),
    ("decoder", pyarrow.string()),
    ("version", pyarrow.string()),
    ("options", pyarrow.string()),
    ("facts", pyarrow.string()),  # JSON by verb, of what was asked for
    ("run", pyarrow.int64()),
])
FOLDER = "_apus"
ROWS = 1_000_000


class Known:
    """What is kept in memory of a row."""

    __slots__ = ("etag", "mtime", "size", "status", "targets", "digests", "bytes", "error_kind", "seconds", "options", "run")

    etag: Optional[str]
    mtime: Optional[float]
    size: int
    status: str
    targets: List[str]
    digests: List[str]
    bytes: int
    error_kind: Optional[str]
    seconds: float
    options: str
    run: int

    def __init__(self, row: Mapping[str, Any]) -> None:
        for name in self.__slots__:
            setattr(self, name, row[name])
        # These are the same texts a million times.
        self.status, self.options = sys.intern(self.status), sys.intern(self.options)


class Manifest:
    """The rows of all runs into one target; of two about a source the later one counts."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._parts = sorted(name for name in place.entries() if name.endswith(".parquet"))
        self.known: Dict[str, Known] = {}
        for name in self._parts:
            for batch in self._table(name).select(["source", *Known.__slots__]).to_batches(max_chunksize=4096):
                for row in batch.to_pylist():
                    before = self.known.get(row["source"])
                    if before is None or row["run"] >= before.run:
                        self.known[row["source"]] = Known(row)
        self.run = max([0, *(int(name.split("-")[0]) for name in self._parts)]) + 1
        self._count = 0

    def _table(self, name: str) -> Any:
        return pyarrow.parquet.read_table(io.BytesIO(self.place.read(name)), schema=SCHEMA)

    def table(self) -> Any:
        """The rows that count, by their sources in order."""
        if not self._parts:
            return SCHEMA.empty_table()
        whole = pyarrow.concat_tables(map(self._table, self._parts))
        last: Dict[str, int] = {}
        runs = whole["run"].to_pylist()
        for place, source in enumerate(whole["source"].to_pylist()):
            if source not in last or runs[place] >= runs[last[source]]:
                last[source] = place
        return whole.take([last[source] for source in sorted(last)])

    def append(self, rows: List[Dict[str, Any]]) -> None:
        """Writes rows as a file of their own, which appears whole."""
        if not rows:
            return
        for row in rows:
            row["run"] = self.run
            self.known[row["source"]] = Known(row)
        self._write(pyarrow.Table.from_pylist(rows, SCHEMA))

    def compact(self) -> None:
        """Makes one file of all, or one of each million rows. What was there is removed once they are written."""
        if len(self._parts) < 2:
            return
        table = self.table()
        before = self._parts
        self._parts = []
        for start in range(0, len(table), ROWS):
            self._write(table.slice(start, ROWS))
        for name in before:
            self.place.remove(name)

    def _write(self, table: Any) -> None:
        self._count += 1
        # Two jobs that run by mistake at the same time do not lose each other's.
        name = f"{self.run:08d}-{self._count:08d}-{secrets.token_hex(4)}.parquet"
        buffer = io.BytesIO()
        pyarrow.parquet.write_table(table, buffer, compression="zstd")
        self.place.write(name, buffer.getvalue())
        self._parts.append(name)
