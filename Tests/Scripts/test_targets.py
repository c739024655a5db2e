# SPDX-License-Identifier: MIT
"""A stream goes to several servers at once, from apus stream and through apus receive --forward: each gets all of it, and
one that is slow, gone or refuses disturbs no other."""

import contextlib
import datetime
import signal
import socket
import subprocess
import threading
import time

import pytest

import media
import nginx
from jobs import Job, receiver
from once import once
from programs import APUS, FFMPEG, Failure, finished, free_port, run, running, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

hashes = once(media.hashes)
OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")


class Mute:
    """A server that takes connections and says nothing, ever."""

    def __enter__(self):
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.clients = []
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                self.clients.append(self.door.accept()[0])

    def __exit__(self, *failure):
        self.door.close()
        for client in self.clients:
            client.close()


class Narrow:
    """A way to a server that lets so many bytes a second through."""

    def __init__(self, port, speed):
        self.target, self.speed = port, speed

    def __enter__(self):
        self.door = socket.socket()
        self.door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        self.door.bind(("127.0.0.1", 0))
        self.door.listen()
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client = self.door.accept()[0]
                server = socket.create_connection(("127.0.0.1", self.target))
                for ends in ((client, server, True), (server, client, False)):
                    threading.Thread(target=self.pump, args=ends, daemon=True).start()

    def pump(self, source, target, is_slow):
        with contextlib.suppress(OSError):
            while data := source.recv(2048):
                if is_slow:
                    time.sleep(len(data) / self.speed)
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def __exit__(self, *failure):
        self.door.close()


class Late:
    """A way to a server that opens after so many seconds."""

    def __init__(self, port, seconds):
        self.target, self.seconds = port, seconds

    def __enter__(self):
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def accept(self):
        with contextlib.suppress(OSError):
            client = self.door.accept()[0]
            time.sleep(self.seconds)
            server = socket.create_connection(("127.0.0.1", self.target))
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=(source, target), daemon=True).start()

    def pump(self, source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def __exit__(self, *failure):
        self.door.close()


def moment(event):
    """When an event was, in seconds."""
    return datetime.datetime.fromisoformat(event["at"]).timestamp()


def compare(path, published, what):
    for kind, found, expected in zip(("pictures", "packets of sound"), media.hashes(path), published):
        if found != expected:
            same = sum(left == right for left, right in zip(found, expected))
            raise Failure(f"{what}: {len(found)} {kind} arrive, {same} of {len(expected)} as they were")


def make_one(path, seconds, rate, codec="libx265"):
    """Noise, so that it has as many bits as it is to have."""
    options = {
        "libx265": ["-x265-params", f"log-level=none:pools=1:frame-threads=1:keyint=25:bframes=2:vbv-maxrate={rate}:vbv-bufsize={rate}",
                    "-tag:v", "hvc1"],
        "libx264": ["-g", "25", "-bf", "2"],
    }[codec]
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25,noise=alls=20:allf=t", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=44100", "-t", seconds, "-c:v", codec, "-preset", "ultrafast", "-pix_fmt", "yuv420p",
        "-b:v", f"{rate}k", *options, "-c:a", "aac", "-y", path)
    return path


def make(folder):
    make_one(folder / "source.mp4", 6, 1000)
    make_one(folder / "avc.mp4", 4, 600, "libx264")


@pytest.fixture(scope="session")
def movies(shared):
    """The folder of the movies."""
    return shared("targets", make)


@pytest.fixture
def source(movies):
    return movies / "source.mp4"


@pytest.fixture
def expected(source):
    """The hashes of the pictures and of the packets of sound in the source."""
    return hashes(source)


