#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""jitter_picture.py PNG LENGTHS COLOURS.JS - a picture of histograms shows these lengths

LENGTHS has lines "SERIES NS". The picture contains the places of its bins. What is counted in the
bins, how high that is and in which colour it is drawn is computed again here.
"""
import bisect
import math
import re
import sys

from png import Png

SERIES = ("user", "interruption", "part")

png = Png(open(sys.argv[1], "rb").read())
script = open(sys.argv[3], encoding="utf-8").read()
palette = [int(value, 16) for value in re.findall(r"'#(\w+)'", re.search(
    r"CHART_COLOURS = \[(.*?)\]", script, re.S).group(1))]
words = png.texts["evtlog chart"].split()
left, upper, columns, rows = (int(word) for word in words[:4])
least, top = (float(word) for word in words[4:])
bins = [line.split() for line in png.texts["evtlog bins"].splitlines()]
edges = [float(line[2]) for line in bins] + [float(bins[-1][3])]
counts = {series: [0] * len(bins) for series in SERIES}
with open(sys.argv[2], encoding="ascii") as lengths:
    for line in lengths:
        series, ns = line.split()
        at = bisect.bisect_right(edges, float(ns)) - 1
        if 0 <= at < len(bins):
            counts[series][at] += 1

most = max(max(own) for own in counts.values())
wrong = []
if (least, top) != (0.5, 10 ** math.ceil(math.log10(max(most, 1) * 1.25))):
    wrong.append(f"the axis goes from {least} to {top}; the most in a bin is {most}")


def height(count):
    """Half pixels are rounded away from zero, as in lround()."""
    if not count:
        return 0
    return math.floor(math.log(count / least) / math.log(top / least) * rows + 0.5)


def check(what, x, y, wanted, is_it=True):
    got = png.pixel(x, y)
    if (got == wanted) != is_it:
        wrong.append(f"{what} at {x},{y}: #{got:06x}, "
                     f"{'should be' if is_it else 'must not be'} #{wanted:06x}")


checked = 0
base = upper + rows
for i, (from_x, to_x, _, _) in enumerate(bins):
    from_x, to_x = int(from_x), int(to_x)
    tops = [base - height(counts[series][i]) for series in SERIES]
    # At a bin's edges lines go up and down.
    for x in range(from_x + 1, to_x - 1):
        covered = {base}
        for number in reversed(range(3)):
            own = {tops[number], tops[number] + 1}
            what = f"bin {i}, {counts[SERIES[number]][i]} {SERIES[number]}"
            if number and tops[number] < base:
                for y in own - covered:
                    check(what, x, y, palette[number])
                    checked += 1
                covered |= own
            elif not number:
                for y in range(tops[0], base):
                    if y not in covered:
                        check(what, x, y, palette[0])
                        checked += 1
            if tops[number] - 1 not in covered:
                check(what + ", above", x, tops[number] - 1, palette[number], False)
if not checked:
    wrong.append("no pixel was looked at: this test tests nothing")
print(f"{len(bins)} bins, {checked} pixels, most {most}, axis to {top:g}")
for text in wrong[:20]:
    print(text, file=sys.stderr)
if wrong:
    sys.exit(f"jitter_picture.py: {len(wrong)} places are wrong")
