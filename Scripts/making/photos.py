# SPDX-License-Identifier: MIT
"""What the photos among the fixtures are made of; `recipes.py` says what a row is."""

FFMPEG = "ffmpeg -nostdin -loglevel error -cpuflags 0 -fflags +bitexact"
EXACT = "-map_metadata -1 -fflags +bitexact -flags:v +bitexact"
X265 = "log-level=none:info=0:pools=none:frame-threads=1"
SCALE = "scale=sws_flags=accurate_rnd+full_chroma_int+bitexact"


def coded(name, source, form="yuv420p", matrix="smpte170m", range="pc", lay="", frames=1, x265="crf=25"):
    """Pictures that ffmpeg and x265 write into an MP4; `lay` are filters between planes and coder."""
    filters = [f"{SCALE}:out_color_matrix={matrix}:out_range={range}", f"format={form}"]
    filters += [lay] if lay else []
    return (
        name,
        f"{FFMPEG} -i {source} -vf \"{','.join(filters)}\" -frames:v {frames} {EXACT} -c:v libx265"
        f" -force_key_frames expr:1 -forced-idr 1 -x265-params {X265}:open-gop=0:{x265} -tag:v hvc1 {name}",
    )


def tiled(columns, rows, width, height, tile=64):
    """Filters that cut a picture of these sides into tiles; the last column and row repeat beyond it."""
    wide, high = columns * tile, rows * tile
    border = f"fillborders=right={wide - width}:bottom={high - height}:mode=smear"
    return f"pad={wide}:{high},{border},untile={columns}x{rows}"


# By the values of Exif: how the samples lie when the picture is upright, and what lays them upright again.
ORIENTATIONS = {
    1: ("", ""),
    2: ("hflip", "imir=1"),
    3: ("hflip,vflip", "irot=2"),
    4: ("vflip", "imir=0"),
    5: ("transpose=cclock_flip", "irot=3 imir=1"),
    6: ("transpose=cclock", "irot=3"),
    7: ("transpose=clock_flip", "imir=1 irot=3"),
    8: ("transpose=clock", "irot=1"),
}


def turned(number, width, height):
    return (height, width) if number > 4 else (width, height)


def lying(number):
    """The picture of 104x72 as tiles; of its 100x60 around the middle are left by the clean aperture."""
    sides = turned(number, 104, 72)
    lay = ",".join(part for part in (ORIENTATIONS[number][0], tiled(2, 2, *sides)) if part)
    return coded(f"lying-{number}.mp4", "small.ppm", lay=lay, frames=4, x265="lossless=1")


def upright(number, aperture):
    place = ORIENTATIONS[number][1]
    wide, high = turned(number, 104, 72)
    name = f"orientation-{number}.heic"
    purpose = f"samples that lie as Exif calls {number}, in tiles, without loss; `{place or 'nothing'}` lays them"
    if aperture:
        left, top, right, bottom = aperture
        # Which corner of the stored picture the upright left and top come to.
        sides = turned(number, 104 - left - right, 72 - top - bottom)
        corner = {
            1: (left, top), 2: (right, top), 3: (right, bottom), 4: (left, bottom),
            5: (top, left), 6: (top, right), 7: (bottom, right), 8: (bottom, left),
        }[number]  # fmt: skip
        place = f"clap={sides[0]}x{sides[1]}+{corner[0]}+{corner[1]} {place}"
        name = f"aperture-{number}.heic"
        purpose += "; `clap` before"
    place = f" --place {place.strip()}" if place else ""
    command = f"photo.py lying-{number}.mp4 {name} --grid 2x2 --size {wide}x{high} --nclx 1,13,6,1{place}"
    return name, command + f" --exif turned-{number}.exif", purpose + f"; Exif says {number}"


def placed_by_exif(name, orientation):
    return (
        name,
        f"exiftool -q -Make=Apus -Orientation#={orientation} -n a.jpg -o - | exiftool -b -Exif - > {name}",
    )


# Half as wide and high as the picture, brighter to the right and to the bottom.
MAP = "scale=52:36:flags=accurate_rnd+bitexact,geq=lum='40+140*X/W+60*Y/H'"
# Parameters as a tmap item holds them: a version, versions and flags, then fractions of
# base and alternate headroom, and for each channel minimum, maximum, gamma and the two offsets.
HEADROOMS = "00000000 00000001 002a8725 000f4240"
CHANNEL = "ffffe32b000f4240 002a8725000f4240 000dafcd000f4240 0000000a000f4240 0000000a000f4240"
GREEN = "0000000000000001 0000000200000001 0000000100000001 0000000100000040 0000000100000040"
BLUE = "ffffffff00000002 0000000500000002 0000000400000003 0000000100000040 0000000100000040"
TONE_MAP = f"00 0000 0000 40 {HEADROOMS} {CHANNEL}"
COLOUR_TONE_MAP = f"00 0000 0000 c0 {HEADROOMS} {CHANNEL} {GREEN} {BLUE}"

