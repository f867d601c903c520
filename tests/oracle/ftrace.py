#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ftrace.py DIRECTORY - do evtlog and ftrace tell the same story?

Between the run's begin and end, CPU by CPU and type by type, both must have the
same events in the same order, and each event's two times must be in the order
in which the kernel passes the two hooks.  Exit 1 if not.
"""
import collections
import glob
import os
import re
import sys

import evl

# What a pair of times may be apart, in the median and, of many, for 99 of 100: the
# guest's CPU may be taken away between the two, so no bound holds for all.
MEDIAN_US = 50
P99_US = 2000
MANY = 500

# +1: the kernel passes ftrace's hook first; -1: evtlog's.
FIRST = {
    "sched_switch": 1, "sched_waking": -1, "sched_wakeup_new": 1,
    "sched_migrate_task": 1, "sched_process_fork": 1, "sched_process_exec": 1,
    "sched_process_exit": 1, "task_rename": 1, "irq_handler_entry": 1,
    "irq_handler_exit": -1, "softirq_entry": 1, "softirq_exit": -1,
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

failures = 0


def claim(holds, text):
    global failures
    print(("ok    " if holds else "WRONG ") + text)
    failures += not holds


def read_ftrace(path):
    """{(cpu, name): [(ticks, fields)]}"""
    events = collections.defaultdict(list)
    with open(path, errors="replace") as file:
        for line in file:
            match = LINE.match(line.rstrip("\n"))
            if not match:
                evl.need(line.startswith("#") or not line.strip(), f"ftrace: {line}")
                continue
            task, cpu, ticks, name, rest = match.groups()
            # ftrace's own sched_process_fork does not see the workers of io_uring.
            name = "sched_process_fork" if name == "task_newtask" else name
            if name in FIELDS:
                fields = FIELDS[name].search(" " + rest + " ")
                evl.need(fields, f"ftrace: {line}")
                fields = fields.groups()
                # Its parent may reap it between the two hooks.
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
    """As ftrace's text has them; a switch's previous task is filled in later."""
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
    """The same, with the task before each switch; and that of every buffer."""
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
    """Pairs them up.  Returns the pairs and how often two had changed places."""
    swaps, k = 0, 0
    theirs = list(theirs)
    while k < min(len(ours), len(theirs)):
        if ours[k][1] != theirs[k][1]:
            # The waker of itself may be interrupted between the two hooks.
            if (name == "sched_waking" and k + 1 < len(theirs)
                    and ours[k][1] == theirs[k + 1][1]):
                theirs[k], theirs[k + 1] = theirs[k + 1], theirs[k]
                swaps += 1
            else:
                return None, k
        k += 1
    return list(zip(ours, theirs)), swaps


def compare(log, cpu, name, ours, theirs):
    """Returns the differences in time."""
    begin = log.buffers[cpu][0].begin_ticks
    end = log.buffers[cpu][-1].end_ticks
    theirs = [event for event in theirs if begin <= event[0] <= end]
    pairs, where = same_order(name, ours, theirs)
    if pairs is None or len(ours) != len(theirs):
        k = where if pairs is None else min(len(ours), len(theirs))
        claim(False, f"CPU {cpu} {name}: {len(ours)} and {len(theirs)} events, the first "
              f"difference is number {k}: {ours[k - 1:k + 2]}, "
              f"ftrace {theirs[k - 1:k + 2]}")
        return []
    if ours:
        claim(True, f"CPU {cpu} {name}: {len(ours)} events, the same"
              + (f", {where} times two had changed places" if where else ""))
    return [FIRST[name] * (a[0] - b[0]) for a, b in pairs]


def check_times(log, name, apart):
    apart.sort()
    us = [apart[int(part * (len(apart) - 1))] * 1e6 / log.ticks_hz
          for part in (0, 0.5, 0.99, 1)]
    claim(us[0] >= 0 and us[1] <= MEDIAN_US
          and (len(apart) < MANY or us[2] <= P99_US), f"{name}: {us[0]:.1f} us apart at least, {us[1]:.1f} in the median, "
          f"{us[2]:.1f} for 99 of 100, {us[3]:.1f} at most ({apart[-1]} ticks)")


def main():
    directory = sys.argv[1]
    with open(os.path.join(directory, "stats.txt")) as file:
        lost = [line for line in file
                if re.match(r"(overrun|commit overrun|dropped events): [1-9]", line)]
    claim(not lost, "ftrace lost nothing" if not lost else "ftrace lost some: " + "".join(lost))
    log = evl.Log(glob.glob(os.path.join(directory, "*.evl"))[0])
    claim(log.lost() == 0, f"evtlog lost {log.lost()}")
    theirs = read_ftrace(os.path.join(directory, "trace.txt"))
    ours = read_evtlog(log)
    for name in FIRST:
        apart = []
        for cpu in log.cpus():
            apart += compare(log, cpu, name, ours[cpu, name], theirs[cpu, name])
        claim(bool(apart), f"{name}: {len(apart)} events compared")
        if apart:
            check_times(log, name, apart)
    sys.exit(bool(failures))


main()
