#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A cluster makes of photos in S3 what `apus convert -r` makes of them in a folder, whatever dies meanwhile. The same with
thousands of photos, and processes that are killed at random, is `Scripts/bench cluster`."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import clusterpython  # noqa: E402

clusterpython.enter(__file__)

import contextlib  # noqa: E402
import json  # noqa: E402
import signal  # noqa: E402
import tempfile  # noqa: E402

import ray  # noqa: E402

import apus  # noqa: E402
import apus.ray  # noqa: E402
from apus.ray import job as jobs  # noqa: E402
from apus.ray.places import Place  # noqa: E402
from clusters import FIXTURES, PROGRAM, Store, compare, one_machine, photos, rows_of, same, stored  # noqa: E402
from programs import Failure  # noqa: E402


class Deadly(Place):
    """A place with photos that end whoever reads them."""

    fates = ()

    def read(self, name):
        if name in self.fates:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().read(name)


class Broken(Place):
    """A place that no task can reach."""

    def __setstate__(self, state):
        raise OSError("cannot be reached")


def check_alone(work):
    """Only the photos that end their workers are blamed, although others are converted in the same tasks, and next to them."""
    folder = work / "deadly"
    photos(folder, 12)
    job = jobs.Job(folder, work / "alone", {})
    job.source.__class__, job.source.fates = Deadly, ("1/IMG_00001.HEIC", "2/IMG_00002.HEIC", "4/IMG_00004.HEIC")
    summary = job.run()
    rows = rows_of(job.records)
    same("the photos that are blamed", set(job.source.fates), {name for name, row in rows.items() if row["error_kind"] == "crash"})
    same("what became of all photos", (13, 13), (len(rows), summary.converted + summary.salvaged + summary.failed))
    # Each of them, and at least one task in which it was with others.
    if summary.workers_lost <= len(job.source.fates):
        raise Failure(f"{summary.workers_lost} workers were lost")
    again = apus.ray.convert(folder, work / "alone", retry_failed=True)
    same("what is converted again", len(job.source.fates), again.converted)


