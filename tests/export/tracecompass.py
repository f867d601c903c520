#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tracecompass.py [--some] TRACE... - Trace Compass takes traces of evtlog export --ctf for LTTng's

Each condition comes from Trace Compass's sources, and is named with the source file. Several TRACEs
are of several hosts. --some: the log does not have all kinds of events. Trace Compass itself is not
run. The sources are eclipse-tracecompass/org.eclipse.tracecompass at 14360afb219e, of 2026-08-18.
They use the state dump of processes, files and disks, but not lttng_statedump_start and _end.
"""
import collections
import os
import struct
import sys

import bt2

HEADER = struct.Struct("<I16sIQ QQQQQQI")
MAGIC = 0xc1fc1fc1
# TASK_NOLOAD - 1, the mask of states in ProcessStatus.java
STATE_MASK = 1023

trace = None
count = 0


def holds(where, what, condition):
    global count
    count += 1
    if not condition:
        sys.exit(f"tracecompass.py: {trace}: {where}: {what}")


def is_integer(field):
    return isinstance(field, bt2._IntegerFieldConst)


def is_text(field):
    return isinstance(field, bt2._StringFieldConst)


def fields(event, where, integers, texts=()):
    payload = event.payload_field
    for name in integers:
        holds(where, f"{event.name} has {name}, a number", name in payload and is_integer(payload[name]))
    for name in texts:
        holds(where, f"{event.name} has {name}, a text", name in payload and is_text(payload[name]))
    return payload


def status(state):
    """As in ProcessStatus.getStatusFromKernelState(), with the numbers of LinuxValues"""
    state &= STATE_MASK
    if state == 0:
        return "WAIT_CPU"
    if state & 3:
        return "WAIT_BLOCKED"
    if state & 64:
        return "NOT_ALIVE"
    return "WAIT_UNKNOWN"


def sched_switch(event):
    payload = fields(event, "SchedSwitchHandler.java: handleEvent()",
                     ("prev_tid", "prev_prio", "prev_state", "next_tid", "next_prio"),
                     ("prev_comm", "next_comm"))
    state = int(payload["prev_state"])
    holds("ProcessStatus.java: getStatusFromKernelState()", f"state {state} is known",
          status(state) != "WAIT_UNKNOWN" or state in (4, 8, 512))
    holds("ProcessStatus.java: isDead()", "only who is dead is",
          (status(state) == "NOT_ALIVE") == (state in (0x50, 0x60)))
    if payload["evtlog_preempted"]:
        holds("TraceEventHandlerSched.java: handleSchedSwitch()",
              "who was preempted waits for a CPU", status(state) == "WAIT_CPU" and not state & 3)


def statedump(event):
    payload = fields(event, "StateDumpHandler.java: handleEvent()",
                     ("tid", "pid", "ppid", "status", "cpu"), ("name",))
    holds("LinuxValues.java: STATEDUMP_PROCESS_STATUS_*", "the status is one",
          0 <= int(payload["status"]) <= 7)


HANDLERS = {
    "sched_switch": sched_switch,
    "lttng_statedump_process_state": statedump,
    "sched_waking": lambda event: fields(event, "SchedWakeupHandler.java: handleEvent()",
                                         ("tid", "prio", "target_cpu")),
    "sched_wakeup_new": lambda event: fields(event, "SchedWakeupHandler.java: handleEvent()",
                                             ("tid", "prio", "target_cpu")),
    "sched_migrate_task": lambda event: fields(event, "SchedMigrateTaskHandler.java: handleEvent()",
                                               ("tid", "orig_cpu", "dest_cpu")),
    "sched_process_fork": lambda event: fields(event, "ProcessForkHandler.java: handleEvent()",
                                               ("parent_tid", "child_tid", "child_pid"),
                                               ("child_comm",)),
    "sched_process_exit": lambda event: fields(event, "TraceEventHandlerSched.java: "
                                               "handleSchedProcessExit()", ("tid",)),
    "sched_process_exec": lambda event: fields(event, "TraceEventHandlerSched.java: "
                                               "handleSchedProcessExec()", ("tid",), ("filename",)),
    # The name is shown for the interrupt line, and for what blocked a task that the interrupt
    # wakes.
    "irq_handler_entry": lambda event: fields(event, "IrqEntryHandler.java: handleEvent()", ("irq",),
                                              ("name",)),
    "irq_handler_exit": lambda event: fields(event, "IrqExitHandler.java: handleEvent()", ("irq",)),
    "irq_softirq_entry": lambda event: fields(event, "SoftIrqEntryHandler.java: handleEvent()",
                                              ("vec",)),
    "irq_softirq_exit": lambda event: fields(event, "SoftIrqExitHandler.java: handleEvent()",
                                             ("vec",)),
}
X86_VECTORS = {"local_timer", "reschedule", "spurious_apic", "error_apic", "ipi", "irq_work", "call_function",
               "call_function_single", "threshold_apic", "deferred_error_apic", "thermal_apic"}
SYSCALLS = {"syscall_entry_": 1, "compat_syscall_entry_": 1, "syscall_exit_": -1, "compat_syscall_exit_": -1}


class Nesting:
    """The interrupts of a CPU, as EventContextHandler.java keeps them, and the threads' calls"""

    calls = {}

    def __init__(self):
        self.forget()

    def forget(self):
        """At the begin and after a loss, exits may have no entries."""
        self.stack, self.sure, self.thread = [], False, None

    def interrupt(self, name, payload):
        key = "irq" if name.startswith("irq_handler") else "vec"
        entered = (key, int(payload[key]))
        where = "EventContextHandler.java: popInterruptContext()"
        if name.endswith("_entry"):
            self.stack.append(entered)
        elif self.stack:
            holds(where, f"{name} leaves {self.stack[-1]}, which was entered last", self.stack[-1] == entered)
            self.stack.pop()
        else:
            holds(where, f"{name} leaves what was entered", not self.sure)

    def switch(self, payload):
        holds("TraceEventHandlerExecutionGraph.java: waitBlocked()",
              "no interrupt is entered at a switch, so that a wake-up behind it is the thread's",
              not self.stack)
        self.sure, self.thread = True, int(payload["next_tid"])

    def wakeup(self, name):
        """The interrupt that was entered last is the cause; its number resolves the edge."""
        if self.stack:
            holds("TraceEventHandlerExecutionGraph.java: softIrq(), irq()",
                  f"{name} within {self.stack[-1]} has its number", self.stack[-1][1] >= 0)

    def syscall(self, name):
        for prefix, step in SYSCALLS.items():
            if not name.startswith(prefix):
                continue
            where = "Lttng26EventLayout.java: eventSyscall{Entry,Exit}Prefix()"
            call = name[len(prefix):]
            holds(where, f"{name} names a call", call)
            if self.thread is None:
                return
            if step < 0:
                holds(where, f"{name} leaves the call that thread {self.thread} is in",
                      self.calls.get((trace, self.thread), call) == call)
            self.calls[trace, self.thread] = call if step > 0 else None
            if step < 0:
                del self.calls[trace, self.thread]


