#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each calloc() of a request fails once: the answer is an error, or complete."""
import http.client
import json
import mmap
import os
import subprocess

from serving import Server, WORK, check

subprocess.run([os.environ['MAKE_JITTER'], '--seed', '1', '--ms', '50', '--cpus', '2', '--threads',
                f'{WORK}/jitter'], check=True)
with open(f'{WORK}/left', 'wb') as file:
    file.write(bytes(8))
server = Server(f'{WORK}/jitter/testhost-1.evl',
                env=dict(os.environ, LD_PRELOAD=f'{WORK}/no_memory.so', NO_MEMORY=f'{WORK}/left'))
with open(f'{WORK}/left', 'r+b') as file:
    left = mmap.mmap(file.fileno(), 8)
end = server.get('/log.json')['end']
everything = f'from=0&to={end}'
PATHS = [f'/profile?{everything}', f'/profile?{everything}&lanes=0', '/log.json',
         f'/events?lanes=0&from=0&to={end // 100}', f'/summary?{everything}', f'/arrows?lanes=0&{everything}',
         f'/registered?lanes=0&{everything}', '/search?q=d', '/next?lanes=0&after=0',
         '/tiles?level=20&first=0&count=1&lanes=0', '/at?lane=0&t=1000', f'/paths?{everything}',
         '/counters?names=runnable&level=20&first=0&count=1']


def ask(path):
    status, _, body = server.ask('GET', path)
    return status, body


check(server.get(PATHS[0])['processes'], 'the log has no process of several threads')
for path in PATHS:
    # The first request fills what is kept for later ones.
    ask(path)
    whole = ask(path)
    check(whole[0] == 200, f'{path}: {whole}')
    number = failed = 0
    while True:
        number += 1
        left[:] = number.to_bytes(8, 'little')
        try:
            status, body = ask(path)
        except http.client.RemoteDisconnected:
            # Memory of the connection and of the request itself: no answer is possible.
            check(number <= 2, f'{path}: no answer without the memory of call {number}')
            failed += 1
            continue
        if int.from_bytes(left[:], 'little'):
            break
        # An answer in spite of this must be complete.
        check((status, body) == whole or status == 503 and 'error' in json.loads(body),
              f'{path}: without the memory of call {number}: {status}, {body[:300]}')
        failed += status == 503
    left[:] = bytes(8)
    print(f'{path}: {whole[0]}, {number - 1} calls, {failed} answered by errors')
    check(ask(path) == whole, f'{path}: not as before, when there is memory again')
server.end()
