#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""outliers.py SEED HOSTS DIR - evtlog diff --outliers finds the odd hosts among many, and no others

Writes partial results, as evtlog stat --partial would, of hosts that differ by chance; a few of them also in one thing.
EVTLOG is the program.
"""
import json
import math
import os
import random
import subprocess
import sys
import zlib

from claims import claim, expect, finish

EVTLOG = os.environ["EVTLOG"]
CPUS, NS = 8, 10_000_000_000
NUMBERS = ("files events events_lost switches migrations task_ns idle_ns logger_ns softirq_ns irq_ns outside_ns "
           "unknown_ns no_tasks no_migrations no_softirqs no_irqs no_others").split()


def partial(host, boot, values):
    def text(key, value):
        return f"{key} {len(value)}\n{value}\n"

    log = (text("log", f"/log/{host}.evl") + text("host", host) + text("boot", f"{boot:032x}") + text("buffer", "") +
           f"run 1\nbegin_ns 1000\nend_ns {1000 + NS}\nlost 0\ndamages 0\nis_cut 0\n" +
           "".join(f"{key} {values.get(key, 0)}\n" for key in NUMBERS) + text("text", "") + text("json", ""))
    body = "evtlog stat partial 1\n" + text("options", "") + "logs 1\n" + log
    return body + f"end {zlib.crc32(body.encode()):08x}\n"


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rand = random.Random(seed)
    odd = {}
    for number in rand.sample(range(count), 6):
        odd[f"node{number}"] = rand.choice(("switches", "migrations", "task_ns", "softirq_ns", "irq_ns"))
    paths = []
    for number in range(count):
        host = f"node{number}"
        # Loads of one kind of machine differ by a few per cent.
        values = {"files": 1, "events": 1000, "switches": rand.gauss(400_000, 12_000), "migrations": rand.gauss(8000, 400),
                  "task_ns": rand.gauss(0.6, 0.02) * CPUS * NS, "softirq_ns": rand.gauss(0.02, 0.001) * CPUS * NS,
                  "irq_ns": rand.gauss(0.01, 0.0005) * CPUS * NS}
        if host in odd:
            values[odd[host]] *= rand.choice((0.6, 1.5))
        values = {key: int(value) for key, value in values.items()}
        values["idle_ns"] = CPUS * NS - sum(values[key] for key in ("task_ns", "softirq_ns", "irq_ns"))
        paths.append(f"{folder}/{host}.partial")
        with open(paths[-1], "w", encoding="ascii") as file:
            file.write(partial(host, number + 1, values))
    done = subprocess.run([EVTLOG, "diff", "--outliers", "--json", *paths], capture_output=True, text=True)
    expect(f"exit {done.returncode}: {done.stderr}", done.returncode == 5)
    hosts = json.loads(done.stdout)["hosts"]
    names = {"switches": "switches_per_s", "migrations": "migrations_per_s", "task_ns": "task_share",
             "softirq_ns": "softirq_share", "irq_ns": "irq_share"}
    found = {(host["host"], name) for host in hosts for name in host if name != "host" and host[name]["odd"]}
    wanted = {(host, names[what]) for host, what in odd.items()}
    expect(f"found {found - wanted}, not found {wanted - found}", found == wanted)
    # The median and the score of one measure, computed anew
    values = sorted(host["switches_per_s"]["value"] for host in hosts)

    def median(of):
        return (of[(len(of) - 1) // 2] + of[len(of) // 2]) / 2

    middle = median(values)
    deviation = max(1.4826 * median(sorted(abs(value - middle) for value in values)), middle * 0.1 / 6)
    for host in hosts:
        value = host["switches_per_s"]
        expect(f"the score of {host}", math.isclose(value["score"], (value["value"] - middle) / deviation, abs_tol=0.01))
    claim(len(hosts) == count, f"{count} hosts, {len(wanted)} odd values")
    finish()


main()
