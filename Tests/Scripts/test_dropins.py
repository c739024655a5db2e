# SPDX-License-Identifier: MIT
"""Under the names of libheif's programs apus writes what those write: the same files of the same sizes with the same
samples, the same exit statuses; and what it cannot do it refuses by name."""

import pathlib
import re
import shutil

import pytest

import dropins
from programs import APUS, FIXTURES, printed

VERSION = dropins.version()

# What is to differ, and why: part of what is said of each photo.
UPRIGHT = "Exif alone says how it is turned, which libheif passes over"
LAID = "an auxiliary picture that does not say how it is turned is turned as its photo is"
UNREAD = "libheif does not read it"
SMALL = "libheif takes a thumbnail that is smaller than what was asked for"
KNOWN = {
    "alpha-premultiplied.heic": ("samples", "libheif leaves colours multiplied by alpha"),
    "exif-xmp.heic": ("libheif, ", UPRIGHT),
    "gain-map-samsung.heic": ("hdrgainmap.png: 52,36", LAID),
    "grid-in-item.heic": ("status 1", UNREAD),
    "grid-item-offsets.heic": ("status 1", UNREAD),
    "portrait.heic": ("hairmatte.png: 52,36", LAID),
    "sequence.heics": ("status 1", UNREAD),
    "still-exif-turned.heic": ("libheif, ", UPRIGHT),
    "still-predicted.heic": ("samples", "libheif does not decode the picture that it is predicted from"),
    "still.avci": ("status 1", "libheif reads H.264 with a plug-in alone, which is not installed"),
}
# What versions before 1.23 do not do; 1.15 was looked at.
if VERSION < (1, 23):
    KNOWN |= {
        "identity.heic": ("status 1", UNREAD),
        "overlay.heic": ("samples", "libheif paints no transparency between overlaid pictures"),
    }
KNOWN_SMALL = {
    "portrait.heic": ("28,40 of libheif", SMALL),
    "thumbnail.heic": ("64,48 of libheif", SMALL),
}

PHOTOS = sorted([*FIXTURES.glob("*.heic"), *FIXTURES.glob("*.heics"), *FIXTURES.glob("*.avci")])

# The status where the input is not there.
ABSENT = 10 if VERSION >= (1, 19) else 1

# A command line, what is said first, and the exit status. Those of the programs of libheif 1.15 differ where a comment
# says it.
TABLE = [
    # Ends with 0 there, and writes nothing.
    ("heif-convert --bogus photo.heic x.jpg", "heif-convert: unknown option --bogus", 5),
    ("heif-convert photo.heic x.gif",
     "heif-convert: the name x.gif does not say what to write: .jpg, .jpeg, .png or .webp", 5),
    ("heif-convert photo.heic x.y4m", "heif-convert: x.y4m: y4m is not written here; jpg, jpeg, png and webp are", 5),
    ("heif-convert", "heif-convert: IN is missing", 5),
    ("heif-convert photo.heic x.jpg y.jpg", 'heif-convert: unexpected operand "y.jpg"', 5),
    ("heif-dec photo.heic x.jpg -o y.jpg",
     'heif-dec: "x.jpg" is one operand too many, -o says what to write', 5),
    ("heif-convert missing x.jpg", "heif-convert: error: cannot open missing: No such file or directory", ABSENT),
    ("heif-convert 420.jpg x.jpg", "heif-convert: error: 420.jpg is not a HEIF file", 1),
    # Options that no program uses, and letters that mean something else in another version.
    ("heif-dec --tiles photo.heic x.jpg", "heif-dec: unknown option --tiles", 5),
    ("heif-dec -v photo.heic x.jpg", "heif-dec: unknown option -v", 5),
    ("heif-dec --png-compression-level 10 photo.heic x.png",
     'heif-dec: --png-compression-level is "10", expected a whole number from 0 to 9, or -1', 5),
    ("heif-convert -d dav1d photo.heic x.png",
     'heif-convert: -d is "dav1d", expected one of apus, ffmpeg, libde265', 5),
    ("heif-convert photo.heic photo.heic",
     "heif-convert: the name photo.heic does not say what to write: .jpg, .jpeg, .png or .webp", 5),
    ("heif-dec --tile-threads some photo.heic x.jpg",
     'heif-dec: --tile-threads is "some", expected a whole number', 5),
    ("heif-enc -A 420.jpg", "heif-enc: unknown option -A", 5),
    ("heif-enc 420.jpg -o x.avif", "heif-enc: x.avif: avif is not written here, heic is", 5),
    ("heif-enc -v 420.jpg", "heif-enc: unknown option -v", 5),
    ("heif-enc -p tune=grain 420.jpg",
     'heif-enc: -p is "tune=grain", expected quality=0…100, lossless=true or false, preset=medium or another of x265, '
     "chroma=420, 422 or 444, or tune=ssim; other parameters are not set here", 5),
    ("heif-enc -q 101 420.jpg", 'heif-enc: -q is "101", expected a whole number from 0 to 100', 5),
    ("heif-enc -e kvazaar 420.jpg", 'heif-enc: -e is "kvazaar", expected one of x265, apus', 5),
    ("heif-enc -b 9 420.jpg", 'heif-enc: -b is "9", expected one of 8, 10, 12', 5),
    ("heif-enc --matrix_coefficients 9 420.jpg",
     "heif-enc: --matrix_coefficients 9: the output has the colour of its source; 0 goes with --lossless", 5),
    ("heif-enc --matrix_coefficients 0 420.jpg",
     "heif-enc: --matrix_coefficients 0: the output has the colour of its source; 0 goes with --lossless", 5),
    ("heif-enc -e apus -L 420.jpg", "heif-enc: the encoder apus does not code without loss; x265 does", 5),
    ("heif-enc --fps 25 420.jpg", "heif-enc: --fps goes with --sequence", 5),
    ("heif-enc missing.jpg", "heif-enc: error: cannot open missing.jpg: No such file or directory", 1),
    ("heif-enc", "heif-enc: FILE is missing", 5),
    ("heif-thumbnailer photo.heic", "heif-thumbnailer: OUT is missing", 1),
    ("heif-thumbnailer -s 0 photo.heic x.png",
     'heif-thumbnailer: -s is "0", expected a whole number from 1 to 16384, or two, such as 1600x1200', 1),
    ("heif-thumbnailer missing x.png", "heif-thumbnailer: error: cannot open missing: No such file or directory", 1),
]  # fmt: skip


