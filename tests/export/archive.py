#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""archive.py - an OTF2 archive of a log has what `evtlog stat` and `evtlog dump` show

Usage: archive.py ARCHIVE [--short] [EVTLOG LOG [OPTION...]]

Debian's otf2 module reads the archive. Without EVTLOG, prints the sums as JSON. With EVTLOG,
compares them with its output for LOG: run times of tasks to the nanosecond, lengths of run queues,
counters. Also compares the matrices of forks, joins, migrations and wake-ups with a naive walk
through the events (walk.py). If no events were lost, compares how long tasks wait after a wake-up
and after a preemption, with walk.py and with the table thread_wait.
--short: some tasks have no stream.
Fails if the times of a location decrease, if a location leaves a region that it is not in or does
not leave all regions, if a message is sent but not received or is received before it is sent, or if
the number of tasks of a CPU differs between its streams, its function and its counter.
"""
import collections
import json
import re
import subprocess
import sys

import otf2
from otf2 import events

from claims import fail
import walk

PID = re.compile(r"\((\d+)\)")
INNER = ("interrupt",)


class Location:
    """The regions that a location is in, and the times of its last event and last Enter"""

    def __init__(self, name):
        self.name = name
        self.cpu = int(re.search(r"cpu (\d+) ", name).group(1))
        self.stack = []
        self.last = None
        self.since = None

    def kind(self):
        return self.stack[0].description if self.stack else None


class Archive:
    def __init__(self):
        self.run = collections.Counter()
        self.usage = collections.defaultdict(collections.Counter)
        self.wait = collections.Counter()
        self.runnable = collections.Counter()
        self.regions = collections.Counter()
        self.entered = collections.Counter()
        self.sent = {}
        self.received = {}
        self.early = set()
        self.counters = collections.defaultdict(collections.Counter)
        self.locations = {}
        self.events = 0
        self.shown = collections.Counter()
        self.number = {}
        self.short = False

    def add_time(self, at, until):
        """Adds the time since the last event to the regions that the location is in."""
        span = until - at.last
        inner = at.stack[-1]
        self.regions[inner.name] += span
        if at.name.endswith("tasks"):
            if inner.name.isdigit():
                self.runnable[at.cpu] += span * int(inner.name)
            self.usage[at.cpu]["covered"] += span
            return
        innermost = [region for region in at.stack if region.description in INNER]
        if innermost:
            softirq = innermost[-1].name.startswith("softirq")
            self.usage[at.cpu]["softirq_ns" if softirq else "irq_ns"] += span
        elif at.stack[0].description == "state":
            idle = at.stack[0].name == "idle"
            self.usage[at.cpu]["idle_ns" if idle else "unknown_ns"] += span
        if any(region.description in INNER for region in at.stack):
            return
        kind = at.stack[0].description
        pid = PID.findall(at.stack[0].name)
        if kind == "running":
            self.run[pid[-1]] += span
        elif kind in ("preempted", "woken"):
            self.wait[int(pid[-1]), kind] += span

    def count_tasks(self, cpu):
        """The streams of a CPU show as many tasks as its function."""
        if self.short or cpu not in self.number:
            return
        if self.shown[cpu] != self.number[cpu]:
            fail(f"CPU {cpu}: {self.shown[cpu]} tasks in streams, function {self.number[cpu]}")

    def check_counter(self, at, event):
        """The counter has the number that the function showed until now."""
        values = {member.name: value for value, member in zip(event.values, event.metric.members)}
        if at.kind() != "tasks that run or wait" or at.since == event.time or "runnable tasks" not in values:
            return
        if values["runnable tasks"] != int(at.stack[0].name):
            fail(f"{at.name}: {event.time}: counter {values}, function {at.stack[0].name}")

    def place(self, at, group, before):
        now = at.kind()
        task = ("running", "preempted", "woken")
        self.shown[group] += (now in task) - (before in task)
        if at.name.endswith("tasks"):
            if now == "tasks that run or wait":
                self.number[group] = int(at.stack[0].name)
            else:
                self.number.pop(group, None)

    def take(self, location, event):
        at = self.locations.setdefault(location, Location(location.name))
        if at.last is not None and event.time < at.last:
            fail(f"{at.name}: steps back from {at.last} to {event.time}")
        if at.stack:
            self.add_time(at, event.time)
        at.last = event.time
        before = at.kind()
        if isinstance(event, events.Enter):
            at.stack.append(event.region)
            self.entered[event.region.name] += 1
            at.since = event.time
        elif isinstance(event, events.Leave):
            if not at.stack or at.stack[-1] != event.region:
                fail(f"{at.name}: leaves {event.region.name}, is in {[r.name for r in at.stack]}")
            at.stack.pop()
        elif isinstance(event, events.MpiSend):
            key = (event.msg_tag, location.name, event.communicator.group.members[event.receiver].name)
            self.sent[key] = self.sent.get(key, 0) + event.msg_length
        elif isinstance(event, events.MpiRecv):
            key = (event.msg_tag, event.communicator.group.members[event.sender].name, location.name)
            self.received[key] = self.received.get(key, 0) + event.msg_length
            # At equal times the reader may return a receive before its send.
            # ViTE does not accept this for the first message.
            if not self.sent:
                fail(f"{location.name}: a message is received at {event.time} before any is sent")
            if self.received[key] > self.sent.get(key, 0):
                self.early.add(key)
        elif isinstance(event, events.Metric):
            self.check_counter(at, event)
            for value, member in zip(event.values, event.metric.members):
                self.counters[location.name][member.name] += value
        self.place(at, location.group.name, before)

    def read(self, path):
        last = None
        dirty = set()
        with otf2.reader.open(path) as trace:
            names = collections.Counter(node.name for node in trace.definitions.system_tree_nodes)
            for group in trace.definitions.location_groups:
                if group.name in names:
                    fail(f"{group.name} is both a node of the system tree and a location group")
            for location, event in trace.events:
                if last is not None and event.time != last:
                    for cpu in dirty:
                        self.count_tasks(cpu)
                    dirty.clear()
                    for key in self.early:
                        if self.received[key] > self.sent.get(key, 0):
                            fail(f"{key}: a message is received at {last} and sent later")
                    self.early.clear()
                last = event.time
                self.events += 1
                self.take(location, event)
                dirty.add(location.group.name)
            self.locations_defined = len(trace.definitions.locations)
        for at in self.locations.values():
            if at.stack:
                fail(f"{at.name}: ends in {[region.name for region in at.stack]}")
        if self.sent != self.received:
            fail("messages sent are not those received")

    def json(self):
        messages = collections.defaultdict(dict)
        for (tag, sender, receiver), count in sorted(self.sent.items()):
            messages[tag][f"{sender} -> {receiver}"] = count
        return {
            "events": self.events,
            "locations": self.locations_defined,
            "run_ns": self.run,
            "wait_ns": {f"{pid} {kind}": span for (pid, kind), span in self.wait.items()},
            "regions_ns": self.regions,
            "entered": self.entered,
            "messages": messages,
            "counters": self.counters,
        }


def run_json(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 4):
        fail(f"{command} exits {done.returncode}")
    return done.stdout


def same(what, mine, theirs):
    if mine == theirs:
        return
    for key in sorted(set(mine) | set(theirs)):
        if mine.get(key) != theirs.get(key):
            print(f"archive.py: {what} of {key}: {mine.get(key)}, evtlog's {theirs.get(key)}",
                  file=sys.stderr)
    fail(f"{what}: differ from evtlog's")


def cpu_of(name):
    return int(re.search(r"cpu (\d+) tasks$", name).group(1))


def span_of(options):
    """--from and --to in ns"""
    found = {"--from": 0, "--to": None}
    for name, value in zip(options[::2], options[1::2]):
        number, unit = re.fullmatch(r"(\d+)(ms|s)", value).groups()
        found[name] = int(number) * {"ms": 1000000, "s": 1000000000}[unit]
    return found["--from"], found["--to"]


def compare_walk(archive, evtlog, log, options, known):
    """Returns True if waits were compared, too."""
    dump = run_json(evtlog, "dump", "--json", log).splitlines()
    naive = walk.Walk(dump, *span_of(options))
    sent = collections.Counter()
    for (tag, sender, receiver), count in archive.sent.items():
        sent[tag, cpu_of(sender), cpu_of(receiver)] = count
    same("messages", dict(sent), {key: count for key, count in naive.messages.items() if {*key[1:]} <= known})
    if naive.losses or archive.short:
        return False
    same("waits", {key: ns for key, ns in archive.wait.items() if ns},
         {key: ns for key, ns in naive.waits.items() if ns})
    question = ("SELECT tid, irq_context IS NULL, sum(dur) FROM thread_wait JOIN thread USING (utid) "
                "WHERE state IN ('R', 'R+') AND NOT cut GROUP BY 1, 2")
    rows = run_json(evtlog, "query", "--csv", question, log).decode()
    told = collections.Counter()
    for row in rows.splitlines()[1:]:
        pid, preempted, span = map(int, row.split(","))
        told[pid, "preempted" if preempted else "woken"] = span
    same("waits in thread_wait", {key: ns for key, ns in naive.whole.items() if ns},
         {key: ns for key, ns in told.items() if ns})
    return True


def compare(archive, evtlog, log, options):
    """Compares with `evtlog stat` and `evtlog dump`, and prints the sums."""
    stat = json.loads(run_json(evtlog, "stat", "--json", *options, log))
    run = collections.Counter()
    for task in stat["tasks"]:
        run[str(task["pid"])] += task["run_ns"]
    same("run time", {pid: ns for pid, ns in archive.run.items() if ns},
         {pid: ns for pid, ns in run.items() if ns})
    for at in stat["cpus"]:
        # A CPU is in no region before its first event and after its last one.
        archive.usage[at["cpu"]]["unknown_ns"] += at["span_ns"] - archive.usage[at["cpu"]]["covered"]
        names = ("idle_ns", "softirq_ns", "irq_ns", "unknown_ns")
        same(f"time of CPU {at['cpu']}", {name: archive.usage[at["cpu"]][name] for name in names},
             {name: at[name] for name in names})
    walked = compare_walk(archive, evtlog, log, options, {cpu["cpu"] for cpu in stat["cpus"]})
    for name in ("switches", "migrations"):
        same(name, {cpu_of(at): values[name]
                    for at, values in archive.counters.items() if values[name]},
             {at["cpu"]: at[name] for at in stat["cpus"] if at[name]})
    numbers = json.loads(run_json(evtlog, "stat", "--interval", "100000s", "--json", *options, log))
    same("time of runnable tasks", {at["cpu"]: archive.runnable[at["cpu"]] for at in numbers["hosts"][0]["cpus"]},
         {at["cpu"]: at["runnable_ns"] or 0 for at in numbers["hosts"][0]["cpus"]})
    totals = {name: sum(values[name] for values in archive.counters.values())
              for name in ("switches", "forks", "exits", "migrations")}
    messages = collections.Counter()
    for key, count in archive.sent.items():
        messages[key[0]] += count
    waits = collections.Counter()
    for (_, kind), span in archive.wait.items():
        waits[kind] += span
    print(f"{archive.events} events of {archive.locations_defined} locations; "
          f"run time of {len(run)} tasks, {sum(run.values())} ns, equal; "
          f"{totals}; messages by tag {dict(sorted(messages.items()))} equal; "
          f"waits of {dict(waits)} ns {'equal' if walked else 'not compared'}")


def main():
    words = sys.argv[2:]
    archive = Archive()
    archive.short = "--short" in words
    archive.read(sys.argv[1] + "/traces.otf2")
    words = [word for word in words if word != "--short"]
    if words:
        compare(archive, words[0], words[1], words[2:])
    else:
        json.dump(archive.json(), sys.stdout, indent=1)


main()
