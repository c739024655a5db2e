# SPDX-License-Identifier: MIT
"""Folders and prefixes in any storage that fsspec supports, with files that appear whole."""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple, Union

import fsspec
import fsspec.utils

from apus import _files

Location = Union[str, "os.PathLike[str]"]
# Stores in which an object appears once all of it has been sent.
WHOLE = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oci", "oss", "r2", "memory"}


class Entry(NamedTuple):
    """A file as its folder lists it."""

    source: str
    etag: Optional[str]
    mtime: Optional[float]
    size: int

    @property
    def identity(self) -> Tuple[str, float, int]:
        """A value that changes when the file does."""
        return self.etag or "", 0.0 if self.etag else self.mtime or 0.0, self.size


class Place:
    """A folder, or the prefix of objects."""

    def __init__(self, url: Location, endpoint: Optional[str] = None, storage: Optional[Mapping[str, Any]] = None) -> None:
        self.url, self.storage = os.fspath(url), dict(storage or {})
        self.protocol = fsspec.utils.get_protocol(self.url)
        if endpoint and self.protocol in ("s3", "s3a"):
            self.storage["endpoint_url"] = endpoint
        self.fs, root = fsspec.core.url_to_fs(self.url, **self.storage)
        self.root = root.rstrip("/")
        self.is_local = self.protocol in ("file", "local")

    def path(self, name: str) -> str:
        """Returns the path of a file in its storage."""
        return f"{self.root}/{name}"

    def entries(self) -> Dict[str, Entry]:
        """Returns every file below, by its path from here; nothing if the folder is missing."""
        self.fs.invalidate_cache()
        try:
            found = self.fs.find(self.root, detail=True)
        except FileNotFoundError:
            return {}
        files = {path[len(self.root) + 1:]: facts for path, facts in found.items() if facts.get("type", "file") == "file"}
        return {name: entry(name, facts) for name, facts in files.items() if name}

    def read(self, name: str) -> bytes:
        """Returns the bytes of a file."""
        return bytes(self.fs.cat_file(self.path(name)))

    def write(self, name: str, data: bytes, replaces: bool = False) -> None:
        """Writes a file, which appears whole. Raises FileExistsError if there is one that must not be replaced."""
        path = self.path(name)
        folder = os.path.dirname(path)
        if self.is_local:
            os.makedirs(folder, exist_ok=True)
            _files.write(path, data, replaces)
            return
        is_whole = self.protocol in WHOLE
        with contextlib.suppress(TypeError, NotImplementedError, ValueError):
            if is_whole:
                # The store itself keeps an existing object, if it and its client support that.
                self.fs.pipe_file(path, data, **({} if replaces else {"mode": "create"}))
                return
        if not replaces and self.fs.exists(path):
            raise FileExistsError(path)
        if is_whole:
            self.fs.pipe_file(path, data)
            return
        self.fs.makedirs(folder, exist_ok=True)
        beside = f"{folder}/.apus-{secrets.token_hex(8)}"
        try:
            self.fs.pipe_file(beside, data)
            self.fs.mv(beside, path)
        finally:
            # It is only there if something failed.
            with contextlib.suppress(Exception):
                self.fs.rm_file(beside)

    def remove(self, name: str) -> None:
        """Removes a file, unless it is missing."""
        with contextlib.suppress(FileNotFoundError):
            self.fs.rm_file(self.path(name))


def entry(name: str, facts: Mapping[str, Any]) -> Entry:
    """Returns a file, as far as its storage describes it."""
    etag = next((facts[key] for key in ("ETag", "etag", "md5Hash", "content_md5") if facts.get(key)), None)
    time: Any = next((facts[key] for key in ("mtime", "LastModified", "last_modified", "created") if facts.get(key)), None)
    time = time.timestamp() if hasattr(time, "timestamp") else time
    return Entry(name, str(etag).strip('"') if etag else None, float(time) if isinstance(time, (int, float)) else None,
                 int(facts.get("size") or facts.get("Size") or 0))
