# SPDX-License-Identifier: MIT
"""Both HEVC decoders give the same samples for every picture of a photo."""

import filecmp

from job import Failure, run


def check(apus, path, work):
    made = {}
    for decoder in ("libavcodec", "libde265"):
        folder = work / decoder
        folder.mkdir()
        done = run(
            apus, "convert", path, "-o", folder / "out.yuv", "--images", "all", "--decoder", decoder, "--json"
        )
        made[decoder] = done, {file.name: file for file in folder.iterdir()}
    (first, one), (second, other) = made.values()
    if bool(first.status) != bool(second.status):
        raise Failure(f"libavcodec: {first.message or 'decodes'}; libde265: {second.message or 'decodes'}")
    if first.status:
        return f"refused by both: {first.message}"
    if one.keys() != other.keys() or not one:
        raise Failure(f"libavcodec gives {sorted(one)}, libde265 {sorted(other)}")
    for name in one:
        if not filecmp.cmp(one[name], other[name], shallow=False):
            raise Failure(f"{name} differs")
    size = sum(file.stat().st_size for file in one.values())
    return f"the same planes: {len(one)} pictures, {size} bytes"
