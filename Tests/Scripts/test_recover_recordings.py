# SPDX-License-Identifier: MIT
"""`apus recover` makes a movie of what a recorder left that was killed, and of what damage in the middle of a file leaves."""

import json
import random

import pytest

import jsonschema

from programs import APUS, SCHEMAS, completed, ffmpeg, printed

RECORDINGS = ["tags.flv", "clusters.mkv", "live.mkv", "fragments.mp4", "first.mp4"]
SECONDS = 8


@pytest.fixture(scope="module")
def recordings(work):
    """The folder of one movie as several recorders write it."""
    movie = work / "movie.mp4"
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s=320x180:r=25:d={SECONDS}", "-f", "lavfi", "-i", f"sine=d={SECONDS}:r=48000", "-c:v",
           "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params", "log-level=error:keyint=25:bframes=3", "-c:a", "aac",
           movie)
    completed(APUS, "remux", "--quiet", movie, "-o", work / "tags.flv")
    copy = ["-i", movie, "-c", "copy"]
    ffmpeg(*copy, "-cluster_time_limit", "500", work / "clusters.mkv")
    ffmpeg(*copy, "-cluster_time_limit", "500", "-live", "1", work / "live.mkv")
    ffmpeg(*copy, "-movflags", "frag_keyframe+empty_moov", work / "fragments.mp4")
    ffmpeg(*copy, "-movflags", "faststart", work / "first.mp4")
    return work


def packets(file):
    """The sums and times of the packets of each kind of stream."""
    if file.suffix == ".flv":
        # FFmpeg 5 does not know HEVC in FLV.
        file = file.with_name("movie.mp4")
    text = printed("ffprobe", "-v", "error", "-show_data_hash", "md5", "-show_entries", "packet=codec_type,pts_time,data_hash", "-of",
                   "json", file)
    found = {}
    for packet in json.loads(text)["packets"]:
        found.setdefault(packet["codec_type"], []).append((packet["data_hash"], float(packet["pts_time"])))
    return found


def recover(source, target, *options):
    """The report of a run, which must succeed, and the packets of the movie."""
    line = json.loads(printed(APUS, "recover", source, "-o", target, "--json", "--on-exists", "replace", "--quiet", *options))
    jsonschema.validate(line, json.loads((SCHEMAS / "recover.schema.json").read_text()))
    return line, packets(target)


def sums(packets):
    return [digest for digest, _ in packets]


@pytest.mark.parametrize("name", RECORDINGS)
def test_all_whole_samples_of_a_killed_recorder_come_back(recordings, folder, name):
    data, whole = (recordings / name).read_bytes(), packets(recordings / name)
    counts = []
    for cut in (0.3, 0.61, 0.97):
        source = folder / f"cut{cut}.{name}"
        source.write_bytes(data[:int(len(data) * cut)])
        line, found = recover(source, folder / "made.mp4")
        assert not line["complete"]
        # A cut that falls between two tags leaves nothing unexplained.
        tail = sum(part["end"] - part["start"] for part in line["unexplained"])
        assert tail == line["unexplained_bytes"] < 30000
        for kind, expected in whole.items():
            assert sums(found[kind]) == sums(expected)[:len(found[kind])]
        shift = {kind: found[kind][0][1] - whole[kind][0][1] for kind in whole}
        assert abs(shift["video"] - shift["audio"]) <= 0.020
        assert [track["samples"] for track in line["tracks"]] == [len(found["video"]), len(found["audio"])]
        counts.append(len(found["video"]))
    assert counts == sorted(counts) and counts[-1] > 0.8 * len(whole["video"])


@pytest.mark.parametrize("name", RECORDINGS[:3])
@pytest.mark.parametrize("damage", ["noise", "zeros", "inserted"])
def test_samples_after_damage_come_back_at_their_times(recordings, folder, name, damage):
    data, whole = (recordings / name).read_bytes(), packets(recordings / name)
    source, start, length = folder / f"damaged.{name}", len(data) // 2, 6000
    noise = random.Random(49).randbytes(length)
    source.write_bytes(data[:start] + (bytes(length) if damage == "zeros" else noise)
                       + data[start + (0 if damage == "inserted" else length):])
    line, found = recover(source, folder / "made.mp4")
    assert not line["complete"] and length <= line["unexplained_bytes"] + 3000
    gap = max(line["unexplained"], key=lambda part: part["end"] - part["start"])
    assert start - 3000 < gap["start"] < start + length <= gap["end"] + 3000
    assert gap["zero"] is False or damage == "zeros"
    for kind, expected in whole.items():
        times = dict(expected)
        shifts = [time - times[digest] for digest, time in found[kind] if digest in times]
        assert len(shifts) > 0.8 * len(expected) and max(shifts) - min(shifts) <= 0.002
        if damage != "inserted":
            track = next(track for track in line["tracks"] if kind in track["name"])
            assert abs(len(found[kind]) + track["lost"] - len(expected)) <= 1


@pytest.mark.parametrize("name", RECORDINGS[:3])
def test_a_whole_recording_is_called_complete(recordings, folder, name):
    line, found = recover(recordings / name, folder / "made.mp4")
    assert line["complete"] and not line["warnings"]
    assert {kind: sums(part) for kind, part in found.items()} == {
        kind: sums(part) for kind, part in packets(recordings / name).items()}


def test_recordings_without_samples_are_refused_with_the_reason(recordings, folder):
    for name in RECORDINGS:
        source = folder / name
        source.write_bytes((recordings / name).read_bytes()[:200])
        done = completed(APUS, "recover", source, "--rate", "25", "-o", folder / "never.mp4", status=1)
        assert done.stderr.decode().startswith(f"apus: error: {source}")
    stream = folder / "stream.ts"
    ffmpeg("-i", recordings / "movie.mp4", "-c", "copy", stream)
    done = completed(APUS, "recover", stream, "-o", folder / "never.mp4", status=1)
    assert "transport stream, not a movie in MP4, MOV, FLV or Matroska" in done.stderr.decode()
    assert not (folder / "never.mp4").exists()
