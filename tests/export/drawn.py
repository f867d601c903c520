#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""drawn.py SVG PRINTED - ViTE draws the lanes, messages and counters of an archive

SVG is an export of ViTE 1.2. PRINTED is the output of otf2-print, with definitions and events. Each
location has its name in a box, and has states to the right of the box only if it enters a function.
There are as many arrows as messages. Each counter of a location has a curve that rises and falls in
proportion to its values.
"""
import collections
import re
import sys

from claims import fail

NUMBER = r'="([-0-9.e+]+)"'


def numbers(line, *names):
    return [float(re.search(rf"\b{name}{NUMBER}", line).group(1)) for name in names]


class Archive:
    """@entered: set of locations; @messages: number; @values: by location and counter, in time"""

    def __init__(self, lines):
        self.names, self.entered, self.messages = {}, set(), 0
        self.values = collections.defaultdict(list)
        for line in lines:
            word = line.split(None, 2)
            if word and word[0] == "LOCATION" and word[1].isdigit():
                self.names[int(word[1])] = re.search(r'Name: "([^"]*)"', line).group(1)
            elif word and word[0] == "ENTER":
                self.entered.add(int(word[1]))
            elif word and word[0] == "MPI_SEND":
                self.messages += 1
            elif word and word[0] == "METRIC" and "Values:" in line:
                for counter, value in re.findall(r'\("([^"]*)" <\d+>; UINT64; (\d+)\)', line):
                    self.values[int(word[1]), counter].append(int(value))


class Drawing:
    """@lanes: (y of name, name); @boxes, @states: (left, top, bottom); @lines; @arrows: number"""

    def __init__(self, text):
        self.lanes = [(numbers(line, "y")[0], name) for line, name in
                      re.findall(r"(<text [^>]*)>([^<]*)</text>", text)]
        self.boxes, self.states = [], []
        for line in re.findall(r"<rect [^>]*>", text):
            x, y, height = numbers(line, "x", "y", "height")
            (self.boxes if "rgb(0,0,153)" in line else self.states).append((x, y, y + height))
        self.lines = [tuple(numbers(line, "x1", "y1", "x2", "y2")) for line in re.findall(r"<line [^>]*>", text)]
        self.arrows = len(re.findall(r"<polygon", text))


def check_lanes(archive, drawing):
    inner = max(x for x, _, _ in drawing.boxes)
    boxes = [(top, bottom) for x, top, bottom in drawing.boxes if x == inner]
    if len(boxes) != len(archive.names):
        fail(f"{len(boxes)} lanes of {len(archive.names)} locations")
    found = {}
    for number, name in archive.names.items():
        at = [y for y, text in drawing.lanes if text == f"{name}_{number}"]
        lanes = [box for box in boxes if at and box[0] < at[0] < box[1]]
        if len(at) != 1 or len(lanes) != 1:
            fail(f"{name}: {len(at)} names in {len(lanes)} lanes")
        found[number] = lanes[0]
        states = sum(lanes[0][0] - 1 <= top and bottom <= lanes[0][1] + 1 and x > inner
                     for x, top, bottom in drawing.states)
        if bool(states) != (number in archive.entered):
            fail(f"{name}: {states} states are drawn")
    return found


def steps(values):
    """For each value after the first: -1 if it falls, 0 if it stays, 1 if it rises"""
    return [(after > before) - (after < before) for before, after in zip(values, values[1:])]


def check_scale(what, levels, values):
    """The levels are in proportion to the values."""
    low, high = min(zip(values, levels)), max(zip(values, levels))
    for value, level in zip(values, levels):
        wanted = low[1] + (value - low[0]) / max(high[0] - low[0], 1) * (high[1] - low[1])
        if abs(level - wanted) > 0.01:
            fail(f"{what}: {value} is at {level}, wanted {wanted}: {low} to {high}")


def check_counters(archive, drawing, lanes):
    """A curve has a vertical line for each change of its value, and horizontal lines between."""
    curves = drawing.lines[drawing.arrows:]
    # The curves of the uppermost lane come first.
    for (number, counter), values in sorted(archive.values.items(), key=lambda item: lanes[item[0][0]]):
        length = 2 * len(values) + 1
        curve, curves = curves[:length], curves[length:]
        if len(curve) != length or any(before[2:] != after[:2] for before, after in zip(curve, curve[1:])):
            fail(f"{archive.names[number]}: {counter}: no curve of {length} lines")
        top, bottom = lanes[number]
        levels = [line[1] for line in curve[::2]]
        if not all(top - 0.01 <= level <= bottom + 0.01 for level in levels):
            fail(f"{archive.names[number]}: {counter}: its curve leaves the lane")
        # A larger value has a smaller y.
        if steps([-level for level in levels]) != steps([min(values)] + values):
            fail(f"{archive.names[number]}: {counter}: {levels} are not {values}")
        check_scale(f"{archive.names[number]}: {counter}", levels[1:], values)
    if curves:
        fail(f"{len(curves)} lines are of no arrow and no counter")


def main():
    with open(sys.argv[2], encoding="utf-8") as text:
        archive = Archive(text)
    with open(sys.argv[1], encoding="utf-8") as text:
        drawing = Drawing(text.read())
    lanes = check_lanes(archive, drawing)
    if drawing.arrows != archive.messages or not archive.messages:
        fail(f"{drawing.arrows} arrows of {archive.messages} messages")
    check_counters(archive, drawing, lanes)
    print(f"{len(lanes)} lanes, {drawing.arrows} arrows, {len(archive.values)} curves with "
          f"{sum(map(len, archive.values.values()))} values are drawn")


main()
