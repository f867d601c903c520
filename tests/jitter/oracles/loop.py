#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""loop.py DIRECTORY - the log agrees with what boundary.c saw and counted

Prints each comparison; exits with 1 if one fails.
"""
import bisect
import collections
import os
import sys

import boundary
from boundary import claim

THRESHOLD = 1000	# as in boundary.sh
SYS_GETPPID = 110
SYS_NANOSLEEP = 35


def read(directory, name):
    print(f"== {name}")
    b = boundary.Boundary(os.path.join(directory, name + ".evl"))
    b.claim_whole()
    return b, boundary.read_said(os.path.join(directory, name + ".txt"))


def first_inside(interval):
    return interval.inside[0][1] if interval.inside else "nothing"


def gaps(directory):
    b, said = read(directory, "gaps")
    begin, end = said["span"][0]
    pid = said["pid"][0][0]
    away = [(left, entered) for left, entered in b.away[pid] if begin <= left <= end]
    of_exit = {i.exit: i for i in b.intervals[0]}
    steps = said["gap"]
    held, one, residual, makeup = set(), 0, 0, collections.Counter()
    for low, high in steps:
        first = bisect.bisect_left(away, (low, 0))
        last = bisect.bisect_left(away, (high, 0))
        inside = [pair for pair in away[first:last] if pair[1] <= high]
        held.update(inside)
        one += len(inside) == 1
        if len(inside) == 1:
            left, entered = inside[0]
            residual = max(residual, high - low - (entered - left))
            interval = of_exit[left]
            if interval.cause == boundary.SYSCALL:
                makeup[f"system call {interval.nr}"] += 1
            else:
                makeup[first_inside(interval)] += 1
            partition(b, left, entered)
    claim(len(steps) > 300, f"{len(steps)} gaps of more than {THRESHOLD} ticks")
    claim(one >= 0.99 * len(steps), f"{one} of them ({100 * one / len(steps):.2f} %) hold "
          "exactly one interval of the loop's outside user mode")
    long = [pair for pair in away if pair[1] - pair[0] > THRESHOLD]
    claim(all(pair in held for pair in long),
          f"all {len(long)} intervals that are so long are in a gap")
    print("      they are: " + ", ".join(f"{n} {what}" for what, n in makeup.most_common()))
    claim(makeup["local_timer_entry"] > 200 and makeup[f"system call {SYS_NANOSLEEP}"] > 50,
          "timer interrupts and sleeps are among them")
    claim(not makeup["nothing"], "each says what it was")
    gap_ticks = sum(high - low for low, high in steps)
    kernel = sum(entered - left for left, entered in held)
    print(f"      of {end - begin} ticks {gap_ticks} in gaps, {kernel} of them "
          f"({100 * kernel / gap_ticks:.3f} %) outside the loop's user mode by the log; "
          f"largest residual {residual} ticks")
    claim(kernel <= gap_ticks and kernel >= 0.99 * gap_ticks, "they are the same time")
    claim(not unequal, f"the kernel's intervals and others' user mode partition each: {unequal}")


# Intervals whose parts do not add up to them
unequal = []


def partition(b, left, entered):
    """The task's absence is the CPU's intervals in it, and the user mode of others between."""
    parts = b.within(0, left, entered - 1)
    at = left
    for part in parts:
        if part.exit < at or part.enter > entered or any(
                not part.exit <= ticks <= part.enter for ticks, _, _ in part.inside):
            unequal.append((left, entered))
        at = part.enter
    user = sum(after.exit - before.enter for before, after in zip(parts, parts[1:]))
    if user + sum(part.enter - part.exit for part in parts) != entered - left:
        unequal.append((left, entered))


def of_task(b, said):
    begin, end = said["span"][0]
    pid = said["pid"][0][0]
    return [i for i in b.within(0, begin, end) if i.exit_pid == pid]


def calls(directory):
    b, said = read(directory, "calls")
    counts = collections.Counter(i.nr for i in of_task(b, said)
                                 if i.cause == boundary.SYSCALL)
    made = said["getppid"][0][0]
    claim(counts[SYS_GETPPID] == made,
          f"getppid: left by {counts[SYS_GETPPID]} calls, made {made}")
    claim(counts[1000] == 1 and counts[0xfffe] == 1 and
          counts[boundary.OTHER_CALL] == said["other"][0][0],
          f"numbers of no call: {[(hex(nr), counts[nr]) for nr in sorted(counts) if nr >= 1000]}")
    claim(sum(counts.values()) == made + 5, f"{sum(counts.values())} calls in all")


def exceptions(b, said):
    """Returns the task's exits from user mode by vector, and all its exception records."""
    begin, end = said["span"][0]
    pid = said["pid"][0][0]
    counts = collections.Counter()
    # If the task was switched out in the exception, the exit is in another interval.
    pairs = collections.Counter((name, vector) for ticks, of, name, vector in b.exceptions
                                if of == pid and begin <= ticks <= end)
    for interval in of_task(b, said):
        if interval.cause != boundary.SYSCALL and \
                first_inside(interval) == "exception_entry":
            counts[interval.inside[0][2]] += 1
    return counts, pairs


def faults(directory):
    b, said = read(directory, "faults")
    counts, pairs = exceptions(b, said)
    pages, minflt = said["pages"][0][0], said["minflt"][0][0]
    claim(counts[boundary.PAGE_FAULT] == pages == minflt,
          f"page faults: left by {counts[boundary.PAGE_FAULT]}, {pages} pages touched, "
          f"ru_minflt {minflt}")
    claim(pairs["exception_entry", 14] == pairs["exception_exit", 14],
          f"{pairs['exception_exit', 14]} were left again")


def traps(directory):
    b, said = read(directory, "traps")
    counts, pairs = exceptions(b, said)
    for (vector,) in said["unraised"]:
        print(f"      vector {vector}: this machine raises none")
    for vector, made in said["vector"]:
        claim(counts[vector] == made, f"vector {vector}: left by {counts[vector]}, made {made}")
        claim(pairs["exception_entry", vector] == pairs["exception_exit", vector],
              f"vector {vector}: {pairs['exception_exit', vector]} were left again")


for test in (gaps, calls, faults, traps):
    test(sys.argv[1])
boundary.finish()
