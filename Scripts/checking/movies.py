# SPDX-License-Identifier: MIT
"""movies.py APUS COUNT MOVIE...: so many mutations of what describes the samples of movies. What apus makes of each is the
samples of the whole movie, or warned of, or refused. Exits with 1 where samples are lost or changed in silence.

Of other containers and of bare streams bytes anywhere are removed or zeroed, or the end is cut off. Only lost samples are
looked for, since the data of a sample say nothing of being whole."""

import collections
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

PACKETS = ["ffprobe", "-v", "error", "-ignore_editlist", "1", "-show_data_hash", "md5", "-show_streams", "-show_entries",
           "packet=stream_index,pts_time,dts_time,size,data_hash:stream=codec_name,width,height:format_tags", "-of", "json"]


def described(data):
    """The places of all bytes but those of media data."""
    places, place = [], 0
    while place + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        end = place + size if size >= 8 else len(data)
        places += range(place, min(place + 8 if kind == b"mdat" else end, len(data)))
        place = end
    return places


def mutate(data, places, chance):
    """A copy with a bit, a byte or four bytes changed, and what was done."""
    changed, place = bytearray(data), chance.choice(places)
    kind = chance.choice(["bit", "bit", "bit", "byte", "zeros", "ones"])
    if kind == "bit":
        changed[place] ^= 1 << chance.randrange(8)
    elif kind == "byte":
        changed[place] = chance.randrange(256)
    else:
        changed[place:place + 4] = (b"\0" if kind == "zeros" else b"\xff") * len(changed[place:place + 4])
    return bytes(changed), f"{kind} at byte {place}"


def shorten(data, chance):
    """A copy with bytes removed or zeroed, or without its end, and what was done."""
    place, length = chance.randrange(min(2000, len(data) // 4), len(data)), chance.choice([1, 4, 188, 1000, 4000])
    kind = chance.choice(["removed", "removed", "zeroed", "cut"])
    length = len(data) - place if kind == "cut" else min(length, len(data) - place)
    middle = bytes(length) if kind == "zeroed" else b""
    return data[:place] + middle + data[place + length:], f"{length} bytes {kind} at byte {place}"


def remuxed(apus, movie, target):
    """The exit status, the warnings without the name of the movie, and the samples and times of what was made."""
    target.unlink(missing_ok=True)
    done = subprocess.run([apus, "remux", movie, "-o", target], stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    said = done.stderr.decode(errors="replace").replace(str(movie), "MOVIE").splitlines()
    warnings = {line for line in said if " warning: " in line}
    if done.returncode:
        return done.returncode, warnings, None, None
    probed = subprocess.run([*PACKETS, target], stdin=subprocess.DEVNULL, capture_output=True)
    # What FFmpeg cannot read at all has no samples for it.
    facts = json.loads(probed.stdout or "{}")
    samples = collections.Counter((packet["stream_index"], packet["data_hash"]) for packet in facts.get("packets", []))
    return 0, warnings, samples, facts


def main(apus, count, movies):
    chance = random.Random(18)
    tally, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as work:
        for movie in movies:
            data = movie.read_bytes()
            is_movie = movie.suffix in (".mp4", ".mov", ".m4v", ".heics")
            places = described(data) if is_movie else []
            damaged, target = pathlib.Path(work, f"damaged{movie.suffix}"), pathlib.Path(work, "made.mp4")
            status, usual, samples, facts = remuxed(apus, movie, target)
            if status:
                raise SystemExit(f"{movie} is refused as it is")
            for _ in range(count // len(movies)):
                changed, what = mutate(data, places, chance) if is_movie else shorten(data, chance)
                damaged.write_bytes(changed)
                status, warnings, found, said = remuxed(apus, damaged, target)
                if status < 0:
                    raise SystemExit(f"{movie.name}, {what}: ends by signal {-status}")
                is_same, is_warned = said == facts, bool(warnings - usual)
                if status:
                    outcome = "refused"
                elif is_same:
                    outcome = "same, warned" if is_warned else "same"
                elif is_warned:
                    outcome = "another, warned"
                elif not is_movie and found.total() >= samples.total():
                    outcome = "as many samples, in silence"
                elif found == samples:
                    outcome = "other times or descriptions of the same samples"
                else:
                    outcome = "other samples, in silence" + (", where the end is cut off" if " cut at " in what else "")
                    failed += 1
                    print(f"{movie.name}, {what}: {sum((samples - found).values())} samples are lost, "
                          f"{sum((found - samples).values())} made up")
                tally[outcome] += 1
    for outcome, number in tally.most_common():
        print(f"{number:6} {outcome}")
    sys.exit(1 if failed else 0)


main(sys.argv[1], int(sys.argv[2]), list(map(pathlib.Path, sys.argv[3:])))
