#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""buffer.py DIRECTORY - checks that each event sent to a named buffer is in the buffer or counted.

Decodes the contents of the cpuN files by abi.h only. The module's records have numbers, and the
module prints how many records it put. The kernel counts the datagrams.
"""
import collections
import json
import os
import sys

import evl
from claims import claim, finish

NAMED = 0x10
TIME, LOST, EVENT, EVENT_FORMAT = 1, 2, 42, 43


class Part:
    """The output of one CPU: its buffers, events and formats"""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.buffers, self.events, self.formats = [], [], {}
        self.told = 0
        self.without_format = 0
        at = 0
        while at < len(data):
            used = int.from_bytes(data[at + 20:at + 24], "little")
            self.buffers.append(evl.Buffer(data[at:at + used]))
            at += used
        for k, buffer in enumerate(self.buffers):
            evl.need(buffer.sequence == k and bool(buffer.flags & evl.FIRST) == (k == 0),
                     f"{path}: buffer {k}")
            evl.need(buffer.flags & NAMED and buffer.run_name == "net", f"{path}: its name")
            evl.need(bool(buffer.flags & evl.FINAL) == (k == len(self.buffers) - 1),
                     f"{path}: buffer {k} of {len(self.buffers)}: FINAL")
            self.take(buffer)

    def take(self, buffer):
        words, at, high = buffer.words, 0, buffer.begin_ticks >> 32
        last = buffer.begin_ticks
        while at < len(words):
            first = words[at]
            kind, data = first >> 32 & 63, first >> 38
            if kind == TIME:
                high = words[at + 1] >> 32
            ticks = high << 32 | first & 0xffffffff
            evl.need(last <= ticks <= buffer.end_ticks, "order in time")
            last = ticks
            if kind == TIME:
                at += 2
                continue
            if kind == LOST:
                evl.need(at == 0 and words[1] == buffer.lost[0], "a loss is told twice alike")
                evl.need(words[2] <= words[3] <= buffer.begin_ticks, "the interval of a loss")
                self.told += words[1]
                at += 4
                continue
            evl.need(kind in (EVENT, EVENT_FORMAT), f"type {kind}")
            size = data >> 14
            payload = words[at + 1:at + 1 + (size + 7) // 8].tobytes()
            evl.need(payload[size:] == bytes(-size % 8), "padding")
            if kind == EVENT:
                self.without_format += data & 0x3fff not in self.formats
                self.events.append((data & 0x3fff, payload[:size]))
            else:
                self.formats[data & 0x3fff] = payload[:size].decode()
            at += 1 + (size + 7) // 8

    def lost(self):
        return [sum(b.lost[cause] for b in self.buffers) for cause in range(4)]


def parts(directory):
    return [Part(os.path.join(directory, name)) for name in sorted(os.listdir(directory))]


def read_said(path):
    sums = collections.Counter()
    with open(path) as file:
        for line in file:
            words = line[line.index("evtlog_event_test:"):].split()
            for answer, count in zip(words[4::2], words[5::2]):
                sums[answer] += int(count)
    return sums


def sums(cpus):
    return [sum(c) for c in zip(*(cpu.lost() for cpu in cpus))]


def check_module(base):
    cpus, said = parts(os.path.join(base, "whole")), read_said(os.path.join(base, "whole.txt"))
    found = sum(len(cpu.events) for cpu in cpus)
    claim(found == said["ok"] > 1000, f"{said['ok']} put, {found} in the named buffer")
    for number, cpu in enumerate(cpus):
        heads = collections.defaultdict(list)
        for _, data in cpu.events:
            if data:
                evl.need(data[:4] == number.to_bytes(4, "little"), "of another CPU")
                heads[data[4]].append(int.from_bytes(data[8:16], "little"))
        evl.need(all(h == sorted(set(h)) for h in heads.values()) and len(heads) == 3,
                 f"CPU {number}: order")
        claim(list(cpu.formats.values()) == [
            "sample\ncpu:0:4:u place:4:4:u sequence:8:8:u ecalp:4:4:n pattern:16:0:b\n"] and
            {i for i, _ in cpu.events} == set(cpu.formats), f"CPU {number}: its format is there")
    claim(sums(cpus) == [0, 0, 0, 0], "nothing is lost")
    with open(os.path.join(base, "run.count")) as file:
        in_run = int(file.read())
    claim(in_run == 0, f"{in_run} of them are in the run that recorded meanwhile")
    with open(os.path.join(base, "events.txt")) as file:
        line = file.read()
    claim(line.split()[2:] == ["sample", "cpu:0:4:u", "place:4:4:u", "sequence:8:8:u",
                               "ecalp:4:4:n", "pattern:16:0:b"], f"events: {line.strip()}")
    with open(os.path.join(base, "status.txt")) as file:
        status = file.read()
    claim(f" records {found} rejected 0 lost 0 " in status, "status says the same")


def check_lossy(base):
    cpus, said = parts(os.path.join(base, "lossy")), read_said(os.path.join(base, "lossy.txt"))
    found, lost = sum(len(cpu.events) for cpu in cpus), sums(cpus)
    claim(found == said["ok"], f"nobody reads: {said['ok']} put, {found} read at the end")
    claim(lost == [said["nobufs"], 0, 0, 0] and lost[0] > 1000,
          f"nobody reads: {said['nobufs']} found no room, {lost[0]} counted as lost")
    claim(sum(cpu.told for cpu in cpus) == lost[0], "each with the interval in which it was")


def check_probe(base):
    cpus = parts(os.path.join(base, "probe"))
    with open(os.path.join(base, "sent")) as file:
        sent = int(file.read())
    names = {i: text.split("\n")[0] for cpu in cpus for i, text in cpu.formats.items()}
    counts, lengths = collections.Counter(), collections.Counter()
    for cpu in cpus:
        for i, data in cpu.events:
            counts[names[i]] += 1
            if names[i] == "udp_sendmsg":
                lengths[int.from_bytes(data[:4], "little")] += 1
    with open(os.path.join(base, "probes.txt")) as file:
        text = file.read()
    said = {w[1]: dict(zip(w[2:18:2], w[3:19:2])) for w in map(str.split, text.splitlines())
            if w[0] == "probe"}
    trap = {key: int(said["udp_sendmsg+5"][key]) for key in ("hits", "recorded", "lost")}
    claim(sent == 2200 == counts["udp_sendmsg"] == int(said["udp_sendmsg"]["recorded"]),
          f"{sent} datagrams, {dict(counts)}")
    claim(dict(lengths) == {111: 1000, 222: 500, 333: 700}, f"lengths {dict(lengths)}")
    # A breakpoint probe runs as in an NMI, until the kernel has replaced it with a jump.
    claim(trap["hits"] == sent and trap["recorded"] == counts["udp_sendmsg_5"] > 100 and
          sums(cpus) == [0, trap["lost"], 0, 0], f"in the function: {trap}, lost {sums(cpus)}")
    buffers = [b for cpu in cpus for b in cpu.buffers]
    claim(all(b.flags & evl.FLUSHED for b in buffers) and len(buffers) > 4,
          f"urgent ones are passed on at once: {len(buffers)} buffers, none full")


def check_file(base):
    with open(os.path.join(base, "file.dump")) as file:
        events = [line for line in file if " udp_sendmsg  " in line]
    claim(len(events) == 100 and all(" len=444" in e for e in events),
          f"a file: {len(events)} of 100 events, as {events[0].strip() if events else None}")
    with open(os.path.join(base, "list.json")) as file:
        listed = json.load(file)
    claim([b["name"] for b in listed] == ["net"] and listed[0]["records"] == 100 and
          listed[0]["rejected"] == 50 and listed[0]["filter"] == 'comm!="other"' and listed[0]["events"] == "udp_*", f"list: {listed}")


def check_hotplug(base):
    cpus = parts(os.path.join(base, "hotplug"))
    counts = [len(cpu.events) for cpu in cpus]
    claim(counts == [10, 30] and sums(cpus) == [0, 0, 0, 0],
          f"a CPU goes and comes back: {counts} events of 10, 30")
    without = [cpu.without_format for cpu in cpus]
    claim(without == [0, 0], f"each CPU's formats precede its events: {without} events have none")


def check_sampled(base):
    cpus = parts(os.path.join(base, "sampled"))
    with open(os.path.join(base, "sampled.time")) as file:
        begin, end = map(float, file.read().split())
    with open(os.path.join(base, "sampled.txt")) as file:
        words = next(line.split() for line in file if line.startswith("probe "))
    said = {k: int(words[words.index(k) + 1]) for k in ("hits", "recorded", "skipped")}
    most = 2 * ((end - begin + 0.02) / 0.02 + 1)
    found = [data for cpu in cpus for _, data in cpu.events]
    weights = sum(int.from_bytes(data[:8], "little") for data in found)
    claim(said["hits"] == 3000 == said["recorded"] + said["skipped"] and
          0 < len(found) == said["recorded"] <= most,
          f"a sample by time: {len(found)} of 3000, at most {most:.0f} in {end - begin:.2f} s")
    claim(0 < weights <= 3000, f"they stand for {weights} hits")


def main():
    base = sys.argv[1]
    check_module(base)
    check_lossy(base)
    check_probe(base)
    check_file(base)
    check_hotplug(base)
    check_sampled(base)
    finish()


main()
