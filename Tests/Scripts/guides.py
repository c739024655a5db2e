#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that the guides of the command show does what it says, page by page in a folder as a person has it."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDES = ROOT / "Sources/ApusCommand/apus.docc"
APUS = pathlib.Path(os.environ.get("APUS", ROOT / ".build/release/apus")).resolve()
SHOWN = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
FILES = {
    "IMG_0001.HEIC": "photo.heic", "Photos/IMG_0002.HEIC": "portrait.heic", "Photos/2026/IMG_0003.HEIC": "depth.heic",
    "film.mp4": "hvc1.mp4", "other.mp4": "hev1.mp4",
}
# What a page must have made, and what it says with another status than 0: nothing was left to be done.
MADE = {
    "PhotoGuide": ["IMG_0001.jpg", "photo.png", "smaller.jpg", "Photos/2026/IMG_0003.jpg", "Stick/IMG_0002.jpg",
                   "small.jpg", "photo.heic"],
    "StreamGuide": ["recording.flv", "recording.mp4", "web/index.m3u8", "legacy.flv"],
    "Servers": ["jpegs/IMG_0002.jpg"],
    "DropIns": ["converted.jpg", "coded.heic", "thumb.png"],
}
NOTHING_TO_DO = 3


def free_port():
    with socket.socket() as socket_:
        socket_.bind(("127.0.0.1", 0))
        return socket_.getsockname()[1]


def script(page, port):
    """The commands of a page, each of which must succeed."""
    lines = ["trap 'kill $(jobs -p) 2>/dev/null' EXIT"]
    for block in SHOWN.findall(page):
        for line in block.splitlines():
            if not line.startswith("$ "):
                sys.exit(f"guides: a line is no command: {line}")
            command = line[2:].replace("1935", str(port))
            if command.endswith("&"):
                lines += [command, f"until (: </dev/tcp/127.0.0.1/{port}) 2>/dev/null; do kill -0 $!; done"]
            else:
                lines.append(f"{command} || [[ $? == {NOTHING_TO_DO} ]] || {{ echo 'failed: {command}'; exit 1; }}")
    return "\n".join(lines)


def check(path, folder):
    for name, fixture in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "Fixtures" / fixture, folder / name)
    programs = folder.parent / "bin"
    programs.mkdir(exist_ok=True)
    for name in ("apus", "heif-convert", "heif-enc", "heif-thumbnailer"):
        if not (programs / name).exists():
            (programs / name).symlink_to(APUS)
    text = script(path.read_text(), free_port())
    done = subprocess.run(
        ["bash", "-uc", text], cwd=folder, env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{path.name}:\n{done.stdout}")
    missing = [name for name in MADE.get(path.stem, []) if not (folder / name).exists()]
    if missing:
        sys.exit(f"{path.name} does not make {', '.join(missing)}:\n{done.stdout}")
    return len(text.splitlines())


def main():
    count = 0
    with tempfile.TemporaryDirectory() as work:
        for path in sorted(GUIDES.glob("*.md")):
            if SHOWN.search(path.read_text()):
                folder = pathlib.Path(work, path.stem)
                folder.mkdir()
                count += check(path, folder)
    if count < 20:
        sys.exit("guides: there are hardly any commands")
    print(f"the commands of the guides work: {count} lines")


main()
