# SPDX-License-Identifier: MIT
"""`apus inspect --samples` shows the slice headers that FFmpeg's trace_headers does, and `--at` names the sample, the NAL unit and the
field of a byte."""

import json
import sys

import jsonschema
import pytest

from programs import APUS, FFMPEG, FIXTURES, ROOT, SCHEMAS, completed, printed, run

sys.path.insert(0, str(ROOT / "Scripts/checking"))
import slices  # noqa: E402

VALIDATOR = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "inspect.schema.json").read_text()))
SOURCE = ["-f", "lavfi", "-i", "testsrc2=s=192x128:r=25:d=1"]
X264 = ["-c:v", "libx264", "-x264-params"]
X265 = ["-c:v", "libx265", "-x265-params"]
MOVIES = {
    "hevc.mp4": [*X265, "log-level=error:bframes=4:weightb=1:ref=4:slices=2:keyint=12", "-tag:v", "hvc1"],
    "hev1.mov": [*X265, "log-level=error:repeat-headers=1:open-gop=1:keyint=8:wpp=1", "-tag:v", "hev1"],
    "fragmented.mp4": [*X265, "log-level=error:keyint=5", "-movflags", "frag_keyframe+empty_moov", "-tag:v", "hvc1"],
    "avc.mp4": [*X264, "bframes=3:weightp=2:weightb=1:ref=5:slices=2"],
    "interlaced.mov": [*X264, "interlaced=1:bframes=2:keyint=10"],
    "baseline.mp4": ["-c:v", "libx264", "-profile:v", "baseline", "-x264-params", "ref=3"],
    "bare.265": [*X265, "log-level=error:aud=1:hash=1:repeat-headers=1"],
    "bare.264": [*X264, "aud=1:bframes=2"],
}


@pytest.fixture(scope="module")
def movies(work):
    for name, options in MOVIES.items():
        fade = ["-vf", "fade=in:0:20"]
        run(FFMPEG, *SOURCE, *fade, *options, "-pix_fmt", "yuv420p", name, cwd=work)
    return work


def listed(*options):
    answer = json.loads(printed(APUS, "inspect", "--json", *options))
    problems = [error.message for error in VALIDATOR.iter_errors(answer)]
    assert not problems, problems[0]
    return answer


@pytest.mark.parametrize("name", MOVIES)
def test_it_shows_the_slice_headers_that_ffmpeg_traces(movies, name):
    expected = slices.traced(movies / name, 0)
    found, failures = slices.shown(APUS, movies / name, [])
    assert len(found) == len(expected) >= 25 and not failures
    assert found == expected
    listed("--samples=1-3", movies / name)


def test_text_has_the_values_of_json(movies):
    text = printed(APUS, "inspect", "--samples=2", movies / "hevc.mp4")
    sample = listed("--samples=2", movies / "hevc.mp4")["samples"][0]
    assert text.startswith(f"track 1, sample 2 @{sample['offset']} +{sample['size']}")
    for unit in sample["nal_units"]:
        assert f"  {unit['type']} @{unit['offset']} +{unit['size']}" in text
        for field in unit["fields"]:
            if isinstance(field["value"], int) and field["name"] != "byte_alignment":
                assert f"    {field['name']} = {field['value']}\n" in text


@pytest.mark.parametrize("name, message", [
    ("bare.265", "decoded_picture_hash"), ("bare.264", "user_data_unregistered"), ("hev1.mov", "user_data_unregistered"),
])
def test_messages_are_named(movies, name, message):
    units = [unit for sample in listed("--samples=1", movies / name)["samples"] for unit in sample["nal_units"]]
    assert message in [found for unit in units for found in unit.get("messages", [])]
    assert message in printed(APUS, "inspect", "--samples=1", "--depth", "2", movies / name)


def test_times_and_keys_of_samples_are_those_of_ffprobe(movies):
    text = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags,pos,size",
                   "-of", "json", movies / "hevc.mp4")
    samples = listed("--samples", "--depth", "1", movies / "hevc.mp4")["samples"]
    packets = json.loads(text)["packets"]
    assert [(sample["time"], sample["offset"], sample["size"], sample["is_key"]) for sample in samples] == [
        (float(packet["pts_time"]), int(packet["pos"]), int(packet["size"]), "K" in packet["flags"]) for packet in packets]


@pytest.mark.parametrize("chosen, count", [
    ("3", 1), ("3-5", 3), ("0.2s-0.4s", 5), ("100ms", 1), ("24-99", 2), ("all", 25),
])
def test_samples_are_chosen_by_number_or_time(movies, chosen, count):
    samples = listed(f"--samples={chosen}", "--depth", "1", movies / "hevc.mp4")["samples"]
    assert len(samples) == count


