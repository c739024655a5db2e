# SPDX-License-Identifier: MIT
"""same.py OLD NEW PATH...: whether two binaries make the same of every file."""

import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

PHOTOS = {".heic", ".heif", ".hif", ".avif", ".jpg", ".png"}
# What each job does with FILE, in an empty folder of its own.
JOBS = {
    "info": ("info", "--json", "FILE"),
    "info-text": ("info", "FILE"),
    "inspect": ("inspect", "--json", "FILE"),
    "records": ("hvcc", "show", "--json", "FILE"),
    "check": ("hvcc", "check", "--json", "FILE"),
    "flv": ("flv", "show", "--json", "FILE"),
    "list": ("extract", "--list", "--json", "FILE"),
    "plan": ("convert", "--dry-run", "-v", "--json", "FILE"),
    "jpeg": ("convert", "FILE", "-o", "out.jpg"),
    "png": ("convert", "FILE", "-o", "out.png"),
    "heic": ("convert", "FILE", "-o", "out.heic", "--encoder", "own"),
    "all": ("convert", "FILE", "--images", "all", "-o", "all"),
    "small": ("thumbnail", "FILE", "-o", "small.jpg"),
    "parts": ("extract", "FILE", "--role", "all", "-o", "parts"),
    "mp4": ("remux", "FILE", "-o", "out.mp4"),
    "fragments": ("remux", "FILE", "-o", "fragments.mp4", "--format", "fmp4"),
    "tags": ("remux", "FILE", "-o", "out.flv"),
    "stream": ("remux", "FILE", "-o", "out.hevc"),
    "playlist": ("remux", "FILE", "-o", "out.m3u8"),
    "edit": ("edit", "FILE", "-o", "out.bin", "--delete", "moov/udta"),
    "copy": ("edit", "FILE", "-o", "copy.bin"),
}
VIDEO_JOBS = {"flv", "mp4", "fragments", "tags", "stream", "playlist"}
SECONDS = 120


def outcome(binary, words, file):
    """The exit status, what was printed, the messages, and a digest of each file that was made."""
    with tempfile.TemporaryDirectory() as folder:
        command = [binary] + [str(file) if word == "FILE" else word for word in words]
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return "took too long", b"", b"", {}
        made = {
            str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(pathlib.Path(folder).rglob("*"))
            # The mark of a folder is another each time.
            if path.is_file() and path.name != ".apus-folder"
        }
        return done.returncode, done.stdout, done.stderr, made


def differences(old, new, name, file, messages):
    """What the two make of one file by one job, where that is not the same."""
    first, second = (outcome(binary, JOBS[name], file) for binary in (old, new))
    if first[0] != second[0]:
        message = second[2].decode(errors="replace").strip().partition("\n")[0]
        yield f"ends with {second[0]}, not {first[0]}: {message}"
    if first[1] != second[1]:
        yield "prints something else"
    if messages and first[2] != second[2]:
        yield "has other messages"
    for path in sorted(first[3].keys() | second[3].keys()):
        if first[3].get(path) != second[3].get(path):
            what = "is missing" if path not in second[3] else "is new" if path not in first[3] else "is another"
            yield f"{path} {what}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--jobs", default=",".join(JOBS))
    parser.add_argument("--messages", action="store_true")
    arguments = parser.parse_args()
    names = arguments.jobs.split(",")
    unknown = set(names) - JOBS.keys()
    if unknown:
        parser.error(f"there is no job {' '.join(sorted(unknown))}; there are {' '.join(JOBS)}")
    binaries = [os.path.abspath(binary) for binary in (arguments.old, arguments.new)]
    files = [
        file.resolve()
        for path in arguments.paths
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
        if file.is_file()
    ]
    if not files:
        parser.error("there is no file")
    count = differing = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        jobs = []
        for file in files:
            unsuited = VIDEO_JOBS if file.suffix.lower() in PHOTOS else set()
            for name in names:
                if name not in unsuited:
                    jobs.append((file, name, pool.submit(lambda *a: list(differences(*a)), *binaries, name, file, arguments.messages)))
        for file, name, job in jobs:
            count += 1
            found = job.result()
            differing += bool(found)
            for line in found:
                print(f"{file.name}: {name}: {line}", flush=True)
    print(f"same: {count} jobs over {len(files)} files, {differing} differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
