#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""profile.py OUT - compares profiles with the tasks' own counts and the kernel's accounting."""

import glob
import json
import sys

from claims import expect, finish, wrong

USER_TASK_WAITS = ("runqueue", "preempted", "interruptible", "uninterruptible", "io", "stopped")


def read(path):
    cpus, tasks, entry = {}, {}, None
    for line in open(path):
        word = line.split()
        if word[0] == "cpu":
            entry = {"begin": int(word[2]), "until": int(word[3]), "paths": {}}
            cpus[int(word[1])] = entry
        elif word[0] == "task":
            entry = {"born": int(word[3]), "off": int(word[4]), "unmatched": int(word[5]),
                     "ahead": int(word[6]), "comm": " ".join(word[7:]), "paths": {}}
            tasks[(int(word[1]), len(tasks) if word[1] == "0" else 0)] = entry
        elif word[0] == "ended":
            entry = {"paths": {}}
        elif line.startswith("  "):
            entry["paths"][tuple(word[0].split(">"))] = [int(value) for value in word[1:]]
    return cpus, tasks


def total(paths, which, column=2):
    return sum(sums[column] for path, sums in paths.items() if which(path))


def main():
    out = sys.argv[1]
    hz = int(open(f"{out}/hz").read().split()[1])
    cpus, tasks = read(f"{out}/stopped")
    expect("two CPUs", len(cpus) == 2)
    for number, cpu in cpus.items():
        elapsed = cpu["until"] - cpu["begin"]
        charged = total(cpu["paths"], lambda path: True)
        print(f"cpu {number}: {elapsed} ticks, {charged} charged, "
              f"idle {cpu['paths'].get(('idle',), [0] * 4)[2] / elapsed:.1%}")
        expect(f"cpu {number}: {charged} ticks charged of {elapsed}", charged == elapsed)
        expect(f"cpu {number}: lasts {elapsed / hz:.2f} s", 1.5 < elapsed / hz < 60)
    for (pid, _), task in tasks.items():
        if not task["born"]:
            continue
        charged = total(task["paths"], lambda path: True)
        end = task["off"]
        if end:
            expect(f"task {pid}: {charged} ticks charged of {end - task['born']}",
                   charged - task["ahead"] == end - task["born"])
    for i in range(1, 5):
        word = open(f"{out}/profiled.{i}").read().split()
        pid = int(word[1])
        told = {word[k]: int(word[k + 1]) for k in range(2, 12, 2)}
        run_ns, wait_ns = int(word[13]), int(word[14])
        task = tasks[(pid, 0)]
        paths = task["paths"]
        print(f"{task['comm']} {pid}: {len(paths)} paths")
        expect(f"{pid}: each path has a node",
               not any(path[-1] in ("rest", "waiting") for path in paths))

        def count(name):
            return total(paths, lambda path: path[-1] == name, 0)

        # getppid, nanosleep (clock_nanosleep), page faults
        expect(f"{pid}: getppid {count('syscall:110')}", count("syscall:110") == i * 1000)
        sleeps = count("syscall:35") + count("syscall:230")
        expect(f"{pid}: sleeps {sleeps}", sleeps == i * 20)
        expect(f"{pid}: signals {count('signal:10')}", count("signal:10") == i * 20)
        faults = count("exception:14")
        expect(f"{pid}: {faults} page faults, getrusage {told['faults']}",
               0 <= faults - told["faults"] < 100)
        blocked = count("interruptible") + count("uninterruptible") + count("io")
        expect(f"{pid}: blocked {blocked}, voluntary switches {told['voluntary']}",
               abs(blocked - told["voluntary"]) <= 2)
        expect(f"{pid}: preempted {count('preempted')}, involuntary switches {told['involuntary']}",
               abs(count("preempted") - told["involuntary"]) <= 2)
        running = total(paths, lambda path: path[-1] not in USER_TASK_WAITS) * 1e9 / hz
        waits = total(paths, lambda path: path[-1] in ("runqueue", "preempted")) * 1e9 / hz
        print(f"  ran {running / 1e6:.2f} ms, schedstat {run_ns / 1e6:.2f}; "
              f"waited {waits / 1e6:.2f} ms, schedstat {wait_ns / 1e6:.2f}")
        expect(f"{pid}: ran {running:.0f} ns, schedstat {run_ns}",
               abs(running - run_ns) < 0.1 * run_ns + 5e6)
        # schedstat's wait begins later: when the task is queued, not when its wake-up begins.
        expect(f"{pid}: waited {waits:.0f} ns, schedstat {wait_ns}",
               -0.1 * wait_ns - 5e6 < waits - wait_ns < 0.4 * wait_ns + 2e7)
        # The timer is armed some time before the task leaves its CPU, and interrupts can come in
        # between. Only the whole call takes at least 1 ms.
        within = total(paths, lambda path: path[1:2] in (("syscall:35",), ("syscall:230",)))
        expect(f"{pid}: {within / hz:.4f} s within {sleeps} sleeps of 1 ms", within / hz >= sleeps * 0.001)
        slept = total(paths, lambda path: path[-1] == "interruptible" and
                      path[1] in ("syscall:35", "syscall:230"))
        expect(f"{pid}: slept {slept / hz:.4f} s in {sleeps} sleeps of 1 ms",
               slept / hz >= sleeps * 0.0005)
    slept = [[path for path in profile["paths"] if path["path"] == "user>syscall:230>interruptible"][0]
             for file in (f"{out}/asleep", *glob.glob(f"{out}/asleep-period/*"))
             for profile in json.load(open(file))["profiles"] if profile.get("pid")]
    print("asleep:", slept)
    expect("asleep for a while, and for a period", len(slept) == 2 and
           0.4 < slept[0]["inclusive_ticks"] / hz < 5 and 0.8 < slept[1]["inclusive_ticks"] / hz < 2)
    expect("its wait has not ended", not any(path["count"] for path in slept))
    again, _ = read(f"{out}/again")
    for number, cpu in again.items():
        elapsed = cpu["until"] - cpu["begin"]
        expect(f"again, cpu {number}: {elapsed} ticks",
               total(cpu["paths"], lambda path: True) == elapsed and
               cpu["begin"] > cpus[number]["until"])
    paths = {tuple(path["path"].split(">")): path["count"]
             for path in json.load(open(f"{out}/timer.json"))["paths"]}
    sent = sum(count for path, count in paths.items() if path[-1] == "function:udp_sendmsg")
    received = [path for path in paths if path[-1] == "function:udp_rcv"]
    print("udp_rcv:", *(">".join(path) for path in received), sep="\n  ")
    expect(f"udp_sendmsg: {sent} of 100", sent == 100)
    expect("udp_rcv is in the softirq NET_RX in udp_sendmsg in a system call",
           any(path[:2] == ("user", "syscall:44") and "function:udp_sendmsg" in path and
               path[-2] == "softirq:3" for path in received))
    print(f"{len(tasks)} tasks, {len(wrong)} wrong")
    finish()


if __name__ == "__main__":
    main()
