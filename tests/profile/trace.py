#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""trace.py OUT - compares traces of tasks with the log of the same time; and checks top."""

import json
import sys

from claims import expect, finish

OFF = {"R": ("preempted",), "+": ("preempted",), "S": ("interruptible",), "I": ("interruptible",),
       "D": ("uninterruptible", "io")}


def name(event, fields):
    if "vec" in fields:
        return "softirq " + fields["vec_name"]
    if "irq" in fields:
        return f"irq:{fields['irq']}"
    return "vector " + event.rsplit("_", 1)[0]


def from_log(path):
    """Returns by task the (kind, possible names) of each event, in order."""
    tasks = {}
    for line in open(path):
        record = json.loads(line)
        event, fields = record["event"], record.get("fields", {})
        own = tasks.setdefault(record["current_pid"], [])
        if event == "sched_switch":
            state = fields["prev_state"]
            own.append(("off", OFF.get(state, ("stopped",))))
            tasks.setdefault(fields["next_pid"], []).append(("on", (None,)))
        elif event == "user_enter":
            own.append(("user", (None,)))
        elif event == "user_exit":
            called = fields["cause_name"] == "syscall"
            own.append(("enter", (fields["nr_name"] + "()" if called else "kernel",)))
        elif event.endswith("_entry") or event.endswith("_exit") and event != "task_exit":
            if event.startswith("sched_"):
                continue
            what = "exception " + fields["vector_name"] if event.startswith("exception") else \
                name(event, fields)
            own.append(("enter" if event.endswith("_entry") else "leave", (what,)))
    return tasks


def main():
    out = sys.argv[1]
    traces = json.load(open(f"{out}/trace.json"))
    log = from_log(f"{out}/dump.json")
    first = int(open(f"{out}/traced.pid").read())
    expect(f"{len(traces)} traces", len(traces) == 7)
    expect("the task's own is there", first in [trace["pid"] for trace in traces])
    for trace in traces:
        events, known = trace["events"], log.get(trace["pid"], [])
        print(f"{trace['comm']}-{trace['pid']}: {trace['written']} events, {len(events)} kept, "
              f"log {len(known)}")
        expect("has ended", trace["has_ended"])
        expect("all that were wanted", len(events) == min(trace["written"], 50))
        expect("the log has as many", len(known) >= trace["written"])
        ticks = [event["ticks"] for event in events]
        expect("in order", ticks == sorted(ticks))
        for got, (kind, names) in zip(events[::-1], known[::-1]):
            if got["kind"] != kind or got["event"] not in names:
                expect(f"{got['kind']} {got['event']} at {got['ticks']}: log {kind} {names}",
                       False)
                break
    kept = json.load(open(f"{out}/kept.json"))
    expect("the newest two are kept", [trace["pid"] for trace in kept] ==
           [trace["pid"] for trace in traces[-2:]] or len(kept) == 2)
    refused = open(f"{out}/refused").read()
    for why in ("has a trace; delete it", "there is no such task", "has no trace"):
        expect(why, why in refused)
    pid = open(f"{out}/top.pid").read().strip()
    rows = [line.split() for line in open(f"{out}/top")]
    expect("top: two tables", sum(row[:1] == ["pid"] for row in rows) == 2)
    mine = [row for row in rows if row[:1] == [pid]]
    expect("top: the task that worked", mine and mine[0][-1] == "profiled" and
           float(mine[0][1]) > 1)
    for row in rows:
        if len(row) > 6 and row[0].isdigit():
            expect(f"top: {row}", sum(map(float, row[1:6])) < 100.03)
    rows = [line.split() for line in open(f"{out}/top.events")]
    shares = [float(row[1]) for row in rows[3:] if row]
    for row in rows[3:]:
        expect(f"top: {row}", not row or float(row[2]) <= float(row[3]) + 0.001 or row[0] == "0")
    # Per CPU; shares below 0.005 % are printed as 0.
    print(f"top: {sum(shares):.2f} % of two CPUs")
    expect("top: all of two CPUs", 195 < sum(shares) < 205)
    head = open(f"{out}/top.compensated").readline()
    print(f"top: {head}", end="")
    expect("top: compensated", head.endswith(" us of measuring subtracted\n") and float(head.split()[4]) > 0)
    finish()


main()
