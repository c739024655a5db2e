# SPDX-License-Identifier: MIT
"""The proxies, the units, the container, the function and the requests that the guide of `apus serve` shows work as they
stand there."""

import base64
import getpass
import http.server
import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import threading
import urllib.error
import urllib.request

import pytest

from programs import APUS, DEADLINE, FIXTURES, ROOT, completed, free_port, running
from service import ask, body, server

pytestmark = [pytest.mark.waits, pytest.mark.apart]

PAGE = (ROOT / "Sources/ApusCommand/apus.docc/Service.md").read_text()
INSTALLING = (ROOT / "Sources/ApusCommand/apus.docc/Installing.md").read_text()


def block(beginning):
    """The code on the page that begins so."""
    found = [code for code in re.findall(r"^```\w*\n(.*?)^```", PAGE, re.M | re.S) if code.startswith(beginning)]
    assert len(found) == 1, beginning
    return found[0]


def replaced(text, *pairs):
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, str(new))
    return text


def made(*words):
    return completed(APUS, *words, "-", "-o", "-", input=body("photo.heic")).stdout


@pytest.fixture
def address():
    """The address of a running server."""
    with server("--log", "none") as (_, listening):
        yield listening


def posted(address, context=None, headers={}):
    request = urllib.request.Request(address, data=body("photo.heic"), headers=headers, method="POST")
    with urllib.request.urlopen(request, timeout=DEADLINE, context=context) as answer:
        return answer.read()


