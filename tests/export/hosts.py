#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hosts.py FORM PATH EVTLOG MERGED REFERENCE - hosts of an export are on the merge's timeline

FORM is ctf, otf2 or perfetto. PATH is a directory; for perfetto, a tar archive. MERGED is a file of
`evtlog dump -o`. REFERENCE is the log whose clock the timeline uses.

Each softirq has a time in the export, with the offsets that the export states, and a time in
MERGED. The difference must be the same for all CPUs of all hosts: the start of the timeline by the
clock of REFERENCE, for ctf by its CLOCK_REALTIME. An archive for Perfetto has the offsets in its
manifest. An OTF2 archive shows softirqs as functions in streams of tasks.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from decimal import Decimal

from claims import fail


def merged_times(evtlog, path):
    """Times by host and CPU"""
    times = collections.defaultdict(list)
    dump = subprocess.run([evtlog, "dump", "--json", path], stdout=subprocess.PIPE, check=True)
    for line in dump.stdout.splitlines():
        record = json.loads(line, parse_float=Decimal)
        if record["event"] == "softirq_entry":
            times[record["host"], record["cpu"]].append(int(record["time"] * 1000000000))
    return times


def info(evtlog, path):
    return json.loads(subprocess.check_output([evtlog, "info", "--json", path]))


def ctf_times(path):
    import bt2
    times = collections.defaultdict(list)
    for host in os.listdir(path):
        for message in bt2.TraceCollectionMessageIterator(os.path.join(path, host)):
            if type(message) is bt2._EventMessageConst and message.event.name == "irq_softirq_entry":
                cpu = int(message.event.packet.context_field["cpu_id"])
                times[host, cpu].append(message.default_clock_snapshot.ns_from_origin)
    return times


def otf2_times(path):
    import otf2
    times = collections.defaultdict(list)
    with otf2.reader.open(os.path.join(path, "traces.otf2")) as trace:
        for location, event in trace.events:
            if isinstance(event, otf2.events.Enter) and event.region.name.startswith("softirq "):
                host, cpu = re.match(r"(\S+) cpu (\d+) ", location.name).groups()
                times[host, int(cpu)].append(event.time)
    # If one stream ends when another begins, the reader chooses their order.
    return {key: sorted(found) for key, found in times.items()}


def perfetto_times(path):
    import perfetto
    times = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as work, tarfile.open(path) as archive:
        archive.extractall(work)
        with open(os.path.join(work, "perfetto_manifest.json"), encoding="utf-8") as text:
            manifest = json.load(text)["perfetto_manifest"]
        if manifest["version"] != 1:
            fail("the manifest is of another version")
        names = [entry["path"] for entry in manifest["files"]]
        if sorted(names + ["perfetto_manifest.json"]) != sorted(archive.getnames()):
            fail(f"the manifest has {names}, the archive {archive.getnames()}")
        for entry in manifest["files"]:
            clocks = entry.get("clocks")
            offset = clocks["offset_ns"] if clocks else 0
            if clocks and clocks["sync_to"] != {"file": names[0], "clock": "MONOTONIC_RAW"}:
                fail(f"{entry['path']} is synchronised to {clocks['sync_to']}")
            trace = perfetto.Trace(os.path.join(work, entry["path"]))
            for (cpu, kind), events in trace.kinds.items():
                if kind == "softirq_entry":
                    times[entry["machine"]["name"], cpu] = [now + offset for now, _ in events]
    return times


def main():
    form, path, evtlog, merged, reference = sys.argv[1:]
    wanted = merged_times(evtlog, merged)
    got = {"ctf": ctf_times, "otf2": otf2_times, "perfetto": perfetto_times}[form](path)
    if len({host for host, _ in wanted}) < 2:
        fail("there are not two hosts")
    if {key: len(times) for key, times in got.items()} != \
            {key: len(times) for key, times in wanted.items()}:
        fail("the hosts have other events")
    differences = {there - here for key in wanted for there, here in zip(got[key], wanted[key])}
    if len(differences) != 1:
        fail(f"times differ from the merge's by {min(differences)} to {max(differences)} ns")
    start, about = info(evtlog, merged)["start_ns"], info(evtlog, reference)
    if form == "ctf":
        start += about["start_real_ns"] - about["start_raw_ns"]
    if differences != {start}:
        fail(f"the timeline begins at {differences}, not at {start}")
    print(f"{path}: {sum(map(len, wanted.values()))} events of {len(wanted)} CPUs are on one timeline")


main()
