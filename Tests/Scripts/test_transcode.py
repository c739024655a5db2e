# SPDX-License-Identifier: MIT
"""What `apus transcode` writes: pictures, times and facts as FFmpeg finds them, and as good as FFmpeg makes them."""

import json
import re
import signal
import struct
import subprocess

import jsonschema
import pytest

import media
from once import once
from programs import APUS, FFMPEG, SCHEMAS, completed, ffmpeg, printed, run, same

pytestmark = pytest.mark.apart
SCHEMA = json.loads((SCHEMAS / "transcode.schema.json").read_text())
QUIET = "log-level=error"
SOUND = ["-f", "lavfi", "-i", "sine=d=3:r=44100"]
HDR10 = ("colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited:max-cll=1000,400:"
         "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)")


def make(path, pictures, *options, sound=True):
    ffmpeg("-f", "lavfi", "-i", pictures, *(SOUND if sound else []), *(["-c:a", "aac"] if sound else []), *options, path)
    return path


def make_sources(folder):
    make(folder / "hevc.mp4", "testsrc2=s=352x288:r=30000/1001:d=3", "-c:v", "libx265", "-preset", "fast", "-x265-params", QUIET,
         "-tag:v", "hvc1", "-pix_fmt", "yuv420p")
    make(folder / "avc.mp4", "testsrc2=s=352x288:r=25:d=3", "-c:v", "libx264", "-pix_fmt", "yuv420p")
    make(folder / "ten.mp4", "testsrc2=s=352x288:r=50:d=2", "-c:v", "libx265", "-x265-params", QUIET, "-tag:v", "hvc1",
         "-pix_fmt", "yuv420p10le")
    make(folder / "hdr.mp4", "testsrc2=s=192x128:r=24:d=1", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
         f"{QUIET}:{HDR10}", "-tag:v", "hvc1", sound=False)


@pytest.fixture(scope="session")
def movies(shared):
    """The folder of the movies."""
    return shared("transcode", make_sources)


@pytest.fixture
def hevc(movies):
    return movies / "hevc.mp4"


@pytest.fixture
def hdr(movies):
    """A movie in HDR10."""
    return movies / "hdr.mp4"


@pytest.fixture
def out(folder):
    return folder / "out.mp4"


def transcode(source, target, *options, checked=True):
    """Returns the last event of a run, all of which fit the schema; what it writes is checked, and nothing else is left."""
    text = printed(APUS, "transcode", "--quiet", "--json", "--on-exists", "replace", source, "-o", target, *options)
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        jsonschema.validate(line, SCHEMA)
    if checked and "h264" not in options:
        run(APUS, "hvcc", "check", target)
    assert not list(target.parent.glob("*.part*")), "something is left of writing"
    return lines[-1]


@once
def probe(path, stream="v:0"):
    text = printed("ffprobe", "-v", "error", "-select_streams", stream, "-show_streams", "-of", "json", path)
    return json.loads(text)["streams"][0]


@once
def times(path):
    """When each picture is shown, as a player finds it."""
    text = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=best_effort_timestamp_time",
                   "-of", "csv=p=0", path)
    return [round(float(line.rstrip(",")), 3) for line in text.split() if line.strip(",")]


def facts(path, *names):
    """What FFmpeg finds of the pictures."""
    found = probe(path)
    return [found.get(name) for name in names]


@once
def video_size(path):
    text = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0", path)
    return sum(int(line.rstrip(",")) for line in text.split())


