# SPDX-License-Identifier: MIT
"""One run of apus, with what it took."""

import dataclasses
import json
import os
import signal
import subprocess
import tempfile


class Failure(Exception):
    """Something that must hold for a file does not."""


@dataclasses.dataclass
class Done:
    status: int
    out: bytes
    error: str
    mebibytes: float

    @property
    def reports(self):
        """What --json says of each input."""
        lines = [json.loads(line) for line in self.out.splitlines() if line.startswith(b"{")]
        return [line for line in lines if "input" in line]

    @property
    def message(self):
        for report in self.reports:
            if report.get("error"):
                return report["error"]["message"]
        return self.error.strip().partition("\n")[0]


def run(*command, seconds=60, cwd=None):
    """Runs a program; `Failure` where a signal ends it, or where it takes longer."""
    with tempfile.NamedTemporaryFile() as log:
        # A program in between, for a child begins with the peak memory of its parent.
        process = subprocess.Popen(
            ["/usr/bin/time", "-q", "-f", "%M", "-o", log.name, *map(str, command)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
            start_new_session=True,
        )  # fmt: skip
        try:
            out, error = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failure(f"takes more than {seconds} s") from None
        memory = log.read().split()
    if process.returncode >= 128:
        last = error.decode(errors="replace").strip().splitlines()[-3:]
        raise Failure(f"dies of signal {process.returncode - 128}: {' | '.join(last)}")
    return Done(process.returncode, out, error.decode(errors="replace"), int(memory[-1]) / 1024)
