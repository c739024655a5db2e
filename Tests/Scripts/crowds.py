#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What small files ask for stays bounded: very many tracks, samples that overlap, pictures without end, many segments."""

import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, Failure, run  # noqa: E402

FIXTURE = ROOT / "Fixtures/hvc1.mp4"
BINARY = ROOT / ".build/release/apus"


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I4s", len(body) + 8, name.encode()) + body


def full(name, *numbers, head=0):
    return box(name, struct.pack(f">{len(numbers) + 1}I", head, *numbers))


def boxes(data):
    """The boxes side by side: type and whole bytes."""
    place = 0
    while place < len(data):
        size, name = struct.unpack_from(">I4s", data, place)
        yield name.decode("latin-1"), data[place:place + size]
        place += size


def child(data, *names):
    """The bytes of a box at a path, the header included; of `stsd` and its like none is entered."""
    for name in names:
        data = next(found for kind, found in boxes(data) if kind == name)
        if name != names[-1]:
            data = data[8:]
    return data


class Source:
    """The first picture of a movie, and what stands around it."""

    def __init__(self):
        data = FIXTURE.read_bytes()
        self.ftyp, moov = child(data, "ftyp"), child(data, "moov")[8:]
        self.mvhd = child(moov, "mvhd")
        trak = child(moov, "trak")[8:]
        self.tkhd, mdia = child(trak, "tkhd"), child(trak, "mdia")[8:]
        self.mdhd, self.hdlr = child(mdia, "mdhd"), child(mdia, "hdlr")
        minf = child(mdia, "minf")[8:]
        self.vmhd, self.dinf, stbl = child(minf, "vmhd"), child(minf, "dinf"), child(minf, "stbl")[8:]
        self.stsd = child(stbl, "stsd")
        size, count = struct.unpack_from(">II", child(stbl, "stsz"), 12)
        if size == 0:
            size = struct.unpack_from(">I", child(stbl, "stsz"), 20)[0]
        offset = struct.unpack_from(">I", child(stbl, "stco"), 16)[0]
        self.picture = data[offset:offset + size]

    def track(self, number, tables):
        tkhd = self.tkhd[:20] + struct.pack(">I", number) + self.tkhd[24:]
        stbl = box("stbl", self.stsd, *tables)
        return box("trak", tkhd, box("mdia", self.mdhd, self.hdlr, box("minf", self.vmhd, self.dinf, stbl)))

    def movie(self, media, *tracks):
        """The media data begin at byte `start`."""
        return self.ftyp + box("mdat", media) + box("moov", self.mvhd, *tracks)

    @property
    def start(self):
        return len(self.ftyp) + 8


SOURCE = Source()


def tables(size, count, offsets, sizes=()):
    return [full("stts", 1, count, 512), full("stsc", 1, 1, count // len(offsets), 1),
            full("stsz", size, count, *sizes), full("stco", len(offsets), *offsets)]


def usage(command, **options):
    """What a command takes of memory, in MiB, and what it prints."""
    process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, **options)
    output, errors = process.stdout.read(), process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, output, errors.decode(), used.ru_maxrss / 1024


def check_tracks(work):
    count = 20_000
    length = len(SOURCE.picture)
    tracks = [SOURCE.track(number + 1, tables(length, 1, [SOURCE.start + number * length])) for number in range(count)]
    (work / "many.mp4").write_bytes(SOURCE.movie(SOURCE.picture * count, *tracks))
    status, _, errors, memory = usage([BINARY, "remux", work / "many.mp4", "-o", work / "out.mp4"])
    if status or memory > 200:
        raise Failure(f"{count} tracks: status {status}, {memory:.0f} MiB, {errors[-300:]}")
    # A presentation has a file open for each, and as many as it takes are fewer than a process may have.
    said = run(APUS, "remux", work / "many.mp4", "-o", work / "many.m3u8", status=1)
    if "at most 500; use --tracks to select some of them" not in said:
        raise Failure(f"a presentation of {count} tracks: {said}")
    said = run(APUS, "remux", work / "many.mp4", "-o", work / "many.mkv", status=1)
    if "at most 900; use --tracks to select some of them" not in said:
        raise Failure(f"Matroska of {count} tracks: {said}")
    chosen = ",".join(f"v:{number}" for number in range(500))
    run("prlimit", "--nofile=1024", BINARY, "remux", work / "many.mp4", "--tracks", chosen, "-o", work / "some.m3u8")
    lists = sum(1 for _ in work.rglob("*.m3u8"))
    # One for each track, one of their key frames, and the one that names them.
    if lists != 1001:
        raise Failure(f"{lists} playlists of 500 tracks")
    shutil.rmtree(work / "some")
    (work / "some.m3u8").unlink()
    status, output, errors, memory = usage([BINARY, "info", "--json", work / "out.mp4"])
    if status or output.count(b'"sample_entries"') != count:
        raise Failure(f"{count} tracks that were written: status {status}, {output.count(b'sample_entries')}")


