#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# hostlist.py EVTLOG SEED COUNT - compares evtlog remote hosts with ClusterShell's NodeSet, an
# independent implementation, for random lists of hosts that are expanded and folded.
import random
import subprocess
import sys

from ClusterShell.NodeSet import NodeSet

evtlog, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)


def hosts(*arguments):
    done = subprocess.run([evtlog, "remote", "hosts", *arguments],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done.stdout.split()


def bracket(width):
    items = []
    for _ in range(rng.randint(1, 4)):
        first = rng.randrange(10 ** width - 12)
        last = first + rng.choice([0, 0, 1, 2, 9])
        item = f"{first:0{width}d}"
        if last > first:
            item += f"-{last:0{width}d}"
            if rng.random() < 0.2:
                item += f"/{rng.randint(1, 4)}"
        items.append(item)
    return "[" + ",".join(items) + "]"


# One width for each name, as in a cluster: NodeSet may sort other names differently.
WIDTHS = {"node": 3, "n-": 2, "rack": 2, "gpu.": 4}


def word(numbers):
    text = ""
    for name in rng.sample(sorted(WIDTHS), numbers):
        text += name
        width = WIDTHS[name]
        if rng.random() < 0.6:
            text += bracket(width)
        else:
            text += f"{rng.randrange(10 ** width):0{width}d}"
    return text + rng.choice(["", "", "-ib", ".lan"])


for turn in range(count):
    numbers = rng.choice([1, 1, 2])
    words = [word(numbers) for _ in range(rng.randint(1, 5))] + ["login"] * rng.randint(0, 1)
    without = word(numbers)
    text = ",".join(words)
    expected = NodeSet(text) - NodeSet(without)
    if not expected:
        continue
    ours = hosts(text, "--exclude", without)
    if sorted(ours) != sorted(expected) or len(set(ours)) != len(ours):
        sys.exit(f"SEED={seed} {text} --exclude {without}:\n{sorted(ours)}\n{sorted(expected)}")
    folded = hosts("--fold", *ours)[0]
    if NodeSet(folded) != expected or sorted(hosts(folded)) != sorted(ours):
        sys.exit(f"SEED={seed} {text} --exclude {without}: folds to {folded}, not {expected}")
    if numbers == 1 and folded != str(expected):
        sys.exit(f"SEED={seed} {text} --exclude {without}: folds to {folded}, not {expected}")
print(f"{count} lists")
