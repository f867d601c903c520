# SPDX-License-Identifier: GPL-2.0-or-later
"""skew.py DIR RUNS PING... - checks the spreads of starts, stops and orders over the hosts.

An order is one frame that the switch sends to all hosts. Its arrivals differ only by the guests'
times to process it. So they differ at most by the slowest round trip of the guests' pings plus the
clock errors. An armed kernel starts when it receives the order: starts differ at most by the spread
of arrivals plus the clock errors.
"""
import json
import re
import statistics
import sys


def objects(text):
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        found, at = decoder.raw_decode(text, at)
        yield from found if isinstance(found, list) else [found]


directory, runs, pings = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
trips = [re.search(r"= ([\d.]+)/([\d.]+)/([\d.]+) ms", open(p).read()).groups() for p in pings]
one_way_ns = min(float(t[0]) for t in trips) * 1e6 / 2
slowest_ns = max(float(t[2]) for t in trips) * 1e6
wrong = beyond = late = 0
spreads = {"orders": [], "starts": [], "stops": []}
for run in range(1, runs + 1):
    report = json.load(open(f"{directory}/report{run}"))
    hosts = report["hosts"]
    infos = {i["host"]: i for i in objects(open(f"{directory}/info{run}").read())
             if "requested_before_start_ns" in i}
    bound = sum(sorted(h["clock_error_ns"] for h in hosts)[-2:])
    times = {
        "orders": [h["start_ns"] - infos[h["host"]]["requested_before_start_ns"] for h in hosts],
        "starts": [h["start_ns"] for h in hosts],
        "stops": [h["end_ns"] for h in hosts],
    }
    for what, at in times.items():
        spread = max(at) - min(at)
        spreads[what].append(spread)
        print(f"run r{run}: {what:6} {spread / 1e3:10.0f} us apart, +- {bound / 1e3:.0f} us, "
              f"{spread / one_way_ns:.2f} of the one-way time")
    print(f"run r{run}: packets {[h['packets'] for h in hosts]} "
          f"violations {[h['violations'] for h in hosts]}")
    wrong += {h["method"] for h in hosts} != {"reference", "packets"}
    wrong += any(h["violations"] or h["lost"] for h in hosts)
    beyond += spreads["orders"][-1] > slowest_ns + bound
    late += spreads["starts"][-1] > spreads["orders"][-1] + bound
    wrong += min(infos[h["host"]]["requested_before_start_ns"] for h in hosts) <= 0
# A busy host may delay an order more than any ping, but not in most runs.
wrong += beyond > runs / 2
# The host may delay a guest between a message's arrival and the start, but not in most runs.
wrong += late > runs / 2
print(f"starts later than arrivals and clocks allow: {late} of {runs} runs")
print(f"one-way time {one_way_ns / 1e3:.0f} us, slowest round trip {slowest_ns / 1e3:.0f} us")
for what, all_of in spreads.items():
    print(f"{what}: median {statistics.median(all_of) / 1e3:.0f} us, "
          f"{statistics.median(all_of) / one_way_ns:.2f} of the one-way time")
sys.exit(bool(wrong))
