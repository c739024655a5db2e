# SPDX-License-Identifier: MIT
"""slices.py APUS FOLDER...: the slice headers that `apus inspect --samples` shows of every movie and bare stream in the folders are
those of FFmpeg's trace_headers, field by field."""

import json
import pathlib
import re
import subprocess
import sys

MOVIES = {".mp4", ".mov", ".m4v", ".3gp"}
NAMES = MOVIES | {".265", ".hevc", ".h265", ".264", ".h264", ".avc"}
SECONDS = 300
LINE = re.compile(r"\[trace_headers @ [0-9a-fx]+\] (?:\d+ +(\S+) +(?:[01]+ )?= (-?\d+)|(.*))$")
# FFmpeg's names for fields of H.265 that the standard calls differently.
OTHER = {"chroma_offset_l0": "delta_chroma_offset_l0", "chroma_offset_l1": "delta_chroma_offset_l1"}
# Bits after the header, which FFmpeg shows one by one.
PADDING = re.compile(r"alignment_bit|byte_alignment|alignment_one_bit|alignment_bits|slice_data_bits")


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS)


def traced(file, stream):
    """The slices that FFmpeg finds: for each the values by name."""
    edits = ["-ignore_editlist", "1"] if file.suffix.lower() in MOVIES else []
    done = run("ffmpeg", "-hide_banner", *edits, "-i", file, "-map", f"0:{stream}", "-c", "copy", "-copyinkf",
               "-bsf:v", "trace_headers", "-f", "null", "-")
    slices, current, other = [], None, {}
    for line in done.stderr.decode(errors="replace").splitlines():
        found = LINE.match(line)
        if not found:
            continue
        if found[1] is None:
            current = {} if found[3] in {"Slice Header", "Slice Segment Header"} else None
            other = OTHER if found[3] == "Slice Segment Header" else {}
            if current is not None:
                slices.append(current)
        elif current is not None and not PADDING.search(found[1]):
            name = found[1].split("[")[0]
            current.setdefault(other.get(name, name), []).append(int(found[2]))
    # Those of layers above the base, and of damaged slices, end early.
    return [one for one in slices if not one.get("nuh_layer_id", [0])[0]
            and ("slice_qp_delta" in one or one.get("dependent_slice_segment_flag") == [1])]


def flat(name, value, into):
    """Adds a value, or those in it, by their names."""
    if isinstance(value, dict):
        for inner, item in value.items():
            flat(inner, item, into)
    elif isinstance(value, list):
        for item in value:
            flat(name, item, into)
    elif not PADDING.search(name):
        into.setdefault(name.split("[")[0], []).append(value)


def is_slice(values, is_hevc):
    kind = values["nal_unit_type"][0]
    if not is_hevc:
        return kind in {1, 5}
    return values["nuh_layer_id"][0] == 0 and (kind <= 9 or 16 <= kind <= 21)


def shown(apus, file, track):
    """The slices that apus shows, and the reasons why others cannot be read."""
    done = run(apus, "inspect", "--samples", "--json", *track, file)
    slices, failures = [], []
    for sample in json.loads(done.stdout)["samples"] if done.stdout.strip() else []:
        if "failure" in sample:
            failures.append(sample["failure"])
        for unit in sample["nal_units"]:
            values = {}
            for field in unit["fields"]:
                flat(field["name"], field["value"], values)
            if not unit["fields"] or not is_slice(values, "nuh_layer_id" in unit):
                continue
            if "failure" in unit:
                failures.append(unit["failure"])
            else:
                slices.append(values)
    return slices, failures or done.stderr.decode(errors="replace").splitlines()[:1]


def streams(file):
    done = run("ffprobe", "-v", "quiet", "-show_entries", "stream=index,codec_name,id", "-of", "json", file)
    try:
        found = json.loads(done.stdout or "{}").get("streams", [])
    except ValueError:
        # It ended in the middle of a damaged file.
        return []
    return [one for one in found if one.get("codec_name") in {"hevc", "h264"}]


def main(apus, *folders):
    streams_seen = slices = fields = different = incomplete = 0
    for file in sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*")):
        if file.suffix.lower() not in NAMES or not file.is_file():
            continue
        for stream in streams(file):
            expected = traced(file, stream["index"])
            if not expected:
                continue
            track = ["--track", str(int(stream["id"], 16))] if file.suffix.lower() in MOVIES and "id" in stream else []
            found, failures = shown(apus, file, track)
            if any("encrypted" in failure for failure in failures):
                continue
            streams_seen += 1
            unlike = [pair for pair in zip(expected, found) if pair[0] != pair[1]]
            slices += min(len(expected), len(found))
            fields += sum(len(values) for one in expected for values in one.values())
            name = f"{file}, stream {stream['index']}"
            # Of a damaged packet, FFmpeg shows nothing.
            if unlike and not failures:
                left, right = unlike[0]
                key = next(key for key in {**left, **right} if left.get(key) != right.get(key))
                print(f"{name}: {len(unlike)} slices differ, first in {key}: {right.get(key)}, ffmpeg: {left.get(key)}")
                different += 1
            if len(expected) != len(found):
                print(f"{name}: {len(found)} slices, ffmpeg: {len(expected)} {failures[:1]}")
                incomplete += 1
    print(f"{slices} slices with {fields} fields in {streams_seen} streams; {different} streams differ, {incomplete} have other numbers")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
