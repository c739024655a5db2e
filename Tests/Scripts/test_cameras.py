# SPDX-License-Identifier: MIT
"""Addresses as inputs: what a camera, a transport stream in datagrams and a web server send is recorded, published, re-encoded and
described, and hostile ones are bounded."""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import signal
import socket
import threading
import time

import pytest

import media
from jobs import Job, receiver
from programs import APUS, FFMPEG, FIXTURES, completed, finished, free_port, run, running, stopped, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

CAMERA = ("/usr/bin/python3", "-B", pathlib.Path(media.__file__).with_name("camera.py"))
OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
LOGIN = "admin:p@ss-secret"


def make(folder):
    for name, seconds, params in [("camera", 4, "bframes=2"), ("long", 30, "bframes=0")]:
        run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=440:sample_rate=48000",
            "-t", seconds, "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params",
            f"log-level=none:pools=1:frame-threads=1:keyint=25:open-gop=0:{params}", "-tag:v", "hvc1", "-c:a", "aac", "-y",
            folder / f"{name}.mp4")


@pytest.fixture(scope="session")
def movies(shared):
    """What cameras show: 4 s with pictures that are coded out of order, and 30 s without."""
    folder = shared("cameras", make)
    return {name: folder / f"{name}.mp4" for name in ("camera", "long")}


@contextlib.contextmanager
def camera(movie, port=None, login=None, log=None):
    """A camera, and its address."""
    port = port or free_port()
    with running(*CAMERA, port, "/live", movie, *filter(None, [login]), port=port, log=log) as process:
        process.url = f"rtsp://127.0.0.1:{port}/live"
        yield process


def rounded(path):
    """Decoding and presentation times of the pictures, in hundredths of a second."""
    return [(round(decoded * 100), round(shown * 100)) for decoded, shown in media.times(path)]


def test_a_camera_is_recorded_with_every_picture_at_its_time(folder, movies):
    with camera(movies["camera"], login=LOGIN) as source:
        url = source.url.replace("//", "//admin:p%40ss-secret@")
        done = completed(APUS, "remux", url, "-o", "got.mp4", cwd=folder)
        assert not done.stderr, done.stderr
    (pictures, sounds), (all_pictures, all_sounds) = (media.hashes(path) for path in (folder / "got.mp4", movies["camera"]))
    assert pictures == all_pictures
    # The server begins with the first sound that is not before the pictures.
    assert "".join(sounds) in "".join(all_sounds) and len(sounds) >= len(all_sounds) - 3
    assert rounded(folder / "got.mp4") == rounded(movies["camera"])


def test_a_recording_ends_with_ctrl_c_and_is_whole(folder, movies):
    with camera(movies["long"]) as source, running(APUS, "remux", source.url, "-o", folder / "got.mp4") as job:
        part = folder / "got.mp4.part"
        until(lambda: part.exists() and part.stat().st_size > 50_000, "something is recorded")
        job.send_signal(signal.SIGINT)
        assert finished(job) == 130
    assert not part.exists()
    found, wanted = (media.hashes(path)[0] for path in (folder / "got.mp4", movies["long"]))
    assert len(found) >= 25 and found == wanted[:len(found)]


def test_a_camera_is_published_again_after_it_was_away(folder, movies):
    port, login = free_port(), folder / "login"
    login.write_text(LOGIN + "\n")
    with receiver(folder / "one") as one, contextlib.ExitStack() as stack:
        first = stack.enter_context(camera(movies["long"], port, LOGIN))
        job = stack.enter_context(Job("stream", folder / "log", first.url, one.url, "--dialect", "enhanced", "--login-file", login))
        out = folder / "one/out.flv"
        until(lambda: out.exists() and media.count(out) >= 50, "pictures arrive", 60)
        first.kill()
        job.wait("input", state="lost")
        before = media.count(out)
        stack.enter_context(camera(movies["long"], port, LOGIN))
        until(lambda: media.count(out) >= before + 50, "pictures arrive again", 60)
        job.process.send_signal(signal.SIGINT)
        finished(job.process)
        one.wait("written")
    decoded = [time for time, _ in media.times(out)]
    # It was away for more than a second.
    assert all(0 < later - earlier < 1 for earlier, later in zip(decoded, decoded[1:])), decoded
    run(FFMPEG, "-xerror", "-i", out, "-f", "null", "-")


