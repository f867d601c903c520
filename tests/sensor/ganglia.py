#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ganglia.py DIRECTORY - checks a sensor's metrics in gmond, and the size of their packets"""
import json
import pathlib
import struct
import sys
import xml.etree.ElementTree

from claims import claim, finish

out = pathlib.Path(sys.argv[1])


root = xml.etree.ElementTree.fromstring((out / "xml").read_bytes().decode("latin-1"))
metrics = {m.get("NAME"): m for m in root.iter("METRIC")}
claim(set(metrics) == {"evtlog_sensor_lost", "evtlog_sensor_udp_sendmsg_rate",
                       "evtlog_sensor_udp_sendmsg_len_mean"}, f"metrics: {sorted(metrics)}")
rate, mean, lost = (metrics[f"evtlog_sensor_{name}"] for name in
                    ("udp_sendmsg_rate", "udp_sendmsg_len_mean", "lost"))
claim(0 < float(rate.get("VAL")) < 250 and rate.get("UNITS") == "events/s" and
      rate.get("TYPE") == "double" and rate.get("SLOPE") == "both", f"rate: {rate.attrib}")
claim(float(mean.get("VAL")) == 111, f"mean: {mean.attrib}")
claim(float(lost.get("VAL")) == 0 and lost.get("UNITS") == "events" and
      lost.get("SLOPE") == "positive", f"lost: {lost.attrib}")
claim(all(m.get("DMAX") == "60" and m.get("TMAX") == "1" for m in metrics.values()), "DMAX, TMAX")
extra = {e.get("NAME"): e.get("VAL") for e in rate.iter("EXTRA_ELEMENT")}
claim(extra == {"GROUP": "evtlog", "TITLE": "sensor: udp_sendmsg",
                "DESC": "Records of the event in a second"}, f"extra: {extra}")
host = next(root.iter("HOST"))
claim(host.get("IP") == "127.0.0.1", f"host: {host.attrib}")

# The packets in tcpdump's file
data = (out / "packets.pcap").read_bytes()
at, packets = 24, []
while at < len(data):
    size, _ = struct.unpack_from("<II", data, at + 8)
    packets.append(data[at + 16 + 42:at + 16 + size])
    at += 16 + size


def take_text(packet, offset):
    length, = struct.unpack_from(">I", packet, offset)
    return packet[offset + 4:offset + 4 + length].decode(), offset + 4 + (length + 3) // 4 * 4


rates = []
for packet in packets:
    kind, = struct.unpack_from(">I", packet)
    node, offset = take_text(packet, 4)
    name, offset = take_text(packet, offset)
    assert kind in (128, 133) and node == "node1", packet
    if kind == 133 and name == "evtlog_sensor_udp_sendmsg_rate":
        form, offset = take_text(packet, offset + 4)
        value, offset = take_text(packet, offset)
        rates.append(float(value))
        assert offset == len(packet) and form == "%s", packet
claim(max(map(len, packets)) <= 1472, f"{len(packets)} packets of at most {max(map(len, packets))} bytes")

# node_exporter changes the format of numbers, and adds no metric to these.
def values(name):
    lines = (out / name).read_text().splitlines()
    return {key: float(value) for key, value in (line.rsplit(" ", 1) for line in lines
                                                 if line.startswith("evtlog_"))}


published, scraped = values("prom"), values("metrics")
claim(published and scraped == published, f"node_exporter has all {len(published)} metrics, as they are")
claim("node_textfile_scrape_error 0" in (out / "metrics").read_text().splitlines(), "and no error")

with open(out / "probes.json", encoding="ascii") as file:
    recorded = json.load(file)[0]["recorded"]
# Rates are over intervals of slightly more than a second.
sent = int((out / "sent").read_text())
claim(recorded == sent and 0.6 * recorded < sum(rates) <= 1.01 * recorded,
      f"{recorded} of {sent} datagrams; rates of intervals of 1 s: {rates}")
claim(float(rate.get("VAL")) in rates, "gmond has one of them")
finish()
