# SPDX-License-Identifier: MIT
"""Photos for a cluster in S3, in Google's storage and in folders: names of every kind, more objects than a page of a listing
has, empty files, and two people who convert into one target at the same time."""

import contextlib
import hashlib
import pathlib
import sys
import threading

import pytest

from programs import FIXTURES, free_port, running, same

# One cluster on a machine at a time.
pytestmark = pytest.mark.xdist_group("cluster")


@pytest.fixture(scope="module", autouse=True)
def modules(bindings):
    """Imports what loads the library and Ray, which need not exist when cases are collected."""
    global apus, clusters, jobs, ray
    import apus.ray
    import ray
    from apus.ray import job as jobs

    import clusters


@pytest.fixture(scope="module")
def store(modules, work):
    with clusters.Store(work) as store:
        yield store


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
        with pytest.raises(FileExistsError):
            place.write(NAMES[1], b"other")
        same("what was not written over", NAMES[1].encode(), place.read(NAMES[1]))
    before = place.entries()[NAMES[1]]
    place.write(NAMES[1], b"another", replaces=True)
    same("what was replaced", b"another", place.read(NAMES[1]))
    assert place.entries()[NAMES[1]].identity != before.identity, f"{place.url} does not say that a file has changed"
    for name in NAMES:
        place.remove(name)
    place.remove(NAMES[0])
    same("what is left", ["empty.heic"], list(place.entries()))


@pytest.fixture(scope="module")
def album(modules, work, store):
    """A folder with photos of all those names, and one without a byte; the store has them, too."""
    folder = work / "album"
    kinds = sorted(FIXTURES.glob("*.heic"))
    for number, name in enumerate(NAMES):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kinds[number].read_bytes())
    (folder / "empty.heic").write_bytes(b"")
    fill(store.place("s3://photos/album"), folder)
    return folder


def fill(place, folder):
    for path in folder.rglob("*"):
        if path.is_file():
            place.write(str(path.relative_to(folder)), path.read_bytes())


def test_more_objects_than_a_page_has_are_all_seen(cluster, store):
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


def run_together(*planned):
    clusters.Together.barrier = threading.Barrier(len(planned))
    summaries, threads = {}, []
    for number, job in enumerate(planned):
        threads.append(threading.Thread(target=lambda number=number, job=job: summaries.update({number: job.run()})))
        threads[-1].start()
    for thread in threads:
        thread.join(120)
    same("how many jobs have ended", len(planned), len(summaries))
    return [summaries[number] for number in range(len(planned))]


def test_two_people_who_convert_into_one_target_get_it_once(cluster, store, album):
    """Two people who convert the same into one target get it once, and one manifest."""
    files, said = clusters.one_machine(album)
    where = {"endpoint": store.endpoint}
    source, target = "s3://photos/album", store.place("s3://jpegs/together")
    # A manifest in two parts, which both put together.
    apus.ray.convert([f"{source}/{NAMES[0]}"], target.url, **where)
    apus.ray.convert([f"{source}/{NAMES[0]}", f"{source}/{NAMES[1]}"], target.url, **where)
    summaries = run_together(*(clusters.Together(source, target.url, {}, **where) for _ in range(2)))
    clusters.compare(files, said, target)
    for summary in summaries:
        same("what each of two has converted or found", len(files), summary.converted + summary.finished_before)
    rows = clusters.rows_of(store.place(f"{target.url}/_apus"))
    same("what has no result", [], [name for name, row in rows.items() if row["status"] == "begun"])
    again = apus.ray.convert(source, target.url, **where)
    same("what is left for a third", (0, len(files)), (again.converted, again.finished_before))
    # With options that differ, every file is that of one of them, and the manifest says of which.
    other = store.place("s3://jpegs/two-minds")
    run_together(*(clusters.Together(source, other.url, {"quality": quality}, **where) for quality in (30, 80)))
    made = clusters.stored(other)
    same("the files of two minds", sorted(files), sorted(made))
    for name, row in clusters.rows_of(store.place(f"{other.url}/_apus")).items():
        if row["status"] == "failed":
            continue
        same(f"what became of {name}", ("converted", [hashlib.sha256(made[row["targets"][0]]).hexdigest()]),
             (row["status"], row["digests"]))


def test_what_a_run_was_writing_that_was_killed_is_known_until_it_is_converted(cluster, store, album):
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
         (again.skipped, clusters.rows_of(store.place(f"{target.url}/_apus"))["plain.heic"]["status"]))


def test_google_storage_gives_and_takes_the_same(cluster, folder, album):
    """The same from and into Google's storage."""
    files, said = clusters.one_machine(album)
    with google(folder) as (storage, log):
        check_place(clusters.Place("gs://photos/place", storage=storage), refuses=False)
        # The server writes over what is there all the same; Google's does not.
        assert b"ifGenerationMatch=0" in log.read_bytes(), "Google's storage is not asked to keep what is there"
        fill(clusters.Place("gs://photos/in", storage=storage), album)
        apus.ray.convert("gs://photos/in/", "gs://photos/out/", storage=storage)
        clusters.compare(files, said, clusters.Place("gs://photos/out", storage=storage))
        again = apus.ray.convert("gs://photos/in/", "gs://photos/out/", storage=storage)
        same("what is left to do in Google's storage", (0, len(files)), (again.converted, again.finished_before))


def test_a_folder_keeps_what_is_written_whatever_it_is_called(modules, folder):
    check_place(clusters.Place(folder / "a folder + 100%"))


def test_memory_keeps_what_is_written_whatever_it_is_called(modules):
    check_place(clusters.Place("memory://a folder + 100%"))


def test_s3_keeps_what_is_written_whatever_it_is_called(store):
    check_place(store.place("s3://photos/a prefix + 100%/é"))
