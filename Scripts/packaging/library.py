# SPDX-License-Identifier: MIT
"""Links libapus.so.0: the objects of the release build with all inside but glibc, and no names but those of its header."""

import functools
import re
import subprocess

import link
import stage

SONAME = "libapus.so.0"
HEADER = stage.ROOT / "Sources/CApus/apus.h"


@functools.cache
def static(work, newest):
    """The library, stripped."""
    words = link.linking("apus-c", "dylib")
    inside = {"-ljpeg": link.jpeg(work), "-lspng": link.spng(work)}
    for word in inside:
        words.remove(word)
    names = work / "library.map"
    names.write_text("APUS_0 { global: " + " ".join(f"{name};" for name in sorted(declared())) + " local: *; };\n")
    linked, built = work / f"{SONAME}.linked", work / SONAME
    archives = [*inside.values(), *map(link.archive, ("libz.a", "libstdc++.a"))]
    # The build gives the library another name, further on, and that would win.
    words = [word for word in words if not word.startswith("-soname")] + ["-static-stdlib"]
    link.link(words, linked, ["-Wl,--as-needed", "-static-libgcc", f"-Wl,--version-script={names}", "-Wl,-Bsymbolic",
                              f"-Wl,-soname,{SONAME}", *archives])
    link.run("strip", "--strip-unneeded", "-o", built, linked)
    link.check(built, newest)
    check(built)
    return built


def declared():
    """The functions of the header."""
    return set(re.findall(r"^\w[^;()]*?\b(apus_\w+)\(", HEADER.read_text(), re.M))


def check(built):
    """Refuses a library that exports other names than its header declares."""
    listed = subprocess.run(["nm", "-D", "--defined-only", built], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {line.split()[-1].split("@")[0] for line in listed.splitlines() if " A " not in line}
    if found != declared():
        raise SystemExit(f"{built} exports {sorted(found - declared())[:5]} and lacks {sorted(declared() - found)}")
