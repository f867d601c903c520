#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""daemons.py DIRECTORY - are the synthetic daemons found as they say of themselves?

Prints every comparison; exit 1 if one fails.
"""
import collections
import os
import statistics
import sys

import attribute
import boundary
import evl
from attribute import claim

TOLERANCE = 0.02
EXPERIMENTS = {"one": ("alone",), "two": ("often", "seldom"), "phase": ("first", "other")}


def mean_distance(times):
    return statistics.mean(after - before for before, after in zip(times, times[1:]))


class Said:
    """What a daemon prints of itself."""

    def __init__(self, path):
        said = boundary.read_said(path)
        self.pid = said["pid"][0][0]
        self.rounds = said["round"]
        self.cputime_ns = said["cputime"][0][0]
        owns = [own for _, _, own in self.rounds]
        self.figures = {
            "count": len(owns), "period": mean_distance([first for first, _, _ in self.rounds]),
            "mean": statistics.mean(owns), "total": sum(owns)}


def by_oracle(victim, pid, begin, end):
    """The same of a task, by the pieces of the victim's interruptions."""
    wakings, total = [], 0
    for i in victim.within(begin, end):
        wakings += [ticks for ticks, of in i.activations if of == pid]
        total += i.own["task", pid]
    return {"count": len(wakings), "period": mean_distance(wakings),
            "mean": total / len(wakings), "total": total}


def compare(who, said, found):
    for what, own in said.items():
        off = found[what] / own - 1
        claim(abs(off) <= TOLERANCE, f"{who}: {what}: says {own:.0f}, found "
              f"{found[what]:.0f}: {100 * off:+.3f} %")


def experiment(directory, name):
    print(f"== {name}")
    path = os.path.join(directory, name)
    loop = boundary.read_said(path + ".txt")
    begin, end = loop["span"][0]
    log = evl.Log(path + ".evl")
    claim(not log.lost(), f"{log.lost()} records lost")
    victim = attribute.Victim(log, 0, loop["pid"][0][0])
    daemons = [Said(f"{path}.{daemon}") for daemon in EXPERIMENTS[name]]
    for daemon, said in zip(EXPERIMENTS[name], daemons):
        compare(daemon, said.figures, by_oracle(victim, said.pid, begin, end))
        print(f"      the kernel charged it {said.cputime_ns} ns")
    if len(daemons) == 2:
        both = sum(all(i.own["task", said.pid] for said in daemons)
                   for i in victim.within(begin, end))
        claim(both > 0, f"{both} interruptions are by both")
    owners = collections.Counter()
    for i in victim.within(begin, end):
        owners.update(i.own)
    claim(all(sum(i.own.values()) == i.ticks() for i in victim.within(begin, end)),
          "the pieces partition each interruption")
    print("      all: " + ", ".join(f"{label} {own}" for label, own in owners.most_common(6)))


for name in EXPERIMENTS:
    experiment(sys.argv[1], name)
attribute.finish()
