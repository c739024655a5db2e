# SPDX-License-Identifier: MIT
"""What `apus info --json` says of a file, fact by fact beside mediainfo and a current FFmpeg: over files of many formats, the
fixtures, and real ones where they are at hand. Every difference is in a table with its reason, and every reason is needed."""

import fnmatch
import functools
import json

import pytest

import formats
import probes
from programs import APUS, FIXTURES, ROOT, completed

CORPUS = ROOT.parent / "shared/corpus"
FOLDERS = ["flv", "mp4-hevc", "mp4-other", "ts-hevc", "hevc-es", "heic-real"]

# What codec strings begin with, by mediainfo's names and by ffprobe's.
CODECS = {
    "HEVC": ("hvc1.", "hev1.", "dvh1.", "dvhe."), "AVC": ("avc1.", "avc3."), "AAC": ("mp4a",), "AC-3": ("ac-3",),
    "VP9": ("vp09.",), "AV1": ("av01.",), "Opus": ("opus", "Opus"), "FLAC": ("flac", "fLaC"), "Vorbis": ("vorbis",),
    "MPEG Audio": ("mp3", ".mp3", "mp2", "mp4a.6"), "MPEG Video": ("mpeg2video",), "AMR": ("samr", "sawb"),
    "E-AC-3": ("ec-3",), "VVC": ("vvc1",), "MPEG-4 Visual": ("mp4v.20",), "H.263": ("s263",), "USAC": ("mp4a.40.42",),
    "PCM": ("pcm_", "sowt", "lpcm", "ipcm"), "ADPCM": ("alaw", "ulaw"), "ALAC": ("alac",), "JPEG": ("jpeg", "mp4v.6C"),
    "PNG": ("png",),
}  # fmt: skip
NAMES = {"hevc": "HEVC", "h264": "AVC", "aac": "AAC", "ac3": "AC-3", "vp9": "VP9", "av1": "AV1", "opus": "Opus",
         "flac": "FLAC", "vorbis": "Vorbis", "mp3": "MPEG Audio", "mp2": "MPEG Audio", "mpeg2video": "MPEG Video",
         "amr_nb": "AMR", "amr_wb": "AMR", "eac3": "E-AC-3", "vvc": "VVC", "mpeg4": "MPEG-4 Visual", "h263": "H.263",
         "pcm_s16le": "PCM", "pcm_alaw": "ADPCM", "pcm_mulaw": "ADPCM", "alac": "ALAC", "mjpeg": "JPEG", "png": "PNG"}
COLOURS = {
    "primaries": ("colour_primaries", {"BT.709": 1, "BT.2020": 9, "Display P3": 12}),
    "transfer": ("transfer_characteristics", {"BT.709": 1, "PQ": 16, "HLG": 18}),
    "matrix": ("matrix_coefficients", {"BT.709": 1, "BT.2020 non-constant": 9}),
}
LANGUAGES = {"mn": "mon", "de": "deu", "en": "eng", "fr": "fra", "es": "spa", "ja": "jpn", "ko": "kor"}

