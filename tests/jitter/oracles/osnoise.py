#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""osnoise.py DIRECTORY ROUNDS - evtlog explains more of the gaps than osnoise

For osnoise, adds up irq_noise, softirq_noise, thread_noise and nmi_noise between the begin and the
end of each sample_threshold. For evtlog, uses its report. evtlog may add at most 5 % to the noise. Prints each comparison; exits with 1 if one fails.
"""
import bisect
import csv
import json
import os
import re
import statistics
import sys

from claims import claim, finish

DISTURBANCE = 1.05

NOISE = re.compile(r"(irq|softirq|thread|nmi)_noise: .* start (\d+)\.(\d{9}) duration (\d+) ns")
GAP = re.compile(r"sample_threshold: start (\d+)\.(\d{9}) duration (\d+) ns interference (\d+)")


class Osnoise:
    """A trace: @gaps and @parts: [(begin, ns)]; @explained: ns of the gaps."""

    def __init__(self, path):
        self.gaps, self.parts = [], []
        with open(path) as file:
            for line in file:
                gap, noise = GAP.search(line), NOISE.search(line)
                if gap:
                    self.gaps.append((int(gap[1] + gap[2]), int(gap[3])))
                elif noise:
                    self.parts.append((int(noise[2] + noise[3]), int(noise[4])))
        self.parts.sort()
        self.noise = sum(ns for _, ns in self.gaps)
        self.explained = 0
        for begin, ns in self.gaps:
            first = bisect.bisect_left(self.parts, (begin, 0))
            last = bisect.bisect_right(self.parts, (begin + ns, 0))
            self.explained += min(ns, sum(part for _, part in self.parts[first:last]))

        with open(path + ".stats") as file:
            self.lost = sum(int(line.split()[-1]) for line in file)

    def share(self):
        return self.explained / self.noise


class Ours:
    """A report of evtlog jitter"""

    def __init__(self, directory):
        self.directory = directory
        with open(os.path.join(directory, "report.json")) as file:
            self.report = json.load(file)

    def smallest_ns(self, table, column):
        with open(os.path.join(self.directory, table), newline="") as file:
            return min(float(row[column]) for row in csv.DictReader(file))


def plain(directory, tool, number):
    with open(os.path.join(directory, f"plain.{tool}.{number}")) as file:
        words = file.read().split()
    said = dict(zip(words[::2], map(int, words[1::2])))
    return said["noise"] / said["span"]


def main():
    directory, rounds = sys.argv[1], int(sys.argv[2])
    ratios = {"osnoise": [], "evtlog": []}
    for number in range(1, rounds + 1):
        theirs = Osnoise(os.path.join(directory, f"osnoise.{number}"))
        ours = Ours(os.path.join(directory, f"ours.{number}"))
        gaps = ours.report["samples_over_threshold"]
        claim(not theirs.lost and not ours.report["excluded_samples"], "neither lost events")
        claim(len(theirs.gaps) > 50 and gaps > 50,
              f"round {number}: {len(theirs.gaps)} gaps by osnoise, {gaps} by evtlog")
        claim(ours.report["attributed_share"] > theirs.share(),
              f"explained: osnoise {100 * theirs.share():.2f} %, evtlog "
              f"{100 * ours.report['attributed_share']:.2f} % by its report")
        print(f"      smallest gap: osnoise {min(ns for _, ns in theirs.gaps)} ns, evtlog "
              f"{ours.smallest_ns('samples.csv', 'noise_ns'):.0f} ns; smallest cause: osnoise "
              f"{min(ns for _, ns in theirs.parts)} ns, evtlog's smallest interruption "
              f"{ours.smallest_ns('interruptions.csv', 'length_ns'):.0f} ns")
        off = plain(directory, "off", number)
        for tool, of in ratios.items():
            of.append(plain(directory, tool, number) / off)
        print(f"      a plain loop loses {100 * off:.3f} % without them; times "
              f"{ratios['osnoise'][-1]:.3f} with osnoise's events, "
              f"{ratios['evtlog'][-1]:.3f} with evtlog's")
    for tool, of in ratios.items():
        print(f"      own disturbance, on / off, median of {rounds}: {tool} "
              f"{statistics.median(of):.3f}")
    claim(statistics.median(ratios["evtlog"]) <= DISTURBANCE,
          f"evtlog adds at most {100 * (DISTURBANCE - 1):.0f} % to the noise")
    finish()


main()
