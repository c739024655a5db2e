# SPDX-License-Identifier: MIT
"""JPEGs of 12 megapixels into HEICs, beside other programs with the same preset, tune, chroma and quality."""

import pathlib
import re
import subprocess
import sys
import tempfile

import grids
import turns

RUNS = 2
PRESET, TUNE = "slow", "ssim"
QUALITIES = (60, 40, 80)
# What is timed; the others are only looked at for size and likeness.
TIMED = 60
# heif-enc takes at least so much longer; no more memory; so near to it in size, and no more decibels below it.
FASTER, SIZE, DECIBELS = 1.3, 0.02, 0.1
# heif-enc with as few directions tried as apus tries.
EQUAL = "heif-enc, rd=1"
PILLOW = f"""
import sys, pillow_heif
from PIL import Image
pillow_heif.register_heif_opener()
photo, quality, target = sys.argv[1:]
image = Image.open(photo)
image.save(target, quality=int(quality), chroma=420, exif=image.info.get('exif'),
           enc_params={{'preset': '{PRESET}', 'tune': '{TUNE}'}})
"""


def commands(apus, python, photo, quality, folder):
    """By name, what writes `NAME.heic` into the folder."""
    def libheif(*more):
        settings = [f"preset={PRESET}", f"tune={TUNE}", "chroma=420", *more]
        return ["heif-enc", "-q", quality, *[word for setting in settings for word in ("-p", setting)], photo]

    return {
        "apus": [apus, "convert", photo, "-o", folder / "apus.heic", "-q", quality, "--encoder", "x265", "--speed", PRESET,
                 "--on-exists", "replace", "--quiet"],
        "heif-enc": [*libheif(), "-o", folder / "heif-enc.heic"],
        EQUAL: [*libheif("x265:rd=1"), "-o", folder / f"{EQUAL}.heic"],
        "pillow-heif": [python, "-c", PILLOW, photo, quality, folder / "pillow-heif.heic"],
    }  # fmt: skip


def planes(ffmpeg, path, target):
    """The samples of a picture as it is coded, 4:2:0 and full range."""
    words = ["-noautorotate", "-i", path, "-frames:v", "1", "-pix_fmt", "yuvj420p", "-strict", "-1"]
    call(ffmpeg, "-loglevel", "error", *words, "-f", "yuv4mpegpipe", target)
    return target


def likeness(ffmpeg, one, other):
    """Decibels of luma, and of all samples."""
    told = call(ffmpeg, "-i", one, "-i", other, "-lavfi", "[0][1]psnr", "-f", "null", "-")
    luma, whole = re.search(r"PSNR y:(\S+) .* average:(\S+)", told).groups()
    return float(luma), float(whole)


def call(ffmpeg, *words):
    command = [ffmpeg, "-nostdin", "-y", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


def versions(python):
    libheif = (
        "import pillow_heif as p; i = p.libheif_info();"
        "print('pillow-heif', p.__version__, 'with libheif', i['libheif'], 'and', i['HEIF'])"
    )
    debian = ["dpkg-query", "-W", "-f", "${Package} ${Version}; ", "libheif-examples", "libheif1", "libx265-199"]
    for command in (debian, [python, "-c", libheif]):
        yield subprocess.run(command, capture_output=True, text=True).stdout.strip()


class Pictures:
    """Pictures as they were written: bytes, and decibels of luma and of all samples, by program and quality."""

    def __init__(self, apus, python, ffmpeg, photo, folder):
        self.commands = lambda quality: commands(apus, python, photo, quality, folder)
        self.ffmpeg, self.folder, self.known = ffmpeg, folder, {}
        self.source = planes(ffmpeg, photo, folder / "source.y4m")

    def of(self, name, quality):
        if (name, quality) not in self.known:
            target = self.folder / f"{name}.heic"
            turns.run(self.commands(quality)[name])
            made = planes(self.ffmpeg, target, self.folder / "made.y4m")
            self.known[name, quality] = target.stat().st_size, *likeness(self.ffmpeg, self.source, made)
        return self.known[name, quality]


def show(title, costs, pictures):
    """`costs` by program."""
    print(f"\n### {title}\n")
    print("| program | wall, s | processor, s | peak memory, MiB | it / apus: wall | processor |")
    print("|---|---|---|---|---|---|")
    base = costs["apus"]
    missed = []
    for name, cost in costs.items():
        wall, processor = cost.wall / base.wall, cost.processor / base.processor
        print(
            f"| {name} | {cost.wall:.2f} | {cost.processor:.2f} | {cost.memory:.0f} | {wall:.2f} | {processor:.2f} |"
        )
        if name.startswith("heif-enc") and wall < FASTER:
            missed.append(f"{wall:.2f} times faster than {name}, not {FASTER}")
        if name != "apus" and base.memory > cost.memory:
            missed.append(f"{base.memory:.0f} MiB, {name} takes {cost.memory:.0f}")
    print("\n| program | quality | bytes | to heif-enc | luma, dB | to heif-enc | all samples, dB |")
    print("|---|---|---|---|---|---|---|")
    for quality in sorted(QUALITIES):
        peer = pictures.of("heif-enc", quality)
        for name in costs:
            if name == EQUAL and quality != TIMED:
                continue
            size, luma, whole = pictures.of(name, quality)
            against = ("", "") if name == "heif-enc" else (f"{size / peer[0] - 1:+.1%}", f"{luma - peer[1]:+.2f}")
            print(f"| {name} | {quality} | {size:,} | {against[0]} | {luma:.2f} | {against[1]} | {whole:.2f} |")
        size, luma, _ = pictures.of("apus", quality)
        if abs(size / peer[0] - 1) > SIZE:
            missed.append(f"{size / peer[0] - 1:+.1%} of the bytes at quality {quality}")
        if luma < peer[1] - DECIBELS:
            missed.append(f"{luma - peer[1]:+.2f} dB at quality {quality}")
    print(f"\nMissed: {'; '.join(missed)}." if missed else "\nEvery aim is met.")
    sys.stdout.flush()


def measure(root, apus, photos):
    """`photos` are JPEGs; where there are none, one of 12 megapixels is made."""
    python = root / ".build/python/bin/python3"
    ask = "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())"
    ffmpeg = subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True).stdout.strip()
    if not photos:
        grid, jpeg = (root / ".build/bench" / f"12-megapixels.{end}" for end in ("heic", "jpg"))
        if not jpeg.exists():
            subprocess.run([apus, "convert", grids.grid(grid, 4032, 3024), "-o", jpeg, "--quiet"], check=True)
        photos = [jpeg]
    print("## JPEGs into HEICs\n\n`Scripts/bench heic-write`\n")
    print(f"Peers: {' '.join(versions(python))}.")
    print(f"Preset {PRESET}, tune {TUNE}, 4:2:0; medians of {RUNS} runs at quality {TIMED}. apus runs this preset with")
    print("`rd=1` (see Sources/ApusStills/ApusStills.docc/Photos.md), which heif-enc was told in the rows that say so.")
    print(
        f"\nAimed at: {FASTER} times faster than heif-enc either way, no more memory than any, and at the same quality"
        f" sizes within {SIZE:.0%} of its and luma no more than {DECIBELS} dB worse."
    )
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        for number, photo in enumerate(photos, 1):
            pictures = Pictures(apus, python, ffmpeg, photo, folder)
            timed = commands(apus, python, photo, TIMED, folder)
            show(f"12 MP, photo {number}", turns.compare(timed, RUNS), pictures)
