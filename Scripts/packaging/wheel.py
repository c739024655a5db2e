# SPDX-License-Identifier: MIT
"""The Python package: one wheel for every Python 3 on Linux with glibc 2.34, with the library and the command inside."""

import base64
import hashlib
import re
import shutil
import time
import zipfile

import bill
import library
import link
import stage
import tarball
import target

SOURCES = stage.ROOT / "Sources/Python/apus"
METADATA = """\
Metadata-Version: 2.1
Name: apus
Version: {version}
Summary: HEIC photos of phones and cameras: read, converted, written and inspected
License: MIT
Author: the authors of Apus
Keywords: HEIC,HEIF,HEVC,photo,image,JPEG,EXIF,HDR,Pillow
Classifier: Development Status :: 4 - Beta
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Multimedia :: Graphics :: Graphics Conversion
Classifier: Typing :: Typed
Requires-Python: >=3.9
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
Provides-Extra: pillow
Requires-Dist: pillow; extra == "pillow"
Provides-Extra: ray
Requires-Dist: ray[data]>=2.40; extra == "ray"
Requires-Dist: fsspec>=2024.6; extra == "ray"
Provides-Extra: s3
Requires-Dist: s3fs>=2024.10; extra == "s3"
Description-Content-Type: text/markdown

"""
WHEEL = """\
Wheel-Version: 1.0
Generator: Scripts/package
Root-Is-Purelib: false
Tag: {tag}
"""


def python_version():
    """The version as Python has it: of a commit that is no release, one that comes before the next."""
    version = stage.version()
    found = re.fullmatch(r"(.+)~(\d+)\.(\w+)", version)
    return f"{found[1]}.dev{found[2]}+{found[3]}" if found else version


def tree(folder, name, version, tag, work):
    """What is in the wheel."""
    shutil.rmtree(folder, ignore_errors=True)
    package, scripts, facts = folder / "apus", folder / f"{name}.data/scripts", folder / f"{name}.dist-info"
    for path in (package, scripts, facts / "licences"):
        path.mkdir(parents=True)
    for path in sorted(SOURCES.rglob("*.py")) + [SOURCES / "py.typed"]:
        copy = package / path.relative_to(SOURCES)
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, copy)
    (package / "VERSION").write_text(version)
    shutil.copyfile(library.static(work, target.glibc), package / library.SONAME)
    command(scripts / "apus", version)
    readme = (stage.ROOT / "Sources/Python/README.md").read_text()
    (facts / "METADATA").write_text(METADATA.format(version=version) + readme)
    (facts / "WHEEL").write_text(WHEEL.format(tag=tag))
    shutil.copyfile(stage.ROOT / "LICENSE", facts / "LICENSE")
    for linked in tarball.LINKED:
        shutil.copyfile(target.path(f"usr/share/doc/{linked}/copyright"), facts / "licences" / linked)
    shutil.copyfile(link.swift_licence(), facts / "licences/swift")


def command(built, version):
    """Makes the command, whose code is in the library."""
    link.run(*target.compiler(), "-O2", "-s", "-Wall", "-Wextra", "-Werror", f'-DVERSION="{version}"',
             stage.ROOT / "Sources/Python/command.c", "-o", built)
    link.check(built, target.glibc)


def make(packages, work):
    version = python_version()
    name = f"apus-{version}"
    tag = f"py3-none-manylinux_{target.glibc[0]}_{target.glibc[1]}_{target.machine}"
    folder = work / "wheel"
    tree(folder, name, version, tag, work)
    record = folder / f"{name}.dist-info/RECORD"
    lines = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        lines.append(f"{path.relative_to(folder).as_posix()},sha256={digest},{len(data)}\n")
    record.write_text("".join(lines) + f"{record.relative_to(folder).as_posix()},,\n")
    path = packages / f"{name}-{tag}.whl"
    pack(path, folder)
    return [path, bill.write(path, "apus", version, folder, tarball.components())]


def pack(path, folder):
    """A folder as a wheel, the same whenever and wherever it is made."""
    moment = time.gmtime(stage.commit_time())[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), moment)
            runs = ".data/scripts/" in entry.filename or ".so." in entry.filename
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes(), compresslevel=9)
