#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""picture.py PNG DUMP COLOURS.JS [NEED...] - a picture shows what `evtlog dump --json` has

DUMP has all events of one host. What each CPU did is computed again here. Each column that contains
only one thing must show it. A task has one colour, of the page's own tables, in all columns and in
the legend. For each NEED (idle, logger, task, irq, softirq, lost, tick, legend) there must be a
column; for line, one between two slices; for name, one in a slice with interrupts. light: the
picture has a light background.
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
if "light" in sys.argv[4:]:
    STATES.update((name, colour(value)) for name, value in re.findall(
        r"(\w+): '(#\w+)'", re.search(r"STATES_LIGHT = \{(.*?)\}", script).group(1)))
DEFAULT = re.search(r"DEFAULT_PALETTE = '(\w+)'", script).group(1)
PALETTE = [colour(value) for value in re.findall(r"'(#\w+)'", re.search(
    DEFAULT + r": \{.*?tasks: \[(.*?)\]", script, re.S).group(1))]


PALETTE += [sum(((value >> shift & 255) * 62 + 50) // 100 << shift for shift in (0, 8, 16))
            for value in PALETTE]


# By name and pid, as in the legend: several tasks may have the same name.
told = {}
for line in png.texts["evtlog tasks"].splitlines():
    told.setdefault(line[8:], set()).add(colour(line[:7]))
# By pid and name: the colour of the first column, which all others must have
colours = {}


def task_colour(detail, got):
    """The colour of the task's other columns and of the legend, from the palette"""
    wanted = colours.setdefault(detail, got)
    name = "{1} {0}".format(*detail)
    if name in told:
        found["legend"] = found.get("legend", 0) + 1
        if wanted not in told[name]:
            wrong.append(f"{name} is #{wanted:06x}, in the legend {told[name]}")
    return wanted if wanted in PALETTE else PALETTE[0]


def ns(seconds):
    whole, _, part = str(seconds).partition(".")
    return int(whole) * 10**9 + int((part + "0" * 9)[:9])


# What each CPU did: (from, to, what, detail)
stretches, ticks, since = {}, {}, {}
# Slices of each CPU: [from, to, pid, interrupts]; no to: it contains a loss or the log's end
slices = {}
with open(sys.argv[2], encoding="utf-8") as dump:
    # One call decodes all: a call for each line takes three times as long.
    for event in json.loads(f"[{','.join(dump)}]", parse_float=str):
        cpu, time = event["cpu"], ns(event["time"])
        if event["event"] == "start":
            since[cpu] = time
            stretches[cpu], ticks[cpu] = [(-1, time, "outside", None)], []
            slices[cpu] = [[time, None, None, []]]
            continue
        until = ns(event["since"]) if event["event"] == "gap" else time
        place = event["context"].split(":")[0].split()[0]
        what, detail = place, None
        if place == "task":
            what = ("idle" if event["current_pid"] == 0 else
                    "logger" if event["current_comm"] == "logd" else "task")
            detail = (event["current_pid"], event["current_comm"])
        elif place not in ("softirq", "irq"):
            what = "irq"
        stretches[cpu].append((since[cpu], until, what, detail))
        if what in ("irq", "softirq"):
            slices[cpu][-1][3].append((since[cpu], until))
        if event["event"] == "sched_switch":
            slices[cpu][-1][1:3] = [time, event["current_pid"]]
        if event["event"] in ("sched_switch", "gap"):
            slices[cpu].append([time, None, None, []])
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


def dark(x, y):
    return all(png.pixel(x, y) >> shift & 255 < 60 for shift in (0, 8, 16))


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
              STATES[what] if what in ("irq", "softirq") else
              task_colour(detail, png.pixel(x, upper + bar - 1)))
    # The task's name may be in the middle of the bar.
    expect(where, x, upper, wanted)
    expect(where, x, upper + bar - 1, wanted)
    expect(where, x, bands, STATES["softirq"] if what == "softirq" else STATES["idle"])
    expect(where, x, bands + band, STATES["irq"] if what == "irq" else STATES["idle"])
    if not tick:
        expect(where + "no event", x, top + tick_rows - 1, STATES["idle"])
    elif png.pixel(x, top + tick_rows - 1) == STATES["idle"]:
        wrong.append(f"{where}: has events, shows none")


