# SPDX-License-Identifier: MIT
"""Movies that `apus remux` writes, plain and in fragments, are to FFmpeg what their sources were."""

import json
import struct

import pytest

from once import once
from programs import APUS, FFMPEG, ffmpeg, printed, run, same
from programs import remux as remuxed

pytestmark = pytest.mark.apart

VIDEO = ["-f", "lavfi", "-i", "testsrc2=s=322x182:r=25:d=3"]
SOUND = ["-f", "lavfi", "-i", "sine=d=3:r=48000"]
HEVC = ["-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params"]
QUIET = "log-level=error:keyint=25:"
COLOUR = ["-vf", "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"]

# What FFmpeg makes each source with.
SOURCES = {
    "eight-bit.mp4": [*VIDEO, *SOUND, *HEVC, QUIET + "bframes=0", "-c:a", "aac"],
    "reordered.mp4": [*VIDEO, *SOUND, *HEVC, QUIET + "bframes=4:b-pyramid=1", "-c:a", "aac"],
    "ten-bit.mp4": [*VIDEO, *HEVC, QUIET + "bframes=3", "-pix_fmt", "yuv420p10le", *COLOUR],
    "full-range.mov": [*VIDEO, *HEVC, QUIET + "bframes=2:range=full:colorprim=bt709:transfer=bt709:colormatrix=bt709"],
    "anamorphic.mp4": [*VIDEO, *HEVC, QUIET + "bframes=2", "-vf", "setsar=16/11"],
    "one-picture.mp4": [*VIDEO, *HEVC, QUIET, "-frames:v", "1"],
    "every-picture-a-key.mp4": [*VIDEO, *HEVC, QUIET + "keyint=1"],
    "odd-rate.mp4": [*VIDEO, *HEVC, QUIET + "bframes=3", "-r", "30000/1001", "-video_track_timescale", "30000"],
    "avc.mp4": [*VIDEO, *SOUND, "-c:v", "libx264", "-g", "25", "-bf", "3", "-pix_fmt", "yuv420p", "-c:a", "aac"],
    "avc-interlaced.mp4": [*VIDEO, "-c:v", "libx264", "-g", "25", "-flags", "+ildct+ilme", "-aspect", "16:9",
                           "-pix_fmt", "yuv422p10le"],
    "sound.m4a": [*SOUND, "-c:a", "aac", "-ac", "2"],
    "surround.m4a": [*SOUND, "-c:a", "aac", "-ac", "6"],
    "high-rate.m4a": [*SOUND, "-c:a", "aac", "-ar", "96000"],
    "mp3.mp4": [*SOUND, "-c:a", "libmp3lame", "-ac", "2"],
    "mp3-low-rate.mp4": [*SOUND, "-c:a", "libmp3lame", "-ar", "22050"],
    "ac3.mp4": [*SOUND, "-c:a", "ac3", "-ac", "6"],
    "eac3.mp4": [*SOUND, "-c:a", "eac3", "-ac", "2"],
    "opus.mp4": [*SOUND, "-c:a", "libopus", "-ac", "2"],
    "flac.mp4": [*SOUND, "-c:a", "flac", "-strict", "-2"],
    "av1.mp4": [*VIDEO, "-c:v", "libaom-av1", "-cpu-used", "8", "-row-mt", "1", "-frames:v", "30"],
    "vp9.mp4": [*VIDEO, "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-frames:v", "30"],
}
# Here the key frames repeat the parameter sets, which hvc1 has in its entry alone.
REPEATING = ["every-picture-a-key.mp4"]
SHAPELESS = ["av1.mp4", "vp9.mp4"]
# What Dolby sound has in FLV: nothing but its frames.
UNCONFIGURED = ["ac3.mp4", "eac3.mp4"]

STREAM = ("codec_name,profile,codec_tag_string,width,height,sample_aspect_ratio,pix_fmt,level,color_range,color_space,"
          "color_transfer,color_primaries,sample_rate,channels,channel_layout,time_base,start_pts,duration_ts,nb_frames")
PACKET = ["stream_index", "pts", "dts", "duration", "size", "flags", "data_hash"]


def probe(file, entries, *options):
    text = printed("ffprobe", "-v", "error", *options, "-show_entries", entries, "-of", "compact=p=0", file)
    return [line for line in text.splitlines() if line]


@once
def packets(file):
    """Times, size and flags of every packet, with the sum of its bytes."""
    text = printed("ffprobe", "-v", "error", "-show_data_hash", "md5", "-show_packets", "-of", "json", file)
    found = [{key: packet.get(key) for key in PACKET} for packet in json.loads(text)["packets"]]
    return sorted(found, key=lambda packet: packet["stream_index"])


def only(found, *keys):
    return [[packet[key] for key in ("stream_index", *keys)] for packet in found]


