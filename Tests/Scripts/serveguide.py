#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The proxies, the function and the requests that the guide of `apus serve` shows work as they stand there."""

import base64
import http.server
import json
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import free_port, running  # noqa: E402
from service import FIXTURES, SECONDS, body, python, server  # noqa: E402

PAGE = (ROOT / "Sources/ApusCommand/apus.docc/Service.md").read_text()
PROGRAM = ROOT / ".build/release/apus"


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
    return subprocess.run([PROGRAM, *words, "-", "-o", "-"], input=body("photo.heic"), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True).stdout  # fmt: skip


def posted(address, context=None):
    request = urllib.request.Request(address, data=body("photo.heic"), method="POST")
    with urllib.request.urlopen(request, timeout=SECONDS, context=context) as answer:
        return answer.read()


def nginx(folder, address):
    port = free_port()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key", "-out", folder / "pem",
         "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    site = replaced(
        block("upstream apus"), ("127.0.0.1:8088", address), ("listen 443", f"listen 127.0.0.1:{port}"),
        ("photos.example.org", "127.0.0.1"), ("/etc/ssl/photos.pem", folder / "pem"),
        ("/etc/ssl/photos.key", folder / "key"),
    )  # fmt: skip
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n"
        + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        + site + "}\n"
    )  # fmt: skip
    context = ssl.create_default_context(cafile=folder / "pem")
    with running("nginx", "-p", folder, "-c", folder / "nginx.conf", port=port):
        assert posted(f"https://127.0.0.1:{port}/apus/v1/convert?quality=85", context) == made("convert", "-q", "85")


def caddy(folder, address):
    port = free_port()
    site = replaced(block("photos.example.org {"), ("photos.example.org", f"http://127.0.0.1:{port}"),
                    ("127.0.0.1:8088", address))  # fmt: skip
    (folder / "Caddyfile").write_text("{\n  admin off\n  auto_https off\n  default_bind 127.0.0.1\n}\n" + site)
    os.environ["HOME"] = str(folder)
    with running("caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile", port=port):
        assert posted(f"http://127.0.0.1:{port}/apus/v1/convert?quality=85") == made("convert", "-q", "85")


def function(folder):
    """The runtime of a function, from which it takes two events: a photo, and what is none."""
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
        (programs / "apus").symlink_to(PROGRAM)
        place = folder / "tmp"
        place.mkdir()
        bootstrap = folder / "bootstrap"
        bootstrap.write_text(block("#!/bin/sh").replace("/tmp/", f"{place}/"))
        environment = {**os.environ, "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{runtime.server_port}",
                       "PATH": f"{programs}:{os.environ['PATH']}"}  # fmt: skip
        run = subprocess.Popen(["sh", bootstrap], stdin=subprocess.DEVNULL, env=environment)
        try:
            assert done.wait(SECONDS), answers
        finally:
            run.kill()
            run.wait()
            runtime.shutdown()
    first, second = answers["request-0"], answers["request-1"]
    assert first["statusCode"] == 200 and base64.b64decode(first["body"]) == made("convert", "-q", "85"), first
    assert second["statusCode"] == 422 and b"not a HEIF photo" in base64.b64decode(second["body"]), second


def clients(folder, address):
    """What the page types, and what a Python program sends."""
    shutil.copyfile(FIXTURES / "photo.heic", folder / "IMG_0001.HEIC")
    for code in [block("apus serve &\n"), block("curl --data-binary @IMG_0001.HEIC 'http://127.0.0.1:8088/v1/thumb")]:
        text = "\n".join(line for line in code.splitlines() if line.startswith("curl"))
        subprocess.run(["sh", "-ec", replaced(text, ("127.0.0.1:8088", address))], cwd=folder, check=True,
                       stderr=subprocess.DEVNULL)  # fmt: skip
    assert (folder / "IMG_0001.jpg").read_bytes() == made("convert", "-q", "85")
    assert (folder / "small.jpg").read_bytes() == made("thumbnail", "-s", "1024")
    assert (folder / "sizes").read_bytes().startswith(b"--apus-")
    script = """
import pathlib, requests, sys
with requests.Session() as session, open(sys.argv[2], "rb") as photo:
    raw = session.post(f"http://{sys.argv[1]}/v1/convert", data=photo, params={"quality": 85})
    photo.seek(0)
    form = session.post(f"http://{sys.argv[1]}/v1/convert", files={"file": photo}, params={"quality": 85})
raw.raise_for_status(), form.raise_for_status()
assert raw.content == form.content == pathlib.Path(sys.argv[3]).read_bytes()
"""
    subprocess.run([python(), "-c", script, address, FIXTURES / "photo.heic", folder / "IMG_0001.jpg"], check=True)


def main():
    for test in [clients, nginx, caddy]:
        with tempfile.TemporaryDirectory() as folder, server("--log", "none") as (_, address):
            test(pathlib.Path(folder), address)
    with tempfile.TemporaryDirectory() as folder:
        function(pathlib.Path(folder))
    print("the clients, proxies and the function of the guide get what the command makes")


if __name__ == "__main__":
    main()
