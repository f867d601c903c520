#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""global.py DIRECTORY SEED EVENTS - compares commands' output for a global buffer with a model.

make-global draws a CPU, a task and a time for each ticket. This model draws the same numbers, and
computes the expected output of dump, merge and stat without any log.
"""
import collections
import json
import pathlib
import sys

from claims import claim, finish

CPUS = 5
work, seed, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])


def draws(state):
    while True:
        state ^= state << 13 & 0xffffffff
        state ^= state >> 17
        state ^= state << 5 & 0xffffffff
        yield state


def model(state):
    """Returns (number, CPU, task, ns) of each ticket, in the order of the ring."""
    numbers, ns, tickets = draws(state), 0, []
    for k in range(count):
        cpu, pid = next(numbers) % CPUS, 100 + next(numbers) % 4
        ns += next(numbers) % 3 * 500
        tickets.append((k, cpu, pid, ns))
    return tickets


def lines(name):
    return [json.loads(line) for line in (work / name).read_text().splitlines()]


def told(name, host=None):
    """Returns the same from dump --json."""
    found = []
    for line in lines(name):
        if line["event"] != "event" or (host and line["host"] != host):
            continue
        fields = line["fields"].get("payload") or line["fields"]
        if (fields["cpu_is"], fields["pid_is"]) != (line["cpu"], line["current_pid"]):
            claim(False, f"{name}: {line}")
        found.append((fields["number"], line["cpu"], line["current_pid"], round(line["time"] * 1e9)))
    return found


tickets, others = model(seed), model(seed + 1)
claim(any(a[1] != b[1] and a[3] == b[3] for a, b in zip(tickets, tickets[1:])),
      "some of different CPUs have one time")
claim(told("all") == tickets, f"dump: {count} tickets, each with its CPU and task, in the ring's order")
claim(told("cpu") == [t for t in tickets if t[1] == 3], "dump --cpu 3: its tickets alone")
claim(told("both") == [t for t in tickets if t[1] == 3 and t[2] == 101], "dump --cpu 3 --pid 101")
for name in "merged", "written":
    for host, its in (("alpha", tickets), ("beta", others)):
        own = [t[:3] for t in told(name, host)]
        claim(own == [t[:3] for t in its], f"{name}: those of {host} in its ring's order")
    times = [line["time"] for line in lines(name)]
    claim(times == sorted(times), f"{name}: times do not step back")
own = [t[:3] for t in told("merged-cpu", "beta")]
claim(own == [t[:3] for t in others if t[1] == 2], "merge --cpu 2: its tickets alone")


def events(name):
    stat = json.loads((work / name).read_text())
    return next(of for of in stat["registered"] if of["name"] == "ticket")


for name, its in (("stat", tickets), ("stat-cpu", [t for t in tickets if t[1] == 3])):
    of = events(name)
    claim(of["count"] == len(its), f"{name}: {of['count']} of {len(its)}")


def estimates(name):
    return {of["of"]: of for of in events(name)["sample"]["estimates"]}


# After its last record, each CPU has its own rest: see evtlog-stat(1).
total = rests = 0
end_ns = tickets[-1][3] + 1
for cpu in range(CPUS):
    times = [t[3] for t in tickets if t[1] == cpu]
    total += 3 * len(times)
    apart = max(5000, (times[-1] - times[0]) / (len(times) - 1))
    rests += 3 * min((end_ns - times[-1]) / apart, 1)
of = estimates("by-time")["events"]
claim(abs(of["total"] - total - rests) < 0.01 and rests > 0.5,
      f"by time: {of['total']} events, of each CPU {total} and {rests:.3f} behind its last record")
for name, may in (("by-time", True), ("by-time-all", False), ("by-count", False)):
    said = {field: of["may_be_biased"] for field, of in estimates(name).items()}
    claim(said == {"events": False, "number": may, "cpu_is": may, "pid_is": may}, f"{name}: {said}")
finish()
