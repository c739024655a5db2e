#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What apus stream publishes arrives whole at servers that others wrote, in both dialects, over TCP and TLS."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

import media  # noqa: E402
import nginx  # noqa: E402
from programs import APUS, FFMPEG, Failure, finished, free_port, run, running, until  # noqa: E402


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
    (["--bitrate", "1M", "--passes", "2"], "in one pass"),
    (["--format", "mp4"], "no --format"),
    (["--on-exists", "replace"], "no --on-exists"),
    (["--dry-run"], "no --dry-run"),
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
