# SPDX-License-Identifier: MIT
"""`apus info`, `inspect` and `convert` find the Content Credentials (C2PA) that exiftool finds, and the keys and content
protection systems of encrypted files."""

import json
import struct
import zlib

import jsonschema
import pytest

from exiftool import exiftool
from programs import APUS, FIXTURES, SCHEMAS, completed, ffmpeg, printed, run

ISO = bytes.fromhex("00110010800000aa00389b71")
SOURCES = "http://cv.iptc.org/newscodes/digitalsourcetype/"
ACTIONS = {"actions": [
    {"action": "c2pa.created", "when": "2026-11-21T02:18:55Z", "softwareAgent": {"name": "Imaginer", "version": "3.1"},
     "digitalSourceType": SOURCES + "trainedAlgorithmicMedia"},
    {"action": "c2pa.edited", "softwareAgent": "Retoucher"},
]}
CLAIM = {"claim_generator_info": {"name": "Test Camera", "version": "1.2"}, "dc:title": "a picture", "alg": "sha256"}
OLD_CLAIM = {"claim_generator": "Test_Camera/1.2", "dc:title": "a picture", "alg": "sha256"}


def cbor(value):
    """RFC 8949, 3."""
    def head(kind, number):
        if number < 24:
            return bytes([kind << 5 | number])
        return bytes([kind << 5 | 24, number]) if number < 256 else bytes([kind << 5 | 25]) + struct.pack(">H", number)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(key) + cbor(it) for key, it in value.items())


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def jumb(kind, label, *contents):
    """ISO/IEC 19566-5, A."""
    return box(b"jumb", box(b"jumd", kind + ISO + b"\x03" + label.encode() + b"\0") + b"".join(contents))


def store(claim=CLAIM, padding=0):
    """A manifest store, with a thumbnail of so many bytes."""
    assertions = [jumb(b"cbor", "c2pa.actions.v2", box(b"cbor", cbor(ACTIONS)))]
    if padding:
        assertions.append(jumb(b"bidb", "c2pa.thumbnail.claim.jpeg", box(b"bfdb", b"\0image/jpeg\0"),
                               box(b"bidb", b"\x55" * padding)))
    return jumb(b"c2pa", "c2pa", jumb(
        b"c2ma", "urn:c2pa:11111111-2222-3333-4444-555555555555", jumb(b"c2as", "c2pa.assertions", *assertions),
        jumb(b"c2cl", "c2pa.claim.v2", box(b"cbor", cbor(claim)))))


def uuid(kind, content):
    return box(b"uuid", bytes.fromhex(kind.replace("-", "")) + content)


def in_movie(data, store):
    return data + uuid("d8fec3d6-1b0e-483c-9297-5828877ec481", b"\0\0\0\0manifest\0" + b"\0" * 8 + store)


def in_jpeg(data, store, size=60000):
    segments, rest, number = b"", store[8:], 1
    while rest:
        body = b"JP" + struct.pack(">HI", 1, number) + store[:8] + rest[:size]
        segments += b"\xff\xeb" + struct.pack(">H", len(body) + 2) + body
        rest, number = rest[size:], number + 1
    return data[:2] + segments + data[2:]


def in_png(data, store):
    chunk = b"caBX" + store
    return data[:33] + struct.pack(">I", len(store)) + chunk + struct.pack(">I", zlib.crc32(chunk)) + data[33:]


def in_webp(data, store):
    chunks = data[12:] + b"C2PA" + struct.pack("<I", len(store)) + store + b"\0" * (len(store) % 2)
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WEBP" + chunks


@pytest.fixture(scope="module")
def plain(work):
    for name in ("a.jpg", "a.png", "a.webp", "a.mp4"):
        more = ["-frames:v", "1"] if name != "a.mp4" else ["-c:v", "libx264"]
        ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48:d=1:r=5", *more, work / name)
    return work


def checked(verb, file):
    answer = json.loads(printed(APUS, verb, "--json", file))
    schema = json.loads((SCHEMAS / f"{verb}.schema.json").read_text())
    problems = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(answer)]
    assert not problems, problems[0]
    return answer


def told(file):
    """What exiftool finds."""
    return json.loads(exiftool("-json", "-a", "-struct", file).stdout)[0]


