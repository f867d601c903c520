#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sensor.py DIRECTORY - checks that the data of a sensor's clients equals the kernel's counts."""
import json
import pathlib
import re
import sys

from claims import claim, finish

out = pathlib.Path(sys.argv[1])


def number(name):
    return int((out / name).read_text())


def lines(name):
    """Returns the time and the contents of each line of a client."""
    found = []
    for line in (out / name).read_text().splitlines():
        when, text = line.split(" ", 1)
        found.append((int(when), json.loads(text)))
    return found


def of_type(found, kind):
    return [line for _, line in found if line["type"] == kind]


def metrics(name):
    """Returns each line of a text file: its name with labels, and its value."""
    found = {}
    for line in (out / name).read_text().splitlines():
        if not line.startswith("#"):
            key, value = line.rsplit(" ", 1)
            assert key not in found, key
            found[key] = float(value)
    return found


# Counts and sums equal the kernel's and those of the sent data.
sent = number("sent")
first, second = (of_type(lines(name), "stats") for name in ("first", "second"))
last = first[-1]["events"]
udp, read = last["udp_sendmsg"], last["vfs_read_return"]
claim(sent == 410 == udp["count"] == udp["fields"]["len"]["count"],
      f"{sent} datagrams, {udp['count']} counted")
length = udp["fields"]["len"]
claim([length[k] for k in ("min", "max", "last", "sum")] == [111, 333, 333, 100 * 111 + 10 * 222 + 300 * 333],
      f"lengths: {length}")
claim(length["histogram"] == [[128, 100], [256, 10], [512, 300]], "histogram of lengths")
retval = read["fields"]["retval"]
claim(sum(n for _, n in retval["histogram"]) == retval["count"] == read["count"] > 50 and
      retval["min"] < 0, f"results of vfs_read: {retval}")
claim(first[-1]["last"] and not any(s["last"] for s in first[:-1]), "the last line says so")
with open(out / "probes.json", encoding="ascii") as file:
    probes = {p["name"]: p for p in json.load(file)}
claim(probes["udp_sendmsg"]["recorded"] == 410 and
      probes["vfs_read%return"]["recorded"] <= read["count"], "the probes' own counts")

# Clients get the same lines, and rates add up.
common = {s["real_ns"]: s for s in first}.keys() & {s["real_ns"]: s for s in second}.keys()
claim(len(common) >= len(first) - 1 >= 2 and
      [s for s in first if s["real_ns"] in common] == [s for s in second if s["real_ns"] in common],
      f"two clients saw the same {len(common)} lines")
total = sum(s["events"]["udp_sendmsg"]["rate"] * s["interval_s"] for s in first)
claim(abs(total - 410) < 1, f"rates are of {total:.1f} datagrams")
# An interval that begins late on a loaded machine is shorter.
span = (first[-1]["real_ns"] - first[0]["real_ns"]) / 1e9
claim(all(s["interval_s"] > 0 for s in first) and
      abs(sum(s["interval_s"] for s in first[1:]) - span) < 0.3,
      f"intervals are of {span:.1f} s: {[s['interval_s'] for s in first]}")
claim(max(s["clients"] for s in first) >= 4 and first[-1]["clients"] == 3,
      f"clients: {[s['clients'] for s in first]}")
claim(all(s["lost"] == s["unknown"] == s["damaged"] == s["skipped"] == 0 for s in first),
      "nothing is lost or skipped")

# Urgent records come at once; those of different CPUs in any order.
told = lines("told")
events = [(when, e) for when, e in told if e["type"] == "event"]
claim(len(events) == 410 and {e["event"] for _, e in events} == {"udp_sendmsg"},
      f"{len(events)} records told")
claim([e["fields"]["len"] for _, e in sorted(events, key=lambda event: event[1]["real_ns"])] ==
      [111] * 100 + [222] * 10 + [333] * 300, "by their times, with their fields")
