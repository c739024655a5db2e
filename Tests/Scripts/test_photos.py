# SPDX-License-Identifier: MIT
"""`apus convert` with photos that are cut off, lie every way, or are too much, and with runs that are killed."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

import pytest

import heif
from exiftool import exiftool
from programs import APUS, FFMPEG, FIXTURES, ROOT, completed, ffmpeg, printed

SECONDS = 600
# Photos whose last byte is needed: of a grid, of pictures alone, of H.264, of Exif.
CUT = [
    "photo.heic", "grid-odd.heic", "still-96x72.heic", "overlay.heic", "alpha-straight.heic", "still.avci",
    "exif-xmp.heic",
]  # fmt: skip
MOST_SECONDS = 5

def convert(*words, **how):
    """The exit status, what --json says of each photo, and what standard error says."""
    done = completed(APUS, "convert", "--json", *words, status=None, seconds=SECONDS, text=True, **how)
    return done.returncode, reports(done.stdout.splitlines()), done.stderr


def reports(lines):
    return {report["input"]: report for report in map(json.loads, lines) if "input" in report}


def message(report):
    return (report["error"] or {}).get("message", "")


def files(folder):
    """Everything in it with its bytes, hidden files too."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def pixmap(data):
    """Width, height and rows of a PPM."""
    kind, width, height, most, samples = re.fullmatch(rb"(P6)\s(\d+)\s(\d+)\s(\d+)\s(.*)", data, re.S).groups()
    assert (kind, most) == (b"P6", b"255"), (kind, most)
    stride = int(width) * 3
    return int(width), int(height), [samples[at : at + stride] for at in range(0, len(samples), stride)]


