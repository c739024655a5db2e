# SPDX-License-Identifier: MIT
"""`apus edit` and `apus hvcc fix` over many files: each is changed or stays as it was, a file that fails does not stop
the others, and the bytes that a report lists are the bytes that differ."""

import json
import os

import jsonschema
import pytest

from programs import APUS, FFMPEG, FIXTURES, SCHEMAS, completed, printed

SCHEMA = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "edit.schema.json").read_text()))


def run(folder, *words):
    return completed(APUS, *words, cwd=folder, text=True, status=None)


def reports(done):
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for line in lines:
        for error in SCHEMA.iter_errors(line):
            raise AssertionError(f"{line}: {error.message}")
    return {line["file"]: line for line in lines}


@pytest.fixture
def lib(folder):
    """Two movies to fix, one in no need of it, one that is cut inside its boxes, and a photo that holds none."""
    lib = folder / "lib"
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


FIX = ["hvcc", "fix", "-r", "lib", "--entry", "hvc1"]


def test_what_a_dry_run_says_is_what_is_written_and_a_second_run_writes_nothing(folder, lib):
    before = contents(lib)
    # Without a change, and then by what the report says, as a server would.
    done = run(folder, *FIX, "--dry-run", "--json")
    told = reports(done)
    assert contents(lib) == before, "--dry-run changed files"
    assert told["lib/a.mp4"]["status"] == told["lib/sub/b.mp4"]["status"] == "changed", f"dry run: {told}"
    assert told["lib/c.mp4"]["status"] == "unchanged", f"dry run: {told['lib/c.mp4']}"
    assert "lib/photo.jpg" not in told, "a photo that was only found is reported"
    assert told["lib/cut.mp4"]["warnings"], "nothing is said of the damage"
    assert not told["lib/a.mp4"]["warnings"], f"a whole file is warned of: {told['lib/a.mp4']}"
    patched = {}
    for name, line in told.items():
        data = bytearray(before[name[4:]])
        for change in line.get("changes", []):
            old, new = bytes.fromhex(change["old"]), bytes.fromhex(change["new"])
            at = slice(change["offset"], change["offset"] + len(old))
            assert data[at] == old and len(old) == len(new), f"{name}: {change} is not what the file has"
            data[at] = new
        patched[name[4:]] = bytes(data)

    done = run(folder, *FIX, "--in-place", "--json")
    assert reports(done).keys() == told.keys(), f"in place: {done.stdout}"
    after = contents(lib)
    assert after == before | patched, "what was written is not what the dry run said"
    for name in ("a.mp4", "sub/b.mp4"):
        codec = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_tag_string",
                        "-of", "csv=p=0", lib / name)
        assert codec.strip() == "hvc1", f"{name}: FFmpeg reads {codec!r}"

    done = run(folder, *FIX, "--in-place")
    assert done.returncode == 3, f"again: status {done.returncode}"
    assert contents(lib) == after, "a second run changed files"


def test_a_file_with_a_second_name_is_replaced_and_the_other_keeps_what_it_has(folder, lib):
    before = contents(lib)
    # A snapshot holds a file under a second name, and is to keep what it has.
    os.link(lib / "c.mp4", folder / "snapshot.mp4")
    where = "moov/trak[0]/mdia/mdhd/language=deu"
    done = run(folder, "edit", "lib/c.mp4", "--set", where, "--in-place", "--json")
    warnings = reports(done)["lib/c.mp4"]["warnings"]
    assert done.returncode == 0 and any("another name" in text for text in warnings), f"linked: {warnings} {done.stderr}"
    assert (folder / "snapshot.mp4").read_bytes() == before["c.mp4"], "a snapshot was changed"
    changed = (lib / "c.mp4").read_bytes()
    assert len(changed) == len(before["c.mp4"]) and changed != before["c.mp4"], "a file with a snapshot was not changed"


