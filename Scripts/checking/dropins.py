# SPDX-License-Identifier: MIT
"""The programs of libheif beside `apus` under their names: what both write of the same photos."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NAMES = ("heif-convert", "heif-dec", "heif-enc", "heif-thumbnailer")
# What libheif takes for 200 megapixels on a busy machine.
SECONDS = 900
# Of 255: matrices of whole numbers differ by no more.
TOLERANCE = 3
# How much red, green and blue add to luma: ITU-R BT.601, BT.709, BT.2020.
WEIGHTS = ((0.299, 0.587, 0.114), (0.2126, 0.7152, 0.0722), (0.2627, 0.678, 0.0593))


def linked(apus, folder):
    """A folder in which every name leads to the command."""
    folder.mkdir()
    for name in NAMES:
        (folder / name).symlink_to(apus)
    return folder


def run(program, *words, folder):
    """The exit status and both outputs."""
    done = subprocess.run(
        [program, *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=SECONDS,
    )  # fmt: skip
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def pictures(*paths):
    """Width, height and samples of 8 bits of each: red, green, blue and alpha. One program decodes all of them, since it takes
    longer to start than to decode; nothing comes of those that it cannot read."""
    with tempfile.TemporaryDirectory() as name:
        outputs = [pathlib.Path(name) / f"{number}.pam" for number in range(len(paths))]
        inputs, words = [], []
        for number, (path, output) in enumerate(zip(paths, outputs)):
            inputs += ["-i", path]
            words += ["-map", f"{number}:v:0", "-frames:v", "1", "-c:v", "pam", "-pix_fmt", "rgba64be", "-f", "image2",
                      "-update", "1", output]
        done = subprocess.run(["ffmpeg", "-v", "error", *inputs, *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode and len(paths) > 1:
            return [pictures(path)[0] for path in paths]
        return [read_pam(output) if done.returncode == 0 else None for output in outputs]


def read_pam(path):
    head, _, rows = path.read_bytes().partition(b"ENDHDR\n")
    width, height, maximum = (int(re.search(rb"^%s (\d+)$" % word, head, re.M)[1]) for word in (b"WIDTH", b"HEIGHT", b"MAXVAL"))
    assert (maximum, len(rows)) == (65535, 8 * width * height), (path, head, len(rows))
    return f"{width},{height}", rows[::2]


def samples(picture):
    """Width, height and samples of a picture that can be read."""
    found, = pictures(picture)
    assert found, f"{picture} cannot be read"
    return found


def difference(one, other):
    """The largest difference of two rows of samples."""
    if one == other:
        return 0
    return max(abs(left - right) for left, right in zip(one, other))


def seen(one, other):
    """The largest difference of luma and alpha, and of the mean of a colour: libheif repeats colour samples, between which apus
    interpolates. Where a colour is as dark or bright as can be, luma may have been cut off."""
    if one == other:
        return 0
    pixels = [tuple(zip(*[iter(samples)] * 4)) for samples in (one, other)]
    inside = [(a, b) for a, b in zip(*pixels) if min(a[:3] + b[:3]) > 1 and max(a[:3] + b[:3]) < 254]
    luma = [max((abs(sum(w * (a[i] - b[i]) for i, w in enumerate(weights))) for a, b in inside), default=0)
            for weights in WEIGHTS]  # fmt: skip
    means = [abs(sum(one[place::4]) - sum(other[place::4])) / (len(one) // 4) for place in range(3)]
    return max(min(luma), *means, difference(one[3::4], other[3::4]))


def compare(photo, theirs, ours, words=()):
    """What differs between the PNGs and other files that two programs make of a photo, in words."""
    with tempfile.TemporaryDirectory() as name:
        folders = [pathlib.Path(name) / which for which in ("theirs", "ours")]
        results = []
        for folder, program in zip(folders, (theirs, ours)):
            folder.mkdir()
            options = ("--with-aux", "--with-exif", "--with-xmp", *words)
            results.append(run(program, *options, photo.resolve(), "out.png", folder=folder))
        (status, said, error), (own, own_said, own_error) = results
        if status != own:
            reason = (error if status else own_error).strip().split("\n")[0]
            return [f"status {status} of libheif, {own} of apus: {reason}"]
        if status:
            return []
        found = []
        files = [{file.name for file in folder.iterdir()} for folder in folders]
        if files[0] != files[1]:
            found.append(f"files of libheif alone {sorted(files[0] - files[1])}, of apus {sorted(files[1] - files[0])}")
        # Newer versions say how far they are, on lines of their own.
        if re.sub(r"(decoding image\.\.\. \d+%\r)+\n?", "", said) != own_said:
            found.append("says something else")
        both = sorted(files[0] & files[1])
        for file in both:
            if not file.endswith(".png") and len({(folder / file).read_bytes() for folder in folders}) > 1:
                found.append(f"{file} differs")
        both = [file for file in both if file.endswith(".png")]
        read = pictures(*(folder / file for file in both for folder in folders))
        for file, left, right in zip(both, read[::2], read[1::2]):
            if not left:
                found.append(f"{file} of libheif cannot be read")
                continue
            if not right:
                found.append(f"{file} of apus cannot be read")
                continue
            (shape, colours), (own_shape, own_colours) = left, right
            if shape != own_shape:
                found.append(f"{file}: {shape} of libheif, {own_shape} of apus")
                continue
            largest = difference(colours, own_colours)
            if largest > TOLERANCE and seen(colours, own_colours) > TOLERANCE + 1:
                found.append(f"{file}: samples differ by up to {largest} of 255")
        return found


def thumbnail(photo, side, theirs, ours):
    """What differs between two small pictures."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        results = [
            run(program, "-s", side, photo.resolve(), f"{number}.png", folder=folder)
            for number, program in enumerate((theirs, ours))
        ]
        if results[0][0] != results[1][0]:
            return [f"status {results[0][0]} of libheif, {results[1][0]} of apus"]
        if results[0][0]:
            return []
        read = pictures(*(folder / f"{number}.png" for number in range(2)))
        if not all(read):
            return ["a thumbnail cannot be read"]
        shapes = [shape for shape, _ in read]
        sides = [list(map(int, shape.split(","))) for shape in shapes]
        # Libheif rounds the shorter side down.
        if any(abs(one - other) > 1 for one, other in zip(*sides)):
            return [f"{shapes[0]} of libheif, {shapes[1]} of apus"]
        return []


