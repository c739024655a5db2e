# SPDX-License-Identifier: MIT
"""What each fixture is made of: (file, command, what it exercises).

A command runs in an empty work folder that holds what the commands before it made.
"""

import photos

FFMPEG = "ffmpeg -nostdin -loglevel error -cpuflags 0 -fflags +bitexact"
PATTERN = f"{FFMPEG} -f lavfi -i testsrc2=size=%s:rate=25"
X265 = "log-level=none:info=0:pools=none:frame-threads=1"
HEIF_ENC = "heif-enc -q 40 -p x265:info=0 -p x265:pools=none -p x265:frame-threads=1"
TONE = "-f lavfi -i sine=frequency=440:sample_rate=44100"
DATE = "-metadata creation_time=2024-01-02T03:04:05Z"
# What every ffmpeg output shares: no encoder versions, no stray metadata.
BITEXACT = "-fflags +bitexact -flags:v +bitexact -flags:a +bitexact"
EXACT = f"-map_metadata -1 {BITEXACT}"
HEVC = f"-c:v libx265 -x265-params {X265}:keyint=6:bframes=2:b-adapt=0"
AAC = "-c:a aac -b:a 32k"
SHORT = "-t 0.4 -shortest"

# Made on the way, not kept.
INGREDIENTS = [
    ("a.png", f"{PATTERN % '96x72'} -frames:v 1 -flags:v +bitexact a.png"),
    ("small.png", f"{PATTERN % '64x48'} -frames:v 1 -flags:v +bitexact small.png"),
    (
        "odd.hevc",
        f"{PATTERN % '68x46'} -frames:v 1 {BITEXACT} -c:v libx265 -x265-params {X265}:crf=35"
        " -f hevc odd.hevc",
    ),
    ("deep.png", f"{PATTERN % '96x72'} -frames:v 1 -pix_fmt rgb48be -flags:v +bitexact deep.png"),
    (
        "alpha.png",
        f"{FFMPEG} -f lavfi -i color=red@0.5:size=96x72,format=rgba -frames:v 1"
        " -flags:v +bitexact alpha.png",
    ),
    ("a.jpg", f"{PATTERN % '96x72'} -frames:v 1 -flags:v +bitexact -q:v 5 a.jpg"),
    ("metadata.jpg", "metadata.py a.jpg metadata.jpg"),
    (
        "thumb.jpg",
        f"{FFMPEG} -f lavfi -i color=blue:size=16x12 -frames:v 1 -flags:v +bitexact thumb.jpg",
    ),
    ("titles.srt", r"printf '1\n00:00:00,000 --> 00:00:00,200\nSwift\n' > titles.srt"),
    (
        "chapters.txt",
        r"printf ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=One\n'"
        " > chapters.txt",
    ),
    (
        "tiles.hevc",
        f"{PATTERN % '64x64'} -frames:v 4 {EXACT} -c:v libx265"
        f" -x265-params {X265}:keyint=1:crf=35 -f hevc tiles.hevc",
    ),
    *photos.INGREDIENTS,
]

STILLS = [
    ("still-96x72.heic", f"{HEIF_ENC} a.png -o still-96x72.heic", "one image item, 8 bits"),
    (
        "still-64x48.heic",
        f"{HEIF_ENC} small.png -o still-64x48.heic",
        "a picture below the smallest that the encoder takes: a grid of one hidden tile",
    ),
    (
        "still-67x45.heic",
        "odd.py odd.hevc still-67x45.heic",
        "odd size by hand: coded as 68x46, `clap` with an odd numerator over 2",
    ),
    (
        "still-10bit.heic",
        f"{HEIF_ENC} -b 10 deep.png -o still-10bit.heic",
        "10 bits: Main 10 in `hvcC`, `pixi`",
    ),
    (
        "still-lossless-444.heic",
        f"{HEIF_ENC} -L -p chroma=444 --matrix_coefficients=0 a.png -o still-lossless-444.heic",
        "4:4:4, range extensions profile, `colr` with identity matrix",
    ),
    ("alpha.heic", f"{HEIF_ENC} alpha.png -o alpha.heic", "`auxC` alpha plane, `auxl` reference"),
    ("thumbnail.heic", f"{HEIF_ENC} -t 64 a.png -o thumbnail.heic", "`thmb` reference"),
    (
        "exif-xmp.heic",
        f"{HEIF_ENC} metadata.jpg -o exif-xmp.heic",
        "`Exif` and `mime` items with `cdsc` references, from a JPEG",
    ),
    ("two-images.heic", f"{HEIF_ENC} a.png small.png -o two-images.heic", "two pictures, one a grid"),
    (
        "grid.heic",
        "grid.py tiles.hevc grid.heic",
        "2x2 grid, hidden tiles, `irot` `imir` `clap`, grid in `idat` (`iloc` version 1, construction"
        " methods 0 and 1)",
    ),
    (
        "grid-item-offsets.heic",
        "grid.py --item-offsets tiles.hevc grid-item-offsets.heic",
        "the same with construction method 2 (`iloc` version 2), two extents for a tile, 32-bit item"
        " numbers (`infe` version 3), 15-bit property indices (`ipma` version 1, flags 1)",
    ),
    (
        "grid-old-iloc.heic",
        "grid.py --old-iloc tiles.hevc grid-old-iloc.heic",
        "the same with `iloc` version 0, 8-byte offsets and base offsets",
    ),
]

