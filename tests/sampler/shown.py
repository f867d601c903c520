#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""shown.py - what an OTF2 archive shows from samples is what each pass says.

Usage: shown.py EVTLOG LOG ARCHIVE

ARCHIVE has all streams that tasks need. Behind each whole pass a CPU's function is its number of
runnable tasks, its streams have the sampled tasks that run or wait there, and times of functions
and messages are those of passes, but for begin and end. The matrix of migrations is that of
successive whole passes, forks and exits in counters are tasks that came and went.
"""
import collections
import re
import sys

import otf2
from otf2 import events

import passes

evtlog, log, archive = sys.argv[1:]
CPU = re.compile(r"cpu (\d+) ")
TASK = re.compile(r"\((\d+)\)")
MIGRATION = 3


def fail(text):
    sys.exit(f"shown.py: {archive}: {text}")


class Archive:
    """What each location is in at a time; messages; sums of counters"""

    def __init__(self):
        self.within = {}
        self.messages = collections.Counter()
        self.received = collections.Counter()
        self.counters = collections.Counter()

    def take(self, location, event):
        if isinstance(event, events.Enter):
            if self.within.get(location.name):
                fail(f"{location.name}: enters {event.region.name} in {self.within[location.name]}")
            self.within[location.name] = event.region
        elif isinstance(event, events.Leave):
            if self.within.get(location.name) != event.region:
                fail(f"{location.name}: leaves {event.region.name}, where it is not")
            self.within[location.name] = None
        elif isinstance(event, (events.MpiSend, events.MpiRecv)):
            sends = isinstance(event, events.MpiSend)
            other = event.communicator.group.members[event.receiver if sends else event.sender]
            ends = [int(CPU.search(at.name).group(1)) for at in (location, other)]
            where = self.messages if sends else self.received
            where[(event.msg_tag, *(ends if sends else reversed(ends)))] += 1
        elif isinstance(event, events.Metric):
            for value, member in zip(event.values, event.metric.members):
                self.counters[member.name] += value

    def numbers(self):
        return {int(CPU.search(name).group(1)): region.name
                for name, region in self.within.items() if name.endswith("tasks") and region}

    def tasks(self):
        """CPU and whether it runs of each pid in a stream"""
        found = {}
        for name, region in self.within.items():
            if "stream" not in name or not region:
                continue
            pid = int(TASK.findall(region.name)[-1])
            if pid in found:
                fail(f"task {pid} is in two streams")
            found[pid] = (int(CPU.search(name).group(1)), region.description == "running")
        return found


def wanted_tasks(at):
    """As the archive shows them: of two that were seen to run on a CPU one after the other the
    later; one that is alone with the sampler had the CPU."""
    runs = {task["cpu"]: pid for pid, task in at.tasks.items() if task["state"] == "R"}
    here = [pid for pid, task in at.tasks.items()
            if (task["state"], task["cpu"]) == ("+", at.sampler)]
    if at.cpus[at.sampler] == 1 == len(here):
        runs[at.sampler] = here[0]
    return {pid: (task["cpu"], runs.get(task["cpu"]) == pid)
            for pid, task in at.tasks.items() if task["state"] in "R+"}


def check_pass(found, at):
    numbers = {cpu: str(count) for cpu, count in at.cpus.items()}
    if found.numbers() != numbers:
        fail(f"{at.time_ns} ns: tasks {found.numbers()}, wanted {numbers}")
    if found.tasks() != wanted_tasks(at):
        fail(f"{at.time_ns} ns: {found.tasks()}, wanted {wanted_tasks(at)}")


def naive(whole):
    moves, forks, exits = collections.Counter(), 0, 0
    for before, at in zip(whole, whole[1:]):
        both = set(before.tasks) & set(at.tasks)
        forks += len(set(at.tasks) - both)
        exits += len(set(before.tasks) - both)
        for pid in both:
            ends = before.tasks[pid]["cpu"], at.tasks[pid]["cpu"]
            if ends[0] != ends[1]:
                moves[(MIGRATION, *ends)] += 1
    return moves, forks, exits


def main():
    all_passes, found, checked = list(passes.passes(evtlog, log)), Archive(), 0
    whole = [at for at in all_passes if at.whole]
    if whole != all_passes:
        fail("this is for logs without incomplete passes")
    by_time = {at.time_ns: at for at in whole}
    with otf2.reader.open(archive + "/traces.otf2") as trace:
        begin = trace.definitions.clock_properties.global_offset
        end = begin + trace.definitions.clock_properties.trace_length - 1
        last = None
        for location, event in trace.events:
            if isinstance(event, events.Metric):
                found.take(location, event)
                continue
            now = event.time - begin
            if now != last and last in by_time:
                check_pass(found, by_time[last])
                checked += 1
            last = now
            if last not in by_time and event.time not in (begin, end):
                fail(f"{last} ns: {event} at no pass")
            found.take(location, event)
    if any(found.within.values()):
        fail("a location's function does not end")
    moves, forks, exits = naive(whole)
    shown = {key: count for key, count in found.messages.items() if key[0] == MIGRATION}
    if found.messages != found.received or shown != dict(moves):
        fail(f"messages {found.messages}, wanted {moves}")
    counted = {name: found.counters[name] for name in ("forks", "exits", "migrations", "switches")}
    if counted != {"forks": forks, "exits": exits, "migrations": sum(moves.values()), "switches": 0}:
        fail(f"counters {counted}, wanted {forks} forks, {exits} exits, {moves}")
    tags = collections.Counter()
    for key, count in found.messages.items():
        tags[key[0]] += count
    if tags[1] > forks or tags[2] > exits or not checked or not moves:
        fail(f"messages {tags} of {forks} forks and {exits} exits, {checked} passes checked")
    print(f"{archive}: {checked} of {len(whole)} passes differ from the one before, all as shown; "
          f"messages by tag {dict(tags)}; {counted}")


main()
