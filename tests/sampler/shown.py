#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""shown.py - compares an OTF2 archive from samples with the passes.

Usage: shown.py EVTLOG LOG ARCHIVE

ARCHIVE has all streams that tasks need. After each complete pass, a CPU's function is its number of
runnable tasks, as is the counter. Its streams have the sampled tasks that run or wait there. The
times of functions and messages are those of passes, except begin and end. From an incomplete pass
or lost events to the next complete pass, all CPUs are in LOST; while the sampler is off, in "not
sampled". The matrix of migrations is that of successive complete passes. Forks and exits in
counters are tasks that came and went. Passes have no counter of switches. Records of other events
are parameters.
"""
import bisect
import collections
import json
import re
import subprocess
import sys

import otf2
from otf2 import events

from claims import fail
import passes

evtlog, log, archive = sys.argv[1:]
CPU = re.compile(r"cpu (\d+) ")
TASK = re.compile(r"\((\d+)\)")
MIGRATION = 3
OFF = "not sampled"


class Archive:
    """The region of each location; messages; sums of counters"""

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
            key = (event.msg_tag, *(ends if sends else reversed(ends)))
            where[key] += 1
            if self.received[key] > self.messages[key]:
                fail(f"{location.name}: a message is received that is not yet sent: {key}")
        elif isinstance(event, events.Metric):
            self.check_counter(location, event)
            for value, member in zip(event.values, event.metric.members):
                self.counters[member.name] += value

    def check_counter(self, location, event):
        """Checks that the counter equals the function that the CPU was in until then."""
        region = self.within.get(location.name)
        runnable = event.values[[member.name for member in event.metric.members].index("runnable tasks")]
        if region and runnable != (int(region.name) if region.name.isdigit() else 0):
            fail(f"{location.name}: {event.time}: counter of {runnable} runnable tasks, in {region.name}")

    def numbers(self):
        return {int(CPU.search(name).group(1)): region.name
                for name, region in self.within.items() if name.endswith("tasks") and region}

    def tasks(self):
        """Returns the CPU of each pid in a stream, and whether it runs."""
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
    """Returns the tasks that the archive shows: if two ran successively on a CPU, the later one; if
    one is alone with the sampler, it had the CPU."""
    runs = {task["cpu"]: pid for pid, task in at.tasks.items() if task["state"] == "R"}
    here = [pid for pid, task in at.tasks.items()
            if (task["state"], task["cpu"]) == ("+", at.sampler)]
    if at.cpus[at.sampler] == 1 == len(here):
        runs[at.sampler] = here[0]
    return {pid: (task["cpu"], runs.get(task["cpu"]) == pid)
            for pid, task in at.tasks.items() if task["state"] in "R+"}


def expected(all_passes, lost_ns, end_ns):
    """Returns (time, numbers of CPUs, tasks) from each time on."""
    found = []
    known = False
    for at in all_passes:
        if at.off_ns is not None and known:
            found.append((at.off_ns, OFF, {}))
        known = at.whole
        if at.whole:
            found.append((at.time_ns, {cpu: str(count) for cpu, count in at.cpus.items()}, wanted_tasks(at)))
        else:
            found.append((at.time_ns, None, {}))
    if known and passes.end_off_ns(end_ns) is not None:
        found.append((passes.end_off_ns(end_ns), OFF, {}))
    found += [(time_ns, None, {}) for time_ns in lost_ns]
    found.sort(key=lambda each: each[0])
    # A pass between two starts has no duration.
    return [one for one, behind in zip(found, found[1:] + [(None,)]) if one[0] != behind[0]]


def check(found, wanted):
    time_ns, numbers, tasks = wanted
    if numbers in (None, OFF):
        numbers = dict.fromkeys(found.numbers(), numbers or "LOST")
    if found.numbers() != numbers or not numbers:
        fail(f"{time_ns} ns: tasks {found.numbers()}, wanted {numbers}")
    if found.tasks() != tasks:
        fail(f"{time_ns} ns: {found.tasks()}, wanted {tasks}")


def naive(whole):
    moves, forks, exits = collections.Counter(), 0, 0
    for before, at in zip(whole, whole[1:]):
        if at.first:
            continue
        both = set(before.tasks) & set(at.tasks)
        forks += len(set(at.tasks) - both)
        exits += len(set(before.tasks) - both)
        for pid in both:
            ends = before.tasks[pid]["cpu"], at.tasks[pid]["cpu"]
            if ends[0] != ends[1]:
                moves[(MIGRATION, *ends)] += 1
    return moves, forks, exits


def check_others(shown):
    """Counts the records of other events, by the name of their event or type."""
    others = collections.Counter()
    dump = subprocess.run([evtlog, "dump", "--json", log], stdout=subprocess.PIPE, check=False).stdout
    for line in map(json.loads, dump.splitlines()):
        name = line.get("fields", {}).get("id_name") if line["event"] == "event" else line["event"]
        others[name] += "fields" in line and not str(name).startswith("sampler_")
    if +others != shown:
        fail(f"other records are {dict(shown)}, not {dict(+others)}")


def main():
    others = collections.Counter()
    all_passes, found = list(passes.passes(evtlog, log)), Archive()
    whole = [at for at in all_passes if at.whole]
    with otf2.reader.open(archive + "/traces.otf2") as trace:
        begin = trace.definitions.clock_properties.global_offset
        end = begin + trace.definitions.clock_properties.trace_length - 1
        wanted, checked = expected(all_passes, passes.losses(evtlog, log), end - begin), 0
        times = [time_ns for time_ns, _, _ in wanted]
        for location, event in trace.events:
            if isinstance(event, events.Metric):
                found.take(location, event)
                continue
            if isinstance(event, events.ParameterInt):
                others[event.parameter.name] += 1
                continue
            # A message is sent 1 ns earlier.
            now = event.time - begin + isinstance(event, events.MpiSend)
            # Everything that was valid since the last event
            while checked < len(times) and times[checked] < now:
                check(found, wanted[checked])
                checked += 1
            if now not in times and event.time not in (begin, end):
                fail(f"{now} ns: {event} at no pass")
            found.take(location, event)
    check_others(others)
    if any(found.within.values()):
        fail("a location's function does not end")
    moves, forks, exits = naive(whole)
    shown = {key: count for key, count in found.messages.items() if key[0] == MIGRATION}
    if found.messages != found.received or shown != dict(moves):
        fail(f"messages {found.messages}, wanted {moves}")
    counted = {name: count for name, count in found.counters.items() if name != "runnable tasks"}
    if counted != {"forks": forks, "exits": exits, "migrations": sum(moves.values())}:
        fail(f"counters {counted}, wanted {forks} forks, {exits} exits, {moves}")
    tags = collections.Counter()
    for key, count in found.messages.items():
        tags[key[0]] += count
    if tags[1] > forks or tags[2] > exits or checked < len(wanted) or (not moves and len(whole[0].cpus) > 1):
        fail(f"messages {tags} of {forks} forks and {exits} exits, {checked} of {len(wanted)} times checked")
    print(f"{archive}: {len(whole)} of {len(all_passes)} passes are whole, all as shown, as is what is lost; "
          f"messages by tag {dict(tags)}; {counted}")


main()
