#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""ctf.py TRACE EVTLOG LOG [OPTION...] - a CTF trace has each event of a log, with its time and fields

babeltrace2's Python module reads TRACE. Compares the events of each CPU in order with the output of
`EVTLOG dump --json LOG OPTION...`: times to the nanosecond, names, tasks, states and numbers. For a
whole log, also compares the number and the intervals of lost events, and the number of events that
`EVTLOG info` shows. For a part, compares the state dump with the tasks that live at its start.
Prints how many events it compared.
"""
import collections
import ipaddress
import json
import subprocess
import sys
from decimal import Decimal

import bt2
from claims import fail
import snapshot

UNKNOWN_PRIO = -2147483648
STATES = {"R": 0, "S": 1, "D": 2, "T": 4, "t": 8, "X": 0x50, "Z": 0x60, "P": 0x200, "I": 0x402, "+": 0}
STATUS = {"R": 2, "+": 2, "Z": 4, "X": 7}
VECTORS = {"local_timer", "reschedule", "call_function", "call_function_single", "irq_work"}
OTHER_VECTORS = {0xff: "spurious_apic", 0xfe: "error_apic", 0xfa: "thermal_apic",
                 0xf9: "threshold_apic", 0xf7: "ipi", 0xf4: "deferred_error_apic"}
# Events that the export adds
OWN = {"evtlog_begin", "evtlog_gap", "evtlog_end"}


def plain(value):
    if isinstance(value, bt2._StringFieldConst):
        return str(value)
    if isinstance(value, bt2._IntegerFieldConst):
        return int(value)
    return [plain(one) for one in value]


def read_trace(path):
    """Returns events by CPU, losses by CPU, and the environment of the trace."""
    events = collections.defaultdict(list)
    lost = collections.defaultdict(list)
    environment = {}
    for message in bt2.TraceCollectionMessageIterator(path):
        if type(message) is bt2._StreamBeginningMessageConst:
            environment = dict(message.stream.trace.environment)
        elif type(message) is bt2._DiscardedEventsMessageConst:
            cpu = int(message.stream.name.rsplit("_", 1)[1])
            lost[cpu].append((message.beginning_default_clock_snapshot.value,
                              message.end_default_clock_snapshot.value, message.count))
        elif type(message) is bt2._EventMessageConst:
            event = message.event
            events[int(event.packet.context_field["cpu_id"])].append(
                (message.default_clock_snapshot.value, event.name,
                 {name: plain(event.payload_field[name]) for name in event.payload_field}))
    return events, lost, environment


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if result.returncode not in (0, 4):
        fail(f"{' '.join(command)}: exits {result.returncode}")
    return result.stdout.decode()


class Log:
    """Computes from the records of a log, in a naive way, the events that a trace should have."""

    def __init__(self, whole):
        self.whole = whole
        self.cpu = {}
        self.call = {}

    def comm(self, pid, cpu, said):
        if pid == 0:
            return f"swapper/{cpu}"
        text = said or "?"
        # Bytes that are not UTF-8 are U+FFFD in dump's JSON and ? in the trace.
        return text.replace("\ufffd", "?")

    def target(self, pid):
        """The CPU on which a task is woken; unknown in a part of a log."""
        return {"target_cpu": self.cpu.get(pid, -1)} if self.whole else {}

    def switch(self, cpu, record):
        f, prev = record["fields"], record["current_pid"]
        wanted = {"next_tid": f["next_pid"], "prev_state": STATES[f["prev_state"]],
                  "prev_tid": -1 if prev is None else prev,
                  "prev_comm": self.comm(prev, cpu, record["current_comm"]),
                  "next_comm": self.comm(f["next_pid"], cpu, f["next_pid_comm"]),
                  "prev_prio": UNKNOWN_PRIO, "next_prio": UNKNOWN_PRIO,
                  "evtlog_preempted": int(f["prev_state"] == "+")}
        for pid in (prev, f["next_pid"]):
            if pid is not None:
                self.cpu[pid] = cpu
        return "sched_switch", wanted

    def user(self, record):
        f, pid = record["fields"], record["current_pid"]
        if record["event"] == "user_exit":
            self.call.pop(pid, None)
            name = f.get("nr_name")
            if f["cause"] in (1, 2) and name:
                prefix = "compat_" if f["cause"] == 2 else ""
                self.call[pid] = (prefix, name)
                return f"{prefix}syscall_entry_{name}", {}
            return "evtlog_user_exit", {"cause": f["cause"], "nr": f["nr"]}
        prefix, name = self.call.pop(f["pid"], (None, None))
        if name:
            return f"{prefix}syscall_exit_{name}", {}
        return "evtlog_user_enter", {"pid": f["pid"]}

    def expect(self, cpu, record):
        """Returns the name of the event that a record becomes, and values of its fields."""
        event, f = record["event"], record["fields"]
        if event == "sched_switch":
            return self.switch(cpu, record)
        if event == "sched_waking":
            return event, {"tid": f["pid"], "comm": self.comm(f["pid"], cpu, f["pid_comm"]),
                           "prio": UNKNOWN_PRIO, **self.target(f["pid"])}
        if event == "sched_wakeup_new":
            self.cpu[f["pid"]] = f["target_cpu"]
            return event, {"tid": f["pid"], "prio": f["prio"] - 100, "target_cpu": f["target_cpu"]}
        if event == "sched_migrate_task":
            self.cpu[f["pid"]] = f["dest_cpu"]
            return event, {"tid": f["pid"], "orig_cpu": f["orig_cpu"], "dest_cpu": f["dest_cpu"]}
        if event == "sched_process_fork":
            self.cpu.pop(f["child_pid"], None)
            self.call.pop(f["child_pid"], None)
            if f["parent_pid"] in self.call:
                self.call[f["child_pid"]] = self.call[f["parent_pid"]]
            return event, {"child_tid": f["child_pid"], "parent_tid": f["parent_pid"],
                           "child_pid": f["child_tgid"], "vtids": [f["child_pid"]],
                           "child_comm": self.comm(f["child_pid"], cpu, f["comm"]),
                           "evtlog_start_boottime": f["start_time"]}
        if event == "sched_process_exec":
            return event, {"tid": f["pid"], "old_tid": f["old_pid"], "evtlog_tgid": f["tgid"],
                           "filename": self.comm(f["pid"], cpu, f["comm"])}
        if event == "sched_process_exit":
            return event, {"tid": f["pid"], "evtlog_tgid": f["tgid"],
                           "evtlog_exit_code": f["exit_code"]}
        if event == "task":
            self.cpu[f["pid"]] = f["cpu"]
            return "lttng_statedump_process_state", {
                "tid": f["pid"], "pid": f["tgid"], "ppid": f["ppid"], "cpu": f["cpu"],
                "status": STATUS.get(f["state"], 5), "name": self.comm(f["pid"], f["cpu"], f["comm"]),
                "type": int(f["flags"], 16) & 1, "evtlog_recorded": 1,
                "evtlog_start_boottime": f["start_time"], "evtlog_runtime_ns": f["runtime"]}
        if event in ("softirq_entry", "softirq_exit"):
            return "irq_" + event, {"vec": f["vec"]}
        if event == "irq_handler_entry":
            return event, {"irq": f["irq"], "name": f.get("irq_name") or ""}
        if event == "irq_handler_exit":
            return event, {"irq": f["irq"], "ret": f["ret"]}
        if event in ("user_exit", "user_enter"):
            return self.user(record)
        if event == "event" and "id_name" in f:
            return f"evtlog_{f['id_name']}", {**f["payload"], "evtlog_bytes": f["bytes"]}
        stem, _, step = event.rpartition("_")
        if stem in VECTORS:
            return "x86_irq_vectors_" + event, {"vector": f["vector"]}
        if stem == "vector" and f["vector"] in OTHER_VECTORS:
            return f"x86_irq_vectors_{OTHER_VECTORS[f['vector']]}_{step}", {"vector": f["vector"]}
        return "evtlog_" + event, f


def same(wanted, got):
    """Compares a value of dump's JSON with a value of the trace."""
    if wanted is None:
        return got in ("?", 0, -1, 0xffffffff)
    if isinstance(wanted, str) and isinstance(got, int):
        try:
            return got == int(wanted, 0)
        except ValueError:
            return got == int(ipaddress.ip_address(wanted))
    if isinstance(wanted, str) and isinstance(got, list):
        return bytes(got).hex() == wanted.replace(" ", "")
    if isinstance(wanted, str):
        # An empty text is exported as ?: babeltrace2 2.0.4 would show the previous event's text.
        return got.rstrip("\0") == (wanted or "?").replace("\ufffd", "?")
    return got == wanted


