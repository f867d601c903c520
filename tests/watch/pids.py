#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""pids.py DIRECTORY - are the tasks that probes record those that ran, and do rules follow them?

Which task ran is known by the switches of the run, and in a global buffer by its ON_CPU records; the
process of a task by its fork.  The matches are modelled anew, each with each.
"""
import os
import sys

import evl
from claims import claim, finish
from watch import Event, model_then, read_matches


def fields_of(text):
    """{name: (first byte, bytes)} of a format."""
    return {name: (int(at), int(size)) for name, at, size, _ in
            (field.split(":") for field in text.split("\n")[1].split())}


def read(log):
    """Events of probes by time, each with the task that ran, as the log has it beside; and forks."""
    formats, events, process = {}, [], {}
    for cpu in log.cpus():
        for record in log.records(cpu):
            if log.name[record.type] == "event_format":
                text = evl.payload(record).decode()
                formats[evl.event_id(record)] = text.split("\n")[0], fields_of(text)
    for cpu in log.cpus():
        on_cpu, pid = cpu, log.buffers[cpu][0].begin_pid
        for record in log.records(cpu):
            kind = log.name[record.type]
            if kind == "sched_switch":
                pid = record.data & 0x3fffff
            elif kind == "on_cpu":
                on_cpu, pid = record.data, record.words[1] & 0xffffffff
            elif kind == "sched_process_fork":
                process[record.data & 0x3fffff] = record.words[1] >> 32
            elif kind == "event":
                name, fields = formats[evl.event_id(record)]
                data = evl.payload(record)
                found = {key: int.from_bytes(data[at:at + size], "little")
                         for key, (at, size) in fields.items()}
                events.append(Event(record.ticks, on_cpu, name, {"ran": pid, **found}))
    return sorted(events, key=lambda event: (event.ticks, event.cpu)), process


def check_matches(directory, name, log, events, key):
    sent = [event for event in events if event.name == "udp_sendmsg"]
    first = [event for event in sent if event.fields["len"] == 111]
    then = [event for event in sent if event.fields["len"] == 222]
    within = 2000 * log.ticks_hz // 1000000
    model = {"pid": model_then(first, then, key, 0, within),
             "any": model_then(first, then, None, 0, within)}
    matches, missed = read_matches(os.path.join(directory, f"{name}.matches"))
    claim(not missed, f"{name}: the reader of matches missed {missed}")
    claim(model["pid"] != model["any"], f"{name}: which task it is makes a difference")
    for rule, expected in model.items():
        found = [match[:2] for match in matches[rule]]
        claim(len(expected) > 20 and set(found) == expected and len(found) == len(expected),
              f"{name}: {rule}: {len(found)} matches of {len(expected)} in {len(sent)} events")


def check_values(log, events, process):
    """Of each probe of the run: the values are those of the task that ran, and its CPU."""
    names = sorted({event.name for event in events})
    claim(len(names) == 4, f"probes: {names}")
    for name in names:
        mine = [event for event in events if event.name == name]
        wrong = [event for event in mine if
                 (event.fields["pid"], event.fields["on"]) != (event.fields["ran"], event.cpu) or
                 event.fields["low"] != event.fields["pid"] & 0xff or
                 event.fields["process"] != process.get(event.fields["pid"], event.fields["pid"])]
        claim(len(mine) > 100 and not wrong, f"{name}: {len(wrong)} of {len(mine)} are of another "
              f"task, process or CPU: {wrong[:3]}")
    tasks = {(event.fields["pid"], event.fields["process"]) for event in events}
    claim(any(pid != tgid for pid, tgid in tasks) and len({tgid for _, tgid in tasks}) >= 2,
          f"threads of two processes: {sorted(tasks)}")
    claim({event.cpu for event in events} == {0, 1}, "on both CPUs")


def check_mechanisms(directory):
    with open(os.path.join(directory, "run.probes")) as file:
        used = {line.split()[1]: line.split()[5] for line in file if line.startswith("probe ")}
    claim(used["udp_sendmsg"] == "direct" and used["ip_send_skb%return"] == "return" and
          {used["ip_send_skb"], used["ip_send_skb+5"]} <= {"kprobe", "jump"}, f"mechanisms: {used}")


def matches_of(directory, name):
    with open(os.path.join(directory, f"{name}.watches")) as file:
        return {line.split()[1]: int(line.split()[5]) for line in file if line.startswith("watch ")}


def check_another(directory):
    """Of a buffer with a ring for each CPU that has a global one's name: its rules of a task get nothing."""
    one, another = matches_of(directory, "one"), matches_of(directory, "another")
    claim(one["any"] > 0 and another["any"] > one["any"] and another["pid"] == one["pid"] and
          another["known"] == one["known"] > 0,
          f"another buffer of a global one's name: matches {one}, then {another}")


def main(directory):
    log = evl.Log(os.path.join(directory, "run.evl"))
    events, process = read(log)
    claim(not log.lost(), "the run lost nothing")
    check_values(log, events, process)
    check_mechanisms(directory)
    check_matches(directory, "run", log, events, "pid")
    for name, key in (("flight", "pid"), ("global", "ran")):
        log = evl.Log.of_named(os.path.join(directory, f"{name}.evl"))
        check_matches(directory, name, log, read(log)[0], key)
    check_another(directory)
    finish()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