@pytest.mark.parametrize("name, codec, own, theirs", [
    ("hevc", "libx265", ["--codec", "hevc", "--crf", "24"], ["-crf", "24"]),
    ("avc", "libx265", ["--crf", "30", "--speed", "veryfast"], ["-crf", "30", "-preset", "veryfast"]),
    ("ten", "libx265", [], []),
    ("hevc", "libx265", ["--bitrate", "300k"], ["-b:v", "300k"]),
    ("hevc", "libx264", ["--codec", "h264", "--crf", "26"], ["-crf", "26"]),
    ("avc", "libx264", ["--codec", "h264", "--speed", "fast"], ["-preset", "fast"]),
])
def test_the_same_settings_of_the_same_library_are_as_good_and_no_larger(movies, folder, out, name, codec, own, theirs):
    source, reference = movies / f"{name}.mp4", folder / "reference.mp4"
    transcode(source, out, *own)
    quiet = ["-x265-params", QUIET] if codec == "libx265" else []
    run("ffmpeg", "-v", "error", "-i", source, "-c:v", codec, *quiet, *theirs, "-c:a", "copy", reference)
    difference = media.psnr(out, source) - media.psnr(reference, source)
    assert abs(difference) <= 0.05, f"{difference:+.3f} dB next to FFmpeg"
    ratio = video_size(out) / video_size(reference)
    assert abs(ratio - 1) <= 0.01 or ratio < 1, f"{ratio:.4f} of FFmpeg's size"
    same("times", times(source), times(out))
    same("samples", probe(source)["pix_fmt"], probe(out)["pix_fmt"])


# Light


def test_hdr10_stays(hdr, folder):
    out = folder / "out.mov"
    transcode(hdr, out)
    names = ("color_range", "color_space", "color_transfer", "color_primaries", "pix_fmt")
    same("HDR10", facts(hdr, *names), facts(out, *names))
    said = {name: value for data in probe(out)["side_data_list"] for name, value in data.items()}
    same("light", ["34000/50000", "16450/50000", "1/10000", 1000, 400],
         [said.get(name) for name in ("red_x", "white_point_y", "min_luminance", "max_content", "max_average")])


def test_tone_mapped_pictures_are_of_bt709(hdr, folder):
    out = folder / "out.mov"
    transcode(hdr, out, "--tonemap")
    same("tone mapped", ["bt709", "bt709", "bt709", "tv", "yuv420p", None],
         facts(out, "color_transfer", "color_primaries", "color_space", "color_range", "pix_fmt", "side_data_list"))
    transcode(hdr, out, "--tonemap", "--preset", "h264-1080p", checked=False)
    same("tone mapped H.264", ["bt709", "bt709", "yuv420p"], facts(out, "color_transfer", "color_space", "pix_fmt"))


def test_hlg_stays(folder, out):
    hlg = make(folder / "hlg.mp4", "testsrc2=s=192x128:r=24:d=1", "-pix_fmt", "yuv420p10le", "-c:v", "libx265",
               "-x265-params", f"{QUIET}:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc", "-tag:v", "hvc1",
               sound=False)
    transcode(hlg, out)
    same("HLG", ["arib-std-b67", "bt2020", "bt2020nc", "yuv420p10le"],
         facts(out, "color_transfer", "color_primaries", "color_space", "pix_fmt"))


def frame_mean(path, filters, device=()):
    samples = completed(FFMPEG, *device, "-i", path, "-frames:v", "1", *filters, "-pix_fmt", "rgb24", "-f",
                        "rawvideo", "-").stdout
    return sum(samples) / len(samples)


@pytest.mark.parametrize("options, crop", [
    ([], []), (["--crop", "96x64+8+8"], ["-vf", "crop=96:64:8:8"]),
], ids=["whole", "cropped"])
@pytest.mark.parametrize("name, meaning", [
    ("pq", "transfer=smpte2084:hdr10=1:max-cll=500,400"), ("hlg", "transfer=arib-std-b67"),
    ("pq-gray", "transfer=smpte2084:hdr10=1:max-cll=500,400"),
])
def test_tone_mapping_is_that_of_photos(folder, out, name, meaning, options, crop):
    """Frames in PQ and HLG become as bright as the same pictures do when they are extracted as photos."""
    # Codes up to some 500 cd/m² in PQ.
    scale = "lutyuv=y='64+(val-64)*0.7':u='512+(val-512)*0.35':v='512+(val-512)*0.35'" if name != "hlg" else "null"
    form = "gray10le" if name == "pq-gray" else "yuv420p10le"
    movie = make(folder / f"{name}.mp4", f"testsrc2=s=161x90:r=24:d=0.2,format=yuv420p10le,{scale}", "-pix_fmt", form,
                 "-vf", "crop=160:90", "-c:v", "libx265", "-x265-params",
                 f"{QUIET}:lossless=1:colorprim=bt2020:colormatrix=bt2020nc:{meaning}", "-tag:v", "hvc1", sound=False)
    photos = folder / "photos"
    photos.mkdir()
    run(APUS, "extract", "--quiet", movie, "--frames", "--srgb", "--format", "png", "-o", photos)
    transcode(movie, out, "--tonemap", "--crf", "2", *options)
    video = frame_mean(out, ["-vf", "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd"])
    if name == "pq-gray":
        # FFmpeg takes all gray samples for those of full range.
        video = (video - 16) * 255 / 219
    photo = frame_mean(sorted(photos.iterdir())[0], crop)
    assert abs(video - photo) <= 0.02 * photo, f"the video has a mean of {video}, the photo of {photo}"


