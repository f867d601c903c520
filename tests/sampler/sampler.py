#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the output of sampler.sh: the sampled tasks, whether passes are complete, and whether each
sample is a state that the events of the same run allow at this time."""
import bisect
import collections
import pathlib
import struct
import sys

import evl

TASK = struct.Struct("<IHBc")
CPU = struct.Struct("<II")
POLICY = struct.Struct("<IBbBx")
PASS = struct.Struct("<QQIIIII4x")
Sample = collections.namedtuple("Sample", "since ticks pid cpu prio state")
out = pathlib.Path(sys.argv[1])


def format_names(log):
    names = {}
    for cpu in log.cpus():
        for record in log.records(cpu):
            if log.name[record.type] == "event_format":
                names[evl.event_id(record)] = evl.payload(record).decode().split("\n")[0]
    return names


class Samples:
    """A log's passes of complete records, in one CPU's stream"""

    def __init__(self, name):
        self.log = evl.Log(out / f"{name}.evl")
        self.name = name
        names = format_names(self.log)
        self.tasks, self.cpus, self.policies, self.passes = [], [], [], []
        for cpu in self.log.cpus():
            self.read_cpu(cpu, names)
        self.passes.sort()
        self.hz = self.log.ticks_hz
        numbers = [p[1] for p in self.passes]
        evl.need(numbers == list(range(numbers[0], numbers[0] + len(numbers))),
                 f"{name}: passes are missing")
        print(f"{name}: {len(self.passes)} passes, {len(self.tasks)} samples, "
              f"{sum(p[5] for p in self.passes)} missed, {sum(p[6] for p in self.passes)} lost, "
              f"{sum(p[7] for p in self.passes)} unsure")

    def read_cpu(self, cpu, names):
        last, tasks, cpus, first = 0, 0, 0, None
        for record in self.log.records(cpu):
            kind = names.get(evl.event_id(record)) \
                if self.log.name[record.type] == "event" else None
            if not kind or not kind.startswith("sampler_"):
                continue
            data = evl.payload(record)
            first = first or record.ticks
            if kind == "sampler_task":
                pid, on, prio, state = TASK.unpack(data)
                evl.need(len(record.words) == 2, "a sample is not 16 bytes")
                self.tasks.append(Sample(last or first, record.ticks, pid, on, prio,
                                         state.decode()))
                tasks += 1
            elif kind == "sampler_cpu":
                self.cpus.append((record.ticks, *CPU.unpack(data)))
                cpus += 1
            elif kind == "sampler_policy":
                self.policies.append((record.ticks, *POLICY.unpack(data)))
            else:
                number, begin, nr_tasks, nr_cpus, missed, lost, unsure = PASS.unpack(data)
                evl.need(begin <= first and (nr_tasks, nr_cpus) == (tasks, cpus) or lost,
                         f"{self.name}: pass {number} says {nr_tasks} tasks and {nr_cpus} CPUs, "
                         f"{tasks} and {cpus} are there")
                self.passes.append((begin, number, record.ticks, nr_tasks, nr_cpus, missed, lost,
                                    unsure))
                tasks, cpus, first = 0, 0, None
            last = record.ticks


def family(name):
    pids = {}
    for line in (out / name).read_text().splitlines():
        who, pid = line.split()
        pids[who] = int(pid)
    return pids


def check_family(name, may_have):
    samples, pids = Samples(name), family(f"{name}.txt")
    seen = collections.Counter(s.pid for s in samples.tasks)
    wanted = {pid for who, pid in pids.items() if who not in may_have}
    allowed = set(pids.values())
    evl.need(wanted <= set(seen), f"{name}: not sampled: {wanted - set(seen)} of {pids}")
    evl.need(set(seen) <= allowed, f"{name}: others were sampled: {set(seen) - allowed}")
    # While the task exists, it is in each pass.
    for pid in wanted:
        its = [s.ticks for s in samples.tasks if s.pid == pid]
        passes = sum(its[0] <= p[2] and p[0] <= its[-1] for p in samples.passes)
        evl.need(seen[pid] == passes >= 10, f"{name}: {pid} has {seen[pid]} samples in {passes} passes")
    youngest = [s for s in samples.tasks if s.pid == pids["youngest"]]
    evl.need(youngest[-1].prio == 125, f"{name}: the youngest's priority is {youngest[-1].prio}")
    told = [p for p in samples.policies if p[1] == pids["youngest"]]
    evl.need(told[-1][2:5] == (0, 5, 0), f"{name}: the youngest's policy is told as {told}")
    states = collections.Counter(s.state for s in samples.tasks)
    evl.need(states["S"] and states["R"] + states["+"], f"{name}: all have only {states}")
    return samples


# The states of a switch's previous task; R: it yields
STATES = "RSDTtXZPI+"


class History:
    """For each task: (from, latest begin, state, CPU), from the events of all CPUs.

    The effect of a record takes place after it with interrupts off: before the CPU's next record.
    """

    def __init__(self, log):
        self.of = collections.defaultdict(list)
        self.early = {}
        events = []
        for cpu in log.cpus():
            events.extend(self.effects(log, cpu))
        events.sort(key=lambda e: e[0])
        for begin, end, pid, state, cpu, kind in events:
            self.add(begin, end, pid, state, cpu, kind)

    @staticmethod
    def effects(log, cpu):
        """Yields (ticks, ticks of the next record, pid, state, CPU, kind)."""
        current = log.buffers[cpu][0].begin_pid
        number, found, open_since = log.number, [], 0
        if current:
            start = log.buffers[cpu][0].begin_ticks
            found.append((start, start, current, "R", cpu, "first"))
        for record in log.records(cpu):
            for i in range(open_since, len(found)):
                found[i] = (found[i][0], record.ticks, *found[i][2:])
            if record.ticks > (found[-1][0] if found else 0):
                open_since = len(found)
            kind = log.name[record.type]
            if kind == "sched_switch":
                pid, state = record.data & 0x3fffff, STATES[record.data >> 22]
                if current:
                    found.append((record.ticks, 0, current, "+" if state in "R+" else state, cpu,
                                  "out"))
                current = pid
                if pid:
                    found.append((record.ticks, 0, pid, "R", cpu, "in"))
            elif kind == "sched_waking":
                found.append((record.ticks, 0, record.data & 0x3fffff, "+", None, "waking"))
            elif kind == "sched_wakeup_new":
                found.append((record.ticks, 0, record.data & 0x3fffff, "+",
                              record.words[1] & 0xffffffff, "new"))
            elif kind == "task":
                state = STATES[record.data >> 22]
                found.append((record.ticks, 0, record.data & 0x3fffff, state,
                              record.words[3] & 0xffffffff, "snapshot"))
            elif kind == "sched_migrate_task":
                found.append((record.ticks, 0, record.data & 0x3fffff, None,
                              record.words[1] >> 32, "migrate"))
        end = log.buffers[cpu][-1].end_ticks
        for i in range(open_since, len(found)):
            found[i] = (found[i][0], end, *found[i][2:])
        assert number
        return found

    def add(self, begin, end, pid, state, cpu, kind):
        history = self.of[pid]
        last = history[-1] if history else None
        if kind == "waking" and last and last[2] in "R+":
            self.early[pid] = max(end, self.early.get(pid, 0))
            return
        if kind == "in":
            if last and last[2] not in "R+" and pid in self.early:
                self.wake_early(history, self.early[pid])
            self.early.pop(pid, None)
        # A task without an event has the state from then; a runnable task may run or wait.
        if kind == "snapshot" and (last or state == "R"):
            return
        if kind == "migrate":
            # For a task without earlier events the state is unknown.
            if not last:
                return
            state = last[2]
        if cpu is None:
            cpu = last[3] if last else None
        history.append((begin, end, state, cpu))

    @staticmethod
    def wake_early(history, woken):
        """Handles a task that was woken after it left its queue, but before its switch was
        recorded. The waker waits for the switch, and is done by its CPU's next record."""
        at = len(history) - 1
        while at and history[at - 1][2] not in "R+":
            at -= 1
        begin, end, _, cpu = history[at]
        moved = [(*entry[:2], "+", entry[3]) for entry in history[at + 1:]]
        history[at + 1:] = [(begin, max(end, woken), "+", cpu), *moved]

    def allowed(self, sample):
        """Returns the possible states and CPUs between the two ticks; None: unknown."""
        history = self.of.get(sample.pid, [])
        at = bisect.bisect_right(history, (sample.ticks, float("inf"))) - 1
        if at < 0:
            return None
        found = set()
        while at >= 0:
            found.add(history[at][2:])
            # The state before is also possible, if the change was not completed by then.
            if history[at][1] < sample.since:
                return found
            at -= 1
        return None


