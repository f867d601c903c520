#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""start-latency.py MOST RUNS LOG... - counts instructions from a message's arrival to the start.

With --icount, an instruction takes one ns. The run starts at the begin of the FIRST buffer; the
header also has the arrival, reference_ticks.
"""
import statistics
import sys

import evl

MOST_TO_JOIN = 5000


def join_ticks(log, first):
    """From the clocks that a joining CPU reads to the record of its first event"""
    counter = log.number["counter"]
    return next(record.ticks for record in log.records(first.cpu)
                if record.type != counter) - first.begin[0]


most, runs, logs = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
took, joins = [], []
for name in logs:
    log = evl.Log(name)
    for buffers in log.buffers.values():
        first = buffers[0]
        took.append((first.begin_ticks - first.reference_ticks) * 1e9 / first.ticks_hz)
        joins.append(join_ticks(log, first) * 1e9 / first.ticks_hz)
print("instructions from arrival to start: " + " ".join(f"{t:.0f}" for t in sorted(took)))
print(f"median {statistics.median(took):.0f} of {len(took)}, at most {most} asked")
print(f"what joining adds to a CPU's first event: {statistics.median(joins):.0f}, "
      f"{max(joins):.0f} at most, {MOST_TO_JOIN} allowed")
sys.exit(max(joins) > MOST_TO_JOIN or len(took) != runs or min(took) < 0 or statistics.median(took) > most)