RAMP = "gradients=s=320x180:c0=black:c1=white:x0=0:y0=0:x1=319:y1=0:n=2:d=0.2,format=yuv420p10le"


@pytest.mark.parametrize("name, pictures, code, part, light", [
    # Gray up to a light that the stream states: the curve alone.
    ("ramp-330", RAMP, 0.63, "512", 330), ("ramp-560", RAMP, 0.69, "512", 560), ("ramp-980", RAMP, 0.75, "512", 980),
    # Colors outside of BT.709 are brought into it in other ways, so colors differ, and a part of the light.
    ("colors", "testsrc2=s=320x180:r=24:d=0.2,format=yuv420p10le", 0.7, "512+(val-512)*0.35", 500),
])
def test_tone_mapping_is_near_that_of_libplacebo(folder, out, name, pictures, code, part, light):
    """Frames in PQ become as bright as by another program that follows BT.2390, on a software Vulkan device."""
    decoded = "scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd"
    # The curve alone: newer versions have another default for colors out of range, and make details clearer.
    known = printed(FFMPEG, "-h", "filter=libplacebo")
    alone = ":contrast_recovery=0" if "contrast_recovery" in known else ""
    mapped = ("hwupload,libplacebo=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv:format=yuv420p:"
              f"tonemapping=bt.2390:gamut_mode=clip{alone},hwdownload,format=yuv420p,{decoded}")
    # On this device, newer versions leave the planes of a frame that is one image empty; older ones make no such frames.
    device = ["-init_hw_device", "vulkan=vk:0,disable_multiplane=1", "-filter_hw_device", "vk"]
    movie = make(folder / "pq.mp4", f"{pictures},lutyuv=y='64+(val-64)*{code}':u='{part}':v='{part}'",
                 "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
                 f"{QUIET}:lossless=1:colorprim=bt2020:colormatrix=bt2020nc:transfer=smpte2084:hdr10=1:"
                 f"max-cll={light},{light // 2}", "-tag:v", "hvc1", sound=False)
    transcode(movie, out, "--tonemap", "--crf", "2")
    own, other = frame_mean(out, ["-vf", decoded]), frame_mean(movie, ["-vf", mapped], device)
    assert abs(own - other) <= (0.06 if name == "colors" else 0.02) * other, f"a mean of {own:.2f}, of {other:.2f} by libplacebo"


# Shape


def test_a_preset_warns_of_what_it_takes_away(folder):
    odd = make(folder / "odd.mp4", "testsrc2=s=320x240:r=24:d=0.5", "-vf", "scale=161:91", "-pix_fmt", "yuv444p10le", "-c:v",
               "libx264", sound=False)
    report = transcode(odd, folder / "odd-out.mp4", "--preset", "h264-1080p", checked=False)
    same("warnings", [
        "AVC video: pictures of 161x91 are cut to 160x90, because encoded sizes are even",
        "AVC video: colours are subsampled from 4:4:4 to 4:2:0",
        "AVC video: samples of 10 bits are encoded with 8",
    ], report["warnings"])


ONE = 1 << 16
UPRIGHT = (ONE, 0, 0, 0, ONE, 0, 0, 0, 1 << 30)


