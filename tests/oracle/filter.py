#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""filter.py DIRECTORY - checks that the records of filtered events are those that filter.sh
selects.

It implements the filters itself. The kernel's counts of switches and softirqs ignore filters.
"""
import collections
import json
import os
import sys

from claims import claim, finish
import evl

REJECTED = 6

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
            # A module may lack this counter.
            if counted is None and self.log.text.get("form"):
                counted = recorded + rejected
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
        claim(recorded == counted or (counted is None and run.log.text.get("form")), f"no filter: CPU {cpu}: {recorded} switches of {counted}")


VECTORS = {"local_timer": ["local_timer_entry"], "reschedule": ["reschedule_entry"],
           "irq_work": ["irq_work_entry"],
           "call_function": ["call_function_entry", "call_function_single_entry"]}


def check_vectors(run):
    """cpu==1; vector==1; vector>100 && comm!="load"; vector>100 && tree!=1"""
    for cpu in run.log.cpus():
        for name, types in VECTORS.items():
            recorded = sum(run.records[cpu][t] for t in types)
            rejected = sum(run.rejected(cpu, t) for t in types)
            counted = run.delta(evl.VECTOR, cpu, run.log.number[types[0]]) & 0xffffffff
            claim(recorded + rejected == counted, f"CPU {cpu}: {name}: {recorded} recorded + "
                  f"{rejected} rejected, counted by the kernel: {counted}")
        timers, others = run.records[cpu]["local_timer_entry"], run.rejected(cpu, "local_timer_entry")
        claim((others if cpu == 1 else timers) == 0 and timers + others > 100,
              f"CPU {cpu}: timers: {timers} recorded")
        claim(not run.records[cpu]["reschedule_entry"], f"CPU {cpu}: no IPI of another vector")


def check_user(run, writer):
    """nr==1 && tgid==WRITER; tgid==WRITER: it calls write() 3,000 times, then prints its speed"""
    writes = enters = 0
    for cpu in run.log.cpus():
        exits = run.data[cpu, "user_exit"]
        claim(all(data == 1 | 1 << 2 for data in exits), f"CPU {cpu}: all system calls are write()")
        claim(set(run.data[cpu, "user_enter"]) <= {writer}, f"CPU {cpu}: user mode of one task")
        left = sum(exits.values()) + run.rejected(cpu, "user_exit")
        entered = sum(run.data[cpu, "user_enter"].values()) + run.rejected(cpu, "user_enter")
        claim(abs(left - entered) <= 1 and left > 1000,
              f"CPU {cpu}: user mode left {left} times, entered {entered} times")
        writes += sum(exits.values())
        enters += sum(run.data[cpu, "user_enter"].values())
    claim(3000 <= writes <= 3005, f"{writes} calls of write()")
    claim(enters > 6000, f"user mode of that task entered {enters} times")


def check_exceptions(run):
    """vector!=14 of exception_entry, none of exception_exit"""
    entries = exits = rejected = 0
    for cpu in run.log.cpus():
        claim(14 not in run.data[cpu, "exception_entry"], f"CPU {cpu}: no page fault")
        entries += run.records[cpu]["exception_entry"]
        exits += run.records[cpu]["exception_exit"]
        rejected += run.rejected(cpu, "exception_entry")
    # Some are in progress at the start and the end of the run.
    claim(abs(entries + rejected - exits) < 20 < rejected,
          f"exceptions: {entries} recorded + {rejected} rejected, {exits} ended")


def check_icmp(run):
    """type==8 && len<1000; type==0 && peer==0x7f000001: 30 echoes and their answers"""
    for name, kind in (("icmp_rx", 8), ("icmp_tx", 0)):
        types = collections.Counter()
        for cpu in run.log.cpus():
            types += run.data[cpu, name]
        rejected = sum(run.rejected(cpu, name) for cpu in run.log.cpus())
        claim(types == {kind: 30} and rejected == 30,
              f"{name}: {dict(types)} by type, {rejected} rejected")
    for cpu in run.log.cpus():
        recorded, rejected = run.records[cpu]["icmp_rx"], run.rejected(cpu, "icmp_rx")
        counted = run.delta(evl.ICMP, cpu, 0)
        claim(recorded + rejected == counted, f"CPU {cpu}: {recorded} messages recorded + "
              f"{rejected} rejected, counted by the kernel: {counted}")


def check_put(run, answers):
    """id==1 && data&1; id==2 && data<=100 && timestamp>1; and the results that callers got"""
    for cpu in run.log.cpus():
        now = [(r.data, r.words[1]) for r in run.log.records(cpu) if run.log.name[r.type] == "put"]
        at = [(r.data, r.words[1]) for r in run.log.records(cpu)
              if run.log.name[r.type] == "put_at"]
        claim(now == [(1, k) for k in range(1, 501, 2)], f"CPU {cpu}: each second put(): {len(now)}")
        # A rejected put() returns no time for put_at.
        claim(at == [(2, k) for k in range(1, 101, 2)], f"CPU {cpu}: first puts at: {len(at)}")
    refused = {name: words["other"] for name, words in answers.items()}
    claim(all(words["ok"] + words["other"] == sum(words.values()) for words in answers.values()),
          "callers are told of nothing but filters")
    rejected = sum(run.rejected(cpu, "put_at") for cpu in run.log.cpus())
    claim(rejected == refused["process_at"], f"put_at: {rejected} rejected, as callers were told")
    rejected = sum(run.rejected(cpu, "put") for cpu in run.log.cpus())
    told = sum(refused.values()) - refused["process_at"]
    # An event in an NMI that interrupts a change of buffers is not counted.
    claim(told - refused["nmi"] <= rejected <= told,
          f"put: {rejected} rejected, callers were told of {told}, {refused['nmi']} of them in NMIs")


def read_answers(path):
    answers = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line[line.index("evtlog_put_test:"):].split()
            answers[words[3]] = dict(zip(words[4::2], map(int, words[5::2])))
    return answers


def check_more(run, directory):
    run.check_told()
    check_vectors(run)
    if "form" not in run.log.text:
        with open(os.path.join(directory, "writer.txt"), encoding="utf-8") as file:
            check_user(run, int(file.read()))
        check_exceptions(run)
    check_icmp(run)
    check_put(run, read_answers(os.path.join(directory, "put.txt")))


def main():
    directory = sys.argv[1]
    check_more(Run(directory, "more"), directory)
    check_some(Run(directory, "some"))
    check_none(Run(directory, "none"))
    check_all(Run(directory, "all"))
    finish()


if __name__ == "__main__":
    main()
