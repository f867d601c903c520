#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""log.py OUT - compares profiles of tasks and CPUs with a naive model's sums from the log.

Only tasks that were forked while profiles were on are compared. A task's profile is in the file
that was read at the stop, or, if the task ended, in the log as an event.
"""

import collections
import sys

import evl
from claims import expect, finish, wrong
from entries import read
from log_model import CLASSES, STATES, Model


def one_io(sums):
    """Merges io: the log does not contain whether a task in state D waits for I/O."""
    merged = {}
    for path, entry in sums.items():
        if path[-1] == "io":
            path = path[:-1] + ("uninterruptible",)
        have = merged.setdefault(path, [0, 0, 0, 0])
        for i in range(3):
            have[i] += entry[i]
        have[3] = max(have[3], entry[3])
    return merged


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


def without_signals(sums):
    """Merges signals: the log has no delivery; its time is in the system call around it."""
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


def is_around_signals(event):
    return event == "kernel" or event.startswith(("syscall:", "compat:"))


def compare_row(number, row, wanted):
    """Compares a CPU's events: all tasks that ran there, including earlier tasks.

    Signals are left out: no record contains them. In the log, their time is in the system call or
    exception around them; so the exclusive ticks of all these are compared as one sum. A CPU's time
    offline belongs to its idle task. Waits belong to no CPU.
    """
    found = {path[0]: entry for path, entry in row.items()}
    if "rest" in found:
        return 0
    found.setdefault("idle", [0, 0, 0, 0])[2] += found.pop("offline", [0, 0, 0, 0])[2]
    signals = sum(found.pop(event)[2] for event in list(found) if event.startswith("signal:"))
    if signals:
        around = [sum(entry[2] for event, entry in sums.items() if is_around_signals(event))
                  for sums in (found, wanted)]
        expect(f"CPU {number}, system calls, exceptions and signals: {around[0] + signals} ticks, by "
               f"the log {around[1]}", around[0] + signals == around[1])
    for event in sorted(set(found) | set(wanted)):
        have, want = list(found.get(event, [0] * 4)), list(wanted.get(event, [0] * 4))
        if signals and is_around_signals(event):
            have[2] = want[2] = 0
        expect(f"CPU {number} {event}: {have}, by the log {want}", have == want)
    return len(wanted)


def main():
    out = sys.argv[1]
    cpus, tasks = read(f"{out}/stopped")
    for line in open(f"{out}/stopped"):
        expect(line, not line.startswith(("tasks_without", "exits_not_recorded")) or line.split()[1] == "0")
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
    model = Model(log, {number: cpu["begin"] for number, cpu in cpus.items()},
                  {number: cpu["until"] for number, cpu in cpus.items()},
                  {int(pid) for pid in open(f"{out}/threads").read().split()})
    rows = [compare_row(number, cpu["paths"], model.rows[number]) for number, cpu in cpus.items()]
    print(f"events of CPUs compared: {rows}")
    expect("all CPUs have a node for each path", all(row > 15 for row in rows))
    alive = ended = entries = full = 0
    pids = collections.Counter(pid for pid, _ in model.tasks)
    # A task that ran when its CPU's clock ended left the CPU at that time.
    ends = [cpu["until"] for cpu in cpus.values()]
    until = min(ends)
    for key, task in model.tasks.items():
        if key[1] > until:
            continue
        if key in tasks and tasks[key]["off"] not in ends:
            found, alive = tasks[key]["paths"], alive + 1
            task.sleep_until(tasks[key]["off"])
        elif key in model.ended:
            found, ended = sums_of_ended(model.ended[key]), ended + 1
        else:
            continue
        if any(path[0] in ("rest", "waiting") for path in found):
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
    finish()


main()
