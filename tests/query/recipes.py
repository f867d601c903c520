#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""recipes.py DIRECTORY SEED - the recipes of evtlog-query(1) give the right answers

Each recipe runs in evtlog query, in SQLite's shell with the extension, and in DuckDB on an export.
The answers are compared with evtlog stat of the same log, or with a model made from the lines of
evtlog dump. EVTLOG, MAKE_LOG and EXTENSION are the programs, PRELOAD is what sqlite3 needs for the
extension, and MODULES has DuckDB.
"""
import collections
import os
import re
import shutil
import subprocess
import sys

from model import IDLE, Model, fail, in_duckdb, in_query, in_sqlite, lines_of

PAGE = "tools/man/evtlog-query.1"
work, seed = sys.argv[1], int(sys.argv[2])


def recipes():
    text = open(PAGE).read()
    found = dict(re.findall(r'^\.\\" recipe (\S+)\n\.Bd -literal -offset indent\n(.*?)\n\.Ed$', text,
                            re.M | re.S))
    if len(found) < 20:
        fail(f"{PAGE} has {len(found)} recipes")
    return found


def ask(sql, logs):
    """Returns the rows of a query, which must be the same in both programs."""
    ours, theirs = in_query(sql, logs), in_sqlite(sql, logs)
    if ours != theirs:
        fail(f"evtlog query says {ours}, sqlite3 {theirs}: {sql}")
    return ours


def top(rows, key, count=10):
    return [list(row) for row in sorted(rows, key=key)[:count]]


def grouped(pairs):
    """{key: [number of values, their sum, the largest]}"""
    groups = {}
    for key, value in pairs:
        group = groups.setdefault(key, [0, 0, 0])
        group[0] += 1
        group[1] += value
        group[2] = max(group[2], value)
    return groups


def run_time(m):
    groups = grouped((s.pid, s.end - s.begin) for s in m.slices if s.pid != IDLE)
    return top(([pid, m.names[pid], g[1], g[0]] for pid, g in groups.items()),
               lambda row: (-row[2], row[0]))


def run_time_by_name(m):
    since = collections.defaultdict(list)
    for e in m.of("task", "sched_process_fork", "sched_process_exec", "task_rename"):
        fields = e["fields"]
        pid = fields.get("child_pid", fields.get("pid"))
        # A task in the snapshot had this name before, too.
        since[pid].append((0 if e["event"] == "task" and not since[pid] else e["ns"], fields["comm"]))

    def name(s):
        return [comm for ns, comm in since[s.pid] if ns <= s.begin][-1]
    groups = grouped((name(s), s.end - s.begin) for s in m.slices if s.pid != IDLE)
    return top(([comm, g[1], g[0]] for comm, g in groups.items()), lambda row: (-row[1], row[0]))


def busy(m):
    rows = []
    for cpu in m.stat["cpus"]:
        of_cpu = [s for s in m.slices if s.cpu == cpu["cpu"]]
        rows.append([m.host, cpu["cpu"], sum(cpu[of] for of in ("task_ns", "logger_ns", "softirq_ns", "irq_ns")),
                     sum(s.end - s.begin for s in of_cpu)])
    return rows


def switches(m):
    return [[m.host, cpu["cpu"], cpu["switches"]] for cpu in m.stat["cpus"]]


def preempted(m):
    return top(([t["pid"], t["comm"], t["preempted"], t["voluntary"]] for t in m.stat["tasks"]
                if any(s.pid == t["pid"] for s in m.slices)),
               lambda row: (-row[2], row[0]))


def wake_latency(m):
    rows = []
    for task in m.stat["tasks"]:
        latency = task["latency_ns"]
        if latency["count"]:
            rows.append([task["pid"], task["comm"], latency["count"], latency["min"],
                         latency["avg"] * latency["count"], latency["max"]])
    rows = top(rows, lambda row: (-row[5], row[0]))
    return rows


def longest_waits(m):
    waits = [w for w in m.waits() if w[3] is not None]
    waits.sort(key=lambda w: (w[1] - w[2], w[1]))
    rows = []
    for pid, begin, end, cpu in waits[:5]:
        ran = collections.Counter()
        for s in m.slices:
            if s.cpu == cpu and s.begin < end and s.end > begin:
                ran[s.pid] += min(s.end, end) - max(s.begin, begin)
        rows += top(([m.names[pid], begin, end - begin, other, m.names[other], ns]
                     for other, ns in ran.items()), lambda row: (-row[5], row[3]), 1000)
    return rows


def who_wakes_whom(m):
    pairs = collections.Counter((e["current_pid"], e["fields"]["pid"])
                                for e in m.of("sched_waking") if e["context"] == "task")
    return top(([m.names[a], m.names[b], n] for (a, b), n in pairs.items()),
               lambda row: (-row[2], row[0], row[1]))


def irq_wakes(m):
    wakings = list(m.of("sched_waking"))
    return [[m.host, len(wakings), sum(e["context"] != "task" for e in wakings)]]


def softirq_rate(m):
    groups = grouped(((e["ns"] // 10**9, e["fields"]["vec_name"]), ns)
                     for e, ns in m.nested("softirq"))
    counts = collections.Counter()
    for (_, name), group in groups.items():
        counts[name] += group[0]
    if counts != {irq["name"]: irq["count"] for irq in m.stat["softirqs"] if irq["count"]}:
        fail(f"dump and stat differ in softirqs: {counts}")
    return [[m.host, second, name, g[0], g[1]] for (second, name), g in sorted(groups.items())]


def irqs(m):
    groups = grouped(((e["fields"]["irq"], e["cpu"]), ns) for e, ns in m.nested("irq_handler"))
    return [[m.host, irq, cpu, g[0], g[2]] for (irq, cpu), g in sorted(groups.items())]


def vectors(m):
    rows = []
    for vector in sorted(m.stat["vectors"], key=lambda v: v["name"]):
        durations = [ns for _, ns in m.nested(vector["name"])]
        if len(durations) != vector["count"]:
            fail(f"dump and stat differ in {vector}")
        rows.append([vector["name"], len(durations), sum(durations)])
    return rows


def migrations(m):
    return top(([t["pid"], t["comm"], t["migrations"]] for t in m.stat["tasks"]
                if t["migrations"]), lambda row: (-row[2], row[0]))


def migration_pairs(m):
    pairs = collections.Counter((e["fields"]["orig_cpu"], e["fields"]["dest_cpu"])
                                for e in m.of("sched_migrate_task"))
    return [[a, b, n] for (a, b), n in sorted(pairs.items())]


def neighbours(m):
    before, pairs = {}, []
    for s in m.slices:
        old = before.get(s.cpu)
        if old and old.pid != IDLE and m.names[s.pid].startswith("task1") and \
                not m.names[old.pid].startswith("task1"):
            pairs.append((old.pid, old.end - old.begin))
        before[s.cpu] = s
    return top(([pid, m.names[pid], g[0], g[1]] for pid, g in grouped(pairs).items()),
               lambda row: (-row[3], row[0]))


def with_children(m):
    """Returns a task that forks children that run."""
    ran = {s.pid for s in m.slices}
    parents = collections.Counter(e["fields"]["parent_pid"] for e in m.of("sched_process_fork")
                                  if e["fields"]["child_pid"] in ran)
    parents.pop(IDLE, None)
    if not parents:
        fail("no task forks a child that runs")
    return parents.most_common(1)[0][0]


def neighbours_of_tree(m):
    job = {with_children(m)}
    for e in m.of("sched_process_fork"):
        if e["fields"]["parent_pid"] in job:
            job.add(e["fields"]["child_pid"])
    for e in m.of("task"):
        if e["fields"]["ppid"] in job:
            job.add(e["fields"]["pid"])
    before, pairs, names = {}, [], dict(m.names)
    for e in m.of("sched_process_fork"):
        names.setdefault(e["fields"]["child_pid"], e["fields"]["comm"])
    for s in m.slices:
        old = before.get(s.cpu)
        if old and old.pid not in job and old.pid != IDLE and s.pid in job:
            pairs.append((old.pid, old.end - old.begin))
        before[s.cpu] = s
    return top(([pid, names[pid], g[0], g[1]] for pid, g in grouped(pairs).items()),
               lambda row: (-row[3], row[0]), 1000)


def waiting(m):
    return [[m.host, sum(end - begin for _, begin, end, _ in m.waits())]]


def idle(m):
    return top(([m.host, s.cpu, s.begin, s.end - s.begin] for s in m.slices if s.pid == IDLE),
               lambda row: (-row[3], row[2]), 5)


def slice_lengths(m):
    def name(ns):
        return "1: < 1 us" if ns < 1000 else "2: < 10 us" if ns < 10000 else \
            "3: < 100 us" if ns < 100000 else "4: longer"
    counts = collections.Counter(name(s.end - s.begin) for s in m.slices if s.pid != IDLE)
    return [[key, count] for key, count in sorted(counts.items())]


def placement(m):
    groups = grouped((s.cpu, s.end - s.begin) for s in m.slices if s.pid == 101)
    return [[m.host, 101, cpu, g[0], g[1]] for cpu, g in sorted(groups.items())]


def icmp(m):
    return [[name, of["type"], of["count"]] for name, key in (("icmp_rx", "rx"), ("icmp_tx", "tx"))
            for of in sorted(m.stat["icmp"][key], key=lambda of: of["type"])]


def losses(m):
    if m.stat["lost"] == 0:
        fail("nothing is lost in the log of losses")
    gaps = list(m.of("gap"))
    if sum(gap["lost"] for gap in gaps) != m.stat["lost"]:
        fail("dump and stat differ in losses")
    return [[m.host, gap["cpu"], "lost", gap["lost"], round((gap["time"] - gap["since"]) * 1e9)]
            for gap in gaps]


def short_lived(m):
    forked, rows = {}, []
    for e in m.of("sched_process_fork", "sched_process_exit"):
        if e["event"] == "sched_process_fork":
            forked[e["fields"]["child_pid"]] = e
        else:
            child = forked.pop(e["fields"]["pid"], None)
            if child:
                rows.append([e["fields"]["pid"], None, e["ns"] - child["ns"]])
    return top(rows, lambda row: (row[2], row[0]))


def nodes_differ(models):
    counts = {m.host: sum(cpu["switches"] for cpu in m.stat["cpus"]) for m in models}
    mean = sum(counts.values()) / len(counts)
    return top(([host, n, round(100 * n / mean - 100, 2)] for host, n in counts.items()),
               lambda row: (-abs(row[2]), row[0]))


def close(a, b):
    """True if equal; a sum that was computed from a mean has only the mean's digits."""
    return a == b or (isinstance(a, (int, float)) and isinstance(b, float) and
                      abs(a - b) <= 1e-3 * abs(b) + 0.01)


