#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""jitter_lengths.py DIRECTORY [cpu=N] [source=NAME] [family=NAME] - prints lengths of a report

DIRECTORY has the CSV tables of evtlog jitter report. Prints "SERIES NS" for each length, without
excluded rows. With a source or family: its parts, and the interruptions and samples that have such
a part.
"""
import csv
import sys

directory = sys.argv[1]
wanted = dict(word.split("=", 1) for word in sys.argv[2:] if word)


def table(name):
    with open(f"{directory}/{name}.csv", encoding="utf-8") as rows:
        return [row for row in csv.DictReader(rows)
                if row["excluded"] == "0" and wanted.get("cpu", row["cpu"]) == row["cpu"]]


parts = [row for row in table("parts")
         if wanted.get("source", row["source"]) == row["source"] and
         wanted.get("family", row["family"]) == row["family"]]
fits = {row["interruption"] for row in parts}
everything = not wanted.keys() & {"source", "family"}
for row in parts:
    print("part", row["own_ns"])
for row in table("interruptions"):
    if everything or row["interruption"] in fits:
        print("interruption", row["length_ns"])
for row in table("samples"):
    first = int(row["first_interruption"] or 0)
    own = {str(first + i) for i in range(int(row["interruptions"]))}
    if everything or own & fits:
        print("user", row["noise_ns"])
