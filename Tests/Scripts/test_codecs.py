# SPDX-License-Identifier: MIT
"""What `apus codecs` says is what FFmpeg and x265 say, claims are tried out, and `apus info --measure` decodes."""

import json
import re
import time

import jsonschema
import pytest

from programs import APUS, SCHEMAS, completed, ffmpeg, printed, run, same

SCHEMA = json.loads((SCHEMAS / "codecs.schema.json").read_text())

# Of an array the type of its values stands in brackets.
OPTION = re.compile(r"^  -(\S+)\s+(\[?)<(\w+)>\s*\]?\s*((?:E|\.D)\S*)")
CONSTANT = re.compile(r"^     (\S+)\s+(-?\d+\s+)?(?:E|\.D)")
BOUNDS = re.compile(r"\(from (\S+) to (\S+)\)")
STANDARD = re.compile(r"\(default (.*)\)$")
KINDS = {"string": "text", "boolean": "flag", "float": "number", "double": "number", "int": "integer",
         "int64": "integer", "flags": "flags", "rational": "fraction", "dictionary": "text", "image_size": "text",
         "array": "other", "unsigned": "integer"}
QUIET = "log-level=none"


def codecs(*options):
    answer = json.loads(printed(APUS, "codecs", "--json", *options))
    jsonschema.validate(answer, SCHEMA)
    return answer


def ffmpeg_says(role, name):
    """Forms of samples, and options with kind, bounds, standard value and names of values."""
    formats, options = [], {}
    for line in printed("ffmpeg", "-v", "error", "-h", f"{role}={name}").splitlines():
        if found := re.search("Supported (?:pixel|sample) formats: (.*)", line):
            formats = found[1].split()
        if found := OPTION.match(line):
            # Deprecated ones are left out, and those that are only read.
            last = None if found[4].endswith("P") or found[4][7:8] == "R" else found[1]
            if not last:
                continue
            bounds, standard = BOUNDS.search(line), STANDARD.search(line)
            kind = "array" if found[2] else found[3]
            options[last] = (kind, bounds and bounds.groups(), standard and standard[1].strip('"'), [])
        elif (found := CONSTANT.match(line)) and last:
            options[last][3].append(found[1])
    return formats, options


def check_libavcodec(role, facts):
    formats, options = ffmpeg_says(role, facts["id"])
    same(f"{facts['id']}: samples", formats, facts.get("pixel_formats", []) + facts.get("sample_formats", []))
    found = {option["name"]: option for option in facts["properties"]}
    same(f"{role} {facts['id']}: options", sorted(options), sorted(found))
    for name, (kind, bounds, standard, choices) in options.items():
        option, what = found[name], f"{facts['id']}: {name}"
        same(f"{what}: choices", choices, option.get("choices", []))
        same(f"{what}: type", "choice" if choices and kind == "int" else KINDS[kind], option["type"])
        for bound, key in zip(bounds or [], ["minimum", "maximum"]):
            wanted = None if "_M" in bound else float(bound)
            same(f"{what}: {key}", wanted, float(option[key]) if key in option else None)
        if kind == "boolean" or standard and not choices and re.fullmatch(r"-?[\d.]+", standard):
            wanted = None if standard == "auto" else standard
            same(f"{what}: standard value", wanted, option.get("default"))
    return len(options)


def test_properties_of_x265_are_those_that_it_writes_and_lists(everything, folder):
    """Against the settings that the library writes into its streams, and its own command's help."""
    (facts,) = (encoder for encoder in everything["encoders"] if encoder["id"] == "libx265")
    stream = folder / "settings.hevc"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.2", "-c:v", "libx265",
        "-x265-params", "log-level=error", stream)
    said = re.search(rb"options: ([ -~]+)", stream.read_bytes())[1].decode().split()
    values = dict(word.split("=", 1) for word in said if "=" in word)
    # The stream has it as a share of 1.
    values.pop("scenecut-bias", None)
    compared = 0
    for option in facts["properties"]:
        name, standard = option["name"], option.get("default")
        # What the picture's size, the machine and ffmpeg decide.
        if name in ("wpp", "selective-sao", "frame-threads", "ctu", "max-tu-size", "lookahead-slices", "min-keyint", "qg-size",
                    "slices"):
            continue
        if option["type"] == "flag":
            if name in said or f"no-{name}" in said:
                same(f"libx265: {name}", "true" if name in said else "false", standard)
                compared += 1
        elif name in values and re.fullmatch(r"-?[\d.]+", values[name]) and option["type"] != "choice":
            same(f"libx265: {name}", float(values[name].rstrip(".")), float(standard))
            compared += 1
    same(f"libx265: {compared} settings compared, enough", True, compared > 60)
    help_text = run("x265", "--fullhelp", status=1)
    named = set(re.findall(r"--(?:\[no-\])?([a-z0-9-]+)", help_text))
    unknown = [option["name"] for option in facts["properties"] if option["name"] not in named]
    same("libx265: settings that its command does not know", [], unknown)
    for name, bounds in re.findall(r"--(?:\[no-\])?([a-z0-9-]+) <(-?[\d.]+\.\.[\d.]+)>", help_text):
        option = next((option for option in facts["properties"] if option["name"] == name), None)
        if option and "maximum" in option:
            least, greatest = re.fullmatch(r"(-?[\d.]+?)\.\.([\d.]+)", bounds).groups()
            same(f"libx265: {name}", (float(least), float(greatest)), (float(option["minimum"]), float(option["maximum"])))


