#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""counters.py EVTLOG RELATE DIRECTORY - checks the clock errors of guests that ran on one machine.

The files are DIRECTORY/nodeN/nodeN-RUN.evl. Each guest's tick counter is the machine's counter
minus a constant. So evtlog must map each guest's ticks to a straight line, all with the same rate,
and packets bound the distance between the lines. Lines must exist that keep the stated error at
every instant.
"""
import glob
import json
import subprocess
import sys

INSTANTS = 300


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command}: {done.returncode}: {done.stderr}")
    return done.stdout


def instants(relate, logs):
    """Returns [(host, ticks, ns, bound)] on the clock of node1."""
    points = []
    for line in output(relate, "--reference", "node1", "--instants", str(INSTANTS), *logs).splitlines():
        word = line.split()
        if word[1] == "at":
            points.append((word[0], int(word[2]), int(word[3]), int(word[4])))
        elif word[5] not in ("packets", "reference"):
            sys.exit(f"{line}: not by packets")
    return points


def packets(evtlog, log):
    """Returns {key: ticks} of the packets sent, and of those received."""
    sent, received = {}, {}
    for line in output(evtlog, "dump", "--json", "--time", "ticks", "--type", "icmp", log).splitlines():
        event = json.loads(line)
        field = event["fields"]
        if field.get("netns") or "type" not in field:
            continue
        key = field["type"], field["id"], field["seq"]
        if event["event"] == "icmp_tx":
            sent[(*key, field["local"], field["peer"])] = event["ticks"]
        else:
            received[(*key, field["peer"], field["local"])] = event["ticks"]
    return sent, received


def distances(evtlog, runs):
    """Returns {host: [low, high]}: bounds of node1's ticks minus the host's ticks."""
    bounds = {}
    for first, *others in runs:
        sent1, received1 = packets(evtlog, first)
        for log in others:
            sent, received = packets(evtlog, log)
            bound = bounds.setdefault(log.split("/")[-2], [-1 << 62, 1 << 62])
            for key in sent1.keys() & received.keys():
                bound[0] = max(bound[0], sent1[key] - received[key])
            for key in sent.keys() & received1.keys():
                bound[1] = min(bound[1], received1[key] - sent[key])
    return bounds


def worst(points, bounds, base, rate):
    """Returns by how many ns lines of this rate miss the bounds; at most 0 if lines exist."""
    low, high = {}, {}
    for host, ticks, time, bound in points:
        offset = time - (ticks - base[host]) * rate
        low[host] = max(low.get(host, -1e30), offset - bound)
        high[host] = min(high.get(host, 1e30), offset + bound)
    result = max(low[host] - high[host] for host in low)
    for host, (least, most) in bounds.items():
        # The host's line is node1's line, shifted by this number of ticks.
        shift = base[host] - base["node1"]
        result = max(result, low[host] - high["node1"] - (most + shift) * rate,
                     (least + shift) * rate - (high[host] - low["node1"]))
    return result


def main():
    evtlog, relate, directory = sys.argv[1:]
    points, hosts = [], len(glob.glob(f"{directory}/node*/"))
    numbers = [log.split("-")[-1] for log in glob.glob(f"{directory}/node1/*.evl")]
    runs = [sorted(glob.glob(f"{directory}/node*/*-{number}")) for number in sorted(numbers)]
    runs = [run for run in runs if len(run) == hosts]
    for run in runs:
        points += instants(relate, run)
    bounds = distances(evtlog, runs)
    base = {}
    for host, ticks, _, _ in points:
        base[host] = min(base.get(host, ticks), ticks)
    first = min(point for point in points if point[0] == "node1")
    last = max(point for point in points if point[0] == "node1")
    rate = (last[2] - first[2]) / (last[1] - first[1])
    least, most = rate * (1 - 1e-4), rate * (1 + 1e-4)
    # worst() is a convex function of the rate: a ternary search finds the minimum.
    for _ in range(200):
        one, two = least + (most - least) / 3, most - (most - least) / 3
        if worst(points, bounds, base, one) < worst(points, bounds, base, two):
            most = two
        else:
            least = one
    error = worst(points, bounds, base, (least + most) / 2)
    stated = sorted(bound for _, _, _, bound in points)
    print(f"{len(runs)} runs of {len(base)} hosts, {len(points)} instants: {error:.0f} ns outside (below 0: within); "
          f"stated: median {stated[len(stated) // 2]} ns, at most {stated[-1]} ns; packets bound the distance of "
          f"the counters to {[most - least for least, most in bounds.values()]} ticks")
    sys.exit(error > 0 or len(base) != hosts or len(bounds) != hosts - 1)


main()
