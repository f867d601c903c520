#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every sentence on security in evtlog-view(1) is true, seen from the outside."""
import json
import os
import select
import signal
import socket
import stat
import subprocess
import time

from serving import (EVTLOG, WORK, Server, check, cut_after, evtlog, fail, make_log, refused,
                     until)

log = make_log('a.evl', '--events', 20000, '--cpus', 2)
server = Server(log)

# ---- Times and connections, with separate servers: the end of this test checks the result ----

# A client that sends a byte twice per second is cut off, although it is never silent for long.
slow = Server('--index-dir', 'none', log)
ended = cut_after(slow, b'GET /', 60)
crowded = Server('--index-dir', 'none', log)


def threads():
    return len(os.listdir(f'/proc/{crowded.process.pid}/task'))


held = []
for _ in range(200):
    plain = socket.socket()
    plain.setblocking(False)
    try:
        plain.connect(('127.0.0.1', crowded.port))
    except BlockingIOError:
        pass
    held.append(plain)
time.sleep(1)
check(threads() < 100, f'{threads()} threads for 200 connections')

# ---- Secrets ----

other = Server('--index-dir', 'none', log)
check(len(server.token) * 4 >= 128, f'a token of {len(server.token)} digits')
check(server.token != other.token, 'two servers have the same token')
check(server.cookie.split('=')[1] != server.token, 'the cookie is the token')
check(server.cookie.split('=')[0] != other.cookie.split('=')[0],
      'servers at two ports have cookies of one name')
other.end()
for name in ('cmdline', 'environ'):
    with open(f'/proc/{server.process.pid}/{name}', 'rb') as file:
        text = file.read()
    for secret in (server.token, server.cookie.split('=')[1]):
        check(secret.encode() not in text, f'a secret is in /proc/PID/{name}')

_, headers, _ = server.ask('POST', '/session', json.dumps({'token': server.token}))
attributes = [part.strip() for part in headers['Set-Cookie'].split(';')[1:]]
check(sorted(attributes) == ['HttpOnly', 'Path=/', 'SameSite=Strict'],
      f'attributes of the cookie: {attributes}')

# ---- Without the cookie ----

PATHS = ['/log.json', '/tiles?level=20&first=0&count=1&lanes=0', '/overview',
         '/names?host=0&ids=1', '/at?lane=0&t=0', '/events?lanes=0&from=0&to=9',
         '/next?lanes=0&after=0', '/arrows?lanes=0&from=0&to=9',
         '/registered?lanes=0&from=0&to=9', '/next?lanes=0&name=x&after=0',
         '/summary?from=0&to=9', '/search?q=a', '/find?host=0&id=1&after=0', '/notes']
for path in PATHS:
    check(server.ask('GET', path)[0] == 200, f'{path} with the cookie')
    for headers in ({}, {'Cookie': 'evtlog=1'}, {'Cookie': server.cookie[:-1]},
                    {'Cookie': server.cookie + '0'},
                    {'Cookie': server.cookie.split('=')[0] + '=' + server.token},
                    {'Authorization': 'Bearer ' + server.token}):
        status, _, body = server.ask('GET', path, headers=headers, cookie=False)
        check(status == 401, f'{path} with {headers}: {status}')
        check(list(json.loads(body)) == ['error'], f'{path} tells a stranger: {body}')
    check(server.ask('GET', f'{path}{"&" if "?" in path else "?"}token={server.token}',
                     cookie=False)[0] == 401, f'{path} takes the token as a parameter')
status, _, _ = server.ask('PUT', '/notes', '{}', {'If-Match': '"x"'}, cookie=False)
check(status == 401, f'PUT /notes without cookie: {status}')
# Cookies of others come as well.
check(server.ask('GET', '/log.json', headers={'Cookie': f'a=b; {server.cookie}; c=d'},
                 cookie=False)[0] == 200, 'the cookie among others')
for path in ('/', '/app.js', '/app.css'):
    status, _, body = server.ask('GET', path, cookie=False)
    check(status == 200, f'{path} without cookie: {status}')
    for secret in (server.token, 'testhost', log):
        check(secret.encode() not in body, f'{path} holds {secret}')

# ---- Host, Origin and Sec-Fetch-Site ----

HOST = f'127.0.0.1:{server.port}'
for host in (HOST, f'localhost:{server.port}', f'[::1]:{server.port}'):
    check(server.ask('GET', '/log.json', headers={'Host': host})[0] == 200, f'Host: {host}')
