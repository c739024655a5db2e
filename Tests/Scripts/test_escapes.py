# SPDX-License-Identifier: MIT
"""No text of a file, no name and no word of a peer reaches a terminal raw: control characters, C1, line ends and marks of
writing direction are escaped by every verb, and JSON stays valid."""

import contextlib
import json
import pathlib
import re
import shutil
import signal
import struct
import threading

import pytest

import programs
import rtmp
from programs import APUS, FIXTURES, completed, finished, run, until

# A title for the terminal, a colour, a line that is forged, C1, and text that is turned around.
EVIL = "a\x1b]0;owned\x07\x1b[31m\r\nforged\u009b31m\u202egnp\u2066x\u2028y\u200f\x7f"
BYTES = EVIL.encode()
RAW = {*range(0x00, 0x09), *range(0x0b, 0x20), *range(0x7f, 0xa0), 0x061c, 0x200e, 0x200f, *range(0x2028, 0x202f),
       *range(0x2066, 0x206a)}


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I", len(body) + 8) + (name if isinstance(name, bytes) else name.encode("latin-1")) + body


def number(value):
    return struct.pack(">I", value)


def amf(value):
    if isinstance(value, float):
        return b"\0" + struct.pack(">d", value)
    if isinstance(value, bytes):
        return b"\2" + struct.pack(">H", len(value)) + value
    pairs = b"".join(struct.pack(">H", len(name)) + name + amf(item) for name, item in value.items())
    return b"\x08" + number(len(value)) + pairs + b"\0\0\x09"


def tag(kind, body, time=0):
    head = bytes([kind]) + number(len(body))[1:] + number(time)[1:] + b"\0\0\0\0"
    return head + body + number(len(head) + len(body))


def flash(work):
    header = b"FLV\x01\x05" + number(9) + number(0)
    rest = (FIXTURES / "enhanced.flv").read_bytes()[13:]
    metadata = tag(18, amf(b"onMetaData") + amf({BYTES: BYTES, b"encoder": BYTES, b"width": 1.0}))
    named = tag(18, amf(BYTES) + b"\x13\x13")
    unread = tag(18, amf(BYTES) + amf({BYTES: BYTES})[:-9])
    (work / "evil.flv").write_bytes(header + metadata + named + unread + rest)


def inserted(moov, *added):
    return struct.pack(">I", len(moov) + sum(map(len, added))) + moov[4:] + b"".join(added)


def movie(work):
    """Boxes of evil types, names of handlers, metadata in three forms, chapters, languages and titles."""
    data = (FIXTURES / "hvc1.mp4").read_bytes()
    text = box("data", number(1), number(0), BYTES)
    tags = box("ilst", *[box(bytes([0xa9]) + name, text) for name in (b"nam", b"ART", b"cmt", b"too")])
    mdir = box("hdlr", number(0), number(0), b"mdir", bytes(12), BYTES + b"\0")
    keys = box("keys", number(0), number(1), box("mdta", BYTES))
    keyed = box("meta", box("hdlr", number(0), number(0), b"mdta", bytes(12), BYTES + b"\0"), keys,
                box("ilst", box(number(1), text)))
    chapters = box("chpl", bytes(8), b"\x01", struct.pack(">Q", 0), bytes([len(BYTES)]), BYTES)
    user = box("udta", box("meta", number(0), mdir, tags), chapters,
               box(bytes([0xa9]) + b"nam", struct.pack(">HH", len(BYTES), 0), BYTES))
    place = data.index(b"moov") - 4
    size = struct.unpack_from(">I", data, place)[0]
    moov = data[place:place + size]
    # Language letters below "a" are controls; a handler's name without its zero is the rest of the box.
    moov = inserted(moov, user, keyed, box(b"\x1b[3m", BYTES), box("free", BYTES))
    evil = data[:place] + moov + data[place + size:]
    assert data.index(b"mdat") <= place, "the fixture has its media data after its tables"
    (work / "evil.mp4").write_bytes(evil)
    ftyp = struct.unpack_from(">I", data, 0)[0]
    brands = box("ftyp", b"\x1b[1m", number(0), b"isom", b"\x9b31m", b"hvc1")
    (work / "brands.mp4").write_bytes(brands + data[ftyp:])
    # Names of handlers that are as long as they were.
    named = data
    for name in (b"VideoHandler", b"SoundHandler"):
        named = named.replace(name, b"\x1b[31m\r\n\xc2\x9b1m\x07")
    (work / "handler.mp4").write_bytes(named)
    (work / "types.mp4").write_bytes(data.replace(b"hvc1", b"\x1b[3m").replace(b"vide", b"\x9bz\x07\n"))
    (work / "languages.mp4").write_bytes(data.replace(b"\x55\xc4", b"\x00\x00"))


