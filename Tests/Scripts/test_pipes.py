# SPDX-License-Identifier: MIT
"""What is no regular file: devices are refused, pipes are bounded, and one signal ends a wait for them."""

import os
import pathlib
import resource
import shutil
import signal
import subprocess

import pytest

from programs import APUS, FFMPEG, FIXTURES, Failure, completed, ffmpeg, finished, run, until

pytestmark = pytest.mark.apart

READERS = [["inspect"], ["info"], ["hvcc", "check"], ["hvcc", "show"], ["flv", "show"], ["flv", "check"],
           ["convert", "-o", "OUT.jpg"], ["thumbnail", "-o", "OUT.jpg"], ["extract", "--list"],
           ["extract", "--track", "1", "-o", "OUT.mp4"], ["remux", "-o", "OUT.mp4"], ["transcode", "-o", "OUT.mp4"],
           ["edit", "-o", "OUT.mp4"], ["hvcc", "fix", "-o", "OUT.mp4"], ["flv", "convert", "-o", "OUT.flv"]]


def refused(folder, words, name, reason, **options):
    done = completed(APUS, *words, name, status=None, cwd=folder, text=True, **options)
    assert done.returncode == 1 and reason in done.stderr, \
        f"{' '.join(words)} {name}: status {done.returncode}, {done.stderr.strip()}"


@pytest.mark.parametrize("words", READERS, ids=" ".join)
def test_devices_and_folders_are_refused(folder, words):
    refused(folder, words, "/dev/zero", "character device")
    refused(folder, words, ".", "")
    assert not os.listdir(folder), f"outputs of devices: {os.listdir(folder)}"


def test_a_device_as_standard_input_is_refused(folder):
    with open("/dev/zero", "rb") as zero:
        refused(folder, ["inspect"], "-", "character device", stdin=zero)
    assert not os.listdir(folder), f"outputs of devices: {os.listdir(folder)}"


