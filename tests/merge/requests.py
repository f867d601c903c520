#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares `evtlog stat --requests --json` with the file, read by evl.py.

Usage: requests.py JSON FILE
"""
import json
import sys

import evl

SCHED = 4
TOLERANCE_NS = 200  # for a counter's rate over some ms, and rounding


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        said = json.load(file)
    log = evl.Log(sys.argv[2])
    number = log.number
    requests, tasks, runs = [], {}, {}
    for cpu in log.cpus():
        first = log.buffers[cpu][0]
        runs[cpu] = [(first.begin_ticks, first.begin_pid)]
        for r in log.records(cpu):
            if r.type == number["sched_switch"]:
                runs[cpu].append((r.ticks, r.data & 0x3fffff))
            elif r.type == number["remote"] and (r.data & 255) == SCHED:
                requests.append((r.words[2] or r.ticks, r.words[1] & 0xffffffff, cpu,
                                 r.words[5]))
            elif r.type == number["remote_boost"]:
                tasks.setdefault(r.words[1] & 0xffffffff, set()).add(r.data & 0x3fffff)
    requests.sort()
    assert len(said["requests"]) == len(requests) > 1, \
        f"{len(said['requests'])} requests, not {len(requests)}"
    received_last = checked = ran = tied = refused = 0
    for claim, (receipt, request, received_on, duration) in zip(said["requests"], requests):
        assert claim["request"] == request and claim["rx_cpu"] == received_on
        members = tasks.get(request, set())
        assert claim["tasks"] == len(members), f"{claim['tasks']} tasks, not {members}"
        deadline = receipt + duration * log.ticks_hz // 10 ** 9
        times, running = {}, set()
        assert claim["refused"] == (not members), f"refused: {claim}"
        if not members:
            refused += 1
            assert not claim["cpus"] and claim["last_cpu"] is None, f"refused, but {claim}"
            continue
        for cpu, switches in runs.items():
            before = [pid for ticks, pid in switches if ticks <= receipt]
            if before and before[-1] in members:
                times[cpu] = 0
                running.add(cpu)
                continue
            for ticks, pid in switches:
                if receipt < ticks <= deadline and pid in members:
                    times[cpu] = (ticks - receipt) * 10 ** 9 // log.ticks_hz
                    break
        for of_cpu in claim["cpus"]:
            cpu, ns = of_cpu["cpu"], of_cpu["ns"]
            checked += 1
            if cpu not in times:
                assert ns is None and of_cpu["run"] == "never", f"{of_cpu} in {claim}"
                continue
            assert abs(ns - times[cpu]) <= TOLERANCE_NS, f"{of_cpu}, not {times[cpu]}: {claim}"
            assert (of_cpu["run"] == "running") == (cpu in running), f"{of_cpu} in {claim}"
            ran += cpu not in running
        if len(times) > 1:
            last = max(times, key=lambda cpu: (times[cpu], -cpu))
            if len(running) > 1 and len(running) == len(times):
                assert claim["last_cpu"] is None and claim["tied"], f"a tie has a last: {claim}"
                tied += 1
                continue
            if claim["last_cpu"] is None:
                assert claim["tied"]
                tied += 1
                continue
            assert claim["last_cpu"] == last or \
                abs(times[claim["last_cpu"]] - times[last]) <= TOLERANCE_NS
            received_last += claim["last_cpu"] == received_on
    assert said["rx_cpu_last"] == received_last
    assert said["tied"] == tied and said["refused"] == refused
    assert said["any_cpu_ns"]["count"] == ran, f"{said['any_cpu_ns']}, not {ran} times"
    assert refused == 1 and said["requests"][-1]["refused"], "no request was refused"
    assert not said["requests"][-2]["last_cpu"], "a sleeping group ran"
    assert ran, "every task ran already: nothing was measured"
    print(f"{len(requests)} requests, {checked} times, {ran} of them not 0, "
          f"{tied} ties are right")


main()