@pytest.fixture(scope="module")
def everything():
    return codecs("--codec", "hevc,h264,av1,aac,flac")


def test_encoders_and_decoders_have_the_options_that_ffmpeg_lists(everything):
    facts = {encoder["id"]: encoder for encoder in everything["encoders"]}
    same("encoders", {"libx264", "libx265", "aac"}, {"libx264", "libx265", "aac"} & set(facts))
    same("libx265: bits", [8, 10, 12], facts["libx265"]["bit_depths"])
    for role in ("encoder", "decoder"):
        for codec in everything[f"{role}s"]:
            if codec["library"].startswith("libavcodec"):
                check_libavcodec(role, codec)


def test_a_lookup_finds_what_is_asked_for():
    software = codecs("--require", "software")
    same("--require software", {False}, {encoder["hardware"] for encoder in software["encoders"]})
    same("--codec hevc", {"hevc"}, {encoder["codec"] for encoder in codecs("--codec", "hevc")["encoders"]})
    order = [encoder["codec"] for encoder in codecs("--codec", "aac,hevc")["encoders"]]
    same("--codec aac,hevc: order", ["aac", "hevc"], list(dict.fromkeys(order)))


@pytest.mark.parametrize("words", [["--codec", "nothing"], ["nothing"], ["--size", "65000x65000"]])
def test_a_lookup_that_finds_nothing_ends_with_1(words):
    run(APUS, "codecs", *words, status=1)


def test_hardware_that_is_missing_is_reported_or_replaced(everything):
    if not any(encoder["hardware"] for encoder in everything["encoders"]):
        said = run(APUS, "codecs", "--codec", "hevc", "--require", "hardware", status=4)
        same("--require hardware: reason", True, "hevc_vaapi finds no vaapi device" in said)
        preferred = codecs("--codec", "hevc", "--prefer", "hardware")
        same("--prefer hardware", ("libx265", True), (preferred["encoders"][0]["id"], preferred["fell_back"]))


def test_a_job_without_its_hardware_ends_with_4_or_is_done_in_software(everything, folder):
    if any(encoder["hardware"] for encoder in everything["encoders"]):
        return
    clip, target = folder / "clip.mp4", folder / "coded.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.2", "-c:v", "libx264", clip)
    for words in (["transcode", clip, "-o", target], ["transcode", clip, "-o", folder / "coded.m3u8", "--ladder", "auto"],
                  ["stream", clip, "rtmp://127.0.0.1:1/live/key", "--encode", "hevc"]):
        said = run(APUS, *words, "--require", "hardware", status=4)
        assert "there is no hardware encoder of hevc" in said and "hevc_vaapi finds no vaapi device" in said, said
    same("what is left", ["clip.mp4"], sorted(path.name for path in folder.iterdir()))
    said = run(APUS, "transcode", clip, "-o", target, "--prefer", "hardware")
    assert "AVC video is encoded in software, because no encoder in hardware works here" in said, said
    said = run(APUS, "transcode", clip, "-o", target, "--require", "hardware", "--tune", "grain", status=2)
    assert "--tune is for encoders in software" in said


def test_encoders_are_named_where_ffmpeg_encodes_on_the_device():
    """That a device opens does not say what it codes: encoders are named where FFmpeg's own command encodes on it."""
    answer = codecs("--codec", "all")
    named = {encoder["id"] for encoder in answer["encoders"]}
    reasons = {refusal["id"]: refusal["reason"] for refusal in answer["unavailable"] if refusal["role"] == "encoder"}
    checked = 0
    for name, kind in re.findall(r"^ V\S+ (\w+_(vaapi|vulkan)) ", printed("ffmpeg", "-v", "error", "-encoders"), re.M):
        done = completed("ffmpeg", "-v", "error", "-init_hw_device", kind, "-f", "lavfi", "-i", "testsrc2=s=1920x1080:d=0.1",
                         "-vf", "format=nv12,hwupload", "-c:v", name, "-f", "null", "-", status=None, text=True)
        same(f"{name}: named", done.returncode == 0, name in named)
        if found := re.match(r"does not open: .*\((.+)\)$", reasons.get(name, "")):
            same(f"{name}: {found[1]} is what FFmpeg says", True, found[1] in done.stderr)
        checked += 1
    same(f"{checked} encoders of devices, some", True, checked > 3)


