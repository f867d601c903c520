#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""openmp.py DIR EVTLOG - prints tables and draws pictures of tests/study/openmp/run's measurements

DIR has a directory for each number of CPUs, such as "2", with the log run.evl, and the file
programs, which has the times that each program printed. Writes DIR/study.json, and for each number
of CPUs timeline.png, queues.csv and queues.svg. Counts come from evtlog stat and dump. The tasks
that run or wait on each CPU come from an OTF2 archive, read by Debian's otf2 module.
"""
import collections
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

import otf2
from otf2 import events

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from draw import Picture    # noqa: E402

PHASES = (("big", "one big block"), ("busy", "small blocks, busy waiting"),
          ("yield", "small blocks, yielding"))
THREADS = 8
INTERVALS = 150             # per phase, in pictures
# After this time of a phase, its tasks are spread over the CPUs.
SPREAD_NS = 1_000_000_000
SHADES = ("#ffffff", "#e3eef9", "#bad6eb", "#89bedc", "#539ecd", "#2b7bba", "#0b559f", "#08306b")


def run_lines(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, encoding="utf-8",
                          errors="replace")
    if done.returncode not in (0, 4):
        sys.exit(f"openmp.py: {' '.join(command)}: exits {done.returncode}")
    return done.stdout


def programs_of(path):
    """Returns {phase: [{kind, pid, begin_ns, end_ns}]}, in CLOCK_MONOTONIC_RAW."""
    found = collections.defaultdict(list)
    for line in open(path, encoding="ascii"):
        phase, kind, _, pid, begin_ns, end_ns = line.split()
        found[phase].append({"kind": "sequential" if kind == "sequential" else "parallel",
                             "pid": int(pid), "begin_ns": int(begin_ns), "end_ns": int(end_ns)})
    return found


class Queues:
    """The number of tasks that run or wait on each CPU: changes as (ns, number), by CPU"""

    def __init__(self, evtlog, log):
        self.of = collections.defaultdict(list)
        archive = log + ".otf2"
        shutil.rmtree(archive, ignore_errors=True)
        # Streams are not needed here.
        run_lines(evtlog, "export", "--otf2", archive, "--streams", "0", log)
        cpu = re.compile(r"cpu (\d+) tasks$")
        with otf2.reader.open(archive + "/traces.otf2") as trace:
            self.begin_ns = trace.definitions.clock_properties.global_offset
            for location, event in trace.events:
                match = cpu.search(location.name)
                if match and isinstance(event, events.Enter) and event.region.name.isdigit():
                    self.of[int(match[1])].append((event.time, int(event.region.name)))
        shutil.rmtree(archive)

    def pieces(self, cpu, begin, end):
        """Yields (begin, end, number) within a time."""
        changes = self.of[cpu]
        for (time, number), following in zip(changes, changes[1:] + [(end, 0)]):
            first, last = max(time, begin), min(following[0], end)
            if first < last:
                yield first, last, number

    def means(self, cpu, begin, end, count):
        """Returns the mean numbers of @count intervals."""
        width = (end - begin) / count
        sums = [0.0] * count
        for first, last, number in self.pieces(cpu, begin, end):
            at = int((first - begin) / width)
            while first < last and at < count:
                until = min(last, begin + (at + 1) * width)
                sums[at] += number * (until - first) / width
                first, at = until, at + 1
        return sums

    def mean_and_deviation(self, cpu, begin, end):
        pieces = [(last - first, number) for first, last, number in self.pieces(cpu, begin, end)]
        whole = sum(span for span, _ in pieces) or 1
        mean = sum(span * number for span, number in pieces) / whole
        return mean, (sum(span * (number - mean) ** 2 for span, number in pieces) / whole) ** .5


def measure_phase(evtlog, log, queues, programs):
    begin, end = min(p["begin_ns"] for p in programs), max(p["end_ns"] for p in programs)
    span = ["--from", f"{begin - queues.begin_ns}ns", "--to", f"{end - queues.begin_ns}ns"]
    stat = json.loads(run_lines(evtlog, "stat", "--json", "--comm", "fib", *span, log))
    moves, late = collections.Counter(), 0
    for line in run_lines(evtlog, "dump", "--json", "--type", "sched_migrate_task", *span,
                          log).splitlines():
        event = json.loads(line)
        fields = event.get("fields")
        if not fields or not fields["pid_comm"].startswith("fib"):
            continue
        moves[fields["orig_cpu"], fields["dest_cpu"]] += 1
        late += float(event["time"]) * 1e9 >= begin - queues.begin_ns + SPREAD_NS
    seconds = (end - begin) / 1e9
    cpus = sorted(queues.of)
    tasks = stat["tasks"]
    wall = {kind: sorted((p["end_ns"] - p["begin_ns"]) / 1e9 for p in programs if p["kind"] == kind)
            for kind in ("sequential", "parallel")}
    lengths = {cpu: queues.mean_and_deviation(cpu, begin, end) for cpu in cpus}
    over_time = {cpu: queues.means(cpu, begin, end, INTERVALS) for cpu in cpus}
    return {
        "begin_ns": begin, "end_ns": end, "seconds": seconds, "wall_s": wall,
        "programs": {kind: len(each) for kind, each in wall.items()},
        "cpu_s": sum(task["run_ns"] for task in tasks) / 1e9,
        "switches": sum(cpu["switches"] for cpu in stat["cpus"]),
        "switches_per_s": sum(cpu["switches"] for cpu in stat["cpus"]) / seconds,
        "blocked_switches": sum(task["voluntary"] for task in tasks),
        "preempted_switches": sum(task["preempted"] for task in tasks),
        "migrations": sum(moves.values()),
        "migrations_per_s": sum(moves.values()) / seconds,
        "late_migrations_per_s": late / max(seconds - SPREAD_NS / 1e9, 1e-9),
        "matrix": {f"{a} -> {b}": count for (a, b), count in sorted(moves.items())},
        "queues": {str(cpu): {"mean": mean, "deviation": deviation, "over_time": over_time[cpu]}
                   for cpu, (mean, deviation) in lengths.items()},
        "imbalance": statistics.mean(max(each) - min(each) for each in zip(*over_time.values())),
    }


# ---- Pictures ----

def shade(number, most):
    return SHADES[min(int(number / max(most, 1) * (len(SHADES) - 1) + .5), len(SHADES) - 1)]


def draw_queues(run, path, csv):
    """Draws a lane for each CPU: the darker, the more tasks run or wait on it."""
    phases = run["phases"]
    cpus = sorted(phases["big"]["queues"], key=int)
    most = max(max(each["over_time"]) for phase in phases.values() for each in phase["queues"].values())
    whole = sum(phase["seconds"] for phase in phases.values())
    picture = Picture(70 + 30 * len(cpus), f"{run['cpus']} CPUs: tasks that run or wait; white none, dark {most:.0f}")
    x = 60.0
    with open(csv, "w", encoding="ascii") as out:
        print("phase,time_s," + ",".join(f"cpu{cpu}" for cpu in cpus), file=out)
        for name, title in PHASES:
            phase = phases[name]
            width = 1020 * phase["seconds"] / whole / INTERVALS
            picture.text(x + 4, 38, f"{title}: {phase['seconds']:.1f} s")
            for i in range(INTERVALS):
                lengths = [phase["queues"][cpu]["over_time"][i] for cpu in cpus]
                print(f"{name},{phase['seconds'] / INTERVALS * i:.3f},"
                      + ",".join(f"{each:.2f}" for each in lengths), file=out)
                for k, each in enumerate(lengths):
                    picture.box(x, 48 + 30 * k, width, 24, shade(each, most), f"{each:.1f}")
                x += width
            x += 6
    for k, cpu in enumerate(cpus):
        picture.text(8, 64 + 30 * k, f"CPU {cpu}")
    picture.write(path)


# ---- Tables ----

def table(title, heads, rows):
    """@rows: (name, texts)"""
    wide = max([len(row[0]) for row in rows] + [len(heads[0])])
    print(f"\n{title}\n{heads[0]:<{wide}}" + "".join(f"  {head:>27}" for head in heads[1:]))
    for name, texts in rows:
        print(f"{name:<{wide}}" + "".join(f"  {text:>27}" for text in texts))


def span_text(values):
    return f"{min(values):.2f} - {max(values):.2f}"


ROWS = (
    ("switches per second", lambda p: f"{p['switches_per_s']:.0f}"),
    ("  of the programs, blocked", lambda p: f"{p['blocked_switches'] / p['seconds']:.0f}"),
    ("  of the programs, preempted", lambda p: f"{p['preempted_switches'] / p['seconds']:.0f}"),
    ("migrations per second", lambda p: f"{p['migrations_per_s']:.1f}"),
    ("  after the first second", lambda p: f"{p['late_migrations_per_s']:.1f}"),
    ("CPU time of the programs, s", lambda p: f"{p['cpu_s']:.2f}"),
    ("difference of run queues, mean", lambda p: f"{p['imbalance']:.1f}"),
)


def print_run(run):
    phases = [run["phases"][name] for name, _ in PHASES]
    heads = [title for _, title in PHASES]
    table(f"{run['cpus']} CPUs: wall time of the programs, s", ["program"] + heads,
          [(kind, [span_text(phase["wall_s"][kind]) for phase in phases])
           for kind in ("sequential", "parallel")])
    table(f"{run['cpus']} CPUs: what the scheduler did", [""] + heads,
          [(name, [show(phase) for phase in phases]) for name, show in ROWS])
    cpus = sorted(phases[0]["queues"], key=int)
    table(f"{run['cpus']} CPUs: tasks that run or wait, mean and deviation over time", [""] + heads,
          [(f"CPU {cpu}", [f"{phase['queues'][cpu]['mean']:.1f} +- {phase['queues'][cpu]['deviation']:.1f}"
                           for phase in phases]) for cpu in cpus])
    pairs = sorted({pair for phase in phases for pair in phase["matrix"]})
    table(f"{run['cpus']} CPUs: migrations of the programs from CPU to CPU", [""] + heads,
          [(pair, [str(phase["matrix"].get(pair, 0)) for phase in phases]) for pair in pairs])
    print()
    for sentence in explain(run):
        print(sentence)


def explain(run):
    """Yields three sentences with the results."""
    big, busy, sleep = (run["phases"][name] for name, _ in PHASES)
    mean = {name: statistics.mean(run["phases"][name]["wall_s"]["parallel"]) for name, _ in PHASES}
    more = busy["cpu_s"] / big["cpu_s"]
    yield (f"One big block: threads wait for each other once, so that {big['cpu_s']:.1f} s of CPU time are "
           f"spread over {run['cpus']} CPUs in {big['seconds']:.1f} s, tasks migrate {big['migrations_per_s']:.1f} times "
           f"a second ({big['late_migrations_per_s']:.1f} after the first second), and run queues differ by "
           f"{big['imbalance']:.1f} tasks.")
    yield (f"Busy waiting: the same calculation takes {busy['cpu_s']:.1f} s of CPU time, {more:.1f} times as much, "
           f"for threads that wait at the end of a block use up their time slices "
           f"({busy['preempted_switches'] / max(busy['blocked_switches'], 1):.1f} switches by preemption for each by "
           f"blocking), and parallel programs take {mean['busy'] / mean['big']:.1f} times as long as with one block.")
    yield (f"Yielding: threads block at the end of each block, {sleep['blocked_switches'] / sleep['seconds']:.0f} times "
           f"a second instead of {big['blocked_switches'] / big['seconds']:.0f}, so that waiting takes no CPU time "
           f"({sleep['cpu_s'] / big['cpu_s']:.1f} times that of one block), run queues vary by "
           f"{statistics.mean(q['deviation'] for q in sleep['queues'].values()):.1f} tasks, "
           f"{sleep['migrations_per_s']:.1f} tasks migrate a second, and parallel programs take "
           f"{mean['yield'] / mean['big']:.1f} times as long as with one block.")


def measure(directory, cpus, evtlog):
    base = os.path.join(directory, str(cpus))
    log = os.path.join(base, "run.evl")
    queues = Queues(evtlog, log)
    programs = programs_of(os.path.join(base, "programs"))
    run = {"cpus": cpus, "bytes": os.path.getsize(log),
           "phases": {name: measure_phase(evtlog, log, queues, programs[name]) for name, _ in PHASES}}
    draw_queues(run, os.path.join(base, "queues.svg"), os.path.join(base, "queues.csv"))
    run_lines(evtlog, "view", "--index-dir", "none", "--light", "--png", os.path.join(base, "timeline.png"), log)
    return run


def main():
    directory, evtlog = sys.argv[1:]
    runs = [measure(directory, cpus, evtlog)
            for cpus in sorted(int(name) for name in os.listdir(directory) if name.isdigit())]
    for run in runs:
        print_run(run)
    with open(os.path.join(directory, "study.json"), "w", encoding="ascii") as out:
        json.dump({"runs": runs}, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    main()
