# SPDX-License-Identifier: MIT
"""Who may publish to apus receive and play from it: keys of two kinds, hooks over HTTP in the form of nginx-rtmp, programs,
take-over, and limits. FFmpeg publishes, rtmpdump plays."""

import contextlib
import hashlib
import http.server
import json
import signal
import ssl
import threading
import time
import urllib.parse

import jsonschema
import pytest

import nginx
from programs import APUS, FFMPEG, SCHEMAS, events, finished, run, running, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]
OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
SCHEMA = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "receive.schema.json").read_text()))
ASKING = nginx.RTMP.replace("live on;", "live on; on_publish http://127.0.0.1:{hook}/ask;")


class Receiver:
    def __init__(self, work, *words, app="live"):
        self.work, self.words, self.app = work, words, app
        self.log = work / "receive.log"

    def __enter__(self):
        self.work.mkdir(exist_ok=True)
        self.stack = contextlib.ExitStack()
        self.process = self.stack.enter_context(running(
            APUS, "receive", f"rtmp://127.0.0.1:0/{self.app}", "-o", f"{self.work}/out/", *self.words, "--json", log=self.log))
        until(lambda: self.events("listening"), "it listens")
        self.port = self.events("listening")[0]["port"]
        return self

    def __exit__(self, *failure):
        self.stack.close()
        for event in self.events():
            assert SCHEMA.is_valid(event), f"the schema knows no such event: {event}"
        assert "secret" not in self.log.read_text(), "a key is told"

    def events(self, event=None, **fields):
        return events(self.log, event, **fields)

    def wait(self, event, count=1, **fields):
        until(lambda: len(self.events(event, **fields)) >= count, f"{count} times the event {event} {fields}")

    def at(self, key):
        return f"rtmp://127.0.0.1:{self.port}/{self.app}/{key}"

    def publish(self, source, key):
        return running(*OLD_FFMPEG, "-re", "-stream_loop", "-1", "-i", source, "-c", "copy", "-f", "flv", self.at(key))

    def refuses(self, source, key):
        count = len(self.events("refused"))
        with self.publish(source, key) as process:
            assert finished(process) != 0, f"FFmpeg may publish with {key}"
        self.wait("refused", count + 1)
        return self.events("refused")[count]["reason"]

    def plays(self, key):
        """Whether rtmpdump gets some of a stream."""
        path = self.work / "played.flv"
        path.unlink(missing_ok=True)
        got = lambda: path.exists() and path.stat().st_size > 4000
        with running("rtmpdump", "--quiet", "--live", "--timeout", "5", "--rtmp", self.at(key), "--flv", path) as player:
            until(lambda: got() or player.poll() is not None, "rtmpdump plays or gives up")
            return got()


class Asked(http.server.BaseHTTPRequestHandler):
    """Allows what has the right token, renames what wants to be, denies everything else; keeps what it was asked."""

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        self.server.asked.append((self.path, self.headers["Content-Type"], form))
        token = form.get("token")
        if token == "rename":
            self.send_response(302)
            self.send_header("Location", "other.name")
        else:
            self.send_response(200 if token == "se-cret~1" else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        pass


@contextlib.contextmanager
def hook(certificate=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Asked)
    server.asked = []
    if certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")
        # A client that does not trust it is expected.
        server.handle_error = lambda *_: None
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def source(shared):
    return shared("access", make) / "source.flv"


def make(folder):
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=440", "-t", "4", "-c:v",
        "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac", "-y", folder / "source.flv")


