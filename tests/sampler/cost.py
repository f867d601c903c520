#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Instructions from one sample to the next, of those in one pass: the guest's clock counts them."""
import pathlib
import statistics
import sys

import evl

MOST = 150
log = evl.Log(pathlib.Path(sys.argv[1]) / "cost.evl")
names, costs, last, policies = {}, [], 0, 0
for record in log.records(0):
    if log.name[record.type] == "event_format":
        names[evl.event_id(record)] = evl.payload(record).decode().split("\n")[0]
for record in log.records(0):
    if log.name[record.type] != "event":
        # An interrupt's records are not among them, but a sample that it delays is.
        continue
    is_task = names[evl.event_id(record)] == "sampler_task"
    if is_task and last:
        costs.append((record.ticks - last) * 1e9 / log.ticks_hz)
    last = record.ticks if is_task else 0
evl.need(not log.lost() and len(costs) > 5000, f"{len(costs)} pairs of samples, {log.lost()} lost")
costs.sort()
middle, most = statistics.median(costs), costs[len(costs) * 95 // 100]
print(f"{len(costs)} samples: {middle:.0f} instructions each, 95 % at most {most:.0f}, mean "
      f"{statistics.mean(costs):.0f}")
evl.need(most <= MOST, f"a task costs more than {MOST}")