def test_nginx_passes_requests_on_and_answers_those_with_the_same_digest_once(folder, address):
    completed("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key", "-out", folder / "pem",
              "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    port = free_port()
    site = replaced(
        block("upstream apus"), ("127.0.0.1:8088", address), ("listen 443", f"listen 127.0.0.1:{port}"),
        ("photos.example.org", "127.0.0.1"), ("/etc/ssl/photos.pem", folder / "pem"),
        ("/etc/ssl/photos.key", folder / "key"), ("\nserver {", "\n" + block("map ") + "server {"),
        ("location /apus/ {\n", "location /apus/ {\n" + block("    proxy_cache ")), ("/var/cache/nginx/apus", folder / "kept"),
    )  # fmt: skip
    (folder / "nginx.conf").write_text(
        # Its workers are whoever this is, so that they may write into the folder.
        f"user {getpass.getuser()};\ndaemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n"
        + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        + site + "}\n"
    )  # fmt: skip
    context = ssl.create_default_context(cafile=folder / "pem")
    with running("nginx", "-p", folder, "-c", folder / "nginx.conf", port=port):
        # Requests with the same digest are answered once; the server counts those that reach it.
        for headers, count in [({}, 1), ({}, 2), ({"Content-Digest": "sha-256=:a:"}, 3), ({"Content-Digest": "sha-256=:a:"}, 3),
                               ({"Content-Digest": "sha-256=:b:"}, 4)]:  # fmt: skip
            said = posted(f"https://127.0.0.1:{port}/apus/v1/convert?quality=85", context, headers)
            assert said == made("convert", "-q", "85")
            counted = ask(address, "GET", "/metrics")[2].decode()
            assert f'{{route="/v1/convert",status="200"}} {count}\n' in counted, (headers, counted)


def test_caddy_passes_requests_on(folder, address, monkeypatch):
    port = free_port()
    site = replaced(block("photos.example.org {"), ("photos.example.org", f"http://127.0.0.1:{port}"),
                    ("127.0.0.1:8088", address))  # fmt: skip
    (folder / "Caddyfile").write_text("{\n  admin off\n  auto_https off\n  default_bind 127.0.0.1\n}\n" + site)
    monkeypatch.setenv("HOME", str(folder))
    with running("caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile", port=port):
        assert posted(f"http://127.0.0.1:{port}/apus/v1/convert?quality=85") == made("convert", "-q", "85")


def test_a_function_answers_the_events_of_its_runtime(folder):
    """One event is a photo, the other is not."""
    events = [base64.b64encode(content).decode() for content in (body("photo.heic"), b"nothing")]
    answers = {}
    done = threading.Event()

    class Runtime(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            number = len(answers)
            if number == len(events):
                done.set()
                self.send_error(500)
                return self.close()
            event = json.dumps({"version": "2.0", "body": events[number], "isBase64Encoded": True}).encode()
            self.send_response(200)
            self.send_header("Lambda-Runtime-Aws-Request-Id", f"request-{number}")
            self.send_header("Content-Length", str(len(event)))
            self.end_headers()
            self.wfile.write(event)

        def close(self):
            self.close_connection = True

        def do_POST(self):
            content = self.rfile.read(int(self.headers["Content-Length"]))
            answers[self.path.split("/")[-2]] = json.loads(content)
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Runtime) as runtime:
        threading.Thread(target=runtime.serve_forever, daemon=True).start()
        programs = folder / "bin"
        programs.mkdir()
        (programs / "apus").symlink_to(APUS)
        place = folder / "tmp"
        place.mkdir()
        bootstrap = folder / "bootstrap"
        bootstrap.write_text(block("#!/bin/sh").replace("/tmp/", f"{place}/"))
        environment = {**os.environ, "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{runtime.server_port}",
                       "PATH": f"{programs}:{os.environ['PATH']}"}  # fmt: skip
        run = subprocess.Popen(["sh", bootstrap], stdin=subprocess.DEVNULL, env=environment)
        try:
            assert done.wait(DEADLINE), answers
        finally:
            run.kill()
            run.wait()
            runtime.shutdown()
    first, second = answers["request-0"], answers["request-1"]
    assert first["statusCode"] == 200 and base64.b64decode(first["body"]) == made("convert", "-q", "85"), first
    assert second["statusCode"] == 422 and b"not a HEIF" in base64.b64decode(second["body"]), second


def test_the_commands_of_the_page_write_what_apus_makes(folder, address):
    shutil.copyfile(FIXTURES / "photo.heic", folder / "IMG_0001.HEIC")
    for code in [block("apus serve &\n"), block("curl --data-binary @IMG_0001.HEIC 'http://127.0.0.1:8088/v1/thumb")]:
        text = "\n".join(line for line in code.splitlines() if line.startswith("curl"))
        completed("sh", "-ec", replaced(text, ("127.0.0.1:8088", address)), cwd=folder)
    assert (folder / "IMG_0001.jpg").read_bytes() == made("convert", "-q", "85")
    assert (folder / "small.jpg").read_bytes() == made("thumbnail", "-s", "1024")
    assert (folder / "sizes").read_bytes().startswith(b"--apus-")


def test_a_python_program_gets_the_same_by_body_and_by_form(folder, address, python):
    wanted = folder / "wanted.jpg"
    wanted.write_bytes(made("convert", "-q", "85"))
    script = """
import pathlib, requests, sys
with requests.Session() as session, open(sys.argv[2], "rb") as photo:
    raw = session.post(f"http://{sys.argv[1]}/v1/convert", data=photo, params={"quality": 85})
    photo.seek(0)
    form = session.post(f"http://{sys.argv[1]}/v1/convert", files={"file": photo}, params={"quality": 85})
raw.raise_for_status(), form.raise_for_status()
assert raw.content == form.content == pathlib.Path(sys.argv[3]).read_bytes()
"""
    completed(python, "-c", script, address, FIXTURES / "photo.heic", wanted)


def test_systemd_accepts_the_unit_of_the_package_with_the_options_and_the_socket_of_the_page(folder):
    unit = folder / "apus-serve.service"
    shutil.copyfile(ROOT / "Scripts/packaging/apus-serve.service", unit)
    programs = folder / "bin"
    programs.mkdir()
    (programs / "apus").symlink_to(APUS)
    unit.write_text(replaced(unit.read_text(), ("/usr/bin/apus", programs / "apus")))
    settings, socket_ = block("[Service]\n"), block("[Socket]\n")
    place = folder / "apus-serve.service.d"
    place.mkdir()
    (place / "override.conf").write_text(settings)
    (folder / "apus-serve.socket").write_text(socket_)
    done = completed("systemd-analyze", "verify", "--man=no", unit, folder / "apus-serve.socket", status=None, text=True,
                     env=os.environ | {"SYSTEMD_UNIT_PATH": f"{folder}:", "SYSTEMD_LOG_LEVEL": "notice"})
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "apus" in line]
    assert done.returncode == 0 and not ours, done.stderr
    # A setting that does not exist would have been noticed.
    (place / "override.conf").write_text(settings + "NoSuchSetting=1\n")
    done = completed("systemd-analyze", "verify", "--man=no", unit, status=None, text=True,
                     env=os.environ | {"SYSTEMD_UNIT_PATH": f"{folder}:"})
    assert "NoSuchSetting" in done.stderr, done.stderr