def photo(work):
    """Names of items, Exif, XMP and auxiliary types."""
    data = (FIXTURES / "photo.heic").read_bytes()
    (work / "evil.heic").write_bytes(data.replace(b"hvc1", b"\x1b[3m", 1))
    (work / "plain.heic").write_bytes(data)
    xmp = ('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
           f'<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="{EVIL}"><dc:title>{EVIL}</dc:title>'
           "</rdf:Description></rdf:RDF></x:xmpmeta>").encode()
    (work / "evil.xmp").write_bytes(xmp)
    exif = b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", 2)
    exif += struct.pack("<HHII", 0x010f, 2, len(BYTES) + 1, 38) + struct.pack("<HHII", 0x0110, 2, len(BYTES) + 1, 38)
    exif += struct.pack("<I", 0) + BYTES + b"\0"
    jpeg = completed(APUS, "convert", work / "plain.heic", "-o", "-", "--format", "jpeg").stdout
    segments = b"".join(b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body for body in (
        b"Exif\0\0" + exif, b"http://ns.adobe.com/xap/1.0/\0" + xmp))
    comment = b"\xff\xfe" + struct.pack(">H", len(BYTES) + 2) + BYTES
    (work / "evil.jpg").write_bytes(jpeg[:2] + segments + comment + jpeg[2:])
    run(APUS, "convert", work / "evil.jpg", "-o", work / "made.heic")
    assert (work / "made.heic").read_bytes().count(b"\x1b]0;owned") >= 3, "the Exif and XMP of a HEIC hold no evil text"
    items(work)
    for name, evil in (("aux", b"urn:mpeg:hevc:2015:auxid:1"), ("gain", b"urn:com:apple:photo:2020:aux:hdrgainmap")):
        for fixture in FIXTURES.glob("*.heic"):
            old = fixture.read_bytes()
            if evil in old:
                text = (BYTES + bytes(len(evil)))[:len(evil)]
                (work / f"{name}.heic").write_bytes(old.replace(evil, text))
                break


# Files that differ from others in their items alone, and the verbs that look at items.
ITEMS = {f"{name}.heic" for name in ("named", "mime", "kind", "grid", "references", "groups")}
PHOTO_VERBS = {"inspect", "info", "extract", "convert", "thumbnail", "export"}


def items(work):
    """Items with evil names, types and forms of content, one of each kind."""
    listing = run(APUS, "inspect", "--path", "meta/iinf", "--full", FIXTURES / "photo.heic")
    count, mime = listing.count("item_name"), listing[:listing.index("content_type")].count("item_name") - 1
    named = [f"--set=meta/iinf/infe[{index}]/item_name={EVIL}" for index in range(count)]
    run(APUS, "edit", FIXTURES / "photo.heic", *named, "-o", work / "named.heic")
    run(APUS, "edit", FIXTURES / "photo.heic", f"--set=meta/iinf/infe[{mime}]/content_type={EVIL}", "-o",
        work / "mime.heic")
    assert (work / "named.heic").read_bytes().count(BYTES) == count and BYTES in (work / "mime.heic").read_bytes(), \
        "the items have no evil names"
    for name, kind in (("kind", b"Exif"), ("grid", b"grid")):
        data = (FIXTURES / "photo.heic").read_bytes()
        (work / f"{name}.heic").write_bytes(data.replace(kind, b"\x1b[3\x9b", 1))
    for name, kind in (("references", b"cdsc"), ("groups", b"brst")):
        for fixture in sorted(FIXTURES.glob("*.heic")):
            if kind in fixture.read_bytes():
                (work / f"{name}.heic").write_bytes(fixture.read_bytes().replace(kind, b"\x1b[3\x9b"))
                break


