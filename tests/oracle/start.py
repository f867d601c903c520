#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""start.py DIRECTORY - checks that starts and stops of an armed kernel reach all CPUs at once.

Compares each run with ftrace's record of all runs: from the published start to the CPU's last
record no event is missing. The counters prove each CPU's part. CPUs without events have a part,
too. No CPU is called by another for a start or stop. Exits with 1 if not.
"""
import collections
import contextlib
import glob
import io
import json
import os
import statistics
import sys

from claims import claim, finish
import evl
import ftrace

CPUS = 2


def last_run(directory, name):
    with open(os.path.join(directory, f"{name}.last")) as file:
        return int(file.read())


def check_run(log):
    ftrace.check_start(log)
    claim(len(log.cpus()) == CPUS, f"run {log.run}: {len(log.cpus())} parts")
    claim(log.lost() == 0 and not log.gaps, f"run {log.run}: nothing is lost")


def beside_ftrace(log, theirs):
    """Returns the number of events compared."""
    ours = ftrace.read_evtlog(log)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for cpu in log.cpus():
            ftrace.compare_cpu(log, cpu, ours, theirs)
    for line in said.getvalue().splitlines():
        if line.startswith("WRONG") or "behind the start" in line:
            print(line)
    return sum(len(events) for events in ours.values())


def is_quiet(log, cpu):
    return not any(True for _ in log.records(cpu))


def check_quiet(log, cpu, traced):
    """Another CPU ended this part, which has the start, the stop and the running task."""
    buffer = log.buffers[cpu][0]
    is_right = (len(log.buffers[cpu]) == 1 and
                buffer.flags & (evl.FIRST | evl.FINAL) == evl.FIRST | evl.FINAL)
    # Both CPUs are busy in runs that are traced.
    claim(is_right and (log.run > traced or buffer.begin_pid != 0),
          f"run {log.run}: CPU {cpu} had no event for "
          f"{(buffer.end_ticks - buffer.begin_ticks) * 1e6 / log.ticks_hz:.1f} us, "
          f"ran pid {buffer.begin_pid}")
    return buffer.begin_pid == 0


def check_calls(directory, name):
    """A start calls no CPU. A stop may only wake the logger, on CPU 0. Both CPUs are busy, so
    wake-ups of tasks call no other CPU. But sometimes the kernel frees memory of its own and calls
    all CPUs: one such call in all is allowed."""
    counts = collections.Counter()
    with open(os.path.join(directory, f"{name}.txt")) as file:
        for line in file:
            what, row, cpu, count = line.split()
            counts[what, row, int(cpu)] += int(count)
    for row in ("CAL", "TLB"):
        told = {what: [counts[what, row, cpu] for cpu in range(CPUS)]
                for what in ("none", "start", "stop")}
        claim(sum(told["start"]) + sum(told["stop"][1:]) <= 1,
              f"{name}: {row}, CPU by CPU: starts {told['start']}, stops {told['stop']}, "
              f"without either {told['none']}")


def check_arming(directory):
    """All keys change in one batch, which calls a busy CPU for int3, tails and first bytes."""
    called = []
    with open(os.path.join(directory, "arm.txt")) as file:
        for line in file:
            what, row, cpu, count = line.split()
            if what != "none" and row == "CAL" and int(cpu) == 1:
                called.append(int(count))
    claim(len(called) == 20 and statistics.median(called) <= 3,
          f"each of {len(called)} arms and disarms calls the other CPU {called} times")


def main():
    directory = sys.argv[1]
    ftrace.check_lost(directory)
    theirs = ftrace.read_ftrace(os.path.join(directory, "trace.txt"))
    logs = sorted((evl.Log(path) for path in glob.glob(os.path.join(directory, "*.evl"))),
                  key=lambda log: log.run)
    traced = last_run(directory, "short")
    events = quiet = idle = 0
    for log in logs:
        check_run(log)
        if log.run <= traced:
            events += beside_ftrace(log, theirs)
        for cpu in log.cpus():
            if is_quiet(log, cpu):
                idle += check_quiet(log, cpu, traced)
                quiet += 1
    claim(events > 100 * traced, f"{events} events of {traced} runs compared with ftrace's")
    claim(quiet >= 40 and idle >= 20, f"{quiet} parts of CPUs without any event, {idle} begin idle")
    with open(os.path.join(directory, "check.json")) as file:
        decoder, text = json.JSONDecoder(), file.read().strip()
    checks = []
    while text:
        one, at = decoder.raw_decode(text)
        checks.append(one)
        text = text[at:].lstrip()
    parts = collections.Counter(part["status"] for one in checks for part in one["intervals"])
    claim(len(checks) == len(logs) and set(parts) <= {"complete", "quiet"} and
          parts["quiet"] == quiet, f"evtlog check: {dict(parts)} of {len(checks)} runs")
    check_calls(directory, "busy")
    check_arming(directory)
    finish()


main()
