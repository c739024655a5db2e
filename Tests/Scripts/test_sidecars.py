# SPDX-License-Identifier: MIT
"""`apus edit`: facts from files next to a photo and from a track, movies, and data after the pictures."""

import json
import os
import re
import shutil
import struct

import pytest

from editing import changed, edit, facts, samsung, scan
from exiftool import exiftool
from programs import APUS, FFMPEG, FIXTURES, completed

TAKEN = 1_582_984_800  # 2020-02-29 14:00:00 UTC
TAKEOUT = {"title": "photo.heic", "description": "At the sea", "photoTakenTime": {"timestamp": str(TAKEN)},
           "geoData": {"latitude": -33.8568, "longitude": 151.2153, "altitude": 5.0}}  # fmt: skip
GPX = """<?xml version="1.0"?>
<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
<trkpt lat="10" lon="179.5"><ele>100</ele><time>2020-02-29T14:00:00Z</time></trkpt>
<trkpt lat="11" lon="-179.5"><ele>200</ele><time>2020-02-29T14:10:00Z</time></trkpt>
<trkpt lat="20" lon="20"><time>2020-02-29T20:00:00.000Z</time></trkpt>
</trkseg></trk></gpx>"""


def bare(folder, name):
    """A copy of a photo without time, place and caption."""
    path = shutil.copy(FIXTURES / name, folder / name)
    exiftool("-q", "-m", "-overwrite_original", "-all=", path, status=None)
    return path


def place(path):
    found = facts(path, "-n")
    south, west = (found.get(f"GPS:GPS{axis}Ref") for axis in ("Latitude", "Longitude"))
    return (round(found["GPS:GPSLatitude"] * (-1 if south == "S" else 1), 4),
            round(found["GPS:GPSLongitude"] * (-1 if west == "W" else 1), 4))  # fmt: skip


@pytest.mark.parametrize(
    ("photo", "sidecar"),
    [
        ("photo.heic", "photo.heic.json"),
        ("photo.heic", "photo.heic.supplemental-metadata.json"),
        ("photo.heic", "photo.heic.supplemental-me.json"),
        ("photo(2).heic", "photo.heic(2).json"),
        ("photo(2).heic", "photo.heic.supplemental-metadata(2).json"),
        ("photo-edited.heic", "photo.heic.supplemental-metadata.json"),
        ("a-very-long-name-of-a-photo-0123456789-0123456789.heic", "a-very-long-name-of-a-photo-0123456789-0123456.json"),
    ],
)
def test_what_takeout_kept_beside_a_photo_comes_into_it(folder, photo, sidecar):
    shutil.move(bare(folder, "photo.heic"), folder / photo)
    # Files of other photos, which do not count.
    for other in ("photo.heic(3).json", "photo.jpg.json", "metadata.json"):
        (folder / other).write_text(json.dumps(TAKEOUT | {"description": "Another"}))
    (folder / sidecar).write_text(json.dumps(TAKEOUT))
    out = edit(folder, folder / photo, "--sidecars")
    found = facts(out)
    assert found["ExifIFD:DateTimeOriginal"] == "2020:02:29 14:00:00" and found["ExifIFD:OffsetTimeOriginal"] == "+00:00"
    assert found["IFD0:ImageDescription"] == found["XMP-dc:Description"] == "At the sea"
    assert place(out) == (-33.8568, 151.2153)


def test_takeout_does_not_overwrite_what_a_photo_knows_better(folder):
    photo = shutil.copy(FIXTURES / "420.jpg", folder / "photo.jpg")
    exiftool("-q", "-overwrite_original", "-DateTimeOriginal=2020:02:29 15:00:00", "-ImageDescription=Own",
             "-GPSLatitude=1", "-GPSLatitudeRef=N", "-GPSLongitude=2", "-GPSLongitudeRef=E", photo)  # fmt: skip
    before = facts(photo)
    (folder / "photo.jpg.json").write_text(json.dumps(TAKEOUT))
    done = completed(APUS, "edit", photo, "--sidecars", "--in-place", "--json", text=True, status=3)
    assert json.loads(done.stdout)["status"] == "unchanged" and facts(photo) == before
    # What a person says counts more than either.
    out = edit(folder, photo, "--sidecars", "--set", "caption=Mine", "--strip", "gps")
    assert facts(out)["IFD0:ImageDescription"] == "Mine" and "GPS:GPSLatitude" not in facts(out)


