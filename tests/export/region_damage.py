#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""region_damage.py EVTLOG FILE LOG SEED ROUNDS - a damaged trace of regions causes at most an error

In ROUNDS rounds, or up to ten times as many until one is refused, cuts or changes a copy of FILE at
random, derived from SEED, and exports LOG with this copy. EVTLOG is built with sanitizers. The
export must exit with 0, or with 4 if something is missing, and each region in the archive must end;
or it must exit with 1, print an error, and leave no files.
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


def damage(data, drawn):
    if drawn.random() < .2:
        return data[:drawn.randrange(len(data))]
    data = bytearray(data)
    chunks = range(region_trace.HEADER_BYTES, len(data), region_trace.CHUNK_BYTES)
    for _ in range(drawn.choice((1, 1, 2, 5, 20))):
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
    return bytes(data)


def check_archive(path):
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
    evtlog, file, log, seed, rounds = sys.argv[1:4] + [int(sys.argv[4]), int(sys.argv[5])]
    environment = dict(os.environ, ASAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="exitcode=99:halt_on_error=1")
    ended = collections.Counter()
    whole = open(file, "rb").read()
    with tempfile.TemporaryDirectory() as work:
        for number in range(10 * rounds):
            if number >= rounds and ended[1]:
                break
            drawn = random.Random(f"{seed} {number}")
            copy, to = os.path.join(work, "trace.1"), os.path.join(work, "to")
            shutil.rmtree(to, ignore_errors=True)
            os.mkdir(to)
            with open(copy, "wb") as out:
                out.write(damage(whole, drawn))
            done = subprocess.run([evtlog, "export", "--otf2", to + "/archive", "--regions", copy, log],
                                  env=environment, check=False, timeout=300, stderr=subprocess.PIPE,
                                  encoding="utf-8", errors="replace")
            ended[done.returncode] += 1
            left = os.listdir(to)
            if done.returncode not in (0, 1, 4) or left != ([] if done.returncode == 1 else ["archive"]) \
               or not done.stderr.startswith("evtlog: "):
                sys.exit(f"region_damage.py: round {number} of seed {seed}: exits {done.returncode}, leaves {left}: "
                         f"{done.stderr[:3000]}")
            if done.returncode != 1:
                check_archive(to + "/archive/traces.otf2")
    print(f"damaged {number} times: {ended[0] + ended[4]} exported, {ended[1]} refused")
    if ended[0] + ended[4] < rounds / 4 or not ended[1]:
        sys.exit("region_damage.py: too few are exported, or none is refused")


main()
