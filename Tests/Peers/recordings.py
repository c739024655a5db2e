# SPDX-License-Identifier: MIT
"""`apus receive` while the disk is full or fails, or the process is killed: every recording is whole, or it is said not to
be and holds the beginning of what was published; streams that are not concerned go on, and so does the server."""

import contextlib
import errno
import functools
import pathlib
import shutil
import signal
import subprocess
import time

from programs import APUS, FFMPEG, Failure, events, finished, run, until

# As many calls of a run fail in turn; which they are is drawn.
MOMENTS = 3
FAULTS = (("a full disk", errno.ENOSPC, True), ("EIO", errno.EIO, False), ("SIGKILL", 0, False))


def jobs(work, shim, generator):
    """What may be recorded in each form; the stream that is published is made when the first of them begins."""
    @functools.cache
    def source():
        path = work / "published.mp4"
        run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=322x182:rate=25", "-f", "lavfi", "-i", "sine=sample_rate=44100",
            "-t", "4", "-c:v", "libx265", "-crf", "10", "-tag:v", "hvc1", "-c:a", "aac", "-x265-params",
            "log-level=none:pools=1:frame-threads=1:bframes=3:keyint=25", path)
        return path

    forms = [("flv", False), ("mp4", False), ("hevc", False), ("mp4", True)]
    return [Recordings(form, replaces, work, shim, generator, source) for form, replaces in forms]


