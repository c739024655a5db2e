# SPDX-License-Identifier: MIT
"""apus.ray: thousands of photos in S3, whose workers and driver are killed at random, and what it costs over one machine."""

import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

COUNT = 2000
# Photos of 12 megapixels, and how often they are converted, for the cost of a cluster over one machine.
LARGE, TURNS = 60, 2
# So few that their time is that of starting the processes.
FEW = 2
MOST = 0.15


def measure(root, count=COUNT):
    """Starts this file with what it needs."""
    script = '. "$1"/Scripts/setup; need_packages run test; need_python cluster; build_release apus-c; echo "$python"'
    python = os.environ.get("APUS_PYTHON") or subprocess.run(
        ["bash", "-c", script, "bash", root], stdout=subprocess.PIPE, text=True, check=True,
        stdin=subprocess.DEVNULL).stdout.split()[-1]
    paths = f"{root}/Sources/Python:{root}/Tests/Peers"
    subprocess.run([python, __file__, str(count)], check=True, stdin=subprocess.DEVNULL, env={
        **os.environ, "APUS_LIBRARY": f"{root}/.build/release/libapus-c.so", "PYTHONPATH": paths, "RAY_AUTH_MODE": "disabled",
        "RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"})


def descendants(parent):
    """The processes below one, with their command lines."""
    children, names = {}, {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            names[int(path.name)] = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(path.name))
    found, left = {}, [parent]
    while left:
        for child in children.get(left.pop(), []):
            found[child] = names[child]
            left.append(child)
    return found


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def killed_run(words, chance, kill_driver):
    """Runs a driver whose workers are killed now and then, and which is killed itself where that is asked for. Returns its
    status and how many workers were killed."""
    driver = subprocess.Popen([sys.executable, "-m", "apus.ray", *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    killed, began = 0, None
    family = {}
    while driver.poll() is None:
        time.sleep(0.25)
        family.update(descendants(driver.pid))
        workers = [process for process, name in descendants(driver.pid).items() if name.startswith("ray::convert")]
        if not workers:
            continue
        began = began or time.monotonic()
        if kill_driver and time.monotonic() - began > kill_driver:
            os.kill(driver.pid, signal.SIGKILL)
            break
        if chance.random() < 0.06:
            os.kill(chance.choice(workers), signal.SIGKILL)
            killed += 1
    driver.wait()
    # What the driver has started ends with it, or is ended here: another run is to have the machine for itself.
    end = time.monotonic() + 20
    while any(map(is_alive, family)) and time.monotonic() < end:
        time.sleep(0.2)
    for process in filter(is_alive, family):
        os.kill(process, signal.SIGKILL)
    return driver.returncode, killed


def trial(work, store, count):
    import clusters
    folder = work / "photos"
    clusters.photos(folder, count)
    store.fill("s3://photos/all", folder)
    files, said = clusters.one_machine(folder, "-q", 85)
    words = ["s3://photos/all", "s3://jpegs/all", "-q", "85", "--endpoint", store.endpoint]
    chance, runs, killed = random.Random(23), 0, 0
    for seconds in (4, 8, 12, None):
        status, workers = killed_run(words, chance, seconds)
        runs, killed = runs + 1, killed + workers
        if seconds is None or status in (0, 1, 3):
            break
    # Photos under way when two workers were killed one after the other count as those that have ended them.
    rows = clusters.rows_of(store.place("s3://jpegs/all/_apus"))
    blamed = sum(row["error_kind"] == "crash" for row in rows.values())
    if blamed:
        subprocess.run([sys.executable, "-m", "apus.ray", *words, "--retry-failed"], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    clusters.compare(files, said, store.place("s3://jpegs/all"))
    failed = sum(line["status"] == "failed" for line in said.values())
    print(f"\n{len(said)} photos, {failed} of them broken or refused; {killed} workers killed and {runs - 1} times the driver; "
          f"{blamed} photos wrongly blamed, and tried again: every output and every row as on one machine.\n")


class Meter(threading.Thread):
    """Processor time of the processes below this one, which are looked at often, for one that has ended says nothing."""

    def __init__(self):
        super().__init__(daemon=True)
        self._ticks = {}
        self._is_over = threading.Event()

    def run(self):
        while not self._is_over.wait(0.1):
            self.look()

    def look(self):
        for process in descendants(os.getpid()):
            try:
                fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            now = int(fields[11]) + int(fields[12])
            first, _ = self._ticks.get(process, (0, 0))
            self._ticks[process] = (first, now)

    def __enter__(self):
        # What was there before has begun with what it has used by now; what comes later, with nothing.
        self.look()
        self._ticks = {process: (now, now) for process, (_, now) in self._ticks.items()} or {0: (0, 0)}
        self.start()
        return self

    def __exit__(self, *reason):
        self._is_over.set()
        self.join()
        self.look()

    @property
    def seconds(self):
        return sum(now - first for first, now in self._ticks.values()) / os.sysconf("SC_CLK_TCK")


def large(work):
    """A folder of photos of 12 megapixels."""
    import numpy

    import apus
    folder = work / "large"
    folder.mkdir()
    down, across = numpy.mgrid[0:3024, 0:4032].astype(numpy.float32)
    noise = numpy.random.default_rng(3).normal(0, 6, (3024, 4032, 3))
    waves = numpy.stack([numpy.sin(across / 91) * 60 + 128, numpy.cos(down / 57) * 60 + 128, (across + down) % 251], axis=2)
    photo = apus.encode(numpy.clip(waves + noise, 0, 255).astype(numpy.uint8), quality=60)
    for number in range(LARGE):
        (folder / f"{number}.heic").write_bytes(photo)
    return folder, len(photo)


def overhead(work):
    """The time and the processor time of one machine and of a cluster of as many workers, in turns."""
    import ray

    import apus.ray
    import clusters
    folder, size = large(work)
    workers = os.cpu_count()
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    photos = [str(path) for path in sorted(folder.iterdir())]
    found = {"apus convert -r": [], "apus.ray": [], f"apus.ray, {FEW} photos": []}
    for turn in range(TURNS):
        for name in found:
            target = work / f"{name}-{turn}".replace(" ", "-").replace(",", "")
            wall = time.monotonic()
            with Meter() as meter:
                if name.startswith("apus.ray"):
                    given = photos if name == "apus.ray" else photos[:FEW]
                    summary = apus.ray.convert(given, target)
                    assert summary.converted == len(given), summary
                else:
                    subprocess.run([clusters.PROGRAM, "convert", "-r", folder, "-o", f"{target}/"], check=True,
                                   stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            found[name].append((time.monotonic() - wall, meter.seconds))
    print(f"{LARGE} photos of 12 megapixels and {size / 1e6:.1f} MB, {workers} workers; the cluster was started "
          "before.\n\n| | seconds | processor seconds | of a photo |\n|---|---|---|---|")
    medians = {}
    for name, turns in found.items():
        medians[name] = [statistics.median(values) for values in zip(*turns)]
        wall, spent = medians[name]
        print(f"| {name} | {wall:.1f} | {spent:.1f} | {spent / (FEW if str(FEW) in name else LARGE):.3f} |")
    ray.shutdown()
    one, many, few = medians.values()
    more = [many[place] / one[place] - 1 for place in (0, 1)]
    steady = ((many[1] - few[1]) / (LARGE - FEW)) / (one[1] / LARGE) - 1
    print(f"\nThe cluster takes {more[0]:+.1%} of the time and {more[1]:+.1%} of the processor time; {steady:+.1%} of that once its "
          f"processes have started. The aim is at most {MOST:.0%}.")


def main(count):
    import clusters
    with tempfile.TemporaryDirectory() as place, clusters.Store(pathlib.Path(place)) as store:
        work = pathlib.Path(place)
        overhead(work)
        trial(work, store, count)


if __name__ == "__main__":
    main(int(sys.argv[1]))