INGREDIENTS = [
    ("scene.ppm", "scene.py 320 240 scene.ppm"),
    ("small.ppm", "scene.py 104 72 small.ppm"),
    ("pq.ppm", "scene.py --pq 104 72 pq.ppm"),
    ("hlg.ppm", "scene.py --hlg 104 72 hlg.ppm"),
    ("p3.icc", "icc.py p3.icc"),
    (
        "photo.exif",
        "exiftool -q -Make=Apus -Model=Swift -Orientation#=1 -DateTimeOriginal='2024:06:21 21:31:00'"
        " -FNumber=1.8 -ExposureTime=1/125 -ISO=64 -ExifImageWidth=320 -ExifImageHeight=240"
        " -GPSLatitude=47.4 -GPSLatitudeRef=N -GPSLongitude=8.5 -GPSLongitudeRef=E a.jpg -o - |"
        " exiftool -b -Exif - > photo.exif",
    ),
    ("photo.xmp", "exiftool -q -XMP-dc:Title=Evening -XMP-dc:Creator=Apus -XMP-xmp:Rating=4 -o photo.xmp"),
    *(placed_by_exif(f"turned-{number}.exif", number) for number in ORIENTATIONS),
    *(lying(number) for number in ORIENTATIONS),
    coded("photo-tiles.mp4", "scene.ppm", lay=tiled(3, 2, 320, 240, 128), frames=6, x265="crf=17"),
    coded("odd-tiles.mp4", "small.ppm", lay=tiled(2, 2, 104, 72), frames=4),
    coded("cra-tiles.mp4", "small.ppm", lay=tiled(2, 2, 104, 72), frames=4, x265="crf=20:open-gop=1"),
    coded("small.mp4", "small.ppm"),
    coded("gradient.mp4", "small.ppm", "gray", lay="geq=lum=255*X/W"),
    coded(
        "premultiplied.mp4", "small.ppm",
        lay="geq=lum='lum(X,Y)*X/W':cb='128+(cb(X,Y)-128)*X/W':cr='128+(cr(X,Y)-128)*X/W'",
    ),
    coded("ten.mp4", "small.ppm", "yuv420p10le"),
    coded("twelve.mp4", "small.ppm", "yuv420p12le"),
    coded("twelve-422.mp4", "small.ppm", "yuv422p12le"),
    coded("grey.mp4", "small.ppm", "gray"),
    coded("map.mp4", "small.ppm", "gray", lay=MAP, x265="lossless=1"),
    coded("map-420.mp4", "small.ppm", lay=MAP + ":cb=128:cr=128", x265="lossless=1"),
    coded("map-colour.mp4", "small.ppm", "yuv444p", lay="scale=52:36:flags=accurate_rnd+bitexact"),
    ("apple.xmp", "gainmap.py apple-xmp apple.xmp 3.5"),
    ("adobe.xmp", "gainmap.py adobe-xmp adobe.xmp 2.300000"),
    ("apple.exif", "gainmap.py apple-exif apple.exif"),
    coded("422.mp4", "small.ppm", "yuv422p"),
    coded("444.mp4", "small.ppm", "yuv444p"),
    coded("444-ten.mp4", "small.ppm", "yuv444p10le"),
    coded("limited.mp4", "small.ppm", matrix="bt709", range="tv"),
    coded("pq.mp4", "pq.ppm", "yuv420p10le", matrix="bt2020", range="tv"),
    coded("hlg.mp4", "hlg.ppm", "yuv420p10le", matrix="bt2020", range="tv"),
    (
        "predicted.mp4",
        f"{FFMPEG} -i small.ppm -vf '{SCALE}:out_color_matrix=smpte170m:out_range=pc,format=yuv420p,"
        f"loop=2:1,scroll=h=0.02' -frames:v 3 {EXACT} -c:v libx265 -x265-params"
        f" {X265}:crf=30:keyint=3:bframes=0 -tag:v hvc1 predicted.mp4",
    ),
    (
        "frames.mp4",
        f"{FFMPEG} -i small.ppm -vf '{SCALE}:out_color_matrix=smpte170m:out_range=pc,format=yuv420p,"
        f"loop=5:1,scroll=h=0.02' -frames:v 6 {EXACT} -c:v libx265 -x265-params"
        f" {X265}:crf=35:keyint=3:bframes=0 -tag:v hvc1 frames.mp4",
    ),
    coded("depth-map.mp4", "small.ppm", "gray", lay="scale=52:36,geq=lum=4*X+Y", x265="lossless=1"),
    coded("matte.mp4", "small.ppm", "gray", lay="scale=52:36,geq=lum='255*lt(X,26)'", x265="lossless=1"),
    coded("tiny.mp4", "small.ppm", lay="scale=40:28"),
    coded("other-eye.mp4", "small.ppm", lay="hflip"),
    ("small.jpg", "cjpeg -quality 80 -outfile small.jpg small.ppm"),
    ("tiny.jpg", f"{FFMPEG} -i small.ppm -vf scale=40:28 {EXACT} -f image2pipe -c:v ppm - | cjpeg -outfile tiny.jpg"),
    (
        "boxed.jpg",
        f"{FFMPEG} -i small.ppm -vf scale=40:28,pad=40:30:0:1 {EXACT} -f image2pipe -c:v ppm - |"
        " cjpeg -outfile boxed.jpg",
    ),
    ("map.jpg", f"{FFMPEG} -i matte.mp4 {EXACT} -f image2pipe -c:v pgm - | cjpeg -grayscale -outfile map.jpg"),
    (
        "h264.mp4",
        f"{FFMPEG} -i small.ppm -vf '{SCALE}:out_color_matrix=smpte170m:out_range=pc,format=yuv420p'"
        f" -frames:v 1 {EXACT} -c:v libx264 -x264-params threads=1 -bsf:v filter_units=remove_types=6"
        " h264.mp4",
    ),
]

