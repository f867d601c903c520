#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""values.py OUT - compares values and spans with what a thread did and with the kernel's counts."""

import glob
import json
import sys

from claims import expect, finish, wrong
from entries import read


def add(sums, name, numbers):
    old = sums.get(name)
    sums[name] = numbers if not old else [old[0] + numbers[0], old[1] + numbers[1],
                                          min(old[2], numbers[2]), max(old[3], numbers[3]),
                                          old[4] + numbers[4]]


def values_of(path, which):
    """Returns the sums of the values of entries whose first word is in `which`."""
    sums, wanted = {}, False
    for line in open(path):
        word = line.split()
        if word[0] in ("cpu", "task", "ended"):
            wanted = word[0] in which
        elif word[0] == "value" and wanted:
            add(sums, word[1], [int(number) for number in word[2:]])
    return sums


def counter(path, table, name):
    heads = None
    for line in open(path):
        word = line.split()
        if word[0] == table + ":":
            if heads and name in heads:
                return int(word[heads.index(name)])
            heads = word
        elif word[0] == table and name is None:
            return int(word[1])
    raise KeyError(name)


def as_numbers(value):
    return [value[key] for key in ("count", "sum", "least", "largest", "squares")]


def main():
    out = sys.argv[1]
    told, calls = {}, {}
    for line in open(f"{out}/values.told"):
        word = line.split()
        if word[0] == "told":
            told[word[1]] = [int(number) for number in word[2:]]
        elif word[0] == "calls":
            calls[word[1]] = int(word[2])
    task = values_of(f"{out}/values.told", ("task",))
    for name in ("vfs_read", "vfs_written", "sock_sent", "sock_received", "bio_written"):
        print(f"{name}: count {told[name][0]}, sum {told[name][1]}, least {told[name][2]}, "
              f"largest {told[name][3]}, squares {told[name][4]}")
        expect(f"{name}: {task.get(name)}, the thread says {told[name]}",
               task.get(name) == told[name])
    paths = next(iter(read(f"{out}/values.told")[1].values()))["paths"]
    for name, count in calls.items():
        got = sum(sums[0] for path, sums in paths.items() if path[-1] == name)
        expect(f"{name}: {got} times, the thread says {count}", got == count)
    nested = [path for path in paths if path[-1] == "net:udp_rcv"]
    print("udp_rcv:", *(">".join(path) for path in nested), sep="\n  ")
    expect("udp_rcv is in the softirq NET_RX in udp_sendmsg in sock_sendmsg in sendto()",
           any(path[:4] == ("user", "syscall:44", "net:sock_sendmsg", "net:udp_sendmsg") and
               path[-2] == "softirq:3" for path in nested))
    expect("fsync has bios", any(path[-1] == "block:submit_bio" and "block:fsync" in path
                                 for path in paths))
    cpus = values_of(f"{out}/values.all", ("cpu",))
    # Softirqs may run in another task.
    expect(f"udp_queue: {cpus.get('udp_queue')}, the thread says {told['udp_queue']}",
           cpus.get("udp_queue") == told["udp_queue"])
    for value, packets, octets in (("ip_received", "InReceives", "InOctets"),
                                   ("ip_sent", "OutRequests", "OutOctets")):
        packets, octets = (counter(f"{out}/values.after", table, name) -
                           counter(f"{out}/values.before", table, name)
                           for table, name in (("Ip", packets), ("IpExt", octets)))
        print(f"{value}: {packets} packets, {octets} bytes by /proc/net/snmp and netstat")
        expect(f"{value}: {cpus.get(value)}", cpus[value][:2] == [packets, octets])
    written = counter(f"{out}/values.after", "pgpgout", None) - \
        counter(f"{out}/values.before", "pgpgout", None)
    expect(f"bio_written: {cpus['bio_written'][1]} bytes, pgpgout {written} KiB",
           cpus["bio_written"][1] == written * 1024)
    expect("each packet came through a backlog", cpus["backlog"][0] == cpus["ip_received"][0])
    # The tasks' sum equals the CPUs' sum, except for ended tasks.
    tasks = values_of(f"{out}/values.all", ("task",))
    for name, numbers in tasks.items():
        expect(f"{name}: tasks {numbers}, CPUs {cpus.get(name)}",
               name in cpus and numbers[0] <= cpus[name][0] and numbers[1] <= cpus[name][1])
    family = {value["value"]: as_numbers(value)
              for value in json.load(open(f"{out}/values.family"))["values"]}
    expect(f"family: sock_sent {family.get('sock_sent')}", family.get("sock_sent") == told["sock_sent"])
    periods = {}
    for path in glob.glob(f"{out}/values.periods/*.json"):
        for entry in json.load(open(path))["profiles"]:
            if entry.get("comm") == "values":
                for value in entry.get("values", ()):
                    add(periods, value["value"], as_numbers(value))
    twice = told["sock_sent"]
    twice = [2 * twice[0], 2 * twice[1], twice[2], twice[3], 2 * twice[4]]
    expect(f"periods: sock_sent {periods.get('sock_sent')}, told {twice}",
           periods.get("sock_sent") == twice)
    events = {}
    for path in glob.glob(f"{out}/values.tau/profile.*"):
        lines = open(path).read().splitlines()
        at = next((i for i, line in enumerate(lines) if line.endswith(" userevents")), None)
        # A CPU may have no values.
        if at is None:
            continue
        for line in lines[at + 2:]:
            name, count, largest, least, mean, squares = line.split()
            add(events, name.strip('"'), [int(count), round(float(mean) * int(count)), int(least),
                                          int(largest), int(squares)])
    expect(f"TAU's user events: {events}", events == cpus)
    expect("a table has values", "sock_sent" in open(f"{out}/values.table").read())
    # The default groups have no values.
    expect("no value is told that is of no group chosen", not values_of(f"{out}/stopped",
                                                                       ("cpu", "task")))
    print(f"values: {len(wrong)} wrong")
    finish()


if __name__ == "__main__":
    main()
