#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""lttng.py OURS LTTNG - the CTF trace of evtlog export matches LTTng's trace of the same load

OURS and LTTNG were recorded at the same time in one guest. In events that both have, LTTng's fields
come first in OURS, with the same names, types, signs and sizes. Each CPU has the same events in the
same order, with the same values, except values that a log does not contain. Prints what it
compared.
"""
import collections
import sys

import bt2

from claims import fail

# Fields that logs do not contain; see evtlog-export(1)
UNKNOWN = {"prev_prio", "next_prio", "prio", "parent_ns_inum", "child_ns_inum", "vtids",
           "_vtids_length", "filename", "mode", "submode", "file_table_address", "type", "status",
           "ppid", "cpu"}
# LTTng writes the numbers of Linux 6.1, the export those of Linux 4.1: preempted, idle, dead,
# zombie, parked
STATES = {0x100: 0, 0x80: 0x402, 0x10: 0x50, 0x20: 0x60, 0x40: 0x200}
# Only the prio of a new task is recorded.
KNOWN_PRIO = {"sched_wakeup_new"}


# Most events of an interrupt that can come between evtlog's hook and LTTng's tracepoint
NEAR = 16


def describe(field_class):
    if isinstance(field_class, bt2._IntegerFieldClassConst):
        sign = "signed" if isinstance(field_class, bt2._SignedIntegerFieldClassConst) else "unsigned"
        return f"{sign} {field_class.field_value_range} base {field_class.preferred_display_base}"
    if isinstance(field_class, bt2._StaticArrayFieldClassConst):
        return f"array {field_class.length} of {describe(field_class.element_field_class)}"
    if isinstance(field_class, bt2._DynamicArrayFieldClassConst):
        return f"sequence of {describe(field_class.element_field_class)}"
    return type(field_class).__name__


def fields(event_class):
    payload = event_class.payload_field_class
    return [(name, describe(payload[name].field_class)) for name in payload] if payload else []


class Trace:
    def __init__(self, path):
        self.classes = {}
        self.events = collections.defaultdict(list)
        self.discarded = 0
        for message in bt2.TraceCollectionMessageIterator(path):
            if type(message) is bt2._DiscardedEventsMessageConst:
                self.discarded += message.count or 0
            if type(message) is not bt2._EventMessageConst:
                continue
            event = message.event
            if event.name not in self.classes:
                self.classes[event.name] = fields(event.cls)
            cpu = int(event.packet.context_field["cpu_id"])
            self.events[cpu].append((event.name, {name: plain(event.payload_field[name])
                                                  for name in event.payload_field}))


def plain(value):
    if isinstance(value, (bt2._StringFieldConst, str)):
        return str(value)
    if isinstance(value, bt2._IntegerFieldConst):
        return int(value)
    return [plain(one) for one in value]


def told(name, values, names):
    """The values that both traces have: LTTng's fields except those that logs do not contain"""
    result = []
    for field in names:
        if field in UNKNOWN and not (field == "prio" and name in KNOWN_PRIO):
            continue
        value = values[field]
        if field == "prev_state" and "evtlog_preempted" not in values:
            value = STATES.get(value, value)
        result.append(value)
    return (name, *result)


def compare(cpu, ours, theirs):
    """Ours begins somewhere in theirs, and is the same from there on. Returns how many events are
    at another place: an interrupt may come between evtlog's hook and LTTng's tracepoint."""
    first = ours[:20]
    for start in range(len(theirs) - len(ours) + 1):
        if theirs[start:start + len(first)] == first:
            break
    else:
        fail(f"CPU {cpu}: LTTng has nowhere: {first[:3]}")
    left = collections.deque(theirs[start:])
    moved = 0
    for number, event in enumerate(ours):
        at = next((i for i in range(min(NEAR, len(left))) if left[i] == event), None)
        if at is None:
            fail(f"CPU {cpu}: event {number} of {len(ours)}: ours {event}, LTTng's {list(left)[:3]}")
        moved += at != 0
        del left[at]
    return moved


def main():
    ours, theirs = Trace(sys.argv[1]), Trace(sys.argv[2])
    if ours.discarded or theirs.discarded:
        fail(f"lost: ours {ours.discarded}, LTTng's {theirs.discarded}")
    shared = sorted(set(ours.classes) & set(theirs.classes))
    for name in shared:
        wanted = theirs.classes[name]
        if ours.classes[name][:len(wanted)] != wanted:
            fail(f"{name}: ours {ours.classes[name]}, LTTng's {wanted}")
    # The state dumps were written at different times.
    sequences = [name for name in shared if not name.startswith("lttng_statedump")]
    for name in ("sched_switch", "sched_waking", "irq_softirq_entry", "irq_softirq_exit",
                 "irq_handler_entry", "irq_handler_exit", "sched_process_fork",
                 "sched_process_exec", "sched_process_exit", "sched_wakeup_new",
                 "sched_migrate_task", "lttng_statedump_process_state"):
        if name not in shared:
            fail(f"{name}: not in both traces")
    count = moved = 0
    for cpu in sorted(ours.events):
        lists = [[told(name, values, [f for f, _ in theirs.classes[name]])
                  for name, values in trace.events[cpu] if name in sequences]
                 for trace in (ours, theirs)]
        moved += compare(cpu, *lists)
        count += len(lists[0])
    if moved > count / 100:
        fail(f"{moved} of {count} events are in another order")
    print(f"{len(shared)} kinds of events with the same fields; {count} events, the same on "
          f"{len(ours.events)} CPUs, {moved} within {NEAR} of where LTTng has them")


main()
