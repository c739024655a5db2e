# SPDX-License-Identifier: MIT
"""What apus receive --hls-part presents comes in parts that are whole when they are named, and soon after their last picture;
its server holds requests for what comes next; the parts are what was published to FFmpeg and Chromium."""

import concurrent.futures
import contextlib
import json
import re
import shutil
import ssl
import threading
import time
import urllib.error
import urllib.request

import pytest

import browser
import media
import nginx
import rtmp
from programs import APUS, FFMPEG, ROOT, completed, events, finished, run, running, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "log-level=none:pools=1:frame-threads=1:keyint=25:min-keyint=25:bframes=2:open-gop=0"]
AVC = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "60", "-sc_threshold", "0"]
SOURCES = {"hevc": (25, HEVC, True, 30), "avc": (25, AVC, True, 30), "slow": (15, [*AVC[:4], "-g", "150"], False, 14),
           "updates": (25, [*AVC[:4], "-g", "50", "-sc_threshold", "0"], True, 40)}
PART = re.compile(r'#EXT-X-PART:DURATION=([\d.]+),URI="([^"]+)"(,INDEPENDENT=YES)?')


def make(folder):
    for name, (rate, codec, has_sound, seconds) in SOURCES.items():
        sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-c:a", "aac"] if has_sound else []
        run(FFMPEG, "-f", "lavfi", "-i", f"testsrc2=size=320x180:rate={rate}", *sound, "-t", seconds, *codec, "-pix_fmt",
            "yuv420p", "-y", folder / f"{name}.flv")


@pytest.fixture(scope="session")
def movies(shared):
    """The folder of the streams that are published."""
    return shared("lowlatency", make)


class Receiver:
    def __init__(self, work, *words, window=10):
        self.work, self.words, self.window, self.log = work, words, window, work / "receive.log"

    def __enter__(self):
        self.work.mkdir(exist_ok=True)
        self.context = running(
            APUS, "receive", "rtmp://127.0.0.1:0/live", "-o", f"{self.work}/out/", "--hls", self.work / "web", "--hls-time", "2",
            "--hls-window", str(self.window), "--hls-part", "0.33", *self.words, "--json", log=self.log)
        self.process = self.context.__enter__()
        until(lambda: self.events("listening"), "it listens")
        self.port = next(line["port"] for line in self.events("listening"))
        if "--hls-listen" in self.words:
            until(lambda: "HLS at" in self.log.read_text(), "it serves")
            self.host = re.search(r"HLS at (http://[^/]+)", self.log.read_text())[1]
            self.web = f"{self.host}/cam"
        self.folder = self.work / "web/cam"
        return self

    def __exit__(self, *failure):
        self.context.__exit__(*failure)

    def events(self, name):
        return events(self.log, name)

    def playlist(self, name="video-1/index"):
        path = self.folder / f"{name}.m3u8"
        return path.read_text() if path.exists() else ""

    def end(self):
        self.process.terminate()
        assert finished(self.process) == 0 and not self.events("unpresented"), \
            f"it ends with {self.process.returncode}: {self.log.read_text()[-400:]}"


class Publisher(threading.Thread):
    """Sends the tags of a file when their time has come, and keeps when the last byte of each was sent."""

    def __init__(self, port, file, speed=1, key="cam"):
        super().__init__(daemon=True)
        self.file, self.speed, self.sent, self.is_cut = file, speed, [], threading.Event()
        # Held by those who want nothing to come for a while.
        self.turn = threading.Lock()
        self.link = rtmp.Client(port)
        self.link.publish(key)

    def run(self):
        data, place, start = self.file.read_bytes(), 13, time.monotonic()
        with contextlib.suppress(OSError):
            while place < len(data) and not self.is_cut.is_set():
                kind = data[place] & 31
                size, stamp = int.from_bytes(data[place + 1:place + 4], "big"), int.from_bytes(data[place + 4:place + 7], "big")
                body = data[place + 11:place + 11 + size]
                place += 15 + size
                time.sleep(max(0, start + stamp / 1000 / self.speed - time.monotonic()))
                with self.turn:
                    self.link.message(kind, body, stream=4, number=1, time=stamp)
                # Both forms of a tag say so of the configuration.
                is_picture = kind == 9 and (body[0] & 15 in (1, 3) if body[0] & 0x80 else body[1] == 1)
                if is_picture:
                    self.sent.append(time.monotonic())
            if not self.is_cut.is_set():
                self.link.end()

    def cut(self):
        self.is_cut.set()
        self.join()
        self.link.cut()


