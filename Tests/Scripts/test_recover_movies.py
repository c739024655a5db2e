# SPDX-License-Identifier: MIT
"""`apus recover` makes a movie of media data whose `moov` is missing: every picture and all sound before the cut, in time."""

import functools
import json
import struct

import pytest

import jsonschema

from once import once
from programs import APUS, FIXTURES, SCHEMAS, completed, ffmpeg, printed

PICTURES = ["-f", "lavfi", "-i", "testsrc2=s=322x182:r={rate}:d=4"]
SINE = ["-f", "lavfi", "-i", "sine=d=4:r=48000"]
CHIRP = ["-f", "lavfi", "-i", "aevalsrc=0.4*sin(700*t*t):d=4:s=48000"]
NOISE = ["-f", "lavfi", "-i", "anoisesrc=d=4:r=48000:a=0.2"]


def x265(parameters, *more, tag="hvc1"):
    return ["-c:v", "libx265", "-preset", "fast", "-tag:v", tag, "-x265-params", f"log-level=error:{parameters}", *more]


X264 = ["-c:v", "libx264", "-preset", "fast", "-g", "30", "-bf", "3", "-pix_fmt", "yuv420p"]
# The inputs and the coding of each movie, and its frame rate.
MOVIES = {
    "pyramid.mp4": (SINE, [*x265("keyint=40:bframes=4:b-pyramid=1"), "-c:a", "aac"], "25"),
    "open-gop.mp4": (SINE, [*x265("keyint=20:min-keyint=20:open-gop=1:bframes=5:b-adapt=0"), "-c:a", "aac", "-ac", "2"], "25"),
    "ten-bit.mp4": (NOISE, [*x265("keyint=30:bframes=3", "-pix_fmt", "yuv420p10le"), "-c:a", "aac"], "30000/1001"),
    "slices.mp4": (SINE, [*x265("keyint=30:slices=3"), "-c:a", "aac"], "25"),
    "in-band.mov": (SINE, [*x265("keyint=25:repeat-headers=1", tag="hev1"), "-c:a", "pcm_s16be"], "25"),
    "avc.mp4": (SINE, [*X264, "-c:a", "aac"], "25"),
    "avc-slices.mp4": (CHIRP, [*X264, "-x264-params", "slices=4:aud=1", "-c:a", "aac", "-ac", "6"], "50"),
    "fields.mp4": (SINE, [*X264, "-vf", "scale=320:192", "-flags", "+ilme+ildct", "-x264-params", "tff=1", "-c:a", "aac"], "25"),
    "two-sounds.mp4": (SINE + CHIRP, [*x265("keyint=40"), "-map", "0", "-map", "1", "-map", "2", "-c:a", "aac"], "25"),
    "pcm.mov": (NOISE, [*X264, "-c:a", "pcm_s16le", "-ac", "2"], "25"),
    "first.mp4": (SINE, [*x265("keyint=40"), "-c:a", "aac", "-movflags", "faststart"], "25"),
    "fragments.mp4": (SINE, [*x265("keyint=25"), "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"], "25"),
}
FIXED = ["hvc1.mp4", "hvc1-10bit.mp4", "hev1.mp4", "edit-list.mp4", "large-mdat.mp4", "avc1.mp4", "movie.mov"]
CUTS = [0.07, 0.4, 0.58, 0.96]
# In seconds: a frame of AAC at 44,100 Hz.
SOUND_FRAME = 1024 / 44100
MOST_OFFSET = 0.020


@pytest.fixture(scope="module")
def movies(work):
    """Returns the path of a movie, which FFmpeg makes when it is first asked for."""

    @functools.cache
    def movie(name):
        if name not in MOVIES:
            return FIXTURES / name
        sounds, coding, rate = MOVIES[name]
        ffmpeg(*(word.format(rate=rate) for word in PICTURES), *sounds, *coding, work / name)
        return work / name

    return movie


def boxes(data):
    """The offset, size, header and type of every outermost box."""
    place, found = 0, []
    while place + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        header = 8
        if size == 1:
            size, header = struct.unpack(">Q", data[place + 8:place + 16])[0], 16
        size = size or len(data) - place
        found.append((place, size, header, kind.decode("latin1")))
        place += size
    return found


