#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The results of path.test agree with the kernel's counters and with other readers."""
import collections
import csv
import json
import pathlib
import struct
import sys

from claims import check as need

SENDER = ["inet_sendmsg", "udp_sendmsg", "ip_send_skb", "__dev_queue_xmit", "dev_hard_start_xmit",
          "__netif_receive_skb_core", "ip_local_deliver"]
SOCKET, READ, DROP = "__udp_enqueue_schedule_skb", "skb_consume_udp", "kfree_skb_reason"
# For each port: number of datagrams, bytes of the first
SENT = {7001: (2000, 100), 7002: (300, 700), 7003: (150, 50)}
out = pathlib.Path(sys.argv[1])


def snmp(name):
    return {word: int(number) for word, number in
            (line.split() for line in (out / name).read_text().splitlines())}


def blocks(data):
    """Yields types and bodies of a pcapng file's blocks."""
    at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        need(length % 4 == 0 and struct.unpack_from("<I", data, at + length - 4)[0] == length,
             f"block at {at}: lengths")
        yield kind, data[at + 8:at + length - 4]
        at += length


def options(body):
    result, at = {}, 0
    while at < len(body):
        code, length = struct.unpack_from("<HH", body, at)
        if not code:
            break
        result[code] = body[at + 4:at + 4 + length]
        at += 4 + (length + 3) // 4 * 4
    return result


before, after = snmp("before"), snmp("after")
counted = {name: after[name] - before[name] for name in before}
sent = sum(count for count, _ in SENT.values())
need(counted["OutDatagrams"] == sent, f"the kernel counts {counted}")
need(counted["RcvbufErrors"] > 100 and counted["NoPorts"] == 150, f"no drops: {counted}")

report = json.loads((out / "path.json").read_text())
need([report[n] for n in ("packets", "read", "dropped", "ambiguous", "strays", "gaps")] ==
     [sent, counted["InDatagrams"], counted["NoPorts"] + counted["RcvbufErrors"], 0, 0, 0],
     f"packets: {report['packets']}, {report['read']} read, {report['dropped']} dropped; {counted}")
stations = dict.fromkeys(SENDER, sent)
stations[SOCKET] = counted["InDatagrams"] + counted["RcvbufErrors"]
stations[READ] = counted["InDatagrams"]
stations[DROP] = report["dropped"]
need(report["stations"] == stations, f"stations: {report['stations']}")
endings = {(e["station"], e["reason"]): e["count"] for e in report["endings"]}
need(endings == {(READ, None): counted["InDatagrams"],
                 (SOCKET, "SOCKET_RCVBUFF"): counted["RcvbufErrors"],
                 ("ip_local_deliver", "NO_SOCKET"): counted["NoPorts"]}, f"ends: {endings}")
hops = {(h["from"], h["to"]): h for h in report["hops"]}
for a, b in zip(SENDER, SENDER[1:]):
    hop = hops[a, b]
    need(hop["count"] == sent and 0 < hop["min_ns"] <= hop["median_ns"] <= hop["p99_ns"] <=
         hop["max_ns"], f"hop: {hop}")
part = json.loads((out / "7002.json").read_text())
need(part["packets"] == 300, f"--port: {part['packets']}")

# Each packet has its stations in order, and the length that was sent.
ways, lengths = report["ways"], collections.Counter()
need(len(ways) == sent, f"{len(ways)} ways")
for way in ways:
    names = [s["station"] for s in way["stations"]]
    port = way["destination_port"]
    tail = {7001: [[SOCKET, READ], [SOCKET, DROP]], 7002: [[SOCKET, READ], [SOCKET, DROP]],
            7003: [[DROP]]}[port]
    need(names[:7] == SENDER and names[7:] in tail, f"stations of a packet to {port}: {names}")
    times = [s["time"] for s in way["stations"]]
    need(times == sorted(times), f"times: {times}")
    lengths[port, way["bytes"] - 28] += 1
want = collections.Counter((port, first + i % 100) for port, (count, first) in SENT.items()
                           for i in range(count))
need(lengths == want, f"lengths: {lengths - want}, {want - lengths}")
pid = int((out / "pids").read_text().split()[1])
need({s["pid"] for way in ways if way["destination_port"] == 7001
      for s in way["stations"][:3]} == {pid}, "the sender's pid")

