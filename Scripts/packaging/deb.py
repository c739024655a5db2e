# SPDX-License-Identifier: MIT
"""Packages for the release of Debian that this runs in, or that the libraries of another architecture are from."""

import email.utils
import os
import pathlib
import re
import shutil
import subprocess

import bill
import library
import link
import stage
import target

DESCRIPTION = stage.ROOT / "Scripts/packaging/debian"
# Libraries that are opened when a job needs them, by the names of what links with them.
RECOMMENDED = ["avcodec", "avformat", "avfilter", "swscale", "swresample", "de265", "ssl", "microhttpd"]
SUGGESTED = ["x265", "heif", "webp"]
# Those of them that decode what our own decoder does not know.
DECODERS = ["avcodec", "de265"]
# Packages that a build from source needs, beside the headers that Scripts/packages lists.
BUILDERS = ["debhelper-compat (= 13)", "pkgconf", "python3", "swiftlang"]


def run(*words, **options):
    return subprocess.run(
        [str(word) for word in words], stdin=subprocess.DEVNULL, check=True, text=True, **options)


def owner(name):
    """The package that has the library which a program gets that is linked with -lNAME."""
    return bill.owner(target.path(f"usr/lib/{target.multiarch}/lib{name}.so"))


def changelog(version):
    """What Debian's tools want to know of the version; what changed stands in CHANGELOG.md."""
    person = re.search(r"^Maintainer: (.*)$", (DESCRIPTION / "control").read_text(), re.M)[1]
    time = email.utils.formatdate(stage.commit_time())
    return f"apus ({version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- {person}  {time}\n"


def describe(folder, has_library):
    """Makes a folder debian, without the packages of the library for C where it cannot be made, as by Debian's own Swift."""
    shutil.copytree(DESCRIPTION, folder)
    source, *packages = (DESCRIPTION / "control").read_text().strip().split("\n\n")
    # Where a package has several names, the first is that of the newest release.
    headers = re.findall(r"^run ((?!libc6-|libstdc)[^\s|]+-dev)\b", (stage.ROOT / "Scripts/packages").read_text(), re.M)
    builders = [*BUILDERS, *dict.fromkeys(headers)]
    source += "".join(["\nBuild-Depends:", *(f"\n {name}," for name in builders)])
    if not has_library:
        packages = [text for text in packages if not text.startswith("Package: libapus")]
        (folder / "libapus0.symbols").unlink()
    (folder / "control").write_text("\n\n".join([source, *packages]) + "\n")


def linked(program):
    """The packages that a program of another architecture needs, by what they say of their libraries: Debian's tools look for
    those of this machine alone."""
    known = {}
    for path in (target.system / "var/lib/dpkg/info").glob("*.shlibs"):
        for name, number, package in (line.split(None, 2) for line in path.read_text().splitlines()):
            known[f"{name}.so.{number}"] = package
    printed = link.printed(target.binutil("objdump"), "-p", program)
    return ", ".join(dict.fromkeys(known[name] for name in re.findall(r"NEEDED\s+(\S+)", printed)))


def make(packages, work):
    """Makes the packages of the release build in a folder; returns their paths."""
    name, release = stage.release_of_debian()
    if name != "debian":
        raise SystemExit("packages for Debian are made in Debian: Scripts/in debian12 Scripts/package deb")
    version = f"{stage.version()}-1~deb{release}"
    source = work / f"deb{release}/apus"
    shutil.rmtree(source.parent, ignore_errors=True)
    describe(source / "debian", has_library=not target.other)
    program = prepare(source, work)
    if target.other:
        (source / "linked").write_text(linked(program))
    else:
        stage_library(source / "tree", stage.version(), work)
    (source / "debian/changelog").write_text(changelog(version))
    # The codecs of another release have other names, and are not found by this build.
    (source / "release").write_text(f"base-files (<< {int(release) + 1}~)")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(stage.commit_time())}
    with open(work / "deb.log", "w") as log:
        try:
            run("dpkg-architecture", "--host-arch", target.architecture, "--command",
                "fakeroot debian/rules binary" if os.getuid() else "debian/rules binary", cwd=source, env=environment,
                stdout=log, stderr=subprocess.STDOUT)
        except subprocess.CalledProcessError:
            raise SystemExit(f"{(work / 'deb.log').read_text()}\nthe packages could not be made")
    made = []
    for path in sorted(source.parent.glob("*.deb")):
        made.append(packages / path.name)
        shutil.move(path, made[-1])
        name = path.name.split("_")[0]
        inside = [bill.toolchain(), bill.debian("libstdc++6", bill.GCC)] if name in ("apus", "libapus0") else []
        made.append(bill.write(made[-1], name, version, contents(made[-1], work), inside))
    return made


def prepare(source, work):
    """Puts beside the folder debian what its rules pack, but for the library for C. Returns the program, which has its symbols."""
    program = link.shared(work)
    stage.stage("deb", stage.Program(program), lambda package: source / "tree" / package / "usr")
    (source / "release").touch()
    (source / "recommended").write_text(", ".join([*dict.fromkeys(map(owner, RECOMMENDED)), "ca-certificates"]))
    (source / "suggested").write_text(", ".join(dict.fromkeys(map(owner, SUGGESTED))))
    (source / "decoders").write_text(", ".join(dict.fromkeys(map(owner, DECODERS))))
    return program


def stage_library(tree, version, work):
    """Puts the library for C and what is compiled with it into their trees."""
    folder = f"lib/{target.multiarch}"
    runtime, development = tree / "libapus0/usr", tree / "libapus-dev/usr"
    for path in (runtime / folder, development / folder / "pkgconfig", development / "include"):
        path.mkdir(parents=True)
    shutil.copyfile(library.shared(work), runtime / folder / library.SONAME)
    shutil.copyfile(library.HEADER, development / "include/apus.h")
    examples = development / "share/doc/libapus-dev/examples"
    examples.mkdir(parents=True)
    for name in ("convert.c", "libapus.supp"):
        shutil.copyfile(stage.ROOT / "Tests/Library" / name, examples / name)
    (development / folder / "libapus.so").symlink_to(library.SONAME)
    (development / folder / "pkgconfig/apus.pc").write_text(library.package_config(version, folder))


def contents(package, work):
    """The files of a package, unpacked."""
    folder = work / "unpacked" / package.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run("dpkg-deb", "--extract", package, folder)
    return folder
