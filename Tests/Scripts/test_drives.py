# SPDX-License-Identifier: MIT
"""Nothing is lost on drives of other systems, to which IMG_1.jpg and img_1.jpg are one name and which keep no extended
attributes: no photo takes the place of another, and none is removed whose tags were not kept. Where attributes are kept,
outputs have those of their photos, and a file that is replaced keeps its own."""

import json
import os
import shutil
import struct
import subprocess

import pytest

from programs import APUS, FIXTURES, run

# Names of which each gives the output of another, and photos that differ; the first in the order of names comes first.
SOURCES = {"IMG_1.HEIC": "photo.heic", "Img_1.heif": "alpha.heic", "img_1.heic": "grid.heic"}
TAKEN = "is the output of another file of this run"


def sources(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, fixture in SOURCES.items():
        shutil.copy(FIXTURES / fixture, folder / name)
    return sorted(folder.iterdir())


def convert(*words, status=0):
    return run(APUS, "convert", *words, status=status)


@pytest.fixture(scope="module")
def alone(work):
    """What each photo becomes alone."""
    made = {}
    for photo in sources(work / "in"):
        convert(photo, "-o", work / "alone.jpg", "--on-exists", "replace")
        made[photo.name] = (work / "alone.jpg").read_bytes()
    return made


@pytest.fixture(scope="module")
def ntfs(mounts, work):
    """A drive that ignores case and keeps no attributes."""
    drive, image = work / "drive", work / "image"
    drive.mkdir()
    with open(image, "wb") as file:
        file.truncate(64 << 20)
    run("mkntfs", "-F", "-q", image)
    # Its process serves the drive, and keeps open what it was given.
    subprocess.run(["lowntfs-3g", "-o", "ignore_case,streams_interface=none", image, drive], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    (drive / "Probe").write_text("")
    assert (drive / "pROBE").exists(), "the drive tells upper case from lower case"
    (drive / "Probe").unlink()
    yield drive
    run("umount", drive)


@pytest.fixture
def drive(ntfs):
    """The drive, on which a case leaves no hidden files."""
    yield ntfs
    left = [str(file) for file in ntfs.rglob(".*")]
    assert not left, f"hidden files are left: {left}"


@pytest.mark.parametrize("mode", ["skip", "replace"])
@pytest.mark.parametrize("options", [[], ["--isolate"], ["-j", "1"]])
def test_no_photo_takes_the_place_of_another(folder, drive, alone, mode, options):
    photos = sources(folder / "in")
    out = drive / f"out-{mode}{len(options)}"
    said = convert(*photos, "-o", f"{out}/", "--on-exists", mode, *options, status=1)
    assert said.count(TAKEN) == 2, f"{mode} {options}: {said}"
    names = os.listdir(out)
    assert [name.lower() for name in names] == ["img_1.jpg"], f"{mode} {options}: {names}"
    assert (out / names[0]).read_bytes() == alone["IMG_1.HEIC"], f"{mode} {options}: another photo is there"
    # Again, now that there is one of the name.
    said = convert(*photos, "-o", f"{out}/", "--on-exists", mode, *options, status=1)
    assert said.count(TAKEN) == 2, f"{mode} {options}, twice: {said}"
    assert (out / names[0]).read_bytes() == alone["IMG_1.HEIC"], f"{mode} {options}, twice: another photo is there"
    said = convert(*photos, "-o", f"{drive}/out-{mode}{len(options)}/", "--on-exists", "replace", "--dry-run", status=1)
    assert said.count(TAKEN) == 2, f"--dry-run: {said}"


def test_photos_of_one_name_are_renamed(folder, drive, alone):
    photos, renamed = sources(folder / "in"), drive / "renamed"
    convert(*photos, "-o", f"{renamed}/", "--on-exists", "rename")
    assert sorted(file.read_bytes() for file in renamed.iterdir()) == sorted(alone.values()), os.listdir(renamed)


def test_a_source_whose_output_was_not_made_is_not_removed(folder, drive):
    photos = sources(folder / "in")
    convert(*photos, "-o", f"{drive}/removed/", "--on-exists", "replace", "--remove-source=anyway", status=1)
    left = sorted(os.listdir(folder / "in"))
    assert left == ["Img_1.heif", "img_1.heic"], f"sources that are left: {left}"


def test_no_folder_takes_the_place_of_another(folder, drive):
    """The same with folders."""
    for place, name in (("Trip", "a.heic"), ("trip", "A.heic")):
        (folder / "tree" / place).mkdir(parents=True)
        shutil.copy(FIXTURES / "photo.heic", folder / "tree" / place / name)
    said = convert("-r", folder / "tree", "-o", f"{drive}/tree/", "--on-exists", "replace", status=1)
    assert said.count(TAKEN) == 1, f"folders: {said}"


def test_no_part_takes_the_place_of_another(folder, drive):
    photos = [folder / "parts" / name for name in ("A.heic", "a.heic")]
    photos[0].parent.mkdir()
    for photo in photos:
        shutil.copy(FIXTURES / "depth.heic", photo)
    for verb, *options in (("thumbnail",), ("extract", "--role", "all")):
        run(APUS, verb, photos[0], "-o", f"{folder}/{verb}/", *options)
        said = run(APUS, verb, *photos, "-o", f"{drive}/{verb}/", "--on-exists", "replace", *options, status=1)
        assert TAKEN in said, f"{verb}: {said}"
        assert len(os.listdir(drive / verb)) == len(os.listdir(folder / verb)), f"{verb}: {os.listdir(drive / verb)}"


def test_a_source_whose_tags_the_drive_does_not_take_stays_unless_asked(folder, drive):
    """A source whose tags the drive does not take stays, unless that is asked for."""
    photo = folder / "tagged.heic"
    shutil.copy(FIXTURES / "photo.heic", photo)
    os.setxattr(photo, "user.xdg.tags", b"holiday,sea")
    said = convert(photo, "-o", f"{drive}/tagged/", "--remove-source")
    assert "was kept: holds extended attributes user.xdg.tags" in said and photo.exists(), f"tags: {said}"
    convert(photo, "-o", f"{drive}/tagged/", "--on-exists", "replace", "--remove-source=anyway")
    assert not photo.exists(), "tags: the source is kept against the wish"


ERRORS = ["EPERM", "EOPNOTSUPP", "ENOSYS"]


@pytest.fixture
def photo(folder):
    """A photo in a folder of its own."""
    photo = folder / "photos/photo.heic"
    photo.parent.mkdir()
    shutil.copy(FIXTURES / "photo.heic", photo)
    photo.chmod(0o640)
    return photo


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("calls", ["linkat", "linkat,link"])
def test_where_a_file_without_a_name_cannot_be_given_one_outputs_are_as_elsewhere(folder, photo, error, calls):
    """Nothing is overwritten there, either."""
    plain, out = photo.parent / "plain.jpg", photo.parent / "out.jpg"
    convert(photo, "-o", plain)
    words = ["strace", "-f", "-o", folder / "calls", "-e", f"inject={calls}:error={error}", APUS, "convert", photo]
    for options in ([], ["--on-exists", "replace"]):
        out.unlink(missing_ok=True)
        run(*words, "-o", out, *options)
        same = [(file.stat().st_mode, file.stat().st_mtime_ns, file.read_bytes()) for file in (out, plain)]
        assert same[0] == same[1], f"{options}: another file"
        out.write_bytes(b"mine")
        run(*words, "-o", out, *options, status=0 if options else 3)
        assert (out.read_bytes() == b"mine") == (not options), f"{options}: overwritten"
    assert sorted(os.listdir(photo.parent)) == ["out.jpg", "photo.heic", "plain.jpg"]


def test_the_source_of_an_output_that_was_copied_is_removed(folder, photo):
    plain, last = photo.parent / "plain.jpg", photo.parent / "last.jpg"
    convert(photo, "-o", plain)
    run("strace", "-f", "-o", folder / "calls", "-e", "inject=linkat:error=EPERM", APUS, "convert", photo, "-o", last,
        "--remove-source", "--verify")
    assert not photo.exists() and last.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("calls", [[], ["-e", "inject=linkat:error=EPERM"]])
def test_if_times_cannot_be_set_the_output_is_made_with_a_warning_and_the_source_is_kept(folder, photo, error, calls):
    out = photo.parent / "out.jpg"
    refused = ["strace", "-f", "-o", folder / "calls", "-e", f"inject=utimensat:error={error}", *calls]
    said = run(*refused, APUS, "convert", "--json", photo, "-o", out, "--remove-source", "--verify")
    warnings = json.loads(said.splitlines()[0])["warnings"]
    assert out.exists() and photo.exists(), os.listdir(photo.parent)
    assert any("does not have the times of its source" in line for line in warnings), warnings


def test_an_output_is_not_made_where_the_disk_fails(folder, photo):
    out = photo.parent / "no.jpg"
    run("strace", "-f", "-o", folder / "calls", "-e", "inject=utimensat:error=EIO", APUS, "convert", photo, "-o", out, status=1)
    assert not out.exists()


def test_where_the_file_system_keeps_attributes_outputs_have_them(folder):
    """Where the file system keeps attributes, outputs have them, and what is changed in place keeps its own."""
    photo = folder / "photo.heic"
    shutil.copy(FIXTURES / "photo.heic", photo)
    tags = {"user.xdg.tags": b"holiday,sea", "user.baloo.rating": b"8", "user.empty": b""}
    for name, value in {**tags, "user.mime_type": b"image/heic", "user.shatag.sha256": b"0" * 64}.items():
        os.setxattr(photo, name, value)
    for options in ([], ["--isolate"]):
        convert(photo, "-o", folder / "out.jpg", "--on-exists", "replace", *options)
        found = {name: os.getxattr(folder / "out.jpg", name) for name in os.listxattr(folder / "out.jpg")}
        assert found == tags, f"attributes of an output {options}: {found}"
    run(APUS, "export", photo, "-o", f"{folder}/exported/", "--images", "current")
    assert os.getxattr(folder / "exported/photo.heic", "user.xdg.tags") == tags["user.xdg.tags"], "export drops tags"
    convert(photo, "-o", f"{folder}/removed/", "--remove-source")
    assert not photo.exists(), "a source is kept whose tags its output has"


def test_what_is_changed_in_place_keeps_its_attributes(folder):
    movie = folder / "movie.mp4"
    shutil.copy(FIXTURES / "hvc1.mp4", movie)
    os.setxattr(movie, "user.xdg.comment", b"mine")
    # Another user may read it: version 2, owner rw, user 4321 r, group r, mask r, others nothing.
    entries = [(1, 6, 0xFFFFFFFF), (2, 4, 4321), (4, 4, 0xFFFFFFFF), (16, 4, 0xFFFFFFFF), (32, 0, 0xFFFFFFFF)]
    access = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    os.setxattr(movie, "system.posix_acl_access", access)
    if os.geteuid() == 0:
        os.chown(movie, 1234, 2345)
    before = os.stat(movie)
    (folder / "box").write_bytes(struct.pack(">I4s8x", 16, b"free"))
    run(APUS, "edit", movie, "--in-place", "--insert", f"moov={folder}/box")
    after = os.stat(movie)
    assert before.st_ino != after.st_ino, "the file was not replaced"
    for what in ("st_uid", "st_gid", "st_mode"):
        assert getattr(before, what) == getattr(after, what), f"{what} after a change in place"
    assert os.getxattr(movie, "user.xdg.comment") == b"mine", "a comment is gone after a change in place"
    assert os.getxattr(movie, "system.posix_acl_access") == access, "an access list is gone after a change in place"


def test_where_case_counts_each_photo_has_its_output(folder, alone):
    convert(*sources(folder / "in"), "-o", f"{folder}/plain/")
    assert sorted(file.read_bytes() for file in (folder / "plain").iterdir()) == sorted(alone.values())
