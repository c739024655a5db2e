# SPDX-License-Identifier: MIT
"""What short requests wait for while others have photos decoded."""

import http.client
import statistics
import threading
import time

# The path, how many clients ask for it one request after the other, and how long each waits between two, in seconds.
CLIENTS = [
    ("/v1/thumbnail?size=1024", 6, 0),
    ("/v1/thumbnail?size=320", 1, 0.05),
    ("/v1/info", 1, 0.05),
]


def times(port, photo, seconds):
    """How long requests have taken, in milliseconds, by path."""
    found = {path: [] for path, _, _ in CLIENTS}
    end = time.monotonic() + seconds

    def client(path, pause):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while time.monotonic() < end:
            begun = time.monotonic()
            connection.request("POST", path, photo)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
            found[path].append((time.monotonic() - begun) * 1e3)
            time.sleep(pause)
        connection.close()

    clients = [threading.Thread(target=client, args=(path, pause)) for path, count, pause in CLIENTS for _ in range(count)]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    return found


def show(port, photo, seconds):
    times(port, photo, 2)
    print("\n### Mixed load\n")
    print("Clients that ask one request after the other, those with short requests after a pause of 50 ms:\n")
    print("| request | clients | requests a second | p50, ms | p99, ms |\n|---|---|---|---|---|")
    found = times(port, photo, seconds)
    for path, count, _ in CLIENTS:
        taken = sorted(found[path])
        most = taken[int(len(taken) * 0.99)]
        print(f"| `{path}` | {count} | {len(taken) / seconds:.1f} | {statistics.median(taken):.0f} | {most:.0f} |", flush=True)