def with_matrix(source, path, numbers):
    """A copy of a movie with this matrix of the first track; FFmpeg accepts a rotation in other words in each version."""
    movie = bytearray(source.read_bytes())
    place = movie.index(b"tkhd") + 44
    movie[place : place + 36] = struct.pack(">9i", *numbers)
    path.write_bytes(movie)
    return path


@pytest.fixture
def turned(hevc, folder):
    """A movie that is shown turned by a quarter."""
    return with_matrix(hevc, folder / "turned.mp4", (0, ONE, 0, -ONE, 0, 0, 0, 0, 1 << 30))


def test_a_rotation_stays(turned, folder):
    out = folder / "out.mov"
    transcode(turned, out, "--size", "176x144")
    same("rotation", [probe(turned)["side_data_list"], 176], facts(out, "side_data_list", "width"))


def test_a_baked_rotation_turns_the_pictures_as_players_do(turned, folder):
    out, upright = folder / "out.mov", folder / "upright.mp4"
    transcode(turned, out, "--bake-rotation")
    same("rotation", [288, 352, None], facts(out, "width", "height", "side_data_list"))
    ffmpeg("-i", turned, "-c:v", "libx264", "-qp", "0", "-an", upright)
    assert media.psnr(out, upright) > 30, "baked pictures are those that players turn"


WARNING = ("HEVC video is shown by a matrix that does more than turn by quarters and mirror, which is not baked into "
           "its pictures but stays beside them")
MIRROR = (-ONE, 0, 0, 0, ONE, 0, 352 * ONE, 0, 1 << 30)


@pytest.mark.parametrize("numbers, warnings", [
    pytest.param((56756, 32768, 0, -32768, 56756, 0, 0, 0, 1 << 30), [WARNING], id="30 degrees"),
    pytest.param((2 * ONE, 0, 0, 0, 2 * ONE, 0, 0, 0, 1 << 30), [WARNING], id="twice as large"),
    pytest.param(MIRROR, [], id="mirrored"),
])
def test_a_matrix_that_no_filter_can_bake_stays_and_is_reported(hevc, folder, numbers, warnings):
    source, out = with_matrix(hevc, folder / "matrix.mov", numbers), folder / "out.mov"
    same("warnings of baking", warnings, transcode(source, out, "--bake-rotation")["warnings"])
    written = out.read_bytes()
    found = written.index(b"tkhd") + 44
    same("the matrix that is left", numbers if warnings else UPRIGHT, struct.unpack(">9i", written[found : found + 36]))
    same("warnings without baking", [], transcode(source, out)["warnings"])


def test_a_mirror_is_baked(hevc, folder):
    source, out, mirrored = with_matrix(hevc, folder / "matrix.mov", MIRROR), folder / "out.mov", folder / "mirrored.mp4"
    ffmpeg("-i", hevc, "-vf", "hflip", "-c:v", "libx264", "-qp", "0", "-an", mirrored)
    transcode(source, out, "--bake-rotation")
    assert media.psnr(out, mirrored) > 30, "baked pictures are mirrored"


@pytest.mark.parametrize("ending", ["mp4", "ts"])
def test_pictures_that_become_smaller_are_encoded_in_the_first_size_which_is_reported(folder, out, ending):
    parts = []
    for size in ("320x240", "192x128"):
        part = folder / f"{size}.hevc"
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=s={size}:r=10:d=1", "-c:v", "libx265", "-x265-params", QUIET, "-pix_fmt",
               "yuv420p", part)
        parts.append(part.read_bytes())
    bare, movie = folder / "sizes.hevc", folder / f"sizes.{ending}"
    bare.write_bytes(b"".join(parts))
    run(APUS, "remux", "--quiet", bare, "-o", movie)
    found = [text for text in transcode(movie, out)["warnings"] if "change" in text]
    same("warnings", ["HEVC video: its pictures change from 320x240 to 192x128, from 1000 ms on, and all are encoded as 320x240"],
         found)
    same("size", [320, 240], facts(out, "width", "height"))


