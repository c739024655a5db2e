#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fixtures.py FOLDER: runs every recipe in a work folder and writes FOLDER/README.md."""

import hashlib
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import photos
import recipes

MAKING = pathlib.Path(__file__).resolve().parent
TOOLS = [
    "ffmpeg", "libx265-199", "libx264-164", "libheif-examples", "libheif1",
    "libimage-exiftool-perl", "libjpeg-turbo-progs", "python3",
]  # fmt: skip

INTRODUCTION = """# Fixtures

Small files for the tests. `Scripts/fixtures` makes all of them and this page; nothing here comes from
anywhere else. Commands run one after the other in an empty folder; a `.py` program is one of
`Scripts/making`. `crashes` holds inputs that once broke something and is kept by hand.
"""


def run(command, work):
    environment = os.environ | {
        "PATH": f"{MAKING}:{os.environ['PATH']}",
        "SOURCE_DATE_EPOCH": "1704164645",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TZ": "UTC",
    }
    result = subprocess.run(
        ["bash", "-ec", command], cwd=work, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if result.returncode:
        sys.exit(f"fixtures: this fails with {result.returncode}:\n{command}\n{result.stdout}")


def kept():
    """Every file that is kept, as (folder, file, command, what it exercises)."""
    groups = (
        recipes.STILLS,
        recipes.METADATA,
        recipes.JPEGS,
        recipes.MOVIES,
        recipes.PICTURES,
        recipes.CONTAINERS,
        recipes.PHOTOS,
        recipes.FLASH,
        recipes.FOREIGN,
    )
    for name, command, purpose in itertools.chain(*groups):
        yield "", name, command, purpose
    for name, command, purpose in photos.MISNAMED:
        yield "misnamed/", name, command, purpose
    for fault, source, purpose in recipes.MALFORMED:
        name = fault + (pathlib.Path(source).suffix or ".mp4")
        yield "malformed/", name, f"malformed.py {fault} {source or '-'} {name}", purpose


def section(name, command, purpose, digest=None, size=None):
    facts = f"\n{size} bytes, sha256 `{digest}`\n" if digest else ""
    return f"### {name}\n\n{purpose[:1].upper()}{purpose[1:]}.\n{facts}\n```\n{command}\n```\n"


def tool_versions():
    """The Debian packages that write the fixtures, with their versions."""
    query = ["dpkg-query", "-W", "-f", "| ${Package} | ${Version} |\n", *TOOLS]
    listing = subprocess.run(query, stdout=subprocess.PIPE, text=True, check=True)
    return "| package | version |\n|---|---|\n" + listing.stdout


def main():
    target = pathlib.Path(sys.argv[1])
    for folder in ("malformed", "misnamed"):
        (target / folder).mkdir(parents=True, exist_ok=True)
    pages = [INTRODUCTION, tool_versions(), "## Files\n"]
    with tempfile.TemporaryDirectory() as work:
        for _, command in recipes.INGREDIENTS:
            run(command, work)
        for folder, name, command, purpose in kept():
            run(command, work)
            made = pathlib.Path(work, name)
            digest = hashlib.sha256(made.read_bytes()).hexdigest()
            pages.append(section(folder + name, command, purpose, digest, made.stat().st_size))
            shutil.copyfile(made, target / folder / name)
    pages.append("## Made on the way\n")
    pages += [section(name, command, "Not kept") for name, command in recipes.INGREDIENTS]
    (target / "README.md").write_text("\n".join(pages))


main()