TILES = "photo.py odd-tiles.mp4"

STILLS = [
    (
        "photo.heic",
        "photo.py photo-tiles.mp4 photo.heic --grid 3x2 --size 320x240 --nclx 12,13,6,1 --exif photo.exif"
        " --xmp photo.xmp",
        "as phones write: a grid of hidden tiles, Display P3, Exif with a time and coordinates, XMP",
    ),
    (
        "grid-odd.heic",
        f"{TILES} grid-odd.heic --grid 2x2 --size 103x71 --nclx 1,13,6,1",
        "four tiles, a canvas of odd sides within them",
    ),
    (
        "grid-icc.heic",
        f"{TILES} grid-icc.heic --grid 2x2 --size 104x72 --icc p3.icc",
        "four tiles, an ICC profile of Display P3",
    ),
    (
        "grid-in-idat.heic",
        f"{TILES} grid-in-idat.heic --grid 2x2 --size 104x72 --nclx 1,13,6,1 --in idat",
        "tiles in `idat`: construction method 1",
    ),
    (
        "grid-in-item.heic",
        f"{TILES} grid-in-item.heic --grid 2x2 --size 104x72 --nclx 1,13,6,1 --in item --extents 2",
        "tiles as stretches of another item, two extents each: construction method 2",
    ),
    (
        "grid-extents.heic",
        f"{TILES} grid-extents.heic --grid 2x2 --size 104x72 --nclx 1,13,6,1 --extents 3",
        "three extents for each tile, those of other tiles in between",
    ),
    (
        "grid-cra.heic",
        "photo.py cra-tiles.mp4 grid-cra.heic --grid 2x2 --size 104x72 --nclx 1,13,6,1",
        "tiles that are CRA pictures: their slice headers name a picture that they do not need",
    ),
    *(upright(number, None) for number in ORIENTATIONS),
    *(upright(number, (3, 8, 1, 4)) for number in ORIENTATIONS),
    (
        "overlay.heic",
        f"{TILES} overlay.heic --overlay '-20,-8 70,30' --size 120x80 --nclx 1,13,6,1",
        "`iovl` over green: one picture begins left of and above the canvas, one ends beyond it",
    ),
    (
        "identity.heic",
        "photo.py small.mp4 identity.heic --identity --nclx 1,13,6,1 --place irot=1 clap=60x80+6+10",
        "`iden`, turned and then cropped",
    ),
    (
        "alpha-straight.heic",
        "photo.py small.mp4 alpha-straight.heic --alpha gradient.mp4 --nclx 1,13,6,1",
        "an alpha plane from 0 to 255",
    ),
    (
        "alpha-premultiplied.heic",
        "photo.py premultiplied.mp4 alpha-premultiplied.heic --alpha gradient.mp4 --premultiplied"
        " --nclx 1,13,6,1",
        "the same picture, already multiplied by its alpha (`prem`)",
    ),
    *(
        (f"still-{name}.heic", f"photo.py {source} still-{name}.heic --nclx {nclx}", purpose)
        for name, source, nclx, purpose in [
            ("420-10", "ten.mp4", "1,13,6,1", "10 bits, full range"),
            ("420-12", "twelve.mp4", "1,13,6,1", "12 bits, full range"),
            ("422-12", "twelve-422.mp4", "1,13,6,1", "4:2:2, 12 bits"),
            ("400", "grey.mp4", "1,13,6,1", "4:0:0"),
            ("422", "422.mp4", "1,13,6,1", "4:2:2"),
            ("444", "444.mp4", "1,13,6,1", "4:4:4"),
            ("444-10", "444-ten.mp4", "1,13,6,1", "4:4:4, 10 bits"),
            ("limited-709", "limited.mp4", "1,1,1,0", "limited range, BT.709"),
            ("p3", "small.mp4", "12,13,6,1", "Display P3 by `nclx` alone"),
            ("pq", "pq.mp4", "9,16,9,0", "10 bits, BT.2020 and PQ, limited range; the sun has 2,030 nits"),
            ("hlg", "hlg.mp4", "9,18,9,0", "10 bits, BT.2020 and HLG, limited range"),
        ]
    ),
    (
        "gain-map-tmap.heic",
        f"photo.py small.mp4 gain-map-tmap.heic --nclx 12,13,6,1 --place irot=3 --map map.mp4 --tone-map '{TONE_MAP}'"
        " --map-urn urn:com:apple:photo:2020:aux:hdrgainmap --map-xmp apple.xmp --exif apple.exif",
        "a gain map described by `tmap`, by Apple's XMP and by a maker note, which contradict each other",
    ),
    (
        "gain-map-colour.heic",
        "photo.py small.mp4 gain-map-colour.heic --nclx 1,13,6,1 --map map-colour.mp4"
        f" --tone-map '{COLOUR_TONE_MAP}'",
        "a gain map of three channels",
    ),
    (
        "gain-map-samsung.heic",
        "photo.py small.mp4 gain-map-samsung.heic --nclx 12,13,6,1 --place irot=3 --map map-420.mp4 --map-place"
        " --map-xmp adobe.xmp --map-urn urn:com:samsung:photo:2024:aux:hdrgainmap",
        "Samsung's gain map in 4:2:0, which is not said to be turned as the picture is",
    ),
    (
        "still-exif-turned.heic",
        "photo.py small.mp4 still-exif-turned.heic --nclx 1,13,6,1 --exif turned-6.exif",
        "Exif says 6, the container nothing",
    ),
    (
        "still-predicted.heic",
        "photo.py predicted.mp4 still-predicted.heic --predicted --nclx 1,13,6,1",
        "a picture predicted from two others (`pred`)",
    ),
    ("still.avci", "photo.py h264.mp4 still.avci --nclx 1,13,6,1", "an H.264 item"),
    (
        "sequence.heics",
        "insert.py frames.mp4 - --after moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC ccst=000000007c000000 |"
        " rewrite.py image-sequence /dev/stdin sequence.heics",
        "an image sequence: `msf1`, `pict` track, `ccst`; six frames, the second and third of three predicted",
    ),
]

