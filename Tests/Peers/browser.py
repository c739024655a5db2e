# SPDX-License-Identifier: MIT
"""Chromium as a player of segments: Media Source Extensions, which most players in browsers are made of."""

import functools
import http.server
import json
import pathlib
import tempfile
import threading

from programs import Failure, running, until

PAGE = """<!doctype html><video muted></video><script>
const tracks = %s;
const video = document.querySelector("video");
const report = value => fetch("/report", {method: "POST", body: JSON.stringify(value)});
const told = error => report({error: String(error && error.message || error)});
video.onerror = () => told(video.error.message || "the video fails");
async function feed(source, track) {
  if (!MediaSource.isTypeSupported(track.type)) throw Error(track.type + " is not supported");
  const buffer = source.addSourceBuffer(track.type);
  for (const [name, start, end] of track.parts) {
    const headers = end ? {Range: `bytes=${start}-${end - 1}`} : {};
    const bytes = await (await fetch(name, {headers})).arrayBuffer();
    await new Promise((done, fail) => {
      buffer.onupdateend = done;
      buffer.onerror = () => fail(Error(name + " is refused"));
      buffer.appendBuffer(bytes);
    });
  }
  const ranges = buffer.buffered;
  return Array.from({length: ranges.length}, (_, i) => [ranges.start(i), ranges.end(i)]);
}
const source = new MediaSource();
video.src = URL.createObjectURL(source);
source.onsourceopen = async () => {
  try {
    const buffered = await Promise.all(tracks.map(track => feed(source, track)));
    source.endOfStream();
    video.playbackRate = 4;
    video.onended = () => report({
      buffered, time: video.currentTime, duration: video.duration, width: video.videoWidth,
      height: video.videoHeight, ...(({totalVideoFrames: total, corruptedVideoFrames: corrupted}) =>
        ({total, corrupted}))(video.getVideoPlaybackQuality()),
    });
    await video.play();
  } catch (error) { told(error); }
};
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder with ranges, the page, and takes what the page reports."""

    def do_GET(self):
        if self.path == "/play":
            return self.answer(200, "text/html", self.server.page.encode())
        file = pathlib.Path(self.translate_path(self.path))
        if not file.is_file():
            return self.answer(404, "text/plain", b"")
        data, ranged = file.read_bytes(), self.headers.get("Range")
        if ranged:
            start, end = map(int, ranged.removeprefix("bytes=").split("-"))
            return self.answer(206, "video/mp4", data[start:end + 1])
        return self.answer(200, "video/mp4", data)

    def answer(self, status, kind, data):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        self.server.report = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(200, "text/plain", b"")

    def log_message(self, *_):
        pass


def play(folder, tracks, seconds=300):
    """What Chromium reports after it played tracks: each a type and parts, which are a name, a start and an end, 0 for whole files."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    server.page, server.report = PAGE % json.dumps(tracks), None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        # A process of Chromium may be writing into the profile until it is gone.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, running(
                "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--mute-audio", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
                "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={profile}",
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                f"http://127.0.0.1:{server.server_port}/play", family=True):
            until(lambda: server.report is not None, "Chromium plays to the end", seconds)
    finally:
        server.shutdown()
        server.server_close()
    if "error" in server.report:
        raise Failure(f"Chromium: {server.report['error']}")
    return server.report
