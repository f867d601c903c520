#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""nmi-row.py DIRECTORY - the NMIs of the loop are a row of the report"""
import csv
import glob
import json
import os
import sys

import boundary
import samples
from boundary import claim

directory = sys.argv[1]


def number(name):
    with open(os.path.join(directory, name)) as file:
        return int(file.read())


file = samples.Samples(os.path.join(directory, "logged.samples"))
thread = file.threads[0]
log = boundary.Boundary(glob.glob(os.path.join(directory, "*.evl"))[0])
# (last begin, ticks, count) of the NMIs before an exit
told = [(i.nmi[2], i.nmi[1], i.nmi[0]) for i in log.intervals[thread.cpu]
        if i.nmi and i.exit_pid == thread.pid and thread.begin <= i.nmi[2] <= thread.end]
with open(os.path.join(directory, "report.json")) as report:
    rows = [row for row in json.load(report)["sources"] if row["name"] == "NMI"]
with open(os.path.join(directory, "parts.csv"), newline="") as table:
    parts = [row for row in csv.DictReader(table) if row["source"] == "NMI"]
counted = number("after") - number("before")
held = sum(count for _, _, count in told)
claim(counted >= 60, f"{counted} NMIs came to the CPU by /proc/interrupts")
# Some interrupt the kernel instead of the loop.
claim(counted // 4 <= held <= counted, f"{held} of them in the loop, by the log")
# If several NMIs came between two exits, only their sum is known: their samples are excluded, and
# the NMI just before them.
alone = [(last, ticks) for last, ticks, count in told if count == 1]
listed = [(int(part["start_ticks"]), int(part["own_ticks"])) for part in parts]
several = len(told) - len(alone)
claim(len(rows) == 1 and rows[0]["count"] == len(listed) and not rows[0]["inferred"] and
      len(alone) - several <= len(listed) <= len(alone),
      f"the row has {rows[0]['count'] if rows else 0}, {len(alone)} records tell of one, "
      f"{several} of several")
claim(rows and rows[0]["total_ticks"] == sum(ticks for _, ticks in listed),
      f"{rows[0]['total_ticks'] if rows else 0} ticks in all")
claim([nmi for nmi in alone if nmi in listed] == listed, "each when it was, and as long")
seen = sum(begin <= last and last + ticks <= end for last, ticks, count in told
           for begin, end, _ in file.over_threshold(thread) if count == 1)
claim(seen == len(alone) and len(alone) > 10,
      f"{seen} of {len(alone)} that came alone lie in a sample")
boundary.finish()
