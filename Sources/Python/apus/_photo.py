# SPDX-License-Identifier: MIT

from __future__ import annotations

import ctypes
import io
import json
import os
import struct
import threading
from ctypes import byref, c_int, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NoReturn, Optional, Sequence, Tuple, Union

from . import _engine, _options
from . import _library as c
from ._engine import Engine
from ._errors import Error
from ._reports import Report
from ._types import ConvertOptions, EditOptions, ExtractOptions, Facts, Files, Progress, ReadableFile, Region, SampleOptions, Shape, \
    Size, Source, ThumbnailOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL import Image
    from typing_extensions import Unpack

# The numbers of apus_pixels.
NATIVE = 0
MODES = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4, "L;16": 5, "LA;16": 6, "RGB;16": 7, "RGBA;16": 8}
CHANNELS = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}


class Photo:
    """An opened photo. Several threads may use it at once.

    apus.open makes one of a file that has a picture. Photo(source) itself opens whatever it is given, and what is wrong with
    the file is raised when it matters.
    """

    def __init__(self, source: Source, engine: Optional[Engine] = None) -> None:
        """source is a path, bytes, or an object with read, seek and tell. Of a file, only what is needed is read."""
        self._engine = engine
        self._path: Optional[str] = None
        self._reader: Optional[_FileReader] = None
        self._info: Optional[Facts] = None
        #: The report of the last job with this photo, as `--json` prints it; empty before the first one.
        self.last_report: Facts = {}
        self._handle: Optional[c.Handle] = None
        if isinstance(source, (str, os.PathLike)):
            self._path = os.fsdecode(source)
            pointer = _opened(self._path)
        elif isinstance(source, (bytes, bytearray, memoryview)):
            data = bytes(source)
            pointer = c.made(c.library.apus_photo_open_memory, data, len(data))
        elif hasattr(source, "read") and not _can_seek(source):
            data = source.read()
            pointer = c.made(c.library.apus_photo_open_memory, data, len(data))
        elif hasattr(source, "read"):
            self._reader = _FileReader(source)
            pointer = c.made(c.library.apus_photo_open_reader, byref(self._reader.reader))
        else:
            raise TypeError(f"a photo is a path, bytes or a file, not {type(source).__name__}")
        self._handle = c.Handle(pointer, c.library.apus_photo_free)

    def close(self) -> None:
        """Closes the photo, but not a file object that it was opened from. What other threads are decoding is finished first."""
        self._handle = None

    def __enter__(self) -> Photo:
        self._open
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Union[str, Tuple[Any, ...]]:
        self._open
        if self._path is None:
            raise TypeError("a photo that was opened from bytes or from a file cannot be copied or pickled; open it again")
        return type(self), (os.path.abspath(self._path),)

    def __repr__(self) -> str:
        return f"<apus.Photo {self._path or ''}{'' if self._handle else ' (closed)'}>".replace(" >", ">")

    @property
    def _open(self) -> c.Handle:
        if self._handle is None:
            raise ValueError("the photo is closed")
        return self._handle

    # What the file says.

    def layout(self, mode: Optional[str] = None, **options: Unpack[SampleOptions]) -> Shape:
        """Width, height, mode and bits of the samples that to_numpy gives with these options; nothing is decoded."""
        layout, call = c.Layout(), c.Call(options=_options.text(options))
        self._made(c.library.apus_photo_layout, self._open, _pixels(mode), byref(call), byref(layout))
        return _shape(layout)

    @property
    def size(self) -> Tuple[int, int]:
        """Width and height of the picture when it is upright."""
        width, height, _, _ = self.layout()
        return width, height

    @property
    def mode(self) -> str:
        """L, LA, RGB or RGBA."""
        return self.layout()[2]

    @property
    def bits(self) -> int:
        """8 or 16, what the samples of the picture need."""
        return self.layout()[3]

    @property
    def exif(self) -> Optional[bytes]:
        """Exif from the header of TIFF on, or None."""
        return self._bytes(c.library.apus_photo_exif)

    @property
    def xmp(self) -> Optional[bytes]:
        """XMP as the file has it, or None."""
        return self._bytes(c.library.apus_photo_xmp)

    @property
    def icc(self) -> Optional[bytes]:
        """The profile of the colours that are decoded, or None."""
        return self._bytes(c.library.apus_photo_icc)

    @property
    def info(self) -> Facts:
        """What `apus info --json` says of the file."""
        info: Optional[Facts] = self._info
        if info is None:
            self._info = info = self.facts("info")
        assert info is not None
        return info

    def facts(self, verb: str, **options: Any) -> Any:
        """What a verb says of the file as JSON: info, inspect, hvcc show, hvcc check, flv show, flv check."""
        status, messages = c_int(), c_void_p()
        answer = c.taken(self._made(c.library.apus_photo_facts, self._open, verb.encode(), _options.text(options),
                                    byref(status), byref(messages)))
        said = c.taken(messages)
        if not answer.strip():
            raise Error("invalid", said.decode("utf-8", "surrogateescape") or f"{verb} says nothing")
        return json.loads(answer)

    # What it holds beside the picture.

    @property
    def parts(self) -> List[Part]:
        """Everything beside the picture, as `apus extract --list` says it: thumbnails, alpha, depth, gain map, mattes, the
        other eye of a pair, a motion video, metadata."""
        return [Part(self, facts) for facts in self.facts("extract")["parts"]]

    @property
    def thumbnails(self) -> List[Part]:
        """The small pictures that the file holds, each a Part."""
        return [part for part in self.parts if part.role == "thumbnail"]

    @property
    def auxiliary(self) -> List[Part]:
        """The pictures that accompany the picture: alpha, depth, mattes and others of which the file says no more."""
        return [part for part in self.parts if part.role in ("alpha", "depth", "matte", "other") and part.size]

    @property
    def gain_map(self) -> Optional[Part]:
        """The gain map, a Part whose numbers say how it is applied; None where there is none."""
        return next((part for part in self.parts if part.role == "gainmap"), None)

    @property
    def frames(self) -> List[Frame]:
        """The pictures of an image sequence, each a Frame; empty where the file has none."""
        tracks = [track for track in self.info.get("tracks", []) if track.get("handler") == "pict"]
        return [Frame(self, number) for number in range(tracks[0]["samples"] if tracks else 0)]

    def extract(self, *, progress: Progress = None, engine: Optional[Engine] = None,
                **options: Unpack[ExtractOptions]) -> Dict[str, bytes]:
        """What the options of `apus extract` name, as a dictionary from names such as depth.png to bytes:
        extract(role=["depth", "gainmap"]), extract(item=5), extract(frames=True)."""
        files, report = self._files("extract", (), progress, engine, options)
        report.warn()
        return {f"{name}.{ending}" if name else ending: data for name, ending, data in files}

    # Its samples.

    def to_numpy(self, mode: Optional[str] = None, *, size: Optional[Size] = None, region: Optional[Region] = None,
                 progress: Progress = None, engine: Optional[Engine] = None, **options: Unpack[SampleOptions]) -> NDArray[Any]:
        """The picture as an array of height × width × channels, upright; of height × width where it is gray.

        mode is L, LA, RGB or RGBA, with ;16 for 16 bits; None is what the picture has. size bounds the sides (one number
        or width and height), and region is (left, top, width, height) of the upright picture. Other options are
        those of `apus convert`.
        """
        import numpy
        arrays: List[NDArray[Any]] = []

        def allocate(layout: c.Layout) -> int:
            kind = numpy.uint8 if layout.bits == 8 else numpy.uint16
            arrays.append(numpy.empty((layout.height, layout.width, layout.channels), kind))
            return arrays[0].ctypes.data
        self._decode(mode, allocate, size, region, progress, engine, options)
        return arrays[0][:, :, 0] if arrays[0].shape[2] == 1 else arrays[0]

    def to_bytes(self, mode: Optional[str] = None, *, size: Optional[Size] = None, region: Optional[Region] = None,
                 progress: Progress = None, engine: Optional[Engine] = None,
                 **options: Unpack[SampleOptions]) -> Tuple[bytearray, Shape]:
        """The samples row by row, and their (width, height, mode, bits)."""
        rows: List[bytearray] = []

        def allocate(layout: c.Layout) -> int:
            rows.append(bytearray(layout.stride * layout.height))
            return ctypes.addressof(ctypes.c_char.from_buffer(rows[0]))
        layout = self._decode(mode, allocate, size, region, progress, engine, options)
        return rows[0], _shape(layout)

    def to_pillow(self, *, size: Optional[Size] = None, region: Optional[Region] = None, progress: Progress = None,
                  engine: Optional[Engine] = None, **options: Unpack[SampleOptions]) -> Image.Image:
        """The picture as an Image of Pillow, with its Exif, XMP and profile. Options are those of to_numpy."""
        from . import pillow
        return pillow.image(self, size=size, region=region, progress=progress, engine=engine, **options)

    def rows(self, begin: Callable[[Shape], Any], take: Callable[[bytes], Any], mode: Optional[str] = None, *,
             size: Optional[Size] = None, region: Optional[Region] = None, thumbnail: Optional[Size] = None,
             progress: Progress = None, engine: Optional[Engine] = None, **options: Any) -> None:
        """Passes on rows as they are decoded, for those who have no use for the whole picture: begin gets (width, height,
        mode, bits), and take gets bytes. The job ends when one of them returns False. With thumbnail= the rows are those of a
        small picture, the one in the photo where that is large enough; options are those of `apus thumbnail` then."""
        self._rows(begin, lambda samples: take(bytes(samples)), mode, size, region, thumbnail, progress, engine, options)

    def _rows(self, begin: Callable[[Shape], Any], take: Callable[[memoryview], Any], mode: Optional[str],
              size: Optional[Size], region: Optional[Region], thumbnail: Optional[Size], progress: Progress,
              engine: Optional[Engine], options: Mapping[str, Any]) -> None:
        """As rows, but that take gets memory that is the library's again when it returns."""
        job = self._sample_job(size, region, thumbnail, progress, options)
        rows = c.Rows(
            begin=c.Begin(lambda _, layout: job.guarded(lambda: begin(_shape(layout.contents)))),
            rows=c.TakeRows(lambda _, samples, count: job.guarded(lambda: take(c.memory(samples, count)))))
        self._run(job, c.library.apus_decode_rows, self._engine_of(engine), self._open, _pixels(mode), byref(job.call),
                  byref(rows), None).warn()

    def _decode(self, mode: Optional[str], allocate: Callable[[c.Layout], int], size: Optional[Size], region: Optional[Region],
                progress: Progress, engine: Optional[Engine], options: Mapping[str, Any]) -> c.Layout:
        job, layout = self._sample_job(size, region, None, progress, options), c.Layout()

        def memory(_: Any, wanted: Any) -> Optional[int]:
            try:
                return allocate(wanted.contents)
            except BaseException as error:
                job.failure = error
                return None
        self._run(job, c.library.apus_decode, self._engine_of(engine), self._open, _pixels(mode), byref(job.call),
                  c.Allocate(memory), None, byref(layout)).warn()
        return layout

    def _sample_job(self, size: Optional[Size], region: Optional[Region], thumbnail: Optional[Size], progress: Progress,
                    options: Mapping[str, Any]) -> _options.Job:
        named = dict(options)
        if size is not None:
            named["max_size"] = _options.bound(size)
        if region is not None:
            left, top, width, height = region
            named["crop"] = f"{width}x{height}+{left}+{top}"
        if thumbnail is None:
            return _options.Job(named, progress)
        return _options.Job({**named, "size": _options.bound(thumbnail)}, progress, "thumbnail")

    # Files made of it.

    def convert(self, *, progress: Progress = None, engine: Optional[Engine] = None, **options: Unpack[ConvertOptions]) -> bytes:
        """The picture as the bytes of a JPEG, or of what format= names. Options are those of `apus convert`."""
        return self._write(_options.Job(options, progress), engine)

    def thumbnail(self, size: Size = 320, *, progress: Progress = None, engine: Optional[Engine] = None,
                  **options: Unpack[ThumbnailOptions]) -> bytes:
        """A small picture as the bytes of a file, the one in the photo where that is large enough. Options are those of
        `apus thumbnail`."""
        return self._write(_options.Job({**options, "size": _options.bound(size)}, progress, "thumbnail"), engine)

    def edit(self, properties: Optional[Mapping[str, Any]] = None, *, engine: Optional[Engine] = None,
             **options: Unpack[EditOptions]) -> bytes:
        """The photo with other metadata, rotation or parts as the bytes of a file, whose coded pictures are the same.
        Properties are title, caption, creator, copyright, keywords, rating, date and gps, each as a text or a sequence. Options
        are those of `apus edit`."""
        named: Dict[str, Any] = dict(options)
        if properties:
            named["set"] = [f"{name}={_property(value)}" for name, value in properties.items()]
        return self._write(_options.Job(named, None, "edit"), engine)

    def sizes(self, sides: Sequence[int], *, progress: Progress = None, engine: Optional[Engine] = None,
              **options: Unpack[ConvertOptions]) -> Dict[int, bytes]:
        """The picture in several sizes of one decoding, as a dictionary from the longest side to bytes. Each is what
        convert(max_size=side) makes."""
        files, report = self._files("convert", sides, progress, engine, options)
        report.warn()
        return {int(name): data for name, _, data in files}

    def make_files(self, verb: str = "convert", *, sides: Sequence[int] = (), progress: Progress = None,
                   engine: Optional[Engine] = None, **options: Any) -> Tuple[Files, Facts]:
        """Every file of a job, as a list of (name, ending, bytes), and the report that `--json` prints of it. The verb is
        convert, with sides= for several sizes or images="all" for every picture, or extract. Nothing is warned of that the report
        says."""
        files, report = self._files(verb, sides, progress, engine, options)
        return files, report.facts

    def _files(self, verb: str, sides: Sequence[int], progress: Progress, engine: Optional[Engine],
               options: Mapping[str, Any]) -> Tuple[Files, Report]:
        job, files = _options.Job(options, progress, verb), c_void_p()
        if wrong := [side for side in sides if not 0 < side < 1 << 32]:
            raise ValueError(f"a side of {wrong[0]} samples")
        array = struct.pack(f"{len(sides)}I", *sides)
        report = self._run(job, c.library.apus_make_files, self._engine_of(engine), self._open, byref(job.call), array, len(sides),
                           byref(files))
        return c.taken_files(files), report

    def _write(self, job: _options.Job, engine: Optional[Engine]) -> bytes:
        file = c_void_p()
        self._run(job, c.library.apus_convert, self._engine_of(engine), self._open, byref(job.call), byref(file)).warn()
        return c.taken(file)

    # Calls of the library.

    def _engine_of(self, engine: Optional[Engine]) -> c.Handle:
        return (engine or self._engine or _engine.usual())._handle

    def _bytes(self, function: Any) -> Optional[bytes]:
        pointer = self._made(function, self._open)
        return c.taken(pointer) if pointer else None

    def _made(self, function: Any, *arguments: Any) -> Optional[int]:
        try:
            return c.made(function, *arguments)
        except Error as error:
            self._raise(error)

    def _run(self, job: _options.Job, function: Any, *arguments: Any) -> Report:
        """Runs a job, and keeps its report."""
        report = Report()
        try:
            job.run(function, *arguments, byref(report.place))
        except Error as error:
            self._raise(error)
        self.last_report = report.read()
        return report

    def _raise(self, error: Error) -> NoReturn:
        """Raises an error, because of what the file object raised where that was the reason."""
        cause = self._reader.failure if self._reader is not None else None
        if error.kind == "io" and cause is not None:
            raise error from cause
        raise error