def broken(movie, target, zeroed=False, cut=None, headless=False):
    """Writes a movie without its `moov`, or with zeros in its place, and with the given part of its media data."""
    data, result = movie.read_bytes(), bytearray()
    for place, size, header, kind in boxes(data):
        if kind == "moov":
            result += bytes(size if zeroed else 0)
            continue
        start = len(result)
        result += data[place:place + size]
        if kind != "mdat":
            continue
        if headless:
            result[:start + header] = bytes(start + header)
        if cut is not None:
            # The size is written when recording ends.
            result[start:start + 4] = bytes(4) if header == 8 else result[start:start + 4]
            del result[start + header + int((size - header) * cut):]
            break
    target.write_bytes(result)
    return target


def recover(source, target, *options):
    """The report of a run, which must succeed."""
    line = json.loads(printed(APUS, "recover", source, "-o", target, "--json", "--on-exists", "replace", "--quiet", *options))
    jsonschema.validate(line, json.loads((SCHEMAS / "recover.schema.json").read_text()))
    assert not line["complete"] or not line["unexplained_bytes"] and not line["missing_bytes"]
    return line


@once
def frames(path, kind):
    """The time and the digest of every decoded picture, or of every frame of sound, of each stream of a kind."""
    found = {}
    # Frames of sound are compared as packets: the decoder's output depends on the packet before.
    how = ["-fps_mode", "passthrough", "-enc_time_base", "1:90000"] if kind == "v" else ["-c", "copy"]
    text = printed("ffmpeg", "-nostdin", "-v", "error", "-copyts", "-i", path, "-map", f"0:{kind}?", *how, "-f", "framemd5", "-")
    units = {}
    for line in text.splitlines():
        if line.startswith("#tb "):
            stream, unit = line[4:].split(": ")
            numerator, denominator = map(int, unit.split("/"))
            units[stream] = numerator / denominator
        elif not line.startswith("#"):
            stream, _, pts, _, _, digest = (word.strip() for word in line.split(",")[:6])
            found.setdefault(stream, []).append((int(pts) * units[stream], digest))
    return list(found.values())


def length(frames):
    return frames[-1][0] - frames[0][0] if frames else 0


def check(whole, found, is_whole=False):
    """Expects that pictures and sound are the first of the whole movie, at the same times relative to each other."""
    kinds = [kind for kind in "va" if frames(whole, kind)]
    shifts = []
    for kind in kinds:
        for expected, stream in zip(frames(whole, kind), frames(found, kind), strict=True):
            digests = [digest for _, digest in stream]
            if kind == "v":
                whole_part = expected
                if not is_whole:
                    # Those at the end may lack pictures that are shown before them.
                    assert set(digests) <= {digest for _, digest in expected}
                    whole_part = [frame for frame in expected if frame[0] < stream[-1][0] - 0.5]
                    digests = digests[:len(whole_part)]
                assert digests == [digest for _, digest in whole_part]
                shifts += [time - other for (time, _), (other, _) in zip(stream, whole_part)]
            else:
                if is_whole and "fragments" not in str(whole):
                    assert abs(length(stream) - length(expected)) <= SOUND_FRAME
                count = min(len(stream), len(expected)) - 1
                if "pcm" not in str(whole) and "in-band" not in str(whole):
                    assert digests[:count] == [digest for _, digest in expected][:count]
                shifts += [time - other for (time, _), (other, _) in zip(stream[:count], expected)]
    # FFmpeg rounds the times at which sound begins in fragments.
    if "fragments" not in str(whole):
        assert shifts and max(shifts) - min(shifts) <= MOST_OFFSET
    return shifts


@pytest.mark.parametrize("name", [*MOVIES, *FIXED])
def test_a_movie_without_its_moov_is_as_it_was(movies, folder, name):
    movie = movies(name)
    target = folder / f"fixed{movie.suffix}"
    line = recover(broken(movie, folder / f"broken{movie.suffix}"), target, "--like", movie)
    check(movie, target, is_whole=True)
    # The timecode of the fixture is one number, which nothing distinguishes from others.
    assert line["complete"] or name == "movie.mov" and line["unexplained_bytes"] == 4


