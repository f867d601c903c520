#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""study.py DIR EVTLOG - prints tables of tests/study/run's measurements, and writes DIR/study.json

DIR has, for each back end and number of clients, BACK-N.prof (profiles), BACK-N.trace.gz (traces)
and BACK-N.load (iotest's output).
"""
import json
import os
import re
import subprocess
import sys

import profiles
import spans
import traces

INTERVALS_MS = (10, 100)
RPCIOD = ("function:rpc_async_schedule",)
SENDS = ("function:xs_tcp_send_request",)
XPRTIOD = ("function:xs_stream_data_receive_workfn",)	# receives the servers' answers
ROUTINES = 14


def load_of(path):
    """Parses iotest's lines: {"write": {...}, "read": {...}}."""
    found = {}
    for line in open(path, encoding="ascii"):
        phase, size, last_ns, first_ns = line.split()
        found[phase] = {"bytes": int(size), "seconds": int(last_ns) / 1e9,
                        "first_seconds": int(first_ns) / 1e9,
                        "mib_per_s": int(size) / 2**20 / (int(last_ns) / 1e9)}
    return found


def daemon_profile(evtlog, path, pid):
    """Returns the sum over the daemon's threads: (profile, ticks per second)."""
    text = subprocess.run([evtlog, "profile", "report", "--json", "--sum", "--pid", str(pid), path],
                          check=True, stdout=subprocess.PIPE).stdout
    report = json.loads(text)
    return report["profiles"][0], report["ticks_hz"]


def write_phase(trace):
    """Returns the time from the first write to the last fsync's end; later if events are lost."""
    within = [(begin, end) for task in trace.daemon() for begin, end, stack, _ in task.pieces()
              if any(each in stack for each in traces.WRITES)]
    begin = max(min((each[0] for each in within), default=0), trace.has_whole())
    return begin, max(max((each[1] for each in within), default=0), begin)


def cut(times, begin, end):
    """Cuts any list to this time."""
    return [(max(first, begin), min(last, end)) for first, last in times
            if first < end and last > begin]


def percent(part, whole):
    return 100 * part / whole if whole else None


def coefficients(interval_ms, waits, busy, rpciod, workers, begin, end, hz):
    """Correlates the times in each interval, and the number of waits that begin in it."""
    width = hz * interval_ms // 1000
    begun = [(first, first + 1) for first, _ in waits]
    begun, waits, busy, rpciod, workers = (spans.shares(each, begin, end, width)
                                           for each in (begun, waits, busy, rpciod, workers))
    return {"interval_ms": interval_ms, "intervals": len(waits),
            "begun_rpciod": spans.correlation(begun, rpciod),
            "waiting_rpciod": spans.correlation(waits, rpciod),
            "running_rpciod": spans.correlation(busy, rpciod),
            "waiting_workers": spans.correlation(waits, workers)}


def correlate(trace, begin, end):
    """Relates the daemon's waiting in writes to the times when rpciod runs."""
    waits, busy, rpciod, sends, xprtiod, workers = [], [], [], [], [], []
    for task in trace.daemon():
        waits += cut(task.waiting(traces.WRITES), begin, end)
        busy += cut(task.running(traces.WRITES), begin, end)
    for task in trace.workers():
        rpciod += cut(task.running(RPCIOD), begin, end)
        sends += cut(task.running(SENDS), begin, end)
        xprtiod += cut(task.running(XPRTIOD), begin, end)
        workers += cut(task.running(), begin, end)
    some, ran, worked = spans.union(waits), spans.union(rpciod), spans.union(workers)
    with_rpciod = spans.touched(waits, ran)
    rest = spans.without([(begin, end)], some) if end > begin else []
    ms = 1e3 / trace.hz
    return {
        "phase_ms": (end - begin) * ms,
        "waits": len(waits),
        "waits_with_rpciod": len(with_rpciod),
        "waits_with_rpciod_percent": percent(spans.length(with_rpciod), spans.length(waits)),
        "waits_with_send": len(spans.touched(waits, spans.union(sends))),
        "waiting_ms": spans.length(waits) * ms,
        "some_waiting_ms": spans.length(some) * ms,
        "rpciod_ms": spans.length(ran) * ms,
        "xprtiod_ms": spans.length(xprtiod) * ms,
        "workers_ms": spans.length(worked) * ms,
        "rpciod_of_waiting_percent": percent(spans.length(spans.common(some, ran)), spans.length(some)),
        "rpciod_of_rest_percent": percent(spans.length(spans.common(rest, ran)), spans.length(rest)),
        "waiting_of_rpciod_percent": percent(spans.length(spans.common(ran, some)), spans.length(ran)),
        "r": [coefficients(width, waits, busy, ran, worked, begin, end, trace.hz) for width in INTERVALS_MS],
    }


def measure(directory, name, evtlog):
    back, clients = name.rsplit("-", 1)
    base = os.path.join(directory, name)
    trace = traces.Traces(base + ".trace.gz")
    profile, hz = daemon_profile(evtlog, base + ".prof", trace.pid)
    begin, end = write_phase(trace)
    return {
        "back": back, "clients": int(clients), "load": load_of(base + ".load"),
        "served": {call: {"calls": count, "bytes": size} for call, (count, size) in trace.served.items()},
        "threads": len(trace.daemon()), "workers": len(trace.workers()),
        "overwritten": sum(task.overwritten() for task in trace.tasks),
        "groups_ms": profiles.groups_of(profile, hz),
        "routines": {event: {"calls": calls, "inclusive_ms": whole, "exclusive_ms": own}
                     for event, (calls, whole, own) in profiles.routines_of(profile, hz).items()},
        "correlation": correlate(trace, begin, end),
    }


def number(value, digits=1):
    # Avoid -0.00
    return "-" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"


def table(title, heads, rows):
    """@rows: (name, texts)"""
    wide = max([len(row[0]) for row in rows] + [len(heads[0])])
    print(f"\n{title}\n{heads[0]:<{wide}}" + "".join(f"  {head:>9}" for head in heads[1:]))
    for name, texts in rows:
        print(f"{name:<{wide}}" + "".join(f"  {text:>9}" for text in texts))


LOADS = (("write, MiB/s", lambda run: number(run["load"]["write"]["mib_per_s"], 2)),
         ("  first client done after, s", lambda run: number(run["load"]["write"]["first_seconds"], 2)),
         ("  last client done after, s", lambda run: number(run["load"]["write"]["seconds"], 2)),
         ("read, MiB/s", lambda run: number(run["load"]["read"]["mib_per_s"], 2)))
RELATIONS = (
    ("writes and fsyncs, ms", lambda c: number(c["phase_ms"], 0)),
    ("waits in them", lambda c: str(c["waits"])),
    ("  rpciod ran meanwhile", lambda c: str(c["waits_with_rpciod"])),
    ("    of all waits' time, %", lambda c: number(c["waits_with_rpciod_percent"])),
    ("  rpciod sent meanwhile", lambda c: str(c["waits_with_send"])),
    ("waits, all threads, ms", lambda c: number(c["waiting_ms"], 0)),
    ("some thread waits, ms", lambda c: number(c["some_waiting_ms"], 0)),
    ("rpciod ran, ms", lambda c: number(c["rpciod_ms"])),
    ("  of the time some thread waits, %", lambda c: number(c["rpciod_of_waiting_percent"])),
    ("  of the rest, %", lambda c: number(c["rpciod_of_rest_percent"])),
    ("  with a thread that waits, %", lambda c: number(c["waiting_of_rpciod_percent"])),
    ("xprtiod ran, ms", lambda c: number(c["xprtiod_ms"])),
    ("all workers ran, ms", lambda c: number(c["workers_ms"])),
) + tuple((f"r of {what} and {whom}, each {width} ms", lambda c, i=i, key=key: number(c["r"][i][key], 2))
          for i, width in enumerate(INTERVALS_MS)
          for what, whom, key in (("begins of waits", "rpciod", "begun_rpciod"),
                                  ("waits", "rpciod", "waiting_rpciod"),
                                  ("writing", "rpciod", "running_rpciod"),
                                  ("waits", "workers", "waiting_workers")))


def print_back(back, runs):
    heads = [str(run["clients"]) for run in runs]
    table(f"{back}: the load", ["clients"] + heads,
          [(name, [show(run) for run in runs]) for name, show in LOADS])
    table(f"{back}: iod's profile by group, ms of all its threads", ["clients"] + heads,
          [(group, [number(run["groups_ms"][group]) for run in runs]) for group in profiles.GROUPS])
    last = runs[-1]["routines"]
    names = sorted(last, key=lambda name: -last[name]["exclusive_ms"])
    names = [name for name in names if name not in ("user", "interruptible", "stopped", "runqueue", "preempted",
                                                    "io", "uninterruptible")][:ROUTINES]
    for what, digits in ("calls", 0), ("inclusive_ms", 1), ("exclusive_ms", 1):
        table(f"{back}: iod's routines, {what.replace('_', ' ')}", ["clients"] + heads,
              [(name, [number(run["routines"].get(name, {}).get(what), digits) for run in runs])
               for name in names])
    table(f"{back}: iod's writes and fsyncs, and rpciod", ["clients"] + heads,
          [(name, [show(run["correlation"]) for run in runs]) for name, show in RELATIONS])


def main():
    directory, evtlog = sys.argv[1:]
    names = [match[1] for match in (re.match(r"(.+-\d+)\.prof$", each) for each in os.listdir(directory))
             if match]
    runs = sorted((measure(directory, name, evtlog) for name in names),
                  key=lambda run: (run["back"] != "nfs", run["clients"]))
    for back in dict.fromkeys(run["back"] for run in runs):
        print_back(back, [run for run in runs if run["back"] == back])
    lost = sum(run["overwritten"] for run in runs)
    print(f"\nevents of traces that were overwritten: {lost}")
    with open(os.path.join(directory, "study.json"), "w", encoding="ascii") as out:
        json.dump({"measurements": runs}, out, indent=1)
        out.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