def test_a_server_with_the_options_and_the_socket_of_the_page_asks_for_a_key(folder):
    settings, socket_ = block("[Service]\n"), block("[Socket]\n")
    (folder / "keys").write_text("secret\n")
    options = re.search(r'OPTIONS=(.*)"$', settings, re.M)[1]
    words = shlex.split(replaced(options, ("/etc/apus/keys", folder / "keys")))
    port = free_port()
    listen = replaced(re.search(r"ListenStream=(.*)", socket_)[1], ("8088", port))
    with running("systemd-socket-activate", "-l", listen, APUS, "serve", *words, "--listen", "fd:3", port=port,
                 log=folder / "log"):  # fmt: skip
        request = urllib.request.Request(f"http://{listen}/v1/convert?quality=85", data=body("photo.heic"), method="POST")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=DEADLINE)
        assert refused.value.code == 401
        request.add_header("API-Key", "secret")
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            assert answer.read() == made("convert", "-q", "85")
    logged = [json.loads(line) for line in (folder / "log").read_text().splitlines() if line.startswith("{")]
    assert [line["status"] for line in logged] == [401, 200], logged


def test_the_commands_of_the_container_work_in_a_sandbox_like_it(folder):
    """It is read-only but for /tmp, and belongs to nobody."""
    # The line before gives the image the name that this one has.
    line = next(line for line in block("podman tag").splitlines() if line.startswith("podman run -d"))
    words = shlex.split(line)
    image = words.index("apus")
    options, command = words[3:image], words[image + 1 :]
    assert options == ["--read-only", "--tmpfs", "/tmp", "-p", "8088:8088"] and command[:2] == ["serve", "--listen"], words
    port = free_port()
    listen = replaced(command[2], ("0.0.0.0:8088", f"127.0.0.1:{port}"))
    # The program is where nothing else lies over it, and the folder of photos as well.
    photos = folder / "photos"
    photos.mkdir()
    shutil.copyfile(FIXTURES / "photo.heic", photos / "IMG_0001.HEIC")
    sandbox = ["bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--ro-bind", APUS,
               "/tmp/apus", "--bind", photos, "/tmp/photos", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--uid", "65532",
               "--gid", "65532", "--die-with-parent", "--chdir", "/tmp/photos"]  # fmt: skip
    with running(*sandbox, "/tmp/apus", *command[:2], listen, port=port, log=folder / "log"):
        assert posted(f"http://{listen}/v1/convert?quality=85") == made("convert", "-q", "85")
        assert posted(f"http://{listen}/v1/thumbnail?size=64") == made("thumbnail", "-s", "64")
    # The page about installing has the photos of a folder converted.
    words = shlex.split(re.search(r"^podman run --rm .*", INSTALLING, re.M)[0])
    image = words.index("apus")
    assert words[2:image] == ["--rm", "--read-only", "-v", "$PWD:/photos"], words
    completed(*sandbox, "/tmp/apus", *words[image + 1 :])
    assert (photos / "IMG_0001.jpg").read_bytes() == made("convert")