@once
def pictures(file):
    """The digest of every decoded picture."""
    text = printed(FFMPEG, "-i", file, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-")
    return [line.split(",")[5].strip() for line in text.splitlines() if not line.startswith("#")]


@once
def sound(file, *options):
    text = printed("ffmpeg", "-v", "error", *options, "-i", file, "-map", "0:a", "-f", "md5", "-")
    return text.strip()


def remux(source, target, kind):
    remuxed(source, "-o", target, "--format", kind)
    return target


def boxes(data):
    """The boxes of the top level: where each begins and ends, and its type."""
    found, start = [], 0
    while start + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        found.append((start, start + size, kind))
        start += size
    return found


@pytest.fixture(scope="session")
def movie(shared):
    """Returns a movie by its name, which is made once."""
    def made(name):
        make = lambda folder: ffmpeg(*SOURCES[name], "-movie_timescale", "192000", folder / name)
        return shared(f"movies/{name}", make) / name

    return made


NAMES = pytest.mark.parametrize("name", SOURCES)


@pytest.mark.parametrize("name, kind", [
    (name, kind) for name, options in SOURCES.items() for kind in ("mp4", "mov")
    if kind == "mp4" or name.endswith((".mov", ".m4a")) or "hvc1" in options])
def test_a_movie_is_to_ffmpeg_what_its_source_was(movie, folder, name, kind):
    source = movie(name)
    written = remux(source, folder / f"{name}.{kind}", kind)
    keys = PACKET[1:4] + ["flags"] if name in REPEATING else PACKET[1:]
    same(name, f"packets in {kind}", only(packets(source), *keys), only(packets(written), *keys))
    # A track says nothing of the shape of samples that only the old sample entry told.
    fields = STREAM.replace("sample_aspect_ratio,", "") if name in SHAPELESS else STREAM
    expected, found = probe(source, f"stream={fields}"), probe(written, f"stream={fields}")
    same(name, f"streams in {kind}", expected, found)
    if probe(source, "stream=width", "-select_streams", "v"):
        same(name, f"pictures in {kind}", pictures(source), pictures(written))
    if probe(source, "stream=sample_rate", "-select_streams", "a"):
        same(name, f"sound in {kind}", sound(source), sound(written))
    kinds = [box[2] for box in boxes(written.read_bytes())]
    same(name, "order of boxes", [b"ftyp", b"moov", b"mdat"], kinds)
    run(APUS, "info", written)
    if "hevc" in "".join(found):
        run(APUS, "hvcc", "check", written)


@NAMES
def test_fragments_are_like_those_of_ffmpeg_and_play_when_they_are_cut_anywhere(movie, folder, name):
    source = movie(name)
    written = remux(source, folder / "fragments.mp4", "fmp4")
    like = folder / "like.mp4"
    flags = "frag_keyframe+delay_moov+default_base_moof"
    ffmpeg("-i", source, "-c", "copy", "-strict", "-2", "-movflags", flags, like)
    found = packets(written)
    if name not in REPEATING:
        keys = ["size", "data_hash"]
        same(name, "packets in fragments", only(packets(source), *keys), only(found, *keys))
    same(name, "times in fragments", only(packets(like), "pts", "dts"), only(found, "pts", "dts"))
    if not probe(source, "stream=width", "-select_streams", "v"):
        return
    shown = pictures(source)
    same(name, "pictures in fragments", shown, pictures(written))
    data = written.read_bytes()
    ends = [end for _, end, kind in boxes(data) if kind == b"mdat"]
    # FFmpeg reads nothing of a file that ends within one of these, whoever wrote it.
    fragments = [(start, end) for start, end, kind in boxes(data) if kind == b"moof"]
    for tenth in range(1, 10):
        place = len(data) * tenth // 10
        cut = folder / "cut.mp4"
        cut.write_bytes(data[:place])
        whole = folder / "whole.mp4"
        last = max([end for end in ends if end <= place], default=0)
        if last == 0:
            continue
        whole.write_bytes(data[:last])
        there = pictures(whole)
        same(name, f"pictures of the fragments before {tenth}0 %", shown[:len(there)], there)
        if any(start < place < end for start, end in fragments):
            continue
        # What is cut off may be decoded in part, after everything that is whole.
        partial = printed(FFMPEG, "-v", "quiet", "-i", cut, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-",
                          status=None)
        found = [line.split(",")[5].strip() for line in partial.splitlines() if not line.startswith("#")]
        same(name, f"pictures of what is cut at {tenth}0 %", there, found[:len(there)])


@pytest.mark.parametrize("name", UNCONFIGURED)
def test_sound_without_a_configuration_comes_out_of_flv_unchanged(movie, folder, name):
    written = remux(remux(movie(name), folder / f"{name}.flv", "flv"), folder / "again.mp4", "mp4")
    same(name, "sound out of FLV", *[sound(file, "-ignore_editlist", "1") for file in (movie(name), written)])
