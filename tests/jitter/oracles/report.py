#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""report.py EVTLOG DIRECTORY - evtlog jitter report agrees with the simulation

Adds up all numbers again: from the simulation's truth, or from the lists of parts and samples.
Compares the forms of the report with each other. Prints what is wrong, and then exits with 1.
"""
import collections
import csv
import io
import json
import math
import os
import re
import subprocess
import sys

import samples as samples_file

PERCENTS = {"p50": (50, 2), "p90": (90, 10), "p99": (99, 100), "p99_9": (99.9, 1000),
            "p99_99": (99.99, 10000), "p99_999": (99.999, 100000), "max": (100, 1)}

failures = 0


def claim(holds, text):
    global failures
    if not holds:
        print("WRONG " + text)
        failures += 1


class Command:
    def __init__(self, evtlog, directory):
        self.evtlog, self.directory = evtlog, directory

    def run(self, *options, status=0):
        done = subprocess.run([self.evtlog, "jitter", "report", *options, self.directory],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        claim(done.returncode == status,
              f"{options} exits {done.returncode}, not {status}: {done.stderr}")
        return done.stdout

    def json(self, *options, **more):
        return json.loads(self.run("--json", *options, **more))

    def csv(self, table, *options, **more):
        data = self.run(f"--csv={table}", *options, **more)
        return list(csv.DictReader(io.StringIO(data.decode(), newline=""), strict=True))


def plain(name):
    """The name as the text form shows it"""
    return "".join(chr(c) if 32 <= c < 127 and c != 92 else f"\\x{c:02x}"
                   for c in name.encode())


def near(a, b, digits=3):
    return abs(a - b) <= 0.51 * 10 ** -digits + 1e-9 * abs(b)


class Row:
    """The numbers of a source, added up from its parts in ticks."""

    def __init__(self):
        self.parts = []
        self.family = self.inferred = None

    def numbers(self, tick):
        count, total = len(self.parts), sum(self.parts)
        mean = total / count
        return {"count": count, "min_ns": min(self.parts) * tick,
                "max_ns": max(self.parts) * tick, "mean_ns": mean * tick,
                "total_ns": total * tick, "total_ticks": total,
                "stddev_ns": math.sqrt(sum((p - mean) ** 2 for p in self.parts) / count) * tick}


def rows_of(parts, samples, cpu=None):
    rows = {}

    def add(name, family, inferred, ticks):
        row = rows.setdefault((name, family), Row())
        row.parts.append(ticks)
        row.family, row.inferred = family, inferred

    for part in parts:
        if part["excluded"] == "0" and cpu in (None, int(part["cpu"])):
            add(part["source"], part["family"], False, int(part["own_ticks"]))
    for one in samples:
        if one["excluded"] == "1" or cpu not in (None, int(one["cpu"])):
            continue
        if int(one["crossing_ticks"]):
            add("crossing", "hardware", True, int(one["crossing_ticks"]))
        if one["inferred_source"]:
            family = "smt" if "thread" in one["inferred_source"] else "hardware"
            add(one["inferred_source"], family, True, int(one["residual_ticks"]))
    return rows


def check_rows(what, sources, rows, tick):
    claim({(s["name"], s["family"]) for s in sources} == set(rows),
          f"{what}: sources are not those of the parts")
    whole = sum(sum(row.parts) for row in rows.values())
    for source in sources:
        row = rows.get((source["name"], source["family"]))
        if not row:
            continue
        for key, value in row.numbers(tick).items():
            claim(near(source[key], value),
                  f"{what}: {source['name']!r}: {key} is {source[key]}, not {value}")
        claim(near(source["share"], sum(row.parts) / whole, 8), f"{what}: share of a row")
        claim(source["inferred"] == row.inferred, f"{what}: {source['name']}: inferred")
    totals = [s["total_ticks"] for s in sources]
    claim(totals == sorted(totals, reverse=True), f"{what}: not by total time")
    claim(not sources or near(sum(s["share"] for s in sources), 1, 6),
          f"{what}: shares do not add up to 1")


def check_percentiles(what, told, values, tick):
    values = sorted(values)
    claim(told["count"] == len(values), f"{what}: {told['count']} values, not {len(values)}")
    for name, (percent, needs) in PERCENTS.items():
        value = told[name + "_ns"]
        if len(values) < needs:
            claim(value is None, f"{what}: {name} of {len(values)} values")
            continue
        rank = -(-len(values) * round(percent * 1000) // 100000)
        claim(value is not None and near(value, values[rank - 1] * tick),
              f"{what}: {name} is {value}, not {values[rank - 1] * tick}")


def read_samples(path):
    """Returns (window, noise) of a loop's samples, over all its threads."""
    file = samples_file.Samples(path)
    return (sum(thread.end - thread.begin for thread in file.threads),
            sum(thread.below + sum(samples_file.noise(file.method, thread, *sample) for sample in thread.samples)
                for thread in file.threads))