@pytest.mark.parametrize("name", ["pyramid.mp4", "avc.mp4", "pcm.mov", "first.mp4"])
def test_zeros_in_place_of_the_moov_are_not_explained(movies, folder, name):
    movie = movies(name)
    target = folder / f"fixed{movie.suffix}"
    line = recover(broken(movie, folder / f"broken{movie.suffix}", zeroed=True), target, "--like", movie)
    check(movie, target, is_whole=True)
    assert not line["complete"] and all(part["zero"] for part in line["unexplained"])


@pytest.mark.parametrize("name", ["pyramid.mp4", "avc.mp4", "two-sounds.mp4"])
def test_zeros_over_the_head_do_no_harm(movies, folder, name):
    movie = movies(name)
    target = folder / f"fixed{movie.suffix}"
    recover(broken(movie, folder / f"broken{movie.suffix}", headless=True), target, "--like", movie)
    check(movie, target, is_whole=True)


@pytest.mark.parametrize("name", [name for name in MOVIES if name not in ("first.mp4", "fragments.mp4")])
def test_everything_before_a_cut_comes_back(movies, folder, name):
    movie = movies(name)
    pictures = 0
    for cut in CUTS:
        target = folder / f"{cut}{movie.suffix}"
        source = broken(movie, folder / f"broken{cut}{movie.suffix}", cut=cut)
        recover(source, target, "--like", movie)
        check(movie, target)
        found = sum(map(len, frames(target, "v")))
        assert found >= pictures
        pictures = found
    assert pictures > 0.9 * sum(map(len, frames(movie, "v")))


@pytest.mark.parametrize("zeros", [0, 4096])
@pytest.mark.parametrize("name", ["slices.mp4", "avc-slices.mp4"])
def test_a_picture_that_is_cut_between_two_slices_is_left_out(movies, folder, name, zeros):
    movie = movies(name)
    data = movie.read_bytes()
    fields = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "json", movie)
    packet = json.loads(fields)["packets"][30]
    start, size = int(packet["pos"]), int(packet["size"])
    ends = [start]
    while ends[-1] < start + size:
        ends.append(ends[-1] + 4 + int.from_bytes(data[ends[-1]:ends[-1] + 4], "big"))
    assert len(ends) > 3 and ends[-1] == start + size
    media = next(box[0] for box in boxes(data) if box[3] == "mdat")
    found = []
    for end in ends:
        source, target = folder / "broken.mp4", folder / "recovered.mp4"
        # As in `broken`, the size of the media data is not known yet.
        source.write_bytes(data[:media] + bytes(4) + data[media + 4:end] + bytes(zeros))
        report = recover(source, target, "--like", movie)
        check(movie, target)
        found.append((sum(map(len, frames(target, "v"))), report["complete"]))
    assert found == [(30, not zeros), *[(30, False)] * (len(ends) - 2), (31, not zeros)]


@pytest.mark.parametrize("name", ["pyramid.mp4", "two-sounds.mp4", "pcm.mov"])
def test_picture_and_sound_stay_together_after_lost_bytes(movies, folder, name):
    movie = movies(name)
    source, target = folder / f"broken{movie.suffix}", folder / f"fixed{movie.suffix}"
    data = bytearray(broken(movie, source).read_bytes())
    middle = len(data) // 2
    data[middle:middle + 15000] = bytes(index * 151 % 255 + 1 for index in range(15000))
    source.write_bytes(data)
    line = recover(source, target, "--like", movie)
    assert 5000 <= line["unexplained_bytes"] < 30000 and not line["complete"]
    ends = []
    for kind in "va":
        for expected, stream in zip(frames(movie, kind), frames(target, kind), strict=True):
            known = {digest: time for time, digest in expected}
            ends += [time - known[digest] for time, digest in stream[-20:-1] if digest in known][-1:]
    assert len(ends) > 1 and max(ends) - min(ends) <= 0.045


def test_another_movie_of_the_camera_will_do(movies, folder):
    movie = movies("pyramid.mp4")
    other = folder / "other.mp4"
    ffmpeg("-f", "lavfi", "-i", "mandelbrot=s=322x182:r=25", *SINE, "-t", "2", "-pix_fmt", "yuv420p",
           *x265("keyint=40:bframes=4:b-pyramid=1"), "-c:a", "aac", "-metadata", "location=+10+020/", other)
    line = recover(broken(movie, folder / "broken.mp4"), folder / "fixed.mp4", "--like", other)
    assert line["complete"]
    check(movie, folder / "fixed.mp4", is_whole=True)
    assert "+10" not in printed("ffprobe", "-v", "error", "-show_format", folder / "fixed.mp4")


