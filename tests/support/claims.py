# SPDX-License-Identifier: GPL-2.0-or-later
"""What a test claims of what a guest left, and whether all of it held."""
import sys

failures = []


def claim(holds, text):
    print(("ok    " if holds else "WRONG ") + text)
    if not holds:
        failures.append(text)


def finish():
    sys.exit(bool(failures))