@pytest.fixture(scope="module")
def bin(work):
    """A folder with Apus under the names of libheif's programs."""
    return dropins.linked(APUS.resolve(), work / "bin")


def run(program, *words, folder, status=0):
    """Standard output of a program that ends as it should."""
    found, said, error = dropins.run(program, *words, folder=folder)
    assert found == status, f"{program.name} {' '.join(map(str, words))} ends with {found}: {error}"
    return said


def size(picture):
    return dropins.samples(picture)[0]


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.name)
def test_a_photo_becomes_what_libheif_makes_of_it(bin, photo):
    theirs = dropins.installed()
    known, reason = KNOWN.get(photo.name, ("", ""))
    said = dropins.compare(photo, theirs["heif-convert"], bin / "heif-convert")
    assert bool(said) == bool(reason), f"{photo.name}: {said or 'no longer differs'} {reason}"
    assert all(known in line for line in said), f"{photo.name}: {said}, known is {known}"
    for side in (30, 128):
        said = dropins.thumbnail(photo, side, theirs["heif-thumbnailer"], bin / "heif-thumbnailer")
        small = known if known and not known.startswith(("samples", "hairmatte", "hdrgainmap")) else ""
        if side == 128 and photo.name in KNOWN_SMALL:
            small = KNOWN_SMALL[photo.name][0]
        assert bool(said) == bool(small), f"heif-thumbnailer -s {side} {photo.name}: {said}"
        assert all(small in line for line in said), f"heif-thumbnailer {photo.name}: {said}"


def test_enough_photos_are_compared():
    assert len(PHOTOS) > 55


OPTIONS = [[], ["--skip-exif-offset"], ["--no-colons"]]


@pytest.mark.parametrize("words", OPTIONS)
def test_exif_and_xmp_are_the_same_byte_for_byte(bin, folder, words):
    """Exif and XMP byte for byte, with and without what precedes the TIFF header; names without colons."""
    photo, theirs = FIXTURES / "exif-xmp.heic", dropins.installed()["heif-convert"]
    files = []
    for number, program in enumerate((pathlib.Path(theirs), bin / "heif-convert")):
        out = folder / f"{number}"
        out.mkdir()
        run(program, "--with-exif", "--with-xmp", *words, photo, "a.jpg", folder=out)
        run(program, "--with-aux", "--quiet", *words, FIXTURES / "gain-map-tmap.heic", "b.jpg", folder=out)
        files.append({file.name: file.read_bytes() for file in out.iterdir()})
    assert files[0].keys() == files[1].keys(), f"{words}: {sorted(files[0])}, {sorted(files[1])}"
    for name in files[0]:
        assert name.endswith(".jpg") or files[0][name] == files[1][name], f"{words}: {name} differs"


