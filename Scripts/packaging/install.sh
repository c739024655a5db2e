#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh [--heif-tools] [PREFIX]: copies this folder's bin and share to PREFIX, which is /usr/local; with --heif-tools
# the names of libheif's tools, too.
# install.sh --remove [PREFIX]: takes them away again.
set -eu

fail() {
  echo "install.sh: $*" >&2
  exit 2
}

remove= names=
while [ $# -gt 0 ]; do
  case $1 in
    --remove) remove=yes ;;
    --heif-tools) names=yes ;;
    -h | --help)
      sed -n '3,5s/^# //p' "$0"
      exit ;;
    -*) fail "there is no option $1; see install.sh --help" ;;
    *) break ;;
  esac
  shift
done
[ $# -le 1 ] || fail "one PREFIX is enough"
prefix=${1:-/usr/local}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
cd "$(dirname "$0")"

# Programs, and what man, shells and desktops look for. The units of systemd stay here, for they name /usr/bin/apus.
find bin share ! -type d | sort | while IFS= read -r name; do
  target=$prefix/$name
  if [ -n "$remove" ]; then
    # Another package's program of such a name is none of ours.
    if [ ! -L "$name" ] || [ "$(readlink "$target")" = apus ]; then rm -f -- "$target"; fi
    continue
  fi
  if [ -L "$name" ]; then
    [ -n "$names" ] || continue
    if [ -e "$target" ] && [ "$(readlink "$target")" != apus ]; then fail "$target already exists"; fi
  fi
  mkdir -p -- "${target%/*}"
  # By another name first, so that no half of a program is ever there.
  cp -P -- "$name" "$target.new"
  mv -f -- "$target.new" "$target"
done
if [ -n "$remove" ]; then
  find share -depth -type d -path '*apus*' | while IFS= read -r name; do
    rmdir -- "$prefix/$name" 2>/dev/null || true
  done
else
  "$prefix/bin/apus" --version
fi
