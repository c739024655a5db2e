# SPDX-License-Identifier: MIT
"""What every verb says of wrong inputs and words, as one table: the arguments, the line on standard error and the exit
status. Every option that a line names is one of the verb."""

import functools
import os
import re
import shutil

import pytest

from programs import APUS, FIXTURES, completed, printed

pytestmark = pytest.mark.apart

VIDEO = "video and audio are read from containers and from playlists (HLS)"
BOXES = "not an ISO base media file (MP4, MOV, HEIF …)"
RECORDS = ("configuration records exist in MP4, MOV, HEIC and FLV files, in bare HEVC streams and as "
           "separate files")
UNKNOWN = "of a kind that is not known here"
NO_FILE = "cannot open missing: No such file or directory"
FOLDER = "it is a folder; -r takes the files in it"
THERE = "exists, skipped (use --on-exists replace or rename)"
NO_OUT = "there is no folder no; only an output that ends with / makes one"
NO_CONTAINER = "has a format that neither Apus nor libavformat knows"

# A JPEG in which one byte makes a run go beyond the last coefficient, which djpeg does not notice and ffmpeg does.
OVERRUN = bytearray((FIXTURES / "444.jpg").read_bytes())
OVERRUN[2042] ^= 55
IN_CODES = "at byte 2064: scan 1 has a run beyond the last coefficient"

# What the files of a row hold; every other file that is named is a fixture, or is missing.
FILES = {
    "a.jpg": (FIXTURES / "420.jpg").read_bytes(),
    "overrun.jpg": bytes(OVERRUN),
    "empty": b"",
    "empty.heic": b"",
    "text": b"hello\n",
    "cut.mp4": (FIXTURES / "hvc1.mp4").read_bytes()[:700],
    "cut.heic": (FIXTURES / "photo.heic").read_bytes()[:400],
    # nuh_temporal_id_plus1 of the sequence parameter set is 0: ITU-T H.265, 7.4.2.2.
    "unit.heic": (FIXTURES / "photo.heic").read_bytes().replace(b"\x42\x01\x01", b"\x42\x00\x01", 1),
    "many/cut.heic": (FIXTURES / "grid.heic").read_bytes()[:2000],
    "cut.flv": (FIXTURES / "enhanced.flv").read_bytes()[:9],
    "there.mp4": b"there",
    "there.jpg": b"there",
    "there.flv": b"there",
}
FOLDERS = ["dir", "many"]