def column_of(time):
    """Columns begin at whole ns, at or before their place."""
    return ((time - from_ns + 1) * columns - 1) // (to_ns - from_ns)


def check_lines(lane, pure):
    """There is a line between visible slices that are at least 6 columns wide."""
    _, cpu, top, _, tick_rows, bar, _ = lane
    for one, two in zip(slices[cpu], slices[cpu][1:]):
        pids = one[2], two[2]
        if (not all(pids) or not two[1] or pids[0] == pids[1] or one[0] < from_ns or
                two[1] > to_ns):
            continue
        edges = [column_of(time) for time in (one[0], two[0], two[1])]
        if any(end - begin < 6 or not pure.intersection(range(begin + 1, end))
               for begin, end in zip(edges, edges[1:])):
            continue
        found["line"] = found.get("line", 0) + 1
        for y in (top + tick_rows, top + tick_rows + bar - 1):
            if not dark(plot_x + edges[1], y):
                wrong.append(f"CPU {cpu}, column {edges[1]}: no line between {pids}")


def check_names(lane, pure):
    """A slice whose task is visible again after interrupts has its name once."""
    _, cpu, top, height, tick_rows, bar, _ = lane
    for begin, end, pid, interrupts in slices[cpu]:
        if not pid or begin < from_ns or end > to_ns or height < 20:
            continue
        within = range(column_of(begin) + 2, column_of(end) - 1)
        pieces, at = [], None
        for column in within:
            at = at if column in pure else None
            if at is None and column in pure:
                pieces.append(at := [column, 0])
            if at:
                at[1] += 1
        # Far enough after the first for another name, and wide enough
        wide = [at for at, length in pieces if length >= 50]
        if not interrupts or not wide or wide[-1] - wide[0] < 150:
            continue
        found["name"] = found.get("name", 0) + 1
        inked = [column for column in within for y in
                 range(top + tick_rows + bar // 4, top + tick_rows + bar * 3 // 4)
                 if all(png.pixel(plot_x + column, y) >> shift & 255 < 30
                        for shift in (0, 8, 16)) or
                 all(png.pixel(plot_x + column, y) >> shift & 255 > 225
                     for shift in (0, 8, 16))]
        where = f"CPU {cpu}, columns {within.start} to {within.stop}, {pid}"
        if not inked:
            wrong.append(f"{where}: no name")
        elif max(inked) - min(inked) > 130 or min(inked) > wide[0] + 60:
            wrong.append(f"{where}: names from {min(inked)} to {max(inked)}, the first "
                         f"of {len(pieces)} pieces is at {pieces[0][0]}")


for lane in lanes:
    pure = set()
    switches = {begin for begin, *_ in slices[lane[1]]}
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
        # The whole column is in one stretch, or in several equal ones.
        last = at
        while own[last][1] < end and own[last + 1][2:] == own[at][2:]:
            last += 1
        if own[at][0] <= begin and own[last][1] >= end:
            what = own[at][2]
            found[what] = found.get(what, 0) + 1
            if what in ("task", "logger"):
                pure.add(column)
                # A line may be there.
                if any(time in switches for time in {begin, own[at][0]} if begin <= time < end):
                    continue
            check_column(lane, plot_x + column, what, own[at][3], tick)

    check_lines(lane, pure)
    check_names(lane, pure)

for need in sys.argv[4:]:
    if need != "light" and not found.get(need):
        wrong.append(f"no column shows {need}: this test tests nothing")
print(f"{png.width} x {png.height}, {len(lanes)} lanes; columns checked: {found}")
for text in wrong[:20]:
    print(text, file=sys.stderr)
if wrong:
    sys.exit(f"picture.py: {len(wrong)} places are wrong")
