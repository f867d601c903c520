#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""KernelShark has the entries that `evtlog dump` prints of the same file.

Usage: compare.py ENTRIES JSON TEXT MERGED SWITCHED

ENTRIES is the output of tests/kshark/entries, JSON of `dump --json --time raw`, TEXT of `dump
--counters --time raw`. MERGED is 1 for merged files. SWITCHED is 1 with KernelShark's sched_events:
the entry of a switch then has the next task's pid.
"""
import collections
import json
import re
import sys

from claims import fail

WORDS = {'task': 'task', 'softirq': 'softirq', 'irq': 'irq', 'vector': 'vector'}


def escaped(text):
    """A pattern for a name as it is printed: bytes that are not printable ASCII as \\xNN"""
    return ''.join(re.escape(c) if ' ' <= c <= '~' and c != '\\' else
                   r'\\x[89a-f][0-9a-f]' if c == '\ufffd' else
                   ''.join(rf'\\x{byte:02x}' for byte in c.encode()) for c in text)


def of_entries(path):
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            cells = line.rstrip('\n').split('\t')
            if len(cells) > 9 and cells[0].isdigit():
                yield cells


def main():
    entries, dump, text = sys.argv[1:4]
    merged, switched = sys.argv[4] == '1', sys.argv[5] == '1'
    seen = collections.Counter()
    rows = list(of_entries(entries))
    with open(dump, encoding='utf-8') as file:
        events = [json.loads(line, parse_float=str) for line in file]
    with open(text, encoding='utf-8') as file:
        lines = [line.rstrip('\n') for line in file]
    # ON_CPU records have neither a line nor an entry.
    if not len(rows) == len(events) == len(lines) or not rows:
        sys.exit(f'compare.py: {len(rows)} entries, {len(events)} and {len(lines)} of dump')
    if merged:
        # KernelShark merges the streams: entries of one time are in any order.
        rows.sort(key=lambda row: (row[1], int(row[3])))
        both = sorted(zip(events, lines), key=lambda at: (at[0]['host'], at[0]['cpu']))
        events, lines = [at[0] for at in both], [at[1] for at in both]
    for number, (row, event, line) in enumerate(zip(rows, events, lines)):
        host, ns, cpu, pid, shown, name, task, context, info = row[1:10]
        fields = dict(field.split('=', 1) for field in row[10:])
        missed = event['event'] == 'gap' or event.get('rest_missing') or \
            (event['event'] == 'start' and (event['lost'] or event['lost_buffers']))
        wanted = 'missed_events' if missed else event['event']
        if wanted == 'event':
            wanted = event['fields'].get('id_name', f"event_{event['fields']['id']}")
        if name.split('/')[-1] != wanted:
            fail(number, 'event', name, wanted)
        if not re.fullmatch(escaped(event.get('host') or ''), host):
            fail(number, 'host', host, event.get('host'))
        seconds, fraction = event['raw'].split('.')
        if int(ns) != int(seconds + fraction):
            fail(number, 'time', ns, event['raw'])
        if int(cpu) != event['cpu']:
            fail(number, 'CPU', cpu, event['cpu'])
        current = event['current_pid']
        if int(pid) != (-1 if current is None else current):
            fail(number, 'pid', pid, current)
        comm = event['current_comm'] or ('<idle>' if current == 0 else '?')
        if not re.fullmatch(escaped(comm), task):
            fail(number, 'task', task, comm)
        if WORDS[context.split(',')[0]] != event['context']:
            fail(number, 'context', context, event['context'])
        if context.endswith('order unknown') != event.get('order_unknown', False):
            fail(number, 'order', context, event.get('order_unknown'))
        is_switch = event['event'] == 'sched_switch'
        if int(shown) != (event['fields']['next_pid'] if is_switch and switched else int(pid)):
            fail(number, 'pid that is drawn', shown, event)
        seen[wanted] += 1
        if missed:
            lost = f"missed_events={event['lost']}"
            if event['event'] != 'end' and lost not in info.split():
                fail(number, 'losses', info, event)
            if event['event'] == 'gap' and f"lost_buffers={event['lost_buffers']}" not in info \
                    and event['lost_buffers']:
                fail(number, 'lost buffers', info, event)
            continue
        if 'fields' not in event:
            continue
        if not info or not line.endswith(' ' + info):
            fail(number, 'info', info, line)
        # The payload of an event without a format is text.
        payload = event['fields'].get('payload')
        for field, value in (payload if isinstance(payload, dict) else event['fields']).items():
            if is_switch and field == 'prev_state':
                value = {'R': 0, '+': 256}.get(value) if value in 'R+' else \
                    1 << 'SDTtXZPI'.index(value)
            if isinstance(value, int) and not field.endswith('_ns') and \
                    fields.get(field) != str(value):
                fail(number, field, fields, value)
        if is_switch and int(fields['prev_pid']) != (-1 if current is None else current):
            fail(number, 'prev_pid', fields, current)
    print(f'{len(rows)} entries:', dict(seen))


main()
