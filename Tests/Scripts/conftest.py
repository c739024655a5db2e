# SPDX-License-Identifier: MIT
"""The harness of the script tests: material, the order of the cases, and the names of packages that are missing.

Functions that run, compare and wait are in Tests/Peers: `programs` for every test, `service`, `jobs`, `nginx` and others for
those of one kind."""

import ctypes
import fcntl
import os
import re
import shutil
import subprocess

import pytest

pytest.register_assert_rewrite("browser", "clusters", "jobs", "media", "nginx", "programs", "recordings", "service")

import clusterpython  # noqa: E402
import media  # noqa: E402
from programs import APUS, PYTHON, ROOT, Failure, built, run  # noqa: E402

# From linux/sched.h.
CLONE_NEWNS = 0x20000
# Debian's packages of programs and modules that are named otherwise.
PACKAGES = {
    "bwrap": "bubblewrap", "cjpeg": "libjpeg-turbo-progs", "clang": "clang", "convert": "imagemagick",
    "dbus-run-session": "dbus", "djpeg": "libjpeg-turbo-progs", "exiftool": "libimage-exiftool-perl", "ffprobe": "ffmpeg",
    "g++": "g++", "gm": "graphicsmagick", "gst-launch-1.0": "gstreamer1.0-tools", "heif-convert": "libheif-examples",
    "heif-dec": "libheif-examples", "heif-enc": "libheif-examples", "heif-info": "libheif-examples",
    "html5lib": "python3-html5lib", "identify": "imagemagick", "jpegtran": "libjpeg-turbo-progs",
    "jsonschema": "python3-jsonschema", "mkntfs": "ntfs-3g", "qemu-aarch64": "qemu-user", "script": "bsdutils",
    "srt-live-transmit": "srt-tools", "systemd-run": "systemd", "tumblerd": "tumbler", "websocket": "python3-websocket",
}  # fmt: skip

# Modules that come from the Python Package Index, which `.build/python` has.
PYPI = {"PIL", "dask", "fsspec", "gcsfs", "m3u8", "moto", "numpy", "pillow_heif", "pyarrow", "pyrtmp", "ray", "s3fs"}


def pytest_sessionstart(session):
    """Builds the program if it is out of date; `Scripts/test` has done that already, and says so."""
    if hasattr(session.config, "workerinput") or session.config.option.collectonly or "APUS" in os.environ:
        return
    subprocess.run(["bash", "-c", '. "$1"/Scripts/setup; need_apus', "pytest", ROOT], stdin=subprocess.DEVNULL, check=True)
    assert APUS.exists()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Long files come first. The cases of a file run in one process, which makes their material once, unless they are marked
    `apart`."""
    items.sort(key=lambda item: item.path.stat().st_size, reverse=True)
    for item in items:
        if not item.get_closest_marker("apart") and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def pytest_exception_interact(call, report):
    """Says which package has a program or a module that is missing."""
    error = call.excinfo.value
    name = None
    if isinstance(error, FileNotFoundError) and error.filename and "/" not in str(error.filename):
        name = str(error.filename)
    elif isinstance(error, ModuleNotFoundError):
        name = error.name
    elif found := re.search(r"ModuleNotFoundError: No module named '(\w+)'", str(error)):
        name = found[1]
    # A relative path may be missing for other reasons.
    if name and (name in PACKAGES or not re.search(r"\W", name.replace("-", "_"))):
        package = PACKAGES.get(name, name)
        source = "Scripts/test installs it for Python" if name in PYPI else f"it comes with the package {package}"
        report.longrepr = f"{name} is not installed; {source}\n\n{report.longrepr}"


def removed(path):
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def folder(tmp_path_factory):
    """An empty folder for one case."""
    path = tmp_path_factory.mktemp("case")
    yield path
    removed(path)


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """A folder that the cases of a file share."""
    path = tmp_path_factory.mktemp("work")
    yield path
    removed(path)


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """Returns a folder with material that all files share, filled by the first process that asks for it."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent

    def folder_of(name, make):
        path = base / "shared" / name
        path.mkdir(parents=True, exist_ok=True)
        with open(path.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.with_suffix(".made").exists():
                make(path)
                path.with_suffix(".made").touch()
        return path

    return folder_of


@pytest.fixture(scope="session")
def sources(shared):
    """Movies of three seconds to publish, by the names of their kinds: "8 bit" and "10 bit"."""
    folder = shared("sources", media.make)
    return {name: media.path_of(folder, name) for name in media.SOURCES}


@pytest.fixture(scope="session")
def avc(shared):
    """The same movie in AVC; next to it the same as FLV."""
    return media.avc_of(shared("avc", media.make_avc))


@pytest.fixture(scope="session")
def python():
    """The Python with the packages that Scripts/packages names with pip:."""
    if not PYTHON.exists():
        raise Failure(f"there is no {PYTHON}; Scripts/test installs it")
    return PYTHON


@pytest.fixture(scope="module")
def bindings():
    """The Python package, with the library that was built for debugging, also in the processes that a case starts."""
    with pytest.MonkeyPatch.context() as patch:
        if "APUS_LIBRARY" not in os.environ:
            patch.setenv("APUS_LIBRARY", str(built("apus-c", "libapus-c.so")))
        patch.setenv("PYTHONPATH", f"{ROOT}/Sources/Python:{ROOT}/Tests/Peers")
        for name, value in clusterpython.SETTINGS.items():
            patch.setenv(name, value)
        import apus
        yield apus


@pytest.fixture(scope="module")
def cluster(bindings):
    """A cluster of Ray on this machine."""
    import ray
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="session")
def mounts():
    """What this process mounts from now on is seen by it and its children alone, and is gone with them."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS):
        raise Failure(f"nothing can be mounted here: {os.strerror(ctypes.get_errno())}")
    run("mount", "--make-rprivate", "/")


@pytest.fixture
def disk(mounts, folder):
    """Returns a function that mounts an empty disk of a number of mebibytes."""
    mounted = []

    def disk_of(mebibytes):
        path = folder / "disk"
        path.mkdir()
        run("mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", path)
        mounted.append(path)
        return path

    yield disk_of
    for path in mounted:
        run("umount", "--lazy", path)