CAMERA = (
    "exiftool -q -ExifByteOrder=%s -Make=Apus -Orientation#=6 -ExifImageWidth=96 -ExifImageHeight=72"
    " -GPSLatitude=52.5 -GPSLatitudeRef=N -GPSLongitude=13.4 -GPSLongitudeRef=E"
    " '-ThumbnailImage<=thumb.jpg' a.jpg -o - | exiftool -b -Exif - > %s"
)

METADATA = [
    (
        "camera-little-endian.exif",
        CAMERA % ("II", "camera-little-endian.exif"),
        "Exif, little-endian: Orientation 6, coordinates, a thumbnail",
    ),
    (
        "camera-big-endian.exif",
        CAMERA % ("MM", "camera-big-endian.exif"),
        "the same, big-endian",
    ),
    (
        "camera.xmp",
        "exiftool -q -XMP-tiff:Orientation#=6 -XMP-exif:ExifImageWidth=96 -XMP-exif:ExifImageHeight=72"
        " -XMP-exif:GPSLatitude=52.5 -XMP-photoshop:City=Berlin -XMP-dc:Title=Swift"
        " '-XMP-iptcExt:LocationShown={City=Berlin,CountryName=Germany}' -o camera.xmp",
        "XMP: orientation, size, coordinates and places",
    ),
    (
        "camera.iptc",
        "exiftool -q -IPTC:City=Berlin -IPTC:Keywords=bird -IPTC:ObjectName=Swift a.jpg -o - |"
        " exiftool -b -IPTC - > camera.iptc",
        "IPTC records with a city",
    ),
]

JPEG = f"{PATTERN % '68x46'} -vf scale=67:45 -frames:v 1 -flags:v +bitexact -q:v 4 -pix_fmt"

JPEGS = [
    ("420.jpg", f"{JPEG} yuvj420p 420.jpg", "4:2:0 of odd sides, by FFmpeg's own encoder"),
    ("422.jpg", f"{JPEG} yuvj422p 422.jpg", "the same in 4:2:2"),
    ("444.jpg", f"{JPEG} yuvj444p 444.jpg", "the same in 4:4:4"),
    (
        "440.jpg",
        "jpegtran -rotate 90 -trim -copy none -outfile 440.jpg 422.jpg",
        "4:4:0, as cameras write upright pictures",
    ),
    ("gray.jpg", "jpegtran -grayscale -copy none -outfile gray.jpg 420.jpg", "luma alone"),
    (
        "progressive.jpg",
        "jpegtran -progressive -copy none -outfile progressive.jpg 420.jpg",
        "several scans",
    ),
    (
        "arithmetic.jpg",
        "jpegtran -arithmetic -restart 1 -copy none -outfile arithmetic.jpg 420.jpg",
        "arithmetic coding, restart intervals",
    ),
    ("rgb.jpg", "djpeg 444.jpg | cjpeg -rgb -outfile rgb.jpg", "RGB, with a segment of Adobe's"),
]

