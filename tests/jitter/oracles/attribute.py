# SPDX-License-Identifier: GPL-2.0-or-later
"""Attributes a task's interruptions in a naive way, from the samples and the log alone.

Judges `evtlog jitter` and shares no code with it: reads the log with the oracles' reader, and the
samples by the description in jitter.h. Cuts each interruption at each record in it, and gives each
piece to the innermost source there. Does not calibrate, and finds no periods and no patterns.
"""
import bisect
import collections
import heapq
import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../support"))
import evl  # noqa: E402
from claims import claim, finish  # noqa: E402,F401

SAMPLES_HEADER = struct.Struct("<QHHIIIIIQ2Q")
THREAD = struct.Struct("<II9Q4Q4Q3Q")
SAMPLE = struct.Struct("<3Q")
MAGIC = int.from_bytes(b"EVJITTER", "little")
LOOP, WORK, QUANTUM = 0, 1, 2

ENTRY, IDLE = ("entry", 0), ("idle", 0)

# @label: the source: ("task", pid), ("irq", line), ("softirq", vector), ("vector", type),
# ("exception", vector), ENTRY or IDLE
Piece = collections.namedtuple("Piece", "begin end label")


class Thread:
    """A pinned thread of the benchmark with its samples [(begin, end, work), ...]."""

    def __init__(self, fields):
        (self.cpu, self.pid, self.begin, self.end, self.rounds, self.base,
         self.base_work, self.threshold, self.count, self.dropped, self.below) = fields[:11]
        self.before, self.after = fields[11:15], fields[15:19]
        self.samples = []