def compare_events(trace, records, begin_ns, whole):
    log = Log(whole)
    place = collections.Counter()
    for record in records:
        cpu = record["cpu"]
        if "fields" not in record:
            if record.get("lost") or record.get("lost_buffers"):
                log.call.clear()
            if record.get("current_pid") is not None and record["event"] != "end":
                log.cpu.setdefault(record["current_pid"], cpu)
            continue
        name, values = log.expect(cpu, record)
        if place[cpu] >= len(trace[cpu]):
            fail(f"CPU {cpu}: no more events where the log has {record}")
        at, got_name, got = trace[cpu][place[cpu]]
        place[cpu] += 1
        wanted_ns = begin_ns + int(record["time"] * 1000000000)
        if at != wanted_ns:
            fail(f"CPU {cpu}: {got_name} is at {at}, not at {wanted_ns}: {record}")
        if got_name != name:
            fail(f"CPU {cpu}: at {at} is {got_name}, not {name}: {record}")
        for field, value in values.items():
            if field in got and not same(value, got[field]):
                fail(f"CPU {cpu}: {name} at {at}: {field} is {got[field]!r}, not {value!r}: {record}")
        if not name.startswith("evtlog_") and set(values) - set(got):
            fail(f"{name}: no fields {set(values) - set(got)}")
    for cpu, events in trace.items():
        if place[cpu] != len(events):
            fail(f"CPU {cpu}: events that the log does not have: {events[place[cpu]:][:3]}")
    return sum(place.values())