for host in ('', 'evil.example', f'evil.example:{server.port}', '127.0.0.1',
             f'127.0.0.1:{server.port + 1}', f'127.0.0.1:{server.port}0', 'localhost',
             f'127.0.0.1.evil.example:{server.port}', f'localhost.:{server.port}',
             f'{HOST}@evil.example', f'127.0.0.2:{server.port}', f'0.0.0.0:{server.port}',
             f'::1:{server.port}', f'LOCALHOST:{server.port}x'):
    for path in ('/', '/log.json'):
        status, _, _ = server.ask('GET', path, headers={'Host': host})
        check(status == 403, f'GET {path} with Host: {host!r}: {status}')
    status, _, _ = server.ask('POST', '/session', json.dumps({'token': server.token}),
                              {'Host': host})
    check(status == 403, f'POST /session with Host: {host!r}: {status}')


def raw(text, family=socket.AF_INET, to=('127.0.0.1', server.port)):
    with socket.socket(family) as plain:
        plain.settimeout(20)
        plain.connect(to)
        plain.sendall(text.encode())
        got = b''
        while True:
            part = plain.recv(65536)
            if not part:
                return got.decode('latin-1')
            got += part


COOKIE = f'Cookie: {server.cookie}\r\n'
for text in (f'GET /log.json HTTP/1.0\r\n{COOKIE}\r\n',
             f'GET /log.json HTTP/1.1\r\nHost: {HOST}\r\nHost: evil.example\r\n{COOKIE}'
             'Connection: close\r\n\r\n',
             f'GET http://evil.example/log.json HTTP/1.1\r\nHost: {HOST}\r\n{COOKIE}'
             'Connection: close\r\n\r\n'):
    answer = raw(text)
    check(answer.split(' ')[1:2] in (['400'], ['403'], ['404']), f'{text!r}: {answer[:100]!r}')

for name, value in (('Origin', 'http://evil.example'), ('Origin', 'null'), ('Origin', ''),
                    ('Origin', f'https://{HOST}'), ('Origin', f'http://localhost:{server.port}'),
                    ('Origin', f'http://127.0.0.1:{server.port + 1}'),
                    ('Origin', f'http://{HOST}.evil.example'),
                    ('Sec-Fetch-Site', 'cross-site'), ('Sec-Fetch-Site', 'same-site')):
    for method, path, body in (('GET', '/log.json', None), ('GET', '/app.js', None),
                               ('POST', '/session', json.dumps({'token': server.token})),
                               ('PUT', '/notes', '{"marks":[]}')):
        status, got, _ = server.ask(method, path, body, {name: value, 'If-Match': '"x"'})
        check(status == 403, f'{method} {path} with {name}: {value}: {status}')
        for header in got:
            check(not header.lower().startswith('access-control'), f'CORS: {header}')
    # A page that a link opens contains no data; the CSP forbids framing it.
    check(server.ask('GET', '/', headers={name: value, 'Sec-Fetch-Mode': 'navigate'})[0] == 200,
          f'a link with {name}: {value}')
    check(server.ask('GET', '/', headers={name: value, 'Sec-Fetch-Mode': 'no-cors'})[0] == 403,
          f'the page as a part of another with {name}: {value}')
    check(server.ask('GET', '/log.json', headers={name: value,
                                                  'Sec-Fetch-Mode': 'navigate'})[0] == 403,
          f'a link to data with {name}: {value}')
for headers in ({'Origin': f'http://{HOST}'}, {'Sec-Fetch-Site': 'same-origin'},
                {'Sec-Fetch-Site': 'none'}):
    check(server.ask('GET', '/log.json', headers=headers)[0] == 200, f'our page with {headers}')
check(server.ask('OPTIONS', '/log.json', headers={'Origin': 'http://evil.example'})[0] == 403,
      'a preflight')

# ---- Headers of each answer ----

WANTED = {
    'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
}
for path, status in [('/', 200), ('/app.js', 200), ('/app.css', 200), ('/none', 404),
                     ('/tiles', 400)] + [(path, 200) for path in PATHS]:
    got, headers, _ = server.ask('GET', path)
    check(got == status, f'{path}: {got}')
    for name, value in WANTED.items():
        check(headers.get_all(name) == [value], f'{path}: {name}: {headers.get_all(name)}')

# ---- Paths and methods that do not exist ----

for path in ('/etc/passwd', '/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/app.js/',
             '//app.js', '/app.js%00', '/notes.json', log, '/LOG.JSON'):
    check(server.ask('GET', path)[0] in (400, 404), f'{path} is answered')
for method in ('HEAD', 'DELETE', 'POST', 'PATCH', 'TRACE', 'X'):
    check(server.ask(method, '/log.json')[0] in (405, 501), f'{method} /log.json')
status, headers, _ = server.ask('DELETE', '/log.json')
check(status == 405 and headers['Allow'] == 'GET', '405 without Allow')

# ---- Wrong tokens ----

