# SPDX-License-Identifier: MIT
"""What others publish to apus receive, and play from it, is what they have; recordings outlive whoever is killed."""

import contextlib
import json
import pathlib
import re

import pytest

import jsonschema

import media
import nginx
import programs
from once import once
from programs import APUS, FFMPEG, SCHEMAS, finished, free_port, run, running, stopped, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
KEY = "hidden-key"
SCHEMA = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "receive.schema.json").read_text()))
hashes = once(media.hashes)


class Receiver:
    """`apus receive` that runs meanwhile."""

    def __init__(self, folder, target, *words, scheme="rtmp", before=()):
        self.scheme = scheme
        self.path = folder / f"out.{target}"
        self.log = folder / "receive.log"
        self.before, self.words = before, (*words, "--json")

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.process = self.stack.enter_context(running(
            *self.before, APUS, "receive", self.at(0), "-o", self.path, *self.words,
            log=self.log))
        self.await_event("listening")
        self.url = self.at(self.events("listening")[0]["port"])
        return self

    def __exit__(self, *failure):
        self.stack.close()
        assert KEY not in self.log.read_text(), "the key is told"
        for event in self.events():
            assert SCHEMA.is_valid(event), f"the schema knows no such event: {event}"

    def at(self, port):
        return f"{self.scheme}://127.0.0.1:{port}/live/{KEY}"

    def events(self, name=None):
        return programs.events(self.log, name)

    def await_event(self, name, count=1):
        until(lambda: len(self.events(name)) >= count, f"{count} times the event {name}")

    def end(self):
        self.process.terminate()
        finished(self.process)


@pytest.fixture(scope="session")
def movies(sources, avc):
    return {**sources, "AVC": avc}


@pytest.fixture
def source(sources):
    return sources["8 bit"]


@pytest.fixture
def expected(source):
    """The hashes of the pictures and of the packets of sound in the source."""
    return hashes(source)


def publisher_of(name):
    """The FFmpeg that publishes a movie: Debian's can't publish HEVC."""
    return OLD_FFMPEG if name == "AVC" else (FFMPEG,)


def publishing(program, source, url, *words, endless=False):
    """The words of a program that publishes a file as fast as it plays, over and over where it is not to end by itself."""
    return [*program, "-re", *(("-stream_loop", "-1") if endless else ()), "-i", source, "-c", "copy", *words, "-f", "flv", url]


WHOLE, BEGINNING, END, CUT = "all", "the beginning", "the end", "the beginning, cut somewhere"


