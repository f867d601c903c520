#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""filter.py DIRECTORY - are the records of filtered events those that filter.sh wanted?

Knows the filters' meaning in its own words.  What was not recorded is known from the kernel's
counters of switches and softirqs, which know nothing of filters.
"""
import collections
import json
import os
import sys

import evl

REJECTED = 6
failures = []


def claim(holds, text):
    print(("ok    " if holds else "WRONG ") + text)
    if not holds:
        failures.append(text)


class Run:
    def __init__(self, directory, name):
        self.name = name
        self.log = evl.Log(os.path.join(directory, name + ".evl"))
        self.records = {cpu: collections.Counter() for cpu in self.log.cpus()}
        self.data = collections.defaultdict(collections.Counter)
        self.readings = collections.defaultdict(dict)
        for cpu in self.log.cpus():
            for record in self.log.records(cpu):
                name = self.log.name[record.type]
                self.records[cpu][name] += 1
                self.data[cpu, name][record.data] += 1
                if name == "counter":
                    which, index = record.data >> 1 & 31, record.data >> 6
                    self.readings[which, cpu, index][record.data & 1] = record.words[1]
        with open(os.path.join(directory, self.name + ".json"), encoding="utf-8") as file:
            self.told = {f["event"]: f["rejected"] for f in json.load(file)["filters"]}
        claim(self.log.lost() == 0 and not self.log.gaps, f"{self.name}: nothing is lost")

    def delta(self, which, cpu, index):
        reading = self.readings.get((which, cpu, index), {})
        return reading[1] - reading[0] if len(reading) == 2 else None

    def rejected(self, cpu, name):
        return self.delta(REJECTED, cpu, self.log.number[name])

    def check_sums(self):
        for cpu in self.log.cpus():
            recorded = self.records[cpu]["sched_switch"]
            rejected = self.rejected(cpu, "sched_switch")
            counted = self.delta(evl.SWITCHES, cpu, 0)
            claim(rejected is not None and recorded + rejected == counted,
                  f"{self.name}: CPU {cpu}: {recorded} switches recorded + {rejected} rejected, "
                  f"counted by the kernel: {counted}")
            recorded = self.records[cpu]["softirq_entry"]
            rejected = self.rejected(cpu, "softirq_entry")
            counted = sum(self.delta(evl.SOFTIRQ, cpu, k) & 0xffffffff
                          for k in range(len(self.log.softirqs)))
            claim(recorded + rejected == counted,
                  f"{self.name}: CPU {cpu}: {recorded} softirqs recorded + {rejected} rejected, "
                  f"counted by the kernel: {counted}")

    def check_told(self):
        for name, told in self.told.items():
            logged = sum(self.rejected(cpu, name) for cpu in self.log.cpus())
            claim(told == logged, f"{self.name}: {name}: {told} rejected by /proc/evtlog/filters, "
                  f"{logged} by the log")
            claim(f"~{name}" in self.log.text["events"].split(),
                  f"{self.name}: the file's header tells that {name} was filtered")


def check_some(run):
    """next_pid==0 || cpu==1 && next_prio in {120-139}; vec in {1, 3, 9}"""
    run.check_sums()
    run.check_told()
    for cpu in run.log.cpus():
        switches = run.data[cpu, "sched_switch"]
        others = sum(count for data, count in switches.items() if data & 0x3fffff)
        if cpu == 0:
            claim(not others and switches, f"CPU 0: {sum(switches.values())} switches, all to idle")
        else:
            claim(others > 100, f"CPU {cpu}: {others} switches to tasks")
        for way in ("entry", "exit"):
            vectors = run.data[cpu, "softirq_" + way]
            claim(set(vectors) <= {1, 3, 9}, f"CPU {cpu} softirq_{way}: only {sorted(vectors)}")
        for vec in (1, 3, 9):
            recorded = run.data[cpu, "softirq_entry"][vec]
            counted = run.delta(evl.SOFTIRQ, cpu, vec) & 0xffffffff
            claim(recorded == counted, f"CPU {cpu}: {run.log.softirqs[vec]}: recorded {recorded}, "
                  f"counted by the kernel: {counted}")
        claim(run.rejected(cpu, "sched_switch") > 100 or cpu == 1,
              f"CPU {cpu}: some switches were rejected")


def check_none(run):
    run.check_sums()
    run.check_told()
    for cpu in run.log.cpus():
        claim(not run.data[cpu, "sched_switch"], f"CPU {cpu}: no switch was recorded")
        claim(not run.data[cpu, "softirq_entry"], f"CPU {cpu}: no softirq was recorded")
    wakings = sum(run.records[cpu]["sched_waking"] for cpu in run.log.cpus())
    rejected = sum(run.rejected(cpu, "sched_waking") for cpu in run.log.cpus())
    claim(wakings > 100 and rejected > 100, f"{wakings} wakings by load, {rejected} by others")
    claim(run.log.text["events"].count("~") == 4, "four types have a filter")


def check_all(run):
    claim(not any(which == REJECTED for which, _, _ in run.readings), "no filter: nothing told")
    claim("~" not in run.log.text["events"], "no filter: all types are on")
    for cpu in run.log.cpus():
        recorded, counted = run.records[cpu]["sched_switch"], run.delta(evl.SWITCHES, cpu, 0)
        claim(recorded == counted, f"no filter: CPU {cpu}: {recorded} switches of {counted}")


def main():
    directory = sys.argv[1]
    check_some(Run(directory, "some"))
    check_none(Run(directory, "none"))
    check_all(Run(directory, "all"))
    if failures:
        print(f"{len(failures)} claims failed")
    sys.exit(bool(failures))


main()
