# SPDX-License-Identifier: MIT
"""Each codec that has a sample entry stands in MP4 or MOV with it, and comes back as it was."""

import re

import pytest

from programs import APUS, FFMPEG, completed, ffmpeg, printed, run, same

VIDEO = ["-f", "lavfi", "-i", "testsrc2=s=320x176:r=25:d=1"]
SOUND = ["-f", "lavfi", "-i", "sine=d=1:r=48000"]

# Name for FFmpeg, source, options, and the movies that hold it.
BOTH, EDITORS = ("mp4", "mov"), ("mov",)
PICTURES = [
    ("mpeg1video", "ts", ["-c:v", "mpeg1video", "-bf", "2"], BOTH),
    ("mpeg2video", "ts", ["-c:v", "mpeg2video", "-bf", "2"], BOTH),
    ("mpeg2video", "mkv", ["-c:v", "mpeg2video", "-pix_fmt", "yuv422p"], BOTH),
    ("mjpeg", "avi", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], BOTH),
    ("vp8", "webm", ["-c:v", "libvpx", "-deadline", "realtime"], BOTH),
    ("prores", "mkv", ["-c:v", "prores_ks", "-profile:v", "hq"], EDITORS),
    ("prores", "mkv", ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"], EDITORS),
    ("dnxhd", "mkv", ["-c:v", "dnxhd", "-profile:v", "dnxhr_sq", "-pix_fmt", "yuv422p"], EDITORS),
]
CODED = [
    ("mp2", "ts", ["-c:a", "mp2"], BOTH),
    ("mp2", "mkv", ["-c:a", "mp2", "-ar", "22050"], BOTH),
    ("dts", "mkv", ["-strict", "-2", "-c:a", "dca", "-ac", "2"], BOTH),
    ("truehd", "mkv", ["-strict", "-2", "-c:a", "truehd", "-ac", "6"], BOTH),
    ("truehd", "mkv", ["-strict", "-2", "-c:a", "truehd", "-ac", "2", "-ar", "96000"], BOTH),
    ("eac3", "ts", ["-c:a", "eac3", "-ac", "6"], BOTH),
]
PLAIN = [
    ("pcm_s24le", "mkv", [], BOTH), ("pcm_s32le", "wav", [], BOTH), ("pcm_s24be", "mkv", [], BOTH),
    ("pcm_f32le", "mkv", ["-ac", "6"], BOTH), ("pcm_f64le", "mkv", [], BOTH),
    ("pcm_u8", "wav", [], EDITORS), ("pcm_s24le", "wav", ["-ar", "96000"], EDITORS),
    ("pcm_s16le", "wav", ["-ar", "96000"], EDITORS),
]


def cases(rows):
    return [pytest.param(*row[:3], kind, kind in row[3], id=f"{row[0]} {' '.join(row[2][-1:])} {kind}")
            for row in rows for kind in BOTH]


def names(path):
    """FFmpeg's names of the codecs."""
    return re.findall(r"Stream #.*?: (?:Video|Audio): (\w+)", run(FFMPEG, "-loglevel", "info", "-i", path, status=None))


def payloads(path):
    """Of all packets, as they are stored."""
    return printed(FFMPEG, "-i", path, "-map", "0", "-c", "copy", "-f", "md5", "-")


def decoded(path):
    return printed(FFMPEG, "-i", path, "-map", "0", "-c:a", "pcm_f64le", "-f", "md5", "-")


def heard(path):
    return completed(FFMPEG, "-i", path, "-c:a", "pcm_s16le", "-f", "s16le", "-").stdout