def compare(path, expected, part=WHOLE, sound=True):
    """The recording holds that part of what was published."""
    found = media.hashes(path) if sound else [pictures(path)]
    for what, found, wanted in zip(("pictures", "packets of sound"), found, expected):
        if part in (BEGINNING, CUT):
            # It is published over and over.
            wanted = wanted * (2 + len(found) // len(wanted))
        if part == CUT:
            found = found[:-4]
        if part in (BEGINNING, CUT):
            # What refers to a picture that came too late is missing before it.
            rest = iter(wanted[: len(found) + 4])
            is_right = len(found) > 4 and all(one in rest for one in found)
        else:
            is_right = len(found) > 4 and found == wanted[-len(found) :]
        assert is_right and (part != WHOLE or len(found) >= len(wanted)), \
            f"{path.name}: {len(found)} {what} are not {part} of the {len(wanted)}"


def pictures(path):
    text = run(FFMPEG, "-i", path, "-map", "0:v:0", "-f", "framehash", "-")
    return media.column(text)


@pytest.mark.parametrize("name, target", [
    ("8 bit", "flv"), ("8 bit", "mp4"), ("10 bit", "mp4"), ("10 bit", "hevc"), ("AVC", "flv"), ("AVC", "mp4"),
])
def test_a_recording_holds_everything_that_was_published(folder, movies, name, target):
    expected = hashes(movies[name])
    with Receiver(folder, target, "--once") as receiver:
        run(*publishing(publisher_of(name), movies[name], receiver.url))
        assert finished(receiver.process) == 0, f"receive ends with {receiver.process.returncode}"
        compare(receiver.path, expected, sound=target != "hevc")
        assert target != "mp4" or b"moof" not in receiver.path.read_bytes(), "the finished file is in fragments"


@pytest.mark.parametrize("name, target", [("8 bit", "flv"), ("10 bit", "mp4"), ("10 bit", "hevc"), ("AVC", "mp4")])
def test_parts_of_a_second_play_alone_and_joined_lose_and_double_nothing(folder, movies, name, target):
    source, program, expected = movies[name], publisher_of(name), hashes(movies[name])
    log = folder / "finished.txt"
    tool = folder / "tool with spaces"
    tool.write_text(f'#!/bin/sh\nprintf "%s|%s\\n" "$1" "$2" >>"{log}"\ncat\necho said\n')
    tool.chmod(0o755)
    # A file that a run before this one has left takes a number.
    (folder / "out 00002.x").write_bytes(b"mine")
    with Receiver(folder, target, "--once", "--segment-time", "1", "--on-part", tool) as receiver:
        run(*publishing(program, source, receiver.url))
        assert finished(receiver.process) == 0, f"receive ends with {receiver.process.returncode}"
        written = [pathlib.Path(event["path"]) for event in receiver.events("written")]
        made = sorted(folder.glob(f"out-*.{target}"))
        assert sorted(written) == made and [path.stem for path in made] == [f"out-0000{n}" for n in range(1, len(made) + 1)], \
            f"parts: {made}, written: {written}"
        assert len(made) >= 2 and len(receiver.events("part")) == len(made) - 1, f"{len(made)} parts"
        told = sorted(line.split("|") for line in log.read_text().splitlines())
        assert told == [[str(path), "live"] for path in made], f"the program was called with {told}"
        joined = folder / f"joined.{target}"
        run(APUS, "remux", *made, "-o", joined)
        compare(joined, expected, sound=target != "hevc")
        for part in made[1:]:
            # Leading pictures need those of the part before.
            assert len(pictures(part)) >= 15, f"{part.name} has {len(pictures(part))} pictures"
    assert (folder / "out 00002.x").read_bytes() == b"mine", "a file of somebody else was touched"


def test_the_oldest_parts_of_this_run_are_removed_and_no_other_files(folder, source):
    """Not even a file that took the place of a part."""
    with Receiver(folder, "flv", "--segment-time", "1", "--keep", "2") as receiver:
        for _ in range(2):
            run(*publishing((FFMPEG,), source, receiver.url))
        receiver.await_event("written", 6)
        receiver.await_event("removed", 4)
        kept = sorted(path.name for path in folder.glob("out-*.flv"))
        assert kept == ["out-00005.flv", "out-00006.flv"] and len(receiver.events("removed")) == 4, f"there are {kept}"
        (folder / "out-00005.flv").write_bytes(b"mine")
        (folder / "out-00007.flv").write_bytes(b"mine, too")
        run(*publishing((FFMPEG,), source, receiver.url))
        receiver.await_event("written", 9)
        receiver.await_event("removed", 6)
        kept = sorted(path.name for path in folder.glob("out-*.flv"))
        assert kept == ["out-00005.flv", "out-00007.flv", "out-00009.flv", "out-00010.flv"], f"there are {kept}"
        assert (folder / "out-00005.flv").read_bytes() + (folder / "out-00007.flv").read_bytes() == b"minemine, too", \
            "a file of somebody else was touched"


def test_a_name_may_hold_day_and_time_and_needs_no_key(folder, source, expected):
    days = folder / "days"
    receiver = Receiver(folder, "mp4")
    receiver.path = days / "{key} {date}/{time}.mp4"
    with receiver:
        run(*publishing((FFMPEG,), source, receiver.url))
        receiver.await_event("written")
        path = pathlib.Path(receiver.events("written")[0]["path"])
        assert re.fullmatch(r"live \d{4}-\d\d-\d\d/\d\d-\d\d-\d\d", str(path.relative_to(days).with_suffix(""))), f"{path}"
        compare(path, expected)


@pytest.mark.parametrize("words", [["--keep", "2"], ["--segment-time", "0.1"], ["--segment-size", "0"]], ids=" ".join)
def test_parts_that_cannot_be_made_are_refused(folder, words):
    run(APUS, "receive", "rtmp://127.0.0.1:0/live/key", "-o", folder / "x.flv", *words, status=2)


def test_a_stream_that_nginx_publishes_on_is_recorded(folder, sources):
    source, expected = sources["10 bit"], hashes(sources["10 bit"])
    with Receiver(folder, "mp4", "--once") as receiver:
        with nginx.pusher(folder / "nginx", receiver.url) as port:
            url = f"rtmp://127.0.0.1:{port}/live/{KEY}"
            # nginx keeps no configuration of HEVC for those that come later, as the other server does.
            run(APUS, "stream", source, url, "--dialect", "legacy", "--repeat-config")
            finished(receiver.process)
        compare(receiver.path, expected, END)


TARGETS = ["flv", "mp4", "hevc"]


def begun(receiver):
    """Waits until a few pictures are in the file: in MP4, two fragments."""
    def is_so():
        if not receiver.path.exists():
            return False
        data = receiver.path.read_bytes()
        return data.count(b"moof") > 1 if receiver.path.suffix == ".mp4" else len(data) > 20_000
    until(is_so, "the recording has begun")


@pytest.mark.parametrize("target", TARGETS)
def test_what_a_publisher_sent_before_it_vanished_is_kept_when_it_returns(folder, source, expected, target):
    with Receiver(folder, target) as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url, endless=True)) as publisher:
            begun(receiver)
            publisher.kill()
        receiver.await_event("written")
        assert receiver.events("ended")[0]["error"], "nothing is said of the publisher that vanished"
        compare(receiver.path, expected, BEGINNING, sound=target != "hevc")
        first = receiver.path.read_bytes()
        run(*publishing((FFMPEG,), source, receiver.url))
        receiver.await_event("written", 2)
        compare(folder / f"out-1.{target}", expected, sound=target != "hevc")
        assert receiver.path.read_bytes() == first, "the second stream changes the first recording"
        receiver.end()


