#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ftrace.py DIRECTORY [module] - checks that evtlog and ftrace recorded the same events.

For each CPU and type, both must have the same events in the same order, from the run's start, which
stops no CPU, to the end of the CPU's part. The two times of an event must be in the order in which
the kernel passes the two hooks. The events that were between their two hooks at the start or the
end are counted, with a limit. An event with both hooks after the start and before the CPU's last
record is missing in neither log. Exits with 1 otherwise. module: evtlog is a module, whose probe
at a tracepoint follows ftrace's.
"""
import collections
import glob
import os
import re
import sys

from claims import claim, finish
import evl

# Limits for the difference of the two times: for the median and, with many events, for 99 of 100.
# There is no limit for all: the guest's CPU may be descheduled between the two.
MEDIAN_US = 50
P99_US = 2000
MANY = 500

# 1: the kernel passes ftrace's hook first; -1: evtlog's hook first
FIRST = {
    "sched_switch": 1, "sched_waking": -1, "sched_wakeup_new": 1,
    "sched_migrate_task": 1, "sched_process_fork": 1, "sched_process_exec": 1,
    "sched_process_exit": 1, "task_rename": 1, "irq_handler_entry": 1,
    "irq_handler_exit": 1, "softirq_entry": 1, "softirq_exit": -1,
    "local_timer_entry": 1, "local_timer_exit": -1, "reschedule_entry": 1,
    "reschedule_exit": -1,
}

LINE = re.compile(r"^.*-(\d+)\s+\[(\d+)\]\s+\S+\s+(\d+): (\w+): (.*)$")
FIELDS = {
    "sched_switch": (r"prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+) ==> "
                     r"next_comm=.* next_pid=(\d+) "),
    "sched_waking": r" pid=(\d+) prio=",
    "sched_wakeup_new": r" pid=(\d+) prio=(-?\d+) target_cpu=(\d+)",
    "sched_migrate_task": r" pid=(\d+) prio=-?\d+ orig_cpu=(\d+) dest_cpu=(\d+)",
    "sched_process_fork": r" pid=(\d+) comm=.* clone_flags=",
    "sched_process_exec": r" pid=(\d+) old_pid=(\d+)",
    "sched_process_exit": r" pid=(\d+) prio=",
    "task_rename": r"pid=(\d+) oldcomm=.* newcomm=(.*) oom_score_adj=",
    "irq_handler_entry": r"irq=(\d+) ",
    "irq_handler_exit": r"irq=(\d+) ret=(\w+)",
    "softirq_entry": r"vec=(\d+) ",
    "softirq_exit": r"vec=(\d+) ",
}
FIELDS = {name: re.compile(text) for name, text in FIELDS.items()}


def read_ftrace(path):
    """Returns {(cpu, name): [(ticks, fields)]}."""
    events = collections.defaultdict(list)
    with open(path, errors="replace") as file:
        for line in file:
            match = LINE.match(line.rstrip("\n"))
            if not match:
                evl.need(line.startswith("#") or not line.strip(), f"ftrace: {line}")
                continue
            task, cpu, ticks, name, rest = match.groups()
            # ftrace's sched_process_fork omits the workers of io_uring.
            name = "sched_process_fork" if name == "task_newtask" else name
            if name in FIELDS:
                fields = FIELDS[name].search(" " + rest + " ")
                evl.need(fields, f"ftrace: {line}")
                fields = fields.groups()
                # The parent may reap the task between the two hooks.
                if name == "sched_switch" and fields[1] == "X":
                    fields = (fields[0], "Z", fields[2])
                if name == "sched_process_fork":
                    fields = (task,) + fields
            else:
                fields = ()
            events[int(cpu), name].append((int(ticks), fields))
    return events


def low(word):
    return word & 0xffffffff


def signed(value):
    return value - (1 << 32) if value >> 31 else value


def text(words):
    return words.tobytes().split(b"\0")[0].decode(errors="replace")


def fields_of(name, record, log):
    """Returns the fields as in ftrace's text. The previous task of a switch is filled in later."""
    pid, words = str(record.data & 0x3fffff), record.words
    if name == "sched_switch":
        state = log.states[record.data >> 22]
        state = "Z" if state == "X" else state
        return (None, "R+" if state == "+" else state, pid)
    if name == "sched_wakeup_new":
        return (pid, str(signed(words[1] >> 32)), "%03d" % low(words[1]))
    if name == "sched_migrate_task":
        return (pid, str(low(words[1])), str(words[1] >> 32))
    if name == "sched_process_fork":
        return (str(low(words[1])), pid)
    if name == "sched_process_exec":
        return (pid, str(low(words[1])))
    if name in ("sched_waking", "sched_process_exit"):
        return (pid,)
    if name == "task_rename":
        return (pid, text(words[1:]))
    if name == "irq_handler_entry" or name.startswith("softirq"):
        return (str(record.data),)
    if name == "irq_handler_exit":
        return (str(record.data & 0xffffff),
                "handled" if record.data >> 24 & 1 else "unhandled")
    return ()


