#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""paths.py - checks the files of programs/paths.c here: the kernel's paths in regions."""
import glob
import re
import urllib.parse

from claims import expect, finish
from profile_text import lines

READING = "syscall:327"
GETPPID, SENDTO, RECVFROM, NANOSLEEP, WAIT4 = (f"syscall:{number}" for number in (110, 44, 45, 230, 61))
NET_RX = "softirq:3"


def read(path):
    """Header, [(tid, {regions: {path below: (count, incl., excl.)}})]; (): the region itself"""
    head, tasks = {}, []
    for line in lines(path):
        word = line.split()
        if line.startswith("task "):
            tasks.append((int(word[1]), {}))
        elif line.startswith("  "):
            names, below = [], []
            for event in word[0].split(">")[1:]:
                if event.startswith("region:"):
                    names.append(urllib.parse.unquote(event[7:]))
                else:
                    below.append(event)
            rows = tasks[-1][1].setdefault(tuple(names), {})
            expect(f"{path}: {line}", tuple(below) not in rows and max(map(int, word[1:])) < 1 << 62)
            rows[tuple(below)] = tuple(map(int, word[1:4]))
        else:
            head[word[0]] = word[1]
    return head, tasks


def count(rows, *path):
    return rows.get(path, (0, 0, 0))[0]


def check_sums(file, regions):
    """A region's time is the sum of all times within it, to the tick."""
    for names, rows in regions.items():
        within = sum(each[2] for at, other in regions.items() if at[:len(names)] == names for each in other.values())
        expect(f"{file}: {names}: {rows[()][1]} ticks, {within} in it", not names or rows[()][1] == within)


def kernel_profile(path):
    """Returns {path below user mode: (count, inclusive, exclusive)}."""
    return {tuple(word[0].split(">")[1:]): tuple(map(int, word[1:4]))
            for word in map(str.split, (line for line in lines(path) if line.startswith("  ")))}


def check_whole(file, regions):
    """For calls made only in regions, the regions and the kernel's profile are equal."""
    kernel, sums = kernel_profile(file + ".self"), {}
    for rows in regions.values():
        for path, numbers in rows.items():
            sums[path] = tuple(map(sum, zip(sums.get(path, (0, 0, 0)), numbers)))
    compared = 0
    for path in set(kernel) | set(sums):
        if not path or path[0] not in (GETPPID, SENDTO, RECVFROM, NANOSLEEP, WAIT4):
            continue
        mine, theirs = sums.get(path, (0, 0, 0)), kernel.get(path, (0, 0, 0))
        expect(f"{file}: {'>'.join(path)}: regions {mine}, the kernel {theirs}", mine == theirs)
        compared += theirs[0]
    print(f"{file}: {compared} events in {sum(map(len, regions.values()))} paths, as in the kernel's profile")
    expect("much was compared", compared > 150)


def main_file(name):
    """Returns the parent's file, and the child's."""
    files = sorted(file for file in glob.glob(f"{name}.[0-9]*") if re.fullmatch(rf"{name}\.\d+", file))
    parents = [file for file in files if ("main", "send") in read(file)[1][-1][1] or
               len(read(file)[1]) > 1]
    expect(f"{name}: {files}", len(files) == 2 and len(parents) == 1)
    return parents[0], [file for file in files if file not in parents][0]


