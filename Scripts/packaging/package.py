# SPDX-License-Identifier: MIT
"""package.py KIND...: makes the kinds of packages, and the list of their sums."""

import hashlib
import sys

# Nothing is left in the checkout.
sys.dont_write_bytecode = True

import deb  # noqa: E402
import image  # noqa: E402
import link  # noqa: E402
import stage  # noqa: E402
import tarball  # noqa: E402
import wheel  # noqa: E402

MAKERS = {"deb": deb.make, "tarball": tarball.make, "image": image.make, "wheel": wheel.make}


def main(kinds):
    packages = stage.ROOT / ".build/packages"
    work = packages.parent / "packaging"
    for folder in (packages, work):
        folder.mkdir(parents=True, exist_ok=True)
    sums = packages / "SHA256SUMS"
    listed = dict(reversed(line.split("  ", 1)) for line in sums.read_text().splitlines()) if sums.exists() else {}
    program = stage.Program(link.shared(work))
    for kind in kinds:
        for path in MAKERS[kind](program, packages, work):
            listed[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
            print(path.relative_to(stage.ROOT))
    listed = {name: value for name, value in listed.items() if (packages / name).exists()}
    sums.write_text("".join(f"{value}  {name}\n" for name, value in sorted(listed.items())))


main(sys.argv[1:])
