#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What apus stream publishes arrives whole at servers that others wrote, in both dialects, over TCP and TLS."""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import media  # noqa: E402
import nginx  # noqa: E402
from programs import APUS, FFMPEG, Failure, finished, free_port, run, running, stopped, until  # noqa: E402


def set_up():
    """Installs the peers; the Python that has pyrtmp."""
    script = '. "$1"/Scripts/setup; need_packages run test; need_python test; echo "$python"'
    done = subprocess.run(["bash", "-c", script, "publish", ROOT], stdout=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL, check=True)
    return done.stdout.strip()


def publish(source, url, dialect, *words, status=0):
    return run(APUS, "stream", source, url, "--dialect", dialect, "--no-pace", *words, status=status)


def compare(arrived, published):
    for what, found, expected in zip(("pictures", "packets of sound"), media.hashes(arrived), published):
        if found != expected:
            same = sum(left == right for left, right in zip(found, expected))
            raise Failure(f"{len(found)} {what} arrive, {same} of {len(expected)} as they were")


def to_ffmpeg(work, source, dialect, _):
    port, arrived = free_port(), work / "ffmpeg.flv"
    url = f"rtmp://127.0.0.1:{port}/live/key"
    with running(FFMPEG, "-listen", "1", "-i", url, "-c", "copy", "-y", arrived, port=port) as server:
        publish(source, url, dialect)
        finished(server)
    return arrived


def to_nginx(work, source, dialect, _):
    with nginx.relay(work / "nginx") as port:
        publish(source, f"rtmp://127.0.0.1:{port}/live/key", dialect)
        return recorded(work / "nginx")


def recorded(folder):
    """The only recording, once nginx has closed it."""
    log = folder / "error.log"
    until(lambda: "disconnect" in log.read_text(), "nginx ends the session")
    (path,) = (folder / "recorded").iterdir()
    return path


def to_nginx_by_tls(work, source, dialect, _):
    with nginx.relay(work / "nginx") as behind, nginx.front(work / "front", behind) as port:
        url = f"rtmps://127.0.0.1:{port}/live/key"
        refused = publish(source, url, dialect, status=1)
        if "certificate" not in refused:
            raise Failure(f"a certificate that nobody vouches for is refused with: {refused}")
        publish(source, url, dialect, "--ca-file", work / "front/certificate.pem")
        return recorded(work / "nginx")


def coded_by_tls(work, source):
    """`apus transcode` believes whom it is told to believe."""
    with nginx.relay(work / "nginx") as behind, nginx.front(work / "front", behind) as port:
        command = [APUS, "transcode", source, "-o", f"rtmps://127.0.0.1:{port}/live/key", "--codec", "h264", "--speed",
                   "ultrafast"]
        refused = run(*command, status=1)
        if "certificate" not in refused:
            raise Failure(f"a certificate that nobody vouches for is refused with: {refused}")
        run(*command, "--ca-file", work / "front/certificate.pem")
        pictures, _ = media.hashes(recorded(work / "nginx"))
        if len(pictures) != 75:
            raise Failure(f"{len(pictures)} pictures of 75 arrive")


def to_rtmpdump(work, source, dialect, _):
    arrived = work / "rtmpdump.flv"
    with nginx.relay(work / "nginx") as port:
        url = f"rtmp://127.0.0.1:{port}/live/key"
        with running("rtmpdump", "--quiet", "--live", "--rtmp", url, "--flv", arrived) as player:
            log = work / "nginx/error.log"
            until(lambda: "play: name='key'" in log.read_text(), "rtmpdump plays")
            publish(source, url, dialect)
            recorded(work / "nginx")
            finished(player)
        return arrived


def to_pyrtmp(work, source, dialect, python):
    port, arrived = free_port(), work / "pyrtmp.flv"
    with running(python, ROOT / "Tests/Peers/ingest.py", port, arrived, port=port) as server:
        publish(source, f"rtmp://127.0.0.1:{port}/live/key", dialect)
        finished(server)
    return arrived


