#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks filter.sh's output: for each CPU and place exactly the accepted records."""
import collections
import pathlib
import sys

import evl

HEAD = 16
out = pathlib.Path(sys.argv[1])


def bytes_of(sequence, place):
    """Returns the size as in the module; 0 if the record is shorter than its first fields."""
    mixed = (sequence * 2654435761 + place * 40503 & 2 ** 64 - 1) >> 7
    return 0 if mixed % 16 == 1 else HEAD


def records(name):
    """Returns the sequence numbers by CPU and place, and how many records have no fields."""
    log, found, short = evl.Log(out / f"{name}.evl"), collections.defaultdict(list), 0
    for cpu in log.cpus():
        for record in log.records(cpu):
            if log.name[record.type] != "event":
                continue
            payload = evl.payload(record)
            if len(payload) < HEAD:
                short += 1
                continue
            place = int.from_bytes(payload[4:8], "little")
            found[int.from_bytes(payload[:4], "little"), place].append(
                int.from_bytes(payload[8:16], "little"))
    evl.need(not log.lost(), f"{name}: {log.lost()} lost")
    return found, short


def filters(name):
    """Returns the lines of the event's format that contain a filter."""
    log, lines = evl.Log(out / f"{name}.evl"), set()
    for cpu in log.cpus():
        for record in log.records(cpu):
            if log.name[record.type] == "event_format":
                text = evl.payload(record).decode()
                if text.startswith("sample\n"):
                    lines.update(text.split("\n")[2:])
    return {line for line in lines if line}


def check(name, accepts, has_short, places):
    found, short = records(name)
    evl.need(bool(short) == has_short, f"{name}: {short} records without fields")
    evl.need({place for _, place in found} == places, f"{name}: places {found.keys()}")
    for (cpu, place), sequence in found.items():
        wanted = [n for n in range(sequence[0], sequence[-1] + 1)
                  if bytes_of(n, place) and accepts(place, n)]
        evl.need(sequence == wanted, f"{name}: CPU {cpu}, place {place}: {len(sequence)} of "
                 f"{len(wanted)}: {sorted(set(sequence) ^ set(wanted))[:9]}")
        print(f"{name}: CPU {cpu}, place {place}: {len(sequence)} records, from {sequence[0]} to "
              f"{sequence[-1]}")


EVERYWHERE = {1, 2, 3}
check("all", lambda place, n: True, True, EVERYWHERE)
check("some", lambda place, n: n & 3 == (2 if place == 2 else 1), False, EVERYWHERE)
check("hard", lambda place, n: place == 3, False, {3})
check("swapped", lambda place, n: place == 2, False, {2})
check("again", lambda place, n: True, True, EVERYWHERE)
check("new", lambda place, n: True, True, EVERYWHERE)
SOME = "(place!=2 && (sequence&3)==1) || (place==2 && (sequence&3)==2)"
for run, wanted in (("all", set()), ("some", {"filter " + SOME}), ("hard", {"filter place in {3}"}),
                    ("again", set()), ("new", set())):
    evl.need(filters(run) == wanted, f"{run}: the log tells {filters(run)}")
evl.need(f"recorded only if {SOME}" in (out / "some.stat").read_text(), "evtlog stat does not tell")
line = (out / "filters").read_text().split()
evl.need(line[0] == "sample" and int(line[-1]) > 100, f"listed: {line}")
