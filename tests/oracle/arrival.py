#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""arrival.py DIRECTORY - checks that the log's arrival times of messages are possible.

Each received message arrived before ICMP recorded it. An echo from a namespace of the same host
arrived after it was sent, by the same counter.
"""
import glob
import os
import sys

import evl

ECHOES = 0, 8

log = evl.Log(glob.glob(os.path.join(sys.argv[1], "*.evl"))[0])
sent, received = {}, []
for cpu in log.cpus():
    for record in log.records(cpu):
        name = log.name[record.type]
        if not name.startswith("icmp_"):
            continue
        # Type and code, id and sequence, peer and local address
        what = (record.data, record.words[1] & 0xffffffff, record.words[1] >> 32,
                record.words[2] & 0xffffffff)
        if name == "icmp_tx":
            evl.need(what[0] & 255 not in ECHOES or what not in sent, f"sent twice: {what}")
            sent[what] = record.ticks
        else:
            received.append((what, record.ticks, record.words[3]))

own, waits = 0, []
for (kind, number, peer, local), ticks, arrival in received:
    evl.need(arrival, f"no arrival: type {kind & 255}")
    evl.need(arrival <= ticks, f"arrived {arrival - ticks} ticks after it was received")
    waits.append((ticks - arrival) / log.ticks_hz * 1e6)
    send = sent.get((kind, number, local, peer))
    if kind & 255 in ECHOES and send is not None:
        own += 1
        evl.need(send < arrival, f"arrived {send - arrival} ticks before it was sent")
waits.sort()
print(f"{len(received)} messages received, seen before that by {waits[0]:.1f} to "
      f"{waits[-1]:.1f} us, median {waits[len(waits) // 2]:.1f} us; "
      f"{own} echoes of the host's own, none before it was sent")
evl.need(own >= 500, f"only {own} echoes were the host's own")
