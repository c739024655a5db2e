# SPDX-License-Identifier: MIT
"""The package in Tests/Consumer, which depends on Apus as another's package would."""

import pathlib

from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".build/consumer"


def consume(*arguments, seconds=1200):
    """What its program prints, built from what there is now."""
    # SwiftPM would not notice that files of a package that is named by its path have come or gone; it plans anew without this.
    (SCRATCH / "debug.yaml").unlink(missing_ok=True)
    return run("swift", "run", "--package-path", ROOT / "Tests/Consumer", "--scratch-path", SCRATCH, "Consumer", *arguments,
               seconds=seconds)