MOVIES = [
    (
        "hvc1.mp4",
        f"{PATTERN % '64x48'} {TONE} {SHORT} {EXACT} {DATE} {HEVC} -tag:v hvc1 {AAC} hvc1.mp4",
        "`hvc1`, B frames (`ctts`, `elst`), AAC (`mp4a` `esds`), `sgpd` roll",
    ),
    (
        "hev1.mp4",
        f"{PATTERN % '64x48'} {TONE} {SHORT} {EXACT} {HEVC} -tag:v hev1 {AAC} hev1.mp4",
        "`hev1`, no creation time",
    ),
    (
        "hvc1-10bit.mp4",
        f"{PATTERN % '64x48'} {SHORT} {EXACT} {DATE} {HEVC} -pix_fmt yuv420p10le -tag:v hvc1"
        " -movflags +faststart hvc1-10bit.mp4",
        "Main 10, `moov` before `mdat`",
    ),
    (
        "hev1-10bit.mp4",
        f"{PATTERN % '66x44'} {SHORT} {EXACT} {DATE} {HEVC} -pix_fmt yuv422p10le -tag:v hev1"
        " hev1-10bit.mp4",
        "4:2:2 10 bits, a size with a conformance window",
    ),
    (
        "hdr10.mp4",
        f"{PATTERN % '64x48'} {SHORT} {EXACT} {DATE} -c:v libx265 -pix_fmt yuv420p10le -tag:v hvc1"
        " -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -x265-params"
        f" '{X265}:keyint=6:repeat-headers=0:hdr10=1:colorprim=bt2020:transfer=smpte2084"
        ":colormatrix=bt2020nc:max-cll=1000,400"
        ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)'"
        " hdr10.mp4",
        "HDR10: `colr` nclx, mastering display and content light SEI in `hvcC`",
    ),
    (
        "hdr10-boxes.mp4",
        "insert.py hdr10.mp4 hdr10-boxes.mp4"
        " --after moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC"
        " mdcv=33c286c41d4c0bb884d03e803d1340420098968000000032"
        " clli=03e80190",
        "`mdcv` and `clli` boxes by hand, so that the enclosing sizes are hand-made too",
    ),
    (
        "movie.mov",
        f"{PATTERN % '64x48'} {TONE} {SHORT} {EXACT} {DATE} -metadata title=Apus -metadata"
        f" comment=test {HEVC} -tag:v hvc1 {AAC} -timecode 01:02:03:04"
        " -movflags write_colr+write_gama -color_primaries bt709 -color_trc bt709 -colorspace bt709"
        " movie.mov",
        "QuickTime: `wide`, `udta` with ©-atoms, `tmcd` track with `gmhd`, `wave`, `colr` nclc,"
        " version 1 sound entry",
    ),
    (
        "movie-keys.mov",
        f"{PATTERN % '64x48'} {SHORT} {EXACT} {DATE} -metadata com.example.key=value {HEVC}"
        " -tag:v hvc1 -movflags use_metadata_tags movie-keys.mov",
        "QuickTime `meta` without version and flags: `mdta` handler, `keys`, numbered `ilst` items",
    ),
    (
        "tags.m4v",
        f"{PATTERN % '64x48'} {SHORT} {EXACT} {DATE} -metadata title=Apus -metadata track=1/2"
        f" -metadata genre=Test {HEVC} -tag:v hvc1 -f mp4 tags.m4v",
        "`udta`/`meta`/`ilst` with `data`: text and number",
    ),
    (
        "chapters.mp4",
        f"{PATTERN % '64x48'} -i chapters.txt {SHORT} {BITEXACT} {HEVC} -tag:v hvc1"
        " -map_chapters 1 chapters.mp4",
        "chapter track (`text` entry, `tref` chap, `gmhd`) and `chpl`",
    ),
    (
        "fragmented.mp4",
        f"{PATTERN % '64x48'} {TONE} {SHORT} {EXACT} {HEVC} -tag:v hvc1 {AAC} -movflags"
        " frag_keyframe+empty_moov fragmented.mp4",
        "`mvex` `trex`, `moof` `mfhd` `traf` `tfhd` `tfdt` `trun`, `mfra` `tfra` `mfro`",
    ),
    (
        "dash.mp4",
        f"{PATTERN % '64x48'} {SHORT} {EXACT} {HEVC} -tag:v hvc1 -movflags"
        " dash+cmaf+global_sidx+frag_keyframe+negative_cts_offsets -write_prft pts"
        " -use_editlist 0 dash.mp4",
        "`styp`, `sidx`, `trun` version 1 with negative offsets",
    ),
    (
        "smooth.ismv",
        f"{PATTERN % '64x48'} {SHORT} {EXACT} {HEVC} -tag:v hvc1 -f ismv smooth.ismv",
        "`uuid` boxes of Smooth Streaming (`tfxd`, `tfrf`)",
    ),
    (
        "avc1.mp4",
        f"{PATTERN % '64x48'} {SHORT} {EXACT} {DATE} -c:v libx264 -x264-params threads=1:keyint=6"
        " -pix_fmt yuv420p -bsf:v filter_units=remove_types=6 avc1.mp4",
        "`avc1` `avcC`, `pasp`, `btrt`",
    ),
    (
        "edit-list.mp4",
        f"{FFMPEG} -itsoffset 0.2 -f lavfi -i testsrc2=size=64x48:rate=25 {TONE} -t 0.6 {EXACT}"
        f" {HEVC} -tag:v hvc1 {AAC} edit-list.mp4",
        "`elst` with an empty edit (media time -1)",
    ),
    (
        "cenc.mp4",
        f"{PATTERN % '64x48'} {SHORT} {EXACT} -c:v libx264 -x264-params threads=1:keyint=6 -pix_fmt"
        " yuv420p -bsf:v filter_units=remove_types=6 -encryption_scheme cenc-aes-ctr -encryption_key"
        " 76a6c65c5ea762046bd749a2e632ccbb -encryption_kid a7e61c373e219033c21091fa607bf3b8 cenc.mp4",
        "common encryption: `encv` `sinf` `frma` `schm` `tenc`, `senc` `saiz` `saio`",
    ),
    (
        "subtitles.mp4",
        f"{PATTERN % '64x48'} -i titles.srt -t 0.4 {EXACT} {HEVC} -tag:v hvc1 -c:s mov_text"
        " -metadata:s:s:0 language=eng subtitles.mp4",
        "`tx3g` with `ftab`, `nmhd`, `sbtl` handler",
    ),
    (
        "audio-codecs.mp4",
        f"{FFMPEG} {TONE} {TONE} {TONE} {TONE} -map 0 -map 1 -map 2 -map 3 -t 0.1 {EXACT} -c:a:0 ac3"
        " -c:a:1 eac3 -c:a:2 libopus -c:a:3 flac -strict -2 -ar:a:2 48000 -b:a 48k audio-codecs.mp4",
        "`ac-3` `dac3`, `ec-3` `dec3`, `Opus` `dOps`, `fLaC` `dfLa`",
    ),
    (
        "stream.hevc",
        f"{PATTERN % '64x48'} -frames:v 6 {EXACT} -c:v libx265 -x265-params {X265}:keyint=3:aud=1"
        " -f hevc stream.hevc",
        "Annex B, no ISO-BMFF; parameter sets before each key picture, access unit delimiters",
    ),
]

