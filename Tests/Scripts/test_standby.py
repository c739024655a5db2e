# SPDX-License-Identifier: MIT
"""What apus stream makes of several files, of an input that stalls, and of a stream that a server gives, is one stream:
no picture is lost, times go on, and sound stays with the pictures."""

import contextlib
import itertools
import os
import re
import signal
import time

import pytest

import media
import nginx
from jobs import Job, receiver
from programs import APUS, FFMPEG, completed, finished, free_port, run, running, until

pytestmark = [pytest.mark.waits, pytest.mark.apart]

OLD_FFMPEG = ("/usr/bin/ffmpeg", "-nostdin", "-v", "error")
FRAME = 0.04
CODECS = {
    "hevc": ["libx265", "-x265-params", "log-level=none:pools=1:frame-threads=1:keyint=25:bframes=3", "-tag:v", "hvc1"],
    "plain": ["libx265", "-x265-params", "log-level=none:pools=1:frame-threads=1:keyint=25:bframes=0", "-tag:v", "hvc1"],
    "avc": ["libx264", "-g", "25", "-bf", "2"],
    "baseline": ["libx264", "-g", "25", "-bf", "0", "-profile:v", "baseline"],
}


def make_one(path, seconds, size, codec):
    """In each second a flash with a beep."""
    during = "between(mod(t,1),0.395,0.595)"
    run(FFMPEG, "-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25,lutyuv=y=val/8,drawbox=color=white:t=fill:enable='{during}'",
        "-f", "lavfi", "-i", f"aevalsrc='if({during},0.5*sin(2*PI*1000*t),0)':s=44100", "-t", seconds, "-c:v", *CODECS[codec],
        "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-y", path)
    return path


def make(folder):
    make_one(folder / "hevc.mp4", 3, "320x180", "hevc")
    make_one(folder / "plain.mp4", 2, "160x90", "plain")
    make_one(folder / "avc.mp4", 3, "320x180", "avc")
    make_one(folder / "long.mp4", 20, "320x180", "avc")
    make_one(folder / "baseline.mp4", 2, "160x90", "baseline")


@pytest.fixture(scope="session")
def movies(shared):
    """Movies by their names."""
    return {path.stem: path for path in shared("standby", make).glob("*.mp4")}


def onsets(path, track, filters, key, limit):
    """When something that a filter measures rises above a limit."""
    text = run(FFMPEG, "-copyts", "-i", path, "-map", track, *filters, "-f", "null", "-")
    found, was = [], True
    for at, value in re.findall(rf"pts_time:(\S+)\s+{re.escape(key)}=(\S+)", text):
        if (is_on := float(value) > limit) and not was:
            found.append(float(at))
        was = is_on
    return found


def check_sync(path, least, seams=0):
    """Each flash has its beep; at each seam, and at an end that comes at any time, one of them may be cut off."""
    video = "lavfi.signalstats.YAVG"
    audio = "lavfi.astats.Overall.RMS_level"
    flashes = onsets(path, "0:v:0", ["-vf", f"signalstats,metadata=print:key={video}:file=-", "-fps_mode", "passthrough"], video, 120)
    beeps = onsets(path, "0:a:0", [
        "-af", f"asetnsamples=n=220,astats=metadata=1:reset=1,ametadata=print:key={audio}:file=-"], audio, -30)
    apart = [min((abs(flash - beep) for beep in beeps), default=9) for flash in flashes]
    assert sum(one <= 0.04 for one in apart) >= max(least, len(flashes) - seams), \
        f"{path.name}: flashes are apart from their beeps by {[round(1000 * one) for one in apart]} ms"


# How much later the first picture of an input is shown where those are left out that lead it in HEVC, in milliseconds.
LED = 200


def arrive(path, more):
    """Waits until so many more pictures are in a recording."""
    wanted = media.count(path) + more
    until(lambda: media.count(path) >= wanted, f"{more} more pictures in {path.name}")


