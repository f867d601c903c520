#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""jitter_spectrum.py PNG COLOURS.JS NAME=HZ... - a picture of a spectrum names known frequencies

Names are above the plot. No name covers another name or its line, which leads down to the peak.
Each NAME has a name at its frequency. Only multiples of these frequencies have strong colours,
where columns are narrow enough to separate them; all else is faint.
"""
import itertools
import math
import re
import sys

from png import Png

# As in the chart
CLEAR = 0.65
LINE, DIM = 15, (0x9aa3ad, 0x5c6670)

png = Png(open(sys.argv[1], "rb").read())
script = open(sys.argv[2], encoding="utf-8").read()
palette = [int(value, 16) for value in re.findall(r"'#(\w+)'", re.search(
    r"CHART_COLOURS = \[(.*?)\]", script, re.S).group(1))]
wanted = {name: float(hz) for name, hz in (word.split("=") for word in sys.argv[3:])}
left, upper, columns, rows = (int(word) for word in png.texts["evtlog chart"].split()[:4])
bins = [(int(a), int(b), float(c), float(d)) for a, b, c, d in
        (line.split() for line in png.texts["evtlog bins"].splitlines())]
marks = [(float(at), name) for at, name in
         (line.split(" ", 1) for line in png.texts["evtlog marks"].splitlines())]
labels = [(int(row), int(x), float(a), float(b), int(mark)) for row, x, a, b, mark in
          (line.split() for line in png.texts["evtlog labels"].splitlines())]
page = png.pixel(0, 0)
wrong = []


def blended(colour):
    result = 0
    for shift in (0, 8, 16):
        over, under = colour >> shift & 255, page >> shift & 255
        result |= math.floor(under + CLEAR * (over - under) + 0.5) << shift
    return result


def base(row):
    return upper - 8 - row * LINE


for (row, x, a, b, mark), (row2, x2, a2, b2, mark2) in itertools.permutations(labels, 2):
    names = f"{marks[mark]} and {marks[mark2]}"
    if row == row2 and a < b2 and a2 < b:
        wrong.append(f"{names} are over each other")
    if row > row2 and a2 - 1 <= x <= b2 + 1:
        wrong.append(f"the line of the first of {names} is over the second")
for row, x, a, b, mark in labels:
    if a < left or b > left + columns or base(row) < 60 or not (b < x or a > x):
        wrong.append(f"{marks[mark]} is out of its place")
    y = base(row) - 9
    while y < upper + rows and png.pixel(x, y) in DIM:
        y += 1
    # Lines end a pixel above their peak.
    below = [png.pixel(x, at) for at in range(y, min(y + 3, upper + rows))]
    if y < base(row) or not any(colour in palette for colour in below):
        wrong.append(f"{marks[mark]}: its line ends at {y}, above {below}")
for name, hz in wanted.items():
    if not any(abs(marks[mark][0] - hz) < 0.1 and name in marks[mark][1]
               for _, _, _, _, mark in labels):
        wrong.append(f"{name}: {hz} Hz has no name: {labels} of {marks}")

strong = {colour: full for full in palette[1:] for colour in (full, blended(full))}
seen = set()
narrow = [one for one in bins if one[3] - one[2] <= min(wanted.values()) / 2]
for x, to_x, low, high in narrow:
    for y in range(upper, upper + rows):
        if png.pixel(x, y) in strong and to_x > x:
            seen.add((low, high))
            break
reach = 0.2
for low, high in seen:
    if not any(math.floor((high + reach) / hz) > math.floor((low - reach) / hz)
               for hz in wanted.values()):
        wrong.append(f"{low} to {high} Hz is in strong colour")
if len(narrow) > columns / 2 and len(seen) < 5:
    wrong.append("nothing is in strong colour: this test tests nothing")
for name, hz in wanted.items():
    for multiple in range(2, 5):
        x, to_x = next(((x, to_x) for x, to_x, low, high in bins if low <= hz * multiple < high),
                       (None, None))
        if x is not None and not any(png.pixel(at, y) in strong for y in range(upper, upper + rows)
                                     for at in range(x - 1, to_x + 1)):
            wrong.append(f"{name}: {hz * multiple} Hz is not in strong colour")
print(f"{len(labels)} of {len(marks)} marks have names, {len(seen)} columns are told apart")
for text in wrong[:20]:
    print(text, file=sys.stderr)
if wrong:
    sys.exit(f"jitter_spectrum.py: {len(wrong)} things are wrong")
