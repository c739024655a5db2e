# SPDX-License-Identifier: MIT

from __future__ import annotations

from typing import Any, Optional, Tuple


class Error(Exception):
    """Why a photo could not be opened, decoded, converted or encoded.

    kind is one word: truncated, invalid, corrupt, incomplete (the file is damaged), unsupported, missing (a library is),
    limit, memory, io, misuse (the call was wrong), nothing, cancelled. place says where in the file, such as
    'meta/iprp at byte 33', and offset is that byte; both may be None.
    """

    kind: str
    message: str
    place: Optional[str]
    offset: Optional[int]

    def __init__(self, kind: str, message: str, place: Optional[str] = None, offset: Optional[int] = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.place = place
        self.offset = offset

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.kind, self.message, self.place, self.offset)

    @property
    def is_damage(self) -> bool:
        """Whether the bytes of the file contradict a standard, or end too soon."""
        return self.kind in ("truncated", "invalid", "corrupt", "incomplete")