@pytest.mark.parametrize("target", TARGETS)
def test_a_recording_outlives_a_receiver_that_is_killed(folder, source, expected, target):
    with Receiver(folder, target) as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url, endless=True)):
            begun(receiver)
            receiver.process.kill()
            receiver.process.wait()
        compare(receiver.path, expected, BEGINNING, sound=target != "hevc")


@pytest.mark.parametrize("target", TARGETS)
def test_a_receiver_that_is_asked_to_end_finishes_the_recording(folder, source, expected, target):
    with Receiver(folder, target) as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url, endless=True)):
            begun(receiver)
            receiver.end()
        assert len(receiver.events("written")) == 1, "the recording is not finished"
        compare(receiver.path, expected, BEGINNING, sound=target != "hevc")


@pytest.mark.parametrize("target", TARGETS)
def test_a_full_disk_ends_publisher_and_receiver_and_what_was_written_stays(folder, source, expected, target):
    """A file may have 40 KiB, which is like a full disk."""
    limit = ("bash", "-c", 'trap "" XFSZ; ulimit -f 40; exec "$@"', "limit")
    with Receiver(folder, target, "--once", before=limit) as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url, endless=True)) as publisher:
            assert finished(publisher) != 0, "the publisher is not told"
        assert finished(receiver.process) == 1, f"receive ends with {receiver.process.returncode}"
        assert "too large" in str(receiver.events("failed")), f"it says: {receiver.events()}"
        compare(receiver.path, expected, CUT, sound=target != "hevc")


def test_a_wrong_key_or_app_and_a_second_publisher_are_refused_and_do_not_disturb_the_first(folder, source, expected):
    with Receiver(folder, "flv", "--once") as receiver:
        for wrong in (receiver.url + "x", receiver.url.replace("/live/", "/live2/")):
            with running(*publishing((FFMPEG,), source, wrong)) as publisher:
                assert finished(publisher) != 0, "a wrong key or app is taken"
        assert not receiver.path.exists(), "there is a file of a stream that was refused"
        with running(*publishing((FFMPEG,), source, receiver.url)) as publisher:
            begun(receiver)
            with stopped(publisher), running(*publishing((FFMPEG,), source, receiver.url)) as second:
                assert finished(second) != 0, "a second publisher is taken"
            finished(publisher)
        finished(receiver.process)
        compare(receiver.path, expected)


def test_players_get_the_stream_from_a_key_frame_on(folder, source, expected):
    arrived = [folder / "ffmpeg.flv", folder / "rtmpdump.flv"]
    with Receiver(folder, "flv", "--once") as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url)) as publisher:
            receiver.await_event("publishing")
            with contextlib.ExitStack() as stack:
                with stopped(publisher):
                    player = stack.enter_context(running(FFMPEG, "-i", receiver.url, "-c", "copy", arrived[0]))
                    other = stack.enter_context(running(
                        "rtmpdump", "--quiet", "--live", "--rtmp", receiver.url, "--flv", arrived[1]))
                    receiver.await_event("playing", 2)
                finished(publisher)
                finished(player)
                finished(other)
        finished(receiver.process)
    for path in arrived:
        compare(path, expected, END)


def test_names_of_streams_keep_the_letters_of_any_script_and_stay_distinct(folder, source):
    keys = {"频道一": "频道一", "频道二": "频道二", "café-é": "café-é", "a_b": "a_b", "हिन्दी": "हिन्दी",
            "a%2Fb": r"a_2Fb-[0-9a-f]{12}", "a.b": r"a_b-[0-9a-f]{12}", "..": r"__-[0-9a-f]{12}",
            "二" * 40: "二{29}-[0-9a-f]{12}"}
    port, log, out = free_port(), folder / "log", folder / "out"
    with contextlib.ExitStack() as stack:
        process = stack.enter_context(running(
            APUS, "receive", f"rtmp://127.0.0.1:{port}/live", "-o", f"{out}/", "--json", log=log, port=port))
        publishers = [stack.enter_context(running(*publishing((FFMPEG,), source, f"rtmp://127.0.0.1:{port}/live/{key}")))
                      for key in keys]
        for key, publisher in zip(keys, publishers):
            assert not finished(publisher), f"{key} is refused"
        until(lambda: len(programs.events(log, "written")) == len(keys), "all are written")
        process.terminate()
        finished(process)
    found = sorted(path.stem for path in out.iterdir())
    for wanted in keys.values():
        assert sum(bool(re.fullmatch(wanted, name)) for name in found) == 1, f"of {wanted} there are {found}"


def test_a_stream_arrives_by_tls(folder, source, expected):
    nginx.certificate(folder)
    words = ("--tls-cert", folder / "certificate.pem", "--tls-key", folder / "key.pem", "--once")
    with Receiver(folder, "mp4", *words, scheme="rtmps") as receiver:
        run(*publishing((FFMPEG,), source, receiver.url, "-tls_verify", "0"))
        finished(receiver.process)
        compare(receiver.path, expected)
