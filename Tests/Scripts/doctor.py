#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What apus doctor says of servers is what they do: nginx drops enhanced HEVC in silence, apus receive drops nothing."""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import jsonschema  # noqa: E402
import nginx  # noqa: E402
import programs  # noqa: E402
from programs import Failure, free_port, run, running  # noqa: E402

KEY = "hidden-key"


def examine(url, *words, status=0):
    """The report, which keeps its time, its schema and the secret."""
    start = time.monotonic()
    text = run(programs.APUS, "doctor", url, "--json", *words, status=status)
    if KEY in text:
        raise Failure(f"the key is told: {text}")
    report = json.loads(next(line for line in text.splitlines() if line[:1] == "{"))
    schema = json.loads((ROOT / "Sources/ApusCommand/Schemas/doctor.schema.json").read_text())
    jsonschema.validate(report, schema)
    return report, text, time.monotonic() - start


def expect(what, found, wanted):
    if found != wanted:
        raise Failure(f"{what}: {found} instead of {wanted}")


def verdicts(report):
    return [trial["verdict"] for trial in report["trials"]]


def of_nginx(work):
    with nginx.relay(work / "nginx") as port:
        report, *_ = examine(f"rtmp://127.0.0.1:{port}/live/{KEY}")
    expect("verdicts", verdicts(report), ["dropped", "arrived"])
    expect("recommended", report["recommended"], "legacy")
    expect("program", report["server"]["program"], "nginx-rtmp")
    expect("sound", [trial["arrived"]["sounds"] > 50 for trial in report["trials"]], [True, True])
    with nginx.relay(work / "again") as port:
        words = run(programs.APUS, "doctor", f"rtmp://127.0.0.1:{port}/live/{KEY}")
    if "DROPPED" not in words or KEY in words or "--dialect legacy" not in words:
        raise Failure(f"it says: {words}")


def of_receive(work):
    port = free_port()
    url = f"rtmp://127.0.0.1:{port}/live/{KEY}"
    with running(programs.APUS, "receive", url, "-o", work / "out.flv", port=port):
        report, *_ = examine(url)
    expect("verdicts", verdicts(report), ["arrived", "arrived"])
    expect("recommended", report["recommended"], "enhanced")
    expect("capabilities", report["server"]["capabilities"]["takes_hevc"], True)
    expect("pictures", [trial["arrived"]["same_pictures"] > 40 for trial in report["trials"]],
           [True, True])


def of_refusal(work):
    port = free_port()
    url = f"rtmp://127.0.0.1:{port}/live/{KEY}"
    with running(programs.APUS, "receive", url + "-other", "-o", work / "out.flv", port=port):
        report, *_ = examine(url, status=1)
    expect("verdicts", verdicts(report), ["refused", "refused"])


def of_strange_certificate(work):
    with nginx.relay(work / "nginx") as behind, nginx.front(work / "front", behind) as port:
        url = f"rtmps://127.0.0.1:{port}/live/{KEY}"
        report, text, _ = examine(url, status=1)
        expect("server", report["server"], None)
        if "certificate" not in text:
            raise Failure(f"it says: {text}")
        report, *_ = examine(url, "--ca-file", work / "front/certificate.pem")
    expect("verdicts", verdicts(report), ["dropped", "arrived"])


def of_silence(_):
    with socket.create_server(("127.0.0.1", 0)) as server:
        report, _, seconds = examine(f"rtmp://127.0.0.1:{server.getsockname()[1]}/live/{KEY}", status=1)
    expect("server", report["server"], None)
    expect("verdicts", verdicts(report), ["failed"])
    expect("seconds below 10", seconds < 10, True)


def main():
    subprocess.run(["bash", "-c", '. "$1"/Scripts/setup; need_packages run test', "doctor", ROOT],
                   stdin=subprocess.DEVNULL, check=True)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for check in (of_nginx, of_receive, of_refusal, of_strange_certificate, of_silence):
            work = pathlib.Path(folder) / check.__name__
            work.mkdir()
            title = check.__name__.replace("_", " ")
            try:
                check(work)
                print(f"{title}: as it should be", flush=True)
            except Failure as failure:
                failed += 1
                print(f"{title}: {failure}", file=sys.stderr, flush=True)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