CASES = [
    pytest.param("a.jpg", in_jpeg, store(), id="JPEG"),
    pytest.param("a.jpg", in_jpeg, store(padding=150_000), id="JPEG with several segments"),
    pytest.param("a.jpg", in_jpeg, store(OLD_CLAIM), id="JPEG with a claim of version 1"),
    pytest.param("a.png", in_png, store(), id="PNG"), pytest.param("a.webp", in_webp, store(), id="WebP"),
    pytest.param("a.mp4", in_movie, store(), id="MP4"),
]


@pytest.mark.parametrize("name, put, manifests", CASES)
def test_info_tells_what_exiftool_tells(plain, folder, name, put, manifests):
    file = folder / name
    file.write_bytes(put((plain / name).read_bytes(), manifests))
    facts = checked("info", file)["content_credentials"]
    assert facts["verified"] is False and facts["title"] == "a picture" and facts["manifests"] == 1
    actions = facts["actions"]
    assert [action["action"] for action in actions] == ["c2pa.created", "c2pa.edited"]
    assert actions[0]["digital_source_type"] == SOURCES + "trainedAlgorithmicMedia"
    assert (actions[0]["software"], actions[0]["software_version"]) == ("Imaginer", "3.1")
    assert actions[1]["software"] == "Retoucher"
    text = printed(APUS, "info", file)
    assert "created (trainedAlgorithmicMedia), edited; not verified" in text
    # exiftool 12 reads JUMBF in JPEG and PNG.
    if name not in ("a.webp", "a.mp4"):
        other = told(file)
        assert [action["action"] for action in other["Actions"]] == [action["action"] for action in actions]
        assert other["Actions"][0]["digitalSourceType"] == actions[0]["digital_source_type"]
        known = other.get("Claim_generator_info", {}).get("name") or other["Claim_generator"]
        assert known == facts["claim_generator"]


@pytest.mark.parametrize("name, put, manifests", CASES)
def test_inspect_shows_the_tree_at_its_place(plain, folder, name, put, manifests):
    file = folder / name
    data = put((plain / name).read_bytes(), manifests)
    file.write_bytes(data)
    answer = checked("inspect", file)

    def boxes(nodes):
        for node in nodes:
            yield node
            yield from boxes(node.get("boxes", []))
    labels = {node["name"]: node for node in boxes(answer["boxes"]) if node["type"] == "jumb"}
    assert list(labels)[:2] == ["c2pa", "urn:c2pa:11111111-2222-3333-4444-555555555555"]
    assert {"c2pa.assertions", "c2pa.actions.v2", "c2pa.claim.v2"} <= set(labels)
    # An offset is that of the box in the file, whichever segment it is in.
    claim = labels["c2pa.claim.v2"]
    assert data[claim["offset"] + 4 : claim["offset"] + 8] == b"jumb"
    content = next(field for field in claim["boxes"][1]["fields"] if field["name"] == "content")
    assert '"dc:title": "a picture"' in content["value"]
    answer = json.loads(printed(APUS, "inspect", "--json", "--at", str(labels["c2pa.assertions"]["offset"] + 5), file))
    assert answer["path"] == labels["c2pa.assertions"]["path"]


def test_convert_says_that_credentials_are_left_out(plain, folder):
    (folder / "a.png").write_bytes(in_png((plain / "a.png").read_bytes(), store()))
    (folder / "b.png").write_bytes((plain / "a.png").read_bytes())
    message = "the Content Credentials (C2PA) are left out"
    assert message in completed(APUS, "convert", "a.png", "-o", "a.jpg", cwd=folder, text=True).stderr
    assert message not in completed(APUS, "convert", "b.png", "-o", "b.jpg", cwd=folder, text=True).stderr
    # A copy keeps its bytes.
    (folder / "c.jpg").write_bytes(in_jpeg((plain / "a.jpg").read_bytes(), store()))
    assert "C2PA" not in completed(APUS, "convert", "c.jpg", "-o", "d.jpg", cwd=folder, text=True).stderr
    assert (folder / "c.jpg").read_bytes() == (folder / "d.jpg").read_bytes()
    assert message in completed(APUS, "convert", "c.jpg", "-o", "e.heic", cwd=folder, text=True).stderr


