# SPDX-License-Identifier: MIT

import ctypes
import json
import os
import threading
from ctypes import byref, c_int, c_void_p

from . import _engine, _options
from . import _library as c

# The numbers of apus_pixels.
NATIVE = 0
MODES = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4, "L;16": 5, "LA;16": 6, "RGB;16": 7, "RGBA;16": 8}
CHANNELS = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


class Photo:
    """An opened photo. It may be used by several threads at once."""

    def __init__(self, source, engine=None):
        """source is a path, bytes, or an object with read and seek. A file is read where that is needed."""
        self._engine = engine
        self._keep = None
        self._info = None
        if isinstance(source, (str, os.PathLike)):
            self._handle = c.made(c.library.apus_photo_open_file, os.fsencode(source))
        elif isinstance(source, (bytes, bytearray, memoryview)):
            data = bytes(source)
            self._handle = c.made(c.library.apus_photo_open_memory, data, len(data))
        elif hasattr(source, "read") and hasattr(source, "seek"):
            self._keep = _FileReader(source)
            self._handle = c.made(c.library.apus_photo_open_reader, byref(self._keep.reader))
        else:
            raise TypeError(f"a photo is a path, bytes or a file, not {type(source).__name__}")

    def close(self):
        """Lets go of the file."""
        handle, self._handle = self._handle, None
        if handle:
            c.library.apus_photo_free(handle)
        self._keep = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    @property
    def _open(self):
        if not self._handle:
            raise ValueError("the photo is closed")
        return self._handle

    # What the file says.

    def layout(self, mode=None, **options):
        """Width, height, mode and bits of the samples that to_numpy gives with these options; nothing is decoded."""
        layout = c.Layout()
        call = _options.call(options)
        c.done(c.library.apus_photo_layout, self._open, _pixels(mode), byref(call), byref(layout))
        return _shape(layout)

    @property
    def size(self):
        """Width and height as the picture is seen."""
        return self.layout()[:2]

    @property
    def mode(self):
        """L, LA, RGB or RGBA."""
        return self.layout()[2]

    @property
    def bits(self):
        """8 or 16, what the samples of the picture need."""
        return self.layout()[3]

    @property
    def exif(self):
        """Exif from the header of TIFF on, or None."""
        return c.taken(c.made(c.library.apus_photo_exif, self._open))

    @property
    def xmp(self):
        """XMP as the file has it, or None."""
        return c.taken(c.made(c.library.apus_photo_xmp, self._open))

    @property
    def icc(self):
        """The profile of the colours that are decoded, or None."""
        return c.taken(c.made(c.library.apus_photo_icc, self._open))

    @property
    def info(self):
        """What `apus info --json` says of the file."""
        if self._info is None:
            self._info = self.facts("info")
        return self._info

    def facts(self, verb, **options):
        """What a verb says of the file as JSON: info, inspect, hvcc show, hvcc check, flv show, flv check."""
        status, messages = c_int(), c_void_p()
        answer = c.taken(c.made(c.library.apus_photo_facts, self._open, verb.encode(), _options.text(options),
                                byref(status), byref(messages)))
        said = c.taken(messages) or b""
        if not answer.strip():
            from ._errors import Error
            raise Error("invalid", said.decode("utf-8", "surrogateescape") or f"{verb} says nothing")
        return json.loads(answer)

    # What it holds beside the picture.

    @property
    def parts(self):
        """Everything beside the picture, as `apus extract --list` says it: thumbnails, alpha, depth, gain map, mattes, the
        other eye of a pair, a motion video, metadata."""
        return [Part(self, facts) for facts in self.facts("extract")["parts"]]

    @property
    def thumbnails(self):
        """The small pictures that the file holds, each a Part."""
        return [part for part in self.parts if part.role == "thumbnail"]

    @property
    def auxiliary(self):
        """The pictures that accompany the picture: alpha, depth, mattes and others of which the file says no more."""
        return [part for part in self.parts if part.role in ("alpha", "depth", "matte", "other") and part.size]

    @property
    def gain_map(self):
        """The gain map, a Part whose numbers say how it is applied; None where there is none."""
        return next((part for part in self.parts if part.role == "gainmap"), None)

    @property
    def frames(self):
        """The pictures of an image sequence, a sequence of Frame; empty where the file has none."""
        tracks = [track for track in self.info.get("tracks", []) if track.get("handler") == "pict"]
        return [Frame(self, number) for number in range(tracks[0]["samples"] if tracks else 0)]

    def extract(self, *, progress=None, engine=None, **options):
        """What the options of `apus extract` name, as a dictionary from names such as depth.png to bytes:
        extract(role=["depth", "gainmap"]), extract(item=5), extract(frames=True)."""
        files, _ = self.make_files("extract", progress=progress, engine=engine, **options)
        return {f"{name}.{ending}" if name else ending: data for name, ending, data in files}

    # Its samples.

    def to_numpy(self, mode=None, *, size=None, region=None, progress=None, engine=None, **options):
        """The picture as an array of height × width × channels, upright.

        mode is L, LA, RGB or RGBA, with ;16 for 16 bits; None is what the picture has. size bounds the sides (one number
        or width and height), and region is (left, top, width, height) of the upright picture. Other options are
        those of `apus convert`.
        """
        import numpy
        arrays = []

        def allocate(layout):
            kind = numpy.uint8 if layout.bits == 8 else numpy.uint16
            arrays.append(numpy.empty((layout.height, layout.width, layout.channels), kind))
            return arrays[0].ctypes.data
        self._decode(mode, allocate, size, region, progress, engine, options)
        return arrays[0][:, :, 0] if arrays[0].shape[2] == 1 else arrays[0]

    def to_bytes(self, mode=None, *, size=None, region=None, progress=None, engine=None, **options):
        """The samples row by row, and their (width, height, mode, bits)."""
        rows = []

        def allocate(layout):
            rows.append(bytearray(layout.stride * layout.height))
            return ctypes.addressof(ctypes.c_char.from_buffer(rows[0]))
        layout = self._decode(mode, allocate, size, region, progress, engine, options)
        return rows[0], _shape(layout)

    def to_pillow(self, **options):
        """The picture as an Image of Pillow, with its Exif, XMP and profile."""
        from . import pillow
        return pillow.image(self, **options)

    def rows(self, begin, take, mode=None, *, size=None, region=None, thumbnail=None, progress=None, engine=None, **options):
        """Hands on rows as they are decoded, for those who have no use for the whole picture: begin gets (width, height,
        mode, bits), and take gets bytes. With thumbnail= the rows are those of a small picture, the one in the photo where that
        is large enough; options are those of `apus thumbnail` then."""
        failure = []

        def guarded(function):
            try:
                return int(function() is False)
            except BaseException as error:
                failure.append(error)
                return 1

        def begun(_, layout):
            return guarded(lambda: begin(_shape(layout.contents)))

        def taken(_, samples, count):
            return guarded(lambda: take(ctypes.string_at(samples, count)))
        rows = c.Rows(begin=c.Begin(begun), rows=c.TakeRows(taken))
        self._run(lambda call, layout, handle: c.done(
            c.library.apus_decode_rows, handle, self._open, _pixels(mode), call, byref(rows), layout, None),
            size, region, thumbnail, progress, engine, options, failure)

    def _decode(self, mode, allocate, size, region, progress, engine, options):
        failure = []

        def memory(_, layout):
            try:
                return allocate(layout.contents)
            except BaseException as error:
                failure.append(error)
                return None
        return self._run(lambda call, layout, handle: c.done(
            c.library.apus_decode, handle, self._open, _pixels(mode), call, c.Allocate(memory), None, layout, None),
            size, region, None, progress, engine, options, failure)

    def _run(self, job, size, region, thumbnail, progress, engine, options, failure):
        """Decodes, and raises what a callback raised where that ended it."""
        if size is not None:
            options["max_size"] = size if isinstance(size, (int, str)) else f"{size[0]}x{size[1]}"
        if region is not None:
            left, top, width, height = region
            options["crop"] = f"{width}x{height}+{left}+{top}"
        if thumbnail is not None:
            options["size"] = thumbnail if isinstance(thumbnail, (int, str)) else f"{thumbnail[0]}x{thumbnail[1]}"
        call = _options.call(options, progress, b"thumbnail" if thumbnail is not None else None)
        layout = c.Layout()
        try:
            job(byref(call), byref(layout), self._engine_of(engine))
        except Exception:
            if failure:
                raise failure[0] from None
            raise
        return layout

    # Files made of it.

    def convert(self, *, progress=None, engine=None, **options):
        """The picture as the bytes of a JPEG, or of what format= names. Options are those of `apus convert`."""
        return self._write(options, progress, engine)

    def thumbnail(self, size=320, *, progress=None, engine=None, **options):
        """A small picture as the bytes of a file, the one in the photo where that is large enough."""
        options["size"] = size if isinstance(size, (int, str)) else f"{size[0]}x{size[1]}"
        return self._write(options, progress, engine, b"thumbnail")

    def sizes(self, sides, *, progress=None, engine=None, **options):
        """The picture in several sizes of one decoding, as a dictionary from the longest side to bytes. Each is what
        convert(max_size=side) makes."""
        files, _ = self.make_files(sides=sides, progress=progress, engine=engine, **options)
        return {int(name): data for name, _, data in files}

    def make_files(self, verb="convert", *, sides=(), progress=None, engine=None, **options):
        """Every file of a job, as a list of (name, ending, bytes), and the report that `--json` prints of it. The verb is
        convert, with sides= for several sizes or images="all" for every picture, or extract."""
        call, files, report = _options.call(options, progress, verb.encode()), c_void_p(), c_void_p()
        array = (ctypes.c_uint32 * len(sides))(*sides)
        c.done(c.library.apus_make_files, self._engine_of(engine), self._open, byref(call), array, len(sides),
               byref(files), byref(report))
        return c.taken_files(files), json.loads(c.taken(report))

    def _write(self, options, progress, engine, verb=None):
        call, file = _options.call(options, progress, verb), c_void_p()
        c.done(c.library.apus_convert, self._engine_of(engine), self._open, byref(call), byref(file), None)
        return c.taken(file)

    def _engine_of(self, engine):
        return (engine or self._engine or _engine.usual())._handle


