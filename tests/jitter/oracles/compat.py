#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""compat.py DIRECTORY CALLS - the log has a 32-bit program's system calls as 32-bit calls"""
import collections
import os
import sys

import boundary
from boundary import claim

COMPAT = 2
SYS_EXIT = 1
SYS_GETPPID = 64

b = boundary.Boundary(os.path.join(sys.argv[1], "compat.evl"))
b.claim_whole()
made = int(sys.argv[2])
exits = [i for intervals in b.intervals.values() for i in intervals if i.cause == COMPAT]
counts = collections.Counter(i.nr for i in exits)
claim(counts[SYS_GETPPID] == 2 * made,
      f"getppid: left by {counts[SYS_GETPPID]} calls, made {made} by int $0x80 and {made} "
      "by the vDSO's way")
tasks = {i.exit_pid for i in exits}
claim(len(tasks) == 1, f"they are of one task: {tasks}")
claim(not any(i.cause == boundary.SYSCALL and i.nr == SYS_GETPPID and i.exit_pid in tasks
              for intervals in b.intervals.values() for i in intervals),
      "none is told as a call of a 64-bit program")
boundary.finish()
