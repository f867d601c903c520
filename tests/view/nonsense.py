#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hostile logs and random requests get clear answers."""
import http.client
import json
import os
import random
import subprocess
import time

from serving import (EVTLOG, WORK, Server, check, evtlog, fail, make_log, refused)

SEED = int(os.environ.get('SEED', time.time_ns() % 1000000))
SECONDS = float(os.environ.get('NONSENSE_SECONDS', 8))
print(f'SEED={SEED}')
rng = random.Random(SEED)


def everything(server):
    """Requests each kind of answer once, over the whole log; JSON and UTF-8 must be valid."""
    info = server.get('/log.json')
    end, lanes = int(info['end']), f"0-{info['lanes'] - 1}"
    for host, about in enumerate(info['hosts']):
        for first in range(0, about['tasks'], 500):
            ids = ','.join(str(i) for i in range(first, min(first + 500, about['tasks'])))
            server.get(f'/names?host={host}&ids={ids}')
    for t in (0, 1, end // 2, end - 1, end):
        server.get(f'/at?lane=0&t={t}&near=1000000000')
        server.get(f'/next?lanes=0&after={t}')
        server.get(f'/next?lanes=0&before={t}')
    server.get(f'/events?lanes={lanes}&from=0&to={end}&limit=3000')
    server.get(f'/arrows?lanes={lanes}&from=0&to={end}&limit=5000')
    for level in (0, 10, 30, 50):
        server.get(f'/tiles?level={level}&first=0&count=2&lanes={lanes}&refine=1')
    server.get('/overview')
    server.get(f'/summary?from=0&to={end}')
    server.get('/search?q=&limit=1000')
    return info


# ---- Names ----

NAMES = [b'<img src=x>"\'&', b'</script><b>', b'\x1b]0;x\x07\x1b[2J', b'\xff\xfe\xc3(\xed\xa0\x80',
         b'\r\nX: y\r\n', b'\xf0\x9f\x92\xa9\xe2\x80\xae', b'%s%n%p"\\u0000', b'\xc3\xa4' * 7 + b'\xc3']
for number, name in enumerate(NAMES):
    log = make_log(f'name{number}.evl', '--events', 5000, '--comm', os.fsdecode(name))
    server = Server(log)
    info = everything(server)
    found = server.get('/search?q=&limit=1000')['tasks']
    wanted = name.decode('utf-8', 'replace')[:16]
    # Each byte that is not UTF-8 is shown as U+FFFD.
    check(any(t['comm'] == wanted or '\ufffd' in t['comm'] for t in found),
          f'{name} is not among {[t["comm"] for t in found]}')
    for path in ('/', '/log.json'):
        _, headers, _ = server.ask('GET', path)
        check('X' not in headers, f'a name became a header: {headers}')
    server.end()

# ---- Very many tasks ----

log = make_log('many.evl', '--events', 20000, '--children', 10000)
server = Server(log)
info = everything(server)
check(info['hosts'][0]['tasks'] > 10000, f"{info['hosts'][0]['tasks']} tasks")
check(len(info['top']) == 50, f"{len(info['top'])} at the top")
check(len(server.get('/search?q=child&limit=7')['tasks']) == 7, 'limit of /search')
server.end()

# ---- Times ----

for name, options in (('far', ['--real-ns', 2**62]), ('past', ['--real-ns', 1])):
    server = Server(make_log(f'{name}.evl', '--events', 3000, *options))
    everything(server)
    server.end()

# ---- Cut and damaged ----

whole = make_log('whole.evl', '--events', 60000, '--cpus', 3, '--buffer-kb', 16)
size = os.path.getsize(whole)
with open(whole, 'rb') as file:
    content = bytearray(file.read())
for number in range(8):
    path = f'{WORK}/cut.evl'
    # Large enough that not all buffers can be damaged: such a log is refused.
    cut = content[:rng.randrange(size // 3, size)] if number % 2 else bytearray(content)
    if number > 1:
        for _ in range(rng.randrange(1, 30)):
            cut[rng.randrange(4096, len(cut))] ^= 1 << rng.randrange(8)
    with open(path, 'wb') as file:
        file.write(cut)
    server = Server(path)
    info = everything(server)
    check(number != 1 or not info['hosts'][0]['complete'], 'a cut log is told to be complete')
    server.end()
refused(make_log('none.evl')[:-4], says='No such file')
for content_of, says in ((b'', 'it is empty'), (b'x' * 100000, 'not an evtlog file'), (bytes(content[:100]), ':')):
    with open(f'{WORK}/bad.evl', 'wb') as file:
        file.write(content_of)
    refused(f'{WORK}/bad.evl', says=says)

# ---- Indexes that can't be saved, or are wrong ----

os.mkdir(f'{WORK}/locked')
log = make_log('locked/a.evl', '--events', 5000)
for place in (f'{log}/sub', log, '/proc'):
    server = Server('--index-dir', place, log)
    everything(server)
    said = server.end()
    check(place in said and f'{WORK}/cache/evtlog' in said, f'--index-dir {place}: {said!r}')
    server = Server('--index-dir', place, log, env=dict(os.environ, XDG_CACHE_HOME='/proc'))
    everything(server)
    said = server.end()
    check(place in said and 'not saved' in said, f'--index-dir {place}, no cache: {said!r}')
    subprocess.run(['rm', '-r', f'{WORK}/cache'], check=True)
check(not os.path.exists(f'{log}.evx'), '--index-dir left an index beside the log')
server = Server('--index-dir', 'none', log)
everything(server)
check(server.end() == '', '--index-dir none: a message')
check(not os.path.exists(f'{log}.evx'), '--index-dir none left an index')
Server(log).end()
check(os.path.exists(f'{log}.evx'), 'there is no index beside the log')
for damage in (lambda b: b[:len(b) // 2], lambda b: b'', lambda b: bytes(rng.randbytes(len(b))),
               lambda b: b[:200] + bytes(64) + b[264:]):
    with open(f'{log}.evx', 'rb') as file:
        index = file.read()
    with open(f'{log}.evx', 'wb') as file:
        file.write(damage(index))
    server = Server(log)
    everything(server)
    server.end()

# ---- Several hosts ----

hosts = f'{WORK}/hosts'
os.mkdir(hosts)
for number in range(3):
    make_log(f'hosts/n{number}.evl', '--events', 3000, '--cpus', 2, '--host', f'node{number}',
             '--boot', number, '--seed', number + 1)
refused(hosts, says='--assume-ntp')
server = Server('--assume-ntp', hosts)
info = everything(server)
check([h['name'] for h in info['hosts']] == ['node0', 'node1', 'node2'], info['hosts'])
check([h['cpus'][0]['lane'] for h in info['hosts']] == [0, 2, 4], info['hosts'])
check('ntp' in [h['method'] for h in info['hosts']], 'the page is not told that clocks are believed')
server.end()
server = Server('--assume-ntp', '--host', 'node[1-2]', '--cpus', '1', hosts)
info = everything(server)
check([(h['name'], [c['cpu'] for c in h['cpus']]) for h in info['hosts']] ==
      [('node1', [1]), ('node2', [1])], info['hosts'])
server.end()
refused('--assume-ntp', '--host', 'node9', hosts, says='node9')
refused('--cpus', '99', log, says='no host has such a CPU')
refused('--host', 'node[', hosts, says='--host')
refused('--cpus', '1-', log, says='not a valid value')
refused(says='name files')
refused('-', says='standard input')
refused(f'{WORK}/cache', says=f'{WORK}/cache') if os.path.isdir(f'{WORK}/cache') else None
evtlog('dump', '--assume-ntp', '-o', f'{WORK}/all.evm', hosts)
refused(f'{WORK}/all.evm', says='merged file')

# ---- Notes that can't be saved ----

server = Server(log)
with open(f'{log}.notes.json', 'wb') as file:
    file.write(b'x' * (2 << 20))
check(server.ask('GET', '/notes')[0] == 403, 'notes of 2 MiB')
os.unlink(f'{log}.notes.json')
os.mkdir(f'{log}.notes.json')
check(server.ask('GET', '/notes')[0] in (403, 503), 'notes that are a directory')
os.rmdir(f'{log}.notes.json')
server.end()
if os.geteuid() == 0:
    # As a user who may read, but not write there
    reader = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    os.chmod(WORK, 0o755)
    program = f'{WORK}/evtlog'
    subprocess.run(['cp', EVTLOG, program], check=True)
    process = subprocess.Popen([*reader, program, 'view', log], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=dict(os.environ, HOME='/nonexistent',
                                                                XDG_CACHE_HOME='/nonexistent'))
    address = process.stdout.readline().decode().strip()
    port, token = int(address.split(':')[2].split('/')[0]), address.split('=')[1]
    connection = http.client.HTTPConnection('127.0.0.1', port)
    connection.request('POST', '/session', json.dumps({'token': token}))
    answer = connection.getresponse()
    answer.read()
    cookie = {'Cookie': answer.headers['Set-Cookie'].split(';')[0]}
    connection.request('GET', '/log.json', headers=cookie)
    check(json.loads(connection.getresponse().read())['notes'] == {'writable': False}, 'writable')
    connection.request('GET', '/notes', headers=cookie)
    answer = connection.getresponse()
    answer.read()
    connection.request('PUT', '/notes', '{"marks":[]}', {'If-Match': answer.headers['ETag'], **cookie})
    answer = connection.getresponse()
    body = answer.read()
    check(answer.status == 403, f'notes where nobody may write: {answer.status} {body}')
    process.terminate()
    _, said = process.communicate(timeout=20)
    check(process.returncode == 0, said.decode())

# ---- Requests that make no sense ----

server = Server(whole)
info = server.get('/log.json')
for path in ('/tiles', '/tiles?level=51&first=0&count=1&lanes=0', '/tiles?level=1&first=0&count=0&lanes=0',
             '/tiles?level=1&first=0&count=65&lanes=0', '/tiles?level=1&first=-1&count=1&lanes=0',
             '/tiles?level=1&first=0&count=1&lanes=3', '/tiles?level=1&first=0&count=1&lanes=1-0',
             '/tiles?level=1&first=0&count=1&lanes=0-4294967295',
             '/tiles?level=1&first=0&count=1&lanes=t0.4294967295', '/tiles?level=1&first=0&count=1&lanes=t9.0',
             '/tiles?level=1&first=0&count=1&lanes=t0', '/tiles?level=1&first=0&count=1&lanes=0,',
             '/tiles?level=x&first=0&count=1&lanes=0', '/tiles?level=1e3&first=0&count=1&lanes=0',
             '/tiles?level=1&first=0&count=64&lanes=' + ','.join(['0-2'] * 40),
             '/tiles?level=1&first=9223372036854775808&count=1&lanes=0',
             '/names', '/names?host=0', '/names?host=1&ids=0', '/names?host=0&ids=x',
             '/names?host=0&ids=' + ','.join(['1'] * 1001), '/names?host=0&pids=x', '/names?host=0&pids=1@',
             '/names?host=0&pids=1@x', '/names?host=0&pids=1@-', '/names?host=0&pids=1@9223372036854775807',
             '/names?host=0&pids=1@99999999999999999999', '/names?host=0&pids=-1', '/names?host=0&pids=1,,1',
             '/names?host=0&pids=' + ','.join(['1'] * 1001), '/at', '/at?lane=0', '/at?lane=0-1&t=0',
             '/at?lane=0&t=9223372036854775808', '/next?lanes=0&kinds=1',
             '/events?lanes=0&from=0', '/events?lanes=0&from=0&to=1&limit=20001',
             '/events?lanes=0&from=0&to=1&kinds=-1', '/arrows?lanes=0&from=1&to=0',
             '/arrows?lanes=0&from=0&to=1&kinds=wake,rain', '/arrows?lanes=0&from=0&to=1&kinds=',
             '/summary?from=1&to=0', '/overview?bins=0',
             '/overview?bins=5000', '/search', '/search?q=' + 'x' * 65, '/find?host=0&id=1',
             '/find?host=0&id=99999&after=0', '/registered?lanes=0&from=0',
             '/registered?lanes=t0.1&from=0&to=1', '/registered?lanes=0&from=0&to=1&limit=20001',
             '/next?lanes=0&name=x', '/next?name=x&after=0', '/next?lanes=t0.1&after=0',
             '/next?lanes=0&after=0&name=' + 'x' * 65, '/paths?from=0', '/paths?from=0&to=1&bins=0',
             '/paths?from=0&to=1&limit=20001', '/packets', '/packets?q=', '/packets?q=' + 'x' * 101):
    error = server.get(path, 400)['error']
    check(error and error == error.strip(), f'{path}: {error!r}')
check(len(server.get('/tiles?level=50&first=9223372036854775807&count=64&lanes=0-2')) == 32 + 3 * 64 * 256 * 12,
      'tiles behind all time')

PATHS = ['/log.json', '/tiles', '/overview', '/names', '/at', '/events', '/next', '/arrows',
         '/registered', '/paths', '/packets', '/summary', '/search', '/find', '/notes', '/', '/x']
KEYS = ['level', 'first', 'count', 'lanes', 'refine', 'bins', 'host', 'hosts', 'ids', 'pids', 'lane', 't',
        'near', 'kinds', 'from', 'to', 'limit', 'direction', 'q', 'id', 'after', 'before', 'name']
end = int(info['end'])


def value(key):
    if rng.random() < 0.1:
        return rng.choice(['', '-', '0x1', '1e9', 'NaN', '%00', '%ff%fe', '99999999999999999999',
                           '-9223372036854775808', '9223372036854775807', 't0.1', '0,', 'a' * 70])
    if key in ('lane', 'lanes'):
        return rng.choice(['0', '1', '0-2', '2,0', 't0.1', 't0.2,1', '1-2,t0.30'])
    if key == 'direction':
        return rng.choice(['next', 'prev'])
    if key == 'level':
        return str(rng.randrange(0, 52))
    if key in ('refine', 'host', 'hosts'):
        return rng.choice(['0', '0', '0', '1'])
    if key == 'ids':
        return ','.join(str(rng.randrange(60)) for _ in range(rng.randrange(9)))
    if key in ('t', 'from', 'to', 'after', 'before'):
        return str(rng.choice([rng.randrange(end), rng.randrange(-end, 2 * end), 0, end]))
    return str(rng.choice([0, 1, rng.randrange(64), rng.randrange(3000), rng.randrange(1 << 40)]))


NEEDS = {'/tiles': ['level', 'first', 'count', 'lanes'], '/names': ['host', 'ids'], '/at': ['lane', 't'],
         '/events': ['lanes', 'from', 'to'], '/next': ['lanes', 'after', 'name'],
         '/arrows': ['lanes', 'from', 'to'], '/summary': ['from', 'to'], '/search': ['q'],
         '/find': ['host', 'id', 'after'], '/registered': ['lanes', 'from', 'to'],
         '/paths': ['from', 'to'], '/packets': ['q']}
stop = time.monotonic() + SECONDS
counts = {}
while time.monotonic() < stop:
    path = rng.choice(PATHS)
    keys = [k for k in NEEDS.get(path, []) if rng.random() < 0.95]
    keys += rng.sample(KEYS, rng.randrange(3))
    query = '&'.join(f'{k}={value(k)}' for k in keys)
    try:
        status, headers, body = server.ask('GET', f'{path}?{query}')
    except (http.client.HTTPException, OSError) as error:
        server.process.wait(5)
        fail(f'{path}?{query}: {error}; {server.process.stderr.read().decode()}')
    counts[status] = counts.get(status, 0) + 1
    check(status in (200, 400, 404), f'{path}?{query}: {status} {body[:200]}')
    if headers['Content-Type'] == 'application/json':
        try:
            json.loads(body.decode('utf-8', 'strict'))
        except ValueError:
            fail(f'{path}?{query}: {body[:500]}')
print(f'random requests by status: {counts}')
check(counts.get(200, 0) > 50 and counts.get(400, 0) > 10, f'of random requests: {counts}')
server.end()
