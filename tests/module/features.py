#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""features.py DIRECTORY LINE - checks what features.sh recorded with the module.

The checks are those of the tests for a kernel with evtlog, without what a module cannot record.
"""
import collections
import importlib.util
import json
import os
import sys

from claims import claim, finish

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def test(name):
    """Returns the module tests/NAME.py."""
    spec = importlib.util.spec_from_file_location(name.replace("/", "_"),
                                                  os.path.join(TESTS, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(base, name):
    with open(os.path.join(base, name), encoding="utf-8") as file:
        return json.load(file)


def text(base, name):
    with open(os.path.join(base, name), encoding="utf-8") as file:
        return file.read()


def check_form(base, line):
    release = text(base, "release").strip()
    status, info, checked = (load(base, f"{name}.json") for name in ("status", "info", "check"))
    claim(status["form"] == "module" and status["release"] == release,
          f"status: {status['form']}, {status['release']}")
    missing = set(status["unsupported"])
    claim({"user_exit", "user_enter", "exception_entry"} <= missing and
          not missing & {"sched_switch", "softirq_entry", "event", "task", "icmp_rx"},
          f"status: unsupported: {sorted(missing)}")
    claim(not missing & set(status["events"]), "status: no unsupported type can be on")
    header = info["header"]
    claim(header["form"] == "module" and header["kernel"] == release and
          set(header["unsupported"].split()) == missing, "the header has the same")
    claim(info["recorded"]["user_exit"] is False and info["recorded"]["sched_switch"] is True,
          "info: user_exit was not recorded, sched_switch was")
    claim("user_exit" in text(base, "info") and "module" in text(base, "info") and
          "user_exit" in text(base, "status"), "the texts name the form and what it cannot record")
    uncounted = [] if line == "6.12" else ["sched_switch"]
    claim(checked["uncounted"] == uncounted, f"check: no counter of {checked['uncounted']}")
    claim(all(c["verdict"] == "ok" for c in checked["counters"]
              if c["name"] in ("sched_switch", "local_timer_entry")), "check: the counters agree")
    found = {part["status"] for part in checked["intervals"]}
    claim(found <= {"unproved" if uncounted else "complete", "quiet"}, f"check: intervals: {found}")
    claim(("no counter of: sched_switch" in text(base, "check")) == bool(uncounted),
          "check names what has no counter")


def check_filter(base):
    its = test("oracle/filter")
    its.check_more(its.Run(base, "more"), base)
    its.check_some(its.Run(base, "some"))
    its.check_none(its.Run(base, "none"))
    its.check_all(its.Run(base, "all"))


def check_named(base):
    its = test("buffer/builtin")
    its.check_all(base)
    its.check_switches(base)
    claim(its.size(base, "filtered0") <= 256 < its.size(base, "filtered1"), "only CPU 1 is accepted")
    kinds = collections.Counter((e["event"], e["fields"]["type"])
                                for e in its.fields(base, "icmp", ("icmp_rx", "icmp_tx")))
    claim(kinds == {("icmp_rx", 8): 3, ("icmp_tx", 8): 3}, f"only echo requests: {dict(kinds)}")
    left, back = (text(base, f"{name}.dump").count(" sched_switch ") for name in ("left", "back"))
    claim(left == 0 and back > 50, f"{left} switches in the run during which the buffer ended, "
          f"{back} in the next one")


def check_watch(base):
    its = test("watch/watch")
    for check in (its.check_rules, its.check_cost, its.check_flight, its.check_global,
                  its.check_flood, its.check_started):
        check(base)


def main():
    base, line = sys.argv[1:]
    for path in ("oracle", "watch"):
        sys.path.append(os.path.join(TESTS, path))
    check_form(os.path.join(base, "form"), line)
    check_filter(os.path.join(base, "filter"))
    check_named(os.path.join(base, "named"))
    check_watch(os.path.join(base, "watch"))
    finish()


if __name__ == "__main__":
    main()
