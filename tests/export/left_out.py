#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""left_out.py otf2|html|pcapng FILE DUMP SAID - an export has or reports all records of a log

DUMP is the output of `evtlog dump --json`; SAID is the standard error of the export. For each type,
the records in FILE and those that SAID reports as left out must together be as many as the lines in
DUMP.
"""
import base64
import collections
import json
import re
import struct
import sys
import zlib

from claims import expect, fail, finish

# Types that an archive shows as counters and as messages. Entries and exits are regions, other
# types are parameters.
COUNTERS = {"switches": "sched_switch", "migrations": "sched_migrate_task", "forks": "sched_process_fork",
            "exits": "sched_process_exit"}
MESSAGES = {1: "sched_wakeup_new", 4: "sched_waking"}


def region_types(region):
    """The types of the records that enter and leave a region. None: the region has no records"""
    if region.description == "system call":
        return "user_exit", "user_enter"
    if region.description == "exception":
        return "exception_entry", "exception_exit"
    if region.description != "interrupt":
        return None
    kind = region.name.split()[0]
    stem = {"softirq": "softirq", "irq": "irq_handler"}.get(kind, kind)
    return f"{stem}_entry", f"{stem}_exit"


def in_otf2(path, dump):
    import otf2
    from otf2 import events

    found = collections.Counter()
    names = {line["fields"].get("id_name"): "event" for line in dump if line["event"] == "event"}
    wanted = collections.defaultdict(list)
    for line in dump:
        wanted[line["fields"].get("id_name", "event") if line["event"] == "event" else line["event"]].append(line)
    with otf2.reader.open(path + "/traces.otf2") as trace:
        for location, event in trace.events:
            if isinstance(event, (events.Enter, events.Leave)):
                types = region_types(event.region)
                if types:
                    found[types[isinstance(event, events.Leave)]] += 1
            elif isinstance(event, events.MpiSend):
                found[MESSAGES.get(event.msg_tag, "message")] += 1
            elif isinstance(event, events.Metric):
                for value, member in zip(event.values, event.metric.members):
                    found[COUNTERS.get(member.name, member.name)] += value
            elif isinstance(event, events.ParameterInt):
                name = event.parameter.name
                found[names.get(name, name)] += 1
                check_parameter(location, event, wanted[name])
    return found


def check_parameter(location, event, lines):
    """One of the log's records has the CPU, task and fields of the parameter."""
    got = {attribute.name: value for attribute, value in (event.attributes or {}).items()}
    for number, line in enumerate(lines):
        fields = line["fields"]
        if isinstance(fields.get("payload"), dict):
            fields = fields["payload"]
        cpu = re.search(r"cpu (\d+) ", location.name).group(1)
        if int(cpu) == line["cpu"] and event.value == line["current_pid"] and \
                all(same(fields[name], value) for name, value in got.items() if name in fields):
            expect(f"{line['event']} has no fields: {got}", got or not fields)
            del lines[number]
            return
    expect(f"no record is {event.parameter.name} of task {event.value} with {got}", False)


def same(wanted, got):
    if isinstance(wanted, str) and isinstance(got, int):
        # States are letters, and some numbers are hexadecimal.
        return len(wanted) == 1 or int(wanted, 0) == got
    if isinstance(wanted, str) and isinstance(got, str):
        # An archive's definitions have symbols in place of control characters.
        wanted = "".join(chr(0x2400 + ord(c)) if c < " " else c for c in wanted)
    return wanted == got


def in_html(path, _):
    page = open(path, encoding="utf-8").read()
    data = zlib.decompress(base64.b64decode(re.search(r'id="evtlog-data">([^<]*)<', page).group(1)), 31)
    length, = struct.unpack_from("<I", data, 8)
    listed = json.loads(data[16:16 + length])["events"]["events"]
    return collections.Counter(event["type"] if "type" in event else event["event"] for event in listed)


def in_pcapng(path, _):
    """A block is its type, its length, and bytes. Type 6 is a packet."""
    data, at, found = open(path, "rb").read(), 0, collections.Counter()
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        found["event"] += kind == 6
        at += length
    return found


def main():
    form, path, dump, said = sys.argv[1:]
    lines = [json.loads(line) for line in open(dump, encoding="utf-8")]
    lines = [line for line in lines if "fields" in line]
    there = collections.Counter(line["event"] for line in lines)
    if not there:
        fail("the log has no record")
    found = {"otf2": in_otf2, "html": in_html, "pcapng": in_pcapng}[form](path, lines)
    left_out = collections.Counter({name: int(count) for count, name in re.findall(
        r": (\d+) records of type (\w+) are left out", open(said, encoding="utf-8").read())})
    for name, count in there.items():
        expect(f"{name}: {count} in the log, {found[name]} in {path}, {left_out[name]} left out",
               count == found[name] + left_out[name])
    for name in left_out:
        expect(f"{name}: left out, and not in the log", name in there)
    print(f"{form}: {sum(there.values())} records of {len(there)} types, {sum(left_out.values())} of them left out")
    finish()


main()
