#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""perfetto.py TRACE EVTLOG LOG [OPTION...] - a Perfetto trace has each event of a log

protoc decodes TRACE with perfetto.proto. Compares TRACE with the output of `EVTLOG dump --json LOG
OPTION...`: for each CPU the switches, wake-ups, and all other events with their times and fields,
and losses with their number and interval. Compares the slices between switches with `EVTLOG query`.
For a part, compares the process tree with the tasks that live at its start.
"""
import collections
import json
import os
import re
import subprocess
import sys
from decimal import Decimal

from claims import fail
import snapshot

STATES = {"R": 0, "S": 1, "D": 2, "T": 4, "t": 8, "X": 0x10, "Z": 0x20, "P": 0x40, "I": 0x80, "+": 0x100}
OTHER_CALL = 0xffff
LETTERS = "RSDTtXZPI+"
PRIO_UNKNOWN = 140
MONOTONIC_RAW, REALTIME = 5, 1
MONO_RAW = 4
LINE = re.compile(rb"( *)(\w+)(?:: (.*)| \{)$")
ESCAPE = re.compile(rb"\\(?:([0-7]{3})|x([0-9a-fA-F]{1,2})|(.))")
PLAIN = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b'"': b'"', b"\\": b"\\", b"'": b"'"}
THREAD = 0x10000


def unquote(text):
    def one(match):
        octal, digits, letter = match.groups()
        if octal or digits:
            return bytes([int(octal, 8) if octal else int(digits, 16)])
        return PLAIN[letter]
    return ESCAPE.sub(one, text[1:-1]).decode()


def decode(path):
    """Returns the trace's packets as protoc prints them: dicts of lists."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(path, "rb") as trace:
        result = subprocess.run(["protoc", f"-I{here}", "--decode=Trace",
                                 os.path.join(here, "perfetto.proto")],
                                stdin=trace, stdout=subprocess.PIPE, check=False)
    if result.returncode:
        fail(f"protoc exits {result.returncode}")
    root = collections.defaultdict(list)
    stack = [root]
    for line in result.stdout.splitlines():
        if line.strip() == b"}":
            stack.pop()
            continue
        match = LINE.match(line)
        if not match:
            fail(f"protoc prints {line}")
        name, value = match.group(2).decode(), match.group(3)
        if name.isdigit():
            fail(f"a field has number {name}, which is not published: {line}")
        if value is None:
            message = collections.defaultdict(list)
            stack[-1][name].append(message)
            stack.append(message)
        elif value.startswith(b'"'):
            stack[-1][name].append(unquote(value))
        else:
            stack[-1][name].append({b"true": True, b"false": False}.get(value) if value.isalpha()
                                   else int(value))
    return root["packet"]


def first(message, name, default=0):
    return message[name][0] if message[name] else default


