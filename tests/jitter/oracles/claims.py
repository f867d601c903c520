# SPDX-License-Identifier: GPL-2.0-or-later
"""What a judge claims, and whether all of it held.

Stage: under every judge of tests/jitter, so that there is one count of what failed.
"""
import sys

failures = []


def claim(holds, text):
    print(("ok    " if holds else "WRONG ") + text)
    if not holds:
        failures.append(text)


def finish():
    sys.exit(bool(failures))
