# SPDX-License-Identifier: MIT
"""A photo of another codec is converted, or refused by the name of the codec."""

import broken
import picture
from job import Failure, run

# By the type of an item: what a refusal calls its codec.
CODECS = {
    b"av01": "AV1", b"avc1": "H.264", b"vvc1": "H.266", b"evc1": "EVC", b"jpeg": "JPEG", b"j2k1": "JPEG 2000",
    b"unci": "uncompressed", b"uncv": "uncompressed",
}  # fmt: skip


def check(apus, path, work):
    done = run(apus, "convert", path, "-o", work / "out.jpg", "--json")
    if not done.status:
        (report,) = done.reports
        return broken.whole(work / "out.jpg", report)
    if any(work.iterdir()):
        raise Failure("leaves a file though it is refused")
    data = path.read_bytes()
    codecs = [name for kind, name in CODECS.items() if kind in data]
    if picture.by_libheif(path) is None and set(codecs) <= {"AV1"}:
        return f"refused, by libheif too: {done.message}"
    if not any(name in done.message for name in codecs):
        raise Failure(f"is refused, but without a word of {' or '.join(codecs)}: {done.message}")
    return f"refused by name: {done.message}"
