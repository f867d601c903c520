#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The ways between two nodes agree with what was sent and with the kernels' counters."""
import collections
import json
import pathlib
import sys

from claims import check as need

OUT = ["inet_sendmsg", "udp_sendmsg", "ip_send_skb", "__dev_queue_xmit", "dev_hard_start_xmit"]
IN = ["__netif_receive_skb_core", "ip_local_deliver"]
TCP = ["ip_queue_xmit", "ip_local_out"] + OUT[3:] + IN + ["tcp_v4_rcv"]
out = pathlib.Path(sys.argv[1])


def snmp(node):
    names, numbers = (line.split() for line in
                      (out / f"node{node}" / "snmp").read_text().splitlines()[:2])
    return dict(zip(names[1:], map(int, numbers[1:])))


report = json.loads((out / "both.json").read_text())
need(snmp(1)["OutDatagrams"] == 1100 and snmp(2)["InDatagrams"] == 1000 and
     snmp(2)["NoPorts"] == 100, f"the kernels count {snmp(1)}, {snmp(2)}")
error_ns = sum(host["clock_error_ns"] for host in report["hosts"])
need([h["host"] for h in report["hosts"]] == ["node1", "node2"] and 0 < error_ns < 50_000_000,
     f"clocks: {report['hosts']}")
need(not report["ambiguous"] and not report["gaps"], f"ambiguous: {report['ambiguous']}")
lengths = collections.Counter()
for way in report["ways"]:
    if way["protocol"] != "udp":
        continue
    names = [s["station"] for s in way["stations"]]
    hosts = [s["host"] for s in way["stations"]]
    tail = ["__udp_enqueue_schedule_skb", "skb_consume_udp"] \
        if way["destination_port"] == 7001 else ["kfree_skb_reason"]
    need(names == OUT + IN + tail, f"stations: {names}")
    need(hosts == ["node1"] * 5 + ["node2"] * (len(names) - 5), f"hosts: {hosts}")
    times = [s["time"] for s in way["stations"]]
    need(times[:5] == sorted(times[:5]) and times[5:] == sorted(times[5:]), f"times: {times}")
    need((times[5] - times[4]) * 1e9 > -error_ns, f"received before it was sent: {times}")
    if names[-1] == "kfree_skb_reason":
        need(way["stations"][-1]["reason"] == "NO_SOCKET", "reason")
    lengths[way["destination_port"], way["bytes"] - 28] += 1
want = collections.Counter({(7001, least + i): 5 for i in range(100) for least in (100, 1371)})
want.update({(7003, 50 + i): 1 for i in range(100)})
need(lengths == want, f"lengths: {lengths - want}, {want - lengths}")

# TCP: each byte that was sent is in one segment that arrived and was read. The first packet is the
# SYN, with a longer header; packets without data are not read. A slow machine sends segments again,
# or puts two into one buffer, where one of them is not read by itself: their bytes may be needed or
# not.
carried = segments = others = 0
stream = [way for way in report["ways"]
          if way["protocol"] == "tcp" and way["destination_port"] == 7005]
stream.sort(key=lambda way: way["stations"][0]["time"])
need(stream[0]["bytes"] == 60, f"SYN: {stream[0]}")
for way in stream[1:]:
    names = [s["station"] for s in way["stations"]]
    if way["bytes"] <= 52:
        continue
    if names[-1] == "tcp_v4_rcv":
        need(names[-len(TCP):] == TCP, f"TCP: {names}")
        others += way["bytes"] - 52
        continue
    need(names == ["inet_sendmsg", "tcp_sendmsg_locked"] + TCP + ["skb_attempt_defer_free"], f"TCP: {names}")
    segments += 1
    carried += way["bytes"] - 52
need(carried <= 60000 <= carried + others and segments >= 10,
     f"TCP: {segments} segments have {carried} bytes of 60000, others {others}")
for node in "node1", "node2":
    parts = sorted(tuple(map(int, line.split())) for line in
                   (out / f"{node}.segments").read_text().splitlines())
    end = 1
    for start, length in parts:
        if not length:
            continue
        need(start <= end, f"tshark: bytes {end} to {start} of the stream are not at {node}")
        end = max(end, start + length)
    need(end == 60001, f"tshark: {node} has the stream to {end - 1}")
hop = next(h for h in report["hops"] if h["network"])
print(f"1100 datagrams and {segments} segments, with all of 60000 bytes, on their ways; clock error "
      f"{error_ns / 1e3:.0f} us, network {hop['min_ns'] / 1e3:.0f} us at least")