def test_uneven_times_and_the_shape_of_samples_stay(folder, out):
    uneven = make(folder / "uneven.mp4", "testsrc2=s=160x128:r=25:d=3", "-vf",
                  "select=not(mod(n\\,7))+not(mod(n\\,3)),setsar=4/3", "-fps_mode", "vfr", "-c:v", "libx264", sound=False)
    transcode(uneven, out)
    same("times", times(uneven), times(out))
    assert probe(out)["sample_aspect_ratio"] == "4:3"
    assert len(times(out)) == 32


def test_fields_stay_unless_they_are_deinterlaced(folder, out):
    fields = make(folder / "fields.mp4", "testsrc2=s=160x128:r=50:d=1", "-vf", "tinterlace=interleave_top",
                  "-flags", "+ildct+ilme", "-c:v", "libx264", "-x264-params", "tff=1", sound=False)
    transcode(fields, out)
    assert probe(out)["field_order"].startswith("t")
    transcode(fields, out, "--deinterlace")
    assert not probe(out).get("field_order", "").startswith("t")


def test_odd_sides_become_even(folder, out):
    odd = make(folder / "odd.mkv", "testsrc2=s=161x119:r=25:d=1", "-c:v", "ffv1", "-pix_fmt", "yuv444p", sound=False)
    transcode(odd, out)
    same("odd sides", [160, 118, "yuv444p"], facts(out, "width", "height", "pix_fmt"))


# Time


def test_a_cut_has_the_pictures_and_the_sound_of_its_time(hevc, folder, out):
    transcode(hevc, out, "--from", "1", "--to", "2")
    same("pictures", len([time for time in times(hevc) if 1 <= time < 2]), len(times(out)))
    assert abs(float(probe(out, "a:0")["duration"]) - 1) < 0.06, "sound"
    reference = folder / "reference.mp4"
    ffmpeg("-i", hevc, "-vf", "trim=0.999:2,setpts=PTS-STARTPTS", "-an", "-c:v", "libx264", "-qp", "0", reference)
    assert media.psnr(out, reference) > 30, "these pictures"


@pytest.mark.parametrize("start, end", [(1, 2), (0.5, 1.77), (0, 1.3), (1.01, 9)])
def test_an_edit_list_hides_what_a_copied_cut_decodes_before_and_after_it(hevc, out, start, end):
    transcode(hevc, out, "--preset", "copy", "--from", start, "--to", end)
    last = min(end, 3)
    for stream in ("v:0", "a:0"):
        duration = float(probe(out, stream)["duration"])
        assert abs(duration - (last - start)) < 0.02, f"{stream} lasts {duration}"
    wanted = [time for time in times(hevc) if start <= time < end]
    shown = [time for time in times(out) if time < last - start]
    same("pictures", len(wanted), len(shown))


START, END = 0.5, 1.77


@pytest.fixture
def cut(hevc, folder):
    """A part of a movie, copied."""
    transcode(hevc, folder / "cut.mp4", "--preset", "copy", "--from", START, "--to", END)
    return folder / "cut.mp4"


def test_fragments_of_a_copied_cut_have_an_edit_list_that_ends(hevc, folder, cut):
    fragments, again = folder / "cut.fragments.mp4", folder / "cut.again.mp4"
    transcode(hevc, fragments, "--preset", "copy", "--format", "fmp4", "--from", START, "--to", END)
    lists = re.findall(rb"elst\x00{7}\x01(.{8})", fragments.read_bytes(), re.S)
    units = struct.unpack(">I", re.search(rb"mvhd\x00{4}.{8}(.{4})", fragments.read_bytes(), re.S)[1])[0]
    told = [struct.unpack(">Ii", entry)[0] / units for entry in lists]
    assert len(told) == 2 and all(abs(length - (END - START)) < 0.001 for length in told), f"edit lists of fragments last {told}"
    run(APUS, "remux", "--quiet", fragments, "-o", again)
    same("times of a cut in fragments that is made plain", times(cut), times(again))