def test_all_of_several_servers_get_everything_beside_absent_mute_and_slow_ones(folder, source, expected):
    port, arrived = free_port(), folder / "ffmpeg.flv"
    url = f"rtmp://127.0.0.1:{port}/live/secret"
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(running(FFMPEG, "-listen", "1", "-i", url, "-c", "copy", "-y", arrived, port=port))
        one = stack.enter_context(receiver(folder / "one"))
        two = stack.enter_context(receiver(folder / "two", name="out.mp4"))
        slow = stack.enter_context(receiver(folder / "slow"))
        relay = stack.enter_context(nginx.relay(folder / "nginx"))
        mute = stack.enter_context(Mute())
        way = stack.enter_context(Narrow(int(slow.url.split(":")[2].split("/")[0]), 40_000))
        targets = folder / "targets.txt"
        targets.write_text(
            "# servers of the test\n\n"
            f"rtmp://127.0.0.1:{relay}/live/secret dialect=legacy name=nginx\n"
            f"rtmp://127.0.0.1:1/live/secret retry=1 name=gone\n"
            f"  rtmp://127.0.0.1:{mute.port}/live/secret retry=0 name=mute\n"
            f"rtmp://127.0.0.1:{way.port}/live/secret queue=2 name=slow\n")
        words = [source, url, one.url, two.url, "--targets", targets, "--dialect", "enhanced"]
        with Job("stream", folder / "stream.log", *words) as job:
            ends = [job.wait("ended", target=number) for number in (1, 2, 3, 4)]
            begins = [job.wait("publishing", target=number) for number in (1, 2, 3, 4)]
            took = max(map(moment, ends)) - min(map(moment, begins))
            assert finished(job.process) == 1, f"the status is {job.process.returncode}, though targets were given up"
            failed = {event["target"] for event in job.events("ended") if event["error"]}
            assert failed == {5, 6}, f"the targets {failed} failed, not those that are gone and mute"
            (end,) = job.events("finished")
            assert (end["targets"], end["failed"]) == (7, 2), f"the end is told as {end}"
            for number in (1, 2, 3, 4):
                assert not job.events("dropped", target=number) and not job.events("lost", target=number), \
                    f"target {number} is disturbed"
            assert job.events("dropped", target=7), "nothing was left out for the slow server"
        # As slow as the slow server it would take eighteen.
        assert 5.5 < took < 15, f"six seconds of stream took {took:.1f} s"
        finished(listener)
        log = folder / "nginx/error.log"
        until(lambda: "disconnect" in log.read_text(), "nginx ends the session")
        for part in (one, two, slow):
            part.process.terminate()
            finished(part.process)
        compare(arrived, expected, "FFmpeg")
        compare(folder / "one/out.flv", expected, "the first receiver")
        compare(folder / "two/out.mp4", expected, "the second receiver")
        compare(next((folder / "nginx/recorded").iterdir()), expected, "nginx")
        pictures = media.hashes(folder / "slow/out.flv")[0]
        assert 10 < len(pictures) < len(expected[0]), f"{len(pictures)} pictures arrive over the slow way"


def test_a_file_of_targets_may_change_meanwhile(folder, source):
    """A new target begins at a key frame and at 0; one that is gone ends in order."""
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(receiver(folder / "kept"))
        gone = stack.enter_context(receiver(folder / "gone"))
        new = stack.enter_context(receiver(folder / "new"))
        targets = folder / "targets.txt"
        dead = "rtmp://127.0.0.1:1/live/secret retry=0 name=dead\n"
        targets.write_text(f"{kept.url}\n{gone.url}\n{dead}")
        words = [source, "--targets", targets, "--loop", "--dialect", "enhanced"]
        with Job("stream", folder / "stream.log", *words) as job:
            gone.wait("format")
            job.wait("ended", target=3)
            time.sleep(1.3)
            targets.write_text("rtmp://127.0.0.1/live/secret dialect=none\n")
            job.process.send_signal(signal.SIGHUP)
            until(lambda: "the targets are unchanged" in job.log.read_text(), "a broken file is told")
            assert "line 1" in job.log.read_text(), "the line that is wrong is not told"
            targets.write_text(f"{new.url}\n{kept.url}\n{dead}")
            job.process.send_signal(signal.SIGHUP)
            ended = job.wait("ended", target=2)
            assert not ended["error"] and job.events("removed", target=2), \
                f"a target that the file names no longer ends with {ended}"
            gone.wait("written")
            job.wait("publishing", target=4)
            job.wait("ended", target=5)  # The dead one was tried again.
            until(lambda: media.count(folder / "new/out.flv") >= 30, "pictures arrive at a server that came later")
            job.process.terminate()
            assert finished(job.process) == 1, f"the status is {job.process.returncode} after a target was given up"
            assert not job.events("lost", target=1) and not job.events("dropped", target=1), "the target that stays is disturbed"
        for part in (kept, new):
            part.wait("written")
        times = media.times(folder / "new/out.flv")
        assert times[0][0] == 0 and len(times) >= 25, \
            f"{len(times)} pictures from {times[:1]} on arrive at a server that came later"
        run(FFMPEG, "-xerror", "-i", folder / "new/out.flv", "-f", "null", "-")
        checked = run(APUS, "flv", "check", folder / "new/out.flv")
        assert "error" not in checked, f"what a server that came later gets: {checked}"


