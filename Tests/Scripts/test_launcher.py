# SPDX-License-Identifier: MIT
"""Scripts/apus works from any folder, through a symbolic link, with blanks in paths, and prints nothing itself when nothing has
to be built."""

import shutil

import pytest

from programs import FIXTURES, ROOT, completed, run


@pytest.fixture
def place(folder):
    """A folder with a blank in its name, a film and a link to the script."""
    place = folder / "a folder"
    place.mkdir()
    shutil.copy(FIXTURES / "hvc1.mp4", place / "a film.mp4")
    (place / "link").symlink_to(ROOT / "Scripts/apus")
    return place


def test_it_runs_from_any_folder_and_prints_nothing_itself(place):
    assert run("./link", "inspect", "--depth", "1", "a film.mp4", cwd=place).startswith("ftyp @0")


def test_it_hands_on_a_pipe(place):
    with open(place / "a film.mp4", "rb") as film:
        assert completed("./link", "inspect", "--json", "-", cwd=place, stdin=film).stdout[:1] == b"{"


def test_it_hands_on_paths_with_blanks(place):
    assert run("./link", "edit", "a film.mp4", "-o", "a copy.mp4", cwd=place) == ""
    assert (place / "a copy.mp4").read_bytes() == (place / "a film.mp4").read_bytes()


def test_it_hands_on_the_status(place):
    assert completed("./link", "inspect", "missing.mp4", cwd=place, status=None).returncode != 0
