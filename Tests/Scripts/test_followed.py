# SPDX-License-Identifier: MIT
"""A live playlist at an address is read from three segments before its end, as its segments come, to its end."""

import contextlib
import http.server
import json
import re
import shutil
import signal
import threading

import pytest

import media
from programs import APUS, FFMPEG, completed, finished, printed, run, running, until

pytestmark = [pytest.mark.waits]

ONE_SECOND = ["-hls_time", "1", "-hls_list_size", "0"]


def make(folder):
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=440:sample_rate=48000",
        "-t", "12", "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params",
        "log-level=none:pools=1:frame-threads=1:keyint=25:min-keyint=25:open-gop=0:bframes=2", "-tag:v", "hvc1", "-c:a", "aac",
        "-y", folder / "all.mp4")
    (folder / "ts").mkdir()
    run(FFMPEG, "-i", folder / "all.mp4", "-c", "copy", "-f", "hls", *ONE_SECOND, folder / "ts/index.m3u8")
    run(APUS, "remux", "--quiet", folder / "all.mp4", "-o", folder / "mp4/index.m3u8", "--segment-duration", "1")


@pytest.fixture(scope="session")
def made(shared):
    """Twelve seconds as a movie, and in segments of a second as transport streams and as MP4 with sound apart."""
    return shared("followed", make)


def pictures(path):
    return media.hashes(path, "passthrough")[0]


class Live(http.server.ThreadingHTTPServer):
    """Serves the files of a folder; of each list of segments as if they appeared by and by."""

    def __init__(self, folder, views, missing=()):
        # What the next requests for a list show: the first segment and the one after the last; the last view stays.
        self.views, self.counts, self.missing, self.folder = views, {}, missing, folder
        super().__init__(("127.0.0.1", 0), Answers)

    def view(self, path):
        count = self.counts[path] = self.counts.get(path, -1) + 1
        return self.views[min(count, len(self.views) - 1)]

    def listed(self, path, text):
        """The part of a list that is shown now."""
        head, *rest = re.split(r"(?m)^(?=#EXTINF)", text.replace("#EXT-X-ENDLIST\n", ""))
        # Comments at the end belong to no segment.
        rest[-1] = re.sub(r"(?m)^#(?!EXTINF).*\n", "", rest[-1])
        head = re.sub(r"(?m)^#EXT-X-(MEDIA-SEQUENCE|PLAYLIST-TYPE|TARGETDURATION).*\n", "", head)
        start, end = self.view(path)
        last = "#EXT-X-ENDLIST\n" if end >= len(rest) else ""
        return f"{head}#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:{start}\n{''.join(rest[start:end])}{last}"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/index.m3u8"


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.server.folder / self.path.lstrip("/")
        if self.path in self.server.missing or not path.is_file():
            self.send_error(404)
            return
        body = path.read_bytes()
        if path.suffix == ".m3u8" and b"#EXTINF" in body:
            body = self.server.listed(self.path, body.decode()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *_):
        pass


def segment(folder, place):
    """The path of a segment of pictures at the server."""
    lists = [path for path in folder.rglob("*.m3u8") if "#EXTINF" in path.read_text()]
    video = next(path for path in sorted(lists) if "audio" not in str(path))
    names = [line for line in video.read_text().splitlines() if not line.startswith("#")]
    return "/" + str((video.parent / names[place]).relative_to(folder))


@pytest.mark.parametrize("kind", ["ts", "mp4"])
def test_everything_from_three_segments_before_the_end_is_recorded(made, folder, kind):
    with Live(made / kind, [(0, 5), (1, 6), (3, 9), (5, 12)]) as server:
        done = completed(APUS, "remux", server.url, "-o", folder / "got.mp4", text=True)
    assert "gone" not in done.stderr, done.stderr
    found, every = pictures(folder / "got.mp4"), pictures(made / "all.mp4")
    assert found == every[2 * 25:], f"{len(found)} pictures"
    times = [round(shown * 100) for _, shown in media.times(folder / "got.mp4")]
    assert [after - before for before, after in zip(sorted(times), sorted(times)[1:])] == [4] * (len(times) - 1)


