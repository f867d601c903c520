#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sums.py LOG DIFF - counts and sums of evtlog diff, in the JSON file DIFF, are those of SQL over LOG, side A"""
import json
import os
import subprocess
import sys

from claims import claim, expect, finish

EVTLOG, LOG = os.environ["EVTLOG"], sys.argv[1]
SQL = {
    "runs": "SELECT name, count(*), sum(dur) FROM sched_slice JOIN thread USING (utid) WHERE utid <> 0 AND NOT cut GROUP BY name",
    "ready": "SELECT name || ': ready', count(*), sum(wait_dur) FROM sched_slice JOIN thread USING (utid) "
             "WHERE wait_dur IS NOT NULL AND utid <> 0 GROUP BY name",
    "blocked": "SELECT name || ': blocked ' || prior_state, count(*), sum(sleep_dur) FROM sched_slice "
               "JOIN thread USING (utid) WHERE sleep_dur IS NOT NULL GROUP BY name, prior_state",
    "irq": "SELECT 'irq ' || irq || coalesce(' ' || name, ''), count(*), sum(dur) FROM irq_slice WHERE NOT cut GROUP BY 1",
    "softirq": "SELECT 'softirq ' || name, count(*), sum(dur) FROM softirq_slice WHERE NOT cut GROUP BY name",
    "vector": "SELECT 'vector ' || name, count(*), sum(dur) FROM vector_slice WHERE NOT cut GROUP BY name",
    "switches": "SELECT 'switches', count(*), 0 FROM sched_slice WHERE end_state IS NOT NULL",
}


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        sources = {source["name"]: source["a"] for source in json.load(file)["sources"]}
    wanted = {}
    for sql in SQL.values():
        done = subprocess.run([EVTLOG, "query", "--json", f"SELECT * FROM ({sql.replace('count(*)', 'count(*) AS n', 1)})", LOG],
                              capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            name, count, total = json.loads(line).values()
            wanted[name] = count, total
    for name, (count, total) in wanted.items():
        mine = sources.get(name)
        expect(f"{name}: {mine} instead of {count}, {total} ns",
               mine and mine["count"] == count and abs(mine["total_ns"] - total) < 1)
    expect(f"no source of the log: {set(sources) - set(wanted)}", set(sources) <= set(wanted))
    claim(len(wanted) > 20, f"{len(wanted)} sources")
    finish()


main()
