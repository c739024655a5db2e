# SPDX-License-Identifier: MIT
"""A cluster makes of photos in S3 what `apus convert -r` makes of them in a folder, whatever dies meanwhile. The same with
thousands of photos, and processes that are killed at random, is `Scripts/bench cluster`."""

import contextlib
import json
import os
import sys

import pytest

from programs import APUS, FIXTURES, printed, same

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


@pytest.fixture
def store(modules, folder):
    with clusters.Store(folder) as store:
        yield store


def test_only_photos_that_end_their_workers_are_blamed(cluster, folder):
    """Only the photos that end their workers are blamed, although others are converted in the same tasks, and next to them."""
    source = folder / "deadly"
    clusters.photos(source, 12)
    job = jobs.Job(source, folder / "alone", {})
    job.source.__class__ = clusters.Deadly
    job.source.fates = ("1/IMG_00001.HEIC", "2/IMG_00002.HEIC", "4/IMG_00004.HEIC")
    summary = job.run()
    rows = clusters.rows_of(job.records)
    same("the photos that are blamed", set(job.source.fates), {name for name, row in rows.items() if row["error_kind"] == "crash"})
    same("what became of all photos", (13, 13), (len(rows), summary.converted + summary.salvaged + summary.failed))
    # Each of them, and at least one task in which it was with others.
    assert summary.workers_lost > len(job.source.fates), f"{summary.workers_lost} workers were lost"
    again = apus.ray.convert(source, folder / "alone", retry_failed=True)
    same("what is converted again", len(job.source.fates), again.converted)


def test_a_run_and_its_repetition_make_what_one_machine_makes(cluster, folder, store):
    """A run with broken photos and one that ends its worker, and what is done when it runs again."""
    source = folder / "photos"
    clusters.photos(source, 30)
    fate = "5/IMG_00005.HEIC"
    store.fill("s3://photos/2024", source)
    files, said = clusters.one_machine(source, "-q", 85)
    where = {"endpoint": store.endpoint}
    job = jobs.Job("s3://photos/2024/", "s3://jpegs/out/", {"quality": 85}, **where)
    target = job.target
    job.source.__class__, job.source.fates = clusters.Deadly, (fate,)
    # Written before its worker ended, as far as anybody knows.
    todo, _, _ = job.plan()
    job.kept.append([photo for photo in todo if photo["source"] == fate])
    target.write(fate.replace(".HEIC", ".jpg"), files[fate.replace(".HEIC", ".jpg")])
    summary = job.run()
    assert summary.workers_lost >= 1, "the photo that ends its worker did not"
    rows = clusters.compare(files, said, target, fate)

    again = apus.ray.convert("s3://photos/2024/", "s3://jpegs/out/", quality=85, **where)
    same("what is done again", (0, summary.converted), (again.converted, again.finished_before))
    # One output is gone, one photo has changed, one output was changed by somebody, and one was there before all.
    done = sorted(name for name, row in rows.items() if row["status"] == "converted")
    jpeg = {name: os.path.splitext(name)[0] + ".jpg" for name in done}
    target.remove(jpeg[done[0]])
    other = (FIXTURES / "alpha.heic").read_bytes()
    for name in done[1:3]:
        job.source.write(name, other, replaces=True)
        (source / name).write_bytes(other)
    target.write(jpeg[done[2]], b"somebody's", replaces=True)
    (source / "new.heic").write_bytes(other)
    job.source.write("new.heic", other)
    target.write("new.jpg", b"somebody's")
    again = apus.ray.convert("s3://photos/2024/", "s3://jpegs/out/", quality=85, retry_failed=True, **where)
    same("what is missing or changed, and the photo that ended its worker", (3, 2), (again.converted, again.skipped))
    files, said = clusters.one_machine(source, "-q", 85)
    made = clusters.stored(target)
    for name in (jpeg[done[2]], "new.jpg"):
        same(f"what somebody has written as {name}", b"somebody's", made[name])
        files[name] = b"somebody's"
    same("the outputs in the end", files, made)
    listed = json.loads(printed(sys.executable, "-m", "apus.ray", "s3://photos/2024/", "s3://jpegs/out/", "-q", "60", "--endpoint",
                                store.endpoint, "--dry-run", "--json"))
    same("how many photos other options concern", len(said) - 3, listed["photos"])
    same("what a dry run writes", made, clusters.stored(target))


