#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Times that fall and NAL units that do not fit lose nothing in silence: what FFmpeg finds in a recording, in a presentation
and in what `remux` and `flv convert` write has every packet, at the distances of the publisher; each says the same of them."""

import contextlib
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))
sys.path.insert(0, str(ROOT / "Scripts/making"))

import flv  # noqa: E402
import rtmp  # noqa: E402
from programs import APUS, FFMPEG, Failure, events, finished, run, running, until  # noqa: E402

SOURCES = {
    "avc": ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "25", "-sc_threshold", "0"],
    "hevc": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
             "log-level=none:pools=1:frame-threads=1:keyint=25:min-keyint=25:bframes=2:open-gop=0"],
}


def same(what, expected, found):
    if expected != found:
        raise Failure(f"{what}: {str(expected)[:300]} was expected, {str(found)[:300]} found")


def apus(*words):
    return subprocess.run([APUS, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)


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


def make(folder, name, codec):
    path = folder / f"{name}.flv"
    run(FFMPEG, "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi",
        "-i", "sine=frequency=440:sample_rate=48000", "-t", "6", *codec, "-pix_fmt", "yuv420p", "-c:a", "aac", "-y", path)
    return list(flv.tags(path.read_bytes()))


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
        if min(has) < 0:
            raise Failure(f"{what}: times of {kind} fall: {has}")
        wrong = [(before, after) for before, after in zip(had, has) if abs(before - after) > 1]
        # At a fall, and where one wrong time is taken back.
        if len(wrong) > 4 or any(after > 400 for _, after in wrong):
            raise Failure(f"{what}: distances of {kind} are {wrong}")


def together(what, path, limit=120):
    """Sound and pictures end together."""
    found = packets(path)
    ends = [found[kind][-1][0] for kind in (8, 9)]
    if abs(ends[0] - ends[1]) > limit:
        raise Failure(f"{what}: sound and pictures end at {ends}")


def said(text, words, count):
    """Whether a warning is there that says so of so many places."""
    places = f"at {count} places" if count > 1 else "at "
    return any(words in line and places in line for line in text.splitlines())


def expect(what, text, words, count):
    faults = [line for line in text.splitlines() if "fall" in line or "NAL units" in line]
    if words is None:
        same(f"{what}: warnings", [], faults)
    elif not said(text, words, count):
        raise Failure(f"{what}: it is not said that {words} at {count} places: {text}")


def files(work, tags, words, count):
    """What is said of a file, and what becomes of it."""
    source = written(work / "in.flv", tags)
    for verb, name in ((["remux"], "out.mp4"), (["flv", "convert"], "new.flv")):
        what = " ".join(verb)
        expect(what, apus(*verb, source, "-o", work / name).stderr, words, count)
        compare(what, work / name, tags)
        together(what, work / name)
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


def published(work, tags, words, count, target):
    """What is received of a publisher, which sends all at once."""
    work.mkdir()
    log = work / "receive.log"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{work}/{{key}}.{target}", "--hls", work / "web", "--hls-time", "1",
                 "--json", log=log) as process:
        until(lambda: events(log, "listening"), "it listens")
        publish(events(log, "listening")[0]["port"], tags)
        until(lambda: events(log, "written"), "the recording is finished")
        process.terminate()
        same("status", 0, finished(process))
    warnings = [event["message"] for event in events(log, "warning")]
    expect("receive", "\n".join(warnings), words, count)
    if len(warnings) > 2:
        raise Failure(f"receive: too much is said: {warnings}")
    path = pathlib.Path(events(log, "written")[0]["path"])
    compare("receive", path, tags)
    together("receive", path)
    compare("receive --hls", work / "web/cam/index.m3u8", tags)
    if target == "flv" and "time-falls" in (found := apus("flv", "check", path).stdout):
        raise Failure(f"times fall in the recording: {found}")


def played(work, tags):
    """Who plays a stream and sends it on is warned of its times, which have fallen, and sends others on."""
    work.mkdir()
    receive = [APUS, "receive", "rtmp://127.0.0.1:0/live", "--json", "-o"]
    logs = [work / "one.log", work / "two.log"]
    with contextlib.ExitStack() as jobs:
        for log in logs:
            jobs.enter_context(running(*receive, f"{log}-{{key}}.flv", log=log))
            until(lambda: events(log, "listening"), "it listens")
        urls = [f"rtmp://127.0.0.1:{events(log, 'listening')[0]['port']}/live/cam" for log in logs]

        def play():
            jobs.enter_context(running(APUS, "stream", *urls, "--dialect", "legacy", log=work / "way.log"))
            until(lambda: events(logs[0], "playing"), "it is played")

        publish(events(logs[0], "listening")[0]["port"], tags, play)
        until(lambda: "timestamps go back, and continue after the last, at 2 places" in (work / "way.log").read_text(), "it is warned")
        same("warnings of the second server", [], [event for event in events(logs[1], "warning") if "go back" in event["message"]])


def returned(work, tags):
    """A publisher that comes again, with times from 0 on: its presentation has all of both."""
    work.mkdir()
    log = work / "receive.log"
    with running(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{work}/{{key}}.flv", "--hls", work / "web", "--hls-time", "1",
                 "--json", log=log) as process:
        until(lambda: events(log, "listening"), "it listens")
        for count in (1, 2):
            publish(events(log, "listening")[0]["port"], tags)
            until(lambda: len(events(log, "written")) == count, "the recording is finished")
        process.terminate()
        same("status", 0, finished(process))
    same("warnings", [], events(log, "warning"))
    found = packets(work / "web/cam/index.m3u8")
    for kind in (8, 9):
        same(f"twice: packets of {kind}", 2 * sum(tag == kind and is_frame(kind, body) for tag, _, body in tags), len(found[kind]))
    text = (work / "web/cam/video-1/index.m3u8").read_text()
    same("discontinuities", 1, text.count("#EXT-X-DISCONTINUITY\n"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for codec, options in SOURCES.items():
            source = make(folder, codec, options)
            for form, (change, words, count) in FORMS.items():
                tags = change(source)
                work = folder / f"{codec} {form}"
                work.mkdir()
                try:
                    files(work, tags, words, count)
                    for target in ("flv", "mp4"):
                        published(work / target, tags, words, count, target)
                except Failure as failure:
                    sys.exit(f"{codec}, {form}: {failure}")
                print(f"{codec}, {form}: as published")
            try:
                played(folder / f"{codec} played", FORMS["looped"][0](source))
                returned(folder / f"{codec} twice", source)
            except Failure as failure:
                sys.exit(f"{codec}, twice: {failure}")
            print(f"{codec}, twice: all of both")


if __name__ == "__main__":
    main()
