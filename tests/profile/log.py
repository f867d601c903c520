#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""log.py OUT - profiles of tasks against the sums that a naive model makes of the log.

The model knows tasks from their fork on, and no tree: paths are tuples, intervals are added up.
A task's profile is in the file that was read when profiles were stopped, or, if it has ended, in
the log as an event.
"""

import collections
import heapq
import struct
import sys

import evl
from expectations import expect, status, wrong

STATES = ["none", "user", "kernel", "idle", "runqueue", "preempted", "interruptible",
          "uninterruptible", "io", "stopped", "waiting", "rest", "offline", "task"]
CLASSES = [None, "syscall", "compat", "exception", "irq", "vector", "softirq", "signal"]
WAITS = ("runqueue", "preempted", "interruptible", "uninterruptible", "io", "stopped", "waiting")
LETTERS = "RSDTtXZPI+"
HOW = {"R": "runqueue", "+": "preempted", "S": "interruptible", "I": "interruptible",
       "D": "uninterruptible", "T": "stopped", "t": "stopped", "X": "stopped", "Z": "stopped",
       "P": "stopped"}
HEADER = struct.Struct("<IIQQQ16sHHHHII")
PATH = struct.Struct("<HHIIIQQQ")


class Task:
    def __init__(self, pid, root, ticks):
        self.pid, self.born = pid, ticks
        self.stack = [(root, ticks)] + ([("kernel", ticks)] if root == "user" else [])
        self.off, self.how, self.woken, self.since = ticks, "runqueue", 0, None
        self.sums = collections.defaultdict(lambda: [0, 0, 0, 0])
        self.unmatched = 0

    def path(self, *more):
        return tuple(event for event, _ in self.stack) + more

    def until(self, ticks):
        self.sums[self.path()][2] += ticks - self.since
        self.since = ticks

    def span(self, path, ticks):
        entry = self.sums[path]
        entry[0] += 1
        entry[1] += ticks
        entry[3] = max(entry[3], ticks)

    def enter(self, event, ticks):
        self.until(ticks)
        self.stack.append((event, ticks))

    def leave_top(self, ticks):
        path = self.path()
        _, begin = self.stack.pop()
        self.span(path, ticks - begin)

    def leave(self, event, ticks):
        self.until(ticks)
        if event not in [e for e, _ in self.stack[1:]]:
            self.unmatched += 1
            return
        while self.stack[-1][0] != event:
            self.leave_top(ticks)
        self.leave_top(ticks)

    def to_user(self, ticks):
        self.until(ticks)
        while len(self.stack) > 1:
            self.leave_top(ticks)

    def wait(self, how, ticks):
        path = self.path(how)
        self.sums[path][2] += ticks
        self.span(path, ticks)

    def go(self, ticks, how):
        self.until(ticks)
        self.off, self.how, self.since = ticks, how, None

    def come(self, ticks):
        if self.how in ("runqueue", "preempted"):
            self.wait(self.how, ticks - self.off)
        else:
            woken = max(self.woken, self.off)
            self.wait(self.how, woken - self.off)
            self.wait("runqueue", ticks - woken)
        self.since = ticks

    def found(self):
        return {path: entry for path, entry in self.sums.items() if any(entry)}


def one_io(sums):
    """The log does not say whether a task in D waits for I/O."""
    merged = {}
    for path, entry in sums.items():
        if path[-1] == "io":
            path = path[:-1] + ("uninterruptible",)
        have = merged.setdefault(path, [0, 0, 0, 0])
        for i in range(3):
            have[i] += entry[i]
        have[3] = max(have[3], entry[3])
    return merged


class Model:
    """Of the time in which profiles were kept: from `begin` on all CPUs, to each one's own of `ends`."""

    def __init__(self, log, begin, ends):
        self.log, self.begin, self.ends = log, begin, ends
        self.now, self.known, self.tasks = {}, {}, {}
        self.ended, self.id = collections.defaultdict(list), None
        self.records = collections.Counter()
        streams = [self.stream(cpu) for cpu in log.cpus()]
        for _, cpu, _, record in heapq.merge(*streams):
            self.take(cpu, record)

    def stream(self, cpu):
        for k, record in enumerate(self.log.records(cpu)):
            yield record.ticks, cpu, k, record

    def take(self, cpu, record):
        name, ticks, data = self.log.name[record.type], record.ticks, record.data
        task = self.now.get(cpu)
        # The run goes on when profiles are stopped, and so do kernel threads that slept.
        if ticks > self.ends[cpu] and name not in ("event", "event_format"):
            return
        if name == "sched_switch":
            if task:
                task.go(ticks, HOW[LETTERS[data >> 22 & 15]])
            task = self.now[cpu] = self.known.get(data & 0x3fffff)
            if task:
                task.come(ticks)
        elif name == "sched_waking":
            if data in self.known:
                self.known[data].woken = ticks
        elif name == "sched_process_fork":
            if ticks >= self.begin:
                root = "kernel" if record.words[1] & 0xffffffff == 2 else "user"
                self.known[data] = Task(data, root, ticks)
                self.tasks[data, ticks] = self.known[data]
        elif name == "event_format":
            text = evl.payload(record).decode().split("\n")
            if text[0] == "profile":
                self.id = evl.event_id(record)
        elif name == "event":
            if self.id == evl.event_id(record):
                self.take_profile(evl.payload(record))
        elif task:
            self.take_boundary(task, name, ticks, data)

    def take_boundary(self, task, name, ticks, data):
        self.records[name] += 1
        if name == "user_exit":
            kind, nr = data & 3, data >> 2
            task.enter("kernel" if kind == 0 else
                       f"{'syscall' if kind == 1 else 'compat'}:{min(nr, 4095)}", ticks)
        elif name == "user_enter":
            task.to_user(ticks)
        elif name.endswith("_entry") or name.endswith("_exit"):
            kind, _, way = name.rpartition("_")
            number = data & 0xffffff
            if kind == "softirq":
                event = f"softirq:{number}"
            elif kind == "exception":
                event = f"exception:{number}"
            elif kind == "irq_handler":
                event = f"irq:{number}"
            elif kind in ("local_timer", "reschedule", "call_function", "irq_work", "vector",
                          "call_function_single"):
                event = f"vector:{number}"
            else:
                return
            (task.enter if way == "entry" else task.leave)(event, ticks)

    def take_profile(self, data):
        pid, _, born, off, ahead, comm, first, paths, whole, _, _, _ = HEADER.unpack_from(data)
        have = self.ended[pid, born]
        need = HEADER.size + paths * PATH.size
        expect(f"profile of {pid}: {len(data)} bytes", len(data) == need)
        expect(f"profile of {pid}: paths from {first} on", len(have) == first)
        for i in range(paths):
            have.append(PATH.unpack_from(data, HEADER.size + i * PATH.size))


