# SPDX-License-Identifier: GPL-2.0-or-later
"""A naive model of a log, made from the lines of evtlog dump; tests compare answers with it.

EVTLOG is the program.
"""
import collections
import json
import os
import subprocess

from claims import fail

EVTLOG = os.environ["EVTLOG"]
IDLE = 0


def lines_of(args, may=(0,)):
    done = subprocess.run([EVTLOG, *args], capture_output=True, text=True)
    if done.returncode not in may:
        fail(f"{args} exits {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


# ---- The same query in three programs: lists of rows ----

def in_query(sql, logs, may=(0, 4)):
    several = ["--assume-ntp"] if len(logs) > 1 else []
    return [[value for _, value in json.loads(line, object_pairs_hook=list)]
            for line in lines_of(["query", "--json", *several, sql, *logs], may)]


def in_sqlite(sql, logs):
    """Runs sqlite3 with EXTENSION, and with PRELOAD if it is set."""
    several = ["--assume-ntp"] if len(logs) > 1 else []
    paths = ", ".join(f"'{log}'" for log in several + logs)
    preload = os.environ.get("PRELOAD")
    environment = {**os.environ, **({"LD_PRELOAD": preload} if preload else {})}
    shell = subprocess.run(["sqlite3", "-bail", "-json", "-cmd", f".load {os.environ['EXTENSION']}",
                            "-cmd", f"SELECT evtlog_open({paths})", ":memory:"], input=sql,
                           capture_output=True, text=True, env=environment)
    # evtlog query reports lost events, too; sqlite3 must report nothing else.
    said = [line for line in shell.stderr.splitlines() if not line.endswith("were lost during recording")]
    if shell.returncode or said:
        fail(f"sqlite3 exits {shell.returncode}: {shell.stderr}: {sql}")
    # The first row is the result of evtlog_open().
    rows = shell.stdout.split("\n", 1)[1]
    return [[value for _, value in row] for row in json.loads(rows, object_pairs_hook=list)] if rows.strip() else []


def in_duckdb(export, queries, schema="main"):
    """Runs the queries on an export, with answers.js in MODULES; a failed query is its error."""
    done = subprocess.run(["node", f"{os.environ['MODULES']}/answers.js", export, schema],
                          input=json.dumps(queries), capture_output=True, text=True)
    if done.returncode:
        fail(f"DuckDB: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


Slice = collections.namedtuple("Slice", "cpu pid begin end state")


class Model:
    def __init__(self, log):
        self.stat = json.loads("\n".join(lines_of(["stat", "--json", log], (0, 4))))
        self.host = self.stat["host"]
        self.begin = json.loads(lines_of(
            ["query", "--json", "SELECT begin_ts FROM run", log], (0, 4))[0])["begin_ts"]
        self.events = [json.loads(line) for line in lines_of(["dump", "--json", log], (0, 4))]
        for event in self.events:
            event["ns"] = round(event["time"] * 1e9) + self.begin
        self.names = {task["pid"]: task["comm"] for task in self.stat["tasks"]}
        self.names[IDLE] = "swapper"
        self.slices = list(self.find_slices())

    def of(self, *types):
        return (event for event in self.events if event["event"] in types)

    def find_slices(self):
        since = {}
        for event in self.events:
            cpu = event["cpu"]
            if event["event"] == "start":
                since[cpu] = event["ns"]
            elif event["event"] == "sched_switch":
                state = event["fields"]["prev_state"]
                yield Slice(cpu, event["current_pid"], since[cpu], event["ns"], state)
                since[cpu] = event["ns"]
            elif event["event"] == "end":
                yield Slice(cpu, event["current_pid"], since[cpu], event["ns"], None)

    def waits(self):
        """Yields (pid, begin, end, cpu) of each wait for a CPU; cpu None: it did not run then."""
        waiting, ran = {}, {}
        last = max(event["ns"] for event in self.events)
        for event in self.events:
            if event["event"] == "sched_waking":
                pid = event["fields"]["pid"]
                if ran.get(pid) != "runs" and pid not in waiting:
                    waiting[pid] = event["ns"]
            elif event["event"] == "sched_switch":
                prev, pid = event["current_pid"], event["fields"]["next_pid"]
                ran[prev] = "left"
                if prev != IDLE and event["fields"]["prev_state"] in ("R", "+"):
                    waiting[prev] = event["ns"]
                ran[pid] = "runs"
                if pid in waiting:
                    yield pid, waiting.pop(pid), event["ns"], event["cpu"]
            elif event["event"] == "task" and event["fields"]["state"].startswith("R"):
                pid = event["fields"]["pid"]
                if ran.get(pid) != "runs" and pid not in waiting:
                    waiting[pid] = event["ns"]
        for pid, begin in waiting.items():
            yield pid, begin, last, None

    def nested(self, stem):
        """Yields (event, duration) of each entry and its exit."""
        entered = collections.defaultdict(list)
        for event in self.events:
            if event["event"] == stem + "_entry":
                entered[event["cpu"]].append(event)
            elif event["event"] == stem + "_exit" and entered[event["cpu"]]:
                entry = entered[event["cpu"]].pop()
                yield entry, event["ns"] - entry["ns"]
