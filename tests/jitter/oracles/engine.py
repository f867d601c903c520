#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""engine.py LOG SAMPLES < DUMP - the library's attribution is correct to the tick

Judges engine-dump. The library follows parts as they open and close; this script looks up
afterwards what was innermost in the segments of machine.py.
"""
import bisect
import collections
import math
import sys

import evl
import samples as samples_file
from machine import Machine, VECTORS

TASK = 0
USER, KERNEL, INTERRUPT, OTHER_THREAD, MACHINE = range(5)
SMT, HARDWARE = "core's other thread", "hypervisor or hardware"
ENTRY, CROSSING = "kernel entry and exit", "crossing"
FAMILIES = {"idle": KERNEL, SMT: OTHER_THREAD, HARDWARE: MACHINE, CROSSING: MACHINE}
EXCLUDED, MATCHED, BELOW = 1, 2, 4
INFERRED_MIN_NS = 50
CROSSING_MAX_NS = 20000

Part = collections.namedtuple("Part", "begin end own pid activation name")

wrong = []


def claim(holds, text):
    if not holds:
        wrong.append(text)


class Victim:
    """@interruptions: [leave, enter, flags, parts]."""

    def __init__(self, machine, thread):
        self.machine, self.thread = machine, thread
        self.cpu, self.pid = thread.cpu, thread.pid
        self.interruptions = []
        self.losses = list(machine.losses[self.cpu])
        self.starts = [s.begin for s in machine.segments[self.cpu]]
        self.find()

    def inside(self, ticks):
        return self.thread.begin <= ticks <= self.thread.end

    def find(self):
        left = user = None
        nmis = {ticks: n for n in self.machine.nmis[self.cpu] for ticks in [n[0]]}
        told = sorted(nmis)
        for ticks, what, pid in self.machine.crossings[self.cpu]:
            if what == "lost":
                if left is not None:
                    end = max(left, min(ticks, self.thread.end))
                    self.interruptions.append([left, end, EXCLUDED, []])
                left = user = None
            elif pid != self.pid:
                continue
            elif what == "enter":
                if left is not None and self.inside(ticks):
                    self.interruptions.append([left, ticks, 0, self.parts(left, ticks)])
                left, user = None, ticks
            else:
                k = bisect.bisect_left(told, ticks)
                if user is not None and k < len(told) and \
                        not any(ticks < t < told[k]
                                for t, _, _ in self.machine.crossings[self.cpu]):
                    self.nmi(user, ticks, nmis[told[k]])
                left = ticks if what == "leave" and self.inside(ticks) else None
                user = None

    def nmi(self, user, left, told):
        _, _, count, ticks, last = told
        if last < user:
            return
        if count > 1:
            self.losses.append((user, last, 0))
        elif self.inside(last) and self.inside(last + ticks) and last + ticks <= left:
            self.interruptions.append([
                last, last + ticks, 0, [Part(last, last + ticks, ticks, self.pid, True, "NMI")]])

    def parts(self, leave, enter):
        machine, cpu = self.machine, self.cpu
        first = bisect.bisect_left(self.starts, leave)
        stays, order = {}, []
        alive = machine.alive[enter, cpu]
        for segment in machine.segments[cpu][first:]:
            if segment.begin >= enter:
                break
            entries = []
            for depth, (stay, name) in enumerate(segment.stack):
                pid = segment.pid
                if pid == self.pid:
                    # The victim's own stays do not end when it sleeps.
                    stay = ("self",) if not depth else ("own", stay[1])
                    name = ENTRY if not depth else name
                elif not depth:
                    name = machine.task_name(pid, segment.begin)
                entries.append(stay)
                if stay not in stays:
                    activation = True
                    if not depth and pid and pid != self.pid:
                        activation = machine.begins[segment.begin, cpu]
                    stays[stay] = [segment.begin, None, 0, pid, activation, name]
                    order.append(stay)
                stays[stay][1] = segment.end
            stays[entries[-1]][2] += segment.end - segment.begin
        for stay in order:
            if stay == ("self",) or stay in alive:
                stays[stay][1] = enter
        return [Part(*stays[stay]) for stay in order]

    def is_lost(self, begin, end):
        begin_all, end_all = self.thread.begin, self.thread.end
        for first, last, _ in self.losses:
            if last < begin_all or first > end_all:
                continue
            if max(first, begin_all) <= end and min(last, end_all) >= begin:
                return True
        return False


def siblings(text, cpu):
    found = set()
    for item in text.get(f"smt.{cpu}", "").split(","):
        if item:
            low, _, high = item.partition("-")
            found.update(range(int(low), int(high or low) + 1))
    return found - {cpu}


class Expected:
    """The dump that is expected."""

    def __init__(self, log, samples):
        self.machine = Machine(log, samples.text)
        self.method = samples.method
        self.interruptions, self.samples, self.threads = [], [], []
        self.sources = collections.defaultdict(list)
        self.activations = collections.defaultdict(list)
        self.missed = self.unseen = 0
        for number, thread in enumerate(samples.threads):
            self.thread(number, thread)
        self.activate()

    def activate(self):
        """Adds up activations: a task may be woken on one CPU and continue on another."""
        events = []
        for number, (leave, _, flags, parts) in self.interruptions:
            if flags & EXCLUDED:
                events.append((leave, number, None))
            else:
                events += [(part.begin, number, part) for part in parts]
        active = {}
        for _, _, part in sorted(events, key=lambda event: event[:2]):
            if not part:
                for activation in active.values():
                    activation[1] = False
                active = {}
                continue
            if not part.pid or not self.is_task(part):
                continue
            if part.activation:
                active[part.pid] = [0, True]
                self.activations[self.key(part)].append(active[part.pid])
            if part.pid in active:
                active[part.pid][0] += part.own

    def thread(self, number, thread):
        victim = Victim(self.machine, thread)
        found = victim.interruptions
        for i in found:
            if victim.is_lost(i[0], i[1]):
                i[2] |= EXCLUDED
        joined = []
        seen = {}
        for begin, end, work in thread.samples:
            noise = samples_file.noise(self.method, thread, begin, end, work)
            inside = [i for i in found if begin <= i[0] and i[1] <= end]
            flags = BELOW if noise <= thread.threshold else 0
            parts = sum(part.own for i in inside for part in i[3] if not i[2] & EXCLUDED)
            if victim.is_lost(begin, end) or any(i[2] & EXCLUDED for i in inside):
                flags |= EXCLUDED
                for i in inside:
                    i[2] |= EXCLUDED
            elif len(inside) == 1:
                flags |= MATCHED
                inside[0][2] |= MATCHED
            for i in inside:
                seen[i[0]] = flags
            joined.append([begin, end, noise, sum(i[1] - i[0] for i in inside), parts,
                           len(inside), flags])
        least = sorted(max(0, s[2] - s[3]) for s in joined
                       if s[6] & MATCHED and not s[6] & BELOW)
        crossing = least[max(0, math.ceil(len(least) * 0.01) - 1)] if least else 0
        if crossing > CROSSING_MAX_NS:
            crossing = 0
        self.infer(number, thread, joined, crossing)
        self.count(thread, found, seen)
        self.interruptions += [(number, i) for i in found]
        lost = self.lost(victim)
        self.threads.append((thread.cpu, thread.pid, lost[0], lost[1], len(found),
                             len(thread.samples), crossing))

    def lost(self, victim):
        begin, end = victim.thread.begin, victim.thread.end
        cut = sorted((max(a, begin), min(b, end), n) for a, b, n in victim.losses
                     if b >= begin and a <= end)
        ticks, at = 0, begin
        for a, b, _ in cut:
            ticks += max(0, b - max(a, at))
            at = max(at, b)
        return sum(n for _, _, n in cut), ticks

    def busy(self, cpu, begin, end):
        segments = self.machine.segments[cpu]
        first = max(0, bisect.bisect_left(segments, begin, key=lambda s: s.begin) - 1)
        for s in segments[first:]:
            if s.begin >= end:
                return False
            if s.end > begin and s.pid:
                return True
        return False

    def infer(self, number, thread, joined, crossing):
        for begin, end, noise, kernel, parts, count, flags in joined:
            cross = crossing * count
            residual = noise - kernel - cross
            inferred = 0
            if not flags & (EXCLUDED | BELOW):
                if cross:
                    self.sources[CROSSING].append(cross)
                if residual > max(INFERRED_MIN_NS, crossing):
                    inferred = residual
                    smt = any(self.busy(cpu, begin, end)
                              for cpu in siblings(self.machine.text, thread.cpu))
                    self.sources[SMT if smt else HARDWARE].append(residual)
            self.samples.append((number, begin, end, noise, kernel, parts, cross, residual,
                                 count, flags, inferred))

    def count(self, thread, found, seen):
        for leave, enter, flags, parts in found:
            if flags & EXCLUDED:
                continue
            if leave not in seen:
                period = thread.base_ticks if self.method == samples_file.LOOP else 0
                self.missed += enter - leave > thread.threshold + period
            self.unseen += leave not in seen or bool(seen[leave] & BELOW)
            for part in parts:
                self.sources[self.key(part)].append(part.own)

    def key(self, part):
        """A kernel task and a user task of the same name are two sources."""
        if not self.is_task(part) or not part.pid:
            return part.name
        return part.name, part.pid in self.machine.names.kernel

    def is_task(self, part):
        return part.name not in self.handlers()

    def handlers(self):
        if not hasattr(self, "known"):
            self.known = {ENTRY, "NMI"} | set(VECTORS.values()) | self.machine.exceptions()
            self.known |= {"softirq " + s for s in self.machine.log.softirqs}
            self.known |= {f"interrupt vector {n}" for n in range(256)}
            for n in range(64):
                known = self.machine.text.get(f"irq.{n}")
                self.known.add(f"irq {n} {known}" if known else f"irq {n}")
        return self.known


def judge_interruptions(expected, dump):
    said, at = [], None
    for line in dump["interruption"] and dump["both"]:
        word, rest = line.split(" ", 1)
        if word == "interruption":
            thread, leave, enter, flags, sample = rest.split()
            at = [int(thread), int(leave), int(enter), int(flags, 16), []]
            said.append(at)
        else:
            begin, end, own, pid, activation, name = rest.split(" ", 5)
            at[4].append(Part(int(begin), int(end), int(own), int(pid),
                              activation == "1", name))
    claim(len(said) == len(expected.interruptions),
          f"{len(said)} interruptions, expected {len(expected.interruptions)}")
    total = 0
    for got, (thread, (leave, enter, flags, parts)) in zip(said, expected.interruptions):
        if flags & EXCLUDED:
            parts = []
        claim(got == [thread, leave, enter, flags, parts],
              f"interruption {got}, expected {[thread, leave, enter, flags, parts]}")
        claim(flags & EXCLUDED or sum(p.own for p in got[4]) == enter - leave,
              f"{leave}: its parts do not partition it")
        total += len(parts)
    return len(said), total


def judge_samples(expected, dump):
    said = [tuple(int(word, 16) if k == 9 else int(word)
                  for k, word in enumerate(line.split()[1:]))
            for line in dump["sample"]]
    claim(len(said) == len(expected.samples),
          f"{len(said)} samples, expected {len(expected.samples)}")
    for got, want in zip(said, expected.samples):
        claim(got == want, f"sample {got}, expected {want}")


def judge_sources(expected, dump):
    seen = set()
    totals = []
    for line in dump["source"]:
        words = line.split(" ", 16)
        name = words[16]
        numbers = [float(w) for w in words[1:16]]
        count, least, most, total, squares = numbers[3:8]
        kind = numbers[1]
        key = (name, numbers[0] == KERNEL) if kind == TASK else name
        owns = expected.sources.get(key)
        seen.add(key)
        totals.append(total)
        if not owns:
            claim(False, f"source {name} of {count}")
            continue
        mean = sum(owns) / len(owns)
        wanted = sum((own - mean) ** 2 for own in owns)
        claim((count, least, most, total) == (len(owns), min(owns), max(owns), sum(owns)),
              f"source {line}: expected {len(owns)} {min(owns)} {max(owns)} {sum(owns)}")
        claim(abs(squares - wanted) <= 1e-6 * wanted + 0.01,
              f"source {name}: squares {squares}, expected {wanted}")
        if kind == TASK:
            begun = expected.activations.get(key, [])
            whole = [own for own, known in begun if known] or [0]
            want = (len(begun), min(whole), max(whole))
        else:
            want = (len(owns), min(owns), max(owns))
            inferred = name in (SMT, HARDWARE, CROSSING)
            claim((numbers[0], numbers[2]) == (FAMILIES.get(name, INTERRUPT), inferred), f"family of {line}")
        claim(tuple(numbers[8:11]) == want,
              f"source {name}: activations {numbers[8:11]}, expected {want}")
    claim(seen == set(expected.sources), f"sources {seen ^ set(expected.sources)}")
    claim(totals == sorted(totals, reverse=True), "sources are not in order")


def judge_rest(expected, dump):
    for line, want in zip(dump["thread"], expected.threads):
        got = tuple(float(word) for word in line.split()[1:])
        claim(got == want, f"thread {got}, expected {want}")
    words = [float(word) for word in dump["summary"][0].split()[1:]]
    samples = [s for s in expected.samples if not s[9] & BELOW]
    kept = [s for s in samples if not s[9] & EXCLUDED]
    whole = [i for _, i in expected.interruptions if not i[2] & EXCLUDED]
    want = [len(kept), sum(bool(s[9] & MATCHED) for s in kept), len(samples) - len(kept),
            len(whole), expected.unseen, expected.missed, sum(s[3] for s in kept),
            sum(s[4] for s in kept), sum(s[6] for s in kept),
            max([abs(s[7]) for s in kept] or [0])]
    claim(words[1:] == want, f"summary {words[1:]}, expected {want}")
    return want


def main():
    dump = collections.defaultdict(list)
    for line in sys.stdin:
        line = line.rstrip("\n")
        word = line.split(" ", 1)[0]
        dump[word].append(line)
        if word in ("interruption", "part"):
            dump["both"].append(line)
    expected = Expected(evl.Log(sys.argv[1]), samples_file.Samples(sys.argv[2]))
    count, parts = judge_interruptions(expected, dump)
    judge_samples(expected, dump)
    judge_sources(expected, dump)
    want = judge_rest(expected, dump)
    for text in wrong[:10]:
        print("WRONG", text)
    if not wrong:
        print(f"ok    {count} interruptions of {parts} parts, {want[0]} samples, {want[1]} "
              f"matched, {want[2]} excluded, {len(expected.sources)} sources")
    sys.exit(bool(wrong))


main()
