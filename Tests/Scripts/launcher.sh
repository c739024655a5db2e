#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Scripts/apus works from any folder, through a symbolic link, with blanks in paths, and says nothing of
# its own when there is nothing to do.
set -euo pipefail

root=$(readlink -f -- "$(dirname -- "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a folder"
cp "$root/Fixtures/hvc1.mp4" "$work/a folder/a film.mp4"
ln -s "$root/Scripts/apus" "$work/a folder/link"
cd "$work/a folder"

expect() {
  [[ $1 == "$2" ]] || {
    printf 'expected %s, got %s\n' "$2" "$1"
    exit 1
  }
}

expect "$(./link inspect --depth 1 'a film.mp4' 2>&1 | cut -d' ' -f1-2 | head -n 1)" 'ftyp @0'
expect "$(./link inspect --json - <'a film.mp4' | head -c 1)" '{'
./link edit 'a film.mp4' -o 'a copy.mp4' 2>"$work/said"
cmp 'a film.mp4' 'a copy.mp4'
expect "$(cat "$work/said")" ''
status=0
./link inspect missing.mp4 2>/dev/null || status=$?
[[ $status != 0 ]]
