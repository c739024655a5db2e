# SPDX-License-Identifier: MIT
"""apus stream signs in, by the schemes of Adobe and Limelight, where FFmpeg's client does."""

import pytest

from programs import APUS, FFMPEG, ROOT, finished, free_port, running

pytestmark = [pytest.mark.waits, pytest.mark.apart]
USER, PASSWORD = "anna", "hidden-word"


@pytest.mark.parametrize("scheme", ["adobe", "llnw"])
@pytest.mark.parametrize("client, password, status", [("ffmpeg", PASSWORD, 0), ("apus", PASSWORD, 0), ("apus", "other", 1)])
def test_a_client_signs_in_with_the_right_password_only(folder, sources, scheme, client, password, status):
    port, log, source = free_port(), folder / "client.log", sources["8 bit"]
    url = f"rtmp://{USER}:{password}@127.0.0.1:{port}/live/key"
    commands = {
        "ffmpeg": (FFMPEG, "-i", source, "-c", "copy", "-f", "flv", url),
        "apus": (APUS, "stream", source, url, "--retry", "0", "--no-pace"),
    }
    with running(ROOT / "Tests/Peers/gatekeeper.py", scheme, port, USER, PASSWORD, port=port) as server:
        with running(*commands[client], log=log) as process:
            found = finished(server)
            finished(process)
    words = log.read_text()
    assert found == status, f"the gatekeeper ends with {found}, the client says: {words[-300:]}"
    assert client != "apus" or password not in words, "the password is printed"
    assert status == 0 or "rejects this user and password" in words
