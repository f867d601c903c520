#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""put.py DIRECTORY - checks that the log contains the events that evtlog_put() reported as logged.

Each event has its place as id and a sequence number as data: none may be missing, repeated or out
of order. Events put by NMIs may only be lost if they are counted.
"""
import glob
import os
import sys

from claims import claim, finish
import evl


def read_answers(path):
    """Returns {id: {answer: count}} and {id: name}."""
    answers, names = {}, {}
    with open(path) as file:
        for line in file:
            words = line[line.index("evtlog_put_test:"):].split()
            number, names[int(words[2])] = int(words[2]), words[3]
            answers[number] = dict(zip(words[4::2], map(int, words[5::2])))
    return answers, names


def check_idle(path):
    answers, _ = read_answers(path)
    claim(all(set(a) == {"ok", "busy", "nobufs", "nodata", "other"}
              and sum(a.values()) == a["nodata"] for a in answers.values()),
          "while nothing records every put is told so")


def check_sequences(log, names):
    """Returns the number of events of each id."""
    found = {number: 0 for number in names}
    for cpu in log.cpus():
        last = dict.fromkeys(names, 0)
        process = None
        for record in log.records(cpu):
            name = log.name[record.type]
            if name not in ("put", "put_at"):
                continue
            number, sequence = record.data, record.words[1]
            found[number] += 1
            if sequence != last[number] + 1:
                claim(False, f"CPU {cpu} {names[number]}: {sequence} comes after "
                      f"{last[number]}")
            last[number] = sequence
            if names[number] == "process":
                process = record
            elif names[number] == "process_at":
                evl.need(name == "put_at" and process.words[1] == sequence,
                         "a time was given, and not kept")
                evl.need(record.words[2] == process.ticks,
                         f"CPU {cpu} {sequence}: the time filled in is not the "
                         "record's")
                evl.need(record.ticks >= process.ticks, "time goes back")
    return found


def check_log(log, answers, names):
    found = check_sequences(log, names)
    for number, name in names.items():
        if name == "nmi":
            continue
        claim(answers[number]["ok"] == found[number] == sum(answers[number].values()) > 0,
              f"{name}: {answers[number]['ok']} put, {found[number]} logged")
    nmi = next(number for number, name in names.items() if name == "nmi")
    lost = log.lost(evl.LOST_NMI)
    claim(found[nmi] == 0, "nothing of an NMI is in the log")
    claim(answers[nmi]["busy"] == lost == sum(answers[nmi].values()) > 0,
          f"{answers[nmi]['busy']} NMIs were refused, {lost} are counted as lost")
    claim(log.lost() == lost, "nothing else is lost")


def main():
    directory = sys.argv[1]
    named = os.path.join(directory, "named")
    check_idle(os.path.join(directory, "idle.txt"))
    log = evl.Log(glob.glob(os.path.join(directory, "*.evl"))[0])
    check_log(log, *read_answers(os.path.join(directory, "put.txt")))
    for which, cpu, index, recorded, counted in evl.Counts(log).deltas():
        if recorded != counted:
            claim(False, f"CPU {cpu} counter {which} {index}: recorded {recorded}, "
                  f"counted {counted}")
    print("In a named buffer:")
    check_log(evl.Log.of_named(os.path.join(named, "marks.evl")),
              *read_answers(os.path.join(named, "put.txt")))
    finish()


main()