def test_auxiliary_pictures_have_the_same_names(bin, folder):
    """What auxiliary pictures are called whose types have what cannot be in names everywhere."""
    photo, theirs = (FIXTURES / "portrait.heic").read_bytes(), dropins.installed()["heif-convert"]
    types = ["+=@~()[]{}|<>", "a\"'\\*?!$&`,^#"]
    # Before, a picture with a slash in its type is not written.
    types += ["a/x:u .-%d;\u00e4"] if VERSION >= (1, 23) else []
    for number, type in enumerate(types):
        source = folder / f"{number}.heic"
        source.write_bytes(photo.replace(b"aux:unheardof", type.encode()))
        for words in ([], ["--no-colons"]):
            written = []
            for which, program in enumerate((pathlib.Path(theirs), bin / "heif-convert")):
                out = folder / f"{number}{len(words)}{which}"
                out.mkdir()
                run(program, "--quiet", "--with-aux", *words, source, "a.png", folder=out)
                written.append(sorted(file.name for file in out.iterdir()))
            assert written[0] == written[1] and len(written[0]) == 6, f"{type} {words}: {written}"


@pytest.mark.parametrize("line", [
    "heif-convert", "heif-convert absent x.jpg", "heif-convert 420.jpg x.jpg", "heif-convert cut.heic x.jpg",
    "heif-convert --help", "heif-convert --list-decoders", "heif-thumbnailer", "heif-thumbnailer photo.heic",
    "heif-thumbnailer absent x.png", "heif-thumbnailer cut.heic x.png", "heif-enc absent.jpg",
])  # fmt: skip
def test_both_programs_end_alike(bin, folder, line):
    (folder / "cut.heic").write_bytes((FIXTURES / "photo.heic").read_bytes()[:4000])
    theirs = dropins.installed()
    name, *words = line.split()
    words = [FIXTURES / word if (FIXTURES / word).is_file() else word for word in words]
    ends = [dropins.run(program, *words, folder=folder)[0] for program in (theirs[name], bin / name)]
    assert ends[0] == ends[1], f"libheif ends with {ends[0]}, apus with {ends[1]}"


def test_outputs_go_where_libheif_puts_them_and_say_what_it_says(bin, folder):
    """Where outputs go, what is said, and what replaces what."""
    photo = folder / "in.x.heic"
    photo.write_bytes((FIXTURES / "two-images.heic").read_bytes())
    said = run(bin / "heif-dec", photo.name, folder=folder)
    assert said == "File contains 2 images\nWritten to in.x-1.jpg\nWritten to in.x-2.jpg\n", said
    assert run(bin / "heif-dec", "--quiet", photo.name, "-o", "OUT.PNG", folder=folder) == "", "--quiet says something"
    assert size(folder / "OUT-1.png") == "96,72" and size(folder / "OUT-2.png") == "64,48", "OUT-1.png, OUT-2.png"
    single = FIXTURES / "photo.heic"
    for level in ("0", "9", "-1"):
        run(bin / "heif-dec", f"--png-compression-level={level}", single, f"level{level}.png", folder=folder)
    sizes = [(folder / f"level{level}.png").stat().st_size for level in ("0", "-1", "9")]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == 3, f"PNGs have {sizes} bytes"
    run(bin / "heif-dec", "--tile-threads=2", "--codec-threads", 0, single, "w.webp", folder=folder)
    assert size(folder / "w.webp") == "320,240", "w.webp"


def test_names_cut_short_and_numbers_beyond_the_range_are_taken(bin, folder):
    single = FIXTURES / "photo.heic"
    # Letters with their values, and what libjpeg makes of numbers beyond its range.
    for words in (["--qual=300"], ["-q100"], ["--qua", "100"]):
        run(bin / "heif-convert", *words, single, "q.jpg", folder=folder)
        best = (folder / "q.jpg").read_bytes()
        assert best == (folder / "q.jpg").read_bytes() and len(best) > 30000, f"{words}: {len(best)} bytes"
    # A photo that is broken leaves what was there.
    broken = folder / "broken.heic"
    broken.write_bytes(single.read_bytes()[:4000])
    before = (folder / "q.jpg").read_bytes()
    run(bin / "heif-convert", broken, "q.jpg", folder=folder, status=1)
    assert (folder / "q.jpg").read_bytes() == before, "a broken photo replaced a JPEG"


def test_every_decoder_that_is_listed_decodes(bin, folder):
    single = FIXTURES / "photo.heic"
    listed = run(bin / "heif-convert", "--list-decoders", folder=folder)
    names = re.findall("^- (\\S+) =", listed, re.M)
    assert "apus" in names
    for name in names:
        run(bin / "heif-convert", "-d", name, single, f"{name}.png", folder=folder)
    for name in names:
        assert (folder / f"{name}.png").read_bytes() == (folder / "apus.png").read_bytes(), f"-d {name}"


