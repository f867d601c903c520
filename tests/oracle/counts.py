#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""counts.py DIRECTORY - checks that the log of this directory agrees with the kernel's counters.

The counters in the log must agree exactly: each CPU's own, read when the CPU joined and left the
run. The counters in /proc, which window.c read before and after both ends, give limits. Prints
every comparison; exits with 1 if one fails.
"""
import collections
import glob
import os
import sys

from claims import claim, finish
import evl

# Maximum number of events per CPU that the readings of /proc/stat cause: with a start that first
# arms the kernel, and a stop that disarms it, after the end of the load
SWITCHES_PER_CPU = 200

# Linux counts its own answers as OutType0: icmp_reply() does not set fl4_icmp_type, which
# __ip_make_skb() counts. The log has the real types. So timestamp replies and extended echo replies
# are compared as part of type 0.
COUNTED_AS_ECHO_REPLY = (14, 43)

# icmp.c's messages of half a header: the kernel counts their creation, but the log has none.
SHORT = 201


def text_of(directory, name, reading):
    with open(os.path.join(directory, f"{name}.{reading}")) as file:
        return file.read()


def read_stat(text):
    for line in text.splitlines():
        if line.startswith("ctxt "):
            return {"ctxt": int(line.split()[1])}
    raise evl.Wrong("/proc/stat has no ctxt")


def read_table(text):
    """Parses /proc/softirqs and /proc/interrupts: {(row, cpu): count}."""
    lines = text.splitlines()
    cpus = [int(word[3:]) for word in lines[0].split()]
    table = {}
    for line in lines[1:]:
        row, _, rest = line.partition(":")
        words = rest.split()[:len(cpus)]
        if len(words) == len(cpus) and all(word.isdigit() for word in words):
            for cpu, word in zip(cpus, words):
                table[row.strip(), cpu] = int(word)
    return table


def read_snmp(text):
    """Parses the IcmpMsg lines, which the kernel omits while all counts are zero."""
    lines = [line.split() for line in text.splitlines() if line.startswith("IcmpMsg:")]
    counts = collections.Counter()
    if lines:
        counts.update(dict(zip(lines[0][1:], map(int, lines[1][1:]))))
    return counts


def bracket(name, recorded, readings, key):
    """Claims that @recorded is in the bracket of the readings; returns the bracket's width."""
    outer, inner = (readings[j].get(key, 0) - readings[k].get(key, 0)
                    for j, k in ((3, 0), (2, 1)))
    if outer or recorded:
        claim(inner <= recorded <= outer,
              f"{name}: recorded {recorded}, /proc says {inner} to {outer}")
    return outer - inner


def check_parts(log):
    """Each CPU's part begins at the run's start; its records begin with its first event."""
    for cpu in log.cpus():
        buffers = log.buffers[cpu]
        begin, joined = buffers[0].begin_ticks, buffers[0].begin[0]
        first = next(log.records(cpu)).ticks
        claim(begin <= joined <= first, f"CPU {cpu}: joined {joined - begin} ticks after "
              f"the start, its first record is {first - joined} behind that")
        claim(all(b.begin[0] == b.begin_ticks for b in buffers[1:]),
              f"CPU {cpu}: {len(buffers) - 1} later buffers begin with their clocks")
    if not any(log.buffers[cpu][0].flags & evl.TSC_BAD for cpu in log.cpus()):
        starts = {log.buffers[cpu][0].begin_ticks for cpu in log.cpus()}
        claim(len(starts) == 1, f"the run starts at {len(starts)} instant")


def check_told(counts):
    """All of the kernel's counters were read at both ends."""
    log = counts.log
    vectors = [log.number[name] for name in
               ("local_timer_entry", "irq_work_entry", "reschedule_entry",
                "call_function_entry")]
    for cpu in log.cpus():
        claim(counts.is_whole(cpu), f"CPU {cpu}: told its switches at both ends")
        wanted = [(evl.SOFTIRQ, cpu, index) for index in range(len(log.softirqs))] + \
                 [(evl.VECTOR, cpu, number) for number in vectors] + \
                 [(evl.ICMP, cpu, 0), (evl.IRQS, cpu, 0)]
        missing = [key for key in wanted if len(counts.readings.get(key, ())) != 2]
        claim(not missing, f"CPU {cpu}: told {len(wanted)} counters more, missing {missing}")


def check_inside(counts):
    compared = 0
    for which, cpu, index, recorded, counted in counts.deltas():
        if counted or recorded:
            name = ("ctxt", "softirq", "irq", "vector", "switches", "icmp_rx", "rejected", "irqs")[which]
            claim(recorded == counted, f"CPU {cpu} {name} {index}: recorded "
                  f"{recorded}, counted {counted} (by itself)")
            compared += 1
    claim(compared > 5 * len(counts.log.cpus()), f"{compared} counters moved")
    recorded, counted = counts.of("sched_switch"), counts.switches(counts.log.cpus())
    claim(recorded == counted, f"all CPUs: recorded {recorded} switches, counted {counted}")


