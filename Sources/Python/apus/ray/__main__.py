# SPDX-License-Identifier: MIT
"""python -m apus.ray: photos by the million, from one storage into another."""

from __future__ import annotations

import argparse
import dataclasses
import json
import operator
import sys
import time
from typing import List, Optional

from .job import Job

# The options of `apus convert` for one picture: those with a value, and those without.
VALUED = ("format", "quality", "max-size", "crop", "rotate", "flip", "chroma", "background", "hdr", "headroom", "orientation",
          "strip", "bit-depth", "encoder", "speed", "thumbnail-size", "gain-map", "frame", "decoder")
FLAGS = ("progressive", "optimize", "srgb", "strict-hdr", "keep-orientation-tag", "thumbnail", "lossless", "single", "salvage")


def parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="python -m apus.ray", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="""Convert photos of one folder or prefix into another, on the Ray cluster that RAY_ADDRESS names or on this machine.

SOURCE and TARGET are local folders, s3://bucket/prefix/, gs://bucket/prefix/, or anything else that fsspec supports. Photos
keep their place below: SOURCE/2026/IMG_1.HEIC becomes TARGET/2026/IMG_1.jpg, with the bytes that `apus convert` writes.

The result for each photo is in TARGET/_apus, in Parquet. Running again converts what is missing or has changed. Existing
files that this did not write are kept, and no source is ever removed.""",
        epilog="Exit status: 0 success; 1 a photo failed; 2 invalid command line; 3 nothing to do; 130 Ctrl-C.")
    split = operator.methodcaller("split", ",")
    made.add_argument("source", metavar="SOURCE")
    made.add_argument("target", metavar="TARGET")
    made.add_argument("--sizes", metavar="N,N", type=split, default=(), help="make pictures with these longer sides")
    made.add_argument("--facts", metavar="VERB,VERB", type=split, default=(),
                      help="record what info, inspect, 'hvcc show' or 'hvcc check' report about each photo")
    made.add_argument("--only-facts", action="store_false", dest="converts", help="make no pictures")
    made.add_argument("--on-exists", choices=("skip", "replace"), default="skip", help="what to do with existing files")
    made.add_argument("--retry-failed", action="store_true", help="also convert photos that have failed before")
    made.add_argument("--dry-run", action="store_true", help="print how much there is to do")
    made.add_argument("--json", action="store_true", help="print the result as JSON")
    where = made.add_argument_group("storage")
    where.add_argument("--endpoint", metavar="URL", help="the S3 server, if it is not Amazon's")
    where.add_argument("--storage", metavar="JSON", type=json.loads, help="options of fsspec for the storage")
    where.add_argument("--manifest", metavar="URL", help="the folder of the manifest, instead of TARGET/_apus")
    picture = made.add_argument_group("picture, as in apus convert --help")
    for name in VALUED:
        picture.add_argument(*(["-q"] if name == "quality" else []), f"--{name}", metavar="V")
    for name in FLAGS:
        picture.add_argument(f"--{name}", action="store_true", default=None)
    return made


class Progress:
    """Prints how far a job is: on a terminal in one line, elsewhere in a line every minute."""

    PATIENCE = 60

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._printed = time.monotonic()

    def show(self, done: int, count: int) -> None:
        """Shows that so many photos are done."""
        if self._is_terminal:
            print(f"\rapus.ray: {done} of {count} photos", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self._printed >= self.PATIENCE:
            self._printed = time.monotonic()
            print(f"apus.ray: {done} of {count} photos", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clears the line on a terminal."""
        if self._is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def main(words: Optional[List[str]] = None) -> int:
    """Runs a job, and returns the exit status."""
    given = vars(parser().parse_args(words))
    is_plan, as_json = given.pop("dry_run"), given.pop("json")
    options = {name: given.pop(name) for name in (name.replace("-", "_") for name in VALUED + FLAGS)}
    try:
        job = Job(options={name: value for name, value in options.items() if value is not None}, **given)
        if is_plan:
            todo, settled, summary = job.plan()
            found = {"photos": len(todo), "bytes": sum(row["size"] for row in todo), "settled": len(settled),
                     "finished_before": summary.finished_before, "failed_before": summary.failed_before}
            print(json.dumps(found) if as_json else "{photos} photos of {bytes} bytes would be converted; {finished_before} are "
                  "finished, {failed_before} have failed before, {settled} will not be converted".format(**found))
            return 0
        progress = Progress()
        try:
            summary = job.run(progress.show)
        finally:
            progress.end()
    except KeyboardInterrupt:
        print("apus.ray: interrupted; running again converts the rest", file=sys.stderr)
        return 130
    except (ImportError, OSError, ValueError) as error:
        print(f"apus.ray: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    for failure in summary.failures:
        print(f"apus.ray: {failure}", file=sys.stderr)
    for failure in summary.failures_before:
        print(f"apus.ray: failed before: {failure}", file=sys.stderr)
    done = summary.converted + summary.salvaged
    if as_json:
        print(json.dumps(dataclasses.asdict(summary)))
    else:
        print(f"apus.ray: {done} converted, {summary.skipped} skipped, {summary.failed} failed, "
              f"{summary.finished_before} finished before, {summary.failed_before} failed before "
              f"in {summary.seconds:.1f} s", file=sys.stderr)
    return 1 if summary.failed or summary.salvaged else 0 if done else 3


if __name__ == "__main__":
    sys.exit(main())
