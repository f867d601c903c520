#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""nmi.py DIRECTORY - the log has the NMIs that a spinning program got"""
import os
import re
import sys

import boundary
from boundary import claim


def number(name):
    with open(os.path.join(sys.argv[1], name)) as file:
        return int(file.read())


b = boundary.Boundary(os.path.join(sys.argv[1], "spin.evl"))
b.claim_whole()
counted = number("after") - number("before")
told = b.nmis[1]
claim(counted >= 20, f"{counted} NMIs came to CPU 1 by /proc/interrupts")
# Some NMIs hit the kernel: the code segment in its backtrace shows where an NMI hit.
with open(os.path.join(sys.argv[1], "backtraces")) as file:
    traces = file.read().split("NMI backtrace for cpu ")[1:]
segments = [re.search(r"RIP: (\w+):", trace) for trace in traces if trace.startswith("1")]
user = sum(segment is not None and segment[1] == "0033" for segment in segments)
claim(user > 0 and told == user, f"{told} of {user} in user mode, by the log")
previous = 0
for interval in b.intervals[1]:
    if interval.nmi:
        count, ticks, last = interval.nmi
        claim(count > 0 and ticks > 0 and last > previous and last + ticks / count < interval.exit
              or count > 1 and previous < last < interval.exit,
              f"{count} NMIs of {ticks} ticks, in user mode before the exit")
    previous = interval.enter
boundary.finish()
