#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What others do to a viewer's files, before it starts and while it runs, is reported."""
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import threading

from serving import EVTLOG, WORK, Server, check, make_log, refused, until

log = make_log('a.evl', '--events', 20000, '--cpus', 2)
index = f'{log}.evx'
NOBODY = 65534


def built():
    """Returns whether the index was built just now, and why."""
    done = subprocess.run([EVTLOG, 'index', '--json', log], capture_output=True, check=True)
    got = json.loads(done.stdout)
    return got['built'], got['reason']


# ---- Indexes that others could have made ----

check(built()[0], 'the first index is not built')
check(not built()[0], 'its own index is built anew')
for mode in (0o664, 0o646):
    os.chmod(index, mode)
    anew, why = built()
    check(anew and 'may write' in why, f'an index of mode {mode:o} is believed: {why!r}')
    check(not built()[0], 'the new one is not believed')
if os.geteuid() == 0:
    os.chown(index, NOBODY, NOBODY)
    anew, why = built()
    check(anew and 'another user' in why, f'an index of another user is believed: {why!r}')
    check(not built()[0], 'the new one is not believed')
    # The log's owner is believed.
    os.chown(log, NOBODY, NOBODY)
    os.chown(index, NOBODY, NOBODY)
    check(not built()[0], "the index of the log's owner is not believed")
    os.chown(log, 0, 0)
    os.unlink(index)

# ---- A log that changes while it is viewed ----

other = make_log('other.evl', '--events', 20000, '--cpus', 2, '--seed', 7, '--boot', 9)
PATHS = ['/log.json', '/tiles?level=20&first=0&count=1&lanes=0', '/at?lane=0&t=1000',
         '/events?lanes=0&from=0&to=99999', '/summary?from=0&to=99999',
         '/next?lanes=0&after=0', '/arrows?lanes=0&from=0&to=99999',
         '/registered?lanes=0&from=0&to=99999']


def append(path):
    with open(path, 'ab') as file:
        file.write(b'more')


def replace(path):
    shutil.copy(other, f'{path}.new')
    os.rename(f'{path}.new', path)


def overwrite(path):
    """Overwrites the start in place, keeps the size, and sets the time back."""
    about = os.stat(path)
    with open(other, 'rb') as file:
        head = file.read(4096)
    with open(path, 'r+b') as file:
        file.write(head)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def is_behind(path):
    """Returns whether a file that is changed now has a later time: file times go by ticks."""
    with open(f'{WORK}/now', 'w', encoding='ascii') as file:
        file.write('x')
    return os.stat(f'{WORK}/now').st_ctime_ns > os.stat(path).st_ctime_ns


for change in (append, replace, overwrite, os.unlink):
    shutil.copy(f'{WORK}/a.evl', f'{WORK}/b.evl')
    server = Server('--index-dir', 'none', f'{WORK}/b.evl')
    for path in PATHS:
        server.get(path)
    # A change of the mode is no change of the log.
    os.chmod(f'{WORK}/b.evl', 0o640)
    server.get(PATHS[3])
    until(lambda: is_behind(f'{WORK}/b.evl'), 60, 'the clock of files stands still')
    change(f'{WORK}/b.evl')
    for path in PATHS:
        said = server.get(path, 409)
        check('start evtlog view again' in said['error'], f'{change.__name__}, {path}: {said}')
    server.get('/notes')
    server.get('/')
    server.end()

# ---- An index that is made shorter while it is viewed ----

server = Server(log)
server.get('/tiles?level=20&first=0&count=1&lanes=0')
os.truncate(index, 0)
for level in (0, 12, 20):
    server.get(f'/tiles?level={level}&first=0&count=1&lanes=0-1&refine=1')
server.get('/events?lanes=0&from=0&to=99999')
server.end()
# An index that is too large to be copied: the error is reported.
server = Server('--index-dir', 'none', log)
server.process.send_signal(signal.SIGBUS)
_, said = server.process.communicate(timeout=30)
check(server.process.returncode == 1 and b'truncated while it was read' in said,
      f'SIGBUS: exit {server.process.returncode}, {said}')