@pytest.mark.parametrize("name", ["photo.heic.xmp", "photo.xmp", "PHOTO.XMP"])
def test_an_xmp_file_beside_a_photo_is_applied(folder, name):
    photo = bare(folder, "photo.heic")
    values = {"XMP-dc:Title": "Dunes", "XMP-dc:Creator": "Ada", "XMP-xmp:Rating": "4", "XMP-exif:GPSLatitude": "-33.5",
              "XMP-exif:GPSLongitude": "151.25", "XMP-photoshop:DateCreated": "2020:02:29 14:00:00+01:00"}  # fmt: skip
    xmp = folder / "made.xmp"
    exiftool("-q", *(f"-{k}={v}" for k, v in values.items()), "-XMP-dc:Subject=sea", "-XMP-dc:Subject=sand", xmp)
    xmp.rename(folder / name)
    found = facts(out := edit(folder, photo, "--sidecars"))
    assert found["XMP-dc:Title"] == "Dunes" and found["IFD0:Artist"] == "Ada" and found["XMP-xmp:Rating"] == 4
    assert found["XMP-dc:Subject"] == ["sea", "sand"] and found["ExifIFD:OffsetTimeOriginal"] == "+01:00"
    assert found["ExifIFD:DateTimeOriginal"] == "2020:02:29 14:00:00" and place(out) == (-33.5, 151.25)


def test_a_folder_of_photos_and_their_sidecars_is_changed_in_one_run(folder):
    for name in ("photo.heic", "420.jpg"):
        bare(folder, name)
        (folder / f"{name}.json").write_text(json.dumps(TAKEOUT))
    done = completed(APUS, "edit", "-r", folder, "--sidecars", "--in-place", text=True)
    assert done.stderr == "apus: 2 files: 2 changed\n"
    done = completed(APUS, "edit", "-r", folder, "--sidecars", "--in-place", text=True, status=3)
    assert done.stderr == "apus: 2 files: 2 unchanged\n"


def test_a_sidecar_that_cannot_be_read_is_told(folder):
    photo = shutil.copy(FIXTURES / "photo.heic", folder / "photo.heic")
    for name, text, said in [("photo.heic.json", "{", "no JSON"), ("photo.heic.json", "{}", "photoTakenTime"),
                             ("photo.xmp", "<a>", "not XMP")]:  # fmt: skip
        (folder / name).write_text(text)
        message = edit(folder, photo, "--sidecars", status=1)
        assert said in message and name in message
        (folder / name).unlink()


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("14:05:00+00:00", (10.5, 180.0)),
        ("16:02:30+02:00", (10.25, 179.75)),
        ("13:56:00+00:00", (10.0, 179.5)),
        ("20:04:00+00:00", (20.0, 20.0)),
    ],
)
def test_a_track_tells_where_a_photo_was_taken(folder, time, expected):
    photo = bare(folder, "photo.heic")
    (folder / "track.gpx").write_text(GPX)
    out = edit(folder, photo, "--set", f"date=2020-02-29T{time}", "--gpx", folder / "track.gpx")
    assert (place(out)[0], abs(place(out)[1])) == expected


def test_a_place_that_a_track_does_not_tell_is_not_invented(folder):
    photo = bare(folder, "photo.heic")
    track = folder / "track.gpx"
    track.write_text(GPX)
    assert "has no time" in edit(folder, photo, "--gpx", track, status=1)
    assert "time zone" in edit(folder, photo, "--gpx", track, "--set", "date=2020-02-29T14:00:00", status=1)
    assert "no place" in edit(folder, photo, "--gpx", track, "--set", "date=2020-02-29T17:00:00Z", status=1)
    exiftool("-q", "-overwrite_original", "-DateTimeOriginal=2020:02:29 15:00:00", photo)
    out = edit(folder, photo, "--gpx", track, "--set", "zone=+01:00")
    assert facts(out)["ExifIFD:OffsetTimeOriginal"] == "+01:00" and place(out) == (10.0, 179.5)
    track.write_text("<gpx></gpx>")
    assert "no point" in edit(folder, photo, "--gpx", track, status=1)


