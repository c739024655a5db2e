# SPDX-License-Identifier: MIT
"""Checks the types of every target, tests as well, with the Swift that is on the PATH. No code is made, so it takes a third of the
time of a build."""

import concurrent.futures
import graphlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = pathlib.Path(os.path.realpath(shutil.which("swiftc"))).parents[1] / "lib/swift"
# Debian's compiler has assertions on: what it verifies of itself takes a seventh of the time.
WORDS = ["swiftc", "-wmo", "-package-name", "apus", "-enable-testing", "-plugin-path", LIBRARIES / "host/plugins/testing",
         "-Xfrontend", "-sil-verify-none"]
# The compiler's flags for the settings of a target. Other settings are for the linker.
FLAGS = {
    "swiftLanguageMode": "-swift-version",
    "enableUpcomingFeature": "-enable-upcoming-feature",
    "enableExperimentalFeature": "-enable-experimental-feature",
    "strictMemorySafety": "-strict-memory-safety",
}


def targets():
    """The targets by their names."""
    done = subprocess.run(["swift", "package", "--package-path", ROOT, "dump-package"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=True)
    return {target["name"]: target for target in json.loads(done.stdout)["targets"]}


def place(target):
    return ROOT / target.get("path", f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}")


def needs(target):
    return [name for dependency in target["dependencies"] for name, *_ in dependency.values()]


def flags(target):
    for setting in target["settings"]:
        (kind, value), = setting["kind"].items()
        if setting["tool"] == "swift" and kind in FLAGS:
            yield from [FLAGS[kind], *value.values()]


def module_map(target, folder):
    """The module map of a target of C; `None` for one of Swift."""
    if any(place(target).rglob("*.swift")):
        return None
    if (place(target) / "module.modulemap").exists():
        return place(target) / "module.modulemap"
    made = folder / f"{target['name']}.modulemap"
    made.write_text(f'module {target["name"]} {{ umbrella "{place(target) / "include"}" export * }}\n')
    return made


def resources(target, folder):
    """The file that the package manager makes of files that are compiled in."""
    if not target["resources"]:
        return []
    made = folder / f"{target['name']}-resources.swift"
    names = [pathlib.Path(resource["path"]).name.replace(".", "_") for resource in target["resources"]]
    made.write_text("".join(["enum PackageResources {\n", *[f"static let {name}: [UInt8] = []\n" for name in names], "}\n"]))
    return [made]


def check(target, maps, folder):
    """Makes the module of a target; of tests nothing is made."""
    files = sorted(place(target).rglob("*.swift"))
    words = [*WORDS, *flags(target), "-module-name", target["name"], "-I", folder, "-module-cache-path", folder / "cache"]
    words += [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
    if not any(path.name == "main.swift" for path in files):
        words.append("-parse-as-library")
    module = folder / f"{target['name']}.swiftmodule"
    words += ["-typecheck"] if target["type"] == "test" else ["-emit-module", "-emit-module-path", module]
    return subprocess.run([*words, *files, *resources(target, folder)], stdin=subprocess.DEVNULL, cwd=folder).returncode == 0


def main():
    known = targets()
    waiting = graphlib.TopologicalSorter({name: needs(target) for name, target in known.items()})
    waiting.prepare()
    wrong = []
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        folder = pathlib.Path(name)
        found = {name: module_map(target, folder) for name, target in known.items()}
        maps = [path for path in found.values() if path]
        jobs = {}
        while waiting.is_active():
            for ready in waiting.get_ready():
                job = pool.submit(check, known[ready], maps, folder) if not found[ready] else pool.submit(bool, True)
                jobs[job] = ready
            for job in concurrent.futures.wait(jobs, return_when=concurrent.futures.FIRST_COMPLETED).done:
                target = jobs.pop(job)
                wrong += [] if job.result() else [target]
                waiting.done(target)
    if wrong:
        sys.exit(f"typecheck: these targets do not compile: {', '.join(sorted(wrong))}")
    print(f"the types of {sum(not path for path in found.values())} targets are right")


if __name__ == "__main__":
    main()
