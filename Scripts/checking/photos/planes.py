# SPDX-License-Identifier: MIT
"""Every HEVC decoder gives the same samples for every picture of a photo; intra may refuse by name what it does not
know, such as predicted pictures."""

import filecmp

from job import Failure, run


def check(apus, path, work):
    made = {}
    for decoder in ("libavcodec", "libde265", "intra"):
        folder = work / decoder
        folder.mkdir()
        done = run(
            apus, "convert", path, "-o", folder / "out.yuv", "--images", "all", "--decoder", decoder, "--json"
        )
        made[decoder] = done, {file.name: file for file in folder.iterdir()}
    (first, one), (second, other), (third, own) = made.values()
    if bool(first.status) != bool(second.status):
        raise Failure(f"libavcodec: {first.message or 'decodes'}; libde265: {second.message or 'decodes'}")
    if first.status:
        if not third.status:
            raise Failure(f"only intra decodes it: {first.message}")
        return f"refused by all: {first.message}"
    if third.status and "is not decoded by intra" not in third.message:
        raise Failure(f"only intra refuses it: {third.message}")
    others = [("libde265", other)] if third.status else [("libde265", other), ("intra", own)]
    for name, files in others:
        if one.keys() != files.keys() or not one:
            raise Failure(f"libavcodec gives {sorted(one)}, {name} {sorted(files)}")
        for file in one:
            if not filecmp.cmp(one[file], files[file], shallow=False):
                raise Failure(f"{file} of {name} differs")
    size = sum(file.stat().st_size for file in one.values())
    return f"the same planes by {1 + len(others)}: {len(one)} pictures, {size} bytes"
