#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""same.py EVTLOG FULL.evl TREE.evl SCRATCH PID... - compares logs of all tasks and of a tree.

TREE.evl is the output of model.py for FULL.evl. Commands must report the same of the tree's tasks
from both logs, to the nanosecond. From TREE.evl, commands must report no task outside the tree,
only the sum `outside`. The sums must be equal to the time that passed.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

from claims import claim, finish

REGION = re.compile(r'^(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: "(.*)" <\d+>')
OF_TASK = re.compile(r" \((\d+)\)( [a-z]+)?$")


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def stat(evtlog, path):
    return json.loads(run(evtlog, "stat", "--json", "--top", "0", path))


def check_stat(evtlog, full_path, tree_path, pids):
    full, tree = stat(evtlog, full_path), stat(evtlog, tree_path)
    whole = {task["pid"]: task for task in full["tasks"]}
    part = {task["pid"]: task for task in tree["tasks"]}
    outside = part.pop(0, None)
    claim(outside and outside["comm"] == "outside" and outside["run_ns"] > 0 and
          not any(pid == 0 for pid in whole), "the outside has a row, where there is one")
    claim(set(part) <= pids and len(part) > 10, f"{len(part)} tasks, all of the tree")
    claim(all(whole[pid] == task for pid, task in part.items()),
          "each has the times, switches, wake-ups and latencies that it has among all")
    claim(all(task["pid"] in part for task in full["tasks"] if task["pid"] in pids),
          "none of the tree lacks")
    claim(outside["run_ns"] == tree["total"]["outside_ns"], "the row is the CPUs' time outside")
    claim(outside["preempted"] == outside["voluntary"] == 0, "how others leave is not told")
    for cpu, other in zip(tree["cpus"] + [tree["total"]], full["cpus"] + [full["total"]]):
        parts = sum(cpu[key] for key in ("task_ns", "softirq_ns", "irq_ns", "outside_ns",
                                         "unknown_ns"))
        claim(parts == cpu["span_ns"] == other["span_ns"] and cpu["idle_ns"] is None and
              cpu["logger_ns"] is None and cpu["unknown_ns"] == other["unknown_ns"],
              f"CPU {cpu.get('cpu', 'all')}: the parts are the time that passed")
    claim(not tree["not_recorded"] or "sched_switch" not in tree["not_recorded"],
          "switches are recorded")
    return tree


def check_interval(evtlog, path, total):
    rows = [json.loads(line) for line in
            run(evtlog, "stat", "--interval", "100ms", "--json", path).splitlines()]
    found = collections.Counter()

    def add(node):
        if isinstance(node, dict):
            if "cpu" in node and "busy_ns" in node:
                for key in ("busy_ns", "switches", "migrations_in"):
                    found[key] += node[key] or 0
            for value in node.values():
                add(value)
        elif isinstance(node, list):
            for value in node:
                add(value)
    add(rows)
    claim(found["busy_ns"] == total["busy_ns"] and found["switches"] == total["switches"] and
          found["migrations_in"] == total["migrations"],
          f"intervals add up to the whole: {dict(found)}")


def regions(evtlog, path, archive):
    run(evtlog, "export", "--streams", "62", "--otf2", str(archive), path)
    open_at, sums = collections.defaultdict(list), collections.Counter()
    for line in run("otf2-print", str(archive / "traces.otf2")).splitlines():
        match = REGION.match(line)
        if not match:
            continue
        kind, location, ns, name = match.groups()
        if kind == "ENTER":
            open_at[location].append((name, int(ns)))
        else:
            entered, since = open_at[location].pop()
            claim(entered == name, f"{name} is left, {entered} was entered") if entered != name else 0
            sums[name] += int(ns) - since
    return sums


def check_archive(evtlog, full_path, tree_path, scratch, pids):
    whole = regions(evtlog, full_path, scratch / "full.otf2")
    part = regions(evtlog, tree_path, scratch / "tree.otf2")
    wanted = {name: ns for name, ns in whole.items()
              if (match := OF_TASK.search(name)) and int(match[1]) in pids}
    told = {name: ns for name, ns in part.items() if OF_TASK.search(name)}
    claim(len(wanted) > 20 and told == wanted,
          f"the archive shows the {len(wanted)} states of tasks as that of all does")
    claim(part["outside the tree"] > 0 and not part["idle"] and not whole["outside the tree"],
          "and the outside as that")


def sources(evtlog, path, pid):
    report = json.loads(run(evtlog, "jitter", "report", "--json", "--by", "task", "--task", str(pid),
                            path))
    return {source["name"]: source["total_ticks"] for source in report["sources"]}


def is_of_tree(name, pids):
    return (match := re.search(r"-(\d+)$", name)) and int(match[1]) in pids


def check_jitter(evtlog, full_path, tree_path, tasks, pids):
    """Compares the sources of interruptions, for the tasks that were preempted most often."""
    compared = outside = 0
    for task in sorted(tasks, key=lambda t: -t["preempted"])[:24]:
        whole, part = (sources(evtlog, path, task["pid"]) for path in (full_path, tree_path))
        of_tree = {name: ticks for name, ticks in whole.items() if is_of_tree(name, pids)}
        same = {name: ticks for name, ticks in part.items() if is_of_tree(name, pids)}
        others = [name for name in part if re.search(r"-\d+$", name) and name not in of_tree]
        compared += len(of_tree)
        outside += part.get("outside the tree", 0)
        if of_tree != same or sum(whole.values()) != sum(part.values()) or others or \
                "idle" in part:
            claim(False, f"jitter of {task['pid']}: {whole} and {part}")
    claim(compared > 10 and outside,
          f"jitter: {compared} times a task of the tree interrupts another as long as among all; "
          "what else did is outside")


def main():
    evtlog, full_path, tree_path, scratch = sys.argv[1:5]
    pids = set(map(int, sys.argv[5:]))
    tree = check_stat(evtlog, full_path, tree_path, pids)
    check_interval(evtlog, tree_path, tree["total"])
    check_jitter(evtlog, full_path, tree_path, [t for t in tree["tasks"] if t["pid"]], pids)
    check_archive(evtlog, full_path, tree_path, pathlib.Path(scratch), pids)
    dumped = run(evtlog, "dump", "--json", "--type", "sched_switch", tree_path)
    told = {pid for event in map(json.loads, dumped.splitlines())
            for pid in (event["current_pid"], event["fields"]["next_pid"])}
    claim(told <= pids | {0} and len(told) > 10, "dump names no task outside")
    finish()


if __name__ == "__main__":
    main()
