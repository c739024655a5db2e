# SPDX-License-Identifier: MIT
"""The process that converts the photos of a run dies: one photo is lost, none of the others, and none is made twice."""

import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess

import pytest

from programs import APUS, DEADLINE as SECONDS, FIXTURES, completed


def workers(run):
    """The processes that a run has started and that are alive."""
    found = []
    for task in pathlib.Path(f"/proc/{run.pid}/task").iterdir():
        try:
            found += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return found


@contextlib.contextmanager
def ending(process):
    """Waits until a process has ended, once what is to end it was done."""
    handle = os.pidfd_open(process)
    yield
    # It can be read when the process has ended.
    assert select.select([handle], [], [], SECONDS)[0], "the process goes on"
    os.close(handle)


def start(*words):
    return subprocess.Popen(
        [APUS, *map(str, words), "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def ended(run):
    """The reports by photo, of which none has two, and the summary."""
    output, error = run.communicate(timeout=SECONDS)
    lines = [json.loads(line) for line in output.splitlines()]
    reports = {line["input"]: line for line in lines[:-1]}
    assert len(reports) == len(lines) - 1, "a photo was reported twice"
    return reports, lines[-1]["summary"], error


def files(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def library(folder, count, letters="p"):
    """Photos of three kinds and, in their middle, named pipes, on which any reader waits."""
    folder.mkdir()
    kinds = ["photo.heic", "orientation-3.heic", "portrait.heic"]
    for number in range(count):
        shutil.copy(FIXTURES / kinds[number % 3], folder / f"{number:02}.heic")
    pipes = [folder / f"{count // 2:02}{letter}.heic" for letter in letters]
    for pipe in pipes:
        os.mkfifo(pipe)
    return pipes


def kill_while_converting(run, kind, *pipes):
    """Ends the process that has opened the pipes."""
    writers = [os.open(pipe, os.O_WRONLY) for pipe in pipes]
    (worker,) = workers(run)
    # The run may not start another one, which would hear of these ends of the pipes, before they are closed.
    run.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, run.pid, os.WSTOPPED)
    with ending(worker):
        os.kill(worker, kind)
    for writer in writers:
        os.close(writer)
    run.send_signal(signal.SIGCONT)
    return worker


@pytest.mark.parametrize("kind, words", [
    (signal.SIGILL, ["convert", "-j", 3]),
    (signal.SIGSEGV, ["convert", "-j", 2, "--on-exists", "rename"]),
    (signal.SIGKILL, ["thumbnail", "-j", 2]),
    (signal.SIGABRT, ["extract", "-j", 3, "--role", "all", "--on-exists", "rename"]),
    (signal.SIGTRAP, ["export", "-j", 2, "--images", "current"]),
], ids=lambda value: value.name if isinstance(value, signal.Signals) else value[0])
def test_a_photo_that_ends_each_process_has_failed_with_the_signal_and_all_others_are_made_once(folder, kind, words):
    photos, out, whole = folder / "photos", folder / "out", folder / "whole"
    # A process that has one photo alone ends with it for good, so this one gets two.
    pipe, other = library(photos, 20, "pq")
    plain = [photos / f"{number:02}.heic" for number in range(20)]
    completed(APUS, *words, *plain, "-o", f"{whole}/")
    journal = [] if words[0] == "thumbnail" else ["--journal", folder / "journal"]
    run = start(*words, *plain[:10], pipe, other, *plain[10:], "-o", f"{out}/", *journal)
    first = kill_while_converting(run, kind, pipe, other)
    second = kill_while_converting(run, kind, pipe)
    with open(other, "wb") as writer:
        writer.write(plain[0].read_bytes())
    reports, summary, error = ended(run)
    name = signal.Signals(kind).name
    assert first != second and run.returncode == 1, (first, second, run.returncode, error)
    failed = {path: report["error"] for path, report in reports.items() if report["status"] == "failed"}
    assert list(failed) == [str(pipe)], (words, failed)
    assert failed[str(pipe)]["kind"] == "crash" and name in failed[str(pipe)]["message"], failed
    fault = "please report it" in failed[str(pipe)]["message"]
    assert fault == (kind != signal.SIGKILL), failed
    assert set(reports) == {str(pipe), str(other), *map(str, plain)}, set(reports)
    statuses = {report["status"] for path, report in reports.items() if path != str(pipe)}
    assert statuses == {"converted"}, (words, statuses)
    assert summary["converted"] == 21 and summary["failed"] == 1, summary
    made = {name: data for name, data in files(out).items() if not name.startswith(other.stem)}
    assert made == files(whole), (words, set(made) ^ set(files(whole)))
    if journal:
        lines = journal[1].read_text().splitlines()[1:]
        assert len(lines) == 22, lines


def test_a_process_that_is_ended_once_costs_no_photo(folder):
    """A process that is ended once, whatever it does then, costs no photo."""
    photos = folder / "photos"
    pipes = library(photos, 12, "pq")
    data = (FIXTURES / "photo.heic").read_bytes()
    run = start("convert", "-j", 2, *sorted(photos.iterdir()), "-o", f"{folder / 'out'}/")
    kill_while_converting(run, signal.SIGBUS, *pipes)
    for pipe in pipes:
        with open(pipe, "wb") as writer:
            writer.write(data)
    reports, summary, _ = ended(run)
    assert run.returncode == 0 and summary["converted"] == 14 == len(reports), summary
    assert len(files(folder / "out")) == 14


@pytest.mark.parametrize("kind", (signal.SIGINT, signal.SIGTERM))
def test_an_interrupted_run_reports_what_was_whole_and_leaves_no_process(folder, kind):
    """Ctrl-C reaches the run alone; what was whole is reported, and no process stays."""
    photos, out = folder / "photos", folder / "out"
    (pipe,) = library(photos, 12)
    run = start("convert", "-j", 2, *sorted(photos.iterdir()), "-o", f"{out}/")
    writer = os.open(pipe, os.O_WRONLY)
    (worker,) = workers(run)
    run.send_signal(kind)
    # A run that ends at once does not say that it is stopping.
    while (said := os.read(run.stderr.fileno(), 1 << 16)) and b"stopping" not in said:
        pass
    os.close(writer)
    reports, summary, _ = ended(run)
    assert run.returncode == 128 + kind and summary["interrupted"], (run.returncode, summary)
    assert len(files(out)) == len(reports) == summary["converted"], (len(files(out)), summary)
    assert str(pipe) not in reports, reports[str(pipe)]
    assert not pathlib.Path(f"/proc/{worker}").exists()


def test_a_run_that_is_killed_leaves_no_process(folder):
    """A run that is killed leaves no process behind."""
    photos = folder / "photos"
    (pipe,) = library(photos, 6)
    run = start("convert", "-j", 2, *sorted(photos.iterdir()), "-o", f"{folder / 'out'}/")
    writer = os.open(pipe, os.O_WRONLY)
    (worker,) = workers(run)
    with ending(worker):
        run.kill()
    run.communicate(timeout=SECONDS)
    os.close(writer)


def test_a_program_that_names_one_photo_after_another_gets_each_report(folder):
    """A program that names a photo when it has the report of the one before gets each report."""
    run = subprocess.Popen(
        [APUS, "convert", "--files-from", "-", "-o", f"{folder / 'out'}/", "--json"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    for name in ("photo.heic", "orientation-3.heic", "portrait.heic"):
        run.stdin.write(f"{FIXTURES / name}\n")
        run.stdin.flush()
        assert json.loads(run.stdout.readline())["input"] == str(FIXTURES / name)
    assert ended(run)[1]["converted"] == 3


def test_one_photo_needs_no_other_process(folder):
    """One photo needs no other process."""
    pipe = folder / "pipe.heic"
    os.mkfifo(pipe)
    run = start("convert", pipe, "-o", folder / "out.jpg")
    with open(pipe, "wb") as writer:
        assert workers(run) == [], workers(run)
        writer.write((FIXTURES / "photo.heic").read_bytes())
    assert ended(run)[1]["converted"] == 1


def test_where_no_thread_can_be_started_each_photo_has_failed_for_that_reason(folder):
    """Where no thread can be started, each photo has failed for that reason."""
    folder.chmod(0o755)
    for name in ("a.heic", "b.heic"):
        shutil.copy(FIXTURES / "photo.heic", folder / name)
    (folder / "out").mkdir(mode=0o777)
    # The superuser has no such limit.
    user = {"user": 65533, "group": 65533, "extra_groups": []} if os.geteuid() == 0 else {}
    done = completed(
        "bash", "-c", 'ulimit -u 1; exec "$@"', "bash", APUS, "convert", "a.heic", "b.heic", "-o", "out/", "--json",
        cwd=folder, text=True, status=1, **user)
    reports = [json.loads(line) for line in done.stdout.splitlines()][:-1]
    reasons = {report["error"]["message"] for report in reports}
    assert len(reports) == 2, (done.stdout, done.stderr)
    assert reasons == {"cannot start a thread: Resource temporarily unavailable"}, reasons


@pytest.mark.parametrize("words", [
    ["photo.heic"], ["photo.heic", "still-predicted.heic", "420.jpg"],
    ["--isolate", "photo.heic", "still-predicted.heic", "420.jpg"],
    ["--format", "heic", "--encoder", "x265", "photo.heic", "still-predicted.heic", "420.jpg"],
])  # fmt: skip
def test_a_limit_of_the_stack_that_leaves_too_little_for_a_thread_ends_nothing(folder, words):
    completed("bash", "-c", 'ulimit -s 64; exec "$@"', "bash", APUS, "convert", *words, "-o", f"{folder}/", cwd=FIXTURES)
