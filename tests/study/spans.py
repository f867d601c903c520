# SPDX-License-Identifier: GPL-2.0-or-later
"""Arithmetic of times: lists of (begin, end) in ticks, and relations of two lists.

A list is sorted and its spans do not overlap, unless "any list" is stated.
"""
import bisect
import math


def union(spans):
    """Returns when at least one of the spans was, for any list."""
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
    """Returns when both were."""
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
    """Returns when the first was and the second was not."""
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
    """Returns the total length of any list."""
    return sum(end - begin for begin, end in spans)


def touched(one, two):
    """Returns the spans of the first, any list, that overlap the second."""
    ends = [end for _, end in two]
    out = []
    for begin, end in one:
        at = bisect.bisect_right(ends, begin)
        if begin < end and at < len(two) and two[at][0] < end:
            out.append((begin, end))
    return out


def shares(spans, begin, end, width):
    """Returns the time of any list in each whole interval of this width from begin on."""
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
    """Returns Pearson's coefficient; None if one list does not vary."""
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