def installed():
    """The programs of libheif that are here, by name."""
    return {name: path for name in NAMES if (path := shutil.which(name))}


def version():
    """That of the libheif whose programs are here: (1, 15, 1)."""
    said = run(shutil.which("heif-info"), "--help", folder="/")
    return tuple(map(int, re.search(r"libheif version: (\d+)\.(\d+)\.(\d+)", "".join(said[1:])).groups()))


def main(apus, *folders):
    """Lists what differs over every file of the folders."""
    theirs = installed()
    count = differing = 0
    with tempfile.TemporaryDirectory() as name:
        bin = linked(pathlib.Path(apus).resolve(), pathlib.Path(name) / "bin")
        for photo in sorted(file for folder in folders for file in pathlib.Path(folder).rglob("*")):
            if photo.suffix.lower() not in (".heic", ".heif", ".hif", ".heics", ".avci"):
                continue
            said = compare(photo, theirs["heif-convert"], bin / "heif-convert")
            side = 128
            said += [f"heif-thumbnailer {line}" for line in
                     thumbnail(photo, side, theirs["heif-thumbnailer"], bin / "heif-thumbnailer")]  # fmt: skip
            count += 1
            differing += bool(said)
            for line in said:
                print(f"{photo.name}: {line}", flush=True)
    print(f"{count} files, {count - differing} without a difference")


if __name__ == "__main__":
    main(*sys.argv[1:])
