# SPDX-License-Identifier: MIT
"""Files of a million tiny boxes come back byte for byte, in time; beyond the limit a finding says so."""

import filecmp

import pytest

from programs import APUS, completed

EMPTY = b"\0\0\0\x08free"


def parent(body):
    return (8 + len(body)).to_bytes(4, "big") + b"moov" + body


# A name, the bytes, how many boxes are allowed if that is not the default, and whether that is too few.
ROWS = [
    ("side by side", EMPTY * 999_000, None, False),
    ("each in its own parent", parent(EMPTY) * 499_000, None, False),
    ("beyond the limit in one parent", parent(EMPTY * 1_000_001), None, True),
    ("within a limit that was raised", EMPTY * 1_000_001, 1_100_000, False),
    ("beyond a limit that was lowered", EMPTY * 1_000, 999, True),
]


@pytest.mark.parametrize("name, data, limit, is_limited", ROWS, ids=[row[0] for row in ROWS])
def test_many_boxes_come_back_and_are_listed_up_to_the_limit(folder, name, data, limit, is_limited):
    source, target = folder / "in.mp4", folder / "out.mp4"
    source.write_bytes(data)
    options = [] if limit is None else ["--limit", f"boxes={limit}"]
    completed(APUS, "edit", source, "-o", target, *options)
    assert filecmp.cmp(source, target, shallow=False), "other bytes"
    # The findings follow the tree.
    listing = completed(APUS, "inspect", "--depth", "1", *options, source).stdout
    assert (b"limit" in listing[-1000:]) == is_limited
