#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""totals.py DIRECTORY - are a report's totals those that the kernel counted?

Between the two readings of totals.c: the kernel's difference lies between what the report
has from behind the first reading until before the second, and from before the
first until behind the second.  Prints every comparison; exit 1 if one fails.
"""
import collections
import csv
import glob
import os
import sys

import attribute
import evl
from attribute import claim

ROWS = {
    "LOC": ("timer interrupt",), "RES": ("reschedule interrupt",),
    "CAL": ("function call interrupt", "single function call interrupt"),
    "IWI": ("IRQ work interrupt",),
}
LONG_NS = 5000000
TOLERANCE = 0.02


def reading(directory, name, number):
    """((before, after) in ticks, lines)"""
    with open(os.path.join(directory, f"{name}.{number}")) as file:
        lines = file.read().splitlines()
    return tuple(map(int, lines[0].split()[1:])), lines[1:]


def table(lines):
    """The only CPU's counts of /proc/interrupts or /proc/softirqs."""
    counts = {}
    for line in lines[1:]:
        row, _, rest = line.partition(":")
        words = rest.split()
        if words and words[0].isdigit():
            counts[row.strip()] = int(words[0])
    return counts


def tasks(lines):
    return {int(pid): (" ".join(comm), int(ns))
            for pid, *comm, ns in map(str.split, lines)}


class Parts:
    def __init__(self, directory):
        with open(os.path.join(directory, "parts.csv"), newline="") as file:
            self.rows = list(csv.DictReader(file))
        for row in self.rows:
            for key in ("start_ticks", "end_ticks", "own_ticks", "pid"):
                row[key] = int(row[key])

    def between(self, begin, end):
        return (row for row in self.rows if begin <= row["start_ticks"] <= end)

    def count(self, begin, end, wanted):
        return sum(wanted(row["source"]) for row in self.between(begin, end))


def check_counts(directory, parts, name, wanted_of):
    first, before = reading(directory, name, 0)
    second, after = reading(directory, name, 1)
    before, after = table(before), table(after)
    moved = 0
    for row, value in after.items():
        counted = value - before.get(row, 0)
        wanted = wanted_of(row)
        if not wanted:
            continue
        inner = parts.count(first[1], second[0], wanted)
        outer = parts.count(first[0], second[1], wanted)
        if counted or outer:
            claim(inner <= counted <= outer,
                  f"{name} {row}: the report has {inner} to {outer}, counted {counted}")
            moved += 1
    return moved


def of_interrupt(row):
    if row in ROWS:
        return lambda source: source in ROWS[row]
    if row.isdigit():
        return lambda source: source == f"irq {row}" or source.startswith(f"irq {row} ")
    return None


def of_softirq(row):
    return lambda source: source == "softirq " + row


class Turns:
    """Each task's turns on the CPU, [ticks at least, at most, by the switches, turns].

    The scheduler reads its clock before it decides, and not again between a waking that
    preempts and the switch: the end of a turn, and the next one's begin, is between
    where the CPU was last in user mode, or switched, and the switch.
    """

    def __init__(self, log, begin, end):
        self.of = collections.defaultdict(lambda: [0, 0, 0, 0])
        pid, since, early, left = log.buffers[0][0].begin_pid, None, None, None
        for record in log.records(0):
            name, ticks = log.name[record.type], record.ticks
            if name == "sched_switch":
                if since is not None and begin <= since and ticks <= end:
                    turn = self.of[pid]
                    turn[0] += left - since
                    turn[1] += ticks - early
                    turn[2] += ticks - since
                    turn[3] += 1
                pid, since, early, left = record.data & 0x3fffff, ticks, left, ticks
            elif name == "user_exit":
                left = ticks


def check_tasks(directory, log, parts, victim):
    first, before = reading(directory, "schedstat", 0)
    second, after = reading(directory, "schedstat", 1)
    before, after = tasks(before), tasks(after)
    turns = Turns(log, first[0], second[1])
    run = collections.Counter()
    for row in parts.between(first[0], second[1]):
        # All that ran while the task was the CPU's, in whose name ever.
        run[row["pid"]] += row["own_ticks"]
    compared = total = found = 0
    for pid, (comm, ns) in sorted(after.items()):
        charged = ns - before.get(pid, ("", 0))[1]
        if pid == victim or comm == "totals" or not charged:
            continue
        least, most, exact, count = turns.of[pid]
        claim(least - count <= charged <= most + count and run[pid] == exact,
              f"{comm} ({pid}): the report has {run[pid]} ns, the switches {exact} in {count} "
              f"turns, charged {charged} of {least} to {most} ns")
        # What the scheduler's clock is off by at a turn's ends is little of a long one.
        claim(charged < LONG_NS or abs(run[pid] / charged - 1) <= TOLERANCE,
              f"      {100 * (run[pid] / charged - 1):+.3f} %")
        compared += 1
        total += charged
        found += run[pid]
    claim(compared >= 5 and abs(found / total - 1) <= TOLERANCE,
          f"{compared} tasks ran: the report has {found} ns, charged {total}: "
          f"{100 * (found / total - 1):+.3f} %")
    charged = after[victim][1] - before[victim][1]
    span = second[0] - first[0]
    others = sum(ns for pid, ns in run.items() if pid not in (0, victim))
    claim(abs(charged + others - span) <= TOLERANCE * span,
          f"the loop was charged {charged} ns, others had {others} ns of {span}")


def main():
    directory = sys.argv[1]
    samples = attribute.Samples(os.path.join(directory, "logged.samples"))
    thread = samples.threads[0]
    first, _ = reading(directory, "interrupts", 0)
    second, _ = reading(directory, "schedstat", 1)
    claim(thread.begin < first[0] and second[1] < thread.end, "the readings are in the window")
    parts = Parts(directory)
    moved = check_counts(directory, parts, "interrupts", of_interrupt)
    claim(moved >= 2, f"{moved} kinds of interrupts came")
    moved = check_counts(directory, parts, "softirqs", of_softirq)
    claim(moved >= 3, f"{moved} kinds of softirqs came")
    log = evl.Log(glob.glob(os.path.join(directory, "*.evl"))[0])
    check_tasks(directory, log, parts, thread.pid)
    attribute.finish()


main()
