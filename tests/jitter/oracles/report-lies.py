#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""report-lies.py EVTLOG DIRECTORY SEED N - evtlog jitter report shows or refuses wrong samples

Each of N files has some wrong numbers and a correct checksum. evtlog jitter report, in any form,
must show a result, or refuse the file with a reason. JSON must be valid. Exits with 1 if not.
"""
import json
import os
import random
import struct
import subprocess
import sys
import zlib

evtlog, directory, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
path = os.path.join(directory, "logged.samples")
with open(path, "rb") as file:
    whole = file.read()
random.seed(seed)
header, = struct.unpack_from("<H", whole, 10)
text, = struct.unpack_from("<I", whole, 24)
shown = 0

for number in range(count):
    data = bytearray(whole[:-4])
    if random.random() < 0.3:
        # Change a character of the text.
        data[header + random.randrange(text)] = random.choice(b"\0\n=\x1b\xff9")
    for _ in range(random.choice((1, 1, 2, 5))):
        at = header + text + 8 * random.randrange(60) if random.random() < 0.8 else \
            header + text + 8 * random.randrange((len(data) - header - text) // 8)
        old, = struct.unpack_from("<Q", data, at)
        value = random.choice((0, 1, 2 ** 64 - 1, 2 ** 63, 2 ** 32, old + 1, old - 1, 2 * old,
                               old ^ 1 << random.randrange(64)))
        struct.pack_into("<Q", data, at, value % 2 ** 64)
    with open(path, "wb") as file:
        file.write(data + struct.pack("<I", zlib.crc32(data)))
    form = random.choice((["--json"], ["--per-cpu"], ["--csv=parts"], ["--csv=samples"],
                          ["--csv"], ["--csv=interruptions"]))
    done = subprocess.run([evtlog, "jitter", "report", *form, directory], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    what = f"{form} of lie {number} by seed {seed}"
    if done.returncode not in (0, 1, 4) or done.returncode and not done.stderr:
        sys.exit(f"{what} exits {done.returncode}: {done.stderr.decode()[-3000:]}")
    if done.returncode == 1 and done.stdout:
        sys.exit(f"{what} fails with something shown")
    if form == ["--json"] and done.returncode != 1:
        json.loads(done.stdout, parse_constant=lambda name: sys.exit(f"{what}: {name}"))
    shown += done.returncode != 1
with open(path, "wb") as file:
    file.write(whole)
print(f"{shown} of {count} lies are shown, the others refused")
