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
import tarfile
import tempfile

import bill
import link
import stage
import tarball
import target

# Nobody: a user that no other system has something for.
USER = 65532
VOLUME = "photos"
# What the program opens on demand, and is in it: TLS, the decoder of predicted pictures, the server of HTTP, WebP.
OPENED = ["libssl.so.3", "libde265.so.0", "libmicrohttpd.so.12", "libwebp.so.7"]
LOADERS = {"x86_64": "lib64/ld-linux-x86-64.so.2", "aarch64": "lib/ld-linux-aarch64.so.1"}


def needed(path):
    """The libraries that a program or a library is linked with."""
    return re.findall(r"NEEDED\s+(\S+)", link.printed(target.binutil("objdump"), "-p", path))


def libraries(built, folder):
    """The libraries of the program, of what it opens, and of these, by the folder that they lie in."""
    found, asked = {}, [*needed(built), *OPENED]
    while asked:
        name = asked.pop()
        if name not in found:
            found[name] = folder / name
            asked += needed(found[name])
    return dict(sorted(found.items()))


def copy(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(os.path.realpath(path), target)
    target.chmod(0o755 if ".so" in target.name else 0o644)


def fill(folder, built):
    """What the image holds; returns the packages that it came from."""
    shutil.rmtree(folder, ignore_errors=True)
    tarball.tree(stage.Program(built), folder / "usr", "image")
    place = pathlib.Path("usr/lib", target.multiarch)
    packages = {}
    for name, path in libraries(built, target.path(place)).items():
        loader = pathlib.Path(LOADERS[target.machine])
        copy(path, folder / (loader if name == loader.name else place / name))
        packages[bill.owner(path)] = True
    for package in packages:
        copy(target.path(f"usr/share/doc/{package}/copyright"), folder / f"usr/share/doc/{package}/copyright")
    # Those of the package alone, and none that this machine trusts beside them.
    roots = sorted(target.path("usr/share/ca-certificates/mozilla").glob("*.crt"))
    (folder / "usr/lib/ssl").mkdir(parents=True)
    (folder / "usr/lib/ssl/cert.pem").write_text("".join(root.read_text() for root in roots))
    copy(target.path("usr/share/doc/ca-certificates/copyright"), folder / "usr/share/doc/ca-certificates/copyright")
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


def index(manifests):
    return {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": manifests}


def joined(paths):
    """Makes an image of all architectures of each of these images of one; returns the paths of those that have several."""
    for path in paths:
        found = re.fullmatch(r"(apus-.*-oci)-\w+\.tar", path.name)
        parts = sorted(path.parent.glob(f"{found[1]}-*.tar")) if found else []
        if len(parts) < 2:
            continue
        with tempfile.TemporaryDirectory() as folder:
            layout = Layout(pathlib.Path(folder) / "layout")
            manifests = []
            for part in parts:
                with tarfile.open(part) as archive:
                    for entry in archive:
                        if entry.isfile() and entry.name.startswith("blobs/"):
                            (layout.folder / entry.name).write_bytes(archive.extractfile(entry).read())
                    manifests += json.load(archive.extractfile("index.json"))["manifests"]
            name = manifests[0]["annotations"]
            for manifest in manifests:
                del manifest["annotations"]
            # A runtime takes from the inner index what its machine runs.
            both = layout.add("index.v1+json", index(manifests))
            layout.write("index.json", index([{**both, "annotations": name}]))
            whole = path.with_name(f"{found[1]}.tar")
            with open(whole, "wb") as file:
                tarball.pack(file, layout.folder)
        yield whole


def make(packages, work):
    built = link.static(work, target.glibc)
    version = stage.version()
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
        "architecture": target.architecture,
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
    manifest["platform"] = {"architecture": target.architecture, "os": "linux"}
    layout.write("index.json", index([manifest]))
    path = packages / f"apus-{version}-oci-{target.architecture}.tar"
    with open(path, "wb") as file:
        tarball.pack(file, layout.folder)
    components = [*tarball.components(), *(bill.debian(package) for package in held)]
    return [path, bill.write(path, "apus", version, folder, {part["name"]: part for part in components}.values())]
