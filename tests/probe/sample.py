#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the output of sample.sh: counts add up, sums of weights equal the kernel's counts within
the stated error, and a sample by packet has all or none of a packet's records."""
import collections
import json
import pathlib
import sys

from claims import fail
from log import counts, events, raw, value

WORD = 2 ** 64 - 1
SEED = 0x9e3779b97f4a7c15
CPUS = 2
out = pathlib.Path(sys.argv[1])


def chosen(number, every, seed):
    """Returns whether a key of eight bytes is in the sample."""
    product = (number ^ seed) * 0xff51afd7ed558ccd
    number = (product ^ product >> 64) * 0xc4ceb9fe1a85ec53 & WORD
    return number <= WORD // every


def sampled(name):
    """Returns the sample's data of each event in stat --json."""
    stat = json.loads((out / f"{name}.json").read_text())
    return {of["name"]: of for of in stat["registered"]}


def numbers(of):
    return {name: int(of[name]) for name in
            ("hits", "recorded", "rejected", "lost", "idle", "skipped", "rest")}


def check_counts(name, probe, of, records):
    n = numbers(of)
    if n["hits"] != sum(n[k] for k in ("recorded", "rejected", "lost", "idle", "skipped")):
        fail(f"{name}: {probe}: hits are not the sum: {n}")
    if n["lost"] or n["recorded"] != len(records):
        fail(f"{name}: {probe}: {len(records)} records of {n}")
    return n


def check_estimate(name, event, records, true, stated):
    """Checks the total, and the sum of lengths."""
    for estimate, truth in zip(stated["estimates"], true):
        off, error = estimate["total"] - truth, estimate["error"]
        print(f"{name}: {event}: {estimate['of']}: {estimate['total']:.0f} of {truth}, "
              f"standard error {error:.0f}")
        # Probability of so large an error in a good estimate: 1 / 150,000
        if abs(off) > 4.5 * error + 1e-6:
            fail(f"{name}: {event}: {estimate} is too far from {truth}")
        if not estimate["low"] <= estimate["total"] <= estimate["high"]:
            fail(f"{name}: {event}: {estimate}")


def check_sample(name, by, weights):
    sent = int((out / f"{name}.sent").read_text())
    if sent != 8000:
        fail(f"{name}: the kernel counts {sent} datagrams")
    listed, logged, stat = counts(out / f"{name}.txt"), events(out / f"{name}.evl"), sampled(name)
    for probe in ("udp_sendmsg", "udp_sendmsg+5", "inet_sendmsg"):
        event = next(e for e in logged if e.startswith(probe.replace("+", "_")) and
                     ("_5" in e) == ("+" in probe) and logged[e][1])
        fields, records = logged[event]
        if fields[0] != "weight:0:8:u":
            fail(f"{name}: {event}: fields {fields}")
        n = check_counts(name, probe, listed[probe], records)
        # Lengths are 300, 600 and 1000 bytes; inet_sendmsg's filter rejects 300.
        rejected = 2500 if probe == "inet_sendmsg" else 0
        true = 8000 - rejected, 2500 * 300 * (not rejected) + 2500 * 600 + 3000 * 1000
        if n["rejected"] != rejected or n["recorded"] + n["skipped"] != true[0]:
            fail(f"{name}: {probe}: {n} of {true[0]}")
        weight = [value(r, fields[0]) for r in records]
        if not set(weight) <= weights and weights:
            fail(f"{name}: {event}: weights {set(weight)}")
        if name == "time" and sum(weight) + n["rest"] != true[0]:
            fail(f"{name}: {event}: weights {sum(weight)}, rest {n['rest']}, of {true[0]}")
        if name == "count" and abs(sum(weight) - true[0]) >= 20 * CPUS:
            fail(f"{name}: {event}: weights {sum(weight)} of {true[0]}")
        if stat[event]["sample"]["by"] != by or stat[event]["count"] != len(records):
            fail(f"{name}: {event}: stat says {stat[event]}")
        if name == "time":
            # By time, the sum of lengths has an unknown bias. The part after the last records is
            # estimated, with an error of the same size.
            stat[event]["sample"]["estimates"] = stat[event]["sample"]["estimates"][:1]
        check_estimate(name, event, records, true, stat[event]["sample"])


def check_packets(name, seed):
    sent = 8000
    ids = {(1 << 32) + 64 * i for i in range(sent)}
    want = {number for number in ids if chosen(number, 50, seed)}
    listed, logged, stat = counts(out / f"{name}.txt"), events(out / f"{name}.evl"), sampled(name)
    stations = 0
    others = collections.Counter()
    for event, (fields, records) in logged.items():
        if not records:
            continue
        stations += 1
        key = next(f for f in fields if f.startswith("id:"))
        got = [int.from_bytes(raw(r, key), "little") for r in records]
        # Other tasks make system calls, too: their addresses may be in the sample.
        if event.startswith("__x64_sys_"):
            others[event] = sum(number not in ids for number in got)
            got = [number for number in got if number in ids]
        if sorted(got) != sorted(want):
            fail(f"{name}: {event} has {len(got)} of {len(want)}: {len(set(got) - want)} too many, "
                 f"{len(want - set(got))} are missing")
        if {value(r, fields[0]) for r in records} != {50}:
            fail(f"{name}: {event}: weights are not 50")
        check_estimate(name, event, records, (sent,), stat[event]["sample"])
    for probe, of in listed.items():
        n = numbers(of)
        skipped = n["skipped"] - (sent - len(want))
        if n["recorded"] != len(want) + others[probe.replace("+", "_")] or n["lost"] or \
                skipped < 0 or skipped and not probe.startswith("__x64_sys_"):
            fail(f"{name}: {probe}: {n}")
    if stations != 7 or len(listed) != 7:
        fail(f"{name}: {stations} stations, {len(listed)} probes")
    print(f"{name}: {len(want)} of {sent} packets, all at {stations} stations")
    return want


check_sample("all", "count", {1})
check_sample("count", "count", {20})
check_sample("probability", "probability", {33, 34})
check_sample("time", "time", set())
if check_packets("packets", SEED) == check_packets("packetsseed4711", 4711):
    fail("another seed chooses the same packets")
