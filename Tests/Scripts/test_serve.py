# SPDX-License-Identifier: MIT
"""`apus serve` answers over HTTP what the command makes, is bounded, and outlives whatever is sent to it."""

import base64
import concurrent.futures
import contextlib
import email.message
import email.policy
import functools
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import urllib.parse

import pytest

import devtools
import heif
from exiftool import exiftool
from programs import APUS, DEADLINE, FIXTURES, completed, run, until
from service import ask, body, numbers, processor, server, state, workers

# A route with its parameters, the file, and what the command is typed as.
SAME = [
    ("/v1/convert", "photo.heic", ["convert"]),
    ("/v1/convert?format=png&srgb", "photo.heic", ["convert", "--format", "png", "--srgb"]),
    ("/v1/convert?quality=40&chroma=444", "grid-odd.heic", ["convert", "-q", "40", "--chroma", "444"]),
    ("/v1/convert?format=heic&encoder=own", "photo.heic", ["convert", "--format", "heic", "--encoder", "own"]),
    ("/v1/convert?srgb=false&salvage=1", "alpha-straight.heic", ["convert", "--salvage"]),
    ("/v1/edit?strip=gps&rotate=90&set=title=A%20title&set=rating=3", "exif-xmp.heic",
     ["edit", "--strip", "gps", "--rotate", "90", "--set", "title=A title", "--set", "rating=3"]),
    ("/v1/edit?flip=horizontal&lossless", "440.jpg", ["edit", "--flip", "horizontal", "--lossless"]),
    ("/v1/edit?remove=gain-map", "gain-map-tmap.heic", ["edit", "--remove", "gain-map"]),
    ("/v1/thumbnail?size=64", "photo.heic", ["thumbnail", "-s", "64"]),
    ("/v1/extract?role=motion-video", "portrait.heic", ["extract", "--role", "motion-video"]),
    ("/v1/info", "hvc1.mp4", ["info", "--json"]),
    ("/v1/inspect", "photo.heic", ["inspect", "--json"]),
    ("/v1/hvcc/show", "hvc1.mp4", ["hvcc", "show", "--json"]),
    ("/v1/hvcc/check", "hvc1.mp4", ["hvcc", "check", "--json"]),
    ("/v1/flv/check", "enhanced.flv", ["flv", "check", "--json"]),
    ("/v1/report", "photo.heic", ["report"]),
    ("/v1/report?with-media", "portrait.heic", ["report", "--with-media"]),
]
WRITES = {"convert", "thumbnail", "edit", "extract", "report"}


def nextcloud(operation, width, height, *before, type="jpeg"):
    """The path of a preview as Nextcloud's provider asks for it."""
    parameters = {
        "width": width, "height": height, "stripmeta": "true", "type": type, "norotation": "true", "quality": "80",
    }  # fmt: skip
    steps = [{"operation": name} for name in before] + [{"operation": operation, "params": parameters}]
    return "/pipeline?" + urllib.parse.urlencode({"operations": json.dumps(steps), "key": ""})


