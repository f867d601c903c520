#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sync.py RUN DUMP INFO - checks that a run's echo requests, from evtlog dump --time real --json
# --type icmp_tx, are sent at the times of sync_peers.
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


claim(times and times[0] < 0.1, "the first comes late")
claim(len(set(names)) == len(names), "two of the same name")
claim(all(b == (a + 1) % 2 ** 32 for a, b in zip(names, names[1:])), "names do not follow")
claim(all(event["fields"]["len"] == 8 for event in echoes), "more than a header")
if run == "again":
    print(f"{run}: {len(echoes)} echoes in {span:.1f} s")
    sys.exit()
# A burst has 50 echoes in 0.5 s; the even rate gives 5.
after = times[0] + 0.5
before = span - 0.5 if run == "at-exit" else span
claim(48 <= between(0, after) <= 51, "no burst at the begin")
claim(abs(between(after, before) - 10 * (before - after)) <= 2, "not 10 a second")
claim(run != "at-exit" or 48 <= between(before, span) <= 51, "no burst at the end")
print(f"{run}: {len(echoes)} echoes in {span:.1f} s")
