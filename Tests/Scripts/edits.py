#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`apus edit` and `apus hvcc fix` over many files: each is changed or stays as it was, a file that fails does not stop
the others, and the bytes that a report lists are the bytes that differ."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
APUS = os.environ.get("APUS", str(ROOT / ".build/release/apus"))
FIXTURES = ROOT / "Fixtures"
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "Sources/ApusCommand/Schemas/edit.schema.json").read_text()))

failures = 0


def expect(holds, what):
    global failures
    if not holds:
        failures += 1
        print(what)


def run(folder, *words):
    return subprocess.run([APUS, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def reports(done):
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for line in lines:
        for error in SCHEMA.iter_errors(line):
            expect(False, f"{line}: {error.message}")
    return {line["file"]: line for line in lines}


def library(folder):
    """Two movies to fix, one in no need of it, one that is cut inside its boxes, and a photo that holds none."""
    lib = pathlib.Path(folder, "lib")
    (lib / "sub").mkdir(parents=True)
    hev1 = (FIXTURES / "hev1.mp4").read_bytes()
    for name, data in {
        "a.mp4": hev1, "sub/b.mp4": hev1, "c.mp4": (FIXTURES / "hvc1.mp4").read_bytes(),
        "cut.mp4": hev1[:-400], "photo.jpg": (FIXTURES / "420.jpg").read_bytes(),
    }.items():  # fmt: skip
        (lib / name).write_bytes(data)
    return lib


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


with tempfile.TemporaryDirectory() as work:
    lib = library(work)
    before = contents(lib)
    fix = ["hvcc", "fix", "-r", "lib", "--entry", "hvc1"]

    # Without a change, and then by what the report says, as a server would.
    done = run(work, *fix, "--dry-run", "--json")
    told = reports(done)
    expect(contents(lib) == before, "--dry-run changed files")
    expect(told["lib/a.mp4"]["status"] == told["lib/sub/b.mp4"]["status"] == "changed", f"dry run: {told}")
    expect(told["lib/c.mp4"]["status"] == "unchanged", f"dry run: {told['lib/c.mp4']}")
    expect("lib/photo.jpg" not in told, "a photo that was only found is reported")
    expect(told["lib/cut.mp4"]["warnings"], "nothing is said of the damage")
    expect(not told["lib/a.mp4"]["warnings"], f"a whole file is warned of: {told['lib/a.mp4']}")
    patched = {}
    for name, line in told.items():
        data = bytearray(before[name[4:]])
        for change in line.get("changes", []):
            old, new = bytes.fromhex(change["old"]), bytes.fromhex(change["new"])
            at = slice(change["offset"], change["offset"] + len(old))
            expect(data[at] == old and len(old) == len(new), f"{name}: {change} is not what the file has")
            data[at] = new
        patched[name[4:]] = bytes(data)

    done = run(work, *fix, "--in-place", "--json")
    expect(reports(done).keys() == told.keys(), f"in place: {done.stdout}")
    after = contents(lib)
    expect(after == before | patched, "what was written is not what the dry run said")
    for name in ("a.mp4", "sub/b.mp4"):
        codec = subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_tag_string",
             "-of", "csv=p=0", lib / name], capture_output=True, text=True).stdout  # fmt: skip
        expect(codec.strip() == "hvc1", f"{name}: FFmpeg reads {codec!r}")

    done = run(work, *fix, "--in-place")
    expect(done.returncode == 3, f"again: status {done.returncode}")
    expect(contents(lib) == after, "a second run changed files")

    # A snapshot holds a file under a second name, and is to keep what it has.
    os.link(lib / "c.mp4", pathlib.Path(work, "snapshot.mp4"))
    where = "moov/trak[0]/mdia/mdhd/language=deu"
    done = run(work, "edit", "lib/c.mp4", "--set", where, "--in-place", "--json")
    warnings = reports(done)["lib/c.mp4"]["warnings"]
    expect(done.returncode == 0 and any("another name" in text for text in warnings), f"linked: {warnings} {done.stderr}")
    expect(pathlib.Path(work, "snapshot.mp4").read_bytes() == after["c.mp4"], "a snapshot was changed")
    changed = (lib / "c.mp4").read_bytes()
    expect(len(changed) == len(after["c.mp4"]) and changed != after["c.mp4"], "a file with a snapshot was not changed")
    (lib / "c.mp4").write_bytes(after["c.mp4"])

    # Into another folder, where one that fails does not stop the others.
    done = run(work, "edit", "-r", "lib", "--remove", "moov/udta", "-o", "out/", "--json")
    told = reports(done)
    out = contents(pathlib.Path(work, "out"))
    expect(set(out) == {name[4:] for name, line in told.items() if line["status"] == "changed"}, f"out: {list(out)}")
    expect({"a.mp4", "c.mp4", "sub/b.mp4"} <= set(out), f"out: {list(out)}")
    expect(all(b"udta" not in data for data in out.values()), "udta is still there")
    expect(done.returncode == (1 if any(line["status"] == "failed" for line in told.values()) else 0), done.stderr)
    done = run(work, "edit", "-r", "lib", "--remove", "moov/udta", "-o", "out/", "--json")
    expect(all(line["status"] in ("skipped", "failed") for line in reports(done).values()), "outputs were replaced")
    expect(contents(pathlib.Path(work, "out")) == out, "outputs were changed")

    # What cannot be: one output for several files, and two answers on one stream.
    for words in (["-o", "one.mp4"], ["-o", "-"], []):
        done = run(work, "edit", "lib/a.mp4", "lib/c.mp4", "--remove", "moov/udta", "--json", *words)
        expect(done.returncode == 2 and not done.stdout, f"{words}: {done.returncode} {done.stdout}")

    # A box of each file.
    done = run(work, "edit", "lib/a.mp4", "lib/c.mp4", "--extract", "moov/mvhd", "-o", "boxes/")
    boxes = contents(pathlib.Path(work, "boxes"))
    expect(done.returncode == 0 and all(data[4:8] == b"mvhd" for data in boxes.values()), done.stderr)
    expect(set(boxes) == {"a.mp4", "c.mp4"}, f"boxes: {list(boxes)}")

    # Names that stand in a list, one of which is no file.
    (pathlib.Path(work) / "names").write_text("lib/a.mp4\nlib/none.mp4\nlib/c.mp4\n")
    done = run(work, "hvcc", "fix", "--files-from", "names", "--dry-run", "--json")
    expect(set(reports(done)) == {"lib/a.mp4", "lib/c.mp4"} and done.returncode == 1, done.stderr)

    # Faults with one repair only give the file back; of others it is said how many are left.
    sound = (FIXTURES / "hvc1.mp4").read_bytes()
    record = sound.index(b"hvcC") + 4
    head = sound.index(b"\x40\x01", record)
    broken = {
        "rate": (record + 21, sound[record + 21] | 0xC0),
        "lengths": (record + 21, sound[record + 21] & 0xFC),
        "layer": (head + 1, 0),
        "arrays": (record + 22, sound[record + 22] - 1),
        "forbidden": (head, 0xC0),
    }
    folder = pathlib.Path(work, "broken")
    folder.mkdir()
    for name, (place, value) in broken.items():
        (folder / f"{name}.mp4").write_bytes(sound[:place] + bytes([value]) + sound[place + 1:])
        found = run(work, "hvcc", "check", f"broken/{name}.mp4")
        expect(found.returncode == 1, f"{name}: {found.stdout}")
        done = run(work, "hvcc", "fix", f"broken/{name}.mp4", "-o", f"{name}-fixed.mp4")
        fixed = pathlib.Path(work, f"{name}-fixed.mp4").read_bytes()
        if name == "forbidden":
            expect(done.returncode == 1 and "1 error remains" in done.stderr, f"{name}: {done.stderr}")
        else:
            expect(done.returncode == 0 and fixed == sound, f"{name}: {done.stderr}")
    done = run(work, "hvcc", "fix", "-r", "broken", "-o", "all/")
    expect(done.returncode == 1 and "errors remain in 1" in done.stderr, done.stderr)
    # Samples that are cut off are no reason to keep boxes.
    (folder / "short.mp4").write_bytes((FIXTURES / "hvc1-10bit.mp4").read_bytes()[:-300])
    done = run(work, "edit", "broken/short.mp4", "--remove", "moov/udta", "-o", "short-bare.mp4")
    expect(done.returncode == 0, done.stderr)
    packets = [
        subprocess.run(
            ["ffmpeg", "-v", "quiet", "-i", name, "-map", "0", "-c", "copy", "-f", "framemd5", "-"],
            cwd=work, capture_output=True, text=True).stdout
        for name in ("broken/short.mp4", "short-bare.mp4")]  # fmt: skip
    expect(packets[0] == packets[1] and len(packets[0].splitlines()) > 10, f"packets: {packets}")

sys.exit(failures > 0)
