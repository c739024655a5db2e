# SPDX-License-Identifier: MIT
"""The package in Tests/Consumer, which depends on Apus as another's package would."""

import pathlib

from programs import run

ROOT = pathlib.Path(__file__).resolve().parents[2]


def consume(*arguments):
    """What its program prints, built from what there is now, onto the modules of the release."""
    run("bash", "-c", '. "$1"/Scripts/setup; build_release Consumer "$1/Tests/Consumer"', "bash", ROOT, seconds=1800)
    return run(ROOT / ".build/release/Consumer", *arguments, seconds=300)