# What clients of Imaginary ask for, the file, and what the command is typed as.
IMAGINARY = [
    (nextcloud("fit", 256, 256), "photo.heic", ["thumbnail", "-q", "80", "-s", "256"]),
    (nextcloud("fit", 4096, 64), "photo.heic", ["thumbnail", "-q", "80", "-s", "4096x64"]),
    (nextcloud("smartcrop", 64, 64), "photo.heic", ["thumbnail", "-q", "80", "-s", "64", "--crop", "64:64"]),
    (nextcloud("smartcrop", 256, 256, "autorotate"), "photo.jpg",
     ["thumbnail", "-q", "80", "-s", "256", "--crop", "1:1"]),
    (nextcloud("fit", 32, 32, type="png"), "photo.jpg", ["thumbnail", "--format", "png", "-s", "32"]),
    ("/convert?type=jpeg", "photo.heic", ["convert", "-q", "80"]),
    ("/convert?type=png&noprofile=true", "photo.heic", ["convert", "--format", "png", "--srgb"]),
    ("/resize?width=100", "photo.heic", ["convert", "-q", "80", "--max-size", "100x16384"]),
    ("/crop?width=50&height=70&gravity=centre", "photo.heic",
     ["convert", "-q", "80", "--max-size", "50x70", "--crop", "5:7"]),
    ("/rotate?rotate=90&type=jpeg", "photo.heic", ["convert", "-q", "80", "--rotate", "90"]),
    ("/flip", "photo.heic", ["convert", "-q", "80", "--flip", "vertical"]),
    ("/enlarge?width=500&height=400&type=png", "photo.heic",
     ["convert", "--format", "png", "--max-size", "500x400", "--enlarge"]),
    ("/convert?type=webp&quality=70", "photo.heic", ["convert", "--format", "webp", "-q", "70"]),
    (nextcloud("fit", 64, 64, type="webp"), "photo.heic", ["thumbnail", "--format", "webp", "-q", "80", "-s", "64"]),
    ("/extract?top=10&left=20&areawidth=31&areaheight=17&type=png", "photo.heic",
     ["convert", "--format", "png", "--crop", "31x17+20+10"]),
]  # fmt: skip
# The method, the path, the body, the status, and part of what is said.
REFUSED = [
    ("POST", "/v1/convert?quality=0", "photo.heic", 400, '--quality is "0"'),
    ("POST", "/v1/edit?remove=depth", "letterbox.jpg", 422, "only thumbnail, preview, video"),
    ("POST", "/v1/edit?set=rating=9", "photo.heic", 400, "rating=-1 to 5"),
    ("POST", "/v1/edit?exif=/etc/passwd", "photo.heic", 400, "no parameter exif"),
    ("POST", "/v1/edit?copy-from=/etc/passwd", "photo.heic", 400, "no parameter copy-from"),
    ("POST", "/v1/convert?qualty=3", "photo.heic", 400, "did you mean quality?"),
    ("POST", "/v1/convert?output=/tmp/x", "photo.heic", 400, "no parameter output"),
    ("POST", "/v1/convert?journal=/tmp/x", "photo.heic", 400, "no parameter journal"),
    ("POST", "/v1/convert?limit=boxes=1", "photo.heic", 400, "no parameter limit"),
    ("POST", "/v1/convert?srgb=maybe", "photo.heic", 400, "srgb must be true or false"),
    ("POST", "/v1/convert?quality", "photo.heic", 400, "quality needs a value"),
    ("POST", "/v1/convert?format=heic&encoder=own&lossless", "photo.heic", 400, "does not support lossless coding"),
    ("POST", "/v1/convert?quality=80&quality=90", "photo.heic", 400, "quality is given twice"),
    ("POST", "/fit?width=9&height=9&width=8", "photo.heic", 400, "width is given twice"),
    ("POST", "/v1/hvcc/show?on-exists=skip", "hvc1.mp4", 400, "no parameter on-exists"),
    ("POST", "/v1/convert", None, 400, "no body"),
    ("GET", "/v1/convert", None, 405, "takes POST"),
    ("POST", "/health", "photo.heic", 405, "takes GET"),
    ("GET", "/etc/passwd", None, 404, "/etc/passwd"),
    ("POST", "/v1/convert", b"\0" * 4096, 415, ""),
    ("POST", "/v1/info", b"nothing that anybody knows", 422, ""),
    ("POST", "/v1/convert", ("photo.heic", 4000), 422, "the enclosing data end at"),
]


@functools.cache
def photo(name):
    """A fixture, or the JPEG that is made of a fixture."""
    if name != "photo.jpg":
        return body(name)
    return command(["convert"], "photo.heic")


def command(words, name):
    writes = ["-o", "-"] if words[0] in WRITES else []
    return completed(APUS, *words, "-", *writes, input=photo(name)).stdout


@pytest.fixture(scope="module")
def address():
    with server() as (_, address):
        yield address