def test_flv_and_hls_report_how_much_more_of_a_copied_cut_they_show(hevc, folder, cut):
    """Pictures before the cut that are decoded, and those after it, as the key frames and times of the input have them."""
    def packets(path):
        text = printed("ffprobe", "-v", "error", "-select_streams", "v", "-show_packets", "-of", "json", path)
        return json.loads(text)["packets"]

    every = [(float(packet["pts_time"]), "K" in packet["flags"]) for packet in packets(hevc)]
    first = max(shown for shown, key in every if key and shown <= START)
    kept = every[[shown for shown, _ in every].index(first):]
    early = sum(shown + 0.04 <= START + 0.0001 for shown, _ in kept)
    late = sum(float(packet["pts_time"]) >= END - START for packet in packets(cut))
    for name, words in (("cut.flv", [f"{early} pictures before", f"{late} picture"]), ("cut.m3u8", [f"{late} picture"])):
        done = transcode(hevc, folder / name, "--preset", "copy", "--from", START, "--to", END, checked=False)
        for word in words if late else words[:1]:
            assert name.endswith("m3u8") and not late or any(word in warning for warning in done["warnings"]), \
                f"{name}: {word} is said: {done['warnings']}"


def make_long(folder):
    make(folder / "long.mp4", "testsrc2=s=320x180:r=25:d=20", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
         "log-level=error:keyint=25:min-keyint=25:scenecut=0:bframes=3", "-tag:v", "hvc1")


@pytest.mark.parametrize("start", [7, 7.04, 13.96, 19.5])
def test_a_seek_decodes_no_more_than_a_group_of_pictures(shared, out, start):
    long = shared("transcode-seek", make_long) / "long.mp4"
    coded = transcode(long, out, "--from", start, "--to", start + 0.04, "--speed", "ultrafast")["coded"][0]
    # Decoders with threads read some more before the first picture comes out.
    assert coded["frames"] == 1 and coded["samples"] <= 25 + 16, coded


def test_times_that_go_back_are_mended_and_reported(folder, out):
    flat = make(folder / "flat.flv", "testsrc2=s=160x128:r=25:d=3", "-c:v", "libx264", "-bf", "0", sound=False)
    data, place, number = bytearray(flat.read_bytes()), 13, 0
    while place < len(data):
        if data[place] == 9:
            number += 1
            if number in (20, 45, 46):
                time = int.from_bytes(data[place + 4:place + 7], "big") - 80
                data[place + 4:place + 7] = time.to_bytes(3, "big")
        place += 15 + int.from_bytes(data[place + 1:place + 4], "big")
    flat.write_bytes(data)
    done = transcode(flat, out, "--speed", "ultrafast")
    found = times(out)
    same("times", [round(number * 0.04, 3) for number in range(75)], [round(time - found[0], 3) for time in found])
    assert any("timestamps go back" in words and "2 places" in words for words in done["warnings"]), done["warnings"]


# Other tracks


def test_encoded_sound_is_heard_at_its_time(hevc, folder, out):
    transcode(hevc, out, "--audio", "aac", "--codec", "copy", checked=False)
    before, after = (
        memoryview(completed(FFMPEG, "-i", path, "-map", "0:a", "-f", "s16le", "-").stdout).cast("h")
        for path in (hevc, out))
    error = {shift: sum(abs(before[index] - after[index + shift]) for index in range(44100, 45100))
             for shift in range(-1200, 1201, 1)}
    # A period later or earlier is nearly as good; between them it is not.
    assert error[0] < 1.5 * min(error.values()) + 1000


def test_vorbis_becomes_aac_in_its_language(hevc, folder, out):
    alien = folder / "alien.mkv"
    ffmpeg("-i", hevc, "-c:v", "copy", "-c:a", "libvorbis", "-metadata:s:a", "language=deu", alien)
    done = transcode(alien, out)
    found = probe(out, "a:0")
    same("sound", ("aac", "deu"), (found["codec_name"], found["tags"]["language"]))
    assert len(done["coded"]) == 2, "coded tracks"


TITLES = "1\n00:00:00,500 --> 00:00:01,500\nOne\n\n2\n00:00:01,700 --> 00:00:02,500\nTwo\n"
CHAPTERS = ";FFMETADATA1\n" + "".join(
    f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={start + 1000}\ntitle={name}\n"
    for name, start in (("first", 0), ("second", 1000), ("third", 2000)))