def test_a_camera_that_sends_nothing_is_connected_to_again(folder, movies):
    with receiver(folder / "one") as one, camera(movies["long"]) as source, \
            Job("stream", folder / "log", source.url, one.url, "--dialect", "enhanced") as job:
        out = folder / "one/out.flv"
        until(lambda: out.exists() and media.count(out) >= 25, "pictures arrive", 60)
        with stopped(source):
            assert job.wait("input", state="lost")["reason"] == "sends nothing"
        before = media.count(out)
        until(lambda: media.count(out) >= before + 25, "pictures arrive again", 60)
        job.process.send_signal(signal.SIGINT)
        finished(job.process)
        one.wait("written")
    run(FFMPEG, "-xerror", "-i", out, "-f", "null", "-")


def test_a_camera_is_reencoded(folder, movies):
    with camera(movies["camera"]) as source:
        run(APUS, "transcode", source.url, "-o", "got.mp4", "--crf", "20", "--speed", "ultrafast", cwd=folder)
    # A server drops what a machine that is too busy does not take in time, but not at once.
    assert 50 <= len(media.hashes(folder / "got.mp4")[0]) <= 100
    graph = "[0:v]trim=end_frame=25[got];[1:v]trim=end_frame=25[sent];[got][sent]psnr"
    assert media.psnr(folder / "got.mp4", movies["camera"], graph) > 30


def test_doctor_says_what_a_camera_sends(folder, movies):
    # Two cameras: a second client now and then waits for the server while it prepares the movie for a first.
    with camera(movies["long"]) as source, camera(movies["long"]) as twin, \
            running(APUS, "doctor", twin.url, log=folder / "text") as other:
        report = json.loads(run(APUS, "doctor", source.url, "--json"))
        assert not finished(other)
    text = (folder / "text").read_text()
    video, sound = report["tracks"]
    assert (video["codec"], video["width"], video["height"], video["frames_per_second"], video["key_frame_interval"]) == \
        ("HEVC", 320, 180, 25.0, 1.0)
    assert (sound["codec"], sound["sample_rate"], sound["channels"]) == ("AAC", 48000, 1)
    assert "320 × 180, 25 fps" in text and "RTMP: yes" in text


def test_a_wrong_login_is_final_and_told_without_the_password(folder, movies):
    with camera(movies["camera"], login=LOGIN) as source:
        url = source.url.replace("//", "//admin:wrong-secret@")
        for words in (["remux", url, "-o", "got.mp4"], ["stream", url, "rtmp://127.0.0.1:1/live/key", "--retry", "9"]):
            done = completed(APUS, *words, status=1, cwd=folder, text=True)
            assert "401 Unauthorized" in done.stderr and "secret" not in done.stderr, done.stderr
    assert not os.listdir(folder)


def test_the_login_is_hidden_from_other_users(movies):
    with camera(movies["long"], login=LOGIN) as source:
        url = source.url.replace("//", "//admin:p%40ss-secret@") + "?token=secret"
        with running(APUS, "doctor", url) as job:
            command = pathlib.Path(f"/proc/{job.pid}/cmdline")
            until(lambda: b"doctor" in command.read_bytes() and b"secret" not in command.read_bytes(), "the secrets are hidden", 5)


@pytest.mark.parametrize("scheme, muxer", [("udp", "mpegts"), ("rtp", "rtp_mpegts")])
def test_datagrams_with_a_transport_stream_are_recorded(folder, movies, scheme, muxer):
    port = free_port()
    url = f"{scheme}://127.0.0.1:{port}"
    with running(*OLD_FFMPEG, "-re", "-i", movies["long"], "-c", "copy", "-f", muxer, f"{url}?pkt_size=1316"), \
            running(APUS, "remux", url, "-o", folder / "got.mp4") as job:
        part = folder / "got.mp4.part"
        until(lambda: part.exists() and part.stat().st_size > 50_000, "something is recorded")
        job.send_signal(signal.SIGINT)
        assert finished(job) == 130
    found, wanted = (media.hashes(path)[0] for path in (folder / "got.mp4", movies["long"]))
    start = wanted.index(found[0])
    assert len(found) >= 25 and found == wanted[start:start + len(found)]


