#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing is lost on drives of other systems, to which IMG_1.jpg and img_1.jpg are one name and which keep no extended
attributes: no photo takes the place of another, and none is removed whose tags were not kept. Where attributes are kept,
outputs have those of their photos, and a file that is replaced keeps its own."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, Failure, run  # noqa: E402

# Names of which each gives the output of another, and photos that differ; the first in the order of names comes first.
SOURCES = {"IMG_1.HEIC": "photo.heic", "Img_1.heif": "alpha.heic", "img_1.heic": "grid.heic"}
TAKEN = "is the output of another file of this run"


def expect(condition, message):
    if not condition:
        raise Failure(message)


def sources(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, fixture in SOURCES.items():
        shutil.copy(ROOT / "Fixtures" / fixture, folder / name)
    return sorted(folder.iterdir())


def convert(*words, status=0):
    return run(APUS, "convert", *words, status=status)


def check_batches(work, drive, alone):
    photos = sources(work / "in")
    for number, (mode, options) in enumerate(
        (mode, options) for mode in ("skip", "replace") for options in ([], ["--isolate"], ["-j", "1"])):
        folder = drive / f"out-{number}"
        said = convert(*photos, "-o", f"{folder}/", "--on-exists", mode, *options, status=1)
        expect(said.count(TAKEN) == 2, f"{mode} {options}: {said}")
        names = os.listdir(folder)
        expect([name.lower() for name in names] == ["img_1.jpg"], f"{mode} {options}: {names}")
        expect((folder / names[0]).read_bytes() == alone["IMG_1.HEIC"], f"{mode} {options}: another photo is there")
        # Again, now that there is one of the name.
        said = convert(*photos, "-o", f"{folder}/", "--on-exists", mode, *options, status=1)
        expect(said.count(TAKEN) == 2, f"{mode} {options}, twice: {said}")
        expect((folder / names[0]).read_bytes() == alone["IMG_1.HEIC"], f"{mode} {options}, twice: another photo is there")
    said = convert(*photos, "-o", f"{drive}/out-0/", "--on-exists", "replace", "--dry-run", status=1)
    expect(said.count(TAKEN) == 2, f"--dry-run: {said}")

    folder = drive / "renamed"
    convert(*photos, "-o", f"{folder}/", "--on-exists", "rename")
    found = sorted(file.read_bytes() for file in folder.iterdir())
    expect(found == sorted(alone.values()), f"renamed: {os.listdir(folder)}")


def check_removal(work, drive, alone):
    photos = sources(work / "in")
    convert(*photos, "-o", f"{drive}/removed/", "--on-exists", "replace", "--remove-source=anyway", status=1)
    left = sorted(os.listdir(work / "in"))
    expect(left == ["Img_1.heif", "img_1.heic"], f"sources that are left: {left}")


def check_folders(work, drive, alone):
    """The same with folders."""
    for folder, name in (("Trip", "a.heic"), ("trip", "A.heic")):
        (work / "tree" / folder).mkdir(parents=True)
        shutil.copy(ROOT / "Fixtures/photo.heic", work / "tree" / folder / name)
    said = convert("-r", work / "tree", "-o", f"{drive}/tree/", "--on-exists", "replace", status=1)
    expect(said.count(TAKEN) == 1, f"folders: {said}")


def check_parts(work, drive, alone):
    photos = [work / "parts" / name for name in ("A.heic", "a.heic")]
    photos[0].parent.mkdir()
    for photo in photos:
        shutil.copy(ROOT / "Fixtures/depth.heic", photo)
    for verb, *options in (("thumbnail",), ("extract", "--role", "all")):
        run(APUS, verb, photos[0], "-o", f"{work}/{verb}/", *options)
        said = run(APUS, verb, *photos, "-o", f"{drive}/{verb}/", "--on-exists", "replace", *options, status=1)
        expect(TAKEN in said, f"{verb}: {said}")
        expect(len(os.listdir(drive / verb)) == len(os.listdir(work / verb)), f"{verb}: {os.listdir(drive / verb)}")


def check_tags(work, drive, alone):
    """A source whose tags the drive does not take stays, unless that is asked for."""
    photo = work / "in/tagged.heic"
    shutil.copy(ROOT / "Fixtures/photo.heic", photo)
    os.setxattr(photo, "user.xdg.tags", b"holiday,sea")
    said = convert(photo, "-o", f"{drive}/tagged/", "--remove-source")
    expect("was kept: holds extended attributes user.xdg.tags" in said and photo.exists(), f"tags: {said}")
    convert(photo, "-o", f"{drive}/tagged/", "--on-exists", "replace", "--remove-source=anyway")
    expect(not photo.exists(), "tags: the source is kept against the wish")


def check_links(work):
    """Where a file that has no name cannot be given one, outputs are as they are elsewhere, and nothing is overwritten."""
    folder = work / "links"
    folder.mkdir()
    photo = folder / "photo.heic"
    shutil.copy(ROOT / "Fixtures/photo.heic", photo)
    photo.chmod(0o640)
    convert(photo, "-o", folder / "plain.jpg")
    plain = folder / "plain.jpg"
    for error in ("EPERM", "EOPNOTSUPP", "ENOSYS"):
        for calls in ("linkat", "linkat,link"):
            for options in ([], ["--on-exists", "replace"]):
                out = folder / "out.jpg"
                out.unlink(missing_ok=True)
                words = ["strace", "-f", "-o", work / "calls", "-e", f"inject={calls}:error={error}", APUS, "convert", photo]
                run(*words, "-o", out, *options)
                same = [(file.stat().st_mode, file.stat().st_mtime_ns, file.read_bytes()) for file in (out, plain)]
                expect(same[0] == same[1], f"{error} of {calls} {options}: another file")
                out.write_bytes(b"mine")
                run(*words, "-o", out, *options, status=0 if options else 3)
                expect((out.read_bytes() == b"mine") == (not options), f"{error} of {calls} {options}: overwritten")
    expect(sorted(os.listdir(folder)) == ["out.jpg", "photo.heic", "plain.jpg"], f"left over: {os.listdir(folder)}")
    run("strace", "-f", "-o", work / "calls", "-e", "inject=linkat:error=EPERM", APUS, "convert", photo, "-o", folder / "last.jpg",
        "--remove-source", "--verify")
    expect(not photo.exists() and (folder / "last.jpg").read_bytes() == plain.read_bytes(), "the source of a copied output stays")


def check_times(work):
    """If times cannot be set, the output is made with a warning, and the source is kept."""
    folder = work / "times"
    folder.mkdir()
    photo = folder / "photo.heic"
    shutil.copy(ROOT / "Fixtures/photo.heic", photo)
    for error in ("EPERM", "EOPNOTSUPP", "ENOSYS"):
        for calls in ([], ["-e", "inject=linkat:error=EPERM"]):
            out = folder / "out.jpg"
            out.unlink(missing_ok=True)
            refused = ["strace", "-f", "-o", work / "calls", "-e", f"inject=utimensat:error={error}", *calls]
            said = run(*refused, APUS, "convert", "--json", photo, "-o", out, "--remove-source", "--verify")
            warnings = json.loads(said.splitlines()[0])["warnings"]
            expect(out.exists() and photo.exists(), f"{error} {calls}: {os.listdir(folder)}")
            expect(any("does not have the times of its source" in line for line in warnings), f"{error} {calls}: {warnings}")
    run("strace", "-f", "-o", work / "calls", "-e", "inject=utimensat:error=EIO", APUS, "convert", photo, "-o", folder / "no.jpg",
        status=1)
    expect(not (folder / "no.jpg").exists(), "an output is made where the disk fails")


def check_attributes(work):
    """Where the file system keeps attributes, outputs have them, and what is changed in place keeps its own."""
    folder = work / "attributes"
    folder.mkdir()
    try:
        os.setxattr(folder, "user.trial", b"1")
    except OSError as error:
        return print(f"drives: attributes are not tried, {folder} keeps none: {error}")
    photo = folder / "photo.heic"
    shutil.copy(ROOT / "Fixtures/photo.heic", photo)
    tags = {"user.xdg.tags": b"holiday,sea", "user.baloo.rating": b"8", "user.empty": b""}
    for name, value in {**tags, "user.mime_type": b"image/heic", "user.shatag.sha256": b"0" * 64}.items():
        os.setxattr(photo, name, value)
    for options in ([], ["--isolate"]):
        convert(photo, "-o", folder / "out.jpg", "--on-exists", "replace", *options)
        found = {name: os.getxattr(folder / "out.jpg", name) for name in os.listxattr(folder / "out.jpg")}
        expect(found == tags, f"attributes of an output {options}: {found}")
    run(APUS, "export", photo, "-o", f"{folder}/exported/", "--images", "current")
    expect(os.getxattr(folder / "exported/photo.heic", "user.xdg.tags") == tags["user.xdg.tags"], "export drops tags")
    convert(photo, "-o", f"{folder}/removed/", "--remove-source")
    expect(not photo.exists(), "a source is kept whose tags its output has")

    movie = folder / "movie.mp4"
    shutil.copy(ROOT / "Fixtures/hvc1.mp4", movie)
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
    expect(before.st_ino != after.st_ino, "the file was not replaced")
    for what in ("st_uid", "st_gid", "st_mode"):
        expect(getattr(before, what) == getattr(after, what), f"{what} after a change in place")
    expect(os.getxattr(movie, "user.xdg.comment") == b"mine", "a comment is gone after a change in place")
    expect(os.getxattr(movie, "system.posix_acl_access") == access, "an access list is gone after a change in place")


def check_plain(work, alone):
    """Where case counts, each photo has its output."""
    convert(*sources(work / "in"), "-o", f"{work}/plain/", "--on-exists", "replace")
    found = sorted(file.read_bytes() for file in (work / "plain").iterdir())
    expect(found == sorted(alone.values()), f"plain: {os.listdir(work / 'plain')}")


def inside(folder):
    work = pathlib.Path(folder)
    alone = {}
    for photo in sources(work / "in"):
        convert(photo, "-o", work / "alone.jpg", "--on-exists", "replace")
        alone[photo.name] = (work / "alone.jpg").read_bytes()
    check_plain(work, alone)
    check_links(work)
    check_times(work)
    check_attributes(work)

    drive = work / "drive"
    drive.mkdir()
    image = work / "image"
    with open(image, "wb") as file:
        file.truncate(64 << 20)
    run("mkntfs", "-F", "-q", image)
    mounted = subprocess.run(
        ["lowntfs-3g", "-o", "ignore_case,streams_interface=none", image, drive], capture_output=True, text=True)
    if mounted.returncode:
        return print(f"drives: a drive that ignores case cannot be mounted here: {mounted.stderr.strip()[-200:]}")
    try:
        (drive / "Probe").write_text("")
        expect((drive / "pROBE").exists(), "the drive tells upper case from lower case")
        (drive / "Probe").unlink()
        for check in (check_batches, check_removal, check_folders, check_parts, check_tags):
            check(work, drive, alone)
        left = [str(file) for file in drive.rglob(".*")]
        expect(not left, f"hidden files are left: {left}")
    finally:
        run("umount", drive)
    print("batches, removal, folders, parts and tags on a drive that ignores case; attributes where they are kept")


def main():
    if len(sys.argv) > 1:
        return inside(sys.argv[1])
    # What is mounted is seen by this test alone, and goes with it.
    apart = ["unshare", "--mount", "--pid", "--fork", "--mount-proc"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode or not os.path.exists("/dev/fuse"):
        return print("drives: skipped, nothing can be mounted here")
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(subprocess.run([*apart, sys.executable, __file__, folder], stdin=subprocess.DEVNULL).returncode)


main()
