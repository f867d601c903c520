#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""draw.py DIR - draws SVG pictures of study.py's DIR/study.json and of the traces in DIR

DIR/groups-BACK.svg: bars of the daemon's CPU time by group, for each number of clients.
DIR/lanes-BACK.svg: the states of the daemon's threads and the kernel's workers, for a part of the
trace with fewest clients.
"""
import html
import json
import os
import sys

import profiles
import traces

COLOURS = {
    "user mode": "#9e9e9e", "socket calls": "#1f77b4", "TCP/IP": "#6baed6", "file calls": "#2ca02c",
    "file system": "#98df8a", "other calls": "#c7c7c7", "interrupts": "#d62728",
    "bottom halves": "#ff7f0e", "exceptions": "#9467bd", "entry, exit, rest": "#8c564b",
    "RPC": "#e377c2", "kernel thread": "#bcbd22", "waits": "#f2f2f2", "waits for CPU": "#ffeda0",
}
ON_CPU = profiles.GROUPS[:10]
WIDTH, LEFT, LANE = 1100, 170, 22
STRETCH_MS = 60
FSYNC = ("syscall:74",)


class Picture:
    def __init__(self, height, title):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
                      f'font-family="sans-serif" font-size="12">',
                      f'<rect width="{WIDTH}" height="{height}" fill="white"/>']
        self.text(10, 18, title)

    def text(self, x, y, text, anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>')

    def box(self, x, y, width, height, colour, title):
        self.parts.append(f'<rect x="{x:.2f}" y="{y:.2f}" width="{max(width, .1):.2f}" height="{height:.2f}" '
                          f'fill="{colour}"><title>{html.escape(title)}</title></rect>')

    def legend(self, names, y):
        for i, name in enumerate(names):
            x = 10 + i % 8 * 135
            self.box(x, y + i // 8 * 18, 12, 12, COLOURS[name], name)
            self.text(x + 17, y + i // 8 * 18 + 11, name)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as out:
            out.write("\n".join(self.parts + ["</svg>", ""]))


def draw_groups(runs, path):
    back, tall = runs[0]["back"], 300
    picture = Picture(tall + 110, f"{back}: iod's time on a CPU by group, ms for each MiB written and read")
    mib = [run["load"]["write"]["bytes"] / 2**20 for run in runs]
    sums = [sum(run["groups_ms"][group] for group in ON_CPU) / size for run, size in zip(runs, mib)]
    step = (WIDTH - 40) / len(runs)
    for i, (run, size) in enumerate(zip(runs, mib)):
        y = 50 + tall
        for group in ON_CPU:
            high = tall * run["groups_ms"][group] / size / max(sums)
            y -= high
            picture.box(20 + i * step, y, step * .7, high, COLOURS[group],
                        f"{group}: {run['groups_ms'][group] / size:.2f} ms")
        picture.text(20 + i * step + step * .35, y - 4, f"{sums[i]:.1f}", "middle")
        picture.text(20 + i * step + step * .35, 66 + tall, f"{run['clients']} clients", "middle")
    picture.legend(ON_CPU, tall + 74)
    picture.write(path)


def colour_of(stack, off):
    if off:
        return "waits for CPU" if off in traces.NOT_WAITING else "waits"
    if not stack:
        return None
    kind, _, name = stack[-1].partition(":")
    if kind == "function":
        return ("TCP/IP" if name.startswith("tcp_") else
                "RPC" if name.startswith(("rpc_", "xs_")) else "file system")
    if kind == "syscall":
        return {"45": "socket calls", "44": "socket calls", "43": "socket calls", "18": "file calls",
                "17": "file calls", "74": "file calls", "257": "file calls", "221": "file calls"}.get(
                    name, "other calls")
    return {"irq": "interrupts", "vector": "interrupts", "softirq": "bottom halves",
            "exception": "exceptions"}.get(kind, "entry, exit, rest")


def stretch_of(trace):
    """Returns the time around the first fsync that waits, or else around the first fsync."""
    waits = sorted(span for task in trace.daemon() for span in task.waiting(FSYNC))
    calls = sorted(span for task in trace.daemon() for span in task.running(FSYNC))
    first = (waits + calls + [(0, 0)])[0][0]
    return first - trace.hz // 500, first + trace.hz * STRETCH_MS // 1000


def draw_lanes(trace, title, path):
    begin, end = stretch_of(trace)
    lanes = []
    for task in trace.daemon() + trace.workers():
        pieces = [piece for piece in task.pieces() if piece[1] > begin and piece[0] < end]
        if any(not off for _, _, _, off in pieces):
            lanes.append((task, pieces))
    picture = Picture(90 + LANE * len(lanes), f"{title}: {STRETCH_MS} ms")
    scale = (WIDTH - LEFT - 20) / (end - begin)
    for i, (task, pieces) in enumerate(lanes):
        y = 34 + i * LANE
        is_rpciod = any("function:rpc_async_schedule" in stack for _, _, stack, _ in pieces)
        picture.text(LEFT - 6, y + 13, f"{task.comm}-{task.pid}{', rpciod' if is_rpciod else ''}", "end")
        for first, last, stack, off in pieces:
            # Do not draw a worker without work
            name = colour_of(stack, off) if stack or task.tgid == trace.pid or not off else None
            name = name or (None if off else "user mode" if task.tgid == trace.pid else "kernel thread")
            if name:
                first, last = max(first, begin), min(last, end)
                picture.box(LEFT + (first - begin) * scale, y, (last - first) * scale, LANE - 5,
                            COLOURS[name], f"{' > '.join(stack)}{' ' + off if off else ''}: "
                            f"{(last - first) * 1e6 / trace.hz:.1f} us")
    picture.legend(list(COLOURS), 44 + LANE * len(lanes))
    picture.write(path)


def main():
    directory = sys.argv[1]
    with open(os.path.join(directory, "study.json"), encoding="ascii") as text:
        runs = json.load(text)["measurements"]
    for back in dict.fromkeys(run["back"] for run in runs):
        of_back = [run for run in runs if run["back"] == back]
        draw_groups(of_back, os.path.join(directory, f"groups-{back}.svg"))
        clients = of_back[0]["clients"]
        trace = traces.Traces(os.path.join(directory, f"{back}-{clients}.trace.gz"))
        draw_lanes(trace, f"{back}, {clients} clients: iod's threads and the kernel's workers",
                   os.path.join(directory, f"lanes-{back}.svg"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