def test_damaged_credentials_are_mentioned(plain, folder):
    (folder / "a.png").write_bytes(in_png((plain / "a.png").read_bytes(), store()[:40]))
    assert "C2PA, which cannot be read" in printed(APUS, "info", folder / "a.png")


KEY = "00112233445566778899aabbccddeeff"


def test_info_names_keys_and_content_protection_systems(folder):
    file = folder / "a.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48:d=1:r=5", "-c:v", "libx264", "-encryption_scheme", "cenc-aes-ctr",
           "-encryption_key", "0" * 31 + "1", "-encryption_kid", KEY, file)
    data = file.read_bytes()
    # FFmpeg writes moov last.
    place = data.rindex(b"moov") - 4
    systems = b"".join(box(b"pssh", b"\0\0\0\0" + bytes.fromhex(system.replace("-", "")) + b"\0\0\0\0") for system in (
        "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "9a04f079-9840-4286-ab92-e65be0885f95", "0" * 31 + "1"))
    file.write_bytes(data[:place] + struct.pack(">I", len(data) - place + len(systems)) + data[place + 4 :] + systems)
    track = checked("info", file)["tracks"][0]
    key = "00112233-4455-6677-8899-aabbccddeeff"
    assert (track["encryption"], track["key_ids"]) == ("cenc", [key])
    assert track["protection_systems"] == ["Widevine", "PlayReady", "00000000-0000-0000-0000-000000000001"]
    assert f"encrypted (cenc), key {key}, Widevine, PlayReady" in printed(APUS, "info", file)
    assert '"Widevine"' in printed(APUS, "inspect", file)
    assert [box.get("name") for box in checked("inspect", file)["boxes"][-1]["boxes"] if box["type"] == "pssh"] == [
        "Widevine", "PlayReady", None]


def test_info_knows_the_size_of_unknown_video(folder):
    file = folder / "a.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48:d=1:r=5", "-c:v", "libx264", file)
    data = file.read_bytes()
    file.write_bytes(data.replace(b"avc1", b"zzz9"))
    track = checked("info", file)["tracks"][0]
    assert (track["codec"], track["coded_width"], track["coded_height"]) == ("zzz9", 64, 48)
    printed(APUS, "edit", "--set", "moov/trak/mdia/minf/stbl/stsd/zzz9/width=80", file, "-o", folder / "b.mp4")
    assert checked("info", folder / "b.mp4")["tracks"][0]["coded_width"] == 80


def test_edit_changes_what_is_in_boxes_of_user_types(folder):
    file = folder / "a.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc=s=64x48:d=1:r=5", "-c:v", "libx264", file)
    file.write_bytes(file.read_bytes() + uuid("be7acfcb-97a9-42e8-9c71-999491e3afac", b"<x:xmpmeta/>"))
    run(APUS, "edit", "--set", "uuid/packet=<x:other/>", file, "-o", folder / "b.mp4")
    assert (folder / "b.mp4").read_bytes().endswith(b"<x:other/>")


@pytest.mark.parametrize("name, put", [("a.jpg", in_jpeg), ("a.mp4", in_movie), ("photo.heic", in_movie)])
def test_edit_removes_credentials_or_says_that_they_are_no_longer_valid(plain, folder, name, put):
    before = (FIXTURES if name == "photo.heic" else plain) / name
    file = folder / name
    file.write_bytes(put(before.read_bytes(), store(padding=150_000)))
    done = completed(APUS, "edit", file, "--strip", "c2pa", "-o", folder / f"out{file.suffix}", text=True)
    assert "C2PA" not in done.stderr and (folder / f"out{file.suffix}").read_bytes() == before.read_bytes()
    words = [APUS, "edit", file, "--set", "date=2024-01-31T12:00:00Z"]
    done = completed(*words, "-o", folder / f"dated{file.suffix}", text=True)
    assert "(C2PA) are no longer valid" in done.stderr
    assert "credentials" in printed(APUS, "info", folder / f"dated{file.suffix}").lower()
    done = completed(*words, "--strip", "c2pa", "--in-place", text=True)
    assert not done.stderr and "credentials" not in printed(APUS, "info", file).lower()