class Recordings:
    """A server that takes two streams at once, and a third after those."""

    def __init__(self, form, replaces, work, shim, generator, source):
        self.name = f"receive {form}" + (" and replace" if replaces else "")
        self.replaces = replaces
        self.form, self.work, self.shim, self.generator, self.source = form, work, shim, generator, source
        self.folder, self.log = work / "recorded", work / "receive.log"

    @functools.cached_property
    def whole(self):
        """What a recording is that nothing went wrong with, and the calls of a run."""
        self.lay_out()
        with self.server(self.shim.environment(self.folder)) as server:
            self.publish("a", "b")
            self.await_events("written", 2)
            calls = self.shim.calls
            self.publish("c")
            self.await_events("written", 3)
            if self.end(server) != 0:
                raise Failure(f"{self.name}: ends with {server.returncode} without a fault")
        first, *others = (path.read_bytes() for path in self.folder.iterdir())
        if any(other != first for other in others):
            raise Failure(f"{self.name}: the same stream is recorded in different ways")
        path = self.work / f"whole.{self.form}"
        path.write_bytes(first)
        return first, self.content(path), calls

    def faults(self):
        calls = self.whole[2]
        for kind, error, sticky in FAULTS:
            moments = range(1, calls + 1)
            for moment in sorted({1, *self.generator.sample(moments, min(MOMENTS, calls))}):
                where = f"{self.name}, {kind} at call {moment} of {calls}"
                yield functools.partial(self.trial, where, moment, error, sticky)

    def kills(self, count):
        start = time.monotonic()
        self.trial(f"{self.name}, no fault", 0, 1, False)
        seconds = time.monotonic() - start
        for number in range(count):
            moment = self.generator.random() * seconds
            yield functools.partial(self.killed, f"{self.name}, killed {number} after {moment:.4f} s", moment)

    def trial(self, where, moment, error, sticky):
        """A run in which one call fails, or from which on all do."""
        self.lay_out()
        with self.server(self.shim.environment(self.folder, moment, error, sticky)) as server:
            self.publish("a", "b")
            if error:
                until(lambda: self.is_over("ab"), f"{where}: the end of both streams")
                self.publish("c")
                until(lambda: self.is_over("abc"), f"{where}: the end of the third stream")
                status = self.end(server)
                self.check_reports(where, moment > 0, status, sticky)
            else:
                finished(server)
        self.check_files(where, self.finished_names() if error else ())
        self.check_next(where)

    def killed(self, where, seconds):
        self.lay_out()
        with self.server() as server:
            publishers = [self.publisher(name) for name in ("a", "b")]
            # The moment is the point of the test; nothing is waited for.
            time.sleep(seconds)
            server.kill()
            for process in publishers:
                finished(process)
        self.check_files(where, ())
        self.check_next(where)

    # What must hold.

    def check_reports(self, where, is_faulty, status, sticky):
        """What went wrong is said, and the rest went on."""
        wrong = self.events("failed") + self.events("unfinished")
        if bool(wrong) != (status == 1) or wrong and not is_faulty:
            raise Failure(f"{where}: ends with {status}, and says {wrong}")
        names = self.finished_names()
        # What fails once may be done in another way.
        if not sticky and len(names) < (2 if wrong else 3):
            raise Failure(f"{where}: only {sorted(names)} were recorded")

    def check_files(self, where, names):
        """What is said to be finished is whole; the rest is a beginning."""
        continued = self.continued()
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith(".") or path.name in continued:
                continue
            if path.stem in names:
                if path.read_bytes() != self.whole[0]:
                    raise Failure(f"{where}: {path.name} is said to be finished, and is not whole")
            elif path.read_bytes() not in (self.whole[0], self.old):
                self.check_beginning(where, path)

    def check_beginning(self, where, path):
        size = path.stat().st_size
        found = self.content(path) if size > 0 else []
        if found is None:
            # Until the first fragment or picture is whole there is nothing to be read.
            if size > 1 << 16:
                raise Failure(f"{where}: nothing can be read of the {size} bytes of {path.name}")
            return
        for one, wanted in zip(found, self.whole[1]):
            if one != wanted[:len(one)]:
                raise Failure(f"{where}: {path.name} holds what was not published")

    def check_next(self, where):
        """The next server changes nothing of what is there, takes streams of the same names, and cleans up."""
        before = {path.name: path.read_bytes() for path in self.folder.iterdir() if not path.name.startswith(".")}
        with self.server(on_exists="rename") as server:
            self.publish("a", "b")
            self.await_events("written", 2)
            self.end(server)
        now = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        if any(now.get(name) != data for name, data in before.items()):
            raise Failure(f"{where}: the next run changes a recording that was there")
        if [data for name, data in now.items() if name not in before] != [self.whole[0]] * 2:
            raise Failure(f"{where}: after the next run there are {sorted(now)}, and two should be new and whole")

    # What is run.

    old = b"a recording of yesterday"

    def lay_out(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for name in "abc" if self.replaces else "":
            (self.folder / f"{name}.{self.form}").write_bytes(self.old)

    @contextlib.contextmanager
    def server(self, environment=None, on_exists=None):
        on_exists = on_exists or ("replace" if self.replaces else "rename")
        with open(self.log, "wb") as log:
            process = subprocess.Popen(
                [APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{self.folder}/", "--format", self.form, "--json",
                 "--on-exists", on_exists],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            self.await_events("listening", 1)
            self.port = self.events("listening")[0]["port"]
            yield process
        finally:
            process.kill()
            process.wait()

    def end(self, server):
        server.send_signal(signal.SIGTERM)
        return finished(server)

    def publisher(self, name):
        return subprocess.Popen(
            [APUS, "stream", self.source(), f"rtmp://127.0.0.1:{self.port}/live/{name}", "--no-pace", "--retry", "0",
             "--dialect", "enhanced", "--quiet"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def publish(self, *names):
        for process in [self.publisher(name) for name in names]:
            finished(process)

    def events(self, name):
        return events(self.log, name)

    def await_events(self, name, count):
        until(lambda: len(self.events(name)) >= count, f"{self.name}: {count} times the event {name}")

    def is_over(self, names):
        """Whether these streams came, and it is said what became of each."""
        named = {event["name"] for kind in ("publishing", "failed") for event in self.events(kind)}
        ends = len(self.events("written")) + len(self.events("unfinished"))
        return named.issuperset(names) and len(self.events("publishing")) == ends

    def finished_names(self):
        """What was recorded from beginning to end; what a publisher sends after it was cut off begins elsewhere."""
        failed = {event["name"] for kind in ("failed", "unfinished") for event in self.events(kind)}
        return {event["name"] for event in self.events("written")} - failed

    def continued(self):
        """Recordings of publishers that came again."""
        paths = {}
        for event in self.events("publishing"):
            paths.setdefault(event["name"], []).append(pathlib.Path(event["path"]).name)
        return {name for names in paths.values() for name in names[1:]}

    def content(self, path):
        """What can be read of a recording, of each kind in order; `None` where there is nothing."""
        if self.form == "hevc":
            return [path.read_bytes()]
        out = self.work / "recovered.flv"
        out.unlink(missing_ok=True)
        done = subprocess.run([APUS, "remux", "--quiet", "--recover", path, "-o", out], stdin=subprocess.DEVNULL,
                              capture_output=True)
        if done.returncode != 0 and not out.exists():
            return None
        return media_tags(out.read_bytes())


def media_tags(data):
    """The tags of an FLV file with sound, and those with pictures, but for what says that there are no more."""
    found, place = {8: [], 9: []}, 13
    while place + 11 <= len(data):
        kind, size = data[place] & 31, int.from_bytes(data[place + 1:place + 4], "big")
        if data[place + 11:place + 16] != b"\x92hvc1":
            found.get(kind, []).append(data[place:place + 11 + size])
        place += 15 + size
    return list(found.values())
