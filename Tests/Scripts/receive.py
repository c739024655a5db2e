#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What others publish to apus receive, and play from it, is what they have; recordings outlive whoever is killed."""

import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import jsonschema  # noqa: E402
import media  # noqa: E402
import nginx  # noqa: E402
import programs  # noqa: E402
from programs import FFMPEG, Failure, finished, run, running, stopped, until  # noqa: E402

OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
KEY = "hidden-key"
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((ROOT / "Sources/ApusCommand/Schemas/receive.schema.json").read_text()))


class Receiver:
    """`apus receive` that runs meanwhile."""

    def __init__(self, work, target, *words, scheme="rtmp", before=()):
        self.work, self.scheme = work, scheme
        self.path = work / f"out.{target}"
        self.log = work / "receive.log"
        self.before, self.words = before, (*words, "--json")

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.process = self.stack.enter_context(running(
            *self.before, programs.APUS, "receive", self.at(0), "-o", self.path, *self.words,
            log=self.log))
        self.await_event("listening")
        self.url = self.at(self.events("listening")[0]["port"])
        return self

    def __exit__(self, *failure):
        self.stack.close()
        if KEY in self.log.read_text():
            raise Failure("the key is told")
        for event in self.events():
            if not SCHEMA.is_valid(event):
                raise Failure(f"the schema knows no such event: {event}")

    def at(self, port):
        return f"{self.scheme}://127.0.0.1:{port}/live/{KEY}"

    def events(self, name=None):
        return programs.events(self.log, name)

    def await_event(self, name, count=1):
        until(lambda: len(self.events(name)) >= count, f"{count} times the event {name}")

    def end(self):
        self.process.terminate()
        finished(self.process)


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
        if not is_right or part == WHOLE and len(found) < len(wanted):
            raise Failure(f"{path.name}: {len(found)} {what} are not {part} of the {len(wanted)}")


def pictures(path):
    text = run(FFMPEG, "-i", path, "-map", "0:v:0", "-f", "framehash", "-")
    return media.column(text)


def whole(work, source, expected, program, target):
    with Receiver(work, target, "--once") as receiver:
        run(*publishing(program, source, receiver.url))
        if finished(receiver.process) != 0:
            raise Failure(f"receive ends with {receiver.process.returncode}")
        compare(receiver.path, expected, sound=target != "hevc")
        if target == "mp4" and b"moof" in receiver.path.read_bytes():
            raise Failure("the finished file is in fragments")


def parts(work, source, expected, target):
    """Parts of a second, each playable alone, in which joined nothing is lost or doubled."""
    program = OLD_FFMPEG if "avc" in source.name else (FFMPEG,)
    log = work / "finished.txt"
    tool = work / "tool with spaces"
    tool.write_text(f'#!/bin/sh\nprintf "%s|%s\\n" "$1" "$2" >>"{log}"\ncat\necho said\n')
    tool.chmod(0o755)
    # A file that a run before this one has left takes a number.
    (work / "out 00002.x").write_bytes(b"mine")
    with Receiver(work, target, "--once", "--segment-time", "1", "--on-part", tool) as receiver:
        run(*publishing(program, source, receiver.url))
        if finished(receiver.process) != 0:
            raise Failure(f"receive ends with {receiver.process.returncode}")
        written = [pathlib.Path(event["path"]) for event in receiver.events("written")]
        made = sorted(work.glob(f"out-*.{target}"))
        if sorted(written) != made or [path.stem for path in made] != [f"out-0000{n}" for n in range(1, len(made) + 1)]:
            raise Failure(f"parts: {made}, written: {written}")
        if len(made) < 2 or len(receiver.events("part")) != len(made) - 1:
            raise Failure(f"{len(made)} parts")
        told = sorted(line.split("|") for line in log.read_text().splitlines())
        if told != [[str(path), "live"] for path in made]:
            raise Failure(f"the program was called with {told}")
        joined = work / f"joined.{target}"
        run(programs.APUS, "remux", *made, "-o", joined)
        compare(joined, expected, sound=target != "hevc")
        for part in made[1:]:
            # Leading pictures need those of the part before.
            if len(pictures(part)) < 15:
                raise Failure(f"{part.name} has {len(pictures(part))} pictures")
    if (work / "out 00002.x").read_bytes() != b"mine":
        raise Failure("a file of somebody else was touched")