@pytest.mark.parametrize("path, name, words", SAME)
def test_an_answer_is_what_the_command_makes(address, path, name, words):
    status, headers, said = ask(address, "POST", path, body(name))
    assert status == 200, said
    assert said == command(words, name)
    boxes = "image/heic" if said[8:12] == b"heic" else "video/mp4"
    kinds = {b"\xff\xd8": "image/jpeg", b"\x89P": "image/png", b"\0\0": boxes, b"<!": "text/html; charset=utf-8"}
    assert headers["Content-Type"] == kinds.get(said[:2], "application/json"), headers


@pytest.mark.parametrize("path, name, words", IMAGINARY)
def test_clients_of_imaginary_get_what_the_command_makes(address, path, name, words):
    given = [word for word in path.split("&") if not word.startswith("key=")]
    status, _, said = ask(address, "POST", "&".join(given), photo(name))
    assert status == 200, said
    assert said == command(words, name)


@pytest.mark.parametrize("method, path, named, expected, part", REFUSED)
def test_a_wrong_request_is_refused_with_its_reason(address, method, path, named, expected, part):
    status, headers, said = ask(address, method, path, body(named))
    assert status == expected, said
    assert headers["Content-Type"] == "application/problem+json", headers
    assert ("Allow" in headers) == (status == 405), headers
    problem = json.loads(said)
    assert problem["status"] == status and part in problem["detail"], problem


def test_an_answer_has_the_size_of_its_picture(address):
    _, headers, _ = ask(address, "POST", "/v1/convert", body("photo.heic"))
    assert (headers["Image-Width"], headers["Image-Height"]) == ("320", "240"), headers


def test_the_description_follows_the_standard_that_it_names(address, python):
    text = ask(address, "GET", "/v1/openapi.json")[2]
    paths = json.loads(text)["paths"]
    assert {path.partition("?")[0] for path, _, _ in SAME} <= set(paths), paths.keys()
    completed(python, "-m", "openapi_spec_validator", "-", input=text)
    sizes = [each for each in paths["/v1/thumbnail"]["post"]["parameters"] if each["name"] == "size"]
    assert [each["schema"]["type"] for each in sizes] == ["array"], sizes


def test_requests_are_counted_by_route(address):
    ask(address, "POST", "/v1/convert", body("photo.heic"))
    ask(address, "GET", "/etc/passwd")
    counted = ask(address, "GET", "/metrics")[2].decode()
    assert re.search(r'apus_requests_total\{route="/v1/convert",status="200"\} \d', counted), counted
    assert 'route="/etc/passwd"' not in counted, counted


def test_a_client_that_has_an_answer_does_not_get_it_again(address):
    tags = set()
    for path, name in [
        ("/v1/convert", "photo.heic"), ("/v1/convert?quality=80", "photo.heic"),
        ("/v1/convert", "grid-odd.heic"), ("/v1/info", "photo.heic"),
    ]:  # fmt: skip
        status, headers, _ = ask(address, "POST", path, body(name))
        tag = headers["ETag"]
        assert status == 200 and re.fullmatch('"[0-9a-f]{32}"', tag), (path, headers)
        tags.add(tag)
        for given, expected in [
            (tag, 304), (f'"other", W/{tag}', 304), ('"other"', 200), (tag[1:-1], 200),
        ]:  # fmt: skip
            status, headers, said = ask(address, "POST", path, body(name), {"If-None-Match": given})
            assert (status, headers["ETag"]) == (expected, tag), (path, given, status, headers)
            assert bool(said) == (status == 200), (path, given, said)
    assert len(tags) == 4, tags
    status, headers, _ = ask(address, "POST", "/v1/convert", b"\0" * 99)
    assert status == 415 and "ETag" not in headers, headers