def test_a_pipe_that_nobody_paces_reaches_two_servers_whole_with_status_0(folder, source, expected):
    with receiver(folder / "one") as one, receiver(folder / "two") as two:
        flv = folder / "source.flv"
        run(FFMPEG, "-i", source, "-c", "copy", "-y", flv)
        command = '"$1" stream - "$3" "$4" --dialect enhanced < <(cat "$2")'
        run("bash", "-c", command, "bash", APUS, flv, one.url, two.url)
        for part, name in ((one, "one"), (two, "two")):
            part.wait("written")
            compare(folder / name / "out.flv", expected, name)


URLS = [f"rtmp://127.0.0.1:1/live/{name}" for name in ("one", "two")]


@pytest.mark.parametrize("words, reason", [
    (["--no-pace"], "slowest"), (["--key-file", "x"], "one rtmp:// URL"), (["--backup", "rtmp://127.0.0.1/a/b"], "one rtmp:// URL"),
])
def test_what_several_servers_cannot_have_is_refused(source, words, reason):
    assert reason in run(APUS, "stream", source, *URLS, *words, status=2)


def test_a_server_that_is_named_twice_is_refused(source):
    assert "given twice" in run(APUS, "stream", source, URLS[0], URLS[0], status=2)


def test_a_server_that_answers_late_gets_a_pipe_from_its_beginning(folder, source, expected):
    """Next to another and alone, though no more than one of the two seconds is kept for it."""
    flv = folder / "source.flv"
    run(FFMPEG, "-i", source, "-c", "copy", "-y", flv)
    with receiver(folder / "one") as one, receiver(folder / "two") as two:
        with Late(int(two.url.split(":")[2].split("/")[0]), 2) as way:
            command = '"$1" stream - "$3" "$4" --dialect enhanced --queue 1 < <(cat "$2")'
            run("bash", "-c", command, "bash", APUS, flv, one.url, f"rtmp://127.0.0.1:{way.port}/live/secret")
            for part, name in ((one, "one"), (two, "two")):
                part.wait("written")
                compare(folder / name / "out.flv", expected, name)
    with receiver(folder / "alone") as alone, Late(int(alone.url.split(":")[2].split("/")[0]), 2) as way:
        command = '"$1" stream - "$3" --dialect enhanced --queue 1 < <(cat "$2")'
        run("bash", "-c", command, "bash", APUS, flv, f"rtmp://127.0.0.1:{way.port}/live/secret")
        alone.wait("written")
        compare(folder / "alone/out.flv", expected, "a server alone")


