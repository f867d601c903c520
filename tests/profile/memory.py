#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""memory.py OUT - compares what profiles report of tasks and values without memory with the
allocations that the kernel refused, and with what the tasks did."""

import json
import sys

from claims import expect, finish


def numbers(words):
    """Returns {name: number} of "name number ..."."""
    return {words[i]: int(words[i + 1]) for i in range(0, len(words) - 1, 2)}


def main():
    out = sys.argv[1]

    # For all files and the start: each allocation failed once, and some were not vital.
    start = numbers(open(f"{out}/start").read().split())
    expect(f"start: {start}", start["failures"] > 20 and start["refused"] > 5 and start["done"] >= 3)
    for line in open(f"{out}/read"):
        name, *rest = line.split()
        told = numbers(rest)
        expect(f"{name}: {told}", told["failures"] > 1 and told["refused"] > 1 and
               told["done"] >= 3)

    lines = open(f"{out}/forks").read().splitlines()
    told = numbers(lines[0].split())
    children = {int(line.split()[1]) for line in lines[1:] if line.startswith("child")}
    listed = {int(line.split()[1]) for line in open(f"{out}/all") if line.startswith("task")}
    without = int(open(f"{out}/without").read())
    print(f"forks: {told['failures']} allocations failed, {told['refused']} forks were refused; "
          f"{len(children)} children, {len(children & listed)} have a profile, {without} are counted as "
          "without")
    expect(f"children: {len(children)}", len(children) == told["children"])
    expect("a fork goes on without a profile", without > 0)
    expect("each child has a profile, or is counted", len(children - listed) == without)
    expect("evtlog check --profile says how many", f"{without} task" in open(f"{out}/check").read())
    family = json.load(open(f"{out}/family.json"))
    expect(f"the family says {family['tasks_without']}", family["tasks_without"] == without)

    lines = open(f"{out}/call").read().splitlines()
    told = numbers(lines[0].split())
    paths = [line.split() for line in lines if line.startswith("  ")]
    calls = {path[0].split(">")[-1]: int(path[1]) for path in paths
             if path[0].startswith("user>syscall:") and path[0].count(">") == 1}
    rest = sum(int(path[1]) for path in paths if path[0].split(">")[-1] == "rest")
    print(f"without memory: {told['calls']} kinds of calls, {told['reads']} reads; {len(calls)} have a "
          f"path, rest {rest}")
    # In the profile itself, and in a block from before the shortage
    expect(f"{len(calls)} calls have a path, those of the others ({rest}) are the rest's",
           0 < rest and len(calls) <= 22 + 13)
    expect("there was no memory for more", len(calls) + rest >= told["calls"])
    missing = int(open(f"{out}/values").read())
    expect(f"{missing} values were not kept, and there were {told['reads']} reads",
           missing >= told["reads"])

    def pays(what):
        slab, more = ({int(line.split()[1][:-1]): int(line.split()[word])
                       for line in open(f"{out}/slab-{what}")} for word in (3, 5))
        print(f"{what}: a cgroup pays {slab[1] - slab[0]} bytes for {more[1]} of its profiles")
        return slab[1] - slab[0], more[1]

    # 8 processes have profiles of up to 5 KiB and sums of 7 KiB or more; others grow, too. The
    # kernel updates slab memory after a change of a page per CPU: values can be off by 8 KiB.
    paid, sums = pays("sums")
    expect("ended threads' sums are memory of their cgroup", sums > 8 * 12 * 1024 and paid > 8 * 7 * 1024)
    # 8 profiles of 2 KiB, and 7 KiB more each
    paid, blocks = pays("ticks")
    expect("what profiles get in interrupts is memory of their tasks' cgroup",
           blocks > 56 * 1024 and paid > 60 * 1024)
    finish()


if __name__ == "__main__":
    main()
