# SPDX-License-Identifier: MIT
"""An image by the OCI's layout, made without a daemon: the program, the C library, and what it opens on demand of
libraries that are small. It runs as nobody, and writes to nothing but its volume."""

import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess

import bill
import link
import stage
import tarball

# Nobody: a user that no other system has something for.
USER = 65532
VOLUME = "photos"
# The packages of Debian whose libraries are in it, and the names of these.
LIBRARIES = {
    "libc6": ["ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6"],
    "libssl3t64|libssl3": ["libssl.so.3", "libcrypto.so.3"],
    "libde265-0": ["libde265.so.0"],
    "libstdc++6": ["libstdc++.so.6"],
    "libgcc-s1": ["libgcc_s.so.1"],
}
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
LOADERS = {"x86_64": "lib64/ld-linux-x86-64.so.2", "aarch64": "lib/ld-linux-aarch64.so.1"}


def installed(names):
    """The one of several packages that this system has."""
    for name in names.split("|"):
        done = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", name], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        if done.stdout.startswith("ii"):
            return name
    raise SystemExit(f"none of {names} is installed")


def copy(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(os.path.realpath(path), target)
    target.chmod(0o755 if ".so" in target.name else 0o644)


def fill(folder, built):
    """What the image holds; returns the packages that it came from."""
    shutil.rmtree(folder, ignore_errors=True)
    tarball.tree(stage.Program(built), folder / "usr", "image")
    libraries = pathlib.Path("usr/lib", link.printed("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip())
    packages = [installed(names) for names in LIBRARIES]
    for package, names in zip(packages, LIBRARIES.values()):
        for name in names:
            target = libraries / name
            if name.startswith("ld-linux"):
                target = pathlib.Path(LOADERS[link.machine()])
                name = target.name
            copy(f"/lib/{libraries.name}/{name}", folder / target)
        copy(f"/usr/share/doc/{package}/copyright", folder / f"usr/share/doc/{package}/copyright")
    # Those of the package alone, and none that this machine trusts beside them.
    roots = sorted(pathlib.Path("/usr/share/ca-certificates/mozilla").glob("*.crt"))
    (folder / "usr/lib/ssl").mkdir(parents=True)
    (folder / "usr/lib/ssl/cert.pem").write_text("".join(root.read_text() for root in roots))
    copy("/usr/share/doc/ca-certificates/copyright", folder / "usr/share/doc/ca-certificates/copyright")
    (folder / "etc").mkdir()
    (folder / "etc/passwd").write_text(f"root:x:0:0::/:/none\napus:x:{USER}:{USER}::/{VOLUME}:/none\n")
    (folder / "etc/group").write_text(f"root:x:0:\napus:x:{USER}:\n")
    for name in (VOLUME, "dev", "proc", "sys", "tmp"):
        (folder / name).mkdir()
    for path in folder.rglob("*"):
        if path.is_dir():
            path.chmod(0o755)
    (folder / "tmp").chmod(0o1777)
    return [*packages, "ca-certificates"]


class Layout:
    """The files of an image, by their digests."""

    def __init__(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        self.folder = folder
        self.blobs = folder / "blobs/sha256"
        self.blobs.mkdir(parents=True)
        self.write("oci-layout", {"imageLayoutVersion": "1.0.0"})

    def write(self, name, value):
        (self.folder / name).write_text(json.dumps(value, sort_keys=True))

    def add(self, kind, data):
        if not isinstance(data, bytes):
            data = json.dumps(data, sort_keys=True).encode()
        name = hashlib.sha256(data).hexdigest()
        (self.blobs / name).write_bytes(data)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{name}", "size": len(data)}


def layer(folder):
    """The archive of a folder, and the same compressed. The volume belongs to who uses it."""
    archive = io.BytesIO()

    def owned(entry):
        entry.mode = entry.mode & 0o1777
        if entry.name == VOLUME:
            entry.uid = entry.gid = USER
        return entry

    tarball.pack(archive, folder, change=owned)
    compressed = io.BytesIO()
    with gzip.GzipFile(fileobj=compressed, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(archive.getvalue())
    return archive.getvalue(), compressed.getvalue()


def make(program, packages, work):
    built = link.static(work, tarball.GLIBC)
    version = stage.version_of(program)
    folder = work / "image"
    held = fill(folder, built)
    plain, compressed = layer(folder)
    layout = Layout(work / "layout")
    time = bill.time_text()
    labels = {
        "org.opencontainers.image.title": "apus",
        "org.opencontainers.image.description": "HEVC photos and video, down to the last bit",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.revision": stage.git("rev-parse", "HEAD"),
        "org.opencontainers.image.licenses": "MIT",
        "org.opencontainers.image.created": time,
    }
    config = layout.add("config.v1+json", {
        "created": time,
        "architecture": ARCHITECTURES[link.machine()],
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Env": ["PATH=/usr/bin", "LC_ALL=C.UTF-8"],
            "Entrypoint": ["/usr/bin/apus"],
            "Cmd": ["--help"],
            "WorkingDir": f"/{VOLUME}",
            "Volumes": {f"/{VOLUME}": {}},
            "StopSignal": "SIGTERM",
            "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(plain).hexdigest()]},
        "history": [{"created": time, "created_by": "Scripts/package image"}],
    })
    manifest = layout.add("manifest.v1+json", {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config,
        "layers": [layout.add("layer.v1.tar+gzip", compressed)],
        "annotations": labels,
    })
    manifest["annotations"] = {"org.opencontainers.image.ref.name": f"apus:{re.sub('[^A-Za-z0-9_.-]', '-', version)}"}
    layout.write("index.json", {
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]})
    path = packages / f"apus-{version}-oci-{ARCHITECTURES[link.machine()]}.tar"
    with open(path, "wb") as file:
        tarball.pack(file, layout.folder)
    components = [*tarball.components(), *(bill.debian(package) for package in held)]
    return [path, bill.write(path, "apus", version, folder, {part["name"]: part for part in components}.values())]
