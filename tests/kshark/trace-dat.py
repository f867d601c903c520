#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""trace-dat.py OURS THEIRS - a log and a trace.dat of the same time have the same events

Both are printed by `entries -m`. On each CPU, THEIRS, which is longer at both ends, has our events
of each kind in our order, with no others between: the same tasks, at about the same time. Each kind
has an order of its own, because an interrupt may come between the two recorders of one event.
"""
import collections
import sys

NAMES = {"sched_switch", "softirq_entry", "softirq_exit", "irq_handler_entry", "irq_handler_exit"}


def read(path):
    lanes = collections.defaultdict(list)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            parts = line.rstrip("\n").split("\t")
            if len(parts) == 4 and parts[3].split("/")[-1] in NAMES:
                lanes[int(parts[1]), parts[3].split("/")[-1]].append((int(parts[2]), int(parts[0])))
    return lanes


def find(part, whole):
    """Returns the place of @part in @whole, without times, that is nearest in time; -1: none."""
    numbers = {}
    texts = ["".join(chr(256 + numbers.setdefault(event[0], len(numbers))) for event in events)
             for events in (part, whole)]
    best, at = -1, texts[1].find(texts[0])
    while at >= 0:
        if best < 0 or abs(whole[at][1] - part[0][1]) < abs(whole[best][1] - part[0][1]):
            best = at
        at = texts[1].find(texts[0], at + 1)
    return best


ours, theirs = map(read, sys.argv[1:3])
total, apart = collections.Counter(), []
for lane in sorted(ours):
    at = find(ours[lane], theirs[lane])
    if at < 0:
        sys.exit(f"trace-dat.py: {lane}: our {len(ours[lane])} events are not in a row in their {len(theirs[lane])}")
    for mine, other in zip(ours[lane], theirs[lane][at:], strict=False):
        apart.append(abs(mine[1] - other[1]))
        total[lane[1]] += 1
if sum(total.values()) < 1000:
    sys.exit(f"trace-dat.py: only {sum(total.values())} events")
# The machine may stop a guest between the two recorders.
median = sorted(apart)[len(apart) // 2]
if median > 1_000_000:
    sys.exit(f"trace-dat.py: times of an event differ by {median} ns, mostly")
print(f"{sum(total.values())} events, times differ by {median} ns (median), {max(apart)} at most:",
      ", ".join(f"{name} {count}" for name, count in sorted(total.items())))
