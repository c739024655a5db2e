# SPDX-License-Identifier: MIT
"""Links the objects of the release build once more: without the path of the build, and with other libraries."""

import ast
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import stage
import target

BUILD = stage.ROOT / ".build" / (target.other or "")
MANIFEST = BUILD / "release.yaml"


def run(*words, **options):
    done = subprocess.run(
        [str(word) for word in words], stdin=subprocess.DEVNULL, text=True, **options)
    if done.returncode:
        raise SystemExit(f"{words[0]} failed with {done.returncode}")
    return done


def printed(*words):
    return run(*words, stdout=subprocess.PIPE).stdout


def swift_licence():
    """The licence of the Swift libraries: that of a toolchain from swift.org, or of Debian's."""
    found = [target.tools().parent / "share/swift/LICENSE.txt", pathlib.Path("/usr/share/doc/swiftlang/copyright")]
    return next(path for path in found if path.exists())


def archive(name):
    """A library that Debian has to be linked statically."""
    path = pathlib.Path(printed(*target.compiler(), f"-print-file-name={name}").strip())
    if not path.is_absolute():
        raise SystemExit(f"{name} is missing")
    return path


def source(work, package, name, patched=True):
    """Fetches what Debian made an installed package from, with or without Debian's patches, and gives the folder that it was
    unpacked in."""
    version = printed(*target.dpkg_query(), "-W", "-f", "${source:Version}", package)
    # make takes no colon in a path.
    folder = work / f"{name}_{version.replace(':', '-')}"
    if (folder / "source").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "lists/partial").mkdir(parents=True)
    uris = printed("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages")
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    found = [line.split() for line in uris.splitlines() if re.search(r"/debian(?:-security)?/? .* main$", line)]
    lines = dict.fromkeys(f"deb-src [signed-by={keys}] {uri} {target.suite or suite} {component}"
                          for uri, suite, component in found)
    (folder / "sources.list").write_text("".join(f"{line}\n" for line in lines))
    options = [f"-oDir::Etc::SourceList={folder}/sources.list", "-oDir::Etc::SourceParts=-",
               f"-oDir::State::Lists={folder}/lists", "-oAPT::Sandbox::User=root"]
    with open(folder / "log", "w") as log:
        apt = dict(cwd=folder, stdout=log, stderr=subprocess.STDOUT)
        run("apt-get", *options, "update", **apt)
        run("apt-get", *options, "source", "--download-only", *([] if patched else ["--tar-only"]), f"{name}={version}", **apt)
        if patched:
            run("dpkg-source", "--extract", next(folder.glob("*.dsc")), "unpacked", **apt)
        else:
            (folder / "unpacked").mkdir()
            run("tar", "-xf", next(folder.glob("*.orig.tar.*")), "-C", "unpacked", "--strip-components=1", **apt)
    os.rename(folder / "unpacked", folder / "source")
    return folder


def spng(work):
    """libspng as an archive. Debian has its source and the shared library alone, and patches only its tests."""
    folder = source(work, "libspng-dev", "libspng", patched=False)
    made = folder / "libspng.a"
    if made.exists():
        return made
    with open(folder / "log", "a") as log:
        within = dict(cwd=folder, stdout=log, stderr=subprocess.STDOUT)
        run(*target.compiler(), "-O2", "-fPIC", "-ffunction-sections", "-fdata-sections", f"-ffile-prefix-map={folder}=.", "-c",
            "source/spng/spng.c", "-o", "spng.o", **within)
        run("ar", "rcsD", "libspng.a.new", "spng.o", **within)
    os.rename(folder / "libspng.a.new", made)
    return made


def cmake():
    """What CMake must know of another machine."""
    if not target.other:
        return []
    return ["-DCMAKE_SYSTEM_NAME=Linux", f"-DCMAKE_SYSTEM_PROCESSOR={target.machine}", f"-DCMAKE_SYSROOT={target.system}",
            f"-DCMAKE_C_COMPILER={target.tools() / 'clang'}", f"-DCMAKE_C_COMPILER_TARGET={target.triple}",
            "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"]


