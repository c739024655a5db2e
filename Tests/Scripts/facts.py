#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `apus info --json` says of a file, fact by fact beside mediainfo and ffprobe: over the files of info.py, and over real
ones where they are at hand. Every difference is in a table with its reason, and nothing is in the table that is none."""

import fnmatch
import json
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Peers"))

import info as made  # noqa: E402
from expecting import APUS, ROOT, ended, expect  # noqa: E402

CORPUS = ROOT.parent / "shared/corpus"
FOLDERS = ["flv", "mp4-hevc", "mp4-other", "ts-hevc", "hevc-es"]

# What codec strings begin with, by mediainfo's names and by ffprobe's.
CODECS = {
    "HEVC": ("hvc1.", "hev1.", "dvh1.", "dvhe."), "AVC": ("avc1.", "avc3."), "AAC": ("mp4a",), "AC-3": ("ac-3",),
    "VP9": ("vp09.",), "AV1": ("av01.",), "Opus": ("opus", "Opus"), "FLAC": ("flac", "fLaC"), "Vorbis": ("vorbis",),
    "MPEG Audio": ("mp3", ".mp3", "mp2", "mp4a.6"), "MPEG Video": ("mpeg2video",), "AMR": ("samr", "sawb"),
}  # fmt: skip
NAMES = {"hevc": "HEVC", "h264": "AVC", "aac": "AAC", "ac3": "AC-3", "vp9": "VP9", "av1": "AV1", "opus": "Opus",
         "flac": "FLAC", "vorbis": "Vorbis", "mp3": "MPEG Audio", "mp2": "MPEG Audio", "mpeg2video": "MPEG Video",
         "amr_nb": "AMR", "amr_wb": "AMR"}
COLOURS = {
    "primaries": ("colour_primaries", {"BT.709": 1, "BT.2020": 9, "Display P3": 12}),
    "transfer": ("transfer_characteristics", {"BT.709": 1, "PQ": 16, "HLG": 18}),
    "matrix": ("matrix_coefficients", {"BT.709": 1, "BT.2020 non-constant": 9}),
}
LANGUAGES = {"mn": "mon", "de": "deu", "en": "eng", "fr": "fra", "es": "spa", "ja": "jpn", "ko": "kor"}

# Program, file, kind of track, fact: why it says something else. The first that fits counts.
BROKEN = "the file is broken there: what is beyond its tables or its end counts for one and not for the other"
PICTURE_OR_VIDEO = "the cover is a stream to ffprobe, and a tag of the file to info"
EARLIER = "this ffprobe knows nothing of Enhanced RTMP, nor of HEVC in FLV"
ENHANCED_SOUND = "what mediainfo takes for a rate are bits of Enhanced RTMP"
COUNTED = "mediainfo counts no pictures of FLV but multiplies the duration of the metadata by their rate"
MAC_ENGLISH = "the language is 0, which QuickTime has for English and ISO files for nothing"
FROM_ZERO = "the times begin late, and ffprobe's duration reaches from 0 to the end"
DELAY = "an edit list moves or cuts it; ffprobe's duration is that of the samples"
REASONS = [
    ("mediainfo", "flv/*", "vide", "samples", COUNTED),
    ("mediainfo", "*.flv", "soun", "channels", "the tag says two, as it must for AAC, and the configuration says one"),
    ("mediainfo", "avc.avi", "vide", "samples", "mediainfo multiplies the duration by the rate"),
    ("mediainfo", "flv/veovera_*", "soun", "sample_rate", ENHANCED_SOUND),
    ("mediainfo", "opus.flv", "soun", "sample_rate", ENHANCED_SOUND),
    ("mediainfo", "flac.flv", "soun", "sample_rate", ENHANCED_SOUND),
    ("mediainfo", "ac3.flv", "soun", "sample_rate", ENHANCED_SOUND),
    ("mediainfo", "flv/xgplayer_h264_pcm*", "soun", "sample_rate", "G.711 has 8000, whatever stands in the tag"),
    ("*", "flv/xgplayer_h265_aac_44100.flv", "soun", "sample_rate", "the core has 22050, which SBR doubles"),
    ("*", "flv/scuffle_avc_aac.flv", "vide", "frame_rate", "the metadata say 60, the times of the pictures less"),
    ("ffprobe", "flv/androidx_sample.flv", "vide", "frame_rate", "ffprobe says the unit of the times"),
    ("ffprobe", "flv/*_av1_*", "*", "*", EARLIER),
    ("ffprobe", "flv/scuffle_hevc_*", "*", "*", EARLIER),
    ("ffprobe", "flv/veovera_*", "*", "*", EARLIER),
    ("ffprobe", "flv/xgplayer_h265_*", "*", "*", EARLIER),
    ("ffprobe", "flv/xgplayer_h264_*", "vide", "samples", "the last tag is cut off; ffprobe counts what is there of it"),
    ("mediainfo", "mp4-hevc/androidx_sample_edit_list.mp4", "vide", "samples", "mediainfo counts what the edit list shows"),
    ("mediainfo", "mp4-other/androidx_edit_list_positive_shift.mp4", "vide", "samples",
     "mediainfo multiplies the duration, with a second of delay, by the rate"),
    ("mediainfo", "mp4-hevc/mp4ff_ed_hevc.mp4", "vide", "samples", "mediainfo multiplies a duration by the rate"),
    ("mediainfo", "mp4-hevc/androidx_mv_with_2_top_shots.mp4", "vide", "frame_rate",
     "two pictures more than a second apart: one interval of two, or two pictures of one"),
    ("ffprobe", "mp4-hevc/androidx_mv_with_2_top_shots.mp4", "vide", "frame_rate",
     "two pictures more than a second apart: one interval of two, or two pictures of one"),
    ("mediainfo", "mp4-other/androidx_sample_android_slow_motion.mp4", "vide", "frame_rate",
     "mediainfo says the nominal rate, the pictures are further apart"),
    ("mediainfo", "mp4-other/mp4parse_video_colr_nclx_two_colr.mp4", "vide", "transfer",
     "there are two boxes of colour; info goes by the first, as the standard has it, mediainfo by the last"),
    ("*", "mp4-other/mp4parse-capi_bipbop_nonfragment_header.mp4", "*", "*", BROKEN),
    ("*", "mp4-other/mp4parse-capi_chunk_out_of_range.mp4", "*", "*", BROKEN),
    ("*", "mp4-other/mp4-atom_h264_avcc_ext_2.mp4", "*", "*", BROKEN),
    ("ffprobe", "mp4-other/mp4-atom_av1.mp4", "vide", "samples", BROKEN),
    ("ffprobe", "mp4-other/mp4parse-capi_zero_empty_stsc.mp4", "*", "samples", BROKEN),
    ("ffprobe", "mp4-other/mp4parse_test_case_1185230.mp4", "*", "*", BROKEN),
    ("ffprobe", "mp4-other/mp4ff_cbcs.mp4", "vide", "samples", "ffprobe stops at encryption that it finds wrong"),
    ("ffprobe", "mp4-other/mp4parse_metadata*", "vide", "tracks", PICTURE_OR_VIDEO),
    ("*", "mp4-*/*", "*", "language", MAC_ENGLISH),
    ("ffprobe", "mp4-other/*iamf.mp4", "soun", "sample_rate", "the entry says nothing, as it should; ffprobe reads Opus inside"),
    ("ffprobe", "mp4-other/androidx_sample_fragmented_uuid.mp4", "soun", "channels",
     "ffprobe takes it for parametric stereo that nothing announces; mediainfo does not"),
    ("ffprobe", "mp4-other/androidx_sample_fragmented*.mp4", "*", "duration", FROM_ZERO),
    ("ffprobe", "mp4-other/mp4ff_cbcs*.mp4", "*", "duration", FROM_ZERO),
    ("ffprobe", "mp4-other/mp4ff_complseg-1.0001.mp4", "*", "duration", FROM_ZERO),
    ("ffprobe", "mp4-other/mp4ff_*V300*.mp4", "*", "duration", FROM_ZERO),
    ("ffprobe", "mp4-other/mp4ff_v300_*.mp4", "*", "duration", FROM_ZERO),
    ("*", "hevc-es/libde265_girlshy.h265", "vide", "size",
     "316 samples of 5790 to 5767 are shown as 317; others say how many samples"),
    ("ffprobe", "mp4-hevc/androidx_dash_multi-period-*", "vide", "duration", DELAY),
    ("ffprobe", "mp4-other/androidx_edit_list_positive_shift.mp4", "vide", "duration", DELAY),
    ("ffprobe", "mp4-other/mp4ff_prog_8s_dec_dashinit.mp4", "vide", "duration", DELAY),
    ("ffprobe", "mp4-other/mp4ff_vvc_400kbps_2s.mp4", "vide", "duration", DELAY),
]
used = set()


def asked(*command):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {}


def info(file):
    """The tracks with pictures and sound; a bare stream is one."""
    answer = asked(APUS, "info", "--json", file)
    if "stream" in answer:
        return [{**answer["stream"], **answer["stream"].get("video", {}), "handler": "vide", "samples": None}]
    return [track for track in answer.get("tracks", []) if track.get("handler") in ("vide", "soun")]


def number(text):
    return float(str(text).split("/")[0])


def mediainfo(file):
    found = []
    for track in asked("mediainfo", "--Output=JSON", file).get("media", {}).get("track", []):
        kind = {"Video": "vide", "Audio": "soun"}.get(track["@type"])
        if kind is None:
            continue
        facts = {"kind": kind, "codec": track.get("Format"), "language": LANGUAGES.get(track.get("Language"))}
        if kind == "vide":
            facts |= {"size": (int(track["Width"]), int(track["Height"])) if "Width" in track else None,
                      "bit_depth": int(track["BitDepth"]) if "BitDepth" in track else None,
                      "samples": int(track["FrameCount"]) if "FrameCount" in track else None,
                      "chroma": track.get("ChromaSubsampling", "").split(" ")[0] or None,
                      "level": number(track["Format_Level"]) if track.get("Format_Level", "")[:1].isdigit() else None,
                      "frame_rate": number(track["FrameRate"]) if "FrameRate" in track else None}
            for fact, (name, values) in COLOURS.items():
                facts[fact] = values.get(track.get(name))
        else:
            facts |= {"channels": int(track["Channels"]) if track.get("Channels", "").isdigit() else None,
                      "sample_rate": number(track["SamplingRate"]) if "SamplingRate" in track else None}
        found.append(facts)
    return found


def ffprobe(file):
    found = []
    for stream in asked("ffprobe", "-v", "error", "-show_streams", "-count_packets", "-of", "json", file).get("streams", []):
        kind = {"video": "vide", "audio": "soun"}.get(stream["codec_type"])
        if kind is None:
            continue
        facts = {"kind": kind, "codec": NAMES.get(stream.get("codec_name")),
                 "samples": int(stream["nb_read_packets"]) if "nb_read_packets" in stream else None,
                 "duration": float(stream["duration"]) if "duration" in stream else None,
                 "language": stream.get("tags", {}).get("language", "und")}
        if kind == "vide":
            over, under = map(int, stream["avg_frame_rate"].split("/"))
            facts |= {"size": (stream["width"], stream["height"]), "frame_rate": over / under if over and under else None}
        else:
            facts |= {"channels": stream["channels"], "sample_rate": float(stream["sample_rate"])}
        found.append(facts)
    return found


def value(track, fact):
    """What info says of a fact."""
    if fact in COLOURS:
        return track.get("colour", {}).get(fact)
    if fact == "size":
        return (track.get("coded_width"), track.get("coded_height"))
    if fact == "duration":
        return track.get("presentation_duration") or track.get("duration")
    if fact == "level":
        return number(track["level"]) if track.get("level", "").replace(".", "").isdigit() else None
    return track.get(fact)


def agree(fact, theirs, track, is_bare):
    if fact == "codec":
        return theirs not in CODECS or str(track.get("codec")).startswith(CODECS[theirs])
    ours = value(track, fact)
    if ours is None and fact in (*COLOURS, "frame_rate", "samples", "duration", "level", "bit_depth", "chroma", "language"):
        return True
    if fact == "size" and is_bare:
        # Of a bare stream info has what is coded and what is shown, others the latter.
        return theirs in (ours, (track.get("display_width"), track.get("display_height")))
    if fact in ("frame_rate", "sample_rate"):
        return ours is not None and abs(theirs - ours) <= 0.02 * max(theirs, ours)
    if fact == "duration":
        return abs(theirs - ours) <= 0.06
    return theirs == ours


def differences(program, name, theirs, tracks):
    is_bare = name.endswith((".265", ".h265", ".hevc", ".bit", ".h264"))
    for kind in ("vide", "soun"):
        left = [facts for facts in theirs if facts["kind"] == kind]
        right = [track for track in tracks if track["handler"] == kind]
        if len(left) != len(right):
            yield kind, "tracks", len(left), len(right)
            continue
        for facts, track in zip(left, right):
            for fact, said in facts.items():
                if fact != "kind" and said is not None and not agree(fact, said, track, is_bare):
                    yield kind, fact, said, track.get("codec") if fact == "codec" else value(track, fact)


def reason(program, name, kind, fact):
    for index, row in enumerate(REASONS):
        if all(fnmatch.fnmatch(said, pattern) for said, pattern in zip((program, name, kind, fact), row)):
            used.add(index)
            return row[4]
    return None


def compare(item):
    name, file, programs = item
    tracks = info(file)
    lines = []
    for program in programs:
        theirs = program(file)
        # What a program does not open at all it says nothing of.
        if theirs and tracks:
            lines += [(program.__name__, name, *found) for found in differences(program.__name__, name, theirs, tracks)]
    return len(tracks), lines


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        made.make(folder)
        work = [(name, folder / name, [mediainfo]) for name in made.FILES]
        real = []
        for name in FOLDERS if CORPUS.exists() else []:
            for file in sorted((CORPUS / name).iterdir()):
                if file.is_file() and file.stat().st_size < 60e6:
                    real.append((f"{name}/{file.name}", file, [mediainfo, ffprobe]))
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(compare, work + real))
    explained = 0
    for _, lines in answers:
        for program, name, kind, fact, said, ours in lines:
            why = reason(program, name, kind, fact)
            explained += why is not None
            expect(why, f"{name} {kind}: {fact}: {program} says {said!r}, info {ours!r}")
    # A reason that explains nothing is out of date; those of real files need the files.
    for index, row in enumerate(REASONS if real else []):
        expect(index in used, f"no difference is explained by {row}")
    tracks = sum(count for count, _ in answers)
    ended(f"{len(work)} made files and {len(real)} real ones, {tracks} tracks, {explained} differences with a reason")


if __name__ == "__main__":
    main()
