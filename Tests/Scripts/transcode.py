#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus transcode` writes: pictures, times and facts as FFmpeg finds them, and as good as FFmpeg makes them."""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Peers"))

from once import once  # noqa: E402

APUS = os.environ.get("APUS", str(ROOT / "Scripts/apus"))
SCHEMA = json.loads((ROOT / "Sources/ApusCommand/Schemas/transcode.schema.json").read_text())
QUIET = "log-level=error"
SOUND = ["-f", "lavfi", "-i", "sine=d=3:r=44100"]
HDR10 = ("colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited:max-cll=1000,400:"
         "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)")
failures = []


def run(*command, status=0):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, command))}: {done.returncode} {done.stderr.decode()}")
    return done.stdout.decode() + (done.stderr.decode() if status else "")


def check(truth, words):
    if not truth:
        failures.append(words)
        print(f"failed: {words}", file=sys.stderr)


def same(found, wanted, words):
    check(found == wanted, f"{words}: {found}, expected {wanted}")


def make(path, pictures, *options, sound=True):
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", pictures, *(SOUND if sound else []),
        *(["-c:a", "aac"] if sound else []), *options, "-y", path)
    return path


def transcode(source, target, *options, checked=True):
    text = run(APUS, "transcode", "--quiet", "--json", "--on-exists", "replace", source, "-o", target, *options)
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        jsonschema.validate(line, SCHEMA)
    if checked and "h264" not in options:
        run(APUS, "hvcc", "check", target)
    same(list(target.parent.glob("*.part*")), [], "what is left of writing")
    return lines[-1]


@once
def probe(path, stream="v:0"):
    text = run("ffprobe", "-v", "error", "-select_streams", stream, "-show_streams", "-of", "json", path)
    return json.loads(text)["streams"][0]


@once
def times(path):
    """When each picture is shown, as a player finds it."""
    text = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time",
               "-of", "csv=p=0", path)
    return [round(float(line.rstrip(",")), 3) for line in text.split() if line.strip(",")]