def check_truth(truth, told, parts, samples, interruptions):
    tick = told["ns_per_tick"]
    names = [bytes(map(ord, name)).decode() for name in truth["names"]]
    claim(near(tick, truth["ns_per_tick"], 7), f"a tick is {tick} ns")
    claim(len(told["cpus"]) == len(truth["threads"]), "number of CPUs")
    for cpu, thread in zip(told["cpus"], truth["threads"]):
        what = f"CPU {thread['cpu']}"
        ticks = {s["name"]: s["total_ticks"] for s in cpu["sources"] if not s["inferred"]}
        wanted = {n: t for n, t in zip(names, thread["ticks"]) if t}
        claim(ticks == wanted, f"{what}: {ticks}, not {wanted}")
        claim(cpu["samples_over_threshold"] == thread["samples"], f"{what}: samples")
        claim(near(cpu["noise_ns"], thread["noise_ticks"] * tick), f"{what}: noise")
        claim(near(cpu["below_ns"], thread["below_ticks"] * tick), f"{what}: below")
        claim(near(cpu["window_ns"], thread["window_ticks"] * tick), f"{what}: window")
        claim(near(cpu["lost_share"], (thread["noise_ticks"] + thread["below_ticks"]) /
                   thread["window_ticks"], 8), f"{what}: share that is lost")
        claim(near(cpu["interruptions_ns"], thread["kernel_ticks"] * tick),
              f"{what}: interruptions")
        check_percentiles(what, cpu["percentiles"], thread["lengths"], tick)
        rows = rows_of(parts, samples, thread["cpu"])
        check_rows(what, cpu["sources"], rows, tick)
    lengths = [n for thread in truth["threads"] for n in thread["lengths"]]
    claim(sorted(lengths) == sorted(int(i["enter_ticks"]) - int(i["leave_ticks"])
                                    for i in interruptions), "lengths of interruptions")
    check_percentiles("all", told["percentiles"], lengths, tick)
    longest = sorted(lengths, reverse=True)
    claim(len(told["largest"]) == min(5, len(longest)), "number of the largest")
    claim(all(near(one["length_ns"], n * tick) for one, n in zip(told["largest"], longest)),
          "the largest interruptions")


def check_samples(told, samples):
    for one in samples:
        kernel, parts, crossing, noise, residual = (
            int(one[key + "_ticks"]) for key in
            ("kernel", "parts", "crossing", "noise", "residual"))
        claim(kernel == parts or one["excluded"] == "1", f"sample {one['sample']}: its parts")
        claim(residual == noise - kernel - crossing, f"sample {one['sample']}: residual")
    kept = [one for one in samples if one["excluded"] == "0"]
    claim(told["samples_over_threshold"] == len(kept), "samples over the threshold")
    claim(told["excluded_samples"] == len(samples) - len(kept), "excluded samples")
    if not kept:
        claim(told["matched_share"] is None, "a share of nothing")
        return
    claim(near(told["matched_share"], sum(one["matched"] == "1" for one in kept) / len(kept), 8),
          "matched share")
    claim(near(told["attributed_share"], sum(int(one["kernel_ticks"]) for one in kept) /
               sum(int(one["noise_ticks"]) for one in kept), 8), "attributed share")
    claim(near(told["max_residual_ns"], told["ns_per_tick"] *
               max(abs(int(one["residual_ticks"])) for one in kept)), "largest residual")
    check_percentiles("samples", told["sample_percentiles"],
                      [int(one["noise_ticks"]) for one in kept], told["ns_per_tick"])


