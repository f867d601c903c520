#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""regions.py regions TOLD FILE... - files of programs/regions.c, and its output
regions.py counts FILE PATH=COUNT... - the file has exactly these regions with these counts
regions.py ranks FILE... - MPI processes
regions.py openmp FILE THREADS
regions.py tasks FILE TOLD - programs/tasks.c, and its own counts
regions.py sums FILE - a region's time is the sum of what is in it, and all ends have a begin
regions.py runtime FILE - programs/runtime.c, which calls the library itself
regions.py marks FILE - programs/edges.c, with regions since a mark
regions.py live FILE... - a thread that began regions at the same time: programs/edges.c
"""
import collections
import re
import sys
import urllib.parse

from claims import expect, finish
from profile_text import lines

WAITS = ("runqueue", "preempted", "interruptible", "uninterruptible", "io", "stopped", "waiting")


def read(path):
    """Returns the header and [(tid, comm, {path of regions: row})]; a row has its groups.

    Checks that no line is repeated and no number is below 0."""
    head, tasks, paths = {}, [], set()
    for line in lines(path):
        word = line.split()
        if line.startswith("task "):
            rows, paths = {}, set()
            tasks.append((int(word[1]), " ".join(word[7:]), rows))
        elif line.startswith("  "):
            events = word[0].split(">")
            count, inclusive, exclusive = map(int, word[1:4])
            expect(f"{path}: {line}", max(map(int, word[1:])) < 1 << 62 and word[0] not in paths)
            paths.add(word[0])
            names = tuple(urllib.parse.unquote(event[7:]) for event in events[1:]
                          if event.startswith("region:"))
            row = rows.setdefault(names, {"count": 0, "inclusive": 0, "groups": {}})
            if events[-1].startswith("group:"):
                row["groups"][events[-1][6:]] = (count, exclusive)
            else:
                row["count"] += count
                row["inclusive"] += inclusive
                row["groups"]["user"] = (0, exclusive + row["groups"].get("user", (0, 0))[1])
        else:
            head[word[0]] = word[1]
    return head, tasks


def own(row):
    return sum(ticks for _, ticks in row["groups"].values())


def check_sums(file, rows):
    """A region's time is the sum of all times within it, to the tick."""
    for names, row in rows.items():
        if not names:
            continue
        within = sum(own(other) for at, other in rows.items() if at[:len(names)] == names)
        expect(f"{file}: {'/'.join(names)[:60]}: {row['inclusive']} ticks, {within} in it",
               row["inclusive"] == within)
        expect(f"{file}: {names[-1]} without a call", row["count"] > 0)


def group(row, *names):
    counts = [row["groups"].get(name, (0, 0)) for name in names]
    return sum(each[0] for each in counts), sum(each[1] for each in counts)


def check_regions(told, files):
    lasted = {}
    for line in open(told):
        pid, name, ticks, slept = line.split()
        lasted[int(pid)] = (name, int(ticks), int(slept))
    for file in files:
        head, tasks = read(file)
        hz, kernel = int(head["ticks_hz"]), head["kernel"] == "yes"
        pid = int(file.rpartition(".")[2])
        for _, _, rows in tasks:
            check_sums(file, rows)
        rows = next(rows for tid, _, rows in tasks if tid == pid)
        name, ticks, slept = lasted[pid]
        seen = rows[("main",) if name == "main" else ("main", "child")]["inclusive"]
        print(f"{name}: {seen} ticks, the program counts {ticks}")
        expect(f"{name}: {seen} ticks, {ticks}", ticks * .8 - 100000 < seen <= ticks)
        if name == "child":
            expect("the child's regions", {path for path in rows if path} ==
                   {("main",), ("main", "child"), ("main", "child", "calls")})
            calls, often = rows[("main", "child", "calls")], 7
            expect("the child's calls", calls["count"] == 1)
        else:
            counts = {path: row["count"] for path, row in rows.items() if path and "deep" not in path}
            expect(f"counts: {counts}", counts == {
                ("main",): 2, ("main", "calls"): 10, ("main", "sleeps"): 5, ("main", "handler"): 1,
                ("main", "outer"): 1, ("main", "outer", "left open"): 1,
                ("main", "outer", "left open", "left open too"): 1,
                ("main", 'built at run time > "%"'): 2, ("open at exit",): 1})
            depth = sum(path[-1:] == ("deep",) for path in rows)
            expect(f"{depth} deep, {head['regions_missed']} missed",
                   depth + int(head["regions_missed"]) == 300 and depth == 255)
            workers = [rows for tid, comm, rows in tasks if tid != pid and comm == "worker"]
            expect(f"{len(workers)} workers", len(workers) == 3 and len(tasks) == 4)
            for worker in workers:
                expect("a worker's counts", {path: row["count"] for path, row in worker.items() if path}
                       == {("work",): 4, ("work", "calls"): 4})
                if kernel:
                    calls = group(worker[("work", "calls")], "syscall")
                    expect(f"a worker's calls: {calls}", calls[0] == 40)
            sleeps = rows[("main", "sleeps")]
            expect("sleeps are 25 ms", sleeps["inclusive"] >= .025 * hz)
            if kernel:
                blocked = group(sleeps, "interruptible")
                print(f"sleeps: blocked {blocked[0]} times, {blocked[1] / hz * 1e3:.2f} ms, "
                      f"{group(sleeps, 'syscall')[0]} system calls, of {sleeps['inclusive'] / hz * 1e3:.2f} ms")
                expect(f"sleeps: {blocked}, of {slept}",
                       blocked[0] == slept and blocked[1] <= sleeps["inclusive"])
                expect("sleeps: 5 system calls", group(sleeps, "syscall")[0] == 5)
            calls, often = rows[("main", "calls")], 1000
        if kernel:
            entered = group(calls, "syscall")
            print(f"calls: {entered[0]} system calls, user {group(calls, 'user')[1]}, kernel "
                  f"{own(calls) - group(calls, 'user', *WAITS)[1]}, of {calls['inclusive']} ticks")
            expect(f"{entered[0]} system calls of {often}", entered[0] == often and entered[1] > 0)