@pytest.fixture
def full(hevc, folder):
    """A movie with two tracks of sound, titles and chapters."""
    titles, chapters, path = folder / "titles.srt", folder / "chapters.txt", folder / "full.mp4"
    titles.write_text(TITLES)
    chapters.write_text(CHAPTERS)
    ffmpeg("-i", hevc, "-f", "lavfi", "-i", "sine=f=880:d=3:r=48000", "-i", titles, "-i", chapters,
           "-map", "0:v", "-map", "0:a", "-map", "1:a", "-map", "2", "-map_chapters", "3", "-c:v", "copy", "-c:a", "aac",
           "-c:s", "mov_text", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu", "-metadata:s:s",
           "language=fra", "-disposition:a:0", "0", "-disposition:a:1", "default", path)
    return path


@pytest.mark.parametrize("options, kept, named", [
    ([], [("One", 0.5), ("Two", 1.7)], [("first", 0.0), ("second", 1.0), ("third", 2.0)]),
    (["--from", "0.8", "--to", "2.2"], [("One", 0.0), ("Two", 0.9)], [("first", 0.0), ("second", 0.2), ("third", 1.2)]),
], ids=["whole", "cut"])
def test_all_sound_titles_and_chapters_are_kept_and_cut_with_the_pictures(full, out, options, kept, named):
    transcode(full, out, "--speed", "ultrafast", *options)
    found = [probe(out, stream) for stream in ("a:0", "a:1", "s:0")]
    same("languages", ["eng", "deu", "fra"], [track["tags"]["language"] for track in found])
    same("the default sound", [0, 1], [track["disposition"]["default"] for track in found[:2]])
    text = printed(FFMPEG, "-i", out, "-map", "0:s:0", "-f", "srt", "-")
    shown = re.findall(r"00:00:(\d\d),(\d{3}) -->.*\n(.*)", text)
    same("titles", kept, [(words, int(second) + int(part) / 1000) for second, part, words in shown])
    text = json.loads(printed("ffprobe", "-v", "error", "-show_chapters", "-of", "json", out))
    same("chapters", named, [(chapter["tags"]["title"], float(chapter["start_time"])) for chapter in text["chapters"]])


def test_titles_of_matroska_become_timed_text(full, folder, out):
    alien = folder / "titles.mkv"
    ffmpeg("-i", full, "-map", "0:v", "-map", "0:a", "-map", "0:s", "-c", "copy", "-c:s", "srt", alien)
    done = transcode(alien, out, "--speed", "ultrafast")
    same("left out", [], done["left_out"])
    assert probe(out, "s:0")["codec_name"] == "mov_text"


# Other files and settings


@pytest.mark.parametrize("name, codec", [("out.flv", None), ("out.hevc", "hevc"), ("out.mov", "hevc")])
def test_every_format_has_all_pictures(hevc, folder, name, codec):
    done = transcode(hevc, folder / name, "--speed", "ultrafast")
    assert done["coded"][0]["frames"] == 90
    if codec:
        assert probe(folder / name)["codec_name"] == codec


def test_fragments_have_all_pictures(hevc, out):
    transcode(hevc, out, "--format", "fmp4", "--speed", "ultrafast")
    assert len(times(out)) == 90


def test_segments_have_all_pictures_and_the_length_that_is_asked_for(hevc, folder):
    transcode(hevc, folder / "web.m3u8", "--segment-duration", "1", "--speed", "ultrafast", checked=False)
    assert len(times(folder / "web.m3u8")) == 90
    lengths = re.findall(r"#EXTINF:([0-9.]+)", (folder / "web/video-1/index.m3u8").read_text())
    assert len(lengths) == 3 and all(abs(float(length) - 1) < 0.05 for length in lengths), lengths


def test_a_profile_is_used(hevc, out):
    transcode(hevc, out, "--profile", "main-still")
    assert probe(out)["profile"] == "Main Still Picture"


