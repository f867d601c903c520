#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The server's answers are those of the commands that read the whole log."""
import bisect
import collections
import json
import os
import random
import struct
import threading
import time

from serving import Server, WORK, check, evtlog, fail, make_log, ns

SEED = int(os.environ.get('SEED', time.time_ns() % 1000000))
print(f'SEED={SEED}')
rng = random.Random(SEED)
CPUS = 4
log = make_log('a.evl', '--events', 24000, '--cpus', CPUS, '--seed', SEED, '--buffer-kb', 16,
               '--lose', 50, '--compress', 4)
server = Server(log)
info = server.get('/log.json')
END = info['end']


def events_of(path):
    lines = evtlog('dump', '--json', path).decode().splitlines()
    out = json.loads(f"[{','.join(lines)}]", parse_float=str)
    for event in out:
        event['t'] = ns(event['time'])
    return out


dumped = events_of(log)
records = [e for e in dumped if 'fields' in e]
by_cpu = {cpu: [e for e in dumped if e['cpu'] == cpu] for cpu in range(CPUS)}


def lane(cpu):
    return next(c['lane'] for c in info['hosts'][0]['cpus'] if c['cpu'] == cpu)


# ---- /log.json ----

host = info['hosts'][0]
check(host['name'] == 'testhost' and info['lanes'] == CPUS, f'/log.json: {info}')
check(host['events'] == len(records), f"{host['events']} events of {len(records)}")
whole = json.loads(evtlog('stat', '--json', log))
check(host['lost'] == whole['lost'] == 50, f"{host['lost']} lost")
for cpu, stat in zip(host['cpus'], whole['cpus']):
    check(cpu['busy_ns'] == stat['busy_ns'] and cpu['irq_ns'] == stat['irq_ns'] and
          cpu['softirq_ns'] == stat['softirq_ns'], f'sums of CPU {cpu} are {stat}')
    check(sum(cpu['counts']) == cpu['events'], f'counts of {cpu}')
top = [(t['pid'], t['run_ns']) for t in info['top'] if t['run_ns']]
check(top == [(t['pid'], t['run_ns']) for t in whole['tasks'] if t['run_ns']][:50] or
      sorted(top) == sorted((t['pid'], t['run_ns']) for t in whole['tasks'] if t['run_ns'])[:50],
      f'top is {top}')

# ---- /summary: byte for byte ----


def stat_part(body):
    """Returns the text of "stat" in the first host's answer."""
    text = body.decode()
    start = text.index('"stat": ') + len('"stat": ')
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[start:end]


def summary(begin, end, lanes=''):
    status, _, body = server.ask('GET', f'/summary?from={begin}&to={end}{lanes}')
    check(status == 200, f'/summary: {status} {body}')
    return body


