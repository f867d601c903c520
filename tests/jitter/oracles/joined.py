#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""joined.py DIRECTORY MATCHED ATTRIBUTED [lossy | host] - a report is correct to the tick

Compares each interruption, part, sample and sum of `evtlog jitter report` with the naive
attribution. At least MATCHED and ATTRIBUTED percent must be matched and attributed. lossy: records
must be lost, and the report must show this; otherwise no record may be lost. host: the host also
stopped the guest, so the shares are those of samples that contain an interruption, and of time that
is in any row, recorded or inferred. Prints each comparison; exits with 1 if one fails.
"""
import collections
import csv
import glob
import json
import os
import sys

import attribute
import evl
from attribute import claim

VECTORS = {
    "local_timer_entry": "timer interrupt", "reschedule_entry": "reschedule interrupt",
    "call_function_entry": "function call interrupt",
    "call_function_single_entry": "single function call interrupt",
    "irq_work_entry": "IRQ work interrupt",
}


def read_csv(directory, what):
    with open(os.path.join(directory, what + ".csv"), newline="") as file:
        return list(csv.DictReader(file))


class Report:
    """The tables of a report."""

    def __init__(self, directory):
        with open(os.path.join(directory, "report.json")) as file:
            self.json = json.load(file)
        self.interruptions = read_csv(directory, "interruptions")
        self.samples = read_csv(directory, "samples")
        self.parts = collections.defaultdict(list)
        for row in read_csv(directory, "parts"):
            self.parts[row["interruption"]].append(row)
        self.of_leave = {(row["cpu"], int(row["leave_ticks"])): row
                         for row in self.interruptions}


def says(log, samples, label):
    """Returns the name that a source's row must have; for a task, its pid."""
    kind, number = label[:2]
    if kind == "task":
        return f"task {number}"
    if kind == "irq":
        line = samples.text.get(f"irq.{number}")
        return f"irq {number} {line}" if line else f"irq {number}"
    if kind == "softirq":
        return "softirq " + log.softirqs[number]
    if kind == "vector":
        return VECTORS.get(log.name[number], "interrupt vector")
    if kind == "exception":
        return "page fault" if number == 14 else "exception"
    return {"entry": "kernel entry and exit", "idle": "idle"}[kind]


def told(parts):
    """Returns ticks and number of parts by source, for an interruption of the report."""
    own, count = collections.Counter(), collections.Counter()
    for row in parts:
        name = row["source"]
        if row["family"] in ("user", "kernel") and name not in (
                "kernel entry and exit", "idle"):
            name = "task " + row["pid"]
        own[name] += int(row["own_ticks"])
        count[name] += 1
    return own, count


def check_interruptions(log, samples, thread, joined, report):
    cpu = str(thread.cpu)
    theirs = [row for row in report.interruptions
              if row["cpu"] == cpu and row["excluded"] != "1"]
    ours = [i for i in joined.window if not joined.victim.lossy(i.leave, i.enter)]
    # An NMI is an interruption without a user_exit.
    nmis = {nmi[0] for nmi in joined.victim.nmis}
    claim([(int(row["leave_ticks"]), int(row["enter_ticks"])) for row in theirs
           if int(row["leave_ticks"]) not in nmis] == [(i.leave, i.enter) for i in ours],
          f"CPU {cpu}: {len(theirs)} interruptions by the report, {len(ours)} by the log")
    wrong, parts, sums = [], 0, 0
    for i in ours:
        row = report.of_leave.get((cpu, i.leave))
        if not row:
            continue
        own, count = told(report.parts[row["interruption"]])
        wanted = collections.Counter()
        for label, ticks in i.own.items():
            wanted[says(log, samples, label)] += ticks
        counts = collections.Counter()
        for label, number in i.parts.items():
            counts[says(log, samples, label)] += number
        for name in ("kernel entry and exit", "idle"):
            counts.pop(name, None)
            count.pop(name, None)
        parts += sum(counts.values())
        sums += sum(own.values()) == i.enter - i.leave
        if +own != +wanted or count != counts:
            wrong.append((i.leave, own - wanted, wanted - own, count - counts, counts - count))
    claim(not wrong, f"CPU {cpu}: {parts} parts belong to whom they must, to the tick; of "
          f"{len(wrong)} interruptions they do not {wrong[:2]}")
    claim(sums == len(ours), f"CPU {cpu}: they partition {sums} of them")