@pytest.mark.parametrize("kind", ["ts", "mp4"])
def test_segments_that_are_gone_are_reported_and_the_rest_keeps_its_times(made, folder, kind):
    # The fifth and the sixth are removed before they are read, and the server has lost the tenth.
    lost = segment(made / kind, 9)
    with Live(made / kind, [(0, 4), (6, 9), (7, 12)], missing=[lost]) as server:
        done = completed(APUS, "remux", server.url, "-o", folder / "got.mp4", text=True)
    assert "3 segments were gone before they could be read" in done.stderr, done.stderr
    found, every = pictures(folder / "got.mp4"), pictures(made / "all.mp4")
    kept = [every[second * 25:second * 25 + 25] for second in (1, 2, 3, 6, 7, 8, 10, 11)]
    assert found == sum(kept, []), f"{len(found)} pictures"
    times = sorted(shown for _, shown in media.times(folder / "got.mp4"))
    assert abs(times[-1] - times[0] - 10.96) < 0.01, times[-1] - times[0]


def test_a_discontinuity_goes_on_at_the_time_at_which_it_stands(made, folder):
    copied = folder / "live"
    shutil.copytree(made / "mp4", copied)
    for listed in copied.rglob("*.m3u8"):
        head, *rest = re.split(r"(?m)^(?=#EXTINF)", listed.read_text().replace("#EXT-X-ENDLIST\n", ""))
        if rest:
            # The first four seconds come once more, with their old times, after the eighth.
            rest[-1] = re.sub(r"(?m)^#(?!EXTINF).*\n", "", rest[-1])
            rest[8:] = ["#EXT-X-DISCONTINUITY\n" + rest[0], *rest[1:4]]
            text = head + "".join(rest[:8]) + "".join(rest[8:])
            listed.write_text(text + "#EXT-X-ENDLIST\n")
    with Live(copied, [(0, 6), (2, 9), (4, 12)]) as server:
        completed(APUS, "remux", server.url, "-o", folder / "got.mp4")
    found, every = pictures(folder / "got.mp4"), pictures(made / "all.mp4")
    assert found == every[3 * 25:8 * 25] + every[:4 * 25], f"{len(found)} pictures"
    times = sorted(shown for _, shown in media.times(folder / "got.mp4"))
    assert max(after - before for before, after in zip(times, times[1:])) < 0.06, times


def test_ctrl_c_ends_a_recording_that_is_whole(made, folder):
    with Live(made / "ts", [(0, 5)]) as server, running(APUS, "remux", server.url, "-o", folder / "got.mp4") as job:
        until(lambda: server.counts.get("/index.m3u8", 0) >= 2, "the list is read again", 30)
        job.send_signal(signal.SIGINT)
        assert finished(job) == 130
    # The picture that was coming is left out; up to three that are shown before the last may not have come.
    found, every = pictures(folder / "got.mp4"), pictures(made / "all.mp4")
    assert len(found) > 65 and found[:-3] == every[2 * 25:][:len(found) - 3], f"{len(found)} pictures"


def test_info_downloads_what_it_shows(made):
    with Live(made / "mp4", [(0, 12)]) as server:
        for name in ("index.m3u8", "../all.mp4"):
            path = (made / "mp4" / name).resolve()
            server.folder = path.parent
            url = f"http://user:secret@127.0.0.1:{server.server_port}/{path.name}"
            answer = json.loads(printed(APUS, "info", "--json", url))
            video = answer["tracks"][0]
            assert (video["codec"], round(video["duration"])) == ("hvc1.1.6.L60.90", 12), video
            assert "secret" not in json.dumps(answer) + run(APUS, "info", url)
    assert "cannot connect" in run(APUS, "info", server.url, status=1)
    assert "apus doctor shows" in run(APUS, "info", "udp://127.0.0.1:9", status=1)
