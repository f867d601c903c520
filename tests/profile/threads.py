#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""threads.py OUT - compares evtlog's readings and periods of a process's ended threads with the
number of system calls that the threads made."""
import json
import pathlib
import re
import sys

from claims import expect, finish

GETPPID = "user>syscall:110"


def calls(profiles):
    return sum(path["count"] for profile in profiles for path in profile["paths"]
               if path["path"] == GETPPID)


def main():
    out = pathlib.Path(sys.argv[1])
    truth, pid = int((out / "truth").read_text()), int((out / "pid").read_text())
    shown = json.loads((out / "show--json").read_text())["profiles"]
    sums = [profile for profile in shown if "threads" in profile]
    expect(f"show: {len(sums)} sums of ended threads", len(sums) == 1)
    expect(f"show: {calls(shown)} calls of {truth}", calls(shown) == truth)
    for entry in sums:
        expect(f"show: {entry}", entry["tgid"] == pid and entry["pid"] == 0 and entry["has_ended"])
        threads = entry["threads"] + len(shown) - 1
        expect(f"show: {threads} threads", threads == 41)
    everything = json.loads((out / "show-all").read_text())["profiles"]
    mine = [profile for profile in everything if profile.get("tgid") == pid]
    expect(f"show of all: {calls(mine)} calls of {truth}", calls(mine) == truth)
    text = (out / "show").read_text()
    expect("show: no head", re.search(rf"^threads-{pid} ended threads: ", text, re.M))
    for form in ("show", "show--tree"):
        found = sum(map(int, re.findall(r"^ *(\d+) .*  getppid\(\)$", (out / form).read_text(), re.M)))
        expect(f"{form}: {found} calls of {truth}", found == truth)
    expect("folded: no call", ";getppid() " in (out / "show--folded").read_text())
    report = json.loads((out / "report").read_text())["profiles"]
    found = [profile for profile in report if profile["name"] == f"threads-{pid} ended threads"]
    expect(f"report: {len(found)} sums", len(found) == 1 and found[0]["tgid"] == pid)

    periods = [json.loads(path.read_text()) for path in sorted((out / "periods").glob("*.json"))]
    told = [profile for period in periods for profile in period["profiles"]]
    expect(f"periods: {calls(told)} calls of {truth}", calls(told) == truth)
    expect("periods: a sum of ended threads", not any("threads" in profile for profile in told))
    head = re.search(r"(?s)^state.*?(?=\ncpu |\ntask )", (out / "all").read_text())[0]
    expect("all: nothing is missing", "\nended_not_kept 0\n" in head)
    print(f"{truth} calls of {len(told)} profiles in {len(periods)} periods, {len(shown)} shown")
    finish()


main()
