# SPDX-License-Identifier: MIT
"""`Scripts/bench rtmp`: publishing and receiving beside a current FFmpeg."""

import contextlib
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from rtmp_sink import Sink

PUBLISHERS = 200
SECONDS = 10


@contextlib.contextmanager
def receiving(apus, *words):
    """`apus receive` at a free port, any key: its process and the port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen([apus, "receive", f"rtmp://127.0.0.1:{port}/live", *words],
                               stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    if "waiting" not in line:
        sys.exit(f"apus receive does not wait: {line}")
    drain = threading.Thread(target=process.stderr.read, daemon=True)
    drain.start()
    try:
        yield process, port
    finally:
        process.terminate()
        process.wait()


def timed(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"failed: {' '.join(command)}: {done.stderr[-400:]}")
    return time.perf_counter() - start


def publishers(apus, ffmpeg, file):
    return {
        "apus": lambda url: [apus, "stream", file, url, "--dialect", "legacy", "--no-pace", "--quiet"],
        "FFmpeg 9": lambda url: [ffmpeg, "-i", file, "-c", "copy", "-f", "flv", url],
    }


def to_apus(apus, ffmpeg, folder, write_flv):
    """Unpaced publishing into `apus receive`, which writes to memory."""
    for frame, count in ((100_000, 1_500), (1_000, 50_000)):
        file = os.path.join(folder, "recording.flv")
        write_flv(file, frame, count)
        size = os.path.getsize(file)
        samples = {}
        for _ in range(3):
            for name, command in publishers(apus, ffmpeg, file).items():
                with receiving(apus, "-o", os.path.join(folder, "out/"),
                               "--on-exists", "replace", "--format", "flv") as (_, port):
                    samples.setdefault(name, []).append(
                        timed(command(f"rtmp://127.0.0.1:{port}/live/key")))
        print(f"\n### Publishing unpaced, frames of {frame // 1000} kB, into `apus receive`\n")
        print("| publisher | seconds | MB/s | k tags/s | ratio to apus |\n|---|---|---|---|---|")
        base = statistics.median(samples["apus"][1:])
        for name, times in samples.items():
            wall = statistics.median(times[1:])
            print(f"| {name} | {wall:.2f} | {size / wall / 1e6:.0f} | {2 * count / wall / 1e3:.0f} "
                  f"| {wall / base:.2f} |")
        os.unlink(file)


def latency(name, command, write_flv, folder):
    """From a tag's last byte into the pipe to its last byte at the server: milliseconds."""
    sink = Sink()
    process = subprocess.Popen(command(f"rtmp://127.0.0.1:{sink.port}/live/key"),
                               stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    file = os.path.join(folder, "live.flv")
    write_flv(file, 8_000, 2)
    whole = open(file, "rb").read()
    tags, at = [], 13
    while at < len(whole):
        size = int.from_bytes(whole[at + 1:at + 4], "big") + 15
        tags.append(whole[at:at + size])
        at += size
    setup = [tag for tag in tags if tag[0] in (8, 9) and tag[12] == 0]
    frames = [tag for tag in tags if tag[0] == 9 and tag[12] == 1]
    process.stdin.write(whole[:13] + b"".join(setup))
    sent = {}
    start = time.monotonic()
    for index in range(25 * SECONDS):
        due = start + index * 0.04
        time.sleep(max(0, due - time.monotonic()))
        stamp = index * 40
        mark = index.to_bytes(4, "big").replace(b"\0", b"\x11")
        tag = bytearray(frames[0] if index % 25 == 0 else frames[1])
        tag[4:8] = (stamp & 0xFFFFFF).to_bytes(3, "big") + bytes([stamp >> 24])
        end = len(tag) - 4
        tag[end - len(Sink.MARK) - 4:end] = Sink.MARK + mark
        process.stdin.write(tag)
        process.stdin.flush()
        sent[mark] = time.monotonic()
    time.sleep(1)
    process.stdin.close()
    process.terminate()
    process.wait()
    delays = sorted((sink.arrivals[mark] - sent[mark]) * 1e3 for mark in sent if mark in sink.arrivals)
    if not delays:
        return print(f"| {name} | nothing arrived | | | |")
    print(f"| {name} | {len(delays)} of {len(sent)} | {delays[len(delays) // 2]:.2f} "
          f"| {delays[len(delays) * 95 // 100]:.2f} | {delays[-1]:.2f} |")


def system_calls(apus, file):
    """Of sending, for each message, while a file is paced."""
    sink = Sink()
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["strace", "-f", "-c", "-e", "trace=sendto,sendmsg,write,writev,epoll_ctl", "-o", log.name,
                        apus, "stream", file, f"rtmp://127.0.0.1:{sink.port}/live/key", "--dialect", "legacy", "--quiet"],
                       stdin=subprocess.DEVNULL, check=True)
        for line in log:
            fields = line.split()
            if fields and fields[-1] in ("sendto", "sendmsg"):
                return int(fields[3])
    return 0


def crowd(apus, folder, write_flv):
    """Many paced publishers into one receiver."""
    file = os.path.join(folder, "crowd.flv")
    write_flv(file, 10_000, 25 * SECONDS)
    expected = tags(apus, file)
    out = os.path.join(folder, "crowd/")
    with receiving(apus, "-o", out, "--format", "flv") as (server, port):
        start = time.monotonic()
        crowd = [subprocess.Popen(
            [apus, "stream", file, f"rtmp://127.0.0.1:{port}/live/k{index}", "--dialect", "legacy", "--quiet"],
            stdin=subprocess.DEVNULL) for index in range(PUBLISHERS)]
        failed = sum(process.wait() != 0 for process in crowd)
        wall = time.monotonic() - start
        ticks = open(f"/proc/{server.pid}/stat").read().rsplit(")", 1)[1].split()
        processor = (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")
        memory = re.search(r"VmHWM:\s+(\d+)", open(f"/proc/{server.pid}/status").read())
    counts = [tags(apus, os.path.join(out, name)) for name in os.listdir(out)]
    whole = sum(count >= expected for count in counts)
    print(f"{PUBLISHERS} publishers of {10_200 * 25 * 8 / 1e6:.1f} Mbit/s for {SECONDS} s, each a process: "
          f"{failed} failed, {whole} recordings hold all {expected} tags, in {wall:.1f} s; "
          f"the receiver took {processor:.1f} s of processor and {int(memory[1]) / 1024:.0f} MiB.")


def tags(apus, file):
    """Tags of pictures and sound."""
    text = subprocess.run([apus, "flv", "check", file], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True).stdout
    return sum(int(count) for count in re.findall(r"(\d+) frames", text))


def measure(root, apus, bench, write_flv):
    ffmpeg = str(root / "Scripts/making/ffmpeg9")
    print("## RTMP\n\n`Scripts/bench rtmp`\n\n### One connection over loopback, in one process\n\n```")
    sys.stdout.flush()
    subprocess.run([bench, "rtmp"], check=True)
    print("```")
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        to_apus(apus, ffmpeg, folder, write_flv)
        print("\n### From a pipe to the server, 25 frames of 8 kB a second\n")
        print("| publisher | frames | median, ms | p95, ms | most, ms |\n|---|---|---|---|---|")
        latency("apus", lambda url: [apus, "stream", "-", url, "--dialect", "legacy", "--quiet"], write_flv, folder)
        file = os.path.join(folder, "paced.flv")
        write_flv(file, 8_000, 100)
        print(f"\n### Paced\n\n{system_calls(apus, file)} system calls send {tags(apus, file)} frames and what "
              "comes before them.\n\n### Many publishers\n")
        crowd(apus, folder, write_flv)
