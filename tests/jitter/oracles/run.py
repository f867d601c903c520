#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""run.py DIRECTORY METHOD... - the samples of evtlog jitter run agree with the log

Prints each comparison; exits with 1 if one fails.
"""
import bisect
import glob
import json
import os
import sys

import boundary
import samples
from boundary import claim

DURATION_NS = 250 * 1000 * 1000	# as in run.sh
METHODS = {"detour": samples.LOOP, "fwq": samples.WORK, "ftq": samples.QUANTUM}


def near(value, expected, share):
    return abs(value - expected) <= share * expected


def summary(said, what, file, thread):
    """The JSON of a CPU agrees with the file."""
    over = file.over_threshold(thread)
    said = said["cpus"][0][what]
    to_ns = 1e9 / file.hz
    claim(said["samples"] == len(thread.samples) and
          said["samples_over_threshold"] == len(over) and
          said["dropped_samples"] == thread.dropped == 0 and
          said["rounds"] == thread.rounds,
          f"{what}: {said['samples']} samples, {len(over)} over the threshold, none dropped")
    total = sum(noise for _, _, noise in over)
    largest = max((noise for _, _, noise in over), default=0)
    claim(abs(said["noise_ns"] - total * to_ns) < 1 and
          abs(said["largest_ns"] - largest * to_ns) < 0.1,
          f"{what}: {said['noise_ns']} ns of noise, at most {said['largest_ns']}")
    window = thread.end - thread.begin
    claim(near(said["window_ns"], DURATION_NS, 0.05) and
          abs(said["window_ns"] - window * to_ns) < 1, f"{what}: {said['window_ns']} ns long")


def loop_adds_up(what, file, thread):
    """All rounds add up to the window: undisturbed, below the threshold, or samples."""
    kept = sum(end - begin for begin, end, _ in thread.samples)
    rest = (thread.rounds - len(thread.samples)) * thread.base_ticks + thread.below
    window = thread.end - thread.begin
    claim(near(kept + rest, window, 0.02),
          f"{what}: {thread.rounds} rounds of {thread.base_ticks} ticks, {thread.below} below "
          f"and {kept} above the threshold make {kept + rest} of {window} ticks")
    claim(thread.threshold == round(1000 * file.hz / 1e9),
          f"{what}: a threshold of {thread.threshold} ticks is 1 us")


def one_to_one(log, thread, over):
    """Each sample contains one interruption, and each long interruption is in a sample."""
    away = [pair for pair in log.away[thread.pid]
            if thread.begin <= pair[0] and pair[1] <= thread.end]
    one, held = 0, set()
    for begin, end, _ in over:
        inside = [pair for pair in away[bisect.bisect_left(away, (begin, 0)):
                                        bisect.bisect_left(away, (end, 0))]
                  if pair[1] <= end]
        one += len(inside) == 1
        held.update(inside)
    claim(over and one >= 0.99 * len(over),
          f"{one} of {len(over)} samples hold one interruption")
    long = [pair for pair in away if pair[1] - pair[0] > thread.threshold + thread.base_ticks]
    claim(all(pair in held for pair in long), f"all {len(long)} longer ones are in a sample")
    rest = [noise - sum(entered - left for left, entered in
                        away[bisect.bisect_left(away, (begin, 0)):
                             bisect.bisect_left(away, (end, 0))])
            for begin, end, noise in over]
    claim(min(rest) > 0 and max(rest) < 500 and max(rest) - min(rest) < 200,
          f"beyond the log's, they took {min(rest)} to {max(rest)} ticks, for the crossing")


def in_samples(log, thread):
    """Returns the ticks and the number of the interruptions in the window."""
    away = [pair for pair in log.away[thread.pid]
            if thread.begin <= pair[0] and pair[1] <= thread.end]
    kernel = sum(entered - left for left, entered in away)
    return kernel, len(away)


def positions(file, log, thread):
    begin, end = thread.positions
    run = int(file.text["run"])
    claim(begin[0] == end[0] == run, f"its positions are of run {run}")
    claim(begin[3] <= thread.begin < thread.end <= end[3] and begin[1:3] < end[1:3],
          "and around its window")
    # The records between the positions are those of the window, and a few around it.
    inside = [record.ticks for record in log.log.records(thread.cpu)
              if begin[3] <= record.ticks <= end[3]]
    claim(inside and thread.begin - begin[3] < 0.05 * (thread.end - thread.begin),
          f"{len(inside)} records are between them")


def meta(file, logged):
    wanted = ("version host kernel boot_id run command started_ns cpu_model threshold_ns "
              "duration_ns clocksource cmdline").split()
    claim(not [key for key in wanted if key not in file.text],
          f"it has {' '.join(sorted(file.text))}")
    claim(file.text["threshold_ns"] == "1000" and file.text["duration_ns"] == str(DURATION_NS) and
          "jitter run" in file.text["command"] and (file.text["run"] != "0") == logged and
          any(key.startswith("irq.") for key in file.text), "and what is right")


def check(directory, method):
    print(f"== {method}")
    place = os.path.join(directory, method)
    with open(place + ".json") as file:
        said = json.load(file)
    (path,) = glob.glob(os.path.join(place, "*.evl"))
    claim(os.path.basename(said["log"]) == os.path.basename(path), f"the log is {said['log']}")
    names = sorted(os.listdir(place))
    claim(("unlogged.samples" in names) == (method == "detour") and "logged.samples" in names and
          len(names) == 2 + (method == "detour"), f"the directory has {' '.join(names)}")
    log = boundary.Boundary(path)
    log.claim_whole()
    file = samples.Samples(os.path.join(place, "logged.samples"))
    claim(file.method == METHODS[method] and file.flags == 1, "method and flags")
    meta(file, True)
    with open(place + ".report") as report:
        stolen = json.load(report)["stolen_ms"]
    # With detour, the time was stolen in the run without a log.
    claim(stolen == (0 if method == "detour" else 70), f"{stolen} ms were stolen")
    (thread,) = file.threads
    summary(said, "logged", file, thread)
    positions(file, log, thread)
    over = file.over_threshold(thread)
    if method == "detour":
        loop_adds_up("logged", file, thread)
        one_to_one(log, thread, over)
        file = samples.Samples(os.path.join(place, "unlogged.samples"))
        claim(file.flags == 0, "the baseline is marked as such")
        meta(file, False)
        summary(said, "unlogged", file, file.threads[0])
        loop_adds_up("unlogged", file, file.threads[0])
        claim(near(said["disturbance_ratio"],
                   said["noise_logged_ns_per_s"] / said["noise_unlogged_ns_per_s"], 1e-3),
              f"logging takes {said['disturbance_ratio']} of the noise without")
        return
    rounds(method, file, log, thread)
    kernel, count = in_samples(log, thread)
    noise = sum(samples.noise(file.method, thread, *sample) for sample in thread.samples)
    claim(0.95 * kernel <= noise <= kernel + 0.02 * (thread.end - thread.begin),
          f"{noise} ticks of noise in all samples, {kernel} in {count} interruptions")


def late_by_itself(log, thread, grid, end):
    """Returns how late after the grid a quantum ends, without the kernel's time in between."""
    return end - grid - sum(min(entered, end) - max(left, grid)
                            for left, entered in log.away[thread.pid]
                            if left < end and entered > grid)