spans = [(0, END), (0, END // 3), (END // 3, END), (END // 2, END // 2 + 1), (-5, END + 5)]
spans += [tuple(sorted((rng.randrange(END), rng.randrange(END)))) for _ in range(6)]
spans += [(e['t'], e['t'] + 1) for e in rng.sample(records, 2)]
for begin, end in spans:
    wanted = evtlog('stat', '--json', '--from', f'{max(begin, 0)}ns', '--to', f'{end}ns', log)
    got = stat_part(summary(begin, end))
    check(got == wanted.decode().rstrip('\n'), f'/summary of {begin} to {end} is not what stat says')
begin, end = spans[5]
got = stat_part(summary(begin, end, f'&lanes={lane(1)},{lane(2)}'))
wanted = evtlog('stat', '--json', '--cpu', '1,2', '--from', f'{begin}ns', '--to', f'{end}ns', log)
check(got == wanted.decode().rstrip('\n'), '/summary of two lanes is not what stat --cpu says')
matrix = json.loads(summary(0, END))['hosts'][0]['matrix']
moves = [[0] * CPUS for _ in range(CPUS)]
for e in records:
    if e['event'] == 'sched_migrate_task':
        moves[e['fields']['orig_cpu']][e['fields']['dest_cpu']] += 1
check(matrix['migrations'] == moves and matrix['cpus'] == list(range(CPUS)),
      f"the matrix is {matrix['migrations']}, not {moves}")
check(matrix['switches'] == [c['switches'] for c in whole['cpus']], 'switches of the matrix')
check(json.loads(stat_part(summary(0, END)))['events'] == len(records) == whole['events'],
      'a summary up to the end lacks what happens at the end')
# stat reads the copy without an index, thus the whole log: same output
copy = f'{WORK}/copy.evl'
os.link(log, copy)
begin, end = END // 3, END // 2
check(evtlog('stat', '--json', '--from', f'{begin}ns', '--to', f'{end}ns', copy).replace(b'copy.evl', b'a.evl') ==
      evtlog('stat', '--json', '--from', f'{begin}ns', '--to', f'{end}ns', log),
      'stat says something else with an index')
# Names that tasks got before the span, although only some buffers are read
log_forks = make_log('forks.evl', '--events', 6000, '--cpus', 2, '--children', 200, '--seed', SEED,
                     '--buffer-kb', 4)
forks = [e for e in events_of(log_forks) if e['event'] == 'sched_process_fork']
copy = f'{WORK}/forks-copy.evl'
os.link(log_forks, copy)
forking = Server(log_forks)
for e in rng.sample(forks, 8):
    begin, end = e['t'] + 1, e['t'] + 100000
    _, _, body = forking.ask('GET', f'/summary?from={begin}&to={end}')
    wanted = evtlog('stat', '--json', '--from', f'{begin}ns', '--to', f'{end}ns', copy)
    wanted = wanted.decode().rstrip('\n').replace('forks-copy', 'forks')
    check(stat_part(body) == wanted, f'/summary behind the fork at {begin} is not what stat says')
    child = [t for t in json.loads(wanted)['tasks'] if t['pid'] == e['fields']['child_pid']]
    check(child and child[0]['comm'] == e['fields']['comm'], f'{e} is called {child}')
forking.end()

# ---- A task has the name of the time ----

log_execs = make_log('execs.evl', '--events', 6000, '--cpus', 2, '--execs', 2, '--tasks', 6, '--seed', SEED)
executing = Server(log_execs)
since, renamed, names_of = {}, 0, collections.defaultdict(list)
slices = []
for e in events_of(log_execs):
    if e['event'] == 'sched_process_exec':
        renamed += 1
        names_of[e['fields']['pid']].append(e['fields']['comm'])
    if e['event'] != 'sched_switch':
        continue
    if e['cpu'] in since and e['current_pid'] and e['t'] > since[e['cpu']][0]:
        slices.append((e['cpu'], *since[e['cpu']], e['t']))
    since[e['cpu']] = (e['t'], e['fields']['next_pid'], e['fields']['next_pid_comm'])
check(renamed > 10 and len(slices) > 100, f'{renamed} execs, {len(slices)} slices')
for cpu, begin, pid, comm, end in rng.sample(slices, 100):
    task = executing.get(f'/at?lane={cpu}&t={rng.randrange(begin, end)}&near=0')['task']
    check(task['pid'] == pid and task['comm'] == comm, f'slice {begin} of {pid}, {comm}: {task}')
    check(task['names'].split(' > ')[0] == f'task{pid - 100}' if pid != 77 else True, f'{pid}: {task}')
for pid, comms in names_of.items():
    found = executing.get(f'/search?q={comms[0]}&limit=100')['tasks']
    check(pid in [t['pid'] for t in found], f'{pid} was {comms[0]}: {found}')
executing.end()

# ---- /events, /next ----

KIND = {}
for part in range(8):
    for e in server.get(f'/events?lanes=0-{CPUS - 1}&from={END * part // 8}&limit=20000'
                        f'&to={END * (part + 1) // 8 + 1}')['events']:
        KIND[e['type']] = e['kind']
everything = server.get(f'/events?lanes=0-{CPUS - 1}&from={-1}&to={END + 1}&limit=20000')
check(everything['more'] == (len(records) > 20000), '"more" of /events')
got = [(e['t'], e['lane'], e['type'], e['fields']) for e in everything['events']]
check(got == [(e['t'], lane(e['cpu']), e['event'], e['fields'])
              for e in sorted(records, key=lambda e: (e['t'], e['cpu']))][:20000],
      '/events are not those of dump')
for _ in range(5):
    begin = rng.randrange(END)
    end = begin + rng.randrange(END // 50)
    cpus = sorted(rng.sample(range(CPUS), rng.randrange(1, CPUS + 1)))
    kinds = [k for k in info['kinds'] if rng.random() < 0.6]
    mask = sum(1 << info['kinds'].index(k) for k in kinds)
    got = server.get(f'/events?lanes={",".join(str(lane(c)) for c in cpus)}&from={begin}&to={end}'
                     f'&limit=100&kinds={mask}')
    wanted = [(e['t'], lane(e['cpu']), e['event']) for e in records if begin <= e['t'] < end and
              e['cpu'] in cpus and KIND[e['event']] in kinds]
    check([(e['t'], e['lane'], e['type']) for e in got['events']] == wanted[:100] and
          got['more'] == (len(wanted) > 100), f'/events {begin} {end} {cpus} {kinds}')
for kind in ['switch', 'icmp', 'migration', None]:
    cpu = rng.randrange(CPUS)
    mask = f'&kinds={1 << info["kinds"].index(kind)}' if kind else ''
    times = [e['t'] for e in by_cpu[cpu] if 'fields' in e and (not kind or KIND[e['event']] == kind)]
    for _ in range(12):
        t = rng.randrange(-1000, END + 1000)
        after = bisect.bisect_right(times, t)
        before = bisect.bisect_left(times, t)
        step = server.get(f'/next?lanes={lane(cpu)}&after={t}{mask}')['event']
        check((step['t'] if step else None) == (times[after] if after < len(times) else None),
              f'the next {kind} of CPU {cpu} after {t} is {step}')
        step = server.get(f'/next?lanes={lane(cpu)}&before={t}{mask}')['event']
        check((step['t'] if step else None) == (times[before - 1] if before else None),
              f'the last {kind} of CPU {cpu} before {t} is {step}')

# ---- /at ----


def slices(cpu):
    """Returns (begin, end, pid, next pid) between switches; a gap belongs to no slice."""
    out, begin, pid = [], None, None
    for e in by_cpu[cpu]:
        if e['event'] == 'start':
            begin, pid = e['t'], None
        elif e['event'] == 'gap':
            if begin is not None:
                out.append((begin, ns(e['since']), e['current_pid'], None))
            begin = e['t']
        elif e['event'] in ('sched_switch', 'end'):
            out.append((begin, e['t'], e['current_pid'],
                        e['fields']['next_pid'] if 'fields' in e else None))
            begin = e['t']
    return out


def parts(cpu, begin, end):
    """Returns (begin, end, place) between events."""
    out, last = [], begin
    for e in by_cpu[cpu]:
        till = min(ns(e['since']) if e['event'] == 'gap' else e['t'], end)
        if e['t'] <= begin:
            continue
        out.append((last, till, e['context']))
        last = till
        if till == end:
            return out


def own_ns(cpu, begin, end):
    """Returns the time of a slice without interrupts and softirqs."""
    return sum(b - a for a, b, place in parts(cpu, begin, end) if place == 'task')


everyones = {cpu: slices(cpu) for cpu in range(CPUS)}
gaps = [e for e in dumped if e['event'] == 'gap']
beside_gaps = [(cpu, s) for cpu in range(CPUS) for s in everyones[cpu]
               if any(e['cpu'] == cpu and (ns(e['since']) == s[1] or e['t'] == s[0]) for e in gaps)]
check(beside_gaps, 'the log has no gap')
for number in range(40 + len(beside_gaps)):
    cpu = rng.randrange(CPUS)
    begin, end, pid, following = rng.choice(everyones[cpu])
    if number >= 40:
        cpu, (begin, end, pid, following) = beside_gaps[number - 40]
    if end == begin:
        continue
    t = rng.choice([begin, end - 1, rng.randrange(begin, end)])
    if sum(b <= t < e for b, e, _, _ in everyones[cpu]) != 1:
        continue
    at = server.get(f'/at?lane={lane(cpu)}&t={t}&near=0')
    check((at['begin'], at['end'], at['task']['pid'], at['ran_ns']) ==
          (begin, end, pid, own_ns(cpu, begin, end)), f'/at CPU {cpu}, {t}: {at}, not {(begin, end, pid)}')
    check((at['next'] or {}).get('pid') == following, f'next of {at} is not {following}')
    here = [e for e in by_cpu[cpu] if e['t'] == t and 'fields' in e]
    check((at['event'] is not None) == bool(here), f'/at CPU {cpu}, {t}: event {at["event"]}')
    if pid:
        task = next(i for i in server.get(f'/search?q={pid}&limit=1000')['tasks']
                    if i['pid'] == pid)['id']
        again = server.get(f'/at?lane=t0.{task}&t={t}')
        check((again['lane'], again['begin'], again['end']) == (lane(cpu), begin, end),
              f'/at of the task {pid}, {t}: {again}')
# In an interrupt, a task still has its CPU
ids = {t['pid']: t['id'] for t in server.get('/search?q=&limit=1000')['tasks']}
inside = [(cpu, e) for cpu in range(CPUS) for e in by_cpu[cpu]
          if e['context'] != 'task' and e['current_pid'] and 'fields' in e]
inside = [(cpu, e) for cpu, e in rng.sample(inside, 40)
          if sum(b <= e['t'] - 1 < end for b, end, _, _ in everyones[cpu]) == 1]
check(len(inside) >= 20, f'only {len(inside)} interrupts are within a slice')
for cpu, e in inside[:20]:
    at = server.get(f"/at?lane=t0.{ids[e['current_pid']]}&t={e['t'] - 1}")
    check(at['lane'] == lane(cpu), f"/at of the task {e['current_pid']} in an interrupt: {at}")
    check(at['context'] is None or at['context_begin'] < e['t'] <= at['context_end'] and
          at['begin'] <= at['context_begin'] and at['context_end'] <= at['end'],
          f"the part of {at} is not around {e['t'] - 1}")
    around = [p for p in parts(cpu, at['begin'], at['end'])
              if at['context_begin'] <= p[0] and p[1] <= at['context_end'] and p[0] < p[1]]
    check(sum(b - a for a, b, _ in around) == at['context_end'] - at['context_begin'] and
          {place for _, _, place in around} == {e['context']}, f'the part of {at} is {around}')
check(len(at['bounds']) == 1, f'bounds of one host: {at}')
for t in (-10**18, -1, END + 1, 10**18, 2**62):
    at = server.get(f'/at?lane=0&t={t}&near=10')
    check(at['task'] is None, f'/at {t}: {at}')

# ---- /tiles, /overview ----


def tiles(level, first, count, lanes, refine):
    body = server.get(f'/tiles?level={level}&first={first}&count={count}&lanes={lanes}'
                      f'&refine={refine}')
    magic, version, rows, bins, got, _, begin = struct.unpack_from('<4sIIIIId', body)
    check((magic, version, got, begin) == (b'EVTB', 1, level, first * 256 << level),
          f'the head of tiles: {body[:32]}')
    check(len(body) == 32 + rows * bins * 12, 'the length of tiles')
    cells = list(struct.iter_unpack('<IBBBBBBH', body[32:]))
    return [cells[row * bins:(row + 1) * bins] for row in range(rows)]


def spent(cpu, level):
    """Returns the ns of tasks but idle, of interrupts and of softirqs in each bin of the CPU."""
    out = [[0, 0, 0] for _ in range(1 + (END >> level))]
    last = None
    for e in by_cpu[cpu]:
        till = ns(e['since']) if e['event'] == 'gap' else e['t']
        kind = {'task': 0 if e['current_pid'] else None, 'softirq': 2}.get(e['context'], 1)
        while last is not None and last < till and kind is not None:
            edge = min(((last >> level) + 1) << level, till)
            out[last >> level][kind] += edge - last
            last = edge
        last = e['t']
    return [(task + irq + softirq, irq, softirq) for task, irq, softirq in out]


def check_bins(cpu, bins, level, refine, offs):
    """Bins that are not refined may be wrong where their edges cut a sum of the index."""
    width = 1 << level
    wanted = spent(cpu, level)
    for at, name in enumerate(('busy', 'irq', 'softirq')):
        shares = [b[2 + at] / 255 for b in bins[:len(wanted)]]
        for i, (share, exact) in enumerate(zip(shares, wanted)):
            off = abs(share - exact[at] / width)
            told = f'{name} of CPU {cpu}, bin {i}, refine {refine}: {share:.3f}, not {exact[at] / width:.3f}'
            if refine:
                check(off < 1 / 255, told)
            elif not bins[i][6] & 1:
                check(off < 1 / 4 + 1 / 255, told)
                offs.append(off)
        # A bin's excess is missing in its neighbour, approximate or not.
        off = sum(shares) - sum(exact[at] for exact in wanted) / width
        check(abs(off) < len(shares) / 255, f'{name} of CPU {cpu}, {len(shares)} bins of {width} ns, refine '
              f'{refine}: {off / len(shares):.4f} off on average')


level = (END // 512).bit_length()
offs = []
for level, refine in ((level, 0), (level, 1), (level + 5, 0), (level + 6, 0), (level + 7, 0)):
    rows = tiles(level, 0, 2, f'0-{CPUS - 1}', refine)
    for cpu in range(CPUS):
        bins = rows[lane(cpu)]
        check_bins(cpu, bins, level, refine, offs)
        for _ in range(4):
            i = rng.randrange(1 + ((END - 1) >> level))
            begin, end = i << level, (i + 1) << level
            if refine:
                part = json.loads(evtlog('stat', '--json', '--from', f'{begin}ns', '--to', f'{end}ns',
                                         '--cpu', cpu, log))['cpus'][0]
                sums = [round(part[name] * 255 / (1 << level)) for name in ('busy_ns', 'irq_ns', 'softirq_ns')]
                check(all(abs(a - b) <= 1 for a, b in zip(bins[i][2:5], sums)),
                      f'CPU {cpu}, bin {i}: {bins[i][2:5]}, not {sums} as stat has it')
            kinds = bins[i][7]
            seen = {KIND[e['event']] for e in by_cpu[cpu] if 'fields' in e and begin <= e['t'] < end}
            told = {k for b, k in enumerate(info['kinds']) if kinds >> b & 1}
            check(told == seen if refine else told >= seen,
                  f'kinds of CPU {cpu}, bin {i}, refine {refine}: {told}, not {seen}')
check(offs, 'all bins are approximate: this test tests nothing')
print(f'{len(offs)} shares of bins that are not exact are off by {sum(offs) / len(offs):.4f} on average')
# The lanes are in the requested order.
check(tiles(level, 0, 1, '2,0', 0) == [tiles(level, 0, 1, lane, 0)[0] for lane in (2, 0)],
      'lanes of tiles are in another order')
check(len(tiles(50, 0, 1, 't0.1,0-1', 0)) == 3, 'a task lane and two of CPUs')
body = server.get('/overview?bins=100')
check(len(body) == 32 + 1200, f'/overview has {len(body)} bytes')
mean = sum(b[2] for b in struct.iter_unpack('<IBBBBBBH', body[32:])) / 255 / 100
check(abs(mean - whole['total']['busy_ns'] / CPUS / END) < 0.02, f'/overview has a load of {mean}')

# ---- /arrows ----


def arrows_of(begin, end):
    """Returns (kind, from lane, t, to lane, t) of the events of a window."""
    arrows, woken, left = [], {}, {}
    for e in sorted(records, key=lambda e: (e['t'], e['cpu'])):
        if not begin <= e['t'] < end:
            continue
        if e['event'] in ('sched_waking', 'sched_wakeup_new'):
            woken.setdefault(e['fields']['pid'], (lane(e['cpu']), e['t']))
        elif e['event'] == 'sched_switch':
            left[e['current_pid']] = lane(e['cpu']), e['t']
            pid = e['fields']['next_pid']
            if pid in woken and pid:
                arrows.append(('wake', *woken.pop(pid), lane(e['cpu']), e['t']))
            if pid in left and pid:
                was = left.pop(pid)
                if was[0] != lane(e['cpu']):
                    arrows.append(('migrate', *was, lane(e['cpu']), e['t']))
    return sorted(arrows)


# A window with arrows of both kinds and no gap
for part in range(50, 100):
    begin, end = END * part // 100, END * (part + 1) // 100
    wanted = arrows_of(begin, end)
    if {a[0] for a in wanted} == {'wake', 'migrate'} and not any(
            e['event'] == 'gap' and begin <= e['t'] < end for e in dumped):
        break
else:
    fail('no window has arrows of both kinds: this test tests nothing')
got = server.get(f'/arrows?lanes=0-{CPUS - 1}&from={begin}&to={end}&limit=5000')['arrows']
got = sorted((a['kind'], a['from']['lane'], a['from']['t'], a['to']['lane'], a['to']['t'])
             for a in got if a['kind'] != 'packet')
check(got == wanted, f'{len(got)} arrows, not {len(wanted)}')
# The limit is for the requested kinds: rare arrows are shown among many.
for kind in 'wake', 'migrate':
    one = [a for a in got if a[0] == kind]
    some = server.get(f'/arrows?lanes=0-{CPUS - 1}&from={begin}&to={end}&kinds={kind}&limit={len(one)}')
    check(not some['more'] and len(some['arrows']) == len(one) > 0 and
          all(a['kind'] == kind for a in some['arrows']),
          f'kinds={kind}: {len(some["arrows"])} of {len(one)}')

# ---- /names, /search ----

names = server.get('/names?host=0&ids=' + ','.join(str(i) for i in range(host['tasks'] + 5)))
check(len(names) == host['tasks'], f'{len(names)} names of {host["tasks"]}')
stats = {t['pid']: t for t in whole['tasks']}
for name in names.values():
    if name['pid'] in stats:
        check(name['comm'] == stats[name['pid']]['comm'] and
              name['run_ns'] == stats[name['pid']]['run_ns'], f'{name} is {stats[name["pid"]]}')
found = server.get('/search?q=TASK1&limit=100')['tasks']
check(found and all('task1' in t['comm'] for t in found), f'/search: {found}')
check([t['run_ns'] for t in found] == sorted((t['run_ns'] for t in found), reverse=True), 'order')
check(server.get('/search?q=zzz')['tasks'] == [], '/search of nothing')
check({t['pid'] for t in server.get('/search?q=task1%20101')['tasks']} == {101}, '/search of a name and a pid')
types = collections.defaultdict(list)
for e in records:
    types[e['event']].append(e['t'])
offered = server.get('/search?q=_&limit=100')['events']
check({name for name in types if '_' in name} <= set(offered), f'/search lacks events: {offered}')
for name, times in types.items():
    t = rng.randrange(END)
    for when, wanted in (('after', min((at for at in times if at > t), default=None)),
                         ('before', max((at for at in times if at < t), default=None))):
        event = server.get(f'/next?name={name}&lanes=0-{CPUS - 1}&{when}={t}')['event']
        check(event == wanted if wanted is None else event and (event['name'], event['t']) == (name, wanted),
              f'/next {name} {when} {t}: {event}, {wanted}')
pid = found[0]['pid']
by_pid = server.get(f'/names?host=0&pids={pid},4000000,{pid}@{END}')
check({key: task['id'] for key, task in by_pid.items()} ==
      {f'{pid}': found[0]['id'], f'{pid}@{END}': found[0]['id']}, f'/names by pid: {by_pid}')

# ---- /notes ----

status, headers, body = server.ask('GET', '/notes')
check(json.loads(body) == {'marks': []}, f'/notes: {body}')
notes = json.dumps({'marks': [{'t': 5, 'lane': None, 'text': 'here'}]})
check(server.ask('PUT', '/notes', notes)[0] == 400, 'PUT without If-Match')
check(server.ask('PUT', '/notes', notes, {'If-Match': '"0"'})[0] == 409, 'PUT with a wrong tag')
for bad in ('', '[]', '{"marks":', '{"marks": [] } x', '{"a": \xff}', '{"a":01}', '[' * 100000):
    check(server.ask('PUT', '/notes', bad.encode('latin-1'), {'If-Match': headers['ETag']})[0] == 400,
          f'PUT of {bad[:20]!r}')
status, after, _ = server.ask('PUT', '/notes', notes, {'If-Match': headers['ETag']})
check(status == 204, f'PUT /notes: {status}')
mode = os.stat(f'{log}.notes.json').st_mode & 0o777
check(mode == os.stat(log).st_mode & 0o666 & ~0o022, f'notes of mode {mode:o}')
status, now, body = server.ask('GET', '/notes')
check(body.decode() == notes and now['ETag'] == after['ETag'], f'/notes: {body}')
check(server.ask('PUT', '/notes', notes, {'If-Match': headers['ETag']})[0] == 409, 'PUT with an old tag')
with open(f'{log}.notes.json', encoding='utf-8') as file:
    check(file.read() == notes, 'the file of notes')
check(sorted(n for n in os.listdir(WORK) if 'notes' in n) == ['a.evl.notes.json'], os.listdir(WORK))

# ---- Many requests at once: none waits for long work ----

big = make_log('big.evl', '--events', 1500000, '--cpus', 2)
busy = Server(big)
length = busy.get('/log.json')['end']
busy.get('/tiles?level=20&first=0&count=7&lanes=0-1')
done = []
worker = threading.Thread(target=lambda: done.extend(
    [busy.get(f'/summary?from=1&to={length}') for _ in range(4)]))
start = time.monotonic()
worker.start()
time.sleep(0.1)
slowest = 0
asked = 0
while not done:
    before = time.monotonic()
    busy.get(f'/tiles?level=20&first={asked % 4}&count=7&lanes=0-1')
    busy.get(f'/at?lane=0&t={rng.randrange(length)}')
    slowest = max(slowest, time.monotonic() - before)
    asked += 1
took = time.monotonic() - start
worker.join()
print(f'{asked} tiles, the slowest {slowest * 1e3:.0f} ms, beside summaries of {took * 1e3:.0f} ms')
check(asked >= 3, f'beside summaries of {took:.2f} s there were {asked} answers')
# A summary for a closed connection ends, and so does the server during a summary.
connection = busy.connect()
connection.request('GET', f'/summary?from=1&to={length}', headers={'Cookie': busy.cookie})
time.sleep(0.1)
connection.close()
connection = busy.connect()
connection.request('GET', f'/summary?from=1&to={length}', headers={'Cookie': busy.cookie})
time.sleep(0.1)
start = time.monotonic()
busy.end()
check(time.monotonic() - start < 5, 'the server waits for a summary when it is to end')

server.end()
