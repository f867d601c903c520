#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the output of btf.sh: each value is what the programs sent, read and received."""
import collections
import pathlib
import socket
import struct
import sys

from claims import fail
from log import counts, events, raw, value

out = pathlib.Path(sys.argv[1])
logged, listed = events(out / "btf.evl"), counts(out / "btf.txt")
SENT = {(300, 5555): 100, (40, 7777): 50}


def want(what, found, expected):
    if found != expected:
        fail(f"{what}: {found}, not {expected}")
    print(f"{what}: {expected}")


def of(name, fields):
    told, payloads = logged[name]
    want(f"{name}'s fields", told, fields)
    return told, payloads


fields, payloads = of("udp_sendmsg", ["sk:0:8:x", "len:8:8:u", "port:16:8:u", "family:24:8:u"])
want("udp_sendmsg: length, port", dict(collections.Counter(
    (value(p, fields[1]), value(p, fields[2])) for p in payloads)), SENT)
want("udp_sendmsg: family", {value(p, fields[3]) for p in payloads}, {socket.AF_INET})

fields, payloads = of("ip_send_skb", [
    "skb_len:0:8:u", "skb_data:8:64:b", "skb_ip_summed:72:8:u", "skb_sk_sk_protocol:80:8:u",
    "to:88:4:4", "port:96:2:n"])
found = collections.Counter()
for p in payloads:
    data = raw(p, fields[1])
    port, to, length = struct.unpack(">HHH", data[20:26])
    body = b"evtlog's probe".ljust(40, b"\0")[:36]
    # Source and destination: the loopback address
    if data[0] != 0x45 or data[9] != 17 or data[12:20] != bytes([127, 0, 0, 1] * 2) or \
            to != 9 or data[28:64] != body:
        fail(f"ip_send_skb: bytes {data.hex()}")
    if raw(p, fields[4]) != data[16:20] or raw(p, fields[5]) != data[20:22]:
        fail(f"ip_send_skb: address or port of {p.hex()}")
    if value(p, fields[0]) != length + 20:
        fail(f"ip_send_skb: length {value(p, fields[0])} of {length} in its UDP header")
    found[length - 8, port] += 1
want("ip_send_skb: length, port in the bytes", dict(found), SENT)
want("ip_send_skb: a bit field, CHECKSUM_PARTIAL", {value(p, fields[2]) for p in payloads}, {3})
want("ip_send_skb: protocol, four pointers on", {value(p, fields[3]) for p in payloads},
     {socket.IPPROTO_UDP})

fields, payloads = of("__dev_queue_xmit", ["skb_dev_name:0:16:c"])
want("__dev_queue_xmit: text", {raw(p, fields[0]).rstrip(b"\0") for p in payloads}, {b"lo"})

fields, payloads = of("vfs_read_return", ["retval:0:8:d", "count:8:8:u"])
read = collections.Counter()
for p in payloads:
    if value(p, fields[1]) in (777, 333, 517):
        read[value(p, fields[1]), value(p, fields[0])] += 1
want("vfs_read: count, result", dict(read), {
    (777, 777): 500, (333, 333): 3, (333, 1): 1, (333, 0): 2, (517, -21): 3})
want("vfs_read: mechanism", listed["vfs_read%return"]["mechanism"], "return")

# No program listens, so ICMP answers; the function still returns 0.
want("udp_rcv: no result but 0", logged["udp_rcv_return"][1], [])
want("udp_rcv: rejected", int(listed["udp_rcv%return"]["rejected"]), sum(SENT.values()))
want("faults", {int(p["faults"]) for p in listed.values()}, {0})
