# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the kernel's profiles as text: evtlog-profile(5)"""


def read(path):
    """Returns {CPU: entry} and {(pid, birth): entry}.

    An entry has its times in ticks, "unmatched", and "paths": {path: [count, inclusive, exclusive,
    largest]}. Sums of ended threads whose process lives are in no entry.
    """
    cpus, tasks, entry = {}, {}, None
    for line in open(path):
        word = line.split()
        # A path may begin with "task", too.
        if line.startswith("  "):
            if word[0] != "value":
                entry["paths"][tuple(word[0].split(">"))] = [int(value) for value in word[1:]]
        elif word[0] == "cpu":
            entry = cpus[int(word[1])] = {"begin": int(word[2]), "until": int(word[3]), "paths": {}}
        elif word[0] == "task":
            entry = tasks[int(word[1]), int(word[3])] = {
                "off": int(word[4]), "unmatched": int(word[5]), "ahead": int(word[6]), "paths": {}}
        elif word[0] == "ended":
            entry = {"paths": {}}
    return cpus, tasks
