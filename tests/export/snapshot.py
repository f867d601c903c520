# SPDX-License-Identifier: GPL-2.0-or-later
"""The tasks that live at the start of a part of a log, found naively in `evtlog dump --json`."""
import re

UNITS = {"ns": 1, "us": 10 ** 3, "ms": 10 ** 6, "s": 10 ** 9}
# LTTng's numbers
WAIT_CPU, ZOMBIE, WAIT, DEAD = 2, 4, 5, 7


def from_ns(options):
    """Returns the ns of an option such as --from 3ms; None: there is no --from."""
    if "--from" not in options:
        return None
    number, unit = re.fullmatch(r"(\d+)([a-z]+)", options[options.index("--from") + 1]).groups()
    return int(number) * UNITS[unit]


def status_of(state):
    return {"R": WAIT_CPU, "+": WAIT_CPU, "Z": ZOMBIE, "X": DEAD}.get(state, WAIT)


def tasks_before(records, end_ns):
    """Returns {pid: (tgid, name, status)} of living tasks. records: those of the whole log"""
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
