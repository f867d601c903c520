# SPDX-License-Identifier: GPL-2.0-or-later
"""What tasks there are at the begin of a part of a log, for a naive reader of evtlog dump --json."""
import re

UNITS = {"ns": 1, "us": 10 ** 3, "ms": 10 ** 6, "s": 10 ** 9}
# As LTTng numbers them
WAIT_CPU, ZOMBIE, WAIT, DEAD = 2, 4, 5, 7


def from_ns(options):
    """--from 3ms as ns since the begin; None: the export has no such option"""
    if "--from" not in options:
        return None
    number, unit = re.fullmatch(r"(\d+)([a-z]+)", options[options.index("--from") + 1]).groups()
    return int(number) * UNITS[unit]


def status_of(state):
    return {"R": WAIT_CPU, "+": WAIT_CPU, "Z": ZOMBIE, "X": DEAD}.get(state, WAIT)


def tasks_before(records, end_ns):
    """{pid: [tgid, name, status]} of those that live; records of the whole log"""
    tasks = {}
    for record in records:
        if int(record["time"] * 10 ** 9) >= end_ns:
            break
        event, f = record["event"], record.get("fields", {})
        if event == "task":
            tasks[f["pid"]] = [f["tgid"], f["comm"], status_of(f["state"])]
        elif event == "sched_process_fork":
            tasks[f["child_pid"]] = [f["child_tgid"], f["comm"], WAIT]
        elif event in ("sched_process_exec", "task_rename") and f["pid"] in tasks:
            tasks[f["pid"]][1] = f["comm"]
        elif event == "sched_switch":
            for pid, status in ((record["current_pid"], status_of(f["prev_state"])),
                                (f["next_pid"], WAIT_CPU)):
                if pid in tasks:
                    tasks[pid][2] = status
        elif event in ("sched_waking", "sched_wakeup_new") and f["pid"] in tasks:
            tasks[f["pid"]][2] = WAIT_CPU
    return {pid: (tgid, (name or "?").replace("\ufffd", "?"), status)
            for pid, (tgid, name, status) in tasks.items() if pid and status != DEAD}
