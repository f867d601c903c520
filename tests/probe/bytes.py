#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the output of bytes.sh: the bytes and the text that the module's calls point to, and the
bytes of packets from stream.c."""
import pathlib
import struct
import sys

from claims import fail
from log import counts, events, raw, value

out = pathlib.Path(sys.argv[1])
AREA = bytes((3 * i * i + 7 * i + 1) & 0xff for i in range(8192))
ARGUMENTS = (out / "arguments").read_bytes().replace(b"@", b"\0")


def memory(which, start, length):
    """Returns the bytes at an address; None if some are missing or unknown."""
    if which == 3:
        return ARGUMENTS[start:start + length] if start + length <= len(ARGUMENTS) else None
    begin = {0: 0, 1: 1, 2: len(AREA) - 12}.get(which, len(AREA)) + start
    return AREA[begin:begin + length] if begin + length <= len(AREA) else None


checked = faulted = 0
for length in (1, 7, 8, 9, 23, 1991):
    for kind in ("entry", "return"):
        listed, logged = counts(out / f"{kind}-{length}.txt"), events(out / f"{kind}-{length}.evl")
        for probe in listed:
            # Events of deleted probes are still in the log.
            name = probe.replace("+", "_").replace("%", "_")
            fields, payloads = logged[name]
            if len(payloads) != 6:
                fail(f"{name}, {length} bytes: {len(payloads)} calls of 6")
            faults = unknown = 0
            for which, payload in enumerate(payloads):
                where = f"{name}, {length} bytes, call {which}"
                if (value(payload, fields[0]), value(payload, fields[3])) != (which, which):
                    fail(f"{where}: {payload}")
                for field, start in ((fields[1], 0), (fields[2], 3)):
                    expected, found = memory(which, start, length), raw(payload, field)
                    if which == 3 and expected is None:
                        unknown += 1
                        continue
                    if found != (expected or bytes(length)):
                        fail(f"{where}, from {start}: {found}, not {expected}")
                    faults += expected is None
                    checked += 1
            if not 0 < faults <= int(listed[probe]["faults"]) <= faults + unknown:
                fail(f"{name}, {length} bytes: {listed[probe]['faults']} faults of {faults}")
            faulted += faults
        mechanisms = [probe["mechanism"] for probe in listed.values()]
        if mechanisms not in (["direct", "kprobe"], ["direct", "jump"], ["return"]):
            fail(f"{kind}: mechanisms {mechanisms}")
print(f"{checked} times as in memory, of which {faulted} were not there")


def text_at(which, length):
    """Returns the text as a C string of so many bytes; None if its end is missing."""
    begin = {0: 0, 1: 1, 2: len(AREA) - 12}.get(which, len(AREA))
    source = ARGUMENTS if which == 3 else AREA[begin:]
    found = source.split(b"\0")[0][:length - 1]
    # Without an end of the text, the kernel reads up to the last byte that has room.
    is_whole = b"\0" in source[:length] or len(source) >= length
    return found.ljust(length, b"\0") if is_whole else None


texts = faulted_texts = 0
for length in (1, 8, 13, 1991):
    for kind in ("text-entry", "text-return"):
        listed, logged = counts(out / f"{kind}-{length}.txt"), events(out / f"{kind}-{length}.evl")
        for probe, numbers in listed.items():
            fields, payloads = logged[probe.replace("+", "_").replace("%", "_")]
            faults = 0
            for which, payload in enumerate(payloads):
                expected, found = text_at(which, length), raw(payload, fields[1])
                if (value(payload, fields[0]), value(payload, fields[2])) != (which, which) or \
                        found != (expected or b"\0".ljust(length, b"\xff")):
                    fail(f"{probe}, str{length}, call {which}: {found}, not {expected}, or the mark of no text")
                faults += expected is None
                texts += 1
            if len(payloads) != 6 or int(numbers["faults"]) != faults or not faults:
                fail(f"{probe}, str{length}: {numbers['faults']} faults, not {faults}")
            faulted_texts += faults
print(f"{texts} times the text in memory, of which {faulted_texts} had no end there")


def words(first, start, length):
    """Returns bytes of the numbers that stream.c sends, starting with the number @first."""
    begin, end = start // 8, (start + length + 7) // 8
    sent = b"".join(struct.pack(">Q", first + i) for i in range(begin, end))
    return sent[start - 8 * begin:start - 8 * begin + length]


def cut(packet, start, length):
    return packet[start:start + length].ljust(length, b"\0")


def headers(data):
    """Returns (length of IP's and TCP's headers, TCP's fields); None for another protocol."""
    if data[0] >> 4 != 4 or data[9] != 6:
        return None
    ip = (data[0] & 15) * 4
    source, to, seq = struct.unpack(">HHI", data[ip:ip + 8])
    return ip + (data[ip + 12] >> 4) * 4, source, to, seq, data[ip + 13]


def whole_tcp(data, length, began):
    """Returns the packet that was sent, from its headers in @data."""
    told = headers(data)
    if not told or told[2] != 6001:
        return None
    begin, source, _, seq, flags = told
    if flags & 2:
        return data[:length]
    return data[:begin] + words(0, (seq - began[source] - 1) & 0xffffffff, length - begin)


def whole_udp(data, length, place):
    begin = 8 if place == "udp_rcv" else 28
    first, = struct.unpack(">Q", data[begin:begin + 8])
    return data[:begin] + words(first, 0, length - begin)


def check_packets(name, place, fields, payloads, least):
    """Checks the copied bytes of each packet. Some packets have pages or lists, or all are short.
    """
    paged = checked = 0
    # The start of each connection's numbers: another CPU may have recorded its SYN.
    told = [headers(raw(payload, fields[3])) for payload in payloads] if name == "tcp" else []
    began = {t[1]: t[3] for t in told if t and t[4] & 2}
    for payload in payloads:
        length, in_pages = value(payload, fields[0]), value(payload, fields[1])
        linear, start, far, text = (raw(payload, field) for field in fields[2:])
        packet = whole_tcp(start, length, began) if name == "tcp" else whole_udp(start, length, place)
        if packet is None:
            continue
        head = packet[:length - in_pages]
        for what, found, expected in (
                ("linear", linear, cut(head, 0, 1500)), ("start", start, cut(packet, 0, 1500)),
                ("far", far, cut(packet, 20000, 900)),
                ("text", text, head.split(b"\0")[0][:8].ljust(9, b"\0"))):
            if found != expected:
                at = next(i for i, (a, b) in enumerate(zip(found, expected)) if a != b)
                fail(f"{name}: {place}: {what} of {length} bytes, {in_pages} in pages, at {at}: "
                     f"{found[at:at + 16].hex()}, not {expected[at:at + 16].hex()}")
        checked += 1
        paged += in_pages > 0 and length > 20900
    if checked < least or paged < (0 if name == "short" else 5):
        fail(f"{name}: {place}: only {checked} packets, {paged} of them in pages")
    return checked, paged


for name, least in (("tcp", 10), ("short", 20), ("pages", 10), ("lists", 10)):
    listed, logged = counts(out / f"packets-{name}.txt"), events(out / f"packets-{name}.evl")
    for place, numbers in listed.items():
        wanted = {"ip_rcv": ("kprobe", "jump"), "ip_rcv%return": ("return",)}.get(place, ("direct",))
        if numbers["mechanism"] not in wanted:
            fail(f"{name}: {place}: {numbers['mechanism']}")
        if place.endswith("%return"):
            continue
        checked, paged = check_packets(name, place, *logged[place], least)
        print(f"{name}: {place}: {checked} packets as they were sent, {paged} of them large")
    if any(int(numbers["faults"]) for numbers in listed.values()):
        fail(f"{name}: faults: {listed}")
