# SPDX-License-Identifier: MIT

from __future__ import annotations

import functools
import os
import threading
from typing import Any, NoReturn, Optional

from . import _library as c


class Engine:
    """Threads that decode and encode. One is usually enough for a process: any number of threads may share it.

    A process that is forked has the same engine with threads of its own.
    """

    def __init__(self, workers: Optional[int] = None) -> None:
        """workers is how many threads work at the same time; None is one for each processor."""
        if workers is not None and workers < 1:
            raise ValueError(f"an engine has at least one worker, not {workers}")
        self._workers = workers or 0
        self._process = os.getpid()
        self._made = self._new()

    def _new(self) -> c.Handle:
        return c.Handle(c.made(c.library.apus_engine_new, self._workers), functools.partial(_free, os.getpid()))

    @property
    def _handle(self) -> c.Handle:
        if self._process != os.getpid():
            with _lock:
                if self._process != os.getpid():
                    self._made, self._process = self._new(), os.getpid()
        return self._made

    def release_memory(self) -> None:
        """Frees the decoders and encoders that are kept for the next call."""
        c.library.apus_engine_release_memory(self._handle)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an engine belongs to its process; make one with apus.Engine(workers) where it is needed")

    def __repr__(self) -> str:
        return f"<apus.Engine of {self._workers or 'as many'} workers{'' if self._workers else ' as there are processors'}>"


def _free(process: int, pointer: Any) -> None:
    # In a child, the engine of its parent has no threads that could end.
    if process == os.getpid():
        c.library.apus_engine_free(pointer)


_lock = threading.Lock()
_usual: Optional[Engine] = None


def usual() -> Engine:
    """The engine of this process, made when it is first needed."""
    global _usual
    with _lock:
        if _usual is None:
            _usual = Engine()
        engine = _usual
    return engine


def _unlock() -> None:
    """In a child, the lock is as another thread of its parent left it."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_unlock)
