# SPDX-License-Identifier: MIT
"""Times that fall and NAL units that do not fit lose nothing in silence: what FFmpeg finds in a recording, in a presentation
and in what `remux` and `flv convert` write has every packet, at the distances of the publisher; each says the same of them."""

import contextlib
import itertools
import json
import pathlib
import re

import pytest

import flv
import rtmp
from programs import APUS, FFMPEG, Failure, completed, events, finished, run, running, same, until

pytestmark = pytest.mark.apart

SOURCES = {
    "avc": ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-sc_threshold", "0"],
    "hevc": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
             "log-level=none:pools=1:frame-threads=1:keyint=25:min-keyint=25:bframes=2:open-gop=0"],
}


def apus(*words):
    return completed(APUS, *words, status=None, text=True)


# Making


def is_frame(kind, body):
    if kind == 8:
        return body[1] == 1
    return body[0] & 15 in (1, 3) if body[0] & 128 else body[1] == 1


def falling(period, back):
    """The publisher's clock falls by so much each time it has come so far."""
    def change(tags):
        return [(kind, time - min(time // period, 2) * back, body) for kind, time, body in tags]
    return change


def one_wrong(tags):
    """The time of one picture is 300 ms less than it should be."""
    changed = list(tags)
    at = [index for index, tag in enumerate(changed) if tag[0] == 9][70]
    kind, time, body = changed[at]
    changed[at] = kind, time - 300, body
    return changed


def torn(tags):
    """The last NAL unit of every tenth picture lacks its last bytes."""
    changed, pictures = [], 0
    for kind, time, body in tags:
        if kind == 9 and is_frame(kind, body):
            pictures += 1
            body = body[:-5] if pictures % 10 == 0 else body
        changed.append((kind, time, body))
    return changed


def configured_late(tags):
    """A configuration comes again in the middle, with the time 0."""
    first = next(tag for tag in tags if tag[0] == 9)
    return [*tags[:200], (9, 0, first[2]), *tags[200:]]


FORMS = {
    # What is said of how many places, and how often times fall.
    "whole": (lambda tags: tags, None, 0),
    "looped": (falling(2000, 2000), "timestamps go back", 2),
    "set back": (falling(3000, 150), "timestamps go back", 2),
    "begun again": (falling(5600, 5600), "timestamps go back", 1),
    "one wrong": (one_wrong, "timestamps go back", 1),
    "torn": (torn, "NAL units do not fit their frame", 15),
    "configured late": (configured_late, None, 0),
}


def make(folder):
    for name, codec in SOURCES.items():
        make_one(folder / f"{name}.flv", codec)


def make_one(path, codec):
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi",
        "-i", "sine=frequency=440:sample_rate=48000", "-t", "6", *codec, "-pix_fmt", "yuv420p", "-c:a", "aac", "-y", path)


@pytest.fixture(scope="session")
def movies(shared):
    """The folder of the recordings."""
    return shared("times", make)


@pytest.fixture
def published_tags(movies, codec):
    return list(flv.tags((movies / f"{codec}.flv").read_bytes()))


CODECS = pytest.mark.parametrize("codec", SOURCES)
EVERY_FORM = pytest.mark.parametrize("form", FORMS)


def written(path, tags):
    head = b"FLV\1\5" + (9).to_bytes(4, "big") + bytes(4)
    path.write_bytes(head + b"".join(flv.tag(*tag) for tag in tags))
    return path


# Looking


def steps(times):
    return [after - before for before, after in itertools.pairwise(times)]


def packets(path):
    """The decoding times of pictures and of sound, in milliseconds, and how many bytes each has."""
    text = run(FFMPEG, "-copyts", "-i", path, "-map", "0", "-c", "copy", "-f", "framecrc", "-")
    kinds = {number: 9 if kind == "video" else 8 for number, kind in re.findall(r"^#media_type (\d+): (\w+)", text, re.M)}
    scales = {number: int(above) * 1000 / int(below) for number, above, below in re.findall(r"^#tb (\d+): (\d+)/(\d+)", text, re.M)}
    result = {8: [], 9: []}
    for number, decoding, size in re.findall(r"^(\d+), *(-?\d+), *-?\d+, *\d+, *(\d+)", text, re.M):
        result[kinds[number]].append((round(int(decoding) * scales[number]), int(size)))
    return result


def compare(what, path, tags, mends=False):
    """Every packet is there, and times rise by as much as the publisher's, unless those fall."""
    found = packets(path)
    for kind in (8, 9):
        frames = [(time, len(body) - (2 if kind == 8 else 5)) for tag, time, body in tags if tag == kind and is_frame(kind, body)]
        same(f"{what}: packets of {kind}", len(frames), len(found[kind]))
        had, has = steps([time for time, _ in frames]), steps([time for time, _ in found[kind]])
        assert min(has) >= 0, f"{what}: times of {kind} fall: {has}"
        wrong = [(before, after) for before, after in zip(had, has) if abs(before - after) > 1]
        # At a fall, and where one wrong time is taken back.
        assert len(wrong) <= 4 and not any(after > 400 for _, after in wrong), f"{what}: distances of {kind} are {wrong}"


def together(what, path, limit=120):
    """Sound and pictures end together."""
    found = packets(path)
    ends = [found[kind][-1][0] for kind in (8, 9)]
    assert abs(ends[0] - ends[1]) <= limit, f"{what}: sound and pictures end at {ends}"


def said(text, words, count):
    """Returns whether there is a warning of so many places."""
    places = f"at {count} places" if count > 1 else "at "
    return any(words in line and places in line for line in text.splitlines())


def expect(what, text, words, count):
    faults = [line for line in text.splitlines() if "fall" in line or "NAL units" in line]
    if words is None:
        same(f"{what}: warnings", [], faults)
    elif not said(text, words, count):
        raise Failure(f"{what}: it is not said that {words} at {count} places: {text}")


@EVERY_FORM
@CODECS
def test_a_file_is_rewritten_with_every_packet_and_the_warning_that_is_due(folder, published_tags, form):
    change, words, count = FORMS[form]
    tags = change(published_tags)
    source = written(folder / "in.flv", tags)
    for verb, name in ((["remux"], "out.mp4"), (["flv", "convert"], "new.flv")):
        what = " ".join(verb)
        expect(what, apus(*verb, source, "-o", folder / name).stderr, words, count)
        compare(what, folder / name, tags)
        together(what, folder / name)
    rules = [finding["rule"] for finding in json.loads(apus("flv", "check", source, "--json").stdout)]
    found = {"time-falls", "frame-lengths", "av-gap", "time-gap"} & set(rules)
    same("flv check", {"time-falls"} if words and "go back" in words else {"frame-lengths"} if words else set(), found)


def publish(port, tags, meanwhile=lambda: None):
    """Sends all at once, and calls `meanwhile` after the first tags."""
    link = rtmp.Client(port)
    link.publish("cam")
    link.message(1, (1 << 20).to_bytes(4, "big"), 2)
    link.chunk = 1 << 20
    for index, (kind, time, body) in enumerate(tags):
        link.message(kind, body, 4, 1, time=time)
        if index == 10:
            meanwhile()
    link.end()


@pytest.mark.parametrize("target", ["flv", "mp4"])
@EVERY_FORM
@CODECS
def test_a_stream_is_recorded_and_presented_with_every_packet_and_the_warning_that_is_due(folder, published_tags, form, target):
    """The publisher sends everything at once."""
    change, words, count = FORMS[form]
    tags = change(published_tags)
    log = folder / "receive.log"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{folder}/{{key}}.{target}", "--hls", folder / "web", "--hls-time", "1",
                 "--json", log=log) as process:
        until(lambda: events(log, "listening"), "it listens")
        publish(events(log, "listening")[0]["port"], tags)
        until(lambda: events(log, "written"), "the recording is finished")
        process.terminate()
        same("status", 0, finished(process))
    warnings = [event["message"] for event in events(log, "warning")]
    expect("receive", "\n".join(warnings), words, count)
    assert len(warnings) <= 2, f"receive: too much is said: {warnings}"
    path = pathlib.Path(events(log, "written")[0]["path"])
    compare("receive", path, tags)
    together("receive", path)
    compare("receive --hls", folder / "web/cam/index.m3u8", tags)
    assert target != "flv" or "time-falls" not in (found := apus("flv", "check", path).stdout), \
        f"times fall in the recording: {found}"


@CODECS
def test_a_player_that_publishes_is_warned_of_falling_times_and_publishes_times_that_rise(folder, published_tags):
    tags = FORMS["looped"][0](published_tags)
    receive = [APUS, "receive", "rtmp://127.0.0.1:0/live", "--json", "-o"]
    logs = [folder / "one.log", folder / "two.log"]
    with contextlib.ExitStack() as jobs:
        for log in logs:
            jobs.enter_context(running(*receive, f"{log}-{{key}}.flv", log=log))
            until(lambda: events(log, "listening"), "it listens")
        urls = [f"rtmp://127.0.0.1:{events(log, 'listening')[0]['port']}/live/cam" for log in logs]

        def play():
            jobs.enter_context(running(APUS, "stream", *urls, "--dialect", "legacy", log=folder / "way.log"))
            until(lambda: events(logs[0], "playing"), "it is played")

        publish(events(logs[0], "listening")[0]["port"], tags, play)
        until(lambda: "timestamps go back, and continue after the last, at 2 places" in (folder / "way.log").read_text(), "it is warned")
        same("warnings of the second server", [], [event for event in events(logs[1], "warning") if "go back" in event["message"]])


@CODECS
def test_the_presentation_of_a_publisher_that_returns_with_times_from_0_has_both_streams(folder, published_tags):
    tags = published_tags
    log = folder / "receive.log"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{folder}/{{key}}.flv", "--hls", folder / "web", "--hls-time", "1",
                 "--json", log=log) as process:
        until(lambda: events(log, "listening"), "it listens")
        for count in (1, 2):
            publish(events(log, "listening")[0]["port"], tags)
            until(lambda: len(events(log, "written")) == count, "the recording is finished")
        process.terminate()
        same("status", 0, finished(process))
    same("warnings", [], events(log, "warning"))
    found = packets(folder / "web/cam/index.m3u8")
    for kind in (8, 9):
        same(f"twice: packets of {kind}", 2 * sum(tag == kind and is_frame(kind, body) for tag, _, body in tags), len(found[kind]))
    text = (folder / "web/cam/video-1/index.m3u8").read_text()
    same("discontinuities", 1, text.count("#EXT-X-DISCONTINUITY\n"))
