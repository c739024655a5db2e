# SPDX-License-Identifier: MIT
"""corpus.py APUS FOLDER...: the round trip and the listing of every file in the folders."""

import concurrent.futures
import filecmp
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 5
# Names of files that are named in the end when they are refused.
SUFFIXES = {".heic", ".heif", ".hif", ".mp4", ".m4v", ".m4s", ".mov", ".ismv", ".3gp"}
# Types with which a file of ISO-BMFF begins: such a file must not be refused.
FIRST_TYPES = set(b"ftyp styp moov moof mdat free skip wide sidx meta pdin uuid".split())


class Failure(Exception):
    pass


def run(*command):
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[1]} takes more than {SECONDS} s") from None
    if done.returncode < 0:
        raise Failure(f"{command[1]} dies of signal {-done.returncode}")
    return done


def first_line(text):
    return text.decode(errors="replace").strip().partition("\n")[0]


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"a name comes twice in {names}")
    return dict(pairs)


def check(apus, path, copy):
    """Whether the file is ISO-BMFF; raises `Failure`."""
    edit = run(apus, "edit", path, "-o", copy)
    if edit.returncode:
        message = first_line(edit.stderr)
        with open(path, "rb") as file:
            looks_right = file.read(8)[4:] in FIRST_TYPES
        if looks_right or "ISO base media file" not in message:
            raise Failure(f"edit ends with {edit.returncode}: {message}")
        return False
    if not filecmp.cmp(path, copy, shallow=False):
        raise Failure("edit writes other bytes")
    inspect = run(apus, "inspect", "--json", path)
    if inspect.returncode:
        raise Failure(f"inspect ends with {inspect.returncode}: {first_line(inspect.stderr)}")
    try:
        listing = json.loads(inspect.stdout, object_pairs_hook=no_duplicates)
    except ValueError as error:
        raise Failure(f"inspect --json writes no JSON: {error}") from None
    check_records(apus, path)
    covered = sum(box["size"] for box in listing["boxes"])
    if covered != os.path.getsize(path):
        raise Failure(f"the boxes cover {covered} of {os.path.getsize(path)} bytes")
    return True


def check_records(apus, path):
    """Every record that is found is written back as the bytes that lie in the file, and can be checked."""
    show = run(apus, "hvcc", "show", "--json", path)
    if show.returncode not in (0, 1):
        raise Failure(f"hvcc show ends with {show.returncode}: {first_line(show.stderr)}")
    records = json.loads(show.stdout, object_pairs_hook=no_duplicates) if show.stdout else []
    with open(path, "rb") as file:
        for record in records:
            if record["offset"] is None:
                continue
            file.seek(record["offset"])
            if file.read(record["size"]).hex() != record["bytes"]:
                raise Failure(f"{record['path']} is written back as other bytes")
    for verb in (("hvcc", "check"), ("info",)):
        done = run(apus, *verb, "--json", path)
        if done.returncode not in (0, 1):
            raise Failure(f"{' '.join(verb)} ends with {done.returncode}: {first_line(done.stderr)}")
        found = json.loads(done.stdout, object_pairs_hook=no_duplicates) if done.stdout else []
        for finding in found if verb == ("hvcc", "check") else ():
            if finding["severity"] not in severities(apus).get(finding["rule"], [finding["severity"]]):
                raise Failure(f"{finding['rule']} is reported as {finding['severity']}, which the rule does not state")
    records_seen.update(record["bytes"] for record in records)


@functools.cache
def severities(apus):
    """Those that each rule about records states."""
    rules = json.loads(run(apus, "hvcc", "check", "--rules", "--json").stdout)
    return {rule["id"]: [rule["severity"], *rule.get("milder", [])] for rule in rules}


# Every distinct record of the files, in hexadecimal.
records_seen = set()


def main():
    apus, *folders = sys.argv[1:]
    files = [
        file
        for folder in folders
        for file in sorted(pathlib.Path(folder).rglob("*"))
        if file.is_file() and file.stat().st_size
    ]
    if not files:
        sys.exit(f"corpus: there is no file in {' '.join(folders)}")
    failures = []
    refused = []
    taken = 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as pool:
        jobs = []
        for index, file in enumerate(files):
            copy = os.path.join(work, str(index))
            jobs.append((file, copy, pool.submit(check, apus, str(file), copy)))
        for file, copy, job in jobs:
            try:
                if job.result():
                    taken += 1
                else:
                    refused.append(file)
            except Failure as failure:
                failures.append(f"{file}: {failure}")
            pathlib.Path(copy).unlink(missing_ok=True)
    for failure in failures:
        print(failure)
    for file in refused:
        if file.suffix.lower() in SUFFIXES:
            print(f"{file}: is no ISO-BMFF, whatever its name says")
    print(
        f"{taken} files come back byte for byte, {len(failures)} fail,"
        f" {len(refused)} are no ISO-BMFF; {len(records_seen)} distinct configuration records"
    )
    sys.exit(1 if failures or not taken else 0)


main()
