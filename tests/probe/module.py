#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks the output of module.sh: all calls while the probes existed, with their arguments."""
import pathlib
import sys

from claims import fail
from log import events, raw, value

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
    # Three times 100 calls; of the other calls, some met the probe before its deletion.
    if numbers[:100] != [-i for i in range(100)] or not 300 <= len(numbers) <= 600:
        fail(f"{name}: {len(numbers)} calls, {numbers[:100]}")
    if len(fields) > 1 and {raw(p, fields[1]) for p in payloads} != {b"evtlog's module"}:
        fail(f"{name}: text {payloads[0]}")
    print(f"{name}: {len(numbers)} of 600 calls")

total = 0
for i in range(1, 23):
    total = (31 * total + i) % 2**64
logged = events(out / "return.evl")
for name, wanted in (("many_arguments_return", [(total, 6)] * 100),
                     ("probed_function_return", [(-i,) for i in range(100)])):
    fields, payloads = logged[name]
    found = [tuple(value(p, field) for field in fields) for p in payloads]
    if found != wanted:
        fail(f"{name}: {found[:5]}, {len(found)} of {len(wanted)}")
if not logged["__sysvec_apic_timer_interrupt_return"[:31]][1]:
    fail("the timer's interrupt is not hit")
print(f"returns: {[(name, len(payloads)) for name, (_, payloads) in logged.items()]}")

lines = [line.split() for line in (out / "handler.txt").read_text().splitlines()
         if line.startswith("probe")]
logged = events(out / "handler.evl")
for name, line, wanted in (("evtlog_probe_test_probed_function"[:31], lines[0], range(0, -100, -2)),
                           ("probed_function_5", lines[1], range(0, -50, -2))):
    fields, payloads = logged[name]
    numbers = [value(p, fields[-1]) for p in payloads]
    if numbers != list(wanted) or int(line[11]) != 100 - len(wanted):
        fail(f"{name}: handler: {numbers}, {line}")
    print(f"{name}: {len(numbers)} even numbers, {line[11]} rejected")

# Nested hits that would read memory are lost, as in runs; all others are recorded.
lines = [line.split() for line in (out / "nested.txt").read_text().splitlines()
         if line.startswith("probe")]
counts = [dict(zip(line[4::2], line[5::2])) for line in lines]
found = [(int(c["recorded"]), int(c["lost"])) for c in counts]
if found != [(100, 0), (0, 100), (100, 0)] * 2:
    fail(f"nested: recorded, lost: {found}")
for line in (out / "nested.buffers").read_text().splitlines():
    words = line.split()
    state = dict(zip(words[4::2], words[5::2]))
    if (state["records"], state["lost"]) != ("200", "100"):
        fail(f"nested: {line}")
print(f"nested: {found}")

# Hits that kprobes misses are lost, and the counters add up.
lines = [line.split() for line in (out / "missed.txt").read_text().splitlines()
         if line.startswith("probe")]
counts = [dict(zip(line[4::2], line[5::2])) for line in lines]
found = [(c["hits"], c["recorded"], c["lost"]) for c in counts]
if found != [("100", "100", "0"), ("100", "0", "100")]:
    fail(f"missed: hits, recorded, lost: {found}")
print(f"missed: {found}")
