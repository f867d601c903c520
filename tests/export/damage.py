#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""damage.py with|regions EVTLOG TRACE LOG SEED ROUNDS - a damaged trace causes at most an error

TRACE is a program's OTF2 archive, or a file of libevtlog's regions. In each round, cuts or changes a
copy of TRACE at random, derived from SEED, and exports LOG with this copy. EVTLOG is built with
sanitizers. The export must exit with 0, or with 4 if something is missing, and each function in the
archive must end, or otf2-print must read the archive; or it must exit with 1, print an error, and
leave no files. Of regions, some copies must be exported and some refused, in up to ten times ROUNDS.
"""
import collections
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

import otf2
from otf2 import events

import region_trace

FILES = ("traces.otf2", "traces.def", "traces.def", "traces/0.evt", "traces/0.evt", "traces/1.evt", "traces/0.def")


def cut(data, drawn):
    """Returns the beginning of @data, or None."""
    return data[:drawn.randrange(len(data))] if drawn.random() < .2 else None


def damage_archive(trace, copy, drawn):
    shutil.copytree(trace, copy)
    name = os.path.join(copy, drawn.choice(FILES))
    data = bytearray(open(name, "rb").read())
    short = cut(data, drawn)
    if short is None:
        for _ in range(drawn.choice((1, 1, 2, 5, 20))):
            data[drawn.randrange(len(data))] = drawn.choice((0, 255, drawn.randrange(256)))
    with open(name, "wb") as out:
        out.write(data if short is None else short)
    return ["--with", copy + "/traces.otf2", "--with-clock", "raw"]


def damage_regions(trace, copy, drawn):
    data = bytearray(open(trace, "rb").read())
    short = cut(data, drawn)
    chunks = range(region_trace.HEADER_BYTES, len(data), region_trace.CHUNK_BYTES)
    for _ in range(drawn.choice((1, 1, 2, 5, 20)) if short is None else 0):
        # Damage mostly the first bytes of a chunk: most of the rest is zeros.
        place = drawn.choice(chunks) + drawn.randrange(400) if drawn.random() < .8 else drawn.randrange(168)
        if place + 8 > len(data):
            continue
        if drawn.random() < .5:
            data[place] = drawn.choice((0, 255, drawn.randrange(256)))
        else:
            struct.pack_into("<Q", data, place // 8 * 8, drawn.choice((
                0, 2 ** 64 - 1, 2 ** 63, 2 ** 62 - 1, drawn.randrange(2 ** 64),
                drawn.randrange(1, 8) << 60 | drawn.randrange(10000) << 32 | drawn.randrange(2 ** 32))))
    with open(copy, "wb") as out:
        out.write(data if short is None else short)
    return ["--regions", copy]


def check_archive(path):
    subprocess.run(["otf2-print", path], check=True, stdout=subprocess.DEVNULL)


def check_regions(path):
    depth = collections.Counter()
    with otf2.reader.open(path) as trace:
        for location, event in trace.events:
            if isinstance(event, (events.Enter, events.Leave)):
                depth[location.name] += 1 if isinstance(event, events.Enter) else -1
                if depth[location.name] < 0:
                    raise ValueError(f"{location.name} ends what did not begin")
    if any(depth.values()):
        raise ValueError(f"something does not end: {depth}")


def main():
    kind, evtlog, trace, log, seed, rounds = sys.argv[1:5] + [int(sys.argv[5]), int(sys.argv[6])]
    damage, check, good = {"with": (damage_archive, check_archive, (0,)),
                           "regions": (damage_regions, check_regions, (0, 4))}[kind]
    environment = dict(os.environ, ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="exitcode=99:halt_on_error=1")
    ended = collections.Counter()
    with tempfile.TemporaryDirectory() as work:
        # OTF2's library does not free all memory of an archive that it cannot open.
        suppressions = os.path.join(work, "suppressions")
        with open(suppressions, "w", encoding="ascii") as out:
            out.write("leak:otf2_\nleak:OTF2_\n")
        environment["LSAN_OPTIONS"] = f"suppressions={suppressions}:print_suppressions=0"
        for number in range(rounds if kind == "with" else 10 * rounds):
            if number >= rounds and ended[1]:
                break
            drawn = random.Random(f"{seed} {number}")
            copy, to = os.path.join(work, "trace.1"), os.path.join(work, "to")
            for old in copy, to:
                shutil.rmtree(old, ignore_errors=True)
            os.mkdir(to)
            options = damage(trace, copy, drawn)
            done = subprocess.run([evtlog, "export", "--otf2", to + "/archive", *options, log], env=environment,
                                  check=False, timeout=300, stderr=subprocess.PIPE, encoding="utf-8",
                                  errors="replace")
            ended[done.returncode] += 1
            left = os.listdir(to)
            if done.returncode not in (1, *good) or left != ([] if done.returncode == 1 else ["archive"]) \
               or not done.stderr.startswith("evtlog: "):
                sys.exit(f"damage.py: round {number} of seed {seed}: exits {done.returncode}, leaves {left}: "
                         f"{done.stderr[:3000]}")
            if done.returncode != 1:
                check(to + "/archive/traces.otf2")
    exported = sum(ended.values()) - ended[1]
    print(f"damaged {sum(ended.values())} times: {exported} exported, {ended[1]} refused")
    if kind == "regions" and (exported < rounds / 4 or not ended[1]):
        sys.exit("damage.py: too few are exported, or none is refused")


main()