def playlists(work):
    run(APUS, "remux", FIXTURES / "hvc1.mp4", "-o", work / "p.m3u8")
    name = EVIL.replace("\r", "").replace("\n", "").replace("\u2028", "")
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", f'#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="{name}",LANGUAGE="{name}",'
             f'DEFAULT=YES,URI="p/audio-1/index.m3u8"', f'#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="{name}",AUDIO="a"',
             "p/video-1/index.m3u8", '#EXT-X-STREAM-INF:BANDWIDTH=1', f"{name}.m3u8"]
    (work / "evil.m3u8").write_text("\n".join(lines) + "\n")
    (work / "gone.m3u8").write_text(f"#EXTM3U\n#EXTINF:1,{name}\n{name}.ts\n#EXT-X-ENDLIST\n")
    (work / "key.m3u8").write_text(f'#EXTM3U\n#EXT-X-KEY:METHOD={name},URI="{name}"\n#EXTINF:1,\nx.ts\n')


def verbs(name):
    """What is done with a file, of whatever kind."""
    return [["inspect", name], ["inspect", "--full", name], ["inspect", "--hex", name], ["inspect", "--at", "60", name],
            ["info", name], ["info", "--gop", name], ["info", "--measure", name], ["hvcc", "check", name],
            ["hvcc", "show", name], ["hvcc", "diff", name, "plain.heic"], ["hvcc", "fix", name, "--dry-run"],
            ["hvcc", "build", name, "-o", "OUT.bin"], ["flv", "show", name], ["flv", "check", name],
            ["flv", "convert", name, "-o", "OUT.flv", "-v"], ["extract", "--list", name],
            ["extract", "--role", "all", name, "-o", "OUT/", "-v"], ["extract", "--track", "1", name, "-o", "OUT/", "-v"],
            ["convert", name, "-o", "OUT.jpg", "-v"], ["convert", name, "-o", "OUT.heic", "-v"],
            ["convert", "--dry-run", "-v", name], ["convert", "--dry-run", name],
            ["convert", "--dry-run", "--remove-source", name],
            ["convert", name, "-o", "OUT.jpg", "--verify", "-v"], ["thumbnail", name, "-o", "OUT.jpg", "-v"],
            ["thumbnail", name, "-o", "OUT.jpg", "--dry-run"], ["extract", name, "--role", "all", "-o", "OUT/", "--dry-run"],
            ["remux", name, "-o", "OUT.mp4", "-v"],
            ["remux", name, "-o", "OUT.mov", "-v"], ["remux", name, "-o", "OUT.flv", "-v"],
            ["remux", name, "-o", "OUT.m3u8", "-v"], ["remux", name, "-o", "OUT.mp4", "--dry-run", "-v"],
            ["transcode", name, "-o", "OUT.mp4", "--preset", "copy", "-v"], ["edit", name, "-o", "OUT.bin", "-v"],
            ["edit", name, "--set", "moov/nothing=1", "--dry-run"], ["edit", name, "--remove", "moov/udta", "--dry-run"],
            ["export", "--dry-run", "-o", "OUT/", name], ["export", "-o", "OUT/", name, "-v"]]


JSON = {"inspect", "info", "hvcc check", "hvcc show", "flv show", "flv check", "extract", "convert", "thumbnail", "remux",
        "transcode", "export", "doctor"}


def escaped(what, text):
    for line in text.split("\n"):
        found = sorted({ord(letter) for letter in line} & RAW)
        assert not found, f"{what}: raw {', '.join(f'U+{code:04X}' for code in found)} in {line!r}"


def clean(work, words, json_too=True):
    for more in ([], ["--json"]):
        name = " ".join(words[:2]) if words[0] in ("hvcc", "flv") else words[0]
        if more and (name not in JSON or not json_too or "OUT.m3u8" in words and name == "transcode"):
            continue
        for output in list(work.glob("OUT*")):
            shutil.rmtree(output) if output.is_dir() else output.unlink()
        done = completed(APUS, *words, *more, cwd=work, status=None, seconds=240)
        what = f"apus {' '.join(map(str, [*words, *more]))}"
        assert done.returncode >= 0 and done.returncode <= 4, f"{what}: status {done.returncode}"
        errors = done.stderr.decode(errors="surrogateescape")
        escaped(what, errors)
        output = done.stdout.decode(errors="surrogateescape")
        escaped(what, output)
        if more and output.strip():
            decoder, rest = json.JSONDecoder(), output.strip()
            while rest:
                try:
                    _, end = decoder.raw_decode(rest)
                except json.JSONDecodeError as error:
                    raise AssertionError(f"{what}: {error} in {rest[:200]!r}") from error
                rest = rest[end:].strip()