def quality(path, source):
    """Mean PSNR, picture by picture."""
    done = subprocess.run(["ffmpeg", "-nostdin", "-i", path, "-i", source, "-lavfi", "[0:v][1:v]psnr", "-f", "null",
                           "-"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return float(re.search(rb"average:([0-9.]+|inf)", done.stderr).group(1))


@once
def video_size(path):
    text = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0",
               path)
    return sum(int(line.rstrip(",")) for line in text.split())


def equals_ffmpeg(work):
    """The same settings of the same library: as good, and no larger."""
    hevc = make(work / "hevc.mp4", "testsrc2=s=352x288:r=30000/1001:d=3", "-c:v", "libx265", "-preset", "fast",
                "-x265-params", QUIET, "-tag:v", "hvc1", "-pix_fmt", "yuv420p")
    avc = make(work / "avc.mp4", "testsrc2=s=352x288:r=25:d=3", "-c:v", "libx264", "-pix_fmt", "yuv420p")
    ten = make(work / "ten.mp4", "testsrc2=s=352x288:r=50:d=2", "-c:v", "libx265", "-x265-params", QUIET, "-tag:v",
               "hvc1", "-pix_fmt", "yuv420p10le")
    for source, codec, own, theirs in (
            (hevc, "libx265", ["--codec", "hevc", "--crf", "24"], ["-crf", "24"]),
            (avc, "libx265", ["--crf", "30", "--speed", "veryfast"], ["-crf", "30", "-preset", "veryfast"]),
            (ten, "libx265", [], []),
            (hevc, "libx265", ["--bitrate", "300k"], ["-b:v", "300k"]),
            (hevc, "libx264", ["--codec", "h264", "--crf", "26"], ["-crf", "26"]),
            (avc, "libx264", ["--codec", "h264", "--speed", "fast"], ["-preset", "fast"])):
        name = f"{source.name} by {codec} with {' '.join(own)}"
        out, reference = work / "out.mp4", work / "reference.mp4"
        transcode(source, out, *own)
        quiet = ["-x265-params", QUIET] if codec == "libx265" else []
        run("ffmpeg", "-v", "error", "-i", source, "-c:v", codec, *quiet, *theirs, "-c:a", "copy", "-y", reference)
        difference = quality(out, source) - quality(reference, source)
        check(abs(difference) <= 0.05, f"{name}: {difference:+.3f} dB beside FFmpeg")
        ratio = video_size(out) / video_size(reference)
        check(abs(ratio - 1) <= 0.01 or ratio < 1, f"{name}: {ratio:.4f} of FFmpeg's size")
        same(times(out), times(source), f"{name}: times")
        same(probe(out)["pix_fmt"], probe(source)["pix_fmt"], f"{name}: samples")
    return hevc, avc


def odd_matrices(work, movie, matrix):
    """What a filter cannot bake stays as it is, and is reported; a mirror is baked."""
    one, width = 1 << 16, 352
    source, out = work / "matrix.mov", work / "matrix-out.mov"
    said = ("HEVC video is shown by a matrix that does more than turn by quarters and mirror, which is not baked into "
            "its pictures but stays beside them")
    rows = [("30 degrees", (56756, 32768, 0, -32768, 56756, 0, 0, 0, 1 << 30), [said]),
            ("twice as large", (2 * one, 0, 0, 0, 2 * one, 0, 0, 0, 1 << 30), [said]),
            ("mirrored", (-one, 0, 0, 0, one, 0, width * one, 0, 1 << 30), [])]
    for name, numbers, warnings in rows:
        movie[matrix : matrix + 36] = struct.pack(">9i", *numbers)
        source.write_bytes(movie)
        report = transcode(source, out, "--bake-rotation")
        same(report["warnings"], warnings, f"{name}: warnings of baking")
        written = out.read_bytes()
        found = written.index(b"tkhd") + 44
        kept = struct.unpack(">9i", written[found : found + 36])
        same(kept, numbers if warnings else (one, 0, 0, 0, one, 0, 0, 0, 1 << 30), f"{name}: the matrix that is left")
        same(transcode(source, out)["warnings"], [], f"{name}: warnings without baking")
    mirrored = work / "mirrored.mp4"
    run("ffmpeg", "-v", "error", "-i", work / "hevc.mp4", "-vf", "hflip", "-c:v", "libx264", "-qp", "0", "-an", "-y",
        mirrored)
    transcode(source, out, "--bake-rotation")
    check(quality(out, mirrored) > 30, "baked pictures are mirrored")


def sizes_that_change(work):
    """A stream whose pictures become smaller is coded in its first size, and says so."""
    parts = []
    for size in ("320x240", "192x128"):
        part = work / f"{size}.hevc"
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={size}:r=10:d=1", "-c:v", "libx265",
            "-x265-params", QUIET, "-pix_fmt", "yuv420p", "-y", part)
        parts.append(part.read_bytes())
    bare, out = work / "sizes.hevc", work / "sizes-out.mp4"
    bare.write_bytes(b"".join(parts))
    for ending in ("mp4", "ts"):
        movie = work / f"sizes.{ending}"
        run(APUS, "remux", "--quiet", "--on-exists", "replace", bare, "-o", movie)
        found = [text for text in transcode(movie, out)["warnings"] if "change" in text]
        same(found, ["HEVC video: its pictures change from 320x240 to 192x128, from 1000 ms on, and all are encoded as "
                     "320x240"], f"sizes in {ending}")
        same([probe(out)[name] for name in ("width", "height")], [320, 240], f"size of {ending} coded anew")


