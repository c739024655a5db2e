#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`apus convert` with photos that are cut off, lie every way, or are too much, and with runs that are killed."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Fixtures"
# What Scripts/apus builds and runs: signals are for apus itself.
APUS = pathlib.Path(os.environ.get("APUS", ROOT / ".build/release/apus"))
SECONDS = 600
# Photos whose last byte is needed: of a grid, of pictures alone, of H.264, of Exif.
CUT = [
    "photo.heic", "grid-odd.heic", "still-96x72.heic", "overlay.heic", "alpha-straight.heic", "still.avci",
    "exif-xmp.heic",
]  # fmt: skip
MOST_SECONDS = 5

sys.path.insert(0, str(ROOT / "Scripts/making"))
import heif  # noqa: E402


def convert(*words, **how):
    """The exit status, what --json says of each photo, and what standard error says."""
    done = subprocess.run(
        [APUS, "convert", "--json", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, timeout=SECONDS, **how,
    )  # fmt: skip
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


def prefixes(folder):
    """Every hundredth of a photo: refused, in time, with a reason, and without a file."""
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


def last_tile(folder):
    """The message names the tile and its bytes, those that should be there and those that are."""
    whole = FIXTURES / "grid-odd.heic"
    size, tile = whole.stat().st_size, 49
    for missing in (1, tile // 2, tile - 1):
        photo = folder / "cut.heic"
        photo.write_bytes(whole.read_bytes()[:-missing])
        status, made, _ = convert(photo, "-o", folder / "cut.jpg")
        said = f"tile 4 (item 4) has {tile} bytes at {size - tile}, but the enclosing data end at {size - missing}"
        assert status == 1 and said in message(made[str(photo)]), (status, made)
        assert list(files(folder)) == ["cut.heic"], list(files(folder))


def upright(folder):
    """The planes of all eight are the same, and with a clean aperture what lies in it. Colours of theirs lie on the left of the
    coded picture; so their pixels are those of another one that brings them to the same side."""
    for kind in ("ppm", "png", "jpeg"):
        verify = [] if kind == "ppm" else ["--verify"]
        for name in ("orientation", "aperture"):
            photos = [FIXTURES / f"{name}-{number}.heic" for number in range(1, 9)]
            status, made, _ = convert("--format", kind, *verify, *photos, "-o", f"{folder}/{kind}/")
            assert status == 0, status
            sides = {"orientation": {(104, 72)}, "aperture": {(100, 60)}}[name]
            assert {(report["width"], report["height"]) for report in made.values()} == sides, made
            outputs = {}
            for number, photo in enumerate(photos, 1):
                (file,) = (folder / kind).glob(f"{photo.stem}.*")
                outputs.setdefault(file.read_bytes(), []).append(number)
            same = [[1, 2, 3, 4, 5, 6, 7, 8]] if kind == "jpeg" else [[1, 4], [2, 3], [5, 6], [7, 8]]
            assert sorted(outputs.values()) == same, f"of {name} as {kind} these are the same: {list(outputs.values())}"
    for number in range(1, 9):
        width, height, rows = pixmap((folder / f"ppm/orientation-{number}.ppm").read_bytes())
        assert (width, height) == (104, 72)
        # Left, top, right and bottom that recipes.py has fall away.
        left, top, right, bottom = 3, 8, 1, 4
        inner = [row[3 * left : 3 * (width - right)] for row in rows[top : height - bottom]]
        assert pixmap((folder / f"ppm/aperture-{number}.ppm").read_bytes()) == (100, 60, inner), number


def workers(folder):
    """The same bytes of every photo for any number of workers, and in processes of their own."""
    photos = sorted(FIXTURES.glob("*.hei[cf]*"))
    runs = [("jpeg", ["-j", jobs]) for jobs in (1, 2, 3, 7)] + [("jpeg", ["-j", 3, "--isolate"])]
    runs += [("png", ["-j", 1]), ("png", ["-j", 3])]
    seen = {}
    for number, (kind, words) in enumerate(runs):
        out = folder / str(number)
        convert("--format", kind, "--thumbnail", *words, *photos, "-o", f"{out}/")
        made = files(out)
        assert len(made) >= 50, f"{len(made)} outputs"
        assert seen.setdefault(kind, made) == made, f"{kind} with {words} is not what it was"


def one_picture(folder):
    """A photo without tiles is the same by however many workers, whole and damaged; libavcodec agrees."""
    scene, photo = folder / "scene.ppm", folder / "photo.heic"
    subprocess.run([ROOT / "Scripts/making/scene.py", "1008", "756", scene], check=True)
    picture = folder / "scene.png"
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", scene, picture], check=True)
    subprocess.run(["heif-enc", "-q", "70", picture, "-o", photo], stdout=subprocess.DEVNULL, check=True)
    whole = bytearray(photo.read_bytes())
    broken = folder / "broken.heic"
    for place in (0, len(whole) // 3, len(whole) // 2, len(whole) - 40):
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


def places(folder):
    """Files that may not grow, folders that may not be written to, photos that vanish."""
    photo, small = FIXTURES / "photo.heic", FIXTURES / "still-96x72.heic"
    limit = "ulimit -f 4; exec \"$@\""
    done = subprocess.run(
        ["bash", "-c", limit, "bash", APUS, "convert", photo, small, "-o", f"{folder}/limited/"],
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 1 and "photo.jpg: File too large" in done.stderr, done
    assert list(files(folder / "limited")) == ["still-96x72.jpg"], list(files(folder / "limited"))

    closed = folder / "closed"
    closed.mkdir(mode=0o555)
    folder.chmod(0o755)
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
    copy = folder / "copy.heic"
    shutil.copy(small, copy)
    shutil.copy(APUS, folder / "apus")
    done = subprocess.run(
        [*nobody, folder / "apus", "convert", copy, "-o", f"{closed}/"], stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 1 and "copy.jpg: Permission denied" in done.stderr, done
    assert not files(closed)

    # The pipe holds the run until the second photo is gone, and another is in its place.
    pipe, gone, other = (folder / name for name in ("pipe.heic", "gone.heic", "other.heic"))
    os.mkfifo(pipe)
    shutil.copy(small, gone)
    shutil.copy(small, other)
    run = subprocess.Popen(
        [APUS, "convert", "--json", "-j", "1", pipe, gone, other, "-o", f"{folder}/held/"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with open(pipe, "wb") as end:
        gone.unlink()
        other.write_bytes(small.read_bytes()[:-1])
        end.write(small.read_bytes())
    made = reports(run.communicate(timeout=SECONDS)[0].splitlines())
    assert run.returncode == 1, run.returncode
    assert made[str(pipe)]["status"] == "converted", made
    assert "cannot be opened: No such file" in message(made[str(gone)]), made
    assert "the enclosing data end at" in message(made[str(other)]), made
    assert list(files(folder / "held")) == ["pipe.jpg"], list(files(folder / "held"))


def isolation(folder):
    """A photo that takes too much time or memory of its process costs nothing but itself."""
    heif.many_tiles(FIXTURES / "hvc1.mp4", folder / "heavy.heic", 200)
    small = [FIXTURES / "photo.heic", FIXTURES / "still-96x72.heic"]
    for words, reason in (
        (["--limit", "cpu-seconds=1", "--format", "heic"], "more processor time than --limit cpu-seconds allows"),
        (["--limit", "address-mebibytes=512", "--progressive"], "not enough memory"),
    ):
        out = folder / words[1]
        status, made, _ = convert("-j", 1, "--isolate", *words, folder / "heavy.heic", *small, "-o", f"{out}/")
        failed = [name for name, report in made.items() if report["status"] == "failed"]
        assert status == 1 and failed == [str(folder / "heavy.heic")], (status, made)
        assert reason in message(made[failed[0]]), made
        assert sorted(file.partition(".")[0] for file in files(out)) == ["photo", "still-96x72"]


def limits(folder):
    """Every limit may be as large as numbers are, and is named by what it stops."""
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


def smaller(folder):
    """--max-size bounds the longer side of whatever is written, enlarges nothing, and says so in Exif."""
    photo = FIXTURES / "photo.heic"
    for name, size in (("a.jpg", "120,90"), ("a.png", "120,90"), ("a.ppm", "120,90"), ("a.heic", "120,90")):
        status, made, said = convert("--max-size", 120, photo, "-o", folder / name)
        assert status == 0, said
        (report,) = made.values()
        assert f"{report['width']},{report['height']}" == size, report
        if name != "a.heic":
            shown = ["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", folder / name]
            assert subprocess.run(shown, stdout=subprocess.PIPE, text=True, check=True).stdout.split() == [size], name
    exif = subprocess.run(
        ["exiftool", "-s3", "-ExifImageWidth", "-ExifImageHeight", folder / "a.jpg"], stdout=subprocess.PIPE, text=True,
        check=True,
    )  # fmt: skip
    assert exif.stdout.split() == ["120", "90"], exif.stdout
    # The same planes in fewer samples: 4:2:0 stays that.
    assert convert("--max-size", 120, photo, "-o", folder / "a.yuv")[0] == 0
    assert (folder / "a.yuv").stat().st_size == 120 * 90 * 3 // 2
    for side in (320, 4000):
        convert(photo, "-o", folder / f"{side}.png", "--max-size", side)
        convert(photo, "-o", folder / f"{side}-whole.png")
        assert (folder / f"{side}.png").read_bytes() == (folder / f"{side}-whole.png").read_bytes(), side
    # A JPEG is copied, unless it is too large.
    jpeg = FIXTURES / "samsung.jpg"
    (copied,) = convert("--max-size", 104, jpeg, "-o", folder / "copied.jpg")[1].values()
    assert (folder / "copied.jpg").read_bytes() == jpeg.read_bytes(), copied
    (scaled,) = convert("--max-size", 103, jpeg, "-o", folder / "scaled.jpg")[1].values()
    assert (scaled["width"], scaled["height"]) == (103, 71), scaled
    # What is still large is cut into tiles as any other picture, and they join.
    large = folder / "large.jpg"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "mandelbrot=size=1400x900", "-frames:v", "1", large], check=True)
    for words, count in (([], 6), (["--single"], 1)):
        (tiled,) = convert("--max-size", 1100, large, "-o", folder / f"{count}.heic", *words)[1].values()
        assert tiled["encoders"][0]["pictures"] == count, tiled
        convert(folder / f"{count}.heic", "-o", folder / f"{count}.ppm")
        convert("--max-size", 1100, large, "-o", folder / f"{count}-straight.ppm")
        one, other = ((folder / name).read_bytes() for name in (f"{count}.ppm", f"{count}-straight.ppm"))
        assert len(one) == len(other), count
        mean = sum(map(lambda a, b: abs(a - b), one, other)) / len(one)
        assert mean < 3, f"{count}: {mean}"
    # The gain map of an HDR photo stays, and a photo whose pixels are gone is not removed.
    (hdr,) = convert("--max-size", 60, FIXTURES / "gain-map-tmap.heic", "-o", folder / "hdr.jpg")[1].values()
    assert hdr["gain_map"]["headroom"] > 6, hdr
    source = folder / "source.heic"
    shutil.copy(photo, source)
    (kept,) = convert("--max-size", 60, source, "--remove-source")[1].values()
    assert source.exists() and "full-size" in kept["source"]["reasons"][0]["message"], kept


def named(folder):
    """--name takes date, camera, folder and number, --mtime the time; what Exif does not say has a stand-in."""
    place = folder / "Rome"
    place.mkdir()
    tags = {
        "a.heic": ["-DateTimeOriginal=2021:07:04 23:30:00", "-OffsetTimeOriginal=+02:00", "-Model=X/100 ."],
        "b.heic": ["-DateTimeOriginal=2022:12:31 08:05:09", "-OffsetTimeOriginal=", "-Model="],
        "c.heic": ["-all="],
    }
    for name, words in tags.items():
        shutil.copy(FIXTURES / "photo.heic", place / name)
        subprocess.run(["exiftool", "-q", "-overwrite_original", *words, place / name], check=True)
        os.utime(place / name, (1000000000, 1000000000))
    zone = {**os.environ, "TZ": "Asia/Tokyo"}
    template = "{dir}/{date:%Y/%m-%d_%H%M%S}/{camera}-{parent}-{stem}-{n:3}.{ext}"
    for words in ([], ["--isolate"]):
        out = folder / f"out{len(words)}"
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
    kept, now = folder / "kept.jpg", folder / "now.jpg"
    assert convert(place / "a.heic", "-o", kept)[0] == 0 and kept.stat().st_mtime == 1000000000
    assert convert(place / "a.heic", "-o", now, "--mtime", "now")[0] == 0 and now.stat().st_mtime > 1700000000
    # What is not unique is refused, or fails for the second photo.
    status, made, said = convert("-r", place, "-o", f"{folder}/same/", "--name", "{dir}/{camera}.{ext}")
    assert status == 2 and "{stem} or {n}" in said, said
    assert "{date:%q}" in convert("-r", place, "-o", f"{folder}/same/", "--name", "{dir}/{stem}{date:%q}")[2]
    shutil.copytree(place, folder / "Lima")
    same, both = ["--name", "{dir}/{date}{stem}.{ext}"], ["--name", "{dir}/{parent}/{stem}.{ext}"]
    status, made, _ = convert(place / "c.heic", folder / "Lima/c.heic", "-o", f"{folder}/two/", *same)
    assert status == 1 and sum("another file" in message(report) for report in made.values()) == 1, made
    assert convert(place / "c.heic", folder / "Lima/c.heic", "-o", f"{folder}/both/", *both)[0] == 0
    assert sorted(files(folder / "both")) == ["Lima/c.jpg", "Rome/c.jpg"]


def rgb(folder):
    """A JPEG of red, green and blue has the pixels that libjpeg reads."""
    jpeg, heic, ppm = FIXTURES / "rgb.jpg", folder / "rgb.heic", folder / "rgb.ppm"
    whole = subprocess.run(["djpeg", jpeg], check=True, stdout=subprocess.PIPE).stdout
    assert convert(jpeg, "-o", heic, "--lossless", "--chroma", "444")[0] == 0
    for source in (jpeg, heic):
        assert convert(source, "-o", ppm, "--on-exists", "replace")[0] == 0
        assert pixmap(ppm.read_bytes()) == pixmap(whole), source


def cmyk(folder):
    """A JPEG of four inks gets the colours that ImageMagick gives it without a profile, within rounding."""
    for name, words in (("plain", []), ("halved", ["-sampling-factor", "2x2"])):
        jpeg, heic, own, other = (folder / f"{name}{ending}" for ending in (".jpg", ".heic", ".png", ".other.png"))
        magick = ["/usr/bin/convert", FIXTURES / "444.jpg"]
        subprocess.run([*magick, "-colorspace", "CMYK", "-quality", "95", *words, jpeg], check=True)
        subprocess.run(["/usr/bin/convert", jpeg, "-colorspace", "sRGB", other], check=True)
        status, made, said = convert(jpeg, "-o", heic, "--lossless", "--chroma", "444")
        assert status == 0 and "was CMYK" in made[str(jpeg)]["warnings"][0], (made, said)
        assert convert(heic, "-o", own)[0] == 0
        pictures = [
            subprocess.run(
                ["ffmpeg", "-v", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            ).stdout for picture in (own, other)
        ]  # fmt: skip
        assert len(pictures[0]) == len(pictures[1]) > 9000, [len(picture) for picture in pictures]
        assert max(abs(one - two) for one, two in zip(*pictures)) <= 2, name
        png = ["thumbnail", "-s", "40", "--format", "png"]
        for small, form in (("s.png", png), ("s.jpg", ["convert", "--max-size", "40"])):
            done = subprocess.run([APUS, *form, jpeg, "-o", folder / f"{name}-{small}"], stderr=subprocess.PIPE)
            assert done.returncode == 0, done.stderr
        # As it is, it is copied.
        assert convert(jpeg, "-o", folder / f"{name}-copy.jpg")[0] == 0
        assert (folder / f"{name}-copy.jpg").read_bytes() == jpeg.read_bytes()


def resumed(folder):
    """A journal knows which outputs are gone, and is of one purpose."""
    photos = folder / "photos"
    photos.mkdir()
    for name in ("a.heic", "b.heic"):
        shutil.copy(FIXTURES / "photo.heic", photos / name)
    for case, words in enumerate(([], ["--isolate"], ["--name", "{dir}/{date}-{stem}.{ext}"])):
        out = folder / f"out{case}"
        run = ["-r", photos, "-o", f"{out}/", "--journal", folder / f"journal{case}", *words]
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
    # What is removed stays finished.
    run = ["-r", photos, "-o", f"{folder}/kept/", "--journal", folder / "journal", "--remove-source"]
    assert convert(*run)[0] == 0 and not files(photos)
    assert convert(*run)[0] == 3


def misnamed(folder):
    """-r finds HEIC and AVIF files that are named as JPEGs, and no JPEGs, movies or empty files."""
    (folder / "in/real").mkdir(parents=True)
    for name, target in (("photo.heic", "in/a.jpg"), ("alpha.heic", "in/real/b.JPEG"), ("photo.heic", "in/c.png"),
                         ("420.jpg", "in/d.jpg"), ("av01.mp4", "in/e.jpg")):
        shutil.copy(FIXTURES / name, folder / target)
    (folder / "in/empty.jpg").touch()
    status, made, said = convert("-r", folder / "in", "-o", f"{folder}/out/")
    assert status == 0, said
    assert sorted(files(folder / "out")) == ["a.jpg", "c.jpg", "real/b.jpg"], sorted(made)


def similar(folder):
    """A file whose name differs in case alone is an output that exists; those of the same run are not."""
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


def replaced(folder):
    """A run that removes photos replaces its own outputs, and not those of photos that a run before removed."""
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


def contents(folder):
    """Everything that is named of a fixture is in its output or a reason to keep it."""
    script = ROOT / "Scripts/checking/contents.py"
    done = subprocess.run([sys.executable, script, APUS, FIXTURES], stdout=subprocess.PIPE, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stdout


def killed(folder):
    """A run that ends in its middle leaves whole files and a journal that is right, and goes on from there."""
    photos = folder / "photos"
    photos.mkdir()
    for number in range(120):
        name = "photo.heic" if number % 3 else "orientation-3.heic"
        shutil.copy(FIXTURES / name, photos / f"{number:03}.heic")
    assert convert("-r", photos, "-o", f"{folder}/whole/")[0] == 0
    whole = files(folder / "whole")
    for case, (kind, words) in enumerate(
        [(signal.SIGKILL, []), (signal.SIGINT, []), (signal.SIGKILL, ["--isolate"]), (signal.SIGINT, ["--isolate"])]
    ):
        out, journal = folder / f"out{case}", folder / f"journal{case}"
        words = ["-j", 3, "--journal", journal, "-r", photos, "-o", f"{out}/", *words]
        run = subprocess.Popen(
            [APUS, "convert", "--json", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, pipesize=4096,
        )  # fmt: skip
        # Nobody reads more, so that the run waits before long and is not over when the signal comes.
        told = [run.stdout.readline() for _ in range(20 + case)]
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


def main():
    if "APUS" not in os.environ:
        subprocess.run([ROOT / "Scripts/apus", "--version"], stdout=subprocess.DEVNULL, check=True)
    tests = (prefixes, last_tile, upright, workers, one_picture, places, limits, isolation, smaller, named, rgb, cmyk,
             resumed, misnamed, similar, replaced, contents, killed)
    for test in tests if len(sys.argv) == 1 else [globals()[name] for name in sys.argv[1:]]:
        with tempfile.TemporaryDirectory() as name:
            test(pathlib.Path(name))
    print("photos that are cut, turned, too much, and runs that are killed: all as they should be")


main()
