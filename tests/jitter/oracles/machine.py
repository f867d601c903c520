# SPDX-License-Identifier: GPL-2.0-or-later
"""
The contexts of each CPU of a log: segments between two events, with their stacks; and where
tasks cross from and to user mode. Used by engine.py. It does not read samples.
"""
import bisect
import collections
import math
import struct

PREEMPTED, RUNNABLE = 9, 0
IDLE = "idle"
VECTORS = {
    "local_timer": "timer interrupt", "reschedule": "reschedule interrupt",
    "call_function": "function call interrupt",
    "call_function_single": "single function call interrupt",
    "irq_work": "IRQ work interrupt"}
EXCEPTIONS = {
    0: "divide error", 1: "debug", 2: "NMI exception", 3: "breakpoint", 4: "overflow",
    5: "bound range", 6: "invalid opcode", 7: "device not available", 8: "double fault",
    10: "invalid TSS", 11: "segment not present", 12: "stack segment fault",
    13: "general protection", 14: "page fault", 16: "x87 error", 17: "alignment check",
    18: "machine check", 19: "SIMD error", 20: "virtualization exception",
    21: "control protection", 29: "VMM communication"}

# @stack: ((stay, name), ...), outermost first; @pid: the task that runs
Segment = collections.namedtuple("Segment", "begin end pid stack")


class Names:
    """The names of tasks over time, and which tasks are the kernel's own."""

    def __init__(self, log):
        self.kernel = set()
        names = collections.defaultdict(list)
        forks = []
        for cpu in log.cpus():
            for record in log.records(cpu):
                name, words, pid = log.name[record.type], record.words, record.data
                if name == "task":
                    pid &= 0x3fffff
                    names[pid].append((0, comm(words[5:7])))
                    if words[3] >> 32 & 1:
                        self.kernel.add(pid)
                elif name == "sched_process_fork":
                    names[pid & 0x3fffff].append((record.ticks, comm(words[3:5])))
                    forks.append((pid & 0x3fffff, words[1] & 0xffffffff))
                elif name == "sched_process_exec":
                    names[pid & 0x3fffff].append((record.ticks, comm(words[2:4])))
                elif name == "task_rename":
                    names[pid & 0x3fffff].append((record.ticks, comm(words[1:3])))
        for child, parent in forks:
            if parent == 2 or parent in self.kernel:
                self.kernel.add(child)
        self.names = {pid: sorted(of) for pid, of in names.items()}

    def at(self, pid, ticks):
        of = self.names.get(pid, [])
        k = bisect.bisect_right(of, ticks, key=lambda pair: pair[0])
        return of[k - 1][1] if k else "?"


def comm(words):
    return struct.pack("<2Q", *words).split(b"\0")[0].decode()


class Task:
    """@sleeps: number of sleeps; @frames: [(number, name)] of its contexts."""

    def __init__(self):
        self.frames, self.sleeps, self.asleep = [], 0, True
        self.cpu = None         # where it ran last
        self.starts = False     # this turn is the first since it slept


