#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""start-latency.py MOST RUNS LOG... - instructions from a message's arrival to the start.

Under counted instructions a nanosecond is one.  The start is the begin of the FIRST
buffer, the arrival is in the header too: reference_ticks.
"""
import statistics
import sys

import evl

most, runs, logs = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
took = []
for name in logs:
    for buffers in evl.Log(name).buffers.values():
        first = buffers[0]
        took.append((first.begin_ticks - first.reference_ticks) * 1e9 / first.ticks_hz)
print("instructions from arrival to start: " + " ".join(f"{t:.0f}" for t in sorted(took)))
print(f"median {statistics.median(took):.0f} of {len(took)}, at most {most} asked")
sys.exit(len(took) != runs or min(took) < 0 or statistics.median(took) > most)