def _property(value: Any) -> str:
    """A property as the command has it."""
    return str(value) if isinstance(value, (str, int, float)) else ",".join(map(str, value))


def opened(source: Source, engine: Optional[Engine]) -> Photo:
    """A photo that has a picture. Raises what is wrong where it has none, or none of which anything could be read."""
    photo = Photo(source, engine)
    try:
        photo.layout()
    except Error:
        # What salvage works around is raised when the picture is decoded, unless that is asked for.
        photo.layout(salvage=True)
    return photo


def _opened(path: str) -> Optional[int]:
    try:
        return c.made(c.library.apus_photo_open_file, os.fsencode(path))
    except Error as error:
        if error.kind == "io":
            # What the system says of a file is raised as Python raises it.
            with open(path, "rb"):
                pass
        raise


class Part:
    """Something in a photo beside its picture.

    role is what it is for (thumbnail, alpha, depth, gainmap, matte, picture, exif, xmp, icc, motion-video, other); name tells
    it from others of its role; item is its ID, type how it is coded, detail the URN of an auxiliary picture; size is width
    and height of one that is a picture, and bytes how many it has, as far as the file says; error is why it cannot be
    extracted.
    """

    role: str
    name: str
    type: str
    item: Optional[int]
    detail: str
    bytes: Optional[int]
    size: Optional[Tuple[int, int]]
    error: Optional[Any]

    def __init__(self, photo: Photo, facts: Facts) -> None:
        self._photo = photo
        self.role, self.name, self.type = facts["role"], facts["name"], facts["type"]
        self.item, self.detail, self.bytes = facts.get("item"), facts.get("detail", ""), facts.get("bytes")
        self.size = (facts["width"], facts["height"]) if "width" in facts else None
        self.error = facts.get("error")

    def convert(self, **options: Unpack[ExtractOptions]) -> Bytes:
        """The bytes of a file of it: a picture as a JPEG unless format= says otherwise, numbers such as depth as a gray PNG,
        metadata as they are. Options are those of `apus extract`."""
        named: Dict[str, Any] = {**options, "role": self.role}
        files, _ = self._photo.make_files("extract", **named)
        return next(data for name, ending, data in files if name == self.name and ending not in ("json", "hvcc"))

    @property
    def numbers(self) -> Optional[Facts]:
        """What its samples stand for, where the file says so: of depth, as `apus extract` writes it beside the map; of a gain
        map, as `apus info` says it. None of others."""
        if self.role == "gainmap":
            info = self._photo.info
            found: Optional[Facts] = info.get("hdr") or info.get("picture", {}).get("hdr")
            return found
        if self.role != "depth":
            return None
        files, _ = self._photo.make_files("extract", role=self.role)
        return next((json.loads(data) for name, ending, data in files if (name, ending) == (self.name, "json")), None)

    def to_numpy(self, mode: Optional[str] = None, *, size: Optional[Size] = None, region: Optional[Region] = None,
                 **options: Unpack[SampleOptions]) -> NDArray[Any]:
        """Its samples, as Photo.to_numpy gives those of the picture."""
        return self._decoded().to_numpy(mode, size=size, region=region, **options)

    def to_pillow(self) -> Image.Image:
        """It as an Image of Pillow."""
        return self._decoded().to_pillow()

    def _decoded(self) -> Photo:
        return Photo(self.convert(format="png"), self._photo._engine)

    def __repr__(self) -> str:
        size = f" {self.size[0]}x{self.size[1]}" if self.size else ""
        return f"<apus.Part {self.role} {self.name}{size} {self.type}>"


