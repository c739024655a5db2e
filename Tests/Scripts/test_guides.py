# SPDX-License-Identifier: MIT
"""Every command that the guides of the command show does what it says, page by page in a folder as a person has it."""

import os
import re
import shutil

import pytest

from programs import APUS, FIXTURES, ROOT, completed, free_port

GUIDES = ROOT / "Sources/ApusCommand/apus.docc"
SHOWN = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
FILES = {
    "IMG_0001.HEIC": "photo.heic", "Photos/IMG_0002.HEIC": "portrait.heic", "Photos/2026/IMG_0003.HEIC": "depth.heic",
    "Takeout/IMG_0004.HEIC": "depth.heic", "film.mp4": "hvc1.mp4", "other.mp4": "hev1.mp4",
}
TEXTS = {
    "Takeout/IMG_0004.HEIC.json": '{"photoTakenTime": {"timestamp": "1718998260"}, "geoData": {"latitude": 1.5, "longitude": 2.5}}',
    "walk.gpx": '<gpx><trk><trkseg><trkpt lat="48.85" lon="2.29"><time>2024-06-21T19:31:00Z</time></trkpt></trkseg></trk></gpx>',
}
# What a page must have made, and what it says with another status than 0: nothing was left to be done.
MADE = {
    "RecordGuide": ["film.html", "differences.html", "recovered.mp4", "kept.mp4"],
    "PhotoGuide": ["IMG_0001.jpg", "photo.png", "smaller.jpg", "Photos/2026/IMG_0003.jpg", "Stick/IMG_0002.jpg",
                   "small.jpg", "photo.heic", "placed.heic"],
    "StreamGuide": ["recording.flv", "recording.mp4", "web/index.m3u8", "legacy.flv"],
    "Servers": ["jpegs/IMG_0002.jpg"],
    "DropIns": ["converted.jpg", "coded.heic", "thumb.png"],
}
NOTHING_TO_DO = 3


def script(page, port):
    """The commands of a page, each of which must succeed."""
    lines = ["trap 'kill $(jobs -p) 2>/dev/null' EXIT"]
    for block in SHOWN.findall(page):
        for line in block.splitlines():
            assert line.startswith("$ "), f"guides: a line is no command: {line}"
            command = line[2:].replace("1935", str(port))
            if command.endswith("&"):
                lines += [command, f"until (: </dev/tcp/127.0.0.1/{port}) 2>/dev/null; do kill -0 $!; done"]
            else:
                lines.append(f"{command} || [[ $? == {NOTHING_TO_DO} ]] || {{ echo 'failed: {command}'; exit 1; }}")
    return "\n".join(lines)


PAGES = [path for path in sorted(GUIDES.glob("*.md")) if SHOWN.search(path.read_text())]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_command_of_a_page_does_what_it_says(folder, path):
    place, programs = folder / "place", folder / "bin"
    for name, fixture in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FIXTURES / fixture, place / name)
    for name, text in TEXTS.items():
        (place / name).write_text(text)
    programs.mkdir()
    for name in ("apus", "heif-convert", "heif-enc", "heif-thumbnailer"):
        (programs / name).symlink_to(APUS.resolve())
    done = completed("bash", "-uc", script(path.read_text(), free_port()), cwd=place, text=True, seconds=120,
                     env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"})
    missing = [name for name in MADE.get(path.stem, []) if not (place / name).exists()]
    assert not missing, done.stdout + done.stderr


def test_there_are_commands_to_try():
    assert sum(len(script(path.read_text(), 1).splitlines()) for path in PAGES) >= 20
