#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""prompt.py LOG - types to evtlog query on a terminal, and checks its answers

EVTLOG is the program.
"""
import os
import pty
import re
import select
import signal
import sys
import time

PROMPT, MORE = "evtlog> ", "   ...> "
LINE_S = 60
ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r;"


class Terminal:
    def __init__(self, *args):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM="vt100", COLUMNS="200")
            os.execv(os.environ["EVTLOG"], [os.environ["EVTLOG"], "query", *args])
        self.wait_for(PROMPT)

    def fail(self, text):
        os.kill(self.pid, signal.SIGKILL)
        sys.exit(f"prompt.py: {text}: {self.text!r}")

    def read_more(self, seconds):
        """Returns False if the program ended."""
        if not select.select([self.fd], [], [], seconds)[0]:
            self.fail("no answer")
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        # Remove the terminal's control sequences for editing a line.
        self.text += re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", data.decode(errors="replace"))
        return bool(data)

    def wait_for(self, text):
        """Returns the output before @text, which must be the last: a line is drawn in parts."""
        end = time.monotonic() + LINE_S
        while not self.text.endswith(text) or select.select([self.fd], [], [], 0.1)[0]:
            if not self.read_more(max(end - time.monotonic(), 0)):
                self.fail(f"it ended before {text!r}")
        before, self.text = self.text[:-len(text)], ""
        return before.replace("\r", "")

    def type(self, keys, until=PROMPT):
        os.write(self.fd, keys.encode())
        return self.wait_for(until)

    def says(self, line, *wanted, until=PROMPT):
        """Returns the lines after the typed line, which must contain @wanted."""
        said = self.type(line + "\n", until).split("\n", 1)[1]
        for text in wanted:
            if text not in said:
                self.text = said
                self.fail(f"{line!r}: no {text!r}")
        return said

    def ends(self, keys):
        """Returns the output from here on, and the exit status."""
        os.write(self.fd, keys.encode())
        while self.read_more(LINE_S):
            pass
        return self.text.replace("\r", ""), os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def same(what, got, wanted):
    if got != wanted:
        sys.exit(f"prompt.py: {what}: {got!r}, not {wanted!r}")


log = sys.argv[1]
terminal = Terminal(log)
# A statement of several lines, a line of several statements, an empty line
terminal.says("SELECT 40 +", until=MORE)
terminal.says("", until=MORE)
same("three lines", terminal.says("2 AS sum;"), "sum\n 42\n")
same("two statements", terminal.says("SELECT 1 AS a; SELECT 2 AS b;"), "a\n1\n\nb\n2\n")
same("an empty line", terminal.says(""), "")
# Commands; .mode changes the form of all rows that follow.
terminal.says(".tables", "sched_slice\n", "wakeup\n")
terminal.says(".schema wakeup", "CREATE TABLE wakeup (\n", "waker_utid INTEGER")
terminal.says(".help", ".schema")
terminal.says(".mode csv")
same("CSV", terminal.says("SELECT 'a,b' AS x, NULL AS y;"), 'x,y\n"a,b",\n')
terminal.says(".mode json")
same("JSON", terminal.says("SELECT 'a,b' AS x, NULL AS y;"), '{"x": "a,b", "y": null}\n')
terminal.says(".mode paper", "not one of text, csv and json")
terminal.says(".mode text")
# Errors are reported, and the prompt continues.
terminal.says("SELECT frist FROM thread;", "line 1, column 8: no such column: frist")
terminal.says("SELECT 1;;", "1\n")
terminal.says(".nothing", "no such command")
terminal.says("ATTACH 'x' AS x;", "query: ")
terminal.says("CREATE TEMP TABLE t AS SELECT 7 AS a;")
same("a table that stays", terminal.says("SELECT a FROM t;"), "a\n7\n")
# History: the line before the last, then the last line
terminal.says("SELECT 11 AS eleven;", "11\n")
terminal.says("SELECT 12 AS twelve;", "12\n")
if "11\n" not in terminal.type("\x1b[A\x1b[A\n"):
    terminal.fail("the history lacks the line before the last")
if "11\n" not in terminal.type("\x10\n"):
    terminal.fail("Ctrl-P does not give the last line")
# Ctrl-C stops a statement, not the program; at the prompt it discards what was typed.
os.write(terminal.fd, (ENDLESS + "\n").encode())
time.sleep(0.5)
stopped = terminal.type("\x03")
if "query: interrupted" not in stopped:
    terminal.fail(f"Ctrl-C did not stop the statement: {stopped!r}")
same("behind Ctrl-C", terminal.says("SELECT count(*) > 100 AS many FROM wakeup;"), "many\n   1\n")
terminal.type("\x03")
terminal.says("SELECT 99 +", until=MORE)
os.write(terminal.fd, b"SELECT 98")
terminal.type("\x03")
same("a new statement behind Ctrl-C", terminal.says("SELECT 13 AS new;"), "new\n 13\n")
# Control characters in names are escaped.
os.write(terminal.fd, b"SELECT DISTINCT name FROM thread WHERE name LIKE 'a%';\n")
if "a\\x1b[1m" not in terminal.wait_for(PROMPT):
    terminal.fail("a name is printed as it is")
said, status = terminal.ends("\x04")
same("Ctrl-D: status", status, 0)
same("Ctrl-D: what it prints", said.split(PROMPT)[-1].strip("^D\b "), "\n")

terminal = Terminal("--csv", log)
same("--csv", terminal.says("SELECT 1 AS a, 2 AS b;"), "a,b\n1,2\n")
same(".quit: status", terminal.ends(".quit\n")[1], 0)
# Ctrl-D ends the program within a statement, too.
terminal = Terminal(log)
terminal.says("SELECT", until=MORE)
same("Ctrl-D within a statement", terminal.ends("\x04")[1], 0)
print("all of it")
