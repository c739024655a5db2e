#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Photos for a cluster in S3, in Google's storage and in folders: names of every kind, more objects than a page of a listing
has, empty files, and two people who convert into one target at the same time."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import clusterpython  # noqa: E402

clusterpython.enter(__file__)

import contextlib  # noqa: E402
import hashlib  # noqa: E402
import tempfile  # noqa: E402
import threading  # noqa: E402

import ray  # noqa: E402

import apus.ray  # noqa: E402
from apus.ray import job as jobs  # noqa: E402
from apus.ray.places import Place  # noqa: E402
from clusters import FIXTURES, Store, compare, one_machine, rows_of, same, stored  # noqa: E402
from programs import Failure, free_port, running  # noqa: E402

# As photos are called, in one folder and another.
NAMES = ("plain.heic", "two words.heic", "a+b.heic", "100%.heic", "a%20b.heic", "#1?.heic", "été 2026/Zoë &Co=.heic", "写真/一.HEIC",
         "x,y,z@!'()*.heic", "e\u0301.heic", "~tilde/$100.heic")
# What a listing has on one page.
PAGE = 1000


@contextlib.contextmanager
def google(work):
    """A server that speaks as Google's storage does, with a bucket."""
    port, log = free_port(), work / "google.log"
    with running(pathlib.Path(sys.executable).with_name("gcp-storage-emulator"), "start", "--host=127.0.0.1", f"--port={port}",
                 "--in-memory", "--default-bucket=photos", port=port, log=log):
        yield {"endpoint_url": f"http://127.0.0.1:{port}", "token": "anon"}, log


def check_place(place, refuses=True):
    """What is written is listed and read, whatever it is called; what is there is not written over unasked."""
    same("what is in a place that is not there", {}, place.entries())
    for name in NAMES:
        place.write(name, name.encode())
    place.write("empty.heic", b"")
    same(f"what is in {place.url}", {**{name: len(name.encode()) for name in NAMES}, "empty.heic": 0},
         {name: entry.size for name, entry in place.entries().items()})
    for name in NAMES:
        same(f"{name} in {place.url}", name.encode(), place.read(name))
    same("an empty file", b"", place.read("empty.heic"))
    if refuses:
        try:
            place.write(NAMES[1], b"other")
            raise Failure(f"{place.url} is written over")
        except FileExistsError:
            same("what was not written over", NAMES[1].encode(), place.read(NAMES[1]))
    before = place.entries()[NAMES[1]]
    place.write(NAMES[1], b"another", replaces=True)
    same("what was replaced", b"another", place.read(NAMES[1]))
    if place.entries()[NAMES[1]].identity == before.identity:
        raise Failure(f"{place.url} does not say that a file has changed")
    for name in NAMES:
        place.remove(name)
    place.remove(NAMES[0])
    same("what is left", ["empty.heic"], list(place.entries()))


def album(folder):
    """A folder with photos of all those names, and one without a byte."""
    kinds = sorted(FIXTURES.glob("*.heic"))
    for number, name in enumerate(NAMES):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kinds[number].read_bytes())
    (folder / "empty.heic").write_bytes(b"")


def fill(place, folder):
    for path in folder.rglob("*"):
        if path.is_file():
            place.write(str(path.relative_to(folder)), path.read_bytes())


def check_pages(work, store):
    """More objects than a page has are all seen, in the source and in the target."""
    source, target = store.place("s3://photos/many"), store.place("s3://jpegs/many")
    for number in range(PAGE + 5):
        source.write(f"a/{number:05d}.txt", b"", replaces=True)
        target.write(f"a/{number:05d}.txt", b"", replaces=True)
    # As consoles make folders.
    source.fs.pipe_file("photos/many/folder/", b"")
    photo = (FIXTURES / "photo.heic").read_bytes()
    for name in ("z1.heic", "z2.heic", "folder/z3.heic"):
        source.write(name, photo)
    target.write("z2.jpg", b"somebody's")
    summary = apus.ray.convert(source.url, target.url, endpoint=store.endpoint)
    same("what is found after a page", (2, 1), (summary.converted, summary.skipped))
    same("what was there", b"somebody's", target.read("z2.jpg"))
    again = apus.ray.convert(source.url, target.url, endpoint=store.endpoint)
    same("what was found to be done after a page", (0, 2), (again.converted, again.finished_before))


