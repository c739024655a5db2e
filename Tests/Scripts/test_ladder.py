# SPDX-License-Identifier: MIT
"""Presentations of `apus transcode --ladder`: one source in several sizes and codecs, cut at the same moments, which
FFmpeg finds to be the pictures of the source."""

import fractions
import json
import re
import shutil
import signal
import subprocess
import time

import jsonschema
import pytest

import media
from programs import APUS, SCHEMAS, ffmpeg, printed, run, same

SCHEMA = json.loads((SCHEMAS / "transcode.schema.json").read_text())
SECONDS = 600
FAST = ["--speed", "ultrafast"]
PICTURES = ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=30000/1001:d=13"]
SOUNDS = ["-f", "lavfi", "-i", "sine=d=13:r=48000", "-f", "lavfi", "-i", "sine=f=880:d=13:r=48000"]
LIGHT = ("log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400:hdr10=1:"
         "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)")
TITLES = "1\n00:00:01,000 --> 00:00:03,000\nHello\n\n2\n00:00:07,000 --> 00:00:08,000\nAgain\n\n"


@pytest.fixture(scope="module")
def movies(work):
    """A film with two languages and subtitles, one in HDR, and one whose pictures come unevenly and stand on their side."""
    (work / "titles.srt").write_text(TITLES)
    avc = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-pix_fmt", "yuv420p"]
    ffmpeg(*PICTURES, *SOUNDS, "-i", work / "titles.srt", "-map", "0", "-map", "1", "-map", "2", "-map", "3", *avc, "-c:a",
           "aac", "-c:s", "mov_text", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu",
           "-metadata:s:s:0", "language=fra", work / "film.mp4")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=5", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset",
           "ultrafast", "-x265-params", LIGHT, "-tag:v", "hvc1", work / "light.mp4")
    # Pictures that come unevenly, and stand on their side.
    ffmpeg(*PICTURES, "-vf", "select=not(mod(n\\,7))+not(mod(n\\,3))+lt(mod(n\\,90)\\,40),transpose", "-fps_mode", "vfr",
           *avc, work / "uneven.mkv")
    return work


def transcode(source, out, ladder, *options, status=0):
    text = run(APUS, "transcode", "--json", "--on-exists", "replace", source, "-o", out, "--ladder", ladder, *FAST,
               *options, seconds=SECONDS, status=status)
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    for line in lines:
        jsonschema.validate(line, SCHEMA)
    same("what is left of writing", [], [path.name for path in out.parent.iterdir() if ".part" in path.name])
    return lines[-1]


def durations(playlist):
    return re.findall(r"#EXTINF:([0-9.]+)", playlist.read_text())


def packets(playlist):
    """How long before the last each packet is shown, and whether it is a key frame. The first that is decoded is left out:
    where offsets are below 0, as CMAF allows, FFmpeg shifts all but that one, to where another may be."""
    text = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,flags:stream=time_base",
               "-of", "json", playlist, seconds=SECONDS)
    found = json.loads(text)
    unit = fractions.Fraction(found["streams"][0]["time_base"])
    shown = sorted((packet["pts"] * unit, packet["flags"][0] == "K") for packet in found["packets"][1:])
    return [(shown[-1][0] - moment, isKey) for moment, isKey in shown]


def decoded(path):
    """How many pictures FFmpeg decodes, which must find nothing wrong."""
    text = ffmpeg("-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-")
    return sum(line.startswith("0,") for line in text.splitlines())


def likeness(playlist, source, size):
    """Mean PSNR against the source in the same size, picture by picture."""
    width, height = size
    graph = (f"[1:v]scale={width}:{height}:flags=bicubic,setpts=N/TB[one];[0:v]setpts=N/TB[other];"
             "[one][other]psnr")
    return media.psnr(playlist, source, graph)


def stream(path, entries):
    text = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", f"stream={entries}", "-of", "json", path)
    found = json.loads(text)["streams"][0]
    found.pop("side_data_list", None)
    return found


def light(path):
    """The mastering display and the light of the first picture."""
    text = printed("ffprobe", "-v", "error", "-select_streams", "v", "-read_intervals", "%+#1", "-show_frames",
               "-of", "json", path)
    kinds = ("Mastering display metadata", "Content light level metadata")
    return [data for data in json.loads(text)["frames"][0].get("side_data_list", [])
            if data["side_data_type"] in kinds]


def checked(out):
    text = run(APUS, "hls", "check", out, seconds=SECONDS)
    assert "nothing found" in text, f"{out.name}: {text}"