def test_a_setting_comes_from_the_file_the_environment_and_the_command_line_of_which_the_last_wins(folder):
    """A file, the environment and the command line, of which the last wins."""
    file = folder / "serve.conf"
    file.write_text("# for this machine\n\nmax-body = 7\nqueue=5\ncache-control = max-age=3600, private\nlimit = boxes=99\n")
    environment = os.environ | {"APUS_QUEUE": "6", "APUS_LIMIT": "boxes=98 megapixels=3", "APUS_CONFIG": str(file)}

    def shown(*words, status=0, **variables):
        return run(APUS, "serve", "--print-config", *words, status=status, env=environment | variables)

    text = shown("--connections", 9)
    lines = set(text.splitlines())
    for line in [
        "max-body = 7", "queue = 6", "connections = 9", "cache-control = max-age=3600, private", "limit = boxes=98",
        "limit = megapixels=3", "# key-file =", "listen = 127.0.0.1:8088", "log = text",
    ]:  # fmt: skip
        assert line in lines, (line, text)
    # What is printed is such a file.
    again = folder / "again.conf"
    again.write_text(text)
    assert shown("--config", again, APUS_QUEUE="", APUS_LIMIT="") == text
    for wrong, part in [
        ("max-bdy = 7\n", "line 1 is no setting, NAME = VALUE; did you mean max-body?"),
        ("\nqueue\n", "line 2 is no setting"), ("quiet = true\n", "line 1 is no setting"),
    ]:  # fmt: skip
        again.write_text(wrong)
        assert part in shown("--config", again, status=1), wrong
    again.write_text("queue = many\n")
    assert '--queue is "many"' in shown("--config", again, status=2, APUS_QUEUE="")
    with server("--config", file, env=environment) as (_, address):
        status, headers, _ = ask(address, "POST", "/v1/info", body("photo.heic"))
        assert (status, headers["Cache-Control"]) == (200, "max-age=3600, private"), headers


def test_several_sizes_from_one_decoding_are_those_of_single_requests(address):
    """Several sizes from one decoding are those that requests for one size each get."""
    sides = [200, 64, 33]
    path = "/v1/thumbnail?policy=always&" + "&".join(f"size={side}" for side in sides)
    status, headers, said = ask(address, "POST", path, body("photo.heic"))
    assert status == 200, said
    message = email.message_from_bytes(
        b"Content-Type: " + headers["Content-Type"].encode() + b"\r\n\r\n" + said, policy=email.policy.HTTP
    )
    parts = list(message.iter_parts())
    assert message.get_content_type() == "multipart/mixed" and len(parts) == len(sides), headers
    for part, side in zip(parts, sides):
        assert part.get_content_type() == "image/jpeg" and part["Image-Width"] == str(side), part.items()
        made = command(["thumbnail", "--policy", "always", "-s", str(side)], "photo.heic")
        # What is made of bytes that are no text comes back as they are.
        assert part.get_payload(decode=True) == made or made in said, side
    for wrong, part in [
        ("size=64&size=64", "the size 64 is given twice"), ("size=64&size=10x20", "not 10x20"),
        ("&".join(f"size={side}" for side in range(1, 19)), "at most 16 sizes"),
    ]:  # fmt: skip
        status, _, said = ask(address, "POST", "/v1/thumbnail?" + wrong, body("photo.heic"))
        assert status == 400 and part in json.loads(said)["detail"], (wrong, said)
    status, _, said = ask(address, "POST", path, body(("photo.heic", 4000)))
    assert status == 422, said


@pytest.mark.parametrize("name, expected", [
    ("photo.heic", dict(width=320, height=240, type="heif", hasAlpha=False, hasProfile=False, channels=3)),
    ("alpha-straight.heic", dict(width=104, height=72, type="heif", hasAlpha=True, hasProfile=False, channels=4)),
    ("photo.jpg", dict(width=320, height=240, type="jpeg", hasAlpha=False, hasProfile=True, channels=3)),
    ("portrait.heic", dict(width=72, height=104, type="heif", hasAlpha=False, hasProfile=False, channels=3)),
])
def test_imaginary_is_told_the_properties_of_a_picture(address, name, expected):
    """What Imaginary says of pictures, as it names things."""
    upright = {"space": "srgb", "orientation": 1}
    status, _, said = ask(address, "POST", "/info", photo(name))
    assert status == 200 and json.loads(said) == expected | upright, (name, said)


