#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the instructions between successive samples of a pass: the guest's clock counts them."""
import collections
import pathlib
import statistics
import sys

import evl

# For a sleeping task, whose state is read twice, and for a task that waits for a CPU
LIMITS = {"S": (30, 90), "+": (23, 75)}
STATE_BYTE = 7
log = evl.Log(pathlib.Path(sys.argv[1]) / "cost.evl")
names, costs, last = {}, collections.defaultdict(list), 0
for record in log.records(0):
    if log.name[record.type] == "event_format":
        names[evl.event_id(record)] = evl.payload(record).decode().split("\n")[0]
for record in log.records(0):
    if log.name[record.type] != "event":
        # Other records, such as those of interrupts, are ignored; a sample between them is delayed.
        continue
    is_task = names[evl.event_id(record)] == "sampler_task"
    if is_task and last:
        state = chr(evl.payload(record)[STATE_BYTE])
        costs[state].append((record.ticks - last) * 1e9 / log.ticks_hz)
    last = record.ticks if is_task else 0
evl.need(not log.lost(), f"{log.lost()} lost")
for state, (least, most) in LIMITS.items():
    its = sorted(costs[state])
    evl.need(len(its) > 500, f"{len(its)} samples of tasks in {state}")
    middle, near_all = statistics.median(its), its[len(its) * 95 // 100]
    print(f"{len(its)} samples of {state}: {middle:.0f} instructions each, 95 % at most {near_all:.0f}, "
          f"mean {statistics.mean(its):.0f}")
    evl.need(least <= middle and near_all <= most, f"a task in {state} does not cost {least} to {most}")
