#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""lengths.py - compares run queues' lengths in samples with those from the events of the same run.

Usage: lengths.py EVTLOG LOG ARCHIVE

ARCHIVE is from LOG's events: a CPU's function there is the number of tasks that run or wait,
including the sampler. A wake-up is recorded before the task is queued, and a switch after the
blocking task has left. So nearly all lengths are those at the record, or one event before or after
it; sometimes two wake-ups are in progress.
"""
import bisect
import collections
import re
import sys

import otf2
from otf2 import events

import passes

evtlog, log, archive = sys.argv[1:]
CPU = re.compile(r"cpu (\d+) tasks")


def steps():
    """Returns for each CPU the times of changes, and the number from each time on."""
    found = collections.defaultdict(lambda: ([], []))
    with otf2.reader.open(archive + "/traces.otf2") as trace:
        begin = trace.definitions.clock_properties.global_offset
        for location, event in trace.events:
            at = CPU.search(location.name)
            if at and isinstance(event, events.Enter) and event.region.name.isdigit():
                times, numbers = found[int(at.group(1))]
                times.append(event.time - begin)
                numbers.append(int(event.region.name))
    return found


def main():
    found, judged, same, near, last_ns = steps(), 0, 0, 0, 0
    for event in passes.lines(evtlog, log, "dump", "--json"):
        fields, time_ns = event.get("fields") or {}, round(event["time"] * 1e9)
        if event["event"] == "event" and fields["id_name"] == "sampler_cpu":
            times, numbers = found[fields["payload"]["cpu"]]
            length = fields["payload"]["nr_running"]
            # The length was read between the previous record and its own.
            first, behind = bisect.bisect_right(times, last_ns) - 1, bisect.bisect_right(times, time_ns)
            if first >= 1:
                judged += 1
                same += length in numbers[first:behind]
                near += length in numbers[first - 1:behind + 1]
        last_ns = time_ns
    print(f"{log}: {judged} lengths, {same} are those of the events, {near} with one more event")
    if judged < 50 or same < 0.85 * judged or near < 0.97 * judged:
        sys.exit(f"lengths.py: {log}: lengths in samples are not those of the events")


main()
