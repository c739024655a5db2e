# SPDX-License-Identifier: MIT
"""What --watch shows of live jobs is what FFmpeg publishes: the numbers as JSON, as Prometheus reads them, and on a page
that Chromium runs."""

import contextlib
import json
import pathlib
import re
import time
import urllib.error
import urllib.request

import pytest

from programs import APUS, FFMPEG, Failure, completed, finished, free_port, run, running, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
PARSE = """
import json, sys
from prometheus_client.parser import text_string_to_metric_families
print(json.dumps([[family.name, family.type, sample.name, sample.labels, sample.value]
                  for family in text_string_to_metric_families(sys.stdin.read()) for sample in family.samples]))
"""


class Watched:
    """A run of apus with a port for those who watch."""

    def __init__(self, log, *words):
        self.log, self.words = log, words

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.process = self.stack.enter_context(
            running(APUS, *self.words, "--watch", "127.0.0.1:0", "--json", log=self.log))
        said = lambda: re.search(r"watched at (http://\S+)\n", self.log.read_text())
        until(said, "it says where it is watched")
        self.url = said()[1]
        return self

    def __exit__(self, *failure):
        self.stack.close()

    def ask(self, path, status=200, method="GET"):
        request = urllib.request.Request(self.url + path, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                found, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            found, text = error.code, ""
        assert found == status, f"{method} /{path} is answered with {found}, not {status}"
        return text

    def streams(self):
        return json.loads(self.ask("streams"))


def near(what, found, wanted, part):
    assert found is not None and abs(found - wanted) <= abs(wanted) * part, f"{what} is {found}, not {wanted}"


def make(folder):
    """Makes a minute of H.264 and AAC, with a key frame every two seconds."""
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25,noise=alls=20:allf=t", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=44100", "-t", 60, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
        "-b:v", "800k", "-maxrate", "800k", "-bufsize", "400k", "-g", 50, "-sc_threshold", 0, "-c:a", "aac", "-y",
        folder / "source.mp4")


@pytest.fixture(scope="session")
def source(shared):
    """A minute of a movie."""
    return shared("watch", make) / "source.mp4"


def test_a_receiver_shows_its_streams_as_ffmpeg_publishes_them(folder, source, python):
    second = free_port()
    target = f"rtmp://127.0.0.1:{second}/live/{{key}}"
    onward = [APUS, "receive", f"rtmp://127.0.0.1:{second}/live/", "-o", f"{folder}/second/"]
    with running(*onward, port=second), Watched(
            folder / "log", "receive", "rtmp://127.0.0.1:0/live", "-o", f"{folder}/out/", "--forward", target) as job:
        empty = job.streams()
        assert (empty["streams"], empty["connections"], empty["healthy"]) == ([], 0, True), \
            f"before anybody comes the streams are {empty}"
        port = next(json.loads(line)["port"] for line in job.log.read_text().splitlines() if '"listening"' in line)
        url = f"rtmp://127.0.0.1:{port}/live/cam"
        publish = [*OLD_FFMPEG, "-re", "-i", source, "-c", "copy", "-f", "flv", url]
        with running(*publish) as first:
            until(lambda: job.streams()["streams"], "the stream is shown")
            first.kill()
            first.wait()
        until(lambda: not job.streams()["streams"], "a stream that is over is shown no more")
        with running(*publish):
            until(lambda: job.streams()["streams"], "the stream is shown again")
            with running("rtmpdump", "--quiet", "--live", "--rtmp", url, "--flv", "/dev/null"):
                until(lambda: job.streams()["streams"][0]["duration"] > 8500, "eight seconds have come")
                check(job, source, python)
                page = folder / "profile"
                dom = run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                          "--disable-dev-shm-usage", f"--user-data-dir={page}", "--virtual-time-budget=1500",
                          "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--dump-dom", job.url)
        for words in ("<h2>cam – ", "AVC", "<polyline", "pictures a second", target.replace("{key}", "••••")):
            assert words in dom, f"the page that Chromium shows has no {words}: {dom[-1500:]}"
        text = job.ask("")
        assert not re.search(r"""(src|href|url\()\s*[=(]?\s*["']?(https?:)?//""", text) and "import(" not in text, \
            "the page needs something from elsewhere"
        history = json.loads(job.ask("history"))
        assert not history or (len(history["cam"]) >= 5 and max(history["cam"]) >= 400_000), f"the history is {history}"
        job.ask("nothing", 404)
        job.ask("streams", 405, "POST")
        job.ask("health")
        after = read(job.ask("metrics"), python)
        assert after[("apus_streams_total", ())] == 2 and after[("apus_streams", ())] <= 1, "streams are counted wrong"


