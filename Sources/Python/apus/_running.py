# SPDX-License-Identifier: MIT
"""The calls of the library that are under way: so that Ctrl-C ends one, and that none outlives the interpreter."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import os
import threading
from typing import Any, Callable, Iterator, List, Optional, Set

from . import _library as c

# What the library asks whether a job goes on, without a word of Python and its lock: this reads the number in the text that
# the context of the call is.
_ASKS = c.Progress(ctypes.cast(ctypes.CDLL(None).atoi, ctypes.c_void_p).value or 0)
# One type for all: one that is made for a call would be left to the cycle collector.
_Text = ctypes.c_char * 2


class Stop:
    """Whether a call of the library is to end."""

    def __init__(self, call: c.Call) -> None:
        self._text = _Text(b"0")
        call.context = ctypes.addressof(self._text)
        call.progress = _ASKS

    @property
    def is_asked_for(self) -> bool:
        """Whether the call is to end."""
        return self._text.value != b"0"

    def ask(self) -> None:
        """Ends the call as soon as it looks."""
        self._text.value = b"1"

    def run(self, call: Callable[[], None]) -> None:
        """Makes the call. What a handler of a signal raises meanwhile, as that of Ctrl-C does, ends it."""
        if threading.current_thread() is threading.main_thread():
            self._run_apart(call)
            return
        with _calls.including(self):
            call()

    def _run_apart(self, call: Callable[[], None]) -> None:
        """Python runs handlers of signals in its main thread alone, which must not be in the library meanwhile."""
        failures: List[Optional[BaseException]] = []
        # Thread.join takes a thread for ended once it was interrupted.
        ended = threading.Lock()
        ended.acquire()

        def work() -> None:
            try:
                call()
                failures.append(None)
            except BaseException as error:
                failures.append(error)
            finally:
                ended.release()
        try:
            threading.Thread(target=work, name="apus", daemon=True).start()
        except RuntimeError:
            # At the end of the interpreter, which begins no threads then.
            call()
            return
        interruption: Optional[BaseException] = None
        while True:
            try:
                while not failures:
                    # Not for good: a signal that another thread got does not end the waiting of this one.
                    ended.acquire(timeout=0.2)
                break
            except BaseException as error:
                self.ask()
                interruption = interruption or error
        if failure := interruption or failures[0]:
            raise failure


class _Calls:
    """The calls of threads that the interpreter does not wait for. It would end them in the middle of the library."""

    def __init__(self) -> None:
        self._stops: Set[Stop] = set()
        self._change = threading.Condition()
        self._is_over = False

    @contextlib.contextmanager
    def including(self, stop: Stop) -> Iterator[None]:
        """While a call is under way."""
        with self._change:
            while self._is_over:
                # As a thread waits for an interpreter that has ended.
                self._change.wait()
            self._stops.add(stop)
        try:
            yield
        finally:
            with self._change:
                self._stops.discard(stop)
                self._change.notify_all()
                while self._is_over:
                    self._change.wait()

    def end(self, patience: float) -> None:
        """Ends all of them, and lets none begin. Waits no longer than so many seconds, for a file may never answer."""
        with self._change:
            self._is_over = True
            for stop in self._stops:
                stop.ask()
            self._change.wait_for(lambda: not self._stops, patience)


_calls = _Calls()


def _forget() -> None:
    """In a child, calls of its parent are not under way."""
    global _calls
    _calls = _Calls()


def _end(*_: Any) -> None:
    _calls.end(10)


os.register_at_fork(after_in_child=_forget)
atexit.register(_end)
