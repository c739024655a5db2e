# SPDX-License-Identifier: MIT
"""Types of what the package is given and gives."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Optional, Protocol, Tuple, Union

__all__ = ["Facts", "Files", "Progress", "ReadableFile", "Region", "Shape", "Size", "Source"]


class ReadableFile(Protocol):
    """A file that was opened for reading bytes, or what acts like one."""

    def read(self, size: int = ..., /) -> bytes: ...

    def seek(self, offset: int, whence: int = ..., /) -> int: ...

    def tell(self) -> int: ...


#: A path, bytes, or a file.
Source = Union[str, "os.PathLike[str]", "os.PathLike[bytes]", bytes, bytearray, memoryview, ReadableFile]
#: Called with 0 to 1; a job ends when it returns False.
Progress = Optional[Callable[[float], Any]]
#: One bound for both sides, or width and height.
Size = Union[int, str, Tuple[int, int]]
#: Left, top, width and height.
Region = Tuple[int, int, int, int]
#: Width, height, mode and bits of samples.
Shape = Tuple[int, int, str, int]
#: Files by name, ending and bytes.
Files = List[Tuple[str, str, bytes]]
#: An object of JSON.
Facts = Dict[str, Any]
