#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""spark.py: what CLUSTER.md shows of Spark makes the bytes that Apus makes by itself. Needs Java and Spark, which are large, so
that no test runs it."""

import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import clusterpython  # noqa: E402

clusterpython.enter(__file__, "spark")

from pyspark.sql import SparkSession  # noqa: E402

import apus  # noqa: E402
from programs import Failure  # noqa: E402

NAMES = ("photo.heic", "grid.heic", "alpha.heic", "depth.heic")


def sample(folder):
    """What the page shows, with a folder instead of its bucket."""
    blocks = (ROOT / "Sources/Python/CLUSTER.md").read_text().split("```py\n")[1:]
    found = [block.split("```")[0] for block in blocks if "spark." in block]
    if len(found) != 1 or "s3a://photos/" not in found[0]:
        raise Failure("CLUSTER.md shows nothing of Spark")
    definition, _, last = found[0].replace("s3a://photos/", str(folder)).rstrip().rpartition("\n")
    return f"{definition}\nmade = {last}"


def main():
    with tempfile.TemporaryDirectory() as place:
        for name in NAMES:
            pathlib.Path(place, name).write_bytes((ROOT / "Fixtures" / name).read_bytes())
        session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config(
            "spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
        names = {"apus": apus, "spark": session}
        exec(sample(place), names)
        made = {path.rpartition("/")[2]: jpeg for path, jpeg in names["made"].collect()}
        session.stop()
        wanted = {name: apus.open(ROOT / "Fixtures" / name).convert(quality=85) for name in NAMES}
        if made != wanted:
            raise Failure(f"Spark makes other bytes of {[name for name in NAMES if made.get(name) != wanted[name]]}")
    print("Spark makes what Apus makes by itself")


if __name__ == "__main__":
    os.environ["PYSPARK_PYTHON"] = sys.executable
    main()
