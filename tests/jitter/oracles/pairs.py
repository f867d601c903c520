#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""pairs.py LOG - the user boundary is complete under a load"""
import sys

import boundary
from boundary import claim

b = boundary.Boundary(sys.argv[1])
total = b.claim_whole()
tasks = {pid for pairs in b.crossings for pid in [pairs[3]]}
claim(total > 10000 and len(tasks) > 20, f"{len(tasks)} tasks crossed it")
moved = sum(i.exit_pid != i.enter_pid for intervals in b.intervals.values()
            for i in intervals)
claim(moved > 100, f"{moved} times another task entered than had left")
for cpu in b.log.cpus():
    intervals = b.intervals[cpu]
    span = intervals[-1].enter - intervals[0].exit
    kernel = sum(i.enter - i.exit for i in intervals)
    user = sum(after.exit - before.enter
               for before, after in zip(intervals, intervals[1:]))
    claim(kernel + user == span and min(kernel, user) > 0,
          f"CPU {cpu}: {kernel} ticks outside and {user} in user mode are the span")
boundary.finish()