def event_name(event):
    kind, number = event >> 12, event & 0xfff
    return f"{CLASSES[kind]}:{number}" if kind else STATES[number]


def sums_of_ended(paths):
    names, sums = [], {}
    for event, parent, high, count, _, inclusive, exclusive, largest in paths:
        name = (names[parent] if parent != 0xffff else ()) + (event_name(event),)
        names.append(name)
        if count or high or exclusive:
            sums[name] = [high << 32 | count, inclusive, exclusive, largest]
    return sums


def read(path):
    cpus, tasks, entry = {}, {}, None
    for line in open(path):
        word = line.split()
        if line.startswith("  "):
            entry["paths"][tuple(word[0].split(">"))] = [int(value) for value in word[1:]]
        elif word[0] == "cpu":
            entry = {"begin": int(word[2]), "until": int(word[3]), "paths": {}}
            cpus[int(word[1])] = entry
        elif word[0] == "task":
            entry = {"off": int(word[4]), "unmatched": int(word[5]), "ahead": int(word[6]),
                     "paths": {}}
            tasks[int(word[1]), int(word[3])] = entry
        elif word[0] in ("tasks_without", "exits_not_recorded"):
            expect(line, word[1] == "0")
    return cpus, tasks


def without_signals(sums):
    """The log does not tell their delivery: what is in it is in the system call around it."""
    merged = {}
    for path, entry in sums.items():
        is_own = path[-1].startswith("signal:")
        path = tuple(event for event in path if not event.startswith("signal:"))
        have = merged.setdefault(path, [0, 0, 0, 0])
        have[2] += entry[2]
        if not is_own:
            have[0] += entry[0]
            have[1] += entry[1]
            have[3] = max(have[3], entry[3])
    return merged


