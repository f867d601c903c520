#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.py make SEED - writes random profiles a.prof, b.prof, r.prof
report.py check - compares the output of evtlog profile report with the profiles
TAU's files are read as in utils/pprof.cpp and TauDataSource.java of UO-OACISS/tau2. The first line
is "%d %s". The second begins with "# Name Calls Subrs Excl Incl " and "ProfileCalls" and may have
<metadata>. Each function's name is in quotes, followed by "%lG %lG %lG %lG %lG" and GROUP="A | B".
Then comes "%d aggregates".
"""
import json
import os
import random
import re
import sys
import xml.dom.minidom

from claims import expect, finish, wrong

HZ = {"a": 1000000000, "b": 2000000000, "r": 2500000000}
NAMES = {"syscall:1": "write()", "syscall:0": "read()", "exception:14": "exception page fault",
         "softirq:3": "softirq NET_RX", "region:a%20%3eb%22=%3e": 'a >b"=>', "group:syscall": "syscall",
         "function:tcp_sendmsg": "tcp_sendmsg"}
EVENTS = ["syscall:1", "syscall:0", "exception:14", "irq:4", "softirq:3", "io", "preempted",
          "function:tcp_sendmsg"]
# Times without an entry; and calls by name
TIMES = ["io", "preempted", "user"]
CALLS = ["write()", "read()"]
REGIONS = ["region:main", "region:solve", "region:a%20%3eb%22=%3e", "region:MPI_Send"]


def name_of(event):
    return NAMES.get(event, event.partition(":")[2] if event.startswith("region:") else event)


def paths_of(draw, regions):
    paths = ["user"]
    for _ in range(draw.randrange(1, 30)):
        parent = draw.choice([path for path in paths if "group:" not in path])
        paths.append(parent + ">" + draw.choice(REGIONS + ["group:syscall"] if regions else EVENTS))
    return sorted(set(paths), key=lambda path: draw.random() if path != "user" else -1)


def write(name, draw):
    with open(f"{name}.prof", "w") as out:
        out.write(f"state off\nticks_hz {HZ[name]}\n")
        if name == "r":
            out.write("rank 2\n")
        else:
            out.write("cpu 0 100 200\n  idle 3 50 50 20\n  user 0 0 50 0\n")
        for task in range(4):
            pid = 100 * (ord(name) - 96) + task
            out.write(f"task {pid} {pid - task % 2} 5 9 0 0 <{name}> & task\n")
            for path in paths_of(draw, name == "r"):
                spent = draw.choice([0, 1, draw.randrange(10 ** 6), draw.randrange(10 ** 12)])
                out.write(f"  {path} {draw.randrange(9)} {2 * spent} {spent} {spent // 2}\n")


def read(name):
    """Returns {pid: {path as a tuple of names: [count, ns]}}."""
    tasks, rows, tgid = {}, None, {}
    for line in open(f"{name}.prof"):
        word = line.split()
        if word[0] == "ticks_hz":
            hz = int(word[1])
        elif word[0] == "cpu":
            rows = {}
        elif word[0] == "task":
            rows = tasks[int(word[1])] = {}
            tgid[int(word[1])] = int(word[2])
        elif line.startswith("  "):
            row = rows.setdefault(tuple(map(name_of, word[0].split(">"))), [0, 0])
            row[0] += int(word[1])
            row[1] += int(word[3]) * 10 ** 9 / hz
    return tasks, tgid


def inclusive(rows, path):
    return sum(row[1] for at, row in rows.items() if at[:len(path)] == path)


def near(one, two, slack=2):
    return abs(one - two) <= slack + abs(two) * 1e-8


def check_json(tasks):
    report = json.load(open("all.json"))
    hz = report["ticks_hz"]
    expect("all tasks in JSON", {each["pid"] for each in report["profiles"]} == set(tasks))
    for each in report["profiles"]:
        rows, paths = tasks[each["pid"]], {}
        for node in each["paths"]:
            above = paths[node["parent"]] if node["parent"] is not None else ()
            paths[node["id"]] = above + (node["event"],)
        for node in each["paths"]:
            path = paths[node["id"]]
            expect(f"JSON: {path}", path in rows or inclusive(rows, path) >= 0)
            count, spent = rows.get(path, (0, 0))
            expect(f"JSON: {path}: {node}", node["count"] == count and
                   near(node["exclusive_ticks"] * 1e9 / hz, spent) and
                   near(node["inclusive_ticks"] * 1e9 / hz, inclusive(rows, path), 20))
        expect("JSON: no path is missing", set(rows) <= set(paths.values()))
    one = json.load(open("sum.json"))["profiles"]
    expect("one sum", len(one) == 1)
    expect("its total", near(one[0]["total_ticks"] * 1e9 / hz,
                             sum(row[1] for rows in tasks.values() for row in rows.values()), 100))
    cpus = json.load(open("cpus.json"))["profiles"]
    expect("a CPU", [(each["cpu"], each["total_ticks"]) for each in cpus] == [(0, 100)])


def without_costs(rows, costs):
    """Returns ticks by path without the events' own and surrounding costs, and the sum of costs."""
    left, removed = {}, 0
    for path, (count, spent) in rows.items():
        def cost(at, which):
            return 0 if at[-1] in TIMES or len(at) == 1 else costs[at[-1] in CALLS][which] * rows[at][0]
        load = cost(path, 0) + sum(cost(at, 1) for at in rows if at[:-1] == path)
        left[path] = max(0, spent - load)
        removed += spent - left[path]
    return left, removed