def read_evtlog(log):
    """Returns the same as read_ftrace(). Switches include the task before; buffers give the first.
    """
    events = collections.defaultdict(list)
    for cpu in log.cpus():
        running = str(log.buffers[cpu][0].begin_pid)
        begins = {b.begin_ticks: str(b.begin_pid) for b in log.buffers[cpu][1:]}
        for record in log.records(cpu):
            while begins and min(begins) <= record.ticks:
                pid = begins.pop(min(begins))
                evl.need(pid == running, f"CPU {cpu}: a buffer begins with pid {pid}, "
                         f"the switch before was to {running}")
            name = log.name[record.type]
            if name not in FIRST:
                continue
            fields = fields_of(name, record, log)
            if name == "sched_switch":
                fields = (running,) + fields[1:]
                running = fields[2]
            events[cpu, name].append((record.ticks, fields))
    return events


def same_order(name, ours, theirs):
    """Pairs the events. Returns the pairs and the number of times that two were exchanged."""
    swaps, k = 0, 0
    theirs = list(theirs)
    while k < min(len(ours), len(theirs)):
        if ours[k][1] != theirs[k][1]:
            # A task that wakes itself may be interrupted between the two hooks.
            if (name == "sched_waking" and k + 1 < len(theirs)
                    and ours[k][1] == theirs[k + 1][1]):
                theirs[k], theirs[k + 1] = theirs[k + 1], theirs[k]
                swaps += 1
            else:
                return None, k
        k += 1
    return list(zip(ours, theirs)), swaps


def straddles_start(name, ours, theirs, first):
    """Returns whether an event was between its two hooks at the start."""
    if FIRST[name] > 0:
        return first > 0 and bool(ours) and (first == len(theirs) or
                                             ours[0][0] < theirs[first][0])
    return first < len(theirs) and (not ours or ours[0][0] > theirs[first][0])


def straddles_end(name, ours, theirs, behind, last):
    """The same for the end; @last is the time of the CPU's last event."""
    if FIRST[name] > 0:
        return behind > 0 and theirs[behind - 1][0] > last
    return behind < len(theirs) and bool(ours) and (behind == 0 or
                                                    ours[-1][0] > theirs[behind - 1][0])


def between(log, cpu, name, ours, theirs, last):
    """Returns the part of ftrace's events that belongs to the CPU's part, and whether events were
    between their hooks: (events, at the start, at the end). If ftrace's hook comes first, each
    event after the start and before the CPU's last record must be present. Otherwise the first may
    be missing: it passed evtlog's hook before the start, and ftrace's after it."""
    begin, end = log.buffers[cpu][0].begin_ticks, log.buffers[cpu][-1].end_ticks
    first = next((k for k, e in enumerate(theirs) if e[0] >= begin), len(theirs))
    behind = next((k for k, e in enumerate(theirs) if e[0] > end), len(theirs))
    for at_start in (0, 1):
        for at_end in (0, 1):
            low, high = first - FIRST[name] * at_start, behind - FIRST[name] * at_end
            if (high - low != len(ours)
                    or at_start and not straddles_start(name, ours, theirs, first)
                    or at_end and not straddles_end(name, ours, theirs, behind, last)):
                continue
            part = theirs[low:high]
            pairs, _ = same_order(name, ours, part)
            if pairs is not None and all(FIRST[name] * (a[0] - b[0]) >= 0 for a, b in pairs):
                return part, at_start, at_end
    return theirs[first:behind], 0, 0


