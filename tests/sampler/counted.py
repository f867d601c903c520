#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""counted.py - what `evtlog stat --interval` counts from samples is what their records say, added up
one by one.

Usage: counted.py EVTLOG LOG INTERVAL_MS [auto]

auto: the log has no scheduling events, so that samples are its source without being asked for.
"""
import collections
import sys

import passes

evtlog, log, interval_ms = sys.argv[1:4]
by_itself = sys.argv[4:] == ["auto"]
interval_ns = int(interval_ms) * 1000000


def fail(text):
    sys.exit(f"counted.py: {log}: {text}")


def naive():
    """Of each interval: of each CPU, sums; of all of them, passes, missed and incomplete ones"""
    found = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    before = None
    for at in passes.passes(evtlog, log):
        row = found[at.time_ns // interval_ns]
        if not at.told:
            continue
        row["all"]["missed"] += at.told["missed"]
        row["all"]["incomplete"] += at.skipped + (not at.whole)
        if not at.whole:
            continue
        row["all"]["passes"] += 1
        for cpu, running in at.cpus.items():
            row[cpu]["passes"] += 1
            row[cpu]["runnable"] += running
            row[cpu]["busy"] += running > 0
            row[cpu]["most"] = max(row[cpu]["most"], running)
        before = None if at.first else before
        for pid, task in at.tasks.items():
            row[task["cpu"]]["waiting"] += task["state"] == "+"
            if before is not None and pid not in before:
                row[task["cpu"]]["forks"] += 1
            elif before is not None and before[pid]["cpu"] != task["cpu"]:
                row[task["cpu"]]["migrations_in"] += 1
                row[before[pid]["cpu"]]["migrations_out"] += 1
        for pid in set(before or ()) - set(at.tasks):
            row[before[pid]["cpu"]]["exits"] += 1
        before = at.tasks
    return found


def near(a, b):
    return a is not None and abs(a - b) < 2e-6


def main():
    wanted, seen = naive(), collections.Counter()
    source = [] if by_itself else ["--source", "samples"]
    for row in passes.lines(evtlog, log, "stat", "--json", "--interval", f"{interval_ms}ms", *source):
        host, sums = row["hosts"][0], wanted[row["from_ns"] // interval_ns]
        if host["source"] != "samples":
            fail(f"the source is {host['source']}")
        got = [host[key] for key in ("passes", "passes_missed", "passes_incomplete")]
        if got != [sums["all"][key] for key in ("passes", "missed", "incomplete")]:
            fail(f"from {row['from_ns']}: passes {got}, wanted {dict(sums['all'])}")
        if host["total"]["exact"]:
            fail(f"from {row['from_ns']}: samples are exact")
        for cpu in host["cpus"]:
            mine, name = sums[cpu["cpu"]], f"from {row['from_ns']} CPU {cpu['cpu']}"
            if any(cpu[key] is not None for key in ("switches", "runnable_ns", "waiting_ns")):
                fail(f"{name}: samples do not tell {cpu}")
            if cpu["exact"]:
                fail(f"{name}: samples are exact")
            if not mine["passes"]:
                if cpu["runnable"] is not None or cpu["forks"] is not None:
                    fail(f"{name}: no pass, but {cpu}")
                continue
            if cpu["lost"] != (sums["all"]["incomplete"] > 0):
                fail(f"{name}: lost {cpu['lost']}, incomplete {sums['all']['incomplete']}")
            exact = ("migrations_in", "migrations_out", "forks", "exits")
            if any(cpu[key] != mine[key] for key in exact) or cpu["runnable_max"] != mine["most"]:
                fail(f"{name}: {cpu}, wanted {dict(mine)}")
            if not near(cpu["runnable"], mine["runnable"] / mine["passes"]) or \
               not near(cpu["waiting"], mine["waiting"] / mine["passes"]) or \
               abs(cpu["busy_ns"] - cpu["span_ns"] * mine["busy"] / mine["passes"]) > 1:
                fail(f"{name}: {cpu}, wanted {dict(mine)}")
            seen.update({key: cpu[key] for key in exact})
        seen["passes"] += host["passes"]
    # dump prints all that stat sees.
    total = sum(row["all"]["passes"] for row in wanted.values())
    if seen["passes"] != total or total < 10:
        fail(f"{seen['passes']} of {total} passes")
    print(f"{log}: {dict(seen)}")


main()