def check_counts(file, wanted):
    _, tasks = read(file)
    expect(f"{len(tasks)} tasks", len(tasks) == 1)
    check_sums(file, tasks[0][2])
    counts = {"/".join(path): row["count"] for path, row in tasks[0][2].items() if path}
    wanted = {name: int(count) for name, _, count in (each.rpartition("=") for each in wanted)}
    expect(f"{counts} not {wanted}", counts == wanted)


def check_ranks(files):
    ranks = {}
    for file in files:
        head, tasks = read(file)
        for _, _, rows in tasks:
            check_sums(file, rows)
        pid = int(file.rpartition(".")[2])
        ranks[int(head["rank"])] = next(rows for tid, _, rows in tasks if tid == pid)
    expect(f"ranks {sorted(ranks)}", sorted(ranks) == list(range(len(files))))
    for rank, rows in ranks.items():
        counts = {path[-1]: row["count"] for path, row in rows.items() if path}
        wanted = {"MPI_Init": 1, "MPI_Finalize": 1, "step": 20, "MPI_Allreduce": 20, "MPI_Barrier": 3,
                  "MPI_Bcast": 2, "MPI_Reduce": 2, "MPI_Alltoall": 1, "MPI_Isend": 5, "MPI_Irecv": 5,
                  "MPI_Waitall": 5, "MPI_Sendrecv": 4, "MPI_Send": 3 if rank == 0 else 0,
                  "MPI_Recv": 3 if rank == 1 else 0}
        expect(f"rank {rank}: {counts}", counts == {name: n for name, n in wanted.items() if n})
        expect(f"rank {rank}: a reduction is of its step", ("step", "MPI_Allreduce") in rows)
    late = ranks[1][("MPI_Recv",)]
    print(f"rank 1 waits {late['inclusive']} ticks in MPI_Recv: {late['groups']}")


def check_openmp(file, threads):
    _, tasks = read(file)
    expect(f"{len(tasks)} threads", len(tasks) == threads)
    for tid, _, rows in tasks:
        check_sums(file, rows)
        count = {path: row["count"] for path, row in rows.items() if path}
        wanted = {("OpenMP parallel",): 5, ("OpenMP parallel", "OpenMP loop"): 5,
                  ("OpenMP parallel", "own"): 5, ("OpenMP parallel", "OpenMP barrier"): 5}
        for path, often in wanted.items():
            expect(f"{tid}: {path}: {count.get(path)} of {often}", count.get(path) == often)
        expect(f"{tid}: waits for critical", any(path[-1] == "OpenMP wait for critical" and often == 5
                                                 for path, often in count.items()))


def has_all_begins(file):
    return not re.search(r"(?m)^task( \d+){4} [1-9]", open(file).read())


def check_only_sums(file):
    for _, _, rows in read(file)[1]:
        check_sums(file, rows)
    expect("ends without a begin: none", has_all_begins(file))


