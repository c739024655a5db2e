# SPDX-License-Identifier: MIT
"""Options of the command as keyword arguments: max_size=1024 is --max-size 1024."""

from __future__ import annotations

import functools
import json
import operator
import threading
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Union

from . import _library as c
from . import _running
from ._errors import Error
from ._types import Progress, Size


def text(options: Mapping[str, Any]) -> bytes:
    """The options as the library takes them; None and False leave the default."""
    named: Dict[str, Any] = {}
    for name, value in options.items():
        if value is None or value is False:
            continue
        if isinstance(value, tuple):
            value = "x".join(map(str, value))
        named[name.rstrip("_").replace("_", "-")] = value
    return json.dumps(named, allow_nan=False, default=_plain).encode()


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is no value of an option")


def bound(size: Size) -> Union[int, str]:
    """A size as the command has it."""
    if isinstance(size, str):
        return size
    return f"{size[0]}x{size[1]}" if isinstance(size, Sequence) else operator.index(size)


# The engine whose callback a thread is in.
_within = threading.local()


class Job:
    """A call of the library with its options and its callbacks."""

    def __init__(self, options: Mapping[str, Any], progress: Progress = None, verb: Optional[str] = None) -> None:
        self.failure: Optional[BaseException] = None
        self._engine: Any = None
        self.call = c.Call(verb=verb.encode() if verb else None, options=text(options))
        self._stop = _running.Stop(self.call)
        if progress is not None:
            report = progress
            self.call.progress = c.Progress(lambda _, fraction: self.guarded(lambda: report(fraction)))

    def guarded(self, function: Callable[[], Any]) -> int:
        """What a callback returns to the library: 1, which ends the job, where the function raises or returns False."""
        if self._stop.is_asked_for:
            return 1
        _within.engine = self._engine
        try:
            return int(function() is False)
        except BaseException as error:
            self.failure = error
            return 1
        finally:
            _within.engine = None

    def run(self, function: Any, *arguments: Any) -> None:
        """Calls a function of the library, and raises what a callback raised where that ended the job."""
        self._engine = arguments[0]
        if getattr(_within, "engine", None) is self._engine:
            raise Error("misuse", "a callback cannot use the engine that waits for it; give the call another one: engine=")
        try:
            self._stop.run(functools.partial(c.done, function, *arguments))
        except Error:
            if self.failure is not None:
                raise self.failure from None
            raise
