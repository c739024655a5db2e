# SPDX-License-Identifier: MIT
"""The Python package gives the bytes and the samples of the command, stands in for pillow_heif, and fails with reasons.

A module of its own, which the processes that a case starts can import; test_python.py runs each case."""

import os
import pathlib
import subprocess
import sys

import array
import asyncio
import copy
import gc
import io
import json
import multiprocessing
import pickle
import re
import threading
import warnings

import numpy
from PIL import Image, ImageFile, UnidentifiedImageError

import apus
from programs import APUS, FIXTURES, ROOT, Failure, same


def raises(kind, job, *arguments, **options):
    try:
        job(*arguments, **options)
    except apus.Error as error:
        same(f"what goes wrong with {arguments} {options} ({error})", kind, error.kind)
        return error
    raise Failure(f"{job.__name__} {arguments} {options} succeeds")


def fails(kind, job, *arguments):
    """What Python itself would raise is raised."""
    try:
        job(*arguments)
    except kind as error:
        return error
    raise Failure(f"{job} succeeds")


def command(*words):
    return subprocess.run([APUS, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True)


def check_photos(work):
    """Bytes and samples of every fixture are the command's; what that refuses is refused here."""
    count = 0
    for path in sorted([*FIXTURES.glob("*.heic"), *FIXTURES.glob("*.jpg"), *FIXTURES.glob("*.png")]):
        done = command("convert", path, "-o", "-", "--format", "png")
        try:
            with apus.open(path) as photo:
                png = photo.convert(format="png")
                width, height, mode, bits = photo.layout()
                pixels = photo.to_numpy()
        except apus.Error as error:
            assert done.returncode != 0, f"{path.name}: {error}, and the command converts it"
            continue
        same(f"the status of {path.name}", 0, done.returncode)
        assert png == done.stdout, f"{path.name}: another PNG than the command's"
        same(f"the shape of {path.name}", (height, width), pixels.shape[:2])
        same(f"the samples of {path.name}", bits, pixels.itemsize * 8)
        if bits == 8:
            decoded = numpy.asarray(Image.open(io.BytesIO(png)))
            assert decoded.shape == pixels.shape and not (decoded != pixels).any(), \
                f"{path.name}: other samples than its PNG's ({mode})"
        count += 1
    assert count >= 60, f"only {count} photos were compared"


def check_sources(work):
    """A path, bytes and a file are the same photo; parts and sizes are those of the whole."""
    path = FIXTURES / "grid.heic"
    whole = apus.open(path).to_numpy("RGB")
    with open(path, "rb") as file:
        others = [apus.open(path.read_bytes()), apus.open(bytearray(path.read_bytes())), apus.open(file), apus.open(str(path))]
        for photo in others:
            assert not (photo.to_numpy("RGB") != whole).any(), "another picture from another kind of source"
    part = apus.open(path).to_numpy("RGB", region=(10, 12, 30, 20))
    assert not (part != whole[12:32, 10:40]).any(), "a region is another one"
    same("the size within bounds", (64, 64, 3), apus.open(path).to_numpy("RGB", size=64).shape)
    deep = apus.open(path).to_numpy("RGBA;16")
    assert not (deep[:, :, :3] != whole.astype(int) * 257).any() and not (deep[:, :, 3] != 65535).any(), \
        "16 bits are other samples"
    unbuffered = apus.open(open(path, "rb", buffering=0))
    assert not (unbuffered.to_numpy("RGB") != whole).any(), "another picture from a file without a buffer"
    data = path.read_bytes()
    check_readers(data, whole)
    gone = apus.open(path)
    gone.close()
    for use in (lambda: gone.size, gone.convert, lambda: gone.exif, gone.__enter__):
        fails(ValueError, use)
    # What was closed while a thread decodes is not freed under its hands.
    busy = apus.open(path)
    seen = busy.to_numpy("RGB", progress=lambda _: busy.close())
    assert not (seen != whole).any(), "a photo that is closed while it is decoded is another one"
    fails(ValueError, lambda: busy.size)


class Odd(io.BytesIO):
    """A file that reads in a way of its own."""

    def __init__(self, data, reads):
        super().__init__(data)
        self._reads = reads

    def read(self, count=-1):
        return self._reads(super().read, count)


def check_readers(data, whole):
    """What acts like a file may give less than was asked for, or other bytes than bytes; nothing is written beyond what was
    asked for."""
    for reads in (lambda read, count: read(min(count, 7)), lambda read, count: bytearray(read(count)),
                  lambda read, count: memoryview(read(count)), lambda read, count: array.array("H", read(count)[:count & ~1] or b"")
                  if count > 1 else read(count)):
        assert not (apus.open(Odd(data, reads)).to_numpy("RGB") != whole).any(), \
            "another picture from a file that reads in a way of its own"
    for reads, kind in ((lambda read, count: read(), ValueError), (lambda read, count: read(count) + b"x", ValueError),
                        (lambda read, count: None, BlockingIOError), (lambda read, count: "text", TypeError),
                        (lambda read, count: b"", EOFError)):
        same("why a file could not be read", kind, type(raises("io", apus.open, Odd(data, reads)).__cause__))


def check_copies(work):
    """A photo of a path can be copied and pickled, which opens it again; one of bytes and an engine refuse that."""
    path = FIXTURES / "photo.heic"
    photo = apus.open(path)
    for other in (copy.copy(photo), pickle.loads(pickle.dumps(photo))):
        same("the copy of a photo", photo.convert(), other.convert())
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        same("what a process makes of a photo", photo.convert(), pool.map_async(convert_photo, [photo]).get(60)[0])
    for kept in (apus.open(path.read_bytes()), apus.Engine(1)):
        fails(TypeError, pickle.dumps, kept)


def convert_photo(photo):
    return photo.convert()


def check_errors(work):
    photo = apus.open(FIXTURES / "photo.heic")
    same("numbers of NumPy", (photo.convert(quality=80), (60, 80, 3), [64]), (
        photo.convert(quality=numpy.int64(80)), photo.to_numpy(size=numpy.int64(80)).shape, list(photo.sizes(numpy.array([64])))))
    for wrong in ([-1], [0], [1 << 32]):
        fails(ValueError, photo.sizes, wrong)
    fails(ValueError, lambda: photo.convert(quality=float("nan")))
    raises("misuse", photo.convert, quality=101)
    assert "quality" in str(raises("misuse", photo.convert, qualty=5)), "no better name is suggested"
    for option in ("output", "journal", "remove_source", "jobs"):
        raises("misuse", photo.convert, **{option: "x"})
    fails(FileNotFoundError, apus.open, "/nowhere/photo.heic")
    fails(IsADirectoryError, apus.open, work)
    fails(TypeError, apus.open, None)
    fails(ValueError, apus.Engine, 0)
    with open(ROOT / "README.md") as text:
        fails(TypeError, apus.open, text)
    data = (FIXTURES / "photo.heic").read_bytes()
    error = raises("truncated", apus.open, data[:-100])
    assert error.place and error.offset and error.is_damage, f"{error} has no place"
    # What salvage works around is no reason to open nothing.
    grid = (FIXTURES / "grid.heic").read_bytes()[:-200]
    damaged = apus.open(grid)
    raises("truncated", damaged.to_numpy)
    same("the size of what is left", (100, 100), damaged.to_numpy(salvage=True).shape[:2])
    for nothing in (b"", b"neither", ROOT / "README.md"):
        raises("unsupported", apus.open, nothing)
    raises("unsupported", photo.to_numpy, "L")
    with open(FIXTURES / "photo.heic", "rb") as file:
        closed = apus.open(file)
    error = raises("io", closed.convert)
    same("why a file that was closed is not read", ValueError, type(error.__cause__))
    fails(ZeroDivisionError, lambda: photo.convert(progress=lambda _: 1 / 0))
    raises("cancelled", photo.to_numpy, progress=lambda fraction: False)
    steps = []
    photo.to_numpy(progress=steps.append)
    assert steps and all(0 <= step <= 1 for step in steps), f"progress of {steps}"
    same("an error in another process", error.place, pickle.loads(pickle.dumps(error)).place)


def check_callbacks(work):
    """One that uses the engine which waits for it is told so, and does not wait for ever."""
    photo = FIXTURES / "photo.heic"
    raises("misuse", apus.open(photo).to_numpy, progress=lambda _: apus.open(photo).convert())
    other = apus.Engine(1)
    apus.open(photo).to_numpy(progress=lambda _: bool(apus.open(photo).convert(engine=other)))


def check_files(work):
    target = work / "photo.jpg"
    apus.convert(FIXTURES / "photo.heic", target, quality=85)
    same("a file that was written", command("convert", FIXTURES / "photo.heic", "-q", "85", "-o", "-").stdout,
         target.read_bytes())
    try:
        apus.convert(FIXTURES / "photo.heic", target)
        raise Failure("a file is replaced unasked")
    except FileExistsError:
        pass
    apus.convert(FIXTURES / "alpha.heic", target, on_exists="replace")
    mask = os.umask(0)
    os.umask(mask)
    same("the mode of a file", 0o666 & ~mask, target.stat().st_mode & 0o777)
    same("what else is in the folder", ["photo.jpg"], sorted(path.name for path in work.iterdir()))
    facts = apus.info(FIXTURES / "hvc1.mp4")
    same("the kind of a movie", "isoBMFF", facts["kind"])
    same("what is wrong with its records", [], apus.hvcc_check(FIXTURES / "hvc1.mp4"))
    same("the first box", "ftyp", apus.inspect(FIXTURES / "hvc1.mp4")["boxes"][0]["type"])


def check_threads(work):
    """An engine is shared by threads, and a process that was forked has its own."""
    engine, results = apus.Engine(2), []

    def convert():
        results.append(apus.open(FIXTURES / "photo.heic", engine).convert())
    threads = [threading.Thread(target=convert) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same("how many threads agree", (16, 1), (len(results), len(set(results))))
    apus.open(FIXTURES / "photo.heic").convert()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        forked = pool.map_async(in_process, [str(FIXTURES / "photo.heic")] * 4).get(60)
    same("what forked processes make", {results[0]}, set(forked))
    # Forked again and again while threads work, with an engine and a photo that were made before.
    stops = threading.Event()

    def work_on():
        while not stops.is_set():
            apus.open(FIXTURES / "photo.heic", engine).convert()
    workers = [threading.Thread(target=work_on) for _ in range(2)]
    photo = apus.open(FIXTURES / "photo.heic", engine)
    for worker in workers:
        worker.start()
    try:
        for _ in range(20):
            process = multiprocessing.get_context("fork").Process(target=check_process, args=(photo, results[0]))
            process.start()
            process.join(30)
            if process.exitcode != 0:
                process.kill()
                raise Failure(f"a forked process ended with {process.exitcode}")
    finally:
        stops.set()
        for worker in workers:
            worker.join()


def check_process(photo, wanted):
    sys.exit(0 if photo.convert() == wanted else 3)


def in_process(path):
    return apus.open(path).convert()


def model(exif):
    """The camera; sizes in Exif are set anew."""
    read = Image.Exif()
    read.load(b"Exif\0\0" + exif)
    return read[0x0110]


def check_encoding(work):
    pixels = numpy.random.default_rng(7).integers(0, 256, (72, 104, 4), dtype=numpy.uint8)
    exif = apus.open(FIXTURES / "photo.heic").exif
    for channels in (1, 2, 3, 4):
        given = pixels[:, :, :channels]
        back = apus.open(apus.encode(given, format="png", exif=exif))
        assert not (back.to_numpy().reshape(given.shape) != given).any(), f"{channels} channels come back otherwise"
        same(f"the camera beside {channels} channels", model(exif), model(back.exif))
    coded = apus.open(apus.encode(pixels[:, :, :3], quality=90, exif=exif))
    same("a HEIC that was encoded", ((104, 72), model(exif)), (coded.size, model(coded.exif)))
    flat = numpy.full((40, 60, 3), (200, 100, 50), numpy.uint8)
    difference = numpy.abs(apus.open(apus.encode(flat, quality=95)).to_numpy().astype(int) - flat)
    assert difference.max() <= 4, f"a plain colour is off by {difference.max()}"
    for wrong in (pixels.astype(float), numpy.zeros((4, 4, 5), numpy.uint8)):
        try:
            apus.encode(wrong)
            raise Failure(f"{wrong.dtype} {wrong.shape} is encoded")
        except (TypeError, ValueError):
            pass


def check_blocks():
    """Samples that are put into the memory of Pillow are those that Pillow gets by rows, where it shows no memory, and may be
    changed as any other's."""
    block = apus.pillow._Block
    shown = block.allocate

    def hidden(self, layout):
        raise apus.pillow._Hidden

    for name, side in (("photo.heic", None), ("alpha.heic", None), ("alpha.heic", 31), ("grid.heic", 77)):
        with apus.open(FIXTURES / name) as photo:
            direct = photo.to_pillow(size=side)
            block.allocate = hidden
            try:
                rows = photo.to_pillow(size=side)
            finally:
                block.allocate = shown
        same(f"{name} by rows", (rows.mode, rows.size), (direct.mode, direct.size))
        same(f"samples of {name}", rows.tobytes(), direct.tobytes())
        # The fourth byte of a pixel is nobody's, but Pillow's own copies have it, too.
        same(f"all memory of {name}", numpy.asarray(rows.convert("RGBA")).tobytes(), numpy.asarray(direct.convert("RGBA")).tobytes())
        changed = direct.copy()
        changed.putpixel((1, 2), (1, 2, 3) if direct.mode == "RGB" else (1, 2, 3, 4))
        direct.paste(changed)
        same(f"{name} after a change", changed.tobytes(), direct.tobytes())


def check_pillow(work):
    apus.register_heif_opener()
    path = FIXTURES / "photo.heic"
    image = Image.open(path)
    same("what Pillow opens", ("HEIF", (320, 240), "RGB"), (image.format, image.size, image.mode))
    assert not (numpy.asarray(image) != apus.open(path).to_numpy("RGB")).any(), "Pillow sees other samples"
    check_blocks()
    turned = Image.open(FIXTURES / "orientation-6.heic")
    same("what Exif says of pixels that are upright", 1, turned.getexif().get(0x0112, 1))
    # All of Exif but the orientation stays what it is, and Exif that is broken is no reason to open nothing.
    exif = turned.info["exif"]
    kept = apus.open(FIXTURES / "orientation-6.heic").exif
    changed = [(kept[place], exif[6 + place]) for place in range(len(kept)) if kept[place] != exif[6 + place]]
    same("what is changed of Exif", (len(kept), [(6, 1)]), (len(exif) - 6, changed))
    coded = (FIXTURES / "orientation-6.heic").read_bytes()
    start = coded.index(kept)
    for place in range(len(kept)):
        with warnings.catch_warnings(action="ignore"):
            Image.open(io.BytesIO(coded[:start + place] + b"\xff" + coded[start + place + 1:])).load()
    image.save(work / "saved.heic", quality=60)
    saved = Image.open(work / "saved.heic")
    same("what is saved with a picture", image.info["icc_profile"], saved.info.get("icc_profile"))
    same("the model in what is saved", image.getexif().get(0x0110), saved.getexif().get(0x0110))
    clear = io.BytesIO()
    Image.open(FIXTURES / "alpha.heic").save(clear, "HEIF", quality=80)
    same("alpha that was saved", "RGBA", Image.open(clear).mode)
    small = Image.open(path)
    small.thumbnail((80, 80))
    same("a thumbnail", (80, 60), small.size)
    with open(path, "rb") as file:
        same("a file object", (320, 240), Image.open(file).size)
    same("verify", None, Image.open(path).verify())
    sent = pickle.loads(pickle.dumps(Image.open(path)))
    sent.thumbnail((80, 80))
    same("the thumbnail of a picture of Pillow from elsewhere", (80, 60), sent.size)
    draft = Image.open(path)
    same("what a draft says", ("RGB", (0, 0, 107, 80)), draft.draft("RGB", (100, 70)))
    same("the size of a draft", ((107, 80), (107, 80)), (draft.size, numpy.asarray(draft).shape[1::-1]))
    assert not (numpy.asarray(draft) != apus.open(path).to_numpy("RGB", size=107)).any(), \
        "a draft has other samples than a picture of its size"
    same("no draft of half the size", None, Image.open(path).draft("RGB", (300, 200)))
    same("the size within a size", (64, 48), apus.open(path).to_pillow(size=64).size)
    gone = Image.open(path)
    gone.close()
    fails(ValueError, gone.load)
    # Django finds the size of an upload by this.
    with ImageFile.Parser() as parser:
        for start in range(0, path.stat().st_size, 1024):
            parser.feed(path.read_bytes()[start:start + 1024])
    assert not (numpy.asarray(parser.image) != apus.open(path).to_numpy("RGB")).any(), "a parser gets other samples"
    cut = path.read_bytes()[:-100]
    error = raises("truncated", Image.open, io.BytesIO(cut))
    assert isinstance(error, UnidentifiedImageError) and error.place, f"{error!r} is not what Pillow raises"
    fails(UnidentifiedImageError, Image.open, io.BytesIO(b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif" + bytes(100)))
    for mode in ("L", "LA", "RGB", "RGBA"):
        made = Image.open(path).convert(mode)
        saved = io.BytesIO()
        made.save(saved, "HEIF", lossless=True)
        same(f"what is saved of {mode}", made.tobytes(), Image.open(saved).convert(mode).tobytes())


    def saved_with(**options):
        saved = io.BytesIO()
        Image.open(path).save(saved, "HEIF", **options)
        return Image.open(saved)

    # Parameters of Pillow for other formats, as programs give them.
    same("dots per inch", 300, saved_with(exif=b"", dpi=(300, 300)).getexif()[0x011A])
    said = Image.open(path).info["exif"]
    same("dots per inch beside Exif", said, saved_with(exif=said, dpi=(300, 300)).info["exif"])
    for options, chroma in (({"subsampling": "4:4:4"}, "4:4:4"), ({"subsampling": 0}, "4:4:4"), ({"subsampling": 2}, "4:2:0")):
        saved = io.BytesIO()
        Image.open(path).save(saved, "HEIF", **options)
        same(f"colours with {options}", chroma, apus.open(saved.getvalue()).info["picture"]["primary"]["chroma"])
    saved_with(quality=0, optimize=True, progressive=True).load()
    fails(ValueError, lambda: saved_with(subsampling="4:1:7"))
    fails(NotImplementedError, lambda: saved_with(enc_params={"x265:ctu": "32"}))

    # What a program has set, and what some writers let follow, costs neither the picture nor the rest.
    plain = Image.open(FIXTURES / "still-96x72.heic")
    plain.getexif()[0x010F] = "Me"
    saved = io.BytesIO()
    plain.save(saved, "HEIF")
    same("Exif that was set", "Me", Image.open(saved).getexif().get(0x010F))
    saved = io.BytesIO()
    plain.save(saved, "HEIF", exif=b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0", xmp=b"<x:xmpmeta/>\0\0")
    same("XMP that zeros follow", b"<x:xmpmeta/>", apus.open(saved.getvalue()).xmp)
    for name, broken in (("exif", b"nonsense"), ("xmp", b"<x/>\0<y/>")):
        odd = Image.open(FIXTURES / "still-96x72.heic")
        odd.info[name] = broken
        saved = io.BytesIO()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            odd.save(saved, "HEIF")
        same(f"what is said of broken {name}", 1, len(said))
        same(f"the picture beside broken {name}", None, getattr(apus.open(saved.getvalue()), name))
        raises("misuse", lambda: odd.save(io.BytesIO(), "HEIF", **{name: broken}))
    upside = Image.open(FIXTURES / "still-96x72.heic")
    saved = io.BytesIO()
    upside.save(saved, "HEIF", xmp=b'<rdf tiff:Orientation="3"/>')
    again = Image.open(saved)
    same("the orientation in XMP of pixels that are upright", 1, again.getexif().get(0x0112, 1))
    deep = io.BytesIO()
    Image.fromarray(numpy.full((48, 64), 30_000, numpy.uint16)).save(deep, "HEIF", lossless=True)
    opened = Image.open(deep)
    same("gray of more than 8 bits", "I;16", opened.mode)
    assert numpy.abs(numpy.asarray(opened).astype(int) - 30_000).max() <= 64, "gray of more than 8 bits loses them"

    # All that a mode shows is kept, or refused.
    ramp = numpy.arange(64 * 48, dtype=numpy.int32).reshape(48, 64) * 21
    for made in (Image.fromarray(ramp), Image.fromarray(ramp.astype(numpy.uint16)), Image.fromarray(ramp.astype(">u2"))):
        saved = io.BytesIO()
        made.save(saved, "HEIF", lossless=True)
        difference = numpy.abs(apus.open(saved.getvalue()).to_numpy("L;16").astype(int) - ramp)
        assert difference.max() <= 64, f"{made.mode} was saved with samples that are off by {difference.max()}"
    for mode, wanted in (("1", "L"), ("P", "RGB"), ("La", "LA"), ("CMYK", "RGB")):
        saved = io.BytesIO()
        Image.new(mode, (64, 48)).save(saved, "HEIF", lossless=True)
        same(f"the mode of what is saved of {mode}", wanted, Image.open(saved).mode)
    fails(OSError, lambda: Image.new("F", (64, 48)).save(io.BytesIO(), "HEIF"))


def made_with(file, **options):
    """The bytes of a file of the stand-in."""
    saved = io.BytesIO()
    file.save(saved, **options)
    return saved.getvalue()


def check_garbage(work):
    """Jobs leave nothing to the cycle collector, which a server may have switched off."""
    path = FIXTURES / "photo.heic"
    apus.register_heif_opener()

    def use():
        photo = apus.open(path)
        coded = apus.encode(photo.to_numpy())
        photo.to_bytes(), photo.convert(), photo.sizes([64, 32]), photo.thumbnail(32), photo.to_pillow()
        photo.rows(lambda shape: True, lambda rows: True)
        apus.join([coded, path])
        image = Image.open(path)
        image.save(io.BytesIO(), "HEIF")
        Image.open(path).thumbnail((40, 40))

    use()
    gc.collect()
    gc.disable()
    try:
        use()
        same("objects that are left to the cycle collector", 0, gc.collect())
    finally:
        gc.enable()


def check_tensors(work):
    """Other libraries use the memory of an array by DLPack, without a copy, for as long as they need it."""
    photo = apus.open(FIXTURES / "photo.heic")
    for mode, options in (("RGB", {}), ("RGBA;16", {}), ("RGB", {"size": 64}), ("RGB", {"region": (10, 20, 33, 17)})):
        pixels = photo.to_numpy(mode, **options)
        tensor = numpy.from_dlpack(pixels)
        same(f"the memory of a tensor of {mode} {options}", (pixels.ctypes.data, pixels.shape, pixels.dtype, (1, 0)),
             (tensor.ctypes.data, tensor.shape, tensor.dtype, pixels.__dlpack_device__()))
        del pixels
        assert not (tensor != photo.to_numpy(mode, **options)).any(), f"a tensor of {mode} {options} has other samples"
    depth = apus.open(FIXTURES / "depth.heic").auxiliary[0].to_numpy()
    same("the memory of a depth map", depth.ctypes.data, numpy.from_dlpack(depth).ctypes.data)


def check_stand_in(work):
    from apus import pillow_heif
    path = FIXTURES / "photo.heic"
    same("what is supported", (True, False, "image/heic"),
         (pillow_heif.is_supported(path), pillow_heif.is_supported(ROOT / "README.md"), pillow_heif.get_file_mimetype(path)))
    wanted = apus.open(path).to_numpy("RGB")
    opened = pillow_heif.open_heif(path)
    same("an opened file", (1, "RGB", (320, 240), 960), (len(opened), opened.mode, opened.size, opened.stride))
    assert not (numpy.asarray(opened) != wanted).any() and not (numpy.asarray(opened[0].to_pillow()) != wanted).any(), \
        "open_heif sees other samples"
    reversed_ = pillow_heif.read_heif(path, bgr_mode=True)
    assert not (numpy.asarray(reversed_) != wanted[:, :, ::-1]).any(), "bgr_mode is no reversal"
    made = pillow_heif.from_pillow(Image.fromarray(wanted))
    made.save(work / "made.heic", quality=70)
    for size, options in (((-32, -24), {}), ((0, 24), {}), ((32, 24), {"stride": 90})):
        fails(ValueError, lambda: made_with(pillow_heif.from_bytes("RGB", size, wanted.tobytes(), **options)))
    same("a saved file", (320, 240), pillow_heif.open_heif(work / "made.heic").size)
    for job in (lambda: pillow_heif.open_heif(b"no photo"), lambda: made.save(io.BytesIO(), quality=101)):
        fails(ValueError, job)
    fails(NotImplementedError, lambda: pillow_heif.open_heif(path, colours=8))
    pillow_heif.register_heif_opener(quality=30, thumbnails=False, save_hdr_to_12_bit=False)
    saved = io.BytesIO()
    made.save(saved)
    same("the quality of all", (30, len(saved.getvalue())), (pillow_heif.options.QUALITY, len(made_with(made, quality=30))))
    pillow_heif.options.QUALITY = None
    same("thumbnails that are not wanted", [], pillow_heif.open_heif(FIXTURES / "thumbnail.heic").info["thumbnails"])
    pillow_heif.options.THUMBNAILS = True
    swapped = ("import apus.pillow_heif.stand_in\nfrom pillow_heif import HeifImagePlugin, heif\n"
               "assert heif is apus.pillow_heif.heif")
    done = subprocess.run([sys.executable, "-c", swapped], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "Sources/Python")})
    same("a program that finds it as pillow_heif", (0, ""), (done.returncode, done.stderr))
    # Each picture has its own small ones.
    several = pillow_heif.open_heif(FIXTURES / "two-images.heic")
    small = pillow_heif.open_heif(FIXTURES / "thumbnail.heic")
    same("small pictures", [[], [], 1], [*(image.info["thumbnails"] for image in several), len(small.info["thumbnails"])])
    written = io.BytesIO()
    pillow_heif.encode("RGB", (320, 240), wanted.tobytes(), written, quality=70)
    same("encoded samples", (work / "made.heic").read_bytes(), written.getvalue())


def check_examples(work):
    """The examples of pillow_heif's documentation do the same with both."""
    found = {}
    for module in ("pillow_heif", "apus.pillow_heif"):
        done = subprocess.run(
            [sys.executable, ROOT / "Tests/Peers/heif_examples.py", module, FIXTURES, work], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "Sources/Python")})
        found[module] = json.loads(done.stdout)
    assert not (failing := [name for name, result in found["pillow_heif"].items() if "Error" in str(result)]), \
        f"pillow_heif itself fails in {failing}"
    for name, result in found["pillow_heif"].items():
        same(f"the example {name}", result, found["apus.pillow_heif"][name])


def warned(job, *arguments, **options):
    """The result of a job, and the texts of the package's warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = job(*arguments, **options)
    for one in said:
        same("the file that is warned of", pathlib.Path(__file__).name, pathlib.Path(one.filename).name)
    return result, [str(one.message) for one in said if issubclass(one.category, apus.ApusWarning)]


def check_reports(work):
    """What was lost although a job succeeded is warned of, and in the report."""
    grid = apus.open((FIXTURES / "grid.heic").read_bytes()[:-200])
    for job in (grid.convert, grid.to_numpy, grid.to_bytes):
        _, said = warned(job, salvage=True)
        same("what is warned of a photo that was cut", ("salvaged", True, "only part of the photo could be salvaged"),
             (grid.last_report["status"], len(said) > 1, said[0]))
    photo = apus.open(FIXTURES / "photo.heic")
    same("what is warned of a whole photo", [], warned(photo.convert)[1])
    same("its report", ("converted", 320), (photo.last_report["status"], photo.last_report["width"]))
    report = apus.convert(FIXTURES / "photo.heic", work / "photo.jpg")
    same("the report of a file", (work / "photo.jpg").stat().st_size, report["bytes_out"])
    deep = numpy.arange(64 * 48 * 3, dtype=numpy.uint16).reshape(48, 64, 3)
    _, said = warned(apus.encode, deep, lossless=True)
    same("what is warned of 16 bits", True, "10 bits" in said[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error", apus.ApusWarning)
        fails(apus.ApusWarning, lambda: apus.encode(deep, lossless=True))


def check_joined(work):
    """Several pictures become one file, and each can be taken out of it again."""
    rng = numpy.random.default_rng(5)
    arrays = [rng.integers(0, 256, shape, dtype=numpy.uint8) for shape in ((96, 192, 3), (64, 64, 3))]
    files = [apus.encode(arrays[0], tile_size=64, thumbnail_size=[64, 32], nclx="9/16/9/limited"),
             apus.encode(arrays[1], bit_depth=12, exif=apus.open(FIXTURES / "photo.heic").exif)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", apus.ApusWarning)
        photo = apus.open(apus.join(files, primary=1))
        same("the primary picture", (64, 64), photo.size)
        same("the camera of the primary picture", model(apus.open(files[1]).exif), model(photo.exif))
        other = next(part for part in photo.parts if part.role == "picture")
        assert not (photo.to_numpy("RGB", item=other.item) != apus.open(files[0]).to_numpy("RGB")).any(), \
            "a picture has other samples in a file of several"
    same("the thumbnails", [(64, 32), (32, 16)], [part.size for part in photo.parts if part.role == "thumbnail"])
    colour = apus.open(files[0]).info["picture"]["primary"]["colour"]
    same("the colour that is stated", (9, 16, 9, False), tuple(
        colour[name] for name in ("primaries", "transfer", "matrix", "full_range")))
    same("bits of a sample", 12, photo.info["picture"]["primary"]["bit_depth"])
    raises("misuse", apus.join, files, 2)
    raises("misuse", apus.encode, arrays[1], tile_size=65)
    raises("misuse", apus.encode, arrays[1], nclx="9/16/9")


def check_options(work):
    """Options are declared as the command has them, so that types are checked."""
    from apus import _types
    for verb, kinds, others in (
            ("convert", (_types.ConvertOptions,), set()), ("thumbnail", (_types.ThumbnailOptions,), {"size"}),
            ("extract", (_types.ExtractOptions,), set())):
        declared = {name.replace("_", "-") for kind in kinds for name in kind.__annotations__} | others
        for name in declared:
            error = raises("misuse", apus.open(FIXTURES / "photo.heic").make_files, verb, **{name: "x"})
            assert "has no parameter" not in str(error), f"apus {verb} has no --{name}"
        for line in command(verb, "--help").stdout.decode().split("\n"):
            found = re.match(r" {2,6}(?:-., )?--([a-z-]+)", line)
            if found and found[1] not in declared:
                error = raises("misuse", apus.open(FIXTURES / "photo.heic").make_files, verb, **{found[1]: "x"})
                assert "has no parameter" in str(error), f"--{found[1]} of apus {verb} is not declared"
    (work / "wrong.py").write_text("import apus\napus.convert('a.heic', qualitty=3)\n")
    done = checked(work, [work / "wrong.py"])
    assert "qualitty" in done.stdout, f"mypy does not find a wrong name: {done.stdout}"


def check_edit(work):
    """A photo is changed as the command changes it."""
    for name, properties, options, words in (
            ("exif-xmp.heic", {"title": "Düne", "keywords": ["sea", "sand"], "rating": 3}, {"strip": "gps"},
             ["--set", "title=Düne", "--set", "keywords=sea,sand", "--set", "rating=3", "--strip", "gps"]),
            ("gain-map-tmap.heic", None, {"remove": ["thumbnail", "gain-map"], "rotate": 90, "flip": "vertical"},
             ["--remove", "thumbnail", "--remove", "gain-map", "--rotate", "90", "--flip", "vertical"]),
            ("440.jpg", None, {"flip": "horizontal", "lossless": True}, ["--flip", "horizontal", "--lossless"]),
            ("420.jpg", {"date": "2024-01-31T12:00:00+01:00"}, {}, ["--set", "date=2024-01-31T12:00:00+01:00"])):
        command("edit", FIXTURES / name, *words, "-o", work / name)
        photo = apus.open(FIXTURES / name)
        same(name, (work / name).read_bytes(), photo.edit(properties, **options))
        assert photo.last_report["edits"], f"the report of {name} says nothing"
    photo = apus.open(FIXTURES / "photo.heic")
    raises("misuse", photo.edit, {"titel": "A"})
    raises("misuse", photo.edit, {"meta/pitm/item_ID": "2"})
    raises("unsupported", apus.open(FIXTURES / "letterbox.jpg").edit, remove="depth")


def check_parts(work):
    """What a photo holds beside its picture is what the command takes out."""
    for name, role in (("depth.heic", "depth"), ("gain-map-tmap.heic", "gainmap"), ("thumbnail.heic", "thumbnail"),
                       ("alpha.heic", "alpha"), ("two-images.heic", "picture"), ("photo.heic", "exif")):
        folder = work / name
        command("extract", FIXTURES / name, "--role", "all", "-o", f"{folder}/")
        wanted = {path.name.partition(".")[2]: path.read_bytes() for path in folder.iterdir()}
        photo = apus.open(FIXTURES / name)
        same(f"what {name} holds", wanted, photo.extract(role="all"))
        same(f"parts of {name}", True, role in [part.role for part in photo.parts])
    depth = apus.open(FIXTURES / "depth.heic").auxiliary[0]
    same("a depth map", ("depth", (36, 52), 2.0), (depth.role, depth.to_numpy().shape, depth.numbers["maximum"]))
    gain = apus.open(FIXTURES / "gain-map-tmap.heic").gain_map
    same("a gain map", (True, (52, 36)), (gain.numbers["alternate_hdr_headroom"] > 2, gain.to_numpy().shape))
    same("no gain map", None, apus.open(FIXTURES / "photo.heic").gain_map)
    same("a thumbnail", (64, 48), apus.open(FIXTURES / "thumbnail.heic").thumbnails[0].to_pillow().size)
    frames = apus.open(FIXTURES / "sequence.heics").frames
    same("a frame", (6, command("convert", FIXTURES / "sequence.heics", "--frame", 4, "-o", "-").stdout),
         (len(frames), frames[4].convert()))
    photo = apus.open(FIXTURES / "photo.heic")
    same("several sizes", {side: photo.convert(max_size=side) for side in (200, 64)}, photo.sizes([200, 64]))
    raises("nothing", photo.extract, role="depth")


def check_asyncio(work):
    from apus import aio
    path = FIXTURES / "photo.heic"

    async def jobs():
        many = await asyncio.gather(*(aio.convert(path, quality=85) for _ in range(8)))
        same("what tasks make", {apus.open(path).convert(quality=85)}, set(many))
        same("samples", (240, 320, 3), (await aio.to_numpy(path, "RGB")).shape)
        same("facts", ("isoBMFF", []), ((await aio.info(path))["kind"], await aio.hvcc_check(path)))
        same("sizes", apus.open(path).sizes([64]), await aio.sizes(path, [64]))
        begun, target = threading.Event(), work / "never.png"
        loop = asyncio.get_running_loop()

        def cancel():
            task.cancel()
            # The library hears of it a little later.
            loop.call_later(0.5, begun.set)

        def waits(fraction):
            loop.call_soon_threadsafe(cancel)
            begun.wait(60)
        task = asyncio.ensure_future(aio.convert(path, target, progress=waits))
        try:
            await task
            raise Failure("a task that was cancelled ends as if it was not")
        except asyncio.CancelledError:
            same("what a task leaves that was cancelled", [], list(work.iterdir()))
    asyncio.run(jobs())


# A program that does something long, and says when it is about to.
LONG = """
import sys, threading, time
import numpy, apus
noise = numpy.random.default_rng(1).integers(0, 256, (3000, 4000, 3), dtype=numpy.uint8)
photo = sys.argv[1]
print("begun", flush=True)
"""
CTRL_C = LONG + """
import signal
# A shell that starts the tests in the background has them ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(1, lambda: signal.raise_signal(signal.SIGINT)).start()
try:
    apus.encode(noise, quality=95)
except KeyboardInterrupt:
    print("interrupted")
"""
ALARM = LONG + """
import signal
def late(*_):
    raise TimeoutError
signal.signal(signal.SIGALRM, late)
signal.setitimer(signal.ITIMER_REAL, 1)
try:
    apus.encode(noise, quality=95)
except TimeoutError:
    print("interrupted")
"""
# Callbacks of Python in threads that the interpreter does not wait for.
LEFT = LONG + """
def work(use):
    while True:
        use()
steps = []
for use in (lambda: apus.open(photo).convert(progress=steps.append), lambda: apus.open(open(photo, "rb")).to_numpy(),
            lambda: apus.encode(noise, progress=steps.append)):
    threading.Thread(target=work, args=(use,), daemon=True).start()
while not steps:
    time.sleep(0.01)
"""
LAST = LONG + """
import atexit
atexit.register(lambda: print(len(apus.open(photo).convert(progress=lambda _: None)) > 1000))
"""


def check_ends(work):
    """Ctrl-C and other signals end what the library does, and what goes on when a program ends does not crash it."""
    for program, wanted in ((CTRL_C, "interrupted"), (ALARM, "interrupted"), (LEFT, ""), (LAST, "True")):
        for _ in range(5 if program is LEFT else 1):
            done = subprocess.run([sys.executable, "-c", program, FIXTURES / "photo.heic"], stdin=subprocess.DEVNULL, timeout=300,
                                  capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT / "Sources/Python")})
            same("how a program ends", (0, f"begun {wanted}".split(), ""), (done.returncode, done.stdout.split(), done.stderr))


def check_readme(work):
    """What the pages show runs, in folders where the files that they name are."""
    (work / "IMG_0001.HEIC").write_bytes((FIXTURES / "photo.heic").read_bytes())
    (work / "movie.mp4").write_bytes((FIXTURES / "hvc1.mp4").read_bytes())
    for page, folder in ((ROOT / "README.md", ROOT), (ROOT / "Sources/Python/README.md", work)):
        names = {}
        blocks = page.read_text().split("```python\n")[1:]
        assert blocks, f"{page.name} shows nothing of Python"
        os.chdir(folder)
        for block in blocks:
            exec(block.split("```")[0], names)
        os.chdir(ROOT)
        same(f"what {page} decodes", (240, 320, 3), names["pixels"].shape)


def checked(work, files):
    """What mypy says of files."""
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", work / "cache", *files], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(ROOT / "Sources/Python")})


def check_types(work):
    """The package declares its types, and programs like those that its pages show agree with them."""
    for page in (ROOT / "README.md", ROOT / "Sources/Python/README.md"):
        blocks = [block.split("```")[0] for block in page.read_text().split("```python\n")[1:]]
        (work / f"{page.parent.name.lower()}_sample.py").write_text("".join(blocks))
    sources = ROOT / "Sources/Python/apus"
    package = [*sources.glob("*.py"), *(sources / "pillow_heif").glob("*.py")]
    done = checked(work, [*package, *work.glob("*_sample.py")])
    assert not done.returncode, f"mypy: {done.stdout} {done.stderr}"