def matches(sample, state, cpu):
    # The task may be reaped at any time.
    same = sample.state == state or {sample.state, state} == {"X", "Z"}
    return same and (cpu is None or cpu == sample.cpu)


def check_agreement(name):
    samples = Samples(name)
    evl.need(not samples.log.lost(), f"{name}: {samples.log.lost()} lost")
    history = History(samples.log)
    judged, sharp, wrong, unknown, states = 0, 0, [], 0, collections.Counter()
    for sample in samples.tasks:
        allowed = history.allowed(sample)
        if allowed is None:
            unknown += 1
            continue
        judged += 1
        sharp += len(allowed) == 1
        states[sample.state] += 1
        if not any(matches(sample, *what) for what in allowed):
            wrong.append((sample, allowed, history.of[sample.pid]))
    print(f"{name}: {judged} samples judged, {sharp} of them with one answer, {unknown} of tasks "
          f"without an event before; {len(wrong)} wrong; {dict(states)}")
    for sample, allowed, past in wrong[:5]:
        at = bisect.bisect_right(past, (sample.ticks, float("inf")))
        print("wrong:", sample, allowed, past[max(at - 4, 0):at + 2])
    evl.need(not wrong, f"{name}: {len(wrong)} samples are not what the events say")
    evl.need(sharp > 0.9 * judged and judged > 1000, f"{name}: too few have one answer")
    evl.need({"R", "+", "S"} <= set(states), f"{name}: states {states}")


