#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""profile.py OUT - checks a wait that has not ended, and functions that nest with other events."""

import glob
import json
import sys

from claims import expect, finish


def main():
    out = sys.argv[1]
    slept = []
    for name in (f"{out}/asleep", *glob.glob(f"{out}/asleep-period/*")):
        file = json.load(open(name))
        slept += [(path["count"], path["inclusive_ticks"] / file["ticks_hz"])
                  for profile in file["profiles"] if profile.get("pid")
                  for path in profile["paths"] if path["path"] == "user>syscall:230>interruptible"]
    print("asleep (count, s):", slept)
    expect("asleep for a while, and for a period", len(slept) == 2 and
           0.4 < slept[0][1] < 5 and 0.8 < slept[1][1] < 2)
    expect("its wait has not ended", not any(count for count, _ in slept))
    paths = {tuple(path["path"].split(">")): path["count"]
             for path in json.load(open(f"{out}/timer.json"))["paths"]}
    sent = sum(count for path, count in paths.items() if path[-1] == "function:udp_sendmsg")
    received = [path for path in paths if path[-1] == "function:udp_rcv"]
    print("udp_rcv:", *(">".join(path) for path in received), sep="\n  ")
    expect(f"udp_sendmsg: {sent} of 100", sent == 100)
    expect("udp_rcv is in the softirq NET_RX in udp_sendmsg in a system call",
           any(path[:2] == ("user", "syscall:44") and "function:udp_sendmsg" in path and
               path[-2] == "softirq:3" for path in received))
    finish()


main()