def tone_mapping_is_that_of_photos(work):
    """Frames in PQ and HLG become as bright as the same pictures do when they are taken out as photos."""
    for name, meaning in (
        ("pq", "transfer=smpte2084:hdr10=1:max-cll=500,400"), ("hlg", "transfer=arib-std-b67"),
        ("pq-grey", "transfer=smpte2084:hdr10=1:max-cll=500,400"),
    ):
        # Codes up to some 500 cd/m² in PQ.
        scale = "lutyuv=y='64+(val-64)*0.7':u='512+(val-512)*0.35':v='512+(val-512)*0.35'" if name != "hlg" else "null"
        form = "gray10le" if name == "pq-grey" else "yuv420p10le"
        movie = make(work / f"{name}.mp4", f"testsrc2=s=161x90:r=24:d=0.2,format=yuv420p10le,{scale}", "-pix_fmt", form,
                     "-vf", "crop=160:90", "-c:v", "libx265", "-x265-params",
                     f"{QUIET}:lossless=1:colorprim=bt2020:colormatrix=bt2020nc:{meaning}", "-tag:v", "hvc1", sound=False)
        photos = work / f"{name}-photos"
        photos.mkdir()
        run(APUS, "extract", "--quiet", movie, "--frames", "--srgb", "--format", "png", "-o", photos)
        for options in ([], ["--crop", "96x64+8+8"]):
            out = work / f"{name}-sdr.mp4"
            transcode(movie, out, "--tonemap", "--crf", "2", *options)
            crop = ["-vf", "crop=96:64:8:8"] if options else []
            video = frame_mean(out, ["-vf", "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd"])
            if name == "pq-grey":
                # FFmpeg takes all grey samples for those of full range.
                video = (video - 16) * 255 / 219
            photo = frame_mean(sorted(photos.iterdir())[0], crop)
            check(abs(video - photo) <= 0.02 * photo, f"{name}: the video has a mean of {video}, the photo of {photo}")


def frame_mean(path, filters, device=()):
    samples = subprocess.check_output(["ffmpeg", "-v", "error", *device, "-i", path, "-frames:v", "1", *filters, "-pix_fmt",
                                       "rgb24", "-f", "rawvideo", "-"], stdin=subprocess.DEVNULL)
    return sum(samples) / len(samples)


def tone_mapping_is_near_that_of_libplacebo(work):
    """Frames in PQ become as bright as by another program that follows BT.2390, on a software Vulkan device."""
    decoded = "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd"
    # The curve alone: newer versions have another default for colours out of range, and make details clearer.
    known = subprocess.check_output(["ffmpeg", "-v", "error", "-h", "filter=libplacebo"], stdin=subprocess.DEVNULL, text=True)
    alone = ":contrast_recovery=0" if "contrast_recovery" in known else ""
    mapped = ("hwupload,libplacebo=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv:format=yuv420p:"
              f"tonemapping=bt.2390:gamut_mode=clip{alone},hwdownload,format=yuv420p,{decoded}")
    # On this device, newer versions leave the planes of a frame that is one image empty; older ones make no such frames.
    device = ["-init_hw_device", "vulkan=vk:0,disable_multiplane=1", "-filter_hw_device", "vk"]
    ramp = "gradients=s=320x180:c0=black:c1=white:x0=0:y0=0:x1=319:y1=0:n=2:d=0.2,format=yuv420p10le"
    for name, pictures, code, part, light in (
            # Grey up to a light that the stream states: the curve alone.
            ("ramp-330", ramp, 0.63, "512", 330), ("ramp-560", ramp, 0.69, "512", 560), ("ramp-980", ramp, 0.75, "512", 980),
            # What lies outside of BT.709 is brought into it by other ways, so colours differ, and a part of the light.
            ("colours", "testsrc2=s=320x180:r=24:d=0.2,format=yuv420p10le", 0.7, "512+(val-512)*0.35", 500)):
        movie = make(work / f"placebo-{name}.mp4", f"{pictures},lutyuv=y='64+(val-64)*{code}':u='{part}':v='{part}'",
                     "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
                     f"{QUIET}:lossless=1:colorprim=bt2020:colormatrix=bt2020nc:transfer=smpte2084:hdr10=1:"
                     f"max-cll={light},{light // 2}", "-tag:v", "hvc1", sound=False)
        out = work / "placebo-out.mp4"
        transcode(movie, out, "--tonemap", "--crf", "2")
        own, other = frame_mean(out, ["-vf", decoded]), frame_mean(movie, ["-vf", mapped], device)
        check(abs(own - other) <= (0.06 if name == "colours" else 0.02) * other,
              f"{name}: a mean of {own:.2f}, of {other:.2f} by libplacebo")


