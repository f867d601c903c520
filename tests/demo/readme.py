#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# readme.py guest|host - prints the commands of README.md that run there: HOW, a tab, and the line as it
# stands, but for the names of 128 hosts, a minute of measuring, and make, which tests/run has run.
import re
import sys

# First words of a command; what has another one is output, or a continued line.
WORDS = r"(evtlog|make|PATH=|kernel-patches/|apt-get|tar|patch|cp|scripts/|echo|tests/|/etc/)"
SHORTER = ("node[001-128]", "node1"), ("--duration 60s", "--duration 200ms"), (" && make guest", "")
# Where and how each command is run: "run" ends by itself, "until" ends on a signal. Else the test that runs it.
RULES = [
    (r"make (demo|check|bench)", "the builds themselves"),
    (r"(tests/depend|apt-get install \./)", "tests/install/installed.test"),
    (r"make -j", "tests/install/package.test"),
    (r"(apt-get|tar|patch|cp|scripts/)", "tests/install/package.test"),
    (r"kernel-patches/scripts/make-patch", "tests/kernel"),
    (r"PATH=", "tests/demo/readme.test sets it"),
    (r"evtlog remote gather", "tests/cluster/gather.test: it needs ssh"),
    (r"evtlog (stat|why|dump .*) .*out/demo", "host run"),
    (r"evtlog (view|export|query|dump --limit 100 logs)", "host run"),
    (r"evtlog jitter (report|scale)", "host run"),
    (r"evtlog record --tree job", "guest until"),
    (r"evtlog (buffer record|profile top)", "guest until"),
    (r"evtlog|echo|/etc/init.d/evtlog", "guest run"),
]


def commands(text):
    """Of indented blocks, continued lines as one"""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if line.startswith("    ") and re.match(WORDS, line[4:]):
            yield line[4:]


def main():
    used = set()
    with open("README.md", encoding="utf-8") as file:
        lines = list(commands(file.read()))
    for line in lines:
        rule = next(i for i, (begin, _) in enumerate(RULES) if re.match(begin, line))
        used.add(rule)
        where, _, how = RULES[rule][1].partition(" ")
        if where == sys.argv[1]:
            for old, new in SHORTER:
                line = line.replace(old, new)
            print(f"{how}\t{line}")
    missing = [RULES[i][0] for i in range(len(RULES)) if i not in used]
    if missing or len(lines) < 40:
        sys.exit(f"README.md: {len(lines)} commands; none of {missing}")


main()