def check_interruptions(told, interruptions):
    for cpu in told["cpus"]:
        lengths = [int(i["enter_ticks"]) - int(i["leave_ticks"]) for i in interruptions
                   if int(i["cpu"]) == cpu["cpu"] and i["excluded"] == "0"]
        claim(cpu["interruptions"] == len(lengths) and
              near(cpu["interruptions_ns"], sum(lengths) * told["ns_per_tick"]),
              f"CPU {cpu['cpu']}: interruptions that are not excluded")
        check_percentiles(f"CPU {cpu['cpu']}", cpu["percentiles"], lengths,
                          told["ns_per_tick"])


def check_patterns(command, interruptions, parts, tick, status):
    """Interruptions of a pattern have its sources and add up to its sums."""
    told = command.json("--top", "100000", status=status)["patterns"]
    lengths, sources = collections.defaultdict(list), collections.defaultdict(list)
    for part in parts:
        mine = sources[part["interruption"]]
        if part["source"] != "kernel entry and exit" and mine[-1:] != [part["source"]]:
            mine.append(part["source"])
    of_pattern = {str(p["pattern"]): p["sources"] for p in told}
    for one in interruptions:
        if one["excluded"] == "1":
            continue
        lengths[one["pattern"]].append(int(one["enter_ticks"]) - int(one["leave_ticks"]))
        mine = sources[one["interruption"]] or ["kernel entry and exit"]
        wanted = of_pattern.get(one["pattern"], mine)
        # The report lists only the first sources of a long pattern.
        claim(mine[:len(wanted)] == wanted, f"interruption {one['interruption']}: {mine}, "
              f"pattern {wanted}")
    claim(len(told) == sum(len(all) > 1 for all in lengths.values()), "number of patterns")
    for pattern in told:
        mine = lengths[str(pattern["pattern"])]
        claim(pattern["count"] == len(mine) and
              all(near(pattern[key + "_ns"], value * tick) for key, value in
                  (("min", min(mine)), ("max", max(mine)), ("total", sum(mine)))),
              f"pattern {pattern}")


def check_sums(told):
    for family in told["families"]:
        mine = [s for s in told["sources"] if s["family"] == family["family"]]
        claim(family["count"] == sum(s["count"] for s in mine) and
              near(family["total_ns"], sum(s["total_ns"] for s in mine), 2),
              f"family {family['family']}")
    for key in ("samples_over_threshold", "matched_samples", "noise_ns", "recorded_ns",
                "crossing_ns", "inferred_ns", "window_ns", "interruptions", "excluded_samples"):
        claim(near(told[key], sum(cpu[key] for cpu in told["cpus"]), 2), f"{key} of CPUs")
    for one in told["largest"]:
        claim(near(one["length_ns"], sum(p["own_ns"] for p in one["parts"]), 1) and
              near(one["length_ns"], one["parts_ns"]), "parts of one of the largest")


