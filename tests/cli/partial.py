#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""partial.py DIRECTORY SEED - joins partial results in random groups, and damages some.

EVTLOG and MAKE_LOG are the programs. Each join is compared with evtlog stat of all logs.
"""
import os
import random
import subprocess
import sys

from claims import fail

EVTLOG = os.environ["EVTLOG"]
work, seed = sys.argv[1], int(sys.argv[2])
rand = random.Random(seed)
OPTIONS = [[], ["--top", "3"], ["--sort", "p99", "--cpu", "0"], ["--from", "2ms", "--to", "5ms"],
           ["--comm", "*1*"], ["--top", "0", "--sort", "name"]]
files = 0


def run(args, stdin=None):
    return subprocess.run([EVTLOG, "stat", *args], input=stdin, capture_output=True)


def new_file(content):
    global files
    files += 1
    path = f"{work}/{files}.part"
    with open(path, "wb") as out:
        out.write(content)
    return path


def make(host):
    path = f"{work}/h{host}.evl"
    subprocess.run([os.environ["MAKE_LOG"], "--host", f"h{host}", "--boot", str(host),
                    "--events", str(rand.randint(200, 4000)), "--cpus", str(rand.randint(1, 4)),
                    "--compress", str(rand.randint(0, 4)), "--seed", str(rand.randrange(1 << 30)),
                    "--lose", str(rand.choice([0, 0, 3])),
                    *rand.choice([[], [], ["--off", "sched_switch", "--told"], ["--meta", "tree=100"]]), path], check=True)
    return path


def partial(options, logs):
    done = run(["--partial", *options, *logs])
    if done.returncode not in (0, 4):
        fail(f"--partial {options} {logs} exits {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def split(items):
    """Returns random parts, in the order of items."""
    parts = []
    while items:
        count = rand.randint(1, len(items))
        parts.append(items[:count])
        items = items[count:]
    return parts


def joined(options, logs, depth):
    """Returns a partial result of logs, from random joins."""
    if depth == 0 or len(logs) == 1:
        return partial(options, logs)
    parts = [joined(options, part, depth - 1) for part in split(logs)]
    if rand.random() < 0.3:
        return b"".join(parts)
    done = run(["--join", "--partial", *map(new_file, parts)])
    if done.returncode:
        fail(f"a join of {len(parts)} exits {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def compare(options, logs):
    parts = [joined(options, part, rand.randint(0, 2)) for part in split(logs)]
    for form in [], ["--json"]:
        wanted = run([*form, *options, *logs])
        if rand.random() < 0.5:
            got = run(["--join", *form, "-"], stdin=b"".join(parts))
        else:
            got = run(["--join", *form, *map(new_file, parts)])
        if got.stdout != wanted.stdout:
            fail(f"{options} {form}: {len(logs)} logs joined of {len(parts)} differ from one process")
        # --partial reports that a log does not contain the time.
        lacks = b"".join(line for line in wanted.stderr.splitlines(True)
                         if b"is after the end" not in line)
        if got.returncode != wanted.returncode or got.stderr != lacks:
            fail(f"{options}: the join exits {got.returncode}: {got.stderr.decode()}; "
                 f"one process {wanted.returncode}: {wanted.stderr.decode()}")


def damage(good):
    bad = bytearray(good)
    if rand.random() < 0.3:
        del bad[rand.randrange(1, len(bad)):]
    else:
        bad[rand.randrange(len(bad))] ^= 1 << rand.randrange(8)
    got = run(["--join", new_file(bad)])
    said = got.stderr.decode(errors="replace")
    if got.returncode != 1 or got.stdout or said.count("\n") != 1:
        fail(f"a damaged partial ({files}.part) exits {got.returncode}: {said}")


logs = [make(host) for host in range(1, 6)]
for count in range(1, 6):
    compare(rand.choice(OPTIONS), rand.sample(logs, count))
good = joined([], logs[:3], 1)
for _ in range(20):
    damage(good)
