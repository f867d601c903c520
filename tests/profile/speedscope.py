#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""speedscope.py SAVED FILE.prof... - compares speedscope's result with the profiles: the own time
of each path of each task.
"""
import json
import sys

from claims import expect, finish
from report import near, read


def exclusive_of(saved):
    """Returns {path: ns} of its evented profile, in which nested frames open and close."""
    names = [frame["name"] for frame in saved["shared"]["frames"]]
    profile, = saved["profiles"]
    expect(f"speedscope: {profile['type']}, {profile['unit']}",
           (profile["type"], profile["unit"]) == ("evented", "nanoseconds"))
    sums, stack, last = {}, [], profile["startValue"]
    for event in profile["events"]:
        if stack:
            sums[tuple(stack)] = sums.get(tuple(stack), 0) + event["at"] - last
        last = event["at"]
        if event["type"] == "O":
            stack.append(names[event["frame"]])
        else:
            expect(f"speedscope: {event} closes {stack}", stack.pop() == names[event["frame"]])
    expect(f"speedscope: {stack} is left open", not stack)
    return sums


def main():
    tasks = {}
    for name in sys.argv[2:]:
        tasks.update(read(name.removesuffix(".prof"))[0])
    found = exclusive_of(json.load(open(sys.argv[1])))
    paths = 0
    for pid, rows in tasks.items():
        mine = {path[1:]: ns for path, ns in found.items() if path[0].endswith(f"-{pid}")}
        for path, (_, spent) in rows.items():
            ns = mine.pop(path, 0)
            paths += ns > 0
            expect(f"speedscope: {pid}: {path}: {ns} ns, profile {spent:.0f}", near(ns, spent))
        expect(f"speedscope: {pid}: more {mine}", not any(mine.values()))
    labels = {path[0] for path in found}
    expect(f"speedscope: {labels} are not {len(tasks)} tasks", len(labels) == len(tasks))
    print(f"speedscope: {len(tasks)} tasks, {paths} paths with a time of their own, "
          f"{sum(found.values())} ns")
    finish()


main()
