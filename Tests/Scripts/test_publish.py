# SPDX-License-Identifier: MIT
"""What apus stream publishes arrives whole at servers that others wrote, in both dialects, over TCP and TLS."""

import contextlib

import pytest

import media
import nginx
from programs import APUS, FFMPEG, ROOT, finished, free_port, run, running, same, stopped, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]


def publish(source, url, dialect, *words, status=0):
    return run(APUS, "stream", source, url, "--dialect", dialect, "--no-pace", *words, status=status)


def to_ffmpeg(work, source, dialect, _):
    port, arrived = free_port(), work / "ffmpeg.flv"
    url = f"rtmp://127.0.0.1:{port}/live/key"
    with running(FFMPEG, "-listen", "1", "-i", url, "-c", "copy", "-y", arrived, port=port) as server:
        publish(source, url, dialect)
        finished(server)
    return arrived


def to_nginx(work, source, dialect, _):
    with nginx.relay(work / "nginx") as port:
        publish(source, f"rtmp://127.0.0.1:{port}/live/key", dialect)
        return recorded(work / "nginx")


def recorded(folder):
    """The only recording, once nginx has closed it."""
    log = folder / "error.log"
    until(lambda: "disconnect" in log.read_text(), "nginx ends the session")
    (path,) = (folder / "recorded").iterdir()
    return path


def to_nginx_by_tls(work, source, dialect, _):
    with nginx.relay(work / "nginx") as behind, nginx.front(work / "front", behind) as port:
        url = f"rtmps://127.0.0.1:{port}/live/key"
        refused = publish(source, url, dialect, status=1)
        assert "certificate" in refused, f"a certificate that nobody vouches for is refused with: {refused}"
        publish(source, url, dialect, "--ca-file", work / "front/certificate.pem")
        return recorded(work / "nginx")


def to_rtmpdump(work, source, dialect, _):
    arrived = work / "rtmpdump.flv"
    with nginx.relay(work / "nginx") as port:
        url = f"rtmp://127.0.0.1:{port}/live/key"
        with running("rtmpdump", "--quiet", "--live", "--rtmp", url, "--flv", arrived) as player:
            log = work / "nginx/error.log"
            until(lambda: "play: name='key'" in log.read_text(), "rtmpdump plays")
            publish(source, url, dialect)
            recorded(work / "nginx")
            finished(player)
        return arrived


def to_pyrtmp(work, source, dialect, python):
    port, arrived = free_port(), work / "pyrtmp.flv"
    with running(python, ROOT / "Tests/Peers/ingest.py", port, arrived, port=port) as server:
        publish(source, f"rtmp://127.0.0.1:{port}/live/key", dialect)
        finished(server)
    return arrived


# nginx-rtmp drops enhanced video without a word, so it is asked for the legacy dialect only.
RUNS = [
    (to_ffmpeg, "8 bit", "enhanced"),
    (to_ffmpeg, "10 bit", "enhanced"),
    (to_ffmpeg, "8 bit", "legacy"),
    (to_nginx, "8 bit", "legacy"),
    (to_nginx, "10 bit", "legacy"),
    (to_nginx_by_tls, "8 bit", "legacy"),
    (to_rtmpdump, "10 bit", "legacy"),
    (to_pyrtmp, "8 bit", "enhanced"),
    (to_pyrtmp, "10 bit", "legacy"),
]


@pytest.mark.parametrize("peer, name, dialect", RUNS)
def test_everything_arrives(folder, sources, python, peer, name, dialect):
    arrived = peer(folder, sources[name], dialect, python)
    for what, found, expected in zip(("pictures", "packets of sound"), media.hashes(arrived), media.hashes(sources[name])):
        same(what, expected, found)


