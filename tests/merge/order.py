#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares `evtlog dump --json --time raw` with the hosts' files, read by evl.py.

Usage: order.py exact|true LINES REPORT FILE...

exact: the files are from make-log, where a tick is a ns and clocks differ by constants: every
       line's time, and the order of all lines, equal the result of sorting.
true:  the files are from simulate, where each put has the true time: an unmarked line is truly
       later than all lines above it of other hosts, and every record of each CPU is present
       once, in its order.
"""
import json
import sys

import evl

RAW_OF_TICKS = 2000000000  # of make-log: 7 s of raw time at 5 s of ticks


def records_of(paths):
    """Returns {host: (log, {cpu: [record]})}."""
    logs = {}
    for path in paths:
        log = evl.Log(path)
        logs[log.text["host"]] = log, {c: list(log.records(c)) for c in log.cpus()}
    return logs


def raw_ns(line):
    """Returns the exact number: a double cannot store seconds with nine digits."""
    return int(line["raw"].replace(".", ""))


def exact(lines, report, logs):
    offset = {h["host"]: h["offset_ns"] for h in report["hosts"]}
    expected = []
    for host in sorted(logs):
        log, cpus = logs[host]
        for cpu in sorted(cpus):
            for number, record in enumerate(cpus[cpu]):
                expected.append((record.ticks + RAW_OF_TICKS - offset[host], host,
                                 cpu, number, log.name[record.type]))
    expected.sort()
    assert len(lines) == len(expected), f"{len(lines)} lines, not {len(expected)}"
    for line, (time, host, cpu, _, name) in zip(lines, expected):
        got = raw_ns(line), line["host"], line["cpu"], line["event"]
        assert got == (time, host, cpu, name), f"{got}, not {time} {host} {cpu} {name}"
    print(f"{len(lines)} lines are as sorting gives them")


def true(lines, report, logs):
    position = {}
    latest = {}  # true time of the latest put of each host so far
    last = marked = unmarked = swapped = 0
    for line in lines:
        host, cpu = line["host"], line["cpu"]
        time = raw_ns(line)
        assert not last or time >= last, f"time steps back at {line}"
        last = time
        log, cpus = logs[host]
        at = position.get((host, cpu), 0)
        position[host, cpu] = at + 1
        record = cpus[cpu][at]
        assert log.name[record.type] == line["event"], f"record {at} of {host} {cpu}"
        if line["event"] != "put" or line["fields"]["id"] != 1:
            continue
        truth = record.words[1]
        before = max((t for h, t in latest.items() if h != host), default=0)
        swapped += truth < before
        if line["order_unknown"]:
            marked += 1
        else:
            unmarked += 1
            assert truth >= before, \
                f"{line} is not marked, and came {before - truth} ns before one above it"
        latest[host] = max(truth, latest.get(host, 0))
    for host, (_, cpus) in logs.items():
        for cpu, records in cpus.items():
            assert position.get((host, cpu), 0) == len(records), \
                f"{host} CPU {cpu}: {position.get((host, cpu), 0)} of {len(records)}"
    assert sum(h["violations"] for h in report["hosts"]) == 0, "violations"
    assert marked and unmarked, f"{marked} marked, {unmarked} not: nothing is proved"
    print(f"{unmarked} events not marked are in their true order; {marked} marked, "
          f"{swapped} of them were in the wrong place")


def main():
    how, lines_path, report_path, *paths = sys.argv[1:]
    with open(lines_path, encoding="utf-8") as file:
        lines = [json.loads(line, parse_float=str) for line in file]
    lines = [line for line in lines if "fields" in line]
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    {"exact": exact, "true": true}[how](lines, report, records_of(paths))


main()
