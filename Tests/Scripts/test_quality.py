# SPDX-License-Identifier: MIT
"""What `apus transcode --report` measures is what FFmpeg's filters psnr and ssim measure of the same pictures: the output,
and a lossless one that the same filters made."""

import json
import re
import subprocess

import pytest

import jsonschema

from programs import APUS, FFMPEG, SCHEMAS, completed, ffmpeg, printed, run, same

SCHEMA = json.loads((SCHEMAS / "transcode.schema.json").read_text())
SECONDS = 600
FAST = ["--speed", "ultrafast", "--on-exists", "replace"]
LOSSLESS = ["--x265-params", "lossless=1", "--codec", "hevc"]
CLOSE = {"psnr": 0.01, "ssim": 0.0005}
LIGHT = "log-level=error:lossless=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400"


def near(found, wanted, kind, what):
    found = float("inf") if found is None else found
    assert found == wanted or abs(found - wanted) <= CLOSE[kind], f"{what}: {found}, FFmpeg finds {wanted}"


@pytest.fixture(scope="module")
def movies(work):
    """The folder of the movies."""
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=322x182:r=25:d=2"]
    ffmpeg(*pictures, "-f", "lavfi", "-i", "sine=d=2:r=48000", "-c:v", "libx264", "-qp", "0", "-bf", "2", "-pix_fmt",
           "yuv420p", "-c:a", "aac", work / "eight.mp4")
    ffmpeg("-i", work / "eight.mp4", "-c", "copy", "-f", "mpegts", work / "late.ts")
    ffmpeg(*pictures, "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", LIGHT,
           "-tag:v", "hvc1", work / "ten.mp4")
    ffmpeg(*pictures, "-pix_fmt", "yuv444p", "-c:v", "libx264", "-qp", "0", work / "full.mp4")
    ffmpeg(*pictures, "-vf", "select=not(mod(n\\,7))+not(mod(n\\,3)),transpose", "-fps_mode", "vfr", "-c:v", "libx264",
           "-qp", "0", "-pix_fmt", "yuv420p", work / "uneven.mkv")
    return work


def report(source, out, *options):
    text = run(APUS, "transcode", "--json", "--report", source, "-o", out, *FAST, *options, seconds=SECONDS)
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    for line in lines:
        jsonschema.validate(line, SCHEMA)
    return lines[-1], [line for line in lines if line["event"] == "picture"]


def measured(out, reference, log):
    """What FFmpeg finds of all planes together and of each, and of each picture."""
    result = {}
    for name, overall in (("psnr", "average"), ("ssim", "All")):
        graph = f"[0:v]setpts=N/TB[one];[1:v]setpts=N/TB[other];[one][other]{name}=stats_file={log}"
        # In C: FFmpeg's vector code for ssim errs where planes are 22 blocks wide, such as 91 samples.
        text = run(FFMPEG, "-v", "info", "-cpuflags", "0", "-i", out, "-i", reference, "-lavfi", graph, "-f", "null", "-")
        line = re.findall(rf"\] {name.upper()} (.*)", text)[-1]
        values = dict(re.findall(r"(\w+):([0-9.]+|inf)", line))
        planes = [float(values[plane]) for plane in ("yuv" if name == "psnr" else "YUV") if plane in values]
        key = "psnr_avg" if name == "psnr" else "All"
        frames = [float(re.search(rf"{key}:([0-9.]+|inf)", line).group(1)) for line in log.read_text().splitlines()]
        result[name] = (float(values[overall]), planes, frames)
    return result


def compare(what, quality, pictures, out, reference, log):
    found = measured(out, reference, log)
    same(what, "missing and extra pictures", (0, 0), (quality["missing"], quality["extra"]))
    for kind in ("psnr", "ssim"):
        overall, planes, frames = found[kind]
        near(quality[kind], overall, kind, f"{what}: {kind}")
        for mine, theirs in zip(quality[f"{kind}_planes"], planes, strict=True):
            near(mine, theirs, kind, f"{what}: {kind} of planes")
        same(what, "pictures", (len(frames), len(frames)), (len(pictures), quality["frames"]))
        for mine, theirs in zip(pictures, frames):
            near(mine[kind], theirs, kind, f"{what}: {kind} of picture {mine['frame']}")
    frames = found["psnr"][2]
    same(what, "the worst picture", frames.index(min(frames)) + 1, quality["worst"][0]["frame"])
    least = found["ssim"][2]
    near(quality["least_similar"]["ssim"], min(least), "ssim", f"{what}: the least similarity")
    shown = [float(line.rstrip(",")) for line in printed(
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time", "-of",
        "csv=p=0", out).split()]
    if out.suffix == ".mp4":
        worst = quality["worst"][0]
        assert abs(shown[worst["frame"] - 1] - worst["time_ms"] / 1000) < 0.002, f"{what}: {worst} is shown at {shown}"