@pytest.mark.parametrize("source", ["pipe", "file"])
@pytest.mark.parametrize("name", ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-"])
def test_a_descriptor_is_read_by_its_name(name, source):
    photo = FIXTURES / "photo.heic"
    with open(photo, "rb") as file:
        given = {"input": photo.read_bytes()} if source == "pipe" else {"stdin": file}
        done = completed(APUS, "info", name, **given)
    assert b"kind" in done.stdout, f"info {name} from a {source}: {done.stdout}, {done.stderr}"


def test_a_device_is_written_to():
    run(APUS, "remux", FIXTURES / "hvc1.mp4", "-o", "/dev/null", "--format", "fmp4")


MOVIE, FLV, PHOTO = FIXTURES / "hvc1.mp4", FIXTURES / "legacy.flv", FIXTURES / "photo.heic"


@pytest.mark.parametrize("source, words", [
    (MOVIE, ["remux", "-", "-o", "own.mp4"]), (MOVIE, ["remux", "-", "-o", "own.flv"]),
    (MOVIE, ["edit", "-", "-o", "own.mp4", "--remove", "moov/udta"]),
    (MOVIE, ["hvcc", "fix", "-", "-o", "own.mp4", "--entry", "hev1"]), (MOVIE, ["transcode", "-", "-o", "own.mp4"]),
    (FLV, ["flv", "convert", "-", "-o", "own.flv", "--dialect", "enhanced"]),
    (PHOTO, ["convert", "-", "-o", "own.jpg"]),
])
def test_a_file_that_is_read_through_standard_input_is_never_overwritten(folder, source, words):
    own = folder / words[words.index("-o") + 1]
    shutil.copy(source, own)
    with open(own, "rb") as file:
        refused(folder, [*words, "--on-exists"], "replace", "never overwritten", stdin=file)
    assert own.read_bytes() == source.read_bytes(), f"{' '.join(words)} wrote over what it read"


@pytest.mark.parametrize("source, words", [
    (MOVIE, ["remux", "--format", "fmp4", "-o", "-"]), (FLV, ["flv", "convert", "--dialect", "enhanced", "-o", "-"]),
    (MOVIE, ["edit", "--remove", "moov/udta", "-o", "-"]), (PHOTO, ["convert", "-o", "-"]),
])
def test_a_file_that_standard_output_adds_to_is_never_overwritten(folder, source, words):
    own = folder / "own"
    shutil.copy(source, own)
    with open(own, "ab") as file:
        done = completed(APUS, *words, own, status=None, stdout=file, text=True)
    assert done.returncode == 1 and "never overwritten" in done.stderr and own.read_bytes() == source.read_bytes(), \
        f"{' '.join(words)} >> its input: status {done.returncode}, {done.stderr.strip()}"


@pytest.mark.parametrize("size, limit", [(1 << 20, 1 << 30), (3 << 20, 2 << 20)])
def test_only_a_pipe_with_more_than_the_limit_is_refused_for_it(size, limit):
    done = completed(APUS, "inspect", "-", "--limit", f"pipe={limit}", status=1, input=bytes(size))
    said = b"the limit pipe" in done.stderr
    assert said == (size > limit), f"{size} bytes with a limit of {limit}: {done.stderr}"


@pytest.mark.parametrize("words", [
    ["convert", "-o", "OUT.jpg"], ["convert", "-o", "OUT.heic"], ["convert", "--dry-run", "-v"], ["convert", "--dry-run"],
    ["convert", "-o", "OUT.jpg", "--isolate"], ["thumbnail", "-o", "OUT.jpg"],
    ["thumbnail", "-o", "OUT.jpg", "--dry-run"], ["extract", "--list"],
    ["extract", "--role", "exif", "-o", "OUT.exif"], ["edit", "-o", "OUT.heic"],
], ids=" ".join)
@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_photo_in_a_pipe_is_bounded(folder, words, name):
    refused(folder, [*words, "--limit", "pipe=1000"], name, "the limit pipe", input=PHOTO.read_bytes().decode("latin-1"),
            encoding="latin-1")
    assert not os.listdir(folder), f"outputs of more than the limit: {os.listdir(folder)}"


def test_a_box_in_a_pipe_is_bounded(folder):
    shutil.copy(MOVIE, folder / "movie.mp4")
    refused(folder, ["edit", "--insert", "moov=-", "-o", "OUT.mp4", "--limit", "pipe=1000"], "movie.mp4", "the limit pipe",
            input="x" * 2000)
    assert os.listdir(folder) == ["movie.mp4"], f"outputs of more than the limit: {os.listdir(folder)}"


def test_a_movie_in_a_pipe_is_held_in_memory_at_most_once():
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    # The media data are larger than what the process may hold.
    movie = MOVIE.read_bytes()
    with subprocess.Popen([APUS, "info", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          preexec_fn=limited) as process:
        process.stdin.write(movie + (1_500_000_008).to_bytes(4, "big") + b"free")
        for _ in range(1500):
            process.stdin.write(bytes(1_000_000))
        process.stdin.close()
        output = process.stdout.read()
        assert not process.wait() and b'"tracks"' in output, f"1.5 GB through a pipe: {process.returncode}"


VERBS = [
    ["convert", "fifo", "-o", "o.jpg"], ["convert", "-", "-o", "o.jpg"], ["transcode", "fifo", "-o", "o.mp4"],
    ["transcode", "-", "-o", "o.mp4"], ["thumbnail", "fifo", "-o", "o.jpg"], ["info", "fifo"],
    ["remux", "fifo", "-o", "o.mp4"], ["inspect", "-"], ["convert", "x.heic", "-o", "fifo"],
    ["convert", "--files-from", "-", "-o", "out/"],
]


@pytest.mark.parametrize("kind, status", [(signal.SIGTERM, 143), (signal.SIGINT, 130)], ids=["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_one_signal_ends_a_verb_that_waits_for_a_pipe(folder, words, kind, status):
    """The status is that by which shells name programs that a signal ended."""
    # A parent that runs this in the background may ignore SIGINT, and so would the program.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.mkfifo(folder / "fifo")
    shutil.copy(PHOTO, folder / "x.heic")
    process = subprocess.Popen([APUS, *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    # Asleep each time that one looks: it waits.
    looks = [0]

    def idle():
        asleep = pathlib.Path(f"/proc/{process.pid}/stat").read_text().split()[2] == "S"
        looks[0] = looks[0] + 1 if asleep else 0
        return looks[0] > 20

    try:
        until(idle, f"{' '.join(words)} waits")
        process.send_signal(kind)
        try:
            code = finished(process, 10)
        except Failure as failure:
            raise Failure(f"{' '.join(words)} after {kind.name}: {failure}") from None
    finally:
        process.kill()
        process.stdin.close()
        process.wait()
    assert code in (status, -kind), f"{' '.join(words)} ended by {kind.name}: {code}"
    assert sorted(os.listdir(folder)) in (["fifo", "x.heic"], ["fifo", "out", "x.heic"]), \
        f"outputs of what was ended: {os.listdir(folder)}"


def test_a_pipe_that_a_playlist_names_is_no_segment(folder):
    run(APUS, "remux", FIXTURES / "hvc1.mp4", "-o", folder / "p.m3u8")
    segment = folder / "p/video-1/1.m4s"
    segment.unlink()
    os.mkfifo(segment)
    refused(folder, ["remux", "-o", "o.mp4"], "p.m3u8", "no regular file")


def test_pipes_among_files_are_skipped_or_refused(folder):
    """A pipe that nobody named is waited for by nobody, and one that would have to be read twice is refused."""
    shutil.copy(FIXTURES / "photo.heic", folder / "x.heic")
    os.mkfifo(folder / "x.mov")
    run(APUS, "convert", folder / "x.heic", "--live", "keep", "-o", folder / "o.jpg")
    run(APUS, "convert", "-r", folder, "--live", "keep", "-o", f"{folder}/out/")
    refused(folder, ["export", "-o", "exported"], "x.mov", "not a regular file")
    said = run(APUS, "export", "--dry-run", folder / "x.mov", "-o", folder / "exported")
    assert said.startswith("refuse ") and not (folder / "exported").exists(), "a pipe was exported"


@pytest.mark.parametrize("form", ["mpegts", "matroska", "flv", "hevc"])
def test_a_container_goes_from_pipe_to_pipe_as_from_file_to_file(folder, form):
    """Read as it comes, without what follows, it gives the samples and times of the whole file."""
    source = folder / "source"
    ffmpeg("-i", MOVIE, "-map", "0:v", "-c", "copy", "-f", form, source)
    piped = folder / "piped.flv"
    piped.write_bytes(completed(APUS, "remux", "-", "--format", "flv", "-o", "-", input=source.read_bytes()).stdout)
    run(APUS, "remux", "--quiet", source, "-o", folder / "whole.flv")
    told = [run(FFMPEG, "-i", path, "-c", "copy", "-f", "framemd5", "-") for path in (piped, folder / "whole.flv")]
    assert told[0] == told[1] and told[0].count("\n0,") >= 10, told
