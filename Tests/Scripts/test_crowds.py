# SPDX-License-Identifier: MIT
"""What small files ask for stays bounded: very many tracks, samples that overlap, pictures without end, many segments."""

import os
import shutil
import struct

import pytest

from programs import APUS, FIXTURES, measured, run

pytestmark = pytest.mark.alone
FIXTURE = FIXTURES / "hvc1.mp4"


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


def test_many_tracks_are_bounded(folder):
    count = 20_000
    length = len(SOURCE.picture)
    tracks = [SOURCE.track(number + 1, tables(length, 1, [SOURCE.start + number * length])) for number in range(count)]
    (folder / "many.mp4").write_bytes(SOURCE.movie(SOURCE.picture * count, *tracks))
    status, _, errors, _, memory = measured(APUS, "remux", folder / "many.mp4", "-o", folder / "out.mp4")
    assert not status and memory <= 200, f"{count} tracks: status {status}, {memory:.0f} MiB, {errors[-300:]}"
    # A presentation has a file open for each, and as many as it takes are fewer than a process may have.
    said = run(APUS, "remux", folder / "many.mp4", "-o", folder / "many.m3u8", status=1)
    assert "at most 500; use --tracks to select some of them" in said, f"a presentation of {count} tracks: {said}"
    said = run(APUS, "remux", folder / "many.mp4", "-o", folder / "many.mkv", status=1)
    assert "at most 900; use --tracks to select some of them" in said, f"Matroska of {count} tracks: {said}"
    chosen = ",".join(f"v:{number}" for number in range(500))
    run("prlimit", "--nofile=1024", APUS, "remux", folder / "many.mp4", "--tracks", chosen, "-o", folder / "some.m3u8")
    lists = sum(1 for _ in folder.rglob("*.m3u8"))
    # One for each track, one of their key frames, and the one that names them.
    assert lists == 1001, f"{lists} playlists of 500 tracks"
    shutil.rmtree(folder / "some")
    (folder / "some.m3u8").unlink()
    status, output, errors, _, memory = measured(APUS, "info", "--json", folder / "out.mp4")
    assert not status and output.count(b'"sample_entries"') == count, \
        f"{count} tracks that were written: status {status}, {output.count(b'sample_entries')}"


def test_samples_that_overlap_are_refused_beyond_a_limit(folder):
    """Samples that lie over each other are refused beyond a limit, in every form."""
    count = 100_000
    media = SOURCE.picture + bytes(3000 - len(SOURCE.picture) % 3000)
    (folder / "over.mp4").write_bytes(SOURCE.movie(media, SOURCE.track(1, tables(3000, count, [SOURCE.start] * count))))
    for form in ("mp4", "mov", "fmp4", "flv", "hevc", "hls"):
        said = run(APUS, "remux", folder / "over.mp4", "-o", folder / f"out-{form}", "--format", form, status=1)
        assert "growth" in said, f"{form}: {said}"
    run(APUS, "transcode", folder / "over.mp4", "-o", folder / "t.mp4", status=1)
    run(APUS, "extract", folder / "over.mp4", "--track", "1", "-o", folder / "e.mp4", status=1)
    assert os.listdir(folder) == ["over.mp4"], f"outputs of what was refused: {os.listdir(folder)}"
    # Few of them are no harm, and more are taken where that is asked for.
    few = tables(len(SOURCE.picture), 6, [SOURCE.start] * 6)
    (folder / "few.mp4").write_bytes(SOURCE.movie(SOURCE.picture, SOURCE.track(1, few)))
    run(APUS, "remux", folder / "few.mp4", "-o", folder / "few-out.mp4")
    more = tables(len(SOURCE.picture), 200, [SOURCE.start] * 200)
    (folder / "more.mp4").write_bytes(SOURCE.movie(SOURCE.picture, SOURCE.track(1, more)))
    run(APUS, "remux", folder / "more.mp4", "-o", folder / "more-out.mp4", status=1)
    run(APUS, "remux", folder / "more.mp4", "-o", folder / "more-out.mp4", "--limit", "growth=200")
    for words in (["--sets", "record"], ["--sets", "copy"], ["--entry", "hvc1"]):
        said = run(APUS, "hvcc", "fix", folder / "more.mp4", *words, "-o", folder / "more-fixed.mp4", status=1)
        assert "growth" in said, f"hvcc fix {' '.join(words)}: {said}"
    run(APUS, "hvcc", "fix", folder / "more.mp4", "--sets", "record", "-o", folder / "more-fixed.mp4", "--limit", "growth=200")


def test_a_strip_of_pictures_has_an_end(folder):
    """A strip of pictures has an end."""
    (folder / "strip.mp4").write_bytes(SOURCE.movie(SOURCE.picture, SOURCE.track(1, tables(1, 900_000, [SOURCE.start]))))
    status, output, errors, *_ = measured(APUS, "info", "--gop", folder / "strip.mp4")
    assert not status and len(output) <= 1 << 20 and b"the limit pictures" in output, \
        f"info --gop of 900000 pictures: {status}, {len(output)} bytes, {errors}"
    status, output, *_ = measured(APUS, "info", "--gop", folder / "strip.mp4", "--limit", "pictures=10")
    assert not status and len(output) <= 4000, f"info --gop with a limit of 10 pictures: {len(output)} bytes"


def test_playlists_keep_few_of_their_files_open(folder):
    """Playlists keep few of their files open."""
    count = 300
    run(APUS, "remux", FIXTURE, "-o", folder / "p.m3u8")
    place = folder / "p/video-1"
    segment = (place / "1.m4s").read_bytes()
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:2", '#EXT-X-MAP:URI="init.mp4"']
    for number in range(count):
        (place / f"s{number}.m4s").write_bytes(segment)
        lines += ["#EXT-X-DISCONTINUITY", "#EXTINF:1.16,", f"s{number}.m4s"]
    (place / "many.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST"]) + "\n")

    # 32, and what a process has in addition: its streams, its output and its folder.
    run("prlimit", "--nofile=40:40", APUS, "remux", place / "many.m3u8", "-o", folder / "out.mp4")
