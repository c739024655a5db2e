# SPDX-License-Identifier: MIT
"""For scripts that go on after what does not hold, and fail in the end."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
APUS = os.environ.get("APUS", str(ROOT / "Scripts/apus"))
_failures = []


def expect(holds, text):
    if not holds:
        _failures.append(text)
        print(text)


def ended(name):
    """Ends the script, with an error if anything did not hold."""
    print(f"{name}: {len(_failures)} failures")
    sys.exit(1 if _failures else 0)
