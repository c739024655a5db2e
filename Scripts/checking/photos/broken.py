# SPDX-License-Identifier: MIT
"""A broken photo: no crash, no hang, no memory without end, and no output that is not whole."""

import picture
from job import Failure, run

SECONDS = 5
MOST_MEMORY = 512


def check(apus, path, work, *options):
    done = run(apus, "convert", path, "-o", work / "out.jpg", "--json", *options, seconds=SECONDS)
    if done.mebibytes > MOST_MEMORY:
        raise Failure(f"takes {done.mebibytes:.0f} MiB")
    left = list(work.iterdir())
    if done.status:
        if left:
            raise Failure(f"ends with {done.status} and leaves {left[0].name}")
        if not done.message:
            raise Failure(f"ends with {done.status} and says nothing")
        return f"refused: {done.message}"
    (report,) = done.reports
    if [file.name for file in left] != ["out.jpg"]:
        raise Failure(f"leaves {[file.name for file in left]}")
    return whole(left[0], report)


def whole(path, report):
    try:
        made = picture.decoded(path)
    except OSError as error:
        raise Failure(f"writes a picture that cannot be read: {error}") from None
    if made.size != (report["width"], report["height"]):
        raise Failure(f"writes {made.size}, but reports {report['width']} x {report['height']}")
    if path.read_bytes()[-2:] != b"\xff\xd9":
        raise Failure("writes a JPEG without an end")
    return f"converted: {made.width} x {made.height}"
