#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""witness.py DIRECTORY - compares tree.evl with what ftrace recorded of the tree.

The tree is the root of the log and all its descendants in ftrace's trace. The log must contain
ftrace's events of the tree, in the same order. In a switch to or from a task outside the tree, that
task is pid 0 and leaves in the state running. The log must contain no pid of another task.
"""
import pathlib
import sys

import evl
import ftrace

OUTSIDE = "0"
TREE_FLAG = 0x40
# At the start and the end, up to this many events may be in only one of the two traces.
EDGE = 2
# The index of the pid that decides whether the event is in the tree. A fork has the child's pid.
OF_TASK = {"sched_waking": 0, "sched_wakeup_new": 0, "sched_migrate_task": 0,
           "sched_process_exec": 0, "sched_process_exit": 0, "task_rename": 0,
           "sched_process_fork": 1}
OF_CURRENT = ("softirq_entry", "softirq_exit", "irq_handler_entry", "irq_handler_exit",
              "local_timer_entry", "local_timer_exit", "reschedule_entry", "reschedule_exit")


def find_tree(events, root):
    forks = sorted((ticks, fields) for (_, name), its in events.items()
                   if name == "sched_process_fork" for ticks, fields in its)
    tree = {root}
    for _, (parent, child) in forks:
        if parent in tree:
            evl.need(child not in tree, f"pid {child} is used again: the test cannot tell")
            tree.add(child)
    return tree


def switches_of_tree(its, tree):
    for ticks, (prev, state, pid) in its:
        if prev in tree or pid in tree:
            yield ticks, (state if prev in tree else "R", pid if pid in tree else OUTSIDE)


def of_tree(events, cpu, name, tree):
    """Returns ftrace's events that must be in the log: [(ticks, fields)]."""
    its = events[cpu, name]
    if name == "sched_switch":
        return list(switches_of_tree(its, tree))
    if name in OF_TASK:
        return [e for e in its if e[1][OF_TASK[name]] in tree]
    switches, at, found = events[cpu, "sched_switch"], 0, []
    for ticks, fields in its:
        while at < len(switches) and switches[at][0] < ticks:
            at += 1
        # The task that runs: the next switch leaves it.
        if at < len(switches) and switches[at][1][0] in tree:
            found.append((ticks, fields))
    return found


def same(ours, theirs, begin, end):
    """The first difference, or None. At both ends, EDGE events between the two hooks may differ."""
    inner = [k for k, e in enumerate(theirs) if begin <= e[0] <= end]
    first = inner[0] if inner else len(theirs)
    last = inner[-1] + 1 if inner else first
    wanted = [e[1] for e in ours]
    for low in range(max(first - EDGE, 0), min(first + EDGE, len(theirs)) + 1):
        for high in range(max(last - EDGE, low), min(last + EDGE, len(theirs)) + 1):
            if high - low == len(wanted) and [e[1] for e in theirs[low:high]] == wanted:
                return None
    theirs = [e[1] for e in theirs[first:last]]
    k = next((k for k, pair in enumerate(zip(wanted, theirs)) if pair[0] != pair[1]),
             min(len(wanted), len(theirs)))
    return f"{len(wanted)} and {len(theirs)}; at {k}: {wanted[k:k + 3]} and {theirs[k:k + 3]}"


def our_events(log, cpu, name):
    found = []
    for record in log.records(cpu):
        if log.name[record.type] == name:
            fields = ftrace.fields_of(name, record, log)
            found.append((record.ticks, fields[1:] if name == "sched_switch" else fields))
    return found


def pid_fields(log):
    """Returns {type: [(word, bit, bits)]} from the log's own format."""
    fields = {}
    form = log.data[48:].split(b"\n\n", 1)[1].split(b"\0", 1)[0].decode(errors="replace")
    for line in form.splitlines():
        word = line.split()
        if word and word[0] == "type":
            fields[int(word[1])] = [tuple(map(int, f.split(":")[1:4])) for f in word[4:]
                                    if f.endswith(":p")]
    evl.need(sum(map(bool, fields.values())) > 8, "the format has no pids")
    return fields


def pids_told(log):
    fields = pid_fields(log)
    for cpu in log.cpus():
        for buffer in log.buffers[cpu]:
            yield "a buffer", buffer.begin_pid
            evl.need(buffer.begin_pid or not buffer.begin_comm.strip(b"\0"),
                     f"a buffer names a task outside: {buffer.begin_comm}")
            evl.need(buffer.begin_pid or not buffer.context,
                     "a buffer tells in what interrupt of a task outside it begins")
        for record in log.records(cpu):
            for word, bit, bits in fields[record.type]:
                value = record.words[word] if word else record.data << 38
                yield log.name[record.type], value >> bit & (1 << bits) - 1


def main(directory):
    out = pathlib.Path(directory)
    log = evl.Log(out / "tree.evl")
    events = ftrace.read_ftrace(out / "trace.txt")
    root = log.text["tree"]
    tree = find_tree(events, root)
    evl.need(len(tree) > 10, f"a tree of {tree}")
    for buffers in log.buffers.values():
        for buffer in buffers:
            evl.need(buffer.flags & TREE_FLAG and buffer.tree_pid == int(root),
                     f"a buffer's flags are {buffer.flags:#x}, its tree that of {buffer.tree_pid}")
    failures, compared = 0, 0
    for cpu in log.cpus():
        begin, end = log.buffers[cpu][0].begin_ticks, log.buffers[cpu][-1].end_ticks
        for name in ("sched_switch", *OF_TASK, *OF_CURRENT):
            ours, theirs = our_events(log, cpu, name), of_tree(events, cpu, name, tree)
            fault = same(ours, theirs, begin, end)
            compared += len(ours)
            failures += bool(fault)
            print(f"CPU {cpu} {name}: {len(ours)} of {len(events[cpu, name])}",
                  f"WRONG: {fault}" if fault else "")
    others = {(where, pid) for where, pid in pids_told(log) if str(pid) not in tree | {OUTSIDE}}
    print(f"{len(tree)} tasks, {compared} events; of others are told: {sorted(others) or 'none'}")
    outside = (out / "outside").read_text().strip()
    evl.need(outside not in tree, "the load outside is of the tree")
    # Other tasks ran: the load outside forks tasks and waits for them.
    ran = {e[1][2] for (_, name), its in events.items() if name == "sched_switch" for e in its}
    evl.need(len(ran - tree - {OUTSIDE}) > 10, f"nobody else ran: {ran - tree}")
    return bool(failures or others)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