def check_largest_text(text, told):
    """The parts of each largest interruption, or their sums by source, add up to it."""
    listed = text.partition("\nLargest")[2].partition("\nRecurring")[0]
    blocks = re.split(r"\n +[0-9]+\. ", listed)[1:]
    claim(len(blocks) == len(told["largest"]), "blocks of the largest")
    for block, one in zip(blocks, told["largest"]):
        parts = re.findall(r"^ +\+ +([0-9.]+) +([0-9.]+)  (.*)$", block, re.M)
        claim(abs(sum(float(p[1]) for p in parts) - one["length_ns"] / 1000) <
              0.0006 * (1 + len(parts)), f"parts of {block.splitlines()[0]}")
        if len(one["parts"]) <= 16:
            claim([float(p[0]) for p in parts] ==
                  [round(p["start_ns"] / 1000, 3) for p in one["parts"]], "begins of parts")
            continue
        faults = [p for p in one["parts"] if p["name"] == "page fault"]
        if len(faults) > 1:
            claim(f"  page fault  {len(faults)} times" in block, "page faults, all in one")
    return sum(len(one["parts"]) > 16 for one in told["largest"])


def check_text(command, told):
    data = command.run("--per-cpu")
    claim(not re.search(rb"[^ -~\n]", data), "the text has other than plain text")
    text = data.decode()
    tables = [told] + told["cpus"]
    at = -1
    number = r"\s+([0-9.]+)"
    row = re.compile(r"([~ ]) (.*\S)\s+(user|kernel|interrupt|smt|hardware)" + number * 7)
    left = []
    for line in text.splitlines():
        if line.startswith("Sources"):
            claim(not left, "rows that are not printed")
            at += 1
            left = list(tables[at]["sources"])
        elif line.startswith("Family"):
            break
        match = row.match(line)
        if not match or at < 0:
            continue
        claim(bool(left), "a row too many")
        source = left.pop(0)
        wanted = ["~" if source["inferred"] else " ", plain(source["name"]), source["family"],
                  source["min_ns"], source["max_ns"], source["count"] * 1000,
                  source["mean_ns"], source["total_ns"], source["stddev_ns"]]
        claim(list(match.groups()[:3]) == wanted[:3] and
              all(abs(float(a) - b / 1000) < 0.00101
                  for a, b in zip(match.groups()[3:], wanted[3:])) and
              abs(float(match.group(10)) - 100 * source["share"]) < 0.0051,
              f"row {line!r} is not {source}")
    claim(at == len(told["cpus"]) and not left, "tables of all CPUs")
    many = check_largest_text(command.run("--top", "200").decode(),
                              command.json("--top", "200"))
    claim(many or told["interruptions"] < 1000, "none of the largest has many parts")
    for i, one in enumerate(told["largest"]):
        claim(f"{i + 1:4}. {one['length_ns'] / 1000:12.3f}" in text, f"the {i + 1}. largest")
    claim("matched %.2f %%" % (100 * told["matched_share"]) in text
          if told["matched_share"] is not None else "matched - %" in text, "matched, in the text")


def check_sources_csv(command, told, **more):
    rows = command.csv("sources", **more)
    wanted = [("all", s) for s in told["sources"]] + \
        [(str(cpu["cpu"]), s) for cpu in told["cpus"] for s in cpu["sources"]]
    claim(len(rows) == len(wanted), "rows of sources")
    for row, (cpu, source) in zip(rows, wanted):
        claim((row["cpu"], row["source"], row["family"]) ==
              (cpu, source["name"], source["family"]), f"CSV row {row}")
        for key in ("count", "min_ns", "max_ns", "mean_ns", "total_ns", "stddev_ns", "share",
                    "total_ticks"):
            claim(float(row[key]) == source[key], f"CSV row {row}: {key}")


def check_by_task(command, told, status):
    by_task = command.json("--by", "task", status=status)
    claim(sum(s["total_ticks"] for s in by_task["sources"]) ==
          sum(s["total_ticks"] for s in told["sources"]), "--by task: all of it")
    kworkers = [s for s in by_task["sources"] if s["name"].startswith("kworker/")]
    claim(all(re.fullmatch(r"kworker/\w+:\d-\d+", s["name"]) for s in kworkers),
          "--by task: names")
    claim(sum(s["total_ticks"] for s in kworkers) ==
          sum(s["total_ticks"] for s in told["sources"] if s["name"] == "kworker"),
          "--by task: kworkers")