def test_a_sidecar_that_is_a_pipe_is_passed_over(folder):
    photo = shutil.copy(FIXTURES / "photo.heic", folder / "photo.heic")
    os.mkfifo(folder / "photo.heic.json")
    os.mkfifo(folder / "photo.heic.xmp")
    completed(APUS, "edit", photo, "--sidecars", "--in-place", status=3, seconds=20)


MOVIES = ["hvc1.mp4", "movie-keys.mov", "movie.mov", "tags.m4v", "udta-terminator.mov"]


@pytest.fixture(params=MOVIES)
def movie(request, folder):
    path = shutil.copy(FIXTURES / request.param, folder / request.param)
    exiftool("-q", "-m", "-overwrite_original", "-api", "QuickTimeUTC=1", "-QuickTime:CreateDate=2024:01:31 12:00:00Z",
             "-Keys:CreationDate=2024:01:31 13:00:00+01:00", path)  # fmt: skip
    return path


def packets(path):
    done = completed(FFMPEG, "-i", path, "-map", "0:v", "-c", "copy", "-f", "framemd5", "-", text=True)
    return [line for line in done.stdout.splitlines() if not line.startswith("#")]


def test_the_time_of_a_movie_is_shifted_and_set_and_nothing_else(folder, movie):
    before = facts(movie)
    out = edit(folder, movie, "--set", "date=+2h")
    after = facts(out)
    times = {k for k in changed(before, after)}
    assert all(re.search("(Create|Creation|ContentCreate)Date", k) for k in times), times
    assert after["QuickTime:CreateDate"] == "2024:01:31 14:00:00" and after["Keys:CreationDate"] == "2024:01:31 15:00:00+01:00"
    assert packets(out) == packets(movie)
    found = facts(edit(folder, movie, "--set", "date=2020-02-29T12:00:00+02:00"))
    assert found["QuickTime:CreateDate"] == found["Track1:TrackCreateDate"] == "2020:02:29 10:00:00"
    assert found["Keys:CreationDate"] == "2020:02:29 12:00:00+02:00"


def test_titles_of_a_movie_are_set_and_removed_and_nothing_else(folder, movie):
    before = facts(movie)
    out = edit(folder, movie, "--set", "title=Dünen", "--set", "caption=Sand", "--set", "creator=Ann", "--set", "copyright=me")
    found = facts(out)
    texts = {"ItemList:Title": "Dünen", "ItemList:Description": "Sand", "ItemList:Artist": "Ann", "ItemList:Copyright": "me"}
    assert {key: found.get(key) for key in texts} == texts
    assert not [key for key in changed(before, found) if not re.search("Title|Desc|Artist|Author|Copyright|Handler", key)]
    assert packets(out) == packets(movie)
    back = edit(folder, out.rename(folder / f"titled{out.suffix}"), "--set", "title=", "--set", "caption=New")
    found = facts(back)
    assert not [key for key in found if key.endswith(":Title")] and found["ItemList:Description"] == "New"
    assert packets(back) == packets(movie)


def test_the_place_of_a_movie_is_set_where_it_is_told(folder, movie):
    first = edit(folder, movie, "--set", "gps=48.85837,2.29448,35").rename(folder / f"first{movie.suffix}")
    found = {k: v for k, v in facts(first, "-n").items() if "GPS" in k}
    assert found == {"UserData:GPSCoordinates": "48.85837 2.29448 35"}
    both = shutil.copy(movie, folder / f"both{movie.suffix}")
    exiftool("-q", "-m", "-overwrite_original", "-Keys:GPSCoordinates=1, 2, 3", "-UserData:GPSCoordinates=1, 2", both)
    out = edit(folder, both, "--set", "gps=-48.85837,-2.29448")
    found = {k: v for k, v in facts(out, "-n").items() if "GPS" in k}
    assert found == {k: "-48.85837 -2.29448" for k in ("Keys:GPSCoordinates", "UserData:GPSCoordinates")}
    assert packets(out) == packets(first) == packets(movie)