class Part:
    """Something in a photo beside its picture.

    role is what it is for (thumbnail, alpha, depth, gainmap, matte, picture, exif, xmp, icc, motion-video, other); name tells
    it from others of its role; item is its ID, type how it is coded, detail the URN of an auxiliary picture; size is width
    and height of one that is a picture, and bytes how many it has, as far as the file says; error is why it cannot be
    taken out.
    """

    def __init__(self, photo, facts):
        self._photo = photo
        self.role, self.name, self.type = facts["role"], facts["name"], facts["type"]
        self.item, self.detail, self.bytes = facts.get("item"), facts.get("detail", ""), facts.get("bytes")
        self.size = (facts["width"], facts["height"]) if "width" in facts else None
        self.error = facts.get("error")

    def convert(self, **options):
        """It as the bytes of a file: a picture as a JPEG unless format= says otherwise, numbers such as depth as a gray PNG,
        metadata as they are. Options are those of `apus extract`."""
        files, _ = self._photo.make_files("extract", role=self.role, **options)
        return next(data for name, ending, data in files if name == self.name and ending not in ("json", "hvcc"))

    @property
    def numbers(self):
        """What its samples stand for, where the file says so: of depth, as `apus extract` writes it beside the map; of a gain
        map, as `apus info` says it. None of others."""
        if self.role == "gainmap":
            info = self._photo.info
            return info.get("hdr") or info.get("picture", {}).get("hdr")
        if self.role != "depth":
            return None
        files, _ = self._photo.make_files("extract", role=self.role)
        return next((json.loads(data) for name, ending, data in files if (name, ending) == (self.name, "json")), None)

    def to_numpy(self, mode=None, **options):
        """Its samples, as Photo.to_numpy gives those of the picture."""
        return Photo(self.convert(format="png"), self._photo._engine).to_numpy(mode, **options)

    def to_pillow(self):
        """It as an Image of Pillow."""
        return Photo(self.convert(format="png"), self._photo._engine).to_pillow()

    def __repr__(self):
        size = f" {self.size[0]}x{self.size[1]}" if self.size else ""
        return f"<Part {self.role} {self.name}{size} {self.type}>"