def fetch(url, **headers):
    """The status, the body and the seconds that it took."""
    start = time.monotonic()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=240) as answer:
            return answer.status, answer.read(), time.monotonic() - start
    except urllib.error.HTTPError as error:
        return error.code, error.read(), time.monotonic() - start


def is_whole(data):
    """Returns whether boxes end where the data ends."""
    place = 0
    while place < len(data):
        size = int.from_bytes(data[place:place + 4], "big")
        if size < 8:
            return False
        place += size
    return bool(data) and place == len(data)


def edge(text):
    """The number of the segment that is not whole, and the parts that are there of it."""
    sequence = int(re.search(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", text)[1])
    whole = re.findall(r"^\d+\.m4s$", text, re.M)
    return sequence + len(whole), PART.findall(text[text.rindex(whole[-1]):])


def rules(index, status=None):
    done = completed(APUS, "hls", "check", index, "--json", status=None, text=True)
    assert done.returncode in (0, 1), f"the check says {done.stderr}"
    return {(item["rule"], item["severity"]) for item in json.loads(done.stdout)}, json.loads(done.stdout)


def check(index, expected=frozenset()):
    found, items = rules(index)
    assert found == set(expected), f"the check finds {items}"


def copied(source, target):
    """Copies a file that may be gone by now, or that is only being written."""
    with contextlib.suppress(FileNotFoundError):
        shutil.copy(source, target)


def frozen(job, name):
    """The presentation as it is at a moment."""
    copy = job.work / name
    shutil.copytree(job.folder, copy, copy_function=copied, ignore=shutil.ignore_patterns(".*"))
    # Playlists of a moment between two copies may name what was not there when its folder was listed.
    for file in copy.glob("*/index.m3u8"):
        for part in re.findall(r'URI="([^"]+m4s)"|^(\d+\.m4s)$', file.read_text(), re.M):
            part = part[0] or part[1]
            here, there = job.folder / file.parent.name / part, file.parent / part
            if not there.exists():
                copied(here, there)
    return copy


def follow(job, publisher, rounds):
    """Asks for one part after the other; each is whole when it is named. Returns how long after their last picture they were, and
    how long answers took that waited for nothing."""
    text = fetch(f"{job.web}/video-1/index.m3u8")[1].decode()
    delays, answers, pictures = [], [], None
    for _ in range(rounds):
        segment, parts = edge(text)
        status, body, _ = fetch(f"{job.web}/video-1/index.m3u8?_HLS_msn={segment}&_HLS_part={len(parts)}")
        now = time.monotonic()
        text = body.decode()
        after, more = edge(text)
        assert status == 200 and (after, len(more)) > (segment, len(parts)), \
            f"for part {len(parts)} of {segment} there is {status}, {after} and {len(more)}"
        named = PART.findall(text)
        for _, name, _ in named[-2:]:
            status, body, taken = fetch(f"{job.web}/video-1/{name}")
            answers.append(taken)
            assert status == 200 and is_whole(body), f"{name} is named and {status}, {len(body)} bytes"
        # All parts that the playlist has are there from the first picture on in the beginning.
        pictures = round(sum(float(duration) for duration, _, _ in named) * 25)
        if "part-" in text and re.search(r"#EXT-X-MAP.*\n(#EXT-X-PROGRAM.*\n)?#EXT-X-PART", text):
            delays.append(now - publisher.sent[pictures - 1])
    return delays, answers


def ask(job, publisher):
    """What the server answers to requests that are not for the next part."""
    page = f"{job.web}/video-1/index.m3u8"
    text = fetch(page)[1].decode()
    for query in ("_HLS_msn={9}", "_HLS_msn={0}&_HLS_part=99", "_HLS_part=1", "_HLS_msn=x", "_HLS_msn=-1", "_HLS_msn={0}&_HLS_part="):
        # Not in the moment in which one segment follows another.
        with publisher.turn:
            segment, _ = edge(fetch(page)[1].decode())
            query = query.format(*range(segment, segment + 10))
            status, _, taken = fetch(f"{page}?{query}")
        # Who is let wait for what does not come waits for six seconds.
        assert status == 400 and taken <= 4, f"{query}: {status} after {taken:.2f} s"
    segment, _ = edge(fetch(page)[1].decode())
    status, body, _ = fetch(f"{page}?_HLS_msn={segment}")
    assert status == 200 and edge(body.decode())[0] > segment, f"for segment {segment} there is {status}: {body.decode()}"
    hint = re.search(r'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="([^"]+)"', fetch(page)[1].decode())[1]
    status, body, _ = fetch(f"{job.web}/video-1/{hint}")
    assert status == 200 and body == (job.folder / "video-1" / hint).read_bytes(), \
        f"the part that is hinted at is {status} and {len(body)} bytes"
    whole = re.findall(r"^\d+\.m4s$", text, re.M)[-1]
    data = (job.folder / "video-1" / whole).read_bytes()
    for given, wanted in (("bytes=8-15", (206, data[8:16])), ("bytes=-4", (206, data[-4:])), ("bytes=4-", (206, data[4:])),
                          (f"bytes={len(data)}-", (416, b"range not satisfiable\n")), ("bytes=3-1", (200, data))):
        assert fetch(f"{job.web}/video-1/{whole}", Range=given)[:2] == wanted, f"for {given} there is something else"
    for name in ("video-1/part-1.m4s", "video-1/.index.m3u8", "../out/cam.flv", "%2e%2e/%2e%2e/out/cam.flv", "video-1/", ""):
        assert fetch(f"{job.web}/{name}")[0] == 404, f"{name} is served"
    # Links in the folder lead nowhere, and a NUL ends no name.
    (job.folder / "video-1/link.m4s").symlink_to("/etc/hostname")
    (job.folder / "out").symlink_to(job.folder / "video-1")
    for name, status in (("video-1/link.m4s", 404), (f"out/{whole}", 404), ("index.m3u8%00", 400), ("index.m3u8?_HLS_msn=1&_HLS_msn=2", 400)):
        assert (found := fetch(f"{job.web}/{name}")[0]) == status, f"{name} is answered with {found}"
    (job.folder / "video-1/link.m4s").unlink()
    (job.folder / "out").unlink()


BROKEN = [
    ("part-readable", "error", r'part-\d+', "part-1"),
    ("part-duration", "error", r"PART:DURATION=0\.32", "PART:DURATION=0.34"),
    ("part-duration", "warning", r'DURATION=0\.320000(,URI="[^"]+")\n', r"DURATION=0.100000\1\n"),
    ("part-length", "error", r'DURATION=0\.320000(,URI="[^"]+")\n', r"DURATION=0.100000\1\n"),
    ("part-length", "warning", r"DURATION=0\.320000", "DURATION=0.250000"),
    ("part-independent", "warning", ",INDEPENDENT=YES", ""),
    ("part-independent", "error", r'(#EXT-X-PART:[^\n]*m4s")\n', r"\1,INDEPENDENT=YES\n"),
    ("part-whole", "error", r"#EXT-X-PART:[^\n]*\n", ""),
    ("part-age", "warning", r"TARGETDURATION:2", "TARGETDURATION:1"),
    ("part-target", "error", r"#EXT-X-PART-INF[^\n]*\n", ""),
    ("part-target", "error", r"\Z", "#EXT-X-ENDLIST\n"),
    ("part-hold-back", "error", r"PART-HOLD-BACK=0\.99", "PART-HOLD-BACK=0.5"),
    ("part-hold-back", "error", r",PART-HOLD-BACK=[\d.]+", ""),
    ("part-hold-back", "warning", r"PART-HOLD-BACK=0\.99", "PART-HOLD-BACK=0.8"),
    ("block-reload", "note", "CAN-BLOCK-RELOAD=YES,", ""),
    ("preload-hint", "warning", "CAN-BLOCK-RELOAD=YES,", ""),
    ("preload-hint", "warning", r"#EXT-X-PRELOAD-HINT[^\n]*\n", ""),
    ("preload-hint", "error", r'(URI="part-\d+\.m4s")(.*HINT:TYPE=PART,)URI="[^"]+"', r"\1\2\1"),
    ("rendition-reports", "warning", r"#EXT-X-RENDITION-REPORT[^\n]*\n", ""),
    ("rendition-reports", "error", r"\.\./audio-1", "../video-1"),
    ("rendition-reports", "error", r"\.\./audio-1", "../audio-7"),
    ("rendition-reports", "error", r"(#EXT-X-RENDITION-REPORT[^\n]*\n)", r"\1\1"),
    ("skip-boundary", "error", "CAN-SKIP-UNTIL=12", "CAN-SKIP-UNTIL=11"),
    ("version", "error", r"VERSION:9", "VERSION:8\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1"),
]


def break_rules(copy):
    file = copy / "video-1/index.m3u8"
    kept = file.read_text()
    for rule, severity, old, new in BROKEN:
        text = re.sub(old, new, kept, count=1, flags=re.S)
        assert text != kept, f"{rule}: there is no {old} in {kept}"
        file.write_text(text)
        found, items = rules(copy / "index.m3u8")
        file.write_text(kept)
        assert (rule, severity) in found, f"{rule} ({severity}) is not found: {items}"


def same_samples(copy, track, kind):
    """The parts of each segment, joined, are the same pictures and sound as the segment."""
    folder = copy / track
    text = (folder / "index.m3u8").read_text()
    header = (folder / re.search(r'#EXT-X-MAP:URI="([^"]+)"', text)[1]).read_bytes()
    found = 0
    for parts, whole in re.findall(r"((?:#EXT-X-PART:[^\n]*\n)+)#EXTINF[^\n]*\n(\d+\.m4s)", text):
        names = [name for _, name, _ in PART.findall(parts)]
        joined, alone = folder / "joined.mp4", folder / "alone.mp4"
        joined.write_bytes(header + b"".join((folder / name).read_bytes() for name in names))
        alone.write_bytes(header + (folder / whole).read_bytes())
        one, other = (media.column(run(FFMPEG, "-i", file, "-map", f"0:{kind}:0", "-c", "copy", "-f", "framehash", "-"))
                      for file in (joined, alone))
        assert one == other and one, f"the parts of {whole} in {track} have {len(one)} packets, the segment {len(other)}"
        found += 1
    assert found >= 2, f"{track} has {found} segments with parts: {text}"


def look_into(copy):
    break_rules(copy)
    same_samples(copy, "video-1", "v")
    same_samples(copy, "audio-1", "a")


def test_parts_come_from_the_server_soon_after_their_last_picture_also_when_a_publisher_returns(folder, movies):
    """HEVC."""
    source = movies / "hevc.flv"
    with Receiver(folder, "--hls-listen", "127.0.0.1:0") as job:
        publisher = Publisher(job.port, source)
        publisher.start()
        until(lambda: job.playlist().count("#EXTINF") >= 1, "a segment is there")
        delays, answers = follow(job, publisher, 8)
        ask(job, publisher)
        copy = frozen(job, "first")
        check(copy / "index.m3u8")
        publisher.cut()
        until(lambda: job.events("ended"), "the stream is over")
        text = job.playlist()
        assert "PRELOAD-HINT" not in text and "ENDLIST" not in text, f"a stream that may come again has {text}"
        segment, _ = edge(text)
        # A stream that stays away for a minute comes again as another, so that what takes long is done beside.
        with concurrent.futures.ThreadPoolExecutor() as pool:
            beside = pool.submit(look_into, copy)
            status, _, taken = fetch(f"{job.web}/video-1/index.m3u8?_HLS_msn={segment + 1}")
            assert status == 503 and 5 < taken < 15, f"for what does not come there is {status} after {taken:.1f} s"
            second = Publisher(job.port, source)
            second.start()
            until(lambda: re.search(r"#EXT-X-DISCONTINUITY\n#EXT-X-MAP[^\n]*\n#EXT-X-PROGRAM[^\n]*\n#EXT-X-PART", job.playlist()),
                  "it goes on in parts after a discontinuity")
            until(lambda: job.playlist()[job.playlist().index("#EXT-X-DISCONTINUITY\n"):].count("#EXTINF") >= 2, "two more segments")
            check(frozen(job, "second") / "index.m3u8")
            second.cut()
            job.end()
            assert not list(job.folder.glob("*/part-*")) and "#EXT-X-PART" not in job.playlist(), \
                "parts stay when the presentation has ended"
            check(job.folder / "index.m3u8")
            beside.result()
    assert delays, "no delay was measured"
    # A picture lasts 0.04 s, and how long it lasts is known when the next one comes. On a machine that is busy everything is late.
    late, usual = (sorted(times)[len(times) // 2] for times in (delays, answers))
    assert late <= 0.5 + 5 * usual, f"parts are named {delays} s after their last picture"
    print(f"parts {1000 * min(delays):.0f} to {1000 * max(delays):.0f} ms after their last picture")


def test_parts_in_plain_files_promise_no_server_and_play(folder, movies):
    """H.264, in FFmpeg while it comes, and in Chromium part by part."""
    source = movies / "avc.flv"
    with Receiver(folder) as job:
        publisher = Publisher(job.port, source)
        publisher.start()
        until(lambda: job.playlist().count("#EXTINF") >= 3, "three segments are there")
        text = job.playlist()
        assert "PRELOAD-HINT" not in text and "CAN-BLOCK" not in text and "PART-HOLD-BACK=0.99" in text, f"the playlist is {text}"
        copy = frozen(job, "copy")
        check(copy / "index.m3u8", {("block-reload", "note")})
        played = run(FFMPEG, "-xerror", "-live_start_index", "0", "-i", job.folder / "index.m3u8", "-t", "2", "-f",
                     "null", "-")
        assert not played.strip(), f"FFmpeg says while it comes: {played}"
        codecs = re.search(r'CODECS="([^"]+)"', (copy / "index.m3u8").read_text())[1].split(",")
        tracks = []
        for track, kind, codec in (("video-1", "video", codecs[0]), ("audio-1", "audio", codecs[1])):
            text = (copy / track / "index.m3u8").read_text()
            names = [re.search(r'MAP:URI="([^"]+)"', text)[1], *(name for _, name, _ in PART.findall(text))]
            tracks.append({"type": f'{kind}/mp4; codecs="{codec}"', "parts": [[f"{track}/{name}", 0, 0] for name in names]})
        report = browser.play(copy, tracks)
        assert not report["corrupted"] and report["duration"] >= 6, report
        assert all(len(ranges) == 1 for ranges in report["buffered"]), report
        publisher.cut()
        job.end()
        check(job.folder / "index.m3u8")


def test_a_stream_of_few_pictures_and_key_frames_has_even_parts(folder, movies):
    """15 pictures a second without sound, and a key frame in ten seconds."""
    source = movies / "slow.flv"
    with Receiver(folder) as job:
        publisher = Publisher(job.port, source)
        publisher.start()
        until(lambda: job.playlist().count("#EXTINF") >= 1 and edge(job.playlist())[1], "a segment is there, and more")
        text = job.playlist()
        target = float(re.search(r"PART-TARGET=([\d.]+)", text)[1])
        parts = [float(duration) for duration, _, _ in PART.findall(text)]
        assert 0.26 < target < 0.28 and len(parts) >= 30 and max(parts) <= target, f"the playlist is {text}"
        check(frozen(job, "copy") / "index.m3u8", {("block-reload", "note")})
        publisher.cut()
        job.end()


def taken_apart(text):
    """A playlist as what precedes its segments, its number, how many segments are left out, the lines of each segment with its
    header, and what follows them."""
    number = int(re.search(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", text)[1])
    skipped = int((re.search(r"#EXT-X-SKIP:SKIPPED-SEGMENTS=(\d+)", text) or [0, 0])[1])
    head, segments, lines, header = [], [], [], None
    for line in text.splitlines():
        if line.startswith("#EXT-X-SKIP:"):
            continue
        if line.startswith("#EXT-X-MAP:"):
            header = line
        elif header is None:
            head.append(line)
        else:
            lines.append(line)
            if not line.startswith("#"):
                segments.append((header, lines))
                lines = []
    return head, number, skipped, segments, lines


def joined(before, update):
    """What a player makes of an update and of the playlist that it has."""
    _, old, _, known, _ = taken_apart(before)
    head, number, skipped, segments, rest = taken_apart(update)
    kept = known[number - old:number - old + skipped]
    assert number >= old and len(kept) == skipped, \
        f"{skipped} segments from {number} on are left out, of {len(known)} from {old} on"
    # The parts of old segments go.
    kept = [(header, [line for line in lines if not line.startswith("#EXT-X-PART:")]) for header, lines in kept]
    return head, number, 0, kept + segments, rest


def test_updates_with_the_playlists_before_them_are_the_whole_ones(folder, movies):
    """Four times as fast as it plays, and for those who know the key to play."""
    source = movies / "updates.flv"
    keys = folder / "keys.txt"
    keys.write_text("cam publish=cam-in play=watch-7\nopen publish=open-in play=*\nclosed publish=closed-in\n")
    with Receiver(folder, "--hls-listen", "127.0.0.1:0", "--keys", keys, window=24) as job, proxy(folder, job) as port:
        publisher = Publisher(job.port, source, speed=4, key="cam-in")
        publisher.start()
        until(lambda: (job.folder / "index.m3u8").exists(), "a segment is there")
        header = re.search(r'MAP:URI="([^"]+)"', job.playlist())[1]
        for name in ("open", "closed"):
            shutil.copytree(job.folder, job.folder.parent / name, copy_function=copied, ignore=shutil.ignore_patterns(".*"))
        for key, status in {"watch-7": 200, "cam": 404, "cam-in": 404, "open": 200, "open-in": 404, "closed": 404, "watch": 404}.items():
            for file in ("index.m3u8", "video-1/index.m3u8", f"video-1/{header}"):
                assert fetch(f"{job.host}/{key}/{file}")[0] == status, f"{key}/{file} is not answered with {status}"
        through_nginx(port)
        pages = [f"{job.host}/watch-7/{name}/index.m3u8" for name in ("video-1", "audio-1")]
        known = {page: fetch(page)[1].decode() for page in pages}
        sizes, compared = [], 0
        while publisher.is_alive():
            for page in pages:
                segment, parts = edge(known[page])
                query = f"{page}?_HLS_msn={segment}&_HLS_part={len(parts)}"
                status, waited, _ = fetch(f"{query}&_HLS_skip=YES")
                if status != 200:
                    break
                with publisher.turn:
                    now, whole = (fetch(url)[1].decode() for url in (f"{query}&_HLS_skip=YES", page))
                for update in (waited.decode(), now):
                    if taken_apart(whole)[4] != taken_apart(update)[4]:  # Something has come in between.
                        continue
                    compared += 1
                    assert joined(known[page], update) == taken_apart(whole), f"{known[page]} with {update} is not {whole}"
                    if "#EXT-X-SKIP" in update:
                        sizes.append((len(update), len(whole)))
                        kept = sum(map(float, re.findall(r"#EXTINF:([\d.]+)", update)))
                        assert 11.9 < kept < 14.1 and "CAN-SKIP-UNTIL=12," in update, f"an update has {kept} s: {update}"
                        if page == pages[0]:
                            last = page, update
                known[page] = whole
        assert compared >= 20 and len(sizes) >= 10, f"{compared} updates were compared, {len(sizes)} left something out"
        page, update = last
        publisher.join()
        job.end()
        assert fetch_file(job, page) == "", "a playlist that has ended promises updates"
        file = folder / "update/video-1/index.m3u8"
        shutil.copytree(job.folder, folder / "update")
        file.write_text(update)
        for old, new, expected in [
            ("", "", False), (r"(EXT-X-SKIP[^\n]*\n)(#EXT-X-MAP[^\n]*\n)(?:.*?m4s\n){2}", r"\1\2", True),
            ("CAN-SKIP-UNTIL=12,", "", True), ("CAN-SKIP-UNTIL=12", "CAN-SKIP-UNTIL=11.9", True),
        ]:
            file.write_text(re.sub(old, new, update, count=1, flags=re.S))
            found = rules(file)[1]
            assert any(item["rule"] == "skip-boundary" for item in found) == expected, f"{old} as {new}: {found}"
        file.write_text(update)
        text = run(APUS, "remux", file, "-o", folder / "update.mp4", status=1)
        assert "EXT-X-SKIP" in text, f"an update is refused with: {text}"
    small, large = (sum(column) / len(column) for column in zip(*sizes))
    print(f"{compared} updates, {len(sizes)} of them with {small:.0f} instead of {large:.0f} bytes")


def proxy(folder, job):
    """nginx as the guide has it before the server of a job: its port."""
    guide = (ROOT / "Sources/ApusCommand/apus.docc/ChannelGuide.md").read_text()
    server = re.search(r"^```nginx\n(.*?)^```", guide, re.M | re.S)[1]
    return nginx.proxy(folder / "nginx", server, job.host.rsplit(":", 1)[1])


def through_nginx(port):
    """The proxy of the guide passes on what is held, and what is refused."""
    trust = ssl._create_unverified_context()
    page = f"https://127.0.0.1:{port}/watch-7/video-1/index.m3u8"
    with urllib.request.urlopen(page, timeout=240, context=trust) as answer:
        segment, parts = edge(answer.read().decode())
    with urllib.request.urlopen(f"{page}?_HLS_msn={segment}&_HLS_part={len(parts)}", timeout=240, context=trust) as answer:
        after, more = edge(answer.read().decode())
    assert (after, len(more)) > (segment, len(parts)), f"after part {len(parts)} of {segment} nginx gives {len(more)} of {after}"
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"https://127.0.0.1:{port}/cam/index.m3u8", timeout=240, context=trust)
    assert refused.value.code == 404, "nginx gives a stream to those who have no key"


def fetch_file(job, page):
    """What the file of a playlist says of updates."""
    text = (job.folder / page.split("/", 4)[4]).read_text()
    return "".join(re.findall(r"#EXT-X-SKIP[^\n]*|CAN-SKIP[^\n]*", text))