def test_a_movie_that_nothing_dates_gets_takeouts_time_and_a_tracks_place(folder):
    movie = shutil.copy(FIXTURES / "hvc1.mp4", folder / "a.mp4")
    completed(APUS, "edit", movie, "--set", "moov/mvhd/creation_time=0", "--in-place", status=None)
    (folder / "a.mp4.json").write_text(json.dumps(TAKEOUT))
    (folder / "track.gpx").write_text(GPX)
    out = edit(folder, movie, "--sidecars")
    found = facts(out, "-n")
    assert found["QuickTime:CreateDate"] == "2020:02:29 14:00:00" and found["UserData:GPSCoordinates"] == "-33.8568 151.2153 5"
    found = facts(edit(folder, out.rename(folder / "b.mp4"), "--gpx", folder / "track.gpx"), "-n")
    assert found["UserData:GPSCoordinates"].startswith("10 179.5")


def test_a_date_of_a_movie_needs_a_zone_and_keywords_have_no_place_in_it(folder):
    assert "time zone" in edit(folder, FIXTURES / "hvc1.mp4", "--set", "date=2020-02-29T12:00:00", status=1)
    assert "title" in edit(folder, FIXTURES / "hvc1.mp4", "--set", "keywords=A", status=1)
    assert "title" in edit(folder, FIXTURES / "hvc1.mp4", "--set", "zone=+01:00", status=1)
    out = edit(folder, FIXTURES / "hvc1.mp4", "--set", "date=2020-02-29T12:00:00", "--set", "zone=+01:00")
    assert facts(out)["QuickTime:CreateDate"] == "2020:02:29 11:00:00"


def test_what_is_set_twice_is_as_large_as_once(folder):
    change = ["--set", "date=2020-02-29T12:00:00", "--set", "zone=+01:00", "--set", "gps=1,2,3", "--set", "title=A"]
    once = edit(folder, FIXTURES / "still-64x48.heic", *change)
    once = once.rename(folder / f"once{once.suffix}")
    twice = edit(folder, once, *change)
    assert facts(twice)["ExifIFD:OffsetTimeOriginal"] == "+01:00" and twice.read_bytes() == once.read_bytes()


@pytest.mark.parametrize("what", ["motion", "trailer"])
@pytest.mark.parametrize("name", ["motion.jpg", "samsung.jpg"])
def test_a_photo_loses_its_video(folder, name, what):
    photo = shutil.copy(FIXTURES / name, folder / name)
    out = edit(folder, photo, "--strip", what)
    listed = completed(APUS, "extract", out, "--list", text=True).stdout
    assert "video" in completed(APUS, "extract", photo, "--list", text=True).stdout and "video" not in listed
    data = out.read_bytes()
    assert b"ftyp" not in data and b"MotionPhoto" not in data and scan(photo).startswith(scan(out).split(b"SEFH")[0][:2000])
    assert edit(folder, out.rename(folder / "again.jpg"), "--strip", what, status=0).read_bytes() == data


def test_samsungs_other_data_stay_without_the_video(folder):
    movie = (FIXTURES / "hvc1.mp4").read_bytes()
    head = (FIXTURES / "420.jpg").read_bytes()
    photo = folder / "a.jpg"
    photo.write_bytes(head + samsung([(b"Image_UTC_Data", b"1"), (b"MotionPhoto_Data", movie), (b"Other", b"22")]))
    out = edit(folder, photo, "--strip", "motion")
    assert out.read_bytes() == head + samsung([(b"Image_UTC_Data", b"1"), (b"Other", b"22")])
    assert edit(folder, photo, "--strip", "trailer").read_bytes() == head


