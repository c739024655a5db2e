# SPDX-License-Identifier: MIT
"""Has Pillow open and save HEIC and HEIF as soon as it is imported."""

# Not relative, because this may be imported as a module of pillow_heif.
from apus.pillow_heif.as_plugin import register_heif_opener

register_heif_opener()