def check_compensated(tasks, name):
    """a.prof has ticks of 1 ns. The removed sum is only of the tasks shown."""
    report, removed = json.load(open(name)), 0
    for each in report["profiles"]:
        rows, paths = tasks[each["pid"]], {}
        left, less = without_costs(rows, {True: (3, 2), False: (7, 5)})
        removed += less
        for node in each["paths"]:
            above = paths[node["parent"]] if node["parent"] is not None else ()
            paths[node["id"]] = above + (node["event"],)
        for node in each["paths"]:
            path = paths[node["id"]]
            expect(f"compensated: {path}: {node}, not {left.get(path, 0)}",
                   node["exclusive_ticks"] == left.get(path, 0))
    expect(f"compensated: {report['compensated']}, not {removed} ticks",
           report["compensated"]["removed_ticks"] == removed > 0)
    table = open("compensated").read()
    expect(f"compensated: {table[:80]}", table.startswith("compensated: "))


def check_folded(tasks):
    sums = {}
    for line in open("all.folded"):
        stack, _, spent = line.rstrip("\n").rpartition(" ")
        label, *path = stack.split(";")
        sums[(int(label.rpartition("-")[2]), tuple(path))] = int(spent)
    for pid, rows in tasks.items():
        for path, (_, spent) in rows.items():
            expect(f"folded: {pid} {path}", near(sums.pop((pid, path), 0), spent))
    expect(f"folded: more {sums}", not sums)


def read_tau(path):
    """Reads as pprof.cpp does."""
    lines = open(path).read().split("\n")
    count, version = re.match(r"(\d+) (\S+)$", lines[0]).groups()
    expect(f"{path}: {version}", version == "templated_functions_MULTI_TIME")
    head = lines[1]
    expect(f"{path}: {head}", head.startswith("# Name Calls Subrs Excl Incl ProfileCalls"))
    metadata = xml.dom.minidom.parseString(re.search("<metadata>.*</metadata>", head)[0])
    values = [tuple(part.firstChild.data for part in each.childNodes)
              for each in metadata.documentElement.getElementsByTagName("attribute")]
    expect(f"{path}: metadata {values}", ("Metric Name", "TIME") in values)
    functions = {}
    for line in lines[2:2 + int(count)]:
        expect(f"{path}: quotes of {line}", line.count('"') == 4)
        _, name, numbers, groups, _ = line.split('"')
        word = numbers.split()
        expect(f"{path}: {line}", len(word) == 6 and word[5] == "GROUP=" and word[4] == "0" and
               all(each.isdigit() for each in word[:2]) and
               all(re.fullmatch(r"\d+\.\d{3}", each) for each in word[2:4]))
        expect(f"{path}: {name} twice", name not in functions)
        functions[name] = (int(word[0]), int(word[1]), float(word[2]), float(word[3]), groups.split(" | "))
    expect(f"{path}: aggregates", lines[2 + int(count):] == ["0 aggregates", ""])
    return dict(values), functions


