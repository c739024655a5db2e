# SPDX-License-Identifier: MIT
"""What `apus convert` writes as HEIC is what libheif decodes and exiftool reads, and its samples are those of libjpeg."""

import ctypes
import hashlib
import json
import os
import pathlib
import signal
import struct
import subprocess
import zlib

import pytest

import media
from exiftool import exiftool
from programs import APUS, FFMPEG, FIXTURES, completed, printed, run


def convert(*words, speed="ultrafast"):
    completed(APUS, "convert", *words, "--on-exists", "replace", "--speed", speed)


def pixels(width, height):
    """Slow waves with some noise, the same in every run."""
    rows = bytearray()
    noise = 1
    for y in range(height):
        for x in range(width):
            noise = noise * 1103515245 + 12345 & 0x7FFFFFFF
            waves = (abs(phase % 256 - 128) + 60 for phase in (x, x + y, y))
            rows += bytes(wave + (noise >> 16) % 9 for wave in waves)
    return bytes(rows)


def pixmap(path, width, height):
    path.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + pixels(width, height))
    return path


def jpeg(folder, width, height, *words):
    source = pixmap(folder / f"{width}x{height}.ppm", width, height)
    path = folder / f"{width}x{height}.jpg"
    completed("cjpeg", "-quality", 92, *words, "-outfile", path, source)
    return path


def png(path, width, height, channels, rows):
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    lines = b"".join(b"\0" + rows[y * width * channels : (y + 1) * width * channels] for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines, 1)) + chunk(b"IEND", b"")
    )
    return path


