#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""family.py OUT - compares a command's profile with what its tasks did, and with getrusage()."""

import json
import sys

from claims import expect, finish


def main():
    out = sys.argv[1]
    word = open(f"{out}/family").read().split()
    told = {word[i]: int(word[i + 1]) for i in range(0, 8, 2)}
    got = json.load(open(f"{out}/family.json"))
    hz = got["ticks_hz"]

    def count(number):
        return sum(p["count"] for p in got["paths"] if p["path"].split(">")[-1] == number)

    calls, sleeps = count("syscall:110"), count("syscall:35") + count("syscall:230")
    print(f"getppid {calls} of {told['getppid']}, sleeps {sleeps} of {told['sleeps']}, "
          f"tasks {got['tasks_ended']} of {told['tasks']}")
    expect("getppid", calls == told["getppid"])
    # The orphan's usleep() counts, too.
    expect("sleeps", sleeps == told["sleeps"] + 1)
    expect("tasks", got["tasks_ended"] + got["tasks_alive"] == told["tasks"])
    expect("none is ending, or without", not got["tasks_ending"] and not got["tasks_without"])
    expect(f"status {got['exit_status']}", got["exit_status"] == 7)
    expect("status of evtlog", open(f"{out}/family.status").read().strip() == "7")
    ran = (got["user_ticks"] + got["kernel_ticks"]) / hz * 1e6
    print(f"ran {ran:.0f} us, getrusage {told['ran_us']}, wall {got['wall_ns'] / 1e3:.0f} us")
    # getrusage() lacks the orphan, its parent, and work at exit.
    expect("ran", 0.95 * told["ran_us"] - 5e3 < ran < 1.3 * told["ran_us"] + 3e4)
    total = sum(p["exclusive_ticks"] for p in got["paths"])
    kinds = sum(value for key, value in got.items()
                if key.endswith("_ticks") and isinstance(value, int))
    expect("each tick is of one kind", total == kinds)
    nested = [json.load(open(f"{out}/{name}.json")) for name in ("outer", "inner")]
    inner, outer = nested
    inner, outer = nested[1], nested[0]
    expect("nested: a part", 0 < inner["user_ticks"] < outer["user_ticks"] and
           inner["tasks_ended"] < outer["tasks_ended"])
    expect("killed: 143", open(f"{out}/killed.status").read().strip() == "143")
    expect("no command: 127", open(f"{out}/none.status").read().strip() == "127")
    expect("off afterwards", open(f"{out}/after").read().strip() == "state off")
    finish()


main()
