# SPDX-License-Identifier: MIT
"""The names and the behaviour of pillow_heif's interface, for programs that switch: `import apus.pillow_heif as pillow_heif`.

What has no counterpart raises NotImplementedError with its name; the README of the package lists it.
"""

from . import options
from ._info import __version__, libheif_info, libheif_version, load_libheif_plugin
from .as_plugin import HeifImageFile, register_heif_opener
from .constants import HeifColorPrimaries, HeifDepthRepresentationType, HeifMatrixCoefficients, HeifTransferCharacteristics
from .heif import HeifAuxImage, HeifDepthImage, HeifFile, HeifImage, HeifThumbnail, encode, from_bytes, from_pillow, open_heif, \
    read_heif
from .misc import get_file_mimetype, is_supported, set_orientation

__all__ = [
    "HeifAuxImage", "HeifColorPrimaries", "HeifDepthImage", "HeifDepthRepresentationType", "HeifFile", "HeifImage",
    "HeifImageFile", "HeifMatrixCoefficients", "HeifThumbnail", "HeifTransferCharacteristics", "__version__", "encode",
    "from_bytes", "from_pillow", "get_file_mimetype", "is_supported", "libheif_info", "libheif_version",
    "load_libheif_plugin", "open_heif", "options", "read_heif", "register_heif_opener", "set_orientation",
]
