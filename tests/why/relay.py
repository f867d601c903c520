#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""relay.py DIR - evtlog why --path finds what the processes of relay.c did, with the times that they printed"""
import collections
import json
import os
import subprocess
import sys

from claims import check, claim, expect, finish

EVTLOG, FOLDER = os.environ["EVTLOG"], sys.argv[1]
LOG = f"{FOLDER}/relay.evl"
SLACK_NS = 400_000      # of a process: system calls, switches, interrupts


def output(*args):
    return subprocess.run([EVTLOG, *args], capture_output=True, text=True, check=True).stdout


def main():
    with open(f"{FOLDER}/relay.json", encoding="ascii") as file:
        rounds = [json.loads(line) for line in file]
    begin = int(output("query", "--csv", "SELECT begin_ts FROM run", LOG).split()[1])
    readies = 0
    for number, truth in enumerate(rounds):
        at = (truth["from"] + truth["to"]) // 2 - begin
        path = json.loads(output("why", "--path", "--json", f"{truth['pid']}@{at // 10**9}.{at % 10**9:09}", LOG))
        ns = collections.Counter()
        for share in path["shares"]:
            ns[share["kind"], share["pid"]] += share["ns"]
        say = f"round {number}: {truth}, {path['shares']}"
        expect(f"{say}: the sum", sum(ns.values()) == path["ns"])
        expect(f"{say}: something is unknown", not [kind for kind, _ in ns if kind == "unknown"])
        expect(f"{say}: the whole wait", abs(truth["to"] - truth["from"] - path["ns"]) < SLACK_NS)
        for stage in truth["stages"]:
            expect(f"{say}: {stage} runs", -1000 <= ns["run", stage["pid"]] - stage["work_ns"] < SLACK_NS)
            blocked = ns["blocked", stage["pid"]]
            expect(f"{say}: {stage} sleeps",
                   0 <= blocked - stage["sleep_ns"] < SLACK_NS if stage["sleep_ns"] else not blocked)
        pids = [piece["pid"] for piece in path["pieces"] if piece["kind"] == "run" and piece["ns"] > 100_000]
        order = [pid for pid, last in zip(pids, [None] + pids) if pid != last]
        expect(f"{say}: the order {order}", order == [stage["pid"] for stage in truth["stages"]])
        readies += sum(ns[key] > 100_000 for key in ns if key[0] == "ready")
    check(len(rounds) > 5, "there are few rounds")
    claim(readies > 0, f"{len(rounds)} rounds, {readies} waits for a CPU")
    finish()


main()
