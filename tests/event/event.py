#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""event.py DIRECTORY - checks that the log contains each byte that a module put into its events.

A record's contents depend on its place and its number, which the module counts. No record may be
repeated, out of order, or missing without being counted as lost.
"""
import os
import sys

from claims import claim, finish
import evl

BYTES_MAX, HEAD = 4000, 16
PLACES = {1: "task", 2: "softirq", 3: "hardirq"}

def bytes_of(sequence, place):
    mixed = (sequence * 2654435761 + place * 40503 & (1 << 64) - 1) >> 7
    if mixed % 16 == 0:
        return BYTES_MAX
    if mixed % 16 == 1:
        return 0
    if mixed % 16 == 2:
        return HEAD + mixed // 16 % 8
    return HEAD + mixed // 16 % (240 if mixed % 5 else BYTES_MAX - HEAD + 1)


def pattern(length, place, sequence):
    x = sequence * 747796405 + place & 0xffffffff
    out = bytearray()
    for _ in range(length - HEAD):
        x = x * 1664525 + 1013904223 & 0xffffffff
        out.append(x >> 24)
    return bytes(out)


def read_said(path):
    """Returns {place: {answer: count}}."""
    said = {}
    with open(path) as file:
        for line in file:
            words = line[line.index("evtlog_event_test:"):].split()
            said[int(words[2])] = dict(zip(words[4::2], map(int, words[5::2])))
    return said


def read_log(log):
    """Returns {place: {cpu: [sequence]}}, the records without a head, sizes, and formats."""
    found = {place: {cpu: [] for cpu in log.cpus()} for place in PLACES}
    empty, sizes, formats, sample = 0, set(), {}, []
    for cpu in log.cpus():
        for record in log.records(cpu):
            name = log.name[record.type]
            if name == "event_format":
                formats[evl.event_id(record)] = evl.payload(record).decode()
            elif name == "event":
                data = evl.payload(record)
                sizes.add(len(data))
                sample.append(evl.event_id(record))
                if not data:
                    empty += 1
                    continue
                at_cpu = int.from_bytes(data[:4], "little")
                place = int.from_bytes(data[4:8], "little")
                sequence = int.from_bytes(data[8:16], "little")
                evl.need(at_cpu == cpu and place in PLACES, "a record's head")
                evl.need(len(data) == bytes_of(sequence, place), "a record's length")
                evl.need(data[HEAD:] == pattern(len(data), place, sequence),
                         f"CPU {cpu} {PLACES[place]} {sequence}: its bytes")
                found[place][cpu].append(sequence)
    return found, empty, sizes, formats, sample


def missing_between(sequences, place):
    """Returns the number of missing records in @sequences that are not empty."""
    there = set(sequences)
    return sum(1 for n in range(sequences[0], sequences[-1] + 1)
               if n not in there and bytes_of(n, place))


def check(directory, run):
    log = evl.Log(os.path.join(directory, run + ".evl"))
    said = read_said(os.path.join(directory, run + ".txt"))
    found, empty, sizes, formats, ids = read_log(log)
    claim(list(formats.values()) ==
          ["sample\ncpu:0:4:u place:4:4:u sequence:8:8:u ecalp:4:4:n pattern:16:0:b\n"] and
          set(ids) == set(formats), f"{run}: its format is told, and no other event is there")
    total = empty
    missing = 0
    for place, by_cpu in found.items():
        for cpu, sequences in by_cpu.items():
            evl.need(sequences, f"{run}: CPU {cpu} {PLACES[place]}: nothing is logged")
            evl.need(sequences == sorted(set(sequences)), f"{run}: CPU {cpu} {PLACES[place]}: order")
            total += len(sequences)
            missing += missing_between(sequences, place)
        claim(said[place]["ok"] > 100, f"{run}: {PLACES[place]}: {said[place]}")
    answers = {a: sum(s[a] for s in said.values()) for a in said[1]}
    put = answers["ok"]
    claim(total == put, f"{run}: {put} put, {total} logged, each byte as it was put, "
          f"{len(sizes)} sizes up to {max(sizes)}")
    return log, answers, missing, sizes


def main():
    directory = sys.argv[1]
    log, said, missing, sizes = check(directory, "whole")
    claim(not log.lost() and not missing and {0, BYTES_MAX} <= sizes, "whole: nothing is lost")
    claim(said["refused"] > 0, "whole: it was put before the run, and unregistered in it")

    log, said, missing, sizes = check(directory, "small")
    lost = log.lost(evl.LOST_LARGE)
    claim(lost == said["large"] > 0 and max(sizes) <= 1016,
          f"small: {said['large']} were refused as larger than a quarter of a buffer, "
          f"{lost} counted as lost")
    claim(log.lost(evl.LOST_FULL) >= said["nobufs"], "small: nothing else")

    log, said, missing, sizes = check(directory, "lossy")
    lost = log.lost()
    claim(lost == log.lost(evl.LOST_FULL) == said["nobufs"] >= missing > 0,
          f"lossy: {said['nobufs']} were refused, {lost} counted as lost, {missing} of them "
          "with a number")

    said = read_said(os.path.join(directory, "filtered.txt"))
    found = read_log(evl.Log(os.path.join(directory, "filtered.evl")))[0]
    logged = {place: sum(map(len, by_cpu.values())) for place, by_cpu in found.items()}
    claim(logged == {1: 0, 2: said[2]["ok"], 3: 0} and logged[2] > 100,
          f"filtered: {logged} logged by place, of 2 alone {said[2]['ok']} were accepted")
    finish()


main()
