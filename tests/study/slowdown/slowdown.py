#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""slowdown.py DIR [HOW.PHASE=PERCENT...] - prints slowdown.sh's results as "METRIC UNIT VALUE"

Each kind of recording adds instructions to the programs' work, all on one CPU. The sampler adds
them for each pass, on one CPU of a machine, however many it has. Events add them on each CPU. So
the share of eight CPUs is an eighth of a sampler's share, and all of events'. This assumes one
instruction per nanosecond; with three, a sampler takes a third.
HOW.PHASE=PERCENT: fails if this kind adds more to eight CPUs in this phase, or nothing.
"""
import collections
import pathlib
import statistics
import sys

from claims import fail

CPUS = 8
PHASES = ("big", "small")
# Unrecorded times repeat within this share.
NOISE = 0.001
# Events that do not fill a buffer may cost less than the variation of times.
LEAST = {"events": -NOISE}


def lines(path):
    return [line.split() for line in path.read_text(encoding="ascii").splitlines()]


def share_of(how, added, base):
    return added / base / (1 if how == "events" else CPUS)


def show(metric, unit, value):
    print(f"{metric} {unit} {value:.10g}")


def show_cost(how, rows):
    """@rows: numbers of costs"""
    logd_ns, size, lost, file_size, sampler_ns, passes, missed = map(sum, zip(*rows))
    if lost or missed:
        fail(f"{how}: {lost} records lost, {missed} passes missed")
    if not size or (how != "events" and not passes):
        fail(f"{how}: nothing was recorded")
    show(f"{how}.logd_per_buffer_byte", "instructions", logd_ns / size)
    show(f"{how}.file_bytes_per_buffer_byte", "ratio", file_size / size)
    if passes:
        show(f"{how}.sampler_per_pass", "instructions", sampler_ns / passes)
        show(f"{how}.passes", "count", passes)
        show(f"{how}.file_bytes_per_pass", "bytes", file_size / passes)


def main():
    directory = pathlib.Path(sys.argv[1])
    bounds = dict(word.split("=") for word in sys.argv[2:])
    times, costs = collections.defaultdict(list), collections.defaultdict(list)
    for _, how, phase, took in lines(directory / "times"):
        times[how, phase].append(int(took))
    for _, how, *numbers in lines(directory / "costs"):
        costs[how].append([int(number) for number in numbers])
    for phase in PHASES:
        off = times["off", phase]
        show(f"off.{phase}", "instructions", statistics.median(off))
        show(f"off.{phase}_spread", "share", (max(off) - min(off)) / min(off))
        if max(off) - min(off) > NOISE * min(off):
            fail(f"{phase}: the same work takes {min(off)} to {max(off)} instructions")
    wrong = []
    for how, rows in costs.items():
        for phase in PHASES:
            base = statistics.median(times["off", phase])
            added = statistics.median(times[how, phase]) - base
            share = share_of(how, added, base)
            show(f"{how}.{phase}_one_cpu", "share", added / base)
            show(f"{how}.{phase}_eight_cpus", "share", share)
            most = float(bounds.pop(f"{how}.{phase}", "inf"))
            least = LEAST.get(how, 0) * 100
            if not least < share * 100 <= most:
                wrong.append(f"{how}, {phase}: slower by {share * 100:.3f} %, "
                             f"more than {least:g} and at most {most:g} % is wanted")
        show_cost(how, rows)
    if bounds:
        fail(f"not measured: {' '.join(bounds)}")
    if wrong:
        fail("; ".join(wrong))


main()
