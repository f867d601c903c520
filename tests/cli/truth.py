#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares `evtlog stat --json` with what the simulated machine knows.

Usage: truth.py TRUTH STAT

Every sum must be exact; percentiles are compared with those of the waits
themselves within the precision that evtlog-stat(1) states.
"""
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
        # So few that on average none lies beyond it tell nothing.
        if len(waits) * (1000 - share) < 1000:
            compare(f"task {pid} {key} of {len(waits)}", None, latency[key])
            continue
        exact = waits[-(-share * len(waits) // 1000) - 1]
        if abs(latency[key] - exact) > exact / 64 + 1:
            wrong.append(f"task {pid} {key}: {latency[key]}, exactly {exact}")
compare("tasks nobody made", [], list(tasks))

if wrong:
    print("\n".join(wrong[:20]))
    sys.exit(f"{len(wrong)} sums are wrong")