def coded_on_the_way(work, source, dialect, form):
    """HEVC of an AVC file, or of a pipe of it, arrives as pictures that look like its own, with its sound as it was."""
    port, arrived = free_port(), work / "coded.flv"
    url = f"rtmp://127.0.0.1:{port}/live/key"
    command = {
        "file": [APUS, "stream", source, url, "--encode", "hevc", "--bitrate", "2M", "--no-pace"],
        "pipe": ["sh", "-c", '"$1" stream - "$2" --encode hevc --bitrate 2M --dialect "$4" < "$3"', "sh", APUS, url,
                 source.with_suffix(".flv")],
        "transcode": [APUS, "transcode", source, "-o", url, "--bitrate", "2M", "--speed", "ultrafast"],
    }[form]
    with running(FFMPEG, "-listen", "1", "-i", url, "-c", "copy", "-y", arrived, port=port) as server:
        run(*command, *([dialect] if form == "pipe" else ["--dialect", dialect]))
        finished(server)
    pictures, sounds = media.hashes(arrived)
    _, expected = media.hashes(source)
    if (len(pictures), sounds) != (75, expected):
        raise Failure(f"{len(pictures)} pictures of 75 arrive, {len(sounds)} packets of sound of {len(expected)}")
    text = run(FFMPEG, "-loglevel", "info", "-i", arrived, "-i", source, "-lavfi", "[0:v][1:v]psnr", "-f", "null", "-")
    if float(re.search(r"average:([0-9.]+)", text).group(1)) < 30:
        raise Failure("pictures arrive that look different")
    starts = media.key_times(arrived)
    if len(starts) != 2 or abs(starts[1] - starts[0] - 2) > 0.01:
        raise Failure(f"key frames at {starts}, expected every two seconds")


def make_many(folder):
    """Two tracks of video and two of sound, in languages of their own."""
    path = folder / "many.mp4"
    inputs = ["testsrc2=size=320x180:rate=25", "testsrc=size=160x120:rate=25", "sine=440", "sine=880"]
    run(FFMPEG, *(word for source in inputs for word in ("-f", "lavfi", "-t", "3", "-i", source)),
        *(word for index in range(4) for word in ("-map", str(index))), "-c:v", "libx265", "-pix_fmt", "yuv420p",
        "-x265-params", "log-level=none:pools=1:frame-threads=1:keyint=25", "-tag:v", "hvc1", "-c:a", "aac",
        "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-y", path)
    return path