def test_pictures_after_a_jpeg_stay_without_the_trailer(folder):
    """A gain map, which XMP and the index list, is found as before."""
    completed(APUS, "convert", FIXTURES / "gain-map-tmap.heic", "-o", folder / "hdr.jpg")
    photo = folder / "a.jpg"
    photo.write_bytes((folder / "hdr.jpg").read_bytes() + samsung([(b"Image_UTC_Data", b"1")]))
    assert edit(folder, photo, "--strip", "trailer").read_bytes() == (folder / "hdr.jpg").read_bytes()


def test_a_heic_loses_the_video_after_its_items(folder):
    photo, movie = folder / "motion.heic", (FIXTURES / "hvc1.mp4").read_bytes()
    photo.write_bytes((FIXTURES / "photo.heic").read_bytes() + struct.pack(">I", 8 + len(movie)) + b"mpvd" + movie)
    before = [line for line in completed(APUS, "inspect", photo, text=True).stdout.splitlines() if line.startswith("mpvd")]
    out = edit(folder, photo, "--strip", "motion")
    assert before and b"mpvd" not in out.read_bytes() and b"MotionPhoto" not in out.read_bytes()
    pictures = [completed(APUS, "convert", path, "-o", "-", "--format", "png").stdout for path in (photo, out)]
    assert pictures[0] == pictures[1]


XMP = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
PLACED = ["-XMP-exif:GPSLatitude=48.85837", "-XMP-exif:GPSLongitude=2.29448", "-XMP-dc:Title=Tower"]


def box(kind, body):
    return struct.pack(">I", 8 + len(body)) + kind + body


def packet(folder):
    """XMP with a place and a title."""
    exiftool("-q", *PLACED, folder / "made.xmp")
    return (folder / "made.xmp").read_bytes()


@pytest.mark.parametrize("name", ["hvc1.mp4", "movie.mov"])
def test_a_place_in_the_xmp_of_a_movie_goes_as_well(folder, name):
    """In `uuid` (MP4) and in `XMP_` (QuickTime), where exiftool writes it."""
    movie = shutil.copy(FIXTURES / name, folder / name)
    exiftool("-q", "-m", "-overwrite_original", *PLACED, movie)
    before = facts(movie)
    assert "XMP-exif:GPSLatitude" in before
    out = edit(folder, movie, "--strip", "gps")
    assert changed(before, facts(out)) == {k for k in before if "GPS" in k}
    assert out.stat().st_size == movie.stat().st_size and b"48,51" not in out.read_bytes()
    assert packets(out) == packets(movie)
    found = facts(edit(folder, movie, "--set", "gps=1,2"), "-n")
    assert found["XMP-dc:Title"] == "Tower" and [k for k in found if "GPS" in k] == ["UserData:GPSCoordinates"]


def test_a_place_in_the_xmp_of_a_photos_file_goes_as_well(folder):
    photo = folder / "a.heic"
    photo.write_bytes((FIXTURES / "photo.heic").read_bytes() + box(b"uuid", XMP + packet(folder)))
    data = edit(folder, photo, "--strip", "gps").read_bytes()
    assert b"48,51" not in data and XMP in data and b"Tower" in data
    for words in (["--strip", "xmp"], ["--strip", "all"], ["--strip", "gps", "--strip", "xmp"]):
        assert XMP not in edit(folder, photo, *words).read_bytes()


def test_a_place_in_the_xmp_of_a_motion_photos_video_goes_as_well(folder):
    movie = (FIXTURES / "hvc1.mp4").read_bytes() + box(b"uuid", XMP + packet(folder))
    (folder / "a.jpg").write_bytes((FIXTURES / "420.jpg").read_bytes() + samsung([(b"MotionPhoto_Data", movie)]))
    (folder / "a.heic").write_bytes((FIXTURES / "photo.heic").read_bytes() + box(b"mpvd", movie))
    for name in ("a.jpg", "a.heic"):
        data = edit(folder, folder / name, "--strip", "gps").read_bytes()
        assert b"48,51" not in data and b"Tower" in data
        assert completed(APUS, "extract", folder / name, "--list").stdout == completed(
            APUS, "extract", folder / f"out{name[1:]}", "--list").stdout.replace(b"out.", b"a.")  # fmt: skip


