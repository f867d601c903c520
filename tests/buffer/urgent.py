#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""urgent.py DIRECTORY - counts the instructions from an urgent event to its reader.

The time of the event is in its record, the time of the wake-up in the run's sched_waking. The
reader reads the tick counter itself. Under --icount, a tick is an instruction.
"""
import pathlib
import sys

import evl
from claims import claim, finish

base = pathlib.Path(sys.argv[1])
EVENTS, TIME, LOST, EVENT, EVENT_FORMAT, ON_CPU = 20, 1, 2, 42, 43, 44


def put_times(data):
    """Returns the times of all EVENT records, in ticks."""
    times, at = [], 0
    while at < len(data):
        used = int.from_bytes(data[at + 20:at + 24], "little")
        buffer = evl.Buffer(data[at:at + used])
        high, k, words = buffer.begin_ticks >> 32, 0, buffer.words
        while k < len(words):
            kind = words[k] >> 32 & 63
            if kind == TIME:
                high = words[k + 1] >> 32
            if kind == EVENT:
                times.append(high << 32 | words[k] & 0xffffffff)
            k += {TIME: 2, ON_CPU: 2, LOST: 4}.get(kind) or 1 + ((words[k] >> 52) + 7) // 8
        at += used
    return times


def of(name):
    """Returns the times of the reads, the calls, the reader's wake-ups and the events."""
    lines = [line.split() for line in (base / f"{name}.txt").read_text().splitlines()]
    pid = next(int(line[1]) for line in lines if line[0] == "pid")
    reads = [int(line[1]) for line in lines if line[0] == "read"]
    puts = [(int(line[1]), int(line[2])) for line in lines if line[0] == "put"]
    log = evl.Log(base / f"{name}.evl")
    waking = log.number["sched_waking"]
    wakes = [record.ticks for cpu in log.cpus() for record in log.records(cpu)
             if record.type == waking and record.data & 0x3fffff == pid]
    return reads, puts, wakes, put_times((base / name).read_bytes())


for name, to_waking, to_reader in (("urgent", 850, 4000), ("one", 1250, 4500)):
    reads, puts, wakes, times = of(name)
    times = [t for t in times if puts[0][0] <= t <= puts[-1][1]]
    claim(len(puts) == EVENTS == len(times), f"{name}: {len(times)} events of {len(puts)} calls")
    claim(all(begin <= t <= end for (begin, end), t in zip(puts, times)), f"{name}: each within its call")
    between = [[w for w in wakes if t <= w < after]
               for t, after in zip(times, times[1:] + [times[-1] + 1_900_000])]
    claim([len(w) for w in between] == [1] * EVENTS,
          f"{name}: one wake-up for each: {[len(w) for w in between]}")
    until = sorted(next((r for r in reads if r > t), None) - t for t in times)
    waking = sorted(w[0] - t for w, t in zip(between, times) if w)
    claim(400 <= waking[0] and waking[-1] <= to_waking, f"{name}: {waking[0]} to {waking[-1]} instructions to its wake-up")
    # The timer interrupts at most one of them.
    claim(1800 <= until[0] and until[-2] <= to_reader, f"{name}: {until[0]} to {until[-2]} until read() is over")
reads, puts, wakes, times = of("patient")
claim(not [w for w in wakes if puts[0][0] <= w <= puts[-1][1]] and len(puts) == EVENTS,
      "not urgent: nobody is woken before the end")
finish()
