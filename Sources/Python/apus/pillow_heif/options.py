# SPDX-License-Identifier: MIT
"""The settings of pillow_heif, by their names there."""

from typing import Dict, Optional

#: Threads of a decoder. Changes nothing: the threads are those of apus.Engine.
DECODE_THREADS = 4
#: Whether the sizes of thumbnails are listed, and thumbnails are used for drafts.
THUMBNAILS = True
#: Whether depth maps are listed.
DEPTH_IMAGES = True
#: Whether other auxiliary pictures are listed.
AUX_IMAGES = True
#: The quality of what is saved without one; None is that of the encoder, and -1 loses nothing.
QUALITY: Optional[int] = None
#: Whether samples of 16 bits are coded with 12 bits instead of 10.
SAVE_HDR_TO_12_BIT = False
#: Whether code points of colours are written in a box.
SAVE_NCLX_PROFILE = True
#: The side of tiles; 0 for one picture without tiles.
GRID_TILE_SIZE = 0
#: Changes nothing: there is one encoder for each kind of picture.
PREFERRED_ENCODER: Dict[str, str] = {"AVIF": "", "HEIF": ""}
#: Changes nothing: there is one decoder for each kind of picture.
PREFERRED_DECODER: Dict[str, str] = {"AVIF": "", "HEIF": ""}
#: Changes nothing: limits are those of Apus.
DISABLE_SECURITY_LIMITS = False
