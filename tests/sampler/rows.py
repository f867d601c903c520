#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""rows.py CSV <DUMP - compares the number of rows in the table sample with dump's records"""

import collections
import csv
import json
import sys

STATES = {"R": "Running", "+": "R"}


def main(path):
    told = collections.Counter()
    for line in sys.stdin:
        record = json.loads(line)
        if record["event"] == "event" and record["fields"]["id_name"] == "sampler_task":
            task = record["fields"]["payload"]
            state = STATES.get(task["state"], task["state"])
            told[task["pid"], task["cpu"], state, task["prio"]] += 1
    rows = {(int(pid), int(cpu), state, int(prio)): int(count)
            for pid, cpu, state, prio, count in list(csv.reader(open(path)))[1:]}
    for key in sorted(set(told) ^ set(rows)) or sorted(k for k in told if told[k] != rows[k]):
        print(f"{key}: {told.get(key)} records, {rows.get(key)} rows", file=sys.stderr)
    return not told or rows != told


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
