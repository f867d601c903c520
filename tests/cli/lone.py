#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the output of each command, the index, the picture and the server for a CPU without data.

Usage: lone.py LOG PICTURE

CPU 1 of LOG has no readable data, CPU 0 has all of its records. CPU 1 has a start, one gap for the
whole run, in which at least one buffer is missing, and an end.
"""
import json
import os
import struct
import subprocess
import sys

from png import Png
from serving import Server, check, ns

log, picture = sys.argv[1:]
evtlog = os.environ['EVTLOG']


def said(status, *arguments):
    done = subprocess.run([evtlog, *arguments], capture_output=True, check=False)
    check(done.returncode == status, f'{arguments}: {done.returncode}: {done.stderr.decode()}')
    return done.stdout.decode()


dumped = [json.loads(line, parse_float=str) for line in said(4, 'dump', '--json', log).splitlines()]
times = [ns(e['time']) for e in dumped]
check(times == sorted(times), 'events are not in the order of time')
span = times[-1] - times[0]
check(times[0] == 0 and span > 0, f'the run is {times[0]} to {times[-1]} ns')
mine = [e for e in dumped if e['cpu'] == 1]
check([e['event'] for e in mine] == ['start', 'gap', 'end'], f'dump: {mine}')
start, gap, end = mine
check(ns(start['time']) == ns(gap['since']) == 0, f'dump: start {start}, gap {gap}')
check(ns(gap['time']) == ns(end['time']) == span, f'dump: gap {gap}, end {end}')
check(gap.get('lost_buffers', 0) == 1, f'dump: gap {gap}')
check(' gap since 0.000000000' in said(4, 'dump', log), 'dump does not print the gap')

checked = json.loads(said(1, 'check', '--json', log))
check(checked['gaps'] == 1 and checked['unknown_ns'] == span,
      f"check: {checked['gaps']} gaps, {checked['unknown_ns']} of {span} ns unknown")
part = checked['intervals'][1]
check(part['cpu'] == 1 and all(part[key] is None for key in
                               ('start_ns', 'from_ns', 'to_ns', 'end_ns')), f'check: {part}')
check(part['status'] in ('lost', 'unproved'), f'check: {part}')
line = [line for line in said(1, 'check', log).splitlines() if line.startswith('  CPU 1 ')][-1]
check(line.split() == ['CPU', '1', 'no', 'data'], f'check: {line}')

cpu = json.loads(said(4, 'stat', '--json', log))['cpus'][1]
check(cpu['unknown_ns'] == cpu['span_ns'] == span and not cpu['busy_ns'], f'stat: {cpu}')
half = json.loads(said(4, 'stat', '--json', '--from', f'{span // 2}ns', log))['cpus'][1]
check(half['unknown_ns'] == span - span // 2, f'stat --from: {half}')
check('; no data of 1' in said(4, 'info', log), 'info')

for threads in '1', '2':
    indexed = json.loads(said(4, 'index', '--force', '--json', '--threads', threads, log))
    cpu = indexed['cpus'][1]
    check(cpu['gaps'] == 1 and cpu['gap_ns'] == cpu['unknown_ns'] == span, f'index: {cpu}')
    check(cpu['end_ns'] - cpu['start_ns'] == span, f'index: {cpu}')

server = Server(log)
host = server.get('/log.json')['hosts'][0]
cpu = host['cpus'][1]
check(cpu['gaps'] == 1 and cpu['begin'] == 0 and cpu['end'] == span, f'/log.json: {cpu}')
summary = server.get(f'/summary?from=0&to={span}')['hosts'][0]['stat']['cpus'][1]
check(summary['unknown_ns'] == span, f'/summary: {summary}')
for part in range(5):
    t = span * part // 5 + 1
    at = server.get(f"/at?lane={cpu['lane']}&t={t}&near=10")
    check(at['context'] is None and at['event'] is None, f'/at {t}: {at}')
level = (span // 256).bit_length()
body = server.get(f"/tiles?level={level}&first=0&count=1&lanes={cpu['lane']}")
bins = list(struct.iter_unpack('<IBBBBBBH', body[32:]))[:span >> level]
check(len(bins) > 100 and all(lost == 255 for *_, lost, _, _ in bins), f'/tiles: {bins[:3]}')
server.end()

said(4, 'view', '--png', picture, log)
png = Png(open(picture, 'rb').read())
LOST = 0xffb000
marked = [sum(png.pixel(x, y) == LOST for y in range(png.height)) for x in range(png.width)]
check(sum(map(bool, marked)) > png.width * 3 // 4,
      f'{sum(map(bool, marked))} of {png.width} columns have the colour of what is lost')