class Machine:
    """The segments of all CPUs and the crossings of all tasks in a log."""

    def __init__(self, log, text):
        self.log, self.text = log, text
        self.names = Names(log)
        self.tasks = collections.defaultdict(Task)
        self.current = {}
        self.segments = collections.defaultdict(list)
        self.crossings = collections.defaultdict(list)  # by CPU: (ticks, what, pid)
        self.losses = collections.defaultdict(list)
        self.alive = {}         # by (ticks, cpu) of an enter: stays that continue
        self.nmis = collections.defaultdict(list)
        self.frame = 0
        self.begins = {}
        self.read()

    def events(self):
        for cpu in self.log.cpus():
            last = 0
            for k, buffer in enumerate(self.log.buffers[cpu]):
                if not k or buffer.begin_ticks > last or buffer.lost[0]:
                    yield buffer.begin_ticks, cpu, -1, "gap", \
                        (last, buffer.begin_pid, buffer.lost[0])
                last = buffer.end_ticks
            for k, record in enumerate(self.log.records(cpu)):
                yield record.ticks, cpu, k, self.log.name[record.type], record
            yield last, cpu, math.inf, "end", None

    def task(self, cpu, pid):
        return self.tasks[pid or ("idle", cpu)]

    def stack(self, cpu):
        """Outermost first: (stay, name). A stay ends when its task sleeps."""
        pid = self.current[cpu]
        task = self.task(cpu, pid)
        key = (pid or ("idle", cpu), task.sleeps)
        return ((key, None),) + tuple(((key, number), name) for number, name in task.frames)

    def read(self):
        last = {}
        for ticks, cpu, _, name, record in sorted(self.events(), key=lambda e: e[:3]):
            if cpu in last and last[cpu] < ticks and self.current.get(cpu) is not None:
                self.segments[cpu].append(
                    Segment(last[cpu], ticks, self.current[cpu], self.stack(cpu)))
            last[cpu] = ticks
            self.happen(ticks, cpu, name, record)

    def run(self, cpu, pid):
        self.current[cpu] = pid
        task = self.task(cpu, pid)
        task.starts, task.asleep, task.cpu = task.asleep, False, cpu
        return task

    def happen(self, ticks, cpu, name, record):
        pid = self.current.get(cpu)
        if name == "gap":
            since, pid, count = record
            self.losses[cpu].append((since, ticks, count))
            if cpu in self.current and self.task(cpu, self.current[cpu]).cpu == cpu:
                self.task(cpu, self.current[cpu]).frames = []
            task = self.run(cpu, pid)
            task.frames, task.starts = [], False
            self.crossings[cpu].append((ticks, "lost", None))
        elif name == "lost":
            self.losses[cpu].append((record.words[2], record.words[3], 0))
        elif name == "end":
            self.losses[cpu].append((ticks, math.inf, 0))
            self.crossings[cpu].append((ticks, "lost", None))
        elif name == "sched_switch":
            state = record.data >> 22 & 15
            task = self.task(cpu, pid)
            task.frames = [f for f in task.frames
                           if f[1].startswith("softirq") or f[1] in self.exceptions()]
            if state not in (PREEMPTED, RUNNABLE) or not pid:
                task.asleep = True
                task.sleeps += 1
            self.begin_turn(ticks, cpu, self.run(cpu, record.data & 0x3fffff))
        elif name == "sched_process_fork":
            task = self.tasks[record.data & 0x3fffff]
            task.frames, task.asleep = [], True
            task.sleeps += 1
        elif name == "user_exit":
            self.crossings[cpu].append((ticks, "call" if record.data & 3 else "leave", pid))
        elif name == "user_enter":
            self.alive[ticks, cpu] = self.going_on()
            self.task(cpu, pid).frames = []
            self.crossings[cpu].append((ticks, "enter", pid))
        elif name == "user_nmi":
            self.nmis[cpu].append((ticks, pid, record.data, record.words[1], record.words[2]))
        elif name.endswith("_entry"):
            self.frame += 1
            self.task(cpu, pid).frames.append((self.frame, self.source(name[:-6], record)))
        elif name.endswith("_exit") and name != "sched_process_exit":
            frames = self.task(cpu, pid).frames
            wanted = self.source(name[:-5], record)
            for k in reversed(range(len(frames))):
                if frames[k][1] == wanted:
                    del frames[k:]
                    break

    def begin_turn(self, ticks, cpu, task):
        self.begins[ticks, cpu] = task.starts

    def going_on(self):
        stays = set()
        for pid, task in self.tasks.items():
            stays.add((pid, task.sleeps))
            stays.update(((pid, task.sleeps), number) for number, _ in task.frames)
            stays.update(("own", number) for number, _ in task.frames)
        return stays

    def exceptions(self):
        return set(EXCEPTIONS.values()) | {f"exception {n}" for n in range(256)}

    def source(self, name, record):
        if name == "softirq":
            return "softirq " + self.log.softirqs[record.data]
        if name == "irq_handler":
            number = record.data & 0xffffff
            known = self.text.get(f"irq.{number}")
            return f"irq {number} {known}" if known else f"irq {number}"
        if name == "exception":
            return EXCEPTIONS.get(record.data & 255, f"exception {record.data & 255}")
        if name == "vector":
            return f"interrupt vector {record.data & 255}"
        return VECTORS[name]

    def task_name(self, pid, ticks):
        if not pid:
            return IDLE
        name = self.names.at(pid, ticks)
        if name in ("?", ""):
            return f"pid {pid}"
        if pid in self.names.kernel:
            first = min([name.find(c) for c in "/:" if c in name[1:]] or [len(name)])
            name = name[:first]
        return name
