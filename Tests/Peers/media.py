# SPDX-License-Identifier: MIT
"""Streams to publish, made by a current FFmpeg, and what it finds in those that arrived."""

import re

from programs import FFMPEG, run

# Name: (pixel format, options of x265). B-frames, so that decoding and presentation differ.
SOURCES = {
    "8 bit": ("yuv420p", "bframes=3:keyint=25"),
    "10 bit": ("yuv420p10le", "bframes=4:b-pyramid=1:keyint=20"),
}


def path_of(folder, name):
    return folder / f"{name.replace(' ', '')}.mp4"


def make(folder):
    """An MP4 of each kind: three seconds of pictures with sound."""
    paths = {}
    for name, (pixels, options) in SOURCES.items():
        paths[name] = path_of(folder, name)
        run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=322x182:rate=25",
            "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100",
            "-t", "3", "-c:v", "libx265", "-pix_fmt", pixels,
            "-x265-params", f"log-level=none:pools=1:frame-threads=1:{options}", "-tag:v", "hvc1",
            "-c:a", "aac", "-y", paths[name])
    return paths


def avc_of(folder):
    return folder / "avc.mp4"


def make_avc(folder):
    """The same in AVC, which every FFmpeg publishes: as MP4 and as FLV."""
    path = avc_of(folder)
    run(FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25",
        "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100", "-t", "3", "-c:v", "libx264",
        "-pix_fmt", "yuv420p", "-bf", "3", "-g", "25", "-c:a", "aac", "-y", path)
    run(FFMPEG, "-i", path, "-c", "copy", "-y", path.with_suffix(".flv"))
    return path


def hashes(path, mode="auto"):
    """Of every decoded picture, and of every packet of sound, in order; with passthrough also of those of the same time."""
    pictures = run(FFMPEG, "-i", path, "-map", "0:v:0", "-fps_mode", mode, "-f", "framehash", "-")
    sounds = run(FFMPEG, "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "framehash", "-")
    return [column(pictures), column(sounds)]


def psnr(one, other, graph="[0:v][1:v]psnr"):
    """The mean likeness of the pictures of two files as they are stored, in decibels: `inf` where they are the same."""
    text = run(FFMPEG, "-v", "info", "-noautorotate", "-i", one, "-noautorotate", "-i", other, "-lavfi", graph, "-f", "null", "-")
    return float(re.findall(r"average:([0-9.]+|inf)", text)[-1])


def is_picture(body):
    """Returns whether the body of a tag of video is a picture rather than a configuration, in both forms."""
    if not body[0] & 0x80:
        return body[1] == 1
    # A time in nanoseconds (type 7) comes before the type of the rest.
    kind = body[body[1] + 3] if body[0] & 15 == 7 else body[0]
    return kind & 15 in (1, 3)


def count(path):
    """How many pictures are in an FLV file so far."""
    data, place, found = path.read_bytes() if path.exists() else b"", 13, 0
    while place + 15 < len(data):
        end = place + 15 + int.from_bytes(data[place + 1:place + 4], "big")
        found += data[place] & 31 == 9 and end <= len(data) and is_picture(data[place + 11:end])
        place = end
    return found


def count_in_transport(path):
    """How many pictures have begun in a transport stream so far."""
    return path.read_bytes().count(b"\0\0\1\xe0") if path.exists() else 0


def column(text):
    """The hashes of a list by the muxer `framehash`, which may have messages in between."""
    rows = [line.split(",") for line in text.splitlines() if line[:1] not in "#"]
    return [row[5].strip() for row in rows if len(row) > 5]


def times(path):
    """Decoding and presentation times of the pictures, in seconds, as the packets carry them."""
    text = run(FFMPEG, "-copyts", "-i", path, "-map", "0:v:0", "-c", "copy", "-f", "framehash", "-")
    base = next(line for line in text.splitlines() if line.startswith("#tb 0:"))
    over, under = map(int, base.split(":")[1].split("/"))
    rows = [line.split(",") for line in text.splitlines() if line[:1] not in "#"]
    return [(int(row[1]) * over / under, int(row[2]) * over / under) for row in rows]


def key_times(path):
    """When the key frames are shown, in seconds."""
    text = run(FFMPEG, "-skip_frame", "nokey", "-copyts", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base",
               "1:1000", "-f", "framehash", "-")
    return [int(line.split(",")[2]) / 1000 for line in text.splitlines() if line[:1] not in "#"]
