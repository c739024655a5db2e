# SPDX-License-Identifier: MIT
"""remux.py APUS FOLDER...: every movie in the folders goes into every kind of movie, its packets being the same, or is
refused with a reason."""

import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 120
KINDS = {"mp4": "mp4", "mov": "mov", "fmp4": "mp4"}
SUFFIXES = {".mp4", ".m4v", ".mov", ".m4a", ".3gp", ".ismv", ".m4s"}
# Parameter sets that an entry holds go out of the samples.
STRIP = {"hevc": "filter_units=remove_types=32-34"}
# Why a file holds nothing to pass on; anything else is a failure.
REASONS = (
    "has no video or audio with samples", "moov is missing", "the file ends at", "is encrypted", "keeps its samples in",
    "cannot be written as", "cannot be read", "which is not read", "is missing, or has no tracks",
    "is decoded before", " bytes, has ", "first_chunk is",
)


class Failure(Exception):
    pass


def run(*command):
    try:
        return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[1]} takes more than {SECONDS} s") from None


def packets(file):
    """The sums of the packets of each stream of pictures and sound, as FFmpeg copies them."""
    text = run("ffprobe", "-v", "error", "-show_entries", "stream=index,codec_type,codec_name", "-of", "csv=p=0", file)
    sums = {}
    for line in text.stdout.decode().splitlines():
        index, codec, kind = (line.split(",") + ["", ""])[:3]
        if kind not in ("video", "audio") or codec == "unknown":
            continue
        strip = ["-bsf:0", STRIP[codec]] if codec in STRIP else []
        done = run("ffmpeg", "-v", "quiet", "-ignore_editlist", "1", "-i", file, "-map", f"0:{index}", "-c", "copy",
                   *strip, "-copyts", "-f", "framemd5", "-")
        found = [line.split(",")[5].strip() for line in done.stdout.decode().splitlines() if line[:1] not in ("#", "")]
        if "pcm" in codec:
            # A packet is what lies together.
            raw = run("ffmpeg", "-v", "quiet", "-i", file, "-map", f"0:{index}", "-c", "copy", "-f", "data", "-")
            found = [hashlib.md5(raw.stdout).hexdigest()]
        sums.setdefault((kind, codec), []).append(found)
    return sums


def check(apus, path, folder):
    """Which kinds it went into, and why not into the others."""
    expected = None
    taken, refused = [], {}
    for kind, suffix in KINDS.items():
        out = os.path.join(folder, f"out.{kind}.{suffix}")
        done = run(apus, "remux", "-q", "--on-exists", "replace", path, "-o", out, "--format", kind)
        message = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        if done.returncode < 0 or (done.returncode and not any(reason in message for reason in REASONS)):
            raise Failure(f"into {kind}: {done.returncode} {message}")
        if done.returncode:
            refused[kind] = message.partition(f"{path}: ")[2]
            continue
        expected = expected or packets(path)
        found = packets(out)
        if not any(sums for streams in expected.values() for sums in streams):
            refused[kind] = "FFmpeg finds no packet in it to compare"
        left_out = done.stderr.decode(errors="replace").count("is left out")
        for key, streams in expected.items():
            others = found.get(key, [])
            if left_out and len(others) < len(streams):
                continue
            if streams != others:
                raise Failure(f"into {kind}: the packets of {' '.join(key)} differ")
        taken.append(kind)
    return taken, refused


# Folders of damage, and of codecs that FFmpeg does not know, of which the two programs make different things.
READ_DIFFERENTLY = {"malformed", "mp4-other", "fuzz-seeds", "heic-malformed", "heif-malformed-avif"}


def main():
    apus, *folders = sys.argv[1:]
    files = sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*")
                   if file.is_file() and file.suffix.lower() in SUFFIXES and not READ_DIFFERENTLY & set(file.parts))
    failures, count = [], 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as pool:
        jobs = []
        for index, file in enumerate(files):
            folder = os.path.join(work, str(index))
            os.mkdir(folder)
            jobs.append((file, pool.submit(check, apus, str(file), folder)))
        for file, job in jobs:
            try:
                taken, refused = job.result()
                count += bool(taken)
                for reason in sorted(set(refused.values())):
                    print(f"{file}: not into {', '.join(kind for kind in refused if refused[kind] == reason)}: {reason}")
            except Failure as failure:
                failures.append(f"{file}: {failure}")
    for failure in failures:
        print(failure)
    print(f"{count} of {len(files)} movies go into another with the same packets, {len(failures)} fail")
    sys.exit(1 if failures else 0)


main()
