#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares `evtlog stat --json` with the truth of the simulated machine.

Usage: truth.py TRUTH STAT [EVENTS]

Every sum must be exact. Percentiles are compared with those of all waits, to the precision in
evtlog-stat(1). With EVENTS, the output of evtlog dump --json, each interrupt is followed from its
entry to its exit.
"""
import collections
import json
import sys

truth = json.load(open(sys.argv[1]))
stat = json.load(open(sys.argv[2]))
wrong = []


def compare(what, expected, got):
    if expected != got:
        wrong.append(f"{what}: is {got}, should be {expected}")


compare("events", truth["events"], stat["events"])
for expected, got in zip(truth["cpus"], stat["cpus"], strict=True):
    for key, value in expected.items():
        compare(f"CPU {expected['cpu']} {key}", value, got[key])
    parts = ("task_ns", "logger_ns", "softirq_ns", "irq_ns", "idle_ns",
             "unknown_ns")
    compare("sum of parts", stat["to_ns"] - stat["from_ns"],
            sum(got[part] for part in parts))

tasks = {task["pid"]: task for task in stat["tasks"]}
for expected in truth["tasks"]:
    pid = expected["pid"]
    got = tasks.pop(pid, None)
    if got is None:
        compare(f"task {pid} run_ns", 0, expected["run_ns"])
        continue
    for key in ("comm", "run_ns", "switches", "voluntary", "preempted",
                "wakeups", "migrations"):
        compare(f"task {pid} {key}", expected[key], got[key])
    keys = ("comm", "run_ns", "switches", "migrations", "wakeups")
    compare(f"task {pid} names",
            [{key: name[key] for key in keys} for name in expected["names"]
             if name["run_ns"] or name["switches"] or name["wakeups"]],
            got["names"])
    latency = got["latency_ns"]
    waits = sorted(expected["waits"])
    compare(f"task {pid} waits", len(waits), latency["count"])
    if not waits:
        continue
    compare(f"task {pid} min", waits[0], latency["min"])
    compare(f"task {pid} max", waits[-1], latency["max"])
    if abs(sum(waits) / len(waits) - latency["avg"]) > 0.051:
        wrong.append(f"task {pid} avg: {latency['avg']}")
    for key, share in (("p50", 500), ("p90", 900), ("p99", 990),
                       ("p99_9", 999)):
        # With so few values that on average none is above it, a percentile is undefined.
        if len(waits) * (1000 - share) < 1000:
            compare(f"task {pid} {key} of {len(waits)}", None, latency[key])
            continue
        exact = waits[-(-share * len(waits) // 1000) - 1]
        if abs(latency[key] - exact) > exact / 64 + 1:
            wrong.append(f"task {pid} {key}: {latency[key]}, exactly {exact}")
compare("tasks nobody made", [], list(tasks))


def ns(seconds):
    whole, part = seconds.split(".")
    return int(whole) * 10**9 + int(part)


def interrupts(path):
    """Returns the times of complete interrupts, for stat's list and name or number, by CPU."""
    numbers = {"softirq": ("softirqs", "vec"), "irq_handler": ("irqs", "irq")}
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    within = collections.defaultdict(list)
    for line in open(path):
        event = json.loads(line, parse_float=str)
        name, _, step = event["event"].rpartition("_")
        cpu, t = event["cpu"], ns(event["time"])
        if event["event"] in ("start", "gap", "sched_switch"):
            within[cpu].clear()
        if step not in ("entry", "exit") or name == "exception":
            continue
        group, field = numbers.get(name, ("vectors", None))
        key = group, event["fields"][field] if field else name
        if step == "entry":
            within[cpu].append([key, t, 0])
        elif within[cpu]:
            own, begin, nested = within[cpu].pop()
            if own != key:
                within[cpu].clear()
                continue
            found[key][cpu].append((t - begin - nested, -begin))
            if within[cpu]:
                within[cpu][-1][2] += t - begin
    return found


if len(sys.argv) > 3:
    took = interrupts(sys.argv[3])
    for group, number in (("softirqs", "vec"), ("irqs", "irq"), ("vectors", "name")):
        for got in stat[group]:
            of = took.pop((group, got.get(number)), {})
            longest = {cpu: max(all) for cpu, all in of.items()}
            compare(f"{group} {got['name']} max_ns", max((own for own, _ in longest.values()), default=None),
                    got["max_ns"])
            compare(f"{group} {got['name']} max_ns by CPU", longest,
                    {one["cpu"]: (one["max_ns"], -one["max_from_ns"]) for one in got["cpus"]
                     if one["max_ns"] is not None})
            for key in ("count", "time_ns"):
                compare(f"{group} {got['name']} {key}", sum(one[key] for one in got["cpus"]), got[key])
    compare("interrupts that stat lacks", [], list(took))

if wrong:
    print("\n".join(wrong[:20]))
    sys.exit(f"{len(wrong)} sums are wrong")
