#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""tracks.py PICTURE LOG... - compares the tracks of a sampled log with sums over its passes: a pass
is valid until the next, except where passes were missed or are incomplete. CPUs lose no events."""
import json
import os
import subprocess
import sys

import passes
from png import Png
from serving import EVTLOG, Server, check, ns

LOST, OUTSIDE, COLUMNS = 0xffb000, 0x2a2d33, 668


def stretches(log, end):
    """Returns [from, to, what]: a pass, 'lost', or 'off' (also first); and complete passes."""
    out, whole, since, at = [], [], 0, 'off'
    for one in passes.passes(EVTLOG, log):
        if not one.told:
            continue
        until, behind = one.time_ns, 'lost'
        if at not in ('off', 'lost') and one.off_ns is not None:
            until, behind = one.off_ns, 'off'
        elif at not in ('off', 'lost'):
            until = since + (until - since) // (1 + one.told['missed'] + one.skipped)
        out += [(since, until, at), (until, one.time_ns, behind)]
        since, at = one.time_ns, one if one.whole else 'lost'
        whole += [one] if one.whole else []
    off = passes.end_off_ns(end) if at != 'lost' else None
    out += [(since, off or end, at), (off or end, end, 'off')]
    return [one for one in out if one[0] < one[1]], whole


def changes(whole):
    """Yields each pass's changes since the one before, as time, key, CPU."""
    for before, now in zip(whole, whole[1:]):
        if now.first:
            continue
        for pid, task in now.tasks.items():
            if pid not in before.tasks:
                yield now.time_ns, 'forks', task['cpu']
            elif before.tasks[pid]['cpu'] != task['cpu']:
                yield now.time_ns, 'migrations_in', task['cpu']
                yield now.time_ns, 'migrations_out', before.tasks[pid]['cpu']
        for pid in set(before.tasks) - set(now.tasks):
            yield now.time_ns, 'exits', before.tasks[pid]['cpu']


def expected(held, moved, cpu, begin, end):
    """Returns state, mean and maximum in a bin of a CPU (None: all CPUs), and counts."""
    known = sums = most = off = 0
    for since, until, at in held:
        ns = min(until, end) - max(since, begin)
        if ns <= 0:
            continue
        if at == 'off':
            off += ns
        elif at != 'lost':
            runnable = sum(at.cpus.values()) if cpu is None else at.cpus[cpu]
            known, sums, most = known + ns, sums + ns * runnable, max(most, runnable)
    span = min(end, held[-1][1]) - begin
    counts = {key: sum(begin <= t < end and key == what and cpu in (None, where) for t, what, where in moved)
              for key in ('forks', 'exits', 'migrations_in', 'migrations_out')}
    state = 'o' if span <= 0 or off == span else 'k' if known + off == span else 'l' if known else 'u'
    return state, sums / known if known else None, most if known else None, counts


def compare(server, log, held, moved, level, first, seen):
    """Compares all bins of an answer."""
    cpus = server.get('/log.json')['hosts'][0]['cpus']
    lanes = ','.join(str(one['lane']) for one in cpus)
    got = server.get(f'/counters?host=0&level={level}&first={first}&count=300&lanes={lanes}')
    for series, cpu in zip(got['series'], [None] + [one['cpu'] for one in cpus]):
        check('switches' not in series, f'{log}: samples tell of switches')
        for i in range(got['count']):
            begin, end = (first + i) << level, (first + i + 1) << level
            state, mean, most, counts = expected(held, moved, cpu, begin, end)
            told = f'{log}: CPU {cpu}, {begin} to {end}: {series["states"][i]} {series["mean"][i]} ' \
                f'{series["most"][i]}, wanted {state} {mean} {most} {counts}'
            check(series['states'][i] == series['count_states'][i] == series['migration_states'][i] == state, told)
            seen[state] += 1
            if state in 'kl':
                check(abs(series['mean'][i] - mean) < 2e-6 and series['most'][i] == most, told)
                check(all(series[key][i] == counts[key] for key in counts), f'{told}: {series["forks"][i]}')


def dumped(log):
    done = subprocess.run([EVTLOG, 'dump', '--json', log], capture_output=True, check=False)
    return [json.loads(line, parse_float=str) for line in done.stdout.splitlines()]


def lanes_are_not_recorded(server, log):
    """Checks that lanes have events, but no running tasks, and no losses."""
    for one in server.get('/log.json')['hosts'][0]['cpus']:
        at = server.get(f'/at?lane={one["lane"]}&t={one["end"] // 2}')
        check(at['task'] is None and at['context'] is None and at['ran_ns'] is None, f'{log}: {at}')


def drawn(picture, log, held, *options):
    """Checks that lost time is hatched, but no lane, and unrecorded time has its own colour."""
    subprocess.run([EVTLOG, 'view', '--png', picture, '--counters', 'runnable,switches', '--size', '832', *options,
                    log], check=False, stderr=subprocess.DEVNULL)
    png = Png(open(picture, 'rb').read())
    begin, end, plot_x, columns = map(int, png.texts['evtlog plot'].split())
    check(columns == COLUMNS, f'{columns} columns')
    for line in png.texts['evtlog tracks'].splitlines():
        _, y, height, _, name, _ = (int(word) if word.isdigit() else word for word in line.split())
        for i in range(columns):
            a, b = (begin + (end - begin) * (i + k) // columns for k in (0, 1))
            pixels = [png.pixel(plot_x + i, y + k) for k in range(height)]
            state = 'o' if name == 'switches' else expected(held, (), None, a, b)[0]
            told = f'{log}: {name} from {a} to {b} is {state}, {pixels.count(LOST)} of it hatched'
            # The line at the number of CPUs hides one pixel.
            check(state != 'o' or pixels.count(OUTSIDE) >= height - 1, told)
            check(state != 'k' or LOST not in pixels and OUTSIDE not in pixels, told)
            check(state != 'u' or pixels.count(LOST) >= height // 8 * 4 - 2, told)
    gaps = [(one['cpu'], ns(one['since']), ns(one['time'])) for one in dumped(log) if one['event'] == 'gap']
    for line in png.texts['evtlog lanes'].splitlines():
        _, cpu, y, height, ticks, *_ = map(int, line.split())
        for i in range(columns):
            a, b = (begin + (end - begin) * (i + k) // columns for k in (0, 1))
            lost = any(where == cpu and since < b and until > a for where, since, until in gaps)
            pixels = {png.pixel(plot_x + i, y + k) for k in range(ticks, height)}
            check(lost == (LOST in pixels) and (lost or pixels == {OUTSIDE}),
                  f'{log}: CPU {cpu} from {a} to {b} is {pixels}, gaps {gaps}')


def main():
    picture, *logs = sys.argv[1:]
    seen = dict.fromkeys('oulk', 0)
    for log in logs:
        end = json.loads(subprocess.run([EVTLOG, 'info', '--json', log], capture_output=True,
                                        check=False).stdout)['span_ns']
        os.environ['TRUTH'] = log + '.truth'
        held, whole = stretches(log, end)
        moved = list(changes(whole))
        server = Server(log)
        for level in (13, 16, 18, 20, 22):
            length = 300 << level
            for first in sorted({0, max(0, end // 2 >> level), max(0, (end - length) >> level)}):
                compare(server, log, held, moved, level, first, seen)
        lanes_are_not_recorded(server, log)
        server.end()
        drawn(picture, log, held)
        drawn(picture, log, held, '--from', '50ms', '--to', '60ms')
    print(seen)
    check(all(seen.values()), f'not all states were there: {seen}')


os.environ.setdefault('SEED', '1')
main()