ORDERS = ["hevc,h264", "h264,hevc"]


@pytest.mark.parametrize("wanted", ORDERS)
def test_a_job_takes_what_the_lookup_names_first(folder, wanted):
    clip = folder / "clip.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=128x96:d=0.2", "-c:v", "libx264", clip)
    first = codecs("--codec", wanted, "--require", "software")["encoders"][0]
    target = folder / "coded.mp4"
    report = printed(APUS, "transcode", "--quiet", "--json", clip, "-o", target, "--codec", wanted)
    encoder = json.loads(report.splitlines()[-1])["coded"][0]["encoder"]
    same(f"transcode --codec {wanted}", first["id"], encoder.split()[0])


def test_claims_that_are_tried_out_are_true():
    answer = codecs("--verify", "--codec", "hevc,h264,av1,aac")
    for role in ("encoders", "decoders"):
        for codec in answer[role]:
            for trial in codec["verified"] if "verified" in codec else []:
                same(f"{codec['id']} {trial}", (True, []), (trial["true"], trial["failures"]))
    tried = {encoder["id"]: encoder["verified"] for encoder in answer["encoders"]}
    for name, wanted in [
        ("libx265", {("yuv420p", "Main"), ("yuv420p10le", "Main 10"), ("yuv444p12le", "Main 4:4:4 12"),
                     ("gray", "Monochrome"), ("yuv422p10le", "Main 4:2:2 10 Intra"), ("yuv420p", "Main Still Picture")}),
        ("libx264", {("yuv420p", "High"), ("yuv420p", "Constrained Baseline"), ("yuv422p10le", "High 4:2:2")}),
    ]:
        seen = {(trial["samples"], trial.get("observed_profile")) for trial in tried[name]}
        same(f"{name}: what was tried", wanted, wanted & seen)
    same("libx265: checksums", {True}, {trial["checksums"] for trial in tried["libx265"]})


def test_other_codecs_are_not_tried_and_the_reason_is_given():
    """Other codecs are not tried, and the reason is given."""
    answer = codecs("--codec", "flac,mjpeg", "--verify")
    for role in ("encoders", "decoders"):
        same(f"--codec flac,mjpeg: {role}, some", True, bool(answer[role]))
        for codec in answer[role]:
            same(f"{codec['id']}: not tried", ([], 1), (codec["verified"], len(codec["not_tried"])))


def measured_by_info(file):
    start = time.monotonic()
    answer = json.loads(printed(APUS, "info", "--measure", "--json", file))["measured"]
    # Two seconds a track, and what a busy machine adds.
    same(f"{file.name}: in time", True, time.monotonic() - start < 10 * max(1, len(answer)))
    return answer


def test_info_measures_by_decoding(folder):
    movie = folder / "movie.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x96:d=4", "-f", "lavfi", "-i", "sine=d=4",
        "-c:v", "libx265", "-x265-params", "log-level=error", "-tag:v", "hvc1", "-c:a", "aac", movie)
    same("measured", [("HEVC video", "yes", "yes"), ("AAC audio", "yes", "yes")],
         [(track["track"], track["decodable"], track["real_time"]) for track in measured_by_info(movie)])
    matroska = folder / "movie.mkv"
    ffmpeg("-i", movie, "-c", "copy", matroska)
    same("measured, Matroska", ["yes", "yes"], [track["decodable"] for track in measured_by_info(matroska)])
    short = folder / "short.mp4"
    ffmpeg("-i", movie, "-t", "0.2", "-an", "-c", "copy", short)
    same("measured, too short", [("yes", "unmeasured")],
         [(track["decodable"], track["real_time"]) for track in measured_by_info(short)])
    # A thousand pictures of noise a second.
    heavy = folder / "heavy.mp4"
    ffmpeg("-f", "lavfi", "-i", "nullsrc=s=4096x2304:r=1000:d=0.03,noise=alls=100:allf=t",
        "-c:v", "libx264", "-preset", "ultrafast", "-qp", "8", heavy)
    track = measured_by_info(heavy)[0]
    same("measured, too heavy", ("yes", "no"), (track["decodable"], track["real_time"]))
    # Pictures without their slices.
    broken = bytearray(movie.read_bytes())
    start = broken.index(b"mdat") + 4
    broken[start + 64 : start + 20000] = bytes(20000 - 64)
    damaged = folder / "damaged.mp4"
    damaged.write_bytes(broken)
    track = measured_by_info(damaged)[0]
    same("measured, broken", ("no", True), (track["decodable"], bool(track["reason"])))