NAMES = [
    "aux.heic", "brands.mp4", "evil.flv", "evil.heic", "evil.jpg", "evil.m3u8", "evil.mp4", "gain.heic", "gone.m3u8",
    "handler.mp4", "key.m3u8", "languages.mp4", "made.heic", "p.m3u8", "plain.heic", "types.mp4", *sorted(ITEMS),
]  # fmt: skip


@pytest.fixture(scope="module")
def files(work):
    """A folder of files with evil text."""
    for build in (flash, photo, movie, playlists):
        build(work)
    return work


@pytest.mark.parametrize("name", NAMES)
def test_no_verb_prints_text_of_a_file_raw(files, name):
    for words in verbs(name):
        if name not in ITEMS or words[0] in PHOTO_VERBS:
            clean(files, words)


def test_every_file_has_a_case(files):
    made = {file.name for file in files.iterdir() if file.is_file() and file.suffix != ".xmp"}
    assert {name for name in made if not name.startswith("OUT")} == set(NAMES)


@pytest.mark.parametrize("file", ["photo.heic", "hvc1.mp4", "enhanced.flv"])
def test_no_verb_prints_the_name_of_a_file_raw(folder, file):
    shutil.copy(FIXTURES / "photo.heic", folder / "plain.heic")
    name = EVIL.replace("/", "") + pathlib.Path(file).suffix
    shutil.copy(FIXTURES / file, folder / name)
    for words in verbs(name):
        clean(folder, words)
        clean(folder, [*words[:-1], words[-1] + EVIL], json_too=False)


@pytest.mark.parametrize("words", [
    [EVIL], ["help", EVIL], ["remux", "--" + EVIL], ["remux", "--format", EVIL, "x"], ["flv", EVIL],
    ["convert", "--limit", EVIL, "x"], ["stream", EVIL, EVIL], ["receive", EVIL], ["doctor", EVIL],
    ["transcode", "--job", EVIL, "x", "-o", "y.mp4"], ["codecs", EVIL],
], ids=lambda words: words[0] if words[0] != EVIL else "verb")
def test_no_verb_prints_what_is_typed_raw(folder, words):
    clean(folder, words, json_too=False)


@pytest.mark.parametrize("more", [[], ["--json"]])
@pytest.mark.parametrize("url, form", [("live", "flv"), ("live", "mp4"), ("", "flv"), ("live/key", "flv")])
def test_a_server_prints_nothing_raw_that_a_publisher_says(folder, url, form, more):
    """Apps, stream keys and anything else."""
    work, picture = folder, b"\x90\x1b[3m" + bytes(40)
    metadata = rtmp.amf("@setDataFrame") + rtmp.amf("onMetaData") + rtmp.amf(rtmp.Pairs(
        {EVIL: EVIL, "encoder": EVIL, "videocodecid": EVIL, "audiocodecid": EVIL}))
    with receiver(work, url, form, more) as (process, port, log):
        for app, key in ((EVIL, "a"), (EVIL, EVIL), ("live", EVIL), ("live", "?" + EVIL), ("live", "key")):
            said_to_server(port, app, key, metadata, picture)
        with programs.running(APUS, "stream", FIXTURES / "hvc1.mp4", f"rtmp://127.0.0.1:{port}/live/key",
                              "--no-pace", "--retry", "0") as publisher:
            finished(publisher)
        process.send_signal(signal.SIGTERM)
        finished(process)
    what = f"apus receive of {url or 'any app'} into {form} {' '.join(more)}"
    lines = log.read_text(errors="surrogateescape")
    escaped(what, lines)
    assert "client" in lines, f"{what}: nobody was heard"
    for line in lines.splitlines() if more else []:
        json.loads(line)
    for path in work.rglob("*"):
        escaped("the name of a recording", str(path))


