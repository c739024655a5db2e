# SPDX-License-Identifier: MIT
"""Colour samples between which `apus convert` interpolates where it makes pixels: what zimg makes of the same planes, by every
site of them; and the same pixels in a part of a picture, turned, and by any number of workers."""

import itertools
import math
import re

import pytest

from programs import APUS, FFMPEG, FIXTURES, completed, printed, run

SECONDS = 600
# What zimg calls the values of chroma_sample_loc_type: ITU-T H.265, Figure E.1.
SITES = ["left", "center", "topleft", "top", "bottomleft", "bottom"]


def apus(source, *words):
    """The pixels of a picture."""
    return pixmap(completed(APUS, "convert", "--quiet", source, "--format", "ppm", *words, "-o", "-").stdout)


def pixmap(data):
    width, height, samples = re.fullmatch(rb"P6\s(\d+)\s(\d+)\s255\s(.*)", data, re.S).groups()
    stride = 3 * int(width)
    return [samples[at : at + stride] for at in range(0, int(height) * stride, stride)]


def smooth(path, name, width, height, bits=8):
    """YUV4MPEG2 in whose planes nothing is sharp, and whose colours are strong."""
    down = 2 if name.startswith("420") else 1
    scale = 1 << bits - 8
    data = bytearray(f"YUV4MPEG2 W{width} H{height} F25:1 C{name}\nFRAME\n".encode())
    for plane, (columns, rows) in enumerate([(width, height)] + 2 * [((width + 1) // 2, (height + down - 1) // down)]):
        for y, x in itertools.product(range(rows), range(columns)):
            wave = math.sin(x / columns * 9 + plane) + math.cos(y / rows * 7 - plane)
            value = round((128 + (20 if plane == 0 else 38) * wave) * scale)
            data += value.to_bytes(1 if bits == 8 else 2, "little")
    path.write_bytes(data)


def zimg(words, site, range="full"):
    """What zimg makes of it, with colour samples there."""
    filter = f"zscale=cin={site}:f=bilinear:min=470bg:rin={range}:tin=bt709:pin=bt709:m=gbr:r=full:t=bt709:p=bt709"
    return pixmap(completed(FFMPEG, *words, "-vf", f"{filter},format=gbrp", "-pix_fmt", "rgb24",
                            "-f", "image2pipe", "-c:v", "ppm", "-frames:v", 1, "-").stdout)


def farthest(one, other):
    assert [len(row) for row in one] == [len(row) for row in other], "the sides differ"
    return max(max(map(lambda a, b: abs(a - b), *rows)) for rows in zip(one, other))


def near(what, found, site, made, sites=SITES):
    """Within 1 of what is made for the site, and farther from what is made for others."""
    distance = farthest(found, made(site))
    assert distance <= 1, f"{what} is {distance} away"
    for other in sites:
        assert other == site or farthest(found, made(other)) > 1, f"{what} could be {other}"


# In 4:2:2 there is a row of colours for each of luma.
ACROSS = ["left", "center"]
STREAMS = [
    ("420jpeg", "center", 8, SITES), ("420mpeg2", "left", 8, SITES), ("420paldv", "topleft", 8, SITES), 
    ("420p10", "left", 10, SITES),    ("422", "left", 8, ACROSS), ("422p12", "left", 12, ACROSS),
]  # fmt: skip


@pytest.mark.parametrize("name, site, bits, sites", STREAMS)
def test_the_site_that_a_stream_names_is_followed(folder, name, site, bits, sites):
    """The sites that names of YUV4MPEG2 stand for, and more bits."""
    path = folder / f"{name}.y4m"
    smooth(path, name, 150, 200, bits)
    near(name, apus(path), site, lambda site: zimg(["-i", path], site, "limited"), sites)


@pytest.fixture
def scenes(folder):
    """A scene as YUV4MPEG2 and as PNG, and the path of its planes once it was coded."""
    scene, picture, planes = (folder / name for name in ("scene.y4m", "scene.png", "coded.yuv"))
    smooth(scene, "420jpeg", 96, 160)
    run(FFMPEG, "-i", scene, picture)
    return scene, picture, planes


@pytest.mark.parametrize("number, site", [(None, "left"), *enumerate(SITES)])
def test_the_site_that_the_stream_of_a_photo_states_is_followed(folder, scenes, number, site):
    """Where a stream does not state its site, it is the left one."""
    scene, picture, planes = scenes
    heic = folder / "coded.heic"
    words = ["-f", "rawvideo", "-s", "96x160", "-pix_fmt", "yuvj420p", "-i", planes]
    said = [] if number is None else ["-p", f"x265:chromaloc={number}"]
    run("heif-enc", "-q", 90, *said, "-o", heic, picture)
    run(APUS, "convert", "--quiet", "--on-exists", "replace", heic, "-o", planes)
    near(f"site {number}", apus(heic), site, lambda site: zimg(words, site))


def test_a_jpeg_has_its_colours_in_the_middle(folder, scenes):
    scene, picture, planes = scenes
    words = ["-f", "rawvideo", "-s", "96x160", "-pix_fmt", "yuvj420p", "-i", planes]
    jpeg = folder / "scene.jpg"
    run(FFMPEG, "-i", scene, "-pix_fmt", "yuvj420p", "-q:v", 2, jpeg)
    run(APUS, "convert", "--quiet", "--on-exists", "replace", jpeg, "-o", planes)
    near("a JPEG", apus(jpeg), "center", lambda site: zimg(words, site))


def site_of(heic, item):
    """What FFmpeg finds in the stream of a coded item, or supposes where that says nothing."""
    folder = heic.parent / f"{heic.stem}-{item}"
    run(APUS, "extract", "--quiet", "--item", item, "--raw", heic, "-o", f"{folder}/")
    (stream,) = folder.glob("*.hevc")
    return printed("ffprobe", "-v", "error", "-show_entries", "stream=chroma_location", "-of", "csv=p=0", stream).strip()


@pytest.mark.parametrize("encoder", ["x265", "own"])
def test_a_heic_says_where_its_colours_lie(folder, scenes, encoder):
    """A HEIC says where its colour samples lie: in the middle where they are those of a JPEG or means of others, and where the
    source had them where it is a HEIC. So pixels are made of it as they are of the JPEG."""
    scene, picture, planes = scenes
    jpeg = folder / "scene.jpg"
    run(FFMPEG, "-i", scene, "-pix_fmt", "yuvj420p", "-q:v", 2, jpeg)
    words = ["-f", "rawvideo", "-s", "96x160", "-pix_fmt", "yuvj420p", "-i", planes]
    sources = [(jpeg, "center"), (picture, "center")]
    for number, name in ((None, "left"), (2, "topleft")):
        heic = folder / f"{name}.heic"
        said = [] if number is None else ["-p", f"x265:chromaloc={number}"]
        run("heif-enc", "-q", 90, *said, "-o", heic, picture)
        sources.append((heic, name))
    for source, site in sources:
        heic = folder / f"{encoder}-{source.stem}-{source.suffix[1:]}.heic"
        run(APUS, "convert", "--quiet", source, "-o", heic, "--encoder", encoder, "--thumbnail-size", 64)
        # The thumbnail comes first, a grid of one tile, and its colours are means of so many that they lie in the middle.
        found = site_of(heic, 3), site_of(heic, 1)
        assert found == (site, "center"), f"{heic.name} says {found}, not {site}"
        run(APUS, "convert", "--quiet", "--on-exists", "replace", heic, "-o", planes)
        near(heic.name, apus(heic), site, lambda site: zimg(words, site))


@pytest.mark.parametrize("name", ["tiled.heic", "photo.heic", "grid-odd.heic", "orientation-6.heic", "420.jpg"])
def test_a_part_has_the_pixels_that_the_whole_has_there(folder, name):
    """However its edges lie among colour samples, bands and tiles."""
    photo = FIXTURES / name
    if name == "tiled.heic":
        photo = folder / name
        run(APUS, "convert", "--quiet", FIXTURES / "420.jpg", "-o", photo)
    whole = apus(photo)
    height, width = len(whole), len(whole[0]) // 3
    for left, top, right, bottom in [(1, 1, 0, 0), (2, 4, 2, 6), (3, 8, 1, 5), (0, 63, 5, 0), (7, 0, 8, 1)]:
        if left + right + 4 > width or top + bottom + 4 > height:
            continue
        sides = width - left - right, height - top - bottom
        found = apus(photo, "--crop", f"{sides[0]}x{sides[1]}+{left}+{top}")
        inner = [row[3 * left : 3 * (width - right)] for row in whole[top : height - bottom]]
        assert found == inner, f"without {left}, {top}, {right}, {bottom}"


def test_any_number_of_workers_makes_the_same_pixels(folder):
    """Pixels by any number of workers."""
    photos = sorted(FIXTURES.glob("*.hei[cf]*"))
    made = []
    for jobs in (1, 2, 5):
        out = folder / str(jobs)
        words = ["--quiet", "--format", "ppm", "-j", jobs]
        completed(APUS, "convert", *words, *photos, "-o", f"{out}/", status=None, seconds=SECONDS)
        made.append({file.name: file.read_bytes() for file in out.iterdir()})
    assert len(made[0]) >= 50 and all(files == made[0] for files in made), "workers make other pixels"
