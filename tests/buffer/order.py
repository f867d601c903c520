#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""order.py DIRECTORY - checks that a global named buffer's records are complete and in order.

Decodes the buffer by abi.h only. Each record contains a ticket, which the module took from one
counter of all CPUs. The buffer must contain the tickets 1, 2, 3 and so on.
"""
import json
import os
import re
import sys

import evl
from claims import claim, finish

NAMED, GLOBAL = 0x10, 0x20
TIME, LOST, EVENT, EVENT_FORMAT, ON_CPU = 1, 2, 42, 43, 44


class Ring:
    """All buffers: from the first to the last record, times never step back."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.tickets, self.formats, self.told, self.switches = [], 0, 0, 0
        self.lost, self.last, at, k = [0] * 4, 0, 0, 0
        while at < len(data):
            used = int.from_bytes(data[at + 20:at + 24], "little")
            buffer = evl.Buffer(data[at:at + used])
            evl.need(buffer.sequence == k and buffer.flags & NAMED and buffer.flags & GLOBAL,
                     f"{path}: buffer {k}")
            self.lost = [a + b for a, b in zip(self.lost, buffer.lost)]
            self.take(buffer)
            at, k = at + used, k + 1
        self.buffers = k

    def take(self, buffer):
        words, at, high, where = buffer.words, 0, buffer.begin_ticks >> 32, None
        evl.need(self.last <= buffer.begin_ticks, "a buffer begins before the last record")
        while at < len(words):
            first = words[at]
            kind, data = first >> 32 & 63, first >> 38
            if kind == TIME:
                high = words[at + 1] >> 32
            ticks = high << 32 | first & 0xffffffff
            evl.need(self.last <= ticks <= buffer.end_ticks, "time steps back")
            self.last = ticks
            if kind in (TIME, ON_CPU):
                if kind == ON_CPU:
                    self.switches += where is not None and where[0] != data
                    where = (data, words[at + 1])
                at += 2
            elif kind == LOST:
                self.told += words[at + 1]
                at += 4
            else:
                evl.need(kind in (EVENT, EVENT_FORMAT) and where, f"type {kind} at {at}")
                size = data >> 14
                if kind == EVENT:
                    payload = words[at + 1:at + 1 + (size + 7) // 8].tobytes()
                    ticket = int.from_bytes(payload[:8], "little")
                    own = (int.from_bytes(payload[8:12], "little"),
                           int.from_bytes(payload[12:16], "little"))
                    evl.need(own == where, f"ticket {ticket} of {own} is told of {where}")
                    evl.need(payload[16:] == bytes([ticket & 255]) * (size - 16), "torn")
                    self.tickets.append(ticket)
                else:
                    self.formats += 1
                at += 1 + (size + 7) // 8


def said(base, name):
    with open(os.path.join(base, name + ".txt")) as file:
        return [int(n) for n in re.findall(r"put (\d+) refused (\d+) tickets (\d+)",
                                           file.read())[0]]


def check_read(base):
    ring, (put, refused, tickets) = Ring(os.path.join(base, "read")), said(base, "read")
    claim(ring.tickets == list(range(1, tickets + 1)) and put == tickets > 12000 and not refused,
          f"{put} tickets of 3 CPUs in order, none is missing")
    claim(ring.switches > 5, f"they come from another CPU than before {ring.switches} times")
    claim(ring.lost == [0, 0, 0, 0] and ring.formats == 1, "nothing is lost, one format")
    with open(os.path.join(base, "status.txt")) as file:
        status = file.read()
    claim(f" records {put} rejected 0 lost 0 " in status and status.count("\ncpu ") == 1,
          "status says the same")
    with open(os.path.join(base, "list.json")) as file:
        listed = json.load(file)
    claim(len(listed) == 1 and listed[0]["global"] is True and listed[0]["records"] == put,
          f"list: {listed}")


def check_lossy(base):
    ring, (put, refused, tickets) = Ring(os.path.join(base, "lossy")), said(base, "lossy")
    claim(ring.tickets == list(range(1, tickets + 1)) and put == tickets > 50,
          f"nobody reads: {put} tickets in order")
    claim(ring.lost == [refused, 0, 0, 0] and refused > 1000 and ring.told == refused,
          f"nobody reads: {refused} refused, {ring.lost[0]} counted as lost")


def check_file(base):
    (put, refused, _), (put2, refused2, _) = said(base, "file"), said(base, "again")
    with open(os.path.join(base, "file.json")) as file:
        events = [json.loads(line) for line in file]
    found = [e for e in events if e["event"] == "event"]
    lost = sum(e.get("lost", 0) or 0 for e in events)
    claim(len(found) == put + put2 > 400 and lost == refused + refused2,
          f"a file: {len(found)} of {put + put2} events, {lost} of {refused + refused2} lost")
    fields = [e["fields"] for e in found]
    tickets = [f["payload"]["ticket"] if "payload" in f else f["ticket"] for f in fields]
    claim(tickets == list(range(1, put + 1)) + list(range(1, put2 + 1)), "in order")
    claim(all(e["cpu"] == (e["fields"].get("payload") or e["fields"])["cpu"] and
              e["current_pid"] == (e["fields"].get("payload") or e["fields"])["pid"]
              for e in found), "each with its CPU and task")
    with open(os.path.join(base, "file.dump")) as file:
        lines = [line for line in file if " ordered " in line]
    claim(len(lines) == len(found) and len({line.split()[1] for line in lines}) >= 3,
          f"dump: {lines[0].strip() if lines else None}")
    with open(os.path.join(base, "file.stat")) as file:
        stat = file.read()
    told = [line for line in stat.splitlines() if line.startswith("ordered ")]
    claim(sum(int(line.split()[1]) for line in told) == len(found), f"stat: {told}")


def main():
    base = sys.argv[1]
    check_read(base)
    check_lossy(base)
    check_file(base)
    finish()


main()
