#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""builtin.py DIRECTORY - compares built-in events in a named buffer with the kernel's counts.

The kernel's counts are read before and after the buffer is added, and before and after it is ended.
The number of records is between the counts of the shorter and of the longer interval.
"""
import collections
import json
import os
import sys

from claims import claim, finish


def counts(base, name):
    with open(os.path.join(base, name)) as file:
        return {key: int(value) for key, value in map(str.split, file)}


def load(base, name):
    with open(os.path.join(base, name)) as file:
        return [json.loads(line) for line in file]


def check_counts(base, found, key, count, prefix="", least=51):
    low = counts(base, prefix + "after.in")[key] - counts(base, prefix + "before.in")[key]
    high = counts(base, prefix + "after.out")[key] - counts(base, prefix + "before.out")[key]
    claim(low <= count <= high and low >= least, f"{count} {found}, the kernel's {low} to {high}")


def check_all(base):
    events = load(base, "lat.json")
    kinds = collections.Counter(e["event"] for e in events)
    check_counts(base, "sched_switch", "switches", kinds["sched_switch"])
    check_counts(base, "softirq_entry", "softirqs", kinds["softirq_entry"])
    claim(abs(kinds["softirq_entry"] - kinds["softirq_exit"]) <= 4, "softirqs come and go")
    claim(all(kinds["sched_" + k] > 20 for k in ("waking", "wakeup_new")) and
          abs(kinds["irq_handler_entry"] - kinds["irq_handler_exit"]) <= 2, f"{dict(kinds)}")
    lost = sum(e.get("lost") or 0 for e in events)
    claim(lost == 0, "nothing is lost")
    on_cpu = {}
    wrong = 0
    for e in events:
        if e["event"] == "sched_switch":
            before = on_cpu.get(e["cpu"])
            wrong += before is not None and before != e["current_pid"]
            on_cpu[e["cpu"]] = e["fields"]["next_pid"]
    claim(wrong == 0, "the task before each switch is the one switched to")
    run = collections.Counter(e["event"] for e in load(base, "run.json"))
    claim(run["sched_process_fork"] > 20 and not any(
        run[k] for k in ("sched_switch", "sched_waking", "sched_wakeup_new", "softirq_entry",
                         "softirq_exit", "irq_handler_entry")), "the run has none of them")
    with open(os.path.join(base, "events.txt")) as file:
        listed = [line.split() for line in file]
    claim(["type", "8", "sched_switch"] in listed and len(listed) == 8, f"{len(listed)} types")


def size(base, name):
    return os.path.getsize(os.path.join(base, name))


def check_others(base):
    # An empty buffer is a header of 256 bytes.
    claim(size(base, "filtered0") <= 256 < size(base, "filtered1"),
          "with a filter there are CPU 1's alone")
    events = [e for e in load(base, "global.json") if e["event"] in ("sched_switch", "softirq_exit")]
    times = [float(e["time"]) for e in events]
    claim(times == sorted(times) and {e["cpu"] for e in events} == {0, 1} and len(events) > 100,
          f"a global one: {len(events)} events of both CPUs in order")
    claim(all(e["current_pid"] is not None for e in events), "each with its task")
    with open(os.path.join(base, "back.count")) as file:
        back = int(file.read())
    claim(back > 50, f"{back} switches are in the next run")


# The same values as in stir.c
SCHED_GET_PRIORITY_MAX = 146
SCHED_GET_PRIORITY_MIN = 147
PAGES = 500
PAGE_FAULT = 14
BOUNDARY = ("user_exit", "user_enter", "exception_entry", "exception_exit", "local_timer_entry",
            "reschedule_entry", "call_function_single_entry", "icmp_rx", "icmp_tx", "sched_switch")


def own_calls(events):
    return sum(e["event"] == "user_exit" and e["fields"].get("nr") == SCHED_GET_PRIORITY_MAX
               for e in events)


def own_faults(events):
    """Counts the page faults of the task between its two sched_get_priority_min() calls."""
    ends = [i for i, e in enumerate(events) if e["event"] == "user_exit" and
            e["fields"].get("nr") == SCHED_GET_PRIORITY_MIN]
    claim(len(ends) == 2, f"{len(ends)} system calls before and behind the pages")
    pid = events[ends[0]]["current_pid"]
    return sum(e["event"] == "exception_entry" and e["fields"]["vector"] == PAGE_FAULT and
               e["current_pid"] == pid for e in events[ends[0]:ends[-1]])


def check_wide(base):
    events = load(base, "wide.json")
    kinds = collections.Counter(e["event"] for e in events)
    print(dict(kinds))
    claim(sum(e.get("lost") or 0 for e in events) == 0, "nothing is lost")
    calls = own_calls(events)
    claim(calls == 2000, f"{calls} of the 2000 system calls")
    claim(abs(kinds["user_exit"] - kinds["user_enter"]) <= 64, "user mode is left and entered")
    claim(kinds["exception_entry"] == kinds["exception_exit"], "exceptions come and go")
    faults = own_faults(events)
    claim(PAGES <= faults <= PAGES + 10, f"{faults} page faults of {PAGES} pages")
    check_counts(base, "local_timer_entry", "LOC", kinds["local_timer_entry"], "wide.")
    check_counts(base, "reschedule_entry", "RES", kinds["reschedule_entry"], "wide.", 1)
    check_counts(base, "call_function*_entry", "CAL", kinds["call_function_entry"] +
                 kinds["call_function_single_entry"], "wide.", 1)
    check_counts(base, "icmp_rx", "InMsgs", kinds["icmp_rx"], "wide.", 6)
    check_counts(base, "icmp_tx", "OutMsgs", kinds["icmp_tx"], "wide.", 6)
    left = collections.Counter(e["event"] for e in load(base, "left.json"))
    claim(left["sched_process_fork"] > 60 and left["softirq_entry"] > 20 and
          not any(left[kind] for kind in BOUNDARY),
          f"the run has none of them, nor when they have left: {dict(left)}")


def check_last(base):
    events = load(base, "last.json")
    with open(os.path.join(base, "overwritten")) as file:
        overwritten = int(file.read())
    calls = own_calls(events)
    claim(overwritten > 10 and calls >= 100, f"{calls} of the last system calls, behind "
          f"{overwritten} buffers that were overwritten")


def listed(base, name):
    with open(os.path.join(base, name)) as file:
        return {buffer["name"]: buffer for buffer in json.load(file)}


def check_switches(base):
    """One task's switches equal the kernel's count; all other switches are rejected."""
    with open(os.path.join(base, "switches")) as file:
        numbers = [int(line) for line in file]
    own, all_of = (numbers[0], numbers[3], numbers[4], numbers[7]), \
        (numbers[1], numbers[2], numbers[5], numbers[6])
    events = [e for e in load(base, "switches.json") if e["event"] == "sched_switch"]
    claim(all(e["fields"]["next_pid"] == numbers[8] for e in events), "all switches are to that task")
    # The first and the last switch can be on the other side of the reading.
    low, high = own[2] - own[1] - 1, own[3] - own[0] + 1
    claim(low <= len(events) <= high and low > 30, f"{len(events)} switches to it, the kernel's {low} to {high}")
    lat = listed(base, "switches.list")["lat"]
    low, high = all_of[2] - all_of[1], all_of[3] - all_of[0]
    seen = lat["records"] + lat["rejected"]
    claim(lat["records"] == len(events) and lat["rejected"] > 0 and low <= seen <= high,
          f"{lat['records']} recorded, {lat['rejected']} rejected, the kernel's {low} to {high} in all")


def fields(base, name, kind):
    return [e for e in load(base, f"{name}.json") if e["event"] in kind]


def check_fields(base):
    lists = listed(base, "fields.list")
    calls = fields(base, "calls", ("user_exit",))
    claim(len(calls) == 2000 and own_calls(calls) == 2000, f"{len(calls)} system calls of the 2000")
    icmp = fields(base, "icmp", ("icmp_rx", "icmp_tx"))
    kinds = collections.Counter((e["event"], e["fields"]["type"]) for e in icmp)
    claim(kinds == {("icmp_rx", 8): 3, ("icmp_tx", 8): 3}, f"echo requests alone: {dict(kinds)}")
    faults = fields(base, "faults", ("exception_entry",))
    claim(len(faults) >= PAGES and all(e["fields"]["vector"] == PAGE_FAULT for e in faults),
          f"{len(faults)} page faults, and no other exception")
    wakes = fields(base, "wakes", ("sched_waking",))
    with open(os.path.join(base, "woken")) as file:
        woken = int(file.read())
    claim(len(wakes) > 20 and all(e["fields"]["pid"] == woken for e in wakes),
          f"{len(wakes)} wake-ups of the shell, and of no other task")
    claim(all(lists[name]["rejected"] > 0 for name in ("calls", "icmp", "wakes")),
          f"rejected: {[(name, b['rejected']) for name, b in lists.items()]}")


def main():
    check_all(sys.argv[1])
    check_switches(sys.argv[1])
    check_fields(sys.argv[1])
    check_wide(sys.argv[1])
    check_last(sys.argv[1])
    check_others(sys.argv[1])
    finish()


if __name__ == "__main__":
    main()
