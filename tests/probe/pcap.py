#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the number of packets that probes with pcap expressions recorded with the number that
tcpdump finds in a file of all packets, which a probe without an expression recorded."""
import pathlib
import struct
import subprocess
import sys

from claims import fail
from log import counts, events, raw, value

out = pathlib.Path(sys.argv[1])
LINKTYPE_RAW = 101


def write_pcap(path, packets):
    with open(path, "wb") as f:
        f.write(struct.pack("=IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, LINKTYPE_RAW))
        for data, length in packets:
            data = data[:length]
            f.write(struct.pack("=IIII", 0, 0, len(data), length) + data)


def tcpdump(path, expression):
    run = subprocess.run(["tcpdump", "-n", "-r", path, expression], capture_output=True, text=True)
    if run.returncode:
        fail(f"tcpdump: {run.stderr}")
    return len(run.stdout.splitlines())


def check(number, expression):
    node = out / "pcap" / "node1"
    fields, records = events(node / f"{number}.evl")["ip_output"]
    packets = [(raw(r, fields[0]), value(r, fields[1])) for r in records]
    if len(packets) < 420:
        fail(f"{expression}: only {len(packets)} packets")
    file = out / f"{number}.pcap"
    write_pcap(file, packets)
    for place, n in counts(node / f"{number}.txt").items():
        if place == "ip_output":
            continue
        # The kernel's ICMP answers do not come there.
        is_udp = place in ("udp_rcv", "ip_send_skb")
        true = tcpdump(file, f"({expression}) and udp" if is_udp else expression)
        print(f"{place}: {expression}: {n['recorded']} recorded, {n['rejected']} rejected; "
              f"tcpdump: {true} of {len(packets)}")
        if int(n["recorded"]) != true or int(n["faults"]) or int(n["lost"]):
            fail(f"{place}: {expression}: {n}")


numbers = sorted(out.glob("expression-*"))
for path in numbers:
    check(path.name.split("-")[1], path.read_text().strip())
if not numbers:
    fail("no expressions")
