# SPDX-License-Identifier: MIT
"""What programs say of files that have not changed since is not asked again: they take longer to start than to read."""

import functools
import os
import pathlib


def state(argument):
    """What differs when a file has changed; a playlist may stay as it is while what it leads to does not."""
    if isinstance(argument, (str, pathlib.Path)) and os.path.isfile(argument):
        found = os.stat(argument)
        return object() if str(argument).endswith(".m3u8") else (argument, found.st_ino, found.st_size, found.st_mtime_ns)
    return tuple(argument) if isinstance(argument, list) else argument


def once(function):
    """Keeps what a function has found in files while these are as they were."""
    known = {}

    @functools.wraps(function)
    def found(*arguments, **named):
        key = tuple(map(state, arguments)), tuple((name, state(value)) for name, value in named.items())
        if key not in known:
            known[key] = function(*arguments, **named)
        return known[key]

    return found