def test_a_photo_that_is_dropped_on_the_page_is_shown():
    """A photo that is dropped on the page of a browser is shown; one that is broken is said to be."""
    drop = """new Promise((done, fail) => {
      const bytes = Uint8Array.from(atob("%s"), letter => letter.charCodeAt(0))
      const carried = new DataTransfer()
      carried.items.add(new File([bytes], "IMG_1.HEIC"))
      document.dispatchEvent(new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}))
      const picture = document.getElementById("picture"), said = document.getElementById("said")
      const start = Date.now()
      const look = () => {
        const isShown = !picture.hidden && picture.complete && picture.naturalWidth > 0
        if (isShown || picture.hidden && !/^Converting|^$/.test(said.textContent))
          done({isShown, width: picture.naturalWidth, height: picture.naturalHeight, said: said.textContent})
        else if (Date.now() - start > 120000) fail("nothing is shown")
        else setTimeout(look, 20)
      }
      setTimeout(look, 20)
    })"""
    with server() as (_, address), devtools.browser() as page:
        page.open(f"http://{address}/")
        found = page.value(drop % base64.b64encode(body("photo.heic")).decode())
        assert found == {"isShown": True, "width": 320, "height": 240, "said": "IMG_1.HEIC"}, found
        found = page.value(drop % base64.b64encode(body(("photo.heic", 4000))).decode())
        assert not found["isShown"] and "the enclosing data end at" in found["said"], found


@pytest.mark.parametrize("side", [4096, 2048, 1024, 256, 64, 32])
@pytest.mark.parametrize("name, before, kind", [
    ("photo.heic", [], "jpeg"), ("photo.heic", [], "webp"), ("portrait.heic", [], "jpeg"), ("photo.jpg", ["autorotate"], "jpeg"),
])  # fmt: skip
def test_nextcloud_gets_its_previews(address, name, before, kind, side):
    """Every preview that it makes of a photo: the largest one first, then the powers of 4 and what apps ask for."""
    for operation in ["fit", "smartcrop"]:
        path = nextcloud(operation, side, side, *before, type=kind)
        # Its body is a stream, whose size it does not know for files of some storages.
        content = photo(name)
        sent = iter([content[:1000], content[1000:]]) if side == 256 else content
        status, headers, said = ask(address, "POST", path, sent)
        words = ["thumbnail", "--format", kind, "-q", "80", "-s", f"{side}x{side}"]
        words += ["--crop", f"{side}:{side}"] if operation == "smartcrop" else []
        assert status == 200 and said == command(words, name), (path, status)
        assert headers["Content-Type"] == f"image/{kind}", headers
        width, height = int(headers["Image-Width"]), int(headers["Image-Height"])
        assert max(width, height) <= side and (operation == "fit" or width == height), (path, headers)


def test_only_who_has_a_key_is_served_and_keys_can_be_changed(folder):
    file = folder / "keys"
    file.write_text("# who may ask\nfirst\nsecond\n")
    photo = body("still-96x72.heic")
    with server("--key-file", file, "--log", "json") as (process, address):
        for given, expected in [
            ({}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"Authorization": "Bearer first"}, 200),
            ({"API-Key": "second"}, 200), ({"API-Key": "secon"}, 401),
        ]:  # fmt: skip
            assert ask(address, "POST", "/v1/convert", photo, given)[0] == expected, given
        assert ask(address, "POST", "/v1/convert?key=first", photo)[0] == 200
        assert ask(address, "GET", "/health")[0] == 200
        assert ask(address, "GET", "/metrics")[0] == 401
        file.write_text("third\n")
        process.send_signal(signal.SIGHUP)
        until(lambda: ask(address, "POST", "/v1/convert?key=third", photo)[0] == 200, "the new key counts")
        assert ask(address, "POST", "/v1/convert?key=first", photo)[0] == 401
        # A file that is gone locks nobody out.
        file.unlink()
        process.send_signal(signal.SIGHUP)
        until(lambda: any("stay what they were" in line for line in process.said), "it says that the keys stay")
        assert not any(key in line for line in process.said for key in ("first", "third")), process.said
        assert ask(address, "POST", "/v1/convert?key=third", photo)[0] == 200