class Samples:
    """A file of samples."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        fields = SAMPLES_HEADER.unpack_from(data)
        magic, version, size, self.flags, self.method, threads, text_bytes = fields[:7]
        self.ticks_hz = fields[8]
        evl.need(magic == MAGIC and version == 1, f"{path}: its magic")
        evl.need(zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0], f"{path}: its CRC")
        text = data[size:size + text_bytes].rstrip(b"\0").decode()
        self.text = dict(line.split("=", 1) for line in text.splitlines())
        at = size + (text_bytes + 7) // 8 * 8
        self.threads = []
        for _ in range(threads):
            self.threads.append(Thread(THREAD.unpack_from(data, at)))
            at += THREAD.size
        for thread in self.threads:
            for _ in range(thread.count):
                thread.samples.append(SAMPLE.unpack_from(data, at))
                at += SAMPLE.size
        evl.need(at + 4 == len(data), f"{path}: data behind the samples")

    def noise(self, thread, sample):
        begin, end, work = sample
        if self.method == QUANTUM:
            return max(0, end - begin - work * thread.base // thread.base_work)
        return max(0, end - begin - thread.base)


class Interruption:
    """@parts: number of stays by label; @own: ticks by label."""

    def __init__(self, leave):
        self.leave, self.enter = leave, None
        self.pieces = []
        self.parts = collections.Counter()
        self.own = collections.Counter()
        self.activations = []   # (ticks, pid)
        self.lost = False

    def ticks(self):
        return self.enter - self.leave


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


class Victim:
    """All interruptions of a pinned task in the log."""

    def __init__(self, log, cpu, pid):
        self.log, self.cpu, self.pid = log, cpu, pid
        self.interruptions = []
        self.nmis = []          # (last begin, ticks, count)
        self.losses = []        # (first, last) ticks of a gap
        self.calls = []         # (leave, enter) of system calls
        self.walk()

    def records(self):
        """Records of all CPUs by time: tasks take their contexts to other CPUs."""
        def of(cpu):
            for record in self.log.records(cpu):
                yield record.ticks, cpu, record
        return heapq.merge(*map(of, self.log.cpus()), key=lambda entry: entry[:2])

    def walk(self):
        log = self.log
        for buffer in log.buffers[self.cpu]:
            if buffer.lost[evl.LOST_FULL]:
                self.losses.append((buffer.begin_ticks, buffer.begin_ticks))
        running = {cpu: log.buffers[cpu][0].begin_pid for cpu in log.cpus()}
        stacks = collections.defaultdict(list)
        asleep, staying = {}, set()
        now, at, by_call = None, None, None
        for ticks, cpu, record in self.records():
            name, here = log.name[record.type], cpu == self.cpu
            current = running[cpu]
            # Each CPU has an idle task of its own.
            stack = stacks[current or -cpu - 1]
            if here:
                if now is not None and ticks > at:
                    self.give(now, at, ticks, current, stack)
                at = ticks
            if name == "lost":
                stack.clear()
                asleep.clear()
                if here:
                    self.losses.append((record.words[2], record.words[3]))
                    now = by_call = None
            elif name == "user_exit":
                if here and current == self.pid:
                    staying.clear()
                    if record.data & 3:
                        by_call = ticks
                    else:
                        now = Interruption(ticks)
            elif name == "user_enter":
                running[cpu] = record.data
                stacks[record.data].clear()
                if record.data == self.pid:
                    if now is not None:
                        now.enter = ticks
                        self.interruptions.append(now)
                    elif by_call is not None:
                        self.calls.append((by_call, ticks))
                    now = by_call = None
            elif name == "user_nmi":
                if here and current == self.pid:
                    self.nmis.append((record.words[2], record.words[1], record.data))
            elif name == "sched_switch":
                asleep[current] = log.states[record.data >> 22] not in "R+"
                if asleep[current]:
                    staying.discard(current)
                following = running[cpu] = record.data & 0x3fffff
                if here and now is not None:
                    self.arrive(now, ticks, following, stacks[following], staying,
                                asleep.get(following, True))
                asleep[following] = False
            elif name.endswith("_entry"):
                label = self.label(name, record)
                stack.append(label)
                if here and now is not None:
                    now.parts[label] += 1
            elif name.endswith("_exit") and name != "sched_process_exit":
                # If the entry was before the run, it has no record.
                if stack:
                    stack.pop()

    def arrive(self, now, ticks, pid, stack, staying, wakes):
        """A task is switched in: counts a stay of it and of its contexts, unless it continues."""
        if pid == self.pid or pid in staying:
            return
        staying.add(pid)
        if not pid:
            now.parts[IDLE] += 1
            return
        now.parts["task", pid] += 1
        for label in stack:
            now.parts[label] += 1
        if wakes:
            now.activations.append((ticks, pid))

    def label(self, name, record):
        if name == "softirq_entry":
            return "softirq", record.data
        if name == "irq_handler_entry":
            return "irq", record.data
        if name == "exception_entry":
            return "exception", record.data
        return "vector", record.type

    def give(self, now, begin, end, current, stack):
        label = ("task", current)
        if stack:
            label = stack[-1]
        elif current == self.pid:
            label = ENTRY
        elif not current:
            label = IDLE
        now.pieces.append(Piece(begin, end, label))
        now.own[label] += end - begin

    def within(self, begin, end):
        """Returns the interruptions in [begin, end]."""
        first = bisect.bisect_left(self.interruptions, begin, key=lambda i: i.leave)
        last = bisect.bisect_right(self.interruptions, end, key=lambda i: i.leave)
        return [i for i in self.interruptions[first:last] if i.enter <= end]

    def nmis_within(self, begin, end):
        return [nmi for nmi in self.nmis if begin <= nmi[0] <= end]

    def lossy(self, begin, end):
        return any(first <= end and last >= begin for first, last in self.losses)


class Joined:
    """A thread's samples with their interruptions.

    @matched: [(sample, noise, interruption)]; @noise, @parts: sums over samples without losses;
    @sources: {label: [own ticks, parts]} over all interruptions in the thread's time.
    """

    def __init__(self, log, samples, thread):
        self.thread = thread
        self.victim = victim = Victim(log, thread.cpu, thread.pid)
        self.matched, self.excluded, self.empty = [], 0, 0
        self.noise = self.parts = 0
        self.unequal = 0
        self.seen = set()
        self.over = [s for s in thread.samples
                     if samples.noise(thread, s) > thread.threshold]
        for sample in self.over:
            begin, end, _ = sample
            if victim.lossy(begin, end):
                self.excluded += 1
                continue
            noise = samples.noise(thread, sample)
            inside = victim.within(begin, end)
            nmis = victim.nmis_within(begin, end)
            self.seen.update(i.leave for i in inside)
            self.noise += noise
            self.parts += sum(sum(i.own.values()) for i in inside) + \
                sum(nmi[1] for nmi in nmis)
            self.unequal += sum(sum(i.own.values()) != i.ticks() for i in inside)
            if len(inside) + len(nmis) == 1:
                self.matched.append((sample, noise, inside[0] if inside else None))
            elif not inside and not nmis:
                self.empty += 1
        self.window = [i for i in victim.interruptions
                       if thread.begin <= i.leave and i.enter <= thread.end]
        self.missed = [i for i in self.window if i.leave not in self.seen and
                       i.ticks() > thread.threshold + thread.base and
                       not victim.lossy(i.leave, i.enter)]
        self.sources = collections.defaultdict(lambda: [0, 0])
        for interruption in self.window:
            for label, own in interruption.own.items():
                self.sources[label][0] += own
            for label, parts in interruption.parts.items():
                self.sources[label][1] += parts

    def samples(self):
        """The number of samples that are not excluded."""
        return len(self.over) - self.excluded
