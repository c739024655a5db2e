#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every fixture, the broken ones too, comes back byte for byte and is listed.
exec "$(dirname -- "$0")/../../Scripts/corpus" "$(dirname -- "$0")/../../Fixtures"