def check_times(path, count=None, cuts=0, longest=160):
    """Pictures follow each other without a gap, and decoding times rise. Where a stream is cut off, at its end too, a few pictures that
    are shown before the last one and decoded after it are missing."""
    times = media.times(path)
    shown = sorted(time for _, time in times)
    steps = [round(1000 * (after - before)) for before, after in zip(shown, shown[1:])]
    odd = [(round(at, 3), step) for at, step in zip(shown, steps) if not 38 <= step <= 42]
    assert len(odd) <= cuts and not any(not 40 < step <= longest for _, step in odd), \
        f"{path.name}: pictures are apart by {odd[:9]} ms"
    decoded = [time for time, _ in times]
    assert not any(after <= before for before, after in zip(decoded, decoded[1:])), f"{path.name}: decoding times fall"
    assert count in (None, len(times)), f"{path.name}: {len(times)} pictures of {count} arrive"
    sound = run(FFMPEG, "-copyts", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "framehash", "-")
    heard = [int(line.split(",")[2]) for line in sound.splitlines() if line[:1] not in "#"]
    assert not any(after <= before for before, after in zip(heard, heard[1:])), f"{path.name}: times of sound fall"
    said = run(FFMPEG, "-xerror", "-i", path, "-f", "null", "-")
    assert not said.strip(), f"{path.name}: {said[:400]}"
    return len(times)


def test_files_in_turn_become_one_stream(folder, movies):
    """HEVC in two sizes, with and without pictures that are decoded early."""
    with receiver(folder / "one") as one:
        with Job("stream", folder / "log", movies["hevc"], movies["plain"], movies["hevc"], one.url,
                 "--dialect", "enhanced") as job:
            assert not finished(job.process), "a list ends with a failure"
            assert (
                [event["name"] for event in job.events("input")] == [str(movies[name]) for name in ("hevc", "plain", "hevc")]
            ), f"inputs: {job.events('input')}"
            assert len(job.events("configuration")) == 2, f"configurations: {job.events('configuration')}"
        one.wait("written")
        check_times(folder / "one/out.flv", 75 + 50 + 75)
        check_sync(folder / "one/out.flv", 8)


def test_a_list_that_loops_becomes_one_stream(folder, movies):
    """AVC in two sizes to FFmpeg 5.1, as fast as it takes it."""
    port, arrived = free_port(), folder / "decoded.txt"
    url = f"rtmp://127.0.0.1:{port}/live/secret"
    rounds = [*OLD_FFMPEG, "-copyts", "-listen", "1", "-i", url, "-vf", "scale=64:36", "-fps_mode", "passthrough", "-t", "12",
              "-f", "framecrc", "-y", arrived]
    with running(*rounds, port=port) as server:
        with Job("stream", folder / "log", movies["avc"], movies["baseline"], url, "--loop", "--no-pace") as job:
            finished(server)
            job.process.send_signal(signal.SIGTERM)
            finished(job.process)
    rows = [line.split(",") for line in arrived.read_text().splitlines() if line[:1] not in "#"]
    shown = [int(row[2]) for row in rows if row[0] == "0"]
    base = next(line for line in arrived.read_text().splitlines() if line.startswith("#tb 0:"))
    unit = int(base.split(":")[1].split("/")[0]) / int(base.split("/")[1])
    steps = {round(1000 * unit * (after - before)) for before, after in zip(shown, shown[1:])}
    assert len(shown) >= 290 and steps <= {39, 40, 41}, f"{len(shown)} pictures, apart by {steps} ms"


