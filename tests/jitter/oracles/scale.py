# SPDX-License-Identifier: GPL-2.0-or-later
"""scale.py EVTLOG DIR - evtlog jitter scale draws the largest phase of N, and slows one rank right

Walks from one interruption to the next in the lists of evtlog jitter report, to find the
distribution F of a phase's time. The largest of N must have the distribution F^N. The slowdown of
one rank must be what the noise leaves of the time.
"""
import bisect
import csv
import io
import json
import math
import subprocess
import sys

EVTLOG, DIR = sys.argv[1:3]
WORK = 300_000
NODES = (1, 8, 64, 512)
SEEDS = 15
PHASES = 20             # per call; each call draws again
PLACES = 8_000


def run(*args):
    return subprocess.run([EVTLOG, "jitter", *args, DIR], check=True, capture_output=True,
                          text=True, encoding="latin1").stdout


def noise():
    """Returns [(begin, length)] of the first CPU, since its window began, and the window."""
    report = json.loads(run("report", "--json"))
    cpu = report["cpus"][0]
    tick = report["ns_per_tick"]
    kept = []
    origin = None
    for row in csv.DictReader(io.StringIO(run("report", "--csv=interruptions"))):
        if int(row["cpu"]) != cpu["cpu"]:
            continue
        if origin is None:
            origin = int(row["leave_ticks"]) - (int(row["time_ns"]) - cpu["from_ns"]) / tick
        if row["excluded"] == "0":
            kept.append(((int(row["leave_ticks"]) - origin) * tick,
                         float(row["length_ns"]) + cpu["crossing_each_ns"]))
    for row in csv.DictReader(io.StringIO(run("report", "--csv=samples"))):
        if int(row["cpu"]) == cpu["cpu"] and float(row["inferred_ns"]):
            at = "start_ticks" if row["interruptions"] == "0" else "end_ticks"
            kept.append(((int(row[at]) - origin) * tick, float(row["inferred_ns"])))
    return sorted(kept), cpu["window_ns"]


def walk(kept, window, begins, at):
    """Returns how long WORK takes from @at on."""
    left, now, lap = WORK, at, 0
    i = max(bisect.bisect_right(begins, at) - 1, 0)
    while True:
        if i == len(kept):
            if lap + window - now >= left:
                return now + left - at
            left -= lap + window - now
            lap += window
            now, i = lap, 0
            continue
        begin, length = kept[i][0] + lap, kept[i][1]
        if begin + length > now:
            if begin - now >= left:
                return now + left - at
            if begin > now:
                left -= begin - now
            now = begin + length
        i += 1


def main():
    kept, window = noise()
    begins = [begin for begin, _ in kept]
    took = sorted(walk(kept, window, begins, (i + 0.5) * window / PLACES)
                  for i in range(PLACES))
    drawn = {n: [] for n in NODES}
    for seed in range(1, SEEDS + 1):
        points = json.loads(run("scale", "--json", "--ranks", "1", "--phase", f"{WORK}ns",
                                "--phases", str(PHASES), "--seed", str(seed), "--nodes",
                                ",".join(map(str, NODES))))["points"]
        for point in points:
            assert point["phases"] == PHASES, point
            drawn[point["nodes"]].append(point["phase_mean_ns"])
    for n in NODES:
        weights = [((i + 1) / PLACES) ** n - (i / PLACES) ** n for i in range(PLACES)]
        mean = sum(t * w for t, w in zip(took, weights))
        deviation = math.sqrt(sum((t - mean) ** 2 * w for t, w in zip(took, weights)))
        here = sum(drawn[n]) / SEEDS
        error = 4.5 * deviation / math.sqrt(SEEDS * PHASES) + 0.001 * (mean - WORK)
        print(f"{n:4} ranks: {here:.0f} ns drawn, {mean:.0f} ns by F^N, {error:.0f} ns allowed")
        assert abs(here - mean) <= error, "not the largest of N"

    # A rank that waits for no other rank gets the time without noise.
    alone = json.loads(run("scale", "--json", "--ranks", "1", "--nodes", "1", "--phases", "20000"))
    share = sum(length for _, length in kept) / window
    point = alone["points"][0]
    print(f"alone: {point['slowdown']:.6f}, by its time {1 / (1 - share):.6f}")
    assert abs(point["slowdown"] * (1 - share) - 1) < 0.01
    assert abs(alone["noise_share"] - share) < 0.001 * share + 1e-6, (alone["noise_share"], share)
    assert abs(sum(s["delay_per_phase_ns"] for s in point["sources"]) -
               (point["phase_mean_ns"] - 1e6)) < 1, "the sources are not the delay"


main()