@pytest.mark.parametrize("program", dropins.NAMES)
def test_a_program_has_help_and_a_version(bin, folder, program):
    for words in (["--help"], ["-h"]):
        assert "Usage: " + program in run(bin / program, *words, folder=folder), words
    assert program in run(bin / program, "--version", folder=folder)


def test_what_heif_enc_writes_is_what_libheif_finds_in_it(bin, folder):
    """What heif-enc wrote is what the decoder of libheif finds in it."""
    theirs = {name: pathlib.Path(path) for name, path in dropins.installed().items()}
    info = pathlib.Path(shutil.which("heif-info"))
    alpha = folder / "alpha.png"
    run(bin / "heif-convert", FIXTURES / "alpha-straight.heic", alpha, folder=folder)
    jpegs = [folder / name for name in ("420.jpg", "444.jpg", "photo.png")]
    for jpeg in jpegs[:2]:
        jpeg.write_bytes((FIXTURES / jpeg.name).read_bytes())
    run(bin / "heif-convert", FIXTURES / "photo.heic", jpegs[2], folder=folder)
    for words, output, images, says in (
        ([jpegs[0].name], "420.heic", 1, "67x45"),
        ([jpegs[0].name, "444.jpg", "-o", "two.heic", "-q", 30], "two.heic", 2, "67x45"),
        (["photo.png", "420.jpg", "last.heic"], "last.heic", 2, "320x240"),
        (["-t", 64, "photo.png", "-o", "small.heic"], "small.heic", 1, "thumbnail: 64x48"),
        ([alpha.name, "-o", "with.heic", "--no-thumb-alpha", "-t", 32], "with.heic", 1, "alpha channel: yes"),
        ([alpha.name, "-o", "without.heic", "--no-alpha"], "without.heic", 1, "alpha channel: no"),
        (["-L", "-p", "chroma=444", "--matrix_coefficients=0", "photo.png", "-o", "exact.heic"], "exact.heic", 1, ""),
        (["-e", "apus", "photo.png", "-o", "own.heic"], "own.heic", 1, "320x240"),
        (["-p", "preset=ultrafast", "-p", "quality=20", "photo.png", "-o", "fast.heic"], "fast.heic", 1, "320x240"),
    ):
        run(bin / "heif-enc", *words, folder=folder)
        said = run(info, output, folder=folder)
        assert said.count("image: ") == images and says in said, f"heif-enc {words}: {said}"
    run(theirs["heif-convert"], "exact.heic", "exact.png", folder=folder)
    assert dropins.samples(folder / "exact.png") == dropins.samples(jpegs[2]), "-L is not exact"
    run(bin / "heif-enc", "-S", "--fps", 25, "photo.png", "photo.png", "-o", "run.heics", folder=folder)
    frames = printed("ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,r_frame_rate", "-of",
                     "csv=p=0", folder / "run.heics").split()
    assert any(line.startswith("25/1,2") for line in frames), f"the sequence has {frames}"
    # An input is no output.
    heic = (folder / "420.heic").read_bytes()
    run(bin / "heif-enc", "420.heic", "-o", "420.heic", folder=folder, status=1)
    assert (folder / "420.heic").read_bytes() == heic, "an input was overwritten"


def test_calls_of_programs_that_have_libheifs_as_helpers_work(bin, folder):
    """The exact calls of programs that have libheif's as their helpers."""
    # PhotoPrism: PHOTOPRISM_HEIFCONVERT_BIN -q QUALITY IN OUT.jpg, and heif-thumbnailer's .thumbnailer of the desktop.
    source = folder / "IMG 1.HEIC"
    source.write_bytes((FIXTURES / "photo.heic").read_bytes())
    for program in ("heif-convert", "heif-dec"):
        output = folder / f"{program}.jpg"
        run(bin / program, "-q", 92, source, output, folder=folder)
        assert size(output) == "320,240", f"{program} -q 92"
        again = output.read_bytes()
        run(bin / program, "-q", 92, source, output, folder=folder)
        assert output.read_bytes() == again, "twice is not the same"
    run(bin / "heif-thumbnailer", "-s", 128, source, folder / "t", folder=folder)
    assert size(folder / "t") == "128,96", "heif-thumbnailer -s 128"


@pytest.mark.parametrize("line, says, status", TABLE)
def test_a_wrong_command_line_is_refused_with_its_reason_and_writes_nothing(bin, folder, line, says, status):
    words = line.split()
    words[1:] = [str(FIXTURES / word) if (FIXTURES / word).is_file() else word for word in words[1:]]
    found, _, error = dropins.run(bin / words[0], *words[1:], folder=folder)
    first = error.split("\n")[0].replace(f"{FIXTURES}/", "")
    assert (first, found) == (says, status)
    assert not list(folder.iterdir()), "it wrote something"
