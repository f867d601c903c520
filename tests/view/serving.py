# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts the viewer's server, and sends requests to it. Only the command line and HTTP are used."""
import atexit
import concurrent.futures
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time

from claims import check, fail

EVTLOG = os.environ['EVTLOG']
WORK = os.environ['WORK']
MAKE_LOG = os.environ['MAKE_LOG']


def ns(seconds):
    """Returns the ns of seconds as evtlog prints them, with their point."""
    whole, part = str(seconds).split('.')
    return int(whole) * 10**9 + int(part.ljust(9, '0'))


def make_log(name, *options):
    path = f'{WORK}/{name}'
    subprocess.run([MAKE_LOG, *map(str, options), path], check=True)
    return path


def evtlog(*arguments):
    """Returns a command's output; the command may report that events are lost."""
    done = subprocess.run([EVTLOG, *map(str, arguments)], capture_output=True, check=False)
    check(done.returncode in (0, 4), f'evtlog {arguments}: {done.stderr.decode()}')
    return done.stdout


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, host):
        super().__init__(host)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Server:
    """evtlog view, from its start to its end"""

    def __init__(self, *arguments, enter=True, **popen):
        self.arguments = [EVTLOG, 'view', *map(str, arguments)]
        self.process = subprocess.Popen(self.arguments, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, **popen)
        # No server outlives the test.
        atexit.register(self.process.kill)
        self.address = self.process.stdout.readline().decode().rstrip('\n')
        told = re.fullmatch(r'http://(127\.0\.0\.1|localhost):(\d+)/#token=([0-9a-f]+)',
                            self.address)
        if not told:
            self.process.kill()
            fail(f'{self.arguments}: printed {self.address!r} and said '
                 f'{self.process.stderr.read().decode()}')
        self.port = int(told[2])
        self.token = told[3]
        self.unix = next((a[5:].split(',')[0] for a in map(str, arguments) if a.startswith('unix:')), None)
        self.cookie = None
        if enter:
            self.enter()

    def connect(self, timeout=60):
        if self.unix:
            connection = UnixConnection(self.unix, f'localhost:{self.port}')
        else:
            connection = http.client.HTTPConnection('127.0.0.1', self.port)
        connection.timeout = timeout
        return connection

    def ask(self, method, path, body=None, headers=None, cookie=True, connection=None):
        """Returns status, headers, bytes."""
        own = connection or self.connect()
        headers = dict(headers or {})
        if cookie and self.cookie:
            headers.setdefault('Cookie', self.cookie)
        own.request(method, path, body, headers)
        answer = own.getresponse()
        got = answer.status, answer.headers, answer.read()
        if not connection:
            own.close()
        return got

    def enter(self):
        status, headers, _ = self.ask('POST', '/session', json.dumps({'token': self.token}))
        check(status == 204, f'/session answers {status} to its own token')
        self.cookie = headers['Set-Cookie'].split(';')[0]

    def get(self, path, status=200, connection=None):
        """Returns the body of the answer; JSON is decoded."""
        got, headers, body = self.ask('GET', path, connection=connection)
        check(got == status, f'{path}: {got}, not {status}: {body[:300]}')
        if headers['Content-Type'] != 'application/json':
            return body
        return json.loads(body.decode('utf-8', 'strict'))

    def end(self, how=signal.SIGTERM):
        """Ends the server, which must exit with 0 and print nothing more; returns its messages."""
        self.process.send_signal(how)
        try:
            out, said = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            fail(f'{self.arguments}: does not end')
        check(self.process.returncode == 0,
              f'{self.arguments}: exit {self.process.returncode}: {said.decode()}')
        check(out == b'', f'more than one line on standard output: {out}')
        return said.decode()


def refused(*arguments, says):
    """The start fails at once, with one clear message."""
    done = subprocess.run([EVTLOG, 'view', *map(str, arguments)], capture_output=True,
                          timeout=60, check=False)
    said = done.stderr.decode()
    check(done.returncode in (1, 2), f'evtlog view {arguments}: exit {done.returncode}: {said}')
    check(says in said, f'evtlog view {arguments} does not say {says!r}: {said}')
    check(done.stdout == b'', f'evtlog view {arguments} prints {done.stdout}')


def cut_after(server, head, most_s):
    """Returns a future: the seconds until the server cuts a client off; None: more than most_s.

    The client sends head and then a byte twice per second, so that it is never silent for long.
    """
    def wait():
        start = time.monotonic()
        with socket.create_connection(('127.0.0.1', server.port), 20) as slow:
            slow.sendall(head)
            slow.settimeout(0.5)
            while time.monotonic() - start < most_s:
                try:
                    slow.sendall(b'x')
                    if slow.recv(1) == b'':
                        return time.monotonic() - start
                except TimeoutError:
                    pass
                except OSError:
                    return time.monotonic() - start
        return None

    return concurrent.futures.ThreadPoolExecutor().submit(wait)


def until(holds, seconds, what):
    end = time.monotonic() + seconds
    while not holds():
        check(time.monotonic() < end, what)
        time.sleep(0.05)