def test_datasets_get_columns_and_several_sizes_come_of_one_decoding(cluster, folder):
    """Datasets get columns, local folders folder alike, and several sizes come of one decoding."""
    source = folder / "few"
    clusters.photos(source, 8)
    dataset = ray.data.read_binary_files(str(source), include_paths=True)
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
        assert isinstance(json.loads(row["hvcc_check"]), list), f"hvcc check says {row['hvcc_check']}"
    # Two runs before that were killed when they had written a file, and no row.
    asked = {"sizes": [64, 32], "facts": ["info"]}
    for _ in range(2):
        killed = jobs.Job(source, folder / "small", {}, **asked)
        todo, _, _ = killed.plan()
        killed.kept.append(todo)
        with contextlib.suppress(FileExistsError):
            killed.target.write("0/IMG_00000.64.jpg", apus.open(source / "0/IMG_00000.heic").convert(max_size=64))
    summary = apus.ray.convert(source, folder / "small", **asked)
    made = sorted(path.name for path in (folder / "small").rglob("*.jpg"))
    same("the files of two sizes", 2 * summary.converted, len(made))
    rows = clusters.rows_of(clusters.Place(folder / "small/_apus"))
    same("what became of the photo that was begun", "converted", rows["0/IMG_00000.heic"]["status"])
    assert any(row["facts"] and json.loads(row["facts"])["info"].get("picture") for row in rows.values()), \
        "the manifest has no facts"
    same("what is left beside the files", [], [path.name for path in (folder / "small").rglob(".*")])


def test_a_bag_of_dask_makes_the_same(folder):
    """The same engine in a bag of Dask."""
    import dask.bag

    def converted(paths):
        engine = apus.Engine(1)
        return [apus.open(path, engine).convert(quality=85) for path in paths]
    paths = [str(FIXTURES / name) for name in ("photo.heic", "grid.heic", "alpha.heic")] * 2
    made = dask.bag.from_sequence(paths, npartitions=2).map_partitions(converted).compute(scheduler="processes", num_workers=2)
    same("what Dask makes", [apus.open(path).convert(quality=85) for path in paths], made)


def test_a_job_whose_tasks_cannot_start_ends_with_the_reason(cluster, folder):
    """A job ends with the reason if its tasks cannot start."""
    job = jobs.Job(FIXTURES, folder / "unreachable", {})
    job.target.__class__ = clusters.Broken
    with pytest.raises(ray.exceptions.RayError, match="cannot be reached"):
        job.run()


@pytest.mark.parametrize("options", [
    {"quality": 101}, {"qualty": 5}, {"images": "all"}, {"format": "yuv"}, {"sizes": [0]}, {"facts": ["all"]},
])  # fmt: skip
def test_wrong_options_are_refused(folder, options):
    with pytest.raises(ValueError):
        apus.ray.convert(folder, folder / "none", **options)


def test_tasks_do_not_write_into_the_memory_of_another_process():
    with pytest.raises(ValueError):
        apus.ray.convert(FIXTURES, "memory://photos")


@pytest.mark.parametrize("words, status", [
    (["none", "out"], 1), ([FIXTURES / "photo.heic", "out"], 1),
    ([FIXTURES, "out", "--storage", "{}", "--sizes", "large"], 2), ([FIXTURES, "memory://out"], 2),
    (["nothing://photos", "out"], 2),
])  # fmt: skip
def test_a_wrong_command_line_has_its_status_and_writes_nothing(folder, monkeypatch, words, status):
    from apus.ray.__main__ import main
    monkeypatch.chdir(folder)
    same("status", status, main(list(map(str, words))))
    assert not (folder / "out").exists()


def test_the_options_are_those_of_the_command():
    from apus.ray.__main__ import FLAGS, VALUED
    shown = printed(APUS, "convert", "--help")
    assert not [name for name in FLAGS + VALUED if f"--{name}" not in shown]
