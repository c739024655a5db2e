# SPDX-License-Identifier: MIT
"""A full disk, a disk that fails and SIGKILL, at the calls by which each verb changes files: sources stay, nothing
half-written has a final name, and the next run finishes the job."""

import errno
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest

import recordings
from programs import APUS, FIXTURES, completed
from shim import Shim

pytestmark = pytest.mark.apart

# As many calls of a job fail in turn; of more, these are drawn.
MOMENTS = 12
# How often each job is killed at a random moment; more, where that is asked for.
KILLS = int(os.environ.get("APUS_KILLS", 1))

class Job:
    """A command, the fixtures that it reads, and whether it changes one of them in place."""

    def __init__(self, name, words, files, in_place=False, leaves=(), removes=()):
        self.name = name
        self.words = words
        self.files = files
        self.in_place = in_place
        # What an interrupted run may leave for the next one, by the endings of names.
        self.leaves = leaves
        self.removes = removes


PHOTOS = {name: name for name in ("photo.heic", "grid-odd.heic", "still-10bit.heic", "portrait.heic")}
LIBRARY = {f"in/{name}": name for name in PHOTOS}
JOBS = [
    Job("convert to jpg", "convert photo.heic -o photo.jpg", {"photo.heic": "photo.heic"}),
    Job("convert to png", "convert photo.heic -o photo.png", {"photo.heic": "photo.heic"}),
    Job("convert to heic", "convert 420.jpg -o photo.heic", {"420.jpg": "420.jpg"}),
    Job("convert to ppm", "convert photo.heic -o photo.ppm", {"photo.heic": "photo.heic"}),
    Job("convert a folder", "convert -r . --journal run.journal", PHOTOS, leaves=("run.journal",)),
    Job("convert and remove", "convert -r . --remove-source --verify --journal run.journal", PHOTOS,
        leaves=("run.journal",), removes=tuple(PHOTOS)),
    # Photos are decoded in confined processes, which end with the run wherever it was killed.
    Job("convert isolated", "convert -r . --isolate -j 2 --journal run.journal", PHOTOS, leaves=("run.journal",)),
    Job("convert isolated and remove", "convert -r . --isolate -j 2 --remove-source --verify --journal run.journal",
        PHOTOS, leaves=("run.journal",), removes=tuple(PHOTOS)),
    Job("export isolated", "export -r in -o exported/ --isolate --journal run.journal",
        {**LIBRARY, "in/420.jpg": "420.jpg"}, leaves=("run.journal",)),
    Job("extract isolated", "extract depth.heic overlay.heic --role all -o parts/ --isolate --journal run.journal",
        {"depth.heic": "depth.heic", "overlay.heic": "overlay.heic"}, leaves=("run.journal",)),
    Job("convert to png and remove", "convert -r . --format png --remove-source --journal run.journal", PHOTOS,
        leaves=("run.journal",), removes=tuple(PHOTOS)),
    Job("convert a Live Photo", "convert motion.jpg -o out/ --live keep", {"motion.jpg": "motion.jpg"}),
    Job("convert and replace", "convert photo.heic -o photo.jpg --on-exists replace",
        {"photo.heic": "photo.heic", "photo.jpg": "420.jpg"}),
    Job("group", "convert 420.jpg 422.jpg -o burst.heic --group burst", {"420.jpg": "420.jpg", "422.jpg": "422.jpg"}),
    Job("thumbnail", "thumbnail -r in -s 64 -o small/", LIBRARY),
    Job("extract", "extract depth.heic --role all -o parts/", {"depth.heic": "depth.heic"}),
    Job("export", "export -r in -o exported/", {**LIBRARY, "in/movie.mov": "movie.mov", "in/420.jpg": "420.jpg"}),
    Job("remux to mp4", "remux movie.mov -o movie.mp4", {"movie.mov": "movie.mov"}, leaves=("movie.mp4.part",)),
    Job("remux to flv", "remux hvc1.mp4 -o movie.flv", {"hvc1.mp4": "hvc1.mp4"}),
    Job("remux to fragments", "remux hvc1.mp4 -o movie.mp4 --format fmp4", {"hvc1.mp4": "hvc1.mp4"}),
    Job("remux to hevc", "remux hvc1.mp4 -o movie.hevc", {"hvc1.mp4": "hvc1.mp4"}),
    Job("remux to hls", "remux hvc1.mp4 -o movie.m3u8 --segment-duration 0.5", {"hvc1.mp4": "hvc1.mp4"}),
    Job("replace", "remux hvc1.mp4 -o movie.mp4 --on-exists replace", {"hvc1.mp4": "hvc1.mp4", "movie.mp4": "hev1.mp4"}),
    Job("transcode", "transcode hvc1.mp4 -o small.mp4 --speed ultrafast --resume", {"hvc1.mp4": "hvc1.mp4"},
        leaves=("small.mp4.part", "small.mp4.part.job")),
    Job("edit", "edit hvc1.mp4 --set moov/trak[0]/tkhd/volume=0.5 -o edited.mp4", {"hvc1.mp4": "hvc1.mp4"}),
    Job("edit in place", "edit hvc1.mp4 --set moov/trak[0]/tkhd/volume=0.5 --set moov/mvhd/rate=1.5 --in-place",
        {"hvc1.mp4": "hvc1.mp4"}, in_place=True),
    Job("edit another size in place", "edit hvc1.mp4 --remove moov/udta --in-place", {"hvc1.mp4": "hvc1.mp4"},
        in_place=True),
    Job("fix", "hvcc fix hev1.mp4 --entry hvc1 --sets record -o fixed.mp4", {"hev1.mp4": "hev1.mp4"}),
    Job("fix in place", "hvcc fix hev1.mp4 --entry hvc1 --in-place", {"hev1.mp4": "hev1.mp4"}, in_place=True),
    Job("build", "hvcc build stream.hevc -o record.bin", {"stream.hevc": "stream.hevc"}),
    Job("convert flv", "flv convert legacy.flv -o enhanced.flv --dialect enhanced", {"legacy.flv": "legacy.flv"}),
]