# The name of a field of Part, in whose body it means that field.
Bytes = bytes


class Frame:
    """A picture of an image sequence; number counts from 0."""

    number: int

    def __init__(self, photo: Photo, number: int) -> None:
        self._photo, self.number = photo, number

    @property
    def size(self) -> Tuple[int, int]:
        """Width and height of the picture when it is upright."""
        width, height, _, _ = self._photo.layout(frame=self.number)
        return width, height

    def convert(self, **options: Unpack[ConvertOptions]) -> bytes:
        """The bytes of a file of it, as Photo.convert makes them."""
        named: Dict[str, Any] = {**options, "frame": self.number}
        return self._photo.convert(**named)

    def to_numpy(self, mode: Optional[str] = None, *, size: Optional[Size] = None, region: Optional[Region] = None,
                 **options: Unpack[SampleOptions]) -> NDArray[Any]:
        """Its samples, as Photo.to_numpy gives them."""
        named: Dict[str, Any] = {**options, "frame": self.number}
        return self._photo.to_numpy(mode, size=size, region=region, **named)

    def to_pillow(self) -> Image.Image:
        """It as an Image of Pillow."""
        return self._photo.to_pillow(frame=self.number)

    def __repr__(self) -> str:
        return f"<apus.Frame {self.number}>"


