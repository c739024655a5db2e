# SPDX-License-Identifier: MIT
"""Photos over HTTP beside pillow-heif under gunicorn: requests a second, delays, memory, and what overload does."""

import asyncio
import contextlib
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import grids
import serve_mixed

SECONDS = 10
RUNS = 3
IN_FLIGHT = 8
WORKERS = 2
# At least so many times the requests of the peer, and the slowest hundredth at most so many times the median.
MADE = 3
SMALL = 15
TAIL = 2
# The number of requests that may wait where more come than can be answered.
WAITING = 16

PEER = """
import io, urllib.parse
import pillow_heif
from PIL import Image
pillow_heif.register_heif_opener()

def application(environ, start):
    side = int(urllib.parse.parse_qs(environ["QUERY_STRING"])["size"][0])
    picture = Image.open(io.BytesIO(environ["wsgi.input"].read()))
    picture.thumbnail((side, side))
    out = io.BytesIO()
    picture.convert("RGB").save(out, "JPEG", quality=90)
    start("200 OK", [("Content-Type", "image/jpeg")])
    return [out.getvalue()]
"""
SCRIPT = """
wrk.method = "POST"
wrk.body = io.open("{photo}", "rb"):read("*a")
function done(summary, latency, requests)
  io.write(string.format("RESULT %d %d %.1f %.1f %d\\n", summary.requests, summary.duration, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, summary.errors.status + summary.errors.read + summary.errors.timeout))
end
"""


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@contextlib.contextmanager
def running(command, port, **how):
    run = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)
    try:
        deadline = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            if time.monotonic() > deadline:
                sys.exit(f"no server at port {port}: {command}")
            time.sleep(0.05)
        yield run
    finally:
        run.send_signal(signal.SIGTERM)
        run.wait(timeout=60)


def load(port, path, script, seconds=SECONDS):
    """Requests a second, the median and the slowest hundredth in milliseconds, and what failed."""
    said = subprocess.run(
        ["wrk", "-t1", f"-c{IN_FLIGHT}", f"-d{seconds}", "--timeout", "30", "-s", script, f"http://127.0.0.1:{port}{path}"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    count, micros, median, tail, failed = map(float, re.search(r"RESULT (.*)", said)[1].split())
    return count / micros * 1e6, median, tail, int(failed), int(count)


def resident(process):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())[1]) / 1024


def family(process):
    """A process and all that it started."""
    found = [process]
    for parent in found:
        for children in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
            with contextlib.suppress(OSError):
                found += [int(child) for child in children.read_text().split()]
    return found


def memory(process):
    """MiB of a process and of all that it started, pages that several share divided among them."""
    total = 0
    for each in family(process):
        with contextlib.suppress(OSError, TypeError):
            total += int(re.search(r"^Pss:\s+(\d+)", pathlib.Path(f"/proc/{each}/smaps_rollup").read_text(), re.M)[1])
    return total / 1024


def processor(process):
    """Seconds that a process and all that it started have computed, those that have ended included."""
    total = 0
    for each in family(process):
        with contextlib.suppress(OSError):
            fields = pathlib.Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def watched(process):
    """A list whose only element is the greatest memory meanwhile, in MiB."""
    most, over = [0.0], threading.Event()

    def watch():
        while not over.wait(0.2):
            most[0] = max(most[0], memory(process))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        over.set()
        watcher.join()


def rest_of(process):
    """Waits until a server has done what it was asked for by clients that have left, so that the next one is alone."""
    end, last = time.monotonic() + 30, -1.0
    while time.monotonic() < end and (now := processor(process)) != last:
        last = now
        time.sleep(0.5)


def compare(servers, paths, script):
    """Medians; the processor time is what a machine that does other things, too, says the least of."""
    results = {name: [] for name in servers}
    for turn in range(RUNS + 1):
        for name, (port, process) in servers.items():
            before = processor(process)
            with watched(process) as most:
                rate, *rest, count = load(port, paths[name], script, SECONDS if turn else 2)
            computed = (processor(process) - before) / max(count, 1) * 1e3
            rest_of(process)
            if turn:
                results[name].append((rate, *rest, computed, most[0]))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in results.items()}


