#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""lines.py SCHEMA: every line of standard input is JSON that fits the schema; prints how many there were."""

import json
import pathlib
import sys

import jsonschema

validator = jsonschema.Draft202012Validator(json.loads(pathlib.Path(sys.argv[1]).read_text()))
count = 0
for line in sys.stdin:
    validator.validate(json.loads(line))
    count += 1
print(count)
