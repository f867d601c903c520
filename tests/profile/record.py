#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""record.py OUT - compares the sums over all periods with what the tasks did."""

import glob
import json
import sys

from claims import expect, finish


def check_signalled(files, pid):
    """The task lived through readings and has ended: all that it did is counted once."""
    sums, ended, ticks = {}, 0, 0
    for file in files:
        for profile in file["profiles"]:
            if profile.get("pid") != pid:
                continue
            ended += profile.get("has_ended", 0)
            for path in profile["paths"]:
                sums[path["path"]] = sums.get(path["path"], 0) + path["count"]
                ticks += path["exclusive_ticks"]
    signals = sum(count for path, count in sums.items() if path.endswith("signal:10"))
    reads = sums.get("user>syscall:0", 0)
    functions = {path: count for path, count in sums.items() if "function:" in path}
    seconds = ticks / files[0]["ticks_hz"]
    print(f"signalled: {signals} signals, {reads} read(), {functions}, {seconds:.2f} s")
    expect("it has ended once", ended == 1)
    expect(f"{signals} signals of 20", signals == 20)
    expect("each read() is a vfs_read", reads and
           sums.get("user>syscall:0>function:vfs_read") == reads)
    expect("functions have names", all("function:vfs_read" in path for path in functions))
    expect(f"it lived {seconds:.2f} s", seconds < files[-1]["end"] - files[0]["begin"])


def of_cgroup(out):
    """Only tasks of the cgroup, while they are in it; tasks that ended in it, with everything."""
    files = [json.load(open(name)) for name in sorted(glob.glob(f"{out}/of_cgroup/*.json"))]
    word = open(f"{out}/cgroup.told").read().split()
    told = {word[i]: int(word[i + 1]) for i in range(0, 8, 2)}
    stays, leaves, other, late = map(int, open(f"{out}/cgroup.pids").read().split())
    calls, seen, family = {}, {}, set()
    for number, file in enumerate(files):
        for profile in file["profiles"]:
            expect("no CPU", "cpu" not in profile)
            seen.setdefault(profile["pid"], set()).add(number)
            if profile["comm"] == "family":
                family.add(profile["pid"])
            for path in profile["paths"]:
                if path["path"].split(">")[-1] == "syscall:110":
                    who = "family" if profile["comm"] == "family" else profile["pid"]
                    calls[who] = calls.get(who, 0) + path["count"]
    print(f"cgroup, {len(files)} periods: family {calls.get('family')} of {told['getppid']} getppid, "
          f"{len(family)} of {told['tasks']} tasks; another {calls.get(late)}; {len(seen)} tasks")
    expect("at least three periods", len(files) >= 3)
    expect("each getppid of what ended in it, once", calls.get("family") == told["getppid"])
    expect("each task", len(family) == told["tasks"])
    # And a call of the shell that became this task
    expect("what came later, and ended", calls.get(late) == 700 + 1)
    expect("another's is not there", other not in seen)
    expect("what left is not there any more", seen.get(leaves, {0}) <= {0, 1})
    expect("what stays", stays not in calls or calls[stays] <= 500)


def main():
    out = sys.argv[1]
    files = [json.load(open(name)) for name in sorted(glob.glob(f"{out}/periods/*.json"))]
    word = open(f"{out}/periods.told").read().split()
    told = {word[i]: int(word[i + 1]) for i in range(0, 8, 2)}
    worker = int(open(f"{out}/worker.pid").read())
    calls = {"family": 0, worker: 0}
    pids = set()
    for number, file in enumerate(files):
        expect("no profile is lost", file["ended_lost"] == 0)
        expect("begins where the last one ended",
               not number or file["begin"] == files[number - 1]["end"])
        for profile in file["profiles"]:
            if profile.get("comm") != "family" and profile.get("pid") != worker:
                continue
            for path in profile["paths"]:
                expect("no difference is below 0", path["count"] < 1 << 62 and
                       path["exclusive_ticks"] < 1 << 62)
                if path["path"].split(">")[-1] == "syscall:110":
                    calls[worker if profile["pid"] == worker else "family"] += path["count"]
            if profile.get("comm") == "family":
                pids.add(profile["pid"])
    print(f"{len(files)} periods: getppid {calls['family']} of {told['getppid']}, tasks "
          f"{len(pids)} of {told['tasks']}; worker {calls[worker]}")
    expect("at least two periods", len(files) >= 2)
    expect("each getppid of tasks that ended is there, once", calls["family"] == told["getppid"])
    expect("each task", len(pids) == told["tasks"])
    expect("the worker's", calls[worker] <= 3000)
    check_signalled(files, int(open(f"{out}/signalled.pid").read()))
    hostile = [profile for file in files for profile in file["profiles"]
               if profile.get("comm", "").startswith("\n")]
    print("hostile:", [profile["comm"] for profile in hostile])
    expect("a name with a newline is a name", hostile and
           all(profile["comm"] == "\ncpu 0 1 2" for profile in hostile))
    expect("CPUs are the machine's", all(sum("cpu" in profile for profile in file["profiles"]) == 2
                                         for file in files))
    expect("no event is without a name", not any(
        path["path"].split(">")[-1].startswith("class")
        for file in files for profile in file["profiles"] for path in profile["paths"]))
    for file in files:
        seconds = file["end"] - file["begin"]
        for profile in file["profiles"]:
            if "cpu" not in profile:
                continue
            ticks = sum(path["exclusive_ticks"] for path in profile["paths"])
            expect(f"cpu {profile['cpu']}: {ticks / file['ticks_hz']:.2f} s of {seconds:.2f}",
                   abs(ticks / file["ticks_hz"] - seconds) < 0.25 * seconds + 0.5)
    of_cgroup(out)
    texts = glob.glob(f"{out}/of_pid/*")
    names = sorted(text.rpartition("/")[2] for text in texts)
    expect(f"one file is kept, and those of others: {names}",
           len(names) == 3 and names[0] == "profile-1.txt" and names[2] == "profile-zzz.txt")
    texts = sorted(glob.glob(f"{out}/compensated/*"))
    file = json.load(open(texts[0]))
    expect(f"compensated: {file.get('compensated')}", file["compensated"]["removed_ticks"] > 0 and
           sum("cpu" in profile for profile in file["profiles"]) == 2)
    expect("compensated, as text", "compensated: " in open(texts[1]).read())
    expect("a second recorder is refused", "another evtlog profile record uses it" in open(f"{out}/second").read())
    deleted = open(f"{out}/deleted").read()
    expect(f"a buffer that is deleted is said: {deleted}",
           "was deleted" in deleted and deleted.endswith("4\n"))
    expect("what no directory is, is said",
           "another --output" in open(f"{out}/no_such").read())
    expect("what no cgroup is, is said", "--cgroup takes a directory" in open(f"{out}/no_such").read())
    raw = json.load(open(f"{out}/raw.json"))
    seconds = [profile["total_ticks"] / raw["ticks_hz"] for profile in raw["profiles"]]
    print("raw:", [f"{second:.2f} s" for second in seconds])
    expect("two CPUs of two periods", len(seconds) == 4)
    expect("a second each", all(0.5 < second < 60 for second in seconds))
    expect("two files differ", "softirq" in open(f"{out}/raw.compared").read())
    finish()


main()
