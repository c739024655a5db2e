# SPDX-License-Identifier: MIT
"""Folders and prefixes, wherever fsspec reaches: what is there, and files that appear whole."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Tuple, Union

import fsspec
import fsspec.utils

# Stores in which an object appears once all of it has been sent.
WHOLE = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oci", "oss", "r2", "memory"}


@dataclass(frozen=True)
class Entry:
    """A file as its folder lists it."""

    path: str
    size: int
    etag: str | None
    mtime: float | None

    @property
    def identity(self) -> Tuple[str, int, float]:
        """What changes when the file does."""
        return (self.etag or "", self.size, 0.0 if self.etag else self.mtime or 0.0)


class Place:
    """A folder, or the prefix of objects."""

    def __init__(self, url: Union[str, os.PathLike[str]], endpoint: Optional[str] = None,
                 storage: Optional[Mapping[str, Any]] = None) -> None:
        self.url = os.fspath(url)
        self.storage: Dict[str, Any] = dict(storage or {})
        if endpoint:
            self.storage["client_kwargs"] = {**self.storage.get("client_kwargs", {}), "endpoint_url": endpoint}
        self.protocol = fsspec.utils.get_protocol(self.url)
        if endpoint and self.protocol not in ("s3", "s3a"):
            self.storage = dict(storage or {})
        self._connect()

    def _connect(self) -> None:
        self.fs, root = fsspec.core.url_to_fs(self.url, **self.storage)
        self.root = root.rstrip("/")
        self.is_local = self.protocol in ("file", "local")

    def __getstate__(self) -> Dict[str, Any]:
        return {"url": self.url, "storage": self.storage, "protocol": self.protocol}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self._connect()

    def path(self, name: str) -> str:
        """A file as its storage names it."""
        return f"{self.root}/{name}"

    def holds(self, other: Place) -> bool:
        """Whether another place is this one, or in it."""
        same = (self.protocol, json.dumps(self.storage, sort_keys=True)) == (
            other.protocol, json.dumps(other.storage, sort_keys=True))
        return same and (other.root + "/").startswith(self.root + "/")

    def entries(self) -> Dict[str, Entry]:
        """Every file below, by its path from here on; nothing where nothing is there."""
        self.fs.invalidate_cache()
        try:
            found = self.fs.find(self.root, detail=True)
        except FileNotFoundError:
            return {}
        start = len(self.root) + 1
        return {path[start:]: entry(path[start:], facts) for path, facts in found.items()
                if len(path) > start and facts.get("type", "file") == "file"}

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        return bytes(self.fs.cat_file(self.path(name)))

    def digest(self, name: str) -> str:
        """SHA-256 of a file."""
        return hashlib.sha256(self.read(name)).hexdigest()

    def write(self, name: str, data: bytes, replaces: bool = False) -> None:
        """Writes a file that appears whole. Raises FileExistsError where there is one that is not to be replaced."""
        path = self.path(name)
        if self.is_local:
            self._write_local(path, data, replaces)
        elif self.protocol in WHOLE:
            self._write_object(path, data, replaces)
        else:
            self._write_beside(path, data, replaces)

    def _write_local(self, path: str, data: bytes, replaces: bool) -> None:
        folder = os.path.dirname(path)
        os.makedirs(folder, exist_ok=True)
        beside = os.path.join(folder, f".apus-{secrets.token_hex(8)}")
        flags = os.O_WRONLY | os.O_CLOEXEC
        try:
            # A file without a name, of which nothing is left when its process is killed.
            handle, is_named = os.open(folder, flags | os.O_TMPFILE, 0o666), False
        except (OSError, AttributeError):
            handle, is_named = os.open(beside, flags | os.O_CREAT | os.O_EXCL, 0o666), True
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                written = beside if is_named else f"/proc/self/fd/{file.fileno()}"
                # With a folder that is not looked at, for otherwise Python links the symbolic link itself.
                if not replaces:
                    os.link(written, path, src_dir_fd=file.fileno(), follow_symlinks=True)
                    return
                if not is_named:
                    os.link(written, beside, src_dir_fd=file.fileno(), follow_symlinks=True)
            os.replace(beside, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(beside)

    def _write_object(self, path: str, data: bytes, replaces: bool) -> None:
        if replaces:
            self.fs.pipe_file(path, data)
            return
        try:
            # The store itself refuses an object that is there, where it and its client know how.
            self.fs.pipe_file(path, data, mode="create")
        except (TypeError, NotImplementedError, ValueError):
            if self.fs.exists(path):
                raise FileExistsError(path) from None
            self.fs.pipe_file(path, data)

    def _write_beside(self, path: str, data: bytes, replaces: bool) -> None:
        if not replaces and self.fs.exists(path):
            raise FileExistsError(path)
        folder, _, _ = path.rpartition("/")
        self.fs.makedirs(folder, exist_ok=True)
        beside = f"{folder}/.apus-{secrets.token_hex(8)}"
        try:
            self.fs.pipe_file(beside, data)
            self.fs.mv(beside, path)
        except BaseException:
            with contextlib.suppress(Exception):
                self.fs.rm_file(beside)
            raise

    def remove(self, name: str) -> None:
        """Removes a file, if it is there."""
        with contextlib.suppress(FileNotFoundError):
            self.fs.rm_file(self.path(name))


def entry(path: str, facts: Mapping[str, Any]) -> Entry:
    """A file, as far as its storage describes it."""
    etag = facts.get("ETag") or facts.get("etag") or facts.get("md5Hash") or facts.get("content_md5")
    moment = next((facts[key] for key in ("mtime", "LastModified", "updated", "last_modified", "created")
                   if facts.get(key) is not None), None)
    return Entry(path, int(facts.get("size") or facts.get("Size") or 0), str(etag).strip('"') if etag else None,
                 seconds(moment))


def seconds(moment: Any) -> Optional[float]:
    """A time as seconds since 1970; None for one that is in no known form."""
    if hasattr(moment, "timestamp"):
        return float(moment.timestamp())
    if isinstance(moment, (int, float)):
        return float(moment)
    if isinstance(moment, str):
        from datetime import datetime
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp()
    return None
