#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""chains.py SEED COUNT DIR - evtlog why --path finds random chains of waits over two hosts

Writes logs of COUNT chains: a task is blocked until others have worked for it: tasks that it wakes or creates, and
tasks and softirqs of the other host, which packets reach and leave. They run, are preempted, sleep, wait for CPUs, and
ask others. The pieces of each path are known by construction, by one true time. The hosts' clocks differ in offset
and rate, so that the path is known only up to the errors that it states. EVTLOG is the program, BUILD its folder.
"""
import collections
import decimal
import json
import os
import random
import subprocess
import sys

from claims import check, expect, fail, finish

EVTLOG, BUILD = os.environ["EVTLOG"], os.environ["BUILD"]
HOSTS = ("n1", "n2")
TASK_CPUS, NET_CPUS, PING_CPU = range(0, 4), range(4, 6), 6
CPUS = 7
PREEMPTED, SLEEPS, DISK, ZOMBIE = 9, 1, 2, 6
STATE_SHIFT = 22
NET_RX, TIMER = 3, 1
ECHO, REPLY = 8, 0
WINDOW = 20_000_000             # of a chain, in ns
BEGIN = (1_000_000, 2_000_000)  # of each host's log
# At a true time t a host's clock has t + offset + t * rate
OFFSET, RATE = (0, 700_000), (0, 3e-6)
BOOT_TICKS = 5_000_000_000      # of loggen

Piece = collections.namedtuple("Piece", "kind host who begin end")


class Chain:
    """One chain: its records, and the pieces of its path"""

    def __init__(self, world, number, begin):
        self.world, self.random = world, world.random
        self.number, self.setup = number, begin
        self.begin = begin + 1_000_000
        self.free = collections.defaultdict(lambda: self.begin)
        self.budget = self.random.randint(2, 12)
        self.kinds = collections.Counter()

    def put(self, host, cpu, time, kind, data, *words):
        self.world.records[host].append((time, next(self.world.order), kind, cpu, data, words))

    def switch(self, host, cpu, time, pid, state):
        self.put(host, cpu, time, "sched_switch", pid | state << STATE_SHIFT)

    def gap(self, low, high):
        return self.random.randint(low, high)

    def new_task(self, host, seen=True):
        """A task, as (host, pid, cpu). If @seen, it runs before the chain begins, and is blocked then."""
        pid = next(self.world.pids)
        cpu = self.random.choice(TASK_CPUS)
        if seen:
            self.switch(host, cpu, self.setup, pid, 0)
            self.switch(host, cpu, self.setup + 400, 0, self.random.choice((SLEEPS, DISK)))
            self.setup += 1000
            check(self.setup < self.begin, "too many tasks")
        return host, pid, cpu

    def start(self, task, woken):
        """A task that is ready since @woken gets its CPU: returns when"""
        host, pid, cpu = task
        free = self.free[host, cpu]
        at = max(woken, free) + self.gap(300, 4000)
        if free < woken and self.gap(0, 2) == 0:
            # Another task has the CPU; it is preempted later.
            hog = next(self.world.pids)
            self.switch(host, cpu, self.gap(free + 1, woken), hog, 0)
            at += self.gap(1000, 400_000)
            self.switch(host, cpu, at, pid, PREEMPTED)
        else:
            self.switch(host, cpu, at, pid, 0)
        # While it runs nothing else can: stop() shows until when.
        self.free[host, cpu] = None
        return at

    def stop(self, task, time, state=SLEEPS):
        host, _, cpu = task
        check(self.free[host, cpu] is None, "the task does not run")
        self.switch(host, cpu, time, 0, state)
        self.free[host, cpu] = time

    def other(self, host, seen=True):
        """A task that can work for others: its CPU is not that of a task that runs"""
        task = self.new_task(host, seen)
        while self.free[host, task[2]] is None:
            task = self.new_task(host, seen)
        return task

    # ---- Contexts that wake ----

    def interrupt(self, host, at, effect, softirq):
        """An interrupt whose handler calls effect(cpu, time) at @at or later; returns its begin and that time"""
        cpu = self.random.choice(NET_CPUS)
        begin = max(at - self.gap(200, 3000), self.free[host, cpu] + 10)
        at = max(at, begin + 200)
        nested = softirq is not None and self.gap(0, 2) == 0
        if softirq is None:
            self.put(host, cpu, begin, "local_timer_entry", 236)
        else:
            self.put(host, cpu, begin, "softirq_entry", softirq)
        if nested:
            self.put(host, cpu, begin + 50, "irq_handler_entry", 28)
            self.put(host, cpu, begin + 90, "irq_handler_exit", 28)
        done = effect(cpu, at)
        end = done + self.gap(100, 5000)
        if softirq is None:
            self.put(host, cpu, end, "local_timer_exit", 236)
        else:
            self.put(host, cpu, end, "softirq_exit", softirq)
        self.free[host, cpu] = end
        return begin, done

    def icmp(self, sent, host, cpu, time, kind, number, arrival=0):
        local, peer = 10 | (1 + host) << 24, 10 | (2 - host) << 24
        words = [7 | number << 16 | peer << 32, local | 64 << 32]
        if sent:
            self.put(host, cpu, time, "icmp_tx", kind, *words, 0)
        else:
            self.put(host, cpu, time, "icmp_rx", kind, *words, arrival and self.world.ticks(host, arrival), 0)

    def packet(self, host, cpu, sent, kind, effect):
        """Sends a packet to the other host, whose softirq calls effect(cpu, time). Returns pieces and the time."""
        number = next(self.world.packets) & 0xffff
        self.kinds["packet"] += 1
        self.icmp(True, host, cpu, sent, kind, number)
        arrived = []

        def receive(net_cpu, at):
            arrived.append(at)
            # As for raw sockets, the softirq may wake the task before it records the packet.
            late = self.gap(0, 1) == 0
            if not late:
                self.icmp(False, 1 - host, net_cpu, at, kind, number)
            done = effect(net_cpu, at + self.gap(300, 9000))
            if late:
                self.icmp(False, 1 - host, net_cpu, done + 50, kind, number, at)
            return done

        _, done = self.interrupt(1 - host, sent + self.gap(5_000, 60_000), receive, NET_RX)
        return [Piece("packet", 1 - host, None, sent, arrived[0]),
                Piece("interrupt", 1 - host, ("softirq", NET_RX), arrived[0], done)], done

    def wake(self, task, cpu, time):
        self.put(task[0], cpu, time, "sched_waking", task[1])
        return time

    # ---- Work ----

    def work(self, task, time):
        """The task runs from @time on. Returns the pieces up to when it is done, and this time; it still runs then."""
        host, pid, cpu = task
        pieces = []
        since = time
        for _ in range(self.gap(0, 3)):
            time += self.gap(500, 150_000)
            step = self.random.choice(("preempt", "sleep", "call", "call", "call"))
            if step != "preempt" and self.budget <= 0:
                continue
            self.kinds[step] += 1
            if step == "preempt":
                pieces.append(Piece("run", host, pid, since, time))
                self.switch(host, cpu, time, next(self.world.pids), PREEMPTED)
                since = time + self.gap(1000, 100_000)
                self.switch(host, cpu, since, pid, PREEMPTED if self.gap(0, 1) else SLEEPS)
                pieces.append(Piece("ready", host, pid, time, since))
            else:
                self.budget -= 1
                more, since = self.sleep(task, since, time) if step == "sleep" else self.call(task, since, time)
                pieces += more
            time = since
        time += self.gap(500, 200_000)
        pieces.append(Piece("run", host, pid, since, time))
        return pieces, time

    def sleep(self, task, since, time):
        host, pid, cpu = task
        self.stop(task, time, SLEEPS)
        softirq = self.random.choice((None, TIMER))
        begin, woken = self.interrupt(host, time + self.gap(5_000, 300_000),
                                      lambda at_cpu, at: self.wake(task, at_cpu, at), softirq)
        runs = self.start(task, woken)
        who = ("vector", 236) if softirq is None else ("softirq", TIMER)
        return [Piece("run", host, pid, since, time), Piece("blocked", host, pid, time, begin),
                Piece("interrupt", host, who, begin, woken), Piece("ready", host, pid, woken, runs)], runs

    def call(self, task, since, time):
        """The task asks another one at @time, and is blocked until it has its answer. Returns pieces, and when it runs"""
        host, pid, cpu = task
        blocks = time + self.gap(200, 30_000)
        ask = self.random.choice(("wake", "wake", "create", "send", "send", "echo"))
        # No task starts on this CPU before: its own task is still there.
        self.stop(task, blocks, self.random.choice((SLEEPS, DISK)))
        self.kinds[ask] += 1
        if ask == "wake":
            server = self.other(host)
            more, woken = self.serve(server, self.wake(server, cpu, time), task)
        elif ask == "create":
            server = self.other(host, False)
            self.put(host, cpu, time, "sched_process_fork", server[1], pid | server[1] << 32, time, 0x6b, 0)
            self.put(host, cpu, time + 100, "sched_wakeup_new", server[1], server[2] | 120 << 32)
            more, woken = self.serve(server, time + 100, task)
            time += 100
        elif ask == "send":
            server = self.other(1 - host)
            way, woken = self.packet(host, cpu, time, ECHO, lambda at_cpu, at: self.wake(server, at_cpu, at))
            more, woken = self.serve(server, woken, task)
            more = way + more
        else:
            answer = []

            def reply(at_cpu, at):
                answer.extend(self.packet(1 - host, at_cpu, at, REPLY, lambda c, t: self.wake(task, c, t)))
                return at

            more, _ = self.packet(host, cpu, time, ECHO, reply)
            more, woken = more + answer[0], answer[1]
        # An answer that comes before the task is blocked: it is woken only then, so wait for longer.
        if woken <= blocks:
            return self.late(task, since, blocks, woken)
        runs = self.start(task, woken)
        pieces = [Piece("run", host, pid, since, blocks)]
        pieces += [piece._replace(begin=max(piece.begin, blocks)) for piece in more if piece.end > blocks]
        pieces.append(Piece("ready", host, pid, woken, runs))
        return pieces, runs

    def late(self, task, since, blocks, woken):
        """The answer was there before the task was blocked: a timer wakes it"""
        host, pid, _ = task
        begin, woken = self.interrupt(host, blocks + self.gap(5_000, 50_000),
                                      lambda at_cpu, at: self.wake(task, at_cpu, at), TIMER)
        runs = self.start(task, woken)
        return [Piece("run", host, pid, since, blocks), Piece("blocked", host, pid, blocks, begin),
                Piece("interrupt", host, ("softirq", TIMER), begin, woken), Piece("ready", host, pid, woken, runs)], runs

    def serve(self, task, woken, client):
        """A task works for @client, or has another one do the rest, and wakes the client"""
        host, pid, cpu = task
        runs = self.start(task, woken)
        pieces, time = self.work(task, runs)
        pieces.insert(0, Piece("ready", host, pid, woken, runs))
        ends = time + self.gap(200, 20_000)
        if self.budget > 0 and self.gap(0, 2) == 0:
            self.budget -= 1
            self.kinds["hand on"] += 1
            self.stop(task, ends)
            next_task = self.other(host)
            more, time = self.serve(next_task, self.wake(next_task, cpu, time), client)
            return pieces + more, time
        if self.gap(0, 4) == 0 and host == client[0]:
            self.kinds["exit"] += 1
            self.wake(client, cpu, time)
            self.put(host, cpu, time + 20, "sched_process_exit", pid, pid)
            self.stop(task, ends, ZOMBIE)
            return pieces, time
        self.stop(task, ends)
        if host == client[0]:
            return pieces, self.wake(client, cpu, time)
        more, time = self.packet(host, cpu, time, ECHO, lambda at_cpu, at: self.wake(client, at_cpu, at))
        return pieces + more, time

    def make(self):
        self.budget += 1
        task = self.new_task(self.gap(0, 1))
        self.host, self.pid, cpu = task
        begin = self.start(task, self.begin)
        # The first start is no part of the path: who woke the task is not in the log.
        pieces, end = self.call(task, begin, begin + self.gap(1000, 20_000))
        self.stop(task, end + 5000)
        check(end + 10_000 < self.setup - 1_000_000 + WINDOW, "the chain is too long")
        self.pieces = [piece for piece in pieces[1:] if piece.end > piece.begin]
        self.from_, self.to = pieces[0].end, end


class World:
    def __init__(self, seed, count):
        self.random = random.Random(seed)
        self.records = [[], []]
        self.order = iter(range(1 << 40))
        self.pids = iter(range(1000, 1 << 20))
        self.packets = iter(range(1 << 40))
        self.chains = []
        for number in range(count):
            self.chains.append(Chain(self, number, 5_000_000 + number * WINDOW))
            self.chains[-1].make()
        self.end = 10_000_000 + count * WINDOW
        self.ping()

    def ping(self):
        """Packets that relate the clocks, on a CPU of their own"""
        chain = self.chains[0]
        for k, time in enumerate(range(3_000_000, self.end - 1_000_000, 1_000_000)):
            for host in (0, 1):
                sent, number = time + host * 300_000, 2 * k + host
                arrived = sent + self.random.randint(20_000, 60_000)
                for at, side, is_sent in ((sent, host, True), (arrived, 1 - host, False)):
                    address = 11 | (1 + side) << 24, 11 | (2 - side) << 24
                    words = [9 | (number & 0xffff) << 16 | address[1] << 32, address[0] | 64 << 32]
                    chain.put(side, PING_CPU, at, "icmp_tx" if is_sent else "icmp_rx", ECHO,
                              *words, *([0] if is_sent else [0, 0]))

    @staticmethod
    def clock(host, time):
        return time + OFFSET[host] + round(time * RATE[host])

    def ticks(self, host, time):
        return BOOT_TICKS + self.clock(host, time)

    def write(self, host, path):
        def ticks(time):
            return self.ticks(host, time)

        lines = [f"begin {cpu} {ticks(BEGIN[host])} 0 swapper" for cpu in range(CPUS)]
        last = {}
        for time, _, kind, cpu, data, words in sorted(self.records[host]):
            at = max(ticks(time), last.get(cpu, 0))
            last[cpu] = at
            lines.append(" ".join(map(str, (kind, cpu, at, data, *words))))
            if kind == "sched_switch":
                pid = data & ((1 << STATE_SHIFT) - 1)
                lines.append(f"running {cpu} {f'task{pid}' if pid else 'swapper'}")
        lines += [f"end {cpu} {ticks(self.end)}" for cpu in range(CPUS)]
        subprocess.run([f"{BUILD}/tests/why/write-log", HOSTS[host], str(host), str(CPUS), path],
                       input="\n".join(lines) + "\n", text=True, check=True)

    def timeline(self, time):
        """ns since the begin of the logs, by the clock of the reference, the first host"""
        return self.clock(0, time) - self.clock(0, BEGIN[0])


def ns(seconds):
    return int(seconds * 10**9)


def who_of(piece):
    if piece["kind"] == "interrupt":
        return piece["interrupt"]["kind"], piece["interrupt"]["number"]
    return None if piece["kind"] == "packet" else piece["pid"]


def compare(world, chain, paths):
    at = (world.timeline(chain.from_) + world.timeline(chain.to)) // 2
    done = subprocess.run([EVTLOG, "why", "--path", "--json",
                           f"{chain.pid}@{HOSTS[chain.host]}@{at // 10**9}.{at % 10**9:09}", *paths],
                          capture_output=True, text=True)
    if done.returncode:
        fail(f"chain {chain.number} of {chain.pid}: exit {done.returncode}: {done.stderr}")
    path = json.loads(done.stdout, parse_float=decimal.Decimal)
    theirs = path["pieces"]
    truth = [piece._replace(begin=world.timeline(piece.begin), end=world.timeline(piece.end)) for piece in chain.pieces]
    most = max(piece["error_ns"] for piece in theirs)
    say = f"chain {chain.number}, {chain.pid}@{HOSTS[chain.host]}@{at / 1e9}"

    def same(piece, mine):
        return piece["kind"] == mine.kind and HOSTS.index(piece["host"]) == mine.host and who_of(piece) == mine.who

    # Each piece of the path is one of the chain: the errors of both ends hold.
    missing = [mine for mine in truth if mine.end - mine.begin > 2 * most]
    for piece in theirs:
        begin, end, error = ns(piece["begin"]), ns(piece["end"]), piece["error_ns"] + 2
        found = [mine for mine in truth if same(piece, mine) and abs(mine.begin - begin) <= error and
                 abs(mine.end - end) <= error]
        if piece["ns"] > 2 * most:
            expect(f"{say}: {piece} is none of {truth}", len(found) >= 1)
        for mine in found:
            length = abs((mine.end - mine.begin) - piece["ns"])
            expect(f"{say}: the length of {piece}: {mine}", length <= piece["length_error_ns"] + 2)
            if mine in missing:
                missing.remove(mine)
    expect(f"{say}: not in the path: {missing}, only {theirs}", not missing)
    expect(f"{say}: gaps", all(a["end"] == b["begin"] for a, b in zip(theirs, theirs[1:])))
    expect(f"{say}: the ends", abs(ns(path["begin"]) - world.timeline(chain.from_)) <= most + 2 and
           abs(ns(path["end"]) - world.timeline(chain.to)) <= most + 2)
    # The share of each cause
    sums = collections.Counter()
    for mine in truth:
        sums[mine.kind, mine.host, mine.who] += mine.end - mine.begin
    shares = collections.Counter()
    for share in path["shares"]:
        shares[share["kind"], HOSTS.index(share["host"]), who_of(share)] += share["ns"]
    expect(f"{say}: the sum of the shares", sum(shares.values()) == path["ns"])
    pieces = len(truth) + len(theirs)
    for who in sums | shares:
        expect(f"{say}: the share of {who}: {shares[who]} instead of {sums[who]}",
               abs(sums[who] - shares[who]) <= 2 * most * pieces)
    return most, theirs


def main():
    seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    world = World(seed, count)
    paths = [f"{folder}/{host}.evl" for host in HOSTS]
    for host, path in enumerate(paths):
        world.write(host, path)
    reference = subprocess.run([EVTLOG, "query", "--csv", "SELECT DISTINCT host FROM clock WHERE method = 'reference'",
                                *paths], capture_output=True, text=True, check=True).stdout.split()[1:]
    check(reference == [HOSTS[0]], f"the reference is {reference}")
    kinds, pieces, errors = collections.Counter(), 0, []
    for chain in world.chains:
        error, theirs = compare(world, chain, paths)
        errors.append(error)
        pieces += len(theirs)
        kinds += chain.kinds
    check(min(errors) > 0, "the clocks have no error")
    print(f"{count} chains, {pieces} pieces, {dict(kinds)}, errors of {min(errors)} to {max(errors)} ns")
    finish()


main()