def test_a_body_and_a_photo_are_bounded(folder):
    large = os.urandom(3 << 20)
    with server("--max-body", 1, "--limit", "megapixels=1", "--limit", "boxes=10") as (_, address):
        connection = http.client.HTTPConnection(address, timeout=DEADLINE)
        connection.putrequest("POST", "/v1/convert")
        connection.putheader("Content-Length", str(len(large)))
        connection.putheader("Expect", "100-continue")
        connection.endheaders()
        assert connection.getresponse().status == 413
        connection.close()
        status, _, said = ask(address, "POST", "/v1/convert", body("photo.heic"))
        assert status == 413 and "boxes are beyond the limit of 10" in json.loads(said)["detail"], said


def test_the_time_of_a_request_is_bounded(folder):
    heavy = folder / "heavy.heic"
    # Some five seconds of processor time on a fast machine.
    heif.many_tiles(FIXTURES / "hvc1.mp4", heavy, 120)
    with server("--jobs", 1, "--limit", "wall-seconds=1") as (_, address):
        status, _, said = ask(address, "POST", "/v1/convert?format=heic&quality=60", heavy.read_bytes())
        assert status == 504 and json.loads(said)["kind"] == "limit", said
        # A second may be too little for a small photo, too, while the machine has other things to do.
        until(lambda: ask(address, "POST", "/v1/convert", body("photo.heic"))[0] == 200, "the next one is served")
    with server("--jobs", 1, "--limit", "cpu-seconds=1") as (_, address):
        status, _, said = ask(address, "POST", "/v1/convert?format=heic&quality=60", heavy.read_bytes())
        assert status == 504 and "processor time" in json.loads(said)["detail"], said


def test_more_than_can_wait_is_refused_at_once_and_what_waits_is_served(folder):
    heavy = folder / "heavy.heic"
    heif.many_tiles(FIXTURES / "hvc1.mp4", heavy, 40)
    content = heavy.read_bytes()
    with server("--jobs", 1, "--queue", 2) as (_, address):
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            done = list(pool.map(lambda _: ask(address, "POST", "/v1/convert?format=png", content), range(12)))
        statuses = [status for status, _, _ in done]
        assert set(statuses) == {200, 503} and statuses.count(200) >= 3, statuses
        assert all("Retry-After" in headers for status, headers, _ in done if status == 503)


def test_who_asks_for_something_else_does_not_wait_for_all_that_were_there_before(folder):
    """One that asks for something else does not wait for all that were there before."""
    heavy = folder / "heavy.heic"
    heif.many_tiles(FIXTURES / "hvc1.mp4", heavy, 60)
    with server("--jobs", 1) as (process, address), concurrent.futures.ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask, address, "POST", "/v1/convert?format=heic&encoder=own", heavy.read_bytes())]
        until(lambda: numbers(address)["apus_running"] == 1, "the first has the worker")
        [worker] = workers(process.pid)
        os.kill(worker, signal.SIGSTOP)
        ends = {}
        for count, (path, content) in enumerate([
            ("/v1/convert", heavy.read_bytes()), ("/v1/convert", heavy.read_bytes()), ("/v1/info", body("photo.heic")),
        ], 1):  # fmt: skip
            asked.append(pool.submit(ask, address, "POST", path, content))
            asked[-1].add_done_callback(lambda each: ends.setdefault(each, time.monotonic()))
            until(lambda: numbers(address)["apus_queue_length"] == count, f"{count} wait")
        os.kill(worker, signal.SIGCONT)
        answers = [each.result() for each in asked]
        assert {status for status, _, _ in answers} == {200}
        # One worker answers in the order in which requests leave the queue.
        first, second, other = (ends[each] for each in asked[1:])
        assert other < first < second, (other, first, second)


@pytest.fixture
def heavy(folder):
    """A photo that takes a while."""
    heif.many_tiles(FIXTURES / "hvc1.mp4", folder / "heavy.heic", 100)
    return (folder / "heavy.heic").read_bytes()


