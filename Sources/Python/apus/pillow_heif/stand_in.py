# SPDX-License-Identifier: MIT
"""Has `import pillow_heif` find this package, for programs that cannot be changed."""

import importlib
import sys

import apus.pillow_heif

sys.modules["pillow_heif"] = apus.pillow_heif
for _name in ("as_plugin", "constants", "heif", "misc", "options"):
    # A module that is imported by two names would be two modules.
    sys.modules[f"pillow_heif.{_name}"] = importlib.import_module(f"apus.pillow_heif.{_name}")
