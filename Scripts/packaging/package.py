# SPDX-License-Identifier: MIT
"""package.py KIND...: makes the kinds of packages, and the list of their sums.
package.py --collect FOLDER: adds the packages of another architecture, which were made in a folder.
package.py --prepare FOLDER: puts there what the rules of Debian's packages pack."""

import hashlib
import pathlib
import shutil
import sys

# Nothing is left in the checkout.
sys.dont_write_bytecode = True

import deb  # noqa: E402
import image  # noqa: E402
import link  # noqa: E402
import source  # noqa: E402
import stage  # noqa: E402
import tarball  # noqa: E402
import wheel  # noqa: E402

MAKERS = {"deb": deb.make, "tarball": tarball.make, "image": image.make, "wheel": wheel.make,
          "dsc": source.make}
PACKAGES = stage.ROOT / ".build/packages"
WORK = link.BUILD / "packaging"


def made(kinds):
    for kind in kinds:
        yield from MAKERS[kind](PACKAGES, WORK)


def collected(folder):
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        path = PACKAGES / line.split("  ", 1)[1]
        # With its time, by which the newest is known.
        shutil.copy2(folder / path.name, path)
        yield path


def main(words):
    for folder in (PACKAGES, WORK):
        folder.mkdir(parents=True, exist_ok=True)
    if words[0] == "--prepare":
        return deb.prepare(pathlib.Path(words[1]), WORK)
    sums = PACKAGES / "SHA256SUMS"
    listed = dict(reversed(line.split("  ", 1)) for line in sums.read_text().splitlines()) if sums.exists() else {}
    paths = list(collected(pathlib.Path(words[1])) if words[0] == "--collect" else made(words))
    for path in [*paths, *image.joined(paths)]:
        listed[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
        print(path.relative_to(stage.ROOT))
    listed = {name: value for name, value in listed.items() if (PACKAGES / name).exists()}
    sums.write_text("".join(f"{value}  {name}\n" for name, value in sorted(listed.items())))


main(sys.argv[1:])
