# SPDX-License-Identifier: MIT
"""Has Pillow open and save HEIC and HEIF as soon as it is imported."""

from .as_plugin import register_heif_opener

register_heif_opener()
