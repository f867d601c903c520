#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the output of probe.sh: counts equal the kernel's, records equal the sent data."""
import collections
import json
import pathlib
import sys

from claims import fail
from log import counts, events, value

out = pathlib.Path(sys.argv[1])
sent = int((out / "sent").read_text())
if sent != 3000:
    fail(f"the kernel counts {sent} datagrams")
listed, logged = counts(out / "probes.txt"), events(out / "values.evl")
for name, event in (("udp_sendmsg", "udp_sendmsg"), ("ip_send_skb", "ip_send_skb"),
                    ("udp_sendmsg+5", "udp_sendmsg_5"),
                    ("__x64_sys_sendto", "__x64_sys_sendto")):
    of = listed[name]
    numbers = [int(of[n]) for n in ("recorded", "rejected", "lost")]
    # logd's pings for the clock use this system call, too.
    others = numbers[1] if name == "__x64_sys_sendto" else 0
    if numbers != [sent, others, 0]:
        fail(f"{name}: recorded, rejected, lost {numbers} of {sent}")
    if int(of["hits"]) != sent + others + int(of["idle"]):
        fail(f"{name}: {of['hits']} hits")
    if len(logged[event][1]) != sent:
        fail(f"{event}: {len(logged[event][1])} records of {sent}")
    print(f"{name}: {of['mechanism']}, {sent} records of as many datagrams")
want = collections.Counter({111: 1000, 222: 1000, 333: 1000})
for event, index in (("udp_sendmsg", 1), ("udp_sendmsg_5", 0)):
    fields, payloads = logged[event]
    lengths = collections.Counter(value(p, fields[index]) for p in payloads)
    if lengths != want:
        fail(f"{event}: lengths {lengths}")
fields, payloads = logged["udp_sendmsg"]
if fields != ["sk:0:8:x", "len:8:8:u"]:
    fail(f"udp_sendmsg: fields {fields}")
if len({value(p, fields[0]) for p in payloads}) not in (1, 2, 3):
    fail("three sockets have more addresses")
if any(value(p, fields[0]) >> 47 != 0x1ffff for p in payloads):
    fail("a socket is not in the kernel")
# init_net's bytes are constant, and unreadable memory gives 0.
fields, payloads = logged["ip_send_skb"]
if len({p[16:32] for p in payloads}) != 1 or not any(payloads[0][16:32]):
    fail("16 bytes of a network namespace differ")
if {value(p, fields[1]) for p in payloads} == {0} and int(listed["ip_send_skb"]["faults"]) != sent:
    fail(f"{listed['ip_send_skb']['faults']} faults of {sent}")
told = {p["name"]: p for p in json.loads((out / "list.json").read_text())}
if told["udp_sendmsg"]["hits"] != sent or told["udp_sendmsg"]["why"] is not None or \
        not told["udp_sendmsg+5"]["why"]:
    fail(f"--json: {told}")

listed, logged = counts(out / "filtered.txt"), events(out / "filtered.evl")
for name, recorded, rejected in (("udp_sendmsg", 300, 500), ("ip_send_skb+5", 0, 800)):
    numbers = [int(listed[name][n]) for n in ("recorded", "rejected", "lost")]
    if numbers != [recorded, rejected, 0]:
        fail(f"{name}: recorded, rejected, lost {numbers}")
# The event of the deleted probe with this name may still be in the log.
fields, payloads = next(event for name, event in logged.items()
                        if name.startswith("udp_sendmsg") and event[1])
if {value(p, fields[0]) for p in payloads} != {1200} or len(payloads) != 300:
    fail("the filter passed something else")
print("the filter passed 300 of 800")

# "ADDRESS k FUNCTION+0xOFFSET [OPTIMIZED]"
jumps = {}
for line in (out / "kprobes.txt").read_text().splitlines():
    function, offset = line.split()[2].split("+")
    jumps[f"{function}+{int(offset, 16)}"] = "[OPTIMIZED]" in line
told, why = {}, {}
for line in (out / "mechanisms.txt").read_text().splitlines():
    words = line.split()
    if words[0] == "probe":
        told[words[1]] = words[5]
    elif words[0] == "why":
        why[words[1]] = line
for name, mechanism in told.items():
    if mechanism != ("jump" if jumps[name] else "kprobe"):
        fail(f"{name}: {mechanism}, and the kernel has {jumps[name]}")
    if (mechanism == "kprobe") != ("by a jump" in why[name]):
        fail(f"{name}: {mechanism}: {why[name]}")
print(f"kprobes: {sorted(told.values()).count('jump')} jumps of {len(told)}")
if not {"jump", "kprobe"} <= set(told.values()):
    fail("not both kinds")
