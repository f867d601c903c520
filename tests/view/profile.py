#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Call paths of spans are those of a model that keeps every segment of each task's time."""
import bisect
import json
import os
import random
import struct
import subprocess
from collections import defaultdict

import evl
from serving import Server, WORK, check, evtlog, ns

SEED = int(os.environ.get('SEED', 1))
print(f'SEED={SEED}')
rng = random.Random(SEED)
WAITS = {'R': 'preempted', '+': 'preempted', 'S': 'interruptible', 'I': 'interruptible',
         'D': 'uninterruptible'}
ENDS = ('_entry', '_exit')


class Task:
    """Segments of time with their paths; paths that ended; the open path and its start times.

    A loss on any CPU hides what a task does that does not run, and on its CPU what it runs. The task
    is then lost until an event shows it again.
    """

    def __init__(self, root, now):
        self.segments, self.ended = [], []
        self.stack, self.since = [], []
        self.root, self.lost, self.cut = root, True, False
        self.off = self.woken = self.in_order = None
        self.unknown = 0
        self.resume(now)

    def resume(self, now):
        if self.lost:
            self.lost = False
            self.push(('state', self.root), now)
            self.forget(now)

    def lose(self, now):
        if not self.lost:
            self.waited(now, False)
            self.pop_to(0, now)
            self.lost, self.off = True, None

    def forget(self, now):
        if self.stack[0] == ('state', 'user'):
            self.unknown = len(self.segments)
            self.push(('state', 'unknown'), now)

    def push(self, what, now):
        self.stack.append(what)
        self.since.append(now)

    def pop_to(self, depth, now, counted=False):
        while len(self.stack) > depth:
            path = tuple(self.stack)
            if counted and len(self.stack) == depth + 1:
                self.ended.append((path, self.since[-1], now))
            self.stack.pop()
            self.since.pop()

    def spend(self, begin, end):
        self.segments.append((begin, end, tuple(self.stack)))

    def wait(self, state, begin, end, counted):
        self.push(('wait', state), begin)
        self.spend(begin, end)
        if counted:
            self.ended.append((tuple(self.stack), begin, end))
        self.stack.pop()
        self.since.pop()

    def waits(self, begin, end):
        if self.in_order is None:
            self.in_order = [s for s in self.segments if s[2][-1][0] == 'wait']
        at = max(bisect.bisect_left(self.in_order, (begin,)) - 1, 0)
        while at < len(self.in_order) and self.in_order[at][0] < end:
            yield self.in_order[at]
            at += 1

    def waited(self, now, counted):
        if self.off is None:
            return
        state, begin = self.off
        if state in ('preempted', 'runqueue'):
            self.wait(state, begin, now, counted and not self.cut)
        elif self.woken is None:
            self.wait(state, begin, now, counted)
        else:
            self.wait(state, begin, self.woken, True)
            self.wait('runqueue', self.woken, now, counted)

    def user_exit(self, what, now):
        if self.stack[-1] == ('state', 'unknown'):
            for i in range(self.unknown, len(self.segments)):
                begin, end, path = self.segments[i]
                self.segments[i] = (begin, end, path[:1])
        self.pop_to(1, now)
        self.push(what, now)

    def leave(self, what, now):
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth] == what:
                self.pop_to(depth, now, True)
                return


def with_losses(events):
    """Adds an event where each loss begins, and to each gap the task that runs after it."""
    runs, found = {}, []
    for e in reversed(events):
        if e['event'] == 'gap':
            e['runs'] = runs[e['cpu']]
            found.append({'event': 'lost', 't': ns(e['since']), 'cpu': e['cpu']})
        runs[e['cpu']] = e['current_pid']
    # sort() keeps the order of equal times: the loss comes first.
    return sorted(found + events, key=lambda e: e['t'])


