# SPDX-License-Identifier: MIT
"""What apus stream sends over SRT arrives at FFmpeg and srt-live-transmit, and what they send is published, with and without
a passphrase, whichever of the two calls."""

import contextlib
import pathlib
import re

import pytest

import media
from jobs import Job, receiver
from programs import APUS, FFMPEG, completed, finished, free_port, run, running, settled, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
PHRASE = "passphrase=secret-phrase"


def listens(port):
    """Returns whether a program waits for datagrams."""
    return f":{port:04X} " in pathlib.Path("/proc/net/udp").read_text()


def make(folder):
    for name, seconds, size in [("one", 3, "320x180"), ("two", 2, "160x90")]:
        run(FFMPEG, "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25", "-f", "lavfi", "-i", "sine=440", "-t", seconds,
            "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params",
            "log-level=none:pools=1:frame-threads=1:keyint=25:open-gop=0", "-tag:v", "hvc1", "-c:a", "aac", "-y",
            folder / f"{name}.mp4")


@pytest.fixture(scope="session")
def movies(shared):
    """Two movies that differ in size."""
    folder = shared("srt", make)
    return [folder / "one.mp4", folder / "two.mp4"]


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
    assert all(one in rest for one in found) and len(found) >= least and (part != "all" or len(found) >= len(wanted)), \
        f"{path}: {len(found)} pictures are not {part} of the {len(wanted)}"
    sounds = len(media.hashes(path)[1])
    assert part != "all" or sounds >= len(media.hashes(source)[1]), f"{path}: {sounds} packets of sound arrive"


def test_a_stream_arrives_at_ffmpeg_that_listens(folder, movies):
    port, arrived = free_port(), folder / "arrived.ts"
    with waiting(port, *OLD_FFMPEG, "-i", f"srt://127.0.0.1:{port}?mode=listener&latency=300000&{PHRASE}", "-c", "copy", "-y",
                 arrived) as server:
        with Job("stream", folder / "log", movies[0], f"srt://127.0.0.1:{port}?latency=300&{PHRASE}") as job:
            assert not finished(job.process), "sending fails"
        finished(server)
    check_part(arrived, movies[0], 75)


def test_a_stream_begins_when_ffmpeg_calls(folder, movies):
    port, arrived = free_port(), folder / "arrived.ts"
    with Job("stream", folder / "log", movies[0], f"srt://127.0.0.1:{port}?mode=listener&latency=300&{PHRASE}") as job:
        until(lambda: listens(port), "apus stream listens")
        run(*OLD_FFMPEG, "-i", f"srt://127.0.0.1:{port}?latency=300000&{PHRASE}", "-c", "copy", "-y", arrived)
        assert not finished(job.process), "sending fails"
    check_part(arrived, movies[0], 75)


def catch(port, path, query=PHRASE):
    """srt-live-transmit, which writes what comes into a file."""
    command = 'exec srt-live-transmit -q "$1" file://con >"$2"'
    return waiting(port, "sh", "-c", command, "sh", f"srt://127.0.0.1:{port}?mode=listener&latency=300&{query}", path)


def test_new_parameter_sets_and_a_receiver_that_returns_disturb_no_other_server(folder, movies):
    port = free_port()
    url = f"srt://127.0.0.1:{port}?latency=300&{PHRASE}"
    with receiver(folder / "one") as one, contextlib.ExitStack() as stack:
        with catch(port, folder / "first.ts") as first:
            job = stack.enter_context(Job(
                "stream", folder / "log", *movies, *movies, one.url, url, "--dialect", "enhanced", "--retry", "20"))
            job.wait("publishing", target=2)
            until(lambda: media.count_in_transport(folder / "first.ts") >= 85, "pictures arrive")
            first.terminate()
            finished(first)
        job.wait("lost", target=2)
        with catch(port, folder / "second.ts") as second:
            job.wait("publishing", 2, target=2)
            assert not finished(job.process), "sending fails"
            settled(folder / "second.ts")
            second.terminate()
            finished(second)
        assert not job.events("lost", target=1) and not job.events("dropped", target=1), "the other server is disturbed"
        one.wait("written")
    assert len(media.hashes(folder / "one/out.flv")[0]) == 250, "the other server does not get everything"
    first, second = (len(media.hashes(folder / name)[0]) for name in ("first.ts", "second.ts"))
    assert first >= 75 and second >= 50 and first + second <= 250, f"{first} pictures arrive, then {second}"
    run(FFMPEG, "-xerror", "-i", folder / "second.ts", "-f", "null", "-")


def test_a_stream_that_ffmpeg_sends_as_a_caller_is_published(folder, movies):
    port = free_port()
    with receiver(folder / "one") as one:
        with Job("stream", folder / "log", f"srt://127.0.0.1:{port}?mode=listener&latency=400&{PHRASE}", one.url, "--dialect",
                 "enhanced") as job:
            until(lambda: listens(port), "apus stream listens")
            run(*OLD_FFMPEG, "-re", "-i", movies[0], "-c", "copy", "-f", "mpegts",
                f"srt://127.0.0.1:{port}?latency=400000&{PHRASE}")
            assert not finished(job.process), "playing fails"
        one.wait("written")
    check_part(folder / "one/out.flv", movies[0], 60, "some")