def test_workers_that_die_and_clients_that_go_take_nothing_with_them(heavy):
    content, path = heavy, "/v1/convert?format=heic&encoder=own"
    with server("--jobs", 1) as (process, address), concurrent.futures.ThreadPoolExecutor(2) as pool:
        # One that has nothing to do costs no request.
        assert ask(address, "POST", "/v1/convert", body("photo.heic"))[0] == 200
        [worker] = workers(process.pid)
        assert ask(address, "POST", "/v1/convert", body("photo.heic"))[0] == 200 and workers(process.pid) == [worker]
        os.kill(worker, signal.SIGKILL)
        until(lambda: worker not in workers(process.pid), "the process ends")
        assert ask(address, "POST", "/v1/convert", body("photo.heic"))[0] == 200
        # Nor does one that is ended before it has read a request that was given to it.
        [worker] = workers(process.pid)
        os.kill(worker, signal.SIGSTOP)
        # Until it has stopped it may yet read one.
        until(lambda: state(worker) == "T", "the process stops")
        asked = pool.submit(ask, address, "POST", "/v1/convert", body("photo.heic"))
        until(lambda: numbers(address)["apus_running"] == 1, "the request is given to the process")
        os.kill(worker, signal.SIGKILL)
        assert asked.result()[0] == 200
        asked = pool.submit(ask, address, "POST", path, content)
        until(lambda: numbers(address)["apus_running"] == 1, "the request is worked on")
        [worker], before = workers(process.pid), processor(process.pid)
        until(lambda: processor(process.pid) > before + 0.05, "the process works")
        os.kill(worker, signal.SIGSEGV)
        status, _, said = asked.result()
        assert status == 500 and json.loads(said)["kind"] == "crash", said
        assert ask(address, "POST", "/v1/convert", body("photo.heic"))[0] == 200
        # A client that goes away takes nothing with it.
        with socket.create_connection(address.rsplit(":", 1)) as client:
            head = f"POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n"
            client.sendall(head.encode() + content[:1000])
        assert ask(address, "POST", "/v1/convert", body("photo.heic"))[0] == 200


def test_a_server_that_is_asked_to_end_finishes_what_is_under_way_and_begins_nothing(heavy):
    content = heavy
    with server("--jobs", 1) as (process, address), concurrent.futures.ThreadPoolExecutor(2) as pool:
        asked = pool.submit(ask, address, "POST", "/v1/convert?format=png", content)
        until(lambda: numbers(address)["apus_running"] == 1, "the request is worked on")
        process.send_signal(signal.SIGTERM)
        assert asked.result()[0] == 200
        assert process.wait(DEADLINE) == 0
        with contextlib.suppress(ConnectionError):
            raise AssertionError(ask(address, "GET", "/health"))


def test_a_server_that_is_interrupted_ends_with_130():
    with server(status=130, stop=signal.SIGINT):
        pass


def test_a_process_gets_as_many_requests_as_it_may():
    with server("--jobs", 1, "--requests-per-process", 3) as (process, address):
        for _ in range(7):
            assert ask(address, "POST", "/v1/info", body("photo.heic"))[0] == 200
        assert numbers(address)["apus_process_starts_total"] == 3