def rounds(method, file, log, thread):
    """Samples follow each other without gaps; quanta end on a grid."""
    claim(all(a[1] == b[0] for a, b in zip(thread.samples, thread.samples[1:])) and
          thread.samples[0][0] == thread.begin and thread.samples[-1][1] == thread.end,
          f"{len(thread.samples)} samples are the whole window")
    length = file.hz // 1000
    if method == "fwq":
        claim(near(thread.base_ticks, length, 0.1),
              f"a piece of work takes {thread.base_ticks} ticks, asked for {length}")
        return
    unit = thread.base_ticks / thread.base_work
    late = [late_by_itself(log, thread, end - (end - thread.begin) % length, end)
            for begin, end, _ in thread.samples if end - begin < 1.5 * length]
    on_grid = sum(ticks <= 2 * unit for ticks in late)
    claim(on_grid >= 0.8 * len(late),
          f"{on_grid} of {len(late)} quanta end within two units of work of the grid")
    claim(thread.base_work > 100, f"{thread.base_work} units of work in a quantum")


for each in sys.argv[2:]:
    check(sys.argv[1], each)
with open(os.path.join(sys.argv[1], "none.report")) as none:
    claim(json.load(none)["stolen_ms"] is None, "without a steal clock it is unknown what was stolen")
boundary.finish()
