#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tau_readers.py - compares the output of TAU's pprof and ParaProf with the profiles."""
import os
import re

from claims import expect, finish
from report import inclusive, near, read, read_tau


def paraprof(name):
    """{(node, context, thread): {function: (calls, incl., excl.)}}, {...: {event: numbers}}"""
    functions, events, at = {}, {}, None
    for line in open(name):
        word = line.rstrip("\n").split("\t")
        if word[0] == "Node":
            at = functions if word[3] == "Function" else events
        elif len(word) > 6 and at is functions:
            functions.setdefault(tuple(map(int, word[:3])), {})[word[3].rstrip()] = (
                float(word[4]), float(word[6]), float(word[7]))
        elif len(word) > 6:
            events.setdefault(tuple(map(int, word[:3])), {})[word[3].strip()] = tuple(map(float, word[4:9]))
    return functions, events


def pprof(name):
    """Returns {(node, context, thread): {function: {"excl": us, "incl": us, "call": count}}}."""
    functions = {}
    for line in open(name):
        match = re.match(r'(\d+),(\d+),(\d+) \d+ "(.*)" (excl|incl|call) (\S+) ', line)
        if match:
            place = tuple(map(int, match.groups()[:3]))
            functions.setdefault(place, {}).setdefault(match[4].rstrip(), {})[match[5]] = float(match[6])
    return functions


def places():
    """Returns {(node, context, thread): pid} from the files' metadata."""
    found = {}
    for file in os.listdir("tau"):
        place = tuple(map(int, file.split(".")[1:]))
        found[place] = int(read_tau(f"tau/{file}")[0]["tid"])
    return found


def name_of(path):
    return " => ".join((".TAU application",) + tuple(part.replace('"', "_").replace("=>", "_>")
                                                     for part in path)).rstrip()


def main():
    tasks, rows = {}, 0
    for name in "abr":
        tasks.update(read(name)[0])
    by_java, by_c = paraprof("paraprof.csv")[0], pprof("dumped")
    where = places()
    expect(f"all tasks: {where}", set(where.values()) == set(tasks))
    for place, pid in where.items():
        expect(f"{place} is in ParaProf and pprof", place in by_java and place in by_c)
        paths = {path[:k] for path in tasks[pid] for k in range(1, len(path) + 1)}
        for path in paths:
            count, own = tasks[pid].get(path, (0, 0))
            wanted = (count or 1, inclusive(tasks[pid], path) / 1000, own / 1000)
            java = by_java[place].get(name_of(path))
            expect(f"ParaProf: {pid} {path} {java}, profile {wanted}",
                   java and all(near(one, two, .01) for one, two in zip(java, wanted)))
            told = by_c[place].get(name_of(path), {})
            expect(f"pprof: {pid} {path} {told}, profile {wanted}",
                   near(told.get("incl", -9), wanted[1], .01) and near(told.get("excl", -9), wanted[2], .01))
            rows += 1
        whole = sum(row[1] for row in tasks[pid].values()) / 1000
        expect(f"{pid}: the application", near(by_java[place][".TAU application"][1], whole))
        known = {name_of(path) for path in paths} | {".TAU application"}
        more = {name for name in by_java[place] if " => " in name} - known
        expect(f"{pid}: more {more}", not more)
    # Count, least, largest, mean and standard deviation
    events = paraprof("values.csv")[1]
    got = sorted(numbers[:4] for each in events.values() for numbers in each.values())
    expect(f"ParaProf: values {events}", got == [(1, 9, 9, 9), (2, 2, 3, 2.5), (3, 50, 150, 100)])
    print(f"ParaProf and pprof: {len(where)} tasks, {rows} call paths")
    finish()


main()