# Every chroma form and depth that the encoder knows, in the order of the tracks.
FORMS = [
    form + depth
    for depth in ("", "10le", "12le")
    for form in ("gray", "yuv420p", "yuv422p", "yuv444p")
]

PICTURES = [
    (
        "forms.mp4",
        f"{PATTERN % '64x48'}{' -map 0' * len(FORMS)} -frames:v 1 {EXACT} -c:v libx265 -x265-params"
        f" {X265}:crf=30:hash=3 -tag:v hvc1"
        + "".join(f" -pix_fmt:v:{track} {form}" for track, form in enumerate(FORMS))
        + " forms.mp4",
        "a picture in each chroma form of 8, 10 and 12 bits, with the checksum of its samples in SEI",
    ),
    (
        "slices.mp4",
        f"{PATTERN % '64x192'} -frames:v 1 {EXACT} -pix_fmt gray -c:v libx265 -x265-params"
        " log-level=none:info=0:pools=2:frame-threads=1:crf=34:ctu=16:slices=3:hash=1 -tag:v hvc1"
        " slices.mp4",
        "a picture in three slices, with the MD5 of its samples in SEI",
    ),
    (
        "av01.mp4",
        f"{PATTERN % '64x48'} -frames:v 1 {EXACT} -pix_fmt yuv420p -c:v libaom-av1 -cpu-used 8"
        " -threads 1 -crf 40 av01.mp4",
        "`av01` `av1C`",
    ),
]

CONTAINERS = [
    (
        "large-mdat.mp4",
        "rewrite.py large-mdat hvc1.mp4 large-mdat.mp4",
        "`mdat` with a 64-bit size; chunk offsets moved by 8",
    ),
    (
        "size-zero.mp4",
        "rewrite.py size-zero hvc1-10bit.mp4 size-zero.mp4",
        "last box of size 0, to the end of the file",
    ),
    (
        "udta-terminator.mov",
        "rewrite.py udta-terminator movie.mov udta-terminator.mov",
        "four zero bytes that end a `udta`",
    ),
    (
        "trailing-junk.mp4",
        "rewrite.py trailing-junk hvc1.mp4 trailing-junk.mp4",
        "bytes after the last box that are no box",
    ),
    (
        "uuid-and-unknown.mp4",
        "rewrite.py uuid-and-unknown hvc1.mp4 uuid-and-unknown.mp4",
        "a `uuid` box, an unknown type, a type that is no text, `free` and `skip`",
    ),
]