def read(text, python):
    """Values by name and labels, as Prometheus' own reader of its format has them."""
    values = json.loads(completed(python, "-c", PARSE, input=text, text=True).stdout)
    return {(name, tuple(sorted(labels.items()))): value for _, _, name, labels, value in values}


def check(job, source, python):
    """What is shown is right before long; on a machine that is busy not every second of a stream takes a second to come."""
    facts = json.loads(run("ffprobe", "-v", "error", "-show_packets", "-of", "json", source))["packets"]
    bits = sum(int(packet["size"]) for packet in facts if float(packet["dts_time"]) < 8.5) * 8 / 8.5
    end = time.monotonic() + 30
    while True:
        try:
            return compare(job.streams(), job.ask("metrics"), bits, python)
        except Failure:
            if time.monotonic() > end:
                raise
            time.sleep(1)


def compare(seen, metrics, bits, python):
    (stream,) = seen["streams"]
    near("the bit rate", stream["bit_rate"], bits, 0.15)
    near("the frame rate", stream["frame_rate"], 25, 0.08)
    near("the distance of key frames", stream["key_frame_distance"], 2000, 0.001)
    near("bytes a second", stream["bytes"] * 8 / stream["duration"] * 1000, bits, 0.15)
    assert stream["codecs"].startswith("AVC") and "AAC" in stream["codecs"], f"the codecs are {stream['codecs']}"
    assert (stream["name"], stream["players"], stream["lost_players"], stream["returns"]) == ("cam", 1, 0, 1), \
        f"the stream is shown as {stream}"
    assert 0 <= stream["jitter"] < 60 and abs(stream["lead"]) <= 500 and stream["round_trip"] is not None, \
        f"the times are {stream}"
    assert stream["drift"] is not None and abs(stream["drift"]) <= 60, \
        f"sound and pictures that stay together drift by {stream['drift']} ms"
    assert seen["connections"] == 2, f"{seen['connections']} clients are connected, not 2"
    size = pathlib.Path(stream["path"]).stat().st_size
    assert 0 < stream["file_bytes"] and size >= stream["file_bytes"], \
        f"{stream['path']} has {size} bytes, not {stream['file_bytes']}"
    (target,) = seen["targets"]
    assert (target["stream"], target["up"], target["losses"], target["dropped"]) == ("cam", True, 0, 0), \
        f"the server that it is passed on to is shown as {target}"
    values = read(metrics, python)
    label = (("stream", "cam"),)
    near("the metric of the bit rate", values[("apus_stream_bits_per_second", label)], stream["bit_rate"], 0.2)
    near("the metric of key frames", values[("apus_stream_key_frame_seconds", label)], 2, 0.001)
    up = [value for (name, labels), value in values.items() if name == "apus_target_up" and ("stream", "cam") in labels]
    assert up == [1], f"the metrics say of the target that it is {up}"
    drops = {dict(labels)["kind"] for (name, labels) in values if name == "apus_target_dropped_samples_total"}
    assert len(drops) == 6, f"drops are counted by {drops}"


@pytest.mark.parametrize("others", [[], ["rtmp://127.0.0.1:1/live/key"]], ids=["alone", "next to another"])
def test_a_publisher_is_healthy_while_a_server_takes_its_stream(folder, source, python, others):
    port = free_port()
    receive = [APUS, "receive", f"rtmp://127.0.0.1:{port}/live/key", "-o", folder / "out.flv"]
    with Watched(folder / "log", "stream", source, f"rtmp://127.0.0.1:{port}/live/key", *others, "--loop",
                 "--retry", "1000") as job:
        until(lambda: job.streams()["targets"], "the target is shown")
        job.ask("health", 503)
        with running(*receive, port=port):
            until(lambda: job.streams()["targets"][0]["up"], "the server takes the stream")
            job.ask("health")
            values = read(job.ask("metrics"), python)
            ups = {dict(labels)["target"]: value for (name, labels), value in values.items() if name == "apus_target_up"}
            assert ups == {"1": 1} | ({"2": 0} if others else {}), f"the metrics say of the targets that they are {ups}"
            assert "secret" not in job.ask("streams") and "/live/key" not in job.ask("streams"), "the key is shown"
        until(lambda: not job.streams()["targets"][0]["up"], "the server is shown to be gone")
        job.process.terminate()
        finished(job.process)
