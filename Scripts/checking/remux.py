# SPDX-License-Identifier: MIT
"""remux.py APUS FOLDER...: every file of coded media in the folders goes into every container, its packets being the
same to FFmpeg, or is refused with a reason. Damaged ones are passed on or refused, and crash nothing."""

import collections
import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 120
FFMPEG = str(pathlib.Path(__file__).resolve().parents[1] / "making/ffmpeg9")
KINDS = {"mp4": "mp4", "mov": "mov", "fmp4": "mp4", "flv": "flv", "hls": "m3u8", "hevc": "hevc"}
MOVIES = {".mp4", ".m4v", ".mov", ".m4a", ".3gp", ".ismv", ".m4s", ".cmfv", ".cmfa", ".m4i"}
BARE = {".hevc", ".h265", ".265"}
SUFFIXES = MOVIES | BARE | {".flv", ".ts"}
# Folders of damage, of which two programs need not make the same.
DAMAGED = {"malformed", "fuzz-seeds", "heic-malformed", "heif-malformed-avif"}
# Parameter sets that an entry holds go out of the samples, and AAC loses its headers.
FILTERS = {"hevc": "filter_units=remove_types=32-35", "h264": "filter_units=remove_types=7-8", "aac": "aac_adtstoasc"}
# Why a file holds nothing to pass on; anything else is a failure.
REASONS = (
    "has no video or audio with samples", "has no video or audio that is configured", "has no samples",
    "moov is missing", "the file ends at", "is encrypted", "keeps its samples in", "cannot be written as",
    "cannot be read", "which is not read", "which is not supported", "is missing, or has no tracks", "is decoded before", " bytes, has ",
    " bytes, needs ", " needs ", "first_chunk is", "stream has no picture that begins with its parameter sets",
    "has a format that neither Apus nor libavformat knows",
)
MILLISECONDS = 0.0015


class Failure(Exception):
    pass


def run(*command):
    try:
        return subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[1]} takes more than {SECONDS} s") from None


def frames(file, *options):
    """What FFmpeg copies of each stream: its kind, codec, and (time, digest) of each packet that holds anything."""
    reading = ["-ignore_editlist", "1"] if pathlib.Path(file).suffix in MOVIES else []
    done = run(FFMPEG, *reading, "-i", file, "-map", "0:V?", "-map", "0:a?", "-c", "copy", *options, "-copyts", "-f",
               "framemd5", "-")
    streams, facts = {}, collections.defaultdict(dict)
    for line in done.stdout.decode().splitlines():
        if line.startswith("#"):
            name, _, value = line[1:].partition(": ")
            name, _, index = name.partition(" ")
            if index.isdigit():
                facts[int(index)][name] = value
        elif line:
            index, _, shown, _, size, digest = [field.strip() for field in line.split(",")][:6]
            if int(size):
                streams.setdefault(int(index), []).append((int(shown), digest))
    result = []
    for index, packets in sorted(streams.items()):
        over, under = map(int, facts[index]["tb"].split("/"))
        told = (facts[index].get("media_type"), facts[index].get("codec_id"))
        result.append((told, [(shown * over / under, digest) for shown, digest in packets]))
    return result


def packets(file):
    """The digests of the packets of each stream, without what containers keep elsewhere, and their times."""
    numbers = collections.Counter()
    options = []
    plain = frames(file)
    for (kind, codec), _ in plain:
        if codec in FILTERS:
            options += [f"-bsf:{kind[0]}:{numbers[kind]}", FILTERS[codec]]
        numbers[kind] += 1
    found = collections.defaultdict(list)
    numbers.clear()
    for (kind, codec), told in frames(file, *options) if options else plain:
        digests = [digest for _, digest in told]
        if codec and codec.startswith("pcm"):
            # A packet is what lies together.
            raw = run(FFMPEG, "-i", file, "-map", f"0:{kind[0]}:{numbers[kind]}", "-c", "copy", "-f", "data", "-")
            digests = [hashlib.md5(raw.stdout).hexdigest()]
        numbers[kind] += 1
        found[kind, codec].append((digests, [time for time, _ in told]))
    return found


def pictures(file):
    """The digests of the decoded pictures in the order in which they are shown."""
    plain = ["-ignore_editlist", "1"] if pathlib.Path(file).suffix in MOVIES else []
    # What is too little to tell is HEVC.
    for reading in (plain, ["-f", "hevc"]):
        done = run(FFMPEG, "-noautorotate", *reading, "-i", file, "-map", "0:V:0", "-fps_mode", "passthrough", "-f", "framemd5", "-")
        found = [line.split(",")[5].strip() for line in done.stdout.decode().splitlines() if line[:1] not in ("#", "")]
        if found or pathlib.Path(file).suffix not in BARE:
            break
    return found


