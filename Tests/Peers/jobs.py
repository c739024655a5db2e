# SPDX-License-Identifier: MIT
"""Runs of `apus stream` and `apus receive` that print events."""

import contextlib
import json
import pathlib

import jsonschema

import programs
from programs import APUS, Failure, running, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = {
    name: jsonschema.Draft202012Validator(
        json.loads((ROOT / f"Sources/ApusCommand/Schemas/{name}.schema.json").read_text()))
    for name in ("stream", "receive")
}


class Job:
    """A run of apus that prints events."""

    def __init__(self, verb, log, *words):
        self.verb, self.log, self.words = verb, log, words

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.process = self.stack.enter_context(running(APUS, self.verb, *self.words, "--json", log=self.log))
        return self

    def __exit__(self, *failure):
        self.stack.close()
        for event in self.events():
            if not SCHEMAS[self.verb].is_valid(event):
                raise Failure(f"the schema knows no such event: {event}")
        if "secret" in self.log.read_text():
            raise Failure("a key is told")

    def events(self, name=None, **fields):
        return programs.events(self.log, name, **fields)

    def wait(self, name, count=1, **fields):
        until(lambda: len(self.events(name, **fields)) >= count, f"{count} times the event {name} {fields}")
        return self.events(name, **fields)[count - 1]


@contextlib.contextmanager
def receiver(folder, *words, name="out.flv", key="secret"):
    """`apus receive`: the job, its address, and where it records."""
    folder.mkdir(parents=True, exist_ok=True)
    job = Job("receive", folder / "receive.log", f"rtmp://127.0.0.1:0/live/{key}", "-o", folder / name, *words)
    with job:
        job.url = f"rtmp://127.0.0.1:{job.wait('listening')['port']}/live/{key}"
        yield job
