#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""devices.py DIRECTORY - checks that each message was logged as sent once, on any path of devices.

Both ends are one machine. So the log has each echo and each answer of nets 10.1 to 10.7 once as
sent and later once as received.
"""
import collections
import glob
import os
import sys

import evl

log = evl.Log(glob.glob(os.path.join(sys.argv[1], "*.evl"))[0])
evl.need(log.lost() == 0, "events were lost")
sent, received = collections.defaultdict(list), collections.defaultdict(list)
for cpu in log.cpus():
    for record in log.records(cpu):
        name = log.name[record.type]
        if not name.startswith("icmp_"):
            continue
        kind, number = record.data & 255, record.words[1] & 0xffffffff
        peer = (record.words[1] >> 32).to_bytes(4, "little")
        local = (record.words[2] & 0xffffffff).to_bytes(4, "little")
        if name == "icmp_tx":
            sent[kind, number, local, peer].append(record.ticks)
        else:
            received[kind, number, peer, local].append(record.words[3])

wrong = 0
for net in range(1, 8):
    counts = collections.Counter()
    for (kind, number, source, target), times in sent.items():
        if source[1] != net:
            continue
        is_broadcast = target[3] == 255
        counts[kind, is_broadcast] += 1
        got = received[kind, number, source, target]
        # The sender's own copy of a broadcast passes no device.
        first = max(got, default=0) if is_broadcast else min(got, default=0)
        if len(times) != 1 or not times[0] < first:
            wrong += 1
            if wrong < 10:
                print(f"10.{net}: type {kind} {source}->{target}: sent at {times}, came at {got}")
    print(f"10.{net}: {counts[8, False]} echoes, {counts[0, False]} answers, "
          f"{counts[8, True]} to all")
    # 10 and 5 echoes from here, 10 to here; one answer each, and one or two to the broadcast
    evl.need(counts[8, False] == 25, f"10.{net}: {counts[8, False]} echoes, not 25")
    evl.need(26 <= counts[0, False] <= 27, f"10.{net}: {counts[0, False]} answers")
    evl.need(counts[8, True] == 1, f"10.{net}: {counts[8, True]} echoes to all, not 1")
evl.need(not wrong, f"{wrong} messages were not sent once and received later")
