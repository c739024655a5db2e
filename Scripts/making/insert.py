#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""insert.py IN OUT --after PATH TYPE=HEX...: puts boxes behind another, and lets sizes and offsets follow."""

import argparse

from boxes import box, find, splice

parser = argparse.ArgumentParser()
parser.add_argument("source")
parser.add_argument("target")
parser.add_argument("--after", required=True)
parser.add_argument("boxes", nargs="+")
options = parser.parse_args()

with open(options.source, "rb") as file:
    data = file.read()
made = b""
for text in options.boxes:
    kind, _, digits = text.partition("=")
    made += box(kind, bytes.fromhex(digits))
with open("/dev/stdout" if options.target == "-" else options.target, "wb") as file:
    file.write(splice(data, find(data, options.after)[2], 0, made))
