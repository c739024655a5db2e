# SPDX-License-Identifier: MIT
"""A photo of another codec is converted, or refused by the name of the codec."""

import broken
from job import Failure, run

CODECS = ["AV1", "H.264", "H.266", "EVC", "JPEG", "JPEG 2000", "uncompressed"]
# A refusal for any other reason says what is wrong with the file.
KINDS = {"unsupported", "missing"}


def check(apus, path, work):
    done = run(apus, "convert", path, "-o", work / "out.jpg", "--json")
    if not done.status:
        (report,) = done.reports
        return broken.whole(work / "out.jpg", report)
    error = done.reports[0]["error"] if done.reports else {"kind": "", "message": done.message}
    if error["kind"] in KINDS and not any(codec in error["message"] for codec in CODECS):
        raise Failure(f"is refused, but for which codec? {error['message']}")
    if any(work.iterdir()):
        raise Failure("leaves a file though it is refused")
    return f"refused ({error['kind']}): {error['message']}"