@contextlib.contextmanager
def receiver(work, path, form, more):
    log = work / "receive.log"
    words = [APUS, "receive", f"rtmp://127.0.0.1:0/{path}", "-o", f"{work}/out.flv" if "/" in path else f"{work}/", "-v",
             "--format", form, *more]
    with programs.running(*words, log=log) as process:
        pattern = re.compile(r'port"?:? ?(\d+)')
        until(lambda: pattern.search(log.read_text(errors="replace")), "the server waits")
        yield process, int(pattern.search(log.read_text(errors="replace"))[1]), log


def said_to_server(port, app, key, *bodies):
    try:
        client = rtmp.Client(port)
        client.publish(key, app, flashVer=EVIL, swfUrl=EVIL, fourCcList=[EVIL], videoFourCcInfoMap={EVIL: 1})
        client.message(18, bodies[0], 4, 1)
        for kind, body in ((9, bodies[1]), (8, b"\x91\x1b[3m" + bytes(9)), (22, bytes(30)), (20, rtmp.amf(EVIL))):
            client.message(kind, body, 6, 1)
        client.command(EVIL, 9, None, EVIL)
        client.command("deleteStream", 4, None, 1)
        client.end()
    except (OSError, EOFError):
        pass
    try:
        client = rtmp.Client(port)
        client.command(EVIL, 1, {"app": EVIL})
        client.end()
    except (OSError, EOFError):
        pass


def answers(kind):
    """A server that says evil words: in its welcome, or when it refuses, redirects or signs in."""
    words = {"level": "status", "code": EVIL, "description": EVIL}
    error = {**words, "level": "error"}

    def answer(link, name):
        if name == "connect":
            if kind == "refuses":
                return link.command("_error", 1, {}, {**error, "code": "NetConnection.Connect.Rejected"})
            if kind == "redirects":
                return link.command("_error", 1, {}, {**error, "ex": {"redirect": f"rtmp://{EVIL}/live", "code": 302}})
            if kind == "signs in":
                return link.command("_error", 1, {}, {**error, "description": f"[ authmod={EVIL} ] : ?reason=needauth&{EVIL}"})
            return link.command(
                "_result", 1, {"fmsVer": EVIL, "capabilities": 31.0},
                {**words, "code": "NetConnection.Connect.Success", "data": {"srs_server": EVIL, "srs_version": EVIL},
                 "fourCcList": [EVIL, "hvc1"], "videoFourCcInfoMap": {EVIL: 7, "hvc1": 7}, "capsEx": 15.0})
        if name == "createStream":
            for transaction in (2, 3, 4):
                link.command("_result", transaction, None, 1)
        if name in ("publish", "play"):
            if kind == "fails":
                return link.command("onStatus", 0, None, {**error, "code": "NetStream.Publish.BadName"}, stream=5, number=1)
            start = {**words, "code": f"NetStream.{name.capitalize()}.Start"}
            link.command("onStatus", 0, None, start, stream=5, number=1)
            link.command("onStatus", 0, None, words, stream=5, number=1)
            link.command(EVIL, 0, None, words, stream=5, number=1)
            if kind == "moves":
                link.command("onStatus", 0, None, {**words, "code": "NetConnection.Connect.ReconnectRequest",
                                                   "tcUrl": f"rtmp://{EVIL}/live"})
            if name == "play":
                link.message(9, b"\x91\x1b[3m" + bytes(40), 6, 1)
                link.message(18, rtmp.amf(EVIL) + rtmp.amf({EVIL: EVIL}), 4, 1)
            if kind == "welcomes":
                threading.Timer(0.5, link.cut).start()
        return None

    return answer


@pytest.mark.parametrize("kind", ["refuses", "redirects", "signs in", "fails", "moves", "welcomes"])
def test_a_publisher_prints_nothing_raw_that_a_server_says(folder, kind):
    with rtmp.Server(answers(kind)) as server:
        # Marks of writing direction and C1 may stand in an address.
        url = f"rtmp://127.0.0.1:{server.port}/live\u202eg\u009b31m/ke\u202ey\u009b31m"
        if kind != "moves":
            clean(folder, ["doctor", url, "-v"])
        for more in ([], ["--json"]):
            clean(folder, ["stream", FIXTURES / "hvc1.mp4", url, "--dialect", "enhanced", "--retry", "0", "--follow", "any", "-v",
                           "--no-pace", *more])
