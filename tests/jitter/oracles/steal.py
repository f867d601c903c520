#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""steal.py DIRECTORY - three runs of steal.sh have the stolen time that it wrote"""
import glob
import json
import os
import sys

from claims import claim, finish
import evl

STOLEN = [1000000, 1, 70000000, 12345678901]
START = 5000000000


def readings(log, cpu):
    """Returns (value, at the end?, next record's type) of each reading of the steal clock."""
    records = list(log.records(cpu))
    after = records[1:] + [None]
    return [(one.words[1], bool(one.data & 1), log.name[then.type] if then else None)
            for one, then in zip(records, after)
            if log.name[one.type] == "counter" and one.data >> 1 & 31 == evl.STEAL]


def stolen_by_stat(path):
    with open(path.removesuffix(".evl") + ".stat") as file:
        stat = json.load(file)
    return {cpu["cpu"]: cpu["stolen_ns"] for cpu in stat["cpus"]}, stat["total"]["stolen_ns"]


def check_steps(log):
    """CPU 0 has readings at its start, for each step before a timer interrupt, and at its end."""
    found = readings(log, 0)
    values = [START]
    for ns in STOLEN:
        values.append(values[-1] + ns)
    claim(found[0][:2] == (START, False) and found[-1][:2] == (values[-1], True),
          f"CPU 0 begins with {found[0]} and ends with {found[-1]}")
    between = found[1:-1]
    claim([value for value, _, _ in between if value != START] == values[1:],
          f"and has {[value for value, _, _ in between]}")
    claim({(at_end, then) for _, at_end, then in between} == {(False, "local_timer_entry")},
          "each in front of a timer interrupt")


def main():
    paths = sorted(glob.glob(os.path.join(sys.argv[1], "*.evl")),
                   key=lambda path: int(path.removesuffix(".evl").rpartition("-")[2]))
    none, steps, still = (evl.Log(path) for path in paths)
    claim(not [r for cpu in none.cpus() for r in readings(none, cpu)], "without a clock there is no reading")
    claim(stolen_by_stat(paths[0]) == (dict.fromkeys(none.cpus()), None), "and stolen time is unknown")
    check_steps(steps)
    idle = readings(steps, 1)
    claim(idle[0][:2] == (0, False) and idle[-1][:2] == (777, True), f"CPU 1, idle at the end, has {idle}")
    claim(stolen_by_stat(paths[1]) == ({0: sum(STOLEN), 1: 777}, sum(STOLEN) + 777), "stat has the sums")
    claim({value for value, _, _ in readings(still, 0)} == {START + sum(STOLEN)}, "a run without steps")
    claim(stolen_by_stat(paths[2])[0][0] == 0, "has lost nothing to the hypervisor")
    with open(os.path.join(sys.argv[1], "report.json")) as file:
        report = json.load(file)
    claim([report["stolen_ms"], *(cpu["stolen_ms"] for cpu in report["cpus"])] == [50, 50],
          f"jitter report has {report['stolen_ms']} ms")
    finish()


main()
