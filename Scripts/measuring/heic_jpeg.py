# SPDX-License-Identifier: MIT
"""Photos into JPEGs of quality 90, beside other programs."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import grids
import turns

RUNS = 9
# Wall time and memory of apus at most: a part of a peer's, and mebibytes in all.
TARGETS = {
    "12 MP": ({"heif-convert": 0.30, "ffmpeg": 0.37, "pillow-heif": 0.33}, {"heif-convert": 0.45}, 25),
    "48 MP": ({}, {}, 60),
    "1.4 MP": ({"heif-convert": 0.40}, {}, None),
    "small": ({}, {}, None),
    "batch of 20": ({"heif-convert": 0.38, "pillow-heif": 0.55}, {}, None),
}
# What a photo takes with its gain map kept, for what it takes without.
MOST_FOR_MAP = 1.25
PILLOW = """
import pathlib, sys, pillow_heif
from PIL import Image
pillow_heif.register_heif_opener()
*photos, folder = sys.argv[1:]
for index, photo in enumerate(photos):
    image = Image.open(photo)
    image.save(pathlib.Path(folder, f'{index}.jpg'), quality=90, exif=image.info.get('exif') or b'')
"""


class Peers:
    def __init__(self, apus, python):
        self.apus, self.python = apus, python
        ask = "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())"
        self.ffmpeg = subprocess.run(
            [python, "-c", ask], check=True, capture_output=True, text=True
        ).stdout.strip()

    def versions(self):
        libheif = "import pillow_heif as p; print('pillow-heif', p.__version__, 'with libheif', p.libheif_info()['libheif'])"
        for command in (
            ["dpkg-query", "-W", "-f", "${Package} ${Version}; ", "libheif-examples", "libvips42"],
            [self.ffmpeg, "-version"],
            [self.python, "-c", libheif],
        ):
            said = subprocess.run(command, capture_output=True, text=True).stdout.partition("\n")[0]
            yield said.partition(" Copyright")[0].strip("; ")

    def commands(self, photos, folder):
        """What converts the photos into JPEGs in the folder, by name."""
        one = len(photos) == 1
        loop = 'n=0; for photo; do {} || exit; n=$((n + 1)); done'
        output = f"{folder}/$n.jpg"

        def each(command):
            text = command.format('"$photo"', f'"{output}"')
            return ["bash", "-c", loop.replace("{}", text), "bash", *photos]

        target = folder / "0.jpg"
        commands = {
            "apus": [self.apus, "convert", *photos, "-o", target if one else folder, "--quiet"],
            "heif-convert": ["heif-convert", "-q", "90", *photos, target],
            "vips": ["vips", "copy", *photos, f"{target}[Q=90]"],
            "ffmpeg": [self.ffmpeg, "-nostdin", "-loglevel", "error", "-y", "-i", *photos, "-q:v", "2", target],
            "pillow-heif": [self.python, "-c", PILLOW, *photos, folder],
        }
        if not one:
            commands["heif-convert"] = each("heif-convert -q 90 {} {}")
            commands["vips"] = each("vips copy {} {}[Q=90]")
            commands["ffmpeg"] = each(f"{self.ffmpeg} -nostdin -loglevel error -y -i {{}} -q:v 2 {{}}")
        return commands


def where_time_goes(apus, photo, folder):
    """Processor time of a run by stage, as `--json` reports it."""
    made = subprocess.run(
        [apus, "convert", photo, "-o", folder / "0.jpg", "--json"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (report,) = [line for line in map(json.loads, made.stdout.splitlines()) if "input" in line]
    return report.get("timings")


def show(title, results, targets):
    walls, memories, most = targets
    base = results["apus"]
    print(f"\n### {title}\n")
    print("| program | wall, ms | processor, ms | peak memory, MiB | apus / it: wall | memory | at most: wall | memory |")
    print("|---|---|---|---|---|---|---|---|")
    missed = []
    for name, cost in results.items():
        wall, memory = base.wall / cost.wall, base.memory / cost.memory
        limits = [walls.get(name), memories.get(name)]
        print(
            f"| {name} | {cost.wall * 1e3:.0f} | {cost.processor * 1e3:.0f} | {cost.memory:.0f} | {wall:.2f} |"
            f" {memory:.2f} | {limits[0] or ''} | {limits[1] or ''} |"
        )
        for what, value, limit in (("wall time", wall, limits[0]), ("memory", memory, limits[1])):
            if limit and value > limit:
                missed.append(f"{what} is {value:.2f} of {name}'s, not {limit}")
    if most and base.memory > most:
        missed.append(f"{base.memory:.0f} MiB, not {most}")
    if missed:
        print(f"\nMissed: {'; '.join(missed)}.")
    elif walls or most:
        print(f"\nEvery aim is met{f'; that for memory is {most} MiB' if most else ''}.")


def show_gain_map(apus, photo, folder, clear):
    """What it costs to keep the gain map of a photo."""
    convert = [apus, "convert", photo, "-o", folder / "0.jpg", "--quiet"]
    commands = {"apus": convert, "apus --hdr drop": [*convert, "--hdr", "drop"]}
    results = turns.compare(commands, RUNS, clear)
    show("12 MP with a gain map, HDR kept", results, ({}, {}, None))
    kept, plain = results["apus"], results["apus --hdr drop"]
    ratio = kept.wall / plain.wall
    print(
        f"\n{'Missed: k' if ratio > MOST_FOR_MAP else 'K'}eeping the map takes {ratio:.2f} times as long and"
        f" {kept.processor / plain.processor:.2f} times the processor; at most {MOST_FOR_MAP} is the aim."
    )


def show_single(peers, photo, folder, clear):
    """What it is worth that workers share the rows of one picture."""
    commands = peers.commands([photo], folder)
    commands["apus -j 1"] = [*commands["apus"], "-j", "1"]
    results = turns.compare(commands, RUNS, clear)
    show("12 MP, one coded picture", results, ({}, {}, None))
    shared, alone = results["apus"], results["apus -j 1"]
    print(f"\nTwo workers take {shared.wall / alone.wall:.2f} of the time of one.")


def measure(root, apus, photos):
    """`photos` are grids of 12 megapixels; where there are none, one is made."""
    peers = Peers(apus, root / ".build/python/bin/python3")
    kept = root / ".build/bench"
    if not photos:
        photos = [grids.grid(kept / "12-megapixels.heic", 4032, 3024)]
    print("## Photos into JPEGs\n\n`Scripts/bench heic-jpeg`\n")
    print(f"Peers: {'; '.join(peers.versions())}. Quality 90, medians of {RUNS} runs.")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work, "out")

        def clear():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

        jobs = [("12 MP", f"12 MP, photo {number}", [photo]) for number, photo in enumerate(photos, 1)]
        jobs.append(("48 MP", "48 MP", [grids.grid(kept / "48-megapixels.heic", 8064, 6048)]))
        jobs.append(("1.4 MP", "1440 x 960", [grids.grid(kept / "1.4-megapixels.heic", 1440, 960)]))
        jobs.append(("small", "320 x 240", [root / "Fixtures/photo.heic"]))
        batch = []
        for index in range(20):
            # Names of their own, so that every program writes twenty files.
            photo = pathlib.Path(work, f"{index}.heic")
            photo.symlink_to(pathlib.Path(photos[index % len(photos)]).resolve())
            batch.append(photo)
        jobs.append(("batch of 20", "Batch of 20", batch))
        show_gain_map(apus, grids.grid(kept / "12-megapixels-hdr.heic", 4032, 3024, has_map=True), folder, clear)
        show_single(peers, grids.grid(kept / "12-megapixels-single.heic", 4032, 3024, is_single=True), folder, clear)
        for kind, title, inputs in jobs:
            runs = RUNS if kind != "batch of 20" else 7
            show(title, turns.compare(peers.commands(inputs, folder), runs, clear), TARGETS[kind])
            sys.stdout.flush()
            clear()
            if len(inputs) == 1:
                stages = where_time_goes(apus, inputs[0], folder)
                if stages:
                    total = sum(stages.values())
                    parts = (f"{name} {value * 1e3:.0f} ms ({value / total:.0%})" for name, value in stages.items())
                    print(f"\nWhere the time goes: {', '.join(parts)}.")
