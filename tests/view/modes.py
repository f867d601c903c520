#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The sums of user mode, system calls and exceptions are those of each task's events."""
import json
import os
import random
import subprocess

from serving import Server, WORK, check, evtlog, ns

SEED = int(os.environ.get('SEED', 1))
print(f'SEED={SEED}')
rng = random.Random(SEED)


subprocess.run([os.environ['MAKE_JITTER'], '--seed', str(SEED), '--ms', '400', f'{WORK}/jitter'],
               check=True)
log = f'{WORK}/jitter/testhost-1.evl'
events = []
for line in evtlog('dump', '--json', log).decode().splitlines():
    event = json.loads(line, parse_float=str)
    event['t'] = ns(event['time'])
    events.append(event)


def wanted(begin, end):
    """Adds up the events of the span: each shows what its task is in from then on."""
    counts, times, tasks, last = {}, {}, {}, {}
    for e in events:
        before = last.get(e['cpu'])
        last[e['cpu']] = e['t']
        within = min(e['t'], end) - max(before if before is not None else e['t'], begin)
        stack = tasks.setdefault(e['current_pid'], [])
        if e['context'] == 'task' and e['current_pid'] and within > 0 and stack:
            times[stack[-1]] = times.get(stack[-1], 0) + within
        if not begin <= e['t'] < end or not e['current_pid']:
            continue
        name, fields = e['event'], e.get('fields')
        if name == 'user_enter':
            stack[:] = [('user', None)]
        elif name == 'user_exit':
            stack[:] = [('syscall' if fields['cause'] else 'kernel', None)]
        elif name == 'exception_entry':
            stack.append(('exception', fields['vector']))
        elif name == 'exception_exit':
            if stack:
                stack.pop()
            continue
        else:
            continue
        counts[stack[-1]] = counts.get(stack[-1], 0) + 1
    return {key: (counts.get(key, 0), times.get(key, 0)) for key in counts.keys() | times.keys()}


server = Server(log)
info = server.get('/log.json')
kinds = dict.fromkeys(info['kinds'], 0)
for cpu in info['hosts'][0]['cpus']:
    for kind, count in zip(info['kinds'], cpu['counts']):
        kinds[kind] += count
edges = sum(e['event'] in ('user_enter', 'user_exit', 'user_nmi') for e in events)
faults = sum(e['event'].startswith('exception_') for e in events)
check((kinds.get('user'), kinds.get('exception')) == (edges, faults),
      f'{kinds}, not {edges} edges of user mode and {faults} of exceptions')
check(edges and faults, 'the log has none of them')
check(kinds['other'] < len(events) / 10, f'{kinds["other"]} of {len(events)} are other events')
for number in range(12):
    a, b = sorted(rng.randrange(info['end']) for _ in range(2))
    if not number:
        a, b = 0, info['end'] + 1
    got = server.get(f'/summary?from={a}&to={b}')['hosts'][0]['modes']
    got = {(m['mode'], m.get('vector')): (m['count'], m['time_ns']) for m in got}
    check(got == wanted(a, b), f'{a} to {b}: {got}, not {wanted(a, b)}')
server.end()