# Program, file, kind of track, fact: why it says something else. The first that fits counts.
BROKEN = "the file is broken there: what is beyond its tables or its end counts for one and not for the other"
ENHANCED_SOUND = "what mediainfo takes for a rate are bits of Enhanced RTMP"
COUNTED = "mediainfo counts no pictures of FLV but multiplies the duration of the metadata by their rate"
MAC_ENGLISH = "the language is 0, which QuickTime has for English and ISO files for nothing"
STATED = "FFmpeg believes the duration in the metadata, which counts from 0 or is that of another file; info adds up samples"
HEADER = "FFmpeg believes the header, which says how long all segments are together; info adds up the samples that are there"
FROM_ZERO = "the times begin late, and FFmpeg counts from where they would have begun"
LAST_SHOWN = "what is shown last is not decoded last, and lasts otherwise; FFmpeg goes by the order of decoding"
NO_MATRIX = "a matrix that no metadata have is 0 to FFmpeg, which is that of red, green and blue"
ONE_INTERVAL = "two pictures more than a second apart: one interval of two, or two pictures of one"
UNREAD = "info reads no headers of this codec"
SIZED = "made to contradict itself, which is a finding: info says the size of the item, FFmpeg that of the parameter set"
NO_PICTURE = "what FFmpeg makes a packet of at the end holds no picture, as its decoder says"
REASONS = [
    ("mediainfo", "flv/*", "vide", "samples", COUNTED),
    ("mediainfo", "*.flv", "soun", "channels", "the tag says two, as it must for AAC, and the configuration says one"),
    ("mediainfo", "avc.avi", "vide", "samples", "mediainfo multiplies the duration by the rate"),
    ("mediainfo", "flv/veovera_*", "soun", "sample_rate", ENHANCED_SOUND),
    ("mediainfo", "opus.flv", "soun", "sample_rate", ENHANCED_SOUND),
    ("mediainfo", "flac.flv", "soun", "sample_rate", ENHANCED_SOUND),
    ("mediainfo", "ac3.flv", "soun", "sample_rate", ENHANCED_SOUND),
    ("mediainfo", "flv/xgplayer_h264_pcm*", "soun", "sample_rate", "G.711 has 8000, whatever stands in the tag"),
    ("*", "mpeg2.mpg", "vide", "chroma", UNREAD),
    ("*", "mpeg2.mpg", "vide", "bit_depth", UNREAD),
    ("ffmpeg", "*.flv", "file", "duration", STATED),
    ("ffmpeg", "*.flv", "vide", "matrix", NO_MATRIX),
    ("ffmpeg", "sound.wav", "soun", "samples", "FFmpeg cuts sound without compression into larger packets"),
    ("ffmpeg", "Fixtures/many-tracks.flv", "soun", "*", "FFmpeg reads nothing of the last of so many tracks"),
    ("ffmpeg", "Fixtures/sounds.flv", "soun", "duration", "FFmpeg's parser cuts frames of AC-3 that a tag has already cut"),
    ("*", "flv/scuffle_avc_aac.flv", "vide", "frame_rate", "the metadata say 60, the times of the pictures less"),
    ("ffmpeg", "flv/androidx_sample.flv", "vide", "frame_rate", "FFmpeg says the unit of the times"),
    ("ffmpeg", "flv/xgplayer_h264_*", "vide", "samples", "the last tag is cut off; FFmpeg counts what is there of it"),
    ("ffmpeg", "flv/xgplayer_h264_*", "vide", "bytes", "the last tag is cut off; FFmpeg counts what is there of it"),
    ("mediainfo", "mp4-hevc/androidx_sample_edit_list.mp4", "vide", "samples", "mediainfo counts what the edit list shows"),
    ("mediainfo", "mp4-other/androidx_edit_list_positive_shift.mp4", "vide", "samples",
     "mediainfo multiplies the duration, with a second of delay, by the rate"),
    ("mediainfo", "mp4-hevc/mp4ff_ed_hevc.mp4", "vide", "samples", "mediainfo multiplies a duration by the rate"),
    ("*", "mp4-hevc/androidx_mv_with_2_top_shots.mp4", "vide", "frame_rate", ONE_INTERVAL),
    ("ffmpeg", "mp4-hevc/androidx_mv_with_2_top_shots.mp4", "vide", "duration", ONE_INTERVAL),
    ("mediainfo", "mp4-other/androidx_sample_android_slow_motion.mp4", "vide", "frame_rate",
     "mediainfo says the nominal rate, the pictures are further apart"),
    ("mediainfo", "mp4-other/mp4parse_video_colr_nclx_two_colr.mp4", "vide", "transfer",
     "there are two boxes of colour; info goes by the first, as the standard has it, mediainfo by the last"),
    ("*", "mp4-other/mp4parse-capi_bipbop_nonfragment_header.mp4", "*", "*", BROKEN),
    ("*", "mp4-other/mp4parse-capi_chunk_out_of_range.mp4", "*", "*", BROKEN),
    ("*", "mp4-other/mp4-atom_h264_avcc_ext_2.mp4", "*", "*", BROKEN),
    ("ffmpeg", "mp4-other/mp4-atom_av1.mp4", "vide", "*", BROKEN),
    ("ffmpeg", "mp4-other/mp4parse-capi_zero_empty_stsc.mp4", "vide", "*", BROKEN),
    ("ffmpeg", "mp4-other/mp4parse_test_case_1185230.mp4", "*", "*", BROKEN),
    ("ffmpeg", "mp4-other/mp4ff_init_truncated.mp4", "file", "created", BROKEN),
    ("ffmpeg", "mp4-other/mp4parse-capi_no_timescale.mp4", "vide", "turned", BROKEN),
    ("ffmpeg", "mp4-other/androidx_sample_fragmented_uuid.mp4", "vide", "key_frames",
     "the data are not where the fragment says; FFmpeg finds no pictures there and goes by that"),
    ("ffmpeg", "mp4-other/mp4-atom_uncompressed.mp4", "vide", "codec", "FFmpeg has no name for samples without coding (uncv)"),
    ("*", "mp4-other/*_h263_*", "vide", "*", UNREAD),
    ("*", "mp4-other/*_mp4v_*", "vide", "*", UNREAD),
    ("*", "mp4-*/*", "*", "language", MAC_ENGLISH),
    ("*", "heic-real/conf_*", "vide", "language", MAC_ENGLISH),
    ("ffmpeg", "mp4-other/*iamf.mp4", "soun", "tracks", "FFmpeg describes the layers of IAMF, and no stream"),
    ("ffmpeg", "mp4-other/mp4parse_metadata*.mp4", "file", "writer", "FFmpeg joins who encoded it and what wrote it"),
    ("ffmpeg", "mp4-other/androidx_sample_fragmented*.mp4", "*", "duration", FROM_ZERO),
    ("ffmpeg", "mp4-other/mp4ff_cbcs*.mp4", "*", "duration", FROM_ZERO),
    ("ffmpeg", "mp4-other/mp4ff_complseg-1.0001.mp4", "*", "duration", FROM_ZERO),
    ("ffmpeg", "mp4-other/mp4ff_prog_8s.mp4", "file", "duration", FROM_ZERO),
    ("ffmpeg", "mp4-other/mp4ff_*init*", "file", "duration", HEADER),
    ("ffmpeg", "mp4-other/mp4ff_outV300.mp4", "file", "duration", HEADER),
    ("ffmpeg", "mp4-other/mp4ff_v300_*.mp4", "file", "duration", HEADER),
    ("*", "hevc-es/libde265_girlshy.h265", "vide", "size",
     "316 samples of 5790 to 5767 are shown as 317; others say how many samples"),
    ("ffmpeg", "mp4-hevc/androidx_dash_multi-period-*", "*", "duration", LAST_SHOWN),
    ("ffmpeg", "mp4-hevc/androidx_dash_webvtt*", "vide", "encoder", "the stream says it, more exactly than the sample entry"),
    ("ffmpeg", "hevc-es/dovi_*", "vide", "samples", NO_PICTURE),
    ("ffmpeg", "heic-real/conf_C001.heic", "vide", "tracks", "a picture beside the track is a stream to FFmpeg"),
    ("ffmpeg", "heic-real/conf_C029.heic", "*", "*", "an edit list plays it again and again, which FFmpeg does twice"),
    ("ffmpeg", "heic-real/conf_C041.heic", "*", "duration",
     "a sample with the offset of what is never shown, and an edit list that is longer than the samples"),
    ("ffmpeg", "heic-real/libheif_seq_seed.heif", "vide", "tracks", "FFmpeg reads no sequence without compression"),
    ("ffmpeg", "heic-real/pillow_L_8__*", "vide", "size", SIZED),
]


