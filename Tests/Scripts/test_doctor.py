# SPDX-License-Identifier: MIT
"""What apus doctor says of servers is what they do: nginx drops enhanced HEVC in silence, apus receive drops nothing."""

import json
import socket
import time

import jsonschema
import pytest

import nginx
from programs import APUS, SCHEMAS, free_port, run, running, same

pytestmark = [pytest.mark.waits, pytest.mark.apart]
KEY = "hidden-key"


def examine(url, *words, status=0):
    """The report, which keeps its time, its schema and the secret."""
    start = time.monotonic()
    text = run(APUS, "doctor", url, "--json", *words, status=status)
    assert KEY not in text, f"the key is told: {text}"
    report = json.loads(next(line for line in text.splitlines() if line[:1] == "{"))
    schema = json.loads((SCHEMAS / "doctor.schema.json").read_text())
    jsonschema.validate(report, schema)
    return report, text, time.monotonic() - start


def verdicts(report):
    return [trial["verdict"] for trial in report["trials"]]


def test_nginx_drops_enhanced_hevc(folder):
    with nginx.relay(folder / "nginx") as port:
        report, *_ = examine(f"rtmp://127.0.0.1:{port}/live/{KEY}")
    same("verdicts", ["dropped", "arrived"], verdicts(report))
    same("recommended", "legacy", report["recommended"])
    same("program", "nginx-rtmp", report["server"]["program"])
    same("sound", [True, True], [trial["arrived"]["sounds"] > 50 for trial in report["trials"]])
    with nginx.relay(folder / "again") as port:
        words = run(APUS, "doctor", f"rtmp://127.0.0.1:{port}/live/{KEY}")
    assert "DROPPED" in words and KEY not in words and "--dialect legacy" in words, f"it says: {words}"


def test_apus_receive_drops_nothing(folder):
    port = free_port()
    url = f"rtmp://127.0.0.1:{port}/live/{KEY}"
    with running(APUS, "receive", url, "-o", folder / "out.flv", port=port):
        report, *_ = examine(url)
    same("verdicts", ["arrived", "arrived"], verdicts(report))
    same("recommended", "enhanced", report["recommended"])
    same("capabilities", True, report["server"]["capabilities"]["takes_hevc"])
    same("pictures", [True, True], [trial["arrived"]["same_pictures"] > 40 for trial in report["trials"]])


def test_a_refusal_is_reported(folder):
    port = free_port()
    url = f"rtmp://127.0.0.1:{port}/live/{KEY}"
    with running(APUS, "receive", url + "-other", "-o", folder / "out.flv", port=port):
        report, *_ = examine(url, status=1)
    same("verdicts", ["refused", "refused"], verdicts(report))


def test_a_certificate_that_nobody_vouches_for_is_reported(folder):
    with nginx.relay(folder / "nginx") as behind, nginx.front(folder / "front", behind) as port:
        url = f"rtmps://127.0.0.1:{port}/live/{KEY}"
        report, text, _ = examine(url, status=1)
        same("server", None, report["server"])
        assert "certificate" in text, f"it says: {text}"
        report, *_ = examine(url, "--ca-file", folder / "front/certificate.pem")
    same("verdicts", ["dropped", "arrived"], verdicts(report))


def test_silence_is_reported_in_time():
    with socket.create_server(("127.0.0.1", 0)) as server:
        report, _, seconds = examine(f"rtmp://127.0.0.1:{server.getsockname()[1]}/live/{KEY}", status=1)
    same("server", None, report["server"])
    same("verdicts", ["failed"], verdicts(report))
    same("seconds below 10", True, seconds < 10)