def test_who_publishes_has_another_key_than_who_plays_and_the_file_of_keys_may_change(folder, source):
    """Who publishes has another key than who plays, and the file of keys may change."""
    file = folder / "keys.txt"
    file.write_text("# streams\nstudio publish=secret-p play=secret-v\n\nlobby publish=secret-l play=*\n"
                    "closed publish=secret-c\n")
    with Receiver(folder / "run", "--keys", file) as server:
        for key in ("studio", "secret-v", "wrong", "secret-p2"):
            server.refuses(source, key)
        with server.publish(source, "secret-p"), server.publish(source, "secret-l"), server.publish(source, "secret-c"):
            for name in ("studio", "lobby", "closed"):
                server.wait("publishing", name=name)
            server.wait("format", 3)
            for key, may in [("secret-v", True), ("secret-p", False), ("studio", False), ("lobby", True), ("secret-l", False),
                             ("closed", False), ("secret-c", False)]:
                assert server.plays(key) == may, f"who plays with {key} {'gets nothing' if may else 'gets the stream'}"
            file.write_text("studio publish=secret-p play=secret-p\n")
            server.process.send_signal(signal.SIGHUP)
            until(lambda: "the keys are unchanged" in server.log.read_text(), "a wrong file of keys is told")
            assert server.plays("secret-v"), "a wrong file changes the keys"
            file.write_text("studio publish=secret-p play=secret-w\n")
            server.process.send_signal(signal.SIGHUP)
            until(lambda: server.plays("secret-w"), "the new key counts")
            assert not server.plays("secret-v") and not server.plays("lobby"), "the old keys count on"
        for name in ("studio", "lobby", "closed"):
            server.wait("written", name=name)
            assert (folder / f"run/out/{name}.flv").exists(), f"there is no {name}.flv"


def told_apart(name, key):
    """The name of a stream in whose key signs were replaced, with a hash of the key."""
    return f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"


def test_a_server_decides_and_is_asked_as_nginx_asks_it(folder, source):
    """An HTTP server decides, and is asked as nginx-rtmp asks it."""
    with hook() as server:
        url = f"http://127.0.0.1:{server.server_port}/ask?from=test"
        with Receiver(folder / "run", "--on-publish", url, "--on-play", url) as job:
            reason = job.refuses(source, "cam?token=wrong")
            assert "404" in reason, f"the refusal is told as: {reason}"
            with job.publish(source, "cam?token=se-cret~1"):
                job.wait("format")
                assert not job.plays("cam") and job.plays("cam?token=se-cret~1"), "players are not asked about"
            with job.publish(source, "cam?token=rename"):
                job.wait("publishing", name=told_apart("other_name", "other.name"))
                job.wait("format", 2)
            job.wait("written", 2)
            forms = list(server.asked)
            server.shutdown()
            server.server_close()
            job.refuses(source, "cam?token=se-cret~1")
    own = next(form for path, kind, form in forms if form["call"] == "publish" and form.get("token") == "se-cret~1")
    assert (
        {path for path, _, _ in forms} == {"/ask?from=test"} and {form["call"] for _, _, form in forms} == {"publish", "play"}
    ), f"the server was asked {forms}"
    with hook() as server:
        place = folder / "nginx"
        (place / "recorded").mkdir(parents=True)
        with nginx.started(place, ASKING, hook=server.server_port) as port:
            run(*OLD_FFMPEG, "-t", "1", "-i", source, "-c", "copy", "-f", "flv",
                f"rtmp://127.0.0.1:{port}/live/cam?token=se-cret~1")
        (_, kind, theirs), = [entry for entry in server.asked if entry[2]["call"] == "publish"]
    assert kind == "application/x-www-form-urlencoded", f"nginx-rtmp asks with {kind}"
    # nginx-rtmp has room for 32 bytes.
    assert theirs["flashver"] and own["flashver"].startswith(theirs["flashver"]), \
        f"flashver is {own['flashver']!r}, and from nginx-rtmp {theirs['flashver']!r}"
    for field in ("call", "name", "app", "addr", "token"):
        assert own.get(field) == theirs.get(field), f"{field} is {own.get(field)!r}, and from nginx-rtmp {theirs.get(field)!r}"