def asked(*command):
    done = completed(*command, status=None)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {}


def info(file):
    """The tracks with pictures and sound, and the file itself; a bare stream is one track, and so is the picture that is
    shown of a file of pictures."""
    answer = asked(APUS, "info", "--json", file)
    if not answer:
        return []
    tracks = [track for track in answer.get("tracks", []) if track.get("handler") in ("vide", "soun", "pict")]
    for track in tracks:
        track["handler"] = track["handler"].replace("pict", "vide")
    if "stream" in answer:
        tracks = [{**answer["stream"], "handler": "vide", "samples": answer["stream"]["pictures"]}]
    elif answer.get("picture", {}).get("primary") and not tracks:
        tracks = [{**answer["picture"].get("primary", {}), "handler": "vide", "is_picture": True}]
    return [*tracks, {**answer, "handler": "file"}]


def number(text):
    return float(str(text).split("/")[0])


def mediainfo(file):
    found = []
    for track in asked("mediainfo", "--Output=JSON", file).get("media", {}).get("track", []):
        kind = {"Video": "vide", "Audio": "soun"}.get(track["@type"])
        if kind is None:
            continue
        codec = track.get("Format")
        facts = {"kind": kind, "codec": codec if codec in CODECS else None,
                 "language": LANGUAGES.get(track.get("Language"))}
        if kind == "vide":
            facts |= {"size": (int(track["Width"]), int(track["Height"])) if "Width" in track else None,
                      "bit_depth": int(track["BitDepth"]) if "BitDepth" in track else None,
                      # Of a bare stream it reads the beginning.
                      "samples": int(track["FrameCount"]) if "FrameCount" in track and not is_bare(file.name) else None,
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


# FFmpeg's names of code points of H.273.
PRIMARIES = {"bt709": 1, "bt470m": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "film": 8, "bt2020": 9, "smpte428": 10,
             "smpte431": 11, "smpte432": 12}
TRANSFERS = {"bt709": 1, "bt470m": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "linear": 8, "iec61966-2-1": 13,
             "bt2020-10": 14, "bt2020-12": 15, "smpte2084": 16, "arib-std-b67": 18}
MATRICES = {"gbr": 0, "bt709": 1, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "ycgco": 8, "bt2020nc": 9, "bt2020c": 10}
FIELDS = {"progressive": "progressive", "top first": "topFirst", "bottom first": "bottomFirst"}
LOOKS = {"kind", "codec", "profile", "size", "aspect", "turned", "chroma", "bit_depth", "primaries", "transfer", "matrix",
         "full_range", "mastering", "light"}
UNSAID = {"duration", "frame_rate", "language", "bytes"}
MEDIA = {".mp4", ".m4v", ".mov", ".flv", ".mkv", ".hevc", ".ismv", ".heic", ".heics", ".avci", ".jpg", ".png"}
SOUND_PROFILES = {"LC": "mp4a.40.2", "HE-AAC": "mp4a.40.5", "HE-AACv2": "mp4a.40.29", "xHE-AAC": "mp4a.40.42"}
KINDS = {
    "isoBMFF": ("mov,mp4,m4a,3gp,3g2,mj2",), "matroska": ("matroska,webm",), "mpegTS": ("mpegts",), "mpegPS": ("mpeg",),
    "wave": ("wav",), "jpeg": ("jpeg_pipe",), "png": ("png_pipe",), "annexB": ("hevc", "h264"),
}  # fmt: skip
TAGS = ("title", "artist", "album", "album_artist", "comment", "composer", "copyright", "date", "description", "genre")


def samples_of(pixels):
    """Chroma and depth, of FFmpeg's name of a pixel format."""
    chroma = next((f"4:{name[1]}:{name[2]}" for name in ("420", "422", "440") if name in pixels),
                  "4:0:0" if pixels.startswith("gray") else "4:4:4")
    depth = pixels.removesuffix("le").removesuffix("be").rpartition("p" if "p" in pixels else "gray")[2]
    return chroma, int(depth) if depth.isdigit() else 8


def tag(tags, name):
    return next((value for key, value in tags.items() if key.lower() == name), None)


def ffmpeg(file):
    said = probes.ffmpeg(file)
    found = []
    for stream in said["streams"] if said else []:
        facts = {name: stream.get(name) for name in ("kind", "samples", "bytes", "duration", "language", "key_frames")}
        facts["codec"] = NAMES.get(stream["codec"], stream["codec"])
        if stream["codec"] in ("hevc", "h264", "aac"):
            facts["profile"] = stream["profile"]
        if stream["kind"] == "soun":
            facts |= {name: stream.get(name) for name in ("channels", "sample_rate")}
        else:
            facts |= {name: stream.get(name) for name in (
                "size", "frame_rate", "aspect", "turned", "full_range", "dolby_vision", "mastering", "light")}
            facts |= {"primaries": PRIMARIES.get(stream.get("primaries")), "transfer": TRANSFERS.get(stream.get("transfer")),
                      "matrix": MATRICES.get(stream.get("matrix")), "field_order": FIELDS.get(stream.get("field_order"))}
            if "pixels" in stream:
                facts["chroma"], facts["bit_depth"] = samples_of(stream["pixels"])
            if facts["transfer"] == 16 and facts["codec"] == "HEVC":
                facts |= probes.light_of_pictures(file)
        if "attached pic" not in stream["dispositions"]:
            found.append(facts | {"is_first": "default" in stream["dispositions"], "encoder": tag(stream["tags"], "encoder")})
    if not said:
        return []
    tags = {name.lower(): value for name, value in said["tags"].items()}
    return [*found, {
        "kind": "file", "format": said["format"], "duration": said["duration"], "writer": tags.get("encoder"),
        "created": tags.get("creation_time", "")[:19].replace(" ", "T") or None, "location": tags.get("location"),
        "camera_make": tags.get("make") or tags.get("com.apple.quicktime.make"),
        "camera_model": tags.get("model") or tags.get("com.apple.quicktime.model"),
        "tags": {name: tags[name] for name in TAGS if name in tags},
        "chapters": [(start, tags.get("title")) for start, tags in said["chapters"]]}]


def value(track, fact):
    """What info says of a fact."""
    colour = track.get("colour", {})
    match fact:
        case "primaries" | "transfer" | "matrix" | "full_range":
            return colour.get(fact)
        case "mastering":
            return (colour["mastering_min"], colour["mastering_max"]) if "mastering_min" in colour else None
        case "light":
            return (colour["max_cll"], colour["max_fall"]) if "max_cll" in colour else None
        case "dolby_vision":
            names = ("profile", "level", "compatibility")
            return tuple(colour.get(f"dolby_vision_{name}") for name in names) if "dolby_vision_profile" in colour else None
        case "size":
            return (track.get("coded_width"), track.get("coded_height"))
        case "aspect":
            over, under = map(int, track.get("sample_aspect", "1:1").split(":"))
            return over / under
        case "turned":
            return track.get("rotation", 0)
        case "duration" if track["handler"] == "file":
            return track.get("presentation_duration", track.get("duration"))
        case "level":
            return number(track["level"]) if track.get("level", "").replace(".", "").isdigit() else None
        case "format":
            return track["kind"]
        case "tags":
            return {tag["name"]: tag["value"] for tag in track.get("tags", []) if tag["name"] in TAGS}
        case "chapters":
            return [(chapter["start"], chapter["title"]) for chapter in track.get("chapters", [])]
        case "created":
            return track.get("created", "")[:19] or None
    return track.get(fact)


def is_bare(name):
    return name.endswith((".265", ".h265", ".hevc", ".bit", ".h264"))


def agree(fact, theirs, track, bare):
    if fact == "codec":
        return str(track.get("codec")).startswith(CODECS.get(theirs, (theirs,)))
    ours = value(track, fact)
    if fact == "profile" and str(track.get("codec")).startswith("mp4a"):
        return track["codec"] == SOUND_PROFILES.get(theirs)
    if fact == "full_range":
        return theirs == bool(ours)
    if fact == "size" and bare:
        # Of a bare stream info has what is coded and what is shown, others the latter.
        return theirs in (ours, (track.get("display_width"), track.get("display_height")))
    if fact == "profile" and theirs == "Rext":
        # FFmpeg has one name for all profiles of the range extensions.
        return track["codec"].split(".")[1] == "4"
    if fact == "encoder" and str(ours).startswith(("x265 ", "x264 ")):
        # The stream says it, more exactly than the container.
        return ours[:4] in theirs
    if ours is None:
        # Where there are no samples, a rate is a promise of the parameter sets.
        return fact == "frame_rate" and not track["samples"]
    if fact in ("frame_rate", "sample_rate"):
        return abs(theirs - ours) <= 0.02 * max(theirs, ours)
    if fact == "format":
        return theirs in KINDS.get(ours, (ours,))
    if fact == "bytes":
        # Byte streams repeat start codes and delimiters, and AAC in them has headers.
        return abs(theirs - ours) <= (0.05 if not track.get("sample_entries") else 0) * theirs
    if fact == "turned" and track.get("mirrored"):
        # FFmpeg has no word for that.
        return True
    if fact == "mastering":
        return all(abs(left - right) <= 0.0001 * left for left, right in zip(theirs, ours))
    if fact == "chapters":
        # ffprobe prints six digits.
        rounded = [(round(start, 6), title) for start, title in ours]
        return theirs == rounded
    if fact in ("duration", "aspect"):
        return abs(theirs - ours) <= {"duration": 0.06, "aspect": 0.001}[fact]
    return theirs == ours


def differences(program, name, theirs, tracks):
    for kind in ("vide", "soun", "file"):
        left = [facts for facts in theirs if facts["kind"] == kind]
        right = [track for track in tracks if track["handler"] == kind]
        if not left and kind == "file":
            continue
        if len(left) != len(right):
            yield kind, "tracks", len(left), len(right)
            continue
        if name.endswith(".flv") and len(left) > 1:
            # Flash Video gives tracks no order.
            left.sort(key=lambda facts: CODECS.get(facts["codec"], ("",))[0])
            right.sort(key=lambda track: track["codec"])
        for facts, track in zip(left, right):
            for fact, said in facts.items():
                if fact not in ("kind", "is_first") and said is not None and not agree(fact, said, track, is_bare(name)):
                    yield kind, fact, said, track.get("codec") if fact == "codec" else value(track, fact)


def row_of(program, name, kind, fact):
    """The first row of the reasons that fits a difference, or `None`."""
    return next((row for row in REASONS if all(
        fnmatch.fnmatch(said, pattern) for said, pattern in zip((program, name, kind, fact), row))), None)


def compare(name, file, programs):
    tracks = info(file)
    lines = []
    for program in programs:
        theirs = program(file)
        if any(track.get("is_picture") for track in tracks):
            # Of a file of pictures, what the one looks like that is shown.
            theirs = [{fact: said for fact, said in facts.items() if fact in LOOKS} for facts in theirs if facts.get("is_first")]
        elif is_bare(name):
            # Nothing says how long a bare stream lasts; FFmpeg supposes 25 pictures a second, and counts start codes as bytes.
            theirs = [{fact: said for fact, said in facts.items() if fact not in UNSAID} for facts in theirs]
        # What a program does not open at all it says nothing of.
        if theirs and tracks:
            lines += [(program.__name__, name, *found) for found in differences(program.__name__, name, theirs, tracks)]
    return lines


def real():
    """Files of others, where there are some."""
    for name in FOLDERS if CORPUS.exists() else []:
        for file in sorted((CORPUS / name).iterdir()):
            if file.is_file() and file.stat().st_size < 60e6:
                yield f"{name}/{file.name}", (file, [ffmpeg] if name == "heic-real" else [mediainfo, ffmpeg])


# By their names the files, if they exist before the test, and the programs that are asked.
FILES = {
    **{name: (None, [mediainfo, ffmpeg]) for name in formats.FILES},
    **{f"Fixtures/{file.name}": (file, [ffmpeg]) for file in sorted(FIXTURES.iterdir()) if file.suffix in MEDIA},
    **dict(real()),
}


@pytest.fixture(scope="module")
def compared(shared):
    """Returns the differences of a file: program, name, kind of track, fact, and what each says."""
    @functools.cache
    def differences_of(name):
        file, programs = FILES[name]
        return compare(name, file or shared("formats", formats.make) / name, programs)

    return differences_of


@pytest.mark.parametrize("name", FILES)
def test_info_says_what_others_say_or_there_is_a_reason(compared, name):
    unexplained = [line for line in compared(name) if row_of(*line[:4]) is None]
    assert not unexplained, "program, file, kind, fact, what it says and what info says: " + "; ".join(map(str, unexplained))


def test_every_reason_explains_something(compared):
    """One that explains nothing is out of date; those of real files need the files."""
    if CORPUS.exists():
        used = [row_of(*line[:4]) for name in FILES for line in compared(name)]
        assert not [row for row in REASONS if row not in used]
