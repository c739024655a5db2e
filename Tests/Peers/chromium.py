# SPDX-License-Identifier: MIT
"""Chromium without a display, driven over a pipe by the protocol of its developer tools."""

import contextlib
import json
import os
import select
import subprocess
import tempfile
import time

from programs import Failure


class Page:
    """A page that a browser has open."""

    def __init__(self, to, answers, seconds):
        self.to, self.answers, self.seconds = to, answers, seconds
        self.number, self.buffer, self.session = 0, b"", None

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self.seconds
        while True:
            while b"\0" in self.buffer:
                line, _, self.buffer = self.buffer.partition(b"\0")
                answer = json.loads(line)
                if answer.get("id") == self.number:
                    if "error" in answer:
                        raise Failure(f"Chromium: {method}: {answer['error']}")
                    return answer["result"]
            if not select.select([self.answers], [], [], max(end - time.monotonic(), 0))[0]:
                raise Failure(f"Chromium: {method}: no answer within {self.seconds} s")
            self.buffer += os.read(self.answers, 1 << 20)

    def run(self, script):
        """What a script comes to, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failure(f"Chromium: {result['exceptionDetails']}")
        return result["result"].get("value")


@contextlib.contextmanager
def page(address, seconds=300):
    """Opens an address."""
    ours, its = os.pipe(), os.pipe()

    def arrange():
        # Under its own numbers first, which may be those that are wanted.
        reading, writing = os.dup(ours[0]), os.dup(its[1])
        os.dup2(reading, 3)
        os.dup2(writing, 4)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        run = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
             "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
             f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=arrange, start_new_session=True,
        )  # fmt: skip
        os.close(ours[0])
        os.close(its[1])
        try:
            made = Page(ours[1], its[0], seconds)
            target = made.call("Target.createTarget", url=address)["targetId"]
            made.session = made.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            end = time.monotonic() + seconds
            while made.run("document.readyState") != "complete" or made.run("location.href") == "about:blank":
                if time.monotonic() > end:
                    raise Failure(f"Chromium: {address} is not loaded within {seconds} s")
            yield made
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, 9)
            run.wait()
            os.close(ours[1])
            os.close(its[0])
