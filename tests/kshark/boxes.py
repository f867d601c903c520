#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""boxes.py SCREEN PNG - KernelShark plots a CPU's tasks, and boxes of sched_events

SCREEN is the file of Xvfb's screen. The row of a CPU has a colour for each task. Below, in a task's
row, boxes of sched_events have lines of pure green (woken, not running yet) and pure red
(preempted). Writes the screen to PNG.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../export'))
from lanes import read_screen, write_png  # pylint: disable=wrong-import-position

GREEN, RED, LINE = (0, 255, 0), (255, 0, 0), 8


def longest(row, colour):
    """Returns the pixels of the longest line of a colour in a row."""
    best = run = 0
    for x in range(0, len(row), 3):
        run = run + 1 if tuple(row[x:x + 3]) == colour else 0
        best = max(best, run)
    return best


def main():
    width, height, rows = read_screen(sys.argv[1])
    write_png(sys.argv[2], width, height, rows)
    colours = max(len({row[x:x + 3] for x in range(0, len(row), 3)}) for row in rows)
    green = max(longest(row, GREEN) for row in rows)
    red = max(longest(row, RED) for row in rows)
    print(f'{colours} colours in a row; lines of {green} green and {red} red pixels')
    sys.exit(colours < 20 or green < LINE or red < LINE)


main()
