#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""model.py LOG SEED COUNT - evtlog why agrees with a naive model of LOG, made from evtlog dump

The model replays all events, one by one, and keeps the whole history of each CPU in memory. It compares all waits of
--worst, and explains the COUNT worst ones, as many with the longest time ready, and as many random ones. EVTLOG is the
program. LOG has no losses.
"""
import collections
import decimal
import json
import os
import random
import subprocess
import sys

from claims import check, expect, fail, finish

EVTLOG = os.environ["EVTLOG"]
LOG, SEED, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
Wait = collections.namedtuple("Wait", "pid since blocked state ready after cpu waker")


def output(*args):
    done = subprocess.run([EVTLOG, *args], capture_output=True, text=True)
    if done.returncode:
        fail(f"{args} exits {done.returncode}: {done.stderr}")
    return done.stdout


def answer(*args):
    return json.loads(output("why", "--json", *args, LOG), parse_float=decimal.Decimal)


def ns(seconds):
    return int(seconds * 10**9)


def text(at):
    return f"{at // 10**9}.{at % 10**9:09}"


class Model:
    def __init__(self):
        self.stack = collections.defaultdict(list)      # of a CPU: the interrupts that it is in
        self.history = collections.defaultdict(list)    # of a CPU: (time, who has it from then on)
        self.moves = collections.defaultdict(list)      # of a pid
        self.off = {}                                   # pid: what is known since its last run
        self.context = {}                               # (pid, time) of a wake-up: innermost context
        self.left = {}                                  # (pid, since): CPU that it left, or was made for
        self.names = {}                                 # (pid, since): its name
        self.waits = []
        self.changes = []                               # orders of other hosts
        for line in output("dump", "--json", LOG).splitlines():
            event = json.loads(line, parse_float=decimal.Decimal)
            event["ns"] = ns(event["time"])
            self.take(event)

    def take(self, event):
        kind, cpu, fields = event["event"], event["cpu"], event.get("fields", {})
        stack, running = self.stack[cpu], event["current_pid"]
        if kind == "sched_switch":
            self.switch(event, fields)
            running = fields["next_pid"]
        elif kind == "sched_waking":
            self.wake(event, fields["pid"])
        elif kind == "sched_wakeup_new":
            pid = fields["pid"]
            self.off[pid] = dict(since=event["ns"], new=(cpu, running))
            self.left[pid, event["ns"]] = fields["target_cpu"]
        elif kind == "sched_migrate_task":
            self.moves[fields["pid"]].append((event["ns"], fields["orig_cpu"], fields["dest_cpu"], cpu))
        elif kind in ("remote", "remote_boost", "remote_unboost"):
            self.changes.append((event["ns"], kind, cpu, fields.get("pid"), fields.get("prio")))
        elif kind.endswith("_entry") and kind != "exception_entry":
            stack.append(self.context_of(kind, fields))
        elif kind.endswith("_exit") and kind not in ("exception_exit", "user_exit", "sched_process_exit"):
            if stack and stack[-1] == self.context_of(kind, fields):
                stack.pop()
        self.history[cpu].append((event["ns"], stack[-1] if stack else ("task", running)))

    @staticmethod
    def context_of(kind, fields):
        if kind.startswith("irq_handler"):
            return "irq", fields["irq"]
        if kind.startswith("softirq"):
            return "softirq", fields["vec"]
        return "vector", fields["vector"]

    def wake(self, event, pid):
        off = self.off.get(pid)
        if not off or "new" in off or off["state"] in ("R", "+") or off["wake"]:
            return
        off["wake"] = event["ns"], event["cpu"], event["context"] != "task", event["current_pid"]
        if event["context"] != "task":
            self.context[pid, event["ns"]] = self.stack[event["cpu"]][-1]

    def switch(self, event, fields):
        at, cpu, prev, pid = event["ns"], event["cpu"], event["current_pid"], fields["next_pid"]
        off = self.off.pop(pid, None)
        if off and pid:
            self.waits.append(self.wait(off, pid, at, cpu))
        state = fields["prev_state"]
        if prev and state not in ("Z", "X"):
            self.off[prev] = dict(since=at, state=state, wake=None)
            self.left[prev, at] = cpu
            self.names[prev, at] = event["current_comm"]

    @staticmethod
    def wait(off, pid, at, cpu):
        since = off["since"]
        if "new" in off:
            return Wait(pid, since, 0, None, at - since, "fork", cpu, (None, False, off["new"][1]))
        if off["state"] in ("R", "+"):
            after = "yield" if off["state"] == "R" else "preemption"
            return Wait(pid, since, 0, None, at - since, after, cpu, None)
        if not off["wake"]:
            return Wait(pid, since, at - since, off["state"], 0, None, cpu, None)
        woken, *waker = off["wake"]
        return Wait(pid, since, woken - since, off["state"], at - woken, "wakeup", cpu, tuple(waker))

    def ran(self, cpu, begin, end):
        """Time of each that had a CPU"""
        sums, history = collections.Counter(), self.history[cpu]
        for (at, who), (until, _) in zip(history, history[1:]):
            if min(until, end) > max(at, begin):
                sums[who] += min(until, end) - max(at, begin)
        return sums

    def meanwhile(self, wait):
        sums = collections.Counter()
        cpu, at, end = self.left[wait.pid, wait.since], wait.since + wait.blocked, length(wait) + wait.since
        for time, _, dest, _ in self.moves[wait.pid]:
            if wait.since <= time <= end:
                if time > at:
                    sums += self.ran(cpu, at, time)
                    at = time
                cpu = dest
        return sums + self.ran(cpu, at, end)


def length(wait):
    return wait.blocked + wait.ready


def shown(wait):
    """A wait of the table, in the model's form"""
    waker = wait["waker"] and (wait["waker"]["cpu"], wait["waker"]["in_interrupt"], wait["waker"]["pid"])
    return Wait(wait["pid"], ns(wait["since"]), wait["blocked_ns"], wait["state"], wait["ready_ns"],
                wait["ready_after"], wait["cpu"], waker)