@pytest.mark.parametrize("form", ["mpegts", "matroska", "flv"])
def test_a_pipe_is_published_as_it_comes(folder, sources, form):
    """A pipe that FFmpeg writes at the speed of the clock arrives whole, and its beginning before its end is written."""
    port, arrived = free_port(), folder / "arrived.flv"
    url = f"rtmp://127.0.0.1:{port}/live/key"
    line = '"$1" -re -i "$2" -c copy -f "$3" pipe:1 | "$4" stream - "$5" --dialect enhanced'
    with running(FFMPEG, "-listen", "1", "-i", url, "-c", "copy", "-flush_packets", "1", "-y", arrived, port=port) as server, \
            running("sh", "-c", line, "sh", FFMPEG, sources["8 bit"], form, APUS, url, family=True) as job:
        until(lambda: arrived.exists() and arrived.stat().st_size > 1000, "the beginning arrives")
        same("the end of the pipe when the beginning had arrived", None, job.poll())
        same("the publication", 0, finished(job))
        finished(server)
    for what, found, expected in zip(("pictures", "packets of sound"), media.hashes(arrived), media.hashes(sources["8 bit"])):
        same(what, expected, found)


def test_a_transcoder_trusts_the_certificate_that_it_is_given(folder, avc):
    with nginx.relay(folder / "nginx") as behind, nginx.front(folder / "front", behind) as port:
        command = [APUS, "transcode", avc, "-o", f"rtmps://127.0.0.1:{port}/live/key", "--codec", "h264", "--speed",
                   "ultrafast"]
        refused = run(*command, status=1)
        assert "certificate" in refused, f"a certificate that nobody vouches for is refused with: {refused}"
        run(*command, "--ca-file", folder / "front/certificate.pem")
        pictures, _ = media.hashes(recorded(folder / "nginx"))
        assert len(pictures) == 75, f"{len(pictures)} pictures of 75 arrive"


@pytest.mark.parametrize("dialect, form", [
    ("enhanced", "file"), ("legacy", "file"), ("enhanced", "pipe"), ("enhanced", "transcode"), ("legacy", "transcode"),
])  # fmt: skip
def test_a_stream_is_coded_on_the_way(folder, avc, dialect, form):
    """HEVC of an AVC file, or of a pipe of it, arrives as pictures that look like its own, with its sound as it was."""
    port, arrived = free_port(), folder / "coded.flv"
    url = f"rtmp://127.0.0.1:{port}/live/key"
    command = {
        "file": [APUS, "stream", avc, url, "--encode", "hevc", "--bitrate", "2M", "--no-pace"],
        "pipe": ["sh", "-c", '"$1" stream - "$2" --encode hevc --bitrate 2M --dialect "$4" < "$3"', "sh", APUS, url,
                 avc.with_suffix(".flv")],
        "transcode": [APUS, "transcode", avc, "-o", url, "--bitrate", "2M", "--speed", "ultrafast"],
    }[form]
    with running(FFMPEG, "-listen", "1", "-i", url, "-c", "copy", "-y", arrived, port=port) as server:
        run(*command, *([dialect] if form == "pipe" else ["--dialect", dialect]))
        finished(server)
    pictures, sounds = media.hashes(arrived)
    _, expected = media.hashes(avc)
    assert (len(pictures), sounds) == (75, expected), \
        f"{len(pictures)} pictures of 75 arrive, {len(sounds)} packets of sound of {len(expected)}"
    assert media.psnr(arrived, avc) >= 30, "pictures arrive that look different"
    starts = media.key_times(arrived)
    assert len(starts) == 2 and abs(starts[1] - starts[0] - 2) <= 0.01, f"key frames at {starts}, expected every two seconds"


