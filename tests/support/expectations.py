# SPDX-License-Identifier: GPL-2.0-or-later
"""What a test expects of what was measured; only what does not hold is printed. For a line per
claim, see claims.py.

Times of the kernel's accounts are expected apart: they do not take the same moments, between which
a busy host may stop the guest.
"""

# Of one mistake there may be thousands.
PRINTED = 30
wrong, times_wrong = [], []


def note(found, what):
    found.append(what)
    if len(found) <= PRINTED:
        print("WRONG:", what)


def expect(what, good):
    if not good:
        note(wrong, what)


def expect_time(what, good):
    if not good:
        note(times_wrong, what)


def status():
    """What to exit with: 1; 3 if only times are wrong; 0"""
    return 1 if wrong else 3 if times_wrong else 0
