#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""steps.py DIRECTORY - checks that the log contains the tasks of steps.txt, and no other tasks.

steps.txt and empty.txt list each task's pid and the least CPU time in ns that it used in the tree.
"""
import collections
import pathlib
import struct
import sys

import evl


def read_truth(path):
    lines = [line.split() for line in path.read_text().splitlines()]
    return {int(pid): (how, int(least)) for how, pid, least in lines}


class Seen:
    """The tasks of a log: ns on CPUs and samples per pid, and the pids that have a name"""

    def __init__(self, path):
        self.log = evl.Log(path)
        self.ran_ns, self.named, self.samples = collections.Counter(), set(), collections.Counter()
        self.sampled = {evl.event_id(r) for cpu in self.log.cpus() for r in self.log.records(cpu)
                        if self.log.name[r.type] == "event_format" and
                        evl.payload(r).startswith(b"sampler_task\n")}
        for cpu in self.log.cpus():
            self.read_cpu(cpu)

    def add(self, pid, ticks):
        if pid:
            self.ran_ns[pid] += ticks * 1e9 / self.log.ticks_hz

    def read_cpu(self, cpu):
        since, runs = 0, 0
        for record in self.log.records(cpu):
            kind, pid = self.log.name[record.type], record.data & 0x3fffff
            if kind == "sched_switch":
                self.add(runs, record.ticks - since)
                since, runs = record.ticks, pid
            elif kind in ("task", "sched_process_fork", "sched_process_exec"):
                self.named.add(pid)
            elif kind == "event" and evl.event_id(record) in self.sampled:
                self.samples[struct.unpack_from("<I", evl.payload(record))[0]] += 1
        # The run may end before a task that exits has switched away.
        self.add(runs, self.log.buffers[cpu][-1].end_ticks - since)


def check(directory, name, has_samples):
    truth, seen = read_truth(directory / f"{name}.txt"), Seen(directory / f"{name}.evl")
    evl.need(not seen.log.lost(), f"{name}: {seen.log.lost()} lost")
    evl.need(seen.log.buffers and all(b.tree_pid >= 1 << 22 for its in seen.log.buffers.values() for b in its),
             f"{name}: the tree is one of a pid")
    for pid, (how, least) in truth.items():
        ran = seen.ran_ns[pid]
        print(f"{name}: {how} {pid}: ran for {ran:.0f} ns, of {least}; {seen.samples[pid]} samples")
        evl.need(how == "first" or ran, f"{name}: {how} {pid} is outside")
        evl.need(least <= ran, f"{name}: {how} {pid}: only {ran} ns of {least}")
        evl.need(pid in seen.named, f"{name}: {how} {pid} has no name")
        # The task worked for several intervals of the sampler.
        evl.need(not has_samples or not least or seen.samples[pid], f"{name}: {how} {pid} was not sampled")
    others = (set(seen.ran_ns) | seen.named | set(seen.samples)) - set(truth) - {0}
    evl.need(not others, f"{name}: {others} are not of the job")


def main():
    directory = pathlib.Path(sys.argv[1])
    check(directory, "steps", True)
    check(directory, "empty", False)


main()
