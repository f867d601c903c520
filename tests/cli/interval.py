#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares `evtlog stat --interval` with a simple model of `evtlog dump --json`.

Usage: interval.py EVTLOG LOG INTERVAL_NS [--from NS] [--to NS] [--like ROWS]

The model makes a list for each task with the spans in which it ran or waited, and the CPU, and
divides them into intervals. All sums are equal to the ns.

--like ROWS: instead, checks that rows marked as exact equal those of ROWS, which were printed for
the same run without losses.
"""
import bisect
import collections
import json
import subprocess
import sys

KEYS = ("span_ns", "busy_ns", "runnable_ns", "waiting_ns", "runnable_max", "switches",
        "migrations_in", "migrations_out", "forks", "exits")


def lines_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"interval.py: {command}: exits {done.returncode}: {done.stderr.decode()}")
    return [json.loads(line, parse_float=str) for line in done.stdout.splitlines()]


def ns(text):
    seconds, _, rest = str(text).partition(".")
    return int(seconds) * 10**9 + int(rest.ljust(9, "0")[:9])


class Task:
    """A task: spans of [from, to, CPU, runs]"""

    def __init__(self):
        self.place = None
        self.state = "blocked"
        self.since = None
        self.spans = []
        self.heir = None

    def be(self, time, state, place=None):
        if self.state != "blocked" and self.place is not None and time > self.since:
            self.spans.append((self.since, time, self.place, self.state == "runs"))
        self.state, self.since = state, time
        if place is not None:
            self.place = place


class Model:
    def __init__(self, events):
        self.tasks = collections.defaultdict(Task)
        self.ended = []
        self.runs = {}
        self.begin = {}
        self.end = {}
        self.points = collections.defaultdict(list)
        self.busy = collections.defaultdict(list)
        self.last = {}
        for event in events:
            self.take(event)
        for cpu, time in self.end.items():
            for task in self.tasks.values():
                if task.place == cpu:
                    task.be(time, "blocked")

    def run(self, time, cpu, pid):
        self.runs[cpu] = pid
        if pid:
            self.tasks[pid].be(time, "runs", cpu)

    def take(self, event):
        time, cpu, what = ns(event["time"]), event["cpu"], event["event"]
        fields = event.get("fields", {})
        task = self.tasks[fields["pid"]] if "pid" in fields else None
        if cpu in self.last and (event["context"] != "task" or event["current_pid"]):
            self.busy[cpu].append((self.last[cpu], time))
        self.last[cpu] = time
        if what == "start":
            self.begin[cpu] = time
            self.run(time, cpu, event["current_pid"])
        elif what == "end":
            self.end[cpu] = time
        elif what == "sched_switch":
            self.points["switches", cpu].append(time)
            if self.runs[cpu]:
                out = self.tasks[self.runs[cpu]]
                state = "waits" if fields["prev_state_name"] in ("running", "preempted") else "blocked"
                if out.heir:
                    self.tasks[out.heir].be(time, state, cpu)
                    out.heir = None
                    state = "blocked"
                out.be(time, state)
            self.run(time, cpu, fields["next_pid"])
        elif what == "sched_waking":
            if task.state == "blocked" and task.place is not None:
                task.be(time, "waits")
        elif what == "sched_wakeup_new":
            if task.state == "blocked":
                task.be(time, "waits", fields["target_cpu"])
        elif what == "sched_migrate_task":
            self.points["migrations_out", fields["orig_cpu"]].append(time)
            self.points["migrations_in", fields["dest_cpu"]].append(time)
            if task.state != "runs":
                task.be(time, task.state, fields["dest_cpu"])
        elif what == "sched_process_fork":
            self.points["forks", cpu].append(time)
            old = self.tasks.pop(fields["child_pid"], None)
            if old:
                old.be(time, "blocked")
                self.ended.append(old)
        elif what == "sched_process_exit":
            self.points["exits", cpu].append(time)
        elif what == "sched_process_exec":
            if fields["old_pid"] != fields["pid"]:
                self.tasks[fields["old_pid"]].heir = fields["pid"]
        elif what == "task":
            if task.place is None:
                task.place = fields["cpu"]
                if fields["state"] == "R" and fields["pid"] not in self.runs.values():
                    task.be(time, "waits")

    def spans(self):
        for task in list(self.tasks.values()) + self.ended:
            yield from task.spans


def most(spans, begin, end):
    """Returns the largest number of simultaneous spans within the interval, however short."""
    steps = collections.Counter()
    for a, b in spans:
        a, b = max(a, begin), min(b, end)
        if a < b:
            steps[a] += 1
            steps[b] -= 1
    count = best = 0
    for _, step in sorted(steps.items()):
        count += step
        best = max(best, count)
    return best


def overlap(spans, begin, end):
    return sum(max(0, min(b, end) - max(a, begin)) for a, b in spans)


def edges(interval, begin, end):
    at = [begin]
    while at[-1] < end:
        at.append(min((at[-1] // interval + 1) * interval, end))
    return list(zip(at, at[1:]))


def within(points, begin, end, is_last):
    return bisect.bisect_left(points, end + is_last) - bisect.bisect_left(points, begin)


def expected(model, interval, begin, end, run_end):
    by_cpu = collections.defaultdict(list)
    waits = collections.defaultdict(list)
    for a, b, cpu, runs in model.spans():
        by_cpu[cpu].append((a, b))
        if not runs:
            waits[cpu].append((a, b))
    for a, b in edges(interval, begin, end):
        cpus = {}
        for cpu in sorted(model.begin):
            cpus[cpu] = {
                "span_ns": b - a,
                "busy_ns": overlap(model.busy[cpu], a, b),
                "runnable_ns": overlap(by_cpu[cpu], a, b),
                "waiting_ns": overlap(waits[cpu], a, b),
                "runnable_max": most(by_cpu[cpu], a, b),
            }
            for key in KEYS[5:]:
                cpus[cpu][key] = within(model.points[key, cpu], a, b, b == run_end)
            if not overlap([(model.begin[cpu], model.end[cpu])], a, b):
                cpus[cpu] = dict.fromkeys(KEYS) | {"span_ns": b - a}
        total = {key: sum(cpu[key] or 0 for cpu in cpus.values()) for key in KEYS}
        total["runnable_max"] = most([span for spans in by_cpu.values() for span in spans], a, b)
        yield a, b, cpus, total


def compare(rows, wanted):
    wrong = []
    checked = 0
    for row, (begin, end, cpus, total) in zip(rows, wanted, strict=True):
        if (row["from_ns"], row["to_ns"]) != (begin, end):
            sys.exit(f"interval.py: is {row['from_ns']} to {row['to_ns']}, not {begin} to {end}")
        host = row["hosts"][0]
        got = [(cpu["cpu"], cpu) for cpu in host["cpus"]] + [("all", host["total"])]
        if [number for number, _ in got[:-1]] != sorted(cpus):
            sys.exit(f"interval.py: CPUs are {[number for number, _ in got]}")
        for number, values in got:
            for key in KEYS:
                want = (total if number == "all" else cpus[number])[key]
                checked += 1
                if values[key] != want:
                    wrong.append(f"{begin}: CPU {number} {key}: is {values[key]}, not {want}")
    print(f"{len(rows)} intervals, {checked} numbers, {len(wrong)} are wrong")
    if wrong:
        sys.exit("\n".join(wrong[:20]))


def compare_like(rows, truth):
    exact = others = 0
    true = {row["from_ns"]: row for row in truth}
    for row in rows:
        other = true[row["from_ns"]]
        for mine, theirs in zip(row["hosts"][0]["cpus"], other["hosts"][0]["cpus"], strict=True):
            if row["to_ns"] != other["to_ns"] or not mine["exact"] or mine["unknown_ns"]:
                others += 1
                continue
            exact += 1
            for key in KEYS:
                if mine[key] != theirs[key]:
                    sys.exit(f"interval.py: {row['from_ns']}: CPU {mine['cpu']} {key} is said to "
                             f"be exact: is {mine[key]}, not {theirs[key]}")
    print(f"{exact} rows are exact, {others} are not")


def main():
    words = sys.argv[1:]
    evtlog, log, interval = words[0], words[1], int(words[2])
    options = dict(zip(words[3::2], words[4::2]))
    begin, end = options.get("--from"), options.get("--to")
    window = []
    for name, value in (("--from", begin), ("--to", end)):
        window += [name, f"{value}ns"] if value else []
    rows = lines_of(evtlog, "stat", "--interval", f"{interval}ns", "--json", *window, log)
    if "--like" in options:
        with open(options["--like"], encoding="utf-8") as file:
            truth = [json.loads(line, parse_float=str) for line in file]
        compare_like(rows, truth)
        return
    model = Model(lines_of(evtlog, "dump", "--json", log))
    run_end = max(model.end.values())
    wanted = expected(model, interval, int(begin or 0), min(int(end or run_end), run_end), run_end)
    compare(rows, list(wanted))


main()