HIDDEN = [
    (
        "portrait.heic",
        "hidden.py portrait portrait.heic small.mp4 depth-map.mp4 matte.mp4 tiny.mp4 photo.exif frames.mp4",
        "a disparity map with XMP, mattes, a gain map, a thumbnail and a video; turned, but for the hair matte, which"
        " says nothing",
    ),
    (
        "depth.heic",
        "hidden.py depth depth.heic small.mp4 depth-map.mp4",
        "a depth map with an SEI message: the inverse of distances between half a metre and 8 metres",
    ),
    ("pair.heic", "hidden.py pair pair.heic small.mp4 other-eye.mp4", "a stereo pair, the right one hidden"),
    ("burst.heic", "hidden.py burst burst.heic small.mp4 other-eye.mp4", "three pictures of a burst, the second primary"),
    (
        "motion.jpg",
        "hidden.py motion motion.jpg small.jpg map.jpg frames.mp4",
        "a gain map and a video behind the picture, listed by MPF and by Google's directory",
    ),
    ("samsung.jpg", "hidden.py samsung samsung.jpg small.jpg frames.mp4", "a video in Samsung's trailer"),
    ("thumbnail.jpg", "hidden.py small thumbnail.jpg small.jpg tiny.jpg", "a thumbnail in Exif, which says 6"),
    ("letterbox.jpg", "hidden.py small letterbox.jpg small.jpg boxed.jpg", "a thumbnail in Exif with black bars"),
]

# What they are, whatever their names say.
MISNAMED = [
    ("jpeg.heic", "cp a.jpg jpeg.heic", "a JPEG"),
    ("png.heic", "cp small.png png.heic", "a PNG"),
    ("movie.heic", "cp movie-keys.mov movie.heic", "a QuickTime movie"),
]
