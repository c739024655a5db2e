# SPDX-License-Identifier: MIT

from __future__ import annotations

import contextlib
import os
import secrets


def write(path: str, data: bytes, replaces: bool) -> None:
    """Writes a file, which appears whole. Raises FileExistsError if there is one that must not be replaced."""
    folder = os.path.dirname(os.path.abspath(path))
    beside = os.path.join(folder, f".apus-{secrets.token_hex(8)}")
    try:
        created = _create(folder, beside)
    except OSError as error:
        # The name that the program gave, not that of the file beside it.
        raise type(error)(error.errno, error.strerror, path) from None
    with os.fdopen(created, "wb") as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if not os.path.lexists(beside):
                # With a folder, which is not used, Python links the file and not the symbolic link.
                os.link(f"/proc/self/fd/{file.fileno()}", beside if replaces else path, src_dir_fd=file.fileno())
            elif not replaces:
                os.link(beside, path)
            if replaces:
                os.replace(beside, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(beside)


def _create(folder: str, beside: str) -> int:
    """Opens a new file, which has no name if possible, so that nothing of it is left if the process is killed."""
    flags = os.O_WRONLY | os.O_CLOEXEC
    # With the mode that the process gives its files, which mkstemp does not use.
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            return os.open(folder, flags | os.O_TMPFILE, 0o666)
    return os.open(beside, flags | os.O_CREAT | os.O_EXCL, 0o666)
