#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hotplug.py FILE... - checks that each run contains all switches while CPUs go offline and online.

Exits with 1 if not, or if no CPU was offline in any run.
"""
import sys

import evl


def main():
    failed = returns = 0
    for path in sys.argv[1:]:
        log = evl.Log(path)
        counts = evl.Counts(log)
        if log.lost():
            print(f"run {log.run}: {log.lost()} records lost, not compared")
            continue
        # A CPU that was online at both ends has its counters at both ends.
        whole = [cpu for cpu in log.cpus() if counts.is_whole(cpu)]
        recorded = sum(counts.of("sched_switch", cpu) for cpu in whole)
        counted = counts.switches(whole)
        away = sum(bool(buffer.flags & evl.FLUSHED and not buffer.flags & evl.FINAL)
                   for buffers in log.buffers.values() for buffer in buffers)
        returns += away
        untold = [cpu for cpu in log.cpus() if cpu not in whole and not log.was_away(cpu)]
        wrong = recorded != counted or untold or 0 not in whole
        # During the first run every CPU went offline and came back.
        wrong = wrong or (log.run == 1 and len(whole) < len(log.cpus()))
        for which, cpu, index, seen, kernel in counts.deltas():
            if seen != kernel:
                print(f"WRONG run {log.run}: CPU {cpu} counter {which} {index}: "
                      f"recorded {seen}, counted {kernel}")
                wrong = True
        failed += bool(wrong)
        print(f"{'WRONG' if wrong else 'ok   '} run {log.run}: {len(log.cpus())} CPUs, "
              f"{len(whole)} whole, {away} departures, recorded {recorded}, counted {counted}")
    print(f"{returns} departures of CPUs in {len(sys.argv) - 1} runs")
    sys.exit(bool(failed or not returns))


main()
