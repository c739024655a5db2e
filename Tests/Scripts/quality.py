#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus transcode --report` measures is what FFmpeg's filters psnr and ssim measure of the same pictures: the output,
and a lossless one that the same filters made."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from programs import APUS, Failure, run  # noqa: E402

SCHEMA = json.loads((ROOT / "Sources/ApusCommand/Schemas/transcode.schema.json").read_text())
SECONDS = 600
FAST = ["--speed", "ultrafast", "--on-exists", "replace"]
LOSSLESS = ["--x265-params", "lossless=1", "--codec", "hevc"]
CLOSE = {"psnr": 0.01, "ssim": 0.0005}
LIGHT = "log-level=error:lossless=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400"


def holds(truth, what):
    if not truth:
        raise Failure(what)


def same(found, wanted, what):
    holds(found == wanted, f"{what}: {found}, expected {wanted}")


def near(found, wanted, kind, what):
    found = float("inf") if found is None else found
    holds(found == wanted or abs(found - wanted) <= CLOSE[kind], f"{what}: {found}, FFmpeg finds {wanted}")


def ffmpeg(*arguments):
    return run("ffmpeg", "-nostdin", "-v", "error", "-y", *arguments, seconds=SECONDS)


def make(work):
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=322x182:r=25:d=2"]
    ffmpeg(*pictures, "-f", "lavfi", "-i", "sine=d=2:r=48000", "-c:v", "libx264", "-qp", "0", "-bf", "2", "-pix_fmt",
           "yuv420p", "-c:a", "aac", work / "eight.mp4")
    ffmpeg("-i", work / "eight.mp4", "-c", "copy", "-f", "mpegts", work / "late.ts")
    ffmpeg(*pictures, "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", LIGHT,
           "-tag:v", "hvc1", work / "ten.mp4")
    ffmpeg(*pictures, "-pix_fmt", "yuv444p", "-c:v", "libx264", "-qp", "0", work / "full.mp4")
    ffmpeg(*pictures, "-vf", "select=not(mod(n\\,7))+not(mod(n\\,3)),transpose", "-fps_mode", "vfr", "-c:v", "libx264",
           "-qp", "0", "-pix_fmt", "yuv420p", work / "uneven.mkv")


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
        done = subprocess.run(["ffmpeg", "-nostdin", "-cpuflags", "0", "-i", out, "-i", reference, "-lavfi", graph,
                               "-f", "null", "-"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, check=True)
        line = re.findall(rf"\] {name.upper()} (.*)", done.stderr.decode())[-1]
        values = dict(re.findall(r"(\w+):([0-9.]+|inf)", line))
        planes = [float(values[plane]) for plane in ("yuv" if name == "psnr" else "YUV") if plane in values]
        key = "psnr_avg" if name == "psnr" else "All"
        frames = [float(re.search(rf"{key}:([0-9.]+|inf)", line).group(1)) for line in log.read_text().splitlines()]
        result[name] = (float(values[overall]), planes, frames)
    return result


def compare(what, quality, pictures, out, reference, log):
    found = measured(out, reference, log)
    same((quality["missing"], quality["extra"]), (0, 0), f"{what}: missing and extra pictures")
    for kind in ("psnr", "ssim"):
        overall, planes, frames = found[kind]
        near(quality[kind], overall, kind, f"{what}: {kind}")
        for mine, theirs in zip(quality[f"{kind}_planes"], planes, strict=True):
            near(mine, theirs, kind, f"{what}: {kind} of planes")
        same((len(pictures), quality["frames"]), (len(frames), len(frames)), f"{what}: pictures")
        for mine, theirs in zip(pictures, frames):
            near(mine[kind], theirs, kind, f"{what}: {kind} of picture {mine['frame']}")
    frames = found["psnr"][2]
    same(quality["worst"][0]["frame"], frames.index(min(frames)) + 1, f"{what}: the worst picture")
    least = found["ssim"][2]
    near(quality["least_similar"]["ssim"], min(least), "ssim", f"{what}: the least similarity")
    shown = [float(line.rstrip(",")) for line in run(
        "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time", "-of",
        "csv=p=0", out).split()]
    if out.suffix == ".mp4":
        worst = quality["worst"][0]
        holds(abs(shown[worst["frame"] - 1] - worst["time_ms"] / 1000) < 0.002, f"{what}: {worst} is shown at {shown}")


def equals_ffmpeg(work):
    for what, source, ending, options, codec in (
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
    ):
        out, reference = work / f"out.{ending}", work / "reference.mp4"
        done, pictures = report(work / source, out, "--crf", "30", *options, *codec)
        plain = [option for option in options if option not in ("--format", "fmp4")]
        run(APUS, "transcode", "--quiet", work / source, "-o", reference, *FAST, *LOSSLESS, *plain, seconds=SECONDS)
        same(len(done["quality"]), 1, f"{what}: videos")
        compare(what, done["quality"][0], pictures, out, reference, work / "log")


def rungs(work):
    out = work / "ladder.m3u8"
    done, pictures = report(work / "ten.mp4", out, "--ladder", "hevc:180,hevc:90,h264:90")
    folder = work / done["output"].rsplit("/", 1)[-1].removesuffix(".m3u8")
    same([video["rung"] for video in done["quality"]], ["hevc:180", "hevc:90", "h264:90"], "rungs")
    for video, playlist in zip(done["quality"], ("video-1", "video-2", "video-3")):
        reference = work / "reference.mp4"
        tones = ["--tonemap", "--depth", "8"] if video["rung"].startswith("h264") else []
        run(APUS, "transcode", "--quiet", work / "ten.mp4", "-o", reference, *FAST, *LOSSLESS, *tones, "--size",
            f"{video['width']}x{video['height']}", seconds=SECONDS)
        own = [picture for picture in pictures if picture["rung"] == video["rung"]]
        compare(video["rung"], video, own, folder / playlist / "index.m3u8", reference, work / "log")


def says_it(work):
    text = run(APUS, "transcode", "--quiet", "--report", work / "eight.mp4", "-o", work / "words.mp4", "--x265-params",
               "lossless=1", *FAST)
    holds("50 pictures compared, PSNR equal dB (Y equal, U equal, V equal), SSIM 1.0" in text, text)
    text = run(APUS, "transcode", "--quiet", "--report", work / "eight.mp4", "-o", work / "words.mp4", "--crf", "40", *FAST)
    holds(re.search(r"words\.mp4: worst: 0:00:0[01]\.\d{3} \d+\.\d+ dB 0\.\d+;", text), text)
    for options, words, status in (
        (["-o", "-", "--format", "fmp4"], "--report decodes the output again, which is not possible with a pipe", 2),
        (["-o", "rtmp://127.0.0.1:1/live/key"], "which is not possible with a stream", 2),
        (["-o", work / "x.mp4", "--preset", "copy"], "copy re-encodes nothing", 2),
    ):
        text = run(APUS, "transcode", "--report", work / "eight.mp4", *options, status=status)
        holds(words in text, text)
    with subprocess.Popen(["cat", work / "late.ts"], stdout=subprocess.PIPE) as pipe:
        done = subprocess.run([APUS, "transcode", "--quiet", "--report", "-", "-o", work / "piped.mp4", *FAST],
                              stdin=pipe.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    same(done.returncode, 0, done.stderr)
    holds("50 pictures compared" in done.stdout, done.stdout)


def main():
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        make(work)
        for test in (equals_ffmpeg, rungs, says_it):
            test(work)


try:
    main()
except Failure as failure:
    sys.exit(f"quality: {failure}")
