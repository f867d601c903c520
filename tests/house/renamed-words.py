# SPDX-License-Identifier: GPL-2.0-or-later
"""Turns output of evtlog 0.6 into that of this version: names change, numbers do not.

Usage: renamed-words.py [--json] COMMAND < OLD > NEW

COMMAND is stat, check, info, dump or "jitter report".  Spaces between columns are one space,
as the width of columns differs; the keys of JSON keep their order.
"""
import re
import sys

KEYS = {
    "dump": {"place": "context"},
    "stat": {},
    "check": {"strangers": "task_mismatches", "unnested": "nesting_errors",
              "crossed_wrong": "crossing_errors", "orders": "constraints", "parts": "intervals",
              "begin_ns": "start_ns"},
    "info": {"begin": "start", "begin_real_ns": "start_real_ns", "begin_raw_ns": "start_raw_ns",
             "ordered_before_begin_ns": "requested_before_start_ns"},
    "jitter report": {"started_real_ns": "start_real_ns", "begin_ns": "start_ns",
                      "unseen_interruptions": "unsampled_interruptions"},
}

# What strings become: (key, old): new
VALUES = {
    ("event", "begin"): "start",
    ("method", "loop"): "detour", ("method", "work"): "fwq", ("method", "quantum"): "ftq",
}

N = r"(-?[0-9.]+)"

TEXT = {
    "dump": [
        ("-- CPU begins", "-- CPU starts"),
        ("-- nothing known since ", "-- gap since "),
        ("-- log ends here: the rest is missing", "-- log ends: the rest is missing"),
        ("-- kernel's counters at the (.*); --counters shows them",
         r"-- kernel counters at the \1; --counters shows all"),
    ],
    "stat": [
        ("^Time of CPUs in %", "CPU time in %"),
        ("^Tasks; run time in ms and % of one CPU; latency from wake-up to running in us",
         "Tasks; latency is from wake-up to running, in us"),
        ("^name pid run % ", "name pid run ms CPU % "),
        (r"^\.\.\. and ", "... "),
        (r"\bgone\b", "exited"),
        ("us each$", "mean us"),
        (" of other numbers ", " other numbers "),
        (" entered unseen ", ", entry not seen "),
        ("^Not recorded, so unknown:", "Not recorded (shown as -):"),
        (f"from {N} s on,", r"from \1 s,"),
    ],
    "check": [
        (": all is well$", ": ok"),
        ("were lost while recording$", "were lost during recording"),
        ("file closed in order", "file closed"),
        ("the end of the run is NOT in the file", "the end of the run is MISSING"),
        ("in order of time$", "in time order"),
        (" is gone$", " is missing"),
        (" are gone$", " are missing"),
        ("orders between CPUs agree", "constraints between CPUs hold"),
        ("no task was on two CPUs", "no task ran on two CPUs"),
        ("agree with the kernel's", "agree with the kernel"),
        ("more of which nothing happened", "more are zero"),
        ("more of which a reading is missing", "more lack a reading"),
        ("^parts each CPU's own,", "intervals per CPU,"),
        ("no event, no counters", "no events, no counters"),
        ("not complete: events were lost", "not complete: events lost"),
        ("NOT COMPLETE: counters do not agree", "NOT COMPLETE: counts differ"),
        ("not proved: a counter's reading is missing", "not proved: a counter reading is missing"),
    ],
    "info": [
        ("^begin ", "start "),
        (f"^ordered {N} s before the begin", r"requested \1 s before the start"),
        (f"^clock ticks of {N} MHz, right within {N} ns", r"clock \1 MHz, error <= \2 ns"),
        ("; the kernel does not trust it", "; not trusted by the kernel"),
        ("nothing is known of", "no data of"),
        (", closed in order", ", closed"),
        ("'evtlog check' tells which", "'evtlog check' lists them"),
        ("the end of the run is not in the file", "the end of the run is missing"),
        ("its CPU time is unknown", "CPU time unknown"),
        ("^not ", "not rec. "),
    ],
    "jitter report": [
        (f"^Measured by a loop that reads the time, samples of more than {N} ns; a tick is {N} ns",
         r"Method detour (a loop reads the tick counter), threshold \1 ns, \2 ns per tick"),
        (f"^{N} samples, of which {N} % match one interruption each; {N} excluded, {N} not kept",
         r"Samples \1, matched \2 %, excluded \3, dropped \4"),
        (f"^Noise {N} us, of which {N} % recorded, {N} % crossings, {N} % other inferred; ",
         r"Noise \1 us: recorded \2 %, crossings \3 %, other inferred \4 %; "),
        (f"^{N} interruptions of {N} us in the log, {N} of them in no sample",
         r"Interruptions in the log \1, total \2 us, \3 in no sample"),
        (fr"^A CPU lost {N} us each second \({N} %\), {N} us without logging: factor {N}",
         r"Noise per CPU: \1 us/s (\2 %) with logging, \3 us/s without, ratio \4"),
        ("times in us, a part's own without what is nested in it",
         "times in us, without nested sources"),
        ("lowest highest", "min max"),
        ("wakings period in ms$", "wake-ups period ms"),
        ("not recorded by the kernel, but what is left of the samples",
         "the part of the samples that the kernel did not record"),
        ("^Largest interruptions, us; of each part its begin, its own time and its source",
         "Largest interruptions in us; parts: + start, own time, source"),
        (f"parts of {N}$", r"parts, \1"),
        (f"the program saw {N}:", r"sample \1:"),
        ("; ([0-9]+) interruptions in one$", r", \1 interruptions"),
        (" goes on$", " resumed"),
        ("^Patterns of interruptions that recur, us", "Recurring interruption patterns, us"),
        ("sources in the order of their begin", "sources in start order"),
        ("^Tasks that come one after the other, us from the first's begin to the last's",
         "Task chains, us from the first start to the last"),
    ],
}


def rename_json(line, command):
    def key(found):
        return f'"{KEYS[command].get(found[1], found[1])}":'

    def value(found):
        return f'"{found[1]}":{found[2]}"{VALUES.get((found[1], found[3]), found[3])}"'

    line = re.sub(r'"(\w+)":(?=[ 0-9"\[{tfn-])', key, line)
    return re.sub(r'"(\w+)":( ?)"(\w+)"', value, line)


def rename_text(line, command):
    line = re.sub(" +", " ", line.rstrip("\n")).strip(" ")
    for old, new in TEXT[command]:
        line = re.sub(old, new, line)
    return line + "\n"


def main():
    is_json = sys.argv[1] == "--json"
    command = sys.argv[-1]
    for line in sys.stdin:
        sys.stdout.write(rename_json(line, command) if is_json else rename_text(line, command))


main()
