# SPDX-License-Identifier: MIT
"""python -m apus.ray: photos by the million, from one storage into another."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from typing import TYPE_CHECKING, Any, List, Mapping, Optional

if TYPE_CHECKING:
    from .job import Job

# The options of `apus convert` that go with one picture, and whether they take a value.
VALUED = ("format", "quality", "max-size", "crop", "rotate", "flip", "chroma", "background", "hdr", "headroom", "orientation",
          "strip", "bit-depth", "encoder", "speed", "thumbnail-size", "gain-map", "frame", "decoder")
FLAGS = ("progressive", "optimize", "srgb", "strict-hdr", "keep-orientation-tag", "thumbnail", "lossless", "single", "salvage")


def parser() -> argparse.ArgumentParser:
    """What the command line may say."""
    made = argparse.ArgumentParser(
        prog="python -m apus.ray", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="""Convert photos of one folder or prefix into another, on a cluster of Ray.

SOURCE and TARGET are local folders, s3://bucket/prefix/, gs://bucket/prefix/, or what else fsspec knows. Photos keep their
place below: SOURCE/2026/IMG_1.HEIC becomes TARGET/2026/IMG_1.jpg. Options of `apus convert` about the picture are taken as
there, and the bytes are the same.

What became of each photo stands in TARGET/_apus, in Parquet. Running again does what is missing or changed. Nothing is
written over that this has not written itself, and no source is ever removed.""",
        epilog="Exit status: 0 success; 1 a photo failed; 2 invalid command line; 3 nothing to do; 130 Ctrl-C.")
    made.add_argument("source", metavar="SOURCE")
    made.add_argument("target", metavar="TARGET")
    made.add_argument("--sizes", metavar="N,N", help="make pictures with these longer sides, of one decoding")
    made.add_argument("--facts", metavar="VERB,VERB", help="keep what info, inspect, 'hvcc show' or 'hvcc check' say of each photo")
    made.add_argument("--only-facts", action="store_true", help="make no pictures")
    made.add_argument("--on-exists", choices=("skip", "replace"), default="skip", help="what to do with files that are there")
    made.add_argument("--retry-failed", action="store_true", help="try photos again that have failed before")
    made.add_argument("--dry-run", action="store_true", help="say what would be done and what it would cost")
    made.add_argument("--json", action="store_true", help="print the result as JSON")
    where = made.add_argument_group("where")
    where.add_argument("--endpoint", metavar="URL", help="the server of S3, where it is not Amazon's")
    where.add_argument("--storage", metavar="JSON", type=json.loads, help="options of fsspec for the storage")
    where.add_argument("--manifest", metavar="URL", help="where the manifest is, if not in TARGET/_apus")
    run = made.add_argument_group("run")
    run.add_argument("--address", metavar="ADDRESS", help="the cluster; auto is the one of this machine, none a new one")
    run.add_argument("-j", "--workers", metavar="N", type=int, help="threads of an actor")
    run.add_argument("--actors", metavar="N", type=int, help="actors at most")
    price = made.add_argument_group("prices of --dry-run")
    for name in ("processor-hour", "read-requests", "write-requests", "egress-gigabyte"):
        price.add_argument(f"--price-{name}", metavar="P", type=float)
    picture = made.add_argument_group("picture, as apus convert --help has it")
    for name in VALUED:
        picture.add_argument(*(["-q"] if name == "quality" else []), f"--{name}", metavar="V")
    for name in FLAGS:
        picture.add_argument(f"--{name}", action="store_true", default=None)
    return made


def main(words: Optional[List[str]] = None) -> int:
    """Runs a job, and returns the exit status."""
    typed = parser().parse_args(words)
    try:
        job = job_of(typed)
    except ValueError as error:
        print(f"apus.ray: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(f'apus.ray: {error}; pip install "apus[ray]" brings it', file=sys.stderr)
        return 2
    except (ImportError, OSError) as error:
        # What fsspec says of a storage that it cannot reach.
        print(f"apus.ray: {error}", file=sys.stderr)
        return 1
    try:
        return run(job, typed)
    except OSError as error:
        print(f"apus.ray: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("apus.ray: interrupted; running again does the rest", file=sys.stderr)
        return 130


def job_of(typed: argparse.Namespace) -> Job:
    """The job that was typed."""
    from .job import Job
    from .prices import Prices
    priced = {name: getattr(typed, f"price_{name}") for name in
              ("processor_hour", "read_requests", "write_requests", "egress_gigabyte")}
    options = {name.replace("-", "_"): getattr(typed, name.replace("-", "_")) for name in VALUED + FLAGS}
    return Job(typed.source, typed.target, {name: value for name, value in options.items() if value is not None},
               sizes=[int(size) for size in typed.sizes.split(",")] if typed.sizes else [],
               facts=typed.facts.split(",") if typed.facts else [], workers=typed.workers, actors=typed.actors,
               retry_failed=typed.retry_failed, on_exists=typed.on_exists, manifest=typed.manifest,
               endpoint=typed.endpoint, storage=typed.storage, converts=not typed.only_facts,
               prices=Prices(**{name: value for name, value in priced.items() if value is not None}))


def run(job: Job, typed: argparse.Namespace) -> int:
    """Runs a job, and returns the exit status."""
    if typed.dry_run:
        plan, _ = job.plan()
        print_estimate(job.prices.estimate(plan, job.kept.known.values(), job.sizes), typed.json)
        return 0
    if typed.address:
        from .job import begin
        begin(address=typed.address)
    summary = job.run()
    for failure in summary.failures:
        print(f"apus.ray: {failure}", file=sys.stderr)
    done = summary.converted + summary.salvaged
    if typed.json:
        print(json.dumps(dataclasses.asdict(summary)))
    else:
        print(f"apus.ray: {done} converted, {summary.skipped} skipped, {summary.failed} failed, "
              f"{summary.finished_before} finished before, {summary.failed_before} failed before "
              f"in {summary.seconds:.1f} s", file=sys.stderr)
    return 1 if summary.failed or summary.salvaged else 0 if done else 3


def print_estimate(found: Mapping[str, Any], as_json: bool) -> None:
    """Prints what a job would do and cost."""
    if as_json:
        print(json.dumps(found))
        return
    measured = "as earlier runs measured" if found["is_measured"] else "of photos of 12 megapixels"
    print(f"{found['photos']} photos of {found['bytes'] / 1e6:.1f} MB would be converted; {found['finished_before']} are finished, "
          f"{found['failed_before']} have failed before, {found['settled']} will not be converted\n"
          f"{found['processor_hours']:.2f} processor hours {measured}, {found['read_requests']} reads, "
          f"{found['write_requests']} writes, {found['bytes_out'] / 1e6:.1f} MB written\n"
          + ", ".join(f"{name} {value:.4f}" for name, value in found["cost"].items()))


if __name__ == "__main__":
    sys.exit(main())
