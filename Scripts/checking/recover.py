# SPDX-License-Identifier: MIT
"""recover.py APUS FOLDER...: what apus recover makes of every movie in the folders whose moov is removed, or zeroed, with the
media data cut in the middle or whole, and of files that are no movies. Each movie is its own healthy one. Exits with 1 where pictures or sound are lost, changed or shifted."""

import collections
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

# The least part of the media data of a movie, in bytes, for it to be called one.
LEAST = 8000
# In seconds.
MOST_OFFSET = 0.020
ENDINGS = (".mp4", ".mov", ".m4v", ".3gp")


def run(*words):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)


def boxes(data):
    """The offset, size, header and type of every outermost box."""
    place, found = 0, []
    while place + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        header = 16 if size == 1 else 8
        size = struct.unpack_from(">Q", data, place + 8)[0] if size == 1 else size or len(data) - place
        if size < header:
            break
        found.append((place, min(size, len(data) - place), header, kind))
        place += size
    return found


def broken(data, cut, zeroed):
    """The movie without its `moov`, or with zeros in its place, and with the given part of its last media data."""
    result, last = bytearray(), [box for box in boxes(data) if box[3] == b"mdat"][-1]
    for place, size, header, kind in boxes(data):
        if kind == b"moov":
            result += bytes(size if zeroed else 0)
        elif place == last[0]:
            result += data[place:place + header + int((size - header) * cut)]
            if cut < 1:
                break
        else:
            result += data[place:place + size]
    return bytes(result)


def frames(path, kind):
    """The time and the digest of every picture as decoded, or of every frame of sound as it is, of the first stream."""
    how = ["-an", "-fps_mode", "passthrough", "-enc_time_base", "1:90000"] if kind == "v" else ["-vn", "-c", "copy"]
    done = run("ffmpeg", "-v", "error", "-copyts", "-i", path, "-map", f"0:{kind}:0?", *how, "-f", "framemd5", "-")
    unit, found = 1, []
    for line in done.stdout.decode().splitlines():
        if line.startswith("#tb "):
            numerator, denominator = map(int, line.split(": ")[1].split("/"))
            unit = numerator / denominator
        elif not line.startswith("#"):
            words = [word.strip() for word in line.split(",")]
            found.append((int(words[2]) * unit, words[5]))
    return found


def differences(whole, target, is_whole):
    """What pictures and sound lack, and how far they are from each other."""
    said, spans, lengths = [], {}, []
    for kind in "va":
        expected, found = whole[kind], frames(target, kind)
        lengths.append(f"{len(found)}/{len(expected)}")
        if not expected:
            continue
        if not found:
            if is_whole:
                said.append("no pictures" if kind == "v" else "no sound")
            continue
        # Pictures at the end of what was cut may lack those that are shown before them.
        count = len(expected) if is_whole else max(0, len(found) - (20 if kind == "v" else 1))
        if [digest for _, digest in found[:count]] != [digest for _, digest in expected[:count]]:
            said.append("other pictures" if kind == "v" else "other sound")
        shifts = [time - other for (time, _), (other, _) in zip(found[:max(1, count)], expected)]
        spans[kind] = (min(shifts), max(shifts))
    offset = max((abs(spans["v"][one] - spans["a"][1 - one]) for one in (0, 1)), default=0) if len(spans) == 2 else 0
    if offset > MOST_OFFSET:
        said.append(f"sound and picture are {offset * 1000:.0f} ms apart")
    return lengths, offset, said


def main(apus, folders):
    tally, failed, refused = collections.Counter(), 0, collections.Counter()
    files = sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*") if file.is_file())
    with tempfile.TemporaryDirectory() as work:
        for file in files:
            data = file.read_bytes() if file.suffix in ENDINGS else b""
            media = sum(size for _, size, _, kind in boxes(data) if kind == b"mdat")
            if not any(kind == b"moov" for *_, kind in boxes(data)) or media < LEAST:
                continue
            whole = {kind: frames(file, kind) for kind in "va"}
            if not whole["v"]:
                continue
            for name, cut, zeroed in [("no moov", 1, False), ("cut", 0.6, False), ("zeros", 1, True)]:
                source, target = pathlib.Path(work, f"broken{file.suffix}"), pathlib.Path(work, f"made{file.suffix}")
                if target.suffix not in (".mp4", ".mov"):
                    target = target.with_suffix(".mp4")
                source.write_bytes(broken(data, cut, zeroed))
                target.unlink(missing_ok=True)
                done = run(apus, "recover", "--quiet", source, "--like", file, "-o", target, "--json")
                if done.returncode < 0:
                    raise SystemExit(f"{file.name}, {name}: ends by signal {-done.returncode}")
                if done.returncode:
                    reason = done.stderr.decode(errors="replace").strip().replace(str(source), "it")
                    print(f"{file.name:48} {name:8} refused: {reason}")
                    refused[file.name] += 1
                    continue
                line = json.loads(done.stdout)
                lengths, offset, said = differences(whole, target, cut == 1)
                if line["complete"] and (cut < 1 or line["unexplained_bytes"]):
                    said.append("called complete")
                tally["fails" if said else "as it was"] += 1
                failed += bool(said)
                print(f"{file.name:48} {name:8} pictures {lengths[0]:>9}  sound {lengths[1]:>9}  {offset * 1000:5.1f} ms  "
                      f"{line['unexplained_bytes']:>7} bytes unexplained  {'; '.join(said)}")
        for name, content in [("garbage", bytes(index * 89 % 251 for index in range(300000))), ("nothing", b""),
                              ("zeros", bytes(300000)), ("text", b"no movie\n" * 20000)]:
            source = pathlib.Path(work, name)
            source.write_bytes(content)
            done = run(apus, "recover", source, "--rate", "25", "-o", pathlib.Path(work, "never.mp4"))
            print(f"{name}: {done.stderr.decode().strip().replace(work, '')}")
            failed += done.returncode != 1
    print(", ".join(f"{number} {outcome}" for outcome, number in tally.items()) + f"; {len(refused)} movies refused")
    sys.exit(1 if failed else 0)


main(sys.argv[1], sys.argv[2:])
