#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No verb writes over a file that it reads, whatever name leads to it."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, Failure, run  # noqa: E402

FIXTURES = ROOT / "Fixtures"
# What is read, the verb, and what follows the output.
VERBS = [
    ("hvc1.mp4", ["remux", "INPUT", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["remux", "INPUT", "-o", "OUTPUT", "--format", "fmp4"]),
    ("hvc1.mp4", ["remux", "INPUT", "-o", "OUTPUT", "--format", "hls"]),
    ("enhanced.flv", ["remux", "INPUT", "-o", "OUTPUT", "--format", "flv"]),
    ("hvc1.mp4", ["transcode", "INPUT", "-o", "OUTPUT", "--preset", "copy"]),
    ("hvc1.mp4", ["transcode", "INPUT", "-o", "OUTPUT", "--preset", "copy", "--format", "fmp4"]),
    ("hvc1.mp4", ["edit", "INPUT", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["edit", "INPUT", "--extract", "ftyp", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["hvcc", "fix", "INPUT", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["hvcc", "build", "INPUT", "-o", "OUTPUT"]),
    ("enhanced.flv", ["flv", "convert", "INPUT", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["extract", "INPUT", "--track", "1", "-o", "OUTPUT"]),
    ("photo.heic", ["report", "INPUT", "-o", "OUTPUT"]),
    ("photo.heic", ["convert", "INPUT", "-o", "OUTPUT", "--format", "jpeg"]),
    ("photo.heic", ["convert", "INPUT", "-o", "OUTPUT", "--format", "heic"]),
    ("photo.heic", ["thumbnail", "INPUT", "-o", "OUTPUT", "--format", "jpeg"]),
]
NAMES = ["same", "dotted", "absolute", "symbolic", "hard"]


def called(kind, name, work):
    """Another name of a file."""
    if kind == "same":
        return name
    if kind == "dotted":
        return f"./{name}"
    if kind == "absolute":
        return str(work / name)
    link = f"{kind}-{name}"
    (work / link).symlink_to(name) if kind == "symbolic" else os.link(work / name, work / link)
    return link


def check_verbs():
    for file, words in VERBS:
        for kind in NAMES:
            for policy in ([], ["--on-exists", "replace"]):
                with tempfile.TemporaryDirectory() as folder:
                    work = pathlib.Path(folder)
                    shutil.copy(FIXTURES / file, work / file)
                    output = called(kind, file, work)
                    before = {name: (work / name).read_bytes() for name in os.listdir(work)}
                    command = [{"INPUT": file, "OUTPUT": output}.get(word, word) for word in words] + policy
                    done = subprocess.run([APUS, *command], cwd=work, capture_output=True, text=True,
                                          stdin=subprocess.DEVNULL, check=False)
                    what = f"apus {' '.join(command)} ({kind})"
                    if done.returncode != 1 or "input" not in done.stderr:
                        raise Failure(f"{what}: status {done.returncode}, {done.stderr.strip()}")
                    if {name: (work / name).read_bytes() for name in os.listdir(work)} != before:
                        raise Failure(f"{what}: files changed: {os.listdir(work)}")


def check_later_inputs(work):
    """An input whose turn has not come yet is no less an input."""
    for name in ("a", "b"):
        (work / name).mkdir()
    shutil.copy(FIXTURES / "hvc1.mp4", work / "a/x.mp4")
    shutil.copy(FIXTURES / "hev1.mp4", work / "b/x.mp4")
    expected = (work / "b/x.mp4").read_bytes()
    run(APUS, "remux", work / "a/x.mp4", work / "b/x.mp4", "-o", work / "b/", "--format", "mp4", "--on-exists",
        "replace", status=1)
    if (work / "b/x.mp4").read_bytes() != expected:
        raise Failure("the second input was written over by the output of the first")


def check_segments(work):
    """What a playlist names is read, too."""
    run(APUS, "remux", FIXTURES / "hvc1.mp4", "-o", work / "p.m3u8")
    segment = work / "p/video-1/1.m4s"
    expected = segment.read_bytes()
    run(APUS, "remux", work / "p.m3u8", "-o", segment, "--format", "mp4", "--on-exists", "replace", status=1)
    run(APUS, "transcode", work / "p.m3u8", "-o", segment, "--format", "mp4", "--preset", "copy", "--on-exists",
        "replace", status=1)
    if segment.read_bytes() != expected:
        raise Failure("a segment that was read was written over")


def check_documents(work):
    """Files that say what to do are read, too."""
    (work / "in").mkdir()
    (work / "in/frame.json").write_text("[]")
    shutil.copy(FIXTURES / "photo.heic", work / "photo.heic")
    frame, names = work / "frame.json", work / "photo.jpg"
    frame.write_text('{"images": ["jpeg"]}')
    names.write_text(f"{work}/photo.heic\n")
    before = {path: path.read_bytes() for path in work.rglob("*") if path.is_file()}
    for words in (["export", "-r", work / "in", "-o", f"{work}/", "--for", frame],
                  ["convert", "--files-from", names]):
        said = run(APUS, *words, "--on-exists", "replace", status=1)
        if "is an input" not in said or any(path.read_bytes() != data for path, data in before.items()):
            raise Failure(f"apus {words[0]}: what says what to do was written over: {said}")


def check_records(work):
    """The record beside a part is written over nothing, and through no link."""
    for kind in ("link", "file"):
        folder = work / kind
        folder.mkdir()
        victim = folder / "victim"
        victim.write_text("mine\n")
        record = folder / "out.mp4.part.job"
        record.symlink_to("victim") if kind == "link" else record.write_text("mine\n")
        told = run(APUS, "transcode", FIXTURES / "hvc1.mp4", "-o", folder / "out.mp4")
        if victim.read_text() != "mine\n" or record.read_text() != "mine\n" or record.is_symlink() != (kind == "link"):
            raise Failure(f"the record was written through a {kind}")
        if "out.mp4.part.job" not in told:
            raise Failure(f"nothing is said of the {kind} in the place of the record: {told}")
        if not (folder / "out.mp4").exists():
            raise Failure("the transcode was not made")


check_verbs()
with tempfile.TemporaryDirectory() as place:
    for check in (check_later_inputs, check_segments, check_documents, check_records):
        folder = pathlib.Path(place) / check.__name__
        folder.mkdir()
        check(folder)
print(f"{len(VERBS) * len(NAMES) * 2} outputs that are inputs were refused")
