# SPDX-License-Identifier: GPL-2.0-or-later
"""Arithmetic of times: lists of (begin, end) in ticks, and what two lists have to do with each other.

A list is sorted and its spans do not overlap, unless it says "any".
"""
import bisect
import math


def union(spans):
    """Of any list: when at least one was."""
    out = []
    for begin, end in sorted(spans):
        if begin >= end:
            continue
        if out and begin <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((begin, end))
    return out


def common(one, two):
    """When both were."""
    out, i, k = [], 0, 0
    while i < len(one) and k < len(two):
        begin, end = max(one[i][0], two[k][0]), min(one[i][1], two[k][1])
        if begin < end:
            out.append((begin, end))
        if one[i][1] < two[k][1]:
            i += 1
        else:
            k += 1
    return out


def without(one, two):
    """When the first was and the second was not."""
    out, k = [], 0
    for begin, end in one:
        while k < len(two) and two[k][1] <= begin:
            k += 1
        i = k
        while i < len(two) and two[i][0] < end:
            if begin < two[i][0]:
                out.append((begin, two[i][0]))
            begin = max(begin, two[i][1])
            i += 1
        if begin < end:
            out.append((begin, end))
    return out


def length(spans):
    """Of any list."""
    return sum(end - begin for begin, end in spans)


def touched(one, two):
    """Spans of the first, any list, that the second overlaps."""
    ends = [end for _, end in two]
    out = []
    for begin, end in one:
        at = bisect.bisect_right(ends, begin)
        if begin < end and at < len(two) and two[at][0] < end:
            out.append((begin, end))
    return out


def shares(spans, begin, end, width):
    """Of any list: the time in each whole interval of that width from begin on."""
    sums = [0] * ((end - begin) // width)
    for first, last in spans:
        first, last = max(first - begin, 0), min(last - begin, len(sums) * width)
        while first < last:
            at = first // width
            stop = min(last, (at + 1) * width)
            sums[at] += stop - first
            first = stop
    return sums


def correlation(one, two):
    """Pearson's coefficient; None where one of them does not vary."""
    count = len(one)
    if count < 2:
        return None
    mean_one, mean_two = sum(one) / count, sum(two) / count
    both = sum((a - mean_one) * (b - mean_two) for a, b in zip(one, two))
    square_one = sum((a - mean_one) ** 2 for a in one)
    square_two = sum((b - mean_two) ** 2 for b in two)
    if not square_one or not square_two:
        return None
    return both / math.sqrt(square_one * square_two)
