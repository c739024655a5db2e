# SPDX-License-Identifier: MIT
"""What chromium shows of pictures on displays of some headroom, as numbers.

Without a display or a graphics card it paints into a canvas of linear light, which says for which headroom it wants to
be painted (CanvasGlobalHDRHeadroom, an experiment of chromium's).
"""

import http.server
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading

import numpy

PAGE = """<!doctype html><meta charset=utf-8><script>
(async () => {
  const jobs = await (await fetch('/jobs')).json();
  for (const [index, job] of jobs.entries()) {
    let body;
    try {
      const image = new Image();
      image.src = job.path;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const space = job.space;
      const context = canvas.getContext('2d', {colorSpace: space, colorType: 'float16',
        toneMapping: {mode: 'extended'}});
      context.globalHDRHeadroom = job.headroom;
      context.drawImage(image, 0, 0);
      const data = context.getImageData(0, 0, canvas.width, canvas.height,
        {pixelFormat: 'rgba-float16', colorSpace: space}).data;
      const values = new Float32Array(2 + data.length / 4 * 3 | 0);
      [values[0], values[1]] = [canvas.width, canvas.height];
      for (let i = 0, to = 2; i < data.length; i += 4)
        for (let c = 0; c < 3; c++) values[to++] = data[i + c];
      body = values;
    } catch (error) { body = 'failed: ' + error.message; }
    await fetch('/result?' + index, {method: 'POST', body});
  }
  await fetch('/end', {method: 'POST'});
})();
</script>"""


def rendered(jobs, timeout=120):
    """The linear light of each of (path, headroom as a logarithm, colour space), 1 for white."""
    results, end = {}, threading.Event()
    listing = [
        {"path": f"/file/{index}", "headroom": headroom, "space": space}
        for index, (_, headroom, space) in enumerate(jobs)
    ]

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, body, kind="text/html"):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.path == "/":
                self.answer(PAGE.encode())
            elif self.path == "/jobs":
                self.answer(json.dumps(listing).encode(), "application/json")
            elif self.path.startswith("/file/"):
                path = pathlib.Path(jobs[int(self.path.rsplit("/", 1)[1])][0])
                self.answer(path.read_bytes(), "image/png" if path.suffix == ".png" else "image/jpeg")
            else:
                self.send_error(404)

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            self.answer(b"")
            if self.path == "/end":
                end.set()
            else:
                results[int(self.path.split("?")[1])] = body

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [
                shutil.which("chromium") or "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={profile}",
                "--enable-experimental-web-platform-features",
                "--enable-blink-features=CanvasGlobalHDRHeadroom",
                f"http://127.0.0.1:{server.server_port}/",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            if not end.wait(timeout):
                raise SystemExit(f"chromium showed {len(results)} of {len(jobs)} pictures in {timeout} s")
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    return [picture(results[index]) for index in range(len(jobs))]


def picture(body):
    if body.startswith(b"failed"):
        raise ValueError(body.decode())
    values = numpy.frombuffer(body, "<f4")
    width, height = int(values[0]), int(values[1])
    return values[2:].reshape(height, width, 3)