def _can_seek(file: Any) -> bool:
    """Returns whether a file can be read in any order; a pipe is read whole."""
    if not hasattr(file, "seek"):
        return False
    return bool(file.seekable()) if hasattr(file, "seekable") else True


def _shape(layout: Any) -> Shape:
    return layout.width, layout.height, CHANNELS[layout.channels], layout.bits


def _pixels(mode: Optional[str]) -> int:
    if mode is None:
        return NATIVE
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}, which is none of {', '.join(MODES)}")
    return MODES[mode]


class _FileReader:
    """A file object as the library reads it."""

    def __init__(self, file: ReadableFile) -> None:
        if isinstance(file, io.TextIOBase):
            raise TypeError('the file was opened for text; open it with "rb"')
        self._file = file
        self._lock = threading.Lock()
        # What the file raised last.
        self.failure: Optional[BaseException] = None
        file.seek(0, os.SEEK_END)
        self.reader = c.Reader(count=file.tell(), read=c.Read(self._read), release=c.Release())

    def _read(self, _: Any, offset: int, into: int, count: int) -> int:
        try:
            memory = c.memory(into, count)
            with self._lock:
                self._file.seek(offset)
                while memory:
                    data = self._file.read(len(memory))
                    if data is None:
                        raise BlockingIOError("the file has no bytes at the moment")
                    found = memoryview(data).cast("B")
                    if not found:
                        raise EOFError("the file has become shorter")
                    if len(found) > len(memory):
                        raise ValueError(f"the file was asked for {len(memory)} bytes, and gave {len(found)}")
                    memory[:len(found)] = found
                    memory = memory[len(found):]
            return 0
        except BaseException as error:
            self.failure = error
            return 1