def test_a_standby_plays_while_an_input_stalls_or_is_gone(folder, movies):
    """A named pipe whose writer is stopped, goes on, ends, and comes again."""
    fifo = folder / "camera.fifo"
    os.mkfifo(fifo)
    camera = [*OLD_FFMPEG, "-re", "-i", movies["long"], "-c", "copy", "-f", "flv", "-y", fifo]
    with contextlib.ExitStack() as stack:
        one = stack.enter_context(receiver(folder / "one"))
        writer = stack.enter_context(running(*camera))
        job = stack.enter_context(Job(
            "stream", folder / "log", fifo, one.url, "--standby", movies["baseline"], "--stall", "1"))
        arrived = folder / "one/out.flv"
        job.wait("publishing")
        arrive(arrived, 60)
        writer.send_signal(signal.SIGSTOP)
        job.wait("standby", state="on")
        time.sleep(2.5)
        writer.send_signal(signal.SIGCONT)
        job.wait("standby", state="off")
        arrive(arrived, 50)
        writer.kill()
        writer.wait()
        job.wait("standby", 2, state="on")
        time.sleep(1.3)
        stack.enter_context(running(*camera))
        job.wait("standby", 2, state="off")
        arrive(arrived, 50)
        job.process.send_signal(signal.SIGTERM)
        finished(job.process)
        total = job.events("standby", state="total")[0]
        # On a machine that is busy the camera itself may give nothing for a second, also just before it is stopped. How long
        # each stand-by is shown is a matter of the unit tests, which have a clock of their own.
        switches = total["switches"]
        assert switches >= 2 and 0 < total["seconds"] <= 15, f"the stand-by: {total}"
        assert len(job.events("publishing")) == 1, "the server notices"
        one.wait("written")
    count = check_times(arrived, cuts=switches + 1)
    assert count >= 200, f"{count} pictures arrive"
    check_sync(arrived, 7, seams=2 * switches)


COLOURS = [(200, 30, 30), (30, 160, 30), (40, 40, 190), (220, 220, 220)]


def quarters(path):
    """A square of four colours."""
    parts = "".join(f"color=0x{''.join(f'{value:02x}' for value in colour)}:size=100x100[{at}];" for at, colour in enumerate(COLOURS))
    run(FFMPEG, "-filter_complex", parts + "[0][1]hstack[top];[2][3]hstack[below];[top][below]vstack", "-frames:v", "1",
        "-pix_fmt", "rgb24", "-y", path)
    return path


