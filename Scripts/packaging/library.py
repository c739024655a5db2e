# SPDX-License-Identifier: MIT
"""Links libapus.so.0 of the objects of the release build: Swift's runtime is inside, and it exports no names but those of
its header."""

import functools
import re
import subprocess

import link
import stage
import target

SONAME = "libapus.so.0"
HEADER = stage.ROOT / "Sources/CApus/apus.h"


@functools.cache
def static(work, newest):
    """The library with all inside but glibc, stripped."""
    inside = {"-ljpeg": link.jpeg(work), "-lspng": link.spng(work)}
    linked, built = work / f"{SONAME}.linked", work / SONAME
    words, functions = link.older(link.linking("apus-c", "dylib"), work)
    made(work, linked, words, inside, [functions, *inside.values(), *map(link.archive, ("libz.a", "libstdc++.a"))])
    link.run(target.binutil("strip"), "--strip-unneeded", "-o", built, linked)
    link.check(built, newest)
    check(built)
    return built


def shared(work):
    """The library with its symbols, linked with the libraries that this release of Debian has."""
    linked = work / f"{SONAME}.shared"
    made(work, linked, link.linking("apus-c", "dylib"), [], [link.archive("libstdc++.a")])
    check(linked)
    return linked


def made(work, linked, words, without, archives):
    """Links the library, not with some words of the build but with archives instead."""
    for word in without:
        words.remove(word)
    names = work / "library.map"
    names.write_text("APUS_0 { global: " + " ".join(f"{name};" for name in sorted(declared())) + " local: *; };\n")
    # The build gives the library another name, further on, and that would win.
    words = [word for word in words if not word.startswith("-soname")] + ["-static-stdlib"]
    link.link(words, linked, ["-Wl,--as-needed", "-static-libgcc", f"-Wl,--version-script={names}", "-Wl,-Bsymbolic",
                              f"-Wl,-soname,{SONAME}", *archives])


def package_config(version, folder):
    """What pkg-config says of the library, which is in a folder below the prefix."""
    return f"""\
prefix=/usr
libdir=${{prefix}}/{folder}
includedir=${{prefix}}/include

Name: apus
Description: HEIC photos of phones and cameras, read, converted and written
Version: {version}
Libs: -L${{libdir}} -lapus
Cflags: -I${{includedir}}
"""


def declared():
    """The functions of the header."""
    return set(re.findall(r"^\w[^;()]*?\b(apus_\w+)\(", HEADER.read_text(), re.M))


def check(built):
    """Refuses a library that exports other names than its header declares."""
    listed = subprocess.run([target.binutil("nm"), "-D", "--defined-only", built], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {line.split()[-1].split("@")[0] for line in listed.splitlines() if " A " not in line}
    if found != declared():
        raise SystemExit(f"{built} exports {sorted(found - declared())[:5]} and lacks {sorted(declared() - found)}")