def check_tau(tasks, tgid):
    places = {}
    for file in os.listdir("tau"):
        node, context, thread = map(int, re.match(r"profile\.(\d+)\.(\d+)\.(\d+)$", file).groups())
        values, functions = read_tau(f"tau/{file}")
        pid = int(values["tid"])
        places[pid] = (node, context, thread)
        rows = tasks[pid]
        first = next(iter(functions))
        expect(f"{file}: begins with {first}", first == ".TAU application")
        total = sum(row[1] for row in rows.values())
        expect(f"{file}: {functions[first]} {total}", near(functions[first][3], total / 1000))
        for path in {path[:k] for path in rows for k in range(1, len(path) + 1)}:
            name = " => ".join((first,) + tuple(part.replace('"', "_").replace("=>", "_>")
                                                for part in path)) + " "
            count, spent = rows.get(path, (0, 0))
            expect(f"{file}: {name}", name in functions)
            calls, _, own, whole, groups = functions.pop(name)
            expect(f"{file}: {name} {calls} {own} {whole}", calls == (count or 1) and
                   near(own, spent / 1000, .01) and near(whole, inclusive(rows, path) / 1000, .01) and
                   groups[0] == "TAU_CALLPATH")
        flat = [name for name in functions if " => " not in name]
        expect(f"{file}: left {set(functions) - set(flat)}", len(flat) == len(functions))
        # The flat lines contain each own time once, too.
        expect(f"{file}: sum", near(sum(functions[name][2] for name in flat), total / 1000, 40))
    expect("a file for each task", set(places) == set(tasks))
    expect("a place for each", len(set(places.values())) == len(places))
    for pid, (node, context, thread) in places.items():
        expect(f"{pid}: {node}.{context}.{thread}", node == (2 if pid >= 1800 else 0) and
               thread == pid - tgid[pid] and places[tgid[pid]][:2] == (node, context))


def read_pprof(name):
    """Returns the outermost message of protoc's text."""
    top, stack = {}, []
    for line in open(name):
        line = line.strip()
        at = stack[-1] if stack else top
        if line.endswith("{"):
            inner = {}
            at.setdefault(line[:-2], []).append(inner)
            stack.append(inner)
        elif line == "}":
            stack.pop()
        else:
            key, value = line.split(": ", 1)
            at.setdefault(key, []).append(
                value[1:-1].replace('\\"', '"').replace("\\'", "'") if value[0] == '"' else int(value))
    return top


def check_pprof(tasks):
    if not os.path.exists("all.txt"):
        print("no protoc: pprof's file was not decoded; run tests/depend check")
        return
    top = read_pprof("all.txt")
    words = top["string_table"]
    expect("pprof: string 0", words[0] == "")
    types = [(words[each["type"][0]], words[each["unit"][0]]) for each in top["sample_type"]]
    expect(f"pprof: {types}", types == [("calls", "count"), ("time", "nanoseconds")])
    expect("pprof: default", words[top["default_sample_type"][0]] == "time")
    functions = {each["id"][0]: words[each["name"][0]] for each in top["function"]}
    places = {each["id"][0]: functions[each["line"][0]["function_id"][0]] for each in top["location"]}
    found = {}
    for sample in top["sample"]:
        labels = {words[each["key"][0]]: each.get("num", [None])[0] for each in sample["label"]}
        path = tuple(places[each] for each in reversed(sample["location_id"]))
        expect(f"pprof: {path}", path[0] == path[0] and path[0].endswith(f"-{labels['tid']}"))
        found[(labels["tid"], path[1:])] = sample["value"]
    for pid, rows in tasks.items():
        for path, (count, spent) in rows.items():
            value = found.pop((pid, path), None)
            expect(f"pprof: {pid} {path} {value}", value and value[0] == count and near(value[1], spent))
    expect(f"pprof: more {found}", all(value == [0, 0] for value in found.values()))


