#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""go_pprof.py NAME... - compares go tool pprof's output with the profiles NAME.prof."""
import re
import sys

from claims import expect, finish
from report import near, read


def samples_of(path):
    """Returns [(numbers, stack from the outermost on, labels)] from the output of -raw."""
    samples, names, part = [], {}, None
    for line in open(path):
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


def main():
    tasks, names, found = {}, {}, {}
    for name in sys.argv[1:]:
        tasks.update(read(name)[0])
        for line in open(f"{name}.prof"):
            if line.startswith("task "):
                names[int(line.split()[1])] = line.split(None, 7)[7].strip()
    for numbers, stack, labels in samples_of("raw"):
        pid = int(labels["tid"])
        found[pid, stack[1:]] = numbers
        expect(f"{stack[0]} is the task's name", stack[0] == f"{names[pid]}-{pid}")
    print(f"go tool pprof: {len(found)} samples")
    for pid, rows in tasks.items():
        for path, (count, spent) in rows.items():
            # pprof omits samples of zeros.
            got = found.pop((pid, path), (0, 0))
            expect(f"raw: {pid} {path}: {got}, profile {count} {spent:.0f}",
                   got[0] == count and near(got[1], spent))
    expect(f"raw: more {found}", all(numbers == (0, 0) for numbers in found.values()))
    # sock_sent, sock_sent_count, udp_queue, udp_queue_count
    values = {stack[0]: numbers[2:] for numbers, stack, _ in samples_of("raw.values") if any(numbers[2:])}
    expect(f"values: {values}", values == {"v-7": (300, 3, 5, 2), "w-8": (9, 1, 0, 0)})
    finish()


main()
