#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""counters.py - the counters of an OTF2 archive are those of `evtlog stat --interval`.

Usage: counters.py ARCHIVE EVTLOG LOG INTERVAL

ARCHIVE was written with the same INTERVAL. Compares switches, migrations, forks and exits of each
CPU and interval. An archive omits intervals in which all of them are 0.
"""
import json
import re
import subprocess
import sys

import otf2
from otf2 import events

NAMES = {"switches": "switches", "migrations": "migrations_in", "forks": "forks", "exits": "exits"}


def of_stat(evtlog, log, interval):
    done = subprocess.run([evtlog, "stat", "--interval", interval, "--json", log],
                          stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"counters.py: evtlog stat exits {done.returncode}")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {(row["to_ns"], cpu["cpu"]): {name: cpu[key] for name, key in NAMES.items()}
            for row in rows for cpu in row["hosts"][0]["cpus"]}


def of_archive(path):
    counters = {}
    with otf2.reader.open(path + "/traces.otf2") as trace:
        begin = trace.definitions.clock_properties.global_offset
        for location, event in trace.events:
            if not isinstance(event, events.Metric):
                continue
            cpu = int(re.search(r"cpu (\d+) ", location.name).group(1))
            values = dict(zip([member.name for member in event.metric.members], event.values))
            counters[event.time - begin, cpu] = {name: values[name] for name in NAMES}
    return counters


def main():
    archive, evtlog, log, interval = sys.argv[1:]
    wanted, got = of_stat(evtlog, log, interval), of_archive(archive)
    for key in sorted(set(wanted) | set(got)):
        default = dict.fromkeys(NAMES, 0)
        values = wanted.get(key, default)
        # stat shows null if nothing is known of the CPU in this interval.
        values = {name: value or 0 for name, value in values.items()}
        if values != got.get(key, default):
            sys.exit(f"counters.py: CPU {key[1]} until {key[0]} ns: archive {got.get(key)}, "
                     f"stat {wanted.get(key)}")
    print(f"counters of {len(got)} intervals and CPUs are equal")


main()