WRONG = ['', '0' * 64, server.token[:-1], server.token + '0', server.token.upper() + 'x',
         server.cookie.split('=')[1]]
for token in WRONG:
    start = time.monotonic()
    status, headers, _ = server.ask('POST', '/session', json.dumps({'token': token}))
    check(status == 401, f'token {token!r}: {status}')
    check('Set-Cookie' not in headers, 'a cookie for a wrong token')
    check(time.monotonic() - start > 0.9, 'a wrong token is answered at once')
for body in ('', 'x', '{}', '[]', '{"token":1}', '{"token":"' + server.token,
             '{"token":"' + server.token + '"}x', 'token=' + server.token):
    check(server.ask('POST', '/session', body)[0] == 400, f'/session takes {body!r}')

# Many wrong tokens at once: most are refused, and the right token does not wait for them.
many = [server.connect() for _ in range(30)]
for connection in many:
    connection.connect()
start = time.monotonic()
for connection in many:
    connection.request('POST', '/session', json.dumps({'token': '1' * 64}))
server.enter()
answered, _, _ = select.select([connection.sock for connection in many], [], [], 0)
statuses = [connection.getresponse().status for connection in many]
took = time.monotonic() - start
for connection in many:
    connection.close()
check(set(statuses) == {401, 429} and statuses.count(401) <= 10 * max(took, 1),
      f'30 wrong tokens at once, for {took:.1f} s: {sorted(statuses)}')
check(len(answered) < len(many), 'the right token waits for wrong ones')

# ---- Sizes ----

check(server.ask('POST', '/session', json.dumps({'token': 'x' * 5000}))[0] == 413,
      'a token of 5,000 digits')
check(server.ask('PUT', '/notes', '{"a":"' + 'x' * (1 << 20) + '"}', {'If-Match': '"x"'})[0] == 413,
      'notes of more than 1 MiB')
check(server.ask('GET', '/log.json', 'x' * 10)[0] == 413, 'a body for GET')
# The body comes in pieces, without its length.
with socket.create_connection(('127.0.0.1', server.port), 20) as plain:
    plain.sendall(f'PUT /notes HTTP/1.1\r\nHost: {HOST}\r\n{COOKIE}If-Match: "x"\r\n'
                  'Transfer-Encoding: chunked\r\n\r\n'.encode())
    piece = f'{65536:x}\r\n'.encode() + b'x' * 65536 + b'\r\n'
    cut = 0
    try:
        for cut in range(200):
            plain.sendall(piece)
            time.sleep(0.01)
    except OSError:
        pass
    check(cut < 199, 'a body without end is taken')
for target, headers in (('/search?q=' + 'x' * 100000, ''), ('/log.json', f'X: {"x" * 100000}\r\n'),
                        ('/log.json', 'X: y\r\n' * 20000)):
    try:
        answer = raw(f'GET {target} HTTP/1.1\r\nHost: {HOST}\r\n{COOKIE}{headers}'
                     'Connection: close\r\n\r\n')
    except OSError:
        answer = ''
    check(not answer or answer.split(' ')[1] in ('400', '413', '414', '431'),
          f'100,000 bytes of head: {answer[:60]!r}')
check(server.ask('GET', '/log.json')[0] == 200, 'the server is gone after large requests')

# ---- Other users ----

if os.geteuid() == 0:
    # Another user gets no answer, even with the cookie.
    for address in ('127.0.0.1', '::1') if socket.has_dualstack_ipv6() else ('127.0.0.1',):
        asking = f"""
import socket
try:
    with socket.create_connection(({address!r}, {server.port}), 10) as s:
        s.sendall(b'GET /log.json HTTP/1.1\\r\\nHost: {HOST}\\r\\nCookie: {server.cookie}\\r\\n\\r\\n')
        print(s.recv(100)[:12])
except ConnectionError:
    print(b'')
"""
        for user, wanted in ((65534, "b''"), (0, "b'HTTP/1.1 200")):
            got = subprocess.run(['setpriv', f'--reuid={user}', '--clear-groups', 'python3', '-c',
                                  asking], capture_output=True, text=True, check=False)
            check(got.stdout.startswith(wanted), f'user {user} at {address}: {got}')

# ---- Where it listens ----

listening = subprocess.run(['ss', '-Hltn', f'sport = :{server.port}'], capture_output=True,
                           check=True, text=True).stdout.split('\n')
addresses = sorted(line.split()[3] for line in listening if line)
check(f'127.0.0.1:{server.port}' in addresses, f'listens at {addresses}')
check(set(addresses) <= {f'127.0.0.1:{server.port}', f'[::1]:{server.port}'},
      f'listens at {addresses}')