def lay_out(job, work):
    """The fixtures of a job in a folder of their own."""
    folder = work / "files"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, fixture in job.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(FIXTURES / fixture, folder / name)
    return folder


def contents(folder):
    """The digest of each file by its name, but for what says times and nodes (journals and the manifests of presentations),
    and for locks, which hold nothing."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix not in (".journal", ".apus-lock") and path.name != ".apus-folder"}


def run(job, folder, environment=None):
    done = completed(APUS, *job.words.split(), cwd=folder, env=environment, status=None)
    return done.returncode, done.stderr.decode(errors="replace")


def check_after(job, folder, before, whole, where):
    """What holds after a run that was interrupted: files are as before or as they shall be, and none between."""
    now = contents(folder)
    for name, digest in before.items():
        wanted = {digest, whole.get(name)}
        if name in job.removes:
            is_kept = any(other.startswith(name.rsplit(".", 1)[0]) and whole[other] == now.get(other)
                          for other in whole)
            assert now.get(name) == digest or (name not in now and is_kept), f"{where}: {name} was lost"
        else:
            is_between = job.in_place and any(other.endswith(".apus-patch") for other in now)
            assert now.get(name) in wanted or is_between, f"{where}: {name} is neither as it was nor as it shall be"
    for name, digest in now.items():
        if name in before or any(name.endswith(ending) for ending in job.leaves):
            continue
        is_hidden = any(part.startswith(".") and ".apus-" in part for part in pathlib.Path(name).parts)
        if is_hidden:
            continue
        if name.rsplit(".", 1)[0].endswith("movie-1") or "/" in name and name not in whole:
            # The folder of a presentation that no playlist names yet.
            assert job.name == "remux to hls", f"{where}: {name} should not be there"
            continue
        assert whole.get(name) == digest, f"{where}: {name} is there and is not whole"


def check_again(job, folder, whole, where):
    """The next run finishes the job, and leaves nothing of the one before."""
    status, text = run(job, folder)
    now = contents(folder)
    # What could not be removed stands beside an output that is whole.
    now = {name: digest for name, digest in now.items() if name in whole or not name.endswith(job.leaves)}
    # A verb for a single file may say that its output is there.
    assert status in (0, 3) or now == whole, f"{where}: the next run ends with {status}: {text.strip()}"
    if now != whole:
        differing = sorted(name for name in now.keys() | whole.keys() if now.get(name) != whole.get(name))
        raise AssertionError(f"{where}: after the next run these are not as they shall be: {', '.join(differing)}\n{text}")


@pytest.fixture(scope="module")
def shim(work):
    return Shim(work)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_nothing_is_lost_or_half_written_and_the_next_run_finishes_the_job(folder, shim, job):
    # Which calls fail is drawn, the same in every run.
    generator, work = random.Random(job.name), folder
    folder = lay_out(job, work)
    before = contents(folder)
    status, text = run(job, folder, shim.environment(folder))
    assert status == 0, f"{job.name}: status {status} without a fault: {text}"
    whole, calls = contents(folder), shim.calls
    assert calls > 0, f"{job.name}: no call was counted"
    status, text = run(job, folder)
    assert status in (0, 1, 3) and contents(folder) == whole, f"{job.name}: a second run changes something: {text}"

    for kind, error, sticky in (("a full disk", errno.ENOSPC, True), ("EIO", errno.EIO, False), ("SIGKILL", 0, False)):
        moments = range(1, calls + 1)
        if calls > MOMENTS:
            moments = sorted({1, 2, calls - 1, calls, *generator.sample(moments, MOMENTS - 4)})
        for moment in moments:
            where = f"{job.name}, {kind} at call {moment} of {calls}"
            folder = lay_out(job, work)
            status, text = run(job, folder, shim.environment(folder, moment, error, sticky))
            now = contents(folder)
            if error == 0:
                # What ends a confined process costs its photo, and not the run.
                wanted = (-signal.SIGKILL, 0, 1) if "--isolate" in job.words else (-signal.SIGKILL, 0)
                assert status in wanted, f"{where}: status {status}"
            else:
                assert status >= 0, f"{where}: ended by signal {-status}: {text}"
                if status == 0:
                    rest = {name: digest for name, digest in now.items() if not name.endswith(job.leaves)}
                    wanted = {name: digest for name, digest in whole.items() if not name.endswith(job.leaves)}
                    assert rest == wanted, f"{where}: status 0, but not all is as it shall be: {text}"
                assert status == 0 or text.strip(), f"{where}: says nothing"
                left = [name for name in now if ".apus-" in name]
                assert not left or sticky or error == errno.EIO, f"{where}: leaves {left}"
            check_after(job, folder, before, whole, where)
            check_again(job, folder, whole, where)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_a_job_that_is_killed_at_any_moment_loses_nothing_and_is_finished_by_the_next_run(folder, job):
    generator, work = random.Random(), folder
    folder = lay_out(job, work)
    before = contents(folder)
    start = time.monotonic()
    run(job, folder)
    seconds = time.monotonic() - start
    whole = contents(folder)
    for _ in range(KILLS):
        folder = lay_out(job, work)
        process = subprocess.Popen([APUS, *job.words.split()], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        moment = generator.random() * seconds
        # The moment is the point of the test; nothing is waited for.
        time.sleep(moment)
        process.kill()
        process.wait()
        where = f"{job.name}, killed after {moment:.4f} s"
        check_after(job, folder, before, whole, where)
        check_again(job, folder, whole, where)


@pytest.fixture(scope="module")
def recorders(work, shim):
    return recordings.jobs(work, shim, random.Random(1))


@pytest.mark.parametrize("number", range(4))
def test_a_recording_is_whole_or_is_reported_not_to_be(recorders, number):
    for trial in [*recorders[number].faults(), *recorders[number].kills(KILLS)]:
        trial()