def test_what_a_receiver_gets_is_forwarded_and_recorded(folder, source, expected):
    with contextlib.ExitStack() as stack:
        relay = stack.enter_context(nginx.relay(folder / "nginx"))
        two = stack.enter_context(receiver(folder / "two"))
        mute = stack.enter_context(Mute())
        one = stack.enter_context(receiver(
            folder / "one", "--forward", f"rtmp://127.0.0.1:{relay}/live/{{key}} dialect=legacy", "--forward",
            f"{two.url} dialect=enhanced", "--forward", f"rtmp://127.0.0.1:{mute.port}/live/secret",
            "--forward", "rtmp://127.0.0.1:1/live/secret"))
        run(APUS, "stream", source, one.url, "--dialect", "enhanced")
        one.wait("written")
        two.wait("written")
        one.wait("forward", state="ended", target=1)
        log = folder / "nginx/error.log"
        until(lambda: "disconnect" in log.read_text(), "nginx ends the session")
        for target in (1, 2):
            for state in ("lost", "dropped", "failed"):
                assert not one.events("forward", state=state, target=target), \
                    f"server {target} is disturbed: {one.events('forward', target=target)}"
        assert one.events("forward", state="lost", target=4), "a server that is not there is not reported"
        one.process.terminate()
        finished(one.process)
        compare(folder / "one/out.flv", expected, "the recording")
        compare(folder / "two/out.flv", expected, "the second server")
        compare(next((folder / "nginx/recorded").iterdir()), expected, "nginx")


def test_a_server_that_is_killed_and_started_again_gets_the_forwarded_stream_again(folder, movies):
    """FFmpeg 5.1 publishes H.264."""
    (folder / "x").mkdir()
    port = free_port()
    second = [APUS, "receive", f"rtmp://127.0.0.1:{port}/live/secret", "-o", folder / "x/out.flv"]
    with receiver(folder / "one", "--forward", f"rtmp://127.0.0.1:{port}/live/secret") as one, contextlib.ExitStack() as stack:
        with running(*second, port=port) as first:
            publisher = stack.enter_context(running(*OLD_FFMPEG, "-re", "-stream_loop", "-1", "-i", movies / "avc.mp4",
                                                    "-c", "copy", "-f", "flv", one.url))
            one.wait("forward", state="publishing")
            until(lambda: media.count(folder / "x/out.flv") >= 30, "pictures arrive")
            first.kill()
            first.wait()
        one.wait("forward", state="lost")
        with running(*second, port=port) as other:
            one.wait("forward", count=2, state="publishing")
            later = folder / "x/out-1.flv"
            until(lambda: media.count(later) >= 30, "pictures arrive again")
            publisher.terminate()
            one.wait("forward", state="ended")
            other.terminate()
            finished(other)
    run(FFMPEG, "-xerror", "-i", later, "-f", "null", "-")
    assert len(media.hashes(later)[0]) >= 25, "too little arrives at a server that was started again"


@pytest.mark.alone
def test_forwarding_adds_little_delay(folder, source):
    """The time of the same packet at players of both servers is compared."""
    with receiver(folder / "two") as two, receiver(folder / "one", "--forward", f"{two.url} dialect=enhanced") as one:
        with running(APUS, "stream", source, one.url, "--dialect", "enhanced"):
            for job in (one, two):
                job.wait("publishing")
            arrivals = [arrivals_at(url) for url in (one.url, two.url)]
            for thread, _ in arrivals:
                thread.join(30)
    at_one, at_two = (times for _, times in arrivals)
    for kind in ("pictures", "sound"):
        common = sorted(at_two[mark] - at_one[mark] for mark in at_one.keys() & at_two.keys() if mark[0] == kind)
        assert len(common) >= 20, f"{len(common)} packets of {kind} can be compared"
        early, median, late = (1000 * common[len(common) * part // 100] for part in (25, 50, 95))
        print(f"forwarding adds {median:.2f} ms (median) and {late:.2f} ms (95 of 100) to {len(common)} packets of {kind}")
        # A machine that is busy adds more to many packets; what waits for something adds it to all.
        assert early <= 5, f"forwarding adds {early:.1f} ms to the quickest quarter of {kind}"


def arrivals_at(url):
    """When a player gets each packet, by the bytes in it."""
    times = {}
    process = subprocess.Popen(["rtmpdump", "--quiet", "--live", "--rtmp", url, "-o", "-"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)

    def read():
        stream = process.stdout
        stream.read(13)
        while head := stream.read(11):
            body = stream.read(int.from_bytes(head[1:4], "big") + 4)
            if head[0] in (8, 9) and len(body) > 60:
                times.setdefault(("sound" if head[0] == 8 else "pictures", body[8:-4]), time.monotonic())
        process.wait()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread, times
