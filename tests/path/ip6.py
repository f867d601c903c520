#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The ways of IPv6 packets agree with what was sent, the kernel's counters and tshark."""
import collections
import json
import pathlib
import sys

from claims import check as need

LINK = ["__dev_queue_xmit", "dev_hard_start_xmit", "__netif_receive_skb_core", "ip6_input"]
UDP = ["inet6_sendmsg", "udpv6_sendmsg", "ip6_send_skb"] + LINK
TCP = ["ip6_output"] + LINK + ["tcp_v6_rcv"]
HERE, THERE = "fd00:88::1", "fd00:88::2"
out = pathlib.Path(sys.argv[1])


def counted(where, name):
    first, last = (dict(line.split() for line in (out / f"{where}.{when}").read_text().splitlines())
                   for when in ("before", "after"))
    return int(last[name]) - int(first[name])


need([counted("here", "Udp6OutDatagrams"), counted("there", "Udp6InDatagrams"),
      counted("there", "Udp6NoPorts")] == [1100, 1000, 100], "the kernel counts other datagrams")
report = json.loads((out / "path.json").read_text())
need(not report["ambiguous"] and not report["gaps"], f"ambiguous: {report['ambiguous']}")
lengths = collections.Counter()
segments = carried = echoes = 0
for way in report["ways"]:
    names = [s["station"] for s in way["stations"]]
    times = [s["time"] for s in way["stations"]]
    need(times == sorted(times), f"times: {times}")
    if way["protocol"] == "udp":
        tail = ["__udp_enqueue_schedule_skb", "skb_consume_udp"] \
            if way["destination_port"] == 7001 else ["kfree_skb_reason"]
        need(names == UDP + tail, f"stations: {names}")
        need((way["source"], way["destination"]) == (HERE, THERE), f"addresses: {way}")
        if names[-1] == "kfree_skb_reason":
            need(way["stations"][-1]["reason"] == "NO_SOCKET", f"reason: {way['stations'][-1]}")
        lengths[way["destination_port"], way["bytes"] - 48] += 1
    elif way["protocol"] == "tcp" and way["destination_port"] == 7005 and way["bytes"] > 72:
        at = names.index("ip6_output")
        need(names[at:at + len(TCP)] == TCP, f"TCP: {names}")
        # connect() sends the SYN.
        need(names[:2] == ["inet6_sendmsg", "tcp_sendmsg_locked"] or (at == 0 and way["bytes"] == 80),
             f"TCP: {names}")
        segments += 1
        carried += way["bytes"] - 72
    elif way["protocol"] == "icmp" and way["source"] == HERE and way["bytes"] == 104:
        # A request is freed like a dropped packet after it is answered.
        at = names.index("icmpv6_rcv")
        need(names[at - len(LINK):at] == LINK and names[at + 1:] in ([], ["kfree_skb_reason"]), f"echo: {names}")
        echoes += 1
want = collections.Counter({(7001, 100 + i): 10 for i in range(100)})
want.update({(7003, 50 + i): 1 for i in range(100)})
need(lengths == want, f"lengths: {lengths - want}, {want - lengths}")
# The SYN's header has 8 more bytes of options.
need(60000 <= carried <= 60008 + 8 and segments >= 5, f"TCP: {segments} segments, {carried} bytes")
need(echoes == 5, f"{echoes} echo requests")
part = json.loads((out / "part.json").read_text())
need(part["packets"] == 1100, f"--address --protocol udp: {part['packets']}")

# tshark: each datagram at each station that has its bytes, and the whole stream
datagrams, parts = collections.Counter(), collections.defaultdict(list)
for line in (out / "tshark").read_text().splitlines():
    interface, source, destination, to_udp, to_tcp, udp_length, seq, length = line.split("\t")
    station = interface.split(":")[1]
    if to_udp in ("7001", "7003"):
        need((source, destination) == (HERE, THERE), f"tshark: {line}")
        datagrams[station, int(to_udp), int(udp_length) - 8] += 1
    elif to_tcp == "7005":
        if int(length):
            parts[station].append((int(seq), int(length)))
for station in LINK:
    got = collections.Counter({key[1:]: count for key, count in datagrams.items() if key[0] == station})
    need(got == want, f"tshark at {station}: {got - want}, {want - got}")
    end = 1
    for start, length in sorted(parts[station]):
        need(start <= end, f"tshark at {station}: no bytes {end} to {start}")
        end = max(end, start + length)
    need(end == 60001, f"tshark at {station}: the stream to {end - 1}")
print(f"1100 datagrams, {segments} segments and {echoes} echoes of IPv6 on their ways")