def test_a_file_that_fails_does_not_stop_the_others(folder, lib):
    done = run(folder, "edit", "-r", "lib", "--remove", "moov/udta", "-o", "out/", "--json")
    told = reports(done)
    out = contents(folder / "out")
    assert set(out) == {name[4:] for name, line in told.items() if line["status"] == "changed"}, f"out: {list(out)}"
    assert {"a.mp4", "c.mp4", "sub/b.mp4"} <= set(out), f"out: {list(out)}"
    assert all(b"udta" not in data for data in out.values()), "udta is still there"
    assert done.returncode == (1 if any(line["status"] == "failed" for line in told.values()) else 0), done.stderr
    done = run(folder, "edit", "-r", "lib", "--remove", "moov/udta", "-o", "out/", "--json")
    assert all(line["status"] in ("skipped", "failed") for line in reports(done).values()), "outputs were replaced"
    assert contents(folder / "out") == out, "outputs were changed"


@pytest.mark.parametrize("words", [["-o", "one.mp4"], ["-o", "-"], []])
def test_several_files_need_outputs_of_their_own(folder, lib, words):
    done = run(folder, "edit", "lib/a.mp4", "lib/c.mp4", "--remove", "moov/udta", "--json", *words)
    assert done.returncode == 2 and not done.stdout, f"{words}: {done.returncode} {done.stdout}"


def test_a_box_of_each_file_is_extracted(folder, lib):
    done = run(folder, "edit", "lib/a.mp4", "lib/c.mp4", "--extract", "moov/mvhd", "-o", "boxes/")
    boxes = contents(folder / "boxes")
    assert done.returncode == 0 and all(data[4:8] == b"mvhd" for data in boxes.values()), done.stderr
    assert set(boxes) == {"a.mp4", "c.mp4"}, f"boxes: {list(boxes)}"


def test_files_come_from_a_list_in_which_one_may_be_missing(folder, lib):
    (folder / "names").write_text("lib/a.mp4\nlib/none.mp4\nlib/c.mp4\n")
    done = run(folder, "hvcc", "fix", "--files-from", "names", "--dry-run", "--json")
    assert set(reports(done)) == {"lib/a.mp4", "lib/c.mp4"} and done.returncode == 1, done.stderr


SOUND = (FIXTURES / "hvc1.mp4").read_bytes()
RECORD = SOUND.index(b"hvcC") + 4
HEAD = SOUND.index(b"\x40\x01", RECORD)
# Where a byte becomes another one.
BROKEN = {
    "rate": (RECORD + 21, SOUND[RECORD + 21] | 0xC0),
    "lengths": (RECORD + 21, SOUND[RECORD + 21] & 0xFC),
    "layer": (HEAD + 1, 0),
    "arrays": (RECORD + 22, SOUND[RECORD + 22] - 1),
    "forbidden": (HEAD, 0xC0),
}


@pytest.fixture
def broken(folder):
    """A folder of movies with one fault each."""
    (folder / "broken").mkdir()
    for name, (place, value) in BROKEN.items():
        (folder / f"broken/{name}.mp4").write_bytes(SOUND[:place] + bytes([value]) + SOUND[place + 1:])
    return folder / "broken"


@pytest.mark.parametrize("name", BROKEN)
def test_a_fault_with_one_repair_only_gives_the_file_back(folder, broken, name):
    completed(APUS, "hvcc", "check", f"broken/{name}.mp4", cwd=folder, status=1)
    done = run(folder, "hvcc", "fix", f"broken/{name}.mp4", "-o", f"{name}-fixed.mp4")
    if name == "forbidden":
        assert done.returncode == 1 and "1 error remains" in done.stderr, done.stderr
    else:
        assert done.returncode == 0 and (folder / f"{name}-fixed.mp4").read_bytes() == SOUND, done.stderr


def test_errors_that_remain_are_counted(folder, broken):
    done = run(folder, "hvcc", "fix", "-r", "broken", "-o", "all/")
    assert done.returncode == 1 and "errors remain in 1" in done.stderr, done.stderr


def test_samples_that_are_cut_off_are_no_reason_to_keep_boxes(folder):
    (folder / "short.mp4").write_bytes((FIXTURES / "hvc1-10bit.mp4").read_bytes()[:-300])
    done = run(folder, "edit", "short.mp4", "--remove", "moov/udta", "-o", "short-bare.mp4")
    assert done.returncode == 0, done.stderr
    packets = [
        printed(FFMPEG, "-v", "quiet", "-i", name, "-map", "0", "-c", "copy", "-f", "framemd5", "-", cwd=folder, status=None)
        for name in ("short.mp4", "short-bare.mp4")]
    assert packets[0] == packets[1] and len(packets[0].splitlines()) > 10, f"packets: {packets}"
