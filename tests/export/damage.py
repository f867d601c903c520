#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""damage.py EVTLOG TRACE LOG SEED ROUNDS - a damaged trace of a program causes at most an error

In each round, cuts or changes a file in a copy of TRACE at random, derived from SEED, and exports
LOG with this copy. EVTLOG is built with sanitizers. The export must exit with 0, and otf2-print
must read the archive; or it must exit with 1, print an error, and leave no files.
"""
import collections
import os
import random
import shutil
import subprocess
import sys
import tempfile

FILES = ("traces.otf2", "traces.def", "traces.def", "traces/0.evt", "traces/0.evt", "traces/1.evt", "traces/0.def")


def damage(path, drawn):
    name = os.path.join(path, drawn.choice(FILES))
    data = bytearray(open(name, "rb").read())
    if drawn.random() < .2:
        data = data[:drawn.randrange(len(data))]
    else:
        for _ in range(drawn.choice((1, 1, 2, 5, 20))):
            data[drawn.randrange(len(data))] = drawn.choice((0, 255, drawn.randrange(256)))
    with open(name, "wb") as out:
        out.write(data)


def main():
    evtlog, trace, log, seed, rounds = sys.argv[1:4] + [int(sys.argv[4]), int(sys.argv[5])]
    # OTF2's library does not free all memory of an archive that it cannot open.
    environment = dict(os.environ, ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="exitcode=99:halt_on_error=1")
    ended = collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        suppressions = os.path.join(work, "suppressions")
        with open(suppressions, "w", encoding="ascii") as out:
            out.write("leak:otf2_\nleak:OTF2_\n")
        environment["LSAN_OPTIONS"] = f"suppressions={suppressions}:print_suppressions=0"
        for number in range(rounds):
            drawn = random.Random(f"{seed} {number}")
            copy, to = os.path.join(work, "trace"), os.path.join(work, "to")
            for old in copy, to:
                shutil.rmtree(old, ignore_errors=True)
            shutil.copytree(trace, copy)
            os.mkdir(to)
            damage(copy, drawn)
            done = subprocess.run([evtlog, "export", "--otf2", to + "/archive", "--with", copy + "/traces.otf2",
                                   "--with-clock", "raw", log], env=environment, check=False, timeout=300,
                                  stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
            ended[done.returncode] += 1
            left = os.listdir(to)
            if done.returncode not in (0, 1) or left != (["archive"] if done.returncode == 0 else []) \
               or not done.stderr.startswith("evtlog: "):
                sys.exit(f"damage.py: round {number} of seed {seed}: exits {done.returncode}, leaves {left}: "
                         f"{done.stderr[:3000]}")
            if done.returncode == 0:
                read = subprocess.run(["otf2-print", to + "/archive/traces.otf2"], check=False,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                if read.returncode:
                    sys.exit(f"damage.py: round {number} of seed {seed}: otf2-print: {read.stderr[:2000]}")
    print(f"damaged {rounds} times: {ended[0]} exported, {ended[1]} refused")


main()
