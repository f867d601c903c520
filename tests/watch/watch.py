#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""watch.py DIRECTORY - did watches match what is in the log beside, and nothing else?

The rules are modelled anew here, naively, over all records of a run, by abi.h alone: who matches
with whom follows from comparing each with each.
"""
import bisect
import collections
import json
import os
import re
import struct
import sys

import evl
from claims import claim, finish

Event = collections.namedtuple("Event", "ticks cpu name fields")


def read_events(log):
    """Of all CPUs, by time: wa, wb, wakings and switches."""
    names, events = {}, []
    kinds = {log.number[name]: name for name in ("sched_waking", "sched_switch")}
    for cpu in log.cpus():
        for record in log.records(cpu):
            if record.type == log.number["event_format"]:
                names[evl.event_id(record)] = evl.payload(record).split(b"\n")[0].decode()
    for cpu in log.cpus():
        for record in log.records(cpu):
            if record.type in kinds:
                events.append(Event(record.ticks, cpu, kinds[record.type],
                                    {"pid": record.data & 0x3fffff}))
            elif record.type == log.number["event"]:
                key, seq, delta = struct.unpack_from("<IIh", evl.payload(record))
                events.append(Event(record.ticks, cpu, names[evl.event_id(record)],
                                    {"key": key, "seq": seq, "delta": delta}))
    return sorted(events, key=lambda event: (event.ticks, event.cpu))


def key_of(event, same):
    return event.fields[same] if same else None


def by_key(events, same):
    found = collections.defaultdict(list)
    for event in events:
        found[key_of(event, same)].append(event)
    return found


def model_then(first, then, same, least, most):
    """For each B: the earliest A behind the last B, of its key, that is old enough."""
    waiting, found = by_key(first, same), set()
    for key, ends in by_key(then, same).items():
        last = -1
        for b in ends:
            fits = [a for a in waiting[key] if last <= a.ticks < b.ticks and
                    least <= b.ticks - a.ticks <= most]
            if fits:
                found.add((fits[0].ticks, b.ticks))
            last = b.ticks
    return found


def model_without(first, then, same, most):
    ends = {key: [b.ticks for b in found] for key, found in by_key(then, same).items()}
    found = set()
    for a in first:
        its = ends.get(key_of(a, same), [])
        at = bisect.bisect_right(its, a.ticks)
        if at == len(its) or its[at] > a.ticks + most:
            found.add((a.ticks, None))
    return found


def read_matches(path):
    found, missed = collections.defaultdict(list), 0
    with open(path) as file:
        for line in file:
            if line.startswith("missed"):
                missed += int(line.split()[1])
                continue
            fields = re.match(r"match \d+ watch (\S+) do (\w+) result (-?\d+) time_ns (\d+) "
                              r"span_ns (\d+) a ticks (\d+) cpu (\d+) (.*)\n", line)
            if not fields:
                claim(False, f"a match that is none: {line}")
                continue
            b = re.search(r" b ticks (\d+) ", fields[8])
            found[fields[1]].append((int(fields[6]), int(b[1]) if b else None, fields))
    return found, missed


def check_rules(directory):
    log = evl.Log(os.path.join(directory, "run.evl"))
    claim(not log.lost(), "the run lost nothing")
    events = read_events(log)
    wa = [event for event in events if event.name == "wa"]
    wb = [event for event in events if event.name == "wb"]
    hz = log.ticks_hz

    def ticks(us):
        return us * hz // 1000000

    waking = [e for e in events if e.name == "sched_waking"]
    switch = [e for e in events if e.name == "sched_switch"]
    model = {
        "then": model_then(wa, wb, "key", 0, ticks(2000)),
        "without": model_without(wa, wb, "key", ticks(2000)),
        "slow": model_then([a for a in wa if a.fields["key"] == 3 and a.fields["delta"] < 0],
                           [b for b in wb if b.fields["key"] == 5], None, ticks(1000), ticks(20000)),
        "self": model_then([b for b in wb if b.fields["key"] < 4],
                           wb, "key", 0, ticks(500)),
        "alone": {(a.ticks, None) for a in wa if a.cpu == 1 and
                  (a.fields["seq"] == 5 or 70 <= a.fields["seq"] <= 75)},
        "sched": model_then(waking, switch, "pid", ticks(1000), ticks(100000)),
    }
    matches, missed = read_matches(os.path.join(directory, "matches"))
    claim(not missed, f"the reader of matches missed {missed}")
    for name, expected in model.items():
        found = [match[:2] for match in matches[name]]
        claim(len(found) == len(set(found)), f"{name}: no match is told twice")
        lacking, more = expected - set(found), set(found) - expected
        claim(expected and not lacking and not more,
              f"{name}: {len(found)} matches, of {len(expected)} in the log of {len(events)}: "
              f"{len(lacking)} are missing, {len(more)} are wrong")
        for a, b in sorted(lacking | more, key=lambda match: match[0])[:4]:
            near = [e for e in events if a - ticks(100) <= e.ticks <= (b or a + ticks(2000)) + ticks(100)]
            print(f"      A at {a}, B at {b}, 2 ms are {ticks(2000)} ticks:",
                  *(f"{e.name} {e.fields} of CPU {e.cpu} at {e.ticks}" for e in near
                    if e.name in ("wa", "wb")), sep="\n        ")
        for a, b, fields in matches[name]:
            if b and abs(int(fields[5]) - (b - a) * 1000000000 // hz) > 1:
                claim(False, f"span_ns of {fields[0]}")
                break
    with open(os.path.join(directory, "watches")) as file:
        for line in file:
            numbers = dict(re.findall(r"(matches|untold|forgotten|missed|lost) (\d+)", line))
            if line.startswith("watch"):
                claim(all(numbers[name] == "0" for name in ("untold", "missed", "lost")),
                      line.strip())


def read_global(log):
    """Of one ring of all CPUs, whose records say when the CPU is another one."""
    names, events, on_cpu = {}, [], None
    for record in log.records(log.cpus()[0]):
        if record.type == log.number["event_format"]:
            names[evl.event_id(record)] = evl.payload(record).split(b"\n")[0].decode()
        elif record.type == log.number["on_cpu"]:
            on_cpu = record.data
        elif record.type == log.number["event"]:
            key, seq, delta = struct.unpack_from("<IIh", evl.payload(record))
            events.append(Event(record.ticks, on_cpu, names[evl.event_id(record)],
                                {"key": key, "seq": seq, "delta": delta}))
    return events


def check_global(directory):
    log = evl.Log.of_named(os.path.join(directory, "global.evl"))
    events, within = read_global(log), 2000 * log.ticks_hz // 1000000
    wa = [event for event in events if event.name == "wa"]
    wb = [event for event in events if event.name == "wb"]
    model = {
        "then": model_then(wa, wb, "key", 0, within),
        "without": model_without(wa, wb, "key", within),
        "alone": {(a.ticks, None) for a in wa if a.cpu == 1 and
                  (a.fields["seq"] == 5 or 70 <= a.fields["seq"] <= 75)},
    }
    matches, missed = read_matches(os.path.join(directory, "matches.global"))
    claim(not missed, f"global: the reader of matches missed {missed}")
    for name, expected in model.items():
        found = [match[:2] for match in matches[name]]
        claim(expected and set(found) == expected and len(found) == len(expected),
              f"global, {name}: {len(found)} matches, of {len(expected)} in {len(events)} events")
        cpus = {event.ticks: event.cpu for event in wa}
        claim(all(int(fields[7]) == cpus[a] for a, _, fields in matches[name] if a in cpus),
              f"global, {name}: each of its CPU")


def check_cost(directory):
    def first(name):
        with open(os.path.join(directory, name)) as file:
            return float(file.read().split()[0])
    used = (first("after") - first("before")) / 1e9
    took = first("uptime.after") - first("uptime.before")
    idle = first("idle.end") - first("idle")
    rounds = first("rounds.idle.end") - first("rounds.idle")
    print(f"      no run: {rounds:.0f} rounds in a second, {idle / rounds / 1000:.0f} us each")
    print(f"      the thread took {used * 1000:.0f} ms of {took:.1f} s, "
          f"{100 * used / took:.1f} % of a CPU")


def check_flight(directory):
    log_path = os.path.join(directory, "flight.evl")
    matches, _ = read_matches(os.path.join(directory, "kept"))
    claim(len(matches["crash"]) == 1, "the flight recorder has one match")
    at, _, fields = matches["crash"][0]
    said = re.search(r"whole (\d) kept_ns (-?\d+)", fields[8])
    claim(said and said[1] == "1" and int(said[2]) >= 50000000, f"it is whole: {said[0]}")
    log = evl.Log.of_named(log_path)
    events, hz = read_events(log), log.ticks_hz
    for cpu in log.cpus():
        mine = [event for event in events if event.cpu == cpu]
        seqs = [event.fields["seq"] for event in mine]
        claim(seqs == list(range(seqs[0], seqs[0] + len(seqs))),
              f"CPU {cpu}: {len(seqs)} events, {seqs[0]} to {seqs[-1]}, none is missing")
        claim(seqs[0] > 0, f"CPU {cpu}: older ones were overwritten")
        before = (at - mine[0].ticks) * 1000 / hz
        after = (mine[-1].ticks - at) * 1000 / hz
        claim(before >= 45 and after >= 15,
              f"CPU {cpu}: from {before:.1f} ms before the match to {after:.1f} ms after it")
        for k, buffer in enumerate(log.buffers[cpu]):
            claim(buffer.sequence == k and bool(buffer.flags & evl.FIRST) == (k == 0),
                  f"CPU {cpu}: buffer {k}")


def check_flood(directory):
    matches, missed = read_matches(os.path.join(directory, "flooded"))
    with open(os.path.join(directory, "flood")) as file:
        line = file.read()
    numbers = {name: int(number) for name, number in
               re.findall(r"(matches|untold|forgotten|missed|records) (\d+)", line)}
    found = [fields for _, _, fields in matches["flood"]]
    same = [f for f in found if len(set(re.findall(r"key=(\d+)", f[8]))) == 1 and
            0 < int(f[5]) <= 2000000]
    claim(numbers["missed"] > 0, f"flood: {numbers['missed']} buffers were missed, and counted; "
          f"{numbers['records']} of 40000 records were looked at")
    claim(len(same) == len(found), f"flood: {len(found)} matches are of one key, within 2 ms")
    claim(len(found) + missed + numbers["untold"] == numbers["matches"],
          f"flood: {numbers['matches']} matches, {numbers['untold']} untold, {missed} not read")


def check_started(directory):
    matches, _ = read_matches(os.path.join(directory, "started"))
    log = evl.Log(os.path.join(directory, "started.evl"))
    hz = log.ticks_hz
    claim(log.text["run_name"] == "go", f"the run is named {log.text['run_name']}")
    go, halt = matches["go"][0], matches["halt"][0]
    claim(go[2][3] == "0" and halt[2][3] == "0", "start and stop were obeyed")
    end = max(buffers[-1].end_ticks for buffers in log.buffers.values())
    begins = (log.start() - go[0]) * 1000 / hz
    ends = (end - halt[0]) * 1000 / hz
    claim(0 <= begins < 200, f"the run begins {begins:.2f} ms after its event")
    claim(0 <= ends < 200, f"the run ends {ends:.2f} ms after its event")


def check_commands(directory):
    with open(os.path.join(directory, "flight.json")) as file:
        match = json.load(file)
    claim(match["a"]["event"] == "udp_sendmsg" and match["a"]["fields"]["len"] == 333 and
          match["b"]["event"] == "ip_send_skb" and match["whole"], f"evtlog buffer record --when: {match}")
    with open(os.path.join(directory, "udp.dump")) as file:
        text = file.read()
    sent = len(re.findall(r"udp_sendmsg.*len=?\W*111", text))
    claim(sent == 200 and len(re.findall(r" ip_send_skb ", text)) == 201,
          f"the file has {sent} of 200 datagrams before it")
    with open(os.path.join(directory, "wait.json")) as file:
        found = [json.loads(line) for line in file]
    claim([(m["a"]["fields"]["len"], m["b"]["fields"]["len"]) for m in found] == [(5, 6)] * 2,
          f"evtlog buffer wait: {len(found)} matches")
    claim(all("cpu" in m[side] and "cpu" not in m[side]["fields"] for m in found for side in "ab"),
          "each has its CPU once")
    with open(os.path.join(directory, "list.json")) as file:
        net, rule = json.load(file)
    claim(net["name"] == "net" and net["kb"] == 16 and "rule" not in net, "evtlog buffer list: the buffer")
    claim(rule["name"] == "two" and rule["matches"] == 2 and not rule["missed"] and "len==5" in rule["rule"],
          "evtlog buffer list: the rule")


def main(directory):
    check_rules(directory)
    check_cost(directory)
    check_flight(directory)
    check_global(directory)
    check_flood(directory)
    check_started(directory)
    check_commands(directory)
    finish()


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except evl.Wrong as wrong:
        print(f"WRONG {wrong}")
        sys.exit(1)