# ---- Notes of two viewers ----

notes = f'{log}.notes.json'
pair = [Server('--index-dir', 'none', log) for _ in range(2)]
taken = [[], []]


def save(which, tag, gate):
    gate.wait()
    text = json.dumps({'marks': [{'t': which, 'lane': None, 'text': 'x' * 300000}]})
    taken[which].append(pair[which].ask('PUT', '/notes', text, {'If-Match': tag})[0])


for _ in range(25):
    tag = pair[0].ask('GET', '/notes')[1]['ETag']
    gate = threading.Barrier(2)
    threads = [threading.Thread(target=save, args=(i, tag, gate)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # The same text again is no change, and both may have it
    os.unlink(notes)
for both in zip(*taken):
    check(sorted(both) == [204, 409], f'two viewers save at the same time: {both}')

# Another process holds the log's lock.
with open(log, 'rb') as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    tag = pair[0].ask('GET', '/notes')[1]['ETag']
    status = pair[0].ask('PUT', '/notes', '{"marks":[]}', {'If-Match': tag})[0]
    check(status == 503, f'a log that is locked for long: {status}')

# The user's own link is followed, links of others are not.
os.mkdir(f'{WORK}/elsewhere')
with open(f'{WORK}/elsewhere/notes', 'w', encoding='ascii') as file:
    file.write('{"marks":[]}')
os.symlink('elsewhere/notes', notes)
tag = pair[0].ask('GET', '/notes')[1]['ETag']
status = pair[0].ask('PUT', '/notes', '{"marks":[1]}', {'If-Match': tag})[0]
check(status == 204 and os.path.islink(notes), f'a link is replaced, {status}')
with open(f'{WORK}/elsewhere/notes', encoding='ascii') as file:
    check(file.read() == '{"marks":[1]}', 'what the link leads to is not written')
if os.geteuid() == 0:
    os.chown(notes, NOBODY, NOBODY, follow_symlinks=False)
    for method, body in (('GET', None), ('PUT', '{"marks":[2]}')):
        status = pair[0].ask(method, '/notes', body, {'If-Match': tag})[0]
        check(status == 403, f"{method} through another's link: {status}")
os.unlink(notes)
os.symlink('nowhere', notes)
check(pair[0].ask('GET', '/notes')[0] == 403, 'a link to nothing')
os.unlink(notes)
for server in pair:
    server.end()

# ---- Directories without a name ----

refused('--index-dir', '', log, says='not a valid value')
done = subprocess.run([EVTLOG, 'index', '--output', '', log], capture_output=True, check=False)
check(done.returncode == 2, f'evtlog index --output "": {done}')

# ---- Two Origin headers ----

os.mkdir(f'{WORK}/run', 0o700)
path = f'{WORK}/run/evtlog.sock'
server = Server('--index-dir', 'none', '--listen', f'unix:{path}', log)
for origins, wanted in ((1, 200), (2, 403)):
    with socket.socket(socket.AF_UNIX) as plain:
        plain.settimeout(20)
        plain.connect(path)
        plain.sendall(('GET /log.json HTTP/1.1\r\nHost: localhost\r\n'
                       'Origin: http://localhost\r\n'
                       + 'Origin: http://evil.example\r\n' * (origins - 1) +
                       f'Cookie: {server.cookie}\r\nConnection: close\r\n\r\n').encode())
        got = plain.recv(12)
    check(got == f'HTTP/1.1 {wanted}'.encode(), f'{origins} headers Origin: {got}')

# ---- A server that is stopped ----

server.process.send_signal(signal.SIGSTOP)
waiting = []
try:
    while len(waiting) < 1000:
        plain = socket.socket(socket.AF_UNIX)
        plain.setblocking(False)
        waiting.append(plain)
        plain.connect(path)
except BlockingIOError:
    pass
refused('--index-dir', 'none', '--listen', f'unix:{path}', log, says='already exists')
for plain in waiting:
    plain.close()
server.process.send_signal(signal.SIGCONT)
server.end()
