# SPDX-License-Identifier: MIT
"""Chromium driven from outside: pages are opened, looked into and clicked through its DevTools protocol, on loopback."""

import base64
import contextlib
import json
import pathlib
import tempfile
import time
import urllib.request

import websocket

from programs import Failure, running, until


class Page:
    """A tab. What it logs, asks for and throws is gathered."""

    def __init__(self, address, seconds):
        # Chromium refuses origins that it was not told.
        self.socket = websocket.create_connection(address, timeout=seconds, suppress_origin=True, max_size=1 << 28,
                                                  skip_utf8_validation=True)
        self.seconds = seconds
        self.number = 0
        self.clear()
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def clear(self):
        self.problems, self.requests, self.loaded, self.dialogs = [], [], set(), 0

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                if "error" in message:
                    raise Failure(f"{method}: {message['error'].get('message')}")
                return message["result"]
            self.take(message)
        raise Failure(f"{method}: no answer within {self.seconds} s")

    def take(self, message):
        method, what = message.get("method"), message.get("params", {})
        if method == "Page.lifecycleEvent" and what["name"] == "load":
            self.loaded.add(what["loaderId"])
        elif method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(part.get("value", part.get("description"))) for part in what["args"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.problems.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not what["request"]["url"].startswith("data:"):
            self.requests.append(what["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs += 1
            self.socket.send(json.dumps({"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": False}}))

    def open(self, url):
        """Goes to a page and waits until all of it is there."""
        # A page with another fragment is the same page.
        self.go("about:blank")
        self.go(url)

    def go(self, url):
        self.clear()
        found = self.call("Page.navigate", url=url)
        if found.get("errorText"):
            raise Failure(f"{url}: {found['errorText']}")
        end = time.monotonic() + self.seconds
        # Which page an event is about, its loader tells: that of the page before may come late.
        while found["loaderId"] not in self.loaded:
            if time.monotonic() > end:
                raise Failure(f"{url} is not loaded within {self.seconds} s")
            self.take(json.loads(self.socket.recv()))

    def value(self, expression):
        """What an expression comes to, or what its promise is kept with."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise Failure(f"{expression[:200]}: {details.get('exception', {}).get('description') or details['text']}")
        return found["result"].get("value")

    def key(self, name, code=0):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path, width=1280, height=1600, whole=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        found = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(found["data"]))

    def prefers(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])


@contextlib.contextmanager
def browser(seconds=300):
    """Chromium without a window and without a network, and its one page."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        known = pathlib.Path(profile) / "DevToolsActivePort"
        with running(
                "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
                "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
                "--disable-ipc-flooding-protection",
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--remote-debugging-port=0",
                f"--user-data-dir={profile}", "about:blank", family=True):
            until(lambda: known.exists() and "\n" in known.read_text(), "Chromium names its port", seconds)
            port = known.read_text().split()[0]
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=seconds) as answer:
                tab = next(tab for tab in json.load(answer) if tab["type"] == "page")
            page = Page(tab["webSocketDebuggerUrl"], seconds)
            try:
                yield page
            finally:
                page.socket.close()
