#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A current FFmpeg finds the same packets, times and pictures in both HEVC dialects that apus flv convert writes.

set -euo pipefail
here=$(cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# hashes FILE: of every packet with its times, then of every decoded picture and sound.
hashes() {
  for codec in "-c copy" ""; do
    # shellcheck disable=SC2086
    "$root/Scripts/making/ffmpeg9" -i "$1" -map '0:v?' -map '0:a?' $codec -f framehash - | grep -v '^#'
  done
}

compared=0
for file in enhanced legacy enhanced-hdr10 nanoseconds; do
  hashes "$root/Fixtures/$file.flv" >"$work/expected"
  for dialect in enhanced legacy; do
    "$root/Scripts/apus" flv convert --quiet "$root/Fixtures/$file.flv" -o "$work/$file-$dialect.flv" --dialect "$dialect"
    hashes "$work/$file-$dialect.flv" >"$work/found"
    cmp "$work/expected" "$work/found"
    ((compared += 1))
  done
done
printf '%s files hold the same packets and pictures\n' "$compared"
