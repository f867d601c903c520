#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""control.py DIRECTORY - checks that the files describe the runs that were ordered.

Each buffer contains the run's name and the message's arrival. The start message is the first record
on the CPU that received it; the run ends after the stop message.
"""
import glob
import sys

import evl

OPERATION = {2: "start", 3: "stop"}


def messages(log):
    """Yields (cpu, place, operation, broadcast, sender, arrival, ticks) of each REMOTE record."""
    for cpu in log.cpus():
        place = 0
        for record in log.records(cpu):
            name = log.name[record.type]
            # An interrupt can come between the store that starts the run and the message's record.
            place += not name.endswith(("_entry", "_exit")) and name not in ("counter", "remote")
            if name == "remote":
                yield (cpu, place, OPERATION[record.data & 255], record.data >> 12 & 1,
                       (record.words[1] >> 32).to_bytes(4, "little"),
                       record.words[2], record.ticks)


def check(name, path):
    log = evl.Log(path)
    labels = {(b.run_name, b.reference_ticks) for cpu in log.cpus() for b in log.buffers[cpu]}
    evl.need(len(labels) == 1, f"{path}: buffers disagree on the run's name: {labels}")
    label, reference = labels.pop()
    evl.need(label == name, f"{path}: is of run {label}, not {name}")
    start, stop = sorted(messages(log), key=lambda message: message[2])
    evl.need((start[2], stop[2]) == ("start", "stop"), f"{path}: {start} {stop}")
    evl.need(start[4] == stop[4] == bytes([10, 88, 0, 2]), f"{path}: sender {start[4]}")
    evl.need(start[1] == 0, f"{path}: {start[1]} events of its CPU are before the start")
    evl.need(start[5] == reference, f"{path}: the reference is not the message's arrival")
    first = min(log.buffers[cpu][0].begin_ticks for cpu in log.cpus())
    evl.need(reference < first, f"{path}: the run begins before its message arrived")
    evl.need(first < stop[5] < stop[6], f"{path}: the stop's arrival")
    return start, first, log.ticks_hz


paths = {evl.Log(path).buffers[0][0].run_name: path for path in glob.glob(f"{sys.argv[1]}/*.evl")}
for name, is_broadcast in (("one-by.one_1", 0), ("second", 1), ("last", 1)):
    start, first, hz = check(name, paths[name])
    evl.need(start[3] == is_broadcast, f"{name}: broadcast {start[3]}")
    delay = (first - start[5]) / hz * 1e6
    print(f"{name}: the run began {delay:.0f} us behind the message's arrival")