def test_only_a_server_that_is_trusted_decides_over_tls(folder, source, monkeypatch):
    """A server that the system trusts is asked over TLS; what comes from another decides nothing."""
    nginx.certificate(folder)
    with hook(folder) as server:
        url = f"https://127.0.0.1:{server.server_port}/ask"
        with Receiver(folder / "untrusted", "--on-publish", url) as job:
            reason = job.refuses(source, "cam?token=se-cret~1")
            assert "certificate" in reason and not server.asked, \
                f"a certificate that nobody vouches for: {reason}, {server.asked}"
        monkeypatch.setenv("SSL_CERT_FILE", str(folder / "certificate.pem"))
        with Receiver(folder / "run", "--on-publish", url) as job:
            job.refuses(source, "cam?token=wrong")
            with job.publish(source, "cam?token=se-cret~1"):
                job.wait("format")
        assert [form["token"] for _, _, form in server.asked] == ["wrong", "se-cret~1"], f"asked was {server.asked}"


def test_somebody_is_told_once_of_each_client_that_is_done(folder, source):
    """Somebody is told once of each client that is done, with the fields that nginx-rtmp gives."""
    with hook() as server:
        url = f"http://127.0.0.1:{server.server_port}/ask"
        with Receiver(folder / "run", "--on-publish-done", url, "--on-play-done", url) as job:
            for number in (1, 2):
                with job.publish(source, "cam?token=se-cret~1"):
                    job.wait("publishing", number)
                    assert job.plays("cam"), "the stream cannot be played"
                    # Two that are done at the same time are told in any order.
                    until(lambda: len(server.asked) == 2 * number - 1, "the player is told to be done")
                job.wait("written", number)
                until(lambda: len(server.asked) == 2 * number, f"{2 * number} are told to be done")
            time.sleep(0.5)
            # What ends with the server is told, too.
            with job.publish(source, "cam?token=se-cret~1"):
                job.wait("publishing", 3)
                job.process.terminate()
                finished(job.process)
        calls = [form["call"] for _, _, form in server.asked]
        assert calls == ["play_done", "publish_done"] * 2 + ["publish_done"], f"told were {calls}"
        own = server.asked[1][2]
    with hook() as server:
        place = folder / "nginx"
        (place / "recorded").mkdir(parents=True)
        with nginx.started(place, ASKING.replace("on_publish ", "on_publish_done "), hook=server.server_port) as port:
            run(*OLD_FFMPEG, "-t", "1", "-i", source, "-c", "copy", "-f", "flv",
                f"rtmp://127.0.0.1:{port}/live/cam?token=se-cret~1")
            until(lambda: server.asked, "nginx tells that it is done")
        theirs = server.asked[0][2]
    for field in ("call", "name", "app", "addr", "token"):
        assert own.get(field) == theirs.get(field), f"{field} is {own.get(field)!r}, and from nginx-rtmp {theirs.get(field)!r}"


def test_a_program_decides_and_one_that_takes_too_long_denies(folder, source):
    """A program decides, without a shell between; one that takes too long denies."""
    decide, slow = folder / "decide it", folder / "slow"
    decide.write_text('#!/bin/sh\nprintf "%s\\n" "$#" "$1" "$2" "$3" "$APUS_KEY" "$APUS_QUERY" "$APUS_APP" >> "$0.told"\n'
                      '[ "$APUS_QUERY" = "a=1&b=\\$(id)" ]\n')
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    for file in (decide, slow):
        file.chmod(0o755)
    with Receiver(folder / "run", "--on-publish", decide, "--on-play", slow) as job:
        job.refuses(source, "cam;touch?a=2")
        with job.publish(source, "cam?a=1&b=$(id)"):
            job.wait("format")
            start = time.monotonic()
            assert not job.plays("cam"), "a program that says nothing allows"
            with running("rtmpdump", "--quiet", "--live", "--timeout", "30", "--rtmp", job.at("cam"), "--flv", "/dev/null"):
                until(lambda: any("more than" in event["reason"] for event in job.events("refused")), "the player is denied")
            assert time.monotonic() - start <= 45, "a program that says nothing holds players up"
    told = (folder / "decide it.told").read_text().splitlines()
    wanted = ["3", "publish", told_apart("cam_touch", "cam;touch"), "127.0.0.1", "cam;touch", "a=2", "live",
              "3", "publish", "cam", "127.0.0.1", "cam", "a=1&b=$(id)", "live"]
    assert told == wanted, f"the program was told {told}"


