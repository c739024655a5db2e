# SPDX-License-Identifier: MIT
"""The machine that packages are for: this one, or one of another architecture, whose libraries and headers Scripts/making/sdk has
put into a folder."""

import os
import pathlib
import platform
import shutil

MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
ROOT = pathlib.Path(__file__).resolve().parents[2]

# The architecture by Debian's name, if it is another than this machine's.
other = os.environ.get("APUS_ARCHITECTURE")
machine = MACHINES[other] if other else platform.machine()
architecture = next(name for name, value in MACHINES.items() if value == machine)
multiarch = f"{machine}-linux-gnu"
triple = f"{machine}-unknown-linux-gnu"
system = ROOT / f".build/sdk/apus-{other}.artifactbundle/{triple}/sysroot" if other else pathlib.Path("/")
# The release of Debian that the libraries are from, where it is not this one.
suite = "trixie" if other else None
# The oldest C library that programs run with: that of RHEL 9 and Amazon Linux 2023.
glibc = (2, 34)


def path(name):
    """A file of the system that packages are for."""
    return system / str(name).lstrip("/")


def tools():
    """The folder with the tools that belong to Swift."""
    return pathlib.Path(os.path.realpath(shutil.which("swiftc"))).parent


def compiler():
    """The C compiler."""
    if not other:
        return ["cc"]
    return [tools() / "clang", f"--target={triple}", f"--sysroot={system}", "-fuse-ld=lld", "-Wno-unused-command-line-argument"]


def binutil(name):
    return f"{multiarch}-{name}" if other else name


def dpkg_query():
    return ["dpkg-query", f"--admindir={system / 'var/lib/dpkg'}"]


def runner():
    """Runs a program."""
    return [f"qemu-{machine}", "-L", system] if other else []