def coded(file):
    """The digest of its coded pictures as a bare stream, with the parameter sets that a decoder gets; nothing where FFmpeg
    makes no such stream of it."""
    reading = ["-ignore_editlist", "1"] if pathlib.Path(file).suffix in MOVIES else []
    for form in ("hevc", "h264"):
        done = run(FFMPEG, *reading, "-i", file, "-map", "0:V:0", "-c", "copy", "-copyinkf", "-f", form, "-")
        if done.returncode == 0 and done.stdout:
            return hashlib.sha256(done.stdout).digest()
    return None


class Shown:
    """The pictures of files, each coded stream decoded once: other containers give a decoder the same one."""

    def __init__(self):
        self.known = {}

    def of(self, file):
        stream = coded(file)
        if stream is None:
            return pictures(file)
        if stream not in self.known:
            self.known[stream] = pictures(file)
        return self.known[stream]


def compare(kind, expected, found, told, is_timed):
    """Streams of the same codec, in their order."""
    left_out, is_cut = "is left out" in told, "ends inside" in told
    for key, streams in expected.items():
        others = found.get(key, [])
        if left_out and len(others) < len(streams):
            continue
        if len(streams) != len(others):
            raise Failure(f"into {kind}: {len(streams)} streams of {key[1]} became {len(others)}")
        for (digests, times), (copies, moments) in zip(streams, others):
            if is_cut:
                digests, times = digests[:len(copies)], times[:len(copies)]
            if digests != copies:
                raise Failure(f"into {kind}: the packets of {' '.join(map(str, key))} differ")
            steps = [time - moment for time, moment in zip(times, moments)]
            if is_timed and len(copies) > 1 and max(steps) - min(steps) > MILLISECONDS:
                raise Failure(f"into {kind}: the times of {' '.join(map(str, key))} differ by {max(steps) - min(steps)} s")


def check(apus, path, folder, is_damaged):
    """Which kinds it went into, and why not into the others."""
    expected, shown = None, Shown()
    taken, refused = [], {}
    for kind, suffix in KINDS.items():
        if is_damaged and kind not in ("mp4", "fmp4"):
            continue
        out = os.path.join(folder, f"out.{kind}.{suffix}")
        form = [] if kind == "hls" else ["--format", kind]
        done = run(apus, "remux", "--on-exists", "replace", path, "-o", out, *form)
        told = done.stderr.decode(errors="replace")
        message = told.strip().rpartition("\n")[2]
        is_unknown = not is_damaged and not any(reason in message for reason in REASONS)
        if done.returncode not in (0, 1) or (done.returncode and (is_unknown or not message)):
            raise Failure(f"into {kind}: {done.returncode} {message}")
        if done.returncode:
            refused[kind] = message.partition(f"{path}: ")[2]
            continue
        taken.append(kind)
        if is_damaged:
            continue
        if pathlib.Path(path).suffix in BARE or kind == "hevc":
            if shown.of(path) != shown.of(out):
                raise Failure(f"into {kind}: the pictures differ")
            continue
        expected = expected or packets(path)
        if not any(digests for streams in expected.values() for digests, _ in streams):
            refused[kind] = "FFmpeg finds no packet in it to compare"
        # FFmpeg makes its own of the times of movies that have composition offsets below 0.
        is_timed = pathlib.Path(path).suffix not in MOVIES and kind != "hls"
        compare(kind, expected, packets(out), told, is_timed)
    return taken, refused


def main():
    apus, *folders = sys.argv[1:]
    files = sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*") if file.is_file()
                   and (file.suffix.lower() in SUFFIXES or DAMAGED & set(file.parts)))
    failures, counts = [], collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(
        len(os.sched_getaffinity(0))
    ) as pool:
        jobs = []
        for index, file in enumerate(files):
            folder = os.path.join(work, str(index))
            os.mkdir(folder)
            is_damaged = bool(DAMAGED & set(file.parts))
            jobs.append((file, is_damaged, pool.submit(check, apus, str(file), folder, is_damaged)))
        for file, is_damaged, job in jobs:
            count = counts[file.parent.name]
            count["files"] += 1
            try:
                taken, refused = job.result()
                count.update(taken)
                count["none"] += not taken
                for reason in sorted(set(refused.values()) if not is_damaged else ()):
                    print(f"{file}: not into {', '.join(kind for kind in refused if refused[kind] == reason)}: {reason}")
            except Failure as failure:
                failures.append(f"{file}: {failure}")
    for failure in failures:
        print(failure)
    print(f"{'folder':<24}{'files':>6}" + "".join(f"{kind:>6}" for kind in KINDS) + f"{'none':>6}")
    for folder, count in sorted(counts.items()):
        print(f"{folder:<24}{count['files']:>6}" + "".join(f"{count[kind]:>6}" for kind in [*KINDS, "none"]))
    print(f"{len(files)} files, {len(failures)} fail")
    sys.exit(1 if failures else 0)


main()