PHOTOS = photos.STILLS + photos.HIDDEN

FLASH = [
    (
        "enhanced.flv",
        "ffmpeg9 -i hvc1.mp4 -c copy -fflags +bitexact enhanced.flv",
        "HEVC in Enhanced RTMP's form with reordered pictures, and AAC",
    ),
    (
        "enhanced-hdr10.flv",
        "ffmpeg9 -i hdr10.mp4 -c copy -fflags +bitexact enhanced-hdr10.flv",
        "HDR10 with `colorInfo`",
    ),
    (
        "sounds.flv",
        "ffmpeg9 -i audio-codecs.mp4 -map 0 -c copy -fflags +bitexact sounds.flv",
        "four tracks of sound: AC-3, E-AC-3, Opus and FLAC",
    ),
    (
        "legacy.flv",
        "flv.py legacy enhanced.flv legacy.flv",
        "the same HEVC with the codec id 12",
    ),
    (
        "many-tracks.flv",
        "flv.py many-tracks enhanced.flv many-tracks.flv",
        "two HEVC tracks in each packet",
    ),
    (
        "nanoseconds.flv",
        "flv.py nanoseconds enhanced.flv nanoseconds.flv",
        "a `TimestampOffsetNano` before each frame",
    ),
    (
        "avc.flv",
        f"{FFMPEG} -i avc1.mp4 -c copy {EXACT} -flvflags add_keyframe_index avc.flv",
        "AVC with an index of its key frames",
    ),
]

FOREIGN = [
    (
        "hevc.mkv",
        f"{FFMPEG} -i hvc1.mp4 -c copy {EXACT} -metadata:s:a language=deu -metadata title=Pattern hevc.mkv",
        "the samples of hvc1.mp4 in Matroska, which has milliseconds and no decoding times",
    ),
]

MALFORMED = [
    ("truncated-moov", "hvc1-10bit.mp4", "the file ends inside `moov`"),
    ("truncated-header", "hvc1.mp4", "the file ends inside a box header"),
    ("child-overruns-parent", "hvc1.mp4", "`stts` is larger than `stbl`"),
    ("size-below-header", "hvc1.mp4", "`stsz` announces 7 bytes"),
    ("large-size-below-header", "large-mdat.mp4", "the 64-bit size of `mdat` is 15"),
    ("large-size-huge", "large-mdat.mp4", "the 64-bit size of `mdat` is 2^64 - 1"),
    ("size-zero-inside", "hvc1.mp4", "`mdia` has size 0"),
    ("stts-count", "hvc1.mp4", "`entry_count` of `stts` is 2^32 - 1"),
    ("stsz-count", "hvc1.mp4", "`sample_count` of `stsz` is 2^32 - 1"),
    ("stsd-count", "hvc1.mp4", "`entry_count` of `stsd` is 2^32 - 1"),
    ("sgpd-count", "hvc1.mp4", "`entry_count` of `sgpd` is 2^32 - 1"),
    ("hvcC-arrays", "hvc1.mp4", "`numOfArrays` of `hvcC` is 255"),
    ("hvcC-nalus", "still-64x48.heic", "`numNalus` of the first array of `hvcC` is 65535"),
    ("trun-count", "fragmented.mp4", "`sample_count` of `trun` is 2^32 - 1"),
    ("iloc-count", "grid-item-offsets.heic", "`item_count` of `iloc` version 2 is 2^32 - 1"),
    ("iloc-sizes", "still-64x48.heic", "the sizes of `iloc` are 15 bytes, which is no size"),
    ("ipma-count", "still-64x48.heic", "`entry_count` of `ipma` is 2^32 - 1"),
    ("unknown-versions", "hvc1.mp4", "`tkhd`, `stsd` and `elst` of version 255"),
    ("leftover", "hvc1.mp4", "`vmhd` has three bytes more than its fields"),
    ("zeros", "hvc1.mp4", "everything after `ftyp` is zero"),
    ("deep", "", "10,000 boxes, each in the one before"),
    ("last-tile-cut", "photo.heic", "the file ends 40 bytes before the last tile does"),
    ("tile-missing", "photo.heic", "the fourth tile is in no `iloc`"),
    ("tile-flipped", "photo.heic", "a slice header in the second tile contradicts itself"),
    ("tile-empty", "photo.heic", "the third tile has no bytes"),
    ("cycle", "grid-item-offsets.heic", "an `iloc` item whose extents are its own"),
]
