#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What others do to the files of a viewer, before it starts and meanwhile."""
import json
import os
import shutil
import subprocess

from serving import EVTLOG, WORK, Server, check, make_log

log = make_log('a.evl', '--events', 20000, '--cpus', 2)
index = f'{log}.evx'
NOBODY = 65534


def built():
    """Whether the index was built anew just now, and why."""
    done = subprocess.run([EVTLOG, 'index', '--json', log], capture_output=True, check=True)
    got = json.loads(done.stdout)
    return got['built'], got['reason']


# ---- Indexes that others could have made ----

check(built()[0], 'the first index is not built')
check(not built()[0], 'its own index is built anew')
for mode in (0o664, 0o646):
    os.chmod(index, mode)
    anew, why = built()
    check(anew and 'others may write' in why, f'an index of mode {mode:o} is believed: {why!r}')
    check(not built()[0], 'the new one is not believed')
if os.geteuid() == 0:
    os.chown(index, NOBODY, NOBODY)
    anew, why = built()
    check(anew and 'another user' in why, f'an index of another user is believed: {why!r}')
    check(not built()[0], 'the new one is not believed')
    # Whom the log is believed of
    os.chown(log, NOBODY, NOBODY)
    os.chown(index, NOBODY, NOBODY)
    check(not built()[0], "the index of the log's owner is not believed")
    os.chown(log, 0, 0)
    os.unlink(index)

# ---- A log that changes while it is viewed ----

other = make_log('other.evl', '--events', 20000, '--cpus', 2, '--seed', 7, '--boot', 9)
PATHS = ['/log.json', '/tiles?level=20&first=0&count=1&lanes=0', '/at?lane=0&t=1000',
         '/events?lanes=0&from=0&to=99999', '/summary?from=0&to=99999',
         '/step?lane=0&t=0&direction=next', '/arrows?lanes=0&from=0&to=99999']


def append(path):
    with open(path, 'ab') as file:
        file.write(b'more')


def replace(path):
    shutil.copy(other, f'{path}.new')
    os.rename(f'{path}.new', path)


def overwrite(path):
    """In place, of the same size, and its time is set back."""
    about = os.stat(path)
    with open(other, 'rb') as file:
        head = file.read(4096)
    with open(path, 'r+b') as file:
        file.write(head)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


for change in (append, replace, overwrite, os.unlink):
    shutil.copy(f'{WORK}/a.evl', f'{WORK}/b.evl')
    server = Server('--no-index', f'{WORK}/b.evl')
    for path in PATHS:
        server.get(path)
    # What tells nothing else
    os.chmod(f'{WORK}/b.evl', 0o640)
    server.get(PATHS[3])
    change(f'{WORK}/b.evl')
    for path in PATHS:
        said = server.get(path, 409)
        check('start evtlog view again' in said['error'], f'{change.__name__}, {path}: {said}')
    server.get('/notes')
    server.get('/')
    server.end()
