#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""conditions.py SEED LOG LOG - tables that evaluate a condition choose the rows that SQLite would

A CAST that changes nothing hides a condition from the table: then SQLite evaluates it.
"""
import os
import random
import subprocess
import sys

EVTLOG = os.environ["EVTLOG"]
# SQLite's own evaluation needs no sanitizers.
PLAIN = os.environ["PLAIN"]
rand = random.Random(int(sys.argv[1]))
LOGS = sys.argv[2:]
TABLES = ["sched_slice", "thread_state", "thread_wait", "irq_slice", "softirq_slice", "vector_slice", "wakeup",
          "sched_migrate", "event", "kernel_counter", "process_exit", "wakeup_new"]


def rows_of(statements, logs, evtlog=EVTLOG):
    text = "\n".join(statement + "; SELECT 'then' AS 'then';" for statement in statements)
    done = subprocess.run([evtlog, "query", "--csv", "--assume-ntp", *logs], input=text,
                          capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"conditions.py: exits {done.returncode}: {done.stderr}")
    return done.stdout.split("then\nthen\n")


def time_near(times):
    """Returns a time, mostly that of a row, where < and <= differ."""
    time = rand.choice(times) + rand.choice([0, 0, 0, -1, 1, 100000])
    return rand.choice([str(time), str(time), f"{time}.5", f"{time}.0", f"'{time}'"])


def condition(table, times):
    """Returns a condition twice: as the table gets it, and hidden from the table."""
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
    """GROUP BY +column is hidden from the table: SQLite sorts, and keeps the order in a group."""
    told, hidden = [], []
    for _ in range(40):
        table = rand.choice(list(GROUPS))
        column = rand.choice(GROUPS[table])
        where = rand.choice(["", "WHERE cpu = 1", "WHERE ts > 7001000000", "WHERE ts < 0"])
        for statements, key in (told, column), (hidden, "+" + column):
            statements.append(f"SELECT {column}, host, count(*), group_concat(ts), max(ts), typeof({column}), min(rowid) "
                              f"FROM {table} {where} GROUP BY {key}")
    many = 0
    for statement, got, expected in zip(told, rows_of(told, logs), rows_of(hidden, logs, PLAIN), strict=False):
        if got != expected:
            sys.exit(f"conditions.py: {statement}: {got[:300]}, SQLite's sorter says {expected[:300]}")
        many += got.count("\n") > 2
    plan = rows_of(["EXPLAIN QUERY PLAN SELECT cpu, count(*) FROM sched_slice GROUP BY cpu"], logs)[0]
    if many < 10 or "TEMP B-TREE" in plan:
        sys.exit(f"conditions.py: {many} of {len(told)} have groups; the plan is {plan}")


# Here SQLite distinguishes rows by their rowid, which must be the same in each scan.
IDENTITIES = [
    "SELECT {columns} FROM thread t WHERE utid = 3 OR (utid = 5 AND name IS NOT NULL)",
    "SELECT {columns} FROM event t WHERE id = 5 OR arg_set_id = 2",
    "SELECT {columns} FROM args t WHERE arg_set_id = 2 OR arg_set_id IN (2, 5) OR arg_set_id = 7",
    "SELECT e.*, t.* FROM event e RIGHT JOIN thread t ON t.utid = e.utid",
    "SELECT e.*, t.* FROM event e FULL JOIN thread t ON t.utid = e.utid",
    "SELECT t.*, s.* FROM thread t RIGHT JOIN sched_slice s ON s.utid = t.utid AND s.cpu = 1",
    "SELECT e.*, a.* FROM event e RIGHT JOIN args a ON a.arg_set_id = e.id AND e.cpu = 1",
]


def identities(logs):
    """OR, RIGHT JOIN and FULL JOIN choose the same rows as on copies of the tables."""
    names = sorted(["thread", "process", "run", "args", *TABLES])
    statements = list(IDENTITIES)
    at = {table: [7000000000] for table in names}
    found = rows_of([f"SELECT DISTINCT ts FROM {table} ORDER BY ts * 7919 % 1009, ts LIMIT 40" for table in TABLES], logs)
    for table, text in zip(TABLES, found, strict=False):
        at[table] = [int(ts) for ts in text.split()[1:]] or at[table]
    for _ in range(30):
        table, other = rand.choice(TABLES), rand.choice([*TABLES, "thread"])
        parts = [" AND ".join(condition(table, at[table])[0] for _ in range(rand.randint(1, 2)))
                 for _ in range(rand.randint(2, 4))]
        statements.append(f"SELECT {{columns}} FROM {table} t WHERE ({') OR ('.join(parts)})")
        on = "utid" if "kernel_counter" not in (table, other) else "ts"
        if other == "thread" and on == "ts":
            continue
        more = rand.choice(["", " AND t.ts > 7010000000", " AND t.host = 'n1'"])
        kind = rand.choice(["RIGHT", "FULL"])
        limit = f"WHERE ts IN ({', '.join(map(str, at[table][:5]))})"
        statements.append(f"SELECT count(*), count(t.ts), count(o.host), total(t.ts), total(o.{on}) FROM "
                          f"(SELECT * FROM {table} {limit}) t {kind} JOIN {other} o ON o.{on} = t.{on}{more}")
        if other == "thread":
            statements.append(f"SELECT count(*), count(t.ts), count(o.host), total(t.ts), total(o.utid) FROM (SELECT * FROM "
                              f"thread LIMIT 5) o {kind} JOIN {table} t ON o.utid = t.utid AND t.ts IN ({at[table][0]}, {at[table][-1]})")
    copies = [f"CREATE TEMP TABLE copied_{name} AS SELECT * FROM {name}" for name in names]
    for name in names:
        statements.append(f"SELECT count(DISTINCT rowid) = count(*) AS distinct_{name}, count(*) > 0 FROM {name}")
    views = [statement.format(columns="t.*") for statement in statements]
    hidden = []
    for statement in views:
        for name in names:
            for word in "FROM", "JOIN":
                statement = statement.replace(f"{word} {name} ", f"{word} copied_{name} ")
                if statement.endswith(f"{word} {name}"):
                    statement = statement[:-len(name)] + "copied_" + name
        hidden.append(statement)
    wrong, some = [], 0
    expected = rows_of(copies + hidden, logs, PLAIN)[len(copies):]
    for statement, got, right in zip(views, rows_of(views, logs), expected, strict=False):
        if sorted(got.split("\n")) != sorted(right.split("\n")):
            wrong.append(f"{statement}: {got.count(chr(10))} rows {got[:200]}, of copies {right.count(chr(10))} {right[:200]}")
        some += got.count("\n") > 2
    if wrong or some < 20:
        sys.exit(f"conditions.py: {some} have rows, {len(wrong)} of {len(views)} are wrong: " + "\n".join(wrong[:8]))


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
    for statement, got, expected in zip(told, rows_of(told, logs), rows_of(hidden, logs, PLAIN), strict=False):
        if got != expected:
            sys.exit(f"conditions.py: {statement}: {got.strip()}, SQLite chooses {expected.strip()}")
        some += not got.strip().split("\n")[-1].startswith("0,")
    if some < 20:
        sys.exit(f"conditions.py: only {some} conditions choose rows")


for some in LOGS[:1], LOGS:
    main(some)
    groups(some)
    identities(some)