def complete(waits):
    return [wait for wait in waits if wait["begin_known"] and wait["end_known"]]


def worst(waits, key):
    return [wait for wait in sorted(waits, key=lambda wait: (-key(wait), wait.since)) if key(wait)]


def compare_tables(model):
    for args, key in ((("--sort", "wait"), length), ((), lambda wait: wait.ready)):
        table = complete(answer("--worst", "100000", *args)["waits"])
        mine, theirs = worst(model.waits, key), [shown(wait) for wait in table]
        expect(f"all waits {args}: {set(mine) ^ set(theirs)}", sorted(mine, key=str) == sorted(theirs, key=str))
        expect(f"the order of waits {args}", [key(wait) for wait in mine] == [key(wait) for wait in theirs])
        for wait in table:
            name = model.names.get((wait["pid"], ns(wait["since"])))
            expect(f"the name of {wait}", name is None or name == wait["comm"])
    pid, count = collections.Counter(wait.pid for wait in model.waits).most_common(1)[0]
    check(count > 3, "no task waits more than three times")
    table = [shown(wait) for wait in complete(answer("--worst", "3", str(pid))["waits"])]
    expect(f"the worst waits of {pid}: {table}",
           [length(wait) for wait in table] ==
           [length(wait) for wait in worst(model.waits, length) if wait.pid == pid][:len(table)])
    names = collections.Counter(filter(None, model.names.values())).most_common(8)
    for number, (name, _) in enumerate(names):
        mine = [wait for wait in worst(model.waits, length) if model.names.get((wait.pid, wait.since)) == name]
        count = "1" if number else "100000"
        table = [shown(wait) for wait in complete(answer("--worst", count, name)["waits"]) if wait["ready_after"] != "fork"]
        expect(f"the worst {count} waits under the name {name}: {table}", table == mine[:len(table)] and
               (number or len(table) == len(mine)))
    cpu = max(wait.cpu for wait in model.waits)
    end = sorted(wait.since + length(wait) for wait in model.waits)[len(model.waits) // 2]
    table = complete(answer("--worst", "100000", "--cpu", str(cpu), "--to", text(end))["waits"])
    mine = {wait for wait in model.waits if wait.cpu == cpu and wait.ready and wait.since + length(wait) < end}
    expect(f"--cpu and --to: {mine ^ set(map(shown, table))}", mine == set(map(shown, table)))


def explain(model, wait):
    why = answer(f"{wait.pid}@{text(wait.since + length(wait) // 2)}")
    end = wait.since + length(wait)

    def same(what, mine, theirs):
        expect(f"{what} of {wait}: {theirs} instead of {mine}", mine == theirs)

    same("the wait", (wait.since, wait.blocked, wait.state, wait.ready, wait.after),
         (ns(why["since"]), why["blocked_ns"], why["state"], why["ready_ns"], why["ready_after"]))
    same("the run", (end, wait.cpu), (ns(why["runs"]["time"]), why["runs"]["cpu"]))
    if wait.after != "fork":
        same("the CPU that it left", model.left[wait.pid, wait.since], why["left_cpu"])
    same("moves", [move for move in model.moves[wait.pid] if wait.since <= move[0] <= end],
         [(ns(move["time"]), move["from_cpu"], move["to_cpu"], move["by_cpu"]) for move in why["moves"]])
    same("orders", [change for change in model.changes if wait.since <= change[0] <= end],
         [(ns(change["time"]), change["event"], change["cpu"], change["fields"].get("pid"),
           change["fields"].get("prio")) for change in why["changes"]])
    waker = why["waker"]
    same("a wake-up", wait.waker is not None, waker is not None)
    if wait.waker:
        woken = wait.since + wait.blocked
        same("the waker", (woken, wait.waker[1], wait.waker[2]),
             (ns(waker["time"]), waker["in_interrupt"], waker["pid"]))
        if wait.waker[1]:
            same("its context", model.context[wait.pid, woken], (waker["context"], waker["number"]))
    mine = {("idle", 0) if who == ("task", 0) else who: sum for who, sum in model.meanwhile(wait).items()}
    theirs = {(ran["kind"], ran["pid"] if ran["kind"] in ("task", "idle") else ran["number"]): ran["ns"]
              for ran in why["meanwhile"]}
    same("meanwhile", mine, theirs)
    same("the sum", wait.ready, sum(theirs.values()) + why["meanwhile_unknown_ns"])
    return len(theirs), len(why["moves"]), len(why["changes"])


def main():
    model = Model()
    random.seed(SEED)
    compare_tables(model)
    chosen = dict.fromkeys(worst(model.waits, length)[:COUNT] + worst(model.waits, lambda wait: wait.ready)[:COUNT] +
                           random.sample([wait for wait in model.waits if length(wait)], COUNT))
    seen = [explain(model, wait) for wait in chosen]
    check(max(seen)[0] > 1, "only one had the CPU in each wait")
    print(f"{len(model.waits)} waits, {len(seen)} explained, {sum(moves for _, moves, _ in seen)} moves, "
          f"{sum(changes for *_, changes in seen)} orders")
    finish()


main()
