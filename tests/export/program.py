#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""program.py ARCHIVE TRACE ROUNDS ERROR_NS - a program's trace agrees with the log in one archive

ARCHIVE is from evtlog export --otf2 --with TRACE/traces.otf2; traced.c wrote TRACE in ROUNDS
rounds. Debian's otf2 module reads both. ARCHIVE must have all events of TRACE with their order,
distances, values and partners. The kernel's location of a thread must be blocked in each region
"sleep" and not outside it, and not in "busy": all within ERROR_NS, which the export states.
"""
import bisect
import collections
import statistics
import sys

import otf2
from otf2 import events

from claims import fail

SLEEP_NS = 10_000_000


def plain(event, hz, begin):
    """Returns an event without numbers of definitions, with its time since @begin in ns."""
    said = [type(event).__name__, round((event.time - begin) * 1e9 / hz)]
    if isinstance(event, (events.Enter, events.Leave)):
        said += [event.region.name, event.region.description]
    elif isinstance(event, (events.MpiSend, events.MpiRecv)):
        partner = event.receiver if isinstance(event, events.MpiSend) else event.sender
        said += [tid_of(event.communicator.group.members[partner]), event.msg_tag,
                 event.msg_length, event.communicator.name]
    elif isinstance(event, events.Metric):
        said += [[member.name for member in event.metric.members], list(event.values)]
    elif isinstance(event, events.ParameterInt):
        said += [event.parameter.name, event.value]
    return said


def tid_of(location):
    try:
        return location["TID"]
    except KeyError:
        return None


def program_of(trace):
    """{tid: events} of the locations that have a TID"""
    found = collections.defaultdict(list)
    for location, event in trace.events:
        tid = tid_of(location)
        if tid is not None:
            found[tid].append(event)
    return found


class States:
    """The regions of a thread's kernel location: start times and names"""

    def __init__(self):
        self.times = []
        self.names = []

    def take(self, event):
        if isinstance(event, events.Enter):
            self.times.append(event.time)
            self.names.append(event.region.name)

    def within(self, begin, end):
        """Yields (name, begin, end) of all regions that overlap this time."""
        at = max(bisect.bisect_right(self.times, begin) - 1, 0)
        while at < len(self.times) and self.times[at] < end:
            until = self.times[at + 1] if at + 1 < len(self.times) else end
            if until > begin:
                yield self.names[at], self.times[at], until
            at += 1


def read_trace(path):
    with otf2.reader.open(path) as trace:
        clock = trace.definitions.clock_properties
        begin = clock.global_offset
        return {tid: [plain(event, clock.timer_resolution, begin) for event in found]
                for tid, found in program_of(trace).items()}


def read_archive(path):
    states = collections.defaultdict(States)
    with otf2.reader.open(path) as trace:
        machines = {node.name for node in trace.definitions.system_tree_nodes
                    if node.class_name == "machine"}
        for location in trace.definitions.locations:
            if tid_of(location) is not None and \
               location.group.system_tree_parent.name not in machines:
                fail(f"{location.group.name} is on no machine")
        for location, event in trace.events:
            if location.name.startswith("kernel: thread "):
                states[int(location.name.split()[-1])].take(event)
    with otf2.reader.open(path) as trace:
        program = program_of(trace)
        program = {tid: (found, [plain(event, 1e9, 0) for event in found])
                   for tid, found in program.items()}
    return states, program


def same(theirs, mine, slack_ns):
    """The archive has the trace's events, with the same distances between them."""
    if set(theirs) != set(mine):
        fail(f"threads {sorted(mine)}, in the trace {sorted(theirs)}")
    for tid, expected in theirs.items():
        expected = [event for event in expected if event[0] != "ThreadAcquireLock"]
        found = mine[tid][1]
        if len(found) != len(expected):
            fail(f"thread {tid}: {len(found)} events, in the trace {len(expected)}")
        first = found[0][1] - expected[0][1]
        for ours, other in zip(found, expected):
            if ours[0] != other[0] or str(ours[2:]) != str(other[2:]):
                fail(f"thread {tid}: {ours}, in the trace {other}")
            if abs(ours[1] - other[1] - first) > slack_ns:
                fail(f"thread {tid}: {ours[0]} is off by {ours[1] - other[1] - first} ns")


def regions(found):
    """(name, begin, end) of a thread's regions"""
    begun = None
    for event in found:
        if isinstance(event, events.Enter):
            begun = event.time
        elif isinstance(event, events.Leave):
            yield event.region.name, begun, event.time


def check_thread(tid, states, found, error_ns, rounds):
    """Returns the least time from entering sleep to blocking, and from waking to leaving sleep.

    The program's clock can be off by at most these times.
    """
    after, before, slept, count = [], [], [], 0
    for name, begin, end in regions(found):
        inside = list(states.within(begin, end))
        if any(state == "unknown" for state, _, _ in inside):
            fail(f"thread {tid}: nothing is known in {name} at {begin}")
        blocked = [(first, last) for state, first, last in inside if state == "blocked"]
        off = sum(last - first for first, last in blocked)
        if name == "busy":
            if sum(min(last, end) - max(first, begin) for first, last in blocked) > error_ns:
                fail(f"thread {tid}: blocked in busy at {begin}: {blocked}")
            continue
        count += 1
        if not blocked:
            fail(f"thread {tid}: not blocked in sleep at {begin}: {inside}")
        slept.append(off)
        after.append(blocked[0][0] - begin)
        before.append(end - blocked[-1][1])
    if count != rounds:
        fail(f"thread {tid}: {count} times in sleep, not {rounds}")
    # Some sleeps are shorter, because the machine is stopped before the thread leaves its CPU.
    if statistics.median(slept) < SLEEP_NS - error_ns:
        fail(f"thread {tid}: blocked for {statistics.median(slept)} ns of its sleeps of {SLEEP_NS}")
    if min(after) < -error_ns or min(before) < -error_ns:
        fail(f"thread {tid}: sleep begins {-min(after)} ns after it is blocked, or ends "
             f"{-min(before)} ns before it is not: more than {error_ns} ns")
    return min(after), min(before)


def main():
    path, trace, rounds, error_ns = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    states, program = read_archive(path + "/traces.otf2")
    theirs = read_trace(trace + "/traces.otf2")
    # The rates of two clocks differ by at most 1,000 ppm.
    same(theirs, program, 2000 + max(event[1] for each in theirs.values() for event in each) // 1000)
    for tid, (found, _) in sorted(program.items()):
        after, before = check_thread(tid, states[tid], found, error_ns, rounds)
        print(f"thread {tid}: {len(found)} events; blocked at least {after} ns after sleep begins and "
              f"until at most {before} ns before it ends; stated error {error_ns} ns")


if __name__ == "__main__":
    main()
