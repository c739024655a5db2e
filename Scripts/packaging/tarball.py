# SPDX-License-Identifier: MIT
"""An archive that is unpacked anywhere: nothing but glibc is needed to convert photos, inspect, check and stream."""

import lzma
import pathlib
import shutil
import tarfile

import bill
import link
import stage
import target

# What was linked into the program, by the packages of Debian that have the licences.
LINKED = {"libjpeg62-turbo": "IJG AND BSD-3-Clause AND Zlib", "libspng0": "BSD-2-Clause", "zlib1g": "Zlib",
          "libstdc++6": bill.GCC}


def pack(file, folder, top="", change=lambda entry: entry):
    """A folder as an archive, the same whenever and wherever it is made: everything is root's and of one time."""
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in [*([folder] if top else []), *sorted(folder.rglob("*"))]:
            entry = archive.gettarinfo(path, (pathlib.PurePosixPath(top) / path.relative_to(folder).as_posix()).as_posix())
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = ""
            entry.mtime = stage.commit_time()
            # Files with two names are two files.
            if path.is_file() and not path.is_symlink():
                entry.type, entry.size = tarfile.REGTYPE, path.stat().st_size
                with open(path, "rb") as data:
                    archive.addfile(change(entry), data)
            else:
                archive.addfile(change(entry))


def tree(program, folder, kind):
    """What is in the archive."""
    shutil.rmtree(folder, ignore_errors=True)
    stage.stage(kind, program, lambda package: folder)
    documents = folder / "share/doc/apus"
    shutil.copyfile(stage.ROOT / "LICENSE", documents / "LICENSE")
    licences = documents / "licences"
    licences.mkdir()
    for package in LINKED:
        shutil.copyfile(target.path(f"usr/share/doc/{package}/copyright"), licences / package)
    shutil.copyfile(link.swift_licence(), licences / "swift")
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
        elif not path.is_symlink():
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)


def components():
    return [bill.toolchain(), *(bill.debian(package, licence) for package, licence in LINKED.items())]


def make(packages, work):
    built = link.static(work, target.glibc)
    version = stage.version()
    name = f"apus-{version}-linux-{target.machine}"
    folder = work / name
    tree(stage.Program(built), folder, "tarball")
    shutil.copyfile(stage.ROOT / "Scripts/packaging/install.sh", folder / "install.sh")
    (folder / "install.sh").chmod(0o755)
    path = packages / f"{name}.tar.xz"
    with lzma.open(path, "wb", preset=9 | lzma.PRESET_EXTREME) as file:
        pack(file, folder, name)
    return [path, bill.write(path, "apus", version, folder, components())]
