#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sched.py FILE [MOST-NS | all] - measures from the receipt of each order to its group's first run.

For each REMOTE record of a boost: the tasks that were boosted (REMOTE_BOOST), and on each CPU the
first switch to one of them after the message's arrival. CPUs that already ran a member when the
message arrived are reported separately, as is the delay from the stated end to the restored policy.
With MOST-NS, the median of the first runs is limited; with "all", every order must run a member on
every CPU.
"""
import collections
import statistics
import sys

import evl

SCHED = 4
BACK_NS = 100000  # in instructions; each of 40 tasks takes 1,600
PID = (1 << 22) - 1


def rank(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def read(log):
    """Returns the orders by number, and each CPU's switches as (ticks, next pid)."""
    orders, members, first_pid = {}, collections.defaultdict(dict), {}
    switches = collections.defaultdict(list)
    for cpu in log.cpus():
        first_pid[cpu] = log.buffers[cpu][0].begin_pid
        for record in log.records(cpu):
            name = log.name[record.type]
            if name == "sched_switch":
                switches[cpu].append((record.ticks, record.data & PID))
            elif name == "remote" and record.data & 255 == SCHED:
                orders[record.words[1] & 0xffffffff] = (record.words[2], cpu, record.ticks,
                                                        record.words[5])
            elif name == "remote_boost":
                members[record.words[1] & 0xffffffff].setdefault(record.data & PID,
                                                                record.ticks)
            elif name == "remote_unboost":
                ends[record.words[1] & 0xffffffff, record.data & PID] = record.ticks
    return orders, members, switches, first_pid


def first_run(switches, before, arrival, pids, until):
    """Ticks to the first switch to one of @pids; 0 if it already ran, None if none ran."""
    for ticks, pid in switches:
        if ticks >= arrival:
            if before in pids:
                return 0
            break
        before = pid
    for ticks, pid in switches:
        if arrival <= ticks < until and pid in pids:
            return ticks - arrival
    return None


ends = {}
log = evl.Log(sys.argv[1])
orders, members, switches, first_pid = read(log)
scale = 1e9 / log.ticks_hz
runs, last, firsts, all_cpus = collections.defaultdict(list), collections.Counter(), [], []
receiving_was_last = already = none = late = 0
held = []
for number, (arrival, cpu_of_receipt, ticks, duration) in sorted(orders.items()):
    pids = members[number]
    if not pids:
        late += 1
        continue
    until = arrival + int(duration / scale)
    found = {}
    for cpu in log.cpus():
        run = first_run(switches[cpu], first_pid[cpu], arrival, pids, until)
        if run == 0:
            already += 1
        elif run is None:
            none += 1
        else:
            found[cpu] = run * scale
            runs[cpu].append(run * scale)
    held += [(ends[number, pid] - arrival) * scale - duration
             for pid in pids if (number, pid) in ends]
    if found:
        firsts.append(min(found.values()))
        all_cpus.append(max(found.values()))
        slowest = max(found, key=found.get)
        last[slowest] += 1
        receiving_was_last += slowest == cpu_of_receipt and len(found) > 1

print(f"{len(orders)} orders, {sum(map(len, members.values())) / len(orders):.1f} tasks each; "
      f"{len(firsts)} with a switch")
evl.need(firsts, "no order made a task run")
for what, values in [("first run", firsts)] + (
        [("all CPUs", all_cpus)] + [(f"CPU {cpu}", runs[cpu]) for cpu in sorted(runs)]
        if len(runs) > 1 else []):
    print(f"{what}: min {min(values):.0f} median {statistics.median(values):.0f} "
          f"90% {rank(values, .9):.0f} max {max(values):.0f} ns ({len(values)})")
if len(runs) > 1:
    print("last CPU: " + ", ".join(f"{cpu} {count} times" for cpu, count in sorted(last.items()))
          + f"; the receiving one {receiving_was_last} times")
if late:
    print(f"whose time was over before anybody was boosted, on this machine: {late}")
evl.need(late < len(orders) / 2, "most orders came to nothing")
print(f"on a CPU that ran a member already: {already}; with no member: {none}")
if held:
    print(f"policy back behind the stated end: min {min(held):.0f} "
          f"median {statistics.median(held):.0f} max {max(held):.0f} ns")
    evl.need(min(held) >= 0, "somebody lost his priority before the time was over")
if sys.argv[2:] == ["all"]:
    evl.need(not none, "on some CPU no member ran")
elif len(sys.argv) > 2:
    evl.need(statistics.median(held) <= BACK_NS, "policies are given back too late")
    evl.need(len(firsts) >= 20, "too few orders to tell")
    most = int(sys.argv[2])
    evl.need(statistics.median(firsts) <= most,
             f"median {statistics.median(firsts):.0f} ns, more than {most}")
