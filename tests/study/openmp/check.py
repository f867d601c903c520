#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check.py DIR EVTLOG BLOCKS - checks that the study's results fit the three kinds of waiting

By the log and the programs' output: all programs end, and their exits in the log are after the ends
that they printed. With 72 threads the run queues are long. Busy waiting takes more CPU time than
the others. Yielding blocks at each block. Migrations equal those of evtlog stat.
"""
import json
import os
import re
import subprocess
import sys

from claims import fail

PARALLEL_THREADS = 64
TASKS = 72


def exits_of(evtlog, log):
    """Returns {pid: ns}, in CLOCK_MONOTONIC_RAW."""
    text = subprocess.run([evtlog, "dump", "--time", "raw", "--type", "sched_process_exit", log],
                          check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    found = {}
    for line in text.splitlines():
        match = re.search(r"^\s*(\d+)\.(\d{9})\s.*\spid=\S*?-?(\d+)\s", line)
        if match:
            found.setdefault(int(match[3]), []).append(int(match[1] + match[2]))
    return found


def check_programs(evtlog, base):
    exits = exits_of(evtlog, os.path.join(base, "run.evl"))
    for line in open(os.path.join(base, "programs"), encoding="ascii"):
        phase, kind, number, pid, begin_ns, end_ns = line.split()
        after = [time - int(end_ns) for time in exits.get(int(pid), [])]
        if not any(-1e6 < late for late in after):
            fail(f"{phase} {kind} {number}: prints its end, but exits {after} ns behind it")
        if int(end_ns) <= int(begin_ns):
            fail(f"{phase} {kind} {number}: ends before it begins")


def check_run(run, blocks):
    big, busy, sleep = (run["phases"][name] for name in ("big", "busy", "yield"))
    for name, phase in run["phases"].items():
        if phase["programs"] != {"sequential": 8, "parallel": 8}:
            fail(f"{name}: programs {phase['programs']}")
        longest = max(sum(each) for each in zip(*(queue["over_time"] for queue in phase["queues"].values())))
        print(f"{run['cpus']} CPUs, {name}: {phase['seconds']:.2f} s, at most {longest:.0f} tasks, "
              f"CPU time {phase['cpu_s']:.2f} s, blocked {phase['blocked_switches']}, preempted "
              f"{phase['preempted_switches']}, {phase['migrations']} migrations")
        if name == "big" and longest < TASKS / 2:
            fail(f"{name}: at most {longest} tasks run or wait, of {TASKS}")
    if busy["cpu_s"] < 1.3 * max(big["cpu_s"], sleep["cpu_s"]):
        fail("busy waiting takes no CPU time")
    # The last thread of a block does not wait.
    if sleep["blocked_switches"] < PARALLEL_THREADS * blocks / 2:
        fail("yielding: threads do not block at the end of each block")
    if busy["blocked_switches"] > sleep["blocked_switches"] / 2:
        fail("busy waiting: threads block")
    if max(sleep["wall_s"]["parallel"]) > max(busy["wall_s"]["parallel"]):
        fail("yielding takes longer than busy waiting")


def main():
    directory, evtlog, blocks = sys.argv[1], sys.argv[2], int(sys.argv[3])
    runs = json.load(open(os.path.join(directory, "study.json"), encoding="ascii"))["runs"]
    for run in runs:
        base = os.path.join(directory, str(run["cpus"]))
        check_programs(evtlog, base)
        check_run(run, blocks)
        for name in ("timeline.png", "queues.svg", "queues.csv"):
            if not os.path.getsize(os.path.join(base, name)):
                fail(f"{name} is empty")
    if not runs:
        fail("nothing was measured")


main()