def test_a_stream_has_one_publisher(folder, source):
    work = folder
    with Receiver(work / "one") as job, job.publish(source, "cam") as first:
        job.wait("format")
        with job.publish(source, "cam") as second:
            assert finished(second) != 0, "a stream has two publishers"
        assert first.poll() is None, "the first publisher is disturbed"


def test_a_newer_publisher_takes_over_if_it_may(folder, source):
    work = folder
    with Receiver(work / "two", "--take-over") as job, job.publish(source, "cam") as first:
        job.wait("format")
        time.sleep(1)
        with job.publish(source, "cam"):
            job.wait("format", 2)
            finished(first)
            time.sleep(1)
        job.wait("written", 2)
        for name in ("cam.flv", "cam-1.flv"):
            run(FFMPEG, "-xerror", "-i", work / "two/out" / name, "-f", "null", "-")


def test_players_and_seconds_are_limited(folder, source):
    work = folder
    with Receiver(work / "three", "--max-time", "2", "--max-players", "1") as job:
        with job.publish(source, "cam") as publisher:
            job.wait("format")
            player = ["rtmpdump", "--quiet", "--live", "--rtmp", job.at("cam"), "--flv", "/dev/null"]
            with running(*player):
                job.wait("playing")
                assert not job.plays("cam"), "a stream has two players"
            finished(publisher)
        job.wait("ended")
        # FFmpeg sends what is to be seen in two seconds in about as many.
        assert 1000 <= job.events("ended")[0]["duration"] <= 6000, f"two seconds end as {job.events('ended')}"


def test_connections_of_an_address_are_limited(folder, source):
    with Receiver(folder / "four", "--max-per-address", "3") as job:
        with contextlib.ExitStack() as stack:
            for number in range(3):
                stack.enter_context(job.publish(source, f"cam{number}"))
                job.wait("publishing", name=f"cam{number}")
            reason = job.refuses(source, "cam3")
            assert "3 connections from 127.0.0.1" in reason, f"a fourth connection is refused with: {reason}"


@pytest.mark.parametrize("text, words", [
    ("", "has no streams"), ("a publish=secret1\na publish=secret2\n", "the same name"),
    ("a publish=secret1\nb publish=secret1\n", "the same publish key"), ("a play=secret1\n", "line 1"),
    ("a publish=secret1 play=secret2\nb publish=secret2\n", "could publish"), ("a/b publish=secret1\n", "line 1"),
    ("a publish=secret1 play=secret2\nb publish=secret3 play=secret2\n", "the same play key"),
])  # fmt: skip
def test_a_wrong_file_of_keys_is_refused_without_telling_a_key(folder, text, words):
    file = folder / "keys.txt"
    file.write_text(text)
    said = run(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{folder}/out/", "--keys", file, status=1)
    assert words in said and "secret" not in said


def test_a_file_of_keys_goes_with_no_stream_key(folder):
    file = folder / "keys.txt"
    file.write_text("a publish=secret1\n")
    said = run(APUS, "receive", "rtmp://127.0.0.1:0/live/key", "-o", f"{folder}/out/", "--keys", file, status=2)
    assert "cannot be combined with a stream key" in said


@pytest.mark.parametrize("options", [["--on-publish", "ftp://127.0.0.1/"], ["--max-players", "0"], ["--max-per-address", "0"]])
def test_wrong_options_are_refused(folder, options):
    run(APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{folder}/out/", *options, status=2)
