#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""states.py LOG - the view thread_state_time has the times of a naive model of LOG, made from evtlog dump

For each task and state the model lists all durations whose begin and end are events. Percentiles are those of these
lists. All states of a thread, with the unknown time, fill its life. EVTLOG is the program. LOG has no losses.
"""
import collections
import decimal
import json
import math
import os
import subprocess
import sys

from claims import check, claim, expect, finish

EVTLOG, LOG = os.environ["EVTLOG"], sys.argv[1]
LETTERS = {"S": "sleeping", "D": "disk sleep", "T": "stopped", "t": "stopped", "P": "parked", "I": "idle"}


def output(*args):
    return subprocess.run([EVTLOG, *args, LOG], capture_output=True, text=True, check=True).stdout


def rows(sql):
    return [json.loads(line) for line in output("query", "--json", sql).splitlines()]


def model():
    times = collections.defaultdict(list)   # (pid, state): durations
    since = {}                              # pid: (state, since)

    def change(pid, state, at):
        if pid in since and since[pid][0]:
            times[pid, since[pid][0]].append(at - since[pid][1])
        since[pid] = state, at

    for line in output("dump", "--json").splitlines():
        event = json.loads(line, parse_float=decimal.Decimal)
        at, fields = int(event["time"] * 10**9), event.get("fields", {})
        # It runs since an unknown time.
        since.setdefault(event["current_pid"], (None, at))
        if event["event"] == "sched_switch":
            prev, pid, state = event["current_pid"], fields["next_pid"], fields["prev_state"]
            if prev:
                change(prev, {"R": "yielded", "+": "preempted"}.get(state, LETTERS.get(state)), at)
            if pid:
                change(pid, "running", at)
        elif event["event"] == "sched_waking" and (fields["pid"] not in since or
                                                   since[fields["pid"]][0] in LETTERS.values()):
            change(fields["pid"], "woken", at)
        elif event["event"] == "sched_wakeup_new":
            change(fields["pid"], "woken", at)
    return times


def rank(durations, share):
    return sorted(durations)[math.ceil(share * len(durations)) - 1]


def main():
    times = model()
    tids = collections.Counter(row["tid"] for row in rows("SELECT tid FROM thread"))
    seen = set()
    for row in rows("SELECT v.*, tid FROM thread_state_time v JOIN thread USING (utid) WHERE utid <> 0"):
        key = row["tid"], row["state"]
        if tids[row["tid"]] > 1 or row["state"] in ("unknown", "dead"):
            continue
        mine = times.get(key, [])
        expect(f"{key}: {row['count']} instead of {len(mine)} or more", row["count"] >= len(mine))
        if not mine:
            expect(f"{key}: {row} without a complete duration", row["p50"] is None)
            continue
        seen.add(key)
        got = [row[name] for name in ("p50", "p90", "p99")]
        expect(f"{key}: {got} are not the percentiles of {sorted(mine)}",
               got == [rank(mine, share) for share in (0.5, 0.9, 0.99)])
        expect(f"{key}: the sum {row['dur']}", row["dur"] >= sum(mine) and row["max_dur"] >= max(mine))
    missing = {key for key in times if key[1] and tids[key[0]] == 1} - seen
    expect(f"not in the view: {missing}", not missing)
    lives = rows("""SELECT tid, sum(dur) AS known, max(coalesce(t.end_ts, r.end_ts) - coalesce(t.start_ts, r.begin_ts)) AS life
                    FROM thread_state_time v JOIN thread t USING (utid) JOIN run r ON r.host = t.host
                    WHERE utid <> 0 GROUP BY utid""")
    for row in lives:
        # A thread runs and is dead for a short time after its exit.
        expect(f"the states of {row} do not fill its life", row["known"] >= row["life"])
    idle = rows("SELECT sum(dur) AS ns FROM thread_state_time WHERE utid = 0 AND state = 'idle'")[0]["ns"]
    expect("idle time", idle == rows("SELECT sum(dur) AS ns FROM sched_slice WHERE utid = 0")[0]["ns"])
    kinds = {kind for _, kind in seen}
    check({"running", "woken", "preempted", "sleeping"} <= kinds, f"only {kinds}")
    claim(True, f"{len(seen)} states of threads, {len(lives)} threads: {sorted(kinds)}")
    finish()


main()
