# SPDX-License-Identifier: MIT
"""What became of each photo, as Parquet beside the outputs."""

import io
import secrets

import pyarrow
import pyarrow.parquet

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


class Manifest:
    """The rows of all runs into one target; of two about a source the later one counts."""

    def __init__(self, place):
        self.place = place
        self._parts = sorted(name for name in place.entries() if name.endswith(".parquet"))
        self.rows = {}
        for name in self._parts:
            for row in read(place.read(name)):
                known = self.rows.get(row["source"])
                if known is None or row["run"] >= known["run"]:
                    self.rows[row["source"]] = row
        self.run = 1 + max((row["run"] for row in self.rows.values()), default=0)
        self.run = max([self.run] + [1 + int(name.split("-")[0]) for name in self._parts])
        self._count = 0

    def append(self, rows):
        """Writes rows as a file of their own, which appears whole."""
        if not rows:
            return
        for row in rows:
            row["run"] = self.run
            self.rows[row["source"]] = row
        self._count += 1
        # Two jobs that run by mistake at the same time do not lose each other's.
        name = f"{self.run:08d}-{self._count:08d}-{secrets.token_hex(4)}.parquet"
        self.place.write(name, written(rows))
        self._parts.append(name)

    def compact(self):
        """Makes one file of all, or one of each million rows. What was there is removed once they are written."""
        if len(self._parts) < 2:
            return
        before, self._parts = self._parts, []
        rows = [self.rows[source] for source in sorted(self.rows)]
        for start in range(0, len(rows), ROWS):
            self._count += 1
            name = f"{self.run:08d}-{self._count:08d}-{secrets.token_hex(4)}.parquet"
            self.place.write(name, written(rows[start:start + ROWS]))
            self._parts.append(name)
        for name in before:
            self.place.remove(name)


def written(rows):
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, SCHEMA), buffer, compression="zstd")
    return buffer.getvalue()


def read(data):
    return pyarrow.parquet.read_table(io.BytesIO(data), schema=SCHEMA).to_pylist()