def parts_that_stay(work, source, expected, _):
    """The oldest parts of this run go, and none that somebody else has written, not even in the place of one."""
    folder = work / "days"
    with Receiver(work, "flv", "--segment-time", "1", "--keep", "2") as receiver:
        for _ in range(2):
            run(*publishing((FFMPEG,), source, receiver.url))
        receiver.await_event("written", 6)
        receiver.await_event("removed", 4)
        kept = sorted(path.name for path in work.glob("out-*.flv"))
        if kept != ["out-00005.flv", "out-00006.flv"] or len(receiver.events("removed")) != 4:
            raise Failure(f"there are {kept}")
        (work / "out-00005.flv").write_bytes(b"mine")
        (work / "out-00007.flv").write_bytes(b"mine, too")
        run(*publishing((FFMPEG,), source, receiver.url))
        receiver.await_event("written", 9)
        receiver.await_event("removed", 6)
        kept = sorted(path.name for path in work.glob("out-*.flv"))
        if kept != ["out-00005.flv", "out-00007.flv", "out-00009.flv", "out-00010.flv"]:
            raise Failure(f"there are {kept}")
        if (work / "out-00005.flv").read_bytes() + (work / "out-00007.flv").read_bytes() != b"minemine, too":
            raise Failure("a file of somebody else was touched")
    # A day and a time of day in the name, which need no key.
    receiver = Receiver(work, "mp4")
    receiver.path = folder / "{key} {date}/{time}.mp4"
    with receiver:
        run(*publishing((FFMPEG,), source, receiver.url))
        receiver.await_event("written")
        path = pathlib.Path(receiver.events("written")[0]["path"])
        if not re.fullmatch(r"live \d{4}-\d\d-\d\d/\d\d-\d\d-\d\d", str(path.relative_to(folder).with_suffix(""))):
            raise Failure(f"{path}")
        compare(path, expected)
    for words in [["--keep", "2"], ["--segment-time", "0.1"], ["--segment-size", "0"]]:
        run(programs.APUS, "receive", "rtmp://127.0.0.1:0/live/key", "-o", work / "x.flv", *words, status=2)


def from_nginx(work, source, expected, dialect):
    """nginx publishes on what it is given."""
    with Receiver(work, "mp4", "--once") as receiver:
        with nginx.pusher(work / "nginx", receiver.url) as port:
            url = f"rtmp://127.0.0.1:{port}/live/{KEY}"
            # nginx keeps no configuration of HEVC for those that come later, as the other server does.
            run(programs.APUS, "stream", source, url, "--dialect", dialect, "--repeat-config")
            finished(receiver.process)
        compare(receiver.path, expected, END)


def begun(receiver):
    """A few pictures are in the file: in MP4 two fragments are."""
    def is_so():
        if not receiver.path.exists():
            return False
        data = receiver.path.read_bytes()
        return data.count(b"moof") > 1 if receiver.path.suffix == ".mp4" else len(data) > 20_000
    until(is_so, "the recording has begun")


def lost_publisher(work, source, expected, target):
    with Receiver(work, target) as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url, endless=True)) as publisher:
            begun(receiver)
            publisher.kill()
        receiver.await_event("written")
        if not receiver.events("ended")[0]["error"]:
            raise Failure("nothing is said of the publisher that vanished")
        compare(receiver.path, expected, BEGINNING, sound=target != "hevc")
        first = receiver.path.read_bytes()
        run(*publishing((FFMPEG,), source, receiver.url))
        receiver.await_event("written", 2)
        compare(work / f"out-1.{target}", expected, sound=target != "hevc")
        if receiver.path.read_bytes() != first:
            raise Failure("the second stream changes the first recording")
        receiver.end()


def lost_receiver(work, source, expected, target):
    with Receiver(work, target) as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url, endless=True)):
            begun(receiver)
            receiver.process.kill()
            receiver.process.wait()
        compare(receiver.path, expected, BEGINNING, sound=target != "hevc")


def interrupted(work, source, expected, target):
    with Receiver(work, target) as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url, endless=True)):
            begun(receiver)
            receiver.end()
        if len(receiver.events("written")) != 1:
            raise Failure("the recording is not finished")
        compare(receiver.path, expected, BEGINNING, sound=target != "hevc")


def full_disk(work, source, expected, target):
    """A file may have 40 KiB, which is like a disk that is full, and what was written stays."""
    limit = ("bash", "-c", 'trap "" XFSZ; ulimit -f 40; exec "$@"', "limit")
    with Receiver(work, target, "--once", before=limit) as receiver:
        with running(*publishing((FFMPEG,), source, receiver.url, endless=True)) as publisher:
            if finished(publisher) == 0:
                raise Failure("the publisher is not told")
        if finished(receiver.process) != 1:
            raise Failure(f"receive ends with {receiver.process.returncode}")
        if "too large" not in str(receiver.events("failed")):
            raise Failure(f"it says: {receiver.events()}")
        compare(receiver.path, expected, CUT, sound=target != "hevc")