def aligned(out, report, pictures, longest=2.0):
    """All rungs are cut alike, have key frames at the same moments and hold all pictures."""
    lists = [out.parent / out.stem / rendition["playlist"] for rendition in report["renditions"]
             if "width" in rendition]
    first = packets(lists[0])
    for playlist in lists:
        (*cuts, end), (*first_cuts, first_end) = (list(map(fractions.Fraction, durations(one))) for one in (playlist, lists[0]))
        same(f"{playlist}: segments", first_cuts, cuts)
        # The last picture lasts until the next is decoded, which is another one by codec, and in Matroska whole milliseconds.
        assert abs(end - first_end) <= fractions.Fraction(1, 1000), f"{playlist}: the last segment lasts {end}, not {first_end}"
        same(f"{playlist}: pictures", pictures, decoded(playlist))
        found = packets(playlist)
        same(f"{playlist}: times", [moment for moment, _ in first], [moment for moment, _ in found])
        keys = [moment for moment, isKey in found if isKey]
        same(f"{playlist}: key frames", [moment for moment, isKey in first if isKey], keys)
        same(f"{playlist}: for winding", len(keys) + 1, playlist.with_name("iframes.m3u8").read_text().count("#EXTINF"))
        assert all(earlier - later <= longest + 0.002 for earlier, later in zip(keys, keys[1:])), \
            f"{playlist}: key frames stand at {list(map(float, keys))}"
    return lists


def test_all_rungs_are_cut_at_the_same_moments_and_hold_all_pictures(movies, folder):
    out = folder / "film/film.m3u8"
    report = transcode(movies / "film.mp4", out, "hevc:1080,hevc:360,hevc:180@150k,h264:360,h264:180", "--audio", "copy")
    same("rungs",
         [("hevc:360", 640, 360, 390), ("hevc:180", 320, 180, 390), ("h264:360", 640, 360, 390), ("h264:180", 320, 180, 390)],
         [(track["rung"], track["width"], track["height"], track["frames"]) for track in report["coded"]])
    same("what is larger than the source", ["hevc:1080"], [left["name"] for left in report["left_out"]])
    checked(out)
    lists = aligned(out, report, 390)
    same("segments", ["5.905900", "5.905900", "1.201200"], durations(lists[0]))
    for playlist, track in zip(lists, report["coded"]):
        found = likeness(playlist, movies / "film.mp4", (track["width"], track["height"]))
        assert found > 24, f"{track['rung']}: PSNR of {found}"
    text = out.read_text()
    # Two languages once for all, text, and key frames of each rung.
    same("renditions", (2, 1, 4),
         (text.count("TYPE=AUDIO"), text.count("TYPE=SUBTITLES"), text.count("#EXT-X-I-FRAME-STREAM-INF")))
    same("range", {"SDR"}, set(re.findall(r"VIDEO-RANGE=(\w+)", text)))
    same("folders", [".apus-folder", "audio-1", "audio-2", "text-1", "video-1", "video-2", "video-3", "video-4"],
         sorted(path.name for path in (out.parent / "film").iterdir()))
    same("the presentation as one input", 390, decoded(out))
    rates = {track["rung"]: track["bytes"] * 8 / 13.013 for track in report["coded"]}
    assert rates["hevc:180"] < 190_000, f"a rate that was asked for: {rates}"
    assert rates["h264:180"] < rates["h264:360"] < 600_000, f"rates by size: {rates}"
    # Again in its place, with shorter segments; all rungs by quality.
    report = transcode(movies / "film.mp4", out, "h264:180,h264:90", "--segment-duration", "3", "--crf", "30",
                       "--no-subtitles")
    same("what was replaced is gone", ["film-1", "film.m3u8"], sorted(path.name for path in out.parent.iterdir()))
    checked(out)
    lists = [out.parent / "film-1" / name for name in ("video-1/index.m3u8", "video-2/index.m3u8")]
    for playlist in lists:
        same("shorter segments", {2.9363}, {round(float(length), 4) for length in durations(playlist)[:-1]})


def test_hdr_is_kept_in_hevc_and_mapped_for_h264(movies, folder):
    out = folder / "light/light.m3u8"
    report = transcode(movies / "light.mp4", out, "hevc:360,hevc:180,h264:180", "--x264-params", "qp=4")
    checked(out)
    lists = aligned(out, report, 125)
    same("range", ["PQ", "PQ", "SDR"], re.findall(r"#EXT-X-STREAM-INF.*VIDEO-RANGE=(\w+)", out.read_text()))
    facts = "pix_fmt,color_transfer,color_space,color_primaries"
    for playlist in lists[:2]:
        same("HDR is kept",
             {"pix_fmt": "yuv420p10le", "color_transfer": "smpte2084", "color_space": "bt2020nc", "color_primaries": "bt2020"},
             stream(playlist, facts))
        same("light is kept", light(movies / "light.mp4"), light(playlist))
    same("H.264 is SDR", {"pix_fmt": "yuv420p", "color_transfer": "bt709", "color_space": "bt709", "color_primaries": "bt709"},
         stream(lists[2], facts))
    same("light of SDR", [], light(lists[2]))
    # As a transcode of its own maps it.
    alone = folder / "mapped.mp4"
    run(APUS, "transcode", "--quiet", movies / "light.mp4", "-o", alone, "--codec", "h264", "--size", "320x180", "--tonemap",
        "--depth", "8", "--x264-params", "qp=4", *FAST, seconds=SECONDS)
    found = likeness(lists[2], alone, (320, 180))
    assert found > 40, f"tone mapping: PSNR of {found}"