class Frame:
    """A picture of an image sequence; number counts from 0."""

    def __init__(self, photo, number):
        self._photo, self.number = photo, number

    @property
    def size(self):
        """Width and height as the picture is seen."""
        return self._photo.layout(frame=self.number)[:2]

    def convert(self, **options):
        """It as the bytes of a file, as Photo.convert makes them."""
        return self._photo.convert(frame=self.number, **options)

    def to_numpy(self, mode=None, **options):
        """Its samples, as Photo.to_numpy gives them."""
        return self._photo.to_numpy(mode, frame=self.number, **options)

    def to_pillow(self):
        """It as an Image of Pillow."""
        from . import pillow
        return pillow.image(self._photo, frame=self.number)

    def __repr__(self):
        return f"<Frame {self.number}>"


def _shape(layout):
    return layout.width, layout.height, CHANNELS[layout.channels], layout.bits


def _pixels(mode):
    if mode is None:
        return NATIVE
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}, which is none of {', '.join(MODES)}")
    return MODES[mode]


class _FileReader:
    """A file object as the library reads it."""

    def __init__(self, file):
        self._file = file
        self._lock = threading.Lock()
        file.seek(0, os.SEEK_END)
        self.reader = c.Reader(count=file.tell(), read=c.Read(self._read), release=c.Release())

    def _read(self, _, offset, into, count):
        try:
            with self._lock:
                self._file.seek(offset)
                data = self._file.read(count)
            if len(data) != count:
                return 1
            ctypes.memmove(into, data, count)
            return 0
        except Exception:
            return 2