def check_samples(samples, thread, joined, report):
    cpu = str(thread.cpu)
    theirs = [row for row in report.samples if row["cpu"] == cpu]
    claim([(int(row["start_ticks"]), int(row["end_ticks"])) for row in theirs] ==
          [sample[:2] for sample in joined.over], f"CPU {cpu}: {len(joined.over)} samples")
    matched = {sample[:2] for sample, _, _ in joined.matched}
    told = {(int(row["start_ticks"]), int(row["end_ticks"])) for row in theirs
            if row["matched"] == "1"}
    claim(told == matched, f"CPU {cpu}: {len(matched)} are matched one to one, "
          f"the report has {len(told)}")
    excluded = sum(row["excluded"] == "1" for row in theirs)
    claim(excluded == joined.excluded, f"CPU {cpu}: {excluded} are excluded, "
          f"{joined.excluded} by the log's losses")
    off = [row for row, sample in zip(theirs, joined.over)
           if int(row["noise_ticks"]) != samples.noise(thread, sample) or
           row["excluded"] != "1" and (
               row["parts_ticks"] != row["kernel_ticks"] or
               int(row["residual_ticks"]) != int(row["noise_ticks"]) -
               int(row["kernel_ticks"]) - int(row["crossing_ticks"]))]
    claim(not off, f"CPU {cpu}: the user's delta, the gap, its parts and the residual "
          f"add up: {off[:2]}")


def percent(part, whole):
    return 100 * part / whole if whole else 0


def main():
    directory = sys.argv[1]
    least_matched, least_attributed = map(float, sys.argv[2:4])
    samples = attribute.Samples(os.path.join(directory, "logged.samples"))
    log = evl.Log(glob.glob(os.path.join(directory, "*.evl"))[0])
    report = Report(directory)
    total = matched = noise = parts = excluded = missed = empty = 0
    sources = collections.Counter()
    for thread in samples.threads:
        joined = attribute.Joined(log, samples, thread)
        check_interruptions(log, samples, thread, joined, report)
        check_samples(samples, thread, joined, report)
        claim(not joined.unequal, f"CPU {thread.cpu}: the pieces partition each interruption")
        total += joined.samples()
        matched += len(joined.matched)
        noise += joined.noise
        parts += joined.parts
        excluded += joined.excluded
        missed += len(joined.missed)
        empty += joined.empty
        for label, (own, _) in joined.sources.items():
            sources[says(log, samples, label)] += own
    say = report.json
    claim(total > 100, f"{total} samples over the threshold of "
          f"{samples.text['threshold_ns']} ns")
    claim(say["samples_over_threshold"] == total and say["excluded_samples"] == excluded,
          f"the report says {say['samples_over_threshold']}, and "
          f"{say['excluded_samples']} excluded")
    claim(abs(say["matched_share"] - matched / total) < 1e-8,
          f"matched {percent(matched, total):.3f} %, as the report says")
    claim(abs(say["attributed_share"] - parts / noise) < 1e-8,
          f"attributed {percent(parts, noise):.3f} %, as the report says")
    inferred = sum(row["total_ticks"] for row in say["sources"] if row["inferred"])
    if "host" in sys.argv:
        total -= empty
        parts += inferred
        print(f"      without {empty} samples that hold no interruption, and with the time in "
              f"inferred rows: {percent(matched, total):.3f} and "
              f"{percent(parts, noise):.3f} %")
    claim(percent(matched, total) >= least_matched, f"that is at least {least_matched} %")
    claim(percent(parts, noise) >= least_attributed, f"and that {least_attributed} %")
    with open(os.path.join(directory, "status")) as file:
        status = int(file.read())
    if "lossy" in sys.argv:
        claim(log.lost() and excluded and status == 4, f"{log.lost()} records were lost, "
              f"{excluded} samples are excluded, the report's status is {status}")
    else:
        claim(not log.lost() and not excluded and not status,
              f"{log.lost()} records were lost, the report's status is {status}")
    claim(not missed, f"{missed} interruptions that a sample should have shown have none")
    print(f"      largest residual {say['max_residual_ns']} ns; "
          f"crossing {[cpu['crossing_each_ns'] for cpu in say['cpus']]} ns")
    print(f"      {say['noise_ns'] - say['recorded_ns']:.0f} ns are not in records, "
          f"{inferred * say['ns_per_tick']:.0f} ns of them in inferred rows")
    print("      " + ", ".join(f"{name} {own}" for name, own in sources.most_common(8)))
    attribute.finish()


main()