def test_pictures_that_come_unevenly_stay_so(movies, folder):
    source = movies / "uneven.mkv"
    out = folder / "uneven/uneven.m3u8"
    count = decoded(source)
    report = transcode(source, out, "auto", "--gop", "1.5s")
    # 360 wide and 640 high is less than 540: one rung of each codec, as large as the source.
    same("rungs of a small source", [("hevc:540", 360, 640), ("h264:540", 360, 640)],
         [(track["rung"], track["width"], track["height"]) for track in report["coded"]])
    same("what auto has no need of", [], report["left_out"])
    checked(out)
    aligned(out, report, count, longest=1.6)


def test_a_presentation_that_is_stopped_ends_where_it_is(movies, folder):
    """Ctrl-C ends the presentation where it is, and leaves nothing else."""
    out = folder / "stopped/stopped.m3u8"
    process = subprocess.Popen([APUS, "transcode", "--json", movies / "film.mp4", "-o", out, "--ladder", "auto", "--speed",
                                "slow"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    while True:
        line = json.loads(process.stdout.readline())
        if line["event"] == "done" or line["frames"] > 10:
            break
    process.send_signal(signal.SIGINT)
    last = json.loads(process.stdout.read().decode().splitlines()[-1])
    same("stopped by Ctrl-C", (130, True), (process.wait(), last["stopped"]))
    same("what is there", ["stopped", "stopped.m3u8"], sorted(path.name for path in out.parent.iterdir()))
    counts = {track["frames"] for track in last["coded"]}
    assert len(counts) == 1 and 0 < min(counts) < 390, f"pictures of what was stopped: {counts}"
    aligned(out, last, counts.pop())


def test_a_run_that_was_killed_is_resumed(movies, folder):
    """A run that was killed is gone on with, and comes out as if nothing had been."""
    out = folder / "killed/killed.m3u8"
    part = out.with_name("killed.m3u8.part")
    ladder = ["--ladder", "hevc:360,h264:180", *FAST, "--threads", "1"]
    for _ in range(20):
        process = subprocess.Popen([APUS, "transcode", "--quiet", movies / "film.mp4", "-o", out, *ladder],
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (part.exists() and part.stat().st_size > 500_000):
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            break
        # It was over before it was killed.
        shutil.rmtree(out.parent)
    assert not out.exists() and part.exists(), "a killed run leaves a part alone"
    report = transcode(movies / "film.mp4", out, "hevc:360,h264:180", "--threads", "1", "--resume")
    assert report["kept_frames"] > 50, f"{report['kept_frames']} frames are kept"
    checked(out)
    aligned(out, report, 390)


@pytest.mark.parametrize("options, words", [
    (["-o", "x.mp4"], "--ladder makes an HLS presentation"),
    (["-o", "rtmp://127.0.0.1:1/live/key"], "--ladder is not for streams"),
    (["-o", "x.m3u8", "--codec", "hevc"], "--codec and --ladder cannot be combined"),
    (["-o", "x.m3u8", "--bitrate", "4M"], "--bitrate and --ladder cannot be combined"),
    (["-o", "x.m3u8", "--gop", "50"], "key frames at fixed times"),
    (["-o", "x.m3u8", "--ladder", "av1:1080"], "--ladder"),
])  # fmt: skip
def test_what_a_ladder_cannot_be_combined_with_is_refused(movies, folder, options, words):
    assert words in run(APUS, "transcode", movies / "film.mp4", "--ladder", "auto", *options, status=2, cwd=folder)


def test_sound_alone_gives_no_ladder(folder):
    ffmpeg(*SOUNDS[:4], "-c:a", "aac", folder / "sound.m4a")
    text = run(APUS, "transcode", folder / "sound.m4a", "-o", folder / "x.m3u8", "--ladder", "auto", status=1)
    assert "has no video to make a ladder from" in text


def test_settings_hold_the_ladder(folder):
    job = folder / "job.json"
    job.write_text(run(APUS, "transcode", "--ladder", "hevc:720@3M,h264:540", "--crf", "24", "--print-settings"))
    same("settings", "hevc:720@3000000,h264:540", json.loads(job.read_text())["ladder"])
    same("settings from a file", job.read_text(), run(APUS, "transcode", "--job", job, "--print-settings"))