def times(path):
    listed = printed("ffprobe", "-v", "error", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0", path)
    rows = [line.split(",")[:2] for line in listed.split()]
    # Some containers have units of a millisecond.
    return [(round(float(time) - float(rows[0][0]), 2), "K" in flags) for time, flags in rows]


def moved(source, target, stays):
    """Remuxes; returns `False` where the target is said not to hold it."""
    done = completed(APUS, "remux", "--quiet", source, "-o", target, status=0 if stays else 1)
    assert stays or "only QuickTime files (mov) support" in done.stderr.decode(), done.stderr.decode()
    return stays


@pytest.mark.parametrize("codec, kind, options, target, stays", cases(PICTURES))
def test_pictures_are_the_same_in_a_movie_and_back_in_matroska(folder, codec, kind, options, target, stays):
    source, written, back = folder / f"source.{kind}", folder / f"written.{target}", folder / "back.mkv"
    ffmpeg(*VIDEO, *options, source)
    if not moved(source, written, stays):
        return
    same("codec", [codec], names(written))
    same("packets", payloads(source), payloads(written))
    same("pictures", decoded(source), decoded(written))
    same("times", sorted(times(source)), sorted(times(written)))
    for other in BOTH:
        again = folder / f"again.{other}"
        if codec not in ("prores", "dnxhd") or other == "mov":
            run(APUS, "remux", "--quiet", written, "-o", again)
            same(f"packets again in {other}", payloads(source), payloads(again))
            same(f"codec in {other}", [codec], names(again))
    run(APUS, "remux", "--quiet", written, "-o", back)
    same("codec back", [codec], names(back))
    same("pictures back", decoded(source), decoded(back))


@pytest.mark.parametrize("codec, kind, options, target, stays", cases(CODED))
def test_coded_sound_is_the_same_in_a_movie_and_back_in_matroska(folder, codec, kind, options, target, stays):
    source, written, back = folder / f"source.{kind}", folder / f"written.{target}", folder / "back.mkv"
    ffmpeg(*SOUND, *options, source)
    moved(source, written, stays)
    # FFmpeg has one name for the numbers that both layers share, and one decoder.
    same("codec", ["mp3" if (codec, target) == ("mp2", "mp4") else codec], names(written))
    same("packets", payloads(source), payloads(written))
    # Matroska says how much of the last frame is not to be heard.
    assert codec == "mp2" or heard(written).startswith(heard(source)), "the sound is another"
    same("sync samples", [key for _, key in times(source)], [key for _, key in times(written)])
    run(APUS, "remux", "--quiet", written, "-o", back)
    same("codec back", [codec], names(back))
    same("packets back", payloads(source), payloads(back))


@pytest.mark.parametrize("codec, kind, options, target, stays", cases(PLAIN))
def test_numbers_of_sound_are_the_same_in_a_movie_and_back(folder, codec, kind, options, target, stays):
    source, written, back = folder / f"source.{kind}", folder / f"written.{target}", folder / "back.mkv"
    ffmpeg(*SOUND, "-c:a", codec, *options, source)
    if codec in ("pcm_s16le", "pcm_s24le") and options and target == "mp4":
        done = completed(APUS, "remux", "--quiet", source, "-o", written, status=1)
        assert "at most 65535" in done.stderr.decode()
        return
    if not moved(source, written, stays):
        return
    same("codec", [codec], names(written))
    same("sound", decoded(source), decoded(written))
    run(APUS, "remux", "--quiet", written, "-o", back)
    same("codec back", [codec], names(back))
    same("sound back", decoded(source), decoded(back))


@pytest.mark.parametrize("options, tag", [
    (["-c:v", "mpeg2video"], "m2v1"), (["-c:v", "mpeg2video", "-pix_fmt", "yuv422p", "-tag:v", "xdvc"], "xdvc"),
    (["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], "jpeg"),
])
def test_an_entry_of_quicktime_stays_there_and_gets_a_number_in_mp4(folder, options, tag):
    source = folder / "source.mov"
    ffmpeg(*VIDEO, *options, source)
    for target, expected in (("mov", tag), ("mp4", "mp4v")):
        written = folder / f"written.{target}"
        run(APUS, "remux", "--quiet", source, "-o", written)
        found = printed("ffprobe", "-v", "error", "-show_entries", "stream=codec_tag_string", "-of", "csv=p=0", written)
        same(target, expected, found.strip(",\n"))
        same(f"packets in {target}", payloads(source), payloads(written))
        same(f"codec in {target}", names(source), names(written))


def test_segments_leave_out_what_few_players_know_and_a_transcode_encodes_it(folder):
    source = folder / "source.mkv"
    ffmpeg(*VIDEO, *SOUND, *SOUND, "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-c:a:0", "aac", "-c:a:1", "mp2", source)
    assert "few players support" in run(APUS, "remux", source, "-o", folder / "out.m3u8")
    run(APUS, "transcode", "--quiet", "--speed", "ultrafast", source, "-o", folder / "out.mp4")
    same("codecs of a transcode", ["hevc", "aac", "aac"], names(folder / "out.mp4"))