def jpeg(work):
    """libjpeg-turbo as an archive for libraries, which Debian's is not: its code knows its address."""
    folder = source(work, "libjpeg62-turbo-dev", "libjpeg-turbo")
    made = folder / "build/libjpeg.a"
    if made.exists():
        return made
    shutil.rmtree(folder / "build", ignore_errors=True)
    with open(folder / "log", "a") as log:
        within = dict(cwd=folder, stdout=log, stderr=subprocess.STDOUT)
        run("cmake", "-S", "source", "-B", "build", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_POSITION_INDEPENDENT_CODE=ON",
            "-DENABLE_SHARED=OFF", "-DWITH_TURBOJPEG=OFF", *cmake(), f"-DCMAKE_C_FLAGS=-ffile-prefix-map={folder}=.", **within)
        run("cmake", "--build", "build", "--target", "jpeg-static", "--parallel", **within)
    return made


def linking(product="apus", kind="exe"):
    """How SwiftPM links the command, or another product."""
    text = MANIFEST.read_text()
    found = re.search(rf'^  "C\.{product}-{target.machine}-\w+-linux-gnu-release\.{kind}":\n(?:    .*\n)*?    args: (\[.*\])$', text, re.M)
    if not found:
        raise SystemExit(f"{MANIFEST} does not say how {product} is linked")
    return ast.literal_eval(found[1])


def split(job):
    """The words of a job as the driver prints it: where they are too many, it names a file of them, which is gone, and has them
    in a comment."""
    tool, *rest = shlex.split(job)
    return [tool, *(rest[rest.index("#") + 1 :] if "#" in rest else rest)]


def link(words, linked, first=()):
    """Links as the driver of Swift does, with something before everything else."""
    work = linked.parent
    # The option before it goes, too.
    place = next(index for index, word in enumerate(words) if word.startswith("-rpath"))
    words = words[: place - 1] + words[place + 1 :]
    words[words.index("-o") + 1] = str(linked)
    jobs = printed(*words, "-driver-print-jobs").splitlines()
    for job in jobs[:-1]:
        run(*split(job), cwd=stage.ROOT)
    tool, *rest = split(jobs[-1])
    run(tool, *first, f"-Wl,-T,{stage.ROOT}/Scripts/packaging/link.ld", *rest, cwd=stage.ROOT)


def older(words, work):
    """How something is linked that runs with older C libraries than this system's, and what is linked with it."""
    place = words.index("pack-relative-relocs")
    compiled = work / "glibc.o"
    run(*target.compiler(), "-O2", "-fPIC", "-ffunction-sections", "-Wall", "-Wextra", "-Werror", "-c",
        stage.ROOT / "Scripts/packaging/glibc.c", "-o", compiled)
    return words[: place - 3] + words[place + 1 :], compiled


def shared(work):
    """The program with its symbols, linked with the libraries that this release of Debian has; that of C++, which only the
    runtime of Swift uses, and which takes half as long to load as all else, is inside."""
    linked = work / "apus.shared"
    link(linking(), linked, ["-Wl,--as-needed", "-static-libgcc", archive("libstdc++.a")])
    return linked


@functools.cache
def static(work, newest):
    """The program with all that it is linked to inside, but for glibc, stripped."""
    words, functions = older(linking(), work)
    inside = {"-ljpeg": archive("libjpeg.a"), "-lspng": spng(work)}
    for word in inside:
        words.remove(word)
    linked, built = work / "apus.static", work / "apus"
    # An archive that is named first is taken before a shared library, which then is not needed.
    archives = [*inside.values(), *map(archive, ("libz.a", "libstdc++.a"))]
    link(words, linked, ["-Wl,--as-needed", "-static-libgcc", functions, *archives])
    run(target.binutil("strip"), "--strip-all", "-o", built, linked)
    check(built, newest)
    return built


def check(built, newest):
    """Refuses a program that needs more than a C library of some age."""
    needs = set(re.findall(r"NEEDED\s+(\S+)", printed(target.binutil("objdump"), "-p", built)))
    needs -= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    if needs:
        raise SystemExit(f"the program needs {', '.join(sorted(needs))}")
    found = set(re.findall(r"\bGLIBC_(\w[\w.]*)", printed(target.binutil("objdump"), "-p", built)))
    # Names of what the dynamic linker must know have no number.
    numbers = {name for name in found if name[0].isdigit()}
    version = max(tuple(map(int, number.split("."))) for number in numbers)
    if version > newest or found > numbers:
        raise SystemExit(f"{built.name} needs glibc {'.'.join(map(str, version))} {' '.join(found - numbers)}; make it in "
                         "Debian 12: Scripts/in debian12 Scripts/package tarball")
