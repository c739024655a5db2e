#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fleet.py [SECONDS OF A PHOTO]: how long many machines take over many photos when some are slow and some are taken away.

Batches and retries are those of apus.ray. A photo takes SECONDS of a processor on average (0.2 unless said), by a
logarithmic normal distribution, and one of a thousand takes ten times as long; one machine of fifty has half the speed. A
machine that is taken away loses the batch that it has begun, whose photos others convert again, and another machine comes
after two minutes and begins its actors for ten seconds. Prints a Markdown table."""

import heapq
import math
import random
import sys

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 0.2
CORES = 4  # of a machine, which is one actor
BATCH = 64  # photos at most
SHARE = 8  # a batch is this part of what is left for a processor, at most
PHOTOS = 12_288  # for each processor
SPREAD, RARE, LONGER = 0.6, 0.001, 10
SLOW, SLOWER = 0.02, 2.0
REPLACED, BEGUN = 120.0, 10.0


def batch_seconds(chance, photos):
    """What some photos take of a processor: by the mean and the variance of one."""
    mean = SECONDS / (1 + RARE * (LONGER - 1))
    rare = sum(chance.random() < RARE for _ in range(photos))
    spread = mean * math.sqrt((math.exp(SPREAD ** 2) - 1) * photos)
    return max(0.0, chance.gauss(mean * photos, spread)) + rare * (LONGER - 1) * mean


def simulate(machines, lost_an_hour, seed=1):
    """Seconds of the job, the share of that time in which processors were at work that counts, the share of photos that
    were converted more than once, and how many photos there were."""
    chance = random.Random(seed)
    speed = [SLOWER if chance.random() < SLOW else math.exp(chance.gauss(0, 0.05)) for _ in range(machines)]
    leaves = [chance.expovariate(lost_an_hour / 3600) if lost_an_hour else math.inf for _ in range(machines)]
    end, useful, repeated = 0.0, 0.0, 0
    left = done = machines * CORES * PHOTOS
    # When a machine is free for its next batch: it has CORES threads, so that batches of it end one after the other.
    free = [(BEGUN, machine) for machine in range(machines)]
    heapq.heapify(free)
    while left:
        moment, machine = heapq.heappop(free)
        if moment >= leaves[machine]:
            back = leaves[machine] + REPLACED + BEGUN
            leaves[machine] = back + chance.expovariate(lost_an_hour / 3600)
            speed[machine] = SLOWER if chance.random() < SLOW else math.exp(chance.gauss(0, 0.05))
            heapq.heappush(free, (max(back, moment), machine))
            continue
        photos = min(left, BATCH, max(CORES, math.ceil(left / (machines * CORES * SHARE))))
        work = batch_seconds(chance, photos)
        took = work * speed[machine] / CORES
        if moment + took > leaves[machine]:
            repeated += photos // 2
            heapq.heappush(free, (leaves[machine], machine))
            continue
        left -= photos
        useful += work
        end = max(end, moment + took)
        heapq.heappush(free, (moment + took, machine))
    return end, useful / (end * machines * CORES), repeated / done, done


def main():
    print(f"A photo takes {SECONDS} s of a processor; machines of {CORES}.\n")
    print("| machines | taken away, an hour | photos an hour | processors at work | photos converted twice | 10⁹ photos |")
    print("|---|---|---|---|---|---|")
    for machines in (10, 100, 1000):
        for lost in (0.0, 0.05, 0.5, 2.0):
            seconds, busy, repeated, done = simulate(machines, lost)
            hourly = done / seconds * 3600
            days = 1e9 / hourly / 24
            print(f"| {machines} | {lost:.0%} | {hourly / 1e6:.2f} million | {busy:.1%} | {repeated:.3%} | {days:.1f} days |")


main()
