#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares a picture with what `evtlog dump --json` says of the same log.

Usage: picture.py PNG DUMP COLOURS.JS [NEED...]

DUMP has the events of one host, all of them. What each CPU did is followed here anew,
and so is the rule by which the page colours tasks, with the page's own tables. Each
column all of which is one thing must show it; of each NEED (idle, logger, task, irq,
softirq, lost, tick) there must be a column.
"""
import json
import re
import sys

from png import Png

png = Png(open(sys.argv[1], "rb").read())
script = open(sys.argv[3], encoding="utf-8").read()
wrong = []


def colour(text):
    return int(text.lstrip("#"), 16)


def table(name, pattern):
    body = re.search(name + r" = \{(.*?)\n\};", script, re.S).group(1)
    return re.findall(pattern, body, re.S)


STATES = {name: colour(value) for name, value in
          table("STATES", r"(\w+): '(#\w+)'")}
TICKS = {name: colour(value) for name, value in
         table("KIND_STYLES", r"(\w+): \{ colour: '(#\w+)'")}
DEFAULT = re.search(r"DEFAULT_PALETTE = '(\w+)'", script).group(1)
PALETTE = [colour(value) for value in re.findall(r"'(#\w+)'", re.search(
    DEFAULT + r": \{.*?tasks: \[(.*?)\]", script, re.S).group(1))]


STEP = int(re.search(r"PALETTE_STEP = (\d+)", script).group(1))
PALETTE += [sum(((value >> shift & 255) * 62 + 50) // 100 << shift for shift in (0, 8, 16))
            for value in PALETTE]


def task_colour(pid):
    return PALETTE[pid * STEP % len(PALETTE)]


def other_shade(value):
    return PALETTE[(PALETTE.index(value) + len(PALETTE) // 2) % len(PALETTE)]


def ns(seconds):
    whole, _, part = str(seconds).partition(".")
    return int(whole) * 10**9 + int((part + "0" * 9)[:9])


# What each CPU did: (from, to, what, detail)
stretches, ticks, since = {}, {}, {}
with open(sys.argv[2], encoding="utf-8") as dump:
    for line in dump:
        event = json.loads(re.sub(r'"(time|since)": ([0-9.]+)', r'"\1": "\2"', line))
        cpu, time = event["cpu"], ns(event["time"])
        if event["event"] == "begin":
            since[cpu] = time
            stretches[cpu], ticks[cpu] = [(-1, time, "outside", None)], []
            continue
        until = ns(event["since"]) if event["event"] == "gap" else time
        place = event["place"].split(":")[0].split()[0]
        what, detail = place, None
        if place == "task":
            what = ("idle" if event["current_pid"] == 0 else
                    "logger" if event["current_comm"] == "logd" else "task")
            detail = (event["current_pid"], event["current_comm"])
        elif place not in ("softirq", "irq"):
            what = "irq"
        stretches[cpu].append((since[cpu], until, what, detail))
        if event["event"] == "gap":
            stretches[cpu].append((until, time, "lost", None))
        elif event["event"] == "end":
            stretches[cpu].append((time, 1 << 62, "outside", None))
        else:
            ticks[cpu].append(time)
        since[cpu] = time

from_ns, to_ns, plot_x, columns = (int(word) for word in
                                   png.texts["evtlog plot"].split())
lanes = [[int(word) for word in line.split()]
         for line in png.texts["evtlog lanes"].splitlines()]
found = {}


def expect(where, x, y, wanted):
    got = png.pixel(x, y)
    if got != wanted:
        wrong.append(f"{where} at {x},{y}: #{got:06x}, should be #{wanted:06x}")


def check_column(lane, x, what, detail, tick):
    _, cpu, top, height, tick_rows, bar, band = lane
    where = f"CPU {cpu}, column {x - plot_x}, {what} {detail or ''}"
    middle, upper = top + tick_rows + bar // 2, top + tick_rows
    bands = top + tick_rows + bar
    if what == "lost":
        for y in (top, middle, top + height - 1):
            expect(where, x, y, STATES["lost"] if (x + y) % 8 < 4 else STATES["idle"])
        return
    if what == "outside":
        expect(where, x, middle, STATES["outside"])
        return
    wanted = (STATES["logger"] if what == "logger" else STATES["idle"] if what == "idle" else
              STATES[what] if what in ("irq", "softirq") else task_colour(detail[0]))
    # Beside another task of its colour it has the other shade.
    if what == "task" and png.pixel(x, upper) == other_shade(wanted):
        left, foot = x, upper + bar - 1
        while left > plot_x and png.pixel(left, foot) == other_shade(wanted):
            left -= 1
        expect(where + "another shade, left of it", left, foot, wanted)
        wanted = other_shade(wanted)
    # The task's name may be written in the middle of it.
    expect(where, x, upper, wanted)
    expect(where, x, upper + bar - 1, wanted)
    expect(where, x, bands, STATES["softirq"] if what == "softirq" else STATES["idle"])
    expect(where, x, bands + band, STATES["irq"] if what == "irq" else STATES["idle"])
    if not tick:
        expect(where + "no event", x, top + tick_rows - 1, STATES["idle"])
    elif png.pixel(x, top + tick_rows - 1) == STATES["idle"]:
        wrong.append(f"{where}: has events, shows none")


for lane in lanes:
    own, marks, at, mark = stretches[lane[1]], ticks[lane[1]], 0, 0
    for column in range(columns):
        begin = from_ns + (to_ns - from_ns) * column // columns
        end = from_ns + (to_ns - from_ns) * (column + 1) // columns
        if end == begin:
            continue
        while own[at][1] <= begin:
            at += 1
        while mark < len(marks) and marks[mark] < begin:
            mark += 1
        tick = mark < len(marks) and marks[mark] < end
        if tick:
            found["tick"] = found.get("tick", 0) + 1
        # All of the column is in one stretch, or in several that are alike.
        last = at
        while own[last][1] < end and own[last + 1][2:] == own[at][2:]:
            last += 1
        if own[at][0] <= begin and own[last][1] >= end:
            what = own[at][2]
            found[what] = found.get(what, 0) + 1
            check_column(lane, plot_x + column, what, own[at][3], tick)

for need in sys.argv[4:]:
    if not found.get(need):
        wrong.append(f"no column shows {need}: this test tests nothing")
print(f"{png.width} x {png.height}, {len(lanes)} lanes; columns checked: {found}")
for text in wrong[:20]:
    print(text, file=sys.stderr)
if wrong:
    sys.exit(f"picture.py: {len(wrong)} places are wrong")