def check_overlaps(work):
    """Samples that lie over each other are refused beyond a limit, in every form."""
    count = 100_000
    media = SOURCE.picture + bytes(3000 - len(SOURCE.picture) % 3000)
    (work / "over.mp4").write_bytes(SOURCE.movie(media, SOURCE.track(1, tables(3000, count, [SOURCE.start] * count))))
    for form in ("mp4", "mov", "fmp4", "flv", "hevc", "hls"):
        said = run(APUS, "remux", work / "over.mp4", "-o", work / f"out-{form}", "--format", form, status=1)
        if "growth" not in said:
            raise Failure(f"{form}: {said}")
    run(APUS, "transcode", work / "over.mp4", "-o", work / "t.mp4", status=1)
    run(APUS, "extract", work / "over.mp4", "--track", "1", "-o", work / "e.mp4", status=1)
    if os.listdir(work) != ["over.mp4"]:
        raise Failure(f"outputs of what was refused: {os.listdir(work)}")
    # Few of them are no harm, and more are taken where that is asked for.
    few = tables(len(SOURCE.picture), 6, [SOURCE.start] * 6)
    (work / "few.mp4").write_bytes(SOURCE.movie(SOURCE.picture, SOURCE.track(1, few)))
    run(APUS, "remux", work / "few.mp4", "-o", work / "few-out.mp4")
    more = tables(len(SOURCE.picture), 200, [SOURCE.start] * 200)
    (work / "more.mp4").write_bytes(SOURCE.movie(SOURCE.picture, SOURCE.track(1, more)))
    run(APUS, "remux", work / "more.mp4", "-o", work / "more-out.mp4", status=1)
    run(APUS, "remux", work / "more.mp4", "-o", work / "more-out.mp4", "--limit", "growth=200")
    for words in (["--sets", "record"], ["--sets", "copy"], ["--entry", "hvc1"]):
        said = run(APUS, "hvcc", "fix", work / "more.mp4", *words, "-o", work / "more-fixed.mp4", status=1)
        if "growth" not in said:
            raise Failure(f"hvcc fix {' '.join(words)}: {said}")
    run(APUS, "hvcc", "fix", work / "more.mp4", "--sets", "record", "-o", work / "more-fixed.mp4", "--limit", "growth=200")


def check_pictures(work):
    """A strip of pictures has an end."""
    (work / "strip.mp4").write_bytes(SOURCE.movie(SOURCE.picture, SOURCE.track(1, tables(1, 900_000, [SOURCE.start]))))
    status, output, errors, _ = usage([BINARY, "info", "--gop", work / "strip.mp4"])
    if status or len(output) > 1 << 20 or b"the limit pictures" not in output:
        raise Failure(f"info --gop of 900000 pictures: {status}, {len(output)} bytes, {errors}")
    status, output, _, _ = usage([BINARY, "info", "--gop", work / "strip.mp4", "--limit", "pictures=10"])
    if status or len(output) > 4000:
        raise Failure(f"info --gop with a limit of 10 pictures: {len(output)} bytes")


def check_segments(work):
    """Playlists keep few of their files open."""
    count = 300
    run(APUS, "remux", FIXTURE, "-o", work / "p.m3u8")
    folder = work / "p/video-1"
    segment = (folder / "1.m4s").read_bytes()
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2", '#EXT-X-MAP:URI="init.mp4"']
    for number in range(count):
        (folder / f"s{number}.m4s").write_bytes(segment)
        lines += ["#EXT-X-DISCONTINUITY", "#EXTINF:1.16,", f"s{number}.m4s"]
    (folder / "many.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST"]) + "\n")

    def limited():
        # 32, and what a process has besides: its streams, its output and its folder.
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
    status, _, errors, _ = usage([BINARY, "remux", folder / "many.m3u8", "-o", work / "out.mp4"], preexec_fn=limited)
    if status:
        raise Failure(f"{count} discontinuities: {errors[-300:]}")


checks = [check_tracks, check_overlaps, check_pictures, check_segments]
for check in checks:
    with tempfile.TemporaryDirectory() as place:
        check(pathlib.Path(place))
print("crowds of tracks, samples, pictures and segments are bounded")