for cpu in {e["cpu"] for _, e in events}:
    times = [e["real_ns"] for _, e in events if e["cpu"] == cpu]
    claim(times == sorted(times), f"CPU {cpu}: {len(times)} in order")
late = sorted(when - e["raw_ns"] for when, e in events if e["fields"]["len"] == 222)
claim(0 < late[0] and late[len(late) // 2] < 200_000_000,
      f"a record reaches a client after {late[0] / 1e6:.2f} to {late[-1] / 1e6:.2f} ms, "
      f"half within {late[len(late) // 2] / 1e6:.2f} ms, though an interval is 1,000 ms")
hello = of_type(told, "hello")
claim(hello == [{"type": "hello", "host": "node1", "buffer": "sensor",
                 "version": hello[0]["version"], "interval_ms": 1000}], f"hello: {hello}")

# Prometheus' file has the same values.
found = metrics("evtlog.prom")
event = 'buffer="sensor",event="udp_sendmsg"'
claim(found[f"evtlog_events_total{{{event}}}"] == 410 and
      found[f'evtlog_field_sum{{{event},field="len"}}'] == length["sum"] and
      found[f'evtlog_field_max{{{event},field="len"}}'] == 333 and
      found[f'evtlog_field_values_bucket{{{event},field="len",le="128"}}'] == 100 and
      found[f'evtlog_field_values_bucket{{{event},field="len",le="256"}}'] == 110 and
      found[f'evtlog_field_values_bucket{{{event},field="len",le="+Inf"}}'] == 410 and
      found['evtlog_lost_total{buffer="sensor",cause="full"}'] == 0,
      f"{len(found)} values in the file")
text = (out / "evtlog.prom").read_text()
claim(not re.search(r"^[^#].* \S+ \S+$", re.sub(r"\{[^}]*\}", "", text), re.M), "without times")

# A client that does not read gets the number of skipped lines; others are not delayed.
many, sums = number("many"), {}
clients = {name: lines(name) for name in ("quiet", "fast", "slow")}
for name, found in clients.items():
    skipped = sum(s["lines"] for s in of_type(found, "skipped"))
    sums[name] = (len(of_type(found, "event")), len(of_type(found, "stats")), skipped)
claim(many == 8000, f"{many} datagrams; records, stats, skipped: {sums}")
ticks = sums["quiet"][1]
claim(sums["quiet"] == (0, ticks, 0) and ticks >= 2, "one that does not subscribe gets stats only")
claim(all(sum(sums[name]) == 8000 + ticks for name in ("fast", "slow")),
      "what came and what is told as skipped are all")
claim(sums["slow"][2] > 1000, "the slow one missed some")
final = of_type(clients["quiet"], "stats")[-1]
claim(final["skipped"] == sums["fast"][2] + sums["slow"][2] and
      final["events"]["udp_sendmsg"]["count"] == 8000 and final["lost"] == 0,
      "and the sensor none")

# All outputs show losses.
lossy, sent = of_type(lines("lossy"), "stats")[-1], number("lossy.sent")
with open(out / "lossy.json", encoding="ascii") as file:
    kernel = json.load(file)[0]
count, lost = lossy["events"]["udp_sendmsg"]["count"], lossy["lost"]
claim(count + lost == sent == 3000 and lost > 1000 and lost == kernel["lost"] ==
      lossy["lost_by_cause"]["full"], f"{sent} sent, {count} counted, {lost} lost")
found = metrics("lossy.prom")
claim(found['evtlog_lost_total{buffer="sensor",cause="full"}'] == lost and
      found['evtlog_events_total{buffer="sensor",event="udp_sendmsg"}'] == count, "in the file too")

# An existing buffer, not made by the sensor
other = [json.loads(line) for line in (out / "other").read_text().splitlines()]
claim(len(other) == 3 and other[-1]["events"]["udp_sendmsg"]["count"] == 50 and
      other[-1]["buffer"] == "net", "the events of a buffer that was there before")
finish()