@pytest.mark.alone
def test_a_photo_cut_at_each_hundredth_is_refused_in_time_with_a_reason_and_without_a_file(folder):
    for name in CUT:
        data = (FIXTURES / name).read_bytes()
        for part in range(100):
            path = folder / f"in/{part:02}-{name}"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data[: len(data) * part // 100])
    status, made, _ = convert("-r", folder / "in", "-o", f"{folder}/out/")
    assert status == 1, status
    assert len(made) == 100 * len(CUT), len(made)
    for name, report in made.items():
        assert report["status"] == "failed" and message(report), report
        assert report["seconds"] < MOST_SECONDS, report
    left = files(folder / "out") if (folder / "out").exists() else {}
    assert not left, sorted(left)


TILE = 49


@pytest.mark.parametrize("missing", [1, TILE // 2, TILE - 1])
def test_the_message_names_a_tile_that_is_cut_and_its_bytes(folder, missing):
    whole = FIXTURES / "grid-odd.heic"
    size, photo = whole.stat().st_size, folder / "cut.heic"
    photo.write_bytes(whole.read_bytes()[:-missing])
    status, made, _ = convert(photo, "-o", folder / "cut.jpg")
    said = f"tile 4 (item 4) has {TILE} bytes at {size - TILE}, but the enclosing data end at {size - missing}"
    assert status == 1 and said in message(made[str(photo)]), (status, made)
    assert list(files(folder)) == ["cut.heic"], list(files(folder))


@pytest.mark.parametrize("kind", ["ppm", "png", "jpeg"])
@pytest.mark.parametrize("name, sides", [("orientation", (104, 72)), ("aperture", (100, 60))])
def test_the_planes_of_all_orientations_are_the_same(folder, kind, name, sides):
    """The colors of some lie on the left of the coded picture, so their pixels are those of another orientation that brings
    them to the same side."""
    verify = [] if kind == "ppm" else ["--verify"]
    photos = [FIXTURES / f"{name}-{number}.heic" for number in range(1, 9)]
    status, made, _ = convert("--format", kind, *verify, *photos, "-o", f"{folder}/")
    assert status == 0, status
    assert {(report["width"], report["height"]) for report in made.values()} == {sides}, made
    outputs = {}
    for number, photo in enumerate(photos, 1):
        (file,) = folder.glob(f"{photo.stem}.*")
        outputs.setdefault(file.read_bytes(), []).append(number)
    same = [[1, 2, 3, 4, 5, 6, 7, 8]] if kind == "jpeg" else [[1, 4], [2, 3], [5, 6], [7, 8]]
    assert sorted(outputs.values()) == same, f"of {name} as {kind} these are the same: {list(outputs.values())}"


@pytest.mark.parametrize("number", range(1, 9))
def test_a_clean_aperture_keeps_the_pixels_inside_it(folder, number):
    photos = [FIXTURES / f"{name}-{number}.heic" for name in ("orientation", "aperture")]
    assert convert("--format", "ppm", *photos, "-o", f"{folder}/")[0] == 0
    width, height, rows = pixmap((folder / f"orientation-{number}.ppm").read_bytes())
    assert (width, height) == (104, 72)
    # Left, top, right and bottom that recipes.py has fall away.
    left, top, right, bottom = 3, 8, 1, 4
    inner = [row[3 * left : 3 * (width - right)] for row in rows[top : height - bottom]]
    assert pixmap((folder / f"aperture-{number}.ppm").read_bytes()) == (100, 60, inner)


@pytest.mark.parametrize("kind, runs", [
    ("jpeg", [["-j", jobs] for jobs in (1, 2, 3, 7)] + [["-j", 3, "--isolate"]]),
    ("png", [["-j", 1], ["-j", 3]]),
], ids=["jpeg", "png"])
def test_any_number_of_workers_writes_the_same_bytes(folder, kind, runs):
    photos, first = sorted(FIXTURES.glob("*.hei[cf]*")), None
    for number, words in enumerate(runs):
        out = folder / str(number)
        convert("--format", kind, "--thumbnail", *words, *photos, "-o", f"{out}/")
        made = files(out)
        assert len(made) >= 50, f"{len(made)} outputs"
        first = first or made
        assert made == first, f"{kind} with {words} is not what it was"


@pytest.fixture(scope="module")
def untiled(shared):
    """A photo of a single coded picture."""
    def make(folder):
        completed(ROOT / "Scripts/making/scene.py", "1008", "756", folder / "scene.ppm")
        ffmpeg("-i", folder / "scene.ppm", folder / "scene.png")
        completed("heif-enc", "-q", "70", folder / "scene.png", "-o", folder / "photo.heic")

    return shared("untiled", make) / "photo.heic"


@pytest.mark.parametrize("damaged", ["nowhere", "third", "middle", "end"])
def test_an_untiled_photo_is_the_same_for_any_number_of_workers_and_for_libavcodec(folder, untiled, damaged):
    whole, broken = untiled.read_bytes(), folder / "broken.heic"
    place = {"nowhere": 0, "third": len(whole) // 3, "middle": len(whole) // 2, "end": len(whole) - 40}[damaged]
    data = bytearray(whole)
    if place:
        data[place] ^= 0x55
    broken.write_bytes(data)
    results = set()
    for number, words in enumerate((["-j", 1], ["-j", 2], ["-j", 4])):
        out = folder / f"{place}.{number}.ppm"
        status, told, _ = convert(broken, "-o", out, "--format", "ppm", *words)
        (report,) = told.values()
        results.add((status, message(report), out.read_bytes() if out.exists() else b""))
    assert len(results) == 1, [(status, error, len(data)) for status, error, data in results]
    ((status, _, data),) = results
    assert place or (status == 0 and data), "the whole photo is refused"
    # What is made of damage does not depend on them, nor on how far each of them had come.
    if place:
        salvaged = set()
        for number, jobs in enumerate((1, 2, 2, 2, 4)):
            out = folder / f"{place}.{number}.salvaged.ppm"
            convert("--salvage", broken, "-o", out, "--format", "ppm", "-j", jobs)
            salvaged.add(out.read_bytes())
        assert len(salvaged) == 1, f"{len(salvaged)} pictures are made of one that is damaged at byte {place}"
    if status == 0:
        out = folder / f"{place}.libavcodec.ppm"
        status, _, error = convert(broken, "-o", out, "--format", "ppm", "--decoder", "libavcodec")
        assert place or (status == 0 and out.read_bytes() == data), error


SMALL = FIXTURES / "still-96x72.heic"


def test_an_output_that_may_not_grow_fails_alone(folder):
    done = completed("bash", "-c", 'ulimit -f 4; exec "$@"', "bash", APUS, "convert", FIXTURES / "photo.heic", SMALL, "-o",
                     f"{folder}/limited/", status=1, text=True)
    assert "photo.jpg: File too large" in done.stderr, done
    assert list(files(folder / "limited")) == ["still-96x72.jpg"], list(files(folder / "limited"))


@pytest.fixture
def visible():
    """An empty folder that other users can enter."""
    with tempfile.TemporaryDirectory() as name:
        pathlib.Path(name).chmod(0o755)
        yield pathlib.Path(name)


def test_a_folder_that_may_not_be_written_to_is_named(visible):
    closed, copy = visible / "closed", visible / "copy.heic"
    closed.mkdir(mode=0o555)
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    shutil.copy(SMALL, copy)
    shutil.copy(APUS, visible / "apus")
    done = completed(*nobody, visible / "apus", "convert", copy, "-o", f"{closed}/", status=1, text=True)
    assert "copy.jpg: Permission denied" in done.stderr, done
    assert not files(closed)


def test_photos_that_vanish_during_a_run_fail_alone(folder):
    # The pipe holds the run until the second photo is gone, and another is in its place.
    pipe, gone, other = (folder / name for name in ("pipe.heic", "gone.heic", "other.heic"))
    os.mkfifo(pipe)
    shutil.copy(SMALL, gone)
    shutil.copy(SMALL, other)
    run = subprocess.Popen(
        [APUS, "convert", "--json", "-j", "1", pipe, gone, other, "-o", f"{folder}/held/"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with open(pipe, "wb") as end:
        gone.unlink()
        other.write_bytes(SMALL.read_bytes()[:-1])
        end.write(SMALL.read_bytes())
    made = reports(run.communicate(timeout=SECONDS)[0].splitlines())
    assert run.returncode == 1, run.returncode
    assert made[str(pipe)]["status"] == "converted", made
    assert "cannot be opened: No such file" in message(made[str(gone)]), made
    assert "the enclosing data end at" in message(made[str(other)]), made
    assert list(files(folder / "held")) == ["pipe.jpg"], list(files(folder / "held"))


@pytest.mark.parametrize("words, reason", [
    (["--limit", "cpu-seconds=1", "--format", "heic", "-q", "60"], "more processor time than --limit cpu-seconds allows"),
    (["--limit", "address-mebibytes=512", "--progressive"], "not enough memory"),
])
def test_a_photo_that_takes_too_much_of_its_process_fails_alone(folder, words, reason):
    heif.many_tiles(FIXTURES / "hvc1.mp4", folder / "heavy.heic", 200)
    small = [FIXTURES / "photo.heic", SMALL]
    out = folder / words[1]
    status, made, _ = convert("-j", 1, "--isolate", *words, folder / "heavy.heic", *small, "-o", f"{out}/")
    failed = [name for name, report in made.items() if report["status"] == "failed"]
    assert status == 1 and failed == [str(folder / "heavy.heic")], (status, made)
    assert reason in message(made[failed[0]]), made
    assert sorted(file.partition(".")[0] for file in files(out)) == ["photo", "still-96x72"]


def test_every_limit_may_be_as_large_as_numbers_are_and_is_named_by_what_it_stops(folder):
    said = convert("--limit", "nothing=1", "photo.heic")[2]
    names = re.search("NAME is (.*)", said)[1].split(", ")
    assert {"boxes", "megapixels", "cpu-seconds"} <= set(names), names
    for name in names:
        for words in ([], ["--isolate"]):
            where = ["-o", f"{folder}/{name}{len(words)}/"]
            status, made, _ = convert(*words, "--limit", f"{name}={2**63 - 1}", FIXTURES / "photo.heic", *where)
            assert status == 0, (name, made)
        status, made, _ = convert("--limit", f"{name}=1", FIXTURES / "photo.heic", "-o", f"{folder}/least-{name}/")
        (report,) = made.values()
        assert not status or "limit" in message(report), (name, report)


PHOTO = FIXTURES / "photo.heic"


@pytest.mark.parametrize("ending", ["jpg", "png", "ppm", "heic"])
def test_a_bound_of_the_longer_side_holds_for_each_format(folder, ending):
    out = folder / f"a.{ending}"
    status, made, said = convert("--max-size", 120, PHOTO, "-o", out)
    assert status == 0, said
    (report,) = made.values()
    assert (report["width"], report["height"]) == (120, 90), report
    if ending != "heic":
        assert printed("ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", out).split() == \
            ["120,90"]
    if ending == "jpg":
        assert exiftool("-s3", "-ExifImageWidth", "-ExifImageHeight", out).stdout.decode().split() == ["120", "90"]


def test_smaller_planes_stay_420(folder):
    assert convert("--max-size", 120, PHOTO, "-o", folder / "a.yuv")[0] == 0
    assert (folder / "a.yuv").stat().st_size == 120 * 90 * 3 // 2


@pytest.mark.parametrize("side", [320, 4000])
def test_a_photo_within_the_bound_stays_unchanged(folder, side):
    convert(PHOTO, "-o", folder / "bounded.png", "--max-size", side)
    convert(PHOTO, "-o", folder / "whole.png")
    assert (folder / "bounded.png").read_bytes() == (folder / "whole.png").read_bytes()


def test_a_jpeg_is_copied_unless_it_is_too_large(folder):
    jpeg = FIXTURES / "samsung.jpg"
    (copied,) = convert("--max-size", 104, jpeg, "-o", folder / "copied.jpg")[1].values()
    assert (folder / "copied.jpg").read_bytes() == jpeg.read_bytes(), copied
    (scaled,) = convert("--max-size", 103, jpeg, "-o", folder / "scaled.jpg")[1].values()
    assert (scaled["width"], scaled["height"]) == (103, 71), scaled


@pytest.mark.parametrize("words, count", [([], 6), (["--single"], 1)])
def test_a_bounded_picture_that_is_still_large_is_tiled_and_the_tiles_join(folder, words, count):
    large = folder / "large.jpg"
    ffmpeg("-f", "lavfi", "-i", "mandelbrot=size=1400x900", "-frames:v", "1", large)
    (tiled,) = convert("--max-size", 1100, large, "-o", folder / "tiled.heic", *words)[1].values()
    assert tiled["encoders"][0]["pictures"] == count, tiled
    convert(folder / "tiled.heic", "-o", folder / "tiled.ppm")
    convert("--max-size", 1100, large, "-o", folder / "straight.ppm")
    one, other = ((folder / name).read_bytes() for name in ("tiled.ppm", "straight.ppm"))
    assert len(one) == len(other), count
    mean = sum(map(lambda a, b: abs(a - b), one, other)) / len(one)
    assert mean < 3, f"{count}: {mean}"


def test_the_gain_map_of_an_hdr_photo_stays(folder):
    (hdr,) = convert("--max-size", 60, FIXTURES / "gain-map-tmap.heic", "-o", folder / "hdr.jpg")[1].values()
    assert hdr["gain_map"]["headroom"] > 6, hdr


def test_a_source_whose_pixels_are_gone_is_not_removed(folder):
    source = folder / "source.heic"
    shutil.copy(PHOTO, source)
    (kept,) = convert("--max-size", 60, source, "--remove-source")[1].values()
    assert source.exists() and "full-size" in kept["source"]["reasons"][0]["message"], kept


@pytest.fixture
def place(folder):
    """A folder with photos that Exif describes, or not."""
    place = folder / "Rome"
    place.mkdir()
    tags = {
        "a.heic": ["-DateTimeOriginal=2021:07:04 23:30:00", "-OffsetTimeOriginal=+02:00", "-Model=X/100 ."],
        "b.heic": ["-DateTimeOriginal=2022:12:31 08:05:09", "-OffsetTimeOriginal=", "-Model="],
        "c.heic": ["-all="],
    }
    for name, words in tags.items():
        shutil.copy(FIXTURES / "photo.heic", place / name)
        exiftool("-q", "-overwrite_original", *words, place / name)
        os.utime(place / name, (1000000000, 1000000000))
    return place


@pytest.mark.parametrize("words", [[], ["--isolate"]])
def test_names_hold_date_camera_folder_and_number(folder, place, words):
    zone = {**os.environ, "TZ": "Asia/Tokyo"}
    template = "{dir}/{date:%Y/%m-%d_%H%M%S}/{camera}-{parent}-{stem}-{n:3}.{ext}"
    out = folder / "out"
    run = [*words, "-r", place, "-o", f"{out}/", "--name", template, "--mtime", "exif"]
    planned = convert(*run, "--dry-run", env=zone)[1]
    status, made, said = convert(*run, env=zone)
    assert status == 0, said
    # The name of the camera leads into no folder; c.heic has the time of its file, on the clock of this machine.
    paths = {pathlib.Path(name).name: os.path.relpath(report["output"], out) for name, report in made.items()}
    assert re.fullmatch(r"2021/07-04_233000/X_100 \.-Rome-a-\d{3}\.jpg", paths["a.heic"]), paths
    assert re.fullmatch(r"2022/12-31_080509/[^/]+-Rome-b-\d{3}\.jpg", paths["b.heic"]), paths
    assert re.fullmatch(r"2001/09-09_104640/unknown-Rome-c-\d{3}\.jpg", paths["c.heic"]), paths
    numbers = {path.rpartition("-")[2] for path in paths.values()}
    assert numbers == {"001.jpg", "002.jpg", "003.jpg"}, paths
    assert {name: report["outputs"] for name, report in planned.items()} == {
        name: [report["output"]] for name, report in made.items()
    }, (planned, made)
    times = {name: int((out / path).stat().st_mtime) for name, path in paths.items()}
    # 21:30 in Greenwich; 23:05 of the day before there; as the file was.
    assert times == {"a.heic": 1625434200, "b.heic": 1672441509, "c.heic": 1000000000}, times


def test_the_time_of_a_file_is_kept_or_now(folder, place):
    kept, now = folder / "kept.jpg", folder / "now.jpg"
    assert convert(place / "a.heic", "-o", kept)[0] == 0 and kept.stat().st_mtime == 1000000000
    assert convert(place / "a.heic", "-o", now, "--mtime", "now")[0] == 0 and now.stat().st_mtime > 1700000000


def test_names_that_are_not_unique_are_refused_or_fail_for_the_second_photo(folder, place):
    status, made, said = convert("-r", place, "-o", f"{folder}/same/", "--name", "{dir}/{camera}.{ext}")
    assert status == 2 and "{stem} or {n}" in said, said
    assert "{date:%q}" in convert("-r", place, "-o", f"{folder}/same/", "--name", "{dir}/{stem}{date:%q}")[2]
    shutil.copytree(place, folder / "Lima")
    same, both = ["--name", "{dir}/{date}{stem}.{ext}"], ["--name", "{dir}/{parent}/{stem}.{ext}"]
    status, made, _ = convert(place / "c.heic", folder / "Lima/c.heic", "-o", f"{folder}/two/", *same)
    assert status == 1 and sum("another file" in message(report) for report in made.values()) == 1, made
    assert convert(place / "c.heic", folder / "Lima/c.heic", "-o", f"{folder}/both/", *both)[0] == 0
    assert sorted(files(folder / "both")) == ["Lima/c.jpg", "Rome/c.jpg"]


def test_a_jpeg_of_red_green_and_blue_has_the_pixels_that_libjpeg_reads(folder):
    jpeg, heic, ppm = FIXTURES / "rgb.jpg", folder / "rgb.heic", folder / "rgb.ppm"
    whole = completed("djpeg", jpeg).stdout
    assert convert(jpeg, "-o", heic, "--lossless", "--chroma", "444")[0] == 0
    for source in (jpeg, heic):
        assert convert(source, "-o", ppm, "--on-exists", "replace")[0] == 0
        assert pixmap(ppm.read_bytes()) == pixmap(whole), source


@pytest.mark.parametrize("name, words", [("plain", []), ("halved", ["-sampling-factor", "2x2"])])
def test_a_jpeg_of_four_inks_gets_the_colors_that_imagemagick_gives_it(folder, name, words):
    """Without a profile, within rounding."""
    jpeg, heic, own, other = (folder / f"{name}{ending}" for ending in (".jpg", ".heic", ".png", ".other.png"))
    magick = ["/usr/bin/convert", FIXTURES / "444.jpg"]
    completed(*magick, "-colorspace", "CMYK", "-quality", "95", *words, jpeg)
    completed("/usr/bin/convert", jpeg, "-colorspace", "sRGB", other)
    status, made, said = convert(jpeg, "-o", heic, "--lossless", "--chroma", "444")
    assert status == 0 and "was CMYK" in made[str(jpeg)]["warnings"][0], (made, said)
    assert convert(heic, "-o", own)[0] == 0
    pictures = [
        completed(FFMPEG, "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgb24", "-").stdout
        for picture in (own, other)
    ]
    assert len(pictures[0]) == len(pictures[1]) > 9000, [len(picture) for picture in pictures]
    assert max(abs(one - two) for one, two in zip(*pictures)) <= 2, name
    png = ["thumbnail", "-s", "40", "--format", "png"]
    for small, form in (("s.png", png), ("s.jpg", ["convert", "--max-size", "40"])):
        completed(APUS, *form, jpeg, "-o", folder / f"{name}-{small}")
    # As it is, it is copied.
    assert convert(jpeg, "-o", folder / f"{name}-copy.jpg")[0] == 0
    assert (folder / f"{name}-copy.jpg").read_bytes() == jpeg.read_bytes()


@pytest.fixture
def photos(folder):
    """A folder of two photos."""
    photos = folder / "photos"
    photos.mkdir()
    for name in ("a.heic", "b.heic"):
        shutil.copy(FIXTURES / "photo.heic", photos / name)
    return photos


@pytest.mark.parametrize("words", [[], ["--isolate"], ["--name", "{dir}/{date}-{stem}.{ext}"]])
def test_a_journal_knows_which_outputs_are_gone_and_is_of_one_purpose(folder, photos, words):
    out = folder / "out"
    run = ["-r", photos, "-o", f"{out}/", "--journal", folder / "journal", *words]
    assert convert(*run)[0] == 0
    made = files(out)
    assert convert(*run)[0] == 3, "finished photos are converted again"
    gone = sorted(made)[0]
    (out / gone).unlink()
    status, again, _ = convert(*run)
    assert status == 0 and files(out) == made, (status, again)
    assert sorted(report["status"] for report in again.values()) == ["converted", "skipped"], again
    for other in (["-q", "50"], ["--strip", "gps"], ["--max-size", "20"]):
        status, _, said = convert(*run, *other, "--on-exists", "replace")
        assert status == 1 and "belongs to a run that wrote" in said, (status, said)
    assert files(out) == made


def test_a_photo_that_is_removed_stays_finished(folder, photos):
    run = ["-r", photos, "-o", f"{folder}/kept/", "--journal", folder / "journal", "--remove-source"]
    assert convert(*run)[0] == 0 and not files(photos)
    assert convert(*run)[0] == 3


def test_heic_and_avif_files_that_are_named_as_jpegs_are_found_and_no_others(folder):
    (folder / "in/real").mkdir(parents=True)
    for name, target in (("photo.heic", "in/a.jpg"), ("alpha.heic", "in/real/b.JPEG"), ("photo.heic", "in/c.png"),
                         ("420.jpg", "in/d.jpg"), ("av01.mp4", "in/e.jpg")):
        shutil.copy(FIXTURES / name, folder / target)
    (folder / "in/empty.jpg").touch()
    status, made, said = convert("-r", folder / "in", "-o", f"{folder}/out/")
    assert status == 0, said
    assert sorted(files(folder / "out")) == ["a.jpg", "c.jpg", "real/b.jpg"], sorted(made)


def test_a_file_whose_name_differs_in_case_alone_is_an_output_that_exists(folder):
    """Outputs of the same run are not."""
    place = folder / "in"
    place.mkdir()
    shutil.copy(FIXTURES / "photo.heic", place / "IMG_1.HEIC")
    shutil.copy(FIXTURES / "420.jpg", place / "IMG_1.JPG")
    before = files(place)
    for words, wanted in (([], 3), (["--isolate"], 3), (["--remove-source"], 3), (["--on-exists", "replace"], 1),
                          (["--on-exists", "rename"], 1), (["--images", "all"], 3)):
        status, made, said = convert("-r", place, *words)
        assert status == wanted, (words, status, made, said)
        assert files(place) == before, words
        report = made[str(place / "IMG_1.HEIC")]
        # What is skipped is named only where that keeps a source.
        if wanted == 1 or "--remove-source" in words:
            assert "IMG_1.JPG" in json.dumps(report), (words, report)
    dry = convert("-r", place, "--dry-run")[1]
    assert dry[str(place / "IMG_1.HEIC")]["action"] == "skip", dry
    for name in ("b.heic", "B.heic"):
        shutil.copy(FIXTURES / "photo.heic", place / name)
    assert convert(place / "b.heic", place / "B.heic")[0] == 0
    assert {"b.jpg", "B.jpg"} <= set(files(place))


def test_a_run_that_removes_photos_replaces_only_outputs_of_photos_that_exist(folder):
    first, other = folder / "a.heic", folder / "a.heif"
    for path, time in ((first, 1000000000), (other, 1100000000)):
        shutil.copy(FIXTURES / "photo.heic", path)
        os.utime(path, (time, time))
    assert convert(first)[0] == 0
    assert convert(first, "--remove-source", "--on-exists", "replace")[0] == 0
    assert not first.exists()
    kept = (folder / "a.jpg").read_bytes()
    for words in ([], ["--isolate"], ["--mtime", "now"]):
        status, made, said = convert(other, "--remove-source", "--on-exists", "replace", *words)
        assert status == 1 and "does not replace it" in message(made[str(other)]), (made, said)
        assert other.exists() and (folder / "a.jpg").read_bytes() == kept


@pytest.fixture(scope="module")
def many(work):
    """A folder of 120 photos, and everything that becomes of them."""
    photos = work / "photos"
    photos.mkdir()
    for number in range(120):
        name = "photo.heic" if number % 3 else "orientation-3.heic"
        shutil.copy(FIXTURES / name, photos / f"{number:03}.heic")
    assert convert("-r", photos, "-o", f"{work}/whole/")[0] == 0
    return photos, files(work / "whole")


@pytest.mark.parametrize("words", [[], ["--isolate"]])
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT], ids=["SIGKILL", "SIGINT"])
def test_a_run_that_is_ended_leaves_whole_files_and_a_right_journal_and_is_resumed(folder, many, kind, words):
    photos, whole = many
    out, journal = folder / "out", folder / "journal"
    words = ["-j", 3, "--journal", journal, "-r", photos, "-o", f"{out}/", *words]
    run = subprocess.Popen(
        [APUS, "convert", "--json", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, pipesize=4096,
    )  # fmt: skip
    # Nobody reads more, so that the run waits before long and is not over when the signal comes.
    told = [run.stdout.readline() for _ in range(22)]
    run.send_signal(kind)
    rest, error = run.communicate(timeout=SECONDS)
    assert run.returncode == (130 if kind == signal.SIGINT else -kind), (run.returncode, error)
    made = files(out)
    assert made.items() <= whole.items(), sorted(set(made) - set(whole)) or "a file is not whole"
    finished = {
        pathlib.Path(line.split("\t")[3]).stem + ".jpg" for line in journal.read_text().splitlines()[1:]
        if line.count("\t") == 3
    }  # fmt: skip
    announced = {pathlib.Path(name).stem + ".jpg" for name in reports(told)}
    assert announced <= finished <= set(made), (announced, finished, set(made))
    assert len(made) < len(whole), "the run was over before the signal came"
    if kind == signal.SIGINT:
        assert finished == set(made), (finished, set(made))
        summary = json.loads(rest.splitlines()[-1])["summary"]
        assert summary["interrupted"] and summary["converted"] == len(made), summary
    status, again, _ = convert(*words)
    assert status == 0 and len(again) == len(whole), (status, len(again))
    assert files(out) == whole, "what was resumed is not whole"
