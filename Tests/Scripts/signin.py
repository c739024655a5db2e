#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""apus stream signs in, by the schemes of Adobe and Limelight, where FFmpeg's client does."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import media  # noqa: E402
from programs import APUS, FFMPEG, Failure, finished, free_port, running  # noqa: E402

USER, PASSWORD = "anna", "hidden-word"


def attempt(work, scheme, client, source, password):
    """How the gatekeeper ends, and what the client says."""
    port, log = free_port(), work / "client.log"
    url = f"rtmp://{USER}:{password}@127.0.0.1:{port}/live/key"
    gatekeeper = ROOT / "Tests/Peers/gatekeeper.py"
    commands = {
        "ffmpeg": (FFMPEG, "-i", source, "-c", "copy", "-f", "flv", url),
        "apus": (APUS, "stream", source, url, "--retry", "0", "--no-pace"),
    }
    with running(gatekeeper, scheme, port, USER, PASSWORD, port=port) as server:
        with running(*commands[client], log=log) as process:
            status = finished(server)
            finished(process)
    return status, log.read_text()


def main():
    subprocess.run(["bash", "-c", '. "$1"/Scripts/setup; need_packages run test; need_apus', "signin", ROOT],
                   stdin=subprocess.DEVNULL, check=True)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = media.make(folder)["8 bit"]
        for scheme in ("adobe", "llnw"):
            for client, password, wanted in (("ffmpeg", PASSWORD, 0), ("apus", PASSWORD, 0), ("apus", "other", 1)):
                try:
                    status, words = attempt(folder, scheme, client, source, password)
                    if status != wanted or client == "apus" and password in words:
                        raise Failure(f"the gatekeeper ends with {status}, the client says: {words[-300:]}")
                    if wanted == 1 and "rejects this user and password" not in words:
                        raise Failure(f"a wrong password is told as: {words}")
                    print(f"{client}, {scheme}, {password == PASSWORD}: as it should be", flush=True)
                except Failure as failure:
                    failed += 1
                    print(f"{client}, {scheme}: {failure}", file=sys.stderr, flush=True)
    return failed > 0


sys.exit(main())
