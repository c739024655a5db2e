# SPDX-License-Identifier: MIT
"""Puts what the list `contents` names where it goes."""

import os
import pathlib
import re
import shutil
import subprocess
import time

import target

ROOT = target.ROOT
LIST = ROOT / "Scripts/packaging/contents"
KINDS = {"deb", "tarball", "image"}


class Program:
    """The command that is packed, and what it prints."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def prints(self, *words):
        return subprocess.run(
            [*target.runner(), self.path, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True).stdout

    def manuals(self):
        """Every manual page by its name."""
        yield "apus.1", self.prints("man")
        for verb in self.prints("man", "--list").decode().splitlines():
            yield f"apus-{verb.replace(' ', '-')}.1", self.prints("man", *verb.split())


def rows(kind):
    """What a kind of package holds: package, mode, place, source."""
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        cells = line.split(None, 4)
        if len(cells) != 5 or not {*cells[0].split(",")} <= KINDS | {"all"}:
            raise SystemExit(f"{LIST}:{number}: expected kinds, package, mode, place and source")
        kinds, package, mode, place, source = cells
        if kind in kinds.split(",") or kinds == "all":
            yield package, mode, place, source


def things(place, source, program):
    """Each thing that a line means: where it goes, and its bytes, its file, or the target of its link."""
    if source == "@apus":
        yield place, program.path
    elif source.startswith("-> "):
        yield place, source[3:]
    elif source == ":manuals":
        for name, page in program.manuals():
            yield place + name, page
    elif source.startswith(": "):
        yield place, program.prints(*source[2:].split())
    else:
        needed = source.startswith("= ")
        files = sorted(ROOT.glob(source.removeprefix("= ")))
        if needed and not files:
            raise SystemExit(f"{LIST}: there is no {source[2:]}")
        for file in files:
            yield (place + file.name if place.endswith("/") else place), file


def stage(kind, program, folder):
    """Makes the trees of a kind: `folder(package)` is the prefix of a package's."""
    for package, mode, place, source in rows(kind):
        for name, thing in things(place, source, program):
            path = folder(package) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(thing, str):
                path.symlink_to(thing)
                continue
            if isinstance(thing, bytes):
                path.write_bytes(thing)
            else:
                shutil.copyfile(thing, path)
            path.chmod(int(mode, 8))


def commit_time():
    """When the last commit was made: the time of everything in a package."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    return int(git("log", "-1", "--format=%ct"))


def git(*words):
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", ROOT, *words], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def version():
    """The version; where Scripts/release did not ask for it, and no tag names it, the commit is beside it."""
    about = ROOT / "Sources/ApusCommand/Console/About.swift"
    version = re.search(r'\bversion = "(.*)"', about.read_text())[1]
    released = os.environ.get("APUS_VERSION") == version or f"v{version}" in git("tag", "--points-at", "HEAD").split()
    if released:
        return version
    day = time.strftime("%Y%m%d", time.gmtime(commit_time()))
    return f"{version}~{day}.{git('rev-parse', '--short=8', 'HEAD')}"


def release_of_debian():
    text = target.path("usr/lib/os-release").read_text()
    found = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.M))
    return found.get("ID"), found.get("VERSION_ID")
