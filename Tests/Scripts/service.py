#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""apus stream asks a service where a stream goes (GetClientConfiguration): a stand-in answers, over TLS too, with a server, a
warning, a refusal, other video than the input has, and nonsense. The key is never printed."""

import contextlib
import http.server
import json
import os
import pathlib
import re
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import media  # noqa: E402
from jobs import receiver  # noqa: E402
from programs import APUS, FFMPEG, Failure, run, trials  # noqa: E402

KEY = "live_secret_42"
VIDEO = {"type": "jim_hevc_nvenc", "width": 320, "height": 180, "framerate": {"numerator": 25, "denominator": 1},
         "settings": {"bitrate": 6000, "keyint_sec": 2}}


class Service:
    """Answers each question in the same way, and keeps what it was asked."""

    def __init__(self, answer, certificate=None, status=200):
        self.asked = []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                size = int(self.headers["Content-Length"])
                service.asked.append((self.path, self.headers["Content-Type"], json.loads(self.rfile.read(size))))
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.scheme = "https" if certificate else "http"
        if certificate:
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            tls.load_cert_chain(certificate)
            # A client that does not trust it is expected.
            self.server.handle_error = lambda *_: None
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"{self.scheme}://127.0.0.1:{self.server.server_port}/api/v3/GetClientConfiguration"
        return self

    def __exit__(self, *failure):
        self.server.shutdown()
        self.server.server_close()


def answer(url="rtmp://127.0.0.1:1/live", videos=(VIDEO,), sounds=None, **more):
    return {
        "meta": {"service": "IVS", "schema_version": "2024-06-04", "config_id": "id/7"},
        "ingest_endpoints": [{"protocol": "WHIP", "url_template": "https://127.0.0.1/"},
                             {"protocol": "RTMP", "url_template": f"{url}/{{stream_key}}", "authentication": "from-secret-service"}],
        "encoder_configurations": list(videos), "audio_configurations": sounds or {"live": [{"codec": "ffmpeg_aac", "track_id": 1}]}, **more,
    }


def stream(source, *words, status=0, key=KEY):
    """What is printed."""
    environment = {**os.environ, "APUS_STREAM_KEY": key}
    done = subprocess.run([APUS, "stream", source, *map(str, words)], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=240, check=False)
    if done.returncode != status or "secret" in done.stdout:
        raise Failure(f"{words}: status {done.returncode}, {done.stdout}")
    return done.stdout


def certificate(work):
    path = work / "service.pem"
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1", "-addext",
        "subjectAltName=IP:127.0.0.1", "-keyout", work / "key.pem", "-out", work / "cert.pem")
    path.write_text((work / "key.pem").read_text() + (work / "cert.pem").read_text())
    return path


def granted(work, source):
    """The stream goes where the service says, with its key and the name of the configuration."""
    pem = certificate(work)
    asking = []

    class Asked(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            asking.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(200)
            self.end_headers()

        def log_message(self, *words):
            pass

    hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Asked)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    with contextlib.ExitStack() as stack:
        stack.callback(hook.server_close)
        stack.callback(hook.shutdown)
        one = stack.enter_context(receiver(
            work / "one", "--on-publish", f"http://127.0.0.1:{hook.server_port}/ask", key="from-secret-service"))
        wanted = answer(one.url.rsplit("/", 1)[0], status={"result": "warning", "html_en_us": "<p>Mind the <b>gap</b> &amp; go</p>"})
        service = stack.enter_context(Service(wanted, pem))
        text = stream(source, "--config-url", service.url, "--ca-file", work / "cert.pem")
        one.wait("written")
        if "certificate" not in stream(source, "--config-url", service.url, status=1):
            raise Failure("a certificate that nobody vouches for is accepted")
    if "Mind the gap & go" not in text:
        raise Failure(f"the warning is not passed on: {text}")
    if media.hashes(work / "one/out.flv") != media.hashes(source):
        raise Failure("what arrives is not the source")
    if urllib.parse.parse_qs(asking[0]).get("clientConfigId") != ["id%2F7"]:
        raise Failure(f"the configuration is not named: {asking}")
    (path, kind, asked), = service.asked
    if (path, kind) != ("/api/v3/GetClientConfiguration", "application/json"):
        raise Failure(f"{path} is asked, with {kind}")
    likes = asked["preferences"]
    if (asked["service"], asked["schema_version"], asked["authentication"]) != ("IVS", "2024-06-04", KEY):
        raise Failure(f"the question is {asked}")
    if (likes["width"], likes["height"], likes["maximum_video_tracks"], likes["framerate"]) != (
            320, 180, 1, {"numerator": 25, "denominator": 1}) or not 20 < likes["maximum_aggregate_bitrate"] < 5000:
        raise Failure(f"the stream is described as {likes}")
    machine = asked["capabilities"]
    if asked["client"]["supported_codecs"] != ["h265"] or machine["cpu"]["logical_cores"] != os.cpu_count() \
            or machine["memory"]["total"] < 1 << 20 or machine["gpu"] != []:
        raise Failure(f"the client is described as {asked['client']}, {machine}")


def several(work, source):
    """Each of the videos that the service asks for is one of the input's, and all are sent."""
    both = work / "both.mp4"
    run(FFMPEG, "-i", source, "-filter_complex", "[0:v]scale=160:90[small]", "-map", "0:v", "-map", "[small]", "-map", "0:a", "-t", 1,
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:pools=1:frame-threads=1:keyint=25", "-tag:v", "hvc1",
        "-c:a", "copy", "-y", both)
    small = {**VIDEO, "width": 160, "height": 90}
    with receiver(work / "one", key="from-secret-service") as one:
        with Service(answer(one.url.rsplit("/", 1)[0], (VIDEO, small))) as service:
            stream(both, "--config-url", service.url)
        one.wait("written")
    if service.asked[0][2]["preferences"]["maximum_video_tracks"] != 2:
        raise Failure(f"the question is {service.asked}")
    heads = subprocess.run([FFMPEG, "-v", "info", "-i", work / "one/out.flv"], capture_output=True, text=True, check=False).stderr
    if not all(size in heads for size in ("320x180", "160x90")):
        raise Failure(f"what arrives: {heads[-1500:]}")
    with Service(answer(videos=[small, VIDEO])) as service:
        text = stream(both, "--config-url", service.url, status=1)
    if "video 0 is 320 × 180" not in text or "video 1 is 160 × 90" not in text:
        raise Failure(f"videos in another order are refused with: {text}")


