#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the output of life.sh: events keep their names; tasks in a deleted probe are recorded."""
import collections
import pathlib
import sys

from claims import fail
from log import events, value

logged = events(pathlib.Path(sys.argv[1]) / "life.evl")
names = sorted(name for name in logged if logged[name][1])
if names != ["udp_sendmsg", "vfs_read_return"]:
    fail(f"names {names}")
fields, payloads = logged["vfs_read_return"]
read = collections.Counter((value(p, fields[1]), value(p, fields[0])) for p in payloads)
if read[77, 77] != 5 or read[99, 7] != 1:
    fail(f"reads {read}")
fields, payloads = logged["udp_sendmsg"]
if not payloads or {value(p, fields[0]) for p in payloads} != {100}:
    fail(f"{len(payloads)} datagrams")
print(f"{len(payloads)} of 3000 datagrams met one of 41 probes; the reader of the fifo its own")