def refused(work, source, expected, _):
    """A wrong key, a wrong app, and a second publisher; none of them disturbs the first."""
    with Receiver(work, "flv", "--once") as receiver:
        for wrong in (receiver.url + "x", receiver.url.replace("/live/", "/live2/")):
            with running(*publishing((FFMPEG,), source, wrong)) as publisher:
                if finished(publisher) == 0:
                    raise Failure("a wrong key or app is taken")
        if receiver.path.exists():
            raise Failure("there is a file of a stream that was refused")
        with running(*publishing((FFMPEG,), source, receiver.url)) as publisher:
            begun(receiver)
            with stopped(publisher), running(*publishing((FFMPEG,), source, receiver.url)) as second:
                if finished(second) == 0:
                    raise Failure("a second publisher is taken")
            finished(publisher)
        finished(receiver.process)
        compare(receiver.path, expected)


def played(work, source, expected, _):
    """Players get the stream from a key frame on."""
    arrived = [work / "ffmpeg.flv", work / "rtmpdump.flv"]
    with Receiver(work, "flv", "--once") as receiver:
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


def names(work, source, expected, _):
    """Streams keep the letters of any script; names with other characters are told apart."""
    keys = {"频道一": "频道一", "频道二": "频道二", "café-é": "café-é", "a_b": "a_b", "हिन्दी": "हिन्दी",
            "a%2Fb": r"a_2Fb-[0-9a-f]{12}", "a.b": r"a_b-[0-9a-f]{12}", "..": r"__-[0-9a-f]{12}", "二" * 40: "二{29}-[0-9a-f]{12}"}  # fmt: skip
    port, log, folder = programs.free_port(), work / "log", work / "out"
    with contextlib.ExitStack() as stack:
        process = stack.enter_context(running(
            programs.APUS, "receive", f"rtmp://127.0.0.1:{port}/live", "-o", f"{folder}/", "--json", log=log, port=port))
        publishers = [stack.enter_context(running(*publishing((FFMPEG,), source, f"rtmp://127.0.0.1:{port}/live/{key}"))) for key in keys]
        for key, publisher in zip(keys, publishers):
            if finished(publisher):
                raise Failure(f"{key} is refused")
        until(lambda: len(programs.events(log, "written")) == len(keys), "all are written")
        process.terminate()
        finished(process)
    found = sorted(path.stem for path in folder.iterdir())
    for wanted in keys.values():
        if sum(bool(re.fullmatch(wanted, name)) for name in found) != 1:
            raise Failure(f"of {wanted} there are {found}")


def by_tls(work, source, expected, _):
    nginx.certificate(work)
    words = ("--tls-cert", work / "certificate.pem", "--tls-key", work / "key.pem", "--once")
    with Receiver(work, "mp4", *words, scheme="rtmps") as receiver:
        run(*publishing((FFMPEG,), source, receiver.url, "-tls_verify", "0"))
        finished(receiver.process)
        compare(receiver.path, expected)


RUNS = [
    (whole, "8 bit", (FFMPEG,), "flv"),
    (whole, "8 bit", (FFMPEG,), "mp4"),
    (whole, "10 bit", (FFMPEG,), "mp4"),
    (whole, "10 bit", (FFMPEG,), "hevc"),
    (whole, "AVC", OLD_FFMPEG, "flv"),
    (whole, "AVC", OLD_FFMPEG, "mp4"),
    *((parts, *row) for row in [("8 bit", "flv"), ("10 bit", "mp4"), ("10 bit", "hevc"), ("AVC", "mp4")]),
    (parts_that_stay, "8 bit", None),
    (from_nginx, "10 bit", "legacy"),
    (by_tls, "8 bit", None),
    (names, "8 bit", None),
    (refused, "8 bit", None),
    (played, "8 bit", None),
    *((kind, "8 bit", target) for kind in (lost_publisher, lost_receiver, interrupted, full_disk)
      for target in ("flv", "mp4", "hevc")),
]  # fmt: skip


def main():
    subprocess.run(["bash", "-c", '. "$1"/Scripts/setup; need_packages run test', "receive", ROOT],
                   stdin=subprocess.DEVNULL, check=True)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sources = media.make(folder)
        sources["AVC"] = media.make_avc(folder)
        expected = {name: media.hashes(path) for name, path in sources.items()}
        for number, (check, name, *words) in enumerate(RUNS):
            work = folder / str(number)
            work.mkdir()
            shown = ", ".join(pathlib.Path(word[0]).name if isinstance(word, tuple) else word for word in words if word)
            title = f"{check.__name__.replace('_', ' ')}, {name}" + (shown and f", {shown}")
            try:
                check(work, sources[name], expected[name], *words)
                print(f"{title}: as it should be", flush=True)
            except Failure as failure:
                failed += 1
                print(f"{title}: {failure}", file=sys.stderr, flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
