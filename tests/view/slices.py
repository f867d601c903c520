#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The slices of each task, one after another, are those of `evtlog dump`."""
import json
import os
import random
import re
import sys

from serving import Server, check, evtlog, make_log, ns

SEED = int(os.environ.get('SEED', 1))
MORE = int(os.environ.get('MORE', 1))
print(f'SEED={SEED}')
rng = random.Random(SEED)
MARKS = re.compile('"event": "(start|gap|sched_switch|end)"')


def slices_of(path):
    """Returns, by pid, (begin, end, cpu) of each stay on a CPU, in the order of time."""
    cpus, out = {}, {}

    def ends(pid, begin, end, cpu):
        if pid:
            out.setdefault(pid, []).append((begin, end, cpu))

    lines = filter(MARKS.search, evtlog('dump', '--json', path).decode().splitlines())
    for event in json.loads(f"[{','.join(lines)}]", parse_float=str):
        cpu, t = event['cpu'], ns(event['time'])
        if event['event'] == 'start':
            cpus[cpu] = t
        elif event['event'] == 'gap':
            ends(event['current_pid'], cpus[cpu], ns(event['since']), cpu)
            cpus[cpu] = t
        elif event['event'] in ('sched_switch', 'end'):
            ends(event['current_pid'], cpus[cpu], t, cpu)
            cpus[cpu] = t
    return {pid: sorted(of) for pid, of in out.items()}


def visited(server, task, lanes, direction, start):
    """Returns the slices that /find leads to, from the first or last on."""
    out, t, connection = [], start, server.connect()
    while True:
        found = server.get(f'/find?host=0&id={task}&{direction}={t}', connection=connection)
        if not found:
            connection.close()
            return out
        check(not out or (found['begin'] > t) == (direction == 'after'),
              f'{direction} {t} of task {task}: {found}')
        begin, end = found['begin'], found['end']
        out.append((begin, end, lanes[found['lane']]))
        t = rng.randrange(begin, max(begin + 1, end)) if direction == 'after' else begin


def told(wanted, got):
    missing = [s for s in wanted if s not in got]
    return (f'{len(got)} slices, not {len(wanted)}; missing {missing[:3]}; '
            f'too much {[s for s in got if s not in wanted][:3]}')


def claim(path, *options, shown=None, most=20 * MORE):
    everyones = slices_of(path)
    server = Server(*options, path)
    info = server.get('/log.json')
    lanes = {c['lane']: c['cpu'] for h in info['hosts'] for c in h['cpus']}
    tasks = server.get('/search?q=&limit=1000')['tasks']
    count = 0
    check({t['pid'] for t in tasks} >= set(everyones), f'{path}: tasks are missing')
    tasks = rng.sample(tasks, min(most, len(tasks)))
    for task in tasks:
        wanted = [s for s in everyones.get(task['pid'], []) if shown is None or s[2] in shown]
        # If several slices begin in the same ns, only the last one is found.
        wanted = sorted({s[0]: s for s in wanted}.values())
        count += len(wanted)
        where = f'{path} {options} {task["comm"]} {task["pid"]}'
        got = visited(server, task['id'], lanes, 'after', -1)
        check(got == wanted, f'{where}, forwards: {told(wanted, got)}')
        got = visited(server, task['id'], lanes, 'before', info['end'] + 1)[::-1]
        check(got == wanted, f'{where}, backwards: {told(wanted, got)}')
    server.end()
    print(f'{os.path.basename(path)} {" ".join(options)}: {count} slices of {len(tasks)} tasks')


MADE = [
    ('calm', '--events', 3000, '--cpus', 2, '--tasks', 5),
    ('busy', '--events', 5000, '--cpus', 4, '--buffer-kb', 4, '--compress', 4),
    ('losing', '--events', 2500, '--cpus', 2, '--lose', 30, '--buffer-kb', 4),
    ('forking', '--events', 2500, '--cpus', 2, '--children', 20),
    ('nameless', '--events', 2000, '--cpus', 3, '--nameless'),
]

for path in sys.argv[1:]:
    claim(path)
    claim(path, '--index-dir', 'none')
for number, (name, *options) in enumerate(MADE):
    made = make_log(f'{name}.evl', '--seed', SEED + number, *options)
    claim(made)
    claim(made, '--index-dir', 'none')
claim(made, '--cpu', '1', shown={1})
# More leaves than a group has
claim(make_log('long.evl', '--seed', SEED, '--events', 150000, '--cpus', 2, '--tasks', 300,
               '--lose', 9, '--compress', 3), most=8)