def check(name, groups):
    """Checks a run with these groups."""
    parent, child = main_file(name)
    head, tasks = read(parent)
    expect(f"{name}: {head}", head["kernel"] == "yes" and len(tasks) == 2)
    for _, regions in tasks + read(child)[1]:
        check_sums(name, regions)
    pid = int(parent.rpartition(".")[2])
    main = dict(tasks)[pid]
    worker = next(regions for tid, regions in tasks if tid != pid)
    expect(f"{name}: regions {sorted(main)}", {names: rows[()][0] for names, rows in main.items() if names} == {
        ("main",): 1, ("main", "send"): 50, ("main", "receive"): 50, ("main", "calls"): 1, ("main", "sleeps"): 1,
        ("main", "outer"): 1, ("main", "outer", "calls"): 1, ("main", "outer", "send"): 5,
        ("main", "outer", "receive"): 5})
    for names, wanted in {("send",): {SENDTO: 50, READING: 50}, ("receive",): {RECVFROM: 50, READING: 50},
                          ("calls",): {GETPPID: 10, READING: 1}, ("sleeps",): {NANOSLEEP: 3, READING: 1},
                          ("outer",): {GETPPID: 1, READING: 12}, ("outer", "calls"): {GETPPID: 20, READING: 1},
                          ("outer", "send"): {SENDTO: 5, READING: 5},
                          ("outer", "receive"): {RECVFROM: 5, READING: 5}}.items():
        got = {path[0]: numbers[0] for path, numbers in main[("main",) + names].items()
               if len(path) == 1 and path[0].startswith("syscall:")}
        expect(f"{name}: {names}: system calls {got}, not {wanted}", got == wanted)
    sleeps = main[("main", "sleeps")]
    expect(f"{name}: sleeps {sleeps}", 1 <= count(sleeps, NANOSLEEP, "interruptible") <= 3 and
           sleeps[(NANOSLEEP,)][1] >= .015 * int(head["ticks_hz"]) > 0)
    expect(f"{name}: worker {worker}", count(worker[("work", "calls")], GETPPID) == 30)
    calls = next(rows for names, rows in read(child)[1][0][1].items() if names[-1:] == ("calls",))
    expect(f"{name}: child {calls}", count(calls, GETPPID) == 7)
    check_whole(name, main)
    send = main[("main", "send")]
    within = (SENDTO, "net:sock_sendmsg", "net:udp_sendmsg") if groups == "net" else (SENDTO,)
    for depth in range(1, len(within) + 1):
        expect(f"{name}: {within[:depth]}", count(send, *within[:depth]) == 50)
    received = count(send, *within, NET_RX)
    print(f"{name}: {received} of 50 messages are received in {' > '.join(within + (NET_RX,))}")
    expect("most are", 40 <= received <= 50)
    if groups == "net":
        expect(f"{name}: each message", sum(numbers[0] for rows in main.values() for path, numbers in rows.items()
                                            if path[-1:] == ("net:udp_rcv",)) == 55)
    expect(f"{name}: nothing is told by group", not any(path and path[0].startswith("group:")
                                                        for rows in main.values() for path in rows))
    check_report(parent, main, int(head["ticks_hz"]))


def check_report(file, regions, hz):
    folded = {}
    for line in open(file + ".folded"):
        stack, _, ns = line.rstrip("\n").rpartition(" ")
        folded[tuple(stack.split(";")[1:])] = int(ns)
    events = {SENDTO: "sendto()", RECVFROM: "recvfrom()", GETPPID: "getppid()", READING: "preadv2()",
              NANOSLEEP: "clock_nanosleep()", NET_RX: "softirq NET_RX", "net:sock_sendmsg": "net:sock_sendmsg",
              "net:udp_sendmsg": "net:udp_sendmsg", "net:udp_rcv": "net:udp_rcv", "interruptible": "interruptible"}
    seen = 0
    for names, rows in regions.items():
        for path, (_, _, ticks) in rows.items():
            if path and all(event in events for event in path):
                stack = ("user",) + names + tuple(events[event] for event in path)
                expect(f"folded: {stack} {folded.get(stack)}, {ticks} ticks",
                       abs(folded.get(stack, 0) - ticks * 10 ** 9 // hz) <= 1)
                seen += 1
    expect(f"folded: {seen} stacks", seen > 15)


def main():
    check("net", "net")
    check("all", "all")
    check("user", "net")
    for name, is_kept in ("groups", "yes"), ("off", "no"):
        head, tasks = read(main_file(name)[0])
        expect(f"{name}: {head}", head["kernel"] == is_kept)
        for _, regions in tasks:
            check_sums(name, regions)
            expect(f"{name}: paths", not any(path and not path[0].startswith("group:")
                                             for rows in regions.values() for path in rows))
    head, tasks = read(main_file("lost")[0])
    for _, regions in tasks:
        check_sums("lost", regions)
    calls = next(regions for _, regions in tasks if ("main", "send") in regions)[("main", "calls")]
    # Three in the group, and the failed reading; calls before and after have paths.
    expect(f"lost: {calls}", calls[()][0] == 3 and count(calls, GETPPID) == 14 and
           count(calls, "group:syscall") == 4)
    tasks = read(glob.glob("restart.[0-9]*[0-9]")[0])[1]
    check_sums("restart", tasks[0][1])
    expect(f"restart: {tasks[0][1]}", count(tasks[0][1][("after",)], GETPPID) == 10)
    tree = open("tree").read()
    expect("the tree has it", re.search(r" send\n(.*\n){1,12}?.* sendto\(\)\n(.*\n){1,9}?.* softirq NET_RX\n", tree))
    expect("the picture has it", "softirq NET_RX" in open("net.svg").read())
    finish()


main()