def check_pprof_values():
    if not os.path.exists("values.txt"):
        return
    top = read_pprof("values.txt")
    words = top["string_table"]
    types = [(words[each["type"][0]], words[each["unit"][0]]) for each in top["sample_type"]]
    expect(f"pprof: {types}", types == [
        ("calls", "count"), ("time", "nanoseconds"), ("sock_sent", "bytes"), ("sock_sent_count", "count"),
        ("udp_queue", "packets"), ("udp_queue_count", "count")])
    found = [(sample["label"][-1]["num"][0], len(sample["location_id"]), sample["value"])
             for sample in top["sample"]]
    expect(f"pprof: {found}", sorted(found) == [
        (7, 1, [0, 0, 300, 3, 5, 2]), (7, 2, [0, 600000, 0, 0, 0, 0]),
        (8, 1, [0, 0, 9, 1, 0, 0]), (8, 2, [0, 100000, 0, 0, 0, 0])])


def flat(tasks):
    sums = {}
    for rows in tasks.values():
        for path, (count, spent) in rows.items():
            row = sums.setdefault(path[-1], [0, 0])
            row[0] += count
            row[1] += spent / 1000
    return sums


def check_compare(old, new):
    one, two = flat(old), flat(new)
    before, seen = None, set()
    for line in open("compared").read().splitlines()[1:]:
        count, own, event = re.match(r" *(\S+) +\S+ +(\S+) +(?:[-+][\d.]+|new|)  (\S.*)", line).groups()
        expect(f"compare: sign of {line}", count[0] in "+-" and own[0] in "+-")
        a, b = one.get(event, (0, 0)), two.get(event, (0, 0))
        expect(f"compare: {line}", int(count) == b[0] - a[0] and near(float(own), b[1] - a[1], .1))
        expect(f"compare: order of {line}", before is None or abs(float(own)) <= before + .001)
        before = abs(float(own))
        seen.add(event)
    expect("compare: all events", seen == set(one) | set(two))
    expect("compare: JSON", {each["event"] for each in json.load(open("compared.json"))["differences"]}
           == seen)
    for line in open("same").read().splitlines()[1:]:
        expect(f"same: {line}", line.split()[:3] == ["+0", "+0.000", "+0.000"])


def check_svg(tasks):
    text = open("all.svg").read()
    picture = xml.dom.minidom.parseString(text)
    boxes = [each for each in picture.getElementsByTagName("g")]
    at = {}
    for box in boxes:
        title = box.getElementsByTagName("title")[0].firstChild.data
        at.setdefault(int(box.getAttribute("data-y")), []).append(
            (float(box.getAttribute("data-x")), float(box.getAttribute("data-w"))))
        expect(f"svg: {title}", title.startswith(box.getAttribute("data-name")))
    for row, spans in at.items():
        spans.sort()
        expect(f"svg: row {row} overlaps", all(x + w <= y + 1e-6 for (x, w), (y, _) in zip(spans, spans[1:])))
    expect("svg: asks the network", "http" not in re.sub(r'xmlns="[^"]*"', "", text))