def planes(path):
    """Width, height and the planes of a JPEG with 4:2:0 as libjpeg-turbo decodes them."""
    library = ctypes.CDLL("libturbojpeg.so.0")
    library.tjInitDecompress.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(library.tjInitDecompress())
    data = path.read_bytes()
    size = ctypes.c_ulong(len(data))
    numbers = [ctypes.c_int() for _ in range(4)]
    assert library.tjDecompressHeader3(handle, data, size, *map(ctypes.byref, numbers)) == 0
    width, height, sampling, _ = (number.value for number in numbers)
    assert sampling == 2
    shapes = [(width + 1 & ~1, height + 1 & ~1)] + [((width + 1) // 2, (height + 1) // 2)] * 2
    buffers = [ctypes.create_string_buffer(w * h) for w, h in shapes]
    pointers = (ctypes.c_void_p * 3)(*map(ctypes.addressof, buffers))
    strides = (ctypes.c_int * 3)(*[w for w, _ in shapes])
    assert library.tjDecompressToYUVPlanes(handle, data, size, pointers, width, strides, height, 4096) == 0
    kept = [(width, height)] + shapes[1:]
    return b"".join(
        b"".join(buffer.raw[y * stride : y * stride + w] for y in range(h))
        for buffer, (stride, _), (w, h) in zip(buffers, shapes, kept)
    )


def psnr(one, other):
    """The likeness of two pictures of one size that FFmpeg reads."""
    return media.psnr(one, other, "[0]format=gbrp[a];[1]format=gbrp[b];[a][b]psnr")


def pixels_of(photo):
    """A JPEG as libjpeg decodes it, with the colour samples that it has."""
    path = photo.with_suffix(".pixels.ppm")
    completed("djpeg", "-nosmooth", "-outfile", path, photo)
    return path


def decoded(heic):
    """By libheif, upright."""
    path = heic.with_suffix(".decoded.png")
    completed("heif-convert", heic, path)
    return path


def tag(path, name):
    return exiftool("-n", "-s3", f"-{name}", path).stdout.decode().strip()


def tags(path, *names):
    told = exiftool("-json", "-n", "-G1", *names, path).stdout
    return {key: str(value) for key, value in json.loads(told)[0].items() if key != "SourceFile"}


@pytest.mark.parametrize("width, height", [
    (1, 1), (1, 37), (37, 1), (16, 16), (33, 77), (511, 511), (512, 512), (513, 513), (1023, 530)])
def test_libheif_decodes_what_is_close_to_the_source_whatever_its_size(folder, width, height):
    """Libheif decodes what is close to the source, whatever its size."""
    photo = jpeg(folder, width, height, "-sample", "2x2")
    heic = folder / f"{width}x{height}.heic"
    convert(photo, "-o", heic, "-q", 80)
    found = psnr(pixels_of(photo), decoded(heic))
    assert found and found > 36, f"{width} × {height}: {found} dB of the JPEG"
    completed(APUS, "hvcc", "check", heic)


@pytest.mark.parametrize("quality", [40, 60, 80])
@pytest.mark.parametrize("kind, filters", [("detailed", "null"), ("smooth", "gblur=3"), ("dark", "lutyuv=y=val/5")])
def test_a_quality_gives_the_size_and_the_nearness_of_heif_enc(folder, kind, filters, quality):
    """At the same quality files are about as large as those of heif-enc, and as near to the source; grey, for colours of
    JPEGs do not go into heif-enc as they are. libx265's medium does not weigh levels against what they cost; our own does, and
    its qualities are fitted to photos, which have noise. Of these pictures it makes up to 11 % fewer bytes at quality 80, with
    up to 0.9 dB less."""
    photo = folder / f"{kind}.jpg"
    source = ["-f", "lavfi", "-i", "mandelbrot=s=512x512", "-frames:v", 1, "-vf", f"hue=s=0,{filters}"]
    completed(FFMPEG, "-y", *source, "-pix_fmt", "yuvj420p", "-q:v", 1, photo)
    other = folder / "libheif.heic"
    completed("heif-enc", "-q", quality, "-p", "preset=medium", "-p", "tune=ssim", "-p", "chroma=420", photo, "-o", other)
    expected, asked = other.stat().st_size, psnr(pixels_of(photo), decoded(other))
    for encoder, share, most in (("x265", 0.08, 0.5), ("own", 0.1, 0.95)):
        heic, name = folder / f"{encoder}.heic", f"{kind} {quality} by {encoder}"
        convert(photo, "-o", heic, "-q", quality, "--encoder", encoder, speed="medium")
        size, near = heic.stat().st_size, psnr(pixels_of(photo), decoded(heic))
        assert abs(size - expected) < share * expected + 700, f"{name}: {size} bytes, not {expected}"
        assert abs(near - asked) < most, f"{name}: {near} dB, not {asked}"


def lossless(folder):
    for width, height in [(33, 77), (513, 512), (1023, 530)]:
        photo = jpeg(folder, width, height, "-sample", "2x2")
        heic, raw = folder / "lossless.heic", folder / "lossless.yuv"
        convert(photo, "-o", heic, "--lossless")
        convert(heic, "-o", raw)
        assert raw.read_bytes() == planes(photo), f"{width} × {height}: planes are not those of libjpeg"


def test_a_png_comes_back_without_loss(folder):
    source = png(folder / "rgb.png", 300, 200, 3, pixels(300, 200))
    convert(source, "-o", folder / "rgb.heic", "--lossless")
    assert psnr(source, decoded(folder / "rgb.heic")) == float("inf"), "a PNG does not come back without loss"


def test_every_input_becomes_what_it_was(folder):
    """Every input and form of samples."""
    source = pixmap(folder / "kinds.ppm", 640, 360)
    convert(source, "-o", folder / "ppm.heic", "-q", 90, "--chroma", "444")
    assert psnr(source, decoded(folder / "ppm.heic")) > 38, "a pixmap is not what it was"
    y4m = folder / "kinds.y4m"
    completed(FFMPEG, "-i", source, "-pix_fmt", "yuv420p", y4m)
    convert(y4m, "-o", folder / "y4m.heic", "-q", 90)
    assert psnr(y4m, decoded(folder / "y4m.heic")) > 36, "YUV4MPEG2 is not what it was"
    convert(folder / "ppm.heic", "-o", folder / "again.heic", "-q", 90)
    assert psnr(source, decoded(folder / "again.heic")) > 34, "a HEIC made of a HEIC is not what it was"


FORMS = [("420", 8, "heic"), ("422", 8, "heix"), ("444", 10, "heix"), ("420", 10, "heix")]


@pytest.mark.parametrize("chroma, depth, brand", FORMS)
def test_every_form_of_samples_is_written(folder, chroma, depth, brand):
    source = pixmap(folder / "kinds.ppm", 640, 360)
    heic = folder / f"{chroma}-{depth}.heic"
    convert(source, "-o", heic, "--chroma", chroma, "--bit-depth", depth, "-q", 90, "--verify")
    found = tag(heic, "MajorBrand").strip(), tag(heic, "BitDepthLuma"), tag(heic, "ImagePixelDepth")
    assert found == (brand, str(depth), " ".join([str(depth)] * 3)), f"{heic.name}: {found}"
    assert psnr(source, decoded(heic)) > 30, f"{heic.name} is not what it was"


def test_a_grey_jpeg_becomes_a_grey_heic(folder):
    convert(FIXTURES / "gray.jpg", "-o", folder / "gray.heic")
    assert psnr(FIXTURES / "gray.jpg", decoded(folder / "gray.heic")) > 36, "a grey JPEG is not what it was"


def test_alpha_is_kept(folder):
    rows = pixels(160, 120)
    alpha = bytes(b for i in range(160 * 120) for b in (*rows[3 * i : 3 * i + 3], i % 160))
    source = png(folder / "alpha.png", 160, 120, 4, alpha)
    convert(source, "-o", folder / "alpha.heic", "-q", 95)
    told = printed("heif-info", folder / "alpha.heic")
    assert "alpha channel: yes" in told, f"alpha: {told}"
    plane = completed(FFMPEG, "-i", decoded(folder / "alpha.heic"), "-vf", "alphaextract", "-f", "rawvideo",
                      "-pix_fmt", "gray", "-").stdout
    assert max(abs(a - b) for a, b in zip(plane, alpha[3::4])) < 10, "alpha is not what it was"


# What jpegtran does to a picture of each orientation.
LAID = {
    1: [], 2: ["-flip", "horizontal"], 3: ["-rotate", 180], 4: ["-flip", "vertical"], 5: ["-transpose"],
    6: ["-rotate", 90], 7: ["-transverse"], 8: ["-rotate", 270],
}  # fmt: skip


@pytest.mark.parametrize("orientation, words", LAID.items())
def test_orientation_is_laid_as_jpegtran_lays_it(folder, orientation, words):
    """Exif orientation becomes irot and imir, and the picture comes out of libheif as jpegtran lays it."""
    photo = jpeg(folder, 160, 96, "-sample", "2x2")
    turned, heic, wanted = (folder / f"turned-{orientation}{end}" for end in (".jpg", ".heic", ".wanted.jpg"))
    exiftool("-q", "-n", f"-Orientation={orientation}", "-o", turned, photo)
    completed("jpegtran", *words, "-outfile", wanted, photo)
    convert(turned, "-o", heic, "-q", 90)
    found = psnr(pixels_of(wanted), decoded(heic))
    assert found and found > 36, f"orientation {orientation}: {found} dB of what jpegtran makes of it"
    assert tag(heic, "IFD0:Orientation") == str(orientation), f"orientation {orientation} is another in Exif"


def test_metadata_and_profiles_are_kept(folder):
    photo = jpeg(folder, 640, 480, "-sample", "2x2")
    profile = folder / "p3.icc"
    profile.write_bytes(exiftool("-b", "-ICC_Profile", FIXTURES / "grid-icc.heic").stdout)
    text = "grey weather " * 9000
    source, heic = folder / "metadata.jpg", folder / "metadata.heic"
    (folder / "text").write_text(text)
    exiftool(
        "-q", f"-ICC_Profile<={profile}", "-Make=Maker", "-DateTimeOriginal=2024:05:06 07:08:09",
        "-GPSLatitude=48.1", "-GPSLatitudeRef=N", "-XMP-dc:Title=Grey", f"-XMP-dc:Description<={folder / 'text'}",
        "-IPTC:Keywords=grey", "-o", source, photo,
    )  # fmt: skip
    convert(source, "-o", heic)
    names = ["-ExifIFD:all", "-IFD0:Make", "-GPS:all", "-XMP-dc:all"]
    wanted, found = tags(source, *names), tags(heic, *names)
    for key in wanted.keys() | found.keys():
        one, other = wanted.get(key, ""), found.get(key, "")
        assert one == other, f"{key} was {one[:80]} and is {other[:80]}"
    assert found.get("XMP-dc:Description") == text, "extended XMP is not joined"
    assert exiftool("-b", "-ICC_Profile", heic).stdout == profile.read_bytes(), "the profile is another"


def test_exif_in_several_segments_is_joined_and_can_be_stripped(folder):
    photo = jpeg(folder, 640, 480, "-sample", "2x2")
    source = folder / "metadata.jpg"
    exiftool("-q", "-Make=Maker", "-o", source, photo)
    tiff = bytearray(exiftool("-b", "-Exif", source).stdout.removeprefix(b"Exif\0\0"))
    tiff += bytes(range(256)) * 400
    segments = b"".join(
        b"\xff\xe1" + struct.pack(">H", len(part) + 8) + b"Exif\0\0" + part
        for part in (tiff[at : at + 65000] for at in range(0, len(tiff), 65000))
    )
    data = photo.read_bytes()
    large, output = folder / "large.jpg", folder / "large.heic"
    large.write_bytes(data[:2] + segments + data[2:])
    convert(large, "-o", output)
    kept = exiftool("-b", "-Exif", output).stdout
    assert kept.endswith(bytes(range(256)) * 400) and b"Maker" in kept, f"Exif of {len(tiff)} bytes became {len(kept)}"
    convert(large, "-o", output, "--strip", "all")
    assert not exiftool("-b", "-Exif", "-XMP", output).stdout, "--strip all leaves something"


def test_densities_of_JFIF_and_PNG_are_in_Exif(folder):
    """What JFIF and PNG say of dots per inch is in Exif, which alone can say it in a HEIC; what Exif said stays."""
    plain = jpeg(folder, 64, 48)
    shades = folder / "density.png"
    png(shades, 64, 48, 3, bytes(64 * 48 * 3))
    own = ["-IFD0:XResolution=200", "-IFD0:YResolution=100", "-IFD0:ResolutionUnit=2"]
    jfif = ["-JFIF:XResolution=300", "-JFIF:YResolution=150", "-JFIF:ResolutionUnit=1"]
    # Exif of the maker alone: exiftool would add a density to it.
    bare = folder / "bare.jpg"
    exiftool("-q", "-n", *jfif, "-o", bare, plain)
    data = bare.read_bytes()
    exif = b"Exif\0\0MM\0*" + struct.pack(">IHHHIII", 8, 1, 0x010F, 2, 6, 26, 0) + b"Maker\0"
    bare.write_bytes(data[:20] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[20:])
    for name, source, words, wanted in (
        ("inches", plain, jfif, ("300", "150", "2")),
        ("centimetres", plain, [*jfif[:2], "-JFIF:ResolutionUnit=2"], ("300", "150", "3")),
        ("ratio", plain, [*jfif[:2], "-JFIF:ResolutionUnit=0"], ("", "", "")),
        ("default", plain, ["-JFIF:XResolution=72", "-JFIF:YResolution=72", "-JFIF:ResolutionUnit=1"], ("", "", "")),
        ("own", plain, [*jfif, *own], ("200", "100", "2")),
        ("metres", shades, ["-PNG-pHYs:PixelsPerUnitX=11811", "-PNG-pHYs:PixelsPerUnitY=5906", "-PNG-pHYs:PixelUnits=1"],
         ("118.11", "59.06", "3")),
        ("beside", bare, [], ("300", "150", "2")),
    ):
        photo, heic = folder / f"{name}{source.suffix}", folder / f"{name}.heic"
        exiftool("-q", "-n", *words, "-o", photo, source) if words else photo.write_bytes(source.read_bytes())
        convert(photo, "-o", heic)
        found = tuple(tag(heic, f"IFD0:{key}") for key in ("XResolution", "YResolution", "ResolutionUnit"))
        assert found == wanted, f"{name}: the density is {found}, not {wanted}"
    assert tag(folder / "beside.heic", "IFD0:Make") == "Maker", "the maker is gone"
    warnings = exiftool("-validate", "-warning", "-a", folder / "beside.heic").stdout.decode()
    assert "IFD0" not in warnings and "Exif" not in warnings, f"exiftool says of Exif: {warnings}"


def test_a_small_picture_in_jfif_keeps_the_source(folder):
    plain = jpeg(folder, 64, 48)
    data = plain.read_bytes()
    small = folder / "small.jpg"
    start = data.index(b"JFIF\0") - 2
    head = struct.pack(">H", 16 + 12) + data[start + 2:start + 14] + b"\2\2" + bytes(12)
    small.write_bytes(data[:start] + head + data[start + 16:])
    told = printed(APUS, "convert", small, "-o", folder / "small.heic", "--remove-source", "--dry-run")
    assert "keep: holds" in told, f"a JPEG with a small picture in JFIF: {told}"


def test_the_number_of_workers_does_not_change_the_bytes(folder):
    photo = jpeg(folder, 1023, 530, "-sample", "2x2")
    digests = set()
    for jobs in (1, 2, 5):
        convert(photo, "-o", folder / "jobs.heic", "-j", jobs, "--thumbnail-size", 200)
        digests.add(hashlib.sha256((folder / "jobs.heic").read_bytes()).hexdigest())
    assert len(digests) == 1, "the number of workers changes the bytes"
    told = printed("heif-info", folder / "jobs.heic")
    # The thumbnail.
    assert "thumbnail: 200x104" in told or "thumbnail: 200x102" in told, f"thumbnail: {told}"


def test_a_group_holds_every_picture(folder):
    photo = jpeg(folder, 1023, 530, "-sample", "2x2")
    group = folder / "group.heic"
    convert(photo, jpeg(folder, 160, 96), FIXTURES / "gray.jpg", "-o", group, "--group", "burst")
    told = printed("heif-info", group)
    assert told.count("\nimage: ") == 3, f"group: {told}"
    group.unlink()
    broken = folder / "broken.jpg"
    broken.write_bytes(photo.read_bytes()[:2000])
    completed(APUS, "convert", photo, broken, "-o", group, "--group", "burst", status=1)
    assert not group.exists(), "a group with a broken picture is written"


def test_a_sequence_holds_every_frame(folder):
    frames = folder / "frames"
    frames.mkdir()
    completed(FFMPEG, "-f", "lavfi", "-i", "testsrc=320x240:1", "-frames:v", 3, frames / "%d.png")
    sequence = folder / "sequence.heics"
    convert("-r", frames, "-o", sequence, "--group", "sequence", "--fps", 5, "-q", 90)
    words = ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,r_frame_rate", "-of", "csv=p=0"]
    # From 7.0 on FFmpeg shows the picture that is an item as a stream, too; so the same FFmpeg finds the stream and decodes it.
    told = printed("ffprobe", *words, sequence).split()
    assert "5/1,3" in told and set(told) <= {"5/1,3", "1/1,1"}, f"sequence: {told}"
    completed("ffmpeg", "-v", "error", "-i", sequence, "-map", f"0:{told.index('5/1,3')}", folder / "frame-%d.png")
    for number in (1, 2, 3):
        found = psnr(frames / f"{number}.png", folder / f"frame-{number}.png")
        assert found and found > 25, f"frame {number} of the sequence: {found} dB"
    assert psnr(frames / "1.png", decoded(sequence)) > 25, "the picture of a sequence is not its first"


def test_a_group_that_is_stopped_says_so_and_leaves_no_file(folder):
    """A group that is stopped says so and leaves no file, though a pipe that it reads stays open and silent."""
    photo = jpeg(folder, 160, 96)
    group, pipe = folder / "group.heic", folder / "second.jpg"
    os.mkfifo(pipe)
    command = [APUS, "convert", photo, pipe, "-o", group, "--group", "burst"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # Opening the pipe waits until the second picture is being read.
    with open(pipe, "wb"):
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=240)[1].decode()
    assert "stopping" in told and "interrupted" in told, f"a group that is stopped: {told}"
    assert process.returncode == 130, f"a group that is stopped: status {process.returncode}"
    assert not list(folder.glob("group*")), "a group that is stopped leaves a file"


def test_what_would_be_decoded_is_planned_for_every_kind_of_input(folder):
    """What would be decoded is said of every kind of input."""
    photo = jpeg(folder, 160, 96)
    pixmap = photo.with_suffix(".ppm")
    portable = png(folder / "alpha.png", 40, 30, 4, pixels(40, 40)[: 40 * 30 * 4])
    video = folder / "frame.y4m"
    completed(FFMPEG, "-i", pixmap, "-pix_fmt", "yuv420p", video)
    expected = {
        photo: ("jpeg", 160, 96, "420", 0), pixmap: ("samples", 160, 96, "444", 0),
        portable: ("png", 40, 30, "444", 1), video: ("samples", 160, 96, "420", 0),
    }  # fmt: skip
    for path, (codec, width, height, chroma, alphas) in expected.items():
        words = ["convert", path, "-o", folder / "out.heic", "--dry-run", "-v"]
        (done,) = map(json.loads, completed(APUS, *words, "--json").stdout.splitlines())
        (plan,) = done["pictures"]
        (source,) = plan["sources"]
        found = source["codec"], plan["width"], plan["height"], source["chroma"], len(plan["alpha"])
        assert found[1:] == (width, height, chroma, alphas), f"plan of {path.name}: {found}"
        assert codec in found[0].lower(), f"plan of {path.name}: {found}"
        assert f"{width} × {height}" in printed(APUS, *words), f"plan of {path.name} as text"
        assert not (folder / "out.heic").exists(), f"the plan of {path.name} writes a file"
    for path, action in ((photo, "copy"), (portable, "convert")):
        words = ["convert", path, "-o", folder / "out.jpg", "--dry-run", "--json"]
        (plan,) = map(json.loads, completed(APUS, *words).stdout.splitlines())
        assert plan["action"] == action, f"plan of {path.name} as a JPEG: {plan}"
        assert "pictures" not in plan, f"plan of {path.name} without -v: {plan}"


@pytest.mark.parametrize("words", ([], ["--single"]))
def test_pictures_that_are_coded_side_by_side_are_those_that_are_coded_alone(folder, words):
    """Pictures with threads of their own are coded side by side, and come out as they do alone."""
    sides = [(80, 80), (40, 24), (700, 72), (96, 600), (300, 30), (1100, 530), (530, 700)]
    photos = [jpeg(folder, width, height, "-sample", "2x2") for width, height in sides]
    found = []
    for name, jobs in (("alone", 1), ("together", 4)):
        out = folder / f"{name}{len(words)}"
        for batch in [[photo] for photo in photos] if jobs == 1 else [photos]:
            convert(*batch, "-o", f"{out}/", "--format", "heic", "-j", jobs, *words)
        found.append([hashlib.sha256((out / f"{photo.stem}.heic").read_bytes()).hexdigest() for photo in photos])
    assert found[0] == found[1], f"{words}: pictures that are coded side by side differ"


def planes_of(y4m):
    """The samples after the headers of a Y4M of one picture."""
    data = y4m.read_bytes()
    return data[data.index(b"FRAME") :].split(b"\n", 1)[1]


SHAPES = [(1, 1), (37, 1), (33, 77), (511, 511), (513, 513), (1023, 530)]
OWN = [(shape, words) for shape in SHAPES for words in ([], ["--single"])]
OWN += [((511, 511), ["-q", "1"]), ((511, 511), ["-q", "100"]), ((513, 513), ["--thumbnail-size", "100"])]
OWN += [("alpha-straight.heic", []), ("gain-map-tmap.heic", []), ("depth.heic", [])]


@pytest.mark.parametrize("source, words", OWN)
def test_libheif_decodes_what_our_encoder_writes_to_the_samples_that_we_decode(folder, source, words):
    photo = FIXTURES / source if isinstance(source, str) else jpeg(folder, *source, "-sample", "2x2")
    heic, raw, y4m = folder / "own.heic", folder / "own.yuv", folder / "own.y4m"
    told = printed(APUS, "convert", photo, "-o", heic, "--encoder", "own", "--json", "--verify", *words)
    report = json.loads(told.splitlines()[0])
    assert [use["name"] for use in report["encoders"]] == ["own"]
    completed("heif-convert", heic, y4m)
    # Through RGB and back where it is not a photo's range of colours; OwnEncoderTests have those samples.
    if not isinstance(source, str):
        convert(heic, "-o", raw)
        assert raw.read_bytes() == planes_of(y4m), "libheif sees other samples"
    for check in (["hvcc", "check"], ["inspect"]):
        told = printed(APUS, *check, heic)
        assert "warning" not in told and "error" not in told, f"{check}: {told}"


def test_our_encoder_codes_grey_and_ten_bits(folder):
    grey = folder / "grey.heic"
    completed(APUS, "convert", FIXTURES / "gray.jpg", "-o", grey, "--encoder", "own")
    assert psnr(FIXTURES / "gray.jpg", decoded(grey)) > 36, "a grey JPEG is not what it was"
    photo, ten = jpeg(folder, 513, 513, "-sample", "2x2"), folder / "ten.heic"
    completed(APUS, "convert", photo, "-o", ten, "--encoder", "own", "--bit-depth", "10", "-q", "90")
    assert psnr(pixels_of(photo), decoded(ten)) > 36, "ten bits are not what they were"


@pytest.mark.parametrize("words", [["--lossless"], ["--chroma", "444"], ["--group", "sequence"]])
def test_our_encoder_refuses_what_it_cannot_do(folder, words):
    photo = jpeg(folder, 1, 1, "-sample", "2x2")
    assert "--encoder own" in run(APUS, "convert", photo, "-o", folder / "refused.heic", "--encoder", "own", *words, status=2)


def test_our_encoder_is_planned_and_opens_no_library(folder):
    photo, heic = jpeg(folder, 513, 513, "-sample", "2x2"), folder / "own.heic"
    plan = printed(APUS, "convert", photo, "-o", heic, "--encoder", "own", "--dry-run", "-v")
    assert "encoded by" in plan and "own, 4 pictures" in plan
    calls = folder / "calls"
    completed("strace", "-f", "-e", "trace=openat", "-o", calls, APUS, "convert", photo, "-o", heic, "--encoder", "own")
    for library in ("x265", "libav", "libheif", "libde265"):
        opened = [line for line in calls.read_text().splitlines() if library in line and ".so" in line and "= -1" not in line]
        assert not opened, f"opens {opened[:1]}"


def test_nothing_needs_libx265_but_what_our_encoder_does_not_support(folder):
    """Nothing needs libx265 but what our own encoder does not support; there, and where it was asked for, an error says that
    it is missing."""
    photo = jpeg(folder, 160, 96)
    fakes = folder / "fakes"
    fakes.mkdir()
    for library in pathlib.Path("/usr/lib").glob("*/libx265.so.*"):
        (fakes / library.name).write_bytes(b"nothing")
    heic = folder / "none.heic"
    others = dict(os.environ, LD_LIBRARY_PATH=str(fakes))
    for words in (["--encoder", "x265"], ["--lossless"], ["--chroma", "444"]):
        report = json.loads(printed(APUS, "convert", photo, "-o", heic, "--json", *words, env=others, status=1).splitlines()[0])
        assert not heic.exists(), f"without libx265, {words}: a file is written"
        assert report["error"]["kind"] == "missing", f"without libx265, {words}: {report}"
    report = json.loads(completed(APUS, "convert", photo, "-o", heic, "--json", env=others).stdout.splitlines()[0])
    (use,) = report["encoders"]
    assert use == {"name": "own", "pictures": 1}, f"without libx265: {use}"
    assert not report["warnings"], f"without libx265: {report['warnings']}"


@pytest.mark.parametrize("encoder", ("own", "x265"))
def test_rows_of_422_become_those_of_420_within_their_memory(folder, encoder):
    """Rows of 4:2:2 become those of 4:2:0 within their memory: two samples beyond it ended the process."""
    photo = FIXTURES / "still-422.heic"
    heic = folder / f"{encoder}.heic"
    completed(APUS, "convert", photo, "-o", heic, "--encoder", encoder, "--chroma", "420")
    assert heic.exists(), f"4:2:2 to 4:2:0 by {encoder}: no file"
