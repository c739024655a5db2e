# SPDX-License-Identifier: MIT
"""A live presentation whose process is stopped or killed goes on when it is started again: its numbers and names, and FFmpeg as a
player; its files go after a while, those of others stay, and no two processes write into it."""

import contextlib
import hashlib
import json
import random
import re
import shutil
import signal
import threading
import time

import pytest

import media
import programs
from once import once
from programs import APUS, FFMPEG, completed, finished, free_port, run, running, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params",
        "log-level=none:pools=1:frame-threads=1:keyint=25:min-keyint=25:bframes=2:open-gop=0"]
STRANGE = ["notes.txt", "init-7.mp4", "7.m4s", "part-7.m4s"]


def make(folder):
    for name, size in [("one", "320x180"), ("two", "192x108")]:
        run(FFMPEG, "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25", "-f", "lavfi", "-i",
            "sine=frequency=440:sample_rate=48000", "-t", "8", *HEVC, "-pix_fmt", "yuv420p", "-c:a", "aac", "-y",
            folder / f"{name}.mp4")


@pytest.fixture(scope="session")
def movies(shared):
    """A folder with two movies that differ in size."""
    return shared("restart", make)


@pytest.fixture
def source(movies):
    return movies / "one.mp4"


hashes = once(media.hashes)


class Receiver:
    """`apus receive`, which is stopped and started again at the same port with the same folder."""

    def __init__(self, work, *words, port=None):
        self.work, self.words, self.port, self.runs, self.process = work, words, port or free_port(), 0, None
        self.folder = work / "web/cam"
        self.url = f"rtmp://127.0.0.1:{self.port}/live/cam"

    def start(self, *words):
        self.runs += 1
        self.log = self.work / f"receive-{self.port}-{self.runs}.log"
        self.stack = contextlib.ExitStack()
        self.process = self.stack.enter_context(running(
            APUS, "receive", f"rtmp://127.0.0.1:{self.port}/live", "-o", f"{self.work}/out-{self.port}/", "--hls",
            self.work / "web", "--hls-time", "1", "--hls-window", "10", *(words or self.words), "--json", log=self.log))
        until(lambda: self.events("listening"), "it listens", 10)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *failure):
        self.stack.close()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.stack.close()

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        assert finished(self.process) == (0 if number == signal.SIGTERM else 130), \
            f"it ends with {self.process.returncode}: {self.log.read_text()[-400:]}"
        self.stack.close()

    def events(self, name):
        return programs.events(self.log, name)

    def playlist(self, name="video-1/index"):
        path = self.folder / f"{name}.m3u8"
        return path.read_text() if path.exists() else ""


