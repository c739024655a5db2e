# SPDX-License-Identifier: MIT
"""What a current FFmpeg says of a file: the description that it prints of an input, and the packets that it reads."""

import re
import subprocess

from programs import FFMPEG

CHANNELS = {"mono": 1, "stereo": 2, "downmix": 2, "2.1": 3, "3.0": 3, "4.0": 4, "quad": 4, "5.0": 5, "5.1": 6, "6.1": 7,
            "7.1": 8}  # fmt: skip
STREAM = re.compile(r" +Stream(?: group)? #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\((\w+)\))?: (Tile Grid|Video|Audio): (.*)")
NO_TIME = -(1 << 63)
PAIR = re.compile(r"( *)([^:]*?) *: ?(.*)")


def parts(text):
    """A description by its commas, those in brackets aside."""
    return re.split(r", (?![^(\[]*[)\]])", text)


def ratio(text):
    over, under = map(int, text.split(":"))
    return over / under if under else 1


def video(words, side):
    facts = {"kind": "vide", "aspect": 1.0}
    for word in words:
        if size := re.match(r"(\d+)x(\d+)\b", word):
            facts["size"] = tuple(map(int, size.groups()))
        if aspect := re.search(r"\bSAR (\d+:\d+)", word):
            facts["aspect"] = ratio(aspect[1])
        if rate := re.fullmatch(r"([\d.]+)(k?) fps", word):
            facts["frame_rate"] = float(rate[1]) * (1000 if rate[2] else 1)
    pixels, _, meaning = words[1].rstrip(")").partition("(")
    if pixels != "none":
        facts["pixels"] = pixels.split(" ")[0]
    for word in parts(meaning):
        if word in ("tv", "pc"):
            facts["full_range"] = word == "pc"
        elif word in ("progressive", "top first", "bottom first", "top coded first (swapped)"):
            facts["field_order"] = word
        elif word:
            names = word.split("/")
            facts["matrix"], facts["primaries"], facts["transfer"] = names if len(names) == 3 else names * 3
    if "Display Matrix" in side:
        facts["turned"] = -float(re.search(r"rotation of (\S+) degrees", side["Display Matrix"])[1]) % 360
    if "DOVI configuration record" in side:
        found = re.search(r"profile: (\d+), level: (\d+), .*compatibility id: (\d+)", side["DOVI configuration record"])
        facts["dolby_vision"] = tuple(map(int, found.groups()))
    return facts


def audio(words):
    facts = {"kind": "soun"}
    for word in words[1:]:
        if rate := re.fullmatch(r"(\d+) Hz", word):
            facts["sample_rate"] = float(rate[1])
        layout = word.split("(")[0]
        if layout in CHANNELS:
            facts["channels"] = CHANNELS[layout]
        elif count := re.fullmatch(r"(\d+) channels.*", word):
            facts["channels"] = int(count[1])
    return facts


def light(text):
    """Mastering and light values, of a container or of a first picture."""
    facts = {}
    if found := re.search(r"min_luminance=([\d.]+), max_luminance=([\d.]+)", text):
        facts["mastering"] = tuple(map(float, found.groups()))
    if found := re.search(r"MaxCLL=(\d+), MaxFALL=(\d+)", text):
        facts["light"] = tuple(map(int, found.groups()))
    return facts


def stream(line, side, tags):
    index, language, kind, text = line
    dispositions = set()
    while ended := re.fullmatch(r"(.*) \(([a-z ]+)\)", text):
        text = ended[1]
        dispositions.add(ended[2])
    words = parts(text)
    facts = audio(words) if kind == "Audio" else video(words, side) | light(" ".join(f"{k}: {v}" for k, v in side.items()))
    names = re.findall(r"\(([^()]*)\)", words[0])
    profile = [name for name in names if " / 0x" not in name and not name.startswith("lib")]
    return facts | {
        "index": int(index), "codec": words[0].split(" ")[0], "profile": profile[-1] if profile else None, "language": language or "und",
        "dispositions": dispositions, "tags": tags}