def model(events, kernel_threads, begin, end):
    """Returns the tasks by pid, and idle tasks by CPU."""
    tasks, running, last, lossy = {}, {}, {}, set()

    def find(pid, cpu, now):
        key = pid or ('idle', cpu)
        if key not in tasks:
            root = 'idle' if not pid else 'kernel' if pid in kernel_threads else 'user'
            tasks[key] = Task(root, now)
        return tasks[key]

    for e in events:
        now, cpu, name, fields = e['t'], e['cpu'], e['event'], e.get('fields')
        if name == 'start':
            running[cpu], last[cpu] = find(e['current_pid'], cpu, now), now
            continue
        if name == 'gap':
            running[cpu], last[cpu] = find(e['runs'], cpu, now), now
            running[cpu].resume(now)
            lossy.discard(cpu)
            continue
        task = running[cpu]
        task.spend(last[cpu], now)
        last[cpu] = now
        if now >= end and all(t >= end for t in last.values()):
            break
        if name == 'lost':
            lossy.add(cpu)
            del running[cpu]
            for key, other in tasks.items():
                if other not in running.values() and (type(key) is int or key[1] == cpu):
                    other.lose(now)
        elif name == 'sched_switch':
            task.off, task.cut = (WAITS.get(fields['prev_state'], 'stopped'), now), False
            task.woken = None
            if lossy and e['current_pid']:
                task.lose(now)
            running[cpu] = find(fields['next_pid'], cpu, now)
            running[cpu].resume(now)
            running[cpu].waited(now, True)
            running[cpu].off = None
        elif name == 'sched_waking':
            woken = tasks.get(fields['pid'])
            if woken and woken.lost and not lossy:
                woken.resume(now)
                woken.off, woken.woken, woken.cut = ('runqueue', now), now, True
            elif woken and woken.off is not None and woken.woken is None:
                woken.woken = now
        elif name == 'user_enter':
            if task.stack[0] == ('state', 'user'):
                task.pop_to(1, now, len(task.stack) > 1 and task.stack[-1] != ('state', 'unknown'))
        elif name == 'user_exit':
            kinds = [('state', 'kernel'), ('syscall', fields['nr']), ('compat', fields['nr'])]
            task.user_exit(kinds[fields['cause']], now)
        elif name.endswith(ENDS) and name != 'sched_process_exit':
            kind, number = {'exception': ('exception', 'vector'), 'softirq': ('softirq', 'vec'),
                            'irq_handler': ('irq', 'irq')}.get(
                                name.rsplit('_', 1)[0], ('vector', 'vector'))
            what = (kind, fields[number])
            if name.endswith('_entry'):
                task.push(what, now)
            else:
                task.leave(what, now)
    for task in tasks.values():
        if task.off is not None:
            task.waited(end, False)
    return tasks


def none_longer_than_all(got):
    return all(largest <= inclusive for _, inclusive, _, largest in got.values())


def clip(a, b, begin, end):
    return max(min(b, end) - max(a, begin), 0)


def sums(tasks, begin, end, with_waits):
    inclusive, exclusive, counts = defaultdict(int), defaultdict(int), defaultdict(int)
    largest = defaultdict(int)
    for task in tasks:
        for a, b, path in task.segments:
            length = clip(a, b, begin, end)
            if path[-1][0] == 'wait' and not with_waits:
                continue
            exclusive[path] += length
            for depth in range(len(path)):
                inclusive[path[:depth + 1]] += length
        for path, a, b in task.ended:
            if (path[-1][0] == 'wait' and not with_waits) or not begin <= b < end:
                continue
            counts[path] += 1
            # Time in which the task waited is not counted.
            waits = 0 if with_waits else sum(
                clip(max(a, c), min(b, d), begin, end) for c, d, _ in task.waits(a, b))
            largest[path] = max(largest[path], clip(a, b, begin, end) - waits)
    return {path: (counts[path], inclusive[path], exclusive[path], largest[path])
            for path in inclusive if inclusive[path] or counts[path]}


def answered(answer):
    paths, got = [], {}
    for parent, kind, name, *numbers in answer['paths']:
        path = (paths[parent] if parent is not None else ()) + ((kind, name),)
        paths.append(path)
        if any(numbers):
            got[path] = tuple(numbers)
    return got


# The server has names, the model numbers.
NAMES = {}


def named(path):
    return tuple((kind, NAMES.get((kind, what), str(what))) for kind, what in path)


subprocess.run([os.environ['MAKE_JITTER'], '--seed', str(SEED), '--ms', '200', '--cpus', '4',
                '--threads', f'{WORK}/jitter'],
               check=True)
log = f'{WORK}/jitter/testhost-1.evl'


def read(log):
    events, kernel_threads, threads = [], set(), defaultdict(set)
    for line in evtlog('dump', '--json', log).decode().splitlines():
        event = json.loads(line, parse_float=str)
        event['t'] = ns(event['time'])
        events.append(event)
        for key in (event.get('fields') or {}):
            if f'{key}_name' in event['fields'] and key in ('vector', 'nr', 'vec'):
                kind = {'vector': 'exception', 'nr': 'syscall', 'vec': 'softirq'}[key]
                NAMES[kind, event['fields'][key]] = event['fields'][f'{key}_name']
        if event['event'] == 'task':
            threads[event['fields']['tgid']].add(event['fields']['pid'])
            if int(event['fields']['flags'], 0) & 1:
                kernel_threads.add(event['fields']['pid'])
    return events, kernel_threads, threads


events, kernel_threads, threads = read(log)

server = Server(log)
info = server.get('/log.json')
everything = info['end'] + 1
seen = set()


def compare(server, info, tasks, a, b):
    answer = server.get(f'/profile?from={a}&to={b}')
    got = answered(answer)
    want = {named(p): s for p, s in sums(tasks.values(), a, b, False).items()}
    wrong = {p: (got.get(p), want.get(p)) for p in got.keys() | want.keys()
             if got.get(p) != want.get(p)}
    check(not wrong, f'{a} to {b}: {len(wrong)} of {len(want)} paths differ: '
          f'{list(wrong.items())[:4]}')
    check(none_longer_than_all(got), f'{a} to {b}: one is longer than all')
    # The times add up: each CPU's time belongs to a task, or is lost.
    check(sum(s[2] for s in got.values()) + answer['lost_ns'] ==
          sum(max(min(cpu['end'], b) - max(cpu['begin'], a), 0)
              for cpu in info['hosts'][0]['cpus']), f'{a} to {b} does not add up')
    for busy in answer['tasks'][:6]:
        pid, task = busy['task']['pid'], busy['task']['id']
        got = answered(server.get(f'/profile?from={a}&to={b}&task=t0.{task}'))
        want = {named(p): s for p, s in sums([tasks[pid]], a, b, True).items()}
        check(got == want, f'{a} to {b}, pid {pid}: {got}, not {want}')
        check(busy['cpu_ns'] == sum(s[2] for p, s in want.items() if p[-1][0] != 'wait'),
              f'pid {pid} has {busy["cpu_ns"]} ns')
    return answer


