# SPDX-License-Identifier: MIT
"""Versions and coders."""

import os
from typing import Any, Dict, NoReturn, Union

import apus

__version__ = apus.__version__
#: The version of libheif whose behaviour is followed.
_LIBHEIF = "1.23.0"


def libheif_version() -> str:
    """Returns the version of libheif whose behaviour is followed; libheif itself is not used."""
    return _LIBHEIF


def libheif_info() -> Dict[str, Any]:
    """Returns the decoders and encoders. An empty name says that a format is not written."""
    return {"libheif": _LIBHEIF, "HEIF": f"Apus {__version__}", "AVIF": "", "decoders": {"apus": f"Apus {__version__}"},
            "encoders": {"apus": f"Apus {__version__}"}}


def load_libheif_plugin(plugin_path: Union[str, "os.PathLike[str]"]) -> NoReturn:
    """Raises RuntimeError, because plugins belong to libheif."""
    raise RuntimeError(f"{os.fspath(plugin_path)} cannot be loaded: plugins belong to libheif, which is not used")