def check_change():
    Samples("change")
    phases = (out / "phases.txt").read_text().splitlines()
    evl.need(len(phases) == 3, f"change: {phases}")
    # The tick is 4 ms.
    for interval, line in zip((0.040, 0.010, 0.004), phases):
        # Each pair of counts is from a time between two others.
        since, passes, missed, _, _, more_passes, more_missed, until = map(float, line.split())
        due, counted = (until - since) / interval, more_passes + more_missed - passes - missed
        print(f"change: {counted:.0f} passes, made or missed, of {due:.0f} due")
        # Passes that are missed at the end are counted with the next pass.
        evl.need(due / 2 <= counted <= due * 1.05 + 2, "the interval did not change")


def check_overrun():
    samples = Samples("overrun")
    missed = sum(p[5] for p in samples.passes[1:])
    first, last = samples.passes[0], samples.passes[-1]
    due = len(samples.passes) - 1 + missed
    passed = (last[0] - first[0]) / samples.hz / 100e-6
    longest = max(b[0] - a[0] for a, b in zip(samples.passes, samples.passes[1:])) \
        / samples.hz / 100e-6
    print(f"overrun: {len(samples.passes)} passes and {missed} missed in {passed:.0f} intervals; "
          f"the longest gap has {longest:.0f}")
    evl.need(missed > 0, "nothing was missed")
    # A pass lasts from its begin to its record. The next one comes after at least three times this
    # time: so passes take a quarter, except for delays of the record.
    taken = sum(p[2] - p[0] for p in samples.passes[:-1]) / (last[0] - first[0])
    print(f"overrun: passes took {taken:.1%} of a CPU")
    evl.need(taken < 0.27, "passes took more than a quarter of a CPU")
    # The delays of the first and the last pass are shorter than a gap.
    evl.need(abs(passed - due) <= longest, "passes and missed ones are not those of the time")


def check_job(name):
    samples, pids = Samples(name), family("job.txt")
    seen = {s.pid for s in samples.tasks}
    evl.need(seen == set(pids.values()), f"{name}: sampled {seen} of {pids}")


def check_events(name):
    """A switch is recorded if one of its tasks is in the tree: two successive switches between
    other tasks have none. Other events are only of the tree's tasks."""
    log, pids = evl.Log(out / f"{name}.evl"), set(family(f"{name}.txt").values())
    of_task = dict.fromkeys(("sched_waking", "sched_process_fork", "sched_process_exit"), 0)
    seen, others = collections.Counter(), 0
    for cpu in log.cpus():
        is_other = False
        for record in log.records(cpu):
            kind, pid = log.name[record.type], record.data & 0x3fffff
            if kind in of_task:
                evl.need(pid in pids, f"{name}: CPU {cpu}: {kind} of {pid}, which is not of the tree")
                of_task[kind] += 1
            if kind != "sched_switch":
                continue
            evl.need(not is_other or pid in pids, f"{name}: CPU {cpu}: a switch from and to others")
            is_other = pid not in pids
            others += is_other
            seen[pid] += 1
    evl.need(pids <= set(seen) and others, f"{name}: no switch to {pids - set(seen)}")
    evl.need(of_task["sched_waking"] and (of_task["sched_process_fork"], of_task["sched_process_exit"]) ==
             (len(pids) - 1, len(pids)), f"{name}: {of_task}")
    print(f"{name}: {sum(seen.values())} switches, {others} of them to others")


check_family("self", {"gone"})
check_events("events")
check_job("job")
check_job("cgroup")
there = check_family("there", {"gone"})
woken = {record.data & 0x3fffff for cpu in there.log.cpus() for record in there.log.records(cpu)
         if there.log.name[record.type] == "sched_waking"}
evl.need(woken, "the filter by the tree lets nothing pass")
check_agreement("agree")
check_change()
check_overrun()
before = (out / "settings.txt").read_text().splitlines()
evl.need(before[:len(before) // 2] == before[len(before) // 2:], f"settings: {before}")