def compare(key, got, expected):
    if len(got) != len(expected) or not expected or \
            any(len(a) != len(b) or not all(close(x, y) for x, y in zip(a, b))
                for a, b in zip(got, expected)):
        fail(f"{key}: only of the query {[row for row in got if row not in expected][:5]}, "
             f"only of the model {[row for row in expected if row not in got][:5]}")


def as_sqlite(value):
    """Converts a value of DuckDB's JSON, which has wide integers as text, and booleans."""
    if isinstance(value, str) and re.fullmatch(r"-?\d+", value):
        return int(value)
    return int(value) if isinstance(value, bool) else value


def check_duckdb(logs, questions):
    to = f"{work}/export"
    several = ["--assume-ntp"] if len(logs) > 1 else []
    lines_of(["export", "--parquet", to, *several, *logs], (0, 4))
    answers = in_duckdb(to, [sql for _, sql, _ in questions])
    shutil.rmtree(to)
    for (key, sql, got), rows in zip(questions, answers, strict=True):
        if isinstance(rows, dict):
            fail(f"{key}: DuckDB: {rows['error']}: {sql}")
        compare(f"{key} in DuckDB", [[as_sqlite(value) for value in row] for row in rows], got)


def make(name, *args):
    path = f"{work}/{name}.evl"
    subprocess.run([os.environ["MAKE_LOG"], "--host", name, *args, path], check=True)
    return path


