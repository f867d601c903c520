#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sync.py RUN DUMP INFO - the echo requests of a run, from evtlog dump --time real --json
# --type icmp_tx, stand as sync_peers says. A slow machine may skip some, never add any.
import json
import sys

run, dump = sys.argv[1], sys.argv[2]
with open(sys.argv[3], encoding="utf-8") as file:
    info = json.load(file)
echoes = []
with open(dump, encoding="utf-8") as file:
    for line in file:
        event = json.loads(line)
        if event["fields"]["type"] == 8:
            echoes.append(event)


def claim(right, what):
    if not right:
        sys.exit(f"{run}: {what}: {len(echoes)} echoes at {[round(t, 2) for t in times]}")


begin = info["start_real_ns"]
span = info["span_ns"] / 1e9
times = [(event["real_ns"] - begin) / 1e9 for event in echoes]
names = [event["fields"]["id"] << 16 | event["fields"]["seq"] for event in echoes]


def between(first, last):
    return sum(first <= time < last for time in times)


claim(times and times[0] < 0.5, "the first comes late")
claim(len(set(names)) == len(names), "two of the same name")
claim(all(b == (a + 1) % 2 ** 32 for a, b in zip(names, names[1:])), "names do not follow")
claim(all(event["fields"]["len"] == 8 for event in echoes), "more than a header")
if run == "again":
    print(f"{run}: {len(echoes)} echoes in {span:.1f} s")
    sys.exit()
after = times[0] + 0.6
before = span - 0.8 if run == "at-exit" else span
middle = before - after
# A burst is of 50, where 6 would be even. Who is late for even ones can't send all of it.
even = [time for time in times if after <= time < before]
late = max((b - a for a, b in zip(even, even[1:])), default=1) > 0.15
burst = 9 if late else 20
claim(burst <= between(0, after) <= 62, "no burst at the begin")
claim(0.4 * 10 * middle <= between(after, before) <= 10 * middle + 2, "not 10 a second")
if run == "at-exit":
    claim(burst <= between(before, span) <= 60, "no burst at the end")
print(f"{run}: {len(echoes)} echoes in {span:.1f} s")