# The verb with its arguments, the first error, or the first line where a verb reports none (it skips its input, or the
# arguments are wrong), and the exit status.
TABLE = [
    # Video and sound.
    *[(f"{verb} {name} {target}", said, 1)
      for verb, target in (("remux", "-o x.mp4"), ("transcode", "-o x.mp4"), ("stream", "rtmp://127.0.0.1:1/live/key"))
      for name, said in (
          ("a.jpg", f"a.jpg is a JPEG picture; {VIDEO}"),
          ("empty", f"empty is empty; {VIDEO}"),
          ("text", f"text {NO_CONTAINER}"),
          ("missing", NO_FILE),
          ("cut.mp4", "cut.mp4: moov is missing, or has no tracks"),
          ("photo.heic", "photo.heic: moov is missing, or has no tracks"))],
    ("remux dir -o x.mp4", f"cannot read dir: {FOLDER}", 1),
    ("transcode dir -o x.mp4", f"cannot read dir: {FOLDER}", 1),
    ("stream dir rtmp://127.0.0.1:1/live/key", "cannot read dir: Is a directory", 1),
    ("remux hvc1.mp4 -o there.mp4", f"there.mp4: {THERE}", 3),
    ("transcode hvc1.mp4 -o there.mp4", f"there.mp4: {THERE}", 3),
    ("transcode hvc1.mp4 -o x.mp4 --ladder auto",
     "--ladder makes an HLS presentation, so OUT must end in .m3u8", 2),
    ("transcode hvc1.mp4 -o - --format fmp4 --report",
     "--report decodes the output again, which is not possible with a pipe", 2),
    ("transcode hvc1.mp4 -o x.mp4 --preset copy --report",
     "--report needs re-encoded video, and copy re-encodes nothing", 2),
    ("transcode hvc1.mp4 -o x.m3u8 --ladder hevc:1080 --codec h264",
     "--codec and --ladder cannot be combined: each rendition has its own codec and size", 2),
    ("extract --track 1 hvc1.mp4 -o there.mp4", f"there.mp4: {THERE}", 3),
    ("extract --track 1 a.jpg -o x.mp4", "a.jpg is a JPEG picture, which has no tracks", 1),
    ("extract --track 9 hvc1.mp4 -o x.mp4", "hvc1.mp4: track 9 is not in the file, which has 1, 2", 1),
    ("remux hvc1.mp4 -o hvc1.mp4", "cannot write hvc1.mp4: it is an input, which is never overwritten", 1),
    ("stream hvc1.mp4 rtmp://127.0.0.1:1/live/key --retry 1",
     "cannot connect to 127.0.0.1 port 1 (127.0.0.1: connection refused); gave up after 1 retry", 1),
    # One file goes into a folder that is there.
    *[(f"{words} -o no/{name}", f"{before}cannot write no/{name}: {NO_OUT}", 1)
      for words, name, before in (
          ("remux hvc1.mp4", "x.mov", ""),
          ("remux hvc1.mp4", "x.mkv", ""),
          ("transcode hvc1.mp4", "x.mp4", ""),
          ("transcode hvc1.mp4 --preset copy", "x.flv", ""),
          ("extract --track 1 hvc1.mp4", "x.mp4", ""),
          ("convert photo.heic", "x.jpg", "photo.heic: "),
          ("convert a.jpg --group burst", "x.heic", "no/x.heic: "),
          ("thumbnail photo.heic", "x.jpg", "photo.heic: "),
          ("pair a.jpg --video hvc1.mp4", "x.jpg", ""),
          ("edit hev1.mp4", "x.mp4", ""),
          ("hvcc fix hev1.mp4 --entry hvc1 --sets record", "x.mp4", ""),
          ("hvcc build hvc1.mp4", "x.hvcc", ""),
          ("flv convert enhanced.flv --dialect legacy", "x.flv", ""),
          ("receive rtmp://127.0.0.1:0/live/key", "x.flv", ""))],
    # Photos.
    *[(f"{verb} {name} {target}", said, 1)
      for verb, target in (("convert", "-o x.jpg"), ("thumbnail", "-o x.jpg"), ("extract --role depth", "-o out/"))
      for name, said in (
          ("empty", "empty is empty, not a HEIF, JPEG, PNG, PPM or Y4M photo"),
          ("text", f"text is {UNKNOWN}, not a HEIF, JPEG, PNG, PPM or Y4M photo"),
          ("missing", "missing: cannot be opened: No such file or directory"),
          ("dir", f"dir cannot be read: {FOLDER}"))],
    ("convert photo.heic -o there.jpg",
     "photo.heic: skipped, there.jpg exists (use --on-exists replace or rename)", 3),
    ("convert cut.heic -o x.jpg", "cut.heic", 1),
    ("thumbnail --policy embedded photo.heic -o x.jpg",
     "photo.heic has no embedded thumbnail; --policy if-absent makes one", 1),
    ("extract --raw --item 7 photo.heic -o out/",
     "photo.heic: item 7 (grid) has no coded data; it is derived from the items 1, 2, 3, 4 …; use --item to select one", 1),
    ("convert unit.heic -o x.jpg --remove-source", "unit.heic", 1),
    # What is damaged is neither converted, removed nor passed on.
    ("convert overrun.jpg -o x.heic --remove-source --verify",
     f"overrun.jpg is damaged: the JPEG, bytes 0 to 2107: {IN_CODES}", 1),
    ("convert overrun.jpg -o out/", f"overrun.jpg is damaged: {IN_CODES}", 1),
    ("thumbnail overrun.jpg -o x.jpg", f"overrun.jpg is damaged: the JPEG, bytes 0 to 2107: {IN_CODES}", 1),
    ("export overrun.jpg -o out/ --for legacy", f"overrun.jpg is damaged: {IN_CODES}", 1),
    ("export empty.heic -o out/ --for legacy", "empty.heic is empty, not a HEIF, JPEG, PNG, PPM or Y4M photo", 1),
    ("export cut.heic -o out/ --for apple", "cut.heic is damaged: meta at byte 28: meta announces 794 bytes, 372 are left", 1),
    ("export missing -o out/", "missing: cannot be opened: No such file or directory", 1),
    # Boxes, records and tags.
    *[(f"{verb} {name} {target}", said, 1)
      for verb, target in (("inspect", ""), ("edit", "-o x.mp4"), ("hvcc fix", "-o x.mp4"))
      for name, said in (
          ("a.jpg", f"a.jpg is a JPEG picture, {BOXES}"),
          ("empty", f"empty is empty, {BOXES}"),
          ("text", "text is of an unknown kind, not an ISO base media file (MP4, MOV, HEIF …)"),
          ("missing", NO_FILE),
          ("dir", f"cannot read dir: {FOLDER}"))
      # `inspect` shows the segments of a JPEG.
      if (verb, name) != ("inspect", "a.jpg")],
    *[(f"report {name} -o x.html", said, 1)
      for name, said in (
          ("empty", f"empty is empty; {VIDEO}"),
          ("text", f"text {NO_CONTAINER}"),
          ("missing", NO_FILE),
          ("hvc1.mp4 text", f"text {NO_CONTAINER}"))],
    ("edit hvc1.mp4", "no output: use -o OUT or --in-place", 2),
    ("edit hvc1.mp4 -o x.mp4 --in-place",
     "--in-place and -o cannot be combined", 2),
    ("edit hvc1.mp4 hev1.mp4 -o x.mp4", "several inputs need an output folder, and x.mp4 is not one: -o x.mp4/", 2),
    *[(f"{verb} {name}", said, 1)
      for verb in ("hvcc show", "hvcc check")
      for name, said in (
          ("a.jpg", f"a.jpg is a JPEG picture; {RECORDS}"),
          ("empty", f"empty is empty; {RECORDS}"),
          ("text", f"text is {UNKNOWN}; {RECORDS}"),
          ("missing", NO_FILE),
          ("dir", f"cannot read dir: {FOLDER}"))],
    ("hvcc show cut.mp4", "cut.mp4: has no HEVC or H.264 configuration record", 1),
    ("hvcc check cut.mp4", "cut.mp4: has no HEVC configuration record", 1),
    ("hvcc check avc1.mp4", "avc1.mp4: has no HEVC configuration record", 1),
    ("hvcc diff a.jpg hvc1.mp4", f"a.jpg is a JPEG picture; {RECORDS}", 1),
    ("hvcc build missing -o x.hvcc", NO_FILE, 1),
    ("hvcc fix avc1.mp4 -o x.mp4", "avc1.mp4: has no HEVC configuration record", 1),
    ("hvcc fix hvc1.mp4 -o there.mp4", f"there.mp4: {THERE}", 3),
    *[(f"flv {verb} {name}", said, 1)
      for verb in ("show", "check", "convert")
      for name, said in (
          ("a.jpg", "a.jpg is a JPEG picture, not an FLV file"),
          ("empty", "empty is empty, not an FLV file"),
          ("text", f"text is {UNKNOWN}, not an FLV file"),
          ("missing", NO_FILE),
          ("dir", f"cannot read dir: {FOLDER}"),
          ("hvc1.mp4", "hvc1.mp4 is an ISO base media file, not an FLV file"))],
    *[(f"hls check {name}", said, 1)
      for name, said in (
          ("a.jpg", "a.jpg is a JPEG picture, not a playlist (HLS)"),
          ("empty", "empty is empty, not a playlist (HLS)"),
          ("missing", NO_FILE),
          ("dir", f"cannot read dir: {FOLDER}"))],
    ("flv convert enhanced.flv -o there.flv", f"there.flv: {THERE}", 3),
    ("info missing", NO_FILE, 1),
    ("info dir", f"cannot read dir: {FOLDER}", 1),
    # Arguments.
    *[(f"{verb} --nope", "unknown option --nope", 2)
      for verb in ("convert", "export", "thumbnail", "extract", "pair", "remux", "transcode", "stream", "receive",
                   "doctor", "info", "codecs", "inspect", "edit", "hvcc show", "hvcc check", "hvcc build", "hvcc fix",
                   "hvcc diff", "flv show", "flv check", "flv convert", "hls check")],
    ("convert --quality 200 photo.heic", '--quality is "200", expected a whole number from 1 to 100', 2),
    ("convert --max-size 0 photo.heic",
     '--max-size is "0", expected a whole number from 1 to 16384, or two, such as 1600x1200', 2),
    ("convert --mtime then photo.heic", '--mtime is "then", expected one of keep, exif, now', 2),
    ("convert --name {dir}/{date}.{ext} photo.heic",
     "--name {dir}/{date}.{ext} must contain {stem} or {n}, and only the fields {dir}, {stem}, {ext}, {parent}, {date}, "
     "{date:%Y-%m-%d}, {camera}, {n}, {n:4}", 2),
    ("thumbnail --thumb-facts photo.heic -o x.jpg", "--thumb-facts needs --format png, not jpeg", 2),
    ("remux hvc1.mp4", "no output: use -o OUT", 2),
    ("remux hvc1.mp4 -o x.webm", "hvc1.mp4 cannot be written as webm: HEVC video cannot be stored in WebM; AAC audio "
     "cannot be stored in WebM", 1),
    ("remux hvc1.mp4 --title T -o x.hevc", "title cannot be stored in hevc, which has no tags", 2),
    ("remux hvc1.mp4 --metadata artist=A -o x.ts", "artist cannot be stored in ts, which only has a title", 2),
    ("remux hvc1.mp4 --metadata artist -o x.mkv",
     '--metadata is "artist", expected a name and a value, such as artist=Somebody', 2),
    ("remux hvc1.mp4 --metadata duration=3 -o x.mkv",
     "--metadata: duration is set by the container and is not a tag", 2),
    ("transcode hvc1.mp4 -o x.mkv", "transcode cannot write mkv: write mp4, and convert it with apus remux", 2),
    ("receive rtmp://127.0.0.1:1/live/key -o x.mkv",
     "recordings are flv, mp4, mov or hevc; apus remux converts them to mkv", 2),
    ("doctor ftp://a", "an address begins with rtmp:// or rtmps://", 2),
    # The name of a box is shown without the spaces that fill it up.
    ("edit hvc1.mp4 -o x.mp4 --remove moov/trk/tkhd",
     "hvc1.mp4: there is no box moov/trk/tkhd; known names: moov/mvhd, moov/trak, moov/trak[1], moov/udta", 1),
    ("nope", "unknown verb nope", 2),
]

