#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""losses.py WHOLE DAMAGED TRUTH - what the tables of a damaged log show is true in the whole log

Rows that are not cut, and the waits and sleeps of slices, must be in the tables of the whole log. A
woken thread's wait must be in TRUTH, which make-log wrote. EVTLOG is the program.
"""
import json
import sys

from model import in_query

whole, damaged, truth = sys.argv[1:]
KNOWN = {
    "thread_wait": "ts, dur, tid, state, waker_utid IS NULL, irq_context FROM thread_wait JOIN thread USING (utid) "
                   "WHERE NOT cut",
    "thread_state": "ts, dur, tid, state FROM thread_state JOIN thread USING (utid) WHERE NOT cut",
    "waits of slices": "ts, cpu, tid, wait_dur FROM sched_slice JOIN thread USING (utid) WHERE wait_dur IS NOT NULL",
    "sleeps of slices": "ts, cpu, tid, sleep_dur FROM sched_slice JOIN thread USING (utid) "
                        "WHERE sleep_dur IS NOT NULL",
    "softirq_slice": "ts, dur, cpu, vec FROM softirq_slice WHERE NOT cut",
    "irq_slice": "ts, dur, cpu, irq FROM irq_slice WHERE NOT cut",
}


def rows(columns, log):
    return [tuple(row) for row in in_query(f"SELECT {columns}", [log])]


if not rows("* FROM loss WHERE lost_buffers > 0", damaged):
    sys.exit("losses.py: nothing is lost")
wrong = []
for what, columns in KNOWN.items():
    known, all_rows = rows(columns, damaged), rows(columns, whole)
    if len(known) > len(all_rows) or (all_rows and not known):
        sys.exit(f"losses.py: {what}: {len(known)} rows, {len(all_rows)} of the whole log")
    wrong += [f"{what}: {row}" for row in set(known) - set(all_rows)]
with open(truth) as file:
    waits = {task["pid"]: set(task["waits"]) for task in json.load(file)["tasks"]}
for tid, dur in rows("tid, dur FROM thread_wait JOIN thread USING (utid) "
                     "WHERE state = 'R' AND irq_context IS NOT NULL AND NOT cut", damaged):
    if tid in waits and dur not in waits[tid]:
        wrong.append(f"no wait of the truth: thread {tid}, {dur} ns")
if wrong:
    sys.exit(f"losses.py: {len(wrong)} rows are not so: " + "; ".join(sorted(wrong)[:5]))
