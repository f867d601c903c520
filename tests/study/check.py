#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""check.py spans SEED - compares spans.py with a count of each tick, for random lists
check.py same DIR - for clients with 8 blocks each: profile, trace and iod agree
check.py nfs DIR - the same for all of DIR; on NFS rpciod sends the data that iod writes
"""
import html.parser
import json
import os
import random
import statistics
import sys
import xml.dom.minidom

import spans
import traces
from claims import expect, finish

BLOCKS = 8
CALLS = {"pwrite64": ("write", "syscall:18"), "pread64": ("read", "syscall:17"),
         "fsync": ("fsync", "syscall:74"), "tcp_sendmsg": (None, "function:tcp_sendmsg"),
         "tcp_recvmsg": (None, "function:tcp_recvmsg")}


def ticks(times):
    return {tick for begin, end in times for tick in range(begin, end)}


def is_list(times):
    return all(begin < end for begin, end in times) and all(
        one[1] <= two[0] for one, two in zip(times, times[1:]))


def check_spans(draw):
    for _ in range(300):
        lists = [[(begin, begin + draw.randrange(0, 20)) for begin in
                  (draw.randrange(0, 120) for _ in range(draw.randrange(0, 12)))] for _ in range(2)]
        one, two = map(spans.union, lists)
        expect(f"union {lists}", is_list(one) and ticks(one) == ticks(lists[0]))
        for name, made, right in (("common", spans.common(one, two), ticks(one) & ticks(two)),
                                  ("without", spans.without(one, two), ticks(one) - ticks(two))):
            expect(f"{name} {one} {two}: {made}", is_list(made) and ticks(made) == right)
        expect(f"length {lists[0]}", spans.length(lists[0]) == sum(end - begin for begin, end in lists[0]))
        expect(f"touched {lists}", spans.touched(lists[0], two) ==
               [span for span in lists[0] if ticks([span]) & ticks(two)])
        begin, end, width = 10, 10 + draw.randrange(0, 110), draw.randrange(1, 15)
        shares = spans.shares(lists[0], begin, end, width)
        expect(f"shares {lists[0]} {begin} {end} {width}: {shares}", shares == [
            sum(len(ticks([span]) & set(range(at, at + width))) for span in lists[0])
            for at in range(begin, end - width + 1, width)])
    for _ in range(50):
        count = draw.randrange(2, 40)
        one = [draw.randrange(1000) for _ in range(count)]
        two = [value + draw.randrange(300) for value in one]
        try:
            mean = statistics.fmean
            right = (sum((a - mean(one)) * (b - mean(two)) for a, b in zip(one, two)) / count /
                     statistics.pstdev(one) / statistics.pstdev(two))
        except ZeroDivisionError:
            right = None
        made = spans.correlation(one, two)
        expect(f"correlation {made} {right}", made == right or abs(made - right) < 1e-9)
    expect("correlation of what does not vary", spans.correlation([1, 1, 1], [1, 2, 3]) is None)


def of_profile(path, pid):
    """Returns {call: [count, inclusive ticks]} of the daemon's threads; "rest" has no node."""
    rows, mine = {"rest": [0, 0]}, False
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if words[0] == "task":
            mine = int(words[2]) == pid
        elif words[0] == "cpu":
            mine = False
        elif line.startswith("  ") and mine:
            path_words = words[0].split(">")
            if path_words[-1] == "rest":
                rows["rest"][1] += int(words[3])
            for call, (_, event) in CALLS.items():
                row = rows.setdefault(call, [0, 0])
                if path_words[-1] == event:
                    row[0] += int(words[1])
                if event in path_words:
                    row[1] += int(words[3])
    return rows


def of_trace(trace):
    rows = {call: [0, 0] for call in CALLS}
    for task in trace.daemon():
        for call, (_, event) in CALLS.items():
            rows[call][0] += sum(1 for _, kind, name in task.events if kind == "enter" and name == event)
            rows[call][1] += sum(end - begin for begin, end, stack, _ in task.pieces() if event in stack)
    return rows