@pytest.mark.parametrize("what, source, ending, options, codec", [
    ("8 bits", "eight.mp4", "mp4", [], []),
    ("H.264", "eight.mp4", "mp4", [], ["--codec", "h264"]),
    ("10 bits", "ten.mp4", "mp4", [], []),
    ("tone mapped", "ten.mp4", "mp4", ["--tonemap"], []),
    ("4:4:4", "full.mp4", "mp4", [], []),
    ("smaller", "eight.mp4", "mp4", ["--size", "160x90"], []),
    ("filters and another rate", "eight.mp4", "mp4", ["--filter", "hflip", "--fps", "10"], []),
    ("turned, uneven times", "uneven.mkv", "mp4", [], []),
    ("a part", "eight.mp4", "mp4", ["--from", "0.5", "--to", "1.5"], []),
    ("times that begin late", "late.ts", "mp4", [], []),
    ("FLV", "eight.mp4", "flv", [], ["--codec", "h264"]),
    ("fragments", "eight.mp4", "fmp4.mp4", ["--format", "fmp4"], []),
])
def test_the_measures_are_those_of_ffmpeg(movies, folder, what, source, ending, options, codec):
    out, reference = folder / f"out.{ending}", folder / "reference.mp4"
    done, pictures = report(movies / source, out, "--crf", "30", *options, *codec)
    plain = [option for option in options if option not in ("--format", "fmp4")]
    run(APUS, "transcode", "--quiet", movies / source, "-o", reference, *FAST, *LOSSLESS, *plain, seconds=SECONDS)
    same(what, "videos", 1, len(done["quality"]))
    compare(what, done["quality"][0], pictures, out, reference, folder / "log")


def test_each_rung_of_a_ladder_is_measured(movies, folder):
    out = folder / "ladder.m3u8"
    done, pictures = report(movies / "ten.mp4", out, "--ladder", "hevc:180,hevc:90,h264:90")
    segments = folder / done["output"].rsplit("/", 1)[-1].removesuffix(".m3u8")
    same("rungs", ["hevc:180", "hevc:90", "h264:90"], [video["rung"] for video in done["quality"]])
    for video, playlist in zip(done["quality"], ("video-1", "video-2", "video-3")):
        reference = folder / "reference.mp4"
        tones = ["--tonemap", "--depth", "8"] if video["rung"].startswith("h264") else []
        run(APUS, "transcode", "--quiet", movies / "ten.mp4", "-o", reference, *FAST, *LOSSLESS, *tones, "--size",
            f"{video['width']}x{video['height']}", seconds=SECONDS)
        own = [picture for picture in pictures if picture["rung"] == video["rung"]]
        compare(video["rung"], video, own, segments / playlist / "index.m3u8", reference, folder / "log")


@pytest.mark.parametrize("options, expected", [
    (["--x265-params", "lossless=1"],
     r"50 pictures compared, PSNR equal dB \(Y equal, U equal, V equal\), SSIM 1\.0"),
    (["--crf", "40"], r"words\.mp4: worst: 0:00:0[01]\.\d{3} \d+\.\d+ dB 0\.\d+;"),
])
def test_the_measures_are_printed(movies, folder, options, expected):
    text = run(APUS, "transcode", "--quiet", "--report", movies / "eight.mp4", "-o", folder / "words.mp4", *options, *FAST)
    assert re.search(expected, text), text


@pytest.mark.parametrize("options, words", [
    (["-o", "-", "--format", "fmp4"], "--report decodes the output again, which is not possible with a pipe"),
    (["-o", "rtmp://127.0.0.1:1/live/key"], "which is not possible with a stream"),
    (["-o", "x.mp4", "--preset", "copy"], "copy re-encodes nothing"),
])
def test_an_output_that_cannot_be_measured_is_refused(movies, folder, options, words):
    text = run(APUS, "transcode", "--report", movies / "eight.mp4", *options, status=2, cwd=folder)
    assert words in text, text


def test_a_movie_from_a_pipe_is_measured(movies, folder):
    with subprocess.Popen(["cat", movies / "late.ts"], stdout=subprocess.PIPE) as pipe:
        done = completed(APUS, "transcode", "--quiet", "--report", "-", "-o", folder / "piped.mp4", *FAST, stdin=pipe.stdout,
                         text=True)
    assert "50 pictures compared" in done.stdout, done.stdout
