#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""follow.py LOG ENGINE-DUMP - tasks that migrate are followed to the tick

Takes the tasks that were interrupted most often, and those that most often came back on another
CPU. Compares the library's interruptions of these pids with each task's crossings over all CPUs.
The parts of each interruption must add up to it.
"""
import collections
import subprocess
import sys

import boundary
from boundary import claim

TASKS = 12


def crossings(b):
    """Returns {pid: [(leave, enter, moved)]}, without system calls."""
    found, left = collections.defaultdict(list), {}
    calls = {(i.cpu, i.exit) for of in b.intervals.values() for i in of
             if i.cause == boundary.SYSCALL}
    for ticks, cpu, _, pid, enters in sorted(b.crossings):
        if not enters:
            left[pid] = (ticks, cpu)
        elif pid in left:
            leave, on = left.pop(pid)
            if (on, leave) not in calls:
                found[pid].append((leave, ticks, on != cpu))
    return found


def asked(log, program, pids):
    """Returns {pid: [[leave, enter, sum of parts]]} by the library."""
    out = subprocess.run([program, log, "pid", *map(str, pids)], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    found = collections.defaultdict(list)
    for line in out.splitlines():
        words = line.split()
        if words[0] == "interruption":
            # Excluded: the log ends before the interruption.
            if words[4] == "1":
                continue
            at = [int(words[2]), int(words[3]), 0]
            found[pids[int(words[1])]].append(at)
        elif words[0] == "part":
            at[2] += int(words[3])
    return found


def main():
    log, program = sys.argv[1:]
    b = boundary.Boundary(log)
    b.claim_whole()
    away = crossings(b)
    most = sorted(away, key=lambda pid: -len(away[pid]))[:TASKS]
    moved = sorted(away, key=lambda pid: -sum(m for _, _, m in away[pid]))[:TASKS]
    pids = list(dict.fromkeys(most + moved))
    found = asked(log, program, pids)
    total = sum(len(away[pid]) for pid in pids)
    moves = sum(m for pid in pids for _, _, m in away[pid])
    claim(total > 0, f"{len(pids)} tasks were interrupted {total} times, and came back on "
          f"another CPU {moves} times")
    unlike = [pid for pid in pids
              if [(a, e) for a, e, _ in away[pid]] != [(a, e) for a, e, _ in found[pid]]]
    claim(not unlike, f"each is found when it was: not those of {unlike}")
    wrong = [i for pid in pids for i in found[pid] if i[1] - i[0] != i[2]]
    claim(not wrong, f"parts partition each: not {wrong[:3]}")
    boundary.finish()


main()