class Together(jobs.Job):
    """A job that begins when others have planned the same."""

    barrier = None

    def plan(self):
        planned = super().plan()
        self.barrier.wait(60)
        return planned


def run_together(*planned):
    Together.barrier = threading.Barrier(len(planned))
    summaries, threads = {}, []
    for number, job in enumerate(planned):
        threads.append(threading.Thread(target=lambda number=number, job=job: summaries.update({number: job.run()})))
        threads[-1].start()
    for thread in threads:
        thread.join(120)
    same("how many jobs have ended", len(planned), len(summaries))
    return [summaries[number] for number in range(len(planned))]


def check_together(work, store, folder):
    """Two people who convert the same into one target get it once, and one manifest."""
    files, said = one_machine(folder)
    where = {"endpoint": store.endpoint}
    source, target = "s3://photos/album", store.place("s3://jpegs/together")
    # A manifest in two parts, which both put together.
    apus.ray.convert([f"{source}/{NAMES[0]}"], target.url, **where)
    apus.ray.convert([f"{source}/{NAMES[0]}", f"{source}/{NAMES[1]}"], target.url, **where)
    summaries = run_together(*(Together(source, target.url, {}, **where) for _ in range(2)))
    compare(files, said, target)
    for summary in summaries:
        same("what each of two has converted or found", len(files), summary.converted + summary.finished_before)
    rows = rows_of(store.place(f"{target.url}/_apus"))
    same("what has no result", [], [name for name, row in rows.items() if row["status"] == "begun"])
    again = apus.ray.convert(source, target.url, **where)
    same("what is left for a third", (0, len(files)), (again.converted, again.finished_before))
    # With options that differ, every file is that of one of them, and the manifest says of which.
    other = store.place("s3://jpegs/two-minds")
    run_together(*(Together(source, other.url, {"quality": quality}, **where) for quality in (30, 80)))
    made = stored(other)
    same("the files of two minds", sorted(files), sorted(made))
    for name, row in rows_of(store.place(f"{other.url}/_apus")).items():
        if row["status"] == "failed":
            continue
        same(f"what became of {name}", ("converted", [hashlib.sha256(made[row["targets"][0]]).hexdigest()]),
             (row["status"], row["digests"]))


def check_marks(work, store):
    """What a run was writing that was killed is known until its photos are converted, also after a run over others."""
    where = {"endpoint": store.endpoint}
    source, target = "s3://photos/album", store.place("s3://jpegs/marks")
    killed = jobs.Job(source, target.url, {}, **where)
    todo, _, _ = killed.plan()
    killed.kept.append(todo)
    target.write("plain.jpg", apus.open((killed.source.read("plain.heic"))).convert())
    apus.ray.convert([f"{source}/a+b.heic"], target.url, **where)
    again = apus.ray.convert(source, target.url, **where)
    same("what was there of a run that was killed", (0, "converted"),
         (again.skipped, rows_of(store.place(f"{target.url}/_apus"))["plain.heic"]["status"]))


def check_google(work, folder):
    """The same from and into Google's storage."""
    files, said = one_machine(folder)
    with google(work) as (storage, log):
        check_place(Place("gs://photos/place", storage=storage), refuses=False)
        # The server writes over what is there all the same; Google's does not.
        if b"ifGenerationMatch=0" not in log.read_bytes():
            raise Failure("Google's storage is not asked to keep what is there")
        fill(Place("gs://photos/in", storage=storage), folder)
        apus.ray.convert("gs://photos/in/", "gs://photos/out/", storage=storage)
        compare(files, said, Place("gs://photos/out", storage=storage))
        again = apus.ray.convert("gs://photos/in/", "gs://photos/out/", storage=storage)
        same("what is left to do in Google's storage", (0, len(files)), (again.converted, again.finished_before))


def main():
    with tempfile.TemporaryDirectory() as place, Store(pathlib.Path(place)) as store:
        work = pathlib.Path(place)
        check_place(Place(work / "a folder + 100%"))
        check_place(Place("memory://a folder + 100%"))
        check_place(store.place("s3://photos/a prefix + 100%/é"))
        folder = work / "album"
        album(folder)
        fill(store.place("s3://photos/album"), folder)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        check_pages(work, store)
        check_marks(work, store)
        check_together(work, store, folder)
        check_google(work, folder)
        ray.shutdown()
    print("photos are the same in every store")


if __name__ == "__main__":
    main()
