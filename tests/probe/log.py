# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the events of probes in a log, and the lines of /proc/evtlog/probes."""
import collections
import heapq

import evl


def events(path):
    """Returns the fields, from the last format, and the payloads of each event's name.

    Successive probes of one name must have the same fields if both are recorded.
    """
    log, formats, payloads = evl.Log(path), {}, collections.defaultdict(list)
    # In the order of time, because the caller may change its CPU
    for record in heapq.merge(*map(log.records, log.cpus()), key=lambda record: record.ticks):
        name = log.name[record.type]
        if name == "event":
            payloads[evl.event_id(record)].append(evl.payload(record))
        elif name == "event_format":
            formats[evl.event_id(record)] = evl.payload(record).decode()
    evl.need(not log.lost(), f"{log.lost()} lost")
    result = {}
    for number, text in formats.items():
        name, fields = text.splitlines()[:2]
        payload, before = payloads.pop(number, []), result.get(name, ([], []))
        if before[1] and payload:
            evl.need(before[0] == fields.split(), f"{name}: fields {before[0]}, {fields}")
        if payload or not before[1]:
            result[name] = fields.split(), before[1] + payload
    evl.need(not payloads, f"events without a format: {list(payloads)}")
    return result


def raw(payload, field):
    _, offset, size, _ = field.split(":")
    return payload[int(offset):int(offset) + int(size)]


def value(payload, field):
    return int.from_bytes(raw(payload, field), "little", signed=field.endswith(":d"))


def counts(path):
    """Returns the numbers in each probe's line, by name."""
    result = {}
    for line in path.read_text().splitlines():
        word = line.split()
        if word[0] == "probe":
            last = word.index("spec")
            result[word[1]] = {word[i]: word[i + 1] for i in range(2, last, 2)}
    return result
