# SPDX-License-Identifier: MIT
"""No verb writes over a file that it reads, whatever name leads to it."""

import os
import shutil

import pytest

from programs import APUS, FIXTURES, completed, run

# What is read, the verb, and what follows the output.
VERBS = [
    ("hvc1.mp4", ["remux", "INPUT", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["remux", "INPUT", "-o", "OUTPUT", "--format", "fmp4"]),
    ("hvc1.mp4", ["remux", "INPUT", "-o", "OUTPUT", "--format", "hls"]),
    ("enhanced.flv", ["remux", "INPUT", "-o", "OUTPUT", "--format", "flv"]),
    ("hvc1.mp4", ["transcode", "INPUT", "-o", "OUTPUT", "--preset", "copy"]),
    ("hvc1.mp4", ["transcode", "INPUT", "-o", "OUTPUT", "--preset", "copy", "--format", "fmp4"]),
    ("hvc1.mp4", ["edit", "INPUT", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["edit", "INPUT", "--extract", "ftyp", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["hvcc", "fix", "INPUT", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["hvcc", "build", "INPUT", "-o", "OUTPUT"]),
    ("enhanced.flv", ["flv", "convert", "INPUT", "-o", "OUTPUT"]),
    ("hvc1.mp4", ["extract", "INPUT", "--track", "1", "-o", "OUTPUT"]),
    ("photo.heic", ["report", "INPUT", "-o", "OUTPUT"]),
    ("photo.heic", ["convert", "INPUT", "-o", "OUTPUT", "--format", "jpeg"]),
    ("photo.heic", ["convert", "INPUT", "-o", "OUTPUT", "--format", "heic"]),
    ("photo.heic", ["thumbnail", "INPUT", "-o", "OUTPUT", "--format", "jpeg"]),
]
NAMES = ["same", "dotted", "absolute", "symbolic", "hard"]


def called(kind, name, work):
    """Another name of a file."""
    if kind == "same":
        return name
    if kind == "dotted":
        return f"./{name}"
    if kind == "absolute":
        return str(work / name)
    link = f"{kind}-{name}"
    (work / link).symlink_to(name) if kind == "symbolic" else os.link(work / name, work / link)
    return link


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("file, words", VERBS, ids=[" ".join(words) for _, words in VERBS])
def test_an_output_that_is_an_input_is_refused(folder, file, words, kind):
    shutil.copy(FIXTURES / file, folder / file)
    output = called(kind, file, folder)
    before = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
    for policy in ([], ["--on-exists", "replace"]):
        command = [{"INPUT": file, "OUTPUT": output}.get(word, word) for word in words] + policy
        done = completed(APUS, *command, cwd=folder, text=True, status=1)
        assert "input" in done.stderr
        assert {name: (folder / name).read_bytes() for name in os.listdir(folder)} == before


def test_an_input_whose_turn_has_not_come_yet_is_an_input(folder):
    """An input whose turn has not come yet is no less an input."""
    for name in ("a", "b"):
        (folder / name).mkdir()
    shutil.copy(FIXTURES / "hvc1.mp4", folder / "a/x.mp4")
    shutil.copy(FIXTURES / "hev1.mp4", folder / "b/x.mp4")
    expected = (folder / "b/x.mp4").read_bytes()
    run(APUS, "remux", folder / "a/x.mp4", folder / "b/x.mp4", "-o", folder / "b/", "--format", "mp4", "--on-exists",
        "replace", status=1)
    assert (folder / "b/x.mp4").read_bytes() == expected, "the second input was written over by the output of the first"


def test_what_a_playlist_names_is_an_input(folder):
    """What a playlist names is read, too."""
    run(APUS, "remux", FIXTURES / "hvc1.mp4", "-o", folder / "p.m3u8")
    segment = folder / "p/video-1/1.m4s"
    expected = segment.read_bytes()
    run(APUS, "remux", folder / "p.m3u8", "-o", segment, "--format", "mp4", "--on-exists", "replace", status=1)
    run(APUS, "transcode", folder / "p.m3u8", "-o", segment, "--format", "mp4", "--preset", "copy", "--on-exists",
        "replace", status=1)
    assert segment.read_bytes() == expected, "a segment that was read was written over"


def test_files_that_say_what_to_do_are_inputs(folder):
    """Files that say what to do are read, too."""
    (folder / "in").mkdir()
    (folder / "in/frame.json").write_text("[]")
    shutil.copy(FIXTURES / "photo.heic", folder / "photo.heic")
    frame, names = folder / "frame.json", folder / "photo.jpg"
    frame.write_text('{"images": ["jpeg"]}')
    names.write_text(f"{folder}/photo.heic\n")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for words in (["export", "-r", folder / "in", "-o", f"{folder}/", "--for", frame],
                  ["convert", "--files-from", names]):
        said = run(APUS, *words, "--on-exists", "replace", status=1)
        assert "is an input" in said and not any(path.read_bytes() != data for path, data in before.items()), \
            f"apus {words[0]}: what says what to do was written over: {said}"


@pytest.mark.parametrize("kind", ["link", "file"])
def test_the_record_next_to_a_part_is_written_over_nothing_and_through_no_link(folder, kind):
    """The record beside a part is written over nothing, and through no link."""
    victim = folder / "victim"
    victim.write_text("mine\n")
    record = folder / "out.mp4.part.job"
    record.symlink_to("victim") if kind == "link" else record.write_text("mine\n")
    told = run(APUS, "transcode", FIXTURES / "hvc1.mp4", "-o", folder / "out.mp4")
    assert victim.read_text() == "mine\n" and record.read_text() == "mine\n" and record.is_symlink() == (kind == "link"), \
        f"the record was written through a {kind}"
    assert "out.mp4.part.job" in told, f"nothing is said of the {kind} in the place of the record: {told}"
    assert (folder / "out.mp4").exists(), "the transcode was not made"