if len(addresses) == 2:
    answer = raw(f'GET /log.json HTTP/1.1\r\nHost: [::1]:{server.port}\r\n{COOKIE}'
                 'Connection: close\r\n\r\n', socket.AF_INET6, ('::1', server.port))
    check(answer.startswith('HTTP/1.1 200'), f'at [::1]: {answer[:60]}')
refused('--listen', server.port, log, says='is in use')
refused('--listen', '0.0.0.0:8080', log, says='not a valid value')
refused('--listen', f'10.0.0.1:{server.port}', log, says='not a valid value')
refused('--listen', 70000, log, says='not a valid value')
check(server.token not in server.end(signal.SIGINT), 'the token is on standard error')

# ---- A unix socket ----

run = f'{WORK}/run'
os.mkdir(run, 0o700)
path = f'{run}/evtlog.sock'
server = Server('--listen', f'unix:{path}', log)
mode = os.stat(path)
check(stat.S_ISSOCK(mode.st_mode) and stat.S_IMODE(mode.st_mode) == 0o600,
      f'the socket has mode {mode.st_mode:o}')
check(server.address.startswith('http://localhost:8765/#'), f'the address {server.address}')
for host in ('localhost', 'localhost:1', 'localhost:8765', 'localhost:65535'):
    check(server.ask('GET', '/log.json', headers={'Host': host})[0] == 200, f'Host: {host}')
for host in ('evil.example', 'evil.example:8765', 'localhost.evil.example', 'localhost:',
             'localhost:1x', 'localhost:123456', '127.0.0.1.evil.example:8765'):
    check(server.ask('GET', '/log.json', headers={'Host': host})[0] == 403, f'Host: {host}')
check(server.ask('GET', '/log.json', headers={'Host': 'localhost:9',
                                              'Origin': 'http://localhost:8'})[0] == 403,
      'another page of localhost')
refused('--listen', f'unix:{path}', log, says='already exists')
said = server.end()
check(f'ssh -L 8765:{path} ' in said, f'how to forward is not said: {said}')
check(server.token not in said, 'the token is on standard error')
check(not os.path.exists(path), 'the socket is left')

# A socket that a killed server left is replaced.
server = Server('--listen', f'unix:{path},9999', log)
check(server.port == 9999, f'the port of a socket: {server.port}')
server.process.kill()
server.process.wait()
check(os.path.exists(path), 'a socket of one that was killed')
server = Server('--listen', f'unix:{path}', log)
server.end()

# Any other file stays.
with open(path, 'w', encoding='ascii') as file:
    file.write('mine')
refused('--listen', f'unix:{path}', log, says='already exists')
check(os.path.getsize(path) == 4, 'a file was removed')
os.unlink(path)
os.chmod(run, 0o777)
refused('--listen', f'unix:{path}', log, says='may write')
os.chmod(run, 0o1777)
Server('--listen', f'unix:{path}', log).end()
os.chmod(run, 0o700)
refused('--listen', f'unix:{WORK}/none/evtlog.sock', log, says='No such file')
refused('--listen', f'unix:{run}/{"x" * 120}', log, says='too long')

# ---- --open ----

# The program that opens the page gets only the name of a file that no other user may read.
tools = f'{WORK}/tools'
os.mkdir(tools)
with open(f'{tools}/xdg-open', 'w', encoding='ascii') as file:
    file.write(f'#!/bin/sh\necho "$@" >{WORK}/opened\nstat -c %a "$1" >>{WORK}/opened\n'
               f'cat "$1" >>{WORK}/opened\n')
os.chmod(f'{tools}/xdg-open', 0o755)
server = Server('--open', log, env=dict(os.environ, XDG_RUNTIME_DIR=run,
                                        PATH=f'{tools}:{os.environ["PATH"]}'))
until(lambda: os.path.exists(f'{WORK}/opened') and 'refresh' in open(f'{WORK}/opened',
                                                                     encoding='ascii').read(),
      60, '--open opens nothing')
with open(f'{WORK}/opened', encoding='ascii') as file:
    argument, mode, *page = file.read().split('\n')
check(server.token not in argument and mode == '600', f'--open: {argument}, mode {mode}')
check(server.address in '\n'.join(page), f'--open leads to {page}')
server.end()
check(not os.path.exists(argument), 'the file that led to the address is left')

# ---- The results of times and connections ----

# Silent connections are closed soon.
until(lambda: threads() < 10, 60, 'silent connections are held')
for plain in held:
    plain.close()
check(crowded.ask('GET', '/log.json')[0] == 200, 'the server is gone after 200 connections')
cut = ended.result()
check(cut is not None and cut > 5, f'a request of a byte per half second was cut after {cut} s')
crowded.end()
slow.end()
