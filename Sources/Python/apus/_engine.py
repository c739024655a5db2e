# SPDX-License-Identifier: MIT

import os
import threading

from . import _library as c


class Engine:
    """Threads that decode and encode. One is usually enough for a process: any number of threads may share it."""

    def __init__(self, workers=None):
        """workers is how many threads work at the same time; None is one for each processor."""
        self._process = os.getpid()
        self._handle = c.made(c.library.apus_engine_new, 0 if workers is None else workers)

    def release_memory(self):
        """Lets go of the decoders and encoders that are kept for the next call."""
        c.library.apus_engine_release_memory(self._handle)

    def __del__(self):
        # The threads of a parent process are not in its child.
        if getattr(self, "_handle", None) and self._process == os.getpid():
            c.library.apus_engine_free(self._handle)


_lock = threading.Lock()
_usual = None


def usual():
    """The engine of this process, made when it is first needed."""
    global _usual
    with _lock:
        if _usual is None or _usual._process != os.getpid():
            _usual = Engine()
        return _usual


def _forget():
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget)
