#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""counted.py - compares the counts of `evtlog stat --interval` from samples with sums over the
records; means are over the time in which a pass is the last one.

Usage: counted.py EVTLOG LOG INTERVAL_MS [auto]

auto: the log has no scheduling events, so samples are its source by default.
"""
import collections
import sys

from claims import fail
import passes

evtlog, log, interval_ms = sys.argv[1:4]
by_itself = sys.argv[4:] == ["auto"]
interval_ns = int(interval_ms) * 1000000


def naive():
    """Returns each interval's sums of each CPU, and the passes, missed and incomplete ones."""
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
            row[cpu]["most"] = max(row[cpu]["most"], running)
        before = None if at.first else before
        for pid, task in at.tasks.items():
            if before is not None and pid not in before:
                row[task["cpu"]]["forks"] += 1
            elif before is not None and before[pid]["cpu"] != task["cpu"]:
                row[task["cpu"]]["migrations_in"] += 1
                row[before[pid]["cpu"]]["migrations_out"] += 1
        for pid in set(before or ()) - set(at.tasks):
            row[before[pid]["cpu"]]["exits"] += 1
        before = at.tasks
    return found


def values(at):
    """Returns each CPU's runnable and waiting tasks. One on the sampler's CPU ran before it."""
    waiting = collections.Counter(task["cpu"] for task in at.tasks.values() if task["state"] == "+")
    mine = waiting[at.sampler]
    if mine:
        waiting[at.sampler] = mine - mine / max(mine, at.cpus[at.sampler])
    # A task that was woken during the pass may be in only one of the numbers.
    return {cpu: (running, min(waiting[cpu], running)) for cpu, running in at.cpus.items()}


def spans(end_ns):
    """Yields (from, to, pass) of each complete pass: while it is the last and nothing is lost."""
    held = None
    for at in passes.passes(evtlog, log):
        if not at.told:
            continue
        if held:
            until_ns = at.time_ns
            if at.off_ns is not None:
                until_ns = at.off_ns
            elif at.skipped:
                absent = at.told["missed"] + at.skipped
                until_ns = held.time_ns + (at.time_ns - held.time_ns) // (absent + 1)
            yield held.time_ns, until_ns, held
        held = at if at.whole else None
    if held:
        off_ns = passes.end_off_ns(end_ns)
        yield held.time_ns, end_ns if off_ns is None else off_ns, held


def add_times(found, end_ns):
    """Adds the times of each interval and CPU."""
    for begin_ns, until_ns, at in spans(end_ns):
        until_ns = max(until_ns, begin_ns + 1)
        while begin_ns < until_ns:
            number = begin_ns // interval_ns
            to_ns = min(until_ns, (number + 1) * interval_ns)
            for cpu, (running, waiting) in values(at).items():
                sums = found[number][cpu]
                sums["ns"] += to_ns - begin_ns
                sums["runnable"] += (to_ns - begin_ns) * running
                sums["waiting"] += (to_ns - begin_ns) * waiting
                sums["busy"] += (to_ns - begin_ns) * (running > 0)
            begin_ns = to_ns


def near(a, b):
    return a is not None and abs(a - b) < 2e-6


def main():
    wanted, seen = naive(), collections.Counter()
    source = [] if by_itself else ["--source", "samples"]
    rows = passes.lines(evtlog, log, "stat", "--json", "--interval", f"{interval_ms}ms", *source)
    add_times(wanted, rows[-1]["from_ns"] + max(cpu["span_ns"] for cpu in rows[-1]["hosts"][0]["cpus"]))
    for row in rows:
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
            if not near(cpu["runnable"], mine["runnable"] / mine["ns"]) or \
               not near(cpu["waiting"], mine["waiting"] / mine["ns"]) or \
               abs(cpu["busy_ns"] - cpu["span_ns"] * mine["busy"] / mine["ns"]) > 1 or \
               cpu["waiting"] > cpu["runnable"]:
                fail(f"{name}: {cpu}, wanted {dict(mine)}")
            seen.update({key: cpu[key] for key in exact})
        seen["passes"] += host["passes"]
    # dump prints all passes that stat uses.
    total = sum(row["all"]["passes"] for row in wanted.values())
    if seen["passes"] != total or total < 10:
        fail(f"{seen['passes']} of {total} passes")
    print(f"{log}: {dict(seen)}")


main()