class Trace:
    """The events of each CPU and kind, in order of time"""

    def __init__(self, path):
        self.kinds = collections.defaultdict(list)
        self.tasks = {}
        self.clocks = []
        self.attributes = {}
        self.system = None
        self.lost_cpus = set()
        for packet in decode(path):
            for bundle in packet["ftrace_events"]:
                self.take_bundle(bundle)
            for snapshot in packet["clock_snapshot"]:
                self.clocks.append({first(clock, "clock_id"): first(clock, "timestamp")
                                    for clock in snapshot["clocks"]})
                if first(snapshot, "primary_trace_clock") != MONOTONIC_RAW:
                    fail("the primary clock is another")
            for tree in packet["process_tree"]:
                for process in tree["processes"]:
                    self.tasks[first(process, "pid")] = (first(process, "pid"),
                                                         first(process, "cmdline"))
                for thread in tree["threads"]:
                    self.tasks[first(thread, "tid")] = (first(thread, "tgid"), first(thread, "name"))
            for attributes in packet["trace_attributes"]:
                for attribute in attributes["attribute"]:
                    self.attributes[first(attribute, "key")] = \
                        (attribute["long_value"] + attribute["string_value"])[0]
            self.system = first(packet, "system_info", None) or self.system
        for events in self.kinds.values():
            events.sort(key=lambda event: event[0])

    def take_bundle(self, bundle):
        cpu = first(bundle, "cpu")
        if first(bundle, "ftrace_clock") != MONO_RAW:
            fail("a bundle has another clock")
        if first(bundle, "lost_events", False):
            self.lost_cpus.add(cpu)
        for compact in bundle["compact_sched"]:
            self.take_compact(cpu, compact)
        for event in bundle["event"]:
            self.take_event(cpu, event)

    def take_compact(self, cpu, compact):
        names = compact["intern_table"]
        lengths = {len(compact[f"switch_{name}"]) for name in
                   ("timestamp", "prev_state", "next_pid", "next_prio", "next_comm_index")}
        lengths_waking = {len(compact[f"waking_{name}"]) for name in
                          ("timestamp", "pid", "target_cpu", "prio", "comm_index", "common_flags")}
        if len(lengths) != 1 or len(lengths_waking) != 1:
            fail(f"CPU {cpu}: columns are of different lengths")
        now = 0
        for delta, state, pid, prio, comm in zip(
                compact["switch_timestamp"], compact["switch_prev_state"],
                compact["switch_next_pid"], compact["switch_next_prio"],
                compact["switch_next_comm_index"]):
            now += delta
            if prio != PRIO_UNKNOWN:
                fail(f"a priority is {prio}")
            self.kinds[cpu, "sched_switch"].append((now, (state, pid, names[comm])))
        now = 0
        for delta, pid, target, prio, comm in zip(
                compact["waking_timestamp"], compact["waking_pid"], compact["waking_target_cpu"],
                compact["waking_prio"], compact["waking_comm_index"]):
            now += delta
            self.kinds[cpu, "sched_waking"].append((now, (pid, target, names[comm])))

    def take_event(self, cpu, event):
        now, pid = first(event, "timestamp"), first(event, "pid", None)
        kind = next(name for name in event if name not in ("timestamp", "pid") and event[name])
        body = event[kind][0]
        if kind == "sched_switch":
            if first(body, "prev_pid") != pid:
                fail(f"CPU {cpu}: sched_switch at {now}: prev_pid is not who ran")
            self.kinds[cpu, kind].append((now, (first(body, "prev_state"), first(body, "next_pid"),
                                                first(body, "next_comm", ""))))
        elif kind == "generic":
            fields = {first(field, "name"):
                      (field["str_value"] + field["int_value"] + field["uint_value"] + [""])[0]
                      for field in body["field"]}
            self.kinds[cpu, first(body, "event_name")].append((now, fields))
        else:
            self.kinds[cpu, kind].append((now, {**{name: values[0] for name, values in body.items()},
                                                "current": pid}))


def comm(said):
    return (said or "?").replace("\ufffd", "?")


class Log:
    """Computes from the records of a log, in a naive way, the events that a trace should have."""

    def __init__(self, whole):
        self.whole = whole
        self.cpu = {}
        self.call = {}

    def expect(self, cpu, record):
        """Returns the kinds and values of the events that a record becomes."""
        event, f, pid = record["event"], record["fields"], record["current_pid"]
        if event == "sched_switch":
            for task in (pid, f["next_pid"]):
                self.cpu[task] = cpu
            return [(event, (STATES[f["prev_state"]], f["next_pid"], comm(f["next_pid_comm"])))]
        if event == "sched_waking":
            # In a part of a log the target is unknown: other events of the task are missing.
            target = self.cpu.get(f["pid"], -1) if self.whole else None
            return [(event, (f["pid"], target, comm(f["pid_comm"])))]
        if event == "sched_wakeup_new":
            self.cpu[f["pid"]] = f["target_cpu"]
            return [(event, {"pid": f["pid"], "prio": f["prio"], "target_cpu": f["target_cpu"]})]
        if event == "sched_migrate_task":
            self.cpu[f["pid"]] = f["dest_cpu"]
            return [(event, {"pid": f["pid"], "orig_cpu": f["orig_cpu"], "dest_cpu": f["dest_cpu"]})]
        if event == "sched_process_fork":
            self.cpu.pop(f["child_pid"], None)
            self.call[f["child_pid"]] = self.call.get(f["parent_pid"])
            thread = f["child_tgid"] != f["child_pid"]
            return [("task_newtask", {"pid": f["child_pid"], "comm": comm(f["comm"]),
                                      "clone_flags": 0x10900 if thread else 0}),
                    (event, {"child_pid": f["child_pid"], "parent_pid": f["parent_pid"]})]
        if event == "sched_process_exec":
            return [(event, {"pid": f["pid"], "old_pid": f["old_pid"], "filename": comm(f["comm"])})]
        if event == "sched_process_exit":
            return [(event, {"pid": f["pid"], "tgid": f["tgid"]})]
        if event == "task_rename":
            return [(event, {"pid": f["pid"], "newcomm": comm(f["comm"])})]
        if event in ("softirq_entry", "softirq_exit"):
            return [(event, {"number": f["vec"]})]
        if event in ("local_timer_entry", "local_timer_exit"):
            return [(event, {"number": f["vector"]})]
        if event == "irq_handler_entry":
            return [(event, {"irq": f["irq"], **({"name": f["irq_name"]} if f.get("irq_name") else {})})]
        if event == "irq_handler_exit":
            return [(event, {"irq": f["irq"], "ret": f["ret"]})]
        if event == "user_exit":
            self.call[pid] = f["nr"] if f["cause"] == 1 and f["nr"] != OTHER_CALL else None
            if self.call[pid] is not None:
                return [("sys_enter", {"number": f["nr"]})]
        if event == "user_enter":
            number = self.call.pop(f["pid"], None)
            if number is not None:
                return [("sys_exit", {"number": number})]
        if event == "task":
            self.cpu[f["pid"]] = f["cpu"]
        if event == "event" and "id_name" in f:
            return [(f"evtlog_{f['id_name']}", f["payload"])]
        return [("evtlog_" + event, f)]


