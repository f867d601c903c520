#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""daemons.py DIRECTORY - the report agrees with what the synthetic daemons print of themselves

Prints each comparison; exits with 1 if one fails.
"""
import collections
import csv
import json
import os
import statistics
import sys

import boundary
import samples
from boundary import claim

TOLERANCE = 0.02
EXPERIMENTS = {"one": ("alone",), "two": ("often", "seldom"), "phase": ("first", "other")}


def mean_distance(times):
    return statistics.mean(after - before for before, after in zip(times, times[1:]))


class Said:
    """What a daemon printed for the time of the loop, in ns."""

    def __init__(self, path, begin, end, ns_per_tick):
        said = boundary.read_said(path)
        self.pid = said["pid"][0][0]
        self.all = said["round"]
        self.rounds = [r for r in self.all if begin < r[0] and r[1] < end]
        self.cputime_ns = said["cputime"][0][0]
        owns = [own * ns_per_tick for _, _, own in self.rounds]
        firsts = [first * ns_per_tick for first, _, _ in self.rounds]
        self.figures = {"count": len(owns), "period": mean_distance(firsts),
                        "mean": statistics.mean(owns), "total": sum(owns)}


def by_report(report, name, pid):
    """Returns the same figures from the task's row in the report."""
    rows = [row for row in report["sources"] if row["name"] == f"{name}-{pid}"]
    claim(len(rows) == 1, f"{name}: {len(rows)} rows, of {rows[0]['family']} tasks, "
          f"{100 * rows[0]['period_share']:.1f} % of its wakings keep its period")
    return {"count": rows[0]["activations"], "period": rows[0]["period_ns"],
            "mean": rows[0]["activation_mean_ns"], "total": rows[0]["total_ns"]}


def compare(who, said, found):
    for what, own in said.items():
        off = found[what] / own - 1
        claim(abs(off) <= TOLERANCE, f"{who}: {what}: says {own:.0f}, found "
              f"{found[what]:.0f}: {100 * off:+.3f} %")


def experiment(directory, name):
    print(f"== {name}")
    path = os.path.join(directory, name)
    thread = samples.Samples(os.path.join(path, "logged.samples")).threads[0]
    with open(os.path.join(path, "report.json")) as file:
        report = json.load(file)
    claim(not report["excluded_samples"], "nothing is lost")
    window = thread.begin, thread.end, report["ns_per_tick"]
    daemons = [Said(f"{path}.{daemon}", *window) for daemon in EXPERIMENTS[name]]
    for daemon, said in zip(EXPERIMENTS[name], daemons):
        claim(len(said.rounds) >= len(said.all) - 1,
              f"{daemon}: {len(said.rounds)} of its {len(said.all)} rounds are in the window")
        compare(daemon, said.figures, by_report(report, daemon, said.pid))
        print(f"      the kernel charged it {said.cputime_ns} ns")
    if len(daemons) == 2:
        pids = collections.defaultdict(set)
        with open(os.path.join(path, "parts.csv"), newline="") as file:
            for row in csv.DictReader(file):
                pids[row["interruption"]].add(int(row["pid"]))
        both = sum(all(said.pid in of for said in daemons) for of in pids.values())
        claim(both > 0, f"{both} interruptions are by both")


for name in EXPERIMENTS:
    experiment(sys.argv[1], name)
boundary.finish()
