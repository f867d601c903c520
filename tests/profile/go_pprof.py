#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""go_pprof.py NAME... - compares go tool pprof's output with the profiles NAME.prof."""
import re
import sys

from claims import expect, finish
from report import near, read


def raw():
    """Returns [(numbers, stack from the outermost on, labels)] from -raw."""
    samples, names, part = [], {}, None
    for line in open("raw"):
        line = line.rstrip("\n")
        if line in ("Samples:", "Locations", "Mappings"):
            part = line
        elif part == "Samples:" and re.match(r" +\d", line):
            numbers, places = line.split(":")
            samples.append((tuple(map(int, numbers.split())), tuple(map(int, places.split())), {}))
        elif part == "Samples:" and line.startswith("                "):
            samples[-1][2].update(re.findall(r"(\w+):\[(.*?)\](?= |$)", line))
        elif part == "Locations":
            number, name = re.match(r" +(\d+): 0x0 (?:M=\d+ )?(.*) \S+:0 s=0(?:\(.*\))?$", line).groups()
            names[int(number)] = name
    return [(numbers, tuple(names[place] for place in reversed(places)), labels)
            for numbers, places, labels in samples]


def number(text):
    return float(re.sub(r"(ns|B|bytes)?$", "", text))


def top(name):
    """Returns {function: (own, total)} from -top."""
    rows, begun = {}, False
    for line in open(name):
        if begun:
            own, _, _, whole, _, function = line.rstrip("\n").lstrip().split(None, 5)
            expect(f"{name}: {function} twice", function not in rows)
            rows[function] = (number(own), number(whole))
        begun = begun or line.split() == ["flat", "flat%", "sum%", "cum", "cum%"]
    return rows


def tree(name):
    """Returns {(caller, callee): time} from -tree, twice: by the caller, and by the callee."""
    above, below, block = {}, {}, []
    for line in list(open(name)) + ["---"]:
        if not line.startswith("---"):
            block.append(line.rstrip("\n"))
            continue
        heads = [k for k, each in enumerate(block)
                 if re.match(r" *\S+ +\S+% +\S+% +\S+ +\S+% +\| \S", each)]
        if len(heads) == 1:
            head = block[heads[0]].split("| ", 1)[1].strip()
            for k, each in enumerate(block):
                match = re.match(r" +(\S+) +\S+% \|   (.*)", each)
                if match and k < heads[0]:
                    above[(match[2], head)] = number(match[1])
                elif match:
                    below[(head, match[2])] = number(match[1])
        block = []
    return above, below


def model(samples, which):
    """Own and total sums of each function and each call, counted once per sample"""
    rows, edges = {}, {}
    for numbers, stack, _ in samples:
        for function in set(stack):
            row = rows.setdefault(function, [0, 0])
            row[1] += numbers[which]
        rows[stack[-1]][0] += numbers[which]
        for edge in set(zip(stack, stack[1:])):
            if edge[0] != edge[1]:
                edges[edge] = edges.get(edge, 0) + numbers[which]
    return rows, edges


def check_raw(samples, tasks, names):
    found = {}
    for numbers, stack, labels in samples:
        found[(int(labels["tid"]), stack[1:])] = numbers
        expect(f"{stack[0]} is the task's name", stack[0] == f"{names[int(labels['tid'])]}-{labels['tid']}")
    for pid, rows in tasks.items():
        for path, (count, spent) in rows.items():
            # pprof omits samples of zeros.
            got = found.pop((pid, path), (0, 0))
            expect(f"raw: {pid} {path}: {got}, profile {count} {spent:.0f}",
                   got[0] == count and near(got[1], spent))
    expect(f"raw: more {found}", all(numbers == (0, 0) for numbers in found.values()))


def check_rows(name, rows, slack):
    got = top(name)
    for function, (own, whole) in rows.items():
        expect(f"{name}: {function}: {got.get(function)}, profile {own} {whole}",
               function in got and all(abs(one - two) <= slack * two + 1
                                       for one, two in zip(got[function], (own, whole))) or
               (own, whole) == (0, 0) and function not in got)
    expect(f"{name}: more {set(got) - set(rows)}", set(got) <= set(rows))
    return len(got)


def main():
    tasks, names = {}, {}
    for name in sys.argv[1:]:
        tasks.update(read(name)[0])
        for line in open(f"{name}.prof"):
            if line.startswith("task "):
                names[int(line.split()[1])] = line.split(None, 7)[7].strip()
    samples = raw()
    check_raw(samples, tasks, names)
    shown = 0
    for which, what in ((1, "time"), (0, "calls")):
        rows, edges = model(samples, which)
        # pprof prints five digits of large numbers.
        shown += check_rows(f"top.{what}", rows, 1e-4)
        for who, got in zip(("callers", "callees"), tree(f"tree.{what}")):
            for edge, spent in edges.items():
                expect(f"tree.{what}, {who}: {edge}: {got.get(edge)}, profile {spent}",
                       abs(got.get(edge, 0) - spent) <= 1e-4 * spent + 1)
            expect(f"tree.{what}, {who}: more {set(got) - set(edges)}", set(got) <= set(edges))
            shown += len(got)
    one = [sample for sample in samples if sample[2]["tid"] == "101"]
    check_rows("top.one", model(one, 1)[0], 1e-4)
    expect(f"values: {top('top.sent')}", {name: row for name, row in top("top.sent").items() if row[1]} ==
           {"v-7": (300, 300), "w-8": (9, 9)})
    expect(f"values: {top('top.queue')}", {name: row for name, row in top("top.queue").items() if row[1]} ==
           {"v-7": (2, 2)})
    print(f"go tool pprof: {len(samples)} samples, {shown} rows")
    finish()


main()