def test_two_passes_meet_a_bit_rate(hevc, out):
    transcode(hevc, out, "--bitrate", "300k", "--passes", "2", "--speed", "fast")
    rate = video_size(out) * 8 / 3
    assert abs(rate / 300_000 - 1) < 0.08, f"{rate:.0f} bit/s"


def test_filters_a_size_and_a_rate_change_the_pictures(hevc, out):
    transcode(hevc, out, "--preset", "hevc-1080p", "--size", "100x80", "--filter", "hflip", "--fps", "10", "--speed", "ultrafast")
    same("filters", [98, 80, "30"], facts(out, "width", "height", "nb_frames"))


def test_settings_are_printed_and_read_again(hevc, folder, out):
    job = folder / "job.json"
    options = ["--preset", "hevc-2160p", "--crf", "22", "--x265-params", "no-sao:aq-mode=3", "--crop", "320x240+2+4",
               "--fps", "30000/1001", "--from", "1", "--audio", "aac", "--audio-bitrate", "96k", "--depth", "10"]
    job.write_text(printed(APUS, "transcode", *options, "--print-settings"))
    assert printed(APUS, "transcode", "--job", job, "--print-settings") == job.read_text()
    transcode(hevc, out, "--job", job, "--speed", "ultrafast")
    assert probe(out)["width"] == 320


@pytest.mark.parametrize("text, words", [
    ("{", "not JSON"), ('{"vidio":{}}', "vidio is not a known setting"), ('{"video":{"crf":99}}', "video.crf"),
    ('{"video":{"size":"0x1"}}', "video.size"),
])
def test_a_file_of_wrong_settings_is_refused(folder, text, words):
    job = folder / "job.json"
    job.write_text(text)
    assert words in run(APUS, "transcode", "--job", job, "--print-settings", status=2)


@pytest.mark.parametrize("options, words", [
    (["--x265-params", "nonsense=1"], "x265 knows no parameter nonsense"),
    (["--x265-params", "crf=good"], "does not take good as crf"),
    (["--crop", "4000x100+0+0"], "lies outside"),
    (["--filter", "movie=/etc/passwd"], "opens files"),
    (["--speed", "snail"], "does not take snail as preset"),
])
def test_a_setting_that_cannot_be_is_refused_and_nothing_is_written(hevc, folder, options, words):
    text = run(APUS, "transcode", hevc, "-o", folder / "none.mp4", *options, status=1)
    assert words in text and not (folder / "none.mp4").exists(), text


def test_damage_ends_a_run_without_an_output_unless_it_is_salvaged(hevc, folder):
    broken, strict = folder / "broken.mp4", folder / "strict.mp4"
    data = bytearray(hevc.read_bytes())
    start = data.index(b"mdat") + (len(data) - data.index(b"mdat")) // 2
    data[start:start + 3000] = bytes(3000)
    broken.write_bytes(data)
    run(APUS, "transcode", broken, "-o", strict, "--speed", "ultrafast", status=1)
    assert not strict.exists(), "damage writes nothing"
    for left in folder.glob("strict.mp4*"):
        left.unlink()
    done = transcode(broken, folder / "salvaged.mp4", "--speed", "ultrafast", "--salvage")
    assert done["coded"][0]["damaged"] > 0 and done["coded"][0]["frames"] > 45, done["coded"]


def test_a_run_that_is_interrupted_leaves_a_movie_that_plays(folder, out):
    long = make(folder / "long.mp4", "testsrc2=s=640x360:r=30:d=40", "-c:v", "libx264", "-preset", "ultrafast", sound=False)
    process = subprocess.Popen([APUS, "transcode", "--json", "--speed", "slow", long, "-o", out], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
    while True:
        line = json.loads(process.stdout.readline())
        if line["event"] == "done" or line["frames"] > 30:
            break
    process.send_signal(signal.SIGINT)
    last = process.stdout.read().decode().splitlines()[-1]
    same("stopped by Ctrl-C", (130, True), (process.wait(), json.loads(last)["stopped"]))
    count = len(times(out))
    assert 30 < count < 1200, f"{count} pictures"
