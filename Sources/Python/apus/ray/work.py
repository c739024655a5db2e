# SPDX-License-Identifier: MIT
"""A photo that is to be converted, and the row of the manifest that says what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List

# A row, by the columns below.
Row = Dict[str, Any]
# The columns of the manifest and what is in them, in words: machines that fill in rows need nothing of Arrow.
COLUMNS = {
    "source": "text",
    "etag": "text",
    "mtime": "seconds",
    "size": "count",
    "status": "text",  # converted, salvaged, skipped, failed
    "targets": "texts",
    "digests": "texts",  # SHA-256 of each target
    "bytes": "count",  # of all targets
    "warnings": "texts",
    "error_kind": "text",
    "error_place": "text",
    "error": "text",
    "seconds": "seconds",
    "decoder": "text",
    "version": "text",
    "options": "text",
    "facts": "text",  # JSON by verb, of what was asked for
    "run": "count",
}


@dataclass
class Work:
    """A photo that is to be converted."""

    source: str
    etag: str | None
    mtime: float | None
    size: int
    targets: List[str]
    # Digests of the files that were written for this photo before, which may be replaced.
    ours: Dict[str, str]

    def row(self, version: str, options: str) -> Row:
        """The row of this photo, without what became of it."""
        return blank(self.source, self.etag, self.mtime, self.size, version, options)


def blank(source: str, etag: str | None, mtime: float | None, size: int, version: str, options: str) -> Row:
    """The row of a photo, without what became of it."""
    row: Row = dict.fromkeys(COLUMNS)
    row.update(source=source, etag=etag, mtime=mtime, size=size, targets=[], digests=[], bytes=0, warnings=[], seconds=0.0,
               version=version, options=options)
    return row


def failed(row: Row, kind: str, reason: str, place: str | None = None) -> Row:
    """The row, of a photo that could not be converted."""
    row.update(status="failed", error_kind=kind, error=reason, error_place=place)
    return row