def make_many(folder):
    path = folder / "many.mp4"
    inputs = ["testsrc2=size=320x180:rate=25", "testsrc=size=160x120:rate=25", "sine=440", "sine=880"]
    run(FFMPEG, *(word for source in inputs for word in ("-f", "lavfi", "-t", "3", "-i", source)),
        *(word for index in range(4) for word in ("-map", str(index))), "-c:v", "libx265", "-pix_fmt", "yuv420p",
        "-x265-params", "log-level=none:pools=1:frame-threads=1:keyint=25", "-tag:v", "hvc1", "-c:a", "aac",
        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-y", path)


@pytest.fixture(scope="session")
def many(shared):
    """A movie with two tracks of video and two of sound, in languages of their own."""
    return shared("many", make_many) / "many.mp4"


def packets(path):
    """The hashes of the packets of each track."""
    text = run(FFMPEG, "-i", path, "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "framehash", "-")
    found = {}
    for line in text.splitlines():
        if line[:1] not in "#":
            fields = line.split(",")
            found.setdefault(int(fields[0]), []).append(fields[5].strip())
    return [found[number] for number in sorted(found)]


def expect_tracks(arrived, source, places, what):
    found, expected = packets(arrived), packets(source)
    assert found == [expected[place] for place in places], \
        f"{what}: {len(found)} tracks arrive with {[len(one) for one in found]} packets"


@pytest.mark.parametrize("form", ["flv", "mp4"])
def test_all_tracks_reach_our_receiver_and_a_player(folder, many, form):
    """All tracks reach our own receiver, as FLV and as MP4, and an FFmpeg that plays meanwhile."""
    port, played = free_port(), folder / f"{form}-played.flv"
    url = f"rtmp://127.0.0.1:{port}/live"
    with running(APUS, "receive", url, "-o", f"{folder}/", "--format", form, port=port, log=folder / "log") as server:
        with running(APUS, "stream", many, f"{url}/{form}") as publisher:
            until(lambda: "publishes" in (folder / "log").read_text(), "the stream begins")
            with contextlib.ExitStack() as stack:
                with stopped(publisher):
                    player = stack.enter_context(running(
                        FFMPEG, "-i", f"{url}/{form}", "-map", "0:v", "-map", "0:a", "-c", "copy", "-y", played))
                    until(lambda: " plays" in (folder / "log").read_text(), "FFmpeg plays")
                finished(publisher)
                finished(player)
        until(lambda: "is finished" in (folder / "log").read_text(), "the recording ends")
        server.terminate()
        finished(server)
    expect_tracks(folder / f"{form}.{form}", many, range(4), form)
    assert len(packets(played)) == 4, f"{len(packets(played))} tracks of 4 are played"


@pytest.mark.parametrize("options, places, names", [
    ([], [0, 2], ["v:1", "a:1, deu"]), (["--audio", "1"], [0, 3], ["v:1"]),
    (["--video", "1", "--audio", "1,0"], [1, 3, 2], []), (["--video", "all", "--audio", "all"], range(4), []),
])  # fmt: skip
def test_a_server_that_announces_nothing_gets_the_first_tracks_or_those_asked_for(folder, many, options, places, names):
    port, arrived = free_port(), folder / "arrived.flv"
    url = f"rtmp://127.0.0.1:{port}/live/key"
    with running(FFMPEG, "-listen", "1", "-i", url, "-map", "0", "-c", "copy", "-y", arrived, port=port) as server:
        said = publish(many, url, "enhanced", *options)
        finished(server)
    expect_tracks(arrived, many, places, options)
    assert said.count("is left out") == len(names) and all(f"({name}) is left out" in said for name in names), said


def test_a_track_that_does_not_exist_is_refused(many):
    refused = publish(many, "rtmp://127.0.0.1:1/live/key", "enhanced", "--audio", "2", status=1)
    assert "has no track a:2, but v:0, v:1, a:0, a:1" in refused


# What no stream can have.
REFUSED = [
    (["--bitrate", "1M", "--passes", "2"], "encoded in one pass"),
    (["--format", "mp4"], "--format is not for streams"),
    (["--on-exists", "replace"], "--on-exists is not for streams"),
    (["--dry-run"], "--dry-run is not for streams"),
]


@pytest.mark.parametrize("options, words", REFUSED)
def test_a_transcoder_refuses_for_a_stream_what_only_a_file_can_have(avc, options, words):
    assert words in run(APUS, "transcode", avc, "-o", "rtmp://127.0.0.1/live/key", *options, status=2)
