# SPDX-License-Identifier: MIT
"""Whatever ends a run that writes a movie, `apus remux --recover` makes a movie of what it left."""

import json
import os
import random
import signal
import subprocess
import time

import pytest

from programs import APUS, FFMPEG, completed, ffmpeg

MOMENTS = 10
SECONDS = 40


def packets(file):
    """The sums of the packets of each stream."""
    text = completed("ffprobe", "-v", "error", "-show_data_hash", "md5", "-show_packets", "-of", "json", file).stdout
    found = {}
    for packet in json.loads(text)["packets"]:
        found.setdefault(packet["stream_index"], []).append(packet["data_hash"])
    return found


def decodes(file):
    """Expects that FFmpeg finds nothing wrong."""
    text = completed(FFMPEG, "-xerror", "-i", file, "-f", "null", "-").stderr.decode()
    assert not text.strip(), f"{file}: {text}"


def check_prefix(name, whole, found):
    """Returns the number of packets, which must be the first ones of their streams."""
    for stream, sums in found.items():
        assert whole[stream][:len(sums)] == sums, f"{name}: the packets of stream {stream} are not the first ones"
    return sum(map(len, found.values()))


@pytest.fixture(scope="module")
def movies(work):
    """The folder of the movie that is published, and of the same in other forms."""
    movie = work / "movie.mp4"
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=s=320x180:r=25:d={SECONDS}", "-f", "lavfi", "-i",
           f"sine=d={SECONDS}:r=48000", "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
           "log-level=error:keyint=25:bframes=3", "-c:a", "aac", movie)
    for source, target in [("movie.mp4", "stream.flv"), ("stream.flv", "plain.mp4"), ("movie.mp4", "bare.hevc"),
                           ("bare.hevc", "timed.mp4")]:
        completed(APUS, "remux", "--quiet", work / source, "-o", work / target)
    ffmpeg("-i", movie, "-c", "copy", "-movflags", "frag_keyframe+empty_moov", work / "fragments.mp4")
    ffmpeg("-i", movie, "-c", "copy", "-movflags", "faststart", work / "first.mp4")
    return work


def killed(folder, stream, whole, moment, generator):
    """Kills a run while it is fed, or while it finishes; returns how many packets came back."""
    folder = folder / str(moment)
    folder.mkdir()
    out = folder / "out.mp4"
    data = stream.read_bytes()
    process = subprocess.Popen([APUS, "remux", "--quiet", "-", "-o", out], stdin=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    ends = moment % 3 == 2
    fed = len(data) if ends else generator.randrange(1000, len(data))
    process.stdin.write(data[:fed])
    process.stdin.flush()
    if ends:
        process.stdin.close()
        # A moment of the few milliseconds that finishing takes, not a wait for anything.
        time.sleep(generator.random() * 0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    if not ends:
        process.stdin.close()
    left = sorted(os.listdir(folder))
    if "out.mp4" in left:
        assert check_prefix("the final name", whole, packets(out)) == sum(map(len, whole.values())), \
            "what stands under the final name is not whole"
        return sum(map(len, whole.values()))
    if not left:
        return 0
    assert left == ["out.mp4.part"], f"{left} is left"
    done = completed(APUS, "remux", "--recover", folder / "out.mp4.part", "-o", out, status=None)
    if done.returncode:
        assert not out.exists(), "what cannot be recovered has a file"
        return 0
    decodes(out)
    return check_prefix("what was recovered", whole, packets(out))


@pytest.mark.parametrize("kind", ["fragments.mp4", "first.mp4", "stream.flv", "bare.hevc"])
def test_what_is_cut_gives_back_the_packets_that_it_holds_and_something_is_lost(folder, movies, kind):
    source = movies / kind
    # ffprobe reads no HEVC in FLV, and no times of a bare stream.
    whole = packets(movies / {"stream.flv": "plain.mp4", "bare.hevc": "timed.mp4"}.get(kind, kind))
    ending = source.suffix[1:]
    data = source.read_bytes()
    counts = []
    for tenth in (3, 6, 9):
        cut = folder / f"cut.{ending}"
        cut.write_bytes(data[:len(data) * tenth // 10])
        out = folder / "cut.out.mp4"
        done = completed(APUS, "remux", "--recover", "--on-exists", "replace", cut, "-o", out)
        assert any(word in done.stderr.decode() for word in ("lost", "left out")), \
            f"{source.name}: nothing is said of what is lost: {done.stderr.decode()}"
        decodes(out)
        counts.append(check_prefix(f"{source.name} cut", whole, packets(out)))
    total = sum(map(len, whole.values()))
    # Streams are cut where their bytes are, so about as many packets as bytes come back.
    assert counts == sorted(counts) and 0 < counts[0] and counts[-1] > total / 2 and counts[-1] <= total, \
        f"{source.name}: {counts} of {total} packets came back"


def test_a_movie_is_made_of_what_a_killed_run_left(folder, movies):
    seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
    generator = random.Random(seed)
    print(f"SEED={seed}")
    whole = packets(movies / "plain.mp4")
    counts = [killed(folder, movies / "stream.flv", whole, moment, generator) for moment in range(MOMENTS)]
    assert sum(count > 0 for count in counts) >= MOMENTS // 2, f"{counts} packets came back"
