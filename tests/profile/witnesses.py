#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""witnesses.py OUT - compares profiles with strace -c, perf trace -s, ftrace's function profile,
/proc/PID/schedstat, getrusage(), /proc/PID/io, /proc/stat and /proc/net/snmp6. Counts and bytes are
equal. Times are within each tool's resolution, in a guest whose ns are instructions, and that
nothing outside delays: perf's time per call is within PERF_US, the time of schedstat and getrusage()
within SWITCH_US per switch to a task, and /proc/stat within TICK_S."""

import json
import re
import sys

from claims import expect, finish
from entries import read
from values import values_of

# Calls that do not return are counted only by strace and perf.
NEVER_RETURN = {"exit", "exit_group"}
# The tasks are in pause() when they are read; perf sees its end. perf also sees the end of clone()
# in the new task.
NOT_WHOLE = {"pause", "clone", "clone3"}
# The C library's locks call futex() as often as the tasks meet, which differs between two runs.
MEETINGS = {"futex"}
PERF_US, SWITCH_US, TICK_S = 20, 20, 0.05
WAITS = ("runqueue", "preempted", "interruptible", "uninterruptible", "io", "stopped")


def numbers_of_calls():
    names = {}
    for line in open("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"):
        match = re.match(r"#define __NR_(\w+) (\d+)", line)
        if match:
            names[int(match[2])] = match[1]
    return names


NAMES = numbers_of_calls()


def without_preemption(paths, name):
    """Ticks of a call itself and of its sleeps"""
    return sum(exclusive for path, _, _, exclusive, _ in paths
               if any(event.startswith("syscall:") and NAMES[int(event[8:])] == name
                      for event in path) and
               (path[-1].startswith("syscall:") or path[-1] in WAITS[2:]))


def calls_of(paths):
    """Returns {name: [count, inclusive ticks]} of (path, count, inclusive)."""
    calls = {}
    for path, count, inclusive in paths:
        if path[-1].startswith("syscall:"):
            of = calls.setdefault(NAMES[int(path[-1][8:])], [0, 0])
            of[0] += count
            of[1] += inclusive
    return {name: of for name, of in calls.items() if of[0]}


def same_counts(who, ours, theirs, but):
    for name in sorted((set(ours) | set(theirs)) - but):
        expect(f"{who}: {name}: profile {ours.get(name, [0])[0]}, witness {theirs.get(name, 0)}",
               ours.get(name, [0])[0] == theirs.get(name, 0))


def strace(out):
    theirs = {}
    for line in open(f"{out}/strace"):
        word = line.split()
        if len(word) in (5, 6) and word[1].replace(".", "").isdigit() and word[-1] != "total":
            theirs[word[-1]] = int(word[3])
    profile = json.load(open(f"{out}/witnessed.json"))
    ours = calls_of([(path["path"].split(">"), path["count"], 0) for path in profile["paths"]])
    print(f"strace -c -f: {sum(theirs.values())} calls of {len(theirs)} kinds")
    expect("strace has the calls", theirs.get("times") == 1800 and theirs.get("getpgid") == 600)
    same_counts("strace", ours, theirs, NEVER_RETURN | MEETINGS)


def perf(out, tasks, hz):
    tables, table, seen, share = {}, None, 0, 0
    for line in open(f"{out}/perf"):
        match = re.match(r" *\S+ \((\d+)\), \d+ events, ([\d.]+)%", line)
        if match:
            table = tables.setdefault(int(match[1]), {})
            share += float(match[2])
        word = line.split()
        if len(word) >= 7 and word[1].isdigit():
            table[word[0]] = (int(word[1]), float(word[3]))
    expect(f"perf trace -s: {share:.1f} % of its events are of tasks", share >= 97)
    greatest = (0, "")
    for pid, task in tasks.items():
        ours, theirs = calls_of(path[:3] for path in task["paths"]), tables.get(pid, {})
        same_counts(f"perf, {pid}", ours, {name: of[0] for name, of in theirs.items()},
                    NEVER_RETURN | NOT_WHOLE)
        for name, (count, ms) in theirs.items():
            if name in NEVER_RETURN | NOT_WHOLE or name not in ours:
                continue
            mine = ours[name][1] / hz * 1e3
            least = without_preemption(task["paths"], name) / hz * 1e3
            seen += count
            # perf's two points are within the profile's. perf prints us.
            expect(f"perf, {pid}: {name}: {mine:.3f} ms, perf {ms}", mine > 0.999 * ms - 0.001)
            # Between them are entry and exit, and preemption on the return to user mode.
            greatest = max(greatest, (1e3 * (least - ms) / count, f"{count} of {name}, {mine:.3f} ms, perf {ms}"))
            expect(f"perf, {pid}: {name}: {least:.3f} to {mine:.3f} ms, perf {ms} of {count} calls",
                   least < ms + PERF_US / 1e3 * count)
    sleeps = [(calls_of(path[:3] for path in task["paths"])["clock_nanosleep"][1] / hz * 1e3,
               tables[pid]["clock_nanosleep"][1]) for pid, task in tasks.items()]
    print(f"perf trace -s: greatest difference {greatest[0]:.3f} us a call: {greatest[1]}")
    print(f"perf trace -s: {seen} calls;",
          ", ".join(f"slept {mine:.3f} ms, perf {ms:.3f}" for mine, ms in sleeps))


def functions(out, tasks):
    hits = {}
    for line in open(f"{out}/functions"):
        word = line.split()
        if line.strip().startswith("__x64_sys_"):
            name = word[0][len("__x64_sys_"):]
            hits[name] = hits.get(name, 0) + int(word[1])
    print("function profile:", hits)
    for name in ("times", "getpgid"):
        ours = sum(calls_of(path[:3] for path in task["paths"])[name][0] for task in tasks.values())
        expect(f"function profile: {name}: {ours}, ftrace {hits.get(name)}", ours == hits.get(name))


def times_run(task):
    """Number of switches to the task: after waits for the CPU and preemptions, and the first"""
    return 1 + sum(path[1] for path in task["paths"] if path[0][-1] in ("runqueue", "preempted"))


def close_to(what, task, ours_ns, theirs_ns):
    """Prints the difference, and expects at most SWITCH_US per switch."""
    runs = times_run(task)
    print(f"{what}: ran {ours_ns / 1e6:.3f} ms, witness {theirs_ns / 1e6:.3f}: {abs(ours_ns - theirs_ns) / 1e3:.3f} us"
          f" in {runs} runs")
    expect(f"{what}: ran {ours_ns:.0f} ns, witness {theirs_ns}",
           abs(ours_ns - theirs_ns) < SWITCH_US * 1e3 * runs)


def getrusage(tasks, ready, hz):
    for pid, task in tasks.items():
        ran_us, switches = ready[pid]
        ours = sum(path[3] for path in task["paths"] if path[0][-1] not in WAITS) / hz * 1e9
        blocked = sum(path[1] for path in task["paths"] if path[0][-1] in WAITS[2:])
        close_to(f"getrusage {pid}", task, ours, ran_us * 1e3)
        expect(f"getrusage {pid}: {switches} voluntary switches, profile {blocked}", switches == blocked)


def schedstat(out, tasks, hz):
    for line in open(f"{out}/schedstat"):
        pid = int(line.split("/")[4])
        run_ns, wait_ns, _ = map(int, line.split(":")[1].split())
        ours = sum(path[3] for path in tasks[pid]["paths"] if path[0][-1] not in WAITS) / hz * 1e9
        # Work at a switch is charged to one task here, and to the other there.
        close_to(f"schedstat {pid}", tasks[pid], ours, run_ns)


def proc_stat(out, cpus, hz):
    def read(name):
        return {int(line.split()[0][3:]): list(map(int, line.split()[1:]))
                for line in open(f"{out}/{name}") if re.match(r"cpu\d", line)}

    begin, end = read("stat.begin"), read("stat.end")
    for number, cpu in cpus.items():
        stat = [(b - a) / 100 for a, b in zip(begin[number], end[number])]
        idle = sum(path[3] for path in cpu["paths"] if path[0][-1] == "idle") / hz
        user = sum(path[3] for path in cpu["paths"] if path[0][-1] == "user") / hz
        seconds = (cpu["until"] - cpu["begin"]) / hz
        print(f"/proc/stat, cpu {number}: of {seconds:.2f} s idle {idle:.2f}, stat "
              f"{stat[3] + stat[4]:.2f}; user {user:.2f}, stat {stat[0] + stat[1]:.2f}")
        # /proc/stat counts ticks of 10 ms by the mode at the tick.
        missing = max(0, seconds - sum(stat[:8]))
        for what, ours, theirs in (("idle", idle, stat[3] + stat[4]),
                                   ("user", user, stat[0] + stat[1])):
            expect(f"cpu {number}: {what}, {missing:.2f} s without a tick",
                   theirs - TICK_S < ours < theirs + missing + TICK_S)


def lines_of(path, first):
    return {word[1]: list(map(int, word[2:])) for word in map(str.split, open(path)) if word[0] == first}


def thread_of(path):
    """Returns the values, and the count of each span."""
    spans = {}
    for line in open(path):
        word = line.split()
        if line.startswith("  ") and word[0] != "value":
            name = word[0].split(">")[-1]
            spans[name] = spans.get(name, 0) + int(word[1])
    return values_of(path, ("task",)), spans


def proc_io(out):
    io = {name: number for name, (number,) in lines_of(f"{out}/io", "io").items()}
    values, spans = thread_of(f"{out}/io")
    # It is read before its own reading is counted. sendfile() is a read and a write without a span.
    ours = {
        "rchar": values["vfs_read"][1] - io["self"],
        "wchar": values["vfs_written"][1],
        "syscr": spans["block:vfs_read"] + spans["block:vfs_readv"] - 1 + 1,
        "syscw": spans["block:vfs_write"] + spans["block:vfs_writev"] - 1 + 1,
        "read_bytes": values.get("bio_read", [0, 0])[1],
        # counts pages when they become dirty; here each page is written once
        "write_bytes": values["bio_written"][1],
    }
    for name, number in ours.items():
        print(f"/proc/PID/io: {name} {io[name]}, profile {number}")
        expect(f"/proc/PID/io: {name} {io[name]}, profile {number}", io[name] == number)
    expect("bytes were read and written", min(io["rchar"], io["wchar"], io["write_bytes"]) > 10000)


def ipv6(out):
    told, calls = lines_of(f"{out}/ipv6", "told"), lines_of(f"{out}/ipv6", "calls")
    values, spans = thread_of(f"{out}/ipv6")
    for name in ("sock_sent", "sock_received"):
        expect(f"IPv6: {name}: {values.get(name)}, the thread says {told[name]}",
               values.get(name) == told[name])
    for name, (count,) in calls.items():
        if name.startswith("net:"):
            expect(f"IPv6: {name}: {spans.get(name)} times, the thread says {count}",
                   spans.get(name) == count > 0)
    # With an IPv4 address, IPv6's function calls IPv4's.
    mapped, spans = lines_of(f"{out}/mapped", "calls"), thread_of(f"{out}/mapped")[1]
    for name, (count,) in mapped.items():
        if name.startswith("net:"):
            expect(f"IPv4 by IPv6's sockets: {name}: {spans.get(name)} times, the thread says {count}",
                   spans.get(name) == count > 0)
    cpus, of_cpus = values_of(f"{out}/ipv6.all", ("cpu",)), {}
    of = None
    for line in open(f"{out}/ipv6.all"):
        word = line.split()
        of = word[0] if not line.startswith(" ") else of
        if of == "cpu" and line.startswith("  ") and word[0] != "value":
            of_cpus[word[0]] = of_cpus.get(word[0], 0) + int(word[1])
    expect(f"IPv6: udp_queue: {cpus.get('udp_queue')}, the thread says {told['udp_queue']}",
           cpus.get("udp_queue") == told["udp_queue"])
    # One span per datagram, and per segment
    expect(f"IPv6: udp_rcv: {of_cpus.get('net:udp_rcv')}",
           of_cpus.get("net:udp_rcv") == calls["net:udp_sendmsg"][0])
    before, after = ({word[0]: int(word[1]) for word in map(str.split, open(f"{out}/snmp6.{when}"))}
                     for when in ("before", "after"))
    for value, packets, octets in (("ip_sent", "Ip6OutRequests", "Ip6OutOctets"),
                                   ("ip_received", "Ip6InReceives", "Ip6InOctets")):
        counted = [after[name] - before[name] for name in (packets, octets)]
        print(f"IPv6: {value}: {counted[0]} packets, {counted[1]} bytes by /proc/net/snmp6")
        expect(f"IPv6: {value}: {cpus.get(value)}", cpus.get(value, [])[:2] == counted)
    expect(f"IPv6: tcp_rcv: {of_cpus.get('net:tcp_rcv')} of {counted[0]} packets",
           of_cpus.get("net:tcp_rcv", 0) + of_cpus.get("net:udp_rcv", 0) == counted[0])


def main():
    out = sys.argv[1]
    hz = int(open(f"{out}/hz").read().split()[1])
    cpus, all_tasks = read(f"{out}/witnessed")
    for entry in (*cpus.values(), *all_tasks.values()):
        entry["paths"] = [(path, *sums) for path, sums in entry["paths"].items()]
    ready = {numbers[0]: numbers[1:] for numbers in
             (list(map(int, line.split())) for line in open(f"{out}/ready"))}
    expect("four tasks", len(ready) == 4)
    tasks = {pid: task for (pid, _), task in all_tasks.items() if pid in ready}
    strace(out)
    perf(out, tasks, hz)
    functions(out, tasks)
    schedstat(out, tasks, hz)
    getrusage(tasks, ready, hz)
    proc_stat(out, cpus, hz)
    proc_io(out)
    ipv6(out)
    finish()


main()
