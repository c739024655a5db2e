# SPDX-License-Identifier: MIT
"""`Scripts/bench rtmp-crowd`: many streams of H.264, each with a player, through `apus receive` and through nginx-rtmp. Both get
them from the same program (crowd.c); what is compared is the servers' own processor time and memory, which a busy machine
changes little."""

import contextlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from rtmp import receiving

SECONDS = 20
RUNS = 3
LENGTH = 90
"""Seconds of the file: the crowd also connects in that time."""


def make(path):
    """2 Mbit/s of H.264 with AAC."""
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25,noise=alls=20:allf=t", "-f",
         "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-t", str(LENGTH), "-c:v", "libx264", "-preset", "ultrafast",
         "-pix_fmt", "yuv420p", "-g", "50", "-b:v", "1900k", "-maxrate", "1900k", "-bufsize", "950k", "-nal-hrd", "cbr", "-c:a",
         "aac", "-b:a", "96k", "-y", path], check=True, stdin=subprocess.DEVNULL)


def compiled(folder):
    program = folder / "crowd"
    source = pathlib.Path(__file__).with_name("crowd.c")
    subprocess.run(["cc", "-O2", "-o", program, source], check=True)
    return program


@contextlib.contextmanager
def nginx(root, folder, records):
    """nginx-rtmp, one process as Apus is."""
    sys.path.insert(0, str(root / "Tests/Peers"))
    import nginx as peer
    folder.mkdir(parents=True)
    (folder / "recorded").mkdir()
    text = ("load_module " + peer.MODULES + "/ngx_rtmp_module.so; daemon off; master_process off; pid {folder}/nginx.pid; "
            "error_log {folder}/error.log; worker_rlimit_nofile 8192; events {{ worker_connections 4096; }} "
            "rtmp {{ access_log off; server {{ listen 127.0.0.1:{port}; chunk_size 4096; application live {{ live on; "
            + ("record all; record_path {folder}/recorded; " if records else "") + "}} }} }}")
    with peer.started(folder, text) as port:
        yield int((folder / "nginx.pid").read_text()), port


@contextlib.contextmanager
def apus(program, folder, *words):
    with receiving(program, "-o", f"{folder}/out/", "--format", "flv", "--max-connections", "4000", *words) as (process, port):
        yield process.pid, port


def processor(pid):
    """Seconds, of all threads."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid):
    """Resident KiB now, and of those what is not a file."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return [int(re.search(rf"{name}:\s+(\d+)", text)[1]) for name in ("VmRSS", "RssAnon")]


def crowd(program, file, count, pid, port):
    """What a server takes while the crowd is there: seconds of processor, KiB, and the parts of the bytes that arrive."""
    idle = memory(pid)
    command = [program, str(port), file, str(count), str(SECONDS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "ready\n":
            sys.exit("the crowd does not come in")
        before, start = processor(pid), time.monotonic()
        published, received = map(int, process.stdout.readline().split())
        taken, wall = processor(pid) - before, time.monotonic() - start
        now = memory(pid)
        process.stdin.close()
    if wall > SECONDS + 5 or published < count * SECONDS * 200_000:
        print(f"the crowd is late: {published} bytes in {wall:.1f} s", file=sys.stderr)
    return taken / wall * SECONDS, now[0], now[1] - idle[1], received / published


def measure(root, program, *numbers):
    count = int(numbers[0]) if numbers else 300
    base = "/dev/shm" if os.path.isdir("/dev/shm") else None
    print(f"### {count} streams of 2 Mbit/s, each with a player\n\n`Scripts/bench rtmp-crowd {count}`\n")
    print("| server | processor s in 20 s | ms a stream and second | RSS, MiB | KiB a stream | of the bytes arrive |")
    print("|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory(dir=base) as folder:
        folder = pathlib.Path(folder)
        make(folder / "crowd.flv")
        tool = compiled(folder)
        servers = {
            "apus receive, which records": lambda place: apus(program, place),
            "nginx-rtmp that records": lambda place: nginx(root, place, True),
            "nginx-rtmp": lambda place: nginx(root, place, False),
        }
        results = {name: [] for name in servers}
        for turn in range(RUNS):
            for name, server in servers.items():
                # What is recorded goes away with it.
                with tempfile.TemporaryDirectory(dir=folder) as place:
                    place = pathlib.Path(place) / "server"
                    with server(place) as (pid, port):
                        results[name].append(crowd(tool, folder / "crowd.flv", count, pid, port))
                print(f"run {turn + 1}, {name}: {results[name][-1]}", file=sys.stderr)
    for name, runs in results.items():
        taken, resident, added, part = (statistics.median(column) for column in zip(*runs))
        print(f"| {name} | {taken:.2f} | {taken / SECONDS / count * 1e3:.3f} | {resident / 1024:.1f} | {added / count:.1f} "
              f"| {part:.3f} |")