@contextlib.contextmanager
def web(folder):
    """A web server, and the addresses of its files."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield lambda name: f"http://127.0.0.1:{server.server_port}/{name}"
    finally:
        server.shutdown()


@pytest.mark.parametrize("name, options", [
    ("movie.mp4", []), ("movie.ts", []), ("movie.mkv", []), ("movie.m3u8", ["-f", "hls", "-hls_playlist_type", "vod"])])
def test_files_in_the_web_are_read(folder, movies, name, options):
    run(FFMPEG, "-i", movies["camera"], "-c", "copy", *options, folder / name)
    with web(folder) as address:
        run(APUS, "remux", address(name), "-o", "got.mkv", cwd=folder)
    assert media.hashes(folder / "got.mkv")[0] == media.hashes(movies["camera"])[0]


@pytest.mark.parametrize("line, reason", [
    ("file:///etc/hostname", "no address in the web"), ("udp://127.0.0.1:9", "no address in the web")])
def test_a_playlist_in_the_web_names_nothing_elsewhere(folder, line, reason):
    (folder / "list.m3u8").write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n{line}\n#EXT-X-ENDLIST\n")
    with web(folder) as address:
        done = completed(APUS, "remux", address("list.m3u8"), "-o", "got.mp4", status=1, cwd=folder, text=True)
    assert reason in done.stderr, done.stderr


def test_addresses_come_from_operands_alone(folder, movies):
    with camera(movies["camera"]) as source:
        (folder / "list").write_text(source.url + "\n")
        done = completed(APUS, "remux", "--files-from", "list", "-o", "got.mp4", status=1, cwd=folder, text=True)
        assert "an address must be the only input" in done.stderr, done.stderr
        done = completed(APUS, "remux", source.url, FIXTURES / "hvc1.mp4", "-o", "got.mp4", status=1, cwd=folder, text=True)
        assert "an address must be the only input" in done.stderr, done.stderr


def test_options_for_addresses_need_one(folder):
    for verb in ("remux", "transcode"):
        done = completed(APUS, verb, FIXTURES / "hvc1.mp4", "-o", "got.mp4", "--login-file", "login", status=2, cwd=folder, text=True)
        assert "are only for addresses" in done.stderr, done.stderr


def test_transcode_publishes_a_camera_that_needs_a_login(folder, movies):
    (folder / "login").write_text(LOGIN + "\n")
    with receiver(folder / "one") as one, camera(movies["long"], login=LOGIN) as source:
        with running(APUS, "transcode", source.url, "-o", one.url, "--login-file", folder / "login", "--speed", "ultrafast",
                     "--dialect", "enhanced") as job:
            out = folder / "one/out.flv"
            until(lambda: out.exists() and media.count(out) >= 25, "pictures arrive", 60)
            job.send_signal(signal.SIGINT)
            finished(job)
        one.wait("written")


@pytest.mark.parametrize("words, reason", [
    (["rtsps://127.0.0.1/live"], "needs --insecure"), (["udp://127.0.0.1"], "has a port"), (["rtsp:///live"], "has no host")])
def test_wrong_addresses_are_refused(folder, words, reason):
    done = completed(APUS, "remux", *words, "-o", "got.mp4", status=1, cwd=folder, text=True)
    assert reason in done.stderr, done.stderr


OK = b"RTSP/1.0 200 OK\r\nCSeq: 1\r\n"
FOUND = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
HOSTILE = {
    "silence": ("rtsp", b"", b""),
    "endless headers": ("rtsp", OK, b"X: " + b"a" * 1000 + b"\r\n"),
    "a line without end": ("rtsp", b"", b"a" * 65536),
    "a redirect to a file": ("rtsp", b"RTSP/1.0 302 Found\r\nCSeq: 1\r\nLocation: file:///etc/hostname\r\n\r\n", b""),
    "endless headers of HTTP": ("http", b"HTTP/1.1 200 OK\r\n", b"X: " + b"a" * 1000 + b"\r\n"),
    "a redirect of HTTP to a file": ("http", FOUND + b"file:///etc/hostname\r\n\r\n", b""),
    "a redirect of HTTP to a datagram": ("http", FOUND + b"udp://127.0.0.1:9\r\n\r\n", b""),
    "fewer bytes than declared": ("http", b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n" + b"G" * 188, None),
}


@contextlib.contextmanager
def hostile(first, rest):
    """A server that answers the first bytes of a request, then sends more without end; with None it closes instead."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection, contextlib.suppress(OSError):
                    connection.recv(1 << 16)
                    connection.sendall(first)
                    while rest:
                        connection.sendall(rest)
                    if rest is not None:
                        time.sleep(60)

    threading.Thread(target=serve, daemon=True).start()
    with listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_servers_are_bounded(folder, name):
    scheme, first, rest = HOSTILE[name]
    with hostile(first, rest) as port:
        done = completed(
            "prlimit", f"--as={1 << 31}", APUS, "remux", f"{scheme}://127.0.0.1:{port}/x", "-o", "got.mp4", status=1, seconds=40,
            cwd=folder, text=True)
    assert done.stderr.startswith(f"apus: error: {scheme}://127.0.0.1:{port}/x"), done.stderr
    assert not (folder / "got.mp4").exists()
