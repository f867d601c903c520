#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""totals.py DIRECTORY - a report's totals agree with the kernel's own counts

totals.c reads the counts twice. The kernel's difference must be at least what the report has from
after the first reading to before the second, and at most what it has from before the first to after
the second. Prints each comparison; exits with 1 if one fails.

The scheduler charges a turn from one reading of its clock to another. Each reading is up to some
microseconds before the switch (class Turns): little for a long turn, much for a short one. All
tasks must be within these bounds. Tasks that ran long or have long turns, and the sum of all tasks,
must be within 2 %.
"""
import collections
import csv
import glob
import os
import sys

import evl
import samples
from claims import claim, finish

ROWS = {
    "LOC": ("timer interrupt",), "RES": ("reschedule interrupt",),
    "CAL": ("function call interrupt", "single function call interrupt"),
    "IWI": ("IRQ work interrupt",),
}
LONG_NS = 5000000
LONG_TURN_NS = 100000
TOLERANCE = 0.02


def reading(directory, name, number):
    """Returns ((before, after) in ticks, lines)."""
    with open(os.path.join(directory, f"{name}.{number}")) as file:
        lines = file.read().splitlines()
    return tuple(map(int, lines[0].split()[1:])), lines[1:]


def table(lines):
    """Returns the only CPU's counts in /proc/interrupts or /proc/softirqs."""
    counts = {}
    for line in lines[1:]:
        row, _, rest = line.partition(":")
        words = rest.split()
        if words and words[0].isdigit():
            counts[row.strip()] = int(words[0])
    return counts


def tasks(lines):
    """Returns {PID: (name, ns of run time, (before, after) in ticks)}."""
    return {int(pid): (" ".join(comm), int(ns), (int(before), int(after)))
            for pid, *comm, ns, before, after in map(str.split, lines)}


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
    """Each task's turns on the CPU.

    The scheduler reads its clock before it decides, and not again between a wake-up that
    preempts and the switch. So a turn ends, and the next begins, after the CPU's last switch
    or exit from user mode, and at the latest at the switch.
    """

    def __init__(self, log):
        # {PID: [(earliest begin, begin, earliest end, end)]}
        self.of = collections.defaultdict(list)
        pid, since, early, left = log.buffers[0][0].begin_pid, None, None, None
        for record in log.records(0):
            name, ticks = log.name[record.type], record.ticks
            if name == "sched_switch":
                if since is not None:
                    self.of[pid].append((early, since, left, ticks))
                pid, since, early, left = record.data & 0x3fffff, ticks, left, ticks
            elif name == "user_exit":
                left = ticks

    def between(self, pid, begin, end):
        return [turn for turn in self.of[pid] if begin <= turn[1] and turn[3] <= end]

    def any_in(self, begin, end):
        return sum(begin < turn[3] < end for turns in self.of.values() for turn in turns)


def check_tasks(directory, log, parts, victim):
    first, before = reading(directory, "schedstat", 0)
    second, after = reading(directory, "schedstat", 1)
    before, after = tasks(before), tasks(after)
    turns = Turns(log)
    claim(not turns.any_in(*first) and not turns.any_in(*second),
          "no other task ran during a reading")
    run = collections.Counter()
    for row in parts.between(first[0], second[1]):
        # All that ran while the task was the CPU's task, whatever the source
        run[row["pid"]] += row["own_ticks"]
    compared = total = found = 0
    for pid, (comm, ns, _) in sorted(after.items()):
        charged = ns - before.get(pid, ("", 0))[1]
        if pid == victim or comm == "totals" or not charged:
            continue
        its = turns.between(pid, first[0], second[1])
        least = sum(left - since for _, since, left, _ in its) - len(its)
        most = sum(end - early for early, _, _, end in its) + len(its)
        exact = sum(end - since for _, since, _, end in its)
        claim(least <= charged <= most and run[pid] == exact,
              f"{comm} ({pid}): the report has {run[pid]} ns, the switches {exact} in {len(its)} "
              f"turns, charged {charged} of {least} to {most} ns")
        is_long = charged >= min(LONG_NS, LONG_TURN_NS * len(its))
        claim(not is_long or abs(run[pid] / charged - 1) <= TOLERANCE,
              f"      {100 * (run[pid] / charged - 1):+.3f} %")
        compared += 1
        total += charged
        found += run[pid]
    claim(compared >= 5 and abs(found / total - 1) <= TOLERANCE,
          f"{compared} tasks ran: the report has {found} ns, charged {total}: "
          f"{100 * (found / total - 1):+.3f} %")
    charged = after[victim][1] - before[victim][1]
    span = after[victim][2][1] - before[victim][2][0]
    others = sum(ns for pid, ns in run.items() if pid not in (0, victim))
    claim(abs(charged + others - span) <= TOLERANCE * span,
          f"the loop was charged {charged} ns, others had {others} ns of {span}")


def main():
    directory = sys.argv[1]
    thread = samples.Samples(os.path.join(directory, "logged.samples")).threads[0]
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
    finish()


main()
