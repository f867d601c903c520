# SPDX-License-Identifier: GPL-2.0-or-later
"""passes.py - the sampler's passes in a log, as `evtlog dump --json` prints their records; read
naively, for tests of what is made of them."""
import json
import subprocess
import sys


def lines(evtlog, log, *command):
    """Objects of a command that prints one a line"""
    done = subprocess.run([evtlog, *command, log], stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"evtlog {command[0]} exits {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


class Pass:
    """cpus: runnable tasks of each but the sampler; tasks: payloads by pid, of those that live"""

    def __init__(self):
        self.cpus, self.tasks, self.records = {}, {}, 0
        self.time_ns, self.sampler, self.told, self.whole = 0, None, None, False


def passes(evtlog, log):
    """One after another; those that are not whole, too"""
    at = Pass()
    for event in lines(evtlog, log, "dump", "--json"):
        fields = event.get("fields") or {}
        if event["event"] != "event" or "payload" not in fields:
            continue
        payload = fields["payload"]
        if fields["id_name"] == "sampler_cpu":
            at.cpus[payload["cpu"]] = payload["nr_running"]
        elif fields["id_name"] == "sampler_task":
            at.records += 1
            # The sampler sees itself run.
            if payload["state"] not in "XZ" and (payload["state"], payload["cpu"]) != ("R", event["cpu"]):
                at.tasks[payload["pid"]] = payload
        elif fields["id_name"] == "sampler_pass":
            at.time_ns, at.sampler, at.told = round(event["time"] * 1e9), event["cpu"], payload
            at.cpus[at.sampler] -= 1
            at.whole = not payload["lost"] and \
                (at.records, len(at.cpus)) == (payload["tasks"], payload["cpus"])
            yield at
            at = Pass()