def check_tasks(file, told):
    """Each line of TOLD: a count and a region's name, over all threads and places"""
    head, tasks = read(file)
    expect("none is missed", head["regions_missed"] == "0")
    counts, blocked = collections.Counter(), collections.Counter()
    for tid, comm, rows in tasks:
        check_sums(file, rows)
        for path, row in rows.items():
            if path:
                counts[path[-1]] += row["count"]
                blocked[path[-1].startswith("OpenMP wait ")] += group(row, "interruptible")[1]
        names = {path[-1] for path in rows if path}
        expect(f"{tid}: in nothing any more", tid != min(task[0] for task in tasks) or ("last",) in rows)
        expect(f"{tid} {comm}: a worker's name", comm in ("tasks", "throws") or re.fullmatch(r"OMP worker \d+", comm))
        expect(f"{tid}: a task's own region is in it",
               all(path[-2:-1] == ("OpenMP task",) for path in rows if path[-1:] == ("in a task",)))
        for wait in ("barrier", "implicit barrier", "taskwait", "taskgroup"):
            expect(f"{tid}: waits of a {wait} are in it", all(
                path[-2:-1] == (f"OpenMP {wait}",) for path in rows if path[-1:] == (f"OpenMP wait in {wait}",)))
        print(f"{tid} {comm}: {len(rows)} places, {len(names)} names")
    if head["kernel"] == "yes":
        # The runtime blocks, too: it starts and ends its threads.
        print(f"blocked: {blocked[True]} ticks in waits, {blocked[False]} in other regions")
        expect(f"blocked in waits: {blocked}", blocked[True] > 4 * blocked[False])
    expect("names of threads differ", len({comm for _, comm, _ in tasks}) == len(tasks))
    expect("ends without a begin: none", has_all_begins(file))
    wanted = {}
    for line in open(told):
        often, _, name = line.rstrip("\n").partition(" ")
        wanted[name] = int(often)
    for name in sorted(set(wanted) | set(counts)):
        expect(f"{name}: {counts[name]} of {wanted.get(name, 0)}", counts[name] == wanted.get(name, 0))


def check_runtime(file):
    _, tasks = read(file)
    task = "OpenMP task"
    wanted = {
        "OMP worker 1": {(): 0, ("OpenMP parallel",): 1, ("OpenMP parallel", task): 1,
                         ("OpenMP parallel", task, "second part"): 1, ("OpenMP parallel", "behind it"): 1,
                         ("after all",): 1},
        "runtime": {(): 0, (task,): 3, (task, "a"): 1, (task, "b"): 2, (task, task): 1, (task, task, task): 1,
                    (task, task, "in c"): 2, (task, "first part"): 1, ("outside",): 3,
                    ("OpenMP scope",): 1, ("OpenMP sections",): 1, ("OpenMP loop static",): 1,
                    ("OpenMP loop dynamic",): 1, ("OpenMP loop guided",): 1,
                    ("OpenMP loop of another schedule",): 1, ("OpenMP target",): 1, ("OpenMP target data",): 1,
                    ("OpenMP wait for lock",): 1, ("OpenMP wait for nested lock",): 1,
                    ("OpenMP reduction",): 1}}
    expect("two threads", sorted(comm for _, comm, _ in tasks) == sorted(wanted))
    for _, comm, rows in tasks:
        check_sums(file, rows)
        counts = {path: row["count"] for path, row in rows.items()}
        for path in sorted(set(counts) | set(wanted[comm])):
            expect(f"{comm}: {path}: {counts.get(path)} of {wanted[comm].get(path)}",
                   counts.get(path) == wanted[comm].get(path))


def check_marks(file):
    head, tasks = read(file)
    expect(f"names {[comm for _, comm, _ in tasks]}",
           [comm for _, comm, _ in tasks] == ["another name th", "edges"])
    for (_, comm, rows), wanted in zip(tasks, ({("waited",): 4},
                                              {("main",): 1, ("main", "waited"): 3, ("main", "other"): 1})):
        check_sums(file, rows)
        expect(f"{comm}: {rows}", {path: row["count"] for path, row in rows.items() if path} == wanted)
        waited = next(row for path, row in rows.items() if path[-1:] == ("waited",))
        expect(f"{comm}: {waited}", waited["inclusive"] >= .001 * int(head["ticks_hz"]) * waited["count"])


def check_live(files):
    before = {}
    for file in files:
        _, tasks = read(file)
        rows = {path: row["count"] for path, row in tasks[-1][2].items() if path}
        names = {path[0] for path in rows}
        expect(f"{file}: {len(names)} names", names == {f"r{i}" for i in range(300)})
        for path, count in before.items():
            expect(f"{file}: {path}: {rows.get(path)} after {count}", rows.get(path, 0) >= count - 1)
        before = rows


def main():
    if sys.argv[1] == "regions":
        check_regions(sys.argv[2], sys.argv[3:])
    elif sys.argv[1] == "counts":
        check_counts(sys.argv[2], sys.argv[3:])
    elif sys.argv[1] == "ranks":
        check_ranks(sys.argv[2:])
    elif sys.argv[1] == "live":
        check_live(sys.argv[2:])
    elif sys.argv[1] == "tasks":
        check_tasks(*sys.argv[2:])
    elif sys.argv[1] == "sums":
        check_only_sums(sys.argv[2])
    elif sys.argv[1] == "runtime":
        check_runtime(sys.argv[2])
    elif sys.argv[1] == "marks":
        check_marks(sys.argv[2])
    else:
        check_openmp(sys.argv[2], int(sys.argv[3]))
    finish()


main()
