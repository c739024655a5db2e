#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A stream goes to several servers at once, from apus stream and through apus receive --forward: each gets all of it, and
one that is slow, gone or refuses disturbs no other."""

import contextlib
import datetime
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import media  # noqa: E402
import nginx  # noqa: E402
from jobs import Job, receiver  # noqa: E402
from programs import APUS, FFMPEG, Failure, finished, free_port, run, running, until, trials  # noqa: E402

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


def make(path, seconds, rate, codec="libx265"):
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


def several(work, source, expected):
    """Four servers in both dialects get everything, beside one that is not there, a mute one and a slow one."""
    port, arrived = free_port(), work / "ffmpeg.flv"
    url = f"rtmp://127.0.0.1:{port}/live/secret"
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(running(FFMPEG, "-listen", "1", "-i", url, "-c", "copy", "-y", arrived, port=port))
        one = stack.enter_context(receiver(work / "one"))
        two = stack.enter_context(receiver(work / "two", name="out.mp4"))
        slow = stack.enter_context(receiver(work / "slow"))
        relay = stack.enter_context(nginx.relay(work / "nginx"))
        mute = stack.enter_context(Mute())
        way = stack.enter_context(Narrow(int(slow.url.split(":")[2].split("/")[0]), 40_000))
        targets = work / "targets.txt"
        targets.write_text(
            "# servers of the test\n\n"
            f"rtmp://127.0.0.1:{relay}/live/secret dialect=legacy name=nginx\n"
            f"rtmp://127.0.0.1:1/live/secret retry=1 name=gone\n"
            f"  rtmp://127.0.0.1:{mute.port}/live/secret retry=0 name=mute\n"
            f"rtmp://127.0.0.1:{way.port}/live/secret queue=2 name=slow\n")
        words = [source, url, one.url, two.url, "--targets", targets, "--dialect", "enhanced"]
        with Job("stream", work / "stream.log", *words) as job:
            ends = [job.wait("ended", target=number) for number in (1, 2, 3, 4)]
            begins = [job.wait("publishing", target=number) for number in (1, 2, 3, 4)]
            took = max(map(moment, ends)) - min(map(moment, begins))
            if finished(job.process) != 1:
                raise Failure(f"the status is {job.process.returncode}, though targets were given up")
            failed = {event["target"] for event in job.events("ended") if event["error"]}
            if failed != {5, 6}:
                raise Failure(f"the targets {failed} failed, not those that are gone and mute")
            (end,) = job.events("finished")
            if (end["targets"], end["failed"]) != (7, 2):
                raise Failure(f"the end is told as {end}")
            for number in (1, 2, 3, 4):
                if job.events("dropped", target=number) or job.events("lost", target=number):
                    raise Failure(f"target {number} is disturbed")
            if not job.events("dropped", target=7):
                raise Failure("nothing was left out for the slow server")
        # As slow as the slow server it would take eighteen.
        if not 5.5 < took < 15:
            raise Failure(f"six seconds of stream took {took:.1f} s")
        finished(listener)
        log = work / "nginx/error.log"
        until(lambda: "disconnect" in log.read_text(), "nginx ends the session")
        for part in (one, two, slow):
            part.process.terminate()
            finished(part.process)
        compare(arrived, expected, "FFmpeg")
        compare(work / "one/out.flv", expected, "the first receiver")
        compare(work / "two/out.mp4", expected, "the second receiver")
        compare(next((work / "nginx/recorded").iterdir()), expected, "nginx")
        pictures = media.hashes(work / "slow/out.flv")[0]
        if not 10 < len(pictures) < len(expected[0]):
            raise Failure(f"{len(pictures)} pictures arrive over the slow way")


def changed(work, source, _):
    """A file of targets that changes meanwhile: who comes begins at a key frame and at 0, who goes ends in order."""
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(receiver(work / "kept"))
        gone = stack.enter_context(receiver(work / "gone"))
        new = stack.enter_context(receiver(work / "new"))
        targets = work / "targets.txt"
        dead = "rtmp://127.0.0.1:1/live/secret retry=0 name=dead\n"
        targets.write_text(f"{kept.url}\n{gone.url}\n{dead}")
        words = [source, "--targets", targets, "--loop", "--dialect", "enhanced"]
        with Job("stream", work / "stream.log", *words) as job:
            gone.wait("format")
            job.wait("ended", target=3)
            time.sleep(1.3)
            targets.write_text("rtmp://127.0.0.1/live/secret dialect=none\n")
            job.process.send_signal(signal.SIGHUP)
            until(lambda: "the targets are unchanged" in job.log.read_text(), "a broken file is told")
            if "line 1" not in job.log.read_text():
                raise Failure("the line that is wrong is not told")
            targets.write_text(f"{new.url}\n{kept.url}\n{dead}")
            job.process.send_signal(signal.SIGHUP)
            ended = job.wait("ended", target=2)
            if ended["error"] or not job.events("removed", target=2):
                raise Failure(f"a target that the file names no longer ends with {ended}")
            gone.wait("written")
            job.wait("publishing", target=4)
            job.wait("ended", target=5)  # The dead one was tried again.
            until(lambda: media.count(work / "new/out.flv") >= 30, "pictures arrive at a server that came later")
            job.process.terminate()
            if finished(job.process) != 1:
                raise Failure(f"the status is {job.process.returncode} after a target was given up")
            if job.events("lost", target=1) or job.events("dropped", target=1):
                raise Failure("the target that stays is disturbed")
        for part in (kept, new):
            part.wait("written")
        times = media.times(work / "new/out.flv")
        if times[0][0] != 0 or len(times) < 25:
            raise Failure(f"{len(times)} pictures from {times[:1]} on arrive at a server that came later")
        run(FFMPEG, "-v", "error", "-xerror", "-i", work / "new/out.flv", "-f", "null", "-")
        checked = run(APUS, "flv", "check", work / "new/out.flv")
        if "error" in checked:
            raise Failure(f"what a server that came later gets: {checked}")


def in_order(work, source, expected):
    """Without a failure the status is 0; through a pipe, which nobody paces, nothing is lost either."""
    with receiver(work / "one") as one, receiver(work / "two") as two:
        flv = work / "source.flv"
        run(FFMPEG, "-i", source, "-c", "copy", "-y", flv)
        command = '"$1" stream - "$3" "$4" --dialect enhanced < <(cat "$2")'
        run("bash", "-c", command, "bash", APUS, flv, one.url, two.url)
        for part, folder in ((one, "one"), (two, "two")):
            part.wait("written")
            compare(work / folder / "out.flv", expected, folder)
    for words, reason in [
        (["--no-pace"], "slowest"), (["--key-file", "x"], "one rtmp:// URL"), (["--backup", "rtmp://127.0.0.1/a/b"], "one rtmp:// URL"),
    ]:
        text = run(APUS, "stream", source, one.url, two.url, *words, status=2)
        if reason not in text:
            raise Failure(f"{words} is refused with: {text}")
    if "given twice" not in run(APUS, "stream", source, one.url, one.url, status=2):
        raise Failure("an address that is named twice is no mistake")


def late(work, source, expected):
    """A server that answers after two seconds gets a pipe from its beginning, beside another and alone, though no more than one
    second is kept for it."""
    flv = work / "source.flv"
    run(FFMPEG, "-i", source, "-c", "copy", "-y", flv)
    with receiver(work / "one") as one, receiver(work / "two") as two:
        with Late(int(two.url.split(":")[2].split("/")[0]), 2) as way:
            command = '"$1" stream - "$3" "$4" --dialect enhanced --queue 1 < <(cat "$2")'
            run("bash", "-c", command, "bash", APUS, flv, one.url, f"rtmp://127.0.0.1:{way.port}/live/secret")
            for part, folder in ((one, "one"), (two, "two")):
                part.wait("written")
                compare(work / folder / "out.flv", expected, folder)
    with receiver(work / "alone") as alone, Late(int(alone.url.split(":")[2].split("/")[0]), 2) as way:
        command = '"$1" stream - "$3" --dialect enhanced --queue 1 < <(cat "$2")'
        run("bash", "-c", command, "bash", APUS, flv, f"rtmp://127.0.0.1:{way.port}/live/secret")
        alone.wait("written")
        compare(work / "alone/out.flv", expected, "a server alone")


def forwarded(work, source, expected):
    """What is published to a receiver goes on to others, which come and go, and is recorded."""
    with contextlib.ExitStack() as stack:
        relay = stack.enter_context(nginx.relay(work / "nginx"))
        two = stack.enter_context(receiver(work / "two"))
        mute = stack.enter_context(Mute())
        one = stack.enter_context(receiver(
            work / "one", "--forward", f"rtmp://127.0.0.1:{relay}/live/{{key}} dialect=legacy", "--forward",
            f"{two.url} dialect=enhanced", "--forward", f"rtmp://127.0.0.1:{mute.port}/live/secret",
            "--forward", "rtmp://127.0.0.1:1/live/secret"))
        run(APUS, "stream", source, one.url, "--dialect", "enhanced")
        one.wait("written")
        two.wait("written")
        one.wait("forward", state="ended", target=1)
        log = work / "nginx/error.log"
        until(lambda: "disconnect" in log.read_text(), "nginx ends the session")
        for target in (1, 2):
            for state in ("lost", "dropped", "failed"):
                if one.events("forward", state=state, target=target):
                    raise Failure(f"server {target} is disturbed: {one.events('forward', target=target)}")
        if not one.events("forward", state="lost", target=4):
            raise Failure("a server that is not there is not reported")
        one.process.terminate()
        finished(one.process)
        compare(work / "one/out.flv", expected, "the recording")
        compare(work / "two/out.flv", expected, "the second server")
        compare(next((work / "nginx/recorded").iterdir()), expected, "nginx")


def forwarded_again(work, source, _):
    """A server that is killed and started again gets the stream on; FFmpeg 5.1 publishes H.264."""
    (work / "x").mkdir()
    port = free_port()
    second = [APUS, "receive", f"rtmp://127.0.0.1:{port}/live/secret", "-o", work / "x/out.flv"]
    with receiver(work / "one", "--forward", f"rtmp://127.0.0.1:{port}/live/secret") as one, contextlib.ExitStack() as stack:
        with running(*second, port=port) as first:
            publisher = stack.enter_context(running(*OLD_FFMPEG, "-re", "-stream_loop", "-1", "-i", work.parent / "avc.mp4",
                                                    "-c", "copy", "-f", "flv", one.url))
            one.wait("forward", state="publishing")
            until(lambda: media.count(work / "x/out.flv") >= 30, "pictures arrive")
            first.kill()
            first.wait()
        one.wait("forward", state="lost")
        with running(*second, port=port) as other:
            one.wait("forward", count=2, state="publishing")
            later = work / "x/out-1.flv"
            until(lambda: media.count(later) >= 30, "pictures arrive again")
            publisher.terminate()
            one.wait("forward", state="ended")
            other.terminate()
            finished(other)
    run(FFMPEG, "-v", "error", "-xerror", "-i", later, "-f", "null", "-")
    if len(media.hashes(later)[0]) < 25:
        raise Failure("too little arrives at a server that was started again")


def delay(work, source, _):
    """What forwarding adds to the delay: the same packet as players of both servers get it."""
    with receiver(work / "two") as two, receiver(work / "one", "--forward", f"{two.url} dialect=enhanced") as one:
        with running(APUS, "stream", source, one.url, "--dialect", "enhanced"):
            for job in (one, two):
                job.wait("publishing")
            arrivals = [arrivals_at(url) for url in (one.url, two.url)]
            for thread, _ in arrivals:
                thread.join(30)
    at_one, at_two = (times for _, times in arrivals)
    for kind in ("pictures", "sound"):
        common = sorted(at_two[mark] - at_one[mark] for mark in at_one.keys() & at_two.keys() if mark[0] == kind)
        if len(common) < 20:
            raise Failure(f"{len(common)} packets of {kind} can be compared")
        early, median, late = (1000 * common[len(common) * part // 100] for part in (25, 50, 95))
        print(f"forwarding adds {median:.2f} ms (median) and {late:.2f} ms (95 of 100) to {len(common)} packets of {kind}")
        # A machine that is busy adds more to many packets; what waits for something adds it to all.
        if early > 5:
            raise Failure(f"forwarding adds {early:.1f} ms to the quickest quarter of {kind}")


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


def main():
    script = '. "$1"/Scripts/setup; need_packages run test'
    subprocess.run(["bash", "-c", script, "targets", ROOT], stdin=subprocess.DEVNULL, check=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = make(folder / "source.mp4", 6, 1000)
        make(folder / "avc.mp4", 4, 600, "libx264")
        expected = media.hashes(source)
        return trials((several, changed, in_order, late, forwarded, forwarded_again, delay), folder, source, expected)


sys.exit(main())
