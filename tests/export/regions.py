#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""regions.py ARCHIVE TOLD ROUNDS ERROR_NS - regions of libevtlog agree with the log in one archive

ARCHIVE is from evtlog export --otf2 --regions; programs/regions.c told ROUNDS printed TOLD.
Debian's otf2 module reads ARCHIVE. Each begin and end must be there, at the time that the program
read before and after it. The kernel's location of a thread must be blocked in each region "sleep"
and not outside it, and not in "busy": all within ERROR_NS, which the export states.
"""
import collections
import sys

import otf2
from otf2 import events

import program
from program import fail


def read_archive(path):
    """Returns {tid: states} and {tid: events of regions}."""
    states = collections.defaultdict(program.States)
    found = collections.defaultdict(list)
    with otf2.reader.open(path) as trace:
        for location, event in trace.events:
            if location.name.startswith("kernel: thread "):
                states[int(location.name.split()[-1])].take(event)
            elif program.tid_of(location) is not None and isinstance(event, (events.Enter, events.Leave)):
                if location.group.system_tree_parent.class_name != "machine":
                    fail(f"{location.name} is on no machine")
                found[program.tid_of(location)].append(event)
    return states, found


def check_told(path, found, error_ns):
    expected = collections.defaultdict(list)
    for line in open(path):
        tid, what, name, before, after = line.split()
        expected[int(tid)].append((what, name, int(before), int(after)))
    if set(found) != set(expected):
        fail(f"threads {sorted(found)}, the program had {sorted(expected)}")
    for tid, wanted in expected.items():
        if len(found[tid]) != len(wanted):
            fail(f"thread {tid}: {len(found[tid])} events, not {len(wanted)}")
        off = []
        for event, (what, name, before, after) in zip(found[tid], wanted):
            if (type(event).__name__.lower(), event.region.name) != (what, name):
                fail(f"thread {tid}: {event} in place of {what} {name}")
            off.append(max(before - event.time, event.time - after))
        print(f"thread {tid}: {len(off)} times, at most {max(off)} ns outside of what the program read; "
              f"stated error {error_ns} ns")
        if max(off) > error_ns:
            fail(f"thread {tid}: a time is {max(off)} ns outside, the error is {error_ns} ns")


def main():
    rounds, error_ns = int(sys.argv[3]), int(sys.argv[4])
    states, found = read_archive(sys.argv[1] + "/traces.otf2")
    check_told(sys.argv[2], found, error_ns)
    for tid, of in sorted(found.items()):
        inner = [event for event in of if event.region.name != "round"]
        after, before = program.check_thread(tid, states[tid], inner, error_ns, rounds)
        print(f"thread {tid}: blocked at least {after} ns after sleep begins and until at most {before} ns before it "
              f"ends; stated error {error_ns} ns")


main()
