#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What apus stream sends over SRT arrives at FFmpeg and srt-live-transmit, and what they send is published, with and without
a passphrase, whichever of the two calls."""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import media  # noqa: E402
from jobs import Job, receiver  # noqa: E402
from programs import APUS, FFMPEG, Failure, finished, free_port, run, running, settled, until, trials  # noqa: E402

OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
PHRASE = "passphrase=secret-phrase"


def listens(port):
    """Whether someone waits for datagrams."""
    return f":{port:04X} " in pathlib.Path("/proc/net/udp").read_text()


@contextlib.contextmanager
def waiting(port, *command, log=None):
    """A program that waits for SRT at a port."""
    with running(*command, log=log) as process:
        until(lambda: listens(port), f"{command[0]} listens on {port}")
        yield process


def check_part(path, source, least, part="all"):
    """The decoded pictures are those of the source, or some of them in their order."""
    found, wanted = (media.hashes(one)[0] for one in (path, source))
    rest = iter(wanted)
    if not all(one in rest for one in found) or len(found) < least or part == "all" and len(found) < len(wanted):
        raise Failure(f"{path}: {len(found)} pictures are not {part} of the {len(wanted)}")
    sounds = len(media.hashes(path)[1])
    if part == "all" and sounds < len(media.hashes(source)[1]):
        raise Failure(f"{path}: {sounds} packets of sound arrive")


def to_ffmpeg(work, sources):
    port, arrived = free_port(), work / "arrived.ts"
    with waiting(port, *OLD_FFMPEG, "-i", f"srt://127.0.0.1:{port}?mode=listener&latency=300000&{PHRASE}", "-c", "copy", "-y",
                 arrived) as server:
        with Job("stream", work / "log", sources[0], f"srt://127.0.0.1:{port}?latency=300&{PHRASE}") as job:
            if finished(job.process):
                raise Failure("sending fails")
        finished(server)
    check_part(arrived, sources[0], 75)


def to_a_caller(work, sources):
    """FFmpeg comes for the stream, which begins then."""
    port, arrived = free_port(), work / "arrived.ts"
    with Job("stream", work / "log", sources[0], f"srt://127.0.0.1:{port}?mode=listener&latency=300&{PHRASE}") as job:
        until(lambda: listens(port), "apus stream listens")
        run(*OLD_FFMPEG, "-i", f"srt://127.0.0.1:{port}?latency=300000&{PHRASE}", "-c", "copy", "-y", arrived)
        if finished(job.process):
            raise Failure("sending fails")
    check_part(arrived, sources[0], 75)


def catch(port, path, query=PHRASE):
    """srt-live-transmit, which writes what comes into a file."""
    command = 'exec srt-live-transmit -q "$1" file://con >"$2"'
    return waiting(port, "sh", "-c", command, "sh", f"srt://127.0.0.1:{port}?mode=listener&latency=300&{query}", path)


def beside_others(work, sources):
    """New parameter sets on the way; a receiver that ends and comes again; an RTMP server that gets everything."""
    port = free_port()
    url = f"srt://127.0.0.1:{port}?latency=300&{PHRASE}"
    with receiver(work / "one") as one, contextlib.ExitStack() as stack:
        with catch(port, work / "first.ts") as first:
            job = stack.enter_context(Job(
                "stream", work / "log", *sources, *sources, one.url, url, "--dialect", "enhanced", "--retry", "20"))
            job.wait("publishing", target=2)
            until(lambda: media.count_in_transport(work / "first.ts") >= 85, "pictures arrive")
            first.terminate()
            finished(first)
        job.wait("lost", target=2)
        with catch(port, work / "second.ts") as second:
            job.wait("publishing", 2, target=2)
            if finished(job.process):
                raise Failure("sending fails")
            settled(work / "second.ts")
            second.terminate()
            finished(second)
        if job.events("lost", target=1) or job.events("dropped", target=1):
            raise Failure("the other server is disturbed")
        one.wait("written")
    if len(media.hashes(work / "one/out.flv")[0]) != 250:
        raise Failure("the other server does not get everything")
    first, second = (len(media.hashes(work / name)[0]) for name in ("first.ts", "second.ts"))
    if first < 75 or second < 50 or first + second > 250:
        raise Failure(f"{first} pictures arrive, then {second}")
    run(FFMPEG, "-v", "error", "-xerror", "-i", work / "second.ts", "-f", "null", "-")


def from_a_caller(work, sources):
    """FFmpeg 5.1 sends, apus waits for it."""
    port = free_port()
    with receiver(work / "one") as one:
        with Job("stream", work / "log", f"srt://127.0.0.1:{port}?mode=listener&latency=400&{PHRASE}", one.url, "--dialect",
                 "enhanced") as job:
            until(lambda: listens(port), "apus stream listens")
            run(*OLD_FFMPEG, "-re", "-i", sources[0], "-c", "copy", "-f", "mpegts",
                f"srt://127.0.0.1:{port}?latency=400000&{PHRASE}")
            if finished(job.process):
                raise Failure("playing fails")
        one.wait("written")
    check_part(work / "one/out.flv", sources[0], 60, "some")


def from_a_listener(work, sources):
    """srt-live-transmit passes on what FFmpeg sends it, and apus calls; a stand-by takes over when it ends."""
    port, entry = free_port(), free_port()
    long = work / "long.ts"
    run(*OLD_FFMPEG, "-stream_loop", "1", "-i", sources[0], "-c", "copy", "-f", "mpegts", long)
    with receiver(work / "one") as one, contextlib.ExitStack() as stack:
        gateway = stack.enter_context(waiting(
            port, "srt-live-transmit", "-q", f"udp://127.0.0.1:{entry}", f"srt://127.0.0.1:{port}?mode=listener&latency=1000&{PHRASE}"))
        until(lambda: listens(entry), "srt-live-transmit reads")
        stack.enter_context(running(*OLD_FFMPEG, "-re", "-i", long, "-c", "copy", "-f", "mpegts",
                                    f"udp://127.0.0.1:{entry}?pkt_size=1316"))
        job = stack.enter_context(Job(
            "stream", work / "log", f"srt://127.0.0.1:{port}?latency=1000&{PHRASE}", one.url, "--dialect", "enhanced", "--retry", "9",
            "--standby", sources[1], "--stall", "1"))
        job.wait("publishing")
        until(lambda: media.count(work / "one/out.flv") >= 50, "pictures arrive")
        gateway.kill()
        job.wait("standby", state="on")
        there = media.count(work / "one/out.flv")
        until(lambda: media.count(work / "one/out.flv") >= there + 25, "the stand-by arrives")
        job.process.terminate()
        finished(job.process)
        one.wait("written")
    times = sorted(time for _, time in media.times(work / "one/out.flv"))
    if len(times) < 70 or any(after - before > 0.17 for before, after in zip(times, times[1:])):
        raise Failure(f"{len(times)} pictures arrive, or with gaps")
    run(FFMPEG, "-v", "error", "-xerror", "-i", work / "one/out.flv", "-f", "null", "-")


def absent():
    """An address where nobody is. libsrt 1.5.4 of Debian 13 ends every connection of a process when one of them ends
    (Haivision/srt#3098, mended in 1.5.5), so there it is one of RTMP."""
    said = subprocess.run(["srt-live-transmit", "-version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if not (version := re.search(r"SRT Library version: v?([0-9.]+)", said.stdout + said.stderr)):
        raise Failure("srt-live-transmit does not say its version")
    return f"rtmp://127.0.0.1:{free_port()}/live/none" if version[1] == "1.5.4" else f"srt://127.0.0.1:{free_port()}?{PHRASE}"


def passed_on(work, sources):
    """What is published to apus receive goes on to FFmpeg, which waits for it, and is recorded; one that is not there holds up
    nothing."""
    port, arrived = free_port(), work / "arrived.ts"
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(waiting(
            port, *OLD_FFMPEG, "-i", f"srt://127.0.0.1:{port}?mode=listener&latency=300000&{PHRASE}", "-c", "copy", "-y", arrived))
        one = stack.enter_context(receiver(
            work / "one", "--forward", f"srt://127.0.0.1:{port}?latency=300&streamid=the-{{key}}&{PHRASE} name=gateway", "--forward",
            f"{absent()} retry=0"))
        run(APUS, "stream", *sources, one.url, "--dialect", "enhanced")
        one.wait("forward", state="publishing", target=1)
        one.wait("forward", state="ended", target=1)
        one.wait("forward", state="failed", target=2)
        one.wait("written")
        finished(server)
    found, sent = media.hashes(arrived)[0], media.hashes(work / "one/out.flv")[0]
    if len(sent) != 125 or len(found) < 75 or found != sent[-len(found):]:
        raise Failure(f"{len(found)} of {len(sent)} pictures arrive")
    run(FFMPEG, "-v", "error", "-xerror", "-i", arrived, "-f", "null", "-")
    for query, reason in [("latency=1", "streamid"), ("mode=listener&streamid={key}", "streamid")]:
        text = run(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{work}/", "--forward", f"srt://127.0.0.1:{port}?{query}", status=2)
        if reason not in text:
            raise Failure(f"{query} is refused with: {text}")


def h264_passed_on(work, sources):
    """H.264 that FFmpeg 5.1 publishes over RTMP goes on to srt-live-transmit."""
    port, arrived, source = free_port(), work / "arrived.ts", work / "avc.mp4"
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=440", "-t", 5, "-c:v", "libx264",
        "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", 25, "-bf", 2, "-c:a", "aac", "-y", source)
    with catch(port, arrived) as server, receiver(
            work / "one", "--forward", f"srt://127.0.0.1:{port}?latency=300&{PHRASE}") as one:
        run(*OLD_FFMPEG, "-re", "-i", source, "-c", "copy", "-f", "flv", one.url)
        one.wait("forward", state="ended", target=1)
        one.wait("written")
        settled(arrived)
        server.terminate()
        finished(server)
    found, sent = (media.hashes(path) for path in (arrived, work / "one/out.flv"))
    if sent != media.hashes(source):
        raise Failure("the recording is not what was published")
    if len(found[0]) < 75 or found[0] != sent[0][-len(found[0]):] or len(found[1]) < 100:
        raise Failure(f"{len(found[0])} of {len(sent[0])} pictures arrive, and {len(found[1])} packets of sound")
    run(FFMPEG, "-v", "error", "-xerror", "-i", arrived, "-f", "null", "-")


def refusals(work, sources):
    port = free_port()
    with catch(port, work / "none.ts"):
        text = run(APUS, "stream", sources[0], f"srt://127.0.0.1:{port}?passphrase=other-secret", "--retry", "1", status=1)
        if "cannot connect" not in text or "secret" in text:
            raise Failure(f"a wrong passphrase is refused with: {text}")
    for query, words, reason in [
        ("latency=2000000", [], "milliseconds"), ("passphrase=short", [], "10 to 79"), ("mode=rendezvous", [], "listener"),
        ("maxbw=1", [], "not maxbw"), ("mode=caller", ["--no-pace"], "--no-pace"),
    ]:
        text = run(APUS, "stream", sources[0], f"srt://127.0.0.1:{port}?{query}", *words, status=2)
        if reason not in text:
            raise Failure(f"{query} {words} is refused with: {text}")


def main():
    script = '. "$1"/Scripts/setup; need_packages run test'
    subprocess.run(["bash", "-c", script, "srt", ROOT], stdin=subprocess.DEVNULL, check=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sources = []
        for name, seconds, size in [("one", 3, "320x180"), ("two", 2, "160x90")]:
            sources.append(folder / f"{name}.mp4")
            run(FFMPEG, "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25", "-f", "lavfi", "-i", "sine=440", "-t", seconds,
                "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params",
                "log-level=none:pools=1:frame-threads=1:keyint=25:open-gop=0", "-tag:v", "hvc1", "-c:a", "aac", "-y", sources[-1])
        return trials((to_ffmpeg, to_a_caller, beside_others, from_a_caller, from_a_listener, passed_on, h264_passed_on, refusals), folder, sources)


sys.exit(main())