for number in range(10):
    a, b = sorted(rng.randrange(info['end']) for _ in range(2))
    if not number:
        a, b = 0, everything
    tasks = model(events, kernel_threads, a, b)
    answer = compare(server, info, tasks, a, b)
    # Processes with several threads that ran
    ran = {tgid: [p for p in pids if p in tasks and sum(
        clip(x, y, a, b) for x, y, path in tasks[p].segments if path[-1][0] != 'wait')]
           for tgid, pids in threads.items()}
    ran = {tgid: pids for tgid, pids in ran.items() if len(pids) > 1}
    check({p['tgid']: p['threads'] for p in answer['processes']} ==
          {tgid: len(pids) for tgid, pids in ran.items()},
          f'{a} to {b}: processes {answer["processes"]}, not {ran}')
    for process in answer['processes']:
        pids = [p for p in threads[process['tgid']] if p in tasks]
        want = {named(p): s for p, s in sums([tasks[p] for p in pids], a, b, True).items()}
        task = process['task']['id']
        got = answered(server.get(f'/profile?from={a}&to={b}&process=t0.{task}'))
        check(got == want, f'{a} to {b}, process {process["tgid"]}: {got}, not {want}')
        check(process['cpu_ns'] == sum(s[2] for p, s in want.items() if p[-1][0] != 'wait'),
              f'process {process["tgid"]} has {process["cpu_ns"]} ns')
        seen.add(process['tgid'])
check(len(seen) == 2, f'processes: {seen}')
for nonsense in ('from=5&to=1', 'from=0&to=9&task=0', 'from=0&to=9&task=t0.99999',
                 'from=0&to=9&lanes=99', 'to=9',
                 'from=0&to=9&process=0', 'from=0&to=9&process=t0.99999'):
    server.get(f'/profile?{nonsense}', 400)
server.end()

# Losses hide what tasks do: one buffer in the middle of each of two CPUs is missing.
subprocess.run([os.environ['MAKE_JITTER'], '--seed', str(SEED), '--ms', '500', '--cpus', '4',
                '--threads', f'{WORK}/longer'], check=True)
with open(f'{WORK}/longer/testhost-1.evl', 'rb') as file:
    data = file.read()
lossy, at = f'{WORK}/lossy.evl', struct.unpack_from('<I', data, 12)[0]
with open(lossy, 'wb') as file:
    file.write(data[:at])
    while data[at:at + 8] == b'EVTLOGK1':
        header = evl.BLOCK_HEADER.unpack_from(data, at)
        length = evl.BLOCK_HEADER.size + (header[3] + 7) // 8 * 8
        cpu, sequence = header[9], header[6]
        if header[1] != evl.BLOCK_BUFFER or (cpu, sequence) not in ((1, 1), (3, 2)):
            file.write(data[at:at + length])
        at += length
events, kernel_threads, threads = read(lossy)
check(sum(e['event'] == 'gap' for e in events) == 2, 'gaps')
server = Server(lossy)
info = server.get('/log.json')
everything = info['end'] + 1
compare(server, info, model(with_losses(events), kernel_threads, 0, everything), 0, everything)
server.end()

# Without edges of user mode, a log does not show when tasks are in it, forked in the log or not.
edgeless = os.environ['EDGELESS']
forked, kernel_threads = set(), set()
for line in evtlog('dump', '--json', edgeless).decode().splitlines():
    event = json.loads(line)
    check(not event['event'].startswith('user_'), f'{edgeless} has edges of user mode')
    if event['event'] == 'sched_process_fork':
        forked.add(event['fields']['child_pid'])
    if event['event'] == 'task' and int(event['fields']['flags'], 0) & 1:
        kernel_threads.add(event['fields']['pid'])
server = Server(edgeless)
info = server.get('/log.json')
everything = f'from=0&to={info["end"] + 1}'
seen = {True: 0, False: 0}
for busy in server.get(f'/profile?{everything}')['tasks']:
    task = busy['task']
    if task['pid'] in kernel_threads:
        continue
    got = answered(server.get(f'/profile?{everything}&task=t0.{task["id"]}'))
    roots = {path[0] for path in got}
    states = {frame for path in got for frame in path if frame[0] == 'state'}
    check(roots == states == {('state', 'unknown')}, f'{task}: {states}')
    seen[task['pid'] in forked] += 1
check(seen[True] and seen[False], f'tasks: {seen}')
server.end()
