# SPDX-License-Identifier: GPL-2.0-or-later
"""The user boundary in a log: the intervals of each CPU and each task outside user mode.

Reads a log with the oracles' naive reader, and checks what must hold for each log: exits and enters
of a CPU alternate, and so do those of a task over all CPUs; a task enters where the switches show
that it runs; nothing is recorded in user mode. The tests compare the result with what the guest's
programs saw.
"""
import bisect
import collections

import evl
from claims import claim, finish  # noqa: F401

SYSCALL = 1
OTHER_CALL = 0xffff
PAGE_FAULT = 14

# From one exit to the next enter on the same CPU
Interval = collections.namedtuple(
    "Interval", "cpu exit enter exit_pid enter_pid cause nr inside nmi")


class Boundary:
    """@intervals: outside user mode, by CPU; @away: outside user mode, by task."""

    def __init__(self, path):
        self.log = evl.Log(path)
        self.names = self.log.name
        self.intervals = collections.defaultdict(list)
        self.crossings = []     # (ticks, cpu, order, pid, enters)
        self.wrong = []
        self.strays = 0
        self.exceptions = []    # (ticks, pid, name, vector)
        self.nmis = collections.Counter()
        self.nmi_ticks = collections.Counter()
        for cpu in self.log.cpus():
            self.read_cpu(cpu)
        self.away = collections.defaultdict(list)
        self.check_tasks()

    def complain(self, text):
        self.strays += 1
        if len(self.wrong) < 10:
            self.wrong.append(text)

    def read_cpu(self, cpu):
        pid = self.log.buffers[cpu][0].begin_pid
        state, left, inside, nmi = None, None, [], None
        for record in self.log.records(cpu):
            name = self.names[record.type]
            if name in ("time", "lost"):
                continue
            if state == "user" and name != "user_exit":
                self.complain(f"CPU {cpu}: {name} in user mode at {record.ticks}")
            if name == "sched_switch":
                pid = record.data & 0x3fffff
            if name == "user_exit":
                if state == "kernel":
                    self.complain(f"CPU {cpu}: left twice at {record.ticks}")
                left = (record.ticks, pid, record.data & 3, record.data >> 2)
                state, inside, nmi = "kernel", [], None
                self.crossings.append((record.ticks, cpu, len(self.crossings), pid, False))
            elif name == "user_enter":
                if record.data != pid:
                    self.complain(f"CPU {cpu}: {record.data} enters while {pid} runs")
                if left:
                    self.intervals[cpu].append(Interval(
                        cpu, left[0], record.ticks, left[1], pid, left[2], left[3],
                        inside, nmi))
                state, left = "user", None
                self.crossings.append((record.ticks, cpu, len(self.crossings), pid, True))
            elif name == "user_nmi":
                nmi = (record.data, record.words[1], record.words[2])
                self.nmis[cpu] += record.data
                self.nmi_ticks[cpu] += record.words[1]
            else:
                if name.startswith("exception"):
                    self.exceptions.append((record.ticks, pid, name, record.data))
                inside.append((record.ticks, name, record.data))

    def check_tasks(self):
        """The crossings of each task over all CPUs alternate."""
        last = {}
        for ticks, cpu, _, pid, enters in sorted(self.crossings):
            left, was = last.get(pid, (None, not enters))
            if was == enters:
                self.complain(f"CPU {cpu}: task {pid} {'enters' if enters else 'leaves'} "
                              f"twice at {ticks}")
            elif enters and left is not None:
                self.away[pid].append((left, ticks))
            last[pid] = ticks, enters

    def claim_whole(self):
        total = sum(map(len, self.intervals.values()))
        claim(not self.log.lost(), f"{self.log.lost()} records were lost")
        claim(not self.strays, f"{total} intervals, {len(self.crossings)} crossings "
              f"alternate on each CPU and for each task, none recorded anything in user "
              f"mode: {self.strays} do not; {' '.join(self.wrong)}")
        return total

    def within(self, cpu, begin, end):
        """Returns the CPU's intervals that begin between two times."""
        intervals = self.intervals[cpu]
        first = bisect.bisect_left(intervals, begin, key=lambda i: i.exit)
        last = bisect.bisect_right(intervals, end, key=lambda i: i.exit)
        return intervals[first:last]


def read_said(path):
    """Reads the output of boundary: {word: [numbers of a line, ...]}."""
    said = collections.defaultdict(list)
    with open(path) as file:
        for line in file:
            word, *numbers = line.split()
            said[word].append([int(number) for number in numbers])
    return said