def keeps_facts(work, hevc):
    hdr = make(work / "hdr.mp4", "testsrc2=s=192x128:r=24:d=1", "-pix_fmt", "yuv420p10le", "-c:v", "libx265",
               "-x265-params", f"{QUIET}:{HDR10}", "-tag:v", "hvc1", sound=False)
    out = work / "out.mov"
    transcode(hdr, out)
    found = probe(out)
    for name in ("color_range", "color_space", "color_transfer", "color_primaries", "pix_fmt"):
        same(found[name], probe(hdr)[name], f"HDR10: {name}")
    said = {name: value for data in found["side_data_list"] for name, value in data.items()}
    same([said.get(name) for name in ("red_x", "white_point_y", "min_luminance", "max_content", "max_average")],
         ["34000/50000", "16450/50000", "1/10000", 1000, 400], "HDR10: light")
    transcode(hdr, out, "--tonemap")
    found = probe(out)
    same([found.get(name) for name in ("color_transfer", "color_primaries", "color_space", "color_range", "pix_fmt",
                                       "side_data_list")],
         ["bt709", "bt709", "bt709", "tv", "yuv420p", None], "tone mapped")
    transcode(hdr, out, "--tonemap", "--preset", "h264-1080p", checked=False)
    same([probe(out).get(name) for name in ("color_transfer", "color_space", "pix_fmt")],
         ["bt709", "bt709", "yuv420p"], "tone mapped H.264")

    hlg = make(work / "hlg.mp4", "testsrc2=s=192x128:r=24:d=1", "-pix_fmt", "yuv420p10le", "-c:v", "libx265",
               "-x265-params", f"{QUIET}:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc", "-tag:v", "hvc1",
               sound=False)
    transcode(hlg, out)
    same([probe(out)[name] for name in ("color_transfer", "color_primaries", "color_space", "pix_fmt")],
         ["arib-std-b67", "bt2020", "bt2020nc", "yuv420p10le"], "HLG")

    tone_mapping_is_that_of_photos(work)
    tone_mapping_is_near_that_of_libplacebo(work)

    odd = make(work / "odd.mp4", "testsrc2=s=320x240:r=24:d=0.5", "-vf", "scale=161:91", "-pix_fmt", "yuv444p10le", "-c:v",
               "libx264", sound=False)
    report = transcode(odd, work / "odd-out.mp4", "--preset", "h264-1080p", checked=False)
    same(report["warnings"], [
        "AVC video: pictures of 161x91 are cut to 160x90, because encoded sizes are even",
        "AVC video: colours are subsampled from 4:4:4 to 4:2:0",
        "AVC video: samples of 10 bits are encoded with 8",
    ], "what a preset takes away")

    turned = work / "turned.mp4"
    movie = bytearray(hevc.read_bytes())
    # The matrix of the first track; ffmpeg takes a rotation in other words in each version.
    matrix = movie.index(b"tkhd") + 44
    movie[matrix : matrix + 36] = struct.pack(">9i", 0, 1 << 16, 0, -1 << 16, 0, 0, 0, 0, 1 << 30)
    turned.write_bytes(movie)
    transcode(turned, out, "--size", "176x144")
    same((probe(out)["side_data_list"], probe(out)["width"]), (probe(turned)["side_data_list"], 176), "rotation kept")
    transcode(turned, out, "--bake-rotation")
    found = probe(out)
    same((found["width"], found["height"], found.get("side_data_list")), (288, 352, None), "rotation baked")
    upright = work / "upright.mp4"
    run("ffmpeg", "-v", "error", "-i", turned, "-c:v", "libx264", "-qp", "0", "-an", "-y", upright)
    check(quality(out, upright) > 30, "baked pictures are those that players turn")
    odd_matrices(work, movie, matrix)
    sizes_that_change(work)

    uneven = make(work / "uneven.mp4", "testsrc2=s=160x128:r=25:d=3", "-vf",
                  "select=not(mod(n\\,7))+not(mod(n\\,3)),setsar=4/3", "-vsync", "vfr", "-c:v", "libx264", sound=False)
    transcode(uneven, out)
    same(times(out), times(uneven), "uneven times")
    same(probe(out)["sample_aspect_ratio"], "4:3", "sample shape")
    check(len(times(out)) == 32, "uneven times: 32 pictures")

    fields = make(work / "fields.mp4", "testsrc2=s=160x128:r=50:d=1", "-vf", "tinterlace=interleave_top",
                  "-flags", "+ildct+ilme", "-c:v", "libx264", "-x264-params", "tff=1", sound=False)
    transcode(fields, out)
    check(probe(out)["field_order"].startswith("t"), "fields")
    transcode(fields, out, "--deinterlace")
    check(not probe(out).get("field_order", "").startswith("t"), "deinterlaced")

    odd = make(work / "odd.mkv", "testsrc2=s=161x119:r=25:d=1", "-c:v", "ffv1", "-pix_fmt", "yuv444p", sound=False)
    transcode(odd, out)
    same((probe(out)["width"], probe(out)["height"], probe(out)["pix_fmt"]), (160, 118, "yuv444p"), "odd sides")
    return out