def same(wanted, got):
    if isinstance(wanted, str) and isinstance(got, int):
        # dump shows a task's state as a letter.
        return got == (LETTERS.index(wanted) if wanted in LETTERS else int(wanted, 0))
    if isinstance(wanted, str):
        return got == wanted.replace("\ufffd", "?") or got == wanted.replace(" ", "")
    return got == wanted or (wanted is None and got in ("", 0, "(fault)"))


def compare(trace, records, begin_ns, whole):
    log = Log(whole)
    place = collections.Counter()
    count = 0
    for record in records:
        cpu, now = record["cpu"], begin_ns + int(record["time"] * 1000000000)
        if "fields" not in record:
            if record["event"] == "gap" and (record["lost"] or record["lost_buffers"]):
                if cpu not in trace.lost_cpus:
                    fail(f"CPU {cpu}: no bundle has lost_events")
                log.call.clear()
                events = [("evtlog_gap", {"from": begin_ns + int(record["since"] * 1000000000),
                                          "lost": record["lost"],
                                          "lost_buffers": record["lost_buffers"]})]
            else:
                continue
        else:
            events = log.expect(cpu, record)
            count += 1
        for kind, values in events:
            got = trace.kinds[cpu, kind]
            if place[cpu, kind] >= len(got):
                fail(f"CPU {cpu}: no {kind} any more where the log has {record}")
            at, found = got[place[cpu, kind]]
            place[cpu, kind] += 1
            if at != now:
                fail(f"CPU {cpu}: {kind} is at {at}, not at {now}: {record}")
            if isinstance(values, tuple):
                if any(value is not None and value != here for value, here in zip(values, found)):
                    fail(f"CPU {cpu}: {kind} at {at} is {found}, not {values}: {record}")
                continue
            for name, value in values.items():
                if name in found and not same(value, found[name]):
                    fail(f"CPU {cpu}: {kind} at {at}: {name} is {found[name]!r}, not {value!r}: {record}")
                if name not in found and not kind.startswith("evtlog_"):
                    fail(f"CPU {cpu}: {kind} at {at} has no {name}: {record}")
    for (cpu, kind), events in trace.kinds.items():
        # The trace also has the gaps that the end of the part cuts.
        if place[cpu, kind] != len(events) and kind != "evtlog_gap":
            fail(f"CPU {cpu}: {kind}: events that the log does not have: {events[place[cpu, kind]:][:3]}")
    return count


