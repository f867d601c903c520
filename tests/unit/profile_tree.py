#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""profile_tree.py PROGRAM SEED OPERATIONS EVENTS DEPTH [more] - compares the kernel's profiles with
a naive model.

Random tasks on random CPUs enter and leave events, block, are woken and preempted. The model has no
tree and no clock per CPU. It sums up each task's history: intervals (path, begin, end).
"""

import collections
import random
import subprocess
import sys

USER, KERNEL, IDLE, RUNQUEUE, PREEMPTED, BLOCKED, OFFLINE = 1, 2, 3, 4, 5, 6, 12
CPUS, TASKS = 3, 9


class Task:
    def __init__(self, number, root, tick):
        self.number = number
        # Any new task is in the kernel first.
        self.stack = [(root, tick)] + ([(KERNEL, tick)] if root == USER else [])
        self.born = tick
        self.off = tick
        self.how = RUNQUEUE
        self.woken = 0
        # (path, is CPU time, begin, end): exclusive times, and inclusive times of ended spans
        self.exclusive = []
        self.spans = []

    def path(self, *more):
        return tuple(event for event, _ in self.stack) + more


class Cpu:
    def __init__(self, task, tick):
        self.task = task
        self.begin = self.since = tick
        self.exclusive = []
        self.spans = []

    def until(self, tick):
        self.task.exclusive.append((self.task.path(), self.since, tick))
        self.exclusive.append((self.task.path()[-1], self.since, tick))
        self.since = tick

    def leave(self, tick):
        path = self.task.path()
        _, begin = self.task.stack.pop()
        self.task.spans.append((path, begin, tick))
        self.spans.append((path[-1], begin, tick))


def add(sums, key, ticks, exclusive):
    entry = sums[key]
    if exclusive:
        entry[2] += ticks
    else:
        entry[0] += 1
        entry[1] += ticks
        entry[3] = max(entry[3], ticks)


def sums_of(exclusive, spans):
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for key, begin, end in exclusive:
        add(sums, key, end - begin, True)
    for key, begin, end in spans:
        add(sums, key, end - begin, False)
    return {key: entry for key, entry in sums.items() if any(entry)}


def main():
    program, seed, operations = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    events, depth = int(sys.argv[4]), int(sys.argv[5])
    draw = random.Random(seed)
    tick = 1000
    lines = []
    tasks = []
    for number in range(TASKS):
        root = IDLE if number < CPUS else KERNEL if number % 3 == 0 else USER
        tasks.append(Task(number, root, tick))
        lines.append(f"task {number} {root} {tick}")
    cpus = {}
    running = set()
    def come_back(task):
        """Adds the waits since the task left a CPU, or was born."""
        if task.how in (RUNQUEUE, PREEMPTED):
            waits = [(task.how, task.off, tick)]
        else:
            woken = max(task.woken, task.off)
            waits = [(task.how, task.off, woken), (RUNQUEUE, woken, tick)]
        for event, begin, end in waits:
            task.exclusive.append((task.path(event), begin, end))
            task.spans.append((task.path(event), begin, end))
        running.add(task.number)

    def may_run(number):
        """Tasks that may come to this CPU: no idle task of another CPU"""
        return [t for t in tasks if t.number not in running and
                (t.number >= CPUS or t.number == number) and
                (t.how in (RUNQUEUE, PREEMPTED) or t.woken >= t.off or draw.random() < 0.1)]

    def operate(count):
        nonlocal tick
        for _ in range(count):
            on = list(cpus)
            # A reader settles some or all of the CPU's tasks; this changes no sum.
            if draw.random() < 0.1:
                lines.append(f"settle {draw.choice(on)} {draw.choice((2, TASKS))}")
            tick += draw.choice((0, 1, 7, 300, 1 << 33))
            number = draw.choice(on)
            cpu = cpus[number]
            task = cpu.task
            what = draw.random()
            if task.number == number and len(task.stack) == 1 and draw.random() < 0.05:
                # The CPU is offline for a while, in its idle task's loop, without an open event.
                cpu.until(tick)
                lines.append(f"offline {number} {tick}")
                task.stack.append((OFFLINE, tick))
                tick += draw.choice((0, 1, 300, 1 << 33))
                cpu.until(tick)
                cpu.leave(tick)
                lines.append(f"online {number} {tick}")
                continue
            if what < 0.35 and len(task.stack) <= depth:
                event = 0x1000 + draw.randrange(events)
                cpu.until(tick)
                task.stack.append((event, tick))
                lines.append(f"enter {number} {event} {tick}")
            elif what < 0.6 and len(task.stack) > 1:
                cpu.until(tick)
                # Sometimes an event that contains open events, or an event that is not open
                kind = draw.random()
                if kind < 0.9:
                    event = task.stack[-1][0]
                elif kind < 0.95:
                    event = draw.choice(task.stack[1:])[0]
                else:
                    event = 0x1fff
                lines.append(f"exit {number} {event} {tick}")
                if event in [e for e, _ in task.stack[1:]]:
                    while task.stack[-1][0] != event:
                        cpu.leave(tick)
                    cpu.leave(tick)
            elif what < 0.7 and task.stack[0][0] == USER:
                cpu.until(tick)
                while len(task.stack) > 1:
                    cpu.leave(tick)
                lines.append(f"user {number} {tick}")
            elif what < 0.85:
                choice = may_run(number)
                if not choice:
                    continue
                other = draw.choice(choice)
                how = draw.choice((PREEMPTED, BLOCKED, BLOCKED + 1, RUNQUEUE))
                cpu.until(tick)
                task.off, task.how = tick, how
                running.remove(task.number)
                come_back(other)
                cpu.task = other
                lines.append(f"switch {number} {other.number} {how} {tick}")
            else:
                other = draw.choice(tasks)
                other.woken = tick
                lines.append(f"waking {other.number} {tick}")

    # Clocks begin one after the other: a CPU's first task may have run on other CPUs before.
    for number in range(CPUS):
        others = [t for t in may_run(number) if t.number >= CPUS]
        if number and others and draw.random() < 0.5:
            task = draw.choice(others)
            come_back(task)
            lines.append(f"take {number} {task.number} {tick}")
        else:
            task = tasks[number]
            task.stack, task.born = [(IDLE, tick)], tick
            running.add(number)
            lines.append(f"cpu {number} {number} {tick}")
        cpus[number] = Cpu(task, tick)
        operate(draw.choice((0, 1, 50)))
    operate(operations)
    # Clocks end one after the other, for the comparison; tasks move to the CPUs that are left.
    ended = {}
    for number in draw.sample(range(CPUS), CPUS):
        tick += 5
        cpu = ended[number] = cpus.pop(number)
        cpu.until(tick)
        cpu.end = tick
        cpu.task.off, cpu.task.how = tick, RUNQUEUE
        running.remove(cpu.task.number)
        lines.append(f"end {number} {tick}")
        if cpus:
            operate(draw.choice((0, 1, 50)))
    lines.append("show")

    shown = subprocess.run([program, *sys.argv[6:]], input="\n".join(lines) + "\n", text=True,
                           stdout=subprocess.PIPE, check=True).stdout
    nodes = collections.defaultdict(dict)
    slots = collections.defaultdict(dict)
    states = {}
    for line in shown.splitlines():
        word = line.split()
        if word[0] == "node":
            path = tuple(int(event) for event in word[2].split("/"))
            entry = [int(value) for value in word[3:]]
            if any(entry):
                nodes[int(word[1])][path] = entry
        elif word[0] == "slot":
            slots[int(word[1])][int(word[2])] = [int(value) for value in word[3:]]
        else:
            states[int(word[1])] = {word[i]: int(word[i + 1]) for i in range(2, 14, 2)}

    wrong = 0

    def expect(what, found, wanted):
        nonlocal wrong
        if found != wanted:
            print(f"WRONG: {what}: {found}, and it should be {wanted}")
            wrong += 1

    full = apart = unknown = 0
    for task in tasks:
        lifetime = task.off - task.born
        found = nodes[task.number]
        expect(f"task {task.number}: exclusive ticks of all",
               sum(entry[2] for entry in found.values()), lifetime)
        # Six nodes are reserved, one for each kind of wait.
        if states[task.number]["rest"]:
            expect(f"task {task.number}: nodes left of one that is full", states[task.number]["free"] <= 6, True)
        # Waits cannot allocate: a later wait may have a node, and an earlier wait none.
        if any(states[task.number][of] for of in ("rest", "waiting", "apart")):
            full += 1
            apart += states[task.number]["apart"]
            unknown += states[task.number]["waiting"]
            continue
        wanted = sums_of(task.exclusive, task.spans)
        for path in sorted(set(found) | set(wanted)):
            expect(f"task {task.number}: {path}", found.get(path), wanted.get(path))
    for number, cpu in ended.items():
        found = slots[number]
        expect(f"CPU {number}: exclusive ticks of all",
               sum(entry[2] for entry in found.values()), cpu.end - cpu.begin)
        if full:
            continue
        wanted = sums_of(cpu.exclusive, cpu.spans)
        for event in sorted(set(found) | set(wanted)):
            expect(f"CPU {number}: event {event}", found.get(event), wanted.get(event))
    # With memory, almost all waits have a kind.
    if full > len(tasks) / 2 and "more" in sys.argv:
        expect(f"of {apart} waits without a path, {unknown} are of no kind", unknown * 50 < apart, True)
    print(f"seed {seed}: {operations} operations, {apart} waits apart, {unknown} of no kind, "
          f"{sum(len(found) for found in nodes.values())} paths, {full} profiles full, "
          f"{wrong} wrong")
    return wrong > 0


sys.exit(main())