def compare(what, found, wanted):
    found, wanted = one_io(without_signals(found)), one_io(wanted)
    for path in sorted(set(found) | set(wanted)):
        expect(f"{what} {'>'.join(path)}: {found.get(path)}, by the log {wanted.get(path)}",
               found.get(path) == wanted.get(path))
    return len(wanted)


def main():
    out = sys.argv[1]
    cpus, tasks = read(f"{out}/stopped")
    offline = 0
    for number, cpu in cpus.items():
        elapsed = cpu["until"] - cpu["begin"]
        charged = sum(sums[2] for sums in cpu["paths"].values())
        offline += ("offline",) in cpu["paths"]
        expect(f"CPU {number}: {charged} ticks charged of {elapsed}", charged == elapsed)
    expect("three CPUs", len(cpus) == 3)
    expect(f"{offline} CPUs were offline", offline == 2)
    for (pid, born), task in tasks.items():
        if born and task["off"]:
            charged = sum(sums[2] for sums in task["paths"].values()) - task["ahead"]
            expect(f"task {pid}: {charged} ticks charged of {task['off'] - born}",
                   charged == task["off"] - born)
    log = evl.Log(f"{out}/run.evl")
    expect("nothing lost", not log.lost())
    model = Model(log, max(cpu["begin"] for cpu in cpus.values()),
                  {number: cpu["until"] for number, cpu in cpus.items()})
    alive = ended = entries = full = 0
    pids = collections.Counter(pid for pid, _ in model.tasks)
    # A task that ran when its CPU's clock ended left it then.
    ends = [cpu["until"] for cpu in cpus.values()]
    until = min(ends)
    for key, task in model.tasks.items():
        if key[1] > until:
            continue
        if key in tasks and tasks[key]["off"] not in ends:
            found, alive = tasks[key]["paths"], alive + 1
        elif key in model.ended:
            found, ended = sums_of_ended(model.ended[key]), ended + 1
        else:
            continue
        if any(path[-1] in ("rest", "waiting") for path in found):
            full += 1
            continue
        entries += compare(f"task {key[0]}", found, task.found())
    print(f"{len(model.tasks)} tasks forked, {alive} compared that slept, {ended} that ended, "
          f"{entries} entries, {full} full; {sum(n > 1 for n in pids.values())} pids twice; "
          f"{dict(model.records)}; {len(wrong)} wrong")
    expect("pids that came again", any(n > 1 for n in pids.values()))
    expect("paths of signals", any(path[-1] == "signal:14" for task in tasks.values()
                                   for path in task["paths"]))
    expect("tasks of each kind", alive >= 4 and ended >= 300 and full <= 2)
    cpus, tasks = read(f"{out}/softirq")
    events = {path[-1].split(":")[0] for task in tasks.values() for path in task["paths"]}
    print("events of the group softirq:", sorted(events))
    expect("the group softirq alone", "softirq" in events and
           not events & {"user", "syscall", "exception", "irq", "vector", "signal"})
    for number, cpu in cpus.items():
        expect(f"CPU {number}, the group softirq: the ticks charged",
               sum(sums[2] for sums in cpu["paths"].values()) == cpu["until"] - cpu["begin"])
    return status()


sys.exit(main())
