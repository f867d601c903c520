#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""published.py LOG EXPORT - queries that others published run unchanged, with right answers

The second line of each published/*.sql names where the query runs: in DuckDB on the export, there
with systing's schema, or in evtlog query. The answers are compared with a model made from the lines
of evtlog dump. EVTLOG is the program; MODULES has DuckDB. What runs in evtlog query must give the
same answer in SQLite's shell with EXTENSION.
"""
import collections
import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../query"))
from model import EVTLOG, IDLE, Model, fail, in_duckdb, in_query, in_sqlite, lines_of  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
log, export = sys.argv[1:3]
m = Model(log)


# ---- Running ----

def queries():
    found = {}
    for path in sorted(glob.glob(f"{HERE}/published/*.sql")):
        lines = open(path).read().splitlines()
        if not lines[0].startswith("-- ") or not lines[1].startswith("-- Runs in: "):
            fail(f"{path}: it does not say where it is from, and where it runs")
        found[os.path.basename(path)[:-4]] = (path, lines[1].split(": ")[1].split())
    return found


def number(value):
    """Converts a 64-bit number, which DuckDB prints as text."""
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d+", value) else value


def on_export(schema, texts):
    answers = in_duckdb(export, texts, schema)
    for rows in answers:
        if isinstance(rows, dict):
            fail(f"DuckDB, {schema}: {rows['error']}")
    return [[tuple(map(number, row)) for row in rows] for rows in answers]


def on_log(path, text):
    ours, theirs = in_query(f"@{path}", [log]), in_sqlite(text, [log])
    if not len(ours) == len(theirs) or not all(all(map(close, *rows)) for rows in zip(ours, theirs)):
        fail(f"{path}: evtlog query says {ours[:3]}, sqlite3 {theirs[:3]}")
    return [tuple(row) for row in ours]


# ---- The expected answers ----

UTIDS = {tid: utid for _, utid, tid in
         (("", *json.loads(line).values()) for line in
          lines_of(["query", "--json", "SELECT utid, tid FROM thread", log]))}
tgids = {IDLE: IDLE}
parents = {}
for event in m.of("task", "sched_process_fork"):
    fields = event["fields"]
    if event["event"] == "task":
        tgids[fields["pid"]] = fields["tgid"]
        parents[fields["tgid"]] = fields["ppid"]
    else:
        tgids[fields["child_pid"]] = fields["child_tgid"]
        parents[fields["child_tgid"]] = tgids.get(fields["parent_pid"], fields["parent_pid"])
        m.names.setdefault(fields["child_pid"], fields["comm"])
busy = [s for s in m.slices if s.pid != IDLE]
long = [s for s in m.slices if s.end > s.begin]


def process(pid):
    return m.names[tgids[pid]]


def end_state(s):
    return {"+": "R+"}.get(s.state, s.state)


def states():
    """Yields (pid, state, begin, end) of running, waiting and sleeping threads; without losses."""
    since, exited, last = {}, set(), max(event["ns"] for event in m.events)
    for event in m.events:
        now, f = event["ns"], event.get("fields")
        changes = []
        if event["event"] == "start" and event["current_pid"] != IDLE:
            changes = [(event["current_pid"], "Running")]
        elif event["event"] == "sched_switch":
            changes = [(event["current_pid"], {"+": "R+"}.get(f["prev_state"], f["prev_state"])),
                       (f["next_pid"], "Running")]
        elif event["event"] == "sched_waking" and since.get(f["pid"], ("?",))[0] not in ("Running", "R", "R+"):
            changes = [(f["pid"], "R")]
        elif event["event"] == "sched_wakeup_new":
            changes = [(f["pid"], "R")]
        elif event["event"] == "task" and f["pid"] not in since:
            changes = [(f["pid"], {"+": "R+"}.get(f["state"], f["state"]))]
        elif event["event"] == "sched_process_exit":
            exited.add(f["pid"])
        elif event["event"] == "end" and event["current_pid"] in since:
            # Each CPU ends at its own time.
            yield (event["current_pid"], *since.pop(event["current_pid"]), now)
        for pid, state in changes:
            if pid in since:
                yield (pid, *since[pid], now)
            since[pid] = state, now
            if pid in exited and state != "Running":
                del since[pid]
    for pid, (state, begin) in since.items():
        yield pid, state, begin, last


STATES = [one for one in states() if one[0] != IDLE]


def cpu_scheduling(_):
    return [(s.begin, s.end - s.begin, s.cpu, end_state(s), None, process(s.pid), m.names[s.pid])
            for s in m.slices]


def sched_slices(_):
    return [(s.begin, s.cpu, s.end - s.begin, s.end, end_state(s), None, s.pid, m.names[s.pid])
            for s in m.slices]


def blocked(_):
    return [(begin, pid, None) for pid, state, begin, _ in STATES if state == "D"]


def thread(_):
    return [(tid, m.names[tid]) for tid, utid in UTIDS.items() if utid == 10]


def time_in_state(where):
    sums = collections.Counter()
    for pid, state, begin, end in STATES:
        sums[UTIDS[pid], state] += end - begin
    totals = collections.Counter()
    for (utid, _), ns in sums.items():
        totals[utid] += ns
    # SQLite divides integers as Perfetto does; DuckDB does not.
    return [(utid, totals[utid], state, ns, (ns * 100 // totals[utid] if where == "query" else
                                             ns * 100 / totals[utid]) if totals[utid] else None)
            for (utid, state), ns in sums.items()]


def cast(where, value):
    """Casts to an integer: SQLite truncates, DuckDB rounds."""
    return int(value) if where == "query" else round(value)


def per_cpu(where):
    rows = []
    for cpu in sorted({s.cpu for s in long}):
        durs = [s.end - s.begin for s in long if s.cpu == cpu]
        rows.append((cpu, len(durs), cast(where, sum(durs) / len(durs) / 1000),
                     cast(where, max(durs) / 1000), sum(durs) / 1e9))
    return rows


def cpu_time(_):
    total = sum(s.end - s.begin for s in long)
    groups = collections.defaultdict(list)
    for s in long:
        if s.pid != IDLE:
            groups[s.pid].append(s.end - s.begin)
    return sorted(((process(pid), m.names[pid], pid, len(durs), sum(durs) / 1e9,
                    round(100 * sum(durs) / total, 2)) for pid, durs in groups.items()),
                  key=lambda row: -row[4])[:30]


def spikes(_):
    mean = sum(s.end - s.begin for s in long) / len(long)
    return sorted(((process(s.pid), m.names[s.pid], s.pid, s.begin / 1e9, (s.end - s.begin) / 1e6,
                    (s.end - s.begin) / mean) for s in busy if s.end - s.begin > 5 * mean),
                  key=lambda row: -row[4])[:50]


def processes(_):
    upids = {pid: upid for pid, upid in (json.loads(line).values() for line in lines_of(
        ["query", "--json", "SELECT pid, upid FROM process", log]))}
    counts = collections.Counter(tgids[pid] for pid in UTIDS if tgids[pid] != IDLE)
    return [(tgid, m.names.get(tgid), upids.get(parents.get(tgid) or None), counts[tgid])
            for tgid in {*counts, *parents.values()} if tgid != IDLE]


def threads(_):
    return [(process(pid), tgids[pid], m.names[pid], pid) for pid in sorted(UTIDS) if tgids[pid] != IDLE]


def uninterruptible(_):
    return sorted(((m.names[s.pid], (s.end - s.begin) / 1e6, s.begin) for s in busy if s.state == "D"),
                  key=lambda row: -row[1])[:20]


def cpu_stats(_):
    rows = []
    for cpu in sorted({s.cpu for s in busy}):
        of_cpu = [s for s in busy if s.cpu == cpu and s.end > s.begin]
        rows.append((cpu, sum(s.end - s.begin for s in of_cpu), len(of_cpu),
                     len({s.pid for s in of_cpu})))
    return rows


def softirq_time(_):
    sums = collections.Counter()
    for entry, ns in m.nested("softirq"):
        sums[entry["cpu"]] += ns
    return [(cpu, ns / 1e9) for cpu, ns in sums.items()]


def end_states(_):
    words = {"+": "Preempted (running)", "R": "Preempted (running)", None: "Preempted (running)",
             "D": "Uninterruptible sleep (D)", "S": "Interruptible sleep (S)"}
    counts = collections.Counter(words[s.state] for s in busy if s.pid == 101 and s.end > s.begin)
    return [(word, count, 100 * count / sum(counts.values())) for word, count in counts.items()]


def orphans(where):
    return [(len(busy if where == "systing" else m.slices), 0)]


def instants(_):
    return sorted(collections.Counter(e["fields"]["type"] for e in m.of("icmp_rx")
                                      if e["current_pid"] != IDLE).items())


def sysinfo(_):
    info = json.loads("\n".join(lines_of(["info", "--json", log])))
    end = max(event["ns"] for event in m.events)
    return [("Linux", info["kernel"], "#1 SMP", "x86_64", 5, ns) for ns in (m.begin, end)]


# ---- Queries with ids: each row has its own id ----

def with_context(rows):
    if len({row[0] for row in rows}) != len(rows):
        fail("perfetto-with-context: an id is there twice")
    return [(s.begin, s.end - s.begin, UTIDS[s.pid], m.names[s.pid], process(s.pid), s.cpu,
             end_state(s), None) for s in m.slices], [row[1:4] + row[5:] for row in rows]


def latency(rows):
    for place in (0, 1):
        if len({row[place] for row in rows}) != len(rows):
            fail("perfetto-latency: an id is there twice")
    return [(len(busy),)], [(len(rows),)]


def close(a, b):
    return a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float)) and
                      not isinstance(a, bool) and abs(a - b) <= 1e-6 * abs(b))


def key(row):
    return [(value is None, isinstance(value, str), round(value, 5) if isinstance(value, float) else
             value) if value is not None else (True, False, 0) for value in row]


def compare(name, where, rows):
    function = globals()[name.split("-", 1)[1].replace("-", "_")]
    if name in ("perfetto-with-context", "perfetto-latency"):
        wanted, rows = function(rows)
    else:
        wanted = function(where)
    if not rows:
        fail(f"{name}, {where}: no rows")
    for got, row in zip(sorted(rows, key=key), sorted(wanted, key=key)):
        if len(got) != len(row) or not all(map(close, got, row)):
            fail(f"{name}, {where}: {got}, of the model {row}")
    if len(rows) != len(wanted):
        fail(f"{name}, {where}: {len(rows)} rows, of the model {len(wanted)}")


count = 0
found = queries()
for where, schema in (("export", "main"), ("systing", "systing"), ("query", None)):
    names = [name for name, (_, places) in found.items() if where in places]
    paths = [found[name][0] for name in names]
    texts = [open(path).read() for path in paths]
    answers = on_export(schema, texts) if schema else map(on_log, paths, texts)
    for name, rows in zip(names, answers):
        compare(name, where, rows)
        count += 1
if len(found) < 15:
    fail(f"{len(found)} queries")
print(f"{len(found)} queries, {count} answers, of {EVTLOG}")
