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


def run(command):
    with tempfile.NamedTemporaryFile() as log:
        # A small program in between, for a child begins with the peak memory of its parent.
        command = ["/usr/bin/time", "-q", "-f", "%M", "-o", log.name, *map(str, command)]
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        error = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"failed: {' '.join(command[6:])}\n{error.decode(errors='replace')}")
        return Cost(wall, usage.ru_utime + usage.ru_stime, int(log.read()) / 1024)


def compare(commands, runs, before=lambda: None):
    """Medians of each named command, run in turns after a turn to warm up; `before` comes before each run."""
    samples = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            before()
            cost = run(command)
            if turn:
                samples[name].append(cost)
    return {
        name: Cost(*(statistics.median(column) for column in zip(*map(dataclasses.astuple, costs))))
        for name, costs in samples.items()
    }
