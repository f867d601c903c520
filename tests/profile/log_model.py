# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes from a log, naively, the sums of each task's paths and of each CPU's events.

The model has no tree and no slots: paths are tuples, and intervals are added up. As in profiles, a
task that ran before they started is in the kernel until it returns to user mode.
"""

import collections
import heapq
import struct

import evl
from claims import expect

STATES = ["none", "user", "kernel", "idle", "runqueue", "preempted", "interruptible",
          "uninterruptible", "io", "stopped", "waiting", "rest", "offline", "task"]
CLASSES = [None, "syscall", "compat", "exception", "irq", "vector", "softirq", "signal"]
WAITS = ("runqueue", "preempted", "interruptible", "uninterruptible", "io", "stopped", "waiting")
LETTERS = "RSDTtXZPI+"
HOW = {"R": "preempted", "+": "preempted", "S": "interruptible", "I": "interruptible",
       "D": "uninterruptible", "T": "stopped", "t": "stopped", "X": "stopped", "Z": "stopped",
       "P": "stopped"}
HEADER = struct.Struct("<IIQQQ16sHHHHII")
PATH = struct.Struct("<HHIIIQQQ")




def no_sums():
    return collections.defaultdict(lambda: [0, 0, 0, 0])


def add_span(entry, ticks):
    entry[0] += 1
    entry[1] += ticks
    entry[3] = max(entry[3], ticks)


class Task:
    """@row: sums of the CPU that it runs on; @how: None if it existed before profiles started"""

    def __init__(self, pid, root, ticks):
        self.pid, self.born, self.row = pid, ticks, None
        self.stack = [(root, ticks)] + ([("kernel", ticks)] if root == "user" else [])
        self.off, self.how, self.woken, self.since = ticks, ticks and "runqueue", 0, None
        self.sums = no_sums()
        self.unmatched = 0

    def path(self, *more):
        return tuple(event for event, _ in self.stack) + more

    def until(self, ticks):
        self.sums[self.path()][2] += ticks - self.since
        self.row[self.stack[-1][0]][2] += ticks - self.since
        self.since = ticks

    def enter(self, event, ticks):
        self.until(ticks)
        self.stack.append((event, ticks))

    def leave_top(self, ticks):
        path = self.path()
        _, begin = self.stack.pop()
        add_span(self.sums[path], ticks - begin)
        add_span(self.row[path[-1]], ticks - begin)

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
        add_span(self.sums[path], ticks)

    def go(self, ticks, how):
        self.until(ticks)
        self.off, self.how, self.since, self.row = ticks, how, None, None

    def come(self, ticks, row):
        self.row = row
        if not self.how:
            self.stack = [(event, ticks) for event, _ in self.stack]
        elif self.how in ("runqueue", "preempted"):
            self.wait(self.how, ticks - self.off)
        else:
            woken = max(self.woken, self.off)
            self.wait(self.how, woken - self.off)
            self.wait("runqueue", ticks - woken)
        self.since = ticks

    def sleep_until(self, ticks):
        """An unfinished wait is not counted; only its time is added."""
        if not self.how or ticks <= self.off:
            return
        woken, how = self.off, self.how
        if how not in ("runqueue", "preempted"):
            woken = min(self.woken, ticks) if self.woken >= self.off else ticks
            how = "runqueue"
        for how, span in ((self.how, woken - self.off), (how, ticks - woken)):
            if span:
                self.sums[self.path(how)][1] += span
                self.sums[self.path(how)][2] += span

    def found(self):
        return {path: entry for path, entry in self.sums.items() if any(entry)}


class Model:
    """The time with profiles on: on each CPU from its own `begins` to its own `ends`.

    `threads`: pids of kernel threads that existed before.
    """

    def __init__(self, log, begins, ends, threads):
        self.log, self.begins, self.ends, self.threads = log, begins, ends, threads
        self.begin = max(begins.values())
        self.now, self.known, self.tasks = {}, {}, {}
        # By CPU: the sums of events, and the task by the last switch
        self.rows = {cpu: no_sums() for cpu in begins}
        self.runs = {}
        self.ended, self.id = collections.defaultdict(list), None
        self.records = collections.Counter()
        streams = [self.stream(cpu) for cpu in log.cpus()]
        for ticks, cpu, _, record in heapq.merge(*streams):
            if callable(record):
                record(cpu, ticks)
            else:
                self.take(cpu, record)

    def stream(self, cpu):
        """Yields records, and between them the begin and the end of the CPU's clock."""
        limits = [(self.begins[cpu], self.begin_cpu), (self.ends[cpu], self.end_cpu)]
        k = 0
        for k, record in enumerate(self.log.records(cpu)):
            while limits and record.ticks > limits[0][0]:
                yield limits[0][0], cpu, k - 0.5, limits.pop(0)[1]
            yield record.ticks, cpu, k, record
        for ticks, limit in limits:
            yield ticks, cpu, k + 1, limit

    def find(self, pid, cpu):
        """Returns the task with this pid; each CPU has its own idle task."""
        key = pid or ("idle", cpu)
        if key not in self.known:
            root = "idle" if not pid else "kernel" if pid in self.threads else "user"
            self.known[key] = Task(pid, root, None)
        return self.known[key]

    def begin_cpu(self, cpu, ticks):
        expect(f"CPU {cpu}: what runs as its clock begins", cpu in self.runs)
        self.now[cpu] = self.find(self.runs.get(cpu, 0), cpu)
        self.now[cpu].come(ticks, self.rows[cpu])

    def end_cpu(self, cpu, ticks):
        self.now.pop(cpu).go(ticks, "runqueue")

    def take(self, cpu, record):
        name, ticks, data = self.log.name[record.type], record.ticks, record.data
        task = self.now.get(cpu)
        # The run continues after profiles stop, and so do kernel threads that slept.
        if ticks > self.ends[cpu] and name not in ("event", "event_format"):
            return
        if name == "sched_switch":
            self.runs[cpu] = data & 0x3fffff
            if task:
                task.go(ticks, HOW[LETTERS[data >> 22 & 15]])
                self.now[cpu] = self.find(self.runs[cpu], cpu)
                self.now[cpu].come(ticks, self.rows[cpu])
        elif name == "sched_waking":
            if data in self.known:
                self.known[data].woken = ticks
        elif name == "sched_process_fork":
            root = "kernel" if record.words[1] & 0xffffffff == 2 else "user"
            self.known[data] = Task(data, root, ticks)
            if ticks >= self.begin:
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
