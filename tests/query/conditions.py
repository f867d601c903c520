#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""conditions.py SEED LOG LOG - conditions that tables take over choose the rows that SQLite would.

Of a condition on a CAST, which changes nothing, SQLite does not tell a table.
"""
import os
import random
import subprocess
import sys

EVTLOG = os.environ["EVTLOG"]
rand = random.Random(int(sys.argv[1]))
LOGS = sys.argv[2:]
TABLES = ["sched_slice", "thread_state", "thread_wait", "irq_slice", "softirq_slice", "vector_slice", "wakeup",
          "sched_migrate", "event", "kernel_counter", "process_exit", "wakeup_new"]


def rows_of(statements, logs):
    text = "\n".join(statement + "; SELECT 'then' AS 'then';" for statement in statements)
    done = subprocess.run([EVTLOG, "query", "--csv", "--assume-ntp", *logs], input=text,
                          capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"conditions.py: exits {done.returncode}: {done.stderr}")
    return done.stdout.split("then\nthen\n")


def time_near(times):
    """Of a row, mostly, where < and <= differ"""
    time = rand.choice(times) + rand.choice([0, 0, 0, -1, 1, 100000])
    return rand.choice([str(time), str(time), f"{time}.5", f"{time}.0", f"'{time}'"])


def condition(table, times):
    """The same twice: as a table is told of it, and as it is not"""
    kind = rand.choice(["time", "time", "cpu", "utid", "host", "odd"])
    if table == "thread_wait" and kind == "cpu":
        kind = "utid"
    if kind == "cpu" or (kind == "utid" and table == "kernel_counter"):
        column, test = "cpu", rand.choice(["= 1", "IN (0, 2)", "IN (7, 'x', NULL)", "= '1'"])
        if table == "thread_state" and rand.random() < 0.5:
            test = "= 0"
    elif kind == "utid":
        column, test = "utid", rand.choice(
            ["= 3", "= 0", "IN (1, 2, 5, 4294967298)", "IN (SELECT utid FROM thread WHERE tid < 110)"])
    elif kind == "host":
        column, test = "host", rand.choice(["= 'n1'", "= 'n2'", "= 'N1'", "IN ('n1', 'x')", "= 'N1' COLLATE NOCASE",
                                            "= 'n1  ' COLLATE RTRIM", "COLLATE NOCASE IN ('N2', 'x')",
                                            "= (SELECT max(host) FROM run)"])
    elif kind == "odd":
        column, test = "ts", rand.choice(["> NULL", "> 'text'", "< 'text'", "= 1e300", "< 1e300",
                                          "> -1e300", "<> 5", "BETWEEN 5 AND 2"])
    else:
        column = "ts"
        test = f"{rand.choice(['<', '<=', '>', '>=', '='])} {time_near(times)}"
    kind = "TEXT" if column == "host" else "INTEGER"
    return f"{column} {test}", f"CAST({column} AS {kind}) {test}"


GROUPS = {"sched_slice": ["cpu", "utid", "dur", "waker_cpu", "irq_context", "wait_dur"], "thread_state": ["cpu", "utid", "dur"],
          "softirq_slice": ["cpu", "dur"], "wakeup": ["cpu", "utid", "waker_utid"], "event": ["cpu", "id"]}


def groups(logs):
    """Of GROUP BY +column a table is not told: SQLite sorts, and rows of a group stay as they were"""
    told, hidden = [], []
    for _ in range(40):
        table = rand.choice(list(GROUPS))
        column = rand.choice(GROUPS[table])
        where = rand.choice(["", "WHERE cpu = 1", "WHERE ts > 7001000000", "WHERE ts < 0"])
        for statements, key in (told, column), (hidden, "+" + column):
            statements.append(f"SELECT {column}, host, count(*), group_concat(ts), max(ts), typeof({column}) "
                              f"FROM {table} {where} GROUP BY {key}")
    many = 0
    for statement, got, expected in zip(told, rows_of(told, logs), rows_of(hidden, logs), strict=False):
        if got != expected:
            sys.exit(f"conditions.py: {statement}: {got[:300]}, SQLite's sorter says {expected[:300]}")
        many += got.count("\n") > 2
    plan = rows_of(["EXPLAIN QUERY PLAN SELECT cpu, count(*) FROM sched_slice GROUP BY cpu"], logs)[0]
    if many < 10 or "TEMP B-TREE" in plan:
        sys.exit(f"conditions.py: {many} of {len(told)} have groups; the plan is {plan}")


def main(logs):
    at = dict(zip(TABLES, rows_of([f"SELECT DISTINCT ts FROM {table} ORDER BY ts * 7919 % 1009, ts LIMIT 40"
                                   for table in TABLES], logs), strict=False))
    times = {table: [int(ts) for ts in at[table].split()[1:]] or [7000000000] for table in TABLES}
    told, hidden = [], []
    for number in range(120):
        table = rand.choice(TABLES)
        parts = [condition(table, times[table]) for _ in range(rand.randint(1, 3))]
        for statements, of in (told, 0), (hidden, 1):
            statements.append(f"SELECT count(*), total(ts), min(ts), max(ts), total({'run' if table == 'thread_wait' else 'cpu'}), "
                              f"count(DISTINCT {'cpu' if table == 'kernel_counter' else 'utid'}) "
                              f"FROM {table} WHERE {' AND '.join(part[of] for part in parts)}")
    some = 0
    for statement, got, expected in zip(told, rows_of(told, logs), rows_of(hidden, logs), strict=False):
        if got != expected:
            sys.exit(f"conditions.py: {statement}: {got.strip()}, SQLite chooses {expected.strip()}")
        some += not got.strip().split("\n")[-1].startswith("0,")
    if some < 20:
        sys.exit(f"conditions.py: only {some} conditions choose rows")


for some in LOGS[:1], LOGS:
    main(some)
    groups(some)