HEADING = ("| 12 megapixels to | server | requests a second | p50, ms | p99, ms | failed | processor time of a request, ms "
           "| memory at most, MiB |\n|---|---|---|---|---|---|---|---|")


def show(side, results):
    for name, (rate, median, tail, failed, computed, most) in results.items():
        print(f"| {side} pixels | {name} | {rate:.1f} | {median:.0f} | {tail:.0f} | {failed:.0f} | {computed:.1f} | {most:.0f} |",
              flush=True)


def judge(side, results, aim):
    own, peer = results["apus serve"], results["pillow-heif, gunicorn"]
    if not own[0] or not peer[0]:
        return print(f"\nToo slow a machine: of requests to {side} pixels a server has answered none.")
    ratio, spread = own[0] / peer[0], own[2] / own[1]
    print(f"\nTo {side} pixels: {ratio:.1f} times the requests ({'met' if ratio >= aim else 'missed'}: {aim}),"
          f" {peer[4] / max(own[4], 0.1):.1f} times by processor time;"
          f" p99 is {spread:.2f} of the median ({'met' if spread <= TAIL else 'missed'}: {TAIL}).")


async def one(port, path, photo, times, statuses):
    """A request that waits to be asked for its body, as curl does with a large one."""
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(photo)}\r\nExpect: 100-continue\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        line = await reader.readline()
        if b" 100 " in line:
            writer.write(photo)
            await writer.drain()
            await reader.readline()
            line = await reader.readline()
        await reader.read()
        status = int(line.split()[1])
    except (OSError, IndexError):
        status = 0
    finally:
        writer.close()
    statuses[status] = statuses.get(status, 0) + 1
    times.setdefault(status, []).append(time.monotonic() - begun)


async def flood(port, path, photo, seconds, rate):
    """Requests at a rate, whatever becomes of those before them."""
    times, statuses, tasks = {}, {}, set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        task = asyncio.create_task(one(port, path, photo, times, statuses))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await asyncio.sleep(1 / rate)
    await asyncio.gather(*tasks)
    return times, statuses


async def crowd(port, path, photo, count, process):
    """So many requests at once; the greatest memory meanwhile."""
    times, statuses = {}, {}
    tasks = [asyncio.create_task(one(port, path, photo, times, statuses)) for _ in range(count)]
    most = 0
    while not all(task.done() for task in tasks):
        most = max(most, memory(process))
        await asyncio.sleep(0.1)
    await asyncio.gather(*tasks)
    return most, statuses


def tail(values):
    return sorted(values)[int(len(values) * 0.99)] * 1e3 if values else 0


