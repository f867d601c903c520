#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Damages a copy of a file: cuts it off, or changes some bytes of it.

Usage: damage.py FROM TO ROUND SIZE

The random numbers are derived from SEED in the environment, and from ROUND.
"""
import os
import random
import sys

source, target, number, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
draw = random.Random(f'{os.environ["SEED"]} {number}')
with open(source, 'rb') as file:
    data = bytearray(file.read())
if len(data) != size:
    sys.exit(f'damage.py: {source} is not of {size} bytes')
if number % 3 == 0:
    del data[draw.randrange(size):]
for _ in range(draw.choice((1, 4, 40)) if data else 0):
    data[draw.randrange(len(data))] = draw.randrange(256)
with open(target, 'wb') as file:
    file.write(data)