# Analyses use only names that a layout of LTTng 2.9 has.
LAYOUTS = {"LttngEventLayout.java": ("sched_switch",), "Lttng28EventLayout.java": ("sched_waking",),
           "Lttng27EventLayout.java": ("irq_softirq_entry", "irq_softirq_exit")}


def environment(env, clock):
    holds("LttngKernelTrace.java: validate()", "the domain is kernel", env.get("domain") == "kernel")
    where = "LttngKernelTrace.java: getTracerFromEnv()"
    holds(where, "the tracer is lttng-modules", env.get("tracer_name") == "lttng-modules")
    holds(where, "its version is at least 2.9",
          env.get("tracer_major") == 2 and env.get("tracer_minor", 0) >= 9)
    holds("CtfTmfTrace.java: getHostId()", "the clock has a uuid", clock.uuid is not None)
    holds("CTFTrace.java: getOffset()", "the clock ticks in nanoseconds", clock.frequency == 10 ** 9)


def packets(path, uuid):
    """Checks the streams' packets as Trace Compass indexes them, without babeltrace2."""
    for name in sorted(os.listdir(path)):
        if name == "metadata":
            continue
        data = open(os.path.join(path, name), "rb").read()
        at = begin_before = lost_before = 0
        while at < len(data):
            magic, trace_uuid, stream, _, begin, end, content, size, _, lost, cpu = \
                HEADER.unpack_from(data, at)
            where = "CTFStreamInput.java: validatePacketHeader()"
            holds(where, "the magic number", magic == MAGIC)
            holds(where, "the trace's uuid", trace_uuid == uuid.bytes)
            holds(where, "the stream's id", stream == 0)
            where = "StreamInputPacketIndex.java: append()"
            holds(where, "a packet does not end before it begins", begin <= end)
            holds(where, "packets are in order", begin >= begin_before)
            where = "StreamInputPacketIndexEntry.java"
            holds(where, "the content is within the packet", HEADER.size * 8 <= content <= size)
            holds(where, "packets end where the file does", at + size // 8 <= len(data))
            holds(where, "events_discarded never falls", lost >= lost_before)
            holds("CtfCpuAspect.java: resolve()", "cpu_id is the file's", name == f"channel0_{cpu}")
            if lost > lost_before:
                # createLostEvent() lets a loss begin with the packet's last event, or with the
                # packet.
                holds("CTFPacketReader.java: createLostEvent()",
                      "a loss has a packet of its own, which is its interval",
                      content == HEADER.size * 8)
            begin_before, lost_before = begin, lost
            at += size // 8


def check(path, some):
    global trace
    trace = path
    nesting = collections.defaultdict(Nesting)
    seen = collections.Counter()
    clock = uuid = None
    last = {}
    for message in bt2.TraceCollectionMessageIterator(path):
        if type(message) is bt2._StreamBeginningMessageConst:
            stream = message.stream
            clock, uuid = stream.cls.default_clock_class, stream.trace.uuid
            environment(stream.trace.environment, clock)
        if type(message) is bt2._DiscardedEventsMessageConst:
            nesting[int(message.stream.name.rsplit("_", 1)[1])].forget()
            Nesting.calls.clear()
        if type(message) is not bt2._EventMessageConst:
            continue
        event = message.event
        cpu = int(event.packet.context_field["cpu_id"])
        now = message.default_clock_snapshot.value
        holds("CTFStreamInputReader.java", "times of a CPU do not step back", now >= last.get(cpu, 0))
        last[cpu] = now
        seen[event.name] += 1
        if event.name in HANDLERS:
            HANDLERS[event.name](event)
        if event.name.startswith("x86_irq_vectors_"):
            stem, _, step = event.name[len("x86_irq_vectors_"):].rpartition("_")
            holds("Lttng27EventLayout.java: X86_IRQ_VECTORS_*", f"{event.name} is one",
                  stem in X86_VECTORS and step in ("entry", "exit"))
        if event.name.startswith(("irq_softirq_", "irq_handler_")):
            nesting[cpu].interrupt(event.name, event.payload_field)
        elif event.name == "sched_switch":
            nesting[cpu].switch(event.payload_field)
        elif event.name == "sched_waking":
            nesting[cpu].wakeup(event.name)
        elif event.name == "evtlog_gap":
            nesting[cpu].forget()
            Nesting.calls.clear()
        else:
            nesting[cpu].syscall(event.name)
    for where, names in LAYOUTS.items():
        for name in () if some else names:
            holds(where, f"there is {name}", seen[name])
    packets(path, uuid)
    return clock.uuid


def main():
    some = sys.argv[1] == "--some"
    hosts = [check(path, some) for path in sys.argv[1 + some:]]
    holds("CtfTmfTrace.java: getHostId()", "each host has a uuid of its own",
          len(set(hosts)) == len(hosts))
    print(f"{len(hosts)} traces: {count} conditions of Trace Compass hold")


main()