def measure(root, apus, requests="1000", overload="10"):
    """- requests: over which memory is watched. - overload: seconds."""
    photo = grids.grid(root / ".build/bench/12-megapixels-thumbnail.heic", 4032, 3024, thumbnail=320)
    data = photo.read_bytes()
    print("## Photos over HTTP\n\n`Scripts/bench serve`\n")
    print(f"A synthetic photo of 12 megapixels ({len(data) / 1e6:.1f} MB), {IN_FLIGHT} requests in flight by wrk, {WORKERS}"
          f" workers each; medians of {RUNS} runs of {SECONDS} s after a warm-up.")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        (folder / "peer.py").write_text(PEER)
        script = folder / "load.lua"
        script.write_text(SCRIPT.format(photo=photo))
        own, peer = free_port(), free_port()
        service = [apus, "serve", "--listen", f"127.0.0.1:{own}", "--jobs", WORKERS, "--queue", 200, "--log", "none"]
        gunicorn = [root / ".build/python/bin/python3", "-m", "gunicorn", "-w", WORKERS, "-b", f"127.0.0.1:{peer}", "--chdir", folder, "peer"]
        with running(service, own) as run, running(gunicorn, peer) as other:
            servers = {"apus serve": (own, run.pid), "pillow-heif, gunicorn": (peer, other.pid)}
            print("\n" + HEADING)
            found = {}
            for side in (1024, 320):
                paths = {"apus serve": f"/v1/thumbnail?size={side}&quality=90", "pillow-heif, gunicorn": f"/?size={side}"}
                found[side] = compare(servers, paths, script)
                show(side, found[side])
            for side, aim in ((1024, MADE), (320, SMALL)):
                judge(side, found[side], aim)
            serve_mixed.show(own, data, SECONDS)
            print("\n### Memory\n")
            # A small photo, so that what is counted is requests and not samples.
            small = folder / "small.lua"
            small.write_text(SCRIPT.format(photo=root / "Fixtures/photo.heic"))
            path = "/v1/thumbnail?size=64"
            first = served(own)
            for count in sorted({1000, int(requests)}):
                while (done := served(own) - first) < count:
                    load(own, path, small, 2 if count - done < 1000 else 20)
                print(f"After {done:,} requests: {resident(run.pid):.1f} MiB resident, {memory(run.pid):.1f} MiB with all"
                      " workers.", flush=True)
            most, statuses = asyncio.run(crowd(own, "/v1/thumbnail?size=1024", data, 100, run.pid))
            print(f"With 100 requests to 1024 pixels at once: at most {most:.0f} MiB with all workers; answers: {statuses}.")
        cold(apus, photo, data)
        service[service.index("--queue") + 1] = WAITING
        with running(service, own):
            path = "/v1/thumbnail?size=1024"
            times, _ = asyncio.run(flood(own, path, data, 3, 4))
            calm = tail(times.get(200, []))
            rate = WORKERS * 10 / statistics.median(times[200])
            times, statuses = asyncio.run(flood(own, path, data, int(overload), rate))
            print(f"\n### Overload\n\n{rate:.0f} requests a second for {overload} s, with --queue {WAITING}:"
                  f" {statuses.get(200, 0)} were served, p50 {statistics.median(times.get(200, [0])) * 1e3:.0f} ms, p99"
                  f" {tail(times.get(200, [])):.0f} ms (p99 {calm:.0f} ms before, with nobody waiting); {statuses.get(503, 0)}"
                  f" were refused, half of them within {statistics.median(times.get(503, [0])) * 1e3:.0f} ms; others:"
                  f" { {status: count for status, count in statuses.items() if status not in (200, 503)} }.")
    sys.stdout.flush()


def served(port):
    """How many thumbnails a server has made."""
    return int((re.search(r'apus_requests_total\{route="/v1/thumbnail",status="200"\} (\d+)', ask(port, "/metrics")) or [0, 0])[1])


def cold(apus, photo, data):
    """Milliseconds from the start of a process to a thumbnail of 320 pixels, and of the server until it is ready."""
    times = {"the command": [], "the server, until it is ready": [], "the server, until its first answer": []}
    head = f"POST /v1/thumbnail?size=320 HTTP/1.0\r\nHost: x\r\nContent-Length: {len(data)}\r\n\r\n".encode()
    for _ in range(21):
        start = time.perf_counter()
        subprocess.run([apus, "thumbnail", photo, "-s", "320", "-o", "-"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        times["the command"].append(time.perf_counter() - start)
        port = free_port()
        start = time.perf_counter()
        run = subprocess.Popen([apus, "serve", "--listen", f"127.0.0.1:{port}", "--jobs", "1", "--log", "none"],
                               stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        while True:
            with contextlib.suppress(OSError):
                ask(port, "/ready")
                break
            time.sleep(0.0005)
        times["the server, until it is ready"].append(time.perf_counter() - start)
        with socket.create_connection(("127.0.0.1", port)) as link:
            link.sendall(head + data)
            while link.recv(1 << 16):
                pass
        times["the server, until its first answer"].append(time.perf_counter() - start)
        run.terminate()
        run.wait()
    print("\n### Cold start\n\n| | least, ms | median, ms |\n|---|---|---|")
    for name, all_ in times.items():
        print(f"| {name} | {min(all_) * 1e3:.1f} | {statistics.median(all_) * 1e3:.1f} |")


def ask(port, path):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as link:
        link.sendall(f"GET {path} HTTP/1.0\r\nHost: x\r\n\r\n".encode())
        said = b""
        while more := link.recv(1 << 16):
            said += more
    return said.decode()
