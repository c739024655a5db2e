#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replacing a presentation removes files that apus wrote and nothing else; what killed runs left is removed."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, Failure, run  # noqa: E402

CLIP = ROOT / "Fixtures/hvc1.mp4"


def files(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if not file.is_dir())


def same(what, expected, found):
    if expected != found:
        raise Failure(f"{what}: {expected} was expected, {found} found")


def present(path, *options, source=CLIP):
    return run(APUS, "remux", source, "-o", path, *options)


def replace(path, *options):
    return present(path, "--on-exists", "replace", *options)


def check_own(work):
    """A presentation that apus made goes whole, and what someone put into its folder stays."""
    present(work / "clip.m3u8")
    replace(work / "clip.m3u8")
    same("folders", ["clip-1", "clip.m3u8"], sorted(os.listdir(work)))
    (work / "clip-1/film.mp4").write_text("mine")
    (work / "clip-1/video-1/7.m4s").write_text("mine")
    (work / "clip-1/video-1/1.m4s").write_text("changed")
    told = replace(work / "clip.m3u8")
    left = ["clip-1/.apus-folder", "clip-1/film.mp4", "clip-1/video-1/1.m4s", "clip-1/video-1/7.m4s"]
    same("files of others", left, [name for name in files(work) if name.startswith("clip-1/")])
    if "are kept" not in told:
        raise Failure(f"nothing is said of what stays: {told}")


def check_films(work):
    """A player's playlist beside somebody's films."""
    (work / "Movies/sub").mkdir(parents=True)
    names = ["Movies/holiday.mp4", "Movies/b.mp4", "Movies/notes.txt", "Movies/sub/x.mp4", "Movies/video-1/1.m4s"]
    for name in names:
        (work / name).parent.mkdir(exist_ok=True)
        shutil.copy(CLIP, work / name)
    before = files(work)
    (work / "Movies.m3u8").write_text("#EXTM3U\n" + "".join(f"#EXTINF:1,\n{name}\n" for name in names))
    replace(work / "Movies.m3u8")
    same("films", before, [name for name in files(work) if name.startswith("Movies/")])


def check_copies(work):
    """Marks and manifests that were copied with their files, or made up, prove nothing."""
    present(work / "made/clip.m3u8")
    shutil.copytree(work / "made", work / "copied", copy_function=shutil.copy2)
    before = files(work / "copied/clip")
    replace(work / "copied/clip.m3u8")
    same("a copy", before, files(work / "copied/clip"))
    # The playlist alone, beside films that are called like segments.
    (work / "films/clip/video-1").mkdir(parents=True)
    shutil.copy(work / "made/clip.m3u8", work / "films/clip.m3u8")
    shutil.copy(work / "made/clip/.apus-folder", work / "films/clip/.apus-folder")
    for name in ("index.m3u8", "init.mp4", "1.m4s"):
        shutil.copy2(work / "made/clip/video-1" / name, work / "films/clip/video-1" / name)
    before = files(work / "films/clip")
    replace(work / "films/clip.m3u8")
    same("films called like segments", before, files(work / "films/clip"))
    # Another playlist that claims the folder of a living one.
    shutil.copy(work / "made/clip.m3u8", work / "made/other.m3u8")
    before = files(work / "made/clip")
    replace(work / "made/other.m3u8")
    same("the folder of another playlist", before, files(work / "made/clip"))


def check_renamed(work):
    """A presentation whose playlist got another name keeps its folder."""
    present(work / "clip.m3u8")
    before = files(work / "clip")
    (work / "clip.m3u8").rename(work / "kept.m3u8")
    present(work / "clip.m3u8")
    replace(work / "clip.m3u8")
    same("the folder of a renamed playlist", before, files(work / "clip"))


def check_links(work):
    """Folders and files that lead elsewhere are followed nowhere."""
    present(work / "clip.m3u8")
    (work / "elsewhere").mkdir()
    (work / "clip/video-1").rename(work / "elsewhere/video-1")
    (work / "clip/video-1").symlink_to(work / "elsewhere/video-1")
    before = files(work / "elsewhere")
    replace(work / "clip.m3u8")
    same("files behind a link", before, files(work / "elsewhere"))


def check_input(work):
    """The presentation that is read is not replaced, nor is any of its files."""
    present(work / "clip.m3u8")
    before = files(work)
    run(APUS, "remux", work / "clip.m3u8", "-o", work / "clip.m3u8", "--on-exists", "replace", status=1)
    same("the input", before, files(work))
    # Segments of the presentation whose place is taken.
    media = work / "clip/video-1/index.m3u8"
    run(APUS, "remux", media, "-o", work / "clip.m3u8", "--on-exists", "replace")
    for name in ("clip/video-1/init.mp4", "clip/video-1/1.m4s", "clip/video-1/index.m3u8"):
        if not (work / name).exists():
            raise Failure(f"{name}, which was read, is gone")


def check_concurrent(work):
    """Outputs of one name do not hurt one another, and the last one is whole."""
    present(work / "clip.m3u8")
    for _ in range(40):
        command = [APUS, "remux", CLIP, "-o", work / "clip.m3u8", "--on-exists", "replace"]
        runs = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(5)]
        ended = [(process.communicate()[1], process.returncode) for process in runs]
        same("all at once", [0] * 5, [code for _, code in ended])
        same("playlists and folders", 2, len(os.listdir(work)))
    run(APUS, "remux", work / "clip.m3u8", "-o", work / "../whole.mp4", "--on-exists", "replace")


def check_killed(work):
    """Whatever ends a run, the next one leaves the presentation and nothing else."""
    path = work / "clip.m3u8"
    command = [ROOT / ".build/release/apus", "remux", "--quiet", CLIP, "-o", path, "--on-exists", "replace"]
    run(*command)
    start = time.monotonic()
    run(*command)
    length = time.monotonic() - start
    for step in range(40):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        time.sleep(length * step / 40)
        process.send_signal(signal.SIGKILL)
        process.wait()
    (work / ".clip.apus-mine").mkdir()
    (work / ".clip.apus-mine/video-1").mkdir()
    (work / ".clip.apus-mine/video-1/1.m4s").write_text("mine")
    run(*command)
    names = sorted(os.listdir(work))
    same("what is there after kills", [".clip.apus-mine", names[1], "clip.m3u8"], names)
    same("someone's hidden folder", ["video-1/1.m4s"], files(work / ".clip.apus-mine"))


with tempfile.TemporaryDirectory() as place:
    checks = [check_own, check_films, check_copies, check_renamed, check_links, check_input, check_concurrent,
              check_killed]
    for check in checks:
        folder = pathlib.Path(place) / check.__name__
        folder.mkdir()
        check(folder)
print(f"{len(checks)} ways to replace a presentation lose nothing")