def slates(path, size, side):
    """Which of the decoded pictures show the square in the middle of black, by their numbers."""
    width, height = map(int, size.split("x"))
    text = completed(FFMPEG, "-xerror", "-i", path, "-map", "0:v", "-vf", f"scale={size},format=rgb24", "-fps_mode", "passthrough",
                     "-f", "rawvideo", "-").stdout
    left, top, quarter = (width - side) // 2, (height - side) // 2, side // 4
    expected = {(left + quarter * x, top + quarter * y): COLOURS[index]
                for index, (x, y) in enumerate([(1, 1), (3, 1), (1, 3), (3, 3)])}
    if left > 8:
        expected |= {(left // 2, height // 2): (0, 0, 0), (width - left // 2, height // 2): (0, 0, 0)}
    found, length = [], width * height * 3
    for number in range(len(text) // length):
        pixel = lambda x, y: text[number * length + (y * width + x) * 3:][:3]
        if all(abs(one - two) <= 8 for place, colour in expected.items() for one, two in zip(pixel(*place), colour)):
            found.append(number)
    return found, len(text) // length


@pytest.mark.parametrize("ending, name, words", [("png", "long", []), ("heic", "hevc", ["--dialect", "enhanced"])])
def test_a_still_picture_is_shown_in_the_size_of_the_input_while_it_stalls(folder, movies, ending, name, words):
    """A PNG in the place of H.264, and a HEIC in that of HEVC, with silence."""
    source, picture = movies[name], quarters(folder / "slate.png")
    if ending == "heic":
        picture = folder / "slate.heic"
        run(APUS, "convert", folder / "slate.png", "-o", picture)
    fifo = folder / "camera.fifo"
    os.mkfifo(fifo)
    camera = [FFMPEG, "-re", "-stream_loop", "-1", "-i", source, "-c", "copy", "-f", "flv", "-y", fifo]
    with contextlib.ExitStack() as stack:
        one = stack.enter_context(receiver(folder / "one"))
        writer = stack.enter_context(running(*camera))
        job = stack.enter_context(Job("stream", folder / "log", fifo, one.url, "--standby", picture, "--stall", "1", *words))
        arrived = folder / "one/out.flv"
        job.wait("publishing")
        arrive(arrived, 30)
        writer.send_signal(signal.SIGSTOP)
        job.wait("standby", state="on")
        time.sleep(2.5)
        writer.send_signal(signal.SIGCONT)
        job.wait("standby", state="off")
        arrive(arrived, 30)
        job.process.send_signal(signal.SIGTERM)
        finished(job.process)
        one.wait("written")
    shown, count = slates(arrived, "320x180", 180)
    # On a machine that is busy the camera itself may give nothing for a second, for which there is a picture or two more.
    runs = [[number for _, number in run]
            for _, run in itertools.groupby(enumerate(shown), lambda place: place[1] - place[0])]
    longest, switches = max(runs, key=len, default=[]), job.events("standby", state="total")[0]["switches"]
    assert 20 <= len(longest) <= 60 and longest[-1] <= count - 20 and len(runs) <= switches, \
        f"{picture.name}: {len(shown)} of {count} pictures show it: {shown}"
    check_still_times(arrived, shown)


def check_still_times(path, shown=()):
    """Ten pictures a second while the stand-by plays, and no gap; times rise, and everything can be decoded."""
    times = media.times(path)
    decoded, presented = [time for time, _ in times], sorted(time for _, time in times)
    assert not any(after <= before for before, after in zip(decoded, decoded[1:])), f"{path.name}: decoding times fall"
    steps = [round(1000 * (after - before)) for before, after in zip(presented, presented[1:])]
    assert not any(not 95 <= steps[number] <= 105 for number in shown if number + 1 in shown) and max(steps) <= 110 + LED, \
        f"{path.name}: pictures are apart by {steps} ms"
    said = run(FFMPEG, "-xerror", "-i", path, "-f", "null", "-")
    assert not said.strip(), f"{path.name}: {said[:400]}"
    sound = run(FFMPEG, "-copyts", "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "framehash", "-")
    heard = [int(line.split(",")[2]) for line in sound.splitlines() if line[:1] not in "#"]
    fallen = [(before, after) for before, after in zip(heard, heard[1:]) if after <= before]
    assert not fallen, f"{path.name}: times of sound fall: {fallen}"


def test_a_still_picture_is_sent_in_its_own_size_if_no_input_comes(folder, movies):
    """As HEVC."""
    fifo = folder / "camera.fifo"
    os.mkfifo(fifo)
    with receiver(folder / "one") as one:
        with Job("stream", folder / "log", fifo, one.url, "--standby", quarters(folder / "slate.png"), "--stall", "1", "--dialect",
                 "enhanced") as job:
            job.wait("publishing")
            arrive(folder / "one/out.flv", 20)
            job.process.send_signal(signal.SIGTERM)
            finished(job.process)
        one.wait("written")
    shown, count = slates(folder / "one/out.flv", "200x200", 200)
    assert len(shown) == count and count >= 15, f"{len(shown)} of {count} pictures show it"
    check_still_times(folder / "one/out.flv", shown)
    loudest = run(FFMPEG, "-v", "info", "-i", folder / "one/out.flv", "-af", "volumedetect", "-f", "null", "-")
    assert "max_volume: -91.0 dB" in loudest and "48000 Hz, stereo" in loudest, f"the sound of a still picture: {loudest[-900:]}"


def test_a_still_picture_that_is_broken_is_refused(folder):
    broken = folder / "broken.png"
    broken.write_bytes(quarters(folder / "slate.png").read_bytes()[:100])
    text = run("sh", "-c", 'exec "$1" stream - rtmp://127.0.0.1:1/a/b --standby "$2" < /dev/zero', "sh", APUS, broken, status=1)
    assert "broken.png" in text, f"a picture that is broken is refused with: {text}"


def pulled(folder, url, target, *words):
    return Job("stream", folder / "log", url, target, "--retry", "20", *words)


def compare_end(path, expected, least):
    """The last pictures and packets of sound are there, as they were."""
    for what, found, wanted in zip(("pictures", "packets of sound"), media.hashes(path), expected):
        assert len(found) >= least and found == wanted[-len(found):], \
            f"{path}: {len(found)} {what} are not the end of {len(wanted)}"


@pytest.mark.parametrize("name, words", [("avc", []), ("hevc", ["--dialect", "legacy", "--repeat-config"])])
def test_a_stream_that_nginx_serves_arrives(folder, movies, name, words):
    """AVC, and HEVC in the legacy dialect, which nginx-rtmp passes on unchanged."""
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(nginx.relay(folder / "nginx"))
        one = stack.enter_context(receiver(folder / "one"))
        url = f"rtmp://127.0.0.1:{port}/live/secret"
        job = stack.enter_context(pulled(folder, url, one.url, "--dialect", "enhanced"))
        log = folder / "nginx/error.log"
        until(lambda: "play: name='secret'" in log.read_text(), "nginx is asked")
        run(APUS, "stream", movies[name], url, *words)
        assert not finished(job.process), f"a stream that ends: status {job.process.returncode}"
        one.wait("written")
        compare_end(folder / "one/out.flv", media.hashes(movies[name]), 50)
        check_times(folder / "one/out.flv")


def test_a_stream_that_ffmpeg_serves_arrives_and_ends_with_it(folder, movies):
    with receiver(folder / "one") as one:
        port = free_port()
        url = f"rtmp://127.0.0.1:{port}/live/secret"
        command = [*OLD_FFMPEG, "-re", "-i", movies["avc"], "-c", "copy", "-f", "flv", "-listen", "1", url]
        with running(*command, port=port) as server, pulled(folder, url, one.url) as job:
            finished(server)
            ended = time.monotonic()
            assert not finished(job.process), f"a server that ends: status {job.process.returncode}"
            assert time.monotonic() - ended <= 10, "the end of the server is not the end"
        one.wait("written")
        check_times(folder / "one/out.flv", 75)
        check_sync(folder / "one/out.flv", 3)


def test_a_stream_goes_on_when_its_server_is_killed_and_started_again(folder, movies):
    """HEVC in the enhanced dialect from our own server."""
    port = free_port()
    (folder / "from").mkdir()
    source = f"rtmp://127.0.0.1:{port}/live/secret"
    server = [APUS, "receive", source, "-o", folder / "from/out.flv"]
    with receiver(folder / "one") as one, contextlib.ExitStack() as stack:
        publisher = stack.enter_context(Job(
            "stream", folder / "publisher", movies["hevc"], source, "--loop", "--retry", "20", "--dialect", "enhanced"))
        with running(*server, port=port) as first:
            job = stack.enter_context(pulled(folder, source, one.url, "--dialect", "enhanced"))
            job.wait("publishing")
            arrive(folder / "one/out.flv", 40)
            first.kill()
            first.wait()
        with running(*server, port=port):
            job.wait("input", state="lost")
            arrive(folder / "one/out.flv", 100)
            job.process.send_signal(signal.SIGTERM)
            finished(job.process)
            assert len(job.events("publishing")) == 1, "the target notices"
        one.wait("written")
    # A machine that is busy may leave pictures out, which is reported.
    left = sum(len(one.events("dropped")) for one in (publisher, job))
    assert check_times(folder / "one/out.flv", cuts=2 + left, longest=50 + LED) >= 90, \
        "too little arrives after a server was started again"
    check_sync(folder / "one/out.flv", 3, seams=2)