# A file that is broken in several ways is reported in one line, with more lines in case of --verbose.
BROKEN = [
    "convert -r many -o out/", "convert -r many -o out/ --dry-run",
    "thumbnail -r many -o out/", "export -r many -o out/ --for legacy", "export -r many -o out/ --dry-run",
    "extract -r many --list", "info -r many",
]


@pytest.fixture
def place(folder):
    """A folder with the files and folders of the rows, none of which may change."""
    for name in FOLDERS:
        (folder / name).mkdir()
    for name, contents in FILES.items():
        (folder / name).write_bytes(contents)
    for name in ("hvc1.mp4", "hev1.mp4", "avc1.mp4", "photo.heic", "enhanced.flv"):
        shutil.copy(FIXTURES / name, folder / name)
    contents = lambda: {name: (folder / name).read_bytes() for name in os.listdir(folder) if (folder / name).is_file()}
    before = contents()
    yield folder
    after = contents()
    assert after == before, f"files changed: {sorted(set(after) ^ set(before))}"


@functools.cache
def options(verb):
    """All options of a verb, as its help lists them."""
    return set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", printed(APUS, *verb.split(), "--help")))


@pytest.mark.parametrize("words, said, status", TABLE, ids=[words for words, _, _ in TABLE])
def test_a_wrong_input_or_argument_is_reported_in_these_words(place, words, said, status):
    """Every option that the message names is one of the verb."""
    done = completed(APUS, *words.split(), status=status, cwd=place, text=True)
    lines = [line.removeprefix("apus: ") for line in done.stderr.splitlines()]
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    found = (errors or lines or [""])[0]
    # The name is enough of a file that is damaged in many ways.
    assert found.startswith(said) if said in FILES else found == said
    assert "at byte 0" not in done.stderr
    verb = " ".join(words.split()[:2 if words.split()[0] in ("hvcc", "flv", "hls") else 1])
    if verb != "nope" and status != 2:
        strange = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*(?![\w])", done.stderr)) - options(verb)
        assert not strange, f"{verb} has not {sorted(strange)}"


def count_lines(folder, words):
    """The number of lines that report an error in the file of the folder."""
    done = completed(APUS, *words.split(), status=None, cwd=folder, text=True)
    lines = [line.removeprefix("apus: ") for line in done.stderr.splitlines()]
    return sum("many/cut.heic: " in line or "many/cut.heic is" in line for line in lines) + sum(
        line.startswith(("error ", "warning ")) for line in done.stdout.splitlines())


@pytest.mark.parametrize("words", BROKEN)
def test_a_broken_file_is_reported_in_one_line_and_in_more_with_verbose(place, words):
    brief, full = count_lines(place, words), count_lines(place, words + " --verbose")
    assert brief <= 1 and full >= 2, f"{brief} lines for a broken file, {full} with --verbose"
