# SPDX-License-Identifier: MIT
"""Reports of jobs, and the warnings in them."""

from __future__ import annotations

import json
import sys
import warnings
from ctypes import c_void_p
from typing import Type

from . import _library as c
from ._types import Facts

# Whose calls of this package are the program's.
_BETWEEN = {"apus", "PIL"}


class ApusWarning(UserWarning):
    """A part of a photo was lost, changed or not understood, although the job succeeded.

    `warnings.simplefilter("error", apus.ApusWarning)` makes it an error.
    """


def warn(message: str, category: Type[Warning] = ApusWarning) -> None:
    """Warns about the line of the program that called this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)


class Report:
    """The report of a call of the library."""

    def __init__(self) -> None:
        self.place = c_void_p()
        #: The report as `--json` prints it, once it was read.
        self.facts: Facts = {}

    def read(self) -> Facts:
        """Reads the report that the library has stored."""
        data = c.taken(self.place)
        self.facts = json.loads(data) if data else {}
        return self.facts

    def warn(self) -> None:
        """Warns of everything that the report says was lost."""
        if self.facts.get("status") == "salvaged":
            warn("only part of the photo could be salvaged")
        for message in self.facts.get("warnings", []):
            warn(message)
