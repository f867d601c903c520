#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""dask_sums.py LIBRARY LOG STAT [LOG STAT]... - Dask's sums of tables are those of `evtlog stat`

Four workers of Dask read the tables by the Arrow stream. Prints a line per difference.
"""
import json
import os
import sys

import dask.dataframe
import distributed
import pandas

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools/lib/examples"))
from frames import frames  # noqa: E402

LIBRARY = sys.argv[1]
LOGS = sys.argv[2::2]
STATS = sys.argv[3::2]
TABLES = {"sched_slice": ["cpu", "utid", "dur", "end_state"], "irq_slice": ["cpu", "utid", "dur", "depth"],
          "softirq_slice": ["cpu", "utid", "dur", "depth"], "vector_slice": ["cpu", "utid", "dur", "depth"],
          "wakeup": ["cpu", "utid"], "wakeup_new": ["cpu", "utid"], "sched_migrate": ["cpu", "utid"]}
differences = 0


def load(number, log, table):
    """Runs in a worker."""
    rows = pandas.concat([batch[TABLES[table]] for batch in frames(log, table, number << 32 | 1, LIBRARY)]
                         or [pandas.DataFrame(columns=TABLES[table])], ignore_index=True)
    for name in rows:
        rows[name] = rows[name].astype("object" if name == "end_state" else "float64")
    return rows.assign(log=number, worker=os.getpid())


def same(what, got, wanted):
    global differences
    if got != wanted:
        print(f"{what}: {got} of the tables, {wanted} of stat")
        differences += 1


def tables(client):
    workers = list(client.scheduler_info()["workers"])
    shape = {name: "object" if name == "end_state" else "float64" for name in sum(TABLES.values(), [])}
    for table, names in TABLES.items():
        meta = pandas.DataFrame({name: pandas.Series(dtype=shape[name]) for name in names}
                                | {"log": pandas.Series(dtype="int64"), "worker": pandas.Series(dtype="int64")})
        parts = [client.submit(load, number, log, table, workers=workers[number % len(workers)])
                 for number, log in enumerate(LOGS)]
        yield dask.dataframe.from_delayed(parts, meta=meta)


def sums(client):
    slices, irqs, softirqs, vectors, wakeups, first_wakeups, moves = tables(client)
    interrupts = dask.dataframe.concat([irqs, softirqs, vectors])
    interrupts = interrupts[interrupts.depth == 0]
    keys = ["log", "cpu"]
    return dask.compute(
        slices.groupby(keys).end_state.count(), slices[slices.utid != 0].groupby(keys).dur.sum(),
        slices[slices.utid == 0].groupby(keys).dur.sum(), interrupts.groupby(keys).dur.sum(),
        interrupts[interrupts.utid != 0].groupby(keys).dur.sum(),
        interrupts[interrupts.utid == 0].groupby(keys).dur.sum(),
        dask.dataframe.concat([wakeups, first_wakeups]).groupby("log").cpu.count(),
        moves.groupby("log").cpu.count(), slices.worker.unique())


def main():
    with distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        switches, ran, idle, off, off_ran, off_idle, woken, moved, workers = sums(client)
    same("workers", len(workers), 4)
    for number, stat in enumerate(STATS):
        with open(stat) as text:
            wanted = json.load(text)
        for cpu in wanted["cpus"]:
            key = (number, cpu["cpu"])
            same(f"log {key}: switches", switches.get(key, 0), cpu["switches"])
            same(f"log {key}: run time", ran.get(key, 0) - off_ran.get(key, 0), cpu["task_ns"] + cpu["logger_ns"])
            same(f"log {key}: idle", idle.get(key, 0) - off_idle.get(key, 0), cpu["idle_ns"])
            same(f"log {key}: interrupts", off.get(key, 0), cpu["softirq_ns"] + cpu["irq_ns"])
        same(f"log {number}: migrations", moved.get(number, 0), wanted["total"]["migrations"])
        same(f"log {number}: wake-ups", woken.get(number, 0), sum(task["wakeups"] for task in wanted["tasks"]))
    print(f"{len(LOGS)} logs, {int(switches.sum())} switches, {len(workers)} workers")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