def check_part(command, told, samples, interruptions):
    """A part of the run has the interruptions that are completely in it."""
    span = told["window_ns"] / max(1, len(told["cpus"]))
    begin, end = (int(told["cpus"][0]["from_ns"] + span * share) for share in (0.3, 0.6))
    part = command.json("--from", f"{begin}ns", "--to", f"{end}ns")
    inside = [i for i in interruptions if begin + 2 < int(i["time_ns"]) and
              int(i["time_ns"]) + float(i["length_ns"]) < end - 2]
    claim(abs(part["interruptions"] - len(inside)) <= 2 * len(told["cpus"]),
          f"--from, --to: {part['interruptions']} interruptions, not {len(inside)}")
    cut = sum(1000 + (int(s["end_ticks"]) - int(s["start_ticks"])) * told["ns_per_tick"]
              for s in samples if any(0 <= t - int(s["time_ns"]) <= 1e6 for t in (begin, end)))
    claim(-1000 - cut < part["window_ns"] - len(told["cpus"]) * (end - begin) < 1000,
          "--from, --to: the window")
    claim(part["missed_interruptions"] == 0, "--from, --to: interruptions without a sample")
    for cpu in part["cpus"] + [part]:
        claim(cpu["below_ns"] is None, "--from, --to: below the threshold can't be told")
        claim(near(cpu["lost_share"], cpu["noise_ns"] / cpu["window_ns"], 6),
              f"--from, --to: {cpu['lost_share']} of the time is lost")


def check_lost_share(told):
    """Lost time does not count as undisturbed time."""
    for cpu in told["cpus"]:
        share = (cpu["noise_ns"] / (cpu["window_ns"] - cpu["lost_ns"]) +
                 cpu["below_ns"] / cpu["window_ns"])
        claim(near(cpu["lost_share"], share, 6),
              f"CPU {cpu['cpu']}: {cpu['lost_share']} of the time is lost, not {share}")


def main():
    command = Command(sys.argv[1], sys.argv[2])
    with open(os.path.join(command.directory, "truth.json")) as file:
        truth = json.load(file)
    status = 4 if truth["lost"] else 0
    told = command.json(status=status)
    parts, samples, interruptions = (command.csv(table, status=status)
                                     for table in ("parts", "samples", "interruptions"))
    check_rows("all", told["sources"], rows_of(parts, samples), told["ns_per_tick"])
    check_samples(told, samples)
    check_interruptions(told, interruptions)
    check_patterns(command, interruptions, parts, told["ns_per_tick"], status)
    check_sums(told)
    check_lost_share(told)
    check_sources_csv(command, told, status=status)
    check_by_task(command, told, status)
    claim(command.json("--top", "0", status=status)["largest"] == [], "--top 0")
    if not status:
        check_truth(truth, told, parts, samples, interruptions)
        check_text(command, told)
        check_part(command, told, samples, interruptions)
        for name, key in (("logged", "logged_noise_ns_per_s"),
                          ("unlogged", "unlogged_noise_ns_per_s")):
            window, noise = read_samples(os.path.join(command.directory, name + ".samples"))
            claim(near(told["disturbance"][key], 1e9 * noise / window), f"{name}: its noise")
    else:
        claim(any(i["excluded"] == "1" for i in interruptions), "none is excluded")
        claim(0 < told["excluded_samples"] < 20 and
              sum(cpu["lost_records"] for cpu in told["cpus"]) >= truth["lost"],
              f"{told['excluded_samples']} excluded samples")
    print(f"{told['interruptions']} interruptions, {told['samples_over_threshold']} samples, "
          f"{len(told['sources'])} sources, {len(parts)} parts: {failures} wrong")
    sys.exit(failures > 0)


main()
