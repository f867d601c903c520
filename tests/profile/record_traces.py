#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""record_traces.py OUT - compares traces with the tasks' own counts and with the profiles."""

import glob
import json
import sys

from claims import expect, finish

def told(path):
    """Returns the counts of getppid() and of tasks of each family."""
    families = [line.split() for line in open(path) if line.startswith("getppid")]
    return [(int(word[1]), int(word[5])) for word in families]

def whole(out):
    files = [json.load(open(name)) for name in sorted(glob.glob(f"{out}/traces/trace-*.json"))]
    profiles = [json.load(open(name)) for name in sorted(glob.glob(f"{out}/traces/profile-*.json"))]
    expect("at least five files", len(files) >= 5)
    expect("of the same periods", [(file["begin"], file["end"]) for file in files] ==
           [(file["begin"], file["end"]) for file in profiles])
    tasks = {}
    for number, file in enumerate(files):
        expect("no trace is lost", file["traces_lost"] == 0)
        for trace in file["traces"]:
            task = tasks.setdefault(trace["pid"], {"events": [], "ended": [], "files": []})
            task["events"] += trace["events"]
            task["ended"].append(trace["has_ended"])
            task["files"].append(number)
            task["comm"], task["written"] = trace["comm"], trace["written"]
            expect(f"{trace['pid']}: nothing is overwritten", trace["overwritten"] == 0)
            expect(f"{trace['pid']}: what is shown is new", trace["events"] or trace["has_ended"])
    for pid, task in tasks.items():
        ticks = [event["ticks"] for event in task["events"]]
        expect(f"{pid}: in order", ticks == sorted(ticks))
        expect(f"{pid}: {len(ticks)} of {task['written']}, each once", len(ticks) == task["written"])
        expect(f"{pid}: ends once", sum(task["ended"]) <= 1 and not any(task["ended"][:-1]))
    families = told(f"{out}/traces.family")
    calls = [event for task in tasks.values() if task["comm"] == "family" for event in task["events"]
             if event["kind"] == "enter" and event["event"] == "getppid()"]
    print(f"traces: {len(files)} files, {len(tasks)} tasks, {len(calls)} getppid() of {families}")
    expect("three families", len(families) == 3)
    expect("each getppid() is there once", len(calls) == sum(family[0] for family in families))
    expect("each task", sum(task["comm"] == "family" for task in tasks.values()) ==
           sum(family[1] for family in families))
    pid = int(open(f"{out}/traces.pid").read())
    expect("the first is in each file", len(tasks[pid]["files"]) >= len(files) - 2)

    left = json.load(open(f"{out}/traces.left"))
    expect(f"only another's is left: {[trace['pid'] for trace in left]}",
           [trace["pid"] for trace in left if not trace["has_ended"]] == [1] and
           not tasks.keys() & {trace["pid"] for trace in left})
    expect("another's is not shown", 1 not in tasks)

def main():
    out = sys.argv[1]
    whole(out)
    names = [name.rpartition("/")[2].split("-")[0] for name in glob.glob(f"{out}/small/*")]
    expect(f"of each prefix one is kept: {names}", sorted(names) == ["profile", "trace"])
    text = open(glob.glob(f"{out}/small/trace-*")[0]).read()
    tables = [sum(line.split()[1:2] in (["0"], ["1"]) for line in table.split("\n"))
              for table in text.split("\n\n")[1:]]
    print(f"small: {len(tables)} traces, {max(tables)} events at most")
    expect("small: as many as are kept", max(tables) == 16)
    expect("small: says what was overwritten", "events before these were overwritten" in text)
    said = open(f"{out}/dropped.said").read()
    expect(f"dropped: {said}", "were dropped before they were read" in said and
           said.endswith("\n4\n"))
    lost = [int(open(name).readline().split()[4]) for name in glob.glob(f"{out}/dropped/trace-*")]
    tasks = sum(family[1] for family in told(f"{out}/traces.told"))
    print(f"dropped: {lost} of {tasks}")
    # One trace is kept. Tasks that ended between two readings after they were read are reported.
    expect("dropped: as many as were not read", 0 < sum(lost) <= tasks)
    refused = open(f"{out}/traces.refused").read()
    expect(f"refused: {refused}", "--traces is for --pid or --cgroup" in refused)
    finish()

main()
