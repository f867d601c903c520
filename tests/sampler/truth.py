#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""truth.py EVTLOG LOG TRUTH - checks that passes.py reads the passes of make-samples, and detects
those with missing records; prints the number of each kind."""
import collections
import json
import sys

from claims import fail
import passes


def main():
    evtlog, log, truth = sys.argv[1:]
    made = {each["pass"]: each for each in map(json.loads, open(truth, encoding="ascii"))}
    fates = collections.Counter(each["fate"] for each in made.values())
    read = [at for at in passes.passes(evtlog, log) if at.told]
    skipped = sum(at.skipped for at in read)
    if skipped != fates["end"] + fates["gap"] or len(read) + skipped != len(made):
        fail(f"{len(read)} passes and {skipped} without an end, made {dict(fates)}")
    for at in read:
        each = made[at.told["pass"]]
        if at.whole != (each["fate"] == "whole"):
            fail(f"pass {each['pass']}: whole {at.whole}, made {each['fate']}")
        if at.whole and (at.time_ns, at.sampler, at.told["missed"]) != (each["ns"], each["stream"], each["missed"]):
            fail(f"pass {each['pass']}: {at.time_ns} {at.sampler} {at.told}, made {each}")
        if at.whole and [count for _, count in sorted(at.cpus.items())] != each["cpus"]:
            fail(f"pass {each['pass']}: {at.cpus}, made {each['cpus']}")
        if at.whole and {pid: [task["cpu"], task["state"]] for pid, task in at.tasks.items()} != \
           {pid: [cpu, state] for pid, cpu, state in each["tasks"]}:
            fail(f"pass {each['pass']}: {at.tasks}, made {each['tasks']}")
    print(f"{log}: {dict(fates)}")


main()
