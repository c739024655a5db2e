# SPDX-License-Identifier: MIT
"""exiftool, in one process that answers one question after the other: starting it takes longer than any answer."""

import atexit
import functools
import os
import select
import subprocess
import tempfile

from programs import DEADLINE, Failure

# Stands after what exiftool prints and, without its digit, not even after that where it is to be quiet.
END = b"{ready1}\n"


class Process:
    def __init__(self):
        self.errors = tempfile.TemporaryFile("a+b")
        self.process = subprocess.Popen(["exiftool", "-stay_open", "True", "-@", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors)
        atexit.register(self.end)

    def ask(self, *words):
        self.errors.truncate(0)
        self.process.stdin.write("".join(map(line, [*words, "-echo4", "status ${status}", "-execute1"])).encode())
        self.process.stdin.flush()
        output = b""
        while not output.endswith(END):
            ready, _, _ = select.select([self.process.stdout], [], [], DEADLINE)
            data = os.read(self.process.stdout.fileno(), 1 << 16) if ready else b""
            if not data:
                self.process.kill()
                process.cache_clear()
                raise Failure(f"exiftool {' '.join(words)}: no answer within {DEADLINE} s, or it ended")
            output += data
        self.errors.seek(0)
        errors, status = self.errors.read().rsplit(b"status ", 1)
        return subprocess.CompletedProcess(["exiftool", *words], int(status), output.removesuffix(END), errors)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def line(word):
    """An argument as exiftool reads it from a file, in the notation of C where it would not come through as it is."""
    if word.strip() == word and "\n" not in word and word[:1] != "#":
        return f"{word}\n"
    return "#[CSTR]" + word.replace("\\", "\\\\").replace("\n", "\\n") + "\n"


@functools.cache
def process():
    return Process()


def exiftool(*words, status=0):
    """What `programs.completed` returns for exiftool, with the outputs as bytes."""
    words = list(map(str, words))
    done = process().ask(*words)
    if status is not None and done.returncode != status:
        said = (done.stderr or done.stdout).decode(errors="replace").strip()[-600:]
        raise Failure(f"exiftool {' '.join(words)}: ends with {done.returncode}, expected {status}: {said}")
    return done