MADE = """state off
ticks_hz 1000000
cpu 0 0 1000000
  idle 0 0 900000 0
  user 0 0 50000 0
  kernel 9 4000 15000 900
  syscall:1 100 40000 30000 900
  softirq:3 7 5000 5000 900
task 5 5 1 9 0 0 a\\012;b\\033\\233\\134c
  task 0 0 600 0
  task>offline 1 10 10 10
  task>waiting 1 30 30 30
  task>function:a;b 1 1 1 1
"""


VALUES = """state off
ticks_hz 1000000
task 7 7 1 9 0 0 v
  user 0 0 600 0
value sock_sent 3 300 50 150 40000
value udp_queue 2 5 2 3 13
task 8 8 1 9 0 0 w
  user 0 0 100 0
value sock_sent 1 9 9 9 81
"""


def check_made():
    """Checks events without an end, and unusual names."""
    own = {"idle": 900000, "user": 50000, "kernel": 15000, "write()": 30000, "softirq NET_RX": 5000}
    for node in json.load(open("made.json"))["profiles"][0]["paths"]:
        least = own[node["event"]]
        expect(f"made: {node}", node["exclusive_ticks"] == least <= node["inclusive_ticks"])
    picture = xml.dom.minidom.parse("made.svg")
    widths = {box.getAttribute("data-name"): float(box.getAttribute("data-w"))
              for box in picture.getElementsByTagName("g")}
    for name, ticks in own.items():
        expect(f"svg: {name} {widths.get(name)}", near(widths.get(name, 0), ticks / 1e6, 1e-6))
    values, functions = read_tau("made.tau/profile.0.0.0")
    expect(f"TAU: {functions}", functions[".TAU application"][3] == 1000000 and
           functions["idle"][2:4] == (900000, 900000) and functions["write()"][3] == 40000)
    task = json.load(open("task.json"))["profiles"][0]
    kinds = {node["event"]: node["kind"] for node in task["paths"]}
    expect(f"made: kinds {kinds}", kinds == {"task": "user or kernel", "offline": "idle",
                                             "waiting": "blocked", "a;b": "kernel"})
    expect(f"made: {task['name']!r}", task["name"].startswith("a\n;b\033") and
           task["name"].endswith("\\c-5"))
    for name in "made.table", "made.tree", "made.folded":
        text = open(name, "rb").read()
        expect(f"{name}: {text}", b"\033" not in text and b"\233" not in text)
        expect(f"{name}: {text}", name != "made.folded" or
               (b"a__b__\\c-5;task;a_b 1000\n" in text and len(text.splitlines()) == 4))


def check_text(r_tasks):
    header, names = open("regions").read().splitlines(), set()
    for line in header:
        if line[:1] == " " and "exclusive" not in line:
            number = [float(each) for each in line.split()[1:8]]
            expect(f"regions: {line}", abs(number[1] - sum(number[2:])) < 0.01)
            names.add(line[100:].strip())
    expect(f"regions: {names}", {path[-1] for rows in r_tasks.values() for path in rows} - {"user", "syscall"}
           <= names)


def main():
    if sys.argv[1] == "make":
        draw = random.Random(int(sys.argv[2]))
        for name in HZ:
            write(name, draw)
        open("made.prof", "w").write(MADE)
        open("values.prof", "w").write(VALUES)
        return
    tasks, tgid = {}, {}
    for name in HZ:
        more, threads = read(name)
        tasks.update(more)
        tgid.update(threads)
    check_json(tasks)
    check_compensated(read("a")[0], "compensated.json")
    check_compensated(read("a")[0], "compensated-one.json")
    check_folded(tasks)
    check_tau(tasks, tgid)
    check_pprof(tasks)
    check_pprof_values()
    check_compare(read("a")[0], read("b")[0])
    check_svg(tasks)
    check_text(read("r")[0])
    check_made()
    print(f"{len(tasks)} tasks, {sum(map(len, tasks.values()))} paths, {len(wrong)} wrong")
    finish()


if __name__ == "__main__":
    main()
