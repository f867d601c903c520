#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hostile.py DIRECTORY SEED ROUNDS - runs randomly changed recipes on DIRECTORY/n1.evl

EVTLOG is the program, with sanitizers.
"""
import os
import random
import re
import signal
import subprocess
import sys

work, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rand = random.Random(seed)
WORDS = ["NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1e300", "''", "x'00ff'",
         "ts", "utid", "cpu", "host", "dur", "*", "(", ")", ",", ";", ".", "IN", "NOT", "IS", "BETWEEN",
         "LIKE", "MATCH", "ATTACH", "VACUUM INTO", "PRAGMA", "CREATE TEMP TABLE t AS", "DROP TABLE",
         "UNION ALL", "WITH RECURSIVE", "LIMIT -1", "zeroblob(100000000)", "printf('%.*c', 99999999, 1)",
         "randomblob(9)", "load_extension('x')", "sqlite_schema", "temp.thread", "main.", "\n.schema ",
         "\n.mode json\n", "\n.nothing\n", "--", "/*", "'", '"', "é", "OVER ()", "GROUP BY 1"]
NUMBERS = ["0", "1", "2", "7001000000", "9223372036854775807", "1e300", "0.5", "NULL", "'x'"]
COLUMNS = ["ts", "dur", "cpu", "utid", "host"]
TABLES = ["sched_slice", "thread_state", "softirq_slice", "irq_slice", "vector_slice", "wakeup"]
recipes = re.findall(r'^\.\\" recipe \S+\n\.Bd -literal -offset indent\n(.*?)\n\.Ed$',
                     open("tools/man/evtlog-query.1").read(), re.M | re.S)


def changed(sql):
    words = re.findall(r"\w+|\s+|[^\w\s]", sql)
    # Half of the changes are likely to give a valid query, which runs.
    if rand.random() < 0.5:
        for at, word in enumerate(words):
            if word.isdigit() and rand.random() < 0.6:
                words[at] = rand.choice(NUMBERS)
            elif word in COLUMNS and rand.random() < 0.15:
                words[at] = rand.choice(COLUMNS)
            elif word in TABLES and rand.random() < 0.15:
                words[at] = rand.choice(TABLES)
        return "".join(words)
    for _ in range(rand.randint(1, 4)):
        at = rand.randrange(len(words))
        kind = rand.randrange(5)
        if kind == 0:
            words[at] = " " + rand.choice(WORDS) + " "
        elif kind == 1:
            words.insert(at, " " + rand.choice(WORDS) + " ")
        elif kind == 2 and len(words) > 1:
            del words[at]
        elif kind == 3:
            words[at:at] = rand.sample(words, min(3, len(words)))
        else:
            words[at] = words[at][:-1] + chr(rand.choice([1, 27, 34, 39, 40, 0x7f, 0x20ac]))
    return "".join(words)


def listing():
    return {name: os.stat(f"{work}/{name}").st_mtime_ns for name in os.listdir(work)}


def run(sql):
    """Returns stderr and the status. SIGINT stops a query that takes long."""
    child = subprocess.Popen([os.path.abspath(os.environ["EVTLOG"]), "query", "@-", f"{work}/n1.evl"],
                             stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, cwd=work)
    try:
        said = child.communicate(sql.encode(), 5)[1]
        return said, child.returncode
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
    try:
        return child.communicate(timeout=60)[1], child.returncode
    except subprocess.TimeoutExpired:
        child.kill()
        return b"it does not stop", -1


before = listing()
works = 0
for number in range(rounds):
    sql = changed(rand.choice(recipes))
    said, status = run(sql)
    works += status == 4
    if status not in (0, 1, 2, 4) or (status in (1, 2) and not said.startswith(b"evtlog: ")):
        sys.exit(f"hostile.py: round {number} exits {status}: {said.decode(errors='replace')}\n{sql}")
    if listing() != before:
        sys.exit(f"hostile.py: round {number} changes files: {sql}")
if not 0 < works < rounds:
    sys.exit(f"hostile.py: {works} of {rounds} queries work: nothing is tried")
print(f"{works} of {rounds} work")