def numbered(text):
    """The number of each segment of a playlist and the number of the discontinuities before it, by its name."""
    number = int(re.search(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", text)[1])
    discontinuity = int((re.search(r"#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)", text) or [0, 0])[1])
    segments = {}
    for line in text.splitlines():
        discontinuity += line == "#EXT-X-DISCONTINUITY"
        if not line.startswith("#"):
            segments[line] = (number, discontinuity)
            number += 1
    return segments


def names(text):
    return set(re.findall(r"^[^#].*", text, re.M))


class Watcher(threading.Thread):
    """Reads playlists and files all the time, as players and caches do: nothing that was said is taken back."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder, self.is_over, self.problems = folder, threading.Event(), []
        self.files, self.said, self.latest = {}, {}, {}

    def run(self):
        while not self.is_over.wait(0.05):
            for path in self.folder.glob("*/*"):
                with contextlib.suppress(OSError):
                    if path.suffix == ".m3u8":
                        text = path.read_text()
                        try:
                            self.read(path.relative_to(self.folder), text)
                        except TypeError:
                            self.problems.append(f"{path.name} is not whole: {text}")
                    elif path.suffix in (".m4s", ".mp4"):
                        self.see(path)

    def read(self, name, text):
        segments = numbered(text)
        if name.name == "index.m3u8":
            for segment, numbers in segments.items():
                if self.said.setdefault((name, segment), numbers) != numbers:
                    self.problems.append(f"{name}: {segment} was {self.said[name, segment]} and is {numbers}")
        first = (int(re.search(r"SEQUENCE:(\d+)", text)[1]), *list(segments.values())[-1:])
        if name in self.latest and first < self.latest[name]:
            self.problems.append(f"{name}: {first} follows {self.latest[name]}")
        self.latest[name] = first

    def see(self, path):
        status = path.stat()
        key = (status.st_ino, status.st_mtime_ns, status.st_size)
        if self.files.get(path, (key, ""))[0] != key or path not in self.files:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            if path in self.files and self.files[path][1] != content:
                self.problems.append(f"{path.name} has become another file")
            self.files[path] = (key, content)

    def end(self):
        self.is_over.set()
        self.join()
        assert not self.problems, "; ".join(self.problems[:3])


# A publisher that has lost its connection leaves pictures out, and the playlist of key frames is written after the others.
ALLOWED = ("frame-rate", "part-duration", "block-reload", "length")


def check(job, *allowed, least="warning"):
    """`apus hls check` finds nothing in what lies there at this moment."""
    copy = job.work / f"copy-{job.runs}-{time.monotonic_ns()}"
    # Playlists first: what they name is there.
    for pattern in ("index.m3u8", "*/*.m3u8", "*/*.m[4p][s4]"):
        for path in job.folder.glob(pattern):
            with contextlib.suppress(FileNotFoundError):
                target = copy / path.relative_to(job.folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
    done = completed(APUS, "hls", "check", copy / "index.m3u8", "--json", status=None, text=True)
    found = [row for row in json.loads(done.stdout or "[]")
             if row["rule"] not in ALLOWED + allowed and least in ("warning", row["severity"])]
    assert done.returncode in (0, 1) and not found, f"the check finds {found} {done.stderr} in {copy}"


def again(job, seed):
    """It is started again, and what players have goes on."""
    old = set(numbered(job.playlist()))
    check(job)
    job.start()
    until(lambda: "#EXT-X-DISCONTINUITY\n" in job.playlist() and set(numbered(job.playlist())) - old, f"it goes on (seed {seed})", 30)
    assert old & set(numbered(job.playlist())) and "ENDLIST" not in job.playlist(), \
        f"what players have is gone from {job.playlist()}"
    check(job)


@pytest.mark.parametrize("words", [
    pytest.param((), id="segments"), pytest.param(("--hls-part", "0.2", "--hls-listen", "127.0.0.1:0", "--hls-open"), id="parts"),
])
def test_a_publisher_and_a_player_go_on_with_a_receiver_that_is_killed_or_ended(folder, source, words):
    """It is killed at random moments, and stopped once."""
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    with Receiver(folder, *words) as job, running(
            APUS, "stream", source, job.url, "--dialect", "enhanced", "--loop", "--retry", "50"):
        until(lambda: job.playlist().count("#EXTINF") >= 3 and job.playlist("index"), "three segments are there", 15)
        for name in STRANGE:
            (job.folder / "video-1" / name).write_text("strange")
        watcher = Watcher(job.folder)
        watcher.start()
        log = folder / "player.txt"
        with running(FFMPEG, "-live_start_index", "0", "-i", job.folder / "index.m3u8", "-map", "0:v", "-fps_mode",
                     "passthrough", "-f", "framehash", "-", log=log) as player:
            for turn in range(2):
                if turn and "--hls-open" in words:
                    job.end()
                else:
                    job.kill()
                again(job, seed)
                time.sleep(chance.uniform(0, 1.5))
            job.end(signal.SIGINT)
            check(job)
            assert finished(player, 15) == 0, f"the player ends with {player.returncode}"
        again(job, seed)
        first = min(numbered(job.playlist()).values())[0]
        until(lambda: min(numbered(job.playlist()).values())[0] > first + 6, "the window moves", 15)
        job.end(signal.SIGINT)
        watcher.end()
        check(job)
        shown, known = media.column(log.read_text()), set(hashes(source)[0])
        bad = [line for line in log.read_text().splitlines() if line[:1] not in "#0123456789"]
        assert len(shown) >= 120 and not set(shown) - known, \
            f"the player shows {len(shown)} pictures, {len(set(shown) - known)} of them others; seed {seed}, {bad[:3]}"
        assert len(list(job.folder.glob("video-1/[0-9]*.m4s"))) <= 35 and not list(job.folder.glob("*/.*apus-[0-9]*")), \
            f"there are {sorted(path.name for path in job.folder.glob('video-1/*'))}"
        for name in STRANGE:
            assert (job.folder / "video-1" / name).read_text() == "strange", f"{name} was touched"


def test_other_options_another_stream_or_damage_begin_with_new_numbers(folder, source):
    words = [(), ("--hls-part", "0.25"), ("--hls-part", "0.4"), ("--hls-time", "2"), ("--hls-time", "2"), ("--hls-time", "2")]
    with Receiver(folder) as job:
        watcher = Watcher(job.folder)
        for turn, options in enumerate(words):
            if turn:
                job.start(*options)
            other = source.with_name("two.mp4" if turn % 2 else "one.mp4")
            before = job.playlist()
            old = numbered(before) if before else {}
            with running(APUS, "stream", other, job.url, "--dialect", "enhanced", "--speed", "2"):
                until(lambda: names(job.playlist()) - set(old), "a segment is there", 15)
                if turn > 3:
                    until(lambda: job.playlist("index") and names(job.playlist("audio-1/index")) - set(old), "all are there again", 15)
                assert not old or turn >= 4 or not set(old) & set(numbered(job.playlist())), \
                    f"with other options it goes on in {job.playlist()}"
                assert not old or max(old.values()) < min(numbered(job.playlist()).values()) or turn >= 4, \
                    f"its numbers are {job.playlist()} after {before}"
                if not turn:
                    until(lambda: job.playlist("index"), "all playlists are there")
                    watcher.start()
                job.kill()
            # It was killed between two playlists.
            check(job, "same-target", least="error")
            if turn == 3:
                watcher.end()
                # Nothing else may stop it: a playlist that is cut off, and files that are gone.
                (job.folder / "audio-1/index.m3u8").write_bytes(b"#EXTM3U\n#EXT-X-VERS")
            if turn == 4:
                for path in [*job.folder.glob("*/init-*"), job.folder / "index.m3u8"]:
                    path.unlink(missing_ok=True)


def test_another_process_with_a_stream_of_the_same_name_records_it_and_writes_nothing_there(folder, source):
    with Receiver(folder) as job, Receiver(folder) as other:
        with running(APUS, "stream", source, job.url, "--dialect", "enhanced"):
            until(lambda: job.playlist("index"), "a segment is there", 15)
            with running(APUS, "stream", source, other.url, "--dialect", "enhanced"):
                until(lambda: other.events("unpresented"), "the second is refused", 10)
                until(lambda: job.playlist().count("#EXTINF") >= 5, "the first goes on", 15)
                assert "another process" in other.log.read_text(), other.log.read_text()
                assert len({value[1] for value in numbered(job.playlist()).values()}) == 1, job.playlist()
                check(job)
        until(lambda: other.events("written"), "the second is recorded", 15)
