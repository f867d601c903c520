#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""lines.py LINES MOST DIRECTORY - checks the cost of interrupt lines when a CPU joins and leaves a
run.

With counted instructions a nanosecond is one. Joining or leaving takes at most MOST instructions,
and not too few. All interrupts were counted, those of shareable lines one by one, including lines
that were freed during the run. Exits with 1 if not.
"""
import os
import sys

import evl


def costs(log, cpu):
    """Returns the ns from joining to the first event, and those for the counters at the end."""
    counter = log.number["counter"]
    buffers = log.buffers[cpu]
    joined = next(record.ticks for record in log.records(cpu) if record.type != counter)
    left = next(record.ticks for record in log.records(cpu)
                if record.type == counter and record.data & 1)
    return [ticks * 1e9 / log.ticks_hz for ticks in
            (joined - buffers[0].begin[0], buffers[-1].end_ticks - left)]


def interrupts(log):
    """Returns the counts of shareable lines, and the sum of all other lines of CPU 0."""
    counts, others = {}, None
    for which, cpu, _, recorded, counted in evl.Counts(log).deltas():
        if which == evl.IRQ:
            counts[recorded, counted] = counts.get((recorded, counted), 0) + 1
        if which == evl.IRQS and cpu == 0:
            others = recorded, counted
    return counts, others


def main():
    lines, most, directory = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    wanted = {"none": None, "half": 2, "again": 0, "back": 1}
    wrong = 0
    for name in sorted(os.listdir(directory)):
        if not name.endswith(".evl"):
            continue
        log = evl.Log(os.path.join(directory, name))
        run = name.removesuffix(".evl").rpartition("-")[2]
        join, leave = costs(log, 0)
        counts, others = interrupts(log)
        print(f"{run}: joining {join:.0f} instructions, leaving {leave:.0f}; lines by "
              f"(recorded, counted): {counts}, others {others}")
        wrong += any(recorded != counted for recorded, counted in [*counts, others])
        count = wanted.pop(run)
        wrong += not (most // 2 < join <= most and most // 10 < leave <= most)
        # Half of the lines fire; each hundredth of them is shareable.
        if count is not None:
            wrong += counts.get((count, count), 0) < lines // 200
            wrong += others[0] < count * (lines // 2 - lines // 200)
    sys.exit(bool(wrong or wanted))


main()
