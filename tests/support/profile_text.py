# SPDX-License-Identifier: GPL-2.0-or-later
"""A simple reader of profiles as text: evtlog-profile(5)"""
from claims import fail


def lines(path):
    """Yields the lines with their whole paths, without "end", which version 2 must have."""
    names, version, last = [], 1, ""
    for line in open(path):
        word = line.split()
        if last == "end":
            fail(f"{path}: {line} is behind its end")
        last = line.strip()
        if word[0] == "version":
            version = int(word[1])
        elif line.startswith("  ") and word[0].startswith("."):
            names = names[:int(word[0][1:])] + word[1].split(">")
            line = f"  {'>'.join(names)} {' '.join(word[2:])}\n"
        elif line.startswith("  "):
            names = word[0].split(">")
        if last != "end":
            yield line
    if version >= 2 and last != "end":
        fail(f"{path}: its last line is {last}")