def packets(path):
    """The hashes of the packets of each track."""
    text = run(FFMPEG, "-i", path, "-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "framehash", "-")
    found = {}
    for line in text.splitlines():
        if line[:1] not in "#":
            fields = line.split(",")
            found.setdefault(int(fields[0]), []).append(fields[5].strip())
    return [found[number] for number in sorted(found)]


def expect_tracks(arrived, source, places, what):
    found, expected = packets(arrived), packets(source)
    if found != [expected[place] for place in places]:
        raise Failure(f"{what}: {len(found)} tracks arrive with {[len(one) for one in found]} packets")


def many_to_apus(work, source):
    """All tracks reach our own receiver, as FLV and as MP4, and an FFmpeg that plays meanwhile."""
    for form in ["flv", "mp4"]:
        port, played = free_port(), work / f"{form}-played.flv"
        url = f"rtmp://127.0.0.1:{port}/live"
        with running(APUS, "receive", url, "-o", f"{work}/", "--format", form, port=port, log=work / "log") as server:
            with running(APUS, "stream", source, f"{url}/{form}") as publisher:
                until(lambda: "publishes" in (work / "log").read_text(), "the stream begins")
                with contextlib.ExitStack() as stack:
                    with stopped(publisher):
                        player = stack.enter_context(running(
                            FFMPEG, "-i", f"{url}/{form}", "-map", "0:v", "-map", "0:a", "-c", "copy", "-y", played))
                        until(lambda: " plays" in (work / "log").read_text(), "FFmpeg plays")
                    finished(publisher)
                    finished(player)
            until(lambda: "is finished" in (work / "log").read_text(), "the recording ends")
            server.terminate()
            finished(server)
        expect_tracks(work / f"{form}.{form}", source, range(4), form)
        if len(packets(played)) != 4:
            raise Failure(f"{len(packets(played))} tracks of 4 are played")


def many_to_ffmpeg(work, source):
    """A server that announces nothing gets the first tracks, with a warning, and more where they are asked for."""
    cases = [([], [0, 2], ["v:1", "a:1, deu"]), (["--audio", "1"], [0, 3], ["v:1"]),
             (["--video", "1", "--audio", "1,0"], [1, 3, 2], []), (["--video", "all", "--audio", "all"], range(4), [])]
    for number, (options, places, names) in enumerate(cases):
        port, arrived = free_port(), work / f"{number}.flv"
        url = f"rtmp://127.0.0.1:{port}/live/key"
        with running(FFMPEG, "-listen", "1", "-i", url, "-map", "0", "-c", "copy", "-y", arrived, port=port) as server:
            said = publish(source, url, "enhanced", *options)
            finished(server)
        expect_tracks(arrived, source, places, options)
        if said.count("is left out") != len(names) or not all(f"({name}) is left out" in said for name in names):
            raise Failure(f"{options}: what is left out is reported as: {said}")
    refused = publish(source, "rtmp://127.0.0.1:1/live/key", "enhanced", "--audio", "2", status=1)
    if "has no track a:2, but v:0, v:1, a:0, a:1" not in refused:
        raise Failure(f"a track that is not there: {refused}")


# nginx-rtmp drops enhanced video without a word, so it is asked for the legacy dialect only.
RUNS = [
    (to_ffmpeg, "8 bit", "enhanced"),
    (to_ffmpeg, "10 bit", "enhanced"),
    (to_ffmpeg, "8 bit", "legacy"),
    (to_nginx, "8 bit", "legacy"),
    (to_nginx, "10 bit", "legacy"),
    (to_nginx_by_tls, "8 bit", "legacy"),
    (to_rtmpdump, "10 bit", "legacy"),
    (to_pyrtmp, "8 bit", "enhanced"),
    (to_pyrtmp, "10 bit", "legacy"),
]

CODED = [("enhanced", "file"), ("legacy", "file"), ("enhanced", "pipe"), ("enhanced", "transcode"), ("legacy", "transcode")]
# What no stream can have.
REFUSED = [
    (["--bitrate", "1M", "--passes", "2"], "encoded in one pass"),
    (["--format", "mp4"], "--format is not for streams"),
    (["--on-exists", "replace"], "--on-exists is not for streams"),
    (["--dry-run"], "--dry-run is not for streams"),
]


def main():
    python = set_up()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sources = media.make(folder)
        avc = media.make_avc(folder)
        run(FFMPEG, "-i", avc, "-c", "copy", "-y", avc.with_suffix(".flv"))
        expected = {name: media.hashes(path) for name, path in sources.items()}
        failed = 0
        for number, (peer, name, dialect) in enumerate(RUNS):
            work = folder / str(number)
            work.mkdir()
            title = f"{peer.__name__.replace('_', ' ')}, {name}, {dialect}"
            try:
                compare(peer(work, sources[name], dialect, python), expected[name])
                print(f"{title}: all arrives")
            except Failure as failure:
                failed += 1
                print(f"{title}: {failure}", file=sys.stderr)
        for number, (dialect, form) in enumerate(CODED):
            work = folder / f"coded-{number}"
            work.mkdir()
            try:
                coded_on_the_way(work, avc, dialect, form)
                print(f"coded on the way from a {form}, {dialect}: all arrives")
            except Failure as failure:
                failed += 1
                print(f"coded on the way from a {form}, {dialect}: {failure}", file=sys.stderr)
        many = make_many(folder)
        for trial in [many_to_apus, many_to_ffmpeg]:
            work = folder / trial.__name__
            work.mkdir()
            try:
                trial(work, many)
                print(f"{trial.__name__.replace('_', ' ')}: all arrives")
            except Failure as failure:
                failed += 1
                print(f"{trial.__name__.replace('_', ' ')}: {failure}", file=sys.stderr)
        try:
            (folder / "tls").mkdir()
            coded_by_tls(folder / "tls", avc)
            print("coded on the way, over TLS: all arrives")
        except Failure as failure:
            failed += 1
            print(f"coded on the way, over TLS: {failure}", file=sys.stderr)
        for options, words in REFUSED:
            text = run(APUS, "transcode", avc, "-o", "rtmp://127.0.0.1/live/key", *options, status=2)
            if words not in text:
                failed += 1
                print(f"{options} is refused with: {text}", file=sys.stderr)
    return failed > 0


sys.exit(main())