def test_a_place_that_canon_keeps_is_told(folder):
    places = box(b"uuid", bytes.fromhex("85c0b687820f11e08111f4ce462b6a48") + box(b"CMT4", b"II*\0\x08\0\0\0\0\0\0\0\0\0"))
    (folder / "places.bin").write_bytes(places)
    movie = folder / "a.mp4"
    completed(APUS, "edit", FIXTURES / "hvc1.mp4", "--insert", f"moov={folder / 'places.bin'}", "-o", movie)
    assert "CMT4" in edit(folder, movie, "--strip", "gps", status=1)


def shots(folder):
    """A folder of two photos and a movie that a run can shift, and a JPEG without a time."""
    shots = folder / "shots"
    shots.mkdir()
    for name in ("a.heic", "b.heic"):
        shutil.copy(FIXTURES / "photo.heic", shots / name)
    shutil.copy(FIXTURES / "444.jpg", shots / "untimed.jpg")
    completed(APUS, "edit", shots / "b.heic", "--set", "title=A longer title than before", "--in-place")
    return shots


def shifted(shots):
    return [facts(shots / name)["ExifIFD:DateTimeOriginal"] for name in ("a.heic", "b.heic")]


def shift(shots, *words, status=1):
    done = completed(APUS, "edit", "-r", shots, "--set", "date=+1h", "--in-place", "--journal", shots.parent / "j", *words, text=True, status=status)
    return done.stderr


def test_a_journal_keeps_a_shift_from_being_made_twice(folder, monkeypatch):
    photos = shots(folder)
    before = shifted(photos)
    assert "2 changed, 1 failed" in shift(photos) and "no time" in shift(photos)
    once = shifted(photos)
    assert all(old != new for old, new in zip(before, once))
    # Under another name, too.
    monkeypatch.chdir(photos)
    said = completed(APUS, "edit", "a.heic", "./b.heic", "--set", "date=+1h", "--in-place", "--journal", "../j", text=True, status=3).stderr
    assert "2 already finished" in said and shifted(photos) == once
    assert "belongs to a run" in shift(photos, "--set", "title=A")
    # A file that has changed since is not shifted again: another program may have shifted it back, or not.
    os.utime("a.heic")
    said = shift(photos)
    assert "a.heic has changed since" in said and "2 failed, 1 already finished" in said and shifted(photos) == once
    said = completed(APUS, "edit", "b.heic", "--set", "date=+1h", "--journal", "k", "--dry-run", text=True, status=2).stderr
    assert "--dry-run" in said


@pytest.mark.parametrize("moment", ["before", "after"])
def test_what_an_interrupted_run_may_have_shifted_is_not_shifted_again(folder, moment):
    photos = shots(folder)
    before = shifted(photos)
    shift(photos)
    once = shifted(photos)
    journal = folder / "j"
    lines = journal.read_text().splitlines(keepends=True)
    if moment == "after":
        # The run ended between the change of b.heic and its line.
        journal.write_text("".join(line for line in lines if not (line.startswith("changed") and "b.heic" in line)))
        assert "has changed since" in shift(photos) and shifted(photos) == once
    else:
        # It ended between the line that begins b.heic and its change.
        completed(APUS, "edit", photos / "b.heic", "--set", "date=-1h", "--in-place")
        now = (photos / "b.heic").stat()
        journal.write_text("".join(line for line in lines if "b.heic" not in line)
                           + f"begun\t{now.st_size}\t{now.st_mtime_ns}\t{photos / 'b.heic'}\n")  # fmt: skip
        assert "1 changed, 1 failed, 1 already finished" in shift(photos) and shifted(photos) == once
    assert before != once


def test_what_cannot_be_changed_in_a_folder_is_told(folder):
    photos = shots(folder)
    shutil.copy(FIXTURES / "hvc1.mp4", photos / "m.mp4")
    (photos / "notes.txt").write_text("text")
    done = completed(APUS, "edit", "-r", photos, "--set", "keywords=A", "--in-place", text=True, status=1)
    assert "m.mp4 is a movie" in done.stderr and "notes.txt" not in done.stderr
    assert "3 changed, 1 failed" in done.stderr