def compare(log, cpu, name, ours, theirs, last, straddling):
    """Returns the differences in time; increments straddling[0] and [1]."""
    theirs, at_start, at_end = between(log, cpu, name, ours, theirs, last)
    straddling[0] += at_start
    straddling[1] += at_end
    pairs, where = same_order(name, ours, theirs)
    if pairs is None or len(ours) != len(theirs):
        k = where if pairs is None else min(len(ours), len(theirs))
        claim(False, f"CPU {cpu} {name}: {len(ours)} and {len(theirs)} events, the first "
              f"difference is number {k}: {ours[max(k - 1, 0):k + 2]}, "
              f"ftrace {theirs[max(k - 1, 0):k + 2]}")
        return []
    if ours:
        claim(True, f"CPU {cpu} {name}: {len(ours)} events, the same"
              + (f", {where} times two had changed places" if where else ""))
    return [FIRST[name] * (a[0] - b[0]) for a, b in pairs]


def check_start(log):
    """All parts begin at one instant; each CPU joins then or later."""
    first = [log.buffers[cpu][0] for cpu in log.cpus()]
    starts = {buffer.begin_ticks for buffer in first}
    claim(len(starts) == 1 and not any(b.flags & evl.TSC_BAD for b in first),
          f"run {log.run}: {len(first)} parts begin at {len(starts)} instant")
    # If a part has no record, another CPU ended it and read the clocks then.
    claim(all(b.begin_ticks <= b.begin[0] and (b.begin[0] <= b.end_ticks or not b.words)
              for b in first),
          f"run {log.run}: CPUs joined "
          + ", ".join(f"{(b.begin[0] - b.begin_ticks) * 1e6 / log.ticks_hz:.1f}" for b in first)
          + " us after the start")


def compare_cpu(log, cpu, ours, theirs):
    """Compares all types of a CPU. Returns {name: differences in time}. Hooks nest: an event of a
    task, of a softirq and of an interrupt may be in progress at the same time."""
    straddling = [0, 0]
    last = max((ours[cpu, name][-1][0] for name in FIRST if ours[cpu, name]), default=0)
    apart = {name: compare(log, cpu, name, ours[cpu, name], theirs[cpu, name], last, straddling)
             for name in FIRST}
    begin, end = log.buffers[cpu][0].begin_ticks, log.buffers[cpu][-1].end_ticks
    behind = sorted(ticks for (on, name), events in theirs.items() if on == cpu and name in FIRST
                    for ticks, _ in events if begin <= ticks <= end)
    us = 1e6 / log.ticks_hz
    claim(max(straddling) <= 3,
          f"CPU {cpu}: no event behind the start is missing; ftrace's first "
          + (f"is {(behind[0] - begin) * us:.1f} us behind it, "
             f"it joined at {(log.buffers[cpu][0].begin[0] - begin) * us:.1f} us" if behind
             else "comes after the CPU's end")
          + f"; between two hooks: {straddling[0]} at the start, {straddling[1]} at the end")
    return apart


def check_times(log, name, apart):
    apart.sort()
    us = [apart[int(part * (len(apart) - 1))] * 1e6 / log.ticks_hz
          for part in (0, 0.5, 0.99, 1)]
    claim(us[0] >= 0 and us[1] <= MEDIAN_US
          and (len(apart) < MANY or us[2] <= P99_US), f"{name}: {us[0]:.1f} us apart at least, {us[1]:.1f} in the median, "
          f"{us[2]:.1f} for 99 of 100, {us[3]:.1f} at most ({apart[-1]} ticks)")


def check_lost(directory):
    with open(os.path.join(directory, "stats.txt")) as file:
        lost = [line for line in file
                if re.match(r"(overrun|commit overrun|dropped events): [1-9]", line)]
    claim(not lost, "ftrace lost nothing" if not lost else "ftrace lost some: " + "".join(lost))


def main():
    directory = sys.argv[1]
    if sys.argv[2:] == ["module"]:
        FIRST.update(dict.fromkeys(FIRST, 1))
    check_lost(directory)
    log = evl.Log(glob.glob(os.path.join(directory, "*.evl"))[0])
    claim(log.lost() == 0, f"evtlog lost {log.lost()}")
    check_start(log)
    theirs = read_ftrace(os.path.join(directory, "trace.txt"))
    ours = read_evtlog(log)
    each = [compare_cpu(log, cpu, ours, theirs) for cpu in log.cpus()]
    for name in FIRST:
        apart = [ticks for one in each for ticks in one[name]]
        claim(bool(apart), f"{name}: {len(apart)} events compared")
        if apart:
            check_times(log, name, apart)
    finish()


if __name__ == "__main__":
    main()
