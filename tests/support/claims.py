# SPDX-License-Identifier: GPL-2.0-or-later
"""What a test claims, and whether all of it holds.

fail() and check() end the test at the first mistake. claim() prints a line per claim, expect() only
those that do not hold; finish() exits with 1 if there are any.
"""
import sys

# Of one mistake there may be thousands.
PRINTED = 30
wrong = []


def fail(text):
    sys.exit(f"FAIL: {' '.join(sys.argv)}: {text}")


def check(holds, text):
    if not holds:
        fail(text)


def claim(holds, text):
    if holds:
        print("ok    " + text)
    expect(text, holds)


def expect(text, holds):
    if not holds:
        wrong.append(text)
        if len(wrong) <= PRINTED:
            print("WRONG " + text)


def finish():
    sys.exit(bool(wrong))