def test_the_sound_times_pictures_without_a_constant_rate(folder):
    good, movie = folder / "good.mp4", folder / "movie.mp4"
    for path, phase in [(good, 0), (movie, 2)]:
        # Between 23 and 47 pictures a second.
        times = f"settb=1/90000,setpts=(N/30+0.3*sin(N/37+{phase}))/TB"
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=s=322x182:r=30:d=12,{times}", "-f", "lavfi", "-i", "sine=d=12:r=48000",
               "-fps_mode", "vfr", "-enc_time_base", "1:90000", "-video_track_timescale", "90000",
               *x265("keyint=30:bframes=3"), "-c:a", "aac", path)
    for like in (good, movie):
        line = recover(broken(movie, folder / "broken.mp4"), folder / "fixed.mp4", "--like", like)
        assert line["complete"] and not line["warnings"]
        check(movie, folder / "fixed.mp4", is_whole=True)


def test_zeros_before_the_first_sample_move_nothing(folder):
    movie = folder / "movie.mp4"
    ffmpeg(*(word.format(rate="25") for word in PICTURES), *SINE, *X264, "-c:a", "aac", "-movflags", "faststart",
           "-chunk_duration", "700000", movie)
    line = recover(broken(movie, folder / "broken.mp4", zeroed=True), folder / "fixed.mp4", "--like", movie)
    assert all(track["lost"] == 0 for track in line["tracks"])
    check(movie, folder / "fixed.mp4", is_whole=True)


def test_video_with_its_own_parameter_sets_needs_no_other_movie(movies, folder):
    movie = movies("in-band.mov")
    source = broken(movie, folder / "broken.mov")
    recover(source, folder / "fixed.mov", "--rate", "25")
    assert [digest for _, digest in frames(folder / "fixed.mov", "v")[0]] == [digest for _, digest in frames(movie, "v")[0]]
    said = completed(APUS, "recover", source, "-o", folder / "no.mov", status=2).stderr.decode()
    assert "--like" in said and "--rate" in said


def refusal(folder, source, *options, status=1):
    """The message of a run that writes nothing."""
    before = source.read_bytes() if source.exists() else None
    said = completed(APUS, "recover", source, "-o", folder / "never.mp4", *options, status=status).stderr.decode()
    assert not (folder / "never.mp4").exists()
    assert before is None or source.read_bytes() == before
    return said


def test_what_cannot_be_recovered_is_refused_with_the_reason(folder):
    good = FIXTURES / "hvc1.mp4"
    garbage = folder / "garbage.mp4"
    garbage.write_bytes(bytes(index * 89 % 251 for index in range(30000)))
    empty = folder / "empty.mp4"
    empty.write_bytes(b"")
    assert "is not a movie" in refusal(folder, garbage, "--like", good)
    assert "empty" in refusal(folder, empty, "--like", good)
    assert "has its moov; use remux" in refusal(folder, good, "--like", good)
    assert "JPEG" in refusal(folder, FIXTURES / "420.jpg", "--like", good)
    source = broken(good, folder / "broken.mp4")
    assert "same camera" in refusal(folder, source, "--like", FIXTURES / "avc1.mp4")
    assert "healthy movie" in refusal(folder, source, "--like", source)
    assert "healthy movie" in refusal(folder, source, "--rate", "25")
    assert "mp4 nor mov" in completed(APUS, "recover", source, "--like", good, "-o", folder / "x.mkv", status=2).stderr.decode()
    # An input is never replaced.
    completed(APUS, "recover", source, "--like", good, "-o", source, "--on-exists", "replace", status=1)
    copy = folder / "like.mp4"
    copy.write_bytes(good.read_bytes())
    completed(APUS, "recover", source, "--like", copy, "-o", copy, "--on-exists", "replace", status=1)
    assert copy.read_bytes() == good.read_bytes()
    assert completed(APUS, "recover", source, "--like", good, "-o", copy, status=3).stderr