def described(text):
    """The parts of a description: format, duration, tags, chapters and streams."""
    found = {"format": None, "duration": None, "tags": {}, "chapters": [], "streams": []}
    tags, side, key = found["tags"], {}, None
    section, grid = None, False
    pending = []
    for line in text.splitlines():
        if line.startswith("Input #0, "):
            found["format"] = line[10:].rpartition(", from ")[0]
        elif line.startswith(("Output #", "Stream mapping", "At least one output")):
            break
        elif found["format"] is None or line.startswith("["):
            continue
        elif length := re.match(r"  Duration: (?:(\d+):(\d+):([\d.]+)|N/A)", line):
            if length[1]:
                found["duration"] = int(length[1]) * 3600 + int(length[2]) * 60 + float(length[3])
        elif chapter := re.match(r"    Chapter #0:\d+: start ([-\d.]+), end ", line):
            tags = {}
            found["chapters"].append((float(chapter[1]), tags))
        elif re.match(r" +(Stream|Program|Submix|IAMF)\b", line):
            tags, side = {}, {}
            # What belongs to a grid is no picture by itself.
            is_grid = line.startswith("    ") and grid
            if not line.startswith("    "):
                grid = "Tile Grid" in line
            if not is_grid and (found_stream := STREAM.match(line)):
                pending.append((found_stream.groups(), side, tags))
        elif line.strip() in ("Metadata:", "Side data:"):
            section = side if line.strip() == "Side data:" else tags
        elif section is not None and (pair := PAIR.match(line)):
            if pair[2]:
                key = pair[2]
                section[key] = pair[3]
            elif key in section:
                section[key] += "\n" + pair[3]
    found["streams"] = sorted((stream(*item) for item in pending), key=lambda facts: facts["index"])
    return found


def ffmpeg(file):
    """Everything that is known of a file without decoding it; None where it cannot be opened.

    Packets are counted as they are in the file: those before the first key frame, too, and those that an edit list hides."""
    done = subprocess.run(
        [FFMPEG, "-hide_banner", "-loglevel", "info", "-i", file, "-map", "0:v?", "-map", "0:a?", "-c", "copy", "-copyinkf",
         "-copypriorss", "1", "-copyts", "-f", "framecrc", "-"],
        stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=240)
    found = described(done.stderr.decode(errors="replace"))
    if found["format"] is None:
        return None
    clocks, packets = {}, {}
    for line in done.stdout.decode().splitlines():
        if clock := re.match(r"#tb (\d+): (\d+)/(\d+)", line):
            clocks[int(clock[1])] = int(clock[2]) / int(clock[3])
        elif not line.startswith("#"):
            index, _, time, duration, size, _, *flags = [field.strip() for field in line.split(",")]
            is_key = not flags or not flags[0].startswith("F=") or int(flags[0][2:], 16) & 1 == 1
            # Nothing is in what FFmpeg makes of some headers.
            if int(size) > 0:
                packets.setdefault(int(index), []).append((int(time), int(duration), int(size), is_key))
    ordered = [facts for kind in ("vide", "soun") for facts in found["streams"] if facts["kind"] == kind]
    for index, facts in enumerate(ordered):
        listed = packets.get(index, [])
        if done.returncode or not listed:
            continue
        facts["samples"] = len(listed)
        facts["bytes"] = sum(size for _, _, size, _ in listed)
        begin = min(time for time, *_ in listed)
        if begin > NO_TIME:
            facts["duration"] = (max(time + duration for time, duration, *_ in listed) - begin) * clocks[index]
        if facts["kind"] == "vide":
            facts["key_frames"] = sum(key for *_, key in listed)
    return found


def light_of_pictures(file):
    """Mastering and light values of the first picture, wherever they are."""
    done = subprocess.run(
        [FFMPEG, "-hide_banner", "-loglevel", "info", "-i", file, "-map", "0:v:0", "-frames:v", "1", "-vf", "showinfo", "-f",
         "null", "-"],
        stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=240)
    return light(done.stderr.decode(errors="replace"))