def lines(evtlog, command, *args):
    said = subprocess.run([evtlog, command, "--json", *args], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return [json.loads(line, parse_float=Decimal) for line in said.stdout.splitlines()]


def is_twice(runs, cpu, begin, dur):
    return any(other != cpu and since <= begin + dur and until >= begin for other, since, until in runs)


def compare_slices(trace, evtlog, log):
    """Slices between two switches without a loss are those of evtlog query."""
    slices, ends, switches, losses = {}, {}, collections.defaultdict(set), set()
    runs = collections.defaultdict(list)
    for (cpu, kind), events in trace.kinds.items():
        if kind != "sched_switch":
            continue
        gaps = [now for now, _ in trace.kinds.get((cpu, "evtlog_gap"), ())]
        losses |= {(cpu, gap) for gap in gaps}
        switches[cpu] = {now for now, _ in events}
        ends[cpu] = events[0][0], events[-1][0]
        for (begin, (_, pid, _)), (end, (state, _, _)) in zip(events, events[1:]):
            if not any(begin < gap <= end for gap in gaps):
                slices.setdefault((cpu, begin), []).append((end - begin, pid, state))
            runs[pid].append((cpu, begin, end))
    count = 0
    for row in lines(evtlog, "query", "SELECT s.cpu, s.ts, s.dur, t.tid, s.end_state FROM sched_slice s "
                     "JOIN thread t USING (utid) WHERE end_state IS NOT NULL", log):
        cpu, begin, dur, tid, state = row.values()
        # The first slice of a log and the first after a loss begin without a switch; others are
        # outside the part.
        if begin not in switches[cpu] or begin + dur > ends[cpu][1]:
            continue
        mine = slices.get((cpu, begin), [])
        slice = dur, tid, STATES[state[-1]]
        # A slice of 0 ns: a switch directly after a loss
        if slice not in mine and not dur and (cpu, begin) in losses:
            continue
        count += 1
        if slice not in mine:
            fail(f"CPU {cpu}: slices at {begin} are {mine}, of evtlog query {row}")
        mine.remove(slice)
    # make-events lets tasks run on two CPUs at once; evtlog query leaves out such slices.
    left = [at for at, more in slices.items()
            if any(not is_twice(runs[pid], at[0], at[1], dur) for dur, pid, _ in more)]
    if left:
        fail(f"slices that evtlog query does not have: {left[:3]}")
    return count


def compare_tree(trace, evtlog, log, begin_ns):
    """The process tree of a part has the tasks that live at its start."""
    wanted = {pid: (tgid, name) for pid, (tgid, name, _) in
              snapshot.tasks_before(lines(evtlog, "dump", log), begin_ns).items()}
    for pid in {*trace.tasks, *wanted}:
        if trace.tasks.get(pid) != wanted.get(pid):
            fail(f"tree: task {pid} is {trace.tasks.get(pid)}, not {wanted.get(pid)}")


def main():
    path, evtlog, log, *options = sys.argv[1:]
    trace = Trace(path)
    slices = compare_slices(trace, evtlog, log)
    begin_ns = snapshot.from_ns(options)
    if begin_ns:
        compare_tree(trace, evtlog, log, begin_ns)
    info = json.loads(subprocess.run([evtlog, "info", "--json", log], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, check=False).stdout)
    dump = subprocess.run([evtlog, "dump", "--json", *options, log], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    records = [json.loads(line, parse_float=Decimal) for line in dump.stdout.splitlines()]
    count = compare(trace, records, info["start_raw_ns"], not options)
    if not options and count != info["event_count"]:
        fail(f"{count} events, but evtlog info counts {info['event_count']}")
    if not options:
        for record in records:
            if record["event"] == "task" and record["fields"]["pid"] and \
                    trace.tasks.get(record["fields"]["pid"], (None,))[0] != record["fields"]["tgid"]:
                fail(f"task {record['fields']['pid']} is not in the tree of processes")
        if trace.clocks[0] != {MONOTONIC_RAW: info["start_raw_ns"], REALTIME: info["start_real_ns"]}:
            fail(f"the clocks are {trace.clocks[0]}")
    if trace.attributes["evtlog.clock_error_ns"] != info["clock_error_ns"]:
        fail(f"evtlog.clock_error_ns is {trace.attributes['evtlog.clock_error_ns']}")
    release = first(first(trace.system, "utsname"), "release")
    if release != info["kernel"]:
        fail(f"the kernel's release is {release}")
    print(f"{path}: {count} events and {slices} slices as in {log}")


if __name__ == "__main__":
    main()
