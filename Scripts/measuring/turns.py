# SPDX-License-Identifier: MIT
"""Programs measured in turns: wall time, processor time and peak memory."""

import dataclasses
import os
import statistics
import subprocess
import sys
import tempfile
import time


@dataclasses.dataclass
class Cost:
    wall: float
    processor: float
    memory: float
    """MiB, the largest of the program's processes."""


def timed(command):
    """Seconds of wall and processor of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{error.decode(errors='replace')}")
    return wall, usage.ru_utime + usage.ru_stime


def run(command):
    with tempfile.NamedTemporaryFile() as log:
        # A small program in between, for a child begins with the peak memory of its parent.
        times = timed(["/usr/bin/time", "-q", "-f", "%M", "-o", log.name, *command])
        return Cost(*times, int(log.read()) / 1024)


def compare(commands, runs, before=lambda: None):
    """Medians of each named command, run in turns after a turn to warm up; `before` comes before each run. Memory is
    that of further runs, since the program between would add a good part to the time of a short one."""
    times = {name: [] for name in commands}
    memory = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            before()
            cost = timed(command)
            if turn:
                times[name].append(cost)
    for _ in range(max(1, runs // 3)):
        for name, command in commands.items():
            before()
            memory[name].append(run(command).memory)
    return {
        name: Cost(*map(statistics.median, zip(*times[name])), statistics.median(memory[name])) for name in commands
    }
