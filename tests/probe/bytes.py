#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What bytes.sh has left: the bytes that the module's calls point to."""
import pathlib
import sys

from log import counts, events, fail, raw, value

out = pathlib.Path(sys.argv[1])
AREA = bytes((3 * i * i + 7 * i + 1) & 0xff for i in range(8192))
ARGUMENTS = (out / "arguments").read_bytes().replace(b"@", b"\0")


def memory(which, start, length):
    """What is there; None if not all of it is, or if this does not know it."""
    if which == 3:
        return ARGUMENTS[start:start + length] if start + length <= len(ARGUMENTS) else None
    begin = {0: 0, 1: 1, 2: len(AREA) - 12}.get(which, len(AREA)) + start
    return AREA[begin:begin + length] if begin + length <= len(AREA) else None


checked = faulted = 0
for length in (1, 7, 8, 9, 15, 16, 23, 100, 1991):
    for kind in ("entry", "return"):
        listed, logged = counts(out / f"{kind}-{length}.txt"), events(out / f"{kind}-{length}.evl")
        for probe in listed:
            # Names of deleted probes are still there.
            name = probe.replace("+", "_").replace("%", "_")
            fields, payloads = logged[name]
            if len(payloads) != 6:
                fail(f"{name}, {length} bytes: {len(payloads)} calls of 6")
            faults = unknown = 0
            for which, payload in enumerate(payloads):
                where = f"{name}, {length} bytes, call {which}"
                if (value(payload, fields[0]), value(payload, fields[3])) != (which, which):
                    fail(f"{where}: {payload}")
                for field, start in ((fields[1], 0), (fields[2], 3)):
                    expected, found = memory(which, start, length), raw(payload, field)
                    if which == 3 and expected is None:
                        unknown += 1
                        continue
                    if found != (expected or bytes(length)):
                        fail(f"{where}, from {start}: {found}, not {expected}")
                    faults += expected is None
                    checked += 1
            if not 0 < faults <= int(listed[probe]["faults"]) <= faults + unknown:
                fail(f"{name}, {length} bytes: {listed[probe]['faults']} faults of {faults}")
            faulted += faults
        mechanisms = [probe["mechanism"] for probe in listed.values()]
        if mechanisms not in (["direct", "kprobe"], ["direct", "jump"], ["return"]):
            fail(f"{kind}: mechanisms {mechanisms}")
print(f"{checked} times as in memory, of which {faulted} were not there")
