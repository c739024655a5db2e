# SPDX-License-Identifier: MIT
"""Closed captions in pictures come through another encoder, whatever happens to the pictures, and playlists declare them."""

import re

import pytest

import captions
from programs import APUS, FIXTURES, Failure, printed, run, same

pytestmark = pytest.mark.apart
TEXTS = ["FIRST WORDS", "AND THE LAST 42"]
# One picture of the slowest result.
STEP = 84


@pytest.fixture(scope="module", params=captions.CODECS)
def movie(work, request):
    """A movie with captions in the first channel."""
    path = captions.make(work, request.param, TEXTS)
    same("what FFmpeg reads", TEXTS, [words for _, words in captions.read(path)])
    return path


def transcoded(source, out, *options):
    run(APUS, "transcode", "--quiet", source, "-o", out, "--on-exists", "replace", *options)
    return out


def compare(before, after):
    """The same words, each at its time or up to a picture later."""
    same("words", [words for _, words in before], [words for _, words in after])
    for (first, words), (second, _) in zip(before, after):
        if not -1 <= second - first <= STEP:
            raise Failure(f"{words} comes at {second} ms, before at {first} ms")


@pytest.mark.parametrize("options", [
    [], ["--fps", "12"], ["--fps", "60"], ["--size", "64x64"], ["--passes", "2", "--bitrate", "100k"],
], ids=" ".join)
@pytest.mark.parametrize("codec", ["hevc", "h264"])
def test_captions_stay_in_another_encoding(movie, folder, codec, options):
    before = captions.read(movie)
    out = transcoded(movie, folder / "out.mp4", "--codec", codec, *options)
    start = before[0][0] - captions.read(out)[0][0] if not options else 0
    compare([(time - start, words) for time, words in before], captions.read(out))


def test_a_cut_has_the_captions_of_its_pictures(work, folder):
    movie = captions.make(work, "h264", TEXTS)
    before = captions.read(movie)
    out = transcoded(movie, folder / "out.mp4", "--from", "1.32")
    same("words", TEXTS[1:], [words for _, words in captions.read(out)])


def test_every_rung_of_a_ladder_has_them(work, folder):
    movie = captions.make(work, "h264", TEXTS)
    out = transcoded(movie, folder / "ladder/index.m3u8", "--ladder", "h264:96,hevc:48")
    text = out.read_text()
    same("variants", [2, 2], [text.count("#EXT-X-STREAM-INF"), text.count('CLOSED-CAPTIONS="captions"')])
    run(APUS, "hls", "check", out)


@pytest.mark.parametrize("codec", ["hevc", "h264"])
@pytest.mark.parametrize("channel, field, name", [(1, 1, "CC1"), (2, 1, "CC2"), (1, 2, "CC3"), (2, 2, "CC4")])
def test_playlists_declare_their_channel_and_the_check_finds_when_they_do_not(work, folder, codec, channel, field, name):
    movie = captions.make(work, codec, TEXTS, channel, field)
    out = folder / "hls/index.m3u8"
    run(APUS, "remux", "--quiet", movie, "-o", out)
    text = out.read_text()
    same("channels", [name], re.findall(r'TYPE=CLOSED-CAPTIONS.*INSTREAM-ID="(\w+)"', text))
    run(APUS, "hls", "check", out)
    for changed in (re.sub(r"#EXT-X-MEDIA:TYPE=CLOSED.*\n", "", text).replace(',CLOSED-CAPTIONS="captions"', ""),
                    re.sub(r"#EXT-X-MEDIA:TYPE=CLOSED.*\n", "", text).replace('CLOSED-CAPTIONS="captions"', "CLOSED-CAPTIONS=NONE"),
                    text.replace(f'INSTREAM-ID="{name}"', 'INSTREAM-ID="SERVICE1"')):
        out.write_text(changed)
        assert f"have captions in {name}" in printed(APUS, "hls", "check", out, status=None), changed


def test_a_playlist_without_captions_says_so(folder):
    out = folder / "hls/index.m3u8"
    run(APUS, "remux", "--quiet", FIXTURES / "hvc1.mp4", "-o", out)
    assert "CLOSED-CAPTIONS=NONE" in out.read_text()
