# SPDX-License-Identifier: MIT
"""The source package, of which Debian makes its packages with the Swift that it has."""

import lzma
import os
import shutil
import subprocess
import tarfile

import deb
import stage
import tarball

OVERRIDES = """\
# Short movies that the tests read; Scripts/fixtures makes them.
apus source: source-is-missing [Fixtures/*.flv]
apus source: source-contains-prebuilt-flash-object [Fixtures/*.flv]
"""


def make(packages, work):
    version = stage.version()
    folder = work / "source" / f"apus-{version}"
    shutil.rmtree(folder.parent, ignore_errors=True)
    folder.mkdir(parents=True)
    # Only the files of the commit.
    listed = folder.parent / "commit.tar"
    stage.git("archive", f"--output={listed}", "HEAD")
    with tarfile.open(listed) as archive:
        archive.extractall(folder)
    original = packages / f"apus_{version}.orig.tar.xz"
    with lzma.open(original, "wb", preset=9) as file:
        tarball.pack(file, folder, folder.name)
    shutil.copyfile(original, folder.parent / original.name)
    deb.describe(folder / "debian", has_library=False)
    control = folder / "debian/control"
    # A package that is built for the system it runs on needs no more than Debian's tools find.
    control.write_text(control.read_text().replace(" libc6 (>= 2.36), ${apus:Release}", ""))
    (folder / "debian/changelog").write_text(deb.changelog(f"{version}-1"))
    (folder / "debian/source").mkdir()
    (folder / "debian/source/format").write_text("3.0 (quilt)\n")
    (folder / "debian/source/lintian-overrides").write_text(OVERRIDES)
    deb.run("dpkg-source", "--build", folder.name, cwd=folder.parent,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(stage.commit_time())}, stdout=subprocess.DEVNULL)
    made = [original]
    for path in sorted(folder.parent.glob("*.dsc")) + sorted(folder.parent.glob("*.debian.tar.xz")):
        made.append(packages / path.name)
        shutil.move(path, made[-1])
    return made
