# SPDX-License-Identifier: GPL-2.0-or-later
"""passes.py - reads the sampler's passes in a log from `evtlog dump --json`, in a simple way, for
tests of programs that use them."""
import json
import os
import subprocess
import sys


def lines(evtlog, log, *command):
    """Returns the objects of a command that prints one per line."""
    done = subprocess.run([evtlog, *command, log], stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"evtlog {command[0]} exits {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Pass:
    """cpus: runnable tasks of each CPU, without the sampler; tasks: payloads by pid, of living
    tasks. whole: the log has all of it; told: its last record, or None if missing; skipped: passes
    before it whose last records are missing. first: the sampler was restarted since the last
    complete pass; off_ns: for the first pass after a start, since when it was off, or None. time_ns
    is the last record's; without this record, the next pass's first."""

    def __init__(self):
        self.cpus, self.tasks, self.records, self.pids = {}, {}, 0, set()
        self.time_ns, self.sampler, self.told, self.whole, self.skipped = 0, None, None, False, 0
        self.first, self.off_ns = False, None


def starts():
    """Returns the numbers of first passes after a start, from make-samples. In a log of the kernel,
    a task's policy is recorded again without a change: see passes()."""
    if "TRUTH" not in os.environ:
        return set()
    with open(os.environ["TRUTH"], encoding="ascii") as file:
        return {each["pass"] for each in map(json.loads, file) if each["start"]}


class Times:
    """The mean interval of the passes that were due since a start"""

    def __init__(self, time_ns):
        self.first_ns, self.last_ns, self.due = time_ns, time_ns, 0

    def take(self, at):
        self.due += at.skipped + 1 + at.told["missed"]
        self.last_ns = at.time_ns

    def off_ns(self, now_ns):
        """Returns when the last pass ends, if no pass comes by then; None: it is still valid."""
        every_ns = (self.last_ns - self.first_ns) // self.due if self.due else 0
        return None if now_ns < self.last_ns + 2 * every_ns else self.last_ns + every_ns


TIMES = []


def find_start(at, begins):
    """Handles a pass with its last record."""
    if TIMES and at.told["pass"] in begins:
        at.off_ns = TIMES[0].off_ns(at.time_ns)
    if not TIMES or at.told["pass"] in begins:
        TIMES[:] = [Times(at.time_ns)]
    else:
        TIMES[0].take(at)


def end_off_ns(end_ns):
    """Returns since when the sampler was off at the end, after passes(); None: it was on."""
    return TIMES[0].off_ns(end_ns)


def is_of_another(at, cpu, payload):
    return bool(at.cpus) and (at.sampler != cpu or at.records > 0 or payload["cpu"] in at.cpus)


def passes(evtlog, log):
    """Yields all passes in order, including incomplete ones."""
    at, last, begins, whole = Pass(), None, starts(), 0
    policies, pids, again = {}, set(), False
    TIMES.clear()
    for event in lines(evtlog, log, "dump", "--json"):
        fields = event.get("fields") or {}
        if event["event"] != "event" or "payload" not in fields:
            continue
        payload, time_ns = fields["payload"], round(event["time"] * 1e9)
        if fields["id_name"] == "sampler_cpu":
            if is_of_another(at, event["cpu"], payload):
                at.time_ns = time_ns
                yield at
                at = Pass()
            at.sampler = event["cpu"]
            at.cpus[payload["cpu"]] = payload["nr_running"]
        elif fields["id_name"] == "sampler_task" and at.sampler == event["cpu"]:
            at.records += 1
            at.pids.add(payload["pid"])
            # The sampler sees itself running.
            if payload["state"] not in "XZ" and (payload["state"], payload["cpu"]) != ("R", event["cpu"]):
                at.tasks[payload["pid"]] = payload
        elif fields["id_name"] == "sampler_policy":
            again = again or payload["pid"] in pids and policies.get(payload["pid"]) == payload
            policies[payload["pid"]] = payload
        elif fields["id_name"] == "sampler_pass":
            if again:
                begins.add(payload["pass"])
            again = False
            at.whole = at.sampler == event["cpu"] and not payload["lost"] and \
                (at.records, len(at.cpus)) == (payload["tasks"], payload["cpus"])
            at.time_ns, at.sampler, at.told = time_ns, event["cpu"], payload
            if at.whole:
                at.cpus[at.sampler] -= 1
            at.skipped = payload["pass"] - last - 1 if last else 0
            last = payload["pass"]
            find_start(at, begins)
            at.first = any(whole < each <= last for each in begins)
            whole, pids = (last, at.pids) if at.whole else (whole, pids)
            yield at
            at = Pass()


def losses(evtlog, log):
    """Yields the times from which on events of a CPU are lost."""
    for event in lines(evtlog, log, "dump", "--json"):
        if event["event"] == "gap" and event["lost"]:
            yield round(event["since"] * 1e9)
