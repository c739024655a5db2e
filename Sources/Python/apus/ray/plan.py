# SPDX-License-Identifier: MIT
"""What a job does: which photos, into which files, and which not, by what is there and what earlier runs have said."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

from . import manifest as _manifest
from .places import Entry
from .work import Row, Work, blank

if TYPE_CHECKING:
    from .job import Job

# As `apus convert -r` looks for them.
PHOTOS = (".heic", ".heif", ".hif", ".avci", ".heics")
PICTURES = (".jpg", ".jpeg", ".png", ".ppm", ".pgm", ".y4m")
ENDINGS = {"jpeg": "jpg"}


@dataclass
class Plan:
    """Every photo of a job, in one of these lists."""

    todo: List[Work] = field(default_factory=list)
    # Rows of the manifest for photos that are not converted, with the reason.
    settled: List[Row] = field(default_factory=list)
    finished: int = 0
    failed_before: int = 0
    bytes: int = 0
    # The files that the photos of the job become, with the photo of each.
    targets: Dict[str, str] = field(default_factory=dict)


def options_text(options: Mapping[str, Any], sizes: Sequence[int], facts: Sequence[str]) -> str:
    """What was asked for, the same text for the same thing."""
    asked: Dict[str, Any] = {name.replace("_", "-"): value for name, value in options.items() if value not in (None, False)}
    if sizes:
        asked["sizes"] = sorted(sizes)
    if facts:
        asked["facts"] = sorted(facts)
    return json.dumps(asked, sort_keys=True)


def names(source: str, format: str, sizes: Sequence[int]) -> List[str]:
    """The files that are made of a photo, as `apus convert` calls them."""
    stem = source[:source.rindex(".")]
    ending = ENDINGS.get(format, format)
    return [f"{stem}.{size}.{ending}" for size in sizes] if sizes else [f"{stem}.{ending}"]


def looked_for(name: str, format: str) -> bool:
    """Whether a file is one that is converted."""
    folders, _, file = name.rpartition("/")
    wanted = PICTURES if format == "heic" else PHOTOS
    stem, dot, ending = file.rpartition(".")
    return bool(stem) and "." + ending.lower() in wanted


def make(entries: Mapping[str, Entry], there: Mapping[str, Entry], kept: _manifest.Manifest, job: Job) -> Plan:
    """The plan.

    - Parameter entries: the files of the source.
    - Parameter there: the names of the files in the target.
    - Parameter kept: the manifest.
    """
    plan = Plan()
    claimed = plan.targets
    begun = job.begun()
    sources_in_target = job.sources_in_target(entries)
    for name in sorted(entries, key=str.encode):
        entry = entries[name]
        targets = names(name, job.format, job.sizes)
        row = kept.known.get(name)
        taken = next((target for target in targets if target in claimed), None)
        if taken is not None:
            plan.settled.append(refused(entry, job, "failed", "misuse",
                                        f"{taken} is the output of {claimed[taken]}, another file of this run"))
            continue
        claimed.update((target, name) for target in targets)
        own = next((target for target in targets if target in sources_in_target), None)
        if own is not None:
            plan.settled.append(refused(entry, job, "failed", "misuse", f"{own} is a file that the job reads"))
            continue
        # What an earlier run has said of the same photo and the same options.
        same = row if row is not None and row.options == job.text and (
            row.etag or "", row.size, 0.0 if row.etag else row.mtime or 0.0) == entry.identity else None
        if same and same.status in ("converted", "salvaged") and all(target in there for target in same.targets):
            plan.finished += 1
            continue
        if same and same.status == "failed" and same.error_kind != "misuse" and not job.retry_failed:
            plan.failed_before += 1
            continue
        ours = dict(zip(row.targets, row.digests)) if row else {}
        foreign = [target for target in targets if target in there and target not in ours]
        # What a run that was killed may have written is compared, once it was made again.
        foreign = [target for target in foreign if target not in begun]
        if foreign and not job.replaces:
            plan.settled.append(refused(entry, job, "skipped", None, f"{foreign[0]} is there already"))
            continue
        plan.todo.append(Work(name, entry.etag, entry.mtime, entry.size, targets,
                              {target: ours[target] for target in targets if target in ours}))
        plan.bytes += entry.size
    return plan


def refused(entry: Entry, job: Job, status: str, kind: Optional[str], reason: str) -> Row:
    """The row of a photo that is not converted."""
    row = blank(entry.path, entry.etag, entry.mtime, entry.size, job.version, job.text)
    row.update(status=status, warnings=[] if kind else [reason], error_kind=kind, error=reason if kind else None)
    return row