def sound(**more):
    return {"codec": "ffmpeg_aac", "track_id": 0, "channels": 1, "settings": {"bitrate": 160}, **more}


def sounds(work, source):
    """Each track of sound that the service asks for is one of the input's: that of the stream, then that of what is kept."""
    both = work / "both.mp4"
    run(FFMPEG, "-i", source, "-f", "lavfi", "-i", "sine=880", "-map", "0:v", "-map", "0:a", "-map", "1:a", "-t", 2, "-c:v", "copy",
        "-tag:v", "hvc1", "-c:a", "aac", "-y", both)
    with receiver(work / "one", key="from-secret-service") as one:
        wanted = {"live": [sound()], "vod": [sound(track_id=1)]}
        with Service(answer(one.url.rsplit("/", 1)[0], sounds=wanted)) as service:
            text = stream(both, "--config-url", service.url)
        one.wait("written")
    asked = service.asked[0][2]
    if not asked["preferences"]["vod_track_audio"] or not re.fullmatch(
            r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", asked["stream_attempt_start_time"]):
        raise Failure(f"the question is {asked}")
    heads = subprocess.run([FFMPEG, "-v", "info", "-i", work / "one/out.flv"], capture_output=True, text=True, check=False).stderr
    if heads.count("Audio: aac") != 2 or "asks for" in text:
        raise Failure(f"what arrives: {text} {heads[-1500:]}")
    for file, asked, words in [
        (both, {"live": [sound()]}, ["1 track of sound", "the input has 2 tracks", "--audio"]),
        (source, {"live": [sound()], "vod": [sound(track_id=1)]}, ["2 tracks of sound", "the input has 1 track"]),
        (source, {"live": [sound(codec="libfdk_opus")]}, ["the sound is aac", "opus (libfdk_opus)"]),
    ]:
        with Service(answer(sounds=asked)) as service:
            text = stream(file, "--config-url", service.url, status=1)
        if not all(word in text for word in words):
            raise Failure(f"{asked} is refused with: {text}")
    saved, silent = work / "answer.json", work / "silent.mp4"
    saved.write_text(json.dumps(answer(sounds={"live": [sound(channels=2, settings={"bitrate": 1})]})))
    run(FFMPEG, "-i", source, "-c", "copy", "-an", "-tag:v", "hvc1", "-y", silent)
    for file, words in [
        (source, ["has 1 channel, and the service asks for 2 channels", "asks for 1 kbit/s", "cannot connect"]),
        (silent, ["has no sound", "cannot connect"]),
    ]:
        text = stream(file, "--config-file", saved, "--retry", "0", status=1)
        if not all(word in text for word in words):
            raise Failure(f"{file}: {text}")


def refused(work, source):
    other = {**VIDEO, "type": "obs_x264", "width": 1280, "height": 720}
    slow = {**VIDEO, "framerate": {"numerator": 30, "denominator": 1}, "settings": {"bitrate": 1}}
    for reply, words in [
        (answer(status={"result": "error", "html_en_us": f"Your key {KEY} is <i>banned</i>."}), ["refuses", "is banned"]),
        (answer(videos=[], status={"result": "warning", "html_en_us": "Not today"}), ["no configuration", "Not today"]),
        (answer(videos=[other]), ["h265", "h264 (obs_x264)", "320 × 180", "1280 × 720"]),
        (answer(videos=[VIDEO, other]), ["2 tracks of video", "the input has 1 track", "1280 × 720"]),
        ({"meta": {}, "ingest_endpoints": []}, ["no RTMP server"]), (b"<html>", ["no JSON"]),
    ]:
        with Service(reply) as service:
            text = stream(source, "--config-url", service.url, status=1)
        if not all(word in text for word in words):
            raise Failure(f"{reply} is refused with: {text}")
    with Service(b"{}", status=400) as service:
        if "answers with 400" not in stream(source, "--config-url", service.url, status=1):
            raise Failure("a status of 400 is not reported")
    saved = work / "answer.json"
    saved.write_text(json.dumps(answer(videos=[slow])))
    text = stream(source, "--config-file", saved, "--retry", "0", status=1)
    if "25.0 pictures a second" not in text or "1 kbit/s" not in text or "cannot connect" not in text:
        raise Failure(f"a saved answer: {text}")
    for words, reason in [
        (["--config-url", "http://192.0.2.1/ask"], "https://"), (["--config-url", "https://x/", "--config-file", saved], "contradict"),
        (["rtmp://127.0.0.1/a/b", "--config-file", saved], "the service says"),
    ]:
        if reason not in stream(source, *words, status=2):
            raise Failure(f"{words} is no mistake")
    if "no stream key" not in stream(source, "--config-file", saved, status=2, key=""):
        raise Failure("a missing key is not reported")


def main():
    script = '. "$1"/Scripts/setup; need_packages run test'
    subprocess.run(["bash", "-c", script, "service", ROOT], stdin=subprocess.DEVNULL, check=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = folder / "source.mp4"
        run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=440", "-t", 2, "-c:v", "libx265",
            "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params", "log-level=none:pools=1:frame-threads=1:keyint=25",
            "-tag:v", "hvc1", "-c:a", "aac", "-y", source)
        return trials((granted, several, sounds, refused), folder, source)


sys.exit(main())