def check_same(directory, run):
    clients = run["clients"]
    base = os.path.join(directory, f"{run['back']}-{clients}")
    trace = traces.Traces(base + ".trace.gz")
    profile, traced = of_profile(base + ".prof", trace.pid), of_trace(trace)
    asked = {"write": BLOCKS, "read": BLOCKS, "fsync": BLOCKS // 4}
    print(f"{run['back']}, {clients} clients; ticks without space in the profile: {profile['rest'][1]}")
    for call, (name, _) in CALLS.items():
        print(f"{call}: profile {profile[call]}, trace {traced[call]}")
        expect(f"{call}: profile and trace", profile[call][0] == traced[call][0] > 0 and
               0 <= traced[call][1] - profile[call][1] <= profile["rest"][1])
        if name:
            count = trace.served[name][0]
            expect(f"{call}: iod has {count}", count == clients * asked[name] == profile[call][0])
    expect("threads", run["threads"] == clients + 1)
    expect("nothing is overwritten", run["overwritten"] == 0)
    expect("bytes", run["load"]["write"]["bytes"] == clients * BLOCKS * 65536 ==
           run["served"]["write"]["bytes"] == run["served"]["read"]["bytes"])
    total = of_all(base + ".prof", trace.pid)
    expect("groups add up", abs(sum(run["groups_ms"].values()) - total * 1e3 / trace.hz) < .01)
    relation = run["correlation"]
    if run["back"] != "nfs":
        expect("no rpciod", relation["rpciod_ms"] == 0 and
               all(each["waiting_rpciod"] is None for each in relation["r"]))
    else:
        expect(f"rpciod: {relation}", relation["rpciod_ms"] > 0 and relation["waits_with_rpciod"] > 0 and
               0 < relation["waits_with_send"] <= relation["waits_with_rpciod"] <= relation["waits"])
    return run["load"]["write"]["bytes"] if run["back"] == "nfs" else 0


def check_all(directory):
    with open(os.path.join(directory, "study.json"), encoding="ascii") as text:
        runs = json.load(text)["measurements"]
    sent = sum(check_same(directory, run) for run in runs)
    for back in {run["back"] for run in runs}:
        for name in f"groups-{back}.svg", f"lanes-{back}.svg":
            picture = xml.dom.minidom.parse(os.path.join(directory, name))
            expect(name, len(picture.getElementsByTagName("rect")) > 10)
    check_page(directory, runs)
    return runs, sent


class Page(html.parser.HTMLParser):
    """Counts the rows and pictures of a page, and collects its cells."""
    def __init__(self):
        super().__init__()
        self.rows = self.pictures = 0
        self.cells, self.in_cell = [], False

    def handle_starttag(self, tag, attrs):
        self.rows += tag == "tr"
        self.pictures += tag == "svg"
        self.in_cell = tag in ("td", "th")
        if self.in_cell:
            self.cells.append("")

    def handle_endtag(self, tag):
        self.in_cell = False

    def handle_data(self, data):
        if self.in_cell:
            self.cells[-1] += data


def check_page(directory, runs):
    page = Page()
    with open(os.path.join(directory, "study.html"), encoding="utf-8") as text:
        page.feed(text.read())
    with open(os.path.join(directory, "study.txt"), encoding="utf-8") as text:
        parts = [part.splitlines()[1:] for part in text.read().strip().split("\n\n")]
    rows = [row for part in parts for row in part]
    svgs = [name for name in os.listdir(directory) if name.endswith(".svg")]
    expect(f"the page: {page.rows} rows of {len(rows)}", page.rows == len(rows))
    expect("its cells", "".join("".join(page.cells).split()) == "".join("".join(rows).split()))
    width = {back: len([run for run in runs if run["back"] == back]) + 1 for back in {run["back"] for run in runs}}
    if len(set(width.values())) == 1:
        expect("of each row", len(page.cells) == len(rows) * max(width.values()))
    expect(f"its pictures: {page.pictures} of {svgs}", page.pictures == len(svgs) > 1)


def check_nfs(directory):
    runs, sent = check_all(directory)
    expect("both, with 2 and 4 clients", [(run["back"], run["clients"]) for run in runs] ==
           [("nfs", 2), ("nfs", 4), ("local", 2), ("local", 4)] or len(runs) == 10)
    with open(os.path.join(directory, "guests/node3/nfsd"), encoding="ascii") as counts:
        line, = (line.split() for line in counts if line.startswith("io "))
    print(f"bytes written: {sent}, by nfsd's count {line[2]}")
    expect("nfsd's count", int(line[2]) == sent)


def of_all(path, pid):
    """Returns the exclusive ticks of the daemon's threads."""
    sum_of, mine = 0, False
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if words[0] in ("task", "cpu"):
            mine = words[0] == "task" and int(words[2]) == pid
        elif line.startswith("  ") and mine:
            sum_of += int(words[3])
    return sum_of


def main():
    if sys.argv[1] == "spans":
        check_spans(random.Random(int(sys.argv[2])))
    elif sys.argv[1] == "nfs":
        check_nfs(sys.argv[2])
    else:
        check_all(sys.argv[2])
    finish()


main()
