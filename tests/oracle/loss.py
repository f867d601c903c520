#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""loss.py DIRECTORY none|any|counted|counted-beyond-end [RATE] - checks that every switch is
recorded or counted as lost.

Together they must be exactly the switches that the kernel counted. Each CPU's fastest buffer must
be filled at RATE words per second or more. Exits with 1 if not.
"""
import glob
import os
import re
import sys

from claims import claim, finish
import evl


def check_gaps(log):
    """Every gap is in a header and in a record, with the same limits."""
    for cpu in log.cpus():
        told = {}
        for record in log.records(cpu):
            if record.type == log.number["lost"]:
                told[record.ticks] = record.words[1:]
        gaps = 0
        previous = None
        for buffer in log.buffers[cpu]:
            if buffer.lost[evl.LOST_FULL]:
                gaps += 1
                count, first, last = told.get(buffer.begin_ticks, (0, 0, 0))
                evl.need(count == buffer.lost[evl.LOST_FULL],
                         f"CPU {cpu}: a header counts {buffer.lost[evl.LOST_FULL]} "
                         f"lost, its LOST record {count}")
                evl.need((previous.end_ticks if previous else 0) <= first <= last
                         <= buffer.begin_ticks, f"CPU {cpu}: a gap out of bounds")
            previous = buffer
        evl.need(gaps == len(told), f"CPU {cpu}: LOST records without a gap")
        print(f"      CPU {cpu}: {gaps} gaps, {len(log.buffers[cpu])} buffers")


def counters_at_end(counts):
    """Returns the least and the largest number of COUNTER records lost at the run's end. They
    differ because device interrupts may have come that had no counter at the start."""
    begun = sum(0 in reading for reading in counts.readings.values())
    ended = sum(1 in reading for reading in counts.readings.values())
    log = counts.log
    untold = sum((evl.IRQ, cpu, int(key[4:])) not in counts.readings
                 for cpu in log.cpus() for key in log.text if key.startswith("irq_"))
    return begun - ended, begun - ended + untold


def ctxt(directory, reading):
    with open(os.path.join(directory, f"stat.{reading}")) as file:
        return int(re.search(r"^ctxt (\d+)$", file.read(), re.M).group(1))


def check_rate(log, wanted):
    """Uses only full buffers: others were closed early."""
    for cpu in log.cpus():
        rates = [(len(b.words) * b.ticks_hz / (b.end_ticks - b.begin_ticks))
                 for b in log.buffers[cpu] if not b.flags & evl.FLUSHED]
        if rates:
            claim(max(rates) >= wanted, f"CPU {cpu}: {max(rates):.0f} words/s at most, "
                  f"{min(rates):.0f} at least in a buffer")
        else:
            claim(not wanted, f"CPU {cpu}: no buffer was full")


def main():
    directory, wanted = sys.argv[1:3]
    paths = glob.glob(os.path.join(directory, "*.evl"))
    evl.need(len(paths) == 1, f"{len(paths)} files where one was to be")
    log = evl.Log(paths[0])
    counts = evl.Counts(log)
    check_rate(log, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    check_gaps(log)
    claim(not log.gaps and log.lost() == log.lost(evl.LOST_FULL), "no other loss")
    recorded, lost = counts.of("sched_switch"), log.lost(evl.LOST_FULL)
    outer, inner = (ctxt(directory, 3) - ctxt(directory, 0),
                    ctxt(directory, 2) - ctxt(directory, 1))
    if wanted == "none":
        for cpu in log.cpus():
            claim(len(log.buffers[cpu]) > 2, f"CPU {cpu}: logd made room in its two buffers")
        claim(lost == 0, f"lost {lost}")
        for which, cpu, index, seen, counted in counts.deltas():
            if seen != counted:
                claim(False, f"CPU {cpu} counter {which} {index}: recorded {seen}, "
                      f"counted {counted}")
    elif wanted == "counted":
        claim(lost > 0, f"lost {lost}: there was something to count")
    if wanted == "counted-beyond-end":
        missing, most = counters_at_end(counts)
        claim(missing > 0, f"{missing} to {most} COUNTER records of the end are lost, too")
        switches = recorded + lost - missing
        claim(inner <= switches and switches - (most - missing) <= outer,
              f"recorded {recorded} + lost {lost} - {missing} "
              f"= {switches}, /proc/stat says {inner} to {outer}")
    else:
        for cpu in log.cpus():
            claim(counts.is_whole(cpu), f"CPU {cpu}: told its switches at both ends")
            had, gone = counts.of("sched_switch", cpu), log.lost(evl.LOST_FULL, cpu)
            counted = counts.switches([cpu])
            claim(had + gone == counted, f"CPU {cpu}: recorded {had} + lost {gone} = "
                  f"{had + gone}, it counted {counted}")
        counted = counts.switches(log.cpus())
        claim(recorded + lost == counted, f"recorded {recorded} + lost {lost} = "
              f"{recorded + lost}, the kernel counted {counted}")
        claim(inner <= recorded + lost <= outer,
              f"and /proc/stat {inner} to {outer}")
    finish()


main()
