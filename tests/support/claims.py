# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions for Python tests that report which claims do not hold.

fail() ends the test, and so does check() if its claim does not hold. claim() prints each claim and
continues; expect() prints only a claim that does not hold, and continues. finish() ends the test,
with 1 if any claim did not hold.
"""
import sys

# One bug may violate thousands of claims: print only the first ones.
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