def cuts(work, hevc):
    out = work / "cut.mp4"
    transcode(hevc, out, "--from", "1", "--to", "2")
    whole = [time for time in times(hevc) if 1 <= time < 2]
    same(len(times(out)), len(whole), "cut: pictures")
    check(abs(float(probe(out, "a:0")["duration"]) - 1) < 0.06, "cut: sound")
    check(quality(out, cut_of(hevc, work)) > 30, "cut: these pictures")
    every = times(hevc)
    for start, end in ((1, 2), (0.5, 1.77), (0, 1.3), (1.01, 9)):
        transcode(hevc, out, "--preset", "copy", "--from", start, "--to", end)
        # An edit list hides what decoding needs of the time before and what it brings of the time behind.
        last = min(end, 3)
        for stream in ("v:0", "a:0"):
            check(abs(float(probe(out, stream)["duration"]) - (last - start)) < 0.02,
                  f"cut without coding from {start} to {end}: {stream} lasts {probe(out, stream)['duration']}")
        wanted = [time for time in every if start <= time < end]
        shown = [time for time in times(out) if time < last - start]
        check(len(shown) == len(wanted), f"cut without coding from {start} to {end}: {len(shown)} pictures")
    cuts_elsewhere(work, hevc)


def cuts_elsewhere(work, hevc):
    """Fragments have an edit list that ends; FLV and HLS show more, and say how much."""
    start, end = 0.5, 1.77
    plain, cut, again = work / "cut.mp4", work / "cut.fragments.mp4", work / "cut.again.mp4"
    transcode(hevc, plain, "--preset", "copy", "--from", start, "--to", end)
    transcode(hevc, cut, "--preset", "copy", "--format", "fmp4", "--from", start, "--to", end)
    lists = re.findall(rb"elst\x00{7}\x01(.{8})", cut.read_bytes(), re.S)
    units = struct.unpack(">I", re.search(rb"mvhd\x00{4}.{8}(.{4})", cut.read_bytes(), re.S)[1])[0]
    told = [struct.unpack(">Ii", entry)[0] / units for entry in lists]
    check(len(told) == 2 and all(abs(length - (end - start)) < 0.001 for length in told),
          f"edit lists of fragments last {told}")
    run(APUS, "remux", "--quiet", "--on-exists", "replace", cut, "-o", again)
    same(times(again), times(plain), "times of a cut in fragments that is made plain")
    # Pictures before that are decoded, and those behind that are, as the key frames and times of the input tell.
    every = json.loads(run("ffprobe", "-v", "error", "-select_streams", "v", "-show_packets", "-of", "json", hevc))["packets"]
    every = [(float(packet["dts_time"]), float(packet["pts_time"]), "K" in packet["flags"]) for packet in every]
    first = max(shown for _, shown, key in every if key and shown <= start)
    kept = every[[shown for _, shown, _ in every].index(first):]
    early = sum(shown + 0.04 <= start + 0.0001 for _, shown, _ in kept)
    late = json.loads(run("ffprobe", "-v", "error", "-select_streams", "v", "-show_packets", "-of", "json", plain))["packets"]
    late = sum(float(packet["pts_time"]) >= end - start for packet in late)
    for name, words in (("cut.flv", [f"{early} pictures before", f"{late} picture"]), ("cut.m3u8", [f"{late} picture"])):
        done = transcode(hevc, work / name, "--preset", "copy", "--from", start, "--to", end, checked=False)
        for word in words if late else words[:1]:
            check(name.endswith("m3u8") and not late or any(word in warning for warning in done["warnings"]),
                  f"{name}: {word} is said: {done['warnings']}")


