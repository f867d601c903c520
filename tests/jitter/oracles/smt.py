#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""smt.py SHARED APART - noise without records is by the core's other thread, if there is one

Prints each comparison; exits with 1 if one fails.
"""
import json
import os
import sys

import samples
from boundary import claim, finish


def totals(directory):
    with open(os.path.join(directory, "report.json")) as file:
        sources = json.load(file)["sources"]
    found = {"smt": 0.0, "hardware": 0.0}
    for source in sources:
        # The crossing always belongs to the machine.
        if source["family"] in found and source["name"] != "crossing":
            found[source["family"]] += source["total_ns"]
            claim(source["inferred"], f"{source['name']}: {source['total_ns']} ns, inferred")
    return found["smt"], found["hardware"]


def text(directory):
    return samples.Samples(os.path.join(directory, "logged.samples")).text


shared, apart = sys.argv[1:]
claim(text(shared).get("smt.0") == "0-1", "CPU 0 and 1 are one core by the samples")
smt, hardware = totals(shared)
claim(smt > 1e6 and smt > 10 * hardware,
      f"one core: {smt} ns are its other thread's, {hardware} the machine's")
claim("smt.0" not in text(apart), "each is a core of its own by the samples")
smt, hardware = totals(apart)
claim(smt == 0 and hardware > 1e6, f"two cores: {hardware} ns are the machine's")
finish()
