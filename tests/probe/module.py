#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What module.sh has left: all calls while the probes were there, with their arguments."""
import pathlib
import sys

from log import events, fail, raw, value

out = pathlib.Path(sys.argv[1])
lines = [line.split() for line in (out / "module.txt").read_text().splitlines()
         if line.startswith("probe")]
if [(line[5], line[9]) for line in lines] != [("direct", "100"), ("kprobe", "100")] * 3 and \
        [(line[5], line[9]) for line in lines] != [("direct", "100"), ("jump", "100")] * 3:
    fail(f"mechanism, recorded: {[(line[5], line[9]) for line in lines]}")
logged = events(out / "module.evl")
for name in ("evtlog_probe_test_probed_function"[:31], "probed_function_5"):
    fields, payloads = logged[name]
    numbers = [value(p, fields[0]) for p in payloads]
    # Three times 100 calls; of 100 more, some met the probe before it was deleted.
    if numbers[:100] != [-i for i in range(100)] or not 300 <= len(numbers) <= 600:
        fail(f"{name}: {len(numbers)} calls, {numbers[:100]}")
    if len(fields) > 1 and {raw(p, fields[1]) for p in payloads} != {b"evtlog's module"}:
        fail(f"{name}: text {payloads[0]}")
    print(f"{name}: {len(numbers)} of 600 calls")
