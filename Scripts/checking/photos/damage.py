# SPDX-License-Identifier: MIT
"""damage.py APUS CORRUPTIONS PHOTO...: every prefix of each photo in steps of a hundredth, and so many copies with
one byte changed at random (always the same ones). By each decoder, nothing may crash, hang or take memory without
end, no prefix is converted, and what is written is whole.

APUS is best built with the address sanitizer.
"""

import collections
import concurrent.futures
import os
import pathlib
import random
import sys
import tempfile
import time

import broken
from job import Failure

DECODERS = ["auto", "intra", "libavcodec", "libde265"]
# Memory is counted with what the sanitizer takes for itself, of which freed memory is the most.
os.environ["ASAN_OPTIONS"] = "detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=32"
os.environ["SWIFT_BACKTRACE"] = "enable=no"


def prefixes(data):
    for part in range(100):
        yield f"the first {part} %", data[: len(data) * part // 100]


def corruptions(data, count, seed):
    generator = random.Random(seed)
    for _ in range(count):
        place, change = generator.randrange(len(data)), generator.randrange(1, 256)
        copy = bytearray(data)
        copy[place] ^= change
        yield f"byte {place} xor {change}", bytes(copy)


def check(apus, data, decoder, is_prefix):
    """What became of it, in a word; `Failure` where that must not be."""
    with tempfile.TemporaryDirectory() as folder:
        damaged = pathlib.Path(folder, "in.heic")
        damaged.write_bytes(data)
        work = pathlib.Path(folder, "out")
        work.mkdir()
        said = broken.check(apus, damaged, work, "--decoder", decoder).partition(":")[0]
        if is_prefix and said != "refused":
            raise Failure(f"is {said}")
        return said


def main():
    apus, count, *photos = sys.argv[1:]
    start = time.monotonic()
    jobs, counts, failures = {}, collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(min(2, len(os.sched_getaffinity(0)))) as pool:
        for photo in map(pathlib.Path, photos):
            data = photo.read_bytes()
            for decoder in DECODERS:
                for kind, copies in ("cut", prefixes(data)), ("corrupted", corruptions(data, int(count), photo.name)):
                    for name, copy in copies:
                        job = pool.submit(check, apus, copy, decoder, kind == "cut")
                        jobs[job] = photo.name, decoder, kind, name
        for job, (photo, decoder, kind, name) in jobs.items():
            try:
                counts[photo, decoder, kind, job.result()] += 1
            except Failure as failure:
                failures += 1
                print(f"{photo}, {name}, {decoder}: {failure}")
    for (photo, decoder, kind, said), number in sorted(counts.items()):
        print(f"{photo:20} {decoder:10} {kind:9} {number:5} {said}")
    print(f"{len(jobs)} damaged photos in {time.monotonic() - start:.0f} s, {failures} failures")
    sys.exit(1 if failures or not jobs else 0)


main()