def seeks(work):
    """The first picture out of a seek needs no more than its group of pictures."""
    long = make(work / "seek.mp4", "testsrc2=s=320x180:r=25:d=20", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=error:keyint=25:min-keyint=25:scenecut=0:bframes=3", "-tag:v", "hvc1")
    for start in (7, 7.04, 13.96, 19.5):
        done = transcode(long, work / "one.mp4", "--from", start, "--to", start + 0.04, "--speed", "ultrafast")
        coded = done["coded"][0]
        # Decoders with threads take some more before the first comes out.
        check(coded["frames"] == 1 and coded["samples"] <= 25 + 16, f"from {start}: {coded}")


def cut_of(source, work):
    reference = work / "cut-reference.mp4"
    run("ffmpeg", "-v", "error", "-i", source, "-vf", "trim=0.999:2,setpts=PTS-STARTPTS", "-an", "-c:v", "libx264",
        "-qp", "0", "-y", reference)
    return reference


def sound(work, hevc):
    out = work / "aac.mp4"
    transcode(hevc, out, "--audio", "aac", "--codec", "copy", checked=False)
    decoded = []
    for path in (hevc, out):
        raw = work / "raw"
        run("ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-y", raw)
        decoded.append(memoryview(raw.read_bytes()).cast("h"))
    before, after = decoded
    error = {shift: sum(abs(before[index] - after[index + shift]) for index in range(44100, 45100))
             for shift in range(-1200, 1201, 1)}
    # A period later or earlier is nearly as good; between them it is not.
    check(error[0] < 1.5 * min(error.values()) + 1000, "sound coded anew is heard when it was")
    alien = work / "alien.mkv"
    run("ffmpeg", "-v", "error", "-i", hevc, "-c:v", "copy", "-c:a", "libvorbis", "-metadata:s:a", "language=deu", "-y",
        alien)
    done = transcode(alien, out)
    same(probe(out, "a:0")["codec_name"], "aac", "Vorbis in MP4")
    same(probe(out, "a:0")["tags"]["language"], "deu", "language")
    same(len(done["coded"]), 2, "coded tracks")


TITLES = "1\n00:00:00,500 --> 00:00:01,500\nOne\n\n2\n00:00:01,700 --> 00:00:02,500\nTwo\n"
CHAPTERS = ";FFMETADATA1\n" + "".join(
    f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={start + 1000}\ntitle={name}\n"
    for name, start in (("first", 0), ("second", 1000), ("third", 2000)))


def other_tracks(work, hevc):
    """All sound, titles and chapters come along, and are cut with the pictures."""
    titles, chapters, full = work / "titles.srt", work / "chapters.txt", work / "full.mp4"
    titles.write_text(TITLES)
    chapters.write_text(CHAPTERS)
    run("ffmpeg", "-v", "error", "-i", hevc, "-f", "lavfi", "-i", "sine=f=880:d=3:r=48000", "-i", titles, "-i", chapters,
        "-map", "0:v", "-map", "0:a", "-map", "1:a", "-map", "2", "-map_chapters", "3", "-c:v", "copy", "-c:a", "aac",
        "-c:s", "mov_text", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-metadata:s:s",
        "language=fra", "-disposition:a:0", "0", "-disposition:a:1", "default", full)
    out = work / "out.mp4"
    for options, kept, named in (([], [("One", 0.5), ("Two", 1.7)], [("first", 0.0), ("second", 1.0), ("third", 2.0)]),
                                 (["--from", "0.8", "--to", "2.2"], [("One", 0.0), ("Two", 0.9)],
                                  [("first", 0.0), ("second", 0.2), ("third", 1.2)])):
        transcode(full, out, "--speed", "ultrafast", *options)
        found = [probe(out, stream) for stream in ("a:0", "a:1", "s:0")]
        same([track["tags"]["language"] for track in found], ["eng", "deu", "fra"], "languages")
        same([track["disposition"]["default"] for track in found[:2]], [0, 1], "the sound that is chosen")
        text = run("ffmpeg", "-v", "error", "-i", out, "-map", "0:s:0", "-f", "srt", "-")
        shown = re.findall(r"00:00:(\d\d),(\d{3}) -->.*\n(.*)", text)
        same([(words, int(second) + int(part) / 1000) for second, part, words in shown], kept, "titles")
        text = json.loads(run("ffprobe", "-v", "error", "-show_chapters", "-of", "json", out))
        same([(chapter["tags"]["title"], float(chapter["start_time"])) for chapter in text["chapters"]], named, "chapters")
    alien = work / "titles.mkv"
    run("ffmpeg", "-v", "error", "-i", full, "-map", "0:v", "-map", "0:a", "-map", "0:s", "-c", "copy", "-c:s", "srt", alien)
    done = transcode(alien, out, "--speed", "ultrafast")
    same(done["left_out"], [], "titles that MP4 has another form for")
    same(probe(out, "s:0")["codec_name"], "mov_text", "that form")


def mends_times(work):
    flat = make(work / "flat.flv", "testsrc2=s=160x128:r=25:d=3", "-c:v", "libx264", "-bf", "0", sound=False)
    data, place, number = bytearray(flat.read_bytes()), 13, 0
    while place < len(data):
        if data[place] == 9:
            number += 1
            if number in (20, 45, 46):
                time = int.from_bytes(data[place + 4:place + 7], "big") - 80
                data[place + 4:place + 7] = time.to_bytes(3, "big")
        place += 15 + int.from_bytes(data[place + 1:place + 4], "big")
    flat.write_bytes(data)
    done = transcode(flat, work / "mended.mp4", "--speed", "ultrafast")
    found = times(work / "mended.mp4")
    same([round(time - found[0], 3) for time in found], [round(number * 0.04, 3) for number in range(75)],
         "times that fall in three tags")
    check(any("timestamps go back" in words and "2 places" in words for words in done["warnings"]),
          f"mended times are reported: {done['warnings']}")


def others(work, hevc):
    for name, wanted in (("out.flv", None), ("out.hevc", "hevc"), ("out.mov", "hevc")):
        done = transcode(hevc, work / name, "--speed", "ultrafast")
        same(done["coded"][0]["frames"], 90, f"{name}: pictures")
        if wanted:
            same(probe(work / name)["codec_name"], wanted, name)
    transcode(hevc, work / "part.mp4", "--format", "fmp4", "--speed", "ultrafast")
    same(len(times(work / "part.mp4")), 90, "fragments: pictures")
    transcode(hevc, work / "web.m3u8", "--segment-duration", "1", "--speed", "ultrafast", checked=False)
    same(len(times(work / "web.m3u8")), 90, "segments: pictures")
    lengths = re.findall(r"#EXTINF:([0-9.]+)", (work / "web/video-1/index.m3u8").read_text())
    check(len(lengths) == 3 and all(abs(float(length) - 1) < 0.05 for length in lengths), f"segments: {lengths}")
    transcode(hevc, work / "still.mp4", "--profile", "main-still")
    same(probe(work / "still.mp4")["profile"], "Main Still Picture", "still")
    done = transcode(hevc, work / "passes.mp4", "--bitrate", "300k", "--passes", "2", "--speed", "fast")
    rate = video_size(work / "passes.mp4") * 8 / 3
    check(abs(rate / 300_000 - 1) < 0.08, f"two passes: {rate:.0f} bit/s")
    transcode(hevc, work / "small.mp4", "--preset", "hevc-1080p", "--size", "100x80", "--filter", "hflip", "--fps", "10",
              "--speed", "ultrafast")
    found = probe(work / "small.mp4")
    same((found["width"], found["height"], found["nb_frames"]), (98, 80, "30"), "filters")


def settings(work, hevc):
    job = work / "job.json"
    options = ["--preset", "hevc-2160p", "--crf", "22", "--x265-params", "no-sao:aq-mode=3", "--crop", "320x240+2+4",
               "--fps", "30000/1001", "--from", "1", "--audio", "aac", "--audio-bitrate", "96k", "--depth", "10"]
    job.write_text(run(APUS, "transcode", *options, "--print-settings"))
    same(run(APUS, "transcode", "--job", job, "--print-settings"), job.read_text(), "settings from a file")
    transcode(hevc, work / "job.mp4", "--job", job, "--speed", "ultrafast")
    same(probe(work / "job.mp4")["width"], 320, "a job")
    for text, words in (("{", "not JSON"), ('{"vidio":{}}', "vidio is not a known setting"),
                        ('{"video":{"crf":99}}', "video.crf"), ('{"video":{"size":"0x1"}}', "video.size")):
        job.write_text(text)
        check(words in run(APUS, "transcode", "--job", job, "--print-settings", status=2), f"{text} is refused")
    for options, words in ((["--x265-params", "nonsense=1"], "x265 knows no parameter nonsense"),
                           (["--x265-params", "crf=good"], "does not take good as crf"),
                           (["--crop", "4000x100+0+0"], "lies outside"),
                           (["--filter", "movie=/etc/passwd"], "opens files"),
                           (["--speed", "snail"], "does not take snail as preset")):
        text = run(APUS, "transcode", hevc, "-o", work / "none.mp4", *options, status=1)
        check(words in text and not (work / "none.mp4").exists(), f"{options} is refused: {text}")


def damage(work, hevc):
    broken = work / "broken.mp4"
    data = bytearray(hevc.read_bytes())
    start = data.index(b"mdat") + (len(data) - data.index(b"mdat")) // 2
    data[start:start + 3000] = bytes(3000)
    broken.write_bytes(data)
    run(APUS, "transcode", broken, "-o", work / "strict.mp4", "--speed", "ultrafast", status=1)
    check(not (work / "strict.mp4").exists(), "damage writes nothing")
    for left in work.glob("strict.mp4*"):
        left.unlink()
    done = transcode(broken, work / "salvaged.mp4", "--speed", "ultrafast", "--salvage")
    check(done["coded"][0]["damaged"] > 0 and done["coded"][0]["frames"] > 45, "salvage goes on")


def interrupted(work):
    long = make(work / "long.mp4", "testsrc2=s=640x360:r=30:d=40", "-c:v", "libx264", "-preset", "ultrafast", sound=False)
    out = work / "stopped.mp4"
    process = subprocess.Popen([APUS, "transcode", "--json", "--speed", "slow", long, "-o", out], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
    while True:
        line = json.loads(process.stdout.readline())
        if line["event"] == "done" or line["frames"] > 30:
            break
    process.send_signal(signal.SIGINT)
    last = process.stdout.read().decode().splitlines()[-1]
    same((process.wait(), json.loads(last)["stopped"]), (130, True), "stopped by Ctrl-C")
    count = len(times(out))
    check(30 < count < 1200, f"what was stopped can be played: {count} pictures")


def main():
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        hevc, _ = equals_ffmpeg(work)
        keeps_facts(work, hevc)
        cuts(work, hevc)
        seeks(work)
        sound(work, hevc)
        other_tracks(work, hevc)
        mends_times(work)
        others(work, hevc)
        settings(work, hevc)
        damage(work, hevc)
        interrupted(work)
    if failures:
        sys.exit(f"{len(failures)} failures")


main()
