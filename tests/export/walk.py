# SPDX-License-Identifier: GPL-2.0-or-later
"""walk.py - messages between CPUs, and how long tasks wait, by a naive walk through `evtlog dump`.

Keeps the last CPU of each task, and which of four states it is in. Used by archive.py.
"""
import collections
import json
from decimal import Decimal

FORK, JOIN, MIGRATION, WAKEUP = 1, 2, 3, 4
RUNNABLE = ("R", "+")


def read(lines):
    """Returns the events. A gap gets the task of the CPU's next event."""
    found = [json.loads(line, parse_float=Decimal) for line in lines]
    after = {}
    for event in reversed(found):
        if event["event"] == "gap":
            event["current_pid"] = after.get(event["cpu"], event["current_pid"])
        after[event["cpu"]] = event["current_pid"]
    return found


class Walk:
    """A task that is woken on an unknown CPU waits nowhere until an event shows its CPU.

    @messages: by tag, sending and receiving CPU; @waits: ns by pid and "woken" or "preempted";
    @whole: the same without from_ns and to_ns, for waits that are not cut in thread_wait: a switch
    ends them, and the task ran or slept before, or was new"""

    def __init__(self, lines, from_ns=0, to_ns=None):
        self.from_ns, self.to_ns = from_ns, to_ns
        self.messages = collections.Counter()
        self.waits = collections.Counter()
        self.whole = collections.Counter()
        self.losses = False
        self.place, self.state, self.parent = {}, {}, {}
        self.exits = set()
        self.unplaced = set()
        self.known = set()
        now = 0
        for event in read(lines):
            now = int(event["time"] * 1000000000)
            self.take(event, now)
        for pid in list(self.state):
            self.change(pid, None, now)

    def within(self, now):
        return now >= self.from_ns and (self.to_ns is None or now <= self.to_ns)

    def send(self, tag, sender, receiver, now):
        if self.within(now) and receiver is not None:
            self.messages[tag, sender, receiver] += 1

    def change(self, pid, state, now, seen=True):
        """Changes the state of a task; adds the time up to now if the task waited."""
        if not pid:
            return
        before, since, began = self.state.get(pid, (None, 0, False))
        if before in ("woken", "preempted"):
            begin, end = max(since, self.from_ns), min(now, self.to_ns or now)
            self.waits[pid, before] += max(end - begin, 0)
            if began and state == "running":
                self.whole[pid, before] += now - since
        self.state[pid] = (state, now, seen)

    def is_in(self, pid, *states):
        return self.state.get(pid, (None,))[0] in states

    def run(self, pid, cpu, now):
        self.change(pid, "running", now)
        if pid:
            self.place[pid] = cpu

    def take(self, event, now):
        cpu, current, kind = event["cpu"], event["current_pid"], event["event"]
        fields = event.get("fields", {})
        if kind in ("start", "gap"):
            self.losses |= bool(event.get("lost") or event.get("lost_buffers") or kind == "gap")
            self.known.add(cpu)
            self.run(current, cpu, now)
        elif kind == "end":
            self.losses |= event["rest_missing"]
            for pid in [pid for pid, place in self.place.items() if place == cpu]:
                self.change(pid, None, now)
        elif kind == "task":
            self.parent[fields["pid"]] = fields["ppid"]
            if fields["pid"] in self.place:
                return
            self.place[fields["pid"]] = fields["cpu"]
            if fields["pid"] in self.unplaced:
                self.change(fields["pid"], "woken", now, seen=False)
            elif fields["state"] not in RUNNABLE:
                self.change(fields["pid"], "blocked", now)
            elif fields["cpu"] in self.known:
                self.change(fields["pid"], "preempted", now, seen=False)
        elif kind == "sched_switch":
            self.change(current, "preempted" if fields["prev_state"] in RUNNABLE else "blocked", now)
            if current in self.exits and fields["prev_state"] not in RUNNABLE:
                self.exits.remove(current)
                self.place.pop(current, None)
            self.run(fields["next_pid"], cpu, now)
        elif kind == "sched_waking":
            place = self.place.get(fields["pid"])
            self.send(WAKEUP, cpu, place, now)
            if place is None:
                self.unplaced.add(fields["pid"])
            if place is not None and not self.is_in(fields["pid"], "woken", "preempted", "running"):
                self.change(fields["pid"], "woken", now, seen=self.is_in(fields["pid"], "blocked"))
        elif kind == "sched_wakeup_new":
            self.place[fields["pid"]] = fields["target_cpu"]
            self.send(FORK, cpu, fields["target_cpu"], now)
            self.change(fields["pid"], "woken", now)
        elif kind == "sched_migrate_task":
            # A running task does not move: its switch was lost.
            if not self.is_in(fields["pid"], "running"):
                if fields["pid"] in self.unplaced and fields["pid"] not in self.place:
                    self.change(fields["pid"], "woken", now, seen=False)
                self.place[fields["pid"]] = fields["dest_cpu"]
            self.send(MIGRATION, fields["orig_cpu"], fields["dest_cpu"], now)
        elif kind == "sched_process_fork":
            self.parent[fields["child_pid"]] = fields["parent_pid"]
            self.place.pop(fields["child_pid"], None)
            self.exits.discard(fields["child_pid"])
            self.unplaced.discard(fields["child_pid"])
            self.change(fields["child_pid"], "blocked", now)
        elif kind == "sched_process_exit":
            pid, tgid = fields["pid"], fields["tgid"]
            waits = tgid if tgid != pid else self.parent.get(pid)
            self.send(JOIN, cpu, self.place.get(waits), now)
            self.exits.add(pid)