# The CSV has the same rows, and tshark has the time of each row.
with open(out / "path.csv", encoding="ascii") as file:
    rows = list(csv.DictReader(file))
need(len(rows) == sum(stations.values()), f"{len(rows)} rows")
need([(r["station"], r["time_ns"]) for r in rows] ==
     [(s["station"], str(round(s["time"] * 10**9))) for w in ways for s in w["stations"]], "CSV")


def nanoseconds(text):
    seconds, fraction = text.split(".")
    need(len(fraction) == 9, f"{text}: no nanoseconds")
    return int(seconds) * 10**9 + int(fraction)


seen, times, comments = collections.Counter(), [], collections.Counter()
for line in (out / "tshark").read_text().splitlines():
    (name, time, frame, ip, source, destination, _, port, udp, ident, comment) = line.split("\t")
    seen[name, int(port), int(udp) - 8] += 1
    need(int(frame) == int(ip) == int(udp) + 20 and (source, destination) ==
         ("10.88.0.1", "10.88.0.2"), f"tshark: {line}")
    times.append(nanoseconds(time))
    comments[name, int(port), int(ident, 16), times[-1], comment] += 1
begin, end = (int((out / name).read_text()) for name in ("begin", "end"))
need(begin * 10**9 <= times[0] and times[-1] <= (end + 1) * 10**9 and times == sorted(times),
     f"times: {times[0]} to {times[-1]}, not within {begin} and {end}")
for name in SENDER:
    need({(p, n): c for (s, p, n), c in seen.items() if s == "node1:" + name} == want,
         f"tshark: {name}")
need(sum(seen.values()) == len(rows), f"tshark: {sum(seen.values())} packets")
offset = times[0] - int(min(rows, key=lambda r: int(r["time_ns"]))["time_ns"])


def comment_of(row):
    return f"cpu {row['cpu']}, pid {row['pid']}" + \
        (f", reason {row['reason']}" if row["reason"] else "")


# The real-time clock has another rate than the run's clock.
mine = sorted((int(r["time_ns"]) + offset, "node1:" + r["station"], int(r["ip_id"]),
               comment_of(r)) for r in rows)
theirs = sorted((time, name, ident, comment) for name, _, ident, time, comment in comments)
need(len(mine) == len(theirs), "tshark: times")
for ours, its in zip(sorted(mine, key=lambda x: x[1:] + x[:1]),
                     sorted(theirs, key=lambda x: x[1:] + x[:1])):
    need(ours[1:] == its[1:] and abs(ours[0] - its[0]) < 100_000, f"{ours} is {its} of tshark")

# tcpdump does not show interfaces.
lines = (out / "tcpdump").read_text().splitlines()
need(len(lines) == len(rows), f"tcpdump: {len(lines)} lines")
need(sorted(nanoseconds(line.split()[0]) for line in lines) == times, "tcpdump: times")
need(sum(" > 10.88.0.2.7003: " in line for line in lines) == 150 * (len(SENDER) + 1),
     "tcpdump: ports")

# Statistics, which tshark and tcpdump hardly show
names, drops = [], {}
for kind, body in blocks((out / "path.pcapng").read_bytes()):
    if kind == 1:
        told = options(body[8:])
        names.append(told[2].decode())
        need(told[9] == b"\x09", "if_tsresol")
    elif kind == 5:
        told = options(body[12:])
        name = names[struct.unpack_from("<I", body)[0]]
        drops[name] = struct.unpack("<Q", told[5])[0]
        need(struct.unpack("<Q", told[4])[0] == stations[name.split(":")[1]], f"{name}: received")
need(len(names) == len(drops) == len(stations), f"interfaces: {names}")
need({n: d for n, d in drops.items() if d} ==
     {"node1:" + SOCKET: counted["RcvbufErrors"], "node1:ip_local_deliver": counted["NoPorts"]},
     f"drops: {drops}")
print(f"{sent} datagrams at {len(stations)} stations; {counted['RcvbufErrors']} dropped for want of "
      f"room, {counted['NoPorts']} without a socket; {len(rows)} records are tshark's and tcpdump's")
