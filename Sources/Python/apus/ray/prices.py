# SPDX-License-Identifier: MIT
"""What a job would cost, by what earlier runs have measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, Sequence

from .manifest import Known
from .plan import Plan


@dataclass
class Prices:
    """In one currency; what stands here is what large clouds asked for in 2026, in US dollars."""

    processor_hour: float = 0.04
    read_requests: float = 0.0004  # a thousand
    write_requests: float = 0.005  # a thousand
    egress_gigabyte: float = 0.0  # within one region
    # Until runs have said how long their photos take: of one 12-megapixel photo of 2.1 MB, on a processor of 2.1 GHz.
    seconds_megabyte: float = 0.2

    def estimate(self, plan: Plan, rows: Iterable[Known], sizes: Sequence[int]) -> Dict[str, Any]:
        """Processor time, requests and what they cost, of a plan."""
        known = [row for row in rows if row.status == "converted" and row.size and row.seconds]
        bytes_known = sum(row.size for row in known)
        # Seconds of a row are those of the clock, in which several photos share the processors; so they are at most that.
        rate = sum(row.seconds for row in known) / bytes_known * 1e6 if bytes_known else self.seconds_megabyte
        grows = sum(row.bytes for row in known) / bytes_known if bytes_known else 1.5
        photos = len(plan.todo)
        hours = plan.bytes / 1e6 * rate / 3600
        reads, writes = photos, photos * max(1, len(sizes))
        cost = {"processors": hours * self.processor_hour,
                "requests": reads / 1000 * self.read_requests + writes / 1000 * self.write_requests,
                "egress": plan.bytes * grows / 1e9 * self.egress_gigabyte}
        return {"photos": photos, "bytes": plan.bytes, "finished_before": plan.finished, "failed_before": plan.failed_before,
                "settled": len(plan.settled), "processor_hours": hours, "is_measured": bool(known),
                "read_requests": reads, "write_requests": writes, "bytes_out": round(plan.bytes * grows),
                "cost": {**cost, "all": sum(cost.values())}}
