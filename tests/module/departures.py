#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""departures.py DIRECTORY - checks runs of the module in which a CPU goes offline.

DIRECTORY has the logs, and the record of ftrace: on the CPU that goes down, take_cpu_down() is
entered in front of, and stop_machine_park() behind the instant when the CPU leaves the mask of
online CPUs. The CPU's part must end between both. All counters of the kernel that were read at both
ends of a part must equal the records. Exits with 1 if not.
"""
import collections
import glob
import os
import re
import sys

from claims import claim, expect, finish
import evl

LINE = re.compile(r"\[(\d+)\]\s+\S+\s+(\d+): (take_cpu_down|stop_machine_park)\b")


def read_departures(path):
    """Returns {cpu: [(ticks of take_cpu_down, ticks of stop_machine_park)]}."""
    departures, begun = collections.defaultdict(list), {}
    with open(path, errors="replace") as file:
        for line in file:
            match = LINE.search(line)
            if match:
                cpu, ticks = int(match[1]), int(match[2])
                if match[3] == "take_cpu_down":
                    begun[cpu] = ticks
                else:
                    departures[cpu].append((begun.pop(cpu), ticks))
    return departures


def pauses(buffers):
    """Returns the ends of the buffers with which the CPU's part paused."""
    return [b.end_ticks for b in buffers if b.flags & evl.FLUSHED and not b.flags & evl.FINAL]


def check_counters(log):
    """Returns the number of counters that were compared."""
    deltas = list(evl.Counts(log).deltas())
    for which, cpu, index, recorded, counted in deltas:
        expect(f"run {log.run}: CPU {cpu} counter {which} {index}: recorded {recorded}, "
               f"counted {counted}", recorded == counted)
    return len(deltas)


def main():
    departures = read_departures(os.path.join(sys.argv[1], "trace.txt"))
    inside = outside = counters = 0
    for path in glob.glob(os.path.join(sys.argv[1], "*.evl")):
        log = evl.Log(path)
        if log.lost():
            print(f"run {log.run}: {log.lost()} records lost, not compared")
            continue
        counters += check_counters(log)
        for cpu in log.cpus():
            for end in pauses(log.buffers[cpu]):
                if any(begin < end < park for begin, park in departures[cpu]):
                    inside += 1
                else:
                    outside += 1
    claim(inside >= 4 and not outside,
          f"{inside} parts pause where the CPU leaves the mask, {outside} elsewhere")
    claim(counters > 100, f"{counters} counters compared")
    finish()


main()
