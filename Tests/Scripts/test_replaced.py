# SPDX-License-Identifier: MIT
"""Replacing a presentation removes files that apus wrote and nothing else; what killed runs left is removed."""

import os
import shutil
import signal
import subprocess
import time

import pytest

from programs import APUS, FIXTURES, run, same

pytestmark = pytest.mark.apart

CLIP = FIXTURES / "hvc1.mp4"


def files(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if not file.is_dir())


def present(path, *options, source=CLIP):
    return run(APUS, "remux", source, "-o", path, *options)


def replace(path, *options):
    return present(path, "--on-exists", "replace", *options)


def test_a_presentation_that_apus_made_is_replaced_and_files_of_others_stay(folder):
    present(folder / "clip.m3u8")
    replace(folder / "clip.m3u8")
    same("folders", ["clip-1", "clip.m3u8"], sorted(os.listdir(folder)))
    (folder / "clip-1/film.mp4").write_text("mine")
    (folder / "clip-1/video-1/7.m4s").write_text("mine")
    (folder / "clip-1/video-1/1.m4s").write_text("changed")
    told = replace(folder / "clip.m3u8")
    left = ["clip-1/.apus-folder", "clip-1/film.mp4", "clip-1/video-1/1.m4s", "clip-1/video-1/7.m4s"]
    same("files of others", left, [name for name in files(folder) if name.startswith("clip-1/")])
    assert "are kept" in told, f"nothing is said of what stays: {told}"


def test_a_playlist_beside_films_replaces_none_of_them(folder):
    (folder / "Movies/sub").mkdir(parents=True)
    names = ["Movies/holiday.mp4", "Movies/b.mp4", "Movies/notes.txt", "Movies/sub/x.mp4", "Movies/video-1/1.m4s"]
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(CLIP, folder / name)
    before = files(folder)
    (folder / "Movies.m3u8").write_text("#EXTM3U\n" + "".join(f"#EXTINF:1,\n{name}\n" for name in names))
    replace(folder / "Movies.m3u8")
    same("films", before, [name for name in files(folder) if name.startswith("Movies/")])


def test_marks_and_manifests_that_were_copied_or_made_up_prove_nothing(folder):
    present(folder / "made/clip.m3u8")
    shutil.copytree(folder / "made", folder / "copied", copy_function=shutil.copy2)
    before = files(folder / "copied/clip")
    replace(folder / "copied/clip.m3u8")
    same("a copy", before, files(folder / "copied/clip"))
    # The playlist alone, beside films that are called like segments.
    (folder / "films/clip/video-1").mkdir(parents=True)
    shutil.copy(folder / "made/clip.m3u8", folder / "films/clip.m3u8")
    shutil.copy(folder / "made/clip/.apus-folder", folder / "films/clip/.apus-folder")
    for name in ("index.m3u8", "init.mp4", "1.m4s"):
        shutil.copy2(folder / "made/clip/video-1" / name, folder / "films/clip/video-1" / name)
    before = files(folder / "films/clip")
    replace(folder / "films/clip.m3u8")
    same("films called like segments", before, files(folder / "films/clip"))
    # Another playlist that claims the folder of a living one.
    shutil.copy(folder / "made/clip.m3u8", folder / "made/other.m3u8")
    before = files(folder / "made/clip")
    replace(folder / "made/other.m3u8")
    same("the folder of another playlist", before, files(folder / "made/clip"))


def test_a_presentation_whose_playlist_was_renamed_keeps_its_folder(folder):
    present(folder / "clip.m3u8")
    before = files(folder / "clip")
    (folder / "clip.m3u8").rename(folder / "kept.m3u8")
    present(folder / "clip.m3u8")
    replace(folder / "clip.m3u8")
    same("the folder of a renamed playlist", before, files(folder / "clip"))


def test_links_to_folders_and_files_elsewhere_are_not_followed(folder):
    present(folder / "clip.m3u8")
    (folder / "elsewhere").mkdir()
    (folder / "clip/video-1").rename(folder / "elsewhere/video-1")
    (folder / "clip/video-1").symlink_to(folder / "elsewhere/video-1")
    before = files(folder / "elsewhere")
    replace(folder / "clip.m3u8")
    same("files behind a link", before, files(folder / "elsewhere"))


def test_the_presentation_that_is_read_is_not_replaced(folder):
    present(folder / "clip.m3u8")
    before = files(folder)
    run(APUS, "remux", folder / "clip.m3u8", "-o", folder / "clip.m3u8", "--on-exists", "replace", status=1)
    same("the input", before, files(folder))
    # Segments of the presentation whose place is taken.
    media = folder / "clip/video-1/index.m3u8"
    run(APUS, "remux", media, "-o", folder / "clip.m3u8", "--on-exists", "replace")
    for name in ("clip/video-1/init.mp4", "clip/video-1/1.m4s", "clip/video-1/index.m3u8"):
        assert (folder / name).exists(), f"{name}, which was read, is gone"


def test_concurrent_outputs_of_one_name_leave_one_whole_presentation(folder):
    present(folder / "clip.m3u8")
    for _ in range(40):
        command = [APUS, "remux", CLIP, "-o", folder / "clip.m3u8", "--on-exists", "replace"]
        runs = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(5)]
        ended = [(process.communicate()[1], process.returncode) for process in runs]
        same("all at once", [0] * 5, [code for _, code in ended])
        same("playlists and folders", 2, len(os.listdir(folder)))
    run(APUS, "remux", folder / "clip.m3u8", "-o", folder / "whole.mp4", "--on-exists", "replace")


def test_the_run_after_killed_ones_leaves_the_presentation_and_nothing_else(folder):
    path = folder / "clip.m3u8"
    command = [APUS, "remux", "--quiet", CLIP, "-o", path, "--on-exists", "replace"]
    run(*command)
    start = time.monotonic()
    run(*command)
    length = time.monotonic() - start
    for step in range(40):
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        time.sleep(length * step / 40)
        process.send_signal(signal.SIGKILL)
        process.wait()
    (folder / ".clip.apus-mine").mkdir()
    (folder / ".clip.apus-mine/video-1").mkdir()
    (folder / ".clip.apus-mine/video-1/1.m4s").write_text("mine")
    run(*command)
    names = sorted(os.listdir(folder))
    same("what is there after kills", [".clip.apus-mine", names[1], "clip.m3u8"], names)
    same("someone's hidden folder", ["video-1/1.m4s"], files(folder / ".clip.apus-mine"))
