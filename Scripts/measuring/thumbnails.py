# SPDX-License-Identifier: MIT
"""Small pictures of photos, from their own thumbnails and made, beside other programs."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import grids
import turns

RUNS = 9
SIDE = 320
# apus at most takes this part of the time: of a peer's, and from a thumbnail of what it takes to make one.
MADE = 1 / 1.5
EMBEDDED = 1 / 10
BATCH = 2000
# How many photos of a library every program makes thumbnails of, and how often.
LIBRARY = 50
LIBRARY_RUNS = 3


def commands(apus, photo, target, policy):
    embedded = policy == "if-absent"
    made = {
        "apus": [apus, "thumbnail", photo, "-s", SIDE, "--policy", policy, "-o", target, "--on-exists", "replace", "-q", "90"],
        # Its size is the longer side; -p leaves thumbnails alone.
        "heif-thumbnailer": ["heif-thumbnailer", "-s", SIDE, *([] if embedded else ["-p"]), photo, target.with_suffix(".png")],
        "vipsthumbnail": ["vipsthumbnail", photo, "-s", f"{SIDE}x{SIDE}", "-o", f"{target}[Q=90]"],
    }
    if photo.suffix == ".jpg":
        del made["heif-thumbnailer"]
    return made


def library(apus, photos, out):
    """The same photos as each program takes many: all in one call, or a call for each where it takes but one."""
    each = f'for photo; do heif-thumbnailer -s {SIDE} "$photo" "$0/${{photo##*/}}.png" || exit 1; done'
    return {
        "apus": [apus, "thumbnail", *photos, "-s", SIDE, "-o", f"{out}/", "--on-exists", "replace", "-q", "90", "--quiet"],
        "heif-thumbnailer, a call each": ["sh", "-c", each, out, *photos],
        "vipsthumbnail": ["vipsthumbnail", *photos, "-s", f"{SIDE}x{SIDE}", "-o", f"{out}/%s.vips.jpg[Q=90]"],
    }


def show(title, results, limit=None, count=1):
    """A table of costs, of which times are those of one of `count` photos, and whether the limit is kept."""
    base = results["apus"]
    print(f"\n### {title}\n")
    print("| program | wall, ms | processor, ms | peak memory, MiB | it / apus: wall |\n|---|---|---|---|---|")
    for name, cost in results.items():
        wall, processor = (value * 1e3 / count for value in (cost.wall, cost.processor))
        print(f"| {name} | {wall:.1f} | {processor:.1f} | {cost.memory:.0f} | {cost.wall / base.wall:.2f} |")
    if limit:
        shares = {name: base.wall / cost.wall for name, cost in results.items() if name != "apus"}
        said = (f"{'met' if share <= limit else 'missed'} with {share:.2f} of {name}" for name, share in shares.items())
        print(f"\nAimed at is {limit:.2f} of the time: {'; '.join(said)}.")


def link(photo, folder, count):
    """A folder of so many links to a photo."""
    folder.mkdir()
    links = [folder / f"{index}.heic" for index in range(count)]
    for path in links:
        path.symlink_to(photo)
    return links


def batch(apus, photo, folder):
    """Thousands in one call: memory must not grow, and one from a thumbnail must be much faster than one made."""
    photos, few = folder / "photos", folder / "few"
    link(photo, photos, BATCH)
    link(photo, few, 20)

    def one(policy, source, count):
        out = folder / f"out-{policy}-{count}"
        cost = turns.run([apus, "thumbnail", "-r", source, "-s", SIDE, "--policy", policy, "-o", f"{out}/", "--quiet"])
        made = len(list(out.rglob("*.jpg")))
        if made != count:
            sys.exit(f"{made} thumbnails were made of {count} photos")
        shutil.rmtree(out)
        return cost

    def processes():
        words = ["-r", few, "-s", str(SIDE), "-o", f"{folder}/traced/", "--quiet"]
        command = ["strace", "-f", "-qq", "-e", "trace=execve,fork,vfork", apus, "thumbnail", *words]
        traced = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        return sum("execve(" in line or "fork(" in line for line in traced.stderr.splitlines())

    made, some, all = one("always", few, 20), one("if-absent", few, 20), one("if-absent", photos, BATCH)
    print(f"\n### A folder of {BATCH:,} photos in one call\n")
    print("| photos | from | ms each | peak memory, MiB |\n|---|---|---|---|")
    for count, origin, cost in ((20, "the picture", made), (20, "the thumbnail", some), (BATCH, "the thumbnail", all)):
        print(f"| {count:,} | {origin} | {cost.wall / count * 1e3:.2f} | {cost.memory:.0f} |")
    ratio = made.wall / 20 / (all.wall / BATCH)
    print(f"\nFrom its thumbnail one is {ratio:.0f} times faster than made; {all.memory / some.memory:.2f} of the memory"
          f" of 20; {processes()} process for all.")
    if ratio < 1 / EMBEDDED:
        print(f"Missed: aimed at is {1 / EMBEDDED:.0f}.")


def measure(root, apus, *folders):
    photo = grids.grid(root / ".build/bench/12-megapixels-thumbnail.heic", 4032, 3024, thumbnail=320)
    jpeg = root / ".build/bench/12-megapixels.jpg"
    if not jpeg.exists():
        subprocess.run([apus, "convert", photo, "-o", jpeg, "--quiet"], check=True)
    print("## Thumbnails\n\n`Scripts/bench thumbnail`\n")
    versions = ["dpkg-query", "-W", "-f", "${Package} ${Version}; ", "heif-thumbnailer", "libheif1", "libvips42"]
    said = subprocess.run(versions, capture_output=True, text=True).stdout.strip()
    print(f"Peers: {said} {SIDE} pixels, medians of {RUNS} runs. heif-thumbnailer writes PNG, the others JPEG.")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        target = folder / "small.jpg"
        show("12 MP, from the thumbnail", turns.compare(commands(apus, photo, target, "if-absent"), RUNS), EMBEDDED)
        show("12 MP, made", turns.compare(commands(apus, photo, target, "always"), RUNS), MADE)
        show("12 MP, JPEG, made", turns.compare(commands(apus, jpeg, target, "always"), RUNS), MADE)
        out = folder / "out"
        out.mkdir()
        commands_of_many = library(apus, link(photo, folder / "library", LIBRARY), out)
        costs = turns.compare(commands_of_many, LIBRARY_RUNS)
        made = len(list(out.iterdir()))
        if made != LIBRARY * len(commands_of_many):
            sys.exit(f"{made} thumbnails were made of {LIBRARY} photos by {len(commands_of_many)} programs")
        show(f"{LIBRARY} photos of 12 MP, from the thumbnail, for each photo", costs, EMBEDDED, LIBRARY)
        print(f"\nAll photos are links to one. Medians of {LIBRARY_RUNS} runs.")
        batch(apus, photo, folder)
        for given in folders:
            photos = sorted(path for path in pathlib.Path(given).rglob("*") if path.suffix.lower() in (".heic", ".heif"))
            cost = turns.run([apus, "thumbnail", *photos, "-s", SIDE, "-o", f"{folder}/given/", "--quiet"])
            print(f"\n{len(photos)} photos of {given}: {cost.wall:.1f} s, {cost.memory:.0f} MiB")
    sys.stdout.flush()
