# SPDX-License-Identifier: MIT
"""Subtitles that are text become timed text in movies: FFmpeg reads when each is shown, what it says and how."""

import json
import re

import pytest

from programs import APUS, FFMPEG, ffmpeg, printed, remux, run, same

# The second begins while the first is shown, the fourth has no gap before it.
SUBRIP = """1
00:00:00,500 --> 00:00:01,500
<b>One</b> & <i>only</i>

2
00:00:01,000 --> 00:00:02,000
{\\an8}Zwei
Zeilen: grün

3
00:00:02,500 --> 00:00:03,000
<font color="#ff8000">3 < 4</font>

4
00:00:03,000 --> 00:00:03,500
Vier
"""
SHOWN = [
    (0.5, 1.0, "<b>One</b> & <i>only</i>"),
    (1.0, 1.5, "<b>One</b> & <i>only</i>\nZwei\nZeilen: grün"),
    (1.5, 2.0, "Zwei\nZeilen: grün"),
    (2.5, 3.0, '<font color="#ff8000">3 < 4'),
    (3.0, 3.5, "Vier"),
]
SUBSTATION = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,0

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.50,0:00:01.50,Default,,0,0,0,,{\\pos(10,10)}One, {\\i1}two{\\i0}\\Nthree
Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}Four
"""
WEBVTT = """WEBVTT

00:00:00.500 --> 00:00:01.500
<v Anna>Salt &amp; <u>pepper</u>

00:00:02.000 --> 00:00:03.000
Two
"""
OTHERS = {
    "ass": (SUBSTATION, [(0.5, 1.5, "One, <i>two</i>\nthree"), (2.0, 3.0, "Four")]),
    "vtt": (WEBVTT, [(0.5, 1.5, "Salt & <u>pepper</u>"), (2.0, 3.0, "Two")]),
}


def seconds(text):
    hours, minutes, rest = text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest.replace(",", "."))


def titles(file):
    """When each begins and ends, and what it says, as FFmpeg reads it."""
    text = printed(FFMPEG, "-i", file, "-map", "0:s:0", "-f", "srt", "-")
    # FFmpeg does not close what it opened.
    return [(seconds(start), seconds(end), re.sub(r"</font>|\r", "", words.strip()))
            for start, end, words in re.findall(r"(\S+) --> (\S+)\n(.*?)(?=\n\n|\Z)", text, re.S)]


def stream(file):
    found = json.loads(printed("ffprobe", "-v", "error", "-select_streams", "s", "-show_streams", "-of", "json", file))
    return found["streams"][0]


def make(folder, name, kind, text):
    titles, movie = folder / f"titles.{kind}", folder / name
    titles.write_text(text)
    codec = {"srt": "srt", "ass": "ass", "vtt": "webvtt"}[kind]
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-i", titles, "-map", "0", "-map", "1", "-c:v", "libx265",
           "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=25", "-c:s", codec, "-metadata:s:s", "language=deu",
           movie)
    return movie


@pytest.fixture(scope="module")
def movie(work):
    """A Matroska file with titles in SubRip."""
    return make(work, "movie.mkv", "srt", SUBRIP)


@pytest.mark.parametrize("name, options", [("a.mp4", []), ("a.mov", []), ("fragments.mp4", ["--format", "fmp4"])])
def test_titles_become_timed_text_in_a_movie_and_in_its_copy(movie, folder, name, options):
    written, again = folder / name, folder / f"again-{name}"
    remux(movie, "-o", written, *options)
    # FFmpeg reads no lengths of titles in fragments; the copy has them.
    parts = slice(0, 3, 2) if "fragments" in name else slice(0, 3)
    same("titles", [title[parts] for title in SHOWN], [title[parts] for title in titles(written)])
    told = stream(written)
    same("track", ("mov_text", "tx3g", "deu", 320, 180),
         (told["codec_name"], told["codec_tag_string"], told["tags"]["language"], told["width"], told["height"]))
    # What was written is read, and stays.
    remux(written, "-o", again)
    same("titles of a copy", SHOWN, titles(again))


def test_a_transcoder_keeps_titles(movie, folder):
    out = folder / "coded.mp4"
    run(APUS, "transcode", "--quiet", movie, "-o", out, "--speed", "ultrafast")
    same("titles", SHOWN, titles(out))


def test_a_transcoder_keeps_the_titles_of_a_stretch(movie, folder):
    out = folder / "coded.mp4"
    run(APUS, "transcode", "--quiet", movie, "-o", out, "--speed", "ultrafast", "--from", "1.2", "--to", "2.8")
    # Titles that begin before the key frame from which on Matroska is read are not seen.
    same("titles of a stretch", [(0.0, 0.8, SHOWN[2][2]), (1.3, 1.6, SHOWN[3][2])], titles(out))


def test_titles_are_left_out_of_flv_which_is_reported(movie, folder):
    """Live players have another form for them."""
    assert "text subtitles" in run(APUS, "remux", movie, "-o", folder / "a.flv")


@pytest.mark.parametrize("kind", OTHERS)
def test_titles_of_other_kinds_become_timed_text(folder, kind):
    text, shown = OTHERS[kind]
    remux(make(folder, f"{kind}.mkv", kind, text), "-o", folder / f"{kind}.mp4")
    same("titles", shown, titles(folder / f"{kind}.mp4"))
