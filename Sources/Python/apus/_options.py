# SPDX-License-Identifier: MIT
"""Options of the command as keyword arguments: max_size=1024 is --max-size 1024."""

import json

from . import _library as c


def text(options):
    """The options as the library takes them; None and False leave the usual."""
    named = {}
    for name, value in options.items():
        if value is None or value is False:
            continue
        if isinstance(value, tuple):
            value = "x".join(map(str, value))
        named[name.rstrip("_").replace("_", "-")] = value
    return json.dumps(named).encode()


def call(options, progress=None, verb=None):
    """What goes with a job. The progress is called with 0 to 1, and ends the job when it returns False."""
    if progress is None:
        return c.Call(verb=verb, options=text(options))

    def goes_on(_, fraction):
        return int(progress(fraction) is False)
    return c.Call(verb=verb, options=text(options), progress=c.Progress(goes_on))