def check_cluster(work, store):
    """A run with broken photos and one that ends its worker, and what is done when it runs again."""
    folder = work / "photos"
    photos(folder, 30)
    fate = "5/IMG_00005.HEIC"
    store.fill("s3://photos/2024", folder)
    files, said = one_machine(folder, "-q", 85)
    where = {"endpoint": store.endpoint}
    job = jobs.Job("s3://photos/2024/", "s3://jpegs/out/", {"quality": 85}, **where)
    target = job.target
    job.source.__class__, job.source.fates = Deadly, (fate,)
    # Written before its worker ended, as far as anybody knows.
    todo, _, _ = job.plan()
    job.kept.append([photo for photo in todo if photo["source"] == fate])
    target.write(fate.replace(".HEIC", ".jpg"), files[fate.replace(".HEIC", ".jpg")])
    summary = job.run()
    if summary.workers_lost < 1:
        raise Failure("the photo that ends its worker did not")
    rows = compare(files, said, target, fate)

    again = apus.ray.convert("s3://photos/2024/", "s3://jpegs/out/", quality=85, **where)
    same("what is done again", (0, summary.converted), (again.converted, again.finished_before))
    # One output is gone, one photo has changed, one output was changed by somebody, and one was there before all.
    done = sorted(name for name, row in rows.items() if row["status"] == "converted")
    jpeg = {name: os.path.splitext(name)[0] + ".jpg" for name in done}
    target.remove(jpeg[done[0]])
    other = (FIXTURES / "alpha.heic").read_bytes()
    for name in done[1:3]:
        job.source.write(name, other, replaces=True)
        (folder / name).write_bytes(other)
    target.write(jpeg[done[2]], b"somebody's", replaces=True)
    (folder / "new.heic").write_bytes(other)
    job.source.write("new.heic", other)
    target.write("new.jpg", b"somebody's")
    again = apus.ray.convert("s3://photos/2024/", "s3://jpegs/out/", quality=85, retry_failed=True, **where)
    same("what is missing or changed, and the photo that ended its worker", (3, 2), (again.converted, again.skipped))
    files, said = one_machine(folder, "-q", 85)
    made = stored(target)
    for name in (jpeg[done[2]], "new.jpg"):
        same(f"what somebody has written as {name}", b"somebody's", made[name])
        files[name] = b"somebody's"
    same("the outputs in the end", files, made)
    listed = json.loads(subprocess.run(
        [sys.executable, "-m", "apus.ray", "s3://photos/2024/", "s3://jpegs/out/", "-q", "60", "--endpoint", store.endpoint,
         "--dry-run", "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout)
    same("how many photos other options concern", len(said) - 3, listed["photos"])
    same("what a dry run writes", made, stored(target))


def check_datasets(work):
    """Datasets get columns, local folders work alike, and several sizes come of one decoding."""
    folder = work / "few"
    photos(folder, 8)
    dataset = ray.data.read_binary_files(str(folder), include_paths=True)
    rows = apus.ray.convert(dataset, sizes=[64, 32], facts=["hvcc check"], format="png").take_all()
    same("the rows of a dataset", 9, len(rows))
    for row in rows:
        try:
            with apus.Photo(row["path"]) as photo:
                wanted = [photo.convert(format="png", max_size=size) for size in (64, 32)]
        except apus.Error as error:
            same("why a row has no files", (None, error.kind), (row["files"], row["error"]["kind"]))
            continue
        same(f"the files of {row['path']}", wanted, [file["bytes"] for file in row["files"]])
        if not isinstance(json.loads(row["hvcc_check"]), list):
            raise Failure(f"hvcc check says {row['hvcc_check']}")
    # Two runs before that were killed when they had written a file, and no row.
    asked = {"sizes": [64, 32], "facts": ["info"]}
    for _ in range(2):
        killed = jobs.Job(folder, work / "small", {}, **asked)
        todo, _, _ = killed.plan()
        killed.kept.append(todo)
        with contextlib.suppress(FileExistsError):
            killed.target.write("0/IMG_00000.64.jpg", apus.open(folder / "0/IMG_00000.heic").convert(max_size=64))
    summary = apus.ray.convert(folder, work / "small", **asked)
    made = sorted(path.name for path in (work / "small").rglob("*.jpg"))
    same("the files of two sizes", 2 * summary.converted, len(made))
    rows = rows_of(Place(work / "small/_apus"))
    same("what became of the photo that was begun", "converted", rows["0/IMG_00000.heic"]["status"])
    if not any(row["facts"] and json.loads(row["facts"])["info"].get("picture") for row in rows.values()):
        raise Failure("the manifest has no facts")
    same("what is left beside the files", [], [path.name for path in (work / "small").rglob(".*")])


def check_dask(work):
    """The same engine in a bag of Dask."""
    import dask.bag

    def converted(paths):
        engine = apus.Engine(1)
        return [apus.open(path, engine).convert(quality=85) for path in paths]
    paths = [str(FIXTURES / name) for name in ("photo.heic", "grid.heic", "alpha.heic")] * 2
    made = dask.bag.from_sequence(paths, npartitions=2).map_partitions(converted).compute(scheduler="processes", num_workers=2)
    same("what Dask makes", [apus.open(path).convert(quality=85) for path in paths], made)


def check_unreachable(work):
    """A job ends with the reason if its tasks cannot start."""
    job = jobs.Job(FIXTURES, work / "unreachable", {})
    job.target.__class__ = Broken
    try:
        job.run()
    except ray.exceptions.RayError as error:
        same("the reason why tasks cannot start", True, "cannot be reached" in str(error))
        return
    raise Failure("a job whose tasks cannot start ends as if they could")


def check_misuse(work):
    for options in ({"quality": 101}, {"qualty": 5}, {"images": "all"}, {"format": "yuv"}, {"sizes": [0]}, {"facts": ["all"]}):
        try:
            apus.ray.convert(work, work / "none", **options)
            raise Failure(f"{options} are taken")
        except ValueError:
            pass
    try:
        apus.ray.convert(FIXTURES, "memory://photos")
        raise Failure("tasks write into the memory of another process")
    except ValueError:
        pass
    from apus.ray.__main__ import FLAGS, VALUED, main as typed
    for words, status in (([work / "none", work / "out"], 1), ([FIXTURES / "photo.heic", work / "out"], 1),
                          ([FIXTURES, work / "out", "--storage", "{}", "--sizes", "large"], 2), ([FIXTURES, "memory://out"], 2),
                          (["nothing://photos", work / "out"], 2)):
        same(f"the exit status of {words}", status, typed(list(map(str, words))))
    same("what is written by a job that cannot begin", False, (work / "out").exists())
    shown = subprocess.run([PROGRAM, "convert", "--help"], stdout=subprocess.PIPE, text=True).stdout
    if missing := [name for name in FLAGS + VALUED if f"--{name}" not in shown]:
        raise Failure(f"the command has no {missing}")


def main():
    with tempfile.TemporaryDirectory() as place, Store(pathlib.Path(place)) as store:
        work = pathlib.Path(place)
        check_misuse(work)
        check_dask(work)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        check_unreachable(work)
        check_alone(work)
        check_cluster(work, store)
        check_datasets(work)
        ray.shutdown()
    print("a cluster makes what one machine makes")


if __name__ == "__main__":
    main()