one = make("one", "--events", "6000", "--cpus", "3", "--seed", str(seed), "--compress", "4")
two = make("two", "--events", "4000", "--boot", "2", "--seed", str(seed + 1))
lossy = make("lossy", "--events", "6000", "--boot", "3", "--seed", str(seed), "--lose", "9")
lives = make("lives", "--events", "6000", "--boot", "4", "--seed", str(seed), "--children", "40")
execs = make("execs", "--events", "6000", "--boot", "5", "--seed", str(seed), "--execs", "1", "--tasks", "8")
OTHER = {"losses": lossy, "run-time-by-name": execs, "short-lived": lives, "neighbours-of-tree": lives}
answered = {}
models = {path: Model(path) for path in (one, two, lossy, lives, execs)}
for key, sql in recipes().items():
    if key == "nodes-differ":
        got = ask(sql, [one, two])
        answered.setdefault((one, two), []).append((key, sql, got))
        compare(key, got, nodes_differ([models[one], models[two]]))
        continue
    log = OTHER.get(key, one)
    if key == "neighbours-of-tree":
        # Children run so briefly that they are not among the first ten.
        sql = sql.replace("pid = 101", f"pid = {with_children(models[log])}").replace("LIMIT 10", "LIMIT 1000")
    got = ask(sql, [log])
    answered.setdefault((log,), []).append((key, sql, got))
    if key == "short-lived":
        got = [[tid, None, ns] for tid, _, ns in got]
    compare(key, got, globals()[key.replace("-", "_")](models[log]))
for logs, questions in answered.items():
    check_duckdb(logs, questions)