def test_a_server_that_is_killed_leaves_no_process_and_another_takes_its_place_at_once():
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    waits, shortest = [], []
    for _ in range(8):
        start = time.monotonic()
        run(APUS, "--version")
        shortest.append(time.monotonic() - start)
        start = time.monotonic()
        process = subprocess.Popen([APUS, "serve", "--listen", f"127.0.0.1:{port}", "--jobs", "2"],
                               stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        while True:
            with contextlib.suppress(ConnectionError):
                assert ask(f"127.0.0.1:{port}", "GET", "/ready")[0] == 200
                break
            assert time.monotonic() < start + DEADLINE
            time.sleep(0.001)
        waits.append(time.monotonic() - start)
        assert ask(f"127.0.0.1:{port}", "POST", "/v1/info", body("photo.heic"))[0] == 200
        left = workers(process.pid)
        process.kill()
        process.wait()
        until(lambda: not any(pathlib.Path(f"/proc/{each}/exe").exists() for each in left), "workers end")
    # Measured on a quiet machine it is much less than the 50 ms that are promised; a test shares its machine, on which the
    # shortest run that there is takes longer, too.
    assert min(waits) < max(0.05, 10 * min(shortest)), (waits, shortest)


def test_a_server_listens_at_a_socket_in_the_file_system_and_notifies_systemd(folder):
    """A socket in the file system, one that somebody else opened, and messages to systemd."""
    path = folder / "apus.sock"
    for _ in range(2):
        notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notices.bind(str(folder / "notices"))
        notices.settimeout(DEADLINE)
        environment = {**os.environ, "NOTIFY_SOCKET": str(folder / "notices"), "WATCHDOG_USEC": "200000"}
        with server(listen=f"unix:{path}", env=environment) as (_, said):
            assert said == f"unix:{path}", said
            assert notices.recv(100) == b"READY=1"
            assert {notices.recv(100) for _ in range(3)} == {b"WATCHDOG=1"}
            client = socket.socket(socket.AF_UNIX)
            client.connect(str(path))
            client.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert b" 200 OK" in client.makefile("rb").read()
            client.close()
            run(APUS, "serve", "--listen", f"unix:{path}", status=1)
            assert path.exists()
        assert not path.exists()
        notices.close()
        (folder / "notices").unlink()
        # One that a server left behind is no hindrance.
        left = socket.socket(socket.AF_UNIX)
        left.bind(str(path))
        left.close()
    path.unlink()
    path.write_text("a file of the user's")
    run(APUS, "serve", "--listen", f"unix:{path}", status=1)
    assert path.read_text() == "a file of the user's"


def test_a_server_takes_a_socket_that_somebody_else_opened():
    listener = socket.create_server(("127.0.0.1", 0))
    address = "127.0.0.1:%d" % listener.getsockname()[1]
    os.set_inheritable(listener.fileno(), True)
    with server(listen=f"fd:{listener.fileno()}", pass_fds=[listener.fileno()]):
        listener.close()
        assert ask(address, "GET", "/ready")[0] == 200


def test_connections_that_send_nothing_give_way_to_others(folder):
    """Connections that send nothing, or half a request, give way to others."""
    with server("--connections", 50) as (_, address), contextlib.ExitStack() as stack:
        host, port = address.rsplit(":", 1)
        held = []
        half = b"POST /v1/info HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\nab"
        for sent in [b"", b"GET /v1/x HTTP/1.1\r\nHo", half]:
            for _ in range(80):
                client = stack.enter_context(socket.create_connection((host, int(port)), timeout=DEADLINE))
                client.sendall(sent)
                held.append(client)
            # Much less than --head-seconds.
            assert ask(address, "GET", "/health", seconds=20)[0] == 200, sent
            assert ask(address, "POST", "/v1/info", body("photo.heic"), seconds=20)[0] == 200, sent
        # The first have given way, with no answer.
        for client in held[:80]:
            with contextlib.suppress(ConnectionError):
                assert client.recv(100) == b""


def test_a_jpeg_that_is_asked_for_otherwise_than_it_is_is_encoded_again(folder):
    """A JPEG that is asked for otherwise than it is, is not passed through with what it holds."""
    jpeg = folder / "place.jpg"
    jpeg.write_bytes(photo("photo.jpg"))
    exiftool("-q", "-overwrite_original", "-GPSLatitude=48.8584", "-GPSLatitudeRef=N", jpeg)
    content = jpeg.read_bytes() + b"<?php trailer();"

    def tags(said):
        (folder / "said.jpg").write_bytes(said)
        return exiftool("-s", "-s", "-GPSLatitude", "-Trailer", folder / "said.jpg").stdout.decode()

    with server() as (_, address):
        assert ask(address, "POST", "/v1/convert", content)[2] == content
        sizes = {}
        for parameters in ["quality=50", "quality=90", "chroma=444", "progressive", "strip=gps", "strip=all"]:
            status, headers, said = ask(address, "POST", f"/v1/convert?{parameters}", content)
            assert status == 200 and "Apus-Warning" not in headers and b"<?php" not in said, (parameters, headers, said[:200])
            assert ("GPSLatitude" in tags(said)) == ("strip" not in parameters), (parameters, tags(said))
            sizes[parameters] = len(said)
        assert sizes["quality=50"] < sizes["quality=90"], sizes