def compare_lost(lost, records, begin_ns):
    """Each gap of the log is an interval of lost events in the trace."""
    wanted = collections.defaultdict(list)
    for record in records:
        if record["event"] != "gap" or not (record["lost"] or record["lost_buffers"]):
            continue
        wanted[record["cpu"]].append((begin_ns + int(record["since"] * 1000000000),
                                      begin_ns + int(record["time"] * 1000000000),
                                      record["lost"] + record["lost_buffers"]))
    if wanted != lost:
        fail(f"lost: {dict(lost)}, not {dict(wanted)}")
    return sum(count for cpu in wanted for _, _, count in wanted[cpu])


def compare_tasks(trace, records, begin_ns, from_ns):
    """The state dump of a part has the tasks that live at its start, and has that time."""
    dumped = {}
    for events in trace.values():
        for at, name, f in events:
            if name != "lttng_statedump_process_state" or f["evtlog_recorded"]:
                continue
            if at != begin_ns + from_ns:
                fail(f"the state dump is at {at}, not at {begin_ns + from_ns}")
            if f["tid"] in dumped:
                fail(f"task {f['tid']} is twice in the state dump")
            dumped[f["tid"]] = f["pid"], f["name"], f["status"]
    wanted = snapshot.tasks_before(records, from_ns)
    for pid in {*dumped, *wanted}:
        if dumped.get(pid) != wanted.get(pid):
            fail(f"state dump: task {pid} is {dumped.get(pid)}, not {wanted.get(pid)}")
    return len(dumped)


def main():
    path, evtlog, log, *options = sys.argv[1:]
    events, lost, environment = read_trace(path)
    begin_ns = snapshot.from_ns(options)
    if begin_ns:
        whole = [json.loads(line, parse_float=Decimal)
                 for line in run(evtlog, "dump", "--json", log).splitlines()]
        start_ns = json.loads(run(evtlog, "info", "--json", log))["start_raw_ns"]
        print(f"{compare_tasks(events, whole, start_ns, begin_ns)} tasks in the state dump")
    for cpu in events:
        events[cpu] = [event for event in events[cpu] if event[1] not in OWN and
                       event[2].get("evtlog_recorded") != 0]
    info = json.loads(run(evtlog, "info", "--json", log))
    records = [json.loads(line, parse_float=Decimal)
               for line in run(evtlog, "dump", "--json", *options, log).splitlines()]
    count = compare_events(events, records, info["start_raw_ns"], not options)
    if not options:
        if count != info["event_count"]:
            fail(f"{count} events, but evtlog info counts {info['event_count']}")
        gone = compare_lost(lost, records, info["start_raw_ns"])
        if gone != environment["evtlog_events_lost"]:
            fail(f"evtlog_events_lost is {environment['evtlog_events_lost']}, not {gone}")
    if environment["evtlog_clock_error_ns"] != info["clock_error_ns"]:
        fail(f"evtlog_clock_error_ns is {environment['evtlog_clock_error_ns']}")
    print(f"{path}: {count} events as in {log}")


main()
