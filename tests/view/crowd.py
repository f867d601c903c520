#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Crowds of connections without the cookie do not keep out a connection with the cookie."""
import http.client
import socket
import time

from serving import Server, check, cut_after, make_log

SILENT = 150
# An unknown connection is cut after 15 s, whatever it does. One with the cookie must not wait for
# that.
LONG_S = 60
IN_TIME_S = 10

log = make_log('a.evl', '--events', 2000, '--cpus', 1)
server = Server(log)
HEAD = f'Host: 127.0.0.1:{server.port}\r\n'

# ---- A connection that sends a byte of its body now and then, at a server of its own ----

other = Server('--index-dir', 'none', log)
cut = cut_after(other, f'POST /session HTTP/1.1\r\nHost: 127.0.0.1:{other.port}\r\n'
                'Content-Length: 1000\r\n\r\n'.encode(), LONG_S)


def asks_in_time(what):
    start = time.monotonic()
    try:
        connection = server.connect(timeout=IN_TIME_S)
        status, _, _ = server.ask('GET', '/log.json', connection=connection)
        connection.close()
    except (OSError, http.client.HTTPException) as error:
        status = error
    took = time.monotonic() - start
    check(status == 200 and took < IN_TIME_S, f'{what}: the one with the cookie got {status!r} '
                                      f'after {took:.1f} s')


# ---- The answer to a request without the cookie ends the connection ----

for method, path, cookie, wanted in (('GET', '/', False, 'close'), ('GET', '/app.css', False, 'close'),
                                     ('GET', '/log.json', False, 'close'),
                                     ('GET', '/none', False, 'close'), ('GET', '/', True, None),
                                     ('GET', '/log.json', True, None)):
    _, headers, _ = server.ask(method, path, cookie=cookie)
    check(headers['Connection'] == wanted,
          f'{path}, cookie {cookie}: Connection: {headers["Connection"]}')

# ---- More silent connections than are kept: the oldest are cut ----

owner = server.connect()
check(server.ask('GET', '/log.json', connection=owner)[0] == 200, 'the first answer')
held = [socket.create_connection(('127.0.0.1', server.port), 20) for _ in range(SILENT)]
asks_in_time(f'beside {SILENT} silent ones')
check(server.ask('GET', '/log.json', connection=owner)[0] == 200,
      'one that is known was cut for those that are not')
for plain in held:
    plain.close()

# ---- Connections that ask for the page again and again ----

held = []
start = time.monotonic()
while time.monotonic() - start < 6:
    while len(held) < 70:
        held.append(socket.create_connection(('127.0.0.1', server.port), 20))
    for plain in list(held):
        try:
            plain.sendall(f'GET / HTTP/1.1\r\n{HEAD}\r\n'.encode())
        except OSError:
            held.remove(plain)
    time.sleep(0.3)
    asks_in_time('beside 70 that ask for the page')
    time.sleep(1.5)
for plain in held:
    plain.close()

check(cut.result() is not None, f'a stranger holds a connection for more than {LONG_S} s')
server.end()
other.end()