def check_switches(directory, counts):
    readings = [read_stat(text_of(directory, "stat", k)) for k in range(4)]
    recorded = counts.of("sched_switch")
    width = bracket("sched_switch", recorded, readings, "ctxt")
    bound = SWITCHES_PER_CPU * len(counts.log.cpus())
    claim(width <= bound, f"sched_switch: the readings of /proc/stat themselves are "
          f"worth {width} of {recorded} switches, at most {bound}")
    claim(recorded > 1000, f"sched_switch: {recorded} is a load")


def check_softirqs(directory, counts):
    readings = [read_table(text_of(directory, "softirqs", k)) for k in range(4)]
    for cpu in counts.log.cpus():
        for index, vector in enumerate(counts.log.softirqs):
            bracket(f"CPU {cpu} softirq {vector}", counts.softirqs[cpu][index],
                    readings, (vector, cpu))


def check_interrupts(directory, counts):
    readings = [read_table(text_of(directory, "interrupts", k)) for k in range(4)]
    vectors = {
        "LOC": ("local_timer_entry",),
        "RES": ("reschedule_entry",),
        "CAL": ("call_function_entry", "call_function_single_entry"),
        "IWI": ("irq_work_entry",),
    }
    moved = set()
    for cpu in counts.log.cpus():
        for row, names in vectors.items():
            bracket(f"CPU {cpu} {row}", sum(counts.of(name, cpu) for name in names),
                    readings, (row, cpu))
        for row in sorted({row for row, _ in readings[3] if row.isdigit()}, key=int):
            recorded = counts.irqs[cpu][int(row)]
            bracket(f"CPU {cpu} interrupt {row}", recorded, readings, (row, cpu))
            if recorded:
                moved.add(row)
    claim(len(moved) >= 1, f"device interrupts that came: {' '.join(sorted(moved))}")


def check_icmp(directory, counts, wanted):
    received = sum(counts.messages.values())
    counted = sum(reading[1] - reading[0] for (which, _, _), reading
                  in counts.readings.items() if which == evl.ICMP)
    claim(received == counted, f"all CPUs: received {received} messages, counted {counted}")
    readings = [read_snmp(text_of(directory, "snmp", k)) for k in range(4)]
    seen = set()
    for way, name in (("rx", "In"), ("tx", "Out")):
        for number in range(256):
            key = f"{name}Type{number}"
            recorded = counts.icmp[way][number]
            if recorded:
                seen.add(key)
            if way == "tx" and number in (*COUNTED_AS_ECHO_REPLY, SHORT):
                continue
            if way == "tx" and not number:
                recorded += sum(counts.icmp[way][answer]
                                for answer in COUNTED_AS_ECHO_REPLY)
            bracket(f"icmp_{way} type {number}", recorded, readings, key)
    for key in wanted:
        claim(key in seen, f"{key} was there")


def check_pairs(counts):
    """Every entry has an exit, except where one is in progress at an end of the run."""
    log = counts.log
    # A task may sleep in a page fault, and leave it on another CPU.
    entries, exits = (sum(counts.of(f"exception_{way}", cpu) for cpu in log.cpus())
                      for way in ("entry", "exit"))
    claim(abs(entries - exits) <= 2 * len(log.cpus()),
          f"exceptions: {entries} entered, {exits} left")
    for cpu in log.cpus():
        for name in log.number:
            if name.endswith("_entry") and name != "exception_entry":
                entries = counts.of(name, cpu)
                exits = counts.of(name[:-len("entry")] + "exit", cpu)
                if entries or exits:
                    claim(abs(entries - exits) <= 1,
                          f"CPU {cpu} {name}: {entries} entered, {exits} left")


def main():
    directory, wanted = sys.argv[1], sys.argv[2:]
    paths = glob.glob(os.path.join(directory, "*.evl"))
    evl.need(len(paths) == 1, f"{len(paths)} files where one was to be")
    log = evl.Log(paths[0])
    counts = evl.Counts(log)
    claim(log.lost() == 0, f"{log.lost()} records lost")
    claim(not log.gaps, f"{len(log.gaps)} gaps")
    check_parts(log)
    check_told(counts)
    check_inside(counts)
    check_switches(directory, counts)
    check_softirqs(directory, counts)
    check_interrupts(directory, counts)
    check_icmp(directory, counts, wanted)
    check_pairs(counts)
    finish()


main()
