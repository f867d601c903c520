#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Valid and invalid requests for jitter get clear answers, for whole and for damaged samples."""
import math
import os
import random
import subprocess
import time
import xml.etree.ElementTree as xml

import samples as samples_file
from serving import WORK, Server, check, make_log

SEED = int(os.environ.get('SEED', time.time_ns() % 1000000))
SECONDS = float(os.environ.get('NONSENSE_SECONDS', 8))
print(f'SEED={SEED}')
rng = random.Random(SEED)


def make(name, *options):
    directory = f'{WORK}/{name}'
    subprocess.run([os.environ['MAKE_JITTER'], *map(str, options), directory], check=True)
    return f'{directory}/testhost-{dict(zip(options, options[1:])).get("--run", 1)}.evl'


def everything(server):
    """Requests each kind of answer once."""
    table = server.get('/jitter.json')
    for kind in ('histogram', 'density', 'spectrum'):
        for linear in (0, 1):
            answer = server.get(f'/jitter.json?kind={kind}&linear={linear}&width=600&light={linear}')
            edges = answer['edges']
            root = xml.fromstring(answer['svg'])
            check(root.get('width').startswith('600'), f'{kind}: {root.get("width")} wide')
            check(all(a < b for a, b in zip(edges, edges[1:])), f'{kind}: edges {edges}')
            for own in (curve['values'] for curve in answer['curves']):
                check(len(own) == len(edges) - 1, f'{kind}: {len(own)} of {len(edges)}')
                check(all(v is not None and math.isfinite(v) and v >= 0 for v in own), own)
    for series in ('user', 'interruption', 'part'):
        answer = server.get(f'/jitter.json?kind=list&series={series}&limit=500')
        check(len(answer['items']) == min(answer['found'], 500), answer['found'])
        lengths = [item['ns'] for item in answer['items']]
        check(lengths == sorted(lengths, reverse=True), f'{series}: not the longest first')
    return table


# ---- Whole, lossy, empty ----

two = make('two', '--seed', SEED % 1000)
server = Server('--index-dir', 'none', two)
check(server.get('/log.json')['hosts'][0]['jitter'] is True, 'the page is not told')
names = [source['name'] for source in everything(server)['sources']]
check(any('"' in name for name in names), f'no hostile name among {names}')
check(server.ask('GET', '/jitter.json', cookie=False)[0] == 401, 'it is told to anybody')
check(server.ask('POST', '/jitter.json')[0] == 405, 'POST')

VALUES = ['', '0', '1', '-1', '1e9', '0.001', '3', '1000', '99999999999999999999', '1' * 41, 'x',
          '0-5', '5-0', '0,1', ',', '0-', '1.', '.1', '%00', 'user', 'part', 'list', 'density',
          'spectrum', 'histogram', '2000', '2001', '18446744073709551616', '0.' + '1' * 38,
          '1' * 39, 'nan', 'inf', '0x10', ' 1']
KEYS = ['kind', 'from', 'to', 'linear', 'width', 'height', 'light', 'cpus', 'sources', 'series',
        'limit', 'host']
KINDS = ['histogram', 'density', 'spectrum', 'list']
end, asked, slowest = time.monotonic() + SECONDS, 0, (0, '')
while time.monotonic() < end or asked < 50:
    query = [f'kind={rng.choice(KINDS)}'] if rng.random() < 0.8 else []
    query += [f'{rng.choice(KEYS)}={rng.choice(VALUES)}' for _ in range(rng.randrange(6))]
    path = '/jitter.json?' + '&'.join(query).replace(' ', '%20')
    begin = time.monotonic()
    status, _, body = server.ask('GET', path)
    slowest = max(slowest, (time.monotonic() - begin, path))
    check(status in (200, 400, 422), f'{path}: {status}: {body[:300]}')
    asked += 1
print(f'{asked} requests, the slowest {slowest[0] * 1000:.0f} ms: {slowest[1]}')
check(slowest[0] < 60, f'{slowest[1]} takes {slowest[0]} s')
server.end()
for name, options in (('lossy', ['--lose', 200]), ('empty', ['--empty']),
                      ('short', ['--cpus', 1, '--ms', 1])):
    server = Server('--index-dir', 'none', make(name, *options))
    everything(server)
    server.end()

# ---- No samples, those of another run, damaged ones ----

server = Server('--index-dir', 'none', make_log('none.evl', '--events', 3000))
check(server.get('/log.json')['hosts'][0]['jitter'] is False, 'there are no samples')
check('jitter run' in server.get('/jitter.json', 404)['error'], 'what to do is not said')
server.end()

logged = os.path.join(os.path.dirname(two), 'logged.samples')
with open(logged, 'rb') as file:
    whole = file.read()


def refused(what, data):
    with open(logged, 'wb') as out:
        out.write(data)
    own = Server('--index-dir', 'none', two)
    for _ in range(2):
        error = own.get('/jitter.json', 422)['error']
        check(error, f'{what}: nothing is said')
    print(f'{what}: {error}')
    own.end()


refused('cut', whole[:rng.randrange(len(whole))])
refused('empty', b'')
at = rng.randrange(len(whole))
refused('flipped', whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1:])
other = make('other', '--run', 9)
with open(os.path.join(os.path.dirname(other), 'logged.samples'), 'rb') as file:
    refused('of another run', file.read())

# The checksum is right, and the contents are impossible, or almost.
with open(logged, 'wb') as file:
    file.write(whole)
kept = samples_file.Samples(logged)
text = ''.join(f'{key}={value}\n' for key, value in kept.text.items())
LARGE = [0, 1, 2, 1000, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1]
answered = 0
for trial in range(12):
    threads = []
    for thread in kept.threads:
        fields = {rng.choice(['begin', 'end', 'threshold', 'base_ticks', 'rounds', 'below',
                              'dropped']): rng.choice(LARGE) for _ in range(rng.randrange(3))}
        thread = thread._replace(**fields)
        if rng.random() < 0.4:
            thread = thread._replace(samples=thread.samples[:rng.randrange(3)])
        threads.append(thread)
    samples_file.write(logged, threads, text, kept.method, rng.choice([kept.hz, 1, 2**62]))
    server = Server('--index-dir', 'none', two)
    status, _, body = server.ask('GET', '/jitter.json')
    check(status in (200, 422), f'trial {trial}: {status} {body[:200]}')
    if status == 200:
        everything(server)
        answered += 1
    server.end()
print(f'{answered} of 12 files that are strange within were read')