def test_a_stream_of_a_listener_is_published_and_a_standby_takes_over_when_it_ends(folder, movies):
    """srt-live-transmit passes on what FFmpeg sends it, and apus calls."""
    port, entry = free_port(), free_port()
    long = folder / "long.ts"
    run(*OLD_FFMPEG, "-stream_loop", "1", "-i", movies[0], "-c", "copy", "-f", "mpegts", long)
    with receiver(folder / "one") as one, contextlib.ExitStack() as stack:
        gateway = stack.enter_context(waiting(
            port, "srt-live-transmit", "-q", f"udp://127.0.0.1:{entry}", f"srt://127.0.0.1:{port}?mode=listener&latency=1000&{PHRASE}"))
        until(lambda: listens(entry), "srt-live-transmit reads")
        stack.enter_context(running(*OLD_FFMPEG, "-re", "-i", long, "-c", "copy", "-f", "mpegts",
                                    f"udp://127.0.0.1:{entry}?pkt_size=1316"))
        job = stack.enter_context(Job(
            "stream", folder / "log", f"srt://127.0.0.1:{port}?latency=1000&{PHRASE}", one.url, "--dialect", "enhanced", "--retry", "9",
            "--standby", movies[1], "--stall", "1"))
        job.wait("publishing")
        until(lambda: media.count(folder / "one/out.flv") >= 50, "pictures arrive")
        gateway.kill()
        job.wait("standby", state="on")
        there = media.count(folder / "one/out.flv")
        until(lambda: media.count(folder / "one/out.flv") >= there + 25, "the stand-by arrives")
        job.process.terminate()
        finished(job.process)
        one.wait("written")
    times = sorted(time for _, time in media.times(folder / "one/out.flv"))
    assert len(times) >= 70 and not any(after - before > 0.17 for before, after in zip(times, times[1:])), \
        f"{len(times)} pictures arrive, or with gaps"
    run(FFMPEG, "-xerror", "-i", folder / "one/out.flv", "-f", "null", "-")


def absent():
    """An address where nobody is. libsrt 1.5.4 of Debian 13 ends every connection of a process when one of them ends
    (Haivision/srt#3098, mended in 1.5.5), so there it is one of RTMP."""
    said = completed("srt-live-transmit", "-version", status=None, text=True)
    version = re.search(r"SRT Library version: v?([0-9.]+)", said.stdout + said.stderr)
    assert version, "srt-live-transmit does not say its version"
    return f"rtmp://127.0.0.1:{free_port()}/live/none" if version[1] == "1.5.4" else f"srt://127.0.0.1:{free_port()}?{PHRASE}"


def test_a_received_stream_is_forwarded_and_recorded_and_an_absent_target_delays_nothing(folder, movies):
    port, arrived = free_port(), folder / "arrived.ts"
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(waiting(
            port, *OLD_FFMPEG, "-i", f"srt://127.0.0.1:{port}?mode=listener&latency=300000&{PHRASE}", "-c", "copy", "-y", arrived))
        one = stack.enter_context(receiver(
            folder / "one", "--forward", f"srt://127.0.0.1:{port}?latency=300&streamid=the-{{key}}&{PHRASE} name=gateway", "--forward",
            f"{absent()} retry=0"))
        run(APUS, "stream", *movies, one.url, "--dialect", "enhanced")
        one.wait("forward", state="publishing", target=1)
        one.wait("forward", state="ended", target=1)
        one.wait("forward", state="failed", target=2)
        one.wait("written")
        finished(server)
    found, sent = media.hashes(arrived)[0], media.hashes(folder / "one/out.flv")[0]
    assert len(sent) == 125 and len(found) >= 75 and found == sent[-len(found):], f"{len(found)} of {len(sent)} pictures arrive"
    run(FFMPEG, "-xerror", "-i", arrived, "-f", "null", "-")


@pytest.mark.parametrize("query", ["latency=1", "mode=listener&streamid={key}"])
def test_a_forward_that_names_no_key_or_listens_is_refused(folder, query):
    text = run(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{folder}/", "--forward", f"srt://127.0.0.1:{free_port()}?{query}",
               status=2)
    assert "streamid" in text


def test_h264_that_ffmpeg_publishes_over_rtmp_is_forwarded(folder, movies):
    port, arrived, source = free_port(), folder / "arrived.ts", folder / "avc.mp4"
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=440", "-t", 5, "-c:v", "libx264",
        "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", 25, "-bf", 2, "-c:a", "aac", "-y", source)
    with catch(port, arrived) as server, receiver(
            folder / "one", "--forward", f"srt://127.0.0.1:{port}?latency=300&{PHRASE}") as one:
        run(*OLD_FFMPEG, "-re", "-i", source, "-c", "copy", "-f", "flv", one.url)
        one.wait("forward", state="ended", target=1)
        one.wait("written")
        settled(arrived)
        server.terminate()
        finished(server)
    found, sent = (media.hashes(path) for path in (arrived, folder / "one/out.flv"))
    assert sent == media.hashes(source), "the recording is not what was published"
    assert len(found[0]) >= 75 and found[0] == sent[0][-len(found[0]):] and len(found[1]) >= 100, \
        f"{len(found[0])} of {len(sent[0])} pictures arrive, and {len(found[1])} packets of sound"
    run(FFMPEG, "-xerror", "-i", arrived, "-f", "null", "-")


def test_a_wrong_passphrase_is_refused_and_not_printed(folder, movies):
    port = free_port()
    with catch(port, folder / "none.ts"):
        text = run(APUS, "stream", movies[0], f"srt://127.0.0.1:{port}?passphrase=other-secret", "--retry", "1", status=1)
    assert "cannot connect" in text and "secret" not in text, text


@pytest.mark.parametrize("query, words, reason", [
    ("latency=2000000", [], "milliseconds"), ("passphrase=short", [], "10 to 79"), ("mode=rendezvous", [], "listener"),
    ("maxbw=1", [], "not maxbw"), ("mode=caller", ["--no-pace"], "--no-pace"),
])
def test_an_option_of_an_address_that_cannot_be_is_refused(movies, query, words, reason):
    assert reason in run(APUS, "stream", movies[0], f"srt://127.0.0.1:{free_port()}?{query}", *words, status=2)
