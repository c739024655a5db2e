# SPDX-License-Identifier: MIT
"""What became of each photo, as Parquet beside the outputs."""

from __future__ import annotations

import io
import secrets
import sys
from typing import Any, Dict, List, Mapping, Optional, Tuple

import pyarrow
import pyarrow.parquet

from .places import Place
from .work import COLUMNS

TYPES = {"text": pyarrow.string(), "texts": pyarrow.list_(pyarrow.string()), "seconds": pyarrow.float64(), "count": pyarrow.int64()}
SCHEMA = pyarrow.schema([(name, TYPES[kind]) for name, kind in COLUMNS.items()])
FOLDER = "_apus"
ROWS = 1_000_000


def rank(run: int, status: str) -> Tuple[int, bool]:
    """Which of two rows of a photo counts. Of two runs at the same time, one skips what the other has converted."""
    return run, status != "skipped"


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
        self.known: Dict[str, Known] = {}
        # Another run may put parts together meanwhile, again and again.
        if not any(self._load() for _ in range(10)):
            raise FileNotFoundError(f"{place.url} lists files that are not there")
        self.run = max([0, *(int(name.split("-")[0]) for name in self._parts)]) + 1
        self._count = 0

    def _load(self) -> bool:
        """Reads every part. Returns whether all were there yet."""
        self._parts = sorted(name for name in self.place.entries() if name.endswith(".parquet"))
        for name in self._parts:
            table = self._table(name)
            if table is None:
                return False
            for batch in table.select(["source", *Known.__slots__]).to_batches(max_chunksize=4096):
                for row in batch.to_pylist():
                    before = self.known.get(row["source"])
                    if before is None or rank(row["run"], row["status"]) >= rank(before.run, before.status):
                        self.known[row["source"]] = Known(row)
        return True

    def _table(self, name: str) -> Any:
        """The rows of a part; None where another run has put them into one of its own."""
        try:
            data = self.place.read(name)
        except FileNotFoundError:
            return None
        return pyarrow.parquet.read_table(io.BytesIO(data), schema=SCHEMA)

    def table(self) -> Any:
        """The rows that count, by their sources in order."""
        tables = [table for table in map(self._table, self._parts) if table is not None]
        if not tables:
            return SCHEMA.empty_table()
        whole = pyarrow.concat_tables(tables)
        last: Dict[str, int] = {}
        ranks = list(map(rank, whole["run"].to_pylist(), whole["status"].to_pylist()))
        for place, source in enumerate(whole["source"].to_pylist()):
            if source not in last or ranks[place] >= ranks[last[source]]:
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
