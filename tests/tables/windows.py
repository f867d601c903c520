#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""windows.py SEED DIRECTORY - queries of random windows answer the same with and without an index

DIRECTORY has n1.evl and n2.evl; EVTLOG is the program. With an index, a query near the end of a log
reads less.
"""
import os
import pty
import random
import re
import resource
import struct
import subprocess
import sys
import zlib

EVTLOG = os.environ["EVTLOG"]
seed, work = int(sys.argv[1]), sys.argv[2]
ELSEWHERE = f"{work}/indexes"
rand = random.Random(seed)
TABLES = ["sched_slice", "thread_state", "thread_wait", "irq_slice", "softirq_slice", "vector_slice", "wakeup",
          "wakeup_new", "sched_migrate", "process_exit", "event"]


def run(logs, text):
    done = subprocess.run([EVTLOG, "query", "--csv", "--assume-ntp", "--index-dir", ELSEWHERE, *logs], input=text, capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(f"windows.py: exits {done.returncode}: {done.stderr}")
    return done.stdout


def windows(logs):
    begin, end = map(int, run(logs, "SELECT min(ts), max(ts) FROM wakeup").split()[1].split(","))
    statements = []
    for table in TABLES:
        for _ in range(2):
            start = rand.randrange(begin + (end - begin) // 3, end)
            other = rand.choice(["", "", " AND cpu = 1", " AND utid IN (2, 3, 5, 4294967300)", " AND host = 'n1'"])
            if table == "thread_wait":
                other = other.replace("cpu = 1", "in_irq = 0").replace("irq_context", "in_irq")
            statements.append(f"SELECT rowid, * FROM {table} WHERE ts >= {start} AND "
                              f"ts < {start + rand.randrange(3000000)}{other}")
    statements.append("SELECT count(*), sum(int_value) FROM (SELECT * FROM event WHERE id > "
                      "(SELECT max(id) - 20 FROM event)) e JOIN args USING (arg_set_id)")
    return statements


def bytes_read(log, text, *options):
    """Returns the bytes read after the headers, from the search for the index on."""
    trace = f"{work}/trace"
    subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=pread64,openat", EVTLOG, "query", "--csv", *options,
                    text, log],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open(trace) as lines:
        behind = lines.read().partition(".evx")[2]
    return sum(int(n) for n in re.findall(r"pread64\(.*= (\d+)$", behind, re.M))


def hints(log, *statements):
    """Returns how many hints at evtlog index are printed on a terminal, and into a pipe."""
    told = []
    for terminal in (True, False):
        main, other = pty.openpty() if terminal else os.pipe()
        subprocess.run([EVTLOG, "query", "; ".join(statements), log], stdout=subprocess.DEVNULL, stderr=other,
                       check=False)
        os.close(other)
        said = b""
        try:
            while more := os.read(main, 65536):
                said += more
        except OSError:
            pass
        os.close(main)
        told.append(said.count(b"has no index"))
    return told


def check_hints(log, wanted, *statements):
    got = hints(log, *statements)
    if got != [wanted, 0]:
        sys.exit(f"windows.py: {got} hints, not {wanted}: {statements}")


def index(logs, there):
    for log in logs:
        if there:
            subprocess.run([EVTLOG, "index", log], check=False, stdout=subprocess.DEVNULL)
            if not os.path.exists(log + ".evx"):
                sys.exit("windows.py: there is no index")
        elif os.path.exists(log + ".evx"):
            os.remove(log + ".evx")


def check(logs):
    statements = windows(logs)
    answers = {}
    for there in False, True:
        index(logs, there)
        answers[there] = run(logs, "".join(f"{s};\nSELECT 'then';\n" for s in statements)).split("then\n")
    rows = 0
    for statement, wanted, got in zip(statements, answers[False], answers[True], strict=False):
        if wanted != got:
            sys.exit(f"windows.py: {statement}: other rows with an index:\n{got[:600]}\nwithout:\n{wanted[:600]}")
        rows += wanted.count("\n")
    if rows < 1000:
        sys.exit(f"windows.py: only {rows} rows")
    print(f"{len(statements)} windows, {rows} rows")


def groups(log):
    """GROUP BY writes rows that do not fit into memory to a file, and fails without a place."""
    for key in "cpu", "utid", "waker_cpu", "dur":
        text = "SELECT KEY, count(*), sum(ts), sum(dur), min(ts), total(wait_dur) FROM sched_slice GROUP BY "
        got, wanted = (run([log], text.replace("KEY", key) + by + ";\n") for by in (key, "+" + key))
        if got != wanted or got.count("\n") < 4:
            sys.exit(f"windows.py: GROUP BY {key}: {got[:600]}\nSQLite's sorter says {wanted[:600]}")
    trace = f"{work}/trace"
    subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=pwrite64", EVTLOG, "query",
                    "SELECT utid, count(*), sum(dur), sum(wait_dur) FROM sched_slice GROUP BY utid", log],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    with open(trace) as lines:
        if "pwrite64" not in lines.read():
            sys.exit("windows.py: all rows fit into memory")
    done = subprocess.run([EVTLOG, "query", "SELECT dur, sum(ts), sum(wait_dur) FROM sched_slice GROUP BY dur", log],
                          env={"TMPDIR": f"{work}/none"}, capture_output=True, text=True)
    if done.returncode != 1 or "$TMPDIR" not in done.stderr or done.stdout.count("\n") > 1:
        sys.exit(f"windows.py: without a place for a file it exits {done.returncode}: {done.stderr}")


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (900 << 20, 900 << 20))


def long_checkpoints(log, question):
    """Without memory for a checkpoint, the log is read from its start. Holes make the file long."""
    header = struct.Struct("<QIIQqQ16sQQQQ12I")
    checkpoint = struct.Struct("<QQQQII")
    wanted = run([log], question + ";\n")
    index([log], True)
    for length in 1 << 30, (1 << 30) + 1, 5 << 30:
        with open(log + ".evx", "r+b") as file:
            at = list(header.unpack(file.read(header.size)))
            offset, count = at[10], at[11]
            file.seek(offset)
            all_of_them = file.read(count * checkpoint.size)
            changed = b"".join(checkpoint.pack(0, length, *rest) for _, _, *rest in checkpoint.iter_unpack(all_of_them))
            at[12], at[20] = zlib.crc32(changed), 0
            at[20] = zlib.crc32(header.pack(*at))
            file.seek(offset)
            file.write(changed)
            file.seek(0)
            file.write(header.pack(*at))
            file.truncate(length + offset)
        done = subprocess.run([EVTLOG, "query", "--csv", question, log], preexec_fn=limit_memory, capture_output=True,
                              text=True)
        if not count or done.returncode not in (0, 4) or done.stdout != wanted:
            sys.exit(f"windows.py: {count} checkpoints of {length} bytes: exits {done.returncode}: {done.stderr}")
    os.remove(log + ".evx")


one, two = f"{work}/n1.evl", f"{work}/n2.evl"
check([one])
groups(one)
check([one, two])
end = int(run([one], "SELECT max(ts) FROM wakeup").split()[1])
question = f"SELECT count(*) FROM sched_slice WHERE ts > {end - 1000000}"
with_index = bytes_read(one, question)
check_hints(one, 0, question)
index([one], False)
# One hint for any number of windows; none if an index does not help: for the whole log, or a short
# log.
check_hints(one, 1, question, question)
check_hints(one, 0, "SELECT count(*) FROM sched_slice")
check_hints(f"{work}/events.evl", 0, "SELECT count(*) FROM event WHERE ts > (SELECT begin_ts + 10 FROM run)")
without = bytes_read(one, question)
subprocess.run([EVTLOG, "index", "--output", ELSEWHERE, one], check=False, stdout=subprocess.DEVNULL)
elsewhere = bytes_read(one, question, "--index-dir", ELSEWHERE)
unnamed = bytes_read(one, question)
if not 0 < with_index * 3 < without:
    sys.exit(f"windows.py: {with_index} bytes are read with an index, {without} without")
if elsewhere != with_index or unnamed != without:
    sys.exit(f"windows.py: {elsewhere} bytes with an index elsewhere, {unnamed} if query is not told so; "
             f"beside the log {with_index}, without {without}")
if run([one], f"{question};\n") != run([one], f"SELECT sum(ts > {end - 1000000}) FROM sched_slice;\n").replace(
        f"sum(ts > {end - 1000000})", "count(*)"):
    sys.exit("windows.py: other rows with an index elsewhere")
print(f"{with_index} bytes are read with an index, {without} without")
long_checkpoints(one, question)