@pytest.mark.parametrize("options, status", [
    (["--samples=0"], 2), (["--samples=5-3"], 2), (["--samples=x"], 2), (["--samples", "--at", "3"], 2), (["--track", "1"], 2),
    (["--samples=26"], 1), (["--samples", "--track", "7"], 1),
])
def test_other_choices_are_refused(movies, options, status):
    for json_too in ([], ["--json"]):
        assert completed(APUS, "inspect", *options, *json_too, movies / "hevc.mp4", status=status).stdout == b""


@pytest.mark.parametrize("name", ["hevc.mp4", "fragmented.mp4", "avc.mp4", "hev1.mov"])
def test_every_byte_of_the_first_headers_is_named(movies, name):
    """The byte at each field of a sample is that field, in that NAL unit of that sample."""
    for sample in listed("--samples=2-3", movies / name)["samples"]:
        for unit in sample["nal_units"]:
            field = [one for one in unit["fields"] if isinstance(one["value"], int)][-1]
            answer = listed("--at", field["offset"], movies / name)
            assert answer["data"]["sample"] == sample["sample"] and answer["data"]["offset"] == sample["offset"]
            assert answer["nal_unit"]["type"] == unit["type"] and answer["nal_unit"]["offset"] == unit["offset"]
            assert field in answer["fields"]
            length = listed("--at", unit["offset"] - 1, movies / name)
            assert length["fields"] == [
                {"name": "NALUnitLength", "value": unit["size"], "offset": unit["offset"] - 4, "bits": 32}]
            last = listed("--at", unit["offset"] + unit["size"] - 1, movies / name)
            assert last["nal_unit"]["offset"] == unit["offset"]


def test_emulation_prevention_bytes_are_named(movies):
    """In parameter sets of x265, zeros in the profile are followed by 3."""
    file = movies / "hevc.mp4"
    data = file.read_bytes()
    start = data.index(b"hvcC")
    place = data.index(b"\0\0\3", data.index(b"\x42\1\1", start)) + 2
    answer = listed("--at", place, file)
    assert answer["nal_unit"]["type"] == "SPS_NUT"
    assert answer["fields"] == [{"name": "emulation_prevention_three_byte", "value": 3, "offset": place, "bits": 8}]
    assert "SPS_NUT" in printed(APUS, "inspect", "--at", place + 1, file)


def test_bytes_of_parameter_sets_in_a_record_are_named(movies):
    file = movies / "hevc.mp4"
    data = file.read_bytes()
    start = data.index(b"\x42\1\1", data.index(b"hvcC"))
    text = printed(APUS, "inspect", "--at", start + 2, file)
    assert "hvcC" in text and f"SPS_NUT @{start}" in text
    assert "sps_max_sub_layers_minus1 = 0" in text and "sps_temporal_id_nesting_flag = 1" in text


def test_bytes_of_items_are_named():
    file = FIXTURES / "photo.heic"
    item = next(one for one in listed("--samples", file)["samples"] if "item" in one)
    unit = item["nal_units"][-1]
    answer = listed("--at", unit["fields"][-2]["offset"], file)
    assert answer["data"]["item"] == item["item"] and answer["data"]["item_type"] == "hvc1"
    assert answer["nal_unit"]["type"] == unit["type"] and unit["fields"][-2] in answer["fields"]


def test_bytes_of_bare_streams_are_named(movies):
    file = movies / "bare.265"
    picture = listed("--samples=2", file)["samples"][0]
    unit = picture["nal_units"][-1]
    answer = listed("--at", unit["offset"], file)
    assert answer["data"]["picture"] == 2 and answer["nal_unit"]["type"] == unit["type"] and "path" not in answer
    assert "start code" in listed("--at", picture["nal_units"][0]["offset"] - 1, file)["note"]


def test_encrypted_samples_are_not_read():
    """Which of its bytes are encrypted depends on the scheme."""
    file = FIXTURES / "cenc.mp4"
    sample = listed("--samples=1", "--track", "1", file)["samples"][0]
    assert "is encrypted" in sample["failure"] and sample["nal_units"] == []
    answer = listed("--at", sample["offset"], file)
    assert answer["data"]["sample"] == 1 and "encrypted" in answer["note"]
    completed(APUS, "inspect", "--samples", file, status=1)


def test_bytes_that_no_sample_uses_say_so(movies):
    data = (movies / "hevc.mp4").read_bytes()
    file = movies / "unused.mp4"
    file.write_bytes(data + b"\0\0\0\x10mdat" + bytes(8))
    assert listed("--at", len(data) + 10, file)["note"] == "no sample and no item uses this byte"
    assert "no sample" in printed(APUS, "inspect", "--at", len(data) + 10, file)
