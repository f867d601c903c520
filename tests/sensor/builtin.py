#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""builtin.py DIRECTORY - checks that a sensor counts as many built-in events as the kernel.

The kernel's counts are read before and after the sensor makes its buffer, and likewise at its end.
The sensor counts at least the events of the shorter interval, and at most those of the longer.
"""
import json
import os
import sys

from claims import claim, finish


def counts(base, name):
    with open(os.path.join(base, name)) as file:
        return {key: int(value) for key, value in map(str.split, file)}


def load(base, name):
    with open(os.path.join(base, name)) as file:
        # A client's line begins with the time of its arrival.
        return [json.loads(line[line.index("{"):]) for line in file]


def check(base, name):
    last = load(base, name + ".lines")[-1]
    events = last["events"]
    claim(last["last"] and last["unknown"] == 0 and last["lost"] == 0 and last["damaged"] == 0,
          f"{name}: nothing is unknown, lost or damaged")
    for event, key in (("sched_switch", "switches"), ("softirq_entry", "softirqs")):
        low = counts(base, name + ".after.in")[key] - counts(base, name + ".before.in")[key]
        high = counts(base, name + ".after.out")[key] - counts(base, name + ".before.out")[key]
        count = events[event]["count"]
        claim(low <= count <= high and low > 50, f"{name}: {count} {event}, the kernel's {low} to {high}")
    rates = [line["events"].get("sched_switch", {}).get("rate", 0) * line["interval_s"]
             for line in load(base, name + ".lines")]
    claim(abs(sum(rates) - events["sched_switch"]["count"]) <= 0.001 * len(rates) + 1,
          f"{name}: rates add up to {sum(rates):.0f}")
    return events


def main():
    base = sys.argv[1]
    events = check(base, "each")
    new = events["sched_wakeup_new"]
    claim(new["count"] >= 60 and new["fields"]["prio"]["count"] == new["count"] and
          new["fields"]["prio"]["last"] == 120 and new["fields"]["target_cpu"]["max"] <= 1,
          f"{new['count']} new tasks, of priority {new['fields']['prio']['last']}")
    claim(not events["sched_switch"]["fields"], "a pid is no amount")
    check(base, "global")
    told = [line for line in load(base, "told") if line["type"] == "event"]
    claim({line["cpu"] for line in told} == {0, 1} and
          all(set(line["fields"]) == {"next_pid", "prev_state"} for line in told),
          f"{len(told)} switches of both CPUs are told")
    times = [line["raw_ns"] for line in told]
    claim(sum(a > b for a, b in zip(times, times[1:])) <= len(times) // 100, "in order")
    finish()


main()
